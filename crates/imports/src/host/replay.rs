//! Recorded flows as a scenario's replay.

use super::notes;
use crate::report::{Note, Report};
use crate::traffic::{Count, RecordedFlow, Traffic};
use gft::{Address, Direction, Protocol};
use scenario::Time;
use scenario::host::{From, ReplayFlow, limits};

/// The flows as a scenario plays them for one VM within `until`: each side's packets as a flow of its own, all of one size and
/// evenly spaced, from the flow's first packet to its last.
///
/// A flow that was refused, or whose packets were not counted, is one packet. If the record is longer than `until`, all times
/// are divided by the same whole number. Every change is noted.
pub fn replay(traffic: &Traffic, until: Time) -> (Vec<ReplayFlow>, Vec<Note>) {
    let mut report = Report::default();
    let ends = traffic
        .flows
        .iter()
        .map(|flow| flow.start_ns.saturating_add(flow.duration_ns));
    let length = ends.max().unwrap_or(0);
    let most = until.0.min(limits::MAX_TIME.0) / 1000;
    let divisor = length.div_ceil(most.max(1)).max(1);
    if divisor > 1 {
        report.note(
            "the traffic",
            format!("it takes {} s", length.div_ceil(1_000_000_000)),
            format!("times are divided by {divisor}, so that it fits"),
        );
    }
    let mut flows = Vec::new();
    for (number, flow) in (1u64..).zip(&traffic.flows) {
        let vm_begins = flow.direction == Direction::Out;
        let (peer, peer_port, vm_port) = match vm_begins {
            true => (flow.tuple.dst, flow.tuple.dst_port, flow.tuple.src_port),
            false => (flow.tuple.src, flow.tuple.src_port, flow.tuple.dst_port),
        };
        if peer.v4_bits().is_none() {
            report.note(
                format_args!("flow {number}"),
                "the flow is not used",
                "its peer has an IPv6 address, and replays have IPv4 only",
            );
            continue;
        }
        if flow.tuple.protocol != Protocol::UDP {
            report.note(
                format_args!("flow {number}"),
                format!("the flow is {}", flow.tuple.protocol),
                "it is played as UDP packets",
            );
        }
        for (count, by_vm) in [(forward(flow), vm_begins), (flow.backward, !vm_begins)] {
            if count.packets == 0 {
                continue;
            }
            if flows.len() == limits::MAX_REPLAY {
                report.note(
                    format_args!("flow {number}"),
                    "packets of one side are not used",
                    format!("a replay has at most {} flows", limits::MAX_REPLAY),
                );
                continue;
            }
            flows.push(ReplayFlow {
                at: Time::ns(flow.start_ns / divisor),
                duration: Time::ns(flow.duration_ns / divisor),
                from: if by_vm { From::Vm } else { From::Peer },
                peer: Address::to_string(&peer),
                peer_port,
                vm_port,
                packets: packets(count, number, &mut report),
                bytes: size(count, number, &mut report),
            });
        }
    }
    (flows, notes(report))
}

/// What the side that began sent; at least the one packet that began it.
fn forward(flow: &RecordedFlow) -> Count {
    if flow.forward.packets > 0 {
        return flow.forward;
    }
    // A SYN, or a header alone.
    let bytes = if flow.tuple.protocol == Protocol::TCP {
        40
    } else {
        28
    };
    Count { packets: 1, bytes }
}

fn packets(count: Count, number: u64, report: &mut Report) -> u32 {
    let most = *limits::REPLAY_PACKETS.end();
    u32::try_from(count.packets)
        .ok()
        .filter(|packets| *packets <= most)
        .unwrap_or_else(|| {
            report.note(
                format_args!("flow {number}"),
                "the flow has more packets than a replay's can have",
                format!("{most} are sent"),
            );
            most
        })
}

/// The mean size of the packets.
fn size(count: Count, number: u64, report: &mut Report) -> u32 {
    let mean = count.bytes.div_ceil(count.packets.max(1));
    let (least, most) = (*limits::PACKET.start(), *limits::PACKET.end());
    let sent = u32::try_from(mean).unwrap_or(most).clamp(least, most);
    if u64::from(sent) != mean {
        report.note(
            format_args!("flow {number}"),
            "the mean size of its packets is outside of what a replay's can have",
            format!("from {least} to {most} are sent"),
        );
    }
    sent
}
