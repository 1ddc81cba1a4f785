//! Below the stage: the timeline, events, charts, the flows, the jobs, the paper's figures or the sweep.

use super::On;
use super::charts::ChartsPanel;
use super::events::Events;
use super::flows::Flows;
use super::jobs::Jobs;
use super::paper::Paper;
use super::sweep::SweepPanel;
use super::timeline::TimelineView;
use crate::model::{Action, EventsView, History, JobsView, SweepView, Tab};
use crate::shared::Shared;
use scenario::Scenario;
use view::Bookmarks;
use view::chart::fabric::{Answer, Ask};
use view::inspect::Target;
use view::landmarks::Landmark;
use view::lanes::LaneChoice;
use view::message::{FlowRow, Report};
use view::paper::Beside;
use yew::prelude::*;

/// What the dock shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// Which tab is open; a wide window shows the timeline for those that it has elsewhere.
    pub tab: Tab,
    /// True while the run is on its way back to the time that was shown before a fault was changed.
    pub returning: bool,
    /// The timeline.
    pub history: Shared<History>,
    /// Which of its lanes are shown.
    pub lanes: Shared<LaneChoice>,
    /// Marked times.
    pub bookmarks: Shared<Bookmarks>,
    /// What is gone to from one event to the next.
    pub landmark: Landmark,
    /// QPs in all.
    pub qps: u32,
    /// The events list.
    pub events: Shared<EventsView>,
    /// The flows.
    pub flows: Shared<Vec<FlowRow>>,
    /// The jobs.
    pub jobs: Shared<JobsView>,
    /// What the charts show beside the timeline.
    pub charts: Shared<Answer>,
    /// What the worker is asked for them.
    pub want: Ask,
    /// True when there are any.
    pub has_jobs: bool,
    /// The paper's figures, where the scenario is one of its experiments.
    pub paper: Option<Beside>,
    /// Figures.
    pub report: Shared<Report>,
    /// The scenario.
    pub scenario: Option<Shared<Scenario>>,
    /// What is selected.
    pub selected: Option<Target>,
    /// The sweep, if there has been one.
    pub sweep: Option<Shared<SweepView>>,
    /// Whether its runs were copied.
    pub sweep_copied: Option<bool>,
    /// What the user does.
    pub on: On,
}

/// The dock.
#[component]
pub fn Dock(props: &Props) -> Html {
    let there: Vec<Tab> = Tab::DOCKED
        .into_iter()
        .filter(|tab| tab.has_content(props.has_jobs, props.paper.is_some()))
        .collect();
    let open = if there.contains(&props.tab) {
        props.tab
    } else {
        Tab::Timeline
    };
    let tab = |tab: Tab| {
        let current = tab == open;
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
        <section class="dock" aria-label="Timeline and results">
            <div class="dock-tabs" role="tablist">
                { for there.into_iter().map(tab) }
            </div>
            <div class="dock-panel" id="dock-panel" role="tabpanel" tabindex="0" aria-labelledby={format!("tab-{}", open.slug())}>
                <h2 class="sr">{ open.name() }</h2>
                { match (open, &props.scenario) {
                    (Tab::Events, _) => html! { <Events history={props.history.clone()} events={props.events.clone()} on={props.on.clone()} /> },
                    (Tab::Jobs, _) => html! {
                        <Jobs jobs={props.jobs.clone()} now_ps={props.report.now_ps} on={props.on.clone()} />
                    },
                    (Tab::Paper, _) => html! {
                        if let Some(beside) = props.paper {
                            <Paper key={beside.preset} {beside} on={props.on.clone()} />
                        }
                    },
                    (Tab::Flows, _) => html! {
                        <Flows rows={props.flows.clone()} report={props.report.clone()} selected={props.selected.clone()} on={props.on.clone()} />
                    },
                    (Tab::Charts, Some(scenario)) => html! {
                        <ChartsPanel
                            history={props.history.clone()}
                            answer={props.charts.clone()}
                            want={props.want}
                            scenario={scenario.clone()}
                            on={props.on.clone()}
                        />
                    },
                    (Tab::Sweep, scenario) => html! {
                        <SweepPanel
                            sweep={props.sweep.clone()}
                            copied={props.sweep_copied}
                            scenario={scenario.clone()}
                            on={props.on.clone()}
                        />
                    },
                    (_, Some(scenario)) => html! {
                        <TimelineView
                            history={props.history.clone()}
                            scenario={scenario.clone()}
                            now={props.report.now_ps}
                            finished={props.report.finished}
                            returning={props.returning}
                            qps={props.qps}
                            choice={props.lanes.clone()}
                            bookmarks={props.bookmarks.clone()}
                            landmark={props.landmark}
                            selected={props.selected.clone()}
                            on={props.on.clone()}
                        />
                    },
                    (_, None) => html! {},
                } }
            </div>
        </section>
    }
}
