//! Playing: the buttons, the speed, the time and the seed.

use super::On;
use super::bar::Bar;
use super::playing::{Go, Reach, Through, buttons, seed_field, speed_slider};
use crate::model::{Action, Playing};
use crate::shared::Shared;
use crate::texts::playing as texts;
use view::message::Report;
use view::units;
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
    /// Where it can be gone to.
    pub reach: Reach,
    /// Where a seek that takes long is to go, in ps.
    pub seeking: Option<u64>,
    /// Whether going back simulates again from the start.
    pub begins_anew: bool,
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
        Go::Restart => Action::Restart,
        Go::TogglePlay => Action::TogglePlay,
        Go::Step => Action::Step,
        Go::ToEnd => Action::RunToEnd,
    });
    let through = props.on.reform(|to| match to {
        Through::ToStart => Action::Seek(0),
        Through::StepBack => Action::StepBack,
        Through::Previous => Action::Jump(false),
        Through::Next => Action::Jump(true),
    });
    html! {
        <section class="controls" aria-label="Playing">
            { buttons(props.playing, props.ready, over, Some((props.reach, &through)), &go) }
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
                { props.seeking.map_or_else(|| status(props), |target| seeking(target, props)) }
            </div>
            { speed_slider(props.speed, props.playing, props.limited, &props.on.reform(Action::SetSpeed)) }
            { seed_field(props.seed, props.ready, props.on.reform(|seed| match seed {
                Ok(seed) => Action::SetSeed(seed),
                Err(text) => Action::RefuseSeed(text),
            })) }
        </section>
    }
}

/// That a seek is under way, how far it is, and how to end it.
fn seeking(target: u64, props: &Props) -> Html {
    let (now, to) = (props.report.now_ps, units::span(target as f64));
    let text = if props.begins_anew && now < target {
        // In whole percents, and never 100 before it is there.
        let percent = (u128::from(now) * 100 / u128::from(target)).min(99);
        format!("Too large to be copied: simulating from the start to {to}, {percent} % ")
    } else {
        format!("Going to {to} ")
    };
    html! {
        <span class="status dim" role="status" data-testid="seeking">
            { text }
            <button class="link" data-testid="stop-seek" onclick={props.on.reform(|_| Action::StopSeek)}>{ "Stop here" }</button>
        </span>
    }
}

fn status(props: &Props) -> Html {
    if !props.ready && props.flows == 0 {
        return html! { <span class="status dim" data-testid="status">{ "\u{2013}" }</span> };
    }
    if props.flows == 0 {
        return html! { <span class="status dim" data-testid="status">{ texts::NO_FLOWS }</span> };
    }
    let done = props.report.flows_done;
    let (all, failed) = (props.flows, props.report.flows_failed);
    let count = |flows: u32| units::count(flows.into());
    let mut flows = format!("{} of {} flows complete", count(done), count(all));
    if failed > 0 {
        flows += &format!(", {} in ERROR", count(failed));
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
