//! What the page is told of RoCE, of paused links, and of a deadlock.

use super::tests::{advance, frame, loaded_with, report};
use super::*;
use std::collections::BTreeSet;
use view::frame::{Kind, state};
use view::inspect::{Detail, PacketDetail, PacketRef};
use view::log::PacketWord;
use view::message::MarkKind;

const INCAST: &str = r#"{
    "version": 1, "seed": 3, "until": "2ms",
    "fabric": { "planes": 1, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 3, "nic_link_rate": "100Gbps",
                "routing": "ecmp", "pfc": { "xoff": "60kB" } },
    "transport": { "protocol": "roce", "roce": { "timeout": 5 } },
    "traffic": [ { "kind": "incast", "dst": 0, "senders": 5, "bytes": 500001 } ],
    "faults": [ { "at": "5us", "kind": "link_loss", "link": "p0/n5", "rate": 0.05 } ]
}"#;

fn inspect(session: &mut Session, target: Target, at_ps: u64) -> Option<Detail> {
    session.handle(ToWorker::Watch { target: Some(target) }, || 0.0);
    report(&advance(session, at_ps)).detail.clone()
}

/// Every kind that RoCE and PFC have is drawn as itself, can be selected where it is, and has bytes.
#[test]
fn each_kind_is_seen_and_can_be_looked_into() {
    let (mut session, _) = loaded_with(serde_json::from_str(INCAST).unwrap());
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for step in 1..2_000u64 {
        let now = step * 200_000;
        let frame = frame(&advance(&mut session, now));
        for packet in &frame.packets {
            let name = match packet.kind {
                Kind::Data => "data",
                Kind::Retransmission => "retransmission",
                Kind::RoceAck => "ACK",
                Kind::Nak => "NAK",
                Kind::Cnp => "CNP",
                Kind::Pause => "PAUSE",
                Kind::Resume => "resume",
                other => panic!("{other:?} is none of RoCE's"),
            };
            if !seen.insert(name) {
                continue;
            }
            let target = Target::Packet(PacketRef::from(packet));
            let Some(Detail::Packet(detail)) = inspect(&mut session, target, now) else {
                panic!("{name} cannot be looked into");
            };
            check(name, &detail, &frame.edge(packet.edge).map(|edge| edge.id));
        }
    }
    let all = ["ACK", "CNP", "NAK", "PAUSE", "data", "resume", "retransmission"];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), all);
}

fn check(name: &str, detail: &PacketDetail, edge: &Option<u32>) {
    assert!(edge.is_some(), "{name}");
    assert!(detail.title.contains(name), "{name}: {}", detail.title);
    // Ethernet, FCS not included, is 24 bytes shorter than what the line is busy for.
    assert_eq!(detail.bytes.len() + 24, usize::from(detail.size), "{name}");
    let is_routed = detail.path.iter().any(|hop| !hop.usids.is_empty());
    assert!(!is_routed, "{name}: switches choose the path");
    assert_eq!(detail.ev, None, "{name}");
    assert!(name != "NAK" || detail.word == PacketWord::Nak, "{name}");
    let is_pause = ["PAUSE", "resume"].contains(&name);
    assert_eq!(detail.qp.is_none(), is_pause, "{name}");
    if is_pause {
        assert_eq!(detail.path.len(), 2, "{name} crosses one link");
    }
}

/// The links that ports call paused are those that the frame shows so, and the inspector knows since when and by whom.
#[test]
fn paused_links_are_seen_with_their_state() {
    let (mut session, _) = loaded_with(serde_json::from_str(INCAST).unwrap());
    let mut now = 0;
    let paused = loop {
        now += 200_000;
        assert!(now < 400_000_000, "five senders fill 60 kB within 400 µs");
        let frame = frame(&advance(&mut session, now));
        let paused = frame.edges.iter().find(|edge| edge.state & state::PAUSED != 0);
        if let Some(edge) = paused {
            break edge.id;
        }
    };
    let clos = session.run.as_ref().unwrap().sim.network().config().clos;
    let name = view::names::cable(&clos, paused);
    let Some(Detail::Link(link)) = inspect(&mut session, Target::Link(name), now) else {
        panic!("no link");
    };
    let up = usize::from(!clos.describe(paused).kind.is_upward());
    let pfc = link.directions[up].pfc.as_ref().expect("PFC is on");
    let since = pfc.since_ps.expect("it is paused");
    assert!(since <= now && now - since <= 200_000);
    assert_eq!((pfc.pauses, pfc.total_ps), (1, now - since));
    assert!(!pfc.is_deadlocked);
    let buffer = pfc.buffer.expect("a switch has paused it");
    // RESUME comes from xon on down: two PMTUs of 4096 below 60,000.
    assert_eq!((buffer.xoff, buffer.xon), (60_000, 60_000 - 2 * 4_096));
    assert!(buffer.held > buffer.xon && buffer.held <= buffer.most);
    // The other way the link leaves a switch, whose queues have no other limit than the one at which it pauses.
    assert_eq!(link.directions[1 - up].queue_limit, Some(60_000));
    let report = report(&advance(&mut session, now)).clone();
    assert!(
        report
            .pfc
            .is_some_and(|pfc| pfc.paused_now > 0 && pfc.deadlock.is_none())
    );
}

/// Of a RoCE QP there are no EVs, but a rate, its path and what its responder knows.
#[test]
fn a_qp_has_what_its_protocol_has() {
    let (mut session, _) = loaded_with(serde_json::from_str(INCAST).unwrap());
    let now = 100_000_000;
    advance(&mut session, now);
    let Some(Detail::Qp(qp)) = inspect(&mut session, Target::Qp(0), now) else {
        panic!("no QP");
    };
    assert!(qp.evs.is_empty());
    let roce = qp.roce.expect("RoCE");
    assert_eq!(roce.recovery, "go-back-N");
    assert_eq!(roce.line_bps, 100_000_000_000);
    assert!(roce.port >= 0xc000, "of the dynamic range");
    assert!(roce.rate_bps < roce.line_bps && roce.cnps > 0, "five to one");
    let dcqcn = roce.dcqcn.expect("on");
    assert!(dcqcn.target_bps >= roce.rate_bps && dcqcn.alpha > 0.0 && dcqcn.alpha <= 1.0);
    // NIC 0 receives: from its own rack of three over the T0, from another one up to a T1 and down again.
    assert_eq!(roce.path.len(), if qp.row.src < 3 { 2 } else { 4 });
    assert!(!roce.is_spread);
    assert!(roce.expected >= qp.cack, "what is acknowledged has arrived");
    assert!(roce.responder.cnps >= roce.cnps);
}

#[test]
fn a_deadlock_is_told_with_its_circle() {
    let scenario = scenario::find_preset("pfc-deadlock").expect("a preset");
    let (mut session, _) = loaded_with(scenario.scenario());
    let mut last = None;
    for us in (100..2_000u64).step_by(100) {
        let answers = advance(&mut session, us * 1_000_000);
        let told = report(&answers).pfc.clone().and_then(|pfc| pfc.deadlock);
        if let Some(deadlock) = told {
            last = Some((frame(&answers), deadlock));
            break;
        }
    }
    let (frame, deadlock) = last.expect("with this seed there is one");
    let stuck = frame
        .edges
        .iter()
        .filter(|edge| edge.state & state::DEADLOCK != 0);
    assert_eq!(stuck.count(), deadlock.circle.len());
    // Rack 0, spine 0, rack 1, spine 1 and back: each link begins where the one before ends.
    assert_eq!(deadlock.circle.len(), 4);
    for (this, next) in deadlock.circle.iter().zip(deadlock.circle.iter().cycle().skip(1)) {
        assert_eq!(this.2, next.1);
    }
    let (link, from, to) = deadlock.circle[0].clone();
    let now = frame.head.now;
    let Some(Detail::Link(detail)) = inspect(&mut session, Target::Link(link), now) else {
        panic!("no link");
    };
    let own = detail
        .directions
        .iter()
        .find(|of| (&of.from, &of.to) == (&from, &to));
    assert!(own.unwrap().pfc.as_ref().unwrap().is_deadlocked);
    let answers = session.handle(
        ToWorker::Timeline {
            run: 1,
            qps: Vec::new(),
        },
        || 0.0,
    );
    let texts: Vec<String> = answers
        .iter()
        .filter_map(|answer| match &answer.message {
            FromWorker::Timeline(timeline) => Some(&timeline.marks),
            _ => None,
        })
        .flatten()
        .filter(|mark| mark.kind == MarkKind::Deadlock)
        .map(|mark| mark.text.clone())
        .collect();
    let nodes: Vec<&str> = deadlock.circle.iter().map(|(_, from, _)| from.as_str()).collect();
    let expected = format!(
        "4 paused links wait for each other: {} → {}",
        nodes.join(" → "),
        nodes[0]
    );
    assert_eq!(texts, [expected]);
}
