//! The settings of what MRC is compared with: switches that choose paths, priority flow control, RoCE, receiver credit.

use super::rows::Rows;
use super::{Group, Input, Origin, Setting};
use scenario::{DcqcnRule, Protocol, Recovery, Routing, Scenario};

const OURS: Origin = Origin::Chosen("The public record is silent");
const IBTA: Origin = Origin::Published("InfiniBand Architecture Specification, volume 1, chapter 9");
const IRN: Origin = Origin::Published("Mittal et al., SIGCOMM 2018 (IRN)");
const DCQCN: Origin = Origin::Published("Zhu et al., SIGCOMM 2015 (DCQCN)");
const VENDOR: Origin = Origin::Published("NVIDIA's DCQCN parameters (DOCA documentation)");
const BGP: Origin = Origin::Chosen("Within what RFC 7938 tells of BGP in large data centres");

/// What the endpoints speak and over how many QPs.
pub(super) fn protocol(rows: &Rows, scenario: &Scenario) -> Vec<Setting> {
    let transport = &scenario.transport;
    let mut settings = vec![
        rows.set(
            "transport.protocol",
            "protocol",
            match transport.protocol {
                Protocol::Mrc => "mrc".into(),
                Protocol::Roce => "roce".into(),
            },
            Origin::Chosen("MRC unless the scenario says otherwise"),
            Input::Choice(&[("mrc", "MRC"), ("roce", "RoCEv2")]),
        ),
        rows.text(
            "transport.qps",
            "QPs a flow",
            transport.qps,
            Origin::Chosen("One; NCCL can spread over more"),
        ),
    ];
    if transport.protocol == Protocol::Mrc {
        settings.push(rows.flag(
            "transport.rccc",
            "receiver credit (RCCC)",
            transport.rccc,
            Origin::Published("UET 1.0; MRC has no such thing, off"),
        ));
    }
    settings
}

/// Who chooses paths, and how failures are followed.
pub(super) fn routing(rows: &Rows, scenario: &Scenario) -> Group {
    let fabric = &scenario.fabric;
    let mut settings = vec![rows.set(
        "fabric.routing",
        "paths chosen by",
        fabric.routing.name().into(),
        Origin::Published("MRC paper: the sender, by SRv6"),
        Input::Choice(&[
            ("source", "the sender (SRv6)"),
            ("ecmp", "switches, by hash (ECMP)"),
            ("spray", "switches, per packet at random"),
            ("adaptive", "switches, per packet by load"),
        ]),
    )];
    if fabric.routing != Routing::Source {
        settings.extend([
            rows.text(
                "fabric.convergence.detect",
                "own link's failure seen after",
                fabric.convergence.detect,
                BGP,
            ),
            rows.text(
                "fabric.convergence.converge",
                "other switches follow after",
                fabric.convergence.converge,
                BGP,
            ),
            rows.flag(
                "fabric.local_reroute",
                "bounce where a way down is gone",
                fabric.local_reroute,
                Origin::Chosen("Off: it makes PFC's deadlocks possible (Hu et al., HotNets 2016)"),
            ),
        ]);
    }
    Group {
        name: "Routing",
        settings,
    }
}

/// Priority flow control: one row where it is off.
pub(super) fn pfc(rows: &Rows, scenario: &Scenario) -> Group {
    let given = &scenario.fabric.pfc;
    let mut settings = vec![rows.set(
        "fabric.pfc",
        "pauses instead of losses",
        given.as_ref().map_or_else(String::new, |_| "{}".into()),
        Origin::Chosen("Off unless the scenario says otherwise"),
        Input::Choice(&[("", "off"), ("{}", "on")]),
    )];
    if let Some(pfc) = given {
        settings.extend([
            rows.text("fabric.pfc.xoff", "pause above (xoff)", pfc.xoff, OURS),
            rows.text(
                "fabric.pfc.xon",
                "go on from (xon)",
                pfc.xon_or_default(scenario.transport.pmtu),
                Origin::Chosen("Two PMTUs below xoff"),
            ),
            rows.text(
                "fabric.pfc.headroom",
                "headroom",
                or_derived(pfc.headroom),
                Origin::Derived(
                    "What can still come in after a pause was asked for: rate, delay, packet size",
                ),
            ),
        ]);
    }
    Group {
        name: "Priority flow control (PFC)",
        settings,
    }
}

/// RoCE's reliability and DCQCN; none where the protocol is MRC.
pub(super) fn roce(rows: &Rows, scenario: &Scenario) -> Vec<Group> {
    if scenario.transport.protocol != Protocol::Roce {
        return Vec::new();
    }
    let roce = &scenario.transport.roce;
    let mut settings = vec![rows.set(
        "transport.roce.recovery",
        "sent again after a gap",
        match roce.recovery {
            Recovery::GoBackN => "go_back_n".into(),
            Recovery::SelectiveRepeat => "selective_repeat".into(),
        },
        IBTA,
        Input::Choice(&[
            ("go_back_n", "all from the gap on (go-back-N)"),
            ("selective_repeat", "what is missing (selective repeat)"),
        ]),
    )];
    if roce.recovery == Recovery::SelectiveRepeat {
        settings.extend([
            rows.text(
                "transport.roce.reorder",
                "lost once so many are ahead",
                roce.reorder,
                IRN,
            ),
            rows.text("transport.roce.tracked", "packets tracked", roce.tracked, OURS),
        ]);
    }
    settings.extend([
        rows.text(
            "transport.roce.window",
            "most in flight",
            roce.window
                .map_or_else(|| "no limit".into(), |bytes| bytes.to_string()),
            Origin::Published("RoCE has no window of its own"),
        ),
        rows.text(
            "transport.roce.ack_every",
            "ACK every (packets)",
            roce.ack_every,
            OURS,
        ),
        rows.text(
            "transport.roce.timeout",
            "timeout: t of 4.096 µs × 2^t",
            roce.timeout,
            Origin::Published("14, as in the examples of rdma-core and perftest"),
        ),
        rows.text(
            "transport.roce.longest_timeout",
            "doubles up to t",
            roce.longest_timeout.unwrap_or(roce.timeout),
            IBTA,
        ),
        rows.text(
            "transport.roce.retry_count",
            "retries",
            roce.retry_count,
            Origin::Published("7, as NCCL and perftest set it"),
        ),
    ]);
    let mut groups = vec![Group {
        name: "RoCE: losses and failures",
        settings,
    }];
    groups.push(dcqcn(rows, scenario));
    groups
}

fn dcqcn(rows: &Rows, scenario: &Scenario) -> Group {
    let dcqcn = &scenario.transport.roce.dcqcn;
    let mut settings = vec![rows.flag("transport.roce.dcqcn.enabled", "on", dcqcn.enabled, DCQCN)];
    if dcqcn.enabled {
        settings.extend([
            rows.set(
                "transport.roce.dcqcn.rule",
                "form",
                match dcqcn.rule {
                    DcqcnRule::Paper => "paper".into(),
                    DcqcnRule::Vendor => "vendor".into(),
                },
                DCQCN,
                Input::Choice(&[("paper", "SIGCOMM 2015"), ("vendor", "the vendors'")]),
            ),
            rows.text("transport.roce.dcqcn.g", "gain of α (g)", dcqcn.g, DCQCN),
            rows.text(
                "transport.roce.dcqcn.initial_alpha",
                "α at first",
                dcqcn.initial_alpha,
                DCQCN,
            ),
            rows.text(
                "transport.roce.dcqcn.alpha_timer",
                "α updated every",
                dcqcn.alpha_timer,
                DCQCN,
            ),
            rows.text(
                "transport.roce.dcqcn.rate_decrease_interval",
                "between two cuts at least",
                dcqcn.rate_decrease_interval,
                DCQCN,
            ),
            rows.text(
                "transport.roce.dcqcn.divisor",
                "cut by α over",
                dcqcn.divisor,
                DCQCN,
            ),
            rows.text(
                "transport.roce.dcqcn.min_decrease_factor",
                "a cut leaves at least (share)",
                dcqcn.min_decrease_factor,
                VENDOR,
            ),
            rows.text(
                "transport.roce.dcqcn.rate_on_first_cnp",
                "first CNP sets",
                dcqcn
                    .rate_on_first_cnp
                    .map_or_else(|| "a cut".into(), |rate| rate.to_string()),
                VENDOR,
            ),
            rows.text(
                "transport.roce.dcqcn.min_rate",
                "least rate",
                dcqcn.min_rate,
                VENDOR,
            ),
            rows.flag(
                "transport.roce.dcqcn.clamp_target_rate",
                "each cut lowers the target",
                dcqcn.clamp_target_rate,
                DCQCN,
            ),
            rows.flag(
                "transport.roce.dcqcn.clamp_after_timer",
                "increases by time count for that",
                dcqcn.clamp_after_timer,
                VENDOR,
            ),
            rows.text(
                "transport.roce.dcqcn.increase_timer",
                "increase every",
                dcqcn.increase_timer,
                DCQCN,
            ),
            rows.text(
                "transport.roce.dcqcn.byte_counter",
                "and every (bytes)",
                dcqcn.byte_counter,
                DCQCN,
            ),
            rows.text(
                "transport.roce.dcqcn.fast_recovery_steps",
                "steps of fast recovery",
                dcqcn.fast_recovery_steps,
                DCQCN,
            ),
            rows.text(
                "transport.roce.dcqcn.rate_ai",
                "additive increase",
                dcqcn.rate_ai,
                Origin::Published("The same authors' \"ECN or Delay\", CoNEXT 2016"),
            ),
            rows.text(
                "transport.roce.dcqcn.rate_hai",
                "hyper increase",
                dcqcn.rate_hai,
                VENDOR,
            ),
            rows.text(
                "transport.roce.dcqcn.cnp_interval",
                "between two CNPs at least",
                dcqcn.cnp_interval,
                DCQCN,
            ),
        ]);
    }
    Group {
        name: "Congestion control (DCQCN)",
        settings,
    }
}

fn or_derived<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "derived".into(), |value| value.to_string())
}
