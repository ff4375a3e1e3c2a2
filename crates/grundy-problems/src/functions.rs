//! The functions of values that ask nothing about a game.

use std::cmp::Ordering;
use std::rc::Rc;

use grundy::parameter::XorBasis;
use grundy_rules::Limit;
use num_bigint::BigInt;

use crate::failure::{Failure, Mistake};
use crate::games::wrong;
use crate::graphs;
use crate::kinds::FUNCTIONS;
use crate::number::{self, MOST_BITS, NoNumber, Number};
use crate::position;
use crate::value::{Entries, Sum, Type, Value};
use crate::work::Work;

/// The entries of a list, after paying for them.
pub fn entries<'v>(value: &'v Value, work: &mut Work) -> Result<Entries<'v>, Failure> {
    if let Value::Range(range) = value {
        let length = range.length().ok_or(Mistake::EndlessList)?;
        work.spend(length.to_u64().unwrap_or(u64::MAX))?;
    }
    let entries = value.entries().ok_or_else(|| wrong(&[Type::List], value))?;
    if let Entries::Listed(values) = &entries {
        work.spend(values.len() as u64)?;
    }
    Ok(entries)
}

/// A number, or an error.
pub fn as_number(value: &Value) -> Result<&Number, Failure> {
    match value {
        Value::Number(n) => Ok(n),
        other => Err(wrong(&[Type::Number], other)),
    }
}

/// A truth, or an error.
pub fn as_truth(value: &Value) -> Result<bool, Failure> {
    match value {
        Value::Truth(truth) => Ok(*truth),
        other => Err(wrong(&[Type::Truth], other)),
    }
}

/// A sum of components, or an error.
pub fn as_sum(value: &Value) -> Result<&Rc<Sum>, Failure> {
    match value {
        Value::Sum(sum) => Ok(sum),
        other => Err(wrong(&[Type::Sum], other)),
    }
}

fn as_text(value: &Value) -> Result<&Rc<str>, Failure> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(wrong(&[Type::Text], other)),
    }
}

/// Which of two values comes first, or an error.
pub fn order(a: &Value, b: &Value) -> Result<Ordering, Failure> {
    a.compare(b)
        .ok_or_else(|| Mistake::Incomparable(a.kind(), b.kind()).into())
}

/// Values ascending, equal ones in their old order.
pub fn sorted(mut values: Vec<Value>, work: &mut Work) -> Result<Vec<Value>, Failure> {
    sort_by(&mut values, |value| value, work)?;
    Ok(values)
}

/// Sorts by a key, equal ones staying in their order.
pub fn sort_by<T>(
    values: &mut [T],
    key: impl Fn(&T) -> &Value,
    work: &mut Work,
) -> Result<(), Failure> {
    work.spend(values.len() as u64 * u64::from(values.len().max(1).ilog2()))?;
    let mut unequal = None;
    values.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.compare(b).unwrap_or_else(|| {
            unequal = Some((a.kind(), b.kind()));
            Ordering::Equal
        })
    });
    match unequal {
        None => Ok(()),
        Some((a, b)) => Err(Mistake::Incomparable(a, b).into()),
    }
}

/// In how many ways entries of a list can be selected so that their nim-sum is `least` or more.
fn selections(list: &Value, least: &Number, work: &mut Work) -> Result<Value, Failure> {
    let mut basis = XorBasis::default();
    let mut dependent = 0_u64;
    for entry in entries(list, work)? {
        let number = as_number(&entry)?;
        let natural = number.to_natural().ok_or(NoNumber::Negative)?;
        work.spend((1 + basis.rank() as u64).saturating_mul(number.words()))?;
        dependent += u64::from(!basis.add(&natural));
    }
    let sums = basis.count_from(&least.to_natural().unwrap_or_default());
    // Each nim-sum that occurs does so equally often.
    Ok(Number::from(sums)
        .shifted_left(&Number::from(dependent))?
        .into())
}

/// The bytes that an entry of a list is counted as.
pub const ENTRY_BYTES: u64 = 24;

/// What a function says of values.
///
/// Moves have been written down by then.
pub fn call(name: &str, values: &[Value], work: &mut Work) -> Result<Value, Failure> {
    let known = FUNCTIONS.iter().find(|function| function.name == name);
    known
        .filter(|function| function.takes_so_many(values.len()))
        .ok_or_else(|| Mistake::UnknownFunction(name.to_owned()))?;
    match name {
        "length" => length(&values[0]),
        "min" => extreme_of("min", values, Ordering::Less, work),
        "max" => extreme_of("max", values, Ordering::Greater, work),
        "gcd" => {
            let one = Value::list(values.to_vec());
            let all = if values.len() == 1 { &values[0] } else { &one };
            fold(all, 0, |a, b| Ok(a.gcd(b)), work)
        }
        "sum" => total(&values[0], work),
        "product" => fold(&values[0], 1, Number::times, work),
        "xor" => fold(&values[0], 0, |a, b| Ok(a.xor(b)), work),
        "any" | "all" => {
            let wanted = name == "any";
            for entry in entries(&values[0], work)? {
                if as_truth(&entry)? == wanted {
                    return Ok(wanted.into());
                }
            }
            Ok((!wanted).into())
        }
        "abs" => Ok(as_number(&values[0])?.absolute().into()),
        "isqrt" => Ok(as_number(&values[0])?.isqrt()?.into()),
        "popcount" => Ok(as_number(&values[0])?.popcount()?.into()),
        "inverse" => {
            let inverse = as_number(&values[0])?.inverse(as_number(&values[1])?)?;
            Ok(inverse.map(Value::Number).into())
        }
        "selections" => selections(&values[0], as_number(&values[1])?, work),
        "digits" => digits(as_number(&values[0])?, as_number(&values[1])?, work),
        "letters" => {
            as_text(&values[0])?;
            Ok(spelled(&values[0]))
        }
        "reverse" if let Value::Text(text) = &values[0] => {
            Ok(Value::text(text.chars().rev().collect::<String>()))
        }
        "text" => Ok(Value::text(shown(&values[0])?)),
        "number" => number_of(as_text(&values[0])?, work),
        "count" => {
            let list = spelled(&values[1]);
            let all = entries(&list, work)?;
            let equal = all.filter(|entry| entry.equals(&values[0]));
            Ok(Value::number(equal.count()))
        }
        "place" => {
            let list = spelled(&values[1]);
            let mut all = entries(&list, work)?;
            let place = all.position(|entry| entry.equals(&values[0]));
            Ok(place.map(|place| Value::number(place + 1)).into())
        }
        "sort" | "reverse" | "distinct" | "cumulative" | "flat" | "zip" => {
            of_lists(name, values, work)
        }
        "components" | "distances" | "geography" | "hackenbush" | "nimproduct" | "outcomes"
        | "values" => graphs::call(name, values, work),
        _ => Err(Mistake::UnknownFunction(name.to_owned()).into()),
    }
}

/// What a function makes of lists as a list.
fn of_lists(name: &str, values: &[Value], work: &mut Work) -> Result<Value, Failure> {
    let all = entries(&values[0], work)?;
    let list: Vec<Value> = match name {
        "sort" => sorted(all.collect(), work)?,
        "reverse" => {
            let mut list: Vec<Value> = all.collect();
            list.reverse();
            list
        }
        "distinct" => {
            let mut list: Vec<(usize, Value)> = all.enumerate().collect();
            sort_by(&mut list, |(_, value)| value, work)?;
            list.dedup_by(|b, a| a.1.equals(&b.1));
            list.sort_by_key(|(place, _)| *place);
            list.into_iter().map(|(_, value)| value).collect()
        }
        "cumulative" => {
            let mut sum = Number::ZERO;
            let mut list = Vec::new();
            for entry in all {
                sum = sum.plus(as_number(&entry)?);
                list.push(Value::Number(sum.clone()));
            }
            list
        }
        "flat" => {
            let mut list = Vec::new();
            for entry in all {
                list.extend(entries(&entry, work)?);
            }
            list
        }
        _ => {
            let pairs = all.zip(entries(&values[1], work)?);
            pairs
                .map(|(a, b)| Value::Tuple(Rc::new(vec![a, b])))
                .collect()
        }
    };
    work.hold(list.len() as u64 * ENTRY_BYTES)?;
    Ok(Value::list(list))
}

/// A text as the list of its letters; anything else as it is.
fn spelled(value: &Value) -> Value {
    match value {
        Value::Text(text) => {
            let letters = text.chars().map(|letter| Value::text(letter.to_string()));
            Value::list(letters.collect())
        }
        other => other.clone(),
    }
}

fn length(value: &Value) -> Result<Value, Failure> {
    match value {
        Value::Text(text) => Ok(Value::number(text.chars().count())),
        Value::Tuple(list) | Value::List(list) => Ok(Value::number(list.len())),
        Value::Range(range) => Ok(range.length().map_or(Value::Endless, Value::Number)),
        other => Err(wrong(&[Type::List, Type::Text], other)),
    }
}

/// The least or greatest of several values, or of the entries of one.
fn extreme_of(
    name: &'static str,
    values: &[Value],
    wanted: Ordering,
    work: &mut Work,
) -> Result<Value, Failure> {
    let best = if let [list] = values {
        extreme(list, wanted, work)?
    } else {
        extreme(&Value::list(values.to_vec()), wanted, work)?
    };
    best.ok_or_else(|| Mistake::Empty { function: name }.into())
}

/// The first entry that is not behind any other one in an order.
pub fn extreme(list: &Value, wanted: Ordering, work: &mut Work) -> Result<Option<Value>, Failure> {
    let mut best: Option<Value> = None;
    for entry in entries(list, work)? {
        let is_better = match &best {
            None => true,
            Some(best) => order(&entry, best)? == wanted,
        };
        if is_better {
            best = Some(entry);
        }
    }
    Ok(best)
}

/// Numbers joined one after the other.
fn fold(
    list: &Value,
    first: i64,
    join: impl Fn(&Number, &Number) -> Result<Number, NoNumber>,
    work: &mut Work,
) -> Result<Value, Failure> {
    let mut result = Number::from(first);
    for entry in entries(list, work)? {
        let entry = as_number(&entry)?;
        work.spend(result.words().saturating_mul(entry.words()))?;
        result = join(&result, entry)?;
    }
    Ok(result.into())
}

/// The sum of numbers, or of sums of components.
fn total(list: &Value, work: &mut Work) -> Result<Value, Failure> {
    let mut all = entries(list, work)?;
    if let Some(Value::Sum(_)) = all.clone().next() {
        let mut sum = Sum::default();
        for entry in all {
            let entry = as_sum(&entry)?;
            work.spend(entry.parts.len() as u64)?;
            position::extend(&mut sum, entry);
        }
        return Ok(Value::Sum(Rc::new(sum)));
    }
    let mut small: i128 = 0;
    let mut large: Option<BigInt> = None;
    all.try_for_each(|entry| {
        match as_number(&entry)? {
            // As many as fit into memory do not overflow.
            Number::Small(n) => small += i128::from(*n),
            Number::Large(n) => *large.get_or_insert_default() += n.as_ref(),
        }
        Ok::<(), Failure>(())
    })?;
    Ok(match large {
        None => Number::from(small),
        Some(large) => Number::from(large + small),
    }
    .into())
}

fn digits(n: &Number, base: &Number, work: &mut Work) -> Result<Value, Failure> {
    let natural = |n: &Number| n.to_natural().ok_or(NoNumber::Negative);
    if *base < Number::TWO {
        return Err(NoNumber::Division.into());
    }
    work.spend(n.words().saturating_mul(n.words()))?;
    let digits = number::digits(&natural(n)?, &natural(base)?);
    work.hold(digits.len() as u64 * ENTRY_BYTES)?;
    Ok(Value::list(digits.into_iter().map(Value::Number).collect()))
}

/// The number that a text says.
fn number_of(text: &str, work: &mut Work) -> Result<Value, Failure> {
    let wrong = || Failure::from(Mistake::NotANumber(text.chars().take(40).collect()));
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    if digits.len() as u64 > MOST_BITS / 4 {
        return Err(Limit::Bytes.into());
    }
    let words = digits.len() as u64 / 16;
    work.spend(words * words)?;
    text.parse::<BigInt>()
        .map(Value::number)
        .map_err(|_| wrong())
}

/// A value as it is printed.
pub fn shown(value: &Value) -> Result<String, Failure> {
    match value {
        Value::Number(n) => Ok(n.to_string()),
        Value::Text(text) => Ok(text.to_string()),
        other => Err(wrong(&[Type::Number, Type::Text], other)),
    }
}
