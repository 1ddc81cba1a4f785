//! Lives beside what the run itself knows.

use super::*;
use crate::log::tests::incast;

fn whole(run: &Run, repeat: &mut Option<Repeat>, qp: u32, psn: u32) -> Life {
    life(repeat, run, qp, psn, f64::INFINITY, || 0.0)
}

#[test]
fn every_packet_is_sent_and_placed_once() {
    let mut run = incast();
    run.sim.run_events(u64::MAX, kernel::Time::MAX);
    let mut again = 0;
    for qp in 0..5 {
        let packets = run.sim.qp(qp).packets;
        for psn in (0..packets).step_by(7) {
            let life = whole(&run, &mut None, qp, psn);
            assert!(life.is_whole() && life.problem.is_none());
            let what = format!("QP {qp} PSN {psn}: {life:?}");
            let placed = |one: &&Transmission| matches!(one.end, End::Placed { .. });
            assert_eq!(life.transmissions.iter().filter(placed).count(), 1, "{what}");
            assert!(life.transmissions.is_sorted_by_key(|one| one.sent_ps), "{what}");
            for one in &life.transmissions {
                let mut at = one.sent_ps;
                for hop in &one.hops {
                    // The packet waits, is sent, and arrives, hop by hop without a gap.
                    assert_eq!(hop.queued_ps, at, "{what}");
                    assert!(hop.queued_ps <= hop.left_ps, "{what}");
                    assert!(
                        hop.left_ps < hop.sent_ps && hop.sent_ps < hop.reached_ps,
                        "{what}"
                    );
                    at = hop.reached_ps;
                }
                if let End::Placed { at_ps } | End::ArrivedTrimmed { at_ps } = one.end {
                    assert_eq!(at_ps, at, "{what}");
                    // Either below one T0, or over a T1.
                    assert!(matches!(one.hops.len(), 2 | 4), "{what}");
                }
            }
            // A trim is answered by a NACK, which leads to the next transmission.
            let trimmed = life
                .transmissions
                .iter()
                .filter(|one| matches!(one.end, End::ArrivedTrimmed { .. }));
            let nacks = life.signals.iter().filter(|signal| signal.name == "NACK");
            assert_eq!(trimmed.count(), nacks.count(), "{what}");
            assert!(
                life.signals
                    .iter()
                    .any(|signal| signal.acknowledges && signal.heard_ps.is_some()),
                "{what}"
            );
            again += life.transmissions.len() - 1;
        }
    }
    assert!(again > 0, "some of them were sent again");
}

#[test]
fn a_life_is_found_in_parts_and_goes_on_with_the_run() {
    let mut run = incast();
    run.sim.run_events(u64::MAX, kernel::Time(60_000_000));
    let mut repeat = None;
    // No time: nothing yet.
    let first = life(&mut repeat, &run, 1, 0, 0.0, || 0.0);
    assert!(!first.is_whole() && first.transmissions.is_empty());
    let early = whole(&run, &mut repeat, 1, 0);
    assert!(early.is_whole() && !early.transmissions.is_empty());
    run.sim.run_events(u64::MAX, kernel::Time::MAX);
    let late = whole(&run, &mut repeat, 1, 0);
    assert_eq!(late, whole(&run, &mut None, 1, 0));
    assert_eq!(late.transmissions[0].sent_ps, early.transmissions[0].sent_ps);
}

#[test]
fn a_fault_by_hand_is_part_of_it() {
    let mut run = incast();
    run.sim.run_until(kernel::Time(5_000_000));
    let mut repeat = None;
    whole(&run, &mut repeat, 0, 3);
    let fault = serde_json::from_str(r#"{ "kind": "link_down", "link": "p0/n0" }"#).unwrap();
    run.sim.inject(fault).unwrap();
    run.sim.run_until(kernel::Time::MAX);
    let packets = run.sim.qp(0).packets;
    let drops: usize = (0..packets)
        .map(|psn| {
            let life = whole(&run, &mut repeat, 0, psn);
            let dropped = |one: &&Transmission| matches!(one.end, End::Dropped { .. });
            life.transmissions.iter().filter(dropped).count()
        })
        .sum();
    assert!(drops > 0, "the link took packets with it");
}

#[test]
fn what_is_not_there_is_said() {
    let run = incast();
    let life = whole(&run, &mut None, 99, 0);
    assert_eq!(life.problem.as_deref(), Some("there is no QP 99"));
}

/// Five senders into one NIC with PFC: a wait has its pauses within it, and a mark its CNP.
#[test]
fn pauses_and_cnps_are_part_of_a_life() {
    const PAUSED: &str = r#"{
        "version": 1, "seed": 3, "until": "400us",
        "fabric": { "planes": 1, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 3, "nic_link_rate": "100Gbps",
                    "routing": "ecmp", "pfc": { "xoff": "60kB" } },
        "transport": { "protocol": "roce" },
        "traffic": [ { "kind": "incast", "dst": 0, "senders": 5, "bytes": 500001 } ]
    }"#;
    let mut run = Run::new(1, &serde_json::from_str(PAUSED).unwrap(), false, false).unwrap();
    run.sim.run_events(u64::MAX, kernel::Time::MAX);
    let (mut paused, mut cnps) = (0, 0);
    for qp in 0..5 {
        for psn in (0..run.sim.qp(qp).packets).step_by(10) {
            let life = whole(&run, &mut None, qp, psn);
            assert!(life.is_roce && life.problem.is_none());
            let hops: Vec<&Hop> = life.transmissions.iter().flat_map(|one| &one.hops).collect();
            assert!(hops.iter().all(|hop| hop.paused_ps <= hop.wait_ps()), "{hops:?}");
            paused += hops.iter().filter(|hop| hop.paused_ps > 0).count();
            let told = life.signals.iter().filter(|signal| signal.name == "CNP").count();
            // At most one CNP for a packet, and none without a mark.
            let marked = hops.iter().filter(|hop| hop.marked).count();
            assert!(told <= marked, "QP {qp} PSN {psn}");
            cnps += told;
        }
    }
    assert!(paused > 0, "PFC holds senders back");
    assert!(cnps > 0, "and marks are told");
}
