//! Classifiers: how the rule is found that a packet meets first in the order of priority.
//!
//! All give the same answer; they differ in how many steps it takes. A step is one node of an index visited or one rule
//! held against the packet. The families are those that the paper is remembered to name (list, hash table, interval tree,
//! compressed trie; facts/accelnet.md, section 1.3); which is chosen when is our choice, see [`Classifier::new`].

mod field;
mod interval;
mod matcher;
mod trie;

pub use field::Field;
pub(crate) use matcher::{Expander, Matcher, is_syn};

use crate::hash::BuildFolding;
use gft::Headers;
use interval::IntervalTree;
use std::collections::HashMap;
use std::fmt;
use trie::Trie;

/// How a group finds its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClassifierChoice {
    /// Whatever takes the fewest steps for values that the rules themselves name.
    #[default]
    Auto,
    /// This one.
    Fixed(ClassifierKind),
}

/// A family of classifiers, and the field it sorts by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClassifierKind {
    /// One rule after the other.
    List,
    /// A hash table of exact values.
    Hash(Field),
    /// An interval tree of ranges.
    IntervalTree(Field),
    /// A compressed trie of prefixes.
    Trie(Field),
}

impl fmt::Display for ClassifierKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClassifierKind::List => f.write_str("list"),
            ClassifierKind::Hash(field) => write!(f, "hash table by {field}"),
            ClassifierKind::IntervalTree(field) => write!(f, "interval tree by {field}"),
            ClassifierKind::Trie(field) => write!(f, "compressed trie by {field}"),
        }
    }
}

/// Fewer rules than this are a list (our choice).
const LIST_BELOW: usize = 8;
/// An index with more ranges than this is not built; the rules stay a list. It bounds memory (our choice).
const MAX_RANGES: usize = 1 << 21;
/// Values that [`ClassifierChoice::Auto`] tries a classifier with.
const SAMPLES: usize = 64;

#[derive(Clone, Debug)]
enum Index {
    None,
    Hash(HashMap<u128, Vec<u32>, BuildFolding>),
    Intervals(IntervalTree),
    Trie(Trie),
}

/// Finds the first of some rules that a packet meets.
#[derive(Clone, Debug)]
pub(crate) struct Classifier {
    kind: ClassifierKind,
    index: Index,
    /// Rules that the index can't tell apart, ascending: held against every packet.
    rest: Vec<u32>,
}

/// What a search gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Position of the rule among those the classifier was made of.
    pub(crate) rule: Option<u32>,
    /// Nodes visited and rules examined.
    pub(crate) steps: u32,
}

impl Classifier {
    /// A classifier of these rules, which stand in the order of priority.
    pub(crate) fn new(choice: ClassifierChoice, rules: &[Matcher]) -> Classifier {
        match choice {
            ClassifierChoice::Fixed(kind) => Classifier::of_kind(kind, rules),
            ClassifierChoice::Auto if rules.len() < LIST_BELOW => {
                Classifier::of_kind(ClassifierKind::List, rules)
            }
            ClassifierChoice::Auto => Field::ALL
                .into_iter()
                .filter_map(|field| {
                    let kind = suited(field, rules)?;
                    let classifier = Classifier::of_kind(kind, rules);
                    Some((classifier.sampled_steps(field, rules), classifier))
                })
                .filter(|&(steps, _)| steps < (rules.len() * SAMPLES) as u64)
                .min_by_key(|&(steps, _)| steps)
                .map_or_else(
                    || Classifier::of_kind(ClassifierKind::List, rules),
                    |(_, classifier)| classifier,
                ),
        }
    }

    fn of_kind(kind: ClassifierKind, rules: &[Matcher]) -> Classifier {
        let field = match kind {
            ClassifierKind::Hash(field)
            | ClassifierKind::IntervalTree(field)
            | ClassifierKind::Trie(field) => field,
            ClassifierKind::List => return Classifier::list(rules.len()),
        };
        let mut rest = Vec::new();
        let mut ranges = Vec::new();
        for (rule, matcher) in rules.iter().enumerate() {
            let rule = rule as u32;
            match field.ranges(matcher) {
                Some(own)
                    if !matches!(kind, ClassifierKind::Hash(_)) || own.iter().all(|&r| field.is_exact(r)) =>
                {
                    ranges.extend(own.into_iter().map(|(first, last)| (first, last, rule)));
                }
                _ => rest.push(rule),
            }
            if ranges.len() > MAX_RANGES {
                return Classifier::list(rules.len());
            }
        }
        let index = match kind {
            ClassifierKind::List => Index::None,
            ClassifierKind::Hash(_) => {
                let mut table: HashMap<u128, Vec<u32>, BuildFolding> = HashMap::default();
                for (value, _, rule) in ranges {
                    table.entry(value).or_default().push(rule);
                }
                Index::Hash(table)
            }
            ClassifierKind::IntervalTree(_) => Index::Intervals(IntervalTree::new(ranges.into_iter())),
            ClassifierKind::Trie(_) => Index::Trie(Trie::new(ranges.into_iter())),
        };
        Classifier { kind, index, rest }
    }

    fn list(rules: usize) -> Classifier {
        Classifier {
            kind: ClassifierKind::List,
            index: Index::None,
            rest: (0..rules as u32).collect(),
        }
    }

    /// Which it is.
    pub(crate) const fn kind(&self) -> ClassifierKind {
        self.kind
    }

    /// The first of `rules`, which must be those it was made of, that takes the packet.
    pub(crate) fn find(&self, rules: &[Matcher], headers: &Headers) -> Found {
        let mut best = u32::MAX;
        let mut examined = 0;
        let mut try_in_order = |candidates: &[u32], best: &mut u32| {
            for &rule in candidates {
                if rule >= *best {
                    return;
                }
                examined += 1;
                if rules[rule as usize].matches(headers) {
                    *best = rule;
                    return;
                }
            }
        };
        let visited = match (&self.index, self.kind) {
            (Index::Hash(table), ClassifierKind::Hash(field)) => {
                if let Some(candidates) = table.get(&field.of(&headers.tuple)) {
                    try_in_order(candidates, &mut best);
                }
                1
            }
            (Index::Intervals(tree), ClassifierKind::IntervalTree(field)) => {
                tree.stab(field.of(&headers.tuple), |rule| try_in_order(&[rule], &mut best))
            }
            (Index::Trie(trie), ClassifierKind::Trie(field)) => trie
                .walk(field.of(&headers.tuple), |candidates| {
                    try_in_order(candidates, &mut best)
                }),
            _ => 0,
        };
        try_in_order(&self.rest, &mut best);
        Found {
            rule: (best != u32::MAX).then_some(best),
            steps: visited + examined,
        }
    }

    /// Steps at most for [`SAMPLES`] packets whose field has values that rules name.
    fn sampled_steps(&self, field: Field, rules: &[Matcher]) -> u64 {
        let mut values: Vec<u128> = rules
            .iter()
            .filter_map(|matcher| field.ranges(matcher))
            .flat_map(|ranges| ranges.into_iter().take(SAMPLES).map(|(first, _)| first))
            .collect();
        values.sort_unstable();
        let sample = |at: usize| values[at * values.len() / SAMPLES];
        (0..SAMPLES)
            .map(|at| {
                let mut candidates = self.rest.len() as u64;
                let visited = match &self.index {
                    Index::None => 0,
                    Index::Hash(table) => {
                        candidates += table.get(&sample(at)).map_or(0, |c| c.len() as u64);
                        1
                    }
                    Index::Intervals(tree) => tree.stab(sample(at), |_| candidates += 1),
                    Index::Trie(trie) => trie.walk(sample(at), |found| candidates += found.len() as u64),
                };
                candidates + u64::from(visited)
            })
            .sum()
    }
}

/// The family that suits what the rules ask of a field: exact values are hashed, prefixes of addresses go into a trie,
/// other ranges into an interval tree. `None` when no rule asks for anything.
fn suited(field: Field, rules: &[Matcher]) -> Option<ClassifierKind> {
    let mut any = false;
    let (mut exact, mut prefixes) = (true, true);
    for (first, last) in rules.iter().filter_map(|m| field.ranges(m)).flatten() {
        any = true;
        exact &= field.is_exact((first, last));
        let host = first ^ last;
        prefixes &= host & host.wrapping_add(1) == 0 && first & host == 0;
    }
    let kind = match field {
        _ if exact => ClassifierKind::Hash(field),
        Field::Src | Field::Dst if prefixes => ClassifierKind::Trie(field),
        _ => ClassifierKind::IntervalTree(field),
    };
    any.then_some(kind)
}
