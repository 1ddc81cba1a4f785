//! The MRC endpoint: a requester and a responder as deterministic state machines. They own no clock, no queue and
//! no I/O: packets and times go in, packets and deadlines come out.
//!
//! A packet layer (PSN, SACK, NACK, retransmission) under a message layer (MSN, ACK, immediate data); EVs in equal
//! numbers per plane with backups, a floor and a denylist; loss inference by time and by reliability probes; EV probes
//! in both directions; port status updates; NSCC. What UET has and MRC has not: other balancers ([`evs`]) and receiver
//! credit ([`rccc`]).

pub mod config;
pub mod evs;
pub mod nscc;
pub mod port_status;
pub mod rccc;
pub mod requester;
pub mod responder;

pub use config::{Balancer, Config};
pub use evs::{EvCounts, EvSet, EvState};
pub use nscc::Nscc;
pub use rdma::{QpError, QpState, Stream, psn_bits, stream};
pub use requester::{Observer, Poll, Requester};
pub use responder::{Reply, Responder};
pub use wire::{NackReason, Syndrome};
