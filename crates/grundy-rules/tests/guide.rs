//! What the language guide shows is rules.

use grundy_rules::parse;

#[test]
fn every_example_of_the_guide_is_understood() {
    let guide = include_str!("../../../docs/language.md");
    let mut blocks = 0;
    for block in guide.split("```text\n").skip(1) {
        let (block, _) = block.split_once("```").expect("a closed block");
        let text = if block.starts_with("expect") || block.starts_with("claim") {
            format!("[n] -> [n-k] where k >= 1\n[x, y] -> nothing\n{block}")
        } else {
            block.to_owned()
        };
        parse(&text).unwrap_or_else(|faults| panic!("{block}\n{faults:#?}"));
        blocks += 1;
    }
    assert!(blocks > 0, "no example in the guide");
}
