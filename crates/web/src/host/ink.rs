//! Colours and symbols on the canvases.

use crate::dom;
use view::Point;
use view::geometry::Rect;
use view::host::dots::Kind;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};
use yew::NodeRef;

/// Colours of the theme in force, as CSS has them.
#[derive(Default)]
pub struct Colours {
    /// Behind everything.
    pub ground: String,
    /// Of the vSwitch and the SmartNIC.
    pub panel: String,
    /// Of the boxes in them.
    pub node: String,
    /// Of what is left of a bar.
    pub line: String,
    /// Of edges and of ways that are not in use.
    pub line_strong: String,
    /// Of texts.
    pub ink: String,
    /// Of texts of less weight.
    pub dim: String,
    /// Of what is selected, and of the way in use.
    pub accent: String,
    /// Of what is away or dead.
    pub fault: String,
    /// Of packets that wait.
    pub queue: String,
    /// Of bars.
    pub meter: String,
    /// Of exceptions.
    pub exception: String,
    /// Of packets, by kind.
    pub kinds: Vec<String>,
    /// The fonts.
    pub fonts: String,
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
    /// The colours of the theme in force.
    pub fn read() -> Colours {
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

/// An empty canvas to draw on, in CSS pixels.
pub fn pen(canvas: &NodeRef, size: (f64, f64)) -> Option<CanvasRenderingContext2d> {
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

/// Draws the edge of a box.
pub fn outline(pen: &CanvasRenderingContext2d, rect: Rect, colour: &str, width: f64) {
    pen.begin_path();
    let radius = 5.0f64.min(rect.w / 3.0).min(rect.h / 3.0);
    let _ = pen.round_rect_with_f64(rect.x, rect.y, rect.w, rect.h, radius);
    pen.set_stroke_style_str(colour);
    pen.set_line_width(width);
    pen.stroke();
}

/// Writes a text that is cut where its place ends; of less than two letters nothing.
pub fn text(pen: &CanvasRenderingContext2d, text: &str, at: (f64, f64), room: f64, colour: &str) {
    let wide = |text: &str| pen.measure_text(text).map_or(0.0, |size| size.width());
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
    pen.set_fill_style_str(colour);
    let _ = pen.fill_text(&shown, at.0, at.1);
}

/// Draws a ring.
pub fn ring(pen: &CanvasRenderingContext2d, at: Point, radius: f64, colour: &str) {
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
