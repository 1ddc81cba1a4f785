//! `flowglass capture`: the file against the run that it was taken from, read by others than who wrote it.

use crate::folder::{Folder, peer};
use pcap_parser::pcapng::{Block, OptionCode};
use pcap_parser::{Linktype, PcapBlockOwned, PcapNGSlice};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::process::Command;
use wire::{Body, Frame, Mac, PfcFrame, RoceBody, RoceFrame, RoceSyndrome, layout};

/// Losses on one link, another one down for a while, more senders than a NIC can take: drops, trims on the last hop and
/// before it, retransmissions, NACKs and probes.
const STORMY: &str = r#"{
  "version": 1, "name": "stormy", "seed": 3, "until": "2ms",
  "fabric": { "planes": 2, "t0_per_plane": 4, "t1_per_plane": 2, "nics_per_t0": 4, "nic_link_rate": "100Gbps" },
  "transport": { "evs": 8, "probe_interval": "20us" },
  "traffic": [ { "kind": "incast", "dst": 0, "senders": 9, "bytes": "300kB" },
               { "kind": "permutation", "shift": 5, "bytes": 100001 } ],
  "faults": [ { "at": "5us", "kind": "link_loss", "link": "p0/t0.0-t1.1", "rate": 0.05 },
              { "at": "20us", "kind": "link_down", "link": "p1/t0.1-t1.0" },
              { "at": "120us", "kind": "link_up", "link": "p1/t0.1-t1.0" } ]
}"#;

fn stormy() -> Folder {
    let folder = Folder::new();
    folder.write("stormy.json", STORMY);
    folder
}

/// A capture as an independent reader has it.
#[derive(Default)]
pub struct Capture {
    // Name, bit/s, most bytes kept.
    interfaces: Vec<(String, u64, u32)>,
    /// In the file's order.
    pub packets: Vec<Captured>,
}

/// A packet of it.
pub struct Captured {
    interface: usize,
    ns: u64,
    /// The bytes that were kept.
    pub bytes: Vec<u8>,
    original_len: u32,
    outbound: bool,
    comment: String,
}

/// Reads a file; every block of it has to be whole.
pub fn read(folder: &Folder, name: &str) -> Capture {
    parse(&fs::read(folder.path(name)).expect("the command wrote it"))
}

fn parse(file: &[u8]) -> Capture {
    let mut capture = Capture::default();
    for block in PcapNGSlice::from_slice(file).expect("pcapng") {
        match block.expect("a whole block") {
            PcapBlockOwned::NG(Block::SectionHeader(_)) => {}
            PcapBlockOwned::NG(Block::InterfaceDescription(interface)) => {
                assert_eq!(
                    (interface.linktype, interface.if_tsresol),
                    (Linktype::ETHERNET, 9)
                );
                let name = interface.if_name().expect("a name").expect("UTF-8");
                let speed = interface.if_speed().expect("a speed").expect("a number");
                capture
                    .interfaces
                    .push((name.to_owned(), speed, interface.snaplen));
            }
            PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
                let option = |code| {
                    let option = packet.options.iter().find(|option| option.code == code);
                    option.map(|option| option.value()[..usize::from(option.len)].to_vec())
                };
                // epb_flags
                let flags = option(OptionCode(2)).expect("flags");
                capture.packets.push(Captured {
                    interface: packet.if_id as usize,
                    ns: u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low),
                    bytes: packet.data[..packet.caplen as usize].to_vec(),
                    original_len: packet.origlen,
                    outbound: match flags[..] {
                        [1, 0, 0, 0] => false,
                        [2, 0, 0, 0] => true,
                        _ => panic!("{flags:?}"),
                    },
                    comment: String::from_utf8(option(OptionCode::Comment).unwrap_or_default())
                        .expect("UTF-8"),
                });
            }
            _ => panic!("a block of another kind"),
        }
    }
    capture
}

/// The figures of the same run, by `flowglass run`.
fn summary(folder: &Folder) -> serde_json::Value {
    folder
        .call(&["run", "stormy.json", "-q", "--json", "r.json"])
        .succeeds();
    folder.json("r.json")
}

fn of(value: &serde_json::Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn what_is_captured_is_what_the_run_counts() {
    let folder = stormy();
    let outcome = folder
        .call(&["capture", "stormy.json", "--drops", "--out", "all.pcapng"])
        .succeeds();
    let capture = read(&folder, "all.pcapng");
    let results = summary(&folder);
    let counts = &results["summary"];

    // Each cable once: 2 planes of 16 NICs and 4 × 2 trunks.
    assert_eq!(capture.interfaces.len(), 2 * (16 + 8));
    assert_eq!(
        capture.interfaces[0],
        ("p0/n0".to_owned(), 100_000_000_000, 0),
        "name, speed, no limit on length"
    );
    let dropped = |packet: &&Captured| packet.comment.contains("dropped: ");
    for reason in ["random_loss", "link_down"] {
        let text = format!("dropped: {reason}");
        let seen = capture
            .packets
            .iter()
            .filter(|p| p.comment.contains(&text))
            .count();
        assert_eq!(seen as u64, of(&counts["drops"][reason]), "{reason}");
        assert!(seen > 0, "{reason} occurs");
    }
    let drops = capture.packets.iter().filter(dropped).count();
    assert_eq!(
        (capture.packets.len() - drops) as u64,
        of(&results["run"]["packet_hops"]),
        "packets that crossed a link"
    );
    let text = format!(
        "all.pcapng: {} packets on 48 links, up to the end of the run at ",
        grouped(capture.packets.len())
    );
    assert!(outcome.stdout.starts_with(&text), "{outcome:?}");

    let mut kinds = BTreeMap::<&str, u64>::new();
    let mut last_hop_trims = 0;
    for packet in &capture.packets {
        let frame = Frame::parse(&packet.bytes).expect("a frame");
        assert_eq!(packet.original_len as usize, packet.bytes.len());
        let kind = match frame.body {
            Body::Write(_) => "data",
            Body::Trimmed(_) => "trimmed",
            Body::Sack(..) => "sack",
            Body::Nack(_) => "nack",
            Body::EndpointRequest(_) => "probe",
            Body::EndpointResponse(_) => "answer",
            _ => "other",
        };
        *kinds.entry(kind).or_default() += 1;
        assert_eq!(
            kind == "trimmed",
            packet.comment.starts_with("trimmed "),
            "{}",
            packet.comment
        );
        // The NIC's end of a NIC's link sends outward, with its own address.
        let (name, ..) = &capture.interfaces[packet.interface];
        if let Some((plane, nic)) = name.split_once("/n") {
            let plane = plane[1..].parse().expect("a plane");
            let own = Mac::nic(plane, wire::Bits::wrapping(nic.parse().expect("a NIC")));
            assert_eq!(frame.link.src == own, packet.outbound);
            assert_eq!(frame.link.dst == own, !packet.outbound);
            let last_hop = packet.comment.starts_with("trimmed on the last hop, ");
            last_hop_trims += u64::from(last_hop && !packet.comment.contains("dropped"));
        }
    }
    assert_eq!(last_hop_trims, of(&counts["trims_last_hop"]));
    for kind in ["data", "trimmed", "sack", "nack", "probe", "answer"] {
        assert!(kinds.contains_key(kind), "{kinds:?}");
    }
    let in_order = capture.packets.is_sorted_by_key(|packet| packet.ns);
    assert!(in_order, "in order of time");
}

fn grouped(n: usize) -> String {
    format!("{},{:03}", n / 1000, n % 1000)
}

#[test]
fn links_times_and_lengths_are_chosen() {
    let folder = stormy();
    let call = |more: &[&str], out: &str| {
        folder
            .call(&[&["capture", "stormy.json", "--out", out], more].concat())
            .succeeds()
    };
    call(&[], "all");
    let all = read(&folder, "all");
    assert!(all.packets.iter().all(|p| !p.comment.contains("dropped")));

    // A link that is named twice, and a NIC that has it too.
    let some = [
        "--link",
        "p1/t0.0-t1.1",
        "--nic",
        "2",
        "--link",
        "p0/n2",
        "--from",
        "10us",
        "--to",
        "60us",
        "--snap",
        "200",
    ];
    let outcome = call(&some, "some");
    let text = " packets on 3 links, up to 60 µs";
    assert!(outcome.stdout.contains(text), "{outcome:?}");
    let captured = read(&folder, "some");
    let names: Vec<&str> = captured
        .interfaces
        .iter()
        .map(|(name, ..)| name.as_str())
        .collect();
    assert_eq!(names, ["p0/n2", "p1/n2", "p1/t0.0-t1.1"]);
    assert!(captured.interfaces.iter().all(|&(_, _, snap)| snap == 200));
    let wanted: Vec<&Captured> = all
        .packets
        .iter()
        .filter(|p| names.contains(&all.interfaces[p.interface].0.as_str()))
        .filter(|p| (10_000..60_000).contains(&p.ns))
        .collect();
    assert!(wanted.len() > 100);
    assert_eq!(captured.packets.len(), wanted.len());
    for (some, all_of_it) in captured.packets.iter().zip(wanted) {
        let kept = all_of_it.bytes.len().min(200);
        assert_eq!(some.bytes, all_of_it.bytes[..kept]);
        assert_eq!(some.original_len, all_of_it.original_len);
        assert_eq!((some.ns, some.outbound), (all_of_it.ns, all_of_it.outbound));
    }
    // A headless capture still shows its headers.
    let cut = captured
        .packets
        .iter()
        .find(|p| p.original_len > 200)
        .expect("data");
    assert!(
        layout::describe(&cut.bytes)
            .iter()
            .any(|view| view.name == "RETH")
    );

    let outcome = call(&["--packets", "7"], "few");
    let few = read(&folder, "few");
    assert_eq!(few.packets.len(), 7);
    assert!(
        few.packets
            .iter()
            .zip(&all.packets)
            .all(|(few, all)| few.bytes == all.bytes)
    );
    let text = "few: 7 packets on 48 links, as many as --packets allows, the last one at ";
    assert!(outcome.stdout.starts_with(text), "{outcome:?}");

    let outcome = call(&["--from", "1ms", "--to", "1ms", "--link", "p0/n0"], "none");
    assert!(
        outcome.stdout.starts_with("none: 0 packets on 1 link, "),
        "{outcome:?}"
    );
    assert!(read(&folder, "none").packets.is_empty());
}

#[test]
fn threads_and_the_end_of_the_run_change_nothing() {
    let folder = stormy();
    let capture = |out: &str, more: &[&str]| {
        folder
            .call(&[&["capture", "stormy.json", "--drops", "--out", out], more].concat())
            .succeeds();
        fs::read(folder.path(out)).expect("written")
    };
    let one = capture("one", &["--threads", "1"]);
    assert_eq!(one, capture("two", &["--threads", "2"]));
    assert_eq!(one, capture("four", &["--threads", "4"]));
    assert_eq!(one, capture("long", &["--to", "100s"]));
}

#[test]
fn standard_output_carries_the_capture_alone() {
    let folder = stormy();
    let arguments = [
        "capture",
        "stormy.json",
        "--nic",
        "0",
        "--to",
        "20us",
        "--out",
        "-",
    ];
    let output = folder.command(&arguments).output().expect("it starts");
    assert!(output.status.success());
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        stderr.starts_with("-: ") && stderr.contains(" packets on 2 links"),
        "{stderr}"
    );
    assert!(parse(&output.stdout).packets.len() > 10);

    let quiet = folder
        .command(&[&arguments[..], &["-q"]].concat())
        .output()
        .expect("it starts");
    assert_eq!((quiet.stdout, quiet.stderr), (output.stdout, Vec::new()));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = stormy();
    fs::create_dir(folder.path("folder")).expect("possible");
    folder.write("kept.pcapng", "mine");
    let wide = STORMY
        .replace(r#""t0_per_plane": 4"#, r#""t0_per_plane": 64"#)
        .replace(r#""nics_per_t0": 4"#, r#""nics_per_t0": 64"#);
    folder.write("wide.json", wide);
    for (arguments, status, texts) in [
        (
            &["stormy.json", "--out", "x", "--link", "p0/t0.4-t1.0"][..],
            2,
            &["stormy.json: --link p0/t0.4-t1.0: T0 4 is not there: they are numbered 0 to 3"][..],
        ),
        (
            &["stormy.json", "--out", "x", "--link", "p2/n0"],
            2,
            &["--link p2/n0: plane 2 is not there"],
        ),
        (
            &["stormy.json", "--out", "x", "--nic", "16"],
            2,
            &["stormy.json: --nic 16: NIC 16 is not there: they are numbered 0 to 15"],
        ),
        (
            &["wide.json", "--out", "x"],
            2,
            &["wide.json: the fabric has 8,448 links, and a capture at most 4,096; expected --link or --nic"],
        ),
        (
            &["stormy.json", "--out", "x", "--from", "2us", "--to", "1us"],
            2,
            &["the capture would begin at 2 µs and end at 1 µs"],
        ),
        (
            &["stormy.json", "--out", "stormy.json"],
            2,
            &["--out stormy.json: is the file that the run is read from; expected another one"],
        ),
        (
            &["stormy.json", "--out", "folder"],
            3,
            &["folder: cannot be written: it is a directory; expected a file"],
        ),
        (
            &["stormy.json", "--out", "none/x"],
            3,
            &["none/x: cannot be written: there is no such folder"],
        ),
        (&["none.json", "--out", "x"], 2, &["none.json"]),
        (
            &["none.json", "--out", "kept.pcapng"],
            2,
            &["there is no file and no preset"],
        ),
    ] {
        folder
            .call(&[&["capture"], arguments].concat())
            .fails(status, texts);
    }
    let (matrix, topology) = (peer("incast_8to1_n128_2000000.cm"), peer("ls_n128_400g.topo"));
    let files = ["--matrix", &matrix, "--topology", &topology, "--model", "htsim"];
    folder
        .call(&[&["capture", "--out", "x"], &files[..]].concat())
        .fails(2, &["the packets of the model htsim have no real headers"]);
    assert!(!folder.path("x").exists());
    assert_eq!(
        fs::read_to_string(folder.path("kept.pcapng")).expect("kept"),
        "mine"
    );
}

/// Says why a test was skipped. Not eprintln: the test runner would swallow it for a test that passes.
fn skipped(test: &str, reason: &str) {
    let line = format!("capture::{test}: skipped, {reason}\n");
    std::io::stderr()
        .write_all(line.as_bytes())
        .expect("standard error");
}

/// What tshark prints about a file; `None`, with the reason printed, where it is not installed.
fn tshark(test: &str, folder: &Folder, file: &str, arguments: &[&str]) -> Option<Vec<String>> {
    let output = Command::new("tshark")
        .args(["-n", "-o", "udp.ignore_ipv6_zero_checksum:TRUE", "-r"])
        .arg(folder.path(file))
        .args(arguments)
        .output();
    match output {
        Ok(output) => {
            assert!(
                output.status.success(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
            let text = String::from_utf8(output.stdout).expect("UTF-8");
            Some(text.lines().map(str::to_owned).collect())
        }
        Err(error) => {
            skipped(test, &format!("tshark cannot be run ({error})"));
            None
        }
    }
}

/// Captures all of the stormy run.
fn captured(folder: &Folder, out: &str, more: &[&str]) -> Capture {
    folder
        .call(&[&["capture", "stormy.json", "--drops", "--out", out], more].concat())
        .succeeds();
    read(folder, out)
}

/// Wireshark reads outer and inner IPv6, UDP and BTH of every frame, trimmed ones too, and calls none malformed.
#[test]
fn tshark_reads_every_frame() {
    const TEST: &str = "tshark_reads_every_frame";
    let folder = stormy();
    let capture = captured(&folder, "stormy.pcapng", &[]);
    let fields = [
        "frame.interface_name",
        "frame.protocols",
        "ipv6.dst",
        "ipv6.plen",
        "udp.length",
        "infiniband.bth.opcode",
        "infiniband.bth.destqp",
        "infiniband.bth.psn",
        "_ws.expert.message",
    ];
    let mut arguments = vec!["-T", "fields", "-E", "separator=|"];
    arguments.extend(fields.iter().flat_map(|field| ["-e", field]));
    let Some(lines) = tshark(TEST, &folder, "stormy.pcapng", &arguments) else {
        return;
    };
    assert_eq!(lines.len(), capture.packets.len());
    for (line, packet) in lines.iter().zip(&capture.packets) {
        let frame = Frame::parse(&packet.bytes).expect("a frame");
        let l3 = frame.l3_len();
        // The only remark is our own comment.
        let expected = [
            capture.interfaces[packet.interface].0.clone(),
            "eth:ethertype:ipv6:ipv6:udp:infiniband".into(),
            format!("{},{}", frame.outer.dst, frame.inner.dst),
            format!("{},{}", l3 - 40, l3 - 80),
            (l3 - 80).to_string(),
            frame.opcode().code().to_string(),
            format!("0x{:06x}", frame.base.dest_qp.get()),
            frame.base.psn.get().to_string(),
            packet.comment.clone(),
        ];
        // A comment may hold the separator of several remarks, never that of fields.
        let found: Vec<&str> = line.split('|').collect();
        assert_eq!(found, expected, "{line}");
    }
    let malformed = tshark(
        TEST,
        &folder,
        "stormy.pcapng",
        &["-Y", "_ws.malformed || _ws.expert.severity >= 0x600000"],
    );
    assert_eq!(malformed, Some(Vec::new()));
}

/// The dissector that comes with Flowglass tells what is behind the BTH, also in packets of which only the head was kept.
#[test]
fn the_dissector_reads_a_run() {
    const TEST: &str = "the_dissector_reads_a_run";
    let folder = stormy();
    let script = format!(
        "lua_script:{}/../../tools/wireshark/mrc.lua",
        env!("CARGO_MANIFEST_DIR")
    );
    let fields = [
        "_ws.col.Protocol",
        "mrc.bth.rtx",
        "mrc.trimmed",
        "mrc.seth.cack_psn",
        "mrc.neth.nack_reason",
        "mrc.ev",
    ];
    let mut arguments = vec!["-X", &script, "-T", "fields", "-E", "separator=|"];
    arguments.extend(fields.iter().flat_map(|field| ["-e", field]));
    let whole = captured(&folder, "whole.pcapng", &[]);
    captured(&folder, "cut.pcapng", &["--snap", "200"]);
    for file in ["whole.pcapng", "cut.pcapng"] {
        let Some(lines) = tshark(TEST, &folder, file, &arguments) else {
            return;
        };
        if lines.iter().all(|line| line.starts_with("RRoCE")) {
            return skipped(TEST, "this tshark has no Lua");
        }
        assert_eq!(lines.len(), whole.packets.len());
        let mut retransmitted = 0;
        for (line, packet) in lines.iter().zip(&whole.packets) {
            let frame = Frame::parse(&packet.bytes).expect("a frame");
            retransmitted += usize::from(frame.base.rtx);
            let cack = match frame.body {
                Body::Sack(seth, _) => seth.cack_psn.to_string(),
                _ => String::new(),
            };
            let reason = match frame.body {
                Body::Nack(neth) => format!("0x{:02x}", neth.nack_reason.code()),
                _ => String::new(),
            };
            let trimmed = matches!(frame.body, Body::Trimmed(_));
            let found: Vec<String> = line.split('|').map(bool_as_digit).collect();
            let expected = [
                "MRC".to_owned(),
                u8::from(frame.base.rtx).to_string(),
                if trimmed { "1" } else { "" }.to_owned(),
                cack,
                reason,
                format!("0x{:08x}", frame.ev().0),
            ];
            assert_eq!(found, expected, "{line}");
        }
        assert!(retransmitted > 100);
    }
}

/// Later versions of tshark print booleans as words.
fn bool_as_digit(text: &str) -> String {
    match text {
        "True" => "1".into(),
        "False" => "0".into(),
        _ => text.into(),
    }
}

/// A marked and paused incast over hashed paths, with losses: data, ACKs, NAKs, CNPs, PAUSE and resume frames.
const ROCE: &str = r#"{
  "version": 1, "name": "stormy", "seed": 3, "until": "2ms",
  "fabric": { "planes": 1, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 3, "nic_link_rate": "100Gbps",
              "routing": "ecmp", "pfc": { "xoff": "60kB" }, "queue": { "trimming": false } },
  "transport": { "protocol": "roce", "roce": { "timeout": 5 } },
  "traffic": [ { "kind": "incast", "dst": 0, "senders": 5, "bytes": 500001 } ],
  "faults": [ { "at": "5us", "kind": "link_loss", "link": "p0/n5", "rate": 0.05 } ]
}"#;

/// Wireshark's own dissectors of RoCEv2 and PFC read every frame, and find each where the run counts one.
#[test]
fn tshark_reads_roce_and_pfc() {
    const TEST: &str = "tshark_reads_roce_and_pfc";
    for recovery in ["go_back_n", "selective_repeat"] {
        let folder = Folder::new();
        let scenario = ROCE.replace(
            "\"timeout\"",
            &format!("\"recovery\": \"{recovery}\", \"timeout\""),
        );
        folder.write("stormy.json", &scenario);
        folder
            .call(&["capture", "stormy.json", "--drops", "--out", "roce.pcapng"])
            .succeeds();
        let capture = read(&folder, "roce.pcapng");
        // The frame that was sent by a port is counted where it came to the far end: each CNP and NAK crosses the receiver's link once.
        let on_receiver = |packet: &&Captured| {
            let (name, _, _) = &capture.interfaces[packet.interface];
            name == "p0/n0" && packet.outbound && packet.comment.is_empty()
        };
        let frames = capture.packets.iter().filter(on_receiver);
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for packet in frames {
            let frame = RoceFrame::parse(&packet.bytes).expect("a RoCEv2 frame");
            let kind = match frame.body {
                RoceBody::Ack(aeth) if aeth.syndrome == RoceSyndrome::ACK => "acks",
                RoceBody::Ack(_) | RoceBody::SelectiveNak(..) => "naks",
                RoceBody::Cnp => "cnps",
                RoceBody::Write(..) => "data",
            };
            *counts.entry(kind).or_default() += 1;
        }
        let results = summary(&folder);
        for kind in ["acks", "naks", "cnps"] {
            let counted = of(&results["summary"]["roce"][kind]);
            assert_eq!(
                counts.get(kind).copied().unwrap_or(0),
                counted,
                "{recovery}: {kind}"
            );
            assert!(counted > 0, "{recovery}: {kind} occur");
        }
        let pauses = capture
            .packets
            .iter()
            .filter_map(|packet| PfcFrame::parse(&packet.bytes).ok());
        let pauses = pauses.filter(|frame| frame.times[3] == Some(0xffff)).count() as u64;
        assert_eq!(pauses, of(&results["summary"]["pfc"]["pauses"]), "{recovery}");
        assert!(pauses > 0);

        let fields = [
            "frame.protocols",
            "infiniband.bth.opcode",
            "infiniband.bth.psn",
            "infiniband.aeth.syndrome",
            "macc.opcode",
        ];
        let mut arguments = vec!["-T", "fields", "-E", "separator=|"];
        arguments.extend(fields.iter().flat_map(|field| ["-e", field]));
        let Some(lines) = tshark(TEST, &folder, "roce.pcapng", &arguments) else {
            return;
        };
        assert_eq!(lines.len(), capture.packets.len());
        for (line, packet) in lines.iter().zip(&capture.packets) {
            let expected = match RoceFrame::parse(&packet.bytes) {
                Ok(frame) => {
                    let syndrome = match frame.body {
                        RoceBody::Ack(aeth) | RoceBody::SelectiveNak(aeth, _) => {
                            aeth.syndrome.code().to_string()
                        }
                        _ => String::new(),
                    };
                    // A WRITE's payload is data to tshark.
                    let payload = match frame.body {
                        RoceBody::Write(..) => ":data",
                        _ => "",
                    };
                    format!(
                        "eth:ethertype:ip:udp:infiniband{payload}|{}|{}|{syndrome}|",
                        frame.opcode().code(),
                        frame.base.psn
                    )
                }
                Err(_) => "eth:ethertype:macc||||0x0101".to_owned(),
            };
            assert_eq!(*line, expected);
        }
        let bad = tshark(
            TEST,
            &folder,
            "roce.pcapng",
            &[
                "-o",
                "ip.check_checksum:TRUE",
                "-Y",
                "_ws.malformed || _ws.expert.severity >= 0x600000",
            ],
        );
        assert_eq!(bad, Some(Vec::new()), "{recovery}");
    }
}
