//! The Web Worker of fabrics.

use view::message::{FromWorker, ToWorker};
use wasm_bindgen::JsValue;
use worker::shell::{Desk, serve};
use worker::{Answer, Session, Sweeper};

#[derive(Default)]
struct Fabrics {
    session: Session,
    sweeper: Sweeper,
}

impl Desk for Fabrics {
    fn handle(
        &mut self,
        ask: ToWorker,
        clock: impl Fn() -> f64,
        mut tell: impl FnMut(Answer),
    ) -> Vec<Answer> {
        match ask {
            ToWorker::Sweep(ask) => {
                let tell = |told| tell(FromWorker::Sweep(told).into());
                self.sweeper.handle(ask, clock, tell);
                Vec::new()
            }
            ask => self.session.handle(ask, clock),
        }
    }
}

fn main() -> Result<(), JsValue> {
    serve(Fabrics::default())
}
