//! The Generic Flow Table (GFT): what is matched exactly, what is done to the headers then, and the hardware that holds it.
//!
//! A flow is named by a [`FlowKey`]; its action is one [`Transposition`] of the packet's [`Headers`]. VFP compiles a policy
//! down to pairs of these, software and hardware apply the very same value. This crate knows no policy and no clock: times
//! are arguments.
//!
//! [`Nic`] is the card: it takes flows from software ([`Nic::add`], [`Nic::activate`]), passes packets through one of its two
//! pipelines ([`Nic::receive`]), and reports counters ([`Nic::poll_counters`]). [`FlowTables`] is the table inside it.

mod address;
pub mod config;
mod entry;
mod headers;
mod key;
mod nic;
mod pipeline;
pub mod probe;
mod statistics;
pub mod study;
mod tables;
mod toeplitz;
mod transposition;

pub use address::{Address, AddressError, Prefix};
pub use config::Config;
pub use entry::{
    CacheHint, CopyFlags, Counter, Entry, EntryId, ExceptionReason, Flow, Level, Lookup, Packet, State,
};
pub use headers::{Encap, EncapKind, Headers, MAX_ENCAPS, Mac, TcpFlags};
pub use key::{Direction, FlowKey, Protocol, Tuple};
pub use nic::{Nic, Passage};
pub use pipeline::{Bounds, BufferFull, Pipeline, PipelineCounters};
pub use statistics::Statistics;
pub use tables::{AddError, CounterUpdate, FlowTables, MemoryUse, Searched};
pub use toeplitz::{RSS_KEY, RSS_KEY_BYTES, Toeplitz, secret_key};
pub use transposition::{TransposeError, Transposition};
