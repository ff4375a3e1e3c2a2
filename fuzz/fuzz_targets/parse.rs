//! Any bytes are read or refused; what was read is printed faithfully.

#![no_main]

use grundy_rules::{parse, parse_bytes};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(ruleset) = parse_bytes(bytes) else {
        return;
    };
    let text = ruleset.to_text();
    assert_eq!(parse(&text).as_ref(), Ok(&ruleset), "{text}");
    let canonical = ruleset.canonical_text();
    let again = parse(&canonical).map(|ruleset| ruleset.canonical_text());
    assert_eq!(again.as_ref(), Ok(&canonical));
});
