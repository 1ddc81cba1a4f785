//! Every preset is valid, told in words, and written the way the program writes.

use scenario::{
    FaultKind, LinkName, Preset, Protocol, Scenario, find_preset, paper_presets, presets, versus_presets,
};
use std::collections::BTreeSet;

/// Stories, experiments, and what is compared.
fn all() -> impl Iterator<Item = &'static Preset> {
    presets().iter().chain(paper_presets()).chain(versus_presets())
}

#[test]
fn each_is_valid_and_explains_itself() {
    for preset in all() {
        let slug = preset.slug;
        let s = Scenario::from_json(preset.json).unwrap_or_else(|e| panic!("{slug}: {e}"));
        assert_eq!(s.validate(), Ok(()), "{slug}");
        assert_eq!(preset.scenario(), s);
        assert!(
            s.name.chars().count() > 5 && s.about.chars().count() > 100,
            "{slug} says what to look for"
        );
        assert!(
            slug.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "{slug} needs no escaping in a link"
        );
        assert!(
            s.flows().iter().all(|f| f.start_ps < s.until.0),
            "{slug}: every flow starts"
        );
        assert!(
            s.faults.iter().all(|f| f.at < s.until),
            "{slug}: every fault happens"
        );
    }
}

#[test]
fn names_are_unique_and_the_default_comes_first() {
    let slugs: BTreeSet<&str> = all().map(|p| p.slug).collect();
    assert_eq!(slugs.len(), all().count());
    assert!(all().all(|preset| find_preset(preset.slug) == Some(preset)));
    assert_eq!(find_preset("paper-"), None);
    assert_eq!(presets()[0].slug, "link-dies");
}

/// The names of the files in a folder of this crate.
fn files(folder: &str) -> BTreeSet<String> {
    std::fs::read_dir(format!("{}/{folder}", env!("CARGO_MANIFEST_DIR")))
        .unwrap()
        .map(|file| file.unwrap())
        .filter(|file| file.file_type().unwrap().is_file())
        .map(|file| file.file_name().into_string().unwrap())
        .collect()
}

#[test]
fn each_file_in_the_folder_is_a_preset() {
    let stories: BTreeSet<String> = presets().iter().map(|p| format!("{}.json", p.slug)).collect();
    assert_eq!(files("presets"), stories);
    let experiments: BTreeSet<String> = paper_presets()
        .iter()
        .map(|p| format!("{}.json", p.slug.strip_prefix("paper-").unwrap()))
        .collect();
    assert_eq!(files("presets/paper"), experiments);
    let compared: BTreeSet<String> = versus_presets()
        .iter()
        .map(|p| format!("{}.json", p.slug))
        .collect();
    assert_eq!(files("presets/versus"), compared);
}

/// What the page shows first has to hold the event that the project promises: a T0–T1 link dies under load and
/// comes back.
#[test]
fn the_default_breaks_and_heals_one_t0_t1_link() {
    let s = presets()[0].scenario();
    let [down, up] = s.faults.as_slice() else {
        panic!("two faults")
    };
    let (FaultKind::LinkDown { link: broken, .. }, FaultKind::LinkUp { link: healed, .. }) =
        (&down.what, &up.what)
    else {
        panic!("down, then up");
    };
    assert_eq!(broken, healed);
    assert!(matches!(broken, LinkName::T0T1 { .. }));
    assert!(down.at < up.at);
}

/// Every link that a preset takes away in stages comes back.
#[test]
fn the_staircase_goes_down_to_one_link_and_up_again() {
    let s = presets()
        .iter()
        .find(|p| p.slug == "nic-link")
        .unwrap()
        .scenario();
    let mut down = BTreeSet::new();
    let mut least_up = s.fabric.planes;
    for fault in &s.faults {
        match &fault.what {
            FaultKind::LinkDown { link, .. } => assert!(down.insert(*link)),
            FaultKind::LinkUp { link, .. } => assert!(down.remove(link)),
            other => panic!("{other:?}"),
        }
        least_up = least_up.min(s.fabric.planes - down.len() as u32);
    }
    assert_eq!((least_up, down.len()), (1, 0));
}

/// The largest fabric of the MRC paper (arXiv:2605.04333): every NIC sends to another rack and receives once, and one
/// T1 dies while they do.
#[test]
fn the_whole_fabric_is_whole() {
    let s = presets()
        .iter()
        .find(|p| p.slug == "whole-fabric")
        .unwrap()
        .scenario();
    assert_eq!((s.fabric.planes, s.fabric.nics()), (8, 131_072));
    let flows = s.flows();
    let rack = |nic: u32| nic / s.fabric.nics_per_t0;
    assert!(flows.iter().all(|f| rack(f.src) != rack(f.dst)));
    for end in [|f: &scenario::Flow| f.src, |f: &scenario::Flow| f.dst] {
        let nics: BTreeSet<u32> = flows.iter().map(end).collect();
        assert_eq!((nics.len(), flows.len()), (131_072, 131_072));
    }
    let [fault] = s.faults.as_slice() else {
        panic!("one fault")
    };
    assert!(matches!(
        fault.what,
        FaultKind::SwitchDown {
            switch: scenario::SwitchName::T1 { .. }
        }
    ));
}

/// The conventional design that the MRC paper compares with, in small: one plane, no oversubscription, and every flow goes to
/// another pod, so over a T2.
#[test]
fn three_tiers_are_crossed_by_every_flow() {
    let s = presets()
        .iter()
        .find(|p| p.slug == "three-tiers")
        .unwrap()
        .scenario();
    let fabric = &s.fabric;
    assert_eq!((fabric.planes, fabric.tiers(), fabric.pods), (1, 3, 4));
    assert_eq!(
        fabric.nics_per_t0,
        fabric.t1_per_pod(),
        "T0s: ports down, ports up"
    );
    assert_eq!(
        fabric.t0_per_pod(),
        fabric.t2_per_t1(),
        "T1s: ports down, ports up"
    );
    let pod = |nic: u32| nic / (fabric.nics_per_t0 * fabric.t0_per_pod());
    let flows = s.flows();
    assert!(flows.iter().all(|f| pod(f.src) != pod(f.dst)));
    assert_eq!(flows.len() as u64, fabric.nics());
    let t2 = "p0/t2.5".parse().unwrap();
    let faults: Vec<&FaultKind> = s.faults.iter().map(|fault| &fault.what).collect();
    assert_eq!(
        faults,
        [
            &FaultKind::SwitchDown { switch: t2 },
            &FaultKind::SwitchUp { switch: t2 }
        ]
    );
}

/// What is compared with MRC sends what MRC sends, from the same NICs at the same rate.
#[test]
fn roce_has_the_same_work_as_mrc() {
    let of = |slug: &str| find_preset(slug).expect(slug).scenario();
    for (roce, mrc) in [
        ("roce-pfc-incast", "incast"),
        ("roce-ecmp-collisions", "paper-fig-20"),
        ("roce-allreduce", "paper-fig-16"),
        ("roce-t1-dies", "t1-dies"),
        ("paper-fig-16-roce", "paper-fig-16"),
        ("paper-fig-17-roce", "paper-fig-17"),
        ("paper-fig-18-roce", "paper-fig-18"),
        ("paper-fig-20-roce", "paper-fig-20"),
    ] {
        let (r, m) = (of(roce), of(mrc));
        assert_eq!(r.transport.protocol, Protocol::Roce, "{roce}");
        assert_eq!(m.transport.protocol, Protocol::Mrc, "{mrc}");
        let ends = |s: &Scenario| -> Vec<(u32, u32)> { s.flows().iter().map(|f| (f.src, f.dst)).collect() };
        assert_eq!(ends(&r), ends(&m), "{roce}");
    }
    // These name each other for a comparison.
    let (r, m) = (of("roce-pfc-incast"), of("incast"));
    assert_eq!(
        (r.seed, r.traffic, r.faults, r.until),
        (m.seed, m.traffic, m.faults, m.until)
    );
    let rate = |s: &Scenario| s.fabric.nic_link_rate.0 * u64::from(s.fabric.planes);
    assert_eq!(rate(&of("roce-allreduce")), rate(&of("paper-fig-16")));
}

/// The page and the command show the texts as they are.
#[test]
fn texts_have_no_markup() {
    for preset in all() {
        let scenario = preset.scenario();
        for text in [scenario.name, scenario.about] {
            assert!(!text.contains('`'), "{}: {text}", preset.slug);
        }
    }
}

/// Each of the two spines lacks the way to one rack, and only racks that send have both: a packet that bounces does so there.
#[test]
fn the_deadlock_has_its_circle() {
    let s = find_preset("pfc-deadlock").expect("a preset").scenario();
    assert!(s.fabric.local_reroute && s.fabric.pfc.is_some());
    let dead: BTreeSet<(u32, u32)> = s
        .faults
        .iter()
        .map(|fault| match fault.what {
            FaultKind::LinkDown {
                link: LinkName::T0T1 { t0, t1, .. },
                ..
            } => (t0, t1),
            ref other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(dead, BTreeSet::from([(2, 0), (3, 1)]));
    let rack = |nic: u32| nic / s.fabric.nics_per_t0;
    let racks: BTreeSet<(u32, u32)> = s.flows().iter().map(|f| (rack(f.src), rack(f.dst))).collect();
    assert_eq!(racks, BTreeSet::from([(0, 2), (1, 3)]));
}
