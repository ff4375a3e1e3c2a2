//! What is said of graphs to people, in English.

use crate::draw::{MOST_EDGES, MOST_VERTICES};
use crate::explain::{Explanation, Replied, Valued};
use crate::graph::{End, Graph, GraphFault, Mover, Vertex};
use crate::loopy::Value;
use crate::play::{MoveFault, Reply};
use crate::read::{Fault, Format, Names, Note, Oddity, Place};
use crate::retrograde::Outcome;
use crate::solution::{NoValues, Prospect, Solution, Solver, Unsolved};
use crate::sum::{Method, TokenMove, Turn, Unanswered};
use crate::unfair::Class;
use crate::work::Stop;

/// What is wrong with the text of a graph.
pub fn fault(fault: &Fault) -> String {
    match fault {
        Fault::NotText => "this is not UTF-8".to_owned(),
        Fault::Control(c) => format!("the character U+{:04X} stands in no name", u32::from(*c)),
        Fault::Words(count) => {
            format!(
                "{count} words: a line of an edge list is two names, or one that declares a vertex"
            )
        }
        Fault::OtherFormat(sign, format) => format!(
            "`{sign}` has no meaning in an edge list: for {}, say --format {}",
            format_name(*format),
            format_word(*format)
        ),
        Fault::Fields(count, most) => format!("{count} fields, and there are {most} columns"),
        Fault::NameMissing => "the name of a vertex is missing".to_owned(),
        Fault::Column(name) => {
            format!("no column is called `{name}`: from, to, player and probability are known")
        }
        Fault::Columns => "the columns must be from and to, each once".to_owned(),
        Fault::Unclosed => "this does not end".to_owned(),
        Fault::BehindQuote => {
            "a quoted field ends before a comma or the end of the line".to_owned()
        }
        Fault::Expected(what) => format!("{what} should stand here"),
        Fault::Attribute(name) => format!(
            "`{name}` has no meaning here: vertices have end, chance and token, edges player and probability"
        ),
        Fault::Player(word) => format!("`{word}` is no player: left, right or both"),
        Fault::End(word) => format!("`{word}` is no end: lost, won, draw, left or right"),
        Fault::Probability(word) => {
            format!("`{word}` is no probability: write 1/3, 0.25 or 1")
        }
        Fault::Truth(word) => format!("`{word}` is neither true nor false"),
        Fault::Json(message) => message.clone(),
        Fault::Unknown(name) => format!("`{name}` is not among the vertices"),
        Fault::NotPlain => "this game knows no players, ends or chance".to_owned(),
        Fault::Again(name) => format!("the vertex `{name}` is listed twice"),
        Fault::Graph(from, to, fault) => {
            graph_fault(from, to.as_deref().unwrap_or_default(), fault)
        }
        Fault::Stopped(stop) => stopped(*stop).to_owned(),
    }
}

fn graph_fault(from: &str, to: &str, fault: &GraphFault) -> String {
    match fault {
        GraphFault::RepeatedChance(..) => {
            format!(
                "chance moves from `{from}` to `{to}` twice: give the edge once, with its probability"
            )
        }
        GraphFault::ChanceOfPlayer(..) => {
            format!("chance moves at `{from}`, so that the edge to `{to}` is no player's")
        }
        GraphFault::NoProbability(.., odd) => {
            format!("{odd} is no probability: it is at least 0 and at most 1")
        }
        GraphFault::ProbabilityMissing(..) => format!(
            "other edges from `{from}` have a probability, so that the one to `{to}` needs one too"
        ),
        GraphFault::Sum(_, sum) => {
            format!("the probabilities at `{from}` add to {sum}, not to 1")
        }
        GraphFault::NoChoice(_) => format!("chance moves at `{from}`, but no edge leads on"),
        GraphFault::EndWithMoves(_) => format!("play ends at `{from}`, but an edge leads on"),
        GraphFault::TooLarge | GraphFault::NoVertex(_) | GraphFault::Stopped(_) => {
            stopped(Stop::Bytes).to_owned()
        }
    }
}

fn stopped(stop: Stop) -> &'static str {
    match stop {
        Stop::Bytes => "the graph needs more memory than may be used",
        Stop::Cancelled => "the time is over",
    }
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Edges => "an edge list",
        Format::Csv => "comma-separated values",
        Format::Dot => "the language of Graphviz",
        Format::Json => "JSON",
    }
}

/// The word for a format on a command line.
pub fn format_word(format: Format) -> &'static str {
    match format {
        Format::Edges => "edges",
        Format::Csv => "csv",
        Format::Dot => "dot",
        Format::Json => "json",
    }
}

/// Something odd that does no harm.
pub fn note(note: &Note) -> String {
    let others = |what: &str| match note.count {
        1 => String::new(),
        count => format!(" ({count} {what} in all)"),
    };
    match &note.oddity {
        Oddity::Repeated(from, to) => format!(
            "the edge from `{from}` to `{to}` stands again; it counts once{}",
            others("such edges")
        ),
        Oddity::Loop(name) => format!(
            "an edge leads from `{name}` back to itself, so that play need not end{}",
            others("such edges")
        ),
    }
}

/// A place before what is said of it.
pub fn at(file: &str, place: Option<Place>) -> String {
    match place {
        Some(Place { line, column }) => format!("{file}:{line}:{column}"),
        None => file.to_owned(),
    }
}

/// The word for an end in the formats.
pub fn end_word(end: End) -> &'static str {
    match end {
        End::Lost => "lost",
        End::Won => "won",
        End::Draw => "draw",
        End::Wins(mover) => player_word(mover),
    }
}

/// The word for a player in the formats.
pub fn player_word(mover: Mover) -> &'static str {
    match mover {
        Mover::Left => "left",
        Mover::Right => "right",
    }
}

fn player(mover: Mover) -> &'static str {
    match mover {
        Mover::Left => "Left",
        Mover::Right => "Right",
    }
}

/// The letter of an outcome.
pub fn outcome_letter(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::P => "P",
        Outcome::N => "N",
        Outcome::Draw => "D",
    }
}

/// The letter of a class.
pub fn class_letter(class: Class) -> &'static str {
    match class {
        Class::L => "L",
        Class::R => "R",
        Class::N => "N",
        Class::P => "P",
    }
}

/// A value: a nimber, or `∞` with the nimbers of the options.
pub fn value(value: &Value) -> String {
    match value {
        Value::Nimber(nimber) => nimber.to_string(),
        Value::Loopy(options) => {
            let options: Vec<String> = options.iter().map(ToString::to_string).collect();
            format!("∞{{{}}}", options.join(","))
        }
    }
}

/// A prospect in short: a letter, or a probability.
pub fn prospect(prospect: &Prospect) -> String {
    match prospect {
        Prospect::Outcome(outcome) => outcome_letter(*outcome).to_owned(),
        Prospect::Probability(odd) => odd.to_string(),
    }
}

/// What is known of a vertex, in short.
pub fn known(solution: &Solution, vertex: Vertex) -> String {
    let of = |mover: &Option<Mover>| prospect(&solution.prospect(vertex, *mover));
    let outcome = match solution.class(vertex) {
        Some(class) => class_letter(class).to_owned(),
        None => solution
            .movers()
            .iter()
            .map(of)
            .collect::<Vec<_>>()
            .join(" | "),
    };
    match solution.value(vertex) {
        Ok(worth) => format!("{outcome} {}", value(&worth)),
        Err(_) => outcome,
    }
}

/// What was solved, and how.
pub fn solver(solver: Solver) -> &'static str {
    match solver {
        Solver::Acyclic => "no cycles: Grundy values, each the least that no option has",
        Solver::Loopy => {
            "with cycles: backwards from where play ends, and loopy values (Smith 1966, Fraenkel and Perl 1975)"
        }
        Solver::Retrograde => "backwards from where play ends",
        Solver::Unfair => {
            "players with different moves: backwards from where play ends, for each player to move"
        }
        Solver::Chance => "with chance: exact probabilities, each from those of the options",
    }
}

/// Why there are no values, and several tokens are not answered.
pub fn no_values(reason: NoValues) -> &'static str {
    match reason {
        NoValues::Unfair => {
            "the players have different moves, so that the outcomes of parts do not decide a sum"
        }
        NoValues::Chance => "chance moves, and probabilities of parts do not decide a sum",
        NoValues::Ends => "a token that reaches an end stops the whole sum",
        NoValues::Misere => "in misère play the values of parts do not decide a sum",
    }
}

/// Why several tokens are not answered.
pub fn unanswered(reason: &Unanswered, names: &Names) -> String {
    let why = match reason {
        Unanswered::NoValues(reason) => no_values(*reason).to_owned(),
        Unanswered::Ends(one, other) => format!(
            "`{}` and `{}` end it at once, and not in the same way",
            names.of(*one),
            names.of(*other)
        ),
        Unanswered::Stopped(stop) => stopped(*stop).to_owned(),
    };
    format!("a sum of tokens is not answered here: {why}")
}

/// How an answer about tokens was found.
pub fn method(method: Method) -> String {
    match method {
        Method::Vertices(by) => solver(by).to_owned(),
        Method::Tame => "tame in misère play: as sums of Nim (Conway 1976)".to_owned(),
        Method::Positions(1) => "the only position of the tokens was looked at".to_owned(),
        Method::Positions(count) => {
            format!("all {count} positions that the tokens can reach were looked at")
        }
    }
}

/// Why a graph is not solved.
pub fn unsolved(unsolved: &Unsolved, names: &Names) -> String {
    match unsolved {
        Unsolved::ChanceCycle(cycle) => {
            let mut path: Vec<&str> = cycle
                .iter()
                .take(6)
                .map(|vertex| names.of(*vertex))
                .collect();
            if cycle.len() > path.len() {
                path.push("…");
            }
            path.extend(cycle.first().map(|vertex| names.of(*vertex)));
            format!(
                "chance moves and play need not end: {}; such games are not solved",
                path.join(" → ")
            )
        }
        Unsolved::ChanceDraw(vertex) => format!(
            "chance moves and `{}` is a draw, so that to win and not to lose are different aims; such games are not \
             solved",
            names.of(*vertex)
        ),
        Unsolved::Stopped(stop) => stopped(*stop).to_owned(),
    }
}

/// The heading of the list of vertices.
pub const COLUMNS: [&str; 5] = ["vertex", "outcome", "value", "moves to end", "best moves"];

/// How much of a list is left out.
pub fn more(count: usize) -> String {
    format!("… and {count} more")
}

/// How large a graph is.
pub fn size(graph: &Graph) -> String {
    let counted = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    format!(
        "{}, {}",
        counted(graph.len(), "vertex", "vertices"),
        counted(graph.edge_count(), "edge", "edges")
    )
}

/// What a player can expect, as a sentence.
pub fn verdict(turn: &Turn) -> String {
    let (who, other) = match turn.mover {
        None => ("the player about to move", "the other player"),
        Some(mover) => (player(mover), player(mover.other())),
    };
    let after = match turn.moves_to_end {
        None => String::new(),
        Some(0) => ": play is over".to_owned(),
        Some(1) => ", with one move".to_owned(),
        Some(moves) => format!(", after {moves} moves under best play"),
    };
    let begins = match turn.mover {
        None => String::new(),
        Some(mover) => format!("if {} begins, ", player(mover)),
    };
    match &turn.prospect {
        Prospect::Outcome(Outcome::N) => format!("{begins}{who} wins{after}"),
        Prospect::Outcome(Outcome::P) => format!("{begins}{other} wins{after}"),
        Prospect::Outcome(Outcome::Draw) => format!("{begins}nobody can force a win: a draw"),
        Prospect::Probability(odd) => format!("{begins}{who} wins with probability {odd}"),
    }
}

/// The class of a position, as a sentence.
pub fn class(class: Class) -> &'static str {
    match class {
        Class::L => "class L: Left wins, whoever begins",
        Class::R => "class R: Right wins, whoever begins",
        Class::N => "class N: whoever begins wins",
        Class::P => "class P: whoever begins loses",
    }
}

/// The value of a position, or why it has none.
pub fn value_or_reason(worth: &Result<Value, NoValues>) -> String {
    match worth {
        Ok(worth @ Value::Nimber(_)) => format!("Grundy value {}", value(worth)),
        Ok(worth @ Value::Loopy(_)) => format!("loopy value {}", value(worth)),
        Err(reason) => format!("no Grundy value: {}", no_values(*reason)),
    }
}

/// A move of one of several tokens, or of the only one.
pub fn token_move(next: &TokenMove, several: bool, names: &Names) -> String {
    let (from, to) = (names.of(next.from), names.of(next.to));
    if several {
        format!("token {}: {from} → {to}", next.token + 1)
    } else {
        format!("{from} → {to}")
    }
}

/// The heading of the best moves.
pub fn best_heading(turn: &Turn) -> String {
    let count = turn.best.len();
    let what = match (&turn.prospect, count) {
        (Prospect::Outcome(Outcome::N), 1) => "winning move",
        (Prospect::Outcome(Outcome::N), _) => "winning moves",
        (Prospect::Outcome(Outcome::Draw), 1) => "move keeps the draw",
        (Prospect::Outcome(Outcome::Draw), _) => "moves keep the draw",
        (_, 1) => "best move",
        _ => "best moves",
    };
    match turn.mover {
        Some(mover) => format!("{count} {what} of {}", player(mover)),
        None => format!("{count} {what}"),
    }
}

/// An explanation, line by line.
pub fn explanation(explanation: &Explanation, tokens: &[Vertex], names: &Names) -> Vec<String> {
    let mut lines = Vec::new();
    for valued in &explanation.values {
        lines.push(valued_line(valued, names));
    }
    let several = tokens.len() > 1;
    if !matches!(explanation.answer.method, Method::Vertices(_)) {
        let method = method(explanation.answer.method);
        lines.push(format!("{}.", capitalised(&method)));
    }
    if several && let Ok(total) = &explanation.answer.value {
        lines.push(match total {
            Value::Nimber(total) => format!("The nim-sum of the tokens is {total}."),
            Value::Loopy(options) if options.is_empty() => {
                "With two loopy tokens, or one from which no nimber is reached, nobody can force the end."
                    .to_owned()
            }
            Value::Loopy(options) => format!(
                "With one loopy token the sum is won if the nim-sum of the others is a nimber of its options: here the \
                 options leave {}.",
                numbers(options)
            ),
        });
    }
    let turns = explanation.answer.turns.iter().zip(&explanation.turns);
    for (index, (turn, replies)) in turns.enumerate() {
        lines.push(format!("{}.", capitalised(&verdict(turn))));
        for drawn in &explanation.draws {
            let next = token_move(&drawn.next, several, names);
            lines.push(format!(
                "  chance: {next} with probability {}, and then {}",
                drawn.odd,
                verdict(&Turn {
                    prospect: drawn.after[index].clone(),
                    moves_to_end: None,
                    best: Vec::new(),
                    mover: turn.mover,
                })
            ));
        }
        if replies.is_empty() && explanation.draws.is_empty() {
            lines.push("  There is no move.".to_owned());
        }
        for replied in replies {
            lines.push(format!("  {}", replied_line(replied, several, names)));
        }
    }
    lines
}

fn numbers(numbers: &[u32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(", ")
}

fn valued_line(valued: &Valued, names: &Names) -> String {
    let name = names.of(valued.vertex);
    let options = valued.options.iter().map(|(option, worth, back)| {
        let option = format!("{} ({})", names.of(*option), value(worth));
        match back {
            Some(back) => format!("{option}, taken back by → {}", names.of(*back)),
            None => option,
        }
    });
    let options: Vec<String> = options.collect();
    match (&valued.value, options.is_empty()) {
        (Value::Nimber(_), true) => format!("{name} is worth 0: no edge leads on."),
        (Value::Nimber(nimber), false) => format!(
            "{name} is worth {nimber}, the least natural that no option is worth: {}.",
            options.join("; ")
        ),
        (worth @ Value::Loopy(_), _) => format!(
            "{name} is worth {}: some moves to its options can never be taken back: {}.",
            value(worth),
            options.join("; ")
        ),
    }
}

fn replied_line(replied: &Replied, several: bool, names: &Names) -> String {
    let next = token_move(&replied.next, several, names);
    let reply = replied
        .reply
        .as_ref()
        .map(|reply| token_move(reply, several, names));
    let reply = reply.unwrap_or_default();
    let after = match replied.moves_to_end {
        Some(0) => " at once".to_owned(),
        Some(1) => " after 1 more move".to_owned(),
        Some(moves) => format!(" after {moves} more moves"),
        None => String::new(),
    };
    match &replied.left {
        Prospect::Outcome(Outcome::P) => format!("{next} wins{after}"),
        Prospect::Outcome(Outcome::N) if reply.is_empty() => format!("{next} loses{after}"),
        Prospect::Outcome(Outcome::N) => format!("{next} loses{after}: the answer is {reply}"),
        Prospect::Outcome(Outcome::Draw) if reply.is_empty() => format!("{next} draws"),
        Prospect::Outcome(Outcome::Draw) => format!("{next} draws: the answer is {reply}"),
        Prospect::Probability(odd) => format!("{next} leaves the opponent a probability of {odd}"),
    }
}

fn capitalised(sentence: &str) -> String {
    let mut chars = sentence.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// What the person can write while tokens are played with.
pub const PLAY_HELP: &str = "\
A move, in one of these forms:
  a -> b              where a token stands, and where it goes
  b                   where it goes, if one token can
  token 2: a -> b     with the number of the token
  #3                  the third of the moves that `moves` listed
Or:
  moves       the moves there are                      hint    who wins, and by which move
  position    the tokens again                         undo    take your last move back
  rules       what the graph is                        help    this text
  quit        end (so does the end of the input)";

/// Where the tokens are.
pub fn position(tokens: &[Vertex], names: &Names) -> String {
    let names: Vec<&str> = tokens.iter().map(|token| names.of(*token)).collect();
    names.join(" + ")
}

/// Who plays with which moves.
pub fn sides(person: Mover) -> String {
    let (you, other) = (player(person), player(person.other()));
    format!("You are {you}, and grundy is {other}.")
}

/// A move that was played, by the person, the program or chance.
pub fn played(who: Who, next: &TokenMove, several: bool, names: &Names) -> String {
    let who = match who {
        Who::Person => "You",
        Who::Program => "grundy",
        Who::Chance => "chance",
    };
    format!("{who}: {}", token_move(next, several, names))
}

/// Who moves a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Who writes.
    Person,
    /// The program.
    Program,
    /// Chance.
    Chance,
}

/// What is known about the program's own move.
pub fn why(reply: &Reply) -> String {
    let after = |moves: Option<u32>| match moves {
        None => String::new(),
        Some(1) => ", at once".to_owned(),
        Some(moves) => format!(" within {moves} moves"),
    };
    match &reply.prospect {
        Prospect::Outcome(Outcome::N) => format!("this wins{}", after(reply.moves_to_end)),
        Prospect::Outcome(Outcome::Draw) => "this keeps the draw; nothing wins".to_owned(),
        Prospect::Outcome(Outcome::P) => {
            "grundy is lost here: every move loses if you answer right".to_owned()
        }
        Prospect::Probability(odd) => {
            format!("no move is better: grundy wins with probability {odd}")
        }
    }
}

/// Who wins for the person about to move, and by which moves.
pub fn hint(turn: &Turn, most: usize, several: bool, names: &Names) -> Vec<String> {
    let mut lines = vec![match &turn.prospect {
        Prospect::Outcome(Outcome::N) => match turn.moves_to_end {
            Some(1) => "You can win with one move:".to_owned(),
            Some(moves) => format!("You can win within {moves} moves:"),
            None => "You can win:".to_owned(),
        },
        Prospect::Outcome(Outcome::P) => {
            "You are lost: every move loses if grundy answers right.".to_owned()
        }
        Prospect::Outcome(Outcome::Draw) => {
            "Nobody can win against perfect play; this keeps the draw:".to_owned()
        }
        Prospect::Probability(odd) => {
            format!("Your best moves win with probability {odd}:")
        }
    }];
    for next in turn.best.iter().take(most) {
        lines.push(format!("  {}", token_move(next, several, names)));
    }
    if turn.best.len() > most {
        lines.push(format!("  {}", more(turn.best.len() - most)));
    }
    lines
}

/// The moves that can be chosen from, numbered; at most `limit` of them.
pub fn choice(moves: &[TokenMove], limit: usize, several: bool, names: &Names) -> Vec<String> {
    let shown = moves.iter().take(limit).enumerate();
    let mut lines: Vec<String> = shown
        .map(|(index, next)| {
            let number = format!("#{}", index + 1);
            format!("{number:>5}  {}", token_move(next, several, names))
        })
        .collect();
    if moves.len() > limit {
        lines.push(format!("       {}", more(moves.len() - limit)));
    }
    lines
}

/// Why a text is no move, and what would be one.
pub fn move_fault(fault: &MoveFault, several: bool, names: &Names) -> String {
    let (text, moves) = match fault {
        MoveFault::NoMove(some) => ("this is no move; moves there are, for example:", some),
        MoveFault::Ambiguous(some) => ("this may be any of these:", some),
        MoveFault::NotListed(0) => return "no moves are listed; `moves` lists them".to_owned(),
        MoveFault::NotListed(count) => return format!("the moves listed are #1 to #{count}"),
    };
    let mut lines = vec![text.to_owned()];
    for next in moves {
        lines.push(format!("  {}", token_move(next, several, names)));
    }
    lines.join("\n")
}

/// Play needs tokens.
pub const NO_TOKENS: &str = "where do the tokens stand? name their vertices behind the graph";

/// Explanations of graphs have one form.
pub const EXPLAINED_AS_TEXT: &str = "games on graphs are explained as text only";

/// A move that is to be explained is a player's.
pub const ONE_MOVER: &str =
    "the players have different moves here: --move is for games in which they have the same";

/// A picture would show nothing.
pub fn too_large_to_draw() -> String {
    format!("a picture has at most {MOST_VERTICES} vertices and {MOST_EDGES} edges")
}

/// What a picture's file must be called.
pub const PICTURE_ENDING: &str = "a picture is written to -o FILE.svg or -o FILE.dot";

/// Edges without direction are no moves.
pub const UNDIRECTED: &str =
    "this graph has no directions, and a token moves along directed edges: say `digraph` and `->`";

/// A token stands at no vertex.
pub fn unknown_token(name: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => format!("`{name}` is no vertex; `{near}` is one"),
        None => format!("`{name}` is no vertex"),
    }
}

/// The theorems speak of normal play.
pub const ONLY_NORMAL: &str = "this game is only solved in normal play";

/// Explanations and pictures are of tokens.
pub const ONLY_TOKENS: &str = "only games of tokens are explained and drawn";

/// There is one token.
pub const ONE_START: &str = "geography has one token: say --token once";

/// How geography is solved.
pub const GEOGRAPHY: &str =
    "won from where every maximum matching has an edge (Fraenkel, Scheinerman and Ullman 1993)";

/// What stands must stand on something.
pub const GROUND: &str = "which vertices are the ground? say --token VERTEX";

/// How Hackenbush is solved.
pub const HACKENBUSH: &str = "by the colon and the fusion principle (Berlekamp, Conway and Guy 1982, Winning Ways, chapter 7)";

/// The value of what stands on the ground.
pub fn hackenbush(value: u32) -> String {
    match value {
        0 => "the player to move loses (P); Grundy value 0".to_owned(),
        value => format!("the player to move wins (N); Grundy value {value}"),
    }
}

/// The heading of winning cuts.
pub fn winning_cuts(count: usize) -> String {
    match count {
        1 => "1 winning cut".to_owned(),
        count => format!("{count} winning cuts"),
    }
}
