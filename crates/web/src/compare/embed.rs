//! The page as a frame in another one: the stages and a bar; and the charts where they are asked for.

use super::charts::Charts;
use super::pane::Pane;
use super::{CompareApp, Msg};
use crate::model::{Action, Dialog};
use crate::share::EmbedBar;
use crate::ui::icons::{Icon, icon};
use crate::ui::notices::notices;
use view::share::Embed;
use yew::prelude::*;

impl CompareApp {
    /// The page.
    pub(super) fn embed_page(&self, ctx: &Context<CompareApp>, embed: Embed) -> Html {
        let on = ctx.link().callback(Msg::Do);
        let phase = match (self.asleep, self.is_loading()) {
            (true, _) => "empty",
            (false, true) => "loading",
            (false, false) => "ready",
        };
        let until = self.panes.iter().map(|pane| pane.scenario.until.0).max();
        html! {
            <div class="app compare embed" data-phase={phase} data-asleep={self.asleep.to_string()} data-runs={self.panes.len().to_string()} data-testid="app">
                <main class="cmp-main">
                    <div class={classes!("cmp-panes", format!("runs-{}", self.panes.len()))}>
                        { for (0..self.panes.len()).map(|place| self.pane_view(ctx, place)) }
                    </div>
                    if embed.timeline {
                        <Charts
                            histories={self.panes.iter().map(|pane| pane.history.clone()).collect::<Vec<_>>()}
                            scenarios={self.panes.iter().map(|pane| pane.scenario.clone()).collect::<Vec<_>>()}
                            over={self.panes.iter().map(Pane::is_over).collect::<Vec<_>>()}
                        />
                    }
                    if self.asleep {
                        <button class="start" data-testid="start" aria-label="Play" onclick={on.reform(|_| Action::TogglePlay)}>{ icon(Icon::Play) }</button>
                    }
                </main>
                <EmbedBar
                    ready={self.asleep || !self.is_loading()}
                    playing={self.playing}
                    over={!self.asleep && !self.is_loading() && self.is_over()}
                    now_ps={self.now_ps()}
                    until_ps={until.unwrap_or(0)}
                    title={self.title()}
                    link={self.link_if_any()}
                    on_toggle={on.reform(|()| Action::TogglePlay)}
                    on_restart={on.reform(|()| Action::Restart)}
                />
                { notices(&self.notices, &on) }
                <p class="sr" role="status" aria-live="polite" data-testid="announcement">{ &self.announcement }</p>
                if self.dialog == Dialog::Help { { super::page::help(&on) } }
            </div>
        }
    }
}
