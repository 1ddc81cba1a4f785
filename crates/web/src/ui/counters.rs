//! Totals of the run.

use crate::model::Rates;
use crate::shared::Shared;
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
    let dropped: u64 = r.drops.iter().map(|(_, count)| count).sum();
    let row = |name: &'static str, doc: &'static str, value: String, testid: &'static str| {
        html! { <><dt title={doc}>{ name }</dt><dd data-testid={testid}>{ value }</dd></> }
    };
    let count = units::count;
    html! {
        <details class="counters" open=true>
            <summary><h2>{ "Counters" }</h2></summary>
            <dl>
                { row("packets created", "Packets that NICs handed to the network", count(r.created), "created") }
                { row("delivered", "Packets handed to a NIC, trimmed ones included", count(r.delivered), "delivered") }
                { row("in flight", "Packets queued or on a wire", count(r.in_flight), "in-flight") }
                { row("dropped", "Packets lost in the network, for any reason", count(dropped), "dropped") }
                { for r.drops.iter().map(|(reason, n)| html! {
                    <><dt class="sub">{ reason }</dt><dd data-testid={format!("drops-{reason}")}>{ count(*n) }</dd></>
                }) }
                { row("trims", "Data packets trimmed in switches, the last hop not counted", count(r.trims), "trims") }
                { row("trims, last hop", "Data packets trimmed on the last hop", count(r.trims_last_hop), "trims-last-hop") }
                { row("ECN marks", "Data packets that got an ECN mark", count(r.ecn_marks), "ecn-marks") }
                { row("retransmissions", "Data packets sent again", count(r.retransmissions), "retransmissions") }
                if let Some(roce) = &r.roce {
                    { row("out of order", "Data packets that arrived before an earlier one: thrown away with go-back-N, placed with selective repeat", count(roce.out_of_order), "out-of-order") }
                    { row("ACKs", "Acknowledgements that responders sent", count(roce.acks), "acks") }
                    { row("NAKs", "NAKs that responders sent: a PSN was missing", count(roce.naks), "naks") }
                    { row("CNPs", "Congestion notification packets that responders sent", count(roce.cnps), "cnps") }
                    { row("timeouts", "Times that a sender heard nothing new for too long", count(roce.timeouts), "timeouts") }
                } else {
                    { row("losses inferred", "Losses that senders inferred without a NACK", count(r.losses), "losses") }
                    { row("refusals", "NACKs for other reasons than a trim", count(r.refusals), "refusals") }
                    { row("EV probes", "Probes of EVs that are ASSUMED_BAD", count(r.probes), "probes") }
                    { row("reliability probes", "Requests for a SACK after a time without news", count(r.ack_probes), "ack-probes") }
                }
                if let Some(pfc) = &r.pfc {
                    { row("PAUSE frames", "PFC's frames that stop data on a link, those that let it go on not counted", count(pfc.pauses), "pauses") }
                    { row("links paused now", "Directed links on which no data may leave", count(u64::from(pfc.paused_now)), "paused-now") }
                    { row("paused in all", "Time that links were paused, all of them together", units::span(pfc.paused_ps as f64), "paused") }
                }
                { row("packet hops", "Completed link crossings", count(r.packet_hops), "packet-hops") }
                { row("placed", "Message bytes at their receivers, each counted once", format!("{} of {}", units::bytes(r.placed_bytes as f64), units::bytes(props.facts.bytes as f64)), "placed") }
            </dl>
            <h3>{ "Simulator" }</h3>
            <dl>
                { row("events", "Events processed", count(r.events), "events") }
                { row("event rate", "Events per second of computing", units::per_second(props.rates.events), "event-rate") }
                { row("hop rate", "Packet hops per second of computing", units::per_second(props.rates.hops), "hop-rate") }
                { row("time rate", "Simulated time per second of computing", units::speed(props.rates.time), "time-rate") }
                { for r.memory_bytes.map(|memory| row("memory", "WebAssembly memory of the simulation's worker, which never shrinks", units::bytes(memory as f64), "memory")) }
                { row("run digest", "Two runs have the same digest only if they did the same; final when the run is over", format!("{:016x}", r.digest), "digest") }
            </dl>
        </details>
    }
}
