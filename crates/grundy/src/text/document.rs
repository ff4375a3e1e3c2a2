//! A text for people in blocks, written as plain lines, as Markdown, or as LaTeX.

use std::fmt::Write as _;

use crate::outcome::Outcome;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// What it is all about.
    Title(String),
    /// Who wins.
    Verdict(Outcome, String),
    /// What the next blocks are about.
    Heading(String),
    /// Sentences.
    Text(String),
    /// Short texts of one kind.
    Items(Vec<String>),
    /// Numbers with their digits in columns.
    Grid(Grid),
    /// Texts in columns.
    Table(Table),
}

/// Numbers with their digits in columns, and below a line what comes of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Above the line.
    pub rows: Vec<GridRow>,
    /// Below it.
    pub results: Vec<GridRow>,
}

/// A row of a [`Grid`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GridRow {
    /// What the number is.
    pub label: String,
    /// The number in decimal; may be empty.
    pub number: String,
    /// Its digits, or other numbers, by column; all rows have equally many.
    pub cells: Vec<String>,
}

/// Texts in columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows; each has as many texts.
    pub rows: Vec<Vec<String>>,
}

/// What a line of plain text is, for a front end that has colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What it is all about.
    Title,
    /// Who wins.
    Verdict(Outcome),
    /// What the next lines are about.
    Heading,
    /// Anything else.
    Plain,
}

/// How wide lines of plain text are, in characters.
const WIDTH: usize = 100;

/// A text as lines for a terminal.
pub fn plain(blocks: &[Block]) -> Vec<(Role, String)> {
    let mut lines: Vec<(Role, String)> = Vec::new();
    let mut after_heading = true;
    for block in blocks {
        let gap = match block {
            Block::Title(_) | Block::Verdict(..) | Block::Text(_) | Block::Items(_) => false,
            Block::Heading(_) => true,
            Block::Grid(_) | Block::Table(_) => !after_heading,
        };
        if gap && !lines.is_empty() {
            lines.push((Role::Plain, String::new()));
        }
        after_heading = matches!(block, Block::Heading(_));
        let mut add = |role, text: String| lines.push((role, text));
        match block {
            Block::Title(text) => add(Role::Title, text.clone()),
            Block::Verdict(outcome, text) => add(Role::Verdict(*outcome), text.clone()),
            Block::Heading(text) => add(Role::Heading, text.clone()),
            Block::Text(text) => wrapped(text, "  ", "  ", &mut |line| add(Role::Plain, line)),
            Block::Items(items) => {
                for item in items {
                    wrapped(item, "  ", "    ", &mut |line| add(Role::Plain, line));
                }
            }
            Block::Grid(grid) => {
                grid_lines(grid)
                    .into_iter()
                    .for_each(|line| add(Role::Plain, line));
                add(Role::Plain, String::new());
            }
            Block::Table(table) => {
                table_lines(table)
                    .into_iter()
                    .for_each(|line| add(Role::Plain, line));
            }
        }
    }
    // A gap before a heading and one behind a grid are one.
    lines.dedup_by(|later, earlier| later.1.is_empty() && earlier.1.is_empty());
    while lines.last().is_some_and(|(_, line)| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// Breaks a text at white space where it gets too wide.
fn wrapped(text: &str, first: &str, next: &str, line: &mut dyn FnMut(String)) {
    let mut current = first.to_owned();
    let mut is_empty = true;
    for word in text.split(' ') {
        let width = current.chars().count() + 1 + word.chars().count();
        if !is_empty && width > WIDTH {
            line(std::mem::replace(&mut current, next.to_owned()));
            is_empty = true;
        }
        if !is_empty {
            current.push(' ');
        }
        current.push_str(word);
        is_empty = false;
    }
    line(current);
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn grid_lines(grid: &Grid) -> Vec<String> {
    let rows = || grid.rows.iter().chain(&grid.results);
    let most = |of: &dyn Fn(&GridRow) -> usize| rows().map(of).max().unwrap_or(0);
    let label = most(&|row| width(&row.label));
    let number = most(&|row| width(&row.number));
    let cell = most(&|row| row.cells.iter().map(|cell| width(cell)).max().unwrap_or(0));
    let line = |row: &GridRow| {
        let mut line = format!("    {:label$}  {:>number$}  ", row.label, row.number);
        for (index, text) in row.cells.iter().enumerate() {
            if cell > 1 && index > 0 {
                line.push(' ');
            }
            write!(line, "{text:>cell$}").expect("a string takes all text");
        }
        line
    };
    let mut lines: Vec<String> = grid.rows.iter().map(line).collect();
    let results: Vec<String> = grid.results.iter().map(line).collect();
    let widest = lines.iter().chain(&results).map(|line| width(line)).max();
    if !results.is_empty() {
        let length = widest.unwrap_or(4).saturating_sub(4);
        lines.push(format!("    {}", "-".repeat(length)));
    }
    lines.extend(results);
    lines
}

fn table_lines(table: &Table) -> Vec<String> {
    let rows = || std::iter::once(&table.head).chain(&table.rows);
    let widths: Vec<usize> = (0..table.head.len())
        .map(|column| rows().map(|row| width(&row[column])).max().unwrap_or(0))
        .collect();
    let line = |row: &Vec<String>| {
        let mut line = String::from("  ");
        for (text, width) in row.iter().zip(&widths) {
            write!(line, "  {text:width$}").expect("a string takes all text");
        }
        line.trim_end().to_owned()
    };
    rows().map(line).collect()
}

/// A text as Markdown.
pub fn markdown(blocks: &[Block]) -> String {
    let mut out = String::new();
    for block in blocks {
        match block {
            Block::Title(text) => write!(out, "# {}", marked(text)),
            Block::Verdict(_, text) => write!(out, "**{}**", marked(text)),
            Block::Heading(text) => write!(out, "## {}", marked(text)),
            Block::Text(text) => write!(out, "{}", marked(text)),
            Block::Items(items) => {
                let items = items.iter().map(|item| format!("- {}", marked(item)));
                write!(out, "{}", items.collect::<Vec<_>>().join("\n"))
            }
            Block::Grid(grid) => write!(out, "```text\n{}\n```", grid_lines(grid).join("\n")),
            Block::Table(table) => {
                let row = |row: &Vec<String>| {
                    let cells: Vec<String> = row.iter().map(|cell| marked(cell)).collect();
                    format!("| {} |", cells.join(" | "))
                };
                let rule = "| --- ".repeat(table.head.len());
                let rows: Vec<String> = table.rows.iter().map(row).collect();
                write!(out, "{}\n{rule}|\n{}", row(&table.head), rows.join("\n"))
            }
        }
        .expect("a string takes all text");
        out.push_str("\n\n");
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Text in which no character has a meaning in Markdown.
fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        if "\\`*_{}[]<>#|~$".contains(sign) {
            out.push('\\');
        }
        out.push(sign);
    }
    // A number with a point, or a sign, would begin a list.
    let digits = out.len()
        - out
            .trim_start_matches(|sign: char| sign.is_ascii_digit())
            .len();
    if digits > 0 && out[digits..].starts_with(['.', ')']) || out.starts_with(['-', '+']) {
        out.insert(digits, '\\');
    }
    out
}

/// A text as a LaTeX document.
pub fn latex(blocks: &[Block]) -> String {
    let mut out = String::from(
        "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n\
         \\usepackage{amsmath,graphicx,longtable}\n\\begin{document}\n",
    );
    for block in blocks {
        match block {
            Block::Title(text) => write!(out, "\\section*{{{}}}", typeset(text)),
            Block::Verdict(_, text) => write!(out, "\\textbf{{{}}}", typeset(text)),
            Block::Heading(text) => write!(out, "\\subsection*{{{}}}", typeset(text)),
            Block::Text(text) => write!(out, "{}", typeset(text)),
            Block::Items(items) if items.is_empty() => Ok(()),
            Block::Items(items) => {
                let items = items
                    .iter()
                    .map(|item| format!("\\item {}\n", typeset(item)));
                let items: String = items.collect();
                write!(out, "\\begin{{itemize}}\n{items}\\end{{itemize}}")
            }
            Block::Grid(grid) => write!(out, "{}", latex_grid(grid)),
            Block::Table(table) => write!(out, "{}", latex_table(table)),
        }
        .expect("a string takes all text");
        out.push_str("\n\n");
    }
    out.push_str("\\end{document}\n");
    out
}

/// An array that is made smaller where it would be wider than the page.
fn latex_grid(grid: &Grid) -> String {
    let wide = |row: &GridRow| row.cells.iter().any(|cell| width(cell) > 1);
    let apart = grid.rows.iter().chain(&grid.results).any(wide);
    let row = |row: &GridRow| {
        let separator = if apart { " & " } else { "" };
        let cells: Vec<String> = row
            .cells
            .iter()
            .map(|cell| format!("\\mathtt{{{cell}}}"))
            .collect();
        let cells = if apart {
            cells.join(separator)
        } else {
            format!("\\mathtt{{{}}}", row.cells.concat())
        };
        format!(
            "\\text{{{}}} & {} & {cells} \\\\\n",
            typeset(&row.label),
            row.number
        )
    };
    let columns = if apart {
        grid.rows
            .iter()
            .chain(&grid.results)
            .map(|row| row.cells.len())
            .max()
    } else {
        None
    };
    let rows: String = grid.rows.iter().map(row).collect();
    let results: String = grid.results.iter().map(row).collect();
    let rule = if results.is_empty() { "" } else { "\\hline\n" };
    format!(
        "\\begin{{center}}\n\\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{$\n\
         \\begin{{array}}{{lr{}}}\n{rows}{rule}{results}\\end{{array}}$}}\n\\end{{center}}",
        "r".repeat(columns.unwrap_or(1))
    )
}

fn latex_table(table: &Table) -> String {
    let share = 0.9 / f64::from(u32::try_from(table.head.len().max(1)).unwrap_or(1));
    let column = format!("p{{{share:.2}\\linewidth}}");
    let row = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().map(|cell| typeset(cell)).collect();
        format!("{} \\\\\n", cells.join(" & "))
    };
    let rows: String = table.rows.iter().map(row).collect();
    format!(
        "\\begin{{longtable}}{{{}}}\n{}\\hline\n\\endhead\n{rows}\\end{{longtable}}",
        column.repeat(table.head.len()),
        row(&table.head)
    )
}

/// After how many digits in a row a line may be broken.
const DIGITS: usize = 20;

/// Text that LaTeX sets as it stands.
fn typeset(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut digits = 0;
    for sign in text.chars() {
        digits = if sign.is_ascii_alphanumeric() {
            digits + 1
        } else {
            0
        };
        let written = match sign {
            '\\' => "\\textbackslash{}",
            '{' => "\\{",
            '}' => "\\}",
            '$' => "\\$",
            '&' => "\\&",
            '#' => "\\#",
            '%' => "\\%",
            '_' => "\\_",
            '^' => "\\textasciicircum{}",
            '~' => "\\textasciitilde{}",
            '<' => "\\textless{}",
            '>' => "\\textgreater{}",
            '|' => "\\textbar{}",
            '"' => "\\textquotedbl{}",
            '`' => "\\textasciigrave{}",
            '\'' => "\\textquotesingle{}",
            // In brackets, lest they are taken for an optional argument.
            '[' => "{[}",
            ']' => "{]}",
            '*' => "{*}",
            '-' => "{-}",
            '≤' => "\\ensuremath{\\leq}",
            '≥' => "\\ensuremath{\\geq}",
            '≠' => "\\ensuremath{\\neq}",
            '·' => "\\ensuremath{\\cdot}",
            '×' => "\\ensuremath{\\times}",
            '⊕' => "\\ensuremath{\\oplus}",
            '√' => "\\ensuremath{\\surd}",
            '⌊' => "\\ensuremath{\\lfloor}",
            '⌋' => "\\ensuremath{\\rfloor}",
            '→' => "\\ensuremath{\\to}",
            '…' => "\\ldots{}",
            '²' => "\\ensuremath{^2}",
            'α' => "\\ensuremath{\\alpha}",
            sign if sign.is_ascii() || ('À'..='ÿ').contains(&sign) => {
                out.push(sign);
                if digits > 0 && digits % DIGITS == 0 {
                    out.push_str("\\hspace{0pt}");
                }
                continue;
            }
            other => {
                write!(out, "\\texttt{{U+{:04X}}}", u32::from(other))
                    .expect("a string takes all text");
                continue;
            }
        };
        out.push_str(written);
    }
    out
}
