//! The Web Worker of imports.

mod import;

use view::host::import::Ask;
use view::message::{FromWorker, ToWorker};
use wasm_bindgen::JsValue;
use worker::Answer;
use worker::shell::{Desk, serve};

struct Imports;

impl Desk for Imports {
    fn handle(&mut self, _: ToWorker, _: impl Fn() -> f64, _: impl FnMut(Answer)) -> Vec<Answer> {
        Vec::new()
    }

    fn import(&mut self, ask: &Ask, bytes: &[u8]) -> Vec<Answer> {
        vec![FromWorker::Imported(import::import(ask, bytes)).into()]
    }
}

fn main() -> Result<(), JsValue> {
    serve(Imports)
}
