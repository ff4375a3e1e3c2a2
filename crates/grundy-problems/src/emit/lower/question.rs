//! Questions about games, answered by their laws.

use crate::emit::find::{Finder, Played};
use crate::emit::laws::{Answer, Law};
use crate::emit::program::{Comparison, Expr, Generator, Operator, Over, Statement, Term, Type};
use crate::emit::{Clause, NoEmit, Question};
use crate::problem::{self, PlayedGame};

use num_traits::ToPrimitive;

use super::expression::called;
use super::{Binding, Lowering};

impl Lowering<'_, '_> {
    pub(super) fn game(
        &mut self,
        game: &problem::Game,
        called: &str,
    ) -> Result<(Played, Vec<Statement>), NoEmit> {
        let mut parameters = Vec::new();
        for (name, value) in &game.parameters {
            parameters.push((name.text.clone(), self.expression(value)?));
        }
        let base = match &game.rules {
            problem::Rules::Named(name) => match self.found_game(&name.text) {
                Some(played) => played,
                None => Finder::catalogue(&name.text)?,
            },
            problem::Rules::Written { text, .. } => Finder::written(text, called)?,
        };
        self.finder()?.made(base, game.misere, parameters)
    }

    fn found_game(&self, name: &str) -> Option<Played> {
        self.names
            .iter()
            .rev()
            .find_map(|(known, binding)| match binding {
                Binding::Game(game) if known == name => Some(game.clone()),
                _ => None,
            })
    }

    pub(super) fn played(&mut self, game: &PlayedGame) -> Result<Played, NoEmit> {
        match game {
            PlayedGame::Named(name) => match self.found_game(&name.text) {
                Some(played) => Ok(played),
                None => Finder::catalogue(&name.text),
            },
            PlayedGame::Made(game) => {
                let (played, tables) = self.game(game, "game")?;
                // A table that would hold for one round only has no place.
                if !tables.is_empty() && self.depth() > self.statement_depth {
                    return Err(NoEmit::Clause(Clause::Sums));
                }
                self.before.extend(tables);
                Ok(played)
            }
        }
    }

    /// Whether a position is lost, what it is worth, or its winning moves.
    pub(super) fn question(
        &mut self,
        question: Question,
        game: &PlayedGame,
        position: &problem::Expression,
    ) -> Result<Expr, NoEmit> {
        let mut played = self.played(game)?;
        let position = self.expression(position)?;
        // A sum of one row is that row.
        let alone = match &position.term {
            Term::List(entries) => entries.len() == 1,
            _ => !matches!(position.of, Type::List(_)),
        };
        let law = self.finder()?.law(&mut played, question, alone)?;
        let asked = Asked {
            law: &law,
            played: &played,
        };
        let is_sum = matches!(position.of, Type::List(_));
        let none = || NoEmit::Game {
            game: played.rules.name.clone(),
            question,
        };
        match question {
            Question::Outcome => {
                if let (Some(answer), false) = (&law.outcome, is_sum) {
                    return asked.component(answer, position);
                }
                if let (Some(answer), true) = (&law.lost_sum, is_sum) {
                    return asked.of(answer, vec![position]);
                }
                if let (Some(answer), false) = (&law.lost, is_sum) {
                    return asked.component(answer, position);
                }
                if let (Some(answer), false) = (&law.lost_sum, is_sum) {
                    let of = Type::list(position.of.clone());
                    let alone = Expr {
                        term: Term::List(vec![position]),
                        of,
                    };
                    return asked.of(answer, vec![alone]);
                }
                // A sum of one row is that row.
                if let (Some(answer), Term::List(entries)) = (&law.lost, &position.term)
                    && let [row] = entries.as_slice()
                {
                    return asked.component(answer, row.clone());
                }
                let value = self.value(&asked, position).ok_or_else(none)??;
                Ok(Expr::compare(Comparison::Equal, value, Expr::number(0)))
            }
            Question::Value => self.value(&asked, position).ok_or_else(none)?,
            Question::Winning => {
                if let (Some(answer), false) = (&law.winning_one, is_sum) {
                    return asked.component(answer, position);
                }
                let answer = law.winning.as_ref().ok_or_else(none)?;
                self.played_in = Some(position.clone());
                let position = if is_sum {
                    position
                } else {
                    let of = Type::list(position.of.clone());
                    Expr {
                        term: Term::List(vec![position]),
                        of,
                    }
                };
                asked.of(answer, vec![position])
            }
            Question::Moves | Question::Plays => Err(none()),
        }
    }

    /// The first winning move of one component, where a law gives that alone.
    pub(super) fn first_winning(
        &mut self,
        game: &PlayedGame,
        position: &problem::Expression,
    ) -> Result<Option<Expr>, NoEmit> {
        let mut played = self.played(game)?;
        let position = self.expression(position)?;
        let alone = !matches!(position.of, Type::List(_));
        let law = self.finder()?.law(&mut played, Question::Winning, alone)?;
        match &law.first_one {
            Some(answer) if !matches!(position.of, Type::List(_)) => {
                let asked = Asked {
                    law: &law,
                    played: &played,
                };
                Ok(Some(asked.component(answer, position)?))
            }
            _ => Ok(None),
        }
    }

    /// How many winning moves a position has, where a law says that without listing them.
    pub(super) fn winning_count(
        &mut self,
        game: &PlayedGame,
        position: &problem::Expression,
    ) -> Result<Option<Expr>, NoEmit> {
        let mut played = self.played(game)?;
        let position = self.expression(position)?;
        let alone = !matches!(position.of, Type::List(_));
        let law = self.finder()?.law(&mut played, Question::Winning, alone)?;
        let Some(answer) = law.winning_count.as_ref().filter(|_| !alone) else {
            return Ok(None);
        };
        let asked = Asked {
            law: &law,
            played: &played,
        };
        Ok(Some(asked.of(answer, vec![position])?))
    }

    /// How many heaps of a range are lost, or won, where a law says that without looking at each.
    pub(super) fn counted(
        &mut self,
        game: &PlayedGame,
        is_lost: bool,
        from: Expr,
        to: Expr,
    ) -> Result<Option<Expr>, NoEmit> {
        let mut played = self.played(game)?;
        let law = self.finder()?.law(&mut played, Question::Outcome, true);
        let Ok(law) = law else { return Ok(None) };
        let Some(answer) = &law.lost_below else {
            return Ok(None);
        };
        let asked = Asked {
            law: &law,
            played: &played,
        };
        let end = Expr::binary(Operator::Plus, to, Expr::number(1));
        let below = asked.of(answer, vec![end.clone()])?;
        let before = match from.as_number().and_then(ToPrimitive::to_u64) {
            Some(0) => Expr::number(0),
            _ => asked.of(answer, vec![from.clone()])?,
        };
        let lost = Expr::binary(Operator::Minus, below, before);
        Ok(Some(if is_lost {
            lost
        } else {
            let all = Expr::binary(Operator::Minus, end, from);
            Expr::binary(Operator::Minus, all, lost)
        }))
    }

    /// What a position is worth, where components have values.
    fn value(&mut self, asked: &Asked, position: Expr) -> Option<Result<Expr, NoEmit>> {
        let answer = asked.law.value.as_ref()?;
        Some(self.value_by(asked, answer, position))
    }

    fn value_by(&mut self, asked: &Asked, answer: &Answer, position: Expr) -> Result<Expr, NoEmit> {
        let Type::List(entry) = &position.of else {
            return asked.component(answer, position);
        };
        // A few components are joined where they stand.
        if let Term::List(entries) = &position.term
            && entries.len() <= 3
            && !entries.is_empty()
        {
            let mut values = Vec::new();
            for entry in entries {
                values.push(asked.component(answer, entry.clone())?);
            }
            let joined = values
                .into_iter()
                .reduce(|a, b| Expr::binary(Operator::BitXor, a, b));
            return Ok(joined.expect("there is one"));
        }
        let values = if *answer == Answer::Itself {
            position
        } else if let Term::Comprehension(entry, rounds) = position.term {
            // The list of components need not be made.
            let value = asked.component(answer, *entry)?;
            Expr {
                term: Term::Comprehension(Box::new(value), rounds),
                of: Type::list(Type::Number),
            }
        } else {
            let (names, component) = match &**entry {
                Type::Tuple(parts) => {
                    let names: Vec<String> = asked.law.names(parts.len());
                    let entries = names.iter().zip(parts);
                    let entries = entries
                        .map(|(name, of)| Expr::name(name, of.clone()))
                        .collect();
                    let of = (**entry).clone();
                    (
                        names,
                        Expr {
                            term: Term::Tuple(entries),
                            of,
                        },
                    )
                }
                of => (
                    asked.law.names(1),
                    Expr::name(&asked.law.names(1)[0], of.clone()),
                ),
            };
            let value = asked.component(answer, component)?;
            Expr {
                term: Term::Comprehension(
                    Box::new(value),
                    vec![Generator {
                        names,
                        over: Over::List(position),
                        condition: None,
                    }],
                ),
                of: Type::list(Type::Number),
            }
        };
        self.library_call("xor", vec![values])
    }
}

/// A law and the game that it answers about.
struct Asked<'l> {
    law: &'l Law,
    played: &'l Played,
}

impl Asked<'_> {
    /// The answer about one component.
    fn component(&self, answer: &Answer, component: Expr) -> Result<Expr, NoEmit> {
        let coordinates = match component.term {
            Term::Tuple(parts) => parts,
            _ => match &component.of {
                Type::Tuple(kinds) => {
                    let part = |(place, of): (usize, &Type)| Expr {
                        term: Term::Part(Box::new(component.clone()), place),
                        of: of.clone(),
                    };
                    kinds.iter().enumerate().map(part).collect()
                }
                _ => vec![component],
            },
        };
        self.of(answer, coordinates)
    }

    /// The answer for these values, with the parameters and tables that it needs.
    fn of(&self, answer: &Answer, mut values: Vec<Expr>) -> Result<Expr, NoEmit> {
        let Answer::Function(name) = answer else {
            return match values.len() {
                1 => Ok(values.remove(0)),
                _ => Err(NoEmit::Clause(Clause::Kinds)),
            };
        };
        let signature = self
            .law
            .functions
            .iter()
            .find(|known| known.called == *name);
        let signature = signature.ok_or_else(|| NoEmit::Function(name.clone()))?;
        for parameter in signature.function.parameters.iter().skip(values.len()) {
            values.push(self.played.value_of(parameter)?);
        }
        if signature.function.parameters.len() != values.len() {
            return Err(NoEmit::Function(name.clone()));
        }
        let parameters = signature.function.parameters.iter().zip(&values);
        if { parameters }.any(|(of, value)| value.of == Type::Long && of.of != Type::Long) {
            return Err(NoEmit::LargeNumbers);
        }
        Ok(called(signature, values))
    }
}
