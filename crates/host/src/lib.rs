//! One run of a host with VMs, from the packet that a guest sends to the wire and back.

pub mod tcp;
