//! Parts of `flowglass compare`: what it accepts, and what came out, as a value and for people.

pub mod args;
pub mod results;
pub mod text;
