//! What is drawn, as a list of simple shapes that a graphics processor or a raster can draw.
//!
//! A mark is six words, so that a list of marks is at the same time the vertex data of a graphics processor:
//!
//! | word | meaning |
//! |---|---|
//! | 0 to 3 | x and y of the first and the second point, as bits of f32, in CSS pixels |
//! | 4 | colour: red in the lowest byte, then green, blue, opacity |
//! | 5 | size in 1/64 CSS pixels (16 bits), shape (8 bits), 0 (8 bits) |

use crate::geometry::{Point, Rect, Segment};

/// One shape.
pub type Mark = [u32; 6];

/// A colour: red in the lowest byte, then green, blue, opacity.
pub type Colour = u32;

/// What a mark looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Shape {
    /// A line with square ends; the size is its width.
    Line,
    /// A line with round ends that lie beyond its points; the size is its width.
    Capsule,
    /// A dashed line; the size is its width.
    Dashed,
    /// A dotted line; the size is its width.
    Dotted,
    /// A filled square on a corner around the first point; the size is the distance of its corners.
    Diamond,
    /// A filled triangle; likewise.
    Triangle,
    /// A filled circle; the size is its radius.
    Disc,
    /// A circle's outline; the size is its radius.
    Ring,
    /// Two crossed strokes; the size is half their extent.
    Cross,
    /// A diamond's outline.
    Frame,
    /// A filled square around the first point; the size is half its side.
    Square,
    /// A square's outline; likewise.
    Box,
    /// A triangle that stands on a corner.
    Nabla,
    /// Two upright bars, as on a pause button; the size is half their height.
    Bars,
    /// A triangle that points to the right, as on a play button; the size is the distance of its corners.
    Play,
    /// A filled plus sign; the size is half its extent.
    Plus,
    /// Two filled triangles, corner on corner; the size is half their height.
    Hourglass,
    /// A filled rectangle with round corners between the two points; the size is their radius.
    Panel,
}

impl Shape {
    /// All shapes, in the order of their numbers.
    pub const ALL: [Shape; 18] = [
        Shape::Line,
        Shape::Capsule,
        Shape::Dashed,
        Shape::Dotted,
        Shape::Diamond,
        Shape::Triangle,
        Shape::Disc,
        Shape::Ring,
        Shape::Cross,
        Shape::Frame,
        Shape::Square,
        Shape::Box,
        Shape::Nabla,
        Shape::Bars,
        Shape::Play,
        Shape::Plus,
        Shape::Hourglass,
        Shape::Panel,
    ];
}

/// Length of a dash and of the gap after it, in widths of the line.
pub const DASH: (f32, f32) = (3.0, 2.2);
/// The same for dots.
pub const DOT: (f32, f32) = (1.0, 1.3);
/// The width of an outline's stroke, as a share of its size, and the least width in CSS pixels.
pub const STROKE: (f32, f32) = (0.36, 1.4);
/// Where a bar of [`Shape::Bars`] begins and ends beside the middle, as shares of the size.
pub const BAR: (f32, f32) = (0.22, 0.82);
/// Half the width of an arm of [`Shape::Plus`], as a share of the size.
pub const ARM: f32 = 0.36;

/// A mark between two points.
pub fn mark(shape: Shape, segment: &Segment, size: f64, colour: Colour) -> Mark {
    let word = |value: f64| (value as f32).to_bits();
    // Sizes are bounded: 1,023 pixels are more than any stage needs.
    let size = (size.clamp(0.0, 1023.0) * 64.0).round() as u32;
    [
        word(segment.from.x),
        word(segment.from.y),
        word(segment.to.x),
        word(segment.to.y),
        colour,
        size | (shape as u32) << 16,
    ]
}

/// A mark around a point.
pub fn dot(shape: Shape, at: Point, size: f64, colour: Colour) -> Mark {
    mark(shape, &Segment::new(at, at), size, colour)
}

/// A panel.
pub fn panel(rect: &Rect, radius: f64, colour: Colour) -> Mark {
    let corners = Segment::new(
        Point::new(rect.x, rect.y),
        Point::new(rect.x + rect.w, rect.y + rect.h),
    );
    mark(Shape::Panel, &corners, radius, colour)
}

/// The same colour with its opacity multiplied by `by`, 0 to 1.
pub fn faded(colour: Colour, by: f64) -> Colour {
    let alpha = f64::from(colour >> 24) * by.clamp(0.0, 1.0);
    colour & 0x00ff_ffff | (alpha.round() as u32) << 24
}

/// The colour a share `t` of the way from `a` to `b`.
pub fn blend(a: Colour, b: Colour, t: f64) -> Colour {
    (0..4).fold(0, |sum, byte| {
        let channel = |colour: Colour| f64::from(colour >> (8 * byte) & 255);
        let value = channel(a) + (channel(b) - channel(a)) * t.clamp(0.0, 1.0);
        sum | (value.round() as u32) << (8 * byte)
    })
}

/// A colour written as `#rgb`, `#rrggbb`, or `rgb(r, g, b)` or `rgba(r, g, b, a)`, as browsers write computed colours.
pub fn colour(text: &str) -> Option<Colour> {
    let text = text.trim();
    let rgba = |r: u32, g: u32, b: u32, a: u32| r | g << 8 | b << 16 | a << 24;
    if let Some(hex) = text.strip_prefix('#') {
        let value = u32::from_str_radix(hex, 16).ok()?;
        return match hex.len() {
            3 => Some(rgba(
                (value >> 8) * 17,
                (value >> 4 & 15) * 17,
                (value & 15) * 17,
                255,
            )),
            6 => Some(rgba(value >> 16, value >> 8 & 255, value & 255, 255)),
            _ => None,
        };
    }
    let inside = text
        .strip_prefix("rgba(")
        .or_else(|| text.strip_prefix("rgb("))?
        .strip_suffix(')')?;
    let numbers: Vec<f64> = inside
        .split(',')
        .map(|number| number.trim().parse().ok())
        .collect::<Option<_>>()?;
    let byte = |value: f64| value.round().clamp(0.0, 255.0) as u32;
    match numbers[..] {
        [r, g, b] => Some(rgba(byte(r), byte(g), byte(b), 255)),
        [r, g, b, a] => Some(rgba(byte(r), byte(g), byte(b), byte(a * 255.0))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_browsers_write_them() {
        assert_eq!(colour("#0b72c4"), Some(0xffc4_720b));
        assert_eq!(colour(" #fff "), Some(0xffff_ffff));
        assert_eq!(colour("rgb(1, 2, 3)"), Some(0xff03_0201));
        assert_eq!(colour("rgba(1, 2, 3, 0.5)"), Some(0x8003_0201));
        for other in ["", "#12", "#gggggg", "red", "rgb(1, 2)", "rgb(a, 2, 3)", "#€€"] {
            assert_eq!(colour(other), None, "{other}");
        }
    }

    #[test]
    fn shapes_are_numbered_in_order() {
        for (number, shape) in Shape::ALL.into_iter().enumerate() {
            assert_eq!(shape as usize, number);
        }
    }

    #[test]
    fn blending_and_fading() {
        assert_eq!(blend(0xff00_0000, 0xff00_00c8, 0.5), 0xff00_0064);
        assert_eq!(faded(0xff12_3456, 0.5), 0x8012_3456);
    }
}
