use std::collections::BTreeMap;

use grundy_automata::{
    Alphabet, Atom, Automaton, Comparison, DigitOrder, Encoding, Error, Formula, Limit, Meter,
    NumerationSystem, Relation, Solver, Term, Variable,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use proptest::prelude::*;

use crate::{base, encodings, meter, numbers, tuples};

/// Free variables take these values in tests, and bound ones are kept below `BOUND` by the formula.
const FREE: u64 = 9;
const BOUND: u64 = 6;

type Values = BTreeMap<Variable, u64>;

fn value(term: &Term, values: &Values) -> BigInt {
    let parts = term.coefficients().iter();
    parts.map(|(v, c)| c * values[v]).sum::<BigInt>() + term.constant()
}

/// What a formula means, by trying all values below `BOUND` for what it binds.
fn holds(formula: &Formula, values: &Values) -> bool {
    let any = |variables: &[Variable], body: &Formula, wanted: bool| {
        tuples(variables.len(), BOUND).iter().any(|tuple| {
            let mut inner = values.clone();
            inner.extend(variables.iter().copied().zip(tuple.iter().copied()));
            holds(body, &inner) == wanted
        })
    };
    match formula {
        Formula::Constant(truth) => *truth,
        Formula::Compare(term, comparison) => {
            comparison.holds(value(term, values).cmp(&BigInt::ZERO))
        }
        Formula::Divisible(term, modulus) => (value(term, values) % modulus).to_i64() == Some(0),
        Formula::Atom(Atom::Xor, of) => values[&of[0]] ^ values[&of[1]] == values[&of[2]],
        Formula::Atom(atom, _) => panic!("the tests make no {atom:?}"),
        // The named relation is 2x < y.
        Formula::Named(_, of) => 2 * values[&of[0]] < values[&of[1]],
        Formula::Not(inner) => !holds(inner, values),
        Formula::And(parts) => parts.iter().all(|part| holds(part, values)),
        Formula::Or(parts) => parts.iter().any(|part| holds(part, values)),
        Formula::Exists(variables, body) => any(variables, body, true),
        Formula::Forall(variables, body) => !any(variables, body, false),
    }
}

fn variable() -> impl Strategy<Value = Variable> + Clone {
    (0..4u32).prop_map(Variable)
}

fn term() -> impl Strategy<Value = Term> {
    (
        prop::collection::vec((variable(), -3..4i64), 0..3),
        -30..30i64,
    )
        .prop_map(|(parts, constant)| {
            parts.into_iter().fold(Term::from(constant), |sum, (v, c)| {
                sum + Term::from(v).times(c)
            })
        })
}

/// Formulas with the free variables 0 and 1, whose quantifiers are bounded by what they say.
fn formula() -> impl Strategy<Value = Formula> {
    let comparison = prop::sample::select(vec![
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessEqual,
        Comparison::Greater,
        Comparison::GreaterEqual,
    ]);
    let leaf = prop_oneof![
        4 => (term(), comparison).prop_map(|(t, c)| Formula::Compare(t, c)),
        2 => (term(), 1..5u32).prop_map(|(t, m)| Formula::Divisible(t, m)),
        1 => prop::array::uniform3(variable()).prop_map(|v| Formula::atom(Atom::Xor, v)),
        1 => prop::array::uniform2(variable()).prop_map(|v| Formula::named("double", v)),
        1 => any::<bool>().prop_map(Formula::Constant),
    ];
    let bounded = |v: &[Variable]| {
        Formula::And(
            v.iter()
                .map(|&v| Formula::less(v, i64::try_from(BOUND).expect("small")))
                .collect(),
        )
    };
    let inner = leaf.prop_recursive(4, 24, 3, move |inner| {
        let parts = prop::collection::vec(inner.clone(), 0..4);
        let bound = || prop::collection::vec(variable(), 1..3);
        prop_oneof![
            inner.clone().prop_map(Formula::negated),
            parts.clone().prop_map(Formula::And),
            parts.prop_map(Formula::Or),
            (bound(), inner.clone())
                .prop_map(move |(v, f)| Formula::exists(v.clone(), bounded(&v).and(f))),
            (bound(), inner)
                .prop_map(move |(v, f)| Formula::forall(v.clone(), bounded(&v).implies(f))),
        ]
    });
    // The variables 2 and 3 are never free.
    inner.prop_map(move |f| {
        Formula::exists(
            [Variable(2), Variable(3)],
            bounded(&[Variable(2), Variable(3)]).and(f),
        )
    })
}

/// Variables may repeat in a quantifier of the tests; then the last value wins, and each is tried.
fn check(formula: &Formula, encoding: &Encoding) -> Result<(), TestCaseError> {
    let mut meter = meter();
    let mut solver = Solver::new(encoding.clone());
    let double =
        Relation::linear(encoding, &[2, -1], 0, Comparison::Less, &mut meter).expect("small");
    solver.define("double", double).expect("same encoding");
    let free = [Variable(0), Variable(1)];
    let relation = solver
        .relation(formula, &free, &mut meter)
        .expect("within the budget");
    for tuple in tuples(2, FREE) {
        let values: Values = free
            .into_iter()
            .chain([Variable(2), Variable(3)])
            .zip([tuple[0], tuple[1], 0, 0])
            .collect();
        prop_assert_eq!(
            relation.contains(&numbers(&tuple)),
            holds(formula, &values),
            "{:?} {} {:?}",
            tuple,
            encoding,
            formula
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn random_formulas(formula in formula(), msd in any::<bool>(), four in any::<bool>()) {
        let order = if msd { DigitOrder::Msd } else { DigitOrder::Lsd };
        check(&formula, &Encoding::new(base(if four { 4 } else { 2 }), order))?;
    }

    /// Whatever the budget, the answer is the answer or a limit.
    #[test]
    fn limits_say_nothing_else(formula in formula(), states in 1..60usize, steps in 0..30_000u64) {
        let encoding = Encoding::new(base(2), DigitOrder::Msd);
        let double = Relation::linear(&encoding, &[2, -1], 0, Comparison::Less, &mut meter()).expect("small");
        let solve = |meter: &mut Meter| {
            let mut solver = Solver::new(encoding.clone());
            solver.define("double", double.clone())?;
            solver.relation(&formula, &[Variable(0), Variable(1)], meter)
        };
        let whole = solve(&mut meter());
        let (limited, spent) = meter().capped(states, steps, solve);
        prop_assert!(spent <= steps);
        prop_assert!(limited == whole || matches!(limited, Err(Error::Limit(Limit::States(_) | Limit::Steps))));
    }

    #[test]
    fn random_formulas_without_digits(formula in formula(), which in 0..40usize) {
        prop_assume!(!format!("{formula:?}").contains("Xor"));
        let all: Vec<_> = encodings().into_iter().filter(|e| e.system.radix() <= 4).collect();
        check(&formula, &all[which % all.len()])?;
    }
}

#[test]
fn large_constants_and_coefficients() {
    let [x, y] = [Variable(0), Variable(1)];
    let million = BigInt::from(10u32).pow(30);
    for encoding in encodings() {
        let mut solver = Solver::new(encoding.clone());
        let sum = Formula::equal(x + y, Term::from(million.clone())).and(Formula::equal(x, y));
        let half = solver
            .relation(&sum, &[x, y], &mut meter())
            .expect("small")
            .witness();
        let expected = (million.clone() / 2u32).to_biguint().expect("positive");
        assert_eq!(half, Some(vec![expected.clone(), expected]), "{encoding}");
        let huge = Formula::equal(Term::from(x).times(million.clone()), y);
        let limit = solver.relation(&huge, &[x, y], &mut meter());
        assert!(matches!(limit, Err(Error::Limit(_))), "{encoding}");
        let cancelled = Formula::equal(
            Term::from(x).times(million.clone()) - Term::from(x).times(million.clone()),
            y,
        );
        let zero = solver
            .relation(&cancelled, &[x, y], &mut meter())
            .expect("small");
        assert!(zero.contains(&numbers(&[5, 0])) && !zero.contains(&numbers(&[5, 1])));
    }
}

#[test]
fn variables_may_repeat_and_come_in_any_order() {
    let [x, y] = [Variable(0), Variable(1)];
    for order in [DigitOrder::Msd, DigitOrder::Lsd] {
        let mut solver = Solver::new(Encoding::new(base(2), order));
        let mut meter = meter();
        let double_xor = Formula::atom(Atom::Xor, [x, x, y]);
        let zero = solver
            .relation(&double_xor, &[y, x], &mut meter)
            .expect("small");
        crate::agrees(&zero, 20, |t| t[0] == 0);
        let less = solver
            .relation(&Formula::less(x, y), &[y, Variable(7), x], &mut meter)
            .expect("small");
        crate::agrees(&less, 10, |t| t[2] < t[0]);
        let missing = solver.relation(&Formula::less(x, y), &[x], &mut meter);
        assert_eq!(missing, Err(Error::Variables));
        let twice = solver.relation(&Formula::less(x, y), &[x, y, x], &mut meter);
        assert_eq!(twice, Err(Error::Variables));
    }
}

#[test]
fn nonsense_is_refused() {
    let [x, y] = [Variable(0), Variable(1)];
    let mut solver = Solver::new(Encoding::new(base(2), DigitOrder::Msd));
    let mut refuse = |formula: &Formula, error: Error| {
        assert_eq!(solver.relation(formula, &[x, y], &mut meter()), Err(error));
    };
    refuse(&Formula::named("law", [x]), Error::Name("law".into()));
    refuse(&Formula::atom(Atom::Xor, [x, y]), Error::Tracks);
    refuse(&Formula::congruent(x, y, 0), Error::Modulus);
    let mut deep = Formula::equal(x, y);
    for _ in 0..300 {
        deep = Formula::exists([Variable(2)], deep.and(Formula::Constant(true)));
    }
    refuse(&deep, Error::Depth);
    let deep = (0..600).fold(Formula::equal(x, y), |deep, _| Formula::Not(Box::new(deep)));
    refuse(&deep, Error::Depth);
    let zeckendorf = Encoding::new(NumerationSystem::zeckendorf(), DigitOrder::Msd);
    let other = Relation::addition(&zeckendorf, &mut meter()).expect("small");
    assert_eq!(solver.define("other", other), Err(Error::Encoding));
    let law = Relation::addition(solver.encoding(), &mut meter()).expect("small");
    solver.define("law", law).expect("same encoding");
    let wrong = solver.relation(&Formula::named("law", [x]), &[x], &mut meter());
    assert_eq!(wrong, Err(Error::Name("law".into())));
}

/// An automaton is a relation only if it cannot tell how a number is padded, and accepts numbers only.
#[test]
fn what_is_no_relation_is_refused() {
    let alphabet = Alphabet::uniform(2, 1).expect("few letters");
    let odd_length =
        Automaton::new(alphabet.clone(), vec![1, 1, 0, 0], vec![false, true]).expect("a table");
    let all = Automaton::constant(alphabet, true);
    for order in [DigitOrder::Msd, DigitOrder::Lsd] {
        let binary = Encoding::new(base(2), order);
        let zeckendorf = Encoding::new(NumerationSystem::zeckendorf(), order);
        assert_eq!(
            Relation::new(binary.clone(), &odd_length, &mut meter()),
            Err(Error::Padding)
        );
        assert!(Relation::new(binary, &all, &mut meter()).is_ok());
        assert_eq!(
            Relation::new(zeckendorf, &all, &mut meter()),
            Err(Error::NotCanonical)
        );
        let decimal = Encoding::new(base(10), order);
        assert_eq!(
            Relation::new(decimal, &all, &mut meter()),
            Err(Error::Radix)
        );
    }
}
