//! Parts of `flowglass process-tuples`: a packet that is described rather than sent, and what would become of it.

pub mod answer;
pub mod parse;
pub mod source;
pub mod text;
