//! The files of the page, held in memory: what is served is what was built, and nothing else can be asked for.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context, Result, bail};
use hyper::body::Bytes;
use sha2::{Digest, Sha256};

/// One file as it is served.
pub struct File {
    /// What is in it.
    pub content: Bytes,
    /// Its media type, with the character set for text.
    pub media_type: &'static str,
    /// A strong entity tag (RFC 9110, 8.8.3), quotes included.
    pub etag: String,
    compressed: OnceLock<Bytes>,
}

impl File {
    /// The content as Brotli has it (RFC 7932), once that has been computed.
    pub fn compressed(&self) -> Option<&Bytes> {
        self.compressed.get()
    }

    /// Says what Brotli makes of the content. The first time counts.
    pub fn set_compressed(&self, content: Vec<u8>) {
        let _ = self.compressed.set(content.into());
    }
}

/// The page's files by their paths below its address, with `/` between folders and none in front.
#[derive(Default)]
pub struct Site {
    files: BTreeMap<String, File>,
}

impl Site {
    /// Adds a file. A second one of the same path is an error.
    pub fn add(&mut self, path: String, content: Vec<u8>) -> Result<()> {
        let file = File {
            media_type: media_type(&path),
            etag: etag(&content),
            content: content.into(),
            compressed: OnceLock::new(),
        };
        match self.files.get(&path) {
            Some(_) => bail!("two files of the page are called {path}: rename the one in www/"),
            None => self.files.insert(path, file),
        };
        Ok(())
    }

    /// Adds the files below a folder, but not those whose names start with a dot. Symbolic links are refused.
    pub fn add_folder(&mut self, folder: &Path) -> Result<()> {
        self.add_below(folder, "")
    }

    fn add_below(&mut self, folder: &Path, prefix: &str) -> Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                bail!("{} is not named in UTF-8", entry.path().display())
            };
            if name.starts_with('.') {
                continue;
            }
            let path = format!("{prefix}{name}");
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.add_below(&entry.path(), &format!("{path}/"))?;
            } else if kind.is_file() {
                let content = fs::read(entry.path()).with_context(|| format!("reading {path}"))?;
                self.add(path, content)?;
            } else {
                bail!("{} is neither a file nor a folder", entry.path().display());
            }
        }
        Ok(())
    }

    /// The file at a path, which must be spelled exactly so: no `..`, no doubled or leading slash.
    pub fn get(&self, path: &str) -> Option<&File> {
        self.files.get(path)
    }

    /// All files, by their paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files.iter().map(|(path, file)| (path.as_str(), file))
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// The size of all files together.
    pub fn bytes(&self) -> usize {
        self.files.values().map(|file| file.content.len()).sum()
    }

    /// Replaces a folder by one that holds these files and no others.
    pub fn write(&self, folder: &Path) -> Result<()> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        for (path, file) in &self.files {
            let target = folder.join(path);
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(&target, &file.content).with_context(|| format!("writing {path}"))?;
        }
        Ok(())
    }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn etag(content: &[u8]) -> String {
    let hash = Sha256::digest(content);
    // 64 of the 256 bits: it only has to tell a file's few versions apart.
    let hex = hex(&hash[..8]);
    format!("\"{hex}\"")
}

/// The media type for a file name's extension. Browsers refuse to run modules and wasm of any other type.
fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("ico") => "image/x-icon",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        Some("webp") => "image/webp",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_those_that_browsers_insist_on() {
        assert_eq!(media_type("flowglass-web_bg.wasm"), "application/wasm");
        assert_eq!(
            media_type("snippets/a.b/inline0.js"),
            "text/javascript; charset=utf-8"
        );
        assert_eq!(media_type("styles.css"), "text/css; charset=utf-8");
        assert_eq!(media_type("icons/logo.svg"), "image/svg+xml");
        assert_eq!(media_type("app.webmanifest"), "application/manifest+json");
        assert_eq!(media_type("fonts/text.woff2"), "font/woff2");
        assert_eq!(media_type("LICENSE"), "application/octet-stream");
    }

    #[test]
    fn a_folder_is_read_written_and_replaced() {
        let source = tempfile::tempdir().unwrap();
        fs::create_dir(source.path().join("icons")).unwrap();
        fs::write(source.path().join("icons/logo.svg"), "<svg/>").unwrap();
        fs::write(source.path().join("styles.css"), "p{}").unwrap();
        fs::write(source.path().join(".hidden"), "secret").unwrap();
        let mut site = Site::default();
        site.add_folder(source.path()).unwrap();
        assert_eq!((site.len(), site.bytes()), (2, 9));
        assert_eq!(site.get("icons/logo.svg").unwrap().content, "<svg/>");

        let target = tempfile::tempdir().unwrap();
        fs::write(target.path().join("stale.js"), "old").unwrap();
        site.write(target.path()).unwrap();
        assert_eq!(
            fs::read_to_string(target.path().join("icons/logo.svg")).unwrap(),
            "<svg/>"
        );
        assert!(!target.path().join("stale.js").exists());
    }

    #[test]
    fn a_name_taken_twice_is_refused() {
        let mut site = Site::default();
        site.add("index.html".into(), b"first".to_vec()).unwrap();
        let error = site
            .add("index.html".into(), b"second".to_vec())
            .unwrap_err()
            .to_string();
        assert!(error.contains("index.html"), "{error}");
        assert_eq!(site.get("index.html").unwrap().content, "first");
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_is_refused() {
        let source = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc/hostname", source.path().join("leak.txt")).unwrap();
        let error = Site::default().add_folder(source.path()).unwrap_err().to_string();
        assert!(
            error.ends_with("leak.txt is neither a file nor a folder"),
            "{error}"
        );
    }
}
