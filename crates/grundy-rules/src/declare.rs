//! Declarations that speak of no variable: rows and the values of parameters.

use num_bigint::{BigInt, Sign};

use crate::fault::{Diagnostic, Fault};
use crate::notation::{self, Allowance};
use crate::ruleset::{BinaryOp, Empties, ParameterValue, Row, RowOrder, Span};
use crate::tree::{Name, Node, NodeKind, RowCondition};

/// How many letters an alphabet may have.
const ALPHABET_LIMIT: usize = 256;

/// The declaration of a row.
pub(crate) fn row(
    name: &Name,
    conditions: &[(RowCondition, Span)],
    alphabet: Option<&(String, Span)>,
    faults: &mut Vec<Diagnostic>,
) -> Row {
    let mut row = Row {
        name: name.text.clone(),
        order: None,
        ring: false,
        unordered: false,
        empties: Empties::Stay,
        alphabet: Vec::new(),
    };
    for (condition, span) in conditions {
        let order = match condition {
            RowCondition::Increasing => RowOrder::Increasing,
            RowCondition::Nondecreasing => RowOrder::Nondecreasing,
            RowCondition::Nonincreasing => RowOrder::Nonincreasing,
            RowCondition::Ring => {
                row.ring = true;
                continue;
            }
            RowCondition::Unordered => {
                row.unordered = true;
                continue;
            }
            RowCondition::EmptiesVanish => {
                row.empties = Empties::Vanish;
                continue;
            }
            RowCondition::EmptyEndsVanish => {
                if row.empties == Empties::Stay {
                    row.empties = Empties::VanishAtEnds;
                }
                continue;
            }
        };
        if row.order.replace(order).is_some_and(|other| other != order) {
            faults.push(Diagnostic::new(*span, Fault::RowOrdersClash));
        }
    }
    let Some((letters, span)) = alphabet else {
        return row;
    };
    for letter in letters.chars() {
        let fault = if letter.is_whitespace() || "[],;=#\"".contains(letter) {
            Fault::AlphabetLetter { letter }
        } else if row.alphabet.len() == ALPHABET_LIMIT {
            Fault::AlphabetTooLong {
                limit: ALPHABET_LIMIT,
            }
        } else if row.alphabet.contains(&letter) {
            Fault::AlphabetRepeats { letter }
        } else {
            row.alphabet.push(letter);
            continue;
        };
        faults.push(Diagnostic::new(*span, fault));
        break;
    }
    if letters.is_empty() {
        faults.push(Diagnostic::new(*span, Fault::NoAlphabet));
    }
    row
}

/// The value of a parameter, written without names.
pub(crate) fn parameter_value(
    node: &Node,
    allowance: &Allowance,
) -> Result<ParameterValue, Diagnostic> {
    match &node.kind {
        NodeKind::Tuple(items) => Ok(ParameterValue::List(constants(items, allowance)?)),
        NodeKind::Braces(items) => {
            let tuples: Vec<&Node> = items
                .iter()
                .filter(|item| matches!(item.kind, NodeKind::Tuple(_)))
                .collect();
            if tuples.is_empty() {
                let mut numbers = constants(items, allowance)?;
                numbers.sort_unstable();
                numbers.dedup();
                return Ok(ParameterValue::Set(numbers));
            }
            let mut relation: Vec<Vec<BigInt>> = Vec::new();
            for item in items {
                let NodeKind::Tuple(members) = &item.kind else {
                    return Err(Diagnostic::new(item.span, Fault::ParameterValue));
                };
                match members.len() {
                    // `{()}` is the relation without tuples.
                    0 if items.len() == 1 => return Ok(ParameterValue::Relation(relation)),
                    0 | 1 => return Err(Diagnostic::new(item.span, Fault::ParameterValue)),
                    _ => {}
                }
                if let Some(first) = relation.first()
                    && first.len() != members.len()
                {
                    let fault = Fault::UnequalTuples {
                        first: first.len(),
                        this: members.len(),
                    };
                    return Err(Diagnostic::new(item.span, fault));
                }
                relation.push(constants(members, allowance)?);
            }
            relation.sort_unstable();
            relation.dedup();
            Ok(ParameterValue::Relation(relation))
        }
        _ => constant(node, allowance).map(ParameterValue::Number),
    }
}

fn constants(nodes: &[Node], allowance: &Allowance) -> Result<Vec<BigInt>, Diagnostic> {
    nodes.iter().map(|node| constant(node, allowance)).collect()
}

/// The number that a formula without names writes.
fn constant(node: &Node, allowance: &Allowance) -> Result<BigInt, Diagnostic> {
    let fault = |fault| Diagnostic::new(node.span, fault);
    match &node.kind {
        NodeKind::Number(number) => Ok(number.clone()),
        NodeKind::Negate(inner) => Ok(-constant(inner, allowance)?),
        NodeKind::Binary(op, left, right) => {
            let (left, right) = (constant(left, allowance)?, constant(right, allowance)?);
            match op {
                BinaryOp::Add => Ok(left + right),
                BinaryOp::Subtract => Ok(left - right),
                BinaryOp::Multiply if left.bits() + right.bits() <= notation::NUMBER_BITS => {
                    Ok(left * right)
                }
                BinaryOp::Multiply => Err(fault(Fault::NumberTooLarge {
                    bits: notation::NUMBER_BITS,
                })),
                BinaryOp::Power => {
                    let exponent = right.to_biguint().ok_or(fault(Fault::ParameterValue))?;
                    let power = allowance
                        .power(left.magnitude(), &exponent)
                        .map_err(fault)?;
                    let negative = left.sign() == Sign::Minus && exponent.bit(0);
                    let sign = if negative { Sign::Minus } else { Sign::Plus };
                    Ok(BigInt::from_biguint(sign, power))
                }
                _ => Err(fault(Fault::ParameterValue)),
            }
        }
        _ => Err(fault(Fault::ParameterValue)),
    }
}
