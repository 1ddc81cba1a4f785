//! The page as a whole.

use super::charts::Charts;
use super::differences::DifferencesView;
use super::table::{Distributions, results};
use super::{CompareApp, CompareDialog, Msg};
use crate::model::{Action, Dialog, Playing, Tool};
use crate::share::{Recorder, ShareDialog};
use crate::ui::On;
use crate::ui::compare_button;
use crate::ui::dialogs::Frame;
use crate::ui::header::Header;
use crate::ui::icons::{Icon, icon};
use crate::ui::keys::KeySheet;
use crate::ui::legend::Legend;
use crate::ui::notices::notices;
use crate::ui::playing::{Go, buttons, seed_field, speed_slider};
use scenario::link::MAX_COMPARED;
use view::compare::Outcome;
use view::keys::Page;
use view::units;
use yew::prelude::*;

impl CompareApp {
    /// The page.
    pub(super) fn page(&self, ctx: &Context<CompareApp>) -> Html {
        let on = ctx.link().callback(Msg::Do);
        let scenarios: Vec<_> = self.panes.iter().map(|pane| pane.scenario.clone()).collect();
        let outcomes: Vec<Outcome> = self.panes.iter().map(super::pane::Pane::outcome).collect();
        let breaking = (self.tool == Tool::Break).then_some("breaking");
        let phase = if self.is_loading() { "loading" } else { "ready" };
        let can_add = self.panes.len() < MAX_COMPARED;
        html! {
            <div class={classes!("app", "compare", breaking)} data-phase={phase} data-runs={self.panes.len().to_string()} data-testid="app">
                <Header
                    title={self.title()}
                    theme={self.theme}
                    extra={compare_button("Add a run…", can_add, &on)}
                    can_share={true}
                    on={on.clone()}
                />
                <main class="cmp-main">
                    <DifferencesView scenarios={scenarios.clone()} on={on.clone()} />
                    <div class={classes!("cmp-panes", format!("runs-{}", self.panes.len()))}>
                        { for (0..self.panes.len()).map(|place| self.pane_view(ctx, place)) }
                    </div>
                    <Legend hidden={self.hidden} scenarios={scenarios.clone()} on={on.clone()} />
                    <Charts
                        histories={self.panes.iter().map(|pane| pane.history.clone()).collect::<Vec<_>>()}
                        scenarios={scenarios.clone()}
                        over={self.panes.iter().map(super::pane::Pane::is_over).collect::<Vec<_>>()}
                    />
                    <section class="cmp-results" aria-label="Results">
                        { results(&outcomes) }
                        <Distributions
                            flows={self.panes.iter().map(|pane| pane.flows.clone()).collect::<Vec<_>>()}
                            jobs={self.panes.iter().map(|pane| pane.jobs.clone()).collect::<Vec<_>>()}
                        />
                    </section>
                </main>
                { self.controls(&on) }
                { notices(&self.notices, &on) }
                <p class="sr" role="status" aria-live="polite" data-testid="announcement">{ &self.announcement }</p>
                if let Some(seconds) = self.recording {
                    <Recorder {seconds} title={self.title()} file={self.file()} now_ps={self.now_ps()} done={on.reform(Action::Recorded)} />
                }
                { self.dialog_view(&on) }
            </div>
        }
    }

    fn controls(&self, on: &On) -> Html {
        let go = on.reform(|go| match go {
            Go::Restart => Action::Restart,
            Go::TogglePlay => Action::TogglePlay,
            Go::Step => Action::Step,
            Go::ToEnd => Action::RunToEnd,
        });
        let (ready, over) = (!self.is_loading(), self.is_over());
        let now = self.now_ps();
        let until = self
            .panes
            .iter()
            .map(|pane| pane.scenario.until.0)
            .max()
            .unwrap_or(0);
        let seeds: Vec<u64> = self.panes.iter().map(|pane| pane.scenario.seed).collect();
        let breaks = self.tool == Tool::Break;
        let tool = on.reform(move |_| Action::SetTool(if breaks { Tool::Select } else { Tool::Break }));
        let note = match &self.step {
            Some(step) if self.playing == Playing::No => step.clone(),
            _ if breaks => "A click breaks or heals in every run; a right click offers more ways".into(),
            _ => String::new(),
        };
        html! {
            <section class="controls" aria-label="Playing all runs">
                { buttons(self.playing, ready, over, None, &go) }
                <div class="clock">
                    <div class="time">
                        <output data-testid="time" data-ps={now.to_string()}>{ units::clock(now) }</output>
                        <span class="dim">{ format!(" of at most {}", units::span(until as f64)) }</span>
                    </div>
                    <span class="status dim" data-testid="step-text">{ note }</span>
                </div>
                <button class="cmp-break" aria-pressed={breaks.to_string()} title="A click on a link or switch breaks it in all runs, another heals it (B)" data-testid="tool-break" onclick={tool}>
                    { icon(Icon::Break) }{ "Break" }
                </button>
                { speed_slider(self.speed, self.playing, self.limited, &on.reform(Action::SetSpeed)) }
                { seed_field(seeds[0], ready, on.reform(|seed| match seed {
                    Ok(seed) => Action::SetSeed(seed),
                    Err(text) => Action::RefuseSeed(text),
                })) }
            </section>
        }
    }

    fn dialog_view(&self, on: &On) -> Html {
        match &self.dialog {
            Dialog::None => html! {},
            Dialog::Share(view) => {
                html! { <ShareDialog view={view.clone()} extra="charts" on={on.clone()} /> }
            }
            Dialog::Compare => html! {
                <CompareDialog scenario={self.panes[0].scenario.clone()} facts={self.panes[0].facts.clone()} on={on.clone()} />
            },
            Dialog::Help => help(on),
        }
    }
}

pub(super) fn help(on: &On) -> Html {
    html! {
        <Frame title="Keys" testid="help-dialog" on={on.clone()}>
            <KeySheet page={Page::Compare}>
                <p>{ "All runs have one clock: none goes on before all have reached the same simulated time. A run that is over stays where it ended." }</p>
                <p>{ "What is broken by hand in one run is broken in all, at the same time and place; where there is no such place, a notice says so." }</p>
                <p>{ "Colour and dashes of a run's line are the same in every chart. Red upright lines are faults, green ones repairs." }</p>
            </KeySheet>
            <p class="dim" data-testid="edition">{ crate::edition::words() }</p>
        </Frame>
    }
}
