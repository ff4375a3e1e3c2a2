use grundy_automata::{Alphabet, Automaton, Budget, DigitOrder, Error, Limit, MAX_LETTERS, Meter};
use proptest::prelude::*;

use crate::meter;

fn words(letters: u32, length: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = last
            .iter()
            .flat_map(|word: &Vec<u32>| {
                (0..letters).map(|letter| [word.as_slice(), &[letter]].concat())
            })
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

fn binary(tracks: usize) -> Alphabet {
    Alphabet::uniform(2, tracks).expect("few tracks")
}

/// Every automaton of so many states over two letters.
fn small(states: u32) -> impl Iterator<Item = Automaton> {
    let tables = u64::from(states).pow(2 * states);
    (0..tables << states).map(move |mut code| {
        let accepting = (0..states).map(|state| code >> state & 1 == 1).collect();
        code >>= states;
        let table = (0..2 * states).map(|_| {
            let target = code % u64::from(states);
            code /= u64::from(states);
            u32::try_from(target).expect("a state")
        });
        Automaton::new(binary(1), table.collect(), accepting).expect("a table")
    })
}

/// States are equal if no word of less than their number tells them apart (Moore 1956).
fn distinct_states(automaton: &Automaton) -> usize {
    let states = automaton.states();
    let letters = u32::try_from(automaton.alphabet().letters()).expect("few");
    let mut reached = vec![0];
    let mut at = 0;
    while at < reached.len() {
        for letter in 0..letters {
            let next = automaton.next(reached[at], letter);
            if !reached.contains(&next) {
                reached.push(next);
            }
        }
        at += 1;
    }
    let words = words(letters, states - 1);
    let answers = |state: u32| -> Vec<bool> {
        let end = |word: &Vec<u32>| {
            word.iter()
                .fold(state, |at, &letter| automaton.next(at, letter))
        };
        words
            .iter()
            .map(|word| automaton.is_accepting(end(word)))
            .collect()
    };
    let mut classes: Vec<_> = reached.into_iter().map(answers).collect();
    classes.sort();
    classes.dedup();
    classes.len()
}

#[test]
fn minimal_automata_are_the_smallest() {
    for states in 1..=3 {
        for automaton in small(states) {
            let minimal = automaton.minimise(&mut meter()).expect("small");
            assert_eq!(minimal.states(), distinct_states(&automaton));
            for word in words(2, 4) {
                assert_eq!(automaton.accepts(&word), minimal.accepts(&word));
            }
            assert_eq!(minimal.minimise(&mut meter()).as_ref(), Ok(&minimal));
        }
    }
}

/// Equal languages have equal minimal automata; others a shortest word that only one accepts.
#[test]
fn equivalence_and_inclusion_have_shortest_witnesses() {
    let automata: Vec<Automaton> = small(2).chain(small(3).step_by(97)).collect();
    let words = words(2, 5);
    for a in &automata {
        for b in automata.iter().step_by(3) {
            let first = |keep: fn(bool, bool) -> bool| {
                words
                    .iter()
                    .find(|word| keep(a.accepts(word), b.accepts(word)))
                    .cloned()
            };
            let expected = first(|a, b| a != b).map_or(Ok(()), Err);
            let same = a.minimise(&mut meter()) == b.minimise(&mut meter());
            assert_eq!(same, expected.is_ok());
            assert_eq!(a.equivalent(b, &mut meter()), Ok(expected));
            assert_eq!(
                a.included_in(b, &mut meter()),
                Ok(first(|a, b| a && !b).map_or(Ok(()), Err))
            );
            assert_eq!(
                b.included_in(a, &mut meter()),
                Ok(first(|a, b| b && !a).map_or(Ok(()), Err))
            );
            let both = a.intersection(b, &mut meter()).expect("small");
            assert_eq!(both.shortest(), first(|a, b| a && b));
            assert_eq!(both.is_empty(), first(|a, b| a && b).is_none());
            let any = a.union(b, &mut meter()).expect("small");
            assert_eq!(any.is_universal(), first(|a, b| !a && !b).is_none());
            assert_eq!(any.complement().shortest(), first(|a, b| !a && !b));
        }
    }
}

/// An automaton over so many tracks of these radices, of up to so many states.
fn automaton(radices: &'static [u32], states: usize) -> impl Strategy<Value = Automaton> {
    let alphabet = Alphabet::new(radices.to_vec()).expect("few letters");
    (1..=states).prop_flat_map(move |states| {
        let alphabet = alphabet.clone();
        let last = u32::try_from(states).expect("few");
        let table = prop::collection::vec(0..last, states * alphabet.letters());
        let accepting = prop::collection::vec(prop::bool::weighted(0.3), states);
        (table, accepting).prop_map(move |(table, accepting)| {
            Automaton::new(alphabet.clone(), table, accepting).expect("a table")
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_minimal_automata(a in automaton(&[2, 3], 9)) {
        let minimal = a.minimise(&mut meter()).expect("small");
        prop_assert_eq!(a.equivalent(&minimal, &mut meter()), Ok(Ok(())));
        let no_smaller = a.reverse(&mut meter()).and_then(|r| r.minimise(&mut meter()))
            .and_then(|r| r.reverse(&mut meter())).expect("small");
        // Brzozowski (1962): reversing and determinising twice minimises.
        prop_assert_eq!(no_smaller.minimise(&mut meter()), Ok(minimal));
    }

    #[test]
    fn reversal(a in automaton(&[3], 6)) {
        let reversed = a.reverse(&mut meter()).expect("small");
        for mut word in words(3, 5) {
            let accepted = a.accepts(&word);
            word.reverse();
            prop_assert_eq!(reversed.accepts(&word), accepted);
        }
    }

    /// Joining reads each track of either automaton where it is told to.
    #[test]
    fn joins(a in automaton(&[2, 3], 5), b in automaton(&[3, 2], 5)) {
        // Tracks of the whole: p with 2, q with 3, r with 2 digits; a reads (p, q), b reads (q, r).
        let whole = Alphabet::new(vec![2, 3, 2]).expect("few letters");
        let xor = a.join(&[0, 1], &b, &[1, 2], &whole, |a, b| a != b, &mut meter()).expect("small");
        for word in words(12, 3) {
            let digits: Vec<Vec<u32>> = word.iter().map(|&letter| whole.digits(letter)).collect();
            let seen = |automaton: &Automaton, tracks: [usize; 2]| -> bool {
                let word: Vec<u32> = digits.iter().map(|digits| {
                    automaton.alphabet().letter(&tracks.map(|track| digits[track])).expect("a letter")
                }).collect();
                automaton.accepts(&word)
            };
            prop_assert_eq!(xor.accepts(&word), seen(&a, [0, 1]) != seen(&b, [1, 2]));
        }
    }

    /// A projection accepts what some digits on the hidden track complete, with zeros added at the right end.
    #[test]
    fn projections(a in automaton(&[2, 2], 4), msd in any::<bool>()) {
        let order = if msd { DigitOrder::Msd } else { DigitOrder::Lsd };
        let projected = a.project(&[1], order, &mut meter()).expect("small");
        for word in words(2, 3) {
            // Four states: if more zeros help, then some number of at most three does.
            let found = (0..=4).any(|zeros| {
                let mut shown = vec![0; zeros];
                if msd { shown.extend(&word) } else { shown.splice(0..0, word.iter().copied()); }
                let mut sets = vec![0u32];
                for digit in shown {
                    sets = sets.iter().flat_map(|&state| [a.next(state, digit), a.next(state, 2 + digit)]).collect();
                    sets.sort_unstable();
                    sets.dedup();
                }
                sets.iter().any(|&state| a.is_accepting(state))
            });
            prop_assert_eq!(projected.accepts(&word), found, "{:?}", word);
        }
    }
}

#[test]
fn a_track_named_twice_is_the_diagonal() {
    let less = Automaton::new(binary(2), vec![0, 1, 1, 0, 1, 1, 1, 1], vec![true, false])
        .expect("a table");
    let diagonal = less
        .retrack(&[0, 0], &binary(1), &mut meter())
        .expect("small");
    assert!(diagonal.is_universal());
}

#[test]
fn what_is_no_automaton_is_refused() {
    let cases = [
        (vec![], vec![]),
        (vec![0], vec![true]),
        (vec![0, 1], vec![true]),
        (vec![0, 0, 0, 0], vec![true]),
    ];
    for (table, accepting) in cases {
        assert_eq!(
            Automaton::new(binary(1), table, accepting),
            Err(Error::Table)
        );
    }
    assert_eq!(Alphabet::new(vec![2, 0]), Err(Error::Radix));
    assert_eq!(Alphabet::uniform(2, 17), Err(Error::Letters));
    assert_eq!(
        Alphabet::uniform(2, 16).map(|a| a.letters()),
        Ok(MAX_LETTERS)
    );
    assert_eq!(Alphabet::uniform(u32::MAX, 9), Err(Error::Letters));
    let one = Automaton::constant(binary(1), true);
    let two = Automaton::constant(binary(2), true);
    assert_eq!(one.intersection(&two, &mut meter()), Err(Error::Radix));
    assert_eq!(
        one.retrack(&[3], &binary(2), &mut meter()),
        Err(Error::Tracks)
    );
    assert_eq!(
        two.project(&[2], DigitOrder::Msd, &mut meter()),
        Err(Error::Tracks)
    );
    assert!(!one.accepts(&[2]));
}

/// The tenth letter from the end is a 1: a thousand states from one end, eleven from the other.
#[test]
fn every_construction_has_limits() {
    let from_start = {
        let table = (0..12u32).flat_map(|state| match state {
            9 => [11, 10],
            10 | 11 => [state, state],
            _ => [state + 1, state + 1],
        });
        let accepting = (0..12).map(|state| state == 10).collect();
        Automaton::new(binary(1), table.collect(), accepting).expect("a table")
    };
    let reversed = from_start.reverse(&mut meter()).expect("within the budget");
    assert_eq!(
        reversed.minimise(&mut meter()).map(|a| a.states()),
        Ok(1024)
    );
    let limited = |budget: Budget| from_start.reverse(&mut Meter::new(budget));
    let budget = Budget::default();
    assert_eq!(
        limited(Budget {
            states: 500,
            ..budget
        }),
        Err(Limit::States(500).into())
    );
    assert_eq!(
        limited(Budget {
            transitions: 1500,
            ..budget
        }),
        Err(Limit::Transitions(1500).into())
    );
    assert_eq!(
        limited(Budget {
            steps: 1500,
            ..budget
        }),
        Err(Limit::Steps.into())
    );
    let mut meter = Meter::new(budget);
    let (result, spent) = meter.capped(100, 1 << 20, |meter| from_start.reverse(meter));
    assert_eq!(result, Err(Limit::States(100).into()));
    assert_eq!(meter.budget().steps, budget.steps - spent);
    assert_eq!(meter.budget().states, budget.states);
}

#[test]
fn a_caller_can_cancel() {
    let mut meter = Meter::with_cancel(Budget::default(), &|| true);
    let wide = Automaton::constant(binary(16), true);
    let result = (0..4).try_for_each(|_| wide.intersection(&wide, &mut meter).map(drop));
    assert_eq!(result, Err(Limit::Cancelled.into()));
}

#[test]
fn drawing() {
    let even = Automaton::new(binary(1), vec![1, 2, 0, 2, 2, 2], vec![true, false, false])
        .expect("a table");
    let expected = "digraph automaton {\n  rankdir = LR;\n  start [shape = point];\n  start -> 0;\n  \
        0 [shape = doublecircle];\n  1 [shape = circle];\n  0 -> 1 [label = \"0\"];\n  1 -> 0 [label = \"0\"];\n}\n";
    assert_eq!(even.dot().to_string(), expected);
}
