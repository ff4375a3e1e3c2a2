//! The obligations as a file for MONA: in WS1S a number is the set of the places of its binary digits 1.

use std::fmt::Write;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use super::super::formula::{Atom, Bits, Term, Variable};
use super::super::machine::Language;
use super::super::numeration::{Automaton, Order};
use super::super::obligations::Obligations;
use super::{Writer, joined, sides};
use crate::refusal::Reason;

const PREDICATES: &str = "\
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

/// The obligations as text.
pub(super) fn text(obligations: &Obligations, language: &Language) -> Result<String, Reason> {
    let mut text = PREDICATES.to_owned();
    for (index, automaton) in language.automata.iter().enumerate() {
        automaton_predicate(&mut text, index, automaton, language.order);
    }
    let mut mona = Mona { next: 0 };
    for statement in &obligations.statements {
        let holds = mona.statement(statement)?;
        let _ = writeln!(text, "# {:?}\n{holds};", statement.goal);
    }
    Ok(text)
}

/// A run of an automaton: the bits of its states stand at the places between the digits, up to some place beyond all digits.
fn automaton_predicate(text: &mut String, index: usize, automaton: &Automaton, order: Order) {
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
}

impl Writer for Mona {
    const TRUTHS: [&'static str; 2] = ["true", "false"];

    fn exists(bound: &[Variable], holds: &str) -> String {
        format!("(ex2 {}: {holds})", joined(bound, ", ", |x| name(*x)))
    }

    fn for_all(free: &[Variable], holds: &str) -> String {
        format!("all2 {}: ({holds})", joined(free, ", ", |x| name(*x)))
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
                // A variable of its own: formulas count theirs from 0.
                let quotient = usize::MAX - self.next;
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
