//! What the stage shows, as marks: panels, links and queues below; packets, faults and flashes above them.

use crate::frame::{Ailing, Edge, Event, Flash, Frame, Kind, Packet, ailment, mark as packet_mark, state};
use crate::geometry::{Point, Segment};
use crate::layout::{Node, Row};
use crate::marks::{Colour, Mark, Shape, dot, faded, mark, panel};
use crate::place::{Paces, locate};
use crate::sight::Sight;
use fabric::Clos;
use std::collections::{BTreeMap, BTreeSet};

/// The shades of load, from idle to full.
pub const LOADS: usize = 6;

/// The stage's colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inks {
    /// Around the panels.
    pub ground: Colour,
    /// By [`Kind`].
    pub packets: [Colour; Kind::COUNT],
    /// Links from idle to full.
    pub loads: [Colour; LOADS],
    /// The same for bundles, which have no room for single packets.
    pub bundles: [Colour; LOADS],
    /// Faults.
    pub fault: Colour,
    /// Random loss.
    pub lossy: Colour,
    /// Queues that are filling.
    pub queue: Colour,
    /// A plane's panel.
    pub panel: Colour,
    /// Its border.
    pub line: Colour,
    /// A node's inside.
    pub node: Colour,
    /// A node's border.
    pub node_line: Colour,
    /// Text.
    pub ink: Colour,
    /// What is selected.
    pub accent: Colour,
}

/// What is emphasised.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Emphasis {
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Edges.
    pub edges: Vec<u32>,
    /// The QP pair whose packets stand out.
    pub conn: Option<u32>,
    /// The packet that is selected.
    pub packet: Option<u32>,
    /// What is under the pointer.
    pub hover_node: Option<Node>,
    /// What is under the pointer.
    pub hover_edges: Vec<u32>,
    /// Kinds of packets that are not drawn.
    pub hidden: Kinds,
}

/// Some kinds of packets: bit k for the kind with number k.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u32);

impl Kinds {
    /// True when a kind is among them.
    pub const fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }

    /// Takes a kind in where it is missing, and out where it is there.
    #[must_use]
    pub const fn toggled(self, kind: Kind) -> Kinds {
        Kinds(self.0 ^ 1 << kind as u32)
    }

    /// True when no kind is among them.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The opacity of packets that do not matter now. They lie over each other in thousands.
const FAINT: f64 = 0.25;
/// The share of the stage that packets may cover before they become fainter, and how faint they become.
const COVERED: f64 = 0.3;
/// See [`COVERED`].
const CALMEST: f64 = 0.3;
/// Shapes are never drawn smaller, in CSS pixels.
const LEAST_SHAPE: f64 = 2.6;
/// How long and how wide a queue is drawn at a bundle, as a share of those at a link: there are many of them at once.
const BUNDLE_QUEUE: f64 = 0.45;

/// A data queue beyond this share of its limit, of 255, is about to trim or drop.
const HOT: u8 = 192;

/// What is wrong with a cable, or with one of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It goes down and up again and again, and is up now.
    Flapping,
    /// The same, and it is down now.
    FlappingDown,
    /// It is down.
    Down,
    /// It loses packets at random.
    Lossy,
    /// It damages packets at random.
    Corrupt,
}

impl Fault {
    /// What the bits of an edge say; none when nothing is wrong.
    pub const fn of(bits: u8) -> Option<Fault> {
        let is_down = bits & state::DOWN != 0;
        Some(if bits & state::FLAPPING != 0 {
            if is_down {
                Fault::FlappingDown
            } else {
                Fault::Flapping
            }
        } else if is_down {
            Fault::Down
        } else if bits & state::LOSSY != 0 {
            Fault::Lossy
        } else if bits & state::CORRUPT != 0 {
            Fault::Corrupt
        } else {
            return None;
        })
    }

    /// The letter on its sign; none where that is a cross.
    pub const fn letter(self) -> Option<&'static str> {
        match self {
            Fault::Down => None,
            Fault::Flapping | Fault::FlappingDown => Some("~"),
            Fault::Lossy => Some("%"),
            Fault::Corrupt => Some("≠"),
        }
    }

    /// True for what is drawn in the colour of things that do not work at all.
    pub const fn is_down(self) -> bool {
        matches!(self, Fault::Down | Fault::FlappingDown)
    }
}

/// The sign on a faulty cable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sign {
    /// Where its middle is.
    pub at: Point,
    /// Its radius.
    pub size: f64,
    /// What it says.
    pub what: Fault,
    /// Where only one direction has a fault: true when that is the upward one.
    pub one_way: Option<bool>,
}

/// Signs of faults on cables, at most.
const MAX_BADGES: usize = 300;

/// A flash that is still to be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glow {
    /// What has happened, and where.
    pub flash: Flash,
    /// How much of its time is over, 0 to 1.
    pub age: f64,
}

/// Everything that is drawn.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// Where things are.
    pub sight: &'a Sight,
    /// How fast packets move.
    pub paces: &'a Paces,
    /// What they are doing.
    pub frame: &'a Frame,
    /// What stands out.
    pub emphasis: &'a Emphasis,
    /// In which colours.
    pub inks: &'a Inks,
}

impl Scene<'_> {
    fn has(&self, edge: u32) -> bool {
        edge < self.sight.shown().links()
    }

    /// The frame's edges; none while it belongs to another sight.
    fn edges(&self) -> impl Iterator<Item = &Edge> {
        self.frame.edges.iter().filter(|edge| self.has(edge.id))
    }

    /// How wide a packet is.
    pub fn packet_width(&self) -> f64 {
        (self.sight.lane() * 1.7).clamp(1.2, 10.0 * self.sight.magnitude())
    }

    /// Panels, emphasis, links and queues, from below to above; of the links one in `part`, evenly spread.
    pub fn links(&self, part: u32, marks: &mut Vec<Mark>) {
        marks.clear();
        self.panels(marks);
        let (emphasis, inks) = (self.emphasis, self.inks);
        self.underlay(marks, &emphasis.edges, faded(inks.accent, 0.38));
        self.underlay(marks, &emphasis.hover_edges, faded(inks.ink, 0.14));
        self.loads(part, marks);
        self.queues(part, marks);
    }

    fn panels(&self, marks: &mut Vec<Mark>) {
        for plane in (0..self.sight.shown().planes).filter(|&plane| self.sight.sees(plane)) {
            let rect = self.sight.panel(plane);
            marks.push(panel(&rect, 8.0, self.inks.line));
            marks.push(panel(&rect.grown(-1.0), 7.0, self.inks.panel));
        }
    }

    fn underlay(&self, marks: &mut Vec<Mark>, edges: &[u32], colour: Colour) {
        let width = (self.sight.lane() * 2.6).clamp(5.0, 16.0);
        for &edge in edges.iter().filter(|&&edge| self.has(edge)) {
            marks.push(mark(Shape::Capsule, &self.sight.edge(edge), width, colour));
        }
    }

    /// The lines of the links; busy ones lie above idle ones.
    fn loads(&self, part: u32, marks: &mut Vec<Mark>) {
        // Single links carry single packets, which are the louder. A bundle's width and colour tell its load.
        let (is_bundle, shown) = (self.bundles(), self.sight.shown());
        let lane = self.sight.lane();
        let thin = (lane / 1.6).clamp(0.6, 2.4);
        let mut first = [0usize; LOADS + 1];
        let drawn = |edge: &&Edge| edge.state & state::ALL_DOWN == 0 && is_in_part(edge.id, part);
        for edge in self.edges().filter(drawn) {
            first[load_level(edge.load) + 1] += 1;
        }
        for level in 0..LOADS {
            first[level + 1] += first[level];
        }
        let start = marks.len();
        marks.resize(start + first[LOADS], Mark::default());
        for edge in self.edges().filter(drawn) {
            let level = load_level(edge.load);
            let (colour, width) = if is_bundle[tier_of(shown, edge.id)] {
                let share = f64::from(edge.load) / 255.0;
                let widest = (lane * 1.5).clamp(0.9, 7.0);
                (self.inks.bundles[level], 0.7 + (widest - 0.7) * share.sqrt())
            } else {
                (self.inks.loads[level], (0.9 + 0.12 * level as f64) * thin)
            };
            let slot = &mut first[level];
            marks[start + *slot] = mark(Shape::Line, &self.sight.edge(edge.id), width, colour);
            *slot += 1;
        }
    }

    /// Whether links of NICs, links between T0s and T1s, and links between T1s and T2s are drawn as bundles.
    fn bundles(&self) -> [bool; 3] {
        let (shown, real) = (self.sight.shown(), self.sight.grouping().real());
        let is_grouped = |row: Row| row.count(shown) < row.count(real);
        let t1s = is_grouped(Row::T1);
        [
            is_grouped(Row::Nic),
            is_grouped(Row::T0) || t1s,
            t1s || is_grouped(Row::T2),
        ]
    }

    fn queues(&self, part: u32, marks: &mut Vec<Mark>) {
        let widest = (self.sight.lane() * 1.5).clamp(1.2, 9.0);
        let (is_bundle, shown) = (self.bundles(), self.sight.shown());
        for edge in self.edges().filter(|edge| is_in_part(edge.id, part)) {
            // The packet in service is no queue; a bar that short would only flicker. Of a bundle, only queues that are
            // about to trim or drop are shown: some link of it always has a short one.
            let (least, share) = if is_bundle[tier_of(shown, edge.id)] {
                (HOT - 1, BUNDLE_QUEUE)
            } else {
                (8, 1.0)
            };
            let mut bar = |fill: u8, width: f64, colour: Colour| {
                if fill > least {
                    let line = self.sight.queue(edge.id);
                    let line = Segment::new(line.from, line.at(f64::from(fill) / 255.0 * share));
                    marks.push(mark(Shape::Line, &line, width * share, colour));
                }
            };
            // A full queue of a lossless fabric loses nothing: red is for what is broken, such as a deadlock.
            let colour = if edge.queue < HOT || edge.state & state::LOSSLESS != 0 {
                self.inks.queue
            } else {
                self.inks.fault
            };
            bar(edge.queue, widest, colour);
            bar(edge.control, widest * 0.4, self.inks.packets[Kind::Sack as usize]);
        }
    }

    /// Packets, faults, nodes and flashes, from below to above. Flashes grow unless everything is to be `still`.
    pub fn packets(&self, glows: &[Glow], still: bool, marks: &mut Vec<Mark>) {
        marks.clear();
        let view = self.sight.stage().grown(12.0);
        let mut kinds: [Vec<(Segment, u8)>; 2 * Kind::COUNT] = std::array::from_fn(|_| Vec::new());
        let mut chosen = None;
        let drawn = |packet: &&Packet| self.has(packet.edge) && !self.emphasis.hidden.has(packet.kind);
        for packet in self.frame.packets.iter().filter(drawn) {
            let segment = locate(self.sight, self.paces, packet);
            if !view.may_show(&segment) {
                continue;
            }
            if self.emphasis.packet == Some(packet.handle) {
                chosen = Some((segment, packet));
            }
            let is_loud = packet.flags & packet_mark::DOOMED == 0
                && self.emphasis.conn.is_none_or(|conn| conn == packet.conn);
            kinds[usize::from(is_loud) * Kind::COUNT + packet.kind as usize].push((segment, packet.flags));
        }
        let width = self.packet_width();
        let calm = self.calm(&kinds, width);
        for (index, list) in kinds.iter().enumerate() {
            let kind = Kind::ALL[index % Kind::COUNT];
            let is_common = matches!(kind, Kind::Data | Kind::Sack | Kind::RoceAck);
            let alpha = if index < Kind::COUNT {
                FAINT * calm
            } else if is_common && self.emphasis.conn.is_none() {
                calm
            } else {
                1.0
            };
            for (segment, flags) in list {
                self.packet(marks, kind, segment, *flags, width, alpha);
            }
        }
        if let Some((segment, packet)) = chosen {
            self.halo(marks, &segment, packet, width);
        }
        self.pauses(marks);
        self.faults(marks);
        self.nodes(marks);
        self.badges(marks);
        self.flashes(marks, glows, still);
    }

    /// The nodes on the stage, row by row.
    pub fn seen_nodes(&self) -> impl Iterator<Item = Node> {
        let planes = (0..self.sight.shown().planes).filter(|&plane| self.sight.sees(plane));
        planes.flat_map(move |plane| {
            Row::ALL.into_iter().flat_map(move |row| {
                let nodes = self.sight.nodes(plane, row);
                nodes.map(move |index| Node { plane, row, index })
            })
        })
    }

    fn nodes(&self, marks: &mut Vec<Mark>) {
        let inks = self.inks;
        for node in self.seen_nodes() {
            let rect = self.sight.node(node);
            let ails = self.ails(node).what;
            let is_dead = ails & ailment::DEAD != 0;
            let selected = self.emphasis.nodes.contains(&node);
            let (fill, line) = match (is_dead, selected) {
                (true, _) => (inks.panel, inks.fault),
                (false, true) => (inks.accent, inks.accent),
                (false, false) if ails != 0 => (inks.node, inks.lossy),
                (false, false) => (inks.node, inks.node_line),
            };
            let is_ailing = ails != 0;
            if rect.w < 4.0 {
                marks.push(panel(
                    &rect,
                    0.0,
                    if is_ailing || selected {
                        line
                    } else {
                        inks.node_line
                    },
                ));
                continue;
            }
            let radius: f64 = if node.row == Row::Nic { 1.5 } else { 4.0 };
            let hovered = self.emphasis.hover_node == Some(node);
            let border = if selected || hovered || is_ailing {
                2.0
            } else {
                1.0
            };
            let radius = radius.min(rect.h / 2.0);
            marks.push(panel(&rect.grown(border / 2.0), radius + border / 2.0, line));
            marks.push(panel(&rect.grown(-border / 2.0), radius - border / 2.0, fill));
        }
    }

    /// A disc on everything that is faulty: with a cross on it where nothing gets through, with a letter otherwise.
    fn badges(&self, marks: &mut Vec<Mark>) {
        for sign in self.signs() {
            self.badge(marks, sign.at, sign.size, sign.what.is_down());
            if sign.what == Fault::Down {
                marks.push(dot(Shape::Cross, sign.at, sign.size * 0.45, self.inks.fault));
            }
        }
        for (at, size, ailing) in self.node_signs() {
            let is_dead = ailing.what & ailment::DEAD != 0;
            self.badge(marks, at, size, is_dead);
            if is_dead {
                marks.push(dot(Shape::Cross, at, size * 0.45, self.inks.fault));
            }
        }
    }

    fn badge(&self, marks: &mut Vec<Mark>, at: Point, size: f64, is_down: bool) {
        let colour = if is_down { self.inks.fault } else { self.inks.lossy };
        marks.push(dot(Shape::Disc, at, size, colour));
        marks.push(dot(Shape::Disc, at, size - 1.4, self.inks.panel));
    }

    /// The signs on nodes that something is wrong with: where, how large, and what.
    pub fn node_signs(&self) -> Vec<(Point, f64, Ails)> {
        if self.frame.ailing.is_empty() {
            return Vec::new();
        }
        let sign = |node| {
            let ails = self.ails(node);
            let rect = self.sight.node(node);
            let size = (rect.h * 0.4).clamp(4.0, 9.0);
            (ails.what != 0).then_some((Point::new(rect.x + rect.w, rect.y), size, ails))
        };
        self.seen_nodes().filter_map(sign).take(MAX_BADGES).collect()
    }

    /// The signs on cables with a fault. Of very many an even sample: their lines say it too.
    pub fn signs(&self) -> Vec<Sign> {
        let size = (self.sight.lane() * 2.6).clamp(5.5, 12.0);
        let shown = self.sight.shown();
        // By the upward edge: the bits of both directions.
        let mut cables: BTreeMap<u32, (u8, u8)> = BTreeMap::new();
        for edge in self.edges().filter(|edge| edge.state & state::FAULTS != 0) {
            let up = edge.id.min(shown.reverse(edge.id));
            let bits = cables.entry(up).or_default();
            let faults = edge.state & state::FAULTS;
            if up == edge.id {
                bits.0 |= faults;
            } else {
                bits.1 |= faults;
            }
        }
        let step = cables.len().div_ceil(MAX_BADGES).max(1);
        let sign = |(up, (upward, downward)): (u32, (u8, u8))| {
            Some(Sign {
                at: self.on_stage(up),
                size,
                what: Fault::of(upward | downward)?,
                one_way: match (upward, downward) {
                    (_, 0) => Some(true),
                    (0, _) => Some(false),
                    _ => None,
                },
            })
        };
        cables.into_iter().step_by(step).filter_map(sign).collect()
    }

    /// The middle of an edge, or of what can be seen of it.
    fn on_stage(&self, edge: u32) -> Point {
        let (line, stage) = (self.sight.edge(edge), self.sight.stage());
        let seen = |step: &i32| stage.contains(line.at(f64::from(*step) / 16.0));
        let (first, last) = ((0..=16).find(seen), (0..=16).rev().find(seen));
        match (first, last) {
            _ if stage.contains(line.at(0.5)) => line.at(0.5),
            (Some(first), Some(last)) => line.at(f64::from(first + last) / 32.0),
            _ => line.at(0.5),
        }
    }

    /// How many faults are drawn in a plane: ailing switches and NICs, and cables or bundles with a fault.
    pub fn fault_count(&self, plane: u32) -> usize {
        let shown = self.sight.shown();
        let cables: BTreeSet<u32> = self
            .edges()
            .filter(|edge| edge.state & state::FAULTS != 0 && edge.id / shown.links_per_plane() == plane)
            .map(|edge| edge.id.min(shown.reverse(edge.id)))
            .collect();
        let ailing = self
            .frame
            .ailing
            .iter()
            .filter(|ailing| u32::from(ailing.plane) == plane && ailing.tier != Ailing::NIC);
        cables.len() + ailing.count()
    }

    /// The opacity of common packets: lower where they would cover the whole stage.
    fn calm(&self, kinds: &[Vec<(Segment, u8)>], width: f64) -> f64 {
        let stage = self.sight.stage();
        let lengths: f64 = kinds
            .iter()
            .flatten()
            .map(|(segment, _)| segment.length().min(stage.w))
            .sum();
        (COVERED * stage.w * stage.h / (lengths * width).max(1.0)).clamp(CALMEST, 1.0)
    }

    fn packet(
        &self,
        marks: &mut Vec<Mark>,
        kind: Kind,
        segment: &Segment,
        flags: u8,
        width: f64,
        alpha: f64,
    ) {
        let colour = faded(self.inks.packets[kind as usize], alpha);
        let at = segment.to;
        // Shapes that have a meaning stay large enough to be told apart.
        let size = width.max(LEAST_SHAPE);
        match kind {
            Kind::Data | Kind::Retransmission => {
                let body = body_of(segment, width);
                if kind == Kind::Retransmission {
                    let rim = faded(self.inks.ink, alpha);
                    marks.push(mark(Shape::Capsule, &body, width + 2.2, rim));
                }
                let is_queued = flags & packet_mark::QUEUED != 0;
                let thick = if is_queued { width * 0.7 } else { width };
                marks.push(mark(Shape::Capsule, &body, thick, colour));
                // A light core says that the packet carries an ECN mark.
                if width >= 3.0 && flags & packet_mark::ECN != 0 {
                    let core = faded(self.inks.panel, alpha);
                    marks.push(mark(Shape::Capsule, &body, width * 0.34, core));
                }
            }
            Kind::Trimmed => marks.push(dot(Shape::Diamond, at, size * 1.05, colour)),
            Kind::Sack => marks.push(dot(Shape::Disc, at, width.max(1.6) * 0.62, colour)),
            Kind::Ack => marks.push(dot(Shape::Square, at, size * 0.6, colour)),
            Kind::AckProbe => marks.push(dot(Shape::Box, at, size * 0.66, colour)),
            Kind::PortStatus => marks.push(dot(Shape::Nabla, at, size * 1.05, colour)),
            Kind::MapperProbe => marks.push(dot(Shape::Frame, at, size * 0.85, colour)),
            // As common as SACKs are, and as small as the square of an ACK allows.
            Kind::RoceAck => marks.push(dot(Shape::Square, at, width.max(1.6) * 0.55, colour)),
            Kind::Nak => marks.push(dot(Shape::Triangle, at, size * 1.05, colour)),
            Kind::Cnp => marks.push(dot(Shape::Hourglass, at, size * 0.8, colour)),
            Kind::Pause => marks.push(dot(Shape::Bars, at, size * 0.85, colour)),
            Kind::Resume => marks.push(dot(Shape::Play, at, size * 1.05, colour)),
            Kind::Credit => marks.push(dot(Shape::Plus, at, size * 0.85, colour)),
            Kind::Nack => marks.push(dot(Shape::Triangle, at, size * 1.05, colour)),
            Kind::Probe | Kind::ProbeReply => {
                marks.push(dot(Shape::Ring, at, size * 0.8, colour));
                if kind == Kind::ProbeReply {
                    marks.push(dot(Shape::Disc, at, size * 0.3, colour));
                }
            }
        }
    }

    /// The selected packet again, above the others and with a rim around it.
    fn halo(&self, marks: &mut Vec<Mark>, segment: &Segment, packet: &Packet, width: f64) {
        let body = body_of(segment, width);
        for (colour, rim) in [(self.inks.ink, 8.0), (self.inks.panel, 4.0)] {
            marks.push(mark(Shape::Capsule, &body, width + rim, colour));
        }
        self.packet(marks, packet.kind, segment, packet.flags, width, 1.0);
    }

    /// Paused links: their lines, and two bars where their queues end; those of a deadlock broader, in the colour of faults.
    fn pauses(&self, marks: &mut Vec<Mark>) {
        let lane = self.sight.lane();
        let (width, bars) = ((lane * 0.5).clamp(0.9, 2.2), (lane * 1.3).clamp(3.0, 7.0));
        let is = |edge: &&Edge, bit: u8| edge.state & bit != 0;
        for edge in self.edges().filter(|edge| is(edge, state::PAUSED)) {
            let stuck = is(&edge, state::DEADLOCK);
            let colour = if stuck {
                self.inks.fault
            } else {
                self.inks.packets[Kind::Pause as usize]
            };
            let (width, bars) = if stuck {
                (width * 2.2, bars * 1.3)
            } else {
                (width, bars)
            };
            marks.push(mark(Shape::Line, &self.sight.edge(edge.id), width, colour));
            let gate = self.sight.queue(edge.id).to;
            marks.push(dot(Shape::Disc, gate, bars * 1.35, self.inks.panel));
            marks.push(dot(Shape::Bars, gate, bars, colour));
        }
    }

    /// The lines of links with a fault, which packets must not hide: dashed in the colour of faults where nothing gets
    /// through, otherwise in the colour of loss: dotted where packets are lost or may be, dashed where they are damaged.
    fn faults(&self, marks: &mut Vec<Mark>) {
        let lane = self.sight.lane();
        let (dots, dashes) = ((lane * 1.2).clamp(1.6, 5.0), (lane * 0.8).clamp(1.2, 3.5));
        for edge in self.edges().filter(|edge| edge.state & state::FAULTS != 0) {
            let line = self.sight.edge(edge.id);
            let is = |bits: u8| edge.state & bits != 0;
            if is(state::CORRUPT) {
                marks.push(mark(Shape::Dashed, &line, dashes, self.inks.lossy));
            }
            if is(state::LOSSY) || is(state::FLAPPING) && !is(state::DOWN) {
                marks.push(mark(Shape::Dotted, &line, dots, self.inks.lossy));
            }
            if is(state::DOWN) {
                marks.push(mark(Shape::Dashed, &line, dashes, self.inks.fault));
            }
        }
    }

    fn flashes(&self, marks: &mut Vec<Mark>, glows: &[Glow], still: bool) {
        let size = self.packet_width() * 1.3;
        for glow in glows.iter().filter(|glow| self.has(glow.flash.edge)) {
            let at = self.sight.edge(glow.flash.edge).at(0.12);
            // Twice as large for a hundred packets: their number may be of any order.
            let many = 1.0 + f64::from(glow.flash.count.max(1)).log10() / 2.0;
            let growth = if still { 1.0 } else { 0.7 + 1.1 * glow.age };
            let size = size * many * growth;
            let alpha = 1.0 - glow.age * glow.age;
            marks.push(match glow.flash.what {
                Event::Drop => dot(Shape::Cross, at, size, faded(self.inks.fault, alpha)),
                Event::Trim => {
                    let colour = self.inks.packets[Kind::Trimmed as usize];
                    dot(Shape::Frame, at, size * 1.2, faded(colour, alpha))
                }
            });
        }
    }

    /// What is wrong with the switches or NICs that a node stands for.
    pub fn ails(&self, node: Node) -> Ails {
        if self.frame.ailing.is_empty() {
            return Ails::default();
        }
        let grouping = self.sight.grouping();
        let (tier, members) = match node.row {
            Row::T0 => (0, grouping.t0s(node.index)),
            Row::T1 => (1, grouping.t1s(node.index)),
            Row::T2 => (2, grouping.t2s(node.index)),
            Row::Nic => (Ailing::NIC, grouping.nics(node.index)),
        };
        let is_member = |ailing: &&Ailing| {
            (tier == Ailing::NIC || u32::from(ailing.plane) == node.plane)
                && ailing.tier == tier
                && members.contains(&ailing.index)
        };
        let mut ails = Ails {
            members: members.end - members.start,
            ..Ails::default()
        };
        for ailing in self.frame.ailing.iter().filter(is_member) {
            ails.what |= ailing.what;
            ails.dead += u32::from(ailing.what & ailment::DEAD != 0);
        }
        ails
    }
}

/// What is wrong with the switches or NICs that a node stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ails {
    /// Bits of [`ailment`], of all of them together.
    pub what: u8,
    /// How many are dead.
    pub dead: u32,
    /// How many there are; 0 while nothing is wrong anywhere.
    pub members: u32,
}

impl Ails {
    /// The letter on the sign; none where that is a cross, or where nothing is wrong.
    pub const fn letter(self) -> Option<&'static str> {
        if self.what & ailment::DEAD != 0 || self.what == 0 {
            None
        } else if self.what & ailment::CORRUPT != 0 {
            Some("≠")
        } else if self.what & ailment::REFUSES != 0 {
            Some("!")
        } else {
            Some("−")
        }
    }
}

/// True for one edge in `part`, as good as at random, but always for the same.
fn is_in_part(edge: u32, part: u32) -> bool {
    part <= 1 || (edge.wrapping_mul(0x9e37_79b1) >> 16).is_multiple_of(part)
}

/// 0 for an edge of a NIC, 1 between T0s and T1s, 2 between T1s and T2s.
fn tier_of(shown: &Clos, edge: u32) -> usize {
    let per_plane = shown.links_per_plane();
    let in_plane = edge % per_plane;
    let core = 2 * shown.t2s * shown.pods;
    usize::from(in_plane >= 2 * shown.nics()) + usize::from(in_plane >= per_plane - core)
}

/// The shade of a load, of 255.
fn load_level(load: u8) -> usize {
    match load {
        0..=2 => 0,
        3..=50 => 1,
        51..=110 => 2,
        111..=170 => 3,
        171..=228 => 4,
        _ => 5,
    }
}

/// What is stroked of a packet's stretch: short of its round ends and of a gap to the packet behind, which follows at
/// once on a busy link.
fn body_of(segment: &Segment, width: f64) -> Segment {
    let inset = ((width + 1.6) / 2.0 / segment.length().max(1e-9)).min(0.5);
    let (from, to) = (segment.at(inset), segment.at(1.0 - inset));
    if from.distance(to) < 0.1 {
        Segment::new(from, Point::new(from.x + 0.1, from.y))
    } else {
        Segment::new(from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::LinkPace;
    use crate::{Camera, Layout};
    use fabric::LinkKind;

    const LAYOUT: Clos = Clos {
        planes: 2,
        t0s: 3,
        t1s: 2,
        nics_per_t0: 2,
        pods: 1,
        t2s: 0,
    };

    fn inks() -> Inks {
        Inks {
            packets: core::array::from_fn(|n| 0xff00_0001 + n as u32),
            loads: [10, 11, 12, 13, 14, 15].map(|n| 0xff00_0000 | n),
            fault: 0xff00_0020,
            lossy: 0xff00_0021,
            queue: 0xff00_0022,
            accent: 0xff00_0023,
            ..Inks::default()
        }
    }

    fn frame(sight: &Sight) -> Frame {
        let edge = |id| Edge {
            id,
            load: (id * 20) as u8,
            ..Edge::default()
        };
        Frame {
            edges: (0..sight.shown().links()).map(edge).collect(),
            ..Frame::default()
        }
    }

    /// The marks of a scene with that frame: below, above.
    fn drawn(frame: &Frame, emphasis: &Emphasis, glows: &[Glow]) -> (Vec<Mark>, Vec<Mark>) {
        let sight = Sight::new(&Layout::new(LAYOUT, 800.0, 500.0), &Camera::default());
        let scene = Scene {
            sight: &sight,
            paces: &[LinkPace {
                delay_ns: 700.0,
                byte_ns: 0.08,
            }; LinkKind::COUNT],
            frame,
            emphasis,
            inks: &inks(),
        };
        let (mut below, mut above) = (Vec::new(), Vec::new());
        scene.links(1, &mut below);
        scene.packets(glows, false, &mut above);
        (below, above)
    }

    fn sample() -> Frame {
        frame(&Sight::new(
            &Layout::new(LAYOUT, 800.0, 500.0),
            &Camera::default(),
        ))
    }

    fn shapes(marks: &[Mark], shape: Shape) -> Vec<Mark> {
        let is = |mark: &&Mark| mark[5] >> 16 & 255 == shape as u32;
        marks.iter().filter(is).copied().collect()
    }

    #[test]
    fn every_link_is_drawn_once_and_busy_ones_last() {
        let frame = sample();
        let (below, above) = drawn(&frame, &Emphasis::default(), &[]);
        let lines = shapes(&below, Shape::Line);
        assert_eq!(lines.len(), frame.edges.len());
        assert!(lines.is_sorted_by_key(|line| line[4]), "shades are in order");
        assert_eq!(shapes(&below, Shape::Panel).len(), 4);
        let nodes = 2 * (3 + 2 + 6);
        assert_eq!(shapes(&above, Shape::Panel).len(), 2 * nodes, "border and inside");
        assert_eq!(above.len(), 2 * nodes);
    }

    #[test]
    fn a_part_of_the_links_is_an_even_part() {
        let shares: Vec<u32> = (0..100_000).filter(|&edge| is_in_part(edge, 8)).collect();
        assert!((11_500..13_500).contains(&shares.len()), "{}", shares.len());
        for t1s in [64, 256] {
            // Not always the same T1s.
            let columns: BTreeSet<u32> = shares.iter().map(|edge| edge % t1s).collect();
            assert_eq!(columns.len() as u32, t1s);
        }
        assert!(is_in_part(17, 1));
    }

    #[test]
    fn faults_have_a_shape_and_a_colour_and_hide_no_half_dead_bundle() {
        let mut frame = sample();
        frame.edges[3].state = state::DOWN | state::ALL_DOWN;
        frame.edges[4].state = state::DOWN;
        frame.edges[5].state = state::LOSSY;
        frame.edges[1].state = state::CORRUPT;
        frame.edges[2].state = state::FLAPPING;
        let (below, above) = drawn(&frame, &Emphasis::default(), &[]);
        assert_eq!(shapes(&below, Shape::Line).len(), frame.edges.len() - 1);
        let colours = |shape| -> Vec<Colour> { shapes(&above, shape).iter().map(|mark| mark[4]).collect() };
        assert_eq!(
            colours(Shape::Dashed),
            [inks().lossy, inks().fault, inks().fault],
            "damage, and two that are down"
        );
        assert_eq!(
            colours(Shape::Dotted),
            [inks().lossy; 2],
            "loss, and one that flaps but is up"
        );
        assert_eq!(shapes(&above, Shape::Cross).len(), 2, "one a cable");
    }

    #[test]
    fn a_paused_link_is_no_fault_and_a_deadlock_stands_out() {
        let mut frame = sample();
        frame.edges[3].state = state::PAUSED;
        frame.edges[4].state = state::PAUSED | state::DEADLOCK;
        let (below, above) = drawn(&frame, &Emphasis::default(), &[]);
        assert_eq!(shapes(&below, Shape::Line).len(), frame.edges.len());
        let colours = |shape| -> Vec<Colour> { shapes(&above, shape).iter().map(|mark| mark[4]).collect() };
        let pause = inks().packets[Kind::Pause as usize];
        assert_eq!(colours(Shape::Line), [pause, inks().fault]);
        assert_eq!(colours(Shape::Bars), [pause, inks().fault]);
        assert!(shapes(&above, Shape::Dashed).is_empty() && shapes(&above, Shape::Cross).is_empty());
        let sight = Sight::new(&Layout::new(LAYOUT, 800.0, 500.0), &Camera::default());
        let scene = Scene {
            sight: &sight,
            paces: &[LinkPace::default(); LinkKind::COUNT],
            frame: &frame,
            emphasis: &Emphasis::default(),
            inks: &inks(),
        };
        assert!(scene.signs().is_empty());
        assert_eq!(scene.fault_count(0), 0);
    }

    /// Red is for what is broken: with PFC nothing is lost where a queue is full.
    #[test]
    fn a_full_queue_is_red_only_where_it_loses_packets() {
        let mut frame = sample();
        frame.edges[0].queue = 255;
        frame.edges[1].queue = 255;
        frame.edges[1].state = state::LOSSLESS;
        let (below, _) = drawn(&frame, &Emphasis::default(), &[]);
        let queues: Vec<Colour> = below
            .iter()
            .map(|mark| mark[4])
            .filter(|&colour| colour == inks().queue || colour == inks().fault)
            .collect();
        assert_eq!(queues, [inks().fault, inks().queue]);
    }

    #[test]
    fn a_fault_of_one_direction_has_a_sign_that_says_which() {
        let mut frame = sample();
        let shown = LAYOUT;
        let back = shown.reverse(3);
        frame.edges[3].state = state::LOSSY;
        frame.edges[4].state = state::DOWN;
        frame.edges[shown.reverse(4) as usize].state = state::DOWN;
        frame.edges[shown.reverse(5) as usize].state = state::FLAPPING | state::DOWN;
        assert!(back > 3, "upward edges come first");
        let sight = Sight::new(&Layout::new(LAYOUT, 800.0, 500.0), &Camera::default());
        let scene = Scene {
            sight: &sight,
            paces: &[LinkPace::default(); LinkKind::COUNT],
            frame: &frame,
            emphasis: &Emphasis::default(),
            inks: &inks(),
        };
        let signs: Vec<_> = scene
            .signs()
            .iter()
            .map(|sign| (sign.what, sign.one_way))
            .collect();
        assert_eq!(
            signs,
            [
                (Fault::Lossy, Some(true)),
                (Fault::Down, None),
                (Fault::FlappingDown, Some(false))
            ]
        );
        assert_eq!(scene.fault_count(0), 3);
    }

    #[test]
    fn ailing_nodes_have_a_sign() {
        let mut frame = sample();
        frame.ailing = vec![
            Ailing {
                plane: 1,
                tier: 1,
                what: ailment::DEAD,
                index: 0,
            },
            Ailing {
                plane: 0,
                tier: 0,
                what: ailment::CORRUPT,
                index: 2,
            },
            Ailing {
                plane: 0,
                tier: Ailing::NIC,
                what: ailment::PENALTY,
                index: 5,
            },
        ];
        let (_, above) = drawn(&frame, &Emphasis::default(), &[]);
        // A NIC is in both planes; a sign is two discs.
        assert_eq!(shapes(&above, Shape::Disc).len(), 2 * (1 + 1 + 2));
        assert_eq!(shapes(&above, Shape::Cross).len(), 1, "only the dead one");
    }

    #[test]
    fn hidden_kinds_are_not_drawn() {
        let packet = |kind| Packet {
            edge: 1,
            handle: 1,
            conn: 0,
            place: 300.0,
            size: 1000,
            kind,
            flags: 0,
        };
        let mut frame = sample();
        frame.packets = vec![packet(Kind::Data), packet(Kind::Nack)];
        let hidden = Kinds::default().toggled(Kind::Data);
        assert!(hidden.has(Kind::Data) && !hidden.has(Kind::Nack));
        let emphasis = Emphasis {
            hidden,
            ..Emphasis::default()
        };
        let (_, above) = drawn(&frame, &emphasis, &[]);
        assert_eq!(shapes(&above, Shape::Capsule).len(), 0);
        assert_eq!(shapes(&above, Shape::Triangle).len(), 1);
        assert!(hidden.toggled(Kind::Data).is_empty());
    }

    #[test]
    fn each_kind_of_packet_has_its_shape() {
        let mut frame = sample();
        for (edge, &kind) in Kind::ALL.iter().enumerate() {
            frame.packets.push(Packet {
                edge: edge as u32,
                handle: edge as u32,
                conn: 0,
                place: 300.0,
                size: 1000,
                kind,
                flags: 0,
            });
        }
        let (_, above) = drawn(&frame, &Emphasis::default(), &[]);
        for (shape, count) in [
            (Shape::Capsule, 3),
            (Shape::Diamond, 1),
            (Shape::Disc, 2),
            (Shape::Triangle, 2),
            (Shape::Ring, 2),
            (Shape::Square, 2),
            (Shape::Box, 1),
            (Shape::Nabla, 1),
            (Shape::Frame, 1),
            (Shape::Hourglass, 1),
            (Shape::Bars, 1),
            (Shape::Play, 1),
            (Shape::Plus, 1),
        ] {
            assert_eq!(shapes(&above, shape).len(), count, "{shape:?}");
        }
        let emphasis = Emphasis {
            conn: Some(1),
            packet: Some(0),
            ..Emphasis::default()
        };
        let (_, quiet) = drawn(&frame, &emphasis, &[]);
        assert_eq!(
            shapes(&quiet, Shape::Capsule).len(),
            6,
            "the selected one has a halo"
        );
        assert_eq!(quiet[0][4] >> 24, 64, "others are faint");
    }

    #[test]
    fn a_flash_grows_with_the_number_of_packets_and_fades() {
        let glow = |count, age| Glow {
            flash: Flash {
                edge: 1,
                count,
                what: Event::Drop,
            },
            age,
        };
        let size = |glow| {
            let (_, above) = drawn(&sample(), &Emphasis::default(), &[glow]);
            let crosses = shapes(&above, Shape::Cross);
            assert_eq!(crosses.len(), 1);
            (crosses[0][5] & 0xffff, crosses[0][4] >> 24)
        };
        assert!(size(glow(1000, 0.0)).0 > 2 * size(glow(1, 0.0)).0);
        assert!(size(glow(1, 0.9)).1 < size(glow(1, 0.1)).1);
    }

    #[test]
    fn numbers_of_another_sight_are_left_out() {
        let mut frame = sample();
        frame.edges[0].id = u32::MAX;
        let (below, _) = drawn(&frame, &Emphasis::default(), &[]);
        assert_eq!(shapes(&below, Shape::Line).len(), frame.edges.len() - 1);
    }
}
