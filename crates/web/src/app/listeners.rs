//! What the page listens to beyond its components' own events.

use super::{App, Msg, PointerStep};
use crate::dom;
use crate::listeners::position;
use wasm_bindgen::prelude::*;
use web_sys::{Element, KeyboardEvent, MouseEvent, PointerEvent, WheelEvent};
use yew::Context;

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
        self.listeners.on_drop(ctx.link().callback(Msg::Files));
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
        self.listeners
            .on_resize(&root, move || link.send_message(Msg::Resized));
        // Moving a window to another screen changes the resolution, not the size.
        let link = ctx.link().clone();
        self.listeners
            .add(&dom::window(), "resize", move |_| link.send_message(Msg::Resized));
    }
}
