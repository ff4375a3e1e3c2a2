//! The problems that come with the library: every file of `problems/`, embedded when it is built.

/// One problem of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, that of its file without `.problem`.
    pub name: &'static str,
    /// Its text, as it stands in the file.
    pub text: &'static str,
    /// Its samples, ascending by number.
    pub samples: &'static [Sample],
}

/// An input and what is printed for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Its number, from 1, in the names `problems/samples/NAME.1.in` and `.out`.
    pub number: u32,
    /// What is read.
    pub input: &'static str,
    /// What is to be printed.
    pub output: &'static str,
}

/// Every problem of the catalogue, ascending by name.
pub const PROBLEMS: &[Entry] = include!(concat!(env!("OUT_DIR"), "/problems.rs"));

/// The problem with this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    let index = PROBLEMS
        .binary_search_by_key(&name, |problem| problem.name)
        .ok()?;
    Some(&PROBLEMS[index])
}

impl Sample {
    /// Whether an output is the one that is to be printed; white space at the ends of lines and
    /// empty lines at the end do not count.
    pub fn is_answered_by(&self, output: &str) -> bool {
        lines_of(self.output) == lines_of(output)
    }
}

/// The lines of an output as judges compare them.
fn lines_of(output: &str) -> Vec<&str> {
    output.trim_end().lines().map(str::trim_end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn problems_are_found_by_name() {
        assert!(PROBLEMS.is_sorted_by(|a, b| a.name < b.name));
        for problem in PROBLEMS {
            assert_eq!(find(problem.name), Some(problem));
        }
        assert_eq!(find("no such problem"), None);
        let sample = find("hdu3032").and_then(|problem| problem.samples.first());
        assert_eq!(sample.map(|sample| sample.output), Some("Alice\nBob\n"));
    }

    #[test]
    fn every_problem_is_read_and_has_the_name_of_its_file() {
        for entry in PROBLEMS {
            let shown = |faults: Vec<crate::Diagnostic>| -> String {
                let file = format!("problems/{}.problem", entry.name);
                let render = |fault| crate::text::render(fault, &file, entry.text, false);
                faults.iter().map(render).collect()
            };
            let problem = parse(entry.text).map_err(shown);
            let name = problem.map(|problem| problem.name);
            assert_eq!(name.as_deref(), Ok(entry.name));
        }
    }
}
