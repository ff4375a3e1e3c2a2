//! Deterministic machines that read the digits of several numbers in parallel and decide a formula without quantifiers.
//!
//! A state is a row of integers, those of each literal side by side. What a literal remembers is defined here from
//! first principles. None of it needs to be finite: a certificate lists the states that are met, and that they are all
//! is what is checked.
//!
//! # Linear terms
//!
//! **Most significant digit first.** With `i` digits to come, what is read of a term is worth `a * U(i) + b * U(i-1)`
//! ([`Numeration::recurrence`]). Canonical words of `i` digits are worth less than `U(i)`, so the digits to come add
//! at least `-N * (U(i) - 1)` and at most `P * (U(i) - 1)`, where `P` and `-N` are the sums of the positive and of the negative
//! coefficients. As `0 <= U(i-1) <= U(i)`, the value, with the constant `c`, is at least
//! `(m - N) * U(i) + N + c`, where `m` is the least of `a` and `a + b`. If `m >= N` and `m + c > 0` that is positive for every
//! `i`, since `U(i) >= 1`: the sign is known, however the words go on. Likewise it is negative if the greatest, `M`, has
//! `M <= -P` and `M + c < 0`.
//!
//! **Least significant digit first**, in base `k`: write `x = k * x' + d`. Then `c·x + t <= 0` iff
//! `c·x' + ceil((c·d + t) / k) <= 0`, and `c·x + t = 0` iff `k` divides `c·d + t` and `c·x' + (c·d + t) / k = 0`. At the end
//! all numbers are 0 and `t` decides; further zeros change nothing, as `ceil(t / k)` has the sign of `t`.

use super::formula::{Atom, Bits, Clause, Formula, Term, Variable};
use super::numeration::{Automaton, MOST_LETTERS, Numeration, Order};
use crate::refusal::Reason;
use num_traits::ToPrimitive;

/// In the first place of a literal: it is true, or false, however the words go on.
const ALWAYS: i64 = i64::MAX;
const NEVER: i64 = i64::MIN;

/// The largest coefficient, and the largest constant.
const MOST_COEFFICIENT: i64 = 1 << 24;
const MOST_CONSTANT: i64 = 1 << 40;

/// What all machines of a certificate share.
#[derive(Clone, Debug)]
pub struct Language {
    /// How numbers are written.
    pub numeration: Numeration,
    /// Which end comes first.
    pub order: Order,
    /// The automaton of the law, then those of what is defined.
    pub automata: Vec<Automaton>,
}

/// A state: what the literals remember.
pub type State = Box<[i64]>;

#[derive(Clone, Debug)]
enum Kind {
    Linear {
        coefficients: Vec<(usize, i64)>,
        constant: i64,
        equal: bool,
        positive: i128,
        negative: i128,
    },
    Multiple {
        coefficients: Vec<(usize, i64)>,
        constant: i64,
        modulus: i64,
    },
    Xor(Vec<usize>),
    Bits(Bits, [usize; 3]),
    /// The number is `root^step`, `root^(2*step)`, …, and the base is `root^per_place`.
    PowerOf {
        track: usize,
        root: u32,
        step: u32,
        per_place: u32,
    },
    /// Exactly one digit is 1, the others 0.
    Place(usize),
    Accepted(usize, Vec<usize>),
    Canonical(usize),
}

#[derive(Clone, Debug)]
struct Literal {
    kind: Kind,
    denied: bool,
    /// Where its part of the state begins, and how long it is.
    at: usize,
    width: usize,
}

#[derive(Clone, Debug)]
enum Node {
    Literal(usize),
    All(Vec<Node>),
    Any(Vec<Node>),
}

/// Decides whether a formula without quantifiers holds of several numbers.
#[derive(Clone, Debug)]
pub struct Machine {
    literals: Vec<Literal>,
    root: Node,
    width: usize,
    /// The tracks whose digits matter.
    reads: Vec<usize>,
}

impl Machine {
    /// The machine of a clause, where variable `tracks[i]` is on track `i`. All numbers that it reads are canonical.
    pub(crate) fn new(
        clause: &Clause,
        tracks: &[Variable],
        language: &Language,
    ) -> Result<Self, Reason> {
        if Automaton::letters(language.numeration.radix(), tracks.len()).is_none() {
            return Err(Reason::TooLarge);
        }
        let mut machine = Self {
            literals: Vec::new(),
            root: Node::All(Vec::new()),
            width: 0,
            reads: Vec::new(),
        };
        let mut all = Vec::with_capacity(clause.body.len());
        for formula in &clause.body {
            all.push(machine.node(formula, false, tracks, language)?);
        }
        if !language.numeration.is_base() {
            for track in 0..tracks.len() {
                all.push(machine.literal(Kind::Canonical(track), false));
            }
        }
        machine.root = Node::All(all);
        let mut reads: Vec<usize> = machine
            .literals
            .iter()
            .flat_map(|literal| literal.kind.tracks())
            .collect();
        reads.sort_unstable();
        reads.dedup();
        machine.reads = reads;
        Ok(machine)
    }

    /// The tracks whose digits matter, ascending.
    pub fn reads(&self) -> &[usize] {
        &self.reads
    }

    fn literal(&mut self, kind: Kind, denied: bool) -> Node {
        let width = match kind {
            Kind::Linear { .. } | Kind::Multiple { .. } | Kind::PowerOf { .. } => 2,
            _ => 1,
        };
        self.literals.push(Literal {
            kind,
            denied,
            at: self.width,
            width,
        });
        self.width += width;
        Node::Literal(self.literals.len() - 1)
    }

    fn node(
        &mut self,
        formula: &Formula,
        denied: bool,
        tracks: &[Variable],
        language: &Language,
    ) -> Result<Node, Reason> {
        let mut each = |all: &[Formula]| {
            let nodes = all
                .iter()
                .map(|formula| self.node(formula, denied, tracks, language));
            nodes.collect::<Result<Vec<_>, _>>()
        };
        Ok(match formula {
            Formula::Atom(atom) => {
                let kind = Kind::new(atom, tracks, language)?;
                self.literal(kind, denied)
            }
            Formula::Not(inner) => self.node(inner, !denied, tracks, language)?,
            Formula::All(all) if denied => Node::Any(each(all)?),
            Formula::Any(any) if denied => Node::All(each(any)?),
            Formula::All(all) => Node::All(each(all)?),
            Formula::Any(any) => Node::Any(each(any)?),
            Formula::Some(..) => unreachable!("clauses have no quantifier inside"),
        })
    }

    /// The state before anything is read; `None` if no word can be accepted.
    pub fn start(&self, language: &Language) -> Option<State> {
        let mut state = vec![0; self.width];
        for literal in &self.literals {
            literal
                .kind
                .start(&mut state[literal.at..][..literal.width], language);
        }
        self.settled(state)
    }

    /// The state after one more digit of each track; `None` if no word can be accepted any more.
    pub fn step(&self, state: &[i64], digits: &[u32], language: &Language) -> Option<State> {
        let mut next = state.to_vec();
        for literal in &self.literals {
            let part = &mut next[literal.at..][..literal.width];
            if part[0] != ALWAYS && part[0] != NEVER {
                literal.kind.step(part, digits, language);
            }
        }
        self.settled(next)
    }

    /// Whether the words may end here.
    pub fn accepts(&self, state: &[i64], language: &Language) -> bool {
        self.ends(&self.root, state, language)
    }

    /// Whether a row of integers is as long as a state.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Whether a row of integers can be a state: that it indexes no table from outside.
    pub(crate) fn admits(&self, state: &[i64], language: &Language) -> bool {
        state.len() == self.width
            && self.literals.iter().all(|literal| {
                let first = state[literal.at];
                first == ALWAYS
                    || first == NEVER
                    || literal
                        .kind
                        .admits(&state[literal.at..][..literal.width], language)
            })
    }

    fn ends(&self, node: &Node, state: &[i64], language: &Language) -> bool {
        match node {
            Node::Literal(index) => {
                let literal = &self.literals[*index];
                let part = &state[literal.at..][..literal.width];
                let holds = match part[0] {
                    ALWAYS => true,
                    NEVER => false,
                    _ => literal.kind.accepts(part, language),
                };
                holds != literal.denied
            }
            Node::All(all) => all.iter().all(|node| self.ends(node, state, language)),
            Node::Any(any) => any.iter().any(|node| self.ends(node, state, language)),
        }
    }

    /// Makes states equal that are known to accept the same: where a part of the formula is decided, what its literals
    /// remember does not matter any more. `None` if the whole is false.
    fn settled(&self, mut state: Vec<i64>) -> Option<State> {
        let decided = self.settle(&self.root, &mut state);
        (decided != Some(false)).then(|| state.into_boxed_slice())
    }

    fn settle(&self, node: &Node, state: &mut [i64]) -> Option<bool> {
        match node {
            Node::Literal(index) => {
                let literal = &self.literals[*index];
                match state[literal.at] {
                    ALWAYS => Some(!literal.denied),
                    NEVER => Some(literal.denied),
                    _ => None,
                }
            }
            Node::All(members) | Node::Any(members) => {
                // One member that is so decides the whole.
                let decisive = matches!(node, Node::Any(_));
                let mut decided = Some(!decisive);
                for member in members {
                    let this = self.settle(member, state);
                    if this == Some(decisive) {
                        decided = this;
                        break;
                    }
                    if this.is_none() {
                        decided = None;
                    }
                }
                if let Some(value) = decided {
                    self.decide(node, value, state);
                }
                decided
            }
        }
    }

    /// Sets all literals so that each part of the formula has this value.
    fn decide(&self, node: &Node, value: bool, state: &mut [i64]) {
        match node {
            Node::Literal(index) => {
                let literal = &self.literals[*index];
                let part = &mut state[literal.at..][..literal.width];
                part.fill(0);
                part[0] = if value == literal.denied {
                    NEVER
                } else {
                    ALWAYS
                };
            }
            Node::All(all) | Node::Any(all) => {
                all.iter().for_each(|node| self.decide(node, value, state));
            }
        }
    }
}

fn linear(term: &Term, tracks: &[Variable]) -> Result<(Vec<(usize, i64)>, i64), Reason> {
    let mut coefficients = Vec::with_capacity(term.coefficients.len());
    for (variable, coefficient) in &term.coefficients {
        let coefficient = coefficient.to_i64().ok_or(Reason::TooLarge)?;
        if coefficient.abs() > MOST_COEFFICIENT {
            return Err(Reason::TooLarge);
        }
        coefficients.push((track(*variable, tracks), coefficient));
    }
    let constant = term.constant.to_i64().ok_or(Reason::TooLarge)?;
    if constant.checked_abs().is_none_or(|c| c > MOST_CONSTANT) {
        return Err(Reason::TooLarge);
    }
    Ok((coefficients, constant))
}

fn track(variable: Variable, tracks: &[Variable]) -> usize {
    let found = tracks.iter().position(|track| *track == variable);
    found.expect("every variable of a clause has a track")
}

/// The exponent of which `n` is a power of `root`.
fn exponent(n: u32, root: u32) -> Option<u32> {
    let (mut rest, mut exponent) = (n, 0);
    while rest > 1 {
        if !rest.is_multiple_of(root) {
            return None;
        }
        rest /= root;
        exponent += 1;
    }
    (rest == 1).then_some(exponent)
}

impl Kind {
    fn new(atom: &Atom, tracks: &[Variable], language: &Language) -> Result<Self, Reason> {
        let at = |variable: &Variable| track(*variable, tracks);
        Ok(match atom {
            Atom::Zero(term) | Atom::AtMostZero(term) => {
                let (coefficients, constant) = linear(term, tracks)?;
                let sum = |sign: i64| {
                    let each = coefficients
                        .iter()
                        .map(|(_, c)| i128::from((c * sign).max(0)));
                    each.sum::<i128>()
                };
                let (positive, negative) = (sum(1), sum(-1));
                Self::Linear {
                    coefficients,
                    constant,
                    equal: matches!(atom, Atom::Zero(_)),
                    positive,
                    negative,
                }
            }
            Atom::Multiple(modulus, term) => {
                let modulus = i64::from(*modulus);
                if modulus == 0 || modulus > MOST_COEFFICIENT {
                    return Err(Reason::TooLarge);
                }
                let reduced = |n: &num_bigint::BigInt| ((n % modulus) + modulus) % modulus;
                let small = |n: &num_bigint::BigInt| reduced(n).to_i64().ok_or(Reason::TooLarge);
                let mut coefficients = Vec::new();
                for (variable, coefficient) in &term.coefficients {
                    coefficients.push((at(variable), small(coefficient)?));
                }
                Self::Multiple {
                    coefficients,
                    constant: small(&term.constant)?,
                    modulus,
                }
            }
            Atom::Xor(_) | Atom::Bits(..) if !language.numeration.has_bits() => {
                return Err(Reason::Numeration);
            }
            Atom::Fibonacci(_) if language.numeration != Numeration::ZECKENDORF => {
                return Err(Reason::Numeration);
            }
            Atom::Xor(all) => Self::Xor(all.iter().map(at).collect()),
            Atom::Bits(bits, all) => Self::Bits(*bits, all.each_ref().map(at)),
            Atom::PowerOf(power, variable) => {
                let Numeration::Base(base) = language.numeration else {
                    return Err(Reason::Numeration);
                };
                let roots = (2..=base).map(|root| Some((root, exponent(base, root)?)));
                let found = roots.flatten().find_map(|(root, per_place)| {
                    let step = exponent(*power, root).filter(|step| *step > 0)?;
                    Some((root, step, per_place))
                });
                let (root, step, per_place) = found.ok_or(Reason::Numeration)?;
                Self::PowerOf {
                    track: at(variable),
                    root,
                    step,
                    per_place,
                }
            }
            Atom::Fibonacci(variable) => Self::Place(at(variable)),
            Atom::Accepted(index, all) => Self::Accepted(*index, all.iter().map(at).collect()),
        })
    }

    fn tracks(&self) -> Vec<usize> {
        match self {
            Self::Linear { coefficients, .. } | Self::Multiple { coefficients, .. } => {
                coefficients.iter().map(|(track, _)| *track).collect()
            }
            Self::Xor(all) | Self::Accepted(_, all) => all.clone(),
            Self::Bits(_, all) => all.to_vec(),
            Self::PowerOf { track, .. } | Self::Place(track) | Self::Canonical(track) => {
                vec![*track]
            }
        }
    }

    fn start(&self, part: &mut [i64], language: &Language) {
        match self {
            Self::Linear { constant, .. } => {
                if language.order == Order::LeastSignificantFirst {
                    part[0] = *constant;
                }
                self.collapse(part, language);
            }
            // The worth of the next place, and the sum of what is read.
            Self::Multiple {
                constant, modulus, ..
            } if language.order == Order::LeastSignificantFirst => {
                part[0] = 1 % modulus;
                part[1] = *constant;
            }
            Self::Accepted(index, _) => collapse_automaton(part, &language.automata[*index]),
            _ => {}
        }
    }

    /// Whether integers can be what this literal remembers.
    fn admits(&self, part: &[i64], language: &Language) -> bool {
        match self {
            Self::Linear { .. } => part.iter().all(|n| n.checked_abs().is_some()),
            Self::Multiple { modulus, .. } => part.iter().all(|n| (0..*modulus).contains(n)),
            Self::Accepted(index, _) => {
                let states = language.automata[*index].accepting.len();
                usize::try_from(part[0]).is_ok_and(|state| state < states)
            }
            Self::PowerOf { step, .. } => {
                (0..2).contains(&part[0]) && (0..i64::from(*step)).contains(&part[1])
            }
            Self::Xor(_) | Self::Bits(..) => part[0] == 0,
            Self::Place(_) => (0..2).contains(&part[0]),
            Self::Canonical(_) => (0..3).contains(&part[0]),
        }
    }

    #[allow(clippy::too_many_lines)] // one arm for each kind
    fn step(&self, part: &mut [i64], digits: &[u32], language: &Language) {
        let msd = language.order == Order::MostSignificantFirst;
        match self {
            Self::Linear {
                coefficients,
                equal,
                ..
            } => {
                let (a, b) = (i128::from(part[0]), i128::from(part[1]));
                let sum = weighted(coefficients, digits);
                let (f, c, _) = language.numeration.recurrence();
                let (next, carried) = if msd {
                    (f * a + b + sum, c * a)
                } else if *equal && (a + sum) % f != 0 {
                    part[0] = NEVER;
                    return;
                } else {
                    (-(-(a + sum)).div_euclid(f), 0)
                };
                let (Ok(next), Ok(carried)) = (i64::try_from(next), i64::try_from(carried)) else {
                    // Not met by words that are read from the start: undecided states are small.
                    part[0] = NEVER;
                    part[1] = 0;
                    return;
                };
                part[0] = next;
                part[1] = carried;
                self.collapse(part, language);
            }
            Self::Multiple {
                coefficients,
                modulus,
                ..
            } => {
                let modulus = i128::from(*modulus);
                let (a, b) = (i128::from(part[0]), i128::from(part[1]));
                let sum = weighted(coefficients, digits);
                let (f, c, _) = language.numeration.recurrence();
                let next = if msd {
                    (f * a + b + sum, c * a)
                } else {
                    (a * f, b + a * (sum % modulus))
                };
                part[0] = small(next.0.rem_euclid(modulus));
                part[1] = small(next.1.rem_euclid(modulus));
            }
            Self::Xor(all) => {
                if all.iter().fold(0, |sum, track| sum ^ digits[*track]) != 0 {
                    part[0] = NEVER;
                }
            }
            Self::Bits(bits, [x, y, z]) => {
                let made = match bits {
                    Bits::And => digits[*x] & digits[*y],
                    Bits::Or => digits[*x] | digits[*y],
                };
                if made != digits[*z] {
                    part[0] = NEVER;
                }
            }
            Self::PowerOf {
                track,
                root,
                step,
                per_place,
            } => {
                // Whether the digit that is not 0 was read; the exponent so far, or that of the next place.
                let digit = digits[*track];
                let up = |exponent: i64| (exponent + i64::from(*per_place)) % i64::from(*step);
                let of_digit = (digit > 0).then(|| exponent(digit, *root)).flatten();
                match (part[0], digit, of_digit) {
                    (0, 0, _) => part[1] = if msd { 0 } else { up(part[1]) },
                    (1, 0, _) => part[1] = if msd { up(part[1]) } else { part[1] },
                    (0, _, Some(exponent)) => {
                        part[0] = 1;
                        part[1] = (part[1] + i64::from(exponent)) % i64::from(*step);
                    }
                    _ => {
                        part[0] = NEVER;
                        part[1] = 0;
                    }
                }
            }
            Self::Place(track) => match (part[0], digits[*track]) {
                (_, 0) => {}
                (0, 1) => part[0] = 1,
                _ => part[0] = NEVER,
            },
            Self::Accepted(index, tracks) => {
                let automaton = &language.automata[*index];
                let radix = language.numeration.radix() as usize;
                let state = usize::try_from(part[0]).expect("admitted");
                let place = tracks.iter().fold(state, |place, track| {
                    place * radix + digits[*track] as usize
                });
                part[0] = i64::from(automaton.table[place]);
                collapse_automaton(part, automaton);
            }
            Self::Canonical(track) => {
                // 0: anything may follow, also the end; 1: only a zero, or the end where the last digit may be so
                // large; 2: the last digit was one too large to be the lowest.
                let Numeration::Recurrence { factor, before } = language.numeration else {
                    return;
                };
                let digit = digits[*track];
                part[0] = match (part[0], digit) {
                    (1 | 2, d) if d > 0 => NEVER,
                    (_, d) if d > factor => NEVER,
                    (_, d) if d == factor && before == 0 => 2,
                    (_, d) if d == factor => 1,
                    _ => 0,
                };
            }
        }
    }

    /// Whether the words may end here; nothing is decided before.
    fn accepts(&self, part: &[i64], language: &Language) -> bool {
        let msd = language.order == Order::MostSignificantFirst;
        let (_, _, before) = language.numeration.recurrence();
        let total = |part: &[i64]| i128::from(part[0]) + before * i128::from(part[1]);
        match self {
            Self::Linear {
                constant, equal, ..
            } => {
                let value = if msd {
                    total(part) + i128::from(*constant)
                } else {
                    i128::from(part[0])
                };
                if *equal { value == 0 } else { value <= 0 }
            }
            Self::Multiple {
                constant, modulus, ..
            } => {
                let value = if msd {
                    total(part) + i128::from(*constant)
                } else {
                    i128::from(part[1])
                };
                value % i128::from(*modulus) == 0
            }
            Self::Xor(_) | Self::Bits(..) => true,
            Self::PowerOf { .. } => part[0] == 1 && part[1] == 0,
            Self::Place(_) => part[0] == 1,
            Self::Accepted(index, _) => {
                let state = usize::try_from(part[0]).expect("admitted");
                language.automata[*index].accepting[state]
            }
            Self::Canonical(_) => part[0] != 2,
        }
    }

    /// Notes that the sign of a term is known.
    fn collapse(&self, part: &mut [i64], language: &Language) {
        let Self::Linear {
            constant,
            equal,
            positive,
            negative,
            ..
        } = self
        else {
            return;
        };
        if language.order == Order::LeastSignificantFirst {
            return;
        }
        let (a, b, c) = (
            i128::from(part[0]),
            i128::from(part[1]),
            i128::from(*constant),
        );
        let (least, most) = (a.min(a + b), a.max(a + b));
        let is_positive = least >= *negative && least + c > 0;
        let is_negative = most <= -positive && most + c < 0;
        if is_positive || is_negative {
            part[0] = if is_negative && !equal { ALWAYS } else { NEVER };
            part[1] = 0;
        }
    }
}

/// Notes that an automaton has come to a state that it cannot leave.
fn collapse_automaton(part: &mut [i64], automaton: &Automaton) {
    let letters = automaton.table.len() / automaton.accepting.len();
    let state = usize::try_from(part[0]).expect("admitted");
    let row = &automaton.table[state * letters..][..letters];
    if row.iter().all(|target| *target as usize == state) {
        part[0] = if automaton.accepting[state] {
            ALWAYS
        } else {
            NEVER
        };
    }
}

fn weighted(coefficients: &[(usize, i64)], digits: &[u32]) -> i128 {
    let each = coefficients
        .iter()
        .map(|(track, c)| i128::from(*c) * i128::from(digits[*track]));
    each.sum()
}

fn small(n: i128) -> i64 {
    i64::try_from(n).expect("less than a modulus")
}

/// How many letters there are on so many tracks; `None` if they are too many.
pub(crate) fn letters(radix: u32, tracks: usize) -> Option<usize> {
    Automaton::letters(radix, tracks).filter(|letters| *letters <= MOST_LETTERS)
}
