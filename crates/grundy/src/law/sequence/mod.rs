//! The values of heaps of one number, in order, by the fastest way that the shape allows.

mod bits;
mod options;
mod sets;
mod split;

use grundy_rules::{Component, Limit, Meter, Ruleset};

use crate::oracle::Oracle;
use crate::outcome::Undecided;
use crate::shape::{Classes, Form, Shape, Takes};
use options::{Seen, by_classes, by_takes};
use sets::Sets;
use split::Split;

/// The Grundy values of the heaps 0, 1, 2, …, as far as they were asked for.
pub struct Sequence<'g> {
    engine: Engine<'g>,
    values: Vec<u64>,
}

enum Engine<'g> {
    Split(Box<Split>),
    Sets(Sets),
    Classes(Classes, Seen),
    Takes(Takes, Seen),
    Oracle(Oracle<'g>),
}

impl<'g> Sequence<'g> {
    /// No value yet, of a game whose components are heaps of one number.
    pub fn new(ruleset: &'g Ruleset, shape: &Shape) -> Self {
        let engine = match &shape.form {
            Form::Code(code) if code.repeating().is_empty() && code.most_parts() <= 2 => {
                Engine::Split(Box::new(Split::new(code)))
            }
            Form::Code(code) => Engine::Sets(Sets::new(code)),
            Form::Classes(classes) => Engine::Classes(classes.clone(), Seen::default()),
            Form::Takes(takes) => Engine::Takes(takes.clone(), Seen::default()),
            Form::Lines(_) | Form::Heaps(_) | Form::Other(_) => {
                Engine::Oracle(Oracle::new(ruleset))
            }
        };
        Self {
            engine,
            values: Vec::new(),
        }
    }

    /// The values so far.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// A mask for which few of the values so far are rare; 0 where none is known.
    pub fn mask(&self) -> u64 {
        match &self.engine {
            Engine::Split(split) => split.mask(),
            _ => 0,
        }
    }

    /// Computes values until there are `count`.
    ///
    /// # Errors
    ///
    /// At a limit; the values found before it stay. More values than the budget has room for are
    /// refused before the first.
    pub fn extend_to(&mut self, count: usize, meter: &mut Meter) -> Result<(), Undecided> {
        let missing = count.saturating_sub(self.values.len()) as u64;
        meter.allocate(missing.checked_mul(8).ok_or(Limit::Bytes)?)?;
        while self.values.len() < count {
            let value = match &mut self.engine {
                Engine::Split(split) => split.next(meter)?,
                Engine::Sets(sets) => sets.next(&self.values, meter)?,
                Engine::Classes(classes, seen) => by_classes(classes, &self.values, seen, meter)?,
                Engine::Takes(takes, seen) => by_takes(takes, &self.values, seen, meter)?,
                Engine::Oracle(oracle) => {
                    let heap = Component::of_numbers([self.values.len() as u64]);
                    oracle.grundy_value(&heap, meter)?
                }
            };
            self.values.push(value);
        }
        Ok(())
    }
}
