//! What must be proved of a law of a game, as statements about numbers: formulas of the size that provers meet.

use grundy_automata::{
    Atom::{self, TrailingZeros},
    Budget, DigitOrder, Encoding, Error, Formula, Meter, NumerationSystem, Solver, Term, Variable,
};
use num_bigint::BigUint;

use crate::{base, meter};

const N: Variable = Variable(0);
const G: Variable = Variable(1);
const H: Variable = Variable(2);
const A: Variable = Variable(3);
const B: Variable = Variable(4);
const C: Variable = Variable(5);
const U: Variable = Variable(6);
const V: Variable = Variable(7);
const W: Variable = Variable(8);

fn binary(order: DigitOrder) -> Solver {
    Solver::new(Encoding::new(base(2), order))
}

fn xor(x: Variable, y: Variable, z: Variable) -> Formula {
    Formula::atom(Atom::Xor, [x, y, z])
}

fn law(n: Variable, g: Variable) -> Formula {
    Formula::named("law", [n, g])
}

/// Proves that `values` are the values of a game of one heap, whose options of a heap `N` have the value `H` where
/// `options` holds: each heap has one value, no option has it, and every smaller value is that of an option. Otherwise a
/// heap and a value for which this fails.
fn prove(
    solver: &mut Solver,
    values: &Formula,
    options: &Formula,
    meter: &mut Meter,
) -> Result<Option<Vec<BigUint>>, Error> {
    let relation = solver.relation(values, &[N, G], meter)?;
    solver.define("law", relation)?;
    // The value of two heaps together, which more than one kind of move may need.
    let two = Formula::exists([U, V], law(A, U).and(law(B, V)).and(xor(U, V, H)));
    let two = solver.relation(&two, &[A, B, H], meter)?;
    solver.define("two", two)?;
    let options = solver.relation(options, &[N, H], meter)?;
    solver.define("options", options)?;
    let option = |h| Formula::named("options", [N, h]);
    let total = Formula::exists([G], law(N, G));
    let single = law(N, G).and(law(N, H)).implies(Formula::equal(G, H));
    let excluded = law(N, G).and(option(G)).negated();
    let covered = law(N, G).and(Formula::less(H, G)).implies(option(H));
    for law in [total, single, excluded, covered] {
        if let Some(found) = solver.counterexample(&law, &[N, G, H], meter)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The law of a sequence that repeats from `start` on.
fn periodic(values: &[i64], start: usize) -> Formula {
    let period = i64::try_from(values.len() - start).expect("short");
    let value = |at: i64, heap: Formula| {
        heap.and(Formula::equal(
            G,
            values[usize::try_from(at).expect("an index")],
        ))
    };
    let start = i64::try_from(start).expect("short");
    let exceptions = (0..start).map(|n| value(n, Formula::equal(N, n)));
    let cycle = (start..start + period).map(|n| {
        let residue = Formula::congruent(N, n, u32::try_from(period).expect("short"));
        value(n, residue.and(Formula::less_equal(n, N)))
    });
    Formula::Or(exceptions.chain(cycle).collect())
}

/// Values of an octal game by their definition: from heap `n` one may take `k` and leave one heap, or two.
fn octal_values(digits: &[u32], heaps: usize) -> Vec<i64> {
    let mut values: Vec<i64> = Vec::new();
    for n in 0..heaps {
        let mut options = Vec::new();
        for (k, digit) in digits.iter().enumerate().map(|(at, digit)| (at + 1, digit)) {
            let Some(rest) = n.checked_sub(k) else {
                continue;
            };
            if digit & 1 != 0 && rest == 0 {
                options.push(0);
            }
            if digit & 2 != 0 && rest > 0 {
                options.push(values[rest]);
            }
            if digit & 4 != 0 {
                options.extend((1..rest).map(|a| values[a] ^ values[rest - a]));
            }
        }
        values.push(
            (0..100)
                .find(|value| !options.contains(value))
                .expect("finitely many options"),
        );
    }
    values
}

/// The values of options of an octal game whose digits are 0 or 7, or 3.
fn octal_options(digits: &[u32]) -> Formula {
    let two = Formula::named("two", [A, B, H]);
    let moves = digits.iter().zip(1i64..).filter(|(digit, _)| **digit > 0);
    let rests = |parts: fn() -> Term| {
        let rest = moves
            .clone()
            .map(move |(_, k)| Formula::equal(N, parts() + k));
        Formula::Or(rest.collect())
    };
    let one = Formula::exists([A], law(A, H).and(rests(|| Term::from(A))));
    if digits.iter().all(|digit| digit & 4 == 0) {
        return one;
    }
    // Heaps may be empty: that is leaving one heap, or none.
    Formula::exists([A, B], two.and(rests(|| A + B)))
}

/// Guy and Smith (1956): 0.77, Kayles, has period 12 from 71, and 0.07, Dawson's Kayles, 34 from 53.
#[test]
fn octal_games() {
    for (digits, start, period) in [
        (&[7u32, 7] as &[u32], 71, 12),
        (&[0, 7], 53, 34),
        (&[3, 3, 3], 0, 4),
        (&[0, 3, 0, 0, 3], 0, 7),
    ] {
        let values = octal_values(digits, start + period);
        let mut solver = binary(DigitOrder::Msd);
        let found = prove(
            &mut solver,
            &periodic(&values, start),
            &octal_options(digits),
            &mut meter(),
        );
        assert_eq!(found, Ok(None), "{digits:?}");
    }
    // One exception of Kayles left out.
    let mut values = octal_values(&[7, 7], 83);
    values[70] = values[58];
    let mut solver = binary(DigitOrder::Msd);
    let found = prove(
        &mut solver,
        &periodic(&values, 71),
        &octal_options(&[7, 7]),
        &mut meter(),
    );
    assert!(matches!(found, Ok(Some(_))), "{found:?}");
}

/// Lasker's Nim (Winning Ways): 4k+3 and 4k+4 change places.
#[test]
fn lasker() {
    let class = |r, shift: i64| Formula::congruent(N, r, 4).and(Formula::equal(G, N + shift));
    let zero = Formula::equal(N, 0).and(Formula::equal(G, 0));
    let right = zero
        .clone()
        .or(class(1, 0))
        .or(class(2, 0))
        .or(class(3, 1))
        .or(class(0, -1));
    let wrong = Formula::equal(N, G);
    let take = Formula::exists([A], law(A, H).and(Formula::less(A, N)));
    let positive = |x| Formula::less(0, x);
    let split = Formula::named("two", [A, B, H]).and(Formula::equal(N, A + B));
    let options = take.or(Formula::exists(
        [A, B],
        split.and(positive(A)).and(positive(B)),
    ));
    for order in [DigitOrder::Msd, DigitOrder::Lsd] {
        let found = prove(&mut binary(order), &right, &options, &mut meter());
        assert_eq!(found, Ok(None), "{order}");
        // Heap 3 splits into 1 and 2, of value 3.
        let found = prove(&mut binary(order), &wrong, &options, &mut meter());
        assert_eq!(
            found.map(|place| place.map(|p| p[0].clone())),
            Ok(Some(3u32.into())),
            "{order}"
        );
    }
}

/// Nim, where a heap may also be split in three: values change places in eights.
#[test]
fn three_way() {
    let positive = |x| Formula::less(0, x);
    let class = |r, shift: i64| Formula::congruent(N, r, 8).and(Formula::equal(G, N + shift));
    let zero = Formula::equal(N, 0).and(Formula::equal(G, 0));
    let same = (1..7).map(|r| class(r, 0));
    let law_formula = Formula::Or(
        same.chain([class(7, 1), class(0, -1).and(positive(N)), zero])
            .collect(),
    );
    let take = Formula::exists([A], law(A, H).and(Formula::less(A, N)));
    let pair = Formula::named("two", [A, B, W])
        .and(positive(A))
        .and(positive(B));
    let third = law(C, U)
        .and(positive(C))
        .and(xor(W, U, H))
        .and(Formula::equal(N, A + B + C));
    let split = Formula::exists([A, B, C, U, W], pair.and(third));
    for order in [DigitOrder::Msd, DigitOrder::Lsd] {
        let found = prove(
            &mut binary(order),
            &law_formula,
            &take.clone().or(split.clone()),
            &mut meter(),
        );
        assert_eq!(found, Ok(None), "{order}");
    }
}

/// Moore (1910): in Nim where up to two heaps are changed at a time, a position is lost where the number of ones is
/// divisible by three at every binary place.
#[test]
fn moore() {
    for heaps in 3..=5u32 {
        for order in [DigitOrder::Msd, DigitOrder::Lsd] {
            let encoding = Encoding::new(base(2), order);
            let alphabet = encoding.alphabet(heaps as usize).expect("few tracks");
            let letters = u32::try_from(alphabet.letters()).expect("few");
            let table =
                (0..2 * letters).map(|at| u32::from(at >= letters || at.count_ones() % 3 > 0));
            let lost =
                grundy_automata::Automaton::new(alphabet, table.collect(), vec![true, false]);
            let mut meter = Meter::new(Budget::default());
            let lost = grundy_automata::Relation::new(
                encoding.clone(),
                &lost.expect("a table"),
                &mut meter,
            );
            let mut solver = Solver::new(encoding);
            solver
                .define("lost", lost.expect("canonical"))
                .expect("same encoding");
            let x: Vec<Variable> = (0..heaps).map(Variable).collect();
            let lost = |heaps: &[Variable]| Formula::named("lost", heaps);
            // From each position that is not lost one heap or two become smaller and it is lost.
            let mut ways = vec![lost(&x)];
            for i in 0..x.len() {
                for j in i..x.len() {
                    let [p, q] = [Variable(100), Variable(101)];
                    let mut after = x.clone();
                    after[i] = p;
                    after[j] = q;
                    let (mut smaller, mut bound) = (Formula::less(q, x[j]), vec![q]);
                    if i < j {
                        smaller = smaller.and(Formula::less(p, x[i]));
                        bound.push(p);
                    }
                    ways.push(Formula::exists(bound, smaller.clone().and(lost(&after))));
                    // And no such move leads from a lost position to another.
                    let stuck = Formula::exists(
                        [x.clone(), vec![p, q]].concat(),
                        smaller.and(lost(&x)).and(lost(&after)),
                    );
                    assert_eq!(
                        solver.decide(&stuck, &mut meter),
                        Ok(false),
                        "{heaps} {order}"
                    );
                }
            }
            let found = solver.counterexample(&Formula::Or(ways), &x, &mut meter);
            assert_eq!(found, Ok(None), "{heaps} {order}");
        }
    }
}

/// Proves that `lost` names the lost positions of a game whose moves lead from `(N, G)` to `(A, B)` where `moves` holds.
#[track_caller]
fn prove_lost(system: &NumerationSystem, lost: &Formula, moves: &Formula) {
    for order in [DigitOrder::Msd, DigitOrder::Lsd] {
        let mut solver = Solver::new(Encoding::new(system.clone(), order));
        let mut meter = meter();
        for (name, formula, variables) in [
            ("lost", lost, vec![N, G]),
            ("move", moves, vec![N, G, A, B]),
        ] {
            let relation = solver.relation(formula, &variables, &mut meter);
            let defined = solver.define(name, relation.expect("within the budget"));
            defined.expect("same encoding");
        }
        let lost = |x, y| Formula::named("lost", [x, y]);
        let into = Formula::named("move", [N, G, A, B]).and(lost(A, B));
        let stuck = into.clone().and(lost(N, G)).negated();
        let stuck = Formula::forall([N, G, A, B], stuck);
        assert_eq!(
            solver.decide(&stuck, &mut meter),
            Ok(true),
            "{system} {order}"
        );
        let way = lost(N, G).or(Formula::exists([A, B], into));
        let found = solver.counterexample(&way, &[N, G], &mut meter);
        assert_eq!(found, Ok(None), "{system} {order}");
    }
}

/// Wythoff (1907), and Fraenkel (1982) for amounts that differ by less than r, from the rules.
#[test]
fn wythoff() {
    for r in 1..=3 {
        let system = NumerationSystem::wythoff(r).expect("a step");
        let even = TrailingZeros {
            remainder: 0,
            modulus: 2,
        };
        let pair = |x, y| {
            let lower = Formula::atom(even.clone(), [x]);
            lower.and(Formula::atom(Atom::Shifted, [x, y]))
        };
        let empty = Formula::equal(N, 0).and(Formula::equal(G, 0));
        let lost = empty.or(pair(N, G)).or(pair(G, N));
        let one = Formula::less(A, N).and(Formula::equal(B, G));
        let other = Formula::equal(A, N).and(Formula::less(B, G));
        let (j, k) = (N - A, G - B);
        let near = Formula::less(j.clone(), k.clone() + i64::from(r))
            .and(Formula::less(k, j + i64::from(r)));
        let both = Formula::less(A, N).and(Formula::less(B, G)).and(near);
        prove_lost(&system, &lost, &one.or(other).or(both));
    }
}

/// Whinihan (1963): of `N` counters up to `G` may be taken, and then up to twice as many as were. It is lost where the
/// least Fibonacci number in the sum of `N` exceeds `G`.
#[test]
fn fibonacci_nim() {
    let term = |f| Formula::atom(Atom::DigitAt(1), [N, f]);
    let smaller = Formula::exists([V], term(V).and(Formula::less(V, U)));
    let least = Formula::exists([U], term(U).and(smaller.negated()).and(Formula::less(G, U)));
    let lost = Formula::equal(N, 0).or(least);
    let taken = Formula::exists(
        [C],
        Formula::less(0, C)
            .and(Formula::less_equal(C, G))
            .and(Formula::equal(N, A + C))
            .and(Formula::equal(B, C + C)),
    );
    prove_lost(&NumerationSystem::zeckendorf(), &lost, &taken);
}
