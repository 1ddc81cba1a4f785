//! The stage: what it shows, and what lies where on it.

mod field;
mod gl;
mod overlay;
pub mod painter;
pub mod palette;
mod soft;

use crate::dom;
use fabric::Clos;
use painter::Painter;
use scenario::{Fabric, LinkName, SwitchName};
use view::breaking::Subject;
use view::camera::Camera;
use view::frame::{Ailing, Edge, Frame, Kind, Packet, flags, state};
use view::geometry::{Point, Rect};
use view::hit::{Hit, element, node};
use view::inspect::{PacketRef, Target};
use view::layout::{Layout, Node, Row};
use view::message::Look;
use view::names::{cable, directions};
use view::picture::{Emphasis, Kinds, Scene};
use view::place::{Paces, locate, pick};
use view::sight::Sight;
use view::{Grouping, units};
use web_sys::{HtmlCanvasElement, HtmlElement};
use yew::{Callback, NodeRef};

/// How far from a thing a pointer may be, in CSS pixels.
const REACH: f64 = 7.0;
/// The same for a packet, of which there are many.
const PACKET_REACH: f64 = 4.5;

/// Parts of a bundle that are emphasised, at most: where it is open, there may be very many.
const MAX_EMPHASISED: usize = 4096;

/// What is under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Under {
    /// A packet.
    Packet(Packet),
    /// An element of the network.
    Element(Hit),
}

/// The elements of the page that the stage uses.
#[derive(Clone, Default, PartialEq)]
pub struct StageRefs {
    /// Everything.
    pub root: NodeRef,
    /// The canvases, from the lowest to the highest.
    pub canvases: [NodeRef; 3],
    /// The box that says what is under the pointer.
    pub tip: NodeRef,
    /// The frame around what is selected.
    pub locator: NodeRef,
}

impl StageRefs {
    /// Says on the page what is drawn, for tests and measurements: how often so far, how many links and packets, and
    /// into how many groups each plane is divided (T1s, T0s, NICs and, if there are any, T2s).
    fn tell(&self, sight: &Sight, frame: &Frame, drawn: u64) {
        let Some(root) = self.root.cast::<HtmlElement>() else {
            return;
        };
        let shown = sight.shown();
        let mut groups = format!("{} {} {}", shown.t1s, shown.t0s, shown.nics());
        if shown.t2s > 0 {
            groups = format!("{groups} {}", shown.t2s);
        }
        for (name, text) in [
            ("data-drawn", drawn.to_string()),
            ("data-links", frame.edges.len().to_string()),
            ("data-packets", frame.packets.len().to_string()),
            ("data-groups", groups),
        ] {
            let _ = root.set_attribute(name, &text);
        }
    }
}

/// A QP's endpoints, for emphasis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Sending NIC.
    pub src: u32,
    /// Receiving NIC.
    pub dst: u32,
}

/// What is to be emphasised, whatever it is drawn as.
#[derive(Clone, Debug, Default)]
struct Wanted {
    selected: Option<Target>,
    ends: Option<Ends>,
    path: Vec<LinkName>,
}

/// The shape of a scenario's fabric.
pub fn clos_of(spec: &Fabric) -> Clos {
    Clos {
        planes: spec.planes,
        t0s: spec.t0_per_plane,
        t1s: spec.t1_per_plane,
        nics_per_t0: spec.nics_per_t0,
        pods: spec.pods,
        t2s: spec.t2_per_plane,
    }
}

/// The camera of a layout, magnified by a factor around a point of the stage.
pub fn zoomed(
    layout: Option<&Layout>,
    camera: &Camera,
    (factor, at): (f64, Point),
    size: (f64, f64),
) -> Camera {
    let camera = camera.zoomed(factor, at, size);
    match layout {
        Some(layout) if factor > 1.0 => layout.settled(&camera, at),
        _ => camera,
    }
}

/// The stage.
#[derive(Default)]
pub struct Stage {
    /// Its elements.
    pub refs: StageRefs,
    painter: Option<Painter>,
    layout: Option<Layout>,
    // As the camera sees the last frame.
    sight: Option<Sight>,
    camera: Camera,
    size: (f64, f64),
    paces: Paces,
    frame: Frame,
    // Ailing nodes and the edges' states, as they were drawn.
    faults: (Vec<Ailing>, Vec<(u32, u8)>),
    wanted: Wanted,
    emphasis: Emphasis,
    headings: Vec<String>,
    links_dirty: bool,
    packets_dirty: bool,
    nodes_dirty: bool,
    // Links are elsewhere than they were drawn.
    moved: bool,
    links_drawn_ms: f64,
    // How often the stage has been drawn.
    drawn: u64,
}

impl Stage {
    /// Takes over the canvases, once they are there. `woken` is called when all has to be drawn again.
    pub fn attach(&mut self, woken: Callback<()>) -> Result<(), String> {
        if self.painter.is_some() {
            return Ok(());
        }
        let canvas = |index: usize| self.refs.canvases[index].cast::<HtmlCanvasElement>();
        let (Some(low), Some(middle), Some(high)) = (canvas(0), canvas(1), canvas(2)) else {
            return Err("the page has no canvas".into());
        };
        let painter = Painter::new([low, middle, high], dom::reduced_motion(), woken)?;
        self.painter = Some(painter);
        self.resize();
        Ok(())
    }

    /// Fits everything to the size of the stage.
    pub fn resize(&mut self) {
        let Some(root) = self.refs.root.cast::<HtmlElement>() else {
            return;
        };
        let size = (f64::from(root.client_width()), f64::from(root.client_height()));
        if let Some(painter) = &mut self.painter {
            painter.resize(size, dom::pixel_ratio());
        }
        if size != self.size {
            // Keep what is in the middle, where zoomed in.
            let seen = self.camera.visible(self.size);
            let share = |length: f64, of: f64| length / of.max(1.0);
            let area = Rect::new(
                share(seen.x, self.size.0) * size.0,
                share(seen.y, self.size.1) * size.1,
                share(seen.w, self.size.0) * size.0,
                share(seen.h, self.size.1) * size.1,
            );
            self.size = size;
            let clos = self.layout.map(|layout| *layout.clos());
            self.layout = clos.map(|clos| Layout::new(clos, size.0, size.1));
            if let Some(layout) = &self.layout {
                self.camera = Camera::showing(area, size, layout.limits());
            }
        }
        self.see();
    }

    /// Everything is to be drawn again, as the camera sees it now.
    fn see(&mut self) {
        let level = self.frame.head.level;
        self.sight = self
            .layout
            .as_ref()
            .map(|layout| Sight::at(layout, &self.camera, level));
        self.moved = true;
        self.touch();
    }

    /// Everything is to be drawn again.
    pub fn touch(&mut self) {
        (self.links_dirty, self.packets_dirty, self.nodes_dirty) = (true, true, true);
        self.place_locator();
    }

    /// Takes the colours of the theme in force.
    pub fn recolour(&mut self) {
        if let Some(painter) = &mut self.painter {
            painter.recolour();
        }
        self.moved = true;
        self.touch();
    }

    /// Shows another fabric, from the beginning.
    pub fn open(&mut self, clos: Clos) {
        if self.clos() != Some(&clos) {
            let layout = Layout::new(clos, self.size.0, self.size.1);
            self.layout = Some(layout);
            self.camera = Camera::home(layout.limits());
        }
        self.frame = Frame::default();
        self.wanted = Wanted::default();
        self.emphasis = Emphasis {
            hidden: self.emphasis.hidden,
            ..Emphasis::default()
        };
        self.headings.clear();
        if let Some(painter) = &mut self.painter {
            painter.reset();
        }
        self.see();
    }

    /// Shows the fabric without a run: every link is there and idle.
    pub fn rest(&mut self) {
        let Some(sight) = &self.sight else { return };
        let edges = (0..sight.shown().links()).map(|id| Edge {
            id,
            ..Edge::default()
        });
        self.frame.edges = edges.collect();
        self.touch();
    }

    /// How fast packets move.
    pub fn set_paces(&mut self, paces: Paces) {
        self.paces = paces;
    }

    /// Where the panels are.
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// The fabric.
    pub fn clos(&self) -> Option<&Clos> {
        self.layout.as_ref().map(Layout::clos)
    }

    /// How the fabric is grouped, where it is.
    pub fn grouping(&self) -> Option<&Grouping> {
        self.sight
            .as_ref()
            .map(Sight::grouping)
            .filter(|grouping| grouping.is_grouped())
    }

    /// The last frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// What the worker needs to know.
    pub fn look(&self) -> Look {
        Look {
            width: self.size.0,
            height: self.size.1,
            visible: self.camera.visible(self.size),
        }
    }

    /// Takes a new frame.
    pub fn show(&mut self, bytes: &[u8]) -> Result<(), String> {
        let level = self.frame.head.level;
        self.frame.read(bytes).map_err(|error| error.to_string())?;
        let edges = self.frame.edges.iter();
        let faults = (
            self.frame.ailing.clone(),
            edges
                .map(|edge| (edge.id, edge.state & state::FAULTS))
                .filter(|&(_, faults)| faults != 0)
                .collect(),
        );
        let has_opened = self.frame.head.level != level;
        if let Some(painter) = &mut self.painter {
            if has_opened {
                painter.reset();
            }
            painter.note(&self.frame, dom::now_ms());
        }
        self.links_dirty = true;
        self.packets_dirty = true;
        if faults != self.faults {
            self.faults = faults;
            self.nodes_dirty = true;
        }
        if has_opened {
            self.see();
            self.emphasis.hover_node = None;
            self.emphasis.hover_edges.clear();
            self.renew_emphasis();
        } else {
            self.place_locator();
        }
        Ok(())
    }

    /// True when the next frame of the same moment would know more.
    pub fn is_coarse(&self) -> bool {
        self.frame.head.flags & flags::COARSE != 0
    }

    /// The texts of the planes' headings.
    pub fn set_headings(&mut self, headings: Vec<String>) {
        if headings != self.headings {
            self.headings = headings;
            self.nodes_dirty = true;
        }
    }

    /// Draws what has changed. True when something still moves.
    pub fn draw(&mut self, now_ms: f64) -> bool {
        let (Some(painter), Some(sight)) = (&mut self.painter, &self.sight) else {
            return false;
        };
        if painter.check() {
            self.moved = true;
            (self.links_dirty, self.packets_dirty, self.nodes_dirty) = (true, true, true);
        }
        let inks = painter.palette().inks.clone();
        let scene = Scene {
            sight,
            paces: &self.paces,
            frame: &self.frame,
            emphasis: &self.emphasis,
            inks: &inks,
        };
        let rest_ms = painter.rest_ms(self.frame.edges.len());
        let is_due = now_ms - self.links_drawn_ms >= rest_ms && !painter.is_busy();
        if self.links_dirty && (self.moved || is_due) {
            self.links_dirty = !painter.rest(&scene, self.moved);
            self.moved = false;
            self.links_drawn_ms = now_ms;
            self.packets_dirty = true;
        }
        let moving = painter.is_moving(now_ms);
        if self.packets_dirty || moving || painter.is_busy() {
            painter.draw(&scene, now_ms);
            self.drawn += 1;
            self.refs.tell(sight, &self.frame, self.drawn);
            // Once more after the last flash, to wipe it away.
            self.packets_dirty = moving;
        }
        if self.nodes_dirty {
            painter.write(&scene, &self.headings);
            self.nodes_dirty = false;
        }
        self.links_dirty || self.packets_dirty || painter.is_busy()
    }

    /// Moves the camera. True when that changed something.
    pub fn set_camera(&mut self, change: impl FnOnce(&Camera, (f64, f64)) -> Camera) -> bool {
        let camera = change(&self.camera, self.size);
        let changed = camera != self.camera;
        if changed {
            self.camera = camera;
            self.see();
        }
        changed
    }

    /// True when the whole fabric is shown.
    pub fn is_home(&self) -> bool {
        self.camera.is_home()
    }

    /// The point that stays in place when something else than a pointer magnifies: the selection, if it is in sight.
    pub fn focus(&self, selected: Option<&Target>) -> Point {
        let view = Rect::new(0.0, 0.0, self.size.0, self.size.1);
        selected
            .and_then(|target| self.area(target))
            .map(|area| area.centre())
            .filter(|&centre| view.contains(centre))
            .unwrap_or_else(|| view.centre())
    }

    /// The element at a point of the screen.
    pub fn element_at(&self, at: Point) -> Option<Hit> {
        let edges = self.frame.edges.iter().map(|edge| edge.id);
        element(self.sight.as_ref()?, edges, at, REACH)
    }

    /// What is at a point of the screen: a node that it lies in, else a packet near it, else any element near it.
    pub fn under(&self, at: Point) -> Option<Under> {
        let sight = self.sight.as_ref()?;
        if let Some(node) = node(sight, at, 0.0) {
            return Some(Under::Element(Hit::Node(node)));
        }
        let drawn = self
            .frame
            .packets
            .iter()
            .filter(|packet| !self.emphasis.hidden.has(packet.kind));
        match pick(sight, &self.paces, drawn, at, PACKET_REACH) {
            Some(packet) => Some(Under::Packet(*packet)),
            None => self.element_at(at).map(Under::Element),
        }
    }

    /// What selecting an element selects.
    pub fn target(&self, hit: Hit) -> Option<Target> {
        let grouping = self.sight.as_ref()?.grouping();
        let level = grouping.level();
        Some(match hit {
            Hit::Node(node) => {
                let members = grouping.members(node.row, node.index);
                match members.len() {
                    1 => Target::single(Node {
                        index: members.start,
                        ..node
                    }),
                    _ => Target::group(level, node),
                }
            }
            Hit::Cable(edge) => match only_link(grouping, edge) {
                Some(link) => Target::Link(cable(grouping.real(), link)),
                None => Target::Bundle { level, edge },
            },
        })
    }

    /// What breaking an element breaks: of a NIC, the port that was pointed at.
    pub fn break_target(&self, hit: Hit) -> Option<Target> {
        match (hit, self.target(hit)?) {
            (Hit::Node(node), Target::Nic(nic)) => {
                let plane = node.plane;
                Some(Target::Link(LinkName::Nic { plane, nic }))
            }
            (_, target) => Some(target),
        }
    }

    /// What the ways to break an element are about; none where it stands for several things.
    pub fn subject(&self, hit: Hit) -> Option<Subject> {
        match (hit, self.target(hit)?) {
            (Hit::Node(node), Target::Nic(nic)) => Some(Subject::Nic(nic, Some(node.plane))),
            (_, target) => Subject::of(&target),
        }
    }

    /// From now on draws no packets of these kinds.
    pub fn hide(&mut self, kinds: Kinds) {
        self.emphasis.hidden = kinds;
        self.packets_dirty = true;
    }

    /// Emphasises what is selected, a QP's endpoints and the cables of a path.
    pub fn emphasise(&mut self, selected: Option<&Target>, ends: Option<Ends>, path: &[LinkName]) {
        self.wanted = Wanted {
            selected: selected.cloned(),
            ends,
            path: path.to_vec(),
        };
        self.renew_emphasis();
    }

    /// Finds out what the things to be emphasised are drawn as.
    fn renew_emphasis(&mut self) {
        let Some(sight) = &self.sight else {
            return;
        };
        let mut emphasis = Emphasis {
            hover_node: self.emphasis.hover_node,
            hover_edges: self.emphasis.hover_edges.clone(),
            hidden: self.emphasis.hidden,
            ..Emphasis::default()
        };
        let (shown, grouping) = (sight.shown(), sight.grouping());
        let both = |edge: u32| [edge, shown.reverse(edge)];
        match &self.wanted.selected {
            None => {}
            Some(Target::Qp(qp)) => emphasis.conn = Some(*qp),
            Some(Target::Packet(packet)) => emphasis.packet = Some(packet.handle),
            Some(target) => {
                emphasis.nodes = nodes_of(grouping, target);
                emphasis.edges = edges_of(grouping, target).into_iter().flat_map(both).collect();
            }
        }
        if let Some(ends) = self.wanted.ends {
            let (src, dst) = (grouping.nic(ends.src), grouping.nic(ends.dst));
            for plane in 0..shown.planes {
                let nic = |index| Node {
                    plane,
                    row: Row::Nic,
                    index,
                };
                emphasis.nodes.extend([nic(src), nic(dst)]);
                emphasis
                    .edges
                    .extend([shown.nic_up(plane, src), shown.nic_down(plane, dst)]);
            }
        }
        let links = self.wanted.path.iter();
        let links = links.filter_map(|&name| directed(grouping.real(), name));
        emphasis
            .edges
            .extend(links.flat_map(|link| both(grouping.edge(link))));
        if emphasis != self.emphasis {
            self.emphasis = emphasis;
            self.links_drawn_ms = 0.0;
            self.touch();
        }
    }

    /// Emphasises the element at a point, and says what is there: a packet, where packets may be meant, or the element.
    pub fn point_at(&mut self, at: Point, packets: bool) -> Option<Hit> {
        let under = if packets {
            self.under(at)
        } else {
            self.element_at(at).map(Under::Element)
        };
        let (hit, lines) = match under {
            Some(Under::Packet(packet)) => {
                let name = palette::name(packet.kind);
                (
                    None,
                    vec![format!("{name} · {} B · {}", packet.size, packet.owner())],
                )
            }
            Some(Under::Element(hit)) => (Some(hit), self.describe(hit)),
            None => (None, Vec::new()),
        };
        self.hover(hit);
        self.tip(at, &lines);
        hit
    }

    /// Emphasises what is under the pointer. True when that is something else than before.
    pub fn hover(&mut self, hit: Option<Hit>) -> bool {
        let (node, edges) = match (hit, &self.sight) {
            (Some(Hit::Node(node)), _) => (Some(node), Vec::new()),
            (Some(Hit::Cable(edge)), Some(sight)) => (None, vec![edge, sight.shown().reverse(edge)]),
            _ => (None, Vec::new()),
        };
        let changed = node != self.emphasis.hover_node || edges != self.emphasis.hover_edges;
        if changed {
            self.emphasis.hover_node = node;
            self.emphasis.hover_edges = edges;
            self.touch();
            // At once; but what was drawn stays until then.
            self.links_drawn_ms = 0.0;
        }
        changed
    }

    /// What is said of the thing under the pointer.
    pub fn describe(&self, hit: Hit) -> Vec<String> {
        let Some(sight) = &self.sight else {
            return Vec::new();
        };
        let grouping = sight.grouping();
        match hit {
            Hit::Node(node) => {
                let name = node.row.name(&grouping.members(node.row, node.index));
                vec![format!("{name} · plane {}", node.plane)]
            }
            Hit::Cable(edge) => {
                let back = sight.shown().reverse(edge);
                let (up, down) = (edge.min(back), edge.max(back));
                let mut lines = vec![match only_link(grouping, edge) {
                    Some(link) => cable(grouping.real(), link).to_string(),
                    None => format!("{} links", units::count(u64::from(grouping.link_count(edge)))),
                }];
                for (arrow, edge) in [("↑", up), ("↓", down)] {
                    if let Some(seen) = self.frame.edge(edge) {
                        let load = units::percent((f64::from(seen.load) / 2.55).round() / 100.0);
                        let queue = units::percent((f64::from(seen.queue) / 2.55).round() / 100.0);
                        lines.push(format!("{arrow} load {load}, queue {queue}"));
                    }
                }
                let bits = |edge| self.frame.edge(edge).map_or(0, |edge| edge.state);
                let (upward, downward) = (bits(up), bits(down));
                for (bit, words) in [
                    (state::FLAPPING, "flaps"),
                    (state::ALL_DOWN, "down"),
                    (state::DOWN, "some are down"),
                    (state::LOSSY, "loses packets at random"),
                    (state::CORRUPT, "damages packets at random"),
                    (state::DEADLOCK, "in a deadlock"),
                    (state::PAUSED, "paused (PFC)"),
                ] {
                    let way = match (upward & bit != 0, downward & bit != 0) {
                        (false, false) => continue,
                        (true, true) => "",
                        (true, false) => " ↑",
                        (false, true) => " ↓",
                    };
                    // All is more than some.
                    if bit != state::DOWN || (upward | downward) & state::ALL_DOWN == 0 {
                        lines.push(format!("{words}{way}"));
                    }
                }
                lines
            }
        }
    }

    /// The rectangle on the screen around a thing.
    pub fn area(&self, target: &Target) -> Option<Rect> {
        let sight = self.sight.as_ref()?;
        let around = |at: Point| Rect::new(at.x, at.y, 0.0, 0.0).grown(9.0);
        match target {
            Target::Link(_) | Target::Bundle { .. } => {
                let edges = edges_of(sight.grouping(), target);
                edges.get(edges.len() / 2).map(|&edge| around(sight.spot(edge)))
            }
            Target::Switch(_) | Target::Nic(_) | Target::Group { .. } => {
                let nodes = nodes_of(sight.grouping(), target);
                let (first, last) = (nodes.first()?, nodes.last()?);
                // A NIC has a node in each plane: the first will do.
                let last = if first.plane == last.plane { last } else { first };
                let (a, b) = (sight.node(*first), sight.node(*last));
                Some(Rect::new(a.x, a.y, b.x + b.w - a.x, a.h).grown(4.0))
            }
            Target::Packet(seen) => {
                // A PAUSE frame shares its number with those of the same time on other links.
                let is_pause = matches!(seen.kind, Kind::Pause | Kind::Resume);
                let same = |packet: &&Packet| {
                    (packet.handle, packet.conn) == (seen.handle, seen.conn)
                        && (!is_pause || packet.edge == seen.edge)
                };
                let packet = self.frame.packets.iter().find(same)?;
                if packet.edge >= sight.shown().links() {
                    return None;
                }
                Some(around(locate(sight, &self.paces, packet).at(0.5)))
            }
            Target::Qp(_) | Target::Fault(_) => None,
        }
    }

    /// Shows a thing that is out of sight.
    pub fn reveal(&mut self, target: &Target) -> bool {
        let Some(area) = self.area(target) else {
            return false;
        };
        let view = Rect::new(0.0, 0.0, self.size.0, self.size.1);
        if view.contains(area.centre()) {
            return false;
        }
        let (dx, dy) = (
            self.size.0 / 2.0 - area.centre().x,
            self.size.1 / 2.0 - area.centre().y,
        );
        self.set_camera(|camera, size| camera.panned(dx, dy, size))
    }

    /// The frame around the selection: on the page, so that it has a place there for tests and for assistive
    /// technology.
    fn place_locator(&self) {
        let Some(locator) = self.refs.locator.cast::<HtmlElement>() else {
            return;
        };
        let target = locator
            .get_attribute("data-target")
            .and_then(|text| serde_json::from_str::<Target>(&text).ok());
        let view = Rect::new(0.0, 0.0, self.size.0, self.size.1);
        match target
            .and_then(|target| self.area(&target))
            .filter(|area| view.contains(area.centre()))
        {
            Some(area) => {
                let _ = locator.remove_attribute("hidden");
                dom::place(&locator, area.x, area.y, Some((area.w, area.h)));
            }
            None => {
                let _ = locator.set_attribute("hidden", "");
            }
        }
    }

    /// Puts the frame around another thing.
    pub fn locate(&self, target: Option<&Target>) {
        if let Some(locator) = self.refs.locator.cast::<HtmlElement>() {
            let text = target
                .and_then(|target| serde_json::to_string(target).ok())
                .unwrap_or_default();
            let _ = locator.set_attribute("data-target", &text);
            self.place_locator();
        }
    }

    /// Shows or hides the box that says what is under the pointer.
    pub fn tip(&self, at: Point, lines: &[String]) {
        let Some(tip) = self.refs.tip.cast::<HtmlElement>() else {
            return;
        };
        if lines.is_empty() {
            let _ = tip.set_attribute("hidden", "");
            return;
        }
        tip.set_text_content(Some(&lines.join("\n")));
        let _ = tip.remove_attribute("hidden");
        let (width, height) = (f64::from(tip.offset_width()), f64::from(tip.offset_height()));
        let x = if at.x + 14.0 + width > self.size.0 {
            at.x - width - 10.0
        } else {
            at.x + 14.0
        };
        let y = if at.y + 14.0 + height > self.size.1 {
            at.y - height - 10.0
        } else {
            at.y + 14.0
        };
        dom::place(&tip, x.max(2.0), y.max(2.0), None);
    }

    /// The packet after `seen` in the last frame, of `conn` if that is given: for going through packets by key.
    pub fn next_packet(&self, seen: Option<PacketRef>, conn: Option<u32>) -> Option<PacketRef> {
        let mut all = self
            .frame
            .packets
            .iter()
            .filter(|packet| conn.is_none_or(|conn| packet.conn == conn))
            .filter(|packet| !self.emphasis.hidden.has(packet.kind));
        let first = all.clone().next();
        match seen {
            Some(seen) if all.any(|packet| packet.handle == seen.handle) => all.next().or(first),
            _ => first,
        }
        .map(PacketRef::from)
    }
}

/// The link that an edge stands for, where it is one.
fn only_link(grouping: &Grouping, edge: u32) -> Option<u32> {
    (grouping.link_count(edge) == 1).then(|| grouping.links(edge)[0])
}

/// What a thing is drawn as: in each plane that it is in, one node or several neighbours.
fn nodes_of(grouping: &Grouping, target: &Target) -> Vec<Node> {
    let clos = grouping.real();
    let (planes, row, first, last) = match *target {
        Target::Switch(SwitchName::T0 { plane, index }) if index < clos.t0s => {
            (plane..plane + 1, Row::T0, index, index)
        }
        Target::Switch(SwitchName::T1 { plane, index }) if index < clos.t1s => {
            (plane..plane + 1, Row::T1, index, index)
        }
        Target::Switch(SwitchName::T2 { plane, index }) if index < clos.t2s => {
            (plane..plane + 1, Row::T2, index, index)
        }
        Target::Nic(nic) if nic < clos.nics() => (0..clos.planes, Row::Nic, nic, nic),
        Target::Group { .. } => {
            let Some((level, node)) = target.group_node() else {
                return Vec::new();
            };
            let members = Grouping::at(*clos, level).members(node.row, node.index);
            (
                node.plane..node.plane + 1,
                node.row,
                members.start,
                members.end - 1,
            )
        }
        _ => return Vec::new(),
    };
    let drawn = |index| grouping.node(row, index);
    let planes = planes.start..planes.end.min(clos.planes);
    planes
        .flat_map(|plane| (drawn(first)..=drawn(last)).map(move |index| Node { plane, row, index }))
        .take(MAX_EMPHASISED)
        .collect()
}

/// The upward edges that a cable or bundle, or the cables of a NIC, are drawn as.
fn edges_of(grouping: &Grouping, target: &Target) -> Vec<u32> {
    let (clos, shown) = (grouping.real(), grouping.shown());
    match *target {
        Target::Link(name) => directed(clos, name)
            .map(|link| grouping.edge(link))
            .into_iter()
            .collect(),
        Target::Nic(nic) if nic < clos.nics() => (0..clos.planes)
            .map(|plane| shown.nic_up(plane, grouping.nic(nic)))
            .collect(),
        Target::Bundle { level, edge } => {
            let then = Grouping::at(*clos, level);
            if edge >= then.shown().links() {
                return Vec::new();
            }
            let end = then.shown().describe(edge);
            let plane = end.plane;
            let (lower, upper) = Row::joined_by(end.kind);
            let drawn = |row: Row, index: u32| {
                let members = then.members(row, index);
                grouping.node(row, members.start)..=grouping.node(row, members.end - 1)
            };
            let (below, above) = (drawn(lower, end.lower), drawn(upper, end.upper));
            let upward = |below: u32, above: u32| match lower {
                Row::T0 => (shown.has_trunk(below, above)).then(|| shown.up(plane, below, above)),
                Row::T1 => (shown.has_core_trunk(below, above)).then(|| shown.core_up(plane, below, above)),
                _ => Some(shown.nic_up(plane, below)),
            };
            // A NIC has one T0: whichever it is.
            let above = if lower == Row::Nic { 0..=0 } else { above };
            below
                .flat_map(|below| above.clone().filter_map(move |above| upward(below, above)))
                .take(MAX_EMPHASISED)
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The upward directed link of a cable; none when the fabric has no such cable.
fn directed(clos: &Clos, cable: LinkName) -> Option<u32> {
    directions(clos, cable).map(|[up, _]| up)
}
