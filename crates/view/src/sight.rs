//! Where everything is on the screen under a camera, and what of it can be seen.
//!
//! Coordinates are CSS pixels from the stage's upper left corner. A small fabric is drawn link by link and only
//! moved and magnified. A large one is drawn in groups, which open as the stage is magnified ([`Level`]): planes, then
//! groups of switches, then racks, then single links. Its panels become wider, but never taller than the stage, so that
//! a T1, a T0 and its NICs can be seen together. Once T0s stand far apart, the topmost row shrinks again until all of it
//! is on the stage: each T0 has a link to every T1, and in front of a rack these are what matters. Below T2s, the row of
//! T1s shrinks until those of a pod are.

use crate::camera::Camera;
use crate::geometry::{Point, Rect, Segment};
use crate::grouping::{Grouping, Level};
use crate::layout::{Layout, Node, PADDING, RACK, Row};
use fabric::Clos;
use std::ops::Range;

/// Height of a panel's heading.
const HEADING: f64 = 20.0;
/// How far down each row is, as a share of the way from the top one to the NICs, without T2s and with.
const DEPTHS: [f64; 4] = [0.0, 0.0, 0.54, 1.0];
const DEPTHS_BELOW_T2S: [f64; 4] = [0.0, 0.36, 0.7, 1.0];
/// The share of an edge's length along which its full queue is drawn.
const QUEUE_SHARE: f64 = 0.42;
/// Groups of switches open when their parts are at least so far apart.
const OPEN_PITCH: f64 = 12.0;
/// The same for T1s in front of a rack, where few T0s are in sight.
const OPEN_PITCH_AT_RACK: f64 = 4.0;
/// The same for groups of NICs.
const OPEN_PITCH_NIC: f64 = 4.0;
/// Nothing opens below this magnification: the stage as a whole has a look of its own.
const OPEN_SCALE: f64 = 1.25;
/// Edges that are drawn at most; groups stay closed where there would be more.
pub const MAX_EDGES: usize = 100_000;
/// A cable's clearest point is looked for among at most so many others.
const MAX_CROWD: usize = 8192;

/// The rows of one panel, in local units.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Panel {
    rect: Rect,
    // By row: where it begins, how wide it is, and the height of its centres.
    rows: [(f64, f64, f64); 4],
}

/// A fabric as it is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    layout: Layout,
    camera: Camera,
    grouping: Grouping,
    // From local units to the screen: the camera for small fabrics, nothing for large ones.
    zoom: f64,
    shift: Point,
    half: [(f64, f64); 4],
    lane: f64,
    magnitude: f64,
    panels: Vec<Panel>,
    // Where in their rows the T2s, the T1s and the T0s are, 0 to 1.
    shares: [Vec<f64>; 3],
}

impl Sight {
    /// A fabric under a camera, with groups opened as suits it.
    pub fn new(layout: &Layout, camera: &Camera) -> Sight {
        let mut level = best_level(layout, camera);
        loop {
            let sight = Sight::at(layout, camera, level);
            if (level.t2, level.t1, level.t0) == (0, 0, 0) || sight.edges().len() <= MAX_EDGES {
                return sight;
            }
            // T0s matter more: racks hang on them.
            if level.t2 > 0 {
                level.t2 -= 1;
            } else if level.t1 > 0 {
                level.t1 -= 1;
            } else {
                level.t0 -= 1;
            }
        }
    }

    /// A fabric under a camera, with groups opened as `level` says.
    pub fn at(layout: &Layout, camera: &Camera, level: Level) -> Sight {
        let clos = *layout.clos();
        let grouping = Grouping::at(clos, level);
        let large = Grouping::is_needed(&clos);
        let (zoom, shift) = if large {
            (1.0, Point::default())
        } else {
            (camera.scale(), camera.offset())
        };
        let local = |plane: u32| {
            let rect = layout.panel(plane);
            if large { camera.rect(rect) } else { rect }
        };
        let panel = local(0);
        // Letters and switches of a large fabric keep their size; it is their number that grows.
        let whole = layout.panel(0);
        let magnitude = (whole.h.min(whole.w) / 240.0).clamp(1.0, 2.2);
        let widths = Row::ALL.map(|row| {
            layout.inner()
                * if large {
                    row_scale(layout, camera, row)
                } else {
                    1.0
                }
        });
        let mut sight = Sight {
            layout: *layout,
            camera: *camera,
            grouping,
            zoom,
            shift,
            half: [(0.0, 0.0); 4],
            lane: 0.0,
            magnitude,
            panels: Vec::new(),
            shares: [const { Vec::new() }; 3],
        };
        // In the middle of their members.
        let middle = |range: Range<u32>, of: u32| {
            (f64::from(range.start) + f64::from(range.end)) / 2.0 / f64::from(of)
        };
        sight.shares = [Row::T2, Row::T1, Row::T0].map(|row| {
            (0..sight.count(row))
                .map(|node| middle(grouping.members(row, node), row.count(&clos)))
                .collect()
        });
        let spacing = Row::ALL.map(|row| {
            let squeeze = if row == Row::Nic { RACK } else { 1.0 };
            widths[row as usize] / f64::from(sight.count(row)) * squeeze
        });
        sight.half = Row::ALL.map(|row| fit(row, spacing[row as usize], panel.h, magnitude));
        let narrow = spacing[Row::Nic as usize].min(spacing[Row::T0 as usize]);
        sight.lane = (narrow * 0.16).clamp(0.4, 2.6 * magnitude);
        sight.panels = (0..clos.planes)
            .map(|plane| {
                let rect = local(plane);
                let first = Row::of(&clos)[0];
                let top = rect.y + HEADING * magnitude + sight.half[first as usize].1 + 2.0;
                let bottom = rect.y + rect.h - PADDING - sight.half[Row::Nic as usize].1;
                let depths = if clos.t2s > 0 { DEPTHS_BELOW_T2S } else { DEPTHS };
                let edge = rect.x + PADDING * if large { camera.scale() } else { 1.0 };
                let full = widths[Row::Nic as usize];
                Panel {
                    rect,
                    rows: Row::ALL.map(|row| {
                        let width = widths[row as usize];
                        let start = if width >= full {
                            edge
                        } else if row == Row::T1 && clos.pods > 1 {
                            gathered(edge, full, width, layout.size().0)
                        } else {
                            shrunk(edge, full, width, layout.size().0)
                        };
                        (start, width, top + (bottom - top) * depths[row as usize])
                    }),
                }
            })
            .collect();
        sight
    }

    /// The panels.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The camera.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// How the fabric is grouped.
    pub fn grouping(&self) -> &Grouping {
        &self.grouping
    }

    /// The drawn fabric.
    pub fn shown(&self) -> &Clos {
        self.grouping.shown()
    }

    /// The stage.
    pub fn stage(&self) -> Rect {
        let (w, h) = self.layout.size();
        Rect::new(0.0, 0.0, w, h)
    }

    /// Half the distance between the two directions of a cable.
    pub fn lane(&self) -> f64 {
        self.lane * self.zoom
    }

    /// How much larger than on a small screen things are drawn, where panels have the room: 1 to 2.2.
    pub fn magnitude(&self) -> f64 {
        self.magnitude
    }

    /// The panel of a plane.
    pub fn panel(&self, plane: u32) -> Rect {
        let rect = self.panels[plane as usize].rect;
        let corner = self.to_screen(Point::new(rect.x, rect.y));
        Rect::new(corner.x, corner.y, rect.w * self.zoom, rect.h * self.zoom)
    }

    /// How many nodes a row has in each plane.
    pub fn count(&self, row: Row) -> u32 {
        row.count(self.shown())
    }

    /// Distance between the nodes of a row.
    pub fn spacing(&self, row: Row) -> f64 {
        let squeeze = if row == Row::Nic { RACK } else { 1.0 };
        self.panels[0].rows[row as usize].1 / f64::from(self.count(row)) * squeeze * self.zoom
    }

    /// Half width and half height of the nodes of a row.
    pub fn half_size(&self, row: Row) -> (f64, f64) {
        let (w, h) = self.half[row as usize];
        (w * self.zoom, h * self.zoom)
    }

    /// The centre of a node.
    pub fn centre(&self, node: Node) -> Point {
        self.to_screen(self.local(node))
    }

    /// The rectangle that a node fills.
    pub fn node(&self, node: Node) -> Rect {
        let (centre, half) = (self.centre(node), self.half_size(node.row));
        Rect::new(centre.x - half.0, centre.y - half.1, 2.0 * half.0, 2.0 * half.1)
    }

    fn to_screen(&self, p: Point) -> Point {
        Point::new(p.x * self.zoom + self.shift.x, p.y * self.zoom + self.shift.y)
    }

    fn local(&self, node: Node) -> Point {
        let (start, width, y) = self.panels[node.plane as usize].rows[node.row as usize];
        Point::new(start + width * self.share(node.row, node.index), y)
    }

    /// Where in its row a node is, 0 to 1.
    fn share(&self, row: Row, index: u32) -> f64 {
        match row {
            Row::T2 | Row::T1 | Row::T0 => self.shares[row as usize][index as usize],
            // NICs of one T0 stand together, with some air to the next group.
            Row::Nic => {
                let groups = self.shown().nics_per_t0;
                let t0 = self.shown().t0_of(index);
                let middle = self.shares[Row::T0 as usize][t0 as usize];
                if groups == 1 {
                    return middle;
                }
                // There is more than one group only where each T0 stands alone.
                let within = (f64::from(index - t0 * groups) + 0.5) / f64::from(groups);
                let width = RACK / f64::from(self.grouping.real().t0s);
                middle + (within - 0.5) * width
            }
        }
    }

    /// The nodes that an edge comes from and leads to.
    pub fn ends(&self, edge: u32) -> (Node, Node) {
        let end = self.shown().describe(edge);
        let node = |row, index| Node {
            plane: end.plane,
            row,
            index,
        };
        let (lower, upper) = Row::joined_by(end.kind);
        let (lower, upper) = (node(lower, end.lower), node(upper, end.upper));
        if end.kind.is_upward() {
            (lower, upper)
        } else {
            (upper, lower)
        }
    }

    /// The line along which an edge's packets move, from the sender's border to the receiver's. The two directions of a
    /// cable keep to the right of each other.
    pub fn edge(&self, edge: u32) -> Segment {
        let (from, to) = self.ends(edge);
        let (a, b) = (self.local(from), self.local(to));
        let (half_a, half_b) = (self.half[from.row as usize].1, self.half[to.row as usize].1);
        let down = (b.y - a.y).signum();
        let line = Segment::new(
            Point::new(a.x, a.y + down * half_a),
            Point::new(b.x, b.y - down * half_b),
        )
        .shifted_right(self.lane);
        Segment::new(self.to_screen(line.from), self.to_screen(line.to))
    }

    /// Where an edge's output queue is drawn: from the sender's border along the edge, on its outer side; the whole
    /// length stands for a full queue.
    pub fn queue(&self, edge: u32) -> Segment {
        let line = self.edge(edge);
        Segment::new(line.from, line.at(QUEUE_SHARE)).shifted_right(self.lane() * 1.6)
    }

    /// A point of the cable that an edge belongs to, between its two lanes, that is as clear of all other cables as can
    /// be and on the stage: where to point at it.
    pub fn spot(&self, edge: u32) -> Point {
        let back = self.shown().reverse(edge);
        let (line, other) = (self.edge(edge), self.edge(back).reversed());
        let middle = |t: f64| line.at(t).towards(other.at(t), 0.5);
        let stage = self.stage();
        let steps = || (6..=26).map(|step| middle(f64::from(step) / 32.0));
        let plane = self.shown().describe(edge).plane;
        let per_plane = self.shown().links_per_plane();
        if per_plane as usize > MAX_CROWD {
            return steps().find(|&p| stage.contains(p)).unwrap_or(middle(0.3));
        }
        let crowd: Vec<Segment> = (plane * per_plane..(plane + 1) * per_plane)
            .filter(|&e| e != edge && e != back)
            .map(|e| self.edge(e))
            .collect();
        let clearance = |p: Point| {
            crowd
                .iter()
                .map(|line| line.distance(p))
                .fold(f64::INFINITY, f64::min)
        };
        steps()
            .map(|p| (clearance(p), p))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(line.at(0.5), |(_, p)| p)
    }

    /// The nodes of a row that are on the stage, left and right.
    pub fn nodes(&self, plane: u32, row: Row) -> Range<u32> {
        let half = self.half_size(row).0;
        let (left, right) = (-half, self.layout.size().0 + half);
        let x = |index| self.centre(Node { plane, row, index }).x;
        let first = partition(self.count(row), |index| x(index) < left);
        let end = partition(self.count(row), |index| x(index) <= right);
        first..end.max(first)
    }

    /// True when a plane's panel is on the stage.
    pub fn sees(&self, plane: u32) -> bool {
        let (panel, stage) = (self.panel(plane), self.stage());
        panel.x < stage.w && panel.x + panel.w > 0.0 && panel.y < stage.h && panel.y + panel.h > 0.0
    }

    /// The edges that are drawn, in ascending order. Of a small fabric all of them; of a large one those that can be
    /// seen and have an end on the stage: what only passes by would hide the rest. In front of racks, which all T1s
    /// gather around, it must be the end at the T0.
    pub fn edges(&self) -> Vec<u32> {
        let shown = *self.shown();
        if !Grouping::is_needed(self.grouping.real()) {
            return (0..shown.links()).collect();
        }
        let (stage, mut edges) = (self.stage(), Vec::new());
        for plane in (0..shown.planes).filter(|&plane| self.sees(plane)) {
            let t0s = self.nodes(plane, Row::T0);
            let t1s = if self.camera.scale() > self.layout.rack_scale() {
                0..0
            } else {
                self.nodes(plane, Row::T1)
            };
            // A rack is wider than its T0: the neighbours' NICs may be in sight.
            let racks = t0s.start.saturating_sub(1)..(t0s.end + 1).min(shown.t0s);
            let nics = racks.start * shown.nics_per_t0..racks.end * shown.nics_per_t0;
            let mut add = |edge: u32| {
                if stage.may_show(&self.edge(edge)) {
                    edges.push(edge);
                }
            };
            nics.clone().for_each(|nic| add(shown.nic_up(plane, nic)));
            nics.for_each(|nic| add(shown.nic_down(plane, nic)));
            for t0 in 0..shown.t0s {
                let above = shown.t1s_above(t0);
                let all = t0s.contains(&t0);
                let range = if all { above } else { common(&above, &t1s) };
                range.for_each(|t1| add(shown.up(plane, t0, t1)));
            }
            for t1 in 0..shown.t1s {
                let below = shown.t0s_below(t1);
                let all = t1s.contains(&t1);
                let range = if all { below } else { common(&below, &t0s) };
                range.for_each(|t0| add(shown.down(plane, t1, t0)));
            }
            if shown.t2s > 0 {
                self.core_edges(plane, &t0s, &mut add);
            }
        }
        edges
    }

    /// The edges between T1s and T2s that are drawn in a plane, in ascending order: those with an end on the stage. In
    /// front of racks, it must be a T1 of their pods.
    fn core_edges(&self, plane: u32, t0s: &Range<u32>, add: &mut impl FnMut(u32)) {
        let shown = self.shown();
        let (mut t1s, mut t2s) = (self.nodes(plane, Row::T1), self.nodes(plane, Row::T2));
        if self.camera.scale() > self.layout.rack_scale() {
            let first = shown.t1s_above(t0s.start.min(shown.t0s - 1));
            let last = shown.t1s_above(t0s.end.saturating_sub(1));
            t1s = common(&t1s, &(first.start..last.end));
            t2s = 0..0;
        }
        for t1 in 0..shown.t1s {
            let above = shown.t2s_above(t1);
            let all = t1s.contains(&t1);
            let range = if all { above } else { common(&above, &t2s) };
            range.for_each(|t2| add(shown.core_up(plane, t1, t2)));
        }
        for t2 in 0..shown.t2s {
            let all = t2s.contains(&t2);
            let below = shown.t1s_below(t2).filter(|t1| all || t1s.contains(t1));
            below.for_each(|t1| add(shown.core_down(plane, t2, t1)));
        }
    }
}

/// The magnification of a row of a large fabric.
fn row_scale(layout: &Layout, camera: &Camera, row: Row) -> f64 {
    let (scale, begins) = (camera.scale(), layout.rack_scale());
    if matches!(row, Row::T0 | Row::Nic) || scale <= begins {
        return scale;
    }
    let clos = layout.clos();
    // What is to be on the stage in front of a rack: all T2s; all T1s, or those of two pods, of which one is in the middle.
    let wide = match row {
        Row::T1 => (f64::from(clos.pods) / 2.0).max(1.0),
        _ => 1.0,
    };
    let ends = (layout.size().0 * wide / layout.inner())
        .max(OPEN_PITCH_AT_RACK * 1.01 * f64::from(row.count(clos)) / layout.inner())
        .max(1.0);
    if ends >= begins {
        return scale.min(ends);
    }
    begins * (ends / begins).powf(nearness(layout, scale))
}

/// How near a rack is: 0 where the network fills the stage, 1 where the rack does.
fn nearness(layout: &Layout, scale: f64) -> f64 {
    let begins = layout.rack_scale();
    ((scale / begins).ln() / (layout.limits().scale / begins).ln()).clamp(0.0, 1.0)
}

/// Where a row begins that has become narrower than its panel: as far through it as the panel is moved through the
/// stage, and never outside of the panel.
fn shrunk(edge: f64, full: f64, width: f64, stage: f64) -> f64 {
    let moved = -edge / (full - stage).max(1.0);
    let start = -moved * (width - stage);
    start.clamp(edge, edge + full - width)
}

/// Where a row begins that has become narrower than its panel, and of which the middle of the stage shows what is below it;
/// never outside of the panel.
fn gathered(edge: f64, full: f64, width: f64, stage: f64) -> f64 {
    let middle = (stage / 2.0 - edge) / full;
    (stage / 2.0 - middle * width).clamp(edge, edge + full - width)
}

/// What is in both ranges.
fn common(a: &Range<u32>, b: &Range<u32>) -> Range<u32> {
    a.start.max(b.start)..a.end.min(b.end)
}

/// The finest level at which the parts of groups are far enough apart.
fn best_level(layout: &Layout, camera: &Camera) -> Level {
    let clos = layout.clos();
    if !Grouping::is_needed(clos) || camera.scale() < OPEN_SCALE {
        return Level::default();
    }
    let width = |row| layout.inner() * row_scale(layout, camera, row);
    let finest = |row: Row, least: f64, level_of: &dyn Fn(u8) -> Level| {
        let count = |level: u8| row.count(Grouping::at(*clos, level_of(level)).shown());
        let fits = |level: &u8| width(row) / f64::from(count(*level)) >= least;
        let finest = (0..20).rev().find(fits).unwrap_or(0);
        // Of those that open as many groups, the lowest.
        (0..finest)
            .find(|&level| count(level) == count(finest))
            .unwrap_or(finest)
    };
    let near = nearness(layout, camera.scale());
    let pitch = OPEN_PITCH + (OPEN_PITCH_AT_RACK - OPEN_PITCH) * near;
    let mut level = Level::default();
    // Below T2s, T1s come first: the others are divided no further than into their pods.
    level.t1 = finest(Row::T1, pitch, &|t1| Level { t1, ..level });
    level.t2 = finest(Row::T2, pitch, &|t2| Level { t2, ..level });
    level.t0 = finest(Row::T0, OPEN_PITCH, &|t0| Level { t0, ..level });
    level.nic = finest(Row::Nic, OPEN_PITCH_NIC / RACK, &|nic| Level { nic, ..level });
    level
}

/// Half width and half height of the nodes of a row, `spacing` apart in a panel of `height`.
fn fit(row: Row, spacing: f64, height: f64, magnitude: f64) -> (f64, f64) {
    let (largest, tallest) = match row {
        Row::T2 | Row::T1 | Row::T0 => (26.0 * magnitude, 11.0 * magnitude),
        Row::Nic => (11.0 * magnitude, 9.0 * magnitude),
    };
    let half_width = (spacing * 0.36).min(largest).max(0.3);
    let half_height = (height * 0.042)
        .clamp(2.0, tallest)
        .min(half_width.max(3.0) * 1.2);
    (half_width, half_height)
}

/// How many of the numbers below `count` come before the first of which `before` is not true.
fn partition(count: u32, before: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests;
