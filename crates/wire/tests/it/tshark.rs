//! What Wireshark makes of our captures: an independent reading of headers, lengths and pcapng. With our dissector, what
//! follows the BTH too.

use crate::samples::one_of_each;
use crate::tenant::{ping_in_nvgre, syn_in_vxlan, udp_in_ip};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};
use wire::layout::describe;
use wire::pcapng::{Direction, Interface, Packet, Resolution, Writer};
use wire::{
    Aeth, Body, Eeth, EndpointOp, Erth, Frame, Header, Mark, NackReason, Neth, Reth, Seth, Syndrome, sizes,
};

/// Says why a test was skipped. Not eprintln: the test runner would swallow it for a test that passes.
fn skipped(test: &str, reason: &str) {
    let line = format!("tshark::{test}: skipped, {reason}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// A capture of one frame of each kind, on two interfaces in turn.
fn capture() -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), "flowglass").unwrap();
    let ports = [
        Interface {
            name: "p3 t0.0 → t1.17",
            resolution: Resolution::Picoseconds,
            ..Interface::default()
        },
        Interface {
            name: "nic5 port 3",
            bits_per_second: Some(100_000_000_000),
            ..Interface::default()
        },
    ];
    let ports = ports.map(|port| writer.interface(&port).unwrap());
    for (i, (name, frame)) in one_of_each().iter().enumerate() {
        let bytes = frame.emit();
        let packet = Packet {
            interface: ports[i % 2],
            timestamp: [1_000_000_001_234, 2_000_000_001][i % 2],
            bytes: &bytes,
            original_len: bytes.len() as u32,
            direction: Some([Direction::Inbound, Direction::Outbound][i % 2]),
            comment: Some(name),
        };
        writer.packet(&packet).unwrap();
    }
    writer.into_inner()
}

/// Runs tshark on a capture; `None`, with the reason printed, where it is not installed.
fn run(test: &str, capture: &[u8], arguments: &[&str]) -> Option<Output> {
    let path = std::env::temp_dir().join(format!("flowglass-wire-{}-{test}.pcapng", std::process::id()));
    std::fs::write(&path, capture).unwrap();
    let output = Command::new("tshark")
        .arg("-n")
        .arg("-r")
        .arg(&path)
        .args(arguments)
        .output();
    std::fs::remove_file(&path).unwrap();
    match output {
        Ok(output) => Some(output),
        Err(error) => {
            skipped(test, &format!("tshark cannot be run ({error})"));
            None
        }
    }
}

/// The lines that tshark prints, if it is installed.
fn tshark(test: &str, capture: &[u8], arguments: &[&str]) -> Option<Vec<String>> {
    let output = run(test, capture, arguments)?;
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaints}");
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(str::to_owned).collect())
}

/// Wireshark finds tenants' headers where they are and every checksum right.
#[test]
fn tenants_frames_are_read_as_written() {
    let mut writer = Writer::new(Vec::new(), "flowglass").unwrap();
    let interface = writer.interface(&Interface::default()).unwrap();
    for frame in [syn_in_vxlan(), ping_in_nvgre(), udp_in_ip()] {
        let bytes = frame.emit().unwrap();
        let packet = Packet {
            interface,
            timestamp: 0,
            bytes: &bytes,
            original_len: bytes.len() as u32,
            direction: None,
            comment: None,
        };
        writer.packet(&packet).unwrap();
    }
    let capture = writer.into_inner();
    let mut arguments = vec!["-T", "fields", "-E", "separator=|"];
    for option in [
        "ip.check_checksum:TRUE",
        "tcp.check_checksum:TRUE",
        "udp.check_checksum:TRUE",
    ] {
        arguments.extend(["-o", option]);
    }
    let fields = [
        "frame.protocols",
        "ip.checksum.status",
        "tcp.checksum.status",
        "udp.checksum.status",
        "icmp.checksum.status",
        "ip.dst",
        "ipv6.dst",
        "vxlan.vni",
        "gre.key",
        "vlan.id",
        "tcp.flags",
    ];
    arguments.extend(fields.iter().flat_map(|field| ["-e", field]));
    let Some(lines) = tshark("tenants", &capture, &arguments) else {
        return;
    };
    // Status 1 is good, 3 that there is none (the outer UDP's). The GRE key is VSID and FlowID together, and port 53 is DNS's.
    assert_eq!(
        lines,
        [
            "eth:ethertype:ip:udp:vxlan:eth:ethertype:ip:tcp|1,1|1|3||100.64.0.2,10.1.0.5||66051|||0x0002",
            "eth:ethertype:ip:gre:eth:ethertype:ip:icmp:data|1,1|||1|100.64.0.2,10.0.0.2|||0x01020344||",
            "eth:ethertype:vlan:ethertype:ip:ipv6:udp:dns|1||1||100.64.0.2|::2|||100|",
        ]
    );
}

#[test]
fn fields_are_read_as_written() {
    let fields = [
        "frame.interface_name",
        "frame.time_epoch",
        "frame.comment",
        "frame.packet_flags_direction",
        "eth.dst",
        "ipv6.dst",
        "ipv6.tclass.dscp",
        "ipv6.flow",
        "ipv6.plen",
        "ipv6.routing.type",
        "ipv6.routing.segleft",
        "ipv6.routing.srh.addr",
        "udp.srcport",
        "udp.length",
        "infiniband.bth.opcode",
        "infiniband.bth.padcnt",
        "infiniband.bth.p_key",
        "infiniband.bth.destqp",
        "infiniband.bth.a",
        "infiniband.bth.psn",
    ];
    let mut arguments = vec!["-T", "fields", "-E", "separator=|"];
    arguments.extend(fields.iter().flat_map(|field| ["-e", field]));
    let Some(lines) = tshark("fields", &capture(), &arguments) else {
        return;
    };
    let frames = one_of_each();
    assert_eq!(lines.len(), frames.len());
    for (i, ((name, frame), line)) in frames.iter().zip(&lines).enumerate() {
        let (port, time) = [("p3 t0.0 → t1.17", "1.000000001"), ("nic5 port 3", "2.000000001")][i % 2];
        let l3 = frame.l3_len();
        let srh = if frame.srh.is_some() { sizes::SRH } else { 0 };
        let label = frame.inner.flow_label.get();
        let expected = [
            port.to_string(),
            time.to_string(),
            name.to_string(),
            ["0x00000001", "0x00000002"][i % 2].to_string(),
            frame.link.dst.to_string(),
            format!("{},{}", frame.outer.dst, frame.inner.dst),
            format!("{},{}", frame.outer.dscp, frame.inner.dscp),
            format!("0x{label:06x},0x{label:06x}"),
            format!("{},{}", l3 - 40, l3 - 80 - srh),
            frame.srh.map_or(String::new(), |_| "4".into()),
            frame
                .srh
                .map_or(String::new(), |list| list.left.code().to_string()),
            frame.srh.map_or(String::new(), |list| list.segment.to_string()),
            frame.src_port.to_string(),
            (l3 - 80 - srh).to_string(),
            frame.opcode().code().to_string(),
            if name.contains("last") { "3" } else { "0" }.to_string(),
            frame.base.p_key.to_string(),
            format!("0x{:06x}", frame.base.dest_qp.get()),
            "1".to_string(),
            frame.base.psn.to_string(),
        ];
        let read: Vec<&str> = line.split('|').collect();
        for ((field, read), expected) in fields.iter().zip(&read).zip(&expected) {
            assert_eq!(read, expected, "{name}: {field}");
        }
        assert_eq!(read.len(), expected.len());
    }
}

/// Wireshark has nothing to remark but our own comments, once told that UDP without a checksum is meant
/// (RoCEv2); a trimmed packet whose lengths were not rewritten would be remarked here.
#[test]
fn nothing_is_called_malformed() {
    let preference = "udp.ignore_ipv6_zero_checksum:TRUE";
    let arguments = [
        "-o",
        preference,
        "-T",
        "fields",
        "-e",
        "_ws.col.Protocol",
        "-e",
        "_ws.expert.message",
    ];
    let Some(remarks) = tshark("remarks", &capture(), &arguments) else {
        return;
    };
    let comments: Vec<String> = one_of_each()
        .iter()
        .map(|(name, _)| format!("RRoCE\t{name}"))
        .collect();
    assert_eq!(remarks, comments);
}

/// The dissector's file.
fn dissector() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/wireshark/mrc.lua");
    format!("lua_script:{}", path.display())
}

/// Runs tshark with our dissector; `None`, with the reason printed, where it has no Lua.
fn with_dissector(test: &str, capture: &[u8], arguments: &[&str]) -> Option<Vec<String>> {
    let version = run(test, capture, &["--version"])?;
    if !String::from_utf8_lossy(&version.stdout).contains("with Lua") {
        skipped(test, "this tshark has no Lua");
        return None;
    }
    let script = dissector();
    tshark(test, capture, &[&["-X", &script], arguments].concat())
}

/// A field as the inspector has it: its name for the dissector, and its value.
struct Expected {
    frame: usize,
    field: String,
    value: i64,
}

/// Every field of every MRC header in these frames, as [`describe`] finds it; reserved ones left out.
fn expected(frames: &[Vec<u8>]) -> Vec<Expected> {
    const HEADERS: [&str; 12] = [
        "BTH", "METH", "TSETH", "RETH", "ImmDt", "AETH", "SETH", "CC_STATE", "NETH", "PETH", "ERTH", "EETH",
    ];
    const SIGNED: [&str; 2] = ["ack_psn_offset", "sack_offset"];
    let mut all = Vec::new();
    for (number, bytes) in frames.iter().enumerate() {
        for view in describe(bytes) {
            let header = view.name.trim_end_matches(", cut by trimming");
            if !HEADERS.contains(&header) {
                continue;
            }
            for field in view.fields.iter().filter(|field| field.name != "reserved") {
                let whole = Reth::FIELDS.iter().find(|whole| whole.name == field.name);
                if header == "RETH"
                    && whole.is_some_and(|whole| (whole.hi - whole.lo) as usize > field.bit_len)
                {
                    continue;
                }
                let bits = field.bit_offset..field.bit_offset + field.bit_len;
                let raw = bits.fold(0u64, |raw, bit| {
                    raw << 1 | u64::from(bytes[bit / 8] >> (7 - bit % 8) & 1)
                });
                let value = if SIGNED.contains(&field.name) {
                    i64::from(raw as u16 as i16)
                } else {
                    raw as i64
                };
                all.push(Expected {
                    frame: number,
                    field: format!("mrc.{}.{}", header.to_lowercase(), field.name),
                    value,
                });
            }
        }
    }
    all
}

/// A field's value as tshark prints it, whatever the base.
fn number(text: &str) -> i64 {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).map(|value| value as i64),
        None => match text {
            "True" => Ok(1),
            "False" => Ok(0),
            _ => text.parse(),
        },
    };
    parsed.unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

/// The dissector's tables are those of this crate: each field of each header has its name and value there, and there is
/// no other.
#[test]
fn the_dissector_reads_every_field_as_the_inspector_does() {
    let frames: Vec<Vec<u8>> = one_of_each().iter().map(|(_, frame)| frame.emit()).collect();
    let expected = expected(&frames);
    let mut fields: Vec<&str> = expected.iter().map(|one| one.field.as_str()).collect();
    fields.sort_unstable();
    fields.dedup();
    let mut arguments = vec!["-T", "fields", "-E", "separator=|"];
    arguments.extend(fields.iter().flat_map(|field| ["-e", field]));
    let Some(lines) = with_dissector("dissector", &capture(), &arguments) else {
        return;
    };
    assert_eq!(lines.len(), frames.len());
    for (frame, line) in lines.iter().enumerate() {
        let read: Vec<&str> = line.split('|').collect();
        assert_eq!(read.len(), fields.len(), "{line}");
        for (field, read) in fields.iter().zip(read) {
            let wanted = expected
                .iter()
                .find(|one| one.frame == frame && one.field == *field);
            let read = (!read.is_empty()).then(|| number(read));
            assert_eq!(
                read,
                wanted.map(|one| one.value),
                "{}: {field}",
                one_of_each()[frame].0
            );
        }
    }
    // tshark wants -G before everything else.
    let known = Command::new("tshark")
        .args(["-G", "fields", "-X", &dissector()])
        .output()
        .unwrap();
    let known = String::from_utf8(known.stdout).unwrap();
    let headers: Vec<String> = fields
        .iter()
        .map(|field| field[..field.rfind('.').unwrap() + 1].to_owned())
        .collect();
    let computed = ["mrc.seth.ack_psn", "mrc.seth.bitmap_base"];
    let known: Vec<&str> = known
        .lines()
        .filter_map(|line| line.split('\t').nth(2))
        .filter(|name| headers.iter().any(|header| name.starts_with(header.as_str())))
        .filter(|name| !computed.contains(name))
        .collect();
    assert!(known.len() >= fields.len(), "{known:?}");
    for name in known {
        assert!(fields.contains(&name), "{name} is in no header");
    }
}

/// What the dissector works out, says in the packet list and remarks. Values by hand from the samples.
#[test]
fn the_dissector_explains() {
    let arguments = [
        "-o",
        "udp.ignore_ipv6_zero_checksum:TRUE",
        "-T",
        "fields",
        "-E",
        "separator=|",
        "-e",
        "_ws.col.Protocol",
        "-e",
        "mrc.ev",
        "-e",
        "_ws.col.Info",
        "-e",
        "mrc.trimmed",
        "-e",
        "mrc.cut",
        "-e",
        "mrc.payload_len",
        "-e",
        "mrc.seth.ack_psn",
        "-e",
        "mrc.seth.bitmap_base",
        "-e",
        "_ws.expert.message",
    ];
    let Some(lines) = with_dissector("explains", &capture(), &arguments) else {
        return;
    };
    let (place, trimmed) = ("QP=0x012345 PSN=11259375", "Trimmed by a switch");
    let explained = [
        format!("WRITE Middle {place}, 4096 bytes|||4096|||data"),
        format!("WRITE Last with immediate {place}, 13 bytes|||13|||last with immediate"),
        // Behind the TSETH 6 bytes of the address are left, without it the address and 2 bytes of the key.
        format!("WRITE Middle [trimmed] {place}|1|00007f000000||||trimmed,{trimmed}"),
        format!("WRITE Last with immediate [trimmed] {place}|1|0000||||trimmed at the last hop,{trimmed}"),
        format!("ACK {place}, ACK MSN=7||||||ack"),
        // The cumulative PSN is 100, the offsets are 3 and 1.
        format!("SACK {place}, CACK=100 for PSN=103 SKIP_ONCE||||103|101|sack,SKIP_ONCE"),
        format!("NACK {place}, TRIMMED PSN=104||||||nack,TRIMMED"),
        format!("PROBE_REQ {place}||||||probe request"),
        format!("ENDPOINT_REQUEST {place}, EV_PROBE||||||endpoint request"),
        format!("ENDPOINT_RESPONSE {place}, EV_PROBE||||||endpoint response"),
        format!("ACK {place}, NAK_TOO_MANY_WIMM MSN=66051||||||nak,NAK_TOO_MANY_WIMM"),
        format!("ENDPOINT_REQUEST {place}, PORT_STATUS_UPDATE||||||port status update"),
        format!("WRITE Middle {place}, 4096 bytes|||4096|||data with a segment list"),
        format!("WRITE Middle [trimmed] {place}|1|00007f000000||||trimmed with a segment list,{trimmed}"),
        format!("SACK {place}, CACK=100 for PSN=103 SKIP_ONCE||||103|101|sack over eight switches,SKIP_ONCE"),
    ];
    // The samples' EV: flow label 3, source port 0x11.
    let explained: Vec<String> = explained
        .iter()
        .map(|rest| format!("MRC|0x00030011|{rest}"))
        .collect();
    assert_eq!(lines, explained);
}

/// A capture that keeps the first bytes of a packet only is not taken for a trimmed packet, nor for a broken one; another
/// protocol's packets and RoCEv2's own are left alone.
#[test]
fn the_dissector_knows_what_it_does_not_see() {
    let frames = one_of_each();
    let data = frames[0].1.emit();
    let sack = frames[5].1.emit();
    let mut rc_write = data.clone();
    rc_write[102] = 0x0a;
    let mut other_port = data.clone();
    other_port[97] = 0;
    // A SACK by its opcode, but with a NACK's 20 bytes behind the BTH.
    let mut short = frames[6].1.emit();
    short[102] = 0xdc;
    let mut writer = Writer::new(Vec::new(), "flowglass").unwrap();
    let interface = writer.interface(&Interface::default()).unwrap();
    for (bytes, original) in [
        (&data[..120], data.len()),
        (&data[..108], data.len()),
        (&sack[..130], sack.len()),
        (&rc_write, data.len()),
        (&other_port, data.len()),
        (&short, short.len()),
    ] {
        let packet = Packet {
            interface,
            timestamp: 0,
            bytes,
            original_len: original as u32,
            direction: None,
            comment: None,
        };
        writer.packet(&packet).unwrap();
    }
    let arguments = [
        "-o",
        "udp.ignore_ipv6_zero_checksum:TRUE",
        "-T",
        "fields",
        "-E",
        "separator=|",
        "-e",
        "_ws.col.Protocol",
        "-e",
        "mrc.trimmed",
        "-e",
        "mrc.meth.msn",
        "-e",
        "mrc.seth.cack_psn",
        "-e",
        "_ws.expert.message",
    ];
    let Some(lines) = with_dissector("unseen", &writer.into_inner(), &arguments) else {
        return;
    };
    assert_eq!(
        lines,
        [
            "MRC||7||",
            "RRoCE||||",
            "MRC|||100|",
            "RRoCE||||",
            "UDP||||",
            "MRC|||104|Packet ends inside a header",
        ]
    );
}

/// The dissector never fails, wherever a packet ends or is cut by the capture.
#[test]
fn the_dissector_bears_any_length() {
    let mut writer = Writer::new(Vec::new(), "flowglass").unwrap();
    let interface = writer.interface(&Interface::default()).unwrap();
    let mut packets = 0;
    for (_, frame) in one_of_each() {
        let whole = frame.emit();
        for len in 90..whole.len().min(240) {
            let mut ended = whole[..len].to_vec();
            let srh = if frame.srh.is_some() { sizes::SRH } else { 0 };
            // The lengths of the IPv6 headers and of UDP, where they are whole.
            for (at, rest) in [(18, 54), (58 + srh, 94 + srh), (98 + srh, 94 + srh)] {
                if at + 2 <= len {
                    ended[at..at + 2].copy_from_slice(&(len.saturating_sub(rest) as u16).to_be_bytes());
                }
            }
            for (bytes, original) in [(&whole[..len], whole.len()), (&ended, len)] {
                let packet = Packet {
                    interface,
                    timestamp: 0,
                    bytes,
                    original_len: original as u32,
                    direction: None,
                    comment: None,
                };
                writer.packet(&packet).unwrap();
                packets += 1;
            }
        }
    }
    let arguments = ["-V"];
    let Some(lines) = with_dissector("lengths", &writer.into_inner(), &arguments) else {
        return;
    };
    let count = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
    assert_eq!(count("Frame Number: "), packets);
    // Most of them are long enough for a BTH.
    assert!(count("Multipath Reliable Connection, ") > packets / 2);
    assert_eq!(count("Lua Error"), 0);
}

/// The dissector knows every code that this crate knows, by the same name.
#[test]
fn the_dissector_names_every_code() {
    let frames = one_of_each();
    let mut cases: Vec<(Frame, String)> = Vec::new();
    let mut add = |frame: &Frame, body: Body, name: String| cases.push((Frame { body, ..*frame }, name));
    for (_, frame) in &frames {
        match frame.body {
            Body::Ack(aeth) => {
                for &syndrome in Syndrome::ALL {
                    add(
                        frame,
                        Body::Ack(Aeth { syndrome, ..aeth }),
                        format!("{syndrome} MSN="),
                    );
                }
            }
            Body::Sack(seth, cc_state) => {
                for &m in Mark::ALL.iter().filter(|&&m| m != Mark::None) {
                    add(frame, Body::Sack(Seth { m, ..seth }, cc_state), format!(" {m}"));
                }
            }
            Body::Nack(neth) => {
                for &nack_reason in NackReason::ALL {
                    let body = Body::Nack(Neth { nack_reason, ..neth });
                    add(frame, body, format!(", {nack_reason} PSN="));
                }
            }
            Body::EndpointRequest(erth) => {
                for &op in EndpointOp::ALL {
                    add(
                        frame,
                        Body::EndpointRequest(Erth { op, ..erth }),
                        format!(", {op}"),
                    );
                }
            }
            Body::EndpointResponse(eeth) => {
                for &op in EndpointOp::ALL {
                    add(
                        frame,
                        Body::EndpointResponse(Eeth { op, ..eeth }),
                        format!(", {op}"),
                    );
                }
            }
            _ => {}
        }
    }
    let mut writer = Writer::new(Vec::new(), "flowglass").unwrap();
    let interface = writer.interface(&Interface::default()).unwrap();
    for (frame, _) in &cases {
        let bytes = frame.emit();
        let packet = Packet {
            interface,
            timestamp: 0,
            bytes: &bytes,
            original_len: bytes.len() as u32,
            direction: None,
            comment: None,
        };
        writer.packet(&packet).unwrap();
    }
    let arguments = ["-T", "fields", "-e", "_ws.col.Info"];
    let Some(lines) = with_dissector("codes", &writer.into_inner(), &arguments) else {
        return;
    };
    assert_eq!(lines.len(), cases.len());
    for (line, (_, name)) in lines.iter().zip(&cases) {
        assert!(line.contains(name.as_str()), "{name:?} is not in {line:?}");
    }
}
