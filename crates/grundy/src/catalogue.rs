//! The games that come with the library: every file of `games/`, embedded when it is built.

/// One game of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its name, that of its file without `.game`.
    pub name: &'static str,
    /// Its rules, as they stand in the file.
    pub text: &'static str,
}

/// Every game of the catalogue, ascending by name.
pub const GAMES: &[Game] = include!(concat!(env!("OUT_DIR"), "/games.rs"));

/// The game with this name.
pub fn find(name: &str) -> Option<&'static Game> {
    let index = GAMES.binary_search_by_key(&name, |game| game.name).ok()?;
    Some(&GAMES[index])
}

impl Game {
    /// The quoted title in the line that begins with `game`.
    pub fn title(&self) -> Option<&'static str> {
        let line = self.text.lines().find(|line| line.starts_with("game "))?;
        let (before, title) = line.split_once('"')?;
        if before.contains('#') {
            return None;
        }
        title.split_once('"').map(|(title, _)| title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_by_name() {
        assert!(GAMES.is_sorted_by(|a, b| a.name < b.name));
        for game in GAMES {
            assert_eq!(find(game.name), Some(game));
        }
        assert_eq!(find("no such game"), None);
    }

    #[test]
    fn a_title_is_what_is_quoted_in_the_line_of_the_name() {
        let title = |text| Game { name: "test", text }.title();
        let text = "# the \"first\" line\ngame nim(m = 3) \"Nim # 1\"  # a \"note\"\n";
        assert_eq!(title(text), Some("Nim # 1"));
        assert_eq!(title("game nim # \"note\"\n"), None);
        assert_eq!(title("take: [n] -> [n-1]\n"), None);
    }
}
