//! A packet's path: node after node, with the destination address as it is on each link, and the times that are known.

use super::super::On;
use super::super::inspector::go;
use crate::model::Action;
use crate::texts::packet as texts;
use view::inspect::{Hop, PacketDetail, Target, UsidView};
use view::life::{self, Life};
use view::units;
use yew::prelude::*;

/// Places of a container (RFC 9800, with a locator block of 32 bits and identifiers of 16).
const PLACES: usize = wire::usid::USIDS;

/// The hops that this transmission of the packet has made, by its life.
fn made<'a>(packet: &PacketDetail, life: Option<&'a Life>) -> &'a [life::Hop] {
    let own = life.filter(|life| packet.is_data && Some(life.qp) == packet.qp && life.psn == packet.psn);
    own.and_then(|life| {
        life.transmissions
            .iter()
            .find(|one| one.sent_ps == packet.sent_ps)
    })
    .map_or(&[], |one| &one.hops)
}

/// The path, with the hop that the packet is on.
pub fn path(packet: &PacketDetail, life: Option<&Life>, on: &On) -> Html {
    let here = packet.hop as usize;
    let made = made(packet, life);
    let has_usids = packet.path.iter().any(|hop| !hop.usids.is_empty());
    let steps = packet.path.iter().enumerate().map(|(index, hop)| {
        let class = match index {
            _ if index < here => "done",
            _ if index == here => "current",
            _ => "ahead",
        };
        // The first one is the sender, to which no link leads.
        let crossed = index.checked_sub(1).and_then(|index| made.get(index));
        html! {
            <li {class} aria-current={(index == here).then_some("step")}>
                if let Some(link) = hop.link {
                    <div class="via">
                        { go(on, Target::Link(link), link.to_string()) }
                        { when(crossed, class, on) }
                    </div>
                    { address(hop) }
                }
                <span class="node">{ &hop.node }</span>
            </li>
        }
    });
    html! {
        <>
            <ol class="hops" data-testid="path" aria-label={texts::PATH}>{ for steps }</ol>
            if has_usids {
                <p class="dim small">{ texts::ABOUT_ADDRESSES }</p>
            }
        </>
    }
}

/// When the packet left for the hop, as a way there; for hops that are ahead nobody knows yet.
fn when(crossed: Option<&life::Hop>, class: &str, on: &On) -> Html {
    match crossed {
        Some(crossed) => {
            let at = crossed.left_ps;
            let (left, waits) = (units::span(at as f64), units::span(crossed.wait_ps() as f64));
            let title = texts::go_to(&left, &crossed.from, &waits);
            html! { <button class="link when" {title} data-testid="hop-time" onclick={on.reform(move |_| Action::Seek(at))}>{ left }</button> }
        }
        None => html! { <span class="dim">{ if class == "ahead" { texts::AHEAD } else { "" } }</span> },
    }
}

/// The address on the link: the block, the active uSID lit, those to come, and places that are empty.
fn address(hop: &Hop) -> Html {
    let Some(active) = hop.usids.first() else {
        return html! {};
    };
    let place = |place: usize| match hop.usids.get(place) {
        Some(UsidView { value, names }) => html! {
            <span class={classes!("usid", (place == 0).then_some("active"))} title={names.clone()}>{ format!("{value:04x}") }</span>
        },
        None => html! { <span class="usid empty">{ "0" }</span> },
    };
    let block = wire::usid::BLOCK;
    html! {
        <p class="usids" role="img" aria-label={texts::address(&format!("{:04x}", active.value), &active.names, hop.usids.len())} data-testid="address">
            <span class="block">{ format!("{:x}:{:x}:", block >> 16, block & 0xffff) }</span>
            { for (0..PLACES).map(place) }
        </p>
    }
}
