//! Proofs: from a law that values show to a theorem, by a certificate that the checker accepts.

pub mod automatic;
mod method;

use grundy_certificate::{
    Bound, BoundShape, Certificate, Law, Periodic, PointerClass, Pointers, Proof, Refusal,
    TakeUpTo, Theorem, check,
};
use grundy_rules::{Meter, Ruleset};
use num_bigint::ToBigUint;
use num_traits::ToPrimitive;

use crate::law::{Periodicity, Sequence};
use crate::shape::Takes;

pub use method::{Method, NoMethod};

/// A law that holds for all heaps, and what convinces others of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// What the checker made of the certificate.
    pub theorem: Theorem,
    /// The text of the certificate.
    pub certificate: String,
}

/// Writes down that the values obey a law, and has it checked.
///
/// # Errors
///
/// The checker's refusal: the law is false, or not what the theorem proves.
pub fn periodic(
    ruleset: &Ruleset,
    method: &Method,
    law: Periodicity,
    sequence: &Sequence,
    meter: &mut Meter,
) -> Result<Proved, Refusal> {
    let length = usize::try_from(law.preperiod + law.period).expect("the values were computed");
    let mask = sequence.mask();
    let proof = match method {
        Method::Subtraction { .. } => Proof::Subtraction,
        Method::Shift { .. } => Proof::Shift { mask },
        Method::AllBut { .. } => Proof::AllBut,
        Method::TakeOrSplit => Proof::TakeOrSplit,
        Method::PeriodicTail { .. } => Proof::PeriodicTail { mask },
    };
    let law = Law::Periodic(Periodic {
        preperiod: law.preperiod,
        period: law.period,
        saltus: law.saltus,
        values: sequence.values().first(length),
    });
    certify(ruleset, law, proof, meter)
}

/// Writes down the law of taking 1 up to a slowly growing number, and has it checked.
///
/// A single linear bound with a small denominator gives a law of residue classes, which says
/// more to people: each class is new or points to a smaller heap. All others keep the recursion.
///
/// # Errors
///
/// The checker's refusal.
pub fn take_up_to(ruleset: &Ruleset, takes: &Takes, meter: &mut Meter) -> Result<Proved, Refusal> {
    let bounds = takes.bounds.iter().map(|bound| Bound {
        shape: if bound.root {
            BoundShape::Root
        } else {
            BoundShape::Linear
        },
        times: bound.times.clone(),
        plus: bound.plus.clone(),
        over: bound.over.clone(),
    });
    let recursion = TakeUpTo {
        bounds: bounds.collect(),
    };
    if let Some(pointers) = pointers(&recursion) {
        let proved = certify(ruleset, Law::Pointers(pointers), Proof::Pointers, meter);
        if proved.is_ok() {
            return proved;
        }
    }
    certify(ruleset, Law::TakeUpTo(recursion), Proof::TakeUpTo, meter)
}

/// The most residue classes that a law is written in.
const MOST_CLASSES: i64 = 12;
/// The most heaps that it excepts.
const MOST_START: i64 = 1000;

/// The recursion of a single bound `t(n) = floor((times * n + plus) / over)` by residues modulo `over`.
///
/// With `n = over * x + r` it takes `t(n) = times * x + t(r)`. Where `t(n) > t(n-1)` the value is
/// `t(n)`; otherwise it is that of the heap `n - t(n) - 1`.
fn pointers(law: &TakeUpTo) -> Option<Pointers> {
    let [bound] = law.bounds.as_slice() else {
        return None;
    };
    let times = bound.times.to_i64()?;
    let plus = bound.plus.to_i64().filter(|plus| plus.abs() < MOST_START)?;
    let over = bound.over.to_i64().filter(|over| *over <= MOST_CLASSES)?;
    if bound.shape != BoundShape::Linear || times == 0 {
        return None;
    }
    let most = |n: i64| (times * n + plus).div_euclid(over);
    // From the heap before the start on, the bound lies between 0 and the heap, as it then does for ever.
    let before = (0..MOST_START).find(|n| (0..=*n).contains(&most(*n)))?;
    let start = (0..=before).map(|n| law.value(&n.to_biguint()?)?.to_u64());
    let classes = (0..over).map(|residue| {
        let taken = most(residue);
        Some(if most(residue - 1) < taken {
            PointerClass::New {
                times: u64::try_from(times).ok()?,
                plus: taken,
            }
        } else {
            PointerClass::Pointer {
                times: u64::try_from(over - times).ok()?,
                plus: residue - taken - 1,
            }
        })
    });
    Some(Pointers {
        modulus: u64::try_from(over).ok()?,
        start: start.collect::<Option<_>>()?,
        classes: classes.collect::<Option<_>>()?,
    })
}

pub(crate) fn certify(
    ruleset: &Ruleset,
    law: Law,
    proof: Proof,
    meter: &mut Meter,
) -> Result<Proved, Refusal> {
    let certificate = Certificate {
        ruleset: ruleset.canonical_text(),
        law,
        proof,
    };
    let certificate = certificate.to_text();
    let theorem = check(&certificate, meter)?;
    Ok(Proved {
        theorem,
        certificate,
    })
}
