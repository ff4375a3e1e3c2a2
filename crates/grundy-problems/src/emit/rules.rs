//! Tables by the rules themselves: heaps of one number in order, and tuples as they are asked for.

use std::fmt::Write as _;

use grundy::oracle::has_values;
use grundy_rules::Ruleset;
use grundy_rules::ruleset::{
    Alternative, BinaryOp, Comparison, Expr, Function, Guard, MoveRule, Parameter, ParameterValue,
    PatternItem, Play, ResultTerm, Role, Set, TemplateItem, Variable,
};

use super::laws::{Answer, Law};
use super::program::Type;
use super::snippet::{functions, kind, prelude};

/// A law that computes what the rules define.
pub(super) fn law(rules: &Ruleset) -> Option<Law> {
    has_values(rules).ok()?;
    let arity = rules.moves.first()?.patterns.first()?.items.len();
    let is_plain = rules.row.is_none()
        && !rules.unordered
        && rules.play == Play::Normal
        && rules.chances.is_empty()
        && rules.endings.is_empty()
        && rules.starts.is_empty()
        && arity >= 1
        && rules
            .moves
            .iter()
            .all(|rule| rule.patterns.len() == 1 && rule.patterns[0].items.len() == arity);
    let is_relation =
        |parameter: &Parameter| matches!(parameter.value, ParameterValue::Relation(_));
    if !is_plain || rules.parameters.iter().any(is_relation) {
        return None;
    }
    let mut writer = Writer {
        rules,
        name: word(&rules.name),
        arity,
        parameters: parameters(rules)?,
        text: String::new(),
        depth: if arity == 1 { 2 } else { 3 },
    };
    let text = writer.function()?;
    let function = functions(&text, prelude(), &[]).remove(0);
    let table = if arity == 1 {
        "list of number".to_owned()
    } else {
        format!("map of ({}) to number", vec!["number"; arity].join(", "))
    };
    let mut law = super::laws::of_heaps(
        function,
        vec![format!(
            "{}: a table by the rules themselves, in which every position is examined (Sprague 1935, Grundy 1939).",
            rules.name
        )],
    );
    law.value = Some(Answer::Function(format!("{}_value", writer.name)));
    law.tables.push((writer.table(), kind(&table), None));
    Some(law)
}

/// A name as one in words.
pub(super) fn word(name: &str) -> String {
    let letters = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let word: String = letters.collect();
    if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        word
    } else {
        format!("game_{word}")
    }
}

/// The parameters of a game as those of a function.
pub(super) fn parameters(rules: &Ruleset) -> Option<Vec<(String, Type)>> {
    let mut all = Vec::new();
    for parameter in &rules.parameters {
        let of = match parameter.value {
            ParameterValue::Number(_) => Type::Number,
            ParameterValue::Set(_) | ParameterValue::List(_) => Type::list(Type::Number),
            ParameterValue::Relation(ref tuples) => {
                let arity = tuples.first().map_or(2, Vec::len);
                Type::list(Type::Tuple(vec![Type::Number; arity]))
            }
        };
        let name = parameter.name.to_lowercase();
        let is_other = |rule: &MoveRule| {
            let mut names = rule.scope.names.iter();
            names.any(|other| other.name == name && !matches!(other.role, Role::Parameter(_)))
        };
        let is_taken = TAKEN.contains(&name.as_str()) || rules.moves.iter().any(is_other);
        all.push((if is_taken { format!("{name}_") } else { name }, of));
    }
    Some(all)
}

struct Writer<'r> {
    rules: &'r Ruleset,
    name: String,
    arity: usize,
    parameters: Vec<(String, Type)>,
    text: String,
    depth: usize,
}

/// A choice of a rule and where it runs.
enum Runs {
    /// From the first to the last.
    Range(Vec<String>, Vec<String>),
    /// Over a list.
    Over(String),
}

impl Writer<'_> {
    fn table(&self) -> String {
        format!("{}_table", self.name)
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{}{line}", "  ".repeat(self.depth)).expect("a text takes it");
    }

    fn coordinate(&self, place: usize) -> String {
        match self.arity {
            1 => "heap".to_owned(),
            _ => format!("c{}", place + 1),
        }
    }

    fn function(&mut self) -> Option<String> {
        let table = self.table();
        for rule in &self.rules.moves {
            for alternative in &rule.alternatives {
                let Alternative::Sum(terms) = alternative else {
                    return None;
                };
                self.rule(rule, terms)?;
            }
        }
        let options = std::mem::take(&mut self.text);
        let given: Vec<String> = self
            .parameters
            .iter()
            .map(|(name, of)| match of {
                Type::Number => format!(", {name}: number"),
                _ => format!(", {name}: list of number"),
            })
            .collect();
        let given = given.concat();
        let name = &self.name;
        Some(if self.arity == 1 {
            format!(
                "# The value of a heap of n: the least that no option of it has. The table is made as long as is asked.\n\
                 function {name}_value(n: number{given}, changing {table}: list of number): number {{\n  \
                 while length({table}) <= n {{\n    let heap = length({table})\n    let options = filled(0, 0)\n\
                 {options}    append {table}, mex(options)\n  }}\n  return {table}[n]\n}}\n"
            )
        } else {
            let each = |word: &dyn Fn(usize) -> String| -> String {
                let all: Vec<String> = (0..self.arity).map(word).collect();
                all.join(", ")
            };
            let key = each(&|place| self.coordinate(place));
            let asked = each(&|place| format!("n{}", place + 1));
            let typed = each(&|place| format!("n{}: number", place + 1));
            let kinds = each(&|_| "number".to_owned());
            let parts: Vec<String> = (0..self.arity)
                .map(|place| format!("    let {} = position[{place}]\n", self.coordinate(place)))
                .collect();
            let parts = parts.concat();
            format!(
                "# The value of a position: the least that no option of it has. What is known is kept, and a position waits in a list \
                 for those of its options that are not known yet, so that no call is within another one.\n\
                 function {name}_value({typed}{given}, changing {table}: map of ({kinds}) to number): number {{\n  \
                 let waiting = [({asked})]\n  while length(waiting) > 0 {{\n    \
                 let position = waiting[length(waiting) - 1]\n    let waiting_before = length(waiting)\n{parts}    \
                 let options = filled(0, 0)\n    if not has({table}, ({key})) {{\n\
                 {options}      if length(waiting) = waiting_before {{\n        \
                 put {table}, ({key}), mex(options)\n      }}\n    }}\n    \
                 if has({table}, ({key})) {{\n      drop waiting\n    }}\n  }}\n  \
                 return get({table}, ({asked}))\n}}\n"
            )
        })
    }

    /// The rounds that find the options of a rule.
    fn rule(&mut self, rule: &MoveRule, terms: &[ResultTerm]) -> Option<()> {
        let depth = self.depth;
        let mut names: Vec<Option<String>> = vec![None; rule.scope.names.len()];
        for (place, name) in rule.scope.names.iter().enumerate() {
            names[place] = match name.role {
                Role::Choice if TAKEN.contains(&name.name.as_str()) => {
                    Some(format!("{}_", name.name))
                }
                Role::Choice => Some(name.name.clone()),
                Role::Parameter(index) => Some(self.parameters.get(index)?.0.clone()),
                Role::Coordinate => None,
                _ => return None,
            };
        }
        let mut conditions = Vec::new();
        for (place, item) in rule.patterns[0].items.iter().enumerate() {
            let coordinate = self.coordinate(place);
            match item {
                PatternItem::Variable(Variable(index)) => match &names[*index] {
                    None => names[*index] = Some(coordinate),
                    Some(other) => conditions.push(format!("{coordinate} = {other}")),
                },
                PatternItem::Number(n) => conditions.push(format!("{coordinate} = {n}")),
                _ => return None,
            }
        }
        let names: Vec<String> = names.into_iter().map(Option::unwrap_or_default).collect();
        let parts: Vec<&Guard> = match &rule.guard {
            Guard::All(parts) => parts.iter().collect(),
            one => vec![one],
        };
        let choices: Vec<usize> = (0..names.len())
            .filter(|place| rule.scope.names[*place].role == Role::Choice)
            .collect();
        // What speaks of pattern variables only is asked first.
        let mut asked = vec![false; parts.len()];
        let speaks = |part: &Guard, known: &[usize]| {
            choices
                .iter()
                .all(|c| known.contains(c) || !guard_has(part, *c))
        };
        let mut known: Vec<usize> = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            if speaks(part, &known) {
                asked[place] = true;
                conditions.push(guard(part, &names)?);
            }
        }
        if !conditions.is_empty() {
            self.line(&format!("if {} {{", conditions.join(" and ")));
            self.depth += 1;
        }
        let results = results(terms);
        let mut open = choices.clone();
        while !open.is_empty() {
            // The next choice is one that is bounded by what is known.
            let (at, runs, used) = open.iter().enumerate().find_map(|(at, choice)| {
                let (runs, used) = runs(
                    *choice, &parts, &asked, &results, &known, &choices, &names, self.arity,
                )?;
                Some((at, runs, used))
            })?;
            let choice = open.remove(at);
            used.into_iter().for_each(|place| asked[place] = true);
            known.push(choice);
            let over = match runs {
                Runs::Range(from, to) => {
                    format!("{}..{}", folded("max", &from), folded("min", &to))
                }
                Runs::Over(list) => list,
            };
            self.line(&format!("for {} in {over} {{", names[choice]));
            self.depth += 1;
            let mut now = Vec::new();
            for (place, part) in parts.iter().enumerate() {
                if !asked[place] && speaks(part, &known) {
                    asked[place] = true;
                    now.push(guard(part, &names)?);
                }
            }
            if !now.is_empty() {
                self.line(&format!("if {} {{", now.join(" and ")));
                self.depth += 1;
            }
        }
        if asked.iter().any(|asked| !asked) {
            return None;
        }
        // No coordinate may be negative.
        let mut natural = Vec::new();
        for result in &results {
            // What is at least a number that is not negative is none either.
            let is_natural = parts.iter().any(|part| match part {
                Guard::Compare(Comparison::Less | Comparison::LessEqual, a, b) => {
                    b == *result && !may_be_negative(a)
                }
                _ => false,
            });
            if may_be_negative(result) && !is_natural {
                natural.push(format!("{} >= 0", expr(result, &names)?));
            }
        }
        natural.dedup();
        if !natural.is_empty() {
            self.line(&format!("if {} {{", natural.join(" and ")));
            self.depth += 1;
        }
        self.option(terms, &names)?;
        while self.depth > depth {
            self.depth -= 1;
            self.line("}");
        }
        Some(())
    }

    /// Notes what a result is worth, or waits for it.
    fn option(&mut self, terms: &[ResultTerm], names: &[String]) -> Option<()> {
        let table = self.table();
        let mut parts = Vec::new();
        for term in terms {
            let ResultTerm::Component(template) = term else {
                return None;
            };
            let items: Option<Vec<String>> = template
                .items
                .iter()
                .map(|item| match item {
                    TemplateItem::Expr(e) => expr(e, names),
                    _ => None,
                })
                .collect();
            let items = items.filter(|items| items.len() == self.arity)?;
            parts.push(items.join(", "));
        }
        let joined = |worth: &dyn Fn(&String) -> String| match parts.as_slice() {
            [] => "0".to_owned(),
            parts => parts.iter().map(worth).collect::<Vec<_>>().join(" xor "),
        };
        if self.arity == 1 {
            let value = joined(&|part| format!("{table}[{part}]"));
            self.line(&format!("append options, {value}"));
            return Some(());
        }
        let known: Vec<String> = parts
            .iter()
            .map(|part| format!("has({table}, ({part}))"))
            .collect();
        let value = joined(&|part| format!("get({table}, ({part}))"));
        if known.is_empty() {
            self.line(&format!("append options, {value}"));
            return Some(());
        }
        self.line(&format!("if {} {{", known.join(" and ")));
        self.line(&format!("  append options, {value}"));
        self.line("} else {");
        for (part, is_known) in parts.iter().zip(&known) {
            match known.len() {
                1 => self.line(&format!("  append waiting, ({part})")),
                _ => {
                    self.line(&format!("  if not {is_known} {{"));
                    self.line(&format!("    append waiting, ({part})"));
                    self.line("  }");
                }
            }
        }
        self.line("}");
        Some(())
    }
}

/// Names that mean something in the functions themselves.
const TAKEN: &[&str] = &["heap", "options", "n", "value", "position", "waiting"];

/// `max(a, max(b, c))`.
fn folded(function: &str, values: &[String]) -> String {
    let mut values = values.to_vec();
    values.dedup();
    let mut all = values.into_iter();
    let first = all.next().unwrap_or_default();
    all.fold(first, |joined, value| {
        format!("{function}({joined}, {value})")
    })
}

/// The coordinates of results.
fn results(terms: &[ResultTerm]) -> Vec<&Expr> {
    let mut all = Vec::new();
    for term in terms {
        if let ResultTerm::Component(template) = term {
            for item in &template.items {
                if let TemplateItem::Expr(e) = item {
                    all.push(e);
                }
            }
        }
    }
    all
}

/// Where a choice runs, by what is known, and which conditions that says.
fn runs(
    choice: usize,
    parts: &[&Guard],
    asked: &[bool],
    results: &[&Expr],
    known: &[usize],
    choices: &[usize],
    names: &[String],
    coordinates: usize,
) -> Option<(Runs, Vec<usize>)> {
    let is_known = |e: &Expr| {
        choices
            .iter()
            .all(|c| known.contains(c) || !expr_has(e, *c))
    };
    let is_choice = |e: &Expr| matches!(e, Expr::Variable(Variable(index)) if *index == choice);
    let (mut from, mut to, mut used) = (Vec::new(), Vec::new(), Vec::new());
    for (place, part) in parts.iter().enumerate() {
        if asked[place] {
            continue;
        }
        match part {
            Guard::Compare(comparison, a, b) => {
                let (other, comparison) = if is_choice(a) && is_known(b) {
                    (b, *comparison)
                } else if is_choice(b) && is_known(a) {
                    (a, turned(*comparison))
                } else {
                    continue;
                };
                let bound = expr(other, names)?;
                match comparison {
                    Comparison::Less => to.push(format!("{bound} - 1")),
                    Comparison::LessEqual => to.push(bound),
                    Comparison::Greater => from.push(format!("{bound} + 1")),
                    Comparison::GreaterEqual => from.push(bound),
                    Comparison::Equal => {
                        from.push(bound.clone());
                        to.push(bound);
                    }
                    Comparison::NotEqual => continue,
                }
                used.push(place);
            }
            Guard::Member {
                negated: false,
                item,
                set,
            } if is_choice(item) => match set {
                Set::Named(Variable(index)) => {
                    return Some((Runs::Over(names[*index].clone()), vec![place]));
                }
                Set::Range(a, b) if is_known(a) && is_known(b) => {
                    from.push(expr(a, names)?);
                    to.push(expr(b, names)?);
                    used.push(place);
                }
                Set::Digits { base: None, .. } => to.push("9".to_owned()),
                _ => {}
            },
            _ => {}
        }
    }
    // A coordinate that is less the choice is not negative.
    for result in results {
        if let Expr::Binary(BinaryOp::Subtract, rest, taken) = result
            && is_choice(taken)
            && is_known(rest)
        {
            to.push(expr(rest, names)?);
        }
    }
    for result in results {
        to.extend(share(choice, result, parts, known, choices, names));
    }
    // What becomes a heap of its own is smaller than the heap that it comes from.
    if to.is_empty() && coordinates == 1 && results.iter().any(|result| is_choice(result)) {
        to.push("heap - 1".to_owned());
    }
    if to.is_empty() {
        return None;
    }
    if from.is_empty() {
        from.push("0".to_owned());
    }
    Some((Runs::Range(from, to), used))
}

/// The largest share that a choice may have of a heap which parts no smaller than it are taken from as well:
/// with `a < b` and `b < n-a-b` it is a third.
fn share(
    choice: usize,
    result: &Expr,
    parts: &[&Guard],
    known: &[usize],
    choices: &[usize],
    names: &[String],
) -> Option<String> {
    let variable = |e: &Expr| match e {
        Expr::Variable(Variable(index)) => Some(*index),
        _ => None,
    };
    // What a guard says is no smaller than something that is no smaller than the choice.
    let ordered = |part: &&Guard| match part {
        Guard::Compare(Comparison::Less | Comparison::LessEqual, a, b) => {
            Some((variable(a)?, b.clone()))
        }
        Guard::Compare(Comparison::Greater | Comparison::GreaterEqual, a, b) => {
            Some((variable(b)?, a.clone()))
        }
        _ => None,
    };
    let ordered: Vec<(usize, Expr)> = parts.iter().filter_map(ordered).collect();
    let mut above = vec![choice];
    let mut place = 0;
    while place < above.len() {
        for (lower, upper) in &ordered {
            if *lower == above[place]
                && let Some(upper) = variable(upper)
                && choices.contains(&upper)
                && !above.contains(&upper)
            {
                above.push(upper);
            }
        }
        place += 1;
    }
    let (mut plus, mut minus) = (Vec::new(), Vec::new());
    addends(result, false, &mut plus, &mut minus);
    let mut shares = Vec::new();
    let mut whole = String::new();
    for (e, sign) in plus
        .iter()
        .map(|e| (e, " + "))
        .chain(minus.iter().map(|e| (e, " - ")))
    {
        match variable(e) {
            Some(index) if choices.contains(&index) && !known.contains(&index) => {
                if sign == " + " || !above.contains(&index) || shares.contains(&index) {
                    return None;
                }
                shares.push(index);
            }
            _ if choices
                .iter()
                .any(|c| !known.contains(c) && expr_has(e, *c)) =>
            {
                return None;
            }
            _ if whole.is_empty() && sign == " - " => return None,
            _ => {
                if !whole.is_empty() {
                    whole += sign;
                }
                whole += &part(e, names)?;
            }
        }
    }
    let is_last = |(lower, upper): &(usize, Expr)| upper == result && above.contains(lower);
    let count = shares.len() + usize::from(ordered.iter().any(is_last));
    let is_shared = count > 1 && shares.contains(&choice);
    is_shared.then(|| match plus.len() + minus.len() - shares.len() {
        1 => format!("{whole} / {count}"),
        _ => format!("({whole}) / {count}"),
    })
}

/// The parts of a sum, and what is subtracted from them.
fn addends<'e>(e: &'e Expr, turned: bool, plus: &mut Vec<&'e Expr>, minus: &mut Vec<&'e Expr>) {
    match e {
        Expr::Binary(operator @ (BinaryOp::Add | BinaryOp::Subtract), a, b) => {
            addends(a, turned, plus, minus);
            addends(b, turned != (*operator == BinaryOp::Subtract), plus, minus);
        }
        _ if turned => minus.push(e),
        _ => plus.push(e),
    }
}

fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        same => same,
    }
}

/// Whether a result can be negative before that is asked.
fn may_be_negative(e: &Expr) -> bool {
    match e {
        Expr::Variable(_) => false,
        Expr::Number(n) => n.sign() == num_bigint::Sign::Minus,
        Expr::Binary(BinaryOp::Subtract, ..) | Expr::Negate(_) => true,
        Expr::Binary(_, a, b) => may_be_negative(a) || may_be_negative(b),
        Expr::Call(Function::Max, all) => all.iter().all(may_be_negative),
        _ => true,
    }
}

fn expr_has(e: &Expr, variable: usize) -> bool {
    match e {
        Expr::Number(_) | Expr::End(_) => false,
        Expr::Variable(Variable(index)) => *index == variable,
        Expr::Index(Variable(index), of) => *index == variable || expr_has(of, variable),
        Expr::Negate(of) => expr_has(of, variable),
        Expr::Binary(_, a, b) => expr_has(a, variable) || expr_has(b, variable),
        Expr::Call(_, all) => all.iter().any(|e| expr_has(e, variable)),
        Expr::Aggregate(_, set) => set_has(set, variable),
    }
}

fn set_has(set: &Set, variable: usize) -> bool {
    match set {
        Set::List(all) => all.iter().any(|e| expr_has(e, variable)),
        Set::Range(a, b) => expr_has(a, variable) || expr_has(b, variable),
        Set::Named(Variable(index)) => *index == variable,
        Set::Powers(of) => expr_has(of, variable),
        Set::AllBut(of) => set_has(of, variable),
        Set::Digits { of, base } => {
            expr_has(of, variable) || base.as_ref().is_some_and(|base| expr_has(base, variable))
        }
        Set::Primes | Set::PrimePowers | Set::Squares | Set::Fibonacci => false,
    }
}

pub(super) fn guard_has(guard: &Guard, variable: usize) -> bool {
    match guard {
        Guard::All(parts) | Guard::Any(parts) => parts.iter().any(|part| guard_has(part, variable)),
        Guard::Not(part) => guard_has(part, variable),
        Guard::Compare(_, a, b) | Guard::Divides(a, b) => {
            expr_has(a, variable) || expr_has(b, variable)
        }
        Guard::Member { item, set, .. } => expr_has(item, variable) || set_has(set, variable),
        _ => true,
    }
}

/// A condition in the words of problem files.
pub(super) fn guard(of: &Guard, names: &[String]) -> Option<String> {
    let joined = |parts: &[Guard], word: &str| -> Option<String> {
        let parts: Option<Vec<String>> = parts.iter().map(|part| guard(part, names)).collect();
        Some(format!("({})", parts?.join(word)))
    };
    Some(match of {
        Guard::All(parts) if parts.is_empty() => "true".to_owned(),
        Guard::All(parts) => joined(parts, " and ")?,
        Guard::Any(parts) => joined(parts, " or ")?,
        Guard::Not(part) => format!("not ({})", guard(part, names)?),
        Guard::Compare(comparison, a, b) => {
            let sign = match comparison {
                Comparison::Less => "<",
                Comparison::LessEqual => "<=",
                Comparison::Equal => "=",
                Comparison::NotEqual => "!=",
                Comparison::GreaterEqual => ">=",
                Comparison::Greater => ">",
            };
            format!("{} {sign} {}", expr(a, names)?, expr(b, names)?)
        }
        Guard::Divides(d, n) => {
            let (d, n) = (expr(d, names)?, expr(n, names)?);
            format!("({d} >= 1 and {n} mod {d} = 0)")
        }
        Guard::Member { negated, item, set } => {
            let item = expr(item, names)?;
            let member = match set {
                Set::List(all) => {
                    let all: Option<Vec<String>> = all.iter().map(|e| expr(e, names)).collect();
                    let all: Vec<String> = all?.iter().map(|e| format!("{item} = {e}")).collect();
                    format!("({})", all.join(" or "))
                }
                Set::Range(a, b) => {
                    format!(
                        "({} <= {item} and {item} <= {})",
                        expr(a, names)?,
                        expr(b, names)?
                    )
                }
                Set::Named(Variable(index)) => format!("{item} in {}", names[*index]),
                Set::Primes => format!("is_prime({item})"),
                Set::Fibonacci => format!("is_fibonacci({item})"),
                Set::Powers(base) => format!("is_power({item}, {})", expr(base, names)?),
                Set::Digits { of, base: None } => {
                    format!("has_digit({}, {item})", expr(of, names)?)
                }
                _ => return None,
            };
            if *negated {
                format!("not ({member})")
            } else {
                member
            }
        }
        _ => return None,
    })
}

/// A number in the words of problem files.
pub(super) fn expr(e: &Expr, names: &[String]) -> Option<String> {
    Some(match e {
        Expr::Number(n) => n.to_string(),
        Expr::Variable(Variable(index)) => names[*index].clone(),
        Expr::Negate(of) => format!("-{}", part(of, names)?),
        Expr::Index(Variable(index), place) => {
            format!("{}[{} - 1]", names[*index], part(place, names)?)
        }
        Expr::Binary(operator, a, b) => {
            let (a, b) = (part_left(a, *operator, names)?, part(b, names)?);
            let sign = match operator {
                BinaryOp::Add => "+",
                BinaryOp::Subtract => "-",
                BinaryOp::Multiply => "*",
                BinaryOp::Divide => "/",
                BinaryOp::Modulo => "mod",
                BinaryOp::Power => "^",
                BinaryOp::Xor => "xor",
                BinaryOp::BitAnd => "band",
                BinaryOp::BitOr => "bor",
                BinaryOp::ShiftLeft => "shl",
                BinaryOp::ShiftRight => "shr",
            };
            format!("{a} {sign} {b}")
        }
        Expr::Call(function, all) => {
            let name = match function {
                Function::Min => "min",
                Function::Max => "max",
                Function::Gcd => "gcd",
                Function::Abs => "abs",
                Function::Popcount => "popcount",
                _ => return None,
            };
            let all: Option<Vec<String>> = all.iter().map(|e| expr(e, names)).collect();
            match all?.as_slice() {
                [one] => format!("{name}({one})"),
                several => folded(name, several),
            }
        }
        _ => return None,
    })
}

fn part(e: &Expr, names: &[String]) -> Option<String> {
    let text = expr(e, names)?;
    Some(if matches!(e, Expr::Binary(..) | Expr::Negate(_)) {
        format!("({text})")
    } else {
        text
    })
}

/// The left side of an operator: sums need no parentheses there.
fn part_left(e: &Expr, operator: BinaryOp, names: &[String]) -> Option<String> {
    let is_sum = |operator| matches!(operator, BinaryOp::Add | BinaryOp::Subtract);
    match e {
        Expr::Binary(inner, ..) if is_sum(*inner) && is_sum(operator) => expr(e, names),
        _ => part(e, names),
    }
}
