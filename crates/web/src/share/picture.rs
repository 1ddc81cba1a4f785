//! The stage as a picture: title, time, what is drawn, and the legend, on one canvas.

use super::symbols::{Symbols, canvas, pen};
use crate::dom;
use view::geometry::Rect;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlElement};

/// Space around everything, in CSS pixels.
const MARGIN: f64 = 14.0;
/// Height of the title's lines.
const HEAD: f64 = 50.0;
/// Height of the line at the bottom.
const FOOT: f64 = 22.0;

/// Colours and fonts of the theme in force, as CSS has them.
pub struct Paper {
    ground: String,
    ink: String,
    /// Of texts of less weight.
    pub dim: String,
    line: String,
    fonts: String,
}

impl Paper {
    fn read() -> Paper {
        let style = dom::document()
            .document_element()
            .and_then(|root| dom::window().get_computed_style(&root).ok().flatten());
        let get = |name: &str| {
            let value = style
                .as_ref()
                .and_then(|style| style.get_property_value(name).ok());
            value.map_or_else(|| "gray".into(), |value| value.trim().to_owned())
        };
        Paper {
            ground: get("--surface"),
            ink: get("--ink"),
            dim: get("--dim"),
            line: get("--line"),
            fonts: get("--fonts"),
        }
    }

    /// A font of so many CSS pixels.
    pub fn font(&self, size: f64, strong: bool) -> String {
        format!("{} {size}px {}", if strong { "600" } else { "400" }, self.fonts)
    }
}

/// A stage on the page: its canvases from the lowest to the highest, and where it is on the picture.
struct Pane {
    layers: Vec<HtmlCanvasElement>,
    place: Rect,
    // What it is called, where there are several.
    name: Option<String>,
}

/// The picture.
pub struct Picture {
    /// What it is drawn on.
    pub canvas: HtmlCanvasElement,
    pen: CanvasRenderingContext2d,
    paper: Paper,
    panes: Vec<Pane>,
    symbols: Option<Symbols>,
    size: (f64, f64),
}

impl Picture {
    /// A picture of the stages that are on the page now, of at most so many pixels in width and height.
    ///
    /// # Errors
    /// Why there can be none.
    pub async fn new(most: f64) -> Result<Picture, String> {
        Picture::lay_out(most)
            .await
            .map_err(|error| crate::worker_link::words(&error))
    }

    async fn lay_out(most: f64) -> Result<Picture, JsValue> {
        let paper = Paper::read();
        let mut panes = panes()?;
        let all = panes.iter().map(|pane| pane.place).reduce(around);
        let all = all.ok_or("there is no stage on the page")?;
        for pane in &mut panes {
            let place = &mut pane.place;
            *place = Rect::new(place.x - all.x + MARGIN, place.y - all.y + HEAD, place.w, place.h);
        }
        let width = all.w + 2.0 * MARGIN;
        let ratio = dom::pixel_ratio().max(1.0);
        let symbols = Symbols::draw(&paper, all.w, ratio).await?;
        let height = HEAD + all.h + MARGIN + symbols.as_ref().map_or(0.0, |symbols| symbols.height) + FOOT;
        let ratio = ratio.min(most / width).min(most / height);
        // Films want even numbers of pixels.
        let even = |length: f64| (length * ratio / 2.0).round().max(1.0) * 2.0;
        let canvas = canvas(even(width), even(height))?;
        let pen = pen(&canvas)?;
        pen.scale(
            f64::from(canvas.width()) / width,
            f64::from(canvas.height()) / height,
        )?;
        Ok(Picture {
            canvas,
            pen,
            paper,
            panes,
            symbols,
            size: (width, height),
        })
    }

    /// Draws everything as it is on the page now.
    ///
    /// # Errors
    /// What the browser says.
    pub fn draw(&self, title: &str, time: &str) -> Result<(), JsValue> {
        let (pen, paper) = (&self.pen, &self.paper);
        let (width, height) = self.size;
        pen.set_fill_style_str(&paper.ground);
        pen.fill_rect(0.0, 0.0, width, height);
        pen.set_text_baseline("middle");
        pen.set_text_align("left");
        self.write(
            title,
            (MARGIN, 17.0),
            width - 2.0 * MARGIN,
            &paper.ink,
            (15.0, true),
        )?;
        self.write(
            time,
            (MARGIN, 36.0),
            width - 2.0 * MARGIN,
            &paper.dim,
            (12.5, false),
        )?;
        for pane in &self.panes {
            let place = pane.place;
            for layer in &pane.layers {
                let hidden = layer.style().get_property_value("visibility")? == "hidden";
                if !hidden && layer.width() > 0 && layer.height() > 0 {
                    pen.draw_image_with_html_canvas_element_and_dw_and_dh(
                        layer, place.x, place.y, place.w, place.h,
                    )?;
                }
            }
            pen.set_stroke_style_str(&paper.line);
            pen.set_line_width(1.0);
            pen.stroke_rect(place.x, place.y, place.w, place.h);
            if let Some(name) = &pane.name {
                let at = (place.x + 8.0, place.y + 12.0);
                self.write(name, at, place.w - 16.0, &paper.ink, (12.5, true))?;
            }
        }
        let foot = height - FOOT;
        if let Some(symbols) = &self.symbols {
            let top = foot - symbols.height;
            let width = width - 2.0 * MARGIN;
            pen.draw_image_with_html_canvas_element_and_dw_and_dh(
                &symbols.canvas,
                MARGIN,
                top,
                width,
                symbols.height,
            )?;
        }
        let made = "Made with Flowglass";
        self.write(
            made,
            (MARGIN, foot + 8.0),
            width - 2.0 * MARGIN,
            &paper.dim,
            (11.0, false),
        )
    }

    /// Writes a line, as much of it as there is room for.
    fn write(
        &self,
        text: &str,
        at: (f64, f64),
        room: f64,
        colour: &str,
        (size, strong): (f64, bool),
    ) -> Result<(), JsValue> {
        self.pen.set_font(&self.paper.font(size, strong));
        self.pen.set_fill_style_str(colour);
        let mut shown = text.to_owned();
        while self.pen.measure_text(&shown)?.width() > room && shown.pop().is_some() {
            shown = shown.trim_end_matches('…').to_owned();
            shown.pop();
            shown.push('…');
        }
        self.pen.fill_text(&shown, at.0, at.1)
    }
}

/// The stages on the page.
fn panes() -> Result<Vec<Pane>, JsValue> {
    let list = dom::document().query_selector_all("[data-testid=stage]")?;
    let stages: Vec<HtmlElement> = (0..list.length())
        .filter_map(|index| list.get(index)?.dyn_into().ok())
        .collect();
    let several = stages.len() > 1;
    let mut panes = Vec::new();
    for stage in stages {
        let rect = stage.get_bounding_client_rect();
        let layers = stage.query_selector_all("canvas")?;
        let name = several
            .then(|| stage.closest("section").ok().flatten())
            .flatten()
            .and_then(|section: Element| section.get_attribute("aria-label"));
        panes.push(Pane {
            layers: (0..layers.length())
                .filter_map(|index| layers.get(index)?.dyn_into().ok())
                .collect(),
            place: Rect::new(rect.x(), rect.y(), rect.width(), rect.height()),
            name,
        });
    }
    Ok(panes)
}

/// The smallest rectangle around two.
fn around(a: Rect, b: Rect) -> Rect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    let (right, bottom) = ((a.x + a.w).max(b.x + b.w), (a.y + a.h).max(b.y + b.h));
    Rect::new(x, y, right - x, bottom - y)
}
