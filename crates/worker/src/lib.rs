//! What the worker does with the page's messages: a thin shell around [`sim`] and [`host`], without any browser in it but [`shell`].

mod charts;
mod depths;
mod detail;
pub mod foresee;
mod health;
mod hosts;
mod jobs;
mod life;
mod load;
mod log;
mod look;
pub mod memory;
mod names;
mod run;
mod seek;
mod session;
pub mod shell;
mod snapshots;
mod sweep;
mod timeline;
mod words;

pub use hosts::HostSession;
pub use session::{Answer, Session};
pub use sweep::Sweeper;
