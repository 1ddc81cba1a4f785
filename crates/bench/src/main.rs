//! `flowglass-bench list` names the cases, `flowglass-bench run CASE THREADS` runs one and times it,
//! `flowglass-bench memory CASE` measures what it keeps,
//! `flowglass-bench queues STREAM DESIGN` times an event queue, `flowglass-bench flows OPERATION DESIGN` a flow table. All print JSON.
//!
//! Compiled for a browser, this program only carries the library's exports.

#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(not(target_arch = "wasm32"))]
mod queues;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {
    // Names the library, without which its exports would not be linked.
    let _ = (bench::WebRun::run, bench::WebFlows::run);
}
