//! Carrying out a problem: from its input to its output.

use std::fmt::Write as _;

use grundy::outcome::Evidence;
use grundy_rules::Meter;

use crate::engine::Engine;
use crate::evaluate::Evaluator;
use crate::failure::{Failure, Mistake, Reason};
use crate::functions::{self, ENTRY_BYTES};
use crate::games::{Games, Library, wrong};
use crate::input::{Limits, Source, Tokens, Until};
use crate::number::Number;
use crate::problem::{
    Action, Expression, Extent, Kind, Order, Problem, Reading, Repeat, Statement, Times,
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
        let mut runner = Runner {
            evaluator: Evaluator::new(&mut self.games, &mut self.engine, Work::new(meter)),
            source: &mut tokens,
            output: String::new(),
        };
        if runner.block(body)? == Flow::Stopped {
            return Err(Mistake::Stop.into());
        }
        let output = runner.output;
        tokens.end()?;
        let named = |(game, evidence)| (self.games.name(game).to_owned(), evidence);
        Ok(Run {
            output,
            evidence: together(self.engine.evidence().into_iter().map(named)),
        })
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

struct Runner<'p, 'r, 'g, 'm> {
    evaluator: Evaluator<'p, 'r, 'g, 'm>,
    source: &'r mut dyn Source,
    output: String,
}

impl<'p> Runner<'p, '_, '_, '_> {
    /// Carries out statements; what they name is forgotten behind them.
    fn block(&mut self, statements: &'p [Statement]) -> Result<Flow, Failure> {
        let depth = self.evaluator.depth();
        let held = self.evaluator.work.held();
        let mut flow = Flow::On;
        for statement in statements {
            flow = self
                .statement(&statement.action)
                .map_err(|failure| failure.at(&statement.span))?;
            if flow == Flow::Stopped {
                break;
            }
        }
        self.evaluator.forget(depth);
        self.evaluator.work.release(held);
        Ok(flow)
    }

    fn statement(&mut self, action: &'p Action) -> Result<Flow, Failure> {
        self.evaluator.work.spend(1)?;
        match action {
            Action::Read(readings) => {
                for reading in readings {
                    self.read(reading)?;
                }
            }
            Action::Require(condition) => {
                if !self.evaluator.truth(condition)? {
                    return Err(self.source.refused());
                }
            }
            Action::Let(name, value) => {
                let value = self.evaluator.evaluate(value)?;
                self.evaluator.name(name, value);
            }
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
        let times = match &repeat.times {
            Times::Count(count) => Some(self.evaluator.number(count)?),
            Times::UntilEnd | Times::UntilStopped => None,
        };
        let mut round = Number::ONE;
        loop {
            let goes_on = match (&repeat.times, &times) {
                (_, Some(times)) => round <= *times,
                (Times::UntilEnd, _) => self.source.goes_on(Until::InputEnds),
                _ => true,
            };
            if !goes_on {
                return Ok(());
            }
            let depth = self.evaluator.depth();
            if let Some(counter) = &repeat.counter {
                self.evaluator.name(counter, Value::Number(round.clone()));
            }
            let flow = self.block(&repeat.body)?;
            self.evaluator.forget(depth);
            if flow == Flow::Stopped {
                return Ok(());
            }
            self.evaluator.work.spend(1)?;
            round = round.plus(&Number::ONE);
        }
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
            Kind::List { extent, order, of } => self.list(extent, *order, of),
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
            Kind::Word { alphabet, most } => {
                let most = most.as_ref().map(|most| self.evaluator.number(most));
                let most = most.transpose()?.map(|most| most.to_u64().unwrap_or(0));
                Token::Word(alphabet.as_deref(), most)
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
            Token::Word(alphabet, most) => Value::Text(self.source.word(*alphabet, *most)?),
            Token::Words(words) => Value::Text(self.source.one_word_of(words)?),
            Token::Several(kind) => self.value(kind)?,
        })
    }

    fn list(&mut self, extent: &'p Extent, order: Order, of: &'p Kind) -> Result<Value, Failure> {
        let count = match extent {
            Extent::Count(count) => {
                let number = self.evaluator.number(count)?;
                let count = number.to_usize();
                Some(count.ok_or(Mistake::Count(number))?)
            }
            Extent::Line => {
                self.source.begin_line()?;
                None
            }
            Extent::Rest => None,
        };
        // What is said of one token is the same for all of them.
        let token = self.token(of)?;
        let mut values = Vec::new();
        let mut marks = Vec::new();
        loop {
            let goes_on = match (extent, count) {
                (_, Some(count)) => values.len() < count,
                (Extent::Line, _) => self.source.goes_on(Until::LineEnds),
                _ => self.source.goes_on(Until::InputEnds),
            };
            if !goes_on {
                break;
            }
            values.push(self.one(&token)?);
            self.evaluator.work.hold(ENTRY_BYTES)?;
            if order != Order::Any {
                marks.push(self.source.mark());
            }
        }
        if *extent == Extent::Line {
            self.source.end_line();
        }
        Ok(Value::list(self.source.ordered(values, order, &marks)?))
    }
}

/// What is said of one token, when limits have been computed.
enum Token<'p> {
    Integer(Limits),
    OneOf(Vec<Number>),
    Word(Option<&'p str>, Option<u64>),
    Words(&'p [String]),
    /// More than one.
    Several(&'p Kind),
}
