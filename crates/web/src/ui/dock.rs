//! Below the stage: the timeline or the flows.

use super::On;
use super::flows::Flows;
use super::timeline::TimelineView;
use crate::model::{Action, History, Tab};
use crate::shared::Shared;
use scenario::Scenario;
use view::inspect::Target;
use view::message::{FlowRow, Report};
use yew::prelude::*;

/// What the dock shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// Which tab is open; a wide window shows the timeline for those that it has elsewhere.
    pub tab: Tab,
    /// The timeline.
    pub history: Shared<History>,
    /// The flows.
    pub flows: Shared<Vec<FlowRow>>,
    /// Figures.
    pub report: Shared<Report>,
    /// The scenario.
    pub scenario: Option<Shared<Scenario>>,
    /// What is selected.
    pub selected: Option<Target>,
    /// What the user does.
    pub on: On,
}

/// The dock.
#[component]
pub fn Dock(props: &Props) -> Html {
    let flows = props.tab == Tab::Flows;
    let tab = |tab: Tab, current: bool| {
        let onclick = props.on.reform(move |_| Action::SetTab(tab));
        html! {
            <button
                role="tab"
                id={format!("tab-{}", tab.slug())}
                aria-selected={current.to_string()}
                aria-controls="dock-panel"
                data-testid={format!("tab-{}", tab.slug())}
                {onclick}
            >{ tab.name() }</button>
        }
    };
    html! {
        <section class="dock" aria-label="Timeline and flows">
            <div class="dock-tabs" role="tablist">
                { tab(Tab::Timeline, !flows) }
                { tab(Tab::Flows, flows) }
            </div>
            <div class="dock-panel" id="dock-panel" role="tabpanel" tabindex="0" aria-labelledby={if flows { "tab-flows" } else { "tab-timeline" }}>
                if flows {
                    <Flows rows={props.flows.clone()} report={props.report.clone()} selected={props.selected.clone()} on={props.on.clone()} />
                } else if let Some(scenario) = &props.scenario {
                    <TimelineView history={props.history.clone()} scenario={scenario.clone()} finished={props.report.finished} />
                }
            </div>
        </section>
    }
}
