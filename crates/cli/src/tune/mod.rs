//! Parts of `flowglass tune`: its options, and what came out.

pub mod args;
mod csv;
pub mod results;
pub mod summary;
