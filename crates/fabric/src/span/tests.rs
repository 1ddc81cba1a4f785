use super::*;

const TWO: Clos = Clos::two_tiers(2, 5, 3, 4);

const THREE: Clos = Clos {
    planes: 2,
    t0s: 6,
    t1s: 6,
    nics_per_t0: 2,
    pods: 3,
    t2s: 4,
};

#[test]
fn one_part_has_the_links_own_numbers() {
    let spans = Span::cut(TWO, 1);
    assert_eq!(spans.len(), 1);
    let span = &spans[0];
    assert_eq!(span.ports(), TWO.links());
    assert_eq!(span.nic_up(1, 7), TWO.nic_up(1, 7));
    assert_eq!(span.nic_down(1, 7), TWO.nic_down(1, 7));
    assert_eq!(span.up(1, 4, 2), TWO.up(1, 4, 2));
    assert_eq!(span.down(1, 2, 4), TWO.down(1, 2, 4));
    let span = &Span::cut(THREE, 1)[0];
    assert_eq!(span.ports(), THREE.links());
    assert_eq!(span.up(1, 4, 1), THREE.up(1, 4, 5));
    assert_eq!(span.down(1, 5, 1), THREE.down(1, 5, 5));
    assert_eq!(span.core_up(1, 5, 1), THREE.core_up(1, 5, 3));
    assert_eq!(span.core_down(1, 3, 2), THREE.core_down(1, 3, 5));
}

#[test]
fn racks_and_link_numbers_are_those_of_the_fabric() {
    for nics_per_t0 in (1..=2_048).step_by(23) {
        let clos = Clos {
            t0s: 2_048,
            nics_per_t0,
            ..TWO
        };
        let span = &Span::cut(clos, 1)[0];
        let around = (0..2_048u32).map(|rack| rack * nics_per_t0);
        for nic in around.flat_map(|first| [first, first + nics_per_t0 - 1]) {
            assert_eq!(span.rack_of(nic), clos.t0_of(nic), "{nic} at {nics_per_t0}");
            assert_eq!(span.nic_up_link(1, nic), clos.nic_up(1, nic));
            assert_eq!(span.nic_down_link(1, nic), clos.nic_down(1, nic));
        }
    }
}

#[test]
fn parts_hold_everything_once_and_their_numbers_are_dense() {
    // There are three T1s in the one, four T2s in the other.
    for (clos, most) in [(TWO, 3), (THREE, 4)] {
        for parts in 1..7 {
            let spans = Span::cut(clos, parts);
            assert_eq!(spans.len(), parts.min(most) as usize);
            assert_eq!(spans.iter().map(Span::ports).sum::<u32>(), clos.links());
            for span in &spans {
                everything_is_there_once(&clos, span);
            }
        }
    }
}

fn everything_is_there_once(clos: &Clos, span: &Span) {
    let (mut ports, mut places) = (vec![0; span.ports() as usize], vec![0; span.places() as usize]);
    let mut switches = Vec::new();
    for plane in 0..clos.planes {
        for nic in span.nics() {
            ports[span.nic_up(plane, nic) as usize] += 1;
            ports[span.nic_down(plane, nic) as usize] += 1;
            places[span.nic_place(nic) as usize] = 1;
        }
        for t0 in span.racks.clone() {
            switches.push((span.t0_place(plane, t0), (plane, usid::T0, t0)));
            for t1 in 0..clos.t1s_per_pod() {
                ports[span.up(plane, t0, t1) as usize] += 1;
            }
        }
        for t1 in span.t1s.clone() {
            switches.push((span.t1_place(plane, t1), (plane, usid::T1, t1)));
            for t0 in 0..clos.t0s_per_pod() {
                ports[span.down(plane, t1, t0) as usize] += 1;
            }
            for t2 in 0..clos.t2s_per_t1() {
                ports[span.core_up(plane, t1, t2) as usize] += 1;
            }
        }
        for t2 in span.t2s.clone() {
            switches.push((span.t2_place(plane, t2), (plane, usid::T2, t2)));
            for pod in 0..clos.pods {
                ports[span.core_down(plane, t2, pod) as usize] += 1;
            }
        }
    }
    for (place, who) in switches {
        places[place as usize] += 1;
        assert_eq!(span.switch(place - span.first_switch()), who);
    }
    assert!(
        ports.iter().chain(&places).all(|&n| n == 1),
        "{ports:?} {places:?}"
    );
}
