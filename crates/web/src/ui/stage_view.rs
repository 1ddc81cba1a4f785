//! The stage's frame: its tools above, the canvases, what lies over them, and the legend below.

use super::On;
use super::by_hand::ByHand;
use super::icons::{Icon, icon};
use super::legend::Legend;
use super::notices::notices;
use super::stopped::{silent, stopped};
use crate::model::{Action, Notice, Phase, Tool};
use crate::shared::Shared;
use crate::stage::StageRefs;
use fabric::Clos;
use scenario::{Fabric, Fault, LinkName, Scenario};
use view::inspect::Target;
use view::message::Deadlock;
use view::picture::Kinds;
use view::units;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the stage's frame shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The elements that the stage draws on.
    pub refs: StageRefs,
    /// How far the page has got.
    pub phase: Phase,
    /// For how many seconds the worker has owed an answer, once that is long.
    pub silent: Option<u32>,
    /// True while the run of a frame in another page waits for the first click.
    #[prop_or_default]
    pub asleep: bool,
    /// What a click does.
    pub tool: Tool,
    /// What is simulated.
    pub scenario: Option<Shared<Scenario>>,
    /// The faults that it had when it was opened.
    pub first_faults: Shared<Vec<Fault>>,
    /// The fabric as drawn, where it is drawn in groups.
    pub grouped: Option<Clos>,
    /// Packets drawn and packets there, where they differ.
    pub capped: Option<(usize, u32)>,
    /// True when everything is in sight.
    pub at_home: bool,
    /// True when the run waits at time 0.
    pub at_start: bool,
    /// Why a search found nothing.
    pub not_found: Option<String>,
    /// What the last single step did.
    pub step: Option<String>,
    /// What is wrong with whole tiers.
    pub tier_faults: Vec<String>,
    /// Paused links that wait for each other, if there are.
    pub deadlock: Option<Deadlock>,
    /// Kinds of packets that are not drawn.
    pub hidden: Kinds,
    /// What the user is told.
    pub notices: Vec<Notice>,
    /// The menu of ways to break a thing, where it is open.
    pub menu: Html,
    /// What the user does.
    pub on: On,
}

/// The stage's frame.
#[component]
pub fn StageView(props: &Props) -> Html {
    let label = props
        .scenario
        .as_ref()
        .map_or_else(|| "No network".to_owned(), |scenario| describe(&scenario.fabric));
    let breaking = (props.tool == Tool::Break).then_some("breaking");
    let [low, middle, high] = &props.refs.canvases;
    html! {
        <section class={classes!("stage", breaking)} aria-label="Network">
            { toolbar(props) }
            <div class="canvases" ref={props.refs.root.clone()} data-testid="stage">
                <canvas ref={low} aria-hidden="true"></canvas>
                <canvas ref={middle} aria-hidden="true"></canvas>
                <canvas ref={high} tabindex="0" role="img" aria-label={label} data-testid="stage-canvas"></canvas>
                <div class="locator" ref={props.refs.locator.clone()} data-testid="locator" hidden=true></div>
                <div class="tip" ref={props.refs.tip.clone()} data-testid="tip" hidden=true></div>
                { overlay(props) }
                { props.menu.clone() }
                { notices(&props.notices, &props.on) }
            </div>
            <Legend hidden={props.hidden} scenarios={props.scenario.iter().cloned().collect::<Vec<_>>()} on={props.on.clone()} />
        </section>
    }
}

/// The fabric in a sentence.
fn describe(fabric: &Fabric) -> String {
    let plural =
        |n: u64, one: &str, many: &str| format!("{} {}", units::count(n), if n == 1 { one } else { many });
    format!(
        "A network of {}, each with {}, {} and {}",
        plural(u64::from(fabric.planes), "plane", "planes"),
        plural(u64::from(fabric.t1_per_plane), "T1", "T1s"),
        plural(u64::from(fabric.t0_per_plane), "T0", "T0s"),
        plural(fabric.nics(), "NIC", "NICs"),
    )
}

fn toolbar(props: &Props) -> Html {
    let tool = |tool: Tool, name: &'static str, title: &'static str, picture: Icon, testid: &'static str| {
        let onclick = props.on.reform(move |_| Action::SetTool(tool));
        html! {
            <button
                aria-pressed={(props.tool == tool).to_string()}
                {title}
                data-testid={testid}
                {onclick}
            >{ icon(picture) }{ name }</button>
        }
    };
    let onsubmit = props.on.reform(|event: SubmitEvent| {
        event.prevent_default();
        let input = crate::dom::document().get_element_by_id("find");
        let text = input.map(|input| wasm_bindgen::JsCast::unchecked_into::<HtmlInputElement>(input).value());
        Action::Find(text.unwrap_or_default())
    });
    let zoom = |name: &'static str,
                keys: &str,
                picture: Icon,
                off: bool,
                testid: &'static str,
                action: Action| {
        let onclick = props.on.reform(move |_| action.clone());
        html! {
            <button class="quiet" aria-label={name} title={format!("{name} ({keys})")} disabled={off} data-testid={testid} {onclick}>
                { icon(picture) }
            </button>
        }
    };
    html! {
        <div class="toolbar">
            <div class="segmented" role="group" aria-label="What a click does">
                { tool(Tool::Select, "Select", "A click selects", Icon::Select, "tool-select") }
                { tool(Tool::Break, "Break", "A click breaks a link or switch, another heals it; a right click or a held finger offers more ways (B)", Icon::Break, "tool-break") }
            </div>
            <form class="find" role="search" {onsubmit}>
                <input
                    id="find"
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder="Find p0/t0.3-t1.2, NIC 5, QP 3"
                    aria-label="Find a link, switch, NIC or QP by its name"
                    aria-invalid={props.not_found.is_some().to_string()}
                    aria-describedby="find-problem"
                    title="Find by name (/)"
                    data-testid="find"
                />
                if let Some(why) = &props.not_found {
                    <p id="find-problem" class="problem" role="alert">{ why }</p>
                }
            </form>
            if props.tool == Tool::Break {
                <p class="step hint">{ "A click breaks or heals. Right-click or hold for more ways." }</p>
            } else {
                <p class="step" data-testid="step-text">{ props.step.as_deref().unwrap_or_default() }</p>
            }
            { for props.tier_faults.iter().map(|fault| html! {
                <span class="chip lossy" title={format!("{fault}, beside what single links lose")} data-testid="tier-fault">{ fault }</span>
            }) }
            if let Some(deadlock) = &props.deadlock {
                { deadlock_chip(deadlock, &props.on) }
            }
            if let Some(scenario) = &props.scenario {
                <ByHand scenario={scenario.clone()} first={props.first_faults.clone()} testid="by-hand" on={props.on.clone()} />
            }
            if let Some(clos) = props.grouped {
                <span
                    class="chip"
                    title={format!("Too many links to tell apart: in each plane, {} groups of T0s and {} of T1s{}. Zoom in to open them, or find their members by name.", clos.t0s, clos.t1s, t2s(&clos))}
                    data-testid="grouped"
                >{ "Drawn in groups" }</span>
            }
            if let Some((drawn, there)) = props.capped {
                <span class="chip" title="An even sample of the packets is drawn" data-testid="capped">
                    { format!("{} of {} packets", units::count(drawn as u64), units::count(u64::from(there))) }
                </span>
            }
            <div class="zoom">
                { zoom("Smaller", "-", Icon::Minus, props.at_home, "zoom-out", Action::Zoom(1.0 / 1.5)) }
                { zoom("Larger", "+", Icon::Plus, false, "zoom-in", Action::Zoom(1.5)) }
                { zoom("Show everything", "0", Icon::Fit, props.at_home, "zoom-reset", Action::ShowAll) }
            </div>
        </div>
    }
}

fn overlay(props: &Props) -> Html {
    let restart = || props.on.reform(|_: MouseEvent| Action::RestartWorker);
    if let Some(seconds) = props.silent {
        return silent(seconds, restart());
    }
    let is_ready = props.phase == Phase::Ready;
    if props.asleep || is_ready && props.at_start {
        return html! {
            <button class="start" data-testid="start" aria-label="Play" onclick={props.on.reform(|_| Action::TogglePlay)}>
                { icon(Icon::Play) }
            </button>
        };
    }
    match &props.phase {
        Phase::Broken(why) => stopped(
            "The simulation has stopped",
            why,
            "The scenario is kept, faults by hand included.",
            restart(),
            Some(props.on.reform(|_| Action::SaveScenario)),
        ),
        Phase::Loading => html! {
            <div class="veil light" role="status">
                <p class="card small row">
                    { "Building the network" }
                    <button data-testid="stop-loading" onclick={props.on.reform(|_| Action::StopLoading)}>{ "Stop" }</button>
                </p>
            </div>
        },
        Phase::Empty => html! {
            <div class="veil light">
                <div class="card small" data-testid="empty">
                    if props.scenario.is_some() {
                        <p>{ "This scenario has not been built." }</p>
                        <button onclick={props.on.reform(|_| Action::Restart)}>{ icon(Icon::Restart) }{ "Build it" }</button>
                    } else {
                        <p>{ "Choose a preset, or drop a file, to begin." }</p>
                    }
                </div>
            </div>
        },
        Phase::Ready => html! {},
    }
}

/// The deadlock's circle; a click on a node selects the link that leaves it.
fn deadlock_chip(deadlock: &Deadlock, on: &On) -> Html {
    let found = format!(
        "Found at {}: each of these links is paused until what waits for the next one has left. It never ends by itself; take one of them down to break it.",
        units::span(deadlock.at_ps as f64)
    );
    let node = |(link, from, _): &(LinkName, String, String)| {
        let link = *link;
        html! {
            <>
                <button class="link" title={format!("Select {link}")} onclick={on.reform(move |_| Action::Select(Some(Target::Link(link))))}>{ from }</button>
                { " → " }
            </>
        }
    };
    html! {
        <span class="chip deadlock" role="alert" title={found} data-testid="deadlock">
            <strong>{ "Deadlock" }</strong>{ " " }
            { for deadlock.circle.iter().map(node) }
            { for deadlock.circle.first().map(|(_, from, _)| from.clone()) }
        </span>
    }
}

/// How many groups of T2s there are; nothing where there are none.
fn t2s(grouped: &Clos) -> String {
    match grouped.t2s {
        0 => String::new(),
        count => format!(", and {count} of T2s"),
    }
}
