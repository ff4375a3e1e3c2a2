//! Laws that automata decide, found without a hint.
//!
//! A law relates a position to its value, or says which positions are lost. Small positions are
//! tabulated, and from part of the table an automaton is learned that reads the digits of such tuples; the rest of
//! the table is held against it. Then the obligations of the law are decided for all sizes
//! ([`crate::proof::automatic`]): a refuted guess shows a position that belongs to what is known from then on, and the
//! search goes on with longer continuations, other numeration systems and larger tables.
//!
//! That nothing is found within these limits does not mean that there is no law.

mod family;
mod finding;
mod learn;
mod numerals;
mod recursion;
mod sample;

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
pub use finding::{Finding, Held, Reading, by_automata, find, find_proof, first_values, hold};
pub use recursion::recursion;

use learn::{NotLearned, learn};
use sample::Sample;

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
const SIDES: [&[u64]; 4] = [
    &[1 << 9, 1 << 11, 1 << 13],
    &[32, 64, 128, 256],
    &[16, 32, 64],
    &[8, 16],
];
/// How many answers tell words apart, at most.
const MOST_ANSWERS: u64 = 1 << 15;

/// The numbers of coordinates of which laws of a game can speak, the least first.
pub fn scopes(ruleset: &Ruleset) -> Vec<usize> {
    let patterns = ruleset.moves.iter().flat_map(|rule| &rule.patterns);
    match coordinates(ruleset) {
        None => (1..=SIDES.len()).collect(),
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
    for side in sides.iter().take(effort.tables) {
        let sides = vec![*side; tracks];
        let (sample, _) = meter.capped(effort.table_steps, |meter| {
            Sample::new(ruleset, &sides, meter)
        });
        meter.spend(0).map_err(NoSearch::Limit)?;
        let Some(mut sample) = sample else {
            break;
        };
        if let Some(last) = &last {
            sample.remember(last);
        }
        let ways = ways.get_or_insert_with(|| ways_of_saying(&game, scope, &sample));
        for way in ways.iter_mut().filter(|way| !way.is_closed) {
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
                    attempts: ways.iter().filter_map(Way::attempt).collect(),
                });
            }
        }
        last = Some(sample);
        if ways.iter().all(|way| way.is_closed) {
            break;
        }
    }
    let (Some(sample), Some(ways)) = (last, ways) else {
        return Err(NoSearch::NoTable);
    };
    Ok(Report {
        found: None,
        sides: sample.sides().to_vec(),
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

    /// Learns and judges with longer and longer continuations, until the law is found or nothing more can be
    /// learned from the sample. What was wrong for a length stays wrong when more is known.
    fn guesses(
        &mut self,
        ruleset: &Ruleset,
        game: &Game,
        effort: &Effort,
        sample: &mut Sample,
        automata: &mut grundy_automata::Meter,
        meter: &mut Meter,
    ) -> Result<Option<Judged>, NoSearch> {
        let sides: Vec<u64> = sample.sides().iter().map(|side| side / 2).collect();
        let tracks = u32::try_from(sides.len()).expect("few numbers");
        let letters = u64::from(self.encoding.system.radix()).pow(tracks);
        loop {
            let length = u32::try_from(self.length).expect("continuations are short");
            if letters
                .checked_pow(length)
                .is_none_or(|all| all > MOST_ANSWERS)
            {
                let fate = self.fate.clone().unwrap_or(Fate::Open);
                self.close(fate);
                return Ok(None);
            }
            let (learned, _) = automata.capped(effort.judging.states, effort.judging.steps, |a| {
                let states = effort.states;
                learn(
                    sample,
                    &sides,
                    self.says,
                    &self.encoding,
                    self.length,
                    states,
                    a,
                )
            });
            if automata.spend(0).is_err() {
                return Err(NoSearch::Limit(Limit::Cancelled));
            }
            let relation = match learned {
                Ok(relation) => relation,
                Err(NotLearned::Unknown) => {
                    self.fate.get_or_insert(Fate::Open);
                    return Ok(None);
                }
                Err(NotLearned::States) => {
                    let fate = self.fate.clone().filter(|fate| *fate != Fate::Open);
                    self.close(fate.unwrap_or(Fate::States));
                    return Ok(None);
                }
                Err(NotLearned::NoRelation) => {
                    self.length += 1;
                    continue;
                }
            };
            let is_wrong = contradiction(sample, self.says, &relation);
            self.length += 1;
            if is_wrong.is_some() {
                continue;
            }
            let law = Law {
                says: self.says,
                holds: Holds::Relation(relation.clone()),
                system: self.encoding.system.clone(),
            };
            let (answer, _) = automata.capped(effort.judging.states, effort.judging.steps, |a| {
                decide(ruleset, game, &law, a, meter)
            });
            match answer.map_err(NoSearch::Outside)? {
                Answer::Derived { order, .. } => {
                    self.close(Fate::Derived);
                    let (states, steps) = (effort.judging.states, effort.judging.steps);
                    let work = |a: &mut _| certify(ruleset, game, &law, a, meter);
                    let proof = match automata.capped(states, steps, work).0 {
                        Ok(Certification::Proved(proved)) => Ok(proved),
                        Ok(Certification::Undecided(why)) => Err(why),
                        Ok(Certification::Refuted(refutation)) => unreachable!(
                            "what one procedure derives the other one refutes: {refutation:?}"
                        ),
                        Err(outside) => return Err(NoSearch::Outside(outside)),
                    };
                    return Ok(Some(Judged {
                        relation,
                        order,
                        proof,
                    }));
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
        }
    }
}

/// The first position known of which a relation says something else.
fn contradiction(sample: &Sample, says: Says, relation: &Relation) -> Option<Vec<BigUint>> {
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
