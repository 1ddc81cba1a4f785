//! What the page listens to beyond its components' own events.

use crate::dom;
use crate::files;
use crate::import::TextFile;
use view::geometry::Point;
use wasm_bindgen::prelude::*;
use web_sys::{AddEventListenerOptions, DragEvent, Element, Event, EventTarget, ResizeObserver};
use yew::Callback;

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

    /// Listens to changes of an element's size.
    pub fn on_resize(&mut self, element: &Element, hear: impl FnMut() + 'static) {
        let closure = Closure::<dyn FnMut()>::new(hear);
        if let Ok(observer) = ResizeObserver::new(closure.as_ref().unchecked_ref()) {
            observer.observe(element);
            self.resized.push((observer, closure));
        }
    }

    /// Reads files that are dropped anywhere on the page.
    pub fn on_drop(&mut self, done: Callback<Vec<Result<TextFile, String>>>) {
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
