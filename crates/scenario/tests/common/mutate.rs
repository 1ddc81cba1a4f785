//! Bounded fuzzing on a stable compiler: seeded mutations of valid inputs.
//!
//! `FLOWGLASS_FUZZ_SECONDS=N` makes each fuzz test run for N seconds with a seed of its own instead of a fixed
//! number of rounds; a failure prints the input.

use std::time::{Duration, Instant};

/// SplitMix64 (Steele, Lea, Flood 2014).
pub struct Random(u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `n`, which is above 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Numbers and texts at which parsers tend to break.
const NASTY: [&str; 24] = [
    "0",
    "-1",
    "-0",
    "4294967295",
    "4294967296",
    "2147483648",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999",
    "1e308",
    "1e-9",
    "NaN",
    "0.0000001",
    "3000000000",
    "1099511627777",
    "",
    " ",
    "\t",
    "\r\n",
    "\u{feff}",
    "\0",
    "➜",
    "->",
];

/// One to four random changes of `input`, with pieces of `other` spliced in at times.
pub fn mutate(random: &mut Random, input: &str, other: &str) -> String {
    let mut bytes = input.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.next() as u8,
            2 => bytes.truncate(at),
            3 => {
                let end = (at + random.below(20)).min(bytes.len());
                bytes.drain(at..end);
            }
            4 => {
                let from = random.below(other.len() + 1);
                let to = (from + random.below(60)).min(other.len());
                bytes.splice(at..at, other.as_bytes()[from..to].iter().copied());
            }
            5 => {
                let end = (at + random.below(40)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            6 => replace_a_number(random, &mut bytes),
            _ => {
                let nasty = random.pick(&NASTY);
                bytes.splice(at..at, nasty.bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn replace_a_number(random: &mut Random, bytes: &mut Vec<u8>) {
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|&i| bytes[i].is_ascii_digit() && (i == 0 || !bytes[i - 1].is_ascii_digit()))
        .collect();
    if starts.is_empty() {
        return;
    }
    let from = *random.pick(&starts);
    let to = (from..bytes.len())
        .find(|&i| !bytes[i].is_ascii_digit())
        .unwrap_or(bytes.len());
    let nasty = random.pick(&NASTY);
    bytes.splice(from..to, nasty.bytes());
}

/// Arbitrary text.
pub fn noise(random: &mut Random) -> String {
    let bytes: Vec<u8> = (0..random.below(300)).map(|_| random.next() as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs `check` on mutations of `inputs` and on noise; `rounds` times, or as long as the environment says.
pub fn fuzz(name: &str, inputs: &[String], rounds: u64, check: impl Fn(&str)) {
    let limit = std::env::var("FLOWGLASS_FUZZ_SECONDS").ok().map(|text| {
        let seconds = text
            .parse()
            .expect("FLOWGLASS_FUZZ_SECONDS is a whole number of seconds");
        Duration::from_secs(seconds)
    });
    let began = Instant::now();
    let seed = limit.map_or(1, |_| u64::from(std::process::id()));
    let mut random = Random(seed);
    let mut round = 0;
    while limit.map_or(round < rounds, |limit| began.elapsed() < limit) {
        round += 1;
        let input = if random.below(10) == 0 {
            noise(&mut random)
        } else {
            let (input, other) = (random.pick(inputs).clone(), random.pick(inputs));
            mutate(&mut random, &input, other)
        };
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&input)));
        assert!(
            outcome.is_ok(),
            "{name}: round {round} with seed {seed} fails on {input:?}"
        );
    }
}
