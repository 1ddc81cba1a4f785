//! A fault: what it did, and how it was recovered from.

use super::On;
use super::facts::facts;
use super::inspector::{go, heading, more};
use scenario::FaultKind;
use view::inspect::{FaultDetail, Target};
use view::recovery::{Kind, Occurrence, after, verdict};
use view::{units, words};
use yew::prelude::*;

/// The fault.
pub fn fault_view(detail: &FaultDetail, on: &On) -> Html {
    let fault = &detail.fault;
    let place = Target::of_fault(&fault.what);
    let name = place.as_ref().map(|place| match place {
        Target::Link(link) => link.to_string(),
        Target::Switch(switch) => switch.to_string(),
        Target::Nic(nic) => format!("NIC {nic}"),
        _ => String::new(),
    });
    let state = match fault.what.is_repair() {
        true => "It heals, and breaks nothing.".to_owned(),
        false if takes_nothing(&fault.what) => "It takes no packets away.".to_owned(),
        false => verdict(&detail.occurrences).unwrap_or_else(|| "It is still to come.".to_owned()),
    };
    html! {
        <>
            { heading("Fault", &words::fault(&fault.what)) }
            { facts("fault", &[("at", units::span(fault.at.0 as f64))]) }
            if let (Some(place), Some(name)) = (place, name) {
                <p class="row">{ go(on, place, format!("Go to {name}")) }</p>
            }
            <p class="outcome" data-testid="verdict">{ state }</p>
            if matches!(fault.what, FaultKind::TierLoss { .. } | FaultKind::SwitchCorrupt { .. }) {
                <p class="dim small">{ "While several tiers lose packets, or several switches damage them, a lost packet is put down to none of them." }</p>
            }
            { match &detail.occurrences[..] {
                [] => html! {},
                [only] if detail.count == 1 => steps(only),
                all => html! { <>{ table(all) }{ more(all.len(), detail.count) }</> },
            } }
        </>
    }
}

/// True for faults of NICs that answer every packet, if only to refuse it.
const fn takes_nothing(fault: &FaultKind) -> bool {
    matches!(fault, FaultKind::NicRefuses { .. } | FaultKind::NicPenalty { .. })
}

/// The steps of one recovery, from top to bottom in order of time.
fn steps(seen: &Occurrence) -> Html {
    html! {
        <ol class="recovery" aria-label="What happened after it" data-testid="recovery">
            <li class="broke"><span class="when">{ "0" }</span>
                { match seen.changes {
                    0 | 1 => "the fault takes effect".to_owned(),
                    changes => format!("the fault takes effect, on {} links", units::count(u64::from(changes))),
                } }
            </li>
            { for seen.steps().into_iter().map(|step| html! {
                <li class={class(step.kind)}>
                    <span class="when">{ after(step.after_ps) }</span>{ step.text }
                </li>
            }) }
        </ol>
    }
}

const fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Lost => "lost",
        Kind::Inferred => "inferred",
        Kind::Out => "evs-lost",
        Kind::Avoided => "avoided",
        Kind::Noticed => "port",
        Kind::Back => "evs-revived",
    }
}

/// Several occurrences: a line each.
fn table(all: &[Occurrence]) -> Html {
    let time = |there: bool, ps: u64, of: &Occurrence| {
        if there {
            after(ps as f64 - of.at_ps as f64)
        } else {
            "–".into()
        }
    };
    let row = |of: &Occurrence| {
        html! {
            <tr>
                <th scope="row">{ units::span(of.at_ps as f64) }</th>
                <td>{ units::count(of.drops.count) }</td>
                <td>{ time(of.inferred.count > 0, of.inferred.first_ps, of) }</td>
                <td>{ units::count(of.out.count) }</td>
                <td>{ match of.avoided_ps() {
                    None => "–".to_owned(),
                    Some(0.0) => "0".to_owned(),
                    Some(ps) => units::span(ps),
                } }</td>
            </tr>
        }
    };
    html! {
        <table class="ports recoveries" data-testid="recovery">
            <thead>
                <tr>
                    <th scope="col">{ "at" }</th>
                    <th scope="col" title="Packets of any kind">{ "lost" }</th>
                    <th scope="col" title="The first loss that a sender inferred, after the fault">{ "inferred" }</th>
                    <th scope="col" title="EVs that went out of use because of it">{ "EVs out" }</th>
                    <th scope="col" title="From the fault to the last data packet that was sent into it; 0: none was">{ "avoided in" }</th>
                </tr>
            </thead>
            <tbody>{ for all.iter().map(row) }</tbody>
        </table>
    }
}
