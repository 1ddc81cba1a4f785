//! Scenarios as JSON: what is read, what is refused and how, what is left out when writing.

mod common;

use common::{arbitrary, small};
use proptest::prelude::*;
use scenario::json::LoadError;
use scenario::{
    Balancer, Bytes, Clustermapper, Fault, FaultKind, LinkName, Model, Nscc, PortStatus, Queue, Rate,
    Scenario, Time, Traffic, Transport,
};

const FULL: &str = r#"{
  "version": 1,
  "name": "n",
  "about": "a",
  "seed": 3,
  "until": "1ms",
  "model": "htsim",
  "fabric": {
    "planes": 2, "t0_per_plane": 4, "t1_per_plane": 2, "nics_per_t0": 4,
    "nic_link_rate": "100G", "t1_link_rate": "400 Gb/s",
    "nic_link_delay": "1us", "t1_link_delay": "2 µs", "switch_latency": "0",
    "queue": { "ecn_min_bdp": 0.1, "ecn_max_bdp": 0.9, "trim_bdp": 2, "trim_last_hop_bdp": 3,
               "control_bdp": 4, "trimming": false }
  },
  "transport": {
    "pmtu": 1024, "evs": 64, "balancer": "oblivious", "sack_every": "16KiB", "rto": "1ms",
    "reorder_window": "0", "probe_interval": "50us", "probes_to_revive": 3, "max_window_bdp": 1.25
  },
  "traffic": [
    { "kind": "flow", "src": 0, "dst": 1, "bytes": "1MB", "start": "5us", "id": 9 },
    { "dst": 2, "kind": "incast", "senders": 3, "bytes": 4096 },
    { "kind": "permutation", "shift": 1, "bytes": "2MB" },
    { "kind": "all_to_all", "nics": 4, "bytes": "1KiB" },
    { "kind": "flows", "list": [[0, 1, 100, 7, 10], [1, 0, 200, 0, 11]] }
  ],
  "faults": [
    { "at": "1us", "kind": "link_down", "link": "p0/n3" },
    { "at": "2us", "kind": "link_up", "link": "p0/n3" },
    { "link": "p1/t0.1-t1.0", "rate": 0.25, "kind": "link_loss", "at": "3us" },
    { "at": "4us", "kind": "switch_down", "switch": "p1/t1.1" },
    { "at": "5us", "kind": "switch_up", "switch": "p1/t1.1" }
  ]
}"#;

/// The shortest scenario there is.
const SHORT: &str = r#"{"version":1,"until":"1ms","fabric":{"planes":1,"t0_per_plane":1,"t1_per_plane":1,"nics_per_t0":2,"nic_link_rate":"100Gbps"},"traffic":[{"kind":"flow","src":0,"dst":1,"bytes":"1MB"}]}"#;

fn refused(text: &str) -> String {
    Scenario::from_json(text).unwrap_err().to_string()
}

/// `FULL` with one piece replaced.
fn changed(from: &str, to: &str) -> String {
    assert_eq!(FULL.matches(from).count(), 1, "{from}");
    FULL.replace(from, to)
}

#[test]
fn every_field_is_read() {
    let s = Scenario::from_json(FULL).unwrap();
    assert_eq!(
        (s.name.as_str(), s.about.as_str(), s.seed, s.until, s.model),
        ("n", "a", 3, Time::ms(1), Model::Htsim)
    );
    assert_eq!(s.fabric.nics(), 16);
    assert_eq!(s.fabric.t1_rate(), Rate::gbps(400));
    assert_eq!(s.fabric.t1_link_delay, Time::us(2));
    assert_eq!(s.fabric.switch_latency, Time(0));
    assert_eq!(
        s.fabric.queue,
        Queue {
            ecn_min_bdp: 0.1,
            ecn_max_bdp: 0.9,
            ecn_pmax: 1.0,
            ecn_last_hop: None,
            trim_bdp: 2.0,
            trim_last_hop_bdp: 3.0,
            control_bdp: 4.0,
            trimming: false,
            control_weight: None,
        }
    );
    assert_eq!(
        s.transport,
        Transport {
            pmtu: Bytes(1024),
            evs: 64,
            balancer: Balancer::Oblivious,
            sack_every: Bytes(16384),
            rto: Some(Time::ms(1)),
            reorder_window: Some(Time(0)),
            probe_interval: Time::us(50),
            probes_to_revive: 3,
            max_window_bdp: 1.25,
            ..Transport::default()
        }
    );
    assert_eq!(
        s.traffic,
        [
            Traffic::Flow {
                src: 0,
                dst: 1,
                bytes: Bytes(1_000_000),
                messages: 1,
                imm: false,
                start: Time::us(5),
                id: Some(9)
            },
            Traffic::Incast {
                dst: 2,
                senders: 3,
                bytes: Bytes(4096),
                messages: 1,
                imm: false,
                start: Time(0)
            },
            Traffic::Permutation {
                shift: 1,
                bytes: Bytes(2_000_000),
                messages: 1,
                imm: false,
                start: Time(0)
            },
            Traffic::AllToAll {
                nics: 4,
                bytes: Bytes(1024),
                messages: 1,
                imm: false,
                start: Time(0)
            },
            Traffic::Flows {
                list: vec![(0, 1, 100, 7, 10), (1, 0, 200, 0, 11)]
            },
        ]
    );
    let link = LinkName::T0T1 {
        plane: 1,
        t0: 1,
        t1: 0,
    };
    let loss = FaultKind::link_loss(link, 0.25);
    assert_eq!(
        s.faults[2],
        Fault {
            at: Time::us(3),
            what: loss
        }
    );
    assert_eq!(s.validate(), Ok(()));
}

/// Sources of the values: UEC v1.0.3 queue fractions, UET 1.0 window, the MRC paper's PMTU and EVs; the rest
/// are our choices, which old links rely on.
#[test]
fn defaults_never_change() {
    let s = Scenario::from_json(SHORT).unwrap();
    assert_eq!(s.model, Model::Mrc);
    assert_eq!(s.seed, 0);
    assert_eq!(s.fabric.t1_rate(), Rate::gbps(100));
    assert_eq!(
        (s.fabric.nic_link_delay, s.fabric.t1_link_delay),
        (Time::ns(500), Time::ns(500))
    );
    assert_eq!(s.fabric.switch_latency, Time::ns(200));
    let q = s.fabric.queue;
    assert_eq!(
        (q.ecn_min_bdp, q.ecn_max_bdp, q.trim_bdp, q.trim_last_hop_bdp),
        (0.2, 0.8, 1.0, 1.5)
    );
    assert_eq!((q.control_bdp, q.trimming), (1.0, true));
    let t = s.transport;
    assert_eq!(
        (t.pmtu, t.evs, t.balancer, t.sack_every),
        (Bytes(4096), 128, Balancer::Mrc, Bytes(4096))
    );
    assert_eq!(
        (t.rto, t.reorder_window, t.probe_interval),
        (None, None, Time::us(100))
    );
    assert_eq!((t.probes_to_revive, t.max_window_bdp), (2, 1.5));
    assert_eq!(t.nscc, Nscc::default());
}

/// What version 1 gained later. Old scenarios mean two tiers, one message a flow and no Clustermapper; the rest is from
/// the OCP companion API (MPR, retries, EV floor), UET 1.0 and uet-htsim (NSCC) and the MRC paper (Clustermapper's
/// millisecond, ports below one second), or our choice.
#[test]
fn defaults_of_what_was_added_never_change() {
    let s = Scenario::from_json(SHORT).unwrap();
    let f = &s.fabric;
    assert_eq!((f.pods, f.t2_per_plane, f.rails, f.tiers()), (1, 0, 1, 2));
    assert_eq!((f.t2_link_delay, f.queue.control_weight), (Time::ns(500), None));
    let faster =
        Scenario::from_json(&SHORT.replace("100Gbps\"", "100Gbps\",\"t1_link_rate\":\"400Gbps\"")).unwrap();
    assert_eq!(
        (f.t2_rate(), faster.fabric.t2_rate()),
        (Rate::gbps(100), Rate::gbps(400)),
        "that of a T0–T1 link"
    );
    let t = &s.transport;
    assert_eq!((t.backup_evs, t.ev_floor), (None, None));
    assert_eq!(
        (t.backup_evs_or_default(1), t.ev_floor_or_default()),
        (32, 32),
        "128 / 4"
    );
    // A quarter of 60 is 15, of which 8 are a multiple of 8 planes.
    let few = Transport {
        evs: 60,
        ..Transport::default()
    };
    assert_eq!((few.backup_evs_or_default(8), few.ev_floor_or_default()), (8, 15));
    assert_eq!(
        (t.mpr, t.max_wimm, t.linear_retries, t.exponential_retries),
        (4096, 16, 7, 8)
    );
    assert_eq!((t.reliability_probe, t.host_latency), (None, Time(0)));
    assert_eq!(
        (t.port_detect, t.port_remap, t.port_status),
        (Time::ms(300), Time(0), PortStatus::Update)
    );
    assert_eq!((t.reverse_evs, t.message_acks), (true, true));
    let n = &t.nscc;
    assert_eq!((n.enabled, n.disable_qa, n.qa_gate), (true, false, 3));
    assert_eq!((n.gamma, n.max_md_jump, n.delay_weight), (0.8, 0.5, 0.0125));
    assert_eq!(n.idle_delay, Time::us(1));
    assert_eq!((n.target_delay, n.base_rtt, n.max_cwnd), (None, None, None));
    assert_eq!((n.fi, n.fi_scale, n.eta, n.alpha), (None, None, None, None));
    assert_eq!(
        (
            n.qa_threshold,
            n.adjust_bytes_threshold,
            n.adjust_period_threshold
        ),
        (None, None, None)
    );
    assert_eq!(s.clustermapper, None);
    let mapped =
        Scenario::from_json(&SHORT.replace("\"traffic\"", "\"clustermapper\":{},\"traffic\"")).unwrap();
    assert_eq!(
        mapped.clustermapper,
        Some(Clustermapper {
            interval: Time::ms(1),
            t1_probes: None,
            denylist: false,
            degraded_planes: true,
            window: 16,
            threshold: 0.25,
        })
    );
    assert_eq!(
        s.traffic,
        [Traffic::Flow {
            src: 0,
            dst: 1,
            bytes: Bytes(1_000_000),
            messages: 1,
            imm: false,
            start: Time(0),
            id: None,
        }]
    );
}

#[test]
fn what_equals_its_default_is_left_out() {
    let spelled_out = changed("\"name\": \"n\"", "\"name\": \"\"");
    assert!(
        Scenario::from_json(&spelled_out)
            .unwrap()
            .to_json_compact()
            .starts_with(r#"{"version":1,"about""#)
    );
    let s = Scenario::from_json(SHORT).unwrap();
    assert_eq!(s.to_json_compact(), SHORT);
}

#[test]
fn pretty_text_keeps_each_listed_flow_on_one_line() {
    let s = Scenario::from_json(FULL).unwrap();
    let pretty = s.to_json_pretty();
    assert!(
        pretty.contains("\n        [0, 1, 100, 7, 10],\n        [1, 0, 200, 0, 11]\n      ]\n"),
        "{pretty}"
    );
    assert!(
        pretty.starts_with("{\n  \"version\": 1,\n  \"name\": \"n\",\n"),
        "{pretty}"
    );
    assert_eq!(Scenario::from_json(&pretty).unwrap(), s);
}

#[test]
fn the_version_is_judged_before_anything_else() {
    assert_eq!(Scenario::from_json("{}").unwrap_err(), LoadError::NoVersion);
    let newer = r#"{"version": 2, "fabrics": [], "brand": "new"}"#;
    assert_eq!(
        Scenario::from_json(newer).unwrap_err(),
        LoadError::NewerVersion { found: 2 }
    );
    assert!(refused(newer).contains("a newer Flowglass is needed"));
    for odd in ["0", "-1", "1.0", "\"1\"", "null", "[]"] {
        let text = format!("{{\"version\": {odd}}}");
        assert!(!refused(&text).contains("fabric"), "{odd}: {}", refused(&text));
    }
    assert_eq!(
        refused(r#"{"version": "1"}"#),
        "version: line 1, column 15: invalid type: string \"1\", expected a whole number from 0 to 18446744073709551615"
    );
    assert_eq!(
        refused(r#"{"version": 0}"#),
        "the scenario has version 0; the first version is 1"
    );
}

/// What an error says besides its place.
fn told(text: &str) -> (String, String) {
    match Scenario::from_json(text) {
        Err(LoadError::Field { path, reason, .. }) => (path, reason),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn errors_speak_of_json_and_not_of_our_types() {
    let of = |field: &str, json: &str| told(&format!(r#"{{"version": 1, "{field}": {json}}}"#));
    for (field, json, expected_path, expected) in [
        (
            "transport",
            "5",
            "transport",
            "invalid type: integer `5`, expected an object",
        ),
        (
            "traffic",
            "[5]",
            "traffic[0]",
            "invalid type: integer `5`, expected an object",
        ),
        (
            "traffic",
            "{}",
            "traffic",
            "invalid type: an object, expected a list",
        ),
        (
            "transport",
            r#"{"mpr": []}"#,
            "transport.mpr",
            "invalid type: a list, expected a whole number from 0 to 4294967295",
        ),
        (
            "transport",
            r#"{"message_acks": 0}"#,
            "transport.message_acks",
            "invalid type: integer `0`, expected true or false",
        ),
        (
            "transport",
            r#"{"max_window_bdp": "x"}"#,
            "transport.max_window_bdp",
            "invalid type: string \"x\", expected a number",
        ),
        // There is no name yet where the text breaks off.
        ("transport", "{,}", "transport", "key must be a string"),
        ("seed", "1,", "", "trailing comma"),
    ] {
        assert_eq!(
            of(field, json),
            (expected_path.into(), expected.into()),
            "{field}: {json}"
        );
    }
}

#[test]
fn a_name_without_end_makes_no_message_without_end() {
    let (path, reason) = told(&format!(r#"{{"version": 1, "{}": 1}}"#, "k".repeat(1_000_000)));
    assert_eq!(path, format!("{}…", "k".repeat(100)));
    assert_eq!(reason.chars().count(), 1_001);
}

#[test]
fn errors_name_field_line_and_column() {
    let expect = |from: &str, to: &str, place: &str, reason: &str| {
        let message = refused(&changed(from, to));
        assert!(message.starts_with(place), "{message}");
        assert!(message.contains(reason), "{message}");
    };
    expect(
        "\"100G\"",
        "\"100 parsecs\"",
        "fabric.nic_link_rate: line 10, column ",
        "unknown unit \"parsecs\"",
    );
    expect(
        "\"1MB\"",
        "\"1Mb\"",
        "traffic[0].bytes: line 20, column ",
        "means bits",
    );
    expect(
        "\"senders\": 3",
        "\"senders\": -3",
        "traffic[1].senders: line 21, ",
        "invalid value: integer `-3`",
    );
    expect(
        "\"senders\": 3",
        "\"senders\": 5000000000",
        "traffic[1].senders: ",
        "5000000000",
    );
    expect(
        "\"shift\": 1",
        "\"shift\": 1.5",
        "traffic[2].shift: ",
        "floating point `1.5`",
    );
    expect(
        "\"p0/n3\" },\n    { \"at\": \"2us\"",
        "\"p0/n\" },\n    { \"at\": \"2us\"",
        "faults[0].link: line 27, ",
        "names no link",
    );
    expect(
        "\"kind\": \"all_to_all\"",
        "\"kind\": \"all2all\"",
        "traffic[3].kind: ",
        "unknown variant `all2all`",
    );
    expect(
        "[1, 0, 200, 0, 11]",
        "[1, 0, 200, 0]",
        "traffic[4].list[1]: ",
        "length 4",
    );
}

#[test]
fn unknown_missing_and_foreign_fields_are_refused_by_name() {
    let expect = |from: &str, to: &str, reason: &str| {
        let message = refused(&changed(from, to));
        assert!(message.contains(reason), "{message}");
    };
    expect("\"seed\": 3", "\"sede\": 3", "unknown field `sede`");
    expect(
        "\"planes\": 2,",
        "\"planes\": 2, \"plains\": 2,",
        "fabric.plains: line 9",
    );
    expect("\"trimming\"", "\"triming\"", "unknown field `triming`");
    expect("\"evs\"", "\"ev\"", "unknown field `ev`");
    expect(
        "\"start\": \"5us\"",
        "\"begin\": \"5us\"",
        "unknown field `begin`",
    );
    expect("\"dst\": 1,", "", "missing field `dst`, which \"flow\" needs");
    expect(
        "\"shift\": 1,",
        "\"shift\": 1, \"senders\": 2,",
        "field `senders` does not belong to \"permutation\", which has shift, bytes, messages, imm, start",
    );
    expect(
        "\"rate\": 0.25, ",
        "",
        "missing field `rate`, which \"link_loss\" needs",
    );
    expect(
        "\"p1/t1.1\" },\n",
        "\"p1/t1.1\", \"rate\": 1 },\n",
        "field `rate` does not belong to \"switch_down\", which has at, switch",
    );
    expect(
        "\"planes\": 2,",
        "",
        "fabric: line 14, column 3: missing field `planes`",
    );
    expect("\"until\": \"1ms\",", "", "missing field `until`");
    expect(
        "\"seed\": 3",
        "\"seed\": 3, \"seed\": 4",
        "duplicate field `seed`",
    );
}

#[test]
fn other_texts_are_refused() {
    assert!(refused("").contains("EOF"));
    assert!(refused("[1]").contains("expected a scenario, which is a JSON object"));
    assert!(refused("hello").starts_with("line 1, column 1: expected value"));
    assert!(refused(&FULL[..300]).contains("EOF"));
    assert!(refused(&format!("{SHORT} x")).contains("trailing characters"));
    // Nested deeper than a parser's stack could hold.
    assert!(!refused(&"[".repeat(1_000_000)).is_empty());
    assert!(!refused(&format!("{{\"version\":1,\"x\":{}", "[".repeat(1_000_000))).is_empty());
    let large = " ".repeat(scenario::limits::MAX_TEXT_BYTES + 1);
    assert_eq!(
        Scenario::from_json(&large).unwrap_err(),
        LoadError::TooLarge { bytes: large.len() }
    );
}

#[test]
fn a_text_that_breaks_off_is_refused_by_names_alone() {
    // A path with a place that has no name yet would end in `?`.
    for (end, _) in FULL.trim_end().char_indices() {
        let message = refused(&FULL[..end]);
        assert!(!message.contains('?'), "{end}: {message}");
        assert!(message.contains("line "), "{end}: {message}");
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    assert!(Scenario::from_json(&format!("\u{feff}{SHORT}")).is_ok());
}

#[test]
fn numbers_keep_every_bit() {
    let mut s = small();
    s.seed = u64::MAX;
    // A value whose shortest decimal form is often read back one bit off by fast but inexact parsers.
    s.fabric.queue.trim_bdp = 0.000_000_000_000_000_123_456_789_012_345_68;
    s.transport.max_window_bdp = f64::from_bits(0x3ff8_0000_0000_0001);
    let back = Scenario::from_json(&s.to_json_compact()).unwrap();
    assert_eq!(
        back.fabric.queue.trim_bdp.to_bits(),
        s.fabric.queue.trim_bdp.to_bits()
    );
    assert_eq!(
        back.transport.max_window_bdp.to_bits(),
        s.transport.max_window_bdp.to_bits()
    );
    assert_eq!(back.seed, u64::MAX);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn every_scenario_comes_back_from_its_text(s in arbitrary::scenario()) {
        prop_assert_eq!(s.validate(), Ok(()));
        prop_assert_eq!(&Scenario::from_json(&s.to_json_compact()).unwrap(), &s);
        prop_assert_eq!(&Scenario::from_json(&s.to_json_pretty()).unwrap(), &s);
        let short = s.to_json_compact();
        prop_assert_eq!(&Scenario::from_json(&s.to_json_with_defaults().to_string()).unwrap(), &s);
        prop_assert_eq!(s.to_json_compact(), short);
    }
}

/// The values are those of docs/scenario.md.
#[test]
fn defaults_stand_in_a_scenario_where_they_are_asked_for() {
    let scenario = Scenario::from_json(SHORT).unwrap();
    let json = scenario.to_json_with_defaults();
    for (place, value) in [
        ("/transport/evs", "128"),
        ("/transport/nscc/gamma", "0.8"),
        ("/transport/roce/dcqcn/enabled", "true"),
        ("/fabric/pods", "1"),
        ("/fabric/queue/trimming", "true"),
        ("/fabric/nic_link_delay", "\"500ns\""),
    ] {
        let found = json.pointer(place).map(ToString::to_string);
        assert_eq!(found.as_deref(), Some(value), "{place}");
    }
    assert!(!scenario.to_json_compact().contains("evs"));
}

/// Fields have names: a list of their values is no object.
#[test]
fn lists_are_no_objects() {
    let listed = SHORT.replace("\"100Gbps\"", "\"100Gbps\",\"queue\":[0.1,0.9]");
    // An empty one would be read as an object in which all is default, which is not written.
    for listed in [listed, SHORT.replace("\"100Gbps\"", "\"100Gbps\",\"queue\":[]")] {
        let error = refused(&listed);
        assert!(error.starts_with("fabric.queue: line 1, column "), "{error}");
        assert!(error.ends_with("a list, expected an object"), "{error}");
    }
}
