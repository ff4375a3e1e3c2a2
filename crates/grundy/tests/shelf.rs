//! What stands on a shelf is checked again: nothing there can make an answer wrong.

use std::cell::RefCell;
use std::collections::BTreeMap;

use grundy::Evidence;
use grundy::answer::Knowledge as _;
use grundy::answer::learn::{Shelf, key, learn, recall};
use grundy_certificate::{Certificate, Law};
use grundy_rules::{Budget, Component, Meter, Ruleset, parse};

/// A shelf in memory.
#[derive(Default)]
struct Memory(RefCell<BTreeMap<String, String>>);

impl Shelf for Memory {
    fn load(&self, key: &str) -> Option<String> {
        self.0.borrow().get(key).cloned()
    }

    fn store(&self, key: &str, certificate: &str) {
        self.0
            .borrow_mut()
            .insert(key.to_owned(), certificate.to_owned());
    }
}

fn meter() -> Meter<'static> {
    Meter::new(Budget::default())
}

fn rules(text: &str) -> Ruleset {
    parse(text).expect("the rules are well written")
}

/// Asks for the values of the heaps up to 40, and holds them against n mod 4.
fn answers_are_right(game: &Ruleset, shelf: &Memory) {
    let lawful = learn(game, Some(1000), false, shelf, &mut meter()).expect("it is proved");
    assert!(matches!(lawful.evidence(), Evidence::Proved { .. }));
    for n in 0..40u64 {
        let value = lawful.value(&Component::of_numbers([n]));
        assert_eq!(value, Some((n % 4).into()), "heap {n}");
    }
}

#[test]
fn a_bad_entry_is_never_believed_and_is_replaced() {
    let game = rules("[n] -> [n-k] where 1 <= k <= 3");
    let shelf = Memory::default();
    answers_are_right(&game, &shelf);
    let good = shelf.load(&key(&game)).expect("the law was kept");
    assert!(recall(&game, &shelf, &mut meter()).is_some());

    let other = rules("rules {1,2,3,4}");
    learn(&other, Some(1000), false, &shelf, &mut meter()).expect("it is proved");
    let of_other = shelf.load(&key(&other)).expect("the law was kept");

    let certificate = Certificate::from_text(&good).expect("it is well formed");
    let mut false_law = certificate.clone();
    let Law::Periodic(law) = &mut false_law.law else {
        panic!("the law of a subtraction set is periodic")
    };
    law.values[2] = 0;
    let mut of_misere = certificate.clone();
    of_misere.ruleset = format!("play misere\n{}", certificate.ruleset);
    // A true law of other rules, said to be one of these.
    let mut stolen = Certificate::from_text(&of_other).expect("it is well formed");
    stolen.ruleset = certificate.ruleset.clone();

    let mut bad = vec![
        String::new(),
        "{}".to_owned(),
        "\u{0}".to_owned(),
        "[".repeat(100_000),
        of_other,
        false_law.to_text(),
        of_misere.to_text(),
        stolen.to_text(),
    ];
    for length in [1, good.len() / 2, good.len() - 3] {
        bad.push(good.chars().take(length).collect());
    }
    for (place, letter) in good.char_indices().filter(|(place, _)| place % 7 == 0) {
        let mut damaged = good.clone();
        let changed = if letter == '7' { "8" } else { "7" };
        damaged.replace_range(place..place + letter.len_utf8(), changed);
        bad.push(damaged);
    }
    for text in bad {
        shelf.store(&key(&game), &text);
        assert_eq!(recall(&game, &shelf, &mut meter()), None, "{text}");
        answers_are_right(&game, &shelf);
        assert_eq!(shelf.load(&key(&game)).as_deref(), Some(good.as_str()));
    }
}

#[test]
fn rules_that_differ_in_anything_that_counts_have_keys_of_their_own() {
    let texts = [
        "rules {1,2,3}",
        "rules {1,2,4}",
        "play misere\nrules {1,2,3}",
        "game bash(m = 3)\n[n] -> [n-k] where 1 <= k <= m",
        "game bash(m = 4)\n[n] -> [n-k] where 1 <= k <= m",
    ];
    let mut keys: Vec<String> = texts.iter().map(|text| key(&rules(text))).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), texts.len());
}
