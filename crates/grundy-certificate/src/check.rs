//! The checker: from the text of a certificate to a theorem.

use grundy_rules::ruleset::Play;
use grundy_rules::{Meter, Ruleset};

use crate::automatic::Prover;
use crate::certificate::{Certificate, Proof};
use crate::law::{Law, Periodic};
use crate::misere::Monoid;
use crate::moves::Moves;
use crate::refusal::{Falsehood, Malformed, Reason, Refusal, Stop};
use crate::{
    all_but, automatic, misere, periodic_tail, pointers, rules, shift, subtraction, take_or_split,
    take_up_to,
};

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
pub fn check(text: &str, meter: &mut Meter) -> Result<Theorem, Refusal> {
    let (certificate, ruleset) = read(text)?;
    let (name, citation) = theorem(&certificate);
    prove(&certificate, &ruleset, meter).map_err(|stop| refusal(name, stop))?;
    Ok(Theorem {
        digest: certificate.digest(),
        ruleset: certificate.ruleset,
        law: certificate.law,
        name,
        citation,
    })
}

/// The obligations of a certificate of an automaton, as text for another prover.
///
/// Nothing is verified but that the certificate has the right form: to judge it is the other prover's task.
///
/// # Errors
///
/// It is malformed, of another kind, or in a numeration that the other prover does not know.
pub fn export(text: &str, prover: Prover) -> Result<String, Refusal> {
    let (certificate, ruleset) = read(text)?;
    let (name, _) = theorem(&certificate);
    let exported = automatic::export(&ruleset, &certificate.law, &certificate.proof, prover);
    exported.map_err(|stop| refusal(name, stop))
}

/// A certificate and its rules, of which nothing is verified yet but their form.
fn read(text: &str) -> Result<(Certificate, Ruleset), Refusal> {
    let certificate = Certificate::from_text(text).map_err(Refusal::Malformed)?;
    let ruleset = grundy_rules::parse(&certificate.ruleset).map_err(|faults| {
        Refusal::Malformed(Malformed::Ruleset {
            faults: faults.len(),
        })
    })?;
    if ruleset.canonical_text() != certificate.ruleset {
        return Err(Refusal::Malformed(Malformed::RulesetNotCanonical));
    }
    Ok((certificate, ruleset))
}

fn refusal(theorem: &'static str, stop: Stop) -> Refusal {
    match stop {
        Stop::False(falsehood) => Refusal::False(falsehood),
        Stop::Reason(reason) => Refusal::False(Falsehood::DoesNotApply { theorem, reason }),
        Stop::Limit(limit) => Refusal::Undecided(limit),
    }
}

/// Verifies that the theorem named proves the law of these rules.
fn prove(certificate: &Certificate, ruleset: &Ruleset, meter: &mut Meter) -> Result<(), Stop> {
    if let (Proof::Automaton(proof), Law::Automaton(law)) = (&certificate.proof, &certificate.law) {
        return automatic::check(ruleset, law, proof, meter);
    }
    if let Proof::Links(proof) = &certificate.proof {
        return automatic::check_links(ruleset, &certificate.law, proof, meter);
    }
    let play = match certificate.law {
        Law::Misere(_) => Play::Misere,
        _ => Play::Normal,
    };
    let leavings = rules::leavings(ruleset, play)?;
    if let (Proof::TakeUpTo, Law::TakeUpTo(law)) = (&certificate.proof, &certificate.law) {
        return take_up_to::check(&leavings, law);
    }
    if let (Proof::Pointers, Law::Pointers(law)) = (&certificate.proof, &certificate.law) {
        return pointers::check(&leavings, law, meter);
    }
    let labels: Vec<String> = ruleset
        .moves
        .iter()
        .map(|rule| rule.label.clone())
        .collect();
    let moves = Moves::new(&leavings, &labels, meter)?;
    match &certificate.law {
        Law::Periodic(law) => periodic(&moves, law, &certificate.proof, meter),
        Law::Misere(law) => misere::check(&moves, law, &certificate.proof, meter),
        Law::TakeUpTo(_) | Law::Pointers(_) | Law::Recursion(_) | Law::Automaton(_) => {
            Err(Reason::LawKind.into())
        }
    }
}

/// Verifies that a theorem about periodic laws proves one, and that neither its preperiod nor its
/// period could be smaller.
fn periodic(moves: &Moves, law: &Periodic, proof: &Proof, meter: &mut Meter) -> Result<(), Stop> {
    let (length, mask) = match proof {
        Proof::Subtraction => (subtraction::length(moves, law)?, 0),
        Proof::Shift { mask } => (shift::length(moves, law)?, *mask),
        Proof::PeriodicTail { mask } => (periodic_tail::length(moves, law)?, *mask),
        Proof::TakeOrSplit => {
            take_or_split::verify(moves, law, meter)?;
            return Ok(law.verify_least()?);
        }
        Proof::AllBut => {
            all_but::verify(moves, law, meter)?;
            return Ok(law.verify_least()?);
        }
        Proof::TakeUpTo | Proof::Pointers | Proof::Links(_) | Proof::Automaton(_) => {
            return Err(Reason::LawKind.into());
        }
    };
    shift::verify(moves, law, length, mask, meter)?;
    Ok(law.verify_least()?)
}

/// The name of a theorem and where it stands.
fn theorem(certificate: &Certificate) -> (&'static str, &'static str) {
    let here = "docs/theorems.md";
    let restricted = "docs/theorems.md; Levine 2006";
    let winning_ways = "Berlekamp, Conway and Guy, Winning Ways, chapter 4";
    if let Law::Misere(law) = &certificate.law {
        return match law.monoid {
            Monoid::Tame => ("tame labels", "Conway, On Numbers and Games, chapter 12"),
            Monoid::Quotient(_) => ("misère quotient", "Plambeck and Siegel 2008"),
        };
    }
    match certificate.proof {
        Proof::Subtraction => ("finite subtraction set", winning_ways),
        Proof::Shift { .. } => ("shift lemma", "Guy and Smith 1956"),
        Proof::AllBut => ("all-but set", here),
        Proof::TakeOrSplit => ("take any or split", here),
        Proof::PeriodicTail { .. } => ("periodic tail", here),
        Proof::TakeUpTo => ("take up to t(n)", restricted),
        Proof::Pointers => ("pointers", restricted),
        Proof::Links(_) => ("linked heaps", here),
        Proof::Automaton(_) => ("automaton", "Büchi 1960"),
    }
}
