//! The page as a frame in another one: the stage and a bar; and the time bar with what happens where it is asked for.

use super::controls::Controls;
use super::model::{Do, Model, On};
use super::stage::HostStage;
use super::view::{OnPage, help, stage_view};
use crate::model::{Dialog, Phase};
use crate::share::EmbedBar;
use crate::ui::phase_name;
use ::view::share::Embed;
use yew::prelude::*;

/// The whole page. `link` writes the link of what is shown, when it is wanted.
pub fn page(
    model: &Model,
    stage: &HostStage,
    embed: Embed,
    (on, on_page): (On, OnPage),
    link: Callback<(), String>,
) -> Html {
    let ready = model.phase == Phase::Ready;
    html! {
        <div class="app host embed" data-phase={phase_name(&model.phase)} data-asleep={model.asleep.to_string()} data-testid="app" data-page="host">
            <main class="centre">
                { stage_view(model, stage, &on, &on_page) }
                <EmbedBar
                    ready={ready || model.asleep}
                    playing={model.playing}
                    over={ready && model.report.finished}
                    now_ps={model.report.now_ps}
                    until_ps={model.scenario.until.0}
                    title={model.scenario.name.clone()}
                    {link}
                    on_toggle={on.reform(|()| Do::TogglePlay)}
                    on_restart={on.reform(|()| Do::Restart)}
                />
                if embed.timeline {
                    <Controls
                        {ready}
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
                }
            </main>
            <p class="sr" role="status" aria-live="polite" data-testid="announcement">{ &model.announcement }</p>
            if model.dialog == Dialog::Help { { help(&on_page) } }
        </div>
    }
}
