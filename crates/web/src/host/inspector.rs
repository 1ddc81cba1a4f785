//! What is selected, in detail.

use super::model::{Do, On};
use super::process::{changes, facts, verdict};
use crate::shared::Shared;
use crate::ui::facts::{Facts as FactList, use_explain};
use view::host::message::{AttackView, Count, Detail, Facts, FlowDetail, GroupView, Report, Target};
use view::units;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// What a rule's number of matches means.
const MATCHES: &str =
    "Walks of first packets and reconciliations in which the rule decided, since this policy is in force";

/// What the inspector shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// What is selected.
    pub selected: Option<Target>,
    /// Figures, and details of the selection.
    pub report: Shared<Report>,
    /// Names of the layers.
    pub facts: Shared<Facts>,
    /// What the user does.
    pub on: On,
}

/// The inspector.
#[component]
pub fn Inspector(props: &Props) -> Html {
    let body = match (&props.selected, &props.report.detail) {
        (None, _) => html! {
            <p class="dim" data-testid="nothing-selected">{ "Click a packet, a VM, a layer or the SmartNIC on the stage to look into it." }</p>
        },
        (Some(_), None) => html! { <p class="dim">{ "Nothing is known of it yet." }</p> },
        (Some(_), Some(detail)) => detail_view(detail, &props.on),
    };
    html! {
        <section class="inspector host-inspector" data-testid="inspector">
            <div class="section-head"><h2>{ "Inspector" }</h2>{ chooser(props) }</div>
            { body }
            <h3 class="sub">{ "Counters" }</h3>
            <Totals report={props.report.clone()} />
        </section>
    }
}

/// Everything that can be selected but packets and flows, as a list.
fn chooser(props: &Props) -> Html {
    let mut list = vec![(Target::Nic, "SmartNIC".to_owned())];
    for (vm, state) in (0..).zip(&props.report.vms) {
        list.push((Target::Vm { vm }, state.name.clone()));
        for (layer, name) in (0..).zip(props.facts.layers.get(vm as usize).into_iter().flatten()) {
            list.push((Target::Layer { vm, layer }, format!("{}: {name}", state.name)));
        }
    }
    list.truncate(400);
    let targets: Vec<Target> = list.iter().map(|(target, _)| *target).collect();
    let on = props.on.clone();
    let onchange = Callback::from(move |event: Event| {
        let index: Option<usize> = event
            .target_unchecked_into::<HtmlSelectElement>()
            .value()
            .parse()
            .ok();
        on.emit(Do::Select(index.and_then(|index| targets.get(index)).copied()));
    });
    let other = !list.iter().any(|(target, _)| Some(*target) == props.selected);
    html! {
        <select aria-label="Look into" data-testid="look-into" {onchange}>
            <option value="" selected={other}>{ "Look into …" }</option>
            { for list.iter().enumerate().map(|(index, (target, name))| html! {
                <option value={index.to_string()} selected={Some(*target) == props.selected}>{ name }</option>
            }) }
        </select>
    }
}

fn detail_view(detail: &Detail, on: &On) -> Html {
    match detail {
        Detail::Packet {
            facts: of,
            headers,
            walk,
            walked,
            flow,
        } => html! {
            <div data-testid="packet">
                <p class="subject">{ "Packet" }</p>
                { facts("host packet", of) }
                <h3 class="sub">{ "Headers as they are" }</h3>
                { facts("host headers", headers) }
                if let Some(walk) = walk {
                    <h3 class="sub" data-testid="walk-title">{ if *walked {
                        format!("Its walk through the layers, {}", units::span(walk.at_ps as f64))
                    } else {
                        "Layers that it would cross now, if it comes to VFP".to_owned()
                    } }</h3>
                    { verdict(walk) }
                }
                if let Some(flow) = flow {
                    <h3 class="sub">
                        <button class="link" onclick={{
                            let target = Target::Flow { vm: flow.vm, handle: flow.handle };
                            on.reform(move |_| Do::Select(Some(target)))
                        }}>{ "Its unified flow" }</button>
                    </h3>
                    { flow_view(flow) }
                } else {
                    <p class="dim">{ "Its flow is not in VFP's table now." }</p>
                }
            </div>
        },
        Detail::PacketGone => html! {
            <p class="dim" data-testid="packet-gone">{ "This packet has arrived, or was lost." }</p>
        },
        Detail::Flow(flow) => html! {
            <div data-testid="flow">
                <p class="subject">{ "Unified flow" }<span class="kind">{ format!(" of VM {}", flow.vm) }</span></p>
                { flow_view(flow) }
            </div>
        },
        Detail::FlowGone => {
            html! { <p class="dim" data-testid="flow-gone">{ "This flow is no longer in the table." }</p> }
        }
        Detail::Layer { facts: of, groups } => html! {
            <div data-testid="layer">
                <p class="subject">{ "Layer of VFP" }</p>
                { facts("host layer", of) }
                { for groups.iter().map(group) }
            </div>
        },
        Detail::Vm { facts: of, counters } => html! {
            <div data-testid="vm">
                <p class="subject">{ "VM" }</p>
                { facts("host vm", of) }
                <h3 class="sub">{ "VFP's counters of its port" }</h3>
                { counts("host vfp", counters) }
            </div>
        },
        Detail::Nic { facts: of, counters } => html! {
            <div data-testid="nic">
                <p class="subject">{ "SmartNIC" }</p>
                { facts("host nic", of) }
                <h3 class="sub">{ "Its counters" }</h3>
                { counts("host totals", counters) }
            </div>
        },
    }
}

fn flow_view(flow: &FlowDetail) -> Html {
    html! {
        <>
            { facts("host flow", &flow.facts) }
            { for flow.ways.iter().enumerate().map(|(number, way)| html! {
                <>
                    <h3 class="sub">{ if number == 0 { "Way of the first packet" } else { "Way of the answers" } }</h3>
                    <p class="mono">{ &way.key }</p>
                    { facts("host flow", &way.facts) }
                    { changes(&way.changes) }
                </>
            }) }
        </>
    }
}

fn group(group: &GroupView) -> Html {
    let more = group.rules_there as usize - group.rules.len().min(group.rules_there as usize);
    html! {
        <>
            <h3 class="sub">{ &group.name }<span class="dim">{ format!(" {}, {}", group.direction, units::things(u64::from(group.rules_there), "rule")) }</span></h3>
            <table class="rules">
                <thead>
                    <tr>
                        <th scope="col">{ "Priority" }</th>
                        <th scope="col">{ "Rule" }</th>
                        <th scope="col">{ "Condition" }</th>
                        <th scope="col">{ "Action" }</th>
                        <th scope="col" title={MATCHES}>{ "Matches" }</th>
                    </tr>
                </thead>
                <tbody>
                    { for group.rules.iter().map(|rule| html! {
                        <tr class={(rule.matches > 0).then_some("matched")} data-testid="rule">
                            <td>{ rule.priority }</td>
                            <td>{ &rule.name }</td>
                            <td>{ &rule.condition }</td>
                            <td>{ &rule.action }</td>
                            <td class="number" title={MATCHES}>{ units::count(rule.matches) }</td>
                        </tr>
                    }) }
                </tbody>
            </table>
            if more > 0 { <p class="dim small">{ format!("and {} more of lower priority", units::count(more as u64)) }</p> }
        </>
    }
}

fn counts(view: &'static str, list: &[Count]) -> Html {
    if list.is_empty() {
        return html! { <p class="dim small">{ "All are 0." }</p> };
    }
    let rows: Vec<(AttrValue, Html)> = list
        .iter()
        .map(|(name, count)| (name.clone().into(), units::count(*count).into()))
        .collect();
    html! { <FactList {view} {rows} /> }
}

/// What came of an attack, as lines of the list of totals.
fn attack(of: &AttackView) -> Html {
    let [honest, lost] = of.honest;
    let line = |name: String, value: String| html! { <><dt>{ name }</dt><dd>{ value }</dd></> };
    html! {
        <>
            <dt class="heading">{ &of.title }</dt><dd data-testid="attack">{ units::count(of.attempted) }</dd>
            { for of.stopped.iter().map(|(reason, count)| line(format!("Stopped: {reason}"), units::count(*count))) }
            if let Some([accuracy, bits]) = of.timing {
                { line("The spy is right".into(), format!("{:.1} % of the rounds", 100.0 * accuracy)) }
                { line("A round tells".into(), format!("{bits:.3} bits")) }
            } else {
                <dt>{ "Got through" }</dt>
                <dd class={(of.through > 0).then_some("bad")} data-testid="attack-through">{ units::count(of.through) }</dd>
            }
            if honest > 0 {
                { line("Allowed beside it, lost".into(), format!("{} of {}", units::count(lost), units::count(honest))) }
            }
        </>
    }
}

/// Everything that is counted over the whole host.
#[derive(PartialEq, Properties)]
struct TotalsProps {
    /// The figures.
    report: Shared<Report>,
}

/// The totals.
#[component]
fn Totals(props: &TotalsProps) -> Html {
    let (report, explain) = (&props.report, use_explain("host totals"));
    let [hardware, exception, synthetic] = report.delivered;
    let [miss, stale, deactivated] = report.exceptions;
    let [installed, refused, removed] = report.entries;
    let rows = [
        ("events", "Events", report.events),
        ("created", "Packets handed over", report.created),
        ("delivered-hardware", "Arrived: hardware", hardware),
        ("delivered-exception", "Arrived: exception", exception),
        ("delivered-synthetic", "Arrived: synthetic", synthetic),
        ("challenged", "SYNs that the NIC answered", report.challenged),
        ("under-way", "Under way", report.under_way),
        ("miss", "Exceptions: Miss", miss),
        ("stale", "Exceptions: Stale", stale),
        ("deactivated", "Exceptions: Deactivated", deactivated),
        ("copies", "Copies to VFP", report.copies),
        ("installed", "Entries installed", installed),
        ("refused", "Entries refused", refused),
        ("removed", "Entries removed", removed),
        ("reconciled", "Pairs reconciled", report.reconciled),
        ("retransmissions", "Segments sent again", report.retransmissions),
        ("flows", "Unified flows", u64::from(report.flows)),
        ("half-open", "Half-open", u64::from(report.half_open)),
        ("snat", "SNAT ports in use", u64::from(report.snat_ports)),
    ];
    html! {
        <dl class="facts">
            { for rows.into_iter().map(|(testid, name, count)| html! {
                <>
                    <dt>{ explain.label(name) }</dt><dd data-testid={testid}>{ units::count(count) }</dd>
                    if explain.is_open(name) { <dd class="because">{ explain.why() }</dd> }
                </>
            }) }
            { for report.lost.iter().map(|(reason, count)| html! {
                <><dt>{ format!("Lost: {reason}") }</dt><dd class="bad">{ units::count(*count) }</dd></>
            }) }
            { for report.attacks.iter().map(attack) }
            <dt>{ explain.label("Digest") }</dt><dd class="mono" data-testid="digest">{ format!("{:016x}", report.digest) }</dd>
            if explain.is_open("Digest") { <dd class="because">{ explain.why() }</dd> }
        </dl>
    }
}
