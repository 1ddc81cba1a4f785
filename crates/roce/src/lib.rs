//! The RoCEv2 endpoint of a reliable connection (RC): a requester and a responder as deterministic state machines. They own
//! no clock, no queue, no randomness and no I/O: packets and times go in, packets and deadlines come out.
//!
//! RDMA WRITEs in PSN order with ACKs and NAKs (InfiniBand Architecture Specification, volume 1, chapter 9, "IBTA" below);
//! recovery by go-back-N as IBTA has it, or by selective repeat as in IRN (Mittal et al., SIGCOMM 2018); DCQCN (Zhu et al.,
//! SIGCOMM 2015). `docs/roce.md` names the source of every rule and parameter.

pub mod aeth;
pub mod config;
pub mod dcqcn;
pub mod requester;
pub mod responder;
pub mod sizes;

pub use config::{Config, Recovery};
pub use dcqcn::{NotificationPoint, ReactionPoint};
pub use rdma::{QpError, QpState, Stream};
pub use requester::{Observer, Poll, Requester, RequesterStats};
pub use responder::{Replies, Responder, ResponderStats};
pub use sizes::Sizes;
