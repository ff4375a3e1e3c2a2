//! Any bytes are a problem or refused; what was read is printed faithfully, and every fault can
//! be shown.

#![no_main]

use grundy_problems::text::render;
use grundy_problems::{parse, parse_bytes};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    match parse_bytes(bytes) {
        Ok(problem) => {
            let text = problem.to_text();
            assert_eq!(parse(&text).as_ref(), Ok(&problem), "{text}");
        }
        Err(faults) => {
            let text = String::from_utf8_lossy(bytes);
            for fault in &faults {
                render(fault, "file", &text, false);
            }
        }
    }
});
