//! Whether scenarios may be compared: the same work, the same faults, fabrics of the same capacity.

use super::letter;
use scenario::{Bytes, Flow, Scenario};

/// What decides how much a fabric could carry, and how much it is asked to.
struct Terms {
    nics: u64,
    nic_bps: u128,
    trunk_bps: u128,
    flows: u64,
    bytes: u128,
    work: Vec<Transfer>,
}

/// What one flow has to carry, whatever its QPs: sender, receiver, message bytes, beginning in ps.
type Transfer = (u32, u32, u128, u64);

impl Terms {
    fn of(scenario: &Scenario) -> Terms {
        let fabric = &scenario.fabric;
        let [planes, t0s, t1s] = [fabric.planes, fabric.t0_per_plane, fabric.t1_per_plane].map(u128::from);
        let nics = t0s * u128::from(fabric.nics_per_t0);
        // Each T0 has a link to each T1 of its pod.
        let trunks = planes * t0s * t1s / u128::from(fabric.pods.max(1));
        let flows = scenario.flows();
        let bytes = |flow: &Flow| u128::from(flow.bytes) * u128::from(flow.messages);
        let mut work: Vec<Transfer> = flows
            .chunk_by(|_, next| next.qp > 0)
            .map(|qps| {
                let whole = qps.iter().map(bytes).sum();
                (qps[0].src, qps[0].dst, whole, qps[0].start_ps)
            })
            .collect();
        work.sort_unstable();
        Terms {
            nics: nics as u64,
            nic_bps: planes * nics * u128::from(fabric.nic_link_rate.0),
            trunk_bps: trunks * u128::from(fabric.t1_rate().0),
            flows: work.len() as u64,
            bytes: work.iter().map(|(.., bytes, _)| bytes).sum(),
            work,
        }
    }
}

/// What makes a comparison of scenarios with the first one unfair, or at least not one of like with like; a sentence each.
pub fn warnings(scenarios: &[Scenario]) -> Vec<String> {
    let mut warnings = Vec::new();
    let Some((first, others)) = scenarios.split_first() else {
        return warnings;
    };
    let a = Terms::of(first);
    for (number, other) in others.iter().enumerate() {
        let b = Terms::of(other);
        let name = letter(number + 1);
        let differ = |what: &str, [a, b]: [String; 2]| format!("{what}: {a} in A, {b} in {name}");
        if a.nics != b.nics {
            let counts = [a.nics, b.nics].map(|n| n.to_string());
            warnings.push(differ("other numbers of NICs", counts));
        }
        if a.nic_bps != b.nic_bps {
            let rates = [a.nic_bps, b.nic_bps].map(tbps);
            warnings.push(differ("other rates of all NICs together", rates));
        }
        if a.trunk_bps != b.trunk_bps {
            let rates = [a.trunk_bps, b.trunk_bps].map(tbps);
            warnings.push(differ("other rates of all T0–T1 links together", rates));
        }
        if a.bytes != b.bytes {
            let amounts = [a.bytes, b.bytes].map(|n| Bytes(u64::try_from(n).unwrap_or(u64::MAX)).to_string());
            warnings.push(differ("other amounts to send", amounts));
        }
        if a.flows != b.flows {
            let counts = [a.flows, b.flows].map(|n| n.to_string());
            warnings.push(differ("other numbers of flows", counts));
        } else if a.bytes == b.bytes && a.work != b.work {
            warnings.push(format!(
                "as much to send in A and in {name}, but between other NICs, in other parts or at other times"
            ));
        }
        if first.until != other.until {
            let ends = [first.until, other.until].map(|t| t.to_string());
            warnings.push(differ("other latest ends", ends));
        }
        warnings.extend(other_faults(first, other, name));
    }
    warnings
}

/// How the faults of the first scenario and another one differ; none where they are the same.
fn other_faults(a: &Scenario, b: &Scenario, name: char) -> Option<String> {
    let times = |scenario: &Scenario| -> Vec<_> {
        let faults = scenario.faults.iter();
        faults.map(|fault| (fault.at, fault.what.name())).collect()
    };
    if a.faults == b.faults {
        return None;
    }
    Some(match (a.faults.is_empty(), b.faults.is_empty()) {
        (true, _) => format!("faults in {name} only"),
        (_, true) => "faults in A only".into(),
        _ if times(a) != times(b) => format!("other faults, or other times of them, in A and in {name}"),
        _ => {
            format!("faults of the same kinds and times, but of other places or extents, in A and in {name}")
        }
    })
}

fn tbps(bps: u128) -> String {
    format!("{} Tb/s", bps as f64 / 1e12)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::scenario;
    use scenario::{Rate, Time, Traffic};

    fn of(change: impl Fn(&mut Scenario)) -> Vec<String> {
        let mut other = scenario();
        change(&mut other);
        warnings(&[scenario(), other])
    }

    #[test]
    fn other_endpoints_on_the_same_fabric_are_fair() {
        assert!(of(|_| ()).is_empty());
        // A flow's QPs share its bytes: it stays one flow.
        let fair = of(|s| {
            s.transport.qps = 4;
            s.transport.evs = 8;
            s.seed = 5;
        });
        assert!(fair.is_empty(), "{fair:?}");
    }

    #[test]
    fn other_work_is_not() {
        // Six NICs with 100 kB each; 12 links of 100 Gb/s to NICs; 2 planes × 3 T0 × 2 T1.
        assert_eq!(
            of(|s| s.traffic.extend(s.traffic.clone())),
            [
                "other amounts to send: 600 kB in A, 1.2 MB in B",
                "other numbers of flows: 6 in A, 12 in B"
            ]
        );
        let turned = of(|s| {
            s.traffic = vec![Traffic::Permutation {
                shift: 3,
                bytes: Bytes(100_000),
                messages: 1,
                imm: false,
                start: Time(0),
            }];
        });
        assert_eq!(
            turned,
            ["as much to send in A and in B, but between other NICs, in other parts or at other times"]
        );
    }

    #[test]
    fn other_fabrics_are_not() {
        assert_eq!(
            of(|s| s.fabric.nic_link_rate = Rate(200_000_000_000)),
            [
                "other rates of all NICs together: 1.2 Tb/s in A, 2.4 Tb/s in B",
                "other rates of all T0–T1 links together: 1.2 Tb/s in A, 2.4 Tb/s in B"
            ]
        );
        let larger = of(|s| s.fabric.nics_per_t0 = 3);
        assert_eq!(larger[0], "other numbers of NICs: 6 in A, 9 in B");
    }

    #[test]
    fn other_faults_are_not() {
        assert_eq!(of(|s| s.faults.clear()), ["faults in A only"]);
        assert_eq!(
            of(|s| s.faults[0].at = Time(1)),
            ["other faults, or other times of them, in A and in B"]
        );
        assert_eq!(
            of(
                |s| if let scenario::FaultKind::LinkLoss { rate, .. } = &mut s.faults[0].what {
                    *rate = 0.5;
                }
            ),
            ["faults of the same kinds and times, but of other places or extents, in A and in B"]
        );
        assert_eq!(
            of(|s| s.until = Time::ms(9)),
            ["other latest ends: 5 ms in A, 9 ms in B"]
        );
    }
}
