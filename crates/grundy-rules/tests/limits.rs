//! Texts that ask for too much are refused, on a small stack and in little time.

use std::time::{Duration, Instant};

use grundy_rules::fault::Fault;
use grundy_rules::{Diagnostic, Ruleset, parse, parse_bytes, parse_position};

/// Runs on a thread with the stack of a small front end, and not for long.
fn on_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let started = Instant::now();
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let answer = thread
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("no panic");
    // Quadratic time would take hours on the texts below; machines differ by less.
    assert!(started.elapsed() < Duration::from_mins(1));
    answer
}

fn faults(text: String) -> Vec<Fault> {
    let refused = |text: &str| parse(text).map(drop).expect_err("a fault");
    let faults: Vec<Diagnostic> = on_a_small_stack(move || refused(&text));
    faults
        .into_iter()
        .map(|diagnostic| diagnostic.fault)
        .collect()
}

fn first_fault(text: String) -> Fault {
    faults(text).swap_remove(0)
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("min(", ")"),
        ("a[", "]"),
    ] {
        let deep = open.repeat(100_000) + "1" + &close.repeat(100_000);
        let text = format!("[n] -> [n-k] where k = {deep}");
        assert!(
            matches!(first_fault(text), Fault::NestedTooDeep { .. }),
            "{open}"
        );
        let text = format!("[n] -> [n-k] where k = {}", open.repeat(100_000));
        assert!(
            matches!(first_fault(text), Fault::NestedTooDeep { .. }),
            "{open}"
        );
    }
    let text = format!("[n] -> [n-k] where k = 1{}", ")".repeat(100_000));
    assert_eq!(first_fault(text), Fault::BracketUnopened);
    let text = format!("[t] -> {}t{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(matches!(first_fault(text), Fault::NestedTooDeep { .. }));
}

#[test]
fn long_formulas_are_refused() {
    for operator in ["+", "^", " xor ", "- -", " mod "] {
        let text = format!(
            "[n] -> [n-k] where k = 1{}",
            format!("{operator}1").repeat(100_000)
        );
        assert!(
            matches!(first_fault(text), Fault::FormulaTooLong { .. }),
            "{operator}"
        );
    }
    for prefix in [
        "-",
        "not ",
        "some i in 1..2: ",
        "every i in 1..2: t -> u or ",
    ] {
        let text = format!("[n] -> [n-k] where {}k = 1", prefix.repeat(50_000));
        assert!(
            matches!(first_fault(text), Fault::FormulaTooLong { .. }),
            "{prefix}"
        );
    }
    let text = format!(
        "[n] -> [n-k] where k in {}{{1}}",
        "all but ".repeat(100_000)
    );
    assert!(matches!(first_fault(text), Fault::FormulaTooLong { .. }));
}

#[test]
fn the_largest_formulas_are_read_printed_and_dropped() {
    let texts = [
        format!("{}1{}", "(".repeat(99), ")".repeat(99)),
        format!("{}1{}", "min(2, ".repeat(99), ")".repeat(99)),
        format!("{}1{}", "1+(".repeat(99), ")".repeat(99)),
        format!("1{}", "+1".repeat(390)),
        format!("2{}", "^2".repeat(390)),
        format!("{}n", "-".repeat(390)),
    ];
    for text in texts {
        let rule = format!("[n] -> [n-k] where k = {text}");
        let condition = format!(
            "[n] -> [n-k] where {}k = 1{}",
            "not (".repeat(99),
            ")".repeat(99)
        );
        on_a_small_stack(move || {
            for text in [rule, condition] {
                let ruleset: Ruleset = parse(&text).expect("within the limits");
                assert_eq!(parse(&ruleset.to_text()), Ok(ruleset));
            }
        });
    }
}

#[test]
fn large_texts_are_refused() {
    let long = |text: &str| text.repeat((10 << 20) / text.len());
    let lines = |text: &str| faults(long(text));
    assert!(lines("[n] -> [n-1]\n").contains(&Fault::TooManyStatements { limit: 100_000 }));
    assert!(lines("x\n").contains(&Fault::MoreFaults));
    assert!(lines("~\n").contains(&Fault::MoreFaults));
    assert_eq!(lines("\n"), [Fault::NoMoves]);
    assert_eq!(lines(";"), [Fault::NoMoves]);
    assert_eq!(lines("# comment\n"), [Fault::NoMoves]);
    assert_eq!(lines("a"), [Fault::NameTooLong { limit: 64 }]);
    assert!(matches!(lines("a ")[..], [Fault::StatementTooLong { .. }]));
    assert!(matches!(lines("game x(; ")[..], [_, ..]));
    assert!(matches!(lines("\"")[..], [_, ..]));
    assert!(matches!(lines("1")[..], [_, ..]));
    // The blank lines before a continuation are looked at once.
    let gap = format!("[n] -> [n-1]{}| [n]", long("\n"));
    assert!(on_a_small_stack(move || parse(&gap)).is_ok());
    let beyond = "#".repeat(grundy_rules::TEXT_LIMIT + 1);
    assert!(matches!(first_fault(beyond), Fault::TextTooLong { .. }));
}

#[test]
fn long_lines_are_read_in_linear_time() {
    let many = |text: &str, count: usize| vec![text; count].join(", ");
    let numbers: Vec<String> = (0..200_000).map(|n| n.to_string()).collect();
    let sets = [
        format!(
            "game x(S = {{{}}})\n[n] -> [n-k] where k in S",
            numbers.join(",")
        ),
        format!("[n] -> [n-k] where k in {{{}}}", numbers.join(",")),
        format!("[n] -> [n-k] where {}", many("k >= 1", 100_000)),
        format!(
            "[n] -> [n-k] where k >= 1\nexpect lost {}",
            numbers.join(" ")
        ),
        format!(
            "[n] -> [n-k] where k >= 1\nexpect grundy {}",
            numbers.join(" ")
        ),
    ];
    for text in sets {
        let start: String = text.chars().take(60).collect();
        assert!(on_a_small_stack(move || parse(&text)).is_ok(), "{start}");
    }
    let names: Vec<String> = (0..200_000).map(|n| format!("x{n}")).collect();
    let names = names.join(", ");
    let text = format!("[{names}] -> nothing");
    assert!(faults(text).contains(&Fault::TooManyNames { limit: 256 }));
    let parameters = names.replace(',', " = 1,");
    let text = format!("game x({parameters} = 1)\n[n] -> [n-1]");
    assert!(faults(text).contains(&Fault::TooManyNames { limit: 256 }));
}

#[test]
fn large_numbers_are_written_with_care() {
    // A literal power stays a formula.
    assert!(parse("[n] -> [n-k] where k = 2^999999999").is_ok());
    let too_large = [
        "[n] -> [n-k] where k <= 1e99999999".to_owned(),
        "[n] -> [n-k] where k <= 1e99999999999999999999999999".to_owned(),
        format!("[n] -> [n-k] where k <= {}", "9".repeat(2_000_000)),
        "m = 2^99999999\n[n] -> [n-m]".to_owned(),
        "m = 2^2^2^2^2^2\n[n] -> [n-m]".to_owned(),
        "m = 1e600000*1e700000\n[n] -> [n-m]".to_owned(),
        "[n] -> [n-1]\nexpect lost 10^9999999".to_owned(),
        "rules {1e9999999}".to_owned(),
    ];
    for text in too_large {
        let start: String = text.chars().take(60).collect();
        assert!(
            matches!(
                first_fault(text),
                Fault::NumberTooLarge { .. } | Fault::NotANumber { .. }
            ),
            "{start}"
        );
    }
    // A few bytes for each of many large numbers.
    let many = vec!["1e1000000"; 100_000];
    let texts = [
        format!("[n] -> [n-k] where k in {{{}}}", many.join(",")),
        format!("S = {{{}}}\n[n] -> [n-k] where k in S", many.join(",")),
        format!("[n] -> [n-1]\nexpect lost {}", many.join(" ")),
        format!("[n] -> [n-1]\nexpect grundy {}", many.join(" ")),
    ];
    for text in texts {
        assert!(matches!(first_fault(text), Fault::NumberTooLarge { .. }));
    }
    let digits = "9".repeat(1_200_000);
    assert!(on_a_small_stack(move || parse(&format!("[n] -> [n-k] where k = {digits}"))).is_ok());
}

#[test]
fn positions_are_read_in_linear_time() {
    let read = |text: String| {
        on_a_small_stack(move || {
            let nim = parse("[n] -> [n-k] where k >= 1\n[[]] -> nothing").expect("rules");
            parse_position(&text, &nim)
        })
    };
    let heaps = read("1000000000000000000 ".repeat(500_000)).expect("a sum");
    assert_eq!(heaps.0.len(), 500_000);
    assert_eq!(
        read("[1]+".repeat(500_000) + "[1]").map(|p| p.0.len()),
        Ok(500_001)
    );
    assert!(read("[".repeat(1_000_000)).is_err());
    assert!(read("[".repeat(100_000) + &"]".repeat(100_000)).is_err());
    assert!(read("1,".repeat(1_000_000)).is_err());
    assert!(read("1-".repeat(1_000_000)).is_err());
    assert!(read("\"".repeat(1_000_000)).is_err());
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    for bytes in [&b"\xff"[..], b"[n] -> [n-\xc3]", b"# \xf0\x9f\x98"] {
        let faults = parse_bytes(bytes).expect_err("no UTF-8");
        assert_eq!(faults[0].fault, Fault::NotUtf8);
    }
    assert!(parse_bytes("\u{feff}[n] -> [n-1]\r\n".as_bytes()).is_ok());
}
