//! JSON of routing by switches, PFC, RoCE and what UET has: read in full, refused with a reason, left out where default.

use scenario::{
    Balancer, Bytes, Convergence, Dcqcn, DcqcnRule, Pfc, Protocol, Queue, Rate, Recovery, Roce, Routing,
    Scenario, Time, Transport,
};

const FULL: &str = include_str!("golden_links/roce-in-full.json");
const UET: &str = include_str!("golden_links/uet-in-full.json");

fn read(text: &str) -> Scenario {
    Scenario::from_json(text).unwrap()
}

/// What is said about `FULL` with one piece replaced.
fn refused(from: &str, to: &str) -> String {
    assert_eq!(FULL.matches(from).count(), 1, "{from}");
    Scenario::from_json(&FULL.replace(from, to))
        .unwrap_err()
        .to_string()
}

#[test]
fn the_texts_are_valid_scenarios_and_come_back() {
    for text in [FULL, UET] {
        let s = read(text);
        assert_eq!(s.validate(), Ok(()));
        assert_eq!(read(&s.to_json_compact()), s);
        assert_eq!(read(&s.to_json_pretty()), s);
    }
}

#[test]
fn every_field_of_the_fabric_is_read() {
    let fabric = read(FULL).fabric;
    assert_eq!(
        fabric.queue,
        Queue {
            ecn_min_bdp: 0.25,
            ecn_max_bdp: 4.0,
            ecn_pmax: 0.01,
            ecn_last_hop: Some(false),
            trim_bdp: 1.5,
            trim_last_hop_bdp: 1.75,
            control_bdp: 2.0,
            trimming: false,
            control_weight: Some(0.5),
        }
    );
    assert_eq!((fabric.routing, fabric.local_reroute), (Routing::Adaptive, true));
    let convergence = Convergence {
        detect: Time::ms(1),
        converge: Time::ms(2),
    };
    assert_eq!(fabric.convergence, convergence);
    let pfc = Pfc {
        xoff: Bytes(500_000),
        xon: Some(Bytes(400_000)),
        headroom: Some(Bytes(100_000)),
    };
    assert_eq!(fabric.pfc, Some(pfc));
}

#[test]
fn every_field_of_roce_is_read() {
    let dcqcn = Dcqcn {
        enabled: false,
        rule: DcqcnRule::Vendor,
        g: 5.0 / 1024.0,
        initial_alpha: 1023.0 / 1024.0,
        alpha_timer: Time::us(1),
        rate_decrease_interval: Time::us(4),
        divisor: 4.0,
        min_decrease_factor: 0.25,
        rate_on_first_cnp: Some(Rate::gbps(200)),
        min_rate: Rate(2_000_000),
        clamp_target_rate: false,
        clamp_after_timer: false,
        increase_timer: Time::us(300),
        byte_counter: Bytes(32_767 * 64),
        fast_recovery_steps: 1,
        rate_ai: Rate(5_000_000),
        rate_hai: Rate(51_000_000),
        cnp_interval: Time::us(3),
    };
    let transport = Transport {
        protocol: Protocol::Roce,
        qps: 3,
        pmtu: Bytes(2048),
        host_latency: Time::us(2),
        roce: Box::new(Roce {
            recovery: Recovery::SelectiveRepeat,
            reorder: 2,
            tracked: 512,
            window: Some(Bytes(1_000_000)),
            ack_every: 4,
            timeout: 10,
            longest_timeout: Some(12),
            retry_count: 6,
            dcqcn,
        }),
        ..Transport::default()
    };
    assert_eq!(read(FULL).transport, transport);
    let uet = read(UET);
    assert_eq!(uet.fabric.routing, Routing::Spray);
    assert_eq!(
        uet.transport,
        Transport {
            qps: 2,
            balancer: Balancer::Reps,
            rccc: true,
            ..Transport::default()
        }
    );
}

#[test]
fn a_wrong_value_is_named_with_those_there_are() {
    for (from, to, expected) in [
        (
            "\"adaptive\"",
            "\"valiant\"",
            "fabric.routing: line 34, column 24: unknown variant `valiant`, expected one of `source`, `ecmp`, `spray`, `adaptive`",
        ),
        (
            "\"protocol\": \"roce\"",
            "\"protocol\": \"tcp\"",
            "transport.protocol: line 40, column 21: unknown variant `tcp`, expected `mrc` or `roce`",
        ),
        (
            "\"selective_repeat\"",
            "\"sr\"",
            "transport.roce.recovery: line 45, column 22: unknown variant `sr`, expected `go_back_n` or `selective_repeat`",
        ),
        (
            "\"vendor\"",
            "\"nvidia\"",
            "transport.roce.dcqcn.rule: line 55, column 24: unknown variant `nvidia`, expected `paper` or `vendor`",
        ),
        (
            "\"xon\"",
            "\"xonn\"",
            "fabric.pfc.xonn: line 37, column 36: unknown field `xonn`, expected one of `xoff`, `xon`, `headroom`",
        ),
        (
            "\"qps\": 3",
            "\"qps\": 2.5",
            "transport.qps: line 41, column 14: invalid type: floating point `2.5`, expected a whole number from 0 to 4294967295",
        ),
        (
            "\"rate_ai\": \"5Mbps\"",
            "\"rate_ai\": \"5MBps\"",
            "transport.roce.dcqcn.rate_ai: line 69, column 26: \"5MBps\" is no rate: a rate counts bits, not bytes (small b; \
             a byte is eight bits); expected a number with a unit (M, G or T, with or without bps or b/s), such as \"100G\", \"100Gbps\" or \"400 Gb/s\"",
        ),
    ] {
        assert_eq!(refused(from, to), expected);
    }
}

/// Links and files of the time before these fields hold no word of them.
#[test]
fn nothing_of_it_is_written_where_nothing_of_it_is_said() {
    let plain = include_str!("golden_links/link-dies.json");
    let written = read(plain).to_json_compact();
    for name in [
        "routing",
        "convergence",
        "local_reroute",
        "pfc",
        "ecn_pmax",
        "protocol",
        "qps",
        "rccc",
        "roce",
    ] {
        assert!(!written.contains(name), "{name}: {written}");
    }
    // An empty object is no PFC left out: it has all of its defaults.
    let mut s = read(plain);
    s.fabric.pfc = Some(Pfc::default());
    assert!(s.to_json_compact().contains("\"pfc\":{}"));
    assert_eq!(read(&s.to_json_compact()), s);
}
