//! What breaks and heals: the scenario's faults, those by hand, and a form for more.

use super::On;
use super::icons::{Icon, icon};
use crate::model::Action;
use crate::shared::Shared;
use scenario::{Fault, FaultKind, LinkName, Scenario, SwitchName, Time};
use view::{units, words};
use web_sys::{HtmlInputElement, HtmlSelectElement};
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
    /// True when there is a run.
    pub ready: bool,
    /// What the user does.
    pub on: On,
}

/// The faults.
#[component]
pub fn Faults(props: &Props) -> Html {
    let faults = &props.scenario.faults;
    let mut first: Vec<&Fault> = props.first.iter().collect();
    let entries: Vec<Html> = faults
        .iter()
        .enumerate()
        .map(|(index, fault)| {
            // Each of the first faults accounts for one in the list.
            let known = first
                .iter()
                .position(|known| *known == fault)
                .map(|at| first.swap_remove(at));
            entry(props, index, fault, known.is_none())
        })
        .take(LISTED)
        .collect();
    html! {
        <section>
            <h2>{ "Faults" }</h2>
            if faults.is_empty() {
                <p class="dim">{ "Nothing breaks yet. Take the Break tool to the stage, or plan a fault here." }</p>
            }
            <ol class="faults" data-testid="faults">{ for entries }</ol>
            if faults.len() > LISTED {
                <p class="dim">{ format!("and {} more", faults.len() - LISTED) }</p>
            }
            <Form ready={props.ready} on={props.on.clone()} />
        </section>
    }
}

fn entry(props: &Props, index: usize, fault: &Fault, by_hand: bool) -> Html {
    let past = fault.at.0 <= props.past_ps && props.past_ps > 0;
    let target = view::inspect::Target::of_fault(&fault.what);
    let text = words::fault(&fault.what);
    let remove = format!("Remove {text}, and begin again");
    html! {
        <li class={classes!(past.then_some("past"))} data-testid="fault">
            <time>{ units::span(fault.at.0 as f64) }</time>
            <button class="link" onclick={props.on.reform(move |_| Action::Select(target.clone()))}>{ &text }</button>
            if by_hand { <span class="tag">{ "by hand" }</span> }
            <button class="quiet" aria-label={remove.clone()} title={remove} onclick={props.on.reform(move |_| Action::RemoveFault(index))}>
                { icon(Icon::Close) }
            </button>
        </li>
    }
}

/// What the form needs.
#[derive(PartialEq, Properties)]
struct FormProps {
    ready: bool,
    on: On,
}

/// A fault that the user plans.
#[component]
fn Form(props: &FormProps) -> Html {
    let (kind, place, rate, at) = (use_node_ref(), use_node_ref(), use_node_ref(), use_node_ref());
    let problem = use_state_eq(|| None::<String>);
    let lossy = use_state_eq(|| false);
    let onsubmit = {
        let (on, problem) = (props.on.clone(), problem.clone());
        let (kind, place, rate, at) = (kind.clone(), place.clone(), rate.clone(), at.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let text = |node: &NodeRef| {
                node.cast::<HtmlInputElement>()
                    .map(|input| input.value().trim().to_owned())
                    .unwrap_or_default()
            };
            let kind = kind
                .cast::<HtmlSelectElement>()
                .map(|select| select.value())
                .unwrap_or_default();
            let made = fault(&kind, &text(&place), &text(&rate)).and_then(|what| match text(&at).as_str() {
                "" | "now" => Ok(Action::Inject(what)),
                time => match time.parse::<Time>() {
                    Ok(at) => Ok(Action::AddFault(Fault { at, what })),
                    Err(error) => Err(error.to_string()),
                },
            });
            match made {
                Ok(action) => {
                    problem.set(None);
                    on.emit(action);
                }
                Err(why) => problem.set(Some(why)),
            }
        })
    };
    let onchange = {
        let lossy = lossy.clone();
        Callback::from(move |event: Event| {
            lossy.set(event.target_unchecked_into::<HtmlSelectElement>().value() == "loss");
        })
    };
    html! {
        <form class="fault-form" {onsubmit}>
            <select ref={kind} aria-label="What happens" data-testid="fault-kind" {onchange}>
                <option value="down" selected=true>{ "link down" }</option>
                <option value="up">{ "link up" }</option>
                <option value="loss">{ "link loses" }</option>
                <option value="dead">{ "switch dead" }</option>
                <option value="back">{ "switch back" }</option>
            </select>
            <input ref={place} type="text" required=true autocomplete="off" spellcheck="false" placeholder="p0/t0.0-t1.1" aria-label="Link or switch" data-testid="fault-place" />
            <input ref={rate} type="text" class={classes!((!*lossy).then_some("gone"))} inputmode="decimal" placeholder="1 %" aria-label="Share of packets lost, in per cent" data-testid="fault-rate" />
            <input ref={at} type="text" autocomplete="off" placeholder="now, or 120us" aria-label="When: now, or a time; with a time the run begins again" title="Now, or a time; with a time the run begins again" data-testid="fault-at" />
            <button disabled={!props.ready} data-testid="fault-add">{ "Add" }</button>
            if let Some(why) = &*problem {
                <p class="problem" role="alert">{ why }</p>
            }
        </form>
    }
}

fn fault(kind: &str, place: &str, rate: &str) -> Result<FaultKind, String> {
    let link = || place.parse::<LinkName>().map_err(|error| error.to_string());
    let switch = || place.parse::<SwitchName>().map_err(|error| error.to_string());
    match kind {
        "down" => link().map(FaultKind::link_down),
        "up" => link().map(FaultKind::link_up),
        "loss" => {
            let number = rate.trim_end_matches('%').trim();
            match number.parse::<f64>() {
                Ok(percent) if (0.0..=100.0).contains(&percent) => {
                    link().map(|link| FaultKind::link_loss(link, percent / 100.0))
                }
                _ => Err(format!(
                    "{rate:?} is no share of packets; expected a percentage from 0 to 100, such as 1 or 0.01"
                )),
            }
        }
        "dead" => switch().map(|switch| FaultKind::SwitchDown { switch }),
        _ => switch().map(|switch| FaultKind::SwitchUp { switch }),
    }
}
