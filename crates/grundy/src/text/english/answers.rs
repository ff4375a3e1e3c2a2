//! Answers about positions, tables, and arguments that have no meaning.

use std::fmt::Write as _;
use std::time::Duration;

use grundy_rules::moves::{ComponentChange, Move};
use grundy_rules::ruleset::{Play, Ruleset};
use grundy_rules::{Component, Limit, Position};
use num_bigint::BigUint;

use crate::argument::{self, ArgumentFault, Origin, Unreadable};
use crate::oracle::NoValues;
use crate::outcome::{Clause, Evidence, Outcome, Undecided};
use crate::solve::{Answer, Part, SumFault};
use crate::tabulate::NoTable;
use crate::text::render_from;

/// How work of unknown length shows that it goes on; a template of `indicatif`.
pub const PROGRESS: &str = "{spinner} {elapsed} …";

/// The most components that are written out in a heading.
const MOST_WRITTEN: usize = 12;

/// What a limit is to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// The time that was allowed.
    Time(Duration),
    /// The bytes that were allowed.
    Bytes(u64),
    /// What the engine can count.
    Size,
    /// The user stopped it.
    Interrupt,
}

/// An answer as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The game and the position.
    pub question: String,
    /// Who wins, and the value.
    pub verdict: String,
    /// How that is known, and what has no meaning here.
    pub notes: Vec<String>,
    /// How many best moves there are, if it was asked.
    pub moves_heading: Option<String>,
    /// Those listed, one a line.
    pub moves: Vec<String>,
    /// How many there are besides those listed.
    pub rest: Option<String>,
}

/// An answer about a sum.
pub fn solved(
    games: &[Ruleset],
    sum: &[Part],
    answer: &Answer,
    reached: &dyn Fn(Limit) -> Reached,
) -> Solved {
    let verdict = verdict(answer);
    let mut notes = vec![evidence(&answer.evidence)];
    match &answer.value {
        Ok((_, known)) if *known != answer.evidence => {
            notes.push(format!("the value is {}", evidence(known)));
        }
        Ok(_) => {}
        Err(reason) => notes.push(no_values(*reason).to_owned()),
    }
    let (mut moves_heading, mut moves, mut rest) = (None, Vec::new(), None);
    match &answer.moves {
        Err(why) => notes.push(format!(
            "the winning moves are {}",
            undecided(games, why, reached)
        )),
        Ok(best) => {
            let listed = best.listed.iter();
            moves.extend(listed.map(|next| a_move(games, sum, next)));
            if let Some(count) = best.count.as_ref().filter(|_| answer.outcome != Outcome::P) {
                moves_heading = Some(heading_of_moves(count, answer.outcome));
                let left = count - BigUint::from(moves.len());
                rest = (left > BigUint::default() && !moves.is_empty())
                    .then(|| format!("and {left} more"));
            } else if answer.outcome != Outcome::P && !moves.is_empty() {
                moves_heading = Some("a move that wins; there may be more".to_owned());
            }
        }
    }
    Solved {
        question: question(games, sum),
        verdict,
        notes,
        moves_heading,
        moves,
        rest,
    }
}

/// Who wins, and the value where there is one.
pub(super) fn verdict(answer: &Answer) -> String {
    let verdict = match answer.outcome {
        Outcome::N => "the player to move wins (N)",
        Outcome::P => "the player to move loses (P)",
        Outcome::Draw => "neither player can win: a draw (D)",
    };
    match &answer.value {
        Ok((value, _)) => format!("{verdict}; Grundy value {value}"),
        Err(_) => verdict.to_owned(),
    }
}

/// An answer in one line, with tabs: outcome, value, number of best moves, and those listed.
pub fn solved_in_a_line(games: &[Ruleset], sum: &[Part], answer: &Answer) -> String {
    let outcome = match answer.outcome {
        Outcome::P => "P",
        Outcome::N => "N",
        Outcome::Draw => "D",
    };
    let dash = || "-".to_owned();
    let value = answer
        .value
        .as_ref()
        .map_or_else(|_| dash(), |(value, _)| value.to_string());
    let best = answer.moves.as_ref().ok();
    let count = best
        .and_then(|best| best.count.as_ref())
        .map_or_else(dash, ToString::to_string);
    let moves: Vec<String> = best
        .iter()
        .flat_map(|best| &best.listed)
        .map(|next| a_move(games, sum, next))
        .collect();
    let line = format!("{outcome}\t{value}\t{count}\t{}", moves.join("; "));
    line.trim_end().to_owned()
}

/// What stands in place of an answer in a line.
pub const UNDECIDED_LINE: &str = "undecided";

/// The game and the position, those of very many components in part.
pub fn question(games: &[Ruleset], sum: &[Part]) -> String {
    let shown = &sum[..sum.len().min(MOST_WRITTEN)];
    let mut components = components(games, shown);
    if sum.len() > shown.len() {
        let sign = if games.len() > 1 { " + " } else { " " };
        components = format!("{components}{sign}… ({} components)", sum.len());
    }
    let play = match games.first().map(|game| game.play) {
        Some(Play::Misere) => ", misère play",
        _ => "",
    };
    match games {
        [game] => format!("{} {components}{play}", argument::name(game)),
        _ => format!("{components}{play}"),
    }
}

/// All components of a sum.
pub(super) fn components(games: &[Ruleset], sum: &[Part]) -> String {
    let several = games.len() > 1;
    let components: Vec<String> = sum
        .iter()
        .map(|part| {
            let game = &games[part.game];
            if several {
                in_game(game, &component(game, &part.component))
            } else {
                game.position_text(&Position(vec![part.component.clone()]))
            }
        })
        .collect();
    if components.is_empty() {
        return "nothing".to_owned();
    }
    components.join(if several { " + " } else { " " })
}

/// Where the first move must be made, behind a [`question`].
pub fn bound_to(games: &[Ruleset], sum: &[Part], index: usize) -> String {
    let part = &sum[index];
    let place = placed(&games[part.game], index, &part.component);
    format!("the first move in {place}")
}

/// A first move was asked for where there is none.
pub fn no_move_in(number: usize) -> String {
    format!("component {number} has no move, so that no first move can be made in it")
}

/// A bound first move is not answered where the players' moves differ or chance moves.
pub const FIRST_IN_OF_EQUAL_PLAYERS: &str =
    "--in is for games in which both players have the same moves, without chance";

/// That a sum has no component with this number, counted from 1.
pub fn no_component(number: usize, count: usize) -> String {
    let components = if count == 1 {
        "component"
    } else {
        "components"
    };
    format!(
        "the position has {count} {components}, so there is no component {number} to move in first"
    )
}

/// A component with its game, as an argument writes it.
fn in_game(game: &Ruleset, component: &str) -> String {
    if game.name == argument::NIMBER {
        format!("*{component}")
    } else {
        format!("{}:{component}", argument::name(game))
    }
}

/// How an answer is known.
pub fn evidence(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Exhaustive { upto: Some(heap) } => {
            format!("known by exhaustive search of all heaps up to {heap}")
        }
        Evidence::Exhaustive { upto: None } => {
            "known by exhaustive search of all positions that can be reached".to_owned()
        }
        Evidence::Proved {
            theorem,
            certificate,
        } => {
            format!("proved for all sizes ({theorem}), certificate {certificate}")
        }
        Evidence::Published { citation } => format!("a published theorem: {citation}"),
        Evidence::Conjecture { upto } => {
            format!("ONLY A CONJECTURE: a pattern seen in the heaps up to {upto}, not proved")
        }
        Evidence::Several(several) => several
            .iter()
            .map(self::evidence)
            .collect::<Vec<_>>()
            .join("; "),
    }
}

/// Why Grundy values have no meaning.
pub fn no_values(reason: NoValues) -> &'static str {
    match reason {
        NoValues::Misere => "no Grundy value: in misère play it would not decide sums",
        NoValues::Compound => "no Grundy value: components are not played one at a time",
        NoValues::Endings => "no Grundy value: one component can end the whole game",
        NoValues::Joint => "no Grundy value: one move can take several components",
        NoValues::Loopy => "no Grundy value: play need not end",
        NoValues::Unknown => "the Grundy value is not known at this size",
        NoValues::BoundMove => "no Grundy value: the first move is bound to one component",
    }
}

fn heading_of_moves(count: &BigUint, outcome: Outcome) -> String {
    let one = *count == BigUint::from(1u8);
    match (outcome, one) {
        (Outcome::Draw, true) => "1 move keeps the draw".to_owned(),
        (Outcome::Draw, false) => format!("{count} moves keep the draw"),
        (_, true) => "1 winning move".to_owned(),
        (_, false) => format!("{count} winning moves"),
    }
}

/// A move as a person says it: `heap 3 (7): split into 1 + 6   [2 ways]`.
pub fn a_move(games: &[Ruleset], sum: &[Part], next: &Move) -> String {
    let games = |change: &ComponentChange| &games[sum[change.component].game];
    move_of(&games, next)
}

/// A component with its place, as a person says it: `heap 3 (7)`.
pub(super) fn placed(game: &Ruleset, place: usize, component: &Component) -> String {
    let text = self::component(game, component);
    let kind = match (component.as_heap(), &game.row) {
        (Some(_), None) => "heap",
        (_, Some(_)) => "row",
        (None, None) => "component",
    };
    format!("{kind} {} ({text})", place + 1)
}

/// A move as a person says it, with the game of each component that it changes.
pub(super) fn move_of<'g>(game: &dyn Fn(&ComponentChange) -> &'g Ruleset, next: &Move) -> String {
    let from = |change: &ComponentChange| placed(game(change), change.component, &change.from);
    let to = |change: &ComponentChange| {
        let parts: Vec<String> = change
            .to
            .iter()
            .map(|to| component(game(change), to))
            .collect();
        parts
    };
    let labels: Vec<&str> = next.label.split(" + ").collect();
    let mut text = if labels.len() == next.changes.len() {
        let each: Vec<String> = next
            .changes
            .iter()
            .zip(labels)
            .map(|(change, label)| format!("{}: {label}{}", from(change), leaving(&to(change))))
            .collect();
        each.join("; ")
    } else {
        // One rule takes several components, and what it makes of them is one sum.
        let taken: Vec<String> = next.changes.iter().map(from).collect();
        let left: Vec<String> = next.changes.iter().flat_map(to).collect();
        format!("{}: {}{}", taken.join(" and "), next.label, leaving(&left))
    };
    add_ways(&mut text, next.ways);
    text
}

/// A move of the only component there is.
pub(super) fn move_alone(game: &Ruleset, next: &Move) -> String {
    let to = next.changes.iter().flat_map(|change| &change.to);
    let to: Vec<String> = to.map(|to| component(game, to)).collect();
    let mut text = format!("{}{}", next.label, leaving(&to));
    add_ways(&mut text, next.ways);
    text
}

fn add_ways(text: &mut String, ways: u64) {
    if ways != 1 {
        write!(text, "   [{ways} ways]").expect("a string takes all text");
    }
}

fn leaving(parts: &[String]) -> String {
    match parts {
        [] => ", leaving nothing".to_owned(),
        [part] => format!(", leaving {part}"),
        parts => format!(" into {}", parts.join(" + ")),
    }
}

/// A component as an argument writes it, in brackets if it has several numbers.
pub fn component(game: &Ruleset, component: &Component) -> String {
    let text = game.position_text(&Position(vec![component.clone()]));
    if text.contains(',') && !text.starts_with('[') {
        format!("[{text}]")
    } else {
        text
    }
}

/// Why there is no answer.
pub fn undecided(
    games: &[Ruleset],
    undecided: &Undecided,
    reached: &dyn Fn(Limit) -> Reached,
) -> String {
    let why = match undecided {
        Undecided::Limit(limit) => match reached(*limit) {
            Reached::Time(time) => format!(
                "the limit of {} was reached; --time allows more",
                seconds(time)
            ),
            Reached::Bytes(bytes) => format!(
                "the memory limit of {} MiB was reached; --memory allows more",
                bytes >> 20
            ),
            Reached::Size => "the numbers are larger than the engine can count".to_owned(),
            Reached::Interrupt => "interrupted".to_owned(),
        },
        Undecided::Cycle(cycle) => format!("play need not end: {}", self::cycle(games, cycle)),
        Undecided::NotSolved(clause) => {
            let clause = match clause {
                Clause::Players => "`left:` and `right:` (moves of one player only)",
                Clause::Chance => "`chance`",
            };
            format!("games with {clause} are not solved this way")
        }
        Undecided::SomeMoves => "some are known, which `--moves all` lists, but neither which is the first or the least of \
                                 all, nor how many there are"
            .to_owned(),
    };
    format!("undecided: {why}")
}

fn cycle(games: &[Ruleset], cycle: &[Position]) -> String {
    let text = |one: &Position| match games {
        // The positions of a sum of games do not say whose components they are.
        [game, ..] => game.position_text(one),
        [] => String::new(),
    };
    let mut steps: Vec<String> = cycle.iter().take(MOST_WRITTEN).map(text).collect();
    if cycle.len() > steps.len() {
        steps.push(format!("… ({} positions)", cycle.len()));
    }
    steps.extend(cycle.first().map(text));
    steps.join(" → ")
}

fn seconds(time: Duration) -> String {
    if time.subsec_millis() == 0 {
        format!("{} s", time.as_secs())
    } else {
        format!("{} ms", time.as_millis())
    }
}

/// The heading of the rules said back.
pub const RULES: &str = "Moves";
/// The heading of what else is so for the rules.
pub const FACTS: &str = "What this means";
/// The heading of how much can be proved of each rule.
pub const REACH: &str = "What can be proved";
/// The heading of what the theory asks of a game, and what follows.
pub const CHECKS: &str = "Which theory applies";

/// An error with this text.
pub fn error(text: &str) -> String {
    format!("error: {text}")
}

/// Why an argument has no meaning, and what to write instead.
pub fn argument_fault(fault: &ArgumentFault, colour: bool) -> String {
    match fault {
        ArgumentFault::Text {
            origin,
            text,
            faults,
        } => {
            let (name, line) = match origin {
                Origin::File(path) => (path.clone(), 1),
                Origin::Line(path, line) => (path.clone(), *line),
                Origin::Catalogue(name) => (format!("games/{name}.game"), 1),
                Origin::Argument => ("argument".to_owned(), 1),
            };
            let shown = faults
                .iter()
                .map(|fault| render_from(line, fault, &name, text, colour));
            shown.collect::<Vec<_>>().join("\n").trim_end().to_owned()
        }
        ArgumentFault::Unreadable { path, reason } => error(&match reason {
            Unreadable::Missing => format!("there is no file `{path}`"),
            Unreadable::Folder => format!("`{path}` is a folder"),
            Unreadable::Refused => format!("`{path}`: files are not read here"),
            Unreadable::Other(reason) => format!("`{path}` cannot be read: {reason}"),
        }),
        ArgumentFault::UnknownGame { name, suggestions } => {
            let mut text = error(&format!("there is no game `{name}` in the catalogue"));
            text.push_str("\nhint: ");
            if suggestions.is_empty() {
                text.push_str(
                    "`grundy games` lists the catalogue; a file's name ends in `.game`, \
                     a code has a point (0.77), rules have an arrow ([n] -> [n-1])",
                );
            } else {
                let names: Vec<String> = suggestions.iter().map(|n| format!("`{n}`")).collect();
                write!(text, "did you mean {}?", names.join(" or "))
                    .expect("a string takes all text");
            }
            text
        }
        ArgumentFault::Values { text } => error(&format!(
            "the values in `{text}` cannot be read\n\
             hint: write `bash(5)`, `s-nim({{2,5}})`, `bash:m=5` or `s-nim:S=2,5`"
        )),
        ArgumentFault::TooManyValues { game, parameters } if parameters.is_empty() => {
            error(&format!("`{game}` has no parameters"))
        }
        ArgumentFault::TooManyValues { game, parameters } => error(&format!(
            "more values than `{game}` has parameters ({})",
            parameters.join(", ")
        )),
        ArgumentFault::PositionMissing { game } => error(&format!(
            "a position is missing behind `{game}`\n\
             hint: `grundy solve lasker 3 4 7`, or in a sum of games `lasker:3,4 + nim:7`"
        )),
        ArgumentFault::BracketsMissing { game, text } => error(&format!(
            "a comma separates heaps here, and a component of `{game}` is no heap\n\
             hint: write `{game}:[{text}]` for one component of these numbers"
        )),
        ArgumentFault::Limit(_) => {
            "undecided: completing the position took more than the limits".to_owned()
        }
    }
}

/// Why games cannot stand in one sum.
pub fn sum_fault(games: &[Ruleset], fault: &SumFault) -> String {
    match fault {
        SumFault::NotIndependent { game, reason } => {
            let why = match reason {
                NoValues::Misere => "is played misère",
                NoValues::Compound => "does not play its components one at a time",
                NoValues::Endings => "can end the whole sum at once",
                NoValues::Joint => "has moves that take several components",
                NoValues::Loopy => "need not end",
                NoValues::Unknown => "has no known Grundy values",
                NoValues::BoundMove => "has a bound first move",
            };
            error(&format!(
                "`{}` cannot stand in a sum with other games: it {why}",
                argument::name(&games[*game])
            ))
        }
        SumFault::MixedPlay { game } => error(&format!(
            "`{}` and `{}` do not agree on who wins at the end\n\
             hint: --play normal or --play misere decides it for all",
            argument::name(&games[0]),
            argument::name(&games[*game])
        )),
    }
}

/// Why a game has no table over a box.
pub fn no_table(game: &Ruleset, fault: &NoTable) -> String {
    match fault {
        NoTable::Coordinates { found, admitted } => {
            let admitted: Vec<String> = admitted.iter().map(ToString::to_string).collect();
            let numbers = if *found == 1 { "number" } else { "numbers" };
            error(&format!(
                "--box has {found} {numbers}, and components of `{}` have {}",
                argument::name(game),
                admitted.join(" or "),
            ))
        }
        NoTable::TooLarge => error("the box has more places than can be counted"),
    }
}

/// Why a box of several coordinates is no b-file.
pub const BFILE_OF_ONE: &str = "a b-file holds one sequence: use --upto with a game of one number";

/// That a text is no natural number.
pub fn not_a_number(text: &str) -> String {
    format!("`{text}` is no natural number; examples: 1000, 10^18, 1e18")
}

/// A size that is none.
pub fn not_a_size(text: &str) -> String {
    format!("`{text}` is no natural number below 2^64, such as 1000, 1e6 or 10^6")
}

/// A time that is none.
pub fn not_a_time(text: &str) -> String {
    format!("`{text}` is no time such as 500ms, 20s, 5m or 2h")
}

/// An amount of memory that is none.
pub fn not_a_memory(text: &str) -> String {
    format!("`{text}` is no amount of memory such as 500M or 8G")
}
