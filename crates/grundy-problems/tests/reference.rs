//! The pages about the language name its words and are right about them.

use grundy_problems::{Fault, parse};

fn page(name: &str) -> String {
    let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the page is there")
}

/// The first fault of this statement.
fn fault(statement: &str) -> Option<Fault> {
    let text = format!("problem p\nread n in 1..9\n{statement}\n");
    parse(&text).err().map(|faults| faults[0].fault.clone())
}

#[test]
fn the_reserved_words_are_those_that_cannot_be_names() {
    let page = page("problem-grammar.md");
    let (_, list) = page.split_once("Reserved words: `").expect("a list");
    let (list, _) = list.split_once('`').expect("a list");
    let reserved: Vec<&str> = list.split_whitespace().collect();
    for word in &reserved {
        let is_reserved = matches!(
            fault(&format!("let {word} = 1")),
            Some(Fault::ReservedWord { .. })
        );
        assert!(is_reserved, "{word}");
    }
    // Every other word of the grammar may be a name.
    let quoted = page.split('"').skip(1).step_by(2);
    let words = quoted.filter(|text| text.bytes().all(|byte| byte.is_ascii_lowercase()));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    assert!(words.contains(&"separators") && words.contains(&"nonincreasing"));
    for word in words {
        let free = fault(&format!("let {word} = 1\nprint {word}"));
        assert_eq!(
            free.is_none(),
            !reserved.contains(&word),
            "{word}: {free:?}"
        );
    }
}

#[test]
fn the_functions_take_so_many_arguments() {
    let page = page("problem-grammar.md");
    for (row, wrong) in [
        ("| 1 | `", ["", "n, n"]),
        ("| 2 | `", ["n", "n, n, n"]),
        ("| 1 or more | `", ["", ""]),
    ] {
        let (_, list) = page.split_once(row).expect("a row");
        let (list, _) = list.split_once('`').expect("a list");
        for function in list.split_whitespace() {
            for arguments in wrong {
                let fault = fault(&format!("print {function}({arguments})"));
                let is_arity = matches!(fault, Some(Fault::WrongArity { .. }));
                assert!(is_arity, "{function}({arguments}): {fault:?}");
            }
        }
    }
}

#[test]
fn the_examples_are_in_the_catalogue_as_written() {
    let page = page("problems.md");
    let examples: Vec<&str> = page
        .split("```text\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert!(examples.len() >= 3);
    for example in examples {
        let problem = parse(example).expect("an example without faults");
        let entry = grundy_problems::catalogue::find(&problem.name).expect("a file");
        assert_eq!(entry.text, example);
    }
}
