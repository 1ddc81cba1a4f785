//! Notable moments as a list.

use super::On;
use crate::model::{Action, History};
use crate::shared::Shared;
use crate::texts::moments as texts;
use view::message::{Mark, MarkKind, Timeline};
use view::units;
use yew::prelude::*;

/// What the list shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The history.
    pub history: Shared<History>,
    /// What the user does.
    pub on: On,
}

/// The list, the latest first.
#[component]
pub fn Moments(props: &Props) -> Html {
    let timeline = &props.history.timeline;
    let row = |mark: &Mark| {
        let target = mark.target.clone();
        let text = match &target {
            Some(target) => super::inspector::go(&props.on, target.clone(), mark.text.clone()),
            None => html! { { &mark.text } },
        };
        let onclick = target.map(|target| {
            props
                .on
                .reform(move |_: MouseEvent| Action::Select(Some(target.clone())))
        });
        html! {
            <tr data-testid="event" data-kind={mark.kind.slug()} {onclick}>
                <td class="when">{ units::span(mark.at_ps as f64) }</td>
                <td class="kind">{ picture(mark.kind) }<span>{ mark.kind.name() }</span></td>
                <td class="text">{ text }</td>
                <td>{ exposure(timeline, mark) }</td>
            </tr>
        }
    };
    html! {
        <div class="events moments">
            <div class="table">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{ texts::TIME }</th>
                            <th scope="col">{ texts::EVENT }</th>
                            <th scope="col">{ texts::WHAT }</th>
                            <th scope="col" title={texts::FROM_A_FAULT_TO_THE_LAST}>{ texts::AVOIDED_IN }</th>
                        </tr>
                    </thead>
                    <tbody>{ for timeline.marks.iter().rev().map(row) }</tbody>
                </table>
            </div>
            if timeline.marks.is_empty() { <p class="dim">{ texts::NOTHING_NOTABLE_HAS_HAPPENED_YET }</p> }
            if timeline.marks_left_out > 0 {
                <p class="dim">{ texts::not_listed(&units::count(timeline.marks_left_out)) }</p>
            }
        </div>
    }
}

/// How long a fault was sent into.
fn exposure(timeline: &Timeline, mark: &Mark) -> String {
    if mark.kind != MarkKind::Broke {
        return String::new();
    }
    let index = match mark.target {
        Some(view::inspect::Target::Fault(index)) => index,
        _ => return String::new(),
    };
    let own = |exposure: &&view::message::Exposure| (exposure.fault, exposure.at_ps) == (index, mark.at_ps);
    timeline
        .exposures
        .iter()
        .find(own)
        .map(|exposure| units::span((exposure.last_ps - exposure.at_ps) as f64))
        .unwrap_or_default()
}

/// A moment's symbol in a box of 14 × 14. Shapes differ as well as colours.
pub fn picture(kind: MarkKind) -> Html {
    html! {
        <svg class={classes!("mark", kind.slug())} viewBox="-7 0 14 14" width="14" height="14" aria-hidden="true">
            <path d={path(kind)} />
        </svg>
    }
}

/// A moment's symbol: around x = 0, from y = 0 to 14.
pub const fn path(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Broke => "M-4 3l8 8M4 3l-8 8",
        MarkKind::Healed => "M-4 7l3 4 5-8",
        MarkKind::Inferred => "M0 2.5v5M0 10.5v.6",
        MarkKind::EvsLost => "M-4 4h8l-4 7z",
        MarkKind::Swapped => "M-4.5 5h7M0.5 2.5L3 5 0.5 7.5M4.5 9.5h-7M-0.5 7l-2.5 2.5 2.5 2.5",
        MarkKind::Denied => "M-4 7a4 4 0 1 0 8 0 4 4 0 1 0-8 0M-2.2 7h4.4",
        MarkKind::EvsRevived => "M-4 11h8l-4-7z",
        MarkKind::Port => "M-4 4.5h8v5h-8zM-1.5 9.5v2M1.5 9.5v2",
        MarkKind::Paused => "M-3.4 3h2.2v8h-2.2zM1.2 3h2.2v8H1.2z",
        MarkKind::Deadlock => "M-4.5 7a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0M-1.6 4.6v4.8M1.6 4.6v4.8",
        MarkKind::Failed => "M-4.2 7L0 2.8 4.2 7 0 11.2zM-1.6 5.4l3.2 3.2M1.6 5.4l-3.2 3.2",
        MarkKind::Step => "M-3 3v8M-3 3.5h6l-2 2.2 2 2.2h-6",
        MarkKind::Drop => "M-2.5 4.5l5 5M2.5 4.5l-5 5",
        MarkKind::Trim => "M0 3.5l3.5 3.5L0 10.5-3.5 7z",
        MarkKind::Flow => "M0 3v8",
        MarkKind::Verdict => "M-4 5.5a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0M.8 7.5L4 11",
    }
}
