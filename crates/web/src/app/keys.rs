//! Keys: what the table in `view::keys` says that they are for, done.

use super::{App, Msg};
use crate::dom;
use crate::model::{Action, Dialog, EditorAct, Tool};
use view::inspect::Target;
use view::keys::{Command, Page, Place};
use view::neighbour;
use web_sys::KeyboardEvent;
use yew::Context;

/// How far an arrow key moves the world, in CSS pixels.
const ARROW: f64 = 60.0;

impl App {
    /// A key went down. True when the page shows something else then.
    pub(super) fn key(&mut self, ctx: &Context<App>, event: &KeyboardEvent) -> bool {
        let target = dom::target(event);
        if self.model.dialog != Dialog::None || dom::is_typing(target.clone()) {
            return self.key_while_typing(ctx, event);
        }
        let on_stage = (target.as_ref()).is_some_and(|element| element.tag_name() == "CANVAS");
        let here = on_stage
            .then(|| dom::command(Page::Fabric, Place::Stage, event))
            .flatten();
        let Some(command) = here.or_else(|| dom::command(Page::Fabric, Place::Anywhere, event)) else {
            return false;
        };
        if command == Command::Play && dom::is_pressable(target.as_ref()) {
            return false;
        }
        // The editor covers what most keys are for.
        let is_editors = matches!(
            command,
            Command::Help | Command::Edit | Command::Undo | Command::Redo | Command::Cancel
        );
        if self.desk.is_open() && !is_editors {
            return false;
        }
        event.prevent_default();
        self.obey(ctx, command)
    }

    /// Where letters are typed, Esc still closes the editor; all else belongs to the field or the dialog.
    fn key_while_typing(&mut self, ctx: &Context<App>, event: &KeyboardEvent) -> bool {
        let command = dom::command(Page::Fabric, Place::Anywhere, event);
        if command == Some(Command::Cancel) && self.desk.is_open() && self.model.dialog == Dialog::None {
            event.prevent_default();
            ctx.link().send_message(Msg::Do(Action::Editor(EditorAct::Close)));
        }
        false
    }

    fn obey(&mut self, ctx: &Context<App>, command: Command) -> bool {
        let action = match command {
            Command::Play => Action::TogglePlay,
            Command::Step => Action::Step,
            Command::StepBack => Action::StepBack,
            Command::Mark { next } => Action::Jump(next),
            Command::Bookmark => Action::ToggleBookmark(None),
            Command::RunToEnd => Action::RunToEnd,
            Command::Restart => Action::Restart,
            Command::Slower => Action::SetSpeed(self.model.speed.saturating_sub(1)),
            Command::Faster => Action::SetSpeed(self.model.speed + 1),
            Command::NextPacket => Action::NextPacket,
            Command::Select(kind, forwards) => {
                self.select_beside(kind, forwards);
                return true;
            }
            Command::Find => {
                dom::focus("#find");
                return false;
            }
            Command::BreakTool => Action::SetTool(match self.model.tool {
                Tool::Select => Tool::Break,
                Tool::Break => Tool::Select,
            }),
            Command::BreakSelected => return self.break_selected(ctx),
            Command::BreakMenu => {
                self.open_menu();
                return true;
            }
            Command::Larger => Action::Zoom(1.5),
            Command::Smaller => Action::Zoom(1.0 / 1.5),
            Command::ShowAll => Action::ShowAll,
            Command::Pan(right, down) => {
                let (x, y) = (f64::from(right) * -ARROW, f64::from(down) * -ARROW);
                self.move_camera(|camera, size| camera.panned(x, y, size));
                self.keep_ticking(ctx);
                return false;
            }
            Command::Edit if self.desk.is_open() => Action::Editor(EditorAct::Close),
            Command::Edit => Action::Editor(EditorAct::Open),
            Command::Undo => Action::Editor(EditorAct::Undo),
            Command::Redo => Action::Editor(EditorAct::Redo),
            Command::Cancel if self.desk.is_open() => Action::Editor(EditorAct::Close),
            Command::Cancel if self.model.menu.is_some() => Action::CloseMenu,
            Command::Cancel if self.model.tool == Tool::Break => Action::SetTool(Tool::Select),
            Command::Cancel => match self.model.notices.last() {
                Some(newest) => Action::Dismiss(newest.id),
                None => Action::Select(None),
            },
            Command::Help => Action::Help,
            // Those of other places, which their components obey.
            Command::Move(_)
            | Command::End { .. }
            | Command::Page { .. }
            | Command::Open
            | Command::Choose
            | Command::Remove
            | Command::Stretch(_)
            | Command::Go { .. }
            | Command::Enter(_) => return false,
        };
        ctx.link().send_message(Msg::Do(action));
        false
    }

    /// Selects the next thing of a kind after the one that is selected, or the one before.
    fn select_beside(&mut self, kind: view::keys::Kind, forwards: bool) {
        let Some(clos) = self.stage.clos() else {
            return;
        };
        let next = neighbour::next(
            kind,
            self.model.selected.as_ref(),
            clos,
            self.model.facts.flows,
            forwards,
        );
        match next {
            Some(target) => {
                self.model.announcement = view::names::of(&target).unwrap_or_default();
                self.select(Some(target));
            }
            None => self.model.announcement = "There is none".into(),
        }
    }

    /// Breaks the link or switch that is selected, or heals it; offers the ways to break another thing.
    fn break_selected(&mut self, ctx: &Context<App>) -> bool {
        match &self.model.selected {
            Some(target @ (Target::Link(_) | Target::Switch(_))) => {
                ctx.link().send_message(Msg::Do(Action::Toggle(target.clone())));
                false
            }
            _ => {
                self.open_menu();
                true
            }
        }
    }
}
