//! New connections and floods: where the exception path gives way.

use super::{host, share};
use crate::evidence::experiment::{Experiment, Known, Row};
use host::Counters;
use serde_json::{Value, json};

pub(super) fn all() -> Vec<Experiment> {
    vec![knee(), flood(), hero(), snat()]
}

fn knee() -> Experiment {
    let case = |offered: u32, row: Row, quick: bool| {
        host(
            "host-cps-knee",
            vec![("traffic[0].per_second", json!(offered))],
            quick,
            vec![row],
            Box::new(|run| {
                run.to_end()?;
                // The first half fills queues and tables.
                let points = &run.run().metrics().points;
                let (half, end) = (&points[points.len() / 2], &points[points.len() - 1]);
                let closed = |point: &host::Point| point.counters.connections[Counters::CLOSED];
                let seconds = (end.at - half.at).0 as f64 / 1e12;
                Ok(vec![(closed(end) - closed(half)) as f64 / seconds])
            }),
        )
    };
    let followed = |offered: u32| Row::question(format!("completed, {offered} per s offered"), "/s");
    Experiment {
        id: "cps-knee",
        title: "New connections per second",
        source: "DASH: connection management in software is limited to tens of thousands per second (facts 1.8); AccelNet's paper \
                 gives none",
        scaling: "one core serves exceptions; what a walk and two entries cost it is set so that it sets up about 15,000 \
                  connections per second (our reading of tens of thousands). Six packets and no data, TIME_WAIT 100 ms",
        measured: "connections closed per second in the second half of 500 ms",
        cases: vec![
            case(5_000, followed(5_000), true),
            case(10_000, followed(10_000), false),
            case(15_000, followed(15_000), false),
            case(20_000, followed(20_000), false),
            case(
                40_000,
                Row::statement(
                    "completed, 40000 per s offered (calibrated)",
                    "/s",
                    "tens of thousands",
                    Known::Documented,
                )
                .from_to(10_000.0, 100_000.0, "tens of thousands"),
                false,
            ),
        ],
    }
}

fn flood() -> Experiment {
    let case = |preset, what: &str, changes: Vec<(&'static str, Value)>| {
        let mut changes = changes;
        // Half as long as the preset: shares do not depend on it.
        changes.push(("until", json!("500ms")));
        host(
            preset,
            changes,
            false,
            vec![Row::question(
                format!("honest connections that open: {what}"),
                "%",
            )],
            Box::new(|run| {
                let from = kernel::Time::from_ms(110);
                run.to(from)?;
                let before = run.traffic(0).connections;
                run.to_end()?;
                let after = run.traffic(0).connections;
                let of = |which: usize| after[which] - before[which];
                Ok(vec![
                    share(of(Counters::OPENED), of(Counters::BEGUN)).min(1.0) * 100.0,
                ])
            }),
        )
    };
    let naive = |rate: u32| {
        case(
            "host-syn-flood",
            &format!("{rate} SYNs per s, no defence"),
            vec![("traffic[1].per_second", json!(rate))],
        )
    };
    Experiment {
        id: "syn-flood",
        title: "Survival of a SYN flood",
        source: "VFP has a class and a limit for half-open flows (facts 1.2); what an attack does is not published",
        scaling: "500 honest connections per second beside the flood, one exception core, half a second; half-open lifetimes as in \
                  the presets. SYN cookies in the NIC are our assumption; GFT is not known to have them",
        measured: "opened of those begun, from 10 ms after the flood began on (open ones may have begun before: at most 100 %)",
        cases: vec![
            naive(5_000),
            naive(10_000),
            naive(20_000),
            naive(50_000),
            naive(100_000),
            case(
                "host-syn-flood-limited",
                "100000 SYNs per s, half-open limit",
                Vec::new(),
            ),
            case(
                "host-syn-flood-hardened",
                "100000 SYNs per s, cookies in the NIC",
                Vec::new(),
            ),
        ],
    }
}

fn zero(quantity: &str, unit: &'static str) -> Row {
    Row::number(quantity, unit, 0.0, Known::Documented).exactly()
}

fn hero() -> Experiment {
    Experiment {
        id: "hero-mini",
        title: "DASH's hero test in small",
        source: "DASH's method: no drops, connections of six packets, after the run the table must drain to zero (facts 5.2)",
        scaling: "5,000 connections per second over 2,000 background flows instead of 3 million over 30 million; ageing 100 ms \
                  instead of 5 s",
        measured: "at the end of the run",
        cases: vec![host(
            "host-hero-mini",
            Vec::new(),
            false,
            vec![
                zero("packets lost", ""),
                zero("flows left", ""),
                zero("entries left in the NIC", ""),
                Row::number("connections closed by those begun", "", 1.0, Known::Documented).exactly(),
            ],
            Box::new(|run| {
                run.to_end()?;
                let (counters, gauges) = (run.run().counters(), run.run().gauges());
                let connections = run.traffic(0).connections;
                Ok(vec![
                    counters.all_lost() as f64,
                    gauges.flows.into(),
                    gauges.entries.into(),
                    share(connections[Counters::CLOSED], connections[Counters::BEGUN]),
                ])
            }),
        )],
    }
}

fn snat() -> Experiment {
    Experiment {
        id: "snat",
        title: "SNAT ports run out",
        source: "Azure: 1,024 ports for each VM of a pool of up to 50 (facts 6.4)",
        scaling: "2,000 connections per second to one address, each held for a second",
        measured: "over the whole run",
        cases: vec![host(
            "host-snat-exhaustion",
            Vec::new(),
            false,
            vec![Row::number("most ports in use", "", 1_024.0, Known::Documented).exactly()],
            Box::new(|run| {
                run.to_end()?;
                let used = run
                    .run()
                    .metrics()
                    .points
                    .iter()
                    .map(|point| point.gauges.snat_ports);
                Ok(vec![used.max().unwrap_or(0).into()])
            }),
        )],
    }
}
