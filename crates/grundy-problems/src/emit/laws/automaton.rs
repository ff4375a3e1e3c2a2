//! Laws that automata decide: who wins a component, or what it is worth, by the digits of its coordinates.

use grundy::answer::learn::{learn, learn_of};
use grundy::answer::{Knowledge as _, Lawful};
use grundy::discover::{Effort, Scope, scopes, search};
use grundy::outcome::Evidence;
use grundy_certificate::Law as Proved;
use grundy_certificate::automatic::{AutomatonLaw, Numeration, Order, Says};
use grundy_rules::{Meter, Ruleset};

use super::{Answer, Law};
use crate::emit::Grounds;
use crate::emit::program::{Expr, Term, Type};
use crate::emit::snippet::{functions, prelude};

/// How far heaps are looked at.
const FAR: u64 = 10_000;
/// What looking for a law may cost.
const LOOK: u64 = 1 << 26;
/// A longer table does not belong into a program.
const MOST_ENTRIES: usize = 5_000;

/// Who wins a component, and what it is worth, if an automaton is proved to tell it.
pub(super) fn law(rules: &Ruleset, grounds: &Grounds, meter: &mut Meter) -> Option<Law> {
    let [coordinates] = scopes(rules)[..] else {
        return None;
    };
    let scope = Scope {
        coordinates,
        components: 1,
    };
    let look = |meter: &mut Meter| match coordinates {
        1 => learn(rules, Some(FAR), false, grounds.shelf, meter),
        // Nobody waits for a program as for an answer.
        _ => learn_of(rules, scope, grounds.shelf, meter).or_else(|| {
            let mut automata = Effort::USUAL.meter(meter);
            let report = search(rules, scope, &Effort::USUAL, &mut automata, meter).ok()?;
            Lawful::proved(rules, &report.found?.proof.ok()?.theorem)
        }),
    };
    let (learned, _) = meter.capped(LOOK, look);
    let learned = learned?;
    let Some(Proved::Automaton(found)) = learned.law() else {
        return None;
    };
    let Evidence::Proved {
        theorem,
        certificate,
    } = learned.evidence()
    else {
        return None;
    };
    let automaton = &found.automaton;
    if found.arity != coordinates
        || automaton.table.len() > MOST_ENTRIES
        || rules.unordered && coordinates > 2
    {
        return None;
    }
    let word: String = rules
        .name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let lost = function(&word, rules.unordered, found)?;
    let value = value(&word, rules.unordered, found).unwrap_or_default();
    let functions = functions(&format!("{lost}\n{value}"), prelude(), &[]);
    let said = format!(
        "{}: an automaton of {} states that reads digits {} tells {} ({theorem}; certificate {certificate}).",
        rules.name,
        automaton.accepting.len(),
        numeration(found.numeration),
        if value.is_empty() {
            "who wins"
        } else {
            "values"
        }
    );
    let answer = |place: usize| {
        let function = functions.get(place)?;
        Some(Answer::Function(function.called.clone()))
    };
    let numbers = |entries: &mut dyn Iterator<Item = i64>| Expr {
        term: Term::List(entries.map(Expr::number).collect()),
        of: Type::list(Type::Number),
    };
    let accepting = automaton
        .accepting
        .iter()
        .map(|accepts| i64::from(*accepts));
    let mut tables = vec![
        (
            "next_state",
            numbers(&mut automaton.table.iter().map(|state| i64::from(*state))),
        ),
        ("accepting", numbers(&mut { accepting })),
    ];
    if found.order == Order::MostSignificantFirst || !value.is_empty() {
        tables.push(("places", numbers(&mut places(found.numeration).into_iter())));
    }
    let tables = tables.into_iter();
    Some(Law {
        about: vec![said],
        lost: answer(0),
        value: answer(1),
        functions,
        tables: tables
            .map(|(name, table)| (name.to_owned(), table.of.clone(), Some(table)))
            .collect(),
        ..Law::default()
    })
}

/// Walks through the automaton with every digit that the value may have, if it tells values.
///
/// No two values are right, so that a state from which the end can be reached is reached by one value only.
fn value(word: &str, unordered: bool, law: &AutomatonLaw) -> Option<String> {
    if matches!(law.says, Says::Lost { .. }) {
        return None;
    }
    let (names, rest) = coordinates(unordered, law.arity);
    let radix = law.numeration.radix();
    let typed: Vec<String> = names.iter().map(|name| format!("{name}: number")).collect();
    let (typed, rest) = (typed.join(", "), rest.join(", "));
    let (from, place, digit, left) = match law.order {
        Order::MostSignificantFirst => (
            "from the highest place down",
            "length(places) - 1 - step",
            "rest[track] / places[place]".to_owned(),
            "rest[track] mod places[place]".to_owned(),
        ),
        Order::LeastSignificantFirst => (
            "from the lowest place up",
            "step",
            format!("rest[track] mod {radix}"),
            format!("rest[track] / {radix}"),
        ),
    };
    // Digits of the value above this place are 0, so that the value fits.
    let most = i64::MAX / 2 / i64::from(radix);
    let found = match law.says {
        Says::PowerOfValue => {
            "      # It tells a power of 2.\n      let value = 0\n      while reached[state] shr value > 1 {\n        \
             set value = value + 1\n      }\n      return value\n"
        }
        _ => "      return reached[state]\n",
    };
    Some(format!(
        "# The value: the automaton reads the digits {from}, and those of the value with them. Of each state is kept by which \
         value so far it is reached, or -1; only one value leads to the end.\n\
         function {word}_value({typed}, next_state: list of number, accepting: list of number, places: list of number): number {{\n  \
         let rest = [{rest}]\n  let states = length(accepting)\n  let reached = filled(states, 0-1)\n  set reached[0] = 0\n  \
         for step in 0..length(places)-1 {{\n    let place = {place}\n    let column = 0\n    \
         for track in 0..{last} {{\n      set column = column * {radix} + {digit}\n      set rest[track] = {left}\n    }}\n    \
         let following = filled(states, 0-1)\n    for state in 0..states-1 {{\n      if reached[state] >= 0 {{\n        \
         for digit in 0..{highest} {{\n          if digit = 0 or places[place] <= {most} {{\n            \
         let row = (state * {columns} + column) * {radix} + digit\n            \
         set following[next_state[row]] = reached[state] + digit * places[place]\n          }}\n        }}\n      }}\n    }}\n    \
         set reached = following\n  }}\n  for state in 0..states-1 {{\n    \
         if accepting[state] = 1 and reached[state] >= 0 {{\n{found}    }}\n  }}\n  return 0-1\n}}\n",
        last = law.arity - 1,
        highest = radix - 1,
        columns = u64::from(radix).pow(u32::try_from(law.arity).ok()?),
    ))
}

/// What coordinates are called, and the list of them as the automaton reads them.
fn coordinates(unordered: bool, arity: usize) -> (Vec<String>, Vec<String>) {
    let names: Vec<String> = (1..=arity).map(|place| format!("n{place}")).collect();
    let rest = match names.as_slice() {
        [a, b] if unordered => vec![format!("min({a}, {b})"), format!("max({a}, {b})")],
        names => names.to_vec(),
    };
    (names, rest)
}

/// Walks through the automaton. Where it tells values, it is asked about the value 0.
fn function(word: &str, unordered: bool, law: &AutomatonLaw) -> Option<String> {
    let (names, mut rest) = coordinates(unordered, law.arity);
    match law.says {
        Says::Value => rest.push("0".to_owned()),
        Says::PowerOfValue => rest.push("1".to_owned()),
        Says::Lost { components: 1 } => {}
        Says::Lost { .. } => return None,
    }
    let (radix, last, rest) = (law.numeration.radix(), rest.len() - 1, rest.join(", "));
    let parameters: Vec<String> = names.iter().map(|name| format!("{name}: number")).collect();
    let parameters = parameters.join(", ");
    Some(match law.order {
        Order::MostSignificantFirst => format!(
            "# Whether the player to move loses: the automaton reads the digits from the highest place down.\n\
             function {word}_is_lost({parameters}, next_state: list of number, accepting: list of number, places: list of number): truth {{\n  \
             let rest = [{rest}]\n  let state = 0\n  let place = length(places) - 1\n  while place >= 0 {{\n    \
             let row = state\n    for track in 0..{last} {{\n      let digit = rest[track] / places[place]\n      \
             set rest[track] = rest[track] - digit * places[place]\n      set row = row * {radix} + digit\n    }}\n    \
             set state = next_state[row]\n    set place = place - 1\n  }}\n  return accepting[state] = 1\n}}\n"
        ),
        Order::LeastSignificantFirst => format!(
            "# Whether the player to move loses: the automaton reads the digits from the lowest place up.\n\
             function {word}_is_lost({parameters}, next_state: list of number, accepting: list of number): truth {{\n  \
             let rest = [{rest}]\n  let state = 0\n  while max(rest) > 0 {{\n    \
             let row = state\n    for track in 0..{last} {{\n      let digit = rest[track] mod {radix}\n      \
             set rest[track] = rest[track] / {radix}\n      set row = row * {radix} + digit\n    }}\n    \
             set state = next_state[row]\n  }}\n  return accepting[state] = 1\n}}\n"
        ),
    })
}

/// What the places are worth, as far as 64 bits hold it.
fn places(numeration: Numeration) -> Vec<i64> {
    let (factor, carry, mut before) = match numeration {
        Numeration::Base(base) => (i64::from(base), 0, 0),
        Numeration::Recurrence { factor, before } => (i64::from(factor), 1, i64::from(before)),
    };
    let mut places = vec![1];
    let mut last = 1_i64;
    while let Some(next) = last
        .checked_mul(factor)
        .and_then(|next| next.checked_add(carry * before))
    {
        places.push(next);
        before = last;
        last = next;
    }
    places
}

fn numeration(numeration: Numeration) -> String {
    match numeration {
        Numeration::Base(base) => format!("in base {base}"),
        Numeration::ZECKENDORF => "in Zeckendorf's system".to_owned(),
        Numeration::Recurrence { .. } => "in a system of Ostrowski".to_owned(),
    }
}
