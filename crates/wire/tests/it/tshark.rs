//! What Wireshark makes of our captures: an independent reading of headers, lengths and pcapng.

use crate::samples::one_of_each;
use std::io::Write;
use std::process::Command;
use wire::pcapng::{Packet, Resolution, Writer};

/// Runs tshark on a capture of one frame of each kind; `None`, with the reason printed, where it is not installed.
fn tshark(test: &str, arguments: &[&str]) -> Option<Vec<String>> {
    let version = Command::new("tshark").arg("--version").output();
    if let Err(error) = version {
        // Not eprintln: the test runner would swallow it for a test that passes.
        let reason = format!("tshark::{test}: skipped, tshark cannot be run ({error})\n");
        std::io::stderr().write_all(reason.as_bytes()).unwrap();
        return None;
    }
    let mut writer = Writer::new(Vec::new(), "flowglass").unwrap();
    let ports = [
        writer
            .interface("p3 t0.0 → t1.17", Resolution::Picoseconds)
            .unwrap(),
        writer.interface("nic5 port 3", Resolution::Nanoseconds).unwrap(),
    ];
    for (i, (name, frame)) in one_of_each().iter().enumerate() {
        let bytes = frame.emit();
        let interface = ports[i % 2];
        let timestamp = if i % 2 == 0 {
            1_000_000_001_234
        } else {
            2_000_000_001
        };
        let packet = Packet {
            interface,
            timestamp,
            bytes: &bytes,
            original_len: bytes.len() as u32,
            comment: Some(name),
        };
        writer.packet(&packet).unwrap();
    }
    let path = std::env::temp_dir().join(format!("flowglass-wire-{}-{test}.pcapng", std::process::id()));
    std::fs::write(&path, writer.into_inner()).unwrap();
    let output = Command::new("tshark")
        .arg("-n")
        .arg("-r")
        .arg(&path)
        .args(arguments)
        .output()
        .unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect(),
    )
}

#[test]
fn fields_are_read_as_written() {
    let fields = [
        "frame.interface_name",
        "frame.time_epoch",
        "frame.comment",
        "eth.dst",
        "ipv6.dst",
        "ipv6.tclass.dscp",
        "ipv6.flow",
        "ipv6.plen",
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
    let Some(lines) = tshark("fields", &arguments) else {
        return;
    };
    let frames = one_of_each();
    assert_eq!(lines.len(), frames.len());
    for (i, ((name, frame), line)) in frames.iter().zip(&lines).enumerate() {
        let (port, time) = [("p3 t0.0 → t1.17", "1.000000001"), ("nic5 port 3", "2.000000001")][i % 2];
        let l3 = frame.l3_len();
        let label = frame.inner.flow_label.get();
        let expected = [
            port.to_string(),
            time.to_string(),
            name.to_string(),
            frame.link.dst.to_string(),
            format!("{},{}", frame.outer.dst, frame.inner.dst),
            format!("{},{}", frame.outer.dscp, frame.inner.dscp),
            format!("0x{label:06x},0x{label:06x}"),
            format!("{},{}", l3 - 40, l3 - 80),
            frame.src_port.to_string(),
            (l3 - 80).to_string(),
            frame.opcode().code().to_string(),
            [0, 3, 0, 3, 0, 0, 0, 0, 0, 0][i].to_string(),
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
    let Some(remarks) = tshark("remarks", &arguments) else {
        return;
    };
    let comments: Vec<String> = one_of_each()
        .iter()
        .map(|(name, _)| format!("RRoCE\t{name}"))
        .collect();
    assert_eq!(remarks, comments);
}
