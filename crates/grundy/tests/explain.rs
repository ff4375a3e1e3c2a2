//! What explanations claim, held against the oracle; and the worked examples that are often given wrong.

use std::collections::BTreeSet;

use grundy::catalogue;
use grundy::explain::{Answered, Explanation, Replies, Request, Verdict, View, explain};
use grundy::nimber::mex;
use grundy::oracle::{Oracle, has_values};
use grundy::outcome::{Evidence, Outcome};
use grundy::play::{MoveFault, Round};
use grundy::solve::{Part, Solver, after, all_moves, position};
use grundy::text;
use grundy_rules::given::{coordinates, prepare};
use grundy_rules::moves::Move;
use grundy_rules::{Budget, Component, Item, Meter, Position, Ruleset};

fn game(rules: &str) -> Ruleset {
    let text = catalogue::find(rules).map_or(rules, |entry| entry.text);
    grundy_rules::parse(text).unwrap_or_else(|faults| panic!("{rules}: {faults:?}"))
}

fn parts(position: &Position) -> Vec<Part> {
    let parts = position.0.iter().map(|component| Part {
        game: 0,
        component: component.clone(),
    });
    parts.collect()
}

fn heaps(numbers: &[u32]) -> Vec<Part> {
    let heaps = numbers.iter().map(|n| Component::of_numbers([*n]));
    parts(&Position(heaps.collect()))
}

fn meter() -> Meter<'static> {
    Meter::new(Budget::default())
}

fn explained(rules: &str, numbers: &[u32], limit: usize) -> Explanation {
    let games = [game(rules)];
    let mut solver = Solver::new(&games).expect("one game is a sum");
    let request = Request {
        chosen: None,
        limit,
    };
    explain(&mut solver, &heaps(numbers), &request, &mut meter()).expect("small heaps are decided")
}

fn total(view: &View) -> String {
    view.nim_sum
        .as_ref()
        .expect("values decide")
        .total
        .to_string()
}

#[test]
fn five_seven_and_twelve_have_the_nim_sum_fourteen() {
    let explanation = explained("nim", &[5, 7, 12], 20);
    assert_eq!(total(&explanation.view), "14");
    let count = explanation.answer.moves.expect("few moves").count;
    assert_eq!(count, Some(1u8.into()));
    let played = explanation.played.expect("the position is won");
    assert_eq!(played.after.sum, heaps(&[5, 7, 2]));
    assert_eq!(total(&played.after), "0");
    assert_eq!(played.replies.expect("14 moves are few").listed.len(), 14);
}

#[test]
fn seven_eight_and_fifteen_are_lost() {
    let explanation = explained("nim", &[7, 8, 15], 100);
    assert_eq!(explanation.answer.outcome, Outcome::P);
    assert_eq!(total(&explanation.view), "0");
    assert!(explanation.played.is_none());
    let replies = explanation.replies.expect("the position is lost");
    assert_eq!(replies.count, Some(30u8.into()));
    assert_eq!(replies.listed.len(), 30);
}

#[test]
fn a_limit_shortens_the_list_and_not_the_count() {
    let replies = explained("nim", &[7, 8, 15], 9)
        .replies
        .expect("it is lost");
    assert_eq!(replies.count, Some(30u8.into()));
    let heaps: BTreeSet<usize> = replies
        .listed
        .iter()
        .map(|answered| answered.next.changes[0].component)
        .collect();
    assert_eq!((replies.listed.len(), heaps.len()), (9, 3));
}

/// What the oracle says of one game.
struct Judge<'g> {
    game: &'g Ruleset,
    oracle: Oracle<'g>,
    meter: Meter<'static>,
}

impl Judge<'_> {
    fn outcome(&mut self, sum: &[Part]) -> Outcome {
        if has_values(self.game).is_ok() {
            // Whole positions of some games are very many.
            let value = sum
                .iter()
                .fold(0, |sum, part| sum ^ self.value(&part.component));
            return if value == 0 { Outcome::P } else { Outcome::N };
        }
        let outcome = self.oracle.outcome(&position(sum), &mut self.meter);
        outcome.expect("small positions are decided")
    }

    /// Whether the values of all components can be found, where values decide.
    fn is_decided(&mut self, position: &Position) -> bool {
        let mut found = |one| self.oracle.grundy_value(one, &mut self.meter).is_ok();
        has_values(self.game).is_err() || position.0.iter().all(&mut found)
    }

    fn value(&mut self, component: &Component) -> u64 {
        let value = self.oracle.grundy_value(component, &mut self.meter);
        value.unwrap_or_else(|why| panic!("{} {component:?}: {why:?}", self.game.name))
    }

    fn moves(&mut self, sum: &[Part]) -> Vec<Move> {
        let games = std::slice::from_ref(self.game);
        all_moves(games, sum, &mut self.meter).expect("small positions have few moves")
    }

    /// A view says the truth about its position.
    fn check_view(&mut self, view: &View) {
        assert_eq!(view.outcome, self.outcome(&view.sum), "{:?}", view.sum);
        let Some(nim_sum) = view.nim_sum.as_ref() else {
            return;
        };
        if view.reason.is_some() {
            // Values of normal play that decide misère play.
            return;
        }
        let mut total = 0;
        for part in &view.sum {
            total ^= self.value(&part.component);
        }
        assert_eq!(nim_sum.total, total.into());
        let mut components = 0;
        for kind in &nim_sum.kinds {
            components += kind.count;
            assert_eq!(kind.value, self.value(&kind.part.component).into());
            assert_eq!(view.sum[kind.place], kind.part);
            let equal = view.sum.iter().filter(|part| **part == kind.part);
            assert_eq!(equal.count(), kind.count);
        }
        components += nim_sum.others.as_ref().map_or(0, |others| others.count);
        assert_eq!(components, view.sum.len());
    }

    /// What is said to come of the moves of a position is true, and each answer is a best one.
    fn check_replies(&mut self, sum: &[Part], replies: &Replies, complete: bool) {
        let all = self.moves(sum);
        assert_eq!(replies.count, Some(all.len().into()));
        if complete {
            let listed: Vec<&Move> = replies
                .listed
                .iter()
                .map(|answered| &answered.next)
                .collect();
            assert_eq!(listed, all.iter().collect::<Vec<_>>());
        }
        for answered in &replies.listed {
            assert!(all.contains(&answered.next), "{:?}", answered.next);
            self.check_answered(sum, answered);
        }
    }

    fn check_answered(&mut self, sum: &[Part], answered: &Answered) {
        let reached = after(sum, &answered.next);
        let outcome = self.outcome(&reached);
        assert_eq!(answered.outcome, outcome);
        if let Some(value) = &answered.value {
            let mut total = 0;
            for part in &reached {
                total ^= self.value(&part.component);
            }
            assert_eq!(*value, total.into());
        }
        match &answered.reply {
            Some(reply) => {
                assert!(self.moves(&reached).contains(&reply.next), "{reply:?}");
                let left = self.outcome(&after(&reached, &reply.next));
                let best = if outcome == Outcome::N {
                    Outcome::P
                } else {
                    outcome
                };
                assert_eq!(left, best);
            }
            None => assert!(self.moves(&reached).is_empty() || outcome == Outcome::P),
        }
    }

    fn check(&mut self, sum: &[Part], explanation: &Explanation) {
        assert_eq!(explanation.view.sum, sum);
        self.check_view(&explanation.view);
        for worked in &explanation.mexes {
            assert_eq!(worked.value, self.value(&worked.part.component));
            let mut results = 0;
            for (value, options) in &worked.options {
                for result in options {
                    let mut total = 0;
                    for part in result {
                        total ^= self.value(part);
                    }
                    assert_eq!(total, *value);
                    results += 1;
                }
            }
            let options = self.moves(std::slice::from_ref(&worked.part));
            let distinct: BTreeSet<Vec<Component>> = options
                .into_iter()
                .map(|next| next.changes[0].to.clone())
                .collect();
            assert_eq!(results, distinct.len());
            assert_eq!(
                mex(worked.options.iter().map(|(value, _)| *value)),
                worked.value
            );
        }
        let outcome = explanation.answer.outcome;
        let moves = self.moves(sum);
        match &explanation.played {
            None => assert!(
                outcome == Outcome::P || moves.is_empty(),
                "{:?} {sum:?}: {:?}",
                self.game.name,
                explanation.answer.moves
            ),
            Some(played) => {
                assert_ne!(outcome, Outcome::P);
                assert!(moves.contains(&played.next));
                assert_eq!(played.after.sum, after(sum, &played.next));
                self.check_view(&played.after);
                let verdict = match played.after.outcome {
                    Outcome::P => Verdict::Wins,
                    Outcome::Draw => Verdict::Draws,
                    Outcome::N => Verdict::Loses,
                };
                assert_eq!(played.verdict, verdict);
                assert_eq!(verdict == Verdict::Wins, outcome == Outcome::N);
                if let Some(replies) = &played.replies {
                    let all = replies.count == Some(replies.listed.len().into());
                    self.check_replies(&played.after.sum, replies, all);
                }
            }
        }
        if let Some(replies) = &explanation.replies {
            assert_eq!(outcome, Outcome::P);
            self.check_replies(sum, replies, true);
        }
    }
}

/// Small positions of a game of the catalogue: sums of up to two components.
fn small_positions(game: &Ruleset) -> Vec<Position> {
    let lengths: Vec<usize> = match coordinates(game) {
        Some(lengths) => lengths.into_iter().collect(),
        None => vec![0, 1, 2, 3],
    };
    let most = |length: usize| [0, 5, 3, 2, 1, 1, 1][length.min(6)];
    let mut components: BTreeSet<Component> = BTreeSet::new();
    for length in lengths {
        let mut list = vec![0u32; length];
        loop {
            let given = Position(vec![Component::of_numbers(list.iter().copied())]);
            if let Ok(position) = prepare(game, &given, &mut meter()) {
                components.extend(position.0);
            }
            let Some(place) = list.iter().rposition(|n| *n < most(length)) else {
                break;
            };
            list[place] += 1;
            list[place + 1..].fill(0);
        }
    }
    // Nested positions are lists, of which two small ones do.
    let nested = |lists: &[Component]| Component(lists.iter().cloned().map(Item::List).collect());
    let leaf = Component::default();
    components.insert(nested(&[leaf.clone(), nested(&[leaf])]));
    let components: Vec<Component> = components.into_iter().collect();
    let mut all = vec![Position::default()];
    all.extend(components.iter().map(|one| Position(vec![one.clone()])));
    for (index, first) in components.iter().enumerate() {
        let others = components[index..].iter().step_by(1 + components.len() / 4);
        all.extend(others.map(|second| Position(vec![first.clone(), second.clone()])));
    }
    all
}

/// The laws that heaps of up to so many show are used too.
const UPTO: u64 = 200;

#[test]
fn explanations_of_the_catalogue_say_the_truth() {
    let mut explained = 0;
    for entry in catalogue::GAMES {
        let games = [game(entry.text)];
        let [ruleset] = &games;
        let mut judge = Judge {
            game: ruleset,
            oracle: Oracle::new(ruleset),
            meter: Meter::new(Budget {
                steps: u64::MAX,
                ..Budget::default()
            }),
        };
        let mut solver = Solver::new(&games).expect("one game is a sum");
        let shelf = grundy::answer::learn::NoShelf;
        let law = Budget {
            steps: 1 << 22,
            ..Budget::default()
        };
        let learned =
            grundy::answer::learn::learn(ruleset, Some(UPTO), false, &shelf, &mut Meter::new(law));
        if let Some(lawful) = learned {
            solver.know(0, Box::new(lawful));
        }
        for position in small_positions(ruleset) {
            let request = Request {
                chosen: None,
                limit: usize::MAX,
            };
            let little = Budget {
                steps: 1 << 22,
                ..Budget::default()
            };
            let sum = parts(&position);
            match explain(&mut solver, &sum, &request, &mut Meter::new(little)) {
                // The oracle has no values where play need not end.
                Ok(_) if solver.has_cycles() => {}
                // Mirrors tell of equal components that the oracle cannot value, such as lists in a game of numbers.
                Ok(explanation) if judge.is_decided(&position) => {
                    judge.check(&sum, &explanation);
                    assert_eq!(
                        explanation.answer.value.is_ok(),
                        has_values(ruleset).is_ok()
                    );
                    let blocks = text::explanation(&games, &explanation);
                    assert!(!text::document::markdown(&blocks).is_empty());
                    let latex = text::document::latex(&blocks);
                    assert_eq!(latex_faults(&latex), Vec::<String>::new(), "{latex}");
                    explained += 1;
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
    assert!(explained > 1_500, "{explained}");
}

/// The move that a text means.
fn read(rules: &str, numbers: &[u32], text: &str) -> Move {
    let games = [game(rules)];
    let round = Round::new(&games, heaps(numbers));
    let found = round.read(text, &mut meter());
    found.unwrap_or_else(|fault| panic!("{text}: {fault:?}"))
}

#[test]
fn a_losing_move_is_punished() {
    let games = [game("nim")];
    let sum = heaps(&[5, 7, 12]);
    let chosen = read("nim", &[5, 7, 12], "5 7 3");
    let mut solver = Solver::new(&games).expect("one game is a sum");
    let request = Request {
        chosen: Some(chosen),
        limit: 20,
    };
    let explanation = explain(&mut solver, &sum, &request, &mut meter()).expect("it is decided");
    let played = explanation.played.expect("it was asked about");
    assert_eq!(played.verdict, Verdict::Loses);
    assert_eq!(total(&played.after), "1");
    let (reply, left) = played.punished.expect("there is a winning answer");
    assert_eq!(after(&heaps(&[5, 7, 3]), &reply), left.sum);
    assert_eq!((left.outcome, total(&left)), (Outcome::P, "0".to_owned()));
}

#[test]
fn huge_heaps_cost_little() {
    let games = [game("lasker")];
    let huge = |exponent: u32| {
        let n = num_bigint::BigUint::from(10u8).pow(exponent);
        Part {
            game: 0,
            component: Component::of_numbers([n]),
        }
    };
    let sum = vec![huge(1000), huge(18), huge(18)];
    let round = Round::new(&games, sum.clone());
    let next = round
        .read("heap 2: split into 5 + 999999999999999995", &mut meter())
        .expect("it is legal");
    assert_eq!(next.ways, 2);
    let mut solver = Solver::new(&games).expect("one game is a sum");
    let shelf = grundy::answer::learn::NoShelf;
    let law = grundy::answer::learn::learn(&games[0], Some(5000), false, &shelf, &mut meter());
    solver.know(0, Box::new(law.expect("Lasker's Nim has a law")));
    let request = Request {
        chosen: None,
        limit: 10,
    };
    let little = &mut Meter::new(Budget {
        steps: 1 << 24,
        bytes: 1 << 26,
    });
    let explanation = explain(&mut solver, &sum, &request, little).expect("the law decides");
    assert!(matches!(
        explanation.answer.evidence,
        Evidence::Proved { .. }
    ));
    assert_eq!(explanation.answer.outcome, Outcome::N);
    let chosen = Request {
        chosen: Some(next),
        limit: 10,
    };
    let explanation = explain(&mut solver, &sum, &chosen, little).expect("the law decides");
    let played = explanation.played.expect("it was asked about");
    assert_eq!(played.verdict, Verdict::Loses);
    assert_eq!(played.punished.expect("an answer").1.outcome, Outcome::P);
}

#[test]
fn moves_are_read_by_their_choices() {
    // A split has two ways to be chosen and one move.
    let split = read("lasker", &[3, 7], "heap 2: split a=6");
    assert_eq!(split, read("lasker", &[3, 7], "heap 2 into 1 + 6"));
    assert_eq!(split.ways, 2);
    assert_eq!(
        read("lasker", &[7], "take k = 3"),
        read("lasker", &[7], "heap 1 leaving 4")
    );
    let games = [game("lasker")];
    let round = Round::new(&games, heaps(&[3, 7]));
    let fault = |text: &str| round.read(text, &mut meter()).expect_err("no single move");
    for (text, label) in [
        ("heap 2: split a=7", Some("split")),
        ("heap 2: split k=3", Some("split")),
        ("heap 2: grab a=3", Some("grab")),
        ("heap 2: b=3", None),
        ("heap 2: take k=-1", Some("take")),
    ] {
        match fault(text) {
            MoveFault::Chosen {
                component: 1,
                label: told,
                found: 0,
                instead,
            } => {
                assert_eq!(told.as_deref(), label, "{text}");
                assert!(!instead.is_empty(), "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    for text in [
        "heap 2: split a=",
        "heap 2: split a=x",
        "heap 2: split a=3 then",
        "heap 2: split now a=3",
    ] {
        assert_eq!(fault(text), MoveFault::Unfinished, "{text}");
    }
    // Two choices, one of them given.
    let games = [game("[n] -> [a] + [b] where a >= b, a+b < n")];
    let round = Round::new(&games, heaps(&[7]));
    match round.read("a=4", &mut meter()) {
        Err(MoveFault::Chosen { found: 3, .. }) => {}
        other => panic!("{other:?}"),
    }
    assert!(round.read("a=4, b=1", &mut meter()).is_ok());
}

#[test]
fn every_family_tells_how_its_values_follow() {
    for (rules, numbers, told) in [
        (
            "[n] -> [n-k] where k >= 1, gcd(k, n) = 1",
            &[35][..],
            "least prime that divides 35 is 5, in place 3",
        ),
        (
            "[n] -> [n-k] where k >= 1, gcd(k, n) = 1",
            &[12],
            "12 is even",
        ),
        (
            "[n] -> [d] where d | n, d < n",
            &[60],
            "60 = 2^2 · 3 · 5, a product of 4 primes",
        ),
        (
            "[i] -> [j] + [k] where j < i, k <= j",
            &[7],
            "6 is 110 in binary, with 2 ones",
        ),
        (
            "[i] -> [j] for j in i-k..i-1 where 0 <= k <= i",
            &[11],
            "4 is the largest power of 2 that divides 12",
        ),
        ("[n] -> [n-k] where k mod 4 = 3", &[13], "13 = 3·4 + 1"),
        (
            "[n] -> [n-k] where k mod 3 = 0, k >= 1",
            &[13],
            "⌊13/3⌋ = 4",
        ),
        ("[n] -> [n-k] where k in powers of 2", &[13], "13 mod 3 = 1"),
        (
            "[n] -> [a] + [b] + [n-a-b] where a >= 1, b >= 1, a+b < n",
            &[13],
            "⌊(13 - 1)/2⌋ = 6",
        ),
        (
            "three-way",
            &[15],
            "15 mod 8 = 7, so the value is one more, 16",
        ),
    ] {
        let games = [game(rules)];
        let explanation = explained(rules, numbers, 5);
        let text = text::document::markdown(&text::explanation(&games, &explanation));
        let plain = text.replace('\\', "");
        assert!(plain.contains(told), "{rules}: {plain}");
        // A winning move is shown to win, and a lost position has a reply to each move.
        match explanation.played {
            Some(played) => assert_eq!(played.verdict, Verdict::Wins, "{rules}"),
            None => assert!(explanation.replies.is_some(), "{rules}"),
        }
    }
}

#[test]
fn mirrors_are_explained() {
    let rules = "row a over \".X\"; [l.., \"...\", r..] -> [l.., \"XXX\", r..]";
    let games = [game(rules)];
    // Of 61 free cells the three in the middle go first; then no move reaches over it.
    let free = vec![0u32; 61];
    let blocked = [vec![0; 30], vec![1], vec![0; 30]].concat();
    for (row, is_won) in [(free, true), (blocked, false)] {
        let sum = [Part {
            game: 0,
            component: Component::of_numbers(row),
        }];
        let mut solver = Solver::new(&games).expect("one game is a sum");
        let request = Request {
            chosen: None,
            limit: 4,
        };
        let explanation = explain(&mut solver, &sum, &request, &mut meter());
        let explanation = explanation.expect("mirrors decide");
        let blocks = text::explanation(&games, &explanation);
        let text = text::document::markdown(&blocks);
        assert!(text.contains("mirror image"), "{is_won}: {text}");
        assert_eq!(explanation.answer.outcome == Outcome::N, is_won);
        assert_eq!(explanation.played.is_some(), is_won);
        let replies = explanation.replies;
        assert_eq!(replies.is_some(), !is_won);
        for answered in replies.iter().flat_map(|replies| &replies.listed) {
            assert!(answered.reply.is_some(), "a lost position has an answer");
        }
    }
}

/// What LaTeX would stumble over: braces, dollars and environments that do not close, and signs that are none of its text.
fn latex_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let (mut braces, mut in_maths) = (0i32, false);
    let mut open: Vec<String> = Vec::new();
    let mut signs = text.char_indices().peekable();
    let argument = |at: usize| {
        text[at..]
            .split_once('{')?
            .1
            .split_once('}')
            .map(|(name, _)| name)
    };
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' => {
                let behind = &text[at + 1..];
                if let Some(begun) = behind.strip_prefix("begin{") {
                    open.push(begun.split('}').next().unwrap_or_default().to_owned());
                } else if behind.starts_with("end{") {
                    let name = argument(at).unwrap_or_default();
                    if open.pop().as_deref() != Some(name) {
                        faults.push(format!("{name} ends and did not begin"));
                    }
                }
                signs.next();
            }
            '{' => braces += 1,
            '}' => braces -= 1,
            '$' => in_maths = !in_maths,
            '#' | '%' | '~' => faults.push(format!("a bare {sign}")),
            '_' | '^' if !in_maths && !text[..at].ends_with("\\ensuremath{") => {
                faults.push(format!("{sign} outside of maths"));
            }
            sign if sign.is_ascii() || ('À'..='ÿ').contains(&sign) => {}
            sign => faults.push(format!("{sign} is no sign of the font")),
        }
        if braces < 0 {
            faults.push("a brace closes that did not open".to_owned());
        }
    }
    if braces != 0 || in_maths || !open.is_empty() {
        faults.push(format!("left open: {braces} braces, {open:?}"));
    }
    faults
}

#[test]
fn latex_faults_are_found() {
    for text in [
        "{",
        "}",
        "$",
        "\\begin{a}",
        "\\end{a}",
        "\\begin{a}\\end{b}",
        "50%",
        "a_b",
        "x^2",
        "≤",
    ] {
        assert!(!latex_faults(text).is_empty(), "{text}");
    }
    for text in [
        "\\{",
        "\\begin{a}\\end{a}",
        "50\\%",
        "$x^2$",
        "\\ensuremath{^2}",
        "é",
    ] {
        assert_eq!(latex_faults(text), Vec::<String>::new(), "{text}");
    }
}
