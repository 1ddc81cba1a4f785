//! The service worker (`www/offline.js`), which keeps the page's files.

use super::notice::Msg;
use crate::dom;
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Event, ServiceWorker, ServiceWorkerContainer, ServiceWorkerRegistration, ServiceWorkerState};
use yew::Callback;

const SCRIPT: &str = "./offline.js";
/// What the service worker understands.
const TAKE_OVER: &str = "take over";

/// Without a secure context, and in some private windows, there is none.
fn container() -> Option<ServiceWorkerContainer> {
    let navigator = dom::window().navigator();
    Reflect::get(&navigator, &"serviceWorker".into())
        .ok()
        .filter(JsValue::is_object)
        .map(|_| navigator.service_worker())
}

/// True when this page came from what is kept, or would the next time.
pub fn is_kept() -> bool {
    container().is_some_and(|container| container.controller().is_some())
}

/// Listens to one worker after another for as long as the page lives, which is as long as the registration does.
fn listen(target: &web_sys::EventTarget, name: &str, hear: impl FnMut(Event) + 'static) {
    let closure = Closure::<dyn FnMut(Event)>::new(hear);
    let _ = target.add_event_listener_with_callback(name, closure.as_ref().unchecked_ref());
    closure.forget();
}

/// Has the files kept, and tells of newer ones. Where the browser does not want to, the page works without.
pub fn keep(tell: Callback<Msg>) {
    let Some(container) = container() else { return };
    let was_kept = container.controller().is_some();
    listen(&container, "controllerchange", {
        let tell = tell.clone();
        // The first one to keep the page changes nothing for it.
        let mut replaced = was_kept;
        move |_| {
            if replaced {
                tell.emit(Msg::Replaced);
            }
            replaced = true;
        }
    });
    spawn_local(async move {
        // Where service workers are switched off, some browsers refuse and some answer with nothing.
        let answer = JsFuture::from(container.register(SCRIPT)).await;
        let registration = match answer.and_then(JsCast::dyn_into::<ServiceWorkerRegistration>) {
            Ok(registration) => registration,
            Err(error) => {
                web_sys::console::info_2(&"The page is not kept for working offline:".into(), &error);
                return;
            }
        };
        if let Some(waiting) = registration.waiting() {
            tell.emit(Msg::Found(waiting));
        }
        let found = registration.clone();
        listen(&registration, "updatefound", move |_| {
            if let Some(worker) = found.installing() {
                watch(worker, tell.clone());
            }
        });
    });
}

/// Tells of a new worker when it has all files, and is there to replace another.
fn watch(worker: ServiceWorker, tell: Callback<Msg>) {
    let watched = worker.clone();
    listen(&worker, "statechange", move |_| {
        if watched.state() == ServiceWorkerState::Installed && is_kept() {
            tell.emit(Msg::Found(watched.clone()));
        }
    });
}

/// Lets the new version replace this one.
pub fn take_over(worker: &ServiceWorker) -> Result<(), JsValue> {
    worker.post_message(&TAKE_OVER.into())
}
