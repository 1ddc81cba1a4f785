//! Draws marks without a graphics processor. What rests is kept as a picture of its own, so that only what moves has
//! to be drawn for each frame.

use crate::dom;
use bytemuck::cast_slice;
use raster::Raster;
use view::marks::{Colour, Mark};
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// Time for a first picture of what rests after the camera has moved, in ms.
const QUICK_MS: f64 = 9.0;
/// Time in each frame for making a picture of what rests complete, in ms: a fifth of a frame, for the page has more to do in it.
const SLICE_MS: f64 = 3.0;
/// Marks drawn between two looks at the clock.
const CHUNK: usize = 128;
/// Pixels at most: on larger stages they are larger than the screen's.
const MAX_PIXELS: f64 = 2.5e6;

/// A canvas that is drawn on pixel by pixel.
pub struct Soft {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    // What rests: as it is shown, and as it is drawn anew.
    shown: Raster,
    next: Raster,
    front: Raster,
    waiting: Vec<Mark>,
    done: usize,
    // What a mark has cost of late, in ms.
    cost_ms: f64,
}

impl Soft {
    /// Takes over a canvas.
    ///
    /// # Errors
    /// The browser draws no 2D canvas.
    pub fn new(canvas: &HtmlCanvasElement) -> Result<Soft, String> {
        let context = canvas
            .get_context("2d")
            .map_err(|error| crate::worker_link::words(&error))?
            .ok_or("this browser draws no 2D canvas")?;
        Ok(Soft {
            canvas: canvas.clone(),
            context: context.unchecked_into(),
            shown: Raster::default(),
            next: Raster::default(),
            front: Raster::default(),
            waiting: Vec::new(),
            done: 0,
            cost_ms: 0.001,
        })
    }

    /// Fits to a size in CSS pixels and the screen's resolution.
    pub fn resize(&mut self, size: (f64, f64), ratio: f64) {
        let most = (MAX_PIXELS / (size.0 * size.1).max(1.0)).sqrt();
        let ratio = ratio.min(most);
        let (width, height) = ((size.0 * ratio).round() as u32, (size.1 * ratio).round() as u32);
        self.canvas.set_width(width);
        self.canvas.set_height(height);
        self.shown = Raster::new(width, height, ratio);
        self.next = self.shown.clone();
        self.front = self.shown.clone();
        self.waiting.clear();
        self.done = 0;
    }

    /// True while what rests is not complete.
    pub fn is_busy(&self) -> bool {
        self.done < self.waiting.len()
    }

    /// What drawing so many links costs, in ms.
    pub fn cost(&self, links: usize) -> f64 {
        links as f64 * self.cost_ms
    }

    /// Of so many links, one in how many can be drawn at once.
    pub fn part(&self, links: usize) -> u32 {
        (self.cost(links) / QUICK_MS).ceil().max(1.0) as u32
    }

    /// Takes what rests. If it `moved`, what was shown is of no use: it is drawn at once. Otherwise what was shown stays
    /// until the new picture is complete.
    pub fn rest(&mut self, ground: Colour, marks: &[Mark], moved: bool) {
        self.done = 0;
        self.waiting.clear();
        if moved || self.cost(marks.len()) <= SLICE_MS {
            let started = dom::now_ms();
            self.shown.clear(ground);
            self.shown.draw(marks);
            self.learn(marks.len(), dom::now_ms() - started);
        } else {
            self.next.clear(ground);
            self.waiting.extend_from_slice(marks);
        }
    }

    /// Draws everything.
    pub fn paint(&mut self, marks: &[Mark]) {
        self.go_on();
        self.front.copy(&self.shown);
        self.front.draw(marks);
        let bytes = Clamped(cast_slice::<u32, u8>(self.front.pixels()));
        let image =
            ImageData::new_with_u8_clamped_array_and_sh(bytes, self.front.width(), self.front.height());
        // Only an empty stage has no picture.
        if let Ok(image) = image {
            let _ = self.context.put_image_data(&image, 0.0, 0.0);
        }
    }

    /// Draws more of what rests.
    fn go_on(&mut self) {
        if !self.is_busy() {
            return;
        }
        let (started, before) = (dom::now_ms(), self.done);
        while self.is_busy() && dom::now_ms() - started < SLICE_MS {
            let end = self.waiting.len().min(self.done + CHUNK);
            self.next
                .draw_part(&self.waiting[self.done..end], self.waiting.len());
            self.done = end;
        }
        self.learn(self.done - before, dom::now_ms() - started);
        if !self.is_busy() {
            std::mem::swap(&mut self.shown, &mut self.next);
        }
    }

    fn learn(&mut self, marks: usize, took_ms: f64) {
        // Few marks are drawn faster than the clock ticks.
        if marks >= CHUNK {
            self.cost_ms += (took_ms / marks as f64 - self.cost_ms) * 0.3;
        }
    }
}
