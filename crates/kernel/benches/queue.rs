//! The hold test: take the next event, schedule another; the number of waiting events stays the same.
//!
//! Delays are those of a fabric of 400 Gb/s links: a full packet's serialisation, a SACK's, a link's delay, none at
//! all, and now and then a timer. Each event starts at a picosecond of its own, as senders have no common beat. The
//! standard library's binary heap is beside the queue for scale.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kernel::rng::{Sequence, mix};
use kernel::{EventQueue, QueueShape, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

/// How many events wait.
const PENDING: [u32; 4] = [2_000, 10_000, 100_000, 1_000_000];

/// Delays in picoseconds, and how many of 1,000 events have each. The shares are our choice.
const DELAYS: [(u64, usize); 5] = [
    (83_200, 500),
    (1_280, 100),
    (1_000_000, 389),
    (0, 10),
    (100_000_000, 1),
];

/// The delays in random order, to be gone through in circles.
struct Delays {
    list: Vec<u64>,
    at: usize,
}

impl Delays {
    fn new() -> Delays {
        let mut list: Vec<u64> = DELAYS
            .iter()
            .flat_map(|&(delay, share)| std::iter::repeat_n(delay, 8 * share))
            .collect();
        let all = list.len();
        Sequence::new(1).pick(&mut list, all);
        Delays { list, at: 0 }
    }

    fn mean(&self) -> u64 {
        self.list.iter().sum::<u64>() / self.list.len() as u64
    }

    /// When each of so many events is due first.
    fn first(&mut self, pending: u32) -> impl Iterator<Item = (Time, u32)> {
        let mut phases = Sequence::new(2);
        (0..pending).map(move |object| (Time(phases.below(1_000_000)) + self.next(), object))
    }

    #[inline]
    fn next(&mut self) -> Time {
        self.at = (self.at + 1) % self.list.len();
        Time(self.list[self.at])
    }
}

fn wheel(pending: u32, delays: &mut Delays) -> EventQueue {
    let per_us = u64::from(pending) * 1_000_000 / delays.mean();
    let mut queue = EventQueue::new(1, QueueShape::for_load(per_us, Time(1_083_200)));
    for (time, object) in delays.first(pending) {
        queue.push(time, object);
    }
    queue
}

fn hold_wheel(queue: &mut EventQueue, delays: &mut Delays) -> u32 {
    let (now, object) = queue.pop().expect("as many events as at the start");
    queue.push(now + delays.next(), object);
    object
}

/// Time, tie-break, object: the same order.
type Heap = BinaryHeap<Reverse<(u64, u64)>>;

fn push_heap(heap: &mut Heap, time: Time, object: u32) {
    let tie = mix(time.0 ^ (u64::from(object) << 40)) >> 32;
    heap.push(Reverse((time.0, tie << 32 | u64::from(object))));
}

fn heap(pending: u32, delays: &mut Delays) -> Heap {
    let mut heap = Heap::with_capacity(pending as usize);
    for (time, object) in delays.first(pending) {
        push_heap(&mut heap, time, object);
    }
    heap
}

fn hold_heap(heap: &mut Heap, delays: &mut Delays) -> u32 {
    let Reverse((now, key)) = heap.pop().expect("as many events as at the start");
    let object = key as u32;
    push_heap(heap, Time(now) + delays.next(), object);
    object
}

/// Measures one hold on a queue that has forgotten how it was filled.
fn hold<Q>(
    criterion: &mut Criterion,
    name: &str,
    fill: impl Fn(u32, &mut Delays) -> Q,
    step: impl Fn(&mut Q, &mut Delays) -> u32,
) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(1));
    for pending in PENDING {
        group.bench_function(BenchmarkId::from_parameter(pending), |bencher| {
            let mut delays = Delays::new();
            let mut queue = fill(pending, &mut delays);
            for _ in 0..4 * pending {
                step(&mut queue, &mut delays);
            }
            bencher.iter(|| black_box(step(&mut queue, &mut delays)));
        });
    }
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    hold(criterion, "hold/EventQueue", wheel, hold_wheel);
    hold(criterion, "hold/BinaryHeap", heap, hold_heap);
}

criterion_group!(queue, benches);
criterion_main!(queue);
