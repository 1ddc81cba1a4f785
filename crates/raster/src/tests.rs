use super::*;
use view::geometry::{Point, Rect, Segment};
use view::marks::{dot, mark, panel};

const WHITE: Colour = 0xffff_ffff;

fn black() -> Raster {
    Raster::new(100, 80, 1.0)
}

/// The area that is white, in pixels.
fn area(raster: &Raster) -> f64 {
    let sum: u64 = raster.pixels().iter().map(|pixel| u64::from(pixel & 255)).sum();
    sum as f64 / 255.0
}

fn segment(x0: f64, y0: f64, x1: f64, y1: f64) -> Segment {
    Segment::new(Point::new(x0, y0), Point::new(x1, y1))
}

#[test]
fn a_line_covers_its_length_times_its_width() {
    for (x1, y1) in [
        (90.0, 40.0),
        (50.0, 75.0),
        (90.0, 75.0),
        (10.0, 70.0),
        (85.0, 22.0),
        (5.0, 3.0),
    ] {
        for width in [0.8, 1.0, 2.5, 3.0] {
            let line = segment(50.0, 40.0, x1, y1);
            let mut raster = black();
            raster.draw(&[mark(Shape::Line, &line, width, WHITE)]);
            let (is, should) = (area(&raster), line.length() * width);
            assert!(
                (is - should).abs() < 0.05 * should + 1.5 * width,
                "{line:?} × {width}: {is} for {should}"
            );
        }
    }
}

#[test]
fn shapes_cover_the_areas_that_they_should() {
    let at = Point::new(50.0, 40.0);
    let r = 12.0;
    for (shape, should) in [
        (Shape::Disc, std::f64::consts::PI * r * r),
        (Shape::Diamond, 2.0 * r * r),
        (Shape::Triangle, 3.0 * 3f64.sqrt() / 4.0 * r * r),
        (Shape::Play, 3.0 * 3f64.sqrt() / 4.0 * r * r),
        // Two bars, each 0.82 - 0.22 wide and 2 high; two triangles of base 2 and height 1.
        (Shape::Bars, 2.0 * 0.6 * 2.0 * r * r),
        (Shape::Hourglass, 2.0 * r * r),
        // Four arms, each as long as 1 - 0.36 and 0.72 wide, and their middle.
        (Shape::Plus, (4.0 * 0.64 * 0.72 + 0.72 * 0.72) * r * r),
    ] {
        let mut raster = black();
        raster.draw(&[dot(shape, at, r, WHITE)]);
        let is = area(&raster);
        assert!(
            (is - should).abs() < 0.03 * should,
            "{shape:?}: {is} for {should}"
        );
    }
    let mut raster = black();
    raster.draw(&[panel(&Rect::new(10.0, 10.0, 60.0, 40.0), 8.0, WHITE)]);
    let should = 2400.0 - (4.0 - std::f64::consts::PI) * 64.0;
    assert!((area(&raster) - should).abs() < 8.0);
}

#[test]
fn panels_cover_their_area_whatever_their_corners_and_wherever_they_begin() {
    for radius in [0.0, 0.3, 1.5, 4.0] {
        let mut raster = black();
        raster.draw(&[panel(&Rect::new(10.3, 12.6, 30.4, 9.2), radius, WHITE)]);
        let should = 30.4 * 9.2 - (4.0 - std::f64::consts::PI) * radius * radius;
        let is = area(&raster);
        assert!((is - should).abs() < 1.5, "{radius}: {is} for {should}");
    }
}

#[test]
fn capsules_cover_a_line_and_two_half_discs_in_any_direction() {
    let ends = [
        (60.0, 50.0),
        (31.0, 60.0),
        (65.0, 30.0),
        (30.0, 70.5),
        (12.0, 14.0),
        (31.0, 31.0),
        (30.0, 33.0),
        (30.0, 30.0),
    ];
    for (x, y) in ends {
        for width in [5.0, 10.0] {
            let line = segment(30.0, 30.0, x, y);
            let mut raster = black();
            raster.draw(&[mark(Shape::Capsule, &line, width, WHITE)]);
            let (is, should) = (
                area(&raster),
                line.length() * width + std::f64::consts::PI * width * width / 4.0,
            );
            assert!(
                (is - should).abs() < 0.02 * should + 0.4 * width,
                "{line:?} × {width}: {is} for {should}"
            );
        }
    }
    // The pixel beside the end's middle is covered, the one at the corner of a square end is not.
    let mut raster = black();
    raster.draw(&[mark(
        Shape::Capsule,
        &segment(30.0, 30.0, 60.0, 30.0),
        10.0,
        WHITE,
    )]);
    assert_eq!(raster.pixels()[30 * 100 + 63] & 255, 255);
    assert_eq!(raster.pixels()[25 * 100 + 64] & 255, 0);
}

#[test]
fn outlines_are_hollow_and_dashes_have_gaps() {
    for shape in [Shape::Ring, Shape::Frame] {
        let mut raster = black();
        raster.draw(&[dot(shape, Point::new(50.5, 40.5), 12.0, WHITE)]);
        assert!(area(&raster) > 50.0);
        assert_eq!(raster.pixels()[40 * 100 + 50] & 255, 0, "{shape:?}");
    }
    let mut raster = black();
    raster.draw(&[dot(Shape::Cross, Point::new(50.5, 40.5), 12.0, WHITE)]);
    assert_eq!(raster.pixels()[40 * 100 + 50] & 255, 255);
    assert_eq!(raster.pixels()[40 * 100 + 59] & 255, 0, "between the strokes");
    for (shape, (on, off)) in [(Shape::Dashed, DASH), (Shape::Dotted, DOT)] {
        let mut raster = black();
        raster.draw(&[mark(shape, &segment(2.0, 40.0, 98.0, 40.0), 2.0, WHITE)]);
        let should = 192.0 * f64::from(on / (on + off));
        assert!(
            (area(&raster) - should).abs() < 12.0,
            "{shape:?}: {}",
            area(&raster)
        );
    }
}

#[test]
fn lines_of_a_crowd_are_one_pixel_wide() {
    let line = mark(Shape::Line, &segment(10.0, 10.0, 90.0, 70.0), 1.5, WHITE);
    let mut raster = black();
    raster.draw_part(&[line], CROWD);
    let touched = raster.pixels().iter().filter(|pixel| *pixel & 255 > 0).count();
    assert_eq!(touched, 80, "one pixel for each of its columns");
    raster.draw(&[line]);
    assert!(area(&raster) > 130.0);
}

#[test]
fn opacity_mixes_with_what_is_below() {
    let mut raster = black();
    raster.clear(0x0020_4060);
    raster.draw(&[panel(&Rect::new(0.0, 0.0, 100.0, 80.0), 0.0, 0x80ff_ffff)]);
    let pixel = raster.pixels()[40 * 100 + 50].to_le_bytes();
    for (is, should) in pixel.into_iter().zip([0xb0u8, 0xa0, 0x90, 0xff]) {
        assert!(is.abs_diff(should) <= 1, "{pixel:x?}");
    }
}

#[test]
fn the_ratio_magnifies() {
    let mut raster = Raster::new(200, 160, 2.0);
    raster.draw(&[dot(Shape::Disc, Point::new(50.0, 40.0), 10.0, WHITE)]);
    assert_eq!(raster.pixels()[80 * 200 + 100], WHITE);
    assert!((area(&raster) - std::f64::consts::PI * 400.0).abs() < 30.0);
}

#[test]
fn whatever_lies_outside_or_makes_no_sense_is_left_out() {
    let odd = [
        -1e30,
        -1e7,
        -50.0,
        0.0,
        0.49999,
        40.0,
        99.99999,
        100.0,
        1e7,
        1e30,
        f64::NAN,
        f64::INFINITY,
    ];
    let mut raster = black();
    for &x0 in &odd {
        for &y0 in &odd {
            for (&x1, &y1) in odd.iter().zip(odd.iter().rev()) {
                for shape in Shape::ALL {
                    raster.draw(&[mark(shape, &segment(x0, y0, x1, y1), 7.0, WHITE)]);
                }
            }
        }
    }
    raster.draw(&[[0, 0, 0, 0, WHITE, 255 << 16]]);
    assert!(raster.pixels().iter().all(|pixel| pixel >> 24 == 255));
    let mut raster = black();
    raster.draw(&[mark(Shape::Line, &segment(-500.0, 40.5, 600.0, 40.5), 1.0, WHITE)]);
    assert!(
        (area(&raster) - 100.0).abs() < 1.0,
        "the part inside is drawn whole"
    );
    Raster::new(0, 0, 1.0).draw(&[dot(Shape::Disc, Point::new(0.0, 0.0), 5.0, WHITE)]);
}
