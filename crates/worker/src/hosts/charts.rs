//! The time series and distributions of a run.

use super::report::losses;
use host::{Counters, Histogram, Run};
use view::host::chart::thinned;
use view::host::message::Charts;

/// Points of a distribution that are sent at most.
const MOST_CDF: usize = 400;
/// Points of the time series that are sent at most.
const MOST_POINTS: usize = 600;

/// What the charts show.
pub fn charts(number: u32, run: &Run) -> Charts {
    let metrics = run.metrics();
    let points = thinned(&metrics.points, MOST_POINTS);
    let software = &run.scenario().host.software;
    let (cores, exception_cores) = (f64::from(software.cores), f64::from(software.exception_cores));
    let mut charts = Charts {
        run: number,
        now_ps: run.now().ps(),
        cdf: [0, 1, 2].map(|route| cdf(&metrics.one_way[route])),
        latency: [0, 1, 2].map(|route| figures(&metrics.one_way[route])),
        arrived: metrics.counters.delivered,
        losses: losses(&metrics.counters),
        ..Charts::default()
    };
    for pair in points.windows(2) {
        let (before, point) = (&pair[0], &pair[1]);
        let span = point.at.saturating_sub(before.at).ps();
        if span == 0 {
            continue;
        }
        let seconds = span as f64 / 1e12;
        let rate = |of: fn(&Counters) -> u64| {
            of(&point.counters).saturating_sub(of(&before.counters)) as f64 / seconds
        };
        charts.times.push(point.at.ps());
        for route in 0..3 {
            let bytes = |counters: &Counters| counters.payload[0][route] + counters.payload[1][route];
            let more = bytes(&point.counters).saturating_sub(bytes(&before.counters));
            charts.rates[route].push(more as f64 * 8.0 / seconds);
        }
        charts
            .exceptions
            .push(rate(|counters| counters.exceptions.iter().sum()));
        charts
            .opened
            .push(rate(|counters| counters.connections[Counters::OPENED]));
        charts.lost.push(rate(Counters::all_lost));
        charts
            .load
            .push((rate(|counters| counters.busy) / 1e12 / cores).min(1.0));
        charts
            .exception_load
            .push((rate(|counters| counters.exception_busy) / 1e12 / exception_cores).min(1.0));
        charts.flows.push(f64::from(point.gauges.flows));
        charts.half_open.push(f64::from(point.gauges.half_open));
    }
    charts
}

fn cdf(histogram: &Histogram) -> Vec<(u64, f64)> {
    let all: Vec<(u64, f64)> = histogram
        .cumulative()
        .into_iter()
        .map(|(time, share)| (time.ps(), share))
        .collect();
    thinned(&all, MOST_CDF)
}

fn figures(histogram: &Histogram) -> Option<[u64; 4]> {
    let quantile = |q| histogram.quantile(q).map(kernel::Time::ps);
    Some([
        histogram.mean()?.ps(),
        quantile(0.5)?,
        quantile(0.99)?,
        quantile(0.999)?,
    ])
}
