//! The NIC's caches: hit rates, residency, and what lies past them.

use super::{host, share};
use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use crate::evidence::run::Stopped;
use gft::study::{Study, Traffic, cache_study};
use serde_json::json;

/// Flows, and the share of packets in percent that a direct-mapped L1 of 2,048 finds: the formula of facts 2.4 to four digits.
const L1: [(u32, f64); 12] = [
    (64, 98.48),
    (128, 96.96),
    (256, 94.02),
    (512, 88.50),
    (1_000, 79.13),
    (2_048, 63.22),
    (4_096, 43.24),
    (8_192, 24.54),
    (10_000, 20.33),
    (100_000, 2.048),
    (500_000, 0.4096),
    (1_000_000, 0.2048),
];

/// Flows, and the share of them in percent that finds no room in 2^20 places of 1, 2, 4, 8 and 16 ways: with X Poisson-distributed
/// around L flows in a set of W ways, the mean of X − W where that is positive, by L (facts 2.4, to four digits).
const L2: [(u32, [f64; 5]); 5] = [
    (250_000, [11.03, 3.003, 0.3705, 0.010_80, 0.000_02]),
    (500_000, [20.46, 9.625, 3.286, 0.6587, 0.050_67]),
    (750_000, [28.57, 17.55, 9.524, 4.336, 1.490]),
    (1_000_000, [35.55, 25.56, 17.82, 12.11, 7.994]),
    (2_000_000, [55.36, 50.93, 48.59, 47.74, 47.58]),
];
/// Runs that the tolerance of a share is made for.
const SEEDS: f64 = 10.0;

/// Packets of a study; the statistical error of a share is then below 0.1 points.
const PACKETS: u64 = 300_000;
/// Studies that are short, and where a few seeds suffice: with fewer flows the number of sets that several share differs much.
const QUICK: std::ops::Range<u32> = 4_096..20_000;

pub(super) fn all() -> Vec<Experiment> {
    vec![l1(), l2(), cliff_l1(), cliff_l2()]
}

/// A share of `drawn` things in each run: ours agrees within 1 % of it, or within four standard errors of the mean of ten runs
/// where those are more. Where hardly one thing is expected in ten runs, one in two runs would be too many.
fn share_of(drawn: u64, quantity: String, percent: f64) -> Row {
    let row = Row::number(quantity, "%", percent, Known::Derived);
    let all = drawn as f64 * SEEDS;
    let error = (percent / 100.0 / all).sqrt() * 100.0;
    let digits = |value: f64| (value * 1e5).round() / 1e5;
    if percent / 100.0 * all < 1.0 {
        row.at_most(digits(50.0 / drawn as f64))
    } else if 4.0 * error <= percent / 100.0 {
        row.within(1.0)
    } else {
        row.from_to(
            digits(percent - 4.0 * error),
            digits(percent + 4.0 * error),
            "four standard errors of ten runs",
        )
    }
}

fn study(flows: u32, ways: u8, packets: u64, seed: u64) -> Result<gft::study::Findings, Stopped> {
    let mut config = gft::Config::default();
    config.l2.ways = ways;
    config.flows = config.flows.max(flows);
    let study = Study {
        config,
        flows,
        traffic: Traffic::Uniform,
        warm_up: packets.min(u64::from(flows) * 8),
        packets,
        seed,
    };
    cache_study(&study).map_err(|e| Stopped::Failed(e.to_string()))
}

fn l1() -> Experiment {
    Experiment {
        id: "l1-hits",
        title: "Hits of the cache on the chip",
        source: "facts 2.4: S (1 − (1 − 1/S)^N) / N for S = 2,048 sets (published size, direct-mapped), uniform traffic; to four digits",
        scaling: "none: full-size tables, keys drawn by the seed, hashed by Toeplitz",
        measured: "share of 300,000 packets found in L1 after a warm-up, each packet looked up in the simulator's tables",
        cases: L1
            .map(|(flows, percent)| Case {
                work: Work::Seeded(Box::new(move |seed| {
                    Ok(vec![study(flows, 8, PACKETS, seed)?.hits[0] * 100.0])
                })),
                rows: vec![
                    share_of(PACKETS, format!("{flows} flows"), percent)
                        .because("how many sets flows share differs from seed to seed"),
                ],
                quick: QUICK.contains(&flows),
            })
            .into(),
    }
}

fn l2() -> Experiment {
    let case = |flows: u32, percents: [f64; 5]| {
        [1u8, 2, 4, 8, 16]
            .into_iter()
            .zip(percents)
            .map(move |(ways, percent)| Case {
                work: Work::Seeded(Box::new(move |seed| {
                    Ok(vec![study(flows, ways, 0, seed)?.not_resident * 100.0])
                })),
                rows: vec![share_of(
                    flows.into(),
                    format!("{flows} flows, {ways}-way"),
                    percent,
                )],
                quick: false,
            })
    };
    Experiment {
        id: "l2-residency",
        title: "Flows that find no room in the card's DRAM",
        source: "facts 2.4: flows in a set are Poisson-distributed; 2^20 entries (published size); to four digits",
        scaling: "none: full-size tables, keys drawn by the seed",
        measured: "share of the flows that are not in L2 when all have been put in",
        cases: L2
            .into_iter()
            .flat_map(|(flows, percents)| case(flows, percents))
            .collect(),
    }
}

fn cliff_l1() -> Experiment {
    let case = |flows: u32, quick: bool| {
        host(
            "host-cache-cliff-l1",
            vec![("traffic[0].flows", json!(flows))],
            quick,
            vec![
                Row::question(format!("{flows} flows: packets found on the chip"), "%"),
                Row::question(format!("{flows} flows: packets that arrive"), "Mpps"),
            ],
            Box::new(|run| {
                run.to_end()?;
                let statistics = run.run().nic().tables().statistics();
                let seconds = run.run().now().0 as f64 / 1e12;
                Ok(vec![
                    share(statistics.l1_cache_hits, statistics.packets) * 100.0,
                    run.traffic(0).arrived as f64 / seconds / 1e6,
                ])
            }),
        )
    };
    Experiment {
        id: "cliff-l1",
        title: "Past the cache on the chip",
        source: "the paper gives sizes, but neither the cost of a miss nor the rate of the DRAM (facts 11)",
        scaling: "64-byte packets offered at 45 Mpps for 1 ms; one access to DRAM takes 200 ns and 25 million a second are served \
                  (our choices, the latter half of the default, so that the cliff shows below line rate)",
        measured: "over the whole run",
        cases: vec![
            case(1_024, true),
            case(4_096, false),
            case(16_384, false),
            case(65_536, false),
        ],
    }
}

fn cliff_l2() -> Experiment {
    let case = |flows: u32, entries: &str| {
        host(
            "host-cache-cliff-l2",
            vec![("traffic[0].flows", json!(flows))],
            false,
            vec![
                Row::question(format!("{flows} flows ({entries}): packets that arrive"), "%"),
                Row::question(format!("{flows} flows: load of the exception core"), "%"),
            ],
            Box::new(|run| {
                run.to_end()?;
                let traffic = run.traffic(0);
                Ok(vec![
                    share(traffic.arrived, traffic.packets) * 100.0,
                    run.run().core_load()[0] * 100.0,
                ])
            }),
        )
    };
    Experiment {
        id: "cliff-l2",
        title: "Past the table in DRAM",
        source: "DASH's authors measured NICs at 10 % of their throughput once flows were out of the connection cache (facts 2.4); \
                 for AccelNet no number is published",
        scaling: "a table of 16,384 entries, 8-way, instead of 2^20; each flow has two entries; 500,000 packets per second offered \
                  for 50 ms; replacement LRU, one exception core (our choices)",
        measured: "over the whole run",
        cases: vec![
            case(4_096, "half the table"),
            case(8_192, "the whole table"),
            case(12_288, "1.5 tables"),
            case(24_576, "three tables"),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::experiment::Accept;

    /// Nothing found, nothing without room, and twice or half of what is right are wrong.
    #[test]
    fn rules_can_fail() {
        for experiment in [l1(), l2()] {
            for row in experiment.cases.iter().flat_map(|case| &case.rows) {
                let (Accept::Between { low, high, .. }, Some(value)) = (&row.accept, row.value) else {
                    panic!("{}: a number with a rule", row.quantity);
                };
                if value < 1e-4 {
                    // 0.05 flows are expected: none or one in ten runs. Five are too many: 2 · 10⁻⁶ of 250,000.
                    assert_eq!((*low, *high), (f64::NEG_INFINITY, 0.000_2), "{}", row.quantity);
                    continue;
                }
                assert!(
                    0.7 * value < *low && *low < value && value < *high && *high < 1.3 * value,
                    "{}: {low} to {high}",
                    row.quantity
                );
            }
        }
    }

    #[test]
    fn tolerances_by_hand() {
        let row = share_of(1_000, "x".into(), 40.0);
        // 4 · √(0.4 / 10,000) = 2.53 points.
        let expected = Accept::Between {
            low: 37.470_18,
            high: 42.529_82,
            rule: "37.47018 to 42.52982 (four standard errors of ten runs)".into(),
        };
        assert_eq!(row.accept, expected);
        // 4 · √(0.4 / 10⁷) = 0.08 points, less than 1 %.
        let row = share_of(1_000_000, "x".into(), 40.0);
        assert!(matches!(row.accept, Accept::Between { low, high, .. } if (low, high) == (39.6, 40.4)));
    }
}
