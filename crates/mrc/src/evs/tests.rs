//! Every transition of facts 2.2, by hand.

use super::*;

fn set(planes: u32, evs: u16) -> EvSet {
    EvSet::new(planes, evs, 0, 0, 42)
}

#[test]
fn each_round_uses_each_ev_once_and_planes_in_turn() {
    for (planes, evs) in [(8, 128), (4, 128), (3, 9), (1, 64)] {
        let mut set = set(planes, evs);
        let first = set.next_plane();
        for _ in 0..5 {
            let mut seen: Vec<u16> = (0..evs).map(|_| set.take()).collect();
            for (i, &ev) in seen.iter().enumerate() {
                assert_eq!(set.plane(ev), (first + i as u32) % planes);
            }
            seen.sort_unstable();
            assert_eq!(seen, (0..evs).collect::<Vec<_>>());
        }
    }
}

#[test]
fn good_to_skip_costs_exactly_one_turn() {
    let mut set = set(1, 8);
    assert!(
        set.penalise(3) && !set.penalise(3),
        "marks while in SKIP are ignored"
    );
    assert_eq!(set.state(3), EvState::Skip);
    let taken: Vec<u16> = (0..7).map(|_| set.take()).collect();
    assert!(!taken.contains(&3), "{taken:?}");
    assert_eq!(set.state(3), EvState::Good);
    // From now on every round holds it again.
    let taken: Vec<u16> = (0..16).map(|_| set.take()).collect();
    assert!(taken.iter().filter(|&&ev| ev == 3).count() >= 1);
}

#[test]
fn one_skip_is_cleared_per_packet() {
    let mut set = set(1, 8);
    for ev in 0..8 {
        set.penalise(ev);
    }
    set.take();
    assert_eq!((0..8).filter(|&ev| set.state(ev) == EvState::Skip).count(), 7);
}

#[test]
fn good_to_assumed_bad_is_never_used_and_its_plane_keeps_its_share() {
    let mut set = set(4, 16);
    assert_eq!(set.lose(5), Retired::Out(None));
    assert_eq!(set.lose(5), Retired::Already);
    assert_eq!(set.state(5), EvState::AssumedBad);
    let taken: Vec<u16> = (0..400).map(|_| set.take()).collect();
    assert!(!taken.contains(&5));
    for plane in 0..4 {
        assert_eq!(taken.iter().filter(|&&ev| ev % 4 == plane).count(), 100);
    }
    assert!(set.revive(5, false) && !set.revive(5, false));
    assert_eq!(set.state(5), EvState::Good);
    assert!((0..16).map(|_| set.take()).any(|ev| ev == 5));
}

#[test]
fn skip_to_assumed_bad_forgets_the_skip() {
    let mut set = set(2, 8);
    set.penalise(3);
    assert_eq!(set.lose(3), Retired::Out(None));
    assert!(!set.penalise(3), "no mark counts for an EV that is out of use");
    set.revive(3, false);
    assert_eq!(set.state(3), EvState::Good);
}

#[test]
fn a_marked_probe_answer_revives_to_skip() {
    // Facts 11, row 4: the digest's reading.
    let mut set = set(2, 8);
    set.lose(3);
    assert!(set.revive(3, true));
    assert_eq!(set.state(3), EvState::Skip);
}

#[test]
fn evs_are_counted_by_what_they_are_good_for() {
    let counts = |set: &EvSet| {
        let EvCounts { good, skip, out } = set.counts();
        (good, skip, out)
    };
    // 2 planes, 8 active, 2 backups: 9 belongs to plane 1.
    let mut set = EvSet::new(2, 8, 2, 0, 7);
    assert_eq!(counts(&set), (8, 0, 0));
    set.penalise(2);
    set.penalise(3);
    assert_eq!(counts(&set), (6, 2, 0));
    assert_eq!(set.lose(3), Retired::Out(Some(9)));
    assert_eq!(counts(&set), (7, 1, 1), "the backup has its slot");
    assert_eq!(set.lose(5), Retired::Out(None));
    set.deny(5);
    assert_eq!(counts(&set), (6, 1, 2), "out for two reasons, and once");
    // Plane 1 has an empty slot for one of them; the other comes back as a backup, and its SKIP is nobody's turn.
    set.allow(5);
    set.revive(5, false);
    set.revive(3, true);
    assert_eq!(set.state(3), EvState::Skip);
    assert_eq!(counts(&set), (7, 1, 0));
}

#[test]
fn a_backup_of_the_same_plane_takes_the_slot() {
    // 2 planes, 8 active, 4 backups: 9 and 11 belong to plane 1.
    let mut set = EvSet::new(2, 8, 4, 0, 7);
    assert_eq!(set.lose(3), Retired::Out(Some(9)));
    assert_eq!(set.lose(5), Retired::Out(Some(11)));
    assert_eq!(set.lose(7), Retired::Out(None), "no backup is left in plane 1");
    assert_eq!(set.usable(), 7);
    let taken: Vec<u16> = (0..64).map(|_| set.take()).collect();
    assert!(taken.contains(&9) && taken.contains(&11));
    assert!([3, 5, 7].iter().all(|ev| !taken.contains(ev)));
    assert_eq!(
        taken.iter().filter(|&&ev| ev % 2 == 1).count(),
        32,
        "planes stay equal"
    );
    // The first to revive fills the empty slot; the next is a backup now.
    set.revive(5, false);
    assert_eq!(set.usable(), 8);
    assert!(set.is_active(5));
    set.revive(3, false);
    assert!(!set.is_active(3) && set.state(3) == EvState::Good);
    assert_eq!(
        set.lose(1),
        Retired::Out(Some(3)),
        "a revived EV serves as backup"
    );
}

#[test]
fn a_late_loss_on_an_ev_without_slot_takes_it_out_of_the_backups() {
    let mut set = EvSet::new(1, 2, 2, 0, 7);
    assert_eq!(set.lose(3), Retired::Out(None));
    assert_eq!(set.usable(), 2);
    assert_eq!(set.lose(0), Retired::Out(Some(2)), "EV 3 is no backup any more");
}

#[test]
fn losses_stop_at_the_floor() {
    // API example: ev_count / 4.
    let mut set = EvSet::new(4, 16, 0, 4, 7);
    for ev in 0..12 {
        assert_eq!(set.lose(ev), Retired::Out(None));
    }
    assert_eq!(set.lose(12), Retired::Floor);
    assert_eq!((set.state(12), set.usable()), (EvState::Good, 4));
    // A backup is no loss: the floor does not matter.
    let mut set = EvSet::new(1, 2, 1, 2, 7);
    assert_eq!(set.lose(0), Retired::Out(Some(2)));
    assert_eq!(set.lose(1), Retired::Floor);
}

#[test]
fn any_state_to_denied_and_back() {
    let mut set = EvSet::new(1, 4, 1, 2, 7);
    set.penalise(0);
    set.lose(1);
    assert_eq!(set.usable(), 4, "EV 4 has taken the place");
    for ev in 0..4 {
        assert_eq!(set.deny(ev), Retired::Out(None));
        assert_eq!(set.state(ev), EvState::Denied);
        assert_eq!(set.deny(ev), Retired::Already);
    }
    assert_eq!(set.usable(), 1, "a controller goes below the floor");
    assert!((0..8).all(|_| set.take() == 4));
    assert_eq!(set.lose(2), Retired::Already, "DENIED is out of use already");
    for ev in 0..4 {
        assert!(set.allow(ev) && !set.allow(ev));
    }
    assert_eq!(
        [0, 1, 2, 3].map(|ev| set.state(ev)),
        [EvState::Good, EvState::AssumedBad, EvState::Good, EvState::Good],
        "ASSUMED_BAD is as it was"
    );
    assert_eq!(set.usable(), 4);
    set.deny(1);
    set.revive(1, false);
    assert_eq!(
        set.state(1),
        EvState::Denied,
        "probes do not overrule a controller"
    );
}

#[test]
fn a_denied_ev_gives_its_slot_to_a_backup() {
    let mut set = EvSet::new(2, 4, 2, 0, 7);
    assert_eq!(set.deny(2), Retired::Out(Some(4)));
    assert!(!set.is_active(2) && set.is_active(4));
}

#[test]
fn planes_without_a_port_are_left_out() {
    let mut set = set(4, 16);
    set.set_planes_down(0b0010);
    let taken: Vec<u16> = (0..300).map(|_| set.take()).collect();
    for plane in [0, 2, 3] {
        assert_eq!(taken.iter().filter(|&&ev| ev % 4 == plane).count(), 100);
    }
    set.set_planes_down(0);
    assert!((0..16).map(|_| set.take()).any(|ev| ev % 4 == 1));
    set.set_planes_down(0b1111);
    assert!((0..16).all(|_| set.take() < 16), "something is still sent");
}

#[test]
fn the_last_good_ev_of_a_plane_carries_it_alone() {
    for good in 0..16 {
        let mut set = set(2, 32);
        for ev in (0..32).filter(|ev| ev % 2 == 0 && ev / 2 != good) {
            set.lose(ev);
        }
        for turn in 0..2_000 {
            if turn % 3 == 0 {
                set.penalise(good * 2);
            }
            let ev = set.take();
            assert!(ev % 2 == 1 || ev == good * 2, "EV {ev} is ASSUMED_BAD");
        }
    }
}

#[test]
fn a_dead_plane_is_left_out_and_when_all_are_dead_something_is_still_sent() {
    let mut set = set(2, 4);
    set.lose(0);
    set.lose(2);
    assert!((0..10).all(|_| set.take() % 2 == 1));
    set.lose(1);
    set.lose(3);
    assert_eq!(set.usable(), 0);
    let taken: Vec<u16> = (0..8).map(|_| set.take()).collect();
    assert!((0..4).all(|ev| taken.contains(&ev)), "{taken:?}");
}

#[test]
fn whatever_happens_counts_and_slots_agree() {
    use kernel::rng::{below, draw};
    for seed in 0..200 {
        let planes = 1 + draw(seed, 0) as u32 % 8;
        let mut set = EvSet::new(
            planes,
            (planes * 4) as u16,
            (planes * 2) as u16,
            planes as u16,
            seed,
        );
        for step in 1..400 {
            let ev = below(draw(seed, 2 * step), u64::from(set.len())) as u16;
            match draw(seed, 2 * step + 1) % 6 {
                0 => _ = set.penalise(ev),
                1 => _ = set.lose(ev),
                2 => _ = set.revive(ev, step % 2 == 0),
                3 => _ = set.deny(ev),
                4 => _ = set.allow(ev),
                _ => _ = set.take(),
            }
            let slots: Vec<u16> = (0..set.slots()).map(|slot| set.in_slot(slot)).collect();
            let mut different = slots.clone();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), slots.len(), "an EV has one slot at most");
            for (slot, &ev) in slots.iter().enumerate() {
                assert_eq!(
                    set.plane(ev),
                    set.plane(slot as u16),
                    "backups come from the same plane"
                );
            }
            let usable = slots.iter().filter(|&&ev| set.is_usable(ev)).count();
            assert_eq!(usable, usize::from(set.usable()));
        }
    }
}
