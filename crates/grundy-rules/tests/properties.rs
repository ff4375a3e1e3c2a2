//! Whatever the text: reading it ends, faults stand inside it, and what was read is printed faithfully.

use std::path::Path;

use grundy_rules::{Ruleset, parse, parse_bytes, parse_position, parse_short_form};
use proptest::prelude::*;

/// Reads a text; if it has a meaning, printing and reading again keep it.
fn holds(text: &str) -> Result<(), TestCaseError> {
    match parse(text) {
        Ok(ruleset) => survives(&ruleset),
        Err(faults) => {
            prop_assert!(!faults.is_empty());
            for fault in faults {
                let span = fault.span;
                prop_assert!(
                    span.start <= span.end && span.end <= text.len(),
                    "{fault:?}"
                );
                prop_assert!(text.is_char_boundary(span.start), "{fault:?}");
                prop_assert!(text.is_char_boundary(span.end), "{fault:?}");
            }
            Ok(())
        }
    }
}

fn survives(ruleset: &Ruleset) -> Result<(), TestCaseError> {
    let text = ruleset.to_text();
    let again = parse(&text);
    prop_assert_eq!(again.as_ref(), Ok(ruleset), "{}", text);
    let canonical = ruleset.canonical_text();
    let again = parse(&canonical).map(|ruleset| ruleset.canonical_text());
    prop_assert_eq!(again.as_ref(), Ok(&canonical));
    for rule in &ruleset.moves {
        prop_assert!(ruleset.short_form.is_some() || text.contains(&ruleset.rule_text(rule)));
    }
    Ok(())
}

/// A text with its parts joined in order.
fn joined(parts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    parts
        .into_iter()
        .map(|part| part.as_ref().to_owned())
        .collect()
}

// Words that mean something, in any order.

const WORDS: &[&str] = &[
    "game",
    "row",
    "unordered",
    "start",
    "play",
    "misere",
    "ends",
    "lost",
    "compound",
    "selective",
    "up",
    "to",
    "chance",
    "draw",
    "on",
    "repetition",
    "rules",
    "expect",
    "claim",
    "grundy",
    "iff",
    "if",
    "sum",
    "with",
    "over",
    "ring",
    "where",
    "and",
    "or",
    "not",
    "in",
    "mod",
    "xor",
    "band",
    "shl",
    "for",
    "of",
    "nothing",
    "some",
    "every",
    "primes",
    "squares",
    "powers",
    "digits",
    "base",
    "all",
    "but",
    "first",
    "last",
    "remove",
    "as",
    "left",
    "right",
    "min",
    "length",
    "a",
    "n",
    "k",
    "x",
    "r",
    "0",
    "1",
    "23",
    "1e3",
    "0.77",
    "0.(3)",
    "{1,3}",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ",",
    ":",
    ";",
    "+",
    "-",
    "*",
    "/",
    "^",
    "|",
    "..",
    "->",
    "-=",
    "+=",
    "=",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "\n",
    "# c\n",
    "\"-+\"",
    "\"",
    "==",
    "é",
    "≤",
    "[n] -> [n-k]",
    "a[i] -= k",
    "k >= 1",
    "t -> u",
];

fn soup() -> impl Strategy<Value = String> {
    let word = prop::sample::select(WORDS);
    let gap = prop::sample::select(&["", " ", " ", " "][..]);
    prop::collection::vec((word, gap), 0..40)
        .prop_map(|words| joined(words.into_iter().flat_map(|(word, gap)| [word, gap])))
}

// Rulesets, as texts that mean something.

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0_u32..20).prop_map(|n| n.to_string()),
        1 => Just("10^18".to_owned()),
        1 => Just("1e18".to_owned()),
        1 => Just("123456789012345678901234567890".to_owned()),
    ]
}

/// A number in the names of the rule, of its parameters, and of `bound` quantifiers around it.
fn expr(bound: usize) -> impl Strategy<Value = String> {
    let mut names = vec![
        "x".to_owned(),
        "y".to_owned(),
        "k".to_owned(),
        "p".to_owned(),
    ];
    names.extend((0..bound).map(|depth| format!("i{depth}")));
    let name = prop::sample::select(names);
    let leaf = prop_oneof![3 => name, 2 => number()];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let operators = ["+", " - ", "*", "/", " mod ", "^", " xor ", " band ", " bor ", " shl ", " shr "];
        let infix = prop::sample::select(operators.to_vec());
        prop_oneof![
            4 => (inner.clone(), infix, inner.clone()).prop_map(|(l, op, r)| joined([l, op.to_owned(), r])),
            2 => inner.clone().prop_map(|e| format!("({e})")),
            1 => inner.clone().prop_map(|e| format!("-{e}")),
            1 => inner.clone().prop_map(|e| format!("L[{e}]")),
            1 => inner.clone().prop_map(|e| format!("abs({e})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("max({a}, {b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("gcd({a}, {b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("sum({a}..{b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("xor({{{a}, {b}}})")),
            1 => inner.prop_map(|e| format!("length(digits of {e} base 2)")),
            1 => Just("min(S)".to_owned()),
        ]
    })
}

fn finite_set(bound: usize) -> impl Strategy<Value = String> {
    prop_oneof![
        (expr(bound), expr(bound)).prop_map(|(a, b)| format!("{a}..{b}")),
        prop::collection::vec(expr(bound), 0..3)
            .prop_map(|items| format!("{{{}}}", items.join(", "))),
        Just("S".to_owned()),
        Just("L".to_owned()),
        expr(bound).prop_map(|e| format!("digits of {e}")),
    ]
}

fn set(bound: usize) -> impl Strategy<Value = String> {
    prop_oneof![
        2 => finite_set(bound),
        1 => finite_set(bound).prop_map(|set| format!("all but {set}")),
        1 => expr(bound).prop_map(|e| format!("powers of {e}")),
        1 => prop::sample::select(vec!["primes", "prime powers", "squares", "fibonacci", "all but primes"])
            .prop_map(str::to_owned),
    ]
}

/// A condition that binds at least as tightly as `or`.
fn guard(bound: usize) -> BoxedStrategy<String> {
    let comparisons = vec![" < ", " <= ", " = ", " != ", " >= ", " > ", " | "];
    let link = prop::sample::select(comparisons);
    let leaf = prop_oneof![
        3 => (expr(bound), link.clone(), expr(bound)).prop_map(|(l, op, r)| joined([l, op.to_owned(), r])),
        1 => (expr(bound), link.clone(), expr(bound), link, expr(bound))
            .prop_map(|(a, f, b, g, c)| joined([a, f.to_owned(), b, g.to_owned(), c])),
        1 => (expr(bound), set(bound)).prop_map(|(e, s)| format!("{e} in {s}")),
        1 => (expr(bound), set(bound)).prop_map(|(e, s)| format!("1 <= {e} not in {s}")),
        1 => (expr(bound), expr(bound)).prop_map(|(a, b)| format!("({a}, {b}) in E")),
    ];
    let leaf = if bound < 2 {
        let quantifier = prop::sample::select(vec!["some", "every"]);
        let quantified = (quantifier, finite_set(bound), guard(bound + 1))
            .prop_map(move |(q, s, g)| format!("({q} i{bound} in {s}: {g})"));
        prop_oneof![6 => leaf, 1 => quantified].boxed()
    } else {
        leaf.boxed()
    };
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} and {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} or {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}, {b})")),
            inner.clone().prop_map(|g| format!("({g})")),
            inner.prop_map(|g| format!("not {g}")),
        ]
    })
    .boxed()
}

/// What a rule with the pattern `[x, y]` and the choice `k` may leave.
fn result() -> impl Strategy<Value = String> {
    let term = prop_oneof![
        3 => expr(0).prop_map(|e| format!("[{e}, k]")),
        1 => expr(0).prop_map(|e| format!("({e}) of [k, 1]")),
        1 => Just("k of [x, y]".to_owned()),
        1 => (expr(0), expr(0)).prop_map(|(a, b)| format!("[j, k] for j in {a}..{b}")),
        1 => (expr(0), expr(0)).prop_map(|(a, b)| format!("[j, m + k] for j in 1..{a}, m in j..{b}")),
    ];
    prop::collection::vec(term, 1..4).prop_map(|terms| terms.join(" + "))
}

fn rule() -> impl Strategy<Value = String> {
    let label = prop::sample::select(vec![
        "",
        "take: ",
        "take-2: ",
        "left: ",
        "right: go: ",
        "where: ",
    ]);
    let results = prop::collection::vec(result(), 1..3);
    let pattern = prop::sample::select(vec!["[x, y]", "[x, 0, y]", "[y, x, x]"]);
    (
        label,
        pattern,
        results,
        prop::collection::vec(guard(0), 0..3),
    )
        .prop_map(|(label, pattern, results, guards)| {
            // Bounds for the choice come last, so that they change no other condition.
            let guards = joined(guards.into_iter().map(|guard| guard + ", "));
            let results = results.join(" | ");
            format!("{label}{pattern} -> {results} where {guards}0 <= k <= 9, 0 <= k <= x")
        })
}

fn row_rule() -> impl Strategy<Value = String> {
    let place = prop_oneof![
        expr(0).prop_map(|e| format!("a[{e}]")),
        Just("first".to_owned()),
        Just("last".to_owned()),
    ];
    let sign = prop::sample::select(vec!["-=", "+=", "="]);
    let update = prop_oneof![
        4 => (place.clone(), sign, expr(0)).prop_map(|(p, s, e)| format!("{p} {s} {e} + k")),
        1 => place.prop_map(|p| format!("a[k] = 0, remove {p}")),
        1 => Just("every a -= k".to_owned()),
        1 => expr(0).prop_map(|e| format!("some up to ({e}) a -= k")),
        1 => Just("some a += k".to_owned()),
    ];
    (prop::collection::vec(update, 1..3), guard(0)).prop_map(|(updates, guard)| {
        let updates = updates.join(", ");
        format!("{updates} where {guard}, x in 1..9, y in 1..9, 0 <= k <= 9, a[1] >= length(a)")
    })
}

fn file() -> impl Strategy<Value = String> {
    let header = "game some-game(p = 3, S = {2,5}, L = (3,1,2), E = {(1,2),(2,3)}) \"A game\"\nends: [x, y] -> nothing\n";
    let extras = prop::sample::subsequence(
        vec![
            "unordered",
            "play misere",
            "compound selective up to p",
            "start [x] as [x, max(x - 1, p)]",
            "ends draw [x, y] where x = y, k in S, k < 3",
            "chance d in 1..p",
            "draw on repetition",
            "expect lost 3,4 [5,6]   # a source",
            "expect moves 3,4 = 2",
            "expect moves 3,4 = [1,2]; 1,2 3,4; nothing",
            "claim grundy [x, y] = x xor y if x > p; y",
            "claim lost [x, y] iff x = y or x in S",
            "claim lost sum with [x, y] = x + y",
        ],
        0..6,
    );
    let rows = prop::sample::select(vec![
        "row a\n",
        "row a, increasing\n",
        "row a over \".X\", ring, unordered\n",
        "row a, empties vanish\n",
    ]);
    let plain = (extras, prop::collection::vec(rule(), 1..4)).prop_map(move |(extras, rules)| {
        joined([header, &extras.join("\n"), "\n", &rules.join("\n")])
    });
    let of_rows = (rows, prop::collection::vec(row_rule(), 1..4))
        .prop_map(move |(row, rules)| joined([header, row, &rules.join("\n")]));
    prop_oneof![plain, of_rows]
}

/// The text of a game of the catalogue with a piece cut out, doubled or replaced.
fn damaged() -> impl Strategy<Value = String> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut paths: Vec<_> = games
        .read_dir()
        .expect("the catalogue is a folder")
        .map(|entry| entry.expect("a readable entry").path())
        .collect();
    paths.sort();
    let texts: Vec<String> = paths
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("a readable game"))
        .collect();
    let cut = (any::<prop::sample::Index>(), 0_usize..12);
    (prop::sample::select(texts), cut, soup(), 0..3).prop_map(|(text, (at, length), soup, how)| {
        let characters: Vec<char> = text.chars().collect();
        let at = at.index(characters.len());
        let end = (at + length).min(characters.len());
        let piece: String = characters[at..end].iter().collect();
        let with = match how {
            0 => String::new(),
            1 => piece.repeat(2),
            _ => soup.chars().take(12).collect(),
        };
        let before: String = characters[..at].iter().collect();
        let after: String = characters[end..].iter().collect();
        before + &with + &after
    })
}

proptest! {
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(ruleset) = parse_bytes(&bytes) {
            survives(&ruleset)?;
        }
    }

    #[test]
    fn any_characters(text in "\\PC{0,80}") {
        holds(&text)?;
    }

    #[test]
    fn any_words(text in soup()) {
        holds(&text)?;
    }

    #[test]
    fn damaged_games(text in damaged()) {
        holds(&text)?;
    }

    #[test]
    fn generated_rulesets(text in file()) {
        match parse(&text) {
            Ok(ruleset) => survives(&ruleset)?,
            Err(faults) => prop_assert!(false, "{text}\n{faults:#?}"),
        }
    }

    #[test]
    fn any_position(text in "[-+.X0-9,\\[\\] ^e\"]{0,30}") {
        let games = ["[x] -> nothing", "row a over \".X\"; first -= 1", "row a over \"-+\"; first -= 1"];
        for game in games {
            let ruleset = parse(game).expect("rules");
            if let Ok(position) = parse_position(&text, &ruleset) {
                let printed = ruleset.position_text(&position);
                prop_assert_eq!(parse_position(&printed, &ruleset), Ok(position), "{}", printed);
            }
        }
    }

    #[test]
    fn any_short_form(text in "(take-and-break |all but |subtract:)?[0-9A-Za-z.(){},]{0,12}") {
        if let Ok(form) = parse_short_form(&text) {
            let ruleset = parse(&format!("rules {form}"));
            prop_assert_eq!(ruleset.map(|r| r.short_form), Ok(Some(form)));
        }
    }

    #[test]
    fn any_parameter(text in "[-0-9,(){} \n^*+]{0,16}") {
        let game = parse("game x(m = 3, S = {2}, L = (3), E = {(1,2)}); [x] -> [x - k] where k >= 1");
        let game = game.expect("rules");
        for name in ["m", "S", "L", "E"] {
            if let Ok(game) = game.with_parameter(name, &text) {
                survives(&game)?;
            }
        }
    }
}
