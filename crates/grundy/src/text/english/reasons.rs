//! How values and outcomes follow from theorems and laws.

use grundy_certificate::PointerClass;
use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::explanations::digits;
use crate::answer::Reason;
use crate::answer::reason::PairFormula;
use crate::nimber::Nimber;
use crate::outcome::Outcome;
use crate::pairing::Mirror;
use crate::text::document::{Block, Grid, GridRow};

/// The most numbers that are written out in a row.
const MOST_WRITTEN: usize = 16;

/// How the value of a component follows, as what stands behind its name.
pub(super) fn of_value(reason: &Reason, value: &Nimber) -> String {
    match reason {
        Reason::Listed { heap, preperiod } => format!(
            "{heap} is below {preperiod}, where the repetition begins; the law lists its value {value}"
        ),
        Reason::Repeats { .. } => repeats(reason, value),
        Reason::Descends { steps, ends } => {
            let mut chain: Vec<String> = steps.iter().map(|(n, _)| format!("g({n})")).collect();
            match steps.last() {
                Some((n, _)) if *ends => chain.push(format!("t({n})")),
                _ => chain.push("…".to_owned()),
            }
            chain.push(value.to_string());
            chain.join(" = ")
        }
        Reason::Linked { steps, ends } => linked(steps, *ends, value),
        Reason::Points {
            modulus,
            steps,
            ends,
        } => points(*modulus, steps, *ends, value),
        Reason::Size => format!("the value of a heap is its size, {value}"),
        Reason::Remainder {
            number,
            modulus,
            remainder,
            divisor,
        } => {
            let left = format!("{number} mod {modulus} = {remainder}");
            if divisor.is_one() {
                left
            } else {
                format!("{left}, and ⌊{remainder}/{divisor}⌋ = {value}")
            }
        }
        Reason::Twos { number, times } => {
            let odd = number >> *times;
            format!("{number} = 2^{times} · {odd} with {odd} odd, so the value is {value}")
        }
        Reason::OnesAtEnd {
            below: [a, b],
            joined,
        } => format!(
            "{a} is {} and {b} is {} in binary; joined bit by bit they are {}, with {value} ones at the end",
            digits(a),
            digits(b),
            digits(joined)
        ),
        Reason::OddOnes { coin, ones } => odd_ones(coin, *ones, value),
        Reason::Stairs { odd } => stairs(odd, value),
        Reason::FromTheEnd { values, row } => {
            let told: Vec<String> = values
                .iter()
                .map(|(heap, value)| format!("heap {heap} makes it {value}"))
                .collect();
            let rest = if values.len() < *row {
                format!("; so on, up to {value}")
            } else {
                String::new()
            };
            format!("from the last heap on: {}{rest}", told.join(", then "))
        }
        Reason::Ratio { small, large } => {
            let difference = large * large - small * small;
            let product = small * large;
            format!(
                "({large}² - {small}²)/({small}·{large}) = {difference}/{product}, rounded down {value}"
            )
        }
        _ => of_arithmetic(reason, value),
    }
}

/// How the value of a heap follows from its digits, divisors and quotients.
fn of_arithmetic(reason: &Reason, value: &Nimber) -> String {
    match reason {
        Reason::HalfBelow { heap } if heap.is_zero() => "an empty heap has no move".to_owned(),
        Reason::HalfBelow { heap } => format!("⌊({heap} - 1)/2⌋ = {value}"),
        Reason::LastOctalDigit { heap, digit } => {
            let place = format!("{heap} mod 8 = {digit}");
            match digit {
                7 => format!("{place}, so the value is one more, {value}"),
                0 if !heap.is_zero() => format!("{place}, so the value is one less, {value}"),
                _ => format!("{place}, so the value is the heap, {value}"),
            }
        }
        Reason::PowerOfTwo { number, most } => {
            let bound = most.as_ref().map(|most| format!(", of those up to {most}"));
            let bound = bound.unwrap_or_default();
            format!("{value} is the largest power of 2 that divides {number}{bound}")
        }
        Reason::Bean { coin, ones } => odd_ones(coin, *ones, value),
        Reason::Primes { number, factors } => primes(number, factors, value),
        Reason::LeastPrime { number, prime } if *prime == BigUint::from(2u8) => {
            format!("{number} is even, so the value is {value}")
        }
        Reason::LeastPrime { number, prime } => format!(
            "the least prime that divides {number} is {prime}, in place {value} among the primes 2, 3, 5, …"
        ),
        Reason::Quotient { number, divisor } => format!("⌊{number}/{divisor}⌋ = {value}"),
        Reason::Laps {
            number,
            step,
            laps,
            rest,
            base,
            most,
        } => format!(
            "{number} = {laps}·{step} + {rest}; the value of {rest} is {base}, and with each {step} more it grows by 1, \
             {most} {}: {base} + min({laps}, {most}) = {value}",
            if most.is_one() { "time" } else { "times" }
        ),
        _ => format!("its value is {value}"),
    }
}

/// Twice the place of a coin, and 1 more if that makes the number of ones odd.
fn odd_ones(coin: &BigUint, ones: u64, value: &Nimber) -> String {
    format!(
        "{coin} is {} in binary, with {ones} {}, so the value is 2·{coin}{} = {value}",
        digits(coin),
        if ones == 1 { "one" } else { "ones" },
        if ones.is_multiple_of(2) { " + 1" } else { "" }
    )
}

/// A number as a product of primes, and how many there are.
fn primes(number: &BigUint, factors: &[(BigUint, u32)], value: &Nimber) -> String {
    if factors.is_empty() {
        return format!("no prime divides {number}");
    }
    let powers = factors.iter().map(|(prime, times)| match times {
        1 => prime.to_string(),
        times => format!("{prime}^{times}"),
    });
    let powers: Vec<String> = powers.collect();
    format!(
        "{number} = {}, a product of {value} {}",
        powers.join(" · "),
        if value.0.is_one() { "prime" } else { "primes" }
    )
}

/// How the value of a heap follows from a period.
fn repeats(reason: &Reason, value: &Nimber) -> String {
    let Reason::Repeats {
        heap,
        preperiod,
        period,
        saltus,
        laps,
        rest,
        first,
    } = reason
    else {
        return String::new();
    };
    let like = preperiod + rest;
    if laps.is_zero() && *preperiod == 0 {
        return format!("{heap} is in the first period, of {period}; its value is {value}");
    }
    let place = if *preperiod == 0 {
        format!("{heap} mod {period} = {rest}")
    } else {
        let over = heap - preperiod;
        format!("{heap} = {preperiod} + {over}, and {over} mod {period} = {rest}")
    };
    if *saltus == 0 {
        format!("{place}, so its value is that of heap {like}, which is {first}")
    } else {
        format!(
            "{place}, {laps} periods above heap {like}, which has the value {first}; each \
             period adds {saltus}: {first} + {laps}·{saltus} = {value}"
        )
    }
}

/// The stairs of odd number, and their nim-sum.
fn stairs(odd: &[BigUint], value: &Nimber) -> String {
    let odd: Vec<&BigUint> = odd.iter().collect();
    match odd.as_slice() {
        [] => "there is no stair of odd number".to_owned(),
        [one] => format!("the stair of odd number holds {one}"),
        odd => format!(
            "the stairs of odd number hold {}, and {} = {value}",
            listed(odd, ", "),
            listed(odd, " ⊕ ")
        ),
    }
}

/// Numbers of which there may be many.
fn listed(numbers: &[&BigUint], separator: &str) -> String {
    let shown = numbers.iter().take(MOST_WRITTEN);
    let mut shown: Vec<String> = shown.map(ToString::to_string).collect();
    if numbers.len() > MOST_WRITTEN {
        shown.push("…".to_owned());
    }
    shown.join(separator)
}

fn points(
    modulus: u64,
    steps: &[(BigUint, u64, Option<PointerClass>)],
    ends: bool,
    value: &Nimber,
) -> String {
    let told = steps
        .iter()
        .enumerate()
        .map(|(index, (heap, residue, class))| {
            let next = steps.get(index + 1).map(|next| &next.0);
            let place = format!("{heap} mod {modulus} = {residue}");
            match (class, next) {
                (None, _) => format!("g({heap}) = {value} is listed"),
                (Some(PointerClass::New { .. }), _) => format!("{place}, so g({heap}) = {value}"),
                (Some(PointerClass::Pointer { .. }), Some(next)) => {
                    format!("{place}, so g({heap}) = g({next})")
                }
                (Some(PointerClass::Pointer { .. }), None) => format!("{place}, and so on down"),
            }
        });
    let told: Vec<String> = told.collect();
    let told = told.join("; ");
    if ends {
        told
    } else {
        format!("{told} to the value {value}")
    }
}

fn linked(steps: &[BigUint], ends: bool, value: &Nimber) -> String {
    let links = steps.windows(2);
    let links = links.map(|pair| format!("g({}) = g({})", pair[0], pair[1]));
    let mut told: Vec<String> = links.collect();
    match steps.last() {
        Some(last) if ends => told.push(format!("g({last}) = {value}, as its digits tell")),
        _ => told.push(format!("and so on down to the value {value}")),
    }
    told.join("; ")
}

/// How the outcome of a whole position follows.
pub(super) fn of_outcome(reason: &Reason, outcome: Outcome) -> Vec<Block> {
    let lost = outcome == Outcome::P;
    let so = if lost {
        "so it is lost"
    } else {
        "so it is won"
    };
    let text = match reason {
        Reason::Misere { values } => return misere(values, so),
        Reason::Labels {
            heaps,
            components,
            sum,
            lost,
        } => {
            let text = super::misere::reason_by_labels(heaps, *components, sum, *lost, so);
            return vec![Block::Text(text)];
        }
        Reason::Columns {
            heaps,
            ones,
            modulus,
            small_misere,
        } => return columns(heaps, ones, *modulus, *small_misere, so),
        Reason::Pair {
            numbers: [small, large],
            index,
            pair: [a, b],
            r,
            formula,
        } => {
            let pair = match formula {
                PairFormula::Normal => format!(
                    "The pair n = {index} is ⌊{index}·α⌋ = {a} and {a} + {} = {b}",
                    r * index
                ),
                PairFormula::Misere => format!(
                    "The pair n = {index} is ⌊{index}·α + 1/α⌋ = {a} and {a} + {} = {b}",
                    r * index + 1u8
                ),
                PairFormula::Exception => format!("A lost pair is {a} and {b}"),
            };
            if lost {
                format!("{pair}: this is the position, {so}.")
            } else {
                format!(
                    "Each number is in one lost pair. {pair}: that is where {small} is, and its \
                     partner is not {large}, {so}."
                )
            }
        }
        Reason::Terms {
            number,
            misere,
            most,
            terms,
            times,
        } => terms_text(number, *misere, most, terms, times.as_ref(), so),
        Reason::Mirrored { pairs, own } => mirrored(*pairs, own),
        Reason::NoMove => "There is nothing that may be taken.".to_owned(),
        Reason::GoldenRatio { small, large } => golden(small, large, so),
        Reason::FirstHeap { first, wanted } if lost => format!(
            "In front of the others a heap of {wanted} makes the row lost, and that is the first heap: {first}."
        ),
        Reason::FirstHeap { first, wanted } => format!(
            "In front of the others only a heap of {wanted} would make the row lost, and the first heap is {first}, {so}."
        ),
        Reason::OnesAtStart { ones } => format!(
            "The row begins with {ones} {} of 1, which is {}, {so}.",
            if *ones == 1 { "heap" } else { "heaps" },
            if ones % 2 == 1 { "odd" } else { "even" }
        ),
        Reason::Erased { count, xor } => {
            let parity = if count % 2 == 1 { "odd" } else { "even" };
            format!(
                "{count} numbers are left, which is {parity}, and their exclusive or is {xor}, {so}."
            )
        }
        Reason::Merged { ones, sum } => {
            let which = if sum.bits() < 3 && (sum.is_zero() || *sum == BigUint::from(2u8)) {
                let remainder = ones % 3;
                format!("s is 0 or 2, and {ones} mod 3 = {remainder}")
            } else {
                let parity = |odd: bool| if odd { "odd" } else { "even" };
                format!(
                    "c is {} and s is {}",
                    parity(ones % 2 == 1),
                    parity(sum.bit(0))
                )
            };
            format!("Here c = {ones} and s = {sum}; {which}, {so}.")
        }
        _ => return Vec::new(),
    };
    vec![Block::Text(text)]
}

fn mirrored(pairs: usize, own: &[Mirror]) -> String {
    let mut told = Vec::new();
    if pairs > 0 {
        let components = if pairs == 1 { "pair" } else { "pairs" };
        told.push(format!("{pairs} {components} of equal components"));
    }
    for mirror in own {
        told.push(match mirror {
            Mirror::Row(exchange) if exchange.is_sorted() => {
                "a row that reads the same backwards".to_owned()
            }
            Mirror::Row(_) => {
                "a row that reads the same backwards when letters are exchanged".to_owned()
            }
            Mirror::Ring => "a ring of two equal halves".to_owned(),
        });
    }
    format!(
        "The position is its own mirror image: {}. Each move can be answered by its mirror image, after which that is so \
         again; so the player to move never finds the other one without a reply, and loses.",
        told.join(", ")
    )
}

fn misere(values: &[BigUint], so: &str) -> Vec<Block> {
    let large = values.iter().filter(|value| value.bits() > 1).count();
    let total = values
        .iter()
        .fold(BigUint::zero(), |sum, value| sum ^ value);
    let text = if large == 0 {
        let ones = values.iter().filter(|value| value.is_one()).count();
        let parity = if ones % 2 == 1 { "odd" } else { "even" };
        format!(
            "In misère play the values of normal play decide, by cases. Here all are 0 or 1, and {ones} of \
             them are 1: that is {parity}, {so} (lost iff odd)."
        )
    } else {
        let are = if large == 1 { "value is" } else { "values are" };
        format!(
            "In misère play the values of normal play decide, by cases. Here {large} {are} above 1, so the \
             rule is that of normal play: the nim-sum is {total}, {so} (lost iff 0)."
        )
    };
    vec![Block::Text(text)]
}

/// The most binary places, and heaps, that are written out.
const MOST_PLACES: usize = 64;

fn columns(
    heaps: &[BigUint],
    ones: &[usize],
    modulus: usize,
    small_misere: bool,
    so: &str,
) -> Vec<Block> {
    let heading = "The heaps in binary, with the number of ones in each column:";
    let mut blocks = vec![Block::Text(heading.to_owned())];
    let remainder = |count: &usize| (count % modulus).to_string();
    let bad: Vec<usize> = (0..ones.len())
        .filter(|place| ones[*place] % modulus != usize::from(small_misere && *place == 0))
        .collect();
    if ones.len() <= MOST_PLACES {
        let row = |n: &BigUint| GridRow {
            label: "heap".to_owned(),
            number: n.to_string(),
            cells: (0..ones.len())
                .rev()
                .map(|place| u8::from(n.bit(place as u64)).to_string())
                .collect(),
        };
        let result = |label: String, cell: &dyn Fn(&usize) -> String| GridRow {
            label,
            number: String::new(),
            cells: ones.iter().rev().map(cell).collect(),
        };
        let mut rows: Vec<GridRow> = heaps.iter().take(MOST_WRITTEN).map(row).collect();
        if heaps.len() > MOST_WRITTEN {
            let others = &heaps[MOST_WRITTEN..];
            rows.push(GridRow {
                label: format!("{} more", others.len()),
                number: String::new(),
                cells: (0..ones.len())
                    .rev()
                    .map(|place| {
                        others
                            .iter()
                            .filter(|n| n.bit(place as u64))
                            .count()
                            .to_string()
                    })
                    .collect(),
            });
        }
        blocks.push(Block::Grid(Grid {
            rows,
            results: vec![
                result("ones".to_owned(), &ToString::to_string),
                result(format!("mod {modulus}"), &remainder),
            ],
        }));
    } else {
        blocks = Vec::new();
    }
    let rule = if small_misere {
        format!(
            "No heap is above 1, so 1 must remain on division by {modulus} for the position to be lost"
        )
    } else {
        format!("The position is lost iff {modulus} divides the count of each column")
    };
    let found = match bad.as_slice() {
        [] => "that is so".to_owned(),
        [place] => format!("it does not for 2^{place}"),
        [.., place] => format!(
            "it does not for {} columns, the highest that of 2^{place}",
            bad.len()
        ),
    };
    let found = if small_misere {
        format!("{} mod {modulus} = {}", ones[0], ones[0] % modulus)
    } else {
        found
    };
    blocks.push(Block::Text(format!("{rule}; {found}, {so}.")));
    blocks
}

fn terms_text(
    number: &BigUint,
    misere: bool,
    most: &BigUint,
    terms: &[BigUint],
    times: Option<&BigUint>,
    so: &str,
) -> String {
    let whose = if misere {
        format!("The last counter loses, so {number} count. ")
    } else {
        String::new()
    };
    let Some(least) = terms.last() else {
        return format!("{whose}Nothing is left to take, {so}.");
    };
    let is_fibonacci = times.is_some_and(|times| *times == BigUint::from(2u8));
    let sequence = if is_fibonacci {
        "Fibonacci numbers"
    } else {
        "terms of the losing sequence"
    };
    let sum = match (terms, times) {
        ([_], _) => format!("{number} is itself one of the {sequence}"),
        (terms, times) => {
            let apart = match times {
                Some(_) if is_fibonacci => "no two of them neighbours".to_owned(),
                Some(times) => format!("{times} times each below the next larger one"),
                None => "each allowing less than the next larger one".to_owned(),
            };
            let terms: Vec<&BigUint> = terms.iter().collect();
            format!("{number} = {} ({sequence}, {apart})", listed(&terms, " + "))
        }
    };
    let compared = if most < least {
        format!("at most {most} may be taken, which is fewer")
    } else {
        format!("up to {most} may be taken, which is enough")
    };
    format!("{whose}{sum}. The smallest term is {least}, and {compared}, {so}.")
}

fn golden(small: &BigUint, large: &BigUint, so: &str) -> String {
    if small.is_zero() {
        return "One of the numbers is 0: no move is left.".to_owned();
    }
    if small == large {
        return format!("The numbers are equal: subtracting one from the other leaves 0, {so}.");
    }
    let (left, right) = (large * large, small * large + small * small);
    let sign = if left < right { "<" } else { ">" };
    let side = if left < right { "below" } else { "above" };
    format!(
        "{large}/{small} is {side} the golden ratio, as {large}² = {left} {sign} {right} = {small}·{large} + \
         {small}², {so}."
    )
}
