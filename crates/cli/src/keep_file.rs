//! Files of finished runs, which `evidence --keep` reads, and the first of which it writes on.

use crate::failure::Failure;
use crate::output::{complain, plain};
use crate::text_file::{self, reason};
use lab::evidence::{KEPT_HEAD, Kept};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What was read, and where to go on.
pub struct KeepFiles {
    /// The runs of all files.
    pub kept: Kept,
    /// What in them is not used.
    pub notes: Vec<String>,
    /// The first file, open at its end; none where no file is named, or writing has failed.
    file: Mutex<Option<File>>,
    /// The first file's name.
    name: String,
}

impl KeepFiles {
    /// Reads all of them. The first need not be there yet.
    ///
    /// # Errors
    /// When one cannot be read, or is another kind of file, or the first cannot be written.
    pub fn open(paths: &[PathBuf]) -> Result<KeepFiles, Failure> {
        let (mut kept, mut notes) = (Kept::default(), Vec::new());
        for (at, path) in paths.iter().enumerate() {
            if path == Path::new("-") {
                return Err(Failure::Input(
                    "error: --keep -: expected the name of a file".into(),
                ));
            }
            if paths[..at].contains(path) {
                let name = plain(&path.to_string_lossy());
                return Err(Failure::Input(format!("error: --keep {name} is given twice")));
            }
            if at > 0 || path.exists() {
                let file = text_file::read(path)?;
                notes.extend(kept.read(&file.name, &file.text).map_err(Failure::Input)?);
            }
        }
        let first = paths.first();
        let name = first
            .map(|path| plain(&path.to_string_lossy()))
            .unwrap_or_default();
        let file = first.map(|path| at_end(path)).transpose();
        let cannot = |e: io::Error| Failure::Io(format!("{name}: cannot be written: {}", reason(&e)));
        Ok(KeepFiles {
            kept,
            notes,
            file: Mutex::new(file.map_err(cannot)?),
            name,
        })
    }

    /// Writes a finished run, so that it is there even if the process ends at once. Where that is not possible it is said, and
    /// the runs go on without: they are worth more than the file.
    pub fn append(&self, line: &str) {
        // A thread that broke down while it wrote has left a broken line at most.
        let mut file = self.file.lock().unwrap_or_else(|broken| broken.into_inner());
        let written = file.as_mut().map(|file| {
            file.write_all(format!("{line}\n").as_bytes())
                .and_then(|()| file.flush())
        });
        if let Some(Err(e)) = written {
            *file = None;
            complain(&format!(
                "{}: cannot be written: {}; runs that finish from now on are not kept",
                self.name,
                reason(&e)
            ));
        }
    }
}

/// A file where lines can be added; with its head, and after a whole line.
fn at_end(path: &Path) -> io::Result<File> {
    let before = match path.exists() {
        true => std::fs::read(path)?,
        false => Vec::new(),
    };
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    // A crash may have left half a line, in place of the head, too.
    if !before.is_empty() && !before.ends_with(b"\n") {
        file.write_all(b"\n")?;
    }
    if before.is_empty() {
        file.write_all(format!("{KEPT_HEAD}\n").as_bytes())?;
    }
    Ok(file)
}
