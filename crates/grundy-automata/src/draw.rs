//! Drawings of automata: DOT for Graphviz, and SVG.

use std::fmt::{self, Display, Formatter};

use grundy_diagram::{Diagram, Direction, Edge, Node, Shape};

use crate::alphabet::Letter;
use crate::automaton::{Automaton, State, index};

/// How many letters stand at an arrow of a picture; of more, the first and the last.
const MOST_LETTERS: usize = 5;

impl Automaton {
    /// The automaton in the DOT language. Letters are their digits with commas between them; a state from which
    /// nothing is accepted is left out.
    pub fn dot(&self) -> impl Display {
        Dot(self)
    }

    /// The automaton as SVG, from the start on the left; accepting states have two rings. A state from which
    /// nothing is accepted is left out.
    ///
    /// A state stands in the column of the fewest letters that lead to it. At an arrow stand its letters, each
    /// as its digits in the order of the tracks.
    pub fn svg(&self) -> String {
        let columns = self.columns();
        let mut nodes = vec![Node {
            lines: Vec::new(),
            fill: "#212529",
            shape: Shape::Dot,
            is_ringed: false,
            layer: 0,
        }];
        let mut places = vec![0; self.states()];
        for state in self.drawn() {
            let Some(column) = columns[state as usize] else {
                continue;
            };
            places[state as usize] = nodes.len();
            nodes.push(Node {
                lines: vec![state.to_string()],
                fill: "#ffffff",
                shape: Shape::Circle,
                is_ringed: self.is_accepting(state),
                layer: column + 1,
            });
        }
        let edge = |from, to: State, label| Edge {
            from,
            to: places[to as usize],
            colour: "#495057",
            label,
        };
        let mut edges = vec![edge(0, 0, String::new())];
        for (from, to, letters) in self.arrows() {
            let label = match letters.as_slice() {
                [first, .., last] if letters.len() > MOST_LETTERS => format!("{first} … {last}"),
                _ => letters.join(" "),
            };
            if places[from as usize] > 0 {
                edges.push(edge(places[from as usize], to, label));
            }
        }
        let diagram = Diagram {
            nodes,
            edges,
            direction: Direction::Right,
            radius: 18.0,
        };
        diagram.svg()
    }

    /// The states that are shown.
    fn drawn(&self) -> impl Iterator<Item = State> {
        let sinks = self.sinks();
        (0..self.states())
            .filter(move |&state| state == 0 || sinks[state] != Some(false))
            .map(index)
    }

    /// From each state that is shown to each: the letters that lead there.
    fn arrows(&self) -> Vec<(State, State, Vec<String>)> {
        let mut is_drawn = vec![false; self.states()];
        self.drawn()
            .for_each(|state| is_drawn[state as usize] = true);
        let mut arrows = Vec::new();
        for state in self.drawn() {
            let row = self.row(state);
            let mut targets = row.to_vec();
            targets.sort_unstable();
            targets.dedup();
            for target in targets
                .into_iter()
                .filter(|&target| is_drawn[target as usize])
            {
                let letters = (0..row.len()).filter(|&letter| row[letter] == target);
                let letters = letters.map(|letter| self.digits(index(letter))).collect();
                arrows.push((state, target, letters));
            }
        }
        arrows
    }

    fn digits(&self, letter: Letter) -> String {
        let digits = self.alphabet().digits(letter);
        let digits: Vec<String> = digits.iter().map(u32::to_string).collect();
        digits.join(",")
    }

    /// How few letters lead from the start to each state.
    fn columns(&self) -> Vec<Option<usize>> {
        let mut columns = vec![None; self.states()];
        columns[0] = Some(0);
        let mut reached: Vec<State> = vec![0];
        let mut next = 0;
        while let Some(&state) = reached.get(next) {
            next += 1;
            let column = columns[state as usize].map(|column| column + 1);
            for &target in self.row(state) {
                if columns[target as usize].is_none() {
                    columns[target as usize] = column;
                    reached.push(target);
                }
            }
        }
        columns
    }
}

struct Dot<'a>(&'a Automaton);

impl Display for Dot<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let automaton = self.0;
        writeln!(f, "digraph automaton {{")?;
        writeln!(f, "  rankdir = LR;")?;
        writeln!(f, "  start [shape = point];")?;
        writeln!(f, "  start -> 0;")?;
        for state in automaton.drawn() {
            let accepting = automaton.is_accepting(state);
            let shape = if accepting { "doublecircle" } else { "circle" };
            writeln!(f, "  {state} [shape = {shape}];")?;
        }
        for (from, to, letters) in automaton.arrows() {
            writeln!(f, "  {from} -> {to} [label = \"{}\"];", letters.join(" "))?;
        }
        writeln!(f, "}}")
    }
}
