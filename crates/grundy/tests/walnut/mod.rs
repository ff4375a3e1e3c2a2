//! Reads files as Walnut does, as far as exports use its language, and decides what they say.
//!
//! Walnut (Mousavi 2016, *Automatic theorem proving in Walnut*) keeps automata in files and decides predicates about
//! numbers. What is not of its language is an error here: names begin with a letter other than `A`, `E` and `I`; numbers
//! have 31 bits; `~` binds closest, then `&` and `|` alike, then `=>`, then `<=>`, each from the left; what a quantifier binds goes on to the
//! closing bracket. A file of an automaton begins with the number system of each track. Then each state follows with its
//! output, and its transitions `DIGIT … -> STATE`; the first state is the start, and where there is no
//! transition nothing is accepted.
//!
//! Nothing here knows how the files are written.

use std::collections::BTreeMap;

use grundy_automata::{
    Alphabet, Automaton, Comparison, DigitOrder, Encoding, Error, Formula, Meter, NumerationSystem,
    Relation, Solver, Term, Variable,
};

/// What an export holds.
#[derive(Clone)]
pub struct Files {
    /// The automata of the library, by name, with the number system of their tracks.
    pub automata: BTreeMap<String, (String, Automaton)>,
    /// The names and predicates of the commands.
    commands: Vec<(String, String)>,
}

impl Files {
    /// Reads the files, each behind its name.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut files = Self {
            automata: BTreeMap::new(),
            commands: Vec::new(),
        };
        for part in text.split("== ").skip(1) {
            let (path, content) = part.split_once('\n').ok_or("a file has no content")?;
            if let Some(name) = path.strip_prefix("Automata Library/") {
                let name = name.strip_suffix(".txt").ok_or("an automaton is no text")?;
                let automaton = automaton(content).map_err(|why| format!("{path}: {why}"))?;
                files.automata.insert(name.to_owned(), automaton);
            } else if path == "Command Files/grundy.txt" {
                for line in content.lines() {
                    files.commands.push(command(line)?);
                }
            } else {
                return Err(format!("{path} is no file of Walnut's"));
            }
        }
        Ok(files)
    }

    /// What Walnut answers to each command, `TRUE` or `FALSE`; `None` where the limits are too narrow to tell.
    pub fn answers(&self, meter: &mut Meter) -> Result<Vec<(String, Option<bool>)>, String> {
        let answer = |(name, predicate): &(String, String)| {
            let holds = self
                .holds(predicate, meter)
                .map_err(|why| format!("{name}: {why}: {predicate}"))?;
            Ok((name.clone(), holds))
        };
        self.commands.iter().map(answer).collect()
    }

    fn holds(&self, predicate: &str, meter: &mut Meter) -> Result<Option<bool>, String> {
        let rest = predicate.trim().strip_prefix('?');
        let (system, rest) = rest
            .and_then(|rest| rest.split_once(' '))
            .ok_or("no number system")?;
        let encoding = encoding(system)?;
        let mut solver = Solver::new(encoding.clone());
        for (name, (of, automaton)) in &self.automata {
            if of == system {
                let relation = Relation::new(encoding.clone(), automaton, meter);
                let relation = relation.map_err(|error| format!("{name}: {error:?}"))?;
                solver.define(name.clone(), relation).expect("its encoding");
            }
        }
        let mut predicate = Predicate {
            rest,
            names: Vec::new(),
            solver: &solver,
        };
        let formula = predicate.equivalence()?;
        if !predicate.rest.trim().is_empty() {
            return Err(format!("more than a predicate: {}", predicate.rest));
        }
        // A predicate about free variables is an automaton and has no answer.
        match solver.decide(&formula, meter) {
            Ok(holds) => Ok(Some(holds)),
            Err(Error::Limit(_)) => Ok(None),
            Err(error) => Err(format!("{error:?}")),
        }
    }
}

/// A number system by its name.
pub fn encoding(name: &str) -> Result<Encoding, String> {
    let unknown = || format!("no number system: {name}");
    let (order, system) = name.split_once('_').ok_or_else(unknown)?;
    let order = match order {
        "msd" => DigitOrder::Msd,
        "lsd" => DigitOrder::Lsd,
        _ => return Err(unknown()),
    };
    let system = match system {
        "fib" => NumerationSystem::zeckendorf(),
        base => {
            let base = base.parse().map_err(|_| unknown())?;
            NumerationSystem::base(base).map_err(|_| unknown())?
        }
    };
    Ok(Encoding::new(system, order))
}

fn number(text: &str) -> Result<u32, String> {
    let number = text.parse::<i32>().ok();
    let natural = number.and_then(|number| u32::try_from(number).ok());
    natural.ok_or_else(|| format!("no number of 31 bits: {text}"))
}

/// An automaton with the number system of its tracks.
fn automaton(content: &str) -> Result<(String, Automaton), String> {
    let mut lines = content.lines().filter(|line| !line.trim().is_empty());
    let header: Vec<&str> = lines
        .next()
        .ok_or("an empty file")?
        .split_whitespace()
        .collect();
    let system = header[0];
    if header.iter().any(|other| *other != system) {
        return Err("tracks of several number systems".to_owned());
    }
    let radix = encoding(system)?.system.radix();
    let alphabet = Alphabet::uniform(radix, header.len()).map_err(|why| format!("{why:?}"))?;
    // The states in order, with their outputs and their transitions.
    let mut states: Vec<(u32, bool, BTreeMap<u32, u32>)> = Vec::new();
    for line in lines {
        if let Some((digits, target)) = line.split_once("->") {
            let digits: Vec<u32> = digits
                .split_whitespace()
                .map(number)
                .collect::<Result<_, _>>()?;
            let letter = alphabet.letter(&digits).ok_or("no letter of the tracks")?;
            let (.., steps) = states.last_mut().ok_or("a transition of no state")?;
            if steps.insert(letter, number(target.trim())?).is_some() {
                return Err(format!("two transitions by one letter: {line}"));
            }
        } else {
            let (state, output) = line.split_once(' ').ok_or("neither state nor transition")?;
            states.push((number(state)?, number(output)? != 0, BTreeMap::new()));
        }
    }
    let dead = states.len();
    let place = |name: u32| {
        let place = states.iter().position(|(other, ..)| *other == name);
        place.ok_or_else(|| format!("state {name} is not declared"))
    };
    let mut table = Vec::new();
    for (.., steps) in &states {
        for letter in 0..u32::try_from(alphabet.letters()).expect("few") {
            let target = steps.get(&letter).map_or(Ok(dead), |name| place(*name))?;
            table.push(u32::try_from(target).expect("few"));
        }
    }
    table.resize(
        table.len() + alphabet.letters(),
        u32::try_from(dead).expect("few"),
    );
    let outputs = states.iter().map(|(_, accepts, _)| *accepts);
    let automaton = Automaton::new(alphabet, table, outputs.chain([false]).collect());
    let automaton = automaton.map_err(|why| format!("{why:?}"))?;
    Ok((system.to_owned(), automaton))
}

/// `eval NAME "PREDICATE":`
fn command(line: &str) -> Result<(String, String), String> {
    let rest = line.strip_prefix("eval ");
    let rest = rest.and_then(|rest| rest.strip_suffix("\":"));
    let (name, predicate) = rest
        .and_then(|rest| rest.split_once(" \""))
        .ok_or_else(|| format!("no command: {line}"))?;
    if !is_name(name) || predicate.contains('"') {
        return Err(format!("no command: {line}"));
    }
    Ok((name.to_owned(), predicate.to_owned()))
}

fn is_name(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let first = |c: char| c.is_ascii_alphabetic() && !"AEI".contains(c);
    text.starts_with(first) && text.chars().all(word)
}

/// A predicate as it is read.
struct Predicate<'p> {
    rest: &'p str,
    /// The variables by number.
    names: Vec<&'p str>,
    /// Knows the automata.
    solver: &'p Solver,
}

impl<'p> Predicate<'p> {
    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        let found = rest.strip_prefix(token);
        self.rest = found.unwrap_or(rest);
        found.is_some()
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(format!("`{token}` is expected before `{}`", self.rest))
        }
    }

    fn word(&mut self) -> &'p str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        word
    }

    fn name(&mut self) -> Result<&'p str, String> {
        let word = self.word();
        let name = Some(word).filter(|word| is_name(word));
        name.ok_or_else(|| format!("no name: `{word}` before `{}`", self.rest))
    }

    fn variable(&mut self) -> Result<Variable, String> {
        let name = self.name()?;
        let known = self.names.iter().position(|known| *known == name);
        let number = known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        Ok(Variable(u32::try_from(number).expect("few")))
    }

    fn variables(&mut self) -> Result<Vec<Variable>, String> {
        let mut all = vec![self.variable()?];
        while self.eat(",") {
            all.push(self.variable()?);
        }
        Ok(all)
    }

    fn equivalence(&mut self) -> Result<Formula, String> {
        let mut left = self.implication()?;
        while self.eat("<=>") {
            left = left.iff(self.implication()?);
        }
        Ok(left)
    }

    fn implication(&mut self) -> Result<Formula, String> {
        let mut left = self.connected()?;
        while self.eat("=>") {
            left = left.implies(self.connected()?);
        }
        Ok(left)
    }

    fn connected(&mut self) -> Result<Formula, String> {
        let mut left = self.single()?;
        loop {
            left = if self.eat("&") {
                left.and(self.single()?)
            } else if self.eat("|") {
                left.or(self.single()?)
            } else {
                return Ok(left);
            };
        }
    }

    fn single(&mut self) -> Result<Formula, String> {
        if self.eat("~") {
            Ok(self.single()?.negated())
        } else if self.eat("E") {
            Ok(Formula::exists(self.variables()?, self.equivalence()?))
        } else if self.eat("A") {
            Ok(Formula::forall(self.variables()?, self.equivalence()?))
        } else if self.eat("(") {
            let inside = self.equivalence()?;
            self.expect(")")?;
            Ok(inside)
        } else if self.eat("$") {
            let name = self.name()?;
            let known = self.solver.named(name);
            let tracks = known
                .ok_or_else(|| format!("no file {name}.txt for this number system"))?
                .tracks();
            self.expect("(")?;
            let arguments = self.variables()?;
            self.expect(")")?;
            if arguments.len() != tracks {
                return Err(format!("{name} reads {tracks} numbers"));
            }
            Ok(Formula::named(name, arguments))
        } else {
            self.relation()
        }
    }

    fn relation(&mut self) -> Result<Formula, String> {
        let left = self.sum()?;
        let comparisons = [
            (">=", Comparison::GreaterEqual),
            ("<=", Comparison::LessEqual),
            ("!=", Comparison::NotEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
            ("=", Comparison::Equal),
        ];
        // An arrow is not taken for the comparison that it begins with.
        let arrow = ["=>", "<=>"]
            .iter()
            .any(|arrow| self.rest.trim_start().starts_with(arrow));
        let found = comparisons
            .into_iter()
            .find(|(sign, _)| !arrow && self.eat(sign));
        let (_, comparison) = found.ok_or_else(|| format!("no comparison: `{}`", self.rest))?;
        Ok(Formula::compare(left, comparison, self.sum()?))
    }

    fn sum(&mut self) -> Result<Term, String> {
        let mut sum = self.product()?;
        while self.eat("+") {
            sum = sum + self.product()?;
        }
        Ok(sum)
    }

    /// A number, a variable, or a number times a variable.
    fn product(&mut self) -> Result<Term, String> {
        if !self
            .rest
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit())
        {
            return self.variable().map(Term::from);
        }
        let factor = number(self.word())?;
        Ok(if self.eat("*") {
            Term::from(self.variable()?).times(factor)
        } else {
            Term::from(i64::from(factor))
        })
    }
}
