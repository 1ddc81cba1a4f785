//! Broken and contradictory files of htsim: each is refused with file, line, column, reason and hint.

mod common;

use common::data;
use scenario::htsim::{parse_matrix, parse_topology};

const MATRIX: &str =
    "Nodes 32\nConnections 2\n0->8 id 1 start 0 size 2000000\n1->8 id 2 start 5 size 1000000\n";

fn matrix_problems(text: &str) -> Vec<String> {
    parse_matrix("m.cm", text)
        .map(|_| Vec::new())
        .unwrap_or_else(|p| p.iter().map(ToString::to_string).collect())
}

/// `MATRIX` with one piece replaced is refused with exactly these problems.
fn matrix(from: &str, to: &str, expected: &[&str]) {
    assert!(MATRIX.contains(from), "{from}");
    assert_eq!(matrix_problems(&MATRIX.replacen(from, to, 1)), expected);
}

fn topology_problems(text: &str) -> Vec<String> {
    parse_topology("t.topo", text)
        .map(|_| Vec::new())
        .unwrap_or_else(|p| p.iter().map(ToString::to_string).collect())
}

/// The 32-host topology, with one piece replaced, is refused with exactly these problems.
fn topology(from: &str, to: &str, expected: &[&str]) {
    let text = data("own_leafspine32.topo");
    assert!(text.contains(from), "{from}");
    assert_eq!(topology_problems(&text.replacen(from, to, 1)), expected);
}

#[test]
fn the_matrix_as_it_is_is_accepted() {
    assert_eq!(matrix_problems(MATRIX), [""; 0]);
}

#[test]
fn hosts() {
    matrix(
        "1->8",
        "32->8",
        &["m.cm:4:1: the sender is host 32; expected 0 to 31 (Nodes in line 1 is 32)"],
    );
    matrix(
        "1->8",
        "1->99999",
        &["m.cm:4:4: the receiver is host 99999; expected 0 to 31 (Nodes in line 1 is 32)"],
    );
    matrix(
        "1->8",
        "8->8",
        &["m.cm:4:1: host 8 sends to itself (sender and receiver have to differ)"],
    );
    matrix(
        "1->8",
        "-1->8",
        &["m.cm:4:1: the sender is `-1`, but it is negative (expected the number of a host)"],
    );
    matrix(
        "1->8",
        "a->8",
        &["m.cm:4:1: the sender is `a`, but it is no whole number (expected the number of a host)"],
    );
    matrix(
        "1->8",
        "->8",
        &["m.cm:4:1: there is no sender before `->` (expected src->dst)"],
    );
    matrix(
        "1->8",
        "1->99999999999999999999",
        &[
            "m.cm:4:4: the receiver is `99999999999999999999`, but it is too large (expected the number of a host)",
        ],
    );
}

#[test]
fn sizes() {
    let size = |text: &str, reason: &str| {
        matrix(
            "size 1000000",
            &format!("size {text}"),
            &[&format!("m.cm:4:24: {reason}")],
        );
    };
    size("0", "the size is 0 B; expected 1 to 1099511627776 B");
    size(
        "1099511627777",
        "the size is 1099511627777 B; expected 1 to 1099511627776 B",
    );
    size(
        "-5",
        "the size is `-5`, but it is negative (expected a whole number of bytes)",
    );
    size(
        "1e6",
        "the size is `1e6`, but it is no whole number (expected a whole number of bytes)",
    );
    size(
        "99999999999999999999",
        "the size is `99999999999999999999`, but it is too large (expected a whole number of bytes)",
    );
    matrix(
        " size 1000000",
        "",
        &["m.cm:4:1: the connection has no size (add `size` and a number of bytes)"],
    );
}

#[test]
fn starts() {
    let start = |text: &str, why: &str| {
        let expected = format!(
            "m.cm:4:17: the start is `{text}`, but {why} (expected a time as a plain decimal number)"
        );
        matrix("start 5", &format!("start {text}"), &[&expected]);
    };
    start("-1", "it is negative");
    start("5us", "it is no number");
    start("1e3", "it is no number");
    start("0.0000001", "it has more than six decimals");
    start("99999999999999999999999", "it is too large");
    matrix(
        "start 5 ",
        "",
        &["m.cm:4:1: the connection has no start (add `start` and a time, such as `start 0`)"],
    );
}

#[test]
fn ids() {
    matrix(
        "id 2",
        "id 1",
        &["m.cm:4:9: the id 1 is taken by line 3 (each connection has its own id)"],
    );
    matrix(
        "id 2",
        "id 0",
        &["m.cm:4:9: the id is `0`, but expected a number above 0"],
    );
    matrix(
        "id 2",
        "id x",
        &["m.cm:4:9: the id is `x`, but it is no whole number"],
    );
}

#[test]
fn counts() {
    matrix(
        "Connections 2",
        "Connections 3",
        &["m.cm:2:13: Connections is 3, but the file has 2 (is the end of the file missing?)"],
    );
    matrix(
        "Connections 2",
        "Connections 1",
        &["m.cm:2:13: Connections is 1, but the file has 2 (correct the number)"],
    );
    matrix(
        "Connections 2\n",
        "",
        &["m.cm:1:1: there is no `Connections` line; the file has 2 connections (add `Connections 2`)"],
    );
    matrix(
        "Nodes 32\n",
        "",
        &["m.cm:1:1: there is no `Nodes` line (is this a connection matrix?)"],
    );
    matrix(
        "Nodes 32",
        "Nodes",
        &["m.cm:1:1: the line is cut off: there is no number after `Nodes`"],
    );
    matrix(
        "Nodes 32",
        "Nodes -32",
        &["m.cm:1:7: `Nodes` is `-32`, but it is negative (expected a count)"],
    );
    matrix(
        "Nodes 32",
        "Nodes 1000000000",
        &["m.cm:1:7: Nodes is 1000000000; expected 2 to 262144"],
    );
    matrix(
        "Nodes 32",
        "Nodes 32 33",
        &["m.cm:1:10: `33` after the number of `Nodes` (expected the end of the line)"],
    );
    matrix(
        "Nodes 32",
        "Nodes 32\nNodes 32",
        &["m.cm:2:1: a second `Nodes` line (expected one)"],
    );
    matrix(
        "Connections 2",
        "Connections 2\nConnections 2",
        &["m.cm:3:1: a second `Connections` line; the first is line 2 (expected one)"],
    );
    assert_eq!(
        matrix_problems("Nodes 32\nConnections 0\n"),
        ["m.cm:2:13: the matrix has no connections (add at least one)"]
    );
}

#[test]
fn lines_that_are_cut_off_or_not_understood() {
    matrix(
        "1->8 id 2 start 5 size 1000000",
        "1->8 id 2 start 5 size",
        &["m.cm:4:19: the line is cut off: there is no value after `size`"],
    );
    matrix(
        "1->8 id 2 start 5 size 1000000",
        "1->8 id 2 sta",
        &["m.cm:4:11: unknown keyword `sta` (expected id, start, size or prio, each with a number)"],
    );
    matrix(
        "1->8 id 2 start 5 size 1000000",
        "1->",
        &["m.cm:4:1: the line is cut off: there is no receiver after `->` (expected src->dst)"],
    );
    // Without its arrow it counts as no connection.
    matrix(
        "1->8 id 2 start 5 size 1000000",
        "1",
        &[
            "m.cm:2:13: Connections is 2, but the file has 1 (is the end of the file missing?)",
            "m.cm:4:1: unknown keyword `1` (expected Nodes, Connections, or a connection such as `0->8 id 1 start 0 size 2000000`)",
        ],
    );
    matrix(
        "size 1000000",
        "size 1000000 colour red",
        &["m.cm:4:32: unknown keyword `colour` (expected id, start, size or prio, each with a number)"],
    );
    matrix(
        "size 1000000",
        "size 1000000 size 5",
        &["m.cm:4:32: a second `size` in this line (expected one)"],
    );
    matrix(
        "1->8",
        "1->8->9",
        &["m.cm:4:5: unknown keyword `->` (expected id, start, size or prio, each with a number)"],
    );
    matrix(
        "size 1000000",
        "size 1000000 msg 3",
        &[
            "m.cm:4:32: `msg`: several messages on one connection are not supported yet (give each message a line and an id of its own)",
        ],
    );
}

#[test]
fn triggers_and_failures_are_refused_not_ignored() {
    let name = "own_small.cm";
    let problems: Vec<_> = parse_matrix(name, &data(name))
        .unwrap_err()
        .iter()
        .map(ToString::to_string)
        .collect();
    let hint = "(give each flow a `start` time instead)";
    assert_eq!(
        problems,
        [
            "own_small.cm:3:10: `Triggers` are not supported (expected Triggers 0 or no such line)"
                .to_owned(),
            format!("own_small.cm:5:39: `send_done_trigger`: triggers are not supported yet {hint}"),
            format!("own_small.cm:6:11: `trigger`: triggers are not supported yet {hint}"),
            format!("own_small.cm:8:1: `trigger`: triggers are not supported yet {hint}"),
        ]
    );
    let name = "own_failure128.cm";
    let problems: Vec<_> = parse_matrix(name, &data(name))
        .unwrap_err()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        problems[0],
        "own_failure128.cm:3:10: `Failures` are not supported (expected Failures 0 or no such line)"
    );
    assert!(problems[1].starts_with("own_failure128.cm:5:1: failures in a matrix are not supported: htsim fails a link between an AGG and a CORE switch"));
    assert_eq!(
        matrix_problems(&MATRIX.replace("Nodes", "Triggers 0\nFailures 0\nNodes")),
        [""; 0]
    );
}

#[test]
fn prio_is_accepted_with_a_word_about_it() {
    let m = parse_matrix("m.cm", &MATRIX.replace("size", "prio 1 size")).unwrap();
    assert_eq!(
        m.notes,
        ["m.cm: `prio` in 2 lines has no effect: all messages have the same priority"]
    );
}

#[test]
fn all_problems_of_a_matrix_come_at_once_by_line() {
    let text = "Nodes 4\nConnections 5\n9->0 id 1 start 0 size 0\n1->1 id 1 start 0 size 5\nhello\n";
    assert_eq!(
        matrix_problems(text),
        [
            "m.cm:2:13: Connections is 5, but the file has 2 (is the end of the file missing?)",
            "m.cm:3:1: the sender is host 9; expected 0 to 3 (Nodes in line 1 is 4)",
            "m.cm:3:24: the size is 0 B; expected 1 to 1099511627776 B",
            "m.cm:4:9: the id 1 is taken by line 3 (each connection has its own id)",
            "m.cm:5:1: unknown keyword `hello` (expected Nodes, Connections, or a connection such as `0->8 id 1 start 0 size 2000000`)",
        ]
    );
    let many = "x\n".repeat(5000);
    let problems = matrix_problems(&many);
    assert_eq!(problems.len(), scenario::limits::MAX_PROBLEMS + 1);
    assert!(problems.last().unwrap().contains("more problems are not listed"));
}

#[test]
fn the_number_of_connections_is_bounded() {
    let mut text = String::from("Nodes 32\nConnections 1000001\n");
    for _ in 0..1_000_001 {
        text.push_str("0->1 start 0 size 5\n");
    }
    assert_eq!(
        matrix_problems(&text),
        ["m.cm:1000003:1: more than 1000000 connections (at most that many flows are simulated)",]
    );
    let large = " ".repeat(scenario::limits::MAX_TEXT_BYTES + 1);
    assert!(matrix_problems(&large)[0].contains("at most 67108864 are read"));
    assert!(topology_problems(&large)[0].contains("at most 67108864 are read"));
}

#[test]
fn the_topology_as_it_is_is_accepted() {
    topology("Nodes", "Nodes", &[]);
    topology("Nodes 32", "nodes\t32", &[]);
    topology("Oversubscribed 1\n", "", &[]);
    topology("Switch_Latency_ns 0\n", "", &[]);
    topology("Radix_Up 8", "Bundle 1\nRadix_Up 8", &[]);
}

#[test]
fn counts_that_contradict_each_other() {
    topology(
        "Nodes 32",
        "Nodes 36",
        &[
            "t.topo:4:9: Podsize is 32, but Nodes is 36 (in two tiers one pod holds every host)",
            "t.topo:8:12: Radix_Down of Tier 0 is 8, which does not divide Nodes (36) (each Tier 0 switch has the same number of hosts)",
        ],
    );
    topology(
        "Podsize 32",
        "Podsize 16",
        &["t.topo:4:9: Podsize is 16, but Nodes is 32 (in two tiers one pod holds every host)"],
    );
    topology(
        "Radix_Down 4",
        "Radix_Down 5",
        &[
            "t.topo:16:12: Radix_Down of Tier 1 is 5, but there are 4 Tier 0 switches (32 hosts / 8) (each Tier 1 switch has one link to each Tier 0 switch: expected 4)",
        ],
    );
    topology(
        "Radix_Up 8",
        "Radix_Up 4",
        &[
            "t.topo:10:16: each Tier 0 switch has 8 × 400 Gb/s down and 4 × 400 Gb/s up, but Oversubscribed is 1 (expected Oversubscribed 2)",
        ],
    );
    topology(
        "Oversubscribed 1",
        "Oversubscribed 2",
        &[
            "t.topo:10:16: each Tier 0 switch has 8 × 400 Gb/s down and 8 × 400 Gb/s up, but Oversubscribed is 2 (expected Oversubscribed 1)",
        ],
    );
    topology(
        "Radix_Up 8\nOversubscribed 1\n",
        "Radix_Up 4\n",
        &[
            "t.topo:9:10: each Tier 0 switch has 8 × 400 Gb/s down and 4 × 400 Gb/s up, but Oversubscribed is left out, which means 1 (expected Oversubscribed 2)",
        ],
    );
}

#[test]
fn rates_that_contradict_the_radices() {
    topology(
        "Downlink_speed_Gbps 400\nRadix_Down 4",
        "Downlink_speed_Gbps 300\nRadix_Down 4",
        &[
            "t.topo:10:16: each Tier 0 switch has 8 × 400 Gb/s down and 8 × 300 Gb/s up, but Oversubscribed is 1 (capacity down must be Oversubscribed times the capacity up; correct a speed or a radix)",
        ],
    );
    let faster_up = data("own_leafspine32.topo")
        .replace(
            "Downlink_speed_Gbps 400\nRadix_Down 4",
            "Downlink_speed_Gbps 800\nRadix_Down 4",
        )
        .replace("Radix_Up 8", "Radix_Up 4");
    let t = parse_topology("t", &faster_up).unwrap();
    assert_eq!(t.fabric().t1_link_rate, Some(scenario::Rate::gbps(800)));
    assert_eq!(t.t1, 4);
}

#[test]
fn values_out_of_range() {
    topology(
        "Nodes 32",
        "Nodes 1000000000",
        &["t.topo:2:7: Nodes is 1000000000; expected 2 to 262144"],
    );
    topology(
        "Radix_Down 8",
        "Radix_Down 0",
        &["t.topo:8:12: Radix_Down is 0; expected 1 to 2048"],
    );
    topology(
        "Downlink_speed_Gbps 400",
        "Downlink_speed_Gbps 0",
        &["t.topo:7:21: Downlink_speed_Gbps is 0; expected 0.001 to 3200"],
    );
    topology(
        "Downlink_speed_Gbps 400",
        "Downlink_speed_Gbps 4000",
        &["t.topo:7:21: Downlink_speed_Gbps is 4000; expected 0.001 to 3200"],
    );
    topology(
        "Downlink_Latency_ns 1000",
        "Downlink_Latency_ns 0",
        &["t.topo:11:21: Downlink_Latency_ns is 0; expected 1 to 10000000"],
    );
    topology(
        "Switch_Latency_ns 0",
        "Switch_Latency_ns 99999999",
        &["t.topo:12:19: Switch_Latency_ns is above 10000000 ns"],
    );
    topology(
        "Radix_Up 8",
        "Radix_Up -8",
        &["t.topo:9:10: Radix_Up is `-8`, but it is negative (expected a number)"],
    );
    topology(
        "Radix_Up 8",
        "Radix_Up eight",
        &["t.topo:9:10: Radix_Up is `eight`, but it is no whole number (expected a number)"],
    );
}

#[test]
fn what_is_not_supported() {
    topology(
        "Tiers 2",
        "Tiers 1",
        &[
            "t.topo:3:7: Tiers is 1, but only two tiers are supported so far (use a two-tier (leaf-spine) topology)",
        ],
    );
    topology(
        "Radix_Up 8",
        "Bundle 2\nRadix_Up 8",
        &["t.topo:9:8: Bundle is 2; expected 1 (several links between two switches are not supported)"],
    );
    topology(
        "Radix_Up 8",
        "Queue_Up 100000\nRadix_Up 8",
        &["t.topo:9:10: Queue_Up is not supported: queues are sized by the plane's BDP (remove the line)"],
    );
    topology(
        "Switch_Latency_ns 0",
        "Switch_Latency_ns 300",
        &[
            "t.topo:18:19: the switch latencies differ: 300 ns in Tier 0, 0 ps in Tier 1 (only one latency for all switches is supported so far)",
        ],
    );
    topology(
        "Radix_Down 4",
        "Radix_Down 4\nRadix_Up 4",
        &["t.topo:17:10: Tier 1 has a Radix_Up (the upper of two tiers has nothing above it)"],
    );
    topology(
        "Tier 1",
        "Tier 2\nRadix_Down 4\nTier 1",
        &["t.topo:14:6: there is a `Tier 2`, but Tiers is 2 (two tiers are Tier 0 and Tier 1)"],
    );
}

#[test]
fn lines_of_a_topology_that_are_missing_doubled_or_not_understood() {
    topology("Nodes 32\n", "", &["t.topo:1:1: there is no `Nodes` line"]);
    topology("Tiers 2\n", "", &["t.topo:1:1: there is no `Tiers` line"]);
    topology("Radix_Up 8\n", "", &["t.topo:6:6: Tier 0 has no Radix_Up"]);
    topology(
        "Nodes 32",
        "Nodes",
        &["t.topo:2:1: the line is cut off: there is no number after `Nodes`"],
    );
    topology(
        "Radix_Up 8",
        "Radix_Up 8 9",
        &["t.topo:9:12: `9` after the number of `Radix_Up` (expected the end of the line)"],
    );
    topology(
        "Radix_Up 8",
        "Radix_Up 8\nRadix_Up 8",
        &["t.topo:10:1: a second `Radix_Up`; the first is line 9 (expected one)"],
    );
    topology(
        "Tier 1",
        "Tier 0",
        &[
            "t.topo:1:1: there is no `Tier 1`",
            "t.topo:14:6: a second `Tier 0` (expected one)",
            "t.topo:15:1: a second `Downlink_speed_Gbps`; the first is line 7 (expected one)",
            "t.topo:16:1: a second `Radix_Down`; the first is line 8 (expected one)",
            "t.topo:17:1: a second `Downlink_Latency_ns`; the first is line 11 (expected one)",
            "t.topo:18:1: a second `Switch_Latency_ns`; the first is line 12 (expected one)",
        ],
    );
    topology(
        "Tier 1",
        "Tier 7",
        &[
            "t.topo:1:1: there is no `Tier 1`",
            "t.topo:14:6: there is no tier 7 (expected Tier 0 and Tier 1)",
        ],
    );
    topology(
        "Podsize 32",
        "Podsize 32\nRadix_Up 8",
        &["t.topo:5:1: `Radix_Up` before the first `Tier` (it belongs to a tier)"],
    );
    let unknown = topology_problems(&data("own_leafspine32.topo").replace("Radix_Up", "Radix_Sideways"));
    assert!(
        unknown[1]
            .starts_with("t.topo:9:1: unknown keyword `Radix_Sideways` (expected one of Nodes, Tiers, "),
        "{}",
        unknown[1]
    );
    let cut = data("own_leafspine32.topo");
    for end in 0..cut.len() - 1 {
        // What a cut within a number leaves is a number, too; then at least a note says so.
        match parse_topology("t", &cut[..end]) {
            Ok(_) if cut[..end].ends_with('\n') => assert!(cut[end..].starts_with("Switch_Latency_ns 0")),
            Ok(t) => assert!(t.notes[0].contains("no line end"), "cut after {end}"),
            Err(problems) => assert!(!problems.is_empty()),
        }
    }
}

#[test]
fn a_topology_without_podsize_is_understood_and_said() {
    let t = parse_topology(
        "t.topo",
        &data("own_leafspine32.topo").replace("Podsize 32\n", ""),
    )
    .unwrap();
    assert_eq!(
        t.notes,
        ["t.topo: there is no `Podsize` line; one pod with every host is assumed"]
    );
}

/// A line of millions of words costs no more memory than its text.
#[test]
fn endless_lines_are_refused() {
    for endless in ["0 -> 1 ", "->", "trigger 1 ", "0->1 trigger 1 ", "Nodes 1 "] {
        let text = format!("Nodes 32\nConnections 1\n{}\n", endless.repeat(1_000_000));
        assert!(matrix_problems(&text).len() <= 100, "{endless}");
        assert!(!matrix_problems(&text).is_empty(), "{endless}");
        assert!(!topology_problems(&text).is_empty(), "{endless}");
    }
}
