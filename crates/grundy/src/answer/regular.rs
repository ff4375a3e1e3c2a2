//! Answers from a law that an automaton decides: fix the digits of the position, and follow what is left.

use std::cell::{Cell, OnceCell};

use grundy_automata::{DigitOrder, Meter as AutomataMeter, Relation};
use grundy_certificate::automatic::AutomatonLaw;
use grundy_rules::moves::Move;
use grundy_rules::options::{RuleOption, numbers};
use grundy_rules::ruleset::Role;
use grundy_rules::{Component, Limit, Meter, Position, Ruleset};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

use super::completions::{Completions, Numbers};
use super::relation::{BUDGET, MOST_EXPONENT, relation_of, says_of};
use super::{Knowledge, MoveSet, as_move};
use crate::discover::{Found, Scope};
use crate::oracle::has_values;
use crate::outcome::{Evidence, Outcome};
use crate::proof::automatic::{Game, Says, Turn, permutations, turns};

/// A law that an automaton decides, and how it is known.
#[derive(Clone)]
pub struct Regular<'g> {
    ruleset: &'g Ruleset,
    scope: Scope,
    says: Says,
    relation: Relation,
    judged: DigitOrder,
    evidence: Evidence,
    /// The winning moves, made when they are first asked for.
    turns: OnceCell<Option<Vec<Turn>>>,
    /// Whether counting the winning moves of some position was too much work: it is not tried again.
    is_too_large: Cell<bool>,
}

impl<'g> Regular<'g> {
    /// A law of a game that was found, known in this way.
    pub fn new(ruleset: &'g Ruleset, found: &Found, evidence: Evidence) -> Self {
        Self {
            ruleset,
            scope: found.scope,
            says: found.says,
            relation: found.relation.clone(),
            judged: found.judged,
            evidence,
            turns: OnceCell::new(),
            is_too_large: Cell::new(false),
        }
    }

    /// A law of a game that was proved.
    pub fn proved(ruleset: &'g Ruleset, law: &AutomatonLaw, evidence: Evidence) -> Option<Self> {
        let says = says_of(law);
        let relation = relation_of(law)?;
        Some(Self {
            ruleset,
            scope: Scope {
                coordinates: law.arity,
                components: match says {
                    Says::Lost { components } => components,
                    _ => 1,
                },
            },
            says,
            judged: relation.encoding().order,
            relation,
            evidence,
            turns: OnceCell::new(),
            is_too_large: Cell::new(false),
        })
    }

    /// What components it speaks of.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// What it says.
    pub fn says(&self) -> Says {
        self.says
    }

    /// The relation that it is.
    pub fn relation(&self) -> &Relation {
        &self.relation
    }

    /// The winning moves, as far as they can be counted.
    fn turns(&self) -> Option<&[Turn]> {
        if self.is_too_large.get() {
            return None;
        }
        let made = self.turns.get_or_init(|| {
            let mut meter = AutomataMeter::new(BUDGET);
            let game = Game::new(self.ruleset, self.scope.coordinates).ok()?;
            let is_read_so = self.relation.encoding().order == self.judged;
            let law = if is_read_so {
                self.relation.clone()
            } else {
                self.relation.reversed(&mut meter).ok()?
            };
            turns(self.ruleset, &game, self.says, &law, &mut meter).ok()?
        });
        made.as_deref()
    }

    /// The numbers of a component of this law.
    fn numbers(&self, component: &Component) -> Option<Vec<BigUint>> {
        let mut numbers: Vec<BigUint> = numbers(component)?.into_iter().cloned().collect();
        if self.ruleset.unordered {
            numbers.sort();
        }
        (numbers.len() == self.scope.coordinates).then_some(numbers)
    }

    /// The numbers of all components, if there are as many as the law speaks of.
    fn position(&self, position: &Position) -> Option<Vec<BigUint>> {
        let all: Option<Vec<_>> = position.0.iter().map(|part| self.numbers(part)).collect();
        let all = all.filter(|all| all.len() == self.scope.components)?;
        Some(all.concat())
    }
}

impl Knowledge for Regular<'_> {
    fn evidence(&self) -> Evidence {
        self.evidence.clone()
    }

    fn value(&self, component: &Component) -> Option<BigUint> {
        if !self.says.has_value() {
            return None;
        }
        let given = self.numbers(component)?.into_iter().map(Some);
        let given = given.chain([None]).collect();
        let mut meter = AutomataMeter::new(BUDGET);
        let completions = Completions::new(&self.relation, given, &mut meter).ok()?;
        let value = completions.numbers(self.scope.coordinates).next()?;
        Some(match self.says {
            Says::PowerOfValue => BigUint::from(value.bits() - 1),
            _ => value,
        })
    }

    fn moves_to(
        &self,
        component: &Component,
        target: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<RuleOption> + '_>>, Limit> {
        let target = match self.says {
            Says::Value => Some(target.clone()),
            Says::PowerOfValue => {
                let exponent = target.to_u64().filter(|value| *value < MOST_EXPONENT);
                exponent.map(|exponent| BigUint::one() << exponent)
            }
            Says::Lost { .. } => None,
        };
        let (Some(target), Some(numbers), Some(turns)) =
            (target, self.numbers(component), self.turns())
        else {
            return Ok(None);
        };
        let before = [numbers.as_slice(), &[target]].concat();
        let turning = Turning::new(self.ruleset, turns, 0, before, numbers);
        if turning.is_doubtful() {
            return Ok(None);
        }
        let known = turning.count(meter)?;
        self.is_too_large.set(known.is_none());
        Ok(known.map(|known| Box::new(InComponent { turning, known }) as Box<_>))
    }

    fn outcome(&self, position: &Position, _meter: &mut Meter) -> Result<Option<Outcome>, Limit> {
        if self.says.has_value() || position.0.is_empty() {
            return Ok(None);
        }
        // A sum of components that each are lost is lost, where values decide sums.
        if self.scope.components == 1 && position.0.len() > 1 {
            let lost = |part: &Component| {
                let numbers = self.numbers(part)?;
                Some(self.relation.contains(&numbers))
            };
            let all: Option<Vec<bool>> = position.0.iter().map(lost).collect();
            let summed = has_values(self.ruleset).is_ok();
            return Ok(all
                .filter(|all| summed && all.iter().filter(|lost| !**lost).count() <= 1)
                .map(|all| {
                    if all.contains(&false) {
                        Outcome::N
                    } else {
                        Outcome::P
                    }
                }));
        }
        Ok(self.position(position).map(|numbers| {
            if self.relation.contains(&numbers) {
                Outcome::P
            } else {
                Outcome::N
            }
        }))
    }

    fn winning_moves(
        &self,
        position: &Position,
        meter: &mut Meter,
    ) -> Result<Option<Box<dyn MoveSet<Move> + '_>>, Limit> {
        if self.says.has_value() {
            return Ok(None);
        }
        let (Some(all), Some(turns)) = (self.position(position), self.turns()) else {
            return Ok(None);
        };
        let (arity, mut parts) = (self.scope.coordinates, Vec::new());
        for index in 0..position.0.len() {
            let numbers = all[index * arity..][..arity].to_vec();
            let turning = Turning::new(self.ruleset, turns, index, all.clone(), numbers);
            let Some(known) = turning.count(meter)? else {
                self.is_too_large.set(true);
                return Ok(None);
            };
            parts.push(InComponent { turning, known });
        }
        Ok(Some(Box::new(Whole {
            ruleset: self.ruleset,
            position: position.clone(),
            parts,
        })))
    }

    fn lost_below(&self, end: &BigUint, meter: &mut Meter) -> Result<Option<BigUint>, Limit> {
        if self.scope
            != (Scope {
                coordinates: 1,
                components: 1,
            })
        {
            return Ok(None);
        }
        let nothing = match self.says {
            Says::Value => Some(BigUint::zero()),
            Says::PowerOfValue => Some(BigUint::one()),
            Says::Lost { .. } => None,
        };
        let mut automata = AutomataMeter::new(BUDGET);
        let lost = match nothing {
            Some(value) => self.relation.restrict(1, &value, &mut automata).ok(),
            None => Some(self.relation.clone()),
        };
        meter.spend(end.bits())?;
        Ok(lost.and_then(|lost| {
            lost.count_below(std::slice::from_ref(end), &mut automata)
                .ok()
        }))
    }
}

/// The winning moves in one component.
struct Turning<'k> {
    ruleset: &'k Ruleset,
    turns: &'k [Turn],
    /// Which component is moved in.
    moved: usize,
    /// What is known before the move.
    before: Vec<BigUint>,
    /// The component.
    numbers: Vec<BigUint>,
}

impl<'k> Turning<'k> {
    fn new(
        ruleset: &'k Ruleset,
        turns: &'k [Turn],
        moved: usize,
        before: Vec<BigUint>,
        numbers: Vec<BigUint>,
    ) -> Self {
        Self {
            ruleset,
            turns,
            moved,
            before,
            numbers,
        }
    }

    /// The completions of these numbers by what a relation has more.
    fn completions<'r>(relation: &'r Relation, known: &[BigUint]) -> Option<Completions<'r>> {
        let free = relation.tracks() - known.len();
        let given = known.iter().cloned().map(Some);
        let given = given.chain(std::iter::repeat_n(None, free)).collect();
        Completions::new(relation, given, &mut AutomataMeter::new(BUDGET)).ok()
    }

    /// Whether there are choices of which it is not known whether they win.
    fn is_doubtful(&self) -> bool {
        let mut all = self.turns.iter().filter_map(|turn| turn.doubtful.as_ref());
        all.any(|doubtful| {
            Self::completions(doubtful, &self.before).is_none_or(|some| some.exists())
        })
    }

    /// How many choices win; `None` where automata for that are too large, so that other knowledge is asked.
    fn count(&self, meter: &mut Meter) -> Result<Option<BigUint>, Limit> {
        let mut count = BigUint::zero();
        for turn in self.turns {
            meter.spend(self.before.iter().map(BigUint::bits).sum())?;
            let wins = Self::completions(&turn.wins[self.moved], &self.before);
            let more = wins.and_then(|wins| wins.count(&mut AutomataMeter::new(BUDGET)).ok());
            let Some(more) = more else {
                return Ok(None);
            };
            count += more;
        }
        Ok(Some(count))
    }

    /// The option that choices make.
    fn option(&self, turn: &Turn, choices: &[BigUint]) -> Option<RuleOption> {
        let known = [self.numbers.as_slice(), choices].concat();
        let made = Self::completions(&turn.made, &known)?;
        let tracks: Vec<usize> = (known.len()..turn.made.tracks()).collect();
        let left = made
            .least(&tracks, &mut AutomataMeter::new(BUDGET))
            .ok()??;
        Some(self.written(turn, choices, &left))
    }

    /// The option by the parts that it leaves, written as the rule writes them.
    fn written(&self, turn: &Turn, choices: &[BigUint], left: &[BigUint]) -> RuleOption {
        let names = self.ruleset.moves[turn.rule].scope.names.iter();
        let names = names.filter(|name| name.role == Role::Choice);
        RuleOption {
            rule: turn.rule,
            result: self.components(left, turn.parts),
            choices: names
                .map(|name| name.name.clone())
                .zip(choices.iter().cloned().map(BigInt::from))
                .collect(),
            ways: self.ways(turn, left),
        }
    }

    fn components(&self, numbers: &[BigUint], parts: usize) -> Vec<Component> {
        let arity = self.numbers.len();
        (0..parts)
            .map(|part| Component::of_numbers(numbers[part * arity..][..arity].iter().cloned()))
            .collect()
    }

    /// In how many ways choices under the same label leave these parts.
    fn ways(&self, turn: &Turn, left: &[BigUint]) -> u64 {
        let arity = self.numbers.len();
        let mut orders: Vec<Vec<BigUint>> = permutations(turn.parts)
            .into_iter()
            .map(|order| {
                let part = |part: usize| left[part * arity..][..arity].to_vec();
                order.into_iter().flat_map(part).collect()
            })
            .collect();
        orders.sort();
        orders.dedup();
        let label = |turn: &Turn| &self.ruleset.moves[turn.rule].label;
        let same = |other: &&Turn| label(other) == label(turn) && other.parts == turn.parts;
        let mut ways = BigUint::zero();
        for other in self.turns.iter().filter(same) {
            for left in &orders {
                let given = self.numbers.iter().cloned().map(Some);
                let given = given.chain(std::iter::repeat_n(None, other.choices));
                let given = given.chain(left.iter().cloned().map(Some)).collect();
                let mut meter = AutomataMeter::new(BUDGET);
                let found = Completions::new(&other.made, given, &mut meter);
                let count = found.and_then(|found| found.count(&mut meter));
                ways += count.unwrap_or_default();
            }
        }
        ways.to_u64().unwrap_or(u64::MAX).max(1)
    }

    /// The options in order: rule, alternative, choices ascending.
    fn options(&self) -> impl Iterator<Item = RuleOption> + '_ {
        self.turns.iter().flat_map(move |turn| {
            let choices = Choices::new(&turn.wins[self.moved], &self.before);
            choices.filter_map(move |choices| self.option(turn, &choices))
        })
    }

    /// The option that leaves the least parts, as the rules write them.
    fn least(&self) -> Option<RuleOption> {
        let of_turn = |turn: &Turn| {
            let mut meter = AutomataMeter::new(BUDGET);
            let leaves = &turn.leaves[self.moved];
            let tracks: Vec<usize> = (self.before.len()..leaves.tracks()).collect();
            let left = Self::completions(leaves, &self.before)?;
            let left = left.least(&tracks, &mut meter).ok()??;
            let given = self.numbers.iter().cloned().map(Some);
            let given = given.chain(std::iter::repeat_n(None, turn.choices));
            let given = given.chain(left.iter().cloned().map(Some)).collect();
            let first = self.numbers.len();
            let tracks: Vec<usize> = (first..first + turn.choices).collect();
            let choices = Completions::new(&turn.made, given, &mut meter).ok()?;
            let choices = choices.least(&tracks, &mut meter).ok()??;
            Some(self.written(turn, &choices, &left))
        };
        let all = self.turns.iter().filter_map(of_turn);
        all.min_by(|a, b| a.result.cmp(&b.result))
    }
}

/// The tuples of numbers that complete a tuple, in lexicographic order.
struct Choices<'r> {
    relation: &'r Relation,
    known: Vec<BigUint>,
    /// For each number chosen, those that come after it.
    stack: Vec<Numbers<'r>>,
    chosen: Vec<BigUint>,
    begun: bool,
}

impl<'r> Choices<'r> {
    fn new(relation: &'r Relation, known: &[BigUint]) -> Self {
        Self {
            relation,
            known: known.to_vec(),
            stack: Vec::new(),
            chosen: Vec::new(),
            begun: false,
        }
    }

    fn completions(&self) -> Option<Completions<'r>> {
        let known = [self.known.as_slice(), &self.chosen].concat();
        Turning::completions(self.relation, &known)
    }
}

impl Iterator for Choices<'_> {
    type Item = Vec<BigUint>;

    fn next(&mut self) -> Option<Vec<BigUint>> {
        let choices = self.relation.tracks() - self.known.len();
        if !self.begun {
            self.begun = true;
            let all = self.completions()?;
            if choices == 0 {
                return all.exists().then(Vec::new);
            }
            self.stack.push(all.numbers(self.known.len()));
        }
        while let Some(top) = self.stack.last_mut() {
            let next = top.next();
            let depth = self.stack.len();
            self.chosen.truncate(depth - 1);
            match next {
                None => {
                    self.stack.pop();
                }
                Some(number) => {
                    self.chosen.push(number);
                    if depth == choices {
                        return Some(self.chosen.clone());
                    }
                    let rest = self.completions()?;
                    self.stack.push(rest.numbers(self.known.len() + depth));
                }
            }
        }
        None
    }
}

/// The winning moves in one component, counted.
struct InComponent<'k> {
    turning: Turning<'k>,
    known: BigUint,
}

impl MoveSet<RuleOption> for InComponent<'_> {
    fn count(&self) -> Option<BigUint> {
        Some(self.known.clone())
    }

    fn iter(&self) -> Box<dyn Iterator<Item = RuleOption> + '_> {
        Box::new(self.turning.options())
    }

    fn least(&self) -> Option<RuleOption> {
        self.turning.least()
    }
}

/// The winning moves of a whole position.
struct Whole<'k> {
    ruleset: &'k Ruleset,
    position: Position,
    parts: Vec<InComponent<'k>>,
}

impl Whole<'_> {
    fn as_move(&self, component: usize, option: RuleOption) -> Move {
        as_move(self.ruleset, component, &self.position.0[component], option)
    }
}

impl MoveSet<Move> for Whole<'_> {
    fn count(&self) -> Option<BigUint> {
        Some(self.parts.iter().map(|part| &part.known).sum())
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Move> + '_> {
        Box::new(self.parts.iter().enumerate().flat_map(move |(at, part)| {
            let options = part.turning.options();
            options.map(move |option| self.as_move(at, option))
        }))
    }

    fn least(&self) -> Option<Move> {
        let all = self.parts.iter().enumerate().filter_map(|(at, part)| {
            let option = part.turning.least()?;
            let mut after: Vec<Component> = self.position.0[..at].to_vec();
            after.extend(option.result.iter().cloned());
            after.extend(self.position.0[at + 1..].iter().cloned());
            Some((after, self.as_move(at, option)))
        });
        let least = all.min_by(|a, b| a.0.cmp(&b.0));
        least.map(|(_, next)| next)
    }
}
