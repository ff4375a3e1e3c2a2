//! The first line is a game, the rest a position of it, which is read or refused.

#![no_main]

use grundy_rules::{parse, parse_position};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (rules, position) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(ruleset) = parse(rules) else {
        return;
    };
    if let Ok(position) = parse_position(position, &ruleset) {
        let printed = ruleset.position_text(&position);
        assert_eq!(parse_position(&printed, &ruleset), Ok(position), "{printed}");
    }
});
