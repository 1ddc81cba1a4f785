//! Random scenarios: nothing panics, every packet is accounted for, and what TCP delivers never exceeds what was written.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::scenario;
use host::{Counters, Run};
use kernel::Time;
use proptest::prelude::*;

fn path() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("vf"),
        Just("synthetic"),
        Just("dpdk_failsafe"),
        Just("dpdk_netvsc"),
        Just("dpdk_vf_only")
    ]
}

fn from() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("vm"), Just("peer")]
}

fn traffic() -> impl Strategy<Value = String> {
    prop_oneof![
        (0u32..2, 1u32..50).prop_map(|(vm, n)| format!(r#"{{ "kind": "ping", "vm": {vm}, "count": {n} }}"#)),
        (0u32..2, from(), 1u64..3_000_000).prop_map(|(vm, from, bytes)| {
            format!(r#"{{ "kind": "stream", "vm": {vm}, "connections": 2, "from": "{from}", "bytes": {bytes} }}"#)
        }),
        (0u32..2, from(), any::<bool>(), 0u32..5_000, 100u32..20_000).prop_map(|(vm, from, internet, bytes, rate)| {
            format!(
                r#"{{ "kind": "connections", "vm": {vm}, "per_second": {rate}, "from": "{from}", "internet": {internet},
                     "request": {bytes}, "response": {bytes}, "peers": 2 }}"#
            )
        }),
        (0u32..2, 1_000u32..60_000).prop_map(|(vm, rate)| {
            format!(r#"{{ "kind": "syn_flood", "vm": {vm}, "per_second": {rate}, "sources": 1000 }}"#)
        }),
        (0u32..2, from(), 1u32..3_000, any::<bool>(), 1_000u32..300_000).prop_map(|(vm, from, flows, warm, rate)| {
            format!(
                r#"{{ "kind": "flows", "vm": {vm}, "flows": {flows}, "per_second": {rate}, "from": "{from}", "warm": {warm},
                     "lifetime": "7ms", "skew": 0.9 }}"#
            )
        }),
        (0u32..2).prop_map(|vm| format!(r#"{{ "kind": "rdma", "vm": {vm}, "bytes": 100000, "fallback": "1ms" }}"#)),
    ]
}

fn event() -> impl Strategy<Value = String> {
    let at = 0u32..20;
    prop_oneof![
        (at.clone(), 0u32..2).prop_map(|(at, vm)| format!(r#"{{ "kind": "policy_change", "at": "{at}ms", "vm": {vm} }}"#)),
        at.clone().prop_map(|at| format!(r#"{{ "kind": "vf_revoke", "at": "{at}ms", "duration": "3ms" }}"#)),
        at.clone().prop_map(|at| {
            format!(r#"{{ "kind": "fpga_reconfig", "at": "{at}ms", "duration": "5ms", "wire_outage": "2ms" }}"#)
        }),
        at.clone().prop_map(|at| format!(r#"{{ "kind": "driver_update", "at": "{at}ms", "duration": "2ms" }}"#)),
        (at.clone(), 0u32..2, any::<bool>()).prop_map(|(at, vm, carry)| {
            format!(r#"{{ "kind": "migrate", "at": "{at}ms", "vm": {vm}, "blackout": "2ms", "carry_state": {carry} }}"#)
        }),
        (at, 0u32..2).prop_map(|(at, vm)| {
            format!(r#"{{ "kind": "vf_storm", "at": "{at}ms", "vm": {vm}, "count": 3, "period": "4ms", "duration": "2ms" }}"#)
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_packet_is_accounted_for(
        seed in 0u64..1_000,
        paths in (path(), path()),
        traffic in proptest::collection::vec(traffic(), 1..4),
        events in proptest::collection::vec(event(), 0..3),
        (l2, l3, queue, half_open) in (5u32..14, any::<bool>(), 4u32..256, 4u32..2_000),
        (cookies, snat) in (any::<bool>(), any::<bool>()),
    ) {
        let snat = if snat { r#""snat": { "ports": 64 }"# } else { r#""meter": false"# };
        let scenario = scenario(&format!(
            r#""until": "25ms", "seed": {seed},
               "host": {{
                 "nic": {{ "l1_entries": 16, "l2_entries": {}, "l3": {l3}, "counter_period": "3ms" }},
                 "software": {{ "queue": {queue} }},
                 "tcp": {{ "backlog": 50, "min_rto": "2ms" }},
                 "timers": {{ "half_open": "3ms", "established": "9ms", "time_wait": "2ms", "reset": "1ms" }},
                 "defences": {{ "nic_syn_cookies": {cookies} }},
                 "servicing": {{ "takeover": "100us", "removal": "1ms", "registration": "500us", "failsafe_poll": "2ms" }} }},
               "vms": [
                 {{ "path": "{}", "rate": "2Gbps", "limits": {{ "half_open": {half_open}, "total": 6000 }} }},
                 {{ "path": "{}", "rate": "10Gbps", "policy": {{ {snat} }} }} ],
               "traffic": [{}], "events": [{}]"#,
            1 << l2, paths.0, paths.1, traffic.join(","), events.join(",")
        ));
        let mut run = Run::new(&scenario).expect("a valid scenario");
        for ms in (0..=25).step_by(5) {
            run.run_until(Time::from_ms(ms));
            prop_assert!(run.packets_balance(), "{:?}", run.counters());
        }
        let counters = run.counters();
        let over: u64 = counters.connections[Counters::CLOSED..].iter().sum();
        prop_assert_eq!(counters.connections[Counters::BEGUN], over + u64::from(run.gauges().connections));
        prop_assert!(run.gauges().queues <= 8 * queue);
        let half_open_now = run.port(0).unwrap().stats().0[0][vfp::FlowClass::HalfOpenFlow as usize].count;
        prop_assert!(half_open_now <= half_open);
        for (traffic, given) in run.metrics().traffic.iter().zip(&scenario.traffic) {
            prop_assert_eq!(traffic.packets >= traffic.arrived, true);
            if let scenario::host::Traffic::Stream { bytes: Some(bytes), .. } = given {
                prop_assert!(traffic.delivered <= 2 * bytes.0);
            }
        }
    }
}
