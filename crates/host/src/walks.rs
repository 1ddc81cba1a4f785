//! What VFP said of the last packets that it was asked about, for whoever looks at a packet afterwards.

use crate::packet::{Owner, Packet};
use crate::run::Run;
use gft::{Direction, Headers};
use kernel::Time;
use std::collections::VecDeque;
use std::sync::Arc;
use vfp::{FlowView, LayerStep, Verdict, Work};

/// Walks that are kept at most: more than there are packets under way behind the vSwitch, and less than copies of a run would fill
/// the memory with (our choice).
pub const MAX_WALKS: usize = 128;

/// What became of a packet at its VM's port when a core served it.
#[derive(Clone, Debug)]
pub struct KeptWalk {
    /// The packet's number; numbers are used again.
    pub packet: u32,
    /// Whose it is.
    pub owner: Owner,
    /// When it was handed over.
    pub sent: Time,
    /// When the core began with it.
    pub at: Time,
    /// Which way it went.
    pub direction: Direction,
    /// Its bytes, IP header included.
    pub bytes: u32,
    /// Its headers as it came.
    pub before: Headers,
    /// What became of it.
    pub verdict: Verdict,
    /// The layers that were asked: none where the flow table knew its flow, or where the port did not look at it.
    pub steps: Arc<[LayerStep]>,
    /// The flow that the walk made or reconciled, as it stood then.
    pub flow: Option<FlowView>,
    /// What VFP did for it.
    pub work: Work,
    /// What that cost the core, without waiting for the port's lock.
    pub cost: Time,
}

/// The last ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walks(VecDeque<KeptWalk>);

impl Walks {
    pub(crate) fn keep(&mut self, walk: KeptWalk) {
        if self.0.len() >= MAX_WALKS {
            self.0.pop_front();
        }
        self.0.push_back(walk);
    }
}

impl Run {
    /// From now on the last [`MAX_WALKS`] walks are kept. It changes nothing in the run.
    pub fn keep_walks(&mut self) {
        self.walks.get_or_insert_default();
    }

    /// What VFP said of a packet under way, if it was asked already and its walk is among those kept.
    pub fn walk_of(&self, number: u32, packet: &Packet) -> Option<&KeptWalk> {
        let is_its = |walk: &&KeptWalk| {
            walk.packet == number
                && walk.owner == packet.owner
                && walk.sent == packet.sent
                && walk.direction == packet.direction
        };
        let walks = self.walks.as_ref().filter(|_| !packet.copy)?;
        walks.0.iter().rev().find(is_its)
    }
}
