//! Keys.

use super::app::{HostApp, Msg};
use super::model::Do;
use crate::dom;
use crate::model::{Action, Dialog};
use view::keys::{Command, Page, Place};
use web_sys::KeyboardEvent;
use yew::Context;

impl HostApp {
    /// A key went down.
    pub(super) fn key(&mut self, ctx: &Context<HostApp>, event: &KeyboardEvent) {
        let target = dom::target(event);
        if self.model.dialog != Dialog::None || dom::is_typing(target.clone()) {
            return;
        }
        let Some(command) = dom::command(Page::Host, Place::Anywhere, event) else {
            return;
        };
        let action = match command {
            Command::Play if dom::is_pressable(target.as_ref()) => return,
            Command::Play => Do::TogglePlay,
            Command::Step => Do::Step,
            Command::Restart => Do::Restart,
            Command::RunToEnd => Do::RunToEnd,
            Command::Slower => Do::SetSpeed(self.model.speed.saturating_sub(1)),
            Command::Faster => Do::SetSpeed(self.model.speed + 1),
            Command::NextPacket => Do::NextPacket,
            Command::Mark { .. } => Do::NextMark,
            Command::Cancel => Do::Select(None),
            Command::Help => {
                event.prevent_default();
                ctx.link().send_message(Msg::Page(Action::Help));
                return;
            }
            // Those that a fabric has.
            _ => return,
        };
        event.prevent_default();
        ctx.link().send_message(Msg::Do(action));
    }
}
