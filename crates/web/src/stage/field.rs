//! Where marks are drawn: with the graphics processor where there is one, without where there is none or it is lost.

use super::gl::Hard;
use super::soft::Soft;
use crate::dom;
use std::cell::Cell;
use std::rc::Rc;
use view::marks::{Colour, Mark};
use wasm_bindgen::prelude::*;
use web_sys::{Event, HtmlCanvasElement};
use yew::Callback;

/// What the page's address may ask for after `?painter=`, for tests and measurements.
const CHOICES: [(&str, Choice); 2] = [("webgl", Choice::Hard), ("software", Choice::Soft)];

/// Which way of drawing is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// Whichever is faster here.
    Best,
    /// WebGL, even without a graphics processor.
    Hard,
    /// Without WebGL.
    Soft,
}

enum Way {
    Hard(Hard),
    Soft(Soft),
}

/// Two canvases, of which one is in use.
pub struct Field {
    canvases: [HtmlCanvasElement; 2],
    choice: Choice,
    way: Way,
    ground: Colour,
    size: (f64, f64),
    ratio: f64,
    // False while the graphics processor is lost, as the browser says; and what was made of it.
    alive: Rc<Cell<bool>>,
    is_lost: bool,
    _listeners: [Closure<dyn FnMut(Event)>; 2],
}

impl Field {
    /// Takes over two canvases: for WebGL and for drawing without. `woken` is called when everything has to be drawn
    /// again.
    ///
    /// # Errors
    /// The browser can do neither.
    pub fn new(canvases: [HtmlCanvasElement; 2], woken: Callback<()>) -> Result<Field, String> {
        let asked = dom::query("painter");
        let choice = CHOICES
            .into_iter()
            .find(|(name, _)| asked.as_deref() == Some(*name))
            .map_or(Choice::Best, |(_, choice)| choice);
        let alive = Rc::new(Cell::new(true));
        let listener = |name: &str, is_alive: bool| {
            let (alive, woken) = (alive.clone(), woken.clone());
            let closure = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
                // Otherwise a lost context would never come back.
                event.prevent_default();
                alive.set(is_alive);
                woken.emit(());
            });
            let _ = canvases[0].add_event_listener_with_callback(name, closure.as_ref().unchecked_ref());
            closure
        };
        let listeners = [
            listener("webglcontextlost", false),
            listener("webglcontextrestored", true),
        ];
        let field = Field {
            way: way(&canvases, choice)?,
            canvases,
            choice,
            ground: 0,
            size: (0.0, 0.0),
            ratio: 1.0,
            alive,
            is_lost: false,
            _listeners: listeners,
        };
        field.show();
        Ok(field)
    }

    /// Fits to a size in CSS pixels and the screen's resolution.
    pub fn resize(&mut self, size: (f64, f64), ratio: f64) {
        (self.size, self.ratio) = (size, ratio);
        match &mut self.way {
            Way::Hard(hard) => {
                self.canvases[0].set_width((size.0 * ratio).round() as u32);
                self.canvases[0].set_height((size.1 * ratio).round() as u32);
                hard.resize(size, ratio);
            }
            Way::Soft(soft) => soft.resize(size, ratio),
        }
    }

    /// Changes the way of drawing if the graphics processor has been lost or has come back. True when it did: nothing
    /// that was taken before is there any more.
    pub fn check(&mut self) -> bool {
        let choice = match (&self.way, self.alive.get()) {
            (Way::Hard(_), false) => Choice::Soft,
            (Way::Soft(_), true) if self.is_lost => self.choice,
            _ => return false,
        };
        self.is_lost = !self.alive.get();
        let Ok(way) = way(&self.canvases, choice) else {
            return false;
        };
        self.way = way;
        self.resize(self.size, self.ratio);
        self.show();
        true
    }

    /// Shows the canvas in use, and says which way it is drawn.
    fn show(&self) {
        let is_hard = matches!(self.way, Way::Hard(_));
        for (canvas, is_used) in self.canvases.iter().zip([is_hard, !is_hard]) {
            let visibility = if is_used { "visible" } else { "hidden" };
            let _ = canvas.style().set_property("visibility", visibility);
        }
        if let Some(parent) = self.canvases[0].parent_element() {
            let name = if is_hard { "webgl" } else { "software" };
            let _ = parent.set_attribute("data-painter", name);
        }
    }

    /// True while what rests is not complete.
    pub fn is_busy(&self) -> bool {
        match &self.way {
            Way::Hard(_) => false,
            Way::Soft(soft) => soft.is_busy(),
        }
    }

    /// What drawing so many links costs here, in ms of the page's time.
    pub fn cost(&self, links: usize) -> f64 {
        match &self.way {
            Way::Hard(_) => 0.0,
            Way::Soft(soft) => soft.cost(links),
        }
    }

    /// Of so many links, one in how many can be drawn at once.
    pub fn part(&self, links: usize) -> u32 {
        match &self.way {
            Way::Hard(_) => 1,
            Way::Soft(soft) => soft.part(links),
        }
    }

    /// Takes what rests; `moved` when it rests elsewhere than before.
    pub fn rest(&mut self, ground: Colour, marks: &[Mark], moved: bool) {
        self.ground = ground;
        match &mut self.way {
            Way::Hard(hard) => hard.rest(marks),
            Way::Soft(soft) => soft.rest(ground, marks, moved),
        }
    }

    /// Draws what rests and, above it, what moves.
    pub fn paint(&mut self, marks: &[Mark]) {
        match &mut self.way {
            Way::Hard(hard) => hard.paint(self.ground, marks),
            Way::Soft(soft) => soft.paint(marks),
        }
    }
}

fn way(canvases: &[HtmlCanvasElement; 2], choice: Choice) -> Result<Way, String> {
    if choice != Choice::Soft
        && let Ok(hard) = Hard::new(&canvases[0], choice == Choice::Hard)
    {
        return Ok(Way::Hard(hard));
    }
    Soft::new(&canvases[1]).map(Way::Soft)
}
