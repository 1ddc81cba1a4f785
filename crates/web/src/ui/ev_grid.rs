//! A QP's EVs by plane and state.

use super::facts::use_explain;
use view::inspect::{EvCell, EvState};
use yew::prelude::*;

/// What the grid shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The EVs in order of their numbers.
    pub evs: Vec<EvCell>,
    /// Planes without a port: bit p for plane p.
    pub planes_down: u8,
}

/// What an EV is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// In rotation from the beginning.
    Active,
    /// In rotation for one that went out of use.
    StandIn,
    /// In reserve.
    Reserve,
}

const fn role(ev: &EvCell) -> Role {
    match (ev.active, ev.backup) {
        (false, _) => Role::Reserve,
        (true, true) => Role::StandIn,
        (true, false) => Role::Active,
    }
}

/// The grid, plane by plane; in each, the EVs of one T1 (between pods: of one T2) side by side, those that began in reserve below.
#[component]
pub fn EvGrid(props: &Props) -> Html {
    let count = |state: EvState| props.evs.iter().filter(|ev| ev.state == state).count();
    let counts = EvState::ALL.map(count);
    let of_role = |wanted: Role| {
        let fit = |ev: &&EvCell| matches!(ev.state, EvState::Good | EvState::Skip) && role(ev) == wanted;
        props.evs.iter().filter(fit).count()
    };
    let (stand_ins, reserve) = (of_role(Role::StandIn), of_role(Role::Reserve));
    let [good, skip, bad, denied] = counts;
    let (all, in_use) = (props.evs.len(), of_role(Role::Active) + stand_ins);
    let explain = use_explain("evs");
    let planes = props.evs.iter().map(|ev| ev.plane + 1).max().unwrap_or(0);
    html! {
        <div
            class="ev-grid"
            data-testid="ev-grid"
            data-good={good.to_string()}
            data-skip={skip.to_string()}
            data-bad={bad.to_string()}
            data-denied={denied.to_string()}
            data-stand-ins={stand_ins.to_string()}
            data-reserve={reserve.to_string()}
        >
            <p class="small" data-testid="ev-sum">{ sum(all, in_use, reserve) }</p>
            <ul class="ev-key">
                { for EvState::ALL.into_iter().zip(counts).map(|(state, n)| html! {
                    <li>{ cell(state, Role::Active, None) }{ explain.label(state.name()) }{ " " }<strong>{ n }</strong></li>
                }) }
                <li>{ cell(EvState::Good, Role::Reserve, None) }{ explain.label("reserve") }{ " " }<strong>{ reserve }</strong></li>
                <li>{ cell(EvState::Good, Role::StandIn, None) }{ explain.label("stands in") }{ " " }<strong>{ stand_ins }</strong></li>
            </ul>
            { explain.why() }
            { for (0..planes).map(|plane| row(props, plane)) }
            <p class="dim small">{ "By plane, EVs through the same T1 side by side; those that began in reserve below the line." }</p>
        </div>
    }
}

/// What all EVs come to.
fn sum(all: usize, in_use: usize, reserve: usize) -> String {
    let out = match all.saturating_sub(in_use + reserve) {
        0 => String::new(),
        out => format!(", {out} out of use"),
    };
    format!("{all} EVs: {in_use} in use, {reserve} in reserve{out}")
}

fn row(props: &Props, plane: u32) -> Html {
    let mut members: Vec<(usize, &EvCell)> = props
        .evs
        .iter()
        .enumerate()
        .filter(|(_, ev)| ev.plane == plane)
        .collect();
    members.sort_by_key(|&(number, ev)| (ev.backup, ev.t1, number));
    let usable = members
        .iter()
        .filter(|(_, ev)| ev.active && matches!(ev.state, EvState::Good | EvState::Skip))
        .count();
    let slots = members.iter().filter(|(_, ev)| !ev.backup).count();
    let is_down = props.planes_down >> plane.min(7) & 1 == 1;
    let groups = |backup: bool| -> Html {
        let side: Vec<_> = members
            .iter()
            .filter(|(_, ev)| ev.backup == backup)
            .copied()
            .collect();
        side.chunk_by(|a, b| a.1.t1 == b.1.t1)
            .map(|group| {
                html! {
                    <span class="ev-group">
                        { for group.iter().map(|&(number, ev)| cell(ev.state, role(ev), Some(title(number, ev)))) }
                    </span>
                }
            })
            .collect()
    };
    let has_backups = members.len() > slots;
    let port = if is_down { "no port, " } else { "" };
    html! {
        <div class={classes!("ev-row", is_down.then_some("no-port"))} role="img" aria-label={format!("Plane {plane}: {port}{usable} of {slots} EVs in use")}>
            <span class="ev-plane" title={is_down.then_some("No port in this plane, here or at the peer: nothing is sent there")}>
                { format!("Plane {plane}") }
                if is_down { <span class="bad">{ " ×" }</span> }
            </span>
            <span class="ev-cells">{ groups(false) }</span>
            if has_backups { <span class="ev-cells backups">{ groups(true) }</span> }
        </div>
    }
}

fn title(number: usize, ev: &EvCell) -> String {
    let role = match (role(ev), ev.backup) {
        (Role::Active, _) => "",
        (Role::StandIn, _) => " · stands in for one that went out of use",
        (Role::Reserve, true) => " · in reserve",
        (Role::Reserve, false) if matches!(ev.state, EvState::Good | EvState::Skip) => {
            " · in reserve, since another took its place"
        }
        (Role::Reserve, false) => " · another took its place",
    };
    format!(
        "EV {number} · plane {} · {} {} · {}{role}",
        ev.plane,
        if ev.is_t2 { "T2" } else { "T1" },
        ev.t1,
        ev.state.name()
    )
}

fn cell(state: EvState, role: Role, title: Option<String>) -> Html {
    let class = match state {
        EvState::Good => "good",
        EvState::Skip => "skip",
        EvState::AssumedBad => "bad",
        EvState::Denied => "denied",
    };
    let role = match role {
        Role::Active => None,
        Role::StandIn => Some("stand-in"),
        Role::Reserve => Some("reserve"),
    };
    html! { <span class={classes!("ev", class, role)} {title}></span> }
}
