//! Laws that automata decide, found without a hint.
//!
//! A law relates a position to its value, or says which positions are lost. Small positions are
//! tabulated, and from part of the table an automaton is learned that reads the digits of such tuples; the rest of
//! the table is held against it. Then the obligations of the law are decided for all sizes
//! ([`crate::proof::automatic`]): a refuted guess shows a position that belongs to what is known from then on, and the
//! search goes on with longer continuations, other numeration systems and larger tables.
//!
//! Where no law of values is found, digit recursions are looked for: [`recursions`], which may be proved, and [`representation`]s.
//!
//! That nothing is found within these limits does not mean that there is no law.

mod cases;
mod family;
mod finding;
mod learn;
mod numerals;
mod recursion;
mod representation;
mod sample;

use std::ops::ControlFlow;

use grundy_automata::{DigitOrder, Encoding, NumerationSystem, Relation};
use grundy_certificate::automatic::{AutomatonLaw, Says as Said};
use grundy_rules::given::coordinates;
use grundy_rules::options::numbers;
use grundy_rules::{Limit, Meter, Position, Ruleset};
use num_bigint::BigUint;

use crate::proof::Proved;
use crate::proof::automatic::{
    self, Actual, Answer, Certification, Game, Holds, Law, Outside, Says, certify, decide,
};
use crate::tabulate::Entry;
pub use family::{Family, FamilyFault, Member};
pub use finding::{
    Finding, Held, Reading, Recurrence, Seen, by_automata, find, find_proof, first_values, hold,
};
pub use recursion::{recursion, recursions};
pub use representation::{Combination, Element, Equation, Representation, representation};

use learn::{NotLearned, learn};
use sample::{Contradiction, Sample};

/// What components a law speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// How many coordinates each has.
    pub coordinates: usize,
    /// How many components a position has, in games that values do not decide.
    pub components: usize,
}

impl Scope {
    /// The components of which a proved law speaks.
    pub fn of(law: &AutomatonLaw) -> Self {
        Self {
            coordinates: law.arity,
            components: match law.says {
                Said::Lost { components } => components,
                Said::Value | Said::PowerOfValue => 1,
            },
        }
    }
}

/// How much may be spent on one guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How many states a learned automaton may have.
    pub states: usize,
    /// How large its automata may grow while it is judged.
    pub judging: grundy_automata::Budget,
    /// How many of the tables, each larger than the one before, are made.
    pub tables: usize,
    /// The steps that a table may take.
    pub table_steps: u64,
    /// How many heaps are looked at for relations between sections, which prove nothing: half of them are held out.
    pub sections: u64,
}

impl Effort {
    /// As many states as the laws of known games have, and a second or so for a guess.
    pub const USUAL: Self = Self {
        states: 150,
        judging: grundy_automata::Budget {
            states: 30_000,
            transitions: 1 << 24,
            steps: 1 << 27,
        },
        tables: usize::MAX,
        table_steps: 1 << 28,
        sections: 1 << 13,
    };

    /// A meter for all that automata do, which stops when another one is asked to.
    pub fn meter<'a>(&self, meter: &Meter<'a>) -> grundy_automata::Meter<'a> {
        let budget = grundy_automata::Budget {
            steps: self.judging.steps.saturating_mul(MOST_GUESSES),
            ..self.judging
        };
        match meter.cancel() {
            Some(cancel) => grundy_automata::Meter::with_cancel(budget, cancel),
            None => grundy_automata::Meter::new(budget),
        }
    }
}

/// For so many guesses the whole effort may be spent.
const MOST_GUESSES: u64 = 32;

impl Default for Effort {
    fn default() -> Self {
        Self::USUAL
    }
}

/// A law that automata derive from the rules, and its certificate if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Of what.
    pub scope: Scope,
    /// What it says.
    pub says: Says,
    /// The relation that it is.
    pub relation: Relation,
    /// In which direction its obligations were decided.
    pub judged: DigitOrder,
    /// The table from which it was learned.
    pub sides: Vec<u64>,
    /// The theorem that it is, or why it has no certificate.
    pub proof: Result<Box<Proved>, automatic::Undecided>,
}

/// What became of a search for a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The law, if there is one.
    pub found: Option<Found>,
    /// The sides of the largest table that was made.
    pub sides: Vec<u64>,
    /// Its first values, if it is one of heaps.
    pub values: Vec<u64>,
    /// How each way of saying a law ended, those that were tried.
    pub attempts: Vec<Attempt>,
}

/// One way of saying a law, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What the law would say.
    pub says: Says,
    /// How numbers would be written.
    pub encoding: Encoding,
    /// What became of it.
    pub fate: Fate,
}

/// What became of one way of saying a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// All that was learned was wrong, and to learn more asks for a larger table.
    Open,
    /// It has more states than are allowed.
    States,
    /// This many guesses that agreed with the table were refuted; the last one by this position.
    Refuted(usize, Position),
    /// A guess agreed with the table and was neither derived nor refuted.
    Undecided(automatic::Undecided),
    /// It is the law.
    Derived,
}

/// Why no law can be looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSearch {
    /// A clause of the rules is outside what automata decide.
    Outside(Outside),
    /// There is no table even of the smallest positions.
    NoTable,
    /// A limit was reached.
    Limit(Limit),
}

/// The sides of tables by how many numbers a position has.
const SIDES: [&[u64]; 6] = [
    &[1 << 9, 1 << 11, 1 << 13],
    &[32, 64, 128, 256],
    &[16, 32, 64],
    &[8, 16],
    &[4, 8],
    &[4, 8],
];
/// The longest rows whose laws are looked for in games of rows of any length.
const MOST_IN_A_ROW: usize = 4;
/// The sides of further tables of one number, for guesses that are rarely wrong.
const FURTHER: [u64; 2] = [1 << 17, 1 << 21];
/// The steps that a further table may take.
const FURTHER_STEPS: u64 = 1 << 26;
/// A guess is rarely wrong if it is so for at most one in so many positions.
const RARELY: u64 = 64;
/// What part of the steps of a table may be spent to confirm a refutation by the oracle.
const CONFIRMING: u64 = 64;
/// How many values of a table are told.
const MOST_VALUES: u64 = 1 << 11;
/// How many answers tell words apart, at most.
const MOST_ANSWERS: u64 = 1 << 15;

/// The numbers of coordinates of which laws of a game can speak, the least first.
pub fn scopes(ruleset: &Ruleset) -> Vec<usize> {
    let patterns = ruleset.moves.iter().flat_map(|rule| &rule.patterns);
    match coordinates(ruleset) {
        None => (1..=MOST_IN_A_ROW).collect(),
        Some(_) => {
            let mut lengths: Vec<usize> = patterns.map(|pattern| pattern.items.len()).collect();
            lengths.sort_unstable();
            lengths.dedup();
            lengths
        }
    }
}

/// Looks for a law of positions of so many numbers, and has each guess judged.
///
/// # Errors
///
/// Why there is no search.
pub fn search(
    ruleset: &Ruleset,
    scope: Scope,
    effort: &Effort,
    automata: &mut grundy_automata::Meter,
    meter: &mut Meter,
) -> Result<Report, NoSearch> {
    let game = Game::new(ruleset, scope.coordinates).map_err(NoSearch::Outside)?;
    let tracks = scope.coordinates * scope.components;
    let sides = tracks
        .checked_sub(1)
        .and_then(|at| SIDES.get(at))
        .ok_or(NoSearch::NoTable)?;
    let mut ways: Option<Vec<Way>> = None;
    let mut last: Option<Sample> = None;
    let (mut before_last, mut last_steps) = (0u64, 0u64);
    let further: &[u64] = if tracks == 1 { &FURTHER } else { &[] };
    for side in sides.iter().chain(further).take(effort.tables) {
        if further.contains(side) {
            let open = ways.iter_mut().flatten();
            open.for_each(|way| way.is_closed |= !way.is_near);
        }
        if ways.iter().flatten().all(|way| way.is_closed) && ways.is_some() {
            break;
        }
        let steps = if further.contains(side) {
            FURTHER_STEPS
        } else {
            effort.table_steps
        };
        // The next table takes as many times more as the last one did: none is begun that will not be finished.
        let grown = last_steps.saturating_mul(last_steps / before_last.max(1));
        if before_last > 0 && grown > 2 * steps {
            break;
        }
        let sides = vec![*side; tracks];
        let (sample, spent) = meter.capped(steps, |meter| Sample::new(ruleset, &sides, meter));
        meter.spend(0).map_err(NoSearch::Limit)?;
        (before_last, last_steps) = (last_steps, spent);
        let Some(mut sample) = sample else {
            break;
        };
        if let Some(last) = &last {
            sample.remember(last);
        }
        let ways = ways.get_or_insert_with(|| ways_of_saying(&game, scope, &sample));
        for at in 0..ways.len() {
            let near = |way: &Way| way.says == Says::Value && way.is_near;
            let is_said_shorter = ways[at].says == Says::PowerOfValue && ways.iter().any(near);
            if ways[at].is_closed || is_said_shorter {
                continue;
            }
            let way = &mut ways[at];
            let law = way.guesses(ruleset, &game, effort, &mut sample, automata, meter);
            if let Some(Judged {
                relation,
                order,
                proof,
            }) = law?
            {
                let found = Found {
                    scope,
                    says: way.says,
                    relation,
                    judged: order,
                    sides: sides.clone(),
                    proof,
                };
                return Ok(Report {
                    found: Some(found),
                    sides,
                    values: sample.first_values(MOST_VALUES),
                    attempts: ways.iter().filter_map(Way::attempt).collect(),
                });
            }
        }
        last = Some(sample);
    }
    let (Some(sample), Some(ways)) = (last, ways) else {
        return Err(NoSearch::NoTable);
    };
    Ok(Report {
        found: None,
        sides: sample.sides().to_vec(),
        values: sample.first_values(MOST_VALUES),
        attempts: ways.iter().filter_map(Way::attempt).collect(),
    })
}

/// The ways of saying a law that the rules admit, the simplest first.
fn ways_of_saying(game: &Game, scope: Scope, sample: &Sample) -> Vec<Way> {
    let base = |k| NumerationSystem::base(k).expect("a base");
    let mut systems: Vec<NumerationSystem> = game.system().into_iter().collect();
    let wythoff = |r| NumerationSystem::wythoff(r).expect("a step");
    let others = [
        base(2),
        base(3),
        wythoff(1),
        wythoff(2),
        NumerationSystem::pell(),
        wythoff(3),
        base(10),
    ];
    for system in others {
        if !systems.contains(&system) {
            systems.push(system);
        }
    }
    let lost = Says::Lost {
        components: scope.components,
    };
    let mut says = Vec::new();
    if sample.has_values() {
        says.extend([Says::Value, Says::PowerOfValue]);
    }
    says.push(lost);
    let mut ways = Vec::new();
    for says in says {
        for system in &systems {
            for order in [DigitOrder::Msd, DigitOrder::Lsd] {
                let encoding = Encoding::new(system.clone(), order);
                if game.admits(says, system).is_ok() {
                    ways.push(Way::new(says, encoding));
                }
            }
        }
    }
    ways
}

/// A guess that was derived.
struct Judged {
    relation: Relation,
    order: DigitOrder,
    proof: Result<Box<Proved>, automatic::Undecided>,
}

/// A way of saying a law, and how far it was tried.
struct Way {
    says: Says,
    encoding: Encoding,
    /// The continuations to try next.
    length: usize,
    /// Whether nothing more can come of it.
    is_closed: bool,
    /// The last guess.
    last: Option<Relation>,
    /// Whether the last guess that a table contradicts is rarely wrong.
    is_near: bool,
    refuted: usize,
    fate: Option<Fate>,
}

impl Way {
    fn new(says: Says, encoding: Encoding) -> Self {
        Self {
            says,
            encoding,
            length: 1,
            is_closed: false,
            last: None,
            is_near: false,
            refuted: 0,
            fate: None,
        }
    }

    fn attempt(&self) -> Option<Attempt> {
        Some(Attempt {
            says: self.says,
            encoding: self.encoding.clone(),
            fate: self.fate.clone()?,
        })
    }

    fn close(&mut self, fate: Fate) {
        self.fate = Some(fate);
        self.is_closed = true;
    }

    /// The states and steps that may be spent on a guess: on values as powers of two where heaps are split little, as
    /// bounded values are such powers too, in larger automata.
    fn judging(&self, game: &Game, effort: &Effort) -> (usize, u64) {
        let grundy_automata::Budget { states, steps, .. } = effort.judging;
        let splits = game.part_counts().into_iter().any(|parts| parts > 1);
        if self.says == Says::PowerOfValue && splits {
            (states / 8, steps / 32)
        } else {
            (states, steps)
        }
    }

    /// Learns and judges, first by the shortest continuations and then by longer and longer ones, until the law is found or
    /// nothing more can be learned from the sample.
    fn guesses(
        &mut self,
        ruleset: &Ruleset,
        game: &Game,
        effort: &Effort,
        sample: &mut Sample,
        automata: &mut grundy_automata::Meter,
        meter: &mut Meter,
    ) -> Result<Option<Judged>, NoSearch> {
        let whole = sample.sides().to_vec();
        let half: Vec<u64> = whole.iter().map(|side| side / 2).collect();
        let mut guess = |way: &mut Self, sides: &[u64], length| {
            way.guess(
                ruleset, game, effort, sample, sides, length, automata, meter,
            )
        };
        if self.length > 1
            && let ControlFlow::Break(Some(judged)) = guess(self, &half, 1)?
        {
            return Ok(Some(judged));
        }
        while !self.is_closed {
            match guess(self, &half, self.length)? {
                ControlFlow::Break(Some(judged)) => return Ok(Some(judged)),
                ControlFlow::Break(None) => break,
                ControlFlow::Continue(()) => self.length += 1,
            }
        }
        // There is no larger table to hold such a guess against: the proof is its judge.
        if self.is_near
            && whole == FURTHER[1..]
            && let ControlFlow::Break(judged) = guess(self, &whole, 1)?
        {
            return Ok(judged);
        }
        Ok(None)
    }

    /// Learns from positions below `sides` and judges. Breaks with the law, or if nothing can be learned.
    #[expect(
        clippy::too_many_arguments,
        reason = "what a guess is made of, and two meters"
    )]
    fn guess(
        &mut self,
        ruleset: &Ruleset,
        game: &Game,
        effort: &Effort,
        sample: &mut Sample,
        sides: &[u64],
        length: usize,
        automata: &mut grundy_automata::Meter,
        meter: &mut Meter,
    ) -> Result<ControlFlow<Option<Judged>>, NoSearch> {
        let tracks = u32::try_from(sides.len()).expect("few numbers");
        let letters = u64::from(self.encoding.system.radix()).pow(tracks);
        let all = letters.checked_pow(u32::try_from(length).expect("continuations are short"));
        if all.is_none_or(|all| all > MOST_ANSWERS) {
            let fate = self.fate.clone().unwrap_or(Fate::Open);
            self.close(fate);
            return Ok(ControlFlow::Break(None));
        }
        let (learned, _) = automata.capped(effort.judging.states, effort.judging.steps, |a| {
            let states = effort.states;
            learn(sample, sides, self.says, &self.encoding, length, states, a)
        });
        if automata.spend(0).is_err() {
            return Err(NoSearch::Limit(Limit::Cancelled));
        }
        let relation = match learned {
            Ok(relation) => relation,
            Err(NotLearned::Unknown) => {
                self.fate.get_or_insert(Fate::Open);
                return Ok(ControlFlow::Break(None));
            }
            Err(NotLearned::States) => {
                let fate = self.fate.clone().filter(|fate| *fate != Fate::Open);
                self.close(fate.unwrap_or(Fate::States));
                return Ok(ControlFlow::Break(None));
            }
            Err(NotLearned::NoRelation) => return Ok(ControlFlow::Continue(())),
        };
        if self.last.as_ref() == Some(&relation) {
            return Ok(ControlFlow::Continue(()));
        }
        self.last = Some(relation.clone());
        if let Some(wrong) = contradiction(sample, self.says, &relation) {
            self.is_near = wrong.is_rare;
            return Ok(ControlFlow::Continue(()));
        }
        let law = Law {
            says: self.says,
            holds: Holds::Relation(relation.clone()),
            system: self.encoding.system.clone(),
        };
        let (states, steps) = self.judging(game, effort);
        // To confirm a refutation far beyond the table may cost more than the table.
        let confirming = effort.table_steps / CONFIRMING;
        let work = |a: &mut _| {
            let decide = |meter: &mut Meter| decide(ruleset, game, &law, a, meter);
            meter.capped(confirming, decide).0
        };
        let (answer, _) = automata.capped(states, steps, work);
        match answer.map_err(NoSearch::Outside)? {
            Answer::Derived { order, .. } => {
                self.close(Fate::Derived);
                let work = |a: &mut _| certify(ruleset, game, &law, a, meter);
                let proof = match automata.capped(states, steps, work).0 {
                    Ok(Certification::Proved(proved)) => Ok(proved),
                    Ok(Certification::Undecided(why)) => Err(why),
                    Ok(Certification::Refuted(refutation)) => unreachable!(
                        "what one procedure derives the other one refutes: {refutation:?}"
                    ),
                    Err(outside) => return Err(NoSearch::Outside(outside)),
                };
                // Certificates read the digits of other systems than bases from the most significant one on.
                let is_read_so = self.encoding.system.as_base().is_some()
                    || self.encoding.order == DigitOrder::Msd;
                let relation = if is_read_so {
                    relation
                } else {
                    relation.reversed(automata).unwrap_or(relation)
                };
                return Ok(ControlFlow::Break(Some(Judged {
                    relation,
                    order,
                    proof,
                })));
            }
            Answer::Refuted(refutation) => {
                self.refuted += 1;
                self.fate = Some(Fate::Refuted(self.refuted, refutation.position.clone()));
                if let Some(numbers) = flat(&refutation.position) {
                    sample.learn(
                        numbers,
                        match refutation.actual {
                            Actual::Value(value) => Entry::Value(value),
                            Actual::Outcome(outcome) => Entry::Outcome(outcome),
                        },
                    );
                }
            }
            Answer::Undecided(why) => self.fate = Some(Fate::Undecided(why)),
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The first position known of which a relation says something else.
fn contradiction(sample: &Sample, says: Says, relation: &Relation) -> Option<Contradiction> {
    let system = &relation.encoding().system;
    sample.contradiction(says, system, |words| accepts(relation, words))
}

/// Whether a relation has the tuple of numbers with these digits, the least significant first.
fn accepts(relation: &Relation, words: &[&[u32]]) -> bool {
    let automaton = relation.automaton();
    let length = words.iter().map(|word| word.len()).max().unwrap_or(0);
    let radix = relation.encoding().system.radix();
    let letter = |at: usize| {
        let digits = words.iter().map(|word| word.get(at).copied().unwrap_or(0));
        digits.fold(0, |letter, digit| letter * radix + digit)
    };
    let step = |state, at| automaton.next(state, letter(at));
    let end = match relation.encoding().order {
        DigitOrder::Msd => (0..length).rev().fold(0, step),
        DigitOrder::Lsd => (0..length).fold(0, step),
    };
    automaton.is_accepting(end)
}

/// All numbers of a position; `None` where it holds a list.
fn flat(position: &Position) -> Option<Vec<BigUint>> {
    let components = position.0.iter().map(numbers);
    let all = components.collect::<Option<Vec<_>>>()?;
    Some(all.into_iter().flatten().cloned().collect())
}
