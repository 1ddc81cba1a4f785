//! A recorded stream: what was waiting, and what each event that was taken scheduled.
//!
//! The file is raw deflate of unsigned LEB128 numbers: the first time in ps, how many events wait, how many are taken;
//! for each that waits, by time, how much later than the one before it is and its object; then for each that is taken
//! how many it schedules; then for each scheduled one how many ps later it is; last how far its object is from that of
//! the taken one, as zigzag.

use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// The streams by name.
pub const NAMES: [&str; 3] = ["perm128", "perm1024", "perm8192"];

/// Room for the largest stream.
const MAX_BYTES: usize = 8 << 20;

/// A stream, ready to be replayed.
pub struct Stream {
    /// Time in ps and object of what waits at the start.
    pub initial: Vec<(u64, u32)>,
    /// How many events each taken one schedules.
    pub steps: Vec<u8>,
    /// How much later in ps, and how far the object is.
    scheduled: Vec<(u64, i32)>,
}

impl Stream {
    /// The stream of that name.
    pub fn named(name: &str) -> Option<Stream> {
        let file: &[u8] = match name {
            "perm128" => include_bytes!("../../streams/perm128.deflate"),
            "perm1024" => include_bytes!("../../streams/perm1024.deflate"),
            "perm8192" => include_bytes!("../../streams/perm8192.deflate"),
            _ => return None,
        };
        let bytes = decompress_to_vec_with_limit(file, MAX_BYTES).expect("the repository's own file");
        let mut numbers = Numbers(&bytes);
        let mut time = numbers.next();
        let (waiting, taken) = (numbers.next(), numbers.next());
        let initial = (0..waiting)
            .map(|_| {
                time += numbers.next();
                (time, numbers.next() as u32)
            })
            .collect();
        let steps: Vec<u8> = (0..taken).map(|_| numbers.next() as u8).collect();
        let count: usize = steps.iter().map(|&step| usize::from(step)).sum();
        let later: Vec<u64> = (0..count).map(|_| numbers.next()).collect();
        let zigzag = |number: u64| ((number >> 1) as i32) ^ -((number & 1) as i32);
        let scheduled = later
            .into_iter()
            .map(|later| (later, zigzag(numbers.next())))
            .collect();
        Some(Stream {
            initial,
            steps,
            scheduled,
        })
    }

    /// Does it all again: the queue is told `Some` event to schedule, or asked for the next one by `None`. Returns a
    /// checksum of what it gave, in order.
    #[inline]
    pub fn replay(&self, mut queue: impl FnMut(Option<(u64, u32)>) -> (u64, u32)) -> u64 {
        let (mut scheduled, mut checksum) = (self.scheduled.iter(), 0u64);
        for &step in &self.steps {
            let (now, object) = queue(None);
            checksum =
                (checksum.rotate_left(5) ^ now ^ u64::from(object)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for &(later, distance) in scheduled.by_ref().take(usize::from(step)) {
                queue(Some((now + later, object.wrapping_add_signed(distance))));
            }
        }
        checksum
    }
}

struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        while let Some((&byte, rest)) = self.0.split_first() {
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
        panic!("a stream ends within a number")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_streams_are_of_a_fabric_at_work() {
        for (name, waiting, taken) in [
            ("perm128", 640, 100_000),
            ("perm1024", 5_120, 500_000),
            ("perm8192", 40_960, 600_000),
        ] {
            let stream = Stream::named(name).unwrap();
            assert_eq!((stream.initial.len(), stream.steps.len()), (waiting, taken));
            // A full packet of 4,150 B takes 83 ns at 400 Gb/s: most events are that far from the next of their link.
            let full = stream.scheduled.iter().filter(|event| event.0 == 83_000).count();
            assert!(full > taken / 2, "{name}: {full}");
        }
        assert!(Stream::named("perm").is_none());
    }
}
