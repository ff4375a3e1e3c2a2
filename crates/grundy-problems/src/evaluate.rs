//! What an expression stands for where some names have values.

use std::cmp::Ordering;
use std::rc::Rc;

use grundy::outcome::Outcome;

use crate::engine::Engine;
use crate::failure::{Failure, Mistake, Open};
use crate::functions::{self, ENTRY_BYTES, as_number, as_sum, as_truth, call, order, sort_by};
use crate::games::{Base, Games, Given, wrong};
use crate::number::Number;
use crate::position;
use crate::problem::{
    Binary, Comparison, Expression, Extreme, Game, Generator, Name, PlayedGame, Rules, Term,
};
use crate::recognise::{Asked, asked};
use crate::value::{Entries, MoveOf, Moves, Range, Sum, Type, Value, Which};
use crate::work::Work;

/// What a name means.
enum Binding {
    /// A value.
    Value(Value),
    /// A game.
    Game(usize),
    /// A value that cannot be had while an input is drawn.
    Unknown,
}

/// Names with their meanings, the games, and who answers questions about them.
pub struct Evaluator<'p, 'r, 'g, 'm> {
    names: Vec<(&'p str, Binding)>,
    games: &'r mut Games<'g>,
    engine: &'r mut dyn Engine<'g>,
    /// What it costs.
    pub work: Work<'r, 'm>,
}

/// The most moves that are written down.
pub const MOST_MOVES: usize = 1 << 20;
/// The bytes that a move that is written down is counted as.
const MOVE_BYTES: u64 = 400;
/// The bytes that a component is counted as.
const PART_BYTES: u64 = 100;

impl<'p, 'r, 'g, 'm> Evaluator<'p, 'r, 'g, 'm> {
    /// No name has a meaning yet.
    pub fn new(
        games: &'r mut Games<'g>,
        engine: &'r mut dyn Engine<'g>,
        work: Work<'r, 'm>,
    ) -> Self {
        Self {
            names: Vec::new(),
            games,
            engine,
            work,
        }
    }

    /// How many names have a meaning.
    pub fn depth(&self) -> usize {
        self.names.len()
    }

    /// Forgets all names but the first so many.
    pub fn forget(&mut self, depth: usize) {
        self.names.truncate(depth);
    }

    /// Gives a name to a value.
    pub fn name(&mut self, name: &'p Name, value: Value) {
        self.names.push((&name.text, Binding::Value(value)));
    }

    /// Gives a name to a value that cannot be had.
    pub fn name_unknown(&mut self, name: &'p Name) {
        self.names.push((&name.text, Binding::Unknown));
    }

    /// Gives a name to a game.
    pub fn name_game(&mut self, name: &'p Name, game: &'p Game) -> Result<(), Failure> {
        let game = self.game(game, Some(&name.text))?;
        self.names.push((&name.text, Binding::Game(game)));
        Ok(())
    }

    /// The value of an expression.
    pub fn evaluate(&mut self, expression: &'p Expression) -> Result<Value, Failure> {
        self.term(&expression.term)
            .map_err(|failure| failure.at(&expression.span))
    }

    /// The number that an expression stands for.
    pub fn number(&mut self, expression: &'p Expression) -> Result<Number, Failure> {
        let value = self.evaluate(expression)?;
        let number = as_number(&value).cloned();
        number.map_err(|failure| failure.at(&expression.span))
    }

    /// Whether an expression holds.
    pub fn truth(&mut self, expression: &'p Expression) -> Result<bool, Failure> {
        let value = self.evaluate(expression)?;
        as_truth(&value).map_err(|failure| failure.at(&expression.span))
    }

    fn term(&mut self, term: &'p Term) -> Result<Value, Failure> {
        self.work.spend(1)?;
        match term {
            Term::Number(n) => Ok(Value::number(n.clone())),
            Term::Text(text) => Ok(Value::text(text.as_str())),
            Term::None => Ok(Value::None),
            Term::Endless => Ok(Value::Endless),
            Term::Variable(name) => self.variable(name),
            Term::Not(condition) => Ok((!self.truth(condition)?).into()),
            Term::Minus(number) => Ok(self.number(number)?.negated().into()),
            Term::Binary(binary, a, b) => self.binary(*binary, a, b),
            Term::Chain(first, rest) => self.chain(first, rest),
            Term::Choose(condition, then, otherwise) => {
                let chosen = if self.truth(condition)? {
                    then
                } else {
                    otherwise
                };
                self.evaluate(chosen)
            }
            Term::Tuple(parts) => Ok(Value::Tuple(Rc::new(self.all(parts)?))),
            Term::List(entries) => Ok(Value::list(self.all(entries)?)),
            Term::Range(from, to) => {
                let from = self.number(from)?;
                let to = to.as_ref().map(|to| self.number(to)).transpose()?;
                Ok(Value::Range(Rc::new(Range { from, to })))
            }
            Term::Comprehension(entry, generators) => {
                let mut entries = Vec::new();
                self.comprehend(entry, generators, &mut entries)?;
                Ok(Value::list(entries))
            }
            Term::Index(list, index) => self.index(list, index),
            Term::Field(of, field) => {
                let of = self.evaluate(of)?;
                let Value::Move(of) = &of else {
                    return Err(wrong(&[Type::Move], &of));
                };
                let rules = |game| self.engine.rules(game);
                position::field(of, &field.text, &rules)
            }
            Term::Call(name, arguments) => self.call(name, arguments),
            Term::At(game, position) => {
                let game = self.played(game)?;
                let position = self.evaluate(position)?;
                let position = self.written_down(position)?;
                let rules = self.engine.rules(game);
                let sum = position::sum(game, rules, &position, self.work.meter)?;
                self.work.hold(sum.parts.len() as u64 * PART_BYTES)?;
                Ok(Value::Sum(Rc::new(sum)))
            }
            Term::Fold(fold) => {
                let mut value = self.evaluate(&fold.start)?;
                for element in self.elements(&fold.generator)? {
                    let depth = self.depth();
                    self.name(&fold.name, value);
                    self.take_apart(&fold.generator, element)?;
                    value = self.evaluate(&fold.next)?;
                    self.forget(depth);
                }
                Ok(value)
            }
            Term::Extreme {
                extreme,
                name,
                over,
                condition,
            } => self.extreme(*extreme, name, over, condition),
        }
    }

    fn variable(&self, name: &str) -> Result<Value, Failure> {
        let known = self.names.iter().rev();
        let values =
            known.filter(|(known, binding)| *known == name && !matches!(binding, Binding::Game(_)));
        match values.map(|(_, binding)| binding).next() {
            Some(Binding::Value(value)) => Ok(value.clone()),
            Some(_) => Err(Mistake::Game.into()),
            None => Err(Mistake::UnknownName(name.to_owned()).into()),
        }
    }

    fn all(&mut self, expressions: &'p [Expression]) -> Result<Vec<Value>, Failure> {
        self.work.hold(expressions.len() as u64 * ENTRY_BYTES)?;
        expressions
            .iter()
            .map(|expression| self.evaluate(expression))
            .collect()
    }

    fn binary(
        &mut self,
        binary: Binary,
        a: &'p Expression,
        b: &'p Expression,
    ) -> Result<Value, Failure> {
        match binary {
            Binary::Or => return Ok((self.truth(a)? || self.truth(b)?).into()),
            Binary::And => return Ok((self.truth(a)? && self.truth(b)?).into()),
            Binary::Join => return self.join(a, b),
            Binary::Plus => {
                let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
                return match (&a, &b) {
                    (Value::Number(a), Value::Number(b)) => Ok(a.plus(b).into()),
                    (Value::Sum(a), Value::Sum(b)) => {
                        let mut sum = Sum::clone(a);
                        position::extend(&mut sum, b);
                        self.work.hold(sum.parts.len() as u64 * PART_BYTES)?;
                        Ok(Value::Sum(Rc::new(sum)))
                    }
                    (Value::Sum(_), other) => Err(wrong(&[Type::Sum], other)),
                    (Value::Number(_), other) => Err(wrong(&[Type::Number], other)),
                    (other, _) => Err(wrong(&[Type::Number, Type::Sum], other)),
                };
            }
            _ => {}
        }
        let (a, b) = (self.number(a)?, self.number(b)?);
        self.work.spend(a.words().saturating_mul(b.words()))?;
        let number = match binary {
            Binary::BitOr => a.bitwise(&b, |a, b| a | b, |a, b| a | b),
            Binary::BitXor => a.xor(&b),
            Binary::BitAnd => a.bitwise(&b, |a, b| a & b, |a, b| a & b),
            Binary::ShiftLeft => a.shifted_left(&b)?,
            Binary::ShiftRight => a.shifted_right(&b)?,
            Binary::Minus => a.minus(&b),
            Binary::Times => a.times(&b)?,
            Binary::Over => a.over(&b)?,
            Binary::Modulo => a.modulo(&b)?,
            Binary::Power => {
                let power = a.power(&b)?;
                self.work
                    .spend(power.words().saturating_mul(power.words()))?;
                power
            }
            Binary::Or | Binary::And | Binary::Join | Binary::Plus => {
                unreachable!("they have been answered")
            }
        };
        if let Number::Large(_) = &number {
            self.work.hold(number.words() * 8)?;
        }
        Ok(number.into())
    }

    fn join(&mut self, a: &'p Expression, b: &'p Expression) -> Result<Value, Failure> {
        let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
        if let (Value::Text(a), Value::Text(b)) = (&a, &b) {
            self.work.hold((a.len() + b.len()) as u64)?;
            return Ok(Value::text(format!("{a}{b}")));
        }
        let (a, b) = (self.written_down(a)?, self.written_down(b)?);
        let mut all: Vec<Value> = functions::entries(&a, &mut self.work)?.collect();
        all.extend(functions::entries(&b, &mut self.work)?);
        self.work.hold(all.len() as u64 * ENTRY_BYTES)?;
        Ok(Value::list(all))
    }

    fn chain(
        &mut self,
        first: &'p Expression,
        rest: &'p [(Comparison, Expression)],
    ) -> Result<Value, Failure> {
        let mut left = self.evaluate(first)?;
        for (comparison, right) in rest {
            let right = self.evaluate(right)?;
            let holds = match comparison {
                Comparison::Equal => left.equals(&right),
                Comparison::Unequal => !left.equals(&right),
                Comparison::Less => order(&left, &right)? == Ordering::Less,
                Comparison::AtMost => order(&left, &right)? != Ordering::Greater,
                Comparison::Greater => order(&left, &right)? == Ordering::Greater,
                Comparison::AtLeast => order(&left, &right)? != Ordering::Less,
                Comparison::In => self.is_in(&left, &right)?,
                Comparison::NotIn => !self.is_in(&left, &right)?,
            };
            if !holds {
                return Ok(false.into());
            }
            left = right;
        }
        Ok(true.into())
    }

    fn is_in(&mut self, value: &Value, list: &Value) -> Result<bool, Failure> {
        match (value, list) {
            (Value::Number(n), Value::Range(range)) => Ok(range.contains(n)),
            (Value::Text(part), Value::Text(text)) => Ok(text.contains(&**part)),
            _ => {
                let list = self.written_down(list.clone())?;
                let mut entries = functions::entries(&list, &mut self.work)?;
                Ok(entries.any(|entry| entry.equals(value)))
            }
        }
    }

    fn comprehend(
        &mut self,
        entry: &'p Expression,
        generators: &'p [Generator],
        entries: &mut Vec<Value>,
    ) -> Result<(), Failure> {
        let Some((generator, rest)) = generators.split_first() else {
            let value = self.evaluate(entry)?;
            self.work.hold(ENTRY_BYTES)?;
            entries.push(value);
            return Ok(());
        };
        self.each(generator, &mut |this| this.comprehend(entry, rest, entries))
    }

    /// Does something for each element of a generator, with its names.
    fn each(
        &mut self,
        generator: &'p Generator,
        body: &mut dyn FnMut(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let depth = self.depth();
        if generator.key.is_some() {
            for element in self.elements(generator)? {
                self.take_apart(generator, element)?;
                body(self)?;
                self.forget(depth);
            }
            return Ok(());
        }
        let list = self.over(generator)?;
        for element in Self::listed(generator, &list)? {
            self.take_apart(generator, element)?;
            if self.is_wanted(generator)? {
                body(self)?;
            }
            self.forget(depth);
        }
        Ok(())
    }

    /// The elements of a generator that are wanted, in its order.
    pub fn elements(&mut self, generator: &'p Generator) -> Result<Vec<Value>, Failure> {
        let depth = self.depth();
        let list = self.over(generator)?;
        let mut keyed = Vec::new();
        for element in Self::listed(generator, &list)? {
            self.take_apart(generator, element.clone())?;
            if self.is_wanted(generator)? {
                let key = match &generator.key {
                    None => Value::None,
                    Some(key) => self.evaluate(key)?,
                };
                keyed.push((key, element));
                self.work.hold(2 * ENTRY_BYTES)?;
            }
            self.forget(depth);
        }
        if let Some(key) = &generator.key {
            sort_by(&mut keyed, |(key, _)| key, &mut self.work)
                .map_err(|failure| failure.at(&key.span))?;
        }
        Ok(keyed.into_iter().map(|(_, element)| element).collect())
    }

    fn over(&mut self, generator: &'p Generator) -> Result<Value, Failure> {
        let list = self.evaluate(&generator.over)?;
        self.written_down(list)
            .map_err(|failure| failure.at(&generator.over.span))
    }

    /// The entries of what a generator runs over.
    fn listed<'v>(generator: &Generator, list: &'v Value) -> Result<Entries<'v>, Failure> {
        let fault = match list {
            Value::Range(range) if range.to.is_none() => Mistake::EndlessList.into(),
            _ => wrong(&[Type::List], list),
        };
        list.entries().ok_or_else(|| fault.at(&generator.over.span))
    }

    fn is_wanted(&mut self, generator: &'p Generator) -> Result<bool, Failure> {
        match &generator.condition {
            None => Ok(true),
            Some(condition) => self.truth(condition),
        }
    }

    /// Gives the names of a generator to an element, or to its parts.
    pub fn take_apart(&mut self, generator: &'p Generator, element: Value) -> Result<(), Failure> {
        self.work.spend(1)?;
        if let [name] = generator.names.as_slice() {
            self.name(name, element);
            return Ok(());
        }
        let (Value::Tuple(parts) | Value::List(parts)) = &element else {
            return Err(wrong(&[Type::Tuple], &element));
        };
        if parts.len() != generator.names.len() {
            return Err(Mistake::Length {
                wanted: generator.names.len(),
                found: parts.len(),
            }
            .into());
        }
        for (name, part) in generator.names.iter().zip(parts.iter()) {
            self.name(name, part.clone());
        }
        Ok(())
    }

    fn index(&mut self, list: &'p Expression, index: &'p Expression) -> Result<Value, Failure> {
        let list = self.evaluate(list)?;
        let list = self.written_down(list)?;
        let index = self.number(index)?;
        let place = index.to_usize().and_then(|place| place.checked_sub(1));
        let outside = |length| Mistake::Index {
            index: index.clone(),
            length,
        };
        match &list {
            Value::Tuple(values) | Value::List(values) => {
                let value = place.and_then(|place| values.get(place)).cloned();
                Ok(value.ok_or_else(|| outside(values.len()))?)
            }
            Value::Range(range) => {
                let entry = range.from.plus(&index).minus(&Number::ONE);
                if place.is_some() && range.contains(&entry) {
                    Ok(entry.into())
                } else {
                    let length = range.length().and_then(|length| length.to_usize());
                    Err(outside(length.unwrap_or(usize::MAX)).into())
                }
            }
            Value::Text(text) => {
                let letter = place.and_then(|place| text.chars().nth(place));
                let letter = letter.ok_or_else(|| outside(text.chars().count()))?;
                Ok(Value::text(letter.to_string()))
            }
            other => Err(wrong(&[Type::List, Type::Text], other)),
        }
    }

    /// Moves as a list; anything else as it is.
    pub fn written_down(&mut self, value: Value) -> Result<Value, Failure> {
        let Value::Moves(moves) = &value else {
            return Ok(value);
        };
        let Moves { sum, which } = &**moves;
        let all = self.engine.list(sum, *which, MOST_MOVES, self.work.meter)?;
        self.work.hold(all.len() as u64 * MOVE_BYTES)?;
        let all = all.into_iter().map(|next| {
            let sum = Rc::clone(sum);
            Value::Move(Rc::new(MoveOf { sum, next }))
        });
        Ok(Value::list(all.collect()))
    }

    fn call(&mut self, name: &'p Name, arguments: &'p [Expression]) -> Result<Value, Failure> {
        let at = |failure: Failure| failure.at(&name.span);
        let mut values = self.all(arguments)?;
        if let [value] = values.as_slice()
            && let Some(answer) = self.question(&name.text, value)?
        {
            return Ok(answer);
        }
        for value in &mut values {
            *value = self.written_down(std::mem::replace(value, Value::None))?;
        }
        call(&name.text, &values, &mut self.work).map_err(at)
    }

    /// The answer to a question about a sum or a list of moves; `None` if the name is none of one.
    fn question(&mut self, name: &str, value: &Value) -> Result<Option<Value>, Failure> {
        let which = match name {
            "winning" => Some(Which::Winning),
            "moves" => Some(Which::All),
            _ => None,
        };
        if let Some(which) = which {
            let sum = Rc::clone(as_sum(value)?);
            return Ok(Some(Value::Moves(Rc::new(Moves { sum, which }))));
        }
        if let Value::Moves(moves) = value {
            return self.of_moves(name, moves);
        }
        let meter = &mut *self.work.meter;
        Ok(Some(match name {
            "won" => (self.engine.outcome(as_sum(value)?, meter)? == Outcome::N).into(),
            "lost" => (self.engine.outcome(as_sum(value)?, meter)? == Outcome::P).into(),
            "outcome" => Value::text(match self.engine.outcome(as_sum(value)?, meter)? {
                Outcome::N => "N",
                Outcome::P => "P",
                Outcome::Draw => "D",
            }),
            "value" => self.engine.value(as_sum(value)?, meter)?.into(),
            "plays" => {
                let plays = self.engine.plays(as_sum(value)?, meter)?;
                plays.map(Value::number).into()
            }
            "first" => functions::entries(value, &mut self.work)?.next().into(),
            "least" => functions::extreme(value, Ordering::Less, &mut self.work)?.into(),
            _ => return Ok(None),
        }))
    }

    /// What is asked about moves that are not written down.
    fn of_moves(&mut self, name: &str, moves: &Moves) -> Result<Option<Value>, Failure> {
        let Moves { sum, which } = moves;
        let meter = &mut *self.work.meter;
        let next = match name {
            "length" => {
                let count = self.engine.count(sum, *which, meter)?;
                return Ok(Some(count.into()));
            }
            "first" => self.engine.first(sum, *which, meter)?,
            "least" => self.engine.least(sum, *which, meter)?,
            _ => return Ok(None),
        };
        let next = next.map(|next| {
            let sum = Rc::clone(sum);
            Value::Move(Rc::new(MoveOf { sum, next }))
        });
        Ok(Some(next.into()))
    }

    /// The game of the file with this name; names of values do not hide it.
    fn named_game(&self, name: &str) -> Option<usize> {
        self.names
            .iter()
            .rev()
            .find_map(|(known, binding)| match binding {
                Binding::Game(game) if *known == name => Some(*game),
                _ => None,
            })
    }

    fn played(&mut self, game: &'p PlayedGame) -> Result<usize, Failure> {
        match game {
            PlayedGame::Made(game) => self.game(game, None),
            PlayedGame::Named(name) => {
                // A value may have the name of a game of the catalogue.
                if let Some(game) = self.named_game(&name.text) {
                    return Ok(game);
                }
                let base = Base::Catalogue(name.text.clone());
                self.games
                    .make(base, false, Vec::new(), &name.text, self.engine)
                    .map_err(|failure| failure.at(&name.span))
            }
        }
    }

    /// A game with its parameters.
    fn game(&mut self, game: &'p Game, called: Option<&str>) -> Result<usize, Failure> {
        let mut parameters = Vec::with_capacity(game.parameters.len());
        for (name, value) in &game.parameters {
            let given = self.evaluate(value)?;
            let given = Given::of(&given).map_err(|failure| failure.at(&value.span))?;
            parameters.push((name.text.clone(), given));
        }
        let (base, name) = match &game.rules {
            Rules::Written { text, .. } => (Base::Text(text.clone()), called.unwrap_or("inline")),
            Rules::Named(name) => match self.named_game(&name.text) {
                Some(game) => (Base::Game(game), name.text.as_str()),
                None => (Base::Catalogue(name.text.clone()), name.text.as_str()),
            },
        };
        self.games
            .make(base, game.misere, parameters, name, self.engine)
            .map_err(|failure| failure.at(&game.span))
    }

    /// The least or greatest element that satisfies a condition, or how many do.
    fn extreme(
        &mut self,
        extreme: Extreme,
        name: &'p Name,
        over: &'p Expression,
        condition: &'p Expression,
    ) -> Result<Value, Failure> {
        let list = self.evaluate(over)?;
        let list = self.written_down(list)?;
        if let Value::Range(range) = &list {
            if let Some(known) = self.known_extreme(extreme, range, asked(condition, &name.text))? {
                return Ok(known);
            }
            if range.to.is_none() && extreme != Extreme::Least {
                return Err(Failure::from(Open::Endless).at(&over.span));
            }
        }
        let depth = self.depth();
        let holds = |value: &Value, this: &mut Self| {
            this.work.spend(1)?;
            this.name(name, value.clone());
            let holds = this.truth(condition);
            this.forget(depth);
            holds
        };
        if let (Value::Range(range), Extreme::Least | Extreme::Greatest) = (&list, extreme) {
            let (mut n, step) = match (extreme, &range.to) {
                (Extreme::Greatest, Some(to)) => (to.clone(), Number::ONE.negated()),
                _ => (range.from.clone(), Number::ONE),
            };
            while range.contains(&n) {
                let value = Value::Number(n.clone());
                if holds(&value, self)? {
                    return Ok(value);
                }
                n = n.plus(&step);
            }
            return Ok(Value::None);
        }
        let at = |failure: Failure| failure.at(&over.span);
        let mut count: u64 = 0;
        let mut best: Option<Value> = None;
        let mut all = list
            .entries()
            .ok_or_else(|| at(wrong(&[Type::List], &list)))?;
        all.try_for_each(|value| {
            let wanted = match extreme {
                Extreme::Least => Some(Ordering::Less),
                Extreme::Greatest => Some(Ordering::Greater),
                Extreme::Count => None,
            };
            let is_better = match (&best, wanted) {
                (Some(best), Some(wanted)) => order(&value, best).map_err(at)? == wanted,
                _ => true,
            };
            if is_better && holds(&value, self)? {
                count += 1;
                best = Some(value);
            }
            Ok::<(), Failure>(())
        })?;
        Ok(match extreme {
            Extreme::Count => Value::number(count),
            Extreme::Least | Extreme::Greatest => best.into(),
        })
    }

    /// The same where what is known of a game tells it without trying each number.
    fn known_extreme(
        &mut self,
        extreme: Extreme,
        range: &Range,
        asked: Option<Asked<'p>>,
    ) -> Result<Option<Value>, Failure> {
        let natural = range.from.to_natural();
        match (extreme, asked, &range.to, natural) {
            (Extreme::Count, Some(Asked { lost, game }), Some(to), Some(from)) => {
                let Some(to) = to.to_natural().filter(|to| *to >= from) else {
                    return Ok(None);
                };
                let game = self.played(game)?;
                let count = self.engine.count_lost(game, &from, &to, self.work.meter)?;
                Ok(count.map(|count| {
                    if lost {
                        count.into()
                    } else {
                        Value::from(to - from + 1u8 - count)
                    }
                }))
            }
            _ => Ok(None),
        }
    }
}
