//! What would become of a packet: `/process-tuples`.

use super::words::{changes, headers as header_facts};
use gft::{Address, Direction, FlowKey, Headers, Protocol, TcpFlags, Transposition};
use host::{KeptWalk, Run};
use vfp::{DropReason, End, GroupOutcome, Inspection, LayerDecision, LayerStep, Work};
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
    of_headers(run, tuple.vm, &headers, direction, SMALL)
}

/// Bytes of a packet that is described rather than sent.
const SMALL: u32 = 64;

/// Why the port's guard does not look at a packet.
fn guarded(reason: DropReason, direction: Direction) -> &'static str {
    match (reason, direction) {
        (DropReason::MacSpoofing, _) => "the source MAC address is not the VM's",
        (DropReason::DropIPv4Spoofing, _) => "the source address is not the VM's",
        (DropReason::VirtualSubnetId, Direction::Out) => "the VM has wrapped it itself",
        (DropReason::VirtualSubnetId, Direction::In) => "its TNI is not the VM's",
        (DropReason::DroppedAcl, _) => "the destination is the provider's, and closed to VMs",
        (DropReason::NicDisabled, _) => "the vNIC is disabled",
        (DropReason::DropBlocked, _) => "the port is blocked",
        _ => "it may not pass",
    }
}

/// A packet in words: which way, at which VM, and its tuple.
fn packet(vm: u32, headers: &Headers, direction: Direction) -> String {
    let way = match direction {
        Direction::Out => "Out of",
        Direction::In => "In to",
    };
    format!("{way} VM {vm}: {}", headers.tuple)
}

fn counted(work: &Work) -> Vec<Count> {
    [
        (["layer walked", "layers walked"], work.layers),
        (["classifier step", "classifier steps"], work.steps),
        (["table look-up", "table look-ups"], work.lookups),
        (["flow created", "flows created"], work.created),
        (
            ["command to the NIC", "commands to the NIC"],
            work.offload_commands,
        ),
    ]
    .into_iter()
    .map(|(what, count)| (what[usize::from(count != 1)].into(), u64::from(count)))
    .collect()
}

/// A packet that the port's guard drops: no layer is asked, nothing is made and nothing is worked.
fn refused(about: Verdict, reason: DropReason, direction: Direction) -> Verdict {
    Verdict {
        word: "Drop".into(),
        why: format!(
            "dropped by the port's guard before any layer, as {} ({reason})",
            guarded(reason, direction)
        ),
        ..about
    }
}

/// The answer about a packet of `bytes` bytes with these headers at a VM's port.
pub fn of_headers(
    run: &Run,
    vm: u32,
    headers: &Headers,
    direction: Direction,
    bytes: u32,
) -> Option<Verdict> {
    let port = run.port(vm)?;
    let found: Inspection = port.process_tuple(headers, direction);
    let about = Verdict {
        at_ps: run.now().ps(),
        bytes,
        packet: packet(vm, headers, direction),
        ..Verdict::default()
    };
    if let Some(reason) = found.refused {
        return Some(refused(about, reason, direction));
    }
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
    let (word, why) = end(found.walk.end);
    let software = &run.scenario().host.software;
    Some(Verdict {
        word: word.into(),
        why,
        known: found.existing.map(|flow| {
            format!(
                "Its flow is in the table: {}, generation {}. Stateful layers that know it are not asked again.",
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
        work: counted(&found.work),
        core_ps: host::cost_of_packet(software, bytes, &found.work).ps(),
        ..about
    })
}

/// What became of a packet when a core served it.
pub fn of_walk(vm: u32, kept: &KeptWalk) -> Verdict {
    let about = Verdict {
        at_ps: kept.at.ps(),
        bytes: kept.bytes,
        packet: packet(vm, &kept.before, kept.direction),
        ..Verdict::default()
    };
    let (word, why, after) = match kept.verdict {
        vfp::Verdict::Forward(headers) => ("Forward", String::new(), Some(headers)),
        // Without a look-up the guard has dropped it.
        vfp::Verdict::Drop(reason) if kept.work.lookups == 0 => {
            let cost = kept.cost.ps();
            return Verdict {
                core_ps: cost,
                ..refused(about, reason, kept.direction)
            };
        }
        vfp::Verdict::Drop(reason) => {
            let last = kept.steps.last();
            let layer = last.map_or_else(String::new, |step| format!(" in {}", step.name));
            ("Drop", format!("{reason}{layer}"), None)
        }
        vfp::Verdict::Pending { ca, .. } => ("Pending", format!("{ca} has no mapping yet"), None),
        vfp::Verdict::Reply(headers) => (
            "Reply",
            "answered here, in the name of the destination".into(),
            Some(headers),
        ),
    };
    Verdict {
        word: word.into(),
        why,
        known: kept
            .steps
            .is_empty()
            .then(|| "Its flow was in the table: no layer was asked.".into()),
        layers: kept.steps.iter().map(layer).collect(),
        composed: kept
            .steps
            .last()
            .map_or_else(Vec::new, |step| changes(&step.composed)),
        after: after.as_ref().map_or_else(Vec::new, header_facts),
        entries: kept.flow.as_ref().map_or_else(Vec::new, |flow| {
            std::iter::once(&flow.forward)
                .chain(&flow.answer)
                .map(|way| entry(&way.key, &way.transposition))
                .collect()
        }),
        work: counted(&kept.work),
        core_ps: kept.cost.ps(),
        ..about
    }
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
