//! Which version of the page this is, whether it is kept for working offline, and what happens when there is a newer one.

mod keeper;
mod notice;

pub use notice::NewVersion;

use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// The version and the build, and whether this page opens without a network. The build is a hash of all files of the page: equal
/// builds compute equal runs.
pub fn words() -> String {
    let script = Reflect::get(&js_sys::global(), &"FLOWGLASS".into()).unwrap_or(JsValue::UNDEFINED);
    let field = |name: &str| {
        Reflect::get(&script, &name.into())
            .ok()
            .and_then(|value| value.as_string())
    };
    let version = field("version").unwrap_or_else(|| env!("CARGO_PKG_VERSION").into());
    let build = field("build").map_or_else(String::new, |build| format!(", build {build}"));
    let kept = match keeper::is_kept() {
        true => "It is kept on this machine and opens without a network.",
        false => "This browser has not kept it: it opens only where its server can be reached.",
    };
    format!("Flowglass {version}{build}. {kept}")
}
