//! A game of heaps of one number whose law is proved.

use grundy_certificate::{Law, Theorem};
use grundy_rules::options::RuleOption;
use grundy_rules::{Component, Limit, Meter, Ruleset};
use num_bigint::BigUint;

use super::periodic::PeriodicLaw;
use super::winning::{HeapMoves, moves_to, moves_with};
use super::{Knowledge, MoveSet, heaps};
use crate::outcome::Evidence;

/// A law of a game of heaps of one number, and how it is known.
#[derive(Clone)]
pub struct Lawful<'g> {
    ruleset: &'g Ruleset,
    law: Law,
    evidence: Evidence,
}

impl<'g> Lawful<'g> {
    /// What a theorem says of a ruleset; `None` if it speaks of other rules.
    pub fn proved(ruleset: &'g Ruleset, theorem: &Theorem) -> Option<Self> {
        if theorem.ruleset() != ruleset.canonical_text() {
            return None;
        }
        let evidence = Evidence::Proved {
            theorem: theorem.name().to_owned(),
            certificate: theorem.digest().to_owned(),
        };
        Some(Self {
            ruleset,
            law: theorem.law().clone(),
            evidence,
        })
    }

    /// A law that was only seen in the values up to some heap.
    pub fn conjectured(ruleset: &'g Ruleset, law: Law, upto: BigUint) -> Self {
        Self {
            ruleset,
            law,
            evidence: Evidence::Conjecture { upto },
        }
    }
}

impl Lawful<'_> {
    /// The law.
    pub fn law(&self) -> &Law {
        &self.law
    }
}

impl Knowledge for Lawful<'_> {
    fn evidence(&self) -> Evidence {
        self.evidence.clone()
    }

    fn value(&self, component: &Component) -> Option<BigUint> {
        self.law.value(component.as_heap()?)
    }

    fn moves_to(
        &self,
        component: &Component,
        target: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption> + '_>>, Limit> {
        let Some(n) = component.as_heap() else {
            return Ok(None);
        };
        let moves = if let Law::Periodic(law) = &self.law {
            let law = PeriodicLaw {
                values: &law.values,
                preperiod: law.preperiod,
                period: law.period,
                saltus: law.saltus,
            };
            moves_to(self.ruleset, &law, n, target, meter)?
        } else {
            moves_with(self.ruleset, n, meter, &|family, meter| {
                heaps::choices(&self.law, family, target, meter)
            })?
        };
        Ok(moves.map(|moves| Box::new(moves) as Box<dyn MoveSet<RuleOption>>))
    }
}

impl MoveSet<RuleOption> for HeapMoves {
    fn count(&self) -> Option<BigUint> {
        Some(HeapMoves::count(self))
    }

    fn iter(&self) -> Box<dyn Iterator<Item = RuleOption> + '_> {
        Box::new(HeapMoves::iter(self))
    }

    fn least(&self) -> Option<RuleOption> {
        HeapMoves::least(self)
    }
}
