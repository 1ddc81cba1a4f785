//! Totals of the run.

use crate::model::Rates;
use crate::shared::Shared;
use crate::texts::counters as texts;
use view::message::{Facts, Report};
use view::units;
use yew::prelude::*;

/// What the counters show.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// Figures.
    pub report: Shared<Report>,
    /// How fast the simulation has been.
    pub rates: Rates,
    /// What does not change.
    pub facts: Shared<Facts>,
}

/// The counters.
#[component]
pub fn Counters(props: &Props) -> Html {
    let r = &props.report;
    let dropped = r.packets_dropped();
    let row = |name: &'static str, doc: &'static str, value: String, testid: &'static str| {
        html! { <><dt title={doc}>{ name }</dt><dd data-testid={testid}>{ value }</dd></> }
    };
    let count = units::count;
    html! {
        <details class="counters" open=true>
            <summary><h2>{ texts::COUNTERS }</h2></summary>
            <dl>
                { row(texts::PACKETS_CREATED, texts::PACKETS_THAT_NICS_HANDED_TO_THE, count(r.created), "created") }
                { row("delivered", texts::PACKETS_HANDED_TO_A_NIC_TRIMMED, count(r.delivered), "delivered") }
                { row(texts::IN_FLIGHT, texts::PACKETS_QUEUED_OR_ON_A_WIRE, count(r.in_flight), "in-flight") }
                { row("dropped", texts::PACKETS_LOST_IN_THE_NETWORK_FOR, count(dropped), "dropped") }
                { for r.drops.iter().map(|(reason, n)| html! {
                    <><dt class="sub">{ reason }</dt><dd data-testid={format!("drops-{reason}")}>{ count(*n) }</dd></>
                }) }
                if r.probes_dropped > 0 {
                    <dt class="sub" title={texts::PROBES_OF_EVS_AND_OF_LINKS}>{ texts::OF_THEM_PROBES }</dt><dd data-testid="probes-dropped">{ count(r.probes_dropped) }</dd>
                }
                { row("trims", texts::DATA_PACKETS_TRIMMED_IN_SWITCHES_THE, count(r.trims), "trims") }
                { row(texts::TRIMS_LAST_HOP, texts::DATA_PACKETS_TRIMMED_ON_THE_LAST, count(r.trims_last_hop), "trims-last-hop") }
                { row(texts::ECN_MARKS, texts::DATA_PACKETS_THAT_GOT_AN_ECN, count(r.ecn_marks), "ecn-marks") }
                { row("retransmissions", texts::DATA_PACKETS_SENT_AGAIN, count(r.retransmissions), "retransmissions") }
                if let Some(roce) = &r.roce {
                    { row(texts::OUT_OF_ORDER, texts::DATA_PACKETS_THAT_ARRIVED_BEFORE_AN, count(roce.out_of_order), "out-of-order") }
                    { row(texts::ACKS_SENT, texts::ACKNOWLEDGEMENTS_THAT_RESPONDERS_SENT, count(roce.acks), "acks") }
                    { row(texts::NAKS_SENT, texts::NAKS_THAT_RESPONDERS_SENT_A_PSN, count(roce.naks), "naks") }
                    { row(texts::CNPS_SENT, texts::CONGESTION_NOTIFICATION_PACKETS_THAT_RESPONDERS_SENT, count(roce.cnps), "cnps") }
                    { row("timeouts", texts::TIMES_THAT_A_SENDER_HEARD_NOTHING, count(roce.timeouts), "timeouts") }
                } else {
                    { row(texts::LOSSES_INFERRED, texts::LOSSES_THAT_SENDERS_INFERRED_WITHOUT_A, count(r.losses), "losses") }
                    { row("refusals", texts::NACKS_FOR_OTHER_REASONS_THAN_A, count(r.refusals), "refusals") }
                    { row(texts::EV_PROBES, texts::PROBES_OF_EVS_THAT_ARE_ASSUMED, count(r.probes), "probes") }
                    { row(texts::RELIABILITY_PROBES, texts::REQUESTS_FOR_A_SACK_AFTER_A, count(r.ack_probes), "ack-probes") }
                }
                if let Some(pfc) = &r.pfc {
                    { row(texts::PAUSE_FRAMES, texts::PFC_S_FRAMES_THAT_STOP_DATA, count(pfc.pauses), "pauses") }
                    { row(texts::LINKS_PAUSED_NOW, texts::DIRECTED_LINKS_ON_WHICH_NO_DATA, count(u64::from(pfc.paused_now)), "paused-now") }
                    { row(texts::PAUSED_IN_ALL, texts::TIME_THAT_LINKS_WERE_PAUSED_ALL, units::span(pfc.paused_ps as f64), "paused") }
                }
                { row(texts::PACKET_HOPS, texts::COMPLETED_LINK_CROSSINGS, count(r.packet_hops), "packet-hops") }
                { row("placed", texts::MESSAGE_BYTES_AT_THEIR_RECEIVERS_EACH, format!("{} of {}", units::bytes(r.placed_bytes as f64), units::bytes(props.facts.bytes as f64)), "placed") }
            </dl>
            <h3>{ texts::SIMULATOR }</h3>
            <dl>
                { row("events", texts::EVENTS_PROCESSED, count(r.events), "events") }
                { row(texts::EVENT_RATE, texts::EVENTS_PER_SECOND_OF_COMPUTING, units::per_second(props.rates.events), "event-rate") }
                { row(texts::HOP_RATE, texts::PACKET_HOPS_PER_SECOND_OF_COMPUTING, units::per_second(props.rates.hops), "hop-rate") }
                { row(texts::TIME_RATE, texts::SIMULATED_TIME_PER_SECOND_OF_COMPUTING, units::speed(props.rates.time), "time-rate") }
                { for r.memory_bytes.map(|memory| row("memory", texts::WEBASSEMBLY_MEMORY_OF_THE_SIMULATION_S, units::bytes(memory as f64), "memory")) }
                { row(texts::RUN_DIGEST, texts::TWO_RUNS_HAVE_THE_SAME_DIGEST, format!("{:016x}", r.digest), "digest") }
            </dl>
        </details>
    }
}
