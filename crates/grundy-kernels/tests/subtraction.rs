//! Kernels of subtraction sets against the definition, at every level.

use std::convert::Infallible;

use grundy_kernels::{AllBut, Level, Subtraction, Values};
use proptest::prelude::*;

fn by_definition(takes: &[usize], count: usize) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
    for heap in 0..count {
        let options: Vec<u64> = takes
            .iter()
            .filter_map(|take| Some(values[heap.checked_sub(*take)?]))
            .collect();
        values.push(
            (0..=takes.len() as u64)
                .find(|value| !options.contains(value))
                .expect("finitely many"),
        );
    }
    values
}

/// The values, computed in pieces that end at these heaps.
fn in_pieces(takes: &[usize], ends: &[usize], level: Level) -> Values {
    let kernel = Subtraction::new(takes.to_vec(), level);
    let mut values = Values::default();
    for end in ends {
        match kernel.extend(&mut values, *end, &mut |_| Ok::<(), Infallible>(())) {
            Ok(()) => assert_eq!(values.len(), *end),
        }
    }
    values
}

#[test]
fn all_sets_of_takes_up_to_eight() {
    for set in 0..256 {
        let takes: Vec<usize> = (1..=8).filter(|take| set >> (take - 1) & 1 == 1).collect();
        let expected = by_definition(&takes, 800);
        for level in Level::all() {
            assert!(
                in_pieces(&takes, &[1, 9, 30, 800], level) == expected[..],
                "{takes:?} {level:?}"
            );
        }
    }
}

#[test]
fn values_beyond_every_width() {
    // 1 up to m has values up to m: bits of 8, 16, 32 and 64, then rows, then two bytes.
    for most in [7, 8, 15, 16, 31, 32, 62, 63, 64, 300] {
        let takes: Vec<usize> = (1..=most).collect();
        let expected: Vec<u64> = (0..3000).map(|heap| heap % (most as u64 + 1)).collect();
        for level in Level::all() {
            assert!(
                in_pieces(&takes, &[3000], level) == expected[..],
                "{most} {level:?}"
            );
        }
    }
}

#[test]
fn all_but_all_sets_up_to_eight() {
    for set in 0..256 {
        let excluded: Vec<usize> = (1..=8).filter(|take| set >> (take - 1) & 1 == 1).collect();
        let takes: Vec<usize> = (1..300).filter(|take| !excluded.contains(take)).collect();
        let mut kernel = AllBut::new(excluded);
        let mut values = Values::default();
        for end in [1, 100, 300] {
            let done = kernel.extend(&mut values, end, &mut |_| Ok::<(), Infallible>(()));
            assert!(done.is_ok());
        }
        assert!(values == by_definition(&takes, 300)[..], "{takes:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn random_sets(
        takes in prop::collection::btree_set(1usize..700, 0..40),
        from in 0usize..200,
        dense in any::<bool>(),
        ends in prop::collection::btree_set(0usize..3000, 1..4),
    ) {
        let mut takes: Vec<usize> = takes.into_iter().map(|take| take + from).collect();
        if dense {
            takes.extend((from + 1..from + 500).filter(|take| take % 7 != 3));
        }
        let ends: Vec<usize> = ends.into_iter().collect();
        let expected = by_definition(&takes, ends[ends.len() - 1]);
        for level in Level::all() {
            prop_assert!(in_pieces(&takes, &ends, level) == expected[..]);
        }
    }
}
