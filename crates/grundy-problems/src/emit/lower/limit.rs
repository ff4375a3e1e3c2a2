//! How large the numbers are that a program reads.

use crate::problem::{self, Action, Binary, Kind};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// How many bits a limit may have; nobody writes a program for larger numbers.
const LARGEST_BITS: u64 = 1 << 16;

/// The largest number that is read, where all limits are numbers.
pub(super) fn largest(statements: &[problem::Statement]) -> Option<BigInt> {
    pub(super) fn kind(of: &Kind) -> Option<BigInt> {
        match of {
            Kind::Integer { greatest, .. } => constant(greatest.as_ref()?),
            Kind::OneOf(all) => all
                .iter()
                .map(constant)
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .max(),
            Kind::Word { .. } | Kind::Words(_) => Some(BigInt::from(0)),
            Kind::Tuple(readings) => readings
                .iter()
                .map(|reading| kind(&reading.kind))
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .max(),
            Kind::List { of, .. } => kind(of),
        }
    }
    let mut all = BigInt::from(0);
    for statement in statements {
        let found = match &statement.action {
            Action::Read(readings) => {
                let limits: Option<Vec<BigInt>> = readings.iter().map(|r| kind(&r.kind)).collect();
                limits?.into_iter().max().unwrap_or_default()
            }
            Action::Repeat(repeat) => largest(&repeat.body)?,
            Action::For(_, body) => largest(body)?,
            Action::If(_, then, otherwise) => largest(then)?.max(largest(otherwise)?),
            _ => continue,
        };
        all = all.max(found);
    }
    Some(all)
}

/// The number that an expression without names is.
pub(super) fn constant(expression: &problem::Expression) -> Option<BigInt> {
    match &expression.term {
        problem::Term::Number(n) => Some(n.clone()),
        problem::Term::Binary(binary, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            match binary {
                Binary::Plus => Some(a + b),
                Binary::Minus => Some(a - b),
                Binary::Times => Some(a * b),
                Binary::Power => {
                    let b = b.to_u32()?;
                    (a.bits().saturating_mul(b.into()) < LARGEST_BITS).then(|| a.pow(b))
                }
                _ => None,
            }
        }
        _ => None,
    }
}
