//! `build.js`: which version of the page this is, and which files belong to it.
//!
//! The page shows the version, and its service worker (`www/offline.js`) keeps the files. A changed file changes this script, by
//! which browsers notice a new version.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::site::{Site, hex};

/// The script's name.
const SCRIPT: &str = "build.js";
/// The service worker, which the browser keeps by itself.
const SERVICE_WORKER: &str = "offline.js";
/// Bytes of the hash in a build's name: they only have to tell builds apart.
const BYTES: usize = 6;

/// Adds the script to a page that is otherwise whole.
pub fn seal(site: &mut Site) -> Result<()> {
    let text = script(site);
    site.add(SCRIPT.into(), text.into_bytes())
}

/// Writes the script into a folder that holds a page otherwise whole, as Trunk's hook does.
pub fn seal_folder(folder: &Path) -> Result<()> {
    let mut site = Site::default();
    site.add_folder(folder)
        .with_context(|| format!("reading {}", folder.display()))?;
    let target = folder.join(SCRIPT);
    fs::write(&target, script(&site)).with_context(|| format!("writing {}", target.display()))
}

fn script(site: &Site) -> String {
    let mut hash = Sha256::new();
    let mut files = vec![SCRIPT];
    for (path, file) in site.files() {
        if path == SCRIPT {
            continue;
        }
        hash.update(path);
        hash.update([0]);
        hash.update(&file.etag);
        if path != SERVICE_WORKER {
            files.push(path);
        }
    }
    let build = hex(&hash.finalize()[..BYTES]);
    let edition = json!({ "version": env!("CARGO_PKG_VERSION"), "build": build, "files": files });
    format!(
        "// Made by the build: which version of the page this is, and its files.\nself.FLOWGLASS = {edition};\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(style: &str) -> Site {
        let mut site = Site::default();
        for (path, text) in [
            ("index.html", "<p>"),
            ("styles.css", style),
            (SERVICE_WORKER, "//"),
        ] {
            site.add(path.into(), text.into()).unwrap();
        }
        site
    }

    #[test]
    fn all_files_but_the_service_worker_are_named() {
        let text = script(&site("p{}"));
        assert!(
            text.contains(r#""files":["build.js","index.html","styles.css"]"#),
            "{text}"
        );
        assert!(
            text.contains(concat!(r#""version":""#, env!("CARGO_PKG_VERSION"), '"')),
            "{text}"
        );
    }

    #[test]
    fn another_content_is_another_build_and_the_same_is_the_same() {
        assert_ne!(script(&site("p{}")), script(&site("a{}")));
        let mut sealed = site("p{}");
        seal(&mut sealed).unwrap();
        assert_eq!(script(&sealed), script(&site("p{}")));
    }

    #[test]
    fn a_folder_gets_the_same_script() {
        let folder = tempfile::tempdir().unwrap();
        site("p{}").write(folder.path()).unwrap();
        seal_folder(folder.path()).unwrap();
        let text = fs::read_to_string(folder.path().join(SCRIPT)).unwrap();
        assert_eq!(text, script(&site("p{}")));
    }
}
