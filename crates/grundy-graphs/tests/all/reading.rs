//! What texts mean, and where they are wrong.

use grundy_graphs::read::{Fault, Format, Named, Oddity, Place, ReadFault, read};
use grundy_graphs::{End, GraphFault, Mover, Stop, Work};
use proptest::prelude::*;

use crate::naive::work;

fn good(text: &str, format: Format) -> Named {
    read(text.as_bytes(), format, &mut work()).unwrap_or_else(|fault| panic!("{fault:?}: {text}"))
}

fn joined<T>(items: impl IntoIterator<Item = T>, line: impl Fn(T) -> String) -> String {
    let lines: Vec<String> = items.into_iter().map(line).collect();
    lines.concat()
}

fn bad(text: &str, format: Format) -> (usize, usize, Fault) {
    match read(text.as_bytes(), format, &mut work()) {
        Ok(_) => panic!("{text} was read"),
        Err(ReadFault { place, fault }) => {
            let Place { line, column } = place.expect("what is wrong has a place");
            (line, column, fault)
        }
    }
}

/// The edges by name.
fn edges(named: &Named) -> Vec<(String, String, Option<Mover>)> {
    let name = |vertex| named.names.of(vertex).to_owned();
    let of = |vertex| {
        let moves = named.graph.moves(vertex);
        moves
            .map(move |(to, mover)| (name(vertex), name(to), mover))
            .collect::<Vec<_>>()
    };
    named.graph.vertices().flat_map(of).collect()
}

#[test]
fn all_formats_say_the_same() {
    let list = good(
        "# a game\na b\n\na c # here too\n b c\r\nd\n",
        Format::Edges,
    );
    let csv = good("from,to\na,b\na, c\n\"b\",c\nd,\n", Format::Csv);
    let plain_csv = good("a,b\na,c\nb,c\nd", Format::Csv);
    let dot = good(
        "// a game\ndigraph G { rankdir=LR; node [shape=circle]; a -> b; a -> c [label=\"x\"] b->c d }",
        Format::Dot,
    );
    let chained = good(
        "strict digraph { a -> {b c}; b -> c /* twice? */ ; \"d\" }",
        Format::Dot,
    );
    let json = good(
        r#"{"edges": [["a", "b"], {"from": "a", "to": "c"}, {"source": "b", "target": "c"}],
            "vertices": ["a", {"name": "b"}, "c", "d"]}"#,
        Format::Json,
    );
    for named in [&list, &csv, &plain_csv, &dot, &chained, &json] {
        let names: Vec<&str> = named.names.iter().collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
        assert_eq!(edges(named), edges(&list));
        assert!(named.notes.is_empty() && named.tokens.is_empty());
    }
}

#[test]
fn players_ends_chance_and_tokens_are_read() {
    let json = good(
        r#"{"vertices": ["a", {"name": "b", "end": "won"}, {"name": "c", "chance": true}, "d", 7],
            "edges": [{"from": "a", "to": "b", "player": "left"}, ["a", "c"],
                      {"from": "c", "to": "d", "probability": "1/4"}, {"from": "c", "to": 7, "probability": 0.75}],
            "tokens": ["a", 7]}"#,
        Format::Json,
    );
    let dot = good(
        "digraph { a [token=true]; b [end=won]; c [chance=true]; d; 7 [token];
          a -> b [player=left]; a -> c; c -> d [probability=\"1/4\"]; c -> 7 [probability=0.75] }",
        Format::Dot,
    );
    for named in [&json, &dot] {
        assert_eq!(named.tokens, [0, 4]);
        assert_eq!(named.graph.end(1), Some(End::Won));
        assert_eq!(edges(named)[0].2, Some(Mover::Left));
        let odds = named.graph.odds_of(2).unwrap();
        let odds: Vec<String> = odds
            .iter()
            .map(|(to, odd)| format!("{to}: {odd}"))
            .collect();
        assert_eq!(odds, ["3: 1/4", "4: 3/4"]);
    }
    let csv = good(
        "from,to,player,probability\na,b,left,\na,c,,\nc,d,,1/4\nc,e,,3/4\n",
        Format::Csv,
    );
    assert!(csv.graph.is_unfair() && csv.graph.is_chance(2) && !csv.graph.is_chance(0));
}

#[test]
fn oddities_are_noted_with_their_places() {
    let named = good("a b\nb b\n  a b\na c\na b\n", Format::Edges);
    assert_eq!(named.graph.edge_count(), 3);
    let place = |line, column| Some(Place { line, column });
    let [repeated, looped] = named.notes.as_slice() else {
        panic!("{:?}", named.notes);
    };
    assert_eq!(
        repeated.oddity,
        Oddity::Repeated("a".to_owned(), "b".to_owned())
    );
    assert_eq!((repeated.place, repeated.count), (place(3, 3), 2));
    assert_eq!(looped.oddity, Oddity::Loop("b".to_owned()));
    assert_eq!((looped.place, looped.count), (place(2, 1), 1));
    // The same way for each player is no repetition.
    let named = good(
        "from,to,player\na,b,left\na,b,right\na,b,left\n",
        Format::Csv,
    );
    assert_eq!(named.graph.edge_count(), 2);
    assert_eq!(named.notes[0].place, place(4, 1));
}

#[test]
fn faults_have_places() {
    assert_eq!(bad("a b\nä b c", Format::Edges), (2, 5, Fault::Words(3)));
    assert!(matches!(
        bad("a -> b", Format::Edges),
        (1, 6, Fault::OtherFormat(_, Format::Dot))
    ));
    assert!(matches!(
        bad("a,b", Format::Edges),
        (1, 1, Fault::OtherFormat(_, Format::Csv))
    ));
    assert_eq!(
        bad("a b\n\u{1}c d", Format::Edges),
        (2, 1, Fault::Control('\u{1}'))
    );
    assert_eq!(
        bad("from,to\na,b,c", Format::Csv),
        (2, 5, Fault::Fields(3, 2))
    );
    assert_eq!(
        bad("from,weight\n", Format::Csv),
        (1, 6, Fault::Column("weight".to_owned()))
    );
    assert_eq!(bad("from,player\n", Format::Csv), (1, 1, Fault::Columns));
    assert_eq!(bad("from,to\n\"a,b", Format::Csv), (2, 1, Fault::Unclosed));
    assert_eq!(bad("from,to\n,b", Format::Csv), (2, 1, Fault::NameMissing));
    assert_eq!(
        bad("from,to,player\na,b,me", Format::Csv),
        (2, 5, Fault::Player("me".to_owned()))
    );
    assert_eq!(
        bad("digraph { a -> b [probability=2x] }", Format::Dot),
        (1, 31, Fault::Probability("2x".to_owned()))
    );
    assert_eq!(
        bad("digraph {\n a -- b }", Format::Dot),
        (2, 4, Fault::Expected("`->`"))
    );
    assert_eq!(
        bad("digraph { a [player=left] }", Format::Dot),
        (1, 14, Fault::Attribute("player".to_owned()))
    );
    assert!(matches!(
        bad("digraph { a -> b", Format::Dot),
        (1, 17, Fault::Expected(_))
    ));
    assert!(matches!(
        bad("digraph { a -> \"b }", Format::Dot),
        (1, 16, Fault::Unclosed)
    ));
    let json = |text: &str| bad(text, Format::Json);
    assert_eq!(
        json("{\"vertices\": [\"a\"],\n \"edges\": [[\"a\", \"b\"]]}"),
        (2, 12, Fault::Unknown("b".to_owned()))
    );
    assert_eq!(
        json("{\"tokens\": [\"a\",\n\"c\"], \"edges\": [[\"a\", \"b\"]]}"),
        (2, 1, Fault::Unknown("c".to_owned()))
    );
    assert_eq!(
        json(r#"{"vertices": ["a", "a"]}"#),
        (1, 20, Fault::Again("a".to_owned()))
    );
    assert!(matches!(
        json("{\"edges\": [[\"a\"]]}"),
        (1, _, Fault::Json(_))
    ));
    assert!(matches!(
        json("{\"edges\": [\n"),
        (2, 0 | 1, Fault::Json(_))
    ));
    assert!(matches!(json("{\"arcs\": []}"), (1, 7, Fault::Json(_))));
    assert!(matches!(
        json(r#"{"edges": [{"from": "a"}]}"#),
        (1, _, Fault::Json(_))
    ));
    let not_text = read(b"a b\nc \xff", Format::Edges, &mut work()).unwrap_err();
    assert_eq!(not_text.place, Some(Place { line: 2, column: 3 }));
}

#[test]
fn faults_of_chance_have_places() {
    let of = |text: &str| {
        let (line, column, fault) = bad(text, Format::Csv);
        match fault {
            Fault::Graph(_, _, fault) => (line, column, *fault),
            fault => panic!("{fault:?}"),
        }
    };
    let head = "from,to,probability\n";
    let (line, column, fault) = of(&format!("{head}b,c,\na,b,1/2\na,c,1/3\n"));
    assert!(matches!(fault, GraphFault::Sum(_, sum) if sum.to_string() == "5/6"));
    assert_eq!((line, column), (3, 1));
    let (line, _, fault) = of(&format!("{head}a,b,1/2\na,b,1/2\n"));
    assert!(matches!(fault, GraphFault::RepeatedChance(..)));
    assert_eq!(line, 3);
    let (line, _, fault) = of(&format!("{head}a,b,1/2\na,c,\n"));
    assert!(matches!(fault, GraphFault::ProbabilityMissing(..)));
    assert_eq!(line, 3);
    let (line, _, fault) = of(&format!("{head}a,b,3/2\n"));
    assert!(matches!(fault, GraphFault::NoProbability(..)));
    assert_eq!(line, 2);
    let stuck = bad("digraph {\n a [chance=true] }", Format::Dot);
    assert!(matches!(stuck, (2, 2, Fault::Graph(..))));
    let ended = bad("digraph { a -> b;\n a [end=won] }", Format::Dot);
    assert!(matches!(ended, (2, 2, Fault::Graph(..))));
}

#[test]
fn a_fault_behind_many_edges_has_its_place() {
    let mut text = joined(0..300_000, |n| format!("{} {}\n", n % 1000, n % 777));
    text.push_str("1 2 3\n");
    assert_eq!(bad(&text, Format::Edges), (300_001, 5, Fault::Words(3)));
    let mut text = joined(0..300_000, |n| format!("{},{}\n", n % 1000, n % 777));
    text.push_str("1,2,3,4\n");
    assert!(matches!(
        bad(&text, Format::Csv),
        (300_001, _, Fault::Fields(4, _))
    ));
    let edges = joined(0..300_000, |n| format!("{} -> {}\n", n % 1000, n % 777));
    let dot = bad(&format!("digraph {{\n{edges}1 -> ;}}"), Format::Dot);
    assert!(matches!(dot, (300_002, 6, Fault::Expected(_))));
    let edges = joined(0..300_000, |n| format!("[{}, {}],\n", n % 1000, n % 777));
    let json = bad(&format!("{{\"edges\": [\n{edges}[1]]}}"), Format::Json);
    assert!(matches!(json, (300_002, _, Fault::Json(_))));
}

#[test]
fn memory_is_limited() {
    let text = joined(0..10_000, |n| format!("{n} {}\n", n + 1));
    let fault = read(text.as_bytes(), Format::Edges, &mut Work::new(10_000)).unwrap_err();
    let stopped = ReadFault {
        place: None,
        fault: Fault::Stopped(Stop::Bytes),
    };
    assert_eq!(fault, stopped);
    // A fault behind is told all the same.
    let wrong = format!("{text}1 2 3\n");
    let fault = read(wrong.as_bytes(), Format::Edges, &mut Work::new(10_000)).unwrap_err();
    assert_eq!(fault.fault, Fault::Words(3));
    assert_eq!(fault.place.map(|place| place.line), Some(10_001));
    let cancelled = read(
        text.repeat(200).as_bytes(),
        Format::Edges,
        &mut Work::with_cancel(1 << 30, &|| true),
    );
    assert_eq!(
        cancelled.unwrap_err().fault,
        Fault::Stopped(Stop::Cancelled)
    );
}

#[test]
fn names_are_kept_apart() {
    // Small numbers have a quick way, which must not confuse them with other names, nor with themselves.
    let words = [
        "0",
        "00",
        "1",
        "01",
        "999999999",
        "5000",
        "4999",
        "x",
        "1000000000",
        "+1",
        "1e3",
    ];
    let text = joined(0..3000, |n| format!("{n} 0\n"));
    let named = good(
        &format!("{}\n{text}{}", words.join("\n"), words.join("\n")),
        Format::Edges,
    );
    let mut names: Vec<&str> = named.names.iter().collect();
    for (vertex, name) in named.names.iter().enumerate() {
        assert_eq!(named.names.find(name), u32::try_from(vertex).ok());
    }
    assert_eq!(&names[..words.len()], words);
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(all, names.len());
    assert_eq!(named.names.find("3000"), None);
}

proptest! {
    #[test]
    fn no_text_breaks_a_reader(text in "[ab01\\[\\]{}\",:;=#\\->/. \n]{0,40}", bytes: Vec<u8>) {
        for format in [Format::Edges, Format::Csv, Format::Dot, Format::Json] {
            for bytes in [text.as_bytes(), &bytes] {
                if let Err(fault) = read(bytes, format, &mut work()) {
                    prop_assert!(fault.place.is_some());
                }
            }
        }
    }

    #[test]
    fn graphs_survive_every_format(edges in prop::collection::btree_set((0u8..6, 0u8..6), 0..12)) {
        let list = joined(&edges, |(a, b)| format!("{a} {b}\n"));
        let csv = joined(&edges, |(a, b)| format!("\"{a}\",{b}\r\n"));
        let dot = joined(&edges, |(a, b)| format!("{a} -> {b};"));
        let json: Vec<String> = edges.iter().map(|(a, b)| format!("[{a},\"{b}\"]")).collect();
        let first = good(&list, Format::Edges);
        let others = [
            good(&csv, Format::Csv),
            good(&format!("digraph {{{dot}}}"), Format::Dot),
            good(&format!("{{\"edges\": [{}]}}", json.join(",")), Format::Json),
        ];
        for other in others {
            prop_assert_eq!(&other.graph, &first.graph);
            prop_assert!(other.names.iter().eq(first.names.iter()));
        }
    }
}
