//! Why a command could not do what was asked, and the exit status for it.

use std::fmt;
use std::process::ExitCode;

/// Exit status when some flow did not finish.
pub const UNFINISHED: u8 = 1;
/// Exit status when the run was interrupted: 128 + SIGINT, as shells expect it.
pub const INTERRUPTED: u8 = 130;
const BAD_INPUT: u8 = 2;
const IO: u8 = 3;

/// Why a command could not do what was asked. The text is one or more whole lines for standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The input or the command line makes no sense.
    Input(String),
    /// A file could not be read or written.
    Io(String),
    /// It was interrupted before there was anything to show.
    Interrupted(String),
}

impl Failure {
    /// Bad input with a message for each thing that is wrong.
    pub fn input<T: fmt::Display>(messages: impl IntoIterator<Item = T>) -> Failure {
        let messages: Vec<String> = messages.into_iter().map(|m| m.to_string()).collect();
        Failure::Input(messages.join("\n"))
    }

    /// The exit status.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Input(_) => BAD_INPUT,
            Failure::Io(_) => IO,
            Failure::Interrupted(_) => INTERRUPTED,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Failure::Input(text) | Failure::Io(text) | Failure::Interrupted(text)) = self;
        f.write_str(text)
    }
}
