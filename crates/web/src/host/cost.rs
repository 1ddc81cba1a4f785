//! Both sides of the ledger: what the card returns and what it costs, what breaks, and what else could do the work.

use super::model::{Do, On, Refused};
use crate::chart::ChartView;
use crate::shared::Shared;
use ledger::{COMPONENTS, Change, INPUTS, Statement, Status, alternatives, frontier};
use view::chart::{Axis, Body, Chart, Line, Mark, Quantity, Shape};
use view::host::ledger_link::{Costs, WORKLOAD};
use view::ticks::round_up;
use view::units;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Points of the line between gain and loss.
const STEPS: usize = 40;

/// What the view shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The inputs.
    pub costs: Costs,
    /// The input that was refused last, and why.
    pub refused: Option<Refused>,
    /// What the user does.
    pub on: On,
}

/// The view.
#[component]
pub fn CostView(props: &Props) -> Html {
    let body = match Statement::of(&props.costs.inputs) {
        Ok(statement) => html! {
            <>
                { statement_table(&statement) }
                { break_even(props, &statement) }
                { reliability(props, &statement) }
            </>
        },
        Err(error) => html! { <p class="bad" role="alert">{ error.to_string() }</p> },
    };
    html! {
        <div class="cost-frame"><div class="cost">
            <section class="cost-inputs">
                <p class="row">
                    <strong>{ "Inputs" }</strong>
                    <button data-testid="reset-costs" onclick={props.on.reform(|_| Do::ResetCosts)}>{ "As they were" }</button>
                </p>
                <table class="rules">
                    <tbody>
                        { for INPUTS.iter().map(|input| row(props, input.key, input.label, input.unit, Some((input.status, input.source)))) }
                    </tbody>
                </table>
            </section>
            <div class="cost-results">
                { body }
                { others(props) }
            </div>
        </div></div>
    }
}

const fn status(status: Status) -> &'static str {
    match status {
        Status::Published => "published",
        Status::Documented => "documented",
        Status::OurChoice => "our choice",
    }
}

fn row(
    props: &Props,
    key: &'static str,
    label: &'static str,
    unit: &'static str,
    source: Option<(Status, &'static str)>,
) -> Html {
    let given = props.costs.get(key) != Costs::default().get(key);
    let refused = props.refused.as_ref().filter(|refused| refused.key == key);
    // What was refused stays as it was typed.
    let value = refused.map_or_else(
        || props.costs.get(key).unwrap_or(0.0).to_string(),
        |refused| refused.typed.clone(),
    );
    let onchange = props.on.reform(move |event: Event| {
        Do::SetCost(key, event.target_unchecked_into::<HtmlInputElement>().value())
    });
    let published = source.is_some_and(|(of, _)| of == Status::Published);
    html! {
        <>
            <tr title={source.map_or("", |(_, source)| source)} class={classes!(given.then_some("given"), published.then_some("published"))}>
                <th scope="row">{ label }<span class="unit">
                    { format!(" {unit}") }
                    if let Some((of, _)) = source { <span class="origin">{ format!(" · {}", status(of)) }</span> }
                </span></th>
                <td>
                    <input type="text" inputmode="decimal" autocomplete="off" {value} aria-label={format!("{label}, {unit}")}
                        aria-invalid={refused.is_some().to_string()} data-testid={format!("cost-{key}")} {onchange} />
                </td>
            </tr>
            if let Some(refused) = refused {
                <tr><td colspan="2"><p class="problem" role="alert" data-testid="cost-problem">{ for refused.problems.iter().cloned() }</p></td></tr>
            }
        </>
    }
}

/// An amount in $.
fn dollars(value: f64) -> String {
    let whole = value.abs().round();
    let sign = if value < 0.0 && whole > 0.0 { "−" } else { "" };
    if value.abs() < 100.0 {
        format!("{sign}$ {:.2}", value.abs())
    } else {
        format!("{sign}$ {}", units::count(whole as u64))
    }
}

fn statement_table(of: &Statement) -> Html {
    let rows = [
        ("Cores returned", [of.cores; 2], ""),
        ("Energy", [-of.energy; 2], ""),
        ("Card, over the host's life", [-of.card_low, -of.card_high], ""),
        ("Repairs", [-of.repairs_low, -of.repairs_high], ""),
        ("People, over the fleet", [-of.people; 2], ""),
        ("What is left", [of.net_high, of.net_low], "total"),
    ];
    html! {
        <section>
            <p><strong>{ "One host, one year" }</strong></p>
            <table class="rules numbers" data-testid="statement">
                <thead><tr><td></td><th scope="col">{ "card at the low price" }</th><th scope="col">{ "at the high price" }</th></tr></thead>
                <tbody>
                    { for rows.into_iter().map(|(name, values, class)| html! {
                        <tr {class}>
                            <th scope="row">{ name }</th>
                            { for values.map(|value| html! { <td class={classes!((value < 0.0).then_some("loss"))}>{ dollars(value) }</td> }) }
                        </tr>
                    }) }
                </tbody>
            </table>
            <p class="dim small">{ format!("{} kWh a year for the card; all cards of the fleet take {} MW.", units::figures(of.energy_kwh, 4), units::figures(of.fleet_mw, 3)) }</p>
        </section>
    }
}

fn break_even(props: &Props, of: &Statement) -> Html {
    let inputs = &props.costs.inputs;
    let at = &of.break_even;
    let value = |value: Option<f64>, unit: &str| {
        value.map_or_else(
            || "nowhere".to_owned(),
            |value| format!("{} {unit}", units::figures(value, 3)),
        )
    };
    let rows = [
        ("Cores returned", value(at.cores, "per host")),
        ("Price of a core", value(at.core_price, "$/h")),
        (
            "Utilisation",
            value(at.utilisation.map(|share| share * 100.0), "%"),
        ),
        (
            "Price of the card",
            at.card_price.map_or_else(|| "nowhere".to_owned(), dollars),
        ),
        ("Price of energy", value(at.kwh_price, "$/kWh")),
        (
            "Hosts in the fleet",
            at.fleet.map_or_else(
                || "nowhere".to_owned(),
                |hosts| format!("{} hosts", units::count(hosts.round() as u64)),
            ),
        ),
    ];
    let most = round_up((inputs.cores_returned * 2.0).max(1.0));
    let line = frontier(inputs, most, STEPS).unwrap_or_default();
    let points: Vec<(f64, f64)> = line.iter().map(|point| (point.cores, point.card_price)).collect();
    let top = round_up(
        points
            .iter()
            .map(|&(_, price)| price)
            .fold(inputs.card_price_high, f64::max)
            .max(1.0),
    );
    let level = |name: &'static str, ink, price: f64| Line {
        name: name.into(),
        ink,
        shape: Shape::Joined,
        points: vec![(0.0, price), (most, price)],
    };
    let end = dollars(points.last().map_or(0.0, |&(_, price)| price));
    let chart = Chart {
        slug: "frontier",
        title: "Card price at which nothing is left".into(),
        doc: format!("The price rises from 0 cores to {end} at {most} cores."),
        x: Axis::new("Cores returned", Quantity::Count).between(0.0, most),
        y: Axis::new("Price of the card", Quantity::Dollars).between(0.0, top),
        body: Body::Lines(vec![
            Line {
                name: "below the line the card returns more than it costs".into(),
                ink: "s0",
                shape: Shape::Joined,
                points,
            },
            level("high price", "s1", inputs.card_price_high),
            level("low price", "s2", inputs.card_price_low),
        ]),
        marks: vec![Mark {
            x: inputs.cores_returned,
            name: "cores returned".into(),
            ink: "at",
        }],
        ..Chart::default()
    };
    html! {
        <section>
            <p><strong>{ "Where gain and loss meet" }</strong><span class="dim">{ ", one input at a time, card at the high price" }</span></p>
            <table class="rules numbers" data-testid="break-even">
                <tbody>{ for rows.into_iter().map(|(name, value)| html! { <tr><th scope="row">{ name }</th><td>{ value }</td></tr> }) }</tbody>
            </table>
            <div data-testid="frontier"><ChartView chart={Shared::new(chart)} /></div>
        </section>
    }
}

fn reliability(props: &Props, of: &Statement) -> Html {
    let failures = &of.failures;
    let minutes = failures.minutes_between.map_or_else(
        || "never".into(),
        |minutes| format!("every {} min", units::figures(minutes, 3)),
    );
    html! {
        <section>
            <p><strong>{ "What breaks in a year" }</strong></p>
            <table class="rules numbers" data-testid="failures">
                <thead><tr><th scope="col">{ "Part" }</th><th scope="col">{ "% of cards" }</th><th scope="col">{ "in the fleet" }</th></tr></thead>
                <tbody>
                    { for COMPONENTS.iter().zip(failures.fleet).map(|(part, count)| html! {
                        <tr>
                            <th scope="row">{ part.name }</th>
                            <td>{ units::figures(props.costs.get(part.input).unwrap_or(0.0), 3) }</td>
                            <td>{ units::count(count.round() as u64) }</td>
                        </tr>
                    }) }
                    <tr class="total">
                        <th scope="row">{ "All" }</th>
                        <td>{ units::figures(failures.per_card * 100.0, 3) }</td>
                        <td>{ units::count(failures.fleet_total.round() as u64) }</td>
                    </tr>
                </tbody>
            </table>
            <p class="dim small">{ format!("One failure {minutes}. VMs spend {} minutes on the synthetic path: {} of a million VM minutes.", units::count(failures.vm_minutes.round() as u64), units::figures(failures.vm_ppm, 3)) }</p>
        </section>
    }
}

fn others(props: &Props) -> Html {
    let heads = [
        "Packets, M/s",
        "One flow, Gb/s",
        "New connections/s",
        "Latency, µs",
        "Power, W",
        "W per Gb/s",
        "A change takes",
    ];
    html! {
        <section class="others">
            <p><strong>{ "What else could do the work" }</strong></p>
            <table class="rules">
                <tbody>{ for WORKLOAD.iter().map(|(key, label, unit)| row(props, key, label, unit, None)) }</tbody>
            </table>
            <div class="scroll" tabindex="0" role="group" aria-label="Alternatives">
                <table class="rules numbers" data-testid="alternatives">
                    <thead><tr><td></td>{ for heads.map(|head| html! { <th scope="col">{ head }</th> }) }</tr></thead>
                    <tbody>
                        { for alternatives().iter().filter_map(|of| {
                            let does = of.perform(&props.costs.workload).ok()?;
                            let marked = |value: f64, of: Status| html! { <td title={status(of)}>{ units::figures(value, 3) }{ if of == Status::Published { " ✓" } else { "" } }</td> };
                            let change = match of.change {
                                Change::Days => "days",
                                Change::Weeks => "weeks",
                                Change::Years => "1 to 2 years",
                            };
                            Some(html! {
                                <tr title={of.source}>
                                    <th scope="row">{ of.name }</th>
                                    <td>{ units::figures(does.packets_mpps, 3) }</td>
                                    <td>{ units::figures(does.single_flow_gbps, 3) }</td>
                                    <td>{ units::count(does.connections_per_s.round() as u64) }</td>
                                    { marked(of.latency_us, of.latency_status) }
                                    { marked(of.power, of.power_status) }
                                    <td>{ units::figures(does.watts_per_gbps, 3) }</td>
                                    <td>{ change }</td>
                                </tr>
                            })
                        }) }
                    </tbody>
                </table>
            </div>
            <p class="dim small">{ "✓ published; the other parameters are our choice, and each row says where they come from." }</p>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_a_sign_and_as_many_digits_as_they_need() {
        assert_eq!(dollars(2_575.44), "$ 2\u{202f}575");
        assert_eq!(dollars(-18.92), "−$ 18.92");
        assert_eq!(dollars(-0.0), "$ 0.00");
    }
}
