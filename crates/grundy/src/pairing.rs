//! Pairing strategies: positions that are lost because every move has a reply that mirrors it.
//!
//! A *mirror* is a map of positions to themselves that undoes itself and takes moves to moves. Where each move of
//! a position that is its own mirror image leaves the mirrored move to be made, and after both the position is its own
//! mirror image again, the player to move never finds the other one without a reply. So where play ends,
//! such a position is lost in normal play, whatever its value and however large it is. That play ends is proved by
//! [`crate::show`]'s measures.
//!
//! Three mirrors are known here.
//!
//! **Sums**. The mirror exchanges equal components; a move in one is made in the other. So equal
//! components may be struck out in pairs of any sum of independent components (Tweedledum and Tweedledee).
//!
//! **Rows** ([`Mirror::Row`]). Let each rule rewrite a word of neighbouring cells, from a finite alphabet, as a word of
//! the same length, wherever it stands. The mirror reverses the row and exchanges letters; the rules must be closed
//! under that. A move whose word lies in one half leaves its mirror image to be made. So it suffices that in every
//! symmetric row that can arise each other move, whose word and its image overlap, leaves some move at the image that makes the row
//! symmetric again. With w the length of the longest word, such words lie in the middle 2w cells (2w + 1 where one is in
//! the middle), and what can stand there is found by applying to w cells of one half, in every way, all rules that
//! touch them, as if every cell beyond them fitted, and those moves with their replies: finitely many words, which hold
//! all that arise.
//!
//! *Boards.* The letters of a row may be the columns of a board, each written as the binary number of the cells that are
//! taken in it. To read the binary digits backwards turns a column upside down, so that a row which is reversed with that exchange
//! is the board turned half around. On a board of Cram of even height and width no domino touches its own image, and
//! so the empty board is lost (Gardner 1974, *Scientific American*: Cram, Crosscram and Quadraphage). If one side alone is even, the domino
//! on the two middle cells is its own image; once it lies there no other one is, and so the board is won.
//! Where both sides are odd the middle cell has no image, and mirrors tell nothing.
//!
//! **Rings** ([`Mirror::Ring`]). The same rules in a ring; the mirror moves each cell half around. In an even ring of
//! at least 2w cells no word reaches its own image.

use std::collections::{BTreeMap, BTreeSet};

use grundy_rules::moves::{ComponentChange, Move};
use grundy_rules::options::options;
use grundy_rules::ruleset::{
    Alternative, BinaryOp, Comparison, Empties, Expr, Guard, PatternItem, Play, ResultTerm, Role,
    Row, TemplateItem, Variable,
};
use grundy_rules::{Budget, Component, Item, Limit, Meter, Position, Ruleset};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::answer::as_move;
use crate::answer::few::options_to;
use crate::oracle::{has_independent_components, unsolved_clause};
use crate::outcome::{Evidence, Outcome};
use crate::show::measures;

/// The mirrors of one game.
#[derive(Debug)]
pub struct Pairing<'g> {
    ruleset: &'g Ruleset,
    words: Option<Words>,
}

/// By which mirror a single component is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// A row is reversed, and each letter becomes the one at its place in this list.
    Row(Vec<usize>),
    /// Each cell of a ring changes places with the one half around.
    Ring,
}

/// The middle of a symmetric row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Middle {
    /// The cells left of it.
    left: Vec<usize>,
    /// The cell in it, of a row of odd length.
    cell: Option<usize>,
}

/// Rules that rewrite words of neighbouring cells.
#[derive(Debug)]
struct Words {
    /// How many letters there are.
    letters: usize,
    /// Words and what may become of them, of equal lengths.
    rewrites: BTreeSet<(Vec<usize>, Vec<usize>)>,
    /// The length of the longest.
    longest: usize,
    is_ring: bool,
    /// The exchanges of letters with which a row may be reversed.
    exchanges: Vec<Vec<usize>>,
}

/// The most words of one length that are looked at.
const MOST_WORDS: usize = 1 << 12;
/// The most letters.
const MOST_LETTERS: usize = 16;
/// The most letters all exchanges of which are tried.
const FEW_LETTERS: usize = 6;
/// What looking for options may cost.
const MOST_STEPS: u64 = 1 << 16;
/// The most options of which each is looked at.
const MOST_OPTIONS: usize = 64;

const CITATION: &str =
    "Berlekamp, Conway and Guy 1982, Winning Ways, chapter 1: a reply that mirrors each move";

impl<'g> Pairing<'g> {
    /// The mirrors of a game of independent components in normal play, in which every play ends by one of the
    /// known measures; `None` for any other.
    pub fn of(ruleset: &'g Ruleset) -> Option<Self> {
        let is_plain = unsolved_clause(ruleset).is_none()
            && has_independent_components(ruleset).is_ok()
            && ruleset.play == Play::Normal;
        if !is_plain {
            return None;
        }
        let words = Words::of(ruleset);
        let ends = words.as_ref().is_some_and(Words::end) || measures(ruleset).is_some();
        ends.then_some(Self { ruleset, words })
    }

    /// How it is known.
    pub fn evidence(&self) -> Evidence {
        Evidence::Published {
            citation: CITATION.to_owned(),
        }
    }

    /// Whether it is known so, and by nothing else.
    pub fn is_evidence(evidence: &Evidence) -> bool {
        matches!(evidence, Evidence::Published { citation } if citation == CITATION)
    }

    /// The components that have no equal partner and are not lost by a mirror of their own, by their
    /// places: the others change nothing in who wins.
    pub fn left(&self, position: &Position) -> Vec<usize> {
        let mut left = self.alone(position);
        left.retain(|index| self.mirror(&position.0[*index]).is_none());
        left
    }

    /// The components that have no equal partner, by their places.
    pub fn alone(&self, position: &Position) -> Vec<usize> {
        let mut open: BTreeMap<&Component, usize> = BTreeMap::new();
        for (index, component) in position.0.iter().enumerate() {
            if open.remove(component).is_none() {
                open.insert(component, index);
            }
        }
        let mut alone: Vec<usize> = open.into_values().collect();
        alone.sort_unstable();
        alone
    }

    /// The mirror by which a single component is lost.
    pub fn mirror(&self, component: &Component) -> Option<Mirror> {
        self.words.as_ref()?.mirror(component)
    }

    /// Whether a position is lost by mirrors alone.
    pub fn is_lost(&self, position: &Position) -> bool {
        self.left(position).is_empty()
    }

    /// The outcome of a position, where mirrors tell it: it is lost by them, or a move makes it so, or the only component
    /// without a partner has few options, all of which some move makes lost.
    pub fn outcome(
        &self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Option<Outcome>, Limit> {
        let left = self.left(position);
        match left.as_slice() {
            [] => Ok(Some(Outcome::P)),
            [index] => {
                let component = &position.0[*index];
                if !self.halvings(component, meter)?.is_empty() {
                    return Ok(Some(Outcome::N));
                }
                let Some(all) = self.few_options(component, meter)? else {
                    return Ok(None);
                };
                let mut lost = all.len() <= MOST_OPTIONS;
                for option in all {
                    let left = self.left(&option);
                    match left.as_slice() {
                        [] => return Ok(Some(Outcome::N)),
                        [index] if lost => {
                            lost = !self.halvings(&option.0[*index], meter)?.is_empty();
                        }
                        _ => lost = false,
                    }
                }
                Ok(lost.then_some(Outcome::P))
            }
            _ => Ok(None),
        }
    }

    /// Moves of a position to positions that are lost by mirrors; there may be other winning moves.
    pub fn winning_moves(
        &self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Vec<Move>, Limit> {
        let left = self.left(position);
        let [index] = left.as_slice() else {
            return Ok(Vec::new());
        };
        let component = &position.0[*index];
        let mut found = self.halvings(component, meter)?;
        if found.is_empty() {
            let (all, _) =
                meter.capped(MOST_STEPS, |meter| options(self.ruleset, component, meter));
            let all = all.unwrap_or_default().into_iter();
            found.extend(all.filter(|option| self.is_lost(&Position(option.result.clone()))));
        }
        let moves = found.into_iter();
        Ok(moves
            .map(|option| as_move(self.ruleset, *index, component, option))
            .collect())
    }

    /// The options of a component as positions, if they are few.
    fn few_options(
        &self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Position>>, Limit> {
        let (all, _) = meter.capped(MOST_STEPS, |meter| options(self.ruleset, component, meter));
        match all {
            Ok(all) => Ok(Some(all.into_iter().map(|o| Position(o.result)).collect())),
            Err(Limit::Cancelled) => Err(Limit::Cancelled),
            Err(_) => Ok(None),
        }
    }

    /// The options that are two equal components, as far as the rules write two and say so by linear arithmetic.
    fn halvings(
        &self,
        component: &Component,
        meter: &mut Meter,
    ) -> Result<Vec<grundy_rules::options::RuleOption>, Limit> {
        let mut found = Vec::new();
        for (index, rule) in self.ruleset.moves.iter().enumerate() {
            for alternative in &rule.alternatives {
                let Alternative::Sum(terms) = alternative else {
                    continue;
                };
                let [ResultTerm::Component(first), ResultTerm::Component(second)] =
                    terms.as_slice()
                else {
                    continue;
                };
                let pairs = first.items.iter().zip(&second.items);
                let equal: Option<Vec<Guard>> = pairs
                    .map(|pair| match pair {
                        (TemplateItem::Expr(a), TemplateItem::Expr(b)) => equal(&rule.scope, a, b),
                        _ => None,
                    })
                    .collect();
                let Some(equal) = equal.filter(|_| first.items.len() == second.items.len()) else {
                    continue;
                };
                let mut only = self.ruleset.clone();
                only.expectations.clear();
                only.claims.clear();
                let mut narrowed = rule.clone();
                narrowed.alternatives = vec![alternative.clone()];
                let mut all = equal;
                match std::mem::replace(&mut narrowed.guard, Guard::All(Vec::new())) {
                    Guard::All(guards) => all.extend(guards),
                    guard => all.push(guard),
                }
                narrowed.guard = Guard::All(all);
                only.moves = vec![narrowed];
                let (options, _) =
                    meter.capped(MOST_STEPS, |meter| options(&only, component, meter));
                match options {
                    Ok(options) => found.extend(options.into_iter().filter_map(|mut option| {
                        option.rule = index;
                        let [a, b] = option.result.as_slice() else {
                            return None;
                        };
                        (a == b).then_some(option)
                    })),
                    Err(Limit::Cancelled) => return Err(Limit::Cancelled),
                    Err(_) => {}
                }
            }
        }
        Ok(found)
    }

    /// The reply that mirrors a move of a position that is lost by mirrors; `None` for any other position.
    ///
    /// The components of the reply are counted in the position before the move; where it changes the same component, its
    /// change is from what the move made of it.
    pub fn reply(
        &self,
        position: &Position,
        next: &Move,
        meter: &mut Meter,
    ) -> Result<Option<Move>, Limit> {
        let [change] = next.changes.as_slice() else {
            return Ok(None);
        };
        if !self.is_lost(position) {
            return Ok(None);
        }
        // Partners are equal components in order: the first and the second, the third and the fourth, …
        let equal: Vec<usize> = (0..position.0.len())
            .filter(|index| position.0[*index] == change.from)
            .collect();
        let place = equal.iter().position(|index| *index == change.component);
        let Some(place) = place else {
            return Ok(None);
        };
        if let Some(partner) = equal.get(place ^ 1) {
            return Ok(Some(Move {
                changes: vec![ComponentChange {
                    component: *partner,
                    from: change.from.clone(),
                    to: change.to.clone(),
                }],
                ..next.clone()
            }));
        }
        let (Some(words), [moved]) = (&self.words, change.to.as_slice()) else {
            return Ok(None);
        };
        // A ring may be written from another cell after a move.
        let reply = if words.is_ring {
            let mut all = options(self.ruleset, moved, meter)?.into_iter();
            all.find(|option| self.is_lost(&Position(option.result.clone())))
        } else {
            let targets = words.symmetric(&change.from, moved);
            let all = options_to(self.ruleset, moved, &targets, meter)?;
            all.into_iter().next()
        };
        Ok(reply.map(|option| as_move(self.ruleset, change.component, moved, option)))
    }
}

/// The condition that two linear expressions are equal, written with the first choice alone on one side, so that
/// bounds of it follow; `None` where they are not linear.
fn equal(scope: &grundy_rules::ruleset::Scope, a: &Expr, b: &Expr) -> Option<Guard> {
    let mut terms: BTreeMap<usize, BigInt> = BTreeMap::new();
    let mut constant = BigInt::zero();
    linear(a, &BigInt::one(), &mut terms, &mut constant)?;
    linear(b, &-BigInt::one(), &mut terms, &mut constant)?;
    terms.retain(|_, times| !times.is_zero());
    let choice = terms
        .keys()
        .copied()
        .find(|v| scope.names[*v].role == Role::Choice);
    let number = |n: BigInt| Box::new(Expr::Number(n));
    let times = |n: &BigInt, variable: usize| {
        let variable = Box::new(Expr::Variable(Variable(variable)));
        Expr::Binary(BinaryOp::Multiply, number(n.clone()), variable)
    };
    let (left, sign) = match choice {
        Some(choice) => {
            let factor = terms.remove(&choice)?;
            let sign = if factor.is_negative() {
                BigInt::one()
            } else {
                -BigInt::one()
            };
            (times(&factor.abs(), choice), sign)
        }
        None => (Expr::Number(BigInt::zero()), BigInt::one()),
    };
    let right = terms
        .iter()
        .fold(Expr::Number(constant * &sign), |sum, (variable, factor)| {
            let term = times(&(factor * &sign), *variable);
            Expr::Binary(BinaryOp::Add, Box::new(sum), Box::new(term))
        });
    Some(Guard::Compare(Comparison::Equal, left, right))
}

/// Adds `times` times a linear expression.
fn linear(
    expr: &Expr,
    times: &BigInt,
    terms: &mut BTreeMap<usize, BigInt>,
    constant: &mut BigInt,
) -> Option<()> {
    match expr {
        Expr::Number(n) => *constant += n * times,
        Expr::Variable(variable) => *terms.entry(variable.0).or_default() += times,
        Expr::Negate(inner) => linear(inner, &-times, terms, constant)?,
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            linear(left, times, terms, constant)?;
            let times = if *op == BinaryOp::Add {
                times.clone()
            } else {
                -times
            };
            linear(right, &times, terms, constant)?;
        }
        Expr::Binary(BinaryOp::Multiply, left, right) => match (&**left, &**right) {
            (Expr::Number(n), other) | (other, Expr::Number(n)) => {
                linear(other, &(n * times), terms, constant)?;
            }
            _ => return None,
        },
        _ => return None,
    }
    Some(())
}

impl Words {
    /// The rules as rewrites of words; `None` where they are not that.
    fn of(ruleset: &Ruleset) -> Option<Self> {
        let row: &Row = ruleset.row.as_ref()?;
        let letters = row.alphabet.len();
        let is_plain = row.order.is_none()
            && !row.unordered
            && row.empties == Empties::Stay
            && ruleset.starts.is_empty();
        if !is_plain || letters == 0 || letters > MOST_LETTERS {
            return None;
        }
        let mut rewrites = BTreeSet::new();
        let mut longest = 0;
        let mut meter = Meter::new(Budget::default());
        for (index, rule) in ruleset.moves.iter().enumerate() {
            let length = word_length(ruleset, index)?;
            longest = longest.max(length);
            let count = letters.checked_pow(u32::try_from(length).ok()?)?;
            if count > MOST_WORDS {
                return None;
            }
            // With no cell beside the word, and only in one direction: its rest variables are empty.
            let mut only = ruleset.clone();
            only.expectations.clear();
            only.claims.clear();
            only.moves = vec![rule.clone()];
            if let Some(row) = &mut only.row {
                row.ring = false;
            }
            for code in 0..count {
                let word = digits(code, letters, length);
                let component = Component::of_numbers(word.iter().copied());
                for option in options(&only, &component, &mut meter).ok()? {
                    let [result] = option.result.as_slice() else {
                        return None;
                    };
                    let written = cells(result, letters)?;
                    if written.len() != length {
                        return None;
                    }
                    rewrites.insert((word.clone(), written));
                }
            }
        }
        let mut words = Self {
            letters,
            rewrites,
            longest,
            is_ring: row.ring,
            exchanges: Vec::new(),
        };
        words.exchanges = words.exchanges();
        Some(words)
    }

    /// The exchanges of letters, each undoing itself, under which the reversed rules are the rules: of all if there
    /// are few letters, and otherwise of none and of turning columns upside down.
    fn exchanges(&self) -> Vec<Vec<usize>> {
        let none: Vec<usize> = (0..self.letters).collect();
        let mut all = vec![none.clone()];
        if self.letters <= FEW_LETTERS {
            for a in 0..self.letters {
                for index in 0..all.len() {
                    if all[index][a] != a {
                        continue;
                    }
                    for b in a + 1..self.letters {
                        if all[index][b] == b {
                            let mut longer = all[index].clone();
                            longer.swap(a, b);
                            all.push(longer);
                        }
                    }
                }
            }
        } else if self.letters.is_power_of_two() {
            let unused = usize::BITS - self.letters.trailing_zeros();
            let upside_down = |letter: &usize| letter.reverse_bits() >> unused;
            all.push(none.iter().map(upside_down).collect());
        }
        all.sort();
        all.dedup();
        all.retain(|exchange| {
            self.rewrites.iter().all(|(from, to)| {
                self.rewrites
                    .contains(&(reversed(from, exchange), reversed(to, exchange)))
            })
        });
        all
    }

    /// Whether every play ends because all rewrites raise the sum of letters, or all lower it.
    fn end(&self) -> bool {
        let sum = |word: &[usize]| word.iter().sum::<usize>();
        let all = |test: &dyn Fn(usize, usize) -> bool| {
            self.rewrites
                .iter()
                .all(|(from, to)| test(sum(from), sum(to)))
        };
        all(&|from, to| from < to) || all(&|from, to| from > to)
    }

    fn mirror(&self, component: &Component) -> Option<Mirror> {
        let row = cells(component, self.letters)?;
        if self.is_ring {
            let half = row.len() / 2;
            let is_even = row.len() % 2 == 0 && half >= self.longest && half > 0;
            return (is_even && row[..half] == row[half..]).then_some(Mirror::Ring);
        }
        let mut exchanges = self.exchanges.iter();
        let found = exchanges.find(|e| reversed(&row, e) == row && self.keeps_symmetric(&row, e));
        found.map(|exchange| Mirror::Row(exchange.clone()))
    }

    /// Whether in every symmetric row that arises from this one by pairs of moves each move that touches a cell and
    /// its mirror image, or cells on both sides, leaves a move at the mirrored place that makes the row symmetric again.
    fn keeps_symmetric(&self, row: &[usize], exchange: &[usize]) -> bool {
        let half = row.len() / 2;
        let inner = half.min(self.longest);
        let start = Middle {
            left: row[half - inner..half].to_vec(),
            cell: (row.len() % 2 == 1).then(|| row[half]),
        };
        let mut seen = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some(middle) = open.pop() {
            if seen.len() > MOST_WORDS {
                return false;
            }
            let Some(mut next) = self.replies_across(&middle, exchange) else {
                return false;
            };
            next.extend(self.beside(&middle, half - inner));
            for middle in next {
                if seen.insert(middle.clone()) {
                    open.push(middle);
                }
            }
        }
        true
    }

    /// What a word of the left half makes of the cells next to the middle; `outside` more cells are beyond them, in which
    /// anything may stand.
    fn beside(&self, middle: &Middle, outside: usize) -> Vec<Middle> {
        let mut all = Vec::new();
        for (from, to) in &self.rewrites {
            for end in 1..=middle.left.len() {
                let start = end.saturating_sub(from.len());
                let beyond = from.len() - (end - start);
                if beyond > outside || middle.left[start..end] != from[beyond..] {
                    continue;
                }
                let mut next = middle.clone();
                next.left[start..end].copy_from_slice(&to[beyond..]);
                all.push(next);
            }
        }
        all
    }

    /// What moves and replies at both sides of the middle, or in it, make of it; `None` if a move has no reply.
    fn replies_across(&self, middle: &Middle, exchange: &[usize]) -> Option<Vec<Middle>> {
        let mut core = middle.left.clone();
        core.extend(middle.cell);
        core.extend(reversed(&middle.left, exchange));
        let length = core.len();
        let half = middle.left.len();
        let mut all = Vec::new();
        for (from, to) in &self.rewrites {
            let w = from.len();
            for start in 0..(length + 1).saturating_sub(w) {
                let image = length - start - w;
                let is_apart = start + w <= image || image + w <= start;
                if is_apart || core[start..start + w] != from[..] {
                    continue;
                }
                let mut moved = core.clone();
                moved[start..start + w].copy_from_slice(to);
                let mut replies = self.rewrites.iter().filter_map(|(from, to)| {
                    if from.len() != w || moved[image..image + w] != from[..] {
                        return None;
                    }
                    let mut both = moved.clone();
                    both[image..image + w].copy_from_slice(to);
                    (reversed(&both, exchange) == both).then_some(both)
                });
                let both = replies.next()?;
                all.push(Middle {
                    left: both[..half].to_vec(),
                    cell: middle.cell.map(|_| both[half]),
                });
            }
        }
        Some(all)
    }

    /// The rows that are symmetric again after a move and a reply at the mirrored place, from the rows before and after
    /// the move.
    fn symmetric(&self, before: &Component, after: &Component) -> Vec<Component> {
        let Some(Mirror::Row(exchange)) = self.mirror(before) else {
            return Vec::new();
        };
        let Some((before, after)) = cells(before, self.letters).zip(cells(after, self.letters))
        else {
            return Vec::new();
        };
        let mut found = BTreeSet::new();
        for (from, to) in &self.rewrites {
            let w = from.len();
            for start in 0..(before.len() + 1).saturating_sub(w) {
                let mut moved = before.clone();
                moved[start..start + w].copy_from_slice(to);
                if before[start..start + w] != from[..] || moved != after {
                    continue;
                }
                let image = before.len() - start - w;
                for (from, to) in &self.rewrites {
                    if from.len() == w && after[image..image + w] == from[..] {
                        let mut both = after.clone();
                        both[image..image + w].copy_from_slice(to);
                        if reversed(&both, &exchange) == both {
                            found.insert(both);
                        }
                    }
                }
            }
        }
        found.into_iter().map(Component::of_numbers).collect()
    }
}

/// The word read backwards, with letters exchanged.
fn reversed(word: &[usize], exchange: &[usize]) -> Vec<usize> {
    word.iter().rev().map(|letter| exchange[*letter]).collect()
}

/// The digits of a number, the last one first.
fn digits(mut code: usize, base: usize, length: usize) -> Vec<usize> {
    let mut digits = vec![0; length];
    for digit in &mut digits {
        *digit = code % base;
        code /= base;
    }
    digits
}

/// The letters of a row; `None` if it holds anything else.
fn cells(component: &Component, letters: usize) -> Option<Vec<usize>> {
    let cell = |item: &Item| match item {
        Item::Number(n) => n.to_usize().filter(|letter| *letter < letters),
        Item::List(_) => None,
    };
    component.0.iter().map(cell).collect()
}

/// How many cells a rule rewrites: its pattern is a run, a word of fixed length and a run (in a ring a
/// word and a run), and its results are the same with another word.
fn word_length(ruleset: &Ruleset, index: usize) -> Option<usize> {
    let rule = &ruleset.moves[index];
    let [pattern] = rule.patterns.as_slice() else {
        return None;
    };
    let is_ring = ruleset.row.as_ref().is_some_and(|row| row.ring);
    let (left, word, right) = match pattern.items.as_slice() {
        [PatternItem::Rest(left), word @ .., PatternItem::Rest(right)] => {
            (Some(*left), word, *right)
        }
        [word @ .., PatternItem::Rest(right)] if is_ring => (None, word, *right),
        _ => return None,
    };
    let mut bound = BTreeSet::new();
    for item in word {
        match item {
            PatternItem::Variable(variable) => {
                bound.insert(*variable);
            }
            PatternItem::Number(_) => {}
            _ => return None,
        }
    }
    if word.is_empty() || !speaks_only_of(&rule.scope, &rule.guard, &bound) {
        return None;
    }
    for alternative in &rule.alternatives {
        let Alternative::Sum(terms) = alternative else {
            return None;
        };
        let [ResultTerm::Component(template)] = terms.as_slice() else {
            return None;
        };
        let mut items = template.items.as_slice();
        if let Some(left) = left {
            let [TemplateItem::Splice(first), rest @ ..] = items else {
                return None;
            };
            if *first != left {
                return None;
            }
            items = rest;
        }
        let [written @ .., TemplateItem::Splice(last)] = items else {
            return None;
        };
        let numbers = written.iter().all(|item| match item {
            TemplateItem::Expr(expr) => plain(&rule.scope, expr, &bound),
            _ => false,
        });
        if *last != right || written.len() != word.len() || !numbers {
            return None;
        }
    }
    Some(word.len())
}

/// Whether a condition speaks of the cells of the word, of choices and of parameters only.
fn speaks_only_of(
    scope: &grundy_rules::ruleset::Scope,
    guard: &Guard,
    bound: &BTreeSet<Variable>,
) -> bool {
    let mut only = true;
    guard.for_each_variable(&mut |variable| {
        let is_own = bound.contains(&variable)
            || matches!(
                scope.names[variable.0].role,
                Role::Choice | Role::Existential | Role::Bound | Role::Parameter(_)
            );
        only = only && is_own;
    });
    only && !has_ends(guard)
}

/// Whether a condition speaks of the end places of the row, or of nested moves.
fn has_ends(guard: &Guard) -> bool {
    match guard {
        Guard::All(guards) | Guard::Any(guards) => guards.iter().any(has_ends),
        Guard::Not(inner) => has_ends(inner),
        Guard::Compare(_, left, right) | Guard::Divides(left, right) => {
            has_end(left) || has_end(right)
        }
        Guard::Member { item, set, .. } => {
            has_end(item)
                || !matches!(set, grundy_rules::ruleset::Set::List(members) if !members.iter().any(has_end))
        }
        _ => true,
    }
}

/// Whether an expression is more than arithmetic of numbers and variables.
fn has_end(expr: &Expr) -> bool {
    match expr {
        Expr::Number(_) | Expr::Variable(_) => false,
        Expr::Negate(inner) => has_end(inner),
        Expr::Binary(_, left, right) => has_end(left) || has_end(right),
        Expr::Call(_, arguments) => arguments.iter().any(has_end),
        _ => true,
    }
}

/// Whether an expression is arithmetic of the cells of the word, of choices and of parameters.
fn plain(scope: &grundy_rules::ruleset::Scope, expr: &Expr, bound: &BTreeSet<Variable>) -> bool {
    let zero = Expr::Number(BigInt::zero());
    let guard = Guard::Compare(Comparison::Equal, expr.clone(), zero);
    speaks_only_of(scope, &guard, bound)
}
