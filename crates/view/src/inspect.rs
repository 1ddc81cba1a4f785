//! What the inspector shows of the thing that is selected.

use crate::frame::{Kind, Packet};
use crate::grouping::Level;
use crate::layout::{Node, Row};
use crate::log::PacketWord;
use crate::recovery::Occurrence;
use scenario::{Fault, FaultKind, LinkName, SwitchName};
use serde::{Deserialize, Serialize};

/// Something that can be selected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A cable.
    Link(LinkName),
    /// A switch.
    Switch(SwitchName),
    /// A NIC.
    Nic(u32),
    /// A QP, by its number in the run.
    Qp(u32),
    /// A packet.
    Packet(PacketRef),
    /// A fault, by its index in the scenario.
    Fault(u32),
    /// A bundle of a fabric drawn in groups, by one of its two edges.
    Bundle {
        /// How far groups are opened: what the edge's number counts.
        level: Level,
        /// The edge.
        edge: u32,
    },
    /// A group of switches or NICs of a fabric drawn in groups.
    Group {
        /// How far groups are opened: what the index counts.
        level: Level,
        /// Plane.
        plane: u32,
        /// Its place in [`Row::ALL`]: 0 for T2s, 1 for T1s, 2 for T0s, 3 for NICs.
        row: u8,
        /// Index of the group.
        index: u32,
    },
}

/// A packet as it was seen in a frame. The simulation may have gone on since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketRef {
    /// The number that stays with it from NIC to NIC.
    pub handle: u32,
    /// The QP pair that it belongs to.
    pub conn: u32,
    /// What it was drawn as.
    pub kind: Kind,
    /// The edge that it was drawn on: which of two PAUSE frames of one time it is.
    pub edge: u32,
}

impl From<&Packet> for PacketRef {
    fn from(packet: &Packet) -> PacketRef {
        PacketRef {
            handle: packet.handle,
            conn: packet.conn,
            kind: packet.kind,
            edge: packet.edge,
        }
    }
}

impl Target {
    /// The one thing that a fault is about, if there is one.
    pub fn of_fault(fault: &FaultKind) -> Option<Target> {
        (fault.link().map(Target::Link))
            .or_else(|| fault.switch().map(Target::Switch))
            .or_else(|| fault.nic().map(Target::Nic))
    }

    /// What a node is that stands for itself alone.
    pub fn single(node: Node) -> Target {
        let Node { plane, row, index } = node;
        match row {
            Row::T2 => Target::Switch(SwitchName::T2 { plane, index }),
            Row::T1 => Target::Switch(SwitchName::T1 { plane, index }),
            Row::T0 => Target::Switch(SwitchName::T0 { plane, index }),
            Row::Nic => Target::Nic(index),
        }
    }

    /// The group that a node stands for at a level.
    pub fn group(level: Level, node: Node) -> Target {
        Target::Group {
            level,
            plane: node.plane,
            row: node.row as u8,
            index: node.index,
        }
    }

    /// The node of a group, and the level at which it is one.
    pub fn group_node(&self) -> Option<(Level, Node)> {
        match *self {
            Target::Group {
                level,
                plane,
                row,
                index,
            } => {
                let row = *Row::ALL.get(usize::from(row))?;
                Some((level, Node { plane, row, index }))
            }
            _ => None,
        }
    }
}

/// Details of a selected thing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Detail {
    /// A cable.
    Link(Box<LinkDetail>),
    /// A switch.
    Switch(SwitchDetail),
    /// A NIC.
    Nic(NicDetail),
    /// A QP.
    Qp(Box<QpDetail>),
    /// A packet in the network.
    Packet(Box<PacketDetail>),
    /// A fault.
    Fault(Box<FaultDetail>),
    /// The packet that was selected has been delivered or dropped.
    PacketGone,
    /// A bundle.
    Bundle(BundleDetail),
    /// A group.
    Group(GroupDetail),
}

/// How many packets met a fate, by its name.
pub type Tally = Vec<(String, u64)>;

/// One direction of a cable: the output port and the wire.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Direction {
    /// The sender's name.
    pub from: String,
    /// The receiver's name.
    pub to: String,
    /// True when it is down.
    pub down: bool,
    /// Probability of losing a packet, 0 to 1, what all links of the tier lose not included.
    pub loss: f64,
    /// Probability of damaging a packet, 0 to 1.
    pub damage: f64,
    /// Share of the rate used lately, 0 to 1.
    pub load: f64,
    /// Bytes of the data class in the queue, the packet being sent included.
    pub queue_bytes: u64,
    /// Length at which data packets are trimmed or dropped; none where the queue has no limit.
    pub queue_limit: Option<u64>,
    /// Bytes of the control class in the queue.
    pub control_bytes: u64,
    /// Its capacity.
    pub control_limit: Option<u64>,
    /// Packets on the wire.
    pub on_wire: u32,
    /// Bytes sent since the start.
    pub tx_bytes: u64,
    /// Packets sent since the start, modulo 2^32.
    pub tx_packets: u32,
    /// Packets dropped here, by reason.
    pub drops: Tally,
    /// Packets trimmed in front of this port.
    pub trims: u64,
    /// Priority flow control; none where there is none.
    pub pfc: Option<PfcDetail>,
}

/// Priority flow control of one direction of a cable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PfcDetail {
    /// Since when the far end has it paused, in ps; none while data may go.
    pub since_ps: Option<u64>,
    /// How long it was paused in all, that included, in ps.
    pub total_ps: u64,
    /// PAUSE frames that the far end has sent, those that resume not counted.
    pub pauses: u32,
    /// It is in the circle of links that wait for each other.
    pub is_deadlocked: bool,
    /// What came by it and has not yet left the switch at the far end; none where that is a NIC, which pauses nobody.
    pub buffer: Option<PfcBuffer>,
}

/// What a switch holds of what came in by one port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PfcBuffer {
    /// Bytes held.
    pub held: u64,
    /// Above so many the sender is paused.
    pub xoff: u64,
    /// From so many on down it may go on.
    pub xon: u64,
    /// Beyond so many, `xoff` and the headroom, packets are lost.
    pub most: u64,
}

/// A cable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkDetail {
    /// Its name.
    pub name: LinkName,
    /// Rate in bits per second.
    pub rate_bps: u64,
    /// Delay in ps, the receiving switch's latency included.
    pub delay_ps: u64,
    /// When the flapping that it is in ends, in ps.
    pub flaps_until_ps: Option<u64>,
    /// Over which span of the past the load is measured, in ps.
    pub window_ps: u64,
    /// Upwards and downwards.
    pub directions: [Direction; 2],
}

/// A port in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortRow {
    /// The cable.
    pub link: LinkName,
    /// Load of the direction that leaves, 0 to 1.
    pub load_out: f64,
    /// Load of the direction that arrives.
    pub load_in: f64,
    /// Data bytes queued for the direction that leaves.
    pub queue_bytes: u64,
    /// What is wrong with either direction: bits of [`state`](crate::frame::state).
    pub state: u8,
}

/// A switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwitchDetail {
    /// Its name.
    pub name: SwitchName,
    /// Its uSID.
    pub usid: u16,
    /// True when it is dead.
    pub dead: bool,
    /// Probability of damaging a packet, 0 to 1.
    pub damage: f64,
    /// Data bytes in all its output queues.
    pub queued_bytes: u64,
    /// Packets dropped at its ports, by reason.
    pub drops: Tally,
    /// Packets trimmed.
    pub trims: u64,
    /// Its ports, at most [`MAX_ROWS`].
    pub ports: Vec<PortRow>,
    /// How many ports it has.
    pub port_count: u32,
}

/// Rows in a list of the inspector at most.
pub const MAX_ROWS: usize = 256;

/// A QP in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QpRow {
    /// Its number in the run.
    pub qp: u32,
    /// The flow's number in results.
    pub flow: u64,
    /// Sending NIC.
    pub src: u32,
    /// Receiving NIC.
    pub dst: u32,
    /// Message bytes.
    pub bytes: u64,
    /// Message bytes placed at the receiver.
    pub placed: u64,
}

/// A NIC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NicDetail {
    /// Its number.
    pub nic: u32,
    /// Its T0 in each plane.
    pub t0: u32,
    /// Share of the data packets that it refuses and the NACK's reason, if it does.
    pub refuses: Option<(f64, String)>,
    /// The penalty that it reports in its SACKs.
    pub penalty: u32,
    /// Its port in each plane.
    pub ports: Vec<PortRow>,
    /// The QPs that it sends on and receives on, at most [`MAX_ROWS`].
    pub qps: Vec<QpRow>,
    /// How many there are.
    pub qp_count: u32,
}

/// The state of an EV, by the specification's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EvState {
    /// In use.
    Good,
    /// Loses its next turn.
    Skip,
    /// Out of use until probes succeed.
    AssumedBad,
    /// Out of use until a controller allows it.
    Denied,
}

impl EvState {
    /// All states.
    pub const ALL: [EvState; 4] = [EvState::Good, EvState::Skip, EvState::AssumedBad, EvState::Denied];

    /// The name as the specification spells it.
    pub const fn name(self) -> &'static str {
        match self {
            EvState::Good => "GOOD",
            EvState::Skip => "SKIP",
            EvState::AssumedBad => "ASSUMED_BAD",
            EvState::Denied => "DENIED",
        }
    }
}

/// An EV in the grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvCell {
    /// Its plane.
    pub plane: u32,
    /// The T1 that it goes through, or the T2.
    pub t1: u32,
    /// True when that is a T2: the QP's NICs are in different pods.
    pub is_t2: bool,
    /// Its state.
    pub state: EvState,
    /// In rotation.
    pub active: bool,
    /// One of those that began in reserve.
    pub backup: bool,
}

/// A QP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QpDetail {
    /// What its row in a list says.
    pub row: QpRow,
    /// What it is doing, in words.
    pub state: String,
    /// Why it is in ERROR and since when, in ps, if it is.
    pub error: Option<(String, u64)>,
    /// Each message is a WRITE with immediate.
    pub immediate: bool,
    /// Messages of the flow.
    pub messages: u32,
    /// Posted so far.
    pub posted: u32,
    /// Complete.
    pub completed: u32,
    /// When the first message was posted, in ps.
    pub start_ps: u64,
    /// When all were complete, in ps.
    pub end_ps: Option<u64>,
    /// Congestion window in wire bytes.
    pub cwnd: u64,
    /// Its upper limit.
    pub max_cwnd: u64,
    /// Wire bytes in flight.
    pub in_flight: u64,
    /// Average queueing delay that the congestion control sees, in ps.
    pub delay_ps: f64,
    /// Lowest PSN not yet acknowledged.
    pub cack: u32,
    /// PSN of the next new packet.
    pub next_psn: u32,
    /// PSNs of all messages.
    pub packets: u32,
    /// Packets waiting for retransmission.
    pub waiting: u32,
    /// Data packets sent again.
    pub retransmissions: u64,
    /// NACKs that led to one.
    pub nacks: u64,
    /// Losses inferred without a NACK.
    pub losses: u64,
    /// Timeouts in a row.
    pub timeouts: u32,
    /// How long the next one takes, in ps.
    pub timeout_ps: u64,
    /// With how many in a row it goes to ERROR; none where it never does.
    pub most_timeouts: Option<u32>,
    /// EV probes sent.
    pub probes: u64,
    /// Reliability probes sent.
    pub ack_probes: u64,
    /// Planes without a port, here or at the peer: bit p for plane p.
    pub planes_down: u8,
    /// Its EVs in order of their numbers; none where the protocol is RoCE.
    pub evs: Vec<EvCell>,
    /// What only RoCE has; none where the protocol is MRC.
    pub roce: Option<RoceDetail>,
}

/// What both ends of a RoCE QP know. Rates are bits a second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoceDetail {
    /// What is sent again after a gap, in words.
    pub recovery: String,
    /// UDP source port of both directions.
    pub port: u16,
    /// Its plane.
    pub plane: u32,
    /// The way that switches have for it now, from the NIC on.
    pub path: Vec<LinkName>,
    /// Switches choose anew for each packet: there is no one way.
    pub is_spread: bool,
    /// DCQCN; none where it is off.
    pub dcqcn: Option<DcqcnDetail>,
    /// Rate in force.
    pub rate_bps: u64,
    /// Rate of its port.
    pub line_bps: u64,
    /// Wire bytes that may be in flight; none where there is no such limit.
    pub window: Option<u64>,
    /// Timeouts and NAKs without progress, in a row.
    pub retries: u32,
    /// Beyond so many it goes to ERROR.
    pub most_retries: u32,
    /// Timeouts in all.
    pub timeouts: u64,
    /// NAKs that made it send again.
    pub naks: u64,
    /// CNPs heard.
    pub cnps: u64,
    /// PSN that the responder expects.
    pub expected: u32,
    /// Counts of the responder.
    pub responder: RoceResponder,
}

/// Counts of a RoCE responder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoceResponder {
    /// Packets that arrived before an earlier one.
    pub out_of_order: u64,
    /// Packets that had been placed before.
    pub duplicates: u64,
    /// Packets that were no use.
    pub refused: u64,
    /// ACKs sent.
    pub acks: u64,
    /// NAKs sent.
    pub naks: u64,
    /// CNPs sent.
    pub cnps: u64,
}

/// A QP's DCQCN, as of now.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DcqcnDetail {
    /// Rate that it recovers to.
    pub target_bps: u64,
    /// Estimate of congestion, 0 to 1.
    pub alpha: f64,
    /// What it is doing, in words.
    pub stage: String,
}

impl QpDetail {
    /// What follows if nothing is heard, in words.
    pub fn next_timeout(&self) -> String {
        let wait = crate::units::span(self.timeout_ps as f64);
        match self.most_timeouts {
            Some(most) if self.timeouts + 1 >= most => format!("ERROR after {wait} more without news"),
            Some(most) => format!(
                "retry {} of {} after {wait} without news",
                self.timeouts + 1,
                most - 1
            ),
            None => format!("retry {} after {wait} without news", self.timeouts + 1),
        }
    }

    /// The planes without a port, in words.
    pub fn planes_without_port(&self) -> String {
        let planes = (0..8).filter(|plane| self.planes_down >> plane & 1 == 1);
        planes
            .map(|plane| plane.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultDetail {
    /// Its index in the scenario.
    pub index: u32,
    /// What it is, and when.
    #[serde(with = "crate::encoding::json")]
    pub fault: Fault,
    /// Its occurrences so far, at most the latest [`MAX_ROWS`].
    pub occurrences: Vec<Occurrence>,
    /// How many there were.
    pub count: u32,
}

/// A place on a packet's path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hop {
    /// The node's name.
    pub node: String,
    /// The cable that leads to it; none for the sender.
    pub link: Option<LinkName>,
    /// uSIDs of the destination address on that cable, the active one first; none where switches choose the path.
    pub usids: Vec<UsidView>,
}

/// A uSID of a destination address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsidView {
    /// Its value.
    pub value: u16,
    /// What it names.
    pub names: String,
}

/// A packet in the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketDetail {
    /// What it is, in words.
    pub title: String,
    /// The QP pair that it belongs to; none for Clustermapper's probes.
    pub qp: Option<u32>,
    /// Its PSN, or its probe's number.
    pub psn: u32,
    /// True for data of a message, whole or trimmed.
    pub is_data: bool,
    /// What it is, as filters of the events list name it.
    pub word: PacketWord,
    /// The EV that it goes by or speaks of; none where the protocol has none.
    pub ev: Option<u16>,
    /// The NICs that send and receive its QP's data; none for Clustermapper's probes.
    pub ends: Option<(u32, u32)>,
    /// True when it goes from the one that receives the data to the one that sends it.
    pub is_answer: bool,
    /// Bytes on the wire.
    pub size: u16,
    /// When the endpoint sent it, in ps.
    pub sent_ps: u64,
    /// Where it is, in words.
    pub place: String,
    /// Its path from sender to receiver; where switches choose anew for each packet, only where it is now.
    pub path: Vec<Hop>,
    /// Which hop it is on: `path[hop]` is the node that it is moving to or queued towards.
    pub hop: u32,
    /// The frame as bytes; empty where it has none.
    pub bytes: Vec<u8>,
    /// Why it has none.
    pub no_bytes: Option<String>,
}

/// A bundle of cables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BundleDetail {
    /// What it joins.
    pub name: String,
    /// How many cables it stands for.
    pub cables: u32,
    /// How many of them are down.
    pub down: u32,
    /// Load of each direction: mean and largest, 0 to 1.
    pub load: [(f64, f64); 2],
    /// Longest data queue of each direction in bytes.
    pub queue_bytes: [u64; 2],
    /// Packets dropped.
    pub drops: Tally,
    /// Packets trimmed.
    pub trims: u64,
    /// Its cables with the longest queues and the faults first, at most [`MAX_ROWS`].
    pub members: Vec<PortRow>,
}

/// A group of switches or NICs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupDetail {
    /// What it stands for.
    pub name: String,
    /// Names of its members, at most [`MAX_ROWS`].
    pub members: Vec<Target>,
    /// How many there are.
    pub count: u32,
    /// How many of them are dead.
    pub dead: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_survive_the_wire() {
        for target in [
            Target::Link("p0/t0.3-t1.2".parse().unwrap()),
            Target::Switch("p7/t1.2".parse().unwrap()),
            Target::Nic(17),
            Target::Bundle {
                level: Level::default(),
                edge: 9,
            },
            Target::Group {
                level: Level {
                    t1: 1,
                    t0: 2,
                    nic: 3,
                    t2: 4,
                },
                plane: 1,
                row: 2,
                index: 3,
            },
        ] {
            let text = serde_json::to_string(&target).unwrap();
            assert_eq!(serde_json::from_str::<Target>(&text).unwrap(), target, "{text}");
        }
    }

    #[test]
    fn groups_and_nodes_correspond() {
        let node = Node {
            plane: 4,
            row: Row::T0,
            index: 9,
        };
        let level = Level {
            t1: 2,
            t0: 1,
            ..Level::default()
        };
        assert_eq!(Target::group(level, node).group_node(), Some((level, node)));
        assert_eq!(Target::Nic(3).group_node(), None);
    }

    #[test]
    fn ev_states_keep_their_names() {
        for state in EvState::ALL {
            assert_eq!(
                serde_json::to_string(&state).unwrap(),
                format!("{:?}", state.name())
            );
        }
    }
}
