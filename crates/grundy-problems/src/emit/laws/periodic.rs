//! Laws of heaps that are proved to be periodic, also up to a saltus, or to be digit recursions.

use grundy::answer::Knowledge;
use grundy::answer::learn::learn;
use grundy::outcome::Evidence;
use grundy::shape::Shape;
use grundy_certificate::Law as Proved;
use grundy_rules::{Meter, Ruleset};

use super::{Law, of_heaps, recursion};
use crate::emit::Grounds;
use crate::emit::program::{Expr, Term, Type};
use crate::emit::snippet::{functions, prelude};

/// How far a law is looked for.
const FAR: u64 = 10_000;
/// What looking for it may cost.
const LOOK: u64 = 1 << 22;
/// A longer table does not belong into a program.
const MOST_VALUES: u64 = 5_000;

/// The law of a game of heaps of one number whose values are proved to repeat, or to follow from those of smaller heaps.
pub(in crate::emit) fn law(rules: &Ruleset, grounds: &Grounds, meter: &mut Meter) -> Option<Law> {
    if grundy::oracle::has_values(rules).is_err() || !Shape::of(rules).is_heaps() {
        return None;
    }
    let look = |meter: &mut Meter| {
        learn(
            rules,
            Some(FAR),
            grounds.accept_conjecture,
            grounds.shelf,
            meter,
        )
    };
    let (learned, _) = meter.capped(LOOK, look);
    let learned = learned?;
    let word: String = rules
        .name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let periodic = match learned.law()? {
        Proved::Periodic(periodic) => periodic,
        other => {
            let said = format!(
                "{}: the value of each heap is linear in it, or that of a smaller heap",
                rules.name
            );
            let about = on_what(&said, &learned.evidence());
            return recursion::law(&word, other, about);
        }
    };
    let (start, period, saltus) = (periodic.preperiod, periodic.period, periodic.saltus);
    let listed = start + period;
    if listed > MOST_VALUES {
        return None;
    }
    let values: Vec<Expr> = (0..listed)
        .map(|heap| periodic.values.get(usize::try_from(heap).ok()?))
        .map(|value| value.map(|value| Expr::number(*value)))
        .collect::<Option<_>>()?;
    let last = match (start, saltus) {
        (0, 0) => format!("  return first_values[n mod {period}]\n"),
        (0, saltus) => {
            format!("  return first_values[n mod {period}] + {saltus} * (n / {period})\n")
        }
        (start, 0) => format!(
            "  if n < {start} {{\n    return first_values[n]\n  }}\n  \
             return first_values[{start} + (n - {start}) mod {period}]\n"
        ),
        (start, saltus) => format!(
            "  if n < {start} {{\n    return first_values[n]\n  }}\n  let laps = (n - {start}) / {period}\n  \
             return first_values[n - laps * {period}] + {saltus} * laps\n"
        ),
    };
    let text = format!(
        "# The value of a heap of n.\nfunction {word}_value(n: number, first_values: list of number): number {{\n{last}}}\n"
    );
    let function = functions(&text, prelude(), &[]).remove(0);
    let said = match (start, saltus) {
        (0, 0) => format!("{}: the values repeat every {period} heaps", rules.name),
        (start, 0) => format!(
            "{}: from {start} on the values repeat every {period} heaps",
            rules.name
        ),
        (start, saltus) => format!(
            "{}: from {start} on the values grow by {saltus} every {period} heaps",
            rules.name
        ),
    };
    let about = on_what(&said, &learned.evidence());
    let mut law = of_heaps(function, vec![about]);
    law.tables.push((
        "first_values".to_owned(),
        Type::list(Type::Number),
        Some(Expr {
            term: Term::List(values),
            of: Type::list(Type::Number),
        }),
    ));
    Some(law)
}

/// What is said, and how it is known.
fn on_what(said: &str, evidence: &Evidence) -> String {
    match evidence {
        Evidence::Proved {
            theorem,
            certificate,
        } => {
            format!("{said} ({theorem}; certificate {certificate}).")
        }
        Evidence::Conjecture { upto } => {
            format!("{said}. THIS IS A CONJECTURE: it was seen up to {upto}, and is not proved.")
        }
        other => format!("{said} ({}).", grundy::text::evidence(other)),
    }
}
