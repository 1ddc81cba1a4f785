//! What the page listens to beyond its components' own events.

use super::{App, Msg};
use crate::dom;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::Context;

impl App {
    /// Begins to listen.
    pub(super) fn listen(&mut self, ctx: &Context<App>) {
        self.listen_to_stage(ctx);
        self.listen_to_window(ctx);
        self.listen_to_size(ctx);
    }

    fn listen_to_stage(&mut self, ctx: &Context<App>) {
        if let Some(canvas) = self.stage.refs.canvases[2].cast::<Element>() {
            self.listeners.on_touch(&canvas, &ctx.link().callback(Msg::Touch));
        }
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
