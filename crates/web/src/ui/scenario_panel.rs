//! The scenario: presets, what to look for, faults, files and settings.

use super::faults::Faults;
use super::icons::{Icon, icon};
use super::import_view::ImportView;
use super::paper::PaperLink;
use super::presets::PresetLists;
use super::settings::Settings;
use super::{On, OnFiles};
use crate::files;
use crate::import::Import;
use crate::shared::Shared;
use scenario::{Fault, Scenario};
use view::message::Facts;
use view::paper::Beside;
use yew::prelude::*;

/// What the panel shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenario.
    pub scenario: Option<Shared<Scenario>>,
    /// The faults that it had when it was opened.
    pub first_faults: Shared<Vec<Fault>>,
    /// The preset that it came from.
    pub preset: Option<&'static str>,
    /// The story that is told.
    pub story: Option<&'static str>,
    /// The paper's figures, where the scenario is one of its experiments.
    pub paper: Option<Beside>,
    /// The files that it came from.
    pub import: Shared<Import>,
    /// What follows from it.
    pub facts: Shared<Facts>,
    /// Simulated time.
    pub now_ps: u64,
    /// True when faults can be put into the run.
    pub can_break: bool,
    /// The setting that was refused last, with the reasons.
    pub refused_edit: Option<(String, Vec<String>)>,
    /// What the user does.
    pub on: On,
    /// What is done with files.
    pub files: OnFiles,
}

/// The panel.
#[component]
pub fn ScenarioPanel(props: &Props) -> Html {
    html! {
        <aside class="side left" aria-label="Scenario">
            if props.preset.is_none() && let Some(scenario) = &props.scenario {
                <section>
                    <h2>{ "Scenario" }</h2>
                    <p class="own-name">{ &scenario.name }</p>
                    <p class="about" data-testid="about">{ &scenario.about }</p>
                    { paper_link(props) }
                </section>
            }
            <PresetLists current={props.preset} story={props.story} below={paper_link(props)} on={props.on.clone()} />
            if let Some(scenario) = &props.scenario {
                <Faults
                    scenario={scenario.clone()}
                    first={props.first_faults.clone()}
                    past_ps={props.now_ps}
                    ready={props.can_break}
                    on={props.on.clone()}
                />
            }
            if let Some(scenario) = &props.scenario {
                <super::topology::Topology scenario={scenario.clone()} />
            }
            { file_section(&props.files, html! { <ImportView import={props.import.clone()} on={props.on.clone()} /> }) }
            if let Some(scenario) = &props.scenario {
                <Settings scenario={scenario.clone()} facts={props.facts.clone()} refused={props.refused_edit.clone()} on={props.on.clone()} />
            }
        </aside>
    }
}

fn paper_link(props: &Props) -> Html {
    html! {
        if let Some(beside) = props.paper {
            <PaperLink {beside} on={props.on.clone()} />
        }
    }
}

/// Files to open, and what comes below them.
pub fn file_section(done: &OnFiles, below: Html) -> Html {
    let onchange = files::chosen(done.clone());
    html! {
        <section>
            <h2>{ "Files" }</h2>
            <label class="drop" data-testid="drop">
                { icon(Icon::File) }
                <span><strong>{ "Open or drop files" }</strong><br />
                    { "A scenario of a fabric or a host (JSON); htsim's connection matrix (.cm) with a two-tier topology (.topo); or what a cloud has: security groups, flow logs, load balancers, DASH tables, captures. They stay on this machine." }</span>
                <input type="file" class="sr" multiple=true accept={files::ACCEPTED} data-testid="file-input" {onchange} />
            </label>
            { below }
        </section>
    }
}
