//! Tables by the rules themselves for games whose moves change places of one row.

use std::fmt::Write as _;

use grundy_rules::Ruleset;
use grundy_rules::ruleset::{
    Alternative, Change, Empties, Expr, Guard, MoveRule, Place, Play, Role, Update, Variable,
};

use super::laws::{Answer, Law};
use super::program::Type;
use super::rules::{expr, guard, guard_has, parameters, word};
use super::snippet::{functions, kind, prelude};

/// A law that computes who wins a row as the rules define it.
pub(super) fn law(rules: &Ruleset) -> Option<Law> {
    let row = rules.row.as_ref()?;
    let is_plain = row.order.is_none()
        && !row.ring
        && !row.unordered
        && row.empties == Empties::Stay
        && rules.play == Play::Normal
        && rules.compound == grundy_rules::ruleset::Compound::default()
        && !rules.unordered
        && rules.chances.is_empty()
        && rules.endings.is_empty()
        && rules.starts.is_empty()
        && rules
            .moves
            .iter()
            .all(|rule| rule.patterns.is_empty() && rule.player.is_none());
    if !is_plain {
        return None;
    }
    let name = word(&rules.name);
    let given = parameters(rules)?;
    let mut writer = Writer {
        name: &name,
        holds: Vec::new(),
        given: &given,
        text: String::new(),
        depth: 1,
    };
    for rule in &rules.moves {
        for alternative in &rule.alternatives {
            let Alternative::Updates(updates) = alternative else {
                return None;
            };
            writer.rule(rule, updates)?;
        }
    }
    let options = writer.text;
    let typed: Vec<String> = given
        .iter()
        .map(|(name, of)| match of {
            Type::Number => format!("{name}: number, "),
            Type::List(entry) => match &**entry {
                Type::Tuple(parts) => {
                    let numbers = vec!["number"; parts.len()].join(", ");
                    format!("{name}: list of ({numbers}), ")
                }
                _ => format!("{name}: list of number, "),
            },
            _ => String::new(),
        })
        .collect();
    let typed = typed.concat();
    let text = format!(
        "# Whether the player to move loses: no move leads to a lost row. What is known is kept.\n\
         function {name}_is_lost(row: list of number, {typed}changing {name}_table: map of list of number to truth): truth {{\n  \
         if has({name}_table, row) {{\n    return get({name}_table, row)\n  }}\n\
         {options}  put {name}_table, row, true\n  return true\n}}\n"
    );
    let function = functions(&text, prelude(), &[]).remove(0);
    Some(Law {
        about: vec![format!(
            "{}: a table by the rules themselves, in which positions are examined until one is lost (Zermelo 1913).",
            rules.name
        )],
        lost: Some(Answer::Function(function.called.clone())),
        functions: vec![function],
        tables: vec![(
            format!("{name}_table"),
            kind("map of list of number to truth"),
            None,
        )],
        ..Law::default()
    })
}

struct Writer<'w> {
    name: &'w str,
    /// The conditions that hold where the next line stands.
    holds: Vec<String>,
    given: &'w [(String, Type)],
    text: String,
    depth: usize,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{}{line}", "  ".repeat(self.depth)).expect("a text takes it");
    }

    fn open(&mut self, line: &str) {
        self.line(&format!("{line} {{"));
        self.depth += 1;
    }

    /// The rounds that try the moves of a rule.
    fn rule(&mut self, rule: &MoveRule, updates: &[Update]) -> Option<()> {
        let depth = self.depth;
        self.holds.clear();
        let mut names = Vec::new();
        for name in &rule.scope.names {
            names.push(match name.role {
                Role::Row => "row".to_owned(),
                Role::Parameter(index) => self.given.get(index)?.0.clone(),
                Role::Choice => match name.name.as_str() {
                    taken @ ("row" | "left") => format!("{taken}_"),
                    name => name.to_owned(),
                },
                _ => return None,
            });
        }
        let choices: Vec<usize> = (0..names.len())
            .filter(|place| rule.scope.names[*place].role == Role::Choice)
            .collect();
        let parts: Vec<&Guard> = match &rule.guard {
            Guard::All(parts) => parts.iter().collect(),
            one => vec![one],
        };
        // Relations bind choices; what else speaks of a choice is asked when all it speaks of is known.
        let mut known: Vec<usize> = Vec::new();
        let mut asked = vec![false; parts.len()];
        self.ask(&parts, &mut asked, &known, &choices, &names)?;
        for (place, part) in parts.iter().enumerate() {
            let Guard::Related {
                negated: false,
                items,
                relation: Variable(relation),
            } = part
            else {
                continue;
            };
            if asked[place] {
                continue;
            }
            let mut bound = Vec::new();
            let mut equal = Vec::new();
            for (number, item) in items.iter().enumerate() {
                match item {
                    Expr::Variable(Variable(index))
                        if choices.contains(index) && !known.contains(index) =>
                    {
                        known.push(*index);
                        bound.push(names[*index].clone());
                    }
                    item => {
                        let entry = format!("entry_{}", number + 1);
                        equal.push(format!("{entry} = {}", expr(item, &names)?));
                        bound.push(entry);
                    }
                }
            }
            asked[place] = true;
            self.open(&format!(
                "for ({}) in {}",
                bound.join(", "),
                names[*relation]
            ));
            if !equal.is_empty() {
                self.open(&format!("if {}", equal.join(" and ")));
            }
            self.ask(&parts, &mut asked, &known, &choices, &names)?;
        }
        // Any other choice is a place.
        for choice in &choices {
            if !known.contains(choice) {
                let is_place = |update: &Update| matches!(update, Update::Place { place: Place::Index(Expr::Variable(Variable(index))), .. } if index == choice);
                if !updates.iter().any(is_place) {
                    return None;
                }
                known.push(*choice);
                self.open(&format!("for {} in 1..length(row)", names[*choice]));
                self.ask(&parts, &mut asked, &known, &choices, &names)?;
            }
        }
        self.change(updates, &names)?;
        let given: Vec<String> = self
            .given
            .iter()
            .map(|(name, _)| format!("{name}, "))
            .collect();
        let (name, given) = (self.name, given.concat());
        self.open(&format!("if {name}_is_lost(left, {given}{name}_table)"));
        self.line(&format!("put {name}_table, row, false"));
        self.line("return false");
        while self.depth > depth {
            self.depth -= 1;
            self.line("}");
        }
        Some(())
    }

    /// Asks the conditions that speak of known choices only.
    fn ask(
        &mut self,
        parts: &[&Guard],
        asked: &mut [bool],
        known: &[usize],
        choices: &[usize],
        names: &[String],
    ) -> Option<()> {
        let mut conditions = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let is_open = |choice: &usize| !known.contains(choice) && guard_has(part, *choice);
            if asked[place] || matches!(part, Guard::Related { .. }) || choices.iter().any(is_open)
            {
                continue;
            }
            asked[place] = true;
            // A condition about a place that is not there does not hold.
            let Guard::Compare(_, a, b) = part else {
                return None;
            };
            for side in [a, b] {
                places(side, &mut |place| {
                    conditions.extend(within(place, names));
                    Some(())
                })?;
            }
            conditions.push(guard(part, names)?);
        }
        self.if_all(conditions);
        Some(())
    }

    /// Asks what is not known to hold.
    fn if_all(&mut self, conditions: Vec<String>) {
        let before = self.holds.len();
        for condition in conditions {
            if !self.holds.contains(&condition) {
                self.holds.push(condition);
            }
        }
        if self.holds.len() > before {
            self.open(&format!("if {}", self.holds[before..].join(" and ")));
        }
    }

    /// Makes `left`, the row after the updates.
    fn change(&mut self, updates: &[Update], names: &[String]) -> Option<()> {
        let mut conditions = Vec::new();
        let mut sets = Vec::new();
        let mut changed: Vec<String> = Vec::new();
        for update in updates {
            let Update::Place {
                place: Place::Index(place),
                change,
            } = update
            else {
                return None;
            };
            conditions.extend(within(place, names));
            let place = expr(place, names)?;
            // Two updates of one place are no move.
            conditions.extend(changed.iter().map(|other| format!("{other} != {place}")));
            let old = format!("row[{place} - 1]");
            let value = match change {
                Change::Set(e) => expr(e, names)?,
                Change::Increase(e) => format!("{old} + ({})", expr(e, names)?),
                Change::Decrease(e) => {
                    let less = expr(e, names)?;
                    conditions.push(format!("{less} <= {old}"));
                    format!("{old} - ({less})")
                }
            };
            sets.push(format!("set left[{place} - 1] = {value}"));
            changed.push(place);
        }
        self.if_all(conditions);
        self.line("let left = row");
        sets.iter().for_each(|set| self.line(set));
        Some(())
    }
}

/// That a place of the row is there.
fn within(place: &Expr, names: &[String]) -> Vec<String> {
    let Some(text) = expr(place, names) else {
        return Vec::new();
    };
    let mut conditions = Vec::new();
    if !matches!(place, Expr::Number(_)) {
        conditions.push(format!("{text} >= 1"));
    }
    conditions.push(format!("{text} <= length(row)"));
    conditions
}

/// The places of the row that an expression speaks of.
fn places(e: &Expr, see: &mut dyn FnMut(&Expr) -> Option<()>) -> Option<()> {
    match e {
        Expr::Number(_) | Expr::Variable(_) => Some(()),
        Expr::Index(_, place) => {
            see(place)?;
            places(place, see)
        }
        Expr::Negate(of) => places(of, see),
        Expr::Binary(_, a, b) => {
            places(a, see)?;
            places(b, see)
        }
        _ => None,
    }
}
