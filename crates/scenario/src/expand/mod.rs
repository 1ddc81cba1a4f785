//! Spells things out: traffic becomes flows and jobs, faults become events.

mod effect;
mod events;
mod flap;
mod jobs;
mod qps;

pub use effect::{Effect, FaultEvent};
pub use jobs::{Job, Work};

use crate::limits;
use crate::schema::{Fabric, Scenario, Traffic};

/// One QP with one or more messages from one NIC to another: a flow, or with `transport.qps` a share of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The flow's number in results; above 0. In a valid scenario no two flows have the same, and all QPs of one flow do.
    pub id: u64,
    /// Which of the flow's QPs it is, counted from 0.
    pub qp: u32,
    /// Sending NIC.
    pub src: u32,
    /// Receiving NIC.
    pub dst: u32,
    /// Size of each message in bytes; where a flow has several QPs, of this one's share of it.
    pub bytes: u64,
    /// Messages in all.
    pub messages: u64,
    /// When the first message is posted, in picoseconds; for a job's flow, when the job begins (it computes first).
    pub start_ps: u64,
    /// Each message is a WRITE with immediate.
    pub imm: bool,
    /// When the messages of a job's flow may be posted. Those of others are posted all at once.
    pub work: Option<Work>,
}

impl Scenario {
    /// Every flow, in the order of `traffic`, and within one element:
    ///
    /// - a permutation by sender;
    /// - an incast by the i-th of its k senders, which is NIC `dst + 1 + ⌊i·(N−1)/k⌋` (mod N);
    /// - an all-to-all by distance and then by sender (0→1, 1→2, …, 0→2, …), so that no receiver comes up
    ///   twice in a row;
    /// - a list as it stands;
    /// - a job by sending member; in an all-to-all by distance first.
    ///
    /// Each flow's QPs follow one another. With `transport.qps` at q, a flow whose messages have b bytes has min(q, b) of
    /// them, and each carries a share of every message: ⌊b / n⌋ bytes, and one more on each of the first b mod n.
    ///
    /// Flows without an id of their own are numbered from 1 in this order, leaving out numbers that the
    /// scenario gives to others. For a valid scenario the result is complete; one that is not validated yields
    /// at most [`limits::FLOWS`] QPs and never panics.
    pub fn flows(&self) -> Vec<Flow> {
        let max = *limits::FLOWS.end() as usize;
        let qps = self.transport.qps;
        let mut flows: Vec<Flow> = Vec::new();
        let mut jobs = 0;
        for item in &self.traffic {
            let room = max - flows.len();
            if let Traffic::Job { .. } = item {
                let first = flows.len() as u32;
                flows.extend(jobs::flows(item, &self.fabric, jobs, first, qps).take(room));
                jobs += 1;
            } else {
                let whole = element(item, self.fabric.nics());
                flows.extend(whole.flat_map(|flow| qps::split(flow, qps)).take(room));
            }
        }
        number(&mut flows);
        flows
    }

    /// How many QPs the traffic makes, without making them.
    pub fn qp_count(&self) -> u64 {
        let each = |item| flow_count(item, Some(&self.fabric), self.transport.qps);
        self.traffic.iter().map(each).fold(0, u64::saturating_add)
    }
}

/// How many QPs an element makes in a fabric, if that is sound, with `qps` for each flow; a permutation among an unknown
/// number of NICs counts as one flow.
pub(crate) fn flow_count(item: &Traffic, fabric: Option<&Fabric>, qps: u32) -> u64 {
    let each = |flows: u64, bytes: u64| flows.saturating_mul(u64::from(qps::of(bytes, qps)));
    match *item {
        Traffic::Flow { bytes, .. } => each(1, bytes.0),
        Traffic::Permutation { bytes, .. } => each(fabric.map_or(1, Fabric::nics), bytes.0),
        Traffic::Incast { senders, bytes, .. } => each(u64::from(senders), bytes.0),
        Traffic::AllToAll { nics, bytes, .. } => each(pairs(nics), bytes.0),
        Traffic::Flows { ref list } => list.iter().map(|&(_, _, bytes, _, _)| each(1, bytes)).sum(),
        Traffic::Job {
            collective,
            ranks,
            bytes,
            ..
        } => each(
            jobs::flow_count(collective, ranks),
            collective.message_bytes(bytes.0, ranks),
        ),
    }
}

/// Ordered pairs among `members`.
fn pairs(members: u32) -> u64 {
    u64::from(members) * u64::from(members.saturating_sub(1))
}

/// `index` moved on by `distance` among `nics`.
fn onward(index: u32, distance: u64, nics: u64) -> u32 {
    ((u64::from(index) + distance) % nics.max(1)) as u32
}

/// The flows of one element that is no job; id 0 where they have none of their own.
fn element(item: &Traffic, nics: u64) -> Box<dyn Iterator<Item = Flow> + '_> {
    let flow = |src, dst, bytes, start_ps| Flow {
        id: 0,
        qp: 0,
        src,
        dst,
        bytes,
        messages: 1,
        start_ps,
        imm: false,
        work: None,
    };
    match *item {
        Traffic::Flow {
            src,
            dst,
            bytes,
            messages,
            imm,
            start,
            id,
        } => Box::new(std::iter::once(Flow {
            id: id.unwrap_or(0),
            messages,
            imm,
            ..flow(src, dst, bytes.0, start.0)
        })),
        Traffic::Permutation {
            shift,
            bytes,
            messages,
            imm,
            start,
        } => {
            let senders = nics.min(u64::from(u32::MAX)) as u32;
            Box::new((0..senders).map(move |src| Flow {
                messages,
                imm,
                ..flow(src, onward(src, u64::from(shift), nics), bytes.0, start.0)
            }))
        }
        Traffic::Incast {
            dst,
            senders,
            bytes,
            messages,
            imm,
            start,
        } => Box::new((0..u64::from(senders)).map(move |i| {
            let spread = u128::from(i) * u128::from(nics.saturating_sub(1)) / u128::from(senders);
            Flow {
                messages,
                imm,
                ..flow(onward(dst, 1 + spread as u64, nics), dst, bytes.0, start.0)
            }
        })),
        Traffic::AllToAll {
            nics: members,
            bytes,
            messages,
            imm,
            start,
        } => Box::new((1..members).flat_map(move |distance| {
            (0..members).map(move |src| Flow {
                messages,
                imm,
                ..flow(
                    src,
                    onward(src, u64::from(distance), u64::from(members)),
                    bytes.0,
                    start.0,
                )
            })
        })),
        Traffic::Flows { ref list } => {
            Box::new(list.iter().map(move |&(src, dst, bytes, start_ps, id)| Flow {
                id,
                ..flow(src, dst, bytes, start_ps)
            }))
        }
        Traffic::Job { .. } => Box::new(std::iter::empty()),
    }
}

/// Replaces each id 0 by the next number from 1 that no other flow has. All QPs of a flow get the same.
fn number(flows: &mut [Flow]) {
    let mut taken: Vec<u64> = flows.iter().map(|f| f.id).filter(|&id| id > 0).collect();
    taken.sort_unstable();
    taken.dedup();
    let mut taken = taken.into_iter().peekable();
    let mut next = 0u64;
    for flow in flows.iter_mut().filter(|f| f.id == 0) {
        if flow.qp == 0 {
            next += 1;
            while taken.next_if_eq(&next).is_some() {
                next += 1;
            }
        }
        flow.id = next;
    }
}
