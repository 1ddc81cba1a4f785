//! All settings of a scenario.

use super::rows::Rows;
use super::{Group, Input, Origin, Setting, rivals};
use crate::message::Facts;
use crate::units;
use scenario::{Model, PortStatus, Protocol, Scenario};

const UEC: Origin = Origin::Published("UEC specification 1.0.3, pages 418 and 419");
const UET: Origin = Origin::Published("UET 1.0, section 3.6.13 (NSCC)");
const API: Origin = Origin::Published("OCP companion API of MRC");
const PAPER: Origin = Origin::Published("MRC paper (arXiv:2605.04333)");
const SILENT: Origin = Origin::Chosen("The public record is silent");
const HTSIM: Origin = Origin::Published("uet-htsim; UET leaves it open");

/// The settings of a scenario with the values in force, group by group.
pub fn settings(scenario: &Scenario, facts: &Facts) -> Vec<Group> {
    let rows = Rows(serde_json::to_value(scenario).unwrap_or_default());
    let set = |path, name, value: String, origin, input| rows.set(path, name, value, origin, input);
    let text = |path, name, value: String, origin| rows.text(path, name, value, origin);
    let flag = |path, name, on: bool, origin| rows.flag(path, name, on, origin);
    let derived = |name: &'static str, value: String, rule: &'static str| Setting {
        path: None,
        name,
        value,
        is_given: false,
        origin: Origin::Derived(rule),
        input: Input::Fixed,
    };
    let group = |name: &'static str, settings: Vec<Setting>| Group { name, settings };
    let span = |ps: u64| units::span(ps as f64);
    let (fabric, transport) = (&scenario.fabric, &scenario.transport);
    let (queue, nscc) = (&fabric.queue, &transport.nscc);
    let delay = Origin::Chosen("500 ns unless the scenario says otherwise");
    let uet_rule = Origin::Derived("By UET's rules from BDP, base RTT and MTU");

    let mut groups = vec![
        group(
            "Run",
            vec![
                set(
                    "model",
                    "rules",
                    match scenario.model {
                        Model::Mrc => "mrc".into(),
                        Model::Htsim => "htsim".into(),
                    },
                    Origin::Chosen("Flowglass's own unless the scenario says otherwise"),
                    Input::Choice(&[("mrc", "Flowglass's own"), ("htsim", "as htsim does it")]),
                ),
                text("until", "ends at", scenario.until.to_string(), Origin::Required),
            ],
        ),
        group(
            "Fabric",
            vec![
                text(
                    "fabric.planes",
                    "planes",
                    fabric.planes.to_string(),
                    Origin::Required,
                ),
                text(
                    "fabric.t0_per_plane",
                    "T0s a plane",
                    fabric.t0_per_plane.to_string(),
                    Origin::Required,
                ),
                text(
                    "fabric.t1_per_plane",
                    "T1s a plane",
                    fabric.t1_per_plane.to_string(),
                    Origin::Required,
                ),
                text(
                    "fabric.t2_per_plane",
                    "T2s a plane",
                    fabric.t2_per_plane.to_string(),
                    Origin::Chosen("0 means two tiers"),
                ),
                text(
                    "fabric.pods",
                    "pods",
                    fabric.pods.to_string(),
                    Origin::Chosen("One where there are two tiers; the MRC paper's three-tier fabric has 64"),
                ),
                text(
                    "fabric.nics_per_t0",
                    "NICs a T0",
                    fabric.nics_per_t0.to_string(),
                    Origin::Required,
                ),
                text(
                    "fabric.rails",
                    "rails",
                    fabric.rails.to_string(),
                    Origin::Chosen("NICs of a node, each in a rail of its own"),
                ),
                derived(
                    "NICs",
                    units::count(fabric.nics()),
                    "T0s of a plane times NICs of a T0",
                ),
                text(
                    "fabric.nic_link_rate",
                    "NIC link",
                    fabric.nic_link_rate.to_string(),
                    Origin::Required,
                ),
                text(
                    "fabric.t1_link_rate",
                    "T0–T1 link",
                    fabric.t1_rate().to_string(),
                    Origin::Derived("That of a NIC link"),
                ),
                text(
                    "fabric.t2_link_rate",
                    "T1–T2 link",
                    fabric.t2_rate().to_string(),
                    Origin::Derived("That of a T0–T1 link"),
                ),
                text(
                    "fabric.nic_link_delay",
                    "delay, NIC link",
                    fabric.nic_link_delay.to_string(),
                    delay,
                ),
                text(
                    "fabric.t1_link_delay",
                    "delay, T0–T1",
                    fabric.t1_link_delay.to_string(),
                    delay,
                ),
                text(
                    "fabric.t2_link_delay",
                    "delay, T1–T2",
                    fabric.t2_link_delay.to_string(),
                    delay,
                ),
                text(
                    "fabric.switch_latency",
                    "switch latency",
                    fabric.switch_latency.to_string(),
                    Origin::Chosen("200 ns unless the scenario says otherwise"),
                ),
                derived(
                    "base RTT",
                    span(facts.base_rtt_ps),
                    "A full packet and its SACK over the longest idle path",
                ),
            ],
        ),
        group(
            "Queues",
            vec![
                text(
                    "fabric.queue.ecn_min_bdp",
                    "ECN from (BDP)",
                    queue.ecn_min_bdp.to_string(),
                    UEC,
                ),
                text(
                    "fabric.queue.ecn_max_bdp",
                    "ECN always from (BDP)",
                    queue.ecn_max_bdp.to_string(),
                    UEC,
                ),
                text(
                    "fabric.queue.ecn_pmax",
                    "ECN at most (share)",
                    queue.ecn_pmax.to_string(),
                    Origin::Published("UEC: 1; DCQCN's P_max is 0.01 (SIGCOMM 2015)"),
                ),
                set(
                    "fabric.queue.ecn_last_hop",
                    "ECN on the last hop",
                    queue.ecn_last_hop.map_or_else(String::new, |on| on.to_string()),
                    Origin::Derived("Off with MRC (published), on with RoCE and as htsim does it"),
                    Input::Choice(&[("", "derived"), ("true", "on"), ("false", "off")]),
                ),
                flag("fabric.queue.trimming", "trimming", queue.trimming, PAPER),
                text(
                    "fabric.queue.trim_bdp",
                    "trim from (BDP)",
                    queue.trim_bdp.to_string(),
                    UEC,
                ),
                text(
                    "fabric.queue.trim_last_hop_bdp",
                    "on the last hop (BDP)",
                    queue.trim_last_hop_bdp.to_string(),
                    UEC,
                ),
                text(
                    "fabric.queue.control_bdp",
                    "control queue (BDP)",
                    queue.control_bdp.to_string(),
                    UEC,
                ),
                text(
                    "fabric.queue.control_weight",
                    "control share",
                    queue
                        .control_weight
                        .map_or_else(|| "strict".into(), |weight| weight.to_string()),
                    Origin::Chosen("Strict priority; UEC gives trimmed packets 25 % of the line"),
                ),
            ],
        ),
        group(
            "EVs",
            vec![
                text(
                    "transport.evs",
                    "EVs in use a QP",
                    transport.evs.to_string(),
                    Origin::Published("MRC paper: 128 to 256"),
                ),
                text(
                    "transport.backup_evs",
                    "in reserve",
                    transport.backup_evs_or_default(fabric.planes).to_string(),
                    Origin::Chosen("A quarter of those in use; that there is a reserve is the MRC paper's"),
                ),
                text(
                    "transport.ev_floor",
                    "floor",
                    transport.ev_floor_or_default().to_string(),
                    Origin::Published("Example of the OCP companion API: a quarter of those in use"),
                ),
                set(
                    "transport.balancer",
                    "path choice",
                    transport.balancer.name().into(),
                    PAPER,
                    Input::Choice(&[
                        ("mrc", "EV state"),
                        ("oblivious", "oblivious"),
                        ("reps", "REPS"),
                        ("bitmap", "bitmap"),
                        ("mixed", "mixed"),
                    ]),
                ),
                flag(
                    "transport.reverse_evs",
                    "ways back of their own",
                    transport.reverse_evs,
                    PAPER,
                ),
                text(
                    "transport.probe_interval",
                    "probe interval",
                    transport.probe_interval.to_string(),
                    SILENT,
                ),
                text(
                    "transport.probes_to_revive",
                    "probes to revive",
                    transport.probes_to_revive.to_string(),
                    SILENT,
                ),
            ],
        ),
        group(
            "Packets and messages",
            vec![
                text(
                    "transport.pmtu",
                    "PMTU",
                    transport.pmtu.to_string(),
                    Origin::Published(
                        "Inferred from the MRC paper's payload efficiency of 96 %, section 5.2.1",
                    ),
                ),
                derived(
                    "full packet",
                    format!("{} B on the wire", facts.full_packet),
                    "PMTU and headers, with preamble and gap",
                ),
                text(
                    "transport.sack_every",
                    "SACK every",
                    transport.sack_every.to_string(),
                    SILENT,
                ),
                text(
                    "transport.mpr",
                    "PSN window (MPR)",
                    transport.mpr.to_string(),
                    API,
                ),
                flag(
                    "transport.message_acks",
                    "ACKs of messages",
                    transport.message_acks,
                    API,
                ),
                text(
                    "transport.max_wimm",
                    "WRITEs with immediate in flight",
                    transport.max_wimm.to_string(),
                    SILENT,
                ),
                text(
                    "transport.host_latency",
                    "latency of NIC and host",
                    transport.host_latency.to_string(),
                    SILENT,
                ),
            ],
        ),
        group(
            "Losses and failures",
            vec![
                text(
                    "transport.rto",
                    "RTO",
                    span(facts.rto_ps),
                    Origin::Chosen("From the base RTT and the API's example"),
                ),
                text(
                    "transport.linear_retries",
                    "linear retries",
                    transport.linear_retries.to_string(),
                    API,
                ),
                text(
                    "transport.exponential_retries",
                    "exponential retries",
                    transport.exponential_retries.to_string(),
                    Origin::Chosen("8; the API allows up to 25, which means for ever"),
                ),
                text(
                    "transport.reorder_window",
                    "reorder window",
                    if facts.reorder_window_ps == 0 {
                        "off".into()
                    } else {
                        span(facts.reorder_window_ps)
                    },
                    Origin::Chosen("Three base RTTs"),
                ),
                text(
                    "transport.reliability_probe",
                    "reliability probe after",
                    match transport.reliability_probe {
                        Some(time) if time.0 == 0 => "off".into(),
                        Some(time) => time.to_string(),
                        None => span(facts.reorder_window_ps),
                    },
                    Origin::Chosen("The reorder window"),
                ),
                text(
                    "transport.port_detect",
                    "a port's failure noticed after",
                    transport.port_detect.to_string(),
                    Origin::Chosen("Below 1 s on the MRC paper's testbed"),
                ),
                text(
                    "transport.port_remap",
                    "QPs moved after",
                    transport.port_remap.to_string(),
                    SILENT,
                ),
                set(
                    "transport.port_status",
                    "peers told",
                    match transport.port_status {
                        PortStatus::Update => "update".into(),
                        PortStatus::Off => "off".into(),
                    },
                    PAPER,
                    Input::Choice(&[("update", "by an update"), ("off", "not at all")]),
                ),
            ],
        ),
        group(
            "Congestion control (NSCC)",
            vec![
                flag("transport.nscc.enabled", "on", nscc.enabled, PAPER),
                text(
                    "transport.max_window_bdp",
                    "largest window (BDP)",
                    transport.max_window_bdp.to_string(),
                    UET,
                ),
                text(
                    "transport.nscc.max_cwnd",
                    "largest window",
                    or_derived(nscc.max_cwnd),
                    Origin::Derived("So many BDPs of the NIC"),
                ),
                text(
                    "transport.nscc.base_rtt",
                    "base RTT",
                    or_derived(nscc.base_rtt),
                    Origin::Derived("That of the fabric"),
                ),
                text(
                    "transport.nscc.target_delay",
                    "target delay",
                    or_derived(nscc.target_delay),
                    Origin::Derived("UET: 0.75 base RTT with trimming, 1 without"),
                ),
                text("transport.nscc.gamma", "gamma", nscc.gamma.to_string(), UET),
                text(
                    "transport.nscc.max_md_jump",
                    "most of a decrease",
                    nscc.max_md_jump.to_string(),
                    UET,
                ),
                text(
                    "transport.nscc.fi",
                    "fair increase (B)",
                    or_derived(nscc.fi),
                    uet_rule,
                ),
                text(
                    "transport.nscc.fi_scale",
                    "fast increase",
                    or_derived(nscc.fi_scale),
                    uet_rule,
                ),
                text("transport.nscc.eta", "eta (B)", or_derived(nscc.eta), uet_rule),
                text(
                    "transport.nscc.alpha",
                    "alpha (B/ns)",
                    or_derived(nscc.alpha),
                    uet_rule,
                ),
                flag(
                    "transport.nscc.disable_qa",
                    "no quick adapt",
                    nscc.disable_qa,
                    UET,
                ),
                text(
                    "transport.nscc.qa_gate",
                    "quick adapt gate",
                    nscc.qa_gate.to_string(),
                    UET,
                ),
                text(
                    "transport.nscc.qa_threshold",
                    "quick adapt from",
                    or_derived(nscc.qa_threshold),
                    Origin::Derived("UET: never with trimming, 4 target delays without"),
                ),
                text(
                    "transport.nscc.adjust_bytes_threshold",
                    "adjust after (bytes)",
                    or_derived(nscc.adjust_bytes_threshold),
                    uet_rule,
                ),
                text(
                    "transport.nscc.adjust_period_threshold",
                    "adjust after (time)",
                    or_derived(nscc.adjust_period_threshold),
                    Origin::Derived("The base RTT"),
                ),
                text(
                    "transport.nscc.delay_weight",
                    "weight of a delay sample",
                    nscc.delay_weight.to_string(),
                    HTSIM,
                ),
                text(
                    "transport.nscc.idle_delay",
                    "idle below",
                    nscc.idle_delay.to_string(),
                    HTSIM,
                ),
            ],
        ),
    ];
    // In the order of the page: the fabric first, then the endpoints.
    let is_roce = transport.protocol == Protocol::Roce;
    let at = |groups: &[Group], name: &str| {
        groups
            .iter()
            .position(|group| group.name == name)
            .map_or(groups.len(), |at| at + 1)
    };
    let after_queues = at(&groups, "Queues");
    groups.insert(after_queues, rivals::pfc(&rows, scenario));
    groups.insert(after_queues, rivals::routing(&rows, scenario));
    let after_run = at(&groups, "Run");
    groups.insert(after_run, group("Endpoints", rivals::protocol(&rows, scenario)));
    groups.extend(rivals::roce(&rows, scenario));
    let mut mapper = vec![set(
        "clustermapper",
        "probes of all links",
        match scenario.clustermapper {
            Some(_) => "{}".into(),
            None => String::new(),
        },
        Origin::Chosen("Off unless the scenario says otherwise"),
        Input::Choice(&[("", "off"), ("{}", "on")]),
    )];
    if let Some(given) = &scenario.clustermapper {
        mapper.extend([
            text(
                "clustermapper.interval",
                "every",
                given.interval.to_string(),
                PAPER,
            ),
            text(
                "clustermapper.t1_probes",
                "T1 probes an agent",
                or_derived(given.t1_probes),
                Origin::Derived("As many as it takes to cover every T0–T1 link once an interval"),
            ),
            flag(
                "clustermapper.denylist",
                "EVs over bad links denied",
                given.denylist,
                Origin::Published("MRC paper: unnecessary for pretraining, off"),
            ),
            flag(
                "clustermapper.degraded_planes",
                "lossy planes of NICs left",
                given.degraded_planes,
                PAPER,
            ),
            text(
                "clustermapper.window",
                "judged by (probes)",
                given.window.to_string(),
                SILENT,
            ),
            text(
                "clustermapper.threshold",
                "bad from (share lost)",
                given.threshold.to_string(),
                SILENT,
            ),
        ]);
    }
    groups.push(group("Clustermapper", mapper));
    if is_roce {
        leave_out_mrc(&mut groups);
        groups.retain(|group| group.name != "Clustermapper" || scenario.clustermapper.is_some());
    }
    groups
}

fn or_derived<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "derived".into(), |value| value.to_string())
}

/// Takes away what has no meaning with RoCE: of the endpoints' settings all that both protocols do not share.
fn leave_out_mrc(groups: &mut Vec<Group>) {
    const SHARED: [&str; 4] = [
        "transport.protocol",
        "transport.qps",
        "transport.pmtu",
        "transport.host_latency",
    ];
    let fits = |setting: &Setting| match setting.path {
        // Nothing is trimmed.
        Some(path) if path.starts_with("fabric.queue.trim") => false,
        Some(path) => {
            !path.starts_with("transport.") || path.starts_with("transport.roce.") || SHARED.contains(&path)
        }
        None => true,
    };
    for group in groups.iter_mut() {
        group.settings.retain(fits);
    }
    groups.retain(|group| !group.settings.is_empty());
}

#[cfg(test)]
mod tests {
    use super::super::edit;
    use super::*;

    fn scenario(more: &str) -> Scenario {
        let json = format!(
            r#"{{ "version": 1, "until": "1ms", {more}
                 "fabric": {{ "planes": 2, "t0_per_plane": 4, "t1_per_plane": 4, "nics_per_t0": 2, "nic_link_rate": "100Gbps" }},
                 "traffic": [ {{ "kind": "permutation", "shift": 2, "bytes": "1MB" }} ] }}"#
        );
        Scenario::from_json(&json).unwrap()
    }

    fn find<'a>(groups: &'a [Group], path: &str) -> &'a Setting {
        let mut all = groups.iter().flat_map(|group| &group.settings);
        all.find(|setting| setting.path == Some(path)).unwrap()
    }

    #[test]
    fn every_setting_can_be_set_to_what_it_is() {
        every_one_can(&scenario(r#""clustermapper": {},"#));
    }

    #[test]
    fn with_roce_too_and_none_of_mrc_s_is_there() {
        let scenario = roce();
        every_one_can(&scenario);
        let groups = settings(&scenario, &Facts::default());
        let all = groups.iter().flat_map(|group| &group.settings);
        let paths: Vec<&str> = all.filter_map(|setting| setting.path).collect();
        for path in [
            "transport.protocol",
            "transport.qps",
            "fabric.routing",
            "fabric.convergence.detect",
            "fabric.pfc.xoff",
            "fabric.queue.ecn_pmax",
            "transport.roce.recovery",
            "transport.roce.dcqcn.g",
        ] {
            assert!(paths.contains(&path), "{path}");
        }
        for path in [
            "transport.evs",
            "transport.balancer",
            "transport.nscc.enabled",
            "clustermapper",
            "fabric.queue.trimming",
            "fabric.queue.trim_bdp",
            "fabric.queue.trim_last_hop_bdp",
        ] {
            assert!(!paths.contains(&path), "{path}");
        }
    }

    fn roce() -> Scenario {
        Scenario::from_json(
            r#"{ "version": 1, "until": "1ms",
                 "fabric": { "planes": 2, "t0_per_plane": 4, "t1_per_plane": 4, "nics_per_t0": 2, "nic_link_rate": "100Gbps",
                             "routing": "ecmp", "pfc": {} },
                 "transport": { "protocol": "roce", "roce": { "recovery": "selective_repeat" } },
                 "traffic": [ { "kind": "permutation", "shift": 2, "bytes": "1MB" } ] }"#,
        )
        .unwrap()
    }

    fn every_one_can(scenario: &Scenario) {
        let facts = Facts {
            rto_ps: 300_000_000,
            reorder_window_ps: 20_000_000,
            ..Facts::default()
        };
        for setting in settings(scenario, &facts)
            .iter()
            .flat_map(|group| &group.settings)
        {
            let Some(path) = setting.path else { continue };
            match setting.input {
                Input::Choice(list) => {
                    assert!(list.iter().any(|(value, _)| *value == setting.value), "{path}");
                }
                // A word stands for what is not said.
                Input::Text if ["derived", "strict", "no limit", "a cut"].contains(&&*setting.value) => {
                    continue;
                }
                Input::Text | Input::Fixed => {}
            }
            let same = edit(scenario, path, &setting.value);
            let same = same.unwrap_or_else(|why| panic!("{path} = {:?}: {why:?}", setting.value));
            // Said or not, it is the same.
            let (was, is) = (settings(scenario, &facts), settings(&same, &facts));
            assert_eq!(find(&was, path).value, find(&is, path).value, "{path}");
        }
    }

    #[test]
    fn what_a_scenario_says_is_told_from_what_it_does_not() {
        let groups = settings(
            &scenario(r#""transport": { "evs": 64, "nscc": { "gamma": 0.5 } },"#),
            &Facts::default(),
        );
        for (path, value, is_given) in [
            ("fabric.planes", "2", true),
            ("fabric.t1_link_rate", "100 Gb/s", false),
            ("transport.evs", "64", true),
            ("transport.backup_evs", "16", false),
            ("transport.nscc.gamma", "0.5", true),
            ("transport.nscc.qa_gate", "3", false),
            ("transport.port_status", "update", false),
            ("clustermapper", "", false),
        ] {
            let setting = find(&groups, path);
            assert_eq!(
                (setting.value.as_str(), setting.is_given),
                (value, is_given),
                "{path}"
            );
        }
        let last = groups.last().unwrap();
        assert_eq!(last.settings.len(), 1, "what is off has no settings of its own");
    }
}
