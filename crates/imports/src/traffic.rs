//! Recorded flows: what a replay sends.

use gft::{Direction, Mac, Tuple};
use std::collections::BTreeMap;

/// Flows that are kept of one input (our choice).
pub const MAX_FLOWS: usize = 100_000;

/// Flows as they were recorded, in the order in which they began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The time from which starts count, in nanoseconds since 1970: that of the earliest flow.
    pub origin_ns: i64,
    /// The flows.
    pub flows: Vec<RecordedFlow>,
}

/// A flow as it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedFlow {
    /// As in the packets of the side that began it, innermost headers.
    pub tuple: Tuple,
    /// Which way those packets went, seen from the VM.
    pub direction: Direction,
    /// The VM's MAC address, where the input tells.
    pub mac: Option<Mac>,
    /// When it began, in nanoseconds after [`Traffic::origin_ns`].
    pub start_ns: u64,
    /// From its first packet to the last that was recorded, in nanoseconds.
    pub duration_ns: u64,
    /// Whether policy let it pass. A refused flow has no counts.
    pub allowed: bool,
    /// What the side that began it sent.
    pub forward: Count,
    /// What the other side sent.
    pub backward: Count,
}

/// Packets and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Packets.
    pub packets: u64,
    /// Bytes: IP packets in captures; what Azure counts in flow logs.
    pub bytes: u64,
}

impl Count {
    pub(crate) fn add(&mut self, packets: u64, bytes: u64) {
        self.packets = self.packets.saturating_add(packets);
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// What tells flows apart.
pub(crate) type Key = (Tuple, Direction, Option<Mac>);

/// A flow with times since 1970 in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) flow: RecordedFlow,
    pub(crate) first_ns: i64,
    pub(crate) last_ns: i64,
    /// A FIN or RST was seen.
    pub(crate) closing: bool,
}

/// Flows as their parts come in.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    flows: Vec<Open>,
    open: BTreeMap<Key, usize>,
}

/// The collector has as many flows as are kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full;

impl Collector {
    /// The flow that is open under this key.
    pub(crate) fn find(&mut self, key: &Key) -> Option<&mut Open> {
        let at = *self.open.get(key)?;
        self.flows.get_mut(at)
    }

    /// Opens a flow in place of the one that may be open under the same key.
    pub(crate) fn open(&mut self, key: Key, at_ns: i64) -> Result<&mut Open, Full> {
        if self.flows.len() == MAX_FLOWS {
            return Err(Full);
        }
        let (tuple, direction, mac) = key;
        self.open.insert(key, self.flows.len());
        self.flows.push(Open {
            flow: RecordedFlow {
                tuple,
                direction,
                mac,
                start_ns: 0,
                duration_ns: 0,
                allowed: true,
                forward: Count::default(),
                backward: Count::default(),
            },
            first_ns: at_ns,
            last_ns: at_ns,
            closing: false,
        });
        self.flows.last_mut().ok_or(Full)
    }

    /// What comes under this key from now on is another flow.
    pub(crate) fn close(&mut self, key: &Key) {
        self.open.remove(key);
    }

    /// The flows by their beginning; those of one moment in the input's order.
    pub(crate) fn finish(mut self) -> Traffic {
        self.flows.sort_by_key(|open| open.first_ns);
        let origin_ns = self.flows.first().map_or(0, |open| open.first_ns);
        let flows = self.flows.iter().map(|open| RecordedFlow {
            start_ns: open.first_ns.abs_diff(origin_ns),
            duration_ns: open.last_ns.saturating_sub(open.first_ns).max(0) as u64,
            ..open.flow
        });
        Traffic {
            origin_ns,
            flows: flows.collect(),
        }
    }
}

/// Reads a MAC address of 12 digits, with colons, dashes or nothing between them.
pub(crate) fn mac(text: &str) -> Option<Mac> {
    let digits: String = text.chars().filter(|c| !matches!(c, ':' | '-')).collect();
    let whole = digits.len() == 12 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    whole
        .then(|| u64::from_str_radix(&digits, 16).ok())
        .flatten()
        .map(Mac)
}
