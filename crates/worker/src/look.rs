//! From the network to a frame.

use crate::run::Run;
use fabric::packet::flags;
use fabric::port::state;
use fabric::{PacketKind, usid};
use sim::inspect::Whereabouts;
use view::Layout;
use view::frame::{self, Edge, Event, Flash, Frame, Head, Kind, MAX_FLASHES, MAX_PACKETS, Packet, mark};
use view::geometry::Rect;

/// Fills `frame` with what the run looks like now. `visible` is the part of the world that is shown; packets outside
/// of it are left out. `frame` is the one before.
pub fn look(run: &mut Run, layout: &Layout, visible: Rect, behind: bool, frame: &mut Frame) {
    run.sim.settle();
    let now = run.sim.now();
    run.loads.note(run.sim.network(), now);
    // Of too many packets an even sample is shown, and of the same packet all the way.
    let sample = (frame.head.packets_there as usize).div_ceil(MAX_PACKETS).max(1) as u32;
    frame.head = Head {
        run: run.number,
        now: now.ps(),
        flags: u32::from(run.sim.is_finished()) * frame::flags::FINISHED
            + u32::from(behind) * frame::flags::BEHIND,
        packets_there: 0,
    };
    edges_and_packets(run, layout, visible, sample, frame);
    flashes(run, layout, frame);
    frame.dead.clear();
    let clos = layout.grouping().real();
    for plane in 0..clos.planes {
        let tiers = [(0, usid::T0, clos.t0s), (1, usid::T1, clos.t1s)];
        for (tier, field, count) in tiers {
            for index in (0..count).filter(|&i| run.sim.network().is_dead(usid::usid(plane, field, i))) {
                frame.dead.push(frame::DeadSwitch {
                    plane: plane as u8,
                    tier,
                    index: index as u16,
                });
            }
        }
    }
}

fn edges_and_packets(run: &Run, layout: &Layout, visible: Rect, sample: u32, frame: &mut Frame) {
    let (network, now) = (run.sim.network(), run.sim.now());
    let grouping = layout.grouping();
    let shown = grouping.shown();
    frame.edges.clear();
    frame.packets.clear();
    for edge in 0..shown.links() {
        let mut sum = Edge::default();
        let (mut load, mut down, mut count) = (0.0, 0u32, 0u32);
        let in_sight = visible.may_show(&layout.edge(edge));
        grouping.each_link(edge, |link| {
            let port = network.port(link);
            let class = network.config().class(port.kind);
            count += 1;
            load += run.loads.of(network, link, now);
            sum.queue = sum.queue.max(share(port.data_bytes, class.data_limit));
            sum.control = sum.control.max(share(port.control_bytes, class.control_limit));
            down += u32::from(port.is(state::DOWN));
            if port.is(state::LOSSY) {
                sum.state |= frame::state::LOSSY;
            }
            let capacity = f64::from(class.data_limit.min(class.control_limit));
            let mut ahead = 0.0;
            run.sim.packets_on(link, |handle, packet, whereabouts| {
                sum.packets += 1;
                if !in_sight {
                    return;
                }
                frame.head.packets_there += 1;
                let (place, queued) = match whereabouts {
                    Whereabouts::OnWire { arrives_ps, .. } => {
                        ((arrives_ps - now.ps().min(arrives_ps)) as f64 / 1e3, 0)
                    }
                    Whereabouts::Queued { .. } => {
                        ahead += f64::from(packet.size);
                        (
                            ((ahead - f64::from(packet.size) / 2.0) / capacity).min(1.0),
                            mark::QUEUED,
                        )
                    }
                };
                if handle.is_multiple_of(sample) && frame.packets.len() < MAX_PACKETS {
                    frame.packets.push(Packet {
                        edge,
                        handle,
                        conn: packet.conn,
                        place: place as f32,
                        size: packet.size,
                        kind: kind(packet),
                        flags: queued | marks(packet),
                    });
                }
            });
        });
        sum.load = (load / f64::from(count.max(1)) * 255.0).round() as u8;
        if down > 0 {
            sum.state |= frame::state::DOWN;
        }
        if down == count {
            sum.state |= frame::state::ALL_DOWN;
        }
        frame.edges.push(sum);
    }
}

/// What a packet carries besides its kind.
fn marks(packet: &fabric::Packet) -> u8 {
    let mut marks = 0;
    if packet.has(flags::ECN) {
        marks |= mark::ECN;
    }
    if packet.has(flags::DOOMED) {
        marks |= mark::DOOMED;
    }
    marks
}

/// What a packet is drawn as.
pub fn kind(packet: &fabric::Packet) -> Kind {
    match packet.kind {
        PacketKind::Data if packet.has(flags::TRIMMED) => Kind::Trimmed,
        PacketKind::Data if packet.has(flags::RTX) => Kind::Retransmission,
        PacketKind::Data => Kind::Data,
        PacketKind::Sack => Kind::Sack,
        PacketKind::Nack => Kind::Nack,
        PacketKind::Probe => Kind::Probe,
        PacketKind::ProbeReply => Kind::ProbeReply,
    }
}

/// `bytes` as a share of `limit`, of 255; anything at all is at least 1.
fn share(bytes: u32, limit: u32) -> u8 {
    if bytes == 0 || limit == u32::MAX {
        return 0;
    }
    (u64::from(bytes) * 255 / u64::from(limit.max(1))).clamp(1, 255) as u8
}

/// What was dropped or trimmed since the last look.
fn flashes(run: &mut Run, layout: &Layout, frame: &mut Frame) {
    frame.flashes.clear();
    let mut flash = |link: u32, count: u64, what: Event| {
        if frame.flashes.len() < MAX_FLASHES {
            frame.flashes.push(Flash {
                edge: layout.grouping().edge(link),
                count: count.min(u64::from(u16::MAX)) as u16,
                what,
            });
        }
    };
    for (&(link, reason), &count) in run.sim.network().drops_at() {
        let told = run.told.drops.entry((link, reason)).or_default();
        if count > *told {
            flash(link, count - *told, Event::Drop);
            *told = count;
        }
    }
    for (&link, &count) in run.sim.network().trims_at() {
        let told = run.told.trims.entry(link).or_default();
        if count > *told {
            flash(link, count - *told, Event::Trim);
            *told = count;
        }
    }
}
