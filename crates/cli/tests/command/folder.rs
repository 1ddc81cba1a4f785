//! Calling the command in a folder of its own.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder that the command is called in.
pub struct Folder(TempDir);

/// What a call led to.
#[derive(Debug)]
pub struct Outcome {
    /// Exit status.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Folder {
    /// A new, empty one.
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder for the test"))
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("writable");
    }

    /// Reads a JSON file.
    pub fn json(&self, name: &str) -> Value {
        let text = fs::read_to_string(self.path(name)).expect("the command wrote it");
        serde_json::from_str(&text).expect("JSON")
    }

    /// The command, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flowglass"));
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    /// Calls the command with nothing on standard input.
    pub fn call(&self, arguments: &[&str]) -> Outcome {
        self.call_with(arguments, b"")
    }

    /// Calls the command with `input` on standard input.
    pub fn call_with(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        // It may refuse its arguments and end before it has read everything.
        let _ = child.stdin.take().expect("piped").write_all(input);
        let output = child.wait_with_output().expect("it ends");
        let outcome = Outcome {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        };
        assert!(!outcome.stderr.contains("panicked"), "{arguments:?}: {outcome:?}");
        outcome
    }
}

impl Outcome {
    /// Checks status 0.
    pub fn succeeds(self) -> Outcome {
        assert_eq!(self.status, 0, "{self:?}");
        self
    }

    /// Checks the status and that standard error holds each of the texts.
    pub fn fails(self, status: i32, texts: &[&str]) -> Outcome {
        assert_eq!(self.status, status, "{self:?}");
        for text in texts {
            assert!(self.stderr.contains(text), "{text:?} is not in {self:?}");
        }
        self
    }
}

/// The path of one of the peer's files.
pub fn peer(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("../../tests/peer").join(name).display().to_string()
}
