//! Pointers on the timeline: one scrubs, two zoom and pan, the wheel zooms.

use crate::listeners::{Listeners, PointerStep, Touch};
use std::cell::RefCell;
use std::rc::Rc;
use view::gesture::{Gesture, Gestures};
use web_sys::Element;
use yew::prelude::*;

/// What pointers ask for. Places are shares of the width, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wish {
    /// Something is pointed at, or nothing.
    Point(Option<f64>),
    /// A click, and how far below the top of the element it is, in CSS pixels.
    Click(f64, f64),
    /// A drag is here.
    Scrub(f64),
    /// To magnify around a place.
    Zoom(f64, f64),
    /// To move by so much.
    Pan(f64),
}

/// Tells `wish` what pointers on the element of `plots` ask for.
#[hook]
pub fn use_hand(plots: NodeRef, wish: Callback<Wish>) {
    // What was asked for changes with each drawing; the listeners stay.
    let latest = use_mut_ref(|| wish.clone());
    *latest.borrow_mut() = wish;
    use_effect_with((), move |()| {
        let mut listeners = Listeners::default();
        if let Some(element) = plots.cast::<Element>() {
            let hear = hearing(element.clone(), latest);
            listeners.on_touch(&element, &hear);
        }
        move || drop(listeners)
    });
}

fn hearing(element: Element, wish: Rc<RefCell<Callback<Wish>>>) -> Callback<Touch> {
    let gestures = RefCell::new(Gestures::default());
    Callback::from(move |touch: Touch| {
        let width = f64::from(element.client_width()).max(1.0);
        let tell = |what: Wish| {
            let wish = wish.borrow().clone();
            wish.emit(what);
        };
        if touch == Touch::Gone {
            return tell(Wish::Point(None));
        }
        let found = touch.gestures(&mut gestures.borrow_mut());
        let pinched = matches!(found[..], [Gesture::Pan(_), Gesture::Zoom { .. }]);
        for gesture in found {
            match gesture {
                Gesture::Click(at) => tell(Wish::Click((at.x / width).clamp(0.0, 1.0), at.y)),
                Gesture::Hover(at) => tell(Wish::Point(Some((at.x / width).clamp(0.0, 1.0)))),
                Gesture::Zoom { factor, at } => tell(Wish::Zoom(factor, (at.x / width).clamp(0.0, 1.0))),
                Gesture::Pan(by) if pinched => tell(Wish::Pan(-by.x / width)),
                Gesture::Pan(_) => {
                    if let Touch::Pointer(PointerStep::Move, _, at) = touch {
                        let share = (at.x / width).clamp(0.0, 1.0);
                        tell(Wish::Point(Some(share)));
                        tell(Wish::Scrub(share));
                    }
                }
            }
        }
    })
}
