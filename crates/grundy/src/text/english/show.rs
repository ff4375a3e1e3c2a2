//! What the rules of a game say, in sentences.

use grundy_rules::ruleset::{
    Alternative, BinaryOp, Change, Compound, Empties, EndingResult, Expr, Guard, MoveRule,
    PatternItem, Play, Player, ResultTerm, RowOrder, Scope, TemplateItem, Update, Variable,
};
use grundy_rules::{Component, Limit, Position, Ruleset};

use super::conditions::checks;
use crate::show::{Beyond, Ends, Facts, MOST_STUCK, Measure, Reach, Tried, Way};

/// The facts about a ruleset as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The name and the title.
    pub heading: String,
    /// The parameters with their values.
    pub parameters: Vec<String>,
    /// The rules, a sentence each.
    pub rules: Vec<String>,
    /// What else is so, a sentence or two each.
    pub facts: Vec<String>,
    /// How much can be proved of each rule.
    pub reach: Vec<String>,
    /// What the theory asks of a game, and what follows.
    pub checks: Vec<String>,
}

/// The rules and the facts about them, said back.
pub fn shown(ruleset: &Ruleset, facts: &Facts) -> Shown {
    let parameters = ruleset.parameters.iter();
    let heading = match &ruleset.title {
        Some(title) => format!("{}: {title}", ruleset.name),
        None => ruleset.name.clone(),
    };
    Shown {
        heading,
        parameters: parameters
            .map(|parameter| format!("{} = {}", parameter.name, parameter.value))
            .collect(),
        rules: facts.ways.iter().map(|way| a_way(ruleset, way)).collect(),
        facts: sentences(ruleset, facts),
        reach: reach(ruleset, &facts.reach),
        checks: checks(ruleset, facts),
    }
}

/// One alternative of a rule as a sentence with its binder.
fn a_way(ruleset: &Ruleset, way: &Way) -> String {
    let rule = &ruleset.moves[way.rule];
    let whose = match rule.player {
        None => "",
        Some(Player::Left) => "left only, ",
        Some(Player::Right) => "right only, ",
    };
    let mut sentence = format!("{}: {whose}", rule.label);
    if !way.conditions.is_empty() {
        sentence += "if ";
        sentence += &conditions(ruleset, &way.conditions, &rule.scope);
        sentence += ", ";
    }
    sentence += &action(ruleset, rule, &rule.alternatives[way.alternative]);
    if !way.choices.is_empty() {
        sentence += ", for every ";
        sentence += &names(&way.choices, &rule.scope);
        if !way.bounds.is_empty() {
            sentence += " with ";
            sentence += &conditions(ruleset, &way.bounds, &rule.scope);
        }
    }
    if !way.witnesses.is_empty() {
        sentence += ", provided that for some ";
        sentence += &names(&way.witnesses, &rule.scope);
        sentence += ": ";
        sentence += &conditions(ruleset, &way.witnessed, &rule.scope);
    }
    sentence + "."
}

/// Conditions in a row; comparisons that go on where the one before ends are chained.
fn conditions(ruleset: &Ruleset, guards: &[Guard], scope: &Scope) -> String {
    let mut text = String::new();
    let mut end: Option<&Expr> = None;
    for (index, guard) in guards.iter().enumerate() {
        let whole = ruleset.guard_text(guard, scope);
        let whole = if matches!(guard, Guard::Any(_)) && guards.len() > 1 {
            format!("({whole})")
        } else {
            whole
        };
        match guard {
            Guard::Compare(_, left, _) if end == Some(left) => {
                let left = ruleset.expr_text(left, scope);
                text += whole.strip_prefix(&left).unwrap_or(&whole);
            }
            _ => {
                if index > 0 {
                    text += ", ";
                }
                text += &whole;
            }
        }
        end = match guard {
            Guard::Compare(_, _, right) => Some(right),
            _ => None,
        };
    }
    text
}

fn names(variables: &[Variable], scope: &Scope) -> String {
    let names: Vec<&str> = variables
        .iter()
        .map(|variable| scope.names[variable.0].name.as_str())
        .collect();
    listed(&names)
}

/// `a`, `a and b`, `a, b and c`.
fn listed<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

fn action(ruleset: &Ruleset, rule: &MoveRule, alternative: &Alternative) -> String {
    match alternative {
        Alternative::Updates(updates) => {
            let updates: Vec<String> = updates
                .iter()
                .map(|update| an_update(ruleset, update, &rule.scope))
                .collect();
            listed(&updates)
        }
        Alternative::Sum(terms) => {
            heap_action(ruleset, rule, terms).unwrap_or_else(|| sum_action(ruleset, rule, terms))
        }
    }
}

/// What becomes of a heap, where rule and result speak of heaps only.
fn heap_action(ruleset: &Ruleset, rule: &MoveRule, terms: &[ResultTerm]) -> Option<String> {
    let [pattern] = rule.patterns.as_slice() else {
        return None;
    };
    if ruleset.row.is_some() {
        return None;
    }
    let (heap, variable) = match pattern.items.as_slice() {
        [PatternItem::Variable(variable)] => (
            rule.scope.names[variable.0].name.clone(),
            Some(Expr::Variable(*variable)),
        ),
        [PatternItem::Number(n)] => (n.to_string(), None),
        _ => return None,
    };
    let mut parts = Vec::with_capacity(terms.len());
    for term in terms {
        let ResultTerm::Component(template) = term else {
            return None;
        };
        let [TemplateItem::Expr(part)] = template.items.as_slice() else {
            return None;
        };
        parts.push(part);
    }
    let text = |expr: &Expr| ruleset.expr_text(expr, &rule.scope);
    Some(match parts.as_slice() {
        [] => format!("a heap of {heap} is removed"),
        [Expr::Binary(BinaryOp::Subtract, left, taken)] if Some(&**left) == variable.as_ref() => {
            format!("from a heap of {heap} take {}", text(taken))
        }
        [one] => format!("a heap of {heap} becomes a heap of {}", text(one)),
        several => {
            let several: Vec<String> = several.iter().map(|part| text(part)).collect();
            format!("a heap of {heap} becomes heaps of {}", listed(&several))
        }
    })
}

fn sum_action(ruleset: &Ruleset, rule: &MoveRule, terms: &[ResultTerm]) -> String {
    let patterns: Vec<String> = rule
        .patterns
        .iter()
        .map(|pattern| ruleset.pattern_text(pattern, &rule.scope))
        .collect();
    let (taken, verb, removed) = match patterns.as_slice() {
        [one] => (one.clone(), "becomes", "is removed"),
        _ => (
            format!("{} together", listed(&patterns)),
            "become",
            "are removed",
        ),
    };
    if terms.is_empty() {
        return format!("{taken} {removed}");
    }
    let terms: Vec<String> = terms
        .iter()
        .map(|term| ruleset.term_text(term, &rule.scope))
        .collect();
    format!("{taken} {verb} {}", terms.join(" + "))
}

fn an_update(ruleset: &Ruleset, update: &Update, scope: &Scope) -> String {
    let text = |expr: &Expr| ruleset.expr_text(expr, scope);
    let changed = |change: &Change, place: &str| match change {
        Change::Decrease(by) => format!("take {} from {place}", text(by)),
        Change::Increase(by) => format!("add {} to {place}", text(by)),
        Change::Set(to) => format!("set {place} to {}", text(to)),
    };
    match update {
        Update::Place { place, change } => changed(change, &ruleset.place_text(place, scope)),
        Update::Remove(place) => format!("remove {}", ruleset.place_text(place, scope)),
        Update::Every(change) => changed(change, "every place"),
        Update::Some {
            at_most: None,
            change,
        } => changed(change, "each of some places, at least one"),
        Update::Some {
            at_most: Some(most),
            change,
        } => changed(
            change,
            &format!(
                "each of some places, at least one and at most {}",
                text(most)
            ),
        ),
    }
}

fn sentences(ruleset: &Ruleset, facts: &Facts) -> Vec<String> {
    let mut sentences = vec![positions(ruleset)];
    sentences.extend(starts(ruleset));
    sentences.extend(row(ruleset));
    sentences.extend(memory(ruleset, facts));
    match &facts.tried {
        Ok(tried) => sentences.extend(small(ruleset, tried)),
        Err(limit) => sentences.push(format!(
            "What small positions show was not found out: {}.",
            match limit {
                Limit::Steps | Limit::Cancelled => "it took too long",
                Limit::Bytes => "it took too much memory",
            }
        )),
    }
    sentences.push(together(ruleset));
    sentences.extend(endings(ruleset));
    sentences.push(ends(ruleset, &facts.ends));
    sentences.push(players(ruleset));
    sentences
}

/// What positions are, and whether the order of their numbers counts.
fn positions(ruleset: &Ruleset) -> String {
    if let Some(row) = &ruleset.row {
        let what = if row.ring { "rings" } else { "rows" };
        let letters = match row.alphabet.as_slice() {
            [] => String::new(),
            letters => {
                let meanings: Vec<String> = letters
                    .iter()
                    .enumerate()
                    .map(|(number, letter)| format!("{letter} for {number}"))
                    .collect();
                format!(", written with {}", listed(&meanings))
            }
        };
        let order = if row.unordered {
            "; the order of its numbers does not count"
        } else if row.ring {
            "; where a ring begins does not count"
        } else {
            "; the order of its numbers counts"
        };
        return format!("A position is a sum of {what} of any length{letters}{order}.");
    }
    let lengths = grundy_rules::given::coordinates(ruleset);
    let lengths: Vec<usize> = lengths.into_iter().flatten().collect();
    match lengths.as_slice() {
        [] => "A position is a sum of lists of numbers of any length.".to_owned(),
        [1] => "A position is a sum of heaps.".to_owned(),
        lengths => {
            let counts: Vec<String> = lengths.iter().map(ToString::to_string).collect();
            let order = if ruleset.unordered {
                "the order of its numbers does not count: 3,5 and 5,3 are the same"
            } else {
                "the order of its numbers counts: 3,5 and 5,3 are different"
            };
            let numbers = counts.join(" or ");
            format!("A position is a sum of components of {numbers} numbers each; {order}.")
        }
    }
}

fn starts(ruleset: &Ruleset) -> Vec<String> {
    let starts = ruleset.starts.iter();
    starts
        .map(|start| {
            let given = ruleset.pattern_text(&start.pattern, &start.scope);
            let means = ruleset.template_text(&start.template, &start.scope);
            format!("A component given as {given} means {means}.")
        })
        .collect()
}

fn row(ruleset: &Ruleset) -> Vec<String> {
    let Some(row) = &ruleset.row else {
        return Vec::new();
    };
    let order = row.order.map(|order| match order {
        RowOrder::Increasing => "each number is larger than the one before it",
        RowOrder::Nondecreasing => "no number is smaller than the one before it",
        RowOrder::Nonincreasing => "no number is larger than the one before it",
    });
    let order = order.map(|order| format!("In a row {order}, before and after every move."));
    let empties = match row.empties {
        Empties::Stay => None,
        Empties::Vanish => Some("Places that hold 0 vanish, and their neighbours meet."),
        Empties::VanishAtEnds => Some("Places that hold 0 vanish while they stand at an end."),
    };
    order
        .into_iter()
        .chain(empties.map(str::to_owned))
        .collect()
}

fn memory(ruleset: &Ruleset, facts: &Facts) -> Vec<String> {
    let places = facts.memory.iter();
    places
        .map(|place| {
            let starts = ruleset.starts.iter().any(|start| {
                !start.has_rest()
                    && (start.pattern.items.len()..start.template.items.len()).contains(place)
            });
            let beginning = if starts {
                "where it is not given, it starts as said above"
            } else {
                "it has no starting value, and is part of every position"
            };
            format!(
                "Number {} of a component restricts the moves from it; {beginning}.",
                place + 1
            )
        })
        .collect()
}

/// Whether every component is a single number.
fn is_heaps(ruleset: &Ruleset) -> bool {
    let lengths = grundy_rules::given::coordinates(ruleset);
    lengths.is_some_and(|lengths| lengths.into_iter().eq([1]))
}

/// What small positions show: whether there are moves, and what becomes of parts and zeros.
fn small(ruleset: &Ruleset, tried: &Tried) -> Vec<String> {
    let mut sentences = Vec::new();
    if tried.components == 0 {
        return sentences;
    }
    let text = |component: &Component| {
        let text = ruleset.position_text(&Position(vec![component.clone()]));
        if text.is_empty() {
            "[]".to_owned()
        } else {
            text
        }
    };
    let of_all = if is_heaps(ruleset) {
        format!("Of the heaps 0 to {}", tried.upto)
    } else {
        format!("Of {} small components", tried.components)
    };
    match &tried.movable {
        None => sentences.push(format!("{of_all} none has a move.")),
        Some(first) if tried.stuck.is_empty() => {
            sentences.push(format!("{of_all} each has a move, even {}.", text(first)));
        }
        Some(first) => {
            let stuck: Vec<String> = tried.stuck.iter().map(text).collect();
            let which = match (stuck.as_slice(), tried.stuck_count) {
                ([only], 1) => format!("only {only} has no move"),
                (stuck, count) if count <= MOST_STUCK => {
                    format!("these have no move: {}", stuck.join("  "))
                }
                (stuck, count) => format!(
                    "{count} have no move, the smallest of them {}",
                    stuck.join("  ")
                ),
            };
            sentences.push(format!(
                "{of_all} {which}. The first move is from {}.",
                text(first)
            ));
        }
    }
    if let Some((zero, moves)) = &tried.zero {
        let moves = match moves {
            0 => "has no move".to_owned(),
            1 => "has one move".to_owned(),
            moves => format!("has {moves} moves"),
        };
        sentences.push(format!(
            "{} is a component of its own, not nothing; it {moves}.",
            text(zero)
        ));
    }
    let example = |example: &crate::show::Example| {
        let to: Vec<String> = example.to.0.iter().map(text).collect();
        let to = if to.is_empty() {
            "nothing".to_owned()
        } else {
            to.join(" + ")
        };
        format!("{} to {to}", text(&example.from))
    };
    match &tried.split {
        Some(split) => {
            sentences.push(format!(
                "A move can leave several components, as from {}. They are played on apart and never join.",
                example(split)
            ));
            let empty = match &tried.empty_part {
                Some(empty) => format!("Parts may be empty, as from {}.", example(empty)),
                None => "No part was empty after any of these moves.".to_owned(),
            };
            sentences.push(empty);
        }
        None => sentences.push("A component stays one component.".to_owned()),
    }
    if let Some(nothing) = &tried.nothing {
        sentences.push(format!(
            "A move can leave no component at all, as from {}.",
            example(nothing)
        ));
    }
    sentences
}

/// How components are played together, and who wins.
fn together(ruleset: &Ruleset) -> String {
    let joint = grundy_rules::moves::is_joint(ruleset);
    let turn = match &ruleset.compound {
        Compound::Disjunctive if joint => {
            "A move is made in one component, or in several at once where a rule takes several; \
             the game is that of the whole sum"
                .to_owned()
        }
        Compound::Disjunctive => "A move is made in exactly one component".to_owned(),
        Compound::Conjunctive => {
            "A move is made in every component at once, and play is over as soon as one has no move"
                .to_owned()
        }
        Compound::ConjunctiveContinued => {
            "A move is made at once in every component that has one".to_owned()
        }
        Compound::Selective { at_most: None, .. } => {
            "A move is made in any number of components at once, at least one".to_owned()
        }
        Compound::Selective {
            scope,
            at_most: Some(most),
        } => format!(
            "A move is made in up to {} components at once, at least one",
            ruleset.expr_text(most, scope)
        ),
    };
    let last = match ruleset.play {
        Play::Normal => "loses: normal play",
        Play::Misere => "wins: misère play",
    };
    format!("{turn}. The player who cannot move {last}.")
}

fn endings(ruleset: &Ruleset) -> Vec<String> {
    let endings = ruleset.endings.iter();
    endings
        .map(|ending| {
            let pattern = ruleset.pattern_text(&ending.pattern, &ending.scope);
            let result = match ending.result {
                EndingResult::Lost => "the player to move has lost",
                EndingResult::Won => "the player to move has won",
                EndingResult::Draw => "it is a draw",
            };
            let guard = ruleset.guard_text(&ending.guard, &ending.scope);
            let condition = if guard.is_empty() {
                String::new()
            } else {
                format!(" with {guard}")
            };
            format!("As soon as a component is {pattern}{condition}, play stops and {result}.")
        })
        .collect()
}

fn ends(ruleset: &Ruleset, ends: &Ends) -> String {
    match ends {
        Ends::Always(measures) if measures.is_empty() => {
            "Every play ends: no move leaves a component.".to_owned()
        }
        Ends::Always(measures) => {
            let whole = matches!(measures[0], Measure::Total | Measure::Components);
            let mut sentence = if whole {
                "Every play ends: a move always leaves "
            } else {
                "Every play ends: what a move makes of a component always has "
            }
            .to_owned();
            for (place, one) in measures.iter().enumerate() {
                if place > 0 {
                    sentence += ", or the same and ";
                }
                sentence += &measure(*one);
            }
            sentence + "."
        }
        Ends::Cycle(cycle) => {
            let texts: Vec<String> = cycle
                .iter()
                .map(|position| ruleset.position_text(position))
                .collect();
            match texts.as_slice() {
                [pass] => format!("A play can go on for ever: a move from {pass} changes nothing."),
                _ => format!(
                    "A play can go on for ever: {} and back again.",
                    texts.join(" to ")
                ),
            }
        }
        Ends::NotShown => {
            "That every play ends was not shown; small positions lead to no repetition.".to_owned()
        }
    }
}

/// A measure that got smaller.
fn measure(measure: Measure) -> String {
    match measure {
        Measure::Sum => "a smaller sum of numbers".to_owned(),
        Measure::Size => "a smaller sum of numbers, each counted one larger".to_owned(),
        Measure::FromLeft => {
            "a smaller sum of numbers, each times its place from the left".to_owned()
        }
        Measure::FromRight => {
            "a smaller sum of numbers, each times its place from the right".to_owned()
        }
        Measure::Coordinate(place) => format!("a smaller number {}", place + 1),
        Measure::Difference(low, high) => format!(
            "a smaller excess of number {} over number {}",
            high + 1,
            low + 1
        ),
        Measure::Distance(place) => format!("less room above number {}", place + 1),
        Measure::Largest => "a smaller largest number".to_owned(),
        Measure::Room => "less room above its numbers".to_owned(),
        Measure::Total => "a smaller sum of all numbers".to_owned(),
        Measure::Components => "fewer components".to_owned(),
    }
}

fn players(ruleset: &Ruleset) -> String {
    let partizan = ruleset.moves.iter().any(|rule| rule.player.is_some());
    let mut sentence = if partizan {
        "The two players have different moves: the game is not impartial".to_owned()
    } else {
        "Both players have the same moves: the game is impartial".to_owned()
    };
    for chance in &ruleset.chances {
        sentence += "; before each move chance draws ";
        sentence += &chance.name;
        sentence += " from ";
        sentence += &ruleset.set_text(&chance.values, &chance.scope);
    }
    if ruleset.draw_on_repetition {
        sentence += "; a play that does not end is a draw";
    }
    sentence + ". Every position has finitely many moves."
}

/// How much can be proved, rules with the same answer together.
fn reach(ruleset: &Ruleset, reach: &[Reach]) -> Vec<String> {
    let mut groups: Vec<(&Reach, Vec<&str>)> = Vec::new();
    for (rule, reach) in ruleset.moves.iter().zip(reach) {
        let label = rule.label.as_str();
        match groups.iter_mut().find(|(other, _)| *other == reach) {
            Some((_, labels)) if labels.contains(&label) => {}
            Some((_, labels)) => labels.push(label),
            None => groups.push((reach, vec![label])),
        }
    }
    groups
        .into_iter()
        .map(|(reach, labels)| {
            let how = match reach {
                Reach::AnyBase => {
                    "linear, so laws can be proved by automata in any base".to_owned()
                }
                Reach::Base(base) => {
                    format!(
                        "words in base {base}, so laws can be proved by automata in that base only"
                    )
                }
                Reach::Fibonacci => {
                    "Fibonacci numbers, so laws can be proved by automata over sums of them only"
                        .to_owned()
                }
                Reach::Tables(beyond) => {
                    let beyond: Vec<&str> = beyond.iter().map(|b| a_beyond(*b)).collect();
                    format!(
                        "{}: only tables, and theorems about this very game",
                        listed(&beyond)
                    )
                }
            };
            format!("{}: {how}.", labels.join(", "))
        })
        .collect()
}

fn a_beyond(beyond: Beyond) -> &'static str {
    match beyond {
        Beyond::Lists => "rows of any length",
        Beyond::Product => "a product of two unknown numbers",
        Beyond::Quotient => "a quotient or remainder by an unknown number",
        Beyond::Power => "a power or shift by an unknown number",
        Beyond::Divisor => "divisibility by an unknown number",
        Beyond::Gcd => "greatest common divisors",
        Beyond::Root => "square roots",
        Beyond::Omega => "numbers of prime factors",
        Beyond::Popcount => "numbers of binary ones",
        Beyond::Primes => "primes",
        Beyond::Squares => "squares",
        Beyond::Digits => "digits",
        Beyond::Quantifier => "a condition about some or every number of a range",
        Beyond::ManyParts => "an unknown number of parts",
        Beyond::NestedMove => "moves within moves",
        Beyond::TwoBases => "number systems that have no base in common",
    }
}
