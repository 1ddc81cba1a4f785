//! A tuner: searches the parameters of a scenario's endpoints and switches for the ones that serve its workload best, so that a
//! comparison is with a well-configured system and not with its defaults alone.
//!
//! [`Tune::check`] makes sure of everything that can be known beforehand; [`Tune::run`] searches ([`search()`]) and then compares
//! the best setting with the default on seeds that the search has not seen ([`held_out`]).

mod choice;
mod defaults;
pub mod held_out;
mod parameter;
mod run;
mod score;
pub mod search;
pub mod sensitivity;
mod space;

pub use choice::Choice;
pub use defaults::default_space;
pub use held_out::HeldOut;
pub use parameter::{LEVELS_OF_RANGE, Parameter};
pub use run::{BUDGET, MAX_SEEDS, Tune, Tuned};
pub use score::{Goal, Measured, Score};
pub use search::{Candidate, Found, Origin, PutBack, search};
pub use space::{Levels, MAX_PARAMETERS, Space, Start};
