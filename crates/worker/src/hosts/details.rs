//! What the inspector and the list of flows show.

use super::tuples::{key, of_headers};
use super::words::{changes, fact, headers};
use super::{Identity, look};
use gft::{Direction, FlowKey, State};
use host::{Packet, Place, Run};
use vfp::{EntryView, FlowView};
use view::host::message::{Count, Detail, FlowDetail, FlowRow, GroupView, RuleView, Target, WayView};
use view::units;

/// Rows in the list of flows at most.
const ROWS: usize = 300;
/// Rules of a group that are shown.
const RULES: usize = 40;

/// Details of something; none where it can't be. A packet is looked for by its number and has to be the one that is meant.
pub fn detail(run: &Run, target: Target, packet: Option<&Identity>) -> Option<Detail> {
    match target {
        Target::Packet { id } => Some(
            run.packets()
                .find(|&(number, of)| number == id && Some(&Identity::of(of)) == packet)
                .map_or(Detail::PacketGone, |(_, packet)| of_packet(run, id, packet)),
        ),
        Target::Flow { vm, handle } => Some(match run.port(vm)?.flow(handle) {
            Some(flow) => Detail::Flow(Box::new(of_flow(run, vm, &flow))),
            None => Detail::FlowGone,
        }),
        Target::Layer { vm, layer } => of_layer(run, vm, layer),
        Target::Vm { vm } => of_vm(run, vm),
        Target::Nic => Some(of_nic(run)),
    }
}

fn of_packet(run: &Run, id: u32, packet: &Packet) -> Detail {
    let dot = look::dot(run, id, packet);
    let port = run.port(packet.vm);
    let number = port.map_or(0, vfp::Port::number);
    // Where the packet still has the headers with which it came, the layers can be asked about it; after that its flow is known
    // by the answer to it.
    let early = matches!(
        packet.place,
        Place::GuestToNic
            | Place::GuestToSwitch
            | Place::CoreQueue(_)
            | Place::Core(_)
            | Place::FromNetwork
            | Place::Link
    ) || packet.exception.is_some() && packet.place == Place::Pipeline;
    let flow = port.and_then(|port| {
        let own = packet.headers.key(number, packet.direction);
        let answer = FlowKey {
            tuple: packet.headers.tuple.reversed(),
            tni: packet.headers.encaps[0].map_or(0, |outer| outer.tni),
            port: number,
            direction: packet.direction.reversed(),
        };
        port.flow_of(if early { &own } else { &answer })
    });
    let mut facts = vec![
        fact("Kind", dot.kind.name()),
        fact("VM", packet.vm),
        fact(
            "Direction",
            match packet.direction {
                Direction::Out => "outbound",
                Direction::In => "inbound",
            },
        ),
        fact("Where", dot.place.name()),
        fact("Way", packet.route.name()),
    ];
    if let Some(reason) = packet.exception {
        facts.push(fact("Exception", format!("{reason:?}")));
    }
    facts.push(fact("IP bytes", packet.bytes));
    facts.push(fact("Payload", packet.payload()));
    facts.push(fact(
        "Under way for",
        units::span(run.now().saturating_sub(packet.sent).ps() as f64),
    ));
    Detail::Packet {
        facts,
        headers: headers(&packet.headers),
        walk: early
            .then(|| of_headers(run, packet.vm, &packet.headers, packet.direction).map(Box::new))
            .flatten(),
        flow: flow.map(|flow| Box::new(of_flow(run, packet.vm, &flow))),
    }
}

/// The entry of a flow in the NIC, in words.
fn entry_state(run: &Run, key: &FlowKey) -> String {
    let tables = run.nic().tables();
    let entry = tables.id_of(key).and_then(|id| tables.entry(id, run.nic_now()));
    match entry {
        None => "none".into(),
        Some(entry) => {
            let state = match entry.state {
                State::Deactivated => "Deactivated",
                State::Activated => "Activated",
            };
            let level = entry
                .level
                .map_or("evicted".into(), |level| format!("in {level:?}"));
            let stale = if entry.stale { ", stale" } else { "" };
            format!("{state}, {level}{stale}")
        }
    }
}

fn of_flow(run: &Run, vm: u32, flow: &FlowView) -> FlowDetail {
    let now = run.now();
    let span = |time: kernel::Time| units::span(time.ps() as f64);
    let way = |entry: &EntryView| WayView {
        key: key(&entry.key),
        facts: vec![
            fact("Packets", units::count(entry.packets)),
            fact("Bytes", units::count(entry.bytes)),
            fact("Entry in the NIC", entry_state(run, &entry.key)),
        ],
        changes: changes(&entry.transposition),
    };
    FlowDetail {
        vm,
        handle: flow.handle,
        facts: vec![
            fact("State", flow.state.name()),
            fact(
                "Generation",
                if flow.stale {
                    format!("{}, stale", flow.generation)
                } else {
                    flow.generation.to_string()
                },
            ),
            fact("Offloaded", if flow.offloaded { "yes" } else { "no" }),
            fact("Age", span(now.saturating_sub(flow.created))),
            fact("Idle for", span(now.saturating_sub(flow.last_seen))),
            fact("Lives for", span(flow.deadline.saturating_sub(now))),
        ],
        ways: std::iter::once(&flow.forward)
            .chain(&flow.answer)
            .map(way)
            .collect(),
    }
}

/// The first unified flows of a VM, and how many pairs there are; none where there is no such VM.
pub fn flows(run: &Run, vm: u32) -> Option<(Vec<FlowRow>, u32)> {
    let port = run.port(vm)?;
    let rows = port
        .flows()
        .take(ROWS)
        .map(|flow| FlowRow {
            handle: flow.handle,
            key: key(&flow.forward.key),
            state: flow.state.name().into(),
            generation: flow.generation,
            stale: flow.stale,
            entry: entry_state(run, &flow.forward.key),
            packets: flow.forward.packets + flow.answer.map_or(0, |answer| answer.packets),
            idle_ps: run.now().saturating_sub(flow.last_seen).ps(),
        })
        .collect();
    Some((rows, port.pairs() as u32))
}

fn of_layer(run: &Run, vm: u32, layer: u32) -> Option<Detail> {
    let port = run.port(vm)?;
    let policy = port.policy().source();
    let of = policy.layers.get(layer as usize)?;
    let groups = of.groups.iter().enumerate().map(|(at, group)| {
        let mut rules: Vec<(usize, &vfp::Rule)> = group.rules.iter().enumerate().collect();
        rules.sort_by_key(|(_, rule)| rule.priority);
        GroupView {
            name: group.name.clone(),
            direction: match group.direction {
                Direction::Out => "out".into(),
                Direction::In => "in".into(),
            },
            rules_there: rules.len() as u32,
            rules: rules
                .iter()
                .take(RULES)
                .map(|&(number, rule)| RuleView {
                    priority: rule.priority,
                    name: rule.name.clone(),
                    condition: condition(&rule.condition),
                    action: rule.action.name().to_owned(),
                    matches: port.matches(layer as usize, at, number).unwrap_or(0),
                })
                .collect(),
        }
    });
    Some(Detail::Layer {
        facts: vec![
            fact("Layer", &of.name),
            fact("VM", vm),
            fact("Kind", if of.stateful { "stateful" } else { "stateless" }),
            fact("No match", if of.default_allow { "passes" } else { "is dropped" }),
            fact(
                "Order",
                format!("{} of {}, outbound", layer + 1, policy.layers.len()),
            ),
        ],
        groups: groups.collect(),
    })
}

/// A rule's condition in short: nothing of what it does not ask for.
fn condition(of: &vfp::Condition) -> String {
    fn list<T>(what: &str, items: &[T], word: impl Fn(&T) -> String) -> Option<String> {
        let first: Vec<String> = items.iter().take(3).map(word).collect();
        let more = if items.len() > 3 { ", …" } else { "" };
        (!items.is_empty()).then(|| format!("{what} {}{more}", first.join(", ")))
    }
    let address = |term: &vfp::AddressTerm| match term {
        vfp::AddressTerm::Prefix(prefix) => prefix.to_string(),
        vfp::AddressTerm::Range(range) => range.to_string(),
        vfp::AddressTerm::Tag(tag) => format!("tag {}", tag.0),
    };
    let parts = [
        list("", &of.protocols, ToString::to_string),
        list("from", &of.src, address),
        list("port", &of.src_ports, ToString::to_string),
        list("to", &of.dst, address),
        list("port", &of.dst_ports, ToString::to_string),
        of.tni.map(|(first, last)| {
            if first == last {
                format!("TNI {first}")
            } else {
                format!("TNI {first}-{last}")
            }
        }),
        of.src_mac.map(|mac| format!("source {mac}")),
        of.dst_mac.map(|mac| format!("destination {mac}")),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .map(|part| part.trim().to_owned())
        .collect();
    if parts.is_empty() {
        "any".into()
    } else {
        parts.join(" ")
    }
}

fn of_vm(run: &Run, vm: u32) -> Option<Detail> {
    let (port, devices) = (run.port(vm)?, run.devices(vm)?);
    let given = run.scenario().vms.get(vm as usize)?;
    let counters: Vec<Count> = port
        .counters()
        .named()
        .filter(|&(_, count)| count > 0)
        .map(|(name, count)| (name.to_owned(), count))
        .collect();
    Some(Detail::Vm {
        facts: vec![
            fact(
                "VM",
                if given.name.is_empty() {
                    vm.to_string()
                } else {
                    format!("{vm}, {}", given.name)
                },
            ),
            fact("Path", path(devices.path())),
            fact("VF", if devices.has_vf() { "there" } else { "away" }),
            fact(
                "Data path",
                match devices.data_path() {
                    host::DataPath::Vf => "VF",
                    host::DataPath::Synthetic => "synthetic",
                    host::DataPath::None => "none",
                },
            ),
            fact("Switches of the data path", devices.switches()),
            fact("Policy generation", port.generation()),
            fact("Pairs of flows", units::count(port.pairs() as u64)),
            fact("SNAT ports in use", port.snat_ports()),
        ],
        counters,
    })
}

/// What a guest has, in words.
const fn path(of: scenario::host::Path) -> &'static str {
    use scenario::host::Path;
    match of {
        Path::Vf => "NetVSC with a VF",
        Path::Synthetic => "NetVSC alone",
        Path::DpdkFailsafe => "DPDK, failsafe",
        Path::DpdkNetvsc => "DPDK, netvsc",
        Path::DpdkVfOnly => "DPDK, VF only",
    }
}

fn of_nic(run: &Run) -> Detail {
    let nic = run.nic();
    let tables = nic.tables();
    let [l1, l2] = tables.resident();
    let statistics = tables.statistics();
    let config = nic.config();
    let pipe = |direction| {
        let counters = nic.pipeline(direction).counters();
        format!(
            "{} packets, {} dropped, buffer at most {}",
            units::count(counters.packets),
            units::count(counters.dropped),
            units::bytes(f64::from(counters.most_buffered))
        )
    };
    let ndis = statistics.ndis().into_iter();
    let own = [
        ("Exceptions: Miss", statistics.miss),
        ("Exceptions: Stale", statistics.stale),
        ("Exceptions: Deactivated", statistics.deactivated),
        ("Copies to VFP", statistics.copied),
        ("L1 evictions", statistics.l1_evictions),
        ("L2 evictions", statistics.l2_evictions),
    ];
    Detail::Nic {
        facts: vec![
            fact("Entries", units::count(u64::from(tables.len()))),
            fact(
                "L1",
                format!(
                    "{} of {}, {} way{}",
                    units::count(u64::from(l1)),
                    units::count(u64::from(config.l1.entries)),
                    config.l1.ways,
                    if config.l1.ways == 1 { "" } else { "s" }
                ),
            ),
            fact(
                "L2",
                format!(
                    "{} of {}, {} ways",
                    units::count(u64::from(l2)),
                    units::count(u64::from(config.l2.entries)),
                    config.l2.ways
                ),
            ),
            fact("Outbound", pipe(Direction::Out)),
            fact("Inbound", pipe(Direction::In)),
            fact("Commands waiting", nic.commands_waiting(run.nic_now())),
        ],
        counters: ndis
            .chain(own)
            .filter(|&(_, count)| count > 0)
            .map(|(name, count)| (name.to_owned(), count))
            .collect(),
    }
}
