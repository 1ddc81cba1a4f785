//! The same scenario with many seeds: the form, the progress, and what came out.

use super::On;
use super::bar::Bar;
use super::icons::{Icon, icon};
use super::sweep_plot::SweepPlot;
use super::sweep_tables::{RunTable, StatsTable};
use crate::model::{Action, SweepView};
use crate::shared::Shared;
use crate::texts::sweep as texts;
use lab::Seeds;
use scenario::Scenario;
use view::sweep::{Board, MAX_RUNS, Seat, State};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Runs that the form proposes; our choice.
const PROPOSED: &str = "32";

/// What the panel shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The sweep, if there has been one.
    pub sweep: Option<Shared<SweepView>>,
    /// Whether its runs were copied; none before.
    pub copied: Option<bool>,
    /// The scenario that is open.
    pub scenario: Option<Shared<Scenario>>,
    /// What the user does.
    pub on: On,
}

/// The panel.
#[component]
pub fn SweepPanel(props: &Props) -> Html {
    let seed = props.scenario.as_ref().map(|scenario| scenario.seed);
    let running = props
        .sweep
        .as_ref()
        .is_some_and(|sweep| sweep.board.state() == State::Running);
    html! {
        <div class="sweep" data-testid="sweep">
            <div class="sweep-head">
                if running {
                    <button data-testid="sweep-cancel" onclick={props.on.reform(|_| Action::CancelSweep)}>
                        { icon(Icon::Close) }{ texts::CANCEL }
                    </button>
                }
                // Hidden and not gone: what was written in it is wanted again.
                <div hidden={running}><Form {seed} on={props.on.clone()} /></div>
                if let Some(sweep) = &props.sweep {
                    { progress(sweep) }
                    if !running && sweep.board.over() > 0 {
                        <button data-testid="sweep-copy" onclick={props.on.reform(|_| Action::CopySweep)}>
                            { icon(Icon::Copy) }
                            { match props.copied {
                                Some(true) => "Copied",
                                Some(false) => texts::SAVED_AS_A_FILE,
                                None => texts::COPY_AS_CSV,
                            } }
                        </button>
                    }
                } else {
                    <p class="dim">
                        { texts::RUNS_THIS_SCENARIO_ONCE_WITH_EACH }
                    </p>
                }
            </div>
            if let Some(sweep) = &props.sweep {
                if running { { workers(&sweep.board) } }
                <div class="sweep-body">
                    <div class="sweep-left" role="group" aria-label="Statistics" tabindex="0">
                        <SweepPlot sweep={sweep.clone()} on={props.on.clone()} />
                        <StatsTable sweep={sweep.clone()} />
                    </div>
                    <RunTable sweep={sweep.clone()} watched={watched(sweep, props.scenario.as_deref())} on={props.on.clone()} />
                </div>
            }
        </div>
    }
}

/// The seed of the sweep's run that is watched: of the scenario that is open, if it is the sweep's but for the seed.
fn watched(sweep: &SweepView, open: Option<&Scenario>) -> Option<u64> {
    let swept = &sweep.board.plan().sweep().scenario;
    let open = open?;
    let same = Scenario {
        seed: swept.seed,
        ..open.clone()
    } == *swept;
    same.then_some(open.seed)
}

/// How far the sweep is, or how it ended.
fn progress(sweep: &SweepView) -> Html {
    let (board, report) = (&sweep.board, &sweep.report);
    let runs = board.plan().runs();
    let took = format!("{:.1} s", sweep.elapsed_s);
    let (class, text) = match board.state() {
        State::Running => {
            let eta = board.eta_s(sweep.elapsed_s);
            let eta = match eta {
                Some(eta) => texts::about_to_go(&rough(eta)),
                None if board.is_waiting() => texts::WAITING.into(),
                None => String::new(),
            };
            ("dim", texts::runs_of(board.over(), runs, &eta))
        }
        State::Cancelled => ("warn", texts::cancelled(board.over(), runs)),
        State::Finished if report.complete() == runs => ("good", texts::all_complete(runs, &took)),
        State::Finished => {
            let failed = match report.failed() {
                0 => String::new(),
                failed => texts::and_failed(failed),
            };
            ("bad", texts::some_complete(runs, report.complete(), &failed))
        }
    };
    let name = &board.plan().sweep().scenario.name;
    let seeds = board.plan().seeds();
    html! {
        <div class="sweep-progress">
            <p class="sweep-status">
                <span class={class} data-testid="sweep-status">{ text }</span>
                <span class="dim">{ texts::seeds_of(seeds.first, seeds.last(), if name.is_empty() { texts::THIS_SCENARIO } else { name }) }</span>
            </p>
            if board.state() == State::Running {
                <Bar share={board.share()} label={texts::RUNS_OF_THE_SWEEP} tone="progress" />
            }
        </div>
    }
}

/// A time that is only guessed at, in s.
fn rough(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{:.0} s", seconds.max(1.0))
    } else {
        format!("{:.0} min", seconds / 60.0)
    }
}

/// What each worker does.
fn workers(board: &Board) -> Html {
    let seat = |(number, seat): (usize, &Seat)| {
        let (what, share) = match seat.busy {
            Some((run, share)) => (format!("seed {}", board.plan().seed_of(run)), share),
            None => ("idle".into(), 0.0),
        };
        html! {
            <li data-testid="sweep-worker">
                <span class="dim">{ texts::worker(number + 1) }</span>
                <span>{ what }</span>
                <Bar {share} label={texts::run_of_worker(number + 1)} />
            </li>
        }
    };
    html! { <ul class="sweep-workers">{ for board.seats().iter().enumerate().map(seat) }</ul> }
}

/// What the form needs.
#[derive(PartialEq, Properties)]
struct FormProps {
    seed: Option<u64>,
    on: On,
}

/// How many runs, and from which seed on.
#[component]
fn Form(props: &FormProps) -> Html {
    let runs = use_state_eq(|| PROPOSED.to_owned());
    // The seed of the run that is watched, until somebody writes another one.
    let first = use_state_eq(|| None::<String>);
    let problem = use_state_eq(|| None::<String>);
    let first_text = (*first)
        .clone()
        .unwrap_or_else(|| props.seed.map(|seed| seed.to_string()).unwrap_or_default());
    let onsubmit = {
        let (on, runs, first, problem) = (
            props.on.clone(),
            runs.clone(),
            first_text.clone(),
            problem.clone(),
        );
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            match seeds(&runs, &first) {
                Ok(seeds) => {
                    problem.set(None);
                    on.emit(Action::StartSweep(seeds));
                }
                Err(why) => problem.set(Some(why)),
            }
        })
    };
    let runs_text = (*runs).clone();
    let text = |event: &InputEvent| event.target_unchecked_into::<HtmlInputElement>().value();
    let on_runs = Callback::from(move |event: InputEvent| runs.set(text(&event)));
    let on_first = Callback::from(move |event: InputEvent| first.set(Some(text(&event))));
    html! {
        <form class="sweep-form" {onsubmit}>
            <label for="sweep-runs">{ texts::RUNS }</label>
            <input
                id="sweep-runs" type="text" inputmode="numeric" autocomplete="off" value={runs_text} oninput={on_runs}
                title={texts::how_many_seeds(MAX_RUNS)} data-testid="sweep-runs"
            />
            <label for="sweep-first">{ texts::FROM_SEED }</label>
            <input
                id="sweep-first" type="text" inputmode="numeric" autocomplete="off" value={first_text} oninput={on_first}
                title={texts::THE_FIRST_SEED_THE_OTHERS_FOLLOW} data-testid="sweep-first"
            />
            <button class="primary" disabled={props.seed.is_none()} data-testid="sweep-start">{ texts::RUN_SWEEP }</button>
            if let Some(why) = &*problem {
                <p class="problem" role="alert">{ why }</p>
            }
        </form>
    }
}

/// The seeds that two texts mean.
fn seeds(runs: &str, first: &str) -> Result<Seeds, String> {
    let count = runs
        .trim()
        .parse()
        .ok()
        .filter(|count| (1..=MAX_RUNS).contains(count))
        .ok_or_else(|| texts::no_number_of_runs(runs, MAX_RUNS))?;
    let first: u64 = (first.trim().parse()).map_err(|_| texts::no_seed(first))?;
    if first.checked_add(u64::from(count) - 1).is_none() {
        return Err(texts::too_many_seeds(count, first));
    }
    Ok(Seeds { first, count })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_are_rough() {
        assert_eq!(
            [0.2, 8.4, 89.0, 90.0, 3600.0].map(rough),
            ["1 s", "8 s", "89 s", "2 min", "60 min"]
        );
    }

    #[test]
    fn seeds_are_read_and_refused_with_what_was_expected() {
        assert_eq!(seeds(" 8 ", "3"), Ok(Seeds { first: 3, count: 8 }));
        for (runs, first, expected) in [
            ("0", "1", "\"0\" is no number of runs; expected 1 to 1000"),
            ("1001", "1", "expected 1 to 1000"),
            ("8.5", "1", "expected 1 to 1000"),
            ("8", "-1", "\"-1\" is no seed; expected a whole number"),
            ("8", "", "is no seed"),
            ("2", "18446744073709551615", "go beyond"),
        ] {
            let why = seeds(runs, first).unwrap_err();
            assert!(why.contains(expected), "{why}");
        }
        assert!(seeds("1", "18446744073709551615").is_ok());
    }
}
