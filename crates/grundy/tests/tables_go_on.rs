//! A table that is stopped anywhere, and gone on with by other work, is the same table.

use grundy::argument;
use grundy::tabulate::{Area, Entries, Way, Work};
use grundy_rules::{Budget, Meter, Ruleset};

/// Games for every engine, and for every order in which cells are computed.
const TABLES: &[(&str, &[u64], Way)] = &[
    ("kayles", &[3000], Way::Heaps),
    ("grundys-game", &[5000], Way::Heaps),
    ("subtract:2,5,9", &[700], Way::Heaps),
    ("all-but:2,5", &[300], Way::Heaps),
    ("take-and-break:0.3F", &[60], Way::Sums),
    ("take-and-break:0.(9)", &[90], Way::Sums),
    ("take-and-break:4.G8", &[70], Way::Sums),
    ("lasker", &[400], Way::Heaps),
    ("0.(7)", &[200], Way::Sums),
    ("nim", &[20, 9], Way::Places),
    ("wythoff", &[40, 13], Way::Cells),
    ("euclid", &[30, 30], Way::Cells),
    (
        "[x,y] -> [x-k,y+k] where 1 <= k <= x; [x,y] -> [x,y-1]",
        &[6, 9],
        Way::Cells,
    ),
    (
        "[x,y] -> [x-1,y]; [x,y] -> [x,y-2]; [x,y] -> [x-3,y-1]",
        &[30, 50],
        Way::Cells,
    ),
    ("[n] -> [n-k] where 1 <= k <= 300", &[600], Way::Heaps),
    (
        "[n] -> [n-1] where n < 5; [5] -> [6]; [6] -> [5]",
        &[9],
        Way::Places,
    ),
];

fn finished(game: &Ruleset, bounds: &[u64], stops: &[u64], way: Way) -> Entries {
    let meter = &mut Meter::new(Budget::default());
    let area = Area::new(game, bounds.to_vec()).expect("the box is one of the game");
    let (mut told, mut done) = (Vec::new(), 0);
    for stop in stops {
        let mut work = Work::new(game, area.clone(), meter).expect("it fits the memory");
        assert_eq!(work.way(), way, "{game:?}");
        work.restore(&told, meter).expect("the numbers are its own");
        assert_eq!(work.done(), done);
        work.advance(*stop, meter).expect("it fits the budget");
        told.extend(work.news());
        done = work.done();
        assert!(way == Way::Sums || told.len() as u64 == done);
        assert!(work.news().is_empty());
    }
    let mut work = Work::new(game, area, meter).expect("it fits the memory");
    work.restore(&told, meter).expect("the numbers are its own");
    work.advance(u64::MAX, meter).expect("it fits the budget");
    assert!(work.is_finished());
    work.finish(None).entries
}

#[test]
fn a_stopped_table_is_the_same_table() {
    for (name, bounds, way) in TABLES {
        let read = |_: &str| Err(argument::Unreadable::Refused);
        let game = argument::game(name, &read).expect("it is a game");
        let straight = finished(&game, bounds, &[], *way);
        let total = straight.len();
        for stops in [
            &[1][..],
            &[total / 2],
            &[total / 3, total / 3, total - 1],
            &[total],
        ] {
            let again = finished(&game, bounds, stops, *way);
            assert_eq!(again, straight, "{name} {stops:?}");
        }
        if total > 2100 {
            assert_eq!(
                finished(&game, bounds, &[2047, 2048, 2100], *way),
                straight,
                "{name}"
            );
        }
    }
}

#[test]
fn numbers_that_are_not_its_own_are_refused() {
    let read = |_: &str| Err(argument::Unreadable::Refused);
    let meter = &mut Meter::new(Budget::default());
    for (name, bounds) in [
        ("kayles", &[9][..]),
        ("take-and-break:8.", &[9]),
        ("wythoff", &[3, 3]),
    ] {
        let game = argument::game(name, &read).expect("it is a game");
        let area = Area::new(&game, bounds.to_vec()).expect("the box is one of the game");
        let mut work = Work::new(&game, area, meter).expect("it fits the memory");
        assert!(work.restore(&[1; 99], meter).is_err(), "{name}");
    }
}
