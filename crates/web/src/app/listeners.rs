//! What the page listens to beyond its components' own events.

use super::{App, Msg, PointerStep};
use crate::dom;
use crate::files;
use view::geometry::Point;
use wasm_bindgen::prelude::*;
use web_sys::{
    AddEventListenerOptions, DragEvent, Element, Event, EventTarget, KeyboardEvent, MouseEvent, PointerEvent,
    ResizeObserver, WheelEvent,
};
use yew::Context;

/// Listeners, for as long as the application lives.
#[derive(Default)]
pub struct Listeners {
    events: Vec<Closure<dyn FnMut(Event)>>,
    resized: Option<(ResizeObserver, Closure<dyn FnMut()>)>,
}

impl Listeners {
    fn add(&mut self, target: &EventTarget, name: &str, hear: impl FnMut(Event) + 'static) {
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
            self.events.push(closure);
        }
    }
}

impl App {
    /// Begins to listen.
    pub(super) fn listen(&mut self, ctx: &Context<App>) {
        self.listen_to_stage(ctx);
        self.listen_to_window(ctx);
        self.listen_to_size(ctx);
    }

    fn listen_to_stage(&mut self, ctx: &Context<App>) {
        let Some(canvas) = self.stage.refs.canvases[2].cast::<Element>() else {
            return;
        };
        for (name, step) in [
            ("pointerdown", PointerStep::Down),
            ("pointermove", PointerStep::Move),
            ("pointerup", PointerStep::Up),
            ("pointercancel", PointerStep::Cancel),
        ] {
            let (link, element) = (ctx.link().clone(), canvas.clone());
            self.listeners.add(&canvas, name, move |event| {
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
                link.send_message(Msg::Pointer(step, event.pointer_id(), at));
            });
        }
        let link = ctx.link().clone();
        self.listeners.add(&canvas, "pointerleave", move |_| {
            link.send_message(Msg::PointerGone)
        });
        // A right click, or a finger that is held.
        let (link, element) = (ctx.link().clone(), canvas.clone());
        self.listeners.add(&canvas, "contextmenu", move |event| {
            event.prevent_default();
            if let Some(event) = event.dyn_ref::<MouseEvent>() {
                let at = position(&element, event.client_x(), event.client_y());
                link.send_message(Msg::Menu(at));
            }
        });
        let (link, element) = (ctx.link().clone(), canvas.clone());
        self.listeners.add(&canvas, "wheel", move |event| {
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
                link.send_message(Msg::Wheel(event.delta_y() * unit * pinch, at));
            }
        });
    }

    fn listen_to_window(&mut self, ctx: &Context<App>) {
        let window = dom::window();
        let link = ctx.link().clone();
        self.listeners.add(&window, "keydown", move |event| {
            if let Ok(event) = event.dyn_into::<KeyboardEvent>() {
                link.send_message(Msg::Key(event));
            }
        });
        let link = ctx.link().clone();
        self.listeners.add(&window, "hashchange", move |_| {
            link.send_message(Msg::HashChanged)
        });
        self.listeners.add(&window, "dragover", |event| {
            event.prevent_default();
            dragging(true);
        });
        self.listeners.add(&window, "dragleave", |event| {
            // Leaving one element for another is not leaving the window.
            if event
                .dyn_ref::<DragEvent>()
                .is_some_and(|event| event.related_target().is_none())
            {
                dragging(false);
            }
        });
        let link = ctx.link().clone();
        self.listeners.add(&window, "drop", move |event| {
            event.prevent_default();
            dragging(false);
            let list = event
                .dyn_ref::<DragEvent>()
                .and_then(DragEvent::data_transfer)
                .and_then(|transfer| transfer.files());
            if let Some(list) = list {
                files::read(&list, link.callback(Msg::Files));
            }
        });
        if let Ok(Some(query)) = window.match_media("(prefers-color-scheme: dark)") {
            let link = ctx.link().clone();
            self.listeners
                .add(&query, "change", move |_| link.send_message(Msg::Recolour));
        }
    }

    fn listen_to_size(&mut self, ctx: &Context<App>) {
        let Some(root) = self.stage.refs.root.cast::<Element>() else {
            return;
        };
        let link = ctx.link().clone();
        let closure = Closure::<dyn FnMut()>::new(move || link.send_message(Msg::Resized));
        if let Ok(observer) = ResizeObserver::new(closure.as_ref().unchecked_ref()) {
            observer.observe(&root);
            self.listeners.resized = Some((observer, closure));
        }
        // Moving a window to another screen changes the resolution, not the size.
        let link = ctx.link().clone();
        self.listeners
            .add(&dom::window(), "resize", move |_| link.send_message(Msg::Resized));
    }
}

/// A point of the window as a point of an element.
fn position(element: &Element, x: i32, y: i32) -> Point {
    let rect = element.get_bounding_client_rect();
    Point::new(f64::from(x) - rect.left(), f64::from(y) - rect.top())
}

/// Shows that files may be dropped.
fn dragging(on: bool) {
    if let Some(body) = dom::document().body() {
        let _ = body.class_list().toggle_with_force("dragging", on);
    }
}
