//! Who is there: switches, NICs and their ports, numbered and named.

use crate::address::link_address;
use fabric::{Clos, usid};
use scenario::SwitchName;
use std::net::Ipv6Addr;
use wire::{Tier, Usid};

/// Largest number of planes, T0s, T1s and NICs per T0 that uSIDs can name ([`wire::Usid`]).
const MAX: [u32; 4] = [8, 2048, 2048, 2048];

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
    /// The fabric has no such switch.
    #[error("there is no switch {name}; expected p0 to p{}, t0.0 to t0.{}, t1.0 to t1.{}", clos.planes - 1, clos.t0s - 1, clos.t1s - 1)]
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

/// A switch of a [`Plan`]. It is no T2: [`Plan::switch`] refuses those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch(SwitchName);

/// A NIC of a [`Plan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nic(u32);

/// One port of a switch or NIC, and who is at the other end of its cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// On a T0: downlinks from 0 by NIC, then uplinks by T1. On a T1: by T0. On a NIC: the plane.
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
    /// [`PlanError::Dimension`].
    pub fn new(clos: Clos) -> Result<Plan, PlanError> {
        let names = ["planes", "T0s per plane", "T1s per plane", "NICs per T0"];
        let values = [clos.planes, clos.t0s, clos.t1s, clos.nics_per_t0];
        for ((what, value), max) in names.into_iter().zip(values).zip(MAX) {
            if !(1..=max).contains(&value) {
                return Err(PlanError::Dimension { what, value, max });
            }
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
            SwitchName::T2 { .. } => false,
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

    /// Every switch, plane by plane, T0s first.
    pub fn switches(&self) -> impl Iterator<Item = Switch> + use<> {
        let clos = self.clos;
        (0..clos.planes).flat_map(move |plane| {
            let t0s = (0..clos.t0s).map(move |index| SwitchName::T0 { plane, index });
            let t1s = (0..clos.t1s).map(move |index| SwitchName::T1 { plane, index });
            t0s.chain(t1s).map(Switch)
        })
    }

    /// A switch's ports in order.
    pub fn ports(&self, switch: Switch) -> impl Iterator<Item = Port> + use<> {
        let clos = self.clos;
        // Downlinks come first; a T1 has nothing else.
        let (downlinks, uplinks) = match switch.0 {
            SwitchName::T0 { .. } => (clos.nics_per_t0, clos.t1s),
            SwitchName::T1 { .. } | SwitchName::T2 { .. } => (clos.t0s, 0),
        };
        (0..downlinks + uplinks).map(move |number| {
            let is_uplink = number >= downlinks;
            let (cable, tier, index) = match switch.0 {
                SwitchName::T0 { plane, index: t0 } if is_uplink => {
                    let t1 = number - downlinks;
                    (clos.up(plane, t0, t1), Tier::T1, t1)
                }
                SwitchName::T0 { plane, index: t0 } => {
                    let nic = t0 * clos.nics_per_t0 + number;
                    (clos.nic_up(plane, nic), Tier::Nic, number)
                }
                SwitchName::T1 { plane, index: t1 } | SwitchName::T2 { plane, index: t1 } => {
                    (clos.up(plane, number, t1), Tier::T0, number)
                }
            };
            Port {
                number,
                neighbour: named(switch.plane(), tier, index),
                near: link_address(cable, !is_uplink),
                far: link_address(cable, is_uplink),
            }
        })
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

    /// Every EV as the plane and the T1 that it names.
    pub fn evs(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let Clos { planes, t1s, .. } = self.clos;
        (0..planes).flat_map(move |plane| (0..t1s).map(move |t1| (plane, t1)))
    }
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
            SwitchName::T1 { plane, index } | SwitchName::T2 { plane, index } => {
                named(plane, Tier::T1, index)
            }
        }
    }
}

impl Nic {
    /// Its number.
    pub fn number(self) -> u32 {
        self.0
    }
}

pub(crate) fn named(plane: u32, tier: Tier, index: u32) -> Usid {
    let (tier, number) = match tier {
        Tier::T0 => (usid::T0, index),
        Tier::T1 => (usid::T1, index),
        // Counted from 1, so that no uSID is zero.
        Tier::T2 => (0, index + 1),
        Tier::Nic => (usid::NIC, index),
    };
    Usid::from_raw(usid::usid(plane, tier, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOS: Clos = Clos {
        planes: 2,
        t0s: 3,
        t1s: 4,
        nics_per_t0: 5,
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
    }

    #[test]
    fn ports_are_in_the_documented_order() {
        let plan = Plan::new(CLOS).unwrap();
        let neighbours = |name: &str| -> Vec<String> {
            let switch = plan.switch(name.parse().unwrap()).unwrap();
            let ports: Vec<Port> = plan.ports(switch).collect();
            assert!(ports.iter().enumerate().all(|(i, port)| port.number == i as u32));
            ports.iter().map(|port| port.neighbour.to_string()).collect()
        };
        assert_eq!(
            neighbours("p1/t0.2").join(", "),
            "p1 nic.0, p1 nic.1, p1 nic.2, p1 nic.3, p1 nic.4, p1 t1.0, p1 t1.1, p1 t1.2, p1 t1.3"
        );
        assert_eq!(neighbours("p0/t1.3"), ["p0 t0.0", "p0 t0.1", "p0 t0.2"]);
        let nic: Vec<Port> = plan.nic_ports(plan.nic(7).unwrap()).collect();
        let nic: Vec<String> = nic
            .iter()
            .map(|port| format!("{} {}", port.number, port.neighbour))
            .collect();
        assert_eq!(nic, ["0 p0 t0.1", "1 p1 t0.1"]);
    }

    #[test]
    fn every_switch_once_and_every_cable_has_two_ends() {
        let plan = Plan::new(CLOS).unwrap();
        let mut ends: Vec<Ipv6Addr> = plan
            .switches()
            .flat_map(|s| plan.ports(s))
            .map(|port| port.near)
            .collect();
        for nic in 0..CLOS.nics() {
            ends.extend(plan.nic_ports(plan.nic(nic).unwrap()).map(|port| port.near));
        }
        assert_eq!(ends.len() as u32, CLOS.links());
        ends.sort();
        ends.dedup();
        assert_eq!(
            ends.len() as u32,
            CLOS.links(),
            "an address is given to two ports"
        );
        assert_eq!(plan.switches().count(), 2 * (3 + 4));
    }
}
