//! The page as a whole.

use super::app::HostApp;
use super::charts::ChartsView;
use super::controls::Controls;
use super::cost::CostView;
use super::flows::FlowsTable;
use super::inspector::Inspector;
use super::model::{Do, Model, On, Tab};
use super::panel::Panel;
use super::process::ProcessView;
use super::stage::{HostStage, legend, words};
use super::tables::TablesView;
use crate::desk::DeskView;
use crate::model::{Action, Dialog, Phase, Playing};
use crate::share::{Recorder, ShareDialog};
use crate::ui::OnFiles;
use crate::ui::dialogs::Frame;
use crate::ui::editor::{edit_button, editor_or_offer};
use crate::ui::editor_host_forms::HostForms;
use crate::ui::header::Header;
use crate::ui::icons::{Icon, icon};
use crate::ui::keys::KeySheet;
use crate::ui::notices::notices;
use crate::ui::phase_name;
use crate::ui::stopped::{silent, stopped};
use crate::ui::story::StoryCard;
use ::view::host::dots::Kind;
use ::view::keys::Page;
use ::view::units;
use scenario::host::Traffic;
use yew::prelude::*;

/// Flows from which on building takes seconds.
const SLOW_TO_BUILD: u64 = 100_000;
/// Entries of the traffic that latency can be shown of: as many as a list is good for.
const TRAFFIC_NAMED: usize = 200;

/// What both pages have in common is done by the same actions.
pub type OnPage = Callback<Action>;

impl HostApp {
    /// The tab of a narrow window that shows the scenario or the inspector has nothing in the dock of a wide one.
    fn docked(tab: Tab) -> Tab {
        if Tab::DOCKED.contains(&tab) {
            tab
        } else {
            Tab::Charts
        }
    }
}

/// The whole page.
pub fn page(
    model: &Model,
    stage: &HostStage,
    desk: &DeskView,
    on: On,
    on_page: OnPage,
    files: OnFiles,
) -> Html {
    html! {
        <div class={classes!("app", "host", desk.open.then_some("editing"))} data-tab={model.tab.slug()} data-story={model.story.as_ref().map(|view| view.story.slug)} data-phase={phase_name(&model.phase)} data-testid="app" data-page="host">
            <Header
                title={model.scenario.name.clone()}
                theme={model.theme}
                extra={edit_button(desk.open, &on_page)}
                can_share=true
                on={on_page.clone()}
            />
            <Panel
                scenario={model.scenario.clone()}
                first_events={model.first_events}
                preset={model.preset}
                story={model.story.as_ref().map(|view| view.story.slug)}
                now_ps={model.report.now_ps}
                ready={model.phase == Phase::Ready && !model.report.finished}
                refused={model.refused_edit.clone()}
                on={on.clone()}
                on_page={on_page.clone()}
                files={files.clone()}
            />
            <main class="centre">
                { stage_view(model, stage, &on, &on_page) }
                { story(model, &on_page) }
                <Controls
                    ready={model.phase == Phase::Ready}
                    playing={model.playing}
                    seeking={model.seeking}
                    speed={model.speed}
                    limited={model.limited}
                    report={model.report.clone()}
                    until_ps={model.scenario.until.0}
                    moments={model.moments.clone()}
                    seed={model.scenario.seed}
                    on={on.clone()}
                />
                { dock(model, &on) }
            </main>
            <aside class="side right" aria-label="Inspector">
                <Inspector
                    selected={model.selected}
                    report={model.report.clone()}
                    facts={model.facts.clone()}
                    on={on.clone()}
                />
            </aside>
            { editor_or_offer(desk, true, forms(model, desk, &on_page), &on_page, files) }
            <nav class="tabs" aria-label="Panels">
                { for Tab::ALL.into_iter().map(|tab| {
                    let onclick = on.reform(move |_| Do::SetTab(tab));
                    html! {
                        <button class="tab" aria-pressed={(tab == model.tab).to_string()} data-testid={format!("panel-{}", tab.slug())} {onclick}>
                            { tab.name() }
                        </button>
                    }
                }) }
            </nav>
            <p class="sr" role="status" aria-live="polite" data-testid="announcement">{ &model.announcement }</p>
            if let Some(seconds) = model.recording {
                <Recorder
                    {seconds}
                    title={model.scenario.name.clone()}
                    file={crate::app::share::file_name(&model.scenario.name)}
                    now_ps={model.report.now_ps}
                    done={on_page.reform(Action::Recorded)}
                />
            }
            { match &model.dialog {
                Dialog::None | Dialog::Compare => html! {},
                Dialog::Share(view) => html! { <ShareDialog view={view.clone()} extra="time bar" on={on_page} /> },
                Dialog::Help => help(&on_page),
            } }
        </div>
    }
}

/// The forms of the editor.
fn forms(model: &Model, desk: &DeskView, on: &OnPage) -> Html {
    html! {
        if desk.open {
            <HostForms
                scenario={model.scenario.clone()}
                refused={desk.refused.clone()}
                is_behind={!desk.text.problems.is_empty()}
                saves={desk.saves.clone()}
                on={on.clone()}
            />
        }
    }
}

/// The card of the story, if one is told.
fn story(model: &Model, on: &OnPage) -> Html {
    let Some(view) = &model.story else {
        return html! {};
    };
    let report = &model.report;
    let strayed = model.phase == Phase::Ready
        && model.seeking.is_none()
        && view.is_left_by_host(&model.scenario, report.now_ps, report.finished);
    html! { <StoryCard view={view.clone()} {strayed} on={on.clone()} /> }
}

pub(super) fn stage_view(model: &Model, stage: &HostStage, on: &On, on_page: &OnPage) -> Html {
    let (there, drawn) = model.there;
    html! {
        <section class="stage" aria-label="Host">
            <div class="toolbar">
                <button
                    data-testid="next-packet"
                    title="Select the next packet (N)"
                    disabled={model.phase != Phase::Ready}
                    onclick={on.reform(|_| Do::NextPacket)}
                >{ icon(Icon::Select) }{ "Next packet" }</button>
                <p class="step">{ "Click a packet, a VM, a layer or the SmartNIC to look into it." }</p>
                { for model.report.servicing.iter().map(|text| html! {
                    <span class="chip lossy" data-testid="servicing">{ text }</span>
                }) }
                if model.report.wire_dead {
                    <span class="chip lossy" data-testid="wire-dead">{ "The wire is dead" }</span>
                }
                if there as usize > drawn {
                    <span class="chip" title="An even sample of the packets is drawn" data-testid="capped">
                        { format!("{} of {} packets", units::count(drawn as u64), units::count(u64::from(there))) }
                    </span>
                }
            </div>
            <div class="canvases" ref={stage.refs.root.clone()} data-testid="stage">
                <canvas ref={stage.refs.low.clone()} aria-hidden="true"></canvas>
                <canvas ref={stage.refs.high.clone()} tabindex="0" role="img" aria-label={words(&model.report, there)} data-testid="stage-canvas"></canvas>
                <div class="tip" ref={stage.refs.tip.clone()} data-testid="tip" hidden=true></div>
                { overlay(model, on, on_page) }
                { notices(&model.notices, on_page) }
            </div>
            <div class="legend-frame open">
                <ul class="legend" aria-label="Symbols">
                    { for legend().into_iter().map(|(kind, doc)| html! {
                        <li title={doc}>{ symbol(kind) }{ kind.name() }</li>
                    }) }
                    <li title="A packet that the FPGA could not match: it climbs to the vSwitch">
                        <svg viewBox="-11 -6 22 12" aria-hidden="true"><circle r="5" class="exception" /></svg>{ "Exception" }
                    </li>
                </ul>
            </div>
        </section>
    }
}

/// The symbol of a kind, as the stage draws it.
fn symbol(kind: Kind) -> Html {
    let class = format!("host-kind {}", kind.slug());
    let body = match kind {
        Kind::Data => html! { <rect {class} x="-5" y="-2.6" width="10" height="5.2" /> },
        Kind::Ack => html! { <circle {class} r="2.6" /> },
        Kind::Syn => html! { <path {class} d="M0-4.6 4.6 3.6H-4.6z" /> },
        Kind::Close => html! { <path {class} d="M0 4.6 4.6-3.6H-4.6z" /> },
        Kind::Ping => html! { <circle class={format!("{class} hollow")} r="3" /> },
        Kind::Udp => html! { <rect {class} x="-3.2" y="-3.2" width="6.4" height="6.4" /> },
        Kind::Flood => {
            html! { <path class={format!("{class} hollow")} d="M-3.4-3.4 3.4 3.4M3.4-3.4-3.4 3.4" /> }
        }
        Kind::Rdma => html! { <path {class} d="M-5.5 0-2.8-3.4H2.8L5.5 0 2.8 3.4H-2.8z" /> },
        Kind::Copy => html! { <path class={format!("{class} hollow")} d="M0-5 5 0 0 5-5 0z" /> },
    };
    html! { <svg viewBox="-11 -6 22 12" aria-hidden="true">{ body }</svg> }
}

fn overlay(model: &Model, on: &On, on_page: &OnPage) -> Html {
    let restart = || on_page.reform(|_: MouseEvent| Action::RestartWorker);
    if let Some(seconds) = model.silent_s {
        return silent(seconds, restart());
    }
    if model.asleep {
        return html! {
            <button class="start" data-testid="start" aria-label="Play" onclick={on.reform(|_| Do::TogglePlay)}>
                { icon(Icon::Play) }
            </button>
        };
    }
    match &model.phase {
        Phase::Broken(why) => stopped(
            "The simulation has stopped",
            why,
            "The scenario is kept, with what was done by hand.",
            restart(),
            Some(on_page.reform(|_| Action::SaveScenario)),
        ),
        Phase::Loading => html! {
            <div class="veil light" role="status">
                <p class="card small row">
                    { building(model) }
                    <button data-testid="stop-loading" onclick={on_page.reform(|_| Action::StopLoading)}>{ "Stop" }</button>
                </p>
            </div>
        },
        Phase::Empty => html! {
            <div class="veil light">
                <div class="card small" data-testid="empty">
                    <p>{ "This scenario has not been built." }</p>
                    <button onclick={on.reform(|_| Do::Restart)}>{ icon(Icon::Restart) }{ "Build it" }</button>
                </div>
            </div>
        },
        Phase::Ready
            if model.report.now_ps == 0 && model.playing == Playing::No && model.seeking.is_none() =>
        {
            html! {
                <button class="start" data-testid="start" aria-label="Play" onclick={on.reform(|_| Do::TogglePlay)}>
                    { icon(Icon::Play) }
                </button>
            }
        }
        Phase::Ready => html! {},
    }
}

/// What is being built, and what takes long about it.
fn building(model: &Model) -> String {
    let warm = model.scenario.traffic.iter().map(|traffic| match traffic {
        Traffic::Flows {
            warm: true, flows, ..
        } => u64::from(*flows),
        _ => 0,
    });
    match warm.sum::<u64>() {
        0..SLOW_TO_BUILD => "Building the host".into(),
        flows => format!(
            "Building the host: {} flows are put into the tables of VFP and the SmartNIC. This may take a quarter of a minute.",
            units::count(flows)
        ),
    }
}

fn dock(model: &Model, on: &On) -> Html {
    let open = HostApp::docked(model.tab);
    let tab = |tab: Tab| {
        let onclick = on.reform(move |_| Do::SetTab(tab));
        html! {
            <button
                role="tab"
                id={format!("tab-{}", tab.slug())}
                aria-selected={(tab == open).to_string()}
                aria-controls="dock-panel"
                data-testid={format!("tab-{}", tab.slug())}
                {onclick}
            >{ tab.name() }</button>
        }
    };
    let body = match open {
        Tab::Tables => html! { <TablesView view={model.tables.clone()} theme={model.theme} /> },
        Tab::Flows => html! {
            <FlowsTable
                view={model.flows.clone()}
                vms={model.scenario.vms.len() as u32}
                counter_period_ps={model.facts.counter_period_ps}
                selected={model.selected}
                on={on.clone()}
            />
        },
        Tab::Process => html! {
            <ProcessView
                process={model.process.clone()}
                vms={model.scenario.vms.len() as u32}
                on={on.clone()}
            />
        },
        Tab::Cost => html! {
            <CostView costs={model.costs} refused={model.refused_cost.clone()} on={on.clone()} />
        },
        Tab::Events => events(model),
        Tab::Charts | Tab::Scenario | Tab::Inspect => html! {
            <ChartsView
                charts={model.charts.clone()}
                until_ps={model.scenario.until.0}
                run={model.curve.clone()}
                question={view::host::curve::Curve::of(&model.scenario)}
                answer={model.preset.and_then(view::host::answers::of)}
                traffic={view::host::traffic::names(&model.scenario, TRAFFIC_NAMED)}
                latency_of={model.latency_of}
                ready={model.phase == Phase::Ready}
                on={on.clone()}
            />
        },
    };
    html! {
        <section class="dock" aria-label="Charts and tables">
            <div class="dock-tabs" role="tablist">{ for Tab::DOCKED.into_iter().map(tab) }</div>
            <div class="dock-panel" id="dock-panel" role="tabpanel" tabindex="0" aria-labelledby={format!("tab-{}", open.slug())}>
                <h2 class="sr">{ open.name() }</h2>
                { body }
            </div>
        </section>
    }
}

fn events(model: &Model) -> Html {
    html! {
        <div class="host-events">
            if model.report.marks.is_empty() {
                <p class="dim">{ "Nothing has happened to the host yet. VF steps, policy changes and servicing are listed here." }</p>
            }
            <ol data-testid="marks">
                { for model.report.marks.iter().rev().map(|(at, text)| html! {
                    <li><time>{ units::span(*at as f64) }</time><span>{ text }</span></li>
                }) }
            </ol>
        </div>
    }
}

pub(super) fn help(on: &OnPage) -> Html {
    html! {
        <Frame title="Keys and symbols" testid="help-dialog" on={on.clone()}>
            <KeySheet page={Page::Host}>
                <p>{ "A VM sends over its VF straight to the SmartNIC, or by NetVSC's synthetic path through the vSwitch. The way in use is drawn thick; a VF that is away is dashed." }</p>
                <p>{ "What the FPGA cannot match is an exception, ringed: it goes to a core of the vSwitch, is walked through VFP's layers, and leaves a pair of entries in the SmartNIC. SYN, FIN and RST are copied to VFP, a hollow diamond." }</p>
                <p>{ "The bar in a core is its load of late, the block before it the packets that wait. Outbound packets keep to one side of a line, inbound packets to the other." }</p>
                <p>{ "The time bar goes back too: the run is simulated again from the last copy before, and is the same, bit for bit." }</p>
            </KeySheet>
            <p class="dim" data-testid="edition">{ crate::edition::words() }</p>
        </Frame>
    }
}
