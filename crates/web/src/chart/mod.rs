//! One chart: lines or cells between two axes, with a cursor by pointer, touch and keyboard, a legend that says the values there, and files.
//! What is drawn is computed by [`view::chart`]; colours are those of the style sheet.

mod choice;
mod figure;
mod save;

pub use choice::{choice, views};
pub use figure::ChartView;
