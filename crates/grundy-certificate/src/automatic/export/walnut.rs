//! The obligations as commands for Walnut, with the automata as files of their own.

use std::collections::BTreeMap;
use std::fmt::Write;

use num_traits::{One, Zero};

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
        Ok(match atom {
            Atom::Zero(term) => {
                let [left, right] = sides(term);
                format!("({}={})", sum(&left), sum(&right))
            }
            Atom::AtMostZero(term) => {
                let [left, right] = sides(term);
                format!("({}<={})", sum(&left), sum(&right))
            }
            Atom::Multiple(modulus, term) => {
                let [left, right] = sides(term).map(|side| sum(&side));
                format!("(Eq {left}={right}+{modulus}*q | {right}={left}+{modulus}*q)")
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
        })
    }
}

fn name(variable: Variable) -> String {
    format!("x{variable}")
}

fn sum(term: &Term) -> String {
    let mut parts: Vec<String> = term
        .coefficients
        .iter()
        .map(|(variable, coefficient)| {
            if coefficient.is_one() {
                name(*variable)
            } else {
                format!("{coefficient}*{}", name(*variable))
            }
        })
        .collect();
    if !term.constant.is_zero() || parts.is_empty() {
        parts.push(term.constant.to_string());
    }
    parts.join("+")
}
