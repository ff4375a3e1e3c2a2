//! Pointer laws proved: by statements about heaps that follow a few pointers.

use grundy_automata::{DigitOrder, Encoding, Error, Limit};
use grundy_certificate::automatic::{Automaton, Invariant, LinksProof, Obligations};
use grundy_certificate::{Law, Pointers, Proof};
use grundy_rules::{Meter, Ruleset};

use super::certify::{Filled, filled, numeration, order};
use super::moves::Game;
use crate::proof::{self, Proved};

/// How many pointers are followed, in turn.
const LINKS: [usize; 4] = [1, 2, 3, 4];
/// The states and the steps that an attempt may use: what is proved at all mostly takes few.
const LIMITS: [(usize, u64); 2] = [(4_000, 1 << 22), (16_000, 1 << 23)];

/// Proves that the values of heaps follow the pointers of a law, for heaps of any size.
///
/// The theorem stands with the checker. More pointers prove more laws and ask for larger automata. `None` says
/// nothing of the law: it may be false, or true for another reason, or larger than the limits.
pub fn links(
    ruleset: &Ruleset,
    law: &Pointers,
    automata: &mut grundy_automata::Meter,
    checker: &mut Meter,
) -> Option<Box<Proved>> {
    let system = Game::new(ruleset, 1).ok()?.system()?;
    let numeration = numeration(&system).filter(|_| system.as_base().is_some())?;
    // So many pointers do not prove it, however many states there are.
    let mut too_few = 0;
    for (states, steps) in LIMITS {
        for links in LINKS {
            if links <= too_few {
                continue;
            }
            let obligations = Obligations::of_pointers(ruleset, law, links).ok()?;
            for digits in [DigitOrder::Msd, DigitOrder::Lsd] {
                let encoding = Encoding::new(system.clone(), digits);
                let work = |meter: &mut _| {
                    filled(&obligations, &Automaton::of_no_number(), &encoding, meter)
                };
                match automata.capped(states, steps, work).0 {
                    Ok(Filled::Holds {
                        defined,
                        invariants,
                    }) => {
                        let numbers = invariants.iter().map(Invariant::to_numbers);
                        let proof = Proof::Links(LinksProof {
                            links,
                            numeration,
                            order: order(digits),
                            defined,
                            invariants: numbers.collect(),
                        });
                        let law = Law::Pointers(law.clone());
                        let proved = proof::certify(ruleset, law, proof, checker);
                        return proved.ok().map(Box::new);
                    }
                    // What is false in one order of digits is false in the other.
                    Ok(Filled::Fails(..)) => {
                        too_few = links;
                        break;
                    }
                    Ok(Filled::Unreadable(_)) | Err(Error::Limit(Limit::Cancelled)) => {
                        return None;
                    }
                    Err(_) => {}
                }
            }
        }
    }
    None
}
