//! What is exported for Walnut, read back: true of laws, and false of each law with a damage.

mod by_hand;
mod walnut;

use grundy::discover::{Effort, find_proof};
use grundy::proof::automatic::{Certification, Game, Holds, Law, Says, certify};
use grundy_automata::{Automaton, Budget, Meter, NumerationSystem, Relation};
use grundy_certificate::automatic::Prover;
use grundy_certificate::{Falsehood, Reason, Refusal, export};
use grundy_rules::Ruleset;

use by_hand::{
    E_AND_D, FIBONACCI_NIM, LASKER, LASKER_LAW, NIM, OF_ONE_HEAP, automata, base, e_and_d,
    fibonacci_nim_lost, meter, moore, moore_lost, oracle_values, periodic, rules, wythoff,
    wythoff_lost,
};
use walnut::Files;

fn certificate(ruleset: &Ruleset, game: &Game, law: &Law) -> String {
    match certify(ruleset, game, law, &mut automata(), &mut meter()).expect("inside") {
        Certification::Proved(proved) => proved.certificate,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn of_claim(text: &str, claim: &str) -> String {
    let ruleset = rules(&format!("{text}\nclaim {claim}\n"));
    let claim = &ruleset.claims[0];
    let game = Game::new(&ruleset, claim.pattern.items.len()).expect("decidable rules");
    let law = Law::of_claim(&ruleset, claim, &game).expect("a decidable claim");
    certificate(&ruleset, &game, &law)
}

fn of_law(text: &str, arity: usize, says: Says, system: NumerationSystem, holds: Holds) -> String {
    let ruleset = rules(text);
    let game = Game::new(&ruleset, arity).expect("decidable rules");
    let law = Law {
        says,
        holds,
        system,
    };
    certificate(&ruleset, &game, &law)
}

fn files(certificate: &str) -> Files {
    let text = export(certificate, Prover::Walnut).expect("it can be exported");
    Files::read(&text).unwrap_or_else(|why| panic!("{why}:\n{text}"))
}

/// Whether Walnut would find all obligations true. Tells how many there are.
#[track_caller]
fn is_true(certificate: &str) -> usize {
    let answers = files(certificate).answers(&mut automata());
    let answers = answers.unwrap_or_else(|why| panic!("{why}"));
    for (name, holds) in &answers {
        assert_eq!(*holds, Some(true), "{name}");
    }
    answers.len()
}

#[test]
fn obligations_are_true_in_every_number_system_that_walnut_has() {
    let heaps = "[x, y, z] -> [x-k, y, z] | [x, y-k, z] | [x, y, z-k] where k >= 1";
    let mut obligations = 0;
    for (text, claim) in OF_ONE_HEAP.iter().copied().chain([
        // In base 3.
        (
            "[n] -> [n-k] where k in powers of 3",
            "grundy [n] = n mod 2",
        ),
        // And, or, and a congruence in a guard.
        (
            "[n] -> [k] where k < n, k band 1 = 0",
            "grundy [n] = (n+1)/2",
        ),
        ("[n] -> [n-k] where k bor 2 = 3", "grundy [n] = n mod 2"),
        ("[n] -> [n-k] where k mod 2 = 1", "grundy [n] = n mod 2"),
        (heaps, "lost [x, y, z] iff x xor y xor z = 0"),
        (
            "play misere\n[x, y] -> [x-k, y] | [x, y-k] where k >= 1",
            "lost [x, y] iff x = y and x > 1 or x + y = 1",
        ),
        (
            "[x, y] -> [x-1, y] | [x, y-1] | [x-1, y-1]\nends lost [0, 0]",
            "lost [x, y] iff x mod 2 = 0 and y mod 2 = 0",
        ),
        // A number of more than 31 bits.
        (
            "[n] -> [n-1] where n <= 5000000000",
            "grundy [n] = n mod 2 if n <= 5000000000; 0",
        ),
    ]) {
        obligations += is_true(&of_claim(text, claim));
    }
    let values = oracle_values("rules {2,5}", 7);
    obligations += is_true(&of_claim("rules {2,5}", &periodic(&values, 0)));
    let e_and_d = Holds::Formula(e_and_d());
    obligations += is_true(&of_law(E_AND_D, 2, Says::PowerOfValue, base(2), e_and_d));
    for (heaps, most) in [(3, 1), (3, 2), (4, 2)] {
        let says = Says::Lost {
            components: heaps as usize,
        };
        let lost = Holds::Relation(moore_lost(heaps, most));
        obligations += is_true(&of_law(&moore(most), 1, says, base(2), lost));
    }
    let fibonacci = NumerationSystem::zeckendorf;
    let says = Says::Lost { components: 1 };
    for (text, lost) in [
        (FIBONACCI_NIM.to_owned(), fibonacci_nim_lost()),
        (wythoff(1), wythoff_lost()),
    ] {
        let lost = Holds::Formula(lost);
        obligations += is_true(&of_law(&text, 2, says, fibonacci(), lost));
    }
    assert!(obligations > 80, "only {obligations}");
}

/// Laws of links between heaps have other obligations: about heaps of equal value.
#[test]
fn obligations_of_links_are_true() {
    let half = "[n] -> [n-k] where k >= 1, 2*k <= n";
    let mut obligations = 0;
    for split in [
        "[n] -> [a] + [n-a] where a >= 1, 2*a = n",
        "[n] -> [1] + [n-1] where n >= 2",
        "[n] -> [a] + [n-a] where a mod 2 = 1, (n-a) mod 2 = 1",
        "[n] -> [a] + [n-a] where a >= 1, n-a = a+1",
    ] {
        let ruleset = rules(&format!("{half}\n{split}\n"));
        let finding = find_proof(&ruleset, Some(100), &Effort::default(), &mut meter());
        let proved = finding.proved().expect(split);
        assert_eq!(proved.theorem.name(), "linked heaps");
        obligations += is_true(&proved.certificate);
    }
    assert!(obligations > 80, "only {obligations}");
}

/// Walnut is not given what it has no number system for.
#[test]
fn other_number_systems_are_not_exported() {
    let says = Says::Lost { components: 1 };
    let system = NumerationSystem::wythoff(2).expect("a step");
    let lost = Holds::Formula(wythoff_lost());
    let certificate = of_law(&wythoff(2), 2, says, system, lost);
    let refused = export(&certificate, Prover::Walnut);
    let Err(Refusal::False(Falsehood::DoesNotApply { reason, .. })) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(reason, Reason::Numeration);
}

/// Enough for most false obligations, which can be large.
fn few() -> Meter<'static> {
    Meter::new(Budget {
        states: 2_000,
        steps: 1 << 26,
        ..Budget::default()
    })
}

/// With one transition of the law changed some obligation is false, unless the law says the same.
#[test]
fn damage_makes_an_obligation_false() {
    let (mut damaged, mut untouched) = (0, 0);
    for certificate in [
        of_claim(NIM, "grundy [n] = n"),
        of_claim(LASKER, LASKER_LAW),
        of_claim(
            "[n] -> [n-k] where k in powers of 2",
            "grundy [n] = n mod 3",
        ),
        of_claim(
            "[x, y] -> [x-1, y] | [x, y-1] | [x-1, y-1]\nends lost [0, 0]",
            "lost [x, y] iff x mod 2 = 0 and y mod 2 = 0",
        ),
        of_law(
            FIBONACCI_NIM,
            2,
            Says::Lost { components: 1 },
            NumerationSystem::zeckendorf(),
            Holds::Formula(fibonacci_nim_lost()),
        ),
    ] {
        let files = files(&certificate);
        let (system, law) = files.automata["grundy_0"].clone();
        let encoding = walnut::encoding(&system).expect("it was read");
        let relation = |law: &Automaton| Relation::new(encoding.clone(), law, &mut automata());
        let right = relation(&law).expect("a law");
        let states = u32::try_from(law.states()).expect("few");
        for at in 0..law.table().len() {
            for target in 0..states {
                let mut table = law.table().to_vec();
                table[at] = target;
                let accepting = law.accepting().to_vec();
                let changed = Automaton::new(law.alphabet().clone(), table, accepting);
                let changed = changed.expect("a table");
                let Ok(other) = relation(&changed) else {
                    continue;
                };
                let mut files = files.clone();
                let changed = (system.clone(), changed);
                files.automata.insert("grundy_0".to_owned(), changed);
                let answers = files.answers(&mut few()).expect("still readable");
                let says = |what| answers.iter().any(|(_, holds)| *holds == what);
                if other == right {
                    assert!(!says(Some(false)), "{at} to {target}: {answers:?}");
                    untouched += 1;
                } else {
                    // What is large may hide what is false.
                    assert!(
                        says(Some(false)) || says(None),
                        "{at} to {target}: {answers:?}"
                    );
                    damaged += usize::from(says(Some(false)));
                }
            }
        }
    }
    assert!(damaged > 50 && untouched > 10, "{damaged} and {untouched}");
}

/// The reader refuses what Walnut does.
#[test]
fn what_is_not_of_the_language_is_refused() {
    let library =
        "== Automata Library/even.txt\nmsd_2\n\n0 1\n0 -> 0\n1 -> 1\n\n1 0\n0 -> 0\n1 -> 1\n";
    let answer = |predicate: &str| {
        let text = format!("{library}== Command Files/grundy.txt\neval it \"{predicate}\":\n");
        let answers = Files::read(&text)?.answers(&mut automata())?;
        Ok::<Option<bool>, String>(answers[0].1)
    };
    for (predicate, holds) in [
        ("?msd_2 Ax $even(x) => (Ey x=2*y)", true),
        ("?msd_2 Ax (Ey x=2*y) => $even(x)", true),
        ("?msd_2 Ax (x!=0 & 1<=x | x=0)", true),
        // Both are read from the left, so this is (0=0 | 0=1) & 0=1.
        ("?msd_2 0=0 | 0=1 & 0=1", false),
        ("?msd_2 0=1 => 0=1 => 0=1", false),
        ("?msd_2 ~0=1 & 0=0", true),
        ("?msd_2 Ex x>2147483647", true),
    ] {
        assert_eq!(answer(predicate), Ok(Some(holds)), "{predicate}");
    }
    for predicate in [
        "Ax x=x",
        "?msd_2 Ax x=2147483648",
        "?msd_2 A x",
        "?msd_2 x=0",
        "?msd_2 AEx x=0",
        "?msd_2 Ax $odd(x)",
        "?msd_2 Ax $even(x,x)",
        "?lsd_2 Ax $even(x)",
        "?msd_2 Ax (x=x",
        "?msd_2 Ax x=x x=x",
        "?msd_tern Ax x=x",
        "?msd_2 Ax x*x=x",
    ] {
        assert!(answer(predicate).is_err(), "{predicate}");
    }
}
