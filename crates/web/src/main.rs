//! The page: starts the worker and shows what it says.

use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

fn main() -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let app = document.get_element_by_id("app").ok_or("no #app")?;
    let status = document.create_element("p")?;
    status.set_text_content(Some("Starting the simulation worker"));
    app.append_child(&status)?;
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options("./flowglass-worker_loader.js", &options)?;
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        status.set_text_content(event.data().as_string().as_deref());
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    Ok(())
}
