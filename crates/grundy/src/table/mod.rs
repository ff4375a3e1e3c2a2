//! Tables of all values on a box, computed bottom-up by compiled rules.
//!
//! A ruleset whose components are tuples of a fixed number of naturals is
//! lowered to loop nests over machine integers ([`Plan`]), and run on the least
//! closed box around the one that is asked for ([`Plan::tabulate`]). What does
//! not fit is said as data ([`Unfit`]): the search for single positions takes
//! over there.
//!
//! 1. `lower` writes each alternative of each rule over numbered slots,
//! 2. `inequality` says it as inequalities between polynomials (`poly`),
//! 3. `order` proves from them that options come before their cell,
//! 4. `kernel` turns them into loop bounds, lists of choices and tests (`blocks`),
//! 5. `fill` marks the values of the options, many at a time (`marks`);
//!    where options are few fixed neighbours, in one machine word (`offsets`), and where they
//!    lie on a few rays from the cell (`rays`), as sets of bits along the lines of the box (`lines`).
//!
//! # Cost
//!
//! One step for every cell, and for every eight choices of the movers, or for every eight words of 64 values. Where the options of
//! neighbouring cells are nearly the same run of cells, as in Nim, a cell costs only what
//! enters and leaves the run. One byte for each cell of the closed box while values fit,
//! then two, then four.

// Indices, coordinates and values pass between the integer types all the time. That they fit is
// shown once for the whole box: by `interval` for terms, by `Layout` for indices.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss
)]

mod blocks;
mod fill;
mod form;
mod inequality;
mod interval;
mod kernel;
mod lines;
mod lower;
mod marks;
mod number;
mod offsets;
mod order;
mod poly;
mod rays;
mod term;
mod walk;

use grundy_rules::{Limit, Meter, Ruleset};

use fill::{Filled, Program, State};
use inequality::Reasoned;
use interval::FAR;
use kernel::Layout;
use lines::Lines;
use offsets::Offsets;
use order::{Order, Orders};
use rays::Distances;
use walk::Walk;

/// Why a ruleset is not for tables of tuples.
///
/// It says nothing about the game: a search may still solve it. Rules are counted from 0 in
/// file order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// Components are rows of any length, or lists stand where numbers belong.
    Row,
    /// Components are not played one at a time.
    Compound,
    /// Play can end before the moves do.
    Ending,
    /// Chance draws.
    Chance,
    /// A rule belongs to one player.
    OnePlayer {
        /// Which rule.
        rule: usize,
    },
    /// A rule takes several components.
    Joint {
        /// Which rule.
        rule: usize,
    },
    /// A rule updates places of a row.
    Update {
        /// Which rule.
        rule: usize,
    },
    /// A rule speaks of nested lists.
    Nested {
        /// Which rule.
        rule: usize,
    },
    /// Components have different numbers of coordinates.
    Lengths {
        /// The first rule with another number.
        rule: usize,
    },
    /// Components have too many coordinates for a table.
    ManyCoordinates,
    /// A `start` line that does not just add coordinates.
    Completion,
    /// How many components a result has is not fixed, or they are many.
    ManyParts {
        /// Which rule.
        rule: usize,
    },
    /// A rule speaks of a number that is no machine integer.
    LargeNumber {
        /// Which rule.
        rule: usize,
    },
    /// No bound of a choice was found by linear reasoning, in a ruleset whose exact options
    /// cannot be used cell by cell.
    Unbounded {
        /// Which rule.
        rule: usize,
        /// The name of the choice.
        choice: String,
    },
    /// No order of the cells was found in which all options come first. There may be cycles.
    OrderUnknown {
        /// The rule with which the last candidate failed.
        rule: usize,
    },
    /// No finite box was found that holds all positions reached from the box asked for.
    NotClosed,
    /// A result has several components: then outcomes of components do not tell the outcome of
    /// their sum in misère play.
    MisereSum {
        /// Which rule.
        rule: usize,
    },
    /// Intermediate results may leave the machine integers, in a ruleset whose exact options
    /// cannot be used cell by cell.
    MayOverflow {
        /// Which rule.
        rule: usize,
    },
}

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableError {
    /// A limit was reached; says nothing about the game.
    Limit(Limit),
    /// The ruleset, or the ruleset on this box, is not for tables.
    Unfit(Unfit),
    /// The box does not have as many dimensions as components have coordinates.
    Dimensions {
        /// How many coordinates there are.
        expected: usize,
    },
}

impl From<Limit> for TableError {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl From<Unfit> for TableError {
    fn from(unfit: Unfit) -> Self {
        Self::Unfit(unfit)
    }
}

/// What the cells of a table hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The Grundy value of the component.
    Grundy,
    /// The outcome of the component on its own in misère play: 0 if the previous player wins,
    /// 1 if the next one does.
    MisereOutcome,
}

/// A ruleset made ready for tables of any size.
#[derive(Clone, Debug)]
pub struct Plan {
    ruleset: Ruleset,
    arity: usize,
    rules: Vec<Reasoned>,
    orders: Orders,
}

impl Plan {
    /// Whether the ruleset can be tabulated, and how.
    ///
    /// `Ok` proves that the rules have no cycle. Time grows with the length of the rules only.
    pub fn new(ruleset: &Ruleset) -> Result<Self, Unfit> {
        let (arity, rules) = lower::lower(ruleset)?;
        let mut rules: Vec<_> = rules
            .into_iter()
            .map(|rule| Reasoned::new(rule, arity))
            .collect();
        let orders = order::orders(arity, &mut rules)?;
        Ok(Self {
            ruleset: ruleset.clone(),
            arity,
            rules,
            orders,
        })
    }

    /// How many coordinates components have, and boxes dimensions.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// The value of every component with coordinates from 0 to the given bounds.
    ///
    /// All components that these can reach are computed too. `progress` is told
    /// every few thousand steps how many cells are done.
    ///
    /// A table that needs more bytes than the meter has is refused before it is
    /// begun; when values outgrow a byte, room for the wider table must be left too.
    pub fn tabulate(
        &self,
        bounds: &[u64],
        quantity: Quantity,
        meter: &mut Meter,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Table, TableError> {
        let mut filling = self.begin(bounds, quantity, meter)?;
        filling.fill(u64::MAX, meter, progress)?;
        Ok(filling.table)
    }

    /// A table like that of [`Plan::tabulate`], to be filled bit by bit.
    pub fn begin(
        &self,
        bounds: &[u64],
        quantity: Quantity,
        meter: &mut Meter,
    ) -> Result<Filling, TableError> {
        if bounds.len() != self.arity {
            return Err(TableError::Dimensions {
                expected: self.arity,
            });
        }
        if quantity == Quantity::MisereOutcome
            && let Some(sum) = self.rules.iter().find(|rule| rule.parts.len() > 1)
        {
            return Err(Unfit::MisereSum {
                rule: sum.rule.number,
            }
            .into());
        }
        let (order, extents, limit) = self.close(bounds)?;
        let layout = Layout::new(extents).ok_or(Limit::Bytes)?;
        let program = self.program(layout, quantity, order)?;
        let size = program.layout.cells;
        meter.allocate(size as u64)?;
        let table = Table {
            bounds: bounds.to_vec(),
            limit,
            quantity,
            strides: program.layout.strides.clone(),
            extents: program.layout.extents.clone(),
            cells: Cells::Byte(vec![0; size]),
        };
        let slots = self.rules.iter().map(|rule| rule.rule.names.len()).max();
        let slots = slots.unwrap_or(0);
        let walk = Walk::new(order.clone(), &program.layout.extents, limit);
        let cell = walk.first();
        let way = match limit {
            None => self.way(&program, order, slots, meter),
            Some(_) => Way::Options,
        };
        Ok(Filling {
            way,
            told: (walk.clone(), cell, 0),
            is_in_order: limit.is_none() && *order == Order::natural(self.arity),
            state: State::new(&program, walk, slots),
            program,
            table,
        })
    }

    /// The quickest way to fill a whole box.
    fn way(&self, program: &Program, order: &Order, slots: usize, meter: &mut Meter) -> Way {
        if let Some(offsets) = Offsets::new(program, order) {
            return Way::Offsets(offsets);
        }
        // Heaps of one number have kernels of their own.
        let lines = (self.arity > 1)
            .then(|| Distances::of(&self.rules, program, slots))
            .flatten()
            .and_then(|distances| Lines::new(distances, &program.layout, order, meter));
        lines.map_or(Way::Options, Way::Lines)
    }

    fn program(
        &self,
        layout: Layout,
        quantity: Quantity,
        order: &Order,
    ) -> Result<Program, TableError> {
        let mut kernels = Vec::new();
        let mut exact_rules = Vec::new();
        for rule in &self.rules {
            match kernel::kernels(rule, &layout, quantity == Quantity::Grundy) {
                Ok(of_rule) => kernels.extend(of_rule.into_iter().map(|k| (rule.rule.number, k))),
                // Exact options of an unordered component may stand later in a lexicographic
                // order than the ones that the proof speaks of.
                Err(Unfit::MayOverflow { rule } | Unfit::Unbounded { rule, .. })
                    if !(self.ruleset.unordered && matches!(order, Order::Lexicographic(_))) =>
                {
                    exact_rules.push(rule);
                }
                Err(unfit) => return Err(unfit.into()),
            }
        }
        exact_rules.dedup();
        kernels.retain(|(rule, _)| !exact_rules.contains(rule));
        let exact = exact_rules
            .into_iter()
            .map(|rule| Ruleset {
                moves: vec![self.ruleset.moves[rule].clone()],
                ..self.ruleset.clone()
            })
            .collect();
        Ok(Program {
            quantity,
            layout,
            kernels: kernels.into_iter().map(|(_, kernel)| kernel).collect(),
            exact,
        })
    }

    /// A box around the given one that no option leaves, with the order to compute it in; or,
    /// with a limit, only the cells of the box whose coordinates' sum is at most that.
    fn close(&self, bounds: &[u64]) -> Result<(&Order, Vec<u64>, Option<u64>), Unfit> {
        let orders = &self.orders;
        let first = &orders.proved[0];
        if let Some(extents) = self.closed_box(bounds) {
            return Ok((first, extents, None));
        }
        if orders.maximum_never_grows {
            let largest = bounds.iter().copied().max().unwrap_or(0);
            return Ok((first, vec![largest; self.arity], None));
        }
        let sum = bounds
            .iter()
            .try_fold(0u64, |sum, &bound| sum.checked_add(bound));
        let order = orders.proved.iter().find(|order| order.can_be_limited());
        match (orders.sum_never_grows, sum, order) {
            (true, Some(sum), Some(order)) => Ok((order, vec![sum; self.arity], Some(sum))),
            _ => Err(Unfit::NotClosed),
        }
    }

    /// The least box that interval reasoning finds to be closed.
    fn closed_box(&self, bounds: &[u64]) -> Option<Vec<u64>> {
        let mut extents = bounds.to_vec();
        // A coordinate that doubles stops within as many rounds as it has bits.
        for _ in 0..80 {
            let mut next = extents.clone();
            for rule in &self.rules {
                let ranges = rule.ranges_on(&extents);
                if rule.is_dead(&ranges) {
                    continue;
                }
                for (part, may_grow) in rule.parts.iter().zip(&rule.may_grow) {
                    for ((extent, coordinate), may_grow) in next.iter_mut().zip(part).zip(may_grow)
                    {
                        if !may_grow {
                            continue;
                        }
                        let largest = rule.atoms.range(coordinate, &ranges).hi;
                        if largest >= FAR {
                            return None;
                        }
                        *extent = (*extent).max(u64::try_from(largest.max(0)).ok()?);
                    }
                }
            }
            if next == extents {
                return Some(extents);
            }
            extents = next;
        }
        None
    }
}

/// A table in the making. Its cells are computed in an order of their own.
#[derive(Debug)]
pub struct Filling {
    program: Program,
    way: Way,
    /// How far it is.
    state: State,
    /// Up to which cell values were told, and how many.
    told: (Walk, Vec<i64>, u64),
    /// Whether cells are computed in the order in which they lie.
    is_in_order: bool,
    table: Table,
}

/// How the cells of a table are computed.
#[derive(Debug)]
enum Way {
    /// By marking the values of all options.
    Options,
    /// By options that are few fixed neighbours.
    Offsets(Offsets),
    /// By options that lie on a few rays.
    Lines(Lines),
}

impl Filling {
    /// How many cells there are in all, at most.
    pub fn cells(&self) -> u64 {
        self.program.layout.cells as u64
    }

    /// How many cells are done.
    pub fn done(&self) -> u64 {
        self.state.done
    }

    /// Whether cells are computed in the order in which they lie, the last coordinate varying fastest.
    pub fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// How many bytes the values take.
    pub fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Whether all are.
    pub fn is_finished(&self) -> bool {
        self.state.is_finished
    }

    /// Computes cells until so many are done; `progress` is told every few thousand steps how many are.
    ///
    /// # Errors
    ///
    /// At a limit, which a value that needs wider cells can reach too; the cells that are done stay.
    pub fn fill(
        &mut self,
        until: u64,
        meter: &mut Meter,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Limit> {
        let (program, state) = (&self.program, &mut self.state);
        if let (Way::Offsets(offsets), Cells::Byte(cells)) = (&self.way, &mut self.table.cells) {
            let done = &mut state.done;
            let result = offsets.fill(program, cells, done, until, meter, progress);
            state.is_finished = state.done == program.layout.cells as u64;
            return result;
        }
        loop {
            let filled = match &mut self.table.cells {
                Cells::Byte(cells) => self
                    .way
                    .fill(program, state, cells, until, meter, progress)?,
                Cells::Word(cells) => self
                    .way
                    .fill(program, state, cells, until, meter, progress)?,
                Cells::Long(cells) => self
                    .way
                    .fill(program, state, cells, until, meter, progress)?,
            };
            match filled {
                Filled::All | Filled::Enough => return Ok(()),
                Filled::TooNarrow => {
                    if self.table.cells.widen(meter).is_err() {
                        // Without the sets of the quick way there may be room.
                        self.way.leave(program, state, meter);
                        self.table.cells.widen(meter)?;
                    }
                }
            }
        }
    }

    /// The values of the cells that were done since the last call, in the order of their computation.
    pub fn news(&mut self) -> Vec<u64> {
        let (walk, cell, told) = &mut self.told;
        let mut news = Vec::new();
        while *told < self.state.done {
            let index = fill::index(cell, &self.program.layout);
            news.push(
                self.table
                    .all()
                    .get(index)
                    .expect("it is a cell of the table"),
            );
            walk.advance(cell);
            *told += 1;
        }
        news
    }

    /// Takes what [`Filling::news`] told of another such table for the first cells of this one, of which
    /// none may be done.
    ///
    /// # Errors
    ///
    /// At a limit, and where there are too many or too large values.
    pub fn restore(&mut self, values: &[u64], meter: &mut Meter) -> Result<(), Limit> {
        let largest = values.iter().copied().max().unwrap_or(0);
        while largest >> (8 * self.table.bytes_per_value()) != 0 {
            self.table.cells.widen(meter)?;
        }
        for &value in values {
            if self.state.is_finished {
                return Err(Limit::Bytes);
            }
            let index = self.state.skip(&self.program, value);
            match &mut self.table.cells {
                Cells::Byte(cells) => cells[index] = value as u8,
                Cells::Word(cells) => cells[index] = value as u16,
                Cells::Long(cells) => cells[index] = value as u32,
            }
        }
        self.news();
        Ok(())
    }

    /// The value of a component, if it is done; of a table that is not finished only where cells are
    /// computed in order.
    pub fn value(&self, component: &[u64]) -> Option<u64> {
        if !self.state.is_finished {
            let cell: Vec<i64> = component.iter().map(|&n| n as i64).collect();
            let index = fill::index(&cell, &self.program.layout) as u64;
            if !self.is_in_order || index >= self.state.done {
                return None;
            }
        }
        self.table.value(component)
    }
}

impl Way {
    /// Computes cells until so many are done, or one does not fit.
    fn fill<C: marks::Cell>(
        &mut self,
        program: &Program,
        state: &mut State,
        cells: &mut [C],
        until: u64,
        meter: &mut Meter,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Filled, Limit> {
        if let Self::Lines(lines) = self {
            let done = &mut state.done;
            let filled = lines.fill(program, cells, done, until, meter, progress);
            if filled != Err(Limit::Bytes) {
                state.is_finished = state.done == program.layout.cells as u64;
                return filled;
            }
            // There is no room for larger sets.
            self.leave(program, state, meter);
        }
        fill::fill(program, state, cells, until, meter, progress)
    }

    /// Goes on by marking options, which needs no room.
    fn leave(&mut self, program: &Program, state: &mut State, meter: &mut Meter) {
        if let Self::Lines(lines) = self {
            meter.release(lines.bytes());
            state.recount(program, lines.largest());
            *self = Self::Options;
        }
    }
}

impl Cells {
    /// Makes room for larger values.
    fn widen(&mut self, meter: &mut Meter) -> Result<(), Limit> {
        match self {
            Self::Byte(cells) => {
                let size = cells.len() as u64;
                meter.allocate(2 * size)?;
                *self = Self::Word(cells.iter().map(|&cell| cell.into()).collect());
                meter.release(size);
            }
            Self::Word(cells) => {
                let size = cells.len() as u64;
                meter.allocate(4 * size)?;
                *self = Self::Long(cells.iter().map(|&cell| cell.into()).collect());
                meter.release(2 * size);
            }
            // A value of 2^32 needs as many options.
            Self::Long(_) => return Err(Limit::Bytes),
        }
        Ok(())
    }
}

/// The values of all components in a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    bounds: Vec<u64>,
    limit: Option<u64>,
    quantity: Quantity,
    extents: Vec<u64>,
    strides: Vec<i64>,
    cells: Cells,
}

/// The cells of a table, the last coordinate varying fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cells {
    Byte(Vec<u8>),
    Word(Vec<u16>),
    Long(Vec<u32>),
}

/// The values of neighbouring cells, as wide as they are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values<'a> {
    /// None is above 255.
    Byte(&'a [u8]),
    /// None is above 65535.
    Word(&'a [u16]),
    /// None is above 2^32 - 1.
    Long(&'a [u32]),
}

impl Values<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Byte(values) => values.len(),
            Self::Word(values) => values.len(),
            Self::Long(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value at a place; `None` beyond the end.
    pub fn get(&self, place: usize) -> Option<u64> {
        match self {
            Self::Byte(values) => values.get(place).copied().map(u64::from),
            Self::Word(values) => values.get(place).copied().map(u64::from),
            Self::Long(values) => values.get(place).copied().map(u64::from),
        }
    }
}

impl Table {
    /// The largest coordinates that were asked for.
    pub fn bounds(&self) -> &[u64] {
        &self.bounds
    }

    /// What the cells hold.
    pub fn quantity(&self) -> Quantity {
        self.quantity
    }

    /// How many bytes a cell takes.
    pub fn bytes_per_value(&self) -> usize {
        match self.cells {
            Cells::Byte(_) => 1,
            Cells::Word(_) => 2,
            Cells::Long(_) => 4,
        }
    }

    /// How many bytes the values take.
    pub fn bytes(&self) -> u64 {
        (self.all().len() * self.bytes_per_value()) as u64
    }

    fn all(&self) -> Values<'_> {
        match &self.cells {
            Cells::Byte(cells) => Values::Byte(cells),
            Cells::Word(cells) => Values::Word(cells),
            Cells::Long(cells) => Values::Long(cells),
        }
    }

    /// The value of a component; `None` if it was not computed. Components outside the bounds
    /// that the ones inside can reach were.
    pub fn value(&self, component: &[u64]) -> Option<u64> {
        let inside = component.len() == self.extents.len()
            && component
                .iter()
                .zip(&self.extents)
                .all(|(n, extent)| n <= extent);
        if !inside
            || self
                .limit
                .is_some_and(|limit| component.iter().sum::<u64>() > limit)
        {
            return None;
        }
        let index: usize = component
            .iter()
            .zip(&self.strides)
            .map(|(&n, &stride)| n as usize * stride as usize)
            .sum();
        self.all().get(index)
    }

    /// The components within the bounds with their values, the last coordinate varying fastest.
    pub fn iter(&self) -> impl Iterator<Item = (Vec<u64>, u64)> + '_ {
        let mut walk = Walk::new(Order::natural(self.bounds.len()), &self.bounds, None);
        let mut next = Some(walk.first());
        std::iter::from_fn(move || {
            let cell = next.take()?;
            let component: Vec<u64> = cell.iter().map(|&n| n as u64).collect();
            let value = self
                .value(&component)
                .expect("every cell within the bounds is computed");
            let mut cell = cell;
            next = walk.advance(&mut cell).then_some(cell);
            Some((component, value))
        })
    }

    /// The values of the heaps from 0 to the bound; `None` unless components are heaps.
    pub fn heaps(&self) -> Option<Values<'_>> {
        let [bound] = self.bounds.as_slice() else {
            return None;
        };
        let count = *bound as usize + 1;
        Some(match self.all() {
            Values::Byte(values) => Values::Byte(&values[..count]),
            Values::Word(values) => Values::Word(&values[..count]),
            Values::Long(values) => Values::Long(&values[..count]),
        })
    }
}
