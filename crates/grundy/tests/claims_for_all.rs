//! Claims are decided for all heaps from proved laws, and refuted by their true first counterexample.

use grundy::answer::learn::{NoShelf, prove, prove_components};
use grundy::catalogue::GAMES;
use grundy::claim::{Actual, Claimed, Extent, Verdict, decide, examine};
use grundy::discover::Effort;
use grundy::{Nimber, Outcome};
use grundy_certificate::Theorem;
use grundy_rules::{Budget, Component, Meter, Position, Ruleset, parse};
use num_bigint::BigUint;

fn meter() -> Meter<'static> {
    Meter::new(Budget {
        steps: 1 << 34,
        bytes: 1 << 30,
    })
}

fn automata() -> grundy_automata::Meter<'static> {
    Effort::default().meter(&meter())
}

fn theorem(game: &Ruleset) -> Option<Theorem> {
    prove(game, Some(20_000), &NoShelf, &mut meter())
}

/// What becomes of a claim about rules whose law is proved.
fn decided(rules: &str, claim: &str) -> Option<Verdict> {
    let game = parse(&format!("{rules}\nclaim {claim}\n"));
    let game = game.unwrap_or_else(|faults| panic!("{rules}, {claim}: {faults:?}"));
    let theorem = theorem(&game).expect("the law is proved");
    decide(
        &game,
        &game.claims[0],
        &theorem,
        &mut automata(),
        &mut meter(),
    )
    .expect("no limit is reached")
}

#[track_caller]
fn is_proved(rules: &str, claim: &str) {
    let verdict = decided(rules, claim);
    assert!(
        matches!(verdict, Some(Verdict::Proved { .. })),
        "{claim}: {verdict:?}"
    );
}

#[track_caller]
fn is_refuted(rules: &str, claim: &str, heap: &BigUint, claimed: Claimed, actual: Actual) {
    match decided(rules, claim) {
        Some(Verdict::Refuted(found)) => {
            let position = Position(vec![Component::of_numbers([heap.clone()])]);
            assert_eq!(found.position, position, "{claim}");
            let said = (found.claimed, found.actual);
            assert_eq!(said, (claimed, actual), "{claim}");
        }
        verdict => panic!("{claim}: {verdict:?}"),
    }
}

fn value(n: u64) -> Actual {
    Actual::Value(Nimber::from(n))
}

const NIM: &str = "[n] -> [n-k] where k >= 1";
const LASKER: &str = "[n] -> [n-k] where k >= 1\n[n] -> [a] + [n-a] where 1 <= a < n";
const BASH: &str = "[n] -> [n-k] where 1 <= k <= 3";

#[test]
fn claims_of_the_catalogue_are_proved_where_the_law_is() {
    let mut proved = Vec::new();
    for entry in GAMES {
        let game = parse(entry.text).expect("the catalogue is well written");
        for claim in &game.claims {
            let one_number = claim.pattern.items.len() == 1;
            let Some(theorem) = one_number.then(|| theorem(&game)).flatten() else {
                continue;
            };
            let verdict = decide(&game, claim, &theorem, &mut automata(), &mut meter());
            let verdict = verdict.expect("no limit");
            match verdict {
                Some(Verdict::Proved { certificate, .. }) => {
                    assert_eq!(certificate, theorem.digest());
                    proved.push(entry.name);
                }
                None => {}
                Some(verdict) => panic!("{}: {verdict:?}", entry.name),
            }
        }
    }
    for name in ["bash", "lasker", "nim"] {
        assert!(proved.contains(&name), "{name} is not among {proved:?}");
    }
}

#[test]
fn true_claims_are_proved() {
    is_proved(NIM, "grundy [n] = n");
    is_proved(NIM, "grundy [m] = max(m, 0)");
    is_proved(NIM, "grundy [n] = (n xor 5) xor 5");
    is_proved(NIM, "grundy [n] = (n / 4) * 4 + (n band 3)");
    is_proved(
        NIM,
        "grundy [n] = (n shr 3) * 8 + gcd(n, 8) mod 8 + n mod 8 - gcd(n, 8) mod 8",
    );
    is_proved(
        NIM,
        "grundy [n] = abs(n - 1000000) + 1000000 if n >= 1000000; n",
    );
    is_proved(NIM, "lost [n] iff n = 0");
    is_proved(NIM, "lost sum with [n] = n");
    is_proved(
        LASKER,
        "grundy [n] = n + 1 if n mod 4 = 3; n - 1 if n mod 4 = 0 and n > 0; n",
    );
    is_proved(LASKER, "lost [n] iff not n >= 1");
    is_proved(BASH, "grundy [n] = n mod 4");
    is_proved(BASH, "grundy [n] = (n mod 12) mod 4");
    is_proved(BASH, "grundy [n] = n band 3");
    is_proved(BASH, "lost [n] iff 4 | n");
    is_proved(BASH, "lost [n] iff n mod 8 in {0, 4}");
    is_proved(BASH, "lost [n] iff gcd(n, 4) = 4");
    is_proved("rules {1,3,4}", "lost [n] iff n mod 7 in {0, 2}");
    // Kayles is lost at 0 alone (Guy and Smith 1956).
    is_proved("rules 0.77", "lost [n] iff n = 0");
    // Undefined terms make the smallest comparison around them false.
    is_proved(BASH, "lost [n] iff 4 | n and not n / 0 = 1");
}

#[test]
fn a_false_claim_is_refuted_by_its_first_counterexample_however_large() {
    let lost = Actual::Outcome(Outcome::P);
    let won = Actual::Outcome(Outcome::N);
    let at = |n: u64| BigUint::from(n);
    is_refuted(
        LASKER,
        "grundy [n] = n + 1 if n mod 4 = 3; n - 1 if n mod 4 = 0; n",
        &at(0),
        Claimed::Negative((-1).into()),
        value(0),
    );
    is_refuted(
        BASH,
        "grundy [n] = n mod 5",
        &at(4),
        Claimed::Value(4u8.into()),
        value(0),
    );
    // Where the table ends far before.
    let huge = BigUint::from(10u8).pow(30);
    is_refuted(
        NIM,
        "grundy [n] = min(n, 10^30)",
        &(&huge + 1u8),
        Claimed::Value(huge.clone()),
        Actual::Value(Nimber(&huge + 1u8)),
    );
    is_refuted(
        NIM,
        "grundy [n] = n + 1 if n = 10^30; n",
        &huge,
        Claimed::Value(&huge + 1u8),
        Actual::Value(Nimber(huge.clone())),
    );
    is_refuted(
        BASH,
        "lost [n] iff 4 | n and n != 10^30",
        &huge,
        Claimed::NotLost,
        lost,
    );
    is_refuted(
        BASH,
        "lost [n] iff 4 | n or n > 10^30",
        &(&huge + 1u8),
        Claimed::Lost,
        won,
    );
    // A progression of the large period is met before a smaller residue's.
    is_refuted(
        BASH,
        "grundy [n] = 9 if n mod 1000 = 999; 9 if n mod 1000 = 3 and n > 3; n mod 4",
        &at(999),
        Claimed::Value(9u8.into()),
        value(3),
    );
    is_refuted(
        NIM,
        "grundy [n] = n if n < 777",
        &at(777),
        Claimed::NoPiece,
        value(777),
    );
    is_refuted(
        NIM,
        "grundy [n] = n mod (n - n)",
        &at(0),
        Claimed::Undefined,
        value(0),
    );
    is_refuted(
        NIM,
        "grundy [n] = 2 * n - 99",
        &at(0),
        Claimed::Negative((-99).into()),
        value(0),
    );
}

#[test]
fn what_is_not_understood_is_not_decided() {
    assert_eq!(decided(NIM, "grundy [n] = isqrt(n * n)"), None);
    assert_eq!(decided(NIM, "grundy [n] = n xor (n * 2) xor (n * 2)"), None);
    assert_eq!(decided(BASH, "lost [n] iff n in squares"), None);
    // Other numbers than the values may decide sums as well.
    assert_eq!(decided(NIM, "lost sum with [n] = 2 * n"), None);
    // The period is too large.
    assert_eq!(
        decided(NIM, "grundy [n] = n mod 10^12 + (n / 10^12) * 10^12"),
        None
    );
}

/// Random formulas: the verdict is that of an examination far beyond all their constants.
#[test]
fn verdicts_agree_with_examination() {
    let mut seed = 20_261_129u64;
    let mut random = |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    let mut verdicts = [0; 2];
    for _ in 0..400 {
        let mut term = || {
            let c = random(7) + 1;
            match random(9) {
                0 => format!("{c}"),
                1 => "n".to_owned(),
                2 => format!("n mod {c}"),
                3 => format!("n / {c}"),
                4 => format!("min(n, {c})"),
                5 => format!("abs(n - {c})"),
                6 => format!("(n band {c})"),
                7 => format!("({c} * n) mod {}", random(5) + 1),
                _ => format!("gcd(n, {c})"),
            }
        };
        let terms: Vec<String> = (0..4).map(|_| term()).collect();
        let [a, b, c, d] = terms.as_slice() else {
            unreachable!("four were made")
        };
        let claim = match random(5) {
            0 => format!("grundy [n] = n if {a} <= {b}; n mod 4"),
            1 => format!("grundy [n] = n mod 4 + 0 * ({a} - {b})"),
            2 => format!("lost [n] iff 4 | n and ({a} < {b} or {c} >= {d} or n mod 2 = 0)"),
            3 => format!("grundy [n] = n mod 4 if {a} != {b}; n band 3"),
            _ => format!("lost [n] iff 4 | n and not ({a} = {b} and {c} = {d})"),
        };
        let game = parse(&format!("{BASH}\nclaim {claim}\n")).expect("well written");
        let theorem = theorem(&game).expect("the law is proved");
        let claim_read = &game.claims[0];
        let verdict = decide(&game, claim_read, &theorem, &mut automata(), &mut meter());
        let verdict = verdict.expect("no limit");
        let extent = Extent {
            upto: vec![3000],
            components: 1,
        };
        let examined = examine(&game, claim_read, &extent, &mut meter()).expect("it can be");
        match (verdict, examined) {
            (Some(Verdict::Proved { .. }), Verdict::Agrees { .. }) => verdicts[0] += 1,
            (Some(Verdict::Refuted(found)), Verdict::Refuted(first)) => {
                assert_eq!(found, first, "{claim}");
                verdicts[1] += 1;
            }
            (verdict, examined) => panic!("{claim}: {verdict:?}, but {examined:?}"),
        }
    }
    assert!(verdicts.iter().all(|count| *count >= 40), "{verdicts:?}");
}

/// What a law that automata found says of a claim about components of so many numbers.
fn decided_by_automata(rules: &str, claim: &str) -> Option<Verdict> {
    let game = parse(&format!("{rules}\nclaim {claim}\n"));
    let game = game.unwrap_or_else(|faults| panic!("{rules}, {claim}: {faults:?}"));
    let coordinates = game.claims[0].pattern.items.len();
    let theorem = prove_components(&game, coordinates, &NoShelf, &mut meter());
    let theorem = theorem.expect("the law is proved");
    let verdict = decide(
        &game,
        &game.claims[0],
        &theorem,
        &mut automata(),
        &mut meter(),
    );
    verdict.expect("no limit is reached")
}

#[track_caller]
fn is_refuted_at(rules: &str, claim: &str, numbers: &[u64], claimed: Claimed, actual: Actual) {
    let Some(Verdict::Refuted(found)) = decided_by_automata(rules, claim) else {
        panic!("{claim} is not refuted");
    };
    let position = Position(vec![Component::of_numbers(numbers.iter().copied())]);
    assert_eq!(found.position, position, "{claim}");
    assert_eq!((found.claimed, found.actual), (claimed, actual), "{claim}");
}

const TWO_HEAPS: &str = "[x, y] -> [x-k, y] | [x, y-k] where k >= 1";
const UNORDERED: &str = "unordered\n[x, y] -> [x-k, y] where k >= 1";
const WYTHOFF: &str = "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1";

#[test]
fn claims_are_decided_from_laws_of_automata() {
    let proved = |rules: &str, claim: &str| {
        let verdict = decided_by_automata(rules, claim);
        let is_proved = matches!(verdict, Some(Verdict::Proved { .. }));
        assert!(is_proved, "{claim}: {verdict:?}");
    };
    proved(TWO_HEAPS, "grundy [x, y] = x xor y");
    proved(TWO_HEAPS, "lost [x, y] iff x = y");
    proved(TWO_HEAPS, "lost sum with [x, y] = x xor y");
    proved(UNORDERED, "lost [x, y] iff x >= y");
}

#[test]
fn claims_are_refuted_far_beyond_what_can_be_searched() {
    let far = 777_777_777_777;
    let (lost, won) = (Actual::Outcome(Outcome::P), Actual::Outcome(Outcome::N));
    let but = format!("lost [x, y] iff x = y and x != {far}");
    is_refuted_at(TWO_HEAPS, &but, &[far, far], Claimed::NotLost, lost.clone());
    is_refuted_at(UNORDERED, &but, &[far, far], Claimed::NotLost, lost.clone());
    let and = format!("lost [x, y] iff x = y or x = 3 and y = {far}");
    is_refuted_at(TWO_HEAPS, &and, &[3, far], Claimed::Lost, won.clone());
    is_refuted_at(UNORDERED, &and, &[3, far], Claimed::Lost, won);
    let but = format!("grundy [x, y] = x xor y if x + y != {far}");
    let decided = decided_by_automata(TWO_HEAPS, &but);
    let Some(Verdict::Refuted(found)) = decided else {
        panic!("{decided:?}");
    };
    assert_eq!(found.claimed, Claimed::NoPiece);
    // The pairs (1, 2), (3, 5), (4, 7), … go on; the claim knows the first two.
    let two = "lost [x, y] iff x = 0 and y = 0 or x = 1 and y = 2 or x = 2 and y = 1 or x = 3 and y = 5 or x = 5 and y = 3";
    is_refuted_at(WYTHOFF, two, &[4, 7], Claimed::NotLost, lost);
}

#[test]
fn what_another_law_says_is_not_decided() {
    // Which sums are lost may be told by other numbers than values; a law of lost positions tells no values.
    let other = "lost sum with [x, y] = 2 * (x xor y)";
    assert_eq!(decided_by_automata(TWO_HEAPS, other), None);
    let values = "grundy [x, y] = x xor y";
    assert_eq!(decided_by_automata(WYTHOFF, values), None);
}
