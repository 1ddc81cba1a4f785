//! RoCE: DCQCN, ECN, PFC, and how many QPs a flow is spread over.

use super::{Builder, json};
use crate::tune::space::Space;
use scenario::{Bytes, Rate, Routing, Scenario, Time};
use serde_json::Value;

const RULE: &str = "transport.roce.dcqcn.rule";
const ENABLED: &str = "transport.roce.dcqcn.enabled";
const G: &str = "transport.roce.dcqcn.g";
const ALPHA_TIMER: &str = "transport.roce.dcqcn.alpha_timer";
const DECREASE: &str = "transport.roce.dcqcn.rate_decrease_interval";
const CLAMP: &str = "transport.roce.dcqcn.clamp_target_rate";
const TIMER: &str = "transport.roce.dcqcn.increase_timer";
const COUNTER: &str = "transport.roce.dcqcn.byte_counter";
const STEPS: &str = "transport.roce.dcqcn.fast_recovery_steps";
const AI: &str = "transport.roce.dcqcn.rate_ai";
const HAI: &str = "transport.roce.dcqcn.rate_hai";
const CNP: &str = "transport.roce.dcqcn.cnp_interval";
const ACK: &str = "transport.roce.ack_every";
const RECOVERY: &str = "transport.roce.recovery";
const TIMEOUT: &str = "transport.roce.timeout";
const QPS: &str = "transport.qps";
const ECN_MIN: &str = "fabric.queue.ecn_min_bdp";
const ECN_MAX: &str = "fabric.queue.ecn_max_bdp";
const ECN_PMAX: &str = "fabric.queue.ecn_pmax";
const XOFF: &str = "fabric.pfc.xoff";

/// The line rate that the DCQCN paper's increases were chosen for.
const PAPER_LINE: u64 = 40_000_000_000;
/// NVIDIA's `rpg_byte_reset`, 32,767 units of 64 B.
const NVIDIA_BYTES: Bytes = Bytes(32_767 * 64);
/// The Linux driver `ionic`'s.
const AMD_BYTES: Bytes = Bytes(131_068);

pub(super) fn space(scenario: &Scenario) -> Result<Space, String> {
    let mut builder = Builder::new();
    endpoint(&mut builder, scenario)?;
    switches(&mut builder, scenario)?;
    starts(&mut builder, scenario);
    builder.space()
}

/// An increase of the paper's in proportion to the line rate, on the limits' grid of whole Mb/s.
fn scaled(scenario: &Scenario, increase: u64) -> Rate {
    let line = u128::from(scenario.fabric.nic_link_rate.0);
    let rate = u128::from(increase) * line / u128::from(PAPER_LINE);
    Rate((rate as u64 / 1_000_000).max(1) * 1_000_000)
}

fn endpoint(builder: &mut Builder, scenario: &Scenario) -> Result<(), String> {
    let roce = &scenario.transport.roce;
    let own = &roce.dcqcn;
    let texts = |texts: &[&str]| texts.iter().map(json).collect::<Vec<_>>();
    let time = |us: u64| json(Time::us(us));
    // Without DCQCN nothing else of it matters, so a sample would waste every other run.
    builder
        .list(ENABLED, json(own.enabled), [json(true), json(false)])?
        .sampled = false;
    builder.list(RULE, json(own.rule), texts(&["paper", "vendor"]))?;
    let g = [json(1.0 / 256.0), json(5.0 / 1024.0)];
    builder.range(G, json(own.g), [json(1.0 / 1024.0), json(0.125)], &g)?;
    builder.range(
        ALPHA_TIMER,
        json(own.alpha_timer),
        [time(1), time(100)],
        &[time(55)],
    )?;
    builder.list(
        DECREASE,
        json(own.rate_decrease_interval),
        texts(&["0", "4us", "20us", "50us"]),
    )?;
    builder.list(CLAMP, json(own.clamp_target_rate), [json(true), json(false)])?;
    builder.range(
        TIMER,
        json(own.increase_timer),
        [time(2), time(300)],
        &[time(55), time(275)],
    )?;
    let bytes = [json(Bytes(65_536)), json(Bytes(100_000_000))];
    let known = [Bytes(10_000_000), NVIDIA_BYTES, AMD_BYTES].map(json);
    builder.range(COUNTER, json(own.byte_counter), bytes, &known)?;
    builder.list(STEPS, json(own.fast_recovery_steps), [1, 2, 3, 5].map(json))?;
    // From the vendors' 5 Mb/s to a twentieth and a quarter of the line.
    let line = scenario.fabric.nic_link_rate.0;
    let up_to = |share: u64| Rate((line / share / 1_000_000).max(100) * 1_000_000);
    let ai = [Rate(40_000_000), scaled(scenario, 40_000_000)].map(json);
    builder.range(
        AI,
        json(own.rate_ai),
        [json(Rate(5_000_000)), json(up_to(20))],
        &ai,
    )?;
    let hai = [Rate(50_000_000), scaled(scenario, 50_000_000)].map(json);
    builder.range(
        HAI,
        json(own.rate_hai),
        [json(Rate(50_000_000)), json(up_to(4))],
        &hai,
    )?;
    builder.range(
        CNP,
        json(own.cnp_interval),
        [time(1), time(100)],
        &[time(4), time(50)],
    )?;
    builder.list(ACK, json(roce.ack_every), [1, 2, 4, 8, 16].map(json))?;
    // Where nothing is lost, neither matters.
    if scenario.fabric.pfc.is_none() || !scenario.faults.is_empty() {
        builder.list(
            RECOVERY,
            json(roce.recovery),
            texts(&["go_back_n", "selective_repeat"]),
        )?;
        builder.list(TIMEOUT, json(roce.timeout), [8, 10, 12, 14, 16].map(json))?;
    }
    // A QP is a path only where switches hash.
    if scenario.fabric.routing == Routing::Ecmp {
        builder.list(
            QPS,
            json(scenario.transport.qps),
            [1, 2, 4, 8, 16, 32, 64].map(json),
        )?;
    }
    Ok(())
}

fn switches(builder: &mut Builder, scenario: &Scenario) -> Result<(), String> {
    let queue = &scenario.fabric.queue;
    builder.range(
        ECN_MIN,
        json(queue.ecn_min_bdp),
        [json(0.05), json(5.0)],
        &[json(0.2)],
    )?;
    builder.range(
        ECN_MAX,
        json(queue.ecn_max_bdp),
        [json(0.2), json(20.0)],
        &[json(0.8)],
    )?;
    builder.range(ECN_PMAX, json(queue.ecn_pmax), [json(0.01), json(1.0)], &[])?;
    if let Some(pfc) = &scenario.fabric.pfc {
        let ends = [json(Bytes(100_000)), json(Bytes(10_000_000))];
        builder.range(XOFF, json(pfc.xoff), ends, &[])?;
    }
    Ok(())
}

/// Published sets (`docs/roce.md`), the paper's increases in proportion to the line rate, and PFC alone, each as the scenario
/// spreads its flows and with 16 QPs for each.
fn starts(builder: &mut Builder, scenario: &Scenario) {
    let own = scenario.transport.qps;
    let mut spread = vec![own];
    if scenario.fabric.routing == Routing::Ecmp && own != 16 {
        spread.push(16);
    }
    let sets = [
        ("DCQCN paper", paper()),
        ("DCQCN paper, increases scaled to the line rate", {
            let mut set = paper();
            set.retain(|(path, _)| ![AI, HAI].contains(path));
            set.push((AI, json(scaled(scenario, 40_000_000))));
            set.push((HAI, json(scaled(scenario, 50_000_000))));
            set
        }),
        (
            "NVIDIA",
            vendor(NVIDIA_BYTES, Time::us(1), Time::us(300), 1, Time::us(4)),
        ),
        (
            "AMD",
            vendor(AMD_BYTES, Time::us(55), Time::us(275), 5, Time::us(50)),
        ),
        ("no DCQCN", vec![(ENABLED, json(false))]),
    ];
    for (name, set) in sets {
        let lossless = scenario.fabric.pfc.is_some();
        let name = if lossless && name == "no DCQCN" {
            "PFC alone"
        } else {
            name
        };
        for qps in &spread {
            let (mut set, mut name) = (set.clone(), name.to_owned());
            if *qps != own {
                set.push((QPS, json(qps)));
                name = format!("{name}, {qps} QPs");
            }
            builder.start(name, set);
        }
    }
}

fn paper() -> Vec<(&'static str, Value)> {
    vec![
        (ENABLED, json(true)),
        (RULE, json("paper")),
        (G, json(1.0 / 256.0)),
        (ALPHA_TIMER, json(Time::us(55))),
        (DECREASE, json("0")),
        (CLAMP, json(true)),
        (TIMER, json(Time::us(55))),
        (COUNTER, json(Bytes(10_000_000))),
        (STEPS, json(5)),
        (AI, json(Rate(40_000_000))),
        (HAI, json(Rate(50_000_000))),
        (CNP, json(Time::us(50))),
    ]
}

/// A vendor's, which share all but what is given.
fn vendor(bytes: Bytes, alpha: Time, timer: Time, steps: u32, cnp: Time) -> Vec<(&'static str, Value)> {
    vec![
        (ENABLED, json(true)),
        (RULE, json("vendor")),
        (G, json(5.0 / 1024.0)),
        (ALPHA_TIMER, json(alpha)),
        (DECREASE, json(Time::us(4))),
        (CLAMP, json(false)),
        (TIMER, json(timer)),
        (COUNTER, json(bytes)),
        (STEPS, json(steps)),
        (AI, json(Rate(5_000_000))),
        (HAI, json(Rate(50_000_000))),
        (CNP, json(cnp)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::{DcqcnRule, Protocol, find_preset};

    #[test]
    fn every_starting_point_of_every_preset_of_roce_can_be_run() {
        let presets = scenario::presets()
            .iter()
            .map(|preset| (preset.slug, preset.scenario()));
        let of_roce = presets.filter(|(_, scenario)| scenario.transport.protocol == Protocol::Roce);
        for (slug, base) in of_roce {
            let space = space(&base).unwrap();
            assert!(
                space.parameters.len() >= 17 && space.parameters.len() <= crate::tune::space::MAX_PARAMETERS
            );
            for start in &space.starts {
                let scenario = space.scenario(&base, &start.levels).unwrap();
                scenario
                    .validate()
                    .unwrap_or_else(|e| panic!("{}, {}: {e:?}", slug, start.name));
            }
        }
    }

    #[test]
    fn starting_points_are_the_columns_of_the_documentation() {
        let base = find_preset("roce-dcqcn-incast").unwrap().scenario();
        let space = space(&base).unwrap();
        let named = |name: &str| {
            let start = space.starts.iter().find(|start| start.name == name).unwrap();
            space.scenario(&base, &start.levels).unwrap()
        };
        let config = |scenario: &Scenario| scenario.transport.roce.dcqcn.clone();
        let nvidia = config(&named("NVIDIA"));
        assert_eq!(
            (nvidia.rule, nvidia.byte_counter),
            (DcqcnRule::Vendor, Bytes(2_097_088))
        );
        assert_eq!(
            (nvidia.increase_timer, nvidia.cnp_interval),
            (Time::us(300), Time::us(4))
        );
        assert_eq!(
            config(&named("DCQCN paper")),
            config(&base),
            "the preset has the paper's"
        );
        // 400 Gb/s is ten times the paper's line.
        let scaled = config(&named("DCQCN paper, increases scaled to the line rate"));
        assert_eq!(
            (scaled.rate_ai, scaled.rate_hai),
            (Rate(400_000_000), Rate(500_000_000))
        );
        let alone = named("PFC alone, 16 QPs");
        assert_eq!((config(&alone).enabled, alone.transport.qps), (false, 16));
    }

    #[test]
    fn what_cannot_matter_is_not_tuned() {
        let paths = |scenario: &Scenario| -> Vec<String> {
            space(scenario)
                .unwrap()
                .parameters
                .into_iter()
                .map(|parameter| parameter.path)
                .collect()
        };
        let mut base = find_preset("roce-dcqcn-incast").unwrap().scenario();
        assert!(
            !paths(&base).iter().any(|path| path == RECOVERY),
            "nothing is lost"
        );
        base.fabric.routing = Routing::Spray;
        base.fabric.pfc = None;
        let lossy = paths(&base);
        assert!(lossy.iter().any(|path| path == RECOVERY) && lossy.iter().any(|path| path == TIMEOUT));
        assert!(!lossy.iter().any(|path| path == XOFF || path == QPS));
    }
}
