//! Prime and probe (Osvik, Shamir and Tromer 2006) on the first level that VMs share: what one VM learns of whether a neighbour's
//! flow was active, from how long its own packets take.
//!
//! In each round a spy sends packets of his own flows (prime), then the neighbour sends a packet of the target flow or not, each
//! in half of the rounds, with packets of other flows of his, and then the spy sends his packets again (probe). One that was
//! thrown out of the first level meanwhile takes a read of the card's DRAM longer. The spy is given more than he would have: an
//! otherwise idle card, a clock that reads the card's own times, and who sends when.

use crate::config::{Config, InvalidConfig};
use crate::entry::{Flow, Packet};
use crate::nic::Nic;
use crate::toeplitz::{RSS_KEY, Toeplitz};
use crate::{Address, Direction, FlowKey, Protocol, Tuple};
use kernel::Time;
use kernel::rng::{self, Sequence};
use thiserror::Error;

/// What the spy primes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The target's set: as many flows as it has ways, chosen by the public key of the hash, [`RSS_KEY`]. When the card's key is
    /// another, or its first level is parted, they lie elsewhere.
    Set,
    /// All sets: as many flows at random as the first level has entries, so that 1 − 1/e of the sets of a direct-mapped level have
    /// one. No key is needed.
    Everywhere,
}

/// The experiment. Spy and neighbour have ports 1 and 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The card.
    pub config: Config,
    /// What the spy primes.
    pub aim: Aim,
    /// Packets of the neighbour's other flows in each round, at most 100,000.
    pub others: u32,
    /// How often the spy sends all his flows to prime, 1 to 1,000: once will do unless replacement is random.
    pub passes: u32,
    /// What is added to each reading of the spy's: even between 0 and this, at most 1 ms, and 0 with [`Aim::Everywhere`]. Departures
    /// that are delayed so, or a clock as coarse as that.
    pub noise: Time,
    /// Rounds, 1 to 10,000,000.
    pub rounds: u32,
    /// Seed.
    pub seed: u64,
}

/// Why an experiment can't be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProbeError {
    /// The card.
    #[error("{0}")]
    Config(#[from] InvalidConfig),
    /// A number.
    #[error("{0} is {1}: from {2} to {3} are allowed")]
    Range(&'static str, u64, u64, u64),
    /// Too few flows fall into the target's set: its level is too large for the search.
    #[error("no flows for the target's set among {0} tried")]
    NoFlows(u32),
}

/// Rounds by what was and what the spy saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// By whether the target was active (no, yes), by what he saw: it was not, it can't be said, it was.
    pub rounds: [[u64; 3]; 2],
}

impl Seen {
    /// Share of rounds in which the spy is right, a coin deciding those of which he can't say. 0.5 is a coin alone.
    pub fn accuracy(&self) -> f64 {
        let all: u64 = self.rounds.iter().flatten().sum();
        let [idle, active] = self.rounds;
        let right = (idle[0] + active[2]) as f64 + (idle[1] + active[1]) as f64 / 2.0;
        right / all.max(1) as f64
    }

    /// Mutual information of what was and what he saw, in bits for each round: 1 is all, 0 nothing. Estimated by frequencies,
    /// which is too high by about (rows − 1)(columns − 1)/(2 n ln 2) bits for n rounds (Miller 1955).
    pub fn information(&self) -> f64 {
        let all = self.rounds.iter().flatten().sum::<u64>() as f64;
        let row = |i: usize| self.rounds[i].iter().sum::<u64>() as f64;
        let column = |j: usize| (self.rounds[0][j] + self.rounds[1][j]) as f64;
        let mut bits = 0.0;
        for (i, outcomes) in self.rounds.iter().enumerate() {
            for (j, &n) in outcomes.iter().enumerate() {
                if n > 0 {
                    let n = n as f64;
                    bits += n / all * libm::log2(n * all / (row(i) * column(j)));
                }
            }
        }
        bits.max(0.0)
    }
}

/// Ports of the card.
const SPY: u16 = 1;
const NEIGHBOUR: u16 = 2;
/// Flows of the neighbour's that may be the target: rounds take turns.
const TARGETS: u32 = 32;
/// Other flows of the neighbour's.
const OTHERS: u32 = 16_384;
/// Flows that are tried for the target's set: 64 for each set of the largest first level.
const TRIES: u32 = 1 << 22;
/// Between two packets: the card is idle again.
const APART: Time = Time::from_us(2);
/// Frame bytes of each packet.
const BYTES: u32 = 64;

/// Spreads numbers below [`TRIES`] over each other: odd, so no two are the same. In order they would fill the sets evenly, as
/// Toeplitz is linear.
const SCATTER: u32 = 0x9e37_79b1;

/// The `number`-th UDP flow of a port.
fn flow(port: u16, number: u32) -> FlowKey {
    let number = number.wrapping_mul(SCATTER) % TRIES;
    FlowKey {
        tuple: Tuple {
            src: Address::v4(10, 1, 0, 3 + port as u8),
            dst: Address::from_v4_bits(0x0a01_8000 + (number >> 14)),
            src_port: 1_024 + (number & 0x3fff) as u16,
            dst_port: 7,
            protocol: Protocol::UDP,
        },
        tni: 0,
        port,
        direction: Direction::Out,
    }
}

/// The card, and what time it is.
struct Bench {
    nic: Nic,
    now: Time,
}

impl Bench {
    fn install(&mut self, key: FlowKey, handle: u32) {
        let flow = Flow {
            key,
            handle,
            ..Flow::default()
        };
        // The table has room for all of them, and commands are given one at a time.
        if let Ok((_, active)) = self.nic.install(self.now, &flow) {
            self.now = active + APART;
        }
    }

    /// How long a packet takes through the card; nothing where it was no hit.
    fn send(&mut self, key: FlowKey) -> Time {
        let packet = Packet {
            key,
            bytes: BYTES,
            ..Packet::default()
        };
        let passage = self.nic.receive(self.now, &packet);
        let took = passage.map_or(Time::ZERO, |passage| passage.departure.saturating_sub(self.now));
        self.now += APART;
        took
    }
}

/// Flows of the spy's for each target.
fn chosen(probe: &Probe) -> Result<Vec<Vec<FlowKey>>, ProbeError> {
    let shape = &probe.config.l1;
    let mask = shape.sets() - 1;
    let hash = Toeplitz::new(&RSS_KEY);
    let ways = usize::from(shape.ways);
    let mut number = 0;
    let mut all = Vec::new();
    for target in 0..TARGETS {
        let set = hash.hash_key(&flow(NEIGHBOUR, target)) & mask;
        let mut own = Vec::new();
        while own.len() < ways {
            if number == TRIES {
                return Err(ProbeError::NoFlows(TRIES));
            }
            let key = flow(SPY, number);
            number += 1;
            if hash.hash_key(&key) & mask == set {
                own.push(key);
            }
        }
        all.push(own);
    }
    Ok(all)
}

fn range(name: &'static str, value: u64, least: u64, most: u64) -> Result<(), ProbeError> {
    if value < least || value > most {
        return Err(ProbeError::Range(name, value, least, most));
    }
    Ok(())
}

/// Makes the experiment.
///
/// # Errors
/// [`ProbeError`]; nothing was run then.
pub fn prime_and_probe(probe: &Probe) -> Result<Seen, ProbeError> {
    range("others", probe.others.into(), 0, 100_000)?;
    range("passes", probe.passes.into(), 1, 1_000)?;
    range("noise", probe.noise.ps(), 0, 1_000_000_000)?;
    range("rounds", probe.rounds.into(), 1, 10_000_000)?;
    if probe.aim == Aim::Everywhere {
        range("noise", probe.noise.ps(), 0, 0)?;
        range("l1.entries", probe.config.l1.entries.into(), 1, 65_536)?;
    }
    let config = &probe.config;
    range(
        "flows",
        config.flows.into(),
        u64::from(TARGETS + OTHERS + config.l1.entries) + 16 * u64::from(TARGETS),
        u64::MAX,
    )?;
    let mut bench = Bench {
        nic: Nic::new(config)?,
        now: Time::ZERO,
    };
    let mut bits = Sequence::new(rng::key(probe.seed, 3, 0));
    let spies = match probe.aim {
        Aim::Set => chosen(probe)?,
        Aim::Everywhere => {
            let first = bits.below(1 << 20) as u32;
            vec![(0..config.l1.entries).map(|i| flow(SPY, first + i)).collect()]
        }
    };
    for (handle, &key) in (0..).zip(spies.iter().flatten()) {
        bench.install(key, handle);
    }
    for number in 0..TARGETS + OTHERS {
        bench.install(flow(NEIGHBOUR, number), 1 << 23 | number);
    }
    let slow = fast_time(config) + config.pipeline.dram_access;
    let mut seen = Seen::default();
    // How many of the spy's own flows throw each other out, of each target's: he has tried it.
    let mut usual = vec![None; spies.len()];
    let warm_up = spies.len() as u32;
    for round in 0..probe.rounds.saturating_add(warm_up) {
        let target = round % TARGETS;
        let which = round as usize % spies.len();
        let own = &spies[which];
        for _ in 0..probe.passes {
            for &key in own {
                bench.send(key);
            }
        }
        // The first round for each target tells him what is usual.
        let trial = round < warm_up;
        let active = !trial && bits.below(2) == 1;
        let others = if trial { 0 } else { probe.others };
        let place = bits.below(u64::from(others) + 1) as u32;
        for i in 0..=others {
            if i == place && active {
                bench.send(flow(NEIGHBOUR, target));
            }
            if i < others {
                let other = TARGETS + bits.below(OTHERS.into()) as u32;
                bench.send(flow(NEIGHBOUR, other));
            }
        }
        let mut surely_slow = 0;
        let mut unsure = 0;
        // From the last on: what one of them throws out has been read already.
        for &key in own.iter().rev() {
            let noise = if probe.noise == Time::ZERO {
                Time::ZERO
            } else {
                Time(bits.below(probe.noise.ps()))
            };
            let reading = bench.send(key) + noise;
            if reading >= fast_time(config) + probe.noise.max(Time(1)) {
                surely_slow += 1;
            } else if reading >= slow {
                unsure += 1;
            }
        }
        let usual = usual[which].get_or_insert(surely_slow);
        if trial {
            continue;
        }
        let saw = if surely_slow > *usual {
            2
        } else if unsure > 0 {
            1
        } else {
            0
        };
        seen.rounds[usize::from(active)][saw] += 1;
    }
    Ok(seen)
}

/// What a packet takes that the first level has, on an idle card.
fn fast_time(config: &Config) -> Time {
    crate::Pipeline::new(&config.pipeline)
        .accept(Time::ZERO, BYTES, crate::Level::L1)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
