//! The symbols of the stage. A click on a kind of packets hides it there, another shows it again.

use super::On;
use crate::model::Action;
use crate::shared::Shared;
use crate::stage::palette;
use crate::texts::legend as texts;
use scenario::{FaultKind, Protocol, Scenario};
use view::frame::Kind;
use view::picture::Kinds;
use yew::prelude::*;

/// What the legend shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// Kinds of packets that are not drawn.
    pub hidden: Kinds,
    /// The scenarios that are shown: what can be seen in them.
    pub scenarios: Vec<Shared<Scenario>>,
    /// What the user does.
    pub on: On,
}

/// The kinds of packets that have an entry, each with those that it stands for. They are drawn as on the stage.
const PACKETS: [(&str, &[Kind]); 16] = [
    ("data", &[Kind::Data]),
    ("retransmission", &[Kind::Retransmission]),
    ("trimmed", &[Kind::Trimmed]),
    ("SACK", &[Kind::Sack]),
    ("NACK", &[Kind::Nack]),
    ("ACK", &[Kind::Ack]),
    (texts::EV_PROBE, &[Kind::Probe, Kind::ProbeReply]),
    (texts::RELIABILITY_PROBE, &[Kind::AckProbe]),
    (texts::PORT_STATUS, &[Kind::PortStatus]),
    ("Clustermapper", &[Kind::MapperProbe]),
    ("ACK", &[Kind::RoceAck]),
    ("NAK", &[Kind::Nak]),
    ("CNP", &[Kind::Cnp]),
    ("PAUSE", &[Kind::Pause]),
    ("resume", &[Kind::Resume]),
    ("credit", &[Kind::Credit]),
];

/// Whether packets of a kind can be seen in a scenario.
fn occurs(kind: Kind, scenario: &Scenario) -> bool {
    let transport = &scenario.transport;
    let is_roce = transport.protocol == Protocol::Roce;
    match kind {
        Kind::Data | Kind::Retransmission => true,
        Kind::Trimmed => !is_roce && scenario.fabric.queue.trimming,
        Kind::MapperProbe => scenario.clustermapper.is_some(),
        Kind::RoceAck | Kind::Nak => is_roce,
        Kind::Cnp => is_roce && transport.roce.dcqcn.enabled,
        Kind::Pause | Kind::Resume => scenario.fabric.pfc.is_some(),
        Kind::Credit => transport.rccc,
        _ => !is_roce,
    }
}

/// The legend.
#[component]
pub fn Legend(props: &Props) -> Html {
    // In a narrow window it is closed at first.
    let open = use_state_eq(|| false);
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let body =
        |class: &'static str| html! { <line x1="3" y1="6" x2="19" y2="6" class={classes!("body", class)} /> };
    let symbol = |kind: Kind| match kind {
        Kind::Data => body("data"),
        Kind::Retransmission => html! { <>{ body("rim") }{ body("rtx") }</> },
        Kind::Trimmed => html! { <path class="trimmed" d="M11 1l5 5-5 5-5-5z" /> },
        Kind::Sack => html! { <circle class="sack" cx="11" cy="6" r="3.4" /> },
        Kind::Nack => html! { <path class="nack" d="M11 1l5 9H6z" /> },
        Kind::Ack => html! { <rect class="ack" x="7.4" y="2.4" width="7.2" height="7.2" /> },
        Kind::Probe | Kind::ProbeReply => html! { <circle class="probe" cx="11" cy="6" r="3.6" /> },
        Kind::AckProbe => html! { <rect class="ack-probe" x="7.4" y="2.4" width="7.2" height="7.2" /> },
        Kind::PortStatus => html! { <path class="port-status" d="M11 11L6 2h10z" /> },
        Kind::MapperProbe => html! { <path class="mapper-probe" d="M11 1.4l4.6 4.6L11 10.6 6.4 6z" /> },
        Kind::RoceAck => html! { <rect class="roce-ack" x="7.6" y="2.6" width="6.8" height="6.8" /> },
        Kind::Nak => html! { <path class="nak" d="M11 1l5 9H6z" /> },
        Kind::Cnp => html! { <path class="cnp" d="M6.5 1h9L6.5 11h9z" /> },
        Kind::Pause => html! { <path class="pause" d="M6.4 1.2h3.2v9.6H6.4zM12.4 1.2h3.2v9.6h-3.2z" /> },
        Kind::Resume => html! { <path class="resume" d="M7.5 1l8.5 5-8.5 5z" /> },
        Kind::Credit => {
            html! { <path class="credit" d="M9.3 1h3.4v3.3H16v3.4h-3.3V11H9.3V7.7H6V4.3h3.3z" /> }
        }
    };
    let picture = |symbol: Html| html! { <svg viewBox="0 0 22 12" aria-hidden="true">{ symbol }</svg> };
    let faults = || props.scenarios.iter().flat_map(|scenario| &scenario.faults);
    let breaks = |is: fn(&FaultKind) -> bool| faults().any(|fault| is(&fault.what));
    let there = PACKETS.into_iter().filter(|(_, kinds)| {
        matches!(kinds[0], Kind::Data | Kind::Retransmission)
            || props.scenarios.iter().any(|scenario| occurs(kinds[0], scenario))
    });
    let has_pfc = props
        .scenarios
        .iter()
        .any(|scenario| scenario.fabric.pfc.is_some());
    let are_mixed = {
        let is_roce = |scenario: &Shared<Scenario>| scenario.transport.protocol == Protocol::Roce;
        props.scenarios.iter().any(is_roce) && !props.scenarios.iter().all(is_roce)
    };
    let packets = there.map(|(name, kinds)| {
        let name = match kinds[0] {
            Kind::Ack if are_mixed => texts::MRC_ACK,
            Kind::RoceAck if are_mixed => texts::ROCE_ACK,
            _ => name,
        };
        let hidden = props.hidden.has(kinds[0]);
        let onclick = {
            let on = props.on.clone();
            Callback::from(move |_: MouseEvent| {
                kinds.iter().for_each(|&kind| on.emit(Action::ToggleKind(kind)))
            })
        };
        let verb = if hidden { texts::SHOW } else { texts::HIDE };
        html! {
            <li>
                <button
                    class="kind"
                    aria-pressed={(!hidden).to_string()}
                    title={texts::on_the_stage(palette::doc(kinds[0]), verb)}
                    data-testid={format!("legend-{}", palette::slug(kinds[0]))}
                    {onclick}
                >{ picture(symbol(kinds[0])) }{ name }</button>
            </li>
        }
    });
    let sign = |letter: &'static str| html! { <text x="11" y="9.6" class="letter">{ letter }</text> };
    // The signs of faults that neither happen nor are planned would only take room.
    let things: [(Html, &str, &str, bool); 9] = [
        (
            html! { <line class="queue" x1="3" y1="6" x2="19" y2="6" /> },
            "queue",
            texts::THE_OUTPUT_QUEUE_AT_THE_BEGINNING,
            true,
        ),
        (
            html! { <><line class="paused" x1="1" y1="6" x2="21" y2="6" /><path class="pause" d="M7 1.6h2.6v8.8H7zM12.4 1.6H15v8.8h-2.6z" /></> },
            "paused",
            texts::A_LINK_WHOSE_FAR_END_HAS,
            has_pfc,
        ),
        (
            html! { <><line class="stuck" x1="1" y1="6" x2="21" y2="6" /><path class="stuck" d="M7 1.6h2.6v8.8H7zM12.4 1.6H15v8.8h-2.6z" /></> },
            "deadlock",
            texts::PAUSED_LINKS_THAT_WAIT_FOR_EACH,
            has_pfc,
        ),
        (
            html! { <line class="down" x1="1" y1="6" x2="21" y2="6" /> },
            "down",
            texts::A_LINK_THAT_IS_DOWN_AN,
            true,
        ),
        (
            html! { <><line class="lossy" x1="0" y1="6" x2="22" y2="6" />{ sign("%") }</> },
            "lossy",
            texts::A_LINK_THAT_LOSES_PACKETS_AT,
            breaks(|fault| matches!(fault, FaultKind::LinkLoss { .. })),
        ),
        (
            html! { <><line class="corrupt" x1="0" y1="6" x2="22" y2="6" />{ sign("≠") }</> },
            "damages",
            texts::A_LINK_OR_A_SWITCH_THAT,
            breaks(|fault| {
                matches!(
                    fault,
                    FaultKind::LinkCorrupt { .. } | FaultKind::SwitchCorrupt { .. }
                )
            }),
        ),
        (
            html! { <><line class="lossy" x1="0" y1="6" x2="22" y2="6" />{ sign("~") }</> },
            "flaps",
            texts::A_LINK_THAT_GOES_DOWN_AND,
            breaks(|fault| matches!(fault, FaultKind::LinkFlap { .. })),
        ),
        (
            html! { { sign("!") } },
            "refuses",
            texts::A_NIC_THAT_REFUSES_PACKETS,
            breaks(|fault| matches!(fault, FaultKind::NicRefuses { .. })),
        ),
        (
            html! { { sign("−") } },
            "penalty",
            texts::A_NIC_THAT_REPORTS_A_PENALTY,
            breaks(|fault| matches!(fault, FaultKind::NicPenalty { .. })),
        ),
    ];
    html! {
        <div class={classes!("legend-frame", open.then_some("open"))}>
            <button class="quiet legend-toggle" aria-expanded={open.to_string()} onclick={toggle}>{ texts::SYMBOLS }</button>
            <ul class="legend" aria-label={texts::SYMBOLS} data-testid="legend">
                { for packets }
                { for things.into_iter().filter(|thing| thing.3).map(|(symbol, name, doc, _)| html! { <li title={doc}>{ picture(symbol) }{ name }</li> }) }
            </ul>
        </div>
    }
}
