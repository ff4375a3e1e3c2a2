//! Values on given graphs without cycles, beside a plain read of the same bytes and C++ with hash sets.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

use grundy_graphs::acyclic::{Acyclic, Values, grundy_values};
use grundy_graphs::{Graph, Vertex, Work};

use crate::report::{first_line, median, processor};
use crate::{Run, checksum, cpp, folder, seconds};

/// How many vertices there are at full size.
pub const FULL: u32 = 10_000_000;
/// How many edges lead from each vertex.
const DEGREE: u32 = 10;
/// How often each side runs.
const REPEATS: usize = 3;

/// How far edges lead, and in which order the vertices are numbered.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    /// Edges lead at most so far down; anywhere below if it is 0.
    window: u32,
    is_shuffled: bool,
    /// Which part of the vertices asked for it has: to visit vertices in no order takes long.
    part: u32,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "local edges",
        window: 1000,
        is_shuffled: false,
        part: 1,
    },
    Kind {
        name: "random edges",
        window: 0,
        is_shuffled: false,
        part: 1,
    },
    Kind {
        name: "random edges, vertices in no order: a tenth of them",
        window: 0,
        is_shuffled: true,
        part: 10,
    },
];

/// Measures graphs with so many vertices.
pub fn measure(vertices: u32) -> Result<String, String> {
    let mut text = format!(
        "# Values on given graphs\n\n{day}, {cpu}; {rust}; {cpp}. Processor seconds, median of {REPEATS} runs of \
         each side in turn.\n{vertices} vertices with {DEGREE} edges each, laid out in memory before the clock starts; the \
         checksums of the values agreed.\nThe plain read adds up the same bytes. C++ takes the vertices in order, with a \
         hash set for each.\nWhere \
         vertices stand in no order it still does so, and grundy has to find an order.\n\n| graph | plain read | grundy | times the read | C++ | times as fast as C++ |\n\
         | --- | ---: | ---: | ---: | ---: | ---: |\n",
        day = first_line("date", "+%F")?,
        cpu = processor()?,
        rust = first_line("rustc", "--version")?,
        cpp = cpp::version()?,
    );
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp/dag.cpp");
    let program = cpp::compile(&source, &folder()?)?;
    for kind in KINDS {
        let line = line(*kind, vertices.div_ceil(kind.part), &program)?;
        eprintln!("{line}");
        text += &line;
        text.push('\n');
    }
    Ok(text)
}

fn line(kind: Kind, vertices: u32, program: &cpp::Program) -> Result<String, String> {
    let program = program.with(&[vertices, DEGREE, kind.window]);
    let (first, to) = rows(kind, vertices);
    let (mut reads, mut ours, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    let graph = if kind.is_shuffled {
        shuffled(&first, &to)
    } else {
        Graph::of_rows(first.clone(), to.clone())
    };
    for _ in 0..REPEATS {
        let start = seconds();
        black_box(sum(&first) ^ sum(&to));
        reads.push(seconds() - start);
        let run = values(&graph, kind)?;
        let other = program.run()?;
        if run.checksum != other.checksum {
            return Err(format!(
                "{}: the values differ from those of C++",
                kind.name
            ));
        }
        ours.push(run.seconds);
        theirs.push(other.seconds);
    }
    let (read, ours, theirs) = (median(reads), median(ours), median(theirs));
    let mut line = String::new();
    write!(
        line,
        "| {} | {read:.4} | {ours:.4} | {:.1} | {theirs:.3} | {:.1} |",
        kind.name,
        ours / read,
        theirs / ours
    )
    .expect("a string takes all that is written to it");
    Ok(line)
}

fn values(graph: &Graph, kind: Kind) -> Result<Run, String> {
    let start = seconds();
    let found = grundy_values(graph, &mut Work::new(1 << 34));
    let seconds = seconds() - start;
    let Ok(Acyclic::Values(values)) = found else {
        return Err(format!("{}: edges lead down, but {found:?}", kind.name));
    };
    let in_order =
        |values: &Values| checksum(graph.vertices().map(|vertex| values.of(vertex).into()));
    let checksum = if kind.is_shuffled {
        let vertices = u32::try_from(graph.len()).expect("it was made from such a number");
        checksum((0..vertices).map(|vertex| values.of(place(vertex, vertices)).into()))
    } else {
        in_order(&values)
    };
    Ok(Run { checksum, seconds })
}

fn sum(words: &[u32]) -> u32 {
    words.iter().fold(0, |sum, word| sum.wrapping_add(*word))
}

/// Where the edges of each vertex begin, and where they lead; the same as in `cpp/dag.cpp`.
fn rows(kind: Kind, vertices: u32) -> (Vec<u32>, Vec<Vertex>) {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    let (mut first, mut to) = (vec![0], Vec::new());
    for vertex in 0..vertices {
        let below = match kind.window {
            0 => vertex,
            window => window.min(vertex),
        };
        for _ in 0..if below == 0 { 0 } else { DEGREE } {
            let back = random() % u64::from(below);
            to.push(vertex - 1 - u32::try_from(back).expect("it is below a u32"));
        }
        first.push(u32::try_from(to.len()).expect("edges are fewer than 2^32"));
    }
    (first, to)
}

/// The number of a vertex in a graph whose numbers are in no order.
fn place(vertex: Vertex, vertices: u32) -> Vertex {
    // A multiplier without a common divisor permutes the numbers.
    let place = u64::from(vertex) * multiplier(vertices) % u64::from(vertices);
    u32::try_from(place).expect("a remainder of a u32")
}

/// A number without a common divisor with another one, and far from it.
fn multiplier(vertices: u32) -> u64 {
    let vertices = u64::from(vertices);
    let is_coprime = |number: &u64| {
        let (mut a, mut b) = (*number, vertices);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    (vertices * 618 / 1000 + 1..=2 * vertices + 1)
        .find(is_coprime)
        .expect("twice the number and one has no divisor in common with it")
}

fn shuffled(first: &[u32], to: &[Vertex]) -> Graph {
    let vertices = u32::try_from(first.len() - 1).expect("rows are counted so");
    let mut origin = vec![0; first.len() - 1];
    for vertex in 0..vertices {
        origin[place(vertex, vertices) as usize] = vertex as usize;
    }
    let (mut new_first, mut new_to) = (vec![0], Vec::with_capacity(to.len()));
    for vertex in origin {
        let row = &to[first[vertex] as usize..first[vertex + 1] as usize];
        new_to.extend(row.iter().map(|to| place(*to, vertices)));
        new_first.push(u32::try_from(new_to.len()).expect("edges are fewer than 2^32"));
    }
    Graph::of_rows(new_first, new_to)
}
