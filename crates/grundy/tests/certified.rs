//! Laws proved for all sizes, by certificates that the checker accepts; and laws refuted.

mod by_hand;

use std::time::Instant;

use grundy::proof::Proved;
use grundy::proof::automatic::{Answer, Certification, Game, Holds, Law, Says, certify, decide};
use grundy_automata::{
    Automaton, DigitOrder, Encoding, Formula, NumerationSystem, Relation, Solver, Term, Variable,
};
use grundy_certificate::automatic::{AutomatonLaw, AutomatonProof};
use grundy_certificate::{Certificate, Law as Certified, Proof, Refusal};
use grundy_rules::{Component, Ruleset};

use by_hand::{
    E_AND_D, FIBONACCI_NIM, LASKER, LASKER_LAW, NIM, OF_ONE_HEAP, PERIODIC, X, Y, Z, automata,
    base, e_and_d, fibonacci_nim_lost, meter, moore, moore_lost, oracle_values, periodic, rules,
    wythoff_lost,
};

fn certified(name: &str, ruleset: &Ruleset, game: &Game, law: &Law) -> Certification {
    let start = Instant::now();
    let found = certify(ruleset, game, law, &mut automata(), &mut meter()).expect("inside");
    let time = start.elapsed();
    if let Certification::Proved(proved) = &found {
        let start = Instant::now();
        grundy_certificate::check(&proved.certificate, &mut meter()).expect("checked");
        println!(
            "{name:24} {time:8.1?} check {:8.1?} {} bytes",
            start.elapsed(),
            proved.certificate.len()
        );
    } else {
        println!("{name:24} {time:8.1?} {found:?}");
    }
    found
}

#[track_caller]
fn proved(name: &str, text: &str, claim: &str) -> Box<Proved> {
    let ruleset = rules(&format!("{text}\nclaim {claim}\n"));
    let claim = &ruleset.claims[0];
    let game = Game::new(&ruleset, claim.pattern.items.len()).expect("decidable rules");
    let law = Law::of_claim(&ruleset, claim, &game).expect("a decidable claim");
    match certified(name, &ruleset, &game, &law) {
        Certification::Proved(proved) => proved,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn laws_of_one_heap() {
    for (text, law) in OF_ONE_HEAP {
        proved(text, text, law);
    }
    for (text, start, period) in PERIODIC {
        let values = oracle_values(text, start + period);
        proved(text, text, &periodic(&values, *start));
    }
}

fn of_law(
    name: &str,
    text: &str,
    arity: usize,
    says: Says,
    system: NumerationSystem,
    holds: Holds,
) -> Certification {
    let ruleset = rules(text);
    let game = Game::new(&ruleset, arity).expect("decidable rules");
    let law = Law {
        says,
        holds,
        system,
    };
    certified(name, &ruleset, &game, &law)
}

#[track_caller]
fn is_proved(found: &Certification) {
    assert!(matches!(found, Certification::Proved(_)), "{found:?}");
}

#[test]
fn laws_of_tuples() {
    let heaps = "take: [x, y, z] -> [x-k, y, z] | [x, y-k, z] | [x, y, z-k] where k >= 1";
    proved(
        "nim as a triple",
        heaps,
        "lost [x, y, z] iff (x xor y) xor z = 0",
    );
    proved("its values", heaps, "grundy [x, y, z] = x xor y xor z");
    proved(
        "misère nim, 3 heaps",
        &format!("play misere\n{heaps}"),
        "lost [x, y, z] iff x xor y xor z = 0 and max(x, y, z) > 1 or x + y + z in {1,3} and max(x, y, z) = 1",
    );
    proved(
        "towards each other",
        "[x, y] -> [x+k, y] | [x, y-k] where 1 <= k < y-x",
        "grundy [x, y] = y - x - 1 if y > x; 0",
    );
    let staircase =
        "row a\ndown: a[i] -= k, a[i-1] += k where i >= 2, k >= 1\nout: a[1] -= k where k >= 1";
    proved("staircase of 3", staircase, "grundy [x, y, z] = x xor z");
    proved("staircase of 4", staircase, "lost [x, y, z, w] iff x = z");
    proved(
        "silver dollar, 3 coins",
        "row p, increasing\nslide: p[i] -= k where k >= 1",
        "lost [x, y, z] iff z = y + x + 1",
    );
    proved(
        "nim of 2 with a pass",
        "start [x, y] as [x, y, 1]\n[x, y, p] -> [x-k, y, p] | [x, y-k, p] where k >= 1\n\
         [x, y, 1] -> [x, y, 0] where x + y >= 1",
        "lost [x, y, p] iff x + y = 0 or p != 1 and x = y \
         or p = 1 and abs(x - y) = 1 and max(x, y) mod 2 = 0",
    );
    proved(
        "king",
        "[x, y] -> [x-1, y] | [x, y-1] | [x-1, y-1]\nends lost [0, 0]",
        "lost [x, y] iff x mod 2 = 0 and y mod 2 = 0",
    );
    proved(
        "chomp 2xn",
        "play misere\nrow r, nonincreasing\n[x, y] -> [k, y] where y <= k < x\n[x, y] -> [k, k] where k < y, x >= 1\n[x, y] -> [x, k] where k < y",
        "lost [x, y] iff x = y + 1",
    );
    for h in [3, 4, 5] {
        proved(
            &format!("cyclic nimhoff({h})"),
            &format!(
                "[x, y] -> [x-k, y] | [x, y-k] where k >= 1\n\
                 [x, y] -> [x-i, y-j] where i >= 1, j >= 1, i+j < {h}"
            ),
            &format!("grundy [x, y] = {h} * ((x / {h}) xor (y / {h})) + (x + y) mod {h}"),
        );
    }
}

/// Wythoff (1907), and Fraenkel (1982) for amounts that differ by less than r.
#[test]
fn wythoff() {
    for r in 1..=3u32 {
        let (text, lost) = (by_hand::wythoff(r), wythoff_lost());
        let system = NumerationSystem::wythoff(r).expect("a step");
        let says = Says::Lost { components: 1 };
        let name = format!("{r}-wythoff");
        is_proved(&of_law(
            &name,
            &text,
            2,
            says,
            system.clone(),
            Holds::Formula(lost.clone()),
        ));
        if r == 1 {
            // In misère play only the smallest positions differ.
            let among = |pairs: &[(i64, i64)]| {
                let each = pairs
                    .iter()
                    .map(|(x, y)| Formula::equal(X, *x).and(Formula::equal(Y, *y)));
                Formula::Or(each.collect())
            };
            let others = lost.and(among(&[(0, 0), (1, 2), (2, 1)]).negated());
            let misere = others.or(among(&[(0, 1), (1, 0), (2, 2)]));
            let text = format!("play misere\n{text}");
            is_proved(&of_law(
                "misère wythoff",
                &text,
                2,
                says,
                system,
                Holds::Formula(misere),
            ));
        }
    }
}

/// Whinihan (1963).
#[test]
fn fibonacci_nim() {
    let says = Says::Lost { components: 1 };
    let system = NumerationSystem::zeckendorf();
    is_proved(&of_law(
        "fibonacci-nim",
        FIBONACCI_NIM,
        2,
        says,
        system,
        Holds::Formula(fibonacci_nim_lost()),
    ));
}

/// E&D: the value is the least place at which x-1 and y-1 both have the binary digit 0.
#[test]
fn the_value_as_a_power_of_two() {
    is_proved(&of_law(
        "e-and-d",
        E_AND_D,
        2,
        Says::PowerOfValue,
        base(2),
        Holds::Formula(e_and_d()),
    ));
}

/// Taking at least half of a heap: the value is the number of binary digits. Splits whose parts have values that lie close
/// together change nothing, and automata tell enough of the exclusive or of such numbers; where splits change values,
/// the same law is refuted.
#[test]
fn values_as_powers_of_two_of_split_heaps() {
    let digits = Formula::less(X, Y)
        .and(Formula::less_equal(Y, Term::from(X).times(2)))
        .or(Formula::equal(X, 0).and(Formula::equal(Y, 1)));
    let law = |split: &str| {
        of_law(
            split,
            &format!("[n] -> [n-k] where k >= 1, 2*k >= n\n{split}"),
            1,
            Says::PowerOfValue,
            base(2),
            Holds::Formula(digits.clone()),
        )
    };
    for split in [
        "[n] -> [a] + [a] where a >= 1, 2*a = n",
        "[n] -> [a] + [a+1] where a >= 1, 2*a+1 = n",
        "[n] -> [a] + [a] + [a] where a >= 1, 3*a = n",
        "[n] -> [a] + [b] where a >= 1, 2*a = n, 2*b = n, n mod 4 = 0",
    ] {
        is_proved(&law(split));
    }
    for split in [
        "[n] -> [a] + [n-a] where 1 <= a < n",
        "[n] -> [1] + [n-1] where n >= 2",
        "[n] -> [a] + [a] + [n-2*a] where a >= 1, 2*a < n",
    ] {
        let found = law(split);
        assert!(matches!(found, Certification::Refuted(_)), "{found:?}");
    }
}

#[test]
fn several_heaps() {
    for (heaps, d) in [
        (1, 1),
        (2, 1),
        (3, 1),
        (4, 1),
        (5, 1),
        (6, 1),
        (4, 2),
        (5, 2),
        (5, 3),
        (6, 3),
    ] {
        let says = Says::Lost {
            components: heaps as usize,
        };
        let name = format!("moore({d}), {heaps} heaps");
        let law = Holds::Relation(moore_lost(heaps, d));
        is_proved(&of_law(&name, &moore(d), 1, says, base(2), law));
    }
}

/// A known law, and its game.
struct Known {
    name: &'static str,
    text: &'static str,
    arity: usize,
    says: Says,
    relation: Relation,
}

impl Known {
    fn of_claim(name: &'static str, text: &'static str, arity: usize, claim: &str) -> Self {
        let ruleset = rules(&format!("{text}\nclaim {claim}\n"));
        let game = Game::new(&ruleset, arity).expect("decidable rules");
        let law = Law::of_claim(&ruleset, &ruleset.claims[0], &game).expect("decidable");
        let Holds::Formula(formula) = &law.holds else {
            unreachable!("claims are formulas")
        };
        let tracks = match law.says {
            Says::Lost { .. } => arity,
            _ => arity + 1,
        };
        let variables: Vec<Variable> = [X, Y, Z, Variable(3)][..tracks].to_vec();
        let encoding = Encoding::new(law.system.clone(), DigitOrder::Msd);
        let relation = Solver::new(encoding).relation(formula, &variables, &mut automata());
        Self {
            name,
            text,
            arity,
            says: law.says,
            relation: relation.expect("small"),
        }
    }

    fn law(&self, relation: Relation) -> Law {
        Law {
            says: self.says,
            system: relation.encoding().system.clone(),
            holds: Holds::Relation(relation),
        }
    }
}

fn known() -> Vec<Known> {
    vec![
        Known::of_claim("nim", NIM, 1, "grundy [n] = n"),
        Known::of_claim("lasker", LASKER, 1, LASKER_LAW),
        Known::of_claim(
            "{2,5}",
            "rules {2,5}",
            1,
            "grundy [n] = 0 if n mod 7 in {0,1,4}; 1 if n mod 7 in {2,3,6}; 2",
        ),
        Known::of_claim(
            "powers",
            "[n] -> [n-k] where k in powers of 2",
            1,
            "grundy [n] = n mod 3",
        ),
        Known::of_claim(
            "king",
            "[x, y] -> [x-1, y] | [x, y-1] | [x-1, y-1]\nends lost [0, 0]",
            2,
            "lost [x, y] iff x mod 2 = 0 and y mod 2 = 0",
        ),
        Known {
            name: "moore",
            text: "compound selective up to 2\n[n] -> [n-k] where k >= 1",
            arity: 1,
            says: Says::Lost { components: 3 },
            relation: moore_lost(3, 2),
        },
    ]
}

/// The same automaton with one transition changed.
fn changed(automaton: &Automaton, at: usize, target: u32) -> Automaton {
    let mut table = automaton.table().to_vec();
    table[at] = target;
    let accepting = automaton.accepting().to_vec();
    Automaton::new(automaton.alphabet().clone(), table, accepting).expect("a table")
}

/// Every change of one transition of a law that changes what it says is refused with the old proof, sealed anew.
/// What is changed of states that nothing reaches changes nothing, and is accepted.
#[test]
fn damaged_certificates_are_refused() {
    let (mut refused, mut accepted) = (0, 0);
    for known in known() {
        let ruleset = rules(known.text);
        let game = Game::new(&ruleset, known.arity).expect("decidable rules");
        let law = known.law(known.relation.clone());
        let Certification::Proved(proved) = certified(known.name, &ruleset, &game, &law) else {
            panic!("{} is proved", known.name);
        };
        let certificate = Certificate::from_text(&proved.certificate).expect("it was written");
        let sealed = |change: &dyn Fn(&mut AutomatonLaw)| {
            let mut certificate = certificate.clone();
            let Certified::Automaton(law) = &mut certificate.law else {
                unreachable!("an automaton was certified")
            };
            change(law);
            grundy_certificate::check(&certificate.to_text(), &mut meter())
        };
        let Certified::Automaton(right) = &certificate.law else {
            unreachable!("an automaton was certified")
        };
        let states = u32::try_from(right.automaton.accepting.len()).expect("few");
        for at in 0..right.automaton.table.len() {
            for target in (0..states).filter(|target| *target != right.automaton.table[at]) {
                // It is minimal, so that every change matters.
                let result = sealed(&|law| law.automaton.table[at] = target);
                assert!(
                    matches!(result, Err(Refusal::False(_))),
                    "{}: {at} to {target}: {result:?}",
                    known.name
                );
                refused += 1;
            }
        }
        for state in 0..right.automaton.accepting.len() {
            let result = sealed(&|law| law.automaton.accepting[state] ^= true);
            assert!(matches!(result, Err(Refusal::False(_))), "{}", known.name);
            refused += 1;
        }
        // One state more, which nothing reaches.
        let letters = right.automaton.table.len() / right.automaton.accepting.len();
        for target in 0..=states {
            let result = sealed(&|law| {
                law.automaton.accepting.push(false);
                law.automaton.table.extend(vec![states; letters]);
                let last = law.automaton.table.len() - 1;
                law.automaton.table[last] = target;
            });
            assert!(result.is_ok(), "{}: {result:?}", known.name);
            accepted += 1;
        }
    }
    println!("{refused} refused, {accepted} accepted");
    assert!(refused > 900, "only {refused} damaged certificates");
}

/// What is damaged in a proof is refused, or does no harm: the law that it proves is the same.
#[test]
fn damaged_proofs_are_refused() {
    let known = &known()[1];
    let ruleset = rules(known.text);
    let game = Game::new(&ruleset, known.arity).expect("decidable rules");
    let law = known.law(known.relation.clone());
    let Certification::Proved(proved) = certified(known.name, &ruleset, &game, &law) else {
        panic!("{} is proved", known.name);
    };
    let certificate = Certificate::from_text(&proved.certificate).expect("it was written");
    let Proof::Automaton(proof) = &certificate.proof else {
        unreachable!("an automaton was certified")
    };
    let refused = |change: &dyn Fn(&mut AutomatonProof)| {
        let mut proof = proof.clone();
        change(&mut proof);
        let certificate = Certificate {
            proof: Proof::Automaton(proof),
            ..certificate.clone()
        };
        grundy_certificate::check(&certificate.to_text(), &mut meter()).is_err()
    };
    assert!(refused(&|proof| proof.measures.clear()));
    assert!(refused(&|proof| proof.measures[0] = vec![-1]));
    assert!(refused(&|proof| proof.measures[0] = vec![1, 1]));
    assert!(refused(&|proof| proof.invariants.truncate(1)));
    let mut refusals = 0;
    for which in 0..proof.invariants.len() {
        for at in 0..proof.invariants[which].len() {
            for by in [1, u64::MAX, 1 << 40] {
                let change = |proof: &mut AutomatonProof| {
                    let number = &mut proof.invariants[which][at];
                    *number = number.wrapping_add(by);
                };
                refusals += usize::from(refused(&change));
            }
        }
    }
    assert!(refusals > 500, "only {refusals}");
}

/// The two procedures agree about laws with one or two changes.
#[test]
fn both_procedures_agree_about_mutants() {
    let (mut proved, mut refuted) = (0, 0);
    for known in known() {
        let ruleset = rules(known.text);
        let game = Game::new(&ruleset, known.arity).expect("decidable rules");
        let right = known.relation.automaton();
        let states = u32::try_from(right.states()).expect("few");
        let single: Vec<(usize, u32)> = (0..right.table().len())
            .flat_map(|at| (0..states).map(move |target| (at, target)))
            .collect();
        for (place, (at, target)) in single.iter().enumerate() {
            // Alone, and with another one far away in the list.
            let (other, to) = single[(place * 31 + 7) % single.len()];
            let once = changed(right, *at, *target);
            let twice = changed(&once, other, to);
            for damaged in [once, twice] {
                let encoding = known.relation.encoding().clone();
                let Ok(damaged) = Relation::new(encoding, &damaged, &mut automata()) else {
                    continue;
                };
                let law = known.law(damaged);
                let first = decide(&ruleset, &game, &law, &mut automata(), &mut meter());
                let second = certify(&ruleset, &game, &law, &mut automata(), &mut meter());
                match (first.expect("inside"), second.expect("inside")) {
                    (Answer::Derived { .. }, Certification::Proved(_)) => proved += 1,
                    (Answer::Refuted(_), Certification::Refuted(_)) => refuted += 1,
                    answers => panic!("{}: {answers:?}", known.name),
                }
            }
        }
    }
    println!("{proved} proved, {refuted} refuted");
    assert!(proved > 50 && refuted > 1000, "{proved} and {refuted}");
}

/// What is false is refuted by a position.
#[test]
fn false_laws() {
    let refuted = |text: &str, claim: &str| {
        let ruleset = rules(&format!("{text}\nclaim {claim}\n"));
        let claim = &ruleset.claims[0];
        let game = Game::new(&ruleset, claim.pattern.items.len()).expect("decidable rules");
        let law = Law::of_claim(&ruleset, claim, &game).expect("a decidable claim");
        match certified("false", &ruleset, &game, &law) {
            Certification::Refuted(found) => found.position.0[0].clone(),
            other => panic!("{text}: {other:?}"),
        }
    };
    let heap = |n: u64| Component::of_numbers([n]);
    assert_eq!(refuted(LASKER, "grundy [n] = n"), heap(3));
    let mut values = oracle_values("rules 0.77", 83);
    values[70] = values[58];
    assert_eq!(refuted("rules 0.77", &periodic(&values, 71)), heap(70));
    let heaps = "take: [x, y, z] -> [x-k, y, z] | [x, y-k, z] | [x, y, z-k] where k >= 1";
    refuted(heaps, "lost [x, y, z] iff x/2 xor y/2 xor z/2 = 0");
    // Unequal parts: n0 = 4, p = 3 agrees below 13 and fails there.
    let text = "[n] -> [a] + [n-1-a] where 1 <= a < n-1-a\n[2] -> nothing";
    refuted(text, &periodic(&oracle_values(text, 7), 4));
}
