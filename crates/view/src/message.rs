//! Messages between the page and its worker. Each is encoded by [`crate::encoding`], with bytes beside it where the variant says so.

use crate::encoding::Nested;
use crate::geometry::Rect;
use crate::inspect::{Detail, QpRow, Tally, Target};
use crate::jobs::{Job, Span};
use crate::place::Paces;
use crate::sweep;
use scenario::{Fault, FaultKind, LinkName, Scenario};
use serde::{Deserialize, Serialize};

/// A message without anything else in it: the page asks whether the worker is there, and the worker gives it back.
pub const PING: &str = "ping";

/// Number of a run; each load begins a new one, and answers about an older one are ignored.
pub type Run = u32;

/// What the page asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToWorker {
    /// Build a run. Answer: [`FromWorker::Loaded`] and a frame, or [`FromWorker::Refused`].
    Load {
        /// The number that the page gives it.
        run: Run,
        /// What to simulate.
        #[serde(with = "crate::encoding::json")]
        scenario: Box<Scenario>,
        /// Whether copies are to be kept along its way, so that seeking back is quick.
        seekable: bool,
        /// Whether what happens is to be logged, packet by packet.
        logged: bool,
    },
    /// What the stage shows from now on.
    Look(Look),
    /// What the inspector shows from now on.
    Watch {
        /// The thing, if any.
        target: Option<Target>,
    },
    /// Simulate up to `target_ps`, or as far as `budget_ms` of wall-clock time allow. Beside it: a buffer to be used
    /// again. Answer: [`FromWorker::Frame`], and a [`FromWorker::Report`] if asked for.
    Advance {
        /// The run.
        run: Run,
        /// Where to.
        target_ps: u64,
        /// How long it may take.
        budget_ms: f64,
        /// Whether a report is wanted.
        report: bool,
    },
    /// Go to `target_ps`, which may be earlier than now; as far as `budget_ms` of wall-clock time allow. Answer: a frame, a
    /// report and [`FromWorker::Sought`].
    Seek {
        /// The run.
        run: Run,
        /// Where to.
        target_ps: u64,
        /// How long it may take.
        budget_ms: f64,
    },
    /// Go back to before the event that was processed last. Answer: a frame, a report and [`FromWorker::Sought`].
    StepBack {
        /// The run.
        run: Run,
    },
    /// Process one event. Answer: [`FromWorker::Stepped`], a frame and a report.
    Step {
        /// The run.
        run: Run,
    },
    /// Break or heal something now. Answer: [`FromWorker::Faults`], a frame and a report.
    Inject {
        /// The run.
        run: Run,
        /// What.
        #[serde(with = "crate::encoding::fault")]
        fault: FaultKind,
    },
    /// Take down a link or kill a switch that works, heal all of one that does not. Answer: the same.
    Toggle {
        /// The run.
        run: Run,
        /// The link or switch.
        target: Target,
    },
    /// Send the jobs with their steps. Answer: [`FromWorker::Jobs`].
    Jobs {
        /// The run.
        run: Run,
    },
    /// Send the flows' results. Answer: [`FromWorker::Flows`].
    Flows {
        /// The run.
        run: Run,
    },
    /// Send the timeline. Answer: [`FromWorker::Timeline`].
    Timeline {
        /// The run.
        run: Run,
        /// QPs whose throughput is wanted too.
        qps: Vec<u32>,
    },
    /// Send what the charts show beside the timeline. Answer: [`FromWorker::Charts`].
    Charts {
        /// The run.
        run: Run,
        /// Which.
        want: crate::chart::fabric::Ask,
    },
    /// Send rows of the log. Answer: [`FromWorker::Events`].
    Events {
        /// The run.
        run: Run,
        /// Which ones.
        want: crate::log::Ask,
    },
    /// Send all rows of the log that match. Answer: [`FromWorker::EventsFile`].
    EventsFile {
        /// The run.
        run: Run,
        /// The filter.
        filter: String,
        /// In which form.
        form: crate::log::Form,
    },
    /// Find a data packet's life by repeating the run, for as long as `budget_ms` of wall-clock time; asked again, it goes on. Answer:
    /// [`FromWorker::Life`].
    Life {
        /// The run.
        run: Run,
        /// The QP.
        qp: u32,
        /// The PSN.
        psn: u32,
        /// How long it may take.
        budget_ms: f64,
    },
    /// To a worker of a sweep; nothing else is asked of it.
    Sweep(sweep::Ask),
    /// About a run of a host.
    Host {
        /// What.
        host: Nested<crate::host::Ask>,
        /// Whether bytes are expected, for which a buffer is beside it.
        wants_bytes: bool,
    },
    /// To the worker of imports: make a scenario of files, whose bytes are beside it. Answer: [`FromWorker::Imported`].
    Import(crate::host::import::Ask),
}

impl From<crate::host::Ask> for ToWorker {
    fn from(ask: crate::host::Ask) -> ToWorker {
        ToWorker::Host {
            host: Nested::of(&ask),
            wants_bytes: matches!(ask, crate::host::Ask::Advance { .. }),
        }
    }
}

impl From<crate::host::Tell> for FromWorker {
    fn from(tell: crate::host::Tell) -> FromWorker {
        FromWorker::Host {
            host: Nested::of(&tell),
        }
    }
}

/// What the stage shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Width of the stage in CSS pixels.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The visible part of the world.
    pub visible: Rect,
}

/// What the worker answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromWorker {
    /// The worker is there; what was sent before may be lost.
    Ready,
    /// A run is ready at time 0.
    Loaded {
        /// The run.
        run: Run,
        /// What the page needs to know of it.
        facts: Facts,
    },
    /// The scenario cannot be run.
    Refused {
        /// The run.
        run: Run,
        /// Why, one line each.
        problems: Vec<String>,
    },
    /// A frame; its bytes (see [`crate::frame`]) are beside it.
    Frame {
        /// The run.
        run: Run,
        /// True for the answer to [`ToWorker::Advance`].
        advanced: bool,
    },
    /// Where the run is after a seek.
    Sought {
        /// The run.
        run: Run,
        /// Where it was to go, in ps.
        target_ps: u64,
        /// Where it is, in ps.
        now_ps: u64,
        /// True when it is where it was to go, or over before; otherwise the time allowed for it did not do.
        reached: bool,
    },
    /// One event was processed.
    Stepped {
        /// The run.
        run: Run,
        /// What happened, in one line.
        text: String,
        /// Where, if it has one place.
        place: Option<Target>,
    },
    /// Figures and details.
    Report(Box<Report>),
    /// All faults of the run, those by hand included.
    Faults {
        /// The run.
        run: Run,
        /// In the scenario's order; those by hand come last.
        #[serde(with = "crate::encoding::json")]
        faults: Vec<Fault>,
        /// Why the last one was refused.
        refused: Option<String>,
        /// Those by hand that were later than now, and so no longer happen.
        forgotten: u32,
    },
    /// The jobs, in the order of the scenario.
    Jobs {
        /// The run.
        run: Run,
        /// The first ones, with their latest steps.
        jobs: Vec<Job>,
        /// How many there are.
        count: u32,
    },
    /// The flows' results, in the order of the scenario.
    Flows {
        /// The run.
        run: Run,
        /// When these figures were taken, in ps.
        now_ps: u64,
        /// One row a flow.
        rows: Vec<FlowRow>,
    },
    /// The timeline; the values of its lanes are beside it, as f32, lane after lane.
    Timeline(Timeline),
    /// What the charts show.
    Charts {
        /// The run.
        run: Run,
        /// Their values.
        answer: Box<crate::chart::fabric::Answer>,
    },
    /// Rows of the log.
    Events {
        /// The run.
        run: Run,
        /// The rows.
        answer: Box<crate::log::Answer>,
    },
    /// A file of rows; its text is beside it, in UTF-8.
    EventsFile {
        /// The run.
        run: Run,
        /// The form.
        form: crate::log::Form,
    },
    /// A packet's life, as far as it has been found.
    Life {
        /// The run.
        run: Run,
        /// The life.
        life: Box<crate::life::Life>,
    },
    /// From a worker of a sweep.
    Sweep(sweep::Tell),
    /// About a run of a host; bytes are beside it where that says so.
    Host {
        /// What.
        host: Nested<crate::host::Tell>,
    },
    /// What came of files.
    Imported(crate::host::import::Outcome),
    /// The simulation has stopped for good.
    Failed {
        /// Why.
        message: String,
    },
}

/// What does not change during a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// How fast packets move, by kind of link.
    pub paces: Paces,
    /// Flows in all.
    pub flows: u32,
    /// Jobs in all.
    pub jobs: u32,
    /// Messages of all flows.
    pub messages: u64,
    /// Message bytes of all flows.
    pub bytes: u64,
    /// RTT of a full packet and its SACK over the longest idle path, in ps.
    pub base_rtt_ps: u64,
    /// Rate of a NIC over all planes × base RTT, in bytes.
    pub nic_bdp: u64,
    /// Retransmission timeout in force, in ps.
    pub rto_ps: u64,
    /// Reorder window in force, in ps; 0 when losses are inferred by timeout alone.
    pub reorder_window_ps: u64,
    /// Wire bytes of a full data packet.
    pub full_packet: u16,
    /// Whether the run is so large that no copies are kept: going back simulates again from its start.
    pub begins_anew: bool,
}

/// Figures of a run so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The run.
    pub run: Run,
    /// Simulated time in ps.
    pub now_ps: u64,
    /// True when the run is over.
    pub finished: bool,
    /// Digest of the run so far; final when finished.
    pub digest: u64,
    /// Flows that are complete.
    pub flows_done: u32,
    /// Flows that failed: their QP is in ERROR.
    pub flows_failed: u32,
    /// Packets handed to the network.
    pub created: u64,
    /// Packets delivered.
    pub delivered: u64,
    /// Packets in flight.
    pub in_flight: u64,
    /// Packets dropped, by reason, those that have occurred.
    pub drops: Tally,
    /// Of these, probes of EVs and of links, and answers to them.
    pub probes_dropped: u64,
    /// Packets trimmed before the last hop.
    pub trims: u64,
    /// Packets trimmed on the last hop.
    pub trims_last_hop: u64,
    /// Packets that got an ECN mark.
    pub ecn_marks: u64,
    /// Data packets sent again.
    pub retransmissions: u64,
    /// Completed link crossings.
    pub packet_hops: u64,
    /// Events processed.
    pub events: u64,
    /// Message bytes placed at their receivers, each once.
    pub placed_bytes: u64,
    /// Losses that the senders inferred without a NACK.
    pub losses: u64,
    /// NACKs that had another reason than a trim.
    pub refusals: u64,
    /// EV probes sent.
    pub probes: u64,
    /// Reliability probes sent.
    pub ack_probes: u64,
    /// What RoCE's endpoints did; none where the protocol is MRC.
    pub roce: Option<RoceTotals>,
    /// What priority flow control did; none where there is none.
    pub pfc: Option<PfcTotals>,
    /// What is wrong with whole tiers now, in words.
    pub tier_faults: Vec<String>,
    /// Completion times of the finished flows in ps: p50, p99, max.
    pub fct_ps: Option<[u64; 3]>,
    /// Wall-clock time spent simulating, in ms.
    pub busy_ms: f64,
    /// Memory of the worker in bytes, which never shrinks; none outside a browser.
    pub memory_bytes: Option<u64>,
    /// Details of what is selected.
    pub detail: Option<Detail>,
}

/// Totals of RoCE's endpoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoceTotals {
    /// ACKs sent.
    pub acks: u64,
    /// NAKs sent.
    pub naks: u64,
    /// CNPs sent.
    pub cnps: u64,
    /// Timeouts.
    pub timeouts: u64,
    /// Data packets that arrived before an earlier one.
    pub out_of_order: u64,
}

/// Totals of priority flow control.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PfcTotals {
    /// PAUSE frames sent, those that resume not counted.
    pub pauses: u64,
    /// How long links were paused, all of them together, in ps.
    pub paused_ps: u64,
    /// Directed links that are paused now.
    pub paused_now: u32,
    /// The first deadlock, if there was one.
    pub deadlock: Option<Deadlock>,
}

/// Paused links that wait for each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadlock {
    /// When it was found, in ps.
    pub at_ps: u64,
    /// The links, each with its sender and its receiver; each waits for the next one, the last for the first.
    pub circle: Vec<(LinkName, String, String)>,
}

/// A flow's result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlowRow {
    /// Its QP.
    pub qp: QpRow,
    /// When it was posted, in ps.
    pub start_ps: u64,
    /// How long it took, in ps; none while it is not complete.
    pub fct_ps: Option<u64>,
    /// Packets sent again.
    pub retransmissions: u64,
}

/// What the bins of a lane count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// Message bytes placed that came through one plane.
    Plane(u32),
    /// Message bytes placed of one QP.
    Qp(u32),
    /// Packets dropped.
    Drops,
    /// Packets trimmed.
    Trims,
    /// Data packets sent again.
    Retransmissions,
    /// Directed links that are paused (PFC) at the end of the bin; only where they can be.
    Paused,
    /// Congestion notifications that senders heard; RoCE's alone.
    Cnps,
    /// EVs that went from GOOD to SKIP.
    Skips,
    /// EVs that are ASSUMED_BAD or DENIED at the end of the bin.
    BadEvs,
    /// Messages that were complete at their senders; only where a flow has several.
    Messages,
    /// Data packets that arrived with an ECN mark.
    Marks,
    /// NACKs (MRC) or NAKs (RoCE) that senders heard.
    Nacks,
    /// Times that PFC paused a directed link; only where it can.
    Pauses,
    /// Bytes in the deepest queue of the fabric at the end of the bin; only where queues are looked at.
    Queue,
    /// Active EVs that are GOOD at the end of the bin, of all QPs; only where they are looked at.
    EvsGood,
    /// Active EVs that are at SKIP then.
    EvsSkip,
}

/// A run's history.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// The run.
    pub run: Run,
    /// Simulated time in ps.
    pub now_ps: u64,
    /// Up to when lanes and marks are known, in ps: later than now after going back.
    pub known_ps: u64,
    /// True when the run is over then.
    pub known_to_the_end: bool,
    /// Width of a bin in ps.
    pub bin_ps: u64,
    /// Bins of each lane.
    pub bins: u32,
    /// The time that the bins reach to before they have to become wider, in ps.
    pub reach_ps: u64,
    /// What the values mean, lane by lane.
    pub lanes: Vec<Lane>,
    /// The steps of the first jobs, job by job.
    pub jobs: Vec<Vec<Span>>,
    /// From a fault to the last packet that was sent into it, where one was; in order of the faults' times.
    pub exposures: Vec<Exposure>,
    /// Notable moments, in order of time.
    pub marks: Vec<Mark>,
    /// How many more there were.
    pub marks_left_out: u64,
}

/// How long data packets were sent into a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exposure {
    /// The fault's index in the scenario.
    pub fault: u32,
    /// When it took effect, in ps.
    pub at_ps: u64,
    /// When the last data packet was sent that was lost to it, in ps.
    pub last_ps: u64,
}

/// A notable moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// When, in ps.
    pub at_ps: u64,
    /// What kind.
    pub kind: MarkKind,
    /// In words.
    pub text: String,
    /// What it is about.
    pub target: Option<Target>,
}

/// Kinds of notable moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// Something broke.
    Broke,
    /// Something was healed.
    Healed,
    /// A sender inferred the first loss that a fault caused.
    Inferred,
    /// EVs went out of use after a loss.
    EvsLost,
    /// EVs in reserve took the places of such.
    Swapped,
    /// A controller put EVs out of use.
    Denied,
    /// EVs came back.
    EvsRevived,
    /// NICs noticed a port of theirs.
    Port,
    /// Priority flow control paused a link for the first time.
    Paused,
    /// Paused links wait for each other.
    Deadlock,
    /// A QP went to ERROR.
    Failed,
    /// A step of a job ended.
    Step,
    /// The first drop at a link, for one reason.
    Drop,
    /// The first trim in front of a link.
    Trim,
    /// A flow was complete.
    Flow,
    /// Clustermapper found something bad, or in order again.
    Verdict,
}

impl MarkKind {
    /// The name for tests and in the style sheet.
    pub const fn slug(self) -> &'static str {
        match self {
            MarkKind::Broke => "broke",
            MarkKind::Healed => "healed",
            MarkKind::Inferred => "inferred",
            MarkKind::EvsLost => "evs-lost",
            MarkKind::Swapped => "swapped",
            MarkKind::Denied => "denied",
            MarkKind::EvsRevived => "evs-revived",
            MarkKind::Port => "port",
            MarkKind::Paused => "paused",
            MarkKind::Deadlock => "deadlock",
            MarkKind::Failed => "failed",
            MarkKind::Step => "step",
            MarkKind::Drop => "drop",
            MarkKind::Trim => "trim",
            MarkKind::Flow => "flow",
            MarkKind::Verdict => "verdict",
        }
    }

    /// True for what senders, NICs and controllers do about something.
    pub const fn is_reaction(self) -> bool {
        matches!(
            self,
            MarkKind::Inferred
                | MarkKind::EvsLost
                | MarkKind::Swapped
                | MarkKind::Denied
                | MarkKind::EvsRevived
                | MarkKind::Port
                | MarkKind::Failed
                | MarkKind::Verdict
        )
    }

    /// What it is, in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            MarkKind::Broke => "fault",
            MarkKind::Healed => "repair",
            MarkKind::Inferred => "loss inferred",
            MarkKind::EvsLost => "EV out of use",
            MarkKind::Swapped => "reserve EV in",
            MarkKind::Denied => "EV denied",
            MarkKind::EvsRevived => "EV back",
            MarkKind::Port => "port noticed",
            MarkKind::Paused => "first pause",
            MarkKind::Deadlock => "deadlock",
            MarkKind::Failed => "QP in ERROR",
            MarkKind::Step => "job step",
            MarkKind::Drop => "first drop",
            MarkKind::Trim => "first trim",
            MarkKind::Flow => "flow complete",
            MarkKind::Verdict => "Clustermapper",
        }
    }
}

impl Timeline {
    /// Bins up to and including that of a time.
    pub fn bins_at(&self, ps: u64) -> usize {
        let bin = ps.checked_div(self.bin_ps).unwrap_or(0);
        (bin.saturating_add(1)).min(u64::from(self.bins)) as usize
    }

    /// True where the bin of a time holds later things, too: what is known goes on after the time, and the bin does not end there.
    pub fn is_within_known(&self, ps: u64) -> bool {
        self.known_ps > ps && self.bin_ps > 1 && !(ps + 1).is_multiple_of(self.bin_ps)
    }

    /// The lanes' values from the bytes beside the message; `None` when their number is wrong.
    pub fn values(&self, bytes: &[u8]) -> Option<Vec<Vec<f32>>> {
        let bins = self.bins as usize;
        if bytes.len() != bins.checked_mul(self.lanes.len())?.checked_mul(4)? {
            return None;
        }
        let all: Vec<f32> = bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        Some(if bins == 0 {
            vec![Vec::new(); self.lanes.len()]
        } else {
            all.chunks_exact(bins).map(<[f32]>::to_vec).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_holds_later_things_where_the_run_has_been_further() {
        let timeline = Timeline {
            bin_ps: 100,
            bins: 3,
            known_ps: 250,
            ..Timeline::default()
        };
        assert!(timeline.is_within_known(120));
        // The bin's last picosecond, and the furthest time.
        assert!(!timeline.is_within_known(199));
        assert!(!timeline.is_within_known(250));
    }

    #[test]
    fn messages_survive_the_wire() {
        let ask = ToWorker::Inject {
            run: 3,
            fault: FaultKind::link_down("p0/n17".parse().unwrap()),
        };
        let text = crate::encoding::encode(&ask).unwrap();
        assert_eq!(
            crate::encoding::decode::<ToWorker>(&text).unwrap(),
            ask,
            "{text:?}"
        );
        let report = FromWorker::Report(Box::new(Report {
            digest: u64::MAX,
            now_ps: u64::MAX - 1,
            detail: Some(Detail::PacketGone),
            ..Report::default()
        }));
        let text = crate::encoding::encode(&report).unwrap();
        assert_eq!(
            crate::encoding::decode::<FromWorker>(&text).unwrap(),
            report,
            "{text:?}"
        );
        // A fault that is looked into is a scenario's, whose form names its fields.
        let report = FromWorker::Report(Box::new(Report {
            detail: Some(Detail::Fault(Box::new(crate::inspect::FaultDetail {
                index: 2,
                fault: Fault {
                    at: scenario::Time(7),
                    what: FaultKind::link_loss("p0/n17".parse().unwrap(), 0.25),
                },
                occurrences: Vec::new(),
                count: 0,
            }))),
            ..Report::default()
        }));
        let bytes = crate::encoding::encode(&report).unwrap();
        assert_eq!(crate::encoding::decode::<FromWorker>(&bytes).unwrap(), report);
        let flows = FromWorker::Flows {
            run: 1,
            now_ps: 5,
            rows: vec![FlowRow {
                qp: QpRow {
                    qp: 0,
                    flow: 1_000_000_001,
                    src: 1,
                    dst: 2,
                    bytes: 1 << 40,
                    placed: 0,
                },
                start_ps: 0,
                fct_ps: None,
                retransmissions: 0,
            }],
        };
        let text = crate::encoding::encode(&flows).unwrap();
        assert_eq!(
            crate::encoding::decode::<FromWorker>(&text).unwrap(),
            flows,
            "{text:?}"
        );
    }

    #[test]
    fn a_timelines_values_are_split_by_lane() {
        let timeline = Timeline {
            bins: 2,
            lanes: vec![Lane::Drops, Lane::Plane(0)],
            ..Timeline::default()
        };
        let bytes: Vec<u8> = [1.0f32, 2.0, 3.0, 4.0]
            .iter()
            .flat_map(|v| v.to_le_bytes())
            .collect();
        assert_eq!(
            timeline.values(&bytes),
            Some(vec![vec![1.0, 2.0], vec![3.0, 4.0]])
        );
        assert_eq!(timeline.values(&bytes[..12]), None);
        let empty = Timeline {
            lanes: vec![Lane::Skips],
            ..Timeline::default()
        };
        assert_eq!(empty.values(&[]), Some(vec![vec![]]));
    }

    #[test]
    fn seeks_have_the_numbers_that_the_script_of_seek_times_reads() {
        let ask = ToWorker::Seek {
            run: 1,
            target_ps: 2,
            budget_ms: 3.0,
        };
        assert_eq!(crate::encoding::encode(&ask).unwrap()[0], 4);
        let tell = FromWorker::Sought {
            run: 1,
            target_ps: 2,
            now_ps: 2,
            reached: true,
        };
        assert_eq!(crate::encoding::encode(&tell).unwrap(), [4, 1, 2, 2, 1]);
    }
}
