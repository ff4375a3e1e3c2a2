//! Laws that people found, with the rules that they are the laws of.

// Each program that includes this uses some of it.
#![allow(dead_code)]

use grundy::oracle::Oracle;
use grundy::proof::automatic::default_budget;
use grundy_automata::{
    Atom, Automaton, DigitOrder, Encoding, Formula, NumerationSystem, Relation, Variable,
};
use grundy_rules::{Budget, Component, Meter, Ruleset, parse};

pub const NIM: &str = "[n] -> [n-k] where k >= 1";
pub const LASKER: &str = "[n] -> [n-k] where k >= 1\n[n] -> [a] + [n-a] where 1 <= a < n";
pub const LASKER_LAW: &str = "grundy [n] = n + 1 if n mod 4 = 3; n - 1 if n mod 4 = 0 and n > 0; n";
pub const FIBONACCI_NIM: &str =
    "start [n] as [n, max(n-1, 0)]\n[n, q] -> [n-k, 2*k] where 1 <= k <= q";
pub const E_AND_D: &str = "unordered\n[x, y] -> [a, x-a] where 1 <= a < x, y >= 1";

/// Rules of heaps, and what each heap is worth.
pub const OF_ONE_HEAP: &[(&str, &str)] = &[
    (NIM, "grundy [n] = n"),
    ("[n] -> [n-k] where 1 <= k <= 3", "grundy [n] = n mod 4"),
    ("[n] -> [n-k] where 1 <= k <= 5", "grundy [n] = n mod 6"),
    (
        "[n] -> [n-k] where k in powers of 2",
        "grundy [n] = n mod 3",
    ),
    (LASKER, LASKER_LAW),
    (
        "[n] -> [n-k] where k >= 1\n[n] -> [a] + [b] + [n-a-b] where a >= 1, b >= 1, a+b < n",
        "grundy [n] = n + 1 if n mod 8 = 7; n - 1 if n mod 8 = 0 and n > 0; n",
    ),
    (
        "[n] -> [a] + [n-a] where 1 <= a < n",
        "grundy [n] = 1 if n > 0 and n mod 2 = 0; 0",
    ),
];

/// Rules of heaps whose values repeat, from which heap on, and after how many.
pub const PERIODIC: &[(&str, usize, usize)] = &[
    ("rules {2,5}", 0, 7),
    ("rules {3,7,10}", 0, 45),
    ("rules 0.77", 71, 12),
    ("rules 0.07", 53, 34),
];

pub const X: Variable = Variable(0);
pub const Y: Variable = Variable(1);
pub const Z: Variable = Variable(2);

pub fn rules(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

pub fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: 1 << 30,
        bytes: 1 << 30,
    })
}

pub fn automata() -> grundy_automata::Meter<'static> {
    grundy_automata::Meter::new(default_budget())
}

pub fn base(k: u32) -> NumerationSystem {
    NumerationSystem::base(k).expect("a base")
}

/// The law of values that repeat from `start` on, in pieces.
pub fn periodic(values: &[u64], start: usize) -> String {
    let period = values.len() - start;
    let exceptions = (0..start).map(|n| format!("{} if n = {n}; ", values[n]));
    let cycle = (start..values.len())
        .map(|n| format!("{} if n mod {period} = {}; ", values[n], n % period));
    let pieces: String = exceptions.chain(cycle).collect();
    format!("grundy [n] = {pieces}0")
}

/// The values of the first heaps.
pub fn oracle_values(text: &str, heaps: usize) -> Vec<u64> {
    let ruleset = rules(text);
    let mut oracle = Oracle::new(&ruleset);
    (0..heaps)
        .map(|n| {
            let heap = Component::of_numbers([n as u64]);
            oracle.grundy_value(&heap, &mut meter()).expect("small")
        })
        .collect()
}

/// Wythoff's game, with amounts that differ by less than `r` where they are taken from both heaps.
pub fn wythoff(r: u32) -> String {
    format!(
        "[x, y] -> [x-k, y] | [x, y-k] where k >= 1\n\
         [x, y] -> [x-k, y-l] where k >= 1, l >= 1, abs(k-l) < {r}"
    )
}

/// Its lost positions, in the system of numeration that belongs to `r`: Wythoff (1907), Fraenkel (1982).
pub fn wythoff_lost() -> Formula {
    let even = Atom::TrailingZeros {
        remainder: 0,
        modulus: 2,
    };
    let pair = |x, y| Formula::atom(even.clone(), [x]).and(Formula::atom(Atom::Shifted, [x, y]));
    let empty = Formula::equal(X, 0).and(Formula::equal(Y, 0));
    empty.or(pair(X, Y)).or(pair(Y, X))
}

/// The lost positions of Fibonacci Nim in Zeckendorf's system: Whinihan (1963).
pub fn fibonacci_nim_lost() -> Formula {
    let (u, v) = (Variable(10), Variable(11));
    let term = |f| Formula::atom(Atom::DigitAt(1), [X, f]);
    let smaller = Formula::exists([v], term(v).and(Formula::less(v, u)));
    let least = Formula::exists([u], term(u).and(smaller.negated()).and(Formula::less(Y, u)));
    Formula::equal(X, 0).or(least)
}

/// E&D: the value is the least place at which x-1 and y-1 both have the binary digit 0, and stands as a power of two.
pub fn e_and_d() -> Formula {
    let (q, a, b) = (Variable(11), Variable(12), Variable(13));
    let zero_at = |place| {
        Formula::atom(Atom::DigitAt(0), [a, place]).and(Formula::atom(Atom::DigitAt(0), [b, place]))
    };
    let earlier = Formula::exists([q], Formula::less(q, Z).and(zero_at(q)));
    let least = Formula::atom(Atom::PlaceValue, [Z])
        .and(zero_at(Z))
        .and(earlier.negated());
    let both = Formula::equal(X, a + 1)
        .and(Formula::equal(Y, b + 1))
        .and(least);
    let none = Formula::equal(X, 0).or(Formula::equal(Y, 0));
    let empty = none.and(Formula::equal(Z, 1));
    Formula::exists([a, b], both).or(empty)
}

/// The rules of Nim with takes from up to `most` heaps.
pub fn moore(most: u32) -> String {
    format!("compound selective up to {most}\n{NIM}")
}

/// Its lost positions: at each place the binary digits add up to a multiple of `most + 1`. Moore (1910).
pub fn moore_lost(heaps: u32, most: u32) -> Relation {
    let encoding = Encoding::new(base(2), DigitOrder::Lsd);
    let alphabet = encoding.alphabet(heaps as usize).expect("few tracks");
    let letters = u32::try_from(alphabet.letters()).expect("few");
    let table = (0..2 * letters)
        .map(|at| u32::from(at >= letters || at.count_ones() % (most + 1) > 0))
        .collect();
    let automaton = Automaton::new(alphabet, table, vec![true, false]).expect("a table");
    Relation::new(encoding, &automaton, &mut automata()).expect("canonical")
}
