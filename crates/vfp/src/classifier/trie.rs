//! A compressed trie: which prefixes a value begins with.

/// Prefixes of 128-bit values. A chain of nodes with one child and no rules is one edge (Morrison's PATRICIA), so a
/// lookup visits nodes that carry rules or branch, and no others.
#[derive(Clone, Debug)]
pub(super) struct Trie {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    /// The first `len` bits; the rest is zero.
    bits: u128,
    len: u8,
    /// 0: none, as the root is nobody's child.
    children: [u32; 2],
    /// Rules with exactly this prefix, ascending.
    rules: Vec<u32>,
}

const fn mask(len: u8) -> u128 {
    if len == 0 { 0 } else { u128::MAX << (128 - len) }
}

const fn bit(bits: u128, at: u8) -> usize {
    (bits >> (127 - at) & 1) as usize
}

impl Node {
    fn new(bits: u128, len: u8) -> Node {
        Node {
            bits: bits & mask(len),
            len,
            children: [0; 2],
            rules: Vec::new(),
        }
    }
}

impl Trie {
    /// The trie of these ranges (first, last, rule), rules ascending. A range that is no prefix becomes several.
    pub(super) fn new(ranges: impl Iterator<Item = (u128, u128, u32)>) -> Trie {
        let mut trie = Trie {
            nodes: vec![Node::new(0, 0)],
        };
        for (first, last, rule) in ranges {
            for (bits, len) in prefixes(first, last) {
                trie.insert(bits, len, rule);
            }
        }
        trie
    }

    fn add(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    fn insert(&mut self, bits: u128, len: u8, rule: u32) {
        let mut at = 0;
        while self.nodes[at].len < len {
            let side = bit(bits, self.nodes[at].len);
            let child = self.nodes[at].children[side];
            if child == 0 {
                self.nodes[at].children[side] = self.add(Node::new(bits, len));
                at = self.nodes.len() - 1;
                continue;
            }
            let below = &self.nodes[child as usize];
            let common = ((bits ^ below.bits).leading_zeros() as u8)
                .min(len)
                .min(below.len);
            if common == below.len {
                at = child as usize;
                continue;
            }
            let mut fork = Node::new(bits, common);
            fork.children[bit(below.bits, common)] = child;
            self.nodes[at].children[side] = self.add(fork);
            at = self.nodes.len() - 1;
        }
        self.nodes[at].rules.push(rule);
    }

    /// Calls `found` with the rules of every prefix of `value`, and says how many nodes were visited.
    pub(super) fn walk(&self, value: u128, mut found: impl FnMut(&[u32])) -> u32 {
        let mut visited = 0;
        let mut at = 0;
        loop {
            let node = &self.nodes[at];
            visited += 1;
            if value & mask(node.len) != node.bits {
                return visited;
            }
            found(&node.rules);
            if node.len == 128 {
                return visited;
            }
            at = node.children[bit(value, node.len)] as usize;
            if at == 0 {
                return visited;
            }
        }
    }
}

/// The fewest prefixes that make up a range: at most 254.
fn prefixes(first: u128, last: u128) -> Vec<(u128, u8)> {
    let mut out = Vec::new();
    let mut from = first;
    loop {
        let mut host = from.trailing_zeros().min(128);
        // The largest aligned block that starts here and does not pass the end.
        while host > 0 && from | !mask((128 - host) as u8) > last {
            host -= 1;
        }
        out.push((from, (128 - host) as u8));
        let end = from | !mask((128 - host) as u8);
        if end >= last {
            return out;
        }
        from = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 1 to 6 is 1/128, 2/127, 4/127, 6/128; everything is the prefix of length 0.
    #[test]
    fn ranges_become_prefixes() {
        assert_eq!(prefixes(1, 6), [(1, 128), (2, 127), (4, 127), (6, 128)]);
        assert_eq!(prefixes(0, u128::MAX), [(0, 0)]);
        assert_eq!(prefixes(1, u128::MAX).len(), 128);
        assert_eq!(prefixes(9, 9), [(9, 128)]);
    }

    /// 10 is 00001010 and 11 is 00001011, so they fork after 7 bits; nothing lies between root and fork.
    #[test]
    fn chains_are_one_edge() {
        let top = |byte: u128| byte << 120;
        let trie = Trie::new([(top(10), top(11) - 1, 0), (top(11), top(12) - 1, 1)].into_iter());
        assert_eq!(trie.nodes.len(), 4, "root, the fork of 10 and 11, and the two");
        let mut rules = Vec::new();
        let visited = trie.walk(top(11) + 5, |found| rules.extend_from_slice(found));
        assert_eq!((rules, visited), (vec![1], 3));
    }
}
