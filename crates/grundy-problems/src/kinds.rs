//! What is known of a value before anything is read: enough to refuse what can never work.

use crate::fault::ValueKind;

/// What a value is, as far as it is certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// Nothing is certain.
    Any,
    Number,
    Text,
    Truth,
    None,
    /// With so many members.
    Tuple(Vec<Type>),
    List(Box<Type>),
    Move,
    Sum,
}

impl Type {
    pub fn list(of: Self) -> Self {
        Self::List(Box::new(of))
    }

    /// Its kind, if that is certain.
    pub fn kind(&self) -> Option<ValueKind> {
        Some(match self {
            Self::Any => return None,
            Self::Number => ValueKind::Number,
            Self::Text => ValueKind::Text,
            Self::Truth => ValueKind::Truth,
            Self::None => ValueKind::None,
            Self::Tuple(_) => ValueKind::Tuple,
            Self::List(_) => ValueKind::List,
            Self::Move => ValueKind::Move,
            Self::Sum => ValueKind::Sum,
        })
    }

    /// What is certain of a value that is one of two.
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (same, other) if same == other => same,
            (Self::List(one), Self::List(other)) => Self::list(one.or(*other)),
            (Self::Tuple(ones), Self::Tuple(others)) if ones.len() == others.len() => {
                let members = ones.into_iter().zip(others);
                Self::Tuple(members.map(|(one, other)| one.or(other)).collect())
            }
            _ => Self::Any,
        }
    }

    /// What is certain of an entry of a list, or of a letter.
    pub fn entry(&self) -> Self {
        match self {
            Self::List(of) => (**of).clone(),
            Self::Text => Self::Text,
            _ => Self::Any,
        }
    }
}

/// What a function is called, what it takes and what it gives.
pub(crate) struct Function {
    pub name: &'static str,
    /// How many arguments it takes at least.
    pub least: usize,
    /// How many it takes at most.
    pub most: Option<usize>,
    /// What each must be; the last speaks of all that follow. Empty: anything.
    pub takes: &'static [&'static [ValueKind]],
    /// What it gives for arguments of these types.
    pub gives: fn(&[Type]) -> Type,
}

impl Function {
    /// Whether it takes so many arguments.
    pub fn takes_so_many(&self, arguments: usize) -> bool {
        arguments >= self.least && self.most.is_none_or(|most| arguments <= most)
    }
}

const NUMBER: &[ValueKind] = &[ValueKind::Number];
const TEXT: &[ValueKind] = &[ValueKind::Text];
const SUM: &[ValueKind] = &[ValueKind::Sum];
/// Lists, and what can be taken for one.
const LIST: &[ValueKind] = &[ValueKind::List];
const SIZED: &[ValueKind] = &[ValueKind::List, ValueKind::Text];
const LIST_OR_NUMBERS: &[ValueKind] = &[ValueKind::List, ValueKind::Number];
const ANY: &[ValueKind] = &[];

const fn function(
    name: &'static str,
    arguments: usize,
    takes: &'static [&'static [ValueKind]],
    gives: fn(&[Type]) -> Type,
) -> Function {
    Function {
        name,
        least: arguments,
        most: Some(arguments),
        takes,
        gives,
    }
}

const fn of_several(name: &'static str, gives: fn(&[Type]) -> Type) -> Function {
    Function {
        name,
        least: 1,
        most: None,
        takes: &[LIST_OR_NUMBERS],
        gives,
    }
}

fn number(_: &[Type]) -> Type {
    Type::Number
}

fn truth(_: &[Type]) -> Type {
    Type::Truth
}

fn text(_: &[Type]) -> Type {
    Type::Text
}

fn moves(_: &[Type]) -> Type {
    Type::list(Type::Move)
}

fn same(of: &[Type]) -> Type {
    of[0].clone()
}

/// An entry or nothing.
fn anything(_: &[Type]) -> Type {
    Type::Any
}

fn numbers(_: &[Type]) -> Type {
    Type::list(Type::Number)
}

fn extreme(of: &[Type]) -> Type {
    match of {
        [one] => one.entry(),
        _ => Type::Number,
    }
}

/// Every function of the language, by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    function("abs", 1, &[NUMBER], number),
    function("all", 1, &[LIST], truth),
    function("any", 1, &[LIST], truth),
    function("components", 2, &[LIST], numbers),
    function("count", 2, &[ANY, SIZED], number),
    function("cumulative", 1, &[LIST], same),
    function("digits", 2, &[NUMBER], numbers),
    function("distances", 3, &[LIST, ANY, LIST], |_| {
        Type::list(Type::Any)
    }),
    function("distinct", 1, &[LIST], same),
    function("first", 1, &[LIST], anything),
    function("flat", 1, &[LIST], |of| of[0].entry()),
    of_several("gcd", number),
    function("geography", 2, &[LIST], |_| Type::list(Type::Truth)),
    function("hackenbush", 2, &[LIST, ANY], number),
    function("inverse", 2, &[NUMBER], anything),
    function("isqrt", 1, &[NUMBER], number),
    function("least", 1, &[LIST], anything),
    function("length", 1, &[SIZED], number),
    function("letters", 1, &[TEXT], |_| Type::list(Type::Text)),
    function("lost", 1, &[SUM], truth),
    of_several("max", extreme),
    of_several("min", extreme),
    function("moves", 1, &[SUM], moves),
    function("nimproduct", 2, &[NUMBER], number),
    function("number", 1, &[TEXT], number),
    function("outcome", 1, &[SUM], text),
    function("outcomes", 3, &[LIST], |_| Type::list(Type::Text)),
    function("place", 2, &[ANY, SIZED], anything),
    function("plays", 1, &[SUM], anything),
    function("popcount", 1, &[NUMBER], number),
    function("product", 1, &[LIST], number),
    function("reverse", 1, &[SIZED], same),
    function("selections", 2, &[LIST, NUMBER], number),
    function("sort", 1, &[LIST], same),
    function("sum", 1, &[LIST], |of| match of[0].entry() {
        sum @ (Type::Sum | Type::Any) => sum,
        _ => Type::Number,
    }),
    function("text", 1, &[ANY], text),
    function("value", 1, &[SUM], anything),
    function("values", 2, &[LIST], |_| Type::list(Type::Any)),
    function("winning", 1, &[SUM], moves),
    function("won", 1, &[SUM], truth),
    function("xor", 1, &[LIST], number),
    function("zip", 2, &[LIST], |of| {
        Type::list(Type::Tuple(of.iter().map(Type::entry).collect()))
    }),
];
