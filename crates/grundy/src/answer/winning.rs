//! The moves of one heap that leave a given value, from a law, without visiting its options.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use grundy_rules::options::RuleOption;
use grundy_rules::{Component, Limit, Meter, Ruleset};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

use super::family::{Family, Piece, families};
use super::periodic::PeriodicLaw;
use super::strand::Strand;

/// The moves of one heap to options of one value.
///
/// They are moves as `grundy_rules::options` counts them: choices with the same label and
/// result are one, mirror images included.
#[derive(Clone, Debug)]
pub struct HeapMoves {
    groups: Vec<Group>,
}

/// A family whose choices win.
#[derive(Clone, Debug)]
struct Group {
    family: Family,
    strands: Vec<Strand>,
    /// The sum of two choices with mirrored results, where these count as one.
    mirror: Option<BigInt>,
}

/// The moves of the heap `n` that leave `target`, under a periodic law.
///
/// `None` where the rules are outside what families and the law describe: then the moves must be
/// found in another way. Costs some operations for each heap of the preperiod and the period.
pub fn moves_to(
    ruleset: &Ruleset,
    law: &PeriodicLaw,
    n: &BigUint,
    target: &BigUint,
    meter: &mut Meter,
) -> Result<Option<HeapMoves>, Limit> {
    moves_with(ruleset, n, meter, &|family, meter| {
        meter.spend(law.values.len() as u64)?;
        Ok(law.choices(family, target))
    })
}

/// The values of a family's running choice that are wanted; `None` where they cannot be told.
pub type Choose<'c> = dyn Fn(&Family, &mut Meter) -> Result<Option<Vec<Strand>>, Limit> + 'c;

/// The moves of the heap `n` whose choices are wanted; `None` where the rules are outside what
/// families describe.
pub fn moves_with(
    ruleset: &Ruleset,
    n: &BigUint,
    meter: &mut Meter,
    choose: &Choose,
) -> Result<Option<HeapMoves>, Limit> {
    let Some(families) = families(ruleset, n, meter)? else {
        return Ok(None);
    };
    if !are_disjoint(ruleset, &families) {
        return Ok(None);
    }
    let mut groups = Vec::with_capacity(families.len());
    for family in families {
        let Some(group) = winning(family, choose, meter)? else {
            return Ok(None);
        };
        groups.push(group);
    }
    Ok(Some(HeapMoves { groups }))
}

/// All moves of the heap `n`; `None` where the rules are outside what families describe.
pub fn all_moves(
    ruleset: &Ruleset,
    n: &BigUint,
    meter: &mut Meter,
) -> Result<Option<HeapMoves>, Limit> {
    moves_with(ruleset, n, meter, &|family, meter| {
        let mut strands = Vec::with_capacity(family.pieces.len());
        for piece in &family.pieces {
            strands.push(match piece {
                Piece::Points(points) => Strand::Points(points.clone()),
                Piece::Range { low, high, .. } if low > high => Strand::Points(Vec::new()),
                Piece::Range {
                    low,
                    high,
                    modulus,
                    residues,
                } => {
                    meter.spend(*modulus)?;
                    let first = low.mod_floor(&BigInt::from(*modulus));
                    let first = u64::try_from(first).expect("a residue is below its modulus");
                    let distance = |residue: &u64| (residue + modulus - first) % modulus;
                    let mut residues: Vec<u64> = residues.iter().map(distance).collect();
                    residues.sort_unstable();
                    Strand::Progressions {
                        low: low.clone(),
                        high: high.clone(),
                        modulus: *modulus,
                        residues,
                    }
                }
            });
        }
        Ok(Some(strands))
    })
}

/// Whether no two families can lead to the same result under one label.
///
/// Results with different numbers of parts differ, and so do splits of different totals.
fn are_disjoint(ruleset: &Ruleset, families: &[Family]) -> bool {
    let mut kinds = BTreeMap::new();
    families.iter().all(|family| {
        let slopes: BigInt = family.parts.iter().map(|part| &part.slope).sum();
        let total: BigInt = family.parts.iter().map(|part| &part.constant).sum();
        let label = ruleset.moves[family.rule].label.as_str();
        let fixed = slopes.is_zero();
        let kind = (label, family.parts.len());
        let totals: &mut Vec<Option<BigInt>> = kinds.entry(kind).or_default();
        let total = fixed.then_some(total);
        let is_new = match &total {
            None => totals.is_empty(),
            Some(_) => !totals.contains(&total) && !totals.contains(&None),
        };
        totals.push(total);
        is_new
    })
}

fn winning(mut family: Family, choose: &Choose, meter: &mut Meter) -> Result<Option<Group>, Limit> {
    let Some(mirror) = mirror(&mut family) else {
        return Ok(None);
    };
    let strands = choose(&family, meter)?;
    Ok(strands.map(|strands| Group {
        family,
        strands,
        mirror,
    }))
}

/// The sum of two choices with mirrored results, where these count as one: then the family keeps
/// the smaller one of each pair. `None` where that cannot be told.
#[allow(
    clippy::option_option,
    reason = "the inner one is part of the answer, the outer one says that there is none"
)]
fn mirror(family: &mut Family) -> Option<Option<BigInt>> {
    let mirror = match family.parts.as_slice() {
        [a, b] if a.slope == -&b.slope && a.slope.magnitude().is_one() => {
            Some((&b.constant - &a.constant) * &a.slope)
        }
        [] | [_] => None,
        [a, b] if a.slope.is_zero() && b.slope.is_zero() => None,
        _ => return None,
    };
    Some(match mirror {
        None => None,
        Some(sum) => match halve(&family.pieces, &sum)? {
            Halved::Overlapping(pieces) => {
                family.pieces = pieces;
                Some(sum)
            }
            Halved::Apart => None,
        },
    })
}

/// What mirroring does to a set of choices.
enum Halved {
    /// Every choice has its mirror image in the set; these are the smaller ones.
    Overlapping(Vec<Piece>),
    /// No choice but a middle one has its mirror image in the set.
    Apart,
}

/// Whether the set of choices is its own mirror image under x -> sum - x, or apart from it;
/// `None` if neither.
fn halve(pieces: &[Piece], sum: &BigInt) -> Option<Halved> {
    let half = sum.div_floor(&BigInt::from(2));
    let mirrored = |piece: &Piece| match piece {
        Piece::Points(points) => Piece::Points(points.iter().rev().map(|x| sum - x).collect()),
        Piece::Range {
            low,
            high,
            modulus,
            residues,
        } => {
            let m = BigInt::from(*modulus);
            let mirror = |r: &u64| {
                let residue = (sum - *r).mod_floor(&m);
                u64::try_from(residue).expect("a residue is below its modulus")
            };
            let mut residues: Vec<u64> = residues.iter().map(mirror).collect();
            residues.sort_unstable();
            Piece::Range {
                low: sum - high,
                high: sum - low,
                modulus: *modulus,
                residues,
            }
        }
    };
    let lowest = |piece: &Piece| match piece {
        Piece::Points(points) => points.first().cloned(),
        Piece::Range { low, high, .. } => (low <= high).then(|| low.clone()),
    };
    let highest = |piece: &Piece| match piece {
        Piece::Points(points) => points.last().cloned(),
        Piece::Range { low, high, .. } => (low <= high).then(|| high.clone()),
    };
    let low = pieces.iter().filter_map(lowest).min();
    let high = pieces.iter().filter_map(highest).max();
    let (Some(low), Some(high)) = (low, high) else {
        return Some(Halved::Apart);
    };
    if &low * 2 >= *sum || &high * 2 <= *sum {
        return Some(Halved::Apart);
    }
    let mirror_image: Vec<Piece> = pieces.iter().rev().map(mirrored).collect();
    if mirror_image != pieces {
        return None;
    }
    let smaller = pieces.iter().filter_map(|piece| match piece {
        Piece::Points(points) => Some(Piece::Points(
            points.iter().filter(|x| **x <= half).cloned().collect(),
        )),
        Piece::Range {
            low,
            high,
            modulus,
            residues,
        } => (*low <= half).then(|| Piece::Range {
            low: low.clone(),
            high: high.min(&half).clone(),
            modulus: *modulus,
            residues: residues.clone(),
        }),
    });
    Some(Halved::Overlapping(smaller.collect()))
}

impl HeapMoves {
    /// How many moves there are.
    pub fn count(&self) -> BigUint {
        self.groups
            .iter()
            .flat_map(|group| &group.strands)
            .map(Strand::count)
            .sum()
    }

    /// The move whose parts, in the order of the rule's text, are least; `None` if there is none.
    pub fn least(&self) -> Option<RuleOption> {
        let ends = self.groups.iter().flat_map(|group| {
            let of_strand = |strand: &Strand| [strand.first(), strand.last()];
            group
                .strands
                .iter()
                .flat_map(of_strand)
                .flatten()
                .map(|x| group.option(&x))
        });
        ends.min_by(|a, b| a.result.cmp(&b.result))
    }

    /// The moves, lazily, in the order: rule, alternative, choices ascending.
    pub fn iter(&self) -> impl Iterator<Item = RuleOption> + '_ {
        let place = |group: &Group| (group.family.rule, group.family.alternative);
        let blocks = self.groups.chunk_by(move |a, b| place(a) == place(b));
        blocks.flat_map(Block::new)
    }
}

/// The moves of one alternative, merged from its families in the order of all choices.
struct Block<'m> {
    /// The next of each strand.
    heads: BinaryHeap<Reverse<Head>>,
    groups: &'m [Group],
}

/// All choices, then the running one, then the indices of the group and of the strand in it.
type Head = (Vec<BigInt>, BigInt, usize, usize);

impl<'m> Block<'m> {
    fn new(groups: &'m [Group]) -> Self {
        let mut block = Self {
            heads: BinaryHeap::new(),
            groups,
        };
        for (g, group) in groups.iter().enumerate() {
            for (s, strand) in group.strands.iter().enumerate() {
                if let Some(first) = strand.first() {
                    block.push(first, g, s);
                }
            }
        }
        block
    }

    fn push(&mut self, x: BigInt, group: usize, strand: usize) {
        let choices = self.groups[group].family.choices.iter();
        let all = choices
            .map(|(_, value)| value.clone().unwrap_or_else(|| x.clone()))
            .collect();
        self.heads.push(Reverse((all, x, group, strand)));
    }
}

impl Iterator for Block<'_> {
    type Item = RuleOption;

    fn next(&mut self) -> Option<RuleOption> {
        let Reverse((_, x, g, s)) = self.heads.pop()?;
        if let Some(next) = self.groups[g].strands[s].next(&(&x + 1)) {
            self.push(next, g, s);
        }
        Some(self.groups[g].option(&x))
    }
}

impl Group {
    /// The move that a value of the running choice makes.
    fn option(&self, x: &BigInt) -> RuleOption {
        let heap = |n: BigInt| {
            Component::of_numbers([n
                .to_biguint()
                .expect("pieces keep parts from being negative")])
        };
        let choices = self.family.choices.iter();
        let is_double = self.mirror.as_ref().is_some_and(|sum| *sum != x * 2);
        RuleOption {
            rule: self.family.rule,
            result: self
                .family
                .parts
                .iter()
                .map(|part| heap(part.at(x)))
                .collect(),
            choices: choices
                .map(|(name, value)| (name.clone(), value.clone().unwrap_or_else(|| x.clone())))
                .collect(),
            ways: 1 + u64::from(is_double),
        }
    }
}
