//! Pointers and keys. Where two fabrics have the same shape, what moves on one stage moves on the other, and what is under the
//! pointer in one is emphasised in both.

use super::hand::Deed;
use super::{CompareApp, Msg};
use crate::dom;
use crate::listeners::Touch;
use crate::model::{Action, BreakMenu, Dialog, Tool};
use crate::stage::zoomed;
use view::Camera;
use view::breaking::Subject;
use view::geometry::Point;
use view::gesture::Gesture;
use view::inspect::Target;
use view::keys::{Command, Page, Place};
use web_sys::KeyboardEvent;
use yew::Context;

impl CompareApp {
    /// Something happened on the stage of a pane. True when the page shows something else then.
    pub(super) fn touch(&mut self, number: u32, touch: Touch) -> bool {
        let Some(place) = self.place(number) else {
            return false;
        };
        match touch {
            Touch::Gone => {
                for pane in &mut self.panes {
                    pane.stage.hover(None);
                    pane.stage.tip(Point::default(), &[]);
                }
                return false;
            }
            Touch::Menu(at) => return self.open_menu(place, at),
            Touch::Pointer(..) | Touch::Wheel(..) => {}
        }
        let gestures = touch.gestures(&mut self.panes[place].gestures);
        let mut shown = false;
        for gesture in gestures {
            match gesture {
                Gesture::Click(at) => shown |= self.click(place, at),
                Gesture::Hover(at) => self.hover(place, at),
                Gesture::Pan(by) => self.move_cameras(place, |camera, size| camera.panned(by.x, by.y, size)),
                Gesture::Zoom { factor, at } => self.zoom(place, factor, at),
            }
        }
        shown
    }

    fn zoom(&mut self, place: usize, factor: f64, at: Point) {
        let layout = self.panes[place].stage.layout().copied();
        self.move_cameras(place, |camera, size| {
            zoomed(layout.as_ref(), camera, (factor, at), size)
        });
    }

    /// Magnifies around the middle of every stage.
    pub(super) fn zoom_all(&mut self, factor: f64) {
        for place in 0..self.panes.len() {
            let at = self.panes[place].stage.focus(None);
            let layout = self.panes[place].stage.layout().copied();
            self.move_camera(place, |camera, size| {
                zoomed(layout.as_ref(), camera, (factor, at), size)
            });
        }
    }

    /// Everything is in sight again, everywhere.
    pub(super) fn show_all(&mut self) {
        for place in 0..self.panes.len() {
            self.move_camera(place, |camera, _| camera.reset());
        }
    }

    /// Moves the camera of a pane, and those of all that show a fabric of the same shape.
    fn move_cameras(&mut self, place: usize, change: impl Fn(&Camera, (f64, f64)) -> Camera) {
        for other in self.alike(place) {
            self.move_camera(other, &change);
        }
    }

    fn move_camera(&mut self, place: usize, change: impl FnOnce(&Camera, (f64, f64)) -> Camera) {
        let pane = &mut self.panes[place];
        if pane.stage.set_camera(change) {
            pane.look_again();
            pane.refresh();
        }
    }

    /// The panes that show a fabric of the same shape as this one, itself among them.
    fn alike(&self, place: usize) -> Vec<usize> {
        let clos = self.panes[place].stage.clos();
        let is_alike = |&other: &usize| other == place || self.panes[other].stage.clos() == clos;
        (0..self.panes.len()).filter(is_alike).collect()
    }

    fn hover(&mut self, place: usize, at: Point) {
        let with_packets = self.tool == Tool::Select;
        let hit = self.panes[place].stage.point_at(at, with_packets);
        for other in self.alike(place) {
            if other != place {
                self.panes[other].stage.hover(hit);
            }
        }
    }

    fn click(&mut self, place: usize, at: Point) -> bool {
        let pane = &mut self.panes[place];
        if pane.menu.take().is_some() {
            return true;
        }
        if self.tool != Tool::Break {
            return false;
        }
        let hit = pane.stage.element_at(at);
        match hit.and_then(|hit| pane.stage.break_target(hit)) {
            None => {}
            Some(target @ (Target::Link(_) | Target::Switch(_))) => {
                let number = pane.number();
                self.by_hand(number, Deed::Toggle(target));
            }
            Some(_) => self.one_at_a_time(),
        }
        true
    }

    /// Breaking needs one thing, and this is several.
    fn one_at_a_time(&mut self) {
        let why =
            "This fabric is drawn in groups. Magnify until single links can be seen, and break one of them.";
        self.tell(false, "One thing at a time", vec![why.into()]);
    }

    /// Offers the ways to break what is at a point of a stage; beside everything, those for the fabric as a whole.
    fn open_menu(&mut self, place: usize, at: Point) -> bool {
        let pane = &mut self.panes[place];
        if !pane.is_ready() || pane.is_over() {
            return false;
        }
        pane.stage.tip(at, &[]);
        let subject = match pane.stage.element_at(at) {
            None => Some(Subject::Fabric),
            Some(hit) => pane.stage.subject(hit),
        };
        match subject {
            Some(subject) => {
                self.panes.iter_mut().for_each(|pane| pane.menu = None);
                self.panes[place].menu = Some(BreakMenu { subject, at });
            }
            None => self.one_at_a_time(),
        }
        true
    }

    /// Does what was asked for in a pane; what is not about it alone, for all.
    pub(super) fn act_on(&mut self, ctx: &Context<CompareApp>, number: u32, action: Action) -> bool {
        let Some(place) = self.place(number) else {
            return false;
        };
        match action {
            Action::Inject(fault) => {
                self.panes[place].menu = None;
                self.by_hand(number, Deed::Inject(fault));
            }
            Action::Toggle(target) => {
                self.panes[place].menu = None;
                self.by_hand(number, Deed::Toggle(target));
            }
            Action::Select(Some(target)) => {
                let stage = &mut self.panes[place].stage;
                stage.reveal(&target);
                stage.locate(Some(&target));
            }
            Action::CloseMenu => self.panes[place].menu = None,
            other => return self.act(ctx, other),
        }
        true
    }

    pub(super) fn key(&mut self, ctx: &Context<CompareApp>, event: &KeyboardEvent) -> bool {
        let target = dom::target(event);
        if self.dialog != Dialog::None || dom::is_typing(target.clone()) {
            return false;
        }
        let Some(command) = dom::command(Page::Compare, Place::Anywhere, event) else {
            return false;
        };
        let action = match command {
            Command::Play if dom::is_pressable(target.as_ref()) => return false,
            Command::Play => Action::TogglePlay,
            Command::Step => Action::Step,
            Command::Restart => Action::Restart,
            Command::RunToEnd => Action::RunToEnd,
            Command::BreakTool => Action::SetTool(match self.tool {
                Tool::Select => Tool::Break,
                Tool::Break => Tool::Select,
            }),
            Command::Slower => Action::SetSpeed(self.speed.saturating_sub(1)),
            Command::Faster => Action::SetSpeed(self.speed + 1),
            Command::Larger => Action::Zoom(1.5),
            Command::Smaller => Action::Zoom(1.0 / 1.5),
            Command::ShowAll => Action::ShowAll,
            Command::Help => Action::Help,
            Command::Cancel => {
                let was_open = self.panes.iter_mut().any(|pane| pane.menu.take().is_some());
                if !was_open && self.tool == Tool::Break {
                    self.tool = Tool::Select;
                } else if !was_open {
                    self.notices.pop();
                }
                return true;
            }
            // Those that a fabric alone, or a host, has.
            _ => return false,
        };
        event.prevent_default();
        ctx.link().send_message(Msg::Do(action));
        false
    }
}
