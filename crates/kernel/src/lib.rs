//! The simulation kernel: time, the event queue, the rule of ties, seeded randomness, lists. It knows no networking word.
//!
//! Everything here is deterministic: integer picoseconds, a total event order that does not depend on the
//! order of insertion, and random values that are a pure function of a key and a counter.

pub mod cache;
pub mod fifo;
pub mod queue;
pub mod rng;
pub mod tie;
pub mod time;

pub use cache::prefetch;
pub use fifo::{Fifo, Pool};
pub use queue::{EventQueue, QueueShape};
pub use tie::TieRule;
pub use time::Time;
