//! An interval tree: which ranges hold a value.

/// Ranges sorted by their start. The middle of a slice is the root of its two halves, and knows the highest end below it
/// (Cormen et al., Introduction to Algorithms, "Interval trees"; the tree is implicit in the order).
#[derive(Clone, Debug)]
pub(super) struct IntervalTree {
    nodes: Box<[Node]>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    first: u128,
    last: u128,
    /// The highest `last` of the node and all below it.
    highest: u128,
    rule: u32,
}

impl IntervalTree {
    /// The tree of these ranges (first, last, rule).
    pub(super) fn new(ranges: impl Iterator<Item = (u128, u128, u32)>) -> IntervalTree {
        let mut nodes: Box<[Node]> = ranges
            .map(|(first, last, rule)| Node {
                first,
                last,
                highest: last,
                rule,
            })
            .collect();
        nodes.sort_unstable_by_key(|node| (node.first, node.last, node.rule));
        raise(&mut nodes);
        IntervalTree { nodes }
    }

    /// Calls `found` with the rule of every range that holds `value`, and says how many nodes were visited.
    pub(super) fn stab(&self, value: u128, mut found: impl FnMut(u32)) -> u32 {
        let mut visited = 0;
        stab(&self.nodes, value, &mut visited, &mut found);
        visited
    }
}

/// Halving makes the depth at most 32 for the rules that a group may have.
fn raise(nodes: &mut [Node]) -> u128 {
    if nodes.is_empty() {
        return 0;
    }
    let middle = nodes.len() / 2;
    let (left, rest) = nodes.split_at_mut(middle);
    let Some((root, right)) = rest.split_first_mut() else {
        return 0;
    };
    root.highest = root.last.max(raise(left)).max(raise(right));
    root.highest
}

fn stab(nodes: &[Node], value: u128, visited: &mut u32, found: &mut impl FnMut(u32)) {
    let (left, rest) = nodes.split_at(nodes.len() / 2);
    let Some((root, right)) = rest.split_first() else {
        return;
    };
    *visited += 1;
    if root.highest < value {
        return;
    }
    stab(left, value, visited, found);
    if root.first <= value {
        if value <= root.last {
            found(root.rule);
        }
        stab(right, value, visited, found);
    }
}
