//! Printing a problem and reading it again gives the same problem.

use grundy_problems::catalogue::PROBLEMS;
use grundy_problems::parse;
use grundy_problems::problem::{
    Action, Binary, Comparison, Expression, Extent, Extreme, Fold, Game, Generator, Kind, Name,
    Order, PlayedGame, Problem, Reading, Repeat, Rules, Span, Statement, Term, Times,
};
use num_bigint::BigInt;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn is_read_again(problem: &Problem) {
    let text = problem.to_text();
    assert_eq!(parse(&text).as_ref(), Ok(problem), "{text}");
}

#[test]
fn the_catalogue_is_read_again() {
    for entry in PROBLEMS {
        is_read_again(&parse(entry.text).expect("a problem without faults"));
    }
}

#[test]
fn names_that_are_words_elsewhere_are_read_again() {
    let text = "problem p\nread line in 1..9, word in 1..9, least: integer, up in (word)..9\n\
        read a: (line) of (word + 1)..9, b: (line + 1) of 1..(-least)..up\n";
    // A range of ranges is no kind.
    assert!(parse(text).is_err());
    let text = text.replace("(-least)..up", "9");
    is_read_again(&parse(&text).expect("names of values"));
}

// Random problems: `n` is a number, `a` a list of numbers, `w` a text, `s` a sum of components.

fn new(term: Term) -> Expression {
    let span = Span::default();
    Expression { term, span }
}

fn name(text: &str) -> Name {
    Name {
        text: text.to_owned(),
        span: Span::default(),
    }
}

fn variable(text: &str) -> Expression {
    new(Term::Variable(text.to_owned()))
}

fn call(function: &str, arguments: Vec<Expression>) -> Expression {
    new(Term::Call(name(function), arguments))
}

fn binary(operator: Binary, left: Expression, right: Expression) -> Expression {
    new(Term::Binary(operator, Box::new(left), Box::new(right)))
}

fn boxed(term: impl Fn(Box<Expression>) -> Term, inner: Expression) -> Expression {
    new(term(Box::new(inner)))
}

/// Expressions of each kind, one inside the other.
#[derive(Clone, Debug)]
struct Mixed {
    number: Expression,
    truth: Expression,
    list: Expression,
    text: Expression,
    sum: Expression,
}

fn leaves() -> impl Strategy<Value = Mixed> {
    let number = prop_oneof![
        (0_u64..30).prop_map(|n| new(Term::Number(BigInt::from(n)))),
        Just(variable("n")),
        Just(new(Term::Number(BigInt::from(10).pow(30)))),
    ];
    let text = prop_oneof![
        Just(variable("w")),
        "[ -~\n]{0,5}".prop_map(|text| new(Term::Text(text))),
    ];
    let list = prop_oneof![Just(variable("a")), Just(new(Term::List(Vec::new())))];
    let sum = prop_oneof!["nim", "s-nim", "take-or-split", "bash"];
    (number, text, list, sum).prop_map(|(number, text, list, game)| Mixed {
        truth: new(Term::Chain(
            Box::new(number.clone()),
            vec![(Comparison::Less, variable("n"))],
        )),
        sum: new(Term::At(
            Box::new(PlayedGame::Named(name(&game))),
            Box::new(list.clone()),
        )),
        number,
        text,
        list,
    })
}

fn made(inner: &Mixed, misere: bool) -> PlayedGame {
    PlayedGame::Made(Game {
        rules: Rules::Named(name("bash")),
        misere,
        parameters: vec![(name("m"), inner.number.clone())],
        span: Span::default(),
    })
}

fn generator(inner: &Mixed, condition: bool, key: bool) -> Generator {
    Generator {
        names: vec![name("x")],
        over: Box::new(inner.list.clone()),
        condition: condition.then(|| Box::new(inner.truth.clone())),
        key: key.then(|| Box::new(inner.number.clone())),
    }
}

const ARITHMETIC: &[Binary] = &[
    Binary::BitOr,
    Binary::BitXor,
    Binary::BitAnd,
    Binary::ShiftLeft,
    Binary::ShiftRight,
    Binary::Plus,
    Binary::Minus,
    Binary::Times,
    Binary::Over,
    Binary::Modulo,
    Binary::Power,
];

const COMPARISONS: &[Comparison] = &[
    Comparison::Equal,
    Comparison::Unequal,
    Comparison::Less,
    Comparison::AtMost,
    Comparison::Greater,
    Comparison::AtLeast,
];

fn number(one: &Mixed, other: &Mixed, way: u8) -> Expression {
    match way % 14 {
        form @ 0..=10 => {
            let operator = ARITHMETIC[usize::from(form)];
            binary(operator, one.number.clone(), other.number.clone())
        }
        11 => boxed(Term::Minus, one.number.clone()),
        12 => new(Term::Index(
            Box::new(one.list.clone()),
            Box::new(other.number.clone()),
        )),
        _ => call("min", vec![one.number.clone(), other.number.clone()]),
    }
}

fn truth(one: &Mixed, other: &Mixed, way: u8) -> Expression {
    let both = |operator| binary(operator, one.truth.clone(), other.truth.clone());
    match way % 8 {
        0 => both(Binary::Or),
        1 => both(Binary::And),
        2 => boxed(Term::Not, one.truth.clone()),
        3 => call("won", vec![one.sum.clone()]),
        4 => new(Term::Chain(
            Box::new(one.number.clone()),
            vec![
                (COMPARISONS[usize::from(way) % 6], other.number.clone()),
                (Comparison::Equal, new(Term::None)),
            ],
        )),
        5 => new(Term::Chain(
            Box::new(one.number.clone()),
            vec![(Comparison::NotIn, other.list.clone())],
        )),
        6 => new(Term::Chain(
            Box::new(one.truth.clone()),
            vec![(Comparison::Equal, other.truth.clone())],
        )),
        _ => new(Term::Chain(
            Box::new(one.number.clone()),
            vec![(
                Comparison::In,
                new(Term::Range(Box::new(other.number.clone()), None)),
            )],
        )),
    }
}

fn list(one: &Mixed, other: &Mixed, way: u8) -> Expression {
    match way % 6 {
        0 => new(Term::List(vec![one.number.clone(), other.number.clone()])),
        1 => binary(Binary::Join, one.list.clone(), other.list.clone()),
        2 => new(Term::Range(
            Box::new(one.number.clone()),
            Some(Box::new(other.number.clone())),
        )),
        3 => call("sort", vec![one.list.clone()]),
        form => new(Term::Comprehension(
            Box::new(one.number.clone()),
            vec![generator(other, form == 4, way.is_multiple_of(3))],
        )),
    }
}

fn sum(one: &Mixed, other: &Mixed, way: u8) -> Expression {
    match way % 4 {
        0 => binary(Binary::Plus, one.sum.clone(), other.sum.clone()),
        1 => new(Term::At(
            Box::new(made(one, way % 8 == 1)),
            Box::new(other.number.clone()),
        )),
        2 => new(Term::At(
            Box::new(PlayedGame::Named(name("wythoff"))),
            Box::new(new(Term::Tuple(vec![
                one.number.clone(),
                other.number.clone(),
            ]))),
        )),
        _ => new(Term::At(
            Box::new(PlayedGame::Named(name("nim"))),
            Box::new(one.list.clone()),
        )),
    }
}

/// One kind of all is sometimes what one of two says.
fn chosen(one: Expression, other: Expression, truth: &Expression, way: u8) -> Expression {
    if way.is_multiple_of(16) {
        let condition = Box::new(truth.clone());
        new(Term::Choose(condition, Box::new(one), Box::new(other)))
    } else {
        one
    }
}

fn expressions() -> impl Strategy<Value = Mixed> {
    leaves().prop_recursive(5, 64, 2, |inner| {
        (inner.clone(), inner, any::<[u8; 6]>()).prop_map(|(one, other, ways)| {
            let [number, truth, list, sum, text, choice] = ways;
            let condition = &other.truth;
            Mixed {
                number: chosen(
                    self::number(&one, &other, number),
                    one.number.clone(),
                    condition,
                    choice,
                ),
                truth: self::truth(&one, &other, truth),
                list: chosen(
                    self::list(&one, &other, list),
                    one.list.clone(),
                    condition,
                    choice / 2,
                ),
                text: match text % 3 {
                    0 => binary(Binary::Join, one.text.clone(), other.text.clone()),
                    1 => call("text", vec![one.number.clone()]),
                    _ => one.text.clone(),
                },
                sum: self::sum(&one, &other, sum),
            }
        })
    })
}

fn fold(inner: Mixed) -> Expression {
    let fold = Fold {
        name: name("x"),
        start: inner.number.clone(),
        generator: Generator {
            names: vec![name("y")],
            over: Box::new(inner.list),
            condition: Some(Box::new(inner.truth)),
            key: None,
        },
        next: inner.number,
    };
    new(Term::Fold(Box::new(fold)))
}

fn extreme(inner: Mixed) -> Expression {
    new(Term::Extreme {
        extreme: Extreme::Greatest,
        name: name("x"),
        over: Box::new(inner.list),
        condition: Box::new(inner.truth),
    })
}

fn field(inner: Mixed) -> Expression {
    let first = call("first", vec![call("winning", vec![inner.sum])]);
    new(Term::Field(Box::new(first), name("after")))
}

fn any_expression() -> impl Strategy<Value = Expression> {
    prop_oneof![
        expressions().prop_map(|mixed| mixed.number),
        expressions()
            .prop_map(|mixed| mixed.truth)
            .prop_map(|truth| { new(Term::Tuple(vec![truth, new(Term::Endless)])) }),
        expressions().prop_map(|mixed| mixed.list),
        expressions().prop_map(|mixed| mixed.text),
        expressions().prop_map(extreme),
        expressions().prop_map(fold),
        expressions().prop_map(field),
    ]
}

fn kinds() -> impl Strategy<Value = Kind> {
    let number = || expressions().prop_map(|mixed| mixed.number);
    let leaf = prop_oneof![
        Just(Kind::Integer {
            least: None,
            greatest: None
        }),
        (number(), option::of(number())).prop_map(|(least, greatest)| Kind::Integer {
            least: Some(least),
            greatest
        }),
        vec(number(), 1..3).prop_map(Kind::OneOf),
        (
            option::of("[a-z.#]{1,4}"),
            option::of((number(), option::of(option::of(number()))))
        )
            .prop_map(|(alphabet, count)| {
                let (most, least) = count.map_or((None, None), |(most, least)| {
                    let least = least.map(|least| least.unwrap_or_else(|| most.clone()));
                    (Some(Box::new(most)), least.map(Box::new))
                });
                Kind::Word {
                    alphabet,
                    least,
                    most,
                }
            }),
        vec("[A-Z]{1,3}", 1..3).prop_map(Kind::Words),
    ];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let orders = prop_oneof![
            Just(Order::Any),
            Just(Order::Distinct),
            Just(Order::Increasing),
            Just(Order::Nondecreasing),
            Just(Order::Nonincreasing),
        ];
        let extents = prop_oneof![
            number().prop_map(|count| Extent::Count(Box::new(count))),
            Just(Extent::Line),
            Just(Extent::Rest),
        ];
        prop_oneof![
            (extents, orders, any::<bool>(), inner.clone()).prop_map(
                |(extent, order, counted, of)| Kind::List {
                    extent,
                    order,
                    counter: counted.then(|| name("entry")),
                    of: Box::new(of)
                }
            ),
            number().prop_flat_map(|count| {
                let number = Kind::Integer {
                    least: None,
                    greatest: None,
                };
                let edge = Kind::Tuple(readings(vec![number.clone(), number.clone()], "end"));
                let list = move |order, of: Kind| Kind::List {
                    extent: Extent::Count(Box::new(count.clone())),
                    order,
                    counter: None,
                    of: Box::new(of),
                };
                prop_oneof![
                    Just(list(Order::Simple, edge.clone())),
                    Just(list(Order::Tree, edge.clone())),
                    Just(list(Order::Rings, edge)),
                ]
            }),
            vec(inner, 1..3).prop_map(|kinds| Kind::Tuple(readings(kinds, "part"))),
        ]
    })
}

fn readings(kinds: Vec<Kind>, called: &str) -> Vec<Reading> {
    let named = kinds.into_iter().enumerate().map(|(place, kind)| Reading {
        name: (place % 3 != 2).then(|| name(&format!("{called}{place}"))),
        kind,
        span: Span::default(),
    });
    named.collect()
}

fn statement(action: Action) -> Statement {
    let span = Span::default();
    Statement { action, span }
}

fn repeat(times: Times, counter: bool, mut body: Vec<Statement>) -> Action {
    body.push(statement(Action::Stop(None)));
    Action::Repeat(Repeat {
        times,
        counter: counter.then(|| name("round")),
        body,
    })
}

fn actions() -> impl Strategy<Value = Action> {
    let number = || expressions().prop_map(|mixed| mixed.number);
    let truth = || expressions().prop_map(|mixed| mixed.truth);
    let leaf = prop_oneof![
        vec(any_expression(), 0..3).prop_map(Action::Print),
        vec(any_expression(), 1..3).prop_map(Action::Write),
        truth().prop_map(Action::Require),
    ];
    leaf.prop_recursive(3, 16, 4, move |inner| {
        let block = vec(inner.prop_map(statement), 0..3);
        let times = prop_oneof![
            number().prop_map(Times::Count),
            Just(Times::UntilEnd),
            Just(Times::UntilStopped),
        ];
        prop_oneof![
            (times, any::<bool>(), block.clone())
                .prop_map(|(times, counter, body)| repeat(times, counter, body)),
            (truth(), block.clone(), block.clone())
                .prop_map(|(condition, then, other)| Action::If(condition, then, other)),
            (expressions(), any::<bool>(), any::<bool>(), block)
                .prop_map(|(over, c, k, body)| Action::For(generator(&over, c, k), body)),
        ]
    })
}

fn problems() -> impl Strategy<Value = Problem> {
    let text = || option::of("[ -~\n]{0,12}");
    let block = || vec(actions().prop_map(statement), 0..4);
    (
        // No reserved word begins so.
        "[q0-9][a-z0-9]{0,3}(-[a-z0-9]{1,3})?",
        (text(), text(), text()),
        vec(kinds(), 1..3),
        block(),
        option::of(block()),
    )
        .prop_map(
            |(name, (title, source, separators), kinds, actions, plainly)| {
                let body = |actions: Vec<Statement>| {
                    let mut body = declarations();
                    body.push(statement(Action::Read(readings(kinds.clone(), "read"))));
                    body.extend(actions);
                    body
                };
                Problem {
                    name,
                    title,
                    source,
                    separators,
                    body: body(actions),
                    plainly: plainly.map(body),
                }
            },
        )
}

/// Gives the names that expressions use.
fn declarations() -> Vec<Statement> {
    let text = "problem p\nread n in 1..9, a: n of 1..9, w: word\ngame g = { rules 0.77 }\n";
    parse(text).expect("declarations").body
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_problems_are_read_again(problem in problems()) {
        is_read_again(&problem);
    }
}
