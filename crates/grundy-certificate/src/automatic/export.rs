//! The obligations as text for other provers, so that nobody need trust this checker.
//!
//! MONA (Klarlund, Møller and Schwartzbach) knows finite sets of positions: a number is the set of its binary digits 1, so
//! its files are for base 2. Walnut (Mousavi) knows linear arithmetic in bases and in Zeckendorf's system; its automata are
//! files of their own, which the text shows one after the other.

use std::collections::BTreeMap;
use std::fmt::Write;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};

use super::formula::{Atom, Bits, Clause, Formula, Term, Variable};
use super::machine::Language;
use super::numeration::{Automaton, Numeration, Order};
use super::obligations::{Obligations, Statement};
use crate::refusal::Reason;

/// A program that decides such obligations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prover {
    /// MONA, for base 2.
    Mona,
    /// Walnut, for bases and for Zeckendorf's system.
    Walnut,
}

/// The obligations as text.
pub(crate) fn export(
    obligations: &Obligations,
    language: &Language,
    prover: Prover,
) -> Result<String, Reason> {
    match prover {
        Prover::Mona if language.numeration == Numeration::Base(2) => mona(obligations, language),
        Prover::Walnut if language.numeration.is_base() => walnut(obligations, language),
        Prover::Walnut if language.numeration == Numeration::ZECKENDORF => {
            walnut(obligations, language)
        }
        Prover::Mona | Prover::Walnut => Err(Reason::Numeration),
    }
}

fn joined<T>(all: impl IntoIterator<Item = T>, with: &str, show: impl Fn(T) -> String) -> String {
    let all: Vec<String> = all.into_iter().map(show).collect();
    all.join(with)
}

fn unbound(clause: &Clause) -> Clause {
    Clause {
        bound: Vec::new(),
        body: clause.body.clone(),
    }
}

/// The sides of `term <= 0` or `term = 0` without negative numbers.
fn sides(term: &Term) -> [Term; 2] {
    let mut sides = [Term::default(), Term::default()];
    for (variable, coefficient) in &term.coefficients {
        let side = usize::from(coefficient.is_negative());
        let size = coefficient.abs();
        sides[side] = sides[side].plus(&size, &Term::variable(*variable));
    }
    let side = usize::from(term.constant.is_negative());
    sides[side].constant = term.constant.abs();
    sides
}

// MONA -----------------------------------------------------------------------------------------------------------------

const MONA: &str = "\
ws1s;
# A number is the set of the places where its binary digit is 1.
pred sum(var2 X, Y, Z) = ex2 C: 0 notin C
  & (all1 t: (t+1 in C <=> ((t in X & t in Y) | (t in X & t in C) | (t in Y & t in C))))
  & (all1 t: (t in Z <=> (t in X <=> (t in Y <=> t in C))));
pred twice(var2 X, Y) = 0 notin Y & (all1 t: (t in X <=> t+1 in Y));
pred atmost(var2 X, Y) = X = Y
  | (ex1 t: t notin X & t in Y & (all1 s: s > t => (s in X <=> s in Y)));
pred power(var2 X) = ex1 t: X = {t};
";

fn name(variable: Variable) -> String {
    format!("X{variable}")
}

fn mona(obligations: &Obligations, language: &Language) -> Result<String, Reason> {
    let mut text = MONA.to_owned();
    for (index, automaton) in language.automata.iter().enumerate() {
        mona_automaton(&mut text, index, automaton, language.order);
    }
    let mut mona = Mona { next: 0 };
    for statement in &obligations.statements {
        // What is bound on the left is quantified before the implication.
        let free = statement.free();
        let left = mona.clause(&unbound(&statement.left))?;
        let right = statement.right.iter().map(|clause| mona.clause(clause));
        let right = right.collect::<Result<Vec<_>, _>>()?;
        let implied = if right.is_empty() {
            format!("~{left}")
        } else {
            format!("{left} => ({})", right.join("\n  | "))
        };
        let numbers = joined(free, ", ", name);
        let all = if numbers.is_empty() {
            String::new()
        } else {
            format!("all2 {numbers}: ")
        };
        let _ = writeln!(text, "# {:?}\n{all}({implied});", statement.goal);
    }
    Ok(text)
}

/// A run of an automaton: the bits of its states stand at the places between the digits, up to some place beyond all digits.
fn mona_automaton(text: &mut String, index: usize, automaton: &Automaton, order: Order) {
    let states = automaton.accepting.len();
    let bits = (usize::BITS - (states - 1).leading_zeros()).max(1);
    let tracks = joined(1..=automaton.tracks, ", ", |track| format!("X{track}"));
    let sets = joined(0..bits, ", ", |bit| format!("S{bit}"));
    let at = |state: usize, place: &str| {
        let member = |bit: u32| {
            let member = if state >> bit & 1 == 1 { "in" } else { "notin" };
            format!("{place} {member} S{bit}")
        };
        format!("({})", joined(0..bits, " & ", member))
    };
    let (start, end) = match order {
        Order::LeastSignificantFirst => ("0", "n"),
        Order::MostSignificantFirst => ("n", "0"),
    };
    let (before, after) = match order {
        Order::LeastSignificantFirst => ("t", "t+1"),
        Order::MostSignificantFirst => ("t+1", "t"),
    };
    let letters = automaton.table.len() / states;
    let steps = (0..automaton.table.len()).map(|entry| {
        let (state, letter) = (entry / letters, entry % letters);
        let digit = |track: usize| {
            let one = letter >> (automaton.tracks - track) & 1 == 1;
            let member = if one { "in" } else { "notin" };
            format!(" & t {member} X{track}")
        };
        let digits = joined(1..=automaton.tracks, "", digit);
        let target = automaton.table[entry] as usize;
        format!("({}{digits} => {})", at(state, before), at(target, after))
    });
    let steps = joined(steps, "\n    & ", |step| step);
    let accepting = (0..states).filter(|state| automaton.accepting[*state]);
    let accepting = joined(accepting, " | ", |state| at(state, end));
    let accepting = if accepting.is_empty() {
        "false".to_owned()
    } else {
        accepting
    };
    let below = joined(1..=automaton.tracks, "", |track| {
        format!(" & (all1 t: t in X{track} => t < n)")
    });
    let _ = writeln!(
        text,
        "pred automaton{index}(var2 {tracks}) = ex1 n: ex2 {sets}: {}{below}\n  & (all1 t: t < n => ({steps}))\n  & ({accepting});",
        at(0, start)
    );
}

struct Mona {
    next: usize,
}

impl Mona {
    fn clause(&mut self, clause: &Clause) -> Result<String, Reason> {
        let all = clause.body.iter().map(|formula| self.formula(formula));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        let all = if all.is_empty() {
            "true".to_owned()
        } else {
            all.join(" & ")
        };
        let bound = joined(clause.bound.iter().copied(), ", ", name);
        Ok(if bound.is_empty() {
            format!("({all})")
        } else {
            format!("(ex2 {bound}: {all})")
        })
    }

    fn formula(&mut self, formula: &Formula) -> Result<String, Reason> {
        let mut each = |all: &[Formula], with: &str, none: &str| {
            let all = all.iter().map(|formula| self.formula(formula));
            let all = all.collect::<Result<Vec<_>, _>>()?;
            Ok::<_, Reason>(if all.is_empty() {
                none.to_owned()
            } else {
                format!("({})", all.join(with))
            })
        };
        match formula {
            Formula::All(all) => each(all, " & ", "true"),
            Formula::Any(any) => each(any, " | ", "false"),
            Formula::Not(inner) => Ok(format!("~{}", self.formula(inner)?)),
            Formula::Atom(atom) => self.atom(atom),
            Formula::Some(..) => unreachable!("clauses have no quantifier inside"),
        }
    }

    fn fresh(&mut self, made: &mut Made) -> String {
        self.next += 1;
        let name = format!("T{}", self.next);
        made.sets.push(name.clone());
        name
    }

    /// The set of a number that is a sum without negative terms.
    fn sum(&mut self, term: &Term, made: &mut Made) -> String {
        let mut total: Option<String> = None;
        for (variable, coefficient) in &term.coefficients {
            let mut power = name(*variable);
            for bit in 0..coefficient.bits() {
                if bit > 0 {
                    let next = self.fresh(made);
                    made.conditions.push(format!("twice({power}, {next})"));
                    power = next;
                }
                if coefficient.bit(bit) {
                    total = Some(self.plus(total, power.clone(), made));
                }
            }
        }
        if !term.constant.is_zero() || total.is_none() {
            let number = number_set(term.constant.magnitude());
            let constant = self.fresh(made);
            made.conditions.push(format!("{constant} = {number}"));
            total = Some(self.plus(total, constant, made));
        }
        total.expect("it was just set")
    }

    fn plus(&mut self, total: Option<String>, more: String, made: &mut Made) -> String {
        let Some(total) = total else {
            return more;
        };
        let sum = self.fresh(made);
        made.conditions.push(format!("sum({total}, {more}, {sum})"));
        sum
    }

    fn atom(&mut self, atom: &Atom) -> Result<String, Reason> {
        let mut made = Made::default();
        let condition = match atom {
            Atom::Zero(term) | Atom::AtMostZero(term) => {
                let [left, right] = sides(term);
                let left = self.sum(&left, &mut made);
                let right = self.sum(&right, &mut made);
                if matches!(atom, Atom::Zero(_)) {
                    format!("{left} = {right}")
                } else {
                    format!("atmost({left}, {right})")
                }
            }
            Atom::Multiple(modulus, term) => {
                let [left, right] = sides(term);
                self.next += 1;
                // A variable of its own, which no formula uses.
                let quotient = (1 << 40) + self.next;
                made.sets.push(name(quotient));
                let product = Term::variable(quotient).times(&BigInt::from(*modulus));
                let more = left.plus(&BigInt::one(), &product);
                let less = right.plus(&BigInt::one(), &product);
                let [left, right] = [&left, &right].map(|term| self.sum(term, &mut made));
                let [more, less] = [&more, &less].map(|term| self.sum(term, &mut made));
                format!("({left} = {less} | {right} = {more})")
            }
            Atom::Xor(all) => {
                let inside = |variable: &Variable| format!("t in {}", name(*variable));
                // A chain of equivalences is true iff an even number of its members are false.
                let mut chain = "true".to_owned();
                for variable in all {
                    chain = format!("({} <=> {chain})", inside(variable));
                }
                let even = if all.len() % 2 == 0 { "" } else { "~" };
                format!("(all1 t: {even}{chain})")
            }
            Atom::Bits(bits, [x, y, z]) => {
                let [x, y, z] = [x, y, z].map(|variable| name(*variable));
                let with = match bits {
                    Bits::And => "&",
                    Bits::Or => "|",
                };
                format!("(all1 t: (t in {z} <=> (t in {x} {with} t in {y})))")
            }
            Atom::PowerOf(2, variable) => format!("power({})", name(*variable)),
            Atom::PowerOf(..) | Atom::Fibonacci(_) => return Err(Reason::Numeration),
            Atom::Accepted(index, all) => {
                format!(
                    "automaton{index}({})",
                    joined(all, ", ", |variable| name(*variable))
                )
            }
        };
        made.conditions.push(condition);
        let all = made.conditions.join(" & ");
        Ok(if made.sets.is_empty() {
            format!("({all})")
        } else {
            format!("(ex2 {}: {all})", made.sets.join(", "))
        })
    }
}

/// Sets that are determined on the way.
#[derive(Default)]
struct Made {
    sets: Vec<String>,
    conditions: Vec<String>,
}

fn number_set(n: &BigUint) -> String {
    if n.is_zero() {
        return "empty".to_owned();
    }
    let ones = (0..n.bits()).filter(|bit| n.bit(*bit));
    format!("{{{}}}", joined(ones, ", ", |bit| bit.to_string()))
}

// Walnut ---------------------------------------------------------------------------------------------------------------

fn walnut(obligations: &Obligations, language: &Language) -> Result<String, Reason> {
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
                let digits = super::invariant::digits(
                    letter,
                    self.language.numeration.radix(),
                    automaton.tracks,
                );
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
        let step = |letter| u32::from(!holds(&super::invariant::digits(letter, radix, tracks)));
        let table = (0..letters).map(step).chain(vec![1; letters]).collect();
        let automaton = Automaton {
            tracks,
            table,
            accepting: vec![true, false],
        };
        let text = self.automaton(&automaton);
        self.files.insert(name.to_owned(), text);
    }

    fn statement(&mut self, statement: &Statement) -> Result<String, Reason> {
        let free = joined(statement.free(), ",", walnut_name);
        let left = self.clause(&unbound(&statement.left))?;
        let right = statement.right.iter().map(|clause| self.clause(clause));
        let right = right.collect::<Result<Vec<_>, _>>()?;
        let implied = if right.is_empty() {
            format!("~{left}")
        } else {
            format!("{left} => ({})", right.join(" | "))
        };
        Ok(if free.is_empty() {
            implied
        } else {
            format!("A{free} ({implied})")
        })
    }

    fn clause(&mut self, clause: &Clause) -> Result<String, Reason> {
        let all = clause.body.iter().map(|formula| self.formula(formula));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        let all = if all.is_empty() {
            "(0=0)".to_owned()
        } else {
            all.join(" & ")
        };
        let bound = joined(clause.bound.iter().copied(), ",", walnut_name);
        Ok(if bound.is_empty() {
            format!("({all})")
        } else {
            format!("(E{bound} {all})")
        })
    }

    fn formula(&mut self, formula: &Formula) -> Result<String, Reason> {
        let mut each = |all: &[Formula], with: &str, none: &str| {
            let all = all.iter().map(|formula| self.formula(formula));
            let all = all.collect::<Result<Vec<_>, _>>()?;
            Ok::<_, Reason>(if all.is_empty() {
                none.to_owned()
            } else {
                format!("({})", all.join(with))
            })
        };
        match formula {
            Formula::All(all) => each(all, " & ", "(0=0)"),
            Formula::Any(any) => each(any, " | ", "(0=1)"),
            Formula::Not(inner) => Ok(format!("~{}", self.formula(inner)?)),
            Formula::Atom(atom) => self.atom(atom),
            Formula::Some(..) => unreachable!("clauses have no quantifier inside"),
        }
    }

    fn atom(&mut self, atom: &Atom) -> Result<String, Reason> {
        let of = |all: &[Variable]| joined(all, ",", |variable| walnut_name(*variable));
        Ok(match atom {
            Atom::Zero(term) => {
                let [left, right] = sides(term);
                format!("({}={})", walnut_sum(&left), walnut_sum(&right))
            }
            Atom::AtMostZero(term) => {
                let [left, right] = sides(term);
                format!("({}<={})", walnut_sum(&left), walnut_sum(&right))
            }
            Atom::Multiple(modulus, term) => {
                let [left, right] = sides(term).map(|side| walnut_sum(&side));
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
                format!("$grundy_place({})", walnut_name(*variable))
            }
            Atom::PowerOf(..) => return Err(Reason::Numeration),
            Atom::Fibonacci(variable) => {
                self.place();
                format!("$grundy_place({})", walnut_name(*variable))
            }
            Atom::Accepted(index, all) => format!("$grundy_{index}({})", of(all)),
        })
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

fn walnut_name(variable: Variable) -> String {
    format!("x{variable}")
}

fn walnut_sum(term: &Term) -> String {
    let mut parts: Vec<String> = term
        .coefficients
        .iter()
        .map(|(variable, coefficient)| {
            if coefficient.is_one() {
                walnut_name(*variable)
            } else {
                format!("{coefficient}*{}", walnut_name(*variable))
            }
        })
        .collect();
    if !term.constant.is_zero() || parts.is_empty() {
        parts.push(term.constant.to_string());
    }
    parts.join("+")
}
