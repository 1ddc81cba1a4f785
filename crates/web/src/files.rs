//! Reads files that the user gives to the page. They stay on this machine.

use crate::import::TextFile;
use scenario::limits::MAX_TEXT_BYTES;
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileList, HtmlInputElement};
use yew::prelude::*;

/// Files read at once at most.
const MAX_FILES: u32 = 8;

/// What a field for files does when some were chosen: they are read and handed on.
pub fn chosen(done: Callback<Vec<Result<TextFile, String>>>) -> Callback<Event> {
    Callback::from(move |event: Event| {
        let input = event.target_unchecked_into::<HtmlInputElement>();
        if let Some(list) = input.files() {
            read(&list, done.clone());
        }
        // So that the same file can be chosen again after it was changed.
        input.set_value("");
    })
}

/// Reads the files of a list and hands them on, all at once.
pub fn read(list: &FileList, done: Callback<Vec<Result<TextFile, String>>>) {
    let files: Vec<File> = (0..list.length().min(MAX_FILES))
        .filter_map(|index| list.get(index))
        .collect();
    let left_out = list.length().saturating_sub(MAX_FILES);
    if files.is_empty() {
        return;
    }
    wasm_bindgen_futures::spawn_local(async move {
        let mut texts = Vec::with_capacity(files.len());
        for file in &files {
            texts.push(text(file).await);
        }
        if left_out > 0 {
            texts.push(Err(format!(
                "{left_out} more files were left out: at most {MAX_FILES} at once"
            )));
        }
        done.emit(texts);
    });
}

async fn text(file: &File) -> Result<TextFile, String> {
    let name = file.name();
    if file.size() > MAX_TEXT_BYTES as f64 {
        return Err(format!(
            "{name} has {} B; at most {MAX_TEXT_BYTES} B are read",
            file.size()
        ));
    }
    match JsFuture::from(file.text()).await {
        Ok(value) => Ok(TextFile {
            text: value.as_string().unwrap_or_default(),
            name,
        }),
        Err(error) => Err(format!("{name}: {}", crate::worker_link::words(&error))),
    }
}
