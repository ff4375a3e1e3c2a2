//! Conditions on a number that what is known of a game decides for many numbers at once.

use crate::problem::{Expression, Game, Generator, PlayedGame, Rules, Term};

/// `lost(GAME at x)`, or `won`, of a number `x` on which the game does not depend.
pub struct Asked<'p> {
    /// Whether it says `lost`.
    pub lost: bool,
    /// The game.
    pub game: &'p PlayedGame,
}

/// What a condition asks of the number with this name, if it is such a condition.
pub fn asked<'p>(condition: &'p Expression, name: &str) -> Option<Asked<'p>> {
    let Term::Call(question, arguments) = &condition.term else {
        return None;
    };
    let lost = match question.text.as_str() {
        "lost" => true,
        "won" => false,
        _ => return None,
    };
    let [argument] = arguments.as_slice() else {
        return None;
    };
    let Term::At(game, position) = &argument.term else {
        return None;
    };
    (is_variable(position, name) && !played_mentions(game, name)).then_some(Asked { lost, game })
}

fn is_variable(expression: &Expression, name: &str) -> bool {
    matches!(&expression.term, Term::Variable(variable) if variable == name)
}

fn played_mentions(game: &PlayedGame, name: &str) -> bool {
    match game {
        PlayedGame::Named(game) => game.text == name,
        PlayedGame::Made(game) => game_mentions(game, name),
    }
}

fn game_mentions(game: &Game, name: &str) -> bool {
    matches!(&game.rules, Rules::Named(rules) if rules.text == name)
        || game
            .parameters
            .iter()
            .any(|(_, value)| mentions(value, name))
}

fn generator_mentions(generator: &Generator, name: &str) -> bool {
    let parts = [&generator.condition, &generator.key];
    mentions(&generator.over, name) || parts.into_iter().flatten().any(|part| mentions(part, name))
}

/// Whether a name stands anywhere in an expression, also where it means something else there.
fn mentions(expression: &Expression, name: &str) -> bool {
    let any = |expressions: &[Expression]| expressions.iter().any(|e| mentions(e, name));
    match &expression.term {
        Term::Number(_) | Term::Text(_) | Term::None | Term::Endless => false,
        Term::Variable(variable) => variable == name,
        Term::Not(of) | Term::Minus(of) | Term::Field(of, _) => mentions(of, name),
        Term::Binary(_, a, b) | Term::Index(a, b) => mentions(a, name) || mentions(b, name),
        Term::Chain(first, rest) => {
            mentions(first, name) || rest.iter().any(|(_, other)| mentions(other, name))
        }
        Term::Choose(condition, then, otherwise) => {
            mentions(condition, name) || mentions(then, name) || mentions(otherwise, name)
        }
        Term::Tuple(parts) | Term::List(parts) | Term::Call(_, parts) => any(parts),
        Term::Range(from, to) => {
            mentions(from, name) || to.as_ref().is_some_and(|to| mentions(to, name))
        }
        Term::Comprehension(entry, generators) => {
            mentions(entry, name) || generators.iter().any(|g| generator_mentions(g, name))
        }
        Term::At(game, position) => played_mentions(game, name) || mentions(position, name),
        Term::Fold(fold) => {
            mentions(&fold.start, name)
                || generator_mentions(&fold.generator, name)
                || mentions(&fold.next, name)
        }
        Term::Extreme {
            over, condition, ..
        } => mentions(over, name) || mentions(condition, name),
    }
}
