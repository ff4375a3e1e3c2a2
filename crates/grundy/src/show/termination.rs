//! Whether every play ends: a search for measures that moves make smaller.
//!
//! A play for ever would make components out of components for ever, and since each move makes
//! finitely many, there would be an endless chain of components each of which is made of the
//! one before (König 1927). So it is enough to find measures of components, in order of
//! importance, such that every step of a chain makes one smaller, none that is more important
//! larger, and the one that it makes smaller has a least value.

use grundy_rules::Ruleset;
use grundy_rules::moves::is_joint;
use grundy_rules::ruleset::{
    Alternative, Change, Empties, Expr, Guard, MoveRule, Pattern, PatternItem, Place, ResultTerm,
    Role, RowEnd, Template, TemplateItem, Update, Variable,
};

use super::linear::{Atom, Known, Polynomial};

/// What a component, or a position, is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The sum of its numbers.
    Sum,
    /// The sum of its numbers, and one more for each; in nested lists too.
    Size,
    /// The sum of its numbers, each times its place from the left.
    FromLeft,
    /// The sum of its numbers, each times its place from the right.
    FromRight,
    /// The number at this place, counted from 0.
    Coordinate(usize),
    /// By how much the number at the second place exceeds the one at the first.
    Difference(usize, usize),
    /// How far the number at this place is from a bound above it.
    Distance(usize),
    /// Its largest number.
    Largest,
    /// How far its numbers are from the largest that moves write, all together.
    Room,
    /// The sum of all numbers of the position.
    Total,
    /// The number of components of the position.
    Components,
}

/// Measures, the most important first, that show that every play ends.
///
/// Returns `None` where none of those tried does; that says nothing about the game.
pub fn measures(ruleset: &Ruleset) -> Option<Vec<Measure>> {
    let mut open = steps(ruleset)?;
    let candidates = candidates(ruleset);
    let mut used = Vec::new();
    while !open.is_empty() {
        let progress = candidates.iter().find_map(|measure| {
            let smaller = makes_smaller(&mut open, *measure)?;
            smaller.contains(&true).then_some((*measure, smaller))
        });
        let (measure, smaller) = progress?;
        used.push(measure);
        let mut smaller = smaller.into_iter();
        open.retain(|_| !smaller.next().expect("there is one answer for each step"));
    }
    Some(used)
}

/// The measures worth trying, simple ones first.
fn candidates(ruleset: &Ruleset) -> Vec<Measure> {
    match (is_joint(ruleset), has_nested_moves(ruleset)) {
        (true, false) => return vec![Measure::Total, Measure::Components],
        // A nested move is known to make this measure smaller, if every move does.
        (false, true) => return vec![Measure::Size],
        (true, true) => return Vec::new(),
        (false, false) => {}
    }
    let row = ruleset.row.as_ref();
    let ordered = !ruleset.unordered && row.is_none_or(|row| !row.unordered);
    let in_place = row.is_none_or(|row| !row.ring && row.empties == Empties::Stay);
    let mut candidates = vec![Measure::Sum];
    if ordered && in_place {
        candidates.extend((0..MOST_COORDINATES).map(Measure::Coordinate));
    }
    candidates.extend([Measure::Size, Measure::Largest]);
    if ordered && in_place {
        candidates.extend([Measure::FromLeft, Measure::FromRight]);
        for low in 0..MOST_COORDINATES {
            let others = (0..MOST_COORDINATES).filter(|high| *high != low);
            candidates.extend(others.map(|high| Measure::Difference(low, high)));
        }
        candidates.extend((0..MOST_COORDINATES).map(Measure::Distance));
    }
    candidates.push(Measure::Room);
    candidates
}

/// Coordinates behind these are not looked at one by one.
const MOST_COORDINATES: usize = 4;

fn has_nested_moves(ruleset: &Ruleset) -> bool {
    fn nested(guard: &Guard) -> bool {
        match guard {
            Guard::Option { .. } => true,
            Guard::All(guards) | Guard::Any(guards) => guards.iter().any(nested),
            Guard::Not(guard) => nested(guard),
            Guard::Quantified { body, .. } => nested(body),
            _ => false,
        }
    }
    ruleset.moves.iter().any(|rule| nested(&rule.guard))
}

/// For each step, whether a measure gets smaller and had a least value to stop at; `None` if it
/// may get larger at some step.
fn makes_smaller(steps: &mut [Step], measure: Measure) -> Option<Vec<bool>> {
    steps
        .iter_mut()
        .map(|step| {
            if measure == Measure::Largest {
                let lower = |step: &mut Step, by| step.lowers_all_numbers(by);
                return lower(step, 0).then(|| lower(step, 1));
            }
            if measure == Measure::Room && !step.writes_bounded_numbers() {
                return None;
            }
            let decrease = step.decrease(measure)?;
            if !step.known.implies(&decrease) {
                return None;
            }
            let strict = step.known.implies(&decrease.minus(&Polynomial::number(1)));
            Some(strict && step.has_least(measure))
        })
        .collect()
}

/// From a component to one that a move makes of it; in a game with joint moves, from all the
/// components that a move takes to all that it makes.
struct Step<'r> {
    known: Known<'r>,
    transition: Transition,
}

enum Transition {
    /// Components, and what is made of them, each so many times.
    Made(Vec<Vec<Piece>>, Vec<(Polynomial, Vec<Piece>)>),
    /// Changes of places of a row, and the row's length.
    Updated(Vec<Hit>, Polynomial),
}

/// A coordinate, or a run of them.
#[derive(Clone, PartialEq)]
enum Piece {
    One(Polynomial),
    Run(Variable),
}

/// A change of the row.
struct Hit {
    /// Which place, counted from 1; `None` if it is several, or unknown.
    place: Option<Polynomial>,
    /// By how much the sum of all numbers grows.
    growth: Polynomial,
    /// The number it writes; `None` if it is several, or none.
    number: Option<Polynomial>,
    /// Whether the place is removed.
    removed: bool,
}

/// All steps; `None` if the rules are beyond this reasoning.
fn steps(ruleset: &Ruleset) -> Option<Vec<Step<'_>>> {
    let mut steps = Vec::new();
    for rule in &ruleset.moves {
        for alternative in &rule.alternatives {
            let mut known = Known::new(ruleset, &rule.scope);
            known.learn_guard(&rule.guard);
            match alternative {
                Alternative::Updates(updates) => {
                    let length = known.atom(Atom::RowLength);
                    let mut hits = Vec::with_capacity(updates.len());
                    for update in updates {
                        hits.push(hit(&mut known, rule, update)?);
                    }
                    let transition = Transition::Updated(hits, length);
                    steps.push(Step { known, transition });
                }
                Alternative::Sum(terms) => {
                    steps.extend(steps_of_sum(ruleset, known, rule, terms)?);
                }
            }
        }
    }
    Some(steps)
}

fn steps_of_sum<'r>(
    ruleset: &Ruleset,
    mut known: Known<'r>,
    rule: &MoveRule,
    terms: &[ResultTerm],
) -> Option<Vec<Step<'r>>> {
    let patterns = rule.patterns.iter();
    let sources: Vec<Vec<Piece>> = patterns
        .map(|pattern| pattern_pieces(&mut known, pattern))
        .collect();
    if is_joint(ruleset) {
        let mut results = Vec::with_capacity(terms.len());
        for term in terms {
            if matches!(term, ResultTerm::Series { .. }) {
                return None;
            }
            results.push(result(ruleset, &mut known, term)?);
        }
        let transition = Transition::Made(sources, results);
        return Some(vec![Step { known, transition }]);
    }
    let mut steps = Vec::with_capacity(terms.len());
    for term in terms {
        // Where the others are not made, there is no move, and where this one is not, no step.
        let mut known = known.clone();
        for other in terms {
            if matches!(other, ResultTerm::Component(_)) {
                result(ruleset, &mut known, other)?;
            }
        }
        let (count, pieces) = result(ruleset, &mut known, term)?;
        known.learn(count.minus(&Polynomial::number(1)));
        let transition = Transition::Made(sources.clone(), vec![(Polynomial::number(1), pieces)]);
        steps.push(Step { known, transition });
    }
    Some(steps)
}

/// How often a term makes a component, and which.
fn result(
    ruleset: &Ruleset,
    known: &mut Known,
    term: &ResultTerm,
) -> Option<(Polynomial, Vec<Piece>)> {
    let one = Polynomial::number(1);
    let (count, template) = match term {
        ResultTerm::Component(template) => (one, template),
        ResultTerm::Copies { count, template } => (known.value(count), template),
        ResultTerm::Series { template, ranges } => {
            for range in ranges {
                let variable = known.value(&Expr::Variable(range.variable));
                let (from, to) = (known.value(&range.from), known.value(&range.to));
                known.learn(variable.minus(&from));
                known.learn(to.minus(&variable));
            }
            (one, template)
        }
    };
    // Completing a result adds coordinates.
    let completed = ruleset.starts.iter().any(|start| {
        let splices = template
            .items
            .iter()
            .any(|item| matches!(item, TemplateItem::Splice(_)));
        !start.has_rest() && (splices || start.pattern.items.len() == template.items.len())
    });
    if completed {
        return None;
    }
    let mut pieces = Vec::with_capacity(template.items.len());
    for item in &template.items {
        pieces.push(match item {
            TemplateItem::Splice(variable) => Piece::Run(*variable),
            TemplateItem::Expr(_) | TemplateItem::List(_) => {
                let content = content(known, item);
                known.learn(content.clone());
                Piece::One(content)
            }
        });
    }
    Some((count, pieces))
}

/// A number, or the size of a nested list.
fn content(known: &mut Known, item: &TemplateItem) -> Polynomial {
    match item {
        TemplateItem::Expr(expr) => known.value(expr),
        TemplateItem::Splice(run) => {
            let length = known.atom(Atom::Length(*run));
            known.atom(Atom::Sum(*run)).plus(&length)
        }
        TemplateItem::List(Template { items }) => {
            items.iter().fold(Polynomial::default(), |sum, item| {
                let one = match item {
                    TemplateItem::Splice(_) => Polynomial::default(),
                    _ => Polynomial::number(1),
                };
                sum.plus(&content(known, item)).plus(&one)
            })
        }
    }
}

fn pattern_pieces(known: &mut Known, pattern: &Pattern) -> Vec<Piece> {
    let items = pattern.items.iter();
    items
        .map(|item| match item {
            PatternItem::Rest(run) => Piece::Run(*run),
            _ => Piece::One(pattern_content(known, item)),
        })
        .collect()
}

fn pattern_content(known: &mut Known, item: &PatternItem) -> Polynomial {
    match item {
        PatternItem::Variable(variable) => known.value(&Expr::Variable(*variable)),
        PatternItem::Number(n) => Polynomial::number(n.clone()),
        PatternItem::Rest(run) => {
            let length = known.atom(Atom::Length(*run));
            known.atom(Atom::Sum(*run)).plus(&length)
        }
        PatternItem::List(Pattern { items }) => {
            items.iter().fold(Polynomial::default(), |sum, item| {
                let one = match item {
                    PatternItem::Rest(_) => Polynomial::default(),
                    _ => Polynomial::number(1),
                };
                sum.plus(&pattern_content(known, item)).plus(&one)
            })
        }
    }
}

/// What an update does to the measures; `None` where that cannot be said.
fn hit(known: &mut Known, rule: &MoveRule, update: &Update) -> Option<Hit> {
    match update {
        Update::Place { place, change } => {
            let old = old_number(known, rule, place);
            let growth = match change {
                Change::Decrease(by) => Polynomial::default().minus(&known.value(by)),
                Change::Increase(by) => known.value(by),
                Change::Set(to) => known.value(to).minus(&old),
            };
            let number = old.plus(&growth);
            known.learn(number.clone());
            Some(Hit {
                place: Some(place_number(known, place)),
                growth,
                number: Some(number),
                removed: false,
            })
        }
        Update::Remove(place) => {
            let old = old_number(known, rule, place);
            Some(Hit {
                place: None,
                growth: Polynomial::default().minus(&old),
                number: None,
                removed: true,
            })
        }
        Update::Every(change) => many(known, Atom::RowLength, change),
        Update::Some { change, .. } => many(known, Atom::Places, change),
    }
}

/// The same change in as many places as an atom says, at least one.
fn many(known: &mut Known, places: Atom, change: &Change) -> Option<Hit> {
    let places = known.atom(places);
    known.learn(places.minus(&Polynomial::number(1)));
    let growth = match change {
        Change::Decrease(by) => Polynomial::default().minus(&known.value(by)),
        Change::Increase(by) => known.value(by),
        Change::Set(_) => return None,
    };
    Some(Hit {
        place: None,
        growth: growth.times(&places),
        number: None,
        removed: false,
    })
}

fn place_number(known: &mut Known, place: &Place) -> Polynomial {
    match place {
        Place::Index(index) => known.value(index),
        Place::First => Polynomial::number(1),
        Place::Last => known.atom(Atom::RowLength),
    }
}

/// The number that stood at a place.
fn old_number(known: &mut Known, rule: &MoveRule, place: &Place) -> Polynomial {
    let term = match place {
        Place::First => Expr::End(RowEnd::First),
        Place::Last => Expr::End(RowEnd::Last),
        Place::Index(index) => {
            let names = &rule.scope.names;
            match names.iter().position(|name| name.role == Role::Row) {
                Some(row) => Expr::Index(Variable(row), Box::new(index.clone())),
                // No condition speaks of it, so any name will do.
                None => return known.atom(Atom::Old(index.clone())),
            }
        }
    };
    known.value(&term)
}

impl Step<'_> {
    /// By how much a measure gets smaller; `None` where the measure has no meaning.
    fn decrease(&mut self, measure: Measure) -> Option<Polynomial> {
        let known = &mut self.known;
        match &self.transition {
            Transition::Made(sources, results) => {
                let mut before = Polynomial::default();
                for pieces in sources {
                    before = before.plus(&value(known, measure, pieces)?);
                }
                let mut after = Polynomial::default();
                for (count, pieces) in results {
                    let one = value(known, measure, pieces)?;
                    after = after.plus(&count.times(&one));
                }
                Some(before.minus(&after))
            }
            Transition::Updated(hits, length) => {
                let mut growth = Polynomial::default();
                for hit in hits {
                    growth = growth.plus(&match measure {
                        Measure::Sum | Measure::Total => hit.growth.clone(),
                        Measure::Size => {
                            let removed = Polynomial::number(i32::from(hit.removed));
                            hit.growth.minus(&removed)
                        }
                        Measure::FromLeft => hit.growth.times(hit.place.as_ref()?),
                        Measure::FromRight => {
                            let place = length.plus(&Polynomial::number(1));
                            hit.growth.times(&place.minus(hit.place.as_ref()?))
                        }
                        Measure::Components => Polynomial::default(),
                        Measure::Room => Polynomial::default().minus(&hit.growth),
                        Measure::Coordinate(_)
                        | Measure::Difference(..)
                        | Measure::Distance(_)
                        | Measure::Largest => return None,
                    });
                }
                Some(Polynomial::default().minus(&growth))
            }
        }
    }

    /// Whether each number that the step makes is lower by so much than one there was before.
    fn lowers_all_numbers(&self, by: i32) -> bool {
        let Transition::Made(sources, results) = &self.transition else {
            return false;
        };
        // Without a number there is no largest one.
        let is_number = |piece: &Piece| matches!(piece, Piece::One(_));
        if !sources.iter().flatten().any(is_number) {
            return false;
        }
        let by = Polynomial::number(by);
        let is_lower = |new: &Piece, old: &Piece| match (new, old) {
            (Piece::One(new), Piece::One(old)) => self.known.implies(&old.minus(new).minus(&by)),
            (Piece::Run(new), Piece::Run(old)) => new == old && by == Polynomial::default(),
            _ => false,
        };
        let new = results.iter().flat_map(|(_, pieces)| pieces);
        new.into_iter()
            .all(|new| sources.iter().flatten().any(|old| is_lower(new, old)))
    }

    /// Whether the step adds no number, and writes only old ones or such with a constant bound:
    /// then all numbers stay bounded as long as only such steps are taken.
    fn writes_bounded_numbers(&mut self) -> bool {
        let negative = |p: &Polynomial| Polynomial::default().minus(p);
        match &self.transition {
            Transition::Updated(hits, _) => hits.iter().all(|hit| {
                let number = hit.number.as_ref();
                number.is_some_and(|number| self.known.bounds_below(&negative(number)))
            }),
            Transition::Made(sources, results) => {
                let (Some(old), Some((_, new))) = (sources.first(), results.first()) else {
                    return true;
                };
                let is_run = |piece: &&Piece| matches!(piece, Piece::Run(_));
                let runs_only_kept = new.iter().filter(is_run).all(|run| {
                    let count = |pieces: &[Piece]| pieces.iter().filter(|p| *p == run).count();
                    count(new) <= count(old)
                });
                new.len() <= old.len()
                    && runs_only_kept
                    && new.iter().all(|piece| match piece {
                        Piece::Run(_) => true,
                        Piece::One(number) => {
                            old.contains(piece) || self.known.bounds_below(&negative(number))
                        }
                    })
            }
        }
    }

    /// Whether a measure cannot fall below some number where this step is taken.
    fn has_least(&mut self, measure: Measure) -> bool {
        let (Measure::Difference(..) | Measure::Distance(_)) = measure else {
            return true;
        };
        let Transition::Made(sources, _) = &self.transition else {
            return false;
        };
        let value = sources
            .first()
            .and_then(|pieces| value(&mut self.known, measure, pieces));
        value.is_some_and(|value| self.known.bounds_below(&value))
    }
}

/// What a measure is of a component; `None` where it has no meaning.
fn value(known: &mut Known, measure: Measure, pieces: &[Piece]) -> Option<Polynomial> {
    let coordinate = |place: usize| {
        let before = pieces.get(..=place)?;
        let all_numbers = before.iter().all(|piece| matches!(piece, Piece::One(_)));
        match &pieces[place] {
            Piece::One(content) if all_numbers => Some(content.clone()),
            _ => None,
        }
    };
    match measure {
        Measure::Coordinate(place) => coordinate(place),
        Measure::Difference(low, high) => Some(coordinate(high)?.minus(&coordinate(low)?)),
        Measure::Distance(place) => Some(Polynomial::default().minus(&coordinate(place)?)),
        Measure::Components => Some(Polynomial::number(1)),
        Measure::Room => {
            let sum = value(known, Measure::Sum, pieces)?;
            Some(Polynomial::default().minus(&sum))
        }
        Measure::Largest => None,
        Measure::Sum | Measure::Total | Measure::Size => {
            let each = Polynomial::number(i32::from(measure == Measure::Size));
            Some(pieces.iter().fold(Polynomial::default(), |sum, piece| {
                sum.plus(&match piece {
                    Piece::One(content) => content.plus(&each),
                    Piece::Run(run) => {
                        let length = known.atom(Atom::Length(*run)).times(&each);
                        known.atom(Atom::Sum(*run)).plus(&length)
                    }
                })
            }))
        }
        Measure::FromLeft => Some(weight(known, pieces.iter(), Atom::FromLeft)),
        Measure::FromRight => Some(weight(known, pieces.iter().rev(), Atom::FromRight)),
    }
}

/// The sum of all numbers, each times its place in this direction.
fn weight<'p>(
    known: &mut Known,
    pieces: impl Iterator<Item = &'p Piece>,
    of_run: fn(Variable) -> Atom,
) -> Polynomial {
    let mut sum = Polynomial::default();
    let mut before = Polynomial::default();
    for piece in pieces {
        match piece {
            Piece::One(content) => {
                before = before.plus(&Polynomial::number(1));
                sum = sum.plus(&content.times(&before));
            }
            Piece::Run(run) => {
                let shifted = known.atom(Atom::Sum(*run)).times(&before);
                sum = sum.plus(&shifted).plus(&known.atom(of_run(*run)));
                before = before.plus(&known.atom(Atom::Length(*run)));
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rules: &str) -> Option<Vec<Measure>> {
        measures(&grundy_rules::parse(rules).expect("the rules are well written"))
    }

    #[test]
    fn rules_that_allow_endless_play_have_no_measure() {
        for rules in [
            "[n] -> [n]",
            "[n] -> [n+1]",
            "[n] -> [n-k] where k >= 0",
            "[n] -> [n] + [n-1]",
            "[n] -> [n-1]; [n] -> [n+1] where n < 5",
            "[x, y] -> [y, x]",
            "[x, y] -> [y-1, x+1]",
            "[x, y] -> [x-1, y+1] | [x+1, y-1]",
            "[n] -> [n/2]",
            "[n] -> [max(n-1, 0)]",
            "[n] -> 2 of [n]",
            "[n] -> [n*k] where 1 <= k <= 3, n < 9",
            "[r..] -> [r..]",
            "[r..] -> []",
            "row a; a[i] -= k, a[j] += k where i >= 1, j >= 1, k >= 1",
            "row a; every a -= k where k >= 0",
            "row a, ring; a[i] -= 1, a[i+1] += 1 where i >= 1",
            "[x] + [y] -> [x+1] + [y-1]",
            "row t; [c] -> [d] where c -> d; [0] -> [[0]]",
        ] {
            assert_eq!(of(rules), None, "{rules}");
        }
    }

    #[test]
    fn measures_decrease_in_order_of_importance() {
        use Measure::{
            Components, Coordinate, Difference, Distance, FromLeft, FromRight, Largest, Room, Size,
            Sum, Total,
        };
        for (rules, measures) in [
            ("[n] -> [a] + [n-a] where 1 <= a < n", vec![Sum]),
            ("[n] -> [n-k] where k = 1 or k in primes", vec![Sum]),
            ("[n] -> [max(n-3, 0)] where n >= 1", vec![Sum]),
            ("[x, y] -> [x-k*y, y] where k >= 1, y >= 1", vec![Sum]),
            ("[n] -> [n/2] where n >= 1", vec![Sum]),
            ("[x, y] -> [x-1, y+z] where z <= x", vec![Coordinate(0)]),
            ("[x, y] -> [x, y-1] | [x-1, 9]", vec![Coordinate(0), Sum]),
            ("row a; [l.., 0, r..] -> [l.., r..]", vec![Size]),
            (
                "unordered; [x, y] -> [a, x-a] where 1 <= a < x",
                vec![Largest],
            ),
            (
                "row a; a[i] -= k, a[i-1] += k where i >= 2, k >= 1",
                vec![FromLeft],
            ),
            (
                "row a; [l.., 1, 0, r..] -> [l.., 0, 1, r..]",
                vec![FromRight],
            ),
            (
                "[x, y] -> [x+k, y] where 1 <= k < y-x",
                vec![Difference(0, 1)],
            ),
            ("[n] -> [n+k] where k >= 1, n+k <= 9", vec![Distance(0)]),
            ("row a; [l.., 0, r..] -> [l.., 1, r..]", vec![Room]),
            ("[n] -> [n-1]; [x] + [y] -> [x+y]", vec![Total, Components]),
            (
                "row t; [l.., c, r..] -> [l.., d, r..] where c -> d",
                vec![Size],
            ),
        ] {
            assert_eq!(of(rules), Some(measures), "{rules}");
        }
    }
}
