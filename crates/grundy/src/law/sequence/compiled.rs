//! Heaps in order by compiled rules, and by the oracle where rules cannot be compiled.

use grundy_kernels::Values;
use grundy_rules::{Component, Limit, Meter, Ruleset};

use crate::oracle::Oracle;
use crate::outcome::Undecided;
use crate::table::{Filling, Plan, Quantity, TableError};

/// Values of heaps by the rules alone.
pub(super) struct Compiled<'g> {
    ruleset: &'g Ruleset,
    way: Way<'g>,
}

enum Way<'g> {
    /// A table, made anew for twice as many heaps whenever it is full.
    Table(Box<Tabulated>),
    Oracle(Oracle<'g>),
}

struct Tabulated {
    plan: Plan,
    filling: Option<Filling>,
}

/// How many heaps the first table has.
const FIRST_TABLE: usize = 1 << 10;

impl<'g> Compiled<'g> {
    pub(super) fn new(ruleset: &'g Ruleset) -> Self {
        let plan = Plan::new(ruleset).ok().filter(|plan| plan.arity() == 1);
        let way = match plan {
            Some(plan) => Way::Table(Box::new(Tabulated {
                plan,
                filling: None,
            })),
            None => Way::Oracle(Oracle::new(ruleset)),
        };
        Self { ruleset, way }
    }

    /// Adds values until there are so many.
    ///
    /// # Errors
    ///
    /// At a limit, and where play need not end; the values found before it are added.
    pub(super) fn extend(
        &mut self,
        values: &mut Values,
        count: usize,
        meter: &mut Meter,
    ) -> Result<(), Undecided> {
        while values.len() < count {
            match &mut self.way {
                Way::Table(tabulated) => {
                    let Tabulated { plan, filling } = &mut **tabulated;
                    if filling.as_ref().is_none_or(|table| full(table, values)) {
                        if let Some(full) = filling.take() {
                            meter.release(full.bytes());
                        }
                        *filling = begin(plan, values, count, meter)?;
                    }
                    let Some(table) = filling else {
                        self.way = Way::Oracle(Oracle::new(self.ruleset));
                        self.adopt(values);
                        continue;
                    };
                    let filled = table.fill(count as u64, meter, &mut |_| ());
                    for value in table.news() {
                        values.push(value);
                    }
                    filled?;
                }
                Way::Oracle(oracle) => {
                    let heap = Component::of_numbers([values.len() as u64]);
                    values.push(oracle.grundy_value(&heap, meter)?);
                }
            }
        }
        Ok(())
    }

    /// Takes values that are known.
    pub(super) fn adopt(&mut self, values: &Values) {
        if let Way::Oracle(oracle) = &mut self.way {
            for (heap, value) in (0u64..).zip(values.iter()) {
                oracle.adopt(Component::of_numbers([heap]), value);
            }
        }
    }
}

/// Whether a table has no heap that is not among the values.
fn full(table: &Filling, values: &Values) -> bool {
    table.cells() <= values.len() as u64
}

/// A table with room for more heaps, in which the known ones stand; `None` where the rules do not allow one that has just
/// these heaps, the smallest first.
fn begin(
    plan: &Plan,
    values: &Values,
    count: usize,
    meter: &mut Meter,
) -> Result<Option<Filling>, Limit> {
    let ample = count.max(FIRST_TABLE).max(values.len().saturating_mul(2));
    let (mut room, mut begun) = (ample as u64, Err(Limit::Bytes.into()));
    for wanted in [ample, count] {
        room = wanted as u64;
        begun = plan.begin(&[room - 1], Quantity::Grundy, meter);
        if !matches!(begun, Err(TableError::Limit(Limit::Bytes))) {
            break;
        }
    }
    match begun {
        Ok(mut table) if table.is_in_order() && table.cells() == room => {
            let known: Vec<u64> = values.iter().collect();
            table.restore(&known, meter)?;
            Ok(Some(table))
        }
        Ok(table) => {
            meter.release(table.bytes());
            Ok(None)
        }
        Err(TableError::Limit(limit)) => Err(limit),
        Err(TableError::Unfit(_) | TableError::Dimensions { .. }) => Ok(None),
    }
}
