//! How much memory a fabric's run will need, before it is built: a tab that runs out of memory can only be told so afterwards.
//!
//! What a run takes when it is built grows with its links, its NICs, its QPs and their EVs. What each of these takes was measured
//! natively, where it is a little more than in WebAssembly as pointers are longer; the tests measure it again.

use scenario::{Model, Protocol, Scenario, Tier};
use view::units;

/// Bytes that a run may need when it is built: of the 4 GiB of a WebAssembly memory, which browsers give in full or not at all,
/// three quarters. Packets, events and the history need the rest.
const MOST: u64 = 3 << 30;

/// Bytes that a directed link takes: its port, what is counted of it, and its load.
const LINK: u64 = 160;
/// Bytes that a NIC takes.
const NIC: u64 = 400;
/// Bytes that a QP takes at both of its ends.
const QP: u64 = 1600;
/// Bytes that an EV of a QP takes.
const EV: u64 = 12;

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
        (self.links * LINK).saturating_add(self.nics.saturating_mul(NIC)).saturating_add(qps)
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

/// Why a scenario is not to be built here, and what would fit; none where it fits.
pub fn refusal(scenario: &Scenario) -> Option<Vec<String>> {
    refusal_beyond(scenario, MOST)
}

fn refusal_beyond(scenario: &Scenario, most: u64) -> Option<Vec<String>> {
    let needs = Needs::of(scenario);
    let bytes = needs.bytes();
    (bytes > most).then(|| {
        let mut words = vec![format!(
            "It would need about {} of memory when it is built, and a browser tab has 4 GB, of which running needs a quarter.",
            units::bytes(round(bytes) as f64)
        )];
        words.extend(needs.fitting(most).into_iter().map(|fit| format!("It would fit with at most {fit}.")));
        words.push("The command runs it as it is: flowglass run, with the scenario saved as a file.".into());
        words
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory;
    use crate::run::Run;
    use scenario::{Bytes, Traffic};

    fn shape(planes: u32, t0: u32, t1: u32, nics: u32, qps: u32, evs: u32) -> Scenario {
        let mut s = scenario::find_preset("link-dies").unwrap().scenario();
        s.faults.clear();
        s.fabric.planes = planes;
        s.fabric.t0_per_plane = t0;
        s.fabric.t1_per_plane = t1;
        s.fabric.nics_per_t0 = nics;
        s.transport.evs = evs;
        s.transport.qps = qps;
        s.traffic = vec![Traffic::Permutation { shift: nics, bytes: Bytes(10_000_000), messages: 1, imm: false, start: scenario::Time(0) }];
        s
    }

    #[test]
    fn measure() {
        for (planes, t0, t1, nics, qps, evs) in [
            (1, 16, 8, 16, 1, 64), (1, 32, 16, 32, 1, 64), (4, 32, 16, 32, 1, 64), (8, 64, 32, 64, 1, 64), (8, 64, 256, 64, 1, 64),
            (1, 32, 16, 32, 8, 64), (1, 32, 16, 32, 8, 512), (1, 32, 16, 32, 32, 64), (8, 128,128,128,1,128),
        ] {
            let s = shape(planes, t0, t1, nics, qps, evs);
            s.validate().unwrap();
            let before = memory::heap();
            let mut run = Run::new(1, &s, false).unwrap();
            let built = memory::heap() - before;
            run.sim.run_until(kernel::Time::from_us(60));
            let ran = memory::heap() - before;
            let c = run.sim.network().config().clos;
            println!("M links={} nics={} qps={} evs={} built={built} ran={ran} est={}", c.links(), c.nics(), s.qp_count(), Needs::of(&s).evs, Needs::of(&s).bytes());
        }
    }
}
