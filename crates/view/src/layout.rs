//! Where everything is drawn: one panel a plane, in each panel a row of T1s, a row of T0s and a row of NICs.
//!
//! World units are CSS pixels at camera scale 1, at which the panels fill the stage exactly.

use crate::geometry::{Point, Rect, Segment};
use crate::grouping::Grouping;
use fabric::{Clos, LinkKind};

/// Space around and between panels.
const GAP: f64 = 8.0;
/// Space inside a panel's border.
const PADDING: f64 = 10.0;
/// Height of a panel's heading.
const HEADING: f64 = 20.0;
/// The share of an edge's length along which its full queue is drawn.
const QUEUE_SHARE: f64 = 0.42;
/// Width over height that a panel should have, for panels with few and with many NICs.
const ASPECT: (f64, f64) = (1.33, 2.4);

/// A row of nodes in a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// T1 switches, at the top.
    T1,
    /// T0 switches.
    T0,
    /// NICs, at the bottom.
    Nic,
}

impl Row {
    /// From top to bottom.
    pub const ALL: [Row; 3] = [Row::T1, Row::T0, Row::Nic];
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

/// Positions of all drawn elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    grouping: Grouping,
    size: (f64, f64),
    columns: u32,
    rows: u32,
    half: [(f64, f64); 3],
    lane: f64,
    lines: Vec<Segment>,
}

impl Layout {
    /// Arranges a fabric on a stage of `width` × `height`; sizes below 64 count as 64.
    pub fn new(clos: Clos, width: f64, height: f64) -> Layout {
        let grouping = Grouping::new(clos);
        let size = (width.max(64.0), height.max(64.0));
        let columns = best_columns(&clos, size);
        let mut layout = Layout {
            grouping,
            size,
            columns,
            rows: clos.planes.div_ceil(columns),
            half: [(0.0, 0.0); 3],
            lane: 0.0,
            lines: Vec::new(),
        };
        layout.half = Row::ALL.map(|row| layout.fit(row));
        let spacing = layout.spacing(Row::Nic).min(layout.spacing(Row::T0));
        layout.lane = (spacing * 0.16).clamp(0.4, 2.6 * layout.magnitude());
        layout.lines = (0..layout.shown().links())
            .map(|edge| layout.line(edge))
            .collect();
        layout
    }

    /// How the fabric is grouped.
    pub fn grouping(&self) -> &Grouping {
        &self.grouping
    }

    /// The drawn fabric.
    pub fn shown(&self) -> &Clos {
        self.grouping.shown()
    }

    /// Width and height of the stage.
    pub fn size(&self) -> (f64, f64) {
        self.size
    }

    /// Half the distance between the two directions of a cable.
    pub fn lane(&self) -> f64 {
        self.lane
    }

    /// The panel of a plane.
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

    /// Half width and half height of the nodes of a row.
    pub fn half_size(&self, row: Row) -> (f64, f64) {
        self.half[row as usize]
    }

    /// How many nodes a row has.
    pub fn count(&self, row: Row) -> u32 {
        match row {
            Row::T1 => self.shown().t1s,
            Row::T0 => self.shown().t0s,
            Row::Nic => self.shown().nics(),
        }
    }

    /// The centre of a node.
    pub fn centre(&self, node: Node) -> Point {
        let panel = self.panel(node.plane);
        let inner = panel.w - 2.0 * PADDING;
        let index = f64::from(node.index);
        let fraction = match node.row {
            Row::T1 => (index + 0.5) / f64::from(self.shown().t1s),
            Row::T0 => (index + 0.5) / f64::from(self.shown().t0s),
            // NICs of one T0 stand together, with some air to the next group.
            Row::Nic => {
                let group = self.shown().t0_of(node.index);
                let within = f64::from(node.index - group * self.shown().nics_per_t0);
                let share = (within + 0.5) / f64::from(self.shown().nics_per_t0);
                (f64::from(group) + 0.5 + (share - 0.5) * 0.86) / f64::from(self.shown().t0s)
            }
        };
        Point::new(panel.x + PADDING + inner * fraction, self.row_y(&panel, node.row))
    }

    fn row_y(&self, panel: &Rect, row: Row) -> f64 {
        let top = panel.y + HEADING * self.magnitude() + self.half[0].1 + 2.0;
        let bottom = panel.y + panel.h - PADDING - self.half[2].1;
        match row {
            Row::T1 => top,
            Row::T0 => top + (bottom - top) * 0.54,
            Row::Nic => bottom,
        }
    }

    /// The rectangle that a node fills.
    pub fn node(&self, node: Node) -> Rect {
        let (centre, half) = (self.centre(node), self.half_size(node.row));
        Rect::new(centre.x - half.0, centre.y - half.1, 2.0 * half.0, 2.0 * half.1)
    }

    /// The line along which an edge's packets move, from the sender's border to the receiver's. The two directions
    /// of a cable keep to the right of each other.
    pub fn edge(&self, edge: u32) -> Segment {
        self.lines[edge as usize]
    }

    fn line(&self, edge: u32) -> Segment {
        let (from, to) = self.ends(edge);
        let line = Segment::new(self.centre(from), self.centre(to)).shifted_right(self.lane);
        let start = line.leaves(&self.node(from));
        let end = 1.0 - line.reversed().leaves(&self.node(to));
        Segment::new(line.at(start), line.at(end.max(start)))
    }

    /// A point of the cable that an edge belongs to, between its two lanes, that is as clear of all other cables as
    /// can be: where to point at it.
    pub fn spot(&self, edge: u32) -> Point {
        let back = self.shown().reverse(edge);
        let (line, other) = (self.edge(edge), self.edge(back).reversed());
        let per_plane = self.shown().links_per_plane();
        let first = edge / per_plane * per_plane;
        let clearance = |p: Point| {
            (first..first + per_plane)
                .filter(|&e| e != edge && e != back)
                .map(|e| self.edge(e).distance(p))
                .fold(f64::INFINITY, f64::min)
        };
        (6..=26)
            .map(|step| f64::from(step) / 32.0)
            .map(|t| line.at(t).towards(other.at(t), 0.5))
            .map(|p| (clearance(p), p))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(line.at(0.5), |(_, p)| p)
    }

    /// The nodes that an edge comes from and leads to.
    pub fn ends(&self, edge: u32) -> (Node, Node) {
        let end = self.shown().describe(edge);
        let node = |row, index| Node {
            plane: end.plane,
            row,
            index,
        };
        match end.kind {
            LinkKind::NicUp => (node(Row::Nic, end.lower), node(Row::T0, end.upper)),
            LinkKind::NicDown => (node(Row::T0, end.upper), node(Row::Nic, end.lower)),
            LinkKind::Up => (node(Row::T0, end.lower), node(Row::T1, end.upper)),
            LinkKind::Down => (node(Row::T1, end.upper), node(Row::T0, end.lower)),
        }
    }

    /// Where an edge's output queue is drawn: from the sender's border along the edge, on its outer side; the whole
    /// length stands for a full queue.
    pub fn queue(&self, edge: u32) -> Segment {
        let line = self.edge(edge);
        Segment::new(line.from, line.at(QUEUE_SHARE)).shifted_right(self.lane * 1.6)
    }

    /// Distance between the nodes of a row.
    pub fn spacing(&self, row: Row) -> f64 {
        let inner = self.panel(0).w - 2.0 * PADDING;
        let squeeze = if row == Row::Nic { 0.86 } else { 1.0 };
        inner / f64::from(self.count(row)) * squeeze
    }

    /// How much larger than on a small screen things are drawn, where panels have the room: 1 to 2.2.
    pub fn magnitude(&self) -> f64 {
        (self.panel(0).h.min(self.panel(0).w) / 240.0).clamp(1.0, 2.2)
    }

    fn fit(&self, row: Row) -> (f64, f64) {
        let (spacing, height) = (self.spacing(row), self.panel(0).h);
        let (largest, tallest) = match row {
            Row::T1 | Row::T0 => (26.0 * self.magnitude(), 11.0 * self.magnitude()),
            Row::Nic => (11.0 * self.magnitude(), 9.0 * self.magnitude()),
        };
        let half_width = (spacing * 0.36).min(largest).max(0.3);
        let half_height = (height * 0.042)
            .clamp(2.0, tallest)
            .min(half_width.max(3.0) * 1.2);
        (half_width, half_height)
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
    fn nodes_lie_inside_their_panel_in_rows_from_top_to_bottom() {
        for layout in [
            layout(8, 4, 4, 4, 700.0, 470.0),
            layout(1, 8, 8, 16, 700.0, 470.0),
            layout(8, 512, 256, 256, 1240.0, 700.0),
            layout(8, 4, 4, 4, 350.0, 300.0),
        ] {
            for plane in 0..layout.shown().planes {
                let panel = layout.panel(plane);
                let mut above = panel.y;
                for row in Row::ALL {
                    let mut left = panel.x;
                    for index in 0..layout.count(row) {
                        let node = layout.node(Node { plane, row, index });
                        assert!(
                            node.x >= left && node.x + node.w <= panel.x + panel.w,
                            "{row:?} {index}"
                        );
                        assert!(
                            node.y >= above && node.y + node.h <= panel.y + panel.h,
                            "{row:?} {index}"
                        );
                        left = node.x + node.w;
                    }
                    let first = layout.node(Node { plane, row, index: 0 });
                    above = first.y + first.h;
                }
            }
        }
    }

    #[test]
    fn an_edge_runs_from_its_sender_to_its_receiver_beside_its_reverse() {
        let layout = layout(2, 3, 2, 4, 700.0, 470.0);
        let clos = *layout.shown();
        for edge in 0..clos.links() {
            let (line, back) = (layout.edge(edge), layout.edge(clos.reverse(edge)));
            let (from, to) = layout.ends(edge);
            assert_eq!((to, from), layout.ends(clos.reverse(edge)));
            for (point, node) in [(line.from, from), (line.to, to)] {
                let rect = layout.node(node);
                assert!(
                    rect.grown(1e-6).contains(point) && !rect.grown(-1e-6).contains(point),
                    "{edge}: {point:?}"
                );
            }
            let gap = Segment::new(line.from, line.to).distance(back.at(0.5));
            assert!((gap - 2.0 * layout.lane()).abs() < 1e-6, "{gap}");
        }
    }
}
