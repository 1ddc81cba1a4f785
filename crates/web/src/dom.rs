//! Small things that are asked of the browser.

use view::keys::{self, Command, Held, Page, Place};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Document, Element, HtmlElement, KeyboardEvent, Storage, Window};

/// The window. A page always has one.
pub fn window() -> Window {
    web_sys::window().expect("the page runs in a window")
}

/// The document. A page always has one.
pub fn document() -> Document {
    window().document().expect("a window shows a document")
}

/// The clock on the wall, in ms.
pub fn now_ms() -> f64 {
    window()
        .performance()
        .map_or(0.0, |performance| performance.now())
}

/// Device pixels per CSS pixel.
pub fn pixel_ratio() -> f64 {
    window().device_pixel_ratio().clamp(0.5, 8.0)
}

/// True when the user or the system asks for less motion.
pub fn reduced_motion() -> bool {
    matches("(prefers-reduced-motion: reduce)")
}

/// What the page's address says after `?name=`.
pub fn query(name: &str) -> Option<String> {
    let search = window().location().search().ok()?;
    let fields = search.strip_prefix('?')?.split('&');
    let field = |field: &str| field.strip_prefix(name)?.strip_prefix('=').map(str::to_owned);
    fields.into_iter().find_map(field)
}

/// True when a media query applies.
pub fn matches(query: &str) -> bool {
    window()
        .match_media(query)
        .ok()
        .flatten()
        .is_some_and(|list| list.matches())
}

/// Storage that lasts; none where the user forbids it.
pub fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// A text that was kept under a name; none where nothing is kept.
pub fn stored(name: &str) -> Option<String> {
    storage()?.get_item(name).ok().flatten()
}

/// Keeps a text under a name, where the browser lets us and has room.
pub fn store(name: &str, text: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(name, text);
    }
}

/// Puts an element at (x, y) with a size, all in CSS pixels. Works through the object model, which the page's
/// Content-Security-Policy allows, unlike a `style` attribute.
pub fn place(element: &HtmlElement, x: f64, y: f64, size: Option<(f64, f64)>) {
    let style = element.style();
    let _ = style.set_property("transform", &format!("translate({x:.1}px, {y:.1}px)"));
    if let Some((width, height)) = size {
        let _ = style.set_property("width", &format!("{width:.1}px"));
        let _ = style.set_property("height", &format!("{height:.1}px"));
    }
}

/// Scrolls as little as it takes for an element to be in sight.
pub fn show(element: &Element) {
    let options = web_sys::ScrollIntoViewOptions::new();
    options.set_block(web_sys::ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

/// True when the keyboard's focus is where letters are typed.
pub fn is_typing(target: Option<Element>) -> bool {
    target.is_some_and(|element| {
        let tag = element.tag_name();
        let kind = element.get_attribute("type").unwrap_or_default();
        tag == "TEXTAREA"
            || tag == "SELECT"
            || (tag == "INPUT" && !["range", "checkbox", "button"].contains(&&*kind))
    })
}

/// What a key that was pressed at a place of a page is for. Keys that have been taken already are for nothing more.
pub fn command(page: Page, place: Place, event: &KeyboardEvent) -> Option<Command> {
    if event.default_prevented() {
        return None;
    }
    let held = Held {
        control: event.ctrl_key() || event.meta_key(),
        alt: event.alt_key(),
        shift: event.shift_key(),
    };
    keys::command(page, place, &keys::stroke(&event.key(), held)?)
}

/// Where a key went down.
pub fn target(event: &KeyboardEvent) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// True where the space bar presses what has the focus.
pub fn is_pressable(target: Option<&Element>) -> bool {
    target.is_some_and(|element| ["BUTTON", "SUMMARY", "A"].contains(&&*element.tag_name()))
}

/// Gives the focus to the first element that a selector of CSS means.
pub fn focus(selector: &str) {
    if let Ok(Some(element)) = document().query_selector(selector) {
        let _ = element.unchecked_into::<HtmlElement>().focus();
    }
}

/// Offers a text as a file to be saved.
pub fn download(name: &str, media_type: &str, text: &str) -> Result<(), JsValue> {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = js_sys::Array::of1(&text.into());
    download_blob(
        name,
        &web_sys::Blob::new_with_str_sequence_and_options(&parts, &options)?,
    )
}

/// Offers bytes as a file to be saved.
pub fn download_blob(name: &str, blob: &web_sys::Blob) -> Result<(), JsValue> {
    let url = web_sys::Url::create_object_url_with_blob(blob)?;
    let anchor: web_sys::HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    web_sys::Url::revoke_object_url(&url)
}

/// Puts `text` after `#` in the page's address, or takes the `#` away, without going there; what the address has then.
pub fn replace_hash(text: &str) -> String {
    let (hash, url) = address(text);
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&url));
    }
    hash
}

/// The same, but the browser's Back button goes back to the address before. Nothing happens where the address is that already.
pub fn push_hash(text: &str) -> String {
    let (hash, url) = address(text);
    let is_there = window().location().hash().is_ok_and(|now| now == hash);
    if let (false, Ok(history)) = (is_there, window().history()) {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&url));
    }
    hash
}

/// What follows the address with `text` after its `#`, and the address itself.
fn address(text: &str) -> (String, String) {
    if text.is_empty() {
        let location = window().location();
        let url = format!(
            "{}{}",
            location.pathname().unwrap_or_default(),
            location.search().unwrap_or_default()
        );
        (String::new(), url)
    } else {
        (format!("#{text}"), format!("#{text}"))
    }
}
