//! Runs whose digests are the same natively and in WebAssembly. A change of these numbers is a change of what the
//! simulator computes: it needs a reason in the commit that makes it.

/// Name, scenario without its version, digest.
pub const RUNS: [(&str, &str, &str); 6] = [
    (
        "bulk over both paths, both ways, with a policy change",
        r#""seed": 3, "until": "12ms", "host": {}, "vms": [{}, { "path": "synthetic" }],
        "traffic": [{ "kind": "stream", "vm": 0, "from": "peer" }, { "kind": "stream", "vm": 1, "connections": 3 },
                    { "kind": "ping", "vm": 1, "count": 100 }],
        "events": [{ "kind": "policy_change", "at": "5ms", "vm": 0 }]"#,
        "f2b3edfbc99aa945",
    ),
    (
        "short connections with SNAT under a flood, small tables",
        r#""seed": 4, "until": "60ms",
        "host": { "nic": { "l1_entries": 64, "l2_entries": 1024, "l2_ways": 4, "l2_replacement": "clock", "counter_period": "5ms" },
                  "timers": { "half_open": "10ms", "established": "20ms", "time_wait": "5ms", "reset": "5ms" },
                  "tcp": { "backlog": 64 } },
        "vms": [{ "policy": { "snat": { "ports": 256 } }, "limits": { "half_open": 900 } }],
        "traffic": [{ "kind": "connections", "vm": 0, "per_second": 4000, "internet": true, "request": 300, "response": 3000 },
                    { "kind": "connections", "vm": 0, "per_second": 500, "from": "peer", "internet": true },
                    { "kind": "syn_flood", "vm": 0, "per_second": 30000, "sources": 1000, "start": "20ms" }]"#,
        "3e5ea1a6a85df000",
    ),
    (
        "skewed flows that come and go over a reconfigured FPGA",
        r#""seed": 5, "until": "60ms",
        "host": { "servicing": { "takeover": "1ms", "removal": "3ms", "registration": "1ms", "failsafe_poll": "7ms" } },
        "vms": [{ "rate": "1Gbps" }, { "path": "dpdk_failsafe" }, { "path": "dpdk_vf_only" }],
        "traffic": [{ "kind": "stream", "vm": 0 },
                    { "kind": "flows", "vm": 1, "flows": 300, "per_second": 50000, "skew": 1.2, "lifetime": "10ms", "from": "peer" },
                    { "kind": "flows", "vm": 2, "flows": 30, "per_second": 20000, "warm": true },
                    { "kind": "rdma", "vm": 0, "bytes": "64KiB", "fallback": "2ms" }],
        "events": [{ "kind": "fpga_reconfig", "at": "10ms", "duration": "15ms", "wire_outage": "2ms" }]"#,
        "d398fbf30c3cad9f",
    ),
    (
        "migration with cookies, a policer, and a replay",
        r#""seed": 6, "until": "300ms",
        "host": { "servicing": { "takeover": "1ms", "removal": "3ms", "registration": "1ms" },
                  "defences": { "nic_syn_cookies": true, "syn_rate_limit": { "per_second": 2000, "burst": 20, "per": "source" } } },
        "vms": [{ "rate": "500Mbps", "policy": { "nsg": [
          { "name": "web", "priority": 200, "direction": "inbound", "access": "allow", "protocol": "tcp", "destination_ports": "443" } ] } }],
        "traffic": [{ "kind": "stream", "vm": 0, "bytes": "5MB" },
                    { "kind": "connections", "vm": 0, "per_second": 1000, "from": "peer", "internet": true, "hold": "3ms" },
                    { "kind": "replay", "vm": 0, "flows": [
                      { "at": "1ms", "duration": "50ms", "from": "peer", "peer": "10.1.128.9", "peer_port": 53, "vm_port": 4000, "packets": 100, "bytes": 200 },
                      { "at": "2ms", "duration": "50ms", "from": "vm", "peer": "198.18.0.9", "peer_port": 53, "vm_port": 4001, "packets": 100, "bytes": 200 } ] }],
        "events": [{ "kind": "migrate", "at": "20ms", "vm": 0, "blackout": "5ms" }]"#,
        "43eefb7537964e9c",
    ),
    (
        "bulk from outside overloads the link and a core",
        r#""seed": 7, "until": "15ms", "host": {}, "vms": [{ "path": "synthetic" }, {}],
        "traffic": [{ "kind": "stream", "vm": 0, "from": "peer" }, { "kind": "stream", "vm": 1, "from": "peer", "connections": 4 }]"#,
        "173149e4387b00d1",
    ),
    (
        "every attack, with and without what stops it",
        r#""seed": 7, "until": "30ms",
        "host": { "nic": { "l1_entries": 64, "l1_partitions": 2, "hash_key": "secret" }, "guard": { "vf_mac": false, "iommu": false } },
        "vms": [{ "limits": { "exceptions_per_second": 20000 } }, { "path": "synthetic" }, {}],
        "traffic": [{ "kind": "attack", "vm": 0, "attempt": "source_address", "victim": 1, "per_second": 7000 },
                    { "kind": "attack", "vm": 1, "attempt": "source_mac", "victim": 0, "per_second": 8000 },
                    { "kind": "attack", "vm": 0, "attempt": "source_mac", "victim": 1, "per_second": 9000 },
                    { "kind": "attack", "vm": 2, "attempt": "encapsulation", "per_second": 10000, "start": "1ms" },
                    { "kind": "attack", "vm": 2, "attempt": "tenant_from_wire", "per_second": 11000, "stop": "20ms" },
                    { "kind": "attack", "vm": 0, "attempt": "dma", "per_second": 12000 },
                    { "kind": "attack", "vm": 2, "attempt": "cache_timing", "victim": 0, "per_second": 2000 },
                    { "kind": "flows", "vm": 0, "flows": 400, "per_second": 100000 }]"#,
        "7d29df474812cca3",
    ),
];
