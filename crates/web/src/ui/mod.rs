//! The components.

pub mod bar;
mod break_form;
pub mod break_menu;
mod controls;
mod counters;
pub mod dialogs;
mod dock;
mod editor;
mod editor_field;
mod editor_forms;
mod editor_text;
mod ev_grid;
mod events;
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
mod stage_view;
mod story;
mod sweep;
mod sweep_plot;
mod sweep_tables;
pub mod timeline;
mod topology;

use crate::compare::CompareDialog;
use crate::import::TextFile;
use crate::model::{Action, Dialog, EditorAct, Model, Phase, Tab};
use crate::stage::Stage;
use break_menu::BreakMenuView;
use controls::Controls;
use counters::Counters;
use dialogs::ShareDialog;
use dock::Dock;
use editor::{Editor, RestoreOffer};
use header::Header;
use help::HelpDialog;
use icons::{Icon, icon};
use inspector::Inspector;
use scenario_panel::ScenarioPanel;
use stage_view::StageView;
use story::StoryCard;
use yew::prelude::*;

/// What a component does when the user does something.
pub type On = Callback<Action>;

/// What is done with files.
pub type OnFiles = Callback<Vec<Result<TextFile, String>>>;

/// The whole page.
pub fn page(model: &Model, stage: &Stage, on: On, files: OnFiles) -> Html {
    let can_break = model.phase == Phase::Ready && !model.report.finished;
    let paper = model
        .scenario
        .as_ref()
        .and_then(|scenario| view::paper::beside(scenario));
    let has_jobs = model.facts.jobs > 0;
    let is_there = |tab: Tab| tab.has_content(has_jobs, paper.is_some());
    // What was open need not be there for another scenario.
    let current = Some(model.tab).filter(|tab| is_there(*tab)).unwrap_or_default();
    let phase = match model.phase {
        Phase::Empty => "empty",
        Phase::Loading => "loading",
        Phase::Ready => "ready",
        Phase::Broken(_) => "broken",
    };
    html! {
        <div class={classes!("app", model.wide.then_some("wide"), model.editing.then_some("editing"))} data-tab={current.slug()} data-story={model.story.as_ref().map(|view| view.story.slug)} data-phase={phase} data-testid="app">
            <Header
                title={model.scenario.as_ref().map(|scenario| scenario.name.clone()).unwrap_or_default()}
                theme={model.theme}
                extra={html! { <>
                    { edit_button(model.editing, &on) }
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
                    tool={model.tool}
                    scenario={model.scenario.clone()}
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
            if model.editing {
                <Editor
                    view={model.editor.clone()}
                    scenario={model.scenario.clone()}
                    facts={model.facts.clone()}
                    refused={model.refused_change.clone()}
                    saves={model.saves.clone()}
                    on={on.clone()}
                    files={files}
                />
            } else if let Some(offer) = &model.offer {
                <RestoreOffer offer={offer.clone()} on={on.clone()} />
            }
            <nav class="tabs" aria-label="Panels">
                { for Tab::ALL.into_iter().filter(|tab| is_there(*tab)).map(|tab| tab_button(tab, current, &on)) }
            </nav>
            <p class="sr" role="status" aria-live="polite" data-testid="announcement">{ &model.announcement }</p>
            { dialog(model, &on) }
        </div>
    }
}

/// The button that opens and closes the editor.
fn edit_button(editing: bool, on: &On) -> Html {
    let act = if editing {
        EditorAct::Close
    } else {
        EditorAct::Open
    };
    html! {
        <button
            id="edit"
            data-testid="edit"
            title="Edit the scenario: forms and JSON (Shift+E)"
            aria-pressed={editing.to_string()}
            onclick={on.reform(move |_| Action::Editor(act.clone()))}
        >{ icon(Icon::Edit) }<span>{ "Edit" }</span></button>
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
        (Dialog::Share(view), _) => html! { <ShareDialog view={view.clone()} on={on.clone()} /> },
        (Dialog::Compare, Some(scenario)) => html! {
            <CompareDialog scenario={scenario.clone()} facts={model.facts.clone()} on={on.clone()} />
        },
        (Dialog::Help, _) => html! { <HelpDialog on={on.clone()} /> },
    }
}
