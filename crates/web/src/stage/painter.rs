//! Draws the stage on three canvases: links and queues below, packets above them, nodes on top. Only packets move;
//! the other two are drawn again when something about them changes.
//!
//! All drawing of the stage is in this module, so that another way of drawing can take its place.

use super::palette::Palette;
use view::Camera;
use view::frame::{Event, Frame, Kind, Packet, mark, state};
use view::geometry::{Point, Rect, Segment};
use view::layout::{Layout, Node, Row};
use view::place::{LinkPace, locate};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// How long the mark of a drop or trim stays, in ms of wall-clock time.
const FLASH_MS: f64 = 650.0;

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
}

/// Everything that is drawn.
pub struct Scene<'a> {
    /// Where things are.
    pub layout: &'a Layout,
    /// What part of them is shown.
    pub camera: &'a Camera,
    /// How fast packets move.
    pub paces: &'a [LinkPace; 4],
    /// What they are doing.
    pub frame: &'a Frame,
    /// What stands out.
    pub emphasis: &'a Emphasis,
    /// A text for each plane's heading.
    pub headings: &'a [String],
}

struct Flash {
    edge: u32,
    what: Event,
    since_ms: f64,
}

/// The three canvases.
pub struct Painter {
    links: CanvasRenderingContext2d,
    packets: CanvasRenderingContext2d,
    nodes: CanvasRenderingContext2d,
    size: (f64, f64),
    ratio: f64,
    palette: Palette,
    flashes: Vec<Flash>,
    still: bool,
}

impl Painter {
    /// Takes over three canvases, from the lowest to the highest.
    pub fn new(canvases: [HtmlCanvasElement; 3], still: bool) -> Result<Painter, JsValue> {
        let context = |canvas: &HtmlCanvasElement| -> Result<CanvasRenderingContext2d, JsValue> {
            let context = canvas
                .get_context("2d")?
                .ok_or("this browser draws no 2D canvas")?;
            Ok(context.unchecked_into())
        };
        let [links, packets, nodes] = &canvases;
        Ok(Painter {
            links: context(links)?,
            packets: context(packets)?,
            nodes: context(nodes)?,
            size: (0.0, 0.0),
            ratio: 1.0,
            palette: Palette::read(),
            flashes: Vec::new(),
            still,
        })
    }

    /// Fits the canvases to their size in CSS pixels and the screen's resolution.
    pub fn resize(&mut self, size: (f64, f64), ratio: f64) {
        self.size = size;
        self.ratio = ratio;
        for context in [&self.links, &self.packets, &self.nodes] {
            if let Some(canvas) = context.canvas() {
                canvas.set_width((size.0 * ratio).round() as u32);
                canvas.set_height((size.1 * ratio).round() as u32);
            }
        }
    }

    /// Takes the colours of the theme in force.
    pub fn recolour(&mut self) {
        self.palette = Palette::read();
    }

    /// Forgets what has flashed.
    pub fn reset(&mut self) {
        self.flashes.clear();
    }

    /// Notes what a new frame reports.
    pub fn note(&mut self, frame: &Frame, now_ms: f64) {
        for flash in &frame.flashes {
            match self
                .flashes
                .iter_mut()
                .find(|old| (old.edge, old.what) == (flash.edge, flash.what))
            {
                // A place that keeps dropping keeps its mark instead of collecting many.
                Some(old) if now_ms - old.since_ms < FLASH_MS / 2.0 => {}
                Some(old) => old.since_ms = now_ms,
                None => self.flashes.push(Flash {
                    edge: flash.edge,
                    what: flash.what,
                    since_ms: now_ms,
                }),
            }
        }
        self.flashes.retain(|flash| now_ms - flash.since_ms < FLASH_MS);
    }

    /// True while something moves even when the simulation rests.
    pub fn is_moving(&self, now_ms: f64) -> bool {
        self.flashes
            .iter()
            .any(|flash| now_ms - flash.since_ms < FLASH_MS)
    }

    fn clear<'a>(&self, context: &'a CanvasRenderingContext2d) -> &'a CanvasRenderingContext2d {
        let _ = context.set_transform(self.ratio, 0.0, 0.0, self.ratio, 0.0, 0.0);
        context.clear_rect(0.0, 0.0, self.size.0, self.size.1);
        context.set_global_alpha(1.0);
        context
    }

    /// Draws panels, links and queues.
    pub fn draw_links(&self, scene: &Scene<'_>) {
        let c = self.clear(&self.links);
        let shown = *scene.layout.shown();
        for plane in 0..shown.planes {
            let panel = on_screen(scene.camera, scene.layout.panel(plane));
            c.begin_path();
            let _ = c.round_rect_with_f64(panel.x + 0.5, panel.y + 0.5, panel.w - 1.0, panel.h - 1.0, 8.0);
            c.set_fill_style_str(&self.palette.panel);
            c.fill();
            c.set_stroke_style_str(&self.palette.line);
            c.set_line_width(1.0);
            c.stroke();
        }
        let edges = self.visible_edges(scene);
        self.underlay(c, scene, &scene.emphasis.edges, &self.palette.accent, 0.38);
        self.underlay(c, scene, &scene.emphasis.hover_edges, &self.palette.ink, 0.14);
        self.loads(c, scene, &edges);
        self.queues(c, scene, &edges);
    }

    /// Edges that can be seen, with their lines on the screen.
    fn visible_edges(&self, scene: &Scene<'_>) -> Vec<(u32, Segment)> {
        let view = Rect::new(0.0, 0.0, self.size.0, self.size.1);
        (0..scene.layout.shown().links().min(scene.frame.edges.len() as u32))
            .map(|edge| (edge, line(scene.camera, scene.layout.edge(edge))))
            .filter(|(_, segment)| view.may_show(segment))
            .collect()
    }

    fn underlay(
        &self,
        c: &CanvasRenderingContext2d,
        scene: &Scene<'_>,
        edges: &[u32],
        colour: &str,
        alpha: f64,
    ) {
        if edges.is_empty() {
            return;
        }
        c.begin_path();
        for &edge in edges {
            trace(c, &line(scene.camera, scene.layout.edge(edge)));
        }
        c.set_global_alpha(alpha);
        c.set_stroke_style_str(colour);
        c.set_line_width((self.lane(scene) * 2.6).clamp(5.0, 16.0));
        c.set_line_cap("round");
        c.stroke();
        c.set_global_alpha(1.0);
    }

    /// Half the distance between the directions of a cable on the screen.
    fn lane(&self, scene: &Scene<'_>) -> f64 {
        scene.layout.lane() * scene.camera.scale()
    }

    fn loads(&self, c: &CanvasRenderingContext2d, scene: &Scene<'_>, edges: &[(u32, Segment)]) {
        c.set_line_cap("butt");
        for (level, colour) in self.palette.loads.iter().enumerate() {
            c.begin_path();
            for (edge, segment) in edges {
                let state = scene.frame.edges[*edge as usize];
                if state.state & state::ALL_DOWN == 0 && load_level(state.load) == level {
                    trace(c, segment);
                }
            }
            c.set_stroke_style_str(colour);
            let width = 0.9 + 0.12 * level as f64;
            c.set_line_width(width * (self.lane(scene) / 1.6).clamp(0.8, 2.4));
            c.stroke();
        }
    }

    fn queues(&self, c: &CanvasRenderingContext2d, scene: &Scene<'_>, edges: &[(u32, Segment)]) {
        let width = (self.lane(scene) * 1.5).clamp(2.0, 9.0);
        c.set_line_cap("butt");
        // The packet in service is no queue; a bar that short would only flicker. Some link of a bundle has always one.
        let least = if scene.layout.grouping().is_grouped() {
            64
        } else {
            8
        };
        let bars = [
            (&self.palette.queue, width),
            (&self.palette.fault, width),
            (&self.palette.packets[Kind::Sack as usize], width * 0.4),
        ];
        for (which, (colour, width)) in bars.into_iter().enumerate() {
            c.begin_path();
            for &(edge, _) in edges {
                let edge_state = scene.frame.edges[edge as usize];
                // A data queue beyond three quarters of its limit is about to trim or drop.
                let fill = match which {
                    0 if edge_state.queue < 192 => edge_state.queue,
                    1 if edge_state.queue >= 192 => edge_state.queue,
                    2 => edge_state.control,
                    _ => 0,
                };
                if fill > least {
                    let bar = line(scene.camera, scene.layout.queue(edge));
                    trace(c, &Segment::new(bar.from, bar.at(f64::from(fill) / 255.0)));
                }
            }
            c.set_stroke_style_str(colour);
            c.set_line_width(width);
            c.stroke();
        }
    }

    fn faults(&self, c: &CanvasRenderingContext2d, scene: &Scene<'_>, edges: &[(u32, Segment)]) {
        let dash = |lengths: &[f64]| {
            let pattern: js_sys::Array = lengths.iter().map(|&length| JsValue::from(length)).collect();
            let _ = c.set_line_dash(&pattern);
        };
        let with = |bit: u8| {
            edges
                .iter()
                .filter(move |(edge, _)| scene.frame.edges[*edge as usize].state & bit != 0)
        };
        c.set_line_cap("butt");
        dash(&[3.0, 4.0]);
        c.begin_path();
        with(state::LOSSY).for_each(|(_, segment)| trace(c, segment));
        c.set_stroke_style_str(&self.palette.lossy);
        c.set_line_width((self.lane(scene) * 1.2).clamp(2.4, 5.0));
        c.stroke();
        dash(&[5.0, 4.0]);
        c.begin_path();
        with(state::DOWN).for_each(|(_, segment)| trace(c, segment));
        c.set_stroke_style_str(&self.palette.fault);
        c.set_line_width((self.lane(scene) * 0.8).clamp(1.6, 3.5));
        c.stroke();
        dash(&[]);
        let size = (self.lane(scene) * 2.6).clamp(5.5, 12.0);
        let once = |edge: u32| edge < scene.layout.shown().reverse(edge);
        for (_, segment) in with(state::LOSSY).filter(|(edge, _)| once(*edge)) {
            self.percent(c, segment.at(0.5), size);
        }
        for (_, segment) in with(state::DOWN).filter(|(edge, _)| once(*edge)) {
            self.cross(c, segment.at(0.5), size);
        }
    }

    /// A per cent sign in a disc: the mark of random loss.
    fn percent(&self, c: &CanvasRenderingContext2d, at: Point, size: f64) {
        self.badge(c, at, size, &self.palette.lossy);
        c.set_text_align("center");
        c.set_text_baseline("middle");
        c.set_font(&format!("700 {:.1}px {}", size * 1.25, self.palette.fonts));
        c.set_fill_style_str(&self.palette.lossy);
        let _ = c.fill_text("%", at.x, at.y + 0.5);
    }

    fn badge(&self, c: &CanvasRenderingContext2d, at: Point, size: f64, colour: &str) {
        c.begin_path();
        let _ = c.arc(at.x, at.y, size, 0.0, std::f64::consts::TAU);
        c.set_fill_style_str(&self.palette.panel);
        c.fill();
        c.set_stroke_style_str(colour);
        c.set_line_width(1.4);
        c.stroke();
    }

    /// A cross in a disc: the mark of a fault.
    fn cross(&self, c: &CanvasRenderingContext2d, at: Point, size: f64) {
        self.badge(c, at, size, &self.palette.fault);
        let arm = size * 0.5;
        c.begin_path();
        for (dx, dy) in [(arm, arm), (arm, -arm)] {
            c.move_to(at.x - dx, at.y - dy);
            c.line_to(at.x + dx, at.y + dy);
        }
        c.set_line_width((size * 0.28).max(1.6));
        c.set_line_cap("round");
        c.stroke();
    }

    /// Draws packets and flashes.
    pub fn draw_packets(&self, scene: &Scene<'_>, now_ms: f64) {
        let c = self.clear(&self.packets);
        let links = scene.layout.shown().links();
        let view = Rect::new(0.0, 0.0, self.size.0, self.size.1).grown(12.0);
        let mut drawn: [Vec<(Segment, u8)>; 7] = Default::default();
        let mut faint: [Vec<(Segment, u8)>; 7] = Default::default();
        let mut chosen = None;
        for packet in scene.frame.packets.iter().filter(|packet| packet.edge < links) {
            let segment = line(scene.camera, locate(scene.layout, scene.paces, packet));
            if !view.may_show(&segment) {
                continue;
            }
            if scene.emphasis.packet == Some(packet.handle) {
                chosen = Some((segment, packet.kind, packet.flags));
            }
            let is_faint = packet.flags & mark::DOOMED != 0
                || scene.emphasis.conn.is_some_and(|conn| conn != packet.conn);
            let list = if is_faint { &mut faint } else { &mut drawn };
            list[packet.kind as usize].push((segment, packet.flags));
        }
        c.set_global_alpha(0.4);
        self.kinds(c, scene, &faint);
        c.set_global_alpha(1.0);
        self.kinds(c, scene, &drawn);
        if let Some((segment, kind, flags)) = chosen {
            self.halo(c, scene, &segment);
            let mut one: [Vec<(Segment, u8)>; 7] = Default::default();
            one[kind as usize].push((segment, flags));
            self.kinds(c, scene, &one);
        }
        self.draw_flashes(c, scene, now_ms);
    }

    fn kinds(&self, c: &CanvasRenderingContext2d, scene: &Scene<'_>, kinds: &[Vec<(Segment, u8)>; 7]) {
        let width = packet_width(scene);
        for kind in Kind::ALL {
            let list = &kinds[kind as usize];
            if list.is_empty() {
                continue;
            }
            let colour = &self.palette.packets[kind as usize];
            c.set_stroke_style_str(colour);
            c.set_fill_style_str(colour);
            match kind {
                Kind::Data => self.bars(c, list, width, None),
                Kind::Retransmission => self.bars(c, list, width, Some(&self.palette.ink)),
                Kind::Trimmed => self.shapes(c, list, |at| polygon(c, at, width * 1.05, 4)),
                Kind::Sack => self.shapes(c, list, |at| disc(c, at, width * 0.62)),
                Kind::Nack => self.shapes(c, list, |at| polygon(c, at, width * 1.05, 3)),
                Kind::Probe | Kind::ProbeReply => {
                    c.begin_path();
                    for (segment, _) in list {
                        disc(c, segment.to, width * 0.8);
                    }
                    c.set_line_width((width * 0.38).max(1.2));
                    c.stroke();
                    if kind == Kind::ProbeReply {
                        self.shapes(c, list, |at| disc(c, at, width * 0.3));
                    }
                }
            }
        }
    }

    /// Packets with a body: as long as their bits are on the wire.
    fn bars(&self, c: &CanvasRenderingContext2d, list: &[(Segment, u8)], width: f64, rim: Option<&str>) {
        let body = |keep: &dyn Fn(u8) -> bool| {
            c.begin_path();
            for (segment, _) in list.iter().filter(|(_, flags)| keep(*flags)) {
                trace(c, &body_of(segment, width));
            }
        };
        c.set_line_cap("round");
        if let Some(rim) = rim {
            body(&|_| true);
            c.set_line_width(width + 2.2);
            let colour = c.stroke_style();
            c.set_stroke_style_str(rim);
            c.stroke();
            if let Some(colour) = colour.as_string() {
                c.set_stroke_style_str(&colour);
            }
        }
        body(&|flags| flags & mark::QUEUED == 0);
        c.set_line_width(width);
        c.stroke();
        body(&|flags| flags & mark::QUEUED != 0);
        c.set_line_width(width * 0.7);
        c.stroke();
        // A light core says that the packet carries an ECN mark.
        if width >= 3.0 {
            body(&|flags| flags & mark::ECN != 0);
            c.set_stroke_style_str(&self.palette.panel);
            c.set_line_width(width * 0.34);
            c.stroke();
        }
    }

    fn shapes(&self, c: &CanvasRenderingContext2d, list: &[(Segment, u8)], shape: impl Fn(Point)) {
        c.begin_path();
        for (segment, _) in list {
            shape(segment.to);
        }
        c.fill();
    }

    /// A rim around the selected packet, which is drawn again above it.
    fn halo(&self, c: &CanvasRenderingContext2d, scene: &Scene<'_>, segment: &Segment) {
        let width = packet_width(scene);
        c.set_line_cap("round");
        for (colour, rim) in [(&self.palette.ink, 8.0), (&self.palette.panel, 4.0)] {
            c.begin_path();
            trace(c, &body_of(segment, width));
            c.set_stroke_style_str(colour);
            c.set_line_width(width + rim);
            c.stroke();
        }
    }

    fn draw_flashes(&self, c: &CanvasRenderingContext2d, scene: &Scene<'_>, now_ms: f64) {
        let links = scene.layout.shown().links();
        for flash in self.flashes.iter().filter(|flash| flash.edge < links) {
            let age = ((now_ms - flash.since_ms) / FLASH_MS).clamp(0.0, 1.0);
            if age >= 1.0 {
                continue;
            }
            let at = line(scene.camera, scene.layout.edge(flash.edge)).at(0.12);
            let size = packet_width(scene) * 1.3;
            let growth = if self.still { 1.0 } else { 0.7 + 1.1 * age };
            c.set_global_alpha(1.0 - age * age);
            c.begin_path();
            c.set_line_width(1.8);
            match flash.what {
                Event::Drop => {
                    let arm = size * growth;
                    for (dx, dy) in [(arm, arm), (arm, -arm)] {
                        c.move_to(at.x - dx, at.y - dy);
                        c.line_to(at.x + dx, at.y + dy);
                    }
                    c.set_stroke_style_str(&self.palette.fault);
                }
                Event::Trim => {
                    polygon(c, at, size * growth * 1.2, 4);
                    c.set_stroke_style_str(&self.palette.packets[Kind::Trimmed as usize]);
                }
            }
            c.stroke();
        }
        c.set_global_alpha(1.0);
    }

    /// Draws faults, which packets must not hide, nodes with their names, and the panels' headings.
    pub fn draw_nodes(&self, scene: &Scene<'_>) {
        let c = self.clear(&self.nodes);
        self.faults(c, scene, &self.visible_edges(scene));
        let view = Rect::new(0.0, 0.0, self.size.0, self.size.1);
        for plane in 0..scene.layout.shown().planes {
            self.heading(c, scene, plane);
            for row in Row::ALL {
                for index in 0..scene.layout.count(row) {
                    let node = Node { plane, row, index };
                    let rect = on_screen(scene.camera, scene.layout.node(node));
                    if view.grown(rect.w + rect.h).contains(rect.centre()) {
                        self.node(c, scene, node, rect);
                    }
                }
            }
        }
    }

    fn heading(&self, c: &CanvasRenderingContext2d, scene: &Scene<'_>, plane: u32) {
        let panel = on_screen(scene.camera, scene.layout.panel(plane));
        let size = 11.0 * scene.layout.magnitude();
        let y = panel.y + size;
        if panel.w < 60.0 {
            return;
        }
        c.set_text_baseline("middle");
        c.set_text_align("left");
        c.set_font(&format!("600 {size:.1}px {}", self.palette.fonts));
        c.set_fill_style_str(&self.palette.ink);
        let _ = c.fill_text(&format!("Plane {plane}"), panel.x + 10.0, y);
        let Some(text) = scene.headings.get(plane as usize).filter(|_| panel.w >= 130.0) else {
            return;
        };
        c.set_text_align("right");
        c.set_font(&format!("{size:.1}px {}", self.palette.fonts));
        c.set_fill_style_str(&self.palette.dim);
        let _ = c.fill_text(text, panel.x + panel.w - 10.0, y);
    }

    fn node(&self, c: &CanvasRenderingContext2d, scene: &Scene<'_>, node: Node, rect: Rect) {
        let emphasis = scene.emphasis;
        let dead = self.is_dead(scene, node);
        let radius: f64 = if node.row == Row::Nic { 1.5 } else { 4.0 };
        c.begin_path();
        let _ = c.round_rect_with_f64(rect.x, rect.y, rect.w, rect.h, radius.min(rect.h / 2.0));
        let selected = emphasis.nodes.contains(&node);
        let (fill, stroke) = match (dead, selected) {
            (true, _) => (&self.palette.panel, &self.palette.fault),
            (false, true) => (&self.palette.accent, &self.palette.accent),
            (false, false) => (&self.palette.node, &self.palette.node_line),
        };
        c.set_fill_style_str(fill);
        c.fill();
        c.set_stroke_style_str(stroke);
        let hovered = emphasis.hover_node == Some(node);
        c.set_line_width(if selected || hovered || dead { 2.0 } else { 1.0 });
        if rect.w >= 4.0 {
            c.stroke();
        }
        if dead {
            let size = (rect.h * 0.4).clamp(4.0, 9.0);
            self.cross(c, Point::new(rect.x + rect.w, rect.y), size);
        }
        if let Some((text, size)) = label(scene.layout, node, &rect) {
            c.set_text_align("center");
            c.set_text_baseline("middle");
            let weight = if node.row == Row::Nic { 500 } else { 600 };
            c.set_font(&format!("{weight} {size:.1}px {}", self.palette.fonts));
            c.set_fill_style_str(if selected && !dead {
                &self.palette.panel
            } else {
                &self.palette.ink
            });
            let centre = rect.centre();
            let _ = c.fill_text(&text, centre.x, centre.y + 0.5);
        }
    }

    /// True when a switch that a node stands for is dead.
    fn is_dead(&self, scene: &Scene<'_>, node: Node) -> bool {
        let grouping = scene.layout.grouping();
        let (tier, members) = match node.row {
            Row::T0 => (0, grouping.t0s(node.index)),
            Row::T1 => (1, grouping.t1s(node.index)),
            Row::Nic => return false,
        };
        scene.frame.dead.iter().any(|switch| {
            u32::from(switch.plane) == node.plane
                && switch.tier == tier
                && members.contains(&u32::from(switch.index))
        })
    }
}

/// A node's name and the size of its letters, as long as there is room for it.
fn label(layout: &Layout, node: Node, rect: &Rect) -> Option<(String, f64)> {
    let grouping = layout.grouping();
    let (noun, range) = match node.row {
        Row::T1 => ("T1", grouping.t1s(node.index)),
        Row::T0 => ("T0", grouping.t0s(node.index)),
        Row::Nic => ("NIC", grouping.nics(node.index)),
    };
    let numbers = if range.len() == 1 {
        range.start.to_string()
    } else {
        format!("{}–{}", range.start, range.end - 1)
    };
    let full = format!("{noun} {numbers}");
    [full, numbers].into_iter().find_map(|text| {
        // Digits and letters of usual fonts are about so wide.
        let fits = (rect.w - 2.0) / (text.chars().count() as f64 * 0.6);
        let size = fits.min(rect.h * 0.66).min(13.0 * layout.magnitude());
        (size >= 7.0).then_some((text, size))
    })
}

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

/// How wide a packet is on the screen, in CSS pixels.
fn packet_width(scene: &Scene<'_>) -> f64 {
    (scene.layout.lane() * scene.camera.scale() * 1.7).clamp(2.6, 10.0 * scene.layout.magnitude())
}

/// The camera's picture of a segment.
fn line(camera: &Camera, segment: Segment) -> Segment {
    Segment::new(camera.to_screen(segment.from), camera.to_screen(segment.to))
}

/// The camera's picture of a rectangle.
pub fn on_screen(camera: &Camera, rect: Rect) -> Rect {
    let corner = camera.to_screen(Point::new(rect.x, rect.y));
    Rect::new(
        corner.x,
        corner.y,
        rect.w * camera.scale(),
        rect.h * camera.scale(),
    )
}

/// A packet's place on the screen.
pub fn packet_on_screen(
    scene_layout: &Layout,
    camera: &Camera,
    paces: &[LinkPace; 4],
    packet: &Packet,
) -> Segment {
    line(camera, locate(scene_layout, paces, packet))
}

/// What is stroked of a packet's stretch: short of its round ends and of a gap to the packet behind, which follows
/// at once on a busy link. A line without length is not drawn by all browsers, round ends or not.
fn body_of(segment: &Segment, width: f64) -> Segment {
    let length = segment.length();
    let inset = ((width + 1.6) / 2.0 / length.max(1e-9)).min(0.5);
    let (from, to) = (segment.at(inset), segment.at(1.0 - inset));
    if from.distance(to) < 0.1 {
        Segment::new(from, Point::new(from.x + 0.1, from.y))
    } else {
        Segment::new(from, to)
    }
}

fn trace(c: &CanvasRenderingContext2d, segment: &Segment) {
    c.move_to(segment.from.x, segment.from.y);
    c.line_to(segment.to.x, segment.to.y);
}

fn disc(c: &CanvasRenderingContext2d, at: Point, radius: f64) {
    c.move_to(at.x + radius, at.y);
    let _ = c.arc(at.x, at.y, radius, 0.0, std::f64::consts::TAU);
}

/// A regular polygon that stands on a corner (4) or on a side (3).
fn polygon(c: &CanvasRenderingContext2d, at: Point, radius: f64, corners: u32) {
    for corner in 0..corners {
        let angle =
            std::f64::consts::TAU * f64::from(corner) / f64::from(corners) - std::f64::consts::FRAC_PI_2;
        let (x, y) = (at.x + radius * angle.cos(), at.y + radius * angle.sin());
        if corner == 0 {
            c.move_to(x, y);
        } else {
            c.line_to(x, y);
        }
    }
    c.close_path();
}
