//! A folder of files that are all there or none: they are written aside and moved when all of them are complete.

use crate::failure::Failure;
use crate::json::cannot;
use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder to be filled.
#[derive(Debug)]
pub struct NewFolder {
    target: PathBuf,
    // Inside the target, so that moving a file is only a change of its name.
    aside: TempDir,
    // Whether it was made here, and has to go if nothing comes of it.
    made: Cell<bool>,
    bytes: Cell<u64>,
}

/// Counts what goes through.
struct Counted<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let n = self.out.write(buffer)?;
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl NewFolder {
    /// Makes sure that the folder can be filled and holds nothing yet.
    ///
    /// # Errors
    /// When it cannot, or does; says why.
    pub fn check(target: &Path) -> Result<NewFolder, Failure> {
        let cannot = |e: &io::Error| cannot(target, e);
        let made = match fs::read_dir(target) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    let not_empty =
                        "the folder is not empty, and nothing is overwritten; expected a new or an empty one";
                    return Err(cannot(&io::Error::other(not_empty)));
                }
                false
            }
            Err(e) if e.kind() == ErrorKind::NotFound => {
                fs::create_dir(target).map_err(|e| match e.kind() {
                    ErrorKind::NotFound => cannot(&io::Error::other("there is no folder to make it in")),
                    _ => cannot(&e),
                })?;
                true
            }
            Err(_) if target.is_file() => {
                return Err(cannot(&io::Error::other("it is a file; expected a folder")));
            }
            Err(e) => return Err(cannot(&e)),
        };
        let aside = tempfile::Builder::new()
            .prefix(".flowglass-")
            .tempdir_in(target)
            .map_err(|e| cannot(&e))?;
        Ok(NewFolder {
            target: target.to_owned(),
            aside,
            made: Cell::new(made),
            bytes: Cell::new(0),
        })
    }

    /// Writes a file, aside for now.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(
        &self,
        name: &str,
        content: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let write = || {
            let file = File::create_new(self.aside.path().join(name))?;
            let mut out = Counted {
                out: BufWriter::new(file),
                bytes: 0,
            };
            content(&mut out)?;
            out.flush()?;
            self.bytes.set(self.bytes.get() + out.bytes);
            Ok(())
        };
        write().map_err(|e| cannot(&self.target.join(name), &e))
    }

    /// Puts the files in their places, in this order. Returns their bytes.
    ///
    /// # Errors
    /// When one cannot be moved; those before it are then there.
    pub fn finish(self, names: &[&str]) -> Result<u64, Failure> {
        self.made.set(false);
        for name in names {
            let place = self.target.join(name);
            fs::rename(self.aside.path().join(name), &place).map_err(|e| cannot(&place, &e))?;
        }
        Ok(self.bytes.get())
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if self.made.get() {
            // Nothing that could be done about it if either cannot be removed.
            let _ = fs::remove_dir_all(self.aside.path());
            let _ = fs::remove_dir(&self.target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("readable");
        let mut names: Vec<String> = entries
            .map(|e| e.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn files_appear_together_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        for target in [folder.path().join("new"), folder.path().join("empty")] {
            if target.ends_with("empty") {
                fs::create_dir(&target).expect("possible");
            }
            let new = NewFolder::check(&target).expect("possible");
            new.write("a", |out| out.write_all(b"12")).expect("written");
            new.write("b", |out| out.write_all(b"345")).expect("written");
            assert!(!target.join("a").exists());
            assert_eq!(new.finish(&["a", "b"]), Ok(5));
            assert_eq!(names(&target), ["a", "b"]);
            assert_eq!(fs::read(target.join("b")).expect("readable"), b"345");
        }
    }

    #[test]
    fn what_was_not_finished_leaves_no_trace() {
        let folder = tempfile::tempdir().expect("a folder");
        let empty = folder.path().join("empty");
        fs::create_dir(&empty).expect("possible");
        for target in [&folder.path().join("new"), &empty] {
            let new = NewFolder::check(target).expect("possible");
            new.write("a", |out| out.write_all(b"12")).expect("written");
            let failure = new
                .write("b", |_| Err(io::Error::other("the disk is full")))
                .expect_err("fails");
            assert!(
                failure
                    .to_string()
                    .ends_with("b: cannot be written: the disk is full")
            );
        }
        assert_eq!(names(folder.path()), ["empty"]);
        assert!(names(&empty).is_empty());
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("file"), "x").expect("writable");
        let refusal = |target: &Path| NewFolder::check(target).expect_err("refused").to_string();
        assert!(
            refusal(folder.path())
                .contains("the folder is not empty, and nothing is overwritten; expected a new")
        );
        assert!(refusal(&folder.path().join("file")).ends_with("it is a file; expected a folder"));
        assert!(refusal(&folder.path().join("none/x")).ends_with("there is no folder to make it in"));
        assert_eq!(names(folder.path()), ["file"]);
    }
}
