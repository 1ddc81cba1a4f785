//! Settings that several tests share.

use mrc::{Balancer, Config, nscc};

/// The default frames' sizes and the API's timeouts at 100 Gb/s and a base RTT of 8 µs; each test changes what it is about.
pub fn config() -> Config {
    Config {
        pmtu: 4096,
        pad: 4,
        padded_pmtu: 4096,
        header: 166,
        sack_size: 182,
        nack_size: 166,
        ack_size: 150,
        ack_probe_size: 162,
        probe_size: 158,
        probe_reply_size: 178,
        sack_every: 4096,
        mpr: 4096,
        rto: 262_144_000,
        linear_retries: 7,
        exponential_retries: 8,
        reorder_window: 0,
        ack_probe_after: 0,
        probe_interval: 100_000_000,
        probes_to_revive: 2,
        ev_floor: 0,
        message_acks: false,
        max_immediate: 16,
        reverse_evs: false,
        balancer: Balancer::Oblivious,
        nscc: nscc::Config::published(4262.0, 0.1, 8e6, 6e6, true),
        rccc: None,
    }
}
