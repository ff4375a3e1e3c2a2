//! Every game of the catalogue keeps what its file states.

use grundy::claim::{self, Extent};
use grundy::{catalogue, expect};
use grundy_rules::{Budget, Meter, Ruleset};

/// Some seconds of work in the development profile.
const BUDGET: Budget = Budget {
    steps: 20_000_000,
    bytes: 1 << 30,
};

fn rulesets() -> impl Iterator<Item = (&'static catalogue::Game, Ruleset)> {
    catalogue::GAMES.iter().map(|game| {
        let ruleset = grundy_rules::parse(game.text);
        let ruleset = ruleset.unwrap_or_else(|faults| panic!("{}: {faults:?}", game.name));
        (game, ruleset)
    })
}

#[test]
fn files_are_named_after_their_games_and_have_titles() {
    for (game, ruleset) in rulesets() {
        assert_eq!(ruleset.name, game.name);
        assert_eq!(ruleset.title.as_deref(), game.title(), "{}", game.name);
        assert!(game.title().is_some(), "{} has no title", game.name);
    }
}

#[test]
fn expectations_hold() {
    let mut wrong = Vec::new();
    for (game, ruleset) in rulesets() {
        let mut meter = Meter::new(BUDGET);
        for (expectation, verdict) in expect::run(&ruleset, &mut meter) {
            let holds = matches!(
                verdict,
                expect::Verdict::Passed | expect::Verdict::AgreesTo(_)
            );
            if !holds {
                let line = &game.text[expectation.span.start..expectation.span.end];
                wrong.push(format!("{}: {line}: {verdict:?}", game.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn claims_agree_with_the_rules() {
    for (game, ruleset) in rulesets() {
        for claim in &ruleset.claims {
            let coordinates = claim.pattern.items.len();
            let extent = Extent {
                upto: vec![[64, 64, 20, 9][coordinates.min(3)]; coordinates],
                components: 3,
            };
            let mut meter = Meter::new(BUDGET);
            let verdict = claim::examine(&ruleset, claim, &extent, &mut meter);
            let agrees =
                matches!(verdict, Ok(claim::Verdict::Agrees { positions }) if positions > 9);
            assert!(agrees, "{}: {verdict:?}", game.name);
        }
    }
}
