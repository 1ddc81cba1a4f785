//! What the inspector shows of a selection.

use crate::health::{Health, cable_bits, link_bits, share};
use crate::look::data_limit;
use crate::names::{ends, of_usid, switch_usid};
use crate::run::Run;
use crate::words::{packet_word, packet_words, refusal};
use fabric::packet::{AGENT, PacketKind};
use fabric::path::{self, Top};
use fabric::port::state;
use fabric::{Clos, LinkKind, Packet};
use scenario::{LinkName, SwitchName};
use sim::inspect::Whereabouts;
use sim::recorder::{Moments, Recovery};
use view::frame::{self, Kind};
use view::inspect::{
    BundleDetail, DcqcnDetail, Detail, Direction, EvCell, EvState, FaultDetail, GroupDetail, Hop, LinkDetail,
    MAX_ROWS, NicDetail, PacketDetail, PacketRef, PfcBuffer, PfcDetail, PortRow, QpDetail, RoceDetail,
    RoceResponder, SwitchDetail, Target, UsidView,
};
use view::layout::{Node, Row};
use view::names::{cable, directions};
use view::{Grouping, Level, recovery, units};

/// What a packet is recognised by, wherever it has got to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    number: u32,
    conn: u32,
    kind: PacketKind,
    ev: u16,
    // Of a PAUSE frame: the only one that it crosses.
    link: Option<u32>,
}

/// A selection.
#[derive(Clone, Debug)]
pub enum Watched {
    /// A thing that stays.
    Thing(Target),
    /// A packet.
    Packet(Option<Identity>),
}

impl Watched {
    /// Begins to watch a target of a run. Ports must be settled.
    pub fn new(run: &Run, target: Target) -> Watched {
        match target {
            Target::Packet(seen) => Watched::Packet(recognise(run, &seen)),
            other => Watched::Thing(other),
        }
    }
}

/// Details of a selection; none when the run has no such thing. Ports must be settled.
pub fn detail(run: &Run, watched: &Watched) -> Option<Detail> {
    match watched {
        Watched::Packet(identity) => Some(packet(run, *identity)),
        Watched::Thing(Target::Link(name)) => link(run, *name),
        Watched::Thing(Target::Switch(name)) => switch(run, *name),
        Watched::Thing(Target::Nic(number)) => nic(run, *number),
        Watched::Thing(Target::Qp(number)) => qp(run, *number),
        Watched::Thing(Target::Fault(index)) => fault(run, *index),
        Watched::Thing(Target::Bundle { level, edge }) => bundle(run, *level, *edge),
        Watched::Thing(target @ Target::Group { .. }) => group(run, target),
        Watched::Thing(Target::Packet(_)) => None,
    }
}

fn limit(bytes: u32) -> Option<u64> {
    (bytes != u32::MAX).then_some(u64::from(bytes))
}

fn direction(run: &Run, link: u32) -> Direction {
    let network = run.sim.network();
    let port = network.port(link);
    let class = network.config().class(port.kind);
    let (from, to) = ends(&network.config().clos, link);
    Direction {
        from,
        to,
        down: port.is(state::DOWN),
        loss: share(network.loss_threshold(link)),
        damage: share(network.damage_threshold(link)),
        load: run.loads.of(network, link, run.sim.now()),
        queue_bytes: u64::from(port.data_bytes),
        queue_limit: limit(data_limit(network, link)),
        control_bytes: u64::from(port.control_bytes),
        control_limit: limit(class.control_limit),
        on_wire: on_wire(run, link),
        tx_bytes: port.tx_bytes,
        tx_packets: port.tx_packets,
        drops: run.drops([link].into_iter()),
        trims: run.trims([link].into_iter()),
        pfc: pfc(run, link),
    }
}

/// What priority flow control says of a directed link.
fn pfc(run: &Run, link: u32) -> Option<PfcDetail> {
    let network = run.sim.network();
    let [xoff, xon, most] = network.pfc_limits(link)?.map(u64::from);
    let back = network.config().clos.reverse(link);
    Some(PfcDetail {
        since_ps: network.paused_since(link).map(|since| since.ps()),
        total_ps: network.pauses_on(link, run.sim.now()).0,
        pauses: network.pauses_on(back, run.sim.now()).1,
        is_deadlocked: run
            .sim
            .deadlock()
            .is_some_and(|deadlock| deadlock.links.contains(&link)),
        buffer: (network.port(link).kind != LinkKind::NicDown).then(|| PfcBuffer {
            held: u64::from(network.held_from(link)),
            xoff,
            xon,
            most,
        }),
    })
}

/// Packets in service at, or on the wire of, a directed link.
fn on_wire(run: &Run, link: u32) -> u32 {
    let mut count = 0;
    run.sim.packets_on(link, |_, _, whereabouts| {
        count += u32::from(matches!(whereabouts, Whereabouts::OnWire { .. }));
    });
    count
}

fn link(run: &Run, name: LinkName) -> Option<Detail> {
    let network = run.sim.network();
    let [up, down] = directions(&network.config().clos, name)?;
    let class = network.config().class(network.port(up).kind);
    Some(Detail::Link(Box::new(LinkDetail {
        name,
        rate_bps: class.rate_bps,
        delay_ps: class.delay.ps(),
        flaps_until_ps: Health::of(run).flapping.get(&name).copied(),
        window_ps: run.loads.window(up, run.sim.now()).ps(),
        directions: [direction(run, up), direction(run, down)],
    })))
}

/// A port in a list, seen from the sender of the directed link `out`.
fn port_row(run: &Run, health: &Health, out: u32) -> PortRow {
    let network = run.sim.network();
    let clos = &network.config().clos;
    let (port, now) = (network.port(out), run.sim.now());
    PortRow {
        link: cable(clos, out),
        load_out: run.loads.of(network, out, now),
        load_in: run.loads.of(network, clos.reverse(out), now),
        queue_bytes: u64::from(port.data_bytes),
        state: cable_bits(network, health, out)
            | if port.is(state::PAUSED) {
                frame::state::PAUSED
            } else {
                0
            },
    }
}

fn switch(run: &Run, name: SwitchName) -> Option<Detail> {
    let network = run.sim.network();
    let usid = switch_usid(&network.config().clos, name)?;
    let links = network.links_of(usid).ok()?;
    let health = Health::of(run);
    Some(Detail::Switch(SwitchDetail {
        name,
        usid,
        dead: network.is_dead(usid),
        damage: share(network.switch_damage_threshold(usid)),
        queued_bytes: links
            .iter()
            .map(|&link| u64::from(network.port(link).data_bytes))
            .sum(),
        drops: run.drops(links.iter().copied()),
        trims: run.trims(links.iter().copied()),
        port_count: links.len() as u32,
        ports: links
            .iter()
            .take(MAX_ROWS)
            .map(|&link| port_row(run, &health, link))
            .collect(),
    }))
}

fn nic(run: &Run, nic: u32) -> Option<Detail> {
    let clos = run.sim.network().config().clos;
    if nic >= clos.nics() {
        return None;
    }
    let mut qps = Vec::new();
    let mut qp_count = 0;
    for qp in 0..run.sim.qp_count() {
        let view = run.sim.qp(qp);
        if view.src == nic || view.dst == nic {
            qp_count += 1;
            if qps.len() < MAX_ROWS {
                qps.push(run.qp_row(qp));
            }
        }
    }
    let health = Health::of(run);
    let refuses = health.refusing.get(&nic);
    Some(Detail::Nic(NicDetail {
        nic,
        t0: clos.t0_of(nic),
        refuses: refuses.map(|&(share, reason)| (share, refusal(reason).to_owned())),
        penalty: health.penalties.get(&nic).copied().unwrap_or(0),
        ports: (0..clos.planes)
            .map(|plane| port_row(run, &health, clos.nic_up(plane, nic)))
            .collect(),
        qps,
        qp_count,
    }))
}

fn qp(run: &Run, qp: u32) -> Option<Detail> {
    if qp >= run.sim.qp_count() {
        return None;
    }
    let view = run.sim.qp(qp);
    let state = match (view.started, view.finished_ps) {
        _ if view.error.is_some() => "ERROR",
        (_, Some(_)) => "RTS, all complete",
        (true, None) if view.completed == view.posted => "RTS, nothing posted",
        (true, None) if view.next_psn < view.packets => "RTS, sending",
        (true, None) => "RTS, all sent, waiting for acknowledgement",
        (false, None) => "RTS, nothing posted yet",
    };
    let clos = &run.sim.network().config().clos;
    let is_t2 = clos.top(view.src, view.dst) == Top::T2;
    let evs = run.sim.evs(qp).map(|ev| EvCell {
        plane: ev.plane,
        t1: ev.t1,
        is_t2,
        state: match ev.state {
            mrc::EvState::Good => EvState::Good,
            mrc::EvState::Skip => EvState::Skip,
            mrc::EvState::AssumedBad => EvState::AssumedBad,
            mrc::EvState::Denied => EvState::Denied,
        },
        active: ev.active,
        backup: ev.backup,
    });
    let transport = &run.sim.scenario().transport;
    let max_window = run.sim.derived().nic_bdp as f64 * transport.max_window_bdp;
    let max_cwnd = transport.nscc.max_cwnd.map_or(max_window as u64, |bytes| bytes.0);
    Some(Detail::Qp(Box::new(QpDetail {
        row: run.qp_row(qp),
        state: state.into(),
        error: view
            .error
            .map(|why| (why.to_owned(), view.failed_ps.unwrap_or(0))),
        immediate: view.immediate,
        messages: view.messages,
        posted: view.posted,
        completed: view.completed,
        start_ps: view.start_ps,
        end_ps: view.finished_ps,
        cwnd: view.cwnd,
        max_cwnd,
        in_flight: view.in_flight,
        delay_ps: view.avg_delay_ps,
        cack: view.cack,
        next_psn: view.next_psn,
        packets: view.packets,
        waiting: view.waiting_retransmissions,
        retransmissions: view.retransmissions,
        nacks: view.nacks,
        losses: view.losses,
        timeouts: view.timeouts_in_row,
        timeout_ps: view.timeout_ps,
        most_timeouts: view.most_timeouts,
        probes: view.probes,
        ack_probes: view.ack_probes,
        planes_down: view.planes_down,
        evs: evs.collect(),
        roce: roce(run, qp),
    })))
}

/// What only RoCE has.
fn roce(run: &Run, qp: u32) -> Option<RoceDetail> {
    let view = run.sim.roce_qp(qp)?;
    let (config, network) = (run.sim.roce_config(), run.sim.network());
    let clos = &network.config().clos;
    Some(RoceDetail {
        recovery: match config.recovery {
            roce::Recovery::GoBackN => "go-back-N".into(),
            roce::Recovery::SelectiveRepeat { window, .. } => {
                format!("selective repeat, {window} packets tracked")
            }
        },
        port: view.port,
        plane: view.plane,
        path: view.path.iter().map(|&link| cable(clos, link)).collect(),
        is_spread: !network.config().routing.is_per_flow(),
        dcqcn: config.dcqcn.enabled.then(|| DcqcnDetail {
            target_bps: view.cc.target(),
            alpha: view.cc.alpha(),
            stage: stage(&view.cc, config.dcqcn.fast_recovery),
        }),
        rate_bps: view.cc.rate(),
        line_bps: config.dcqcn.line_rate,
        window: config.window,
        retries: view.retries,
        most_retries: config.retry_count,
        timeouts: view.sent.timeouts,
        naks: view.sent.naks,
        cnps: view.sent.cnps,
        expected: view.expected,
        responder: RoceResponder {
            out_of_order: view.received.out_of_order,
            duplicates: view.received.duplicates,
            refused: view.received.refused,
            acks: view.received.acks,
            naks: view.received.naks,
            cnps: view.received.cnps,
        },
    })
}

/// What DCQCN is doing (Zhu et al., SIGCOMM 2015, section 3.1): increases of either kind up to `fast_recovery` halve the distance to
/// the target; beyond, the target grows, and faster when both kinds are beyond.
fn stage(cc: &roce::ReactionPoint, fast_recovery: u32) -> String {
    if !cc.is_limited() {
        return "line rate".into();
    }
    let (by_time, by_bytes) = cc.increases();
    let (most, least) = (by_time.max(by_bytes), by_time.min(by_bytes));
    if most == 0 {
        "just cut".into()
    } else if most <= fast_recovery {
        format!("fast recovery, {most} of {fast_recovery}")
    } else if least <= fast_recovery {
        "additive increase".into()
    } else {
        "hyper increase".into()
    }
}

fn fault(run: &Run, index: u32) -> Option<Detail> {
    let fault = run.sim.scenario().faults.get(index as usize)?;
    let all = run.sim.observer().recoveries();
    let own: Vec<&Recovery> = all
        .iter()
        .filter(|recovery| recovery.cause == index as usize)
        .collect();
    Some(Detail::Fault(Box::new(FaultDetail {
        index,
        fault: fault.clone(),
        occurrences: own[own.len().saturating_sub(MAX_ROWS)..]
            .iter()
            .map(|recovery| occurrence(recovery))
            .collect(),
        count: own.len() as u32,
    })))
}

fn occurrence(seen: &Recovery) -> recovery::Occurrence {
    let moments = |of: &Moments| recovery::Moments {
        first_ps: of.first.ps(),
        last_ps: of.last.ps(),
        count: of.count,
    };
    recovery::Occurrence {
        at_ps: seen.at.ps(),
        changes: seen.changes,
        drops: moments(&seen.drops),
        sent: moments(&seen.sent),
        inferred: moments(&seen.inferred),
        out: moments(&seen.out),
        swapped: seen.swapped,
        back: moments(&seen.back),
        noticed: moments(&seen.noticed),
    }
}

/// Looks for a packet that was seen in a frame on every path of its connection.
fn recognise(run: &Run, seen: &PacketRef) -> Option<Identity> {
    if seen.kind == Kind::MapperProbe && seen.conn & AGENT != 0 {
        let identity = Identity {
            number: seen.handle,
            conn: seen.conn,
            kind: PacketKind::MapperProbe,
            ev: 0,
            link: None,
        };
        return find(run, identity).map(|_| identity);
    }
    if matches!(seen.kind, Kind::Pause | Kind::Resume) {
        return pause_frame(run, seen);
    }
    if seen.conn >= run.sim.qp_count() {
        return None;
    }
    // It may have been trimmed since, but not become another kind.
    let kinds: &[PacketKind] = match seen.kind {
        Kind::Data | Kind::Trimmed | Kind::Retransmission => &[PacketKind::Data],
        Kind::Sack => &[PacketKind::Sack],
        Kind::Ack | Kind::RoceAck | Kind::Nak => &[PacketKind::Ack],
        Kind::Nack => &[PacketKind::Nack],
        Kind::Cnp => &[PacketKind::Cnp],
        Kind::Credit => &[PacketKind::Credit],
        Kind::Probe => &[PacketKind::Probe],
        Kind::ProbeReply => &[PacketKind::ProbeReply],
        Kind::AckProbe => &[PacketKind::AckProbe],
        Kind::PortStatus => &[PacketKind::PortStatus, PacketKind::PortStatusReply],
        Kind::MapperProbe | Kind::Pause | Kind::Resume => &[],
    };
    // RoCE's packets have their UDP source port in its place.
    let port = run.sim.roce_qp(seen.conn).map(|qp| qp.port);
    let identities = kinds.iter().flat_map(|&kind| {
        let evs = run.sim.evs(seen.conn).map(|ev| ev.ev).chain(port);
        evs.map(move |ev| Identity {
            number: seen.handle,
            conn: seen.conn,
            kind,
            ev,
            link: None,
        })
    });
    identities
        .into_iter()
        .find(|&identity| find(run, identity).is_some())
}

/// Looks for a PAUSE frame, which crosses one link only. Two of one time have the same number: the edge tells which it is.
fn pause_frame(run: &Run, seen: &PacketRef) -> Option<Identity> {
    let clos = &run.sim.network().config().clos;
    let identity = |link| Identity {
        number: seen.handle,
        conn: seen.conn,
        kind: PacketKind::Pause,
        ev: 0,
        link: Some(link),
    };
    let own = (!Grouping::is_needed(clos) && seen.edge < clos.links()).then_some(seen.edge);
    let links = own.into_iter().chain(0..clos.links());
    links
        .map(identity)
        .find(|&identity| find(run, identity).is_some())
}

/// Where a packet is: its link, its values, and how it is placed there.
fn find(run: &Run, identity: Identity) -> Option<(u32, Packet, Whereabouts)> {
    let mut found = None;
    let links = match identity.conn & AGENT {
        _ if identity.link.is_some() => identity.link.into_iter().collect(),
        0 => run.sim.possible_links(identity.conn, identity.ev),
        _ => run.sim.probed_links(identity.conn ^ AGENT),
    };
    for link in links {
        run.sim.packets_on(link, |number, packet, whereabouts| {
            let same = (number, packet.conn, packet.kind, packet.ev)
                == (identity.number, identity.conn, identity.kind, identity.ev);
            if same {
                found = Some((link, *packet, whereabouts));
            }
        });
    }
    found
}

/// The uSIDs of a container, the active one first.
fn usids(clos: &Clos, container: u64) -> Vec<UsidView> {
    let usids = path::expand(clos, container).into_iter();
    usids
        .take_while(|&usid| usid != 0)
        .map(|value| UsidView {
            value,
            names: of_usid(value),
        })
        .collect()
}

fn packet(run: &Run, identity: Option<Identity>) -> Detail {
    let found = identity.and_then(|identity| find(run, identity));
    let Some((here, packet, whereabouts)) = found else {
        return Detail::PacketGone;
    };
    let clos = &run.sim.network().config().clos;
    let links = run.sim.path_of(here, &packet);
    let hop = links.iter().position(|&link| link == here).unwrap_or(0);
    let sender = Hop {
        node: ends(clos, links[0]).0,
        link: None,
        usids: Vec::new(),
    };
    // Each switch on the way consumes the active uSID (RFC 9800); up to here some have, from here on the others will.
    let mut container = run.sim.container_at_start(here, &packet);
    let hops = links.iter().map(|&link| {
        let usids = container.map_or_else(Vec::new, |container| usids(clos, container));
        container = container.map(path::advance);
        Hop {
            node: ends(clos, link).1,
            link: Some(cable(clos, link)),
            usids,
        }
    });
    let (from, to) = ends(clos, links[hop]);
    let place = match whereabouts {
        // It goes before everything that waits.
        Whereabouts::Queued { .. } if packet.kind == PacketKind::Pause => {
            format!("about to leave {from} towards {to}")
        }
        Whereabouts::Queued { control, position } => {
            let queue = if control { "control" } else { "data" };
            format!("in the {queue} queue of {from} towards {to}, {position} before it")
        }
        Whereabouts::OnWire { left_ps, arrives_ps } => format!(
            "on the wire from {from} to {to}: first bit left at {}, whole at {to} at {}",
            units::span(left_ps as f64),
            units::span(arrives_ps as f64)
        ),
    };
    let bytes = run.sim.bytes(links[hop], &packet);
    let is_of_qp = packet.agent().is_none();
    Detail::Packet(Box::new(PacketDetail {
        title: packet_words(&packet, run.is_roce()),
        qp: is_of_qp.then_some(packet.conn),
        psn: packet.psn,
        is_data: packet.kind == PacketKind::Data,
        word: packet_word(packet.kind, packet.reason, run.is_roce()),
        ev: (is_of_qp && !run.is_roce()).then_some(packet.ev),
        ends: is_of_qp.then(|| {
            let qp = run.sim.qp(packet.conn);
            (qp.src, qp.dst)
        }),
        is_answer: !packet.is_to_responder(),
        size: packet.size,
        sent_ps: packet.sent,
        place,
        path: std::iter::once(sender).chain(hops).collect(),
        hop: hop as u32 + 1,
        no_bytes: bytes.as_ref().err().map(|&why| why.to_owned()),
        bytes: bytes.unwrap_or_default(),
    }))
}

fn bundle(run: &Run, level: Level, edge: u32) -> Option<Detail> {
    let network = run.sim.network();
    let grouping = Grouping::at(network.config().clos, level);
    let (shown, clos) = (grouping.shown(), grouping.real());
    if edge >= shown.links() {
        return None;
    }
    let upward = edge.min(shown.reverse(edge));
    let end = shown.describe(upward);
    let (lower, upper) = Row::joined_by(end.kind);
    let name = format!(
        "p{}: {} to {}",
        end.plane,
        lower.name(&grouping.members(lower, end.lower)),
        upper.name(&grouping.members(upper, end.upper))
    );
    let links = grouping.links(upward);
    let (now, health) = (run.sim.now(), Health::of(run));
    let mut load = [(0.0, 0.0f64); 2];
    let mut queue_bytes = [0u64; 2];
    let mut down = 0;
    for &link in &links {
        let both = link_bits(network, link) | link_bits(network, clos.reverse(link));
        down += u32::from(both & frame::state::DOWN != 0);
        for (i, link) in [link, clos.reverse(link)].into_iter().enumerate() {
            let value = run.loads.of(network, link, now);
            load[i].0 += value / links.len() as f64;
            load[i].1 = load[i].1.max(value);
            queue_bytes[i] = queue_bytes[i].max(u64::from(network.port(link).data_bytes));
        }
    }
    let urgency = |link: u32| {
        let (port, back) = (network.port(link), network.port(clos.reverse(link)));
        let faulty = cable_bits(network, &health, link) != 0;
        (faulty, port.data_bytes.max(back.data_bytes))
    };
    let mut ordered = links.clone();
    ordered.sort_by_key(|&link| (std::cmp::Reverse(urgency(link)), link));
    let both = || links.iter().flat_map(|&link| [link, clos.reverse(link)]);
    Some(Detail::Bundle(BundleDetail {
        name,
        cables: links.len() as u32,
        down,
        load,
        queue_bytes,
        drops: run.drops(both()),
        trims: run.trims(both()),
        members: ordered
            .iter()
            .take(MAX_ROWS)
            .map(|&link| port_row(run, &health, link))
            .collect(),
    }))
}

fn group(run: &Run, target: &Target) -> Option<Detail> {
    let (level, node) = target.group_node()?;
    let network = run.sim.network();
    let grouping = Grouping::at(network.config().clos, level);
    let shown = grouping.shown();
    let (plane, index) = (node.plane, node.index);
    if plane >= shown.planes || index >= node.row.count(shown) {
        return None;
    }
    let range = grouping.members(node.row, index);
    let member = |index: u32| Target::single(Node { index, ..node });
    let is_dead = |index: u32| match member(index) {
        Target::Switch(name) => switch_usid(grouping.real(), name).is_some_and(|usid| network.is_dead(usid)),
        _ => false,
    };
    Some(Detail::Group(GroupDetail {
        name: match node.row {
            Row::Nic => node.row.name(&range),
            _ => format!("p{plane}: {}", node.row.name(&range)),
        },
        count: range.len() as u32,
        dead: range.clone().filter(|&index| is_dead(index)).count() as u32,
        members: range.take(MAX_ROWS).map(member).collect(),
    }))
}
