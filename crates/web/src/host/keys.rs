//! Keys.

use super::app::{HostApp, Msg};
use super::model::Do;
use crate::dom;
use crate::model::{Action, Dialog, EditorAct};
use view::keys::{Command, Page, Place};
use web_sys::KeyboardEvent;
use yew::Context;

impl HostApp {
    /// A key went down.
    pub(super) fn key(&mut self, ctx: &Context<HostApp>, event: &KeyboardEvent) {
        let target = dom::target(event);
        let Some(command) = dom::command(Page::Host, Place::Anywhere, event) else {
            return;
        };
        let editing = self.desk.is_open();
        if self.model.dialog != Dialog::None || dom::is_typing(target.clone()) {
            // Where letters are typed, Esc still closes the editor; all else belongs to the field or the dialog.
            if command == Command::Cancel && editing && self.model.dialog == Dialog::None {
                event.prevent_default();
                ctx.link()
                    .send_message(Msg::Page(Action::Editor(EditorAct::Close)));
            }
            return;
        }
        let act = match command {
            Command::Edit if !editing => Some(EditorAct::Open),
            Command::Edit | Command::Cancel if editing => Some(EditorAct::Close),
            Command::Undo => Some(EditorAct::Undo),
            Command::Redo => Some(EditorAct::Redo),
            _ => None,
        };
        if let Some(act) = act {
            event.prevent_default();
            ctx.link().send_message(Msg::Page(Action::Editor(act)));
            return;
        }
        // The editor covers what most keys are for.
        if editing && command != Command::Help {
            return;
        }
        let action = match command {
            Command::Play if dom::is_pressable(target.as_ref()) => return,
            Command::Play => Do::TogglePlay,
            Command::Step => Do::Step,
            Command::StepBack => Do::StepBack,
            Command::Restart => Do::Restart,
            Command::RunToEnd => Do::RunToEnd,
            Command::Slower => Do::SetSpeed(self.model.speed.saturating_sub(1)),
            Command::Faster => Do::SetSpeed(self.model.speed + 1),
            Command::NextPacket => Do::NextPacket,
            Command::Mark { next: true } => Do::NextMark,
            Command::Mark { next: false } => Do::PreviousMark,
            Command::Cancel => match self.model.notices.last() {
                Some(newest) => {
                    let put_away = Action::Dismiss(newest.id);
                    return ctx.link().send_message(Msg::Page(put_away));
                }
                None => Do::Select(None),
            },
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
