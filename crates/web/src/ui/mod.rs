//! The components.

pub mod bar;
mod break_form;
pub mod break_menu;
mod by_hand;
mod charts;
mod controls;
mod counters;
pub mod dialogs;
mod dock;
pub mod editor;
mod editor_field;
mod editor_forms;
pub mod editor_host_forms;
mod editor_lists;
mod editor_text;
pub mod embed;
mod ev_grid;
mod events;
pub mod facts;
mod fault_view;
mod faults;
mod flows;
pub mod header;
mod help;
pub mod icons;
mod import_view;
mod inspector;
mod jobs;
pub mod keys;
pub mod legend;
mod life;
mod moments;
pub mod notices;
mod packet;
mod paper;
pub mod playing;
pub mod presets;
mod qp_view;
mod roce_view;
pub mod scenario_panel;
mod settings;
pub mod sideways;
mod stage_view;
pub mod stopped;
pub mod story;
mod sweep;
mod sweep_plot;
mod sweep_tables;
pub mod timeline;
mod topology;

use crate::compare::CompareDialog;
use crate::desk::DeskView;
use crate::model::{Action, Dialog, Model, Phase, Tab};
use crate::root::Files;
use crate::share::{Recorder, ShareDialog};
use crate::stage::Stage;
use break_menu::BreakMenuView;
use controls::Controls;
use counters::Counters;
use dock::Dock;
use editor::{edit_button, editor_or_offer};
use editor_forms::EditorForms;
use header::Header;
use help::HelpDialog;
use icons::{Icon, icon};
use inspector::Inspector;
use scenario_panel::ScenarioPanel;
use stage_view::StageView;
use story::StoryCard;
pub use story::focus_story;
use yew::prelude::*;

/// What a component does when the user does something.
pub type On = Callback<Action>;

/// What is done with files.
pub type OnFiles = Callback<Files>;

/// The whole page.
pub fn page(model: &Model, stage: &Stage, desk: &DeskView, on: On, files: OnFiles) -> Html {
    let can_break = model.phase == Phase::Ready && !model.report.finished;
    let paper = model
        .scenario
        .as_ref()
        .and_then(|scenario| view::paper::beside(scenario));
    let has_jobs = model.facts.jobs > 0;
    let is_there = |tab: Tab| tab.has_content(has_jobs, paper.is_some());
    // What was open need not be there for another scenario.
    let current = Some(model.tab).filter(|tab| is_there(*tab)).unwrap_or_default();
    html! {
        <div class={classes!("app", model.wide.then_some("wide"), desk.open.then_some("editing"))} data-tab={current.slug()} data-story={model.story.as_ref().map(|view| view.story.slug)} data-phase={phase_name(&model.phase)} data-testid="app">
            <Header
                title={model.scenario.as_ref().map(|scenario| scenario.name.clone()).unwrap_or_default()}
                theme={model.theme}
                extra={html! { <>
                    { edit_button(desk.open, &on) }
                    { compare_button("Compare with…", model.scenario.is_some(), &on) }
                </> }}
                can_share={model.scenario.is_some()}
                on={on.clone()}
            />
            <ScenarioPanel
                scenario={model.scenario.clone()}
                first_faults={model.first_faults.clone()}
                preset={model.preset}
                story={model.story.as_ref().map(|view| view.story.slug)}
                paper={paper}
                import={model.import.clone()}
                facts={model.facts.clone()}
                now_ps={model.report.now_ps}
                can_break={can_break}
                refused_edit={model.refused_edit.clone()}
                on={on.clone()}
                files={files.clone()}
            />
            <main class="centre">
                <StageView
                    refs={stage.refs.clone()}
                    phase={model.phase.clone()}
                    silent={model.silent_s}
                    tool={model.tool}
                    scenario={model.scenario.clone()}
                    first_faults={model.first_faults.clone()}
                    grouped={stage.grouping().map(|grouping| *grouping.shown())}
                    capped={model.capped}
                    at_home={model.at_home}
                    at_start={model.report.now_ps == 0 && model.playing == crate::model::Playing::No}
                    not_found={model.not_found.clone()}
                    step={model.step.clone()}
                    tier_faults={model.report.tier_faults.clone()}
                    deadlock={model.report.pfc.as_ref().and_then(|pfc| pfc.deadlock.clone())}
                    hidden={model.hidden}
                    notices={model.notices.clone()}
                    menu={menu(model, can_break, &on)}
                    on={on.clone()}
                />
                { story(model, &on) }
                <Controls
                    ready={model.phase == Phase::Ready}
                    playing={model.playing}
                    speed={model.speed}
                    limited={model.limited}
                    report={model.report.clone()}
                    flows={model.facts.flows}
                    bytes={model.facts.bytes}
                    until_ps={model.scenario.as_ref().map_or(0, |scenario| scenario.until.0)}
                    reach={model.reach()}
                    seeking={model.seeking}
                    begins_anew={model.facts.begins_anew}
                    seed={model.scenario.as_ref().map_or(0, |scenario| scenario.seed)}
                    on={on.clone()}
                />
                <Dock
                    tab={current}
                    returning={model.returning}
                    history={model.history.clone()}
                    lanes={model.lanes.clone()}
                    bookmarks={model.bookmarks.clone()}
                    landmark={model.landmark}
                    qps={model.facts.flows}
                    events={model.events.clone()}
                    flows={model.flows.clone()}
                    jobs={model.jobs.clone()}
                    charts={model.charts.clone()}
                    want={model.charts_want}
                    has_jobs={has_jobs}
                    paper={paper}
                    report={model.report.clone()}
                    scenario={model.scenario.clone()}
                    selected={model.selected.clone()}
                    sweep={model.sweep.clone()}
                    sweep_copied={model.sweep_copied}
                    on={on.clone()}
                />
            </main>
            <aside class="side right" aria-label="Inspector and counters">
                <Inspector
                    selected={model.selected.clone()}
                    detail={model.detail.clone()}
                    gone={model.gone}
                    life={model.life.clone()}
                    wide={model.wide}
                    scenario={model.scenario.clone()}
                    now_ps={model.report.now_ps}
                    can_break={can_break}
                    on={on.clone()}
                />
                <Counters report={model.report.clone()} rates={model.rates} facts={model.facts.clone()} />
            </aside>
            { editor_or_offer(desk, model.scenario.is_some(), forms(model, desk, &on), &on, files) }
            <nav class="tabs" aria-label="Panels">
                { for Tab::ALL.into_iter().filter(|tab| is_there(*tab)).map(|tab| tab_button(tab, current, &on)) }
            </nav>
            <p class="sr" role="status" aria-live="polite" data-testid="announcement">{ &model.announcement }</p>
            { recorder(model, &on) }
            { dialog(model, &on) }
        </div>
    }
}

/// The name of a phase, for the style sheet and for tests.
pub fn phase_name(phase: &Phase) -> &'static str {
    match phase {
        Phase::Empty => "empty",
        Phase::Loading => "loading",
        Phase::Ready => "ready",
        Phase::Broken(_) => "broken",
    }
}

/// The recording that goes on, if one does.
fn recorder(model: &Model, on: &On) -> Html {
    let (Some(seconds), Some(scenario)) = (model.recording, &model.scenario) else {
        return html! {};
    };
    html! {
        <Recorder
            {seconds}
            title={scenario.name.clone()}
            file={crate::app::share::file_name(&scenario.name)}
            now_ps={model.report.now_ps}
            done={on.reform(Action::Recorded)}
        />
    }
}

/// The button that offers what to compare with.
pub fn compare_button(name: &'static str, can: bool, on: &On) -> Html {
    html! {
        <button data-testid="compare" title="Run another scenario beside this one" disabled={!can} onclick={on.reform(|_| Action::OfferComparison)}>
            { icon(Icon::Compare) }<span>{ name }</span>
        </button>
    }
}

/// The forms of the editor.
fn forms(model: &Model, desk: &DeskView, on: &On) -> Html {
    match &model.scenario {
        Some(scenario) if desk.open => html! {
            <EditorForms
                scenario={scenario.clone()}
                facts={model.facts.clone()}
                refused={desk.refused.clone()}
                is_behind={!desk.text.problems.is_empty()}
                saves={desk.saves.clone()}
                on={on.clone()}
            />
        },
        _ => html! {},
    }
}

/// The card of the story, if one is told.
fn story(model: &Model, on: &On) -> Html {
    let (Some(view), Some(scenario)) = (&model.story, &model.scenario) else {
        return html! {};
    };
    let strayed = model.phase == Phase::Ready
        && model.seeking.is_none()
        && view.is_left(scenario, model.report.now_ps, model.report.finished);
    html! { <StoryCard view={view.clone()} {strayed} on={on.clone()} /> }
}

fn menu(model: &Model, can_break: bool, on: &On) -> Html {
    match (model.menu, &model.scenario) {
        (Some(menu), Some(scenario)) => html! {
            <BreakMenuView
                {menu}
                scenario={scenario.clone()}
                now_ps={model.report.now_ps}
                ready={can_break}
                on={on.clone()}
            />
        },
        _ => html! {},
    }
}

fn tab_button(tab: Tab, current: Tab, on: &On) -> Html {
    let onclick = on.reform(move |_| Action::SetTab(tab));
    html! {
        <button
            class="tab"
            aria-pressed={(tab == current).to_string()}
            data-testid={format!("panel-{}", tab.slug())}
            {onclick}
        >{ tab.name() }</button>
    }
}

fn dialog(model: &Model, on: &On) -> Html {
    match (&model.dialog, &model.scenario) {
        (Dialog::None, _) | (Dialog::Compare, None) => html! {},
        (Dialog::Share(view), _) => {
            html! { <ShareDialog view={view.clone()} extra="timeline" on={on.clone()} /> }
        }
        (Dialog::Compare, Some(scenario)) => html! {
            <CompareDialog scenario={scenario.clone()} facts={model.facts.clone()} on={on.clone()} />
        },
        (Dialog::Help, _) => html! { <HelpDialog on={on.clone()} /> },
    }
}
