use super::*;

// Two pods of two T0s and three T1s; each T1 is linked to two T2s.
const CLOS: Clos = Clos {
    planes: 2,
    t0s: 4,
    t1s: 6,
    nics_per_t0: 2,
    pods: 2,
    t2s: 6,
};

const NOTHING: [u16; 0] = [];

#[test]
fn a_cable_is_known_by_its_lower_switch_and_its_number_there() {
    let mut routes = Routes::default();
    // T1 4 is number 1 of pod 1, T1 5 number 2; T2 3 is number 1 of those of T1 1 and of T1 4.
    routes.set(&CLOS, CLOS.up(1, 3, 5), false, Scope::Local);
    routes.set(&CLOS, CLOS.down(1, 4, 3), false, Scope::Local);
    routes.set(&CLOS, CLOS.core_up(0, 1, 3), false, Scope::Everywhere);
    routes.set(&CLOS, CLOS.core_down(0, 3, 4), false, Scope::Everywhere);
    let t0 = |plane| usid::usid(plane, usid::T0, 3);
    let t1 = |index| usid::usid(0, usid::T1, index);
    assert_eq!(routes.lacks(Scope::Local, t0(1)), [1, 2]);
    assert_eq!(routes.lacks(Scope::Everywhere, t1(1)), [1]);
    assert_eq!(routes.lacks(Scope::Everywhere, t1(4)), [1]);
    // In the other plane and in the other scope nothing is known.
    assert_eq!(routes.lacks(Scope::Local, t0(0)), NOTHING);
    assert_eq!(routes.lacks(Scope::Everywhere, t0(1)), NOTHING);
    assert_eq!(routes.lacks(Scope::Local, t1(1)), NOTHING);
}

#[test]
fn a_cable_goes_and_comes_in_either_direction() {
    let mut routes = Routes::default();
    let (there, back) = (CLOS.up(0, 2, 4), CLOS.down(0, 4, 2));
    let t0 = usid::usid(0, usid::T0, 2);
    for link in [there, back, there] {
        routes.set(&CLOS, link, false, Scope::Local);
        assert_eq!(routes.lacks(Scope::Local, t0), [1]);
    }
    assert!(!routes.are_whole());
    routes.set(&CLOS, back, true, Scope::Everywhere);
    assert_eq!(routes.lacks(Scope::Local, t0), [1], "the other scope");
    routes.set(&CLOS, CLOS.up(0, 2, 3), true, Scope::Local);
    assert_eq!(routes.lacks(Scope::Local, t0), [1], "another cable");
    for link in [back, there] {
        routes.set(&CLOS, link, true, Scope::Local);
        assert!(routes.are_whole());
    }
}

#[test]
fn cables_of_nics_are_on_no_table() {
    let mut routes = Routes::default();
    routes.set(&CLOS, CLOS.nic_up(0, 3), false, Scope::Local);
    routes.set(&CLOS, CLOS.nic_down(0, 3), false, Scope::Everywhere);
    assert!(routes.are_whole());
}
