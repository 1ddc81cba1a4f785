//! The peer's own files, read and turned into scenarios.

mod common;

use common::data;
use scenario::htsim::{
    FileKind, Matrix, Options, StartUnit, Topology, htsim_min_rto, parse_matrix, parse_topology, sniff,
    to_scenario,
};
use scenario::{Balancer, Bytes, Model, Queue, Rate, Scenario, Time, Traffic, Transport};

fn matrix(text: &str) -> Matrix {
    parse_matrix("m.cm", text).unwrap_or_else(|p| panic!("{}", p[0]))
}

fn topology(name: &str) -> Topology {
    parse_topology(name, &data(name)).unwrap_or_else(|p| panic!("{}", p[0]))
}

fn leaf_spine_32() -> Topology {
    topology("own_leafspine32.topo")
}

fn htsim() -> Options {
    Options {
        model: Model::Htsim,
        ..Options::default()
    }
}

fn convert(matrix: &Matrix, topology: &Topology, options: &Options) -> (Scenario, Vec<String>) {
    to_scenario(matrix, topology, options).unwrap_or_else(|p| panic!("{}", p[0]))
}

fn list(s: &Scenario) -> &[(u32, u32, u64, u64, u64)] {
    match s.traffic.as_slice() {
        [Traffic::Flows { list }] => list,
        other => panic!("{other:?}"),
    }
}

/// The formulas of the files are known: `perm_shiftK_nN` sends 2 MB from every s to (s + K) mod N.
#[test]
fn the_permutation() {
    let name = "perm_shift64_n128_2000000.cm";
    let m = parse_matrix(name, &data(name)).unwrap();
    assert_eq!((m.nodes, m.connections.len(), m.notes.len()), (128, 128, 0));
    let (s, notes) = convert(&m, &topology("ls_n128_400g.topo"), &Options::default());
    assert_eq!(notes, [""; 0]);
    let expected: Vec<_> = (0..128)
        .map(|s| (s, (s + 64) % 128, 2_000_000, 0, u64::from(s) + 1))
        .collect();
    assert_eq!(list(&s), expected);
    assert_eq!(s.name, "perm_shift64_n128_2000000.cm on ls_n128_400g.topo");
    assert_eq!(s.validate(), Ok(()));
}

#[test]
fn every_topology_of_two_tiers() {
    let shapes = [
        ("ls_n128_400g.topo", 128, 8, 16, 16),
        ("ls_n128_400g_4to1.topo", 128, 8, 4, 16),
        ("ls_n1024_400g.topo", 1024, 32, 32, 32),
        ("ls_n8192_400g.topo", 8192, 128, 64, 64),
        ("own_leafspine32.topo", 32, 4, 8, 8),
    ];
    for (name, nodes, t0, t1, nodes_per_t0) in shapes {
        let t = topology(name);
        assert_eq!(
            (t.nodes, t.t0, t.t1, t.nodes_per_t0),
            (nodes, t0, t1, nodes_per_t0),
            "{name}"
        );
        assert_eq!(
            (t.nic_link_rate, t.t1_link_rate),
            (Rate::gbps(400), Rate::gbps(400))
        );
        assert_eq!(
            (t.nic_link_delay, t.t1_link_delay, t.switch_latency),
            (Time::us(1), Time::us(1), Time(0))
        );
        let f = t.fabric();
        assert_eq!((f.planes, f.nics(), f.t1_link_rate), (1, u64::from(nodes), None));
    }
}

#[test]
fn three_tiers_are_refused_as_such() {
    let name = "ft3_n1024_400g.topo";
    let problems = parse_topology(name, &data(name)).unwrap_err();
    assert_eq!(problems.len(), 1);
    assert_eq!(
        problems[0].to_string(),
        "ft3_n1024_400g.topo:2:7: Tiers is 3, but only two tiers are supported so far (use a two-tier (leaf-spine) topology)"
    );
}

/// Values of the peer: 4,086 B of payload, 64 paths, a SACK per 16,384 B, window 1.5 BDP, queues of one BDP
/// everywhere, no loss inference but the timeout.
#[test]
fn the_htsim_model_has_htsim_s_parameters() {
    let m = matrix("Nodes 128\nConnections 1\n0->64 id 1 start 0 size 2000000\n");
    let (s, _) = convert(
        &m,
        &topology("ls_n128_400g.topo"),
        &Options {
            balancer: Balancer::Oblivious,
            ..htsim()
        },
    );
    assert_eq!(s.model, Model::Htsim);
    assert_eq!(
        s.transport,
        Transport {
            pmtu: Bytes(4086),
            evs: 64,
            balancer: Balancer::Oblivious,
            sack_every: Bytes(16_384),
            rto: Some(Time(65_298_000)),
            reorder_window: Some(Time(0)),
            max_window_bdp: 1.5,
            ..Transport::default()
        }
    );
    let Queue {
        ecn_min_bdp,
        ecn_max_bdp,
        trim_bdp,
        trim_last_hop_bdp,
        trimming,
        ..
    } = s.fabric.queue;
    assert_eq!(
        (ecn_min_bdp, ecn_max_bdp, trim_bdp, trim_last_hop_bdp, trimming),
        (0.2, 0.8, 1.0, 1.0, true)
    );
    assert_eq!(
        s.fabric.switch_latency,
        Time(0),
        "the topology's, not the default"
    );
    // 2,000,000 B in packets of 4,086 B are 490 packets.
    assert_eq!(2_000_000u64.div_ceil(s.transport.pmtu.0), 490);
}

#[test]
fn the_mrc_model_keeps_the_product_s_defaults() {
    let m = matrix("Nodes 128\nConnections 1\n0->64 id 1 start 0 size 2000000\n");
    let (s, _) = convert(&m, &topology("ls_n128_400g.topo"), &Options::default());
    assert_eq!(
        (s.model, s.transport, s.fabric.queue),
        (Model::Mrc, Transport::default(), Queue::default())
    );
}

/// 65.3 µs at 400 Gb/s, as uet-htsim prints it. At 100 Gb/s: RTT 8 µs + 4·4,214 B·80 ps = 9.34848 µs, BDP
/// 116,856 B = 28.2 packets, queue 29 · 4,150 B = 120,350 B, timeout 15 µs + 6 · 9.628 µs.
#[test]
fn the_timeout_follows_the_topology() {
    assert_eq!(htsim_min_rto(&topology("ls_n128_400g.topo")), Time(65_298_000));
    let slower = data("ls_n128_400g.topo").replace("Gbps 400", "Gbps 100");
    let t = parse_topology("t", &slower).unwrap();
    assert_eq!(htsim_min_rto(&t), Time(15_000_000 + 6 * 9_628_000));
}

#[test]
fn tabs_crlf_comments_case_and_a_missing_last_line_end() {
    let odd = "\u{feff}# made by hand\r\n\r\nNODES\t32\r\n  connections   3 # three\r\n0->8\tid 1  start 0 size 5\r\n\
               1 -> 8 SIZE 6 Start 0 id 2\r\n2->  8 start 0 id 3 size 3000000000";
    let m = matrix(odd);
    let flows: Vec<_> = m
        .connections
        .iter()
        .map(|c| (c.src, c.dst, c.bytes, c.id, c.line))
        .collect();
    assert_eq!(
        flows,
        [
            (0, 8, 5, Some(1), 5),
            (1, 8, 6, Some(2), 6),
            (2, 8, 3_000_000_000, Some(3), 7)
        ]
    );
    assert_eq!(m.notes.len(), 1);
    assert!(
        m.notes[0].contains("the last line has no line end"),
        "{}",
        m.notes[0]
    );
    let topology = data("own_leafspine32.topo");
    let crlf = topology.replace('\n', "\r\n").replace(' ', "\t \t");
    let fabric = |text: &str| parse_topology("t", text).unwrap().fabric();
    assert_eq!(fabric(crlf.trim_end()), fabric(&topology));
    let upper = topology.to_uppercase();
    assert_eq!(fabric(&upper), fabric(&topology));
}

#[test]
fn sizes_up_to_a_tebibyte_keep_their_value() {
    let (s, _) = convert(
        &matrix(
            "Nodes 32\nConnections 2\n0->1 id 1 start 0 size 3000000000\n0->1 id 2 start 0 size 1099511627776\n",
        ),
        &leaf_spine_32(),
        &Options::default(),
    );
    assert_eq!(
        list(&s).iter().map(|f| f.2).collect::<Vec<_>>(),
        [3_000_000_000, 1 << 40]
    );
}

#[test]
fn connections_without_an_id_get_htsim_s() {
    let text = "Nodes 32\nConnections 4\n0->1 start 0 size 5\n1->2 id 1000000002 start 0 size 5\n\
                2->3 start 0 size 5\n3->4 id 7 start 0 size 5\n";
    let (s, notes) = convert(&matrix(text), &leaf_spine_32(), &Options::default());
    assert_eq!(
        list(&s).iter().map(|f| f.4).collect::<Vec<_>>(),
        [1_000_000_001, 1_000_000_002, 1_000_000_003, 7]
    );
    assert_eq!(
        notes,
        ["m.cm: 2 connections have no id; they are numbered from 1000000001, as htsim does"]
    );
}

fn starts(values: [&str; 2], unit: StartUnit) -> Result<(Vec<u64>, Vec<String>), String> {
    let [a, b] = values;
    let text = format!("Nodes 32\nConnections 2\n0->1 id 1 start {a} size 5\n1->2 id 2 start {b} size 5\n");
    let options = Options {
        start_unit: unit,
        ..Options::default()
    };
    to_scenario(&matrix(&text), &leaf_spine_32(), &options)
        .map(|(s, notes)| (list(&s).iter().map(|f| f.3).collect(), notes))
        .map_err(|p| p[0].to_string())
}

#[test]
fn the_unit_of_start_is_inferred_and_said() {
    assert_eq!(starts(["0", "0"], StartUnit::Auto).unwrap(), (vec![0, 0], vec![]));
    let (values, notes) = starts(["5", "999999"], StartUnit::Auto).unwrap();
    assert_eq!(values, [5_000_000, 999_999_000_000]);
    assert!(
        notes[0].starts_with("m.cm: `start` is read in microseconds, because all are below 1000000"),
        "{notes:?}"
    );
    let (values, notes) = starts(["5", "1000000"], StartUnit::Auto).unwrap();
    assert_eq!(values, [5, 1_000_000]);
    assert!(
        notes[0].starts_with("m.cm: `start` is read in picoseconds, because the largest is 1000000"),
        "{notes:?}"
    );
    let (values, notes) = starts(["5", "1000000"], StartUnit::Us).unwrap();
    assert_eq!(values, [5_000_000, 1_000_000_000_000]);
    assert_eq!(notes, ["m.cm: `start` is read in microseconds, as stated"]);
    assert_eq!(starts(["5", "7"], StartUnit::Ps).unwrap().0, [5, 7]);
    assert_eq!(
        starts(["0.25", "1.000001"], StartUnit::Auto).unwrap().0,
        [250_000, 1_000_001]
    );
    assert_eq!(
        starts(["0", "0.5"], StartUnit::Ps).unwrap_err(),
        "m.cm:4:17: the start is no whole number of picoseconds (the file may count in µs: state that unit)"
    );
    assert_eq!(
        starts(["0", "100000001"], StartUnit::Us).unwrap_err(),
        "m.cm:4:17: the start is 100000001 µs; expected at most 100 s (is the unit right?)"
    );
    assert!(starts(["0", "18446744073709551615"], StartUnit::Us).is_err());

    let inferred = |start: &str| {
        matrix(&format!("Nodes 32\nConnections 1\n0->1 start {start} size 5\n")).inferred_start_unit()
    };
    assert_eq!(inferred("0"), None);
    assert_eq!(inferred("0.0"), None);
    assert_eq!(inferred("0.000001"), Some(StartUnit::Us));
    assert_eq!(inferred("999999.999999"), Some(StartUnit::Us));
    assert_eq!(inferred("1000000"), Some(StartUnit::Ps));
}

#[test]
fn the_run_ends_a_second_after_the_last_start_or_as_wanted() {
    let until = |start: &str, until| {
        let m = matrix(&format!(
            "Nodes 32\nConnections 1\n0->1 id 1 start {start} size 5\n"
        ));
        let options = Options {
            start_unit: StartUnit::Us,
            until,
            ..Options::default()
        };
        convert(&m, &leaf_spine_32(), &options).0.until
    };
    assert_eq!(until("0", None), Time::s(1));
    assert_eq!(until("2000000", None), Time::s(3));
    assert_eq!(until("100000000", None), Time::s(100));
    assert_eq!(until("0", Some(Time::us(9))), Time::us(9));
    let m = matrix("Nodes 32\nConnections 1\n0->1 id 1 start 0 size 5\n");
    let options = Options {
        until: Some(Time(0)),
        ..Options::default()
    };
    let p = to_scenario(&m, &leaf_spine_32(), &options).unwrap_err();
    assert!(
        p[0].to_string()
            .starts_with("options:1:1: until is 0 ps; expected 1 ps to 100 s"),
        "{}",
        p[0]
    );
}

#[test]
fn hosts_have_to_fit_the_topology() {
    let fits = matrix("Nodes 64\nConnections 1\n0->31 id 1 start 0 size 5\n");
    let (_, notes) = convert(&fits, &leaf_spine_32(), &Options::default());
    assert_eq!(
        notes,
        [
            "m.cm is made for 64 hosts and own_leafspine32.topo has 32; every host that sends or receives exists in both"
        ]
    );
    let m = matrix("Nodes 64\nConnections 2\n0->31 id 1 start 0 size 5\n5->32 id 2 start 0 size 5\n");
    let problems = to_scenario(&m, &leaf_spine_32(), &Options::default()).unwrap_err();
    assert_eq!(problems.len(), 1);
    assert_eq!(
        problems[0].to_string(),
        "m.cm:4:4: host 32 is not in own_leafspine32.topo, which has 32 hosts (Nodes in line 1 is 64)"
    );
}

#[test]
fn a_stated_link_rate_has_to_be_the_topology_s() {
    let m = matrix("Nodes 32\nConnections 1\n0->1 id 1 start 0 size 5\n");
    let with = |rate| {
        to_scenario(
            &m,
            &leaf_spine_32(),
            &Options {
                link_rate: Some(rate),
                ..Options::default()
            },
        )
    };
    assert!(with(Rate::gbps(400)).is_ok());
    assert_eq!(
        with(Rate::gbps(100)).unwrap_err()[0].to_string(),
        "own_leafspine32.topo:7:21: the hosts' links have 400 Gb/s, but the link rate was stated as 100 Gb/s (state the same rate, or leave it to the topology)"
    );
}

#[test]
fn file_names_cannot_spoil_the_title() {
    let mut m = matrix("Nodes 32\nConnections 1\n0->1 id 1 start 0 size 5\n");
    m.file = format!("\u{1b}[31m{}", "x".repeat(500));
    let (s, _) = convert(&m, &leaf_spine_32(), &Options::default());
    assert_eq!(s.validate(), Ok(()));
    assert!(s.name.starts_with("?[31mxxx"));
    m.file = "/home/someone/secret/m.cm".into();
    let (s, _) = convert(&m, &leaf_spine_32(), &Options::default());
    assert_eq!(s.name, "m.cm on own_leafspine32.topo");
}

#[test]
fn kinds_of_files() {
    for (name, kind) in [
        ("own_small.cm", FileKind::Matrix),
        ("own_failure128.cm", FileKind::Matrix),
        ("a2a_64_n128_131072.cm", FileKind::Matrix),
        ("own_leafspine32.topo", FileKind::Topology),
        ("ft3_n1024_400g.topo", FileKind::Topology),
    ] {
        assert_eq!(sniff(&data(name)), kind, "{name}");
    }
    assert_eq!(sniff(scenario::presets()[0].json), FileKind::ScenarioJson);
}
