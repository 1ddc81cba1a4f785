//! Import of the files that users of htsim have: connection matrices and two-tier topologies.
//!
//! [`parse_matrix`] and [`parse_topology`] read one file each, [`to_scenario`] joins them, and [`sniff`] tells
//! what kind of file a text is. Every refusal names file, line, column, reason and what to do.

mod connection;
mod convert;
mod matrix;
mod peer;
mod settings;
mod sniff;
mod start;
mod text;
mod topology;

pub use convert::{Options, to_scenario};
pub use matrix::{Connection, Matrix, Start, parse_matrix};
pub use peer::htsim_min_rto;
pub use sniff::{FileKind, sniff};
pub use start::StartUnit;
pub use text::FileProblem;
pub use topology::{Topology, parse_topology};
