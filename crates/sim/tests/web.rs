//! The golden runs in a browser: the digests are those of the native test.
#![cfg(target_arch = "wasm32")]

mod common;
mod golden;

use kernel::Time;
use sim::Sim;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn golden_digests() {
    for (name, body, digest) in golden::RUNS {
        let mut sim = Sim::new(&common::scenario(body)).expect(name);
        sim.run_until(Time::MAX);
        assert_eq!(format!("{:016x}", sim.digest()), digest, "{name}");
    }
}
