//! Inputs of a problem, drawn from its own limits.

use std::collections::BTreeSet;
use std::rc::Rc;

use grundy_rules::Meter;
use num_bigint::BigUint;

use crate::engine::Refusing;
use crate::evaluate::Evaluator;
use crate::failure::{Failure, Open};
use crate::games::{Games, Library};
use crate::input::{Letters, Limits, Source, Until};
use crate::number::Number;
use crate::order::drawn;
use crate::problem::{Action, Expression, Extent, Kind, Order, Problem, Statement, Term, Times};
use crate::run::Runner;
use crate::sheet::Sheet;
use crate::value::Value;
use crate::work::Work;

/// How large an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Numbers, lists and rounds are about so many above the least that is allowed.
    Upto(u32),
    /// The same, with many rounds.
    Rounds(u32),
    /// Every number is the least that is allowed, or nearly so.
    Least,
    /// As many rounds as are allowed, with short lists.
    Many,
    /// Few rounds, with lists as long as is allowed.
    Long,
    /// Few rounds and short lists, with numbers of every magnitude alike.
    Magnitudes,
    /// Few rounds and short lists, with numbers at the ends of what is allowed, and equal ones.
    Edges,
}

/// Draws an input of a problem: the same one for the same seed.
///
/// It passes the problem's own limits. A problem asks no game while it reads.
///
/// # Errors
///
/// Where no input is found whose values satisfy what is required of them.
pub fn draw(
    problem: &Problem,
    seed: u64,
    size: Size,
    meter: &mut Meter,
) -> Result<String, Failure> {
    let library = Library::default();
    let mut games = Games::new(&library);
    let mut engine = Refusing::default();
    let mut drawing = Drawing::new(problem, seed, size);
    let evaluator = Evaluator::new(&mut games, &mut engine, Work::new(meter));
    Runner::new(evaluator, &mut drawing).carry_out(&problem.body)?;
    Ok(drawing.sheet.text)
}

/// The text of an input that is being drawn.
struct Drawing {
    random: Random,
    size: Size,
    sheet: Sheet,
    /// Names that say how often something is repeated.
    rounds: BTreeSet<String>,
    /// Names that say how long a list is.
    lengths: BTreeSet<String>,
    /// What the number that is drawn now is for.
    role: Role,
    /// How many rounds or entries are left of what is open.
    open: Vec<u64>,
    /// Whether the innermost `repeat` is to stop now.
    stops: bool,
    /// Entries of a list that must differ are drawn from more numbers.
    at_least: u64,
    /// How often something may still be drawn anew.
    patience: u32,
    /// The number that was drawn last.
    last: Option<Number>,
}

/// What a number is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Rounds,
    Length,
    Other,
}

/// How often something is drawn anew in one input.
const PATIENCE: u32 = 1_000_000;
/// About so many tokens a large input has.
const MOST_TOKENS: usize = 1_000_000;
/// How long lists are in an input of many rounds.
const SHORT: u64 = 3;
/// So many rounds of small numbers.
const ROUNDS: u64 = 60;
/// Words of so many letters are always small.
const LETTERS: u64 = 4;
/// The greatest number where none is said.
const GREATEST: u64 = 1_000_000_000_000_000_000;

impl Drawing {
    fn new(problem: &Problem, seed: u64, size: Size) -> Self {
        let mut names = Names::default();
        names.block(&problem.body);
        Self {
            random: Random(seed),
            size,
            sheet: Sheet::default(),
            rounds: names.rounds,
            lengths: names.lengths,
            role: Role::Other,
            open: Vec::new(),
            stops: false,
            at_least: 0,
            patience: PATIENCE,
            last: None,
        }
    }

    /// How far above the least something small is.
    fn width(&self) -> u64 {
        let width = match self.size {
            Size::Upto(size) | Size::Rounds(size) => u64::from(size),
            Size::Least => 1,
            _ => SHORT,
        };
        width.max(self.at_least)
    }

    /// Whether the input is long enough.
    fn is_full(&self) -> bool {
        self.sheet.text.len() > 2 * MOST_TOKENS
    }

    /// A number between two.
    fn between(&mut self, least: &Number, greatest: &Number) -> Number {
        let count = greatest.minus(least).plus(&Number::ONE);
        let Some(count) = count.to_natural().filter(|count| *count > BigUint::ZERO) else {
            return least.clone();
        };
        let drawn = (0..=count.bits() / 64).fold(BigUint::ZERO, |drawn, _| {
            (drawn << 64u32) + self.random.next()
        });
        least.plus(&Number::from(drawn % count))
    }

    /// One of the numbers at the ends, or near the one that was drawn last.
    fn edge(&mut self, least: Number, greatest: Number) -> Number {
        let drawn = match (self.random.below(7), &self.last) {
            (0, _) => least.clone(),
            (1, _) => least.plus(&Number::ONE),
            (2, _) => greatest.minus(&Number::ONE),
            (4 | 5, Some(last)) => last.clone(),
            (6, Some(last)) => last.plus(&Number::ONE),
            _ => greatest.clone(),
        };
        drawn.max(least).min(greatest)
    }

    /// A number of rounds or of entries where the input decides.
    fn length(&mut self) -> u64 {
        match self.size {
            Size::Many | Size::Long if !self.open.is_empty() => SHORT,
            Size::Rounds(_) if self.open.is_empty() => ROUNDS,
            Size::Many => 10_000,
            Size::Long => 1_000,
            _ => 1 + self.random.below(1 + self.width()),
        }
    }
}

impl Source for Drawing {
    fn integer(&mut self, limits: &Limits, _: &mut Meter) -> Result<Number, Failure> {
        let width = Number::from(self.width());
        let (least, greatest) = match (&limits.least, &limits.greatest) {
            (Some(least), Some(greatest)) => (least.clone(), greatest.clone()),
            (Some(least), None) => {
                let greatest = match self.size {
                    Size::Upto(_) | Size::Rounds(_) | Size::Least => least.plus(&width),
                    _ => Number::from(GREATEST).max(least.clone()),
                };
                (least.clone(), greatest)
            }
            (None, Some(greatest)) => (greatest.minus(&width), greatest.clone()),
            (None, None) => (width.negated(), width.clone()),
        };
        if least > greatest {
            return Err(self.refused());
        }
        let near = least.plus(&width).min(greatest.clone());
        let few = least.clone().max(Number::ONE).min(greatest.clone());
        Ok(match (self.size, self.role) {
            _ if self.stops && self.random.below(4) > 0 => least,
            (Size::Rounds(_), Role::Rounds) => greatest.min(Number::from(ROUNDS)).max(least),
            (Size::Upto(_) | Size::Rounds(_), _) => match self.random.below(8) {
                0 => least,
                1 => near,
                _ => self.between(&least, &near),
            },
            (Size::Least, _) => match self.random.below(4) {
                0 => near,
                _ => least,
            },
            (Size::Long | Size::Magnitudes | Size::Edges, Role::Rounds) => few,
            (Size::Many, Role::Length) => near,
            (Size::Magnitudes | Size::Edges, Role::Length) => self.between(&least, &near),
            (_, Role::Rounds | Role::Length) if self.is_full() => few,
            (_, Role::Rounds | Role::Length) => {
                let most = Number::from(MOST_TOKENS).max(least);
                greatest.min(most)
            }
            (Size::Magnitudes, Role::Other) => {
                let bits = greatest.minus(&least).to_natural().unwrap_or_default();
                let bits = self.random.below(bits.bits() + 1);
                let span = Number::from(BigUint::from(1u8) << bits);
                self.between(&least, &least.plus(&span).min(greatest.clone()))
            }
            (Size::Edges, Role::Other) => self.edge(least, greatest),
            (_, Role::Other) => match self.random.below(8) {
                0 if self.at_least == 0 => greatest,
                _ => self.between(&least, &greatest),
            },
        })
        .inspect(|number| self.last = Some(number.clone()))
    }

    fn one_of(&mut self, numbers: &[Number], _: &mut Meter) -> Result<Number, Failure> {
        let place = self.random.below(numbers.len() as u64);
        let number = numbers.get(usize::try_from(place).unwrap_or(0));
        number.cloned().ok_or_else(|| self.refused())
    }

    fn word(&mut self, alphabet: Option<&str>, count: Letters) -> Result<Rc<str>, Failure> {
        let letters: Vec<char> = alphabet.unwrap_or("abc").chars().collect();
        let Letters { least, most } = count;
        let wanted = match self.size {
            Size::Many | Size::Long => most.unwrap_or(1000).min(100_000),
            _ => most.unwrap_or(u64::MAX).min(self.width().max(LETTERS)),
        };
        let longest = wanted.max(least);
        let is_allowed = most.is_none_or(|most| longest <= most) && longest <= MOST_TOKENS as u64;
        if !is_allowed || letters.is_empty() {
            return Err(self.refused());
        }
        // Words are often to be as long as possible: the rows of a board.
        let length = match self.random.below(4) {
            0 => least + self.random.below(longest - least + 1),
            _ => longest,
        };
        // A letter that is frequent makes runs.
        let frequent = self.random.below(letters.len() as u64);
        let word = (0..length).map(|_| {
            let any = self.random.below(letters.len() as u64);
            let letter = if self.random.below(2) == 0 {
                frequent
            } else {
                any
            };
            letters[usize::try_from(letter).expect("an index of a letter")]
        });
        Ok(word.collect::<String>().into())
    }

    fn one_word_of(&mut self, words: &[String]) -> Result<Rc<str>, Failure> {
        let place = self.random.below(words.len() as u64);
        let word = words.get(usize::try_from(place).unwrap_or(0));
        word.map(|word| word.as_str().into())
            .ok_or_else(|| self.refused())
    }

    fn begin(&mut self, _: Until) -> Result<(), Failure> {
        let length = self.length();
        self.open.push(length);
        Ok(())
    }

    fn goes_on(&mut self, _: Until) -> bool {
        let full = self.is_full();
        let left = self.open.last_mut().expect("what goes on has begun");
        match left.checked_sub(1) {
            Some(less) if !full => {
                *left = less;
                true
            }
            _ => false,
        }
    }

    fn end(&mut self, _: Until) {
        self.open.pop();
    }

    fn mark(&self) -> usize {
        self.sheet.text.len()
    }

    fn ordered(
        &mut self,
        values: Vec<Value>,
        order: Order,
        _: &[usize],
    ) -> Result<Vec<Value>, Failure> {
        drawn(values, order, &mut self.random).ok_or_else(|| self.refused())
    }

    fn refused(&mut self) -> Failure {
        Open::NoInput.into()
    }

    fn draws(&self) -> bool {
        true
    }

    fn is_for(&mut self, name: Option<&str>) {
        self.role = match name {
            Some(name) if self.rounds.contains(name) => Role::Rounds,
            Some(name) if self.lengths.contains(name) => Role::Length,
            _ => Role::Other,
        };
    }

    fn differ(&mut self, count: usize) {
        self.at_least = 2 * count as u64;
    }

    fn taken(&mut self, kind: &Kind, value: &Value) {
        self.sheet.write(kind, value);
    }

    fn taken_all(&mut self) {
        self.sheet.end_of_line();
    }

    fn stop_now(&mut self, stops: bool) {
        self.stops = stops;
    }

    fn go_back(&mut self, mark: usize) -> bool {
        self.sheet.text.truncate(mark);
        self.patience = self.patience.saturating_sub(1);
        self.patience > 0
    }
}

/// The names that say how much is read.
#[derive(Default)]
struct Names {
    rounds: BTreeSet<String>,
    lengths: BTreeSet<String>,
}

impl Names {
    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.action {
                Action::Read(readings) => {
                    for reading in readings {
                        self.kind(&reading.kind);
                    }
                }
                Action::Repeat(repeat) => {
                    if let Times::Count(count) = &repeat.times {
                        variables(count, &mut self.rounds);
                    }
                    self.block(&repeat.body);
                }
                Action::For(_, body) => self.block(body),
                Action::If(_, then, otherwise) => {
                    self.block(then);
                    self.block(otherwise);
                }
                _ => {}
            }
        }
    }

    fn kind(&mut self, kind: &Kind) {
        match kind {
            Kind::Tuple(readings) => {
                for reading in readings {
                    self.kind(&reading.kind);
                }
            }
            Kind::List {
                extent, order, of, ..
            } => {
                if let Extent::Count(count) = extent {
                    variables(count, &mut self.lengths);
                }
                if let (Order::Simple | Order::Tree | Order::Rings, Kind::Tuple(ends)) =
                    (order, &**of)
                {
                    // How many vertices there are.
                    for end in ends {
                        if let Kind::Integer {
                            greatest: Some(greatest),
                            ..
                        } = &end.kind
                        {
                            variables(greatest, &mut self.lengths);
                        }
                    }
                }
                self.kind(of);
            }
            Kind::Word { least, most, .. } => {
                for count in [least, most].into_iter().flatten() {
                    variables(count, &mut self.lengths);
                }
            }
            _ => {}
        }
    }
}

/// The variables of a number that says how many.
pub(crate) fn variables(expression: &Expression, names: &mut BTreeSet<String>) {
    match &expression.term {
        Term::Variable(name) => {
            names.insert(name.clone());
        }
        Term::Binary(_, a, b) => {
            variables(a, names);
            variables(b, names);
        }
        _ => {}
    }
}

/// Numbers that look random: `SplitMix64` (Steele, Lea and Flood 2014).
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// One of the numbers below this one.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }
}
