//! Codes and classes in the terms of the kernels.

use grundy_kernels::{Allowed, Rules};

use crate::shape::{Class, Classes, Code};

/// The most answers that a condition is tabulated by.
const MOST_ANSWERS: usize = 1 << 20;

/// The moves of a code with finitely many takes that leaves at most two heaps.
pub(super) fn of_code(code: &Code) -> Option<Rules> {
    if !code.repeating().is_empty() || code.most_parts() > 2 {
        return None;
    }
    let mut rules = Rules::default();
    for (taken, digit) in code.head().iter().enumerate() {
        if digit & 1 != 0 {
            rules.nothing.push(taken);
        }
        if digit & 2 != 0 {
            rules.one.push((taken, Allowed::default()));
        }
        if digit & 4 != 0 {
            rules.two.push((taken, Allowed::default()));
        }
    }
    Some(rules)
}

/// The moves of classes that leave at most two heaps, if their conditions can be tabulated.
pub(super) fn of_classes(classes: &Classes) -> Option<Rules> {
    let mut rules = Rules::default();
    for class in classes.classes() {
        match class.parts {
            0 if class.allows(&[]) => rules.nothing.push(class.removed),
            0 => {}
            1 => rules.one.push((class.removed, allowed(class)?)),
            2 => rules.two.push((class.removed, allowed(class)?)),
            _ => return None,
        }
    }
    Some(rules)
}

/// The condition of a class that leaves one heap or two.
fn allowed(class: &Class) -> Option<Allowed> {
    if class.is_unconditional() {
        return Some(Allowed::default());
    }
    let (bound, modulus) = class.reach()?;
    let side = bound.checked_add(modulus)?.checked_add(1)?;
    if side.checked_mul(side)? > MOST_ANSWERS {
        return None;
    }
    let answer = |small: usize, difference: usize| {
        let number = |n: usize| i64::try_from(n).expect("a number of a small table");
        let (small, large) = (number(small), number(small + difference));
        small > 0 && class.allows(&[small, large][..class.parts])
    };
    Some(Allowed::new(bound, modulus, answer))
}
