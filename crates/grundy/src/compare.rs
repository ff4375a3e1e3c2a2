//! Whether two games have the same values.

use grundy_certificate::automatic::Says;
use grundy_certificate::{Law, Theorem};
use grundy_rules::given::{GivenFault, coordinates, prepare};
use grundy_rules::{Budget, Component, Limit, Meter, Position, Ruleset};
use num_bigint::BigUint;

use crate::answer::relation::first_difference;
use crate::answer::{Knowledge as _, Lawful};
use crate::claim::order::Boxed;
use crate::claim::values::Values;
use crate::claim::{Actual, Extent};
use crate::discover::Effort;
use crate::nimber::Nimber;
use crate::oracle::has_values;
use crate::outcome::{Evidence, Undecided};
use crate::shape::{Form, Shape};
use crate::solve::Part;

/// What became of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They have the same values, or outcomes, for ever.
    Equal(Equality),
    /// They differ at this component, and at none below it.
    Differ(Box<Difference>),
    /// They agree as far as was looked. That is no proof.
    Agree {
        /// How many components were examined.
        components: u64,
    },
    /// A limit was reached, or the rules cannot be solved.
    Undecided {
        /// Why.
        reason: Undecided,
        /// How many components agreed before.
        components: u64,
    },
    /// No component is one of both games.
    NothingInCommon,
}

/// Why two games are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Equality {
    /// Every component has the same options in both, so that every sum is played alike.
    Options,
    /// Each has a law that is proved, and these say the same of every heap.
    Laws {
        /// How the laws are known.
        evidence: Evidence,
    },
}

/// Where two games differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// A smallest component, as it is given: they agree on all that have no larger number and some smaller one.
    pub component: Component,
    /// What is so in each game.
    pub actual: [Actual; 2],
    /// How that is known.
    pub evidence: Evidence,
}

/// How many numbers the components have that two games have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many.
    Fixed(usize),
    /// Any number.
    Any,
    /// None: nothing can be given to both.
    Never,
}

/// How many numbers a component has that can be given to both games.
pub fn length(games: [&Ruleset; 2]) -> Length {
    let [left, right] = games.map(coordinates);
    let common = match (left, right) {
        (None, None) => return Length::Any,
        (Some(lengths), None) | (None, Some(lengths)) => lengths.first().copied(),
        (Some(left), Some(right)) => left.intersection(&right).next().copied(),
    };
    common.map_or(Length::Never, Length::Fixed)
}

/// Compares the Grundy values of the components of two games; where values do not decide one of
/// them, who wins single components.
///
/// With theorems about both the answer is about all heaps: a law that repeats, up to a saltus,
/// after `p` heaps from `n0` on makes the differences of successive values periodic, and two
/// periodic sequences that agree for `p + q - gcd(p, q)` places agree for ever (Fine and Wilf
/// 1965). So it is enough to look at the heaps up to the larger `n0` plus `p + q`. Laws that automata decide are
/// compared as sets of tuples of numbers, where one numeration system can say both. Without theorems
/// the components of the extent are looked at, the smallest first. Components that only one of the
/// games has are passed over.
pub fn compare(
    games: [&Ruleset; 2],
    theorems: [Option<&Theorem>; 2],
    extent: &Extent,
    meter: &mut Meter,
) -> Comparison {
    let shapes = games.map(Shape::of);
    if have_equal_options(games, &shapes) {
        return Comparison::Equal(Equality::Options);
    }
    let length = length(games);
    if length == Length::Never {
        return Comparison::NothingInCommon;
    }
    let mut components = 0;
    let theorems = match theorems {
        [Some(left), Some(right)]
            if left.ruleset() == games[0].canonical_text()
                && right.ruleset() == games[1].canonical_text() =>
        {
            Some([left, right])
        }
        _ => None,
    };
    let found = match theorems {
        Some(theorems) => match by_automata(games, theorems, length, meter) {
            Some(comparison) => Ok(comparison),
            // A law of heaps says nothing of longer rows; one of misère labels or of lost positions tells no values.
            None if length == Length::Fixed(1)
                && theorems.map(Theorem::law).into_iter().all(tells_values) =>
            {
                by_laws(theorems, extent, &mut components, meter)
            }
            None => by_search(games, &shapes, length, extent, &mut components, meter),
        },
        None => by_search(games, &shapes, length, extent, &mut components, meter),
    };
    match found {
        Ok(comparison) => comparison,
        Err(reason) => Comparison::Undecided { reason, components },
    }
}

/// Whether every component has the same options in both games.
fn have_equal_options(games: [&Ruleset; 2], shapes: &[Shape; 2]) -> bool {
    let [left, right] = games.map(|game| {
        let mut game = game.clone();
        game.name.clear();
        game.title = None;
        game.short_form = None;
        game.expectations.clear();
        game.claims.clear();
        for rule in &mut game.moves {
            rule.label.clear();
        }
        game
    });
    let [first, second] = shapes;
    let says_options = matches!(
        first.form,
        Form::Code(_) | Form::Classes(_) | Form::Takes(_)
    );
    left == right || says_options && first == second
}

fn tells_values(law: &Law) -> bool {
    law.value(&BigUint::ZERO).is_some()
}

/// Compares laws as sets of tuples; `None` where that does not tell.
fn by_automata(
    games: [&Ruleset; 2],
    theorems: [&Theorem; 2],
    length: Length,
    meter: &Meter,
) -> Option<Comparison> {
    let Length::Fixed(arity) = length else {
        return None;
    };
    // What `start` completes is no component as the laws speak of it.
    if games.iter().any(|game| !game.starts.is_empty()) {
        return None;
    }
    let laws = theorems.map(Theorem::law);
    let lost =
        |law: &&Law| matches!(law, Law::Automaton(law) if matches!(law.says, Says::Lost { .. }));
    if laws.iter().any(lost) && games.iter().all(|game| has_values(game).is_ok()) {
        return None;
    }
    let mut automata = Effort::default().meter(meter);
    let [left, right] = games;
    let differing = first_difference([(left, laws[0]), (right, laws[1])], arity, &mut automata)?;
    let evidence = evidence(theorems);
    let Err(numbers) = differing else {
        return Some(Comparison::Equal(Equality::Laws { evidence }));
    };
    let component = Component::of_numbers(numbers);
    let actual = |game: usize| {
        let law = Lawful::proved(games[game], theorems[game])?;
        if let Some(value) = law.value(&component) {
            return Some(Actual::Value(Nimber(value)));
        }
        let position = Position(vec![component.clone()]);
        let outcome = law.outcome(&position, &mut Meter::new(Budget::default()));
        outcome.ok()?.map(Actual::Outcome)
    };
    let actual = [actual(0)?, actual(1)?];
    Some(Comparison::Differ(Box::new(Difference {
        component,
        actual,
        evidence,
    })))
}

fn evidence(theorems: [&Theorem; 2]) -> Evidence {
    Evidence::all(theorems.map(|theorem| Evidence::Proved {
        theorem: theorem.name().to_owned(),
        certificate: theorem.digest().to_owned(),
    }))
}

/// The largest heap at which two laws of different kinds are compared at least.
const LOOK: u64 = 100_000;

fn by_laws(
    theorems: [&Theorem; 2],
    extent: &Extent,
    components: &mut u64,
    meter: &mut Meter,
) -> Result<Comparison, Undecided> {
    let evidence = evidence(theorems);
    let laws = theorems.map(Theorem::law);
    let enough = match laws {
        [Law::Periodic(left), Law::Periodic(right)] => left
            .preperiod
            .max(right.preperiod)
            .checked_add(left.period)
            .and_then(|sum| sum.checked_add(right.period)),
        [left, right] if left == right => {
            return Ok(Comparison::Equal(Equality::Laws { evidence }));
        }
        _ => None,
    };
    let examined = extent.upto.first().map_or(0, |upto| LOOK.max(*upto));
    let upto = enough.unwrap_or(examined);
    for n in 0..=upto {
        meter.spend(1)?;
        let heap = BigUint::from(n);
        let [left, right] = laws.map(|law| law.value(&heap));
        let (Some(left), Some(right)) = (left, right) else {
            return Err(Limit::Steps.into());
        };
        if left != right {
            return Ok(Comparison::Differ(Box::new(Difference {
                component: Component::of_numbers([heap]),
                actual: [left, right].map(|value| Actual::Value(Nimber(value))),
                evidence,
            })));
        }
        *components += 1;
    }
    Ok(if enough.is_some() {
        Comparison::Equal(Equality::Laws { evidence })
    } else {
        Comparison::Agree {
            components: *components,
        }
    })
}

fn by_search(
    games: [&Ruleset; 2],
    shapes: &[Shape; 2],
    length: Length,
    extent: &Extent,
    components: &mut u64,
    meter: &mut Meter,
) -> Result<Comparison, Undecided> {
    let valued = games.iter().all(|game| has_values(game).is_ok());
    let unordered = games
        .iter()
        .all(|game| game.unordered || game.row.as_ref().is_some_and(|row| row.unordered));
    let mut values = [0, 1].map(|game| Values::new(games[game], &shapes[game], &extent.upto));
    let mut boxed = Boxed::new(extent, length == Length::Any);
    while let Some(numbers) = boxed.next() {
        meter.spend(1)?;
        if unordered && !numbers.is_sorted() {
            continue;
        }
        let component = Component::of_numbers(numbers.iter().copied());
        let mut actual = Vec::with_capacity(2);
        for (game, values) in games.iter().zip(&mut values) {
            let given = Position(vec![component.clone()]);
            let component = match prepare(game, &given, meter) {
                Ok(mut prepared) => prepared.0.pop().expect("one component was given"),
                Err(GivenFault::Limit(limit)) => return Err(limit.into()),
                Err(_) => break,
            };
            let part = Part { game: 0, component };
            actual.push(if valued {
                Actual::Value(values.value(&part, meter)?.into())
            } else {
                Actual::Outcome(values.outcome(&part, meter)?)
            });
        }
        let Ok(actual) = <[Actual; 2]>::try_from(actual) else {
            continue;
        };
        if actual[0] != actual[1] {
            return Ok(Comparison::Differ(Box::new(Difference {
                evidence: Evidence::Exhaustive {
                    upto: component.as_heap().cloned(),
                },
                component,
                actual,
            })));
        }
        *components += 1;
    }
    Ok(Comparison::Agree {
        components: *components,
    })
}
