//! Pointer and keys.

use super::{App, Msg};
use crate::dom;
use crate::listeners::Touch;
use crate::model::{Action, BreakMenu, Dialog, Playing, Tool};
use crate::stage::{Under, zoomed};
use crate::ui::editor::editor_key;
use view::breaking::Subject;
use view::geometry::Point;
use view::gesture::Gesture;
use view::inspect::{PacketRef, Target};
use view::{Camera, find};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};
use yew::Context;

/// How far an arrow key moves the world, in CSS pixels.
const ARROW: f64 = 60.0;

impl App {
    /// Something happened on the stage. True when the page shows something else then.
    pub(super) fn touch(&mut self, ctx: &Context<App>, touch: Touch) -> bool {
        match touch {
            Touch::Gone => return self.hover_nothing(ctx),
            Touch::Menu(at) => return self.open_menu_at(at),
            Touch::Pointer(..) | Touch::Wheel(..) => {}
        }
        let mut shown = false;
        for gesture in touch.gestures(&mut self.gestures) {
            shown |= self.gesture(gesture);
        }
        self.keep_ticking(ctx);
        shown
    }

    fn gesture(&mut self, gesture: Gesture) -> bool {
        let was_home = self.stage.is_home();
        match gesture {
            Gesture::Click(at) => {
                self.click(at);
                return true;
            }
            Gesture::Hover(at) => self.hover(at),
            Gesture::Pan(by) => self.move_camera(|camera, size| camera.panned(by.x, by.y, size)),
            Gesture::Zoom { factor, at } => self.zoom(factor, at),
        }
        was_home != self.stage.is_home()
    }

    /// Magnifies around a point of the stage.
    pub(super) fn zoom(&mut self, factor: f64, at: Point) {
        let layout = self.stage.layout().copied();
        self.move_camera(|camera, size| zoomed(layout.as_ref(), camera, (factor, at), size));
    }

    /// Moves the camera, and tells the worker what can be seen then.
    pub(super) fn move_camera(&mut self, change: impl FnOnce(&Camera, (f64, f64)) -> Camera) {
        if self.stage.set_camera(change) {
            self.model.at_home = self.stage.is_home();
            self.send_look();
            self.refresh_view();
        }
    }

    fn click(&mut self, at: Point) {
        if self.model.menu.take().is_some() {
            return;
        }
        if self.model.tool == Tool::Break {
            let hit = self.stage.element_at(at);
            match hit.and_then(|hit| self.stage.break_target(hit)) {
                None => {}
                Some(target @ (Target::Link(_) | Target::Switch(_))) => self.toggle(target),
                Some(group) => self.too_many(group),
            }
            return;
        }
        let target = match self.stage.under(at) {
            Some(Under::Packet(packet)) => Some(Target::Packet(PacketRef::from(&packet))),
            Some(Under::Element(hit)) => self.stage.target(hit),
            None => None,
        };
        if matches!(target, Some(Target::Packet(_))) && self.model.playing != Playing::No {
            // A packet lives for a few microseconds: nobody could read its headers.
            self.pause();
        }
        self.select(target);
    }

    fn hover(&mut self, at: Point) {
        self.stage.point_at(at, self.model.tool == Tool::Select);
    }

    pub(super) fn hover_nothing(&mut self, ctx: &Context<App>) -> bool {
        self.stage.hover(None);
        self.stage.tip(Point::default(), &[]);
        self.keep_ticking(ctx);
        false
    }

    /// Selects something, or nothing.
    pub(super) fn select(&mut self, target: Option<Target>) {
        self.model.not_found = None;
        if target != self.model.selected || target.is_none() {
            self.model.detail = None;
            self.model.gone = false;
        }
        self.drop_life(target.as_ref());
        self.model.selected.clone_from(&target);
        let place = target.as_ref().and_then(|target| self.place_of(target));
        if let Some(place) = &place
            && self.stage.reveal(place)
        {
            self.model.at_home = self.stage.is_home();
            self.send_look();
        }
        self.stage.locate(place.as_ref());
        self.emphasise();
        self.send(view::message::ToWorker::Watch { target });
        self.refresh();
        self.ask_for_all();
    }

    pub(super) fn next_packet(&mut self) {
        if self.model.playing != Playing::No {
            self.pause();
        }
        let (seen, conn) = match self.model.selected {
            Some(Target::Packet(packet)) => (Some(packet), None),
            Some(Target::Qp(qp)) => (None, Some(qp)),
            _ => (None, None),
        };
        match self.stage.next_packet(seen, conn) {
            Some(packet) => self.select(Some(Target::Packet(packet))),
            None => self.model.announcement = "No packet is in sight".into(),
        }
    }

    pub(super) fn find(&mut self, text: &str) {
        let Some(clos) = self.stage.clos() else {
            return;
        };
        match find::find(text, clos, self.model.facts.flows) {
            Ok(target) => self.select(Some(target)),
            Err(why) => self.model.not_found = Some(why),
        }
    }

    /// Breaking needs one thing, and this is several.
    fn too_many(&mut self, target: Target) {
        self.tell(
            false,
            "One thing at a time",
            vec![
                "This fabric is drawn in groups. Select a group or bundle to see its members, or find a link or switch by \
                 its name, and break it in the inspector."
                    .into(),
            ],
        );
        self.select(Some(target));
    }

    /// Offers the ways to break what is at a point of the stage; beside everything, those for the fabric as a whole.
    pub(super) fn open_menu_at(&mut self, at: Point) -> bool {
        if !self.is_ready() || self.model.report.finished {
            return false;
        }
        self.stage.tip(at, &[]);
        let subject = match self.stage.element_at(at) {
            None => Some(Subject::Fabric),
            Some(hit) => self.stage.subject(hit),
        };
        match subject {
            Some(subject) => self.model.menu = Some(BreakMenu { subject, at }),
            None => {
                let target = self.stage.element_at(at).and_then(|hit| self.stage.target(hit));
                if let Some(target) = target {
                    self.too_many(target);
                }
            }
        }
        true
    }

    /// The same for what is selected, without a pointer.
    fn open_menu(&mut self) {
        if !self.is_ready() || self.model.report.finished {
            return;
        }
        let selected = self.model.selected.as_ref();
        let subject = selected.and_then(Subject::of).unwrap_or(Subject::Fabric);
        let at = self
            .stage
            .focus(selected.filter(|target| Subject::of(target).is_some()));
        self.model.menu = Some(BreakMenu { subject, at });
    }

    pub(super) fn key(&mut self, ctx: &Context<App>, event: &KeyboardEvent) -> bool {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
        let act = (self.model.dialog == Dialog::None)
            .then(|| editor_key(event, target.clone(), self.desk.is_open()))
            .flatten();
        if let Some(act) = act {
            event.prevent_default();
            ctx.link().send_message(Msg::Do(Action::Editor(act)));
            return false;
        }
        if self.desk.is_open() && event.key() != "?" {
            return false;
        }
        if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() {
            return false;
        }
        if self.model.dialog != Dialog::None || dom::is_typing(target.clone()) {
            return false;
        }
        let on_stage = target
            .as_ref()
            .is_some_and(|element| element.tag_name() == "CANVAS");
        let on_button = target
            .as_ref()
            .is_some_and(|element| ["BUTTON", "SUMMARY", "A"].contains(&&*element.tag_name()));
        let action = match event.key().as_str() {
            " " if !on_button => Action::TogglePlay,
            "." => Action::Step,
            "," => Action::StepBack,
            "<" => Action::Jump(false),
            ">" => Action::Jump(true),
            "B" => Action::ToggleBookmark(None),
            "r" => Action::Restart,
            "e" => Action::RunToEnd,
            "b" => Action::SetTool(match self.model.tool {
                Tool::Select => Tool::Break,
                Tool::Break => Tool::Select,
            }),
            "[" => Action::SetSpeed(self.model.speed.saturating_sub(1)),
            "]" => Action::SetSpeed(self.model.speed + 1),
            "+" | "=" => Action::Zoom(1.5),
            "-" => Action::Zoom(1.0 / 1.5),
            "0" => Action::ShowAll,
            "n" => Action::NextPacket,
            "m" => {
                event.prevent_default();
                self.open_menu();
                return true;
            }
            "?" => Action::Help,
            "Escape" if self.model.menu.is_some() => Action::CloseMenu,
            "Escape" if self.model.tool == Tool::Break => Action::SetTool(Tool::Select),
            "Escape" => Action::Select(None),
            "/" => {
                event.prevent_default();
                if let Some(find) = dom::document().get_element_by_id("find") {
                    let _ = find.unchecked_into::<HtmlElement>().focus();
                }
                return false;
            }
            arrow @ ("ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown") if on_stage => {
                let (dx, dy) = match arrow {
                    "ArrowLeft" => (ARROW, 0.0),
                    "ArrowRight" => (-ARROW, 0.0),
                    "ArrowUp" => (0.0, ARROW),
                    _ => (0.0, -ARROW),
                };
                event.prevent_default();
                self.move_camera(|camera, size| camera.panned(dx, dy, size));
                self.keep_ticking(ctx);
                return false;
            }
            _ => return false,
        };
        event.prevent_default();
        ctx.link().send_message(Msg::Do(action));
        false
    }
}
