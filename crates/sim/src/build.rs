//! From a scenario to the numbers that the loop runs on.

use crate::side::Settings;
use crate::sizes::{Sizes, roce_sizes};
use fabric::config::WHOLE;
use fabric::{Clos, LinkClass, LinkKind};
use kernel::Time;
use kernel::rng::{Sequence, draw, key};
use mrc::{Balancer, EvSet};
use roce::dcqcn::Rule;
use scenario::{Bytes, DcqcnRule, Model, Problem, Protocol, Routing, Scenario};

/// Why a scenario can't be run.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BuildError {
    /// Fields with values that make no sense.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Invalid(Vec<Problem>),
    /// A message that needs more PSNs than a run can count.
    #[error(
        "flow {id}: {messages} × {bytes} bytes at a PMTU of {pmtu} are more than 2^31 packets; use fewer bytes or a larger PMTU"
    )]
    TooManyPackets {
        /// The flow.
        id: u64,
        /// The size of its messages.
        bytes: u64,
        /// How many.
        messages: u64,
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
    /// Retransmission timeout in force; with RoCE 0 where there is none.
    pub rto: Time,
    /// Reorder window in force; 0 when losses are inferred by timeout alone, and with RoCE.
    pub reorder_window: Time,
    /// Wire bytes of a full data packet.
    pub full_packet: u16,
}

/// Everything that [`crate::Sim`] is assembled from.
pub(crate) struct Parts {
    pub fabric: fabric::Config,
    pub settings: Settings,
    pub derived: Derived,
}

// OCP companion API example: ACK timeout 1.024 µs × 2^8 (facts 1.7).
const API_RTO_PS: u64 = 262_144_000;
// Our choice: a packet may be overtaken by two full queues (uplink and T1) of one BDP each, which are served at less
// than line rate while control packets go first, and not by more.
const REORDER_IN_BASE_RTTS: u64 = 3;
// Our choice: a NIC holds back this many bytes of SACKs, NACKs and probes for a port before it drops them.
const NIC_CONTROL_LIMIT: u32 = 4 << 20;
// IBTA: payloads are padded to a multiple of four bytes.
const PAD: u16 = 4;
// A PAUSE frame is as short as an Ethernet frame may be (IEEE 802.3 annex 31B): 64 bytes with header and FCS.
const PAUSE_L3: usize = 46;

pub(crate) fn parts(scenario: &Scenario) -> Result<Parts, BuildError> {
    scenario.validate().map_err(BuildError::Invalid)?;
    let spec = &scenario.fabric;
    let transport = &scenario.transport;
    let sizes = Sizes::of(scenario);
    let pmtu = transport.pmtu.0 as u16;
    let pad = if scenario.model == Model::Htsim { pmtu } else { PAD };
    let full = pmtu.next_multiple_of(pad) + sizes.header;
    let clos = Clos {
        planes: spec.planes,
        t0s: spec.t0_per_plane,
        t1s: spec.t1_per_plane,
        nics_per_t0: spec.nics_per_t0,
        pods: spec.pods,
        t2s: spec.t2_per_plane,
    };

    let to_switch = |delay: u64| Time(delay + spec.switch_latency.0);
    let (trunk, core) = (spec.t1_rate().0, spec.t2_rate().0);
    let mut classes = [
        LinkClass::new(spec.nic_link_rate.0, to_switch(spec.nic_link_delay.0)),
        LinkClass::new(spec.nic_link_rate.0, Time(spec.nic_link_delay.0)),
        LinkClass::new(trunk, to_switch(spec.t1_link_delay.0)),
        LinkClass::new(trunk, to_switch(spec.t1_link_delay.0)),
        LinkClass::new(core, to_switch(spec.t2_link_delay.0)),
        LinkClass::new(core, to_switch(spec.t2_link_delay.0)),
    ];
    // By kind of link: those that the longest path crosses.
    let crossed = if clos.pods > 1 {
        6
    } else if clos.t0s > 1 {
        4
    } else {
        2
    };
    let rtt = |kinds: usize| {
        let hops = classes.iter().take(kinds);
        Time(
            hops.map(|class| class.serialise(full).0 + class.serialise(sizes.sack).0 + 2 * class.delay.0)
                .sum(),
        )
    };
    let base_rtt = rtt(crossed);
    // Clustermapper probes every tier, whether traffic needs it or not.
    let longest_rtt = rtt(if clos.t2s > 0 { 6 } else { 4 });

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
            let weight = queue.control_weight.unwrap_or(0.0);
            class.control_weight = (weight * 65_536.0).ceil() as u32;
            if !last_hop || scenario.marks_last_hop() {
                class.ecn_min = packets(queue.ecn_min_bdp);
                class.ecn_max = packets(queue.ecn_max_bdp).max(class.ecn_min);
                class.ecn_pmax = (queue.ecn_pmax * f64::from(WHOLE)).ceil() as u32;
            }
        }
    }

    let nic_rate = spec.nic_link_rate.0 * u64::from(spec.planes);
    let rto = transport.rto.map_or(API_RTO_PS.max(8 * base_rtt.0), |t| t.0);
    let reorder_window = transport
        .reorder_window
        .map_or(REORDER_IN_BASE_RTTS * base_rtt.0, |t| t.0);
    // htsim knows none of what MRC adds to UET.
    let is_mrc = scenario.model == Model::Mrc;
    let is_roce = transport.protocol == Protocol::Roce;
    let nscc = nscc(scenario, full, nic_rate, base_rtt);
    let mrc = mrc::Config {
        pmtu,
        pad,
        padded_pmtu: pmtu.next_multiple_of(pad),
        header: sizes.header,
        sack_size: sizes.sack,
        nack_size: sizes.nack,
        ack_size: sizes.ack,
        ack_probe_size: sizes.ack_probe,
        probe_size: sizes.probe,
        probe_reply_size: sizes.probe_reply,
        sack_every: transport.sack_every.0.min(u64::from(u32::MAX)) as u32,
        mpr: transport.mpr,
        rto,
        linear_retries: transport.linear_retries,
        exponential_retries: if is_mrc {
            transport.exponential_retries
        } else {
            mrc::config::RETRY_FOR_EVER
        },
        reorder_window,
        ack_probe_after: if is_mrc {
            transport.reliability_probe.map_or(reorder_window, |t| t.0)
        } else {
            0
        },
        probe_interval: transport.probe_interval.0,
        probes_to_revive: transport.probes_to_revive as u8,
        ev_floor: if is_mrc {
            transport.ev_floor_or_default() as u16
        } else {
            0
        },
        message_acks: is_mrc && transport.message_acks,
        max_immediate: transport.max_wimm,
        reverse_evs: is_mrc && transport.reverse_evs,
        balancer: match transport.balancer {
            scenario::Balancer::Mrc => Balancer::Mrc,
            scenario::Balancer::Oblivious => Balancer::Oblivious,
            scenario::Balancer::Reps => Balancer::Reps,
            scenario::Balancer::Bitmap => Balancer::Bitmap,
            scenario::Balancer::Mixed => Balancer::Mixed,
        },
        rccc: rccc(scenario, full, nic_rate, base_rtt, &nscc),
        nscc,
    };
    let roce = roce_config(scenario);
    let derived = Derived {
        base_rtt,
        nic_bdp: bdp(nic_rate) as u64,
        plane_bdp: bdp(spec.nic_link_rate.0) as u64,
        rto: Time(if is_roce { roce.timeout } else { rto }),
        reorder_window: Time(if is_roce { 0 } else { reorder_window }),
        full_packet: full,
    };
    let fabric = fabric::Config {
        clos,
        classes,
        routing: match spec.routing {
            Routing::Source => fabric::Routing::Source,
            Routing::Ecmp => fabric::Routing::Ecmp,
            Routing::Spray => fabric::Routing::Spray,
            Routing::Adaptive => fabric::Routing::Adaptive,
        },
        local_reroute: spec.local_reroute,
        trimming: scenario.trims(),
        // uet-htsim's rule. In ours it stands for the jitter of real switches (our choice): equal packets on equal links arrive in
        // step, and always trimming the one that comes last would hit the same senders for hundreds of milliseconds.
        trim_coin: true,
        trimmed_size: sizes.trimmed,
        pfc: pfc(scenario, full),
        seed: scenario.seed,
    };
    let plan = crate::clustermapper::plan(scenario, longest_rtt)?;
    Ok(Parts {
        fabric,
        settings: Settings { mrc, roce, plan },
        derived,
    })
}

/// Priority flow control. Largest is a data packet with everything that one may have.
fn pfc(scenario: &Scenario, full: u16) -> Option<fabric::Pfc> {
    let pfc = scenario.fabric.pfc?;
    let bytes = |bytes: Bytes| bytes.0.min(u64::from(u32::MAX)) as u32;
    let sizes = roce_sizes(scenario.model);
    let extra = match scenario.transport.protocol {
        Protocol::Roce => sizes.reth + sizes.immdt,
        Protocol::Mrc => 0,
    };
    Some(fabric::Pfc {
        xoff: bytes(pfc.xoff),
        xon: bytes(pfc.xon_or_default(scenario.transport.pmtu)),
        headroom: pfc.headroom.map(bytes),
        largest: full + extra,
        frame: wire::sizes::wire(PAUSE_L3) as u16,
    })
}

/// Receiver credit: a sender starts with the window that NSCC gives it. A credit packet is as long as an ACK (our choice: MRC
/// has none).
fn rccc(
    scenario: &Scenario,
    full: u16,
    nic_rate: u64,
    base_rtt: Time,
    nscc: &mrc::nscc::Config,
) -> Option<mrc::rccc::Config> {
    let window = mrc::Nscc::new(nscc).cwnd();
    let (rate, size) = (nic_rate as f64 / 8e12, Sizes::of(scenario).ack);
    scenario
        .transport
        .rccc
        .then(|| mrc::rccc::Config::new(rate, base_rtt.0, full, window, size))
}

/// RoCE's settings.
fn roce_config(scenario: &Scenario) -> roce::Config {
    let given = &scenario.transport.roce;
    roce::Config {
        pmtu: scenario.transport.pmtu.0 as u16,
        sizes: roce_sizes(scenario.model),
        recovery: match given.recovery {
            scenario::Recovery::GoBackN => roce::Recovery::GoBackN,
            scenario::Recovery::SelectiveRepeat => roce::Recovery::SelectiveRepeat {
                reorder: given.reorder,
                window: given.tracked,
            },
        },
        window: given.window.map(|bytes| bytes.0),
        ack_every: given.ack_every,
        timeout: given.timeout_time().map_or(0, |t| t.0),
        longest_timeout: given.longest_timeout_time().map_or(0, |t| t.0),
        retry_count: given.retry_count,
        dcqcn: dcqcn(scenario),
    }
}

fn dcqcn(scenario: &Scenario) -> roce::dcqcn::Config {
    let given = &scenario.transport.roce.dcqcn;
    // A QP stays in one plane.
    let line_rate = scenario.fabric.nic_link_rate.0;
    roce::dcqcn::Config {
        enabled: given.enabled,
        rule: match given.rule {
            DcqcnRule::Paper => Rule::Paper,
            DcqcnRule::Vendor => Rule::Vendor,
        },
        line_rate,
        g: given.g,
        initial_alpha: given.initial_alpha,
        alpha_period: given.alpha_timer.0,
        divisor: given.divisor,
        least_share: given.min_decrease_factor,
        min_rate: given.min_rate.0.min(line_rate),
        cut_period: given.rate_decrease_interval.0,
        first_rate: given.rate_on_first_cnp.map_or(0, |rate| rate.0),
        clamp_target: given.clamp_target_rate,
        clamp_target_after_timer: given.clamp_after_timer,
        increase_period: given.increase_timer.0,
        increase_bytes: given.byte_counter.0,
        fast_recovery: given.fast_recovery_steps,
        additive: given.rate_ai.0,
        hyper: given.rate_hai.0,
        cnp_interval: given.cnp_interval.0,
    }
}

/// NSCC's parameters: the published ones, and what the scenario says otherwise.
fn nscc(scenario: &Scenario, full: u16, nic_rate: u64, base_rtt: Time) -> mrc::nscc::Config {
    let given = &scenario.transport.nscc;
    let trimming = scenario.fabric.queue.trimming;
    let base_rtt = given.base_rtt.map_or(base_rtt.0, |t| t.0) as f64;
    let target = given.target_delay.map_or_else(
        || mrc::nscc::Config::published_target(base_rtt, trimming),
        |t| t.0 as f64,
    );
    let published = mrc::nscc::Config::published(
        f64::from(full),
        nic_rate as f64 / 8e12,
        base_rtt,
        target,
        trimming,
    );
    mrc::nscc::Config {
        enabled: given.enabled,
        max_window: scenario.transport.max_window_bdp,
        max_cwnd: given.max_cwnd.map(|bytes| bytes.0 as f64),
        gamma: given.gamma,
        max_md_jump: given.max_md_jump,
        fi: given.fi.unwrap_or(published.fi),
        fi_scale: given.fi_scale.unwrap_or(published.fi_scale),
        eta: given.eta.unwrap_or(published.eta),
        // The scenario has it per nanosecond.
        alpha: given.alpha.map_or(published.alpha, |alpha| alpha / 1e3),
        quick_adapt: !given.disable_qa,
        qa_gate: given.qa_gate,
        qa_of_asked: scenario.model == Model::Mrc,
        qa_threshold: given.qa_threshold.map_or(published.qa_threshold, |t| t.0 as f64),
        adjust_bytes_threshold: given
            .adjust_bytes_threshold
            .map_or(published.adjust_bytes_threshold, |bytes| bytes.0 as f64),
        adjust_period_threshold: given.adjust_period_threshold.map(|t| t.0 as f64),
        delay_weight: given.delay_weight,
        idle_delay: given.idle_delay.0 as f64,
        ..published
    }
}

/// EVs of a QP, active and backup.
pub(crate) fn ev_count(scenario: &Scenario) -> (u16, u16) {
    let transport = &scenario.transport;
    let backups = match scenario.model {
        Model::Mrc => transport.backup_evs_or_default(scenario.fabric.planes),
        Model::Htsim => 0,
    };
    (transport.evs as u16, backups as u16)
}

/// Events per picosecond when every NIC port sends full packets back to back, over as many links as there are tiers
/// of them, up and down.
pub(crate) fn busiest(fabric: &fabric::Config, full: u16) -> f64 {
    let packet_time = fabric.class(LinkKind::NicUp).serialise(full).0.max(1);
    let links = 2.0 * f64::from(fabric.clos.tiers());
    links * f64::from(fabric.clos.nics()) * f64::from(fabric.clos.planes) / packet_time as f64
}

/// The paths, of so many in each plane ([`Clos::paths`]), that the EVs of connection `conn` name: under MRC each plane's are a random
/// subset without repetition (as far as there are enough); under htsim's model each entropy is hashed to a path.
pub(crate) fn ev_paths(scenario: &Scenario, clos: &Clos, conn: u32, paths: u32, evs: &mut [u16]) {
    let key = ev_key(scenario, conn);
    match scenario.model {
        Model::Htsim => {
            for (ev, path) in evs.iter_mut().enumerate() {
                *path = (draw(key, ev as u64) % u64::from(paths)) as u16;
            }
        }
        Model::Mrc => {
            let mut all: Vec<u16> = Vec::with_capacity(paths as usize);
            for plane in 0..clos.planes {
                all.clear();
                all.extend(0..paths as u16);
                let mine = (plane as usize..evs.len()).step_by(clos.planes as usize);
                let picked = Sequence::new(draw(key, u64::from(plane))).pick(&mut all, mine.len());
                for (turn, ev) in mine.enumerate() {
                    evs[ev] = picked[turn % picked.len()];
                }
            }
        }
    }
}

/// The EVs of connection `conn`.
pub(crate) fn evs(scenario: &Scenario, clos: &Clos, conn: u32, floor: u16) -> EvSet {
    let (active, backups) = ev_count(scenario);
    let key = draw(ev_key(scenario, conn), u64::MAX);
    EvSet::new(clos.planes, active, backups, floor, key)
}

/// What decides the ways back of connection `conn`.
pub(crate) fn reverse_key(scenario: &Scenario, conn: u32) -> u64 {
    draw(ev_key(scenario, conn), u64::MAX - 1)
}

/// The UDP source port of connection `conn` of RoCE: one of the dynamic port range (RFC 6335), which NICs draw from.
pub(crate) fn source_port(scenario: &Scenario, conn: u32) -> u16 {
    0xc000 | draw(ev_key(scenario, conn), 0) as u16 & 0x3fff
}

fn ev_key(scenario: &Scenario, conn: u32) -> u64 {
    key(scenario.seed, 0x6576_7365, u64::from(conn))
}
