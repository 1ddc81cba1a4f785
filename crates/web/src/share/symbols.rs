//! The legend as a picture: the symbols of the page's own legend with their names, so that there is one place for what they look like.

use super::picture::Paper;
use crate::dom;
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlImageElement, NodeList};

/// Size of a symbol in CSS pixels, as the legend has it.
const SYMBOL: (f64, f64) = (22.0, 12.0);
/// Height of a line.
const LINE: f64 = 20.0;
/// Space between a symbol and its name, and after the name.
const GAPS: (f64, f64) = (5.0, 14.0);
/// What the style sheet says of shapes that a picture of its own needs to be told.
const STYLES: [&str; 10] = [
    "fill",
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "stroke-dasharray",
    "paint-order",
    "font-size",
    "font-weight",
    "font-family",
    "text-anchor",
];
/// Entries at most: the legend has fewer.
const MOST: u32 = 40;

/// The legend, drawn once.
pub struct Symbols {
    /// The picture.
    pub canvas: HtmlCanvasElement,
    /// Its height in CSS pixels.
    pub height: f64,
}

struct Entry {
    name: String,
    at: (f64, f64),
    svg: String,
}

impl Symbols {
    /// Draws the page's legend in lines of `width` CSS pixels. None where the page has no legend.
    ///
    /// # Errors
    /// What the browser says.
    pub async fn draw(paper: &Paper, width: f64, ratio: f64) -> Result<Option<Symbols>, JsValue> {
        let measure = pen(&canvas(1.0, 1.0)?)?;
        measure.set_font(&paper.font(12.0, false));
        let mut entries = read()?;
        let (mut x, mut y) = (0.0, 0.0);
        for entry in &mut entries {
            let text = measure.measure_text(&entry.name)?.width();
            let room = SYMBOL.0 + GAPS.0 + text;
            if x > 0.0 && x + room > width {
                (x, y) = (0.0, y + LINE);
            }
            entry.at = (x, y);
            x += room + GAPS.1;
        }
        if entries.is_empty() {
            return Ok(None);
        }
        let height = y + LINE;
        let canvas = canvas(width * ratio, height * ratio)?;
        let pen = pen(&canvas)?;
        pen.scale(ratio, ratio)?;
        pen.draw_image_with_html_image_element_and_dw_and_dh(
            &picture(&entries, (width, height)).await?,
            0.0,
            0.0,
            width,
            height,
        )?;
        pen.set_font(&paper.font(12.0, false));
        pen.set_fill_style_str(&paper.dim);
        pen.set_text_baseline("middle");
        for entry in &entries {
            let (x, y) = entry.at;
            pen.fill_text(&entry.name, x + SYMBOL.0 + GAPS.0, y + LINE / 2.0)?;
        }
        Ok(Some(Symbols { canvas, height }))
    }
}

/// The entries of the page's legend; kinds of packets that are hidden on the stage are no part of the picture.
fn read() -> Result<Vec<Entry>, JsValue> {
    let items = dom::document().query_selector_all(".legend li")?;
    let mut entries = Vec::new();
    for item in elements(&items) {
        let hidden = item.query_selector("[aria-pressed=false]")?.is_some();
        let Some(svg) = item.query_selector("svg")?.filter(|_| !hidden) else {
            continue;
        };
        let name = item.text_content().unwrap_or_default();
        // A letter on a symbol is part of the item's text.
        let letters = svg.text_content().unwrap_or_default();
        let name = name
            .strip_prefix(letters.as_str())
            .unwrap_or(&name)
            .trim()
            .to_owned();
        let view = svg.get_attribute("viewBox").unwrap_or_default();
        let corner: Vec<f64> = view.split(' ').filter_map(|number| number.parse().ok()).collect();
        let (left, top) = (
            corner.first().copied().unwrap_or(0.0),
            corner.get(1).copied().unwrap_or(0.0),
        );
        let mut shapes = String::new();
        for shape in elements(&svg.query_selector_all("path, circle, rect, line, text")?) {
            shapes += &styled(&shape)?;
        }
        entries.push(Entry {
            name,
            at: (-left, -top),
            svg: format!("<g transform=\"translate({} {})\">{shapes}</g>", -left, -top),
        });
    }
    Ok(entries)
}

/// A shape whose look does not depend on the page's style sheet.
fn styled(shape: &Element) -> Result<String, JsValue> {
    let copy: Element = shape.clone_node()?.unchecked_into();
    if let Some(style) = dom::window().get_computed_style(shape)? {
        for name in STYLES {
            let value = style.get_property_value(name)?;
            if !value.is_empty() {
                copy.set_attribute(name, &value)?;
            }
        }
    }
    copy.set_text_content(shape.text_content().as_deref());
    copy.remove_attribute("class")?;
    Ok(copy.outer_html())
}

fn elements(list: &NodeList) -> impl Iterator<Item = Element> + '_ {
    (0..list.length().min(MOST)).filter_map(|index| list.get(index)?.dyn_into().ok())
}

/// All symbols as one picture, loaded.
async fn picture(entries: &[Entry], (width, height): (f64, f64)) -> Result<HtmlImageElement, JsValue> {
    let groups: String = entries
        .iter()
        .map(|entry| {
            let (x, y) = entry.at;
            let y = y + (LINE - SYMBOL.1) / 2.0;
            format!("<g transform=\"translate({x} {y})\">{}</g>", entry.svg)
        })
        .collect();
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\">{groups}</svg>"
    );
    let image = HtmlImageElement::new()?;
    let loading = Promise::new(&mut |done: Function, failed: Function| {
        image.set_onload(Some(&done));
        image.set_onerror(Some(&failed));
    });
    let text: String = js_sys::encode_uri_component(&svg).into();
    image.set_src(&format!("data:image/svg+xml,{text}"));
    JsFuture::from(loading)
        .await
        .map_err(|_| JsValue::from("the symbols could not be drawn"))?;
    Ok(image)
}

/// A canvas of so many pixels that is not on the page.
pub fn canvas(width: f64, height: f64) -> Result<HtmlCanvasElement, JsValue> {
    let canvas: HtmlCanvasElement = dom::document().create_element("canvas")?.unchecked_into();
    canvas.set_width(width.round().max(1.0) as u32);
    canvas.set_height(height.round().max(1.0) as u32);
    Ok(canvas)
}

/// What draws on it.
pub fn pen(canvas: &HtmlCanvasElement) -> Result<CanvasRenderingContext2d, JsValue> {
    let context = canvas
        .get_context("2d")?
        .ok_or("this browser draws no 2D canvas")?;
    Ok(context.unchecked_into())
}
