//! Three questions, each answered by runs of one seed: where the knee of connections per second is, how honest connections fare in a
//! flood, what the caches' sizes cost. Intervals over seeds are for the caller.

use crate::build::BuildError;
use crate::metrics::Counters;
use crate::run::Run;
use kernel::Time;
use scenario::host::{HostScenario, Traffic};

/// One point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// What was set.
    pub x: f64,
    /// What came of it.
    pub y: f64,
}

fn finish(scenario: &HostScenario) -> Result<Run, BuildError> {
    let mut run = Run::new(scenario)?;
    run.run_until(Time::MAX);
    Ok(run)
}

/// Connections closed per second in the second half of a run, by connections offered per second. `scenario` has a traffic of
/// connections first, as the preset `host-cps-knee`.
///
/// # Errors
/// [`BuildError`] when the scenario can't be run at an offered rate.
pub fn connection_curve(scenario: &HostScenario, offered: &[f64]) -> Result<Vec<CurvePoint>, BuildError> {
    let one = |&offered: &f64| {
        let mut scenario = scenario.clone();
        if let Some(Traffic::Connections { per_second, .. }) = scenario.traffic.first_mut() {
            *per_second = offered;
        }
        let until = scenario.until.0;
        let mut run = Run::new(&scenario)?;
        run.run_until(Time(until / 2));
        let before = run.counters().connections[Counters::CLOSED];
        run.run_until(Time::MAX);
        let closed = run.counters().connections[Counters::CLOSED] - before;
        Ok(CurvePoint {
            x: offered,
            y: closed as f64 * 1e12 / (until - until / 2) as f64,
        })
    };
    offered.iter().map(one).collect()
}

/// Where a curve of [`connection_curve`] leaves the diagonal: the largest offered rate of which at least 95 % is served, every
/// smaller one too. None if there is none.
pub fn knee(curve: &[CurvePoint]) -> Option<f64> {
    let served = |point: &&CurvePoint| point.y >= 0.95 * point.x;
    curve.iter().take_while(served).map(|point| point.x).last()
}

/// Share of the connections of the first traffic, 0 to 1, that were opened, of those that began while the first flood lasted. Those
/// of the last tenth of the run are left out: they may have had no time. Looks at the first
/// [`MAX_RESULTS`](crate::MAX_RESULTS) that are over, and at all that are not.
///
/// # Errors
/// [`BuildError`] when the scenario can't be run.
pub fn flood_survival(scenario: &HostScenario) -> Result<f64, BuildError> {
    let flood = scenario.traffic.iter().find_map(|traffic| match traffic {
        Traffic::SynFlood { start, stop, .. } => Some((start.0, stop.map_or(u64::MAX, |stop| stop.0))),
        _ => None,
    });
    let (start, stop) = flood.unwrap_or((0, u64::MAX));
    let stop = stop.min(scenario.until.0 / 10 * 9);
    let run = finish(scenario)?;
    let within = |begun: Time| begun.0 >= start && begun.0 < stop;
    let over = run
        .metrics()
        .traffic
        .first()
        .map_or(&[][..], |traffic| &traffic.results);
    let ended = over
        .iter()
        .filter(|result| within(result.begun))
        .map(|result| result.opened.is_some());
    let open = run
        .connections()
        .filter(|conn| conn.traffic == 0 && within(conn.begun));
    let all: Vec<bool> = ended.chain(open.map(|conn| conn.opened.is_some())).collect();
    let opened = all.iter().filter(|&&opened| opened).count();
    Ok(opened as f64 / all.len().max(1) as f64)
}

/// Packets that arrived per second in the second half of a run, by the number of flows. `scenario` has a traffic of flows first, as
/// the presets `host-cache-cliff-l1` and `host-cache-cliff-l2`.
///
/// # Errors
/// [`BuildError`] when the scenario can't be run with a number of flows.
pub fn cache_curve(scenario: &HostScenario, flows: &[u32]) -> Result<Vec<CurvePoint>, BuildError> {
    let one = |&count: &u32| {
        let mut scenario = scenario.clone();
        if let Some(Traffic::Flows { flows, .. }) = scenario.traffic.first_mut() {
            *flows = count;
        }
        let until = scenario.until.0;
        let mut run = Run::new(&scenario)?;
        run.run_until(Time(until / 2));
        let before = run.counters().all_delivered();
        run.run_until(Time::MAX);
        let arrived = run.counters().all_delivered() - before;
        Ok(CurvePoint {
            x: f64::from(count),
            y: arrived as f64 * 1e12 / (until - until / 2) as f64,
        })
    };
    flows.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::host::find_host_preset;

    fn preset(slug: &str) -> HostScenario {
        find_host_preset(slug).expect(slug).scenario()
    }

    #[test]
    fn the_knee_is_where_the_diagonal_ends() {
        let curve =
            connection_curve(&preset("host-cps-knee"), &[5_000.0, 10_000.0, 14_000.0, 20_000.0]).unwrap();
        assert_eq!(knee(&curve), Some(14_000.0), "{curve:?}");
        assert_eq!(knee(&curve[3..]), None);
    }

    #[test]
    fn who_survives_a_flood() {
        let survival = |slug| flood_survival(&preset(slug)).unwrap();
        assert!(survival("host-syn-flood") < 0.3);
        assert!(survival("host-syn-flood-limited") < 0.3);
        assert_eq!(survival("host-syn-flood-hardened"), 1.0);
    }

    /// The card's DRAM serves 25 million look-ups per second there, and nearly every look-up of 65,536 flows needs one; the table of
    /// the other preset has 16,384 places, for two entries of each flow.
    #[test]
    fn the_caches_have_cliffs() {
        let l1 = cache_curve(&preset("host-cache-cliff-l1"), &[1_024, 65_536]).unwrap();
        assert!(l1[0].y > 40e6 && (l1[1].y / 25e6 - 1.0).abs() < 0.05, "{l1:?}");
        let l2 = cache_curve(&preset("host-cache-cliff-l2"), &[4_096, 24_576]).unwrap();
        assert!(l2[0].y > 480e3 && l2[1].y < 250e3, "{l2:?}");
    }
}
