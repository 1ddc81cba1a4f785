//! What the page listens to beyond its components' own events.

use crate::dom;
use crate::files;
use crate::root::Files;
use view::geometry::Point;
use view::gesture::{Gesture, Gestures, wheel_factor};
use wasm_bindgen::prelude::*;
use web_sys::{
    AddEventListenerOptions, DragEvent, Element, Event, EventTarget, MouseEvent, PointerEvent,
    ResizeObserver, WheelEvent,
};
use yew::Callback;

/// What a pointer did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerStep {
    /// It went down.
    Down,
    /// It moved.
    Move,
    /// It went up.
    Up,
    /// It was lost.
    Cancel,
}

/// What happens on a stage, at points of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Touch {
    /// A pointer did something; the number tells it from others.
    Pointer(PointerStep, i32, Point),
    /// The pointer left.
    Gone,
    /// More ways to break something were asked for: by a right click, or a finger that is held.
    Menu(Point),
    /// The wheel turned by so many pixels.
    Wheel(f64, Point),
}

impl Touch {
    /// What it comes to, with what went before.
    pub fn gestures(self, before: &mut Gestures) -> Vec<Gesture> {
        match self {
            Touch::Pointer(PointerStep::Down, id, at) => {
                before.down(id, at);
                Vec::new()
            }
            Touch::Pointer(PointerStep::Move, id, at) => before.moved(id, at),
            Touch::Pointer(PointerStep::Up, id, at) => before.up(id, at).into_iter().collect(),
            Touch::Pointer(PointerStep::Cancel, id, _) => {
                before.cancel(id);
                Vec::new()
            }
            Touch::Wheel(delta, at) => {
                let factor = wheel_factor(delta);
                vec![Gesture::Zoom { factor, at }, Gesture::Hover(at)]
            }
            Touch::Gone | Touch::Menu(_) => Vec::new(),
        }
    }
}

struct Heard {
    target: EventTarget,
    name: &'static str,
    closure: Closure<dyn FnMut(Event)>,
}

/// Listeners, for as long as this lives.
#[derive(Default)]
pub struct Listeners {
    events: Vec<Heard>,
    resized: Vec<(ResizeObserver, Closure<dyn FnMut()>)>,
}

impl Listeners {
    /// Listens to an event of a target.
    pub fn add(&mut self, target: &EventTarget, name: &'static str, hear: impl FnMut(Event) + 'static) {
        let options = AddEventListenerOptions::new();
        // Otherwise wheel events could not be kept from scrolling the page.
        options.set_passive(false);
        let closure = Closure::<dyn FnMut(Event)>::new(hear);
        let added = target.add_event_listener_with_callback_and_add_event_listener_options(
            name,
            closure.as_ref().unchecked_ref(),
            &options,
        );
        if added.is_ok() {
            self.events.push(Heard {
                target: target.clone(),
                name,
                closure,
            });
        }
    }

    /// Listens to what happens on the canvas of a stage.
    pub fn on_touch(&mut self, canvas: &Element, hear: &Callback<Touch>) {
        for (name, step) in [
            ("pointerdown", PointerStep::Down),
            ("pointermove", PointerStep::Move),
            ("pointerup", PointerStep::Up),
            ("pointercancel", PointerStep::Cancel),
        ] {
            let (hear, element) = (hear.clone(), canvas.clone());
            self.add(canvas, name, move |event| {
                let Some(event) = event.dyn_ref::<PointerEvent>() else {
                    return;
                };
                if step == PointerStep::Down {
                    if event.button() != 0 {
                        return;
                    }
                    let _ = element.set_pointer_capture(event.pointer_id());
                }
                let at = position(&element, event.client_x(), event.client_y());
                hear.emit(Touch::Pointer(step, event.pointer_id(), at));
            });
        }
        let heard = hear.clone();
        self.add(canvas, "pointerleave", move |_| heard.emit(Touch::Gone));
        let (heard, element) = (hear.clone(), canvas.clone());
        self.add(canvas, "contextmenu", move |event| {
            event.prevent_default();
            if let Some(event) = event.dyn_ref::<MouseEvent>() {
                heard.emit(Touch::Menu(position(
                    &element,
                    event.client_x(),
                    event.client_y(),
                )));
            }
        });
        let (heard, element) = (hear.clone(), canvas.clone());
        self.add(canvas, "wheel", move |event| {
            event.prevent_default();
            if let Some(event) = event.dyn_ref::<WheelEvent>() {
                // Lines and pages as about so many pixels.
                let unit = [1.0, 16.0, 400.0]
                    .get(event.delta_mode() as usize)
                    .copied()
                    .unwrap_or(1.0);
                // A pinch on a trackpad comes as a wheel with Ctrl, in small steps.
                let pinch = if event.ctrl_key() { 4.0 } else { 1.0 };
                let at = position(&element, event.client_x(), event.client_y());
                heard.emit(Touch::Wheel(event.delta_y() * unit * pinch, at));
            }
        });
    }

    /// Listens to changes of an element's size.
    pub fn on_resize(&mut self, element: &Element, hear: impl FnMut() + 'static) {
        let closure = Closure::<dyn FnMut()>::new(hear);
        if let Ok(observer) = ResizeObserver::new(closure.as_ref().unchecked_ref()) {
            observer.observe(element);
            self.resized.push((observer, closure));
        }
    }

    /// Reads files that are dropped anywhere on the page.
    pub fn on_drop(&mut self, done: Callback<Files>) {
        let window = dom::window();
        self.add(&window, "dragover", |event| {
            event.prevent_default();
            dragging(true);
        });
        self.add(&window, "dragleave", |event| {
            // Leaving one element for another is not leaving the window.
            if event
                .dyn_ref::<DragEvent>()
                .is_some_and(|event| event.related_target().is_none())
            {
                dragging(false);
            }
        });
        self.add(&window, "drop", move |event| {
            event.prevent_default();
            dragging(false);
            let list = event
                .dyn_ref::<DragEvent>()
                .and_then(DragEvent::data_transfer)
                .and_then(|transfer| transfer.files());
            if let Some(list) = list {
                files::read(&list, done.clone());
            }
        });
    }
}

impl Drop for Listeners {
    fn drop(&mut self) {
        for heard in &self.events {
            let _ = heard
                .target
                .remove_event_listener_with_callback(heard.name, heard.closure.as_ref().unchecked_ref());
        }
        for (observer, _) in &self.resized {
            observer.disconnect();
        }
    }
}

/// A point of the window as a point of an element.
pub fn position(element: &Element, x: i32, y: i32) -> Point {
    let rect = element.get_bounding_client_rect();
    Point::new(f64::from(x) - rect.left(), f64::from(y) - rect.top())
}

/// Shows that files may be dropped.
fn dragging(on: bool) {
    if let Some(body) = dom::document().body() {
        let _ = body.class_list().toggle_with_force("dragging", on);
    }
}
