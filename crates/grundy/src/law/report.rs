//! From a ruleset to its law: tabulate, look for a pattern, prove it.

use grundy_certificate::Refusal;
use grundy_rules::ruleset::Play;
use grundy_rules::{Meter, Ruleset};

use super::period::{Periodicity, shown};
use super::sequence::Sequence;
use crate::catalogue::GAMES;
use crate::misere;
use crate::oracle::{NoValues, has_independent_components, has_values, unsolved_clause};
use crate::outcome::{Clause, Undecided};
use crate::proof::{self, Method, NoMethod, Proved};
use crate::shape::{Form, Outside, Shape, Takes};

/// What is known about the law of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LawReport {
    /// It holds for all heaps.
    Proved(Box<Proved>),
    /// The values show it; nothing proves that it goes on.
    Conjecture {
        /// What they show.
        law: Periodicity,
        /// The largest heap looked at.
        upto: u64,
        /// Why it is not proved.
        why: NoProof,
    },
    /// The values show no law.
    Nothing {
        /// How many values were looked at: those of the heaps below.
        below: u64,
        /// What ended the search.
        stopped: Stopped,
    },
    /// No law of labels that would decide sums in misère play.
    Unlabelled {
        /// The first wild heap, if one was met.
        wild: Option<u64>,
        /// How many labels were looked at: those of the heaps below.
        below: u64,
        /// A quotient that decides the sums of the heaps that were looked at, and is not proved of others.
        checked: Option<Checked>,
        /// What ended the search.
        stopped: Stopped,
    },
    /// The game has no sequence of values.
    NoSequence(NoSequence),
}

/// What decides the misère sums of small heaps only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// It decides all sums of heaps below this one.
    pub below: u64,
    /// How many elements the quotient has.
    pub order: usize,
    /// How many of them are those of lost sums.
    pub lost: usize,
}

/// Why a law that values show is not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProof {
    /// No finite check is known for such games.
    NoMethod(NoMethod),
    /// The normal form does not cover these rules.
    Outside(Outside),
    /// The finite check that is known for such games proves no law that grows like this one.
    Saltus,
    /// The check needs more values than were computed.
    Window {
        /// How many; `None` if more than can be counted.
        needed: Option<u64>,
    },
    /// The checker refused it.
    Refused(Refusal),
    /// There are no rules, only values.
    OnlyValues,
}

/// What ended a search for a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The heap up to which to look.
    Upto,
    /// A limit, or a play that need not end.
    Undecided(Undecided),
}

/// Why a game has no sequence of values to look for a law in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSequence {
    /// Values have no meaning.
    NoValues(NoValues),
    /// No solver for this clause exists.
    Clause(Clause),
    /// Components are not heaps of one number.
    NotHeaps,
    /// A move makes no heap smaller, so that play may go on for ever.
    Endless,
}

/// From so large a take on, taking 1 up to it is written as a recursion.
const LONG_TAKE: usize = 1000;
/// How many values are looked at first.
const FIRST: u64 = 64;
/// A law that nothing proves is believed once it was shown at so many lengths in a row, each
/// longer by half, the last one at least [`BELIEVED_FROM`].
const BELIEVED_AFTER: u32 = 4;
/// See [`BELIEVED_AFTER`].
const BELIEVED_FROM: u64 = 1000;

/// The shape of rules under which sums of heaps of one number are played, one heap at a time.
///
/// # Errors
///
/// What else is played.
pub(crate) fn independent_heaps(ruleset: &Ruleset) -> Result<Shape, NoSequence> {
    if let Some(clause) = unsolved_clause(ruleset) {
        return Err(NoSequence::Clause(clause));
    }
    has_independent_components(ruleset).map_err(NoSequence::NoValues)?;
    if ruleset.draw_on_repetition {
        return Err(NoSequence::Endless);
    }
    let shape = Shape::of(ruleset);
    if shape.is_heaps() {
        Ok(shape)
    } else {
        Err(NoSequence::NotHeaps)
    }
}

/// Finds the law of a game and proves it, looking at no heap above `upto`.
///
/// The values are computed to lengths that grow by half. At each the least law they show is taken;
/// if a theorem applies to the shape of the rules, the values are computed as far as its window asks,
/// and the certificate goes to the checker. Nothing is called proved that the checker has not accepted.
///
/// A law that is shown again and again, and that no theorem covers, is a conjecture.
///
/// In misère play the law is one of labels that decide sums; see [`misere`].
pub fn discover(ruleset: &Ruleset, upto: Option<u64>, meter: &mut Meter) -> LawReport {
    let shape = match independent_heaps(ruleset) {
        Ok(shape) => shape,
        Err(why) => return LawReport::NoSequence(why),
    };
    if ruleset.play == Play::Misere {
        return misere::discover(ruleset, &shape, upto, meter);
    }
    let takes = match &shape.form {
        Form::Takes(takes) => Some(takes.clone()),
        // The period of 1 up to m is m + 1: beyond some size the recursion says it better.
        Form::Code(code) if code.largest_take() > Some(LONG_TAKE) => Takes::of(ruleset),
        _ => None,
    };
    if let Some(takes) = takes
        && let Ok(proved) = proof::take_up_to(ruleset, &takes, meter)
    {
        return LawReport::Proved(Box::new(proved));
    }
    let method = Method::of(&shape).map_err(|no_method| match &shape.form {
        Form::Heaps(outside) => NoProof::Outside(*outside),
        _ => NoProof::NoMethod(no_method),
    });
    let mut search = Search {
        ruleset,
        method,
        sequence: Sequence::new(ruleset, &shape),
        most: upto.map_or(u64::MAX, |upto| upto.saturating_add(1)),
        seen: None,
    };
    let stopped = match search.run(meter) {
        Ok(Some(proved)) => return LawReport::Proved(Box::new(proved)),
        Ok(None) => Stopped::Upto,
        Err(undecided) => Stopped::Undecided(undecided),
    };
    search.without_proof(stopped)
}

/// What a bare list of values shows, the first one that of heap 0: never more than a conjecture.
pub fn guess(values: &[u64]) -> LawReport {
    match shown(values) {
        Some(law) => LawReport::Conjecture {
            law,
            upto: values.len() as u64 - 1,
            why: NoProof::OnlyValues,
        },
        None => LawReport::Nothing {
            below: values.len() as u64,
            stopped: Stopped::Upto,
        },
    }
}

/// The games of the catalogue whose heaps 0, 1, … have these values, as far as the list goes, or
/// as far as the meter allows.
pub fn same_values(values: &[u64], meter: &mut Meter) -> Vec<&'static str> {
    let agrees = |text: &str, meter: &mut Meter| {
        let Ok(ruleset) = grundy_rules::parse(text) else {
            return false;
        };
        let shape = Shape::of(&ruleset);
        if unsolved_clause(&ruleset).is_some() || has_values(&ruleset).is_err() || !shape.is_heaps()
        {
            return false;
        }
        let mut sequence = Sequence::new(&ruleset, &shape);
        // A game that differs soon costs little.
        let mut count = 8;
        loop {
            count = values.len().min(count);
            let computed = sequence.extend_to(count, meter);
            if computed.is_err() || *sequence.values() != values[..count] {
                return false;
            }
            if count == values.len() {
                return true;
            }
            count *= 2;
        }
    };
    let games = GAMES.iter().filter(|game| agrees(game.text, meter));
    games.map(|game| game.name).collect()
}

struct Search<'g> {
    ruleset: &'g Ruleset,
    method: Result<Method, NoProof>,
    sequence: Sequence<'g>,
    /// The most values to compute.
    most: u64,
    /// The law shown last without a proof, why it has none, and how often it was shown in a row.
    seen: Option<(Periodicity, NoProof, u32)>,
}

impl Search<'_> {
    /// Looks for a law until it is proved, believed, or `most` values were looked at.
    fn run(&mut self, meter: &mut Meter) -> Result<Option<Proved>, Undecided> {
        let mut length = FIRST;
        loop {
            self.extend_to(length.min(self.most), meter)?;
            match self.sequence.shown() {
                None => self.seen = None,
                Some(law) => match self.prove(law, meter)? {
                    Ok(proved) => return Ok(Some(proved)),
                    Err(why) => self.note(law, why),
                },
            }
            let length_now = self.sequence.values().len() as u64;
            let believed = length_now >= BELIEVED_FROM && self.is_believed();
            if length_now >= self.most || believed {
                return Ok(None);
            }
            length = (length + length / 2).max(length_now);
        }
    }

    /// Whether the law shown last was shown for long, and a longer table would not prove it either.
    fn is_believed(&self) -> bool {
        let Some((_, why, times)) = &self.seen else {
            return false;
        };
        let hopeless = match why {
            NoProof::Refused(_) => true,
            _ => !self.method.as_ref().is_ok_and(Method::covers_all_laws),
        };
        hopeless && *times >= BELIEVED_AFTER
    }

    fn extend_to(&mut self, count: u64, meter: &mut Meter) -> Result<(), Undecided> {
        let count = usize::try_from(count).map_err(|_| grundy_rules::Limit::Bytes)?;
        self.sequence.extend_to(count, meter)
    }

    fn note(&mut self, law: Periodicity, why: NoProof) {
        let times = match &self.seen {
            Some((last, _, times)) if *last == law => times + 1,
            _ => 1,
        };
        self.seen = Some((law, why, times));
    }

    /// The proof of a law that is shown, or why there is none yet.
    fn prove(
        &mut self,
        law: Periodicity,
        meter: &mut Meter,
    ) -> Result<Result<Proved, NoProof>, Undecided> {
        let method = match &self.method {
            Ok(method) => method.clone(),
            Err(why) => return Ok(Err(why.clone())),
        };
        let needed = method.values_needed(law);
        let Some(enough) = needed.filter(|needed| *needed <= self.most) else {
            let grows_otherwise = method
                .values_needed(Periodicity { saltus: 0, ..law })
                .is_some();
            return Ok(Err(
                if needed.is_none() && law.saltus > 0 && grows_otherwise {
                    NoProof::Saltus
                } else {
                    NoProof::Window { needed }
                },
            ));
        };
        let known = self.sequence.values().len() as u64;
        self.extend_to(enough.max(known), meter)?;
        if !law.holds_in_values(self.sequence.values()) {
            return Ok(Err(NoProof::Window { needed }));
        }
        match proof::periodic(self.ruleset, &method, law, &self.sequence, meter) {
            Ok(proved) => Ok(Ok(proved)),
            Err(Refusal::Undecided(limit)) => {
                self.seen = Some((law, NoProof::Refused(Refusal::Undecided(limit)), 1));
                Err(limit.into())
            }
            Err(refusal) => Ok(Err(NoProof::Refused(refusal))),
        }
    }

    fn without_proof(self, stopped: Stopped) -> LawReport {
        let below = self.sequence.values().len() as u64;
        let law = self.sequence.shown();
        match (law, self.seen) {
            (Some(law), Some((last, why, _))) if last == law => LawReport::Conjecture {
                law,
                upto: below - 1,
                why,
            },
            (Some(law), _) => LawReport::Conjecture {
                law,
                upto: below - 1,
                why: match self.method {
                    Ok(method) => NoProof::Window {
                        needed: method.values_needed(law),
                    },
                    Err(why) => why,
                },
            },
            (None, _) => LawReport::Nothing { below, stopped },
        }
    }
}
