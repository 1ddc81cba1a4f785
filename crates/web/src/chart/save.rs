//! Saves a chart: as a picture in the colours of the page, or as values.

use crate::app::share::file_name;
use crate::dom;
use crate::texts::charts as texts;
use crate::worker_link::words;
use view::chart::{Chart, Drawn};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    CanvasRenderingContext2d, Element, HtmlAnchorElement, HtmlCanvasElement, HtmlImageElement, XmlSerializer,
};
use yew::Callback;

/// Size of a picture that is saved, without title and legend.
const SIZE: (f64, f64) = (800.0, 420.0);
/// Pixels of a PNG for each of the picture's.
const FINE: f64 = 2.0;
/// What the style sheet decides of an element of a picture.
const STYLES: [&str; 8] = [
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linejoin",
    "font-size",
    "font-weight",
];

/// What a chart is saved as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A drawing.
    Svg,
    /// A picture of pixels.
    Png,
    /// Its values.
    Csv,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 3] = [Form::Svg, Form::Png, Form::Csv];

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Svg => "SVG",
            Form::Png => "PNG",
            Form::Csv => "CSV",
        }
    }

    /// The end of a file's name.
    pub const fn slug(self) -> &'static str {
        match self {
            Form::Svg => "svg",
            Form::Png => "png",
            Form::Csv => "csv",
        }
    }
}

/// Saves a chart. `host` is where it is shown: the style sheet's colours there are those of the picture. `done` hears what became of it.
pub fn save(
    chart: &Chart,
    form: Form,
    prefix: &str,
    host: Option<Element>,
    done: Callback<Result<(), String>>,
) {
    let name = match prefix {
        "" => format!("{}.{}", chart.slug, form.slug()),
        prefix => format!("{}-{}.{}", file_name(prefix), chart.slug, form.slug()),
    };
    let told = move |saved: Result<(), JsValue>| {
        done.emit(saved.map_err(|error| texts::not_saved(&words(&error))));
    };
    if form == Form::Csv {
        return told(dom::download(&name, "text/csv", &chart.csv()));
    }
    let Some(host) = host else { return };
    let picture = match coloured(chart, &host) {
        Ok(picture) => picture,
        Err(error) => return told(Err(error)),
    };
    if form == Form::Svg {
        return told(dom::download(&name, "image/svg+xml", &picture));
    }
    wasm_bindgen_futures::spawn_local(async move { told(pixels(&picture, &name).await) });
}

/// The picture with the colours that the style sheet gives it where `host` is.
fn coloured(chart: &Chart, host: &Element) -> Result<String, JsValue> {
    let shelf = dom::document().create_element("div")?;
    shelf.set_class_name("chart-shelf");
    shelf.set_inner_html(&Drawn::new(chart, SIZE.0, SIZE.1).whole());
    host.append_child(&shelf)?;
    let text = dressed(&shelf);
    shelf.remove();
    text
}

fn dressed(shelf: &Element) -> Result<String, JsValue> {
    let all = shelf.get_elements_by_tag_name("*");
    for number in 0..all.length() {
        let Some(element) = all.item(number) else { continue };
        if let Some(style) = dom::window().get_computed_style(&element)? {
            for name in STYLES {
                element.set_attribute(name, &style.get_property_value(name)?)?;
            }
        }
        element.remove_attribute("class")?;
    }
    let svg = shelf.first_element_child().ok_or(texts::NO_PICTURE)?;
    XmlSerializer::new()?.serialize_to_string(&svg)
}

/// Draws a picture with pixels and offers it as a file.
async fn pixels(picture: &str, name: &str) -> Result<(), JsValue> {
    let image = HtmlImageElement::new()?;
    let text = String::from(js_sys::encode_uri_component(picture));
    image.set_src(&format!("data:image/svg+xml;charset=utf-8,{text}"));
    JsFuture::from(image.decode()).await?;
    let (width, height) = (
        f64::from(image.natural_width()) * FINE,
        f64::from(image.natural_height()) * FINE,
    );
    let canvas: HtmlCanvasElement = dom::document().create_element("canvas")?.unchecked_into();
    canvas.set_width(width as u32);
    canvas.set_height(height as u32);
    let context = canvas.get_context("2d")?.ok_or(texts::NO_CANVAS)?;
    let context: CanvasRenderingContext2d = context.unchecked_into();
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height)?;
    let anchor: HtmlAnchorElement = dom::document().create_element("a")?.unchecked_into();
    anchor.set_href(&canvas.to_data_url()?);
    anchor.set_download(name);
    anchor.click();
    Ok(())
}
