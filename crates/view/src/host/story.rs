//! When something happens in a scenario: the marks of the time bar, and how fast a run is to be watched.

use super::servicing;
use crate::speed;
use scenario::Time;
use scenario::host::{HostEvent, HostScenario, Traffic};

/// Marks that a time bar has at most (our choice).
pub const MOST: usize = 60;
/// How long a story should take to watch, in seconds (our choice).
const WATCH_S: u64 = 60;
/// The mean one-way time over the hardware path (published), in ps: where nothing is to be waited for, a packet can be followed.
const CROSSING: u64 = 17_000_000;
/// A jump ends a little before its mark: this share of the run (our choice).
const LEAD: u64 = 500;

/// A time at which something happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// When, in ps.
    pub at_ps: u64,
    /// What, in words.
    pub what: String,
}

/// What a scenario says will happen, in order of time: servicing and policy, when each is to be over, and traffic that begins or
/// ends in the middle of the run.
pub fn moments(scenario: &HostScenario) -> Vec<Moment> {
    let mut moments = Vec::new();
    let mut add = |at: Time, what: String| {
        if at.0 > 0 && at.0 < scenario.until.0 && moments.len() < MOST {
            moments.push(Moment { at_ps: at.0, what });
        }
    };
    for event in &scenario.events {
        add(event.at(), servicing::words(event));
        if let Some((at, what)) = end(event) {
            add(at, what.into());
        }
    }
    for (number, traffic) in scenario.traffic.iter().enumerate() {
        let (start, stop) = spell(traffic);
        let name = super::traffic::name(number, traffic);
        add(start, format!("Begins: {name}"));
        if let Some(stop) = stop {
            add(stop, format!("Ends: {name}"));
        }
    }
    moments.sort_by(|a, b| (a.at_ps, &a.what).cmp(&(b.at_ps, &b.what)));
    moments
}

/// When what an event takes is due to come back. The guest's own steps come on top of that.
fn end(event: &HostEvent) -> Option<(Time, &'static str)> {
    let after = |at: Time, span: u64| Time(at.0.saturating_add(span));
    Some(match *event {
        HostEvent::VfRevoke { at, duration, .. } => (after(at, duration.0), "The VF is due back"),
        HostEvent::FpgaReconfig { at, duration, .. } | HostEvent::DriverUpdate { at, duration } => {
            (after(at, duration.0), "The VFs are due back")
        }
        HostEvent::VfStorm {
            at,
            count,
            period,
            duration,
            ..
        } => {
            let last = period.0.saturating_mul(u64::from(count.saturating_sub(1)));
            (after(at, last.saturating_add(duration.0)), "The storm is over")
        }
        HostEvent::PolicyChange { .. } | HostEvent::Migrate { .. } => return None,
    })
}

/// When traffic begins, and when it ends if it is told to.
fn spell(traffic: &Traffic) -> (Time, Option<Time>) {
    match *traffic {
        Traffic::Ping { start, .. } | Traffic::Stream { start, .. } | Traffic::Rdma { start, .. } => {
            (start, None)
        }
        Traffic::Connections { start, stop, .. }
        | Traffic::SynFlood { start, stop, .. }
        | Traffic::Flows { start, stop, .. }
        | Traffic::Attack { start, stop, .. } => (start, stop),
        Traffic::Replay { .. } => (Time(0), None),
    }
}

/// The step of the speed scale to begin with. A story takes about a minute, so that what it tells comes without waiting; where
/// everything happens all the time, a packet can be followed.
pub fn pace(scenario: &HostScenario) -> u32 {
    if moments(scenario).is_empty() {
        speed::comfortable(scenario.until.0, CROSSING, WATCH_S)
    } else {
        speed::step_at_most(scenario.until.0 / WATCH_S)
    }
}

/// Where a jump to a moment ends: a little before it, so that it can be seen.
pub fn before(moment: &Moment, until_ps: u64) -> u64 {
    moment.at_ps.saturating_sub(until_ps / LEAD)
}

/// The first moment that a jump from `now_ps` has not reached.
pub fn next(moments: &[Moment], now_ps: u64, until_ps: u64) -> Option<&Moment> {
    moments.iter().find(|moment| before(moment, until_ps) > now_ps)
}

/// The last moment whose jump would go back from `now_ps`.
pub fn previous(moments: &[Moment], now_ps: u64, until_ps: u64) -> Option<&Moment> {
    moments
        .iter()
        .rev()
        .find(|moment| before(moment, until_ps) < now_ps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::host::{find_host_preset, host_presets};

    const MS: u64 = 1_000_000_000;

    fn times(slug: &str) -> Vec<u64> {
        let scenario = find_host_preset(slug).unwrap().scenario();
        moments(&scenario)
            .iter()
            .map(|moment| moment.at_ps / MS)
            .collect()
    }

    /// By the presets' files: the FPGA is loaded from 100 ms for 300 ms; a flood begins at 100 ms; a policy changes at 20 ms.
    #[test]
    fn events_their_ends_and_floods_are_moments() {
        assert_eq!(times("host-vf-revoke"), [100, 400]);
        assert_eq!(times("host-syn-flood"), [100]);
        assert_eq!(times("host-lazy-reconcile"), [20]);
        assert!(times("host-latency").is_empty());
    }

    /// 600 ms in a minute is 10 ms/s; without a moment a hop of 17 µs takes a twentieth of a second at 200 µs/s or slower.
    #[test]
    fn a_story_takes_about_a_minute() {
        let step = |slug: &str| pace(&find_host_preset(slug).unwrap().scenario());
        assert_eq!(speed::of_step(step("host-vf-revoke")), 10 * MS);
        assert_eq!(speed::of_step(step("host-latency")), MS / 5);
        for preset in host_presets() {
            let scenario = preset.scenario();
            if let Some(first) = moments(&scenario).first() {
                let seconds = first.at_ps / speed::of_step(pace(&scenario));
                assert!(seconds <= 2 * WATCH_S, "{}: {seconds} s", preset.slug);
            }
        }
    }

    #[test]
    fn jumps_go_from_mark_to_mark_and_end() {
        let scenario = find_host_preset("host-vf-revoke").unwrap().scenario();
        let (moments, until) = (moments(&scenario), scenario.until.0);
        // 600 ms / 500 = 1.2 ms before each.
        let mut now = 0;
        let mut reached = Vec::new();
        while let Some(moment) = next(&moments, now, until) {
            now = before(moment, until);
            reached.push(now);
        }
        assert_eq!(reached, [100 * MS - 6 * MS / 5, 400 * MS - 6 * MS / 5]);
        let mut back = vec![now];
        while let Some(moment) = previous(&moments, now, until) {
            now = before(moment, until);
            back.push(now);
        }
        reached.reverse();
        assert_eq!(back, reached);
    }

    #[test]
    fn marks_are_bounded() {
        let mut scenario = find_host_preset("host-lazy-reconcile").unwrap().scenario();
        let event = scenario.events[0].clone();
        scenario.events = vec![event; 200];
        assert_eq!(moments(&scenario).len(), MOST);
    }
}
