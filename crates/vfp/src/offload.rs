//! What the hardware is to do. A port says it by values and never calls the hardware.

use gft::{FlowKey, Transposition};

/// One entry for the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffloadFlow {
    /// What is matched.
    pub key: FlowKey,
    /// What is done.
    pub transposition: Transposition,
    /// The generation of the policy it was compiled from.
    pub generation: u32,
    /// Whether TCP packets with SYN, FIN or RST, and those after a FIN, are to be copied to software.
    pub track_tcp: bool,
}

/// A command to the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offload {
    /// Add these entries, first that of the packet's own way. The second is missing when answers do not come through.
    Install {
        /// The flow's handle; both entries carry it.
        handle: u32,
        /// Forward, answer.
        flows: [Option<OffloadFlow>; 2],
    },
    /// Put these in place of all entries with the handle.
    Update {
        /// The flow's handle.
        handle: u32,
        /// Forward, answer.
        flows: [Option<OffloadFlow>; 2],
    },
    /// Remove all entries with the handle.
    Remove {
        /// The flow's handle.
        handle: u32,
    },
}
