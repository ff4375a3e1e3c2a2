//! Drawings of automata, for Graphviz.

use std::fmt::{self, Display, Formatter};

use crate::automaton::{Automaton, index};

impl Automaton {
    /// The automaton in the DOT language. Letters are their digits with commas between them; a state from which
    /// nothing is accepted is left out.
    pub fn dot(&self) -> impl Display {
        Dot(self)
    }
}

struct Dot<'a>(&'a Automaton);

impl Display for Dot<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let automaton = self.0;
        let sinks = automaton.sinks();
        let drawn = |state: usize| state == 0 || sinks[state] != Some(false);
        writeln!(f, "digraph automaton {{")?;
        writeln!(f, "  rankdir = LR;")?;
        writeln!(f, "  start [shape = point];")?;
        writeln!(f, "  start -> 0;")?;
        for state in (0..automaton.states()).filter(|&state| drawn(state)) {
            let accepting = automaton.is_accepting(index(state));
            let shape = if accepting { "doublecircle" } else { "circle" };
            writeln!(f, "  {state} [shape = {shape}];")?;
        }
        for state in (0..automaton.states()).filter(|&state| drawn(state)) {
            let row = automaton.row(index(state));
            let mut targets = row.to_vec();
            targets.sort_unstable();
            targets.dedup();
            for target in targets.into_iter().filter(|&target| drawn(target as usize)) {
                let letters = (0..row.len()).filter(|&letter| row[letter] == target);
                let labels: Vec<String> = letters
                    .map(|letter| {
                        let digits = automaton.alphabet().digits(index(letter));
                        digits
                            .iter()
                            .map(u32::to_string)
                            .collect::<Vec<_>>()
                            .join(",")
                    })
                    .collect();
                writeln!(
                    f,
                    "  {state} -> {target} [label = \"{}\"];",
                    labels.join(" ")
                )?;
            }
        }
        writeln!(f, "}}")
    }
}
