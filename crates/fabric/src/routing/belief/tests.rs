use super::*;
use crate::clos::LinkKind::{CoreDown, CoreUp, Down, NicUp, Up};

// Two pods of two T0s and three T1s; each T1 is linked to two T2s.
const CLOS: Clos = Clos {
    planes: 2,
    t0s: 4,
    t1s: 6,
    nics_per_t0: 2,
    pods: 2,
    t2s: 6,
};

fn down(routes: &mut Routes, link: u32, scope: Scope) {
    routes.set(
        &CLOS,
        link,
        causes::of_link(CLOS.describe(link).kind),
        true,
        scope,
    );
}

fn up(routes: &mut Routes, link: u32, scope: Scope) {
    routes.set(
        &CLOS,
        link,
        causes::of_link(CLOS.describe(link).kind),
        false,
        scope,
    );
}

#[test]
fn a_cable_is_known_by_its_lower_switch_and_its_number_there() {
    let mut routes = Routes::default();
    // T1 4 is number 1 of pod 1, T1 5 number 2; T2 3 is number 1 of those of T1 1 and of T1 4.
    down(&mut routes, CLOS.up(1, 3, 5), Scope::Local);
    down(&mut routes, CLOS.down(1, 4, 3), Scope::Local);
    down(&mut routes, CLOS.core_up(0, 1, 3), Scope::Everywhere);
    down(&mut routes, CLOS.core_down(0, 3, 4), Scope::Everywhere);
    assert_eq!(routes.lacks(Scope::Local, usid::usid(1, usid::T0, 3)), [1, 2]);
    for t1 in [1, 4] {
        assert_eq!(routes.lacks(Scope::Everywhere, usid::usid(0, usid::T1, t1)), [1]);
    }
    // In the other plane and in the other scope nothing is known.
    assert_eq!(routes.lacks(Scope::Local, usid::usid(0, usid::T0, 3)), [0; 0]);
    assert_eq!(
        routes.lacks(Scope::Everywhere, usid::usid(1, usid::T0, 3)),
        [0; 0]
    );
    assert_eq!(routes.lacks(Scope::Local, usid::usid(0, usid::T1, 1)), [0; 0]);
}

#[test]
fn a_cable_comes_back_when_no_cause_is_left() {
    let mut routes = Routes::default();
    let (there, back) = (CLOS.up(0, 2, 4), CLOS.down(0, 4, 2));
    let t0 = usid::usid(0, usid::T0, 2);
    let dead = |routes: &mut Routes, kind, on| {
        routes.set(&CLOS, there, causes::of_switch(kind), on, Scope::Local);
    };
    down(&mut routes, there, Scope::Local);
    down(&mut routes, there, Scope::Local);
    down(&mut routes, back, Scope::Local);
    dead(&mut routes, Up, true);
    dead(&mut routes, Down, true);
    assert_eq!(routes.lacks(Scope::Local, t0), [1]);
    up(&mut routes, there, Scope::Local);
    dead(&mut routes, Down, false);
    up(&mut routes, back, Scope::Local);
    assert_eq!(routes.lacks(Scope::Local, t0), [1], "the T0 is still dead");
    dead(&mut routes, Up, false);
    assert!(routes.are_whole());
    assert_eq!(routes.lacks(Scope::Local, t0), [0; 0]);
    up(&mut routes, there, Scope::Local);
    assert!(routes.are_whole(), "what was never down");
}

#[test]
fn links_of_nics_are_on_no_table() {
    let mut routes = Routes::default();
    down(&mut routes, CLOS.nic_up(0, 3), Scope::Local);
    down(&mut routes, CLOS.nic_down(0, 3), Scope::Everywhere);
    assert!(routes.are_whole());
}

#[test]
fn causes_are_told_apart() {
    let all = [
        causes::of_link(Up),
        causes::of_link(Down),
        causes::of_switch(Up),
        causes::of_switch(Down),
    ];
    assert_eq!(all.iter().fold(0, |bits, cause| bits | cause).count_ones(), 4);
    assert_eq!(causes::of_link(CoreUp), causes::of_link(NicUp));
    assert_eq!(causes::of_switch(CoreDown), causes::of_switch(Down));
}
