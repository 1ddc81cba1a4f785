//! How well the caches do for so many flows under a kind of traffic: by formula, and by the tables themselves.

use crate::config::{Config, InvalidConfig};
use crate::entry::{Flow, Lookup, Packet};
use crate::tables::FlowTables;
use crate::{Address, Direction, FlowKey, Protocol, Tuple};
use kernel::Time;
use kernel::rng::{self, Sequence, mix};
use thiserror::Error;

/// Which flow the next packet belongs to. Each packet is drawn for itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Traffic {
    /// All flows alike.
    Uniform,
    /// The k-th flow with a probability in proportion to k to the power of minus `exponent` (0 to 10).
    Zipf {
        /// 0 is uniform, about 1 usual for traffic of services.
        exponent: f64,
    },
}

/// What is to be studied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Study {
    /// The NIC.
    pub config: Config,
    /// Flows installed, all before the first packet; at most as many as the table holds.
    pub flows: u32,
    /// Their traffic.
    pub traffic: Traffic,
    /// Packets before counting begins.
    pub warm_up: u64,
    /// Packets counted, at most 10^10 like those before.
    pub packets: u64,
    /// Seed of keys and traffic.
    pub seed: u64,
}

/// Why a study can't be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StudyError {
    /// The NIC's parameters.
    #[error("{0}")]
    Config(#[from] InvalidConfig),
    /// No flows, or more than the table holds.
    #[error("{0} flows: from 1 to {1}, the size of the table, are allowed")]
    Flows(u32, u32),
    /// Too many packets.
    #[error("{0} packets: at most 10000000000 are allowed")]
    Packets(u64),
    /// No exponent.
    #[error("an exponent of {0}: from 0 to 10 are allowed")]
    Exponent(f64),
}

/// What a study found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Findings {
    /// Share of packets found at each of the three levels.
    pub hits: [f64; 3],
    /// Share of packets that were exceptions.
    pub exceptions: f64,
    /// Share of flows that were not in the second level when all had been installed.
    pub not_resident: f64,
    /// Bytes that the tables take.
    pub bytes: usize,
}

const MOST_PACKETS: u64 = 10_000_000_000;

/// The `number`-th flow of a study: no two are the same.
pub fn key(seed: u64, number: u32) -> FlowKey {
    // A bijection of 64 bits, so different numbers stay different.
    let bits = mix(rng::key(seed, 1, 0).wrapping_add(number.into()));
    let private = |bits: u64| Address::from_v4_bits(10 << 24 | (bits as u32 & 0xff_ffff));
    FlowKey {
        tuple: Tuple {
            src: private(bits),
            dst: private(bits >> 24),
            src_port: (bits >> 48) as u16,
            dst_port: 443,
            protocol: Protocol::TCP,
        },
        tni: 0,
        port: 0,
        direction: Direction::Out,
    }
}

/// Draws flows.
struct Draws {
    sequence: Sequence,
    flows: u32,
    /// For each flow how likely it or one before it is, times 2^63; none for uniform traffic.
    up_to: Vec<u64>,
}

impl Draws {
    fn new(study: &Study) -> Draws {
        let mut up_to = Vec::new();
        if let Traffic::Zipf { exponent } = study.traffic {
            let weight = |k: u32| libm::pow(f64::from(k), -exponent);
            let all: f64 = (1..=study.flows).map(weight).sum();
            let mut sum = 0.0;
            up_to.extend((1..=study.flows).map(|k| {
                sum += weight(k);
                (sum / all * (1u64 << 63) as f64) as u64
            }));
        }
        Draws {
            sequence: Sequence::new(rng::key(study.seed, 2, 0)),
            flows: study.flows,
            up_to,
        }
    }

    fn next(&mut self) -> u32 {
        if self.up_to.is_empty() {
            return self.sequence.below(self.flows.into()) as u32;
        }
        let at = self.sequence.below(1 << 63);
        let flow = self.up_to.partition_point(|&up_to| up_to <= at) as u32;
        flow.min(self.flows - 1)
    }
}

/// Installs the flows, sends the packets, and says what the caches did.
///
/// # Errors
/// [`StudyError`]; nothing was run then.
pub fn cache_study(study: &Study) -> Result<Findings, StudyError> {
    let most = study.config.flows;
    if study.flows == 0 || study.flows > most {
        return Err(StudyError::Flows(study.flows, most));
    }
    if let Some(&packets) = [study.warm_up, study.packets].iter().find(|&&n| n > MOST_PACKETS) {
        return Err(StudyError::Packets(packets));
    }
    if let Traffic::Zipf { exponent } = study.traffic
        && !(0.0..=10.0).contains(&exponent)
    {
        return Err(StudyError::Exponent(exponent));
    }
    let mut tables = FlowTables::new(&study.config)?;
    for number in 0..study.flows {
        let flow = Flow {
            key: key(study.seed, number),
            handle: number,
            ..Flow::default()
        };
        // The table has room for all: checked above.
        if let Ok(entry) = tables.add(&flow, Time::ZERO) {
            tables.activate(entry, Time::ZERO);
        }
    }
    let resident = tables.resident()[1];
    let mut draws = Draws::new(study);
    let mut hits = [0u64; 3];
    for number in 0..study.warm_up + study.packets {
        let packet = Packet {
            key: key(study.seed, draws.next()),
            bytes: 64,
            ..Packet::default()
        };
        let found = tables.lookup(Time::ZERO, &packet).lookup;
        if let Lookup::Hit { level, .. } = found
            && number >= study.warm_up
        {
            hits[level as usize] += 1;
        }
    }
    let share = |n: u64, all: u64| if all == 0 { 0.0 } else { n as f64 / all as f64 };
    let found: u64 = hits.iter().sum();
    Ok(Findings {
        hits: hits.map(|n| share(n, study.packets)),
        exceptions: share(study.packets - found, study.packets),
        not_resident: share((study.flows - resident).into(), study.flows.into()),
        bytes: tables.memory().total(),
    })
}

/// Share of packets that a direct-mapped cache of `sets` (at least 1) finds for `flows` flows (at least 1) under uniform
/// traffic: a packet is found if the last one of its set was of the same flow. With S sets and N flows that is
/// S (1 − (1 − 1/S)^N) / N.
pub fn direct_mapped_hits(sets: u32, flows: u32) -> f64 {
    let (sets, flows) = (f64::from(sets), f64::from(flows));
    sets * (1.0 - libm::pow(1.0 - 1.0 / sets, flows)) / flows
}

/// Share of flows that have no room in a cache of `sets` sets of `ways`: the flows in a set are Poisson-distributed.
pub fn without_room(sets: u32, ways: u8, flows: u32) -> f64 {
    let mean = f64::from(flows) / f64::from(sets);
    // What all sets hold on average: the sum of min(k, ways) over k.
    let mut probability = libm::exp(-mean);
    let mut below = 0.0;
    let mut held = 0.0;
    for k in 0..ways {
        below += probability;
        held += f64::from(k) * probability;
        probability *= mean / f64::from(k + 1);
    }
    held += f64::from(ways) * (1.0 - below);
    (1.0 - held / mean).max(0.0)
}

#[cfg(test)]
mod tests;
