//! The games that a problem speaks of, each made once.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use grundy::catalogue;
use grundy_rules::ruleset::{ParameterValue, Play};
use grundy_rules::{Ruleset, parse};
use num_bigint::BigInt;

use crate::engine::Engine;
use crate::failure::{Failure, Mistake};
use crate::value::{Type, Value};

/// Rulesets that stay where they are while more are added.
///
/// They stand in blocks of doubling length, so that none ever moves.
#[derive(Default)]
pub struct Library {
    blocks: [OnceCell<Block>; 32],
    length: Cell<usize>,
}

/// Places that are filled once.
type Block = Box<[OnceCell<Vec<Ruleset>>]>;

impl Library {
    /// Keeps some rulesets side by side.
    pub fn keep(&self, rulesets: Vec<Ruleset>) -> &[Ruleset] {
        let index = self.length.get() + 1;
        self.length.set(index);
        let block = index.ilog2();
        let length = 1 << block;
        let block = self.blocks[block as usize]
            .get_or_init(|| (0..length).map(|_| OnceCell::new()).collect());
        block[index - length].get_or_init(|| rulesets)
    }
}

/// A game with values for its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    base: Base,
    misere: bool,
    parameters: Vec<(String, Given)>,
}

/// What a game is made from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// A game of the catalogue.
    Catalogue(String),
    /// Rules.
    Text(String),
    /// Another game.
    Game(usize),
}

/// The value given for a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Given {
    /// A number.
    Number(BigInt),
    /// Numbers.
    Numbers(Vec<BigInt>),
    /// Tuples of numbers.
    Tuples(Vec<Vec<BigInt>>),
}

/// The games of a run, by what they were made from.
pub struct Games<'g> {
    library: &'g Library,
    made: HashMap<Key, usize>,
    names: Vec<String>,
}

impl<'g> Games<'g> {
    /// None yet.
    pub fn new(library: &'g Library) -> Self {
        Self {
            library,
            made: HashMap::new(),
            names: Vec::new(),
        }
    }

    /// What a game is called in messages.
    pub fn name(&self, game: usize) -> &str {
        &self.names[game]
    }

    /// The game that is made from this one with these parameters, under `name`.
    pub fn make(
        &mut self,
        base: Base,
        misere: bool,
        parameters: Vec<(String, Given)>,
        name: &str,
        engine: &mut dyn Engine<'g>,
    ) -> Result<usize, Failure> {
        if let (Base::Game(game), false, []) = (&base, misere, parameters.as_slice()) {
            return Ok(*game);
        }
        let key = Key {
            base,
            misere,
            parameters,
        };
        if let Some(game) = self.made.get(&key) {
            return Ok(*game);
        }
        let mut rules = match &key.base {
            Base::Game(game) => engine.rules(*game).clone(),
            Base::Catalogue(name) => {
                let game =
                    catalogue::find(name).ok_or_else(|| Mistake::UnknownGame(name.clone()))?;
                parse(game.text).map_err(Mistake::Rules)?
            }
            Base::Text(text) => parse(text).map_err(Mistake::Rules)?,
        };
        for (parameter, given) in &key.parameters {
            let default = rules.parameters.iter().find(|p| p.name == *parameter);
            let value = given.like(default.map(|parameter| &parameter.value));
            rules = rules
                .with_value(parameter, value)
                .map_err(|diagnostic| Mistake::Parameter(Box::new(diagnostic)))?;
        }
        if key.misere {
            rules = rules.with_play(Play::Misere);
        }
        let rules = &self.library.keep(vec![rules])[0];
        let game = engine.add(rules);
        self.names.push(name.to_owned());
        self.made.insert(key, game);
        Ok(game)
    }
}

impl Given {
    /// The parameter value that a value of a problem means.
    pub fn of(value: &Value) -> Result<Self, Failure> {
        let number = |value: &Value| match value {
            Value::Number(n) => Ok(n.to_bigint()),
            other => Err(wrong(&[Type::Number], other)),
        };
        if let Value::Number(n) = value {
            return Ok(Self::Number(n.to_bigint()));
        }
        let entries = value
            .entries()
            .ok_or_else(|| wrong(&[Type::Number, Type::List], value))?;
        let is_tuples = matches!(
            entries.clone().next(),
            Some(Value::Tuple(_) | Value::List(_))
        );
        if !is_tuples {
            let numbers: Result<_, Failure> = entries.map(|entry| number(&entry)).collect();
            return Ok(Self::Numbers(numbers?));
        }
        let mut tuples = Vec::new();
        for entry in entries {
            let parts = entry
                .entries()
                .ok_or_else(|| wrong(&[Type::Tuple], &entry))?;
            let tuple: Result<_, Failure> = parts.map(|part| number(&part)).collect();
            tuples.push(tuple?);
        }
        Ok(Self::Tuples(tuples))
    }

    /// The same as a value of the kind of a default.
    fn like(&self, default: Option<&ParameterValue>) -> ParameterValue {
        let sorted = |numbers: &[BigInt]| {
            let mut numbers = numbers.to_vec();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        match (self, default) {
            (Self::Number(n), _) => ParameterValue::Number(n.clone()),
            (Self::Numbers(numbers), Some(ParameterValue::Relation(_))) if numbers.is_empty() => {
                ParameterValue::Relation(Vec::new())
            }
            (Self::Numbers(numbers), Some(ParameterValue::List(_))) => {
                ParameterValue::List(numbers.clone())
            }
            (Self::Numbers(numbers), _) => ParameterValue::Set(sorted(numbers)),
            (Self::Tuples(tuples), _) => {
                let mut tuples = tuples.clone();
                tuples.sort_unstable();
                tuples.dedup();
                ParameterValue::Relation(tuples)
            }
        }
    }
}

/// A value of another kind stands where one of these belongs.
pub fn wrong(wanted: &'static [Type], found: &Value) -> Failure {
    Mistake::Type {
        wanted,
        found: found.kind(),
    }
    .into()
}
