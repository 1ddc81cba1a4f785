//! Who is there: switches, NICs and their ports, numbered and named.

use crate::address::link_address;
use fabric::{Clos, Top, Way, path, usid};
use scenario::SwitchName;
use std::net::Ipv6Addr;
use wire::{Tier, Usid};

/// Largest number of planes, T0s, T1s and NICs per T0 that uSIDs can name ([`wire::Usid`]).
const MAX: [u32; 4] = [8, 2048, 2048, 2048];

/// Largest number of T2s: their indices are counted from 1 in uSIDs.
const MAX_T2: u32 = 2047;

/// A fabric to configure.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    clos: Clos,
}

/// Why there is no configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A dimension of the fabric is 0 or has no place in a uSID.
    #[error("{what} is {value}; expected 1 to {max}")]
    Dimension {
        /// Which.
        what: &'static str,
        /// Its value.
        value: u32,
        /// The largest possible one.
        max: u32,
    },
    /// T0s, T1s and T2s cannot be dealt out to the pods evenly.
    #[error(
        "{} T0s, {} T1s and {} T2s per plane do not come out even in {} pods; expected T0s and T1s to be multiples of the pods, T2s \
         (at most 2047) one of the T1s in a pod, and without T2s one pod",
        .0.t0s, .0.t1s, .0.t2s, .0.pods
    )]
    Pods(Clos),
    /// The fabric has no such switch.
    #[error("there is no switch {name}; expected p0 to p{}, t0.0 to t0.{}, t1.0 to t1.{}{}", clos.planes - 1, clos.t0s - 1, clos.t1s - 1,
        if clos.t2s > 0 { format!(", t2.0 to t2.{}", clos.t2s - 1) } else { String::new() })]
    NoSwitch {
        /// What was asked for.
        name: SwitchName,
        /// What there is.
        clos: Clos,
    },
    /// The fabric has no such NIC.
    #[error("there is no NIC {nic}; expected 0 to {last}")]
    NoNic {
        /// What was asked for.
        nic: u32,
        /// The last one.
        last: u32,
    },
}

/// A switch of a [`Plan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch(SwitchName);

/// A NIC of a [`Plan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nic(u32);

/// One port of a switch or NIC, and who is at the other end of its cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// On a T0: downlinks from 0 by NIC, then uplinks by T1. On a T1: by T0, then by T2. On a T2: by T1. On a NIC: the plane.
    pub number: u32,
    /// The neighbour's uSID; where the neighbour is a NIC, that of the downlink to it.
    pub neighbour: Usid,
    /// Address of this end of the cable.
    pub near: Ipv6Addr,
    /// Address of the other end: the next hop.
    pub far: Ipv6Addr,
}

impl Plan {
    /// A plan for a fabric.
    ///
    /// # Errors
    /// [`PlanError::Dimension`] and [`PlanError::Pods`].
    pub fn new(clos: Clos) -> Result<Plan, PlanError> {
        let names = ["planes", "T0s per plane", "T1s per plane", "NICs per T0"];
        let values = [clos.planes, clos.t0s, clos.t1s, clos.nics_per_t0];
        for ((what, value), max) in names.into_iter().zip(values).zip(MAX) {
            if !(1..=max).contains(&value) {
                return Err(PlanError::Dimension { what, value, max });
            }
        }
        let even = (1..=clos.t0s).contains(&clos.pods)
            && clos.t0s.is_multiple_of(clos.pods)
            && clos.t1s.is_multiple_of(clos.pods)
            && clos.t2s <= MAX_T2
            && clos.t2s.is_multiple_of(clos.t1s_per_pod())
            && (clos.t2s > 0 || clos.pods == 1);
        if !even {
            return Err(PlanError::Pods(clos));
        }
        Ok(Plan { clos })
    }

    /// The fabric.
    pub fn clos(&self) -> &Clos {
        &self.clos
    }

    /// The switch of that name.
    ///
    /// # Errors
    /// [`PlanError::NoSwitch`].
    pub fn switch(&self, name: SwitchName) -> Result<Switch, PlanError> {
        let clos = self.clos;
        let exists = match name {
            SwitchName::T0 { plane, index } => plane < clos.planes && index < clos.t0s,
            SwitchName::T1 { plane, index } => plane < clos.planes && index < clos.t1s,
            SwitchName::T2 { plane, index } => plane < clos.planes && index < clos.t2s,
        };
        if exists {
            Ok(Switch(name))
        } else {
            Err(PlanError::NoSwitch { name, clos })
        }
    }

    /// The NIC of that number.
    ///
    /// # Errors
    /// [`PlanError::NoNic`].
    pub fn nic(&self, nic: u32) -> Result<Nic, PlanError> {
        let last = self.clos.nics() - 1;
        if nic > last {
            return Err(PlanError::NoNic { nic, last });
        }
        Ok(Nic(nic))
    }

    /// Every switch, plane by plane: T0s, T1s, T2s.
    pub fn switches(&self) -> impl Iterator<Item = Switch> + use<> {
        let clos = self.clos;
        (0..clos.planes).flat_map(move |plane| {
            let t0s = (0..clos.t0s).map(move |index| SwitchName::T0 { plane, index });
            let t1s = (0..clos.t1s).map(move |index| SwitchName::T1 { plane, index });
            let t2s = (0..clos.t2s).map(move |index| SwitchName::T2 { plane, index });
            t0s.chain(t1s).chain(t2s).map(Switch)
        })
    }

    /// A switch's ports in order.
    pub fn ports(&self, switch: Switch) -> impl Iterator<Item = Port> + use<> {
        // Upward links of the cables, each with the neighbour and whether that is above.
        let cables = self.cables(switch);
        (0..)
            .zip(cables)
            .map(|(number, (cable, neighbour, is_uplink))| Port {
                number,
                neighbour,
                near: link_address(cable, !is_uplink),
                far: link_address(cable, is_uplink),
            })
    }

    /// The cables of a switch, those to neighbours below first: the number of the upward link, the neighbour, and whether it is above.
    fn cables(&self, switch: Switch) -> Vec<(u32, Usid, bool)> {
        let clos = self.clos;
        match switch.0 {
            SwitchName::T0 { plane, index: t0 } => {
                let nic = move |number| clos.nic_up(plane, t0 * clos.nics_per_t0 + number);
                let nics = (0..clos.nics_per_t0)
                    .map(move |number| (nic(number), named(plane, Tier::Nic, number), false));
                let t1s = clos.t1s_above(t0);
                let t1s = t1s.map(move |t1| (clos.up(plane, t0, t1), named(plane, Tier::T1, t1), true));
                nics.chain(t1s).collect()
            }
            SwitchName::T1 { plane, index: t1 } => {
                let t0s = clos.t0s_below(t1);
                let t0s = t0s.map(move |t0| (clos.up(plane, t0, t1), named(plane, Tier::T0, t0), false));
                let t2s = clos.t2s_above(t1);
                let t2s = t2s.map(move |t2| (clos.core_up(plane, t1, t2), named(plane, Tier::T2, t2), true));
                t0s.chain(t2s).collect()
            }
            SwitchName::T2 { plane, index: t2 } => {
                let t1s = clos.t1s_below(t2);
                let t1s = t1s.map(move |t1| (clos.core_up(plane, t1, t2), named(plane, Tier::T1, t1), false));
                t1s.collect()
            }
        }
    }

    /// A NIC's ports, one in each plane, each with the uSID of the T0 there.
    pub fn nic_ports(&self, nic: Nic) -> impl Iterator<Item = Port> + use<> {
        let clos = self.clos;
        (0..clos.planes).map(move |plane| {
            let cable = clos.nic_up(plane, nic.0);
            Port {
                number: plane,
                neighbour: named(plane, Tier::T0, clos.t0_of(nic.0)),
                near: link_address(cable, false),
                far: link_address(cable, true),
            }
        })
    }

    /// The uSID of the T0's downlink to a NIC, by which the NIC knows packets in `plane` as its own.
    pub fn nic_usid(&self, nic: Nic, plane: u32) -> Usid {
        named(plane, Tier::Nic, nic.0 % self.clos.nics_per_t0)
    }

    /// Every EV of a NIC: in each plane one for each T1 of its pod, and one for each T2.
    pub fn evs(&self, nic: Nic) -> impl Iterator<Item = Ev> + use<> {
        let clos = self.clos;
        let t1s = clos.t1s_above(clos.t0_of(nic.0));
        (0..clos.planes).flat_map(move |plane| {
            let t1s = t1s.clone().map(move |t1| (Tier::T1, t1));
            let t2s = (0..clos.t2s).map(|t2| (Tier::T2, t2));
            let via = t1s.chain(t2s).map(move |(tier, index)| named(plane, tier, index));
            (0..).zip(via).map(move |(number, via)| Ev { plane, via, number })
        })
    }

    /// The EVs by which a NIC can reach a peer, each with the uSIDs to visit (0 after the last): one for each T1 of their pod (which NICs
    /// of one T0 do not go over), or for each T2 between pods.
    pub fn paths(&self, nic: Nic, peer: Nic) -> impl Iterator<Item = (Ev, [u16; path::LONGEST])> + use<> {
        let clos = self.clos;
        let way = Way::between(&clos, nic.0, peer.0);
        let uses_t2 = clos.top(nic.0, peer.0) == Top::T2;
        let t1s = clos.t1s_per_pod();
        let usable = self.evs(nic).filter(move |ev| (ev.number >= t1s) == uses_t2);
        usable.map(move |ev| {
            let number = if uses_t2 { ev.number - t1s } else { ev.number };
            (ev, path::expand(&clos, way.usids(ev.plane, number)))
        })
    }
}

/// An EV as a path from a NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ev {
    /// Plane.
    pub plane: u32,
    /// The T1 or T2 where the path turns back down.
    pub via: Usid,
    // Among the NIC's EVs in the plane, T1s first.
    number: u32,
}

impl Switch {
    /// Its name.
    pub fn name(self) -> SwitchName {
        self.0
    }

    /// Its plane.
    pub fn plane(self) -> u32 {
        match self.0 {
            SwitchName::T0 { plane, .. } | SwitchName::T1 { plane, .. } | SwitchName::T2 { plane, .. } => {
                plane
            }
        }
    }

    /// Its uSID.
    pub fn usid(self) -> Usid {
        match self.0 {
            SwitchName::T0 { plane, index } => named(plane, Tier::T0, index),
            SwitchName::T1 { plane, index } => named(plane, Tier::T1, index),
            SwitchName::T2 { plane, index } => named(plane, Tier::T2, index),
        }
    }
}

impl Nic {
    /// Its number.
    pub fn number(self) -> u32 {
        self.0
    }
}

fn named(plane: u32, tier: Tier, index: u32) -> Usid {
    let tier = match tier {
        Tier::T0 => usid::T0,
        Tier::T1 => usid::T1,
        Tier::T2 => usid::T2,
        Tier::Nic => usid::NIC,
    };
    Usid::from_raw(usid::usid(plane, tier, index))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOS: Clos = Clos {
        planes: 2,
        t0s: 3,
        t1s: 4,
        nics_per_t0: 5,
        pods: 1,
        t2s: 0,
    };

    // Two pods of two T0s and two T1s; each T1 is linked to three T2s.
    const THREE: Clos = Clos {
        planes: 2,
        t0s: 4,
        t1s: 4,
        nics_per_t0: 1,
        pods: 2,
        t2s: 6,
    };

    #[test]
    fn what_is_not_there_is_named_with_what_is() {
        let plan = Plan::new(CLOS).unwrap();
        let refusal = |name: &str| plan.switch(name.parse().unwrap()).unwrap_err().to_string();
        for name in ["p2/t0.0", "p0/t0.3", "p1/t1.4"] {
            assert_eq!(
                refusal(name),
                format!("there is no switch {name}; expected p0 to p1, t0.0 to t0.2, t1.0 to t1.3")
            );
        }
        assert_eq!(
            plan.nic(15).unwrap_err().to_string(),
            "there is no NIC 15; expected 0 to 14"
        );
        assert_eq!(
            Plan::new(Clos { t1s: 2049, ..CLOS }).unwrap_err().to_string(),
            "T1s per plane is 2049; expected 1 to 2048"
        );
        assert!(Plan::new(Clos { planes: 0, ..CLOS }).is_err());
        assert_eq!(
            Plan::new(THREE)
                .unwrap()
                .switch("p0/t2.6".parse().unwrap())
                .unwrap_err()
                .to_string(),
            "there is no switch p0/t2.6; expected p0 to p1, t0.0 to t0.3, t1.0 to t1.3, t2.0 to t2.5"
        );
    }

    #[test]
    fn pods_come_out_even() {
        for (pods, t2s) in [(3, 6), (2, 3), (0, 6), (2, 0), (2, 2_048)] {
            let odd = Clos { pods, t2s, ..THREE };
            assert_eq!(Plan::new(odd).unwrap_err(), PlanError::Pods(odd));
        }
        assert_eq!(
            Plan::new(Clos { t2s: 3, ..THREE }).unwrap_err().to_string(),
            "4 T0s, 4 T1s and 3 T2s per plane do not come out even in 2 pods; expected T0s and T1s to be multiples of the pods, T2s \
             (at most 2047) one of the T1s in a pod, and without T2s one pod"
        );
    }

    #[test]
    fn ports_are_in_the_documented_order() {
        let neighbours = |clos: Clos, name: &str| -> Vec<String> {
            let plan = Plan::new(clos).unwrap();
            let switch = plan.switch(name.parse().unwrap()).unwrap();
            let ports: Vec<Port> = plan.ports(switch).collect();
            assert!(ports.iter().enumerate().all(|(i, port)| port.number == i as u32));
            ports.iter().map(|port| port.neighbour.to_string()).collect()
        };
        assert_eq!(
            neighbours(CLOS, "p1/t0.2").join(", "),
            "p1 nic.0, p1 nic.1, p1 nic.2, p1 nic.3, p1 nic.4, p1 t1.0, p1 t1.1, p1 t1.2, p1 t1.3"
        );
        assert_eq!(neighbours(CLOS, "p0/t1.3"), ["p0 t0.0", "p0 t0.1", "p0 t0.2"]);
        assert_eq!(neighbours(THREE, "p1/t0.2"), ["p1 nic.0", "p1 t1.2", "p1 t1.3"]);
        assert_eq!(
            neighbours(THREE, "p1/t1.3"),
            ["p1 t0.2", "p1 t0.3", "p1 t2.3", "p1 t2.4", "p1 t2.5"]
        );
        assert_eq!(neighbours(THREE, "p0/t2.4"), ["p0 t1.1", "p0 t1.3"]);
        let plan = Plan::new(CLOS).unwrap();
        let nic: Vec<Port> = plan.nic_ports(plan.nic(7).unwrap()).collect();
        let nic: Vec<String> = nic
            .iter()
            .map(|port| format!("{} {}", port.number, port.neighbour))
            .collect();
        assert_eq!(nic, ["0 p0 t0.1", "1 p1 t0.1"]);
    }

    #[test]
    fn every_switch_once_and_every_cable_has_two_ends() {
        for clos in [CLOS, THREE] {
            every_cable_has_two_ends(clos);
        }
    }

    fn every_cable_has_two_ends(clos: Clos) {
        let plan = Plan::new(clos).unwrap();
        let mut ends: Vec<Ipv6Addr> = plan
            .switches()
            .flat_map(|s| plan.ports(s))
            .map(|port| port.near)
            .collect();
        for nic in 0..clos.nics() {
            ends.extend(plan.nic_ports(plan.nic(nic).unwrap()).map(|port| port.near));
        }
        assert_eq!(ends.len() as u32, clos.links());
        ends.sort();
        ends.dedup();
        assert_eq!(
            ends.len() as u32,
            clos.links(),
            "an address is given to two ports"
        );
        let switches = clos.t0s + clos.t1s + clos.t2s;
        assert_eq!(plan.switches().count() as u32, clos.planes * switches);
    }
}
