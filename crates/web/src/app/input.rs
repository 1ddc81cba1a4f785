//! Pointers, and what is selected.

use super::App;
use crate::listeners::Touch;
use crate::model::{BreakMenu, Playing, Tool};
use crate::stage::{Under, zoomed};
use view::breaking::Subject;
use view::geometry::Point;
use view::gesture::Gesture;
use view::inspect::{PacketRef, Target};
use view::{Camera, find};
use yew::Context;

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
    pub(super) fn open_menu(&mut self) {
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
}
