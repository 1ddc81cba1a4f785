//! The scenario: presets, what to look for, faults, files and settings.

use super::faults::Faults;
use super::icons::{Icon, icon};
use super::import_view::ImportView;
use super::{On, OnFiles};
use crate::files;
use crate::import::Import;
use crate::model::Action;
use crate::shared::Shared;
use scenario::{Balancer, Fault, Model as Rules, Scenario, presets};
use view::message::Facts;
use view::units;
use web_sys::HtmlInputElement;
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
    /// The files that it came from.
    pub import: Shared<Import>,
    /// What follows from it.
    pub facts: Shared<Facts>,
    /// Simulated time.
    pub now_ps: u64,
    /// True when there is a run.
    pub ready: bool,
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
                </section>
            }
            { preset_list(props) }
            if let Some(scenario) = &props.scenario {
                <Faults
                    scenario={scenario.clone()}
                    first={props.first_faults.clone()}
                    past_ps={props.now_ps}
                    ready={props.ready}
                    on={props.on.clone()}
                />
            }
            if let Some(scenario) = &props.scenario {
                <super::topology::Topology scenario={scenario.clone()} />
            }
            { file_section(props) }
            if let Some(scenario) = &props.scenario {
                { settings(scenario, &props.facts) }
            }
        </aside>
    }
}

fn preset_list(props: &Props) -> Html {
    let entry = |preset: &scenario::Preset| {
        let slug = preset.slug;
        let scenario = preset.scenario();
        let current = props.preset == Some(slug);
        let onclick = props.on.reform(move |_| Action::OpenPreset(slug));
        html! {
            <li key={slug} class={classes!("preset", current.then_some("current"))}>
                <button aria-pressed={current.to_string()} data-testid={format!("preset-{slug}")} {onclick}>{ scenario.name }</button>
                if current {
                    <p class="about" data-testid="about">{ scenario.about }</p>
                }
            </li>
        }
    };
    html! {
        <section>
            <h2>{ "Presets" }</h2>
            <ul class="presets">{ for presets().iter().map(entry) }</ul>
        </section>
    }
}

fn file_section(props: &Props) -> Html {
    let onchange = {
        let done = props.files.clone();
        Callback::from(move |event: Event| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            if let Some(list) = input.files() {
                files::read(&list, done.clone());
            }
            // So that the same file can be chosen again after it was changed.
            input.set_value("");
        })
    };
    html! {
        <section>
            <h2>{ "Files" }</h2>
            <label class="drop" data-testid="drop">
                { icon(Icon::File) }
                <span><strong>{ "Open or drop files" }</strong><br />
                    { "A scenario (JSON), or htsim's connection matrix (.cm) with a two-tier topology (.topo). They stay on this machine." }</span>
                <input type="file" class="sr" multiple=true accept=".json,.cm,.tm,.topo,.txt" data-testid="file-input" {onchange} />
            </label>
            <ImportView import={props.import.clone()} on={props.on.clone()} />
        </section>
    }
}

/// Where a value comes from.
#[derive(Clone, Copy)]
enum Origin {
    /// The scenario says it.
    Given,
    /// A source outside of this project.
    Published(&'static str),
    /// Nobody says; this is our choice.
    Chosen(&'static str),
    /// It follows from others.
    Derived(&'static str),
}

/// The settings that decide the run, with where they come from.
fn settings(scenario: &Scenario, facts: &Facts) -> Html {
    let fabric = &scenario.fabric;
    let transport = &scenario.transport;
    let row = |name: &'static str, value: String, origin: Origin| {
        let (mark, doc) = match origin {
            Origin::Given => ("", "The scenario says it"),
            Origin::Published(source) => ("published", source),
            Origin::Chosen(reason) => ("our choice", reason),
            Origin::Derived(rule) => ("derived", rule),
        };
        html! { <tr title={doc}><th scope="row">{ name }</th><td>{ value }</td><td class="origin">{ mark }</td></tr> }
    };
    let given = |is_default: bool, origin: Origin| if is_default { origin } else { Origin::Given };
    let defaults = scenario::Transport::default();
    let queues = scenario::Queue::default();
    let uec = Origin::Published("UEC specification 1.0.3, pages 418 and 419");
    let rules = match scenario.model {
        Rules::Mrc => "MRC",
        Rules::Htsim => "as htsim does it",
    };
    let balancer = match transport.balancer {
        Balancer::Mrc => "by EV state",
        Balancer::Oblivious => "oblivious",
    };
    html! {
        <section>
            <details class="settings">
                <summary><h2>{ "Settings" }</h2></summary>
                <table>
                    <tbody>
                        { row("rules", rules.into(), Origin::Given) }
                        { row("planes", fabric.planes.to_string(), Origin::Given) }
                        { row("T0s, T1s a plane", format!("{}, {}", fabric.t0_per_plane, fabric.t1_per_plane), Origin::Given) }
                        { row("NICs", units::count(fabric.nics()), Origin::Given) }
                        { row("NIC link", fabric.nic_link_rate.to_string(), Origin::Given) }
                        { row("T0–T1 link", fabric.t1_rate().to_string(), Origin::Given) }
                        { row("delay, NIC link", fabric.nic_link_delay.to_string(), Origin::Chosen("500 ns unless the scenario says otherwise")) }
                        { row("delay, T0–T1", fabric.t1_link_delay.to_string(), Origin::Chosen("500 ns unless the scenario says otherwise")) }
                        { row("switch latency", fabric.switch_latency.to_string(), Origin::Chosen("200 ns unless the scenario says otherwise")) }
                        { row("base RTT", units::span(facts.base_rtt_ps as f64), Origin::Derived("A full packet and its SACK over the longest idle path")) }
                        { row("ECN from, to", format!("{} to {} BDP", fabric.queue.ecn_min_bdp, fabric.queue.ecn_max_bdp),
                            given(fabric.queue.ecn_min_bdp == queues.ecn_min_bdp && fabric.queue.ecn_max_bdp == queues.ecn_max_bdp, uec)) }
                        { row("trim at", if fabric.queue.trimming { format!("{} BDP, last hop {}", fabric.queue.trim_bdp, fabric.queue.trim_last_hop_bdp) } else { "off: tail drop".into() },
                            given(fabric.queue == queues, uec)) }
                        { row("PMTU", format!("{} B", transport.pmtu.0), given(transport.pmtu == defaults.pmtu, Origin::Published("Inferred from the MRC paper's payload efficiency of 96 %, section 5.2.1"))) }
                        { row("full packet", format!("{} B on the wire", facts.full_packet), Origin::Derived("PMTU and headers, with preamble and gap")) }
                        { row("EVs per QP", transport.evs.to_string(), given(transport.evs == defaults.evs, Origin::Published("MRC paper: 128 to 256"))) }
                        { row("path choice", balancer.into(), Origin::Given) }
                        { row("SACK every", transport.sack_every.to_string(), given(transport.sack_every == defaults.sack_every, Origin::Chosen("The public record is silent"))) }
                        { row("RTO", units::span(facts.rto_ps as f64), if transport.rto.is_some() { Origin::Given } else { Origin::Chosen("Derived from the base RTT and the API's example") }) }
                        { row("reorder window", if facts.reorder_window_ps == 0 { "off".into() } else { units::span(facts.reorder_window_ps as f64) },
                            if transport.reorder_window.is_some() { Origin::Given } else { Origin::Chosen("Derived from the base RTT") }) }
                        { row("probe interval", transport.probe_interval.to_string(), given(transport.probe_interval == defaults.probe_interval, Origin::Chosen("The public record is silent"))) }
                        { row("probes to revive", transport.probes_to_revive.to_string(), given(transport.probes_to_revive == defaults.probes_to_revive, Origin::Chosen("The public record is silent"))) }
                        { row("largest window", format!("{} BDP", transport.max_window_bdp), given(transport.max_window_bdp == defaults.max_window_bdp, Origin::Published("UET 1.0, NSCC"))) }
                    </tbody>
                </table>
            </details>
        </section>
    }
}
