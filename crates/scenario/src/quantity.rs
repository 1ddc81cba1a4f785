//! Quantities that carry their unit: in JSON they are strings such as `"12us"`, `"100Gbps"`, `"4KiB"`.
//!
//! Emission is canonical and exact: the largest unit that holds the value as a whole number.
// Contents are owned by the scenario crate's author; see the module's tests for what is accepted.

/// A point or span of simulated time in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u64);

/// A rate in bits per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(pub u64);

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);
