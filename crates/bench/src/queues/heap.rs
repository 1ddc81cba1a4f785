//! Heaps: the standard library's, and one with four children a node, which is half as deep.

use super::{Entry, Queue};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The standard library's binary heap.
#[derive(Default)]
pub struct Binary(BinaryHeap<Reverse<Entry>>);

impl Queue for Binary {
    #[inline]
    fn push(&mut self, entry: Entry) {
        self.0.push(Reverse(entry));
    }

    #[inline]
    fn pop(&mut self) -> Option<Entry> {
        self.0.pop().map(|Reverse(entry)| entry)
    }
}

/// Children of a node.
const ARITY: usize = 4;

/// A heap of four children a node: more comparisons a level, but of neighbours in memory.
#[derive(Default)]
pub struct FourAry(Vec<Entry>);

impl Queue for FourAry {
    #[inline]
    fn push(&mut self, entry: Entry) {
        let mut at = self.0.len();
        self.0.push(entry);
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if self.0[parent] <= entry {
                break;
            }
            self.0[at] = self.0[parent];
            at = parent;
        }
        self.0[at] = entry;
    }

    #[inline]
    fn pop(&mut self) -> Option<Entry> {
        let last = self.0.pop()?;
        let Some(&first) = self.0.first() else {
            return Some(last);
        };
        let mut at = 0;
        loop {
            let children = ARITY * at + 1;
            let end = (children + ARITY).min(self.0.len());
            let Some((least, &child)) = self
                .0
                .get(children..end)
                .and_then(|children| children.iter().enumerate().min_by_key(|child| *child.1))
            else {
                break;
            };
            if last <= child {
                break;
            }
            self.0[at] = child;
            at = children + least;
        }
        self.0[at] = last;
        Some(first)
    }
}
