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

/// The largest published fabric.
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
    ] {
        for camera in approach(&layout).into_iter().step_by(16) {
            let sight = Sight::new(&layout, &camera);
            for plane in 0..sight.shown().planes {
                let panel = sight.panel(plane).grown(1e-6);
                let mut above = panel.y;
                for row in Row::ALL {
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
    let layout = layout(2, 3, 2, 4, 700.0, 470.0);
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
    let layout = large();
    let stage = layout.size();
    for step in [1.02, 1.01] {
        let mut camera = Camera::home(layout.limits());
        let fixed = Point::new(700.0, 200.0);
        for _ in 0..400 {
            let level = Level { t1: 9, t0: 9, nic: 9 };
            let was = Sight::at(&layout, &camera, level);
            camera = camera.zoomed(step, fixed, stage);
            let is = Sight::at(&layout, &camera, level);
            for index in (0..256).step_by(15) {
                let node = Node {
                    plane: 2,
                    row: Row::T1,
                    index,
                };
                let (a, b) = (was.centre(node), is.centre(node));
                let bound = (a.x - fixed.x).abs().max(stage.0) * (step - 1.0) * 2.0 + 1.0;
                assert!((a.x - b.x).abs() < bound, "{a:?} to {b:?}");
            }
        }
    }
}
