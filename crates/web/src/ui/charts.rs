//! The charts of a fabric's run.

use super::On;
use crate::chart::{ChartView, choice, views};
use crate::model::{Action, History};
use crate::shared::Shared;
use crate::texts::charts as texts;
use scenario::Scenario;
use view::chart::View;
use view::chart::fabric::{Answer, Ask, goodput, losses};
use view::chart::links::{Hop, LinksAsk, Measure};
use yew::prelude::*;

/// What the panel shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The timeline.
    pub history: Shared<History>,
    /// What the worker says beside it.
    pub answer: Shared<Answer>,
    /// What it was asked.
    pub want: Ask,
    /// The scenario.
    pub scenario: Shared<Scenario>,
    /// What the user does.
    pub on: On,
}

/// The panel.
#[component]
pub fn ChartsPanel(props: &Props) -> Html {
    // One cursor goes through all charts over time.
    let at = use_state_eq(|| None::<f64>);
    let (fct, delay) = (use_state_eq(View::default), use_state_eq(View::default));
    let (fct_log, delay_log, traffic_log) = (
        use_state_eq(|| false),
        use_state_eq(|| false),
        use_state_eq(|| false),
    );
    let over_time = use_memo(
        (
            props.history.clone(),
            props.answer.clone(),
            props.scenario.clone(),
        ),
        |(history, answer, scenario)| {
            let (timeline, values) = (&history.timeline, &history.values);
            let end = timeline.known_ps.max(answer.now_ps);
            let mut all = vec![
                goodput(timeline, values, &scenario.faults),
                losses(timeline, values, &scenario.faults),
                answer.queues(end, &scenario.faults),
            ];
            if !answer.steps.is_empty() {
                all.push(answer.steps(end, &scenario.faults));
            }
            all.into_iter().map(Shared::new).collect::<Vec<_>>()
        },
    );
    let spread = use_memo(
        (props.answer.clone(), (*fct, *fct_log), (*delay, *delay_log)),
        |(answer, fct, delay)| {
            (
                Shared::new(answer.completion(fct.0, fct.1)),
                Shared::new(answer.delay(delay.0, delay.1)),
            )
        },
    );
    let maps = use_memo((props.answer.clone(), *traffic_log), |(answer, log)| {
        (
            Shared::new(answer.links.chart()),
            Shared::new(answer.traffic(*log)),
        )
    });
    let prefix = AttrValue::from(props.scenario.name.clone());
    let on_cursor = {
        let at = at.clone();
        Callback::from(move |to| at.set(to))
    };
    let logarithmic = |state: &UseStateHandle<bool>| {
        let state = state.clone();
        Callback::from(move |log| state.set(log))
    };
    html! {
        <div class="chart-grid" data-testid="charts-panel">
            { for over_time.iter().map(|chart| html! {
                <ChartView key={chart.slug} chart={chart.clone()} prefix={prefix.clone()} linked={Some(*at)} on_cursor={on_cursor.clone()} />
            }) }
            <ChartView
                key="fct" chart={spread.0.clone()} prefix={prefix.clone()} on_log_x={Some(logarithmic(&fct_log))}
                choices={views("fct", &fct)}
            />
            <ChartView
                key="delay" chart={spread.1.clone()} prefix={prefix.clone()} on_log_x={Some(logarithmic(&delay_log))}
                choices={views("delay", &delay)}
            />
            <ChartView key="links" chart={maps.0.clone()} prefix={prefix.clone()} choices={links(props)} />
            <ChartView key="traffic" chart={maps.1.clone()} {prefix} choices={shades(&traffic_log)} />
        </div>
    }
}

/// Whether shades follow logarithms.
fn shades(log: &UseStateHandle<bool>) -> Html {
    let set = log.clone();
    let onclick = Callback::from(move |_: MouseEvent| set.set(!*set));
    html! {
        <button class="quiet chart-log" aria-pressed={log.to_string()} aria-label={texts::SHADES_FOLLOW_LOGARITHMS} title={texts::SMALL_VALUES_CAN_BE_TOLD_APART} data-testid="log-traffic" {onclick}>{ "log" }</button>
    }
}

/// Which links are shown, and what of them.
fn links(props: &Props) -> Html {
    let fabric = &props.scenario.fabric;
    let tiers = if fabric.t2_per_plane > 0 { 3 } else { 2 };
    let shown = props.answer.links.of;
    let ask = |on: &On, change: fn(LinksAsk, usize, u32) -> LinksAsk| {
        let (on, asked) = (on.clone(), props.want.links);
        Callback::from(move |to: usize| on.emit(Action::ChartLinks(change(asked, to, tiers))))
    };
    let hops = hops(tiers);
    let hop = hops.iter().position(|hop| *hop == shown.hop).unwrap_or(0);
    let measure = Measure::ALL
        .iter()
        .position(|of| *of == shown.measure)
        .unwrap_or(0);
    let hop_names: Vec<String> = hops.iter().map(|hop| hop.name().to_owned()).collect();
    let planes: Vec<String> = (0..fabric.planes).map(texts::plane).collect();
    html! { <>
        { choice("links-hop", texts::WHICH_LINKS, &hop_names, hop, ask(&props.on, |links, to, tiers| LinksAsk { hop: self::hops(tiers)[to], ..links })) }
        if planes.len() > 1 {
            { choice("links-plane", texts::PLANE, &planes, shown.plane as usize, ask(&props.on, |links, to, _| LinksAsk { plane: to as u32, ..links })) }
        }
        { choice("links-measure", texts::WHAT_OF_THEM, &Measure::ALL.map(|of| of.name().to_owned()), measure, ask(&props.on, |links, to, _| LinksAsk { measure: Measure::ALL[to], ..links })) }
    </> }
}

fn hops(tiers: u32) -> Vec<Hop> {
    Hop::ALL.into_iter().filter(|hop| hop.is_in(tiers)).collect()
}
