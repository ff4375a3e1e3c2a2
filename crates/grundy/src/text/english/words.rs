//! Pieces of sentences about what is wrong.

/// Words with a conjunction before the last: "`a`, `b` or `c`".
pub fn list(words: &[String], conjunction: &str) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [words @ .., last] => format!("{} {conjunction} {last}", words.join(", ")),
    }
}

/// The same for words of a language: each in backticks.
pub fn quoted<'w>(words: impl IntoIterator<Item = &'w str>, conjunction: &str) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    list(&words, conjunction)
}

/// "did you mean `x`?", or what is said otherwise.
pub fn or_suggestion(suggestion: Option<&String>, otherwise: impl Into<String>) -> String {
    match suggestion {
        Some(word) => format!("did you mean `{word}`?"),
        None => otherwise.into(),
    }
}

/// "1 member", "2 members".
pub fn count(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// What the words of other languages are here.
pub fn instead_of(sign: &str) -> &'static str {
    match sign {
        "==" => "equality is `=`",
        ":=" => "a value is given by `=`",
        "<>" | "≠" | "!" => "inequality is `!=`; the negation of a condition is `not`",
        "&&" | "∧" => "write `and`, or a comma",
        "||" | "∨" => "write `or`",
        "%" => "the remainder is `n mod m`",
        "**" => "the power is `n^k`",
        "//" => "`/` already rounds down; a comment begins with `#`",
        "&" => "the bitwise and is `band`; conditions are joined by `and`",
        "~" => "the negation of a condition is `not`",
        "<<" => "shifting is `n shl k`",
        ">>" => "shifting is `n shr k`",
        "=>" | "→" | "<-" | "⇒" => "a move is written `[n] -> [n-k]`",
        "≤" => "write `<=`",
        "≥" => "write `>=`",
        "−" | "–" | "—" => "write `-`",
        "×" | "·" => "write `*`",
        "⊕" => "write `xor`",
        "∈" => "write `in`",
        "…" | "..." => "a range is `a..b`, a rest is `r..`",
        "'" | "’" | "‘" | "“" | "”" => "texts stand between `\"` and `\"`",
        "." => "a range is `a..b`; numbers are whole; a code is written `rules 0.77`",
        _ => "remove it",
    }
}
