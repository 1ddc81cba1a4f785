//! Playing: the buttons, the time bar, the speed and the seed.

use super::model::{Do, On};
use crate::model::Playing;
use crate::shared::Shared;
use crate::ui::icons::{Icon, icon};
use view::host::message::Report;
use view::{speed, units};
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
    let playing = props.playing != Playing::No;
    let over = props.report.finished;
    let button = |name: &'static str,
                  keys: &str,
                  testid: &'static str,
                  picture: Icon,
                  off: bool,
                  action: Do| {
        let onclick = props.on.reform(move |_| action.clone());
        html! {
            <button class="tool" aria-label={name} title={format!("{name} ({keys})")} data-testid={testid} disabled={off} {onclick}>
                { icon(picture) }
            </button>
        }
    };
    let (name, picture) = if playing {
        ("Pause", Icon::Pause)
    } else {
        ("Play", Icon::Play)
    };
    html! {
        <section class="controls" aria-label="Playing">
            <div class="buttons">
                { button("Restart", "R", "restart", Icon::Restart, !props.ready, Do::Restart) }
                <button
                    class="tool play"
                    aria-label={name}
                    title={format!("{name} (space)")}
                    data-testid="play"
                    disabled={!props.ready || over}
                    onclick={props.on.reform(|_| Do::TogglePlay)}
                >{ icon(picture) }</button>
                { button("Step one event", ".", "step", Icon::Step, !props.ready || over, Do::Step) }
                { button("Run to the end", "E", "run-to-end", Icon::End, !props.ready || over, Do::RunToEnd) }
            </div>
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
            { speed_slider(props) }
            { seed(props) }
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

fn speed_slider(props: &Props) -> Html {
    let wanted = units::speed(speed::of_step(props.speed) as f64);
    let oninput = props.on.reform(|event: InputEvent| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value();
        Do::SetSpeed(value.parse().unwrap_or(0))
    });
    let (class, note) = match (props.playing, props.limited) {
        (Playing::ToEnd, _) => ("dim", "as fast as this machine can".into()),
        (_, Some(reached)) => (
            "bad",
            format!("running at {}, limited by this machine", units::speed(reached)),
        ),
        _ => ("dim", "simulated time per second".into()),
    };
    html! {
        <div class="speed">
            <label for="speed">{ "Speed " }<output data-testid="speed-label">{ &wanted }</output></label>
            <input
                id="speed"
                type="range"
                min="0"
                max={speed::LAST_STEP.to_string()}
                step="1"
                value={props.speed.to_string()}
                aria-valuetext={wanted}
                data-testid="speed"
                title="Slower ([) or faster (])"
                {oninput}
            />
            <span class={classes!("note", class)} data-testid="speed-note">{ note }</span>
        </div>
    }
}

fn seed(props: &Props) -> Html {
    let onchange = {
        let (on, seed) = (props.on.clone(), props.seed);
        Callback::from(move |event: Event| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            match input.value().trim().parse::<u64>() {
                Ok(value) if value == seed => {}
                Ok(value) => on.emit(Do::SetSeed(value)),
                Err(_) => input.set_value(&seed.to_string()),
            }
        })
    };
    html! {
        <div class="seed">
            <label for="seed">{ "Seed" }</label>
            <input
                id="seed"
                type="text"
                inputmode="numeric"
                autocomplete="off"
                value={props.seed.to_string()}
                title="Seed of every random choice; another one begins again"
                disabled={!props.ready}
                data-testid="seed"
                {onchange}
            />
        </div>
    }
}
