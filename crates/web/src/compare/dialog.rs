//! What a scenario may be compared with: itself with one thing another way, or a preset.

use crate::model::Action;
use crate::shared::Shared;
use crate::ui::On;
use crate::ui::dialogs::Frame;
use scenario::{Scenario, find_preset, paper_presets, presets, versus_presets};
use view::compare::counterparts;
use view::message::Facts;
use view::settings::{edit, settings};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What the dialog needs.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenario.
    pub scenario: Shared<Scenario>,
    /// What follows from it.
    pub facts: Shared<Facts>,
    /// What the user does.
    pub on: On,
}

/// The dialog.
#[component]
pub fn CompareDialog(props: &Props) -> Html {
    let (preset, path, value) = (use_node_ref(), use_node_ref(), use_node_ref());
    let problems = use_state_eq(Vec::<String>::new);
    let scenario = &props.scenario;
    let with_preset = {
        let (on, preset) = (props.on.clone(), preset.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let slug = preset.cast::<HtmlSelectElement>().map(|select| select.value());
            if let Some(preset) = slug.as_deref().and_then(find_preset) {
                on.emit(Action::CompareWith(Box::new(preset.scenario())));
            }
        })
    };
    let with_change = {
        let (on, scenario) = (props.on.clone(), scenario.clone());
        let (path, value, problems) = (path.clone(), value.clone(), problems.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let path = path.cast::<HtmlSelectElement>().map(|select| select.value());
            let value = value.cast::<HtmlInputElement>().map(|input| input.value());
            let (path, value) = (path.unwrap_or_default(), value.unwrap_or_default());
            match edit(&scenario, &path, &value) {
                Err(wrong) => problems.set(wrong),
                Ok(changed) => {
                    let value = if value.trim().is_empty() {
                        "as by default"
                    } else {
                        value.trim()
                    };
                    let name = format!("{}, {path} {value}", scenario.name);
                    // A name that is too long is no reason to refuse the rest.
                    let name = name.chars().take(scenario::limits::MAX_NAME_CHARS).collect();
                    on.emit(Action::CompareWith(Box::new(Scenario { name, ..changed })));
                }
            }
        })
    };
    // Options come into the page from the last to the first, and the browser takes the first to come.
    let first = presets().first().map(|preset| preset.slug);
    let option = |preset: &scenario::Preset| {
        let selected = Some(preset.slug) == first;
        html! { <option value={preset.slug} {selected}>{ preset.scenario().name }</option> }
    };
    let likely = counterparts(scenario);
    html! {
        <Frame title="Run side by side" testid="compare-dialog" on={props.on.clone()}>
            <p>{ "Both run with one clock, and what you break in one is broken in the other at the same time." }</p>
            if !likely.is_empty() {
                <section>
                    <h3>{ "The same fabric, traffic, faults and seed" }</h3>
                    <p class="row">
                        { for likely.into_iter().map(|other| {
                            let (slug, what) = (other.slug, other.what);
                            let onclick = props.on.reform(move |_: MouseEvent| Action::CompareWith(Box::new(other.scenario.clone())));
                            html! { <button data-testid={format!("counterpart-{slug}")} {onclick}>{ what }</button> }
                        }) }
                    </p>
                </section>
            }
            <section>
                <h3>{ "The same with one setting changed" }</h3>
                <form class="row" onsubmit={with_change}>
                    <select ref={path} aria-label="Setting" data-testid="compare-path">
                        { for settings(scenario, &props.facts).into_iter().map(|group| html! {
                            <optgroup label={group.name}>
                                { for group.settings.into_iter().filter_map(|setting| {
                                    let path = setting.path?;
                                    let selected = path == "transport.evs";
                                    Some(html! { <option value={path} {selected}>{ format!("{}: {}", setting.name, setting.value) }</option> })
                                }) }
                            </optgroup>
                        }) }
                    </select>
                    <input ref={value} type="text" autocomplete="off" spellcheck="false" placeholder="new value" aria-label="New value" data-testid="compare-value" />
                    <button class="primary" data-testid="compare-change">{ "Compare" }</button>
                </form>
                if !problems.is_empty() {
                    <ul class="problems" role="alert" data-testid="compare-problem">
                        { for problems.iter().take(5).map(|problem| html! { <li>{ problem }</li> }) }
                    </ul>
                }
            </section>
            <section>
                <h3>{ "Another preset" }</h3>
                <form class="row" onsubmit={with_preset}>
                    <select ref={preset} aria-label="Preset" data-testid="compare-preset">
                        <optgroup label="Fabric presets">{ for presets().iter().map(option) }</optgroup>
                        <optgroup label="RoCE against MRC">{ for versus_presets().iter().map(option) }</optgroup>
                        <optgroup label="Experiments of the MRC paper">{ for paper_presets().iter().map(option) }</optgroup>
                    </select>
                    <button class="primary" data-testid="compare-with-preset">{ "Compare" }</button>
                </form>
            </section>
        </Frame>
    }
}
