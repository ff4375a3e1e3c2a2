//! Games against perfect play: what is written is read as the move it says, and won positions are won.

use grundy::catalogue;
use grundy::outcome::{Outcome, Undecided};
use grundy::play::{MoveFault, Round, Why, reply};
use grundy::solve::{Part, Query, Solver, Wanted, after};
use grundy::text;
use grundy_rules::given::{coordinates, prepare};
use grundy_rules::moves::Move;
use grundy_rules::ruleset::{Alternative, ResultTerm};
use grundy_rules::{Budget, Component, Meter, Position, Ruleset};

fn meter(steps: u64) -> Meter<'static> {
    Meter::new(Budget {
        steps,
        bytes: 1 << 28,
    })
}

/// A small generator of numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).expect("it is below a size")
    }
}

/// Small sums of a game: single components and pairs.
fn sums(ruleset: &Ruleset) -> Vec<Vec<Part>> {
    let lengths: Vec<usize> = match coordinates(ruleset) {
        Some(lengths) => lengths.into_iter().collect(),
        None => vec![3, 4],
    };
    let mut components = Vec::new();
    for length in lengths {
        let most = [7u64, 7, 4, 3].get(length).copied().unwrap_or(1);
        let mut tuples: Vec<Vec<u64>> = vec![Vec::new()];
        for _ in 0..length {
            tuples = tuples
                .iter()
                .flat_map(|tuple| (0..=most).map(|n| [tuple.as_slice(), &[n]].concat()))
                .collect();
        }
        components.extend(tuples.into_iter().map(Component::of_numbers));
    }
    let mut all: Vec<Position> = components
        .iter()
        .map(|one| Position(vec![one.clone()]))
        .collect();
    let some = components.iter().step_by(components.len() / 5 + 1);
    for first in some.clone() {
        let pairs = some.clone();
        all.extend(pairs.map(|second| Position(vec![first.clone(), second.clone()])));
    }
    let prepared = all
        .iter()
        .filter_map(|position| prepare(ruleset, position, &mut meter(10_000)).ok());
    let parts = |position: Position| {
        let parts = position.0.into_iter();
        parts
            .map(|component| Part { game: 0, component })
            .collect::<Vec<_>>()
    };
    prepared.map(parts).collect()
}

fn games() -> impl Iterator<Item = [Ruleset; 1]> {
    catalogue::GAMES
        .iter()
        .map(|entry| [grundy_rules::parse(entry.text).expect("the catalogue has no fault")])
}

fn sorted(mut sum: Vec<Part>) -> Vec<Part> {
    sum.sort();
    sum
}

/// Every move of small positions is read back from how it is shown, from where it leads, and from
/// its number.
#[test]
fn moves_are_read_as_they_are_written() {
    let mut read = 0u64;
    for games in games() {
        for sum in sums(&games[0]).into_iter().step_by(3) {
            let mut round = Round::new(&games, sum.clone());
            let Ok(choice) = round.choice(3, &mut meter(200_000)) else {
                continue;
            };
            round.list(choice.moves.clone());
            for (index, next) in choice.moves.iter().enumerate().step_by(3) {
                let wanted = sorted(after(&sum, next));
                let said = text::a_move(&games, &sum, next);
                let found = round.read(&said, &mut meter(200_000));
                let found = found.unwrap_or_else(|fault| panic!("{said}: {fault:?}"));
                assert_eq!(sorted(after(&sum, &found)), wanted, "{said}");
                assert_eq!(found.label, next.label, "{said}");
                let components = wanted_in_order(&sum, next);
                let written = format!("= {}", games[0].position_text(&Position(components)));
                let found = round.read(&written, &mut meter(200_000));
                let found = found.unwrap_or_else(|fault| panic!("{said} {written}: {fault:?}"));
                assert_eq!(sorted(after(&sum, &found)), wanted, "{written}");
                let numbered = round.read(&format!("#{}", index + 1), &mut meter(1000));
                assert_eq!(numbered.as_ref(), Ok(next));
                read += 1;
            }
        }
    }
    assert!(read > 2000, "{read}");
}

fn wanted_in_order(sum: &[Part], next: &Move) -> Vec<Component> {
    let parts = after(sum, next).into_iter();
    parts.map(|part| part.component).collect()
}

/// A text that reads as a position leads to a move if, and only if, the rules have one.
#[test]
fn positions_that_no_move_leads_to_are_refused() {
    let mut refused = 0u64;
    let mut dice = Dice(1913);
    for games in games() {
        let sums = sums(&games[0]);
        for sum in sums.iter().step_by(11) {
            let mut round = Round::new(&games, sum.clone());
            let Ok(moves) = Solver::new(&games)
                .expect("one game")
                .all_moves(sum, &mut meter(200_000))
            else {
                continue;
            };
            for _ in 0..3 {
                let wanted = sums[dice.below(sums.len())].clone();
                let reached = moves
                    .iter()
                    .any(|next| sorted(after(sum, next)) == sorted(wanted.clone()));
                let components = wanted.iter().map(|part| part.component.clone()).collect();
                let written = games[0].position_text(&Position(components));
                match round.read(&format!("= {written}"), &mut meter(200_000)) {
                    Ok(found) => {
                        assert!(reached || is_short(&games[0]), "{written}");
                        assert!(moves.iter().any(|next| next.changes == found.changes));
                    }
                    Err(fault) => {
                        // In a compound the components are read in their order.
                        let in_order = moves.iter().any(|next| after(sum, next) == wanted);
                        assert!(!in_order, "{written} {fault:?}");
                        refused += u64::from(matches!(fault, MoveFault::NotReached { .. }));
                    }
                }
            }
            round.list(Vec::new());
        }
    }
    assert!(refused > 1000, "{refused}");
}

/// Whether results have numbers that a text may leave out.
fn is_short(ruleset: &Ruleset) -> bool {
    let lengths = ruleset.moves.iter().flat_map(|rule| &rule.alternatives);
    let mut lengths = lengths.filter_map(|alternative| match alternative {
        Alternative::Sum(terms) => match terms.as_slice() {
            [ResultTerm::Component(template)] => Some(template.items.len()),
            _ => None,
        },
        Alternative::Updates(_) => None,
    });
    lengths.any(|length| length > 1) && coordinates(ruleset).is_some_and(|l| l.len() > 1)
}

/// From every won position of small boxes perfect play wins against an opponent who plays at random,
/// in both conventions; and it claims to have lost nothing but lost positions.
#[test]
fn won_positions_are_won() {
    let mut dice = Dice(1901);
    let (mut won, mut lost) = (0u64, 0u64);
    for [game] in games() {
        for play in [
            grundy_rules::ruleset::Play::Normal,
            grundy_rules::ruleset::Play::Misere,
        ] {
            let games = [game.clone().with_play(play)];
            let mut solver = Solver::new(&games).expect("one game");
            let spent = &mut meter(2_000_000);
            for sum in sums(&games[0]) {
                let query = Query {
                    moves: Wanted::None,
                    distinct: false,
                    limit: 0,
                };
                let outcome = match solver.answer(&sum, query, spent) {
                    Ok(answer) => answer.outcome,
                    Err(Undecided::Cycle(_)) => continue,
                    Err(_) => break,
                };
                let Some(ended) = ended(&games, &mut solver, &sum, outcome, &mut dice, spent)
                else {
                    break;
                };
                match outcome {
                    Outcome::N => {
                        assert_eq!(ended, Some(true), "{:?} {sum:?}", games[0].name);
                        won += 1;
                    }
                    Outcome::P => lost += 1,
                    Outcome::Draw => assert_ne!(ended, Some(false)),
                }
            }
        }
    }
    assert!(won > 3000 && lost > 500, "{won} {lost}");
}

/// Whether the program, which moves first, wins against random moves; `None` inside if nobody does, and
/// outside at a limit.
#[allow(
    clippy::option_option,
    reason = "a limit and a draw are different answers"
)]
fn ended(
    games: &[Ruleset],
    solver: &mut Solver,
    sum: &[Part],
    outcome: Outcome,
    dice: &mut Dice,
    spent: &mut Meter,
) -> Option<Option<bool>> {
    let mut round = Round::new(games, sum.to_vec());
    // Play that draws need not end.
    for _ in 0..200 {
        let Some(answer) = reply(&round, solver, spent).ok()? else {
            let over = round.over(spent).ok()?;
            return Some(over.and_then(grundy::play::Over::has_won));
        };
        if round.past().is_empty() {
            let honest = match outcome {
                Outcome::N => matches!(answer.why, Why::Wins(_)),
                Outcome::P => matches!(answer.why, Why::Lost(_)),
                Outcome::Draw => matches!(answer.why, Why::Draws(_)),
            };
            assert!(honest, "{:?}", answer.why);
        }
        round.play(answer.next);
        if let Some(over) = round.over(spent).ok()? {
            return Some(over.has_won().map(|won| !won));
        }
        let choice = round.choice(4, spent).ok()?;
        round.play(choice.moves[dice.below(choice.moves.len())].clone());
    }
    Some(None)
}

#[test]
fn heaps_of_any_size_are_played() {
    let games = [grundy_rules::parse("take: [n] -> [n-k] where k >= 1").expect("right")];
    let heap = |n: u64| Part {
        game: 0,
        component: Component::of_numbers([n]),
    };
    let big = 10u64.pow(18);
    let mut round = Round::new(&games, vec![heap(big), heap(2 * big)]);
    let spent = &mut meter(1 << 20);
    let next = round.read("heap 2 leaving 10^17", spent).expect("a move");
    round.play(next);
    let mut solver = Solver::new(&games).expect("one game");
    let answer = reply(&round, &mut solver, spent)
        .expect("known")
        .expect("a move");
    assert!(matches!(answer.why, Why::Wins(_)));
    round.play(answer.next);
    assert_eq!(round.sum(), [heap(big / 10), heap(big / 10)]);
    // Lost, and yet there is an answer, and it takes little.
    let answer = reply(&round, &mut solver, spent)
        .expect("known")
        .expect("a move");
    assert!(matches!(answer.why, Why::Lost(_)));
    assert_eq!(answer.next.choices[0].1, 1.into());
    assert!(matches!(
        round.read("= 10^18 10^18", spent),
        Err(MoveFault::NotReached { instead }) if !instead.is_empty()
    ));
    assert!(round.undo().is_some() && round.undo().is_some() && round.undo().is_none());
    assert_eq!(round.sum(), [heap(big), heap(2 * big)]);
}

#[test]
fn what_can_be_read_two_ways_is_asked_back() {
    let games = [grundy_rules::parse("take: [n] -> [n-k] where k >= 1").expect("right")];
    let five = Part {
        game: 0,
        component: Component::of_numbers([5u32]),
    };
    let mut round = Round::new(&games, vec![five]);
    let spent = &mut meter(1 << 20);
    // Without a list a number is a position.
    let next = round.read("2", spent).expect("a move");
    assert_eq!(next.choices[0].1, 3.into());
    let choice = round.choice(10, spent).expect("few");
    assert!(choice.complete);
    round.list(choice.moves);
    assert!(matches!(
        round.read("2", spent),
        Err(MoveFault::TwoReadings { number: 2, .. })
    ));
    assert_eq!(
        round.read("#2", spent).expect("a move").choices[0].1,
        2.into()
    );
    assert_eq!(
        round.read("= 2", spent).expect("a move").choices[0].1,
        3.into()
    );
    // The first move of the list leaves 4, and the position 1 is another.
    assert_eq!(round.read("1", spent).map(|_| ()), Err(two(&round, 1)));
    assert_eq!(
        round.read("7", spent),
        Err(MoveFault::NotListed { listed: 5 })
    );
    assert_eq!(
        round.read("heap 2 leaving 1", spent),
        Err(MoveFault::NoComponent {
            number: "2".to_owned(),
            components: 1
        })
    );
    assert_eq!(
        round.read("heap 1 (4): take, leaving 1", spent),
        Err(MoveFault::NotFrom { component: 0 })
    );
    assert!(matches!(
        round.read("heap 1 (5): grab, leaving 1", spent),
        Err(MoveFault::NoMove { label: Some(label), .. }) if label == "grab"
    ));
    assert_eq!(round.read("heap 1", spent), Err(MoveFault::Unfinished));
}

/// The fault of a number with two readings.
fn two(round: &Round, number: usize) -> MoveFault {
    let read = |text: String| {
        let next = round.read(&text, &mut meter(1 << 20));
        Box::new(next.expect("a move"))
    };
    MoveFault::TwoReadings {
        number,
        listed: read(format!("#{number}")),
        reaching: read(format!("= {number}")),
    }
}
