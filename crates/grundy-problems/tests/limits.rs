//! Texts that ask for too much are refused, on a small stack and in little time.

use std::time::{Duration, Instant};

use grundy_problems::{Fault, Problem, TEXT_LIMIT, parse};

/// Runs on a thread with the stack of a small front end, and not for long.
fn read_on_a_small_stack(text: String) -> Result<Problem, Vec<Fault>> {
    let started = Instant::now();
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let work = move || match parse(&text) {
        Ok(problem) => Ok(problem),
        Err(faults) => Err(faults.into_iter().map(|fault| fault.fault).collect()),
    };
    let answer = thread
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("no panic");
    // Quadratic time would take hours on the texts below; machines differ by less.
    assert!(started.elapsed() < Duration::from_mins(1));
    answer
}

fn faults(body: &str) -> Vec<Fault> {
    read_on_a_small_stack(format!("problem p\n{body}\n")).expect_err("a fault")
}

/// A text of nearly the greatest length.
fn long(piece: &str) -> String {
    piece.repeat((TEXT_LIMIT - 100) / piece.len())
}

fn is_nested(fault: &Fault) -> bool {
    matches!(fault, Fault::NestedTooDeep { .. })
}

fn is_too_long(fault: &Fault) -> bool {
    matches!(fault, Fault::ExpressionTooLong { .. })
}

#[test]
fn deep_brackets_are_refused() {
    for before in [
        "print ",
        "read a: ",
        "let x = ",
        "if ",
        "game g = nim with m = ",
    ] {
        for open in ["(", "[", "min(", "[1, ", "(nim with m = ", "nim at ("] {
            let faults = faults(&(before.to_owned() + &long(open)));
            let refused = faults
                .iter()
                .any(|fault| is_nested(fault) || is_too_long(fault));
            assert!(refused, "{before}{open}: {faults:?}");
        }
    }
    assert!(faults(&long(")")).contains(&Fault::BracketUnopened));
    let deep = format!("print {}1{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(is_nested(&faults(&deep)[0]));
}

#[test]
fn deep_blocks_are_refused() {
    let faults_of = |piece: &str| faults(&long(piece));
    assert!(faults_of("repeat {\n").iter().any(is_nested));
    assert!(faults_of("if 1 = 1 {").iter().any(is_nested));
    assert!(!faults_of("{\n").is_empty());
    let chain = format!("if 1 = 1 {{\n}} {}", long("else if 1 = 1 {\n}"));
    assert!(faults(&chain).iter().any(is_nested));
    assert!(faults_of("}\n").contains(&Fault::BracketUnopened));
    let braces = format!("game g = {}", long("{"));
    assert_eq!(faults(&braces), [Fault::BracketUnclosed { before: None }]);
}

#[test]
fn long_expressions_are_refused() {
    for piece in [
        "1 + ",
        "-",
        "not ",
        "2 ^ ",
        "1 and ",
        "a ++ ",
        "if 1 = 1 then 1 else ",
        "nim at ",
        "least x in 1.. where ",
        "x.",
        "1 - nim at ",
    ] {
        let refused = faults(&format!("print {}1", long(piece)));
        assert!(refused.iter().any(is_too_long), "{piece}");
    }
    let refused = faults(&format!("print 1{}", long("[1]")));
    assert!(refused.iter().any(is_too_long));
    let refused = faults(&format!("read a: {} 1..9", long("1 of ")));
    assert!(refused.iter().any(is_too_long));
}

#[test]
fn long_words_and_numbers_are_refused() {
    let refused = faults(&format!("print {}", long("9")));
    assert!(matches!(refused[0], Fault::NumberTooLong { .. }));
    let refused = faults("print 1e1000, 1e99999999999999999999");
    assert_eq!(refused.len(), 2);
    let refused = faults(&format!("let {} = 1", long("a")));
    assert!(matches!(refused[0], Fault::NameTooLong { .. }));
    let refused = faults(&format!("let x = {} at 1", long("a-")));
    assert!(!refused.is_empty());
    let whole = read_on_a_small_stack(" ".repeat(TEXT_LIMIT + 1)).expect_err("too long");
    assert_eq!(whole, [Fault::TextTooLong { limit: TEXT_LIMIT }]);
}

#[test]
fn many_faults_are_cut_off() {
    for piece in [
        "x\n",
        "print y\n",
        "§ ",
        "print \"\n",
        "else {}\n",
        "print nimm at 1\n",
        "a.b ",
    ] {
        let refused = faults(&long(piece));
        assert!(refused.len() <= 65, "{piece}: {}", refused.len());
    }
}

#[test]
fn long_texts_are_read() {
    for piece in [
        "print 1, 2\n",
        "if 1 = 1 { print }\n",
        "game g = { rules 0.77 }\nrepeat 1 { print won(kayles at 1) }\n",
        "print [\n1, (2, 3)] # comment \"\n",
        "\n",
    ] {
        let text = if piece.starts_with("game") {
            // A name is given once in a block.
            format!("repeat 1 {{\n{piece}}}\n").repeat(5_000)
        } else {
            long(piece)
        };
        let read = read_on_a_small_stack(format!("problem p\n{text}"));
        assert!(read.is_ok(), "{piece}: {:?}", read.map(drop));
    }
    let list = format!("print [{}1]", long("1, "));
    assert!(read_on_a_small_stack(format!("problem p\n{list}")).is_ok());
    let lines = format!("print [{}1]", long("\n"));
    assert!(read_on_a_small_stack(format!("problem p\n{lines}")).is_ok());
}

/// The deepest that is allowed is read, checked and dropped on a small stack.
#[test]
fn the_limits_can_be_reached() {
    let brackets = format!("print {}1{}", "[".repeat(60), "]".repeat(60));
    let operators = format!("print {}1", "1 + ".repeat(290));
    let powers = format!("print {}1", "1 ^ ".repeat(290));
    let choices = format!("print {}1", "if 1 = 1 then 1 else ".repeat(290));
    let mixed = format!("print {}1{}", "min(1 + -(".repeat(30), "))".repeat(30));
    let fields = format!("print first(moves(nim at 1)){}", "[1]".repeat(290));
    let lists = format!("read a: {}1..9", "1 of ".repeat(290));
    let blocks = "repeat {\n".repeat(63) + &"}\n".repeat(63);
    let chain = format!("if 1 = 1 {{\n}} {}", "else if 1 = 1 {\n}\n".repeat(60));
    let both = "repeat {\n".repeat(60) + &mixed + "\n" + &powers + "\n" + &"}\n".repeat(60);
    for body in [
        brackets, operators, powers, choices, mixed, fields, lists, blocks, chain, both,
    ] {
        let read = read_on_a_small_stack(format!("problem p\n{body}\n"));
        assert!(read.is_ok(), "{body}: {:?}", read.map(drop));
    }
}
