//! Exact values in misère play: the canonical forms of games, and their genus.
//!
//! Two games are equal if they may stand for each other in every sum, played misère. Equal games
//! have the same canonical form, which is found by deleting reversible options (J. H. Conway, *On Numbers and
//! Games*, chapter 12): if an option of each of some options of `G` is `H`, and the other options of
//! `G` are those of `H`, then `G = H`; where `H` is the empty game, `G` must besides be won by the player
//! who moves. Unlike in normal play there are many values, and the games grow quickly.

use std::cmp::Reverse;
use std::collections::HashMap;

use grundy_rules::{Limit, Meter};

use crate::nimber::mex;

/// A game in canonical form, of those that some [`Games`] hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Game(u32);

/// The game without moves.
pub const ZERO: Game = Game(0);

/// Games in canonical form, each once.
#[derive(Clone, Debug)]
pub struct Games {
    /// What is known of each.
    all: Vec<Known>,
    by_options: HashMap<Vec<Game>, Game>,
    sums: HashMap<(Game, Game), Game>,
}

#[derive(Clone, Debug)]
struct Known {
    /// Ascending.
    options: Vec<Game>,
    nimber: Option<u64>,
    genus: Genus,
    is_tame: bool,
    /// The most moves that play can last.
    length: u32,
}

/// The Grundy value of a game `G` in normal play, and its misère Grundy values together with heaps of Nim of 2:
/// of `G`, `G + *2`, `G + *2 + *2`, …
///
/// From the last two on, which differ by exclusive or with 2, they alternate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genus {
    /// In normal play.
    pub normal: u64,
    /// In misère play; two at least.
    pub misere: Vec<u64>,
}

impl Genus {
    fn at(&self, place: usize) -> u64 {
        let last = self.misere.len() - 1;
        match self.misere.get(place) {
            Some(value) => *value,
            None => {
                self.misere[last]
                    ^ if (place - last).is_multiple_of(2) {
                        0
                    } else {
                        2
                    }
            }
        }
    }

    /// The genus of a game with options of these.
    ///
    /// The misère values are mexes of those of the options, among which are, for `G + *2 + …`, those of one
    /// `*2` moved to `*1` or to nothing; and `*1` changes the lowest bit.
    fn of_options(options: &[&Genus]) -> Self {
        let normal = mex(options.iter().map(|genus| genus.normal));
        let longest = options.iter().map(|genus| genus.misere.len()).max();
        let settled = longest.unwrap_or(0) + 1;
        let mut misere: Vec<u64> = Vec::new();
        loop {
            let place = misere.len();
            let moved = misere.last().map(|last| [*last, last ^ 1]);
            let of_options = options.iter().map(|genus| genus.at(place));
            let values = of_options.chain(moved.into_iter().flatten());
            misere.push(if options.is_empty() && place == 0 {
                1
            } else {
                mex(values)
            });
            // The options alternate by now; the next value follows from the last one, by the same rule
            // at every other place.
            if let [.., a, b, c] = misere[..]
                && place > settled + 2
                && a ^ b == 2
                && a == c
            {
                break;
            }
        }
        while let [.., a, b, c] = misere[..]
            && a ^ b == 2
            && a == c
        {
            misere.pop();
        }
        Self { normal, misere }
    }

    /// Whether it is the genus of a heap of Nim, or of a sum of such heaps.
    pub fn is_tame(&self) -> bool {
        self.is_fickle() || self.misere == [self.normal, self.normal ^ 2]
    }

    /// Whether it is the genus of sums of heaps of Nim that are at most 1.
    pub fn is_fickle(&self) -> bool {
        match self.normal {
            0 => self.misere == [1, 2, 0],
            1 => self.misere == [0, 3, 1],
            _ => false,
        }
    }
}

impl Default for Games {
    fn default() -> Self {
        Self::new()
    }
}

impl Games {
    /// The empty game alone.
    pub fn new() -> Self {
        let zero = Known {
            options: Vec::new(),
            nimber: Some(0),
            genus: Genus::of_options(&[]),
            is_tame: true,
            length: 0,
        };
        Self {
            all: vec![zero],
            by_options: HashMap::from([(Vec::new(), ZERO)]),
            sums: HashMap::new(),
        }
    }

    fn known(&self, game: Game) -> &Known {
        &self.all[game.0 as usize]
    }

    /// The options of a game.
    pub fn options(&self, game: Game) -> &[Game] {
        &self.known(game).options
    }

    /// The size of the heap of Nim that a game is, if it is one.
    pub fn nimber(&self, game: Game) -> Option<u64> {
        self.known(game).nimber
    }

    /// The genus of a game.
    pub fn genus(&self, game: Game) -> &Genus {
        &self.known(game).genus
    }

    /// Whether a game may be taken for a sum of heaps of Nim of the same genus, in sums of such games.
    ///
    /// That is so if its genus is that of such a sum, and each option is such a game too or has an option
    /// of the same genus as the game (*Winning Ways*, chapter 13: wild options that revert).
    pub fn is_tame(&self, game: Game) -> bool {
        self.known(game).is_tame
    }

    /// Whether the player about to move loses.
    pub fn is_lost(&self, game: Game) -> bool {
        self.genus(game).misere[0] == 0
    }

    /// The most moves that play can last.
    pub fn length(&self, game: Game) -> u32 {
        self.known(game).length
    }

    /// The canonical form of a game with these options.
    pub fn with_options(
        &mut self,
        mut options: Vec<Game>,
        meter: &mut Meter,
    ) -> Result<Game, Limit> {
        options.sort_unstable();
        options.dedup();
        if let Some(game) = self.by_options.get(&options) {
            return Ok(*game);
        }
        if let Some(game) = self.simpler(&options, meter)? {
            return Ok(game);
        }
        meter.allocate(128 + 8 * options.len() as u64)?;
        let game = Game(u32::try_from(self.all.len()).map_err(|_| Limit::Bytes)?);
        let genera: Vec<&Genus> = options.iter().map(|option| self.genus(*option)).collect();
        let genus = Genus::of_options(&genera);
        let count = options.len() as u64;
        let nimbers = (0..count).zip(&options);
        let is_nimber = nimbers
            .clone()
            .all(|(_, option)| self.nimber(*option).is_some_and(|n| n < count));
        let reverts = |option: &Game| {
            let mut options = self.options(*option).iter();
            options.any(|option| self.is_tame(*option) && *self.genus(*option) == genus)
        };
        let is_tame = genus.is_tame()
            && options
                .iter()
                .all(|option| self.is_tame(*option) || reverts(option));
        let length = options.iter().map(|option| self.length(*option) + 1).max();
        self.all.push(Known {
            nimber: is_nimber.then_some(count),
            genus,
            is_tame,
            length: length.unwrap_or(0),
            options: options.clone(),
        });
        self.by_options.insert(options, game);
        Ok(game)
    }

    /// The option of an option that a game with these options is equal to, if there is one.
    fn simpler(&self, options: &[Game], meter: &mut Meter) -> Result<Option<Game>, Limit> {
        let Some(first) = options.iter().max_by_key(|option| self.length(**option)) else {
            return Ok(None);
        };
        // The longest option is none of `H`, which would be longer.
        for &simple in self.options(*first) {
            let of_simple = self.options(simple);
            meter.spend(1 + options.len() as u64)?;
            let has = |option: &Game| options.binary_search(option).is_ok();
            let reverts = |option: &Game| {
                of_simple.binary_search(option).is_ok()
                    || self.options(*option).binary_search(&simple).is_ok()
            };
            let proviso = simple != ZERO || options.iter().any(|option| self.is_lost(*option));
            if proviso && of_simple.iter().all(has) && options.iter().all(reverts) {
                return Ok(Some(simple));
            }
        }
        Ok(None)
    }

    /// The sum of two games.
    pub fn sum(&mut self, a: Game, b: Game, meter: &mut Meter) -> Result<Game, Limit> {
        let key = |a: Game, b: Game| if a <= b { (a, b) } else { (b, a) };
        let mut open = vec![key(a, b)];
        while let Some(&(a, b)) = open.last() {
            let is_open = |pair: &(Game, Game)| !self.sums.contains_key(pair);
            if a == ZERO || !is_open(&(a, b)) {
                self.sums.entry((a, b)).or_insert(b);
                open.pop();
                continue;
            }
            let left = self.options(a).iter().map(|option| key(*option, b));
            let right = self.options(b).iter().map(|option| key(a, *option));
            let pairs: Vec<(Game, Game)> = left.chain(right).collect();
            meter.spend(1 + pairs.len() as u64)?;
            let before = open.len();
            open.extend(pairs.iter().filter(|pair| is_open(pair)));
            if open.len() == before {
                let options = pairs.iter().map(|pair| self.sums[pair]).collect();
                let sum = self.with_options(options, meter)?;
                meter.allocate(32)?;
                self.sums.insert((a, b), sum);
                open.pop();
            }
        }
        Ok(self.sums[&key(a, b)])
    }

    /// The heap of Nim of this size.
    pub fn nim_heap(&mut self, size: u64, meter: &mut Meter) -> Result<Game, Limit> {
        let mut smaller = Vec::new();
        loop {
            let heap = self.with_options(smaller.clone(), meter)?;
            if smaller.len() as u64 == size {
                return Ok(heap);
            }
            smaller.push(heap);
        }
    }

    /// An option `H` and the positive size `n` for which a game is the sum of `H` and of a heap of Nim
    /// of `n`; the longest such `H`.
    pub fn as_sum(&mut self, game: Game, meter: &mut Meter) -> Result<Option<(Game, u64)>, Limit> {
        let mut options = self.options(game).to_vec();
        options.sort_by_key(|option| Reverse(self.length(*option)));
        for option in &options {
            // The sum would last longer by the size.
            let size = u64::from(self.length(game) - self.length(*option));
            let heap = self.nim_heap(size, meter)?;
            if self.sum(*option, heap, meter)? == game {
                return Ok(Some((*option, size)));
            }
        }
        Ok(None)
    }
}
