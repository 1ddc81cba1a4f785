//! The events list: notable moments, or everything that happened, through a filter.

mod field;
mod list;

use super::On;
use super::moments::Moments;
use crate::model::{Action, EventsView, History};
use crate::shared::Shared;
use field::FilterField;
use list::Rows;
use view::log::Form;
use view::units;
use yew::prelude::*;

/// What the panel shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The history.
    pub history: Shared<History>,
    /// Rows of the log, and which are wanted.
    pub events: Shared<EventsView>,
    /// What the user does.
    pub on: On,
}

/// The panel.
#[component]
pub fn Events(props: &Props) -> Html {
    let (events, on) = (&props.events, &props.on);
    let mode = |all: bool, slug: &'static str, name: &'static str, title: &'static str| {
        html! {
            <button
                aria-pressed={(events.is_open == all).to_string()}
                {title}
                data-testid={slug}
                onclick={on.reform(move |_| Action::OpenLog(all))}
            >{ name }</button>
        }
    };
    html! {
        <div class="event-log">
            <div class="event-tools">
                <div class="segmented" role="group" aria-label="Which events">
                    { mode(false, "events-moments", "Notable", "Faults, reactions, first drops and trims; those of one kind and time together") }
                    { mode(true, "events-all", "Every event", "Every packet sent, marked, trimmed, dropped and placed, and what endpoints conclude") }
                </div>
                if events.is_open {
                    <FilterField filter={events.want.filter.clone()} on={on.clone()} />
                }
            </div>
            if events.is_open {
                { state(events, on) }
                <Rows events={events.clone()} on={on.clone()} />
            } else {
                <Moments history={props.history.clone()} on={on.clone()} />
            }
        </div>
    }
}

/// How many there are, and what can be done with them.
fn state(events: &EventsView, on: &On) -> Html {
    let answer = &events.answer;
    let out: u64 = answer.left_out.iter().map(|(_, count)| count).sum();
    let why = answer
        .left_out
        .iter()
        .map(|(kind, count)| format!("{} {}", units::count(*count), kind.name()))
        .collect::<Vec<_>>()
        .join(", ");
    let save = |form: Form, name: &'static str| {
        html! {
            <button
                class="quiet"
                title={format!("Save all rows that match as {name}")}
                disabled={answer.matches == 0}
                data-testid={format!("events-{}", name.to_lowercase())}
                onclick={on.reform(move |_| Action::SaveEvents(form))}
            >{ name }</button>
        }
    };
    html! {
        <div class="event-state small">
            <span role="status" data-testid="events-count">
                if events.want.filter.is_empty() {
                    { units::things(answer.matches, "event") }
                } else {
                    { format!("{} of {} match", units::count(answer.matches), units::things(answer.kept, "event")) }
                }
            </span>
            if out > 0 {
                <span class="dim" title={why} data-testid="events-left-out">
                    { format!("{} older ones of frequent kinds left out", units::count(out)) }
                </span>
            }
            <span class="grow"></span>
            { save(Form::Csv, "CSV") }
            { save(Form::Json, "JSON") }
        </div>
    }
}
