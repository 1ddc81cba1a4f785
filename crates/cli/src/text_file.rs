//! Reading text files of bounded size.

use crate::failure::Failure;
use crate::output::plain;
use scenario::limits::MAX_TEXT_BYTES;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// A file's text and its name for messages.
pub struct TextFile {
    /// The name as it was given.
    pub name: String,
    /// The content.
    pub text: String,
}

/// Reads a file.
///
/// # Errors
/// When it cannot be opened or read, is a directory, is larger than [`MAX_TEXT_BYTES`] or is not UTF-8.
pub fn read(path: &Path) -> Result<TextFile, Failure> {
    let name = plain(&path.to_string_lossy());
    text(name, open(path, MAX_TEXT_BYTES)?)
}

/// Reads a file that need not be text.
///
/// # Errors
/// When it cannot be opened or read, is a directory, or has more than `most` bytes.
pub fn read_bytes(path: &Path, most: usize) -> Result<Vec<u8>, Failure> {
    let bytes = open(path, most)?;
    if bytes.len() > most {
        return Err(Failure::Input(format!(
            "{}: the file has more than {most} bytes, which is the most that is read",
            plain(&path.to_string_lossy())
        )));
    }
    Ok(bytes)
}

/// A file's bytes; one more than `most` at most.
fn open(path: &Path, most: usize) -> Result<Vec<u8>, Failure> {
    let name = plain(&path.to_string_lossy());
    let cannot = |e: &io::Error| Failure::Io(format!("{name}: cannot be read: {}", reason(e)));
    // Some systems open a directory and fail only when it is read.
    if path.is_dir() {
        return Err(Failure::Io(format!("{name}: is a directory; expected a file")));
    }
    let file = File::open(path).map_err(|e| cannot(&e))?;
    read_bounded(file, most).map_err(|e| cannot(&e))
}

/// Reads standard input to its end.
///
/// # Errors
/// As [`read`].
pub fn read_stdin() -> Result<TextFile, Failure> {
    let bytes = read_bounded(io::stdin().lock(), MAX_TEXT_BYTES)
        .map_err(|e| Failure::Io(format!("<stdin>: cannot be read: {}", reason(&e))))?;
    text("<stdin>".into(), bytes)
}

/// Reads standard input to its end, which need not be text.
///
/// # Errors
/// As [`read_bytes`].
pub fn read_stdin_bytes(most: usize) -> Result<Vec<u8>, Failure> {
    let bytes = read_bounded(io::stdin().lock(), most)
        .map_err(|e| Failure::Io(format!("<stdin>: cannot be read: {}", reason(&e))))?;
    if bytes.len() > most {
        return Err(Failure::Input(format!(
            "<stdin>: there are more than {most} bytes, which is the most that is read"
        )));
    }
    Ok(bytes)
}

/// One byte more than the limit at most, to know whether there is more.
fn read_bounded(from: impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What the operating system said, without its number.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}

fn text(name: String, bytes: Vec<u8>) -> Result<TextFile, Failure> {
    if bytes.len() > MAX_TEXT_BYTES {
        return Err(Failure::Input(format!(
            "{name}:1:1: the file has more than {MAX_TEXT_BYTES} bytes, which is the most that is read"
        )));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Failure::Input(format!(
            "{name}:1:1: the file is UTF-16 text (save it as UTF-8)"
        )));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(TextFile { name, text }),
        Err(e) => {
            let valid = e.utf8_error().valid_up_to();
            let bytes = e.as_bytes();
            let (line, column) = place(&bytes[..valid]);
            Err(Failure::Input(format!(
                "{name}:{line}:{column}: the byte 0x{:02x} is not UTF-8 text (is this a binary file?)",
                bytes[valid]
            )))
        }
    }
}

/// Line and column (in characters) of what follows `before`, both from 1.
pub fn place(before: &[u8]) -> (usize, usize) {
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(bytes: &[u8]) -> String {
        match text("f".into(), bytes.to_vec()) {
            Ok(_) => panic!("accepted"),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_place() {
        let message = refusal(
            "ab\ncdé\x01"
                .as_bytes()
                .iter()
                .chain(&[0x80, b'x'])
                .copied()
                .collect::<Vec<_>>()
                .as_slice(),
        );
        assert_eq!(
            message,
            "f:2:5: the byte 0x80 is not UTF-8 text (is this a binary file?)"
        );
        assert!(refusal(&[0xff, 0xfe, b'{', 0]).contains("UTF-16"));
    }

    #[test]
    fn reading_stops_at_the_limit() {
        let bytes = read_bounded(io::repeat(b' '), MAX_TEXT_BYTES).expect("endless");
        assert_eq!(bytes.len(), MAX_TEXT_BYTES + 1);
        assert!(refusal(&bytes).contains("more than 67108864 bytes"));
    }
}
