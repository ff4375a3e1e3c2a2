//! The part of the language of Graphviz that says which edges there are.
//!
//! `end`, `chance` and `token` are attributes of vertices, `player` and `probability` of edges; all
//! other attributes are for drawing and are passed over. `{a b}` may stand in an edge for each of its
//! vertices. Subgraphs, ports and HTML are refused.

use num_rational::BigRational;

use super::{Event, Fault, Place, ReadFault, Sink, at};
use crate::graph::{End, Mover};

/// A word or a sign of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// An identifier, a number or a quoted text; whether it was quoted.
    Word(String, bool),
    Sign(char),
    Arrow,
    Line,
    End,
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    /// Where the characters of this line are counted from, and how many were.
    counted: (usize, usize),
}

impl Lexer<'_> {
    fn place(&mut self, at: usize) -> Place {
        // Counted on from the last place, so that a long line takes no longer than it is.
        let (from, before) = self.counted;
        let column = before + self.text[from..at].chars().count();
        self.counted = (at, column);
        Place {
            line: self.line,
            column: column + 1,
        }
    }

    /// Goes on by some bytes.
    fn advance(&mut self, bytes: usize) {
        let passed = &self.text[self.at..self.at + bytes];
        let lines = passed.bytes().filter(|byte| *byte == b'\n').count();
        if lines > 0 {
            self.line += lines;
            let last = passed.rfind('\n').expect("there is one");
            self.counted = (self.at + last + 1, 0);
        }
        self.at += bytes;
    }

    /// Goes on to what means something.
    fn skip(&mut self) -> Result<(), ReadFault> {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            let line_begins = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
            if blank > 0 {
                self.advance(blank);
            } else if rest.starts_with("//") || (rest.starts_with('#') && line_begins) {
                self.advance(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                let place = self.place(self.at);
                let end = rest.find("*/").ok_or_else(|| at(place, Fault::Unclosed))?;
                self.advance(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Result<(Token, Place), ReadFault> {
        self.skip()?;
        let place = self.place(self.at);
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else {
            return Ok((Token::End, place));
        };
        if rest.starts_with("->") {
            self.advance(2);
            return Ok((Token::Arrow, place));
        }
        if rest.starts_with("--") {
            self.advance(2);
            return Ok((Token::Line, place));
        }
        if first == '"' {
            return self.quoted(place);
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        if is_word(first) || first == '-' {
            let end = rest[first.len_utf8()..].find(|c| !is_word(c));
            let end = end.map_or(rest.len(), |end| end + first.len_utf8());
            let word = rest[..end].to_owned();
            self.advance(end);
            return Ok((Token::Word(word, false), place));
        }
        if "{}[]=;,".contains(first) {
            self.advance(1);
            return Ok((Token::Sign(first), place));
        }
        Err(at(
            place,
            Fault::Expected("a name, `{`, `}`, `[`, `]`, `=`, `;`, `,` or `->`"),
        ))
    }

    fn quoted(&mut self, place: Place) -> Result<(Token, Place), ReadFault> {
        let rest = &self.text[self.at + 1..];
        let mut word = String::new();
        let mut chars = rest.char_indices();
        while let Some((index, c)) = chars.next() {
            match c {
                '"' => {
                    self.advance(index + 2);
                    return Ok((Token::Word(word, true), place));
                }
                '\\' => match chars.next() {
                    Some((_, '"')) => word.push('"'),
                    Some((_, '\n')) => {}
                    Some((_, other)) => word.extend(['\\', other]),
                    None => break,
                },
                c if c.is_control() => return Err(at(place, Fault::Control(c))),
                c => word.push(c),
            }
        }
        Err(at(place, Fault::Unclosed))
    }
}

struct Parser<'t, 's, 'k> {
    lexer: Lexer<'t>,
    token: Token,
    place: Place,
    sink: &'s mut Sink<'k>,
}

/// A name and where it stands.
type Name = (String, Place);

/// What attributes say of a vertex or an edge.
#[derive(Default)]
struct Attributes {
    end: Option<End>,
    chance: bool,
    token: bool,
    mover: Option<Mover>,
    probability: Option<BigRational>,
}

pub(super) fn events(text: &str, sink: &mut Sink) -> Result<(), ReadFault> {
    let lexer = Lexer {
        text,
        at: 0,
        line: 1,
        counted: (0, 0),
    };
    let mut parser = Parser {
        lexer,
        token: Token::End,
        place: Place::default(),
        sink,
    };
    parser.advance()?;
    parser.graph()
}

/// What an attribute may stand at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Vertex,
    Edge,
    Others,
}

impl Parser<'_, '_, '_> {
    fn advance(&mut self) -> Result<(), ReadFault> {
        (self.token, self.place) = self.lexer.next()?;
        Ok(())
    }

    fn expected<T>(&self, what: &'static str) -> Result<T, ReadFault> {
        Err(at(self.place, Fault::Expected(what)))
    }

    fn keyword(&self) -> Option<String> {
        match &self.token {
            Token::Word(word, false) => Some(word.to_ascii_lowercase()),
            _ => None,
        }
    }

    fn is_sign(&self, sign: char) -> bool {
        self.token == Token::Sign(sign)
    }

    fn take_sign(&mut self, sign: char) -> Result<bool, ReadFault> {
        let is_sign = self.is_sign(sign);
        if is_sign {
            self.advance()?;
        }
        Ok(is_sign)
    }

    fn word(&mut self, what: &'static str) -> Result<Name, ReadFault> {
        let Token::Word(word, _) = &self.token else {
            return self.expected(what);
        };
        let name = (word.clone(), self.place);
        self.advance()?;
        Ok(name)
    }

    fn graph(&mut self) -> Result<(), ReadFault> {
        if self.keyword().as_deref() == Some("strict") {
            self.advance()?;
        }
        let is_directed = match self.keyword().as_deref() {
            Some("digraph") => true,
            Some("graph") => {
                (self.sink)(Event::Undirected, self.place)
                    .map_err(|fault| at(self.place, fault))?;
                false
            }
            _ => return self.expected("`digraph`"),
        };
        self.advance()?;
        if matches!(self.token, Token::Word(..)) {
            self.advance()?;
        }
        if !self.take_sign('{')? {
            return self.expected("`{`");
        }
        while !self.take_sign('}')? {
            if !self.take_sign(';')? {
                self.statement(is_directed)?;
            }
        }
        match self.token {
            Token::End => Ok(()),
            _ => self.expected("the end of the text"),
        }
    }

    fn statement(&mut self, is_directed: bool) -> Result<(), ReadFault> {
        match self.keyword().as_deref() {
            Some("node" | "edge" | "graph") => {
                self.advance()?;
                if !self.is_sign('[') {
                    return self.expected("`[`");
                }
                self.attributes(Of::Others)?;
                return Ok(());
            }
            Some("subgraph") => return self.expected("a vertex; subgraphs are not read"),
            _ => {}
        }
        let first = self.group()?;
        if let [name] = first.as_slice()
            && self.take_sign('=')?
        {
            let value = self.word("a value")?;
            // An attribute of the whole graph.
            return match meaning(&name.0) {
                Some(_) => Err(at(name.1, Fault::Attribute(name.0.clone()))),
                None => {
                    drop(value);
                    Ok(())
                }
            };
        }
        let mut chain = vec![first];
        while let Token::Arrow | Token::Line = self.token {
            if (self.token == Token::Arrow) != is_directed {
                let what = if is_directed { "`->`" } else { "`--`" };
                return self.expected(what);
            }
            self.advance()?;
            chain.push(self.group()?);
        }
        if let [names] = chain.as_slice() {
            let attributes = self.attributes(Of::Vertex)?;
            for (name, place) in names {
                let event = Event::Vertex {
                    name,
                    end: attributes.end,
                    chance: attributes.chance,
                };
                (self.sink)(event, *place).map_err(|fault| at(*place, fault))?;
                if attributes.token {
                    let event = Event::Token(name);
                    (self.sink)(event, *place).map_err(|fault| at(*place, fault))?;
                }
            }
            return Ok(());
        }
        let attributes = self.attributes(Of::Edge)?;
        for pair in chain.windows(2) {
            for (from, place) in &pair[0] {
                for (to, _) in &pair[1] {
                    let event = Event::Edge {
                        from,
                        to,
                        mover: attributes.mover,
                        probability: attributes.probability.clone(),
                    };
                    (self.sink)(event, *place).map_err(|fault| at(*place, fault))?;
                }
            }
        }
        Ok(())
    }

    /// A vertex, or several in braces.
    fn group(&mut self) -> Result<Vec<Name>, ReadFault> {
        if !self.take_sign('{')? {
            return Ok(vec![self.word("a vertex")?]);
        }
        let mut names = Vec::new();
        while !self.take_sign('}')? {
            if !self.take_sign(';')? && !self.take_sign(',')? {
                names.push(self.word("a vertex or `}`")?);
            }
        }
        Ok(names)
    }

    fn attributes(&mut self, of: Of) -> Result<Attributes, ReadFault> {
        let mut attributes = Attributes::default();
        while self.take_sign('[')? {
            while !self.take_sign(']')? {
                if self.take_sign(',')? || self.take_sign(';')? {
                    continue;
                }
                let (name, place) = self.word("an attribute or `]`")?;
                let value = if self.take_sign('=')? {
                    self.word("a value")?
                } else {
                    ("true".to_owned(), place)
                };
                match meaning(&name) {
                    None => {}
                    Some(meant) if meant == of => attributes
                        .set(&name, &value.0)
                        .map_err(|fault| at(value.1, fault))?,
                    Some(_) => return Err(at(place, Fault::Attribute(name))),
                }
            }
        }
        Ok(attributes)
    }
}

/// What an attribute with a meaning stands at.
fn meaning(name: &str) -> Option<Of> {
    match name {
        "end" | "chance" | "token" => Some(Of::Vertex),
        "player" | "probability" => Some(Of::Edge),
        _ => None,
    }
}

impl Attributes {
    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        match name {
            "end" => self.end = Some(super::end(value)?),
            "chance" => self.chance = super::truth(value)?,
            "token" => self.token = super::truth(value)?,
            "player" => self.mover = super::mover(value)?,
            _ => self.probability = Some(super::probability(value)?),
        }
        Ok(())
    }
}
