//! Says everything that is wrong with a host scenario at once.

use super::events::HostEvent;
use super::limits;
use super::machine::{Host, PathLatency};
use super::policy::{NsgRule, Policy};
use super::traffic::{Attempt, Traffic};
use super::{HostScenario, Path, Vm, tables};
use crate::problem::{Problem, Problems};
use crate::quantity::Time;
use crate::schema::VERSION;
use crate::validate::{check_text, within};
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::ops::RangeInclusive;

impl HostScenario {
    /// Checks every bound, and that all that is named exists.
    ///
    /// # Errors
    /// All problems in the order of the fields, at most [`MAX_PROBLEMS`](crate::limits::MAX_PROBLEMS) of them one by one; if
    /// there are more, one last entry with an empty `field` gives their number.
    pub fn validate(&self) -> Result<(), Vec<Problem>> {
        let mut problems = Problems::default();
        let p = &mut problems;
        if self.version != VERSION {
            let reason = format!("is {}; expected {VERSION}", self.version);
            p.add(|| "version".into(), reason, "");
        }
        check_text(p, "name", &self.name, crate::limits::MAX_NAME_CHARS, false);
        check_text(p, "about", &self.about, crate::limits::MAX_ABOUT_CHARS, true);
        within(
            p,
            || "until".into(),
            self.until,
            &(Time(1)..=limits::MAX_TIME),
            "the run ends here",
        );
        check_host(&self.host, self.until, p);
        count(p, "vms", self.vms.len(), *limits::VMS.start(), *limits::VMS.end());
        for (i, vm) in self.vms.iter().enumerate().take(*limits::VMS.end()) {
            check_vm(vm, i, p);
        }
        count(p, "traffic", self.traffic.len(), 0, limits::MAX_TRAFFIC);
        for (i, traffic) in self.traffic.iter().enumerate().take(limits::MAX_TRAFFIC) {
            check_traffic(traffic, i, self, p);
        }
        check_totals(self, p);
        count(p, "events", self.events.len(), 0, limits::MAX_EVENTS);
        for (i, event) in self.events.iter().enumerate().take(limits::MAX_EVENTS) {
            check_event(event, i, self, p);
        }
        problems.into_result()
    }
}

fn count(p: &mut Problems, field: &str, found: usize, least: usize, most: usize) {
    if found < least || found > most {
        let reason = format!("has {found} entries; expected {least} to {most}");
        p.add(|| field.into(), reason, "");
    }
}

/// "is 0; expected a number above 0 and up to 100" if it is none.
fn positive(p: &mut Problems, field: impl FnOnce() -> String, value: f64, max: f64) {
    if !(value > 0.0 && value <= max) {
        p.add(
            field,
            format!("is {value}; expected a number above 0 and up to {max}"),
            "",
        );
    }
}

/// Checks of the form "this field lies within that range".
macro_rules! bounds {
    ($p:ident, $at:expr; $($field:literal: $value:expr, $range:expr, $hint:expr;)*) => {
        $( within($p, || format!("{}.{}", $at, $field), $value, &$range, $hint); )*
    };
}

fn check_host(host: &Host, until: Time, p: &mut Problems) {
    bounds! { p, "host";
        "link_rate": host.link_rate, limits::RATE, "";
        "link_buffer": host.link_buffer, limits::LINK_BUFFER, "";
    }
    let nic = &host.nic;
    bounds! { p, "host.nic";
        "l2_access": nic.l2_access, limits::ACCESS, "";
        "l3_access": nic.l3_access, limits::ACCESS, "";
        "install_latency": nic.install_latency, limits::INSTALL, "";
        "l2_accesses_per_second": nic.l2_accesses_per_second, limits::ACCESSES, "";
        "counter_period": nic.counter_period, limits::AWAY, "";
    }
    let l1_sets = check_cache("l1", nic.l1_entries, &limits::L1_ENTRIES, nic.l1_ways, p);
    check_cache("l2", nic.l2_entries, &limits::L2_ENTRIES, nic.l2_ways, p);
    let at = || "host.nic.l1_partitions".to_owned();
    if within(p, at, nic.l1_partitions, &limits::L1_PARTITIONS, "a power of two")
        && let Some(sets) = l1_sets
        && (!nic.l1_partitions.is_power_of_two() || nic.l1_partitions > sets)
    {
        let reason = format!(
            "is {}; expected a power of two up to the number of sets",
            nic.l1_partitions
        );
        p.add(at, reason, "");
    }
    let software = &host.software;
    bounds! { p, "host.software";
        "cores": software.cores, limits::CORES, "";
        "exception_cores": software.exception_cores, 1..=software.cores.max(1), "at most as many as there are cores";
        "queue": software.queue, limits::QUEUE, "packets that wait for a core";
        "packet": software.packet, limits::COST, "";
        "byte": software.byte, limits::COST, "";
        "layer": software.layer, limits::COST, "";
        "rule_step": software.rule_step, limits::COST, "";
        "table": software.table, limits::COST, "";
        "entry": software.entry, limits::COST, "";
        "offload": software.offload, limits::COST, "";
        "copy": software.copy, limits::COST, "";
    }
    check_latency(&host.latency.hardware, "host.latency.hardware", p);
    check_latency(&host.latency.software, "host.latency.software", p);
    let tcp = &host.tcp;
    bounds! { p, "host.tcp";
        "mss": tcp.mss, limits::MSS, "payload bytes";
        "window": tcp.window, limits::WINDOW, "";
        "initial_window": tcp.initial_window, limits::INITIAL_WINDOW, "segments";
        "min_rto": tcp.min_rto, limits::MIN_RTO, "";
        "delayed_ack": tcp.delayed_ack, limits::DELAYED_ACK, "";
        "syn_retries": tcp.syn_retries, limits::SYN_RETRIES, "";
        "retries": tcp.retries, limits::RETRIES, "";
        "backlog": tcp.backlog, limits::BACKLOG, "";
        "backlog_timeout": tcp.backlog_timeout, limits::BACKLOG_TIMEOUT, "";
    }
    let timers = &host.timers;
    bounds! { p, "host.timers";
        "half_open": timers.half_open, limits::TTL, "";
        "established": timers.established, limits::TTL, "";
        "time_wait": timers.time_wait, limits::TTL, "";
        "reset": timers.reset, limits::TTL, "";
    }
    let servicing = &host.servicing;
    bounds! { p, "host.servicing";
        "takeover": servicing.takeover, limits::STEP, "";
        "removal": servicing.removal, limits::STEP, "";
        "registration": servicing.registration, limits::STEP, "";
        "failsafe_poll": servicing.failsafe_poll, Time::us(1)..=*limits::STEP.end(), "";
    }
    if let Some(limit) = &host.defences.syn_rate_limit {
        let at = "host.defences.syn_rate_limit";
        positive(
            p,
            || format!("{at}.per_second"),
            limit.per_second,
            limits::MAX_CONNECTION_RATE,
        );
        bounds! { p, at; "burst": limit.burst, limits::BURST, "SYNs at once"; }
    }
    if let Some(sample) = host.sample {
        let least = Time(until.0.div_ceil(limits::MAX_SAMPLES).max(1));
        if sample < least || sample > limits::MAX_TIME {
            let reason = format!("is {sample}; expected {least} to {}", limits::MAX_TIME);
            p.add(|| "host.sample".into(), reason, "at most 10000 points in a run");
        }
    }
}

/// How many sets a cache of the NIC has, if its shape is one: one problem for each field, and none that follows from another.
fn check_cache(
    level: &str,
    entries: u32,
    range: &RangeInclusive<u32>,
    ways: u32,
    p: &mut Problems,
) -> Option<u32> {
    let at = || format!("host.nic.{level}_entries");
    let mut good = within(p, at, entries, range, "a power of two");
    if good && !entries.is_power_of_two() {
        let reason = format!("is {entries}, which is no power of two");
        p.add(at, reason, "sets are chosen by bits of the hash");
        good = false;
    }
    let at = || format!("host.nic.{level}_ways");
    if !within(p, at, ways, &limits::WAYS, "1 is direct-mapped") {
        return None;
    }
    if !ways.is_power_of_two() || good && ways > entries {
        let reason = format!("is {ways}; expected a power of two up to the number of entries");
        p.add(at, reason, "");
        return None;
    }
    good.then(|| entries / ways)
}

fn check_latency(latency: &PathLatency, at: &str, p: &mut Problems) {
    let PathLatency { mean, p99, p999 } = *latency;
    if !within(p, || format!("{at}.mean"), mean, &limits::LATENCY, "") {
        return;
    }
    let most = Time(mean.0 * limits::MAX_P99);
    let hint = "of a distribution with these three figures";
    if within(p, || format!("{at}.p99"), p99, &(mean..=most), hint) {
        let most = Time(p99.0 * limits::MAX_P999);
        within(p, || format!("{at}.p999"), p999, &(p99..=most), hint);
    }
}

fn check_vm(vm: &Vm, i: usize, p: &mut Problems) {
    let at = format!("vms[{i}]");
    if vm.name.chars().count() > crate::limits::MAX_NAME_CHARS || vm.name.chars().any(char::is_control) {
        let reason = "is no plain text of at most 200 characters".to_owned();
        p.add(|| format!("{at}.name"), reason, "");
    }
    if let Some(rate) = vm.rate {
        bounds! { p, at; "rate": rate, limits::RATE, ""; }
    }
    bounds! { p, at; "tx_ring": vm.tx_ring, limits::TX_RING, "packets"; }
    bounds! { p, at; "limits.total": vm.limits.total, 2..=*limits::FLOW_LIMIT.end(), "two for each connection"; }
    if let Some(half_open) = vm.limits.half_open {
        bounds! { p, at; "limits.half_open": half_open, limits::FLOW_LIMIT, ""; }
    }
    if let Some(rate) = vm.limits.exceptions_per_second {
        positive(
            p,
            || format!("{at}.limits.exceptions_per_second"),
            rate,
            limits::MAX_CONNECTION_RATE,
        );
    }
    check_policy(&vm.policy, &format!("{at}.policy"), p);
}

fn check_policy(policy: &Policy, at: &str, p: &mut Problems) {
    bounds! { p, at; "filler_rules": policy.filler_rules, limits::FILLER, ""; }
    if let Some(snat) = policy.snat {
        bounds! { p, at; "snat.ports": snat.ports, limits::SNAT_PORTS, "a multiple of 8"; }
        if !snat.ports.is_multiple_of(8) {
            let reason = format!("is {}, which is no multiple of 8", snat.ports);
            p.add(|| format!("{at}.snat.ports"), reason, "ports come in blocks of 8");
        }
    }
    if let Some(rules) = &policy.nsg {
        check_rules(rules, &format!("{at}.nsg"), p);
    }
}

fn check_rules(rules: &[NsgRule], at: &str, p: &mut Problems) {
    count(p, at, rules.len(), 0, limits::MAX_NSG_RULES);
    let mut seen = BTreeSet::new();
    for (i, rule) in rules.iter().enumerate().take(limits::MAX_NSG_RULES) {
        let at = format!("{at}[{i}]");
        bounds! { p, at; "priority": rule.priority, limits::NSG_PRIORITY, "lower comes first"; }
        if !seen.insert((rule.direction as u8, rule.priority)) {
            let reason = format!("is {}, as of another rule of this direction", rule.priority);
            p.add(|| format!("{at}.priority"), reason, "priorities are unique");
        }
        if rule.name.is_empty() || rule.name.chars().count() > 80 || rule.name.chars().any(char::is_control) {
            p.add(
                || format!("{at}.name"),
                "is no plain text of 1 to 80 characters".into(),
                "",
            );
        }
        if !["tcp", "udp", "icmp", "*"].contains(&rule.protocol.to_ascii_lowercase().as_str()) {
            let reason = format!("is {:?}; expected tcp, udp, icmp or *", clip(&rule.protocol));
            p.add(|| format!("{at}.protocol"), reason, "");
        }
        for (name, text) in [("source", &rule.source), ("destination", &rule.destination)] {
            if !is_prefix(text) {
                let reason = format!("is {:?}; expected a prefix such as 10.0.0.0/8, or *", clip(text));
                p.add(|| format!("{at}.{name}"), reason, "");
            }
        }
        for (name, text) in [
            ("source_ports", &rule.source_ports),
            ("destination_ports", &rule.destination_ports),
        ] {
            if super::policy::ports(text).is_none() {
                let reason = format!("is {:?}; expected 80, 1000-2000 or *", clip(text));
                p.add(|| format!("{at}.{name}"), reason, "");
            }
        }
    }
}

fn clip(text: &str) -> String {
    crate::quantity::clip(text)
}

fn is_prefix(text: &str) -> bool {
    if text == "*" {
        return true;
    }
    let (address, length) = match text.split_once('/') {
        Some((address, length)) => (address, Some(length)),
        None => (text, None),
    };
    let Ok(address) = address.parse::<IpAddr>() else {
        return false;
    };
    let most = if address.is_ipv4() { 32 } else { 128 };
    length.is_none_or(|l| l.bytes().all(|b| b.is_ascii_digit()) && l.parse::<u8>().is_ok_and(|l| l <= most))
}

fn vm_exists(p: &mut Problems, at: &str, vm: u32, scenario: &HostScenario) {
    let count = scenario.vms.len();
    if vm as usize >= count && count > 0 {
        let reason = format!("is {vm}; expected 0 to {}", count - 1);
        p.add(|| format!("{at}.vm"), reason, "");
    }
}

fn in_run(p: &mut Problems, at: &str, name: &str, time: Time) {
    within(
        p,
        || format!("{at}.{name}"),
        time,
        &(Time(0)..=limits::MAX_TIME),
        "",
    );
}

fn check_traffic(traffic: &Traffic, i: usize, scenario: &HostScenario, p: &mut Problems) {
    let at = format!("traffic[{i}]");
    vm_exists(p, &at, traffic.vm(), scenario);
    match traffic {
        Traffic::Ping {
            count,
            bytes,
            pause,
            start,
            ..
        } => {
            bounds! { p, at;
                "count": *count, limits::PINGS, "";
                "bytes": *bytes, 1..=1_460, "";
            }
            in_run(p, &at, "pause", *pause);
            in_run(p, &at, "start", *start);
        }
        Traffic::Stream {
            connections,
            bytes,
            start,
            ..
        } => {
            bounds! { p, at; "connections": *connections, limits::STREAMS, ""; }
            if let Some(bytes) = bytes {
                bounds! { p, at; "bytes": *bytes, limits::TRANSFER, ""; }
            }
            in_run(p, &at, "start", *start);
        }
        Traffic::Connections {
            per_second,
            request,
            response,
            hold,
            peers,
            internet,
            start,
            stop,
            ..
        } => {
            positive(
                p,
                || format!("{at}.per_second"),
                *per_second,
                limits::MAX_CONNECTION_RATE,
            );
            bounds! { p, at;
                "request": *request, 0..=limits::MAX_MESSAGE, "";
                "response": *response, 0..=limits::MAX_MESSAGE, "";
            }
            let (most, hint) = match internet {
                true => (limits::OUTSIDE_PEERS, ""),
                false => (limits::PEERS, "of the VNET"),
            };
            bounds! { p, at; "peers": *peers, most, hint; }
            in_run(p, &at, "hold", *hold);
            check_span(p, &at, *start, *stop);
            if *response > 0 && *request == 0 {
                let reason = format!("is {response}, and nothing is asked; expected 0, or a request above 0");
                p.add(|| format!("{at}.response"), reason, "");
            }
        }
        Traffic::SynFlood {
            per_second,
            sources,
            start,
            stop,
            ..
        } => {
            positive(
                p,
                || format!("{at}.per_second"),
                *per_second,
                limits::MAX_CONNECTION_RATE,
            );
            bounds! { p, at; "sources": *sources, limits::SOURCES, ""; }
            check_span(p, &at, *start, *stop);
        }
        Traffic::Flows {
            flows,
            per_second,
            bytes,
            skew,
            lifetime,
            warm,
            start,
            stop,
            vm,
            ..
        } => {
            positive(
                p,
                || format!("{at}.per_second"),
                *per_second,
                limits::MAX_PACKET_RATE,
            );
            let most = scenario
                .vms
                .get(*vm as usize)
                .map_or(u32::MAX, |vm| vm.limits.total / 2);
            if *warm && *flows > most {
                let reason = format!("is {flows}, and the VM may have {most} conversations at a time");
                p.add(
                    || format!("{at}.flows"),
                    reason,
                    "each has two of its limits.total",
                );
            }
            bounds! { p, at;
                "flows": *flows, limits::FLOWS, "";
                "bytes": *bytes, limits::PACKET, "IP bytes";
            }
            if !(0.0..=limits::MAX_SKEW).contains(skew) {
                let reason = format!("is {skew}; expected 0 to {}", limits::MAX_SKEW);
                p.add(|| format!("{at}.skew"), reason, "the exponent of Zipf's law");
            }
            if let Some(lifetime) = lifetime {
                bounds! { p, at; "lifetime": *lifetime, limits::AWAY, ""; }
            }
            check_span(p, &at, *start, *stop);
        }
        Traffic::Replay { flows, .. } => {
            count(p, &format!("{at}.flows"), flows.len(), 1, limits::MAX_REPLAY);
            for (j, flow) in flows.iter().enumerate().take(limits::MAX_REPLAY) {
                let at = format!("{at}.flows[{j}]");
                bounds! { p, at;
                    "packets": flow.packets, limits::REPLAY_PACKETS, "";
                    "bytes": flow.bytes, limits::PACKET, "IP bytes";
                }
                in_run(p, &at, "at", flow.at);
                in_run(p, &at, "duration", flow.duration);
                if flow.peer.parse::<std::net::Ipv4Addr>().is_err() {
                    let reason = format!("is {:?}; expected an IPv4 address", clip(&flow.peer));
                    p.add(|| format!("{at}.peer"), reason, "");
                }
            }
        }
        Traffic::Rdma {
            bytes,
            fallback,
            start,
            ..
        } => {
            bounds! { p, at; "bytes": *bytes, crate::quantity::Bytes(1)..=crate::quantity::Bytes(1 << 30), ""; }
            in_run(p, &at, "fallback", *fallback);
            in_run(p, &at, "start", *start);
        }
        Traffic::Attack {
            vm,
            attempt,
            victim,
            per_second,
            start,
            stop,
        } => {
            positive(
                p,
                || format!("{at}.per_second"),
                *per_second,
                limits::MAX_ATTACK_RATE,
            );
            check_span(p, &at, *start, *stop);
            let count = scenario.vms.len() as u32;
            match *victim {
                None if attempt.has_victim() => {
                    let reason = format!("is left out, and {} needs one", attempt.name());
                    p.add(|| format!("{at}.victim"), reason, "another VM");
                }
                Some(_) if !attempt.has_victim() => {
                    let reason = format!("is given, and {} has none", attempt.name());
                    p.add(|| format!("{at}.victim"), reason, "");
                }
                Some(victim) if victim >= count || victim == *vm => {
                    let reason = format!("is {victim}; expected another VM's number, below {count}");
                    p.add(|| format!("{at}.victim"), reason, "");
                }
                _ => {}
            }
            let needs_vf = matches!(attempt, Attempt::Dma | Attempt::CacheTiming);
            let synthetic = |vm: u32| {
                let vm = scenario.vms.get(vm as usize);
                vm.is_some_and(|vm| vm.path == Path::Synthetic)
            };
            if *attempt == Attempt::CacheTiming && scenario.host.nic.l1_ways != 1 {
                let reason = "is cache_timing, which here needs a direct-mapped cache".to_owned();
                p.add(|| format!("{at}.attempt"), reason, "host.nic.l1_ways of 1");
            }
            if needs_vf && (synthetic(*vm) || victim.is_some_and(synthetic)) {
                let reason = format!("is {}, and the VM has no VF", attempt.name());
                p.add(|| format!("{at}.attempt"), reason, "");
            }
        }
    }
}

/// What fits one by one may be too much together.
fn check_totals(scenario: &HostScenario, p: &mut Problems) {
    let begin: f64 = scenario.traffic.iter().map(tables::connections_per_second).sum();
    let min_rto = scenario.host.tcp.min_rto;
    if begin * min_rto.0 as f64 / 1e12 > limits::MAX_TIMERS {
        let reason = format!(
            "is {min_rto}, and {begin:.0} connections begin per second; expected at most {} in that time",
            limits::MAX_TIMERS
        );
        p.add(
            || "host.tcp.min_rto".into(),
            reason,
            "each leaves its timer for so long",
        );
    }
    let flows: u64 = scenario.traffic.iter().map(tables::udp_flows).sum();
    if flows > limits::MAX_FLOWS {
        let reason = format!(
            "has {flows} UDP flows at a time in all; expected at most {}",
            limits::MAX_FLOWS
        );
        p.add(|| "traffic".into(), reason, "flows of all traffic together");
        // The tables are too full of the same flows.
        return;
    }
    let flows = tables::most_flows(scenario);
    if flows > limits::MAX_TABLES {
        let reason = format!(
            "may come to {flows} flows in the VMs' tables; expected at most {}",
            limits::MAX_TABLES
        );
        p.add(
            || "vms".into(),
            reason,
            "two for each conversation; limits.total of a VM bounds its own",
        );
    }
}

fn check_span(p: &mut Problems, at: &str, start: Time, stop: Option<Time>) {
    in_run(p, at, "start", start);
    if let Some(stop) = stop {
        within(
            p,
            || format!("{at}.stop"),
            stop,
            &(start..=limits::MAX_TIME),
            "not before its start",
        );
    }
}

fn check_event(event: &HostEvent, i: usize, scenario: &HostScenario, p: &mut Problems) {
    let at = format!("events[{i}]");
    in_run(p, &at, "at", event.at());
    match event {
        HostEvent::PolicyChange { vm, add, .. } => {
            vm_exists(p, &at, *vm, scenario);
            check_rules(add, &format!("{at}.add"), p);
            let old = scenario
                .vms
                .get(*vm as usize)
                .and_then(|vm| vm.policy.nsg.as_ref());
            let taken = |rule: &NsgRule| {
                old.is_some_and(|old| {
                    old.iter()
                        .any(|o| o.direction == rule.direction && o.priority == rule.priority)
                })
            };
            for (j, rule) in add.iter().enumerate().filter(|(_, rule)| taken(rule)) {
                let reason = format!("is {}, as of a rule that the VM has", rule.priority);
                p.add(
                    || format!("{at}.add[{j}].priority"),
                    reason,
                    "priorities are unique",
                );
            }
        }
        HostEvent::VfRevoke { vm, duration, .. } => {
            if let Some(vm) = vm {
                vm_exists(p, &at, *vm, scenario);
            }
            bounds! { p, at; "duration": *duration, limits::AWAY, ""; }
        }
        HostEvent::FpgaReconfig {
            duration,
            wire_outage,
            ..
        } => {
            bounds! { p, at;
                "duration": *duration, limits::AWAY, "";
                "wire_outage": *wire_outage, Time(0)..=*duration, "a part of the duration";
            }
        }
        HostEvent::DriverUpdate { duration, .. } => {
            bounds! { p, at; "duration": *duration, limits::AWAY, ""; }
        }
        HostEvent::Migrate { vm, blackout, .. } => {
            vm_exists(p, &at, *vm, scenario);
            bounds! { p, at; "blackout": *blackout, Time(0)..=Time::s(100), ""; }
        }
        HostEvent::VfStorm {
            vm,
            count,
            period,
            duration,
            ..
        } => {
            vm_exists(p, &at, *vm, scenario);
            bounds! { p, at;
                "count": *count, limits::STORM, "";
                "duration": *duration, limits::AWAY, "";
                "period": *period, *duration..=limits::MAX_TIME, "not shorter than the duration";
            }
        }
    }
}
