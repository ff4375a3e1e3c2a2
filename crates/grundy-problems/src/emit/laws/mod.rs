//! The laws that programs answer from.
//!
//! A law is a file `NAME.law` of this folder. Its head says of which game it speaks, by a name of the
//! catalogue (`game`) or by its rules (`rules`), and under which convention (`play misere`); which function
//! answers what (`value`, `lost`, `lost sum`, `winning`, the first of these `first`, how many they are `moves`, and how
//! many heaps below a number are lost, `below`); which tables its functions share (`table`); what a
//! move has (`record`); whether its numbers may have any size (`long`); and on what it stands (`stands`). The functions follow in the words of
//! [`snippet`](super::snippet). A function is given the coordinates of a component, or the list of all
//! components for `lost sum` and `winning`, and then parameters of the game and tables by their names.
//!
//! A game is one of a law if it has the same rules, up to the names of variables, labels and parameters.
//! Other kinds of laws are modules beside the files: [`periodic`] and [`recursion`] for what is proved of heaps, and
//! [`rules`] for tables by the rules themselves, and [`automaton`] for who wins by the digits of numbers.

mod automaton;
mod periodic;
mod recursion;

use std::borrow::Cow;

use num_bigint::BigInt;

use grundy_rules::ruleset::{Play, Scope};
use grundy_rules::{Meter, Ruleset, parse};

use super::find::Played;
use super::lower::Sizes;
use super::program::{Expr, Record, Type};
use super::snippet::{Signature, functions, kind, prelude};
use super::{Grounds, NoEmit, Question, rows, rules};

/// How a law answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Law {
    /// On what it stands.
    pub about: Vec<String>,
    /// Its functions, and those that they call.
    pub functions: Vec<Signature>,
    /// What a component is worth.
    pub value: Option<Answer>,
    /// Whether a component is lost.
    pub lost: Option<Answer>,
    /// Whether a sum is lost.
    pub lost_sum: Option<Answer>,
    /// Who wins a component: `N`, `P` or `D`.
    pub outcome: Option<Answer>,
    /// The winning moves of a sum.
    pub winning: Option<Answer>,
    /// The winning moves of a component that is alone.
    pub winning_one: Option<Answer>,
    /// The first of them.
    pub first_one: Option<Answer>,
    /// How many winning moves a sum has.
    pub winning_count: Option<Answer>,
    /// How many of the heaps below a number are lost.
    pub lost_below: Option<Answer>,
    /// The largest number of which it speaks.
    pub upto: Option<u64>,
    /// What its moves have.
    pub records: Vec<Record>,
    /// Tables that functions share: their name, kind and first content.
    pub tables: Vec<(String, Type, Option<Expr>)>,
    /// What coordinates are called.
    pub coordinates: Vec<String>,
}

/// What answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The heap itself.
    Itself,
    /// A function with this name.
    Function(String),
}

impl Law {
    /// What so many coordinates are called where a list of components is gone through.
    pub fn names(&self, count: usize) -> Vec<String> {
        if self.coordinates.len() == count {
            return self.coordinates.clone();
        }
        match count {
            1 => vec!["heap".to_owned()],
            count => (1..=count).map(|place| format!("x{place}")).collect(),
        }
    }

    /// Whether it answers a question, of a sum or of a component that is alone.
    pub fn answers(&self, question: Question, alone: bool) -> bool {
        match question {
            Question::Outcome if !alone => self.value.is_some() || self.lost_sum.is_some(),
            Question::Outcome => [&self.value, &self.lost, &self.lost_sum, &self.outcome]
                .iter()
                .any(|a| a.is_some()),
            Question::Value => self.value.is_some(),
            Question::Winning if !alone => self.winning.is_some() || self.winning_count.is_some(),
            Question::Winning => [
                &self.winning,
                &self.winning_one,
                &self.first_one,
                &self.winning_count,
            ]
            .iter()
            .any(|a| a.is_some()),
            Question::Moves | Question::Plays => false,
        }
    }
}

/// Up to here a table is made and no law looked for.
const SMALL: u32 = 10_000;
/// Up to here so many rows of numbers are looked at.
const SHORT: u32 = 20;
/// So far numbers may be apart where a map keeps positions of several.
const NARROW: u32 = 1_000;
/// Up to here a table is made where no law is found.
const LARGE: u32 = 1_000_000;

/// The texts of the laws.
const LAWS: &[&str] = include!(concat!(env!("OUT_DIR"), "/laws.rs"));

/// The law that answers a question about a game.
///
/// `sizes` tells how large the numbers of an input are, if that is known.
pub(super) fn find(
    played: &Played,
    question: Question,
    alone: bool,
    sizes: Option<&Sizes>,
    grounds: &Grounds,
    meter: &mut Meter,
) -> Result<Law, NoEmit> {
    let largest = sizes.map(|sizes| &sizes.largest);
    let is_long = largest.is_some_and(|largest| *largest > i64::MAX.into());
    for text in LAWS {
        // Digits stand for a number that is too large.
        let is_any_size = is_long && text.contains("\nlong\n");
        let text = if is_any_size {
            Cow::from(text.replace("n: number", "n: long"))
        } else {
            Cow::from(*text)
        };
        if let Some(law) = read(&text, &played.rules)
            && law.answers(question, alone)
            && law
                .upto
                .is_none_or(|upto| largest.is_some_and(|largest| *largest <= upto.into()))
        {
            return Ok(law);
        }
    }
    // Where all numbers are small a table is quicker than looking for a law.
    let is_small = largest.is_some_and(|largest| *largest <= BigInt::from(SMALL));
    let table = rules::law(&played.rules);
    let table = table.or_else(|| {
        let is_short = largest.is_some_and(|largest| *largest <= BigInt::from(SHORT));
        rows::law(&played.rules).filter(|_| is_short)
    });
    let table = table.filter(|law| {
        // A map of positions has room for so many only.
        let is_map = law
            .tables
            .iter()
            .any(|(_, of, _)| matches!(of, Type::Map(..)));
        let is_narrow = sizes.is_some_and(|sizes| sizes.span <= BigInt::from(NARROW));
        law.answers(question, alone) && (!is_map || is_narrow)
    });
    if let (Some(law), true) = (&table, is_small) {
        return Ok(law.clone());
    }
    let is_asked = matches!(question, Question::Outcome | Question::Value);
    if is_asked
        && played.parameters.is_empty()
        && let Some(law) = periodic::law(&played.rules, grounds, meter)
    {
        return Ok(law);
    }
    if is_asked
        && played.parameters.is_empty()
        && let Some(law) = automaton::law(&played.rules, grounds, meter)
        && law.answers(question, alone)
    {
        return Ok(law);
    }
    // A table up to a large number takes too long.
    if let (Some(law), true) = (
        table,
        largest.is_none_or(|largest| *largest <= BigInt::from(LARGE)),
    ) {
        return Ok(law);
    }
    Err(NoEmit::Game {
        game: played.rules.name.clone(),
        question,
    })
}

/// The law of a text, if it speaks of these rules.
fn read(text: &str, rules: &Ruleset) -> Option<Law> {
    let (head, body) = text.split_at(text.find("function ").unwrap_or(text.len()));
    // The comment of the first function stands above it.
    let above = head
        .trim_end_matches('\n')
        .rfind("\n\n")
        .map_or(head.len(), |end| end + 2);
    let (head, comment) = head.split_at(above);
    let mut play = Play::Normal;
    let mut games = Vec::new();
    let mut law = Law::default();
    for line in head.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let function = |rest: &str| match rest {
            "itself" => Answer::Itself,
            name => Answer::Function(name.to_owned()),
        };
        match word {
            "game" => {
                let game =
                    grundy::catalogue::find(rest).expect("laws speak of games that are there");
                games.push(game.text.to_owned());
            }
            "rules" => games.push(rest.replace("; ", "\n")),
            "play" => play = Play::Misere,
            "stands" => law.about.push(rest.to_owned()),
            "value" => law.value = Some(function(rest)),
            "outcome" => law.outcome = Some(function(rest)),
            "upto" => law.upto = rest.parse().ok(),
            "winning" => match rest.strip_prefix("one ") {
                Some(rest) => law.winning_one = Some(function(rest)),
                None => law.winning = Some(function(rest)),
            },
            "moves" => law.winning_count = Some(function(rest)),
            "below" => law.lost_below = Some(function(rest)),
            "first" => law.first_one = rest.strip_prefix("one ").map(function),
            "lost" => match rest.strip_prefix("sum ") {
                Some(rest) => law.lost_sum = Some(function(rest)),
                None => law.lost = Some(function(rest)),
            },
            "table" => {
                let (name, of) = rest.split_once(": ").expect("a table has a kind");
                let (of, content) = of.split_once(" = ").unwrap_or((of, ""));
                let entries = content
                    .split_whitespace()
                    .map(|n| Expr::number(n.parse::<u64>().unwrap_or(0)));
                let entries: Vec<Expr> = entries.collect();
                let first = (!entries.is_empty()).then(|| Expr {
                    term: super::program::Term::List(entries),
                    of: kind(of),
                });
                law.tables.push((name.to_owned(), kind(of), first));
            }
            "record" => {
                let (name, parts) = rest.split_once(": ").expect("a record has parts");
                let parts = parts.split(", ").map(|part| match part.split_once(' ') {
                    Some((name, of)) => (name.to_owned(), kind(of)),
                    None => (part.to_owned(), Type::Number),
                });
                law.records.push(Record {
                    name: name.to_owned(),
                    parts: parts.collect(),
                });
            }
            _ => {}
        }
    }
    let speaks = play == rules.play
        && games.iter().any(|game| {
            let game = parse(game).expect("laws speak of rules that can be read");
            skeleton(&game.with_play(play)) == skeleton(rules)
        });
    if !speaks {
        return None;
    }
    law.functions = functions(&format!("{comment}{body}"), prelude(), &law.records);
    if let (Some(Answer::Function(name)), _) | (None, Some(Answer::Function(name))) =
        (&law.value, &law.lost)
        && let Some(signature) = law.functions.iter().find(|known| known.called == *name)
    {
        let coordinates = rules.moves.first().and_then(|rule| rule.patterns.first());
        let arity = coordinates.map_or(1, |pattern| pattern.items.len());
        let parameters = signature.function.parameters.iter().take(arity);
        law.coordinates = parameters.map(|parameter| parameter.name.clone()).collect();
    }
    Some(law)
}

/// The rules without the names that people gave.
fn skeleton(rules: &Ruleset) -> Ruleset {
    let mut bare = rules.clone();
    bare.name.clear();
    bare.title = None;
    bare.short_form = None;
    bare.expectations.clear();
    bare.claims.clear();
    for parameter in &mut bare.parameters {
        parameter.name.clear();
        parameter.value = grundy_rules::ruleset::ParameterValue::Set(Vec::new());
    }
    if let Some(row) = &mut bare.row {
        row.name.clear();
    }
    let clear = |scope: &mut Scope| scope.names.iter_mut().for_each(|name| name.name.clear());
    for rule in &mut bare.moves {
        rule.label.clear();
        clear(&mut rule.scope);
    }
    bare.starts
        .iter_mut()
        .for_each(|start| clear(&mut start.scope));
    bare.endings
        .iter_mut()
        .for_each(|ending| clear(&mut ending.scope));
    bare
}

/// A law of heaps whose value a function gives.
pub(super) fn of_heaps(function: Signature, about: Vec<String>) -> Law {
    Law {
        about,
        value: Some(Answer::Function(function.called.clone())),
        functions: vec![function],
        ..Law::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_is_read_for_the_game_that_it_speaks_of() {
        for text in LAWS {
            let mut found = false;
            let play = if text.contains("play misere\n") {
                Play::Misere
            } else {
                Play::Normal
            };
            for line in text.lines() {
                let rules = match line.split_once(' ') {
                    Some(("game", name)) => {
                        grundy::catalogue::find(name).map(|game| game.text.to_owned())
                    }
                    Some(("rules", rules)) => Some(rules.replace("; ", "\n")),
                    _ => None,
                };
                let Some(rules) = rules else { continue };
                let rules = parse(&rules)
                    .expect("rules that can be read")
                    .with_play(play);
                let law = read(text, &rules).expect("it speaks of these rules");
                assert!(
                    law.answers(Question::Outcome, true) || law.answers(Question::Winning, true),
                    "{text}"
                );
                assert!(!law.about.is_empty(), "it stands on something: {text}");
                found = true;
            }
            assert!(found, "{text}");
        }
    }
}
