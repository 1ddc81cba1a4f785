//! What several tests share. Each test file compiles this module for itself and uses a part of it.
#![allow(dead_code)]

pub mod arbitrary;
pub mod mutate;

use scenario::{Fabric, Queue, Rate, Scenario, Time, Traffic, Transport};

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
            t0_per_plane: 4,
            t1_per_plane: 2,
            nics_per_t0: 4,
            nic_link_rate: Rate::gbps(100),
            t1_link_rate: None,
            nic_link_delay: Time::ns(500),
            t1_link_delay: Time::ns(500),
            switch_latency: Time::ns(200),
            queue: Queue::default(),
        },
        transport: Transport::default(),
        traffic: vec![Traffic::Permutation {
            shift: 4,
            bytes: scenario::Bytes(1_000_000),
            start: Time(0),
        }],
        faults: Vec::new(),
    }
}

/// A file of `tests/data`.
pub fn data(name: &str) -> String {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}
