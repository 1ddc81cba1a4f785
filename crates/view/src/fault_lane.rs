//! Faults drawn along the time of a run: from where they begin to where they end, and what moving them does to the scenario.

mod edit;

pub use edit::Edit;

use crate::Extent;
use crate::ticks;
use scenario::{Direction, Fault, FaultKind, Scenario, Time};

/// Rows that bars which overlap are put in; more overlap in the last one.
pub const ROWS: usize = 3;

/// Bars that are drawn at most.
pub const MOST: usize = 400;

/// Parts of what is shown that a pointer or a key moves by.
const PARTS: usize = 100;

/// Where a fault's end comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It says itself how long it lasts.
    Own,
    /// The fault with this number heals it.
    Healed(usize),
    /// It lasts to the end of the run.
    Never,
    /// It has no length: it is a repair of nothing that is drawn.
    Point,
}

/// A fault as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Its number in the scenario.
    pub fault: usize,
    /// When it begins, in ps.
    pub from: u64,
    /// When it ends, in ps, not before.
    pub to: u64,
    /// Where that comes from.
    pub end: End,
    /// Which row it is in, from 0.
    pub row: usize,
}

/// The bars of a scenario's faults, in order of their beginnings. A repair is the end of the bar before it, not a bar of its own.
pub fn bars(scenario: &Scenario) -> Vec<Bar> {
    let faults = &scenario.faults;
    let until = scenario.until.0;
    let ends: Vec<End> = (0..faults.len()).map(|index| end(faults, index)).collect();
    let mut healing = vec![false; faults.len()];
    for end in &ends {
        if let End::Healed(by) = end {
            healing[*by] = true;
        }
    }
    let mut order: Vec<usize> = (0..faults.len()).filter(|&index| !healing[index]).collect();
    order.sort_by_key(|&index| faults[index].at);
    let mut free = [0; ROWS];
    order
        .into_iter()
        .map(|fault| {
            let from = faults[fault].at.0;
            let to = match ends[fault] {
                End::Point => from,
                End::Never => until,
                End::Healed(by) => faults[by].at.0,
                End::Own => own_end(&faults[fault]).unwrap_or(until),
            };
            let to = to.max(from);
            let row = (0..ROWS).find(|&row| free[row] <= from).unwrap_or(ROWS - 1);
            free[row] = free[row].max(to.saturating_add(1));
            Bar {
                fault,
                from,
                to,
                end: ends[fault],
                row,
            }
        })
        .collect()
}

/// Up to when the faults that are not over at `known` are to be seen: to their ends, or where one has none to its beginning.
pub fn all_until(scenario: &Scenario, known: u64) -> Option<u64> {
    let seen = |bar: &Bar| match bar.end {
        End::Never | End::Point => bar.from,
        End::Own | End::Healed(_) => bar.to,
    };
    let until = scenario.until.0;
    let bars = bars(scenario);
    let later = bars.iter().filter(|bar| bar.from < until && seen(bar) > known);
    later.map(|bar| seen(bar).min(until)).max()
}

/// What ends a fault.
pub fn end(faults: &[Fault], index: usize) -> End {
    let fault = &faults[index];
    if fault.what.is_repair() {
        return End::Point;
    }
    if own_end(fault).is_some() {
        return End::Own;
    }
    // Of repairs at one time the one that comes later in the scenario counts, but one ends it as well as the other.
    let mut heals = faults.iter().enumerate().filter(|(other, repair)| {
        (repair.at, *other) > (fault.at, index) && heals(&repair.what, &fault.what)
    });
    let first = heals.next().map(|(by, repair)| (repair.at, by));
    heals
        .map(|(by, repair)| (repair.at, by))
        .chain(first)
        .min()
        .map_or(End::Never, |(_, by)| End::Healed(by))
}

/// When a fault ends by what it says itself, in ps.
fn own_end(fault: &Fault) -> Option<u64> {
    let after = |time: Time| fault.at.0.saturating_add(time.0);
    match fault.what {
        FaultKind::LinkFlap { until, .. } => Some(until.0),
        FaultKind::SwitchReboot { duration, .. } | FaultKind::NicFlap { duration, .. } => {
            Some(after(duration))
        }
        FaultKind::NicPortDown { duration, .. } => duration.map(after),
        FaultKind::LinksDown {
            count,
            spacing,
            duration,
            ..
        } => duration.map(|duration| {
            let last = spacing.0.saturating_mul(u64::from(count.saturating_sub(1)));
            after(duration).saturating_add(last)
        }),
        _ => None,
    }
}

/// Whether a change of one direction is a change of another, too.
fn covers(wide: Direction, narrow: Direction) -> bool {
    wide == Direction::Both || wide == narrow
}

/// Whether one change ends what another has begun.
fn heals(repair: &FaultKind, fault: &FaultKind) -> bool {
    use FaultKind::*;
    match (repair, fault) {
        (
            LinkUp { link, direction },
            LinkDown {
                link: of,
                direction: is,
            },
        ) => link == of && covers(*direction, *is),
        (
            LinkLoss {
                link,
                direction,
                rate,
            },
            LinkLoss {
                link: of,
                direction: is,
                ..
            },
        )
        | (
            LinkCorrupt {
                link,
                direction,
                rate,
            },
            LinkCorrupt {
                link: of,
                direction: is,
                ..
            },
        ) => *rate == 0.0 && link == of && covers(*direction, *is),
        (
            TierLoss {
                tier,
                direction,
                rate,
            },
            TierLoss {
                tier: of,
                direction: is,
                ..
            },
        ) => *rate == 0.0 && tier == of && covers(*direction, *is),
        (SwitchUp { switch }, SwitchDown { switch: of }) => switch == of,
        (SwitchCorrupt { switch, rate }, SwitchCorrupt { switch: of, .. }) => *rate == 0.0 && switch == of,
        (NicRefuses { nic, rate, .. }, NicRefuses { nic: of, .. }) => *rate == 0.0 && nic == of,
        (NicPenalty { nic, penalty: 0 }, NicPenalty { nic: of, .. }) => nic == of,
        _ => false,
    }
}

/// How far a pointer or a key moves a fault where so much is shown, in ps: a round part of it, 1 ns at least.
pub fn grid(extent: Extent) -> u64 {
    (ticks::step(extent.len() as f64, PARTS).round() as u64).max(1_000)
}

/// The time of the grid that is nearest to a time.
pub fn snapped(at: u64, extent: Extent) -> u64 {
    let grid = grid(extent);
    (at.saturating_add(grid / 2) / grid).saturating_mul(grid)
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;

    /// A scenario with faults, each as JSON has it.
    pub(super) fn with(faults: &str) -> Scenario {
        let preset = scenario::find_preset("link-dies").unwrap();
        let mut scenario = preset.scenario();
        scenario.until = Time(1_000 * US);
        scenario.faults = serde_json::from_str(faults).unwrap();
        scenario.validate().unwrap();
        scenario
    }

    fn drawn(faults: &str) -> Vec<(usize, u64, u64, End, usize)> {
        let of = |bar: Bar| (bar.fault, bar.from / US, bar.to / US, bar.end, bar.row);
        bars(&with(faults)).into_iter().map(of).collect()
    }

    #[test]
    fn a_repair_is_the_end_of_what_it_heals() {
        let faults = r#"[
            {"at": "300us", "kind": "link_up", "link": "p0/t0.0-t1.0"},
            {"at": "100us", "kind": "link_down", "link": "p0/t0.0-t1.0"},
            {"at": "150us", "kind": "link_up", "link": "p0/t0.0-t1.1"},
            {"at": "200us", "kind": "link_up", "link": "p0/t0.0-t1.0", "direction": "up"},
            {"at": "400us", "kind": "link_up", "link": "p0/t0.0-t1.0"}
        ]"#;
        // Half a repair does not end it, and what heals nothing is a point.
        assert_eq!(
            drawn(faults),
            [
                (1, 100, 300, End::Healed(0), 0),
                (2, 150, 150, End::Point, 1),
                (3, 200, 200, End::Point, 1),
                (4, 400, 400, End::Point, 0),
            ]
        );
    }

    #[test]
    fn what_has_a_length_ends_by_itself_and_the_rest_with_the_run() {
        let faults = r#"[
            {"at": "10us", "kind": "switch_reboot", "switch": "p0/t1.0", "duration": "50us"},
            {"at": "20us", "kind": "link_flap", "link": "p0/t0.0-t1.1", "down": "5us", "up": "5us", "until": "90us"},
            {"at": "30us", "kind": "links_down", "tier": "t0_t1", "count": 3, "spacing": "10us", "duration": "40us"},
            {"at": "100us", "kind": "nic_port_down", "nic": 1, "plane": 0},
            {"at": "110us", "kind": "link_loss", "link": "p0/t0.0-t1.0", "rate": 0.5},
            {"at": "120us", "kind": "link_loss", "link": "p0/t0.0-t1.0", "rate": 0}
        ]"#;
        assert_eq!(
            drawn(faults),
            [
                (0, 10, 60, End::Own, 0),
                (1, 20, 90, End::Own, 1),
                // The last of three begins 20 µs after the first.
                (2, 30, 90, End::Own, 2),
                (3, 100, 1_000, End::Never, 0),
                (4, 110, 120, End::Healed(5), 1),
            ]
        );
    }

    #[test]
    fn the_axis_reaches_to_the_end_of_the_last_fault() {
        let scenario = with(
            r#"[
            {"at": "100us", "kind": "link_down", "link": "p0/t0.0-t1.0"},
            {"at": "300us", "kind": "link_up", "link": "p0/t0.0-t1.0"},
            {"at": "500us", "kind": "switch_down", "switch": "p0/t1.1"}
        ]"#,
        );
        let next = |known: u64| all_until(&scenario, known * US).map(|at| at / US);
        assert_eq!(
            [next(0), next(200), next(300), next(600)],
            [Some(500), Some(500), Some(500), None]
        );
    }

    #[test]
    fn more_than_rows_overlap_in_the_last() {
        let one =
            |link: u32| format!(r#"{{"at": "{link}us", "kind": "link_down", "link": "p0/t0.0-t1.{link}"}}"#);
        let faults: Vec<String> = (0..4).map(one).collect();
        let rows: Vec<usize> = bars(&with(&format!("[{}]", faults.join(","))))
            .iter()
            .map(|bar| bar.row)
            .collect();
        assert_eq!(rows, [0, 1, 2, 2]);
    }

    #[test]
    fn times_snap_to_round_parts_of_what_is_shown() {
        let whole = Extent::whole(800 * US);
        assert_eq!(grid(whole), 10 * US);
        assert_eq!(snapped(123 * US, whole), 120 * US);
        assert_eq!(snapped(126 * US, whole), 130 * US);
        // Not below a nanosecond, however near one looks.
        let near = Extent {
            from: 100 * US,
            to: 100 * US + 10_000,
        };
        assert_eq!(grid(near), 1_000);
    }
}
