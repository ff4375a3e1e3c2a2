//! What the files of the catalogue state is so.

use grundy::catalogue::GAMES;
use grundy::expect::{self, Verdict};
use grundy_rules::{Budget, Meter, parse};

#[test]
fn every_expectation_of_the_catalogue_holds() {
    let mut broken = Vec::new();
    for game in GAMES {
        let ruleset = parse(game.text).expect("the catalogue can be read");
        let mut meter = Meter::new(Budget::default());
        for (expectation, verdict) in expect::run(&ruleset, &mut meter) {
            if !matches!(verdict, Verdict::Passed | Verdict::AgreesTo(_)) {
                broken.push(format!(
                    "{}: {:?}: {verdict:?}",
                    game.name, expectation.kind
                ));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
