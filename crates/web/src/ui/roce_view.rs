//! A QP of RoCE: its rate and why, what it sends again, and its one path.

use super::On;
use super::facts::{Meter, facts};
use super::inspector::go;
use view::inspect::{DcqcnDetail, QpDetail, RoceDetail, Target};
use view::units;
use yew::prelude::*;

/// What only a QP of RoCE has: in the place of MRC's window and EVs.
pub fn roce_view(qp: &QpDetail, roce: &RoceDetail, on: &On) -> Html {
    let rate = |bps: u64| units::rate(bps as f64);
    let share = |bps: u64| bps as f64 / roce.line_bps.max(1) as f64;
    let meter = |name: &'static str, bps: u64, tone: &'static str| {
        let text = format!("{} of {}", rate(bps), rate(roce.line_bps));
        html! { <Meter view="roce" {name} share={share(bps)} {tone} {text} /> }
    };
    let in_flight = match roce.window {
        Some(window) => format!(
            "{} of {}",
            units::bytes(qp.in_flight as f64),
            units::bytes(window as f64)
        ),
        None => units::bytes(qp.in_flight as f64),
    };
    html! {
        <div data-testid="roce-qp">
            { meter("rate", roce.rate_bps, "load") }
            { for roce.dcqcn.as_ref().map(|dcqcn| meter("target rate", dcqcn.target_bps, "data")) }
            <h4>{ "Congestion control" }</h4>
            { facts("roce", &congestion(roce)) }
            <h4>{ "Path" }</h4>
            { path(roce, on) }
            <h4>{ "Reliability" }</h4>
            { facts("roce", &[
                ("recovery", roce.recovery.clone()),
                ("in flight", in_flight),
                ("retries without progress", format!("{} of {}", roce.retries, roce.most_retries)),
                ("next", next(qp)),
                ("NAKs heard", units::count(roce.naks)),
                ("timeouts", units::count(roce.timeouts)),
                ("retransmissions", units::count(qp.retransmissions)),
            ]) }
            <h4>{ "Responder" }</h4>
            { facts("roce", &[
                ("PSN expected", format!("{} of {}", units::count(u64::from(roce.expected)), units::count(u64::from(qp.packets)))),
                ("out of order", units::count(roce.responder.out_of_order)),
                ("duplicates", units::count(roce.responder.duplicates)),
                ("no use", units::count(roce.responder.refused)),
                ("ACKs sent", units::count(roce.responder.acks)),
                ("NAKs sent", units::count(roce.responder.naks)),
                ("CNPs sent", units::count(roce.responder.cnps)),
            ]) }
        </div>
    }
}

fn next(qp: &QpDetail) -> String {
    if qp.error.is_some() || qp.end_ps.is_some() {
        "–".into()
    } else if qp.timeout_ps == 0 {
        "no timeout is set".into()
    } else {
        qp.next_timeout()
    }
}

fn congestion(roce: &RoceDetail) -> Vec<(&'static str, String)> {
    let Some(DcqcnDetail { alpha, stage, .. }) = &roce.dcqcn else {
        return vec![("DCQCN", "off: it sends at line rate".into())];
    };
    vec![
        ("DCQCN", stage.clone()),
        ("α", format!("{alpha:.4}")),
        ("CNPs heard", units::count(roce.cnps)),
    ]
}

fn path(roce: &RoceDetail, on: &On) -> Html {
    html! {
        <>
            <p class="links" data-testid="roce-path">
                { for roce.path.iter().enumerate().map(|(hop, &link)| html! {
                    <>
                        if hop > 0 { { " → " } }
                        { go(on, Target::Link(link), link.to_string()) }
                    </>
                }) }
                if roce.is_spread { <span class="dim">{ " → then as each switch chooses for each packet" }</span> }
            </p>
            <p class="dim small">{ format!("Plane {}, UDP source port {} in both directions; switches hash it.", roce.plane, roce.port) }</p>
        </>
    }
}
