//! What the host's page does of what is worked out at the editor's desk.

use super::app::{HostApp, Msg};
use crate::desk::Effect;
use crate::model::EditorAct;
use crate::root::Opened;
use scenario::host::{HostScenario, find_host_preset};
use view::editor::Edited;
use yew::Context;

impl HostApp {
    /// The scenario that runs, as the desk has it.
    fn running(&self) -> Edited {
        Edited::Host((*self.model.scenario).clone())
    }

    /// Does what was asked for in the editor.
    pub(super) fn editor_act(&mut self, ctx: &Context<HostApp>, act: EditorAct) {
        let (running, link) = (self.running(), ctx.link().clone());
        let paused = move |typed| link.send_message(Msg::Typed(typed));
        let effects = self.desk.at(|desk| desk.act(act, Some(&running), paused));
        self.follow(ctx, effects);
    }

    /// A pause in typing. True when the page shows something else then.
    pub(super) fn typing_paused(&mut self, ctx: &Context<HostApp>, typed: u32) -> bool {
        match self.desk.at(|desk| desk.paused(typed)) {
            Some(effects) => {
                self.follow(ctx, effects);
                true
            }
            None => false,
        }
    }

    /// Begins again with a scenario that is no longer the preset.
    pub(super) fn changed(&mut self, ctx: &Context<HostApp>, scenario: HostScenario, by: &str) {
        let changed = Edited::Host(scenario);
        self.desk.at(|desk| desk.changed(&changed, by));
        self.follow(ctx, vec![Effect::Run(changed, None)]);
    }

    fn follow(&mut self, ctx: &Context<HostApp>, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Run(Edited::Host(scenario), preset) => {
                    self.model.preset = preset;
                    if let Some(preset) = preset.and_then(find_host_preset) {
                        self.model.first_events = preset.scenario().events.len();
                    }
                    self.model.first_events = self.model.first_events.min(scenario.events.len());
                    self.load(ctx, scenario);
                    self.keep_address();
                    self.autosave();
                }
                Effect::Open(Edited::Host(scenario)) => {
                    self.open_known(ctx, Opened::plain(scenario));
                    self.keep_address();
                }
                Effect::Run(scenario @ Edited::Fabric(_), preset) => self.hand_over(ctx, scenario, preset),
                Effect::Open(scenario @ Edited::Fabric(_)) => self.hand_over(ctx, scenario, None),
                Effect::Announce(words) => self.model.announcement = words.into(),
                Effect::Tell {
                    is_error,
                    title,
                    details,
                } => self.tell(is_error, title, details),
            }
        }
    }

    /// The desk has a fabric's scenario, which is another page's business.
    fn hand_over(&mut self, ctx: &Context<HostApp>, scenario: Edited, preset: Option<&'static str>) {
        self.desk.at(|desk| desk.hand_over(scenario, preset));
        ctx.props().leave.emit(Vec::new());
    }

    /// Keeps the scenario that is worked on in the browser, if the browser lets us.
    fn autosave(&mut self) {
        let running = self.running();
        if let Some(Effect::Tell {
            is_error,
            title,
            details,
        }) = self.desk.at(|desk| desk.autosave(&running))
        {
            self.tell(is_error, title, details);
        }
    }
}
