use super::*;
use crate::Way;
use kernel::rng::{below, draw};

const TWO: Clos = Clos::two_tiers(2, 3, 4, 5);

// Two pods of two T0s and three T1s; each T1 is linked to two T2s.
const THREE: Clos = Clos {
    planes: 2,
    t0s: 4,
    t1s: 6,
    nics_per_t0: 2,
    pods: 2,
    t2s: 6,
};

/// Every switch, and how its port numbers become links.
fn switches(clos: Clos) -> Vec<(Switch, [Row; 2])> {
    let span = &Span::cut(clos, 1)[0];
    (0..span.switches())
        .map(|number| span.switch_at(number))
        .collect()
}

fn link_of(rows: &[Row; 2], port: u32) -> u32 {
    let row = rows
        .iter()
        .find(|row| (row.base..row.base + row.count).contains(&port));
    let row = row.expect("a port of the switch");
    row.out + port - row.base
}

/// What a switch does with a plain container is what its static table says.
#[test]
fn packets_leave_by_the_static_table() {
    // Each T0 of TWO reaches 5 NICs and 4 T1s, each T1 3 T0s; in THREE it is 2 NICs and 3 T1s, and 2 T0s and 2 T2s. A T2 is never
    // active in a plain container.
    for (clos, expected) in [(TWO, 2 * (3 * 9 + 4 * 3)), (THREE, 2 * (4 * 5 + 6 * 4))] {
        let tiers = [usid::T0, usid::T1, usid::T2, usid::NIC];
        let fields = (0..2).flat_map(|plane| tiers.map(|tier| (plane, tier)));
        let nexts = fields.flat_map(|(plane, tier)| (0..7).map(move |index| usid::usid(plane, tier, index)));
        let nexts: Vec<u16> = nexts.chain([0]).collect();
        let mut routes = 0;
        for (switch, rows) in switches(clos)
            .iter()
            .filter(|(switch, _)| switch.tier != usid::T2)
        {
            let own = switch.usid;
            for &next in &nexts {
                let out = switch.out(path::pack([own, next, 7, 8]));
                let link = out.map(|(port, rest)| {
                    assert_eq!(rest, path::pack([next, 7, 8, 0]));
                    link_of(rows, port)
                });
                assert_eq!(link, clos.route(own, next), "{own:#x} to {next:#x}");
                routes += usize::from(link.is_some());
                let strange = path::pack([own ^ 1, next, 0, 0]);
                assert_eq!(switch.out(strange), None, "not its own uSID");
            }
        }
        assert_eq!(routes, expected);
    }
}

/// And so it is with a folded container, hop by hop; every other switch refuses it.
#[test]
fn folded_containers_are_forwarded_as_what_they_stand_for() {
    let all = switches(THREE);
    for (src, dst) in (0..4).flat_map(|src| (4..8).map(move |dst| (src, dst))) {
        for (src, dst) in [(src, dst), (dst, src)] {
            for (plane, t2) in (0..2).flat_map(|plane| (0..6).map(move |t2| (plane, t2))) {
                let mut container = Way::between(&THREE, src, dst).usids(plane, t2);
                for _ in 0..5 {
                    let [own, next, ..] = path::expand(&THREE, container);
                    let mut rest = 0;
                    for (switch, rows) in &all {
                        match switch.out(container) {
                            Some((port, left)) => {
                                assert_eq!(switch.usid, own);
                                assert_eq!(Some(link_of(rows, port)), THREE.route(own, next));
                                rest = left;
                            }
                            None => assert_ne!(switch.usid, own),
                        }
                    }
                    assert_eq!(path::expand(&THREE, rest)[0], next);
                    container = rest;
                }
                assert!(all.iter().all(|(switch, _)| switch.out(container).is_none()));
            }
        }
    }
}

/// Any fields whatever: a switch forwards what begins with its own uSID and names a neighbour next, there and only then.
#[test]
fn a_switch_forwards_if_and_only_if_its_table_says_so() {
    let all = switches(THREE);
    let mut forwarded = 0;
    for i in 0..50_000u64 {
        let pick = |n: u64, bound: u64| below(draw(i, n), bound);
        let plane = pick(0, 3);
        let container = if pick(1, 4) == 0 {
            let tiers = [usid::T0, usid::T1, usid::NIC];
            let mut usids = [0, 1, 2, 3].map(|n| {
                let tier = tiers[pick(2 + n, 3) as usize];
                usid::usid(pick(10 + n, 2) as u32, tier, pick(20 + n, 8) as u32)
            });
            usids[pick(30, 4) as usize] = 0;
            path::pack(usids)
        } else {
            // By the table in path.rs.
            plane << 61
                | (1 + pick(40, 6)) << 56
                | pick(41, 5) << 44
                | pick(42, 3) << 33
                | pick(43, 7) << 22
                | pick(44, 5) << 11
                | pick(45, 3)
        };
        let [own, next, ..] = path::expand(&THREE, container);
        for (switch, rows) in &all {
            let link = switch.out(container).map(|(port, rest)| {
                assert_eq!(rest, path::advance(container));
                link_of(rows, port)
            });
            let expected = if switch.usid == own {
                THREE.route(own, next)
            } else {
                None
            };
            assert_eq!(link, expected, "{container:#018x} at {:#06x}", switch.usid);
            forwarded += u32::from(link.is_some());
        }
    }
    assert!(forwarded > 5_000, "{forwarded}");
}

/// Four uSIDs left and a T0 below 16 at the start look like the uSID of T2 1023 in the upper bits, one left of T2 255, and so on.
#[test]
fn no_folded_container_is_mistaken_for_a_plain_one() {
    let clos = Clos {
        planes: 1,
        t0s: 2_048,
        t1s: 2,
        nics_per_t0: 1,
        pods: 2,
        t2s: 2_047,
    };
    let span = &Span::cut(clos, 1)[0];
    let switches: Vec<Switch> = (0..span.switches())
        .map(|number| span.switch_at(number).0)
        .collect();
    let t2s: Vec<&Switch> = switches.iter().filter(|switch| switch.tier == usid::T2).collect();
    for start in (0..1_024).step_by(16) {
        let way = Way::between(&clos, start, 2_047);
        for (t2, switch) in (0..).zip(&t2s) {
            let container = path::advance(path::advance(way.usids(0, t2)));
            let (port, rest) = switch.out(container).expect("a route");
            assert_eq!((port, rest), (1, path::advance(container)), "T0 {start}, T2 {t2}");
        }
    }
}

/// What leads nowhere is dropped: indices that the fabric does not have.
#[test]
fn folded_containers_with_strange_fields_have_no_route() {
    let all = switches(THREE);
    let leads = |container: u64| all.iter().any(|(switch, _)| switch.out(container).is_some());
    let good = Way::between(&THREE, 0, 7).usids(1, 4);
    assert!(leads(good));
    // By table in path.rs: no uSID left, seven left, a T0 and a T1 that are not there, plane 7.
    for strange in [
        good & !(7 << 56),
        good | 7 << 56,
        good | 0x7ff << 44,
        good | 0x7ff << 33,
        good | 7 << 61,
    ] {
        assert!(!leads(strange), "{strange:#018x}");
    }
    // The same further on: a T2, a T0 at the end and a downlink that are not there.
    let hops = |n: usize| (0..n).fold(good, |container, _| path::advance(container));
    for (n, strange) in [(1, 0x7ff << 22), (2, 0x7ff << 11), (4, 0x7ff)] {
        assert!(leads(hops(n)));
        assert!(!leads(hops(n) | strange), "after {n} hops");
    }
    // A T2 that is not linked to the T1s named.
    let other = Way::between(&THREE, 0, 7).usids(1, 1);
    let mixed = path::advance(good & !(0x7ff << 22) | other & 0x7ff << 22);
    assert!(!leads(mixed));
    assert!(!leads(path::advance(mixed)));
}
