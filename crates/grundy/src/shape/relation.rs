//! The options of a rule as a relation between what is removed and the parts that are left.

use grundy_rules::ruleset::{
    Alternative, Expr, MoveRule, PatternItem, ResultTerm, Role, Ruleset, Template, TemplateItem,
};

use super::code::MOST_PARTS;
use super::formula::{Formula, Linear};
use super::outside::Reason;
use super::read::{Piece, Reader};

/// What one alternative of a rule allows: variable 0 is what is removed in total, the variables
/// 1, 2, … are the parts, in the order of the text. All are naturals; the heap is their sum.
pub(crate) struct Relation {
    pub parts: usize,
    pub formula: Formula,
}

/// The relations of a rule `[n] -> …`, one or more for each of its alternatives.
///
/// The choices of the mover are eliminated: each must be determined by the parts and the heap
/// through an equation in which it stands with coefficient 1 or -1, so that integers stay integers,
/// or have few values.
pub(crate) fn relations(ruleset: &Ruleset, rule: &MoveRule) -> Result<Vec<Relation>, Reason> {
    let [pattern] = rule.patterns.as_slice() else {
        return Err(Reason::Rows);
    };
    let reader = Reader {
        ruleset,
        scope: &rule.scope,
    };
    let scoped = rule.scope.names.len();
    let heap = match pattern.items.as_slice() {
        [PatternItem::Variable(variable)] => Linear::variable(variable.0, scoped),
        [PatternItem::Number(n)] => {
            let n = i64::try_from(n.clone()).map_err(|_| Reason::LargeNumber)?;
            Linear::constant(n, scoped)
        }
        [_] => return Err(Reason::Pattern),
        _ => return Err(Reason::Coordinates),
    };
    if rule
        .scope
        .names
        .iter()
        .any(|name| name.role == Role::Existential)
    {
        return Err(Reason::Existential);
    }
    let guard = reader.formula(&rule.guard)?;
    let mut relations = Vec::new();
    for alternative in &rule.alternatives {
        let Alternative::Sum(terms) = alternative else {
            return Err(Reason::Rows);
        };
        let sizes = sizes(&reader, terms)?;
        for case in cases(&sizes)? {
            let system = System::new(rule, &heap, &guard, case)?;
            for formula in system.solve()? {
                if formula != Formula::Constant(false) {
                    relations.push(Relation {
                        parts: sizes.len(),
                        formula,
                    });
                }
            }
        }
    }
    Ok(relations)
}

/// The sizes of the parts of a result.
fn sizes(reader: &Reader, terms: &[ResultTerm]) -> Result<Vec<Vec<Piece>>, Reason> {
    let mut sizes = Vec::new();
    for term in terms {
        let (count, template) = match term {
            ResultTerm::Component(template) => (1, template),
            ResultTerm::Copies { count, template } => {
                let pieces = reader.pieces(count).map_err(|_| Reason::Series)?;
                let [piece] = pieces.as_slice() else {
                    return Err(Reason::Series);
                };
                let count = piece.linear.as_constant().ok_or(Reason::Series)?;
                // A negative number of copies means nothing; leave it to the definition.
                (
                    usize::try_from(count).map_err(|_| Reason::Series)?,
                    template,
                )
            }
            ResultTerm::Series { .. } => return Err(Reason::Series),
        };
        if sizes.len() + count > MOST_PARTS {
            return Err(Reason::Room);
        }
        let size = reader.pieces(size_of(template)?)?;
        sizes.extend(std::iter::repeat_n(size, count));
    }
    Ok(sizes)
}

fn size_of(template: &Template) -> Result<&Expr, Reason> {
    match template.items.as_slice() {
        [TemplateItem::Expr(expr)] => Ok(expr),
        _ => Err(Reason::Coordinates),
    }
}

/// One condition under which all sizes are linear, and the sizes.
struct Case {
    when: Formula,
    sizes: Vec<Linear>,
}

fn cases(sizes: &[Vec<Piece>]) -> Result<Vec<Case>, Reason> {
    let mut cases = vec![Case {
        when: Formula::Constant(true),
        sizes: Vec::new(),
    }];
    for pieces in sizes {
        if cases.len() * pieces.len() > 64 {
            return Err(Reason::Room);
        }
        if pieces.iter().any(|piece| piece.divisor != 1) {
            return Err(Reason::NotLinear);
        }
        cases = cases
            .iter()
            .flat_map(|case| {
                pieces.iter().map(|piece| {
                    let mut sizes = case.sizes.clone();
                    sizes.push(piece.linear.clone());
                    Case {
                        when: Formula::all([case.when.clone(), piece.when.clone()]),
                        sizes,
                    }
                })
            })
            .collect();
    }
    Ok(cases)
}

/// The most values that a choice is split into which the parts do not determine.
const MOST_VALUES: i64 = 64;

/// Equations between the variables of a rule, what is removed, and the parts.
///
/// The variables are those of the rule, then what is removed, then the parts.
#[derive(Clone)]
struct System {
    /// How many variables the rule has.
    scoped: usize,
    /// How many parts there are.
    parts: usize,
    /// Forms that are 0.
    equations: Vec<Linear>,
    /// What each variable is by now, in terms of those that are not eliminated.
    values: Vec<Linear>,
    /// The variables of the rule that are still to be eliminated.
    open: Vec<usize>,
    /// All that were, each a natural.
    naturals: Vec<usize>,
    /// The condition, in terms of the variables of the rule.
    condition: Formula,
}

impl System {
    fn new(rule: &MoveRule, heap: &Linear, guard: &Formula, case: Case) -> Result<Self, Reason> {
        let scoped = rule.scope.names.len();
        let parts = case.sizes.len();
        let wide = scoped + 1 + parts;
        let widen = |linear: &Linear| {
            let mut linear = linear.clone();
            linear.coefficients.resize(wide, 0);
            linear
        };
        let mut sum = Linear::variable(scoped, wide);
        let mut equations = Vec::with_capacity(parts + 1);
        for (index, size) in case.sizes.iter().enumerate() {
            let part = Linear::variable(scoped + 1 + index, wide);
            sum = sum.plus(&part, 1).ok_or(Reason::LargeNumber)?;
            equations.push(widen(size).plus(&part, -1).ok_or(Reason::LargeNumber)?);
        }
        equations.push(widen(heap).plus(&sum, -1).ok_or(Reason::LargeNumber)?);
        let names = rule.scope.names.iter().enumerate();
        let naturals: Vec<usize> = names
            .filter(|(_, name)| matches!(name.role, Role::Coordinate | Role::Choice))
            .map(|(index, _)| index)
            .collect();
        Ok(Self {
            scoped,
            parts,
            equations,
            values: (0..wide).map(|i| Linear::variable(i, wide)).collect(),
            open: naturals.clone(),
            naturals,
            condition: Formula::all([guard.clone(), case.when]),
        })
    }

    /// Eliminates all variables of the rule: conditions on what is removed and the parts, of which
    /// one must hold.
    ///
    /// A choice that no equation determines is split into its values, if they are few.
    fn solve(mut self) -> Result<Vec<Formula>, Reason> {
        while !self.open.is_empty() {
            let pivot = self.open.iter().enumerate().find_map(|(place, index)| {
                let usable = |e: &Linear| e.coefficients[*index].abs() == 1;
                Some((place, self.equations.iter().position(usable)?))
            });
            match pivot {
                Some((place, equation)) => {
                    let index = self.open.remove(place);
                    let equation = self.equations.swap_remove(equation);
                    self.replace(index, equation).ok_or(Reason::LargeNumber)?;
                }
                None => return self.split(),
            }
        }
        Ok(vec![self.condition_on_parts().ok_or(Reason::LargeNumber)?])
    }

    /// Uses an equation in which a variable stands with coefficient 1 or -1 to eliminate it.
    fn replace(&mut self, index: usize, equation: Linear) -> Option<()> {
        // form = sign * x + rest = 0, so x = -sign * rest.
        let mut rest = equation;
        let sign = std::mem::take(&mut rest.coefficients[index]);
        let value = rest.times(-sign)?;
        for form in self.equations.iter_mut().chain(&mut self.values) {
            let coefficient = std::mem::take(&mut form.coefficients[index]);
            *form = form.plus(&value, coefficient)?;
        }
        Some(())
    }

    fn split(self) -> Result<Vec<Formula>, Reason> {
        let range = |index: usize| {
            let least = -self.condition.bound(index, -1).unwrap_or(0);
            let most = self.condition.bound(index, 1)?;
            (most - least < MOST_VALUES).then_some((index, least.max(0), most))
        };
        let bounded = self.open.iter().find_map(|index| range(*index));
        let (index, least, most) = bounded.ok_or(Reason::Undetermined)?;
        let mut all = Vec::new();
        for value in least..=most {
            let mut system = self.clone();
            let wide = system.values.len();
            let mut equation = Linear::variable(index, wide);
            equation.constant = -value;
            system.equations.push(equation);
            all.extend(system.solve()?);
        }
        Ok(all)
    }

    fn condition_on_parts(&self) -> Option<Formula> {
        let narrow = |linear: &Linear| Linear {
            constant: linear.constant,
            coefficients: linear.coefficients[self.scoped..].to_vec(),
        };
        let values: Vec<Linear> = self.values[..self.scoped].iter().map(narrow).collect();
        let mut all = vec![self.condition.substitute(&values, 1 + self.parts)?];
        let naturals = self.naturals.iter();
        all.extend(naturals.map(|i| Formula::at_least(values[*i].clone())));
        all.extend(self.equations.iter().map(narrow).map(Formula::equals_zero));
        Some(Formula::all(all))
    }
}
