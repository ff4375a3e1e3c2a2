//! What is known of a game in misère play, heap by heap and as a whole.

use std::cmp::Reverse;

use grundy_rules::{Limit, Meter, Ruleset};

use super::games::{Game, Games, Genus, ZERO};
use super::options::HeapOptions;
use super::{discover, wild_from};
use crate::law::{LawReport, NoSequence, independent_heaps};
use crate::outcome::Outcome;

/// What is known of a game in misère play.
#[derive(Clone, Debug)]
pub struct Report {
    /// The heaps 0, 1, …, as far as they were asked for and looked at.
    pub heaps: Vec<Heap>,
    /// The limit that ended the list early.
    pub ended: Option<Limit>,
    /// The first heap that is not tame, if one is known.
    pub wild: Option<u64>,
    /// The law that decides sums, if one was proved.
    pub law: LawReport,
}

/// One heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heap {
    /// Who wins.
    pub outcome: Outcome,
    /// Its Grundy values.
    pub genus: Genus,
    /// What kind of game it is.
    pub kind: Kind,
    /// Its canonical form.
    pub form: Form,
}

/// How simple a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Equal to a heap of Nim.
    Nimber,
    /// Like a sum of heaps of Nim.
    Tame,
    /// Anything else.
    Wild,
}

/// A canonical form, written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A heap of Nim.
    Nimber(u64),
    /// This game together with a heap of Nim of this size.
    Sum(Box<Form>, u64),
    /// A game with these options, the longest first.
    Options(Vec<Form>),
    /// Too large to be written out.
    Large,
}

/// The largest heap whose game is worked out.
pub const MOST_HEAP: u64 = 300;

/// How many games a form may be made of.
const MOST_FORM: usize = 400;

/// Says of each heap up to `upto` what it is in misère play, and finds the law that decides sums.
///
/// The heaps are worked out with `heaps`, the law is found with `meter`.
///
/// # Errors
///
/// Where sums are not disjunctive sums of heaps of one number.
pub fn report(
    ruleset: &Ruleset,
    upto: u64,
    heaps: &mut Meter,
    meter: &mut Meter,
) -> Result<Report, NoSequence> {
    let shape = independent_heaps(ruleset)?;
    let options = HeapOptions::new(ruleset, &shape);
    let mut builder = Builder {
        options,
        games: Games::new(),
        heaps: Vec::new(),
    };
    let mut listed = Vec::new();
    let mut ended = None;
    for _ in 0..=upto.min(MOST_HEAP) {
        match builder.next(heaps) {
            Ok(Some(heap)) => listed.push(heap),
            Ok(None) => return Err(NoSequence::Endless),
            Err(limit) => {
                ended = Some(limit);
                break;
            }
        }
    }
    let law = discover(ruleset, &shape, None, meter);
    Ok(Report {
        heaps: listed,
        ended,
        wild: wild_from(ruleset, &law, meter),
        law,
    })
}

struct Builder<'g> {
    options: HeapOptions<'g>,
    games: Games,
    /// The game of each heap.
    heaps: Vec<Game>,
}

impl Builder<'_> {
    /// The next heap; `None` if a move does not make it smaller.
    fn next(&mut self, meter: &mut Meter) -> Result<Option<Heap>, Limit> {
        let mut lists = Vec::new();
        let visited = self.options.visit(self.heaps.len(), meter, &mut |parts| {
            lists.push(parts.to_vec());
        })?;
        if visited.is_none() {
            return Ok(None);
        }
        let mut options = Vec::new();
        for parts in lists {
            let mut sum = ZERO;
            for part in parts {
                sum = self.games.sum(sum, self.heaps[part], meter)?;
            }
            options.push(sum);
        }
        let game = self.games.with_options(options, meter)?;
        self.heaps.push(game);
        let kind = if self.games.nimber(game).is_some() {
            Kind::Nimber
        } else if self.games.is_tame(game) {
            Kind::Tame
        } else {
            Kind::Wild
        };
        Ok(Some(Heap {
            outcome: Outcome::of_lost(self.games.is_lost(game)),
            genus: self.games.genus(game).clone(),
            kind,
            form: self.form(game, &mut { MOST_FORM }, meter)?,
        }))
    }

    /// Writes a game out; `left` is how many more games may be written.
    fn form(&mut self, game: Game, left: &mut usize, meter: &mut Meter) -> Result<Form, Limit> {
        if let Some(size) = self.games.nimber(game) {
            return Ok(Form::Nimber(size));
        }
        // A game of long play is large, or deep.
        let Some(fewer) = left
            .checked_sub(1)
            .filter(|_| self.games.length(game) < 200)
        else {
            return Ok(Form::Large);
        };
        *left = fewer;
        if let Some((inner, size)) = self.games.as_sum(game, meter)? {
            return Ok(match self.form(inner, left, meter)? {
                Form::Large => Form::Large,
                inner => Form::Sum(Box::new(inner), size),
            });
        }
        let mut options = self.games.options(game).to_vec();
        options.sort_by_key(|option| Reverse((self.games.length(*option), *option)));
        let mut forms = Vec::with_capacity(options.len());
        for option in options {
            match self.form(option, left, meter)? {
                Form::Large => return Ok(Form::Large),
                form => forms.push(form),
            }
        }
        Ok(Form::Options(forms))
    }
}
