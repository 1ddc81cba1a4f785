//! Stories: going from step to step, and back to where the user left one.

use super::edit::NO_STORY;
use super::{App, Msg};
use crate::dom;
use crate::model::{Action, Phase, Playing, StoryView, Tab};
use crate::root::Opened;
use scenario::link;
use view::find;
use view::inspect::Target;
use view::story::{self, Panel, StoryError, find_story};
use yew::Context;

impl App {
    /// Opens what a link to a story names, or says why it names none.
    pub(super) fn open_story_link(
        &mut self,
        ctx: &Context<App>,
        place: Result<(&'static story::Story, usize), StoryError>,
    ) {
        match place {
            Ok((story, step)) => self.show_step(ctx, story, step),
            Err(error) => {
                let details = vec![error.to_string(), "Choose one from the list instead.".into()];
                self.tell_error(NO_STORY, details);
            }
        }
    }

    pub(super) fn open_story(&mut self, ctx: &Context<App>, slug: &str) {
        if let Some(story) = find_story(slug) {
            self.own_hash = Some(dom::push_hash(&story::encode(story, 0)));
            if let Some(opened) = Opened::of_story(StoryView { story, step: 0 }) {
                return ctx.props().leave.emit(opened);
            }
            self.show_step(ctx, story, 0);
            let link = ctx.link().clone();
            // The card is not on the page yet.
            wasm_bindgen_futures::spawn_local(async move { link.send_message(Msg::Do(Action::FocusStory)) });
        }
    }

    /// Goes to a step of the story that is open; to the same one again after the user went elsewhere.
    pub(super) fn go_to_step(&mut self, ctx: &Context<App>, step: usize) {
        if let Some(view) = &self.model.story
            && step < view.story.steps.len()
        {
            let story = view.story;
            self.set_hash(&story::encode(story, step));
            self.show_step(ctx, story, step);
        }
    }

    pub(super) fn close_story(&mut self) {
        self.model.story = None;
        if let Some(preset) = self.model.preset {
            self.set_hash(&link::preset(preset, None));
        } else {
            self.set_hash("");
        }
    }

    /// Shows a step: in the run that is open where that is the step's, with no fault by hand; otherwise in a new one.
    pub(super) fn show_step(&mut self, ctx: &Context<App>, story: &'static story::Story, step: usize) {
        let variant = &story.runs[story.steps[step].run];
        let scenario = variant.scenario();
        let is_there = matches!(self.model.phase, Phase::Ready | Phase::Loading);
        let is_open = self
            .model
            .scenario
            .as_ref()
            .is_some_and(|open| is_there && **open == scenario);
        if !is_open {
            let preset = variant.counterpart.is_none().then_some(variant.preset);
            self.open(ctx, scenario, preset);
        }
        self.model.story = Some(StoryView { story, step });
        if self.is_ready() {
            self.arrange(ctx);
        } else {
            self.arrange_next = true;
        }
    }

    /// Brings time, selection, camera and panel to where the story's step has them; the run is ready.
    pub(super) fn arrange(&mut self, ctx: &Context<App>) {
        let Some(view) = self.model.story.clone() else {
            return;
        };
        let step = view.current();
        self.model.tab = match step.panel {
            Panel::Timeline => Tab::Timeline,
            Panel::Flows => Tab::Flows,
            Panel::Jobs => Tab::Jobs,
            Panel::Inspector => Tab::Inspect,
            Panel::Scenario => Tab::Scenario,
            // What only a host's page has, no story of a fabric opens.
            Panel::Charts | Panel::Tables | Panel::Process => Tab::Timeline,
        };
        let target = self
            .stage
            .clos()
            .and_then(|clos| find::find(step.selects, clos, self.model.facts.flows).ok());
        self.move_camera(|camera, _| camera.reset());
        self.select(target.clone());
        let place = target.filter(|target| !matches!(target, Target::Qp(_)));
        if step.zoom > 1.0 && place.is_some() {
            let at = self.stage.focus(place.as_ref());
            self.zoom(step.zoom, at);
        }
        let is_then = self.model.report.now_ps == step.at_ps && self.model.playing == Playing::No;
        if !is_then || self.seeking.is_some() {
            self.seek(ctx, step.at_ps);
        }
    }
}
