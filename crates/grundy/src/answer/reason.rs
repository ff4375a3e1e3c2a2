//! How what is known gives its answer at one position, as data to be told.

use grundy_certificate::{Law, PointerClass};
use num_bigint::BigUint;

use crate::discover::Representation;
use crate::misere::Label;
use crate::pairing::Mirror;

/// What is known about a game at every size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// The law of the values of its heaps.
    Law(Law),
    /// Relations between sections of these values.
    Sections(Representation),
    /// A theorem of the literature.
    Theorem {
        /// The games that it speaks of.
        name: &'static str,
        /// What it says of them.
        statement: &'static str,
    },
}

/// How a value or an outcome follows from a [`Statement`], step by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A heap before the period, whose value is listed.
    Listed {
        /// The heap.
        heap: BigUint,
        /// From where on the values repeat.
        preperiod: u64,
    },
    /// `heap = preperiod + period * laps + rest`, so its value is that of `preperiod + rest`, and
    /// `saltus * laps` more.
    Repeats {
        /// The heap.
        heap: BigUint,
        /// From where on the values repeat.
        preperiod: u64,
        /// After how many heaps.
        period: u64,
        /// By how much they grow each time.
        saltus: u64,
        /// How many times.
        laps: BigUint,
        /// What is left, below `period`.
        rest: u64,
        /// The value of the heap `preperiod + rest`.
        first: u64,
    },
    /// Each heap has the value of the next one, as from a heap with `t` to take at most the value is that
    /// of the heap `t + 1` smaller, unless one fewer may be taken from the heap one smaller.
    Descends {
        /// Some heaps and how many may be taken from each at most, the given one first.
        steps: Vec<(BigUint, BigUint)>,
        /// Whether the last step is the end, where the value is `t`.
        ends: bool,
    },
    /// Each heap is in a residue class that points to the next one, or that gives the value.
    Points {
        /// Divide by this.
        modulus: u64,
        /// Some heaps, the given one first, with what remains and what is said of that class;
        /// no class for the smallest heaps, whose values are listed.
        steps: Vec<(BigUint, u64, Option<PointerClass>)>,
        /// Whether the last step gives the value.
        ends: bool,
    },
    /// The digits of each heap tell which smaller heap, the next one, has its value, or what that is.
    Linked {
        /// Some heaps, the given one first.
        steps: Vec<BigUint>,
        /// Whether the last one is new, so that the law says its value.
        ends: bool,
    },
    /// The value is the size of the heap.
    Size,
    /// `floor((heap - 1) / 2)`, and 0 for no counter.
    HalfBelow {
        /// The heap.
        heap: BigUint,
    },
    /// The last octal digit of a heap tells whether its value is the heap, one more or one less.
    LastOctalDigit {
        /// The heap.
        heap: BigUint,
        /// The digit.
        digit: u8,
    },
    /// `floor((number mod modulus) / divisor)`
    Remainder {
        /// The number.
        number: BigUint,
        /// What it is divided by.
        modulus: BigUint,
        /// What remains.
        remainder: BigUint,
        /// What that is divided by.
        divisor: BigUint,
    },
    /// The number of times that 2 divides a positive number.
    Twos {
        /// The number.
        number: BigUint,
        /// How often.
        times: u64,
    },
    /// The number of ones at the end of two numbers joined bit by bit.
    OnesAtEnd {
        /// The numbers, each 1 less than a heap.
        below: [BigUint; 2],
        /// Their bits joined by *or*.
        joined: BigUint,
    },
    /// Twice the place of a coin, and 1 more if that makes the number of ones odd.
    OddOnes {
        /// The place of the coin, from 0.
        coin: BigUint,
        /// How many ones it has.
        ones: u64,
    },
    /// The largest power of 2 that divides a number, of those up to a bound.
    PowerOfTwo {
        /// The number, 1 more than the place of a coin.
        number: BigUint,
        /// The bound, if there is one.
        most: Option<BigUint>,
    },
    /// The value of a bean in a bottle is that of the coin one before it: twice the place of the coin, and 1 more if
    /// that makes the number of ones odd.
    Bean {
        /// The place of the coin, from 0.
        coin: BigUint,
        /// How many ones it has.
        ones: u64,
    },
    /// How many primes a number is a product of.
    Primes {
        /// The number, positive.
        number: BigUint,
        /// The primes, ascending, with how often each divides it.
        factors: Vec<(BigUint, u32)>,
    },
    /// The place among the primes of the least one that divides a number; 0 for an even number.
    LeastPrime {
        /// The number, above 1.
        number: BigUint,
        /// The prime.
        prime: BigUint,
    },
    /// `floor(number / divisor)`
    Quotient {
        /// The number.
        number: BigUint,
        /// The divisor.
        divisor: BigUint,
    },
    /// `number = laps * step + rest`, and the value is `base` and the smaller of `laps` and `most`.
    Laps {
        /// The number.
        number: BigUint,
        /// The distance from each take to the next.
        step: BigUint,
        /// How often it goes into the number.
        laps: BigUint,
        /// What remains.
        rest: BigUint,
        /// The value of the remainder.
        base: BigUint,
        /// How often the values of its class grow.
        most: BigUint,
    },
    /// The nim-sum of the stairs of odd number.
    Stairs {
        /// What each of them is worth, from stair 1 on.
        odd: Vec<BigUint>,
    },
    /// The values of a row from its end on: each heap with the value of the row that begins there.
    FromTheEnd {
        /// The last heap first; of a long row only some of them.
        values: Vec<(BigUint, BigUint)>,
        /// How many heaps the row has.
        row: usize,
    },
    /// `floor(|x/y - y/x|)`
    Ratio {
        /// The smaller number, positive.
        small: BigUint,
        /// The larger one.
        large: BigUint,
    },

    /// In misère play of takes: these values of the components in normal play decide.
    Misere {
        /// One for each component.
        values: Vec<BigUint>,
    },
    /// In misère play: the labels of the components add up to one that decides.
    Labels {
        /// The first components.
        heaps: Vec<(BigUint, Label)>,
        /// How many components there are.
        components: usize,
        /// The label of the sum.
        sum: Label,
        /// Whether sums with this label are lost.
        lost: bool,
    },
    /// Counts of ones in each binary place.
    Columns {
        /// The numbers.
        heaps: Vec<BigUint>,
        /// For each place, the lowest first, how many have a one there.
        ones: Vec<usize>,
        /// What each count must be divisible by.
        modulus: usize,
        /// Whether all heaps are at most 1 and play is misère: then 1 must remain.
        small_misere: bool,
    },
    /// The lost pair that one of the numbers is in.
    Pair {
        /// The numbers, the smaller one first.
        numbers: [BigUint; 2],
        /// The index of the pair.
        index: BigUint,
        /// The pair.
        pair: [BigUint; 2],
        /// By how much numbers may differ that are taken from both, and 1 more.
        r: BigUint,
        /// Which formula gives the pair.
        formula: PairFormula,
    },
    /// The smallest term of a number against what may be taken.
    Terms {
        /// The number, 1 less than the heap in misère play.
        number: BigUint,
        /// Whether it is 1 less than the heap.
        misere: bool,
        /// What may be taken at most.
        most: BigUint,
        /// The terms that sum up to the number, the largest first.
        terms: Vec<BigUint>,
        /// A take of k allows so many times k next; `None` for another bound.
        times: Option<BigUint>,
    },
    /// Equal components in pairs, and others that are their own mirror images: each move has a reply that mirrors it.
    Mirrored {
        /// How many pairs.
        pairs: usize,
        /// By which mirrors the others are their own images.
        own: Vec<Mirror>,
    },
    /// There is nothing that may be taken.
    NoMove,
    /// Whether a ratio is below the golden one.
    GoldenRatio {
        /// The smaller number.
        small: BigUint,
        /// The larger one.
        large: BigUint,
    },
    /// The heap that would make a row lost in place of its first one.
    FirstHeap {
        /// The first heap.
        first: BigUint,
        /// The one that makes the row lost.
        wanted: BigUint,
    },
    /// The number of heaps of 1 at the beginning of a row.
    OnesAtStart {
        /// How many.
        ones: usize,
    },
    /// How many numbers are left, and their exclusive or.
    Erased {
        /// How many.
        count: usize,
        /// The exclusive or.
        xor: BigUint,
    },
    /// How many heaps of 1 there are, and the sum of the others with 1 more for each, less 1.
    Merged {
        /// Heaps of 1.
        ones: u64,
        /// The sum.
        sum: BigUint,
    },
}

/// A formula for the lost pairs of Wythoff's game and its relatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairFormula {
    /// `floor(n*alpha)` and `r*n` more.
    Normal,
    /// `floor(n*alpha + 1/alpha)` and `r*n + 1` more.
    Misere,
    /// The two pairs 0,1 and 2,2 of misère Wythoff.
    Exception,
}
