use grundy_automata::{Error, NumerationSystem};
use num_bigint::BigUint;

use crate::{encodings, meter, numbers, ostrowski, systems};

#[test]
fn places_are_those_of_the_literature() {
    let places = |system: NumerationSystem| -> Vec<BigUint> {
        let unit = |i| [vec![1], vec![0; i]].concat();
        (0..7).map(|i| system.number(&unit(i))).collect()
    };
    assert_eq!(
        places(NumerationSystem::zeckendorf()),
        numbers(&[1, 2, 3, 5, 8, 13, 21])
    );
    assert_eq!(
        places(NumerationSystem::pell()),
        numbers(&[1, 2, 5, 12, 29, 70, 169])
    );
    // The numerators of the convergents of √2.
    let two = NumerationSystem::wythoff(2).expect("a step");
    assert_eq!(places(two), numbers(&[1, 3, 7, 17, 41, 99, 239]));
    // Of [0; 2, 1, 2, 1, …] = (√3 - 1)/2: the denominators of its convergents.
    assert_eq!(
        places(ostrowski(&[], &[2, 1])),
        numbers(&[1, 2, 3, 8, 11, 30, 41])
    );
    let ten = NumerationSystem::base(10).expect("a base");
    assert_eq!(
        places(ten),
        numbers(&[1, 10, 100, 1000, 10_000, 100_000, 1_000_000])
    );
}

/// Words in the order of their length and digits are the numbers in their order: the definition of a
/// numeration system without its arithmetic.
#[test]
fn canonical_words_are_the_numbers_in_order() {
    for system in systems() {
        let mut expected = BigUint::ZERO;
        let mut layer = vec![Vec::new()];
        while expected < 60u32.into() {
            for word in &layer {
                if word.first() != Some(&0) && system.is_canonical(word) {
                    assert_eq!(system.number(word), expected, "{word:?} in {system}");
                    assert_eq!(&system.digits(&expected), word, "{expected} in {system}");
                    expected += 1u32;
                }
            }
            layer = layer
                .iter()
                .flat_map(|word| {
                    let longer = |digit| [word.as_slice(), &[digit]].concat();
                    (0..system.radix()).map(longer).collect::<Vec<_>>()
                })
                .collect();
        }
    }
}

#[test]
fn large_numbers_come_back() {
    let number: BigUint = BigUint::from(7u32).pow(500) + 12_345u32;
    for system in systems() {
        let digits = system.digits(&number);
        assert!(system.is_canonical(&digits), "{system}");
        assert_eq!(system.number(&digits), number, "{system}");
    }
    let wide = NumerationSystem::base(60_000).expect("a base");
    assert_eq!(wide.number(&wide.digits(&number)), number);
}

#[test]
fn tuples_are_padded_at_the_most_significant_end() {
    for encoding in encodings() {
        for tuple in [[0, 0], [5, 0], [3, 1000], [77, 76]] {
            let tuple = numbers(&tuple);
            for length in [0, 1, 30] {
                let word = encoding.padded_word(&tuple, length).expect("few tracks");
                assert!(word.len() >= length);
                assert_eq!(
                    encoding.numbers(2, &word).as_ref(),
                    Ok(&tuple),
                    "{encoding}"
                );
            }
        }
    }
}

#[test]
fn equal_systems_are_equal() {
    assert_eq!(
        ostrowski(&[2, 1, 1], &[1, 1]),
        NumerationSystem::zeckendorf()
    );
    assert_eq!(ostrowski(&[2, 2], &[2, 2, 2]), NumerationSystem::pell());
    assert_eq!(ostrowski(&[3, 1, 2], &[1, 2]), ostrowski(&[3], &[1, 2]));
    assert_ne!(ostrowski(&[3], &[1, 2]), ostrowski(&[3], &[2, 1]));
}

#[test]
fn what_is_no_system_is_refused() {
    for k in [0, 1, u32::MAX] {
        assert_eq!(NumerationSystem::base(k), Err(Error::System));
    }
    let bad: [(&[u32], &[u32]); 6] = [
        (&[], &[]),
        (&[2], &[]),
        (&[], &[1]),
        (&[1], &[2]),
        (&[2, 0], &[1]),
        (&[2], &[u32::MAX]),
    ];
    for (first, cycle) in bad {
        assert_eq!(
            NumerationSystem::ostrowski(first, cycle),
            Err(Error::System)
        );
    }
    assert_eq!(NumerationSystem::wythoff(0), Err(Error::System));
    assert_eq!(NumerationSystem::wythoff(u32::MAX), Err(Error::System));
}

#[test]
fn a_constant_is_one_word() {
    let mut meter = meter();
    for encoding in encodings() {
        for n in [0u32, 1, 2, 99, 1_000_003] {
            let n = BigUint::from(n);
            let relation =
                grundy_automata::Relation::number(&encoding, &n, &mut meter).expect("small");
            assert_eq!(relation.witness(), Some(vec![n.clone()]), "{encoding}");
            assert!(!relation.contains(&[n + 1u32]));
            let again =
                grundy_automata::Relation::new(encoding.clone(), relation.automaton(), &mut meter);
            assert_eq!(again, Ok(relation));
        }
    }
}
