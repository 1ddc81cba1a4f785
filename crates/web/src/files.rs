//! Reads files that the user gives to the page. They stay on this machine.

use crate::import::TextFile;
use crate::importer;
use crate::root::{Files, Words};
use crate::texts::importer::A_FILE_COULD_NOT_BE_READ;
use js_sys::Uint8Array;
use scenario::limits::MAX_TEXT_BYTES;
use view::host::import::{self, HEAD_BYTES};
use view::text_file;
use view::units::count;
use web_sys::{Blob, File, FileList, HtmlInputElement};
use yew::prelude::*;

/// Files read at once at most.
const MAX_FILES: u32 = 8;

/// The kinds of files that a field for files offers; what a file is, its content says.
pub const ACCEPTED: &str = ".json,.cm,.tm,.topo,.txt,.pcap,.pcapng,.cap";

/// What a field for files does when some were chosen: they are read and handed on.
pub fn chosen(done: Callback<Files>) -> Callback<Event> {
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
pub fn read(list: &FileList, done: Callback<Files>) {
    let files: Vec<File> = (0..list.length().min(MAX_FILES))
        .filter_map(|index| list.get(index))
        .collect();
    let left_out = list.length().saturating_sub(MAX_FILES);
    if files.is_empty() {
        return;
    }
    wasm_bindgen_futures::spawn_local(async move {
        let (mut texts, mut foreign) = (Vec::new(), Vec::new());
        for file in files {
            if is_for_page(&file).await {
                texts.push(text(&file).await);
            } else {
                foreign.push(file);
            }
        }
        if left_out > 0 {
            let title = match left_out {
                1 => "1 file was left out".to_owned(),
                _ => format!("{left_out} files were left out"),
            };
            texts.push(Err((
                title,
                vec![format!("At most {MAX_FILES} are opened at once.")],
            )));
        }
        if !texts.is_empty() {
            done.emit(texts);
        }
        if !foreign.is_empty() {
            importer::open(foreign);
        }
    });
}

/// Whether a file is a scenario or one of htsim's, or of no use; what is left is for the import.
async fn is_for_page(file: &File) -> bool {
    let head = match file.slice_with_i32_and_i32(0, HEAD_BYTES as i32) {
        Ok(head) => bytes(&head).await,
        Err(error) => Err(crate::worker_link::words(&error)),
    };
    // A file that cannot be read is refused where its text is read.
    head.map_or(true, |head| import::is_for_page(&head))
}

async fn text(file: &File) -> Result<TextFile, Words> {
    let name = file.name();
    let refused = |why: String| (A_FILE_COULD_NOT_BE_READ.to_owned(), vec![why]);
    if file.size() > MAX_TEXT_BYTES as f64 {
        let (has, most) = (count(file.size() as u64), count(MAX_TEXT_BYTES as u64));
        return Err(refused(format!("{name} has {has} B; at most {most} B are read")));
    }
    match bytes(file).await {
        Ok(bytes) => Ok(TextFile {
            text: text_file::decode(&bytes),
            name,
        }),
        Err(why) => Err(refused(format!("{name}: {why}"))),
    }
}

async fn bytes(blob: &Blob) -> Result<Vec<u8>, String> {
    let buffer = importer::bytes(blob).await?;
    Ok(Uint8Array::new(&buffer).to_vec())
}
