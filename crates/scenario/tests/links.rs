//! The URL form: round trip, links of the past, and every kind of broken link.

mod common;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use common::{arbitrary, small};
use proptest::prelude::*;
use scenario::link::{
    LinkError, MAX_LINK_BYTES, MAX_MARK_NAME, MAX_MARKS, MAX_UNPACKED_BYTES, Mark, at_moment,
    compare_presets, comparison_file, decode, decode_any, decode_compare, encode, encode_compare, marks,
    moment, preset, read_comparison_file, with_marks, without_marks,
};
use scenario::{LoadError, Scenario, Traffic, presets};
use std::collections::BTreeSet;

/// A link around any bytes.
fn link_of(content: &[u8]) -> String {
    format!(
        "1.{}",
        URL_SAFE_NO_PAD.encode(miniz_oxide::deflate::compress_to_vec_zlib(content, 6))
    )
}

#[test]
fn links_of_the_past_mean_what_they_meant() {
    let folder = format!("{}/tests/golden_links", env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str, extension: &str| {
        let path = format!("{folder}/{name}.{extension}");
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
    };
    let names: BTreeSet<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .filter_map(|f| f.strip_suffix(".link").map(str::to_owned))
        .collect();
    assert!(names.len() >= 2, "golden links are there");
    for name in names {
        let expected = Scenario::from_json(&read(&name, "json")).unwrap();
        assert_eq!(decode(&read(&name, "link")).unwrap(), expected, "{name}");
    }
}

/// A whole link as literal text, packed by another zlib than ours.
#[test]
fn a_link_spelled_out() {
    let link = "1.eNpdjrEOAiEQRP9lagqwpLSx8guMIdwdJORwj7CoMYR_F7CznLezM1PxcpnDQdBK4EklRGioB0PA2yWHFboiRUuOp6VIk1w2k_yA-gMUVp6oSOjT1CYG2k22xY1wKS9LYrT-m633o-JWsQfa-tXH4927OXcqBTYuM3T5lDEA6npGu7cvSaI6Qg";
    let json = r#"{"version":1,"until":"1ms","fabric":{"planes":1,"t0_per_plane":1,"t1_per_plane":1,"nics_per_t0":2,"nic_link_rate":"100Gbps"},"traffic":[{"kind":"flow","src":0,"dst":1,"bytes":"1MB"}]}"#;
    assert_eq!(decode(link).unwrap(), Scenario::from_json(json).unwrap());
}

#[test]
fn a_link_may_have_its_hash_sign_spaces_padding_and_a_seed() {
    let link = encode(&small()).unwrap();
    assert_eq!(decode(&format!("#{link}")).unwrap(), small());
    assert_eq!(decode(&format!(" #{link}\n")).unwrap(), small());
    assert_eq!(decode(&format!("{link}==")).unwrap(), small());
    let seeded = Scenario { seed: 5, ..small() };
    assert_eq!(decode(&format!("#{link}&seed=5")).unwrap(), seeded);
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
    assert!(link.bytes().all(allowed), "nothing in a link needs escaping");
}

#[test]
fn a_link_may_name_a_time_which_is_no_part_of_the_experiment() {
    use scenario::Time;
    let plain = encode(&small()).unwrap();
    let link = at_moment(&format!("{plain}&seed=5"), Time(12_500_000));
    assert_eq!(link, format!("{plain}&seed=5&at=12500ns"));
    assert_eq!(decode(&link).unwrap(), Scenario { seed: 5, ..small() });
    assert_eq!(moment(&format!("#{link}")), Ok(Some(Time(12_500_000))));
    // A browser escapes what is no ASCII, and blanks; both letters for micro are read.
    assert_eq!(moment("preset/incast&at=1.5%20ms"), Ok(Some(Time::us(1_500))));
    assert_eq!(moment("preset/incast&at=12%C2%B5s"), Ok(Some(Time::us(12))));
    assert_eq!(moment("preset/incast&at=12µs"), Ok(Some(Time::us(12))));
    assert_eq!(moment("c=preset/incast,link-dies&at=0"), Ok(Some(Time(0))));
    assert_eq!(moment("preset/incast&seed=3"), Ok(None));
    // 100 s is the latest time of any scenario.
    assert_eq!(at_moment("preset/incast", Time::s(101)), "preset/incast");
    for bad in ["at=", "at=3", "at=3 parsecs", "at=-1us", "at=101s", "at"] {
        let given = LinkError::BadOption { given: bad.into() };
        assert_eq!(
            moment(&format!("preset/incast&{bad}")),
            Err(given.clone()),
            "{bad}"
        );
        assert_eq!(decode(&format!("preset/incast&{bad}")), Err(given), "{bad}");
    }
}

#[test]
fn a_link_may_have_bookmarks_which_are_no_part_of_the_experiment() {
    let plain = encode(&small()).unwrap();
    let mark = |at, name: &str| Mark {
        at: scenario::Time(at),
        name: name.into(),
    };
    let set = [mark(12_500_000, "first drop"), mark(0, "100 %, “so”")];
    let link = with_marks(&format!("{plain}&seed=5"), &set);
    let written = "&marks=12500ns:first%20drop,0:100%20%25%2C%20%E2%80%9Cso%E2%80%9D";
    assert_eq!(link, format!("{plain}&seed=5{written}"));
    assert_eq!(marks(&format!("#{link}")), Ok(set.to_vec()));
    assert_eq!(decode(&link).unwrap(), Scenario { seed: 5, ..small() });
    assert_eq!(moment(&link), Ok(None));
    assert_eq!(marks(&plain), Ok(Vec::new()));
    assert_eq!(marks(&format!("{plain}&marks=")), Ok(Vec::new()));
    assert_eq!(
        without_marks(&format!("{link}&at=3us")),
        format!("{plain}&seed=5&at=3us")
    );
    assert_eq!(
        with_marks(&plain, &[]),
        plain,
        "a link without any stays as it is"
    );
    // As somebody writes it by hand, and as browsers escape it.
    let by_hand = "preset/incast&marks=1.5%20ms:%20a: b ,12%C2%B5s:100%&at=3us";
    let read = vec![mark(1_500_000_000, "a: b"), mark(12_000_000, "100%")];
    assert_eq!(marks(by_hand), Ok(read));
    assert_eq!(moment(by_hand), Ok(Some(scenario::Time::us(3))));
    // What would not be read is not written.
    let long = "x".repeat(MAX_MARK_NAME + 1);
    let none = [
        mark(1, ""),
        mark(1, "a\n"),
        mark(1, &long),
        mark(u64::MAX, "late"),
    ];
    assert_eq!(with_marks(&plain, &none), plain);
}

#[test]
fn a_bookmark_that_is_none_is_named_with_its_place() {
    let words = |option: &str| {
        let link = format!("preset/incast&{option}");
        let why = decode(&link).unwrap_err();
        assert_eq!(marks(&link), Err(why.clone()));
        why.to_string()
    };
    let long = format!("marks=1us:{}", "x".repeat(MAX_MARK_NAME + 1));
    let many: Vec<String> = (0..=MAX_MARKS).map(|at| format!("{at}ns:a")).collect();
    let many = format!("marks={}", many.join(","));
    for (option, expected) in [
        ("marks=,", "bookmark 1 of the link is \"\"; expected TIME:NAME"),
        (
            "marks=1us:a,3%20parsecs:b",
            "bookmark 2 of the link is \"3 parsecs:b\"",
        ),
        ("marks=1us:a,", "bookmark 2 of the link is \"\""),
        ("marks=1us", "bookmark 1 of the link is \"1us\""),
        ("marks=1us:%20", "bookmark 1 of the link is \"1us: \""),
        ("marks=101s:a", "bookmark 1 of the link is \"101s:a\""),
        ("marks=1us:a%00", "bookmark 1 of the link is \"1us:a<U+0000>\""),
        // It would turn what stands after it around.
        (
            "marks=1us:a%E2%80%AEb",
            "bookmark 1 of the link is \"1us:a<U+202E>b\"",
        ),
        (&long, "a name of at most 80 characters"),
        (
            "marks=1us:a,2us:b,1000ns:c",
            "bookmark 3 of the link, \"1000ns:c\", is at the time of one before it",
        ),
        (&many, "the link has 101 bookmarks; at most 100 are read"),
        (
            "marks=1us:a&marks=2us:b",
            "the same option a second time, \"marks=2us:b\"",
        ),
        ("mark=1us:a", "or marks=TIME:NAME,… for bookmarks"),
    ] {
        let said = words(option);
        assert!(said.contains(expected) && said.len() < 300, "{said}");
    }
}

#[test]
fn only_links_of_one_fabric_have_bookmarks() {
    let elsewhere = Some(LinkError::MarksElsewhere);
    let link = |scenarios: &str| format!("{scenarios}&marks=1us:a");
    assert_eq!(decode_any(&link("preset/host-latency")).err(), elsewhere);
    assert_eq!(
        decode_compare(&link("c=preset/incast,link-dies")).err(),
        elsewhere
    );
    assert!(decode_any(&link("preset/incast")).is_ok());
}

#[test]
fn options_are_named_as_people_wrote_them() {
    let words = |option: &str| {
        decode(&format!("preset/incast&{option}"))
            .unwrap_err()
            .to_string()
    };
    for (option, named) in [
        ("at=12%20parsecs", "the option \"at=12 parsecs\""),
        ("at=%zz", "the option \"at=%zz\""),
        // No character of UTF-8.
        ("at=%ff", "the option \"at=%ff\""),
        ("at=%", "the option \"at=%\""),
        ("seed=1&seed=2", "the same option a second time, \"seed=2\""),
        (
            "at=1us&seed=1&at=1us",
            "the same option a second time, \"at=1us\"",
        ),
    ] {
        assert!(words(option).contains(named), "{}", words(option));
    }
}

#[test]
fn of_presets_the_nearest_are_named() {
    let words = |link: &str| decode(link).unwrap_err().to_string();
    // One letter apart, and the same but for capitals.
    for (given, near) in [("link-dyes", "are link-dies, "), ("T1-DIES", "are t1-dies, ")] {
        let said = words(&format!("preset/{given}"));
        assert!(said.contains(near) && said.len() < 120, "{said}");
    }
    let long = words(&format!("preset/{}", "x".repeat(100_000)));
    assert!(long.len() < 200, "{long}");
}

#[test]
fn a_comparison_comes_back_from_its_file() {
    let both = vec![small(), Scenario { seed: 9, ..small() }];
    let text = comparison_file(&both);
    assert_eq!(read_comparison_file(&text), Some(Ok(both.clone())));
    assert_eq!(read_comparison_file(&small().to_json_pretty()), None);
    assert_eq!(read_comparison_file("[1, 2"), None);
    let alone = comparison_file(&both[..1]);
    assert_eq!(
        read_comparison_file(&alone),
        Some(Err(LinkError::BadCount { count: 1 }))
    );
    let words = |count: usize| LinkError::BadCount { count }.to_string();
    assert_eq!(
        words(0),
        "the comparison has no scenario; expected 2 to 4 scenarios"
    );
    assert_eq!(
        words(1),
        "the comparison has 1 scenario; expected 2 to 4 scenarios"
    );
    assert_eq!(
        words(5),
        "the comparison has 5 scenarios; expected 2 to 4 scenarios"
    );
    let broken = text.replacen("\"planes\": 2", "\"planes\": 99", 1);
    let read = read_comparison_file(&broken).unwrap();
    assert!(
        matches!(read, Err(LinkError::Compared { number: 1, .. })),
        "{read:?}"
    );
}

#[test]
fn preset_links() {
    for p in presets() {
        assert_eq!(decode(&preset(p.slug, None)).unwrap(), p.scenario());
        let seeded = Scenario {
            seed: u64::MAX,
            ..p.scenario()
        };
        assert_eq!(decode(&preset(p.slug, Some(u64::MAX))).unwrap(), seeded);
        assert!(
            encode(&p.scenario()).unwrap().len() < 1000,
            "{} fits wherever links go",
            p.slug
        );
    }
    assert_eq!(preset("incast", Some(3)), "preset/incast&seed=3");
    let e = decode("#preset/nope").unwrap_err().to_string();
    assert!(
        e.starts_with("there is no preset \"nope\"; the nearest of "),
        "{e}"
    );
}

#[test]
fn broken_links_say_what_is_wrong() {
    let link = encode(&small()).unwrap();
    for empty in ["", "#", "  "] {
        assert_eq!(decode(empty), Err(LinkError::Empty));
    }
    assert_eq!(decode("2.abc"), Err(LinkError::NewerForm { found: "2".into() }));
    for other in [
        "hello",
        "0.abc",
        "x.y",
        "1",
        "../etc/passwd",
        "1,abc",
        "-1.x",
        "٢.x",
        "01",
    ] {
        assert!(
            matches!(decode(other), Err(LinkError::UnknownForm { .. })),
            "{other}"
        );
    }
    let message = decode("hello").unwrap_err().to_string();
    assert_eq!(
        message,
        "the link begins with \"hello\"; expected \"1.\" or \"preset/\""
    );

    let spoilt = format!("{}%{}", &link[..10], &link[11..]);
    assert_eq!(
        decode(&spoilt),
        Err(LinkError::BadCharacter {
            character: '%',
            position: 11
        })
    );
    let spoilt = format!("#{}é{}", &link[..2], &link[3..]);
    assert_eq!(
        decode(&spoilt),
        Err(LinkError::BadCharacter {
            character: 'é',
            position: 3
        })
    );

    let option = |o: &str| decode(&format!("{link}&{o}"));
    for bad in [
        "",
        "seed",
        "seed=",
        "seed=-1",
        "seed=+1",
        "seed=1x",
        "seed=18446744073709551616",
        "speed=1",
        "seed=1&x",
    ] {
        assert!(matches!(option(bad), Err(LinkError::BadOption { .. })), "{bad}");
    }
    assert_eq!(decode("1."), Err(LinkError::Truncated));
}

#[test]
fn every_cut_is_noticed() {
    let link = encode(&small()).unwrap();
    for end in 2..link.len() {
        assert_eq!(
            decode(&link[..end]),
            Err(LinkError::Truncated),
            "cut after {end} of {}",
            link.len()
        );
    }
}

#[test]
fn every_altered_character_is_noticed() {
    let link = encode(&small()).unwrap();
    for at in 2..link.len() {
        for other in ["A", "B", "z", "0", "_", "-"] {
            let altered = format!("{}{other}{}", &link[..at], &link[at + 1..]);
            if altered != link {
                assert!(decode(&altered).is_err(), "character {at} changed to {other}");
            }
        }
        let lost = format!("{}{}", &link[..at], &link[at + 1..]);
        assert!(decode(&lost).is_err(), "character {at} lost");
    }
    assert_eq!(
        decode(&format!("{link}AAAA")),
        Err(LinkError::Altered),
        "something added"
    );
}

#[test]
fn what_is_inside_is_judged_too() {
    assert_eq!(decode(&link_of(&[0xff, 0xfe])), Err(LinkError::Altered));
    let not_json = decode(&link_of(b"hello")).unwrap_err().to_string();
    assert!(
        not_json.starts_with("the link holds no scenario: line 1, column 1"),
        "{not_json}"
    );
    let newer = decode(&link_of(br#"{"version":9}"#));
    assert_eq!(
        newer,
        Err(LinkError::NotAScenario(LoadError::NewerVersion { found: 9 }))
    );
    let field = small()
        .to_json_compact()
        .replace("\"planes\":2", "\"planes\":\"x\"");
    let e = decode(&link_of(field.as_bytes())).unwrap_err().to_string();
    assert!(
        e.starts_with("the link holds no scenario: fabric.planes: line 1, column "),
        "{e}"
    );

    let mut absurd = small();
    absurd.fabric.planes = 0;
    absurd.fabric.nics_per_t0 = 1_000_000_000;
    let e = decode(&encode(&absurd).unwrap()).unwrap_err().to_string();
    assert_eq!(
        e,
        "the link's scenario is not valid: fabric.planes: is 0; expected 1 to 8; and 1 more"
    );
}

#[test]
fn sizes_are_bounded() {
    let long = format!("1.{}", "A".repeat(MAX_LINK_BYTES));
    assert_eq!(
        decode(&long),
        Err(LinkError::TooLong {
            bytes: MAX_LINK_BYTES + 2
        })
    );
    // 16 MiB of spaces pack into some 16 KB.
    let bomb = link_of(&vec![b' '; MAX_UNPACKED_BYTES + 1]);
    assert!(bomb.len() < 50_000);
    assert_eq!(decode(&bomb), Err(LinkError::UnpacksTooLarge));

    let list = (1..=1_000_000).map(|id| (0, 1, 1, 0, id)).collect();
    let large = Scenario {
        traffic: vec![Traffic::Flows { list }],
        ..small()
    };
    assert_eq!(large.validate(), Ok(()));
    let e = encode(&large).unwrap_err();
    assert_eq!(
        e,
        LinkError::ScenarioTooLarge {
            bytes: large.to_json_compact().len()
        }
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn every_scenario_comes_back_from_its_link(s in arbitrary::scenario()) {
        let link = encode(&s).unwrap();
        prop_assert_eq!(&decode(&link).unwrap(), &s);
    }

    #[test]
    fn every_bookmark_comes_back_from_its_link(
        set in proptest::collection::btree_map(0..=100_000_000_000_000_u64, "[^\\s\\pC](\\PC{0,78}[^\\s\\pC])?", 0..=MAX_MARKS)
    ) {
        let set: Vec<Mark> = set
            .into_iter()
            .map(|(at, name)| Mark { at: scenario::Time(at), name })
            .collect();
        let link = with_marks("preset/incast", &set);
        prop_assert!(link.is_ascii());
        prop_assert_eq!(marks(&link), Ok(set));
    }
}

#[test]
fn a_link_of_a_host_scenario_comes_back_and_is_told_from_a_fabrics() {
    use scenario::host::host_presets;
    use scenario::link::{Linked, encode_host};

    for preset in host_presets() {
        let scenario = preset.scenario();
        let link = encode_host(&scenario).unwrap();
        assert_eq!(
            decode_any(&format!("#{link}")),
            Ok(Linked::Host(scenario.clone())),
            "{}",
            preset.slug
        );
        let named = decode_any(&format!("preset/{}&seed=7", preset.slug)).unwrap();
        assert_eq!(
            named,
            Linked::Host(scenario::host::HostScenario { seed: 7, ..scenario })
        );
    }
    assert!(matches!(decode_any("preset/link-dies"), Ok(Linked::Fabric(_))));
    let fabric = presets()[0].scenario();
    let link = encode(&fabric).unwrap();
    assert_eq!(decode_any(&link), Ok(Linked::Fabric(fabric)));
    assert!(decode_any("preset/host-nothing").is_err());
    assert!(decode_any("preset/host-latency&seed=x").is_err());
}

/// The link of a comparison around any bytes.
fn comparison_of(content: &[u8]) -> String {
    format!("c={}", link_of(content))
}

/// A whole link as literal text, packed by another zlib than ours: it must stay readable.
#[test]
fn a_comparison_spelled_out() {
    let link = "c=1.eNrVjz0OAiEQhXuP8WoKUCtKGytPYAxhdyEhiyxhWI0he3cBO-MFLOfLvL-Ch0nklgApGMiYCfLAsIbsPCTEncBg9ZDcCFkQvQ6G-m_mKpqkOvkA8QWCG6mjzCH3_VbehVklnU0z5_w8RMJWtUlb2yKuBbMLtQSsX541m1KlnGGi3E2HV24FIC4nbLdtV34MOP7RgDcjmHmK";
    let json = |seed: u64| {
        format!(
            r#"{{"version":1,"seed":{seed},"until":"1ms","fabric":{{"planes":1,"t0_per_plane":1,"t1_per_plane":1,"nics_per_t0":2,"nic_link_rate":"100Gbps"}},"traffic":[{{"kind":"flow","src":0,"dst":1,"bytes":"1MB"}}]}}"#
        )
    };
    let expected = [3, 4].map(|seed| Scenario::from_json(&json(seed)).unwrap());
    assert_eq!(decode_compare(link).unwrap(), expected);
    let seeded = decode_compare(&format!(" #{link}&seed=9\n")).unwrap();
    assert_eq!(seeded.iter().map(|s| s.seed).collect::<Vec<_>>(), [9, 9]);
}

#[test]
fn a_comparison_shares_what_its_scenarios_have_in_common() {
    let scenario = presets()[0].scenario();
    let other = Scenario {
        seed: 5,
        ..scenario.clone()
    };
    let one = encode(&scenario).unwrap().len();
    let both = [scenario.clone(), other.clone(), scenario, other];
    let link = encode_compare(&both).unwrap();
    assert!(link.len() < one + 100, "{} characters beside {one}", link.len());
    assert_eq!(decode_compare(&link).unwrap(), both);
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-_.=".contains(&b);
    assert!(link.bytes().all(allowed), "nothing in a link needs escaping");
}

#[test]
fn comparisons_of_presets() {
    let link = compare_presets(&["link-dies", "incast"]);
    assert_eq!(link, "c=preset/link-dies,incast");
    let of = |slug: &str| scenario::find_preset(slug).unwrap().scenario();
    assert_eq!(decode_compare(&link).unwrap(), [of("link-dies"), of("incast")]);
    let e = decode_compare("c=preset/link-dies,nope").unwrap_err().to_string();
    assert!(
        e.starts_with("scenario 2 of the comparison: there is no preset \"nope\"; the nearest of "),
        "{e}"
    );
}

#[test]
fn a_comparison_has_two_to_four_fabrics() {
    let of = |count: usize| vec![small(); count];
    for count in [0, 1, 5] {
        assert_eq!(encode_compare(&of(count)), Err(LinkError::BadCount { count }));
    }
    for count in 2..=4 {
        let link = encode_compare(&of(count)).unwrap();
        assert_eq!(decode_compare(&link).unwrap(), of(count));
    }
    let line = small().to_json_compact();
    assert_eq!(
        decode_compare(&comparison_of(line.as_bytes())),
        Err(LinkError::BadCount { count: 1 })
    );
    let five = [&*line; 5].join("\n");
    let e = decode_compare(&comparison_of(five.as_bytes())).unwrap_err();
    assert_eq!(
        e.to_string(),
        "the comparison has 5 scenarios; expected 2 to 4 scenarios"
    );
    assert_eq!(
        decode_compare("c=preset/link-dies"),
        Err(LinkError::BadCount { count: 1 })
    );
    // However many there are, they are counted before any is read.
    let bomb = comparison_of(&vec![b'\n'; MAX_UNPACKED_BYTES]);
    assert_eq!(
        decode_compare(&bomb),
        Err(LinkError::BadCount {
            count: MAX_UNPACKED_BYTES + 1
        })
    );
    let host = scenario::host::host_presets()[0].scenario().to_json_compact();
    let with_host = format!("{line}\n{host}");
    let e = decode_compare(&comparison_of(with_host.as_bytes())).unwrap_err();
    assert_eq!(
        e.to_string(),
        "scenario 2 of the comparison: it is the scenario of a host, and a comparison takes fabrics"
    );
    let e = decode_compare("c=preset/host-latency,link-dies").unwrap_err();
    assert_eq!(
        e,
        LinkError::Compared {
            number: 1,
            error: Box::new(LinkError::HostInComparison)
        }
    );
}

#[test]
fn broken_comparisons_say_what_is_wrong_and_where() {
    let link = encode_compare(&[small(), small()]).unwrap();
    assert_eq!(decode(&link), Err(LinkError::IsComparison));
    assert_eq!(decode(" #c="), Err(LinkError::IsComparison));
    assert_eq!(decode_any(&link), Err(LinkError::IsComparison));
    assert_eq!(
        decode_compare(&encode(&small()).unwrap()),
        Err(LinkError::NotAComparison)
    );
    assert_eq!(decode_compare("#"), Err(LinkError::Empty));
    assert_eq!(
        decode_compare("c=2.x"),
        Err(LinkError::NewerForm { found: "2".into() })
    );
    for other in ["c=", "c=x", "c=#1.a", "c=c=1.a"] {
        let e = decode_compare(other).unwrap_err();
        assert!(matches!(e, LinkError::UnknownForm { .. }), "{other}: {e}");
    }
    assert_eq!(
        decode_compare(&format!("{}%{}", &link[..10], &link[11..])),
        Err(LinkError::BadCharacter {
            character: '%',
            position: 11
        })
    );
    assert!(matches!(
        decode_compare(&format!("{link}&speed=1")),
        Err(LinkError::BadOption { .. })
    ));
    for end in 4..link.len() {
        assert_eq!(
            decode_compare(&link[..end]),
            Err(LinkError::Truncated),
            "cut after {end}"
        );
    }
    let long = format!("c=1.{}", "A".repeat(MAX_LINK_BYTES));
    assert!(matches!(decode_compare(&long), Err(LinkError::TooLong { .. })));
    let bomb = comparison_of(&vec![b' '; MAX_UNPACKED_BYTES + 1]);
    assert_eq!(decode_compare(&bomb), Err(LinkError::UnpacksTooLarge));

    let line = small().to_json_compact();
    let second = |text: &str| {
        let both = format!("{line}\n{text}");
        decode_compare(&comparison_of(both.as_bytes()))
            .unwrap_err()
            .to_string()
    };
    let e = second("hello");
    assert!(
        e.starts_with("scenario 2 of the comparison: the link holds no scenario: line 1, column 1"),
        "{e}"
    );
    let e = second(&line.replace("\"nics_per_t0\":4", "\"nics_per_t0\":0"));
    assert!(
        e.starts_with(
            "scenario 2 of the comparison: the link's scenario is not valid: fabric.nics_per_t0: is 0"
        ),
        "{e}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn every_comparison_comes_back_from_its_link(
        all in proptest::collection::vec(arbitrary::scenario(), 2..=4)
    ) {
        let link = encode_compare(&all).unwrap();
        prop_assert_eq!(&decode_compare(&link).unwrap(), &all);
    }
}
