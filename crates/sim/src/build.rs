//! From a scenario to the numbers that the loop runs on.

use fabric::{Clos, LinkClass, LinkKind};
use kernel::Time;
use kernel::rng::{Sequence, draw, key};
use mrc::{Balancer, EvSet};
use scenario::{Model, Problem, Scenario};
use wire::sizes;

/// Why a scenario can't be run.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BuildError {
    /// Fields with values that make no sense.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Invalid(Vec<Problem>),
    /// A message that needs more PSNs than a run can count.
    #[error(
        "flow {id}: {bytes} bytes at a PMTU of {pmtu} are more than 2^31 packets; use fewer bytes or a larger PMTU"
    )]
    TooManyPackets {
        /// The flow.
        id: u64,
        /// Its size.
        bytes: u64,
        /// The PMTU.
        pmtu: u64,
    },
}

/// Values that follow from the scenario and that a reader may want to know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derived {
    /// RTT of a full packet and its SACK over the longest idle path.
    pub base_rtt: Time,
    /// NIC rate × base RTT, in bytes.
    pub nic_bdp: u64,
    /// Rate of a NIC's port × base RTT, in bytes.
    pub plane_bdp: u64,
    /// Retransmission timeout in force.
    pub rto: Time,
    /// Reorder window in force; 0 when losses are inferred by timeout alone.
    pub reorder_window: Time,
    /// Wire bytes of a full data packet.
    pub full_packet: u16,
}

/// Wire sizes under a model, with preamble and gap where the model counts them.
struct Sizes {
    header: u16,
    sack: u16,
    nack: u16,
    probe: u16,
    probe_reply: u16,
    trimmed: u16,
}

impl Sizes {
    fn of(model: Model) -> Sizes {
        match model {
            Model::Mrc => Sizes {
                header: sizes::wire(sizes::data_l3(wire::Payload::default(), true, false)) as u16,
                sack: sizes::wire(sizes::SACK_L3) as u16,
                nack: sizes::wire(sizes::NACK_L3) as u16,
                probe: sizes::wire(sizes::ENDPOINT_REQUEST_L3) as u16,
                probe_reply: sizes::wire(sizes::ENDPOINT_RESPONSE_L3) as u16,
                trimmed: sizes::wire(sizes::TRIMMED_L3) as u16,
            },
            Model::Htsim => Sizes {
                header: 64,
                sack: 64,
                nack: 64,
                probe: 64,
                probe_reply: 64,
                trimmed: 64,
            },
        }
    }
}

/// Everything that [`crate::Sim`] is assembled from.
pub(crate) struct Parts {
    pub fabric: fabric::Config,
    pub mrc: mrc::Config,
    pub derived: Derived,
}

// OCP companion API example: ACK timeout 1.024 µs × 2^8 (facts 1.7).
const API_RTO_PS: u64 = 262_144_000;
// Our choice: a packet may be overtaken by two full queues (uplink and T1) of one BDP each, not by more.
const REORDER_IN_BASE_RTTS: u64 = 2;
// Our choice: a NIC holds back this many bytes of SACKs, NACKs and probes for a port before it drops them.
const NIC_CONTROL_LIMIT: u32 = 4 << 20;
// Facts 1.7: MPR example, 32 × 128 PSNs.
const MPR: u32 = 4096;
// IBTA: payloads are padded to a multiple of four bytes.
const PAD: u16 = 4;
// Facts 1.7: at most 7 linear retries.
const LINEAR_TIMEOUTS: u32 = 7;

pub(crate) fn parts(scenario: &Scenario) -> Result<Parts, BuildError> {
    scenario.validate().map_err(BuildError::Invalid)?;
    if let Some(problems) = crate::faults::not_supported_yet(scenario) {
        return Err(BuildError::Invalid(problems));
    }
    let spec = &scenario.fabric;
    let transport = &scenario.transport;
    let sizes = Sizes::of(scenario.model);
    let pmtu = transport.pmtu.0 as u16;
    let pad = if scenario.model == Model::Htsim { pmtu } else { PAD };
    let full = pmtu.next_multiple_of(pad) + sizes.header;
    let clos = Clos {
        planes: spec.planes,
        t0s: spec.t0_per_plane,
        t1s: spec.t1_per_plane,
        nics_per_t0: spec.nics_per_t0,
    };

    let to_switch = |delay: u64| Time(delay + spec.switch_latency.0);
    let trunk = spec.t1_rate().0;
    let mut classes = [
        LinkClass::new(spec.nic_link_rate.0, to_switch(spec.nic_link_delay.0)),
        LinkClass::new(spec.nic_link_rate.0, Time(spec.nic_link_delay.0)),
        LinkClass::new(trunk, to_switch(spec.t1_link_delay.0)),
        LinkClass::new(trunk, to_switch(spec.t1_link_delay.0)),
    ];
    let crosses_t1 = clos.t0s > 1;
    let base_rtt = Time(
        classes
            .iter()
            .enumerate()
            .filter(|&(kind, _)| crosses_t1 || kind < 2)
            .map(|(_, class)| class.serialise(full).0 + class.serialise(sizes.sack).0 + 2 * class.delay.0)
            .sum(),
    );

    let bdp = |rate: u64| rate as f64 * base_rtt.0 as f64 / 8e12;
    for (kind, class) in classes.iter_mut().enumerate() {
        let last_hop = kind == LinkKind::NicDown as usize;
        let plane_bdp = bdp(class.rate_bps);
        // Thresholds are whole packets, rounded up, as the peer has them; ours by choice.
        let packets = |factor: f64| {
            let packets = (factor * plane_bdp / f64::from(full)).ceil().max(1.0);
            (packets * f64::from(full)).min(f64::from(u32::MAX / 2)) as u32
        };
        let queue = &spec.queue;
        class.control_limit = NIC_CONTROL_LIMIT;
        if kind != LinkKind::NicUp as usize {
            class.data_limit = packets(if last_hop {
                queue.trim_last_hop_bdp
            } else {
                queue.trim_bdp
            });
            class.control_limit = packets(queue.control_bdp);
            if !last_hop || scenario.model == Model::Htsim {
                class.ecn_min = packets(queue.ecn_min_bdp);
                class.ecn_max = packets(queue.ecn_max_bdp).max(class.ecn_min);
            }
        }
    }

    let nic_rate = spec.nic_link_rate.0 * u64::from(spec.planes);
    let rto = transport.rto.map_or(API_RTO_PS.max(8 * base_rtt.0), |t| t.0);
    let reorder_window = transport
        .reorder_window
        .map_or(REORDER_IN_BASE_RTTS * base_rtt.0, |t| t.0);
    let mrc = mrc::Config {
        pmtu,
        pad,
        padded_pmtu: pmtu.next_multiple_of(pad),
        header: sizes.header,
        sack_size: sizes.sack,
        nack_size: sizes.nack,
        probe_size: sizes.probe,
        probe_reply_size: sizes.probe_reply,
        sack_every: transport.sack_every.0.min(u64::from(u32::MAX)) as u32,
        mpr: MPR,
        rto,
        linear_timeouts: LINEAR_TIMEOUTS,
        reorder_window,
        probe_interval: transport.probe_interval.0,
        probes_to_revive: transport.probes_to_revive as u8,
        balancer: match transport.balancer {
            scenario::Balancer::Mrc => Balancer::Mrc,
            scenario::Balancer::Oblivious => Balancer::Oblivious,
        },
        nscc: mrc::nscc::Config {
            mtu: f64::from(full),
            rate: nic_rate as f64 / 8e12,
            base_rtt: base_rtt.0 as f64,
            target: if spec.queue.trimming { 0.75 } else { 1.0 },
            max_window: transport.max_window_bdp,
            qa_gate: 3,
            qa_threshold: if spec.queue.trimming { f64::INFINITY } else { 4.0 },
            delay_weight: 0.0125,
            idle_delay: 1e6,
        },
    };
    let derived = Derived {
        base_rtt,
        nic_bdp: bdp(nic_rate) as u64,
        plane_bdp: bdp(spec.nic_link_rate.0) as u64,
        rto: Time(rto),
        reorder_window: Time(reorder_window),
        full_packet: full,
    };
    let fabric = fabric::Config {
        clos,
        classes,
        trimming: spec.queue.trimming,
        trim_coin: scenario.model == Model::Htsim,
        trimmed_size: sizes.trimmed,
        seed: scenario.seed,
    };
    Ok(Parts { fabric, mrc, derived })
}

/// Events per picosecond when every NIC port sends full packets back to back, four hops each.
pub(crate) fn busiest(fabric: &fabric::Config, full: u16) -> f64 {
    let packet_time = fabric.class(LinkKind::NicUp).serialise(full).0.max(1);
    4.0 * f64::from(fabric.clos.nics()) * f64::from(fabric.clos.planes) / packet_time as f64
}

/// The T1s that the EVs of connection `conn` go through: under MRC each plane's are a random subset of its paths without
/// repetition (as far as there are enough); under htsim's model each entropy is hashed to a path.
pub(crate) fn ev_paths(scenario: &Scenario, clos: &Clos, conn: u32, t1s: &mut [u16]) {
    let key = ev_key(scenario, conn);
    match scenario.model {
        Model::Htsim => {
            for (ev, t1) in t1s.iter_mut().enumerate() {
                *t1 = (draw(key, ev as u64) % u64::from(clos.t1s)) as u16;
            }
        }
        Model::Mrc => {
            let mut paths: Vec<u16> = Vec::with_capacity(clos.t1s as usize);
            for plane in 0..clos.planes {
                paths.clear();
                paths.extend(0..clos.t1s as u16);
                let mine = (plane as usize..t1s.len()).step_by(clos.planes as usize);
                let picked = Sequence::new(draw(key, u64::from(plane))).pick(&mut paths, mine.len());
                for (turn, ev) in mine.enumerate() {
                    t1s[ev] = picked[turn % picked.len()];
                }
            }
        }
    }
}

/// The EVs of connection `conn`.
pub(crate) fn evs(scenario: &Scenario, clos: &Clos, conn: u32) -> EvSet {
    let key = ev_key(scenario, conn);
    EvSet::new(clos.planes, scenario.transport.evs as u16, draw(key, u64::MAX))
}

fn ev_key(scenario: &Scenario, conn: u32) -> u64 {
    key(scenario.seed, 0x6576_7365, u64::from(conn))
}
