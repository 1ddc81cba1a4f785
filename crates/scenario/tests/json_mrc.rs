//! JSON of what makes MRC full: three tiers, messages, jobs, every fault, Clustermapper, NSCC.

use scenario::{
    Balancer, Bytes, Clustermapper, Collective, Convergence, Direction, Fabric, Fault, FaultKind, LinkName,
    Model, Nscc, PortStatus, Protocol, Queue, Rate, Refusal, Routing, Scenario, SwitchName, Tier, Time,
    Traffic, Transport,
};

const FULL: &str = include_str!("golden_links/mrc-in-full.json");

fn read(text: &str) -> Scenario {
    Scenario::from_json(text).unwrap()
}

fn refused(text: &str) -> String {
    Scenario::from_json(text).unwrap_err().to_string()
}

/// `FULL` with one piece replaced.
fn changed(from: &str, to: &str) -> String {
    assert_eq!(FULL.matches(from).count(), 1, "{from}");
    FULL.replace(from, to)
}

#[test]
fn the_text_is_a_valid_scenario_and_comes_back() {
    let s = read(FULL);
    assert_eq!(s.validate(), Ok(()));
    assert_eq!(read(&s.to_json_compact()), s);
    assert_eq!(read(&s.to_json_pretty()), s);
    assert_eq!(s.model, Model::Mrc);
}

#[test]
fn every_field_of_the_fabric_is_read() {
    let fabric = Fabric {
        planes: 2,
        pods: 2,
        t0_per_plane: 4,
        t1_per_plane: 4,
        t2_per_plane: 4,
        nics_per_t0: 4,
        rails: 2,
        nic_link_rate: Rate::gbps(100),
        t1_link_rate: Some(Rate::gbps(200)),
        t2_link_rate: Some(Rate::gbps(400)),
        nic_link_delay: Time::ns(500),
        t1_link_delay: Time::ns(600),
        t2_link_delay: Time::us(3),
        switch_latency: Time::ns(300),
        queue: Queue {
            ecn_min_bdp: 0.3,
            ecn_max_bdp: 0.7,
            ecn_pmax: 1.0,
            ecn_last_hop: None,
            trim_bdp: 1.25,
            trim_last_hop_bdp: 1.75,
            control_bdp: 2.0,
            trimming: true,
            control_weight: Some(0.25),
        },
        routing: Routing::Source,
        convergence: Convergence::default(),
        local_reroute: false,
        pfc: None,
    };
    assert_eq!(read(FULL).fabric, fabric);
}

#[test]
fn every_field_of_the_endpoints_is_read() {
    let transport = Transport {
        protocol: Protocol::Mrc,
        qps: 1,
        pmtu: Bytes(2048),
        evs: 64,
        backup_evs: Some(32),
        ev_floor: Some(8),
        balancer: Balancer::Mrc,
        reverse_evs: false,
        sack_every: Bytes(8192),
        message_acks: false,
        mpr: 1024,
        max_wimm: 4,
        rto: Some(Time::us(300)),
        linear_retries: 3,
        exponential_retries: 25,
        reorder_window: Some(Time::us(20)),
        reliability_probe: Some(Time::us(40)),
        probe_interval: Time::us(50),
        probes_to_revive: 3,
        port_detect: Time::ms(1),
        port_remap: Time::ms(2),
        port_status: PortStatus::Off,
        host_latency: Time::us(2),
        max_window_bdp: 1.25,
        nscc: Nscc {
            enabled: false,
            disable_qa: true,
            target_delay: Some(Time::us(7)),
            base_rtt: Some(Time::us(12)),
            max_cwnd: Some(Bytes(1 << 20)),
            gamma: 0.7,
            max_md_jump: 0.4,
            fi: Some(1000.5),
            fi_scale: Some(0.125),
            eta: Some(33.0),
            alpha: Some(2.5),
            qa_gate: 4,
            qa_threshold: Some(Time::us(40)),
            adjust_bytes_threshold: Some(Bytes(32 << 10)),
            adjust_period_threshold: Some(Time::us(13)),
            delay_weight: 0.025,
            idle_delay: Time::ns(500),
        },
        rccc: false,
        roce: Box::default(),
    };
    let s = read(FULL);
    assert_eq!(s.transport, transport);
    assert_eq!(s.transport.backup_evs_or_default(2), 32);
    assert_eq!(s.transport.ev_floor_or_default(), 8);
    let mapper = Clustermapper {
        interval: Time::ms(2),
        t1_probes: Some(3),
        denylist: true,
        degraded_planes: false,
        window: 8,
        threshold: 0.5,
    };
    assert_eq!(s.clustermapper, Some(mapper));
}

#[test]
fn every_field_of_the_traffic_is_read() {
    let job = |collective, ranks| Traffic::Job {
        collective,
        ranks,
        first_rank: 0,
        stride: 1,
        bytes: Bytes(7),
        steps: 1,
        compute: Time(0),
        start: Time(0),
    };
    let traffic = [
        Traffic::Flow {
            src: 0,
            dst: 1,
            bytes: Bytes(1_000_000),
            messages: 5,
            imm: true,
            start: Time::us(5),
            id: Some(9),
        },
        Traffic::Permutation {
            shift: 1,
            bytes: Bytes(2_000_000),
            messages: 2,
            imm: false,
            start: Time(0),
        },
        Traffic::Incast {
            dst: 2,
            senders: 3,
            bytes: Bytes(4096),
            messages: 3,
            imm: true,
            start: Time::us(1),
        },
        Traffic::AllToAll {
            nics: 4,
            bytes: Bytes(1024),
            messages: 4,
            imm: true,
            start: Time(0),
        },
        Traffic::Job {
            collective: Collective::RingAllReduce,
            ranks: 4,
            first_rank: 1,
            stride: 3,
            bytes: Bytes(1 << 20),
            steps: 10,
            compute: Time::us(100),
            start: Time::us(10),
        },
        job(Collective::ReduceScatter, 2),
        job(Collective::AllGather, 3),
        job(Collective::AllToAll, 3),
        job(Collective::SendReceive, 4),
        job(Collective::Permutation, 5),
        job(Collective::Incast, 6),
    ];
    assert_eq!(read(FULL).traffic, traffic);
}

#[test]
fn every_fault_is_read() {
    let nic_link = |plane, nic| LinkName::Nic { plane, nic };
    let trunk = LinkName::T1T2 {
        plane: 0,
        t1: 3,
        t2: 2,
    };
    let t2 = SwitchName::T2 { plane: 0, index: 3 };
    let flap = |nic, random| FaultKind::LinkFlap {
        link: nic_link(1, nic),
        down: Time::us(10),
        up: Time::us(20),
        random,
        until: Time::ms(1),
    };
    let refuses = |rate, reason| FaultKind::NicRefuses {
        nic: 10,
        rate,
        reason,
    };
    let kinds = [
        FaultKind::LinkDown {
            link: trunk,
            direction: Direction::Up,
        },
        FaultKind::link_up(trunk),
        FaultKind::LinkLoss {
            link: nic_link(0, 3),
            direction: Direction::Down,
            rate: 0.25,
        },
        FaultKind::LinkCorrupt {
            link: LinkName::T0T1 {
                plane: 1,
                t0: 2,
                t1: 3,
            },
            direction: Direction::Up,
            rate: 0.125,
        },
        flap(4, false),
        flap(5, true),
        FaultKind::LinksDown {
            tier: Tier::T0T1,
            plane: Some(1),
            count: 3,
            spacing: Time::us(2),
            duration: Some(Time::us(5)),
        },
        FaultKind::LinksDown {
            tier: Tier::Nic,
            plane: None,
            count: 2,
            spacing: Time(0),
            duration: None,
        },
        FaultKind::TierLoss {
            tier: Tier::T1T2,
            direction: Direction::Down,
            rate: 0.01,
        },
        FaultKind::SwitchDown { switch: t2 },
        FaultKind::SwitchUp { switch: t2 },
        FaultKind::SwitchReboot {
            switch: SwitchName::T1 { plane: 1, index: 0 },
            duration: Time::us(100),
        },
        FaultKind::SwitchCorrupt {
            switch: SwitchName::T0 { plane: 1, index: 1 },
            rate: 0.5,
        },
        FaultKind::NicPortDown {
            nic: 7,
            plane: 1,
            duration: Some(Time::ms(1)),
        },
        FaultKind::NicPortDown {
            nic: 8,
            plane: 0,
            duration: None,
        },
        FaultKind::NicFlap {
            nic: 9,
            duration: Time::us(300),
        },
        refuses(0.75, Refusal::NoBitmap),
        refuses(0.75, Refusal::NoPktBuffer),
        refuses(0.0, Refusal::NoResource),
        FaultKind::NicPenalty {
            nic: 11,
            penalty: 127,
        },
    ];
    let faults: Vec<Fault> = (1..)
        .zip(kinds)
        .map(|(us, what)| Fault {
            at: Time::us(us),
            what,
        })
        .collect();
    assert_eq!(read(FULL).faults, faults);
}

/// A fault alone, as the page sends it to the worker, has the same form as in a scenario.
#[test]
fn a_fault_alone_comes_back_under_its_name() {
    for fault in read(FULL).faults {
        let json = serde_json::to_string(&fault.what).unwrap();
        assert_eq!(
            serde_json::from_str::<FaultKind>(&json).unwrap(),
            fault.what,
            "{json}"
        );
        let start = format!("{{\"kind\":{:?}", fault.what.name());
        assert!(json.starts_with(&start), "{json}");
    }
}

#[test]
fn what_equals_its_default_is_left_out() {
    let text = read(FULL).to_json_compact();
    for piece in [
        r#"{"kind":"permutation","shift":1,"bytes":"2MB","messages":2}"#,
        r#"{"kind":"job","collective":"all_gather","ranks":3,"bytes":"7B"}"#,
        r#"{"at":"2us","kind":"link_up","link":"p0/t1.3-t2.2"}"#,
        r#"{"at":"6us","kind":"link_flap","link":"p1/n5","down":"10us","up":"20us","until":"1ms"}"#,
        r#"{"at":"8us","kind":"links_down","tier":"nic","count":2}"#,
        r#"{"at":"15us","kind":"nic_port_down","nic":8,"plane":0}"#,
    ] {
        assert!(text.contains(piece), "{piece} in {text}");
    }
}

#[test]
fn errors_name_field_line_and_column() {
    let expect = |from: &str, to: &str, place: &str, reason: &str| {
        let message = refused(&changed(from, to));
        assert!(message.starts_with(place), "{message}");
        assert!(message.contains(reason), "{message}");
    };
    expect(
        "\"qa_gate\": 4",
        "\"qa_gate\": -4",
        "transport.nscc.qa_gate: line 25, ",
        "integer `-4`",
    );
    expect(
        "\"gamma\"",
        "\"gama\"",
        "transport.nscc.gama: line ",
        "unknown field `gama`",
    );
    expect(
        "\"port_status\": \"off\"",
        "\"port_status\": \"bitmap\"",
        "transport.port_status: line ",
        "unknown variant `bitmap`, expected `update` or `off`",
    );
    expect(
        "\"t1_probes\": 3",
        "\"t1_probes\": 0.5",
        "clustermapper.t1_probes: line ",
        "floating point `0.5`",
    );
    expect(
        "\"window\": 8",
        "\"windows\": 8",
        "clustermapper.windows: line ",
        "unknown field `windows`",
    );
    expect(
        "\"all_gather\"",
        "\"all_reduce\"",
        "traffic[6].collective: line ",
        "unknown variant `all_reduce`",
    );
    expect(
        "\"compute\": \"100us\"",
        "\"compute\": 100",
        "traffic[4].compute: line ",
        "such as \"12us\"",
    );
    expect(
        "\"tier\": \"t1_t2\"",
        "\"tier\": \"t2_t3\"",
        "faults[8].tier: line ",
        "unknown variant `t2_t3`, expected one of `nic`, `t0_t1`, `t1_t2`",
    );
    expect(
        "\"link\": \"p0/n3\", \"direction\": \"down\"",
        "\"link\": \"p0/n3\", \"direction\": \"in\"",
        "faults[2].direction: line ",
        "unknown variant `in`, expected one of `both`, `up`, `down`",
    );
    expect(
        "\"switch\": \"p1/t1.0\"",
        "\"switch\": \"p1/t3.0\"",
        "faults[11].switch: line ",
        "\"p1/t3.0\" names no switch",
    );
    expect(
        "\"no_pkt_buffer\"",
        "\"busy\"",
        "faults[17].reason: line ",
        "unknown variant `busy`, expected one of `no_bitmap`, `no_pkt_buffer`, `no_resource`",
    );
}

#[test]
fn missing_and_foreign_fields_are_refused_by_name() {
    let expect = |from: &str, to: &str, reason: &str| {
        let message = refused(&changed(from, to));
        assert!(message.contains(reason), "{message}");
    };
    expect(
        "\"collective\": \"all_gather\", ",
        "",
        "missing field `collective`, which \"job\" needs",
    );
    expect(
        "\"all_gather\", \"ranks\": 3,",
        "\"all_gather\", \"ranks\": 3, \"messages\": 2,",
        "field `messages` does not belong to \"job\", which has collective, ranks, first_rank, stride, bytes, steps, \
         compute, start",
    );
    expect(
        "\"shift\": 1,",
        "\"shift\": 1, \"steps\": 2,",
        "field `steps` does not belong to \"permutation\", which has shift, bytes, messages, imm, start",
    );
    let missing = [
        (
            ", \"until\": \"1ms\" },\n    { \"at\": \"7us\"",
            " },\n    { \"at\": \"7us\"",
            "until",
            "link_flap",
        ),
        ("\"tier\": \"nic\", ", "", "tier", "links_down"),
        (
            "\"direction\": \"down\", \"rate\": 0.01",
            "\"direction\": \"down\"",
            "rate",
            "tier_loss",
        ),
        (", \"duration\": \"100us\"", "", "duration", "switch_reboot"),
        (", \"duration\": \"300us\"", "", "duration", "nic_flap"),
        (", \"plane\": 0 }", " }", "plane", "nic_port_down"),
        (", \"penalty\": 127", "", "penalty", "nic_penalty"),
        (", \"reason\": \"no_resource\"", "", "reason", "nic_refuses"),
    ];
    for (from, to, field, kind) in missing {
        expect(
            from,
            to,
            &format!("missing field `{field}`, which {kind:?} needs"),
        );
    }
    expect(
        "\"nic\": 9, ",
        "\"nic\": 9, \"plane\": 1, ",
        "field `plane` does not belong to \"nic_flap\", which has at, nic, duration",
    );
    expect(
        "\"switch\": \"p0/t2.3\" },\n    { \"at\": \"11us\"",
        "\"switch\": \"p0/t2.3\", \"direction\": \"up\" },\n    { \"at\": \"11us\"",
        "field `direction` does not belong to \"switch_down\", which has at, switch",
    );
}
