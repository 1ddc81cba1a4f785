//! Each flow's result.

use super::On;
use super::icons::{Icon, icon};
use crate::model::Action;
use crate::shared::Shared;
use crate::texts::flows as texts;
use view::inspect::Target;
use view::message::{FlowRow, Report};
use view::units;
use yew::prelude::*;

/// Rows shown at once; the file has all.
const ROWS: usize = 400;

/// What the table shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The flows.
    pub rows: Shared<Vec<FlowRow>>,
    /// Figures.
    pub report: Shared<Report>,
    /// What is selected.
    pub selected: Option<Target>,
    /// What the user does.
    pub on: On,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Id,
    Qp,
    Source,
    Destination,
    Size,
    Start,
    Completion,
    Goodput,
    Placed,
    Retransmissions,
}

impl Column {
    const ALL: [Column; 10] = [
        Column::Id,
        Column::Qp,
        Column::Source,
        Column::Destination,
        Column::Size,
        Column::Start,
        Column::Completion,
        Column::Goodput,
        Column::Placed,
        Column::Retransmissions,
    ];

    /// Its head, and what its values mean.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Column::Id => ("flow", texts::THE_FLOW_S_NUMBER),
            Column::Qp => ("QP", texts::THE_QP_S_NUMBER),
            Column::Source => (texts::FROM_NIC, texts::SENDING_NIC),
            Column::Destination => (texts::TO_NIC, texts::RECEIVING_NIC),
            Column::Size => ("size (B)", texts::MESSAGE_BYTES),
            Column::Start => ("start (µs)", texts::WHEN_THE_MESSAGE_WAS_POSTED),
            Column::Completion => ("FCT (µs)", texts::COMPLETION_TIME_FROM_POSTING_TO_THE),
            Column::Goodput => ("goodput (Gb/s)", texts::MESSAGE_BITS_OVER_COMPLETION_TIME),
            Column::Placed => ("placed", texts::SHARE_OF_THE_MESSAGE_AT_THE),
            Column::Retransmissions => ("rtx", texts::DATA_PACKETS_SENT_AGAIN),
        }
    }

    /// What rows are sorted by; what is not known comes last.
    fn key(self, row: &FlowRow) -> f64 {
        match self {
            Column::Id => row.qp.flow as f64,
            Column::Qp => f64::from(row.qp.qp),
            Column::Source => f64::from(row.qp.src),
            Column::Destination => f64::from(row.qp.dst),
            Column::Size => row.qp.bytes as f64,
            Column::Start => row.start_ps as f64,
            Column::Completion => row.fct_ps.map_or(f64::INFINITY, |fct| fct as f64),
            Column::Goodput => goodput(row).unwrap_or(f64::INFINITY),
            Column::Placed => row.qp.placed as f64 / row.qp.bytes.max(1) as f64,
            Column::Retransmissions => row.retransmissions as f64,
        }
    }

    fn text(self, row: &FlowRow) -> String {
        let us = |ps: u64| format!("{:.3}", ps as f64 / 1e6);
        match self {
            Column::Id => row.qp.flow.to_string(),
            Column::Qp => row.qp.qp.to_string(),
            Column::Source => row.qp.src.to_string(),
            Column::Destination => row.qp.dst.to_string(),
            Column::Size => units::count(row.qp.bytes),
            Column::Start => us(row.start_ps),
            Column::Completion => row.fct_ps.map_or_else(|| "–".into(), us),
            Column::Goodput => goodput(row).map_or_else(|| "–".into(), |value| format!("{value:.2}")),
            Column::Placed => {
                units::percent((row.qp.placed as f64 / row.qp.bytes.max(1) as f64 * 1000.0).floor() / 1000.0)
            }
            Column::Retransmissions => units::count(row.retransmissions),
        }
    }
}

/// Message bits over completion time, in Gb/s.
fn goodput(row: &FlowRow) -> Option<f64> {
    row.fct_ps
        .filter(|&fct| fct > 0)
        .map(|fct| row.qp.bytes as f64 * 8000.0 / fct as f64)
}

/// The table.
#[component]
pub fn Flows(props: &Props) -> Html {
    let order = use_state_eq(|| (Column::Completion, true));
    let (column, descending) = *order;
    let mut sorted: Vec<&FlowRow> = props.rows.iter().collect();
    sorted.sort_by(|a, b| {
        let ordering = column.key(a).total_cmp(&column.key(b));
        if descending { ordering.reverse() } else { ordering }
    });
    let head = |this: Column| {
        let (name, doc) = this.words();
        let order = order.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            order.set((this, if column == this { !descending } else { false }));
        });
        let sort = match (column == this, descending) {
            (false, _) => "none",
            (true, true) => "descending",
            (true, false) => "ascending",
        };
        html! {
            <th scope="col" aria-sort={sort}>
                <button title={doc} {onclick}>{ name }<span class="arrow" aria-hidden="true"></span></button>
            </th>
        }
    };
    let row = |row: &&FlowRow| {
        let target = Target::Qp(row.qp.qp);
        let selected = props.selected.as_ref() == Some(&target);
        let onclick = props.on.reform(move |_| Action::Select(Some(target.clone())));
        html! {
            <tr key={row.qp.qp} class={classes!(selected.then_some("selected"))} data-testid="flow-row" {onclick}>
                { for Column::ALL.into_iter().map(|column| match column {
                    // The keyboard's way to select a flow.
                    Column::Id => html! { <td><button class="link" aria-pressed={selected.to_string()}>{ column.text(row) }</button></td> },
                    _ => html! { <td>{ column.text(row) }</td> },
                }) }
            </tr>
        }
    };
    html! {
        <div class="flows">
            { summary(props) }
            <div class="table">
                <table>
                    <thead><tr>{ for Column::ALL.into_iter().map(head) }</tr></thead>
                    <tbody>{ for sorted.iter().take(ROWS).map(row) }</tbody>
                </table>
            </div>
            if sorted.len() > ROWS {
                <p class="dim">{ texts::first_rows(ROWS, &units::count(sorted.len() as u64)) }</p>
            }
        </div>
    }
}

fn summary(props: &Props) -> Html {
    let us = |ps: u64| format!("{:.3} µs", ps as f64 / 1e6);
    let report = &props.report;
    html! {
        <div class="flows-summary">
            <p data-testid="fct-summary">
                if let Some([p50, p99, max]) = report.fct_ps {
                    { texts::FCT_P50 }<strong>{ us(p50) }</strong>
                    { ", p99 " }<strong>{ us(p99) }</strong>
                    { texts::MAX }<strong>{ us(max) }</strong>
                } else {
                    { texts::NO_FLOW_IS_COMPLETE_YET }
                }
            </p>
            <button data-testid="save-flows" disabled={props.rows.is_empty()} onclick={props.on.reform(|_| Action::SaveFlows)}>
                { icon(Icon::Save) }{ texts::CSV }
            </button>
        </div>
    }
}
