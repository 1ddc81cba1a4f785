//! Default values, and which fields a scenario may leave out because they have them.
//!
//! Within a schema version a default never changes: short scenarios and old links keep their meaning.

use crate::quantity::{Bytes, Time};
use crate::schema::{Balancer, Queue, Transport};

/// One-way delay of a link: our choice; with the switch latency about 0.7 µs per hop, which is half of the
/// 1.45 µs that two more switches and fibres add in the MRC paper's latency measurement (arXiv:2605.04333 §5.2).
pub(crate) fn link_delay() -> Time {
    Time::ns(500)
}

/// Time in a switch: our choice, see [`link_delay`].
pub(crate) fn switch_latency() -> Time {
    Time::ns(200)
}

/// Thresholds of the UEC specification v1.0.3 (pp. 418–419), as multiples of the plane's BDP.
impl Default for Queue {
    fn default() -> Self {
        Self {
            ecn_min_bdp: 0.2,
            ecn_max_bdp: 0.8,
            trim_bdp: 1.0,
            trim_last_hop_bdp: 1.5,
            control_bdp: 1.0,
            trimming: true,
        }
    }
}

/// PMTU: inferred from the MRC paper's 96 % payload efficiency (§5.2.1). EVs: the paper's 128 to 256.
/// Window: UET 1.0 NSCC, 1.5 BDP. SACK threshold, probe interval and probes: our choice (the public record is silent).
impl Default for Transport {
    fn default() -> Self {
        Self {
            pmtu: Bytes(4096),
            evs: 128,
            balancer: Balancer::Mrc,
            sack_every: Bytes(4096),
            rto: None,
            reorder_window: None,
            probe_interval: Time::us(100),
            probes_to_revive: 2,
            max_window_bdp: 1.5,
        }
    }
}

/// True when a value equals its type's default.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

pub(crate) fn is_link_delay(value: &Time) -> bool {
    *value == link_delay()
}

pub(crate) fn is_switch_latency(value: &Time) -> bool {
    *value == switch_latency()
}

/// `skip_serializing_if` functions for fields whose default is their owner's, not their type's.
macro_rules! owner_defaults {
    ($($name:ident: $owner:ident.$field:ident: $type:ty;)*) => {$(
        pub(crate) fn $name(value: &$type) -> bool {
            *value == $owner::default().$field
        }
    )*};
}

owner_defaults! {
    is_ecn_min: Queue.ecn_min_bdp: f64;
    is_ecn_max: Queue.ecn_max_bdp: f64;
    is_trim: Queue.trim_bdp: f64;
    is_trim_last_hop: Queue.trim_last_hop_bdp: f64;
    is_control: Queue.control_bdp: f64;
    is_trimming: Queue.trimming: bool;
    is_pmtu: Transport.pmtu: Bytes;
    is_evs: Transport.evs: u32;
    is_sack_every: Transport.sack_every: Bytes;
    is_probe_interval: Transport.probe_interval: Time;
    is_probes_to_revive: Transport.probes_to_revive: u32;
    is_max_window: Transport.max_window_bdp: f64;
}
