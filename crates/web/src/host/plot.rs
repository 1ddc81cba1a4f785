//! A small chart: lines over two axes, with a legend below.

use view::host::chart::{Axis, line};
use yew::prelude::*;

/// Size of the picture in its own units, and the room for the axes' texts.
const WIDTH: f64 = 330.0;
const HEIGHT: f64 = 150.0;
const LEFT: f64 = 46.0;
const BELOW: f64 = 18.0;
const ABOVE: f64 = 6.0;
const RIGHT: f64 = 8.0;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: AttrValue,
    /// Its class in the style sheet: colour and dashes.
    pub class: &'static str,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// Something to be marked at a value of the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct At {
    /// Where.
    pub x: f64,
    /// What it is.
    pub name: AttrValue,
}

/// What a chart shows.
pub struct Plot {
    /// Its title.
    pub title: AttrValue,
    /// A name for tests.
    pub testid: &'static str,
    /// What it says, in words.
    pub summary: AttrValue,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Texts of the marks of the horizontal axis.
    pub x_text: fn(f64) -> String,
    /// Texts of the marks of the vertical axis.
    pub y_text: fn(f64) -> String,
    /// The lines.
    pub lines: Vec<Line>,
    /// Marks.
    pub marks: Vec<At>,
    /// Intervals around points of the first line: where, and their two ends.
    pub intervals: Vec<(f64, [f64; 2])>,
}

/// The chart.
pub fn plot(of: &Plot) -> Html {
    let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - ABOVE - BELOW);
    let x_at = |value: f64| LEFT + of.x.share(value) * width;
    let y_at = |value: f64| ABOVE + (1.0 - of.y.share(value)) * height;
    html! {
        <figure class="plot" data-testid={of.testid}>
            <figcaption><strong>{ &of.title }</strong></figcaption>
            <svg viewBox={format!("0 0 {WIDTH} {HEIGHT}")} role="img" aria-label={format!("{}: {}", of.title, of.summary)}>
                { for of.y.ticks(4).into_iter().map(|value| {
                    let y = format!("{:.1}", y_at(value));
                    html! { <g class="tick">
                        <line x1={LEFT.to_string()} x2={(WIDTH - RIGHT).to_string()} y1={y.clone()} y2={y.clone()} />
                        <text x={(LEFT - 4.0).to_string()} {y} dy="3" text-anchor="end">{ (of.y_text)(value) }</text>
                    </g> }
                }) }
                { for of.x.ticks(5).into_iter().map(|value| {
                    let x = format!("{:.1}", x_at(value));
                    html! { <g class="tick">
                        <line x1={x.clone()} x2={x.clone()} y1={(HEIGHT - BELOW).to_string()} y2={(HEIGHT - BELOW + 3.0).to_string()} />
                        <text {x} y={(HEIGHT - 4.0).to_string()} text-anchor="middle">{ (of.x_text)(value) }</text>
                    </g> }
                }) }
                { for of.marks.iter().map(|mark| {
                    let x = format!("{:.1}", x_at(mark.x));
                    html! { <g class="at">
                        <line x1={x.clone()} x2={x.clone()} y1={ABOVE.to_string()} y2={(HEIGHT - BELOW).to_string()} />
                        <title>{ &mark.name }</title>
                    </g> }
                }) }
                <g transform={format!("translate({LEFT} {ABOVE})")}>
                    { for of.lines.iter().map(|of_line| html! {
                        <path class={classes!("line", of_line.class)} d={line(of_line.points.iter().copied(), of.x, of.y, width, height)} />
                    }) }
                </g>
                { for of.intervals.iter().map(|&(x, ends)| {
                    let x = x_at(x);
                    let [low, high] = ends.map(y_at);
                    html! { <path class="interval" d={format!("M{:.1} {low:.1}H{:.1}M{x:.1} {low:.1}V{high:.1}M{:.1} {high:.1}H{:.1}", x - 3.0, x + 3.0, x - 3.0, x + 3.0)} /> }
                }) }
            </svg>
            if of.lines.len() > 1 || !of.marks.is_empty() {
                <ul class="plot-key">
                    { for of.lines.iter().map(|line| html! {
                        <li><svg viewBox="0 0 22 8" aria-hidden="true"><path class={classes!("line", line.class)} d="M0 4H22" /></svg>{ &line.name }</li>
                    }) }
                    { for of.marks.iter().map(|mark| html! {
                        <li><svg viewBox="0 0 22 8" aria-hidden="true"><path class="line at" d="M11 0V8" /></svg>{ &mark.name }</li>
                    }) }
                </ul>
            }
        </figure>
    }
}
