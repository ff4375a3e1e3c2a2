//! Positions: sums of components, which are lists of naturals.

use num_bigint::BigUint;

/// A sum of components, in the order in which they were given.
///
/// The empty sum has no component; it is not the sum of one empty heap.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(pub Vec<Component>);

/// A list of naturals, or of lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Component(pub Vec<Item>);

/// One coordinate of a component.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// A natural number.
    Number(BigUint),
    /// A nested list.
    List(Component),
}

impl Position {
    /// The same sum with its components in ascending order.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.0.sort();
        self
    }
}

impl Component {
    /// The component with these numbers.
    pub fn of_numbers<N: Into<BigUint>>(numbers: impl IntoIterator<Item = N>) -> Self {
        Self(
            numbers
                .into_iter()
                .map(|n| Item::Number(n.into()))
                .collect(),
        )
    }

    /// The number of the only coordinate of a heap `[n]`; `None` for any other component.
    pub fn as_heap(&self) -> Option<&BigUint> {
        match self.0.as_slice() {
            [Item::Number(n)] => Some(n),
            _ => None,
        }
    }
}
