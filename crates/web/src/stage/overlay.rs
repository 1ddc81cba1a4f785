//! The stage's texts: names of nodes, headings of planes, signs. They lie above everything else.

use super::palette::Palette;
use view::geometry::{Point, Rect};
use view::layout::{Node, Row, numbers};
use view::picture::Scene;
use view::sight::Sight;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// Letters below this size cannot be read, in CSS pixels.
const LEAST: f64 = 7.0;

/// A canvas for texts.
pub struct Overlay {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    size: (f64, f64),
    ratio: f64,
}

/// Letters of one kind.
struct Letters<'a> {
    weight: u32,
    size: f64,
    align: &'static str,
    colour: &'a str,
}

impl Overlay {
    /// Takes over a canvas.
    ///
    /// # Errors
    /// The browser draws no 2D canvas.
    pub fn new(canvas: &HtmlCanvasElement) -> Result<Overlay, String> {
        let context = canvas
            .get_context("2d")
            .map_err(|error| crate::worker_link::words(&error))?
            .ok_or("this browser draws no 2D canvas")?;
        Ok(Overlay {
            canvas: canvas.clone(),
            context: context.unchecked_into(),
            size: (0.0, 0.0),
            ratio: 1.0,
        })
    }

    /// Fits to a size in CSS pixels and the screen's resolution.
    pub fn resize(&mut self, size: (f64, f64), ratio: f64) {
        (self.size, self.ratio) = (size, ratio);
        self.canvas.set_width((size.0 * ratio).round() as u32);
        self.canvas.set_height((size.1 * ratio).round() as u32);
    }

    /// Draws all texts. `headings` has one for each plane.
    pub fn draw(&self, scene: &Scene<'_>, palette: &Palette, headings: &[String]) {
        let c = &self.context;
        let _ = c.set_transform(self.ratio, 0.0, 0.0, self.ratio, 0.0, 0.0);
        c.clear_rect(0.0, 0.0, self.size.0, self.size.1);
        c.set_text_baseline("middle");
        self.names(scene, palette);
        for plane in 0..scene.sight.shown().planes {
            if scene.sight.sees(plane) {
                let text = headings.get(plane as usize).map_or("", String::as_str);
                self.heading(scene, palette, plane, text);
            }
        }
        self.signs(scene, palette);
    }

    /// The letters on the signs of faults, and the arrows of those in one direction.
    fn signs(&self, scene: &Scene<'_>, palette: &Palette) {
        let colour = |is_down: bool| {
            if is_down {
                &palette.texts.fault
            } else {
                &palette.texts.lossy
            }
        };
        let letters = |size: f64, colour| Letters {
            weight: 800,
            size: size * 1.3,
            align: "center",
            colour,
        };
        for sign in scene.signs() {
            let letters = letters(sign.size, colour(sign.what.is_down()));
            let at = Point::new(sign.at.x, sign.at.y + 0.5);
            if let Some(letter) = sign.what.letter() {
                self.write(letter, at, &letters, palette);
            }
            if let Some(upward) = sign.one_way {
                let arrow = if upward { "↑" } else { "↓" };
                let beside = Point::new(at.x + sign.size * 1.75, at.y);
                self.halo(arrow, beside, &letters, palette);
                self.write(arrow, beside, &letters, palette);
            }
        }
        for (at, size, ails) in scene.node_signs() {
            if let Some(letter) = ails.letter() {
                let letters = letters(size, &palette.texts.lossy);
                self.write(letter, Point::new(at.x, at.y + 0.5), &letters, palette);
            }
        }
    }

    fn names(&self, scene: &Scene<'_>, palette: &Palette) {
        for node in scene.seen_nodes() {
            let rect = scene.sight.node(node);
            let ails = scene.ails(node);
            let (dead, members) = (ails.dead, ails.members);
            let selected = scene.emphasis.nodes.contains(&node);
            if let Some((text, size)) = name(scene.sight, node, &rect) {
                let letters = Letters {
                    weight: if node.row == Row::Nic { 500 } else { 600 },
                    size,
                    align: "center",
                    colour: if selected && dead == 0 {
                        &palette.texts.panel
                    } else {
                        &palette.texts.ink
                    },
                };
                let centre = rect.centre();
                self.write(&text, Point::new(centre.x, centre.y + 0.5), &letters, palette);
            }
            if dead > 0 && members > 1 {
                let letters = Letters {
                    weight: 600,
                    size: 10.0 * scene.sight.magnitude(),
                    align: "center",
                    colour: &palette.texts.fault,
                };
                let text = format!("{dead} of {members} dead");
                let half = text.len() as f64 * letters.size * 0.3;
                let x = rect
                    .centre()
                    .x
                    .clamp(half.min(self.size.0 - half), self.size.0 - half);
                // Below the node: above it there may be a heading.
                let at = Point::new(x, rect.y + rect.h + letters.size);
                let c = &self.context;
                c.set_fill_style_str(&palette.texts.panel);
                c.set_global_alpha(0.85);
                c.fill_rect(
                    at.x - half,
                    at.y - letters.size * 0.75,
                    2.0 * half,
                    letters.size * 1.5,
                );
                c.set_global_alpha(1.0);
                self.write(&text, at, &letters, palette);
            }
        }
    }

    fn heading(&self, scene: &Scene<'_>, palette: &Palette, plane: u32, text: &str) {
        let panel = scene.sight.panel(plane);
        // Where a panel is wider than the stage, its heading stays in sight.
        let (left, right) = (panel.x.max(0.0), (panel.x + panel.w).min(self.size.0));
        let size = 11.0 * scene.sight.magnitude();
        let y = panel.y.max(0.0) + size;
        if right - left < 60.0 || y > panel.y + panel.h {
            return;
        }
        let mut letters = Letters {
            weight: 600,
            size,
            align: "left",
            colour: &palette.texts.ink,
        };
        if panel.y < 0.0 {
            // It lies over the links then, and has to be read all the same.
            let c = &self.context;
            c.set_fill_style_str(&palette.texts.panel);
            c.set_global_alpha(0.75);
            c.fill_rect(left, 0.0, right - left, 2.0 * size);
            c.set_global_alpha(1.0);
        }
        let title = format!("Plane {plane}");
        self.write(&title, Point::new(left + 10.0, y), &letters, palette);
        let title_width = self
            .context
            .measure_text(&title)
            .map_or(5.0 * size, |measured| measured.width());
        if right - left < 130.0 {
            return;
        }
        letters.weight = 400;
        let faults = scene.fault_count(plane);
        if faults > 0 && right - left >= 210.0 {
            let x = left + 10.0 + title_width + size;
            letters.colour = &palette.texts.fault;
            let plural = if faults == 1 { "fault" } else { "faults" };
            self.write(&format!("{faults} {plural}"), Point::new(x, y), &letters, palette);
        }
        letters.align = "right";
        letters.colour = &palette.texts.dim;
        self.write(text, Point::new(right - 10.0, y), &letters, palette);
    }

    /// Sets a text off from what lies under it.
    fn halo(&self, text: &str, at: Point, letters: &Letters<'_>, palette: &Palette) {
        let c = &self.context;
        self.take_up(letters, palette);
        c.set_stroke_style_str(&palette.texts.panel);
        c.set_line_width(4.0);
        let _ = c.stroke_text(text, at.x, at.y);
    }

    fn write(&self, text: &str, at: Point, letters: &Letters<'_>, palette: &Palette) {
        self.take_up(letters, palette);
        self.context.set_fill_style_str(letters.colour);
        let _ = self.context.fill_text(text, at.x, at.y);
    }

    fn take_up(&self, letters: &Letters<'_>, palette: &Palette) {
        let (weight, size, fonts) = (letters.weight, letters.size, &palette.fonts);
        self.context.set_font(&format!("{weight} {size:.1}px {fonts}"));
        self.context.set_text_align(letters.align);
    }
}

/// A node's name and the size of its letters, as long as there is room for it.
fn name(sight: &Sight, node: Node, rect: &Rect) -> Option<(String, f64)> {
    // Even one digit needs this much.
    if rect.w < LEAST * 0.6 + 2.0 || rect.h * 0.66 < LEAST {
        return None;
    }
    let texts = |index| {
        let range = sight.grouping().members(node.row, index);
        [node.row.name(&range), numbers(&range)]
    };
    // The names of a row have one size: that of the longest in sight, which is the last, since numbers grow.
    let last = sight.nodes(node.plane, node.row).end.saturating_sub(1);
    let longest = texts(last.max(node.index));
    texts(node.index)
        .into_iter()
        .zip(longest)
        .find_map(|(text, longest)| {
            // Digits and letters of usual fonts are about so wide.
            let letters = text.chars().count().max(longest.chars().count());
            let fits = (rect.w - 2.0) / (letters as f64 * 0.6);
            let size = fits.min(rect.h * 0.66).min(13.0 * sight.magnitude());
            (size >= LEAST).then_some((text, size))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fabric::Clos;
    use view::Layout;
    use view::camera::Camera;

    /// The names of a row and the sizes of their letters.
    fn names(sight: &Sight, row: Row) -> Vec<(String, f64)> {
        sight
            .nodes(0, row)
            .filter_map(|index| {
                let node = Node { plane: 0, row, index };
                name(sight, node, &sight.node(node))
            })
            .collect()
    }

    #[test]
    fn the_names_of_a_row_have_one_size_and_one_form() {
        // Numbers of one and of two digits in the rows of T1s and NICs; small and large stages.
        let clos = Clos {
            planes: 2,
            t0s: 4,
            t1s: 12,
            nics_per_t0: 4,
            pods: 1,
            t2s: 0,
        };
        let mut seen = 0;
        for width in (300..2000).step_by(50) {
            let layout = Layout::new(clos, f64::from(width), 600.0);
            let sight = Sight::new(&layout, &Camera::home(layout.limits()));
            for row in [Row::T1, Row::T0, Row::Nic] {
                let names = names(&sight, row);
                let Some((first, size)) = names.first() else {
                    continue;
                };
                seen += 1;
                assert_eq!(
                    names.len(),
                    sight.count(row) as usize,
                    "{row:?} at {width}: all or none"
                );
                for (text, other) in &names {
                    assert_eq!(size, other, "{row:?} at {width}: {text}");
                    assert_eq!(
                        first.contains(' '),
                        text.contains(' '),
                        "{row:?} at {width}: {text}"
                    );
                }
            }
        }
        assert!(seen > 50, "{seen} rows with names");
    }
}
