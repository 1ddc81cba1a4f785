//! The bytes of files, and whether they are few enough.

use crate::texts::importer as text;
use js_sys::{ArrayBuffer, Uint8Array};
use view::host::import::{self, MAX_BYTES};
use view::units::count;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

/// A file as the worker is told of it.
pub fn entry(file: &File) -> import::File {
    import::File {
        name: file.name(),
        bytes: file.size() as u64,
    }
}

/// Whether files are few enough to be read at all.
pub fn fit(files: &[File]) -> Result<(), String> {
    let bytes: u64 = files.iter().map(|file| file.size() as u64).sum();
    if bytes <= MAX_BYTES {
        return Ok(());
    }
    let which = match files {
        [only] => format!("{} has", only.name()),
        _ => format!("{} files have", files.len()),
    };
    Err(text::too_large(&which, &count(bytes), &count(MAX_BYTES)))
}

/// The bytes of a file, or of a part of one.
pub async fn bytes(blob: &Blob) -> Result<ArrayBuffer, String> {
    let read = JsFuture::from(blob.array_buffer())
        .await
        .and_then(|buffer| buffer.dyn_into::<ArrayBuffer>());
    read.map_err(|error| crate::worker_link::words(&error))
}

/// The bytes of all files, one after the other.
pub async fn all(files: &[File]) -> Result<ArrayBuffer, String> {
    let mut parts = Vec::with_capacity(files.len());
    for file in files {
        let part = bytes(file)
            .await
            .map_err(|why| format!("{}: {why}", file.name()))?;
        parts.push(part);
    }
    if let [only] = &parts[..] {
        return Ok(only.clone());
    }
    let total = parts.iter().map(ArrayBuffer::byte_length).sum();
    let whole = Uint8Array::new_with_length(total);
    let mut at = 0;
    for part in parts {
        whole.set(&Uint8Array::new(&part), at);
        at += part.byte_length();
    }
    Ok(whole.buffer())
}
