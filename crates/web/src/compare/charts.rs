//! The runs' histories over one axis of time, with one cursor through all charts.

use super::plot::{ink, stepped, swatch};
use crate::dom;
use crate::model::History;
use crate::shared::Shared;
use crate::ui::timeline::{axis, fault_line, upright};
use lab::compare::letter;
use scenario::Scenario;
use view::compare::{Strand, levels, strands};
use view::keys::{Command, Page, Place};
use view::message::{Lane, Timeline};
use view::series::recent;
use view::{Counted, Extent, ticks, units};
use web_sys::Element;
use yew::prelude::*;

/// What the charts show.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The history of each run.
    pub histories: Vec<Shared<History>>,
    /// The scenarios: their ends and their faults.
    pub scenarios: Vec<Shared<Scenario>>,
    /// Which runs are over.
    pub over: Vec<bool>,
}

/// A chart.
struct Chart {
    slug: &'static str,
    name: String,
    doc: String,
    /// The values of each run, bin by bin; a run that has none is not in the chart.
    lines: Vec<Vec<f64>>,
    low: f64,
    high: f64,
    words: fn(f64) -> String,
    /// What is said of a run while nothing is pointed at, and whether that is its mean.
    rest: Vec<(String, bool)>,
}

/// The charts.
#[component]
pub fn Charts(props: &Props) -> Html {
    let pointed = use_state_eq(|| None::<f64>);
    let plots = use_node_ref();
    let timelines: Vec<(&Timeline, &[Vec<f32>])> = props
        .histories
        .iter()
        .map(|history| (&history.timeline, history.values.as_slice()))
        .collect();
    let now = timelines
        .iter()
        .map(|(timeline, _)| timeline.now_ps)
        .max()
        .unwrap_or(0);
    let reach = reach(props, now);
    let (width, charts) = charts(&timelines, &props.over);
    let bins = reach as f64 / width.max(1) as f64;
    let at = pointed.map(|share| share * reach as f64);
    let bin = at.map(|at| (at / width.max(1) as f64) as usize);
    let onpointermove = {
        let (pointed, plots) = (pointed.clone(), plots.clone());
        Callback::from(move |event: PointerEvent| {
            // Not the event's current target: events are delegated, and that is the whole page.
            let width = plots
                .cast::<Element>()
                .map_or(0.0, |plots| f64::from(plots.client_width()));
            if width > 0.0 {
                pointed.set(Some((f64::from(event.offset_x()) / width).clamp(0.0, 1.0)));
            }
        })
    };
    let onpointerleave = {
        let pointed = pointed.clone();
        Callback::from(move |_: PointerEvent| pointed.set(None))
    };
    let onkeydown = {
        let pointed = pointed.clone();
        let (last_share, step) = ((now as f64 / reach as f64).min(1.0), 1.0 / bins.max(1.0));
        Callback::from(move |event: KeyboardEvent| {
            let from = pointed.unwrap_or(last_share);
            let Some(command) = dom::command(Page::Compare, Place::Charts, &event) else {
                return;
            };
            let to = match command {
                Command::Move(bins) => Some(from + step * f64::from(bins)),
                Command::End { last } => Some(if last { last_share } else { 0.0 }),
                Command::Cancel => None,
                _ => return,
            };
            event.prevent_default();
            pointed.set(to.map(|to| to.clamp(0.0, 1.0)));
        })
    };
    let said = |chart: &Chart, run: usize| match bin {
        Some(bin) => chart.lines[run].get(bin).map(|&value| (chart.words)(value)),
        None => chart.rest.get(run).map(|(text, _)| text.clone()),
    };
    let spoken = charts.first().map_or_else(String::new, |chart| {
        let values =
            (0..chart.lines.len()).filter_map(|run| Some(format!("{} {}", letter(run), said(chart, run)?)));
        let when = at.map_or_else(|| "now".to_owned(), units::span);
        format!("{when}: {}", values.collect::<Vec<_>>().join(", "))
    });
    let plot = |chart: &Chart| {
        let zero = (chart.low < 0.0).then(|| {
            let y = format!("{:.2}", chart.high / (chart.high - chart.low) * 100.0);
            html! { <line class="zero" x1="0" x2={format!("{bins:.3}")} y1={y.clone()} y2={y} /> }
        });
        html! {
            <svg class={classes!("cmp-plot", chart.slug)} viewBox={format!("0 0 {bins:.3} 100")} preserveAspectRatio="none" aria-hidden="true">
                { zero.unwrap_or_default() }
                { for chart.lines.iter().enumerate().rev().filter(|(_, line)| !line.is_empty()).map(|(run, line)| html! {
                    <path class={classes!("run", ink(run))} d={stepped(line, chart.low, chart.high)} />
                }) }
            </svg>
        }
    };
    let values = |chart: &Chart| {
        // The first run's difference to itself is not worth a line.
        let line = |run: usize| {
            let text = said(chart, run).filter(|_| run > 0 || chart.low >= 0.0)?;
            let first = bin.and_then(|bin| chart.lines[0].get(bin).copied());
            let own = bin.and_then(|bin| chart.lines[run].get(bin).copied());
            // The chart of differences says them anyway.
            let more = match (first, own) {
                (Some(first), Some(own)) if run > 0 && chart.low >= 0.0 => signed(own - first, chart.words),
                _ if bin.is_none() && chart.rest.get(run).is_some_and(|&(_, is_mean)| is_mean) => {
                    "mean".into()
                }
                _ => String::new(),
            };
            Some(html! {
                <span class="cmp-value" data-run={letter(run).to_string()}>
                    { swatch(run) }<b>{ letter(run).to_string() }</b>
                    <span class="number">{ text }</span>
                    <span class="more dim">{ more }</span>
                </span>
            })
        };
        html! {
            <div class={classes!("cmp-values", chart.slug)} data-testid={format!("values-{}", chart.slug)}>
                { for (0..chart.lines.len()).filter_map(line) }
            </div>
        }
    };
    html! {
        <section class={classes!("cmp-charts", format!("runs-{}", props.histories.len()))} aria-label="Over time" data-testid="charts">
            <div class="cmp-names">
                { for charts.iter().map(|chart| html! {
                    <span class={classes!("cmp-name", chart.slug)} title={chart.doc.clone()}>
                        <b>{ &chart.name }</b>
                        <span class="dim">{ scale(chart) }</span>
                    </span>
                }) }
                <span class="cmp-name axis" data-testid="cursor-time">{ at.map_or_else(|| "Time".to_owned(), units::span) }</span>
            </div>
            <div
                ref={plots}
                class="cmp-plots"
                role="slider"
                tabindex="0"
                aria-label="Time cursor through all charts"
                aria-valuemin="0"
                aria-valuemax={reach.to_string()}
                aria-valuenow={(at.unwrap_or(now as f64) as u64).to_string()}
                aria-valuetext={spoken}
                data-testid="plots"
                {onpointermove}
                {onpointerleave}
                {onkeydown}
            >
                { for charts.iter().map(plot) }
                { axis(Extent::whole(reach)) }
                <svg class="tl-over" aria-hidden="true">
                    { for faults(&props.scenarios).into_iter().map(|fault| fault_line(fault.at.0, &fault.what, Extent::whole(reach))) }
                    { upright("now", now as f64 / reach.max(1) as f64) }
                    if let Some(share) = *pointed { { upright("pointed", share) } }
                </svg>
            </div>
            <div class="cmp-said">
                { for charts.iter().map(values) }
                <span class="cmp-values axis"></span>
            </div>
        </section>
    }
}

/// Where the axis of time ends.
fn reach(props: &Props, now: u64) -> u64 {
    let until = props
        .scenarios
        .iter()
        .map(|scenario| scenario.until.0)
        .max()
        .unwrap_or(0);
    let faults = props.scenarios.iter().flat_map(|scenario| &scenario.faults);
    let next = faults
        .map(|fault| fault.at.0)
        .filter(|&at| at > now && at < until)
        .min();
    ticks::axis_end(now, props.over.iter().all(|&over| over), until, next)
}

/// The faults of all scenarios, those that several have once.
fn faults(scenarios: &[Shared<Scenario>]) -> Vec<scenario::Fault> {
    let mut all: Vec<scenario::Fault> = Vec::new();
    for fault in scenarios.iter().flat_map(|scenario| &scenario.faults) {
        let is_there = |other: &scenario::Fault| {
            other.at == fault.at && other.what.is_repair() == fault.what.is_repair()
        };
        if !all.iter().any(is_there) {
            all.push(fault.clone());
        }
    }
    all
}

/// The charts and the width of their bins in ps.
fn charts(timelines: &[(&Timeline, &[Vec<f32>])], over: &[bool]) -> (u64, Vec<Chart>) {
    let (width, placed) = strands(timelines, |lane| matches!(lane, Lane::Plane(_)));
    if width == 0 {
        return (0, Vec::new());
    }
    let bits = 8e12 / width as f64;
    let mut rates: Vec<Vec<f64>> = placed
        .iter()
        .zip(over)
        .map(|(strand, &over)| {
            let mut rates: Vec<f64> = strand.values.iter().map(|bytes| bytes * bits).collect();
            if !over {
                // The last bin is not complete yet, and would look like a fall.
                rates.pop();
            }
            rates
        })
        .collect();
    // What is over places nothing while others go on.
    let longest = rates.iter().map(Vec::len).max().unwrap_or(0);
    for (rates, &over) in rates.iter_mut().zip(over) {
        if over {
            rates.resize(longest, 0.0);
        }
    }
    // While a run goes on, its rate of late; in the end, its mean.
    let means: Vec<Option<f64>> = placed
        .iter()
        .zip(timelines)
        .zip(over)
        .map(|((strand, (timeline, _)), &over)| {
            let bits = strand.values.iter().sum::<f64>() * 8e12;
            (over && timeline.now_ps > 0).then(|| bits / timeline.now_ps as f64)
        })
        .collect();
    let latest: Vec<(String, bool)> = rates
        .iter()
        .zip(&means)
        .map(|(rates, mean)| match mean {
            Some(mean) => (units::rate(*mean), true),
            None => (recent(rates).map_or_else(String::new, units::rate), false),
        })
        .collect();
    let differences: Vec<Vec<f64>> = std::iter::once(Vec::new())
        .chain(rates[1..].iter().map(|rates_of| difference(&rates[0], rates_of)))
        .collect();
    let most = |lines: &[Vec<f64>]| lines.iter().flatten().copied().fold(0.0, f64::max);
    let top = ticks::round_up(most(&rates));
    let span = ticks::round_up(
        differences
            .iter()
            .flatten()
            .fold(0.0, |most: f64, value| most.max(value.abs())),
    );
    let rest = differences
        .iter()
        .zip(&means)
        .map(|(line, mean)| match (mean, means[0]) {
            // Of runs that are all over, the means; else what is placed of late, which is nothing where a run is over.
            (Some(mean), Some(first)) if !line.is_empty() => (rate_signed(mean - first), true),
            _ => (recent(line).map_or_else(String::new, rate_signed), false),
        });
    let mut all = vec![
        Chart {
            slug: "goodput",
            name: "Goodput".into(),
            doc: "Message bits placed per second, over all planes".into(),
            low: 0.0,
            high: top,
            words: units::rate,
            rest: latest,
            lines: rates,
        },
        Chart {
            slug: "difference",
            name: if timelines.len() == 2 {
                "B − A".into()
            } else {
                "Less A".into()
            },
            doc: "Goodput of each run less that of A; a run that is over places nothing".into(),
            low: -span,
            high: span,
            words: rate_signed,
            rest: rest.collect(),
            lines: differences,
        },
    ];
    for lane in [
        Lane::Drops,
        Lane::Trims,
        Lane::Retransmissions,
        Lane::Cnps,
        Lane::Paused,
        // A link may be paused and go on within a bin.
        Lane::Pauses,
        Lane::Skips,
    ] {
        let words = lane.words();
        let is_level = words.counted == Counted::Level;
        let (_, counts) = if is_level {
            levels(timelines, lane)
        } else {
            strands(timelines, |other| other == lane)
        };
        let lines: Vec<Vec<f64>> = counts.into_iter().map(|Strand { values }| values).collect();
        if lines.iter().flatten().all(|&count| count == 0.0) {
            continue;
        }
        all.push(Chart {
            slug: words.slug,
            name: words.name,
            doc: if is_level {
                words.doc
            } else {
                format!("{}, in each bin of {}", words.doc, units::span(width as f64))
            },
            low: 0.0,
            high: most(&lines).max(1.0),
            words: |count| units::count(count.round() as u64),
            rest: lines
                .iter()
                .map(|line| {
                    let rest = if is_level {
                        line.last().copied().unwrap_or(0.0)
                    } else {
                        line.iter().sum()
                    };
                    (units::count(rest.round() as u64), false)
                })
                .collect(),
            lines,
        });
    }
    (width, all)
}

/// How much more each bin has than that of the first run. Where one of them has ended, it has nothing.
fn difference(first: &[f64], own: &[f64]) -> Vec<f64> {
    let at = |values: &[f64], bin: usize| values.get(bin).copied().unwrap_or(0.0);
    (0..first.len().max(own.len()))
        .map(|bin| at(own, bin) - at(first, bin))
        .collect()
}

fn scale(chart: &Chart) -> String {
    if chart.low < 0.0 {
        format!("± {}", units::rate(chart.high))
    } else {
        format!("0 to {}", (chart.words)(chart.high))
    }
}

fn signed(value: f64, words: fn(f64) -> String) -> String {
    let sign = if value < 0.0 { '−' } else { '+' };
    format!("{sign}{}", words(value.abs()))
}

fn rate_signed(rate: f64) -> String {
    signed(rate, units::rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_is_over_places_nothing() {
        assert_eq!(difference(&[5.0, 5.0], &[7.0, 4.0, 3.0]), [2.0, -1.0, 3.0]);
        assert_eq!(difference(&[5.0, 5.0], &[1.0]), [-4.0, -5.0]);
    }

    #[test]
    fn the_goodput_of_a_run_that_is_over_is_none_while_others_go_on() {
        let history = |bins| Timeline {
            bin_ps: 1_000_000,
            bins,
            lanes: vec![Lane::Plane(0)],
            ..Timeline::default()
        };
        let (mut short, long) = (history(1), history(3));
        short.now_ps = 2_000_000;
        // 125,000 B in a µs are 1 Tb/s; the last bin of what is not over does not count.
        let (a, b) = ([vec![125_000.0]], [vec![125_000.0; 3]]);
        let all: [(&Timeline, &[Vec<f32>]); 2] = [(&short, &a), (&long, &b)];
        let (_, charts) = charts(&all, &[true, false]);
        assert_eq!(charts[0].lines, [vec![1e12, 0.0], vec![1e12, 1e12]]);
        // What is over: 1 Mbit in 2 µs.
        assert_eq!(
            charts[0].rest,
            [(units::rate(5e11), true), (units::rate(1e12), false)]
        );
        assert_eq!(charts[1].lines[1], [0.0, 1e12]);
    }

    #[test]
    fn what_no_run_counts_has_no_chart() {
        let timeline = Timeline {
            bin_ps: 1_000_000,
            bins: 3,
            lanes: vec![Lane::Plane(0), Lane::Drops, Lane::Trims],
            ..Timeline::default()
        };
        // 125,000 B in a µs are 1 Tb/s.
        let a = [vec![125_000.0, 125_000.0, 10.0], vec![0.0; 3], vec![0.0; 3]];
        let b = [vec![0.0, 125_000.0, 10.0], vec![0.0, 4.0, 0.0], vec![0.0; 3]];
        let all: [(&Timeline, &[Vec<f32>]); 2] = [(&timeline, &a), (&timeline, &b)];
        let (width, charts) = charts(&all, &[false, false]);
        assert_eq!(width, 1_000_000);
        let slugs: Vec<&str> = charts.iter().map(|chart| chart.slug).collect();
        assert_eq!(slugs, ["goodput", "difference", "drops"]);
        assert_eq!(charts[0].lines, [vec![1e12, 1e12], vec![0.0, 1e12]]);
        assert_eq!(charts[1].lines, [vec![], vec![-1e12, 0.0]]);
        assert_eq!(charts[2].rest, [("0".to_owned(), false), ("4".to_owned(), false)]);
        assert_eq!((charts[0].low, charts[0].high), (0.0, 1e12));
    }
}
