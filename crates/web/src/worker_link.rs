//! The page's end of the line to its worker.

use crate::dom;
use js_sys::{ArrayBuffer, Object, Reflect, Uint8Array};
use std::cell::Cell;
use std::rc::Rc;
use view::encoding;
use view::message::{FromWorker, PING, ToWorker};
use view::stopped::UNLOADABLE;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, Event, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

/// How often it is looked whether the worker owes an answer, in ms.
const BEAT_MS: i32 = 1000;
/// Seconds that a worker may take to answer before the page says so. Its longest tasks but for building a run take about one: it
/// looks at the clock often.
const PATIENCE_S: u32 = 5;
/// Seconds without an answer after which a worker is given up.
pub const GIVEN_UP_S: u32 = 20;

/// What a worker simulates. Each kind is a module of its own, so that nobody loads what he does not look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Fabrics.
    Fabrics,
    /// Hosts with SmartNICs.
    Hosts,
    /// Nothing: it makes hosts of files.
    Imports,
}

impl Kind {
    /// The script that loads the worker's module; the build chooses the name.
    const fn script(self) -> &'static str {
        match self {
            Kind::Fabrics => "./flowglass-worker_loader.js",
            Kind::Hosts => "./flowglass-host-worker_loader.js",
            Kind::Imports => "./flowglass-import-worker_loader.js",
        }
    }
}

/// What comes from a worker.
pub enum Incoming {
    /// A message, and the bytes beside it.
    Message {
        /// The message.
        message: Box<FromWorker>,
        /// The bytes.
        bytes: Vec<u8>,
        /// The buffer that they came in, to be given back.
        buffer: Option<ArrayBuffer>,
    },
    /// The worker could not be loaded, or has crashed.
    Broken(String),
    /// The worker has owed an answer for so many seconds; said each second from the fifth on.
    Silent(u32),
}

/// Whether the worker owes an answer, and for how many beats. Beats are counted rather than time: while a machine sleeps nothing is
/// owed.
#[derive(Default)]
struct Debt {
    owes: Cell<bool>,
    beats: Cell<u32>,
}

impl Debt {
    fn asked(&self) {
        if !self.owes.replace(true) {
            self.beats.set(0);
        }
    }

    fn answered(&self) {
        self.owes.set(false);
    }

    /// The next beat: how many there have been since the worker was asked; none where nothing is owed.
    fn beat(&self) -> Option<u32> {
        self.owes.get().then(|| {
            self.beats.set(self.beats.get() + 1);
            self.beats.get()
        })
    }
}

/// A worker. It ends when this is dropped.
pub struct WorkerLink {
    worker: Worker,
    ready: bool,
    waiting: Vec<ToWorker>,
    spare: Option<ArrayBuffer>,
    debt: Rc<Debt>,
    // Number of the timer that beats.
    timer: Option<i32>,
    _on_beat: Closure<dyn FnMut()>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
}

impl WorkerLink {
    /// Starts a worker. What it says goes to `hear`.
    pub fn start(kind: Kind, hear: Callback<Incoming>) -> Result<WorkerLink, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(kind.script(), &options).map_err(|error| words(&error))?;
        let debt = Rc::new(Debt::default());
        let (heard, paid) = (hear.clone(), debt.clone());
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            paid.answered();
            let data = event.data();
            if data.as_string().as_deref() != Some(PING) {
                heard.emit(unpack(&data));
            }
        });
        let (silent, owing, asked) = (hear.clone(), debt.clone(), worker.clone());
        let on_beat = Closure::<dyn FnMut()>::new(move || match owing.beat() {
            // Not everything that is asked has an answer of its own: this has.
            Some(1) => {
                let _ = asked.post_message(&PING.into());
            }
            Some(seconds) if seconds >= PATIENCE_S => silent.emit(Incoming::Silent(seconds)),
            _ => {}
        });
        let beat = on_beat.as_ref().unchecked_ref();
        let timer = dom::window()
            .set_interval_with_callback_and_timeout_and_arguments_0(beat, BEAT_MS)
            .ok();
        let on_error = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            // It is told here; otherwise the browser would take it for an error of the page, too.
            event.prevent_default();
            let message = event
                .dyn_ref::<ErrorEvent>()
                .map(ErrorEvent::message)
                .filter(|text| !text.is_empty());
            hear.emit(Incoming::Broken(message.unwrap_or_else(|| UNLOADABLE.into())));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(WorkerLink {
            worker,
            ready: false,
            waiting: Vec::new(),
            spare: None,
            debt,
            timer,
            _on_beat: on_beat,
            _on_message: on_message,
            _on_error: on_error,
        })
    }

    /// The worker has announced itself: what has waited goes out.
    pub fn ready(&mut self) -> Result<(), String> {
        self.ready = true;
        for ask in std::mem::take(&mut self.waiting) {
            self.send(ask)?;
        }
        Ok(())
    }

    /// True once the worker has announced itself.
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// Keeps a buffer for the next frame.
    pub fn give_back(&mut self, buffer: ArrayBuffer) {
        self.spare = Some(buffer);
    }

    /// Sends a message, or keeps it until the worker is ready.
    pub fn send(&mut self, ask: ToWorker) -> Result<(), String> {
        if !self.ready {
            self.waiting.push(ask);
            return Ok(());
        }
        self.post(&ask).map_err(|error| words(&error))
    }

    /// Sends a message with bytes beside it, which are handed over. For a worker that has announced itself.
    pub fn send_bytes(&mut self, ask: &ToWorker, bytes: &ArrayBuffer) -> Result<(), String> {
        self.spare = Some(bytes.clone());
        self.post(ask).map_err(|error| words(&error))
    }

    fn post(&mut self, ask: &ToWorker) -> Result<(), JsValue> {
        let encoded = Uint8Array::from(encoding::encode(ask)?.as_slice());
        let message = Object::new();
        Reflect::set(&message, &"m".into(), &encoded)?;
        let transfer = js_sys::Array::new();
        let wants_buffer = match ask {
            ToWorker::Advance { .. } | ToWorker::Import(_) => true,
            ToWorker::Host { wants_bytes, .. } => *wants_bytes,
            _ => false,
        };
        if wants_buffer && let Some(buffer) = self.spare.take() {
            Reflect::set(&message, &"b".into(), &buffer)?;
            transfer.push(&buffer);
        }
        self.debt.asked();
        self.worker.post_message_with_transfer(&message, &transfer)
    }
}

impl Drop for WorkerLink {
    fn drop(&mut self) {
        if let Some(timer) = self.timer {
            dom::window().clear_interval_with_handle(timer);
        }
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.set_onmessageerror(None);
        self.worker.terminate();
    }
}

fn unpack(data: &JsValue) -> Incoming {
    let field = |name: &str| Reflect::get(data, &name.into()).ok();
    let Some(encoded) = field("m").and_then(|value| value.dyn_into::<Uint8Array>().ok()) else {
        return Incoming::Broken("it sent an empty message".into());
    };
    let message = match encoding::decode(&encoded.to_vec()) {
        Ok(message) => Box::new(message),
        Err(error) => return Incoming::Broken(format!("it sent something that is no message: {error}")),
    };
    let buffer = field("b").and_then(|value| value.dyn_into::<ArrayBuffer>().ok());
    let length = field("l").and_then(|value| value.as_f64()).unwrap_or(0.0) as u32;
    let bytes = buffer.as_ref().map_or_else(Vec::new, |buffer| {
        Uint8Array::new_with_byte_offset_and_length(buffer, 0, length.min(buffer.byte_length())).to_vec()
    });
    Incoming::Message {
        message,
        bytes,
        buffer,
    }
}

/// An exception in words.
pub fn words(error: &JsValue) -> String {
    error
        .dyn_ref::<js_sys::Error>()
        .map(|error| String::from(error.message()))
        .or_else(|| error.as_string())
        .unwrap_or_else(|| format!("{error:?}"))
}
