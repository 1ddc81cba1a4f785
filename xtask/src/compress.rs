//! The page's files as Brotli sends them: a third of their size.

use std::path::{Path, PathBuf};
use std::{env, fs, thread};

use brotli::enc::BrotliEncoderParams;

use crate::site::{File, Site};

/// Files below this many bytes do not fill two packets: our choice.
const SMALLEST: usize = 2048;
/// Brotli's best; what it makes is kept, so that the time is spent once.
const QUALITY: i32 = 11;
/// Log2 of the window in bytes, the largest that every browser takes (RFC 7932, 9.1).
const WINDOW: i32 = 24;

/// Compresses every file for which it pays. Until a file's turn is over it is served as it is.
pub fn all(site: &Site) {
    thread::scope(|scope| {
        for (path, file) in site.files().filter(|(_, file)| file.content.len() >= SMALLEST) {
            scope.spawn(move || {
                if let Err(error) = one(file) {
                    // It is served all the same, only larger.
                    eprintln!("{path} could not be compressed: {error}");
                }
            });
        }
    });
}

fn one(file: &File) -> std::io::Result<()> {
    let kept = kept(file);
    let compressed = match kept.as_ref().and_then(|path| fs::read(path).ok()) {
        Some(compressed) => compressed,
        None => {
            let compressed = brotli(&file.content)?;
            if let Some(path) = kept {
                keep(&path, &compressed)?;
            }
            compressed
        }
    };
    if compressed.len() < file.content.len() {
        file.set_compressed(compressed);
    }
    Ok(())
}

fn brotli(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let parameters = BrotliEncoderParams {
        quality: QUALITY,
        lgwin: WINDOW,
        size_hint: content.len(),
        ..BrotliEncoderParams::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &content[..], &mut compressed, &parameters)?;
    Ok(compressed)
}

/// Where a compressed file is kept: beside this program, by the hash of its content.
fn kept(file: &File) -> Option<PathBuf> {
    let folder = env::current_exe().ok()?.parent()?.join("compressed");
    Some(folder.join(format!("{}.br", file.etag.trim_matches('"'))))
}

/// Under another name until it is whole: two programs may do it at a time.
fn keep(path: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let part = path.with_extension(format!("part-{}", std::process::id()));
    fs::write(&part, content)?;
    fs::rename(part, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compressed_is_smaller_and_the_same() {
        let text = "packet after packet, ".repeat(1000);
        let compressed = brotli(text.as_bytes()).unwrap();
        assert!(compressed.len() < text.len() / 100, "{}", compressed.len());
        let mut back = Vec::new();
        brotli::BrotliDecompress(&mut &compressed[..], &mut back).unwrap();
        assert_eq!(back, text.as_bytes());
    }

    #[test]
    fn small_files_and_those_that_do_not_shrink_stay_as_they_are() {
        let mut site = Site::default();
        site.add("small.txt".into(), vec![b'a'; SMALLEST - 1]).unwrap();
        site.add("large.txt".into(), vec![b'a'; SMALLEST]).unwrap();
        // A counter through a multiplicative hash: no run repeats.
        let noise = (0..SMALLEST as u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8);
        site.add("noise.bin".into(), noise.collect()).unwrap();
        all(&site);
        assert!(site.get("small.txt").unwrap().compressed().is_none());
        assert!(site.get("large.txt").unwrap().compressed().is_some());
        let noise = site.get("noise.bin").unwrap();
        assert!(
            noise
                .compressed()
                .is_none_or(|bytes| bytes.len() < noise.content.len())
        );
    }
}
