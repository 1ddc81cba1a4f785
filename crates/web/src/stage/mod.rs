//! The stage: what it shows, and what lies where on it.

pub mod painter;
pub mod palette;

use crate::dom;
use fabric::Clos;
use painter::{Emphasis, Painter, Scene, on_screen, packet_on_screen};
use scenario::{LinkName, SwitchName};
use view::frame::{DeadSwitch, Frame, Packet, state};
use view::geometry::{Point, Rect};
use view::hit::{Hit, element, node};
use view::inspect::{PacketRef, Target};
use view::layout::{Layout, Node, Row};
use view::message::Look;
use view::names::{cable, directions};
use view::place::{LinkPace, pick};
use view::{Camera, Grouping, units};
use web_sys::{HtmlCanvasElement, HtmlElement};
use yew::NodeRef;

/// Links are drawn again at most this often while packets move, in ms.
const LINKS_EVERY_MS: f64 = 70.0;

/// How far from a thing a pointer may be, in CSS pixels.
const REACH: f64 = 7.0;
/// The same for a packet, of which there are many.
const PACKET_REACH: f64 = 4.5;

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

/// A QP's endpoints, for emphasis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Sending NIC.
    pub src: u32,
    /// Receiving NIC.
    pub dst: u32,
}

/// The stage.
#[derive(Default)]
pub struct Stage {
    /// Its elements.
    pub refs: StageRefs,
    painter: Option<Painter>,
    clos: Option<Clos>,
    layout: Option<Layout>,
    camera: Camera,
    size: (f64, f64),
    paces: [LinkPace; 4],
    frame: Frame,
    // Dead switches and the edges' states, as they were drawn.
    faults: (Vec<DeadSwitch>, Vec<u8>),
    emphasis: Emphasis,
    headings: Vec<String>,
    links_dirty: bool,
    packets_dirty: bool,
    nodes_dirty: bool,
    links_drawn_ms: f64,
}

impl Stage {
    /// Takes over the canvases, once they are there.
    pub fn attach(&mut self) -> Result<(), String> {
        if self.painter.is_some() {
            return Ok(());
        }
        let canvas = |index: usize| self.refs.canvases[index].cast::<HtmlCanvasElement>();
        let (Some(low), Some(middle), Some(high)) = (canvas(0), canvas(1), canvas(2)) else {
            return Err("the page has no canvas".into());
        };
        let painter = Painter::new([low, middle, high], dom::reduced_motion());
        self.painter = Some(painter.map_err(|error| crate::worker_link::words(&error))?);
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
            let middle = self
                .camera
                .to_world(Point::new(self.size.0 / 2.0, self.size.1 / 2.0));
            let share = (middle.x / self.size.0.max(1.0), middle.y / self.size.1.max(1.0));
            let scale = self.camera.scale();
            let area = (size.0 / scale, size.1 / scale);
            self.camera = Camera::showing(
                Rect::new(
                    share.0 * size.0 - area.0 / 2.0,
                    share.1 * size.1 - area.1 / 2.0,
                    area.0,
                    area.1,
                ),
                size,
            );
            self.size = size;
            self.layout = self.clos.map(|clos| Layout::new(clos, size.0, size.1));
        }
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
        self.touch();
    }

    /// Shows another fabric, from the beginning.
    pub fn open(&mut self, clos: Clos) {
        if self.clos != Some(clos) {
            self.clos = Some(clos);
            self.layout = Some(Layout::new(clos, self.size.0, self.size.1));
            self.camera = Camera::default();
        }
        self.frame = Frame::default();
        self.emphasis = Emphasis::default();
        self.headings.clear();
        if let Some(painter) = &mut self.painter {
            painter.reset();
        }
        self.touch();
    }

    /// How fast packets move.
    pub fn set_paces(&mut self, paces: [LinkPace; 4]) {
        self.paces = paces;
    }

    /// The fabric.
    pub fn clos(&self) -> Option<&Clos> {
        self.clos.as_ref()
    }

    /// How the fabric is grouped, where it is.
    pub fn grouping(&self) -> Option<&Grouping> {
        self.layout
            .as_ref()
            .map(Layout::grouping)
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
        self.frame.read(bytes).map_err(|error| error.to_string())?;
        let faults = (
            self.frame.dead.clone(),
            self.frame.edges.iter().map(|edge| edge.state).collect(),
        );
        if let Some(painter) = &mut self.painter {
            painter.note(&self.frame, dom::now_ms());
        }
        self.links_dirty = true;
        self.packets_dirty = true;
        if faults != self.faults {
            self.faults = faults;
            self.nodes_dirty = true;
        }
        self.place_locator();
        Ok(())
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
        let (Some(painter), Some(layout)) = (&self.painter, &self.layout) else {
            return false;
        };
        let scene = Scene {
            layout,
            camera: &self.camera,
            paces: &self.paces,
            frame: &self.frame,
            emphasis: &self.emphasis,
            headings: &self.headings,
        };
        let moving = painter.is_moving(now_ms);
        if self.links_dirty && now_ms - self.links_drawn_ms >= LINKS_EVERY_MS {
            painter.draw_links(&scene);
            self.links_drawn_ms = now_ms;
            self.links_dirty = false;
        }
        if self.packets_dirty || moving {
            painter.draw_packets(&scene, now_ms);
            // Once more after the last flash, to wipe it away.
            self.packets_dirty = moving;
        }
        if self.nodes_dirty {
            painter.draw_nodes(&scene);
            self.nodes_dirty = false;
        }
        self.links_dirty || self.packets_dirty
    }

    /// Moves the camera. True when that changed something.
    pub fn set_camera(&mut self, change: impl FnOnce(&Camera, (f64, f64)) -> Camera) -> bool {
        let camera = change(&self.camera, self.size);
        let changed = camera != self.camera;
        if changed {
            self.camera = camera;
            self.links_drawn_ms = 0.0;
            self.touch();
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
        let layout = self.layout.as_ref()?;
        element(layout, self.camera.to_world(at), REACH / self.camera.scale())
    }

    /// What is at a point of the screen: a node that it lies in, else a packet near it, else any element near it.
    pub fn under(&self, at: Point) -> Option<Under> {
        let layout = self.layout.as_ref()?;
        let world = self.camera.to_world(at);
        if let Some(node) = node(layout, world, 0.0) {
            return Some(Under::Element(Hit::Node(node)));
        }
        let reach = PACKET_REACH / self.camera.scale();
        match pick(layout, &self.paces, &self.frame.packets, world, reach) {
            Some(packet) => Some(Under::Packet(*packet)),
            None => self.element_at(at).map(Under::Element),
        }
    }

    /// What selecting an element selects.
    pub fn target(&self, hit: Hit) -> Option<Target> {
        let layout = self.layout.as_ref()?;
        let grouped = layout.grouping().is_grouped();
        Some(match hit {
            Hit::Node(node) if grouped => Target::group(node),
            Hit::Node(Node {
                plane,
                row: Row::T0,
                index,
            }) => Target::Switch(SwitchName::T0 { plane, index }),
            Hit::Node(Node {
                plane,
                row: Row::T1,
                index,
            }) => Target::Switch(SwitchName::T1 { plane, index }),
            Hit::Node(node) => Target::Nic(node.index),
            Hit::Cable(edge) if grouped => Target::Bundle(edge),
            Hit::Cable(edge) => Target::Link(cable(layout.shown(), edge)),
        })
    }

    /// The state bits of the edge that a cable is drawn as.
    pub fn link_state(&self, link: LinkName) -> Option<u8> {
        let layout = self.layout.as_ref()?;
        let edge = layout.grouping().edge(directed(layout.grouping().real(), link)?);
        self.frame.edges.get(edge as usize).map(|edge| edge.state)
    }

    /// True when a switch is dead.
    pub fn is_dead(&self, switch: SwitchName) -> bool {
        let (plane, tier, index) = match switch {
            SwitchName::T0 { plane, index } => (plane, 0, index),
            SwitchName::T1 { plane, index } => (plane, 1, index),
        };
        self.frame.dead.contains(&DeadSwitch {
            plane: plane as u8,
            tier,
            index: index as u16,
        })
    }

    /// Emphasises what is selected, a QP's endpoints and the cables of a path.
    pub fn emphasise(&mut self, selected: Option<&Target>, ends: Option<Ends>, path: &[LinkName]) {
        let Some(layout) = &self.layout else {
            return;
        };
        let mut emphasis = Emphasis {
            hover_node: self.emphasis.hover_node,
            hover_edges: self.emphasis.hover_edges.clone(),
            ..Emphasis::default()
        };
        let (shown, grouping) = (layout.shown(), layout.grouping());
        let planes = 0..shown.planes;
        let both = |edge: u32| [edge, shown.reverse(edge)];
        match selected {
            None => {}
            Some(Target::Link(name)) => {
                if let Some(link) = directed(grouping.real(), *name) {
                    emphasis.edges.extend(both(grouping.edge(link)));
                }
            }
            Some(Target::Switch(name)) => emphasis.nodes.extend(node_of(grouping, *name)),
            Some(Target::Nic(nic)) => {
                let index = grouping.nic(*nic);
                emphasis
                    .nodes
                    .extend(planes.clone().map(|plane| nic_node(plane, index)));
                emphasis
                    .edges
                    .extend(planes.flat_map(|plane| both(shown.nic_up(plane, index))));
            }
            Some(Target::Qp(qp)) => emphasis.conn = Some(*qp),
            Some(Target::Packet(packet)) => emphasis.packet = Some(packet.handle),
            Some(Target::Bundle(edge)) => emphasis.edges.extend(both(*edge)),
            Some(target @ Target::Group { .. }) => emphasis.nodes.extend(target.node()),
        }
        if let Some(ends) = ends {
            let (src, dst) = (grouping.nic(ends.src), grouping.nic(ends.dst));
            for plane in 0..shown.planes {
                emphasis
                    .nodes
                    .extend([nic_node(plane, src), nic_node(plane, dst)]);
                emphasis
                    .edges
                    .extend([shown.nic_up(plane, src), shown.nic_down(plane, dst)]);
            }
        }
        let links = path.iter().filter_map(|&name| directed(grouping.real(), name));
        emphasis
            .edges
            .extend(links.flat_map(|link| both(grouping.edge(link))));
        if emphasis != self.emphasis {
            self.emphasis = emphasis;
            self.links_drawn_ms = 0.0;
            self.touch();
        }
    }

    /// Emphasises what is under the pointer. True when that is something else than before.
    pub fn hover(&mut self, hit: Option<Hit>) -> bool {
        let (node, edges) = match (hit, &self.layout) {
            (Some(Hit::Node(node)), _) => (Some(node), Vec::new()),
            (Some(Hit::Cable(edge)), Some(layout)) => (None, vec![edge, layout.shown().reverse(edge)]),
            _ => (None, Vec::new()),
        };
        let changed = node != self.emphasis.hover_node || edges != self.emphasis.hover_edges;
        if changed {
            self.emphasis.hover_node = node;
            self.emphasis.hover_edges = edges;
            (self.links_dirty, self.nodes_dirty) = (true, true);
            self.links_drawn_ms = 0.0;
        }
        changed
    }

    /// What is said of the thing under the pointer.
    pub fn describe(&self, hit: Hit) -> Vec<String> {
        let Some(layout) = &self.layout else {
            return Vec::new();
        };
        let grouping = layout.grouping();
        let range = |noun: &str, members: std::ops::Range<u32>| match members.len() {
            1 => format!("{noun} {}", members.start),
            _ => format!("{noun} {}–{}", members.start, members.end - 1),
        };
        match hit {
            Hit::Node(node) => {
                let name = match node.row {
                    Row::T1 => range("T1", grouping.t1s(node.index)),
                    Row::T0 => range("T0", grouping.t0s(node.index)),
                    Row::Nic => range("NIC", grouping.nics(node.index)),
                };
                vec![format!("{name} · plane {}", node.plane)]
            }
            Hit::Cable(edge) => {
                let (up, down) = {
                    let back = layout.shown().reverse(edge);
                    (edge.min(back), edge.max(back))
                };
                let mut lines = vec![if grouping.is_grouped() {
                    format!("{} links", grouping.links(edge).len())
                } else {
                    cable(layout.shown(), edge).to_string()
                }];
                for (arrow, edge) in [("↑", up), ("↓", down)] {
                    if let Some(seen) = self.frame.edges.get(edge as usize) {
                        let load = units::percent((f64::from(seen.load) / 2.55).round() / 100.0);
                        let queue = units::percent((f64::from(seen.queue) / 2.55).round() / 100.0);
                        lines.push(format!("{arrow} load {load}, queue {queue}"));
                    }
                }
                let bits = self.frame.edges.get(edge as usize).map_or(0, |edge| edge.state);
                if bits & state::DOWN != 0 {
                    lines.push("down".into());
                }
                if bits & state::LOSSY != 0 {
                    lines.push("loses packets at random".into());
                }
                lines
            }
        }
    }

    /// The rectangle on the screen around a thing.
    pub fn area(&self, target: &Target) -> Option<Rect> {
        let layout = self.layout.as_ref()?;
        let grouping = layout.grouping();
        let node_area = |node: Node| on_screen(&self.camera, layout.node(node)).grown(4.0);
        let edge_area = |edge: u32| {
            let spot = self.camera.to_screen(layout.spot(edge));
            Rect::new(spot.x, spot.y, 0.0, 0.0).grown(9.0)
        };
        match target {
            Target::Link(name) => Some(edge_area(grouping.edge(directed(grouping.real(), *name)?))),
            Target::Switch(name) => node_of(grouping, *name).map(node_area),
            Target::Nic(nic) if *nic < grouping.real().nics() => {
                Some(node_area(nic_node(0, grouping.nic(*nic))))
            }
            Target::Bundle(edge) if *edge < layout.shown().links() => Some(edge_area(*edge)),
            Target::Group { .. } => target.node().map(node_area),
            Target::Packet(seen) => {
                let same = |packet: &&Packet| packet.handle == seen.handle && packet.conn == seen.conn;
                let packet = self.frame.packets.iter().find(same)?;
                if packet.edge >= layout.shown().links() {
                    return None;
                }
                let segment = packet_on_screen(layout, &self.camera, &self.paces, packet);
                let middle = segment.at(0.5);
                Some(Rect::new(middle.x, middle.y, 0.0, 0.0).grown(9.0))
            }
            _ => None,
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
            .filter(|packet| conn.is_none_or(|conn| packet.conn == conn));
        let first = all.clone().next();
        match seen {
            Some(seen) if all.any(|packet| packet.handle == seen.handle) => all.next().or(first),
            _ => first,
        }
        .map(PacketRef::from)
    }
}

fn nic_node(plane: u32, index: u32) -> Node {
    Node {
        plane,
        row: Row::Nic,
        index,
    }
}

fn node_of(grouping: &Grouping, switch: SwitchName) -> Option<Node> {
    let clos = grouping.real();
    let (plane, row, index) = match switch {
        SwitchName::T0 { plane, index } if index < clos.t0s => (plane, Row::T0, grouping.t0(index)),
        SwitchName::T1 { plane, index } if index < clos.t1s => (plane, Row::T1, grouping.t1(index)),
        _ => return None,
    };
    (plane < clos.planes).then_some(Node { plane, row, index })
}

/// The upward directed link of a cable; none when the fabric has no such cable.
fn directed(clos: &Clos, cable: LinkName) -> Option<u32> {
    directions(clos, cable).map(|[up, _]| up)
}
