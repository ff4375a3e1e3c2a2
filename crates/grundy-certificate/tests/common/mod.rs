//! What the tests of the checker share: laws found by looking, from values by definition.

// Each test file uses its part; heaps in tests are small.
#![allow(dead_code, clippy::cast_possible_truncation)]

use grundy_certificate::{Certificate, Law, Periodic, Proof, Refusal, Theorem, check};
use grundy_rules::options::options;
use grundy_rules::{Budget, Component, Meter, Ruleset, parse};
use num_traits::ToPrimitive;

pub fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: 4_000_000_000,
        bytes: 1 << 32,
    })
}

pub fn ruleset(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

/// The text by which a certificate names these rules.
pub fn canonical(text: &str) -> String {
    ruleset(text).canonical_text()
}

/// The non-empty heaps of each option of a heap, ascending, each once.
pub fn options_of(ruleset: &Ruleset, heap: u64) -> Vec<Vec<u64>> {
    let component = Component::of_numbers([heap]);
    let options = options(ruleset, &component, &mut meter()).expect("small heaps");
    let mut lists: Vec<Vec<u64>> = options
        .into_iter()
        .map(|option| {
            let heaps = option.result.iter();
            let sizes = heaps.map(|heap| heap.as_heap().and_then(ToPrimitive::to_u64));
            let mut sizes: Vec<u64> = sizes.map(|size| size.expect("a heap")).collect();
            sizes.retain(|size| *size > 0);
            sizes.sort_unstable();
            sizes
        })
        .collect();
    lists.sort();
    lists.dedup();
    lists
}

/// The Grundy values of the heaps below `count`, by definition.
pub fn grundy_values(ruleset: &Ruleset, count: u64) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
    for heap in 0..count {
        let options = options_of(ruleset, heap);
        let mut seen: Vec<u64> = options
            .iter()
            .map(|heaps| heaps.iter().fold(0, |sum, h| sum ^ values[*h as usize]))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        let mex = seen.iter().enumerate().find(|(i, v)| *i as u64 != **v);
        values.push(mex.map_or(seen.len(), |(i, _)| i) as u64);
    }
    values
}

/// The law these values show over two periods at least, and from as early on as can be.
pub fn seen_law(values: &[u64], saltus: Option<u64>) -> Option<Periodic> {
    let mut best: Option<Periodic> = None;
    for period in 1..=values.len() / 2 {
        let last = values.len() - 1;
        let Some(step) = values[last].checked_sub(values[last - period]) else {
            continue;
        };
        if saltus.is_some_and(|saltus| saltus != step) {
            continue;
        }
        let mut start = values.len() - period;
        while start > 0 && values[start - 1 + period] == values[start - 1] + step {
            start -= 1;
        }
        let shorter = best
            .as_ref()
            .is_none_or(|best| start + period < best.values.len());
        if shorter && start + 2 * period <= values.len() {
            best = Some(Periodic {
                preperiod: start as u64,
                period: period as u64,
                saltus: step,
                values: values[..start + period].to_vec(),
            });
        }
    }
    best
}

pub fn certificate(rules: &str, law: &Periodic, proof: Proof) -> Certificate {
    Certificate {
        ruleset: canonical(rules),
        law: Law::Periodic(law.clone()),
        proof,
    }
}

pub fn check_certificate(certificate: &Certificate) -> Result<Theorem, Refusal> {
    check(&certificate.to_text(), &mut meter())
}
