//! A grid of small cells on a canvas.

use crate::dom;
use crate::shared::Shared;
use view::marks::{self, Colour};
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};
use yew::prelude::*;

/// Pixels of a cell, its gap included: as many as there is room for, in whole numbers, so that all cells are alike.
const CELL: std::ops::RangeInclusive<usize> = 2..=5;

/// How a cell is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The variable of the style sheet that has its colour.
    pub colour: &'static str,
    /// How much of it there is over the ground, 0 to 1.
    pub strength: f64,
    /// Its form.
    pub form: Form,
}

/// The form of a cell: cells are told apart without colour too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// All of it.
    Full,
    /// Its edge.
    Edge,
    /// Half of it, along a diagonal.
    Half,
}

/// What the grid shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The looks of the cells in order, as indices into `looks`.
    pub cells: Shared<Vec<u8>>,
    /// The looks.
    pub looks: Vec<Look>,
    /// Columns.
    pub columns: usize,
    /// What it is, in words.
    pub label: AttrValue,
    /// A name for tests.
    pub testid: AttrValue,
    /// Changes when the colours do.
    pub theme: u32,
}

/// The grid.
#[component]
pub fn Cells(props: &Props) -> Html {
    let canvas = use_node_ref();
    use_effect_with((props.cells.clone(), props.columns, props.theme), {
        let (canvas, looks) = (canvas.clone(), props.looks.clone());
        move |(cells, columns, _): &(Shared<Vec<u8>>, usize, u32)| {
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                draw(&canvas, cells, &looks, (*columns).max(1));
            }
        }
    });
    html! {
        <canvas ref={canvas} class="cells" role="img" aria-label={props.label.clone()} data-testid={props.testid.clone()}></canvas>
    }
}

fn draw(canvas: &HtmlCanvasElement, cells: &[u8], looks: &[Look], columns: usize) {
    let rows = cells.len().div_ceil(columns).max(1);
    let room = canvas.parent_element().map_or(0, |parent| parent.client_width());
    let cell_px = (room.max(0) as usize / columns).clamp(*CELL.start(), *CELL.end());
    let (width, height) = (columns * cell_px, rows * cell_px);
    canvas.set_width(width as u32);
    canvas.set_height(height as u32);
    let pen = canvas
        .get_context("2d")
        .ok()
        .flatten()
        .and_then(|pen| pen.dyn_into::<CanvasRenderingContext2d>().ok());
    let Some(pen) = pen else {
        return;
    };
    let style = dom::document()
        .document_element()
        .and_then(|root| dom::window().get_computed_style(&root).ok().flatten());
    let colour = |name: &str| {
        style
            .as_ref()
            .and_then(|style| style.get_property_value(name).ok())
            .and_then(|value| marks::colour(value.trim()))
            .unwrap_or(0xff80_8080)
    };
    let ground = colour("--plane");
    let inks: Vec<Colour> = looks
        .iter()
        .map(|look| marks::blend(ground, colour(look.colour), look.strength))
        .collect();
    let mut pixels = vec![0u8; width * height * 4];
    for (at, &cell) in cells.iter().enumerate() {
        let (Some(look), Some(ink)) = (looks.get(usize::from(cell)), inks.get(usize::from(cell))) else {
            continue;
        };
        let (left, top) = (at % columns * cell_px, at / columns * cell_px);
        for y in 0..cell_px - 1 {
            for x in 0..cell_px - 1 {
                let inside = match look.form {
                    Form::Full => true,
                    Form::Edge => x == 0 || y == 0 || x == cell_px - 2 || y == cell_px - 2,
                    Form::Half => x + y >= cell_px - 2,
                };
                if inside {
                    let pixel = ((top + y) * width + left + x) * 4;
                    pixels[pixel..pixel + 4].copy_from_slice(&ink.to_le_bytes());
                }
            }
        }
    }
    if let Ok(image) =
        ImageData::new_with_u8_clamped_array_and_sh(Clamped(&pixels), width as u32, height as u32)
    {
        let _ = pen.put_image_data(&image, 0.0, 0.0);
    }
}
