//! From a ruleset to text: reading the text again gives an equal ruleset.

use std::fmt::{self, Write as _};

use num_bigint::{BigInt, Sign};

use crate::position::{Component, Item, Position};
use crate::ruleset::{
    Aggregate, Alternative, BinaryOp, Change, Claim, Comparison, Compound, Empties, EndingResult,
    Expectation, ExpectationKind, Expr, Function, Guard, MoveRule, ParameterValue, Pattern,
    PatternItem, Piece, Place, Play, Player, Quantifier, ResultTerm, Row, RowEnd, RowOrder,
    Ruleset, Scope, Set, ShortForm, Statement, TakeAndBreak, Template, TemplateItem, Update,
    Variable,
};

impl Ruleset {
    /// The text that names these rules in caches and certificates.
    ///
    /// It says the parameters' values, the play convention and every label. The
    /// title, the tests and the claims of the file change no rule and are left out.
    pub fn canonical_text(&self) -> String {
        self.print(false)
    }

    /// All that the ruleset says, as a file.
    pub fn to_text(&self) -> String {
        self.print(true)
    }

    /// One rule as a line of a file.
    pub fn rule_text(&self, rule: &MoveRule) -> String {
        let mut printer = self.printer(&rule.scope);
        printer.rule(rule);
        printer.out
    }

    /// A condition as it stands in a file.
    pub fn guard_text(&self, guard: &Guard, scope: &Scope) -> String {
        let mut printer = self.printer(scope);
        printer.guard(guard, Level::Comma);
        printer.out
    }

    /// A number's formula as it stands in a file.
    pub fn expr_text(&self, expr: &Expr, scope: &Scope) -> String {
        let mut printer = self.printer(scope);
        printer.expr(expr);
        printer.out
    }

    /// A pattern of a component as it stands in a file.
    pub fn pattern_text(&self, pattern: &Pattern, scope: &Scope) -> String {
        let mut printer = self.printer(scope);
        printer.pattern(pattern);
        printer.out
    }

    /// A component to be built as it stands in a file.
    pub fn template_text(&self, template: &Template, scope: &Scope) -> String {
        let mut printer = self.printer(scope);
        printer.template(template);
        printer.out
    }

    /// A term of a result as it stands in a file.
    pub fn term_text(&self, term: &ResultTerm, scope: &Scope) -> String {
        let mut printer = self.printer(scope);
        printer.term(term);
        printer.out
    }

    /// A place of the row as it stands in a file.
    pub fn place_text(&self, place: &Place, scope: &Scope) -> String {
        let mut printer = self.printer(scope);
        printer.place(place);
        printer.out
    }

    /// A set as it stands in a file.
    pub fn set_text(&self, set: &Set, scope: &Scope) -> String {
        let mut printer = self.printer(scope);
        printer.set(set);
        printer.out
    }

    /// A position as a person writes it: plain numbers, comma lists, words over the row's alphabet.
    ///
    /// [`parse_position`](crate::parse_position) reads it back.
    pub fn position_text(&self, position: &Position) -> String {
        if position.0.is_empty() {
            return "nothing".to_owned();
        }
        let alphabet = self.row.as_ref().map_or(&[][..], |row| &row.alphabet);
        let component = |component: &Component| component_text(component, alphabet);
        separated(&position.0, " ", component)
    }

    fn printer<'a>(&'a self, scope: &'a Scope) -> Printer<'a> {
        Printer {
            out: String::new(),
            scope,
            row: self.row.as_ref().map_or("", |row| &row.name),
        }
    }

    fn print(&self, complete: bool) -> String {
        let nowhere = Scope::default();
        let mut printer = self.printer(&nowhere);
        printer.header(self, complete);
        printer.declarations(self);
        let mut out = printer.out;
        let mut line = |scope: &Scope, write: &dyn Fn(&mut Printer<'_>)| {
            let mut printer = self.printer(scope);
            write(&mut printer);
            out += &printer.out;
            out.push('\n');
        };
        for start in &self.starts {
            line(&start.scope, &|printer| {
                printer.out += "start ";
                printer.pattern(&start.pattern);
                printer.out += " as ";
                printer.template(&start.template);
            });
        }
        for chance in &self.chances {
            line(&chance.scope, &|printer| {
                printer.say(format_args!("chance {} in ", chance.name));
                printer.set(&chance.values);
            });
        }
        match &self.compound {
            Compound::Selective { scope, .. } => {
                line(scope, &|printer| printer.compound(&self.compound));
            }
            Compound::Disjunctive => {}
            _ => line(&nowhere, &|printer| printer.compound(&self.compound)),
        }
        for ending in &self.endings {
            line(&ending.scope, &|printer| {
                printer.out += match ending.result {
                    EndingResult::Lost => "ends lost ",
                    EndingResult::Won => "ends won ",
                    EndingResult::Draw => "ends draw ",
                };
                printer.pattern(&ending.pattern);
                printer.where_part(&ending.guard);
            });
        }
        if let Some(form) = &self.short_form {
            line(&nowhere, &|printer| {
                printer.out += "rules ";
                printer.out += &form.to_string();
            });
        } else {
            for rule in &self.moves {
                line(&rule.scope, &|printer| printer.rule(rule));
            }
        }
        if complete {
            for expectation in &self.expectations {
                line(&nowhere, &|printer| printer.expectation(self, expectation));
            }
            for claim in &self.claims {
                line(&claim.scope, &|printer| printer.claim(claim));
            }
        }
        out
    }
}

fn separated<T>(
    items: impl IntoIterator<Item = T>,
    separator: &str,
    text: impl FnMut(T) -> String,
) -> String {
    items
        .into_iter()
        .map(text)
        .collect::<Vec<_>>()
        .join(separator)
}

// Positions.

fn component_text(component: &Component, alphabet: &[char]) -> String {
    if !alphabet.is_empty() {
        return word_text(component, alphabet).unwrap_or_else(|| list_text(component));
    }
    let flat = |item: &Item| matches!(item, Item::Number(_));
    if component.0.is_empty() || !component.0.iter().all(flat) {
        return list_text(component);
    }
    separated(&component.0, ",", item_text)
}

/// The word of a component whose numbers all have a letter.
fn word_text(component: &Component, alphabet: &[char]) -> Option<String> {
    let letter = |item: &Item| match item {
        Item::Number(number) => alphabet.get(usize::try_from(number).ok()?).copied(),
        Item::List(_) => None,
    };
    let word: String = component.0.iter().map(letter).collect::<Option<_>>()?;
    (!word.is_empty() && word != "nothing").then_some(word)
}

fn list_text(component: &Component) -> String {
    format!("[{}]", separated(&component.0, ",", item_text))
}

fn item_text(item: &Item) -> String {
    match item {
        Item::Number(number) => number.to_string(),
        Item::List(list) => list_text(list),
    }
}

// Values.

fn numbers_text<N: ToString>(numbers: &[N]) -> String {
    separated(numbers, ",", N::to_string)
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Set(set) => write!(f, "{{{}}}", numbers_text(set)),
            Self::List(list) => write!(f, "({})", numbers_text(list)),
            // `{}` would be the empty set of numbers.
            Self::Relation(tuples) if tuples.is_empty() => f.write_str("{()}"),
            Self::Relation(tuples) => {
                let tuple = |tuple: &Vec<BigInt>| format!("({})", numbers_text(tuple));
                write!(f, "{{{}}}", separated(tuples, ",", tuple))
            }
        }
    }
}

/// `0.77`, `take-and-break 0.3F`, `{1,3,4}`, `all but {2,5}`
impl fmt::Display for ShortForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "{code}"),
            Self::Subtraction(takes) => write!(f, "{{{}}}", numbers_text(takes)),
            Self::AllBut(kept) => write!(f, "all but {{{}}}", numbers_text(kept)),
        }
    }
}

/// `0.77`, or `take-and-break 0.3F` where a digit is no octal one.
impl fmt::Display for TakeAndBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = self.digits.iter().chain(&self.repeating);
        if self.whole > 7 || all.any(|digit| *digit > 7) {
            f.write_str("take-and-break ")?;
        }
        let text = |digits: &[u8]| -> String {
            digits
                .iter()
                .filter_map(|digit| char::from_digit(u32::from(*digit), 36))
                .map(|digit| digit.to_ascii_uppercase())
                .collect()
        };
        write!(f, "{}.{}", text(&[self.whole]), text(&self.digits))?;
        if self.repeating.is_empty() {
            return Ok(());
        }
        write!(f, "({})", text(&self.repeating))
    }
}

/// Writes what speaks of variables.
struct Printer<'a> {
    out: String,
    scope: &'a Scope,
    row: &'a str,
}

/// How loosely a condition may bind at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Comma,
    Or,
    And,
    Not,
}

/// How tightly a minus sign binds; see the table of operators.
const NEGATE: u8 = 7;

/// An operator's sign, how tightly it binds, and the least that its operands must bind.
fn operator(op: BinaryOp) -> (&'static str, u8, u8, u8) {
    match op {
        BinaryOp::Xor => ("xor", 1, 1, 2),
        BinaryOp::BitAnd => ("band", 1, 1, 2),
        BinaryOp::BitOr => ("bor", 1, 1, 2),
        BinaryOp::ShiftLeft => ("shl", 1, 1, 2),
        BinaryOp::ShiftRight => ("shr", 1, 1, 2),
        BinaryOp::Add => ("+", 3, 3, 4),
        BinaryOp::Subtract => ("-", 3, 3, 4),
        BinaryOp::Multiply => ("*", 5, 5, 6),
        BinaryOp::Divide => ("/", 5, 5, 6),
        BinaryOp::Modulo => ("mod", 5, 5, 6),
        BinaryOp::Power => ("^", 9, 10, 9),
    }
}

impl Printer<'_> {
    fn say(&mut self, text: fmt::Arguments<'_>) {
        self.out.write_fmt(text).expect("a string takes all text");
    }

    fn name(&mut self, variable: Variable) {
        self.out += &self.scope.names[variable.0].name;
    }

    fn list<T>(&mut self, items: &[T], separator: &str, mut write: impl FnMut(&mut Self, &T)) {
        for (place, item) in items.iter().enumerate() {
            if place > 0 {
                self.out += separator;
            }
            write(self, item);
        }
    }

    // Lines.

    fn header(&mut self, ruleset: &Ruleset, complete: bool) {
        self.out += "game ";
        self.out += &ruleset.name;
        if !ruleset.parameters.is_empty() {
            self.out += "(";
            self.list(&ruleset.parameters, ", ", |printer, parameter| {
                printer.say(format_args!("{} = {}", parameter.name, parameter.value));
            });
            self.out += ")";
        }
        if let (true, Some(title)) = (complete, &ruleset.title) {
            self.say(format_args!(" \"{title}\""));
        }
        self.out += "\n";
    }

    fn declarations(&mut self, ruleset: &Ruleset) {
        if let Some(row) = &ruleset.row {
            self.row_line(row);
        }
        if ruleset.unordered {
            self.out += "unordered\n";
        }
        if ruleset.draw_on_repetition {
            self.out += "draw on repetition\n";
        }
        self.out += match ruleset.play {
            Play::Normal => "play normal\n",
            Play::Misere => "play misere\n",
        };
    }

    fn row_line(&mut self, row: &Row) {
        self.out += "row ";
        self.out += &row.name;
        if !row.alphabet.is_empty() {
            self.out += " over \"";
            self.out.extend(&row.alphabet);
            self.out += "\"";
        }
        self.out += match row.order {
            None => "",
            Some(RowOrder::Increasing) => ", increasing",
            Some(RowOrder::Nondecreasing) => ", nondecreasing",
            Some(RowOrder::Nonincreasing) => ", nonincreasing",
        };
        if row.ring {
            self.out += ", ring";
        }
        if row.unordered {
            self.out += ", unordered";
        }
        self.out += match row.empties {
            Empties::Stay => "\n",
            Empties::Vanish => ", empties vanish\n",
            Empties::VanishAtEnds => ", empty ends vanish\n",
        };
    }

    fn compound(&mut self, compound: &Compound) {
        self.out += match compound {
            Compound::Disjunctive => "compound disjunctive",
            Compound::Conjunctive => "compound conjunctive",
            Compound::ConjunctiveContinued => "compound conjunctive continued",
            Compound::Selective { .. } => "compound selective",
        };
        if let Compound::Selective {
            at_most: Some(bound),
            ..
        } = compound
        {
            self.out += " up to ";
            self.expr(bound);
        }
    }

    fn rule(&mut self, rule: &MoveRule) {
        self.out += match rule.player {
            None => "",
            Some(Player::Left) => "left: ",
            Some(Player::Right) => "right: ",
        };
        self.out += &rule.label;
        self.out += ": ";
        self.list(&rule.patterns, " + ", Self::pattern);
        if !rule.patterns.is_empty() {
            self.out += " -> ";
        }
        self.list(
            &rule.alternatives,
            " | ",
            |printer, alternative| match alternative {
                Alternative::Sum(terms) if terms.is_empty() => printer.out += "nothing",
                Alternative::Sum(terms) => printer.list(terms, " + ", Self::term),
                Alternative::Updates(updates) => printer.list(updates, ", ", Self::update),
            },
        );
        self.where_part(&rule.guard);
    }

    fn where_part(&mut self, guard: &Guard) {
        if !matches!(guard, Guard::All(members) if members.is_empty()) {
            self.out += " where ";
            self.guard(guard, Level::Comma);
        }
    }

    fn expectation(&mut self, ruleset: &Ruleset, expectation: &Expectation) {
        let position = |position| ruleset.position_text(position);
        let text = match &expectation.kind {
            ExpectationKind::Grundy(values) => {
                format!("grundy {}", separated(values, " ", ToString::to_string))
            }
            ExpectationKind::Value(of, value) => format!("value {} = {value}", position(of)),
            ExpectationKind::Won(of) => format!("won {}", position(of)),
            ExpectationKind::Lost(of) => format!("lost {}", position(of)),
            ExpectationKind::MoveCount(of, count) => format!("moves {} = {count}", position(of)),
            ExpectationKind::MoveResults(of, results) => match results.as_slice() {
                // In brackets a single heap is told from a number of moves.
                [Position(components)] if components.len() == 1 => {
                    format!("moves {} = {}", position(of), list_text(&components[0]))
                }
                results => {
                    let results = separated(results, "; ", position);
                    format!("moves {} = {results}", position(of))
                }
            },
            ExpectationKind::Law {
                period,
                saltus,
                preperiod,
            } => format!("law period {period} saltus {saltus} from {preperiod}"),
            ExpectationKind::NoLawBelow(limit) => format!("no law below {limit}"),
        };
        self.say(format_args!("expect {text}"));
        if let Some(source) = &expectation.source {
            self.say(format_args!("   # {source}"));
        }
    }

    fn claim(&mut self, claim: &Claim) {
        let pieces = match &claim.statement {
            Statement::Lost(guard) => {
                self.out += "claim lost ";
                self.pattern(&claim.pattern);
                self.out += " iff ";
                self.guard(guard, Level::Comma);
                return;
            }
            Statement::Grundy(pieces) => {
                self.out += "claim grundy ";
                pieces
            }
            Statement::LostSum(pieces) => {
                self.out += "claim lost sum with ";
                pieces
            }
        };
        self.pattern(&claim.pattern);
        self.out += " = ";
        self.list(pieces, "; ", |printer, Piece { value, condition }| {
            printer.expr(value);
            if let Some(condition) = condition {
                printer.out += " if ";
                printer.guard(condition, Level::Comma);
            }
        });
    }

    // Patterns and results.

    fn pattern(&mut self, pattern: &Pattern) {
        self.out += "[";
        self.list(&pattern.items, ", ", |printer, item| match item {
            PatternItem::Variable(variable) => printer.name(*variable),
            PatternItem::Number(number) => printer.out += &number.to_string(),
            PatternItem::Rest(variable) => {
                printer.name(*variable);
                printer.out += "..";
            }
            PatternItem::List(pattern) => printer.pattern(pattern),
        });
        self.out += "]";
    }

    fn template(&mut self, template: &Template) {
        self.out += "[";
        self.list(&template.items, ", ", |printer, item| match item {
            TemplateItem::Expr(expr) => printer.expr(expr),
            TemplateItem::Splice(variable) => {
                printer.name(*variable);
                printer.out += "..";
            }
            TemplateItem::List(template) => printer.template(template),
        });
        self.out += "]";
    }

    fn term(&mut self, term: &ResultTerm) {
        match term {
            ResultTerm::Component(template) => self.template(template),
            ResultTerm::Copies { count, template } => {
                self.single(count);
                self.out += " of ";
                self.template(template);
            }
            ResultTerm::Series { template, ranges } => {
                self.template(template);
                self.out += " for ";
                self.list(ranges, ", ", |printer, range| {
                    printer.name(range.variable);
                    printer.out += " in ";
                    printer.expr(&range.from);
                    printer.out += "..";
                    printer.expr(&range.to);
                });
            }
        }
    }

    /// A number, in parentheses if it is more than a numeral or a name.
    fn single(&mut self, expr: &Expr) {
        match expr {
            Expr::Number(number) if number.sign() != Sign::Minus => {
                self.out += &number.to_string();
            }
            Expr::Variable(variable) => self.name(*variable),
            _ => {
                self.out += "(";
                self.expr(expr);
                self.out += ")";
            }
        }
    }

    fn update(&mut self, update: &Update) {
        let change = match update {
            Update::Place { place, change } => {
                self.place(place);
                change
            }
            Update::Remove(place) => {
                self.out += "remove ";
                return self.place(place);
            }
            Update::Every(change) => {
                self.out += "every ";
                self.out += self.row;
                change
            }
            Update::Some { at_most, change } => {
                self.out += "some ";
                if let Some(at_most) = at_most {
                    self.out += "up to ";
                    self.single(at_most);
                    self.out += " ";
                }
                self.out += self.row;
                change
            }
        };
        let (sign, amount) = match change {
            Change::Decrease(amount) => (" -= ", amount),
            Change::Increase(amount) => (" += ", amount),
            Change::Set(amount) => (" = ", amount),
        };
        self.out += sign;
        self.expr(amount);
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::First => self.out += "first",
            Place::Last => self.out += "last",
            Place::Index(index) => {
                self.out += self.row;
                self.out += "[";
                self.expr(index);
                self.out += "]";
            }
        }
    }

    // Formulas.

    fn expr(&mut self, expr: &Expr) {
        self.binding(expr, 0);
    }

    /// A number at a place where only what binds at least so tightly needs no parentheses.
    fn binding(&mut self, expr: &Expr, least: u8) {
        let tightness = match expr {
            Expr::Binary(op, ..) => operator(*op).1,
            Expr::Negate(_) => NEGATE,
            Expr::Number(number) if number.sign() == Sign::Minus => NEGATE,
            _ => u8::MAX,
        };
        if tightness < least {
            self.out += "(";
            self.binding(expr, 0);
            self.out += ")";
            return;
        }
        match expr {
            Expr::Number(number) => self.out += &number.to_string(),
            Expr::Variable(variable) => self.name(*variable),
            Expr::Index(list, index) => {
                self.name(*list);
                self.out += "[";
                self.expr(index);
                self.out += "]";
            }
            Expr::End(RowEnd::First) => self.out += "first",
            Expr::End(RowEnd::Last) => self.out += "last",
            Expr::Negate(inner) => {
                self.out += "-";
                self.binding(inner, NEGATE);
            }
            Expr::Binary(op, left, right) => {
                let (sign, _, on_left, on_right) = operator(*op);
                self.binding(left, on_left);
                self.say(format_args!(" {sign} "));
                self.binding(right, on_right);
            }
            Expr::Call(function, arguments) => {
                self.out += match function {
                    Function::Min => "min(",
                    Function::Max => "max(",
                    Function::Gcd => "gcd(",
                    Function::Abs => "abs(",
                    Function::Isqrt => "isqrt(",
                    Function::Omega => "omega(",
                    Function::Popcount => "popcount(",
                };
                self.list(arguments, ", ", Self::expr);
                self.out += ")";
            }
            Expr::Aggregate(aggregate, set) => {
                self.out += match aggregate {
                    Aggregate::Length => "length(",
                    Aggregate::Sum => "sum(",
                    Aggregate::Min => "min(",
                    Aggregate::Max => "max(",
                    Aggregate::Gcd => "gcd(",
                    Aggregate::Xor => "xor(",
                };
                self.set(set);
                self.out += ")";
            }
        }
    }

    fn set(&mut self, set: &Set) {
        match set {
            Set::List(items) => {
                self.out += "{";
                self.list(items, ", ", Self::expr);
                self.out += "}";
            }
            Set::Range(from, to) => {
                self.expr(from);
                self.out += "..";
                self.expr(to);
            }
            Set::Named(variable) => self.name(*variable),
            Set::Primes => self.out += "primes",
            Set::PrimePowers => self.out += "prime powers",
            Set::Squares => self.out += "squares",
            Set::Fibonacci => self.out += "fibonacci",
            Set::Powers(base) => {
                self.out += "powers of ";
                self.expr(base);
            }
            Set::AllBut(inner) => {
                self.out += "all but ";
                self.set(inner);
            }
            Set::Digits { of, base } => {
                self.out += "digits of ";
                self.expr(of);
                if let Some(base) = base {
                    self.out += " base ";
                    self.expr(base);
                }
            }
        }
    }

    /// A condition at a place where only what binds at least so tightly needs no parentheses.
    fn guard(&mut self, guard: &Guard, level: Level) {
        let loosest = match guard {
            // Commas where nothing is around them, `and` elsewhere.
            Guard::All(_) => Level::And,
            // `some i in S: …` takes in every `or` behind it.
            Guard::Any(_) | Guard::Quantified { .. } => Level::Or,
            _ => Level::Not,
        };
        if level > loosest {
            self.out += "(";
            self.guard(guard, Level::Comma);
            self.out += ")";
            return;
        }
        match guard {
            Guard::All(members) if level == Level::Comma => {
                self.list(members, ", ", |printer, member| {
                    printer.guard(member, Level::Or);
                });
            }
            Guard::All(members) => self.list(members, " and ", |printer, member| {
                printer.guard(member, Level::Not);
            }),
            Guard::Any(members) => self.list(members, " or ", |printer, member| {
                printer.guard(member, Level::And);
            }),
            Guard::Not(inner) => {
                self.out += "not ";
                self.guard(inner, Level::Not);
            }
            Guard::Compare(comparison, left, right) => {
                self.expr(left);
                self.out += match comparison {
                    Comparison::Less => " < ",
                    Comparison::LessEqual => " <= ",
                    Comparison::Equal => " = ",
                    Comparison::NotEqual => " != ",
                    Comparison::GreaterEqual => " >= ",
                    Comparison::Greater => " > ",
                };
                self.expr(right);
            }
            Guard::Divides(divisor, number) => {
                self.expr(divisor);
                self.out += " | ";
                self.expr(number);
            }
            Guard::Member { negated, item, set } => {
                self.expr(item);
                self.out += if *negated { " not in " } else { " in " };
                self.set(set);
            }
            Guard::Related {
                negated,
                items,
                relation,
            } => {
                self.out += "(";
                self.list(items, ", ", Self::expr);
                self.out += if *negated { ") not in " } else { ") in " };
                self.name(*relation);
            }
            Guard::Quantified {
                quantifier,
                variable,
                over,
                body,
            } => {
                self.out += match quantifier {
                    Quantifier::Some => "some ",
                    Quantifier::Every => "every ",
                };
                self.name(*variable);
                self.out += " in ";
                self.set(over);
                self.out += ": ";
                self.guard(body, Level::Or);
            }
            Guard::Option { from, to } => {
                self.name(*from);
                self.out += " -> ";
                self.name(*to);
            }
        }
    }
}
