use super::*;
use crate::config::{CacheShape, Replacement};
use crate::secret_key;

fn probe() -> Probe {
    Probe {
        config: Config::default(),
        aim: Aim::Set,
        others: 0,
        passes: 1,
        noise: Time::ZERO,
        rounds: 2_000,
        seed: 1,
    }
}

fn seen(probe: &Probe) -> Seen {
    prime_and_probe(probe).unwrap_or_else(|e| panic!("{e}"))
}

/// Five standard deviations of a share of `p` among `n`.
fn five_sigma(p: f64, n: u32) -> f64 {
    5.0 * (p * (1.0 - p) / f64::from(n)).sqrt()
}

/// An even bit seen without error is 1 bit, one seen not at all is 0. A channel that says "yes" wrongly in half of the cases
/// of "no": p(yes) = 3/4, so H = 0.8113, less the 0.5 that are left: 0.3113.
#[test]
fn information_by_hand() {
    let of = |rounds| Seen { rounds }.information();
    assert_eq!(of([[50, 0, 0], [0, 0, 50]]), 1.0);
    assert_eq!(of([[25, 0, 25], [25, 0, 25]]), 0.0);
    assert!((of([[25, 0, 25], [0, 0, 50]]) - 0.311_28).abs() < 1e-5);
    // A channel that tells a tenth of the time: 0.1 bit.
    assert!((of([[10, 90, 0], [0, 90, 10]]) - 0.1).abs() < 1e-12);
    let seen = Seen {
        rounds: [[10, 90, 0], [0, 90, 10]],
    };
    assert_eq!(seen.accuracy(), 0.55);
    assert_eq!(Seen::default().information(), 0.0);
}

/// One flow in the target's set, nothing else going on: thrown out if and only if the target was active.
#[test]
fn a_spy_who_knows_the_key_sees_everything() {
    let found = seen(&probe());
    assert_eq!(found.accuracy(), 1.0);
    assert!(found.information() > 0.999, "{found:?}");
}

/// Each other packet is in the target's set with probability 1/2,048, so 512 of them throw the spy's flow out with probability
/// 1 − (2,047/2,048)^512 = 0.2212 although the target was idle; accuracy 1 − 0.2212/2 = 0.8894. The flows' layout is a draw too:
/// 32 sets have 8 ± 2.8 of the 16,384 other flows each, which moves the mean over them by at most 5 · 0.077/√32 = 0.068.
#[test]
fn other_traffic_is_noise() {
    let found = seen(&Probe {
        others: 512,
        rounds: 1_000,
        ..probe()
    });
    assert!(
        (found.accuracy() - 0.8894).abs() < 0.034 + five_sigma(0.8894, 1_000),
        "{found:?}"
    );
    assert_eq!(found.rounds[1][0], 0, "an active target is never missed");
}

/// Under another key the spy's flow is in the target's set by chance: in 1 of 2,048.
#[test]
fn a_secret_key_hides_the_set() {
    let mut hidden = probe();
    hidden.config.rss_key = secret_key(7);
    let found = seen(&hidden);
    assert!(
        (found.accuracy() - 0.5).abs() < five_sigma(0.5, 2_000),
        "{found:?}"
    );
    assert!(found.information() < 0.05, "{found:?}");
}

/// 2,048 flows at random are in 2,048 (1 − 1/e) sets, 0.632 of them; who does not know the key still sees that share of the
/// target's packets: accuracy (1 + 0.632)/2 = 0.816. 32 targets: the share covered has a standard deviation of 0.085.
#[test]
fn no_key_is_needed_to_see_activity() {
    let mut everywhere = probe();
    everywhere.config.rss_key = secret_key(7);
    everywhere.aim = Aim::Everywhere;
    everywhere.rounds = 64;
    let found = seen(&everywhere);
    assert!(
        (found.accuracy() - 0.816).abs() < 0.043 * 5.0 + five_sigma(0.816, 64),
        "{found:?}"
    );
    assert_eq!(found.rounds[0][2], 0, "nothing is seen where nothing was");
    assert!(found.rounds[1][2] > 0);
}

#[test]
fn a_part_of_its_own_closes_the_leak() {
    for aim in [Aim::Set, Aim::Everywhere] {
        let mut parted = probe();
        parted.config.l1_partitions = 2;
        parted.aim = aim;
        parted.rounds = if aim == Aim::Set { 2_000 } else { 32 };
        parted.others = 16;
        let found = seen(&parted);
        assert_eq!([found.rounds[0][2], found.rounds[1][2]], [0, 0], "{found:?}");
        assert_eq!(found.information(), 0.0);
    }
}

/// Eight ways with least-recently-used replacement: eight flows fill the set, the target's packet throws the first out. With
/// random replacement one of the eight goes, whichever: a spy who primes until all are in sees that as well.
#[test]
fn ways_and_random_replacement_do_not_help() {
    for (replacement, passes) in [(Replacement::Lru, 1), (Replacement::Random, 64)] {
        let mut ways = probe();
        ways.config.l1 = CacheShape {
            entries: 2_048,
            ways: 8,
            replacement,
        };
        ways.passes = passes;
        ways.rounds = 400;
        let found = seen(&ways);
        assert!(found.accuracy() > 0.99, "{replacement:?} {found:?}");
    }
}

/// A reading says something for sure when it is below the slow one or above the fast one with the most noise: with probability
/// 200 ns / 2 µs. Accuracy 1/2 + 0.1/2 = 0.55, information 0.1 bit; of 10,000 rounds the share is known to 5 · 0.003.
#[test]
fn noise_is_a_tenth_of_the_leak() {
    let found = seen(&Probe {
        noise: Time::from_us(2),
        rounds: 10_000,
        ..probe()
    });
    assert!(
        (found.information() - 0.1).abs() < five_sigma(0.1, 10_000),
        "{found:?}"
    );
    assert!(
        (found.accuracy() - 0.55).abs() < five_sigma(0.1, 10_000),
        "{found:?}"
    );
}

#[test]
fn bad_numbers_are_named() {
    let refused = |probe: Probe| prime_and_probe(&probe).unwrap_err().to_string();
    assert_eq!(
        refused(Probe { rounds: 0, ..probe() }),
        "rounds is 0: from 1 to 10000000 are allowed"
    );
    let mut parts = probe();
    parts.config.l1_partitions = 3;
    assert_eq!(
        refused(parts),
        "l1_partitions is 3: a power of two up to the 2048 sets of l1 is allowed"
    );
    parts.config.l1_partitions = 4_096;
    assert!(refused(parts).contains("up to the 2048 sets"));
    let mut small = probe();
    small.config.flows = 10;
    assert!(refused(small).starts_with("flows is 10: from "));
}
