//! The paper's figures beside ours, for a scenario that is an experiment of the paper.

use super::On;
use crate::model::{Action, Tab};
use crate::texts::paper as texts;
use std::collections::BTreeSet;
use view::paper::{Beside, Experiment, Row, Verdict, spans};
use yew::prelude::*;

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The table and the preset that it is of.
    pub beside: Beside,
    /// What the user does.
    pub on: On,
}

/// One line that leads to the table.
#[component]
pub fn PaperLink(props: &Props) -> Html {
    let onclick = props.on.reform(|_| Action::SetTab(Tab::Paper));
    html! {
        <p class="paper-link small">
            <button class="link" data-testid="paper-open" {onclick}>{ texts::PAPER_BESIDE_OURS }</button>
            { ": " }
            { summary(props.beside.experiment) }
        </p>
    }
}

/// The table, and what it is a table of.
#[component]
pub fn Paper(props: &Props) -> Html {
    let open = use_state(BTreeSet::<usize>::new);
    let Beside {
        experiment, seeds, ..
    } = props.beside;
    let explained: BTreeSet<usize> = experiment
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| !row.reason.is_empty())
        .map(|(index, _)| index)
        .collect();
    let all_open = explained.is_subset(&open);
    let any = !explained.is_empty();
    let toggle_all = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| {
            open.set(if all_open {
                BTreeSet::new()
            } else {
                explained.clone()
            });
        })
    };
    let row = |(index, row): (usize, &Row)| {
        let is_open = open.contains(&index);
        let onclick = {
            let open = open.clone();
            Callback::from(move |_: MouseEvent| {
                let mut next = (*open).clone();
                if !next.remove(&index) {
                    next.insert(index);
                }
                open.set(next);
            })
        };
        row_view(index, row, is_open, onclick)
    };
    html! {
        <div class="paper" data-testid="paper" data-preset={props.beside.preset}>
            <div class="paper-about">
                <h3>{ &experiment.title }</h3>
                { edited(props) }
                <p class="small" data-testid="paper-recorded">
                    { texts::recorded(seeds) }
                    { text(&experiment.again) }
                    { texts::THE_RUN_ON_SCREEN_IS_A }
                </p>
                <dl>
                    { fact("Source", &experiment.source) }
                    { fact("Scaling", &experiment.scaling) }
                    { fact("Measured", &experiment.measured) }
                </dl>
            </div>
            <div class="table paper-table" tabindex="0" role="region" aria-label={texts::PAPER_BESIDE_OURS}>
                <div class="paper-head">
                    <p class="small" data-testid="paper-summary">{ summary(experiment) }</p>
                    if any {
                        <button data-testid="paper-reasons" aria-pressed={all_open.to_string()} onclick={toggle_all}>
                            { if all_open { texts::HIDE_REASONS } else { texts::SHOW_ALL_REASONS } }
                        </button>
                    }
                </div>
                <table>
                    <thead><tr>
                        <th scope="col">{ texts::QUANTITY }</th>
                        <th scope="col">{ texts::PAPER }</th>
                        <th scope="col" title={texts::MEAN_AND_HALF_THE_WIDTH_OF}>
                            { texts::OURS }<span class="paper-n">{ format!("({seeds} seeds, 95 %)") }</span>
                        </th>
                        <th scope="col">{ texts::VERDICT }</th>
                    </tr></thead>
                    <tbody>{ for experiment.rows.iter().enumerate().map(row) }</tbody>
                </table>
            </div>
        </div>
    }
}

/// Says that what runs is no longer what the table is of.
fn edited(props: &Props) -> Html {
    let preset = props.beside.preset;
    let onclick = props.on.reform(move |_| Action::OpenPreset(preset));
    html! {
        if props.beside.edited {
            <p class="warn" role="note" data-testid="paper-edited">
                { texts::THE_SCENARIO_HAS_BEEN_EDITED_THIS }
                <button class="link" data-testid="paper-reopen" {onclick}>{ texts::OPEN_IT_AGAIN }</button>
                { "." }
            </p>
        }
    }
}

fn row_view(index: usize, row: &Row, open: bool, onclick: Callback<MouseEvent>) -> Html {
    let why = format!("paper-why-{index}");
    let (tone, sign) = look(row.verdict);
    // The click of the button, by pointer or by key, reaches the row.
    html! {
        <>
            <tr key={index} data-testid="paper-row" {onclick}>
                <th scope="row">{ text(&row.quantity) }</th>
                <td>{ &row.paper }<span class="dim paper-known">{ format!("\u{a0}{}", row.known.word()) }</span></td>
                <td class="paper-ours">{ if row.ours.is_empty() { "–" } else { &row.ours } }</td>
                <td>
                    <button
                        class={classes!("paper-verdict", tone)}
                        aria-expanded={open.to_string()}
                        aria-controls={why.clone()}
                        title={row.reason.replace('`', "")}
                    >
                        <span aria-hidden="true">{ sign }</span>
                        { row.verdict.words() }
                    </button>
                </td>
            </tr>
            <tr key={why.clone()} id={why} class="paper-why" hidden={!open}>
                <td colspan="4">{ explanation(row) }</td>
            </tr>
        </>
    }
}

/// The rule, and the reason where there is one.
fn explanation(row: &Row) -> Html {
    let rule = match row.verdict {
        Verdict::NotComparable | Verdict::NotSimulated => None,
        _ => Some(format!("{}.", row.rule)),
    };
    html! {
        <>
            if let Some(rule) = rule {
                <p><span class="dim">{ texts::RULE_FOR_A_MATCH }</span>{ text(&rule) }</p>
            }
            if !row.ratio.is_empty() {
                <p><span class="dim">{ texts::OURS_PAPER }</span>{ &row.ratio }</p>
            }
            if !row.reason.is_empty() {
                <p data-testid="paper-reason"><span class="dim">{ texts::REASON }</span>{ text(&row.reason) }{ "." }</p>
            }
        </>
    }
}

/// How a verdict looks: by colour and by sign.
const fn look(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Match => ("good", "✓"),
        Verdict::Differs => ("warn", "≠"),
        Verdict::Failed => ("bad", "✕"),
        Verdict::NotComparable | Verdict::NotSimulated => ("dim", "–"),
    }
}

/// As in `12 of 15 rows match, 3 differ`.
fn summary(experiment: &Experiment) -> String {
    let (rows, matches) = (experiment.rows.len(), experiment.count(Verdict::Match));
    let mut text = texts::rows_match(matches, rows);
    for verdict in Verdict::ALL {
        let count = experiment.count(verdict);
        let words = match verdict {
            Verdict::Match => continue,
            Verdict::Differs if count != 1 => "differ",
            other => other.words(),
        };
        if count > 0 {
            text += &format!(", {count} {words}");
        }
    }
    text
}

fn fact(name: &str, words: &str) -> Html {
    html! {
        if !words.is_empty() {
            <dt>{ name }</dt>
            <dd>{ text(words) }</dd>
        }
    }
}

/// A text of the page with its code set as such.
fn text(words: &str) -> Html {
    let pieces = spans(words).map(|(is_code, piece)| {
        if is_code {
            html! { <code>{ piece }</code> }
        } else {
            html! { { piece } }
        }
    });
    pieces.collect()
}
