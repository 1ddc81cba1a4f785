//! Which lanes are shown.

use super::super::On;
use super::super::icons::{Icon, icon};
use crate::model::Action;
use crate::shared::Shared;
use view::lanes::LaneChoice;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What is chosen from.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// All lanes, by name.
    pub lanes: Vec<String>,
    /// The choice so far.
    pub choice: Shared<LaneChoice>,
    /// QPs in all.
    pub qps: u32,
    /// What the user does.
    pub on: On,
}

/// The chooser.
#[component]
pub fn LaneChooser(props: &Props) -> Html {
    let refused = use_state_eq(|| None::<String>);
    let change = |choose: fn(&mut LaneChoice, &str), lane: &str| {
        let (on, choice, lane) = (props.on.clone(), props.choice.clone(), lane.to_owned());
        Callback::from(move |_: MouseEvent| {
            let mut changed = (*choice).clone();
            choose(&mut changed, &lane);
            on.emit(Action::SetLanes(changed));
        })
    };
    let row = |lane: &String| {
        let (shown, pinned) = (props.choice.shows(lane), props.choice.is_pinned(lane));
        html! {
            <li>
                <label>
                    <input type="checkbox" checked={shown} onclick={change(LaneChoice::toggle, lane)} />
                    { lane }
                </label>
                <button
                    class={classes!("quiet", "pin", pinned.then_some("on"))}
                    aria-pressed={pinned.to_string()}
                    aria-label={format!("Pin {lane} to the top")}
                    title="Pin to the top"
                    onclick={change(LaneChoice::pin, lane)}
                >{ icon(Icon::Pin) }</button>
            </li>
        }
    };
    let onchange = {
        let (on, choice, all, refused) = (props.on.clone(), props.choice.clone(), props.qps, refused.clone());
        Callback::from(move |event: Event| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            let mut changed = (*choice).clone();
            let added = match input.value().trim().parse::<u32>() {
                Ok(qp) if qp < all => changed.toggle_qp(qp),
                _ => {
                    refused.set(Some(format!(
                        "Expected a QP from 0 to {}.",
                        all.saturating_sub(1)
                    )));
                    return;
                }
            };
            refused.set((!added).then(|| format!("{} QPs have lanes already.", view::lanes::MOST_QPS)));
            if added {
                input.set_value("");
                on.emit(Action::SetLanes(changed));
            }
        })
    };
    let qp = |&qp: &u32| {
        let (on, choice) = (props.on.clone(), props.choice.clone());
        let onclick = Callback::from(move |_: MouseEvent| {
            let mut changed = (*choice).clone();
            changed.toggle_qp(qp);
            on.emit(Action::SetLanes(changed));
        });
        html! {
            <button class="chip" aria-label={format!("Take the lane of QP {qp} away")} {onclick}>{ format!("QP {qp} ×") }</button>
        }
    };
    html! {
        <details class="tl-pop" data-testid="lanes">
            <summary>{ "Lanes" }</summary>
            <div class="tl-card">
                <ul>{ for props.lanes.iter().map(row) }</ul>
                <div class="row">
                    <label for="lane-qp">{ "Lane for QP" }</label>
                    <input id="lane-qp" type="text" inputmode="numeric" autocomplete="off" aria-invalid={refused.is_some().to_string()} data-testid="lane-qp" {onchange} />
                    { for props.choice.qps().iter().map(qp) }
                </div>
                if let Some(why) = &*refused { <p class="bad" role="alert">{ why }</p> }
            </div>
        </details>
    }
}
