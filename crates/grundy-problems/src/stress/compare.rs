//! How an output differs from the one that is expected.

/// What is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The words are the same, and stand in other lines or with other white space between them.
    Spacing,
    /// The words are the same up to the case of their letters.
    Case,
    /// The answer is another one.
    Answer,
}

/// How an output differs from the one that is expected; `None` if a judge takes it for the same, who
/// overlooks white space at the ends of lines and empty lines at the end.
pub fn compare(expected: &str, output: &str) -> Option<Difference> {
    let lines = |text: &str| -> Vec<String> {
        let lines = text.trim_end().lines();
        lines.map(|line| line.trim_end().to_owned()).collect()
    };
    if lines(expected) == lines(output) {
        return None;
    }
    let same = |equal: &dyn Fn(&str, &str) -> bool| {
        let (mut a, mut b) = (expected.split_whitespace(), output.split_whitespace());
        loop {
            match (a.next(), b.next()) {
                (None, None) => return true,
                (Some(a), Some(b)) if equal(a, b) => {}
                _ => return false,
            }
        }
    };
    Some(if same(&|a, b| a == b) {
        Difference::Spacing
    } else if same(&|a, b| a.to_lowercase() == b.to_lowercase()) {
        Difference::Case
    } else {
        Difference::Answer
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_told_apart() {
        assert_eq!(compare("Alice\nBob\n", "Alice \nBob\n\n"), None);
        assert_eq!(compare("a b\n", "a\nb\n"), Some(Difference::Spacing));
        assert_eq!(compare("Alice\n", "ALICE\n"), Some(Difference::Case));
        assert_eq!(compare("Alice\n", "Bob\n"), Some(Difference::Answer));
        assert_eq!(compare("1 2\n", "1\n"), Some(Difference::Answer));
        assert_eq!(compare("", "1\n"), Some(Difference::Answer));
    }
}
