//! What is done to faults on the timeline, as changes of the scenario.

use super::{End, end, own_end};
use crate::{units, words};
use scenario::{Fault, FaultKind, Scenario, Time};

/// What is done to a fault. Times are in ps.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// It begins at another time; its end goes with it.
    Move(usize, u64),
    /// It ends at another time.
    End(usize, u64),
    /// It begins and ends at other times; none: it lasts to the end of the run.
    Set(usize, u64, Option<u64>),
    /// It goes, and with it what heals it.
    Remove(usize),
    /// A new one, and when it ends; none: as it says itself, or with the run.
    Add(Fault, Option<u64>),
}

impl Edit {
    /// What it is, for who takes it back.
    pub const fn name(&self) -> &'static str {
        match self {
            Edit::Move(..) => "move fault",
            Edit::End(..) | Edit::Set(..) => "time of fault",
            Edit::Remove(_) => "remove fault",
            Edit::Add(..) => "add fault",
        }
    }

    /// The scenario with it, the number of the fault that it was about where that is still there, and what happened in a few words.
    ///
    /// # Errors
    /// Why it cannot be.
    pub fn apply(&self, scenario: &Scenario) -> Result<(Scenario, Option<usize>, String), Vec<String>> {
        let mut changed = scenario.clone();
        let faults = &mut changed.faults;
        let of = match *self {
            Edit::Move(of, ..) | Edit::End(of, _) | Edit::Set(of, ..) | Edit::Remove(of) => of,
            Edit::Add(..) => faults.len(),
        };
        if of >= faults.len() && !matches!(self, Edit::Add(..)) {
            return Err(vec!["It is not there any more.".into()]);
        }
        match self {
            Edit::Move(_, to) => shift(faults, of, *to),
            Edit::End(_, to) => set_end(faults, of, Some(*to))?,
            Edit::Set(_, from, to) => {
                shift(faults, of, *from);
                set_end(faults, of, *to)?;
            }
            Edit::Remove(_) => {
                let text = words::fault(&faults[of].what);
                let healed = end(faults, of);
                faults.remove(of);
                if let End::Healed(by) = healed {
                    faults.remove(if by > of { by - 1 } else { by });
                }
                return valid(changed, None, format!("{text} is removed"));
            }
            Edit::Add(fault, to) => {
                // At the end of the list: what random choices of the others come out as depends on their places.
                faults.push(fault.clone());
                if to.is_some() {
                    set_end(faults, of, *to)?;
                }
            }
        }
        let fault = &changed.faults[of];
        if fault.at >= scenario.until && !matches!(self, Edit::End(..)) {
            let over = units::span(scenario.until.0 as f64);
            return Err(vec![format!(
                "The run is over at {over}: a fault at {} would not happen.",
                units::span(fault.at.0 as f64)
            )]);
        }
        let at = units::span(fault.at.0 as f64);
        let text = format!("{} at {at}", words::fault(&fault.what));
        valid(changed, Some(of), text)
    }
}

fn valid(
    scenario: Scenario,
    fault: Option<usize>,
    text: String,
) -> Result<(Scenario, Option<usize>, String), Vec<String>> {
    match scenario.validate() {
        Ok(()) => Ok((scenario, fault, text)),
        Err(problems) => Err(problems.iter().map(ToString::to_string).collect()),
    }
}

/// Moves a fault and what ends it.
fn shift(faults: &mut [Fault], of: usize, to: u64) {
    let healed = end(faults, of);
    let by = to as i64 - faults[of].at.0 as i64;
    let move_by = |time: &mut Time| time.0 = time.0.saturating_add_signed(by);
    if let FaultKind::LinkFlap { until, .. } = &mut faults[of].what {
        move_by(until);
    }
    if let End::Healed(by) = healed {
        move_by(&mut faults[by].at);
    }
    faults[of].at = Time(to);
}

/// Gives a fault another end.
fn set_end(faults: &mut Vec<Fault>, of: usize, to: Option<u64>) -> Result<(), Vec<String>> {
    let healed = end(faults, of);
    let at = faults[of].at.0;
    if let Some(to) = to.filter(|&to| to <= at) {
        return Err(vec![format!(
            "It would end at {}, which is not after its beginning at {}.",
            units::span(to as f64),
            units::span(at as f64)
        )]);
    }
    let length = |to: u64| Time(to - at);
    let has_own = own_end(&faults[of]).is_some();
    match (&mut faults[of].what, to) {
        (FaultKind::LinkFlap { until, .. }, Some(to)) => *until = Time(to),
        (FaultKind::SwitchReboot { duration, .. } | FaultKind::NicFlap { duration, .. }, Some(to)) => {
            *duration = length(to);
        }
        (FaultKind::LinkFlap { .. } | FaultKind::SwitchReboot { .. } | FaultKind::NicFlap { .. }, None) => {
            return Err(vec!["A fault of this kind needs an end.".into()]);
        }
        (FaultKind::NicPortDown { duration, .. }, to) => *duration = to.map(length),
        (
            FaultKind::LinksDown {
                count,
                spacing,
                duration,
                ..
            },
            to,
        ) => {
            let last = spacing.0.saturating_mul(u64::from(count.saturating_sub(1)));
            *duration = match to.map(|to| (to - at).checked_sub(last)) {
                None => None,
                Some(Some(left)) if left > 0 => Some(Time(left)),
                Some(_) => {
                    return Err(vec![format!(
                        "The last link goes down {} after the first: it cannot end before that.",
                        units::span(last as f64)
                    )]);
                }
            };
        }
        (what, Some(to)) if !has_own => match healed {
            End::Healed(by) => faults[by].at = Time(to),
            _ => {
                let what = repair(what).ok_or_else(|| vec!["Nothing ends a repair.".to_owned()])?;
                faults.push(Fault { at: Time(to), what });
            }
        },
        (_, None) => {
            if let End::Healed(by) = healed {
                faults.remove(by);
            }
        }
        _ => {}
    }
    Ok(())
}

/// What heals a fault that does not end by itself.
fn repair(fault: &FaultKind) -> Option<FaultKind> {
    if fault.is_repair() {
        return None;
    }
    let mut healed = fault.clone();
    match &mut healed {
        FaultKind::LinkDown { link, direction } => {
            return Some(FaultKind::LinkUp {
                link: *link,
                direction: *direction,
            });
        }
        FaultKind::SwitchDown { switch } => return Some(FaultKind::SwitchUp { switch: *switch }),
        FaultKind::LinkLoss { rate, .. }
        | FaultKind::LinkCorrupt { rate, .. }
        | FaultKind::TierLoss { rate, .. }
        | FaultKind::SwitchCorrupt { rate, .. }
        | FaultKind::NicRefuses { rate, .. } => *rate = 0.0,
        FaultKind::NicPenalty { penalty, .. } => *penalty = 0,
        _ => return None,
    }
    Some(healed)
}

#[cfg(test)]
mod tests {
    use super::super::tests::with;
    use super::*;

    const US: u64 = 1_000_000;

    const LINK: &str = r#"[
        {"at": "100us", "kind": "link_down", "link": "p0/t0.0-t1.0"},
        {"at": "300us", "kind": "link_up", "link": "p0/t0.0-t1.0"}
    ]"#;

    fn times(scenario: &Scenario) -> Vec<u64> {
        scenario.faults.iter().map(|fault| fault.at.0 / US).collect()
    }

    fn after(faults: &str, edit: Edit) -> Scenario {
        edit.apply(&with(faults)).unwrap().0
    }

    #[test]
    fn a_fault_takes_its_end_with_it() {
        assert_eq!(times(&after(LINK, Edit::Move(0, 250 * US))), [250, 450]);
        let flap = r#"[{"at": "20us", "kind": "link_flap", "link": "p0/t0.0-t1.1", "down": "5us", "up": "5us", "until": "90us"}]"#;
        let moved = after(flap, Edit::Move(0, 10 * US));
        assert!(matches!(moved.faults[0].what, FaultKind::LinkFlap { until, .. } if until == Time(80 * US)));
    }

    #[test]
    fn an_end_is_a_repair_or_a_duration() {
        assert_eq!(times(&after(LINK, Edit::End(0, 200 * US))), [100, 200]);
        let down = r#"[{"at": "100us", "kind": "switch_down", "switch": "p0/t1.0"}]"#;
        let ended = after(down, Edit::End(0, 150 * US));
        assert_eq!(times(&ended), [100, 150]);
        assert!(matches!(ended.faults[1].what, FaultKind::SwitchUp { .. }));
        let port = r#"[{"at": "100us", "kind": "nic_port_down", "nic": 1, "plane": 0}]"#;
        let ended = after(port, Edit::End(0, 150 * US));
        assert!(
            matches!(ended.faults[..], [Fault { what: FaultKind::NicPortDown { duration: Some(d), .. }, .. }] if d == Time(50 * US))
        );
        let loss = r#"[{"at": "100us", "kind": "link_loss", "link": "p0/t0.0-t1.0", "rate": 0.5}]"#;
        let ended = after(loss, Edit::End(0, 150 * US));
        assert!(ended.faults[1].what.is_repair());
    }

    #[test]
    fn without_an_end_it_lasts() {
        let lasting = after(LINK, Edit::Set(0, 50 * US, None));
        assert_eq!(times(&lasting), [50]);
    }

    #[test]
    fn what_is_removed_takes_its_repair_along() {
        assert_eq!(times(&after(LINK, Edit::Remove(0))), [0; 0]);
        // Also where the repair stands before it in the list.
        let turned = r#"[
            {"at": "300us", "kind": "link_up", "link": "p0/t0.0-t1.0"},
            {"at": "50us", "kind": "switch_down", "switch": "p0/t1.1"},
            {"at": "100us", "kind": "link_down", "link": "p0/t0.0-t1.0"}
        ]"#;
        assert_eq!(times(&after(turned, Edit::Remove(2))), [50]);
    }

    #[test]
    fn a_new_one_comes_last_with_its_end() {
        let what = FaultKind::link_down("p0/t0.0-t1.1".parse().unwrap());
        let fault = Fault {
            at: Time(400 * US),
            what,
        };
        let (added, number, text) = Edit::Add(fault, Some(450 * US)).apply(&with(LINK)).unwrap();
        assert_eq!(times(&added), [100, 300, 400, 450]);
        assert_eq!(number, Some(2));
        assert_eq!(text, "p0/t0.0-t1.1 down at 400 µs");
    }

    #[test]
    fn what_cannot_be_is_refused_with_a_reason() {
        let refused = |faults: &str, edit: Edit| edit.apply(&with(faults)).unwrap_err().join(" ");
        assert!(refused(LINK, Edit::End(0, 100 * US)).contains("not after its beginning"));
        assert!(refused(LINK, Edit::Move(7, 1)).contains("not there any more"));
        // The run is 1 ms long.
        assert!(refused(LINK, Edit::Move(0, 2_000 * US)).contains("over at 1 ms"));
        let three = r#"[{"at": "30us", "kind": "links_down", "tier": "t0_t1", "count": 3, "spacing": "10us", "duration": "40us"}]"#;
        assert!(refused(three, Edit::End(0, 50 * US)).contains("20 µs after the first"));
        let reboot = r#"[{"at": "10us", "kind": "switch_reboot", "switch": "p0/t1.0", "duration": "50us"}]"#;
        assert!(refused(reboot, Edit::Set(0, 10 * US, None)).contains("needs an end"));
    }
}
