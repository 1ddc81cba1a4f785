//! Draws the stage: links below, packets and nodes above them, texts on top. Only packets move; the rest is drawn again
//! when something about it changes.

use super::field::Field;
use super::overlay::Overlay;
use super::palette::Palette;
use view::frame::Frame;
use view::marks::Mark;
use view::picture::{Glow, Scene};
use web_sys::HtmlCanvasElement;
use yew::Callback;

/// How long the mark of a drop or trim stays, in ms of wall-clock time.
const FLASH_MS: f64 = 650.0;

/// Links are drawn again at most this often while packets move, in ms.
const LINKS_EVERY_MS: f64 = 70.0;
/// And at most so many times as long as drawing them takes without a graphics processor: packets need time too.
const REST_SHARE: f64 = 4.0;

struct Flash {
    flash: view::frame::Flash,
    since_ms: f64,
}

/// The canvases.
pub struct Painter {
    field: Field,
    overlay: Overlay,
    palette: Palette,
    flashes: Vec<Flash>,
    still: bool,
    // Kept for their memory.
    links: Vec<Mark>,
    packets: Vec<Mark>,
}

impl Painter {
    /// Takes over three canvases, from the lowest to the highest. `woken` is called when everything has to be drawn again.
    ///
    /// # Errors
    /// The browser draws on no canvas.
    pub fn new(
        [low, middle, high]: [HtmlCanvasElement; 3],
        still: bool,
        woken: Callback<()>,
    ) -> Result<Painter, String> {
        Ok(Painter {
            field: Field::new([low, middle], woken)?,
            overlay: Overlay::new(&high)?,
            palette: Palette::read(),
            flashes: Vec::new(),
            still,
            links: Vec::new(),
            packets: Vec::new(),
        })
    }

    /// Fits the canvases to their size in CSS pixels and the screen's resolution.
    pub fn resize(&mut self, size: (f64, f64), ratio: f64) {
        self.field.resize(size, ratio);
        self.overlay.resize(size, ratio);
    }

    /// The colours.
    pub fn palette(&self) -> &Palette {
        &self.palette
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
        for &flash in &frame.flashes {
            let same = |old: &&mut Flash| (old.flash.edge, old.flash.what) == (flash.edge, flash.what);
            match self.flashes.iter_mut().find(same) {
                // A place that keeps dropping keeps its mark instead of collecting many.
                Some(old) if now_ms - old.since_ms < FLASH_MS / 2.0 => {
                    old.flash.count = old.flash.count.saturating_add(flash.count);
                }
                Some(old) => {
                    *old = Flash {
                        flash,
                        since_ms: now_ms,
                    }
                }
                None => self.flashes.push(Flash {
                    flash,
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

    /// How long links should stay as they are when only their loads change, in ms: the more costly, the longer.
    pub fn rest_ms(&self, links: usize) -> f64 {
        (self.field.cost(links) * REST_SHARE).max(LINKS_EVERY_MS)
    }

    /// True while links that were handed over are still being drawn.
    pub fn is_busy(&self) -> bool {
        self.field.is_busy()
    }

    /// True when the way of drawing has changed, and all has to be drawn again.
    pub fn check(&mut self) -> bool {
        self.field.check()
    }

    /// Draws panels, links and queues; `moved` when they are elsewhere than before: then only as many links as there is
    /// time for. They can be seen after [`draw`](Self::draw). True when all are drawn.
    pub fn rest(&mut self, scene: &Scene<'_>, moved: bool) -> bool {
        let part = if moved {
            self.field.part(scene.frame.edges.len())
        } else {
            1
        };
        scene.links(part, &mut self.links);
        self.field.rest(scene.inks.ground, &self.links, moved);
        part == 1
    }

    /// Draws packets, nodes, faults and flashes.
    pub fn draw(&mut self, scene: &Scene<'_>, now_ms: f64) {
        let glows: Vec<Glow> = self
            .flashes
            .iter()
            .map(|flash| Glow {
                flash: flash.flash,
                age: ((now_ms - flash.since_ms) / FLASH_MS).clamp(0.0, 1.0),
            })
            .filter(|glow| glow.age < 1.0)
            .collect();
        scene.packets(&glows, self.still, &mut self.packets);
        self.field.paint(&self.packets);
    }

    /// Writes the texts.
    pub fn write(&self, scene: &Scene<'_>, headings: &[String]) {
        self.overlay.draw(scene, &self.palette, headings);
    }
}
