//! One file per command.

pub mod capture;
pub mod card;
pub mod check;
pub mod compare;
pub mod convert;
pub mod evidence;
pub mod export;
pub mod import;
pub mod ledger;
pub mod link;
pub mod presets;
pub mod process_tuples;
pub mod run;
pub mod sweep;
pub mod tune;
