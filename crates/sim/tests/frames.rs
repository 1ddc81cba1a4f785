//! Every packet in the fabric can be shown as the frame that it stands for, of exactly its size.

mod common;

use common::scenario;
use fabric::packet::flags;
use fabric::{PacketKind, usid};
use kernel::Time;
use sim::Sim;
use std::collections::BTreeSet;
use wire::{Body, Ev, Frame, PfcFrame, RoceBody, RoceFrame};

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
        "the run shows every kind but Clustermapper's probes"
    );
}

/// The form of Clustermapper's probes is ours: an EV probe to oneself, with the switch where it turns round as its EV.
#[test]
fn probes_of_clustermapper_go_there_and_back() {
    let mut sim = Sim::new(&scenario(
        r#""until": "1ms",
        "fabric": {"planes": 2, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100Gbps"},
        "clustermapper": {"interval": "20us"},
        "traffic": [{"kind": "flow", "src": 0, "dst": 3, "bytes": 1, "start": "900us"}]"#,
    ))
    .expect("valid");
    let clos = sim.network().config().clos;
    let (mut turned_at_t0, mut turned_at_t1) = (0, 0);
    for step in 1..800u64 {
        sim.run_until(Time(step * 1_000_003));
        sim.settle();
        for link in 0..clos.links() {
            sim.packets_on(link, |_, packet, _| {
                assert_eq!(packet.kind, PacketKind::MapperProbe, "there is nothing else");
                let nic = packet.agent().expect("the NIC that sent it");
                assert_eq!(sim.endpoints(packet), (nic, nic));
                let path = sim.path_of(link, packet);
                let plane = clos.describe(link).plane;
                assert_eq!(path.first(), Some(&clos.nic_up(plane, nic)));
                assert_eq!(path.last(), Some(&clos.nic_down(plane, nic)));
                let hop = path.iter().position(|&l| l == link).expect("it is on its path");
                let possible = sim.probed_links(nic);
                assert!(path.iter().all(|link| possible.binary_search(link).is_ok()));
                let frame = sim.frame(link, packet).expect("an MRC frame");
                assert_eq!(frame.wire_len(), usize::from(packet.size));
                assert_eq!(frame.base.psn.get(), packet.psn);
                assert_eq!(Frame::parse(&frame.emit()).as_ref(), Ok(&frame));
                assert_eq!(frame.inner.src, frame.inner.dst);
                assert_eq!(frame.outer.hop_limit, 64 - hop as u8);
                assert_eq!(frame.base.dest_qp, wire::ENDPOINT_QPN);
                let end = clos.describe(path[path.len() / 2 - 1]);
                let tier = if path.len() == 2 { usid::T0 } else { usid::T1 };
                let turn = usid::usid(plane, tier, end.upper);
                assert_eq!(
                    frame.outer.flow_label,
                    Ev(u32::from(turn) << 16 | 0xc000).flow_label()
                );
                turned_at_t0 += u32::from(path.len() == 2);
                turned_at_t1 += u32::from(path.len() == 4);
            });
        }
    }
    assert!(
        turned_at_t0 > 100 && turned_at_t1 > 100,
        "{turned_at_t0}, {turned_at_t1}"
    );
    assert!(sim.probed_links(clos.nics()).is_empty(), "no such NIC");
}

/// RoCEv2's packets and PAUSE frames are as long as the simulator counts them, and say what they carry.
#[test]
fn roce_s_bytes_are_the_packets() {
    for recovery in ["go_back_n", "selective_repeat"] {
        let mut sim = Sim::new(&scenario(
            &r#""until": "1ms",
            "fabric": {"planes": 1, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 3, "nic_link_rate": "100Gbps",
                       "routing": "ecmp", "pfc": {"xoff": "60kB"}},
            "transport": {"protocol": "roce", "roce": {"recovery": "RECOVERY", "timeout": 5}},
            "traffic": [{"kind": "incast", "dst": 0, "senders": 5, "bytes": 300001}],
            "faults": [{"at": "5us", "kind": "link_loss", "link": "p0/n5", "rate": 0.05}]"#
                .replace("RECOVERY", recovery),
        ))
        .expect("valid");
        let mut seen = BTreeSet::new();
        for step in 1..2_000u64 {
            sim.run_until(Time(step * 150_001));
            sim.settle();
            for link in 0..sim.network().config().clos.links() {
                sim.packets_on(link, |_, packet, _| {
                    let bytes = sim.bytes(link, packet).expect("it has a form");
                    // Preamble, gap and FCS are on the wire only.
                    assert_eq!(bytes.len() + 24, usize::from(packet.size), "{packet:?}");
                    if packet.kind == PacketKind::Pause {
                        let frame = PfcFrame::parse(&bytes).expect("a PFC frame");
                        assert_eq!(frame.times[3].map(u32::from), Some(packet.psn));
                        seen.insert("pause");
                        return;
                    }
                    let frame = RoceFrame::parse(&bytes).expect("a RoCEv2 frame");
                    assert_eq!(frame.src_port, packet.ev);
                    let psn = frame.base.psn.get();
                    match frame.body {
                        RoceBody::Write(_, payload) => {
                            assert_eq!((psn, payload.len()), (packet.psn, usize::from(packet.payload)));
                            seen.insert("data");
                        }
                        RoceBody::Ack(aeth) => {
                            assert_eq!((psn, aeth.syndrome.code()), (packet.psn, packet.reason));
                            // 300,001 bytes are 74 packets of 4096: the message is complete with the last one.
                            assert_eq!(aeth.msn.get(), u32::from(packet.reason == 0x1f && psn == 73));
                            seen.insert(if packet.reason == 0x1f { "ack" } else { "nak" });
                        }
                        RoceBody::SelectiveNak(aeth, arrived) => {
                            assert_eq!((psn, aeth.syndrome.code()), (packet.psn, 0x60));
                            assert_eq!(u64::from(arrived.get()), packet.bitmap);
                            seen.insert("nak");
                        }
                        RoceBody::Cnp => {
                            assert_eq!(psn, 0);
                            seen.insert("cnp");
                        }
                    }
                });
            }
        }
        let kinds: Vec<_> = seen.into_iter().collect();
        assert_eq!(kinds, ["ack", "cnp", "data", "nak", "pause"], "{recovery}");
    }
}
