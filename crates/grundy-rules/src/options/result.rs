//! What the terms of a rule make of the choices.

use crate::budget::{Limit, Meter};
use crate::eval::{Env, Value};
use crate::position::{Component, Item};
use crate::ruleset::{Alternative, Expr, ResultTerm, Template, TemplateItem};
use num_traits::{Signed, ToPrimitive, Zero};

use super::form::{complete, keeps_order, normalise};
use super::row::update_row;

/// The results of an alternative for the choices made; several where `some` takes subsets.
pub(super) fn results(
    env: &mut Env,
    alternative: &Alternative,
    meter: &mut Meter,
) -> Result<Vec<Vec<Component>>, Limit> {
    match alternative {
        Alternative::Sum(terms) => {
            let mut components = Vec::new();
            for term in terms {
                if !add_term(env, term, &mut components, meter)? {
                    return Ok(Vec::new());
                }
            }
            Ok(finish(env, components, meter)?.into_iter().collect())
        }
        Alternative::Updates(updates) => {
            let mut rows = Vec::new();
            update_row(env, updates, &mut rows, meter)?;
            let mut all = Vec::new();
            for row in rows {
                all.extend(finish(env, vec![Component(row)], meter)?);
            }
            Ok(all)
        }
    }
}

/// Adds the components of one term; false if it does not exist.
fn add_term(
    env: &mut Env,
    term: &ResultTerm,
    components: &mut Vec<Component>,
    meter: &mut Meter,
) -> Result<bool, Limit> {
    match term {
        ResultTerm::Component(template) => {
            let Some(component) = build(env, template, meter)? else {
                return Ok(false);
            };
            components.push(component);
        }
        ResultTerm::Copies { count, template } => {
            let Some(count) = env
                .number(count, meter)?
                .filter(|count| !count.is_negative())
            else {
                return Ok(false);
            };
            if count.is_zero() {
                return Ok(true);
            }
            let Some(component) = build(env, template, meter)? else {
                return Ok(false);
            };
            let count = count.to_u64().ok_or(Limit::Bytes)?;
            for _ in 0..count {
                meter.spend(1)?;
                components.push(component.clone());
            }
        }
        ResultTerm::Series { template, ranges } => {
            return add_series(env, template, ranges, components, meter);
        }
    }
    Ok(true)
}

fn add_series(
    env: &mut Env,
    template: &Template,
    ranges: &[crate::ruleset::SeriesRange],
    components: &mut Vec<Component>,
    meter: &mut Meter,
) -> Result<bool, Limit> {
    let Some((range, inner)) = ranges.split_first() else {
        let Some(component) = build(env, template, meter)? else {
            return Ok(false);
        };
        components.push(component);
        return Ok(true);
    };
    let (Some(mut next), Some(to)) = (
        env.number(&range.from, meter)?,
        env.number(&range.to, meter)?,
    ) else {
        return Ok(false);
    };
    let mut all = true;
    while all && next <= to {
        meter.spend(1)?;
        env.values[range.variable.0] = Some(Value::Number(next.clone()));
        all = add_series(env, template, inner, components, meter)?;
        next += 1;
    }
    env.values[range.variable.0] = None;
    Ok(all)
}

/// Builds a component; `None` if a coordinate is undefined or negative.
pub(super) fn build(
    env: &Env,
    template: &Template,
    meter: &mut Meter,
) -> Result<Option<Component>, Limit> {
    let mut items = Vec::with_capacity(template.items.len());
    for item in &template.items {
        match item {
            TemplateItem::Expr(Expr::Variable(variable))
                if matches!(env.values[variable.0], Some(Value::List(_))) =>
            {
                if let Some(Value::List(list)) = &env.values[variable.0] {
                    items.push(Item::List(Component(list.clone())));
                }
            }
            TemplateItem::Expr(expr) => {
                match env.number(expr, meter)?.and_then(|n| n.to_biguint()) {
                    Some(n) => items.push(Item::Number(n)),
                    None => return Ok(None),
                }
            }
            TemplateItem::Splice(variable) => match &env.values[variable.0] {
                Some(Value::List(list)) => items.extend(list.iter().cloned()),
                _ => return Ok(None),
            },
            TemplateItem::List(inner) => match build(env, inner, meter)? {
                Some(list) => items.push(Item::List(list)),
                None => return Ok(None),
            },
        }
    }
    Ok(Some(Component(items)))
}

/// Completes, normalises and checks the components of a result; `None` if one is not allowed.
fn finish(
    env: &Env,
    components: Vec<Component>,
    meter: &mut Meter,
) -> Result<Option<Vec<Component>>, Limit> {
    let ruleset = env.ruleset;
    let mut finished = Vec::with_capacity(components.len());
    for component in components {
        let Some(component) = complete(ruleset, component, false, meter)? else {
            return Ok(None);
        };
        let component = normalise(ruleset, component);
        if !keeps_order(ruleset, &component) {
            return Ok(None);
        }
        finished.push(component);
    }
    Ok(Some(finished))
}
