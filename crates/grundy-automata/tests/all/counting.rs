use grundy_automata::{Atom, Comparison, DigitOrder, Encoding, Relation};
use num_bigint::BigUint;

use crate::{base, encodings, meter, numbers, tuples};

/// Relations of every kind, with few and with many members.
fn relations(encoding: &Encoding) -> Vec<Relation> {
    let mut meter = meter();
    vec![
        Relation::congruence(encoding, &[1], 2, 3, &mut meter).expect("small"),
        Atom::PlaceValue
            .relation(encoding, &mut meter)
            .expect("small"),
        Relation::linear(encoding, &[1], -11, Comparison::Less, &mut meter).expect("small"),
        Relation::tuple(encoding, &numbers(&[5, 60]), &mut meter).expect("small"),
        Relation::multiple(encoding, 3, &mut meter).expect("small"),
        Relation::order(encoding, Comparison::Less, &mut meter).expect("small"),
        Relation::constant(encoding, 1, false, &mut meter).expect("small"),
    ]
}

#[test]
fn numbers_below_a_bound() {
    for encoding in encodings() {
        for relation in relations(&encoding) {
            for bounds in [[0, 0], [1, 1], [9, 20], [30, 70], [61, 2]] {
                let bounds = &bounds[..relation.tracks()];
                let inside = |t: &&Vec<u64>| t.iter().zip(bounds).all(|(n, bound)| n < bound);
                let all = tuples(relation.tracks(), 75);
                let expected = all
                    .iter()
                    .filter(inside)
                    .filter(|t| relation.contains(&numbers(t)))
                    .count();
                let found = relation.count_below(&numbers(bounds), &mut meter());
                assert_eq!(found, Ok(expected.into()), "{bounds:?} {encoding}");
            }
        }
    }
}

#[test]
fn numbers_below_a_large_bound() {
    let bound = BigUint::from(10u32).pow(60);
    for encoding in encodings() {
        let relation = Relation::congruence(&encoding, &[1], 2, 3, &mut meter()).expect("small");
        let expected = (&bound - 3u32) / 3u32 + 1u32;
        assert_eq!(
            relation.count_below(std::slice::from_ref(&bound), &mut meter()),
            Ok(expected),
            "{encoding}"
        );
    }
}

#[test]
fn words_by_length() {
    // Canonical words of n digits are the numbers below U(n).
    for encoding in encodings() {
        let all = Relation::constant(&encoding, 1, true, &mut meter()).expect("small");
        let counts = all
            .automaton()
            .count_words(12, &mut meter())
            .expect("small");
        for (length, count) in counts.iter().enumerate() {
            let unit = [vec![1], vec![0; length]].concat();
            assert_eq!(count, &encoding.system.number(&unit), "{length} {encoding}");
        }
    }
}

#[test]
fn members_come_in_order() {
    for encoding in encodings() {
        for relation in relations(&encoding) {
            let mut meter = meter();
            let mut list = relation.tuples();
            let mut found = Vec::new();
            while found.len() < 60 {
                match list.next(&mut meter).expect("small") {
                    Some(tuple) => found.push(tuple),
                    None => break,
                }
            }
            // By word: length, then most significant digits, those of the first track before the others.
            let key = |tuple: &Vec<BigUint>| {
                let msd = Encoding::new(encoding.system.clone(), DigitOrder::Msd);
                let word = msd.word(tuple).expect("few tracks");
                (word.len(), word)
            };
            assert!(
                found.windows(2).all(|pair| key(&pair[0]) < key(&pair[1])),
                "{encoding}"
            );
            let mut expected: Vec<_> = tuples(
                relation.tracks(),
                if relation.tracks() == 1 { 500 } else { 100 },
            )
            .iter()
            .map(|tuple| numbers(tuple))
            .filter(|tuple| relation.contains(tuple))
            .collect();
            expected.sort_by_key(key);
            expected.truncate(8);
            assert_eq!(found[..expected.len()], expected, "{encoding}");
            if found.len() < 60 {
                // A finite set is complete.
                assert_eq!(list.next(&mut meter), Ok(None));
                let all = numbers(&vec![1_000_000; relation.tracks()]);
                assert_eq!(
                    relation.count_below(&all, &mut meter),
                    Ok(found.len().into()),
                    "{encoding}"
                );
            }
        }
    }
}

#[test]
fn gaps_do_not_end_a_list() {
    // 1 and 2^40, far apart but both there.
    for order in [DigitOrder::Msd, DigitOrder::Lsd] {
        let encoding = Encoding::new(base(2), order);
        let large = BigUint::from(1u64 << 40);
        let one = Relation::number(&encoding, &1u32.into(), &mut meter()).expect("small");
        let both = Relation::number(&encoding, &large, &mut meter())
            .and_then(|two| two.union(&one, &mut meter()))
            .expect("small");
        let mut list = both.tuples();
        assert_eq!(list.next(&mut meter()), Ok(Some(numbers(&[1]))));
        assert_eq!(list.next(&mut meter()), Ok(Some(vec![large])));
        assert_eq!(list.next(&mut meter()), Ok(None));
    }
}
