//! The rows: only those in sight are on the page.

use super::super::On;
use crate::dom;
use crate::model::{Action, EventsView};
use crate::shared::Shared;
use view::keys::{Command, Page, Place};
use view::log::{Kind, Row};
use view::units;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Height of a row in CSS pixels; the style sheet has the same.
const ROW: f64 = 22.0;
/// Rows asked for above and below those in sight.
const MORE: u64 = 40;

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// Rows of the log, and which are wanted.
    pub events: Shared<EventsView>,
    /// What the user does.
    pub on: On,
}

/// The first row in sight, and how many are.
fn in_sight(list: &HtmlElement) -> (u64, u64) {
    let first = (f64::from(list.scroll_top()) / ROW) as u64;
    (first, (f64::from(list.client_height()) / ROW) as u64 + 1)
}

/// The rows.
#[component]
pub fn Rows(props: &Props) -> Html {
    let (events, on) = (&props.events, &props.on);
    let answer = &events.answer;
    let list = use_node_ref();
    // While the list follows the run, its end stays in sight.
    {
        let list = list.clone();
        use_effect_with((events.follows, answer.matches), move |(follows, _)| {
            if let (true, Some(list)) = (*follows, list.cast::<HtmlElement>()) {
                list.set_scroll_top(list.scroll_height());
            }
        });
    }
    // Another filter begins at its first row.
    {
        let list = list.clone();
        use_effect_with(events.want.filter.clone(), move |_| {
            if let Some(list) = list.cast::<HtmlElement>() {
                list.set_scroll_top(0);
            }
        });
    }
    let onscroll = {
        let (list, on, matches) = (list.clone(), on.clone(), answer.matches);
        Callback::from(move |_: Event| {
            if let Some(list) = list.cast::<HtmlElement>() {
                let (first, count) = in_sight(&list);
                let is_at_end = first + count + 1 >= matches;
                on.emit(Action::ShowEvents {
                    from: first.saturating_sub(MORE),
                    count: (count + 2 * MORE) as u32,
                    follows: is_at_end,
                });
            }
        })
    };
    let onkeydown = {
        let (list, on) = (list.clone(), on.clone());
        let (cursor, matches, rows, from) = (events.cursor, answer.matches, answer.rows.clone(), answer.from);
        Callback::from(move |event: KeyboardEvent| {
            let Some(list) = list.cast::<HtmlElement>() else {
                return;
            };
            let (first, count) = in_sight(&list);
            let page = count.saturating_sub(2).max(1);
            let at = cursor.unwrap_or(first);
            let last = matches.saturating_sub(1);
            let Some(command) = dom::command(Page::Fabric, Place::Events, &event) else {
                return;
            };
            let to = match command {
                Command::Move(1) => cursor.map_or(first, |at| at + 1),
                Command::Move(_) => at.saturating_sub(1),
                Command::Page { next: true } => at + page,
                Command::Page { next: false } => at.saturating_sub(page),
                Command::End { last: false } => 0,
                Command::End { last: true } => last,
                Command::Open => {
                    let row = at.checked_sub(from).and_then(|index| rows.get(index as usize));
                    if let Some(row) = row {
                        on.emit(Action::OpenEvent(at, Box::new(row.clone())));
                    }
                    event.prevent_default();
                    event.stop_propagation();
                    return;
                }
                _ => return,
            }
            .min(last);
            event.prevent_default();
            event.stop_propagation();
            on.emit(Action::PointAtEvent(to));
            // In sight, with one row to spare.
            if to <= first {
                list.set_scroll_top((to as f64 * ROW) as i32);
            } else if to + 2 >= first + count {
                list.set_scroll_top(((to + 2) as f64 * ROW - f64::from(list.client_height())) as i32);
            }
        })
    };
    let after = answer
        .matches
        .saturating_sub(answer.from + answer.rows.len() as u64);
    let gap = |rows: u64| html! { <svg class="gap" width="1" height={(rows as f64 * ROW).to_string()} aria-hidden="true"></svg> };
    let step = |name: &'static str, sign: &'static str, slug: &'static str, next: bool| {
        html! {
            <button class="quiet" aria-label={name} title={name} data-testid={slug} disabled={answer.matches == 0}
                onclick={on.reform(move |_| Action::StepEvents(next))}>{ sign }</button>
        }
    };
    html! {
        <div class="event-rows">
            <div class="event-steps">{ step("Previous match", "↑", "events-previous", false) }{ step("Next match", "↓", "events-next", true) }</div>
            <div class="event-head" aria-hidden="true">
                <span class="when">{ "time" }</span><span class="kind">{ "event" }</span><span class="qp">{ "QP" }</span><span class="psn">{ "PSN" }</span>
                <span class="with-ev">{ "EV" }</span><span class="at">{ "link" }</span><span class="bytes">{ "size" }</span><span class="text">{ "what" }</span>
            </div>
            <div
                ref={list}
                class="event-list"
                tabindex="0"
                role="listbox"
                aria-label="Events; arrows move, Enter opens"
                aria-activedescendant={events.cursor.map(|at| format!("event-{at}"))}
                data-testid="event-list"
                {onscroll}
                {onkeydown}
            >
                { gap(answer.from) }
                { for answer.rows.iter().zip(answer.from..).map(|(one, at)| row(one, at, events, on)) }
                { gap(after) }
                if answer.matches == 0 && answer.problem.is_none() {
                    <p class="dim">{ if answer.kept == 0 { "Nothing has happened yet." } else { "No event matches." } }</p>
                }
            </div>
        </div>
    }
}

fn row(one: &Row, at: u64, events: &EventsView, on: &On) -> Html {
    let is_current = events.cursor == Some(at);
    let is_future = at >= events.answer.past;
    let chosen = Box::new(one.clone());
    let onclick = on.reform(move |_: MouseEvent| Action::OpenEvent(at, chosen.clone()));
    fn number<T: ToString>(value: Option<T>) -> String {
        value.map(|value| value.to_string()).unwrap_or_default()
    }
    html! {
        <div
            key={at}
            id={format!("event-{at}")}
            class={classes!("event-row", is_current.then_some("current"), is_future.then_some("future"))}
            role="option"
            aria-selected={is_current.to_string()}
            title={is_future.then_some("Later than now: the run has been there before")}
            data-kind={one.kind.slug()}
            data-ps={one.at_ps.to_string()}
            data-testid="event-row"
            {onclick}
        >
            <span class="when">{ units::clock(one.at_ps) }</span>
            <span class="kind"><span class="sign" aria-hidden="true">{ sign(one.kind) }</span>{ one.kind.name() }</span>
            <span class="qp">{ number(one.qp) }</span>
            <span class="psn">{ number(one.psn) }</span>
            <span class="with-ev">{ number(one.ev) }</span>
            <span class="at">{ number(one.link) }</span>
            <span class="bytes">{ one.bytes.map(|bytes| format!("{bytes} B")).unwrap_or_default() }</span>
            <span class="text">{ &one.text }</span>
        </div>
    }
}

/// A kind's sign: its shape tells it apart as well as its colour.
const fn sign(kind: Kind) -> &'static str {
    match kind {
        Kind::Fault => "⚡",
        Kind::Repair => "✚",
        Kind::PortDown => "▾",
        Kind::PortUp => "▴",
        Kind::Verdict => "⚖",
        Kind::Deadlock => "⊘",
        Kind::Mark => "△",
        Kind::Trim => "◆",
        Kind::Drop => "✕",
        Kind::Pause => "‖",
        Kind::Resume => "▹",
        Kind::Placed => "✓",
        Kind::Received => "←",
        Kind::Loss | Kind::NakHeard => "!",
        Kind::Timeout => "⏱",
        Kind::Step => "▤",
        Kind::Slow => "↘",
        Kind::EvSkip => "↷",
        Kind::EvOut => "▼",
        Kind::EvBack => "▲",
        Kind::EvSwap => "⇄",
        Kind::Message => "•",
        Kind::Finished => "■",
        Kind::Error => "⊗",
        Kind::Sent => "→",
        Kind::Resent => "↻",
    }
}
