//! The packets in flight as the stage sees them.

use host::{Owner, Packet, Run};
use scenario::host::Traffic;
use vfp::{GroupOutcome, LayerDecision, LayerStep};
use view::host::dots::{self, Dot, Kind, MOST, Place, Route};
use view::host::message::Walking;

/// Packets as bytes, and how many there are. Of too many there is an even sample.
pub fn frame(run: &Run) -> (Vec<u8>, u32) {
    let there = run.packets().count();
    let step = there.div_ceil(MOST).max(1);
    let mut queues: Vec<u16> = vec![0; run.scenario().host.software.cores as usize];
    let mut seen: Vec<Dot> = Vec::with_capacity(there.min(MOST));
    // In a queue the one that came first is served first.
    let mut waiting: Vec<(u64, usize)> = Vec::new();
    for (id, packet) in run.packets().step_by(step) {
        let dot = dot(run, id, packet);
        if dot.place == Place::Queue {
            waiting.push((packet.since.ps(), seen.len()));
        }
        seen.push(dot);
    }
    waiting.sort_unstable();
    for (_, at) in waiting {
        let dot = &mut seen[at];
        let queue = &mut queues[usize::from(dot.core)];
        dot.waits = *queue;
        *queue = queue.saturating_add(step as u16);
    }
    let mut bytes = Vec::new();
    dots::write(&seen, &mut bytes);
    (bytes, there as u32)
}

/// One packet.
pub fn dot(run: &Run, id: u32, packet: &Packet) -> Dot {
    let now = run.now().ps();
    let (since, until) = (packet.since.ps(), packet.until.ps());
    let (place, core) = place(packet.place);
    Dot {
        id,
        kind: kind(run, packet),
        place,
        inbound: packet.direction == gft::Direction::In,
        route: match packet.route {
            host::Route::Hardware => Route::Hardware,
            host::Route::Exception => Route::Exception,
            host::Route::Synthetic => Route::Synthetic,
        },
        vm: packet.vm as u8,
        core: core as u8,
        progress: if until > since {
            (now.saturating_sub(since) as f64 / (until - since) as f64).min(1.0) as f32
        } else {
            0.0
        },
        waits: 0,
        layers: match packet.place {
            host::Place::Core(_) => run
                .walk_of(id, packet)
                .map_or(0, |walk| walk.steps.len().min(usize::from(u8::MAX)) as u8),
            _ => 0,
        },
    }
}

/// The packets that cores walk through the layers just now, and what decides in each.
pub fn walking(run: &Run) -> Vec<Walking> {
    let on_cores = run
        .packets()
        .filter(|(_, packet)| matches!(packet.place, host::Place::Core(_)));
    on_cores
        .filter_map(|(id, packet)| {
            let walk = run.walk_of(id, packet)?;
            let rules: Vec<String> = walk.steps.iter().map(decided_by).collect();
            (!rules.is_empty()).then_some(Walking { id, rules })
        })
        .collect()
}

/// The rule that decided in a layer, or what stood in for one.
fn decided_by(step: &LayerStep) -> String {
    match step.decision {
        LayerDecision::Rule { group } => match step.groups.get(group).map(|group| &group.outcome) {
            Some(GroupOutcome::Matched { name, .. }) => name.clone(),
            _ => String::new(),
        },
        LayerDecision::Default { allow: true } => "default: allow".into(),
        LayerDecision::Default { allow: false } => "default: drop".into(),
        LayerDecision::Remembered => "flow remembered".into(),
    }
}

fn place(place: host::Place) -> (Place, u32) {
    match place {
        host::Place::GuestToNic => (Place::GuestToNic, 0),
        host::Place::GuestToSwitch => (Place::GuestToSwitch, 0),
        host::Place::Pipeline => (Place::Pipeline, 0),
        host::Place::CoreQueue(core) => (Place::Queue, core),
        host::Place::Core(core) => (Place::Core, core),
        host::Place::ToNetwork => (Place::ToNetwork, 0),
        host::Place::FromNetwork => (Place::FromNetwork, 0),
        host::Place::Link => (Place::Link, 0),
        host::Place::ToGuest => (Place::ToGuest, 0),
    }
}

/// What a packet is.
pub fn kind(run: &Run, packet: &Packet) -> Kind {
    use gft::TcpFlags;
    if packet.copy {
        return Kind::Copy;
    }
    match packet.owner {
        Owner::Flood { .. } => return Kind::Flood,
        Owner::Rdma { .. } => return Kind::Rdma,
        _ => {}
    }
    if packet.headers.tuple.protocol != gft::Protocol::TCP {
        return Kind::Udp;
    }
    let flags = packet.headers.flags;
    if flags.has(TcpFlags::SYN) {
        Kind::Syn
    } else if flags.has(TcpFlags::FIN) || flags.has(TcpFlags::RST) {
        Kind::Close
    } else if packet.payload() == 0 {
        Kind::Ack
    } else {
        let traffic = run.traffic_of(packet.owner);
        match traffic.and_then(|traffic| run.scenario().traffic.get(traffic as usize)) {
            Some(Traffic::Ping { .. }) => Kind::Ping,
            _ => Kind::Data,
        }
    }
}
