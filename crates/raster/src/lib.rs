//! Draws marks without a graphics processor.
//!
//! Lines are filled row by row or column by column with the share of each pixel that they cover; everything else by its
//! distance from the pixel's centre. Pixels are always opaque.
//!
//! A crate of its own: it is compiled for speed, what surrounds it for size.

use view::marks::{ARM, BAR, Colour, DASH, DOT, Mark, STROKE, Shape};

/// Lines below this width have no visible round ends.
const ROUND_FROM: f32 = 4.0;
/// In a crowd, lines below this width are one pixel wide.
const THIN_BELOW: f32 = 2.0;
/// From so many marks on they are a crowd: nobody can see whether single lines among them have smooth sides, but
/// everybody sees that drawing three times as many pixels takes three times as long.
pub const CROWD: usize = 20_000;

/// A picture.
#[derive(Clone, Debug, Default)]
pub struct Raster {
    width: usize,
    height: usize,
    // Pixels per CSS pixel.
    ratio: f32,
    pixels: Vec<u32>,
    is_crowd: bool,
}

impl Raster {
    /// A black picture of `width` × `height` pixels, `ratio` of them to a CSS pixel.
    pub fn new(width: u32, height: u32, ratio: f64) -> Raster {
        let (width, height) = (width as usize, height as usize);
        Raster {
            width,
            height,
            ratio: ratio as f32,
            pixels: vec![0xff00_0000; width * height],
            is_crowd: false,
        }
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.width as u32
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.height as u32
    }

    /// The pixels row by row, from the top: red in the lowest byte, then green, blue, opacity.
    pub fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// Fills the picture.
    pub fn clear(&mut self, colour: Colour) {
        self.pixels.fill(colour | 0xff00_0000);
    }

    /// Becomes the same as another picture of the same size.
    pub fn copy(&mut self, other: &Raster) {
        self.pixels.copy_from_slice(&other.pixels);
    }

    /// Draws marks, the later ones over the earlier ones. What lies outside is left out. Very many are drawn faster and
    /// a little less smoothly.
    pub fn draw(&mut self, marks: &[Mark]) {
        self.draw_part(marks, marks.len());
    }

    /// Draws a part of `all` marks, as [`draw`](Self::draw) would draw all of them.
    pub fn draw_part(&mut self, marks: &[Mark], all: usize) {
        self.is_crowd = all >= CROWD;
        for mark in marks {
            let point = |word: usize| f32::from_bits(mark[word]) * self.ratio;
            let (a, b) = ((point(0), point(1)), (point(2), point(3)));
            let size = (mark[5] & 0xffff) as f32 / 64.0 * self.ratio;
            let numbers = [a.0, a.1, b.0, b.1];
            // Far beyond any stage: positions would lose their pixels, and nothing of it could be seen.
            let Some(&shape) = Shape::ALL.get((mark[5] >> 16 & 255) as usize) else {
                continue;
            };
            if !numbers.iter().all(|number| number.abs() < 1e8) {
                continue;
            }
            self.shape(shape, a, b, size, mark[4]);
        }
    }

    fn shape(&mut self, shape: Shape, a: (f32, f32), b: (f32, f32), size: f32, colour: Colour) {
        let stroke = (size * STROKE.0).max(STROKE.1 * self.ratio) / 2.0;
        match shape {
            Shape::Line => self.line(a, b, size, colour),
            Shape::Dashed => self.dashes(a, b, size, DASH, colour),
            Shape::Dotted => self.dashes(a, b, size, DOT, colour),
            Shape::Capsule if size < ROUND_FROM => {
                // Round ends of a thin line cover as much as half its width.
                let ends = lengthened(a, b, size * 0.4);
                self.line(ends.0, ends.1, size, colour);
            }
            Shape::Capsule => self.capsule(a, b, size / 2.0, colour),
            Shape::Diamond => self.around(a, size, colour, |x, y| {
                (x.abs() + y.abs() - size) * std::f32::consts::FRAC_1_SQRT_2
            }),
            Shape::Frame => self.around(a, size + stroke, colour, |x, y| {
                ((x.abs() + y.abs() - size) * std::f32::consts::FRAC_1_SQRT_2).abs() - stroke
            }),
            Shape::Triangle => self.around(a, size, colour, |x, y| triangle(x, y, size)),
            Shape::Disc => self.around(a, size, colour, |x, y| (x * x + y * y).sqrt() - size),
            Shape::Ring => self.around(a, size + stroke, colour, |x, y| {
                ((x * x + y * y).sqrt() - size).abs() - stroke
            }),
            Shape::Cross => self.around(a, size + stroke, colour, |x, y| cross(x, y, size) - stroke),
            Shape::Square => self.around(a, size, colour, |x, y| x.abs().max(y.abs()) - size),
            Shape::Box => self.around(a, size + stroke, colour, |x, y| {
                (x.abs().max(y.abs()) - size).abs() - stroke
            }),
            Shape::Nabla => self.around(a, size, colour, |x, y| triangle(x, -y, size)),
            Shape::Bars => self.around(a, size, colour, |x, y| {
                let (x, width) = (x.abs() / size, BAR.1 - BAR.0);
                let across = (x - (BAR.0 + BAR.1) / 2.0).abs() - width / 2.0;
                (across * size).max(y.abs() - size)
            }),
            Shape::Play => self.around(a, size, colour, |x, y| triangle(y, -x, size)),
            Shape::Plus => self.around(a, size, colour, |x, y| {
                let (long, short) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
                (long - size).max(short - size * ARM)
            }),
            Shape::Hourglass => self.around(a, size, colour, |x, y| {
                let slope = (x.abs() - y.abs()) * std::f32::consts::FRAC_1_SQRT_2;
                slope.max(y.abs() - size)
            }),
            Shape::Panel => self.panel(a, b, size, colour),
        }
    }

    /// A line with square ends.
    fn line(&mut self, a: (f32, f32), b: (f32, f32), width: f32, colour: Colour) {
        let Some((a, b)) = self.clipped(a, b, width + 1.0) else {
            return;
        };
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = (dx * dx + dy * dy).sqrt();
        if length < 1e-3 {
            return;
        }
        let steep = dy.abs() >= dx.abs();
        // Along the main direction one pixel at a time; across it, as much as the line is wide there.
        let (from, to, across, step) = if steep {
            let (top, bottom) = if dy > 0.0 { (a, b) } else { (b, a) };
            (top.1, bottom.1, top.0, dx / dy)
        } else {
            let (left, right) = if dx > 0.0 { (a, b) } else { (b, a) };
            (left.0, right.0, left.1, dy / dx)
        };
        let half = width / 2.0 * length / dx.abs().max(dy.abs());
        let Lanes {
            ways,
            limit,
            along,
            aside,
        } = self.lanes(steep);
        let first = (from - 0.5).ceil().max(0.0);
        let last = (to - 0.5).floor().min(ways as f32 - 1.0);
        // Sixteen bits of fraction: positions are within the picture, and steps within a pixel.
        let fixed = |value: f32| (value * 65536.0) as i32;
        let mut low = fixed(across + (first + 0.5 - from) * step - half);
        let (span, step) = (fixed(2.0 * half).max(1), fixed(step));
        let is_thin = self.is_crowd && width < THIN_BELOW;
        let thin_share = (width.min(1.0) * 256.0) as u32;
        let ink = Ink::new(colour);
        let limit = limit as u32;
        let mut row = first as usize * along;
        for _ in first as i32..=last as i32 {
            let high = low + span;
            let (at, end) = (low >> 16, high >> 16);
            let mut dab = |at: i32, share: u32| {
                if (at as u32) < limit {
                    ink.mix(&mut self.pixels[row + at as usize * aside], share);
                }
            };
            if is_thin {
                dab((low + span / 2) >> 16, thin_share);
            } else if at == end {
                dab(at, (span >> 8) as u32);
            } else {
                dab(at, 256 - ((low >> 8) & 255) as u32);
                for inner in at + 1..end {
                    dab(inner, 256);
                }
                dab(end, ((high >> 8) & 255) as u32);
            }
            low += step;
            row += along;
        }
    }

    fn dashes(&mut self, a: (f32, f32), b: (f32, f32), width: f32, (on, off): (f32, f32), colour: Colour) {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = (dx * dx + dy * dy).sqrt();
        let width = width.max(0.5);
        let period = (on + off) * width;
        // Only dashes that can be seen are walked over.
        let Some((from, to)) = self.seen(a, b, width + period) else {
            return;
        };
        let (mut dash, end) = ((from * length / period).floor(), to * length / period);
        while dash <= end {
            let share = |at: f32| (at * period / length.max(1e-6)).min(1.0);
            let (begin, stop) = (share(dash), share(dash + on / (on + off)));
            let at = |t: f32| (a.0 + dx * t, a.1 + dy * t);
            self.line(at(begin), at(stop), width, colour);
            dash += 1.0;
        }
    }

    /// A line with round ends: like a line, but where an end is near, as much as is within reach of it.
    fn capsule(&mut self, a: (f32, f32), b: (f32, f32), radius: f32, colour: Colour) {
        let Some((a, b)) = self.clipped(a, b, 2.0 * radius + 2.0) else {
            return;
        };
        let steep = (b.1 - a.1).abs() >= (b.0 - a.0).abs();
        // Along the main direction, and across it.
        let turned = |at: (f32, f32)| if steep { (at.1, at.0) } else { at };
        let (a, b) = if turned(a).0 <= turned(b).0 {
            (turned(a), turned(b))
        } else {
            (turned(b), turned(a))
        };
        let body = Capsule::new((b.0 - a.0, b.1 - a.1), radius);
        let Lanes {
            ways,
            limit,
            along,
            aside,
        } = self.lanes(steep);
        let ink = Ink::new(colour);
        for way in range(a.0 - radius, b.0 + radius, ways) {
            let Some((low, high)) = body.across(way as f32 + 0.5 - a.0) else {
                continue;
            };
            let (low, high) = (greater(low + a.1, 0.0), lesser(high + a.1, limit as f32));
            if low < high {
                let row = way * along;
                ink.stretch(&mut self.pixels, low, high, |at| row + at * aside);
            }
        }
    }

    /// A shape around a point, by the distance from its border; negative inside.
    fn around(&mut self, at: (f32, f32), reach: f32, colour: Colour, distance: impl Fn(f32, f32) -> f32) {
        let ink = Ink::new(colour);
        for y in self.rows(at.1 - reach - 1.0, at.1 + reach + 1.0) {
            for x in self.columns(at.0 - reach - 1.0, at.0 + reach + 1.0) {
                let inside = -distance(x as f32 + 0.5 - at.0, y as f32 + 0.5 - at.1);
                self.cover(x, y, inside, &ink);
            }
        }
    }

    fn panel(&mut self, a: (f32, f32), b: (f32, f32), radius: f32, colour: Colour) {
        let radius = radius.min((b.0 - a.0) / 2.0).min((b.1 - a.1) / 2.0).max(0.0);
        let columns = self.columns(a.0 - 0.5, b.0 + 0.5);
        // Between its rounded and its outermost pixels, each row is covered evenly.
        let even = self.columns(a.0 + radius.max(0.5), b.0 - radius.max(0.5));
        let ink = Ink::new(colour);
        for y in self.rows(a.1 - 0.5, b.1 + 0.5) {
            let py = y as f32 + 0.5;
            // How far beyond the straight part of the side.
            let ey = (a.1 + radius - py).max(py - b.1 + radius);
            for x in (columns.start..even.start).chain(even.end..columns.end) {
                let px = x as f32 + 0.5;
                let ex = (a.0 + radius - px).max(px - b.0 + radius);
                let inside = if ex > 0.0 && ey > 0.0 {
                    radius - (ex * ex + ey * ey).sqrt()
                } else {
                    radius - ex.max(ey)
                };
                self.cover(x, y, inside, &ink);
            }
            let row = y * self.width;
            ink.mix_all(
                &mut self.pixels[row + even.start..row + even.end],
                share(radius - ey),
            );
        }
    }

    /// Draws over a pixel whose centre is `inside` pixels inside of a border.
    fn cover(&mut self, x: usize, y: usize, inside: f32, ink: &Ink) {
        let share = share(inside);
        if share > 0 {
            ink.mix(&mut self.pixels[y * self.width + x], share);
        }
    }

    /// The rows with centres from `low` to `high`.
    fn rows(&self, low: f32, high: f32) -> std::ops::Range<usize> {
        range(low, high, self.height)
    }

    fn columns(&self, low: f32, high: f32) -> std::ops::Range<usize> {
        range(low, high, self.width)
    }

    /// How it is walked over along a line that goes from row to row if it is `steep`, else from column to column.
    fn lanes(&self, steep: bool) -> Lanes {
        let (ways, limit, along, aside) = if steep {
            (self.height, self.width, self.width, 1)
        } else {
            (self.width, self.height, 1, self.width)
        };
        Lanes {
            ways,
            limit,
            along,
            aside,
        }
    }

    /// The part of a line that is in the picture or at most `margin` beside it.
    fn clipped(&self, a: (f32, f32), b: (f32, f32), margin: f32) -> Option<((f32, f32), (f32, f32))> {
        let (from, to) = self.seen(a, b, margin)?;
        let at = |t: f32| (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
        Some((at(from), at(to)))
    }

    /// The same as shares of the way.
    fn seen(&self, a: (f32, f32), b: (f32, f32), margin: f32) -> Option<(f32, f32)> {
        let (mut from, mut to) = (0.0f32, 1.0f32);
        let sides = [
            (a.0, b.0 - a.0, self.width as f32),
            (a.1, b.1 - a.1, self.height as f32),
        ];
        for (start, step, size) in sides {
            let (low, high) = (-margin - start, size + margin - start);
            if step.abs() < 1e-6 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let per_step = 1.0 / step;
            let (enter, leave) = if step > 0.0 {
                (low * per_step, high * per_step)
            } else {
                (high * per_step, low * per_step)
            };
            from = greater(from, enter);
            to = lesser(to, leave);
        }
        (from <= to).then_some((from, to))
    }
}

/// The picture as it is walked over along the main direction of a line.
struct Lanes {
    // Pixels along that direction, and across it.
    ways: usize,
    limit: usize,
    // From one pixel to the next: along that direction, and across it.
    along: usize,
    aside: usize,
}

/// A line with round ends, seen from one end; its main direction is the first of the two.
struct Capsule {
    radius: f32,
    way: (f32, f32),
    square: f32,
    // Across a unit of the main direction.
    slope: f32,
    // Half its width across the main direction, where no end is near.
    half: f32,
    // How far from an end's middle that end is near.
    near: f32,
}

impl Capsule {
    fn new(way: (f32, f32), radius: f32) -> Capsule {
        let square = way.0 * way.0 + way.1 * way.1;
        let length = square.sqrt();
        // A point has no direction: any is as good.
        let per_main = if way.0 > 1e-6 { 1.0 / way.0 } else { 0.0 };
        Capsule {
            radius,
            way,
            square,
            slope: way.1 * per_main,
            half: radius * length * per_main,
            near: radius * way.1.abs() / length.max(1e-6),
        }
    }

    /// From where to where it is, across the main direction, at a place of that.
    fn across(&self, at: f32) -> Option<(f32, f32)> {
        let (main, side) = self.way;
        let middle = at * self.slope;
        if at >= self.near && at <= main - self.near {
            return Some((middle - self.half, middle + self.half));
        }
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for (beside, centre) in [(at, 0.0), (at - main, side)] {
            let square = self.radius * self.radius - beside * beside;
            if square > 0.0 {
                let reach = square.sqrt();
                (low, high) = (lesser(low, centre - reach), greater(high, centre + reach));
            }
        }
        // The body, cut at right angles at both ends.
        let (mut from, mut to) = (middle - self.half, middle + self.half);
        if side.abs() > 1e-6 {
            let cuts = (-at * main / side, (self.square - at * main) / side);
            (from, to) = (
                greater(from, lesser(cuts.0, cuts.1)),
                lesser(to, greater(cuts.0, cuts.1)),
            );
        } else if at < 0.0 || at > main {
            return (low < high).then_some((low, high));
        }
        if from < to {
            (low, high) = (lesser(low, from), greater(high, to));
        }
        (low < high).then_some((low, high))
    }
}

/// The pixels with centres from `low` to `high`, of `count`.
fn range(low: f32, high: f32, count: usize) -> std::ops::Range<usize> {
    let first = (low - 0.5).ceil().clamp(0.0, count as f32) as usize;
    let end = ((high - 0.5).floor() + 1.0).clamp(0.0, count as f32) as usize;
    first..end.max(first)
}

/// The lesser of two numbers. `f32::min` also knows what to do without a number, which WebAssembly calls a function for.
#[inline]
fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The greater of two numbers.
#[inline]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The share of a pixel, 0 to 256, that is covered when its centre is `inside` pixels inside of a border.
fn share(inside: f32) -> u32 {
    ((inside + 0.5).clamp(0.0, 1.0) * 256.0) as u32
}

/// A line made longer by `by` at both ends.
fn lengthened(a: (f32, f32), b: (f32, f32), by: f32) -> ((f32, f32), (f32, f32)) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = (dx * dx + dy * dy).sqrt();
    let (x, y) = if length < 1e-3 {
        (by, 0.0)
    } else {
        (dx / length * by, dy / length * by)
    };
    ((a.0 - x, a.1 - y), (b.0 + x, b.1 + y))
}

/// Distance from a triangle that stands on a side, with corners `size` from its centre.
fn triangle(x: f32, y: f32, size: f32) -> f32 {
    // sin and cos of 30 degrees: the slanted sides' normals.
    let slanted = x.abs() * 0.866_025_4 - y * 0.5;
    slanted.max(y) - size / 2.0
}

/// Distance from the middle lines of two crossed strokes that reach `size` to each side.
fn cross(x: f32, y: f32, size: f32) -> f32 {
    // In directions along and across the strokes.
    let (u, v) = (
        (x + y) * std::f32::consts::FRAC_1_SQRT_2,
        (x - y) * std::f32::consts::FRAC_1_SQRT_2,
    );
    let reach = size * std::f32::consts::SQRT_2;
    let stroke = |along: f32, across: f32| {
        let beyond = (along.abs() - reach).max(0.0);
        (beyond * beyond + across * across).sqrt()
    };
    stroke(u, v).min(stroke(v, u))
}

/// A colour as it is laid over pixels.
struct Ink {
    // Red and blue, and green, where they are in a pixel.
    pair: u32,
    green: u32,
    // Opacity, 0 to 256.
    alpha: u32,
    opaque: u32,
}

const PAIR: u32 = 0x00ff_00ff;
const GREEN: u32 = 0x0000_ff00;

impl Ink {
    #[inline]
    fn new(colour: Colour) -> Ink {
        let alpha = colour >> 24;
        Ink {
            pair: colour & PAIR,
            green: colour & GREEN,
            alpha: alpha + (alpha >> 7),
            opaque: colour | 0xff00_0000,
        }
    }

    /// Covers what lies from `low` to `high`, of pixels in a line; `place` says where they are. All are in the picture.
    #[inline]
    fn stretch(&self, pixels: &mut [u32], low: f32, high: f32, place: impl Fn(usize) -> usize) {
        let (low, high) = ((low * 256.0) as u32, (high * 256.0) as u32);
        let (first, last) = (low >> 8, high >> 8);
        if first == last {
            if high > low {
                self.mix(&mut pixels[place(first as usize)], high - low);
            }
            return;
        }
        self.mix(&mut pixels[place(first as usize)], 256 - (low & 255));
        for inner in first + 1..last {
            self.mix(&mut pixels[place(inner as usize)], 256);
        }
        if high & 255 > 0 {
            self.mix(&mut pixels[place(last as usize)], high & 255);
        }
    }

    /// Covers a share of each of these pixels, 0 to 256.
    fn mix_all(&self, pixels: &mut [u32], share: u32) {
        match (share * self.alpha) >> 8 {
            0 => {}
            256.. => pixels.fill(self.opaque),
            _ => pixels.iter_mut().for_each(|pixel| self.mix(pixel, share)),
        }
    }

    /// Covers a share of a pixel, 0 to 256.
    #[inline]
    fn mix(&self, pixel: &mut u32, share: u32) {
        let share = (share * self.alpha) >> 8;
        if share >= 256 {
            *pixel = self.opaque;
            return;
        }
        // Two channels in one multiplication; what overflows is masked away.
        let lay = |below: u32, above: u32, mask: u32| {
            below.wrapping_add(above.wrapping_sub(below).wrapping_mul(share) >> 8) & mask
        };
        *pixel = lay(*pixel & PAIR, self.pair, PAIR) | lay(*pixel & GREEN, self.green, GREEN) | 0xff00_0000;
    }
}

#[cfg(test)]
mod tests;
