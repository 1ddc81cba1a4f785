//! Playing: the buttons, the time bar, the speed and the seed.

use super::model::{Do, On};
use crate::model::Playing;
use crate::shared::Shared;
use crate::ui::playing::{Go, Reach, Through, buttons, seed_field, speed_slider};
use view::host::message::Report;
use view::host::story::{self, Moment};
use view::units;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Steps of the time bar.
const STEPS: u64 = 1_000;

/// What the controls show.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// True when there is a run.
    pub ready: bool,
    /// How it goes on.
    pub playing: Playing,
    /// The time that it is on its way to.
    pub seeking: Option<u64>,
    /// The step of the speed scale.
    pub speed: u32,
    /// The speed reached, where it is less than the one asked for.
    pub limited: Option<f64>,
    /// Figures.
    pub report: Shared<Report>,
    /// When the run ends.
    pub until_ps: u64,
    /// When something happens in the scenario.
    pub moments: Shared<Vec<Moment>>,
    /// The seed.
    pub seed: u64,
    /// What the user does.
    pub on: On,
}

/// The controls.
#[component]
pub fn Controls(props: &Props) -> Html {
    let over = props.report.finished;
    let go = props.on.reform(|go| match go {
        Go::Restart => Do::Restart,
        Go::TogglePlay => Do::TogglePlay,
        Go::Step => Do::Step,
        Go::ToEnd => Do::RunToEnd,
    });
    let travel = props.on.reform(|to| match to {
        Through::ToStart => Do::Seek(0),
        Through::StepBack => Do::StepBack,
        Through::Previous => Do::PreviousMark,
        Through::Next => Do::NextMark,
    });
    let set_seed = props.on.reform(|seed| match seed {
        Ok(seed) => Do::SetSeed(seed),
        Err(text) => Do::RefuseSeed(text),
    });
    html! {
        <section class="controls" aria-label="Playing">
            { buttons(props.playing, props.ready, over, Some((reach(props), &travel)), &go) }
            <div class="clock">
                <div class="time">
                    <output data-testid="time" data-ps={props.report.now_ps.to_string()}>{ units::clock_of(props.report.now_ps, props.until_ps) }</output>
                    <span class="dim">{ format!(" of {}", units::round_span(props.until_ps as f64)) }</span>
                </div>
                { time_bar(props) }
                { marks(props) }
                <span
                    class={classes!("status", over.then_some("good"), (!over).then_some("dim"))}
                    title={status(props)}
                    data-testid="status"
                >
                    { status(props) }
                </span>
            </div>
            { speed_slider(props.speed, props.playing, props.limited, &props.on.reform(Do::SetSpeed)) }
            { seed_field(props.seed, props.ready, set_seed) }
        </section>
    }
}

/// Where the run is, or is on its way to.
fn at(props: &Props) -> u64 {
    props.seeking.unwrap_or(props.report.now_ps)
}

fn reach(props: &Props) -> Reach {
    let now = at(props);
    Reach {
        at_start: now == 0,
        has_previous: story::previous(&props.moments, now, props.until_ps).is_some(),
        has_next: story::next(&props.moments, now, props.until_ps).is_some(),
    }
}

fn status(props: &Props) -> String {
    match props.seeking {
        Some(target) => format!("on the way to {}", units::span(target as f64)),
        None if props.report.finished => format!("over · digest {:016x}", props.report.digest),
        None => {
            let [begun, _, closed, failed] = props.report.connections;
            let lost: u64 = props.report.lost.iter().map(|(_, count)| count).sum();
            let packets = format!(
                "packets: {}, lost: {}",
                units::count(props.report.created),
                units::count(lost)
            );
            if begun == 0 {
                return packets;
            }
            format!(
                "{packets} · connections: {}, closed: {}, failed: {}",
                units::count(begun),
                units::count(closed),
                units::count(failed),
            )
        }
    }
}

/// The time as a bar that can be moved both ways.
fn time_bar(props: &Props) -> Html {
    let until = props.until_ps.max(1);
    let shown = props.seeking.unwrap_or(props.report.now_ps);
    let step = (u128::from(shown) * u128::from(STEPS) / u128::from(until)) as u64;
    let on = props.on.clone();
    let oninput = Callback::from(move |event: InputEvent| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value();
        let step: u64 = value.parse().unwrap_or(0);
        on.emit(Do::Seek(
            (u128::from(until) * u128::from(step.min(STEPS)) / u128::from(STEPS)) as u64,
        ));
    });
    html! {
        <input
            type="range"
            class="time-bar"
            min="0"
            max={STEPS.to_string()}
            step="1"
            value={step.to_string()}
            aria-label="Time"
            aria-valuetext={units::span(shown as f64)}
            title="Go to a time, forwards or back"
            disabled={!props.ready}
            data-testid="time-bar"
            {oninput}
        />
    }
}

/// What happens, as marks below the time bar; a click goes to a little before one.
fn marks(props: &Props) -> Html {
    if props.moments.is_empty() {
        return html! {};
    }
    let until = props.until_ps.max(1);
    let one = |moment: &Moment| {
        let to = story::before(moment, until);
        let onclick = props.on.reform(move |_| Do::Seek(to));
        let share = 100.0 * moment.at_ps as f64 / until as f64;
        html! {
            <g {onclick} data-testid="time-mark">
                <title>{ format!("{}: {}", units::span(moment.at_ps as f64), moment.what) }</title>
                <line x1={format!("{share:.2}%")} x2={format!("{share:.2}%")} y1="0" y2="9" />
                <line class="reach" x1={format!("{share:.2}%")} x2={format!("{share:.2}%")} y1="0" y2="9" />
            </g>
        }
    };
    html! { <svg class="time-marks" aria-hidden="true">{ for props.moments.iter().map(one) }</svg> }
}
