//! A QP: what it sends, what it hears, and by which EVs.

use super::On;
use super::ev_grid::EvGrid;
use super::facts::{Meter, facts};
use super::inspector::{go, heading};
use super::roce_view::roce_view;
use view::inspect::{QpDetail, Target};
use view::units;
use yew::prelude::*;

/// The QP.
pub fn qp_view(qp: &QpDetail, on: &On) -> Html {
    let share = qp.row.placed as f64 / qp.row.bytes.max(1) as f64;
    let tone = match (&qp.error, qp.end_ps) {
        (Some(_), _) => "bad",
        (None, Some(_)) => "good",
        (None, None) if qp.timeouts > 0 => "warn",
        (None, None) => "",
    };
    html! {
        <>
            { heading("QP", &qp.row.qp.to_string()) }
            <p class="row">
                { go(on, Target::Nic(qp.row.src), format!("NIC {}", qp.row.src)) }
                { "→" }
                { go(on, Target::Nic(qp.row.dst), format!("NIC {}", qp.row.dst)) }
                <span class="state" data-testid="protocol">{ if qp.roce.is_some() { "RoCEv2" } else { "MRC" } }</span>
                <span class={classes!("state", tone)} data-testid="state">{ &qp.state }</span>
            </p>
            if let Some((why, at)) = &qp.error {
                <p class="bad" data-testid="qp-error">{ format!("In ERROR since {}: {why}.", units::span(*at as f64)) }</p>
            }
            <Meter
                view="qp"
                name="placed"
                {share}
                tone="progress"
                text={format!("{} of {}", units::bytes(qp.row.placed as f64), units::bytes(qp.row.bytes as f64))}
            />
            if qp.messages > 1 {
                <div data-testid="messages">
                    <Meter
                        view="qp"
                        name="messages"
                        share={f64::from(qp.completed) / f64::from(qp.messages)}
                        tone="progress"
                        text={format!("{} of {}", units::count(u64::from(qp.completed)), units::count(u64::from(qp.messages)))}
                    />
                </div>
            }
            { match &qp.roce {
                Some(roce) => roce_view(qp, roce, on),
                None => mrc_view(qp),
            } }
            <h4>{ "Messages and packets" }</h4>
            { facts("qp", &sent(qp)) }
        </>
    }
}

/// What only a QP of MRC has.
fn mrc_view(qp: &QpDetail) -> Html {
    let window = |bytes: u64| bytes as f64 / qp.max_cwnd.max(1) as f64;
    html! {
        <>
            <Meter
                view="qp"
                name="window"
                share={window(qp.cwnd)}
                tone="load"
                text={format!("{} of {}", units::bytes(qp.cwnd as f64), units::bytes(qp.max_cwnd as f64))}
            />
            <Meter view="qp" name="in flight" share={window(qp.in_flight)} tone="data" text={units::bytes(qp.in_flight as f64)} />
            <h4>{ "EVs" }</h4>
            <EvGrid evs={qp.evs.clone()} planes_down={qp.planes_down} />
            <h4>{ "Reliability" }</h4>
            { facts("qp", &reliability(qp)) }
        </>
    }
}

fn reliability(qp: &QpDetail) -> Vec<(&'static str, String)> {
    let retry = if qp.error.is_some() || qp.end_ps.is_some() {
        "–".into()
    } else {
        qp.next_timeout()
    };
    let mut rows = vec![
        ("timeouts in a row", qp.timeouts.to_string()),
        ("next", retry),
        ("losses inferred", units::count(qp.losses)),
        ("NACKs for trims", units::count(qp.nacks)),
        ("retransmissions", units::count(qp.retransmissions)),
        ("EV probes", units::count(qp.probes)),
        ("reliability probes", units::count(qp.ack_probes)),
    ];
    if qp.planes_down != 0 {
        rows.insert(0, ("planes without port", qp.planes_without_port()));
    }
    rows
}

fn sent(qp: &QpDetail) -> Vec<(&'static str, String)> {
    let count = |n: u32| units::count(u64::from(n));
    let mut rows = vec![
        ("flow", qp.row.flow.to_string()),
        (
            "operation",
            if qp.immediate {
                "WRITE with immediate"
            } else {
                "WRITE"
            }
            .into(),
        ),
        (
            "messages posted",
            format!("{} of {}", count(qp.posted), count(qp.messages)),
        ),
        ("complete", count(qp.completed)),
        ("first posted", units::span(qp.start_ps as f64)),
        (
            "all complete",
            qp.end_ps
                .map_or_else(|| "–".into(), |end| units::span(end as f64)),
        ),
        (
            "acknowledged",
            format!("PSN below {} of {}", count(qp.cack), count(qp.packets)),
        ),
        (
            if qp.roce.is_some() {
                "next PSN"
            } else {
                "next new PSN"
            },
            count(qp.next_psn),
        ),
    ];
    if qp.roce.is_none() {
        rows.push(("to send again", count(qp.waiting)));
        rows.push(("queueing delay", units::span(qp.delay_ps)));
    }
    rows
}
