//! From the network to a frame.

use crate::health::{Health, ailing, link_bits};
use crate::run::Run;
use fabric::packet::flags;
use fabric::{Network, PacketKind};
use scenario::FaultKind;
use sim::inspect::Whereabouts;
use std::collections::BTreeMap;
use view::Sight;
use view::frame::{self, Edge, Event, Flash, Frame, Head, Kind, MAX_FLASHES, MAX_PACKETS, Packet, mark};
use view::names::directions;

/// Links that are looked at for one frame, at most. A frame has to be ready within milliseconds; where more are in
/// sight, each frame renews a part of the edges.
const LINKS_PER_LOOK: u32 = 100_000;
/// The largest [effort](Eye::set_effort): enough for every link of the largest fabric.
pub const MOST_EFFORT: u32 = 64;
/// Links of one bundle that are looked at, at most: of larger ones an even sample.
const LINKS_PER_EDGE: u32 = 32_768;
/// Links that are searched for packets for one frame, at most, where only a part of the edges is renewed.
const BUSY_LINKS: usize = 60_000;

/// Bundles show single packets only while there are fewer than so many in sight: more would only hide the loads.
const FEW: u32 = 2_000;

/// What the stage sees of a run, from frame to frame.
pub struct Eye {
    sight: Sight,
    edges: Vec<Edge>,
    // How many links the edges stand for.
    links: u64,
    // Where only a part of the edges is renewed: the links of each edge that were in use.
    busy: Vec<Vec<u32>>,
    next: usize,
    // Edges that are still known from a sample only.
    coarse: usize,
    effort: u32,
    named: Named,
}

/// The links that a run's faults are about, in order and each once; spelled out anew when there are more faults.
#[derive(Default)]
struct Named {
    run: u32,
    faults: usize,
    links: Vec<u32>,
}

impl Named {
    fn update(&mut self, run: &Run) {
        let scenario = run.sim.scenario();
        if (self.run, self.faults) == (run.number, scenario.faults.len()) {
            return;
        }
        let clos = &run.sim.network().config().clos;
        self.links = scenario
            .fault_events()
            .into_iter()
            .filter_map(|event| directions(clos, FaultKind::from(event.what).link()?))
            .flatten()
            .collect();
        self.links.sort_unstable();
        self.links.dedup();
        (self.run, self.faults) = (run.number, scenario.faults.len());
    }
}

impl Eye {
    /// Looks at a fabric, from now on as `sight` sees it.
    pub fn new(sight: Sight) -> Eye {
        let edges: Vec<Edge> = sight
            .edges()
            .into_iter()
            .map(|id| Edge {
                id,
                ..Edge::default()
            })
            .collect();
        let grouping = sight.grouping();
        let links = edges
            .iter()
            .map(|edge| u64::from(grouping.link_count(edge.id)))
            .sum();
        Eye {
            busy: Vec::new(),
            next: 0,
            coarse: edges.len(),
            effort: 1,
            named: Named::default(),
            links,
            edges,
            sight,
        }
    }

    /// From now on a look may take `effort` times (1 to [`MOST_EFFORT`]) as long as where frames follow each other quickly.
    pub fn set_effort(&mut self, effort: u32) {
        self.effort = effort.clamp(1, MOST_EFFORT);
    }

    /// Fills `frame` with what the run looks like now; packets out of sight are left out. `frame` is the one before.
    pub fn look(&mut self, run: &mut Run, behind: bool, frame: &mut Frame) {
        run.sim.settle();
        let now = run.sim.now();
        run.loads.note(run.sim.network(), now, self.effort);
        // Of too many packets an even sample is shown, and of the same packet all the way.
        let sample = (frame.head.packets_there as usize).div_ceil(MAX_PACKETS).max(1) as u32;
        frame.head = Head {
            run: run.number,
            now: now.ps(),
            flags: u32::from(run.sim.is_finished()) * frame::flags::FINISHED
                + u32::from(behind) * frame::flags::BEHIND,
            packets_there: 0,
            level: self.sight.grouping().level(),
        };
        frame.packets.clear();
        let mut filter = Filter {
            sample,
            on_bundles: 0,
        };
        if self.links <= u64::from(LINKS_PER_LOOK) {
            self.look_at_all(run, &mut filter, frame);
        } else {
            self.look_at_some(run, &mut filter, frame);
        }
        if filter.is_crowded() {
            let grouping = self.sight.grouping();
            let is_single = |packet: &Packet| grouping.link_count(packet.edge) == 1;
            frame.packets.retain(is_single);
            frame.head.packets_there -= filter.on_bundles;
        }
        let health = Health::of(run);
        self.faults(run, &health);
        if self.coarse > 0 {
            frame.head.flags |= frame::flags::COARSE;
        }
        frame.edges.clone_from(&self.edges);
        flashes(run, &self.sight, frame);
        frame.ailing = ailing(run, &health);
    }

    fn look_at_all(&mut self, run: &Run, filter: &mut Filter, frame: &mut Frame) {
        let stage = self.sight.stage();
        let grouping = self.sight.grouping();
        for edge in &mut self.edges {
            let id = edge.id;
            let is_in_sight = stage.may_show(&self.sight.edge(id));
            let is_bundle = grouping.link_count(id) > 1;
            let links = |visit: &mut dyn FnMut(u32)| grouping.each_link(id, visit);
            *edge = state_of(run, id, links, |link, is_used| {
                if is_used && is_in_sight {
                    filter.add(run, link, id, is_bundle, frame);
                }
            });
        }
        self.coarse = 0;
    }

    /// Where the edges stand for too many links: edge by edge in turn; and a sample of those whose turn has never come.
    fn look_at_some(&mut self, run: &Run, filter: &mut Filter, frame: &mut Frame) {
        self.busy.resize(self.edges.len(), Vec::new());
        if self.coarse > 0 {
            let step = self.links.div_ceil(u64::from(LINKS_PER_LOOK)) as u32;
            for at in self.next..self.edges.len() {
                self.renew(run, at, step);
            }
        }
        let mut left = LINKS_PER_LOOK * self.effort;
        for _ in 0..self.edges.len() {
            let links = self.sight.grouping().link_count(self.edges[self.next].id);
            let cost = links.min(LINKS_PER_EDGE);
            if cost > left {
                break;
            }
            left -= cost;
            self.renew(run, self.next, links.div_ceil(LINKS_PER_EDGE));
            self.coarse = self.coarse.saturating_sub(1);
            self.next = (self.next + 1) % self.edges.len();
        }
        let busy: usize = self.busy.iter().map(Vec::len).sum();
        let step = busy.div_ceil(BUSY_LINKS).max(1);
        for (edge, links) in self.edges.iter().zip(&self.busy) {
            let is_bundle = self.sight.grouping().link_count(edge.id) > 1;
            if is_bundle && filter.is_crowded() {
                continue;
            }
            for &link in links
                .iter()
                .filter(|&&link| (scattered(link) as usize).is_multiple_of(step))
            {
                filter.add(run, link, edge.id, is_bundle, frame);
            }
        }
    }

    /// Looks at every `step`th link of an edge.
    fn renew(&mut self, run: &Run, at: usize, step: u32) {
        let id = self.edges[at].id;
        let grouping = self.sight.grouping();
        let links = |visit: &mut dyn FnMut(u32)| {
            let mut number = 0;
            grouping.each_link(id, |link| {
                if number % step == 0 {
                    visit(link);
                }
                number += 1;
            });
        };
        let busy = &mut self.busy[at];
        busy.clear();
        self.edges[at] = state_of(run, id, links, |link, is_used| {
            if is_used {
                busy.push(link);
            }
        });
    }

    /// What is wrong with links. Few ever have a fault, and which ones the faults so far name: none is missed however many
    /// links an edge stands for.
    fn faults(&mut self, run: &Run, health: &Health) {
        self.named.update(run);
        let network = run.sim.network();
        let clos = &network.config().clos;
        let grouping = self.sight.grouping();
        // By edge: how many of its links are down, and what is wrong with any.
        let mut faulty: BTreeMap<u32, (u32, u8)> = BTreeMap::new();
        for &link in &self.named.links {
            let bits = link_bits(network, link);
            if bits != 0 {
                let (down, all) = faulty.entry(grouping.edge(link)).or_default();
                *down += u32::from(bits & frame::state::DOWN != 0);
                *all |= bits;
            }
        }
        for link in health.flapping.keys().filter_map(|&link| directions(clos, link)) {
            for link in link {
                faulty.entry(grouping.edge(link)).or_default().1 |= frame::state::FLAPPING;
            }
        }
        // What `state_of` has seen stays.
        for edge in &mut self.edges {
            edge.state &= frame::state::PAUSED;
        }
        let deadlock = run.sim.deadlock();
        for &link in deadlock.iter().flat_map(|deadlock| &deadlock.links) {
            if network.port(link).is(fabric::port::state::PAUSED) {
                faulty.entry(grouping.edge(link)).or_default().1 |= frame::state::DEADLOCK;
            }
        }
        for (id, (down, bits)) in faulty {
            if let Ok(at) = self.edges.binary_search_by_key(&id, |edge| edge.id) {
                let all = down == grouping.link_count(id);
                self.edges[at].state |= if all { bits | frame::state::ALL_DOWN } else { bits };
            }
        }
    }
}

/// Which packets a frame takes.
struct Filter {
    // Of so many, one.
    sample: u32,
    // Packets seen on bundles.
    on_bundles: u32,
}

impl Filter {
    /// True once bundles hold too many packets for any of theirs to be shown.
    fn is_crowded(&self) -> bool {
        self.on_bundles > FEW
    }

    /// Takes the packets of a link.
    fn add(&mut self, run: &Run, link: u32, edge: u32, is_bundle: bool, frame: &mut Frame) {
        if is_bundle && self.is_crowded() {
            return;
        }
        packets(run, link, |seen| {
            self.on_bundles += u32::from(is_bundle);
            frame.head.packets_there += 1;
            if seen.handle.is_multiple_of(self.sample) && frame.packets.len() < MAX_PACKETS {
                frame.packets.push(Packet { edge, ..seen });
            }
        });
    }
}

/// The load and the queues of an edge over some of its links. `visit` is told each of them, and whether it is in use or
/// was of late: others have no packets.
fn state_of(
    run: &Run,
    id: u32,
    links: impl FnOnce(&mut dyn FnMut(u32)),
    mut visit: impl FnMut(u32, bool),
) -> Edge {
    let (network, now) = (run.sim.network(), run.sim.now());
    let mut edge = Edge {
        id,
        ..Edge::default()
    };
    let (mut sum, mut count) = (0.0, 0u32);
    links(&mut |link| {
        let port = network.port(link);
        let class = network.config().class(port.kind);
        let load = run.loads.of(network, link, now);
        count += 1;
        sum += load;
        edge.queue = edge.queue.max(share(port.data_bytes, data_limit(network, link)));
        edge.control = edge.control.max(share(port.control_bytes, class.control_limit));
        // What is on the wire left within a base RTT, over which loads are measured at least.
        if port.is(fabric::port::state::PAUSED) {
            edge.state |= frame::state::PAUSED;
        }
        if xoff(network, link).is_some() {
            edge.state |= frame::state::LOSSLESS;
        }
        visit(link, load > 0.0 || port.data_bytes > 0 || port.control_bytes > 0);
    });
    edge.load = (sum / f64::from(count.max(1)) * 255.0).round() as u8;
    edge
}

/// The length of a data queue that is drawn as full: where packets are trimmed or dropped, or in a lossless fabric, whose queues have
/// no such length, where what came in by one port alone makes the switch pause who sends to it.
pub fn data_limit(network: &Network, link: u32) -> u32 {
    let config = network.config();
    let own = config.class(network.port(link).kind).data_limit;
    xoff(network, link).unwrap_or(own)
}

/// From how many bytes on the switch that a link leaves pauses who sends to it; none without PFC, and for what leaves a NIC.
fn xoff(network: &Network, link: u32) -> Option<u32> {
    let [xoff, ..] = network.pfc_limits(network.config().clos.reverse(link))?;
    Some(xoff)
}

/// The packets on a link, on the wire and queued; without their edge.
fn packets(run: &Run, link: u32, mut visit: impl FnMut(Packet)) {
    let now = run.sim.now().ps();
    let config = run.sim.network().config();
    let class = config.class(config.clos.describe(link).kind);
    let capacity = f64::from(data_limit(run.sim.network(), link).min(class.control_limit));
    let is_roce = run.is_roce();
    let mut ahead = 0.0;
    run.sim.packets_on(link, |handle, packet, whereabouts| {
        let (place, queued) = match whereabouts {
            Whereabouts::OnWire { arrives_ps, .. } => ((arrives_ps - now.min(arrives_ps)) as f64 / 1e3, 0),
            Whereabouts::Queued { .. } => {
                ahead += f64::from(packet.size);
                let middle = ahead - f64::from(packet.size) / 2.0;
                ((middle / capacity).min(1.0), mark::QUEUED)
            }
        };
        visit(Packet {
            edge: link,
            handle,
            conn: packet.conn,
            place: place as f32,
            size: packet.size,
            kind: kind(packet, is_roce),
            flags: queued | marks(packet),
        });
    });
}

/// A number that looks random: so that a part of the links is spread evenly.
const fn scattered(link: u32) -> u32 {
    let mixed = link.wrapping_mul(0x9e37_79b1);
    mixed ^ mixed >> 15
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

/// What a packet is drawn as; with RoCE, ACKs are of packets, and not of messages.
pub fn kind(packet: &fabric::Packet, is_roce: bool) -> Kind {
    match packet.kind {
        PacketKind::Data if packet.has(flags::TRIMMED) => Kind::Trimmed,
        PacketKind::Data if packet.has(flags::RTX) => Kind::Retransmission,
        PacketKind::Data => Kind::Data,
        PacketKind::Sack => Kind::Sack,
        PacketKind::Ack if is_roce && packet.reason == roce::aeth::NAK_PSN_SEQUENCE => Kind::Nak,
        PacketKind::Ack if is_roce => Kind::RoceAck,
        PacketKind::Ack => Kind::Ack,
        PacketKind::Nack => Kind::Nack,
        PacketKind::Cnp => Kind::Cnp,
        PacketKind::Credit => Kind::Credit,
        PacketKind::Probe => Kind::Probe,
        PacketKind::ProbeReply => Kind::ProbeReply,
        PacketKind::AckProbe => Kind::AckProbe,
        PacketKind::PortStatus | PacketKind::PortStatusReply => Kind::PortStatus,
        PacketKind::Pause if packet.psn == 0 => Kind::Resume,
        PacketKind::Pause => Kind::Pause,
        PacketKind::MapperProbe => Kind::MapperProbe,
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
fn flashes(run: &mut Run, sight: &Sight, frame: &mut Frame) {
    frame.flashes.clear();
    let counters = run.sim.network().counters();
    let total = counters.drops.iter().sum::<u64>() + counters.trims + counters.trims_last_hop;
    if total == run.told.total {
        return;
    }
    run.told.total = total;
    // One flash an edge, with the number of packets of all its links.
    let mut sums: BTreeMap<(u32, Event), u64> = BTreeMap::new();
    let mut flash = |link: u32, count: u64, what: Event| {
        *sums.entry((sight.grouping().edge(link), what)).or_default() += count;
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
    let stage = sight.stage();
    let seen = sums
        .into_iter()
        .filter(|((edge, _), _)| stage.may_show(&sight.edge(*edge)))
        .map(|((edge, what), count)| Flash {
            edge,
            count: count.min(u64::from(u16::MAX)) as u16,
            what,
        });
    frame.flashes.extend(seen.take(MAX_FLASHES));
}

#[cfg(test)]
mod tests;
