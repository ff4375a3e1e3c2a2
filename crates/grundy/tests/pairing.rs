//! Replies that mirror each move: held against the oracle, and quick at any size.

use grundy::Outcome;
use grundy::oracle::Oracle;
use grundy::pairing::Pairing;
use grundy::solve::{Answer, Part, Query, Solver, Wanted};
use grundy_rules::moves::moves;
use grundy_rules::{Budget, Component, Meter, Position, Ruleset, parse};
use num_bigint::BigUint;

fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: u64::MAX,
        bytes: u64::MAX,
    })
}

fn rules(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

/// All rows of up to `length` letters.
fn rows(letters: u32, length: usize) -> Vec<Component> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    let mut start = 0;
    for _ in 0..length {
        let end = all.len();
        for index in start..end {
            for letter in 0..letters {
                all.push([all[index].clone(), vec![letter]].concat());
            }
        }
        start = end;
    }
    all.into_iter().map(Component::of_numbers).collect()
}

const DOMINOES: &str = "row a over \".X\"; [l.., \"..\", r..] -> [l.., \"XX\", r..]";
const CRAM: &str = "row b over \".^_X\"; [l.., 0, r..] -> [l.., 3, r..]; \
                    [l.., x, y, r..] -> [l.., x+1, y+1, r..] where x in {0,2}, y in {0,2}; \
                    [l.., x, y, r..] -> [l.., x+2, y+2, r..] where x in {0,1}, y in {0,1}";
const RING: &str = "row a, ring over \".X\"; [\"..\", r..] -> [\"XX\", r..]";

/// Boards of Cram of a height up to 4, the columns as letters.
fn cram(height: u32) -> String {
    let letters = &"0123456789abcdef"[..1 << height];
    let bits = |count: u32| {
        let bits: Vec<String> = (0..count).map(|bit| (1 << bit).to_string()).collect();
        bits.join(",")
    };
    format!(
        "row b over \"{letters}\"; \
         [l.., x, r..] -> [l.., x+3*t, r..] where t in {{{}}}, x band (3*t) = 0; \
         [l.., x, y, r..] -> [l.., x+t, y+t, r..] where t in {{{}}}, x band t = 0, y band t = 0",
        bits(height - 1),
        bits(height)
    )
}

#[test]
fn boards_of_even_sides_are_turned_half_around() {
    // Empty boards that a search can walk through, each as it says; and who wins others.
    for (height, widths, far) in [(2, 1..=7, 40), (3, 1..=4, 20), (4, 1..=3, 12)] {
        let game = rules(&cram(height));
        let pairing = Pairing::of(&game).expect("every play ends");
        let mut search = grundy::exhaustive::Exhaustive::new(&game);
        for width in 1..=far {
            let board = Position(vec![Component::of_numbers(vec![0u32; width])]);
            let told = pairing.outcome(&board, &mut meter()).expect("no limit");
            let width = u32::try_from(width).expect("small");
            match (height % 2, width % 2) {
                (0, 0) => {
                    assert_eq!(told, Some(Outcome::P), "{height} x {width}");
                    assert!(pairing.is_lost(&board));
                }
                (1, 1) => assert!(!pairing.is_lost(&board), "{height} x {width}"),
                _ => {
                    assert_eq!(told, Some(Outcome::N), "{height} x {width}");
                    assert!(!pairing.is_lost(&board));
                }
            }
            if widths.contains(&width) {
                let searched = search.outcome(&board, &mut meter()).expect("no limit");
                assert!(
                    told.is_none_or(|told| told == searched),
                    "{height} x {width}"
                );
            }
        }
    }
    // One cell taken, and the board is not its own image; its opposite taken as well, and it is again.
    let game = rules(&cram(4));
    let pairing = Pairing::of(&game).expect("every play ends");
    let board = |columns: [u32; 4]| Position(vec![Component::of_numbers(columns)]);
    assert!(!pairing.is_lost(&board([1, 0, 0, 0])));
    assert!(pairing.is_lost(&board([1, 0, 0, 8])));
    assert!(!pairing.is_lost(&board([1, 0, 0, 1])));
}

/// Rows and rings of which mirrors tell who wins, each as the search does; every move of one that is
/// lost by mirrors has a reply that leaves another.
#[test]
fn mirrored_rows_agree_with_the_oracle() {
    let mut told = 0;
    for (text, letters, length) in [
        (DOMINOES, 2, 11),
        (CRAM, 4, 5),
        (RING, 2, 10),
        (
            "row a over \".X\"; [l.., \"...\", r..] -> [l.., \"XXX\", r..]",
            2,
            11,
        ),
        (
            "row a over \".X\"; [l.., \".\", r..] -> [l.., \"X\", r..]",
            2,
            9,
        ),
        (
            "row a over \".X\"; [l.., \".X\", r..] -> [l.., \"XX\", r..]",
            2,
            10,
        ),
        (
            "row a over \".LR\"; [l.., \".R\", r..] -> [l.., \"LR\", r..]; [l.., \"L.\", r..] -> [l.., \"LR\", r..]",
            3,
            7,
        ),
        (
            "row a over \"-+\"; [l.., \"++\", r..] -> [l.., \"--\", r..]",
            2,
            11,
        ),
        (
            "row a over \"-+\"; [l.., \"+-+\", r..] -> [l.., \"---\", r..]",
            2,
            11,
        ),
    ] {
        let game = rules(text);
        let pairing = Pairing::of(&game).expect("play ends");
        let mut oracle = Oracle::new(&game);
        for row in rows(letters, length) {
            let position = Position(vec![row]);
            let Some(outcome) = pairing.outcome(&position, &mut meter()).expect("small") else {
                continue;
            };
            told += 1;
            let expected = oracle.outcome(&position, &mut meter());
            assert_eq!(Ok(outcome), expected, "{text} {position:?}");
            for next in pairing
                .winning_moves(&position, &mut meter())
                .expect("small")
            {
                let after = oracle.outcome(&next.result(&position), &mut meter());
                assert_eq!(after, Ok(Outcome::P), "{text} {position:?}");
            }
            if pairing.is_lost(&position) {
                for next in moves(&game, &position, &mut meter()).expect("small") {
                    let reply = pairing
                        .reply(&position, &next, &mut meter())
                        .expect("small");
                    let reply = reply.unwrap_or_else(|| panic!("{text} {position:?} {next:?}"));
                    let after = reply.result(&next.result(&position));
                    assert!(pairing.is_lost(&after), "{text} {position:?} {next:?}");
                }
            }
        }
    }
    assert!(told >= 3000, "{told}");
}

#[test]
fn equal_components_are_struck_out() {
    let mut told = 0;
    for text in [
        "rules 0.77",
        "[n] -> [n-k] where k in squares",
        "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1",
        "[n] -> [a] + [n-a] where 1 <= a < n-a",
        DOMINOES,
    ] {
        let game = rules(text);
        let pairing = Pairing::of(&game).expect("play ends");
        let mut oracle = Oracle::new(&game);
        let components: Vec<Component> = match text {
            DOMINOES => rows(2, 4),
            _ if text.starts_with("[x, y]") => (0..16u32)
                .map(|code| Component::of_numbers([code % 4, code / 4]))
                .collect(),
            _ => (0..12u32).map(|n| Component::of_numbers([n])).collect(),
        };
        let mut sums = vec![(0, Position::default())];
        let mut start = 0;
        for _ in 0..4 {
            let end = sums.len();
            for index in start..end {
                for (at, component) in components.iter().enumerate().skip(sums[index].0) {
                    let mut longer = sums[index].1.clone();
                    longer.0.push(component.clone());
                    sums.push((at, longer));
                }
            }
            start = end;
        }
        for (_, position) in sums {
            let mut total = 0;
            for component in &position.0 {
                total ^= oracle.grundy_value(component, &mut meter()).expect("small");
            }
            let mut of_left = 0;
            for index in pairing.left(&position) {
                of_left ^= oracle
                    .grundy_value(&position.0[index], &mut meter())
                    .expect("small");
            }
            assert_eq!(total, of_left, "{text} {position:?}");
            told += 1;
        }
    }
    assert!(told >= 10_000, "{told}");
}

/// One place at which each stops holding.
#[test]
fn what_mirrors_do_not_tell() {
    let lost = |text: &str, row: &[u32]| {
        let game = rules(text);
        let pairing = Pairing::of(&game).expect("play ends");
        pairing.is_lost(&Position(vec![Component::of_numbers(row.iter().copied())]))
    };
    // The domino in the middle is its own mirror image.
    assert!(!lost(DOMINOES, &[0, 0, 0, 0]));
    assert!(lost(DOMINOES, &[0, 0, 0, 1, 0, 0, 0]));
    assert!(lost(CRAM, &[0, 0, 0, 0]) && !lost(CRAM, &[0, 0, 0]));
    assert!(lost(RING, &[0, 0, 0, 0]) && !lost(RING, &[0, 0]) && !lost(RING, &[0, 0, 0]));
    for text in [
        "play misere; [n] -> [n-k] where k >= 1",
        "ends lost [n] where n = 3; [n] -> [n-k] where k >= 1",
        "compound conjunctive; [n] -> [n-k] where k >= 1",
        "[n] -> [n-1]; [x] + [y] -> [x+y] where x >= 1, y >= 1",
        "[n] -> [n-k] where k >= 1; left: [n] -> [n-2]",
        // Play need not end, so that the reply may never come to an end either.
        "[n] -> [n-k] where 1 <= k <= 2; [n] -> [n+1] where n < 5",
    ] {
        assert!(Pairing::of(&rules(text)).is_none(), "{text}");
    }
}

fn answer(text: &str, components: &[Component], moves: Wanted) -> Answer {
    let games = [rules(text)];
    let mut solver = Solver::new(&games).expect("one game");
    let part = |component: &Component| Part {
        game: 0,
        component: component.clone(),
    };
    let sum: Vec<Part> = components.iter().map(part).collect();
    let query = Query {
        moves,
        distinct: false,
        limit: 10,
    };
    let mut meter = Meter::new(Budget {
        steps: 10_000_000,
        bytes: 1 << 28,
    });
    solver
        .answer(&sum, query, &mut meter)
        .expect("a mirror tells")
}

#[test]
fn positions_of_any_size() {
    let huge = BigUint::from(10u8).pow(18);
    let heap = |n: &BigUint| Component::of_numbers([n.clone()]);
    let squares = "[n] -> [n-k] where k in squares";
    assert_eq!(
        answer(squares, &[heap(&huge), heap(&huge)], Wanted::None).outcome,
        Outcome::P
    );
    let with_seven = answer(
        squares,
        &[heap(&huge), heap(&7u8.into()), heap(&huge)],
        Wanted::None,
    );
    assert_eq!(with_seven.outcome, Outcome::P);
    let with_six = answer(
        squares,
        &[heap(&huge), heap(&6u8.into()), heap(&huge)],
        Wanted::All,
    );
    assert_eq!(with_six.outcome, Outcome::N);
    // Equal heaps may have winning moves too, which nobody looks for.
    let moves = with_six
        .moves
        .expect("the heap without a partner has moves");
    let to: Vec<_> = moves.listed.iter().map(|next| &next.changes[0]).collect();
    assert!(to.iter().all(|change| change.component == 1));
    let to: Vec<_> = to.iter().map(|change| change.to[0].clone()).collect();
    assert_eq!(to, [heap(&5u8.into()), heap(&2u8.into())]);
    assert_eq!(moves.count, None);
    // A ring of coins: any move leaves a line, and every line can be cut into halves.
    let ring = "start [n] as [n, 1]; ring: [n, 1] -> [n-j, 0] where 1 <= j <= 3; \
                line: [n, 0] -> [a, 0] + [n-j-a, 0] where 1 <= j <= 3, a >= 0";
    let pair = |n: &BigUint, kind: u8| Component::of_numbers([n.clone(), kind.into()]);
    assert_eq!(
        answer(ring, &[pair(&huge, 1)], Wanted::None).outcome,
        Outcome::P
    );
    assert_eq!(
        answer(ring, &[pair(&huge, 0)], Wanted::None).outcome,
        Outcome::N
    );
    let free = |length: usize| Component::of_numbers(vec![0u32; length]);
    assert_eq!(answer(CRAM, &[free(400)], Wanted::None).outcome, Outcome::P);
    assert_eq!(answer(CRAM, &[free(401)], Wanted::None).outcome, Outcome::N);
    assert_eq!(answer(RING, &[free(400)], Wanted::None).outcome, Outcome::P);
}
