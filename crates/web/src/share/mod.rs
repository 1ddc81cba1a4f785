//! Giving away what is on the page: links, frames for other pages, pictures and recordings. The three pages have it in common.

mod dialog;
mod embed_bar;
pub mod keeping;
mod picture;
mod recorder;
mod symbols;

pub use dialog::ShareDialog;
pub use embed_bar::EmbedBar;
pub use recorder::Recorder;

use crate::dom;
use js_sys::Reflect;
use view::share::Embed;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Whether this page is a frame in another one, by its address; and what is wrong with what the address says of it.
pub fn embedded() -> (Option<Embed>, Option<String>) {
    let query = dom::window().location().search().unwrap_or_default();
    match Embed::of_query(&query) {
        None => (None, None),
        Some(Ok(embed)) => (Some(embed), None),
        Some(Err(why)) => (Some(Embed { timeline: false }), Some(why)),
    }
}

/// True where another page shows this one.
pub fn is_in_frame() -> bool {
    let window = dom::window();
    // The parent of a window without one is itself; one of another origin may not be asked.
    window
        .parent()
        .ok()
        .flatten()
        .is_none_or(|parent| parent != window)
}

/// The page's address with this query after `?` (none where it is empty) and this link after `#`.
pub fn address(query: &str, link: &str) -> String {
    let location = dom::window().location();
    let mut address = location.origin().unwrap_or_default() + &location.pathname().unwrap_or_default();
    if !query.is_empty() {
        address = address + "?" + query;
    }
    address + "#" + link
}

/// Copies a text. False where the browser does not let us.
pub async fn copy(text: &str) -> bool {
    let navigator = dom::window().navigator();
    // Without a secure context there is no clipboard at all.
    let there = Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|value| value.is_object());
    there
        && JsFuture::from(navigator.clipboard().write_text(text))
            .await
            .is_ok()
}

/// What became of a recording, as a notice: whether it went wrong, its title and details.
pub fn recorded(result: Result<String, String>) -> (bool, &'static str, Vec<String>) {
    match result {
        Ok(file) => (false, "The recording was saved", vec![file]),
        Err(why) => (true, "The stage could not be recorded", vec![why]),
    }
}

/// What the browser has under a name, if anything.
fn global(name: &str) -> Option<JsValue> {
    Reflect::get(&js_sys::global(), &name.into())
        .ok()
        .filter(|value| !value.is_undefined() && !value.is_null())
}
