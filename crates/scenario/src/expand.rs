//! Spells out the traffic: patterns become flows.

use crate::limits;
use crate::schema::{Scenario, Traffic};

/// One flow: one message of `bytes` from one NIC to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The flow's number in results; above 0 and unique in a valid scenario.
    pub id: u64,
    /// Sending NIC.
    pub src: u32,
    /// Receiving NIC.
    pub dst: u32,
    /// Message size in bytes.
    pub bytes: u64,
    /// When it is posted, in picoseconds.
    pub start_ps: u64,
}

impl Scenario {
    /// Every flow, in the order of `traffic`, and within one element:
    ///
    /// - a permutation by sender;
    /// - an incast by the i-th of its k senders, which is NIC `dst + 1 + ⌊i·(N−1)/k⌋` (mod N);
    /// - an all-to-all by distance and then by sender (0→1, 1→2, …, 0→2, …), so that no receiver comes up
    ///   twice in a row;
    /// - a list as it stands.
    ///
    /// Flows without an id of their own are numbered from 1 in this order, leaving out numbers that the
    /// scenario gives to others. For a valid scenario the result is complete; one that is not validated yields
    /// at most [`limits::FLOWS`] flows and never panics.
    pub fn flows(&self) -> Vec<Flow> {
        let nics = self.fabric.nics();
        let max = *limits::FLOWS.end() as usize;
        let mut flows: Vec<Flow> = self
            .traffic
            .iter()
            .flat_map(|item| element(item, nics))
            .take(max)
            .collect();
        number(&mut flows);
        flows
    }
}

/// `index` moved on by `distance` among `nics`.
fn onward(index: u32, distance: u64, nics: u64) -> u32 {
    ((u64::from(index) + distance) % nics.max(1)) as u32
}

/// The flows of one element; id 0 where they have none of their own.
fn element(item: &Traffic, nics: u64) -> Box<dyn Iterator<Item = Flow> + '_> {
    match *item {
        Traffic::Flow {
            src,
            dst,
            bytes,
            start,
            id,
        } => Box::new(std::iter::once(Flow {
            id: id.unwrap_or(0),
            src,
            dst,
            bytes: bytes.0,
            start_ps: start.0,
        })),
        Traffic::Permutation { shift, bytes, start } => {
            let senders = nics.min(u64::from(u32::MAX)) as u32;
            Box::new((0..senders).map(move |src| Flow {
                id: 0,
                src,
                dst: onward(src, u64::from(shift), nics),
                bytes: bytes.0,
                start_ps: start.0,
            }))
        }
        Traffic::Incast {
            dst,
            senders,
            bytes,
            start,
        } => Box::new((0..u64::from(senders)).map(move |i| {
            let spread = u128::from(i) * u128::from(nics.saturating_sub(1)) / u128::from(senders);
            Flow {
                id: 0,
                src: onward(dst, 1 + spread as u64, nics),
                dst,
                bytes: bytes.0,
                start_ps: start.0,
            }
        })),
        Traffic::AllToAll {
            nics: members,
            bytes,
            start,
        } => Box::new((1..members).flat_map(move |distance| {
            (0..members).map(move |src| Flow {
                id: 0,
                src,
                dst: onward(src, u64::from(distance), u64::from(members)),
                bytes: bytes.0,
                start_ps: start.0,
            })
        })),
        Traffic::Flows { ref list } => Box::new(list.iter().map(|&(src, dst, bytes, start_ps, id)| Flow {
            id,
            src,
            dst,
            bytes,
            start_ps,
        })),
    }
}

/// Replaces each id 0 by the next number from 1 that no other flow has.
fn number(flows: &mut [Flow]) {
    let mut taken: Vec<u64> = flows.iter().map(|f| f.id).filter(|&id| id > 0).collect();
    taken.sort_unstable();
    let mut taken = taken.into_iter().peekable();
    let mut next = 1u64;
    for flow in flows.iter_mut().filter(|f| f.id == 0) {
        while taken.peek().is_some_and(|&id| id <= next) {
            if taken.next() == Some(next) {
                next += 1;
            }
        }
        flow.id = next;
        next += 1;
    }
}
