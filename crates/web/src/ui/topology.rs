//! What the scenario's fabric is made of, and what each loss takes: the card that `flowglass card` prints.

use crate::shared::Shared;
use scenario::Scenario;
use view::card::{self, Row, Section};
use yew::prelude::*;

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenario.
    pub scenario: Shared<Scenario>,
}

/// The card.
#[component]
pub fn Topology(props: &Props) -> Html {
    let card = card::of(&props.scenario.fabric);
    html! {
        <section>
            <details class="topology" data-testid="topology">
                <summary><h2>{ "Fabric" }</h2></summary>
                { for card::sections(&card).iter().map(table) }
            </details>
        </section>
    }
}

fn table(section: &Section) -> Html {
    html! {
        <table>
            <caption>{ section.title }</caption>
            <tbody>{ for section.rows.iter().map(row) }</tbody>
        </table>
    }
}

fn row(row: &Row) -> Html {
    html! { <tr><th scope="row">{ row.label }</th><td>{ row.figure.text() }</td></tr> }
}
