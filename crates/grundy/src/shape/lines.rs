//! Tuples from which any positive multiple of some directions may be subtracted.

use grundy_rules::Ruleset;
use grundy_rules::ruleset::{
    Alternative, MoveRule, Pattern, PatternItem, ResultTerm, Role, TemplateItem,
};

use super::formula::{Formula, Linear};
use super::read::Reader;

/// `[x1, …, xd] -> [x1 - v1 k, …, xd - vd k]` for every `k >= 1` and every direction `v`.
///
/// Nim on `d` heaps has the unit vectors; Wythoff's game has (1,0), (0,1) and (1,1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// How many coordinates a component has.
    pub coordinates: usize,
    /// The directions, ascending, each once; none is zero.
    pub directions: Vec<Vec<u64>>,
}

impl Lines {
    /// The options of a tuple, ascending, each once.
    pub fn options(&self, tuple: &[u64]) -> Vec<Vec<u64>> {
        let step = |from: &Vec<u64>, direction: &[u64]| -> Option<Vec<u64>> {
            let pairs = from.iter().zip(direction);
            pairs.map(|(x, v)| x.checked_sub(*v)).collect()
        };
        let mut options: Vec<Vec<u64>> = self
            .directions
            .iter()
            .flat_map(|direction| {
                let first = step(&tuple.to_vec(), direction);
                std::iter::successors(first, move |from| step(from, direction))
            })
            .collect();
        options.sort();
        options.dedup();
        options
    }

    /// Reads rules without rows, starts and order; `None` if they say anything else.
    pub(crate) fn of(ruleset: &Ruleset) -> Option<Self> {
        let coordinates = match ruleset.moves.first()?.patterns.as_slice() {
            [pattern] => pattern.items.len(),
            _ => return None,
        };
        if ruleset.unordered || coordinates < 2 {
            return None;
        }
        let mut directions = Vec::new();
        for rule in &ruleset.moves {
            let [pattern] = rule.patterns.as_slice() else {
                return None;
            };
            let coordinate = variables(pattern).filter(|all| all.len() == coordinates)?;
            for alternative in &rule.alternatives {
                directions.push(direction(ruleset, rule, &coordinate, alternative)?);
            }
        }
        directions.sort();
        directions.dedup();
        Some(Self {
            coordinates,
            directions,
        })
    }
}

/// The coordinates of a pattern, if they are different variables.
fn variables(pattern: &Pattern) -> Option<Vec<usize>> {
    let variables: Option<Vec<usize>> = pattern
        .items
        .iter()
        .map(|item| match item {
            PatternItem::Variable(variable) => Some(variable.0),
            _ => None,
        })
        .collect();
    let variables = variables?;
    let mut distinct = variables.clone();
    distinct.sort_unstable();
    distinct.dedup();
    (distinct.len() == variables.len()).then_some(variables)
}

/// The direction of an alternative whose guard says that the only choice is at least 1.
fn direction(
    ruleset: &Ruleset,
    rule: &MoveRule,
    coordinate: &[usize],
    alternative: &Alternative,
) -> Option<Vec<u64>> {
    let Alternative::Sum(terms) = alternative else {
        return None;
    };
    let [ResultTerm::Component(template)] = terms.as_slice() else {
        return None;
    };
    let names = rule.scope.names.iter().enumerate();
    let mut choices =
        names.filter(|(_, name)| !matches!(name.role, Role::Coordinate | Role::Parameter(_)));
    let (choice, name) = choices.next()?;
    if name.role != Role::Choice || choices.next().is_some() {
        return None;
    }
    let reader = Reader {
        ruleset,
        scope: &rule.scope,
    };
    let mut positive = Linear::variable(choice, rule.scope.names.len());
    positive.constant = -1;
    if reader.formula(&rule.guard).ok()? != Formula::AtLeast(positive)
        || template.items.len() != coordinate.len()
    {
        return None;
    }
    let steps = template.items.iter().zip(coordinate).map(|(item, x)| {
        let TemplateItem::Expr(expr) = item else {
            return None;
        };
        let pieces = reader.pieces(expr).ok()?;
        let [piece] = pieces.as_slice() else {
            return None;
        };
        let unmoved = Linear::variable(*x, rule.scope.names.len());
        let step = unmoved.plus(&piece.linear, -1)?;
        let others = step.coefficients.iter().enumerate();
        let only_choice = others.into_iter().all(|(i, c)| i == choice || *c == 0);
        (piece.divisor == 1 && step.constant == 0 && only_choice)
            .then(|| u64::try_from(step.coefficients[choice]).ok())?
    });
    let steps: Vec<u64> = steps.collect::<Option<_>>()?;
    steps.iter().any(|step| *step > 0).then_some(steps)
}
