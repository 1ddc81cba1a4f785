//! What lies under the pointer.

use crate::geometry::Point;
use crate::layout::{Node, Row};
use crate::sight::Sight;

/// A drawn element under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// A node.
    Node(Node),
    /// A cable, named by the edge nearest to the pointer.
    Cable(u32),
}

/// The element nearest to `at` on the screen, at most `reach` away from it; nodes come before cables. `edges` are those
/// that are drawn.
pub fn element(sight: &Sight, edges: impl Iterator<Item = u32>, at: Point, reach: f64) -> Option<Hit> {
    node(sight, at, reach)
        .map(Hit::Node)
        .or_else(|| cable(sight, edges, at, reach).map(Hit::Cable))
}

/// The node at `at`, or at most `reach` away from it.
pub fn node(sight: &Sight, at: Point, reach: f64) -> Option<Node> {
    let plane = plane(sight, at)?;
    for &row in Row::of(sight.shown()) {
        let half = sight.half_size(row);
        // Nodes that are small on the screen get a larger target, but not one that swallows their neighbours.
        let extra = reach.min(sight.spacing(row) / 2.0 - half.0).max(0.0);
        for index in nearest(sight, plane, row, at) {
            let node = Node { plane, row, index };
            let centre = sight.centre(node);
            if (at.x - centre.x).abs() <= half.0 + extra && (at.y - centre.y).abs() <= half.1 + reach {
                return Some(node);
            }
        }
    }
    None
}

/// The edge nearest to `at`, at most `reach` away from it.
fn cable(sight: &Sight, edges: impl Iterator<Item = u32>, at: Point, reach: f64) -> Option<u32> {
    let plane = plane(sight, at)?;
    let per_plane = sight.shown().links_per_plane();
    edges
        .filter(|edge| edge / per_plane == plane)
        .map(|edge| (sight.edge(edge).distance(at), edge))
        .filter(|&(distance, _)| distance <= reach)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, edge)| edge)
}

fn plane(sight: &Sight, at: Point) -> Option<u32> {
    (0..sight.shown().planes).find(|&plane| sight.panel(plane).contains(at))
}

/// The indices of a row's nodes that may be under `at`.
fn nearest(sight: &Sight, plane: u32, row: Row, at: Point) -> impl Iterator<Item = u32> {
    let count = sight.count(row);
    let x = |index: u32| sight.centre(Node { plane, row, index }).x;
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
    use crate::{Camera, Layout};
    use fabric::Clos;

    fn sight() -> Sight {
        let clos = Clos {
            planes: 3,
            t0s: 4,
            t1s: 3,
            nics_per_t0: 5,
            pods: 1,
            t2s: 0,
        };
        home(clos, 900.0, 600.0)
    }

    /// Two pods of two T0s and two T1s; each T1 has two T2s.
    fn three_tiers() -> Sight {
        let clos = Clos {
            planes: 2,
            t0s: 4,
            t1s: 4,
            nics_per_t0: 3,
            pods: 2,
            t2s: 4,
        };
        home(clos, 900.0, 600.0)
    }

    fn home(clos: Clos, width: f64, height: f64) -> Sight {
        Sight::new(&Layout::new(clos, width, height), &Camera::default())
    }

    fn hit(sight: &Sight, at: Point, reach: f64) -> Option<Hit> {
        element(sight, 0..sight.shown().links(), at, reach)
    }

    #[test]
    fn each_node_is_hit_at_its_centre() {
        for sight in [sight(), three_tiers()] {
            for plane in 0..sight.shown().planes {
                for &row in Row::of(sight.shown()) {
                    for index in 0..sight.count(row) {
                        let node = Node { plane, row, index };
                        assert_eq!(hit(&sight, sight.centre(node), 5.0), Some(Hit::Node(node)));
                    }
                }
            }
        }
    }

    #[test]
    fn each_edge_is_hit_where_it_is_alone() {
        for sight in [sight(), three_tiers()] {
            let shown = *sight.shown();
            for edge in 0..shown.links() {
                let segment = sight.edge(edge);
                let clear = (20..=80)
                    .map(|percent| segment.at(f64::from(percent) / 100.0))
                    .find(|&p| {
                        (0..shown.links()).all(|other| other == edge || sight.edge(other).distance(p) > 0.5)
                    });
                let p = clear.expect("some point of the edge is clear of all others");
                assert_eq!(hit(&sight, p, 5.0), Some(Hit::Cable(edge)), "edge {edge}");
            }
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
                pods: 1,
                t2s: 0,
            };
            let sight = home(clos, 684.0, 373.0);
            for edge in 0..sight.shown().links() {
                let hit = hit(&sight, sight.spot(edge), 7.0);
                let cable = [edge, sight.shown().reverse(edge)];
                assert!(
                    matches!(hit, Some(Hit::Cable(e)) if cable.contains(&e)),
                    "{clos:?} {edge}: {hit:?}"
                );
            }
        }
    }

    #[test]
    fn nothing_is_hit_in_the_open() {
        let sight = sight();
        let panel = sight.panel(0);
        assert_eq!(hit(&sight, Point::new(panel.x + 2.0, panel.y + 2.0), 5.0), None);
        assert_eq!(hit(&sight, Point::new(-50.0, -50.0), 5.0), None);
    }
}
