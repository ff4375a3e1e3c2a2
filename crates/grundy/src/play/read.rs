//! What a player writes, read as a move.

use std::cmp::Ordering;

use grundy_rules::moves::{Move, combined, most_at_once};
use grundy_rules::options::{RuleOption, normalise, options};
use grundy_rules::ruleset::{Comparison, Compound, Expr, Guard, MoveRule, Role, Ruleset, Variable};
use grundy_rules::{Component, Item, Limit, Meter, Position, parse_position};
use num_bigint::{BigInt, BigUint};

use super::{Round, position};
use crate::answer::as_move;
use crate::answer::reach::options_reaching;
use crate::argument::{self, ArgumentFault, Origin, Unreadable};
use crate::solve::{Part, after};

/// Why a text is no move here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveFault {
    /// A text has faults.
    Argument(ArgumentFault),
    /// So many moves were listed, and the number is none of theirs.
    NotListed {
        /// How many were listed.
        listed: usize,
    },
    /// The sum has no component of this number, counted from 1.
    NoComponent {
        /// The number as written.
        number: String,
        /// How many there are.
        components: usize,
    },
    /// The component is not what the text says.
    NotFrom {
        /// Its index.
        component: usize,
    },
    /// The component has no move of this label that leaves this; moves that it has.
    NoMove {
        /// Its index.
        component: usize,
        /// The label as written.
        label: Option<String>,
        /// Some moves of the component.
        instead: Vec<Move>,
    },
    /// Not just one move of the component has this label and these choices.
    Chosen {
        /// Its index.
        component: usize,
        /// The label as written.
        label: Option<String>,
        /// How many have.
        found: usize,
        /// Some of them, or some moves of the component.
        instead: Vec<Move>,
    },
    /// No single move leads there from here.
    NotReached {
        /// Some moves.
        instead: Vec<Move>,
    },
    /// A number names both a listed move and a position that another move leads to.
    TwoReadings {
        /// The number.
        number: usize,
        /// The listed move.
        listed: Box<Move>,
        /// The move to the position.
        reaching: Box<Move>,
    },
    /// A word stands behind the component that is neither a label nor what is left.
    Unfinished,
    /// Whether it is a move could not be found out within the limits.
    Limit(Limit),
}

impl From<Limit> for MoveFault {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// How many moves are offered instead of one that is none.
const OFFERED: usize = 4;

/// How many moves of each component are looked at, from either end, to find near ones.
const LOOKED_AT: usize = 64;

/// What a move says about one component.
struct Spoken {
    components: Vec<usize>,
    label: Option<String>,
    made: Made,
}

/// Which move of a component is meant.
enum Made {
    /// What it leaves.
    Left(Vec<Component>),
    /// The mover's choices, by name.
    Choices(Vec<(String, BigInt)>),
}

impl Round<'_> {
    /// The move that a text means: `heap 2 (7): take, leaving 3` as answers write it, where all but the
    /// number and what is left may be missing; `heap 2: split a=3` with the choices in place of what is left; the
    /// position it leads to; or the number of a listed move.
    ///
    /// `#3` is a number and `= 3` a position where both are possible.
    pub fn read(&self, text: &str, meter: &mut Meter) -> Result<Move, MoveFault> {
        let text = text.trim();
        if let Some(number) = text.strip_prefix('#') {
            return self.numbered(number.trim()).cloned();
        }
        if let Some(position) = text.strip_prefix('=') {
            return self.reaching(position.trim(), meter);
        }
        if component_word(text).is_some() {
            return self.spoken(text, meter);
        }
        let is_sentence = [" into ", "leaving ", "="]
            .iter()
            .any(|word| text.contains(word));
        if self.sum.len() == 1 && is_sentence {
            return self.spoken(&format!("component 1: {text}"), meter);
        }
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || self.listed.is_empty() {
            return self.reaching(text, meter);
        }
        match (self.numbered(text), self.reaching(text, meter)) {
            (Ok(listed), Ok(reaching))
                if after(&self.sum, listed) != after(&self.sum, &reaching) =>
            {
                Err(MoveFault::TwoReadings {
                    number: text.parse().unwrap_or_default(),
                    listed: Box::new(listed.clone()),
                    reaching: Box::new(reaching),
                })
            }
            (Ok(listed), _) => Ok(listed.clone()),
            (Err(_), Ok(reaching)) => Ok(reaching),
            (Err(fault), Err(_)) => Err(fault),
        }
    }

    fn numbered(&self, text: &str) -> Result<&Move, MoveFault> {
        let index = text.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        let found = index.and_then(|index| self.listed.get(index));
        found.ok_or(MoveFault::NotListed {
            listed: self.listed.len(),
        })
    }

    /// The move to a position.
    fn reaching(&self, text: &str, meter: &mut Meter) -> Result<Move, MoveFault> {
        let wanted = self.position_of(text)?;
        let found = if self.is_together() {
            self.together_to(&wanted, meter)?
        } else if self.games.iter().any(grundy_rules::moves::is_joint) {
            self.listed_to(&wanted, meter)?
        } else {
            self.alone_to(&wanted, meter)?
        };
        match found {
            Some(next) => Ok(next),
            None => Err(MoveFault::NotReached {
                instead: self.near(&wanted, meter)?,
            }),
        }
    }

    /// Some moves to offer whose results are near a position.
    fn near(&self, wanted: &[Part], meter: &mut Meter) -> Result<Vec<Move>, Limit> {
        if self.sum.len() > LOOKED_AT {
            return self.offered(None, meter);
        }
        let mut moves = self.choice(LOOKED_AT, meter)?.moves;
        let wanted = numbers_of(wanted);
        moves.sort_by_cached_key(|next| distance(&wanted, &numbers_of(&after(&self.sum, next))));
        moves.truncate(OFFERED);
        Ok(moves)
    }

    /// The components of a position as it is written, without the completions that `start` makes.
    fn position_of(&self, text: &str) -> Result<Vec<Part>, MoveFault> {
        let parts = match self.games {
            [game] => written(text, game)?
                .0
                .into_iter()
                .map(|component| Part { game: 0, component })
                .collect(),
            games => {
                let mut parts = Vec::new();
                let (play, mut meter) = (
                    games.first().map(|game| game.play),
                    Meter::new(crate::solve::LITTLE),
                );
                let refused: &argument::Read = &|_| Err(Unreadable::Refused);
                if text != "nothing" {
                    let sum = argument::sum(text, play, refused, &mut meter)
                        .map_err(MoveFault::Argument)?;
                    for part in sum.parts {
                        let game = &sum.games[part.game];
                        let known = |own: &Ruleset| {
                            argument::name(own) == argument::name(game) && own.moves == game.moves
                        };
                        match games.iter().position(known) {
                            Some(game) => parts.push(Part { game, ..part }),
                            None => {
                                return Err(MoveFault::NotReached {
                                    instead: self.offered(None, &mut meter)?,
                                });
                            }
                        }
                    }
                }
                parts
            }
        };
        Ok(parts)
    }

    /// The move of one component after which the sum is this one, in any order.
    fn alone_to(&self, wanted: &[Part], meter: &mut Meter) -> Result<Option<Move>, Limit> {
        let (mut old, mut new): (Vec<&Part>, Vec<&Part>) =
            (self.sum.iter().collect(), wanted.iter().collect());
        old.sort();
        new.sort();
        let (gone, come) = difference(&old, &new);
        let movers: Vec<&Part> = match gone.as_slice() {
            [one] => vec![one],
            [] => {
                let mut all = old.clone();
                all.dedup();
                all
            }
            _ => return Ok(None),
        };
        for mover in movers {
            meter.spend(1)?;
            // What is written in place of the mover.
            let mut left: Vec<&Part> = come.clone();
            if gone.is_empty() {
                left.push(mover);
            }
            if left.iter().any(|part| part.game != mover.game) {
                continue;
            }
            let left: Vec<Component> = left.iter().map(|part| part.component.clone()).collect();
            let game = &self.games[mover.game];
            let Some(option) = options_reaching(game, &mover.component, &left, meter)?
                .into_iter()
                .next()
            else {
                continue;
            };
            // Of equal components, the one in whose place something else is written.
            let place = self.sum.iter().position(|part| part == mover);
            let differs = |index: &usize| {
                self.sum[*index] == *mover && wanted.get(*index) != Some(&self.sum[*index])
            };
            let place = (0..self.sum.len()).find(differs).or(place);
            let index = place.expect("the mover is one of the components");
            return Ok(Some(as_move(game, index, &mover.component, option)));
        }
        Ok(None)
    }

    /// The move of several components at once after which each is the one in its place.
    fn together_to(&self, wanted: &[Part], meter: &mut Meter) -> Result<Option<Move>, Limit> {
        if wanted.len() != self.sum.len() {
            return self.listed_to(wanted, meter);
        }
        let game = &self.games[0];
        let mut taken: Vec<(usize, RuleOption)> = Vec::new();
        for (index, (old, new)) in self.sum.iter().zip(wanted).enumerate() {
            if old == new {
                let may_stay = match &game.compound {
                    Compound::Conjunctive => false,
                    Compound::ConjunctiveContinued => !self.can_move(old, meter)?,
                    _ => true,
                };
                if !may_stay {
                    return self.listed_to(wanted, meter);
                }
                continue;
            }
            let left = std::slice::from_ref(&new.component);
            let options = options_reaching(game, &old.component, left, meter)?;
            match options.into_iter().next() {
                Some(option) => taken.push((index, option)),
                None => return self.listed_to(wanted, meter),
            }
        }
        let most = match &game.compound {
            Compound::Selective { scope, at_most } => {
                most_at_once(game, scope, at_most.as_ref(), meter)?
            }
            _ => usize::MAX,
        };
        if taken.is_empty() || taken.len() > most {
            return Ok(None);
        }
        let taken: Vec<(usize, &RuleOption)> = taken.iter().map(|(i, o)| (*i, o)).collect();
        Ok(Some(combined(game, &position(&self.sum), &taken)))
    }

    /// The move after which the sum is this one, of all moves.
    fn listed_to(&self, wanted: &[Part], meter: &mut Meter) -> Result<Option<Move>, Limit> {
        let mut wanted = wanted.to_vec();
        wanted.sort();
        for next in super::all_moves(self.games, &self.sum, meter)? {
            let mut result = after(&self.sum, &next);
            result.sort();
            if result == wanted {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// The move that a sentence says, or several with `;` between them, for components that move at once.
    fn spoken(&self, text: &str, meter: &mut Meter) -> Result<Move, MoveFault> {
        let text = match text.rfind('[') {
            Some(at) if text.ends_with(" ways]") => text[..at].trim_end(),
            _ => text,
        };
        let mut said = Vec::new();
        for sentence in text.split(';') {
            said.push(self.sentence(sentence.trim())?);
        }
        if let [one] = said.as_slice()
            && let [index] = one.components.as_slice()
            && !self.is_together()
            && !self.games.iter().any(grundy_rules::moves::is_joint)
        {
            return self.of_component(*index, one, meter);
        }
        // A move of several components is known by where it leads.
        let mut wanted: Vec<Part> = Vec::new();
        for (index, part) in self.sum.iter().enumerate() {
            match said.iter().find(|one| one.components.contains(&index)) {
                None => wanted.push(part.clone()),
                Some(one) if one.components.first() == Some(&index) => {
                    let Made::Left(left) = &one.made else {
                        return Err(MoveFault::Unfinished);
                    };
                    wanted.extend(left.iter().map(|component| Part {
                        game: part.game,
                        component: component.clone(),
                    }));
                }
                Some(_) => {}
            }
        }
        let found = if self.is_together() {
            self.together_to(&wanted, meter)?
        } else {
            self.listed_to(&wanted, meter)?
        };
        match found {
            Some(next) => Ok(next),
            None => Err(MoveFault::NotReached {
                instead: self.offered(None, meter)?,
            }),
        }
    }

    fn of_component(
        &self,
        index: usize,
        said: &Spoken,
        meter: &mut Meter,
    ) -> Result<Move, MoveFault> {
        let part = &self.sum[index];
        let game = &self.games[part.game];
        let left = match &said.made {
            Made::Left(left) => left.clone(),
            Made::Choices(choices) => self.chosen(index, said.label.as_deref(), choices, meter)?,
        };
        let options = options_reaching(game, &part.component, &left, meter)?;
        let is_said = |option: &RuleOption| {
            let label = game.moves[option.rule].label.as_str();
            said.label.as_deref().is_none_or(|said| said == label)
        };
        match options.into_iter().find(is_said) {
            Some(option) => Ok(as_move(game, index, &part.component, option)),
            None => Err(MoveFault::NoMove {
                component: index,
                label: said.label.clone(),
                instead: self.offered(Some(index), meter)?,
            }),
        }
    }

    /// What the only move of a component with some choices leaves.
    fn chosen(
        &self,
        index: usize,
        label: Option<&str>,
        choices: &[(String, BigInt)],
        meter: &mut Meter,
    ) -> Result<Vec<Component>, MoveFault> {
        let part = &self.sum[index];
        let game = &self.games[part.game];
        let mut narrowed = game.clone();
        narrowed.expectations.clear();
        narrowed.claims.clear();
        narrowed.moves.retain_mut(|rule| {
            label.is_none_or(|label| rule.label == label)
                && choices.iter().all(|(name, value)| fix(rule, name, value))
        });
        let mut found: Vec<Move> = options(&narrowed, &part.component, meter)?
            .into_iter()
            .map(|option| as_move(&narrowed, index, &part.component, option))
            .collect();
        if let [one] = found.as_slice() {
            return Ok(one.changes[0].to.clone());
        }
        Err(MoveFault::Chosen {
            component: index,
            label: label.map(str::to_owned),
            found: found.len(),
            instead: if found.is_empty() {
                self.offered(Some(index), meter)?
            } else {
                found.truncate(OFFERED);
                found
            },
        })
    }

    /// One sentence: `heap 2 (7) and heap 3 (1): merge, leaving 8`.
    fn sentence(&self, text: &str) -> Result<Spoken, MoveFault> {
        let mut rest = text;
        let mut components = Vec::new();
        loop {
            let behind = component_word(rest).ok_or(MoveFault::Unfinished)?;
            let digits = behind.len()
                - behind
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .len();
            let number = behind[..digits].parse::<usize>().ok();
            let index = number.and_then(|number| number.checked_sub(1));
            let index = index.filter(|index| *index < self.sum.len());
            let index = index.ok_or_else(|| MoveFault::NoComponent {
                number: behind[..digits].to_owned(),
                components: self.sum.len(),
            })?;
            rest = behind[digits..].trim_start();
            if let Some(inner) = rest.strip_prefix('(') {
                let (from, behind) = inner.split_once(')').ok_or(MoveFault::Unfinished)?;
                let part = &self.sum[index];
                let from = written(from, &self.games[part.game])?;
                if from.0.as_slice() != std::slice::from_ref(&part.component) {
                    return Err(MoveFault::NotFrom { component: index });
                }
                rest = behind.trim_start();
            }
            components.push(index);
            match rest.strip_prefix("and ") {
                Some(behind) => rest = behind.trim_start(),
                None => break,
            }
        }
        rest = rest.strip_prefix(':').unwrap_or(rest).trim_start();
        // Labels hold no white space.
        let words = [", leaving ", "leaving ", " leaving ", " into ", "into "];
        let found = words
            .iter()
            .filter_map(|word| Some((rest.find(word)?, word)));
        let Some((at, word)) = found.min_by_key(|(at, word)| (*at, usize::MAX - word.len())) else {
            let (label, choices) = label_and_choices(rest).ok_or(MoveFault::Unfinished)?;
            return Ok(Spoken {
                components,
                label,
                made: Made::Choices(choices),
            });
        };
        let label = rest[..at].trim();
        let left = rest[at + word.len()..].trim();
        let game = &self.games[self.sum[components[0]].game];
        let mut parts = Vec::new();
        if left != "nothing" {
            for one in left.split(" + ") {
                parts.extend(written(one.trim(), game)?.0);
            }
        }
        components.dedup();
        Ok(Spoken {
            components,
            label: (!label.is_empty()).then(|| label.to_owned()),
            made: Made::Left(parts),
        })
    }

    /// Some moves to offer, of one component or of all.
    fn offered(&self, component: Option<usize>, meter: &mut Meter) -> Result<Vec<Move>, Limit> {
        let choice = match component {
            Some(index) if !self.is_together() => {
                let alone = Round::new(self.games, vec![self.sum[index].clone()]);
                let mut choice = alone.choice(OFFERED, meter)?;
                let changes = choice.moves.iter_mut().flat_map(|next| &mut next.changes);
                changes.for_each(|change| change.component = index);
                choice
            }
            _ => self.choice(OFFERED, meter)?,
        };
        let mut moves = choice.moves;
        moves.truncate(OFFERED);
        Ok(moves)
    }
}

/// Binds a choice of a rule to a number; tells whether the rule has a choice of this name.
fn fix(rule: &mut MoveRule, name: &str, value: &BigInt) -> bool {
    let mut names = rule.scope.names.iter();
    let choice = names.position(|own| own.role == Role::Choice && own.name == name);
    let Some(choice) = choice else {
        return false;
    };
    let mut all = match std::mem::replace(&mut rule.guard, Guard::All(Vec::new())) {
        Guard::All(guards) => guards,
        guard => vec![guard],
    };
    all.push(Guard::Compare(
        Comparison::Equal,
        Expr::Variable(Variable(choice)),
        Expr::Number(value.clone()),
    ));
    rule.guard = match all.len() {
        1 => all.swap_remove(0),
        _ => Guard::All(all),
    };
    true
}

/// A label, which may be missing, and choices: `split a=3, b=4`.
#[allow(clippy::type_complexity, reason = "a label and the choices behind it")]
fn label_and_choices(text: &str) -> Option<(Option<String>, Vec<(String, BigInt)>)> {
    let between = |sign: char| sign == ',' || sign.is_whitespace();
    let mut label = None;
    let mut choices = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('=') {
        let mut words = before.split(between).filter(|word| !word.is_empty());
        let name = words.next_back()?;
        let front = words.next();
        if words.next().is_some() || front.is_some() && !choices.is_empty() {
            return None;
        }
        label = label.or_else(|| front.map(|label| label.trim_end_matches(':').to_owned()));
        let behind = behind.trim_start();
        let end = behind.find(between).unwrap_or(behind.len());
        choices.push((name.to_owned(), behind[..end].parse().ok()?));
        rest = &behind[end..];
    }
    let is_all = rest.chars().all(between) && !choices.is_empty();
    is_all.then_some((label, choices))
}

/// A position as it is written, each component in its normal form.
fn written(text: &str, game: &Ruleset) -> Result<Position, MoveFault> {
    let position = parse_position(text, game).map_err(|fault| {
        MoveFault::Argument(ArgumentFault::Text {
            origin: Origin::Argument,
            text: text.to_owned(),
            faults: vec![fault],
        })
    })?;
    let components = position.0.into_iter();
    Ok(Position(
        components.map(|one| normalise(game, one)).collect(),
    ))
}

/// What stands behind the word for a component that begins a text.
fn component_word(text: &str) -> Option<&str> {
    ["heap ", "row ", "component "]
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .map(str::trim_start)
}

/// All numbers of a position, in order.
fn numbers_of(sum: &[Part]) -> Vec<&BigUint> {
    let mut all = Vec::new();
    let items = sum.iter().flat_map(|part| &part.component.0);
    let mut open: Vec<&Item> = items.collect();
    open.reverse();
    while let Some(item) = open.pop() {
        match item {
            Item::Number(n) => all.push(n),
            Item::List(list) => open.extend(list.0.iter().rev()),
        }
    }
    all
}

/// How far two lists of numbers are apart: in length, in how many places, and by how much.
fn distance(a: &[&BigUint], b: &[&BigUint]) -> (usize, usize, BigUint) {
    let pairs = a.iter().zip(b).filter(|(a, b)| a != b);
    let apart: Vec<BigUint> = pairs
        .map(|(a, b)| if a < b { *b - *a } else { *a - *b })
        .collect();
    (a.len().abs_diff(b.len()), apart.len(), apart.iter().sum())
}

/// What only the first and what only the second of two sorted lists holds.
fn difference<'p>(old: &[&'p Part], new: &[&'p Part]) -> (Vec<&'p Part>, Vec<&'p Part>) {
    let (mut i, mut j) = (0, 0);
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    loop {
        let order = match (old.get(i), new.get(j)) {
            (None, None) => return (gone, come),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => a.cmp(b),
        };
        match order {
            Ordering::Less => gone.push(old[i]),
            Ordering::Greater => come.push(new[j]),
            Ordering::Equal => {}
        }
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
    }
}
