//! What can be bad.

use crate::Topology;

/// A cable or a switch. Probes go there and back, so a cable is meant with both its directions.
///
/// Switches are numbered within a plane. The order of the fields keeps the cables of one switch next to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// The cable of a NIC's port.
    NicT0 {
        /// Plane.
        plane: u32,
        /// NIC.
        nic: u32,
    },
    /// A T0.
    T0 {
        /// Plane.
        plane: u32,
        /// T0.
        t0: u32,
    },
    /// A cable between a T0 and a T1.
    T0T1 {
        /// Plane.
        plane: u32,
        /// T1.
        t1: u32,
        /// T0.
        t0: u32,
    },
    /// A T1.
    T1 {
        /// Plane.
        plane: u32,
        /// T1.
        t1: u32,
    },
    /// A cable between a T1 and a T2.
    T1T2 {
        /// Plane.
        plane: u32,
        /// T2.
        t2: u32,
        /// T1.
        t1: u32,
    },
    /// A T2.
    T2 {
        /// Plane.
        plane: u32,
        /// T2.
        t2: u32,
    },
}

impl Element {
    /// The plane that it is in.
    pub const fn plane(self) -> u32 {
        match self {
            Element::NicT0 { plane, .. }
            | Element::T0 { plane, .. }
            | Element::T0T1 { plane, .. }
            | Element::T1 { plane, .. }
            | Element::T1T2 { plane, .. }
            | Element::T2 { plane, .. } => plane,
        }
    }

    /// The switch that decides whether a cable is to blame: all probes of the cable turn round there. A switch is its own.
    pub const fn upper_switch(self, topology: &Topology) -> Element {
        match self {
            Element::NicT0 { plane, nic } => Element::T0 {
                plane,
                t0: topology.t0_of(nic),
            },
            Element::T0T1 { plane, t1, .. } => Element::T1 { plane, t1 },
            Element::T1T2 { plane, t2, .. } => Element::T2 { plane, t2 },
            Element::T0 { .. } | Element::T1 { .. } | Element::T2 { .. } => self,
        }
    }

    /// How many cables a switch has downwards; 1 for a cable.
    pub const fn downlinks(self, topology: &Topology) -> u32 {
        match self {
            Element::T0 { .. } => topology.nics_per_t0,
            Element::T1 { .. } => topology.t0s_per_pod(),
            Element::T2 { .. } => topology.pods,
            Element::NicT0 { .. } | Element::T0T1 { .. } | Element::T1T2 { .. } => 1,
        }
    }
}
