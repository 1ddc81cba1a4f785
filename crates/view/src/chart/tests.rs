//! Pictures, readings and files of charts.

use super::*;
use proptest::prelude::*;

fn line(name: &str, shape: Shape, points: &[(f64, f64)]) -> Line {
    Line {
        name: name.into(),
        ink: "s0",
        shape,
        points: points.to_vec(),
    }
}

fn chart(lines: Vec<Line>) -> Chart {
    Chart {
        slug: "test",
        title: "Goodput".into(),
        x: Axis::new("Time", Quantity::Time),
        y: Axis::new("Goodput", Quantity::Rate),
        body: Body::Lines(lines),
        ..Chart::default()
    }
}

fn map() -> Chart {
    Chart {
        x: Axis::new("to", Quantity::Count),
        y: Axis::new("from", Quantity::Count),
        body: Body::Heat(Heat {
            rows: vec!["NIC 0".into(), "NIC 1".into()],
            columns: vec!["NIC 0".into(), "NIC 1".into(), "NIC 2, the last".into()],
            values: vec![0.0, 1e6, 1e6, 3e6, f64::NAN, 0.0],
            quantity: Quantity::Bytes,
            what: "placed".into(),
            ..Heat::default()
        }),
        ..Chart::default()
    }
}

#[test]
fn a_place_in_the_picture_leads_back_to_its_value() {
    let chart = chart(vec![line(
        "A",
        Shape::Steps,
        &[(0.0, 1e9), (1e6, 2e9), (4e6, 2e9)],
    )]);
    let drawn = Drawn::new(&chart, 400.0, 200.0);
    let (width, height) = drawn.plot();
    assert!(width > 300.0 && height > 130.0);
    assert!((drawn.x_at(drawn.place_x(1e6)) - 1e6).abs() < 1.0);
    assert_eq!(drawn.place_y(0.0), drawn.edges.top + height);
    assert_eq!(
        drawn.place_y(2e9),
        drawn.edges.top,
        "the greatest value is at the top"
    );
    let svg = drawn.svg();
    assert!(svg.starts_with("<svg class=\"chart-svg\" width=\"400\" height=\"200\""));
    assert!(
        svg.contains(">Goodput, Gb/s<") && svg.contains(">Time, µs<"),
        "{svg}"
    );
}

#[test]
fn cells_are_found_again() {
    let map = map();
    let drawn = Drawn::new(&map, 400.0, 200.0);
    for row in 0..2 {
        for column in 0..3 {
            let [x, y, width, height] = drawn.cell(row, column);
            assert_eq!(
                drawn.cell_at(x + width / 2.0, y + height / 2.0),
                Some((row, column))
            );
        }
    }
    assert_eq!(drawn.cell_at(0.0, 100.0), None);
    // The cell that has no value is not painted: two of one shade side by side are one rectangle, of six cells five are left.
    let svg = drawn.svg();
    let cells = |level: &str| {
        let path = svg
            .split(&format!("<path class=\"{level}\" d=\""))
            .nth(1)
            .unwrap();
        path.split('"').next().unwrap().matches('M').count()
    };
    assert_eq!((cells("h0"), cells("h3")), (2, 1));
}

#[test]
fn names_cannot_break_the_picture() {
    let mut evil = chart(vec![line("<script>&\"", Shape::Joined, &[(0.0, 1.0)])]);
    evil.title = "</title><script>".into();
    let whole = Drawn::new(&evil, 300.0, 200.0).whole();
    assert!(!whole.contains("<script>"));
    assert!(whole.contains("&lt;script&gt;&amp;&quot;"));
    assert!(whole.contains("xmlns=\"http://www.w3.org/2000/svg\""));
}

#[test]
fn values_are_read_where_they_hold() {
    let steps = line("A", Shape::Steps, &[(0.0, 1.0), (10.0, 2.0), (20.0, 2.0)]);
    assert_eq!(
        [0.0, 9.9, 10.0, 20.0, 20.1].map(|x| steps.at(x)),
        [Some(1.0), Some(1.0), Some(2.0), Some(2.0), None]
    );
    let joined = line("B", Shape::Joined, &[(0.0, 1.0), (10.0, f64::NAN), (20.0, 3.0)]);
    assert_eq!(
        [-5.0, 4.0, 6.0, 16.0, 99.0].map(|x| joined.at(x)),
        [Some(1.0), Some(1.0), None, Some(3.0), Some(3.0)]
    );
    assert_eq!(line("", Shape::Joined, &[]).at(1.0), None);
    let bins = line("C", Shape::Bins, &[(0.0, 7.0), (1e6, 8.0), (2e6, 8.0)]);
    assert_eq!(
        (bins.bin(0.5e6), bins.bin(2e6)),
        (Some((0.0, 1e6)), Some((1e6, 2e6)))
    );
    let read = chart(vec![bins]).read(1.5e6);
    assert_eq!((read.at.as_str(), read.values[0]), ("1 µs to 2 µs", Some(8.0)));
}

#[test]
fn a_file_says_its_units() {
    let together = chart(vec![
        line("Plane 0", Shape::Steps, &[(0.0, 100e9), (1_500_000.0, 250.5e9)]),
        line("Plane 1", Shape::Steps, &[(0.0, f64::NAN), (1_500_000.0, 0.0)]),
    ]);
    assert_eq!(
        together.csv(),
        "time_us,plane_0_gbps,plane_1_gbps\n0,100,\n1.5,250.5,0\n"
    );
    let apart = chart(vec![
        line("A", Shape::Steps, &[(0.0, 1e9)]),
        line("B, too", Shape::Steps, &[(1e6, 2e9)]),
    ]);
    assert_eq!(apart.csv(), "line,time_us,goodput_gbps\nA,0,1\n\"B, too\",1,2\n");
    let bins = chart(vec![line("", Shape::Bins, &[(0.0, 7e9), (1e6, 8e9), (2e6, 8e9)])]);
    assert_eq!(
        bins.csv(),
        "line,time_from_us,time_to_us,goodput_gbps\n,0,1,7\n,1,2,8\n"
    );
    assert_eq!(
        map().csv().lines().collect::<Vec<_>>()[..4],
        [
            "from,to,placed_bytes",
            "NIC 0,NIC 0,0",
            "NIC 0,NIC 1,1000000",
            "NIC 0,\"NIC 2, the last\",1000000"
        ]
    );
    assert!(map().csv().contains("NIC 1,NIC 1,\n"), "no value, no number");
}

#[test]
fn one_value_and_none_are_drawn_too() {
    for lines in [
        vec![],
        vec![line("A", Shape::Steps, &[])],
        vec![line("A", Shape::Joined, &[(5.0, 5.0)])],
        vec![line("A", Shape::Bins, &[(5.0, 5.0)])],
        vec![line("A", Shape::Joined, &[(f64::NAN, f64::NAN)])],
    ] {
        for log in [false, true] {
            let mut chart = chart(lines.clone());
            chart.x.log = log;
            chart.y.log = log;
            let whole = Drawn::new(&chart, 300.0, 150.0).whole();
            assert!(!whole.contains("NaN") && !whole.contains("inf"), "{whole}");
            assert!(!chart.sentence(&chart.read(5.0)).is_empty());
            assert!(chart.csv().ends_with('\n'));
        }
    }
}

#[test]
fn steps_have_gaps_at_zeros_on_a_logarithmic_axis() {
    let points = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (3.0, 100.0), (4.0, 100.0)];
    let mut chart = chart(vec![line("A", Shape::Steps, &points)]);
    chart.y.log = true;
    let drawn = Drawn::new(&chart, 300.0, 150.0);
    let [one, two, three, four] = [1.0, 2.0, 3.0, 4.0].map(|x| drawn.place_x(x));
    let (low, high) = (drawn.place_y(1.0), drawn.place_y(100.0));
    // The first step ends where the zero begins, and nothing is drawn from there to the second.
    let path = format!("d=\"M{one:.1} {low:.1}H{two:.1}M{three:.1} {high:.1}H{four:.1}\"");
    let whole = drawn.whole();
    assert!(whole.contains(&path), "{path} in {whole}");
}

proptest! {
    #[test]
    fn everything_drawn_is_inside_the_picture(values in prop::collection::vec((0.0..1e15f64, -1e15..1e15f64), 0..200), width in 160.0..2000.0f64, x_log: bool, y_log: bool) {
        let mut points = values;
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut chart = chart(vec![line("A", Shape::Joined, &points)]);
        chart.x.log = x_log;
        chart.y.log = y_log;
        let drawn = Drawn::new(&chart, width, 180.0);
        for (x, y) in points {
            let place = (drawn.place_x(x), drawn.place_y(y));
            prop_assert!(place.0 >= drawn.edges.left - 0.1 && place.0 <= width);
            prop_assert!(place.1 >= drawn.edges.top - 0.1 && place.1 <= 180.0);
        }
        prop_assert!(!drawn.whole().contains("NaN"));
    }
}
