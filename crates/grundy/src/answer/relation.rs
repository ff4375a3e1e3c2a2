//! Laws as relations of numbers: compared, and counted from.

use grundy_automata::{
    Atom, Automaton, Budget, DigitOrder, Encoding, Formula, Meter as AutomataMeter,
    NumerationSystem, Relation, Solver, Term, Variable,
};
use grundy_certificate::automatic::{AutomatonLaw, Numeration, Order, Says as Said};
use grundy_certificate::{Law, Periodic};
use grundy_rules::Ruleset;
use grundy_rules::ruleset::{Claim, Statement};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

use crate::proof::automatic::{self, Game, Holds, Says, given, whole};

/// What one question may cost, and the relations of the winning moves.
pub(super) const BUDGET: Budget = Budget {
    states: 30_000,
    transitions: 1 << 24,
    steps: 1 << 28,
};
/// The largest value that is handled as the exponent of a power.
pub(super) const MOST_EXPONENT: u64 = 1 << 20;
/// The longest list of values that becomes a relation.
const MOST_PIECES: usize = 1 << 9;
/// The largest value that becomes part of a formula as a power.
const MOST_POWER: u64 = 1 << 6;

/// What a proved law is about, in the words of the provers.
pub(crate) fn says_of(law: &AutomatonLaw) -> Says {
    match law.says {
        Said::Value => Says::Value,
        Said::PowerOfValue => Says::PowerOfValue,
        Said::Lost { components } => Says::Lost { components },
    }
}

/// The relation that a proved law is.
pub(crate) fn relation_of(law: &AutomatonLaw) -> Option<Relation> {
    let system = match law.numeration {
        Numeration::Base(base) => NumerationSystem::base(base).ok()?,
        Numeration::Recurrence { factor, before: 1 } => NumerationSystem::wythoff(factor).ok()?,
        Numeration::Recurrence { factor, .. } => {
            NumerationSystem::ostrowski(&[], &[factor]).ok()?
        }
    };
    let order = match law.order {
        Order::MostSignificantFirst => DigitOrder::Msd,
        Order::LeastSignificantFirst => DigitOrder::Lsd,
    };
    let encoding = Encoding::new(system, order);
    let alphabet = encoding.alphabet(law.automaton.tracks).ok()?;
    let (table, accepting) = (law.automaton.table.clone(), law.automaton.accepting.clone());
    let automaton = Automaton::new(alphabet, table, accepting).ok()?;
    Relation::new(encoding, &automaton, &mut AutomataMeter::new(BUDGET)).ok()
}

/// How many heaps below a number have a value, or are lost where that is what the law tells; `None` where it
/// does not tell.
pub(crate) fn heaps_below(law: &AutomatonLaw, value: &BigUint, end: &BigUint) -> Option<BigUint> {
    let relation = relation_of(law).filter(|_| law.arity == 1)?;
    let mut meter = AutomataMeter::new(BUDGET);
    let says = says_of(law);
    let value = match says {
        Says::Lost { components: 1 } if value.is_zero() => {
            return relation
                .count_below(std::slice::from_ref(end), &mut meter)
                .ok();
        }
        _ => written(value, says)?,
    };
    let heaps = relation.restrict(1, &value, &mut meter).ok()?;
    heaps
        .count_below(std::slice::from_ref(end), &mut meter)
        .ok()
}

/// All values of heaps under a law, if there are at most so many.
pub(crate) fn values_of(law: &AutomatonLaw, most: usize) -> Option<Vec<u64>> {
    if law.says != Said::Value || law.arity != 1 {
        return None;
    }
    let mut meter = AutomataMeter::new(BUDGET);
    let values = relation_of(law)?.project(&[1], &mut meter).ok()?;
    let mut tuples = values.tuples();
    let mut all = Vec::new();
    while let Some(tuple) = tuples.next(&mut meter).ok()? {
        all.push(tuple.first()?.to_u64()?);
        if all.len() > most {
            return None;
        }
    }
    Some(all)
}

/// The number that stands for a value in laws that say such things.
fn written(value: &BigUint, says: Says) -> Option<BigUint> {
    match says {
        Says::Value => Some(value.clone()),
        Says::PowerOfValue => {
            let exponent = value.to_u64().filter(|value| *value < MOST_EXPONENT)?;
            Some(BigUint::one() << exponent)
        }
        Says::Lost { .. } => None,
    }
}

/// That the values of heaps repeat: of a heap, the variable 0, and what stands for its value, the variable 1. `None` where
/// there are too many values for a formula.
pub(crate) fn repeating(law: &Periodic, says: Says) -> Option<Formula> {
    if law.values.len() > MOST_PIECES {
        return None;
    }
    let [n, value, lap] = [0, 1, 2].map(Variable);
    let number = |n: u64| BigInt::from(n);
    let pieces = (0..).zip(&law.values).map(|(heap, &worth)| {
        let worth = match says {
            Says::PowerOfValue if law.saltus > 0 || worth >= MOST_POWER => return None,
            _ => BigInt::from(written(&worth.into(), says)?),
        };
        if heap < law.preperiod {
            return Some(Formula::equal(n, number(heap)).and(Formula::equal(value, worth)));
        }
        let laps = |of: u64| Term::from(lap).times(number(of));
        let heap = Formula::equal(n, laps(law.period) + number(heap));
        let worth = Formula::equal(value, laps(law.saltus) + worth);
        Some(Formula::exists([lap], heap.and(worth)))
    });
    Some(Formula::Or(pieces.collect::<Option<Vec<_>>>()?))
}

/// What a law says of all components with so many coordinates, in whatever order where they have none; `None` where it is
/// no law of that kind, or none in this numeration system.
fn said(
    ruleset: &Ruleset,
    law: &Law,
    says: Says,
    arity: usize,
    encoding: &Encoding,
    meter: &mut AutomataMeter,
) -> Option<Relation> {
    let holds = match law {
        Law::Automaton(law) if says_of(law) == says && law.arity == arity => {
            let relation = relation_of(law)?;
            let same = relation.encoding().system == encoding.system;
            same.then_some(Holds::Relation(relation))?
        }
        Law::Periodic(law) if arity == 1 => Holds::Formula(repeating(law, says)?),
        _ => return None,
    };
    let game = Game::new(ruleset, arity).ok()?;
    let system = encoding.system.clone();
    let law = automatic::Law {
        says,
        holds,
        system,
    };
    whole(&game, &law, encoding, meter).ok()
}

fn coordinates(arity: usize) -> Vec<Variable> {
    (0u32..).take(arity).map(Variable).collect()
}

/// Variables that stand behind those of coordinates.
const BEHIND: u32 = 1 << 16;

/// The first component of which two laws say something else, in the order of its digits, so that no component with
/// smaller numbers is one, if there is one. Components that only one of the games has are passed over.
///
/// `None` where one of the two does not tell, or no numeration system can say both.
pub(crate) fn first_difference(
    laws: [(&Ruleset, &Law); 2],
    arity: usize,
    meter: &mut AutomataMeter,
) -> Option<Result<(), Vec<BigUint>>> {
    let automaton = laws.iter().find_map(|(_, law)| match law {
        Law::Automaton(law) => Some(law),
        _ => None,
    })?;
    let says = says_of(automaton);
    let encoding = relation_of(automaton)?.encoding().clone();
    let component = coordinates(arity);
    let mut solver = Solver::new(encoding.clone());
    for (name, (ruleset, law)) in ["left", "right"].into_iter().zip(laws) {
        let relation = said(ruleset, law, says, arity, &encoding, meter)?;
        solver.define(name, relation).ok()?;
    }
    let differ = match says {
        Says::Lost { components: 1 } => {
            let [left, right] = ["left", "right"].map(|law| Formula::named(law, component.clone()));
            left.iff(right).negated()
        }
        Says::Lost { .. } => return None,
        Says::Value | Says::PowerOfValue => {
            let values = [Variable(BEHIND), Variable(BEHIND + 1)];
            let [left, right] = ["left", "right"];
            let [left, right] = [(left, values[0]), (right, values[1])]
                .map(|(law, value)| Formula::named(law, [component.as_slice(), &[value]].concat()));
            let other = Formula::equal(values[0], values[1]).negated();
            Formula::exists(values, Formula::And(vec![left, right, other]))
        }
    };
    let differing = solver.relation(&differ, &component, meter).ok()?;
    let first = differing.tuples().next(meter).ok()?;
    Some(first.map_or(Ok(()), Err))
}

/// The first component about which a claim says something else than a law, likewise; of claims about sums, one whose
/// number is not its value.
///
/// `None` where that cannot be told: the law speaks of lost positions and the claim of values, values stand as exponents,
/// or the claim is outside what automata read in the numeration system of the law.
pub(crate) fn first_contradiction(
    ruleset: &Ruleset,
    law: &AutomatonLaw,
    claim: &Claim,
    meter: &mut AutomataMeter,
) -> Option<Result<(), Vec<BigUint>>> {
    let arity = law.arity;
    if claim.pattern.items.len() != arity {
        return None;
    }
    let game = Game::new(ruleset, arity).ok()?;
    let claim_is_lost = matches!(claim.statement, Statement::Lost(_));
    let known = relation_of(law)?;
    let encoding = known.encoding().clone();
    let says = says_of(law);
    let proved = automatic::Law {
        says,
        holds: Holds::Relation(known),
        system: encoding.system.clone(),
    };
    let proved = whole(&game, &proved, &encoding, meter).ok()?;
    let (proved, tracks) = match says {
        Says::Lost { components: 1 } if claim_is_lost => (proved, arity),
        Says::Value | Says::PowerOfValue if claim_is_lost => {
            let nothing = written(&BigUint::zero(), says)?;
            (proved.restrict(arity, &nothing, meter).ok()?, arity)
        }
        Says::Value => (proved, arity + 1),
        Says::PowerOfValue | Says::Lost { .. } => return None,
    };
    let claimed = automatic::Law::of_claim(ruleset, claim, &game).ok()?;
    let claimed = whole(&game, &claimed, &encoding, meter).ok()?;
    let mut solver = Solver::new(encoding);
    solver.define("proved", proved).ok()?;
    solver.define("claimed", claimed).ok()?;
    let all = coordinates(tracks);
    let [proved, claimed] = ["proved", "claimed"].map(|law| Formula::named(law, all.clone()));
    let component = all[..arity].to_vec();
    // Every component has exactly one value, so that a claim that never denies it says nothing else.
    let contradicted = if claim_is_lost {
        proved.iff(claimed).negated()
    } else {
        Formula::exists([all[arity]], proved.and(claimed.negated()))
    };
    let contradicted = solver.relation(&contradicted, &component, meter).ok()?;
    let first = contradicted.tuples().next(meter).ok()?;
    Some(first.map_or(Ok(()), Err))
}

/// The most heaps whose sums are counted.
const MOST_HEAPS: usize = 6;

/// How many components, or sums of heaps, with each number up to its bound are lost or have a value above 0; `None` where
/// the law does not tell.
pub(crate) fn count_in_box(
    ruleset: &Ruleset,
    law: &AutomatonLaw,
    bounds: &[BigUint],
    value: &BigUint,
    in_order: bool,
    meter: &mut AutomataMeter,
) -> Option<BigUint> {
    let (says, arity) = (says_of(law), law.arity);
    let encoding = relation_of(law)?.encoding().clone();
    let relation = said(
        ruleset,
        &Law::Automaton(law.clone()),
        says,
        arity,
        &encoding,
        meter,
    )?;
    let tracks = bounds.len();
    let wanted = match says {
        Says::Lost { components } if components * arity == tracks && value.is_zero() => relation,
        Says::Lost { .. } => return None,
        _ if tracks == arity => relation
            .restrict(arity, &written(value, says)?, meter)
            .ok()?,
        Says::Value if arity == 1 && tracks <= MOST_HEAPS => sums(relation, tracks, value, meter)?,
        _ => return None,
    };
    let wanted = if in_order {
        let heaps = coordinates(tracks);
        let pairs = heaps.windows(2);
        let ascending = pairs.map(|pair| Formula::less_equal(pair[0], pair[1]));
        let ascending = Formula::And(ascending.collect());
        let mut solver = Solver::new(encoding);
        let ascending = solver.relation(&ascending, &heaps, meter).ok()?;
        wanted.intersection(&ascending, meter).ok()?
    } else {
        wanted
    };
    let ends: Vec<BigUint> = bounds.iter().map(|bound| bound + 1u8).collect();
    wanted.count_below(&ends, meter).ok()
}

/// The sums of so many heaps that have a value, one heap after the other.
fn sums(
    law: Relation,
    heaps: usize,
    value: &BigUint,
    meter: &mut AutomataMeter,
) -> Option<Relation> {
    let mut solver = Solver::new(law.encoding().clone());
    let [before, here, sum] = [0, 1, 2].map(|at| Variable(BEHIND + at));
    solver.define("law", law.clone()).ok()?;
    let mut so_far = law;
    for known in 1..heaps {
        solver.define("sums", so_far).ok()?;
        let all = coordinates(known + 1);
        let others = Formula::named("sums", [&all[..known], &[before]].concat());
        let this = Formula::named("law", [all[known], here]);
        let added = Formula::atom(Atom::Xor, [before, here, sum]);
        let both = Formula::And(vec![others, this, added]);
        let tracks = [all.as_slice(), &[sum]].concat();
        let both = Formula::exists([before, here], both);
        so_far = solver.relation(&both, &tracks, meter).ok()?;
    }
    so_far.restrict(heaps, value, meter).ok()
}

/// How many given heaps below a number mean lost components, where `start` completes them; `None` where the law does not
/// tell.
pub(crate) fn completed_below(
    ruleset: &Ruleset,
    law: &AutomatonLaw,
    end: &BigUint,
    meter: &mut AutomataMeter,
) -> Option<BigUint> {
    let says = says_of(law);
    let relation = relation_of(law)?;
    let encoding = relation.encoding().clone();
    let (heap, component) = (Variable(0), coordinates(law.arity + 1)[1..].to_vec());
    let means = given(ruleset, law.arity).ok()?;
    let law = said(
        ruleset,
        &Law::Automaton(law.clone()),
        says,
        law.arity,
        &encoding,
        meter,
    )?;
    let lost = match says {
        Says::Lost { components: 1 } => law,
        Says::Lost { .. } => return None,
        _ => {
            let nothing = written(&BigUint::zero(), says)?;
            law.restrict(component.len(), &nothing, meter).ok()?
        }
    };
    let mut solver = Solver::new(encoding);
    solver.define("lost", lost).ok()?;
    let lost = means.and(Formula::named("lost", component.clone()));
    let heaps = solver
        .relation(&Formula::exists(component, lost), &[heap], meter)
        .ok()?;
    heaps.count_below(std::slice::from_ref(end), meter).ok()
}
