//! The figures of a host's run that are compared over runs.

use host::{Counters, Histogram, Route, Run};

/// A figure of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    /// Mean one-way time over the VF, matched in hardware.
    HardwareMean,
    /// 99th percentile of it.
    HardwareP99,
    /// 99.9th percentile of it.
    HardwareP999,
    /// Mean one-way time through the vSwitch, from or to the synthetic device.
    SyntheticMean,
    /// 99th percentile of it.
    SyntheticP99,
    /// 99.9th percentile of it.
    SyntheticP999,
    /// Payload that arrived, both ways and all traffic together.
    Goodput,
    /// TCP connections opened per second of the run.
    Opened,
    /// TCP connections closed in order per second of the run.
    Closed,
    /// Share of the connections begun that were opened.
    OpenedShare,
    /// Share of the packets handed over that arrived.
    ArrivedShare,
    /// Share of the packets that arrived which the NIC had matched.
    HardwareShare,
    /// Share of the NIC's look-ups that found the flow on the chip.
    L1Share,
    /// Share of them that found it in no cache.
    NicMissShare,
    /// Share of their time that the cores which serve exceptions were busy.
    ExceptionLoad,
    /// Packets lost.
    Lost,
    /// Segments sent again.
    Retransmissions,
    /// Largest number of flows in VFP's tables at any point of the time series.
    MostFlows,
}

impl Figure {
    /// All of them, in the order shown.
    pub const ALL: [Figure; 18] = [
        Figure::HardwareMean,
        Figure::HardwareP99,
        Figure::HardwareP999,
        Figure::SyntheticMean,
        Figure::SyntheticP99,
        Figure::SyntheticP999,
        Figure::Goodput,
        Figure::Opened,
        Figure::Closed,
        Figure::OpenedShare,
        Figure::ArrivedShare,
        Figure::HardwareShare,
        Figure::L1Share,
        Figure::NicMissShare,
        Figure::ExceptionLoad,
        Figure::Lost,
        Figure::Retransmissions,
        Figure::MostFlows,
    ];

    /// The name in files; ends in the unit unless it is a count or a share.
    pub const fn field(self) -> &'static str {
        match self {
            Figure::HardwareMean => "hardware_mean_us",
            Figure::HardwareP99 => "hardware_p99_us",
            Figure::HardwareP999 => "hardware_p999_us",
            Figure::SyntheticMean => "synthetic_mean_us",
            Figure::SyntheticP99 => "synthetic_p99_us",
            Figure::SyntheticP999 => "synthetic_p999_us",
            Figure::Goodput => "goodput_gbps",
            Figure::Opened => "opened_per_s",
            Figure::Closed => "closed_per_s",
            Figure::OpenedShare => "opened_share",
            Figure::ArrivedShare => "arrived_share",
            Figure::HardwareShare => "hardware_share",
            Figure::L1Share => "l1_hit_share",
            Figure::NicMissShare => "nic_miss_share",
            Figure::ExceptionLoad => "exception_load",
            Figure::Lost => "lost",
            Figure::Retransmissions => "retransmissions",
            Figure::MostFlows => "most_flows",
        }
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Figure::HardwareMean => "VF mean",
            Figure::HardwareP99 => "VF P99",
            Figure::HardwareP999 => "VF P99.9",
            Figure::SyntheticMean => "vSwitch mean",
            Figure::SyntheticP99 => "vSwitch P99",
            Figure::SyntheticP999 => "vSwitch P99.9",
            Figure::Goodput => "Goodput",
            Figure::Opened => "Opened",
            Figure::Closed => "Closed",
            Figure::OpenedShare => "Opened, share",
            Figure::ArrivedShare => "Arrived, share",
            Figure::HardwareShare => "Hardware, share",
            Figure::L1Share => "L1 hits, share",
            Figure::NicMissShare => "NIC misses, share",
            Figure::ExceptionLoad => "Exception load",
            Figure::Lost => "Lost",
            Figure::Retransmissions => "Retransmissions",
            Figure::MostFlows => "Most flows",
        }
    }

    /// The unit; empty for counts and shares.
    pub const fn unit(self) -> &'static str {
        match self {
            Figure::HardwareMean
            | Figure::HardwareP99
            | Figure::HardwareP999
            | Figure::SyntheticMean
            | Figure::SyntheticP99
            | Figure::SyntheticP999 => "µs",
            Figure::Goodput => "Gb/s",
            Figure::Opened | Figure::Closed => "/s",
            _ => "",
        }
    }

    /// The figure of a run so far; none where it makes no sense, as a share of nothing.
    pub fn of(self, run: &Run) -> Option<f64> {
        let counters = run.counters();
        let seconds = run.now().0 as f64 / 1e12;
        let connections = |which: usize| counters.connections[which];
        let per_second =
            |n: u64| (connections(Counters::BEGUN) > 0 && seconds > 0.0).then(|| n as f64 / seconds);
        let statistics = run.nic().tables().statistics();
        match self {
            Figure::HardwareMean => mean(times(run, Route::Hardware)),
            Figure::HardwareP99 => quantile(times(run, Route::Hardware), 0.99),
            Figure::HardwareP999 => quantile(times(run, Route::Hardware), 0.999),
            Figure::SyntheticMean => mean(times(run, Route::Synthetic)),
            Figure::SyntheticP99 => quantile(times(run, Route::Synthetic), 0.99),
            Figure::SyntheticP999 => quantile(times(run, Route::Synthetic), 0.999),
            Figure::Goodput => {
                let bytes: u64 = counters.payload.iter().flatten().sum();
                (bytes > 0 && seconds > 0.0).then(|| bytes as f64 * 8.0 / seconds / 1e9)
            }
            Figure::Opened => per_second(connections(Counters::OPENED)),
            Figure::Closed => per_second(connections(Counters::CLOSED)),
            Figure::OpenedShare => share(connections(Counters::OPENED), connections(Counters::BEGUN)),
            Figure::ArrivedShare => share(counters.all_delivered(), counters.created),
            Figure::HardwareShare => share(
                counters.delivered[Route::Hardware as usize],
                counters.all_delivered(),
            ),
            Figure::L1Share => share(statistics.l1_cache_hits, statistics.packets),
            Figure::NicMissShare => share(statistics.miss, statistics.packets),
            Figure::ExceptionLoad => {
                let cores = f64::from(run.scenario().host.software.exception_cores);
                (seconds > 0.0).then(|| counters.exception_busy as f64 / 1e12 / seconds / cores)
            }
            Figure::Lost => Some(counters.all_lost() as f64),
            Figure::Retransmissions => Some(counters.retransmissions as f64),
            Figure::MostFlows => {
                let points = run.metrics().points.iter().map(|point| point.gauges.flows);
                Some(f64::from(points.fold(run.gauges().flows, u32::max)))
            }
        }
    }
}

fn times(run: &Run, route: Route) -> &Histogram {
    &run.metrics().one_way[route as usize]
}

fn mean(times: &Histogram) -> Option<f64> {
    Some(times.mean()?.as_us())
}

fn quantile(times: &Histogram, q: f64) -> Option<f64> {
    Some(times.quantile(q)?.as_us())
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique() {
        let names: BTreeSet<&str> = Figure::ALL.map(Figure::field).into_iter().collect();
        assert_eq!(names.len(), Figure::ALL.len());
    }

    /// 20 pings on one connection over the VF: 160 B of payload in 5 ms, one connection of one, the SYN by software.
    #[test]
    fn figures_of_a_known_run() {
        let scenario = scenario::host::find_host_preset("host-first-packet")
            .unwrap()
            .scenario();
        let mut run = Run::new(&scenario).unwrap();
        run.run_until(kernel::Time::MAX);
        let figure = |figure: Figure| figure.of(&run).unwrap();
        assert_eq!(figure(Figure::Goodput), 160.0 * 8.0 / 5e-3 / 1e9);
        assert_eq!((figure(Figure::Opened), figure(Figure::Closed)), (200.0, 200.0));
        assert_eq!(
            (figure(Figure::OpenedShare), figure(Figure::ArrivedShare)),
            (1.0, 1.0)
        );
        let arrived = run.counters().all_delivered() as f64;
        assert_eq!(figure(Figure::HardwareShare), (arrived - 1.0) / arrived);
        assert_eq!((figure(Figure::Lost), figure(Figure::MostFlows)), (0.0, 2.0));
        assert_eq!(Figure::SyntheticMean.of(&run), None, "nothing went that way");
    }
}
