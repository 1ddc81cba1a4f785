//! What several tests share. Each test file compiles this module for itself and uses a part of it.
#![allow(dead_code)]

pub mod arbitrary;
pub mod judge;
pub mod mutate;

use scenario::{Convergence, Fabric, Queue, Rate, Routing, Scenario, Time, Traffic, Transport};

/// A small valid scenario: 16 NICs, one permutation.
pub fn small() -> Scenario {
    Scenario {
        version: 1,
        name: "small".into(),
        about: String::new(),
        seed: 7,
        until: Time::ms(1),
        model: scenario::Model::Mrc,
        fabric: Fabric {
            planes: 2,
            pods: 1,
            t0_per_plane: 4,
            t1_per_plane: 2,
            t2_per_plane: 0,
            nics_per_t0: 4,
            rails: 1,
            nic_link_rate: Rate::gbps(100),
            t1_link_rate: None,
            t2_link_rate: None,
            nic_link_delay: Time::ns(500),
            t1_link_delay: Time::ns(500),
            t2_link_delay: Time::ns(500),
            switch_latency: Time::ns(200),
            queue: Queue::default(),
            routing: Routing::default(),
            convergence: Convergence::default(),
            local_reroute: false,
            pfc: None,
        },
        transport: Transport::default(),
        clustermapper: None,
        traffic: vec![Traffic::Permutation {
            shift: 4,
            bytes: scenario::Bytes(1_000_000),
            messages: 1,
            imm: false,
            start: Time(0),
        }],
        faults: Vec::new(),
    }
}

/// The same NICs in three tiers: in each of the 2 planes 2 pods of 2 T0s and 2 T1s, and 4 T2s. T1s 0 and 2 have links
/// to T2s 0 and 1, T1s 1 and 3 to T2s 2 and 3.
pub fn three_tiers() -> Scenario {
    let mut s = small();
    s.fabric.pods = 2;
    s.fabric.t1_per_plane = 4;
    s.fabric.t2_per_plane = 4;
    s
}

/// A file of `tests/data`.
pub fn data(name: &str) -> String {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}
