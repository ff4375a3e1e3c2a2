//! The obligations as commands for Walnut, with the automata as files of their own.

use std::collections::BTreeMap;
use std::fmt::Write;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use super::super::formula::{Atom, Bits, Term, Variable};
use super::super::invariant::digits;
use super::super::machine::Language;
use super::super::numeration::{Automaton, Numeration, Order};
use super::super::obligations::Obligations;
use super::{Writer, joined, sides};
use crate::refusal::Reason;

/// The obligations as text.
pub(super) fn text(obligations: &Obligations, language: &Language) -> Result<String, Reason> {
    let order = match language.order {
        Order::MostSignificantFirst => "msd",
        Order::LeastSignificantFirst => "lsd",
    };
    let system = match language.numeration {
        Numeration::Base(base) => format!("{order}_{base}"),
        Numeration::Recurrence { .. } => format!("{order}_fib"),
    };
    let mut walnut = Walnut {
        files: BTreeMap::new(),
        system: &system,
        language,
    };
    for (index, automaton) in language.automata.iter().enumerate() {
        let text = walnut.automaton(automaton);
        walnut.files.insert(format!("grundy_{index}"), text);
    }
    let mut commands = String::new();
    for (number, statement) in obligations.statements.iter().enumerate() {
        let predicate = walnut.statement(statement)?;
        let _ = writeln!(
            commands,
            "eval grundy_obligation_{number} \"?{system} {predicate}\":"
        );
    }
    let mut text = String::new();
    for (name, file) in &walnut.files {
        let _ = writeln!(text, "== Automata Library/{name}.txt\n{file}");
    }
    let _ = write!(text, "== Command Files/grundy.txt\n{commands}");
    Ok(text)
}

struct Walnut<'w> {
    /// Automata by name.
    files: BTreeMap<String, String>,
    system: &'w str,
    language: &'w Language,
}

impl Walnut<'_> {
    fn automaton(&self, automaton: &Automaton) -> String {
        let letters = automaton.table.len() / automaton.accepting.len();
        let mut text = joined(0..automaton.tracks, " ", |_| self.system.to_owned());
        text.push('\n');
        for (state, accepts) in automaton.accepting.iter().enumerate() {
            let _ = writeln!(text, "\n{state} {}", u8::from(*accepts));
            for letter in 0..letters {
                let digits = digits(letter, self.language.numeration.radix(), automaton.tracks);
                let digits = joined(digits, " ", |digit| digit.to_string());
                let target = automaton.table[state * letters + letter];
                let _ = writeln!(text, "{digits} -> {target}");
            }
        }
        text
    }

    /// An automaton of one state that stays while the digits are so, and one that is dead.
    fn digitwise(&mut self, name: &str, tracks: usize, holds: impl Fn(&[u32]) -> bool) {
        let radix = self.language.numeration.radix();
        let letters = Automaton::letters(radix, tracks).expect("machines read them");
        let step = |letter| u32::from(!holds(&digits(letter, radix, tracks)));
        let table = (0..letters).map(step).chain(vec![1; letters]).collect();
        let automaton = Automaton {
            tracks,
            table,
            accepting: vec![true, false],
        };
        let text = self.automaton(&automaton);
        self.files.insert(name.to_owned(), text);
    }

    /// An automaton that accepts one number: Walnut's own numbers have 31 bits.
    fn number(&mut self, number: &BigUint) -> String {
        let digits = written(number, self.language.numeration);
        let radix = self.language.numeration.radix();
        let (last, dead) = (digits.len(), digits.len() + 1);
        let index = |state: usize| u32::try_from(state).expect("a number has fewer digits");
        let (order, padded) = match self.language.order {
            Order::MostSignificantFirst => (digits, 0),
            Order::LeastSignificantFirst => (digits.into_iter().rev().collect(), last),
        };
        let step = |state: usize, digit: u32| match order.get(state) {
            Some(next) if *next == digit => index(state + 1),
            _ if state == padded && digit == 0 => index(padded),
            _ => index(dead),
        };
        let table = (0..=dead).flat_map(|state| (0..radix).map(move |digit| step(state, digit)));
        let automaton = Automaton {
            tracks: 1,
            table: table.collect(),
            accepting: (0..=dead).map(|state| state == last).collect(),
        };
        let name = format!("grundy_number_{number}");
        let text = self.automaton(&automaton);
        self.files.insert(name.clone(), text);
        name
    }

    /// A sum without negative terms. A constant too large for Walnut is called `c` and is to be what this file accepts.
    fn sum(&mut self, term: &Term, large: &mut Option<String>) -> Result<String, Reason> {
        let small = |number: &BigInt| number.to_i32().ok_or(Reason::TooLarge);
        let mut parts = Vec::new();
        for (variable, coefficient) in &term.coefficients {
            parts.push(if coefficient.is_one() {
                name(*variable)
            } else {
                format!("{}*{}", small(coefficient)?, name(*variable))
            });
        }
        if small(&term.constant).is_err() {
            *large = Some(self.number(term.constant.magnitude()));
            parts.push("c".to_owned());
        } else if !term.constant.is_zero() || parts.is_empty() {
            parts.push(term.constant.to_string());
        }
        Ok(parts.join("+"))
    }

    /// One digit is 1, the others 0.
    fn place(&mut self) {
        let radix = self.language.numeration.radix();
        let table = [0, 1, 2].map(|state: u32| {
            (0..radix).map(move |digit| match (state, digit) {
                (state, 0) => state,
                (0, 1) => 1,
                _ => 2,
            })
        });
        let automaton = Automaton {
            tracks: 1,
            table: table.into_iter().flatten().collect(),
            accepting: vec![false, true, false],
        };
        let text = self.automaton(&automaton);
        self.files.insert("grundy_place".to_owned(), text);
    }
}

impl Writer for Walnut<'_> {
    const TRUTHS: [&'static str; 2] = ["(0=0)", "(0=1)"];

    fn exists(bound: &[Variable], holds: &str) -> String {
        format!("(E{} {holds})", joined(bound, ",", |x| name(*x)))
    }

    fn for_all(free: &[Variable], holds: &str) -> String {
        format!("A{} ({holds})", joined(free, ",", |x| name(*x)))
    }

    fn atom(&mut self, atom: &Atom) -> Result<String, Reason> {
        let of = |all: &[Variable]| joined(all, ",", |variable| name(*variable));
        let mut large = None;
        let condition = match atom {
            Atom::Zero(term) | Atom::AtMostZero(term) | Atom::Multiple(_, term) => {
                let [left, right] = sides(term);
                let (left, right) = (self.sum(&left, &mut large)?, self.sum(&right, &mut large)?);
                match atom {
                    Atom::Zero(_) => format!("({left}={right})"),
                    Atom::AtMostZero(_) => format!("({left}<={right})"),
                    Atom::Multiple(modulus, _) => {
                        format!("(Eq {left}={right}+{modulus}*q | {right}={left}+{modulus}*q)")
                    }
                    _ => unreachable!("it has a term"),
                }
            }
            Atom::Xor(all) => {
                let file = format!("grundy_xor_{}", all.len());
                self.digitwise(&file, all.len(), |digits| {
                    digits.iter().fold(0, |sum, digit| sum ^ digit) == 0
                });
                format!("${file}({})", of(all))
            }
            Atom::Bits(Bits::And, all) => {
                self.digitwise("grundy_and", 3, |digits| digits[0] & digits[1] == digits[2]);
                format!("$grundy_and({})", of(all))
            }
            Atom::Bits(Bits::Or, all) => {
                self.digitwise("grundy_or", 3, |digits| digits[0] | digits[1] == digits[2]);
                format!("$grundy_or({})", of(all))
            }
            Atom::PowerOf(power, variable)
                if self.language.numeration == Numeration::Base(*power) =>
            {
                self.place();
                format!("$grundy_place({})", name(*variable))
            }
            Atom::PowerOf(..) => return Err(Reason::Numeration),
            Atom::Fibonacci(variable) => {
                self.place();
                format!("$grundy_place({})", name(*variable))
            }
            Atom::Accepted(index, all) => format!("$grundy_{index}({})", of(all)),
        };
        Ok(match large {
            None => condition,
            Some(file) => format!("(Ec ${file}(c) & {condition})"),
        })
    }
}

fn name(variable: Variable) -> String {
    format!("x{variable}")
}

/// The digits of a number, most significant first: as much of each place as fits.
fn written(number: &BigUint, numeration: Numeration) -> Vec<u32> {
    let (factor, carry, before) = numeration.recurrence();
    let mut places = vec![BigInt::from(before), BigInt::one()];
    let mut rest = BigInt::from(number.clone());
    while places[places.len() - 1] <= rest {
        let [.., lower, last] = places.as_slice() else {
            unreachable!("there are two places at least")
        };
        places.push(last * factor + lower * carry);
    }
    let below = places[1..places.len() - 1].iter().rev();
    below
        .map(|place| {
            let (digit, left) = rest.div_rem(place);
            rest = left;
            digit.to_u32().expect("a digit is less than the radix")
        })
        .collect()
}
