//! From pointer events to clicks, pans and pinches. One finger or button pans, two fingers pinch.

use crate::geometry::Point;

/// How far a pointer may move, in CSS pixels, and still click.
const SLACK: f64 = 5.0;

/// What the user meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gesture {
    /// A click or tap.
    Click(Point),
    /// The pointer rests or moves here without a button.
    Hover(Point),
    /// The world is to move by (x, y).
    Pan(Point),
    /// The world is to be magnified around a point.
    Zoom {
        /// By this factor.
        factor: f64,
        /// Around this point of the screen.
        at: Point,
    },
}

#[derive(Clone, Copy, Debug)]
struct Pointer {
    id: i32,
    start: Point,
    at: Point,
}

/// The pointers that are down.
#[derive(Clone, Debug, Default)]
pub struct Gestures {
    down: Vec<Pointer>,
    // Moved too far, or was two fingers: no click any more.
    dragged: bool,
}

impl Gestures {
    /// A pointer went down. A third finger is ignored.
    pub fn down(&mut self, id: i32, at: Point) {
        if self.down.len() < 2 && !self.down.iter().any(|pointer| pointer.id == id) {
            self.dragged = !self.down.is_empty();
            self.down.push(Pointer { id, start: at, at });
        }
    }

    /// A pointer moved.
    pub fn moved(&mut self, id: i32, to: Point) -> Vec<Gesture> {
        let Some(index) = self.down.iter().position(|pointer| pointer.id == id) else {
            return if self.down.is_empty() {
                vec![Gesture::Hover(to)]
            } else {
                Vec::new()
            };
        };
        let before = self.down.clone();
        self.down[index].at = to;
        if let ([a, b], [c, d]) = (&before[..], &self.down[..]) {
            let (old, new) = (a.at.towards(b.at, 0.5), c.at.towards(d.at, 0.5));
            let factor = c.at.distance(d.at).max(1.0) / a.at.distance(b.at).max(1.0);
            return vec![
                Gesture::Pan(Point::new(new.x - old.x, new.y - old.y)),
                Gesture::Zoom { factor, at: new },
            ];
        }
        let pointer = self.down[index];
        if !self.dragged && pointer.start.distance(to) <= SLACK {
            return Vec::new();
        }
        // What was held back as a possible click is made up for.
        let from = if self.dragged {
            before[index].at
        } else {
            pointer.start
        };
        self.dragged = true;
        vec![Gesture::Pan(Point::new(to.x - from.x, to.y - from.y))]
    }

    /// A pointer was lifted.
    pub fn up(&mut self, id: i32, at: Point) -> Option<Gesture> {
        let index = self.down.iter().position(|pointer| pointer.id == id)?;
        self.down.remove(index);
        (self.down.is_empty() && !self.dragged).then_some(Gesture::Click(at))
    }

    /// The browser took a pointer away.
    pub fn cancel(&mut self, id: i32) {
        self.down.retain(|pointer| pointer.id != id);
        self.dragged = true;
    }

    /// True while the world is being moved.
    pub fn is_dragging(&self) -> bool {
        self.dragged && !self.down.is_empty()
    }
}

/// The magnification of a turn of the wheel by `delta` CSS pixels (downwards is positive, and smaller).
pub fn wheel_factor(delta: f64) -> f64 {
    2f64.powf((-delta / 300.0).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: f64, y: f64) -> Point {
        Point::new(x, y)
    }

    #[test]
    fn a_press_that_hardly_moves_is_a_click() {
        let mut g = Gestures::default();
        g.down(1, p(10.0, 10.0));
        assert_eq!(g.moved(1, p(12.0, 11.0)), []);
        assert_eq!(g.up(1, p(12.0, 11.0)), Some(Gesture::Click(p(12.0, 11.0))));
        assert_eq!(g.moved(1, p(0.0, 0.0)), [Gesture::Hover(p(0.0, 0.0))]);
    }

    #[test]
    fn a_drag_moves_by_all_of_its_way_and_does_not_click() {
        let mut g = Gestures::default();
        g.down(1, p(0.0, 0.0));
        assert_eq!(g.moved(1, p(3.0, 0.0)), []);
        assert_eq!(g.moved(1, p(8.0, 0.0)), [Gesture::Pan(p(8.0, 0.0))]);
        assert!(g.is_dragging());
        assert_eq!(g.moved(1, p(9.0, 1.0)), [Gesture::Pan(p(1.0, 1.0))]);
        assert_eq!(g.up(1, p(9.0, 1.0)), None);
        assert!(!g.is_dragging());
        g.down(1, p(0.0, 0.0));
        assert!(g.up(1, p(0.0, 0.0)).is_some(), "the next press may click again");
    }

    #[test]
    fn two_fingers_pinch_around_their_middle() {
        let mut g = Gestures::default();
        g.down(1, p(0.0, 0.0));
        g.down(2, p(10.0, 0.0));
        g.down(3, p(50.0, 50.0));
        let gestures = g.moved(2, p(20.0, 0.0));
        assert_eq!(
            gestures,
            [
                Gesture::Pan(p(5.0, 0.0)),
                Gesture::Zoom {
                    factor: 2.0,
                    at: p(10.0, 0.0)
                }
            ]
        );
        assert_eq!(g.moved(3, p(0.0, 0.0)), [], "a third finger is ignored");
        assert_eq!(g.up(1, p(0.0, 0.0)), None);
        assert_eq!(g.up(2, p(20.0, 0.0)), None, "a pinch never ends in a click");
    }

    #[test]
    fn a_pointer_taken_away_is_forgotten() {
        let mut g = Gestures::default();
        g.down(1, p(0.0, 0.0));
        g.cancel(1);
        assert_eq!(g.up(1, p(0.0, 0.0)), None);
    }

    #[test]
    fn the_wheel_is_symmetric() {
        assert!((wheel_factor(100.0) * wheel_factor(-100.0) - 1.0).abs() < 1e-12);
        assert!(wheel_factor(-100.0) > 1.0);
        assert_eq!(wheel_factor(1e9), 0.5);
    }
}
