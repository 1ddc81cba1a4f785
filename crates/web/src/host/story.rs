//! Stories on the host's page: going from step to step, and back to where the user left one.

use super::app::HostApp;
use super::model::Tab;
use crate::dom;
use crate::model::{Phase, Playing, StoryView};
use crate::root::Opened;
use scenario::link;
use view::host::find::find;
use view::host::message::Target;
use view::story::{self, Panel};
use yew::Context;

impl HostApp {
    /// Begins a story; one of a fabric is told by that page.
    pub(super) fn open_story(&mut self, ctx: &Context<HostApp>, slug: &str) {
        let Some(story) = story::find_story(slug) else {
            return;
        };
        self.own_hash = Some(dom::push_hash(&story::encode(story, 0)));
        match Opened::of_story(StoryView { story, step: 0 }) {
            Some(opened) => {
                self.open_step(ctx, opened);
                self.focus_next = true;
            }
            None => ctx.props().leave.emit(Vec::new()),
        }
    }

    /// Goes to a step of the story that is open; to the same one again after the user went elsewhere.
    pub(super) fn go_to_step(&mut self, ctx: &Context<HostApp>, step: usize) {
        let Some(StoryView { story, .. }) = self.model.story.clone() else {
            return;
        };
        if step < story.steps.len()
            && let Some(opened) = Opened::of_story(StoryView { story, step })
        {
            self.set_hash(&story::encode(story, step));
            self.open_step(ctx, opened);
        }
    }

    pub(super) fn close_story(&mut self) {
        self.model.story = None;
        match self.model.preset {
            Some(preset) => self.set_hash(&link::preset(preset, None)),
            None => self.keep_address(),
        }
    }

    /// Shows a step: in the run that is open where that is the step's, with nothing done by hand; otherwise in a new one.
    pub(super) fn open_step(&mut self, ctx: &Context<HostApp>, opened: Opened) {
        let view = opened.story.clone();
        let is_there = matches!(self.model.phase, Phase::Ready | Phase::Loading);
        if !is_there || *self.model.scenario != opened.scenario {
            self.open(ctx, opened);
        }
        self.model.story = view;
        if self.is_ready() {
            self.arrange();
        } else {
            self.arrange_next = true;
        }
    }

    /// Brings time, selection and panel to where the story's step has them; the run is ready.
    pub(super) fn arrange(&mut self) {
        let Some(view) = self.model.story.clone() else {
            return;
        };
        let step = view.current();
        self.model.tab = match step.panel {
            Panel::Charts | Panel::Timeline | Panel::Jobs => Tab::Charts,
            Panel::Tables => Tab::Tables,
            Panel::Flows => Tab::Flows,
            Panel::Process => Tab::Process,
            Panel::Scenario => Tab::Scenario,
            Panel::Inspector => Tab::Inspect,
        };
        let target = find(step.selects, &self.model.facts).ok();
        let is_then = self.model.report.now_ps == step.at_ps && self.model.playing == Playing::No;
        if is_then && self.model.seeking.is_none() {
            self.ask_for_tab();
            return self.select(target);
        }
        // A packet or a flow of the time before may have the same number.
        let stays = matches!(
            target,
            Some(Target::Vm { .. } | Target::Nic | Target::Layer { .. })
        );
        self.select(target.filter(|_| stays));
        self.seek(step.at_ps);
        self.line.select_then(target);
    }
}
