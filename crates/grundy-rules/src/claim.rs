//! What a claim says of a component.

use num_bigint::BigInt;

use crate::budget::{Limit, Meter};
use crate::eval::Env;
use crate::matching;
use crate::position::Component;
use crate::ruleset::{Claim, Piece, Ruleset};

/// What the pieces of a formula say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// This number, which may be negative.
    Number(BigInt),
    /// The piece that holds has no value: it divides by 0, or the like.
    Undefined,
    /// No piece holds, and none takes the rest.
    Nothing,
}

impl Claim {
    /// The variables of the claim bound by a component; `None` if it does not speak of it.
    ///
    /// Coordinates are taken in the order in which they stand, in every game: a claim about an
    /// unordered game speaks of its coordinates in ascending order, as positions are kept. Where
    /// a pattern matches in several ways, the first one counts.
    pub fn bind<'a>(
        &'a self,
        ruleset: &'a Ruleset,
        component: &'a Component,
        meter: &mut Meter,
    ) -> Result<Option<Env<'a>>, Limit> {
        let env = Env::new(ruleset, &self.scope, &component.0);
        let mut first = None;
        let mut found = |values, _: &mut Meter| {
            first.get_or_insert(values);
            Ok(())
        };
        matching::matches_in_order(&self.pattern, component, &env.values, meter, &mut found)?;
        Ok(first.map(|values| Env { values, ..env }))
    }
}

/// What the first piece says whose condition holds.
pub fn said(env: &mut Env, pieces: &[Piece], meter: &mut Meter) -> Result<Said, Limit> {
    for piece in pieces {
        let holds = match &piece.condition {
            Some(condition) => env.holds(condition, meter)?,
            None => true,
        };
        if holds {
            let number = env.number(&piece.value, meter)?;
            return Ok(number.map_or(Said::Undefined, Said::Number));
        }
    }
    Ok(Said::Nothing)
}
