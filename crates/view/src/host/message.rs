//! Messages about a host run. Each is encoded by [`crate::encoding`], with bytes beside it where the variant says so.

use super::curve::{Curve, CurvePoint};
use super::losses::Lost;
use super::tuple::Tuple;
use scenario::host::HostScenario;
use serde::{Deserialize, Serialize};

/// Number of a run, as for a fabric's.
pub type Run = u32;

/// What can be selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// A packet in flight.
    Packet {
        /// Its number.
        id: u32,
    },
    /// A pair of unified flows.
    Flow {
        /// Which VM's.
        vm: u32,
        /// Its handle.
        handle: u32,
    },
    /// A layer of a VM's port.
    Layer {
        /// Which VM's.
        vm: u32,
        /// Position in the port's list.
        layer: u32,
    },
    /// A VM.
    Vm {
        /// Which.
        vm: u32,
    },
    /// The SmartNIC.
    Nic,
}

/// What the page asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// Build a run. Answer: [`Tell::Loaded`], a frame and a report, or [`Tell::Refused`].
    Load {
        /// The number that the page gives it.
        run: Run,
        /// What to simulate.
        #[serde(with = "crate::encoding::json")]
        scenario: Box<HostScenario>,
    },
    /// Simulate up to `target_ps`, or as far as `budget_ms` of wall-clock time allow. Beside it: a buffer to be used again.
    /// Answer: [`Tell::Frame`], and a report if asked for.
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
    /// Process one event. Answer: a frame and a report.
    Step {
        /// The run.
        run: Run,
    },
    /// Go back to before the event that was processed last. Answer: a frame and a report.
    StepBack {
        /// The run.
        run: Run,
    },
    /// Go to `target_ps`, which may be earlier than now; as far as `budget_ms` of wall-clock time allow after the copy of the run that
    /// is nearest. Answer: a frame and a report; the rest of the way, if there is any, is for [`Ask::Advance`].
    Seek {
        /// The run.
        run: Run,
        /// Where to.
        target_ps: u64,
        /// How long simulating may take.
        budget_ms: f64,
    },
    /// What the inspector shows from now on.
    Watch {
        /// The thing, if any.
        target: Option<Target>,
    },
    /// Send the tables of the SmartNIC. Answer: [`Tell::Tables`].
    Tables {
        /// The run.
        run: Run,
    },
    /// Send the unified flows of a VM. Answer: [`Tell::Flows`].
    Flows {
        /// The run.
        run: Run,
        /// Which VM's.
        vm: u32,
    },
    /// Send what the charts show. Answer: [`Tell::Charts`].
    Charts {
        /// The run.
        run: Run,
        /// The entry of the traffic that latency is asked of; none: all packets.
        traffic: Option<u32>,
    },
    /// What would become of a packet. Answer: [`Tell::Tuple`].
    Tuple {
        /// The run.
        run: Run,
        /// The packet.
        tuple: Tuple,
    },
    /// Run a scenario of its own with another value. Answer: [`Tell::Curve`].
    Curve {
        /// The scenario.
        #[serde(with = "crate::encoding::json")]
        scenario: Box<HostScenario>,
        /// What is varied.
        curve: Curve,
        /// The value.
        value: f64,
    },
}

/// What the worker answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Tell {
    /// A run is ready at time 0.
    Loaded {
        /// The run.
        run: Run,
        /// What does not change.
        facts: Facts,
    },
    /// The scenario cannot be run.
    Refused {
        /// The run.
        run: Run,
        /// Why, one line each.
        problems: Vec<String>,
    },
    /// Packets in flight; they are beside it as bytes, see [`super::dots`].
    Frame {
        /// The run.
        run: Run,
        /// True for the answer to [`Ask::Advance`].
        advanced: bool,
        /// Simulated time in ps.
        now_ps: u64,
        /// Whether it is over.
        finished: bool,
        /// How many packets there are, those left out included.
        there: u32,
    },
    /// Figures and details.
    Report(Box<Report>),
    /// The tables. Beside it: a byte for each way of L1, and then one for each bucket of L2 (see [`super::grid`]).
    Tables(Box<Tables>),
    /// Unified flows.
    Flows {
        /// The run.
        run: Run,
        /// Whose.
        vm: u32,
        /// The first ones.
        rows: Vec<FlowRow>,
        /// How many pairs there are.
        pairs: u32,
    },
    /// What the charts show.
    Charts(Box<Charts>),
    /// What would become of a packet.
    Tuple {
        /// The run.
        run: Run,
        /// The packet.
        tuple: Tuple,
        /// The answer.
        answer: Box<Verdict>,
    },
    /// One point of a curve.
    Curve {
        /// The point, or why there is none.
        point: Result<CurvePoint, String>,
    },
}

/// What does not change during a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Layers of each VM's port, in the order of outbound packets.
    pub layers: Vec<Vec<String>>,
    /// Ways of L1.
    pub l1: u32,
    /// Ways of L2.
    pub l2: u32,
    /// How often the SmartNIC reports what its entries have counted, in ps.
    pub counter_period_ps: u64,
}

/// A count with its name.
pub type Count = (String, u64);

/// One VM as it stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VmState {
    /// Its name.
    pub name: String,
    /// Whether it has a VF.
    pub has_vf: bool,
    /// Where it sends.
    pub data_path: DataPath,
    /// The last step of taking its VF away or giving it back, while that is under way.
    pub step: Option<String>,
    /// Generation of its port's policy.
    pub generation: u32,
    /// Pairs of flows.
    pub pairs: u32,
    /// Half-open flows, each way one.
    pub half_open: u32,
}

/// Where a guest sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DataPath {
    /// To the VF.
    #[default]
    Vf,
    /// Through the vSwitch.
    Synthetic,
    /// Nowhere.
    None,
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
    /// Digest of the run so far.
    pub digest: u64,
    /// Events processed.
    pub events: u64,
    /// Wall-clock time spent simulating, in ms.
    pub busy_ms: f64,
    /// Packets that somebody handed over.
    pub created: u64,
    /// Packets that arrived: hardware, exception, synthetic.
    pub delivered: [u64; 3],
    /// Packets lost, by reason, those that have occurred.
    pub lost: Vec<Count>,
    /// The same by the place where they were lost.
    pub lost_at: Vec<Lost>,
    /// SYNs that the SmartNIC answered itself, by a cookie: they end there.
    pub challenged: u64,
    /// Packets under way, copies for VFP left out. With those that arrived, were lost or were answered by the SmartNIC they are all
    /// that were handed over.
    pub under_way: u64,
    /// Exceptions: no entry, older policy, not activated yet.
    pub exceptions: [u64; 3],
    /// Copies to VFP.
    pub copies: u64,
    /// Entries installed, refused, removed.
    pub entries: [u64; 3],
    /// Pairs of flows reconciled.
    pub reconciled: u64,
    /// Segments sent again.
    pub retransmissions: u64,
    /// TCP connections begun, open, closed in order, failed.
    pub connections: [u64; 4],
    /// Hits of L1, L2 and L3, and lookups that found nothing.
    pub lookups: [u64; 4],
    /// Entries in the NIC; of these in L1 and in L2.
    pub resident: [u32; 3],
    /// Flows in VFP's tables.
    pub flows: u32,
    /// Half-open flows.
    pub half_open: u32,
    /// SNAT ports in use.
    pub snat_ports: u32,
    /// Share of the last part of the run that each core has worked, 0 to 1.
    pub core_load: Vec<f64>,
    /// Packets that wait for each core.
    pub waiting: Vec<u32>,
    /// The VMs.
    pub vms: Vec<VmState>,
    /// Packets that cores walk through the layers just now, one for each core at most.
    pub walking: Vec<Walking>,
    /// Whether the wire is dead.
    pub wire_dead: bool,
    /// Servicing under way, in words.
    pub servicing: Vec<String>,
    /// What happened to the host lately, latest last: when in ps, and what.
    pub marks: Vec<(u64, String)>,
    /// What came of attacks so far.
    pub attacks: Vec<AttackView>,
    /// Details of what is selected.
    pub detail: Option<Detail>,
}

/// A packet on its way through the layers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Walking {
    /// Its number.
    pub id: u32,
    /// What decided in each layer, in the order in which it crosses them.
    pub rules: Vec<String>,
}

/// What came of an attack so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttackView {
    /// Who tries what.
    pub title: String,
    /// Attempts; of cache timing the readings.
    pub attempted: u64,
    /// Stopped, by what stopped them.
    pub stopped: Vec<Count>,
    /// Got where they should not.
    pub through: u64,
    /// Allowed packets beside them, and how many of those were lost.
    pub honest: [u64; 2],
    /// Of cache timing: share of rounds in which the spy is right (0.5 is a coin), and bits that a round tells him.
    pub timing: Option<[f64; 2]>,
}

/// A line of a table: what, and its value.
pub type Fact = (String, String);

/// Details of something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Detail {
    /// A packet.
    Packet {
        /// What it is and where.
        facts: Vec<Fact>,
        /// Its headers as they are.
        headers: Vec<Fact>,
        /// Its walk through the layers: the one that it got, or the one that it would get now; none where it needs none, or its
        /// walk is not kept any more.
        walk: Option<Box<Verdict>>,
        /// Whether VFP was asked about it already.
        walked: bool,
        /// Its flow.
        flow: Option<Box<FlowDetail>>,
    },
    /// A packet that has arrived, or was lost.
    PacketGone,
    /// A pair of flows.
    Flow(Box<FlowDetail>),
    /// A pair of flows that is no longer there.
    FlowGone,
    /// A layer.
    Layer {
        /// Its name and kind.
        facts: Vec<Fact>,
        /// Its groups.
        groups: Vec<GroupView>,
    },
    /// A VM.
    Vm {
        /// Figures.
        facts: Vec<Fact>,
        /// VFP's counters that are not 0.
        counters: Vec<Count>,
    },
    /// The SmartNIC.
    Nic {
        /// Figures.
        facts: Vec<Fact>,
        /// Its counters.
        counters: Vec<Count>,
    },
}

/// A group of a layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupView {
    /// Its name.
    pub name: String,
    /// Out or in.
    pub direction: String,
    /// Rules in all.
    pub rules_there: u32,
    /// The rules that come first.
    pub rules: Vec<RuleView>,
}

/// A rule of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleView {
    /// Its priority: lower first.
    pub priority: u32,
    /// Its name.
    pub name: String,
    /// What it asks of a packet.
    pub condition: String,
    /// What it does.
    pub action: String,
    /// Walks of first packets and reconciliations in which it decided its layer, since its policy is in force.
    pub matches: u64,
}

/// A change of a header: the header, what is done (Push, Modify, Pop), and to what.
pub type Change = [String; 3];

/// A pair of unified flows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlowDetail {
    /// Which VM's.
    pub vm: u32,
    /// Its handle.
    pub handle: u32,
    /// State, generation, age and so on.
    pub facts: Vec<Fact>,
    /// Its ways: that of the first packet, and that of the answers.
    pub ways: Vec<WayView>,
}

/// One way of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WayView {
    /// Its key.
    pub key: String,
    /// Packets and bytes, and its entry in the NIC.
    pub facts: Vec<Fact>,
    /// What is done to its packets.
    pub changes: Vec<Change>,
}

/// A row in the list of flows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlowRow {
    /// Its handle.
    pub handle: u32,
    /// Key of its first packet.
    pub key: String,
    /// State.
    pub state: String,
    /// Generation.
    pub generation: u32,
    /// Whether that is an older one.
    pub stale: bool,
    /// Its entry in the NIC: Activated, Deactivated, none.
    pub entry: String,
    /// Packets both ways.
    pub packets: u64,
    /// Time since its last packet, in ps.
    pub idle_ps: u64,
}

/// The tables of the SmartNIC.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tables {
    /// The run.
    pub run: Run,
    /// Ways of L1: the number of bytes that come first.
    pub l1: u32,
    /// Sets of L1.
    pub l1_ways: u32,
    /// Ways of L2 in each bucket.
    pub l2_per_bucket: u32,
    /// Flows in L1 and L2, and entries in all.
    pub resident: [u32; 3],
    /// Of L1: activated, deactivated, stale.
    pub states: [u32; 3],
    /// Lookups that hit L1, L2, L3, and that hit none.
    pub lookups: [u64; 4],
    /// Exceptions: no entry, older policy, not activated.
    pub exceptions: [u64; 3],
    /// Entries pushed out of L1 and of L2.
    pub evictions: [u64; 2],
    /// Unified flows in VFP: all, the limit, half-open, and of an older generation.
    pub unified: [u64; 4],
    /// How many flows were looked at for the last figure.
    pub looked_at: u64,
    /// What the tables take of the simulator's memory, in bytes: the SmartNIC's, and VFP's of all ports.
    pub memory: [u64; 2],
}

/// What the charts show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Charts {
    /// The run.
    pub run: Run,
    /// Simulated time in ps.
    pub now_ps: u64,
    /// Times of the points in ps.
    pub times: Vec<u64>,
    /// Payload in bit/s between the point before and each point, by route: hardware, exception, synthetic.
    pub rates: [Vec<f64>; 3],
    /// Exceptions per second.
    pub exceptions: Vec<f64>,
    /// Share of the exception cores' time that was worked.
    pub exception_load: Vec<f64>,
    /// Share of all cores' time that was worked.
    pub load: Vec<f64>,
    /// Connections opened per second.
    pub opened: Vec<f64>,
    /// Packets lost per second.
    pub lost: Vec<f64>,
    /// Flows in VFP's tables.
    pub flows: Vec<f64>,
    /// Half-open flows.
    pub half_open: Vec<f64>,
    /// The entry of the traffic that the latencies are of, its packets with payload; none: all packets.
    pub traffic: Option<u32>,
    /// One-way latencies by route: time in ps and the share of packets that took no longer.
    pub cdf: [Vec<(u64, f64)>; 3],
    /// Mean, p50, p99 and p99.9 by route, in ps; a percentile of too few packets is none ([`LEAST`]).
    pub latency: [Option<[Option<u64>; 4]>; 3],
    /// Packets that these are of, by route.
    pub measured: [u64; 3],
    /// Mean one-way latency of the packets that arrived between the point before and each point, by route, in ps; none where none
    /// did. Empty of an entry beyond the first ones, of which no time series is kept.
    pub delays: [Vec<Option<u64>>; 3],
    /// Losses by reason.
    pub losses: Vec<Count>,
}

/// Packets that a figure of [`Charts::latency`] needs at least: of fewer, a percentile is the longest time alone.
pub const LEAST: [u64; 4] = [1, 2, 100, 1_000];

/// What would become of a packet, or what became of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// When it was asked, in ps.
    pub at_ps: u64,
    /// Bytes of the packet.
    pub bytes: u32,
    /// The packet in words.
    pub packet: String,
    /// In a word: Forward, Drop, Pending, Reply.
    pub word: String,
    /// The reason, or what it waits for.
    pub why: String,
    /// Whether the flow is in the table.
    pub known: Option<String>,
    /// The layers crossed.
    pub layers: Vec<LayerView>,
    /// The composed transposition.
    pub composed: Vec<Change>,
    /// Headers at the end.
    pub after: Vec<Fact>,
    /// The layers that the answer would cross.
    pub answer: Vec<LayerView>,
    /// How the answer would end; empty where there would be none.
    pub answer_word: String,
    /// The entries that would be made: key and changes.
    pub entries: Vec<(String, Vec<Change>)>,
    /// What it costs: operation and how many.
    pub work: Vec<Count>,
    /// Time that a core would take, in ps.
    pub core_ps: u64,
}

/// One layer of a walk.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LayerView {
    /// Its name.
    pub name: String,
    /// What decided.
    pub decision: String,
    /// Group and what became of the packet there.
    pub groups: Vec<Fact>,
    /// What the layer does.
    pub changes: Vec<Change>,
    /// What all layers so far do.
    pub composed: Vec<Change>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_the_wire() {
        let ask = Ask::Seek {
            run: 7,
            target_ps: u64::MAX - 1,
            budget_ms: 50.0,
        };
        let text = crate::encoding::encode(&ask).unwrap();
        assert_eq!(crate::encoding::decode::<Ask>(&text).unwrap(), ask, "{text:?}");
        let tell = Tell::Report(Box::new(Report {
            digest: u64::MAX,
            detail: Some(Detail::PacketGone),
            ..Report::default()
        }));
        let text = crate::encoding::encode(&tell).unwrap();
        assert_eq!(crate::encoding::decode::<Tell>(&text).unwrap(), tell, "{text:?}");
        let curve = Tell::Curve {
            point: Err("no traffic".into()),
        };
        let text = crate::encoding::encode(&curve).unwrap();
        assert_eq!(crate::encoding::decode::<Tell>(&text).unwrap(), curve, "{text:?}");
    }
}
