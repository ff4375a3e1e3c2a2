//! Carrying out a problem: from its input to its output.

use std::fmt::Write as _;

use grundy::outcome::Evidence;
use grundy_rules::Meter;

use crate::engine::Engine;
use crate::evaluate::Evaluator;
use crate::failure::{Failure, Mistake, Open, Reason};
use crate::functions::{self, ENTRY_BYTES};
use crate::games::{Games, Library, wrong};
use crate::input::{Letters, Limits, Source, Tokens, Until};
use crate::number::Number;
use crate::problem::{
    Action, Expression, Extent, Kind, Name, Order, Problem, Reading, Repeat, Statement, Times,
};
use crate::value::{Type, Value};
use crate::work::Work;

/// What a problem says to an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What is printed.
    pub output: String,
    /// How the answers about each game were known, in the order in which the games first occurred.
    pub evidence: Vec<(String, Evidence)>,
}

/// Carries out problems with an engine that stays warm.
pub struct Judge<'g, E> {
    games: Games<'g>,
    engine: E,
    /// Whether what stands in `plainly` is carried out.
    plainly: bool,
}

impl<'g, E: Engine<'g>> Judge<'g, E> {
    /// A judge who asks this engine.
    pub fn new(library: &'g Library, engine: E) -> Self {
        Self {
            games: Games::new(library),
            engine,
            plainly: false,
        }
    }

    /// The same judge, who carries out what stands in `plainly` where a problem has it.
    #[must_use]
    pub fn plainly(self) -> Self {
        Self {
            plainly: true,
            ..self
        }
    }

    /// What a problem says to an input.
    ///
    /// # Errors
    ///
    /// Why there is no output; nothing is printed then.
    pub fn run(
        &mut self,
        problem: &Problem,
        input: &[u8],
        meter: &mut Meter,
    ) -> Result<Run, Failure> {
        let separators = problem.separators.as_deref().unwrap_or_default();
        let mut tokens = Tokens::new(input, separators);
        let body = match &problem.plainly {
            Some(plainly) if self.plainly => plainly,
            _ => &problem.body,
        };
        let evaluator = Evaluator::new(&mut self.games, &mut self.engine, Work::new(meter));
        let output = Runner::new(evaluator, &mut tokens).carry_out(body)?;
        tokens.finish()?;
        let named = |(game, evidence)| (self.games.name(game).to_owned(), evidence);
        Ok(Run {
            output,
            evidence: together(self.engine.evidence().into_iter().map(named)),
        })
    }

    /// The engine.
    pub fn engine(&mut self) -> &mut E {
        &mut self.engine
    }
}

/// How the answers about games were known, the games of one name as one.
fn together(each: impl Iterator<Item = (String, Evidence)>) -> Vec<(String, Evidence)> {
    let mut all: Vec<(String, Vec<Evidence>)> = Vec::new();
    for (name, evidence) in each {
        let known = match evidence {
            Evidence::Several(several) => several,
            one => vec![one],
        };
        match all.iter_mut().find(|(other, _)| *other == name) {
            Some((_, others)) => others.extend(known),
            None => all.push((name, known)),
        }
    }
    all.into_iter()
        .map(|(name, known)| (name, Evidence::all(known)))
        .collect()
}

/// Whether statements go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    On,
    /// The innermost `repeat` is left.
    Stopped,
}

/// Carries out statements.
pub(crate) struct Runner<'p, 'r, 'g, 'm> {
    evaluator: Evaluator<'p, 'r, 'g, 'm>,
    source: &'r mut dyn Source,
    output: String,
    /// Whether the innermost `repeat` is to stop, where an input is drawn.
    stops: bool,
}

/// Where reading begins again if what was drawn is refused.
struct Point {
    statement: usize,
    mark: usize,
    depth: usize,
    /// What was held there.
    held: u64,
}

/// How many rounds more than planned an input is drawn for that does not stop.
const MORE_ROUNDS: u32 = 100;

impl<'p, 'r, 'g, 'm> Runner<'p, 'r, 'g, 'm> {
    pub fn new(evaluator: Evaluator<'p, 'r, 'g, 'm>, source: &'r mut dyn Source) -> Self {
        Self {
            evaluator,
            source,
            output: String::new(),
            stops: false,
        }
    }

    /// What is printed.
    pub fn carry_out(mut self, statements: &'p [Statement]) -> Result<String, Failure> {
        match self.block(statements)? {
            Flow::On => Ok(self.output),
            Flow::Stopped => Err(Mistake::Stop.into()),
        }
    }

    /// Carries out statements; what they name is forgotten behind them.
    fn block(&mut self, statements: &'p [Statement]) -> Result<Flow, Failure> {
        let depth = self.evaluator.depth();
        let held = self.evaluator.work.held();
        let mut points: Vec<Point> = Vec::new();
        let mut refusals = 0_usize;
        let mut next = 0;
        let mut flow = Flow::On;
        while let Some(statement) = statements.get(next) {
            if self.source.draws() && matches!(statement.action, Action::Read(_)) {
                points.push(Point {
                    statement: next,
                    mark: self.source.mark(),
                    depth: self.evaluator.depth(),
                    held: self.evaluator.work.held(),
                });
            }
            match self.statement(&statement.action) {
                Ok(ended) => flow = ended,
                Err(failure) if is_refusal(&failure) && !points.is_empty() => {
                    // Mostly the last reading is to blame, but sometimes an earlier one.
                    refusals += 1;
                    let back = refusals.trailing_zeros() as usize / 3;
                    points.truncate(points.len().saturating_sub(back).max(1));
                    let point = points.pop().expect("one is kept");
                    if refusals > MOST_REFUSALS || !self.source.go_back(point.mark) {
                        return Err(failure);
                    }
                    self.evaluator.forget(point.depth);
                    self.evaluator.work.release(point.held);
                    next = point.statement;
                    continue;
                }
                Err(failure) => return Err(failure.at(&statement.span)),
            }
            if flow == Flow::Stopped {
                break;
            }
            next += 1;
        }
        self.evaluator.forget(depth);
        self.evaluator.work.release(held);
        Ok(flow)
    }

    fn statement(&mut self, action: &'p Action) -> Result<Flow, Failure> {
        self.evaluator.work.spend(1)?;
        if self.source.only_reads() && !shapes_input(action) {
            return Ok(Flow::On);
        }
        match action {
            Action::Read(readings) => {
                for reading in readings {
                    let value = self.read(reading)?;
                    self.source.taken(&reading.kind, &value);
                }
                self.source.taken_all();
            }
            Action::Require(condition) => {
                if !self.evaluator.truth(condition)? {
                    return Err(self.source.refused());
                }
            }
            Action::Let(name, value) => match self.evaluator.evaluate(value) {
                Ok(value) => self.evaluator.name(name, value),
                Err(_) if self.source.only_reads() => self.evaluator.name_unknown(name),
                Err(failure) => return Err(failure),
            },
            Action::Game(name, game) => self.evaluator.name_game(name, game)?,
            Action::Repeat(repeat) => self.repeat(repeat)?,
            Action::For(generator, body) => return self.for_each(generator, body),
            Action::If(condition, then, otherwise) => {
                let chosen = if self.evaluator.truth(condition)? {
                    then
                } else {
                    otherwise
                };
                return self.block(chosen);
            }
            Action::Stop(condition) => {
                let stops = match condition {
                    None => true,
                    Some(condition) => self.evaluator.truth(condition)?,
                };
                if self.source.draws() && condition.is_some() && stops != self.stops {
                    return Err(self.source.refused());
                }
                if stops {
                    return Ok(Flow::Stopped);
                }
            }
            Action::Print(values) => {
                let mut separator = "";
                self.print(values, &mut separator, " ")?;
                self.output.push('\n');
            }
            Action::Write(values) => self.print(values, &mut "", "")?,
        }
        Ok(Flow::On)
    }

    fn repeat(&mut self, repeat: &'p Repeat) -> Result<(), Failure> {
        let outer = self.stops;
        let done = self.rounds(repeat);
        self.stops = outer;
        self.source.stop_now(outer);
        done
    }

    fn rounds(&mut self, repeat: &'p Repeat) -> Result<(), Failure> {
        let times = match &repeat.times {
            Times::Count(count) => Some(self.evaluator.number(count)?),
            Times::UntilEnd | Times::UntilStopped => {
                self.source.begin(Until::InputEnds)?;
                None
            }
        };
        let until_stopped = repeat.times == Times::UntilStopped;
        self.source.opens(match &repeat.times {
            Times::Count(count) => Some(count),
            Times::UntilEnd | Times::UntilStopped => None,
        });
        let mut more = 0;
        let mut round = Number::ONE;
        loop {
            let goes_on = match &times {
                Some(times) => round <= *times,
                None if until_stopped && !self.source.draws() => true,
                None => self.source.goes_on(Until::InputEnds),
            };
            self.stops = until_stopped && !goes_on;
            self.source.stop_now(self.stops);
            if self.stops {
                more += 1;
            }
            if !goes_on && !self.stops {
                break;
            }
            if more > MORE_ROUNDS {
                return Err(self.source.refused());
            }
            self.source.next_part();
            let depth = self.evaluator.depth();
            if let Some(counter) = &repeat.counter {
                self.evaluator.name(counter, Value::Number(round.clone()));
            }
            let flow = self.block(&repeat.body)?;
            self.evaluator.forget(depth);
            if flow == Flow::Stopped {
                break;
            }
            self.evaluator.work.spend(1)?;
            round = round.plus(&Number::ONE);
        }
        if times.is_none() {
            self.source.end(Until::InputEnds);
        }
        self.source.closes();
        Ok(())
    }

    fn for_each(
        &mut self,
        generator: &'p crate::problem::Generator,
        body: &'p [Statement],
    ) -> Result<Flow, Failure> {
        // The evaluator lends itself to each round, and the runner needs it there.
        let elements = self.evaluator.elements(generator)?;
        let mut flow = Flow::On;
        for element in elements {
            let depth = self.evaluator.depth();
            self.evaluator.take_apart(generator, element)?;
            flow = self.block(body)?;
            self.evaluator.forget(depth);
            if flow == Flow::Stopped {
                break;
            }
        }
        Ok(flow)
    }

    /// Prints values; the entries of lists are values of their own.
    fn print(
        &mut self,
        values: &'p [Expression],
        separator: &mut &'static str,
        between: &'static str,
    ) -> Result<(), Failure> {
        for expression in values {
            let value = self.evaluator.evaluate(expression)?;
            let value = self.evaluator.written_down(value)?;
            self.print_value(&value, separator, between)
                .map_err(|failure| failure.at(&expression.span))?;
        }
        Ok(())
    }

    fn print_value(
        &mut self,
        value: &Value,
        separator: &mut &'static str,
        between: &'static str,
    ) -> Result<(), Failure> {
        let before = self.output.len();
        match value {
            Value::Number(n) => {
                self.output.push_str(separator);
                self.evaluator
                    .work
                    .spend(n.words().saturating_mul(n.words()))?;
                write!(self.output, "{n}").expect("a text takes what is written to it");
            }
            Value::Text(text) => {
                self.output.push_str(separator);
                self.output.push_str(text);
            }
            Value::Tuple(_) | Value::List(_) | Value::Range(_) => {
                for entry in functions::entries(value, &mut self.evaluator.work)? {
                    self.print_value(&entry, separator, between)?;
                }
                return Ok(());
            }
            other => {
                let printable = &[Type::Number, Type::Text, Type::List, Type::Tuple];
                return Err(wrong(printable, other));
            }
        }
        *separator = between;
        let written = (self.output.len() - before) as u64;
        Ok(self.evaluator.work.meter.allocate(written)?)
    }

    fn read(&mut self, reading: &'p Reading) -> Result<Value, Failure> {
        self.source
            .is_for(reading.name.as_ref().map(|name| name.text.as_str()));
        let value = self.value(&reading.kind).map_err(|mut failure| {
            if let (Reason::Input(fault), Some(name)) = (&mut failure.reason, &reading.name) {
                fault.reading.get_or_insert_with(|| name.text.clone());
            }
            failure.at(&reading.span)
        })?;
        if let Some(name) = &reading.name {
            self.evaluator.name(name, value.clone());
        }
        Ok(value)
    }

    /// A value of a kind.
    fn value(&mut self, kind: &'p Kind) -> Result<Value, Failure> {
        match kind {
            Kind::Tuple(readings) => {
                let depth = self.evaluator.depth();
                let parts: Result<Vec<Value>, Failure> =
                    readings.iter().map(|reading| self.read(reading)).collect();
                self.evaluator.forget(depth);
                self.evaluator
                    .work
                    .hold(readings.len() as u64 * ENTRY_BYTES)?;
                Ok(Value::Tuple(std::rc::Rc::new(parts?)))
            }
            Kind::List {
                extent,
                order,
                counter,
                of,
            } => self.list(extent, *order, counter.as_ref(), of),
            one => {
                let token = self.token(one)?;
                self.one(&token)
            }
        }
    }

    /// What a kind of one token says of it.
    fn token(&mut self, kind: &'p Kind) -> Result<Token<'p>, Failure> {
        Ok(match kind {
            Kind::Integer { least, greatest } => {
                let mut limit = |limit: &'p Option<Expression>| {
                    limit
                        .as_ref()
                        .map(|limit| self.evaluator.number(limit))
                        .transpose()
                };
                Token::Integer(Limits {
                    least: limit(least)?,
                    greatest: limit(greatest)?,
                })
            }
            Kind::OneOf(numbers) => {
                let numbers = numbers.iter().map(|number| self.evaluator.number(number));
                Token::OneOf(numbers.collect::<Result<_, _>>()?)
            }
            Kind::Word {
                alphabet,
                least,
                most,
            } => {
                let mut count = |count: &'p Option<Box<Expression>>| {
                    let number = count.as_ref().map(|count| self.evaluator.number(count));
                    let number = number.transpose()?;
                    Ok::<_, Failure>(number.map(|number| number.to_u64().unwrap_or(0)))
                };
                let letters = Letters {
                    least: count(least)?.unwrap_or(0).max(1),
                    most: count(most)?,
                };
                Token::Word(alphabet.as_deref(), letters)
            }
            Kind::Words(words) => Token::Words(words),
            Kind::Tuple(_) | Kind::List { .. } => Token::Several(kind),
        })
    }

    fn one(&mut self, token: &Token<'p>) -> Result<Value, Failure> {
        let work = &mut self.evaluator.work;
        work.spend(1)?;
        Ok(match token {
            Token::Integer(limits) => self.source.integer(limits, work.meter)?.into(),
            Token::OneOf(numbers) => self.source.one_of(numbers, work.meter)?.into(),
            Token::Word(alphabet, letters) => Value::Text(self.source.word(*alphabet, *letters)?),
            Token::Words(words) => Value::Text(self.source.one_word_of(words)?),
            Token::Several(kind) => self.value(kind)?,
        })
    }

    /// The entry of a list with this number.
    fn numbered(
        &mut self,
        counter: Option<&'p Name>,
        number: usize,
        of: &'p Kind,
    ) -> Result<Value, Failure> {
        let depth = self.evaluator.depth();
        if let Some(counter) = counter {
            let number = Value::number(number as u64);
            self.evaluator.name(counter, number);
        }
        let token = self.token(of)?;
        let value = self.one(&token)?;
        self.evaluator.forget(depth);
        Ok(value)
    }

    fn list(
        &mut self,
        extent: &'p Extent,
        order: Order,
        counter: Option<&'p Name>,
        of: &'p Kind,
    ) -> Result<Value, Failure> {
        let count = match extent {
            Extent::Count(count) => {
                let number = self.evaluator.number(count)?;
                let count = number.to_usize();
                Some(count.ok_or(Mistake::Count(number))?)
            }
            Extent::Line => {
                self.source.begin(Until::LineEnds)?;
                None
            }
            Extent::Rest => {
                self.source.begin(Until::InputEnds)?;
                None
            }
        };
        if matches!(order, Order::Distinct | Order::Increasing) {
            self.source.differ(count.unwrap_or(0));
        }
        self.source.opens(match extent {
            Extent::Count(count) => Some(count),
            Extent::Line | Extent::Rest => None,
        });
        let held = self.evaluator.work.held();
        let mut tries = 0;
        let values = loop {
            let (values, marks) = self.entries(extent, count, order, counter, of)?;
            match self.source.ordered(values, order, &marks) {
                // An order is mostly found soon.
                Err(failure) if count.is_some() && tries < MOST_TRIES && is_refusal(&failure) => {
                    self.evaluator.work.release(held);
                    tries += 1;
                }
                ordered => break ordered?,
            }
        };
        match extent {
            Extent::Count(_) => {}
            Extent::Line => self.source.end(Until::LineEnds),
            Extent::Rest => self.source.end(Until::InputEnds),
        }
        self.source.closes();
        self.source.differ(0);
        Ok(Value::list(values))
    }

    /// The entries of a list, and the marks behind them.
    fn entries(
        &mut self,
        extent: &'p Extent,
        count: Option<usize>,
        order: Order,
        counter: Option<&'p Name>,
        of: &'p Kind,
    ) -> Result<(Vec<Value>, Vec<usize>), Failure> {
        // What is said of one token is mostly the same for all of them.
        let token = match counter {
            None => Some(self.token(of)?),
            Some(_) => None,
        };
        let mut values = Vec::new();
        let mut marks = Vec::new();
        loop {
            let goes_on = match (extent, count) {
                (_, Some(count)) => values.len() < count,
                (Extent::Line, _) => self.source.goes_on(Until::LineEnds),
                _ => self.source.goes_on(Until::InputEnds),
            };
            if !goes_on {
                return Ok((values, marks));
            }
            self.source.next_part();
            values.push(match (&token, counter) {
                (Some(token), _) => self.one(token)?,
                (None, counter) => self.numbered(counter, values.len() + 1, of)?,
            });
            self.evaluator.work.hold(ENTRY_BYTES)?;
            if order != Order::Any {
                marks.push(self.source.mark());
            }
        }
    }
}

/// How often the entries of one list are drawn anew.
const MOST_TRIES: usize = 20;
/// How often readings of one block are drawn anew.
const MOST_REFUSALS: usize = 1000;

/// Whether what was drawn does not satisfy a condition.
fn is_refusal(failure: &Failure) -> bool {
    matches!(&failure.reason, Reason::Undecided(open) if **open == Open::NoInput)
}

/// Whether a statement has a part in what is read.
fn shapes_input(action: &Action) -> bool {
    let any = |statements: &[Statement]| {
        let mut actions = statements.iter().map(|statement| &statement.action);
        actions.any(|action| {
            !matches!(action, Action::Let(..) | Action::Game(..)) && shapes_input(action)
        })
    };
    match action {
        Action::Read(_)
        | Action::Require(_)
        | Action::Let(..)
        | Action::Game(..)
        | Action::Stop(_) => true,
        Action::Print(_) | Action::Write(_) => false,
        Action::Repeat(repeat) => any(&repeat.body),
        Action::For(_, body) => any(body),
        Action::If(_, then, otherwise) => any(then) || any(otherwise),
    }
}

/// What is said of one token, when limits have been computed.
enum Token<'p> {
    Integer(Limits),
    OneOf(Vec<Number>),
    Word(Option<&'p str>, Letters),
    Words(&'p [String]),
    /// More than one.
    Several(&'p Kind),
}
