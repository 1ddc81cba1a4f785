//! How the planes share the stage: one panel each, with a row of T2s if there are any, a row of T1s, a row of T0s and a row
//! of NICs inside.
//!
//! World units are CSS pixels at camera scale 1, at which the panels fill the stage exactly. Where things are on the
//! screen under a camera, [`Sight`](crate::sight::Sight) tells.

use crate::camera::{Camera, Limits};
use crate::geometry::{Point, Rect};
use crate::grouping::Grouping;
use fabric::{Clos, LinkKind};
use std::ops::Range;

/// Space around and between panels.
const GAP: f64 = 8.0;
/// Space inside a panel's border.
pub(crate) const PADDING: f64 = 10.0;
/// The share of a T0's width that its NICs fill: the rest is air to the next group.
pub(crate) const RACK: f64 = 0.86;
/// Width over height that a panel should have, for panels with few and with many NICs.
const ASPECT: (f64, f64) = (1.33, 2.4);
/// Distance between single NICs, in CSS pixels, that magnifying always leads to.
const NIC_PITCH: f64 = 5.0;
/// Distances of T0s, and of T1s and T2s, in CSS pixels, beyond which racks are looked at rather than the network between
/// them.
const RACK_PITCH: (f64, f64) = (40.0, 24.0);

/// How much of its way to the middle of the stage a panel goes in one step.
const SETTLE: f64 = 0.25;

/// A row of nodes in a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// T2 switches, at the top; empty where there are none.
    T2,
    /// T1 switches.
    T1,
    /// T0 switches.
    T0,
    /// NICs, at the bottom.
    Nic,
}

impl Row {
    /// From top to bottom.
    pub const ALL: [Row; 4] = [Row::T2, Row::T1, Row::T0, Row::Nic];

    /// Those that a fabric has, from top to bottom.
    pub fn of(clos: &Clos) -> &'static [Row] {
        &Row::ALL[usize::from(clos.t2s == 0)..]
    }

    /// How many nodes it has in each plane of a fabric.
    pub const fn count(self, clos: &Clos) -> u32 {
        match self {
            Row::T2 => clos.t2s,
            Row::T1 => clos.t1s,
            Row::T0 => clos.t0s,
            Row::Nic => clos.nics(),
        }
    }

    /// The rows of the lower and the upper ends of a kind of links.
    pub const fn joined_by(kind: LinkKind) -> (Row, Row) {
        match kind {
            LinkKind::NicUp | LinkKind::NicDown => (Row::Nic, Row::T0),
            LinkKind::Up | LinkKind::Down => (Row::T0, Row::T1),
            LinkKind::CoreUp | LinkKind::CoreDown => (Row::T1, Row::T2),
        }
    }

    /// What one of its nodes is called.
    pub const fn noun(self) -> &'static str {
        match self {
            Row::T2 => "T2",
            Row::T1 => "T1",
            Row::T0 => "T0",
            Row::Nic => "NIC",
        }
    }

    /// One of its nodes, or several with consecutive numbers, as in `T1 3` or `T1 3–7`.
    pub fn name(self, range: &Range<u32>) -> String {
        format!("{} {}", self.noun(), numbers(range))
    }
}

/// Consecutive numbers, as in `3` or `3–7`.
pub fn numbers(range: &Range<u32>) -> String {
    match range.len() {
        1 => range.start.to_string(),
        _ => format!("{}–{}", range.start, range.end - 1),
    }
}

/// A drawn node: a switch, a NIC's port in one plane, or a group of either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Plane.
    pub plane: u32,
    /// Row.
    pub row: Row,
    /// Index in the row, of the drawn fabric.
    pub index: u32,
}

/// The panels of a fabric on a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    clos: Clos,
    size: (f64, f64),
    columns: u32,
    rows: u32,
}

impl Layout {
    /// Arranges a fabric on a stage of `width` × `height`; sizes below 64 count as 64.
    pub fn new(clos: Clos, width: f64, height: f64) -> Layout {
        let size = (width.max(64.0), height.max(64.0));
        let columns = best_columns(&clos, size);
        Layout {
            clos,
            size,
            columns,
            rows: clos.planes.div_ceil(columns),
        }
    }

    /// The fabric.
    pub const fn clos(&self) -> &Clos {
        &self.clos
    }

    /// Width and height of the stage.
    pub const fn size(&self) -> (f64, f64) {
        self.size
    }

    /// The panel of a plane, in the world.
    pub fn panel(&self, plane: u32) -> Rect {
        let (w, h) = (
            (self.size.0 - GAP) / f64::from(self.columns) - GAP,
            (self.size.1 - GAP) / f64::from(self.rows) - GAP,
        );
        let (column, row) = (f64::from(plane % self.columns), f64::from(plane / self.columns));
        Rect::new(
            GAP + column * (w + GAP),
            GAP + row * (h + GAP),
            w.max(1.0),
            h.max(1.0),
        )
    }

    /// The width that a panel's rows fill, in the world.
    pub(crate) fn inner(&self) -> f64 {
        (self.panel(0).w - 2.0 * PADDING).max(1.0)
    }

    /// The magnification beyond which the stage shows racks rather than the network between them.
    pub(crate) fn rack_scale(&self) -> f64 {
        let apart = |pitch: f64, count: u32| pitch * f64::from(count) / self.inner();
        apart(RACK_PITCH.0, self.clos.t0s)
            .max(apart(RACK_PITCH.1, self.clos.t1s))
            .max(apart(RACK_PITCH.1, self.clos.t2s))
            .max(1.0)
    }

    /// The camera after it came nearer to `at` (on the screen): once panels are as tall as they get, the one looked at
    /// moves to the middle of the stage step by step.
    pub fn settled(&self, camera: &Camera, at: Point) -> Camera {
        if camera.scale() <= camera.tall() {
            return *camera;
        }
        let y = camera.to_world(at).y;
        let distance = |panel: &Rect| (panel.centre().y - y).abs();
        let rows = (0..self.rows).map(|row| self.panel(row * self.columns));
        let Some(panel) = rows.min_by(|a, b| distance(a).total_cmp(&distance(b))) else {
            return *camera;
        };
        let off = self.size.1 / 2.0 - camera.to_screen(panel.centre()).y;
        camera.panned(0.0, off * SETTLE, self.size)
    }

    /// How far the fabric may be magnified. A large one until a rack fills the stage and its NICs can be told apart;
    /// its panels never become taller than the stage.
    pub fn limits(&self) -> Limits {
        if !Grouping::is_needed(&self.clos) {
            return Limits::default();
        }
        let rack = self.inner() / f64::from(self.clos.t0s) * RACK;
        let scale = (self.size.0 / rack)
            .max(NIC_PITCH * f64::from(self.clos.nics_per_t0) / rack)
            .max(1.5 * self.rack_scale());
        Limits {
            scale,
            tall: (self.size.1 / (self.panel(0).h + 2.0 * GAP)).max(1.0),
        }
    }
}

/// The number of columns that leaves the panels largest at the shape that suits them.
fn best_columns(clos: &Clos, (width, height): (f64, f64)) -> u32 {
    let nics = f64::from(Grouping::new(*clos).shown().nics());
    let aspect = (nics / 14.0).clamp(ASPECT.0, ASPECT.1);
    let size = |columns: u32| {
        let rows = clos.planes.div_ceil(columns);
        let (w, h) = (width / f64::from(columns), height / f64::from(rows));
        let empty = columns * rows - clos.planes;
        (w / aspect).min(h) * (1.0 - 0.2 * f64::from(empty))
    };
    (1..=clos.planes)
        .max_by(|&a, &b| size(a).total_cmp(&size(b)))
        .unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(planes: u32, t0s: u32, t1s: u32, nics_per_t0: u32, width: f64, height: f64) -> Layout {
        let clos = Clos {
            planes,
            t0s,
            t1s,
            nics_per_t0,
            pods: 1,
            t2s: 0,
        };
        Layout::new(clos, width, height)
    }

    #[test]
    fn panels_do_not_overlap_and_stay_on_the_stage() {
        for (w, h) in [(700.0, 470.0), (1400.0, 700.0), (374.0, 420.0), (64.0, 64.0)] {
            let layout = layout(8, 4, 4, 4, w, h);
            let panels: Vec<Rect> = (0..8).map(|p| layout.panel(p)).collect();
            for (i, a) in panels.iter().enumerate() {
                assert!(
                    a.x >= 0.0 && a.x + a.w <= w + 1e-9 && a.y >= 0.0 && a.y + a.h <= h + 1e-9,
                    "{a:?}"
                );
                for b in &panels[..i] {
                    let apart = a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h;
                    assert!(apart, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn eight_planes_on_a_usual_screen_are_two_rows_of_four() {
        assert_eq!(layout(8, 4, 4, 4, 700.0, 470.0).columns, 4);
        assert_eq!(layout(8, 4, 4, 4, 1240.0, 700.0).columns, 4);
        assert_eq!(layout(4, 4, 4, 4, 1240.0, 530.0).columns, 2);
        assert_eq!(layout(1, 8, 8, 16, 700.0, 470.0).columns, 1);
    }

    #[test]
    fn coming_nearer_a_plane_moves_to_the_middle_of_the_stage() {
        let layout = layout(8, 512, 256, 256, 1240.0, 700.0);
        let at = Point::new(500.0, 600.0);
        let mut camera = Camera::home(layout.limits());
        assert_eq!(layout.settled(&camera, at), camera);
        for _ in 0..40 {
            camera = layout.settled(&camera.zoomed(1.15, at, layout.size()), at);
        }
        let panel = camera.rect(layout.panel(4));
        assert!((panel.centre().y - 350.0).abs() < 5.0, "{panel:?}");
        let away = camera.panned(30.0, 0.0, layout.size());
        assert!((layout.settled(&away, at).scale() - camera.scale()).abs() < 1e-9);
    }

    #[test]
    fn a_large_fabric_may_be_magnified_until_a_rack_fills_the_stage() {
        let small = layout(8, 4, 4, 4, 1240.0, 700.0).limits();
        assert_eq!(small, Limits::default());
        let limits = layout(8, 512, 256, 256, 1240.0, 700.0).limits();
        let panel = layout(8, 512, 256, 256, 1240.0, 700.0).panel(0);
        assert!((panel.h + 2.0 * GAP) * limits.tall <= 700.0 + 1e-9);
        assert!(panel.w * limits.scale / 512.0 >= 1240.0);
    }
}
