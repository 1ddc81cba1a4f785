//! One file per command.

pub mod bench;
pub mod build;
pub mod count;
pub mod draw;
pub mod peer;
pub mod seal;
pub mod serve;
pub mod shots;
pub mod test;
pub mod vitals;
