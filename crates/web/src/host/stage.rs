//! The stage: the parts of the host on one canvas, the packets on another above it.

use crate::dom;
use scenario::host::HostScenario;
use view::Point;
use view::geometry::Rect;
use view::host::dots::{self, Dot, Kind, Route};
use view::host::message::{DataPath, Facts, Report, Target};
use view::host::stage::{Part, STAGES, Shape, Stage};
use view::units;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement};
use yew::prelude::*;

/// How near to a packet a click has to be, in CSS pixels.
const NEAR: f64 = 11.0;

/// The elements that the stage draws on.
#[derive(Clone, Default, PartialEq)]
pub struct Refs {
    /// Around both canvases.
    pub root: NodeRef,
    /// The parts.
    pub low: NodeRef,
    /// The packets.
    pub high: NodeRef,
    /// What is under the pointer.
    pub tip: NodeRef,
}

/// Colours of the theme in force, as CSS has them.
#[derive(Default)]
struct Colours {
    ground: String,
    panel: String,
    node: String,
    line: String,
    line_strong: String,
    ink: String,
    dim: String,
    accent: String,
    fault: String,
    queue: String,
    meter: String,
    exception: String,
    kinds: Vec<String>,
    fonts: String,
}

/// The variable of the style sheet that has a kind's colour.
pub const fn variable(kind: Kind) -> &'static str {
    match kind {
        Kind::Data => "--packet-data",
        Kind::Ack => "--packet-sack",
        Kind::Syn => "--packet-probe",
        Kind::Close => "--packet-trimmed",
        Kind::Ping => "--packet-ack",
        Kind::Udp => "--packet-mapper-probe",
        Kind::Flood => "--packet-nack",
        Kind::Rdma => "--packet-port-status",
        Kind::Copy => "--packet-ack-probe",
    }
}

impl Colours {
    fn read() -> Colours {
        let style = dom::document()
            .document_element()
            .and_then(|root| dom::window().get_computed_style(&root).ok().flatten());
        let get = |name: &str| {
            style
                .as_ref()
                .and_then(|style| style.get_property_value(name).ok())
                .map(|value| value.trim().to_owned())
                .filter(|value| !value.is_empty())
                .unwrap_or_else(|| "gray".into())
        };
        Colours {
            ground: get("--ground"),
            panel: get("--plane"),
            node: get("--node"),
            line: get("--line"),
            line_strong: get("--line-strong"),
            ink: get("--ink"),
            dim: get("--dim"),
            accent: get("--accent"),
            fault: get("--fault"),
            queue: get("--queue"),
            meter: get("--meter"),
            exception: get("--packet-rtx"),
            kinds: Kind::ALL.iter().map(|&kind| get(variable(kind))).collect(),
            fonts: get("--fonts"),
        }
    }
}

/// The stage.
#[derive(Default)]
pub struct HostStage {
    /// The elements.
    pub refs: Refs,
    layout: Option<Stage>,
    shape: Shape,
    size: (f64, f64),
    colours: Colours,
    dots: Vec<Dot>,
    now_ps: u64,
    selected: Option<Target>,
    // The lower canvas is old.
    stale: bool,
}

impl HostStage {
    /// Shows another scenario, at time 0.
    pub fn open(&mut self, scenario: &HostScenario) {
        self.shape = Shape {
            vms: scenario.vms.len(),
            cores: scenario.host.software.cores as usize,
            exception_cores: scenario.host.software.exception_cores as usize,
            layers: 0,
        };
        self.dots.clear();
        self.now_ps = 0;
        self.lay_out();
    }

    /// Says how many layers VFP has.
    pub fn set_layers(&mut self, layers: usize) {
        self.shape.layers = layers;
        self.lay_out();
    }

    fn lay_out(&mut self) {
        self.layout = (self.size.0 > 0.0).then(|| Stage::new(self.size.0, self.size.1, self.shape));
        self.stale = true;
    }

    /// Adapts to the size of its element and the resolution of the screen.
    pub fn resize(&mut self) {
        if self.colours.kinds.is_empty() {
            self.colours = Colours::read();
        }
        let Some(root) = self.refs.root.cast::<HtmlElement>() else {
            return;
        };
        let rect = root.get_bounding_client_rect();
        self.size = (rect.width(), rect.height());
        let ratio = dom::pixel_ratio();
        for canvas in [&self.refs.low, &self.refs.high] {
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                canvas.set_width((self.size.0 * ratio).round().clamp(1.0, 8192.0) as u32);
                canvas.set_height((self.size.1 * ratio).round().clamp(1.0, 8192.0) as u32);
            }
        }
        self.lay_out();
    }

    /// Takes the colours from the style sheet again.
    pub fn recolour(&mut self) {
        self.colours = Colours::read();
        self.stale = true;
    }

    /// The parts are to be drawn again.
    pub fn redraw(&mut self) {
        self.stale = true;
    }

    /// Takes a frame. False when it cannot be read.
    pub fn show(&mut self, bytes: &[u8], now_ps: u64) -> bool {
        let Some(dots) = dots::read(bytes) else {
            return false;
        };
        self.dots = dots;
        self.now_ps = now_ps;
        true
    }

    /// Time of the frame.
    pub fn now_ps(&self) -> u64 {
        self.now_ps
    }

    /// Packets of the frame.
    pub fn drawn(&self) -> usize {
        self.dots.len()
    }

    /// What is selected.
    pub fn select(&mut self, target: Option<Target>) {
        self.selected = target;
        self.stale = true;
    }

    /// The packet after `seen`, in the order of their numbers and round and round.
    pub fn next_packet(&self, seen: Option<u32>) -> Option<u32> {
        let mut ids: Vec<u32> = self.dots.iter().map(|dot| dot.id).collect();
        ids.sort_unstable();
        let after = seen.and_then(|seen| ids.iter().copied().find(|&id| id > seen));
        after.or_else(|| ids.first().copied())
    }

    fn dot_at(&self, at: Point) -> Option<&Dot> {
        let layout = self.layout.as_ref()?;
        self.dots
            .iter()
            .map(|dot| (layout.place(dot).distance(at), dot))
            .filter(|(distance, _)| *distance <= NEAR)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, dot)| dot)
    }

    /// What a click at a point means.
    pub fn target(&self, at: Point, vm: u32) -> Option<Target> {
        if let Some(dot) = self.dot_at(at) {
            return Some(Target::Packet { id: dot.id });
        }
        match self.layout.as_ref()?.hit(at)? {
            Part::Vm(vm) => Some(Target::Vm { vm: vm as u32 }),
            Part::Layer(layer) => Some(Target::Layer {
                vm,
                layer: layer as u32,
            }),
            Part::Nic | Part::Stage(_) | Part::Cache(_) => Some(Target::Nic),
            Part::Switch | Part::Core(_) | Part::Network => None,
        }
    }

    /// Says what is under the pointer.
    pub fn hover(&self, at: Point, report: &Report, facts: &Facts) {
        let text = match self.dot_at(at) {
            Some(dot) => Some(format!("{} · {}", dot.kind.name(), dot.place.name())),
            None => self
                .layout
                .as_ref()
                .and_then(|layout| layout.hit(at))
                .map(|part| describe(part, report, facts)),
        };
        let Some(tip) = self.refs.tip.cast::<HtmlElement>() else {
            return;
        };
        tip.set_hidden(text.is_none());
        if let Some(text) = text {
            tip.set_inner_text(&text);
            let width = f64::from(tip.offset_width());
            let x = (at.x + 14.0).min(self.size.0 - width - 4.0).max(4.0);
            let y = if at.y > self.size.1 - 60.0 {
                at.y - 40.0
            } else {
                at.y + 16.0
            };
            dom::place(&tip, x, y, None);
        }
    }

    /// The pointer has left.
    pub fn hover_nothing(&self) {
        if let Some(tip) = self.refs.tip.cast::<HtmlElement>() {
            tip.set_hidden(true);
        }
    }

    /// Draws what has changed.
    pub fn draw(&mut self, report: &Report, facts: &Facts, vm: u32) {
        let Some(layout) = &self.layout else {
            return;
        };
        if self.stale
            && let Some(pen) = pen(&self.refs.low, self.size)
        {
            self.stale = false;
            Parts {
                pen: &pen,
                layout,
                colours: &self.colours,
                report,
                facts,
                vm,
                selected: self.selected,
                size: self.size,
            }
            .draw();
        }
        if let Some(pen) = pen(&self.refs.high, self.size) {
            self.packets(&pen, layout);
        }
    }

    fn packets(&self, pen: &CanvasRenderingContext2d, layout: &Stage) {
        let colours = &self.colours;
        // Exceptions and copies last: there are few of them, and they are what one wants to see.
        let order = |dot: &Dot| dot.route == Route::Exception || dot.kind == Kind::Copy;
        for late in [false, true] {
            for dot in self.dots.iter().filter(|dot| order(dot) == late) {
                let at = layout.place(dot);
                let colour = &colours.kinds[dot.kind as usize];
                mark(pen, dot.kind, at, colour, &colours.ground);
                if dot.route == Route::Exception && dot.kind != Kind::Copy {
                    ring(pen, at, 6.5, &colours.exception);
                }
            }
        }
        if let Some(Target::Packet { id }) = self.selected
            && let Some(dot) = self.dots.iter().find(|dot| dot.id == id)
        {
            ring(pen, layout.place(dot), 10.0, &colours.accent);
        }
    }
}

/// An empty canvas to draw on, in CSS pixels.
fn pen(canvas: &NodeRef, size: (f64, f64)) -> Option<CanvasRenderingContext2d> {
    let canvas = canvas.cast::<HtmlCanvasElement>()?;
    let pen = canvas
        .get_context("2d")
        .ok()??
        .dyn_into::<CanvasRenderingContext2d>()
        .ok()?;
    let ratio = dom::pixel_ratio();
    pen.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0).ok()?;
    pen.clear_rect(0.0, 0.0, size.0, size.1);
    Some(pen)
}

fn ring(pen: &CanvasRenderingContext2d, at: Point, radius: f64, colour: &str) {
    pen.begin_path();
    let _ = pen.arc(at.x, at.y, radius, 0.0, std::f64::consts::TAU);
    pen.set_stroke_style_str(colour);
    pen.set_line_width(2.0);
    pen.stroke();
}

/// Draws a packet: each kind has a shape of its own.
pub fn mark(pen: &CanvasRenderingContext2d, kind: Kind, at: Point, colour: &str, ground: &str) {
    let (x, y) = (at.x, at.y);
    pen.set_fill_style_str(colour);
    pen.set_stroke_style_str(colour);
    pen.set_line_width(1.8);
    let path = |points: &[(f64, f64)]| {
        pen.begin_path();
        for (i, (dx, dy)) in points.iter().enumerate() {
            if i == 0 {
                pen.move_to(x + dx, y + dy);
            } else {
                pen.line_to(x + dx, y + dy);
            }
        }
        pen.close_path();
    };
    match kind {
        Kind::Data => pen.fill_rect(x - 5.0, y - 2.6, 10.0, 5.2),
        Kind::Ack => {
            pen.begin_path();
            let _ = pen.arc(x, y, 2.6, 0.0, std::f64::consts::TAU);
            pen.fill();
        }
        Kind::Syn => {
            path(&[(0.0, -4.6), (4.6, 3.6), (-4.6, 3.6)]);
            pen.fill();
        }
        Kind::Close => {
            path(&[(0.0, 4.6), (4.6, -3.6), (-4.6, -3.6)]);
            pen.fill();
        }
        Kind::Ping => {
            pen.begin_path();
            let _ = pen.arc(x, y, 4.2, 0.0, std::f64::consts::TAU);
            pen.fill();
            pen.set_fill_style_str(ground);
            pen.begin_path();
            let _ = pen.arc(x, y, 1.7, 0.0, std::f64::consts::TAU);
            pen.fill();
        }
        Kind::Udp => pen.fill_rect(x - 3.2, y - 3.2, 6.4, 6.4),
        Kind::Flood => {
            pen.begin_path();
            pen.move_to(x - 3.4, y - 3.4);
            pen.line_to(x + 3.4, y + 3.4);
            pen.move_to(x + 3.4, y - 3.4);
            pen.line_to(x - 3.4, y + 3.4);
            pen.stroke();
        }
        Kind::Rdma => {
            path(&[
                (-5.5, 0.0),
                (-2.8, -3.4),
                (2.8, -3.4),
                (5.5, 0.0),
                (2.8, 3.4),
                (-2.8, 3.4),
            ]);
            pen.fill();
        }
        Kind::Copy => {
            path(&[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)]);
            pen.set_fill_style_str(ground);
            pen.fill();
            pen.stroke();
        }
    }
}

/// A part in words.
fn describe(part: Part, report: &Report, facts: &Facts) -> String {
    match part {
        Part::Vm(vm) => report.vms.get(vm).map_or_else(
            || format!("VM {vm}"),
            |state| {
                let path = match state.data_path {
                    DataPath::Vf => "sends by the VF",
                    DataPath::Synthetic => "sends by the synthetic path",
                    DataPath::None => "has no device to send with",
                };
                format!("{} · {path}", state.name)
            },
        ),
        Part::Switch => "vSwitch: cores that run VFP".into(),
        Part::Core(core) => format!(
            "Core {core} · {} busy · {} wait",
            units::percent(report.core_load.get(core).copied().unwrap_or(0.0)),
            report.waiting.get(core).copied().unwrap_or(0)
        ),
        Part::Layer(layer) => facts
            .layers
            .first()
            .and_then(|layers| layers.get(layer))
            .cloned()
            .unwrap_or_default(),
        Part::Nic => "SmartNIC: FPGA with the Generic Flow Table".into(),
        Part::Stage(stage) => format!("{} stage of the FPGA's pipeline", STAGES[stage]),
        Part::Cache(0) => format!("L1 on the chip · {} of {}", report.resident[1], facts.l1),
        Part::Cache(_) => format!("L2 in the card's DRAM · {} of {}", report.resident[2], facts.l2),
        Part::Network => "Network and peers".into(),
    }
}

/// What draws the parts.
struct Parts<'a> {
    pen: &'a CanvasRenderingContext2d,
    layout: &'a Stage,
    colours: &'a Colours,
    report: &'a Report,
    facts: &'a Facts,
    vm: u32,
    selected: Option<Target>,
    size: (f64, f64),
}

impl Parts<'_> {
    fn draw(&self) {
        self.lines();
        self.vms();
        self.switch();
        self.nic();
        self.network();
    }

    fn font(&self, weight: u32, size: f64) {
        self.pen
            .set_font(&format!("{weight} {size}px {}", self.colours.fonts));
    }

    fn frame(&self, rect: Rect, fill: &str, line: &str, width: f64) {
        self.pen.begin_path();
        let radius = 5.0f64.min(rect.w / 3.0).min(rect.h / 3.0);
        let _ = self
            .pen
            .round_rect_with_f64(rect.x, rect.y, rect.w, rect.h, radius);
        self.pen.set_fill_style_str(fill);
        self.pen.fill();
        self.pen.set_stroke_style_str(line);
        self.pen.set_line_width(width);
        self.pen.stroke();
    }

    /// A text that is cut where its place ends.
    fn text(&self, text: &str, x: f64, y: f64, room: f64, colour: &str) {
        let wide = |text: &str| self.pen.measure_text(text).map_or(0.0, |size| size.width());
        let mut shown = text.to_owned();
        if wide(&shown) > room {
            while !shown.is_empty() && wide(&format!("{shown}…")) > room {
                shown.pop();
            }
            if shown.chars().count() < 2 {
                return;
            }
            shown.push('…');
        }
        self.pen.set_fill_style_str(colour);
        let _ = self.pen.fill_text(&shown, x, y);
    }

    /// A text that goes upwards in its box.
    fn upright(&self, text: &str, rect: Rect, colour: &str) {
        self.pen.save();
        let _ = self
            .pen
            .translate(rect.x + rect.w / 2.0 + 4.0, rect.y + rect.h - 5.0);
        let _ = self.pen.rotate(-std::f64::consts::FRAC_PI_2);
        self.text(text, 0.0, 0.0, rect.h - 8.0, colour);
        self.pen.restore();
    }

    fn bar(&self, rect: Rect, share: f64, colour: &str) {
        self.pen.set_fill_style_str(&self.colours.line);
        self.pen.fill_rect(rect.x, rect.y, rect.w, rect.h);
        self.pen.set_fill_style_str(colour);
        self.pen
            .fill_rect(rect.x, rect.y, rect.w * share.clamp(0.0, 1.0), rect.h);
    }

    fn path(&self, points: &[Point], colour: &str, width: f64, dashed: bool) {
        self.pen.begin_path();
        for (i, at) in points.iter().enumerate() {
            if i == 0 {
                self.pen.move_to(at.x, at.y);
            } else {
                self.pen.line_to(at.x, at.y);
            }
        }
        let dash = js_sys::Array::new();
        if dashed {
            dash.push(&5.0.into());
            dash.push(&4.0.into());
        }
        let _ = self.pen.set_line_dash(&dash);
        self.pen.set_stroke_style_str(colour);
        self.pen.set_line_width(width);
        self.pen.stroke();
        let _ = self.pen.set_line_dash(&js_sys::Array::new());
    }

    /// The ways of packets: the data path that is in use is lit, one that is gone is dashed.
    fn lines(&self) {
        let c = self.colours;
        for vm in 0..self.layout.shape().vms {
            let state = self.report.vms.get(vm);
            let path = state.map_or(DataPath::Vf, |state| state.data_path);
            let has_vf = state.is_none_or(|state| state.has_vf);
            let style = |lit: bool| {
                if lit {
                    (&c.accent, 3.0)
                } else {
                    (&c.line_strong, 1.2)
                }
            };
            let (colour, width) = if has_vf {
                style(path == DataPath::Vf)
            } else {
                (&c.fault, 1.6)
            };
            self.path(&self.layout.vf_line(vm), colour, width, !has_vf);
            let (colour, width) = style(path == DataPath::Synthetic);
            self.path(&self.layout.synthetic_line(vm), colour, width, false);
        }
        self.path(&self.layout.exception_line(), &c.exception, 1.6, false);
        self.path(&self.layout.switch_line(), &c.line_strong, 1.2, false);
        let dead = self.report.wire_dead;
        let (colour, width) = if dead {
            (&c.fault, 2.0)
        } else {
            (&c.line_strong, 3.0)
        };
        self.path(&self.layout.wire(), colour, width, dead);
    }

    fn is_selected(&self, target: Target) -> bool {
        self.selected == Some(target)
    }

    fn outline(&self, target: Target) -> (&str, f64) {
        if self.is_selected(target) {
            (&self.colours.accent, 2.4)
        } else {
            (&self.colours.line_strong, 1.0)
        }
    }

    fn vms(&self) {
        let c = self.colours;
        for vm in 0..self.layout.shape().vms {
            let rect = self.layout.of(Part::Vm(vm));
            let (line, width) = self.outline(Target::Vm { vm: vm as u32 });
            self.frame(rect, &c.node, line, width);
        }
        let boxes = self.layout.vm_boxes();
        let all = self.layout.shape().vms;
        for slot in 0..boxes {
            let vm = slot * all / boxes;
            let rect = self.layout.of(Part::Vm(vm));
            let Some(state) = self.report.vms.get(vm) else {
                continue;
            };
            let (x, room) = (rect.x + 6.0, rect.w - 10.0);
            if rect.h < 12.0 {
                continue;
            }
            self.font(600, 12.0);
            let name = if all > boxes {
                format!("{} …", state.name)
            } else {
                state.name.clone()
            };
            self.text(&name, x, rect.y + 14.0, room, &c.ink);
            self.font(400, 11.0);
            if rect.h > 30.0 {
                self.text("NetVSC", x, rect.y + 28.0, room, &c.dim);
            }
            if rect.h > 44.0 {
                let (text, colour) = match (state.has_vf, state.data_path) {
                    (true, DataPath::Vf) => ("on the VF", &c.ink),
                    (true, _) => ("synthetic; VF there", &c.ink),
                    (false, DataPath::None) => ("VF away: no device", &c.fault),
                    (false, _) => ("synthetic; no VF", &c.fault),
                };
                self.text(text, x, rect.y + 42.0, room, colour);
            }
            if rect.h > 60.0
                && let Some(step) = &state.step
            {
                self.text(step, x, rect.y + 57.0, room, &c.fault);
            }
        }
    }

    fn switch(&self) {
        let c = self.colours;
        let rect = self.layout.of(Part::Switch);
        self.frame(rect, &c.panel, &c.line_strong, 1.0);
        self.font(600, 12.0);
        let line = if self.layout.is_turned() { 11.0 } else { 15.0 };
        self.text("vSwitch", rect.x + 7.0, rect.y + line, rect.w * 0.35, &c.ink);
        self.font(400, 11.0);
        let shape = self.layout.shape();
        for core in 0..shape.cores {
            let of = self.layout.of(Part::Core(core));
            self.frame(of, &c.node, &c.line_strong, 1.0);
            let load = self.report.core_load.get(core).copied().unwrap_or(0.0);
            let colour = if load > 0.95 { &c.fault } else { &c.meter };
            self.bar(
                Rect::new(of.x + 2.0, of.y + of.h - 4.0, of.w - 4.0, 3.0),
                load,
                colour,
            );
            if of.h >= 12.0 && of.w > 30.0 {
                self.font(400, (of.h - 5.0).clamp(8.0, 11.0));
                let name = if core < shape.exception_cores {
                    format!("core {core} · exc.")
                } else {
                    format!("core {core}")
                };
                self.text(&name, of.x + 4.0, of.y + of.h / 2.0 + 1.5, of.w - 6.0, &c.dim);
            }
            let waiting = self.report.waiting.get(core).copied().unwrap_or(0);
            if waiting > 0 {
                // The queue before the core, as long as it is full.
                let from = rect.x + 4.0;
                let room = of.x - from - 2.0;
                let share = (f64::from(waiting) / 1_024.0).clamp(0.03, 1.0);
                self.pen.set_fill_style_str(&c.queue);
                self.pen.set_global_alpha(0.45);
                if self.layout.is_turned() {
                    self.pen.fill_rect(of.x, of.y - 6.0, of.w * share, 5.0);
                } else {
                    self.pen
                        .fill_rect(of.x - 2.0 - room * share, of.y + 1.0, room * share, of.h - 2.0);
                }
                self.pen.set_global_alpha(1.0);
            }
        }
        let names = self.facts.layers.get(self.vm as usize);
        for (layer, name) in names.into_iter().flatten().enumerate() {
            let of = self.layout.of(Part::Layer(layer));
            let (line, width) = self.outline(Target::Layer {
                vm: self.vm,
                layer: layer as u32,
            });
            self.frame(of, &c.node, line, width);
            if of.h > 8.0 && of.w > 50.0 {
                let size = (of.h - 3.0).clamp(7.0, 11.0);
                self.font(400, size);
                self.text(
                    &short(name),
                    of.x + 5.0,
                    of.y + of.h / 2.0 + size * 0.36,
                    of.w - 8.0,
                    &c.ink,
                );
            }
        }
        if names.is_some_and(|names| !names.is_empty()) && !self.layout.is_turned() {
            self.font(400, 11.0);
            let first = self.layout.of(Part::Layer(0));
            self.text("VFP layers", first.x, rect.y + 15.0, first.w, &c.dim);
        }
    }

    fn nic(&self) {
        let c = self.colours;
        let rect = self.layout.of(Part::Nic);
        let (line, width) = self.outline(Target::Nic);
        let busy = !self.report.servicing.is_empty();
        self.frame(
            rect,
            &c.panel,
            if busy { &c.fault } else { line },
            if busy { 2.4 } else { width },
        );
        self.font(600, 12.0);
        let title = if busy { "SmartNIC: serviced" } else { "SmartNIC" };
        let turned = self.layout.is_turned();
        let ink = if busy { &c.fault } else { &c.ink };
        let last = self.layout.of(Part::Stage(3));
        if turned {
            self.text(title, last.x + last.w + 6.0, rect.y + 13.0, 60.0, ink);
        } else {
            let first = self.layout.of(Part::Stage(0));
            let below = self.layout.of(Part::Cache(0)).y;
            let middle = (first.y + first.h + below) / 2.0 + 4.0;
            self.text(title, rect.x + 8.0, middle, rect.w - 12.0, ink);
        }
        self.font(400, 11.0);
        for (stage, name) in STAGES.iter().enumerate() {
            let of = self.layout.of(Part::Stage(stage));
            self.frame(of, &c.node, &c.line_strong, 1.0);
            if !turned && of.h > 40.0 {
                self.upright(name, of, &c.dim);
            }
        }
        let levels = [
            (
                "L1",
                self.report.resident[1],
                self.facts.l1,
                self.report.lookups[0],
            ),
            (
                "L2",
                self.report.resident[2],
                self.facts.l2,
                self.report.lookups[1],
            ),
        ];
        for (level, (name, taken, all, hits)) in levels.into_iter().enumerate() {
            let of = self.layout.of(Part::Cache(level));
            self.frame(of, &c.node, &c.line_strong, 1.0);
            let (x, room) = (of.x + 6.0, of.w - 10.0);
            self.font(600, 11.0);
            self.text(
                &format!("{name} · {}", units::count(u64::from(taken))),
                x,
                of.y + 14.0,
                room,
                &c.ink,
            );
            self.font(400, 11.0);
            if of.h > 34.0 {
                self.text(
                    &format!("{} hits", units::count(hits)),
                    x,
                    of.y + 28.0,
                    room,
                    &c.dim,
                );
            }
            let share = f64::from(taken) / f64::from(all.max(1));
            self.bar(Rect::new(x, of.y + of.h - 8.0, room, 4.0), share, &c.meter);
        }
    }

    fn network(&self) {
        let c = self.colours;
        let rect = self.layout.of(Part::Network);
        self.frame(rect, &c.node, &c.line_strong, 1.0);
        self.font(600, 12.0);
        self.text("Peers", rect.x + 6.0, rect.y + 14.0, rect.w - 8.0, &c.ink);
        self.font(400, 11.0);
        let wire = if self.report.wire_dead {
            ("wire dead", &c.fault)
        } else {
            ("wire", &c.dim)
        };
        let [from, to] = self.layout.wire();
        if !self.layout.is_turned() {
            self.text(
                wire.0,
                from.x + 6.0,
                from.y - 20.0,
                (to.x - from.x).max(40.0),
                wire.1,
            );
        }
        let lost: u64 = self.report.lost.iter().map(|(_, count)| count).sum();
        if lost > 0 && self.size.1 > 200.0 {
            self.text(
                &format!("{} lost", units::count(lost)),
                rect.x + 6.0,
                rect.y + rect.h - 8.0,
                rect.w - 8.0,
                &c.fault,
            );
        }
    }
}

/// A layer's name without what all of them have.
fn short(name: &str) -> String {
    name.replace("_LAYER_ID", "").replace("_LAYER", "")
}

/// The stage in words.
pub fn words(report: &Report, there: u32) -> String {
    let vms: Vec<String> = report
        .vms
        .iter()
        .take(8)
        .map(|vm| {
            let path = match vm.data_path {
                DataPath::Vf => "on its VF",
                DataPath::Synthetic => "on the synthetic path",
                DataPath::None => "without a device",
            };
            format!("{} {path}", vm.name)
        })
        .collect();
    let servicing = report
        .servicing
        .iter()
        .map(|text| format!(" {text}."))
        .collect::<String>();
    format!(
        "A host with {} {}: {}. vSwitch with {} cores, SmartNIC with {} flows in L1 and {} in L2. {} packets under way.{servicing}",
        report.vms.len(),
        if report.vms.len() == 1 { "VM" } else { "VMs" },
        vms.join(", "),
        report.core_load.len(),
        report.resident[1],
        report.resident[2],
        there,
    )
}

/// The kinds that a scenario's packets can be, for the legend, and the place of a copy.
pub fn legend() -> [(Kind, &'static str); 9] {
    [
        (Kind::Data, "TCP data"),
        (Kind::Ack, "TCP acknowledgment"),
        (Kind::Syn, "TCP SYN or SYN-ACK"),
        (Kind::Close, "TCP FIN or RST"),
        (Kind::Ping, "Small message that waits for its answer"),
        (Kind::Udp, "UDP"),
        (Kind::Flood, "SYN of a flood, or the answer to one"),
        (Kind::Rdma, "RDMA"),
        (Kind::Copy, "Copy of a SYN, FIN or RST for VFP"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_in_the_legend_once() {
        let kinds = legend().map(|(kind, _)| kind);
        assert_eq!(kinds.to_vec(), Kind::ALL);
        assert_eq!(short("FW_ADMIN_LAYER_ID"), "FW_ADMIN");
    }
}
