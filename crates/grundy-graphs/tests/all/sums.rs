//! Several tokens where values do not decide, and play with them.

use grundy_graphs::play::{MoveFault, Over, Round, chosen};
use grundy_graphs::read::{Format, read};
use grundy_graphs::retrograde::{Outcome, Play};
use grundy_graphs::sum::{Method, Sums, TokenMove, Unanswered};
use grundy_graphs::{End, Graph, Mover, Prospect, Solution, Stop, Vertex, Work};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::naive::{Random, outcomes, random_graph, work};

/// A random graph whose edges lead down.
fn random_acyclic(random: &mut Random, vertices: u32, tenths: u64) -> Graph {
    let rows: Vec<Vec<Vertex>> = (0..vertices)
        .map(|from| (0..from).filter(|_| random.below(10) < tenths).collect())
        .collect();
    Graph::of_options(rows.iter().map(Vec::as_slice))
}

/// All ways to place so many tokens.
fn placings(graph: &Graph, tokens: u32) -> Vec<Vec<Vertex>> {
    let size = graph.len();
    let placing = |mut state: usize| {
        let digits = (0..tokens).map(|_| {
            let place = state % size;
            state /= size;
            Vertex::try_from(place).unwrap()
        });
        digits.collect()
    };
    (0..size.pow(tokens)).map(placing).collect()
}

/// The plain outcomes of all placings of tokens, with three more states: one that is lost, one that is won and one
/// that is drawn.
///
/// The first token at an end stops the sum; in normal play a lost end is no more than a lack of moves.
fn plain(graph: &Graph, tokens: u32, play: Play) -> Vec<(Outcome, Option<u32>)> {
    let placings = placings(graph, tokens);
    let number = |places: &[Vertex]| {
        let digits = places.iter().rev();
        digits.fold(0, |number, place| number * graph.len() + *place as usize)
    };
    let stuck = placings.len();
    let (above_stuck, drawn) = (stuck + 1, stuck + 2);
    let [lost, won] = match play {
        Play::Normal => [stuck, above_stuck],
        Play::Misere => [above_stuck, stuck],
    };
    let mut options: Vec<Vec<usize>> = Vec::new();
    for places in &placings {
        let end = places.iter().find_map(|place| match graph.end(*place)? {
            End::Lost if play == Play::Normal => None,
            end => Some(end),
        });
        let mut all = Vec::new();
        match end {
            // The same outcome, one move later.
            Some(End::Lost) => all.push(won),
            Some(End::Won) => all.push(lost),
            Some(_) => all.push(drawn),
            None => {
                for (token, place) in places.iter().enumerate() {
                    for to in graph.options(*place) {
                        let mut moved = places.clone();
                        moved[token] = *to;
                        all.push(number(&moved));
                    }
                }
            }
        }
        options.push(all);
    }
    options.extend([vec![], vec![stuck], vec![drawn]]);
    outcomes(&options, play == Play::Misere)
}

/// Whether answers about all placings are those of the plain search; returns how they were found.
fn check(graph: &Graph, tokens: u32, play: Play) -> Vec<Method> {
    let solution = Solution::of(graph, play, &mut work()).unwrap();
    let mut sums = Sums::new(&solution);
    let found = plain(graph, tokens, play);
    let placings = placings(graph, tokens);
    let outcome = |places: &[Vertex]| {
        let at = placings.iter().position(|other| other == places).unwrap();
        found[at].0
    };
    let mut methods = Vec::new();
    for places in &placings {
        let answer = match sums.answer(places, &mut work()) {
            Err(Unanswered::Ends(one, other)) => {
                assert_ne!(graph.end(one), graph.end(other));
                continue;
            }
            answer => answer.unwrap(),
        };
        let turn = &answer.turns[0];
        let expected = outcome(places);
        assert_eq!(
            turn.prospect,
            Prospect::Outcome(expected),
            "{graph:?} {places:?} {play:?}"
        );
        let wanted = match expected {
            Outcome::N => Outcome::P,
            Outcome::Draw => Outcome::Draw,
            Outcome::P => Outcome::N,
        };
        let good: Vec<TokenMove> = sums
            .moves(places, None)
            .into_iter()
            .filter(|next| {
                let mut moved = places.clone();
                moved[next.token] = next.to;
                outcome(&moved) == wanted && expected != Outcome::P
            })
            .collect();
        assert_eq!(turn.best, good, "{graph:?} {places:?} {play:?}");
        methods.push(answer.method);
    }
    methods
}

#[test]
fn misere_sums_without_cycles_are_those_of_plain_search() {
    let mut random = Random(21);
    let (mut tame, mut searched) = (0, 0);
    for round in 0..300 {
        let tenths = 2 + random.below(7);
        let (vertices, tokens) = if round % 3 == 0 { (6, 3) } else { (12, 2) };
        let graph = random_acyclic(&mut random, vertices, tenths);
        for method in check(&graph, tokens, Play::Misere) {
            match method {
                Method::Tame => tame += 1,
                Method::Positions(_) => searched += 1,
                Method::Vertices(_) => panic!("values do not decide misère sums"),
            }
        }
    }
    assert!(tame > 1000 && searched > 500, "{tame} {searched}");
}

#[test]
fn misere_sums_with_cycles_are_those_of_plain_search() {
    let mut random = Random(22);
    for round in 0..200 {
        let tenths = 1 + random.below(4);
        let graph = random_graph(&mut random, 3 + round % 3, tenths);
        check(&graph, 2, Play::Misere);
    }
}

#[test]
fn an_end_stops_the_whole_sum() {
    let mut random = Random(23);
    for round in 0..300 {
        let tenths = 2 + random.below(3);
        let graph = random_graph(&mut random, 3 + round % 3, tenths);
        let stuck = graph
            .vertices()
            .filter(|vertex| graph.options(*vertex).is_empty());
        let ends: Vec<(Vertex, End)> = stuck
            .filter_map(|vertex| {
                let end = [None, Some(End::Lost), Some(End::Won), Some(End::Draw)];
                Some((vertex, end[usize::try_from(random.below(4)).unwrap()]?))
            })
            .collect();
        let graph = graph.with_ends(ends);
        for play in [Play::Normal, Play::Misere] {
            check(&graph, 2, play);
        }
    }
}

/// How likely the player to move wins, by the definition.
fn win(graph: &Graph, tokens: &[Vertex], play: Play) -> BigRational {
    let moved = |token: usize, to: Vertex| {
        let mut tokens = tokens.to_vec();
        tokens[token] = to;
        win(graph, &tokens, play)
    };
    let by_chance = tokens.iter().position(|at| graph.is_chance(*at));
    if let Some(token) = by_chance {
        let odds = graph.odds_of(tokens[token]).unwrap().into_iter();
        return odds.map(|(to, odd)| odd * moved(token, to)).sum();
    }
    let options = tokens.iter().enumerate();
    let options = options.flat_map(|(token, at)| {
        let to = graph.options(*at).iter();
        to.map(move |to| (token, *to))
    });
    let wins = options.map(|(token, to)| BigRational::one() - moved(token, to));
    wins.max().unwrap_or_else(|| match play {
        Play::Normal => BigRational::zero(),
        Play::Misere => BigRational::one(),
    })
}

#[test]
fn sums_with_chance_are_exact() {
    let mut random = Random(24);
    for round in 0..60u32 {
        let graph = random_acyclic(&mut random, 4 + round % 2, 5);
        let chance: Vec<Vertex> = graph
            .vertices()
            .filter(|vertex| !graph.options(*vertex).is_empty() && random.below(3) == 0)
            .collect();
        let graph = graph.with_chance(chance);
        if !graph.has_chance() {
            continue;
        }
        for play in [Play::Normal, Play::Misere] {
            let solution = Solution::of(&graph, play, &mut work()).unwrap();
            let mut sums = Sums::new(&solution);
            for places in placings(&graph, 2) {
                let answer = sums.answer(&places, &mut work()).unwrap();
                let expected = win(&graph, &places, play);
                let turn = &answer.turns[0];
                assert_eq!(turn.prospect, Prospect::Probability(expected.clone()));
                let good: Vec<TokenMove> = sums
                    .moves(&places, None)
                    .into_iter()
                    .filter(|next| {
                        let mut moved = places.clone();
                        moved[next.token] = next.to;
                        win(&graph, &moved, play) + &expected == BigRational::one()
                    })
                    .collect();
                assert_eq!(turn.best, good, "{graph:?} {places:?}");
            }
        }
    }
}

#[test]
fn sums_that_are_too_large_are_undecided() {
    // 30 tokens that are not tame, on a long path with a branch, have too many positions.
    let mut random = Random(25);
    let graph = random_acyclic(&mut random, 40, 5);
    let solution = Solution::of(&graph, Play::Misere, &mut work()).unwrap();
    let tokens: Vec<Vertex> = (10..40).collect();
    let answer = Sums::new(&solution).answer(&tokens, &mut Work::new(1 << 20));
    assert_eq!(answer.err(), Some(Unanswered::Stopped(Stop::Bytes)));
}

#[test]
fn tame_sums_of_many_tokens_are_answered() {
    // Heaps of Nim: 100000 of 1 and one of 5, of which exactly 4 or all must go, so that an odd number of 1 is left.
    let rows: Vec<Vec<Vertex>> = (0..6).map(|heap| (0..heap).collect()).collect();
    let graph = Graph::of_options(rows.iter().map(Vec::as_slice));
    let solution = Solution::of(&graph, Play::Misere, &mut work()).unwrap();
    let mut tokens = vec![1; 100_000];
    tokens.push(5);
    let answer = Sums::new(&solution).answer(&tokens, &mut work()).unwrap();
    assert_eq!(answer.method, Method::Tame);
    let only = TokenMove {
        token: 100_000,
        from: 5,
        to: 1,
    };
    assert_eq!(answer.turns[0].best, [only]);
}

/// Plays a round in which the other player moves at random, and tells who of both made the last move.
fn last_mover(round: &mut Round, random: &mut Random, most: usize) -> Option<bool> {
    let mut is_perfect = true;
    for _ in 0..most {
        while let Some((token, odds)) = round.chance() {
            round.choose(token, chosen(&odds, random.next()));
        }
        match round.over() {
            Some(Over::NoMove(_)) => return Some(!is_perfect),
            Some(Over::Ended(_)) => panic!("play has no ends here"),
            None => {}
        }
        let next = if is_perfect {
            round.reply(&mut work()).unwrap().unwrap().next
        } else {
            let moves = round.moves();
            moves[usize::try_from(random.below(moves.len() as u64)).unwrap()]
        };
        round.play(next);
        is_perfect = !is_perfect;
    }
    None
}

#[test]
fn perfect_play_wins_what_is_won_also_where_play_can_go_round() {
    let mut random = Random(26);
    let mut won = 0;
    for index in 0..400 {
        let graph = random_graph(&mut random, 5, 1 + index % 3);
        for play in [Play::Normal, Play::Misere] {
            let solution = Solution::of(&graph, play, &mut work()).unwrap();
            let tokens = vec![4, 3];
            let answer = Sums::new(&solution).answer(&tokens, &mut work()).unwrap();
            if answer.turns[0].prospect != Prospect::Outcome(Outcome::N) {
                continue;
            }
            won += 1;
            let mut round = Round::new(&solution, tokens, Mover::Left);
            let last = last_mover(&mut round, &mut random, 100);
            assert_eq!(last, Some(play == Play::Normal), "{graph:?} {play:?}");
        }
    }
    assert!(won > 100);
}

#[test]
fn moves_are_read_and_taken_back() {
    let named = read(b"a b\na c\nb c\n1 c\n", Format::Edges, &mut work()).unwrap();
    let solution = Solution::of(&named.graph, Play::Normal, &mut work()).unwrap();
    let names = &named.names;
    let [a, b, c, one] = ["a", "b", "c", "1"].map(|name| names.find(name).unwrap());
    let mut round = Round::new(&solution, vec![a, one, a], Mover::Left);
    let to_b = TokenMove {
        token: 0,
        from: a,
        to: b,
    };
    for text in ["a → b", "a->b", "a  b", "b", "token 1: a → b", "token 1: b"] {
        assert_eq!(round.read(text, names), Ok(to_b), "{text}");
    }
    assert_eq!(
        round.read("token 3: a -> b", names),
        Ok(TokenMove { token: 2, ..to_b })
    );
    assert!(matches!(round.read("c", names), Err(MoveFault::Ambiguous(some)) if some.len() == 2));
    for text in [
        "1",
        "ab",
        "a",
        "b c",
        "token 2: b",
        "->",
        "",
        "token 9999999999999999999: b",
    ] {
        assert!(
            matches!(round.read(text, names), Err(MoveFault::NoMove(_))),
            "{text}"
        );
    }
    assert_eq!(round.read("#1", names), Err(MoveFault::NotListed(0)));
    round.list(round.moves());
    assert_eq!(round.read("#1", names), Ok(to_b));
    assert_eq!(round.read("#0", names), Err(MoveFault::NotListed(5)));
    round.play(to_b);
    assert_eq!(round.tokens(), [b, one, a]);
    assert_eq!(round.undo(), Some(to_b));
    assert_eq!(round.tokens(), [a, one, a]);
    assert_eq!(round.undo(), None);
    for token in [0, 1, 2] {
        let from = round.tokens()[token];
        round.play(TokenMove { token, from, to: c });
    }
    assert_eq!(round.over(), Some(Over::NoMove(Play::Normal)));
}

#[test]
fn chance_takes_each_vertex_with_its_probability() {
    let odds = |over: u32, under: u32| BigRational::new(over.into(), under.into());
    let odds = [(7, odds(1, 3)), (8, odds(1, 6)), (9, odds(1, 2))];
    let edge = u64::MAX / 3;
    assert_eq!(chosen(&odds, 0), 7);
    assert_eq!(chosen(&odds, edge), 7);
    assert_eq!(chosen(&odds, edge + 1), 8);
    assert_eq!(chosen(&odds, (1 << 63) - 1), 8);
    assert_eq!(chosen(&odds, 1 << 63), 9);
    assert_eq!(chosen(&odds, u64::MAX), 9);
    let sum: BigRational = odds.iter().map(|(_, odd)| odd).sum();
    assert_eq!(sum, BigRational::from(BigInt::one()));
}
