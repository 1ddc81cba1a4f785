//! The page as a frame in another one: the stage and a bar, and the timeline where it is asked for.

use super::help::HelpDialog;
use super::stage_view::StageView;
use super::timeline::TimelineView;
use super::{On, phase_name};
use crate::model::{Action, Dialog, Model, Phase, Playing};
use crate::share::EmbedBar;
use crate::stage::Stage;
use view::share::Embed;
use yew::prelude::*;

/// The whole page. `link` writes the link of what is shown, when it is wanted.
pub fn page(model: &Model, stage: &Stage, embed: Embed, on: On, link: Callback<(), String>) -> Html {
    let ready = model.phase == Phase::Ready;
    let now = model.report.now_ps;
    html! {
        <div class="app embed" data-phase={phase_name(&model.phase)} data-asleep={model.asleep.to_string()} data-testid="app">
            <main class="centre">
                <StageView
                    refs={stage.refs.clone()}
                    phase={model.phase.clone()}
                    silent={model.silent_s}
                    asleep={model.asleep}
                    tool={model.tool}
                    scenario={model.scenario.clone()}
                    first_faults={model.first_faults.clone()}
                    grouped={None}
                    capped={model.capped}
                    at_home={model.at_home}
                    at_start={now == 0 && model.playing == Playing::No}
                    not_found={None::<String>}
                    step={None::<String>}
                    tier_faults={Vec::new()}
                    deadlock={None}
                    hidden={model.hidden}
                    notices={model.notices.clone()}
                    menu={html! {}}
                    on={on.clone()}
                />
                <EmbedBar
                    ready={ready || model.asleep}
                    playing={model.playing}
                    over={ready && model.report.finished}
                    now_ps={now}
                    until_ps={model.scenario.as_ref().map_or(0, |scenario| scenario.until.0)}
                    title={model.scenario.as_ref().map(|scenario| scenario.name.clone()).unwrap_or_default()}
                    {link}
                    on_toggle={on.reform(|()| Action::TogglePlay)}
                    on_restart={on.reform(|()| Action::Restart)}
                />
                if let Some(scenario) = model.scenario.as_ref().filter(|_| embed.timeline) {
                    <section class="dock" aria-label="Timeline">
                        <div class="dock-panel">
                            <TimelineView
                                history={model.history.clone()}
                                scenario={scenario.clone()}
                                now={now}
                                finished={model.report.finished}
                                returning={model.returning}
                                qps={model.facts.flows}
                                choice={model.lanes.clone()}
                                bookmarks={model.bookmarks.clone()}
                                landmark={model.landmark}
                                selected={model.selected.clone()}
                                on={on.clone()}
                            />
                        </div>
                    </section>
                }
            </main>
            <p class="sr" role="status" aria-live="polite" data-testid="announcement">{ &model.announcement }</p>
            if model.dialog == Dialog::Help { <HelpDialog on={on.clone()} /> }
        </div>
    }
}
