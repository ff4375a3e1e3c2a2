//! The values of heaps of one number, in order, by the fastest way that the shape allows.

mod bits;
mod compiled;
mod options;
mod rules;
mod sets;

use grundy_kernels::{AllBut, Level, Space, Split, Subtraction, Values};
use grundy_rules::{Limit, Meter, Ruleset};

use super::period::{Periodicity, shown};
use crate::outcome::Undecided;
use crate::proof::Method;
use crate::shape::{Classes, Form, Shape, Takes};
use compiled::Compiled;
pub(crate) use options::Seen;
use options::{by_classes, by_takes};
use sets::Sets;

/// The Grundy values of the heaps 0, 1, 2, …, as far as they were asked for.
///
/// At each doubling a period is looked for. Where the values prove one by the theorem for the shape, all
/// further values are copies.
pub struct Sequence<'g> {
    engine: Engine<'g>,
    values: Values,
    /// The theorem that proves periods by values alone.
    method: Option<Method>,
    /// At so many values a period is looked for.
    next_look: usize,
    /// The period that is proved.
    law: Option<Periodicity>,
}

enum Engine<'g> {
    Split(Box<Split>),
    Subtraction(Subtraction),
    AllBut(AllBut),
    Sets(Sets),
    Classes(Classes, Seen),
    Takes(Takes),
    Compiled(Compiled<'g>),
}

/// At so many values a period is looked for the first time.
const FIRST_LOOK: usize = 256;

impl<'g> Sequence<'g> {
    /// No value yet, of a game whose components are heaps of one number.
    pub fn new(ruleset: &'g Ruleset, shape: &Shape) -> Self {
        Self::with_level(ruleset, shape, Level::best())
    }

    /// The same with the instructions of a level, which decides about speed alone.
    pub fn with_level(ruleset: &'g Ruleset, shape: &Shape, level: Level) -> Self {
        let engine = match &shape.form {
            Form::Code(code) => {
                if let Some(takes) = code.as_subtraction() {
                    Engine::Subtraction(Subtraction::new(takes, level))
                } else if let Some(excluded) = code.as_all_but() {
                    Engine::AllBut(AllBut::new(excluded))
                } else if let Some(rules) = rules::of_code(code) {
                    Engine::Split(Box::new(Split::new(rules, level)))
                } else {
                    Engine::Sets(Sets::new(code, level))
                }
            }
            Form::Classes(classes) => match rules::of_classes(classes) {
                Some(rules) => Engine::Split(Box::new(Split::new(rules, level))),
                None => Engine::Classes(classes.clone(), Seen::default()),
            },
            Form::Takes(takes) => Engine::Takes(takes.clone()),
            Form::Lines(_) | Form::Heaps(_) | Form::Other(_) => {
                Engine::Compiled(Compiled::new(ruleset))
            }
        };
        Self {
            engine,
            values: Values::default(),
            method: Method::of(shape).ok().filter(Method::needs_values_only),
            next_look: FIRST_LOOK,
            law: None,
        }
    }

    /// The same with so many threads where there is work for several: in games whose values have a sparse space. That decides
    /// about speed alone.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        if let Engine::Split(split) = self.engine {
            self.engine = Engine::Split(Box::new(split.with_threads(threads)));
        }
        self
    }

    /// Whether there is a kernel for a shape: no other engine is faster.
    pub fn has_kernel(shape: &Shape) -> bool {
        match &shape.form {
            Form::Code(_) | Form::Takes(_) => true,
            Form::Classes(classes) => rules::of_classes(classes).is_some(),
            Form::Lines(_) | Form::Heaps(_) | Form::Other(_) => false,
        }
    }

    /// The values so far.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The law with the least period that the values so far show; see [`shown`](super::shown()).
    pub fn shown(&self) -> Option<Periodicity> {
        shown_in(&self.values)
    }

    /// The law that the values so far prove: all further ones are copies.
    pub fn law(&self) -> Option<Periodicity> {
        self.law
    }

    /// The sparse space of the values so far, if there is one.
    pub fn space(&self) -> Option<Space> {
        match &self.engine {
            Engine::Split(split) => split.space(),
            _ => None,
        }
    }

    /// A mask for which few of the values so far are rare; 0 where none is known.
    pub fn mask(&self) -> u64 {
        self.space().map_or(0, |space| space.mask as u64)
    }

    /// How many heaps are rare, where the values have a sparse space.
    pub fn rares(&self) -> Option<u64> {
        match &self.engine {
            Engine::Split(split) => split.space().map(|_| split.rares() as u64),
            _ => None,
        }
    }

    /// The rare heaps, where the values have a sparse space.
    pub fn rare_heaps(&self) -> Vec<usize> {
        let Engine::Split(split) = &self.engine else {
            return Vec::new();
        };
        let Some(space) = split.space() else {
            return Vec::new();
        };
        let value =
            |heap| usize::try_from(self.values.at(heap)).expect("it is less than the options");
        let heaps = 0..self.values.len();
        heaps
            .filter(|heap| space.is_rare(*heap, value(*heap)))
            .collect()
    }

    /// The values of the heaps from one on, each with what else is kept of its heap: numbers from which
    /// another sequence of the same game goes on at once.
    pub fn told_since(&self, heap: usize) -> Vec<u64> {
        let mut numbers = Vec::new();
        for heap in heap..self.values.len() {
            numbers.push(self.values.at(heap));
            if let Engine::Sets(sets) = &self.engine {
                sets.tell(heap, &mut numbers);
            }
        }
        numbers
    }

    /// Whether [`Sequence::told_since`] tells values alone.
    pub fn tells_values_only(&self) -> bool {
        match &self.engine {
            Engine::Sets(sets) => sets.keeps_values_only(),
            _ => true,
        }
    }

    /// Takes what a sequence of the same game has told of its first heaps, at most `most`, where none is
    /// computed yet.
    ///
    /// # Errors
    ///
    /// At a limit, and if these are not the numbers of so few heaps.
    pub fn restore(
        &mut self,
        numbers: &[u64],
        most: usize,
        meter: &mut Meter,
    ) -> Result<(), Undecided> {
        let mut numbers = numbers.iter();
        while let Some(value) = numbers.next() {
            if self.values.len() == most {
                return Err(Limit::Bytes.into());
            }
            if let Engine::Sets(sets) = &mut self.engine {
                let adopted = sets.adopt(&mut numbers, &self.values, meter);
                adopted.ok_or(Limit::Bytes)??;
            }
            self.values.push(*value);
        }
        let values = &self.values;
        meter.allocate((values.len() as u64).saturating_mul(values.width() as u64))?;
        match &mut self.engine {
            Engine::Split(split) => split.adopt(values),
            Engine::Compiled(compiled) => compiled.adopt(values),
            _ => {}
        }
        self.next_look = self.values.len().max(FIRST_LOOK);
        Ok(())
    }

    /// Computes values until there are `count`.
    ///
    /// # Errors
    ///
    /// At a limit; the values found before it stay. More values than the budget has room for are
    /// refused before the first.
    pub fn extend_to(&mut self, count: usize, meter: &mut Meter) -> Result<(), Undecided> {
        let Some(missing) = count
            .checked_sub(self.values.len())
            .filter(|missing| *missing > 0)
        else {
            return Ok(());
        };
        let mut width = self.values.width();
        let bytes = missing.checked_mul(width).ok_or(Limit::Bytes)?;
        meter.allocate(bytes as u64)?;
        while self.values.len() < count {
            if let Some(law) = self.law {
                // Whatever becomes wide is paid for before it is.
                Self::widen(&mut width, self.width_at(law, count), count, meter)?;
                self.values.reserve(count - self.values.len());
                self.copy(law, count, meter)?;
                break;
            }
            // Room is made for one stretch at a time, so that widening it costs little more than its values.
            let end = count.min(self.next_look);
            self.values.reserve(end.saturating_sub(self.values.len()));
            self.compute(end, meter)?;
            Self::widen(&mut width, self.values.width(), count, meter)?;
            if self.values.len() >= self.next_look {
                self.law = self.look();
            }
        }
        Ok(())
    }

    /// Pays for `count` values that take more bytes each than so far.
    fn widen(
        width: &mut usize,
        wider: usize,
        count: usize,
        meter: &mut Meter,
    ) -> Result<(), Limit> {
        let more = wider.saturating_sub(*width) as u64;
        *width = wider.max(*width);
        meter.allocate(more.saturating_mul(count as u64))
    }

    /// How many bytes a value takes when a law has given `count` of them.
    fn width_at(&self, law: Periodicity, count: usize) -> usize {
        let last = (count - self.values.len()) as u64;
        let growth = last.div_ceil(law.period).saturating_mul(law.saltus);
        Values::width_of(self.values.largest().saturating_add(growth))
    }

    /// Computes values until there are `count`, without a law.
    fn compute(&mut self, count: usize, meter: &mut Meter) -> Result<(), Undecided> {
        let spend = &mut |steps| meter.spend(steps);
        match &mut self.engine {
            Engine::Split(split) => return Ok(split.extend(&mut self.values, count, spend)?),
            Engine::Subtraction(takes) => {
                return Ok(takes.extend(&mut self.values, count, spend)?);
            }
            Engine::AllBut(takes) => return Ok(takes.extend(&mut self.values, count, spend)?),
            Engine::Compiled(compiled) => {
                return compiled.extend(&mut self.values, count, meter);
            }
            _ => {}
        }
        while self.values.len() < count {
            let value = match &mut self.engine {
                Engine::Sets(sets) => sets.next(&self.values, meter)?,
                Engine::Classes(classes, seen) => by_classes(classes, &self.values, seen, meter)?,
                Engine::Takes(takes) => by_takes(takes, &self.values, meter)?,
                Engine::Split(_)
                | Engine::Subtraction(_)
                | Engine::AllBut(_)
                | Engine::Compiled(_) => {
                    unreachable!("they compute many values at a time")
                }
            };
            self.values.push(value);
        }
        Ok(())
    }

    /// The law that the values so far prove; if there is none, decides when to look again.
    ///
    /// A period that only the last values show needs more of them for its proof, but it is known how many.
    fn look(&mut self) -> Option<Periodicity> {
        let length = self.values.len();
        self.next_look = 2 * length;
        let method = self.method.as_ref()?;
        let laws = if length < MANY {
            [None, self.shown()]
        } else {
            let last = bounded(self.values.period_since(length - length / 8));
            // What the second half shows, the last eighth does.
            let half = last.and_then(|_| bounded(self.values.shown_period()));
            // No theorem proves a growth of values where heaps split after finitely many takes, and none grow in a byte.
            let may_grow = !matches!(self.engine, Engine::Split(_)) && self.values.width() > 1;
            let growing = || {
                may_grow
                    .then(|| shown(&self.values.first(length)))
                    .flatten()
            };
            [last, half.or_else(growing)]
        };
        for law in laws.into_iter().flatten() {
            let needed = method.values_needed(law);
            match needed.and_then(|needed| usize::try_from(needed).ok()) {
                Some(needed) if needed <= length => return Some(law),
                // The distance bounds what all looks together cost.
                Some(needed) => {
                    self.next_look = self.next_look.min(needed.max(length + length / 8));
                }
                None => {}
            }
        }
        None
    }

    /// Appends what a law says, in pieces.
    fn copy(&mut self, law: Periodicity, count: usize, meter: &mut Meter) -> Result<(), Limit> {
        let period = usize::try_from(law.period).expect("it is shorter than the values");
        while self.values.len() < count {
            let piece = (count - self.values.len()).min(COPIED);
            meter.spend(piece as u64 / 64 + 1)?;
            self.values.repeat(period, law.saltus, piece);
        }
        Ok(())
    }
}

/// How many values are copied at a time.
const COPIED: usize = 1 << 20;
/// From so many values on a law without growth is looked for first, and alone if all values fit a byte.
const MANY: usize = 1 << 12;

/// The law with the least period that values show.
fn shown_in(values: &Values) -> Option<Periodicity> {
    if values.len() >= MANY {
        let law = bounded(values.shown_period());
        if law.is_some() || values.width() == 1 {
            return law;
        }
    }
    shown(&values.first(values.len()))
}

/// A preperiod and a period as a law without growth.
fn bounded(shown: Option<(usize, usize)>) -> Option<Periodicity> {
    shown.map(|(preperiod, period)| Periodicity {
        preperiod: preperiod as u64,
        period: period as u64,
        saltus: 0,
    })
}
