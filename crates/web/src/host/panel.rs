//! The scenario: presets, what can be done to the host, files and parameters.

use super::model::{Do, On, Refused};
use super::view::OnPage;
use crate::shared::Shared;
use crate::ui::OnFiles;
use crate::ui::icons::{Icon, icon};
use crate::ui::presets::PresetLists;
use crate::ui::scenario_panel::file_section;
use scenario::host::HostScenario;
use view::host::servicing::{self, Act};
use view::host::settings::{self, Row};
use view::units;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What the panel shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenario.
    pub scenario: Shared<HostScenario>,
    /// Events that it had when it was opened.
    pub first_events: usize,
    /// The preset that it came from.
    pub preset: Option<&'static str>,
    /// The story that is told.
    pub story: Option<&'static str>,
    /// Simulated time.
    pub now_ps: u64,
    /// True when something can be done to the host.
    pub ready: bool,
    /// The parameter that was refused last, with the reasons.
    pub refused: Option<Refused>,
    /// What the user does.
    pub on: On,
    /// What the user does on both pages.
    pub on_page: OnPage,
    /// What is done with files.
    pub files: OnFiles,
}

/// The panel.
#[component]
pub fn Panel(props: &Props) -> Html {
    html! {
        <aside class="side left" aria-label="Scenario">
            if props.preset.is_none() {
                <section>
                    <h2>{ "Scenario" }</h2>
                    <p class="own-name">{ &props.scenario.name }</p>
                    <p class="about" data-testid="about">{ &props.scenario.about }</p>
                </section>
            }
            <Servicing
                scenario={props.scenario.clone()}
                first_events={props.first_events}
                now_ps={props.now_ps}
                ready={props.ready}
                on={props.on.clone()}
            />
            <PresetLists current={props.preset} story={props.story} on={props.on_page.clone()} />
            { file_section(&props.files, html! {}) }
            <Parameters scenario={props.scenario.clone()} refused={props.refused.clone()} on={props.on.clone()} />
        </aside>
    }
}

/// What servicing shows.
#[derive(PartialEq, Properties)]
pub struct ServicingProps {
    /// The scenario.
    pub scenario: Shared<HostScenario>,
    /// Events that it had when it was opened.
    pub first_events: usize,
    /// Simulated time.
    pub now_ps: u64,
    /// True when something can be done to the host.
    pub ready: bool,
    /// What the user does.
    pub on: On,
}

/// What can be done to the host, and what is done to it.
#[component]
fn Servicing(props: &ServicingProps) -> Html {
    let vm = use_state(|| 0u32);
    let vms = props.scenario.vms.len() as u32;
    let chosen = (*vm).min(vms.saturating_sub(1));
    let onchange = {
        let vm = vm.clone();
        Callback::from(move |event: Event| {
            vm.set(
                event
                    .target_unchecked_into::<HtmlSelectElement>()
                    .value()
                    .parse()
                    .unwrap_or(0),
            );
        })
    };
    let button = |act: Act| {
        let onclick = props.on.reform(move |_| Do::Service(act, chosen));
        html! {
            <button title={act.doc()} disabled={!props.ready} data-testid={format!("act-{}", act.slug())} {onclick}>
                { act.name() }
            </button>
        }
    };
    html! {
        <section class="servicing">
            <h2>{ "Servicing and policy" }</h2>
            <div class="acts">
                { for Act::ALL.into_iter().map(button) }
                if vms > 1 {
                    <label>{ "of " }
                        <select aria-label="VM that it is done to" data-testid="act-vm" {onchange}>
                            { for (0..vms).map(|vm| html! { <option value={vm.to_string()} selected={vm == chosen}>{ format!("VM {vm}") }</option> }) }
                        </select>
                    </label>
                }
            </div>
            <ol class="faults" data-testid="host-events">
                { for props.scenario.events.iter().enumerate().map(|(index, event)| {
                    let past = event.at().0 <= props.now_ps;
                    let onclick = props.on.reform(move |_| Do::RemoveEvent(index));
                    html! {
                        <li class={classes!(past.then_some("past"))}>
                            <time>{ units::span(event.at().0 as f64) }</time>
                            <span class="what" title={servicing::words(event)}>{ servicing::words(event) }</span>
                            if index >= props.first_events { <span class="tag">{ "by hand" }</span> }
                            <button class="quiet" aria-label={format!("Remove: {}", servicing::words(event))} title="Remove, and begin again" {onclick}>
                                { icon(Icon::Close) }
                            </button>
                        </li>
                    }
                }) }
            </ol>
            if props.scenario.events.is_empty() {
                <p class="dim small">{ "What is done here becomes an event of the scenario: the link repeats it." }</p>
            }
        </section>
    }
}

/// What the parameters show.
#[derive(PartialEq, Properties)]
pub struct ParametersProps {
    /// The scenario.
    pub scenario: Shared<HostScenario>,
    /// The parameter that was refused last, with the reasons.
    pub refused: Option<Refused>,
    /// What the user does.
    pub on: On,
}

/// The parameters with their units and sources.
#[component]
fn Parameters(props: &ParametersProps) -> Html {
    html! {
        <section>
            <details class="settings" data-testid="settings">
                <summary><h2>{ "Parameters" }</h2></summary>
                <p class="dim small">{ "Change a value and the run begins again. A VM's parameters are changed for every VM." }</p>
                <table>
                    <tbody>{ for settings::rows(&props.scenario).iter().map(|row| parameter(row, props)) }</tbody>
                </table>
            </details>
        </section>
    }
}

fn parameter(row: &Row, props: &ParametersProps) -> Html {
    let path = row.parameter.path;
    let refused = props.refused.as_ref().filter(|refused| refused.key == path);
    // What was refused stays as it was typed.
    let shown = refused.map_or(&row.value, |refused| &refused.typed).clone();
    let onchange = {
        let (on, value) = (props.on.clone(), row.value.clone());
        Callback::from(move |event: Event| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            if text != value {
                on.emit(Do::Edit(path, text));
            }
        })
    };
    let unit = match row.parameter.unit {
        "" | "time" => String::new(),
        unit => format!(", {unit}"),
    };
    html! {
        <>
            <tr title={format!("{path}: {}", row.parameter.source)} class={classes!(row.given.then_some("given"))}>
                <th scope="row">{ settings::label(path) }<span class="dim">{ unit }</span></th>
                <td>
                    <input
                        type="text"
                        autocomplete="off"
                        spellcheck="false"
                        aria-label={settings::label(path)}
                        aria-invalid={refused.is_some().to_string()}
                        value={shown}
                        data-testid={format!("parameter-{path}")}
                        {onchange}
                    />
                </td>
                <td class="origin">{ settings::status(row.parameter.status) }</td>
            </tr>
            if let Some(Refused { problems, .. }) = refused {
                <tr>
                    <td colspan="3">
                        <ul class="problems" role="alert" data-testid="setting-problem">
                            { for problems.iter().take(5).map(|problem| html! { <li>{ problem }</li> }) }
                        </ul>
                    </td>
                </tr>
            }
        </>
    }
}
