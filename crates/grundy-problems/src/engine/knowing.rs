//! The engine that answers at full limits: a proved law, a theorem, or a fast table.

use std::collections::HashMap;

use grundy::answer::learn::{Shelf, learn};
use grundy::answer::{Lawful, MoveSet, as_move};
use grundy::count::{NoCount, Question, count};
use grundy::law::Sequence;
use grundy::outcome::{Evidence, Outcome};
use grundy::shape::{Form, Shape};
use grundy::solve::{Part, Query, Solver, Wanted};
use grundy_rules::moves::Move;
use grundy_rules::options::RuleOption;
use grundy_rules::{Limit, Meter, Ruleset};
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use super::search::{Lengths, all_moves};
use super::{Engine, check_sum, check_values, have_values, leaves_less};
use crate::failure::{Failure, Open};
use crate::games::Library;
use crate::value::{Sum, Which};

/// Answers from what is known of a game at any size, and otherwise from tables that grow with what
/// is asked.
///
/// Heaps of one number come from a table while that costs little. Only then is a law looked for,
/// and where there is none the table grows on.
pub struct Knowing<'g> {
    library: &'g Library,
    shelf: &'g dyn Shelf,
    rules: Vec<&'g Ruleset>,
    games: Vec<Game<'g>>,
    /// Sums of several games that values do not decide.
    mixed: HashMap<Vec<usize>, Solver<'g>>,
    lengths: Lengths,
}

/// What is known of one game.
struct Game<'g> {
    rules: &'g Ruleset,
    /// Whether its components are heaps of one number whose values decide it.
    is_heaps: bool,
    solver: Solver<'g>,
    /// The values of heaps in order, for the rules that it is quick for.
    sequence: Option<Sequence<'g>>,
    /// How far a law was looked for, if none was found.
    looked: u64,
    law: Option<Lawful<'g>>,
    evidence: Vec<Evidence>,
    /// Which knowledge gave the last value.
    last: Option<usize>,
    /// The largest heap that was looked up in the table.
    largest: Option<u64>,
}

/// How many steps a table may cost before a law is looked for.
const LITTLE: u64 = 1 << 22;
/// How many steps it may cost to look for a law.
const LOOK: u64 = 1 << 25;
/// So many heaps are looked at one by one rather than counted by a law.
const FEW: u32 = 1000;
/// The least heap up to which a law is looked for.
const LEAST_LOOK: u64 = 5_000;
/// From here on nothing but [`LOOK`] says how far to look.
const MOST_LOOK: u64 = 1_000_000;

impl<'g> Game<'g> {
    fn new(rules: &'g Ruleset) -> Self {
        let shape = Shape::of(rules);
        let is_heaps = have_values(&[rules]) && shape.is_heaps();
        let is_quick = matches!(
            shape.form,
            Form::Code(_) | Form::Classes(_) | Form::Takes(_)
        );
        Self {
            rules,
            is_heaps,
            solver: Solver::new(std::slice::from_ref(rules))
                .expect("one game can always stand alone in a sum"),
            sequence: (is_heaps && is_quick).then(|| Sequence::new(rules, &shape)),
            looked: 0,
            law: None,
            evidence: Vec::new(),
            last: None,
            largest: None,
        }
    }

    /// The value of a heap that the table has.
    fn tabulated(&mut self, part: &Part) -> Option<u64> {
        let heap = part.component.as_heap()?.to_u64()?;
        let values = self.sequence.as_ref()?.values();
        let value = values.get(usize::try_from(heap).ok()?)?;
        self.largest = self.largest.max(Some(heap));
        Some(value)
    }

    /// The value of a component.
    fn value(
        &mut self,
        part: &Part,
        shelf: &dyn Shelf,
        meter: &mut Meter,
    ) -> Result<Worth, Failure> {
        if let Some(value) = self.tabulated(part) {
            return Ok(Worth::Small(value));
        }
        if let Some(value) = self.known(part) {
            return Ok(value);
        }
        if !self.is_heaps {
            return self.searched(part, meter);
        }
        let heap = part.component.as_heap().and_then(BigUint::to_u64);
        let heap = heap.unwrap_or(u64::MAX);
        // Where a table costs little, no law is looked for: it would look as far as this.
        let little = if heap <= LEAST_LOOK { 4 * LOOK } else { LITTLE };
        if heap <= LITTLE {
            let (cheap, _) = meter.capped(little, |meter| self.table(part, heap, meter));
            if cheap.is_ok() {
                return cheap;
            }
        }
        self.look_for_law(heap, shelf, meter);
        match self.known(part) {
            Some(value) => Ok(value),
            None => self.table(part, heap, meter),
        }
    }

    /// The value of a heap from a table or by search.
    fn table(&mut self, part: &Part, heap: u64, meter: &mut Meter) -> Result<Worth, Failure> {
        self.fill(heap, meter)?;
        match self.tabulated(part) {
            Some(value) => Ok(Worth::Small(value)),
            None => self.searched(part, meter),
        }
    }

    fn searched(&mut self, part: &Part, meter: &mut Meter) -> Result<Worth, Failure> {
        let (value, evidence) = self.solver.value(&alone(part), meter)?;
        self.note(evidence);
        Ok(Worth::from(value.0))
    }

    /// The value of a component that is known at any size.
    fn known(&mut self, part: &Part) -> Option<Worth> {
        let (value, knowledge) = self.solver.known_value(&alone(part))?;
        if self.last != Some(knowledge) {
            self.last = Some(knowledge);
            let evidence = self.solver.evidence(0, knowledge);
            evidence
                .into_iter()
                .for_each(|evidence| self.note(evidence));
        }
        Some(Worth::from(value))
    }

    /// Continues the table to a heap, in steps that grow with it.
    fn fill(&mut self, heap: u64, meter: &mut Meter) -> Result<(), Failure> {
        let Some(sequence) = &mut self.sequence else {
            return Ok(());
        };
        let wanted = heap.checked_add(1).and_then(|n| usize::try_from(n).ok());
        let wanted = wanted.ok_or(Limit::Bytes)?;
        let now = sequence.values().len();
        if wanted > now {
            sequence.extend_to(wanted.max(now + now / 2).max(FIRST), meter)?;
        }
        Ok(())
    }

    /// Looks for the law of the game, in heaps some times as large as the one asked for.
    fn look_for_law(&mut self, heap: u64, shelf: &dyn Shelf, meter: &mut Meter) {
        let upto = heap.saturating_mul(4).max(LEAST_LOOK);
        if upto <= self.looked {
            return;
        }
        self.looked = upto;
        let bound = Some(upto).filter(|upto| *upto < MOST_LOOK);
        let look = |meter: &mut Meter| learn(self.rules, bound, false, shelf, meter);
        if let (Some(law), _) = meter.capped(LOOK, look) {
            self.looked = u64::MAX;
            self.solver.know(0, Box::new(law.clone()));
            self.law = Some(law);
            self.last = None;
        }
    }

    fn note(&mut self, evidence: Evidence) {
        if let Evidence::Exhaustive { upto: Some(upto) } = &evidence
            && let Some(upto) = upto.to_u64()
        {
            self.largest = self.largest.max(Some(upto));
        } else if !self.evidence.contains(&evidence) {
            self.evidence.push(evidence);
        }
    }

    fn all_evidence(&self) -> Option<Evidence> {
        let table = self.largest.map(|largest| Evidence::Exhaustive {
            upto: Some(largest.into()),
        });
        let all: Vec<Evidence> = self.evidence.iter().cloned().chain(table).collect();
        (!all.is_empty()).then(|| Evidence::all(all))
    }

    /// Hands over the options of a component that have a value.
    fn options_to(
        &mut self,
        part: &Part,
        value: &BigUint,
        with: &mut dyn FnMut(&dyn MoveSet<RuleOption>),
        meter: &mut Meter,
    ) -> Result<(), Failure> {
        // What the options are worth is searched for together.
        Ok(self.solver.options_to(&alone(part), value, with, meter)?)
    }
}

/// How many heaps a table has at first.
const FIRST: usize = 1 << 8;

/// A component of a game as one of the only game of a solver.
fn alone(part: &Part) -> Part {
    Part {
        game: 0,
        component: part.component.clone(),
    }
}

/// What is done with the winning moves of one component, and how each is one of the sum; says whether
/// to go on.
type WithMoves<'w> = dyn FnMut(&dyn MoveSet<RuleOption>, &dyn Fn(RuleOption) -> Move) -> bool + 'w;

/// A Grundy value.
#[derive(Clone, PartialEq, Eq)]
enum Worth {
    Small(u64),
    Large(BigUint),
}

impl From<BigUint> for Worth {
    fn from(value: BigUint) -> Self {
        value.to_u64().map_or(Self::Large(value), Self::Small)
    }
}

/// A nim-sum.
#[derive(Clone, Default)]
struct NimSum {
    small: u64,
    large: BigUint,
}

impl NimSum {
    fn add(&mut self, worth: &Worth) {
        match worth {
            Worth::Small(value) => self.small ^= value,
            Worth::Large(value) => self.large ^= value,
        }
    }

    fn total(&self) -> BigUint {
        &self.large ^ &BigUint::from(self.small)
    }
}

impl<'g> Knowing<'g> {
    /// An engine that knows nothing yet but what is on the shelf; what it needs to keep goes to the
    /// library.
    pub fn new(library: &'g Library, shelf: &'g dyn Shelf) -> Self {
        Self {
            library,
            shelf,
            rules: Vec::new(),
            games: Vec::new(),
            mixed: HashMap::new(),
            lengths: Lengths::default(),
        }
    }

    fn rules_of(&self, sum: &Sum) -> Vec<&'g Ruleset> {
        sum.games.iter().map(|game| self.rules[*game]).collect()
    }

    fn values(&mut self, sum: &Sum, meter: &mut Meter) -> Result<(Vec<Worth>, NimSum), Failure> {
        self.expect(sum);
        let mut total = NimSum::default();
        let mut values = Vec::with_capacity(sum.parts.len());
        for part in &sum.parts {
            meter.spend(1)?;
            let value = self.games[part.game].value(part, self.shelf, meter)?;
            total.add(&value);
            values.push(value);
        }
        Ok((values, total))
    }

    /// Prepares for all components of a sum at once.
    fn expect(&mut self, sum: &Sum) {
        for part in &sum.parts {
            let game = &mut self.games[part.game];
            if !game.is_heaps && game.solver.known_value(&alone(part)).is_none() {
                game.solver.expect(&alone(part));
            }
        }
    }

    /// The sum where all of it is one game that stands alone in a solver.
    fn only_game<'s>(&mut self, sum: &'s Sum) -> Option<(&mut Game<'g>, Vec<Part>, &'s [Part])> {
        match sum.games.as_slice() {
            [game] => {
                let parts = sum.parts.iter().map(alone).collect();
                Some((&mut self.games[*game], parts, &sum.parts))
            }
            _ => None,
        }
    }

    /// A solver for a sum of several games, and the sum for it.
    fn solver(&mut self, sum: &Sum) -> Result<(&mut Solver<'g>, Vec<Part>), Failure> {
        check_sum(&self.rules_of(sum))?;
        let parts = sum.parts.iter().map(|part| Part {
            game: sum
                .games
                .iter()
                .position(|game| *game == part.game)
                .unwrap_or(0),
            component: part.component.clone(),
        });
        let parts = parts.collect();
        if !self.mixed.contains_key(&sum.games) {
            let rules = self.rules_of(sum).into_iter().cloned().collect();
            let solver =
                Solver::new(self.library.keep(rules)).map_err(crate::failure::Mistake::Sum)?;
            self.mixed.insert(sum.games.clone(), solver);
        }
        let solver = self.mixed.get_mut(&sum.games).expect("it was just put in");
        Ok((solver, parts))
    }

    /// Hands over the winning moves of each component of a sum that values decide, until told
    /// to stop.
    fn each_set(
        &mut self,
        sum: &Sum,
        with: &mut WithMoves,
        meter: &mut Meter,
    ) -> Result<(), Failure> {
        let (values, total) = self.values(sum, meter)?;
        let total = total.total();
        if total.is_zero() {
            return Ok(());
        }
        for (index, part) in sum.parts.iter().enumerate() {
            meter.spend(1)?;
            let value = match &values[index] {
                Worth::Small(value) => BigUint::from(*value),
                Worth::Large(value) => value.clone(),
            };
            let wanted = value ^ &total;
            let rules = self.rules[part.game];
            let as_move = |option| as_move(rules, index, &part.component, option);
            let mut more = true;
            let mut with = |set: &dyn MoveSet<RuleOption>| more = with(set, &as_move);
            self.games[part.game].options_to(part, &wanted, &mut with, meter)?;
            if !more {
                break;
            }
        }
        Ok(())
    }

    /// The winning moves of a sum that values do not decide.
    fn by_outcomes(
        &mut self,
        sum: &Sum,
        moves: Wanted,
        limit: usize,
        meter: &mut Meter,
    ) -> Result<grundy::solve::BestMoves, Failure> {
        let outcome = self.outcome(sum, meter)?;
        let query = Query {
            moves,
            distinct: false,
            limit,
        };
        if let Some((game, parts, _)) = self.only_game(sum) {
            return Ok(game
                .solver
                .moves_by_outcomes(&parts, outcome, query, meter)?);
        }
        let (solver, parts) = self.solver(sum)?;
        Ok(solver.moves_by_outcomes(&parts, outcome, query, meter)?)
    }

    /// Whether values decide a sum, and can be had. Where the outcome alone is known, as of large
    /// pairs in Wythoff's game, moves are found by outcomes.
    fn values_decide(&mut self, sum: &Sum, meter: &mut Meter) -> Result<bool, Failure> {
        if !have_values(&self.rules_of(sum)) {
            return Ok(false);
        }
        let Some((game, parts, _)) = self.only_game(sum) else {
            return Ok(true);
        };
        if game.is_heaps
            || parts
                .iter()
                .all(|part| game.solver.known_value(part).is_some())
        {
            return Ok(true);
        }
        Ok(game.solver.known_outcome(&parts, meter)?.is_none())
    }
}

impl<'g> Engine<'g> for Knowing<'g> {
    fn add(&mut self, rules: &'g Ruleset) -> usize {
        self.rules.push(rules);
        self.games.push(Game::new(rules));
        self.rules.len() - 1
    }

    fn rules(&self, game: usize) -> &'g Ruleset {
        self.rules[game]
    }

    fn outcome(&mut self, sum: &Sum, meter: &mut Meter) -> Result<Outcome, Failure> {
        if self.values_decide(sum, meter)? {
            self.expect(sum);
            let mut total = NimSum::default();
            for part in &sum.parts {
                meter.spend(1)?;
                total.add(&self.games[part.game].value(part, self.shelf, meter)?);
            }
            let lost = total.total().is_zero();
            return Ok(if lost { Outcome::P } else { Outcome::N });
        }
        let Some((game, parts, _)) = self.only_game(sum) else {
            let (solver, parts) = self.solver(sum)?;
            let (outcome, evidence) = solver.who_wins(&parts, meter)?;
            for game in &sum.games {
                self.games[*game].note(evidence.clone());
            }
            return Ok(outcome);
        };
        let (outcome, evidence) = game.solver.who_wins(&parts, meter)?;
        game.note(evidence);
        Ok(outcome)
    }

    fn value(&mut self, sum: &Sum, meter: &mut Meter) -> Result<BigUint, Failure> {
        check_values(&self.rules_of(sum))?;
        let (_, total) = self.values(sum, meter)?;
        Ok(total.total())
    }

    fn count(&mut self, sum: &Sum, which: Which, meter: &mut Meter) -> Result<BigUint, Failure> {
        if which == Which::All {
            return Ok(all_moves(&self.rules, &sum.parts, meter)?.len().into());
        }
        if !self.values_decide(sum, meter)? {
            let best = self.by_outcomes(sum, Wanted::Count, 0, meter)?;
            return best.count.ok_or_else(|| Limit::Steps.into());
        }
        let mut count = Some(BigUint::zero());
        let mut with = |set: &dyn MoveSet<RuleOption>, _: &dyn Fn(RuleOption) -> Move| {
            count = count.take().zip(set.count()).map(|(a, b)| a + b);
            true
        };
        self.each_set(sum, &mut with, meter)?;
        count.ok_or_else(|| Limit::Steps.into())
    }

    fn first(
        &mut self,
        sum: &Sum,
        which: Which,
        meter: &mut Meter,
    ) -> Result<Option<Move>, Failure> {
        if which == Which::All {
            let all = all_moves(&self.rules, &sum.parts, meter)?;
            return Ok(all.into_iter().next());
        }
        if !self.values_decide(sum, meter)? {
            let best = self.by_outcomes(sum, Wanted::First, 1, meter)?;
            return Ok(best.listed.into_iter().next());
        }
        let mut first = None;
        let mut with = |set: &dyn MoveSet<RuleOption>, as_move: &dyn Fn(RuleOption) -> Move| {
            first = set.iter().next().map(as_move);
            first.is_none()
        };
        self.each_set(sum, &mut with, meter)?;
        Ok(first)
    }

    fn least(
        &mut self,
        sum: &Sum,
        which: Which,
        meter: &mut Meter,
    ) -> Result<Option<Move>, Failure> {
        let mut least: Option<Move> = None;
        let mut offer = |next: Move| {
            if least
                .as_ref()
                .is_none_or(|least| leaves_less(&sum.parts, &next, least))
            {
                least = Some(next);
            }
        };
        if which == Which::All {
            all_moves(&self.rules, &sum.parts, meter)?
                .into_iter()
                .for_each(offer);
            return Ok(least);
        }
        if !self.values_decide(sum, meter)? {
            let best = self.by_outcomes(sum, Wanted::Least, 1, meter)?;
            return Ok(best.listed.into_iter().next());
        }
        let mut with = |set: &dyn MoveSet<RuleOption>, as_move: &dyn Fn(RuleOption) -> Move| {
            set.least().map(as_move).into_iter().for_each(&mut offer);
            true
        };
        self.each_set(sum, &mut with, meter)?;
        Ok(least)
    }

    fn list(
        &mut self,
        sum: &Sum,
        which: Which,
        most: usize,
        meter: &mut Meter,
    ) -> Result<Vec<Move>, Failure> {
        let many = || Failure::from(Open::ManyMoves);
        let mut listed = Vec::new();
        if which == Which::All {
            listed = all_moves(&self.rules, &sum.parts, meter)?;
        } else if self.values_decide(sum, meter)? {
            let mut with = |set: &dyn MoveSet<RuleOption>, as_move: &dyn Fn(RuleOption) -> Move| {
                let room = (most + 1).saturating_sub(listed.len());
                listed.extend(set.iter().take(room).map(as_move));
                listed.len() <= most
            };
            self.each_set(sum, &mut with, meter)?;
        } else {
            listed = self
                .by_outcomes(sum, Wanted::All, most.saturating_add(1), meter)?
                .listed;
        }
        if listed.len() > most {
            return Err(many());
        }
        Ok(listed)
    }

    fn plays(&mut self, sum: &Sum, meter: &mut Meter) -> Result<Option<u64>, Failure> {
        check_sum(&self.rules_of(sum))?;
        self.lengths.plays(&self.rules, sum, meter)
    }

    fn count_lost(
        &mut self,
        game: usize,
        from: &BigUint,
        to: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<BigUint>, Failure> {
        if to - from < BigUint::from(FEW) {
            return Ok(None);
        }
        let game = &mut self.games[game];
        if game.is_heaps {
            game.look_for_law(to.to_u64().unwrap_or(u64::MAX), self.shelf, meter);
        }
        let question = Question {
            from: from.clone(),
            to: to.clone(),
            heaps: 1,
            value: BigUint::zero(),
            multisets: false,
        };
        match count(game.rules, &question, game.law.as_ref(), meter) {
            Ok(counted) => {
                game.note(counted.evidence);
                Ok(Some(counted.count))
            }
            Err(NoCount::Undecided(undecided)) => Err(undecided.into()),
            Err(_) => Ok(None),
        }
    }

    fn evidence(&self) -> Vec<(usize, Evidence)> {
        let games = self.games.iter().enumerate();
        games
            .filter_map(|(game, known)| Some((game, known.all_evidence()?)))
            .collect()
    }
}
