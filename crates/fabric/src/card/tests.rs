use super::*;

fn card(clos: Clos, gbps: [u64; 3]) -> Card {
    Card::of(&clos, gbps.map(|gbps| gbps * 1_000_000_000))
}

/// The paper's three-tier design: 1 × 800 Gb/s, 64 pods of 32 T0s and 32 T1s, 1,024 T2s.
fn three_tiers() -> Card {
    let clos = Clos {
        planes: 1,
        t0s: 2_048,
        t1s: 2_048,
        nics_per_t0: 32,
        pods: 64,
        t2s: 1_024,
    };
    card(clos, [800; 3])
}

/// The paper's: 8 × 100 Gb/s, 512 T0s and 256 T1s in each plane.
fn eight_planes() -> Card {
    card(Clos::two_tiers(8, 512, 256, 256), [100; 3])
}

// All values are those of the MRC paper's comparison as facts 5 has them, where no other reason is given.

#[test]
fn switches_and_nics() {
    let (three, eight) = (three_tiers(), eight_planes());
    assert_eq!((three.nics, eight.nics), (65_536, 131_072));
    assert_eq!(three.switches, [2_048, 2_048, 1_024]);
    assert_eq!(eight.switches, [4_096, 2_048, 0]);
    assert_eq!((three.all_switches(), eight.all_switches()), (5_120, 6_144));
    assert_eq!(eight.switches_per_nic() / three.switches_per_nic(), 3.0 / 5.0);
    assert_eq!((three.nic_bps, eight.nic_bps), (800_000_000_000, 800_000_000_000));
    // 51.2 Tb/s switches, which can carry no more NICs than these.
    for card in [&three, &eight] {
        assert_eq!(card.switch_bps, 51_200_000_000_000);
        assert_eq!(card.most_nics, u64::from(card.nics));
    }
}

#[test]
fn four_planes_of_200_gbps_carry_32768_nics() {
    // Facts 5: the same switches with 128 ports down and 128 up at a T0, 256 T0s.
    let card = card(Clos::two_tiers(4, 256, 128, 128), [200; 3]);
    assert_eq!(card.switch_bps, 51_200_000_000_000);
    assert_eq!((card.nics, card.most_nics), (32_768, 32_768));
}

#[test]
fn optics() {
    let (three, eight) = (three_tiers(), eight_planes());
    assert_eq!((three.optical_layers(), eight.optical_layers()), (3.0, 2.0));
    // As many links as NICs in each tier; and eight thin ones for each NIC in either tier.
    assert_eq!(three.links, [65_536; 3]);
    assert_eq!(eight.links, [8 * 131_072, 8 * 131_072, 0]);
    assert_eq!(
        (three.link_ends(), eight.link_ends()),
        (6 * 65_536, 4 * 8 * 131_072)
    );
    // Two for each layer of optics and NIC: eight ports of 100 Gb/s share one of 800 Gb/s.
    assert_eq!(
        (three.transceivers(), eight.transceivers()),
        (6 * 65_536, 4 * 131_072)
    );
}

#[test]
fn distances() {
    let (three, eight) = (three_tiers(), eight_planes());
    assert_eq!((three.longest_path, eight.longest_path), (5, 3));
    assert_eq!((three.nics_at_t0, eight.nics_at_t0), (32, 256));
    // One path for each T2, and for each T1 of each plane.
    assert_eq!((three.paths, eight.paths), (1_024, 2_048));
    let lonely = card(Clos::two_tiers(2, 1, 4, 8), [100; 3]);
    assert_eq!((lonely.longest_path, lonely.paths), (1, 2), "one T0 has all NICs");
}

#[test]
fn no_oversubscription_unless_it_is_built_so() {
    let (three, eight) = (three_tiers(), eight_planes());
    assert_eq!(three.oversubscription, [Some(1.0), Some(1.0)]);
    assert_eq!(eight.oversubscription, [Some(1.0), None]);
    for card in [&three, &eight] {
        let half = u128::from(card.nics / 2) * u128::from(card.nic_bps);
        assert_eq!(card.bisection_bps, half, "full bisection");
    }
    // By hand: 8 NICs of 100 Gb/s over 4 T1s at 50 Gb/s, and T1s with 400 Gb/s down and 2 × 100 Gb/s up.
    let clos = Clos {
        planes: 1,
        t0s: 16,
        t1s: 8,
        nics_per_t0: 8,
        pods: 2,
        t2s: 8,
    };
    let thin = card(clos, [100, 50, 100]);
    assert_eq!(thin.oversubscription, [Some(4.0), Some(2.0)]);
    // 64 T0–T1 links of 50 Gb/s, 16 T1–T2 links of 100 Gb/s: the latter are less, 1.6 Tb/s, half of them for each half.
    assert_eq!(thin.links, [128, 64, 16]);
    assert_eq!(thin.bisection_bps, 800_000_000_000);
    // (128 × 100 + 64 × 50 + 16 × 100) / (128 × 100).
    assert_eq!(thin.optical_layers(), 1.375);
    // Two for each layer and each of the 128 NICs.
    assert_eq!(thin.transceivers(), 352);
}

#[test]
fn blast_radii() {
    let (three, eight) = (three_tiers(), eight_planes());
    let uplinks = |card: &Card, what| card.loss_of(what).and_then(|loss| loss.of_uplinks);
    // 3 % against 0.4 %, 100 % against 12 %.
    assert_eq!(uplinks(&three, Lost::T0T1Link), Some(1.0 / 32.0));
    assert_eq!(uplinks(&eight, Lost::T0T1Link), Some(1.0 / 256.0));
    assert_eq!(uplinks(&three, Lost::NicLink), Some(1.0));
    assert_eq!(uplinks(&eight, Lost::NicLink), Some(1.0 / 8.0));
    // The others by hand, in the order of `Lost`: NICs concerned, share of each, share of all.
    let shares = |card: &Card| -> Vec<(u32, f64, f64)> {
        let losses = card.losses.iter();
        losses
            .map(|loss| (loss.nics, loss.of_nic, loss.of_fabric))
            .collect()
    };
    let rack = 256.0 / 131_072.0;
    assert_eq!(
        shares(&eight),
        [
            (1, 1.0 / 8.0, 1.0 / 8.0 / 131_072.0),
            (256, 1.0 / 2_048.0, rack / 2_048.0),
            (256, 1.0 / 8.0, rack / 8.0),
            (131_072, 1.0 / 2_048.0, 1.0 / 2_048.0),
            (1, 1.0, 1.0 / 131_072.0),
        ]
    );
    assert_eq!(
        shares(&three),
        [
            (1, 1.0, 1.0 / 65_536.0),
            (32, 1.0 / 32.0, 1.0 / 65_536.0),
            (1_024, 1.0 / 1_024.0, 1.0 / 65_536.0),
            (32, 1.0, 1.0 / 2_048.0),
            (1_024, 1.0 / 32.0, 1.0 / 2_048.0),
            (65_536, 1.0 / 1_024.0, 1.0 / 1_024.0),
            (1, 1.0, 1.0 / 65_536.0),
        ]
    );
    assert_eq!(eight.loss_of(Lost::T2), None);
}
