//! Playing: the buttons, the speed, the time and the seed.

use super::On;
use super::bar::Bar;
use super::icons::{Icon, icon};
use crate::model::{Action, Playing};
use crate::shared::Shared;
use view::message::Report;
use view::{speed, units};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the controls show.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// True when there is a run.
    pub ready: bool,
    /// How it goes on.
    pub playing: Playing,
    /// The step of the speed scale.
    pub speed: u32,
    /// The speed reached, where it is less than the one asked for.
    pub limited: Option<f64>,
    /// Figures.
    pub report: Shared<Report>,
    /// Flows in all.
    pub flows: u32,
    /// Message bytes in all.
    pub bytes: u64,
    /// When the run ends at the latest.
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
                  action: Action| {
        let onclick = props.on.reform(move |_| action.clone());
        html! {
            <button class="tool" aria-label={name} title={format!("{name} ({keys})")} data-testid={testid} disabled={off} {onclick}>
                { icon(picture) }
            </button>
        }
    };
    let (play_name, play_icon) = if playing {
        ("Pause", Icon::Pause)
    } else {
        ("Play", Icon::Play)
    };
    html! {
        <section class="controls" aria-label="Playing">
            <div class="buttons">
                { button("Restart", "R", "restart", Icon::Restart, !props.ready, Action::Restart) }
                <button
                    class="tool play"
                    aria-label={play_name}
                    title={format!("{play_name} (space)")}
                    data-testid="play"
                    disabled={!props.ready || over}
                    onclick={props.on.reform(|_| Action::TogglePlay)}
                >{ icon(play_icon) }</button>
                { button("Step one event", ".", "step", Icon::Step, !props.ready || over, Action::Step) }
                { button("Run to the end", "E", "run-to-end", Icon::End, !props.ready || over, Action::RunToEnd) }
            </div>
            <div class="clock">
                <div class="time">
                    <output data-testid="time" data-ps={props.report.now_ps.to_string()}>
                        { units::clock(props.report.now_ps) }
                    </output>
                    if props.until_ps > 0 {
                        <span class="dim">{ format!(" of at most {}", units::span(props.until_ps as f64)) }</span>
                    }
                </div>
                <Bar
                    share={props.report.placed_bytes as f64 / props.bytes.max(1) as f64}
                    label="Message bytes placed"
                    tone="progress"
                />
                { status(props) }
            </div>
            { speed_slider(props) }
            { seed(props) }
        </section>
    }
}

fn status(props: &Props) -> Html {
    let done = props.report.flows_done;
    let (all, failed) = (props.flows, props.report.flows_failed);
    let mut flows = format!("{done} of {all} flows complete");
    if failed > 0 {
        flows += &format!(", {failed} in ERROR");
    }
    let (class, text) = if props.report.finished && done == all {
        ("good", format!("Finished: {flows}"))
    } else if props.report.finished && done + failed == all {
        ("bad", format!("Over: {flows}"))
    } else if props.report.finished {
        ("warn", format!("Time is up: {flows}"))
    } else if failed > 0 {
        ("bad", flows)
    } else {
        ("dim", flows)
    };
    html! { <span class={classes!("status", class)} data-testid="status">{ text }</span> }
}

fn speed_slider(props: &Props) -> Html {
    let wanted = units::speed(speed::of_step(props.speed) as f64);
    let oninput = props.on.reform(|event: InputEvent| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value();
        Action::SetSpeed(value.parse().unwrap_or(0))
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
            let text = input.value();
            match text.trim().parse::<u64>() {
                Ok(value) if value == seed => {}
                Ok(value) => on.emit(Action::SetSeed(value)),
                Err(_) => {
                    input.set_value(&seed.to_string());
                    on.emit(Action::RefuseSeed(text));
                }
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
