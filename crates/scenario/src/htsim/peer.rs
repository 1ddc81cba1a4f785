//! uet-htsim's own parameters, for runs that compare models and not parameters.

use super::topology::Topology;
use crate::limits;
use crate::quantity::{Bytes, Time};
use crate::schema::{Fabric, Queue, Transport};

/// uet-htsim's data packet on the wire, in bytes.
const HTSIM_DATA_BYTES: u64 = 4150;
/// Header bytes in it; also the size of its ACKs, NACKs and trimmed packets.
const HTSIM_HEADER_BYTES: u64 = 64;

/// Sets what uet-htsim uses by default with NSCC; the list is in [`super::to_scenario`].
pub(super) fn set_parameters(topology: &Topology, fabric: &mut Fabric, transport: &mut Transport) {
    fabric.queue = Queue {
        trim_last_hop_bdp: 1.0,
        ..Queue::default()
    };
    transport.pmtu = Bytes(HTSIM_DATA_BYTES - HTSIM_HEADER_BYTES);
    transport.evs = 64;
    transport.sack_every = Bytes(16_384);
    transport.reorder_window = Some(Time(0));
    transport.rto = Some(htsim_min_rto(topology));
    transport.max_window_bdp = 1.5;
}

/// uet-htsim's least retransmission timeout on this topology: 15 µs + 6 times the time in which a full queue
/// drains into a host's link. The queue is one BDP in whole packets of 4,150 B; the BDP is the host link's rate
/// times the base RTT 2·(2·d₀ + 2·d₁ + 3·s) + 4 hops · (4,150 B + 64 B) serialised, with d₀, d₁ the delays of
/// a host's and a T0–T1 link and s the switch latency. At 400 Gb/s, 1 µs, 0: RTT 8.337 µs, queue 101 packets =
/// 419,150 B, timeout 65.298 µs.
pub fn htsim_min_rto(topology: &Topology) -> Time {
    /// Bits × ps per second: bytes · this / rate is a time in ps.
    const BITS_PS: u128 = 8_000_000_000_000;
    let rate = u128::from(topology.nic_link_rate.0.max(1));
    let [d0, d1, s] = [
        topology.nic_link_delay,
        topology.t1_link_delay,
        topology.switch_latency,
    ]
    .map(|t| u128::from(t.0));
    let serialised = 4 * u128::from(HTSIM_DATA_BYTES + HTSIM_HEADER_BYTES) * BITS_PS / rate;
    let rtt = 2 * (2 * d0 + 2 * d1 + 3 * s) + serialised;
    let bdp_bytes = rtt * rate / BITS_PS;
    let queue_bytes = bdp_bytes.div_ceil(u128::from(HTSIM_DATA_BYTES)) * u128::from(HTSIM_DATA_BYTES);
    let rto = u128::from(Time::us(15).0) + 6 * queue_bytes * BITS_PS / rate;
    Time(u64::try_from(rto).unwrap_or(u64::MAX)).min(*limits::RTO.end())
}
