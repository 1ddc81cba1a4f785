//! Recorded flows as traffic of a host scenario.

use crate::report::Report;
use crate::{Count, Imported, RecordedFlow};
use gft::{Direction, Mac, Protocol};
use scenario::Time;
use scenario::host::{From, ReplayFlow, Traffic, limits};

/// The answers of a flow begin so long after it; our choice, so that VFP sees the flow from the side that began it.
const ANSWERS_AFTER: Time = Time::ms(1);
/// What is left of a run after the last packet; our choice.
const TAIL: Time = Time::s(1);
/// Bytes of a packet where the record has none: an IPv4 and a TCP header.
const BARE: u32 = 40;
/// Where nothing is recorded, a run ends here; our choice.
const EMPTY: Time = Time::s(1);

/// Whose flows a VM of the scenario plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Player {
    /// The VM's MAC address, where the record tells.
    pub mac: Option<Mac>,
    /// The protocol that its flows had; none where no policy asks for it.
    pub protocol: Option<Protocol>,
}

/// The traffic of all inputs, the VMs that play it, and the end of the run. Where there is a policy (`by_protocol`) each protocol
/// has a VM of its own, as the policy must be asked for the protocol that a flow had.
pub(super) fn traffic(
    inputs: &[(String, Imported)],
    by_protocol: bool,
    report: &mut Report,
) -> (Vec<Traffic>, Vec<Player>, Time) {
    let mut players: Vec<Player> = Vec::new();
    let mut flows: Vec<Vec<ReplayFlow>> = Vec::new();
    let origin = inputs
        .iter()
        .filter(|(_, imported)| !imported.traffic.flows.is_empty())
        .map(|(_, imported)| imported.traffic.origin_ns)
        .min();
    let Some(origin) = origin else {
        return (Vec::new(), players, EMPTY);
    };
    let slower = divisor(inputs, origin, report);
    let mut kept = 0;
    for (name, imported) in inputs {
        let late = imported.traffic.origin_ns.abs_diff(origin);
        for flow in &imported.traffic.flows {
            let peer = match flow.direction {
                Direction::Out => flow.tuple.dst,
                Direction::In => flow.tuple.src,
            };
            if peer.v4_bits().is_none() {
                report.note(
                    format!("{name}: flow with {peer}"),
                    "the flow is not replayed",
                    "a replay has IPv4 alone",
                );
                continue;
            }
            let player = Player {
                mac: flow.mac,
                protocol: by_protocol.then_some(flow.tuple.protocol),
            };
            let vm = match players.iter().position(|own| *own == player) {
                Some(vm) => vm,
                None if players.len() < *limits::VMS.end() => {
                    players.push(player);
                    flows.push(Vec::new());
                    players.len() - 1
                }
                None => {
                    report.note(
                        format!("{name}: flow with {peer}"),
                        "the flow is not replayed",
                        format!("a host scenario has at most {} VMs", limits::VMS.end()),
                    );
                    continue;
                }
            };
            for one in parts(flow, late, slower, name, report) {
                if kept == limits::MAX_REPLAY {
                    report.note(
                        format!("{name}: flow with {peer}"),
                        "the flow is not replayed, or only one of its ways",
                        format!("a replay has at most {} ways of flows", limits::MAX_REPLAY),
                    );
                    continue;
                }
                kept += 1;
                flows[vm].push(one);
            }
        }
    }
    report.note(
        "the flows",
        "all are played as UDP, packet by packet at an even pace",
        "a record has neither the times nor the headers of each packet",
    );
    if by_protocol && players.len() > 1 {
        report.note(
            "the flows",
            "each protocol has a VM of its own",
            "its rules are those for that protocol, as the flows themselves are played as UDP",
        );
    }
    report.note(
        "the flows",
        "the VM's own address is that of the scenario",
        "VM i has 10.1.0.(4 + i); peers keep theirs",
    );
    let ends = flows
        .iter()
        .flatten()
        .map(|flow| flow.at.0.saturating_add(flow.duration.0));
    let until = Time(ends.max().unwrap_or(0).saturating_add(TAIL.0)).min(limits::MAX_TIME);
    let traffic = (0..)
        .zip(flows)
        .map(|(vm, flows)| Traffic::Replay { vm, flows })
        .collect();
    (traffic, players, until)
}

/// By how much all times are divided so that they fit a run: 1 as long as they do.
fn divisor(inputs: &[(String, Imported)], origin: i64, report: &mut Report) -> u64 {
    let room = (limits::MAX_TIME.0 - TAIL.0 - ANSWERS_AFTER.0) / 1_000;
    let end = inputs.iter().flat_map(|(_, imported)| {
        let late = imported.traffic.origin_ns.abs_diff(origin);
        let ends = imported.traffic.flows.iter();
        ends.map(move |flow| {
            late.saturating_add(flow.start_ns)
                .saturating_add(flow.duration_ns)
        })
    });
    let divisor = end.max().unwrap_or(0).div_ceil(room).max(1);
    if divisor > 1 {
        report.note(
            "the flows",
            format!(
                "they last longer than {}, the most that a run can",
                limits::MAX_TIME
            ),
            format!("all times are divided by {divisor}"),
        );
    }
    divisor
}

/// Both ways of a flow, as far as there is something to send.
fn parts(flow: &RecordedFlow, late: u64, slower: u64, name: &str, report: &mut Report) -> Vec<ReplayFlow> {
    let ps = |ns: u64| Time((ns / slower).saturating_mul(1_000));
    let at = ps(late.saturating_add(flow.start_ns));
    let duration = ps(flow.duration_ns);
    let (peer, peer_port, vm_port, first, second) = match flow.direction {
        Direction::Out => (
            flow.tuple.dst,
            flow.tuple.dst_port,
            flow.tuple.src_port,
            From::Vm,
            From::Peer,
        ),
        Direction::In => (
            flow.tuple.src,
            flow.tuple.src_port,
            flow.tuple.dst_port,
            From::Peer,
            From::Vm,
        ),
    };
    let mut way = |from, at, count: Count, least: u64| {
        let packets = count.packets.max(least);
        if packets == 0 {
            return None;
        }
        let bytes = count.bytes.checked_div(count.packets).unwrap_or(u64::from(BARE));
        let (low, high) = (
            u64::from(*limits::PACKET.start()),
            u64::from(*limits::PACKET.end()),
        );
        let most = u64::from(*limits::REPLAY_PACKETS.end());
        if packets > most {
            report.note(
                format!("{name}: flow with {peer}"),
                "it has more packets than are replayed",
                format!("the first {most} are sent over its time"),
            );
        }
        if count.packets > 0 && !(low..=high).contains(&bytes) {
            report.note(
                format!("{name}: flow with {peer}"),
                "its packets have another size than any can be sent with",
                format!("they get {low} or {high} bytes"),
            );
        }
        Some(ReplayFlow {
            at,
            duration,
            from,
            peer: peer.to_string(),
            peer_port,
            vm_port,
            packets: packets.min(most) as u32,
            bytes: bytes.clamp(low, high) as u32,
        })
    };
    // A flow that was refused, or only begun, has no counts: one packet asks the policy.
    let forward = way(first, at, flow.forward, 1);
    let back = way(second, Time(at.0 + ANSWERS_AFTER.0), flow.backward, 0);
    forward.into_iter().chain(back).collect()
}
