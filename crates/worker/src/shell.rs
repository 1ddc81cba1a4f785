//! A Web Worker's end of the line: takes messages off the browser, gives answers back.

use crate::Answer;
use js_sys::{ArrayBuffer, Object, Reflect, Uint8Array};
use view::encoding;
use view::host::import::Ask;
use view::message::{FromWorker, PING, ToWorker};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// The message, encoded.
const MESSAGE: &str = "m";
/// The buffer that holds the bytes; it is handed over.
const BUFFER: &str = "b";
/// How many bytes of the buffer count.
const LENGTH: &str = "l";
/// Buffers are a multiple of this long, so that one fits the next frame too.
const GRAIN: u32 = 1 << 14;

/// How a worker answers: by what it returns, and by `tell` before that, while it is at work. `clock` gives the wall-clock time
/// in ms.
pub trait Desk {
    /// Takes a message.
    fn handle(&mut self, ask: ToWorker, clock: impl Fn() -> f64, tell: impl FnMut(Answer)) -> Vec<Answer>;

    /// Makes a scenario of files, whose bytes stand one after the other. Only the worker of imports does.
    fn import(&mut self, _ask: &Ask, _bytes: &[u8]) -> Vec<Answer> {
        Vec::new()
    }
}

/// Listens from now on.
///
/// # Errors
///
/// When this is no worker, or it cannot send.
pub fn serve(mut desk: impl Desk + 'static) -> Result<(), JsValue> {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    report_panics();
    let answering = scope.clone();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        // The page asks whether anybody is there.
        if event.data().as_string().as_deref() == Some(PING) {
            let _ = answering.post_message(&PING.into());
            return;
        }
        receive(&answering, &mut desk, &event.data());
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    // A module worker drops what arrives before it is loaded: the page waits for this.
    send(&scope, &FromWorker::Ready.into(), None)
}

fn receive(scope: &DedicatedWorkerGlobalScope, desk: &mut impl Desk, data: &JsValue) {
    let (message, mut buffer) = unpack(data);
    let asked: Result<ToWorker, String> = message
        .ok_or_else(|| "an empty message".into())
        .and_then(|message| encoding::decode(&message));
    let answers = match asked {
        Ok(ToWorker::Import(ask)) => {
            let bytes = buffer
                .take()
                .map_or_else(Vec::new, |buffer| Uint8Array::new(&buffer).to_vec());
            desk.import(&ask, &bytes)
        }
        Ok(ask) => desk.handle(ask, || now(scope), |answer| deliver(scope, &answer, None)),
        Err(error) => vec![failure(&format!(
            "the page sent something that is no message: {error}"
        ))],
    };
    for answer in answers {
        let buffer = answer.bytes.as_ref().and_then(|_| buffer.take());
        deliver(scope, &answer, buffer);
    }
}

/// Sends an answer, or else says that it could not be sent.
fn deliver(scope: &DedicatedWorkerGlobalScope, answer: &Answer, buffer: Option<ArrayBuffer>) {
    if let Err(error) = send(scope, answer, buffer) {
        let _ = send(
            scope,
            &failure(&format!("an answer could not be sent: {error:?}")),
            None,
        );
    }
}

/// A message and the buffer beside it.
fn unpack(data: &JsValue) -> (Option<Vec<u8>>, Option<ArrayBuffer>) {
    let field = |name: &str| Reflect::get(data, &name.into()).ok();
    let message = field(MESSAGE)
        .and_then(|value| value.dyn_into::<Uint8Array>().ok())
        .map(|bytes| bytes.to_vec());
    let buffer = field(BUFFER).and_then(|value| value.dyn_into::<ArrayBuffer>().ok());
    (message, buffer)
}

/// Sends an answer; its bytes go into `buffer` if they fit.
fn send(
    scope: &DedicatedWorkerGlobalScope,
    answer: &Answer,
    buffer: Option<ArrayBuffer>,
) -> Result<(), JsValue> {
    let message = Object::new();
    let encoded = Uint8Array::from(encoding::encode(&answer.message)?.as_slice());
    Reflect::set(&message, &MESSAGE.into(), &encoded)?;
    let Some(bytes) = &answer.bytes else {
        return scope.post_message(&message);
    };
    let length = bytes.len() as u32;
    let buffer = buffer
        .filter(|buffer| buffer.byte_length() >= length)
        .unwrap_or_else(|| ArrayBuffer::new(length.next_multiple_of(GRAIN)));
    Uint8Array::new_with_byte_offset_and_length(&buffer, 0, length).copy_from(bytes);
    Reflect::set(&message, &BUFFER.into(), &buffer)?;
    Reflect::set(&message, &LENGTH.into(), &length.into())?;
    scope.post_message_with_transfer(&message, &js_sys::Array::of1(&buffer))
}

fn failure(message: &str) -> Answer {
    FromWorker::Failed {
        message: message.into(),
    }
    .into()
}

/// After a panic the worker answers no more: its last word says why.
fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
            let _ = send(&scope, &failure(&info.to_string()), None);
        }
    }));
}

fn now(scope: &DedicatedWorkerGlobalScope) -> f64 {
    scope.performance().map_or(0.0, |performance| performance.now())
}
