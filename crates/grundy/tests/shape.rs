//! Shapes against the definition of options, and against rules that only look like the classics.

use std::collections::BTreeSet;

use grundy::shape::{Form, Reason, Shape};
use grundy_rules::options::options;
use grundy_rules::{Budget, Component, Meter, Ruleset, parse};

fn rules(text: &str) -> Ruleset {
    parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

/// The options of a heap by definition: ascending lists of non-empty heaps.
fn by_definition(ruleset: &Ruleset, n: usize) -> Vec<Vec<usize>> {
    let mut meter = Meter::new(Budget::default());
    let heap = Component::of_numbers([n as u64]);
    let all = options(ruleset, &heap, &mut meter).expect("small heaps");
    let distinct: BTreeSet<Vec<usize>> = all
        .iter()
        .map(|option| {
            let mut parts: Vec<usize> = option
                .result
                .iter()
                .map(|part| usize::try_from(part.as_heap().expect("a heap")).expect("small"))
                .filter(|part| *part > 0)
                .collect();
            parts.sort_unstable();
            parts
        })
        .collect();
    distinct.into_iter().collect()
}

/// The shape, after holding its options against the definition.
fn shape(text: &str) -> Shape {
    let ruleset = rules(text);
    let shape = Shape::of(&ruleset);
    for n in 0..=40 {
        if let Some(options) = shape.options(n) {
            assert_eq!(
                options,
                by_definition(&ruleset, n),
                "{text}, heap {n}, {shape:?}"
            );
        }
    }
    shape
}

fn code(text: &str) -> String {
    match shape(text).form {
        Form::Code(code) => code.to_string(),
        form => panic!("{text}: {form:?}"),
    }
}

fn reason(text: &str) -> Reason {
    match shape(text).form {
        Form::Heaps(outside) | Form::Other(outside) => outside.reason,
        form => panic!("{text}: {form:?}"),
    }
}

#[test]
fn rules_written_out_get_the_code_of_their_short_form() {
    for (text, expected) in [
        // Nim, in several clothes.
        ("take: [n] -> [n-k] where k >= 1", "0.(3)"),
        ("[n] -> [a] where a < n", "0.(3)"),
        ("[n] -> [n-k] where k >= 1, k <= n", "0.(3)"),
        (
            "[n] -> [n-k] where 1 <= k <= 2\n[n] -> [n-k] where k >= 3",
            "0.(3)",
        ),
        (
            "[n] -> [n-k] where k mod 2 = 1\n[n] -> [n-k] where k >= 2, 2 | k",
            "0.(3)",
        ),
        (
            "[n] -> [n-k] where k > n/2\n[n] -> [n-k] where 1 <= k <= n/2",
            "0.(3)",
        ),
        ("[n] -> [n-k] where k in all but {2,5}", "0.30330(3)"),
        ("[n] -> [n-k] where k mod 3 = 1", "0.(300)"),
        ("[n] -> [k] where 1 <= k < n", "0.(2)"),
        ("[n] -> nothing where n >= 1", "0.(1)"),
        // Subtraction sets.
        ("game s(S = {2,5})\n[n] -> [n-k] where k in S", "0.03003"),
        ("[n] -> [n-k] where 1 <= k <= 4, k != 3", "0.3303"),
        ("[n] -> [n-3] | [n-1]", "0.303"),
        ("[n] -> [n-1] where n > 1\n[1] -> nothing", "0.3"),
        ("[n] -> [n-k] where k in 2..4, k mod 2 = 0", "0.0303"),
        // Kayles.
        ("rules 0.77", "0.77"),
        ("[n] -> [a] + [n-k-a] where 1 <= k <= 2, a >= 0", "0.77"),
        ("[n] -> [a] + [n-k-a] where 1 <= k <= 2, a <= n-k-a", "0.77"),
        ("[n] -> [a] + [b] where 1 <= n-a-b <= 2", "0.77"),
        (
            "[n] -> [n-1] | [n-2]\n[n] -> [a] + [n-a-k] where 1 <= k <= 2, a < n-a-k\n[n] -> [a] + [n-a-k] where 1 <= k <= 2, a = n-a-k",
            "0.77",
        ),
        (
            "[n] -> [a] + [n-a-k] where k in {1,2}, a < 5 or a >= 5",
            "0.77",
        ),
        // A target, and all pins within reach of it.
        (
            "mark: [n] -> [max(i-3, 0)] + [max(n-i-2, 0)] where 1 <= i <= n",
            "0.11337",
        ),
        (
            "game strip(m = 2)\n[n] -> [a] + [n-m-a] where a >= 0",
            "0.07",
        ),
        // Several parts.
        (
            "[n] -> [n-k] where k >= 1\n[n] -> [a] + [n-a] where 1 <= a < n",
            "4.(3)",
        ),
        (
            "[n] -> [a] + [b] + [n-a-b] where a >= 1, b >= 1, a+b < n",
            "8.",
        ),
        ("rules take-and-break 0.3F", "0.3F"),
        ("[n] -> [a] + [b] + [n-2-a-b]\n[n] -> [n-1]", "0.3F"),
        ("[n] -> [a] + [n-k-a] where k >= 1, a >= 0", "0.(7)"),
    ] {
        assert_eq!(code(text), expected, "{text}");
    }
}

#[test]
fn short_forms_keep_their_code() {
    for digits in [
        "4.", "0.1", "0.137", "4.005", "0.(3)", "4.(3)", "0.0(12)", "0.1(7)", "0.4(3)",
    ] {
        let code = code(&format!("rules {digits}"));
        let whole = digits.trim_end_matches('.');
        assert_eq!(code.trim_end_matches('.'), whole);
    }
    for digits in 1..512u32 {
        let text = format!("0.{digits:03o}");
        let trimmed = text.trim_end_matches('0');
        assert_eq!(code(&format!("rules {text}")), trimmed);
    }
}

#[test]
fn rules_that_only_look_like_the_classics_are_not_taken_for_them() {
    // Nim with a largest take is a finite subtraction set.
    match shape("[n] -> [n-k] where 1 <= k <= 5000").form {
        Form::Code(code) => assert_eq!(code.as_subtraction(), Some((1..=5000).collect())),
        form => panic!("{form:?}"),
    }
    // Kayles without one take at one heap depends on the heap.
    for text in [
        "[n] -> [a] + [n-k-a] where 1 <= k <= 2, not (n = 5000 and k = 2)",
        "[n] -> [a] + [n-k-a] where 1 <= k <= 2, not (n = 17 and k = 2)",
        "[n] -> [a] + [n-1-a]\n[n] -> [a] + [n-2-a] where n != 5000",
    ] {
        match shape(text).form {
            Form::Classes(classes) => {
                let conditions = classes.conditions();
                assert!(!conditions.related, "{text}");
                assert!(conditions.heap_threshold >= 17, "{text}");
            }
            form => panic!("{text}: {form:?}"),
        }
    }
    // Relations between the parts.
    for text in [
        "[n] -> [a] + [n-a] where 1 <= a < n-a",
        "[n] -> [a] + [n-1-a] where 1 <= a < n-1-a\n[n] -> [n-2]",
        "[n] -> [a] + [b] where n = a+b, abs(a-b) <= 2, a >= 1, b >= 1",
    ] {
        match shape(text).form {
            Form::Classes(classes) => assert!(classes.conditions().related, "{text}"),
            form => panic!("{text}: {form:?}"),
        }
    }
    // Parts that may not be small, and parities.
    match shape("[n] -> [a] + [n-1-a] where a >= 2, n-1-a >= 3").form {
        Form::Classes(classes) => {
            let conditions = classes.conditions();
            assert!(!conditions.related && conditions.part_threshold >= 3);
        }
        form => panic!("{form:?}"),
    }
    match shape("[n] -> [a] + [n-2-a] where a mod 2 = 1").form {
        Form::Classes(classes) => assert_eq!(classes.conditions().modulus, 2),
        form => panic!("{form:?}"),
    }
    assert_eq!(reason("[n] -> [a] + [n-a]"), Reason::NoProgress);
    assert_eq!(reason("[n] -> nothing"), Reason::NoProgress);
    assert_eq!(reason("[n] -> [n-k] where k <= 3"), Reason::NoProgress);
    assert_eq!(
        reason("[n] -> [n-1] where j < n, j*j = n"),
        Reason::Existential
    );
    assert_eq!(reason("[i] -> [j] + [k] where k < j, j < i"), Reason::Grows);
    // Heaps that grow are not lost on the way: these have moves, and some never end.
    for text in [
        "[n] -> [n+1]",
        "[n] -> [2*n] where n >= 1",
        "[n] -> [n+1] where n < 5\n[n] -> [n-2]",
        "[n] -> [a] + [b] where 1 <= a < n, 1 <= b < n",
        "[n] -> [n-k+2] where 1 <= k <= 5",
    ] {
        assert_eq!(reason(text), Reason::Grows, "{text}");
    }
    assert_eq!(reason("[n] -> [d] where d | n, d < n"), Reason::NotLinear);
    assert_eq!(reason("[n] -> [n-k] where k in primes"), Reason::NotLinear);
    assert_eq!(
        reason("[n] -> [n-k] where n/3 <= k <= n/2, k >= 1"),
        Reason::Unbounded
    );
    assert_eq!(
        reason("[x, y] -> [x-k, y] where k >= 1, x != y"),
        Reason::Coordinates
    );
    assert_eq!(reason("row a\na[i] -= k where k >= 1"), Reason::Rows);
    assert_eq!(reason("ends lost [3]\n[n] -> [n-1]"), Reason::Dependent);
    assert_eq!(
        reason("[n] -> [n-k] where 2 <= k <= 10^18"),
        Reason::LargeNumber
    );
    // Misère play is the same shape under another convention.
    let misere = shape("play misere\n[n] -> [n-k] where k >= 1");
    assert_eq!(misere.play, grundy_rules::ruleset::Play::Misere);
}

#[test]
fn takes_up_to_a_growing_bound_are_recognised() {
    for (text, expected) in [
        ("[n] -> [n-k] where 1 <= k <= n/2", "n/2"),
        ("[n] -> [n-k] where k >= 1, 2*k <= n", "n/2"),
        ("[n] -> [a] where a >= n - n/2, a < n", "n/2"),
        ("[n] -> [a] where n/2 <= a < n", "(n+1)/2"),
        ("[n] -> [n-k] where 1 <= k <= (n+1)/2", "(n+1)/2"),
        ("[n] -> [n-k] where 1 <= k <= 2*n/3", "2*n/3"),
        ("[n] -> [n-k] where k >= 1, 5*k < 2*n", "(2*n-1)/5"),
        ("[n] -> [n-k] where 1 <= k <= 3*(n-4)/5+1", "(3*n-7)/5"),
        ("[n] -> [n-k] where 1 <= k < n/2", "(n-2)/2"),
        ("[n] -> [n-k] where 1 <= k <= isqrt(n)", "isqrt(n)"),
        ("[n] -> [n-k] where k >= 1, k*k <= n", "isqrt(n)"),
        ("[n] -> [n-k] where k >= 1, k^2 <= n/2", "isqrt(n/2)"),
        ("[n] -> [n-k] where 1 <= k <= min(5, n/3)", "5 n/3"),
        ("[n] -> [n-k] where k in 1..n/4", "n/4"),
        ("[n] -> [n-k] where 1 <= k <= 10^18", "1000000000000000000"),
        ("[n] -> [a] where a > n/2, a < n", "(n-1)/2"),
    ] {
        match shape(text).form {
            Form::Takes(takes) => {
                let bounds: Vec<String> = takes.bounds.iter().map(ToString::to_string).collect();
                assert_eq!(bounds.join(" "), expected, "{text}");
            }
            form => panic!("{text}: {form:?}"),
        }
    }
    for text in [
        "[n] -> [n-k] where 2 <= k <= n/2",
        "[n] -> [n-k] where 1 <= k <= n/2, n != 9",
        "[n] -> [n-k] where 1 <= k <= n/2, k != 3",
        "[n] -> [n-k] where 1 <= k <= n*n/4",
        "[n] -> [n-k] where 1 <= k <= n/2 or k = n",
        "[n] -> [n-k] where k <= n/2",
        "[n] -> [n-k] where k >= 1, 2*k <= 3*n-5",
    ] {
        assert!(matches!(shape(text).form, Form::Heaps(_)), "{text}");
    }
}

/// A small generator, so that the rules tried are the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[usize::try_from(self.below(texts.len() as u64)).expect("small")]
    }

    fn atom(&mut self, terms: &[&str]) -> String {
        let left = self.pick(terms);
        match self.below(6) {
            0 => format!("{left} mod {} = {}", 2 + self.below(2), self.below(2)),
            1 => format!("{left} in {{{},{}}}", self.below(4), self.below(7)),
            2 => format!(
                "{left} {} {}",
                self.pick(&["<", ">=", "!=", "="]),
                self.pick(terms)
            ),
            _ => {
                let comparison = self.pick(&["<", "<=", ">=", ">", "!=", "="]);
                format!("{left} {comparison} {}", self.below(6))
            }
        }
    }

    fn guard(&mut self, terms: &[&str]) -> String {
        let atoms: Vec<String> = (0..self.below(3)).map(|_| self.atom(terms)).collect();
        match (atoms.len(), self.below(3)) {
            (2, 0) => format!("{} or {}", atoms[0], atoms[1]),
            (1, 0) => format!("not {}", atoms[0]),
            _ => atoms.join(", "),
        }
    }

    fn rule(&mut self) -> String {
        let (result, must, terms): (_, _, &[&str]) = match self.below(10) {
            0 => ("[n-k]", "k >= 1", &["k", "n", "n-k", "n/2"]),
            1 => ("[n-k]", "1 <= k <= 4", &["k", "n", "n-k", "2*k"]),
            2 => ("[k]", "k < n", &["k", "n", "n-k"]),
            3 => (
                "[a] + [n-k-a]",
                "1 <= k <= 2",
                &["a", "k", "n", "n-k-a", "n-a"],
            ),
            4 => (
                "[a] + [n-a-1]",
                "a <= n",
                &["a", "n", "n-a", "n-2*a-1", "n-a-1"],
            ),
            5 => ("[a] + [n-a]", "1 <= a < n", &["a", "n", "n-a", "n-2*a"]),
            6 => ("[a] + [b]", "1 <= a < n, b < n", &["a", "b", "n", "n-a-b"]),
            7 => ("[n-k+1]", "k <= 4", &["k", "n", "n-k"]),
            8 => ("[2*k]", "k < n", &["k", "n", "n-2*k"]),
            _ => (
                "[a] + [b] + [n-a-b-1]",
                "a >= 0",
                &["a", "b", "n", "n-a-b-1"],
            ),
        };
        let guard = self.guard(terms);
        let and = if guard.is_empty() { "" } else { ", " };
        // Commas bind loosest, so that an `or` stays inside its part.
        format!("[n] -> {result} where {must}{and}{guard}")
    }
}

#[test]
fn a_shape_has_the_options_of_its_rules() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut codes, mut classes, mut takes, mut none) = (0, 0, 0, 0);
    for _ in 0..1500 {
        let count = 1 + random.below(2);
        let text: Vec<String> = (0..count).map(|_| random.rule()).collect();
        let text = text.join("\n");
        let ruleset = rules(&text);
        let shape = Shape::of(&ruleset);
        match &shape.form {
            Form::Code(_) => codes += 1,
            Form::Classes(_) => classes += 1,
            Form::Takes(_) => takes += 1,
            Form::Lines(_) | Form::Heaps(_) | Form::Other(_) => none += 1,
        }
        for n in 0..=18 {
            if let Some(options) = shape.options(n) {
                assert_eq!(
                    options,
                    by_definition(&ruleset, n),
                    "{text}, heap {n}, {shape:?}"
                );
            }
        }
    }
    // The generator reaches all forms.
    assert!(
        codes > 150 && classes > 150 && none > 100,
        "{codes} {classes} {takes} {none}"
    );
}

#[test]
fn lines_of_tuples_are_recognised() {
    let wythoff = "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1";
    for (text, expected) in [
        (wythoff, vec![vec![0, 1], vec![1, 0], vec![1, 1]]),
        (
            "[x, y] -> [x, y-j] where j > 0\n[a, b] -> [a-k, b] where 1 <= k",
            vec![vec![0, 1], vec![1, 0]],
        ),
        ("[x, y] -> [x-k, y-2*k] where k >= 1", vec![vec![1, 2]]),
    ] {
        let ruleset = rules(text);
        let Form::Lines(lines) = Shape::of(&ruleset).form else {
            panic!("{text}");
        };
        assert_eq!(lines.directions, expected, "{text}");
        for x in 0..9u64 {
            for y in 0..9u64 {
                let mut meter = Meter::new(Budget::default());
                let tuple = Component::of_numbers([x, y]);
                let results = options(&ruleset, &tuple, &mut meter).expect("a small tuple");
                let mut found: Vec<Component> = results
                    .into_iter()
                    .flat_map(|option| option.result)
                    .collect();
                found.sort();
                found.dedup();
                let by_lines = lines
                    .options(&[x, y])
                    .into_iter()
                    .map(Component::of_numbers);
                assert_eq!(by_lines.collect::<Vec<_>>(), found, "{text} [{x}, {y}]");
            }
        }
    }
    for text in [
        "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1, k != 977",
        "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where 1 <= k <= 5000",
        "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 0",
        "[x, y] -> [y-k, x] where k >= 1",
        "[x, x] -> [x-k, x] where k >= 1",
        "[x, y] -> [x-k, y+k] where k >= 1",
        "unordered\n[x, y] -> [x-k, y] where k >= 1",
    ] {
        assert!(
            matches!(Shape::of(&rules(text)).form, Form::Other(_)),
            "{text}"
        );
    }
}
