//! Learning what holds for a game at every size: from a shelf of certificates, or by discovery.

use grundy_certificate::{Law, Periodic, Theorem, check};
use grundy_rules::{Meter, Ruleset};
use sha2::{Digest, Sha256};

use super::Lawful;
use crate::discover::{Effort, Finding, Recurrence, Scope, Seen, find, find_proof, scopes, search};
use crate::law::{LawReport, Sequence, discover};
use crate::oracle::has_values;
use crate::shape::Shape;

/// Where certificates are kept between questions. What is on it need not be trusted: it is
/// checked again whenever it is read.
pub trait Shelf {
    /// The certificate kept under a key.
    fn load(&self, key: &str) -> Option<String>;
    /// Keeps a certificate under a key; failing to do so is no error.
    fn store(&self, key: &str, certificate: &str);
}

/// A shelf that keeps nothing.
pub struct NoShelf;

impl Shelf for NoShelf {
    fn load(&self, _key: &str) -> Option<String> {
        None
    }
    fn store(&self, _key: &str, _certificate: &str) {}
}

/// The key of a ruleset on a shelf: a digest of its canonical text, which has parameters and
/// play in it, and of the version of the certificate format.
pub fn key(ruleset: &Ruleset) -> String {
    let named = format!(
        "{}\n{}",
        grundy_certificate::FORMAT,
        ruleset.canonical_text()
    );
    format!("{:x}", Sha256::digest(named.as_bytes()))
}

/// The theorem about a game that a shelf holds, if there is one and the checker accepts it.
pub fn recall(ruleset: &Ruleset, shelf: &dyn Shelf, meter: &mut Meter) -> Option<Theorem> {
    let certificate = shelf.load(&key(ruleset))?;
    let theorem = check(&certificate, meter).ok()?;
    (theorem.ruleset() == ruleset.canonical_text()).then_some(theorem)
}

/// The theorem about a game of heaps of one number, if one is on the shelf or is found and
/// proved looking at no heap above `upto`; a new one goes to the shelf.
pub fn prove(
    ruleset: &Ruleset,
    upto: Option<u64>,
    shelf: &dyn Shelf,
    meter: &mut Meter,
) -> Option<Theorem> {
    found(ruleset, upto, false, shelf, meter).ok()
}

/// The theorem about a game, or what else is known about its law.
fn found(
    ruleset: &Ruleset,
    upto: Option<u64>,
    accept_conjecture: bool,
    shelf: &dyn Shelf,
    meter: &mut Meter,
) -> Result<Theorem, Box<Finding>> {
    if let Some(theorem) = recall(ruleset, shelf, meter) {
        return Ok(theorem);
    }
    // The values of heaps are one law; others are learned by scope.
    if scopes(ruleset) != [1] {
        return Err(Box::default());
    }
    let finding = if has_values(ruleset).is_err() {
        Finding {
            checks: Some(discover(ruleset, upto, meter)),
            ..Finding::default()
        }
    } else if accept_conjecture {
        let sections = Effort::USUAL.sections;
        find(ruleset, upto, &Effort { sections, ..EFFORT }, meter)
    } else {
        find_proof(ruleset, upto, &EFFORT, meter)
    };
    if let Some(proved) = finding.proved() {
        shelf.store(&key(ruleset), &proved.certificate);
        return Ok(proved.theorem.clone());
    }
    Err(Box::new(finding))
}

/// What automata may do while somebody waits for an answer.
const EFFORT: Effort = Effort {
    judging: grundy_automata::Budget {
        steps: 1 << 25,
        ..Effort::USUAL.judging
    },
    tables: 2,
    table_steps: 1 << 24,
    sections: 0,
    ..Effort::USUAL
};

/// The law of positions of these components, if one is on the shelf or automata find it and the checker accepts it; a
/// new one goes to the shelf.
///
/// Who asks about a game of heaps of one number with values asks [`learn`].
pub fn learn_of<'g>(
    ruleset: &'g Ruleset,
    scope: Scope,
    shelf: &dyn Shelf,
    meter: &mut Meter,
) -> Option<Lawful<'g>> {
    Lawful::proved(ruleset, &prove_of(ruleset, scope, shelf, meter)?)
}

/// The theorem about positions of these components, likewise.
pub fn prove_of(
    ruleset: &Ruleset,
    scope: Scope,
    shelf: &dyn Shelf,
    meter: &mut Meter,
) -> Option<Theorem> {
    let key = format!(
        "{}-{}x{}",
        key(ruleset),
        scope.components,
        scope.coordinates
    );
    let of_scope = |theorem: &Theorem| match theorem.law() {
        Law::Automaton(law) => Scope::of(law) == scope,
        _ => false,
    };
    let kept = shelf.load(&key).and_then(|kept| check(&kept, meter).ok());
    let is_of_rules = |theorem: &Theorem| theorem.ruleset() == ruleset.canonical_text();
    if let Some(theorem) = kept.filter(is_of_rules).filter(of_scope) {
        return Some(theorem);
    }
    let report = search(ruleset, scope, &EFFORT, &mut EFFORT.meter(meter), meter);
    let proved = report.ok()?.found?.proof.ok()?;
    shelf.store(&key, &proved.certificate);
    Some(proved.theorem)
}

/// The theorem about single components of so many numbers, if one is on the shelf or is found and proved; a new one goes to
/// the shelf.
pub fn prove_components(
    ruleset: &Ruleset,
    coordinates: usize,
    shelf: &dyn Shelf,
    meter: &mut Meter,
) -> Option<Theorem> {
    let of_heaps = || prove(ruleset, None, shelf, meter);
    let heaps = (coordinates == 1).then(of_heaps).flatten();
    let tried = scopes(ruleset) == [1] && has_values(ruleset).is_ok();
    let scope = Scope {
        coordinates,
        components: 1,
    };
    heaps.or_else(|| (!tried).then(|| prove_of(ruleset, scope, shelf, meter))?)
}

/// The law of a game of heaps of one number, if one is on the shelf or is found and proved
/// looking at no heap above `upto`; a new one goes to the shelf.
///
/// A pattern without a proof is learned only if `accept_conjecture`.
pub fn learn<'g>(
    ruleset: &'g Ruleset,
    upto: Option<u64>,
    accept_conjecture: bool,
    shelf: &dyn Shelf,
    meter: &mut Meter,
) -> Option<Lawful<'g>> {
    let finding = match found(ruleset, upto, accept_conjecture, shelf, meter) {
        Ok(theorem) => return Lawful::proved(ruleset, &theorem),
        Err(_) if !accept_conjecture => return None,
        Err(finding) => finding,
    };
    if let Some(Recurrence {
        upto,
        seen: Some(seen),
    }) = finding.recurrence
    {
        return Some(Lawful::conjectured(ruleset, seen, upto.into()));
    }
    match finding.checks {
        Some(LawReport::Conjecture { law, upto, .. }) => {
            let mut sequence = Sequence::new(ruleset, &Shape::of(ruleset));
            let length = usize::try_from(law.preperiod + law.period).ok()?;
            sequence.extend_to(length, meter).ok()?;
            let values = sequence.values().first(length);
            let (preperiod, period, saltus) = (law.preperiod, law.period, law.saltus);
            let law = Law::Periodic(Periodic {
                preperiod,
                period,
                saltus,
                values,
            });
            Some(Lawful::conjectured(ruleset, Seen::Law(law), upto.into()))
        }
        _ => None,
    }
}
