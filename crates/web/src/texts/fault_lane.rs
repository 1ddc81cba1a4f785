//! The timeline's lane of faults, and its forms.

/// No sentence, but names of keys.
pub const KEYS: &str = "ArrowLeft ArrowRight Shift+ArrowLeft Shift+ArrowRight ArrowUp ArrowDown Enter Delete";
pub const HOW: &str =
    "Drag a fault to move it, its end to make it longer or shorter; drag on an empty place to draw a new one";
pub const A_NEW_FAULT: &str = "A new fault";
pub const WITH_THE_RUN: &str = "with the run";
pub const AS_IS_USUAL: &str = "as is usual";
pub const MORE_IN_THE_EDITOR: &str = "More in the editor";
pub const ADD_IT: &str = "Add it";
pub const CANNOT_BE_SO: &str = "That fault cannot be so";

pub fn from_to_the_end(fault: &str, from: &str) -> String {
    format!("{fault}, from {from} to the end of the run")
}
