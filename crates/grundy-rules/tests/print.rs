//! Printing a ruleset and reading it again is the identity.

use std::path::Path;

use grundy_rules::{Ruleset, parse};

fn read(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"))
}

#[test]
fn every_game_of_the_catalogue_is_printed_as_it_is() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut count = 0;
    for entry in games.read_dir().expect("the catalogue is a folder") {
        let path = entry.expect("a readable entry").path();
        let text = std::fs::read_to_string(&path).expect("a readable game");
        let game = read(&text);
        assert_eq!(read(&game.to_text()), game, "{}", path.display());
        let named = Ruleset {
            title: None,
            expectations: Vec::new(),
            claims: Vec::new(),
            ..game
        };
        assert_eq!(read(&named.canonical_text()), named, "{}", path.display());
        count += 1;
    }
    assert!(count > 0, "no game in {}", games.display());
}
