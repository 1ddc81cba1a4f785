//! What is selected, in detail.

use super::On;
use super::bar::Bar;
use super::break_form::BreakForm;
use super::facts::{Meter, facts, use_explain};
use super::fault_view::fault_view;
use super::icons::{Icon, icon};
use super::life::LifeView;
use super::packet::PacketView;
use super::qp_view::qp_view;
use crate::model::Action;
use crate::shared::Shared;
use scenario::Scenario;
use view::breaking::Subject;
use view::frame::state;
use view::inspect::{
    BundleDetail, Detail, Direction, GroupDetail, LinkDetail, NicDetail, PfcBuffer, PfcDetail, PortRow,
    QpRow, SwitchDetail, Tally, Target,
};
use view::life::Life;
use view::{units, words};
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
    /// The life of the selected packet, or of one of the selected QP.
    pub life: Option<Shared<Life>>,
    /// True when it has more room than usual.
    pub wide: bool,
    /// The scenario.
    pub scenario: Option<Shared<Scenario>>,
    /// Simulated time in ps.
    pub now_ps: u64,
    /// True when things can be broken and healed.
    pub can_break: bool,
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
            Detail::Link(link) => link_view(link, props),
            Detail::Switch(switch) => switch_view(switch, props),
            Detail::Nic(nic) => nic_view(nic, props),
            Detail::Qp(qp) => qp_view(qp, on),
            Detail::Fault(fault) => fault_view(fault, on),
            Detail::Packet(packet) => {
                html! { <PacketView packet={(**packet).clone()} gone={props.gone} life={props.life.clone()} on={on.clone()} /> }
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
            if let Some(life) = &props.life {
                <LifeView life={(**life).clone()} on={on.clone()} />
            }
            { body }
        </section>
    }
}

/// A heading with a name for tests.
pub fn heading(kind: &str, name: &str) -> Html {
    html! { <h3 class="subject"><span class="kind">{ kind }</span>{ " " }<span data-testid="subject">{ name }</span></h3> }
}

/// A button that leads to another thing.
pub fn go(on: &On, target: Target, text: impl Into<AttrValue>) -> Html {
    let text: AttrValue = text.into();
    html! { <button class="link" onclick={on.reform(move |_| Action::Select(Some(target.clone())))}>{ text }</button> }
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
fn toggle(
    props: &Props,
    target: Target,
    broken: bool,
    break_word: &'static str,
    heal_word: &'static str,
) -> Html {
    let (word, class) = if broken {
        (heal_word, "heal")
    } else {
        (break_word, "fail")
    };
    html! {
        <button class={class} data-testid="toggle-fault" disabled={!props.can_break} onclick={props.on.reform(move |_| Action::Toggle(target.clone()))}>
            { icon(Icon::Break) }{ word }
        </button>
    }
}

/// More ways to break it.
fn ways(props: &Props, subject: Subject) -> Html {
    let Some(scenario) = &props.scenario else {
        return html! {};
    };
    html! {
        <details class="ways" key={subject.name()} data-testid="more-ways">
            <summary>{ "More ways to break it" }</summary>
            <BreakForm
                id="break"
                subject={Some(subject)}
                scenario={scenario.clone()}
                now_ps={props.now_ps}
                ready={props.can_break}
                on={props.on.clone()}
            />
        </details>
    }
}

/// What is wrong with a link, or that nothing is.
fn link_states(link: &LinkDetail) -> Vec<(&'static str, String)> {
    let [up, down] = &link.directions;
    let mut states = Vec::new();
    if let Some(until) = link.flaps_until_ps {
        states.push(("warn", format!("flaps until {}", units::span(until as f64))));
    }
    match (up.down, down.down) {
        (true, true) => states.push(("bad", "down".into())),
        (true, false) => states.push(("bad", "down, upward".into())),
        (false, true) => states.push(("bad", "down, downward".into())),
        (false, false) => {}
    }
    let mut rates = |verb: &str, up: f64, down: f64| {
        let mut say = |rate: f64, way: &str| {
            if rate > 0.0 {
                states.push(("warn", format!("{verb} {}{way}", words::percent(rate))));
            }
        };
        if up == down {
            say(up, "");
        } else {
            say(up, " upward");
            say(down, " downward");
        }
    };
    rates("loses", up.loss, down.loss);
    rates("damages", up.damage, down.damage);
    for of in &link.directions {
        let Some(pfc) = of.pfc.as_ref().filter(|pfc| pfc.since_ps.is_some()) else {
            continue;
        };
        states.push(if pfc.is_deadlocked {
            ("bad", format!("deadlock: {} waits for {}", of.from, of.to))
        } else {
            ("warn", format!("{} is paused by {}", of.from, of.to))
        });
    }
    if states.is_empty() {
        states.push(("good", "up".into()));
    }
    states
}

fn link_view(link: &LinkDetail, props: &Props) -> Html {
    let target = Target::Link(link.name);
    let wrong = |of: &Direction| of.down || of.loss > 0.0 || of.damage > 0.0;
    let broken = link.directions.iter().any(wrong);
    html! {
        <>
            { heading("Link", &link.name.to_string()) }
            <p class="row">
                <span class="states" data-testid="state">
                    { for link_states(link).into_iter().map(|(tone, text)| html! { <span class={classes!("state", tone)}>{ text }</span> }) }
                </span>
                { toggle(props, target, broken, "Fail", "Heal") }
            </p>
            { ways(props, Subject::Link(link.name)) }
            { facts("link", &[
                ("rate", units::rate(link.rate_bps as f64)),
                ("delay", units::span(link.delay_ps as f64)),
                ("load over", match link.window_ps {
                    0 => "no time has passed".into(),
                    window => units::span(window as f64),
                }),
            ]) }
            { for link.directions.iter().map(|of| direction(of, props.now_ps)) }
        </>
    }
}

fn direction(direction: &Direction, now_ps: u64) -> Html {
    let meter = |name: &'static str, bytes: u64, limit: Option<u64>, tone: &'static str| {
        let share = limit.map_or(0.0, |limit| bytes as f64 / limit.max(1) as f64);
        let text = match limit {
            Some(limit) => format!("{} of {}", units::bytes(bytes as f64), units::bytes(limit as f64)),
            None => units::bytes(bytes as f64),
        };
        html! { <Meter view="direction" {name} {share} {tone} {text} /> }
    };
    html! {
        <div class="direction">
            <h4>{ format!("{} → {}", direction.from, direction.to) }</h4>
            <Meter view="direction" name="load" share={direction.load} tone="load" text={units::percent((direction.load * 1000.0).round() / 1000.0)} />
            { meter("queue", direction.queue_bytes, direction.queue_limit, "queue") }
            { meter("control", direction.control_bytes, direction.control_limit, "control") }
            { facts("direction", &[
                ("on the wire", units::things(direction.on_wire.into(), "packet")),
                ("sent", format!("{} packets, {}", units::count(u64::from(direction.tx_packets)), units::bytes(direction.tx_bytes as f64))),
                ("dropped", tally(&direction.drops)),
                ("trimmed", units::count(direction.trims)),
            ]) }
            if let Some(pfc) = &direction.pfc {
                { pfc_view(pfc, direction, now_ps) }
            }
        </div>
    }
}

/// Priority flow control of a direction: whether it is paused, and what decides that at its far end.
fn pfc_view(pfc: &PfcDetail, direction: &Direction, now_ps: u64) -> Html {
    let state = match pfc.since_ps {
        Some(since) => format!(
            "paused since {}, for {}, by {}",
            units::span(since as f64),
            units::span(now_ps.saturating_sub(since) as f64),
            direction.to
        ),
        None => "not paused".into(),
    };
    let share = pfc.total_ps as f64 / now_ps.max(1) as f64;
    let buffer = |buffer: &PfcBuffer| {
        let share = buffer.held as f64 / buffer.most.max(1) as f64;
        let text = format!(
            "{} of {}",
            units::bytes(buffer.held as f64),
            units::bytes(buffer.most as f64)
        );
        html! { <Meter view="pfc" name="held there" {share} tone="queue" {text} /> }
    };
    let mut rows = vec![
        ("PFC", state),
        (
            "paused in all",
            format!(
                "{}, {} of the time",
                units::span(pfc.total_ps as f64),
                units::percent((share * 1000.0).round() / 1000.0)
            ),
        ),
        ("PAUSE frames heard", units::count(u64::from(pfc.pauses))),
    ];
    if let Some(buffer) = &pfc.buffer {
        rows.push((
            "pause above, go on from",
            format!(
                "{}, {}",
                units::bytes(buffer.xoff as f64),
                units::bytes(buffer.xon as f64)
            ),
        ));
        rows.push(("headroom", units::bytes((buffer.most - buffer.xoff) as f64)));
    }
    html! {
        <div data-testid="pfc" data-paused={pfc.since_ps.is_some().to_string()}>
            { for pfc.buffer.as_ref().map(buffer) }
            { facts("pfc", &rows) }
        </div>
    }
}

/// A list of ports.
#[derive(PartialEq, Properties)]
struct PortsProps {
    /// The ports.
    rows: Vec<PortRow>,
    /// What the user does.
    on: On,
}

/// The ports of a switch or a NIC, or the links of a bundle.
#[component]
fn Ports(props: &PortsProps) -> Html {
    let (on, explain) = (&props.on, use_explain("ports"));
    let row = |port: &PortRow| {
        let is = |bit: u8| port.state & bit != 0;
        let (state, word) = if is(state::DOWN) {
            ("down", "down")
        } else if is(state::FLAPPING) {
            ("lossy", "flaps")
        } else if is(state::LOSSY) {
            ("lossy", "lossy")
        } else if is(state::CORRUPT) {
            ("lossy", "damages")
        } else if is(state::PAUSED) {
            ("lossy", "paused")
        } else {
            ("", "")
        };
        html! {
            <tr class={state}>
                <td>{ go(on, Target::Link(port.link), port.link.to_string()) }</td>
                <td><Bar share={port.load_out} label="load out" tone="load" /></td>
                <td><Bar share={port.load_in} label="load in" tone="load" /></td>
                <td>{ if word.is_empty() { units::bytes(port.queue_bytes as f64) } else { word.into() } }</td>
            </tr>
        }
    };
    html! {
        <>
            <table class="ports">
                <thead><tr>{ for ["link", "out", "in", "queue"].map(|name| html! { <th scope="col">{ explain.label(name) }</th> }) }</tr></thead>
                <tbody>{ for props.rows.iter().map(row) }</tbody>
            </table>
            { explain.why() }
        </>
    }
}

pub fn more(shown: usize, all: u32) -> Html {
    let left = all as usize - shown.min(all as usize);
    if left == 0 {
        html! {}
    } else {
        html! { <p class="dim">{ format!("and {left} more") }</p> }
    }
}

fn switch_view(switch: &SwitchDetail, props: &Props) -> Html {
    let damages = switch.damage > 0.0;
    let is_cut_off = switch.ports.len() == switch.port_count as usize
        && switch.ports.iter().all(|port| port.state & state::DOWN != 0);
    let on = &props.on;
    html! {
        <>
            { heading("Switch", &switch.name.to_string()) }
            <p class="row">
                <span class="states" data-testid="state">
                    if switch.dead {
                        <span class="state bad">{ "dead" }</span>
                    } else if is_cut_off {
                        <span class="state bad">{ "all its links are down" }</span>
                    } else {
                        <span class={classes!("state", (!damages).then_some("good"))}>{ "forwards" }</span>
                    }
                    if damages {
                        <span class="state warn">{ format!("damages {}", words::percent(switch.damage)) }</span>
                    }
                </span>
                { toggle(props, Target::Switch(switch.name), switch.dead || damages, "Kill", if switch.dead { "Revive" } else { "Heal" }) }
            </p>
            { ways(props, Subject::Switch(switch.name)) }
            { facts("switch", &[
                ("uSID", format!("{:04x}", switch.usid)),
                ("queued", units::bytes(switch.queued_bytes as f64)),
                ("dropped", tally(&switch.drops)),
                ("trimmed", units::count(switch.trims)),
            ]) }
            <Ports rows={switch.ports.clone()} on={on.clone()} />
            { more(switch.ports.len(), switch.port_count) }
        </>
    }
}

fn nic_view(nic: &NicDetail, props: &Props) -> Html {
    let on = &props.on;
    html! {
        <>
            { heading("NIC", &nic.nic.to_string()) }
            <p class="row">
                <span class="states" data-testid="state">
                    if let Some((share, reason)) = &nic.refuses {
                        <span class="state warn">{ format!("refuses {}: {reason}", words::percent(*share)) }</span>
                    }
                    if nic.penalty > 0 {
                        <span class="state warn">{ format!("reports penalty {}", nic.penalty) }</span>
                    }
                    if nic.refuses.is_none() && nic.penalty == 0 {
                        <span class="state good">{ "receives" }</span>
                    }
                </span>
            </p>
            { ways(props, Subject::Nic(nic.nic, None)) }
            { facts("nic", &[("T0 in each plane", format!("T0 {}", nic.t0))]) }
            <Ports rows={nic.ports.clone()} on={on.clone()} />
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
            { facts("bundle", &[
                ("links", format!("{}, {} of them down", units::count(u64::from(bundle.cables)), bundle.down)),
                ("load up", load(0)),
                ("load down", load(1)),
                ("longest queue up", units::bytes(bundle.queue_bytes[0] as f64)),
                ("longest queue down", units::bytes(bundle.queue_bytes[1] as f64)),
                ("dropped", tally(&bundle.drops)),
                ("trimmed", units::count(bundle.trims)),
            ]) }
            <h4>{ "Links, faults and long queues first" }</h4>
            <Ports rows={bundle.members.clone()} on={on.clone()} />
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
            { facts("group", &[("members", units::count(u64::from(group.count))), ("dead", group.dead.to_string())]) }
            <ul class="members">
                { for group.members.iter().map(|target| html! { <li>{ go(on, target.clone(), name(target)) }</li> }) }
            </ul>
            { more(group.members.len(), group.count) }
        </>
    }
}
