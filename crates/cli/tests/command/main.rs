//! The command as its users call it.

mod bad_input;
mod capture;
mod card;
mod evidence;
mod export;
mod folder;
#[cfg(unix)]
mod interrupt;
mod json_output;
mod run;
mod sweep;
