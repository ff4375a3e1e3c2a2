//! Any text is refused or proves a law that agrees with the rules on small heaps.
//!
//! The first line is a law in short, the rest a ruleset: what is built of them is sealed, so
//! that the digest does not keep the fuzzer out.

#![no_main]

use grundy_certificate::{Certificate, Law, Periodic, Proof, check};
use grundy_rules::options::options;
use grundy_rules::{Budget, Component, Meter, parse};

const BUDGET: Budget = Budget {
    steps: 200_000,
    bytes: 1 << 24,
};

libfuzzer_sys::fuzz_target!(|input: (&str, u8, u8, u8, u8, Vec<u8>, &str)| {
    let (text, theorem, preperiod, saltus, mask, values, raw) = input;
    let _ = check(raw, &mut Meter::new(BUDGET));
    let Ok(ruleset) = parse(text) else {
        return;
    };
    let preperiod = u64::from(preperiod) % (values.len() as u64).max(1);
    let mask = u64::from(mask);
    let certificate = Certificate {
        ruleset: ruleset.canonical_text(),
        law: Law::Periodic(Periodic {
            preperiod,
            period: values.len() as u64 - preperiod,
            saltus: u64::from(saltus),
            values: values.into_iter().map(u64::from).collect(),
        }),
        proof: match theorem % 5 {
            0 => Proof::Subtraction,
            1 => Proof::Shift { mask },
            2 => Proof::AllBut,
            3 => Proof::TakeOrSplit,
            _ => Proof::PeriodicTail { mask },
        },
    };
    let Ok(theorem) = check(&certificate.to_text(), &mut Meter::new(BUDGET)) else {
        return;
    };
    // The law again from the definition, for the first heaps.
    let value = |heap: &num_bigint::BigUint| theorem.law().value(heap).expect("periodic");
    for heap in 0..40u32 {
        let component = Component::of_numbers([heap]);
        let Ok(options) = options(&ruleset, &component, &mut Meter::new(BUDGET)) else {
            return;
        };
        let of_option = |heaps: &Vec<Component>| {
            let values = heaps.iter().map(|h| value(h.as_heap().expect("a heap")));
            values.fold(num_bigint::BigUint::ZERO, |sum, value| sum ^ value)
        };
        let seen: std::collections::BTreeSet<_> =
            options.iter().map(|option| of_option(&option.result)).collect();
        let mex = (0u32..).map(Into::into).find(|v| !seen.contains(v));
        assert_eq!(mex, Some(value(&heap.into())), "{text}: {heap}");
    }
});
