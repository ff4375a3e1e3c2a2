//! The law that answers about a game, and what a program needs of it.

use std::rc::Rc;

use grundy::catalogue;
use grundy_rules::ruleset::{ParameterValue, Play};
use grundy_rules::{Meter, Ruleset, parse};
use num_bigint::BigInt;

use super::laws::{self, Law};
use super::lower::Sizes;
use super::program::{Expr, Parameter, Record, Statement, Term, Type};
use super::snippet::{Signature, empty};
use super::{Grounds, NoEmit, Question};

/// A game as a problem plays it.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// The rules, with the values that parameters have by themselves.
    pub rules: Ruleset,
    /// The values that they are given when the program runs.
    pub parameters: Vec<(String, Expr)>,
    /// The tables of its law, by the names that the law and the program have for them.
    tables: Vec<(String, Expr)>,
}

impl Played {
    fn new(rules: Ruleset) -> Self {
        Self {
            rules,
            parameters: Vec::new(),
            tables: Vec::new(),
        }
    }

    /// What is given to a function for a parameter that is no coordinate.
    pub fn value_of(&self, parameter: &Parameter) -> Result<Expr, NoEmit> {
        let is = |name: &str| name.eq_ignore_ascii_case(parameter.name.trim_end_matches('_'));
        if let Some((_, table)) = self.tables.iter().find(|(name, _)| is(name)) {
            return Ok(table.clone());
        }
        if let Some((_, value)) = self.parameters.iter().find(|(name, _)| is(name)) {
            return Ok(value.clone());
        }
        let default = self.rules.parameters.iter().find(|known| is(&known.name));
        let numbers = |numbers: &[BigInt]| Expr {
            term: Term::List(numbers.iter().map(|n| Expr::number(n.clone())).collect()),
            of: Type::list(Type::Number),
        };
        match default.map(|default| &default.value) {
            Some(ParameterValue::Number(n)) => Ok(Expr::number(n.clone())),
            Some(ParameterValue::Set(values) | ParameterValue::List(values)) => Ok(numbers(values)),
            _ => Err(NoEmit::Function(parameter.name.clone())),
        }
    }
}

/// Finds laws, and gathers what they bring into the program.
pub(super) struct Finder<'f, 'm> {
    grounds: &'f Grounds<'f>,
    meter: &'f mut Meter<'m>,
    /// Tables that all tests share.
    pub tables: Vec<Statement>,
    /// On what the program stands.
    pub about: Vec<String>,
    /// The functions of the laws.
    pub functions: Vec<Signature>,
    /// The records of the laws.
    pub records: Vec<Record>,
    found: Vec<Found>,
    /// The names of the tables that the program has.
    declared: Vec<String>,
    /// How large the numbers of an input are, if that is known.
    sizes: Option<Sizes>,
}

/// A law that was found, and its tables.
struct Found {
    rules: Ruleset,
    question: Question,
    alone: bool,
    law: Rc<Law>,
    tables: Vec<(String, Expr)>,
}

impl<'f, 'm> Finder<'f, 'm> {
    pub fn new(grounds: &'f Grounds<'f>, sizes: Option<Sizes>, meter: &'f mut Meter<'m>) -> Self {
        Self {
            grounds,
            meter,
            tables: Vec::new(),
            about: Vec::new(),
            functions: Vec::new(),
            records: Vec::new(),
            found: Vec::new(),
            declared: Vec::new(),
            sizes,
        }
    }

    /// A game of the catalogue.
    pub fn catalogue(name: &str) -> Result<Played, NoEmit> {
        let unknown = || NoEmit::Function(name.to_owned());
        let game = catalogue::find(name).ok_or_else(unknown)?;
        Ok(Played::new(parse(game.text).map_err(|_| unknown())?))
    }

    /// A game that the problem states.
    pub fn written(text: &str, called: &str) -> Result<Played, NoEmit> {
        let mut rules = parse(text).map_err(|_| NoEmit::Function(called.to_owned()))?;
        if rules.name == "inline" {
            called.clone_into(&mut rules.name);
        }
        Ok(Played::new(rules))
    }

    /// A game with values for its parameters, and the tables that it needs from then on.
    pub fn made(
        &mut self,
        base: Played,
        misere: bool,
        parameters: Vec<(String, Expr)>,
    ) -> Result<(Played, Vec<Statement>), NoEmit> {
        let mut played = base;
        if misere {
            played.rules = played.rules.with_play(Play::Misere);
        }
        let is_given = !parameters.is_empty();
        played.parameters.extend(parameters);
        let mut statements = Vec::new();
        if is_given {
            // Its tables hold for these values only, so that they begin here.
            let law = self.find(&played, Question::Outcome, false);
            let law = law.or_else(|_| self.find(&played, Question::Outcome, true));
            if let Ok(law) = law {
                for (name, of, first) in &law.tables {
                    let earlier = self.declared.iter().filter(|other| *other == name).count();
                    let target = match earlier {
                        0 => name.clone(),
                        number => format!("{name}_{}", number + 1),
                    };
                    self.declared.push(name.clone());
                    let value = first.clone().unwrap_or_else(|| empty(of));
                    statements.push(Statement::Let(target.clone(), value));
                    played
                        .tables
                        .push((name.clone(), Expr::name(target, of.clone())));
                }
            }
        }
        Ok((played, statements))
    }

    /// The law that answers a question about a game.
    pub fn law(
        &mut self,
        played: &mut Played,
        question: Question,
        alone: bool,
    ) -> Result<Rc<Law>, NoEmit> {
        let law = self.find(played, question, alone)?;
        if played.parameters.is_empty() {
            let known = self
                .found
                .iter()
                .find(|found| found.rules == played.rules && Rc::ptr_eq(&found.law, &law));
            if let Some(found) = known {
                played.tables.clone_from(&found.tables);
            }
        }
        Ok(law)
    }

    fn find(
        &mut self,
        played: &Played,
        question: Question,
        alone: bool,
    ) -> Result<Rc<Law>, NoEmit> {
        let same = |found: &&Found| {
            found.rules == played.rules && found.question == question && found.alone == alone
        };
        if let Some(found) = self.found.iter().find(same) {
            return Ok(Rc::clone(&found.law));
        }
        let law = laws::find(
            played,
            question,
            alone,
            self.sizes.as_ref(),
            self.grounds,
            self.meter,
        )?;
        let earlier = self
            .found
            .iter()
            .find(|found| found.rules == played.rules && *found.law == law);
        let (law, tables) = match earlier {
            Some(found) => (Rc::clone(&found.law), found.tables.clone()),
            None => self.take(played, law),
        };
        self.found.push(Found {
            rules: played.rules.clone(),
            question,
            alone,
            law: Rc::clone(&law),
            tables,
        });
        Ok(law)
    }

    /// Takes a law into the program.
    fn take(&mut self, played: &Played, law: Law) -> (Rc<Law>, Vec<(String, Expr)>) {
        for function in &law.functions {
            if !self
                .functions
                .iter()
                .any(|known| known.function == function.function)
            {
                self.functions.push(function.clone());
            }
        }
        for record in &law.records {
            if !self.records.contains(record) {
                self.records.push(record.clone());
            }
        }
        for line in &law.about {
            if !self.about.contains(line) {
                self.about.push(line.clone());
            }
        }
        let mut tables = Vec::new();
        if played.parameters.is_empty() {
            for (name, of, first) in &law.tables {
                let value = first.clone().unwrap_or_else(|| empty(of));
                let earlier = self.declared.iter().filter(|other| *other == name).count();
                let target = match earlier {
                    0 => name.clone(),
                    number => format!("{name}_{}", number + 1),
                };
                self.declared.push(name.clone());
                self.tables.push(Statement::Let(target.clone(), value));
                tables.push((name.clone(), Expr::name(target, of.clone())));
            }
        }
        (Rc::new(law), tables)
    }
}
