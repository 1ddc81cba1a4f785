//! A data packet's whole life, as a track over time: every transmission a row, every hop a stretch of waiting, sending and flying.

use super::On;
use super::inspector::go;
use crate::model::Action;
use view::inspect::Target;
use view::life::{End, Hop, Life, Signal, Transmission};
use view::units;
use yew::prelude::*;

/// Width of a track, in units of its own.
const WIDTH: f64 = 600.0;
/// Height of a row.
const ROW: f64 = 26.0;
/// Transmissions drawn at most; all are counted.
const ROWS: usize = 40;

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The life.
    pub life: Life,
    /// What the user does.
    pub on: On,
}

/// The life.
#[component]
pub fn LifeView(props: &Props) -> Html {
    let life = &props.life;
    let shown = life.transmissions.iter().take(ROWS);
    html! {
        <section class="life" aria-label={format!("Life of PSN {} of QP {}", life.psn, life.qp)} data-testid="life">
            <h3 class="life-title">{ format!("Life of PSN {}", life.psn) }</h3>
            if let Some(problem) = &life.problem {
                <p class="state warn">{ problem }</p>
            }
            if life.is_whole() {
                <p data-testid="life-verdict">{ life.verdict() }</p>
            } else {
                <p class="small" role="status" data-testid="life-progress">
                    { format!("Repeating the run to find it: {} of {}", units::span(life.upto_ps as f64), units::span(life.now_ps as f64)) }
                    { " " }
                    <button onclick={props.on.reform(|_| Action::StopLife)}>{ "Stop" }</button>
                </p>
            }
            if !life.transmissions.is_empty() {
                { track(life) }
                { legend() }
                <ol class="life-list">
                    { for shown.enumerate().map(|(index, one)| transmission(index, one, life, &props.on)) }
                </ol>
                if life.transmissions.len() > ROWS {
                    <p class="dim small">{ format!("and {} more transmissions", life.transmissions.len() - ROWS) }</p>
                }
                if !life.signals.is_empty() || !life.inferred.is_empty() { { answers(life) } }
            }
        </section>
    }
}

/// The track: rows over one axis from the first transmission to the last answer.
fn track(life: &Life) -> Html {
    let (start, end) = life.span();
    let x = |at: u64| at.saturating_sub(start) as f64 / (end - start) as f64 * WIDTH;
    let rows = life.transmissions.len().min(ROWS);
    let height = (rows + 1) as f64 * ROW;
    let answers_at = rows as f64 * ROW + ROW / 2.0;
    html! {
        <>
            <svg class="life-track" viewBox={format!("-8 0 {} {height}", WIDTH + 16.0)} role="img" aria-label={format!("Track: {}", life.verdict())}>
                { for life.transmissions.iter().take(rows).enumerate().map(|(row, one)| bar(one, life.upto_ps, row as f64 * ROW + ROW / 2.0, &x)) }
                { for life.signals.iter().map(|signal| answer_mark(signal, answers_at, &x)) }
                { for life.inferred.iter().map(|inferred| html! {
                    <g class="inferred"><title>{ format!("{}: {}", units::span(inferred.at_ps as f64), inferred.text) }</title>
                        <path d={format!("M{:.1} {:.1}v8m0 3v2", x(inferred.at_ps), answers_at - 7.0)} />
                    </g>
                }) }
            </svg>
            <p class="life-axis dim small"><span>{ units::span(start as f64) }</span><span>{ format!("{} in all", units::span((end - start) as f64)) }</span><span>{ units::span(end as f64) }</span></p>
        </>
    }
}

/// One transmission's row, around height `y`; what is under way has a row up to `upto`.
fn bar(one: &Transmission, upto: u64, y: f64, x: &impl Fn(u64) -> f64) -> Html {
    let last = one.hops.last().map_or(one.sent_ps, |hop| hop.reached_ps);
    let end = one.end.at_ps().unwrap_or(upto).max(last);
    let hop = |hop: &Hop| {
        let paused = match hop.paused_ps {
            0 => String::new(),
            paused => format!(" ({} of it paused by PFC)", units::span(paused as f64)),
        };
        let title = format!(
            "{} → {}: waits {}{paused}, on the wire until {}",
            hop.from,
            hop.to,
            units::span(hop.wait_ps() as f64),
            units::span(hop.reached_ps as f64)
        );
        let (queued, left, sent, reached) = (
            x(hop.queued_ps),
            x(hop.left_ps),
            x(hop.sent_ps),
            x(hop.reached_ps),
        );
        html! {
            <g>
                <title>{ title }</title>
                <rect class="waits" x={queued.to_string()} y={(y - 7.0).to_string()} width={(left - queued).max(0.0).to_string()} height="14" />
                <rect class="sends" x={left.to_string()} y={(y - 4.0).to_string()} width={(sent - left).max(0.8).to_string()} height="8" />
                <path class="flies" d={format!("M{sent:.2} {y}H{reached:.2}")} />
                <path class="node" d={format!("M{reached:.2} {:.1}v12", y - 6.0)} />
                if hop.marked { <path class="marked" d={format!("M{sent:.2} {:.1}l4 7h-8z", y - 12.0)} /> }
                if hop.trimmed { <path class="trimmed" d={format!("M{queued:.2} {:.1}l5 5-5 5-5-5z", y - 5.0)} /> }
            </g>
        }
    };
    let at = x(end);
    let end_mark = match one.end {
        End::UnderWay => html! {
            <path class="under-way" d={format!("M{:.2} {y}H{at:.2}m0-5l6 5-6 5", x(last))}><title>{ "under way on its next link" }</title></path>
        },
        End::Placed { .. } => {
            html! { <path class="placed" d={format!("M{:.2} {y}l3.5 4.5 6-9", at - 4.5)} /> }
        }
        End::ArrivedTrimmed { .. } => {
            html! { <path class="trimmed" d={format!("M{at:.2} {:.1}l5 5-5 5-5-5z", y - 5.0)} /> }
        }
        End::NotPlaced { .. } => {
            html! { <circle class="not-placed" cx={at.to_string()} cy={y.to_string()} r="4.5" /> }
        }
        End::Dropped { .. } => {
            html! { <path class="dropped" d={format!("M{:.2} {:.1}l9 9m0-9l-9 9", at - 4.5, y - 4.5)} /> }
        }
    };
    html! { <g class="transmission">{ for one.hops.iter().map(hop) }{ end_mark }</g> }
}

/// An answer: from where it is sent to where it is heard.
fn answer_mark(signal: &Signal, y: f64, x: &impl Fn(u64) -> f64) -> Html {
    let from = x(signal.sent_ps);
    let to = signal.heard_ps.map(x);
    let class = match (signal.acknowledges, &*signal.name) {
        (true, _) => "ack",
        (_, "CNP") => "cnp",
        _ => "nack",
    };
    html! {
        <g class={class}>
            <title>{ &signal.text }</title>
            if let Some(to) = to { <path d={format!("M{from:.2} {y}H{to:.2}m-4-3.5l4 3.5-4 3.5")} /> }
            <circle cx={from.to_string()} cy={y.to_string()} r="3" />
        </g>
    }
}

fn legend() -> Html {
    let sample = |class: &'static str, shape: Html, text: &'static str| {
        html! { <span class={classes!("life-key", class)}><svg viewBox="0 0 18 14" width="18" height="14" aria-hidden="true">{ shape }</svg>{ text }</span> }
    };
    html! {
        <p class="life-legend small dim">
            { sample("life-track", html! { <rect class="waits" x="1" y="1" width="16" height="12" /> }, "waits") }
            { sample("life-track", html! { <rect class="sends" x="1" y="3" width="16" height="8" /> }, "is sent") }
            { sample("life-track", html! { <path class="flies" d="M0 7h18" /> }, "on the wire") }
            { sample("life-track", html! { <path class="marked" d="M9 3l4 7h-8z" /> }, "ECN mark") }
            { sample("life-track", html! { <path class="trimmed" d="M9 2l5 5-5 5-5-5z" /> }, "trimmed") }
            { sample("life-track", html! { <path class="dropped" d="M5 3l8 8m0-8l-8 8" /> }, "dropped") }
            { sample("life-track", html! { <path class="placed" d="M4 7l4 4 6-9" /> }, "placed") }
            <span>{ "last row: answers" }</span>
        </p>
    }
}

/// A transmission in numbers.
fn transmission(index: usize, one: &Transmission, life: &Life, on: &On) -> Html {
    let is_last = index + 1 == life.transmissions.len();
    let way = match life.is_roce {
        true => format!("UDP source port {}", one.ev),
        false => format!("EV {}", one.ev),
    };
    let title = format!(
        "{} {}, {}",
        if index == 0 { "Sent" } else { "Sent again" },
        units::span(one.sent_ps as f64),
        one.end.words()
    );
    let rows = one.hops.iter().map(|hop| {
        let what = match (hop.marked, hop.trimmed) {
            (true, _) => "ECN mark",
            (_, true) => "trimmed",
            _ => "",
        };
        html! {
            <tr>
                <td>{ go(on, Target::Link(hop.link), hop.link.to_string()) }<span class="dim">{ format!(" to {}", hop.to) }</span>
                    if !what.is_empty() { <strong class="what">{ format!(" {what}") }</strong> }
                    if let Some((usid, names)) = &hop.usid {
                        <span class="dim usid-at" title="Active uSID on this hop: the next of the SRv6 address's list">{ format!("uSID {usid:04x}: {names}") }</span>
                    }
                </td>
                <td>
                    { units::span(hop.wait_ps() as f64) }
                    if hop.paused_ps > 0 { <span class="dim usid-at">{ format!("{} of it paused (PFC)", units::span(hop.paused_ps as f64)) }</span> }
                </td>
                <td>{ units::span(hop.sent_ps.saturating_sub(hop.left_ps) as f64) }</td>
                <td>{ units::span(hop.reached_ps.saturating_sub(hop.sent_ps) as f64) }</td>
                <td>{ format!("{} B", hop.bytes) }</td>
            </tr>
        }
    });
    let is_on_first = one.hops.is_empty() && one.end == End::UnderWay;
    html! {
        <li>
            <details open={is_last}>
                <summary data-testid="transmission">{ title }</summary>
                <p class="small dim">
                    { format!("{way}, plane {}", one.plane) }{ " · " }
                    <button class="link" data-testid="transmission-time" onclick={on.reform({ let at = one.sent_ps; move |_| Action::Seek(at) })}>{ format!("Go to {}", units::span(one.sent_ps as f64)) }</button>
                </p>
                if is_on_first {
                    <p class="small" data-testid="life-first-link">
                        { "On its first link, " }{ go(on, Target::Link(one.first), one.first.to_string()) }
                        { format!(", since {}: it has not reached the far end yet.", units::span(one.sent_ps as f64)) }
                    </p>
                } else if !one.hops.is_empty() {
                    <table>
                        <thead><tr><th scope="col">{ "hop" }</th><th scope="col">{ "waits" }</th><th scope="col">{ "is sent" }</th><th scope="col">{ "on the wire" }</th><th scope="col">{ "size" }</th></tr></thead>
                        <tbody>{ for rows }</tbody>
                    </table>
                }
            </details>
        </li>
    }
}

/// What was said of it, and what its sender concluded.
fn answers(life: &Life) -> Html {
    let mut lines: Vec<(u64, String)> = life
        .signals
        .iter()
        .map(|signal| {
            let heard = match signal.heard_ps {
                Some(heard) => format!(
                    "heard {} later",
                    units::span(heard.saturating_sub(signal.sent_ps) as f64)
                ),
                None => "not heard yet".into(),
            };
            (signal.sent_ps, format!("{} ({heard})", signal.text))
        })
        .chain(life.inferred.iter().map(|one| (one.at_ps, one.text.clone())))
        .collect();
    lines.sort();
    html! {
        <ul class="life-answers small" data-testid="life-answers">
            { for lines.iter().map(|(at, text)| html! { <li><span class="when">{ units::span(*at as f64) }</span>{ " " }{ text }</li> }) }
        </ul>
    }
}
