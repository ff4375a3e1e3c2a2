//! The compiled search gives what the oracle gives, on every game of the catalogue.

use grundy::catalogue;
use grundy::oracle::{Oracle, has_independent_components};
use grundy::outcome::Undecided;
use grundy::search::Search;
use grundy_rules::given::{coordinates, prepare};
use grundy_rules::ruleset::{ExpectationKind, Play};
use grundy_rules::{Budget, Component, Limit, Meter, Position, Ruleset};

/// Small components of a game: tuples in a box, or short rows of small numbers.
fn small_components(ruleset: &Ruleset) -> Vec<Component> {
    let lengths: Vec<usize> = match coordinates(ruleset) {
        Some(lengths) => lengths.into_iter().collect(),
        None => (0..=4).collect(),
    };
    let mut all = Vec::new();
    for length in lengths {
        let most: u64 = match length {
            0 | 1 => 14,
            2 => 6,
            3 => 4,
            _ => 2,
        };
        let mut tuples: Vec<Vec<u64>> = vec![Vec::new()];
        for _ in 0..length {
            tuples = tuples
                .iter()
                .flat_map(|tuple| (0..=most).map(|n| [tuple.as_slice(), &[n]].concat()))
                .collect();
        }
        all.extend(tuples.into_iter().map(Component::of_numbers));
    }
    all
}

/// Small positions of a game: single components, sums of two, and what its file speaks of.
fn positions(ruleset: &Ruleset) -> Vec<Position> {
    let components = small_components(ruleset);
    let mut all: Vec<Position> = vec![Position::default()];
    all.extend(
        components
            .iter()
            .map(|component| Position(vec![component.clone()])),
    );
    let spread = components.iter().step_by(components.len() / 9 + 1);
    for first in spread.clone() {
        all.extend(
            spread
                .clone()
                .map(|second| Position(vec![first.clone(), second.clone()])),
        );
    }
    all.extend(
        ruleset
            .expectations
            .iter()
            .filter_map(|expectation| match &expectation.kind {
                ExpectationKind::Won(position) | ExpectationKind::Lost(position) => {
                    Some(position.clone())
                }
                _ => None,
            }),
    );
    let meter = &mut Meter::new(Budget::default());
    let prepared = all
        .iter()
        .filter_map(|position| prepare(ruleset, position, meter).ok());
    prepared.collect()
}

/// What one position may cost; a game that costs more too often is left.
fn budget(steps: u64) -> Meter<'static> {
    Meter::new(Budget {
        steps,
        bytes: 1 << 28,
    })
}

const ORACLE: u64 = 6_000;
const SEARCH: u64 = 2_000_000;

#[test]
fn on_the_catalogue() {
    let mut compared = 0;
    for game in catalogue::GAMES {
        let mut ruleset = grundy_rules::parse(game.text).expect("the catalogue parses");
        for play in [Play::Normal, Play::Misere] {
            ruleset.play = play;
            let (mut oracle, mut search) = (Oracle::new(&ruleset), Search::new(&ruleset));
            let name = &game.name;
            let (mut here, mut too_costly) = (0, 0);
            for position in positions(&ruleset) {
                let expected = oracle.outcome(&position, &mut budget(ORACLE));
                if expected == Err(Undecided::Limit(Limit::Steps)) {
                    too_costly += 1;
                    if too_costly > 5 {
                        break;
                    }
                    continue;
                }
                let found = search.outcome(&position, &mut budget(SEARCH));
                match (&expected, &found) {
                    // Which cycle is met first is no part of the answer; and a move to a lost
                    // position makes a position won whatever else it leads to.
                    (Err(Undecided::Cycle(_)), _) => {}
                    (Ok(expected), Ok(Some(found))) => {
                        assert_eq!(expected, found, "{name} {play:?} {position:?}");
                        here += 1;
                    }
                    // Nested lists are left to the oracle.
                    (Ok(_), Ok(None)) => assert!(*name == "trees", "{name} {position:?}"),
                    _ => assert_eq!(expected, found.map(|f| f.expect("decided")), "{name}"),
                }
                if let ([component], Play::Normal, Ok(())) = (
                    position.0.as_slice(),
                    play,
                    has_independent_components(&ruleset),
                ) {
                    let expected = oracle.grundy_value(component, &mut budget(ORACLE));
                    let found = search.grundy_value(component, &mut budget(SEARCH));
                    if let (Ok(expected), Ok(Some(found))) = (expected, found) {
                        assert_eq!(expected, found, "{name} {component:?}");
                    }
                }
            }
            compared += here;
        }
    }
    assert!(compared > 10_000, "only {compared} positions were compared");
}
