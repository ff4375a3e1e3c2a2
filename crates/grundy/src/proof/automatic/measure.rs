//! That play ends, for all positions at once.
//!
//! A *measure* is a sum of coordinates with weights. One that no move increases, and that is natural wherever there is
//! a move, changes only finitely often along any play; so only the moves that keep it remain to be examined, by the next
//! measure. If none remain, there is no infinite sequence of components each of which is a part that a move leaves of
//! the one before. A move replaces a component by finitely many smaller ones in this order, so play with any
//! number of components ends: Dershowitz and Manna (1979), *Proving termination with multiset orderings*.

use grundy_automata::{Error, Formula, Meter, Solver, Term, Variable};

use super::moves::{Game, coordinates};
use super::obligations::{components_of, named_moves};
use super::translate::{disjunction, exists};

/// The weights of measures that show, one after the other, that play ends. That there are none says nothing.
pub(super) fn play_ends(
    game: &Game,
    solver: &mut Solver,
    meter: &mut Meter,
) -> Result<Option<Vec<Vec<i64>>>, Error> {
    let (before, after) = (coordinates(0, game.arity), coordinates(1, game.arity));
    let both = [before.as_slice(), &after].concat();
    let mut any = Vec::new();
    for parts in game.part_counts() {
        let variables = components_of(parts + 1, game.arity);
        for part in 1..=parts {
            // The part stands where the first one stood.
            let mut arguments = variables.clone();
            let (first, this) = (game.arity, part * game.arity);
            for at in 0..game.arity {
                arguments.swap(first + at, this + at);
            }
            let others = variables[2 * game.arity..].to_vec();
            any.push(exists(
                others,
                Formula::named(named_moves(parts), arguments),
            ));
        }
    }
    let mut remaining = solver.relation(&disjunction(any), &both, meter)?;
    let measures = measures(game.arity);
    let mut used = Vec::new();
    loop {
        if remaining.is_empty() {
            return Ok(Some(used));
        }
        solver.define(REMAINING, remaining.clone())?;
        let here = Formula::named(REMAINING, both.clone());
        let mut narrowed = None;
        for weights in &measures {
            let (old, new) = (weighted(weights, &before), weighted(weights, &after));
            let fails = Formula::less(old.clone(), new.clone()).or(Formula::less(old.clone(), 0));
            let fails = here.clone().and(fails);
            if solver.decide(&Formula::exists(both.clone(), fails), meter)? {
                continue;
            }
            let kept = here.clone().and(Formula::equal(old, new));
            let kept = solver.relation(&kept, &both, meter)?;
            if kept != remaining {
                used.push(weights.clone());
                narrowed = Some(kept);
                break;
            }
        }
        match narrowed {
            Some(kept) => remaining = kept,
            None => return Ok(None),
        }
    }
}

const REMAINING: &str = "remaining";

/// The sum of all coordinates, each coordinate, and the differences of two.
fn measures(arity: usize) -> Vec<Vec<i64>> {
    let unit = |at: usize| (0..arity).map(move |place| i64::from(place == at));
    let mut all = vec![vec![1; arity]];
    if arity > 1 {
        all.extend((0..arity).map(|at| unit(at).collect()));
        for at in 0..arity {
            let others = (0..arity).filter(|other| *other != at);
            all.extend(others.map(|other| {
                let pairs = unit(at).zip(unit(other));
                pairs.map(|(plus, minus)| plus - minus).collect()
            }));
        }
    }
    all
}

fn weighted(weights: &[i64], numbers: &[Variable]) -> Term {
    let each = weights.iter().zip(numbers);
    each.fold(Term::default(), |sum, (weight, number)| {
        sum + Term::from(*number).times(*weight)
    })
}
