//! What part of the world the stage shows, and at which size.

use crate::geometry::{Point, Rect};

/// Largest magnification of a fabric that is drawn link by link.
pub const MAX_SCALE: f64 = 40.0;

/// How far a world may be magnified.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Largest magnification, at least 1.
    pub scale: f64,
    /// Largest magnification of heights, at least 1: beyond it only widths grow, so that the rows of a plane stay on
    /// the stage together.
    pub tall: f64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            scale: MAX_SCALE,
            tall: MAX_SCALE,
        }
    }
}

/// A view of the world: screen = world × scale + offset. At scale 1 without offset the world fills the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    scale: f64,
    offset: Point,
    limits: Limits,
}

impl Default for Camera {
    fn default() -> Camera {
        Camera::home(Limits::default())
    }
}

impl Camera {
    /// Shows everything.
    pub const fn home(limits: Limits) -> Camera {
        Camera {
            scale: 1.0,
            offset: Point::new(0.0, 0.0),
            limits,
        }
    }

    /// Magnification, 1 to the limit.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Magnification of heights.
    pub fn tall(&self) -> f64 {
        self.scale.min(self.limits.tall)
    }

    /// Where the world's origin is on the screen.
    pub fn offset(&self) -> Point {
        self.offset
    }

    /// True when everything is shown.
    pub fn is_home(&self) -> bool {
        *self == Camera::home(self.limits)
    }

    /// Back to everything.
    pub fn reset(&self) -> Camera {
        Camera::home(self.limits)
    }

    /// A point of the world on the screen.
    pub fn to_screen(&self, p: Point) -> Point {
        Point::new(
            p.x * self.scale + self.offset.x,
            p.y * self.tall() + self.offset.y,
        )
    }

    /// A point of the screen in the world.
    pub fn to_world(&self, p: Point) -> Point {
        Point::new(
            (p.x - self.offset.x) / self.scale,
            (p.y - self.offset.y) / self.tall(),
        )
    }

    /// A rectangle of the world on the screen.
    pub fn rect(&self, r: Rect) -> Rect {
        let corner = self.to_screen(Point::new(r.x, r.y));
        Rect::new(corner.x, corner.y, r.w * self.scale, r.h * self.tall())
    }

    /// The part of the world that a stage of `size` shows.
    pub fn visible(&self, size: (f64, f64)) -> Rect {
        let corner = self.to_world(Point::new(0.0, 0.0));
        Rect::new(corner.x, corner.y, size.0 / self.scale, size.1 / self.tall())
    }

    /// Magnifies by `factor` and keeps the world's point under `fixed` (on the screen) in place.
    pub fn zoomed(&self, factor: f64, fixed: Point, size: (f64, f64)) -> Camera {
        let factor = if factor.is_finite() && factor > 0.0 {
            factor
        } else {
            1.0
        };
        let world = self.to_world(fixed);
        let mut camera = Camera {
            scale: (self.scale * factor).clamp(1.0, self.limits.scale),
            ..*self
        };
        camera.offset = Point::new(
            fixed.x - world.x * camera.scale,
            fixed.y - world.y * camera.tall(),
        );
        camera.kept(size)
    }

    /// Moves the world by (dx, dy) on the screen.
    pub fn panned(&self, dx: f64, dy: f64, size: (f64, f64)) -> Camera {
        Camera {
            offset: Point::new(self.offset.x + dx, self.offset.y + dy),
            ..*self
        }
        .kept(size)
    }

    /// Shows `area` of the world as large as a stage of `size` and the limits allow.
    pub fn showing(area: Rect, size: (f64, f64), limits: Limits) -> Camera {
        let (wide, high) = (size.0 / area.w.max(1e-9), size.1 / area.h.max(1e-9));
        // Where heights grow no more, widths alone decide.
        let scale = if high >= limits.tall * (1.0 - 1e-9) {
            wide
        } else {
            wide.min(high)
        };
        let mut camera = Camera {
            scale: scale.clamp(1.0, limits.scale),
            offset: Point::default(),
            limits,
        };
        let centre = area.centre();
        camera.offset = Point::new(
            size.0 / 2.0 - centre.x * camera.scale,
            size.1 / 2.0 - centre.y * camera.tall(),
        );
        camera.kept(size)
    }

    /// The world never leaves an edge of the stage bare.
    fn kept(mut self, size: (f64, f64)) -> Camera {
        self.offset.x = self.offset.x.clamp(size.0 * (1.0 - self.scale), 0.0);
        self.offset.y = self.offset.y.clamp(size.1 * (1.0 - self.tall()), 0.0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (f64, f64) = (800.0, 600.0);

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let fixed = Point::new(300.0, 200.0);
        let camera = Camera::default()
            .zoomed(2.5, fixed, SIZE)
            .panned(-40.0, -30.0, SIZE);
        let before = camera.to_world(fixed);
        let after = camera.zoomed(1.7, fixed, SIZE).to_world(fixed);
        assert!(before.distance(after) < 1e-9);
    }

    #[test]
    fn screen_and_world_are_inverse() {
        let camera = Camera::default().zoomed(3.0, Point::new(10.0, 590.0), SIZE);
        let p = Point::new(123.0, 456.0);
        assert!(camera.to_world(camera.to_screen(p)).distance(p) < 1e-9);
    }

    #[test]
    fn the_world_always_fills_the_stage() {
        let camera = Camera::default()
            .zoomed(4.0, Point::new(0.0, 0.0), SIZE)
            .panned(1e9, -1e9, SIZE);
        let visible = camera.visible(SIZE);
        assert!(
            visible.x.abs() < 1e-9 && (visible.y + visible.h - 600.0).abs() < 1e-9,
            "{visible:?}"
        );
        assert!(camera.zoomed(1e-9, Point::new(5.0, 5.0), SIZE).is_home());
        assert_eq!(camera.zoomed(f64::NAN, Point::new(5.0, 5.0), SIZE), camera);
    }

    #[test]
    fn an_area_is_shown_whole() {
        let area = Rect::new(200.0, 100.0, 100.0, 50.0);
        let visible = Camera::showing(area, SIZE, Limits::default()).visible(SIZE);
        assert!(visible.contains(Point::new(200.0, 100.0)) && visible.contains(Point::new(300.0, 150.0)));
        assert!((visible.w - 100.0).abs() < 1e-9);
    }

    #[test]
    fn beyond_the_limit_only_widths_grow_and_what_is_visible_says_it_all() {
        let limits = Limits {
            scale: 5000.0,
            tall: 2.0,
        };
        let fixed = Point::new(300.0, 200.0);
        let mut camera = Camera::home(limits);
        for factor in [1.5, 1.3, 7.0, 20.0] {
            let before = camera.to_world(fixed);
            camera = camera.zoomed(factor, fixed, SIZE);
            assert!(before.distance(camera.to_world(fixed)) < 1e-9);
            let again = Camera::showing(camera.visible(SIZE), SIZE, limits);
            assert!((again.scale() / camera.scale() - 1.0).abs() < 1e-9);
            assert!(again.offset().distance(camera.offset()) < 1e-6);
        }
        assert_eq!(camera.tall(), 2.0);
        assert!((camera.scale() - 273.0).abs() < 1e-9);
        assert!(camera.reset().is_home());
    }
}
