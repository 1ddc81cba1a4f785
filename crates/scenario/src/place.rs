//! Names of links and switches: `p0/t0.3`, `p0/t1.2`, `p0/t0.3-t1.2`, `p0/n17` (NIC 17's link to its T0 in plane 0).

/// A switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SwitchName {
    /// `p{plane}/t0.{index}`
    T0 {
        /// Plane.
        plane: u32,
        /// Index within the plane.
        index: u32,
    },
    /// `p{plane}/t1.{index}`
    T1 {
        /// Plane.
        plane: u32,
        /// Index within the plane.
        index: u32,
    },
}

/// A full-duplex link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkName {
    /// `p{plane}/n{nic}`: the NIC's link to its T0.
    Nic {
        /// Plane.
        plane: u32,
        /// NIC.
        nic: u32,
    },
    /// `p{plane}/t0.{t0}-t1.{t1}`
    T0T1 {
        /// Plane.
        plane: u32,
        /// T0 index within the plane.
        t0: u32,
        /// T1 index within the plane.
        t1: u32,
    },
}
