//! What breaks and heals: the scenario's faults, those by hand, and a form for more.

use super::On;
use super::break_form::BreakForm;
use super::by_hand::ByHand;
use super::icons::{Icon, icon};
use crate::model::Action;
use crate::shared::Shared;
use crate::texts::faults as texts;
use scenario::{Fault, Scenario};
use view::inspect::Target;
use view::{units, words};
use yew::prelude::*;

/// Faults listed one by one.
const LISTED: usize = 60;

/// What the list shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenario, faults by hand included.
    pub scenario: Shared<Scenario>,
    /// The faults that it had when it was opened.
    pub first: Shared<Vec<Fault>>,
    /// Simulated time: faults up to it have happened.
    pub past_ps: u64,
    /// True when faults can be put into the run.
    pub ready: bool,
    /// What the user does.
    pub on: On,
}

/// The faults.
#[component]
pub fn Faults(props: &Props) -> Html {
    let faults = &props.scenario.faults;
    let own = view::by_hand(&props.first, faults);
    // Shown in order of time; in the scenario, those by hand come last.
    let mut ordered: Vec<(usize, &Fault)> = faults.iter().enumerate().collect();
    ordered.sort_by_key(|(_, fault)| fault.at);
    let entries: Vec<Html> = ordered
        .into_iter()
        .map(|(index, fault)| entry(props, index, fault, own.binary_search(&index).is_ok()))
        .take(LISTED)
        .collect();
    html! {
        <section>
            <h2>{ texts::FAULTS }</h2>
            <ByHand scenario={props.scenario.clone()} first={props.first.clone()} testid="by-hand-list" on={props.on.clone()} />
            if faults.is_empty() {
                <p class="dim">{ texts::NOTHING_BREAKS_YET }</p>
            }
            <ol class="faults" data-testid="faults">{ for entries }</ol>
            if faults.len() > LISTED {
                <p class="dim">{ texts::and_more((faults.len() - LISTED) as u64) }</p>
            }
            <BreakForm
                id="fault"
                subject={None}
                scenario={props.scenario.clone()}
                now_ps={props.past_ps}
                ready={props.ready}
                plans=true
                on={props.on.clone()}
            />
        </section>
    }
}

fn entry(props: &Props, index: usize, fault: &Fault, by_hand: bool) -> Html {
    let past = fault.at.0 <= props.past_ps && props.past_ps > 0;
    let target = Target::Fault(index as u32);
    let text = words::fault(&fault.what);
    let remove = texts::remove(&text);
    html! {
        <li class={classes!(past.then_some("past"))} data-testid="fault">
            <time>{ units::span(fault.at.0 as f64) }</time>
            <span class="what">
                <button class="link" onclick={props.on.reform(move |_| Action::Select(Some(target.clone())))}>{ &text }</button>
                if by_hand { { " " }<span class="tag">{ texts::BY_HAND }</span> }
            </span>
            <button class="quiet" aria-label={remove.clone()} title={remove} onclick={props.on.reform(move |_| Action::RemoveFault(index))}>
                { icon(Icon::Close) }
            </button>
        </li>
    }
}
