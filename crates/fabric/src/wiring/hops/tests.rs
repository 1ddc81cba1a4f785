use super::*;
use crate::clos::Clos;
use crate::config;
use crate::network::Network;

// Two T0s more than are needed: T0s 0 to 3 of two NICs each, and three T1s.
const TWO: Clos = Clos::two_tiers(2, 4, 3, 2);

// Two pods of two T0s and three T1s; each T1 is linked to two T2s.
const THREE: Clos = Clos {
    planes: 2,
    t0s: 4,
    t1s: 6,
    nics_per_t0: 2,
    pods: 2,
    t2s: 6,
};

fn network(clos: Clos, local_reroute: bool) -> Network {
    let settings = crate::Config {
        local_reroute,
        ..config::for_tests(clos)
    };
    Network::new(settings, 1)
}

fn down(network: &mut Network, link: u32, scope: Scope) {
    network.believe(link, false, scope).expect("a link");
}

fn dead(network: &mut Network, switch: u16, scope: Scope) {
    for link in network.links_of(switch).expect("a switch") {
        down(network, link, scope);
    }
}

/// The ports by which the switch with this uSID sends on what is for NIC `dst` and came in over `link`, and the container then.
fn ways(network: &Network, switch: u16, container: u64, link: u32) -> Result<(Vec<u32>, u64), DropReason> {
    let common = network.common();
    let span = &common.spans[0];
    let mut all = (0..span.switches()).map(|number| span.switch_at(number).0);
    let switch = all.find(|here| here.usid == switch).expect("a switch");
    let hops = switch.hops(common, span, container, link)?;
    Ok((hops.ports().collect(), hops.rest))
}

/// The same for a packet from a NIC below, or from a neighbour above where that makes no difference.
fn ports(network: &Network, tier: u16, index: u32, dst: u32) -> Result<Vec<u32>, DropReason> {
    let clos = network.config().clos;
    let container = Hashed::to(1, dst, 77);
    let link = match tier {
        usid::T0 => clos.nic_up(1, index * clos.nics_per_t0),
        usid::T1 => clos.up(1, clos.t0s_below(index).start, index),
        _ => clos.core_up(1, clos.t1s_below(index).next().expect("a pod"), index),
    };
    let (ports, rest) = ways(network, usid::usid(1, tier, index), container, link)?;
    assert_eq!(rest, container, "no detour");
    Ok(ports)
}

#[test]
fn up_by_all_ways_and_down_by_one() {
    // A T0's ports are two downlinks, 0 and 1, then uplinks; a T1's are as many downlinks as there are T0s in its pod.
    let two = network(TWO, false);
    assert_eq!(ports(&two, usid::T0, 0, 6), Ok(vec![2, 3, 4]));
    assert_eq!(ports(&two, usid::T0, 3, 7), Ok(vec![1]));
    assert_eq!(ports(&two, usid::T1, 1, 7), Ok(vec![3]));
    let three = network(THREE, false);
    assert_eq!(ports(&three, usid::T0, 0, 7), Ok(vec![2, 3, 4]));
    assert_eq!(ports(&three, usid::T1, 1, 7), Ok(vec![2, 3]), "to the other pod");
    assert_eq!(ports(&three, usid::T1, 1, 3), Ok(vec![1]), "to its own");
    assert_eq!(ports(&three, usid::T2, 5, 7), Ok(vec![1]));
}

#[test]
fn a_nic_that_is_not_there_and_a_strange_plane_have_no_way() {
    for clos in [TWO, THREE] {
        let network = network(clos, false);
        // T0s send up what is not for them, as a default route would.
        for (tier, index) in [(usid::T1, 0), (usid::T2, 0)] {
            if tier == usid::T1 || clos.t2s > 0 {
                assert_eq!(ports(&network, tier, index, 8), Err(DropReason::NoRoute));
                assert_eq!(
                    ports(&network, tier, index, (1 << 22) - 1),
                    Err(DropReason::NoRoute)
                );
            }
        }
        let elsewhere = ways(&network, usid::usid(1, usid::T0, 0), Hashed::to(0, 7, 0), 0);
        assert_eq!(elsewhere, Err(DropReason::NoRoute));
        let plain = ways(&network, usid::usid(1, usid::T0, 0), 0x2801_0000_0000_0000, 0);
        assert_eq!(plain, Err(DropReason::NoRoute), "no hashed container");
    }
}

#[test]
fn two_tiers_first_locally_then_everywhere() {
    let mut network = network(TWO, false);
    let cable = TWO.up(1, 3, 1);
    down(&mut network, cable, Scope::Local);
    // T0 3 leaves T1 1 alone; T1 1 has no way to it; the others know nothing.
    assert_eq!(ports(&network, usid::T0, 3, 0), Ok(vec![2, 4]));
    assert_eq!(ports(&network, usid::T1, 1, 6), Err(DropReason::NoRoute));
    assert_eq!(ports(&network, usid::T0, 0, 6), Ok(vec![2, 3, 4]));
    down(&mut network, cable, Scope::Everywhere);
    assert_eq!(ports(&network, usid::T0, 0, 6), Ok(vec![2, 4]), "to T0 3");
    assert_eq!(ports(&network, usid::T0, 0, 4), Ok(vec![2, 3, 4]), "to T0 2");
    // It comes back in the same order.
    network.believe(cable, true, Scope::Local).expect("a link");
    assert_eq!(ports(&network, usid::T1, 1, 6), Ok(vec![3]));
    assert_eq!(ports(&network, usid::T0, 3, 0), Ok(vec![2, 3, 4]));
    assert_eq!(ports(&network, usid::T0, 0, 6), Ok(vec![2, 4]));
    network.believe(cable, true, Scope::Everywhere).expect("a link");
    assert_eq!(ports(&network, usid::T0, 0, 6), Ok(vec![2, 3, 4]));
}

#[test]
fn a_dead_switch_is_all_its_cables() {
    let mut network = network(TWO, false);
    dead(&mut network, usid::usid(1, usid::T1, 0), Scope::Local);
    for t0 in 0..4 {
        assert_eq!(ports(&network, usid::T0, t0, 7 - 2 * t0), Ok(vec![3, 4]));
    }
    // A T0 that is dead cannot be reached at all.
    dead(&mut network, usid::usid(1, usid::T0, 3), Scope::Everywhere);
    assert_eq!(ports(&network, usid::T0, 0, 6), Err(DropReason::NoRoute));
    let strange = network.believe(TWO.links(), false, Scope::Local);
    assert_eq!(strange, Err(crate::Refusal::NoSuchLink));
}

#[test]
fn three_tiers_need_a_t2_in_common() {
    let mut network = network(THREE, false);
    // T1 1 (pod 0) and T1 4 (pod 1) are linked to T2 2 and 3. Each has lost another one: no way by them.
    down(&mut network, THREE.core_up(1, 1, 2), Scope::Everywhere);
    assert_eq!(ports(&network, usid::T0, 0, 7), Ok(vec![2, 3, 4]));
    down(&mut network, THREE.core_down(1, 3, 4), Scope::Everywhere);
    assert_eq!(ports(&network, usid::T0, 0, 7), Ok(vec![2, 4]));
    assert_eq!(ports(&network, usid::T0, 3, 0), Ok(vec![2, 4]), "nor back");
    assert_eq!(
        ports(&network, usid::T0, 0, 2),
        Ok(vec![2, 3, 4]),
        "within the pod"
    );
    // T1 1 believes of T1 4 what all do, and of itself what it knows: it has T2 2 still.
    assert_eq!(ports(&network, usid::T1, 1, 7), Ok(vec![2]));
    down(&mut network, THREE.core_up(1, 1, 2), Scope::Local);
    assert_eq!(ports(&network, usid::T1, 1, 7), Err(DropReason::NoRoute));
    // T2 3 knows of its own link when it has detected it.
    assert_eq!(ports(&network, usid::T2, 3, 7), Ok(vec![1]));
    down(&mut network, THREE.core_down(1, 3, 4), Scope::Local);
    assert_eq!(ports(&network, usid::T2, 3, 7), Err(DropReason::NoRoute));
    assert_eq!(ports(&network, usid::T2, 3, 0), Ok(vec![0]));
}

#[test]
fn a_dead_t2_leaves_the_other_one() {
    let mut network = network(THREE, false);
    dead(&mut network, usid::usid(1, usid::T2, 2), Scope::Everywhere);
    assert_eq!(ports(&network, usid::T0, 0, 7), Ok(vec![2, 3, 4]));
    assert_eq!(ports(&network, usid::T1, 1, 7), Ok(vec![3]));
    // T2 3 is the last one of T1 1: without it T1 1 leads to no other pod.
    down(&mut network, THREE.core_up(1, 1, 3), Scope::Everywhere);
    assert_eq!(ports(&network, usid::T0, 0, 7), Ok(vec![2, 4]));
    assert_eq!(ports(&network, usid::T0, 2, 1), Ok(vec![2, 4]));
}

#[test]
fn the_last_link_is_withdrawn_up_to_the_other_pod() {
    let mut network = network(THREE, false);
    // T1 4 has no link to T0 3: it is number 1 of its pod.
    down(&mut network, THREE.up(1, 3, 4), Scope::Everywhere);
    assert_eq!(ports(&network, usid::T0, 0, 7), Ok(vec![2, 4]));
    assert_eq!(ports(&network, usid::T0, 0, 5), Ok(vec![2, 3, 4]), "to T0 2");
    assert_eq!(ports(&network, usid::T1, 1, 7), Err(DropReason::NoRoute));
    assert_eq!(ports(&network, usid::T2, 2, 7), Err(DropReason::NoRoute));
    assert_eq!(
        ports(&network, usid::T1, 4, 7),
        Ok(vec![1]),
        "has not noticed itself"
    );
}

#[test]
fn a_detour_is_by_another_t0_and_another_t1() {
    let mut network = network(TWO, true);
    let t1 = usid::usid(1, usid::T1, 1);
    let start = Hashed::to(1, 6, 77);
    let came = TWO.up(1, 0, 1);
    assert_eq!(ways(&network, t1, start, came), Ok((vec![3], start)), "no need");
    down(&mut network, TWO.down(1, 1, 3), Scope::Local);
    // Not by T0 0, from which it came, nor by T0 3, which it is for.
    let (ports, once) = ways(&network, t1, start, came).expect("a detour");
    assert_eq!(
        (ports, Hashed::of(once).map(|path| path.bounces)),
        (vec![1, 2], Some(1))
    );
    // T0 2 does not send it back to T1 1; a packet of its own may go there.
    let t0 = usid::usid(1, usid::T0, 2);
    assert_eq!(
        ways(&network, t0, once, TWO.down(1, 1, 2)),
        Ok((vec![2, 4], once))
    );
    assert_eq!(
        ways(&network, t0, start, TWO.nic_up(1, 4)),
        Ok((vec![2, 3, 4], start))
    );
    // Without a link to T0 1 there is T0 2 alone, and without that nothing.
    down(&mut network, TWO.down(1, 1, 1), Scope::Local);
    assert_eq!(ways(&network, t1, start, came), Ok((vec![2], once)));
    down(&mut network, TWO.down(1, 1, 2), Scope::Local);
    assert_eq!(ways(&network, t1, start, came), Err(DropReason::NoRoute));
}

#[test]
fn the_fourth_detour_is_refused() {
    let mut network = network(TWO, true);
    down(&mut network, TWO.down(1, 1, 3), Scope::Local);
    let mut container = Hashed::to(1, 6, 77);
    for _ in 0..hashed::MOST_BOUNCES {
        let (_, rest) =
            ways(&network, usid::usid(1, usid::T1, 1), container, TWO.up(1, 0, 1)).expect("a detour");
        container = rest;
    }
    let refused = ways(&network, usid::usid(1, usid::T1, 1), container, TWO.up(1, 0, 1));
    assert_eq!(refused, Err(DropReason::HopLimit));
}

#[test]
fn a_t1_that_lost_the_core_sends_by_its_pod() {
    let mut network = network(THREE, true);
    for t2 in [2, 3] {
        down(&mut network, THREE.core_up(1, 1, t2), Scope::Local);
    }
    // From T0 0 to the other pod: T0 1 is the only other one of pod 0, at port 1.
    let (ports, rest) = ways(
        &network,
        usid::usid(1, usid::T1, 1),
        Hashed::to(1, 7, 5),
        THREE.up(1, 0, 1),
    )
    .expect("a detour");
    assert_eq!(
        (ports, Hashed::of(rest).map(|path| path.bounces)),
        (vec![1], Some(1))
    );
    // T1 4 has no link to T0 3, and the packet came from above: T0 2 is the only other one.
    network = self::network(THREE, true);
    down(&mut network, THREE.up(1, 3, 4), Scope::Local);
    let came = THREE.core_down(1, 3, 4);
    let (ports, rest) =
        ways(&network, usid::usid(1, usid::T1, 4), Hashed::to(1, 7, 5), came).expect("a detour");
    assert_eq!(
        (ports, Hashed::of(rest).map(|path| path.bounces)),
        (vec![0], Some(1))
    );
    // T0 2 (number 0 of pod 1) sends it up to the other two T1s.
    let t0 = usid::usid(1, usid::T0, 2);
    assert_eq!(
        ways(&network, t0, rest, THREE.down(1, 4, 2)),
        Ok((vec![2, 4], rest))
    );
}

#[test]
fn a_choice_stays_while_its_port_is_there() {
    let lists: [&[u16]; 2] = [&[], &[1, 3]];
    let [whole, less] = lists.map(|here| Hops {
        first: 10,
        count: 5,
        out: Out::Up {
            here,
            there: &[],
            back: NONE,
            split: None,
        },
        rest: 0,
    });
    let (mut moved, mut counts) = (0, [0u32; 5]);
    for i in 0..10_000u64 {
        let bits = mix(i);
        let before = whole.choose(|| bits).expect("a port");
        let after = less.choose(|| bits).expect("a port");
        if before == 11 || before == 13 {
            moved += 1;
            counts[after as usize - 10] += 1;
        } else {
            assert_eq!(before, after);
        }
    }
    // 2 of 5 ports: 4,000 expected, sigma sqrt(10,000 · 0.4 · 0.6) = 49. They go to the three others alike: 1,333, sigma 30.
    assert!((3_755..4_245).contains(&moved), "{moved}");
    assert_eq!((counts[1], counts[3]), (0, 0));
    for at in [0, 2, 4] {
        assert!((1_183..1_483).contains(&counts[at]), "{counts:?}");
    }
    let nothing = Hops {
        out: Out::Up {
            here: &[0, 1, 2, 3, 4],
            there: &[],
            back: NONE,
            split: None,
        },
        ..whole
    };
    assert_eq!(nothing.choose(|| 7), None);
}
