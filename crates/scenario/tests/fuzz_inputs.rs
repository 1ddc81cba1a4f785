//! Bounded fuzzing of everything that comes from outside. Nothing may panic, and what is accepted has to be a
//! valid scenario that comes back from its own text and link.
//!
//! `FLOWGLASS_FUZZ_SECONDS=60 cargo test -p flowglass-scenario --test fuzz_inputs` runs each target for a minute.

mod common;

use common::mutate::fuzz;
use common::{data, small};
use scenario::htsim::{self, FileProblem, Options, StartUnit};
use scenario::{Model, Scenario, link, presets};

/// What any accepted scenario has to satisfy.
fn sound(s: &Scenario) {
    assert_eq!(s.validate(), Ok(()));
    assert_eq!(&Scenario::from_json(&s.to_json_compact()).unwrap(), s);
    assert_eq!(&Scenario::from_json(&s.to_json_pretty()).unwrap(), s);
    assert_eq!(&link::decode(&link::encode(s).unwrap()).unwrap(), s);
    let flows = s.flows();
    assert!(!flows.is_empty() && flows.iter().all(|f| f.src != f.dst && f.id > 0));
    let jobs = s.jobs();
    let of_jobs: u64 = jobs.iter().map(|job| u64::from(job.flows)).sum();
    assert_eq!(of_jobs, flows.iter().filter(|f| f.work.is_some()).count() as u64);
    let events = s.fault_events();
    assert!(events.len() >= s.faults.len() && events.is_sorted_by_key(|e| (e.at, e.cause)));
}

/// A refusal has to name a place that exists and a reason.
fn told(problems: &[FileProblem], text: &str) {
    assert!(!problems.is_empty());
    for p in problems {
        assert!(p.line >= 1 && p.line <= text.lines().count().max(1), "{p}");
        assert!(p.column >= 1 && !p.reason.is_empty() && !p.file.is_empty(), "{p}");
        assert!(p.to_string().len() < 1000);
    }
}

fn scenarios() -> Vec<String> {
    let golden = [
        include_str!("golden_links/every-field.json"),
        include_str!("golden_links/mrc-in-full.json"),
    ];
    let presets = presets().iter().map(|p| p.json);
    let small = small().to_json_compact();
    presets.chain(golden).map(str::to_owned).chain([small]).collect()
}

#[test]
fn scenario_json() {
    fuzz(
        "scenario JSON",
        &scenarios(),
        20_000,
        |text| match Scenario::from_json(text) {
            Ok(s) => match s.validate() {
                Ok(()) => sound(&s),
                Err(problems) => {
                    assert!(problems.iter().all(|p| !p.reason.is_empty()));
                    s.flows();
                    s.jobs();
                    s.fault_events();
                }
            },
            Err(e) => assert!(!e.to_string().is_empty()),
        },
    );
}

#[test]
fn links() {
    let of_presets = presets().iter().map(|p| link::encode(&p.scenario()).unwrap());
    let named = presets().iter().map(|p| link::preset(p.slug, Some(5)));
    let inputs: Vec<String> = of_presets.chain(named).map(|l| format!("#{l}")).collect();
    fuzz("links", &inputs, 20_000, |text| match link::decode(text) {
        Ok(s) => sound(&s),
        Err(e) => assert!(!e.to_string().is_empty() && e.to_string().len() < 2000),
    });
}

#[test]
fn links_of_comparisons() {
    let all: Vec<Scenario> = presets().iter().map(|p| p.scenario()).collect();
    let packed = all.chunks(3).filter(|some| some.len() > 1);
    let packed = packed.map(|some| link::encode_compare(some).unwrap());
    let named = presets()
        .windows(2)
        .map(|two| link::compare_presets(&[two[0].slug, two[1].slug]));
    let inputs: Vec<String> = packed.chain(named).map(|l| format!("#{l}")).collect();
    fuzz(
        "links of comparisons",
        &inputs,
        5_000,
        |text| match link::decode_compare(text) {
            Ok(all) => {
                all.iter().for_each(sound);
                assert_eq!(
                    link::decode_compare(&link::encode_compare(&all).unwrap()).unwrap(),
                    all
                );
            }
            Err(e) => assert!(!e.to_string().is_empty() && e.to_string().len() < 3000),
        },
    );
}

/// Mutations of the text inside a link, packed again, so that they get past the checksum.
#[test]
fn contents_of_links() {
    use base64::Engine;
    fuzz("contents of links", &scenarios(), 10_000, |text| {
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), 1);
        let link = format!(
            "1.{}",
            base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(packed)
        );
        match link::decode(&link) {
            Ok(s) => sound(&s),
            Err(e) => assert!(!e.to_string().is_empty()),
        }
    });
}

#[test]
fn matrices() {
    let topology = htsim::parse_topology("t.topo", &data("ls_n128_400g.topo")).unwrap();
    let names = ["own_small.cm", "own_failure128.cm", "incast_8to1_n128_2000000.cm"];
    let mut inputs: Vec<String> = names.map(data).to_vec();
    inputs.push(
        "Nodes 4\nConnections 2\n0->1 start 0.5 size 5\n1->2 id 7 start 1000000 size 3000000000 prio 2\n"
            .into(),
    );
    fuzz("matrices", &inputs, 30_000, |text| {
        htsim::sniff(text);
        match htsim::parse_matrix("m.cm", text) {
            Err(problems) => told(&problems, text),
            Ok(matrix) => {
                for (model, start_unit) in [
                    (Model::Mrc, StartUnit::Auto),
                    (Model::Htsim, StartUnit::Us),
                    (Model::Mrc, StartUnit::Ps),
                ] {
                    let options = Options {
                        model,
                        start_unit,
                        ..Options::default()
                    };
                    match htsim::to_scenario(&matrix, &topology, &options) {
                        Ok((s, _)) => {
                            assert_eq!(s.flows().len(), matrix.connections.len());
                            sound(&s);
                        }
                        Err(problems) => told(&problems, text),
                    }
                }
            }
        }
    });
}

#[test]
fn topologies() {
    let matrix = htsim::parse_matrix("m.cm", "Nodes 2\nConnections 1\n0->1 id 1 start 0 size 5\n").unwrap();
    let names = [
        "own_leafspine32.topo",
        "ls_n128_400g_4to1.topo",
        "ls_n8192_400g.topo",
        "ft3_n1024_400g.topo",
    ];
    fuzz("topologies", &names.map(data), 30_000, |text| {
        htsim::sniff(text);
        match htsim::parse_topology("t.topo", text) {
            Err(problems) => told(&problems, text),
            Ok(topology) => {
                let options = Options {
                    model: Model::Htsim,
                    ..Options::default()
                };
                match htsim::to_scenario(&matrix, &topology, &options) {
                    Ok((s, _)) => {
                        assert_eq!(s.fabric.nics(), u64::from(topology.nodes));
                        sound(&s);
                    }
                    Err(problems) => told(&problems, text),
                }
            }
        }
    });
}

/// The fuzzing would prove little if it only met refusals.
#[test]
fn mutations_are_both_accepted_and_refused() {
    use std::cell::Cell;
    let (accepted, refused) = (Cell::new(0), Cell::new(0));
    fuzz("count", &[data("own_leafspine32.topo")], 3_000, |text| {
        let counter = if htsim::parse_topology("t", text).is_ok() {
            &accepted
        } else {
            &refused
        };
        counter.set(counter.get() + 1);
    });
    assert!(
        accepted.get() > 100 && refused.get() > 1000,
        "{} accepted, {} refused",
        accepted.get(),
        refused.get()
    );
}
