//! How many faults were made by hand, and the way to take the last of them back.

use super::On;
use crate::model::Action;
use crate::shared::Shared;
use crate::texts::faults as texts;
use scenario::{Fault, Scenario};
use view::fault_lane::Edit;
use view::{units, words};
use yew::prelude::*;

/// What is counted.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenario, faults by hand included.
    pub scenario: Shared<Scenario>,
    /// The faults that it had when it was opened.
    pub first: Shared<Vec<Fault>>,
    /// A name for tests.
    pub testid: AttrValue,
    /// What the user does.
    pub on: On,
}

/// The count and the button; nothing where there are none.
#[component]
pub fn ByHand(props: &Props) -> Html {
    let faults = &props.scenario.faults;
    let own = view::by_hand(&props.first, faults);
    // In the scenario, the latest to be made comes last.
    let Some(&last) = own.last() else {
        return html! {};
    };
    let fault = &faults[last];
    let title = texts::take_back(&words::fault(&fault.what), &units::span(fault.at.0 as f64));
    html! {
        <span class="by-hand" data-testid={props.testid.clone()}>
            { texts::by_hand(own.len()) }
            <button class="link" {title} onclick={props.on.reform(move |_| Action::EditFault(Edit::Remove(last)))}>{ texts::UNDO }</button>
        </span>
    }
}
