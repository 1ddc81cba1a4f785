//! One look at the network, as bytes that are handed over without copying.
//!
//! Little-endian throughout. A header of [`HEADER`] bytes, then the edges, the packets, the flashes and the ailing
//! nodes, each as records of fixed size:
//!
//! | record | bytes | fields |
//! |---|---|---|
//! | header | 48 | magic u32, run u32, now u64 (ps), flags u32, edges u32, packets u32, packets there u32, flashes u32, ailing u32, level u32, padding u32 |
//! | edge | 8 | number u32, load u8, queue u8, control queue u8, state u8 |
//! | packet | 20 | edge u32, handle u32, conn u32, where f32, size u16, kind u8, flags u8 |
//! | flash | 8 | edge u32, count u16, what u8, padding u8 |
//! | ailing node | 8 | plane u8, tier u8, what u8, padding u8, index u32 |

use crate::grouping::Level;
use fabric::packet::AGENT;
use serde::{Deserialize, Serialize};

/// Bytes of the header.
pub const HEADER: usize = 48;
const MAGIC: u32 = 0x3346_4746;
const EDGE: usize = 8;
const PACKET: usize = 20;
const FLASH: usize = 8;
const AILING: usize = 8;

/// Packets in one frame at most; the frame says how many there are in all.
pub const MAX_PACKETS: usize = 50_000;

/// Flashes in one frame at most.
pub const MAX_FLASHES: usize = 2_000;

/// Bits of [`Head::flags`].
pub mod flags {
    /// The run is over.
    pub const FINISHED: u32 = 1;
    /// The time that was asked for has not been reached.
    pub const BEHIND: u32 = 2;
    /// The loads of some bundles are estimates, until later frames have gone through all of their links.
    pub const COARSE: u32 = 4;
}

/// Bits of [`Edge::state`].
pub mod state {
    /// At least one of the edge's links is down.
    pub const DOWN: u8 = 1;
    /// At least one of them loses packets at random.
    pub const LOSSY: u8 = 2;
    /// All of them are down.
    pub const ALL_DOWN: u8 = 4;
    /// At least one of them damages packets at random.
    pub const CORRUPT: u8 = 8;
    /// At least one of them goes down and up again and again; it may be up just now.
    pub const FLAPPING: u8 = 16;
    /// At least one of them is paused by its far end (PFC): no data leaves.
    pub const PAUSED: u8 = 32;
    /// At least one of them is in the circle of paused links that wait for each other.
    pub const DEADLOCK: u8 = 64;
    /// Its queues lose nothing when they are full: their switch pauses who sends to it (PFC).
    pub const LOSSLESS: u8 = 128;
    /// All bits that stand for something broken: a pause is no fault.
    pub const FAULTS: u8 = DOWN | LOSSY | ALL_DOWN | CORRUPT | FLAPPING;
}

/// Bits of [`Ailing::what`].
pub mod ailment {
    /// A switch that forwards nothing.
    pub const DEAD: u8 = 1;
    /// A switch that damages packets.
    pub const CORRUPT: u8 = 2;
    /// A NIC that refuses packets.
    pub const REFUSES: u8 = 4;
    /// A NIC that reports a penalty.
    pub const PENALTY: u8 = 8;
}

/// Bits of [`Packet::flags`].
pub mod mark {
    /// It waits in the output queue.
    pub const QUEUED: u8 = 1;
    /// It carries an ECN mark.
    pub const ECN: u8 = 2;
    /// It is on a link that went down and will be lost.
    pub const DOOMED: u8 = 4;
}

/// What a frame begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Which run it belongs to.
    pub run: u32,
    /// Simulated time in ps.
    pub now: u64,
    /// See [`flags`].
    pub flags: u32,
    /// Packets in the visible part of the network; more than the frame holds where it is capped.
    pub packets_there: u32,
    /// How far groups are opened: the level that numbers edges.
    pub level: Level,
}

/// The state of an edge. Shares are of 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// Its number in the drawn fabric.
    pub id: u32,
    /// Share of its rate that was used lately; of a bundle, the mean.
    pub load: u8,
    /// Data queue as a share of the length at which packets are trimmed or dropped, or in a lossless fabric of what one port may hold
    /// before its switch pauses who sends to it; of a bundle, the fullest.
    pub queue: u8,
    /// Control queue as a share of its capacity; of a bundle, the fullest.
    pub control: u8,
    /// See [`state`].
    pub state: u8,
}

/// What a packet is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Kind {
    /// Data, sent for the first time.
    Data,
    /// Data, sent again.
    Retransmission,
    /// Data whose payload was cut off.
    Trimmed,
    /// Selective acknowledgement.
    Sack,
    /// Negative acknowledgement.
    Nack,
    /// EV probe.
    Probe,
    /// Answer to an EV probe.
    ProbeReply,
    /// Acknowledgement of a message.
    Ack,
    /// Reliability probe: asks for a SACK.
    AckProbe,
    /// Port status update, or the answer to one.
    PortStatus,
    /// Clustermapper's probe of a link.
    MapperProbe,
    /// RoCE's acknowledgement of packets.
    RoceAck,
    /// RoCE's NAK: a PSN is missing.
    Nak,
    /// RoCE's congestion notification packet.
    Cnp,
    /// PFC's frame that stops data on a link.
    Pause,
    /// PFC's frame that lets it go on.
    Resume,
    /// Receiver credit.
    Credit,
}

impl Kind {
    /// How many there are.
    pub const COUNT: usize = 17;

    /// All kinds, in the order of their numbers.
    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::Data,
        Kind::Retransmission,
        Kind::Trimmed,
        Kind::Sack,
        Kind::Nack,
        Kind::Probe,
        Kind::ProbeReply,
        Kind::Ack,
        Kind::AckProbe,
        Kind::PortStatus,
        Kind::MapperProbe,
        Kind::RoceAck,
        Kind::Nak,
        Kind::Cnp,
        Kind::Pause,
        Kind::Resume,
        Kind::Credit,
    ];

    /// True for packets that carry data, or did.
    pub const fn is_data(self) -> bool {
        matches!(self, Kind::Data | Kind::Retransmission | Kind::Trimmed)
    }
}

/// A packet that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Packet {
    /// The edge that it is on or queued for.
    pub edge: u32,
    /// Its handle in the simulation; used again for another packet when it is gone.
    pub handle: u32,
    /// The QP pair that it belongs to, or Clustermapper's agent at a NIC (see [`fabric::packet::AGENT`]).
    pub conn: u32,
    /// On the wire: time in ns until its last bit is at the far end. In the queue: share of the queue's capacity
    /// that is ahead of it.
    pub place: f32,
    /// Bytes.
    pub size: u16,
    /// What it is.
    pub kind: Kind,
    /// See [`mark`].
    pub flags: u8,
}

impl Packet {
    /// Whose packet it is, in words.
    pub fn owner(&self) -> String {
        if matches!(self.kind, Kind::Pause | Kind::Resume) {
            "this link alone".into()
        } else if self.conn & AGENT == 0 {
            format!("QP {}", self.conn)
        } else {
            format!("Clustermapper, NIC {}", self.conn ^ AGENT)
        }
    }
}

/// What has happened at an edge since the frame before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flash {
    /// Where.
    pub edge: u32,
    /// How many packets; 65,535 stands for more.
    pub count: u16,
    /// What.
    pub what: Event,
}

/// Something worth a flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Event {
    /// Packets were dropped.
    Drop,
    /// Packets were trimmed.
    Trim,
}

/// A switch or a NIC that something is wrong with (in a fabric drawn in groups too: each one).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ailing {
    /// Plane; of a NIC of no meaning, since it is in all of them.
    pub plane: u8,
    /// 0 for a T0, 1 for a T1, 2 for a T2, [`Ailing::NIC`] for a NIC.
    pub tier: u8,
    /// See [`ailment`].
    pub what: u8,
    /// Index within its tier.
    pub index: u32,
}

impl Ailing {
    /// The tier of NICs.
    pub const NIC: u8 = 255;
}

/// A frame with everything in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// What it begins with.
    pub head: Head,
    /// The edges that are drawn, in ascending order of their numbers.
    pub edges: Vec<Edge>,
    /// The packets, edge by edge.
    pub packets: Vec<Packet>,
    /// What has happened.
    pub flashes: Vec<Flash>,
    /// Switches and NICs that something is wrong with.
    pub ailing: Vec<Ailing>,
}

/// Why bytes are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            "the simulation sent something that is no frame: page and worker may be of different versions",
        )
    }
}

impl Frame {
    /// Bytes that [`write`](Self::write) will fill.
    pub fn len(&self) -> usize {
        HEADER
            + self.edges.len() * EDGE
            + self.packets.len() * PACKET
            + self.flashes.len() * FLASH
            + self.ailing.len() * AILING
    }

    /// True when it shows nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == HEADER
    }

    /// An edge's state; none where it is not drawn.
    pub fn edge(&self, id: u32) -> Option<&Edge> {
        // Of a small fabric all edges are there.
        match self.edges.get(id as usize) {
            Some(edge) if edge.id == id => Some(edge),
            _ => {
                let at = self.edges.binary_search_by_key(&id, |edge| edge.id).ok()?;
                self.edges.get(at)
            }
        }
    }

    /// True when there are more packets in sight than the frame holds.
    pub fn is_capped(&self) -> bool {
        self.head.packets_there as usize > self.packets.len()
    }

    /// Writes the frame over `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.clear();
        out.reserve(self.len());
        let mut u32le = |n: u32| out.extend_from_slice(&n.to_le_bytes());
        u32le(MAGIC);
        u32le(self.head.run);
        u32le(self.head.now as u32);
        u32le((self.head.now >> 32) as u32);
        u32le(self.head.flags);
        u32le(self.edges.len() as u32);
        u32le(self.packets.len() as u32);
        u32le(self.head.packets_there);
        u32le(self.flashes.len() as u32);
        u32le(self.ailing.len() as u32);
        u32le(self.head.level.bits());
        u32le(0);
        for e in &self.edges {
            out.extend_from_slice(&e.id.to_le_bytes());
            out.extend_from_slice(&[e.load, e.queue, e.control, e.state]);
        }
        for p in &self.packets {
            for word in [p.edge, p.handle, p.conn, p.place.to_bits()] {
                out.extend_from_slice(&word.to_le_bytes());
            }
            out.extend_from_slice(&p.size.to_le_bytes());
            out.extend_from_slice(&[p.kind as u8, p.flags]);
        }
        for f in &self.flashes {
            out.extend_from_slice(&f.edge.to_le_bytes());
            out.extend_from_slice(&f.count.to_le_bytes());
            out.extend_from_slice(&[f.what as u8, 0]);
        }
        for a in &self.ailing {
            out.extend_from_slice(&[a.plane, a.tier, a.what, 0]);
            out.extend_from_slice(&a.index.to_le_bytes());
        }
    }

    /// Reads a frame over `self`, keeping the memory that it has.
    pub fn read(&mut self, bytes: &[u8]) -> Result<(), Malformed> {
        let head = bytes.get(..HEADER).ok_or(Malformed)?;
        if u32_at(head, 0) != MAGIC {
            return Err(Malformed);
        }
        let [edges, packets, flashes, ailing] = [20, 24, 32, 36].map(|at| u32_at(head, at) as usize);
        let mut rest = &bytes[HEADER..];
        let mut section = |count: usize, size: usize| {
            let length = count.checked_mul(size).ok_or(Malformed)?;
            let (section, after) = rest.split_at_checked(length).ok_or(Malformed)?;
            rest = after;
            Ok(section)
        };
        let edges = section(edges, EDGE)?;
        let packets = section(packets, PACKET)?;
        let flashes = section(flashes, FLASH)?;
        let ailing = section(ailing, AILING)?;
        self.head = Head {
            run: u32_at(head, 4),
            now: u64::from(u32_at(head, 8)) | u64::from(u32_at(head, 12)) << 32,
            flags: u32_at(head, 16),
            packets_there: u32_at(head, 28),
            level: Level::from_bits(u32_at(head, 40)),
        };
        self.edges.clear();
        self.edges.extend(edges.chunks_exact(EDGE).map(|b| Edge {
            id: u32_at(b, 0),
            load: b[4],
            queue: b[5],
            control: b[6],
            state: b[7],
        }));
        self.packets.clear();
        for b in packets.chunks_exact(PACKET) {
            self.packets.push(Packet {
                edge: u32_at(b, 0),
                handle: u32_at(b, 4),
                conn: u32_at(b, 8),
                place: f32::from_bits(u32_at(b, 12)),
                size: u16_at(b, 16),
                kind: *Kind::ALL.get(usize::from(b[18])).ok_or(Malformed)?,
                flags: b[19],
            });
        }
        self.flashes.clear();
        for b in flashes.chunks_exact(FLASH) {
            self.flashes.push(Flash {
                edge: u32_at(b, 0),
                count: u16_at(b, 4),
                what: match b[6] {
                    0 => Event::Drop,
                    1 => Event::Trim,
                    _ => return Err(Malformed),
                },
            });
        }
        self.ailing.clear();
        self.ailing.extend(ailing.chunks_exact(AILING).map(|b| Ailing {
            plane: b[0],
            tier: b[1],
            what: b[2],
            index: u32_at(b, 4),
        }));
        Ok(())
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Frame {
        Frame {
            head: Head {
                run: 7,
                now: 0x1234_5678_9abc,
                flags: flags::BEHIND,
                packets_there: 40_000,
                level: Level {
                    t1: 3,
                    t0: 4,
                    nic: 1,
                    t2: 2,
                },
            },
            edges: vec![
                Edge {
                    id: 3,
                    load: 255,
                    queue: 3,
                    control: 1,
                    state: state::DOWN | state::LOSSY,
                },
                Edge {
                    id: 9,
                    ..Edge::default()
                },
            ],
            packets: Kind::ALL
                .iter()
                .map(|&kind| Packet {
                    edge: 1,
                    handle: 99,
                    conn: 12,
                    place: 341.25,
                    size: 4262,
                    kind,
                    flags: mark::QUEUED | mark::ECN,
                })
                .collect(),
            flashes: vec![Flash {
                edge: 1,
                count: 500,
                what: Event::Trim,
            }],
            ailing: vec![Ailing {
                plane: 7,
                tier: Ailing::NIC,
                what: ailment::REFUSES | ailment::PENALTY,
                index: 131_071,
            }],
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let frame = sample();
        let mut bytes = vec![1, 2, 3];
        frame.write(&mut bytes);
        assert_eq!(bytes.len(), frame.len());
        let mut back = Frame::default();
        back.read(&bytes).unwrap();
        assert_eq!(back, frame);
        assert!(back.is_capped());
        assert_eq!(back.edge(9), Some(&back.edges[1]));
        assert_eq!(back.edge(1), None);
        Frame::default().write(&mut bytes);
        back.read(&bytes).unwrap();
        assert_eq!(back, Frame::default());
    }

    #[test]
    fn anything_cut_short_is_refused() {
        let mut bytes = Vec::new();
        sample().write(&mut bytes);
        for length in 0..bytes.len() {
            assert_eq!(
                Frame::default().read(&bytes[..length]),
                Err(Malformed),
                "{length} bytes"
            );
        }
    }

    #[test]
    fn unknown_numbers_and_absurd_counts_are_refused() {
        let mut bytes = Vec::new();
        sample().write(&mut bytes);
        for (at, value) in [
            (0, 0),
            (HEADER + 2 * EDGE + 18, Kind::COUNT as u8),
            (23, 255),
            (27, 255),
            (35, 255),
            (39, 255),
        ] {
            let mut wrong = bytes.clone();
            wrong[at] = value;
            assert_eq!(Frame::default().read(&wrong), Err(Malformed), "byte {at}");
        }
    }
}
