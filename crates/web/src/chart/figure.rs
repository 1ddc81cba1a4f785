//! The chart's component.

use super::save::{Form, save};
use crate::dom;
use crate::shared::Shared;
use crate::texts::charts as texts;
use crate::ui::icons::{Icon, icon};
use std::rc::Rc;
use view::chart::{Body, Chart, Drawn, Reading};
use view::keys::{self, Command, Page};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Element, KeyboardEvent, PointerEvent, ResizeObserver};
use yew::prelude::*;

/// Height of a chart in CSS pixels, and of one that is enlarged.
const HEIGHT: f64 = 196.0;
const TALL: f64 = 360.0;
/// How far an arrow key goes, as a share of the axis; with Shift, and by a page, ten times as far.
const STEP: f64 = 0.01;

/// What the component shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The chart.
    pub chart: Shared<Chart>,
    /// What names of files begin with.
    #[prop_or_default]
    pub prefix: AttrValue,
    /// Where the cursor of all charts with the same horizontal axis is; a chart by itself has its own.
    #[prop_or_default]
    pub linked: Option<Option<f64>>,
    /// Moves that cursor.
    #[prop_or_default]
    pub on_cursor: Callback<Option<f64>>,
    /// Switches the horizontal axis, where what is shown depends on it; otherwise the chart does.
    #[prop_or_default]
    pub on_log_x: Option<Callback<bool>>,
    /// What there is to choose besides.
    #[prop_or_default]
    pub choices: Html,
}

/// Where a chart is pointed at.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    X(f64),
    Cell(usize, usize),
}

/// The chart.
#[component]
pub fn ChartView(props: &Props) -> Html {
    let own = use_state_eq(|| None::<Place>);
    let (log_x, log_y) = (use_state_eq(|| None::<bool>), use_state_eq(|| None::<bool>));
    let is_big = use_state_eq(|| false);
    let problem = use_state_eq(|| None::<String>);
    let plot = use_node_ref();
    let width = use_width(plot.clone(), props.chart.is_empty());
    let height = if *is_big { TALL } else { HEIGHT };
    let chart = use_memo((props.chart.clone(), *log_x, *log_y), |(chart, log_x, log_y)| {
        let mut chart: Chart = (**chart).clone();
        chart.x.log = log_x.unwrap_or(chart.x.log);
        chart.y.log = log_y.unwrap_or(chart.y.log);
        chart
    });
    let svg = use_memo(
        (chart.clone(), width as u32, height as u32),
        |(chart, width, height)| {
            AttrValue::from(Drawn::new(chart, f64::from(*width), f64::from(*height)).svg())
        },
    );
    let is_heat = matches!(chart.body, Body::Heat(_));
    let place = match (&props.linked, is_heat) {
        (Some(x), false) => x.map(Place::X),
        _ => *own,
    };
    let go = {
        let (own, linked, on_cursor) = (own.clone(), props.linked.is_some(), props.on_cursor.clone());
        Callback::from(move |place: Option<Place>| match place {
            Some(Place::X(x)) if linked => on_cursor.emit(Some(x)),
            None if linked => on_cursor.emit(None),
            place => own.set(place),
        })
    };
    let reading = place.and_then(|place| match place {
        Place::X(x) => (!is_heat).then(|| chart.read(x)),
        Place::Cell(row, column) => chart.read_cell(row, column),
    });
    let spoken = match &reading {
        Some(reading) => chart.sentence(reading),
        None => texts::doc_and_keys(&chart.doc),
    };
    let (slug, title) = (chart.slug, chart.title.clone());
    let share = place.map_or(0.0, |place| match place {
        Place::X(x) => Drawn::new(&chart, width, height).x.share(x),
        Place::Cell(row, column) => (row * columns(&chart) + column) as f64 / cells(&chart).max(1) as f64,
    });
    let body = if chart.is_empty() {
        html! { <p class="dim chart-empty" data-testid={format!("empty-{slug}")}>{ chart.empty }</p> }
    } else {
        html! { <>
            <div
                ref={plot.clone()}
                class={classes!("chart-plot", is_big.then_some("big"))}
                role="slider"
                tabindex="0"
                aria-label={texts::cursor_of(&title)}
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow={format!("{:.0}", share * 100.0)}
                aria-valuetext={spoken}
                data-testid={format!("plot-{slug}")}
                onpointermove={pointed(&chart, &plot, height, &go)}
                onpointerdown={pointed(&chart, &plot, height, &go)}
                onpointerleave={left(&go)}
                onkeydown={keyed(&chart, width, height, place, &go)}
            >
                if width > 0.0 { { Html::from_html_unchecked((*svg).clone()) } }
                if let Some(place) = place.filter(|_| width > 0.0) { { cursor(&Drawn::new(&chart, width, height), &chart, place) } }
            </div>
            { legend(&chart, reading.as_ref()) }
        </> }
    };
    let files = Form::ALL.map(|form| {
        let onclick = {
            let (chart, plot, problem, prefix) = (chart.clone(), plot.clone(), problem.clone(), props.prefix.clone());
            Callback::from(move |_: MouseEvent| {
                let (problem, host) = (problem.clone(), plot.cast::<Element>());
                let done = Callback::from(move |saved: Result<(), String>| problem.set(saved.err()));
                save(&chart, form, &prefix, host, done);
            })
        };
        html! { <button class="quiet" data-testid={format!("save-{slug}-{}", form.slug())} aria-label={texts::save_as(&title, form.name())} {onclick}>{ form.name() }</button> }
    });
    let switch_x = match &props.on_log_x {
        Some(on) => on.clone(),
        None => Callback::from({
            let log_x = log_x.clone();
            move |log| log_x.set(Some(log))
        }),
    };
    let switch_y = Callback::from(move |log| log_y.set(Some(log)));
    let enlarge = {
        let is_big = is_big.clone();
        Callback::from(move |_: MouseEvent| is_big.set(!*is_big))
    };
    html! {
        <figure class={classes!("chart", is_big.then_some("big"))} data-testid={format!("chart-{slug}")} aria-label={title.clone()}>
            <figcaption>
                <h3 title={chart.doc.clone()}>{ &title }</h3>
                <div class="chart-tools">
                    { props.choices.clone() }
                    if chart.x.can_log { { switch("x", slug, &chart.x.title, chart.x.log, switch_x) } }
                    if chart.y.can_log { { switch("y", slug, &chart.y.title, chart.y.log, switch_y) } }
                    if !chart.is_empty() {
                        <details class="chart-save">
                            <summary aria-label={texts::save(&title)} data-testid={format!("save-{slug}")}>{ icon(Icon::Save) }</summary>
                            <div>{ for files }</div>
                        </details>
                        <button class="quiet" aria-pressed={is_big.to_string()} aria-label={texts::enlarge(&title)} title={texts::ENLARGE} data-testid={format!("enlarge-{slug}")} onclick={enlarge}>
                            { icon(Icon::Widen) }
                        </button>
                    }
                </div>
            </figcaption>
            { body }
            if let Some(why) = &*problem { <p class="problem" role="alert">{ why }</p> }
        </figure>
    }
}

/// The width of an element in CSS pixels, 0 until it is known. `is_away` says that it is not there.
#[hook]
fn use_width(node: NodeRef, is_away: bool) -> f64 {
    let width = use_state_eq(|| 0.0);
    let set = width.setter();
    use_effect_with(is_away, move |_| {
        let element = node.cast::<Element>();
        let observed = element.clone();
        let measure = Closure::<dyn FnMut()>::new(move || {
            if let Some(element) = &observed {
                set.set(f64::from(element.client_width()));
            }
        });
        // It is called once at the beginning, too.
        let observer = ResizeObserver::new(measure.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(element)) = (&observer, &element) {
            observer.observe(element);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop(measure);
        }
    });
    *width
}

fn columns(chart: &Chart) -> usize {
    match &chart.body {
        Body::Heat(heat) => heat.columns.len(),
        Body::Lines(_) => 0,
    }
}

fn cells(chart: &Chart) -> usize {
    match &chart.body {
        Body::Heat(heat) => heat.values.len(),
        Body::Lines(_) => 0,
    }
}

fn pointed(
    chart: &Rc<Chart>,
    plot: &NodeRef,
    height: f64,
    go: &Callback<Option<Place>>,
) -> Callback<PointerEvent> {
    let (chart, plot, go) = (chart.clone(), plot.clone(), go.clone());
    Callback::from(move |event: PointerEvent| {
        let Some(element) = plot.cast::<Element>() else {
            return;
        };
        let bounds = element.get_bounding_client_rect();
        let (x, y) = (
            f64::from(event.client_x()) - bounds.left(),
            f64::from(event.client_y()) - bounds.top(),
        );
        let drawn = Drawn::new(&chart, f64::from(element.client_width()), height);
        go.emit(match &chart.body {
            Body::Heat(_) => drawn.cell_at(x, y).map(|(row, column)| Place::Cell(row, column)),
            Body::Lines(_) => Some(Place::X(drawn.x_at(x))),
        });
    })
}

/// The mouse takes the cursor with it; what a finger has tapped stays when the finger is gone.
fn left(go: &Callback<Option<Place>>) -> Callback<PointerEvent> {
    let go = go.clone();
    Callback::from(move |event: PointerEvent| {
        if event.pointer_type() == "mouse" {
            go.emit(None);
        }
    })
}

fn keyed(
    chart: &Rc<Chart>,
    width: f64,
    height: f64,
    place: Option<Place>,
    go: &Callback<Option<Place>>,
) -> Callback<KeyboardEvent> {
    let (chart, go) = (chart.clone(), go.clone());
    Callback::from(move |event: KeyboardEvent| {
        // The same on all pages.
        let Some(command) = dom::command(Page::Fabric, keys::Place::Chart, &event) else {
            return;
        };
        if command == Command::Cancel && place.is_none() {
            return;
        }
        let next = match &chart.body {
            Body::Lines(_) => {
                let scale = Drawn::new(&chart, width, height).x;
                let from = match place {
                    Some(Place::X(x)) => scale.share(x),
                    // From the end, where the latest values are.
                    _ => 1.0,
                };
                let to = match command {
                    Command::Pan(right, down) => from + STEP * f64::from(right - down),
                    Command::End { last } => f64::from(u8::from(last)),
                    Command::Cancel => f64::NAN,
                    _ => return,
                };
                (!to.is_nan()).then(|| Place::X(scale.value(to)))
            }
            Body::Heat(heat) => {
                let (row, column) = match place {
                    Some(Place::Cell(row, column)) => (row as i64, column as i64),
                    _ => (0, -1),
                };
                let (row, column) = match command {
                    Command::Pan(right, down) => (row + i64::from(down), column + i64::from(right)),
                    Command::End { last: false } => (0, 0),
                    Command::End { last: true } => (i64::MAX, i64::MAX),
                    Command::Cancel => (-1, -1),
                    _ => return,
                };
                let within = |at: i64, of: usize| at.clamp(0, of as i64 - 1) as usize;
                (row >= 0 || column >= 0)
                    .then(|| Place::Cell(within(row, heat.rows.len()), within(column, heat.columns.len())))
            }
        };
        event.prevent_default();
        event.stop_propagation();
        go.emit(next);
    })
}

/// The cursor: a line with a dot on each line of the chart, or a frame around a cell.
fn cursor(drawn: &Drawn, chart: &Chart, place: Place) -> Html {
    let shown = match place {
        Place::Cell(row, column) => {
            let [x, y, width, height] = drawn.cell(row, column).map(|length| format!("{length:.1}"));
            html! { <rect class="c-cell" {x} {y} {width} {height} /> }
        }
        Place::X(at) => {
            let x = format!("{:.1}", drawn.place_x(at));
            let (top, floor) = (drawn.edges.top, drawn.edges.top + drawn.plot().1);
            let dots = chart.lines().iter().filter_map(|line| {
                let value = line.at(at)?;
                let (cx, cy) = (x.clone(), format!("{:.1}", drawn.place_y(value)));
                Some(html! { <circle class={classes!("c-dot", line.ink)} {cx} {cy} r="3.5" /> })
            });
            html! { <>
                <line class="c-cursor" x1={x.clone()} x2={x.clone()} y1={format!("{top:.1}")} y2={format!("{floor:.1}")} />
                { for dots }
            </> }
        }
    };
    html! { <svg class="chart-over" aria-hidden="true">{ shown }</svg> }
}

/// What the lines are, and their values at the cursor.
fn legend(chart: &Chart, reading: Option<&Reading>) -> Html {
    let at = reading.map_or("", |reading| reading.at.as_str());
    // Room for values is always there: nothing moves when there are any.
    let value = |number: usize| match reading.map(|reading| reading.values.get(number).copied().flatten()) {
        Some(Some(value)) => chart.words(value),
        Some(None) => "–".into(),
        None => String::new(),
    };
    let lines = chart.lines();
    let mut marks = Vec::new();
    for mark in &chart.marks {
        if !marks.contains(&(mark.ink, mark.name.as_str())) {
            marks.push((mark.ink, mark.name.as_str()));
        }
    }
    let swatch = |ink: &'static str, d: &'static str| {
        html! { <svg class="c-swatch" viewBox="0 0 22 8" aria-hidden="true"><path class={classes!("line", ink)} {d} /></svg> }
    };
    html! {
        <ul class="chart-key" data-testid={format!("key-{}", chart.slug)}>
            <li class="at">{ if at.is_empty() { texts::POINT_OR_PRESS } else { at } }</li>
            if let Body::Heat(_) = chart.body {
                <li><span class="number">{ value(0) }</span></li>
            }
            { for lines.iter().enumerate().map(|(number, line)| html! {
                <li>
                    if lines.len() > 1 || !line.name.is_empty() { { swatch(line.ink, "M0 4H22") } { &line.name } }
                    <span class="number">{ value(number) }</span>
                </li>
            }) }
            { for marks.into_iter().map(|(ink, name)| html! { <li>{ swatch(ink, "M11 0V8") }{ name.to_owned() }</li> }) }
        </ul>
    }
}

/// Switches an axis between linear and logarithmic.
fn switch(axis: &'static str, slug: &'static str, title: &str, log: bool, on: Callback<bool>) -> Html {
    html! {
        <button
            class="quiet chart-log"
            aria-pressed={log.to_string()}
            aria-label={texts::logarithmic_of(axis, title)}
            title={texts::logarithmic(axis)}
            data-testid={format!("log-{axis}-{slug}")}
            onclick={on.reform(move |_: MouseEvent| !log)}
        >{ format!("log {axis}") }</button>
    }
}
