//! Laws of heaps that are proved to be digit recursions: each heap has a value that is said, or that of a smaller heap.

use std::fmt::Write as _;

use grundy_certificate::automatic::Order;
use grundy_certificate::{Case, Law as Proved, PointerClass, Pointers, Recursion};
use num_bigint::BigUint;
use num_traits::ToPrimitive as _;

use super::{Law, of_heaps};
use crate::emit::program::{Expr, Term, Type};
use crate::emit::snippet::{functions, prelude};

/// A longer table does not belong into a program.
const MOST_VALUES: usize = 5_000;

/// The program of a law; `about` tells on what it stands. `None` if it is no recursion, or a large one.
pub(super) fn law(word: &str, proved: &Proved, about: String) -> Option<Law> {
    let (text, tables) = match proved {
        Proved::Pointers(law) => pointers(word, law)?,
        Proved::Recursion(law) => recursion(word, law)?,
        _ => return None,
    };
    let function = functions(&text, prelude(), &[]).remove(0);
    let mut law = of_heaps(function, vec![about]);
    let list = Type::list(Type::Number);
    law.tables = tables
        .into_iter()
        .map(|(name, entries)| {
            let term = Term::List(entries.into_iter().map(Expr::number).collect());
            let of = list.clone();
            (name.to_owned(), list.clone(), Some(Expr { term, of }))
        })
        .collect();
    Some(law)
}

/// A function, and the tables that it is given.
type Text = (String, Vec<(&'static str, Vec<u64>)>);

/// By residues.
fn pointers(word: &str, law: &Pointers) -> Option<Text> {
    if law.start.is_empty() || law.start.len() > MOST_VALUES {
        return None;
    }
    let mut classes = String::new();
    for (residue, class) in law.classes.iter().enumerate() {
        let (is_new, times, plus) = match *class {
            PointerClass::New { times, plus } => (true, times, plus),
            PointerClass::Pointer { times, plus } => (false, times, plus),
        };
        if times > law.modulus {
            return None;
        }
        let said = sum(times, "quotient", plus);
        let then = if is_new {
            format!("return {said}")
        } else {
            format!("set heap = {said}")
        };
        let _ = write!(
            classes,
            "    if class = {residue} {{\n      {then}\n    }}\n"
        );
    }
    let text = format!(
        "# The value of a heap of n: it is said, or that of a smaller heap.\n\
         function {word}_value(n: number, first_values: list of number): number {{\n  \
           let heap = n\n  \
           while heap >= {} {{\n    \
             let quotient = heap / {}\n    \
             let class = heap mod {}\n\
         {classes}  \
           }}\n  \
           return first_values[heap]\n\
         }}\n",
        law.start.len(),
        law.modulus,
        law.modulus
    );
    Some((text, vec![("first_values", law.start.clone())]))
}

/// By an automaton that reads the digits of each heap.
fn recursion(word: &str, law: &Recursion) -> Option<Text> {
    if law.table.len() > MOST_VALUES {
        return None;
    }
    let mut cases = String::new();
    for (place, case) in law.cases.iter().enumerate() {
        let variable = if case.is_new { "value" } else { "heap" };
        let _ = write!(
            cases,
            "    if class = {place} {{\n      set {variable} = {}\n    }}\n",
            line(case)?
        );
    }
    let base = law.base;
    let read = match law.order {
        Order::LeastSignificantFirst => format!(
            "    while rest > 0 {{\n      \
               set state = next_state[state * {base} + rest mod {base}]\n      \
               set rest = rest / {base}\n    \
             }}\n"
        ),
        Order::MostSignificantFirst => format!(
            "    let place = 1\n    \
             while place <= heap / {base} {{\n      \
               set place = place * {base}\n    \
             }}\n    \
             while place > 0 {{\n      \
               set state = next_state[state * {base} + rest / place]\n      \
               set rest = rest mod place\n      \
               set place = place / {base}\n    \
             }}\n"
        ),
    };
    let text = format!(
        "# The value of a heap of n: digits tell whether it is said, or that of a smaller heap.\n\
         function {word}_value(n: number, next_state: list of number, case_of: list of number): number {{\n  \
           let heap = n\n  \
           let value = 0 - 1\n  \
           while value < 0 {{\n    \
             if heap = 0 {{\n      \
               return {}\n    \
             }}\n    \
             let state = 0\n    \
             let rest = heap\n\
         {read}    \
             let class = case_of[state]\n\
         {cases}  \
           }}\n  \
           return value\n\
         }}\n",
        law.value(&BigUint::ZERO)?.to_u64()?
    );
    let numbers = |of: &[u32]| of.iter().map(|n| u64::from(*n)).collect();
    let tables = vec![
        ("next_state", numbers(&law.table)),
        ("case_of", numbers(&law.case_of)),
    ];
    Some((text, tables))
}

/// What a case says of a heap, divided before it is multiplied, so that it fits where the heap does.
fn line(case: &Case) -> Option<String> {
    let Case {
        times, plus, over, ..
    } = *case;
    if times > over {
        return None;
    }
    Some(match (times, over) {
        (0, over) => plus.checked_div(over.to_i64()?)?.to_string(),
        (times, 1) => sum(times, "heap", plus),
        (times, over) => {
            let rest = sum(times, &format!("(heap mod {over})"), plus);
            format!("{times} * (heap / {over}) + ({rest}) / {over}")
        }
    })
}

/// `times * of + plus`
fn sum(times: u64, of: &str, plus: i64) -> String {
    let scaled = match times {
        0 => return plus.to_string(),
        1 => of.to_owned(),
        times => format!("{times} * {of}"),
    };
    match plus {
        0 => scaled,
        plus if plus < 0 => format!("{scaled} - {}", plus.unsigned_abs()),
        plus => format!("{scaled} + {plus}"),
    }
}
