//! How long a frame takes through the card: buffer, parser, match, action.

use crate::Level;
use crate::config::PipelineShape;
use kernel::Time;
use std::collections::VecDeque;
use thiserror::Error;

/// A frame was dropped: there was no room in the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the store-and-forward buffer has no room")]
pub struct BufferFull;

/// What one pipeline has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PipelineCounters {
    /// Frames that went through.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Frames dropped because the buffer was full.
    pub dropped: u64,
    /// Reads of the DRAM on the card.
    pub dram_accesses: u64,
    /// Reads of the host's memory.
    pub host_accesses: u64,
    /// The most bytes that were in the buffer.
    pub most_buffered: u32,
}

/// The packet rates that each part allows, in packets/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The line, if it is the pipeline's; infinite otherwise.
    pub line: f64,
    /// Datapath width and clock.
    pub pipeline: f64,
    /// Reads of the DRAM; infinite if there are none.
    pub dram: f64,
    /// Reads of the host's memory; infinite if there are none.
    pub host: f64,
}

impl Bounds {
    /// The rate that all of them allow.
    pub fn lowest(&self) -> f64 {
        self.line.min(self.pipeline).min(self.dram).min(self.host)
    }
}

/// Preamble, start delimiter and gap between frames (IEEE 802.3): bytes on the line beyond a frame.
const LINE_OVERHEAD: u64 = 20;

const PS_PER_S: u64 = 1_000_000_000_000;

/// A memory that takes one read after the other and has several under way.
#[derive(Clone, Copy, Debug)]
struct Memory {
    latency: Time,
    interval: Time,
    free: Time,
}

impl Memory {
    fn new(latency: Time, accesses_per_s: u64) -> Memory {
        Memory {
            latency,
            interval: Time(PS_PER_S / accesses_per_s),
            free: Time::ZERO,
        }
    }

    /// When a read that is asked for at `now` is done.
    fn read(&mut self, now: Time) -> Time {
        let start = now.max(self.free);
        self.free = start + self.interval;
        start + self.latency
    }
}

/// One direction of the card. Frames stay in order; each stage takes a frame at the width of the datapath, and the match stage
/// goes on while reads are under way. How far a frame may be ahead of the reads it waits for is bounded by the longest
/// undisturbed lookup; beyond that the stages before it wait, and so the buffer fills.
#[derive(Clone, Debug)]
pub struct Pipeline {
    shape: PipelineShape,
    dram: Memory,
    host: Memory,
    /// When the match stage takes the next frame.
    match_free: Time,
    /// When the action stage does.
    action_free: Time,
    /// Frames in the buffer: when they leave it, and what they take of it.
    buffered: VecDeque<(Time, u32)>,
    buffered_bytes: u32,
    counters: PipelineCounters,
}

/// A frame that has got into the buffer and not yet further.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrived {
    /// When it reaches the match stage.
    pub at_match: Time,
    bytes: u32,
}

impl Pipeline {
    /// An idle pipeline.
    ///
    /// # Panics
    /// If a rate is 0, which [`Config::check`](crate::Config::check) refuses: shapes have to be checked ones.
    pub fn new(shape: &PipelineShape) -> Pipeline {
        Pipeline {
            shape: *shape,
            dram: Memory::new(shape.dram_access, shape.dram_accesses_per_s),
            host: Memory::new(shape.host_access, shape.host_accesses_per_s),
            match_free: Time::ZERO,
            action_free: Time::ZERO,
            buffered: VecDeque::new(),
            buffered_bytes: 0,
            counters: PipelineCounters::default(),
        }
    }

    /// What it counted.
    pub fn counters(&self) -> &PipelineCounters {
        &self.counters
    }

    /// Bytes in the buffer at the last arrival.
    pub fn buffered_bytes(&self) -> u32 {
        self.buffered_bytes
    }

    /// Drops what is under way without counting it; what was counted stays.
    pub(crate) fn empty(&mut self) {
        *self = Pipeline {
            counters: self.counters,
            ..Pipeline::new(&self.shape)
        };
    }

    fn cycles(&self, cycles: u32) -> Time {
        Time(self.shape.cycle.ps() * u64::from(cycles))
    }

    /// Cycles that a frame takes in each stage: a frame of nothing still takes one.
    fn words(&self, bytes: u32) -> u32 {
        bytes.div_ceil(self.shape.width_bytes).max(1)
    }

    fn line_time(&self, bytes: u32) -> Time {
        let bits = (u64::from(bytes) + LINE_OVERHEAD) * 8;
        Time(
            self.shape
                .line_bits_per_s
                .map_or(0, |rate| bits * PS_PER_S / rate),
        )
    }

    /// A frame of `bytes` whose last bit has come at `now` and whose lookup asks the levels down to `depth`: when its last bit
    /// leaves the action stage (or the line behind it, if that is the pipeline's). Frames come in order of time.
    ///
    /// # Errors
    /// [`BufferFull`]: the frame is dropped.
    pub fn accept(&mut self, now: Time, bytes: u32, depth: Level) -> Result<Time, BufferFull> {
        let arrived = self.arrive(now, bytes)?;
        Ok(self.finish(arrived, depth))
    }

    /// The first half: into the buffer, through the parser.
    pub(crate) fn arrive(&mut self, now: Time, bytes: u32) -> Result<Arrived, BufferFull> {
        while let Some(&(leaves, size)) = self.buffered.front()
            && leaves <= now
        {
            self.buffered.pop_front();
            self.buffered_bytes -= size;
        }
        let room = self.shape.buffer_bytes - self.buffered_bytes;
        if bytes > room || self.words(bytes) * self.shape.width_bytes > room {
            self.counters.dropped += 1;
            return Err(BufferFull);
        }
        let parsed = now + self.cycles(self.shape.buffer_cycles + self.shape.parser_cycles);
        // What waits for the action stage is no more than what an undisturbed lookup has under way.
        let held_back = self.action_free.saturating_sub(self.longest_match());
        Ok(Arrived {
            at_match: parsed.max(self.match_free).max(held_back),
            bytes,
        })
    }

    fn longest_match(&self) -> Time {
        self.cycles(self.shape.match_cycles) + self.dram.latency + self.host.latency
    }

    /// The second half: lookup and action.
    pub(crate) fn finish(&mut self, arrived: Arrived, depth: Level) -> Time {
        let Arrived { at_match, bytes } = arrived;
        let words = self.words(bytes);
        let mut matched = at_match + self.cycles(self.shape.match_cycles);
        if depth >= Level::L2 {
            matched = self.dram.read(matched);
            self.counters.dram_accesses += 1;
        }
        if depth >= Level::L3 {
            matched = self.host.read(matched);
            self.counters.host_accesses += 1;
        }
        let taken = at_match.max(matched.saturating_sub(self.longest_match()));
        self.match_free = taken + self.cycles(words);
        let leaves_buffer = taken.saturating_sub(self.cycles(self.shape.parser_cycles));
        let size = words * self.shape.width_bytes;
        self.buffered.push_back((leaves_buffer, size));
        self.buffered_bytes += size;

        let action = matched.max(self.action_free);
        self.action_free = action + self.cycles(words).max(self.line_time(bytes));
        let counters = &mut self.counters;
        counters.packets += 1;
        counters.bytes += u64::from(bytes);
        counters.most_buffered = counters.most_buffered.max(self.buffered_bytes);
        self.action_free + self.cycles(self.shape.action_cycles)
    }

    /// The rates that a shape allows for frames of `bytes`, when the share `dram` of lookups reads the card's DRAM and the share
    /// `host` the host's memory (0 to 1).
    pub fn bounds(shape: &PipelineShape, bytes: u32, dram: f64, host: f64) -> Bounds {
        let per_frame = |time: Time| PS_PER_S as f64 / time.ps() as f64;
        let idle = Pipeline::new(shape);
        Bounds {
            line: per_frame(idle.line_time(bytes)),
            pipeline: per_frame(idle.cycles(idle.words(bytes))),
            dram: shape.dram_accesses_per_s as f64 / dram,
            host: shape.host_accesses_per_s as f64 / host,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn shape() -> PipelineShape {
        Config::default().pipeline
    }

    fn ns(ns: u64) -> Time {
        Time::from_ns(ns)
    }

    /// 64 bytes are two words of 32. At 5 ns a cycle: buffer 4, parser 16, match 8, two for the words, action 16: 46 cycles,
    /// 230 ns; DRAM adds 200 ns, the host's memory 1 µs more.
    #[test]
    fn a_frame_alone() {
        for (depth, expected) in [(Level::L1, 230), (Level::L2, 430), (Level::L3, 1_430)] {
            let departure = Pipeline::new(&shape()).accept(ns(1_000), 64, depth);
            assert_eq!(departure, Ok(ns(1_000 + expected)), "{depth:?}");
        }
        // 1,514 bytes are 48 words: 46 cycles more.
        assert_eq!(
            Pipeline::new(&shape()).accept(Time::ZERO, 1_514, Level::L1),
            Ok(ns(460))
        );
    }

    /// "Less than 1 µs per packet through the FPGA", as far as remembered from the paper.
    #[test]
    fn a_full_frame_takes_less_than_a_microsecond() {
        let departure = Pipeline::new(&shape())
            .accept(Time::ZERO, 1_518, Level::L2)
            .unwrap();
        assert!(departure < Time::from_us(1), "{departure}");
    }

    #[test]
    fn order_is_kept_and_a_read_delays_what_comes_behind() {
        let mut pipeline = Pipeline::new(&shape());
        let first = pipeline.accept(Time::ZERO, 64, Level::L2).unwrap();
        let second = pipeline.accept(Time::ZERO, 64, Level::L1).unwrap();
        // The second is matched at once and waits for the first: it leaves its two words (10 ns) behind it.
        assert_eq!((first, second), (ns(430), ns(440)));
    }

    /// Back to back 64-byte frames: the pipeline takes one in 10 ns, the DRAM one in 20 ns.
    #[test]
    fn the_slowest_part_sets_the_rate() {
        for (depth, apart) in [(Level::L1, 10), (Level::L2, 20)] {
            let mut pipeline = Pipeline::new(&shape());
            let mut last = Time::ZERO;
            for i in 0..1_000 {
                let departure = pipeline.accept(ns(10 * i), 64, depth).unwrap();
                if i >= 100 {
                    assert_eq!(departure - last, ns(apart), "{depth:?} {i}");
                }
                last = departure;
            }
        }
        let bounds = Pipeline::bounds(&shape(), 64, 1.0, 0.0);
        assert_eq!(
            (bounds.pipeline, bounds.dram, bounds.lowest()),
            (100e6, 50e6, 50e6)
        );
        assert!(bounds.line.is_infinite() && bounds.host.is_infinite());
    }

    /// 40 Gb/s and 64-byte frames: 84 bytes on the line take 16.8 ns, 59.5 million frames a second.
    #[test]
    fn a_line_of_its_own_sets_the_rate_too() {
        let mut shape = shape();
        shape.line_bits_per_s = Some(40_000_000_000);
        let bounds = Pipeline::bounds(&shape, 64, 0.0, 0.0);
        assert!((bounds.lowest() - 59.52e6).abs() < 0.01e6, "{bounds:?}");
        let mut pipeline = Pipeline::new(&shape);
        let first = pipeline.accept(Time::ZERO, 64, Level::L1).unwrap();
        let second = pipeline.accept(Time::ZERO, 64, Level::L1).unwrap();
        assert_eq!(second - first, Time(16_800));
    }

    /// All at once: 65,536 bytes are room for 1,024 frames of 64; the next is dropped. When the match stage has taken some,
    /// there is room again.
    #[test]
    fn the_buffer_is_bounded() {
        let mut pipeline = Pipeline::new(&shape());
        for i in 0..1_024 {
            assert!(pipeline.accept(Time::ZERO, 64, Level::L1).is_ok(), "{i}");
        }
        assert_eq!(pipeline.accept(Time::ZERO, 64, Level::L1), Err(BufferFull));
        // The first is at the parser after 4 cycles, 20 ns.
        assert_eq!(pipeline.accept(ns(19), 64, Level::L1), Err(BufferFull));
        assert!(pipeline.accept(ns(20), 64, Level::L1).is_ok());
        assert_eq!(pipeline.accept(ns(20), 64, Level::L1), Err(BufferFull));
        assert_eq!(
            (
                pipeline.counters().packets,
                pipeline.counters().dropped,
                pipeline.counters().most_buffered
            ),
            (1_025, 3, 65_536)
        );
        assert_eq!(
            Pipeline::new(&shape()).accept(Time::ZERO, u32::MAX, Level::L1),
            Err(BufferFull)
        );
    }

    /// With the DRAM as the bottleneck the buffer fills in front of it: what is in flight behind is bounded.
    #[test]
    fn a_slow_memory_fills_the_buffer() {
        let mut slow = shape();
        slow.dram_accesses_per_s = 1_000_000;
        let mut pipeline = Pipeline::new(&slow);
        let accepted = (0..10_000)
            .filter(|&i| pipeline.accept(ns(10 * i), 64, Level::L2).is_ok())
            .count();
        // In 100 µs the DRAM serves 100 frames; 1,024 wait, two or three are in flight.
        assert!((1_124..1_130).contains(&accepted), "{accepted}");
        assert_eq!(pipeline.counters().dropped, 10_000 - accepted as u64);
    }
}
