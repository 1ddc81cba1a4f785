//! What the page is told of the third tier.

use super::tests::{advance, frame, inject, loaded_with, report};
use super::*;
use fabric::{Clos, LinkKind};
use std::collections::BTreeSet;
use view::frame::{Ailing, ailment};
use view::inspect::{Detail, EvState, PacketRef};
use view::layout::Row;
use view::{Grouping, Level};

/// Two pods of two T0s and two T1s; each T1 has links to two of the four T2s. All traffic goes between the pods.
const SMALL: &str = r#"{
    "version": 1, "until": "5ms",
    "fabric": {
        "planes": 2, "pods": 2, "t0_per_plane": 4, "t1_per_plane": 4, "t2_per_plane": 4, "nics_per_t0": 2,
        "nic_link_rate": "100Gbps"
    },
    "transport": { "evs": 16, "probe_interval": "10us" },
    "traffic": [ { "kind": "permutation", "shift": 4, "bytes": "20MB" } ]
}"#;

/// The paper's 64 pods of 32 T0s and 32 T1s with 1,024 T2s, with four NICs a T0 instead of 32: what T2s do is the same.
const LARGE: &str = r#"{
    "version": 1, "until": "1ms",
    "fabric": {
        "planes": 1, "pods": 64, "t0_per_plane": 2048, "t1_per_plane": 2048, "t2_per_plane": 1024, "nics_per_t0": 4,
        "nic_link_rate": "100Gbps"
    },
    "transport": { "evs": 16 },
    "traffic": [ { "kind": "incast", "dst": 5000, "senders": 12, "bytes": "1MB" } ],
    "faults": [
        { "at": "1us", "kind": "link_down", "link": "p0/t1.41-t2.300" },
        { "at": "1us", "kind": "switch_down", "switch": "p0/t2.1023" }
    ]
}"#;

fn load(json: &str) -> (Session, Clos) {
    let (session, _) = loaded_with(serde_json::from_str(json).unwrap());
    let clos = session.run.as_ref().expect("a run").sim.network().config().clos;
    (session, clos)
}

fn detail_of(session: &mut Session, target: Target, at_ps: u64) -> Option<Detail> {
    session.handle(ToWorker::Watch { target: Some(target) }, || 0.0);
    report(&advance(session, at_ps)).detail.clone()
}

#[test]
fn packets_are_seen_on_links_to_t2s_and_take_six_hops() {
    let (mut session, clos) = load(SMALL);
    let seen = frame(&advance(&mut session, 6_000_000));
    let kinds: BTreeSet<LinkKind> = seen.packets.iter().map(|p| clos.describe(p.edge).kind).collect();
    assert!(LinkKind::ALL.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    let core = clos.links_of_kind(LinkKind::CoreUp);
    assert!(
        core.into_iter()
            .any(|link| seen.edge(link).expect("drawn").load > 0)
    );
    let on_core = |p: &&view::frame::Packet| clos.describe(p.edge).kind == LinkKind::CoreDown;
    let packet = seen.packets.iter().find(on_core).expect("a packet from a T2");
    let target = Target::Packet(PacketRef::from(packet));
    let Some(Detail::Packet(packet)) = detail_of(&mut session, target, 6_000_000) else {
        panic!("no packet");
    };
    assert_eq!(
        packet.path.len(),
        7,
        "NIC, T0, T1, T2, T1, T0, NIC: {:?}",
        packet.path
    );
    assert!(packet.path[3].node.starts_with("p"), "{:?}", packet.path);
    assert!(packet.path[3].node.contains("/t2."), "{:?}", packet.path);
    assert_eq!(packet.hop, 4, "it is moving to the fourth node after its sender");
    let link = packet.path[4].link.expect("the cable from the T2").to_string();
    assert!(link.contains("-t2."), "{link}");

    // The address at each hop is the one before without its first uSID; at this hop it is the one in the frame, whose outer
    // destination begins after 14 + 24 bytes (Ethernet; RFC 8200) with 4 bytes of locator block.
    let values = |hop: usize| -> Vec<u16> { packet.path[hop].usids.iter().map(|usid| usid.value).collect() };
    assert!(packet.path[0].usids.is_empty(), "nothing leads to the sender");
    assert_eq!(values(1).len(), 6, "T0, T1, T2, T1, T0 and the downlink");
    for hop in 2..packet.path.len() {
        assert_eq!(values(hop), values(hop - 1)[1..], "hop {hop}");
    }
    let usids = packet.bytes[14 + 24 + 4..14 + 24 + 16].chunks(2);
    let in_frame: Vec<u16> = usids.map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    let now = values(packet.hop as usize);
    assert_eq!(in_frame[..now.len()], now);
    assert!(
        in_frame[now.len()..].iter().all(|&usid| usid == 0),
        "{in_frame:x?}"
    );
    for hop in 1..packet.path.len() - 1 {
        assert_eq!(
            packet.path[hop].usids[0].names, packet.path[hop].node,
            "the active one names the next node"
        );
    }
}

#[test]
fn t2s_and_their_links_can_be_inspected_and_broken() {
    let (mut session, _) = load(SMALL);
    let link = Target::Link("p0/t1.3-t2.2".parse().unwrap());
    let Some(Detail::Link(link)) = detail_of(&mut session, link, 2_000_000) else {
        panic!("no link");
    };
    assert_eq!(
        [&link.directions[0].from, &link.directions[0].to],
        ["p0/t1.3", "p0/t2.2"]
    );
    let switch = Target::Switch("p0/t2.1".parse().unwrap());
    let Some(Detail::Switch(switch)) = detail_of(&mut session, switch, 2_000_000) else {
        panic!("no switch");
    };
    assert_eq!(switch.port_count, 2, "one T1 of each pod");

    let bad = |session: &mut Session, at_ps| match detail_of(session, Target::Qp(0), at_ps) {
        Some(Detail::Qp(qp)) => {
            assert!(qp.evs.iter().all(|ev| ev.is_t2 && ev.t1 < 4));
            let bad = qp.evs.iter().filter(|ev| ev.state == EvState::AssumedBad);
            bad.map(|ev| (ev.plane, ev.t1)).collect::<BTreeSet<_>>()
        }
        other => panic!("{other:?}"),
    };
    assert!(bad(&mut session, 10_000_000).is_empty());
    inject(&mut session, r#"{ "kind": "link_down", "link": "p0/t1.3-t2.2" }"#);
    inject(&mut session, r#"{ "kind": "switch_down", "switch": "p0/t2.1" }"#);
    let lost = bad(&mut session, 200_000_000);
    assert!(lost.is_superset(&[(0, 1), (0, 2)].into()), "{lost:?}");
    assert!(lost.iter().all(|&(plane, _)| plane == 0), "{lost:?}");
    let dead = Ailing {
        plane: 0,
        tier: 2,
        what: ailment::DEAD,
        index: 1,
    };
    assert_eq!(frame(&advance(&mut session, 200_000_000)).ailing, [dead]);
}

#[test]
fn of_many_t2s_groups_are_told_with_their_links_and_faults() {
    let (mut session, clos) = load(LARGE);
    let grouping = Grouping::new(clos);
    let shown = *grouping.shown();
    let seen = frame(&advance(&mut session, 4_000_000));
    assert_eq!(seen.edges.len() as u32, shown.links());
    let broken = grouping.edge(clos.core_up(0, 41, 300));
    for edge in [broken, shown.reverse(broken)] {
        assert_eq!(seen.edge(edge).expect("drawn").state, view::frame::state::DOWN);
    }
    let level = Level::default();
    let bundle = Target::Bundle { level, edge: broken };
    let Some(Detail::Bundle(bundle)) = detail_of(&mut session, bundle, 4_000_000) else {
        panic!("no bundle");
    };
    // T1 41 is of pod 1, in the first eight; T2 300 is in the third of eight groups of 128.
    assert_eq!(bundle.name, "p0: T1 0–255 to T2 256–383");
    assert_eq!((bundle.cables, bundle.down), (8 * 128, 1));
    assert_eq!(bundle.members[0].link.to_string(), "p0/t1.41-t2.300");
    let group = Target::Group {
        level,
        plane: 0,
        row: Row::T2 as u8,
        index: 7,
    };
    let Some(Detail::Group(group)) = detail_of(&mut session, group, 4_000_000) else {
        panic!("no group");
    };
    assert_eq!(
        (group.name.as_str(), group.count, group.dead),
        ("p0: T2 896–1023", 128, 1)
    );
    assert_eq!(group.members[0], Target::Switch("p0/t2.896".parse().unwrap()));
}
