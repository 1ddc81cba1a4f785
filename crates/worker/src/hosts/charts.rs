//! The time series and distributions of a run.

use super::report::losses;
use host::{Counters, Delay, Histogram, MAX_DELAYS, Run};
use view::host::chart::thinned;
use view::host::message::{Charts, LEAST};

/// Points of a distribution that are sent at most.
const MOST_CDF: usize = 400;
/// Points of the time series that are sent at most.
const MOST_POINTS: usize = 600;

/// What the charts show; latency of one entry of the traffic, or of all packets.
pub fn charts(number: u32, run: &Run, traffic: Option<u32>) -> Charts {
    let metrics = run.metrics();
    let numbers: Vec<usize> = (0..metrics.points.len()).collect();
    let points = thinned(&numbers, MOST_POINTS);
    let traffic = traffic.filter(|&traffic| (traffic as usize) < metrics.traffic.len());
    let times = match traffic {
        Some(traffic) => &metrics.traffic[traffic as usize].by_route,
        None => &metrics.one_way,
    };
    // All packets come first.
    let series = traffic.map_or(0, |traffic| traffic as usize + 1);
    let software = &run.scenario().host.software;
    let (cores, exception_cores) = (f64::from(software.cores), f64::from(software.exception_cores));
    let mut charts = Charts {
        run: number,
        now_ps: run.now().ps(),
        traffic,
        cdf: [0, 1, 2].map(|route| cdf(&times[route])),
        latency: [0, 1, 2].map(|route| figures(&times[route])),
        measured: [0, 1, 2].map(|route| times[route].count()),
        losses: losses(&metrics.counters),
        ..Charts::default()
    };
    for pair in points.windows(2) {
        let (before, point) = (&metrics.points[pair[0]], &metrics.points[pair[1]]);
        let span = point.at.saturating_sub(before.at).ps();
        if span == 0 {
            continue;
        }
        let seconds = span as f64 / 1e12;
        let rate = |of: fn(&Counters) -> u64| {
            of(&point.counters).saturating_sub(of(&before.counters)) as f64 / seconds
        };
        charts.times.push(point.at.ps());
        let delay = |at: usize, route: usize| -> &Delay { &metrics.delays[at][series][route] };
        for route in 0..3 {
            if series <= MAX_DELAYS {
                let mean = delay(pair[1], route).mean_since(delay(pair[0], route));
                charts.delays[route].push(mean.map(kernel::Time::ps));
            }
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

/// Mean, median and the percentiles that there are packets enough for.
fn figures(histogram: &Histogram) -> Option<[Option<u64>; 4]> {
    let quantile = |q| histogram.quantile(q).map(kernel::Time::ps);
    let all = [
        Some(histogram.mean()?.ps()),
        quantile(0.5),
        quantile(0.99),
        quantile(0.999),
    ];
    let enough = |figure: usize| histogram.count() >= LEAST[figure];
    Some([0, 1, 2, 3].map(|figure| all[figure].filter(|_| enough(figure))))
}
