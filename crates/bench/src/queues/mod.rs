//! Event queues compared on recorded streams.

mod calendar;
mod heap;
mod radix;
mod stream;
mod wheel;

use kernel::{EventQueue, QueueShape, TieRule, Time};
use serde_json::{Value, json};
use std::time::Instant;
use stream::Stream;

pub use stream::NAMES as STREAMS;

/// Time, then the tie rule's key with the object in its lower half.
pub type Entry = (u64, u64);

/// A queue under comparison: the lowest entry comes out first, none is pushed with a time before the last one out.
pub trait Queue {
    /// Adds an entry.
    fn push(&mut self, entry: Entry);
    /// Takes the lowest.
    fn pop(&mut self) -> Option<Entry>;
}

/// The designs by name.
pub const DESIGNS: [&str; 6] = [
    "binary-heap",
    "4-ary-heap",
    "calendar",
    "timing-wheel",
    "radix-heap",
    "kernel",
];

/// What the streams were recorded with.
const SEED: u64 = 0;

/// Runs one design on one stream.
///
/// # Errors
/// When there is no such stream or design.
pub fn run(stream: &str, design: &str) -> Result<Value, String> {
    let recorded = Stream::named(stream)
        .ok_or_else(|| format!("there is no stream {stream}; there are {}", STREAMS.join(", ")))?;
    let (seconds, checksum) = match design {
        "binary-heap" => timed(heap::Binary::default(), &recorded),
        "4-ary-heap" => timed(heap::FourAry::default(), &recorded),
        "calendar" => timed(calendar::Calendar::default(), &recorded),
        "timing-wheel" => timed(wheel::Wheel::default(), &recorded),
        "radix-heap" => timed(radix::Radix::default(), &recorded),
        "kernel" => timed_kernel(&recorded),
        _ => {
            return Err(format!(
                "there is no design {design}; there are {}",
                DESIGNS.join(", ")
            ));
        }
    };
    Ok(json!({
        "stream": stream,
        "design": design,
        "waiting": recorded.initial.len(),
        "operations": recorded.steps.len(),
        "ns": seconds * 1e9 / recorded.steps.len() as f64,
        "checksum": format!("{checksum:016x}"),
    }))
}

fn timed(mut queue: impl Queue, stream: &Stream) -> (f64, u64) {
    let ties = TieRule::new(SEED);
    let entry = |time: u64, object: u32| (time, ties.key(Time(time), object));
    for &(time, object) in &stream.initial {
        queue.push(entry(time, object));
    }
    let started = Instant::now();
    let checksum = stream.replay(|event| match event {
        Some((time, object)) => {
            queue.push(entry(time, object));
            (0, 0)
        }
        None => {
            let (time, key) = queue.pop().expect("a stream takes no more than it puts");
            (time, key as u32)
        }
    });
    (started.elapsed().as_secs_f64(), checksum)
}

/// The kernel's own queue makes the key itself. Its shape is the one it had in these runs.
fn timed_kernel(stream: &Stream) -> (f64, u64) {
    // Every NIC sends 400 Gb/s in packets of 83.2 ns, four hops each; a hop takes at most 1 µs and a packet's time.
    let ports = stream.initial.len() as u64 / 5;
    let shape = QueueShape::for_load(ports * 4 * 1_000_000 / 83_000, Time(1_083_000));
    let mut queue = EventQueue::new(SEED, shape);
    for &(time, object) in &stream.initial {
        queue.push(Time(time), object);
    }
    let started = Instant::now();
    let checksum = stream.replay(|event| match event {
        Some((time, object)) => {
            queue.push(Time(time), object);
            (0, 0)
        }
        None => {
            let (time, object) = queue.pop().expect("a stream takes no more than it puts");
            (time.0, object)
        }
    });
    (started.elapsed().as_secs_f64(), checksum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::{below, draw};

    #[test]
    fn every_design_gives_the_recorded_order() {
        for design in DESIGNS {
            let done = run("perm128", design).unwrap();
            // Taken when the stream was recorded, from what the simulator processed.
            assert_eq!(done["checksum"], "8895485d0bd69e69", "{design}");
        }
        assert!(run("perm128", "list").unwrap_err().contains("4-ary-heap"));
        assert!(run("perm1", "kernel").unwrap_err().contains("perm8192"));
    }

    /// Delays from nothing to far beyond every wheel, few and many events, until the queue is empty.
    #[test]
    fn every_design_keeps_the_order_under_any_delays() {
        fn churn(mut queue: impl Queue) -> Vec<Entry> {
            let mut out = Vec::new();
            for object in 0..700 {
                queue.push((object / 7 * 83_200, object));
            }
            while let Some((now, object)) = queue.pop() {
                out.push((now, object));
                let bits = draw(object, now);
                let pushes = if out.len() < 5_000 { below(bits, 3) } else { 0 };
                for push in 0..pushes {
                    let delays = [0, 1_280, 83_200, 1_000_000, 100_000_000, 1 << 41];
                    let delay = delays[below(draw(bits, push), 6) as usize];
                    queue.push((now + delay, draw(bits, push + 9) >> 8));
                }
            }
            out
        }
        let expected = churn(heap::Binary::default());
        assert!(expected.windows(2).all(|pair| pair[0].0 <= pair[1].0) && expected.len() > 5_000);
        assert!(churn(heap::FourAry::default()) == expected, "4-ary heap");
        assert!(churn(calendar::Calendar::default()) == expected, "calendar");
        assert!(churn(wheel::Wheel::default()) == expected, "timing wheel");
        assert!(churn(radix::Radix::default()) == expected, "radix heap");
    }
}
