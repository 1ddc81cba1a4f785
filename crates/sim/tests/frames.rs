//! Every packet in the fabric can be shown as the frame that it stands for, of exactly its size.

mod common;

use common::scenario;
use fabric::PacketKind;
use fabric::packet::flags;
use kernel::Time;
use sim::Sim;
use std::collections::BTreeSet;
use wire::{Body, Frame};

#[test]
fn frames_are_the_packets() {
    let mut sim = Sim::new(&scenario(
        r#""until": "3ms",
        "fabric": {"planes": 2, "t0_per_plane": 4, "t1_per_plane": 2, "nics_per_t0": 4, "nic_link_rate": "100Gbps"},
        "transport": {"evs": 8, "probe_interval": "20us", "port_detect": "10us"},
        "traffic": [{"kind": "permutation", "shift": 5, "bytes": 1000001},
                    {"kind": "incast", "dst": 0, "senders": 12, "bytes": 400001}],
        "faults": [{"at": "30us", "kind": "link_down", "link": "p1/t0.0-t1.1"},
                   {"at": "70us", "kind": "link_up", "link": "p1/t0.0-t1.1"},
                   {"at": "100us", "kind": "nic_port_down", "nic": 3, "plane": 0, "duration": "80us"},
                   {"at": "100us", "kind": "nic_refuses", "nic": 7, "rate": 0.1, "reason": "no_bitmap"},
                   {"at": "100us", "kind": "link_loss", "link": "p1/n9", "rate": 0.3}]"#,
    ))
    .expect("valid");
    let mut seen = BTreeSet::new();
    for step in 1..400u64 {
        sim.run_until(Time(step * 1_000_003));
        sim.settle();
        for link in 0..sim.network().config().clos.links() {
            sim.packets_on(link, |_, packet, _| {
                let frame = sim.frame(link, packet).expect("an MRC frame");
                assert_eq!(frame.wire_len(), usize::from(packet.size), "{packet:?}");
                // An ACK speaks of a message, a reliability probe's number stands in its own header.
                if !matches!(packet.kind, PacketKind::Ack | PacketKind::AckProbe) {
                    assert_eq!(frame.base.psn.get(), packet.psn);
                }
                let bytes = frame.emit();
                assert_eq!(Frame::parse(&bytes).as_ref(), Ok(&frame));
                let trimmed = packet.kind == PacketKind::Data && packet.has(flags::TRIMMED);
                assert_eq!(matches!(frame.body, Body::Trimmed(_)), trimmed);
                if let Body::Sack(seth, _) = frame.body {
                    // The PSN that triggered it has arrived: it is below the cumulative one or its bit is set.
                    let behind = seth.ack_psn().get().wrapping_sub(seth.cack_psn.get()) & 0xff_ffff;
                    let bit = seth.ack_psn().get().wrapping_sub(seth.bitmap_base().get()) & 0xff_ffff;
                    assert!(
                        behind == 0 || behind > 1 << 23 || (bit < 64 && seth.sack_bitmap >> bit & 1 == 1)
                    );
                }
                seen.insert((packet.kind, trimmed));
            });
        }
    }
    let kinds: Vec<_> = seen.into_iter().collect();
    assert_eq!(
        kinds,
        [
            (PacketKind::Data, false),
            (PacketKind::Data, true),
            (PacketKind::Sack, false),
            (PacketKind::Nack, false),
            (PacketKind::Probe, false),
            (PacketKind::ProbeReply, false),
            (PacketKind::Ack, false),
            (PacketKind::AckProbe, false),
            (PacketKind::PortStatus, false),
            (PacketKind::PortStatusReply, false),
        ],
        "the run shows every kind"
    );
}
