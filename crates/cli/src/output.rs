//! Standard output and standard error, without panics when nobody reads them.

use crate::failure::Failure;
use std::io::{self, ErrorKind, Write};

/// Writes to standard output. A reader that has gone away, as `head` does, is no error.
///
/// # Errors
/// When the output cannot be written for another reason, such as a full disk.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Failure::Io(format!(
            "error: cannot write to standard output: {e}"
        ))),
        _ => Ok(()),
    }
}

/// Writes a line to standard error; if even that fails there is nobody left to tell.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Writes notes to standard error, one a line.
pub fn note(notes: &[String]) {
    for note in notes {
        complain(&format!("note: {}", plain(note)));
    }
}

/// A name or text from outside with control characters made visible, since a terminal would act on them.
pub fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(
            plain("a\x1b[2Jb\u{9b}c\nd é"),
            "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d é"
        );
    }
}
