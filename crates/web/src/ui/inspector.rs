//! What is selected, in detail.

use super::On;
use super::bar::Bar;
use super::ev_grid::EvGrid;
use super::icons::{Icon, icon};
use super::packet::PacketView;
use crate::model::Action;
use crate::shared::Shared;
use view::inspect::{
    BundleDetail, Detail, Direction, GroupDetail, LinkDetail, NicDetail, PortRow, QpDetail, QpRow,
    SwitchDetail, Tally, Target,
};
use view::units;
use yew::prelude::*;

/// What the inspector shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// What is selected.
    pub selected: Option<Target>,
    /// Its details.
    pub detail: Option<Shared<Detail>>,
    /// True when the selected packet has left the network.
    pub gone: bool,
    /// True when it has more room than usual.
    pub wide: bool,
    /// What the user does.
    pub on: On,
}

/// The inspector.
#[component]
pub fn Inspector(props: &Props) -> Html {
    let on = &props.on;
    let body = match (&props.selected, props.detail.as_deref()) {
        (None, _) => html! {
            <p class="dim" data-testid="nothing-selected">
                { "Click a link, a switch, a NIC or a packet on the stage to look into it." }
            </p>
        },
        (Some(Target::Packet(_)), None | Some(Detail::PacketGone)) if props.gone => {
            html! { <p class="dim" data-testid="packet-gone">{ "This packet has been delivered or dropped." }</p> }
        }
        (Some(_), None | Some(Detail::PacketGone)) => {
            html! { <p class="dim">{ "Nothing is known of it." }</p> }
        }
        (Some(_), Some(detail)) => match detail {
            Detail::Link(link) => link_view(link, on),
            Detail::Switch(switch) => switch_view(switch, on),
            Detail::Nic(nic) => nic_view(nic, on),
            Detail::Qp(qp) => qp_view(qp, on),
            Detail::Packet(packet) => {
                html! { <PacketView packet={(**packet).clone()} gone={props.gone} on={on.clone()} /> }
            }
            Detail::PacketGone => html! {},
            Detail::Bundle(bundle) => bundle_view(bundle, on),
            Detail::Group(group) => group_view(group, on),
        },
    };
    html! {
        <section class="inspector" aria-labelledby="inspector-title" data-testid="inspector">
            <div class="section-head">
                <h2 id="inspector-title">{ "Inspector" }</h2>
                <button
                    class="quiet widen"
                    aria-label="More room"
                    aria-pressed={props.wide.to_string()}
                    title="More room, so that headers and bytes stand side by side"
                    data-testid="widen"
                    onclick={on.reform(|_| Action::ToggleWide)}
                >{ icon(Icon::Widen) }</button>
                if props.selected.is_some() {
                    <button class="quiet" aria-label="Select nothing" title="Select nothing (Esc)" onclick={on.reform(|_| Action::Select(None))}>
                        { icon(Icon::Close) }
                    </button>
                }
            </div>
            { body }
        </section>
    }
}

/// A heading with a name for tests.
fn heading(kind: &str, name: &str) -> Html {
    html! { <h3 class="subject"><span class="kind">{ kind }</span>{ " " }<span data-testid="subject">{ name }</span></h3> }
}

/// A button that leads to another thing.
pub fn go(on: &On, target: Target, text: impl Into<AttrValue>) -> Html {
    let text: AttrValue = text.into();
    html! { <button class="link" onclick={on.reform(move |_| Action::Select(Some(target.clone())))}>{ text }</button> }
}

/// Names and values.
fn facts(rows: &[(&str, String)]) -> Html {
    html! {
        <dl class="facts">
            { for rows.iter().map(|(name, value)| html! { <><dt>{ *name }</dt><dd>{ value }</dd></> }) }
        </dl>
    }
}

fn tally(drops: &Tally) -> String {
    if drops.is_empty() {
        return "0".into();
    }
    let parts: Vec<String> = drops
        .iter()
        .map(|(reason, n)| format!("{} {reason}", units::count(*n)))
        .collect();
    parts.join(", ")
}

/// The button that breaks what works and heals what is broken.
fn toggle(on: &On, target: Target, broken: bool, break_word: &'static str, heal_word: &'static str) -> Html {
    let (word, class) = if broken {
        (heal_word, "heal")
    } else {
        (break_word, "fail")
    };
    html! {
        <button class={class} data-testid="toggle-fault" onclick={on.reform(move |_| Action::Toggle(target.clone()))}>
            { icon(Icon::Break) }{ word }
        </button>
    }
}

fn link_view(link: &LinkDetail, on: &On) -> Html {
    let target = Target::Link(link.name);
    let broken = link.down || link.loss > 0.0;
    let state = if link.down {
        html! { <span class="state bad" data-testid="state">{ "down" }</span> }
    } else if link.loss > 0.0 {
        html! { <span class="state warn" data-testid="state">{ format!("loses {}", units::percent(link.loss)) }</span> }
    } else {
        html! { <span class="state good" data-testid="state">{ "up" }</span> }
    };
    html! {
        <>
            { heading("Link", &link.name.to_string()) }
            <p class="row">{ state }{ toggle(on, target, broken, "Fail", "Heal") }</p>
            { facts(&[
                ("rate", units::rate(link.rate_bps as f64)),
                ("delay", units::span(link.delay_ps as f64)),
                ("load over", units::span(link.window_ps as f64)),
            ]) }
            { for link.directions.iter().map(direction) }
        </>
    }
}

fn direction(direction: &Direction) -> Html {
    let meter = |name: &'static str, bytes: u64, limit: Option<u64>, tone: &'static str| {
        let share = limit.map_or(0.0, |limit| bytes as f64 / limit.max(1) as f64);
        let text = match limit {
            Some(limit) => format!("{} of {}", units::bytes(bytes as f64), units::bytes(limit as f64)),
            None => units::bytes(bytes as f64),
        };
        html! { <div class="meter"><span>{ name }</span><Bar {share} label={name} {tone} /><span>{ text }</span></div> }
    };
    html! {
        <div class="direction">
            <h4>{ format!("{} → {}", direction.from, direction.to) }</h4>
            <div class="meter">
                <span>{ "load" }</span>
                <Bar share={direction.load} label="load" tone="load" />
                <span>{ units::percent((direction.load * 1000.0).round() / 1000.0) }</span>
            </div>
            { meter("queue", direction.queue_bytes, direction.queue_limit, "queue") }
            { meter("control", direction.control_bytes, direction.control_limit, "control") }
            { facts(&[
                ("on the wire", format!("{} packets", direction.on_wire)),
                ("sent", format!("{} packets, {}", units::count(u64::from(direction.tx_packets)), units::bytes(direction.tx_bytes as f64))),
                ("dropped", tally(&direction.drops)),
                ("trimmed", units::count(direction.trims)),
            ]) }
        </div>
    }
}

fn ports(rows: &[PortRow], on: &On) -> Html {
    let row = |port: &PortRow| {
        let state = if port.down {
            "down"
        } else if port.lossy {
            "lossy"
        } else {
            ""
        };
        html! {
            <tr class={state}>
                <td>{ go(on, Target::Link(port.link), port.link.to_string()) }</td>
                <td><Bar share={port.load_out} label="load out" tone="load" /></td>
                <td><Bar share={port.load_in} label="load in" tone="load" /></td>
                <td>{ if state.is_empty() { units::bytes(port.queue_bytes as f64) } else { state.into() } }</td>
            </tr>
        }
    };
    html! {
        <table class="ports">
            <thead><tr><th>{ "link" }</th><th>{ "out" }</th><th>{ "in" }</th><th>{ "queue" }</th></tr></thead>
            <tbody>{ for rows.iter().map(row) }</tbody>
        </table>
    }
}

fn more(shown: usize, all: u32) -> Html {
    let left = all as usize - shown.min(all as usize);
    if left == 0 {
        html! {}
    } else {
        html! { <p class="dim">{ format!("and {left} more") }</p> }
    }
}

fn switch_view(switch: &SwitchDetail, on: &On) -> Html {
    let state = if switch.dead {
        html! { <span class="state bad" data-testid="state">{ "dead" }</span> }
    } else {
        html! { <span class="state good" data-testid="state">{ "forwards" }</span> }
    };
    html! {
        <>
            { heading("Switch", &switch.name.to_string()) }
            <p class="row">{ state }{ toggle(on, Target::Switch(switch.name), switch.dead, "Kill", "Revive") }</p>
            { facts(&[
                ("uSID", format!("{:04x}", switch.usid)),
                ("queued", units::bytes(switch.queued_bytes as f64)),
                ("dropped", tally(&switch.drops)),
                ("trimmed", units::count(switch.trims)),
            ]) }
            { ports(&switch.ports, on) }
            { more(switch.ports.len(), switch.port_count) }
        </>
    }
}

fn nic_view(nic: &NicDetail, on: &On) -> Html {
    html! {
        <>
            { heading("NIC", &nic.nic.to_string()) }
            { facts(&[("T0 in each plane", format!("T0 {}", nic.t0))]) }
            { ports(&nic.ports, on) }
            <h4>{ "QPs" }</h4>
            { qp_list(&nic.qps, nic.nic, on) }
            { more(nic.qps.len(), nic.qp_count) }
        </>
    }
}

fn qp_list(rows: &[QpRow], nic: u32, on: &On) -> Html {
    let row = |qp: &QpRow| {
        let (arrow, peer) = if qp.src == nic {
            ("to NIC", qp.dst)
        } else {
            ("from NIC", qp.src)
        };
        let share = qp.placed as f64 / qp.bytes.max(1) as f64;
        html! {
            <tr>
                <td>{ go(on, Target::Qp(qp.qp), format!("QP {}", qp.qp)) }</td>
                <td>{ format!("{arrow} {peer}") }</td>
                <td><Bar {share} label="placed" tone="progress" /></td>
                <td>{ units::bytes(qp.bytes as f64) }</td>
            </tr>
        }
    };
    html! { <table class="ports"><tbody>{ for rows.iter().map(row) }</tbody></table> }
}

fn qp_view(qp: &QpDetail, on: &On) -> Html {
    let share = qp.row.placed as f64 / qp.row.bytes.max(1) as f64;
    let window = |bytes: u64| bytes as f64 / qp.max_cwnd.max(1) as f64;
    html! {
        <>
            { heading("QP", &qp.row.qp.to_string()) }
            <p class="row">
                { go(on, Target::Nic(qp.row.src), format!("NIC {}", qp.row.src)) }
                { "→" }
                { go(on, Target::Nic(qp.row.dst), format!("NIC {}", qp.row.dst)) }
                <span class="state" data-testid="state">{ &qp.state }</span>
            </p>
            <div class="meter">
                <span>{ "placed" }</span><Bar {share} label="placed" tone="progress" />
                <span>{ format!("{} of {}", units::bytes(qp.row.placed as f64), units::bytes(qp.row.bytes as f64)) }</span>
            </div>
            <div class="meter">
                <span>{ "window" }</span><Bar share={window(qp.cwnd)} label="congestion window" tone="load" />
                <span>{ format!("{} of {}", units::bytes(qp.cwnd as f64), units::bytes(qp.max_cwnd as f64)) }</span>
            </div>
            <div class="meter">
                <span>{ "in flight" }</span><Bar share={window(qp.in_flight)} label="in flight" tone="data" />
                <span>{ units::bytes(qp.in_flight as f64) }</span>
            </div>
            <h4>{ "EVs" }</h4>
            <EvGrid evs={qp.evs.clone()} />
            <p class="dim small">{ "A row a plane, EVs through the same T1, or T2 between pods, side by side." }</p>
            { facts(&[
                ("flow", qp.row.flow.to_string()),
                ("posted", units::span(qp.start_ps as f64)),
                ("complete", qp.end_ps.map_or_else(|| "–".into(), |end| units::span(end as f64))),
                ("acknowledged", format!("PSN below {} of {}", units::count(u64::from(qp.cack)), units::count(u64::from(qp.packets)))),
                ("next new PSN", units::count(u64::from(qp.next_psn))),
                ("to send again", units::count(u64::from(qp.waiting))),
                ("queueing delay", units::span(qp.delay_ps)),
                ("retransmissions", units::count(qp.retransmissions)),
                ("NACKs", units::count(qp.nacks)),
                ("losses inferred", units::count(qp.losses)),
                ("EV probes", units::count(qp.probes)),
            ]) }
        </>
    }
}

fn bundle_view(bundle: &BundleDetail, on: &On) -> Html {
    let load = |direction: usize| {
        let (mean, most) = bundle.load[direction];
        format!(
            "{}, at most {}",
            units::percent((mean * 1000.0).round() / 1000.0),
            units::percent((most * 1000.0).round() / 1000.0)
        )
    };
    html! {
        <>
            { heading("Bundle", &bundle.name) }
            { facts(&[
                ("links", format!("{}, {} of them down", units::count(u64::from(bundle.cables)), bundle.down)),
                ("load up", load(0)),
                ("load down", load(1)),
                ("longest queue up", units::bytes(bundle.queue_bytes[0] as f64)),
                ("longest queue down", units::bytes(bundle.queue_bytes[1] as f64)),
                ("dropped", tally(&bundle.drops)),
                ("trimmed", units::count(bundle.trims)),
            ]) }
            <h4>{ "Links, faults and long queues first" }</h4>
            { ports(&bundle.members, on) }
            { more(bundle.members.len(), bundle.cables) }
        </>
    }
}

fn group_view(group: &GroupDetail, on: &On) -> Html {
    let name = |target: &Target| match target {
        Target::Switch(switch) => switch.to_string(),
        Target::Nic(nic) => format!("NIC {nic}"),
        _ => String::new(),
    };
    html! {
        <>
            { heading("Group", &group.name) }
            { facts(&[("members", units::count(u64::from(group.count))), ("dead", group.dead.to_string())]) }
            <ul class="members">
                { for group.members.iter().map(|target| html! { <li>{ go(on, target.clone(), name(target)) }</li> }) }
            </ul>
            { more(group.members.len(), group.count) }
        </>
    }
}
