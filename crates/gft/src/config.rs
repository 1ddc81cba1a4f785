//! The parameters of the NIC, each with its source.

use crate::toeplitz::{RSS_KEY, RSS_KEY_BYTES};
use kernel::Time;
use std::fmt;
use thiserror::Error;

/// How sure a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Published for this design.
    Published,
    /// Documented for a design like it, or for its public interface.
    Documented,
    /// Nothing is published: our choice.
    OurChoice,
}

/// Who has to go when a set is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Replacement {
    /// The only one there: for sets of one way.
    Direct,
    /// The one unused for longest.
    Lru,
    /// The first without its used bit, from the hand on, which clears the bits it passes (Corbató 1968).
    Clock,
    /// Any, drawn from the seed.
    Random,
    /// The one with the lowest cache hint, of equal ones the one unused for longest. Where all have a higher hint than the
    /// newcomer, that one stays out (our choice; the public interface has the hints and no rule).
    Hint,
}

/// One level of the flow cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheShape {
    /// Flows it holds.
    pub entries: u32,
    /// Flows in one set, 1 to 16. `entries` divided by it, the number of sets, is a power of two.
    pub ways: u8,
    /// Who has to go.
    pub replacement: Replacement,
}

impl CacheShape {
    /// How many sets there are.
    pub const fn sets(&self) -> u32 {
        self.entries / self.ways as u32
    }
}

/// One direction's pipeline: store-and-forward buffer, parser, match, action. All of it is our choice but for the stages
/// themselves, which are published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipelineShape {
    /// Bytes that pass a stage in one cycle, 1 to 1,024.
    pub width_bytes: u32,
    /// One clock cycle, 100 ps to 1 µs.
    pub cycle: Time,
    /// Cycles in the buffer beyond the frame's own, at most 10,000 like all cycles here.
    pub buffer_cycles: u32,
    /// Cycles in the parser.
    pub parser_cycles: u32,
    /// Cycles of hash and first-level lookup.
    pub match_cycles: u32,
    /// Cycles of the action stage.
    pub action_cycles: u32,
    /// Size of the buffer in bytes, 2,048 to 1,048,576. A frame that does not fit is dropped.
    pub buffer_bytes: u32,
    /// Rate of the line behind it in bit/s, 10^6 to 10^13; `None` where the caller serialises the frame.
    pub line_bits_per_s: Option<u64>,
    /// One read of a set of the second level in the DRAM on the card.
    pub dram_access: Time,
    /// Such reads a second. A card has two DRAM channels; each direction has one to itself.
    pub dram_accesses_per_s: u64,
    /// One read of the third level in the host's memory, over PCIe.
    pub host_access: Time,
    /// Such reads a second.
    pub host_accesses_per_s: u64,
}

/// How software's commands get to the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandShape {
    /// The card works on one command for this long.
    pub command_time: Time,
    /// Commands that wait at most, 1 to 1,048,576; more are refused.
    pub depth: u32,
    /// From the end of an add until the entry is in the table, deactivated.
    pub add_latency: Time,
    /// From the end of an activation until the entry matches.
    pub activate_latency: Time,
}

/// How counters get back to software.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterShape {
    /// Time between two reports, at least 1 µs.
    pub period: Time,
    /// Entries in one report at most, 1 to 1,048,576; the others that changed wait for the next.
    pub batch: u32,
}

/// The whole NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Key of the Toeplitz hash.
    pub rss_key: [u8; RSS_KEY_BYTES],
    /// Flows that may be installed, 1 to [`Config::MOST_FLOWS`].
    pub flows: u32,
    /// The cache on the chip.
    pub l1: CacheShape,
    /// Parts of the cache on the chip, a power of two up to its number of sets. A port has the part that the lower bits of its number
    /// name, and the hash chooses a set within it: ports of different parts see nothing of each other there. 1: all share it.
    pub l1_partitions: u32,
    /// The table in the DRAM on the card.
    pub l2: CacheShape,
    /// Whether what does not fit L2 is looked up in the host's memory. Without this level such a flow's packets are exceptions.
    pub l3: bool,
    /// Both pipelines.
    pub pipeline: PipelineShape,
    /// Installing.
    pub commands: CommandShape,
    /// Counting.
    pub counters: CounterShape,
    /// Seed of random replacement.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            rss_key: RSS_KEY,
            flows: 2_000_000,
            l1: CacheShape {
                entries: 2_048,
                ways: 1,
                replacement: Replacement::Direct,
            },
            l1_partitions: 1,
            l2: CacheShape {
                entries: 1 << 20,
                ways: 8,
                replacement: Replacement::Lru,
            },
            l3: false,
            pipeline: PipelineShape {
                width_bytes: 32,
                cycle: Time::from_ns(5),
                buffer_cycles: 4,
                parser_cycles: 16,
                match_cycles: 8,
                action_cycles: 16,
                buffer_bytes: 65_536,
                line_bits_per_s: None,
                dram_access: Time::from_ns(200),
                dram_accesses_per_s: 50_000_000,
                host_access: Time::from_us(1),
                host_accesses_per_s: 5_000_000,
            },
            commands: CommandShape {
                command_time: Time::from_ns(250),
                depth: 4_096,
                add_latency: Time::from_us(2),
                activate_latency: Time::from_us(2),
            },
            counters: CounterShape {
                period: Time::from_ms(1_000),
                batch: 65_536,
            },
            seed: 0,
        }
    }
}

/// What is known about one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in [`Config`].
    pub name: &'static str,
    /// How sure its default is.
    pub status: Status,
    /// Where the default comes from.
    pub source: &'static str,
}

const fn published(name: &'static str, source: &'static str) -> Parameter {
    Parameter {
        name,
        status: Status::Published,
        source,
    }
}

const fn chosen(name: &'static str, source: &'static str) -> Parameter {
    Parameter {
        name,
        status: Status::OurChoice,
        source,
    }
}

/// Where each default comes from.
pub const PARAMETERS: [Parameter; 29] = [
    Parameter {
        name: "rss_key",
        status: Status::Documented,
        source: "the verification key of the Windows RSS documentation; that the hash is Toeplitz is published",
    },
    chosen("flows", "room for twice the second level"),
    published(
        "l1.entries",
        "2K flows on the chip, in summaries of the AccelNet paper",
    ),
    published("l1.ways", "direct-mapped, in the review of the AccelNet paper"),
    published("l1.replacement", "follows from direct mapping"),
    chosen(
        "l1_partitions",
        "1: nothing is published that would part it by VM; more is a defence against neighbours that time it",
    ),
    published(
        "l2.entries",
        "1M flows in DRAM, in summaries of the AccelNet paper",
    ),
    chosen("l2.ways", "8, as far as remembered from the paper; not verified"),
    chosen("l2.replacement", "nothing is published"),
    chosen(
        "l3",
        "the public interface counts a third level; what it is, is not published",
    ),
    chosen(
        "pipeline.width_bytes",
        "with the clock 51.2 Gb/s, above a 40 Gb/s line",
    ),
    chosen("pipeline.cycle", "200 MHz, usual for such a design"),
    chosen(
        "pipeline.buffer_cycles",
        "with the other stages below 1 µs for each frame",
    ),
    chosen("pipeline.parser_cycles", "as above"),
    chosen("pipeline.match_cycles", "as above"),
    chosen("pipeline.action_cycles", "as above"),
    chosen("pipeline.buffer_bytes", "about 40 full frames"),
    chosen("pipeline.line_bits_per_s", "the wire is the caller's"),
    chosen(
        "pipeline.dram_access",
        "one random DDR access through a controller",
    ),
    chosen("pipeline.dram_accesses_per_s", "ten reads under way at a time"),
    chosen("pipeline.host_access", "one read over PCIe"),
    chosen("pipeline.host_accesses_per_s", "five reads under way at a time"),
    chosen(
        "commands.command_time",
        "4 million a second, far above what software can create",
    ),
    chosen("commands.depth", "a ring of usual size"),
    chosen(
        "commands.add_latency",
        "two crossings of PCIe and the writing of a table",
    ),
    chosen("commands.activate_latency", "as for adding"),
    chosen(
        "counters.period",
        "the public interface has updates by period and gives none",
    ),
    chosen("counters.batch", "a million flows in 16 reports"),
    chosen("seed", "any"),
];

/// One thing that is wrong with a [`Config`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The parameter's name.
    pub name: &'static str,
    /// What is wrong, and what was expected.
    pub message: String,
}

/// All that is wrong with a [`Config`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct InvalidConfig(pub Vec<Problem>);

impl fmt::Display for InvalidConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Problem { name, message }) in self.0.iter().enumerate() {
            let lead = if i == 0 { "" } else { "; " };
            write!(f, "{lead}{name} {message}")?;
        }
        Ok(())
    }
}

impl Config {
    /// The largest table: 4,194,304 flows.
    pub const MOST_FLOWS: u32 = 1 << 22;
    /// Ways of a set at most.
    pub const MOST_WAYS: u8 = 16;

    /// Finds what is wrong.
    ///
    /// # Errors
    /// [`InvalidConfig`] with every problem.
    pub fn check(&self) -> Result<(), InvalidConfig> {
        let mut problems = Vec::new();
        let mut range = |name, value: u64, least: u64, most: u64, unit: &str| {
            if value < least || value > most {
                problems.push(Problem {
                    name,
                    message: format!("is {value}{unit}: from {least} to {most}{unit} are allowed"),
                });
            }
        };
        let most_flows = u64::from(Config::MOST_FLOWS);
        range("flows", self.flows.into(), 1, most_flows, "");
        for (names, shape) in [
            (["l1.entries", "l1.ways"], &self.l1),
            (["l2.entries", "l2.ways"], &self.l2),
        ] {
            range(names[0], shape.entries.into(), 1, most_flows, "");
            range(names[1], shape.ways.into(), 1, Config::MOST_WAYS.into(), "");
        }
        let p = &self.pipeline;
        range("pipeline.width_bytes", p.width_bytes.into(), 1, 1_024, " bytes");
        range("pipeline.cycle", p.cycle.ps(), 100, 1_000_000, " ps");
        for (name, cycles) in [
            ("pipeline.buffer_cycles", p.buffer_cycles),
            ("pipeline.parser_cycles", p.parser_cycles),
            ("pipeline.match_cycles", p.match_cycles),
            ("pipeline.action_cycles", p.action_cycles),
        ] {
            range(name, cycles.into(), 0, 10_000, " cycles");
        }
        range(
            "pipeline.buffer_bytes",
            p.buffer_bytes.into(),
            2_048,
            1 << 20,
            " bytes",
        );
        if let Some(rate) = p.line_bits_per_s {
            range(
                "pipeline.line_bits_per_s",
                rate,
                1_000_000,
                10_000_000_000_000,
                " bit/s",
            );
        }
        let second = Time::from_ms(1_000).ps();
        for (name, time) in [
            ("pipeline.dram_access", p.dram_access),
            ("pipeline.host_access", p.host_access),
            ("commands.command_time", self.commands.command_time),
            ("commands.add_latency", self.commands.add_latency),
            ("commands.activate_latency", self.commands.activate_latency),
        ] {
            range(name, time.ps(), 0, second, " ps");
        }
        for (name, rate) in [
            ("pipeline.dram_accesses_per_s", p.dram_accesses_per_s),
            ("pipeline.host_accesses_per_s", p.host_accesses_per_s),
        ] {
            range(name, rate, 1, 1_000_000_000_000, " a second");
        }
        range("commands.depth", self.commands.depth.into(), 1, 1 << 20, "");
        range(
            "counters.period",
            self.counters.period.ps(),
            1_000_000,
            3_600 * second,
            " ps",
        );
        range("counters.batch", self.counters.batch.into(), 1, 1 << 20, "");
        for (name, shape) in [("l1", &self.l1), ("l2", &self.l2)] {
            problems.extend(shape.check(name));
        }
        let (parts, sets) = (
            self.l1_partitions,
            self.l1.entries / u32::from(self.l1.ways).max(1),
        );
        if !parts.is_power_of_two() || parts > sets {
            problems.push(Problem {
                name: "l1_partitions",
                message: format!("is {parts}: a power of two up to the {sets} sets of l1 is allowed"),
            });
        }
        if problems.is_empty() {
            Ok(())
        } else {
            Err(InvalidConfig(problems))
        }
    }
}

impl CacheShape {
    /// What is wrong with how entries, ways and replacement go together.
    fn check(&self, name: &'static str) -> Option<Problem> {
        if self.ways == 0 || self.entries == 0 {
            return None;
        }
        let message = if !self.entries.is_multiple_of(u32::from(self.ways)) || !self.sets().is_power_of_two()
        {
            format!(
                "has {} entries in sets of {}: the number of sets has to be a power of two",
                self.entries, self.ways
            )
        } else if self.replacement == Replacement::Direct && self.ways != 1 {
            format!(
                "has sets of {} and direct mapping, which has sets of 1",
                self.ways
            )
        } else {
            return None;
        };
        Some(Problem { name, message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_valid_and_their_sources_known() {
        assert_eq!(Config::default().check(), Ok(()));
        let names: std::collections::BTreeSet<_> = PARAMETERS.iter().map(|p| p.name).collect();
        assert_eq!(names.len(), PARAMETERS.len());
        for name in ["l1.entries", "l1.ways", "l2.entries"] {
            let parameter = PARAMETERS.iter().find(|p| p.name == name).unwrap();
            assert_eq!(parameter.status, Status::Published, "{name}");
        }
    }

    #[test]
    fn each_problem_is_named() {
        let mut config = Config {
            flows: 0,
            ..Config::default()
        };
        config.l1.ways = 2;
        config.l2.entries = 1_000_000;
        config.pipeline.cycle = Time::ZERO;
        config.counters.batch = 0;
        let text = config.check().unwrap_err().to_string();
        assert_eq!(
            text,
            "flows is 0: from 1 to 4194304 are allowed; pipeline.cycle is 0 ps: from 100 to 1000000 ps are allowed; \
             counters.batch is 0: from 1 to 1048576 are allowed; l1 has sets of 2 and direct mapping, which has sets of 1; \
             l2 has 1000000 entries in sets of 8: the number of sets has to be a power of two"
        );
    }

    #[test]
    fn sets_of_no_power_of_two_ways_are_allowed() {
        let shape = CacheShape {
            entries: 3 << 10,
            ways: 12,
            replacement: Replacement::Lru,
        };
        assert_eq!((shape.sets(), shape.check("l2")), (256, None));
    }
}
