//! A game whose law is proved.

use grundy_certificate::{
    Law, Misere, Periodic, PointerClass, Pointers, Recursion, TakeUpTo, Theorem,
};
use grundy_rules::moves::Move;
use grundy_rules::options::RuleOption;
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use super::periodic::PeriodicLaw;
use super::winning::{HeapMoves, moves_to, moves_with};
use super::{Knowledge, MoveSet, Reason, Regular, Statement, heaps};
use crate::discover::Seen;
use crate::misere::{choices, label_reason, labelled};
use crate::outcome::{Evidence, Outcome};

/// A law of a game, and how it is known.
#[derive(Clone)]
pub struct Lawful<'g> {
    ruleset: &'g Ruleset,
    says: Seen,
    evidence: Evidence,
    /// The same law where it is an automaton's.
    regular: Option<Regular<'g>>,
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
        let law = theorem.law().clone();
        let regular = match &law {
            Law::Automaton(law) => Some(Regular::proved(ruleset, law, evidence.clone())?),
            _ => None,
        };
        Some(Self {
            ruleset,
            says: Seen::Law(law),
            evidence,
            regular,
        })
    }

    /// A law that was only seen in the values up to some heap.
    pub fn conjectured(ruleset: &'g Ruleset, says: Seen, upto: BigUint) -> Self {
        Self {
            ruleset,
            says,
            evidence: Evidence::Conjecture { upto },
            regular: None,
        }
    }
}

impl Lawful<'_> {
    /// The law, if it is one that a certificate can state.
    pub fn law(&self) -> Option<&Law> {
        match &self.says {
            Seen::Law(law) => Some(law),
            Seen::Sections(_) => None,
        }
    }
}

impl Knowledge for Lawful<'_> {
    fn evidence(&self) -> Evidence {
        self.evidence.clone()
    }

    fn statement(&self) -> Option<Statement> {
        Some(match &self.says {
            Seen::Law(law) => Statement::Law(law.clone()),
            Seen::Sections(sections) => Statement::Sections(sections.clone()),
        })
    }

    fn reason(&self, component: &Component) -> Option<Reason> {
        let heap = component.as_heap()?;
        match self.law()? {
            Law::Periodic(law) => reason_of_periodic(law, heap),
            Law::TakeUpTo(law) => Some(reason_of_takes(law, heap)),
            Law::Pointers(law) => reason_of_pointers(law, heap),
            Law::Recursion(law) => reason_of_links(law, heap),
            Law::Automaton(_) | Law::Misere(_) => None,
        }
    }

    fn value(&self, component: &Component) -> Option<BigUint> {
        if let Some(regular) = &self.regular {
            return regular.value(component);
        }
        let heap = component.as_heap()?;
        match &self.says {
            Seen::Law(law) => law.value(heap),
            Seen::Sections(sections) => sections.value(heap),
        }
    }

    fn moves_to(
        &self,
        component: &Component,
        target: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption> + '_>>, Limit> {
        if let Some(regular) = &self.regular {
            return regular.moves_to(component, target, meter);
        }
        let (Some(n), Some(law)) = (component.as_heap(), self.law()) else {
            return Ok(None);
        };
        if self.labels().is_some() {
            return Ok(None);
        }
        let moves = if let Law::Periodic(law) = law {
            let law = PeriodicLaw {
                values: &law.values,
                preperiod: law.preperiod,
                period: law.period,
                saltus: law.saltus,
            };
            moves_to(self.ruleset, &law, n, target, meter)?
        } else {
            moves_with(self.ruleset, n, meter, &|family, meter| {
                heaps::choices(law, family, target, meter)
            })?
        };
        Ok(moves.map(|moves| Box::new(moves) as Box<dyn MoveSet<RuleOption>>))
    }

    fn labels(&self) -> Option<&Misere> {
        match self.law()? {
            Law::Misere(law) => Some(law),
            _ => None,
        }
    }

    fn outcome(&self, position: &Position, meter: &mut Meter) -> Result<Option<Outcome>, Limit> {
        if let Some(regular) = &self.regular {
            return regular.outcome(position, meter);
        }
        let Some(law) = self.labels() else {
            return Ok(None);
        };
        let sum = labelled(position.0.iter().map(|component| (law, component)));
        let label = sum.and_then(|sum| sum.sum());
        Ok(label.map(|label| Outcome::of_lost(law.monoid.is_lost(&label))))
    }

    fn reason_of_outcome(
        &self,
        position: &Position,
        _meter: &mut Meter,
    ) -> Result<Option<Reason>, Limit> {
        let law = self.labels();
        Ok(law.and_then(|law| label_reason(law, &position.0)))
    }

    fn moves_to_lost(
        &self,
        component: &Component,
        others: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption> + '_>>, Limit> {
        let (Some(n), Some(law)) = (component.as_heap(), self.labels()) else {
            return Ok(None);
        };
        let moves = moves_with(self.ruleset, n, meter, &|family, meter| {
            choices(law, family, others, meter)
        })?;
        Ok(moves.map(|moves| Box::new(moves) as Box<dyn MoveSet<RuleOption>>))
    }

    fn winning_moves(
        &self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<Move> + '_>>, Limit> {
        match &self.regular {
            Some(regular) => regular.winning_moves(position, meter),
            None => Ok(None),
        }
    }

    fn lost_below(&self, end: &BigUint, meter: &mut Meter) -> Result<Option<BigUint>, Limit> {
        match &self.regular {
            Some(regular) => regular.lost_below(end, meter),
            None => Ok(None),
        }
    }
}

/// The most steps of a recursion that are told.
const MOST_STEPS: usize = 8;

fn reason_of_periodic(law: &Periodic, heap: &BigUint) -> Option<Reason> {
    if *heap < BigUint::from(law.preperiod) {
        return Some(Reason::Listed {
            heap: heap.clone(),
            preperiod: law.preperiod,
        });
    }
    let (laps, rest) = (heap - law.preperiod).div_rem(&BigUint::from(law.period));
    let rest = rest.to_u64()?;
    let first = usize::try_from(law.preperiod + rest).ok()?;
    Some(Reason::Repeats {
        heap: heap.clone(),
        preperiod: law.preperiod,
        period: law.period,
        saltus: law.saltus,
        laps,
        rest,
        first: *law.values.get(first)?,
    })
}

fn reason_of_takes(law: &TakeUpTo, heap: &BigUint) -> Reason {
    let mut heap = heap.clone();
    let mut steps = Vec::new();
    while steps.len() < MOST_STEPS {
        let most = law.most(&heap);
        let ends = heap.is_zero() || law.most(&(&heap - 1u8)) < most;
        let next = (!ends).then(|| &heap - &most - 1u8);
        steps.push((heap, most));
        match next {
            Some(next) => heap = next,
            None => return Reason::Descends { steps, ends: true },
        }
    }
    Reason::Descends { steps, ends: false }
}

fn reason_of_pointers(law: &Pointers, heap: &BigUint) -> Option<Reason> {
    let modulus = law.modulus;
    let mut heap = heap.clone();
    let mut steps = Vec::new();
    let mut ends = false;
    while steps.len() < MOST_STEPS && !ends {
        let (times_of, residue) = heap.div_rem(&BigUint::from(modulus));
        let residue = residue.to_u64()?;
        if heap < BigUint::from(law.start.len()) {
            steps.push((heap, residue, None));
            ends = true;
            break;
        }
        let class = *law.classes.get(usize::try_from(residue).ok()?)?;
        steps.push((heap, residue, Some(class)));
        match class {
            PointerClass::New { .. } => {
                ends = true;
                break;
            }
            PointerClass::Pointer { times, plus } => {
                heap = (BigInt::from(times_of) * times + plus).to_biguint()?;
            }
        }
    }
    Some(Reason::Points {
        modulus,
        steps,
        ends,
    })
}

fn reason_of_links(law: &Recursion, heap: &BigUint) -> Option<Reason> {
    let mut steps = vec![heap.clone()];
    while steps.len() < MOST_STEPS {
        let heap = steps.last()?;
        let case = law.case(heap)?;
        if case.is_new {
            return Some(Reason::Linked { steps, ends: true });
        }
        steps.push(case.of(heap)?);
    }
    Some(Reason::Linked { steps, ends: false })
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
