//! What came out of a run, for people and for files.

mod roce;

pub use roce::RoceSummary;

use crate::clustermapper::{MapperSummary, Place};
use crate::endpoint::{Requester, Responder};
use crate::observer::Observer;
use crate::pfc::PfcSummary;
use crate::run::Sim;
use core::ops::Range;
use fabric::DropReason;
use kernel::Time;
use scenario::Flow;
use serde::Serialize;
use std::collections::BTreeMap;

/// Times in µs; of flows, those of the finished ones, from posting to the last acknowledgement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CompletionTimes {
    /// Shortest.
    pub min: f64,
    /// Median (nearest rank).
    pub p50: f64,
    /// Mean.
    pub mean: f64,
    /// 99th percentile (nearest rank).
    pub p99: f64,
    /// Longest.
    pub max: f64,
}

impl CompletionTimes {
    /// Of sorted times in ps; none when there are none.
    pub fn of(sorted: &[u64]) -> Option<CompletionTimes> {
        let rank = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1];
        let (first, last) = (sorted.first()?, sorted.last()?);
        let sum: u128 = sorted.iter().map(|&t| u128::from(t)).sum();
        Some(CompletionTimes {
            min: us(*first),
            p50: us(rank(50)),
            mean: sum as f64 / sorted.len() as f64 / 1e6,
            p99: us(rank(99)),
            max: us(*last),
        })
    }
}

/// One flow's result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlowResult {
    /// The flow's number.
    pub id: u64,
    /// Sending NIC.
    pub src: u32,
    /// Receiving NIC.
    pub dst: u32,
    /// Size of each message in bytes, the shares of all its QPs together.
    pub bytes: u64,
    /// Messages.
    pub messages: u64,
    /// QPs that carried it.
    pub qps: u32,
    /// When the first was posted, µs.
    pub start_us: f64,
    /// Completion time in µs; null when it did not finish.
    pub fct_us: Option<f64>,
    /// Message bytes placed at the receiver.
    pub placed_bytes: u64,
    /// Data packets sent again.
    pub retransmissions: u64,
    /// Why the flow failed; null when it did not.
    pub error: Option<&'static str>,
}

/// One job's result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JobResult {
    /// What its members do together, as the scenario spells it.
    pub collective: scenario::Collective,
    /// How many members.
    pub ranks: u32,
    /// Size of the collective per rank, in bytes.
    pub bytes: u64,
    /// Time of each complete step's collective in µs: from posting to the completion of its slowest transfer.
    pub step_us: Vec<f64>,
    /// Bus bandwidth of each of them in Gb/s; see [`bus_gbps`](Self::bus_gbps).
    pub step_bus_gbps: Vec<f64>,
    /// When a QP failed and the job with it, µs; null when none did.
    pub failed_us: Option<f64>,
}

impl JobResult {
    /// Bus bandwidth of a step in Gb/s by NCCL's convention: what each NIC's line carries, so that it compares with the
    /// line rate whatever the collective. Send/receive, permutation and incast: bytes over time.
    pub fn bus_gbps(&self, step_us: f64) -> f64 {
        use scenario::Collective::*;
        let n = f64::from(self.ranks);
        let factor = match self.collective {
            RingAllReduce => 2.0 * (n - 1.0) / n,
            ReduceScatter | AllGather | AllToAll => (n - 1.0) / n,
            SendReceive | Permutation | Incast => 1.0,
        };
        self.bytes as f64 * 8e-3 * factor / step_us
    }
}

/// One verdict of Clustermapper.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VerdictResult {
    /// When, µs.
    pub at_us: f64,
    /// The cable or switch by the scenario's name.
    pub place: Place,
    /// True when it was found bad, false when it was found in order again.
    pub bad: bool,
}

/// Totals of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Flows in the scenario.
    pub flows: u64,
    /// Flows that finished.
    pub finished: u64,
    /// Flows that failed: their QP is in ERROR, or their job was given up.
    pub failed: u64,
    /// Completion times of those; null when none finished.
    pub fct_us: Option<CompletionTimes>,
    /// Message bytes placed, all flows.
    pub placed_bytes: u64,
    /// Placed bytes over the time from the first posting to the end of the run, in Gb/s, all flows together.
    pub goodput_gbps: f64,
    /// Data packets sent for the first time.
    pub data_packets: u64,
    /// Data packets sent again.
    pub retransmissions: u64,
    /// Losses inferred because a later packet was acknowledged.
    pub losses_by_order: u64,
    /// Losses inferred by timeout.
    pub losses_by_timeout: u64,
    /// Data packets that arrived although they had been placed before.
    pub duplicates: u64,
    /// NACKs for trimmed packets that led to a retransmission.
    pub nacks: u64,
    /// NACKs for other reasons.
    pub refusals: u64,
    /// EV probes sent by requesters.
    pub probes: u64,
    /// Reliability probes sent.
    pub ack_probes: u64,
    /// EV probes sent by responders for a way back.
    pub reverse_probes: u64,
    /// Data packets trimmed, the last hop not counted.
    pub trims: u64,
    /// Data packets trimmed on the last hop.
    pub trims_last_hop: u64,
    /// ECN marks given.
    pub ecn_marks: u64,
    /// Dropped packets by reason; reasons without drops are left out.
    pub drops: BTreeMap<&'static str, u64>,
    /// Packets handed to the fabric.
    pub packets_created: u64,
    /// Packets handed to an endpoint.
    pub packets_delivered: u64,
    /// Packets in the fabric when the run ended.
    pub packets_in_flight: u64,
    /// What Clustermapper did; null where the scenario has none.
    pub mapper: Option<MapperSummary>,
    /// What priority flow control did; null where there is none.
    pub pfc: Option<PfcSummary>,
    /// What RoCE's endpoints did; null where the protocol is another one.
    pub roce: Option<RoceSummary>,
}

impl<O: Observer> Sim<O> {
    /// Totals so far.
    pub fn summary(&self) -> Summary {
        let counters = self.network.counters();
        let mut times: Vec<u64> = self.completion_times().collect();
        times.sort_unstable();
        let first = self.flows.iter().map(|f| f.start_ps).min().unwrap_or(0);
        let mut summary = Summary {
            flows: self.whole_flows().count() as u64,
            finished: times.len() as u64,
            failed: self
                .whole_flows()
                .filter(|(conns, _)| conns.clone().any(|conn| self.sender(conn).failed_at.is_some()))
                .count() as u64,
            fct_us: CompletionTimes::of(&times),
            placed_bytes: 0,
            goodput_gbps: 0.0,
            data_packets: 0,
            retransmissions: 0,
            losses_by_order: 0,
            losses_by_timeout: 0,
            duplicates: 0,
            nacks: 0,
            refusals: 0,
            probes: 0,
            ack_probes: 0,
            reverse_probes: 0,
            trims: counters.trims,
            trims_last_hop: counters.trims_last_hop,
            ecn_marks: counters.ecn_marks,
            drops: DropReason::ALL
                .into_iter()
                .map(|reason| (reason.name(), counters.drops[reason as usize]))
                .filter(|&(_, count)| count > 0)
                .collect(),
            packets_created: counters.created,
            packets_delivered: counters.delivered,
            packets_in_flight: self.network.in_flight(),
            mapper: self.mapper_summary(),
            pfc: self.pfc_summary(),
            roce: self.roce_summary(),
        };
        for conn in 0..self.qp_count() {
            let (requester, responder) = (&self.sender(conn).requester, self.receiver(conn));
            summary.placed_bytes += responder.placed_bytes();
            summary.duplicates += responder.duplicates();
            summary.data_packets += requester.sent() - requester.retransmissions();
            summary.retransmissions += requester.retransmissions();
            let (Requester::Mrc(requester), Responder::Mrc(responder)) = (requester, responder) else {
                continue;
            };
            let (sent, received) = (requester.stats(), responder.stats());
            summary.losses_by_order += sent.losses_by_order;
            summary.losses_by_timeout += sent.losses_by_timeout;
            summary.nacks += sent.nacks;
            summary.refusals += sent.refusals;
            summary.probes += sent.probes;
            summary.ack_probes += sent.ack_probes;
            summary.reverse_probes += received.reverse_probes;
        }
        let span_ps = self.now().0.saturating_sub(first);
        if span_ps > 0 {
            summary.goodput_gbps = summary.placed_bytes as f64 * 8_000.0 / span_ps as f64;
        }
        summary
    }

    /// The connections of each flow, one for each of its QPs, and the first of them as the scenario has it.
    fn whole_flows(&self) -> impl Iterator<Item = (Range<u32>, &Flow)> {
        let mut next = 0;
        self.flows.chunk_by(|_, other| other.qp > 0).map(move |qps| {
            let first = next;
            next += qps.len() as u32;
            (first..next, &qps[0])
        })
    }

    /// When the last QP of a flow is finished, if all of them are.
    fn finished_at(&self, mut conns: Range<u32>) -> Option<Time> {
        conns.try_fold(Time::ZERO, |last, conn| {
            self.sender(conn).finished_at.map(|at| last.max(at))
        })
    }

    /// Each flow's result, in the scenario's order.
    pub fn flow_results(&self) -> Vec<FlowResult> {
        self.whole_flows()
            .map(|(conns, flow)| {
                let senders = || conns.clone().map(|conn| self.sender(conn));
                FlowResult {
                    id: flow.id,
                    src: flow.src,
                    dst: flow.dst,
                    bytes: conns.clone().map(|conn| self.flows[conn as usize].bytes).sum(),
                    messages: flow.messages,
                    qps: conns.len() as u32,
                    start_us: us(flow.start_ps),
                    fct_us: self.finished_at(conns.clone()).map(|t| us(t.0 - flow.start_ps)),
                    placed_bytes: conns.clone().map(|conn| self.receiver(conn).placed_bytes()).sum(),
                    retransmissions: senders().map(|sender| sender.requester.retransmissions()).sum(),
                    error: senders().find_map(|sender| sender.requester.error()),
                }
            })
            .collect()
    }

    /// Each job's result, in the scenario's order.
    pub fn job_results(&self) -> Vec<JobResult> {
        let steps = self.job_steps().enumerate();
        steps
            .map(|(number, (job, steps))| {
                let mut result = JobResult {
                    collective: job.collective,
                    ranks: job.ranks,
                    bytes: job.bytes,
                    step_us: steps
                        .iter()
                        .map(|step| us(step.ended_ps - step.posted_ps))
                        .collect(),
                    step_bus_gbps: Vec::new(),
                    failed_us: self.job_failure(number).map(|at| us(at.0)),
                };
                result.step_bus_gbps = result.step_us.iter().map(|&step| result.bus_gbps(step)).collect();
                result
            })
            .collect()
    }

    /// Clustermapper's verdicts in order of time; at most [`MAX_VERDICTS`](crate::clustermapper::MAX_VERDICTS).
    pub fn verdict_results(&self) -> Vec<VerdictResult> {
        let verdicts = self.verdicts().iter();
        verdicts
            .map(|verdict| VerdictResult {
                at_us: us(verdict.at_ps),
                place: verdict.place,
                bad: verdict.bad,
            })
            .collect()
    }

    fn completion_times(&self) -> impl Iterator<Item = u64> {
        self.whole_flows()
            .filter_map(|(conns, flow)| self.finished_at(conns).map(|t| t.0 - flow.start_ps))
    }
}

fn us(ps: u64) -> f64 {
    ps as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_rank() {
        let times: Vec<u64> = (1..=200).map(|i| i * 1_000_000).collect();
        let stats = CompletionTimes::of(&times).expect("not empty");
        assert_eq!(
            (stats.min, stats.p50, stats.p99, stats.max),
            (1.0, 100.0, 198.0, 200.0)
        );
        assert_eq!(stats.mean, 100.5);
        assert_eq!(CompletionTimes::of(&[]), None);
        assert_eq!(CompletionTimes::of(&[5_000_000]).expect("one").p99, 5.0);
    }
}
