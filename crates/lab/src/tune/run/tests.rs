//! Searches that run.

use super::*;
use crate::tune::Origin;
use serde_json::json;

/// Four to one for some tens of microseconds, with an increase that never gets anywhere.
const BADLY_SET: &str = r#"{
  "version": 1, "seed": 5, "until": "20ms",
  "fabric": { "planes": 1, "t0_per_plane": 2, "t1_per_plane": 2, "nics_per_t0": 4, "nic_link_rate": "100Gbps",
              "routing": "ecmp", "pfc": {}, "queue": { "ecn_min_bdp": 0.05, "ecn_max_bdp": 0.2 } },
  "transport": { "protocol": "roce", "roce": { "dcqcn": { "rate_ai": "1Mbps", "rate_hai": "1Mbps", "cnp_interval": "1us" } } },
  "traffic": [ { "kind": "incast", "dst": 0, "senders": 4, "bytes": "200kB" } ]
}"#;

fn tune(choices: &[&str]) -> Tune {
    let scenario = Scenario::from_json(BADLY_SET).unwrap();
    let choices: Vec<Choice> = choices.iter().map(|text| text.parse().unwrap()).collect();
    Tune {
        space: Tune::space_of(&scenario, &choices).unwrap(),
        scenario,
        metric: Metric::FctMax,
        budget: 24,
        seeds: Seeds { first: 5, count: 2 },
        check_seeds: 3,
    }
}

const THREE: [&str; 3] = [
    "transport.roce.dcqcn.rate_ai=1Mbps..5Gbps:log",
    "fabric.queue.ecn_min_bdp=0.05,0.5,1",
    "fabric.queue.ecn_max_bdp=0.2,1,4",
];

fn run(tune: &Tune, jobs: usize) -> Tuned {
    tune.run(jobs, &AtomicBool::new(false), |_| {}).unwrap()
}

#[test]
fn a_bad_setting_is_improved_on_seeds_that_the_search_has_not_seen() {
    let tune = tune(&THREE);
    tune.check().unwrap();
    let tuned = run(&tune, 2);
    assert!(tuned.found.spent() <= 24 && !tuned.stopped);
    let figure = tuned
        .compared
        .iter()
        .find(|figure| figure.metric == Metric::FctMax)
        .unwrap();
    let [_, high] = figure.ratio.unwrap().ci95.unwrap();
    assert!(high < 0.8, "{figure:?}");
    let seeds: Vec<u64> = tuned.held_out[1].iter().map(|row| row.seed).collect();
    assert_eq!(seeds, [7, 8, 9], "after 5 and 6");
    // The scenario that comes out is the setting, and runs as it did.
    let best = &tuned.found.candidates[tuned.best.unwrap()];
    let scenario = tuned.scenario.unwrap();
    assert_eq!(scenario.seed, 5);
    let again = run_one(&scenario, |_| ControlFlow::Continue(()))
        .unwrap()
        .unwrap();
    assert_eq!(Metric::FctMax.of(&again), best.runs[0].value);
    assert_ne!(best.origin, Origin::Default);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let tune = tune(&THREE);
    let one = run(&tune, 1);
    assert_eq!(run(&tune, 2), one);
    assert_eq!(run(&tune, 3), one);
}

#[test]
fn the_default_space_of_roce_runs() {
    let mut tune = tune(&[]);
    (tune.budget, tune.seeds.count, tune.check_seeds) = (30, 1, 1);
    tune.check().unwrap();
    let tuned = run(&tune, 2);
    let starts = tuned
        .found
        .candidates
        .iter()
        .filter(|c| matches!(c.origin, Origin::Start(_)));
    assert_eq!(
        starts.count(),
        10,
        "five published sets, each with one QP and with 16"
    );
    assert!(tuned.best.is_some_and(|best| best > 0));
}

#[test]
fn a_search_that_is_stopped_compares_nothing() {
    let tune = tune(&THREE);
    let stop = AtomicBool::new(false);
    let tuned = tune
        .run(1, &stop, |overall| {
            stop.fetch_or(overall.done >= 5, Ordering::Relaxed);
        })
        .unwrap();
    assert!(tuned.stopped && tuned.compared.is_empty() && tuned.held_out[0].is_empty());
    assert_eq!(tuned.found.spent(), 5);
    assert!(tuned.best.is_some(), "the default at least was done");
}

#[test]
fn a_best_that_is_the_default_is_not_compared_with_itself() {
    // Fewer marks can't help a flow that is alone.
    let mut tune = tune(&["transport.roce.ack_every=1,2"]);
    tune.metric = Metric::Drops;
    let tuned = run(&tune, 1);
    assert_eq!((tuned.best, tuned.compared.len()), (Some(0), 0));
}

#[test]
fn what_cannot_be_run_is_refused_with_its_place() {
    let refused = |change: &dyn Fn(&mut Tune)| {
        let mut tune = tune(&THREE);
        change(&mut tune);
        tune.check().unwrap_err()
    };
    let vary = |text: &'static str| {
        move |tune: &mut Tune| {
            let choice: Choice = text.parse().unwrap();
            tune.space = Tune::space_of(&tune.scenario, &[choice]).unwrap();
        }
    };
    type Spoil<'a> = &'a dyn Fn(&mut Tune);
    let cases: [(Spoil<'_>, &str); 11] = [
        (&|tune| tune.budget = 3, "3 runs; expected 4 to 10000"),
        (&|tune| tune.budget = 10_001, "10001 runs; expected 4 to 10000"),
        (
            &|tune| tune.budget = 7,
            "7 runs do not suffice for 2 seeds; expected at least 8",
        ),
        (
            &|tune| tune.seeds.count = 0,
            "0 seeds and 3 held out; expected 1 to 1000",
        ),
        (
            &|tune| tune.seeds.first = u64::MAX - 3,
            "5 seeds from 18446744073709551612 on go beyond",
        ),
        (
            &|tune| tune.space.parameters.clear(),
            "0 fields to vary; expected 1 to 32",
        ),
        (
            &|tune| tune.space.parameters[1] = tune.space.parameters[0].clone(),
            "transport.roce.dcqcn.rate_ai is varied twice",
        ),
        (
            &vary("transport.roce.dcqcn.rate=1,2"),
            "rate=1: the setting: transport.roce.dcqcn.rate: unknown field",
        ),
        (
            &vary("transport.evs=8,16"),
            "transport.evs=8: transport.evs: is given, but is a setting of MRC",
        ),
        (
            &|tune| tune.metric = Metric::StepP99,
            "no run of this scenario can have step_p99_us: its traffic has no job; expected one of fct_p50_us, fct_p99_us, \
             fct_max_us, goodput_gbps, drops, trims, retransmissions, pauses, paused_percent, cnps",
        ),
        (
            &|tune| tune.metric = Metric::DipLost,
            "can have dip_lost_us: none of its faults breaks something after its first flow has begun",
        ),
    ];
    for (change, expected) in cases {
        let message = refused(change);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_figure_that_some_setting_brings_can_be_tuned_for() {
    let mut tune = tune(&["fabric.pfc.xoff=100kB,300kB"]);
    tune.scenario.fabric.pfc = None;
    tune.metric = Metric::Pauses;
    assert_eq!(tune.check(), Ok(()));
    tune.space = tune_space(&tune.scenario, "transport.qps=1,2").unwrap();
    assert!(tune.check().unwrap_err().contains("it has no fabric.pfc"));
}

fn tune_space(scenario: &Scenario, choice: &str) -> Result<Space, String> {
    Tune::space_of(scenario, &[choice.parse()?])
}

#[test]
fn the_workload_stays_as_it_is() {
    let scenario = Scenario::from_json(BADLY_SET).unwrap();
    for path in [
        "traffic[0].bytes=1kB,2kB",
        "until=1ms,2ms",
        "faults[0].at=1us,2us",
        "seed=1,2",
    ] {
        let message = tune_space(&scenario, path).unwrap_err();
        assert!(message.contains("belongs to the workload"), "{message}");
    }
    assert!(tune_space(&scenario, "transport.qps=1,2").is_ok());
}

#[test]
fn a_field_that_the_scenario_leaves_out_has_a_known_value() {
    let tune = tune(&[
        "transport.roce.dcqcn.increase_timer=5us,20us",
        "transport.pmtu=1024",
    ]);
    assert_eq!(
        tune.space.parameters[0].text(tune.space.parameters[0].own),
        "55us"
    );
    assert_eq!(tune.space.parameters[1].levels, [json!(null), json!(1024)]);
}
