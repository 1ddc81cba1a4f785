//! The golden runs in a browser: the digests are those of the native test.
#![cfg(target_arch = "wasm32")]

mod common;
mod golden;

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn golden_digests() {
    for (name, body, digest) in golden::RUNS {
        let run = common::run(&common::scenario(body));
        assert_eq!(format!("{:016x}", run.digest()), digest, "{name}");
    }
}
