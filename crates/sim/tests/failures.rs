//! Nothing is lost: under any mix of failures each completed message is placed exactly once and intact, or its QP is in
//! ERROR and says why.

mod common;

use common::scenario;
use kernel::Time;
use kernel::rng::{below, draw};
use sim::Sim;
use sim::observer::Nobody;

/// Random numbers of one seed.
struct Dice {
    seed: u64,
    thrown: u64,
}

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.thrown += 1;
        below(draw(self.seed, self.thrown), bound)
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// A small fabric with every kind of traffic, settings and failure that the schema knows.
fn random(seed: u64) -> String {
    let mut dice = Dice { seed, thrown: 0 };
    let planes = [1, 2, 4][dice.below(3) as usize];
    let (t0s, t1s, per_t0) = (1 + dice.below(3), 1 + dice.below(4), 2 + dice.below(2));
    let nics = t0s * per_t0;
    let traffic = (0..1 + dice.below(2)).map(|_| {
        let bytes = 1 + dice.below(120_000);
        match dice.below(4) {
            0 => format!(
                r#"{{"kind": "permutation", "shift": {}, "bytes": {bytes}, "messages": {}, "imm": {}}}"#,
                1 + dice.below(nics - 1),
                1 + dice.below(4),
                dice.below(2) == 0
            ),
            1 => format!(
                r#"{{"kind": "incast", "dst": {}, "senders": {}, "bytes": {bytes}}}"#,
                dice.below(nics),
                1 + dice.below(nics - 1)
            ),
            2 => format!(r#"{{"kind": "all_to_all", "nics": {nics}, "bytes": {}}}"#, 1 + bytes / 8),
            _ => format!(
                r#"{{"kind": "job", "collective": "{}", "ranks": {nics}, "bytes": {bytes}, "steps": {}, "compute": "{}us"}}"#,
                dice.one_of(&["ring_all_reduce", "reduce_scatter", "all_gather", "all_to_all", "permutation", "incast"]),
                1 + dice.below(3),
                dice.below(20)
            ),
        }
    });
    let traffic: Vec<String> = traffic.collect();
    let faults: Vec<String> = (0..1 + dice.below(6))
        .map(|_| {
            let at = dice.below(80);
            let plane = dice.below(planes);
            let link = if dice.below(2) == 0 {
                format!("p{plane}/n{}", dice.below(nics))
            } else {
                format!("p{plane}/t0.{}-t1.{}", dice.below(t0s), dice.below(t1s))
            };
            let switch = if dice.below(2) == 0 {
                format!("p{plane}/t0.{}", dice.below(t0s))
            } else {
                format!("p{plane}/t1.{}", dice.below(t1s))
            };
            let direction = dice.one_of(&["both", "up", "down"]);
            let rate = dice.one_of(&["0.01", "0.2", "1"]);
            let duration = dice.one_of(&["1us", "30us", "300us", "3ms"]);
            let nic = dice.below(nics);
            let what = match dice.below(13) {
                0 => format!(r#""link_down", "link": "{link}", "direction": "{direction}""#),
                1 => format!(r#""link_loss", "link": "{link}", "direction": "{direction}", "rate": {rate}"#),
                2 => {
                    format!(r#""link_corrupt", "link": "{link}", "direction": "{direction}", "rate": {rate}"#)
                }
                3 => format!(
                    r#""link_flap", "link": "{link}", "down": "{duration}", "up": "20us", "until": "400us""#
                ),
                4 => format!(r#""links_down", "tier": "t0_t1", "count": 1, "duration": "{duration}""#),
                5 => format!(r#""tier_loss", "tier": "nic", "direction": "{direction}", "rate": 0.02"#),
                6 => format!(r#""switch_down", "switch": "{switch}""#),
                7 => format!(r#""switch_reboot", "switch": "{switch}", "duration": "{duration}""#),
                8 => format!(r#""switch_corrupt", "switch": "{switch}", "rate": {rate}"#),
                9 => format!(r#""nic_port_down", "nic": {nic}, "plane": {plane}, "duration": "{duration}""#),
                10 => format!(r#""nic_flap", "nic": {nic}, "duration": "{duration}""#),
                11 => format!(
                    r#""nic_refuses", "nic": {nic}, "rate": {rate}, "reason": "{}""#,
                    dice.one_of(&["no_bitmap", "no_pkt_buffer", "no_resource"])
                ),
                _ => format!(r#""nic_penalty", "nic": {nic}, "penalty": {}"#, dice.below(128)),
            };
            format!(r#"{{"at": "{at}us", "kind": {what}}}"#)
        })
        .collect();
    format!(
        r#""seed": {seed}, "until": "2s",
        "fabric": {{"planes": {planes}, "t0_per_plane": {t0s}, "t1_per_plane": {t1s}, "nics_per_t0": {per_t0},
                    "nic_link_rate": "100Gbps", "queue": {{"trimming": {}}}}},
        "transport": {{"evs": {}, "backup_evs": {}, "mpr": {}, "rto": "60us", "linear_retries": 2,
                       "exponential_retries": {}, "message_acks": {}, "reverse_evs": {}, "reliability_probe": "{}",
                       "port_detect": "50us", "port_status": "{}", "sack_every": {}, "host_latency": "{}"}},
        "traffic": [{}], "faults": [{}]"#,
        dice.below(4) > 0,
        planes * (1 + dice.below(6)),
        planes * dice.below(3),
        [128, 1024, 4096][dice.below(3) as usize],
        1 + dice.below(6),
        dice.below(4) > 0,
        dice.below(3) > 0,
        dice.one_of(&["0", "20us", "40us"]),
        dice.one_of(&["update", "off"]),
        [1, 4096, 16384][dice.below(3) as usize],
        dice.one_of(&["0", "1us"]),
        traffic.join(", "),
        faults.join(", ")
    )
}

/// Runs one seed to its end and holds it against the rule.
fn check(seed: u64) -> (u64, u64) {
    let body = random(seed);
    let scenario = scenario(&body);
    let mut sim = Sim::new(&scenario).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{body}"));
    sim.run_until(Time::MAX);
    sim.settle();
    assert!(
        sim.now() < Time::from_ms(2_000),
        "seed {seed}: it does not end\n{body}\n{:?}",
        sim.summary()
    );
    if let Err(problem) = sim.network().audit() {
        panic!("seed {seed}: {problem}\n{body}");
    }
    let (mut finished, mut failed) = (0, 0);
    for (flow, result) in sim.flow_results().iter().enumerate() {
        let view = sim.qp(flow as u32);
        let all = result.bytes * result.messages;
        match (result.fct_us, result.error) {
            (Some(_), None) => {
                assert_eq!(
                    result.placed_bytes, all,
                    "seed {seed}, flow {flow}: complete means placed once\n{body}"
                );
                assert_eq!(view.completed, view.messages, "seed {seed}, flow {flow}");
                finished += 1;
            }
            (None, Some(_)) => {
                assert!(
                    result.placed_bytes <= all,
                    "seed {seed}, flow {flow}: placed twice\n{body}"
                );
                assert!(
                    view.completed as u64 * result.bytes <= result.placed_bytes,
                    "seed {seed}, flow {flow}: a message is complete that is not placed\n{body}"
                );
                failed += 1;
            }
            other => panic!("seed {seed}, flow {flow}: neither complete nor in ERROR: {other:?}\n{body}"),
        }
    }
    (finished, failed)
}

/// 1,000 seeds, or as many as FLOWGLASS_DISASTERS says.
#[test]
fn a_thousand_random_disasters_lose_nothing() {
    let (mut finished, mut failed) = (0, 0);
    let asked = std::env::var("FLOWGLASS_DISASTERS").ok();
    let seeds = asked
        .and_then(|text| text.parse().ok())
        .unwrap_or(1_000)
        .max(1_000);
    for seed in 0..seeds {
        let (well, ill) = check(seed);
        finished += well;
        failed += ill;
    }
    assert!(
        finished > 3_000 && failed > 300,
        "{finished} complete, {failed} failed: both must occur"
    );
}

/// Slices, parts and observers change nothing, whatever fails.
#[test]
fn disasters_repeat_bit_by_bit() {
    for seed in 5_000..5_060 {
        let scenario = scenario(&random(seed));
        let mut whole = Sim::new(&scenario).expect("valid");
        whole.run_until(Time::MAX);
        let mut parts = Sim::in_parts(&scenario, Nobody, 3).expect("valid");
        let mut t = Time::ZERO;
        while !parts.is_finished() {
            t += Time::from_us(1 + draw(seed, t.0) % 900);
            parts.run_until(t);
            if t.0.is_multiple_of(2) {
                parts.settle();
            }
        }
        assert_eq!(whole.digest(), parts.digest(), "seed {seed}");
        assert_eq!(whole.now(), parts.now(), "seed {seed}");
        assert_eq!(whole.flow_results(), parts.flow_results(), "seed {seed}");
    }
}
