//! Rules written differently that plainly mean the same.
//!
//! Tuples, rows and compounds have no numerical normal form. Their rules are put into a written
//! one: arithmetic is multiplied out; a choice that a coordinate of the result determines is
//! expressed by that coordinate; conditions are sorted, and those that others imply by signs are left
//! out; alternatives stand alone; names, labels, order and repetition disappear, and parameters become their
//! values. Each step keeps the options of every component, so equal forms mean equal rules. Different
//! forms mean nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::OnceLock;

use grundy_rules::Ruleset;
use grundy_rules::ruleset::{
    Aggregate, Alternative, BinaryOp, Change, Comparison, Compound, Expr, Function, Guard,
    MoveRule, ParameterValue, Pattern, PatternItem, Place, Play, Quantifier, ResultTerm, Role, Row,
    RowEnd, Scope, Set, Template, TemplateItem, Update, Variable,
};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::oracle::unsolved_clause;

/// The written normal form of a ruleset, but for who wins when no move is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenForm {
    /// What components are, and how they are played together.
    frame: Vec<String>,
    /// Completions that change results of moves, too.
    starts: Vec<String>,
    /// Where play stops at once, in file order.
    endings: Vec<String>,
    /// One line for each alternative of a rule.
    moves: BTreeSet<String>,
}

/// The most bits of a power that is computed.
const MOST_BITS: u64 = 1 << 14;
/// The largest exponent of a power that is multiplied out.
const MOST_DEGREE: u32 = 4;

/// The rules of a game of the literature, read once.
pub struct KnownRules {
    text: &'static str,
    read: OnceLock<ReadRules>,
}

/// Rules with what is compared of them.
struct ReadRules {
    ruleset: Ruleset,
    form: Option<WrittenForm>,
    outline: BTreeSet<Outline>,
}

impl KnownRules {
    /// The rules of this text.
    pub const fn new(text: &'static str) -> Self {
        Self {
            text,
            read: OnceLock::new(),
        }
    }

    /// The rules.
    pub fn ruleset(&self) -> &Ruleset {
        &self.read().ruleset
    }

    fn read(&self) -> &ReadRules {
        self.read.get_or_init(|| {
            let ruleset =
                grundy_rules::parse(self.text).expect("the rules of a known game are right");
            ReadRules {
                form: written(&ruleset, &mut BTreeSet::new()),
                outline: outline(&ruleset),
                ruleset,
            }
        })
    }
}

/// What a line of a written form has whatever the parameters are: how many coordinates the patterns have, and of
/// which kind each term of the result is.
type Outline = (Vec<usize>, Vec<TermOutline>);

/// The kind of a term of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TermOutline {
    Component(usize),
    Copies(usize),
    Series(usize),
    Place,
    Remove,
    Every,
    Some,
}

/// The outlines of all lines.
fn outline(ruleset: &Ruleset) -> BTreeSet<Outline> {
    let lines = ruleset.moves.iter().flat_map(|rule| {
        let patterns: Vec<usize> = rule.patterns.iter().map(|p| p.items.len()).collect();
        let of = move |alternative| (patterns.clone(), term_outlines(alternative));
        rule.alternatives.iter().map(of)
    });
    lines.collect()
}

fn term_outlines(alternative: &Alternative) -> Vec<TermOutline> {
    match alternative {
        Alternative::Sum(terms) => {
            let terms = terms.iter().map(|term| match term {
                ResultTerm::Component(template) => TermOutline::Component(template.items.len()),
                ResultTerm::Copies { template, .. } => TermOutline::Copies(template.items.len()),
                ResultTerm::Series { template, .. } => TermOutline::Series(template.items.len()),
            });
            terms.collect()
        }
        Alternative::Updates(updates) => {
            let updates = updates.iter().map(|update| match update {
                Update::Place { .. } => TermOutline::Place,
                Update::Remove(_) => TermOutline::Remove,
                Update::Every(_) => TermOutline::Every,
                Update::Some { .. } => TermOutline::Some,
            });
            let mut updates: Vec<_> = updates.collect();
            updates.sort();
            updates
        }
    }
}

/// A ruleset to be recognised as a game of the literature.
#[derive(Debug)]
pub struct Recognition<'r> {
    ruleset: &'r Ruleset,
    form: Option<WrittenForm>,
    outline: BTreeSet<Outline>,
    /// The natural numbers that stand in the rules, and their neighbours.
    numbers: Vec<BigUint>,
}

/// The most numbers of a text that are tried as the parameter of a known game.
const MOST_NUMBERS: usize = 48;

impl<'r> Recognition<'r> {
    /// Prepares the comparison with known games.
    pub fn of(ruleset: &'r Ruleset) -> Self {
        let mut numbers = BTreeSet::new();
        let form = written(ruleset, &mut numbers);
        let mut near = BTreeSet::new();
        for number in numbers {
            let n = number.magnitude();
            near.extend([n.clone(), n + 1u8]);
            near.extend((!n.is_zero()).then(|| n - 1u8));
        }
        Self {
            ruleset,
            form,
            outline: outline(ruleset),
            numbers: near.into_iter().take(MOST_NUMBERS).collect(),
        }
    }

    /// The rules.
    pub fn ruleset(&self) -> &'r Ruleset {
        self.ruleset
    }

    /// Who wins when no move is left.
    pub fn play(&self) -> Play {
        self.ruleset.play
    }

    /// Whether the moves are those of a known game, played by either convention.
    pub fn is(&self, known: &KnownRules) -> bool {
        self.has_outline_of(known) && known.read().form == self.form
    }

    /// Whether the moves are those of a known game for some values of its parameters that are the values of parameters
    /// of these rules, or numbers in them: these values.
    pub fn with_values(&self, known: &KnownRules) -> Option<Vec<ParameterValue>> {
        let numbers = self.numbers.iter();
        let numbers = numbers.map(|n| ParameterValue::Number(n.clone().into()));
        let own = self.ruleset.parameters.iter().map(|p| p.value.clone());
        self.with_any_of(known, &own.chain(numbers).collect::<Vec<_>>())
    }

    /// The value of the parameter for which the moves are those of a known game with one number.
    pub fn with_number(&self, known: &KnownRules) -> Option<BigUint> {
        let [n] = self.with_numbers(known)?.try_into().ok()?;
        Some(n)
    }

    /// The values of the parameters, all of them numbers, for which the moves are those of a known game.
    pub fn with_numbers(&self, known: &KnownRules) -> Option<Vec<BigUint>> {
        let numbers = self.numbers.iter();
        let numbers = numbers.map(|n| ParameterValue::Number(n.clone().into()));
        let values = self.with_any_of(known, &numbers.collect::<Vec<_>>())?;
        let numbers = values.into_iter().map(|value| match value {
            ParameterValue::Number(n) => n.to_biguint(),
            _ => None,
        });
        numbers.collect()
    }

    /// The first of the given values for the parameters, kind by kind, for which the moves are those of a known
    /// game.
    fn with_any_of(
        &self,
        known: &KnownRules,
        given: &[ParameterValue],
    ) -> Option<Vec<ParameterValue>> {
        if !self.has_outline_of(known) {
            return None;
        }
        let mut game = known.ruleset().clone();
        let of_kind = |wanted: &ParameterValue| -> Vec<&ParameterValue> {
            let kind = std::mem::discriminant(wanted);
            let same = given.iter().filter(|v| std::mem::discriminant(*v) == kind);
            same.collect()
        };
        let choices: Vec<Vec<&ParameterValue>> =
            game.parameters.iter().map(|p| of_kind(&p.value)).collect();
        if choices.iter().any(Vec::is_empty) {
            return None;
        }
        let mut at = vec![0; choices.len()];
        loop {
            for ((parameter, choices), index) in game.parameters.iter_mut().zip(&choices).zip(&at) {
                parameter.value = choices[*index].clone();
            }
            if written(&game, &mut BTreeSet::new()) == self.form {
                return Some(game.parameters.into_iter().map(|p| p.value).collect());
            }
            let place = (0..at.len()).rfind(|i| at[*i] + 1 < choices[*i].len())?;
            at[place] += 1;
            at[place + 1..].fill(0);
        }
    }

    /// A quick test that most other games fail.
    fn has_outline_of(&self, known: &KnownRules) -> bool {
        self.form.is_some()
            && self.ruleset.row.is_some() == known.ruleset().row.is_some()
            && self.outline == known.read().outline
    }
}

/// The written form; numbers that stand in the rules are added to `numbers`. `None` for rules of
/// which a part is not put in writing.
fn written(ruleset: &Ruleset, numbers: &mut BTreeSet<BigInt>) -> Option<WrittenForm> {
    if unsolved_clause(ruleset).is_some() {
        return None;
    }
    let mut frame = Vec::new();
    if let Some(row) = &ruleset.row {
        frame.push(format!(
            "row {:?} {} {} {:?}",
            row.order, row.ring, row.unordered, row.empties
        ));
    }
    if ruleset.unordered {
        frame.push("unordered".to_owned());
    }
    frame.push(match &ruleset.compound {
        Compound::Selective { scope, at_most } => {
            let mut line = Line::new(ruleset, scope, numbers);
            let bound = at_most.as_ref().map(|bound| line.polynomial(bound));
            format!("selective {:?}", bound.map(|bound| bound.text()))
        }
        other => format!("{other:?}"),
    });
    // What a move leaves has as many coordinates as components with moves, so a completion of shorter
    // ones is for given positions only.
    let written_lengths: BTreeSet<usize> = ruleset.moves.iter().flat_map(result_lengths).collect();
    let mut starts = Vec::new();
    for start in &ruleset.starts {
        if !start.has_rest() && !written_lengths.contains(&start.pattern.items.len()) {
            continue;
        }
        let mut line = Line::new(ruleset, &start.scope, numbers);
        let pattern = line.pattern(&start.pattern);
        starts.push(format!(
            "start {pattern} as {}",
            line.template(&start.template)
        ));
    }
    let mut endings = Vec::new();
    for ending in &ruleset.endings {
        let mut line = Line::new(ruleset, &ending.scope, numbers);
        line.name_whole_row(&ending.pattern);
        let pattern = line.pattern(&ending.pattern);
        let mut conditions = Vec::new();
        line.conjuncts(&ending.guard, &mut conditions);
        let guard = Condition::all(conditions);
        endings.push(format!("ends {:?} {pattern} where {guard}", ending.result));
    }
    let mut moves = BTreeSet::new();
    for rule in &ruleset.moves {
        for alternative in &rule.alternatives {
            let mut line = Line::new(ruleset, &rule.scope, numbers);
            let patterns: Vec<String> = rule.patterns.iter().map(|p| line.pattern(p)).collect();
            let result = line.alternative(alternative);
            let mut conditions = std::mem::take(&mut line.implied);
            line.conjuncts(&rule.guard, &mut conditions);
            let guard = Condition::all(conditions);
            moves.insert(format!(
                "{} -> {result} where {guard}",
                patterns.join(" + ")
            ));
        }
    }
    Some(WrittenForm {
        frame,
        starts,
        endings,
        moves,
    })
}

/// How many coordinates the results of a rule are written with.
fn result_lengths(rule: &MoveRule) -> Vec<usize> {
    let sums = rule
        .alternatives
        .iter()
        .filter_map(|alternative| match alternative {
            Alternative::Sum(terms) => Some(terms),
            Alternative::Updates(_) => None,
        });
    let lengths = sums.flatten().map(|term| match term {
        ResultTerm::Component(template)
        | ResultTerm::Copies { template, .. }
        | ResultTerm::Series { template, .. } => template.items.len(),
    });
    lengths.collect()
}

/// A sum of products of atoms with coefficients.
///
/// An atom is a variable or a term in writing; one that begins with `!` may be undefined. Products with
/// such an atom are kept even with coefficient 0, so that a sum is defined iff what it was made of is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Polynomial(BTreeMap<Vec<String>, BigInt>);

impl Polynomial {
    fn constant(n: BigInt) -> Self {
        let mut sum = Self::default();
        sum.add(Vec::new(), n);
        sum
    }

    fn atom(atom: String) -> Self {
        Self(BTreeMap::from([(vec![atom], BigInt::one())]))
    }

    fn add(&mut self, product: Vec<String>, coefficient: BigInt) {
        let total = self.0.remove(&product).unwrap_or_default() + coefficient;
        if !total.is_zero() || product.iter().any(|atom| atom.starts_with('!')) {
            self.0.insert(product, total);
        }
    }

    fn plus(mut self, other: &Self, factor: &BigInt) -> Self {
        for (product, coefficient) in &other.0 {
            self.add(product.clone(), coefficient * factor);
        }
        self
    }

    fn times(&self, other: &Self) -> Self {
        let mut result = Self::default();
        for (left, l) in &self.0 {
            for (right, r) in &other.0 {
                let mut product: Vec<String> = left.iter().chain(right).cloned().collect();
                product.sort();
                result.add(product, l * r);
            }
        }
        // 0 times a term that may be undefined.
        for (zero, other) in [(self, other), (other, self)] {
            if zero.0.is_empty() {
                let partial = other
                    .0
                    .keys()
                    .filter(|p| p.iter().any(|a| a.starts_with('!')));
                partial.for_each(|product| result.add(product.clone(), BigInt::zero()));
            }
        }
        result
    }

    /// The same with a value put for an atom.
    fn with(&self, atom: &String, value: &Self) -> Self {
        let mut result = Self::default();
        for (product, coefficient) in &self.0 {
            let (own, others): (Vec<_>, Vec<_>) = product.iter().cloned().partition(|a| a == atom);
            let others = Self(BTreeMap::from([(others, BigInt::one())]));
            let replaced = own.iter().fold(others, |product, _| product.times(value));
            result = result.plus(&replaced, coefficient);
        }
        result
    }

    fn as_constant(&self) -> Option<BigInt> {
        match self.0.len() {
            0 => Some(BigInt::zero()),
            1 => self.0.get(&Vec::new()).cloned(),
            _ => None,
        }
    }

    fn is_total(&self) -> bool {
        !self.0.keys().flatten().any(|atom| atom.starts_with('!'))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (product, coefficient) in &self.0 {
            let _ = write!(text, "{coefficient:+}");
            product.iter().for_each(|atom| text.extend(["*", atom]));
        }
        text
    }

    /// The same divided by what divides all its coefficients but the constant.
    fn without_constant(&self) -> (Self, BigInt) {
        let mut sum = self.clone();
        let constant = sum.0.remove(&Vec::new()).unwrap_or_default();
        (sum, constant)
    }
}

/// A condition in writing; in an `AtLeast` the polynomial is at least 0.
enum Condition {
    AtLeast(Polynomial),
    Text(String),
}

impl Condition {
    /// A conjunction: sorted, without what follows from signs or from another condition.
    fn all(conditions: Vec<Self>) -> String {
        let mut least: BTreeMap<Polynomial, BigInt> = BTreeMap::new();
        let mut texts = BTreeSet::new();
        for condition in conditions {
            match condition {
                Self::Text(text) => {
                    texts.insert(text);
                }
                Self::AtLeast(polynomial) => {
                    let (mut sum, mut constant) = polynomial.without_constant();
                    let divisor = sum.0.values().fold(BigInt::zero(), |gcd, c| gcd.gcd(c));
                    if divisor > BigInt::one() {
                        sum.0.values_mut().for_each(|c| *c /= &divisor);
                        constant = constant.div_floor(&divisor);
                    }
                    // All variables are naturals.
                    let follows = !constant.is_negative()
                        && sum.0.iter().all(|(product, c)| {
                            !c.is_negative() && product.iter().all(|a| a.starts_with('$'))
                        });
                    if !follows {
                        let old = least.entry(sum).or_insert_with(|| constant.clone());
                        if constant < *old {
                            *old = constant;
                        }
                    }
                }
            }
        }
        texts.extend(least.into_iter().map(|(sum, constant)| {
            format!(
                "0 <= {}",
                sum.plus(&Polynomial::constant(constant), &BigInt::one())
                    .text()
            )
        }));
        texts.into_iter().collect::<Vec<_>>().join(" and ")
    }
}

/// The variables of a line and what they are called.
struct Line<'l> {
    ruleset: &'l Ruleset,
    scope: &'l Scope,
    /// What a variable that holds a number is; `None` before it has been met.
    values: Vec<Option<Polynomial>>,
    /// What a variable that holds a list is called.
    lists: Vec<Option<String>>,
    /// How many names of each kind are in use.
    names: usize,
    /// Conditions that hold because results and choices are not negative.
    implied: Vec<Condition>,
    numbers: &'l mut BTreeSet<BigInt>,
}

impl<'l> Line<'l> {
    fn new(ruleset: &'l Ruleset, scope: &'l Scope, numbers: &'l mut BTreeSet<BigInt>) -> Self {
        let size = scope.names.len();
        Self {
            ruleset,
            scope,
            values: vec![None; size],
            lists: vec![None; size],
            names: 0,
            implied: Vec::new(),
            numbers,
        }
    }

    /// Calls a run that is the whole pattern what the row is called, where patterns match in one way.
    fn name_whole_row(&mut self, pattern: &Pattern) {
        let one_way = |row: &Row| !row.ring && !row.unordered;
        if let [PatternItem::Rest(whole)] = pattern.items.as_slice()
            && self.ruleset.row.as_ref().is_some_and(one_way)
        {
            self.lists[whole.0] = Some("row".to_owned());
        }
    }

    fn fresh(&mut self, sigil: char) -> String {
        self.names += 1;
        format!("{sigil}{}", self.names)
    }

    fn number(&mut self, variable: Variable) -> Polynomial {
        if let Role::Parameter(index) = self.scope.names[variable.0].role
            && let ParameterValue::Number(n) = &self.ruleset.parameters[index].value
        {
            self.numbers.insert(n.clone());
            return Polynomial::constant(n.clone());
        }
        if let Some(value) = &self.values[variable.0] {
            return value.clone();
        }
        // `$` marks naturals; bound variables may be negative.
        let sigil = match self.scope.names[variable.0].role {
            Role::Coordinate | Role::Choice | Role::Existential => '$',
            _ => '%',
        };
        let value = Polynomial::atom(self.fresh(sigil));
        self.values[variable.0] = Some(value.clone());
        value
    }

    fn list(&mut self, variable: Variable) -> String {
        match self.scope.names[variable.0].role {
            Role::Row => return "row".to_owned(),
            Role::Parameter(index) => return format!("{:?}", self.ruleset.parameters[index].value),
            _ => {}
        }
        if let Some(name) = &self.lists[variable.0] {
            return name.clone();
        }
        let name = self.fresh('&');
        self.lists[variable.0] = Some(name.clone());
        name
    }

    fn pattern(&mut self, pattern: &Pattern) -> String {
        let items: Vec<String> = pattern
            .items
            .iter()
            .map(|item| match item {
                PatternItem::Variable(variable) => self.number(*variable).text(),
                PatternItem::Number(n) => n.to_string(),
                PatternItem::Rest(variable) => format!("{}..", self.list(*variable)),
                PatternItem::List(inner) => self.pattern(inner),
            })
            .collect();
        format!("[{}]", items.join(", "))
    }

    fn alternative(&mut self, alternative: &Alternative) -> String {
        match alternative {
            Alternative::Sum(terms) => {
                self.solve(terms);
                let terms: Vec<String> = terms.iter().map(|term| self.term(term)).collect();
                terms.join(" + ")
            }
            Alternative::Updates(updates) => {
                let mut updates: Vec<String> = updates.iter().map(|u| self.update(u)).collect();
                updates.sort();
                updates.join(", ")
            }
        }
    }

    fn term(&mut self, term: &ResultTerm) -> String {
        match term {
            ResultTerm::Component(template) => self.template(template),
            ResultTerm::Copies { count, template } => {
                let count = self.polynomial(count).text();
                format!("{count} of {}", self.template(template))
            }
            ResultTerm::Series { template, ranges } => {
                let mut text = String::new();
                for range in ranges {
                    let (from, to) = (self.polynomial(&range.from), self.polynomial(&range.to));
                    let name = self.number(range.variable).text();
                    let _ = write!(text, "for {name} in {}..{} ", from.text(), to.text());
                }
                text + &self.template(template)
            }
        }
    }

    /// Expresses choices by the coordinates of a result.
    ///
    /// Where a coordinate is `rest + k` or `rest - k` and k is a choice that stands nowhere in the
    /// rest, k is determined by the coordinate, which becomes the choice.
    fn solve(&mut self, terms: &[ResultTerm]) {
        let coordinates: Vec<&Expr> = terms
            .iter()
            .filter_map(|term| match term {
                ResultTerm::Component(template) => Some(&template.items),
                _ => None,
            })
            .flatten()
            .filter_map(|item| match item {
                TemplateItem::Expr(expr) => Some(expr),
                _ => None,
            })
            .collect();
        let mut solved = Vec::new();
        for expr in &coordinates {
            let coordinate = self.polynomial(expr);
            if let Some((index, atom, slope)) = self.determined(&coordinate) {
                let rest = coordinate.plus(&Polynomial::atom(atom.clone()), &-&slope);
                let name = Polynomial::atom(self.fresh('$'));
                // name = rest + slope * k.
                let value = Polynomial::default()
                    .plus(&name, &slope)
                    .plus(&rest, &-slope);
                for old in self.values.iter_mut().flatten() {
                    *old = old.with(&atom, &value);
                }
                solved.push(index);
            }
        }
        let choices = solved
            .iter()
            .filter_map(|index| self.values[*index].clone());
        let mut implied: Vec<_> = choices.map(Condition::AtLeast).collect();
        for expr in coordinates {
            implied.push(Condition::AtLeast(self.polynomial(expr)));
        }
        self.implied.extend(implied);
    }

    /// The first choice that a coordinate determines: its index, its atom and its coefficient.
    fn determined(&self, coordinate: &Polynomial) -> Option<(usize, String, BigInt)> {
        let plain = |atom: &String| atom.starts_with('$');
        if !coordinate.0.keys().flatten().all(plain) {
            return None;
        }
        let names = self.scope.names.iter().zip(&self.values).enumerate();
        let mut choices = names.filter(|(_, (name, _))| name.role == Role::Choice);
        choices.find_map(|(index, (_, value))| {
            let value = value.as_ref()?;
            let atom = value.0.keys().next()?.first()?;
            let slope = coordinate.0.get(std::slice::from_ref(atom))?;
            let alone = coordinate
                .0
                .keys()
                .all(|p| p.len() == 1 || !p.contains(atom));
            let open = *value == Polynomial::atom(atom.clone());
            (open && alone && slope.magnitude().is_one())
                .then(|| (index, atom.clone(), slope.clone()))
        })
    }

    fn template(&mut self, template: &Template) -> String {
        let items: Vec<String> = template
            .items
            .iter()
            .map(|item| match item {
                TemplateItem::Expr(expr) => self.polynomial(expr).text(),
                TemplateItem::Splice(variable) => format!("{}..", self.list(*variable)),
                TemplateItem::List(inner) => self.template(inner),
            })
            .collect();
        format!("[{}]", items.join(", "))
    }

    fn update(&mut self, update: &Update) -> String {
        match update {
            Update::Place { place, change } => {
                let (place, old) = match place {
                    Place::Index(e) => {
                        let place = self.polynomial(e).text();
                        let old = format!("!row[{place}]");
                        (place, old)
                    }
                    Place::First => ("first".to_owned(), "!first".to_owned()),
                    Place::Last => ("last".to_owned(), "!last".to_owned()),
                };
                let old = Polynomial::atom(old);
                let new = match change {
                    Change::Decrease(e) => old.plus(&self.polynomial(e), &-BigInt::one()),
                    Change::Increase(e) => old.plus(&self.polynomial(e), &BigInt::one()),
                    Change::Set(e) => self.polynomial(e),
                };
                format!("at {place} put {}", new.text())
            }
            Update::Remove(Place::Index(e)) => format!("remove {}", self.polynomial(e).text()),
            Update::Remove(Place::First) => "remove first".to_owned(),
            Update::Remove(Place::Last) => "remove last".to_owned(),
            Update::Every(change) => format!("every {}", self.change(change)),
            Update::Some { at_most, change } => {
                let bound = at_most.as_ref().map(|bound| self.polynomial(bound).text());
                format!("some {bound:?} {}", self.change(change))
            }
        }
    }

    fn change(&mut self, change: &Change) -> String {
        match change {
            Change::Decrease(e) => format!("less {}", self.polynomial(e).text()),
            Change::Increase(e) => format!("more {}", self.polynomial(e).text()),
            Change::Set(e) => format!("put {}", self.polynomial(e).text()),
        }
    }

    fn polynomial(&mut self, expr: &Expr) -> Polynomial {
        let one = BigInt::one();
        match expr {
            Expr::Number(n) => {
                self.numbers.insert(n.clone());
                Polynomial::constant(n.clone())
            }
            Expr::Variable(variable) => self.number(*variable),
            Expr::Index(list, place) => {
                let list = self.list(*list);
                Polynomial::atom(format!("!{list}[{}]", self.polynomial(place).text()))
            }
            Expr::End(RowEnd::First) => Polynomial::atom("!first".to_owned()),
            Expr::End(RowEnd::Last) => Polynomial::atom("!last".to_owned()),
            Expr::Negate(inner) => Polynomial::default().plus(&self.polynomial(inner), &-one),
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.polynomial(left), self.polynomial(right));
                match op {
                    BinaryOp::Add => left.plus(&right, &one),
                    BinaryOp::Subtract => left.plus(&right, &-one),
                    BinaryOp::Multiply => left.times(&right),
                    _ => {
                        let result = Self::operation(*op, &left, &right);
                        self.numbers.extend(result.as_constant());
                        result
                    }
                }
            }
            Expr::Call(function, arguments) => {
                let mut terms: Vec<_> = arguments.iter().map(|e| self.polynomial(e)).collect();
                let partial = matches!(
                    function,
                    Function::Isqrt | Function::Omega | Function::Popcount
                ) || !terms.iter().all(Polynomial::is_total);
                if let (Function::Abs, [term]) = (function, terms.as_mut_slice()) {
                    let negated = Polynomial::default().plus(term, &-one);
                    *term = negated.max(term.clone());
                }
                terms.sort();
                let texts: Vec<String> = terms.iter().map(Polynomial::text).collect();
                let sigil = if partial { '!' } else { '?' };
                Polynomial::atom(format!("{sigil}{function:?}({})", texts.join(";")))
            }
            Expr::Aggregate(aggregate, set) => {
                let total = *aggregate == Aggregate::Length && matches!(set, Set::Named(_));
                let sigil = if total { '?' } else { '!' };
                Polynomial::atom(format!("{sigil}{aggregate:?}({})", self.set(set)))
            }
        }
    }

    fn operation(op: BinaryOp, left: &Polynomial, right: &Polynomial) -> Polynomial {
        let exponent = right.as_constant().and_then(|exponent| exponent.to_u32());
        if let (BinaryOp::Power, Some(exponent)) = (op, exponent) {
            if let Some(base) = left.as_constant()
                && base.bits().saturating_mul(exponent.into()) <= MOST_BITS
            {
                return Polynomial::constant(base.pow(exponent));
            }
            if exponent <= MOST_DEGREE {
                return (0..exponent).fold(Polynomial::constant(BigInt::one()), |power, _| {
                    power.times(left)
                });
            }
        }
        let positive = right.as_constant().is_some_and(|n| n.is_positive());
        let total =
            left.is_total() && positive && matches!(op, BinaryOp::Divide | BinaryOp::Modulo);
        let sigil = if total { '?' } else { '!' };
        Polynomial::atom(format!("{sigil}{op:?}({};{})", left.text(), right.text()))
    }

    fn set(&mut self, set: &Set) -> String {
        match set {
            Set::List(members) => {
                let members: BTreeSet<String> =
                    members.iter().map(|e| self.polynomial(e).text()).collect();
                format!("{members:?}")
            }
            Set::Range(from, to) => {
                let (from, to) = (self.polynomial(from), self.polynomial(to));
                format!("{}..{}", from.text(), to.text())
            }
            Set::Named(variable) => self.list(*variable),
            Set::Powers(e) => format!("powers of {}", self.polynomial(e).text()),
            Set::AllBut(inner) => format!("all but {}", self.set(inner)),
            Set::Digits { of, base } => {
                let of = self.polynomial(of).text();
                let base = base.as_ref().map(|base| self.polynomial(base).text());
                format!("digits of {of} base {base:?}")
            }
            Set::Primes | Set::PrimePowers | Set::Squares | Set::Fibonacci => format!("{set:?}"),
        }
    }

    fn conjuncts(&mut self, guard: &Guard, conditions: &mut Vec<Condition>) {
        match guard {
            Guard::All(guards) => guards.iter().for_each(|g| self.conjuncts(g, conditions)),
            Guard::Compare(comparison, left, right) => {
                let (left, right) = (self.polynomial(left), self.polynomial(right));
                conditions.push(Self::comparison(*comparison, &left, &right));
            }
            Guard::Member {
                negated: false,
                item,
                set: Set::Range(from, to),
            } => {
                let item = self.polynomial(item);
                let (from, to) = (self.polynomial(from), self.polynomial(to));
                conditions.push(Self::comparison(Comparison::GreaterEqual, &item, &from));
                conditions.push(Self::comparison(Comparison::LessEqual, &item, &to));
            }
            other => {
                let text = self.guard(other);
                conditions.push(Condition::Text(text));
            }
        }
    }

    fn comparison(comparison: Comparison, left: &Polynomial, right: &Polynomial) -> Condition {
        let one = BigInt::one();
        let up = left.clone().plus(right, &-&one);
        let down = right.clone().plus(left, &-&one);
        match comparison {
            Comparison::GreaterEqual => Condition::AtLeast(up),
            Comparison::LessEqual => Condition::AtLeast(down),
            Comparison::Greater => Condition::AtLeast(up.plus(&Polynomial::constant(-&one), &one)),
            Comparison::Less => Condition::AtLeast(down.plus(&Polynomial::constant(-&one), &one)),
            Comparison::Equal | Comparison::NotEqual => {
                let sign = if comparison == Comparison::Equal {
                    "="
                } else {
                    "!="
                };
                Condition::Text(format!("0 {sign} {}", up.max(down).text()))
            }
        }
    }

    fn guard(&mut self, guard: &Guard) -> String {
        match guard {
            Guard::All(_) | Guard::Compare(..) => {
                let mut conditions = Vec::new();
                self.conjuncts(guard, &mut conditions);
                format!("({})", Condition::all(conditions))
            }
            Guard::Any(guards) => {
                let parts: BTreeSet<String> = guards.iter().map(|g| self.guard(g)).collect();
                format!("any {parts:?}")
            }
            Guard::Not(inner) => format!("not {}", self.guard(inner)),
            Guard::Divides(divisor, n) => {
                let (divisor, n) = (self.polynomial(divisor), self.polynomial(n));
                format!("{} divides {}", divisor.text(), n.text())
            }
            Guard::Member { negated, item, set } => {
                let item = self.polynomial(item).text();
                format!("{negated} {item} in {}", self.set(set))
            }
            Guard::Related {
                negated,
                items,
                relation,
            } => {
                let items: Vec<String> = items.iter().map(|e| self.polynomial(e).text()).collect();
                format!("{negated} {items:?} in {}", self.list(*relation))
            }
            Guard::Quantified {
                quantifier,
                variable,
                over,
                body,
            } => {
                let over = self.set(over);
                let name = self.number(*variable).text();
                let word = if *quantifier == Quantifier::Some {
                    "some"
                } else {
                    "every"
                };
                format!("{word} {name} in {over}: {}", self.guard(body))
            }
            Guard::Option { from, to } => {
                let (from, to) = (self.number(*from).text(), self.number(*to).text());
                format!("{from} moves to {to}")
            }
        }
    }
}
