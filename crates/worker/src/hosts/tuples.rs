//! What would become of a packet: `/process-tuples`.

use super::words::{changes, headers as header_facts};
use gft::{Address, Direction, FlowKey, Headers, Protocol, TcpFlags, Transposition};
use host::Run;
use vfp::{End, GroupOutcome, Inspection, LayerDecision, LayerStep};
use view::host::message::{Count, LayerView, Verdict};
use view::host::tuple::Tuple;

/// The answer about a packet that was described; none where there is no such VM.
pub fn of_tuple(run: &Run, tuple: &Tuple) -> Option<Verdict> {
    let direction = if tuple.inbound {
        Direction::In
    } else {
        Direction::Out
    };
    let own = gft::Tuple {
        src: Address::from(std::net::IpAddr::V4(tuple.src)),
        dst: Address::from(std::net::IpAddr::V4(tuple.dst)),
        src_port: tuple.src_port,
        dst_port: tuple.dst_port,
        protocol: Protocol(tuple.protocol),
    };
    let flags = match (tuple.protocol, tuple.syn) {
        (6, true) => TcpFlags::SYN,
        (6, false) => TcpFlags::ACK,
        _ => TcpFlags(0),
    };
    let headers = run.port(tuple.vm)?.headers_of(own, flags, direction);
    of_headers(run, tuple.vm, &headers, direction)
}

/// The answer about a packet with these headers at a VM's port.
pub fn of_headers(run: &Run, vm: u32, headers: &Headers, direction: Direction) -> Option<Verdict> {
    let port = run.port(vm)?;
    let found: Inspection = port.process_tuple(headers, direction);
    let name = |layer: Option<vfp::LayerId>| {
        let layers = &port.policy().source().layers;
        layer
            .and_then(|id| layers.iter().find(|layer| layer.id == id))
            .map_or_else(String::new, |layer| format!(" in {}", layer.name))
    };
    let end = |end: End| match end {
        End::Forward => ("Forward", String::new()),
        End::Drop { layer, reason } => ("Drop", format!("{reason}{}", name(layer))),
        End::Pending { ca, .. } => ("Pending", format!("{ca} has no mapping yet")),
        End::Reply => ("Reply", "answered here, in the name of the destination".into()),
    };
    let (word, why) = match found.refused {
        Some(reason) => ("Drop", format!("{reason}: the port does not look at it")),
        None => end(found.walk.end),
    };
    let work = &found.work;
    let software = &run.scenario().host.software;
    Some(Verdict {
        packet: format!(
            "{} {} {}",
            match direction {
                Direction::Out => "Out of",
                Direction::In => "In to",
            },
            format_args!("VM {vm}:"),
            headers.tuple
        ),
        word: word.into(),
        why,
        known: found.existing.map(|flow| {
            format!(
                "Its flow is in the table: {}, generation {}. Layers that know it are not asked.",
                flow.state.name(),
                flow.generation
            )
        }),
        layers: found.walk.layers.iter().map(layer).collect(),
        composed: changes(&found.walk.transposition),
        after: header_facts(&found.walk.after),
        answer: found
            .answer
            .as_ref()
            .map_or_else(Vec::new, |walk| walk.layers.iter().map(layer).collect()),
        answer_word: found.answer.as_ref().map_or_else(String::new, |walk| {
            let (word, why) = end(walk.end);
            if why.is_empty() {
                word.into()
            } else {
                format!("{word}: {why}")
            }
        }),
        entries: found.entries.map_or_else(Vec::new, |entries| {
            entries
                .iter()
                .flatten()
                .map(|(key, action)| entry(key, action))
                .collect()
        }),
        work: [
            ("layers walked", work.layers),
            ("classifier steps", work.steps),
            ("table look-ups", work.lookups),
            ("flows created", work.created),
            ("commands to the NIC", work.offload_commands),
        ]
        .into_iter()
        .map(|(what, count)| -> Count { (what.into(), u64::from(count)) })
        .collect(),
        core_ps: host::cost_of_packet(software, 64, work).ps(),
    })
}

/// A key in words.
pub fn key(key: &FlowKey) -> String {
    let way = match key.direction {
        Direction::Out => "out",
        Direction::In => "in",
    };
    match key.tni {
        0 => format!("{way}: {}", key.tuple),
        tni => format!("{way}, TNI {tni}: {}", key.tuple),
    }
}

fn entry(of: &FlowKey, action: &Transposition) -> (String, Vec<view::host::message::Change>) {
    (key(of), changes(action))
}

fn layer(step: &LayerStep) -> LayerView {
    LayerView {
        name: step.name.clone(),
        decision: match step.decision {
            LayerDecision::Rule { group } => {
                step.groups
                    .get(group)
                    .map_or_else(String::new, |group| match &group.outcome {
                        GroupOutcome::Matched { name, action, .. } => format!("{name}: {action}"),
                        _ => String::new(),
                    })
            }
            LayerDecision::Default { allow: true } => "no rule matches: passes by default".into(),
            LayerDecision::Default { allow: false } => "no rule matches: dropped by default".into(),
            LayerDecision::Remembered => "knows the flow: no rule is asked".into(),
        },
        groups: step
            .groups
            .iter()
            .map(|group| {
                let outcome = match &group.outcome {
                    GroupOutcome::ConditionNotMet => "the group's condition is not met".into(),
                    GroupOutcome::NoMatch => "no rule matches".into(),
                    GroupOutcome::NotReached => "not reached: a terminating rule ended the layer".into(),
                    GroupOutcome::Matched {
                        name,
                        priority,
                        action,
                        terminating,
                        stateful,
                        ..
                    } => {
                        let flags = match (terminating, stateful) {
                            (true, true) => ", terminating, stateful",
                            (true, false) => ", terminating",
                            (false, true) => ", stateful",
                            (false, false) => "",
                        };
                        format!("{name} (priority {priority}): {action}{flags}")
                    }
                };
                (group.name.clone(), outcome)
            })
            .collect(),
        changes: changes(&step.transposition),
        composed: changes(&step.composed),
    }
}
