//! Writing results, so that the file is either the old one or the complete new one; those of a run as JSON.

use crate::failure::Failure;
use crate::output::plain;
use crate::results::Results;
use crate::text_file::reason;
use serde::Serialize;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Where the results go.
#[derive(Debug)]
pub enum Sink {
    /// Standard output.
    Stdout,
    /// A file that is replaced as a whole.
    File(PathBuf),
    /// Something that is not a regular file, such as a pipe or `/dev/null`, which is written to as it is.
    Special(PathBuf),
}

impl Sink {
    /// Makes sure, before anything is computed, that the results can be written.
    ///
    /// # Errors
    /// When they cannot; says why.
    pub fn check(out: &Path) -> Result<Sink, Failure> {
        if out == Path::new("-") {
            return Ok(Sink::Stdout);
        }
        // A link is followed, so that it goes on pointing at the file.
        let path = match fs::canonicalize(out) {
            Ok(path) => path,
            Err(e) if e.kind() == ErrorKind::NotFound => out.to_owned(),
            Err(e) => return Err(cannot(out, &e)),
        };
        if path.is_dir() {
            return Err(cannot(
                out,
                &io::Error::other("it is a directory; expected a file"),
            ));
        }
        if path.exists() && !path.is_file() {
            return Ok(Sink::Special(path));
        }
        if path.file_name().is_none() {
            return Err(cannot(out, &io::Error::other("expected the name of a file")));
        }
        if path.exists() {
            // A file that its owner has protected is not to be replaced behind their back.
            OpenOptions::new()
                .append(true)
                .open(&path)
                .map_err(|e| cannot(out, &e))?;
        }
        temporary(&path).map_err(|e| match e.kind() {
            ErrorKind::NotFound => cannot(out, &io::Error::other("there is no such folder")),
            _ => cannot(out, &e),
        })?;
        Ok(Sink::File(path))
    }

    /// Writes the results of a run.
    ///
    /// # Errors
    /// When they cannot be written; a file that was there before is then unchanged.
    pub fn write(&self, results: &Results) -> Result<(), Failure> {
        self.write_with(|out| write(out, results))
    }

    /// Writes what `content` writes.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_with(&self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let buffered = |out: &mut dyn Write| {
            let mut out = BufWriter::new(out);
            content(&mut out)?;
            out.flush()
        };
        match self {
            Sink::Stdout => match buffered(&mut io::stdout().lock()) {
                Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Failure::Io(format!(
                    "error: cannot write to standard output: {e}"
                ))),
                _ => Ok(()),
            },
            Sink::Special(path) => OpenOptions::new()
                .write(true)
                .open(path)
                .and_then(|mut file| buffered(&mut file))
                .map_err(|e| cannot(path, &e)),
            Sink::File(path) => replace(path, buffered).map_err(|e| cannot(path, &e)),
        }
    }
}

/// That a file or folder cannot be written, and why.
pub fn cannot(path: &Path, error: &io::Error) -> Failure {
    Failure::Io(format!(
        "{}: cannot be written: {}",
        plain(&path.to_string_lossy()),
        reason(error)
    ))
}

/// A file beside `path`, which goes away by itself unless it takes that one's place.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".flowglass-").suffix(".tmp");
    // By default only the owner could read it; the process's mask decides as for any new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn replace(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = temporary(path)?;
    content(file.as_file_mut())?;
    if let Ok(old) = fs::metadata(path) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// One line for each part and each flow: still JSON, and good for `grep` and `diff` too.
fn write(out: &mut dyn Write, results: &Results) -> io::Result<()> {
    let Results {
        format,
        run,
        scenario,
        derived,
        summary,
        notes,
        verdicts,
        jobs,
        flows,
    } = results;
    writeln!(out, "{{")?;
    part(out, "format", format)?;
    part(out, "run", run)?;
    part(out, "scenario", scenario)?;
    part(out, "derived", derived)?;
    part(out, "summary", summary)?;
    part(out, "notes", notes)?;
    part(out, "verdicts", verdicts)?;
    part(out, "jobs", jobs)?;
    list(out, "flows", flows)?;
    writeln!(out, "}}")
}

/// A list, one element a line.
pub fn list(out: &mut dyn Write, name: &str, items: &[impl Serialize]) -> io::Result<()> {
    writeln!(out, "\"{name}\": [")?;
    for (i, item) in items.iter().enumerate() {
        serde_json::to_writer(&mut *out, item)?;
        writeln!(out, "{}", if i + 1 < items.len() { "," } else { "" })?;
    }
    writeln!(out, "]")
}

/// A part, with the comma after it.
pub fn part(out: &mut dyn Write, name: &str, value: &impl Serialize) -> io::Result<()> {
    write!(out, "\"{name}\": ")?;
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out, ",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(path: &Path) -> String {
        Sink::check(path).expect_err("should be refused").to_string()
    }

    #[test]
    fn what_cannot_be_written_is_found_beforehand_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(refusal(folder.path()).ends_with("it is a directory; expected a file"));
        assert!(refusal(&folder.path().join("none/x.json")).ends_with("there is no such folder"));
        assert!(refusal(Path::new("")).contains("cannot be written"));
        fs::write(folder.path().join("file"), "x").expect("writable");
        assert!(refusal(&folder.path().join("file/x.json")).contains("cannot be written"));
        Sink::check(&folder.path().join("new.json")).expect("possible");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_to_and_links_followed() {
        assert!(matches!(
            Sink::check(Path::new("/dev/null")),
            Ok(Sink::Special(_))
        ));
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("target.json");
        fs::write(&target, "old").expect("writable");
        let link = folder.path().join("link.json");
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        let Ok(Sink::File(path)) = Sink::check(&link) else {
            panic!("not a file");
        };
        assert_eq!(path, fs::canonicalize(target).expect("exists"));
    }
}
