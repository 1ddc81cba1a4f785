//! Charts: what there is to choose of them, and what becomes of their files.

pub const KIND_OF_CHART: &str = "Kind of chart";
pub const POINT_OR_PRESS: &str = "Point or press → for values";
pub const WHICH_LINKS: &str = "Which links";
pub const PLANE: &str = "Plane";
pub const WHAT_OF_THEM: &str = "What of them";
pub const SHADES_FOLLOW_LOGARITHMS: &str = "log: shades of the traffic matrix follow logarithms";
pub const SMALL_VALUES_CAN_BE_TOLD_APART: &str = "Shades follow logarithms: small values can be told apart";
pub const ENLARGE: &str = "Enlarge";
pub const NO_PICTURE: &str = "there is no picture";
pub const NO_CANVAS: &str = "the browser draws no pictures";

/// The slider that holds a chart's cursor.
pub fn cursor_of(title: &str) -> String {
    format!("{title}: cursor")
}

/// What a chart shows, and how to read it.
pub fn doc_and_keys(doc: &str) -> String {
    format!("{doc} Arrow keys read its values.")
}

/// A chart's files.
pub fn save(title: &str) -> String {
    format!("Save {title}")
}

/// One of them, by the name of its form.
pub fn save_as(title: &str, form: &str) -> String {
    format!("Save {title} as {form}")
}

/// The button that gives a chart more room.
pub fn enlarge(title: &str) -> String {
    format!("Enlarge {title}")
}

/// The switch of an axis, `x` or `y`.
pub fn logarithmic(axis: &str) -> String {
    format!("Logarithmic {axis} axis")
}

/// The same with what the axis measures.
pub fn logarithmic_of(axis: &str, title: &str) -> String {
    format!("log {axis}: logarithmic axis of {title}")
}

/// A plane in a list.
pub fn plane(number: u32) -> String {
    format!("plane {number}")
}

/// Why there is no file.
pub fn not_saved(why: &str) -> String {
    format!("It could not be saved: {why}")
}

/// What stands beside a rate after a fault.
pub const CHANGE: &str = "Compared with the mean of the last bins before the first fault, 16 at most";
