//! The menu of ways to break a thing, where it was asked for on the stage.

use super::On;
use super::break_form::BreakForm;
use super::icons::{Icon, icon};
use crate::dom;
use crate::model::{Action, BreakMenu};
use crate::shared::Shared;
use scenario::Scenario;
use view::breaking::Subject;
use view::geometry::Point;
use view::inspect::Target;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement, KeyboardEvent, ResizeObserver};
use yew::prelude::*;

/// How far from the point the menu begins, in CSS pixels.
const BESIDE: f64 = 10.0;
/// How far from the stage's border the menu stays, in CSS pixels.
const MARGIN: f64 = 6.0;

/// What the menu needs.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// What it is about, and where.
    pub menu: BreakMenu,
    /// The scenario.
    pub scenario: Shared<Scenario>,
    /// Simulated time in ps.
    pub now_ps: u64,
    /// True when faults can take effect.
    pub ready: bool,
    /// What the user does.
    pub on: On,
}

/// The menu.
#[component]
pub fn BreakMenuView(props: &Props) -> Html {
    let node = use_node_ref();
    // Beside what it is about and whole on the stage, also when the form grows.
    use_effect_with(props.menu, {
        let node = node.clone();
        move |menu| {
            let at = menu.at;
            let element = node.cast::<HtmlElement>();
            if let Some(element) = &element
                && let Ok(Some(first)) = element.query_selector("select")
            {
                let _ = first.unchecked_into::<HtmlElement>().focus();
            }
            let fit = Closure::<dyn FnMut()>::new(move || {
                if let Some(element) = &element {
                    place(element, at);
                }
            });
            let observer = ResizeObserver::new(fit.as_ref().unchecked_ref()).ok();
            if let (Some(observer), Some(element)) = (&observer, node.cast::<Element>()) {
                observer.observe(&element);
            }
            move || {
                if let Some(observer) = observer {
                    observer.disconnect();
                }
                drop(fit);
            }
        }
    });
    let onkeydown = {
        let on = props.on.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.stop_propagation();
                on.emit(Action::CloseMenu);
                let stage = dom::document().query_selector("[data-testid=stage-canvas]");
                if let Ok(Some(stage)) =
                    stage.map(|found| found.and_then(|e: Element| e.dyn_into::<HtmlElement>().ok()))
                {
                    let _ = stage.focus();
                }
            }
        })
    };
    let subject = props.menu.subject;
    let title = match subject {
        Subject::Fabric => "The fabric".into(),
        other => other.name(),
    };
    let target = match subject {
        Subject::Link(link) => Some(Target::Link(link)),
        Subject::Switch(switch) => Some(Target::Switch(switch)),
        Subject::Nic(nic, _) => Some(Target::Nic(nic)),
        Subject::Fabric => None,
    };
    html! {
        <div ref={node} class="break-menu" role="dialog" aria-label={format!("Break {title}")} data-testid="break-menu" {onkeydown}>
            <div class="section-head">
                <h3>
                    if let Some(target) = target {
                        { super::inspector::go(&props.on, target, title) }
                    } else {
                        { title }
                    }
                </h3>
                <button class="quiet" aria-label="Close" data-testid="break-menu-close" onclick={props.on.reform(|_| Action::CloseMenu)}>{ icon(Icon::Close) }</button>
            </div>
            <BreakForm
                id="menu"
                key={format!("{subject:?}")}
                subject={Some(subject)}
                scenario={props.scenario.clone()}
                now_ps={props.now_ps}
                ready={props.ready}
                on={props.on.clone()}
            />
        </div>
    }
}

/// Puts the menu beside a point of the stage.
fn place(menu: &HtmlElement, at: Point) {
    let Some(stage) = menu.parent_element() else {
        return;
    };
    let fit =
        |at: f64, length: i32, room: i32| (at + BESIDE).min(f64::from(room - length) - MARGIN).max(MARGIN);
    let x = fit(at.x, menu.offset_width(), stage.client_width());
    let y = fit(at.y, menu.offset_height(), stage.client_height());
    dom::place(menu, x, y, None);
}
