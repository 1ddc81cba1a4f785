//! Jobs: which member sends to which, and what each message waits for.

use super::{Flow, flow_count as count, onward, pairs, qps};
use crate::limits;
use crate::schema::{Collective, Fabric, Scenario, Traffic};

/// A job: synchronous steps of computing and communicating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// What its members do together.
    pub collective: Collective,
    /// How many members.
    pub ranks: u32,
    /// Size of the collective per rank, in bytes.
    pub bytes: u64,
    /// How many steps.
    pub steps: u32,
    /// Time that each step computes before it communicates, in picoseconds.
    pub compute_ps: u64,
    /// When the first step begins, in picoseconds.
    pub start_ps: u64,
    /// Index of its first flow in [`Scenario::flows`].
    pub first_flow: u32,
    /// Elements of it that are the job's, from there on: QPs of its flows.
    pub flows: u32,
}

/// A job's flow: when its messages may be posted. In each step they are posted in order, each at once after the compute
/// phase but for what `after` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Index of the job in [`Scenario::jobs`].
    pub job: u32,
    /// Messages in each step.
    pub per_step: u32,
    /// In a ring: the flow (index in [`Scenario::flows`]) that ends where this one begins; of its QPs, the one with the same
    /// [`Flow::qp`]. Message j > 0 of a step may be posted once message j − 1 of the same step of that flow has been received,
    /// by all of its QPs.
    pub after: Option<u32>,
}

impl Scenario {
    /// The jobs in the order of `traffic`. Like [`flows`](Self::flows) complete for a valid scenario, and harmless for
    /// others.
    pub fn jobs(&self) -> Vec<Job> {
        let max = *limits::FLOWS.end();
        let mut first_flow = 0;
        let mut jobs = Vec::new();
        for item in &self.traffic {
            let flows = count(item, Some(&self.fabric), self.transport.qps).min(max - first_flow);
            if let Traffic::Job {
                collective,
                ranks,
                bytes,
                steps,
                compute,
                start,
                ..
            } = *item
            {
                jobs.push(Job {
                    collective,
                    ranks,
                    bytes: bytes.0,
                    steps,
                    compute_ps: compute.0,
                    start_ps: start.0,
                    first_flow: first_flow as u32,
                    flows: flows as u32,
                });
            }
            first_flow += flows;
        }
        jobs
    }
}

/// How many flows a job has.
pub(super) fn flow_count(collective: Collective, ranks: u32) -> u64 {
    let n = u64::from(ranks);
    match collective {
        Collective::RingAllReduce
        | Collective::ReduceScatter
        | Collective::AllGather
        | Collective::Permutation => n,
        Collective::AllToAll => pairs(ranks),
        Collective::SendReceive => n / 2,
        Collective::Incast => n.saturating_sub(1),
    }
}

/// The flows of the job number `job`, of which the first has the index `first`, each as its QPs; none of an element that is
/// no job.
pub(super) fn flows(
    item: &Traffic,
    fabric: &Fabric,
    job: u32,
    first: u32,
    qps: u32,
) -> impl Iterator<Item = Flow> + use<> {
    let Traffic::Job {
        collective,
        ranks,
        first_rank,
        stride,
        bytes,
        steps,
        start,
        ..
    } = *item
    else {
        return Box::new(std::iter::empty()) as Box<dyn Iterator<Item = Flow>>;
    };
    let fabric = fabric.clone();
    let nic = move |member: u32| fabric.nic_of_rank(first_rank.saturating_add(member.saturating_mul(stride)));
    let per_step = collective.messages_per_step(ranks);
    let message = collective.message_bytes(bytes.0, ranks);
    // All flows of a job have messages of one size, and so the same number of QPs.
    let of_each = qps::of(message, qps);
    let flow = move |(src, dst, before): (u32, u32, Option<u32>)| {
        let whole = Flow {
            id: 0,
            qp: 0,
            src: nic(src),
            dst: nic(dst),
            bytes: message,
            messages: u64::from(per_step) * u64::from(steps),
            start_ps: start.0,
            imm: false,
            work: None,
        };
        qps::split(whole, qps).map(move |flow| {
            let index = |number: u32| {
                first
                    .saturating_add(number.saturating_mul(of_each))
                    .saturating_add(flow.qp)
            };
            let after = before.map(index);
            Flow {
                work: Some(Work { job, per_step, after }),
                ..flow
            }
        })
    };
    Box::new(transfers(collective, ranks).flat_map(flow))
}

/// `(sending member, receiving member, the number of the job's flow that it waits for)` of each flow.
fn transfers(collective: Collective, ranks: u32) -> Box<dyn Iterator<Item = (u32, u32, Option<u32>)>> {
    let n = u64::from(ranks);
    match collective {
        Collective::RingAllReduce | Collective::ReduceScatter | Collective::AllGather => {
            Box::new((0..ranks).map(move |i| {
                let before = onward(i, n - 1, n);
                (i, onward(i, 1, n), Some(before))
            }))
        }
        Collective::AllToAll => Box::new(
            (1..n).flat_map(move |distance| (0..ranks).map(move |i| (i, onward(i, distance, n), None))),
        ),
        Collective::SendReceive => Box::new((0..ranks / 2).map(|i| (2 * i, 2 * i + 1, None))),
        Collective::Permutation => Box::new((0..ranks).map(move |i| (i, onward(i, n / 2, n), None))),
        Collective::Incast => Box::new((1..ranks).map(|i| (i, 0, None))),
    }
}
