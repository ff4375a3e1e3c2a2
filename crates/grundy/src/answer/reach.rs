//! The options of a component that lead to a sum written down, however many others there are.

use grundy_rules::options::{RuleOption, normalise, options};
use grundy_rules::ruleset::{
    Alternative, Comparison, Empties, Expr, Guard, MoveRule, Parameter, ParameterValue, ResultTerm,
    Span, TemplateItem, Update,
};
use grundy_rules::{Component, Item, Limit, Meter, Ruleset};
use num_bigint::BigInt;

use super::few::{changed_places, numbers_written, places_written};

/// The most components whose orders are tried one after the other.
const MOST_TOGETHER: usize = 4;

/// The options of a component that are this sum, in the order of `grundy_rules::options`.
///
/// A single tuple may be written without its last numbers: then the options that begin with it are
/// the answer. All options are found. The rules are asked with one condition more for each number of the
/// result wherever that says the same, so that choices which stand in the result cost nothing; the
/// other rules cost what listing their options costs.
pub fn options_reaching(
    ruleset: &Ruleset,
    component: &Component,
    result: &[Component],
    meter: &mut Meter,
) -> Result<Vec<RuleOption>, Limit> {
    let mut asked = Asked::new(ruleset, result);
    for (index, rule) in ruleset.moves.iter().enumerate() {
        if rule.patterns.len() > 1 {
            continue;
        }
        for alternative in &rule.alternatives {
            let one = MoveRule {
                alternatives: vec![alternative.clone()],
                ..rule.clone()
            };
            asked.ask(index, one, component, result);
        }
    }
    let mut wanted: Vec<Component> = result
        .iter()
        .map(|component| normalise(ruleset, component.clone()))
        .collect();
    wanted.sort();
    let mut found: Vec<(usize, RuleOption)> = Vec::new();
    for mut option in options(&asked.ruleset, component, meter)? {
        let mut reached = option.result.clone();
        reached.sort();
        if reached == wanted || begins(ruleset, &reached, &wanted) {
            let (rule, place) = asked.origin[option.rule];
            option.rule = rule;
            found.push((place, option));
        }
    }
    found.sort_by(|(a, left), (b, right)| (a, &left.choices).cmp(&(b, &right.choices)));
    Ok(merged(ruleset, found))
}

/// Whether one component begins with the numbers of the other, of which the last are left out.
fn begins(ruleset: &Ruleset, reached: &[Component], wanted: &[Component]) -> bool {
    let ([reached], [wanted]) = (reached, wanted) else {
        return false;
    };
    let in_order = ruleset.row.is_none() && !ruleset.unordered;
    in_order && !wanted.0.is_empty() && reached.0.starts_with(&wanted.0)
}

/// Options with equal labels and results as one, as `options` counts them.
fn merged(ruleset: &Ruleset, found: Vec<(usize, RuleOption)>) -> Vec<RuleOption> {
    let key = |option: &RuleOption| {
        let mut result = option.result.clone();
        result.sort();
        (ruleset.moves[option.rule].label.clone(), result)
    };
    let mut all: Vec<RuleOption> = Vec::new();
    for (_, option) in found {
        match all.iter_mut().find(|other| key(other) == key(&option)) {
            Some(other) => other.ways = other.ways.saturating_add(option.ways),
            None => all.push(option),
        }
    }
    all
}

/// The rules with conditions on their results.
struct Asked {
    ruleset: Ruleset,
    /// For each rule asked, the rule it comes from and the place of its alternative among all.
    origin: Vec<(usize, usize)>,
    /// The index of the parameter that holds the numbers of a result of one component.
    list: usize,
    /// How many alternatives have been asked.
    places: usize,
    /// Whether components stay as they are written.
    is_written: bool,
}

impl Asked {
    fn new(ruleset: &Ruleset, result: &[Component]) -> Self {
        let mut asked = ruleset.clone();
        asked.expectations.clear();
        asked.claims.clear();
        asked.moves.clear();
        let list = asked.parameters.len();
        let numbers = match result {
            [one] => numbers(one).unwrap_or_default(),
            _ => Vec::new(),
        };
        asked.parameters.push(Parameter {
            name: String::new(),
            value: ParameterValue::List(numbers),
            span: Span::default(),
        });
        let stays = ruleset
            .row
            .as_ref()
            .is_none_or(|row| row.empties == Empties::Stay && !row.ring && !row.unordered);
        Self {
            ruleset: asked,
            origin: Vec::new(),
            list,
            places: 0,
            is_written: stays && !ruleset.unordered,
        }
    }

    /// Adds one alternative of a rule with the conditions that its result is this one; several times
    /// where its components can stand in several orders.
    fn ask(&mut self, index: usize, rule: MoveRule, component: &Component, result: &[Component]) {
        self.places += 1;
        let mut rules = Vec::new();
        if self.is_written {
            match &rule.alternatives[0] {
                Alternative::Updates(updates) => {
                    if !self.is_reached_by(updates, component, result) {
                        return;
                    }
                    let changed = changed_places(component, &result[0]);
                    let updates = updates.clone();
                    let mut with_names = rule.clone();
                    if let Some(conditions) =
                        places_written(&mut with_names, self.list, &updates, &changed)
                    {
                        rules.push(with(with_names, conditions));
                    }
                }
                Alternative::Sum(terms) => match self.orders(terms, result) {
                    Some(orders) => {
                        for order in orders {
                            if let Some(conditions) = written(terms, &order) {
                                rules.push(with(rule.clone(), conditions));
                            }
                        }
                        if rules.is_empty() {
                            return;
                        }
                    }
                    None => {
                        let row = match result {
                            [one] => numbers(one),
                            _ => None,
                        };
                        let conditions = row.and_then(|row| numbers_written(terms, &row));
                        rules.extend(conditions.map(|conditions| with(rule.clone(), conditions)));
                    }
                },
            }
        }
        if rules.is_empty() {
            rules.push(rule);
        }
        for rule in rules {
            self.ruleset.moves.push(rule);
            self.origin.push((index, self.places));
        }
    }

    /// False only if no updates of so many single places lead to the result.
    fn is_reached_by(&self, updates: &[Update], before: &Component, result: &[Component]) -> bool {
        let [after] = result else {
            return false;
        };
        let single = |update: &Update| matches!(update, Update::Place { .. });
        if !updates.iter().all(single) || self.ruleset.row.is_none() {
            return true;
        }
        after.0.len() == before.0.len() && changed_places(before, after).len() <= updates.len()
    }

    /// The orders in which a result can stand for these terms; `None` where that cannot be told, or
    /// where there are too many.
    fn orders(&self, terms: &[ResultTerm], result: &[Component]) -> Option<Vec<Vec<Component>>> {
        let plain = terms.iter().all(|term| match term {
            ResultTerm::Component(template) => {
                let is_expr = |item: &TemplateItem| matches!(item, TemplateItem::Expr(_));
                let given = template.items.len();
                // A start could lengthen what is written.
                let mut starts = self.ruleset.starts.iter().filter(|start| !start.has_rest());
                template.items.iter().all(is_expr)
                    && starts.all(|start| start.pattern.items.len() != given)
            }
            _ => false,
        });
        let tuples = result.iter().all(|component| numbers(component).is_some());
        if !plain || !tuples || result.len() > MOST_TOGETHER || self.ruleset.row.is_some() {
            return None;
        }
        let mut orders: Vec<Vec<Component>> = vec![Vec::new()];
        for component in result {
            let longer = |order: &Vec<Component>| {
                let order = order.clone();
                (0..=order.len()).map(move |at| {
                    let mut order = order.clone();
                    order.insert(at, component.clone());
                    order
                })
            };
            orders = orders.iter().flat_map(longer).collect();
        }
        orders.sort();
        orders.dedup();
        Some(orders)
    }
}

/// The numbers of a tuple.
fn numbers(component: &Component) -> Option<Vec<BigInt>> {
    let number = |item: &Item| match item {
        Item::Number(n) => Some(BigInt::from(n.clone())),
        Item::List(_) => None,
    };
    component.0.iter().map(number).collect()
}

/// The conditions that terms make these components in this order, of which a single one may be
/// written without its last numbers; `None` if they cannot.
fn written(terms: &[ResultTerm], result: &[Component]) -> Option<Vec<Guard>> {
    if terms.len() != result.len() {
        return None;
    }
    let mut conditions = Vec::new();
    for (term, component) in terms.iter().zip(result) {
        let ResultTerm::Component(template) = term else {
            return None;
        };
        let given = component.0.len();
        let short = result.len() == 1 && given > 0 && given < template.items.len();
        if given != template.items.len() && !short {
            return None;
        }
        for (item, n) in template.items.iter().zip(numbers(component)?) {
            let TemplateItem::Expr(expr) = item else {
                return None;
            };
            conditions.push(Guard::Compare(
                Comparison::Equal,
                expr.clone(),
                Expr::Number(n),
            ));
        }
    }
    Some(conditions)
}

/// The rule under conditions more.
fn with(mut rule: MoveRule, conditions: Vec<Guard>) -> MoveRule {
    let mut all = match std::mem::replace(&mut rule.guard, Guard::All(Vec::new())) {
        Guard::All(guards) => guards,
        guard => vec![guard],
    };
    all.extend(conditions);
    rule.guard = match all.len() {
        1 => all.swap_remove(0),
        _ => Guard::All(all),
    };
    rule
}
