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

/// A small fabric of three tiers: two pods of two T0s and two T1s, four T2s.
fn three_tiers(width: f64, height: f64) -> Layout {
    let clos = Clos {
        planes: 2,
        t0s: 4,
        t1s: 4,
        nics_per_t0: 4,
        pods: 2,
        t2s: 4,
    };
    Layout::new(clos, width, height)
}

/// The paper's three tiers: 64 pods of 32 T0s and 32 T1s.
fn pods() -> Layout {
    let clos = Clos {
        planes: 2,
        t0s: 2048,
        t1s: 2048,
        nics_per_t0: 32,
        pods: 64,
        t2s: 1024,
    };
    Layout::new(clos, 1240.0, 700.0)
}

/// The largest published fabric of two tiers.
fn large() -> Layout {
    layout(8, 512, 256, 256, 1240.0, 700.0)
}

fn home(layout: &Layout) -> Sight {
    Sight::new(layout, &Camera::home(layout.limits()))
}

/// Cameras from afar to near, around a NIC in the middle of plane 1.
fn approach(layout: &Layout) -> Vec<Camera> {
    let size = layout.size();
    let panel = layout.panel(1);
    let fixed = Point::new(panel.x + panel.w * 0.4, panel.y + panel.h * 0.6);
    let mut cameras = vec![Camera::home(layout.limits())];
    for _ in 0..80 {
        let last = cameras[cameras.len() - 1];
        cameras.push(last.zoomed(1.12, fixed, size));
    }
    cameras
}

#[test]
fn nodes_lie_inside_their_panel_in_rows_from_top_to_bottom() {
    for layout in [
        layout(8, 4, 4, 4, 700.0, 470.0),
        layout(1, 8, 8, 16, 700.0, 470.0),
        large(),
        layout(8, 4, 4, 4, 350.0, 300.0),
        three_tiers(700.0, 470.0),
        three_tiers(350.0, 300.0),
        pods(),
    ] {
        for camera in approach(&layout).into_iter().step_by(16) {
            let sight = Sight::new(&layout, &camera);
            for plane in 0..sight.shown().planes {
                let panel = sight.panel(plane).grown(1e-6);
                let mut above = panel.y;
                for &row in Row::of(sight.shown()) {
                    let mut left = panel.x;
                    for index in 0..sight.count(row).min(3000) {
                        let node = sight.node(Node { plane, row, index });
                        assert!(node.x >= left - 1e-6, "{row:?} {index}");
                        assert!(node.x + node.w <= panel.x + panel.w, "{row:?} {index}");
                        assert!(node.y >= above, "{row:?} {index}");
                        assert!(node.y + node.h <= panel.y + panel.h, "{row:?} {index}");
                        left = node.x + node.w;
                    }
                    let first = sight.node(Node { plane, row, index: 0 });
                    above = first.y + first.h;
                }
            }
        }
    }
}

#[test]
fn an_edge_runs_from_its_sender_to_its_receiver_beside_its_reverse() {
    for layout in [layout(2, 3, 2, 4, 700.0, 470.0), three_tiers(700.0, 470.0)] {
        let sight = home(&layout);
        let clos = *sight.shown();
        for edge in 0..clos.links() {
            let (line, back) = (sight.edge(edge), sight.edge(clos.reverse(edge)));
            let (from, to) = sight.ends(edge);
            assert_eq!((to, from), sight.ends(clos.reverse(edge)));
            for (point, node) in [(line.from, from), (line.to, to)] {
                let rect = sight.node(node);
                assert!(
                    rect.grown(sight.lane() + 1e-6).contains(point),
                    "{edge}: {point:?}"
                );
                let inside = rect.grown(-sight.lane() - 1e-6);
                assert!(!inside.contains(point), "{edge}: {point:?}");
            }
            let gap = line.distance(back.at(0.5));
            assert!((gap - 2.0 * sight.lane()).abs() < 1e-6, "{gap}");
        }
    }
}

#[test]
fn a_small_fabric_is_only_moved_and_magnified() {
    let layout = layout(8, 4, 4, 4, 700.0, 470.0);
    let home = home(&layout);
    let camera = Camera::default().zoomed(5.0, Point::new(120.0, 90.0), layout.size());
    let near = Sight::new(&layout, &camera);
    for edge in (0..home.shown().links()).step_by(7) {
        let (was, is) = (home.edge(edge), near.edge(edge));
        assert!(camera.to_screen(was.from).distance(is.from) < 1e-9);
        assert!(camera.to_screen(was.to).distance(is.to) < 1e-9);
    }
    assert_eq!(home.edges().len() as u32, home.shown().links());
    assert_eq!(near.edges().len() as u32, near.shown().links());
}

#[test]
fn groups_open_step_by_step_until_single_links() {
    let layout = large();
    let mut before = home(&layout);
    assert_eq!((before.shown().t0s, before.shown().t1s), (16, 8));
    for camera in approach(&layout) {
        let sight = Sight::new(&layout, &camera);
        let (was, is) = (before.shown(), sight.shown());
        assert!(is.t0s >= was.t0s && is.nics() >= was.nics(), "{is:?}");
        assert!(
            is.t0s <= was.t0s * 4 && is.t1s <= was.t1s * 4,
            "{is:?} after {was:?}"
        );
        if sight.shown().t0s > 16 {
            assert!(sight.spacing(Row::T0) >= OPEN_PITCH, "{is:?}");
        }
        before = sight;
    }
    assert!(!before.grouping().is_grouped(), "{:?}", before.shown());
    let plane = 1;
    assert_eq!(before.nodes(plane, Row::T1), 0..256, "all T1s in front of a rack");
    let t0s = before.nodes(plane, Row::T0);
    assert!((1..=2).contains(&t0s.len()), "{t0s:?}");
}

#[test]
fn what_is_drawn_is_bounded_in_order_and_what_can_be_seen() {
    for layout in [
        large(),
        layout(8, 2048, 256, 64, 1900.0, 1000.0),
        layout(1, 2048, 2048, 2048, 1240.0, 700.0),
        layout(1, 3, 2048, 2048, 1240.0, 700.0),
        pods(),
    ] {
        for camera in approach(&layout).into_iter().step_by(8) {
            let sight = Sight::new(&layout, &camera);
            let edges = sight.edges();
            assert!(edges.len() <= MAX_EDGES, "{}", edges.len());
            assert!(!edges.is_empty());
            assert!(edges.is_sorted_by(|a, b| a < b));
            assert!(
                edges
                    .iter()
                    .all(|&edge| sight.stage().may_show(&sight.edge(edge)))
            );
        }
    }
}

#[test]
fn nothing_jumps_while_the_stage_is_magnified() {
    for (layout, rows) in [(large(), [Row::T1, Row::T0]), (pods(), [Row::T2, Row::T1])] {
        let stage = layout.size();
        for step in [1.02, 1.01] {
            let mut camera = Camera::home(layout.limits());
            let fixed = Point::new(700.0, 200.0);
            for _ in 0..400 {
                let level = Level {
                    t1: 9,
                    t0: 9,
                    nic: 9,
                    t2: 9,
                };
                let was = Sight::at(&layout, &camera, level);
                camera = camera.zoomed(step, fixed, stage);
                let is = Sight::at(&layout, &camera, level);
                for row in rows {
                    for index in (0..was.count(row)).step_by(15) {
                        let node = Node { plane: 1, row, index };
                        let (a, b) = (was.centre(node), is.centre(node));
                        let bound = (a.x - fixed.x).abs().max(stage.0) * (step - 1.0) * 2.0 + 1.0;
                        assert!((a.x - b.x).abs() < bound, "{a:?} to {b:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn of_three_tiers_every_row_opens_until_single_links() {
    let layout = pods();
    let sights: Vec<Sight> = approach(&layout)
        .iter()
        .map(|camera| Sight::new(&layout, camera))
        .collect();
    let shown = sights[0].shown();
    assert_eq!((shown.pods, shown.t2s, shown.t1s, shown.t0s), (8, 8, 8, 16));
    for pair in sights.windows(2) {
        let (was, is) = (pair[0].shown(), pair[1].shown());
        assert!(is.t0s >= was.t0s && is.nics() >= was.nics(), "{is:?}");
        assert!(is.t2s <= was.t2s * 4, "{is:?} after {was:?}");
    }
    assert!(!sights[80].grouping().is_grouped(), "{:?}", sights[80].shown());
}

#[test]
fn in_front_of_a_rack_the_t1s_of_its_pod_are_on_the_stage() {
    let layout = pods();
    let clos = *layout.clos();
    let panel = layout.panel(0);
    // T0s in the first, a middle and the last pod, at its edges and inside.
    for t0 in [0, 31, 32, 1000, 1023, 1024, 2047] {
        let x = panel.x + PADDING + layout.inner() * (f64::from(t0) + 0.5) / 2048.0;
        let rack = Rect::new(x - 0.1, panel.y, 0.2, panel.h);
        let camera = Camera::showing(rack, layout.size(), layout.limits());
        let sight = Sight::new(&layout, &camera);
        let seen = sight.nodes(0, Row::T1);
        let above = clos.t1s_above(t0);
        assert!(
            seen.start <= above.start && seen.end >= above.end,
            "{t0}: {seen:?}"
        );
        let (grouping, edges) = (sight.grouping(), sight.edges());
        for t1 in above {
            let edge = grouping.edge(clos.up(0, t0, t1));
            assert!(edges.binary_search(&edge).is_ok(), "{t0} to {t1}");
            let core = clos
                .t2s_above(t1)
                .map(|t2| grouping.edge(clos.core_up(0, t1, t2)));
            assert!(core.into_iter().any(|edge| edges.binary_search(&edge).is_ok()));
        }
    }
}
