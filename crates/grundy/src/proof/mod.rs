//! Proofs: from a law that values show to a theorem, by a certificate that the checker accepts.

mod method;

use grundy_certificate::{
    Bound, BoundShape, Certificate, Law, Periodic, Proof, Refusal, TakeUpTo, Theorem, check,
};
use grundy_rules::{Meter, Ruleset};

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
        values: sequence.values()[..length].to_vec(),
    });
    certify(ruleset, law, proof, meter)
}

/// Writes down the law of taking 1 up to a slowly growing number, and has it checked.
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
    let law = Law::TakeUpTo(TakeUpTo {
        bounds: bounds.collect(),
    });
    certify(ruleset, law, Proof::TakeUpTo, meter)
}

fn certify(
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
