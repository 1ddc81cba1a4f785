//! The editor: a scenario's JSON text and the forms of the same scenario, each following the other, with undo and redo.
//!
//! [`Document`] holds the text, the last scenario that was valid, and what may be taken back. [`Change`] is what a form does.
//! What is written by hand stays as it was written: a form changes its value in the text and nothing else ([`patch`]).

mod change;
mod check;
mod colour;
mod document;
mod edited;
mod entries;
mod fields;
mod history;
mod host_fields;
mod patch;
mod path;
mod saves;
mod typing;

pub use change::{Change, Refused};
pub use check::{Problem, check};
pub use colour::{Piece, pieces};
pub use document::{Document, Outcome};
pub use edited::Edited;
pub use entries::{Entry, FieldView, entries};
pub use fields::{FieldInput, Kind, List};
pub use patch::patch;
pub use path::locate;
pub use saves::{Save, Saves, ago};
pub use typing::{difference, indented, line_break, utf16};
