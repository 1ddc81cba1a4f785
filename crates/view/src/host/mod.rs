//! The host page: what it and its worker say to each other, and how the host is drawn.

pub mod answers;
pub mod chart;
pub mod curve;
pub mod dots;
pub mod find;
pub mod grid;
pub mod import;
pub mod ledger_link;
pub mod losses;
pub mod message;
pub mod servicing;
pub mod settings;
pub mod stage;
pub mod story;
pub mod traffic;
pub mod tuple;

pub use dots::{Dot, Kind, Place};
pub use message::{Ask, Report, Target, Tell};
pub use stage::Stage;
