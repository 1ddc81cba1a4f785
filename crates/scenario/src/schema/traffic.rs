//! What is sent.

use crate::defaults;
use crate::json_form::TrafficForm;
use crate::quantity::{Bytes, Time};
use serde::{Deserialize, Serialize};

/// `[src, dst, bytes, start in ps, id]` of one flow.
pub type FlowTuple = (u32, u32, u64, u64, u64);

/// One element of the traffic: a single flow, a pattern of many, or a job. Each flow is one QP with one or more RDMA
/// WRITEs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", try_from = "TrafficForm")]
pub enum Traffic {
    /// One flow.
    Flow {
        /// Sending NIC.
        src: u32,
        /// Receiving NIC.
        dst: u32,
        /// Message size.
        bytes: Bytes,
        /// Messages, posted back to back, 1 to 2^24.
        #[serde(skip_serializing_if = "defaults::is_one_message")]
        messages: u64,
        /// Each message is a WRITE with immediate.
        #[serde(skip_serializing_if = "defaults::is_default")]
        imm: bool,
        /// When they are posted.
        #[serde(skip_serializing_if = "defaults::is_default")]
        start: Time,
        /// The flow's number in results; counted from 1 in order where left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
    },
    /// Each NIC s sends to NIC (s + shift) mod N.
    Permutation {
        /// Distance between sender and receiver, 1 to N − 1.
        shift: u32,
        /// Message size of each flow.
        bytes: Bytes,
        /// Messages of each flow, posted back to back, 1 to 2^24.
        #[serde(skip_serializing_if = "defaults::is_one_message")]
        messages: u64,
        /// Each message is a WRITE with immediate.
        #[serde(skip_serializing_if = "defaults::is_default")]
        imm: bool,
        /// When they are posted.
        #[serde(skip_serializing_if = "defaults::is_default")]
        start: Time,
    },
    /// `senders` NICs, spread evenly, send to one.
    Incast {
        /// Receiving NIC.
        dst: u32,
        /// How many senders.
        senders: u32,
        /// Message size of each flow.
        bytes: Bytes,
        /// Messages of each flow, posted back to back, 1 to 2^24.
        #[serde(skip_serializing_if = "defaults::is_one_message")]
        messages: u64,
        /// Each message is a WRITE with immediate.
        #[serde(skip_serializing_if = "defaults::is_default")]
        imm: bool,
        /// When they are posted.
        #[serde(skip_serializing_if = "defaults::is_default")]
        start: Time,
    },
    /// Every ordered pair among NICs 0 to n − 1.
    AllToAll {
        /// How many NICs take part.
        nics: u32,
        /// Message size of each flow.
        bytes: Bytes,
        /// Messages of each flow, posted back to back, 1 to 2^24.
        #[serde(skip_serializing_if = "defaults::is_one_message")]
        messages: u64,
        /// Each message is a WRITE with immediate.
        #[serde(skip_serializing_if = "defaults::is_default")]
        imm: bool,
        /// When they are posted.
        #[serde(skip_serializing_if = "defaults::is_default")]
        start: Time,
    },
    /// Many explicit flows in compact form (imported connection matrices), one message each.
    Flows {
        /// `[src, dst, bytes, start in ps, id]` each.
        list: Vec<FlowTuple>,
    },
    /// Synchronous steps of computing and communicating, as a training job takes them. In each step all members
    /// compute, and then carry out the collective; the next step begins when every transfer of the step is
    /// acknowledged, plus one base RTT for the barrier (our choice).
    ///
    /// Member i is the rank `first_rank` + i · `stride`; [`Fabric::nic_of_rank`](super::Fabric::nic_of_rank) says which
    /// NIC that is.
    Job {
        /// What the members do together.
        collective: Collective,
        /// How many members, 2 to N; even for [`Collective::SendReceive`].
        ranks: u32,
        /// The first member's rank.
        #[serde(skip_serializing_if = "defaults::is_default")]
        first_rank: u32,
        /// Distance between the ranks of two members, 1 or more.
        #[serde(skip_serializing_if = "defaults::is_one")]
        stride: u32,
        /// Size of the collective per rank (NCCL's convention).
        bytes: Bytes,
        /// Steps, 1 to 1,000,000.
        #[serde(skip_serializing_if = "defaults::is_one")]
        steps: u32,
        /// Time that each step computes before it communicates, up to 100 s.
        #[serde(skip_serializing_if = "defaults::is_default")]
        compute: Time,
        /// When the first step begins.
        #[serde(skip_serializing_if = "defaults::is_default")]
        start: Time,
    },
}

/// What the members of a job do in each step. S is the job's `bytes`, n its `ranks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Collective {
    /// Ring: 2(n − 1) messages of ⌈S/n⌉ from each member to the next, each sent once the one before has come in.
    RingAllReduce,
    /// The first half of it: n − 1 messages.
    ReduceScatter,
    /// The second half of it: n − 1 messages.
    AllGather,
    /// ⌈S/n⌉ from each member to each other one.
    AllToAll,
    /// S from member 2i to member 2i + 1.
    SendReceive,
    /// S from member i to member i + ⌊n/2⌋ (mod n).
    Permutation,
    /// S from each other member to member 0.
    Incast,
}

impl Collective {
    /// As JSON spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RingAllReduce => "ring_all_reduce",
            Self::ReduceScatter => "reduce_scatter",
            Self::AllGather => "all_gather",
            Self::AllToAll => "all_to_all",
            Self::SendReceive => "send_receive",
            Self::Permutation => "permutation",
            Self::Incast => "incast",
        }
    }

    /// Messages that follow one another on each QP in one step: more than one in a ring.
    pub const fn messages_per_step(self, ranks: u32) -> u32 {
        let others = ranks.saturating_sub(1);
        match self {
            Self::RingAllReduce => others.saturating_mul(2),
            Self::ReduceScatter | Self::AllGather => others,
            Self::AllToAll | Self::SendReceive | Self::Permutation | Self::Incast => 1,
        }
    }

    /// True when members send to the next one and wait for the one before.
    pub const fn is_ring(self) -> bool {
        matches!(self, Self::RingAllReduce | Self::ReduceScatter | Self::AllGather)
    }

    /// Bytes of one message.
    pub const fn message_bytes(self, bytes: u64, ranks: u32) -> u64 {
        match self {
            Self::RingAllReduce | Self::ReduceScatter | Self::AllGather | Self::AllToAll if ranks > 0 => {
                bytes.div_ceil(ranks as u64)
            }
            _ => bytes,
        }
    }
}
