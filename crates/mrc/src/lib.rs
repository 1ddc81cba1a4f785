//! The MRC endpoint: a requester and a responder as deterministic state machines. They own no clock, no queue and
//! no I/O: packets and times go in, packets and deadlines come out.
//!
//! This is the protocol's first version: one RDMA WRITE per QP; EVs in equal numbers per plane; SACK, NACK and fast
//! retransmission; loss inference by time; EV probes; NSCC. The message layer (MSN, ACK), backup EVs, port status
//! updates and denylists are not here yet.

pub mod config;
pub mod evs;
pub mod nscc;
pub mod psn_bits;
pub mod requester;
pub mod responder;

pub use config::{Balancer, Config};
pub use evs::{EvSet, EvState};
pub use nscc::Nscc;
pub use requester::{Observer, Poll, Requester};
pub use responder::Responder;
