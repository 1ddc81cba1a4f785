//! What lanes are called and what they show, wherever they are drawn.

use crate::message::Lane;

/// How the values of a lane come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Bytes in each bin, shown as a rate.
    Bytes,
    /// Things in each bin.
    Things,
    /// How many there are at the end of each bin.
    Level,
    /// How many bytes wait at the end of each bin.
    Depth,
}

/// A lane in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneWords {
    /// Its class in the style sheet, and its name for tests.
    pub slug: &'static str,
    /// Its name for people, short enough to stand beside it.
    pub name: String,
    /// What it shows, as the beginning of a sentence.
    pub doc: String,
    /// How its values come about.
    pub counted: Counted,
}

impl Lane {
    /// The lane in words.
    pub fn words(self) -> LaneWords {
        let (slug, name, doc, counted) = match self {
            Lane::Plane(plane) => {
                return LaneWords {
                    slug: "plane",
                    name: format!("Plane {plane}"),
                    doc: format!("Message bits placed per second through plane {plane}"),
                    counted: Counted::Bytes,
                };
            }
            Lane::Qp(qp) => {
                return LaneWords {
                    slug: "qp",
                    name: format!("QP {qp}"),
                    doc: format!("Message bits of QP {qp} placed per second"),
                    counted: Counted::Bytes,
                };
            }
            Lane::Messages => (
                "messages",
                "Messages",
                "Messages that were complete at their senders",
                Counted::Things,
            ),
            Lane::Drops => ("drops", "Drops", "Packets dropped", Counted::Things),
            Lane::Trims => ("trims", "Trims", "Packets trimmed", Counted::Things),
            Lane::Retransmissions => ("rtx", "Rtx", "Data packets sent again", Counted::Things),
            Lane::Marks => (
                "ecn",
                "ECN marks",
                "Data packets that arrived with an ECN mark",
                Counted::Things,
            ),
            Lane::Nacks => (
                "nacks",
                "NACKs",
                "NACKs (of RoCE: NAKs) that senders heard",
                Counted::Things,
            ),
            Lane::Pauses => (
                "pauses",
                "Pauses",
                "Times that PFC paused a directed link",
                Counted::Things,
            ),
            Lane::Cnps => (
                "cnps",
                "CNPs",
                "Congestion notifications that RoCE's senders heard",
                Counted::Things,
            ),
            Lane::Skips => (
                "skips",
                "SKIP",
                "EVs (entropy values, each a path) that went from GOOD to SKIP",
                Counted::Things,
            ),
            Lane::Paused => (
                "paused",
                "Paused",
                "Directed links that are paused by their far ends (PFC), at the end of each bin",
                Counted::Level,
            ),
            Lane::Queue => (
                "queue",
                "Queue",
                "Bytes in the deepest queue of the fabric, the packet being sent included, seen by a look at all queues at the end of each bin (of two looks, where bins became wider, the deeper): between looks it may have been deeper",
                Counted::Depth,
            ),
            Lane::EvsGood => (
                "evs",
                "EV states",
                "EVs of all QPs at the end of each bin: active ones that are GOOD, on them those at SKIP, on top those out of use (ASSUMED_BAD, DENIED)",
                Counted::Level,
            ),
            Lane::EvsSkip => (
                "evs-skip",
                "EVs at SKIP",
                "Active EVs that lose their next turn, of all QPs, at the end of each bin",
                Counted::Level,
            ),
            Lane::BadEvs => (
                "bad",
                "Bad EVs",
                "EVs (entropy values, each a path) that are ASSUMED_BAD or DENIED, of all QPs",
                Counted::Level,
            ),
        };
        LaneWords {
            slug,
            name: name.into(),
            doc: doc.into(),
            counted,
        }
    }
}
