//! Pictures: every kind is drawn, in both forms and both themes, and bad input is refused.

mod common;

use std::fs;

use common::User;

const PICTURES: &[&[&str]] = &[
    &["kayles", "--upto", "200"],
    &["kayles", "--upto", "5000", "--log", "heaps"],
    &["lasker", "--upto", "300", "--log", "both"],
    &["nim", "--upto", "40", "--log", "values"],
    &["grundys-game", "--upto", "6000"],
    &["kayles", "--upto", "400", "--law"],
    &["lasker", "--upto", "200", "--law"],
    &["wythoff", "--box", "20,30"],
    &["wythoff", "--box", "150,150"],
    &["nim", "--box", "3,5,7"],
    &["nim", "--box", "7,7", "--misere"],
    &["kayles", "--upto", "0"],
    &[
        "[n] -> [n-1] where n < 5; [5] -> [6]; [6] -> [5]",
        "--upto",
        "8",
    ],
];

#[test]
fn every_kind_is_drawn() {
    let user = User::new();
    for (picture, theme) in PICTURES.iter().zip(["light", "dark"].into_iter().cycle()) {
        for ending in ["svg", "png"] {
            let path = user.home().join("picture").with_extension(ending);
            let file = path.to_str().expect("the path is text");
            let more = ["--theme", theme, "--force", "-o", file];
            let (out, status) = user.run(&[&["plot"], *picture, &more].concat());
            assert!(
                out.is_empty() && [0, 3].contains(&status),
                "{picture:?}: {status}"
            );
            let bytes = fs::read(&path).unwrap();
            if ending == "png" {
                assert!(bytes.starts_with(b"\x89PNG"), "{picture:?}");
            } else {
                let svg = String::from_utf8(bytes).expect("SVG is text");
                assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
            }
        }
    }
}

#[test]
fn many_heaps_make_no_large_picture() {
    let user = User::new();
    let (_, status) = user.run(&["plot", "kayles", "--upto", "200000", "-o", "many.svg"]);
    assert_eq!(status, 0);
    let size = fs::metadata(user.home().join("many.svg")).unwrap().len();
    assert!(size < 200_000, "{size}");
}

#[test]
fn lost_positions_are_framed() {
    let user = User::new();
    assert_eq!(
        user.run(&["plot", "wythoff", "--box", "10,10", "-o", "w.svg"])
            .1,
        0
    );
    let svg = fs::read_to_string(user.home().join("w.svg")).unwrap();
    // Wythoff 1907: nine of these cells are lost; the legend has one more frame.
    let frames = svg
        .lines()
        .filter(|line| line.contains("stroke=\"#0C0C10\""))
        .count();
    assert_eq!(frames, 10);
}

#[test]
fn what_has_no_picture_is_refused() {
    let user = User::new();
    fs::write(user.home().join("mine.svg"), "mine").unwrap();
    let wrong: &[&[&str]] = &[
        &["kayles", "-o", "picture.jpg"],
        &["kayles", "-o", "picture"],
        &["kayles", "-o", "mine.svg"],
        &["kayles", "-o", "no/folder.svg"],
        &["nim", "--box", "2,2,2,2", "-o", "a.svg"],
        &["nim", "--box", "100,2,2", "-o", "a.svg"],
        &["nim", "--box", "5000,5000", "-o", "a.svg"],
        &["grundys-game", "--upto", "300", "--law", "-o", "a.svg"],
    ];
    for arguments in wrong {
        let output = user
            .command(&[&["plot"], *arguments].concat())
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.starts_with("error: "), "{message}");
    }
    assert_eq!(
        fs::read_to_string(user.home().join("mine.svg")).unwrap(),
        "mine"
    );
    assert!(!user.home().join("a.svg").exists());
}
