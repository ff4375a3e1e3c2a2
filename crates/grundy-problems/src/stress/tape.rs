//! An input as the choices that make it: a row of natural numbers.
//!
//! Every choice counts from what is simplest: a number from the least that is allowed, a letter from
//! the first of its alphabet. Any row of numbers is an input, or is refused by a condition of the
//! problem: a choice that is too large becomes the largest, and one that is missing the simplest.
//! So inputs can be counted up, made smaller, and changed in one place, whatever the problem reads.

use std::collections::BTreeMap;
use std::rc::Rc;

use grundy_rules::Meter;
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use crate::draw::variables;
use crate::engine::Refusing;
use crate::evaluate::Evaluator;
use crate::failure::{Failure, Open};
use crate::games::{Games, Library};
use crate::input::{Letters, Limits, Source, Tokens, Until};
use crate::number::Number;
use crate::order::put_in_order;
use crate::problem::{Expression, Kind, Order, Problem};
use crate::run::Runner;
use crate::sheet::Sheet;
use crate::value::Value;
use crate::work::Work;

/// An input with the choices that make it.
#[derive(Clone, Debug)]
pub struct Written {
    /// What a program reads.
    pub text: String,
    /// The choices, in order.
    pub choices: Vec<Choice>,
    /// The lists and rounds that can be shorter, outer ones behind inner ones.
    pub groups: Vec<Group>,
}

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// How far it is from the simplest.
    pub offset: BigUint,
    /// How far it may be; `None` if there is no end.
    pub most: Option<BigUint>,
    /// The number that it stands for, if it is one of the input.
    pub number: Option<Number>,
}

/// The rounds of a `repeat`, the entries of a list, or the letters of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The choice that says how many there are; without one each says itself that it goes on.
    pub count: Option<usize>,
    /// Where the choices of each begin.
    pub starts: Vec<usize>,
    /// Where those of the last one end.
    pub end: usize,
}

impl Written {
    /// The choices alone.
    pub fn offsets(&self) -> Vec<BigUint> {
        let offsets = self.choices.iter().map(|choice| choice.offset.clone());
        offsets.collect()
    }
}

/// The input that these choices make.
///
/// # Errors
///
/// Where a condition of the problem refuses it.
pub fn write(
    problem: &Problem,
    offsets: &[BigUint],
    meter: &mut Meter,
) -> Result<Written, Failure> {
    let (written, done) = attempt(problem, offsets, meter);
    done.map(|()| written)
}

/// The input that these choices make as far as a condition of the problem lets it, and whether it does.
pub(crate) fn attempt(
    problem: &Problem,
    offsets: &[BigUint],
    meter: &mut Meter,
) -> (Written, Result<(), Failure>) {
    record(problem, From::Tape(offsets), meter)
}

/// The choices that make an input which is there.
///
/// # Errors
///
/// Where it is no input of the problem.
pub fn read(problem: &Problem, input: &str, meter: &mut Meter) -> Result<Written, Failure> {
    let separators = problem.separators.as_deref().unwrap_or_default();
    let tokens = Tokens::new(input.as_bytes(), separators);
    let (written, done) = record(problem, From::Text(Box::new(tokens)), meter);
    done.map(|()| written)
}

fn record(problem: &Problem, from: From, meter: &mut Meter) -> (Written, Result<(), Failure>) {
    let library = Library::default();
    let mut games = Games::new(&library);
    let mut engine = Refusing::default();
    let mut recorder = Recorder {
        from,
        sheet: Sheet::default(),
        choices: Vec::new(),
        groups: Vec::new(),
        open: Vec::new(),
        named: BTreeMap::new(),
        name: None,
        goes_on: false,
    };
    let evaluator = Evaluator::new(&mut games, &mut engine, Work::new(meter));
    let done = Runner::new(evaluator, &mut recorder).carry_out(&problem.body);
    let written = Written {
        text: recorder.sheet.text,
        choices: recorder.choices,
        groups: recorder.groups,
    };
    (written, done.map(|_| ()))
}

/// Where choices come from.
enum From<'t> {
    Tape(&'t [BigUint]),
    Text(Box<Tokens<'t>>),
}

/// So many choices beyond a tape show that an input does not end.
const BEYOND: usize = 1000;
/// Where a word has no alphabet, its letters are counted in this one, and others behind it.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";

struct Recorder<'t> {
    from: From<'t>,
    sheet: Sheet,
    choices: Vec<Choice>,
    groups: Vec<Group>,
    open: Vec<Group>,
    /// Where each named number was chosen last.
    named: BTreeMap<String, usize>,
    /// The name of what is read now.
    name: Option<String>,
    /// Whether the last choice said that something goes on.
    goes_on: bool,
}

impl Recorder<'_> {
    /// What the tape has for the next choice, if choices come from one.
    fn next(&self, most: Option<&BigUint>) -> Result<Option<BigUint>, Failure> {
        let From::Tape(tape) = &self.from else {
            return Ok(None);
        };
        let place = self.choices.len();
        if place > tape.len() + BEYOND {
            return Err(Open::NoInput.into());
        }
        let offset = tape.get(place).cloned().unwrap_or_default();
        Ok(Some(match most {
            Some(most) if offset > *most => most.clone(),
            _ => offset,
        }))
    }

    fn chosen(&mut self, offset: BigUint, most: Option<BigUint>, number: Option<Number>) {
        self.goes_on = false;
        self.choices.push(Choice {
            offset,
            most,
            number,
        });
    }

    /// One of so many things; `given` is what the text has.
    fn one(&mut self, count: usize, given: Option<usize>) -> Result<usize, Failure> {
        let most = BigUint::from(count.checked_sub(1).ok_or(Open::NoInput)?);
        let offset = match self.next(Some(&most))? {
            Some(offset) => offset,
            None => BigUint::from(given.unwrap_or_default()),
        };
        let place = offset.to_usize().unwrap_or_default();
        self.chosen(offset, Some(most), None);
        Ok(place)
    }
}

/// A number from how far it is from the simplest that is allowed, and how far it may be.
fn number_at(offset: &BigUint, limits: &Limits) -> Number {
    let distance = Number::from(offset.clone());
    match limits {
        Limits {
            least: Some(least), ..
        } => least.plus(&distance),
        Limits {
            greatest: Some(greatest),
            ..
        } => greatest.minus(&distance),
        // 0, -1, 1, -2, 2 and so on.
        _ => {
            let half = Number::from((offset + 1u8) / 2u8);
            if offset.bit(0) { half.negated() } else { half }
        }
    }
}

fn offset_of(number: &Number, limits: &Limits) -> BigUint {
    let distance = match limits {
        Limits {
            least: Some(least), ..
        } => number.minus(least),
        Limits {
            greatest: Some(greatest),
            ..
        } => greatest.minus(number),
        _ => {
            let twice = number.absolute().plus(&number.absolute());
            let less = Number::from(i64::from(number.is_negative()));
            twice.minus(&less)
        }
    };
    distance.to_natural().unwrap_or_default()
}

fn most_of(limits: &Limits) -> Result<Option<BigUint>, Failure> {
    let (Some(least), Some(greatest)) = (&limits.least, &limits.greatest) else {
        return Ok(None);
    };
    let most = greatest.minus(least).to_natural();
    most.map(Some).ok_or_else(|| Open::NoInput.into())
}

impl Source for Recorder<'_> {
    fn integer(&mut self, limits: &Limits, meter: &mut Meter) -> Result<Number, Failure> {
        let most = most_of(limits)?;
        let (offset, number) = match self.next(most.as_ref())? {
            Some(offset) => {
                let number = number_at(&offset, limits);
                (offset, number)
            }
            None => {
                let From::Text(tokens) = &mut self.from else {
                    unreachable!("there is no tape")
                };
                let number = tokens.integer(limits, meter)?;
                (offset_of(&number, limits), number)
            }
        };
        if let Some(name) = self.name.take() {
            self.named.insert(name, self.choices.len());
        }
        self.chosen(offset, most, Some(number.clone()));
        Ok(number)
    }

    fn one_of(&mut self, numbers: &[Number], meter: &mut Meter) -> Result<Number, Failure> {
        let given = match &mut self.from {
            From::Text(tokens) => {
                let number = tokens.one_of(numbers, meter)?;
                numbers.iter().position(|other| *other == number)
            }
            From::Tape(_) => None,
        };
        let place = self.one(numbers.len(), given)?;
        Ok(numbers[place].clone())
    }

    fn word(&mut self, alphabet: Option<&str>, count: Letters) -> Result<Rc<str>, Failure> {
        let given = match &mut self.from {
            From::Text(tokens) => Some(tokens.word(alphabet, count)?),
            From::Tape(_) => None,
        };
        let given: Option<Vec<char>> = given.map(|word| word.chars().collect());
        let letters: Vec<char> = alphabet.unwrap_or(LETTERS).chars().collect();
        // How much longer than the shortest one it is, and how much longer it may be.
        let Letters { least, most } = count;
        let most = most.map(|most| most.checked_sub(least).ok_or(Open::NoInput));
        let most = most.transpose()?.map(BigUint::from);
        let longer = match (self.next(most.as_ref())?, &given) {
            (Some(offset), _) => offset,
            (None, given) => {
                let length = given.as_ref().map_or(0, Vec::len) as u64;
                BigUint::from(length.saturating_sub(least))
            }
        };
        let count = self.choices.len();
        let letters_to_come = (&longer + least).to_usize();
        let letters_to_come = letters_to_come.filter(|letters| *letters <= 1 << 20);
        let letters_to_come = letters_to_come.ok_or(Open::NoInput)?;
        self.chosen(longer, most, None);
        let mut word = String::new();
        let mut starts = Vec::new();
        for place in 0..letters_to_come {
            starts.push(self.choices.len());
            let given = given.as_ref().map(|word| word[place]);
            let known = given.and_then(|given| letters.iter().position(|other| *other == given));
            if let (Some(letter), None) = (given, known) {
                // A letter that no alphabet has to have is kept as it is.
                self.chosen(BigUint::zero(), Some(BigUint::zero()), None);
                word.push(letter);
            } else {
                word.push(letters[self.one(letters.len(), known)?]);
            }
        }
        let end = self.choices.len();
        self.groups.push(Group {
            count: Some(count),
            starts,
            end,
        });
        Ok(word.into())
    }

    fn one_word_of(&mut self, words: &[String]) -> Result<Rc<str>, Failure> {
        let given = match &mut self.from {
            From::Text(tokens) => {
                let word = tokens.one_word_of(words)?;
                words.iter().position(|other| **other == *word)
            }
            From::Tape(_) => None,
        };
        let place = self.one(words.len(), given)?;
        Ok(words[place].as_str().into())
    }

    fn begin(&mut self, until: Until) -> Result<(), Failure> {
        match &mut self.from {
            From::Text(tokens) => tokens.begin(until),
            From::Tape(_) => Ok(()),
        }
    }

    fn goes_on(&mut self, until: Until) -> bool {
        let most = BigUint::from(1u8);
        let goes_on = match &mut self.from {
            From::Text(tokens) => tokens.goes_on(until),
            From::Tape(_) => {
                let next = self.next(Some(&most));
                next.is_ok_and(|offset| offset.is_some_and(|offset| !offset.is_zero()))
            }
        };
        self.chosen(u8::from(goes_on).into(), Some(most), None);
        self.goes_on = goes_on;
        goes_on
    }

    fn end(&mut self, until: Until) {
        if let From::Text(tokens) = &mut self.from {
            tokens.end(until);
        }
    }

    fn mark(&self) -> usize {
        match &self.from {
            From::Text(tokens) => tokens.mark(),
            From::Tape(_) => 0,
        }
    }

    fn ordered(
        &mut self,
        values: Vec<Value>,
        order: Order,
        marks: &[usize],
    ) -> Result<Vec<Value>, Failure> {
        match &mut self.from {
            From::Text(tokens) => tokens.ordered(values, order, marks),
            From::Tape(_) => Ok(put_in_order(values, order).ok_or(Open::NoInput)?),
        }
    }

    fn refused(&mut self) -> Failure {
        Open::NoInput.into()
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn is_for(&mut self, name: Option<&str>) {
        self.name = name.map(str::to_owned);
    }

    fn opens(&mut self, counted: Option<&Expression>) {
        let mut names = std::collections::BTreeSet::new();
        if let Some(count) = counted {
            variables(count, &mut names);
        }
        let count = names.iter().filter_map(|name| self.named.get(name)).max();
        self.open.push(Group {
            count: count.copied(),
            starts: Vec::new(),
            end: 0,
        });
    }

    fn next_part(&mut self) {
        // What says that this part is there belongs to it.
        let start = self.choices.len() - usize::from(self.goes_on);
        self.goes_on = false;
        if let Some(group) = self.open.last_mut() {
            group.starts.push(start);
        }
    }

    fn closes(&mut self) {
        let ends_itself = self.choices.len();
        if let Some(mut group) = self.open.pop() {
            group.end = ends_itself;
            self.groups.push(group);
        }
    }

    fn taken(&mut self, kind: &Kind, value: &Value) {
        self.sheet.write(kind, value);
    }

    fn taken_all(&mut self) {
        self.sheet.end_of_line();
    }
}
