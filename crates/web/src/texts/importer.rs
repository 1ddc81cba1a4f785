//! The card of an import.

pub const WHAT_IS_NOT_USED: &str = "What is not used, or not as it stands there";
pub const WHAT_THE_FILES_LEAVE_OPEN: &str = "What the files leave open";
pub const SEVERAL_ARE_SET_APART: &str =
    "Several are set apart by blanks. A field that is empty is as shown in it.";
pub const IMPORT_AGAIN: &str = "Import again";
pub const A_FILE_COULD_NOT_BE_READ: &str = "A file could not be read";
pub const TOO_MUCH: &str = "That is too much for one import";
pub const COULD_NOT_BE_STARTED: &str = "The import could not be started";
pub const COULD_NOT_BE_HANDED_OVER: &str = "The files could not be handed over";
pub const HAS_STOPPED: &str = "The import has stopped";
pub const NO_SCENARIO: &str = "These files make no scenario";

pub fn made_of(files: &str) -> String {
    format!("Made of {files}")
}

pub fn cannot_be_imported(file: &str) -> String {
    format!("{file} cannot be imported")
}

pub fn too_large(which: &str, bytes: &str, most: &str) -> String {
    format!(
        "{which} {bytes} B; at most {most} B (256 MiB) are read here. Take a part of it, such as the first minutes of a capture."
    )
}
