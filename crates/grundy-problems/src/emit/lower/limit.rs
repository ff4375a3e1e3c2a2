//! How large the numbers are that a program reads.

use std::collections::BTreeSet;

use crate::problem::{self, Action, Binary, Extent, Kind, Times};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// How many bits a limit may have; nobody writes a program for larger numbers.
const LARGEST_BITS: u64 = 1 << 16;

/// How large the numbers are that games are asked about, where all limits are numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The largest number.
    pub largest: BigInt,
    /// The largest distance between two values of one number.
    pub span: BigInt,
}

impl Sizes {
    /// The sizes in statements. What only says how many others there are does not count.
    pub fn of(statements: &[problem::Statement]) -> Option<Self> {
        let mut used = BTreeSet::new();
        block(statements, &mut used, false);
        let mut sizes = Self::default();
        sizes.block(statements, &used)?;
        Some(sizes)
    }

    fn block(&mut self, statements: &[problem::Statement], used: &BTreeSet<&str>) -> Option<()> {
        for statement in statements {
            match &statement.action {
                Action::Read(readings) => {
                    for reading in readings {
                        let name = reading.name.as_ref();
                        if name.is_none_or(|name| used.contains(name.text.as_str())) {
                            self.kind(&reading.kind)?;
                        }
                    }
                }
                Action::Repeat(repeat) => self.block(&repeat.body, used)?,
                Action::For(_, body) => self.block(body, used)?,
                Action::If(_, then, otherwise) => {
                    self.block(then, used)?;
                    self.block(otherwise, used)?;
                }
                _ => {}
            }
        }
        Some(())
    }

    fn kind(&mut self, of: &Kind) -> Option<()> {
        match of {
            Kind::Integer { least, greatest } => {
                let greatest = constant(greatest.as_ref()?)?;
                // A least that is not a number is taken for 0.
                let least = least.as_ref().and_then(constant).unwrap_or_default();
                self.add(&least, greatest);
            }
            Kind::OneOf(all) => {
                for number in all {
                    self.add(&BigInt::default(), constant(number)?);
                }
            }
            Kind::Word { .. } | Kind::Words(_) => {}
            Kind::Tuple(readings) => {
                for reading in readings {
                    self.kind(&reading.kind)?;
                }
            }
            Kind::List { of, .. } => self.kind(of)?,
        }
        Some(())
    }

    fn add(&mut self, least: &BigInt, greatest: BigInt) {
        let span = &greatest - least;
        if span > self.span {
            self.span = span;
        }
        if greatest > self.largest {
            self.largest = greatest;
        }
    }
}

/// The values with a name that nothing but requirements speaks of.
pub fn unused(statements: &[problem::Statement]) -> BTreeSet<String> {
    fn named<'p>(statements: &'p [problem::Statement], names: &mut BTreeSet<&'p str>) {
        for statement in statements {
            match &statement.action {
                Action::Let(name, _) => {
                    names.insert(&name.text);
                }
                Action::Repeat(repeat) => named(&repeat.body, names),
                Action::For(_, body) => named(body, names),
                Action::If(_, then, otherwise) => {
                    named(then, names);
                    named(otherwise, names);
                }
                _ => {}
            }
        }
    }
    let mut names = BTreeSet::new();
    named(statements, &mut names);
    let mut used = BTreeSet::new();
    block(statements, &mut used, true);
    let unused = names.difference(&used);
    unused.map(|name| (*name).to_owned()).collect()
}

/// The names that are used for more than what is required of an input, and as more than a count or also for `counts`.
fn block<'p>(statements: &'p [problem::Statement], used: &mut BTreeSet<&'p str>, counts: bool) {
    for statement in statements {
        match &statement.action {
            Action::Read(readings) if counts => {
                readings.iter().for_each(|one| lengths(&one.kind, used))
            }
            Action::Read(_) | Action::Require(_) | Action::Stop(None) => {}
            Action::Let(_, e) | Action::Stop(Some(e)) => expression(e, used),
            Action::Game(_, game) => parameters(game, used),
            Action::Repeat(repeat) => {
                // How many rounds there are is a count.
                if let Times::Count(count) = &repeat.times
                    && (counts || !matches!(count.term, problem::Term::Variable(_)))
                {
                    expression(count, used);
                }
                block(&repeat.body, used, counts);
            }
            Action::For(generator, body) => {
                round(generator, used);
                block(body, used, counts);
            }
            Action::If(condition, then, otherwise) => {
                expression(condition, used);
                block(then, used, counts);
                block(otherwise, used, counts);
            }
            Action::Print(all) | Action::Write(all) => all.iter().for_each(|e| expression(e, used)),
        }
    }
}

/// The names in what says how long lists are.
fn lengths<'p>(of: &'p Kind, used: &mut BTreeSet<&'p str>) {
    match of {
        Kind::Tuple(readings) => readings.iter().for_each(|one| lengths(&one.kind, used)),
        Kind::List { extent, of, .. } => {
            if let Extent::Count(count) = extent {
                expression(count, used);
            }
            lengths(of, used);
        }
        _ => {}
    }
}

fn round<'p>(generator: &'p problem::Generator, used: &mut BTreeSet<&'p str>) {
    expression(&generator.over, used);
    let more = [&generator.condition, &generator.key];
    more.into_iter().flatten().for_each(|e| expression(e, used));
}

fn parameters<'p>(game: &'p problem::Game, used: &mut BTreeSet<&'p str>) {
    game.parameters
        .iter()
        .for_each(|(_, e)| expression(e, used));
}

fn expression<'p>(of: &'p problem::Expression, used: &mut BTreeSet<&'p str>) {
    use problem::Term as T;
    match &of.term {
        T::Number(_) | T::Text(_) | T::None | T::Endless | T::Range(_, None) => {}
        T::Variable(name) => {
            used.insert(name);
        }
        T::Not(a) | T::Minus(a) | T::Field(a, _) => expression(a, used),
        T::Binary(_, a, b) | T::Range(a, Some(b)) | T::Index(a, b) => {
            expression(a, used);
            expression(b, used);
        }
        T::Chain(a, rest) => {
            expression(a, used);
            rest.iter().for_each(|(_, e)| expression(e, used));
        }
        T::Choose(a, b, c) => [a, b, c].into_iter().for_each(|e| expression(e, used)),
        T::Tuple(all) | T::List(all) | T::Call(_, all) => {
            all.iter().for_each(|e| expression(e, used));
        }
        T::Comprehension(entry, rounds) => {
            rounds.iter().for_each(|one| round(one, used));
            expression(entry, used);
        }
        T::At(game, position) => {
            if let problem::PlayedGame::Made(game) = &**game {
                parameters(game, used);
            }
            expression(position, used);
        }
        T::Fold(fold) => {
            expression(&fold.start, used);
            round(&fold.generator, used);
            expression(&fold.next, used);
        }
        T::Extreme {
            over, condition, ..
        } => {
            expression(over, used);
            expression(condition, used);
        }
    }
}

/// The number that an expression without names is.
pub(super) fn constant(expression: &problem::Expression) -> Option<BigInt> {
    match &expression.term {
        problem::Term::Number(n) => Some(n.clone()),
        problem::Term::Binary(binary, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            match binary {
                Binary::Plus => Some(a + b),
                Binary::Minus => Some(a - b),
                Binary::Times => Some(a * b),
                Binary::Power => {
                    let b = b.to_u32()?;
                    (a.bits().saturating_mul(b.into()) < LARGEST_BITS).then(|| a.pow(b))
                }
                _ => None,
            }
        }
        _ => None,
    }
}
