//! What the fabric's page does of what is worked out at the editor's desk.

use super::{App, Msg};
use crate::desk::Effect;
use crate::model::EditorAct;
use crate::root::Opened;
use crate::shared::Shared;
use scenario::{Scenario, find_preset, link};
use view::editor::Edited;
use yew::Context;

impl App {
    /// The scenario that runs, as the desk has it.
    pub(super) fn running(&self) -> Option<Edited> {
        Some(Edited::Fabric((**self.model.scenario.as_ref()?).clone()))
    }

    /// Does what was asked for in the editor.
    pub(super) fn editor_act(&mut self, ctx: &Context<App>, act: EditorAct) {
        if act == EditorAct::Open {
            self.model.menu = None;
        }
        let (running, link) = (self.running(), ctx.link().clone());
        let paused = move |typed| link.send_message(Msg::Typed(typed));
        let effects = self.desk.at(|desk| desk.act(act, running.as_ref(), paused));
        self.follow(ctx, effects);
    }

    /// A pause in typing. True when the page shows something else then.
    pub(super) fn typing_paused(&mut self, ctx: &Context<App>, typed: u32) -> bool {
        match self.desk.at(|desk| desk.paused(typed)) {
            Some(effects) => {
                self.follow(ctx, effects);
                true
            }
            None => false,
        }
    }

    /// The scenario was changed by hand: it is no preset any more, and begins again.
    pub(super) fn edited(&mut self, ctx: &Context<App>, changed: Scenario, by: &str) {
        let changed = Edited::Fabric(changed);
        self.desk.at(|desk| desk.changed(&changed, by));
        self.follow(ctx, vec![Effect::Run(changed, None)]);
    }

    fn follow(&mut self, ctx: &Context<App>, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Run(Edited::Fabric(scenario), preset) => {
                    self.model.preset = preset;
                    if let Some(preset) = preset.and_then(find_preset) {
                        self.model.first_faults = Shared::new(preset.scenario().faults);
                    }
                    self.set_hash(&preset.map(|slug| link::preset(slug, None)).unwrap_or_default());
                    self.load(ctx, scenario);
                    self.autosave();
                }
                Effect::Open(Edited::Fabric(scenario)) => {
                    self.open_known(ctx, scenario, None);
                    self.set_hash("");
                }
                Effect::Run(Edited::Host(scenario), preset) => self.hand_over(ctx, scenario, preset),
                Effect::Open(Edited::Host(scenario)) => self.hand_over(ctx, scenario, None),
                Effect::Announce(words) => self.model.announcement = words.into(),
                Effect::Tell {
                    is_error,
                    title,
                    details,
                } => self.tell(is_error, title, details),
            }
        }
    }

    /// The desk has a host's scenario, which is another page's business.
    fn hand_over(
        &mut self,
        ctx: &Context<App>,
        scenario: scenario::host::HostScenario,
        preset: Option<&'static str>,
    ) {
        self.desk
            .at(|desk| desk.hand_over(Edited::Host(scenario.clone()), preset));
        ctx.props().leave.emit(Opened {
            preset,
            ..Opened::plain(scenario)
        });
    }

    /// Keeps the scenario that is worked on in the browser, if the browser lets us.
    pub(super) fn autosave(&mut self) {
        // A frame in somebody else's page keeps nothing.
        if self.model.embed.is_none()
            && let Some(running) = self.running()
            && let Some(effect) = self.desk.at(|desk| desk.autosave(&running))
            && let Effect::Tell {
                is_error,
                title,
                details,
            } = effect
        {
            self.tell(is_error, title, details);
        }
    }
}
