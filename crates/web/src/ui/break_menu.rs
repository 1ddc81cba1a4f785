//! The menu of ways to break a thing, where it was asked for on the stage.

use super::On;
use super::break_form::BreakForm;
use super::icons::{Icon, icon};
use crate::dom;
use crate::model::{Action, BreakMenu};
use crate::shared::Shared;
use scenario::Scenario;
use view::breaking::Subject;
use view::inspect::Target;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};
use yew::prelude::*;

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
    // Beside what it is about, and whole on the stage.
    use_effect_with(props.menu, {
        let node = node.clone();
        move |menu| {
            let Some(element) = node.cast::<HtmlElement>() else {
                return;
            };
            let (width, height) = (
                f64::from(element.offset_width()),
                f64::from(element.offset_height()),
            );
            if let Some(stage) = element.parent_element() {
                let fit =
                    |at: f64, length: f64, room: i32| at.min(f64::from(room) - length - MARGIN).max(MARGIN);
                let x = fit(menu.at.x + 10.0, width, stage.client_width());
                let y = fit(menu.at.y + 10.0, height, stage.client_height());
                dom::place(&element, x, y, None);
            }
            if let Ok(Some(first)) = element.query_selector("select") {
                let _ = first.unchecked_into::<HtmlElement>().focus();
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
