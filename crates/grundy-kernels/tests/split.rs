//! Kernels of takes and splits against the definition, at every level.

use std::convert::Infallible;

use grundy_kernels::{Allowed, Level, Rules, Split, Values};
use proptest::prelude::*;

/// The values by all options of each heap, noted one by one.
fn by_definition(rules: &Rules, count: usize) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
    let mut seen = vec![0; 1 << 12];
    for heap in 0..count {
        let mut note = |value: u64| seen[usize::try_from(value).expect("small")] = heap + 1;
        if rules.nothing.contains(&heap) {
            note(0);
        }
        for (taken, allowed) in rules.one.iter().filter(|(taken, _)| *taken < heap) {
            if allowed.heap(heap - taken) {
                note(values[heap - taken]);
            }
        }
        for (taken, allowed) in rules.two.iter().filter(|(taken, _)| *taken < heap) {
            let sum = heap - taken;
            for a in (1..=sum / 2).filter(|a| allowed.pair(*a, sum - a)) {
                note(values[a] ^ values[sum - a]);
            }
        }
        let mex = seen.iter().position(|last| *last != heap + 1);
        values.push(mex.expect("few values") as u64);
    }
    values
}

fn in_pieces(rules: &Rules, ends: &[usize], level: Level) -> Values {
    fill(Split::new(rules.clone(), level), ends)
}

fn fill(mut kernel: Split, ends: &[usize]) -> Values {
    let mut values = Values::default();
    for end in ends {
        match kernel.extend(&mut values, *end, &mut |_| Ok::<(), Infallible>(())) {
            Ok(()) => assert_eq!(values.len(), *end),
        }
    }
    values
}

/// The rules of an octal code, where two heaps may be left if `allowed` says so.
fn octal(digits: &[u8], allowed: &Allowed) -> Rules {
    let mut rules = Rules::default();
    for (taken, digit) in digits.iter().enumerate() {
        if digit & 1 != 0 {
            rules.nothing.push(taken);
        }
        if digit & 2 != 0 {
            rules.one.push((taken, Allowed::default()));
        }
        if digit & 4 != 0 {
            rules.two.push((taken, allowed.clone()));
        }
    }
    rules
}

/// Unequal parts, parts that differ by at most two, parts that differ by at least three, an even smaller part, parts that
/// are congruent modulo 3, and an even part or two.
fn conditions() -> [Allowed; 7] {
    [
        Allowed::default(),
        Allowed::new(0, 1, |_, difference| difference > 0),
        Allowed::new(2, 1, |_, difference| difference <= 2),
        Allowed::new(2, 1, |small, difference| small > 1 && difference > 2),
        Allowed::new(0, 2, |small, _| small % 2 == 0),
        Allowed::new(0, 3, |_, difference| difference % 3 == 0),
        Allowed::new(0, 2, |small, difference| {
            small % 2 == 0 || difference % 2 == 1
        }),
    ]
}

/// Whether all ways give the values of the definition, chosen by what they cost and as early as they can be.
fn same(rules: &Rules, ends: &[usize]) {
    let expected = by_definition(rules, ends[ends.len() - 1]);
    let check = |kernel: Split, name: &str| {
        let values = fill(kernel, ends);
        if values != expected[..] {
            let heap = (0..values.len()).find(|heap| values.at(*heap) != expected[*heap]);
            panic!("{rules:?} {name}: heap {heap:?}");
        }
    };
    for level in Level::all() {
        let kernel = Split::new(rules.clone(), level).eager();
        check(kernel, &format!("{level:?}, eager"));
    }
    check(Split::new(rules.clone(), Level::best()), "by costs");
}

/// Threads change nothing, however many there are, where they start and where they meet; an engine that is stopped ends them.
#[test]
fn several_threads() {
    let unequal = Allowed::new(0, 1, |_, difference| difference > 0);
    for (digits, allowed, end) in [
        (&[4][..], unequal, 40_000),
        (&[0, 6], Allowed::default(), 20_000),
        (&[0, 0, 6], Allowed::default(), 20_000),
        (&[0, 7, 7], Allowed::default(), 5_000),
    ] {
        let rules = octal(digits, &allowed);
        let one = in_pieces(&rules, &[end], Level::best());
        for threads in [2, 3, 8] {
            let kernel = || {
                Split::new(rules.clone(), Level::best())
                    .with_threads(threads)
                    .eager()
            };
            let (mut kernel, mut stopped) = (kernel(), kernel());
            let mut values = Values::default();
            for end in [end / 7, end / 7 + 1, end / 2, end] {
                match kernel.extend(&mut values, end, &mut |_| Ok::<(), Infallible>(())) {
                    Ok(()) => assert_eq!(values.len(), end),
                }
            }
            assert_eq!(values.first(end), one.first(end), "{rules:?}: {threads}");
            assert_eq!(kernel.rares(), rares_of_one(&rules, end));
            let (mut values, mut steps) = (Values::default(), 0);
            let stop = stopped.extend(&mut values, end, &mut |more| {
                steps += more;
                if steps < 1 << 20 { Ok(()) } else { Err(()) }
            });
            assert!(stop.is_err() || steps < 1 << 20);
            let so_far = values.len();
            assert_eq!(values.first(so_far), one.first(so_far));
        }
    }
}

fn rares_of_one(rules: &Rules, end: usize) -> usize {
    let mut kernel = Split::new(rules.clone(), Level::best());
    let Ok(()) = kernel.extend(&mut Values::default(), end, &mut |_| {
        Ok::<(), Infallible>(())
    });
    kernel.rares()
}

/// The space is one of the values: it is told whether or not they were found by it.
#[test]
fn spaces_do_not_depend_on_costs() {
    let mut spaces = 0;
    for digits in [&[0, 0, 7, 7][..], &[0, 5, 6, 4], &[0, 1, 2, 7], &[0, 6]] {
        for allowed in conditions() {
            let rules = octal(digits, &allowed);
            let [by_costs, as_early] = [false, true].map(|eager| {
                let kernel = Split::new(rules.clone(), Level::best());
                let mut kernel = if eager { kernel.eager() } else { kernel };
                let mut values = Values::default();
                let Ok(()) = kernel.extend(&mut values, 5000, &mut |_| Ok::<(), Infallible>(()));
                let rares = kernel.space().map_or(0, |space| {
                    let is_rare = |heap: &usize| {
                        space.is_rare(*heap, usize::try_from(values.at(*heap)).expect("small"))
                    };
                    (1..values.len()).filter(is_rare).count()
                });
                assert_eq!(kernel.rares(), rares, "{digits:?} {allowed:?}");
                kernel.space()
            });
            assert_eq!(by_costs, as_early, "{digits:?} {allowed:?}");
            spaces += usize::from(by_costs.is_some());
        }
    }
    assert!(spaces >= 10, "{spaces} games have a space");
}

#[test]
fn all_codes_of_three_digits() {
    for code in 0..512u32 {
        let digits = [0, code >> 6, code >> 3 & 7, code & 7].map(|digit| digit.to_le_bytes()[0]);
        for allowed in conditions() {
            same(&octal(&digits, &allowed), &[60, 300]);
        }
    }
}

#[test]
fn codes_that_split_without_taking() {
    for code in 0..64u32 {
        let digits = [4, code >> 3 & 7, code & 7].map(|digit| digit.to_le_bytes()[0]);
        for allowed in conditions() {
            same(&octal(&digits, &allowed), &[1000]);
        }
    }
}

#[test]
fn long_tables_with_and_without_a_space() {
    let codes: [&[u8]; 12] = [
        &[0, 1, 6],
        &[0, 5, 6],
        &[0, 7, 7],
        &[0, 0, 7],
        &[0, 3, 7, 6],
        &[0, 6],
        &[0, 1, 0, 4],
        &[0, 1, 6, 5],
        &[4, 0, 0, 5],
        &[0, 0, 0, 7],
        &[0, 1, 2, 7],
        &[0, 4, 5, 4],
    ];
    for digits in codes {
        for (allowed, count) in conditions()
            .iter()
            .zip([10_000, 9000, 3000, 9000, 3000, 5000, 5000])
        {
            same(&octal(digits, allowed), &[count / 3, count / 3 + 1, count]);
        }
    }
    for (allowed, count) in conditions()
        .iter()
        .zip([5000, 20_000, 3000, 20_000, 5000, 5000, 5000])
    {
        same(&octal(&[4], allowed), &[count]);
    }
}

/// Values that pass a byte, and tables asked for in pieces that end within blocks.
#[test]
fn wide_values_and_odd_ends() {
    same(
        &octal(&[0, 6], &Allowed::default()),
        &[2100, 2101, 5555, 30_000],
    );
    same(
        &octal(&[0, 1, 6], &Allowed::default()),
        &[4097, 4100, 4700, 30_001],
    );
}

/// Heaps that may be taken whole, though they are large.
#[test]
fn large_heaps_that_may_be_taken_whole() {
    for digits in [[0, 1, 2, 7], [0, 7, 7, 0], [0, 4, 5, 4]] {
        let mut rules = octal(&digits, &Allowed::default());
        rules.nothing.extend([2001, 2002, 2003, 2500, 2501]);
        same(&rules, &[4000]);
    }
}

/// More heaps than codes are kept of. Some values are held against all their options.
#[test]
fn tables_longer_than_the_window() {
    let codes: [&[u8]; 2] = [&[4], &[0, 1, 6]];
    for (digits, unequal) in codes.into_iter().zip([true, false]) {
        let allowed = Allowed::new(0, 1, |_, difference| difference > 0 || !unequal);
        let rules = octal(digits, &allowed);
        let count = 200_000;
        let tables: Vec<Values> = Level::all()
            .into_iter()
            .map(|level| in_pieces(&rules, &[count], level))
            .collect();
        let values = tables[0].first(count);
        assert!(tables.iter().all(|table| *table == values[..]));
        for heap in (1000..count).step_by(997).chain(count - 100..count) {
            let mut seen = [false; 1 << 10];
            let mut note = |value: u64| seen[usize::try_from(value).expect("small")] = true;
            for (taken, allowed) in &rules.two {
                let sum = heap - taken;
                for a in (1..=sum / 2).filter(|a| allowed.pair(*a, sum - a)) {
                    note(values[a] ^ values[sum - a]);
                }
            }
            for (taken, _) in &rules.one {
                note(values[heap - taken]);
            }
            let mex = seen.iter().position(|seen| !seen);
            assert_eq!(mex, usize::try_from(values[heap]).ok(), "{heap}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn random_rules(
        digits in prop::collection::vec(0u8..8, 1..7),
        zero in any::<bool>(),
        bound in 0usize..4,
        modulus in 1usize..4,
        answers in prop::collection::vec(prop::bool::weighted(0.8), 64),
        on_takes in any::<bool>(),
        nearly_equal in prop::option::of(1usize..4),
        ends in prop::collection::btree_set(0usize..9000, 1..4),
    ) {
        let mut digits = digits;
        digits[0] = if zero { 4 } else { 0 };
        let side = bound + modulus + 1;
        let allowed = Allowed::new(bound, modulus, |small, difference| answers[small * side + difference]);
        let ends: Vec<usize> = ends.into_iter().collect();
        let mut rules = octal(&digits, &allowed);
        if on_takes {
            rules.one.iter_mut().for_each(|(_, of_take)| *of_take = allowed.clone());
        }
        if let Some(taken) = nearly_equal {
            rules.two.push((taken, Allowed::new(2, 1, |_, difference| difference <= 2)));
        }
        same(&rules, &ends);
    }
}
