//! Runs whose digests are the same natively and in WebAssembly. A change of these numbers is a change of what the
//! simulator computes: it needs a reason in the commit that makes it.

/// Name, scenario without its version, digest.
pub const RUNS: [(&str, &str, &str); 4] = [
    (
        "a link dies under a permutation over four planes",
        r#""seed": 7, "until": "2ms",
        "fabric": {"planes": 4, "t0_per_plane": 4, "t1_per_plane": 4, "nics_per_t0": 4, "nic_link_rate": "100Gbps"},
        "transport": {"evs": 64},
        "traffic": [{"kind": "permutation", "shift": 5, "bytes": "3MB"}],
        "faults": [{"at": "50us", "kind": "link_down", "link": "p1/t0.0-t1.2"},
                   {"at": "90us", "kind": "link_up", "link": "p1/t0.0-t1.2"}]"#,
        "73dbc01d8e74fe66",
    ),
    (
        "an incast with trimming, random loss and a dead switch",
        r#""seed": 8, "until": "5ms",
        "fabric": {"planes": 2, "t0_per_plane": 3, "t1_per_plane": 3, "nics_per_t0": 4, "nic_link_rate": "200Gbps"},
        "transport": {"evs": 32},
        "traffic": [{"kind": "incast", "dst": 1, "senders": 9, "bytes": "700kB"},
                    {"kind": "all_to_all", "nics": 6, "bytes": "30KiB", "start": "13us"}],
        "faults": [{"at": "1us", "kind": "link_loss", "link": "p0/n3", "rate": 0.05},
                   {"at": "20us", "kind": "switch_down", "switch": "p1/t1.0"},
                   {"at": "60us", "kind": "switch_up", "switch": "p1/t1.0"}]"#,
        "8f678c4337e34784",
    ),
    (
        "htsim's model",
        r#""seed": 9, "until": "5ms", "model": "htsim",
        "fabric": {"planes": 1, "t0_per_plane": 4, "t1_per_plane": 8, "nics_per_t0": 8, "nic_link_rate": "400Gbps",
                   "nic_link_delay": "1us", "t1_link_delay": "1us", "switch_latency": "0",
                   "queue": {"trim_last_hop_bdp": 1.0}},
        "transport": {"pmtu": 4086, "evs": 64, "balancer": "oblivious", "sack_every": 16384,
                      "rto": "65300ns", "reorder_window": "0"},
        "traffic": [{"kind": "permutation", "shift": 16, "bytes": "1MB"}]"#,
        "aed14400f1cdc2a8",
    ),
    (
        "tail drop",
        r#""seed": 10, "until": "20ms",
        "fabric": {"planes": 1, "t0_per_plane": 2, "t1_per_plane": 2, "nics_per_t0": 6, "nic_link_rate": "100Gbps",
                   "queue": {"trimming": false}},
        "transport": {"evs": 16},
        "traffic": [{"kind": "incast", "dst": 0, "senders": 10, "bytes": "500kB"}]"#,
        "f4516ecc5a263f34",
    ),
];
