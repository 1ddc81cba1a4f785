//! Pointer and keys.

use super::{App, Msg, PointerStep, Toggle};
use crate::dom;
use crate::model::{Action, Dialog, Playing, Tool};
use crate::stage::Under;
use scenario::{FaultKind, LinkName};
use view::frame::state;
use view::geometry::Point;
use view::gesture::{Gesture, wheel_factor};
use view::inspect::{PacketRef, Target};
use view::{Camera, find};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};
use yew::Context;

/// How far an arrow key moves the world, in CSS pixels.
const ARROW: f64 = 60.0;

impl App {
    pub(super) fn pointer(&mut self, ctx: &Context<App>, step: PointerStep, id: i32, at: Point) -> bool {
        let gestures = match step {
            PointerStep::Down => {
                self.gestures.down(id, at);
                Vec::new()
            }
            PointerStep::Move => self.gestures.moved(id, at),
            PointerStep::Up => self.gestures.up(id, at).into_iter().collect(),
            PointerStep::Cancel => {
                self.gestures.cancel(id);
                Vec::new()
            }
        };
        let mut shown = false;
        for gesture in gestures {
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

    pub(super) fn wheel(&mut self, ctx: &Context<App>, delta: f64, at: Point) -> bool {
        let was_home = self.stage.is_home();
        self.zoom(wheel_factor(delta), at);
        self.hover(at);
        self.keep_ticking(ctx);
        was_home != self.stage.is_home()
    }

    /// Magnifies around a point of the stage.
    pub(super) fn zoom(&mut self, factor: f64, at: Point) {
        let layout = self.stage.layout().copied();
        self.move_camera(|camera, size| {
            let camera = camera.zoomed(factor, at, size);
            match layout {
                Some(layout) if factor > 1.0 => layout.settled(&camera, at),
                _ => camera,
            }
        });
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
        if self.model.tool == Tool::Break {
            let hit = self.stage.element_at(at);
            if let Some(target) = hit.and_then(|hit| self.stage.break_target(hit)) {
                self.toggle(&target);
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
        let under = match self.model.tool {
            Tool::Select => self.stage.under(at),
            Tool::Break => self.stage.element_at(at).map(Under::Element),
        };
        let (hit, lines) = match under {
            Some(Under::Packet(packet)) => {
                let name = crate::stage::palette::name(packet.kind);
                (
                    None,
                    vec![format!("{name} · {} B · {}", packet.size, packet.owner())],
                )
            }
            Some(Under::Element(hit)) => (Some(hit), self.stage.describe(hit)),
            None => (None, Vec::new()),
        };
        self.stage.hover(hit);
        self.stage.tip(at, &lines);
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
        self.model.selected.clone_from(&target);
        if let Some(target) = &target
            && self.stage.reveal(target)
        {
            self.model.at_home = self.stage.is_home();
            self.send_look();
        }
        self.stage.locate(target.as_ref());
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

    /// Breaks what works, heals what is broken.
    pub(super) fn toggle(&mut self, target: &Target) {
        if self.toggle != Toggle::Idle {
            return;
        }
        let fault = match *target {
            Target::Link(link) => {
                let bits = self.link_state(link).unwrap_or(0);
                if bits & state::DOWN != 0 {
                    FaultKind::link_up(link)
                } else if bits & state::LOSSY != 0 {
                    FaultKind::link_loss(link, 0.0)
                } else {
                    FaultKind::link_down(link)
                }
            }
            Target::Switch(switch) if self.stage.is_dead(switch) => FaultKind::SwitchUp { switch },
            Target::Switch(switch) => FaultKind::SwitchDown { switch },
            _ => {
                self.tell(
                    false,
                    "One thing at a time",
                    vec![
                        "This fabric is drawn in groups. Select a group or bundle to see its members, or find a link \
                         or switch by its name, and break it in the inspector."
                            .into(),
                    ],
                );
                return self.select(Some(target.clone()));
            }
        };
        if self.is_ready() {
            self.toggle = Toggle::Asked;
        }
        self.inject(fault);
    }

    /// A link's state: from its details where they are at hand, because a bundle's state is not its links' state.
    fn link_state(&self, link: LinkName) -> Option<u8> {
        if let Some(view::inspect::Detail::Link(detail)) = self.model.detail.as_deref()
            && detail.name == link
        {
            return Some(if detail.down {
                state::DOWN
            } else if detail.loss > 0.0 {
                state::LOSSY
            } else {
                0
            });
        }
        self.stage.link_state(link)
    }

    pub(super) fn key(&mut self, ctx: &Context<App>, event: &KeyboardEvent) -> bool {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
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
            "?" => Action::Help,
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
