//! Which theorem turns a finite check of values into a law, and how many values it asks for.
//!
//! The statements and their proofs stand in `docs/theorems.md`. A window that agrees *is* a proof;
//! one that is one value shorter is none.

use grundy_rules::ruleset::Play;
use num_integer::Integer;

use crate::law::Periodicity;
use crate::shape::{Code, Form, Shape};

/// A theorem that applies to a shape, with what its window depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// Finite subtraction sets: `max S` values of the period before must agree.
    Subtraction {
        /// `max S`
        largest: u64,
    },
    /// The shift lemma of Guy and Smith (1956) for finitely many classes of moves.
    Shift {
        /// How much each class removes and how many heaps it leaves.
        classes: Vec<(u64, u64)>,
        /// From this heap on, conditions on the heap no longer change.
        heap_threshold: u64,
        /// From this size on, conditions on a part no longer change.
        part_threshold: u64,
        /// The period must be a multiple of this.
        modulus: u64,
    },
    /// Take any positive number outside a finite set: twice its largest member.
    AllBut {
        /// The largest excluded number; 0 if there is none.
        largest: u64,
    },
    /// Take any positive number outside a finite set, or split in two: exact conditions on residues.
    TakeOrSplit,
    /// Take-and-break codes whose digits repeat.
    PeriodicTail {
        /// The place of the last digit before those that repeat.
        last: u64,
        /// How many digits repeat.
        repeat: u64,
        /// The most heaps that a move leaves.
        parts: u64,
    },
}

/// Why no finite check proves laws of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMethod {
    /// Values have no meaning in misère play.
    Misere,
    /// The rules relate the parts of a heap to each other; there the shift lemma is false.
    RelatedParts,
    /// The shape is outside the normal forms.
    Outside,
}

impl Method {
    /// The theorem for a shape.
    pub fn of(shape: &Shape) -> Result<Self, NoMethod> {
        match shape.play {
            Play::Normal => Self::of_form(&shape.form),
            Play::Misere => Err(NoMethod::Misere),
        }
    }

    /// The theorem for whatever is a function of the options of a heap, as Grundy values are.
    pub fn of_form(form: &Form) -> Result<Self, NoMethod> {
        match form {
            Form::Code(code) => Ok(Self::of_code(code)),
            Form::Classes(classes) => {
                let conditions = classes.conditions();
                if conditions.related {
                    return Err(NoMethod::RelatedParts);
                }
                let classes = classes.classes().iter();
                Ok(Self::Shift {
                    classes: classes
                        .map(|class| (class.removed as u64, class.parts as u64))
                        .collect(),
                    heap_threshold: conditions.heap_threshold as u64,
                    part_threshold: conditions.part_threshold as u64,
                    modulus: conditions.modulus as u64,
                })
            }
            Form::Takes(_) | Form::Lines(_) | Form::Heaps(_) | Form::Other(_) => {
                Err(NoMethod::Outside)
            }
        }
    }

    fn of_code(code: &Code) -> Self {
        let largest = |set: &[usize]| set.last().map_or(0, |largest| *largest as u64);
        if let Some(set) = code.as_subtraction() {
            return Self::Subtraction {
                largest: largest(&set),
            };
        }
        if let Some(set) = code.as_all_but() {
            return Self::AllBut {
                largest: largest(&set),
            };
        }
        if code.as_take_or_split().is_some() {
            return Self::TakeOrSplit;
        }
        if !code.repeating().is_empty() {
            return Self::PeriodicTail {
                last: (code.head().len() as u64).saturating_sub(1),
                repeat: code.repeating().len() as u64,
                parts: code.most_parts() as u64,
            };
        }
        let classes = code.head().iter().zip(0..).flat_map(|(digit, taken)| {
            let parts = (0..8).filter(move |parts| digit >> parts & 1 == 1);
            parts.map(move |parts| (taken, parts))
        });
        Self::Shift {
            classes: classes.collect(),
            heap_threshold: 0,
            part_threshold: 0,
            modulus: 1,
        }
    }

    /// Whether the theorem proves every periodic law that such a game can have.
    ///
    /// Finite subtraction sets have bounded values, and all games of all but a finite set laws of the
    /// form that their theorem proves. Games that leave at most two heaps have never been seen to grow in
    /// steps; to take that for granted costs only time.
    pub fn covers_all_laws(&self) -> bool {
        match self {
            Self::Subtraction { .. } | Self::AllBut { .. } => true,
            Self::Shift { classes, .. } => classes.iter().all(|(_, parts)| *parts <= 2),
            Self::TakeOrSplit | Self::PeriodicTail { .. } => false,
        }
    }

    /// Whether values that agree prove a law for this theorem, with nothing else to be checked.
    pub fn needs_values_only(&self) -> bool {
        !matches!(self, Self::TakeOrSplit)
    }

    /// How many values, those of the heaps from 0 on, must obey a law for this theorem to prove it;
    /// `None` if it proves no such law, or if the number is too large.
    ///
    /// That a law of a finite subtraction set or of all but a finite set may begin at heap 0 is
    /// part of those theorems. The others are false there: with 0.4 the window of period 1 from heap 0 on
    /// agrees, and the value of heap 3 is 1.
    pub fn values_needed(&self, law: Periodicity) -> Option<u64> {
        let Periodicity {
            preperiod,
            period,
            saltus,
        } = law;
        match self {
            Self::Subtraction { largest } => {
                let window = preperiod.checked_add(*largest)?;
                (saltus == 0).then(|| window.checked_add(period))?
            }
            Self::AllBut { largest } => {
                // At least one value stands in the window, or the law would say nothing.
                let window = preperiod.checked_add(largest.checked_mul(2)?.max(1))?;
                window.checked_add(period)
            }
            Self::TakeOrSplit => {
                (saltus.is_power_of_two()).then(|| preperiod.checked_add(period))?
            }
            Self::Shift {
                classes,
                heap_threshold,
                part_threshold,
                modulus,
            } => {
                if saltus != 0 {
                    return None;
                }
                let period = least_multiple(period, *modulus)?;
                let start = preperiod.max(1).max(*part_threshold);
                let mut window = start.max(heap_threshold.checked_add(1)?);
                for (removed, parts) in classes {
                    let needed = if *parts == 0 {
                        removed + 1
                    } else {
                        let sum = start.checked_add(period - 1)?.checked_mul(*parts)?;
                        sum.checked_add(1 + removed)? - period
                    };
                    window = window.max(needed);
                }
                window.checked_add(period)
            }
            Self::PeriodicTail {
                last,
                repeat,
                parts,
            } => {
                let period = least_multiple(period, *repeat)?;
                let start = preperiod.max(1);
                let sum = start.checked_add(period - 1)?.checked_mul(*parts)?;
                let window = sum.checked_add(last + 1)?.max(start);
                (saltus == 0).then(|| window.checked_add(period))?
            }
        }
    }
}

/// The least common multiple, if it is not too large.
fn least_multiple(a: u64, b: u64) -> Option<u64> {
    (a / a.gcd(&b)).checked_mul(b)
}
