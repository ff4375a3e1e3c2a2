//! Families of games: lists of rules, of which one of each list makes a game.

use grundy_rules::{Ruleset, parse};

/// Lists of rules to combine.
///
/// ```text
/// choose take
///   none:
///   all: [n] -> [n-k] where k >= 1
/// choose split
///   none:
///   equal: [n] -> [a] + [a] where 2*a = n, a >= 1
/// ```
///
/// An entry is a name, a colon and rules, with `;` between several; it may hold none. `#` begins a comment. A combination
/// without any rule is no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    lists: Vec<List>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct List {
    name: String,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    rules: String,
    line: usize,
}

/// One game of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The names of its entries, list by list.
    pub names: Vec<String>,
    /// The rules as they stand in the lists.
    pub text: String,
    /// What they say.
    pub ruleset: Ruleset,
}

/// Why a text is no family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FamilyFault {
    /// An entry before the first list.
    NoList {
        /// Its line, from 1.
        line: usize,
    },
    /// A line that is neither a list nor an entry.
    Line {
        /// Its number, from 1.
        line: usize,
    },
    /// A list without entries, or no list.
    Empty,
    /// An entry with the name of another one in its list.
    Twice {
        /// Its line, from 1.
        line: usize,
    },
    /// More games than are made at a time.
    TooMany,
    /// Rules that are wrong.
    Rules {
        /// The lines of the entries, from 1.
        lines: Vec<usize>,
        /// The text that they make together.
        text: String,
        /// How many faults it has.
        faults: usize,
    },
}

/// The most games of a family.
const MOST_GAMES: usize = 1 << 16;

impl Family {
    /// Reads a family.
    ///
    /// # Errors
    ///
    /// The first line that is wrong.
    pub fn parse(text: &str) -> Result<Self, FamilyFault> {
        let mut lists: Vec<List> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            if let Some(name) = line.strip_prefix("choose ") {
                lists.push(List {
                    name: name.trim().to_owned(),
                    entries: Vec::new(),
                });
                continue;
            }
            let (name, rules) = line
                .split_once(':')
                .ok_or(FamilyFault::Line { line: number })?;
            let list = lists
                .last_mut()
                .ok_or(FamilyFault::NoList { line: number })?;
            if list.entries.iter().any(|entry| entry.name == name.trim()) {
                return Err(FamilyFault::Twice { line: number });
            }
            list.entries.push(Entry {
                name: name.trim().to_owned(),
                rules: rules.trim().to_owned(),
                line: number,
            });
        }
        let sizes = lists.iter().map(|list| list.entries.len());
        match sizes.clone().try_fold(1usize, usize::checked_mul) {
            Some(0) => Err(FamilyFault::Empty),
            Some(_) if lists.is_empty() => Err(FamilyFault::Empty),
            Some(games) if games <= MOST_GAMES => Ok(Self { lists }),
            _ => Err(FamilyFault::TooMany),
        }
    }

    /// The names of the lists.
    pub fn lists(&self) -> impl Iterator<Item = &str> {
        self.lists.iter().map(|list| list.name.as_str())
    }

    /// The games, those with the first entry of the first list first.
    ///
    /// # Errors
    ///
    /// The first combination whose rules are wrong.
    pub fn members(&self) -> Result<Vec<Member>, FamilyFault> {
        let mut all: Vec<Vec<&Entry>> = vec![Vec::new()];
        for list in &self.lists {
            let mut longer = Vec::with_capacity(all.len() * list.entries.len());
            for chosen in &all {
                for entry in &list.entries {
                    longer.push([chosen.as_slice(), &[entry]].concat());
                }
            }
            all = longer;
        }
        let mut members = Vec::new();
        for entries in all {
            let rules = entries.iter().map(|entry| entry.rules.as_str());
            let rules: Vec<&str> = rules.filter(|rules| !rules.is_empty()).collect();
            if rules.is_empty() {
                continue;
            }
            let text = rules.join("; ");
            let ruleset = parse(&text).map_err(|faults| FamilyFault::Rules {
                lines: entries.iter().map(|entry| entry.line).collect(),
                text: text.clone(),
                faults: faults.len(),
            })?;
            members.push(Member {
                names: entries.iter().map(|entry| entry.name.clone()).collect(),
                text,
                ruleset,
            });
        }
        Ok(members)
    }
}
