//! Bad input of every kind is refused with its place, the reason and a hint, and never with a panic.

use crate::folder::{Folder, peer};

/// Runs a matrix on the peer's 128-host topology.
fn matrix(text: &str, texts: &[&str]) {
    let folder = Folder::new();
    folder.write("m.cm", text);
    let topology = peer("ls_n128_400g.topo");
    let outcome = folder.call(&["run", "--matrix", "m.cm", "--topology", &topology, "-q"]);
    outcome.fails(2, texts);
}

fn connections(lines: &str) -> String {
    format!("Nodes 128\nConnections {}\n{lines}\n", lines.lines().count())
}

#[test]
fn matrices_with_wrong_connections() {
    for (line, texts) in [
        (
            "0->128 id 1 start 0 size 1",
            &["m.cm:3:4: the receiver is host 128; expected 0 to 127 (Nodes in line 1 is 128)"][..],
        ),
        (
            "128->0 id 1 start 0 size 1",
            &["m.cm:3:1: the sender is host 128"],
        ),
        ("5->5 id 1 start 0 size 1", &["m.cm:3:1: host 5 sends to itself"]),
        ("-1->5 id 1 start 0 size 1", &["m.cm:3:1:", "negative"]),
        (
            "0->1 id 1 start 0 size -5",
            &["m.cm:3:24: the size is `-5`, but it is negative"],
        ),
        (
            "0->1 id 1 start 0 size 0",
            &["m.cm:3:24: the size is 0 B; expected 1 to 1099511627776 B"],
        ),
        (
            "0->1 id 1 start 0",
            &["m.cm:3:1: the connection has no size (add `size`"],
        ),
        (
            "0->1 id 1 start 0 size",
            &["m.cm:3:19: the line is cut off: there is no value after `size`"],
        ),
        ("0->", &["m.cm:3:1:", "cut off"]),
        ("0->1 id 1 start 0 size 1e6", &["m.cm:3:24:", "no whole number"]),
        (
            "0->1 id 1 start 0 size 99999999999999999999",
            &["m.cm:3:24:", "too large"],
        ),
        (
            "0->1 id 0 start 0 size 1",
            &["m.cm:3:9: the id is `0`, but expected a number above 0"],
        ),
        (
            "0->1 id 1 start -1 size 1",
            &["m.cm:3:17: the start is `-1`, but it is negative"],
        ),
        (
            "0->1 id 1 start 101000000000000 size 1",
            &["m.cm:3:", "expected at most 100 s", "is the unit right?"],
        ),
        (
            "0->1 id 1 start 0 size 1 sise 2",
            &["m.cm:3:26: unknown keyword `sise` (expected id, start, size or prio"],
        ),
        (
            "0->1 id 1 trigger 1 size 1",
            &["m.cm:3:11: `trigger`: triggers are not supported yet"],
        ),
        (
            "failure switch_type AGG switch_id 0 link_id 1",
            &["m.cm:3:1: failures in a matrix are not supported"],
        ),
        (
            "0->1 id 1 start 0 size 1\n2->3 id 1 start 0 size 1",
            &["m.cm:4:9: the id 1 is taken by line 3"],
        ),
    ] {
        matrix(&connections(line), texts);
    }
}

#[test]
fn matrices_with_wrong_headers() {
    let line = "0->1 id 1 start 0 size 1\n";
    for (text, texts) in [
        (
            format!("Nodes 128\nConnections 2\n{line}"),
            &["m.cm:2:13: Connections is 2, but the file has 1 (is the end of the file missing?)"][..],
        ),
        (
            format!("Nodes 128\nConnections 0\n{line}"),
            &["m.cm:2:13: Connections is 0, but the file has 1"],
        ),
        (format!("Nodes 128\n{line}"), &["there is no `Connections` line"]),
        (format!("Connections 1\n{line}"), &["there is no `Nodes` line"]),
        (
            format!("Nodes -3\nConnections 1\n{line}"),
            &["m.cm:1:7:", "negative"],
        ),
        (
            format!("Nodes 9999999999\nConnections 1\n{line}"),
            &["m.cm:1:7: Nodes is 9999999999; expected 2 to 262144"],
        ),
        (
            format!("Nodes 256\nConnections 1\n{}", line.replace("->1", "->200")),
            &["m.cm:3:4: host 200 is not in", "which has 128 hosts"],
        ),
        (
            String::new(),
            &["m.cm:1:1: there is no `Nodes` line (is this a connection matrix?)"],
        ),
        ("hello world\n".into(), &["m.cm:1:1: unknown keyword `hello`"]),
    ] {
        matrix(&text, texts);
    }
}

/// Accepted with their right meaning: tabs, CRLF, more than 2^31 bytes.
#[test]
fn odd_but_meaningful_matrices_are_read() {
    let folder = Folder::new();
    let topology = peer("ls_n128_400g.topo");
    let large = "Nodes 128\nConnections 1\n0->1 id 9 start 0 size 3000000000\n";
    for text in [
        large.to_owned(),
        large.replace(' ', "\t").replace('\n', "\r\n"),
        format!("\u{feff}# x\n{large}"),
    ] {
        folder.write("m.cm", text);
        let json = folder
            .call(&["convert", "--matrix", "m.cm", "--topology", &topology])
            .succeeds()
            .stdout;
        assert!(json.contains("[0, 1, 3000000000, 0, 9]"), "{json}");
    }
}

#[test]
fn wrong_topologies() {
    let folder = Folder::new();
    let good = std::fs::read_to_string(peer("ls_n128_400g.topo")).expect("readable");
    folder.write("m.cm", connections("0->1 id 1 start 0 size 1"));
    for (from, to, texts) in [
        (
            "Tiers 2",
            "Tiers 3",
            &["t.topo:2:7: Tiers is 3, but only two tiers are supported so far"][..],
        ),
        ("Tiers 2\n", "", &["there is no `Tiers` line"]),
        ("Nodes 128", "Nodes 0", &["t.topo:1:7:"]),
        ("Radix_Down 16", "Radix_Down 0", &["t.topo:7:12:"]),
        (
            "Radix_Down 16",
            "Radix_Down 17",
            &["t.topo:7:12: Radix_Down of Tier 0 is 17, which does not divide Nodes (128)"],
        ),
        (
            "Radix_Down 8",
            "Radix_Down 9",
            &["Radix_Down of Tier 1 is 9, but there are 8 Tier 0 switches"],
        ),
        (
            "Oversubscribed 1",
            "Oversubscribed 4",
            &["but Oversubscribed is 4 (expected Oversubscribed 1)"],
        ),
        (
            "Podsize 128",
            "Podsize 64",
            &["t.topo:3:9: Podsize is 64, but Nodes is 128"],
        ),
        (
            "Downlink_speed_Gbps 400",
            "Downlink_speed_Gbps -400",
            &["t.topo:6:21:", "negative"],
        ),
        ("Downlink_speed_Gbps 400", "Downlink_speed_Gbps", &["t.topo:6:1:"]),
        ("Radix_Up 16", "Radix_Upp 16", &["t.topo:8:1:", "Radix_Upp"]),
    ] {
        folder.write("t.topo", good.replacen(from, to, 1));
        let outcome = folder.call(&["run", "--matrix", "m.cm", "--topology", "t.topo", "-q"]);
        outcome.fails(2, texts);
    }
    folder.write("t.topo", &good);
    let files = ["check", "--matrix", "m.cm", "--topology", "t.topo", "--link-rate"];
    folder.call(&[&files[..], &["400Gbps"]].concat()).succeeds();
    folder.call(&[&files[..], &["100Gbps"]].concat()).fails(
        2,
        &["t.topo:6:21: the hosts' links have 400 Gb/s, but the link rate was stated as 100 Gb/s (state the same rate"],
    );
}

#[test]
fn files_given_to_the_wrong_option() {
    let folder = Folder::new();
    let (m, t) = (peer("incast_8to1_n128_2000000.cm"), peer("ls_n128_400g.topo"));
    folder
        .call(&["run", "--matrix", &t, "--topology", &m])
        .fails(2, &["this is a topology (give it to --topology)"]);
    folder.call(&["run", &m]).fails(
        2,
        &["this is a connection matrix (run it with --matrix FILE --topology FILE)"],
    );
    folder.call(&["run", &t]).fails(2, &["this is a topology"]);
    folder.write("s.json", "{}");
    folder
        .call(&["run", "--matrix", "s.json", "--topology", &t])
        .fails(2, &["looks like a scenario in JSON"]);
}

/// A scenario that is right, to be made wrong.
const SCENARIO: &str = r#"{
  "version": 1,
  "until": "1ms",
  "fabric": { "planes": 4, "t0_per_plane": 4, "t1_per_plane": 4, "nics_per_t0": 4, "nic_link_rate": "100Gbps" },
  "transport": { "evs": 8 },
  "traffic": [ { "kind": "flow", "src": 0, "dst": 5, "bytes": "1MB" } ]
}
"#;

#[test]
fn wrong_scenarios() {
    let folder = Folder::new();
    for (from, to, texts) in [
        (
            "\"planes\": 4",
            "\"planes\": 0",
            &["s.json:4:25: fabric.planes: is 0; expected 1 to 8"][..],
        ),
        ("\"planes\": 4", "\"planes\": -1", &["s.json:4:", "planes", "-1"]),
        (
            "\"planes\": 4",
            "\"plains\": 4",
            &["s.json:4:", "unknown field `plains`"],
        ),
        (
            "\"nics_per_t0\": 4",
            "\"nics_per_t0\": 1000000000",
            &["s.json:4:81: fabric.nics_per_t0: is 1000000000; expected 1 to 2048"],
        ),
        (
            "\"evs\": 8",
            "\"evs\": 7",
            &["s.json:5:25: transport.evs: is 7, which is no multiple of the 4 planes"],
        ),
        (
            "\"dst\": 5",
            "\"dst\": 0",
            &[
                "s.json:6:",
                "is 0, the same as src (a NIC does not send to itself)",
            ],
        ),
        (
            "\"dst\": 5",
            "\"dst\": 16",
            &["s.json:6:", "traffic[0].dst: is 16; expected 0 to 15"],
        ),
        ("\"1MB\"", "\"0\"", &["traffic[0].bytes: is 0 B"]),
        (
            "\"1MB\"",
            "\"1 potato\"",
            &["s.json:6:", "unknown unit \"potato\""],
        ),
        (
            "\"1ms\"",
            "\"1000s\"",
            &["s.json:3:12: until: is 1000 s; expected 1 ps to 100 s"],
        ),
        (
            "\"version\": 1",
            "\"version\": 2",
            &[
                "s.json:2:14: the scenario has version 2",
                "a newer Flowglass is needed",
            ],
        ),
        (
            "\"version\": 1,",
            "",
            &["s.json:1:1: the scenario has no \"version\""],
        ),
        ("\n}\n", "", &["s.json:6:", "EOF"]),
        ("{\n  \"version\"", "[\n  \"version\"", &["s.json:1:"]),
    ] {
        let text = SCENARIO.replacen(from, to, 1);
        assert_ne!(text, SCENARIO);
        folder.write("s.json", text);
        folder.call(&["run", "s.json", "-q"]).fails(2, texts);
        let checked = folder.call(&["check", "s.json"]);
        assert_eq!((checked.status, checked.stdout.as_str()), (2, ""), "{to}");
    }
    folder.write("s.json", SCENARIO);
    folder.call(&["run", "s.json", "-q"]).succeeds();
    folder.call_with(&["run", "-"], b"{").fails(2, &["<stdin>:1:"]);
    folder.call_with(&["run", "-"], b"").fails(2, &["<stdin>:1:1:"]);
}

#[test]
fn a_message_of_too_many_packets_is_found_before_the_run() {
    let folder = Folder::new();
    let text = SCENARIO
        .replace("\"1MB\"", "\"1TiB\"")
        .replace("\"evs\": 8", "\"evs\": 8, \"pmtu\": 256");
    folder.write("s.json", text);
    for command in ["check", "run"] {
        folder
            .call(&[command, "s.json"])
            .fails(2, &["s.json: flow 1: 1 × 1099511627776 bytes", "larger PMTU"]);
    }
}

#[test]
fn problems_beyond_the_first_twenty_are_not_lost_silently() {
    let folder = Folder::new();
    let flow = r#"{ "kind": "flow", "src": 0, "dst": 99, "bytes": "1MB" }"#;
    let flows = [flow; 30].join(",\n");
    folder.write(
        "s.json",
        SCENARIO.replacen(
            r#"{ "kind": "flow", "src": 0, "dst": 5, "bytes": "1MB" }"#,
            &flows,
            1,
        ),
    );
    let outcome = folder
        .call(&["check", "s.json"])
        .fails(2, &["s.json:25:", "there are more problems"]);
    assert_eq!(outcome.stderr.lines().count(), 21, "{}", outcome.stderr);
}

#[test]
fn damaged_links() {
    let folder = Folder::new();
    let link = folder.call(&["link", "link-dies"]).succeeds().stdout;
    let link = link.trim();
    for cut in [1, 2, 3, 4, 20, link.len() / 2, link.len() - 1] {
        folder
            .call(&["run", &link[..cut], "-q"])
            .fails(2, &["error: the link"]);
    }
    let middle = link.len() / 2;
    let other = if &link[middle..=middle] == "A" { "B" } else { "A" };
    let altered = format!("{}{other}{}", &link[..middle], &link[middle + 1..]);
    folder.call(&["run", &altered]).fails(2, &["error: the link"]);
    folder
        .call(&["run", &format!("{}!{}", &link[..9], &link[9..])])
        .fails(2, &["has '!' at position 9"]);
    folder
        .call(&["run", "#2.abc"])
        .fails(2, &["a newer Flowglass is needed"]);
    folder
        .call(&["run", "#preset/nope"])
        .fails(2, &["there is no preset \"nope\"; the nearest of "]);
    folder
        .call(&["run", "https://example.org/"])
        .fails(2, &["has no part after `#`"]);
    let seed = format!("{link}&seed=-1");
    folder.call(&["run", &seed]).fails(2, &["expected seed=N"]);
}

#[test]
fn names_that_mean_nothing() {
    let folder = Folder::new();
    folder.call(&["run", "link-dyes"]).fails(
        2,
        &["there is no file and no preset \"link-dyes\"; presets are link-dies"],
    );
    folder
        .call(&["run", "1.json"])
        .fails(2, &["there is no file and no preset \"1.json\""]);
    folder
        .call(&["run", "preset:incat"])
        .fails(2, &["there is no preset \"incat\""]);
    folder
        .call(&["run", ""])
        .fails(2, &["there is no file and no preset \"\""]);
    let outcome = folder.call(&["run", "\u{1b}[2Jx"]).fails(2, &["[2Jx"]);
    assert!(
        !outcome.stderr.contains('\u{1b}'),
        "no control characters: {outcome:?}"
    );
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new();
    let topology = peer("ls_n128_400g.topo");
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    folder
        .call(&["run", "folder"])
        .fails(3, &["folder: is a directory; expected a file"]);
    for (given, texts) in [
        ("none.cm", &["none.cm: cannot be read: there is no such file"]),
        ("folder", &["folder: is a directory; expected a file"]),
    ] {
        folder
            .call(&["run", "--matrix", given, "--topology", &topology])
            .fails(3, texts);
    }
    folder.write("binary", [b'N', b'o', b'\n', 0xc3, 0x28, 0]);
    for arguments in [
        &["run", "binary"][..],
        &["run", "--matrix", "binary", "--topology", &topology],
    ] {
        folder.call(arguments).fails(
            2,
            &["binary:2:1: the byte 0xc3 is not UTF-8 text (is this a binary file?)"],
        );
    }
    folder.write("utf16.json", b"\xff\xfe{\0}\0");
    folder
        .call(&["check", "utf16.json"])
        .fails(2, &["utf16.json:1:1: the file is UTF-16 text (save it as UTF-8)"]);
    folder.write("zeros", vec![0; 100_000]);
    folder.call(&["run", "zeros"]).fails(2, &["zeros:1:1:"]);
}

/// Larger than what is read; the file has a hole, so it takes no space.
#[test]
fn a_file_that_is_too_large() {
    let folder = Folder::new();
    let file = std::fs::File::create(folder.path("large")).expect("a file");
    file.set_len(1 << 33).expect("a file with a hole");
    folder
        .call(&["run", "large"])
        .fails(2, &["large:1:1: the file has more than 67108864 bytes"]);
}

#[test]
fn absurd_options() {
    let folder = Folder::new();
    for (arguments, texts) in [
        (
            &["run", "incast", "--until", "0"][..],
            &["--until <T>", "expected 1 ps to 1000 s"][..],
        ),
        (
            &["run", "incast", "--until", "-1us"],
            &["--until <T>", "negative"],
        ),
        (
            &["run", "incast", "--until", "1000000s"],
            &["--until <T>", "expected 1 ps to 1000 s"],
        ),
        (&["run", "incast", "--until", "5"], &["the unit is missing"]),
        (
            &["run", "incast", "--fault", "explode@5us"],
            &[
                "--fault <KIND@T,FIELD=VALUE…>",
                "unknown variant `explode`",
                "link_down",
            ],
        ),
        (
            &[
                "run",
                "incast",
                "--fault",
                "link_down@5us,link=p0/n1",
                "--fault",
                "nic_flap@1us,nic=9999,duration=1us",
            ],
            &["--fault number 2: nic is 9999, but there is no NIC 9999"],
        ),
        (
            &["run", "incast", "--seed", "-1"],
            &[
                "--seed <N>",
                "expected a whole number from 0 to 18446744073709551615",
            ],
        ),
        (
            &["run", "incast", "--seed", "99999999999999999999"],
            &["--seed <N>"],
        ),
        (
            &["run", "incast", "--balancer", "ecmp"],
            &["unknown balancer; known are mrc, oblivious, reps, bitmap, mixed"],
        ),
        (&["run", "incast", "--model", "htsim"], &["cannot be used with"]),
        (&["run"], &["SCENARIO"]),
        (&[], &["Usage"]),
    ] {
        folder.call(arguments).fails(2, texts);
    }
}
