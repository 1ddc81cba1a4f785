//! How much memory a fabric's run will need, before it is built: a tab that runs out of memory can only be told so afterwards.
//!
//! What a run takes when it is built grows with its links, its NICs, its QPs and their EVs. What each of these takes was measured in a
//! browser; `tests/memory.rs` counts it natively, where it is a little more, as pointers are longer.

use scenario::{Model, Protocol, Scenario, Tier};
use view::units;

/// Bytes that a run may need when it is built: of the 4 GiB of a WebAssembly memory, which browsers give in full or not at all,
/// three quarters. Packets, events and the history need the rest.
const MOST: u64 = 3 << 30;

/// Bytes that a directed link takes: its port, what is counted of it, and its load.
const LINK: u64 = 82;
/// Bytes that a NIC takes.
const NIC: u64 = 150;
/// Bytes that a QP takes at both of its ends, without its EVs.
const QP: u64 = 1800;
/// Bytes that an EV of a QP takes: its path, and its state.
const EV: u64 = 3;

/// What a run's memory grows with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Needs {
    // Directed links.
    links: u64,
    nics: u64,
    qps: u64,
    // EVs of each QP, in use and in reserve.
    evs: u64,
}

impl Needs {
    fn of(scenario: &Scenario) -> Needs {
        let (fabric, transport) = (&scenario.fabric, &scenario.transport);
        let evs = match (transport.protocol, scenario.model) {
            (Protocol::Roce, _) => 0,
            (_, Model::Htsim) => transport.evs,
            (_, Model::Mrc) => transport.evs + transport.backup_evs_or_default(fabric.planes),
        };
        // Of a scenario that is not valid the counts mean nothing, but they stay in bounds.
        let per_plane = [Tier::Nic, Tier::T0T1, Tier::T1T2]
            .map(|tier| fabric.links_per_plane(tier).min(u64::from(u32::MAX)))
            .iter()
            .sum::<u64>();
        Needs {
            links: 2 * u64::from(fabric.planes) * per_plane,
            nics: fabric.nics(),
            qps: scenario.qp_count(),
            evs: u64::from(evs),
        }
    }

    fn bytes(self) -> u64 {
        let qps = self.qps.saturating_mul(QP + self.evs * EV);
        (self.links * LINK)
            .saturating_add(self.nics.saturating_mul(NIC))
            .saturating_add(qps)
    }

    /// What would fit into so many bytes, one thing changed at a time; what no change of it alone makes fit is left out.
    fn fitting(self, most: u64) -> Vec<String> {
        let mut fits = Vec::new();
        let fabric = self.links * LINK + self.nics * NIC;
        if let Some(left) = most.checked_sub(fabric) {
            let qps = left / (QP + self.evs * EV);
            if qps > 0 && qps < self.qps {
                fits.push(format!(
                    "about {} QPs (it has {}): fewer or smaller elements of the traffic, or fewer QPs for each flow",
                    units::count(round(qps)),
                    units::count(self.qps)
                ));
            }
            let evs = (left / self.qps.max(1)).saturating_sub(QP) / EV;
            if evs > 0 && evs < self.evs {
                fits.push(format!(
                    "about {} EVs for each QP, those in reserve included (it has {})",
                    units::count(round(evs)),
                    units::count(self.evs)
                ));
            }
        } else {
            fits.push(format!(
                "about {} directed links (it has {}): fewer planes, switches or NICs",
                units::count(round(most / (LINK + NIC * self.nics / self.links.max(1)))),
                units::count(self.links)
            ));
        }
        fits
    }
}

/// Down to two figures: an estimate has no more.
fn round(n: u64) -> u64 {
    let mut unit = 1;
    while n / unit >= 100 {
        unit *= 10;
    }
    n / unit * unit
}

/// About how many bytes a run of a scenario takes when it is built.
pub fn bytes(scenario: &Scenario) -> u64 {
    Needs::of(scenario).bytes()
}

/// Why a scenario is not to be built here, and what would fit; none where it fits.
pub fn refusal(scenario: &Scenario) -> Option<Vec<String>> {
    refusal_beyond(scenario, MOST)
}

fn refusal_beyond(scenario: &Scenario, most: u64) -> Option<Vec<String>> {
    let needs = Needs::of(scenario);
    let bytes = needs.bytes();
    (bytes > most).then(|| {
        let mut words = vec![format!(
            "It would need about {:.1} GB of memory when it is built, and a browser tab has 4 GB, of which running needs a quarter.",
            bytes as f64 / 1e9
        )];
        words.extend(needs.fitting(most).into_iter().map(|fit| format!("It would fit with at most {fit}.")));
        words.push("The command runs it as it is: flowglass run, with the scenario saved as a file.".into());
        words
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::{Bytes, Time, Traffic, presets};

    /// A permutation over 2^17 NICs: QPs of a flow, EVs in use.
    fn whole(qps: u32, evs: u32) -> Scenario {
        let mut whole = scenario::find_preset("whole-fabric")
            .expect("a preset of that name")
            .scenario();
        whole.faults.clear();
        whole.transport.qps = qps;
        whole.transport.evs = evs;
        whole.traffic = vec![Traffic::Permutation {
            shift: 256,
            bytes: Bytes(1_000_000),
            messages: 1,
            imm: false,
            start: Time(0),
        }];
        whole
    }

    #[test]
    fn every_preset_fits() {
        for preset in presets() {
            assert_eq!(refusal(&preset.scenario()), None, "{}", preset.slug);
        }
    }

    /// 2^17 NICs with 7 QPs each, with 512 EVs in use and 128 in reserve: 917,504 × (1,800 + 640 × 3) B are 3.4 GB.
    #[test]
    fn what_does_not_fit_is_refused_with_what_would() {
        let mut huge = whole(7, 512);
        huge.validate().expect("within the limits of a scenario");
        let words = refusal(&huge).expect("too large").join(" ");
        assert!(
            words.contains("3.8 GB") && words.contains("flowglass run"),
            "{words}"
        );
        // The links and NICs take 0.37 GB, and 2.86 GB are left of 3 GiB: 767,000 QPs with so many EVs, or 439 EVs for each.
        let (qps, evs) = (format!("about {} QPs", units::count(760_000)), "about 430 EVs");
        assert!(words.contains(&qps) && words.contains(evs), "{words}");
        huge.transport.evs = 256;
        assert_eq!(refusal(&huge), None);
    }

    #[test]
    fn where_the_fabric_alone_is_too_large_links_are_named() {
        let words = refusal_beyond(&whole(1, 64), 100 << 20).expect("too large");
        assert!(words.join(" ").contains("directed links"), "{words:?}");
    }
}
