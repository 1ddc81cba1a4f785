//! Points, rectangles and line segments in the plane; y grows downwards.

use serde::{Deserialize, Serialize};

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// The point at (x, y).
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// The point a fraction `t` of the way to `other`.
    pub fn towards(self, other: Point, t: f64) -> Point {
        Point::new(self.x + (other.x - self.x) * t, self.y + (other.y - self.y) * t)
    }

    /// Distance to `other`.
    pub fn distance(self, other: Point) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        (dx * dx + dy * dy).sqrt()
    }
}

/// A rectangle with sides along the axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width, not negative.
    pub w: f64,
    /// Height, not negative.
    pub h: f64,
}

impl Rect {
    /// The rectangle with the upper left corner (x, y).
    pub const fn new(x: f64, y: f64, w: f64, h: f64) -> Rect {
        Rect { x, y, w, h }
    }

    /// True when `p` lies inside or on the border.
    pub fn contains(&self, p: Point) -> bool {
        p.x >= self.x && p.x <= self.x + self.w && p.y >= self.y && p.y <= self.y + self.h
    }

    /// The middle.
    pub fn centre(&self) -> Point {
        Point::new(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// The rectangle with `by` more on each side.
    pub fn grown(&self, by: f64) -> Rect {
        Rect::new(self.x - by, self.y - by, self.w + 2.0 * by, self.h + 2.0 * by)
    }

    /// True when the bounding box of `s` touches this rectangle: no segment that can be seen in it is left out.
    pub fn may_show(&self, s: &Segment) -> bool {
        s.from.x.min(s.to.x) <= self.x + self.w
            && s.from.x.max(s.to.x) >= self.x
            && s.from.y.min(s.to.y) <= self.y + self.h
            && s.from.y.max(s.to.y) >= self.y
    }
}

/// A straight line from one point to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Segment {
    /// Where it begins.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
}

impl Segment {
    /// The segment between two points.
    pub const fn new(from: Point, to: Point) -> Segment {
        Segment { from, to }
    }

    /// Length.
    pub fn length(&self) -> f64 {
        self.from.distance(self.to)
    }

    /// The point a fraction `t` of the way along.
    pub fn at(&self, t: f64) -> Point {
        self.from.towards(self.to, t)
    }

    /// The same segment moved by `by` to the right of its direction (as the driver of a car on it sees it, with y
    /// downwards: clockwise). A segment without length stays.
    pub fn shifted_right(&self, by: f64) -> Segment {
        let length = self.length();
        if length == 0.0 {
            return *self;
        }
        let (dx, dy) = (
            -(self.to.y - self.from.y) / length * by,
            (self.to.x - self.from.x) / length * by,
        );
        Segment::new(
            Point::new(self.from.x + dx, self.from.y + dy),
            Point::new(self.to.x + dx, self.to.y + dy),
        )
    }

    /// The fraction of the way at which the segment leaves `rect`; 0 when it does not begin inside.
    pub fn leaves(&self, rect: &Rect) -> f64 {
        if !rect.contains(self.from) {
            return 0.0;
        }
        let side = |from: f64, to: f64, low: f64, high: f64| {
            let step = to - from;
            if step > 0.0 {
                (high - from) / step
            } else if step < 0.0 {
                (low - from) / step
            } else {
                1.0
            }
        };
        let x = side(self.from.x, self.to.x, rect.x, rect.x + rect.w);
        let y = side(self.from.y, self.to.y, rect.y, rect.y + rect.h);
        x.min(y).min(1.0)
    }

    /// The same segment in the other direction.
    pub const fn reversed(&self) -> Segment {
        Segment {
            from: self.to,
            to: self.from,
        }
    }

    /// Distance from `p` to the nearest point of the segment.
    pub fn distance(&self, p: Point) -> f64 {
        let (dx, dy) = (self.to.x - self.from.x, self.to.y - self.from.y);
        let square = dx * dx + dy * dy;
        let t = if square == 0.0 {
            0.0
        } else {
            (((p.x - self.from.x) * dx + (p.y - self.from.y) * dy) / square).clamp(0.0, 1.0)
        };
        p.distance(self.at(t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_to_a_segment_is_to_its_ends_beyond_them() {
        let s = Segment::new(Point::new(0.0, 0.0), Point::new(10.0, 0.0));
        assert_eq!(s.distance(Point::new(5.0, 3.0)), 3.0);
        assert_eq!(s.distance(Point::new(13.0, 4.0)), 5.0);
        assert_eq!(s.distance(Point::new(-3.0, -4.0)), 5.0);
        let dot = Segment::new(Point::new(1.0, 1.0), Point::new(1.0, 1.0));
        assert_eq!(dot.distance(Point::new(1.0, 2.0)), 1.0);
    }

    #[test]
    fn the_two_directions_keep_to_opposite_sides() {
        let (a, b) = (Point::new(0.0, 0.0), Point::new(0.0, 10.0));
        let there = Segment::new(a, b).shifted_right(2.0);
        let back = Segment::new(b, a).shifted_right(2.0);
        assert_eq!(
            (there.from.x, there.to.x),
            (-2.0, -2.0),
            "downwards, right is to the west"
        );
        assert_eq!((back.from.x, back.to.x), (2.0, 2.0));
    }

    #[test]
    fn a_segment_leaves_a_rectangle_at_its_border() {
        let rect = Rect::new(-2.0, -1.0, 4.0, 2.0);
        let s = Segment::new(Point::new(0.0, 0.0), Point::new(0.0, 10.0));
        assert_eq!(s.at(s.leaves(&rect)), Point::new(0.0, 1.0));
        let slanted = Segment::new(Point::new(0.0, 0.0), Point::new(-8.0, 1.0));
        assert_eq!(slanted.at(slanted.leaves(&rect)).x, -2.0);
        assert_eq!(s.reversed().leaves(&rect), 0.0, "it begins outside");
    }

    #[test]
    fn what_can_be_seen_is_never_left_out() {
        let view = Rect::new(0.0, 0.0, 10.0, 10.0);
        let across = Segment::new(Point::new(-5.0, 5.0), Point::new(15.0, 5.0));
        assert!(view.may_show(&across));
        let beside = Segment::new(Point::new(11.0, 0.0), Point::new(15.0, 10.0));
        assert!(!view.may_show(&beside));
    }
}
