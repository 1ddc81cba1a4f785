//! Playing: the buttons, the time bar, the speed and the seed.

use super::model::{Do, On};
use crate::model::Playing;
use crate::shared::Shared;
use crate::ui::playing::{Go, buttons, seed_field, speed_slider};
use view::host::message::Report;
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
    let set_seed = props.on.reform(|seed| match seed {
        Ok(seed) => Do::SetSeed(seed),
        Err(text) => Do::RefuseSeed(text),
    });
    html! {
        <section class="controls" aria-label="Playing">
            { buttons(props.playing, props.ready, over, &go) }
            <div class="clock">
                <div class="time">
                    <output data-testid="time" data-ps={props.report.now_ps.to_string()}>{ units::clock(props.report.now_ps) }</output>
                    <span class="dim">{ format!(" of {}", units::span(props.until_ps as f64)) }</span>
                </div>
                { time_bar(props) }
                <span class={classes!("status", over.then_some("good"), (!over).then_some("dim"))} data-testid="status">
                    { status(props) }
                </span>
            </div>
            { speed_slider(props.speed, props.playing, props.limited, &props.on.reform(Do::SetSpeed)) }
            { seed_field(props.seed, props.ready, set_seed) }
        </section>
    }
}

fn status(props: &Props) -> String {
    match props.seeking {
        Some(target) => format!("on the way to {}", units::span(target as f64)),
        None if props.report.finished => format!("over · digest {:016x}", props.report.digest),
        None => {
            let [begun, _, closed, failed] = props.report.connections;
            let lost: u64 = props.report.lost.iter().map(|(_, count)| count).sum();
            format!(
                "packets: {}, lost: {} · connections: {} begun, {} closed, {} failed",
                units::count(props.report.created),
                units::count(lost),
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
