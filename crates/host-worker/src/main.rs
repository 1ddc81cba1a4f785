//! The Web Worker of hosts with SmartNICs.

use view::message::{FromWorker, ToWorker};
use wasm_bindgen::JsValue;
use worker::shell::{Desk, serve};
use worker::{Answer, HostSession};

#[derive(Default)]
struct Hosts(HostSession);

impl Desk for Hosts {
    fn handle(&mut self, ask: ToWorker, clock: impl Fn() -> f64, _: impl FnMut(Answer)) -> Vec<Answer> {
        let ToWorker::Host { host, .. } = ask else {
            return Vec::new();
        };
        match host.open() {
            Ok(ask) => self.0.handle(ask, clock),
            Err(message) => vec![FromWorker::Failed { message }.into()],
        }
    }
}

fn main() -> Result<(), JsValue> {
    serve(Hosts::default())
}
