//! The checker: from the text of a certificate to a theorem.

use grundy_rules::Meter;

use crate::certificate::{Certificate, Proof};
use crate::law::Law;
use crate::refusal::{Falsehood, Malformed, Reason, Refusal};

/// A law of a game that was proved, by a certificate that [`check`] accepted.
///
/// Nothing but [`check`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theorem {
    ruleset: String,
    law: Law,
    name: &'static str,
    citation: &'static str,
    digest: String,
}

impl Theorem {
    /// The text of the ruleset that it speaks of.
    pub fn ruleset(&self) -> &str {
        &self.ruleset
    }

    /// What holds for every heap.
    pub fn law(&self) -> &Law {
        &self.law
    }

    /// The name of the theorem by which a finite check proves the law.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Where that theorem stands.
    pub fn citation(&self) -> &'static str {
        self.citation
    }

    /// The digest of the certificate.
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

/// Checks a certificate.
///
/// # Errors
///
/// Why it is refused; see [`Refusal`] for the three kinds of no.
pub fn check(text: &str, _meter: &mut Meter) -> Result<Theorem, Refusal> {
    let certificate = Certificate::from_text(text).map_err(Refusal::Malformed)?;
    let ruleset = grundy_rules::parse(&certificate.ruleset).map_err(|faults| {
        Refusal::Malformed(Malformed::Ruleset {
            faults: faults.len(),
        })
    })?;
    if !ruleset.expectations.is_empty() || !ruleset.claims.is_empty() {
        return Err(Refusal::Malformed(Malformed::RulesetSaysMore));
    }
    let (name, _) = theorem(&certificate.proof);
    Err(Refusal::False(Falsehood::DoesNotApply {
        theorem: name,
        reason: Reason::LawKind,
    }))
}

/// The name of a theorem and where it stands.
fn theorem(proof: &Proof) -> (&'static str, &'static str) {
    match proof {
        Proof::Subtraction => ("finite subtraction set", "docs/theorems.md, A1"),
        Proof::Shift { .. } => ("shift lemma", "Guy and Smith 1956; docs/theorems.md, A2"),
        Proof::AllBut => ("all-but set", "docs/theorems.md, A3"),
        Proof::TakeOrSplit => ("take any or split", "docs/theorems.md, A4"),
        Proof::PeriodicTail { .. } => ("periodic tail", "docs/theorems.md, A5"),
        Proof::TakeUpTo => ("take up to t(n)", "docs/theorems.md, B0"),
        Proof::Pointers => ("pointers", "docs/theorems.md"),
    }
}
