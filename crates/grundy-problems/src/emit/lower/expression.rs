//! Expressions of problem files as those of programs.

use crate::emit::program::{
    Argument, Comparison, Expr, Generator, Known, Operator, Over, Search, Term, Type,
};
use crate::emit::snippet::{Signature, by_name};
use crate::emit::{Clause, NoEmit, Question};
use crate::problem::{self, Binary, Extreme, Name};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::{Binding, Lowering};

impl Lowering<'_, '_> {
    /// An expression.
    pub fn expression(&mut self, expression: &problem::Expression) -> Result<Expr, NoEmit> {
        use problem::Term as From;
        let kinds = NoEmit::Clause(Clause::Kinds);
        Ok(match &expression.term {
            From::Number(n) => Expr::number(n.clone()),
            From::Text(text) => Expr {
                term: Term::Text(text.clone()),
                of: Type::Text,
            },
            From::None | From::Endless => return Err(kinds),
            From::Variable(name) => match self.found(name) {
                Some(Binding::Value(target, of)) => Expr::name(target, of.clone()),
                Some(Binding::Game(_)) => return Err(kinds),
                None if name == "true" || name == "false" => {
                    Expr::truth(Term::Truth(name == "true"))
                }
                None => return Err(NoEmit::Function(name.clone())),
            },
            From::Not(of) => self.expression(of)?.negated(),
            From::Minus(of) => {
                let value = self.expression(of)?;
                match value.as_number() {
                    Some(n) => Expr::number(-n),
                    None => Expr {
                        of: value.of.clone(),
                        term: Term::Minus(Box::new(value)),
                    },
                }
            }
            From::Binary(binary, a, b) => self.binary(*binary, a, b)?,
            From::Chain(first, rest) => self.chain(first, rest)?,
            From::Choose(condition, a, b) => {
                let condition = Box::new(self.expression(condition)?);
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                if a.of != b.of {
                    return Err(kinds);
                }
                let of = a.of.clone();
                Expr {
                    term: Term::Choose(condition, Box::new(a), Box::new(b)),
                    of,
                }
            }
            From::Tuple(parts) => {
                let parts = self.all(parts)?;
                Expr {
                    of: Type::Tuple(parts.iter().map(|part| part.of.clone()).collect()),
                    term: Term::Tuple(parts),
                }
            }
            From::List(entries) => {
                let entries = self.all(entries)?;
                let of = entries
                    .first()
                    .map_or(Type::Number, |entry| entry.of.clone());
                if entries.iter().any(|entry| entry.of != of) {
                    return Err(kinds);
                }
                Expr {
                    of: Type::list(of),
                    term: Term::List(entries),
                }
            }
            From::Range(from, Some(to)) => {
                let (from, to) = (self.expression(from)?, self.expression(to)?);
                let entry = Expr::name("i", Type::Number);
                let round = Generator {
                    names: vec!["i".to_owned()],
                    over: Over::Range(from, to),
                    condition: None,
                };
                Expr {
                    term: Term::Comprehension(Box::new(entry), vec![round]),
                    of: Type::list(Type::Number),
                }
            }
            From::Range(_, None) => return Err(NoEmit::Clause(Clause::Endless)),
            From::Comprehension(entry, generators) => self.comprehension(entry, generators)?,
            From::Index(list, index) => {
                let list = self.expression(list)?;
                let index = self.expression(index)?;
                let index = if self.from_zero {
                    index
                } else {
                    Expr::binary(Operator::Minus, index, Expr::number(1))
                };
                let of = match &list.of {
                    Type::List(of) => (**of).clone(),
                    Type::Word => Type::Letter,
                    Type::Tuple(parts) => {
                        let place = index.as_number().and_then(ToPrimitive::to_usize);
                        let place = place.filter(|place| *place < parts.len()).ok_or(kinds)?;
                        return Ok(Expr {
                            of: parts[place].clone(),
                            term: Term::Part(Box::new(list), place),
                        });
                    }
                    _ => return Err(kinds),
                };
                Expr {
                    term: Term::Index(Box::new(list), Box::new(index)),
                    of,
                }
            }
            From::Field(of, field) => {
                let mut of = self.expression(of)?;
                if let Type::List(entry) = &of.of {
                    // The first of some, which was asked for.
                    let entry = (**entry).clone();
                    of = Expr {
                        term: Term::Index(Box::new(of), Box::new(Expr::number(0))),
                        of: entry,
                    };
                }
                self.field(of, &field.text)?
            }
            From::Call(name, arguments) => self.call(name, arguments)?,
            From::At(..) => return Err(NoEmit::Clause(Clause::Sums)),
            From::Fold(fold) => self.fold(fold)?,
            From::Extreme {
                extreme,
                name,
                over,
                condition,
            } => self.search(*extreme, name, over, condition)?,
        })
    }

    pub(super) fn all(&mut self, expressions: &[problem::Expression]) -> Result<Vec<Expr>, NoEmit> {
        expressions.iter().map(|e| self.expression(e)).collect()
    }

    pub(super) fn binary(
        &mut self,
        binary: Binary,
        a: &problem::Expression,
        b: &problem::Expression,
    ) -> Result<Expr, NoEmit> {
        if binary == Binary::Modulo && has_selections(a) {
            let modulus = self.expression(b)?;
            let value = self.modular(a, &modulus)?;
            return Ok(Expr::binary(Operator::Modulo, value, modulus));
        }
        let (a, b) = (self.expression(a)?, self.expression(b)?);
        if [&a, &b].iter().any(|side| side.of == Type::Long) {
            let known = binary == Binary::Modulo && b.of == Type::Number;
            return if known {
                self.library_call("remainder", vec![a, b])
            } else {
                Err(NoEmit::LargeNumbers)
            };
        }
        let operator = match binary {
            Binary::Or => return Ok(Expr::truth(Term::Or(Box::new(a), Box::new(b)))),
            Binary::And => return Ok(Expr::truth(Term::And(Box::new(a), Box::new(b)))),
            Binary::Join => {
                let is_text = |of: &Type| matches!(of, Type::Text | Type::Word | Type::Letter);
                return if is_text(&a.of) && is_text(&b.of) {
                    Ok(Expr::known(Known::JoinTexts, vec![a, b], Type::Word))
                } else {
                    let of = a.of.clone();
                    Ok(Expr::known(Known::JoinLists, vec![a, b], of))
                };
            }
            Binary::Power => {
                return match (a.as_number(), b.as_number()) {
                    (Some(x), Some(y)) => {
                        let exponent = y.to_u32().filter(|y| *y < 200);
                        let exponent = exponent.ok_or(NoEmit::LargeNumbers)?;
                        Ok(Expr::number(x.pow(exponent)))
                    }
                    (Some(x), None) if *x == BigInt::from(2) => {
                        Ok(Expr::binary(Operator::ShiftLeft, Expr::number(1), b))
                    }
                    _ => Err(NoEmit::Clause(Clause::Powers)),
                };
            }
            Binary::BitOr => Operator::BitOr,
            Binary::BitXor => Operator::BitXor,
            Binary::BitAnd => Operator::BitAnd,
            Binary::ShiftLeft => Operator::ShiftLeft,
            Binary::ShiftRight => Operator::ShiftRight,
            Binary::Plus => Operator::Plus,
            Binary::Minus => Operator::Minus,
            Binary::Times => Operator::Times,
            Binary::Over => Operator::Over,
            Binary::Modulo => Operator::Modulo,
        };
        if operator == Operator::Modulo && a.of == Type::Wide && b.as_number().is_some() {
            let rest = Expr::binary(operator, a, b);
            return Ok(Expr::known(Known::Narrow, vec![rest], Type::Number));
        }
        Ok(Expr::binary(operator, a, b))
    }

    /// A number whose remainder alone is asked for, where ways are counted that 64 bits do not hold.
    fn modular(
        &mut self,
        expression: &problem::Expression,
        modulus: &Expr,
    ) -> Result<Expr, NoEmit> {
        use problem::Term as From;
        match &expression.term {
            From::Call(name, arguments) if name.text == "selections" => {
                let mut values = self.all(arguments)?;
                values.push(modulus.clone());
                self.library_call("selections", values)
            }
            From::Call(name, arguments) if name.text == "sum" => {
                if let [argument] = arguments.as_slice()
                    && let From::Comprehension(entry, generators) = &argument.term
                {
                    let depth = self.depth();
                    let mut rounds = Vec::new();
                    for generator in generators {
                        rounds.push(self.generator(generator)?);
                    }
                    let entry = self.modular(entry, modulus)?;
                    self.forget(depth);
                    let list = Expr {
                        of: Type::list(entry.of.clone()),
                        term: Term::Comprehension(Box::new(entry), rounds),
                    };
                    return self.library_call("sum", vec![list]);
                }
                Err(NoEmit::LargeNumbers)
            }
            From::Binary(Binary::Plus, a, b) => {
                let (a, b) = (self.modular(a, modulus)?, self.modular(b, modulus)?);
                Ok(Expr::binary(Operator::Plus, a, b))
            }
            _ if has_selections(expression) => Err(NoEmit::LargeNumbers),
            _ => self.expression(expression),
        }
    }

    fn chain(
        &mut self,
        first: &problem::Expression,
        rest: &[(problem::Comparison, problem::Expression)],
    ) -> Result<Expr, NoEmit> {
        let mut all: Option<Expr> = None;
        let mut left = first;
        for (comparison, right) in rest {
            let holds = self.comparison(*comparison, left, right)?;
            all = Some(match all {
                None => holds,
                Some(before) => Expr::truth(Term::And(Box::new(before), Box::new(holds))),
            });
            left = right;
        }
        all.ok_or(NoEmit::Clause(Clause::Kinds))
    }

    fn comparison(
        &mut self,
        comparison: problem::Comparison,
        a: &problem::Expression,
        b: &problem::Expression,
    ) -> Result<Expr, NoEmit> {
        use problem::Comparison as From;
        let to = match comparison {
            From::Equal => Comparison::Equal,
            From::Unequal => Comparison::Unequal,
            From::Less => Comparison::Less,
            From::AtMost => Comparison::AtMost,
            From::Greater => Comparison::Greater,
            From::AtLeast => Comparison::AtLeast,
            From::In => return self.is_in(a, b),
            From::NotIn => return Ok(self.is_in(a, b)?.negated()),
        };
        if matches!(b.term, problem::Term::None) {
            // No answer: an empty list of answers, or -1 where a number was looked for.
            let value = self.expression(a)?;
            let is_none = match &value.of {
                Type::List(_) => {
                    let length = Expr::known(Known::Length, vec![value], Type::Number);
                    Expr::compare(Comparison::Equal, length, Expr::number(0))
                }
                _ => Expr::compare(Comparison::Less, value, Expr::number(0)),
            };
            return Ok(match to {
                Comparison::Equal => is_none,
                _ => is_none.negated(),
            });
        }
        let (mut a, mut b) = (self.expression(a)?, self.expression(b)?);
        if a.of == Type::Long || b.of == Type::Long {
            return Err(NoEmit::LargeNumbers);
        }
        as_letter(&mut a, &b.of);
        as_letter(&mut b, &a.of);
        Ok(Expr::compare(to, a, b))
    }

    fn is_in(
        &mut self,
        value: &problem::Expression,
        list: &problem::Expression,
    ) -> Result<Expr, NoEmit> {
        let mut value = self.expression(value)?;
        // A value is one of few that stand there.
        if let problem::Term::List(entries) = &list.term
            && !entries.is_empty()
        {
            let mut all: Option<Expr> = None;
            for entry in entries {
                let mut entry = self.expression(entry)?;
                as_letter(&mut entry, &value.of);
                as_letter(&mut value, &entry.of);
                let same = Expr::compare(Comparison::Equal, value.clone(), entry);
                all = Some(match all {
                    None => same,
                    Some(before) => Expr::truth(Term::Or(Box::new(before), Box::new(same))),
                });
            }
            return all.ok_or(NoEmit::Clause(Clause::Kinds));
        }
        if let problem::Term::Range(from, Some(to)) = &list.term {
            let (from, to) = (self.expression(from)?, self.expression(to)?);
            let least = Expr::compare(Comparison::AtMost, from, value.clone());
            let greatest = Expr::compare(Comparison::AtMost, value, to);
            return Ok(Expr::truth(Term::And(Box::new(least), Box::new(greatest))));
        }
        let list = self.expression(list)?;
        Ok(match &list.of {
            Type::Text | Type::Word => Expr::known(Known::Contains, vec![value, list], Type::Truth),
            Type::List(_) => self.library_call("is_in", vec![value, list])?,
            _ => return Err(NoEmit::Clause(Clause::Kinds)),
        })
    }

    pub fn generator(&mut self, generator: &problem::Generator) -> Result<Generator, NoEmit> {
        let kinds = NoEmit::Clause(Clause::Kinds);
        let over = match &generator.over.term {
            problem::Term::Range(from, Some(to)) if generator.key.is_none() => {
                Over::Range(self.expression(from)?, self.expression(to)?)
            }
            _ => Over::List(self.expression(&generator.over)?),
        };
        let entry = match &over {
            Over::Range(..) => Type::Number,
            Over::List(list) => match &list.of {
                Type::List(of) => (**of).clone(),
                Type::Word | Type::Long => Type::Letter,
                _ => return Err(kinds),
            },
        };
        let mut names = Vec::new();
        match (generator.names.as_slice(), &entry) {
            ([one], of) => names.push(self.name(&one.text, of.clone())),
            (several, Type::Tuple(parts)) if several.len() == parts.len() => {
                for (name, of) in several.iter().zip(parts) {
                    names.push(self.name(&name.text, of.clone()));
                }
            }
            _ => return Err(kinds),
        }
        let over = match (&generator.key, over) {
            (Some(key), Over::List(list)) => {
                let [name] = names.as_slice() else {
                    return Err(kinds);
                };
                let key = self.expression(key)?;
                let of = list.of.clone();
                Over::List(Expr {
                    term: Term::SortedBy(Box::new(list), name.clone(), Box::new(key)),
                    of,
                })
            }
            (_, over) => over,
        };
        let condition = generator.condition.as_ref();
        let condition = condition.map(|condition| self.expression(condition));
        Ok(Generator {
            names,
            over,
            condition: condition.transpose()?,
        })
    }

    fn comprehension(
        &mut self,
        entry: &problem::Expression,
        generators: &[problem::Generator],
    ) -> Result<Expr, NoEmit> {
        let depth = self.depth();
        let mut rounds = Vec::new();
        for generator in generators {
            rounds.push(self.generator(generator)?);
        }
        let entry = self.expression(entry)?;
        self.forget(depth);
        // A list as it is needs no new one.
        if let [
            Generator {
                names,
                over: Over::List(list),
                condition: None,
            },
        ] = rounds.as_slice()
            && let ([name], Term::Name(other)) = (names.as_slice(), &entry.term)
            && name == other
        {
            return Ok(list.clone());
        }
        let of = Type::list(entry.of.clone());
        Ok(Expr {
            term: Term::Comprehension(Box::new(entry), rounds),
            of,
        })
    }

    fn fold(&mut self, fold: &problem::Fold) -> Result<Expr, NoEmit> {
        let mut start = self.expression(&fold.start)?;
        let is_empty = matches!(&start.term, Term::List(entries) if entries.is_empty());
        loop {
            let depth = self.depth();
            let name = self.name(&fold.name.text, start.of.clone());
            let round = self.generator(&fold.generator)?;
            let next = self.expression(&fold.next)?;
            self.forget(depth);
            if next.of == start.of {
                let of = start.of.clone();
                let term = Term::Fold(Box::new(start), name, Box::new(round), Box::new(next));
                return Ok(Expr { term, of });
            }
            // A list without entries is one of the kind that follows.
            if !is_empty || start.of != Type::list(Type::Number) {
                return Err(NoEmit::Clause(Clause::Kinds));
            }
            start.of = next.of;
        }
    }

    fn search(
        &mut self,
        extreme: Extreme,
        name: &Name,
        over: &problem::Expression,
        condition: &problem::Expression,
    ) -> Result<Expr, NoEmit> {
        let (from, to) = match &over.term {
            problem::Term::Range(from, Some(to)) => (self.expression(from)?, self.expression(to)?),
            problem::Term::Range(_, None) => return Err(NoEmit::Clause(Clause::Endless)),
            _ => return Err(NoEmit::Clause(Clause::Kinds)),
        };
        if extreme == Extreme::Count
            && let problem::Term::Call(asked, of) = &condition.term
            && let ("won" | "lost", [sum]) = (asked.text.as_str(), of.as_slice())
            && let problem::Term::At(game, position) = &sum.term
            && matches!(&position.term, problem::Term::Variable(other) if *other == name.text)
            && let is_lost = asked.text == "lost"
            && let Some(count) = self.counted(game, is_lost, from.clone(), to.clone())?
        {
            return Ok(count);
        }
        let depth = self.depth();
        let target = self.name(&name.text, Type::Number);
        let condition = self.expression(condition)?;
        self.forget(depth);
        let search = match extreme {
            Extreme::Least => Search::Least,
            Extreme::Greatest => Search::Greatest,
            Extreme::Count => Search::Count,
        };
        Ok(Expr {
            term: Term::Search(
                search,
                target,
                Box::new(from),
                Box::new(to),
                Box::new(condition),
            ),
            of: Type::Number,
        })
    }

    /// A call of a function of the library.
    pub(super) fn library_call(&mut self, name: &str, values: Vec<Expr>) -> Result<Expr, NoEmit> {
        let fits = |signature: &&Signature| {
            let parameters = &signature.function.parameters;
            signature.called == name
                && parameters.len() == values.len()
                && parameters.iter().zip(&values).all(|(p, v)| suits(&p.of, v))
        };
        let unknown = || NoEmit::Function(name.to_owned());
        if let Some(signature) = self.library.iter().find(fits) {
            return Ok(called(signature, values));
        }
        // A function of graphs for vertices of this kind.
        let more = by_name(name, &values).ok_or_else(unknown)?;
        self.library.extend(more);
        let signature = self.library.iter().find(fits).ok_or_else(unknown)?;
        Ok(called(signature, values))
    }

    fn call(&mut self, name: &Name, arguments: &[problem::Expression]) -> Result<Expr, NoEmit> {
        let question = match name.text.as_str() {
            "won" | "lost" | "outcome" => Some(Question::Outcome),
            "value" => Some(Question::Value),
            "winning" => Some(Question::Winning),
            "moves" => Some(Question::Moves),
            "plays" => Some(Question::Plays),
            _ => None,
        };
        if let [
            problem::Expression {
                term: problem::Term::Call(inner, of),
                ..
            },
        ] = arguments
            && inner.text == "winning"
            && let [sum] = of.as_slice()
            && let problem::Term::At(game, position) = &sum.term
        {
            let short = match name.text.as_str() {
                "first" => self.first_winning(game, position)?,
                "length" => self.winning_count(game, position)?,
                _ => None,
            };
            if let Some(short) = short {
                return Ok(short);
            }
        }
        if let (Some(question), [sum]) = (question, arguments)
            && let problem::Term::At(game, position) = &sum.term
        {
            let asked = self.question(question, game, position)?;
            return Ok(match name.text.as_str() {
                "won" => asked.negated(),
                "outcome" if asked.of == Type::Truth => {
                    let text = |letter: &str| Expr {
                        term: Term::Text(letter.to_owned()),
                        of: Type::Text,
                    };
                    Expr {
                        term: Term::Choose(
                            Box::new(asked),
                            Box::new(text("P")),
                            Box::new(text("N")),
                        ),
                        of: Type::Text,
                    }
                }
                _ => asked,
            });
        }
        let mut values = self.all(arguments)?;
        let is_long =
            |value: &Expr| value.of == Type::Long || value.of.entry() == Some(&Type::Long);
        if name.text != "remainder" && values.iter().any(is_long) {
            return Err(NoEmit::LargeNumbers);
        }
        let number = |known, values| Ok(Expr::known(known, values, Type::Number));
        match (name.text.as_str(), values.len()) {
            ("length", 1) => number(Known::Length, values),
            ("abs", 1) => number(Known::Abs, values),
            ("popcount", 1) => number(Known::Popcount, values),
            ("min" | "max", 2) => {
                let known = if name.text == "min" {
                    Known::Min
                } else {
                    Known::Max
                };
                let wide = values.iter().any(|value| value.of == Type::Wide);
                let of = if wide { Type::Wide } else { Type::Number };
                Ok(Expr::known(known, values, of))
            }
            ("wide", 1) => Ok(Expr::known(Known::Wide, values, Type::Wide)),
            ("narrow", 1) => number(Known::Narrow, values),
            ("text", 1) => Ok(Expr::known(Known::Text, values, Type::Word)),
            ("digit" | "number", 1) if values[0].of == Type::Letter => number(Known::Digit, values),
            ("letters", 1) => Ok(Expr::known(
                Known::Letters,
                values,
                Type::list(Type::Letter),
            )),
            ("sort", 1) => {
                let of = values[0].of.clone();
                Ok(Expr::known(Known::Sorted, values, of))
            }
            ("filled", 2) => {
                let (value, count) = (values.remove(1), values.remove(0));
                let of = Type::list(value.of.clone());
                Ok(Expr {
                    term: Term::Filled(Box::new(count), Box::new(value)),
                    of,
                })
            }
            ("has", 2) => Ok(Expr::known(Known::Has, values, Type::Truth)),
            ("get", 2) => match values[0].of.clone() {
                Type::Map(_, of) => Ok(Expr::known(Known::Get, values, *of)),
                _ => Err(NoEmit::Clause(Clause::Kinds)),
            },
            // The first of some that may be none stays a list, and its parts are those of its first.
            ("first", 1) if matches!(values[0].of.entry(), Some(Type::Record(_))) => {
                Ok(values.remove(0))
            }
            ("first", 1) => {
                let list = values.remove(0);
                let of = list
                    .of
                    .entry()
                    .cloned()
                    .ok_or(NoEmit::Clause(Clause::Kinds))?;
                Ok(Expr {
                    term: Term::Index(Box::new(list), Box::new(Expr::number(0))),
                    of,
                })
            }
            (name, _) => {
                let record = self.records.iter().find(|record| record.name == name);
                if let Some(record) = record {
                    let names = record.parts.iter().map(|(name, _)| name.clone());
                    return Ok(Expr {
                        term: Term::Record(names.zip(values).collect()),
                        of: Type::Record(record.name.clone()),
                    });
                }
                self.library_call(name, values)
            }
        }
    }

    /// A part of a move.
    fn field(&mut self, of: Expr, field: &str) -> Result<Expr, NoEmit> {
        if field == "after" {
            // The heaps with the one that is moved in replaced.
            let position = self.played_in.clone().ok_or(NoEmit::Clause(Clause::Sums))?;
            let place = self.field(of.clone(), "place")?;
            let place = Expr::binary(Operator::Minus, place, Expr::number(1));
            let left = self.field(of, "to")?;
            return self.library_call("replaced", vec![position, place, left]);
        }
        let Type::Record(record) = &of.of else {
            return Err(NoEmit::Clause(Clause::Kinds));
        };
        let unknown = || NoEmit::Function(field.to_owned());
        let records = match &self.finder {
            Some(finder) => &finder.records,
            None => &self.records,
        };
        let known = records.iter().find(|known| known.name == *record);
        let name = match field {
            "from" => "before",
            "to" => "after",
            other => other,
        };
        let (name, part) = known
            .and_then(|known| known.parts.iter().find(|(other, _)| other == name))
            .cloned()
            .ok_or_else(unknown)?;
        Ok(Expr {
            term: Term::Field(Box::new(of), name),
            of: part,
        })
    }
}

/// Whether ways to select are counted in an expression, of which there may be very many.
fn has_selections(expression: &problem::Expression) -> bool {
    use problem::Term as From;
    match &expression.term {
        From::Call(name, arguments) => {
            name.text == "selections" || arguments.iter().any(has_selections)
        }
        From::Binary(_, a, b) => has_selections(a) || has_selections(b),
        From::Comprehension(entry, _) => has_selections(entry),
        _ => false,
    }
}

/// A call of a function.
pub(super) fn called(signature: &Signature, values: Vec<Expr>) -> Expr {
    let parameters = signature.function.parameters.iter();
    let arguments = parameters.zip(values).map(|(parameter, mut value)| {
        if parameter.of == Type::Wide && value.of == Type::Number {
            value = Expr::known(Known::Wide, vec![value], Type::Wide);
        }
        as_letter(&mut value, &parameter.of);
        // A list without entries is one of the kind that is wanted.
        if matches!(&value.term, Term::List(entries) if entries.is_empty()) {
            value.of.clone_from(&parameter.of);
        }
        Argument {
            value,
            changed: parameter.changed,
        }
    });
    Expr {
        term: Term::Call(signature.function.name.clone(), arguments.collect()),
        of: signature.function.gives.clone().unwrap_or(Type::Truth),
    }
}

/// Whether a value can stand for a parameter.
fn suits(of: &Type, value: &Expr) -> bool {
    *of == value.of
        || *of == Type::Wide && value.of == Type::Number
        || *of == Type::Letter && is_letter(value)
        // A list without entries is one of any kind.
        || matches!((of, &value.term), (Type::List(_), Term::List(entries)) if entries.is_empty())
}

/// A text of one letter as that letter, where it meets one.
fn as_letter(value: &mut Expr, other: &Type) {
    if *other == Type::Letter && is_letter(value) {
        value.of = Type::Letter;
    }
}

/// Whether a value is a text of one letter that stands there.
fn is_letter(value: &Expr) -> bool {
    matches!(&value.term, Term::Text(text) if text.chars().count() == 1)
}
