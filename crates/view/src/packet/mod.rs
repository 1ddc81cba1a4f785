//! A packet for a reader: which bits a field has, what it comes to, by whose word, and which filter finds others like it.

mod bits;
mod filter;
mod meaning;
#[cfg(test)]
mod samples;
mod source;
mod tree;

pub use bits::{Bits, LONGEST_LINE, hex, line, value};
pub use filter::filter;
pub use meaning::{Bitmap, bitmap, meaning};
pub use source::source;
pub use tree::{Item, Move, Tree, fields_of};
