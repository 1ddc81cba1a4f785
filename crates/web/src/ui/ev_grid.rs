//! A QP's EVs by plane and state.

use view::inspect::{EvCell, EvState};
use yew::prelude::*;

/// What the grid shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The EVs in order of their numbers.
    pub evs: Vec<EvCell>,
}

/// The grid: a row a plane; in it, the EVs of one T1, or of one T2 between pods, side by side.
#[component]
pub fn EvGrid(props: &Props) -> Html {
    let count = |state: EvState| props.evs.iter().filter(|ev| ev.state == state).count();
    let [good, skip, bad, denied] = EvState::ALL.map(count);
    let planes = props.evs.iter().map(|ev| ev.plane + 1).max().unwrap_or(0);
    html! {
        <div class="ev-grid" data-testid="ev-grid" data-good={good.to_string()} data-skip={skip.to_string()} data-bad={bad.to_string()}>
            <ul class="ev-key">
                { for EvState::ALL.into_iter().zip([good, skip, bad, denied]).map(|(state, n)| html! {
                    <li>{ cell(state, true, None) }{ state.name() }{ " " }<strong>{ n }</strong></li>
                }) }
            </ul>
            { for (0..planes).map(|plane| row(&props.evs, plane)) }
        </div>
    }
}

fn row(evs: &[EvCell], plane: u32) -> Html {
    let mut members: Vec<(usize, &EvCell)> = evs
        .iter()
        .enumerate()
        .filter(|(_, ev)| ev.plane == plane)
        .collect();
    members.sort_by_key(|&(number, ev)| (ev.t1, number));
    let good = members
        .iter()
        .filter(|(_, ev)| ev.active && matches!(ev.state, EvState::Good | EvState::Skip))
        .count();
    let groups = members.chunk_by(|a, b| a.1.t1 == b.1.t1).map(|group| {
        html! {
            <span class="ev-group">
                { for group.iter().map(|&(number, ev)| cell(ev.state, ev.active, Some(title(number, ev)))) }
            </span>
        }
    });
    html! {
        <div class="ev-row" role="img" aria-label={format!("Plane {plane}: {good} of {} EVs usable", members.len())}>
            <span class="ev-plane">{ format!("Plane {plane}") }</span>
            <span class="ev-cells">{ for groups }</span>
        </div>
    }
}

fn title(number: usize, ev: &EvCell) -> String {
    let role = if ev.active { "" } else { " · in reserve" };
    format!(
        "EV {number} · plane {} · {} {} · {}{role}",
        ev.plane,
        if ev.is_t2 { "T2" } else { "T1" },
        ev.t1,
        ev.state.name()
    )
}

fn cell(state: EvState, active: bool, title: Option<String>) -> Html {
    let class = match state {
        EvState::Good => "good",
        EvState::Skip => "skip",
        EvState::AssumedBad => "bad",
        EvState::Denied => "denied",
    };
    html! { <span class={classes!("ev", class, (!active).then_some("reserve"))} {title}></span> }
}
