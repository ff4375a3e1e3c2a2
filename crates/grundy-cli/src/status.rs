//! How a command ended.

use std::io;
use std::process::ExitCode;

use grundy::argument::ArgumentFault;
use grundy::text;

/// What the exit status says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is an answer.
    Answered = 0,
    /// A claim or an expectation is false.
    Refuted = 1,
    /// The input is wrong.
    WrongInput = 2,
    /// A limit was reached before there was an answer.
    Undecided = 3,
}

impl Status {
    /// The status of two questions together: the one that matters more.
    pub fn and(self, other: Self) -> Self {
        let weight = |status| match status {
            Self::Answered => 0,
            Self::Undecided => 1,
            Self::Refuted => 2,
            Self::WrongInput => 3,
        };
        if weight(other) > weight(self) {
            other
        } else {
            self
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Why a command could not be carried out.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong: what to say about it, with colours.
    Input(String),
    /// A limit was reached before the question was understood: what to say about it.
    Undecided(String),
    /// Whoever read our output has stopped reading.
    ReaderGone,
}

impl Failure {
    /// Tells the user, and says what the exit status is.
    pub fn report(&self) -> Status {
        match self {
            Self::Input(message) => {
                anstream::eprintln!("{}", message.trim_end());
                Status::WrongInput
            }
            Self::Undecided(message) => {
                anstream::eprintln!("{}", message.trim_end());
                Status::Undecided
            }
            Self::ReaderGone => Status::Answered,
        }
    }
}

impl From<ArgumentFault> for Failure {
    fn from(fault: ArgumentFault) -> Self {
        let message = text::argument_fault(&fault, true);
        match fault {
            ArgumentFault::Limit(_) => Self::Undecided(message),
            _ => Self::Input(message),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ReaderGone
        } else {
            Self::Input(text::error(&error.to_string()))
        }
    }
}
