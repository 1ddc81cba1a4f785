//! Keys.

use super::app::{HostApp, Msg};
use super::model::Do;
use crate::dom;
use crate::model::{Action, Dialog};
use crate::ui::editor::editor_key;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::Context;

impl HostApp {
    /// A key went down.
    pub(super) fn key(&mut self, ctx: &Context<HostApp>, event: &KeyboardEvent) {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
        let act = (self.model.dialog == Dialog::None)
            .then(|| editor_key(event, target.clone(), self.desk.is_open()))
            .flatten();
        if let Some(act) = act {
            event.prevent_default();
            ctx.link().send_message(Msg::Page(Action::Editor(act)));
            return;
        }
        if self.desk.is_open() && event.key() != "?" {
            return;
        }
        let special = event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented();
        if special || self.model.dialog != Dialog::None || dom::is_typing(target.clone()) {
            return;
        }
        let on_button = target
            .as_ref()
            .is_some_and(|element| ["BUTTON", "SUMMARY", "A"].contains(&&*element.tag_name()));
        let action = match event.key().as_str() {
            " " if !on_button => Do::TogglePlay,
            "." => Do::Step,
            "," => Do::StepBack,
            "r" => Do::Restart,
            "e" => Do::RunToEnd,
            "[" => Do::SetSpeed(self.model.speed.saturating_sub(1)),
            "]" => Do::SetSpeed(self.model.speed + 1),
            "n" => Do::NextPacket,
            "m" | ">" => Do::NextMark,
            "<" => Do::PreviousMark,
            "Escape" => Do::Select(None),
            "?" => {
                event.prevent_default();
                ctx.link().send_message(Msg::Page(Action::Help));
                return;
            }
            _ => return,
        };
        event.prevent_default();
        ctx.link().send_message(Msg::Do(action));
    }
}
