//! The options of generated rules equal those found by trying every choice in a wide range.
//!
//! Formulas are evaluated here a second time, over machine integers, by a reader that shares
//! nothing with the library but the text of the rules. The second result of every rule is the
//! list of its choices, so that no two choices give the same option.

use std::collections::BTreeSet;
use std::fmt;

use grundy_rules::options::options;
use grundy_rules::{Budget, Component, Fault, Item, Limit, Meter, parse};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// A formula.
#[derive(Clone, Debug)]
enum Term {
    Number(i64),
    /// x, y: coordinates; c, d: choices; e: a number that must exist; i: bound by a quantifier.
    Name(char),
    Negate(Box<Term>),
    Binary(&'static str, Box<Term>, Box<Term>),
    Call(&'static str, Vec<Term>),
}

/// A condition.
#[derive(Clone, Debug)]
enum Condition {
    Chain(Vec<(Term, &'static str)>, Term),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Divides(Term, Term),
    Member(Term, bool, Set),
    Quantified(&'static str, Term, Term, Box<Condition>),
}

/// A set.
#[derive(Clone, Debug)]
enum Set {
    List(Vec<i64>),
    Range(Term, Term),
    Primes,
    PrimePowers,
    Squares,
    Fibonacci,
    Powers(i64),
    AllBut(Vec<i64>),
    Digits(Term, i64),
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Number(n) => write!(f, "{n}"),
            Self::Name(name) => write!(f, "{name}"),
            Self::Negate(term) => write!(f, "(-{term})"),
            Self::Binary(op, left, right) => write!(f, "({left} {op} {right})"),
            Self::Call(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
                write!(f, "{name}({})", arguments.join(", "))
            }
        }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = |numbers: &[i64]| {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            format!("{{{}}}", numbers.join(","))
        };
        match self {
            Self::List(numbers) => f.write_str(&list(numbers)),
            Self::Range(from, to) => write!(f, "{from}..{to}"),
            Self::Primes => f.write_str("primes"),
            Self::PrimePowers => f.write_str("prime powers"),
            Self::Squares => f.write_str("squares"),
            Self::Fibonacci => f.write_str("fibonacci"),
            Self::Powers(p) => write!(f, "powers of {p}"),
            Self::AllBut(numbers) => write!(f, "all but {}", list(numbers)),
            Self::Digits(of, base) => write!(f, "digits of {of} base {base}"),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let joined = |conditions: &[Self], word: &str| {
            let conditions: Vec<String> = conditions.iter().map(|c| format!("({c})")).collect();
            conditions.join(word)
        };
        match self {
            Self::Chain(links, last) => {
                for (term, sign) in links {
                    write!(f, "{term} {sign} ")?;
                }
                write!(f, "{last}")
            }
            Self::All(conditions) => f.write_str(&joined(conditions, " and ")),
            Self::Any(conditions) => f.write_str(&joined(conditions, " or ")),
            Self::Not(condition) => write!(f, "not ({condition})"),
            Self::Divides(divisor, n) => write!(f, "{divisor} | {n}"),
            Self::Member(item, inside, set) => {
                write!(f, "{item} {} {set}", if *inside { "in" } else { "not in" })
            }
            Self::Quantified(word, from, to, body) => {
                write!(f, "{word} i in {from}..{to}: ({body})")
            }
        }
    }
}

/// Why a formula gives no number here.
enum Trouble {
    /// It has no value.
    Undefined,
    /// It is too large to be judged here.
    TooLarge,
}

type Number = Result<i128, Trouble>;

/// What the names hold.
#[derive(Clone, Copy, Default)]
struct Values {
    x: i128,
    y: i128,
    c: i128,
    d: i128,
    e: i128,
    i: i128,
}

fn fits(n: Option<i128>) -> Number {
    n.filter(|n| n.abs() < 1 << 80).ok_or(Trouble::TooLarge)
}

fn natural(n: i128) -> Number {
    if n < 0 {
        Err(Trouble::Undefined)
    } else {
        Ok(n)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl Term {
    fn value(&self, at: &Values) -> Number {
        match self {
            Self::Number(n) => Ok((*n).into()),
            Self::Name(name) => Ok(match name {
                'x' => at.x,
                'y' => at.y,
                'c' => at.c,
                'd' => at.d,
                'e' => at.e,
                _ => at.i,
            }),
            Self::Negate(term) => Ok(-term.value(at)?),
            Self::Binary(op, left, right) => {
                // A part without a value counts before one that is too large.
                let (left, right) = match (left.value(at), right.value(at)) {
                    (Err(Trouble::Undefined), _) | (_, Err(Trouble::Undefined)) => {
                        return Err(Trouble::Undefined);
                    }
                    (left, right) => (left?, right?),
                };
                binary(op, left, right)
            }
            Self::Call(name, arguments) => {
                let numbers: Result<Vec<i128>, Trouble> = arguments
                    .iter()
                    .map(|argument| argument.value(at))
                    .collect();
                let numbers = numbers?;
                let first = numbers[0];
                Ok(match *name {
                    "min" => *numbers.iter().min().expect("there are two"),
                    "max" => *numbers.iter().max().expect("there are two"),
                    "gcd" => numbers.iter().fold(0, |all, n| gcd(all, *n)),
                    "abs" => first.abs(),
                    "isqrt" => {
                        let n = natural(first)?;
                        let mut root = 0;
                        while (root + 1) * (root + 1) <= n {
                            root += 1;
                        }
                        root
                    }
                    "popcount" => natural(first)?.count_ones().into(),
                    "omega" => {
                        if first < 1 {
                            return Err(Trouble::Undefined);
                        }
                        if first > 100_000 {
                            return Err(Trouble::TooLarge);
                        }
                        (2..=first)
                            .filter(|p| first % p == 0 && is_prime(*p))
                            .map(|_| 1)
                            .sum()
                    }
                    _ => unreachable!("no other function is generated"),
                })
            }
        }
    }
}

fn binary(op: &str, left: i128, right: i128) -> Number {
    match op {
        "+" => fits(left.checked_add(right)),
        "-" => fits(left.checked_sub(right)),
        "*" => fits(left.checked_mul(right)),
        "/" | "mod" if right == 0 => Err(Trouble::Undefined),
        "/" => {
            let rest = left.rem_euclid(right);
            // Rounds towards 0 after an exact division, down in every case.
            let floor = (left - rest) / right;
            Ok(if rest != 0 && right < 0 {
                floor - 1
            } else {
                floor
            })
        }
        "mod" if right < 0 => Err(Trouble::Undefined),
        "mod" => Ok(left.rem_euclid(right)),
        "^" => {
            let exponent = natural(right)?;
            if left.abs() <= 1 {
                return Ok(if exponent == 0 {
                    1
                } else if exponent % 2 == 0 {
                    left * left
                } else {
                    left
                });
            }
            let exponent = u32::try_from(exponent).map_err(|_| Trouble::TooLarge)?;
            fits(left.checked_pow(exponent))
        }
        "xor" => Ok(natural(left)? ^ natural(right)?),
        "band" => Ok(natural(left)? & natural(right)?),
        "bor" => Ok(natural(left)? | natural(right)?),
        "shl" => {
            let (left, by) = (natural(left)?, natural(right)?);
            if left == 0 {
                return Ok(0);
            }
            let factor = if by < 80 { Some(1i128 << by) } else { None };
            fits(factor.and_then(|factor| factor.checked_mul(left)))
        }
        "shr" => {
            let (left, by) = (natural(left)?, natural(right)?);
            Ok(if by < 127 { left >> by } else { 0 })
        }
        _ => unreachable!("no other operator is generated"),
    }
}

fn is_prime(n: i128) -> bool {
    n >= 2 && (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0)
}

fn is_power(n: i128, p: i128) -> bool {
    match p {
        0 => n == 0 || n == 1,
        1 => n == 1,
        _ => {
            let mut power = 1;
            while power < n {
                power *= p;
            }
            power == n
        }
    }
}

impl Set {
    /// `None` where the set has no value.
    fn contains(&self, n: i128, at: &Values) -> Result<bool, Trouble> {
        Ok(match self {
            Self::List(numbers) => numbers.iter().any(|m| i128::from(*m) == n),
            Self::Range(from, to) => from.value(at)? <= n && n <= to.value(at)?,
            Self::Primes => is_prime(n),
            Self::PrimePowers => {
                let prime = (2..=n).find(|p| n % p == 0);
                prime.is_some_and(|p| is_power(n, p))
            }
            Self::Squares => n >= 1 && (1..=n).take_while(|r| r * r <= n).any(|r| r * r == n),
            Self::Fibonacci => {
                let (mut a, mut b) = (1, 2);
                while a < n {
                    (a, b) = (b, a + b);
                }
                a == n
            }
            Self::Powers(p) => is_power(n, (*p).into()),
            Self::AllBut(numbers) => n >= 1 && numbers.iter().all(|m| i128::from(*m) != n),
            Self::Digits(of, base) => {
                let mut rest = natural(of.value(at)?)?;
                let base = i128::from(*base);
                let mut inside = rest % base == n;
                while rest >= base {
                    rest /= base;
                    inside = inside || rest % base == n;
                }
                inside
            }
        })
    }
}

impl Condition {
    /// Terms without a value make the smallest comparison around them false.
    fn holds(&self, at: &Values) -> Result<bool, Trouble> {
        let comparison = |result: Result<bool, Trouble>| match result {
            Err(Trouble::Undefined) => Ok(false),
            other => other,
        };
        match self {
            Self::Chain(links, last) => {
                for (index, (left, sign)) in links.iter().enumerate() {
                    let right = links.get(index + 1).map_or(last, |(term, _)| term);
                    let compare = || {
                        let pair = match (left.value(at), right.value(at)) {
                            (Err(Trouble::Undefined), _) | (_, Err(Trouble::Undefined)) => {
                                return Err(Trouble::Undefined);
                            }
                            (left, right) => (left?, right?),
                        };
                        Ok(match *sign {
                            "<" => pair.0 < pair.1,
                            "<=" => pair.0 <= pair.1,
                            "=" => pair.0 == pair.1,
                            "!=" => pair.0 != pair.1,
                            ">=" => pair.0 >= pair.1,
                            _ => pair.0 > pair.1,
                        })
                    };
                    if !comparison(compare())? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Self::All(conditions) => {
                for condition in conditions {
                    if !condition.holds(at)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Self::Any(conditions) => {
                for condition in conditions {
                    if condition.holds(at)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::Not(condition) => Ok(!condition.holds(at)?),
            Self::Divides(divisor, n) => comparison((|| {
                let divisor = divisor.value(at)?;
                let n = n.value(at)?;
                Ok(divisor >= 1 && n % divisor == 0)
            })()),
            Self::Member(item, inside, set) => comparison((|| {
                let item = item.value(at)?;
                Ok(set.contains(item, at)? == *inside)
            })()),
            Self::Quantified(word, from, to, body) => comparison((|| {
                let (from, to) = (from.value(at)?, to.value(at)?);
                if to - from > 1000 {
                    return Err(Trouble::TooLarge);
                }
                for i in from..=to {
                    if body.holds(&Values { i, ..*at })? == (*word == "some") {
                        return Ok(*word == "some");
                    }
                }
                Ok(*word == "every")
            })()),
        }
    }
}

/// A rule `[x, y] -> [r, s] + [c, d, 0] where …`.
#[derive(Clone, Debug)]
struct Rule {
    results: [Term; 2],
    conditions: Vec<Condition>,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [first, second] = &self.results;
        write!(f, "[x, y] -> [{first}, {second}] + [c, d, 0]")?;
        for (index, condition) in self.conditions.iter().enumerate() {
            write!(
                f,
                "{} ({condition})",
                if index == 0 { " where" } else { "," }
            )?;
        }
        Ok(())
    }
}

impl Rule {
    fn names(&self, name: char) -> bool {
        self.conditions.iter().any(|c| c.to_string().contains(name))
    }

    /// Each option by brute force, as the numbers of both components.
    fn options(&self, x: i128, y: i128) -> Result<BTreeSet<[i128; 4]>, Trouble> {
        let mut all = BTreeSet::new();
        let witnesses = if self.names('e') {
            0..=WITNESSES
        } else {
            0..=0
        };
        for c in 0..=CHOICES {
            for d in 0..=CHOICES {
                let at = Values {
                    x,
                    y,
                    c,
                    d,
                    e: 0,
                    i: 0,
                };
                let mut numbers = [0, 0, c, d];
                let mut made = true;
                for (place, result) in self.results.iter().enumerate() {
                    match result.value(&at) {
                        Ok(n) if n >= 0 => numbers[place] = n,
                        Ok(_) | Err(Trouble::Undefined) => made = false,
                        Err(trouble) => return Err(trouble),
                    }
                }
                if !made {
                    continue;
                }
                for e in witnesses.clone() {
                    let at = Values { e, ..at };
                    let mut holds = true;
                    for condition in &self.conditions {
                        holds = holds && condition.holds(&at)?;
                    }
                    if holds {
                        all.insert(numbers);
                        break;
                    }
                }
            }
        }
        Ok(all)
    }
}

/// How far choices are tried here.
const CHOICES: i128 = 16;
/// How far numbers that must exist are tried here.
const WITNESSES: i128 = 60;

fn term(names: &'static [char]) -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        (0i64..6).prop_map(Term::Number),
        proptest::sample::select(names).prop_map(Term::Name),
        proptest::sample::select(names).prop_map(Term::Name),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        let operators: &[&str] = &[
            "+", "+", "-", "-", "*", "/", "mod", "^", "xor", "band", "bor", "shl", "shr",
        ];
        prop_oneof![
            6 => (proptest::sample::select(operators), pair.clone()).prop_map(|(op, (left, right))| {
                Term::Binary(op, Box::new(left), Box::new(right))
            }),
            1 => inner.clone().prop_map(|term| Term::Negate(Box::new(term))),
            1 => (proptest::sample::select(&["min", "max", "gcd"][..]), pair)
                .prop_map(|(name, (a, b))| Term::Call(name, vec![a, b])),
            1 => (proptest::sample::select(&["abs", "isqrt", "popcount", "omega"][..]), inner)
                .prop_map(|(name, a)| Term::Call(name, vec![a])),
        ]
    })
}

const FREE: &[char] = &['x', 'y', 'c', 'd', 'e'];
const INNER: &[char] = &['x', 'c', 'i'];

fn set() -> impl Strategy<Value = Set> {
    prop_oneof![
        proptest::collection::vec(0i64..9, 1..4).prop_map(Set::List),
        (term(FREE), term(FREE)).prop_map(|(from, to)| Set::Range(from, to)),
        Just(Set::Primes),
        Just(Set::PrimePowers),
        Just(Set::Squares),
        Just(Set::Fibonacci),
        (0i64..5).prop_map(Set::Powers),
        proptest::collection::vec(1i64..6, 1..3).prop_map(Set::AllBut),
        (term(FREE), 2i64..11).prop_map(|(of, base)| Set::Digits(of, base)),
    ]
}

fn chain(names: &'static [char]) -> impl Strategy<Value = Condition> {
    let signs: &[&str] = &["<", "<=", "<=", "=", "!=", ">=", ">"];
    let link = (term(names), proptest::sample::select(signs));
    (proptest::collection::vec(link, 1..3), term(names))
        .prop_map(|(links, last)| Condition::Chain(links, last))
}

fn condition() -> impl Strategy<Value = Condition> {
    let leaf = prop_oneof![
        6 => chain(FREE),
        1 => (term(FREE), term(FREE)).prop_map(|(d, n)| Condition::Divides(d, n)),
        2 => (term(FREE), any::<bool>(), set())
            .prop_map(|(item, inside, set)| Condition::Member(item, inside, set)),
        1 => (
            proptest::sample::select(&["some", "every"][..]),
            term(&['x', 'c']),
            term(&['y', 'd']),
            chain(INNER),
        )
            .prop_map(|(word, from, to, body)| {
                Condition::Quantified(word, from, to, Box::new(body))
            }),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 2..3).prop_map(Condition::All),
            proptest::collection::vec(inner.clone(), 2..3).prop_map(Condition::Any),
            inner.prop_map(|condition| Condition::Not(Box::new(condition))),
        ]
    })
}

/// A condition that is likely to bound a choice.
fn bound(choice: char) -> impl Strategy<Value = Condition> {
    let choice = Term::Name(choice);
    let other = choice.clone();
    let signs = proptest::sample::select(&["<=", "<", "="][..]);
    prop_oneof![
        3 => (signs, term(&['x', 'y'])).prop_map(move |(sign, most)| {
            Condition::Chain(vec![(choice.clone(), sign)], most)
        }),
        1 => set().prop_map(move |set| Condition::Member(other.clone(), true, set)),
    ]
}

fn rule() -> impl Strategy<Value = Rule> {
    (
        term(&['x', 'y', 'c', 'd']),
        term(&['x', 'y', 'c', 'd']),
        bound('c'),
        bound('d'),
        bound('e'),
        proptest::collection::vec(condition(), 0..3),
    )
        .prop_map(|(first, second, c, d, e, mut conditions)| {
            // The bounds stand where they were drawn, so that orders vary.
            conditions.push(c);
            conditions.insert(0, d);
            conditions.push(e);
            Rule {
                results: [first, second],
                conditions,
            }
        })
}

fn numbers(component: &Component) -> Vec<i128> {
    let numbers = component.0.iter().map(|item| match item {
        Item::Number(n) => i128::try_from(n).unwrap_or(i128::MAX),
        Item::List(_) => panic!("no rule here makes lists"),
    });
    numbers.collect()
}

#[test]
fn options_are_those_that_brute_force_finds() {
    let (mut accepted, mut compared, mut found) = (0, 0, 0);
    let mut runner = TestRunner::new_with_rng(
        Config {
            cases: 600,
            max_shrink_iters: 4000,
            failure_persistence: None,
            ..Config::default()
        },
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    );
    let counts = std::cell::RefCell::new((&mut accepted, &mut compared, &mut found));
    let result = runner.run(&rule(), |rule| {
        let ruleset = match parse(&rule.to_string()) {
            Ok(ruleset) => ruleset,
            Err(faults) => {
                let unbounded = |fault: &Fault| matches!(fault, Fault::ChoiceUnbounded { .. });
                prop_assert!(
                    faults.iter().all(|diagnostic| unbounded(&diagnostic.fault)),
                    "{rule}: {faults:?}"
                );
                return Ok(());
            }
        };
        *counts.borrow_mut().0 += 1;
        for (x, y) in [(0, 0), (1, 0), (0, 3), (5, 2), (4, 7), (9, 9)] {
            let Ok(expected) = rule.options(x, y) else {
                continue;
            };
            let component = Component::of_numbers(
                [x, y].map(|n| u64::try_from(n).expect("positions are small")),
            );
            let mut meter = Meter::new(Budget {
                steps: 200_000,
                bytes: 1 << 26,
            });
            let options = match options(&ruleset, &component, &mut meter) {
                Ok(options) => options,
                // Ranges may be long, and numbers huge; a bound must still be found.
                Err(Limit::Steps | Limit::Bytes) => continue,
                Err(Limit::Cancelled) => unreachable!("nobody cancels"),
            };
            let actual: BTreeSet<[i128; 4]> = options
                .iter()
                .map(|option| {
                    let [first, choices] = option.result.as_slice() else {
                        panic!("a rule here makes two components");
                    };
                    let (first, choices) = (numbers(first), numbers(choices));
                    [first[0], first[1], choices[0], choices[1]]
                })
                .collect();
            prop_assert!(options.iter().all(|option| option.ways == 1));
            prop_assert_eq!(actual.len(), options.len());
            let within: BTreeSet<_> = actual
                .into_iter()
                .filter(|numbers| numbers[2] <= CHOICES && numbers[3] <= CHOICES)
                .collect();
            // Brute force may not try a number that must exist far enough.
            let missing: Vec<_> = expected.difference(&within).collect();
            prop_assert!(missing.is_empty(), "{rule} at {x},{y} lost {missing:?}");
            let more: Vec<_> = within.difference(&expected).collect();
            if !rule.names('e') {
                prop_assert!(more.is_empty(), "{rule} at {x},{y} invented {more:?}");
            }
            let mut counts = counts.borrow_mut();
            *counts.1 += 1;
            *counts.2 += within.len();
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    // The comparison says little if most rules are refused or have no options.
    assert!(accepted > 200, "{accepted} rules were accepted");
    assert!(compared > 800, "{compared} positions were compared");
    assert!(found > 800, "{found} options were found");
}
