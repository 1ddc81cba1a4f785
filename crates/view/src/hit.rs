//! What lies under the pointer.

use crate::geometry::Point;
use crate::layout::{Layout, Node, Row};

/// A drawn element under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// A node.
    Node(Node),
    /// A cable, named by the edge nearest to the pointer.
    Cable(u32),
}

/// The element nearest to `at` (in the world), at most `reach` away from it; nodes come before cables.
pub fn element(layout: &Layout, at: Point, reach: f64) -> Option<Hit> {
    node(layout, at, reach)
        .map(Hit::Node)
        .or_else(|| cable(layout, at, reach).map(Hit::Cable))
}

/// The node at `at`, or at most `reach` away from it.
pub fn node(layout: &Layout, at: Point, reach: f64) -> Option<Node> {
    let plane = plane(layout, at)?;
    for row in Row::ALL {
        let half = layout.half_size(row);
        // Nodes that are small on the screen get a larger target, but not one that swallows their neighbours.
        let extra = reach.min(layout.spacing(row) / 2.0 - half.0).max(0.0);
        for index in nearest(layout, plane, row, at) {
            let node = Node { plane, row, index };
            let centre = layout.centre(node);
            if (at.x - centre.x).abs() <= half.0 + extra && (at.y - centre.y).abs() <= half.1 + reach {
                return Some(node);
            }
        }
    }
    None
}

/// The edge nearest to `at`, at most `reach` away from it.
fn cable(layout: &Layout, at: Point, reach: f64) -> Option<u32> {
    let plane = plane(layout, at)?;
    let per_plane = layout.shown().links_per_plane();
    let mut best: Option<(f64, u32)> = None;
    for edge in plane * per_plane..(plane + 1) * per_plane {
        let distance = layout.edge(edge).distance(at);
        if distance <= reach && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, edge));
        }
    }
    best.map(|(_, edge)| edge)
}

fn plane(layout: &Layout, at: Point) -> Option<u32> {
    (0..layout.shown().planes).find(|&plane| layout.panel(plane).contains(at))
}

/// The indices of a row's nodes that may be under `at`.
fn nearest(layout: &Layout, plane: u32, row: Row, at: Point) -> impl Iterator<Item = u32> {
    let count = layout.count(row);
    let x = |index: u32| layout.centre(Node { plane, row, index }).x;
    // Positions grow with the index.
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high) / 2;
        if x(middle) < at.x {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let (after, before) = (low, low.wrapping_sub(1));
    let before_is_nearer = before < count && (after >= count || at.x - x(before) <= x(after) - at.x);
    let order = if before_is_nearer {
        [before, after]
    } else {
        [after, before]
    };
    order.into_iter().filter(move |&index| index < count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fabric::Clos;

    fn layout() -> Layout {
        let clos = Clos {
            planes: 3,
            t0s: 4,
            t1s: 3,
            nics_per_t0: 5,
        };
        Layout::new(clos, 900.0, 600.0)
    }

    #[test]
    fn each_node_is_hit_at_its_centre() {
        let layout = layout();
        for plane in 0..3 {
            for row in Row::ALL {
                for index in 0..layout.count(row) {
                    let node = Node { plane, row, index };
                    assert_eq!(element(&layout, layout.centre(node), 5.0), Some(Hit::Node(node)));
                }
            }
        }
    }

    #[test]
    fn each_edge_is_hit_where_it_is_alone() {
        let layout = layout();
        let shown = *layout.shown();
        for edge in 0..shown.links() {
            let segment = layout.edge(edge);
            let clear = (20..=80)
                .map(|percent| segment.at(f64::from(percent) / 100.0))
                .find(|&p| {
                    (0..shown.links()).all(|other| other == edge || layout.edge(other).distance(p) > 0.5)
                });
            let p = clear.expect("some point of the edge is clear of all others");
            assert_eq!(element(&layout, p, 5.0), Some(Hit::Cable(edge)), "edge {edge}");
        }
    }

    #[test]
    fn each_cable_is_hit_at_its_spot() {
        for clos in [(8, 4, 4, 4), (1, 8, 8, 16), (2, 3, 5, 7)] {
            let (planes, t0s, t1s, nics_per_t0) = clos;
            let clos = Clos {
                planes,
                t0s,
                t1s,
                nics_per_t0,
            };
            let layout = Layout::new(clos, 684.0, 373.0);
            for edge in 0..layout.shown().links() {
                let hit = element(&layout, layout.spot(edge), 7.0);
                let cable = [edge, layout.shown().reverse(edge)];
                assert!(
                    matches!(hit, Some(Hit::Cable(e)) if cable.contains(&e)),
                    "{clos:?} {edge}: {hit:?}"
                );
            }
        }
    }

    #[test]
    fn nothing_is_hit_in_the_open() {
        let layout = layout();
        let panel = layout.panel(0);
        assert_eq!(
            element(&layout, Point::new(panel.x + 2.0, panel.y + 2.0), 5.0),
            None
        );
        assert_eq!(element(&layout, Point::new(-50.0, -50.0), 5.0), None);
    }
}
