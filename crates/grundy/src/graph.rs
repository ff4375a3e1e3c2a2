//! All positions that can be reached as a graph, for games in which play need not end, the
//! players have different moves, or chance moves.
//!
//! The solvers of [`grundy_graphs`] know no rules. Here rules become their graphs: a vertex is a
//! position with the player to move, and where chance draws before each move, also a position with what was
//! drawn. Where components are independent and no move splits them, a vertex is a component, and
//! sums of any size are answered by loopy values.

use std::collections::BTreeMap;

use grundy_graphs::chance::{Chances, NoChances, chances};
use grundy_graphs::loopy::Value;
use grundy_graphs::retrograde::{self, Outcomes};
use grundy_graphs::unfair::Class;
use grundy_graphs::{Description, End, Graph, Mover, Solution, Stop, Unsolved, Vertex, Work, sum};
use grundy_rules::eval::Env;
use grundy_rules::moves::{Move, ended};
use grundy_rules::options::options;
use grundy_rules::ruleset::{
    EndingResult, Parameter, ParameterValue, Play, Player, Role, Ruleset, Scope,
};
use grundy_rules::{Limit, Meter};
use indexmap::IndexSet;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::FxBuildHasher;

use crate::oracle::has_values;
use crate::outcome::{Clause, Outcome, Undecided};
use crate::solve::{BestMoves, Part, Query, Wanted, after, all_moves, sorted};

/// What the player about to move can expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prospect {
    /// To win, to lose, or neither.
    Outcome(Outcome),
    /// To win with this probability.
    Probability(BigRational),
}

/// A player's turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who is to move; `None` if both players have the same moves.
    pub mover: Option<Player>,
    /// What chance has drawn, by name; empty where it does not draw, or before it does.
    pub drawn: Vec<(String, BigInt)>,
    /// What the player can expect.
    pub prospect: Prospect,
    /// After how many moves play ends under best play.
    pub moves_to_end: Option<u32>,
    /// The best moves: those that win, that keep a draw, or that make a win most likely. None
    /// before chance has drawn.
    pub best: BestMoves,
}

/// An answer about a position whose players have different moves, or in which chance moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// A turn for each player who may begin; with chance, also one for each draw behind it.
    pub turns: Vec<Turn>,
    /// Who wins, whoever begins, if the players have different moves.
    pub class: Option<Class>,
}

/// The rules as they are for one player, and after one draw of chance.
struct Variant {
    games: Vec<Ruleset>,
    drawn: Vec<(String, BigInt)>,
}

/// How a game's rules differ from turn to turn.
struct Variants {
    movers: Vec<Option<Player>>,
    /// For each mover one variant for each draw.
    of: Vec<Vec<Variant>>,
    has_chance: bool,
}

/// How many draws there may be before a move.
const MOST_DRAWS: usize = 10_000;

impl Variants {
    fn new(games: &[Ruleset], meter: &mut Meter) -> Result<Self, Limit> {
        let has_players = games
            .iter()
            .any(|game| game.moves.iter().any(|rule| rule.player.is_some()));
        let movers = if has_players {
            vec![Some(Player::Left), Some(Player::Right)]
        } else {
            vec![None]
        };
        let mut of = Vec::new();
        for mover in &movers {
            let games = games.iter().map(|game| for_player(game, *mover)).collect();
            let mut drawn = vec![Variant {
                games,
                drawn: Vec::new(),
            }];
            for game in 0..drawn[0].games.len() {
                for chance in 0..drawn[0].games[game].chances.len() {
                    let mut next = Vec::new();
                    for variant in &drawn {
                        let values = values_of_chance(&variant.games[game], chance, meter)?;
                        if next.len() + values.len() > MOST_DRAWS {
                            return Err(Limit::Bytes);
                        }
                        next.extend(
                            values
                                .into_iter()
                                .map(|value| variant.with(game, chance, value)),
                        );
                    }
                    drawn = next;
                }
            }
            of.push(drawn);
        }
        Ok(Self {
            movers,
            of,
            has_chance: games.iter().any(|game| !game.chances.is_empty()),
        })
    }

    /// The player after this one.
    fn next(&self, mover: usize) -> usize {
        (mover + 1) % self.movers.len()
    }
}

/// The rules that a player may use.
fn for_player(game: &Ruleset, mover: Option<Player>) -> Ruleset {
    let mut game = game.clone();
    if mover.is_some() {
        game.moves
            .retain(|rule| rule.player.is_none() || rule.player == mover);
    }
    game
}

/// What chance can draw: ascending, each once.
fn values_of_chance(
    game: &Ruleset,
    chance: usize,
    meter: &mut Meter,
) -> Result<Vec<BigInt>, Limit> {
    let chance = &game.chances[chance];
    let env = Env::new(game, &chance.scope, &[]);
    let mut values = env.elements(&chance.values, meter)?.unwrap_or_default();
    values.sort();
    values.dedup();
    Ok(values)
}

impl Variant {
    /// The same with a value for a draw, which the rules then read as a parameter.
    fn with(&self, game: usize, chance: usize, value: BigInt) -> Self {
        let mut games = self.games.clone();
        let rules = &mut games[game];
        let name = rules.chances[chance].name.clone();
        let parameter = rules.parameters.len();
        rules.parameters.push(Parameter {
            name: name.clone(),
            value: ParameterValue::Number(value.clone()),
            span: grundy_rules::ruleset::Span::default(),
        });
        let read = |scope: &mut Scope| {
            for name in &mut scope.names {
                if name.role == Role::Chance(chance) {
                    name.role = Role::Parameter(parameter);
                }
            }
        };
        rules
            .moves
            .iter_mut()
            .for_each(|rule| read(&mut rule.scope));
        rules
            .endings
            .iter_mut()
            .for_each(|ending| read(&mut ending.scope));
        let mut drawn = self.drawn.clone();
        drawn.push((name, value));
        Self { games, drawn }
    }
}

/// The bytes that one vertex is counted as, besides its components.
const VERTEX_BYTES: u64 = 160;

/// The positions that can be reached, as a graph.
struct Arena {
    variants: Variants,
    graph: Graph,
    /// A position with the index of its mover, by vertex; then come vertices of draws.
    positions: IndexSet<(Vec<Part>, usize), FxBuildHasher>,
    /// Where the draws of a position stand: they are its options.
    play: retrograde::Play,
}

impl Arena {
    fn new(games: &[Ruleset], root: &[Part], meter: &mut Meter) -> Result<Self, Limit> {
        let variants = Variants::new(games, meter)?;
        let mut positions: IndexSet<(Vec<Part>, usize), FxBuildHasher> = IndexSet::default();
        let root = sorted(root.to_vec());
        for mover in 0..variants.movers.len() {
            positions.insert((root.clone(), mover));
        }
        // The options of each position: one list, or with chance one for each draw.
        let mut rows: Vec<Vec<Vec<usize>>> = Vec::new();
        let mut ends = BTreeMap::new();
        let mut next = 0;
        while let Some((position, mover)) = positions.get_index(next).cloned() {
            meter.allocate(VERTEX_BYTES + 64 * position.len() as u64)?;
            let end = match games {
                [game] => ended(game, &crate::solve::position(&position), meter)?,
                _ => None,
            };
            if let Some(end) = end {
                ends.insert(next, end);
                rows.push(Vec::new());
                next += 1;
                continue;
            }
            let mut lists = Vec::new();
            for variant in &variants.of[mover] {
                let mut options = Vec::new();
                for option in all_moves(&variant.games, &position, meter)? {
                    let after = sorted(after(&position, &option));
                    let (index, _) = positions.insert_full((after, variants.next(mover)));
                    options.push(index);
                }
                options.sort_unstable();
                options.dedup();
                meter.allocate(32 + 8 * options.len() as u64)?;
                lists.push(options);
            }
            rows.push(lists);
            next += 1;
        }
        let graph = assemble(&rows, &ends, variants.has_chance)?;
        Ok(Self {
            variants,
            graph,
            positions,
            play: match games.first().map(|game| game.play) {
                Some(Play::Misere) => retrograde::Play::Misere,
                _ => retrograde::Play::Normal,
            },
        })
    }

    fn vertex(&self, sum: &[Part], mover: usize) -> Vertex {
        let key = (sorted(sum.to_vec()), mover);
        let index = self.positions.get_index_of(&key);
        number(index.expect("every position that can be reached is a vertex"))
    }

    fn outcomes(&self, meter: &mut Meter) -> Result<Outcomes, Limit> {
        let work = &mut work(&self.graph, meter)?;
        let reverse = self.graph.reverse(work).map_err(limit)?;
        retrograde::outcomes(&self.graph, &reverse, self.play, work).map_err(limit)
    }
}

fn number(index: usize) -> Vertex {
    Vertex::try_from(index).expect("fewer positions than 2^32 fit into memory")
}

/// The graph of positions, whose draws follow them.
fn assemble(
    rows: &[Vec<Vec<usize>>],
    ends: &BTreeMap<usize, EndingResult>,
    has_chance: bool,
) -> Result<Graph, Limit> {
    let draws: usize = if has_chance {
        rows.iter().map(Vec::len).sum()
    } else {
        0
    };
    let edges: usize = rows.iter().flatten().map(Vec::len).sum::<usize>() + draws;
    if Vertex::try_from(rows.len() + draws).is_err() || u32::try_from(edges).is_err() {
        return Err(Limit::Bytes);
    }
    let (mut first, mut to) = (vec![0], Vec::with_capacity(edges));
    let mut drawn = rows.len();
    let mut chance = Vec::new();
    for (vertex, lists) in rows.iter().enumerate() {
        if has_chance && !lists.is_empty() {
            to.extend((drawn..drawn + lists.len()).map(number));
            drawn += lists.len();
            chance.push(number(vertex));
        } else {
            to.extend(lists.iter().flatten().map(|option| number(*option)));
        }
        first.push(number(to.len()));
    }
    for list in rows.iter().flatten().filter(|_| has_chance) {
        to.extend(list.iter().map(|option| number(*option)));
        first.push(number(to.len()));
    }
    let ends = ends
        .iter()
        .map(|(vertex, result)| (number(*vertex), end_of(*result)));
    Ok(Graph::of_rows(first, to)
        .with_chance(chance)
        .with_ends(ends))
}

fn end_of(result: EndingResult) -> End {
    match result {
        EndingResult::Lost => End::Lost,
        EndingResult::Won => End::Won,
        EndingResult::Draw => End::Draw,
    }
}

/// Work on a graph, paid for by the meter.
fn work(graph: &Graph, meter: &mut Meter) -> Result<Work<'static>, Limit> {
    let size = (graph.len() + graph.edge_count()) as u64;
    meter.allocate(24 * size)?;
    meter.spend(size)?;
    // Probabilities may need more than a graph does, and are limited to as much again as is usual.
    Ok(Work::new((1 << 28) + 256 * size))
}

fn limit(stop: Stop) -> Limit {
    match stop {
        Stop::Bytes => Limit::Bytes,
        Stop::Cancelled => Limit::Cancelled,
    }
}

fn outcome_of(outcome: retrograde::Outcome) -> Outcome {
    match outcome {
        retrograde::Outcome::P => Outcome::P,
        retrograde::Outcome::N => Outcome::N,
        retrograde::Outcome::Draw => Outcome::Draw,
    }
}

/// Who wins, and after how many moves play ends.
pub(crate) type Played = (Outcome, Option<u32>);

/// The outcomes of all positions that can be reached from a sum, and after how many moves play ends.
///
/// Where both players can go on for ever, the outcome is a draw.
pub(crate) fn outcomes_of_all(
    games: &[Ruleset],
    sum: &[Part],
    meter: &mut Meter,
) -> Result<Vec<(Vec<Part>, Played)>, Limit> {
    let arena = Arena::new(games, sum, meter)?;
    let outcomes = arena.outcomes(meter)?;
    let Arena { positions, .. } = arena;
    let known = positions
        .into_iter()
        .zip(0..)
        .map(|((position, _), vertex)| {
            let outcome = outcome_of(outcomes.of(vertex));
            (position, (outcome, outcomes.moves_to_end(vertex)))
        });
    Ok(known.collect())
}

/// Answers about a position of games whose players have different moves, or in which chance moves.
///
/// # Errors
///
/// Undecided at a limit of the meter, and where chance moves and play need not end or can be a draw.
pub fn answer(
    games: &[Ruleset],
    sum: &[Part],
    query: Query,
    meter: &mut Meter,
) -> Result<Answer, Undecided> {
    let arena = Arena::new(games, sum, meter)?;
    let known = if arena.variants.has_chance {
        let mut work = work(&arena.graph, meter)?;
        let found = chances(&arena.graph, arena.play, &mut work);
        Known::Chances(found.map_err(|fault| match fault {
            NoChances::Stopped(stop) => Undecided::Limit(limit(stop)),
            NoChances::Cycle(_) | NoChances::Draw(_) => Undecided::NotSolved(Clause::Chance),
        })?)
    } else {
        Known::Outcomes(arena.outcomes(meter)?)
    };
    let mut turns = Vec::new();
    for (mover, player) in arena.variants.movers.iter().enumerate() {
        let vertex = arena.vertex(sum, mover);
        if arena.variants.has_chance {
            turns.push(Turn {
                mover: *player,
                drawn: Vec::new(),
                prospect: known.of(vertex),
                moves_to_end: None,
                best: BestMoves::default(),
            });
        }
        let is_ended = arena.graph.end(vertex).is_some();
        for (index, variant) in arena.variants.of[mover].iter().enumerate() {
            if arena.variants.has_chance && is_ended {
                break;
            }
            let state = if arena.variants.has_chance {
                arena.graph.options(vertex)[index]
            } else {
                vertex
            };
            let moves = if is_ended {
                Vec::new()
            } else {
                all_moves(&variant.games, sum, meter)?
            };
            let next = arena.variants.next(mover);
            let best = best(&arena, &known, sum, state, moves, next, query);
            turns.push(Turn {
                mover: *player,
                drawn: variant.drawn.clone(),
                prospect: known.of(state),
                moves_to_end: known.moves_to_end(state),
                best,
            });
        }
    }
    let class = class(&turns);
    Ok(Answer { turns, class })
}

/// What is known of the vertices.
enum Known {
    Outcomes(Outcomes),
    Chances(Chances),
}

impl Known {
    fn of(&self, vertex: Vertex) -> Prospect {
        match self {
            Self::Outcomes(outcomes) => Prospect::Outcome(outcome_of(outcomes.of(vertex))),
            Self::Chances(chances) => Prospect::Probability(chances.of(vertex).clone()),
        }
    }

    fn moves_to_end(&self, vertex: Vertex) -> Option<u32> {
        match self {
            Self::Outcomes(outcomes) => outcomes.moves_to_end(vertex),
            Self::Chances(_) => None,
        }
    }
}

fn best(
    arena: &Arena,
    known: &Known,
    sum: &[Part],
    state: Vertex,
    moves: Vec<Move>,
    next: usize,
    query: Query,
) -> BestMoves {
    if query.moves == Wanted::None {
        return BestMoves::default();
    }
    let prospect = known.of(state);
    let one = BigRational::from(BigInt::from(1));
    let is_best =
        |option: &Move| match (&prospect, known.of(arena.vertex(&after(sum, option), next))) {
            (Prospect::Outcome(Outcome::N), Prospect::Outcome(left)) => left == Outcome::P,
            (Prospect::Outcome(Outcome::Draw), Prospect::Outcome(left)) => left == Outcome::Draw,
            (Prospect::Probability(win), Prospect::Probability(left)) => left + win == one,
            _ => false,
        };
    let mut best: Vec<Move> = moves.into_iter().filter(is_best).collect();
    if query.distinct {
        let mut seen = std::collections::BTreeSet::new();
        best.retain(|option| seen.insert(sorted(after(sum, option))));
    }
    let count = BigUint::from(best.len());
    match query.moves {
        Wanted::All => best.truncate(query.limit),
        Wanted::First => best.truncate(1),
        Wanted::Least => {
            let least = best.into_iter().min_by_key(|option| after(sum, option));
            best = least.into_iter().collect();
        }
        Wanted::Count | Wanted::None => best.clear(),
    }
    BestMoves {
        count: Some(count),
        listed: best,
    }
}

fn class(turns: &[Turn]) -> Option<Class> {
    let winner = |turn: &Turn| {
        use Mover::{Left, Right};
        let (mover, other) = match turn.mover? {
            Player::Left => (Left, Right),
            Player::Right => (Right, Left),
        };
        match turn.prospect {
            Prospect::Outcome(Outcome::N) => Some(mover),
            Prospect::Outcome(Outcome::P) => Some(other),
            _ => None,
        }
    };
    match turns {
        [left, right] => Class::of(winner(left), winner(right)),
        _ => None,
    }
}

/// All positions that a sum can reach, as a graph on which one token is played with.
pub struct Positions {
    /// The graph; its vertex 0 is the sum.
    pub graph: Graph,
    /// What each vertex stands for.
    pub places: Vec<Place>,
}

/// A position, and what chance has drawn in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The position, its components in order.
    pub sum: Vec<Part>,
    /// What was drawn, by name; empty where nothing is drawn, or before it is.
    pub drawn: Vec<(String, BigInt)>,
}

/// The positions that a sum can reach, whoever moves, with the moves of each player and the draws of chance.
///
/// # Errors
///
/// A limit of the meter.
pub fn positions(games: &[Ruleset], sum: &[Part], meter: &mut Meter) -> Result<Positions, Limit> {
    let variants = Variants::new(games, meter)?;
    let draws = if variants.has_chance {
        variants.of[0].len()
    } else {
        0
    };
    let mut seen: IndexSet<(Vec<Part>, Option<usize>), FxBuildHasher> = IndexSet::default();
    seen.insert((sorted(sum.to_vec()), None));
    let mut description = Description::default();
    let mut next = 0;
    while let Some((position, drawn)) = seen.get_index(next).cloned() {
        let vertex = number(next);
        next += 1;
        meter.allocate(VERTEX_BYTES + 64 * position.len() as u64)?;
        if drawn.is_none() {
            let end = match games {
                [game] => ended(game, &crate::solve::position(&position), meter)?,
                _ => None,
            };
            if let Some(end) = end {
                description.ends.insert(vertex, end_of(end));
                continue;
            }
            if variants.has_chance {
                description.chance.insert(vertex);
                for draw in 0..draws {
                    let (to, _) = seen.insert_full((position.clone(), Some(draw)));
                    description.edges.push([vertex, number(to)]);
                    description.movers.push(None);
                }
                continue;
            }
        }
        let mut movers: BTreeMap<usize, Option<Mover>> = BTreeMap::new();
        for (of, player) in variants.of.iter().zip(&variants.movers) {
            let mover = player.map(|player| match player {
                Player::Left => Mover::Left,
                Player::Right => Mover::Right,
            });
            for option in all_moves(&of[drawn.unwrap_or(0)].games, &position, meter)? {
                let (to, _) = seen.insert_full((sorted(after(&position, &option)), None));
                // What both can do belongs to neither.
                let kept = movers.entry(to).or_insert(mover);
                if *kept != mover {
                    *kept = None;
                }
            }
        }
        meter.allocate(16 * movers.len() as u64)?;
        for (to, mover) in movers {
            description.edges.push([vertex, number(to)]);
            description.movers.push(mover);
        }
    }
    description.vertices = seen.len();
    if description.movers.iter().all(Option::is_none) {
        description.movers.clear();
    }
    let mut work = Work::new(u64::MAX);
    let (graph, _) = Graph::new(description, &mut work).map_err(|_| Limit::Bytes)?;
    let places = seen.into_iter().map(|(sum, draw)| Place {
        sum,
        drawn: draw.map_or_else(Vec::new, |draw| variants.of[0][draw].drawn.clone()),
    });
    Ok(Positions {
        graph,
        places: places.collect(),
    })
}

/// A sum whose components have loopy values.
pub(crate) struct LoopySum {
    /// Who wins.
    pub outcome: Outcome,
    /// The value of the sum.
    pub value: Value,
    /// The best moves: the component that each changes, and what it becomes.
    pub best: Vec<(usize, Option<Part>)>,
}

/// Answers about a sum by the loopy values of its components; `None` where a move can leave several
/// components, so that they are more than vertices of a graph.
pub(crate) fn loopy_sum(
    games: &[Ruleset],
    sum: &[Part],
    meter: &mut Meter,
) -> Result<Option<LoopySum>, Limit> {
    if games.iter().any(|game| has_values(game).is_err()) {
        return Ok(None);
    }
    // What is left of a component that vanishes has no move.
    let mut parts: IndexSet<Option<Part>, FxBuildHasher> = IndexSet::default();
    parts.insert(None);
    parts.extend(sum.iter().cloned().map(Some));
    let (mut first, mut to) = (vec![0, 0], Vec::new());
    let mut next = 1;
    while let Some(Some(part)) = parts.get_index(next).cloned() {
        meter.allocate(VERTEX_BYTES)?;
        for option in options(&games[part.game], &part.component, meter)? {
            let mut result = option.result.into_iter();
            let left = result.next().map(|component| Part {
                game: part.game,
                component,
            });
            if result.next().is_some() {
                return Ok(None);
            }
            let (index, _) = parts.insert_full(left);
            meter.allocate(4)?;
            to.push(number(index));
        }
        first.push(u32::try_from(to.len()).map_err(|_| Limit::Bytes)?);
        next += 1;
    }
    let graph = Graph::of_rows(first, to);
    let mut work = work(&graph, meter)?;
    let solution = Solution::of(&graph, retrograde::Play::Normal, &mut work);
    let solution = solution.map_err(|unsolved| match unsolved {
        Unsolved::Stopped(stop) => limit(stop),
        Unsolved::ChanceCycle(_) | Unsolved::ChanceDraw(_) => {
            unreachable!("chance moves nowhere in this graph")
        }
    })?;
    let tokens: Vec<Vertex> = sum
        .iter()
        .map(|part| {
            number(
                parts
                    .get_index_of(&Some(part.clone()))
                    .expect("it was put in"),
            )
        })
        .collect();
    let found = sum::answer(&solution, &tokens).expect("all vertices have values");
    let outcome = match &found.turns[0].prospect {
        grundy_graphs::Prospect::Outcome(outcome) => outcome_of(*outcome),
        grundy_graphs::Prospect::Probability(_) => unreachable!("chance moves nowhere"),
    };
    let best = found.turns[0].best.iter();
    Ok(Some(LoopySum {
        outcome,
        value: found.value.expect("all vertices have values"),
        best: best
            .map(|next| (next.token, parts[next.to as usize].clone()))
            .collect(),
    }))
}
