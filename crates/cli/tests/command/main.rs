//! The command as its users call it.

mod bad_input;
mod capture;
mod card;
mod compare;
mod evidence;
mod export;
mod folder;
mod host;
mod import;
#[cfg(unix)]
mod interrupt;
mod json_output;
mod ledger;
mod process_tuples;
mod run;
mod sweep;
mod tune;
