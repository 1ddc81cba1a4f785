//! One-way latencies of an idle system.

use kernel::Time;
use scenario::host::PathLatency;
use std::f64::consts::LN_10;

const LN_100: f64 = LN_10 * 2.0;
const LN_1000: f64 = LN_10 * 3.0;
/// The tail ends at the quantile 1 − 10⁻⁶ (our choice), so that no draw is longer than a run.
const LN_END: f64 = LN_10 * 6.0;

/// A distribution that meets a mean, a 99th and a 99.9th percentile (its form is our choice).
///
/// Its quantile function is linear in x = −ln(1 − q), in two pieces: from the least value to the 99th percentile, and from there
/// with another slope through the 99.9th. So it is a fixed part and an exponential one, with a heavier exponential tail. The least
/// value follows from the mean: mean = least + Σ slope · (share of draws at the piece's beginning − at its end).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyModel {
    least: f64,
    p99: f64,
    body: f64,
    tail: f64,
}

impl LatencyModel {
    /// The distribution with these figures, which [`validate`](scenario::host::HostScenario::validate) has checked.
    pub fn new(latency: &PathLatency) -> LatencyModel {
        let [mean, p99, p999] = [latency.mean, latency.p99, latency.p999].map(|t| t.0 as f64);
        let tail = (p999 - p99) / (LN_1000 - LN_100);
        let end = 1e-6;
        // mean = least + (p99 − least) / ln 100 · 0.99 + tail · (0.01 − end)
        let weight = 0.99 / LN_100;
        let least = ((mean - tail * (0.01 - end) - p99 * weight) / (1.0 - weight)).max(0.0);
        LatencyModel {
            least,
            p99,
            body: (p99 - least) / LN_100,
            tail,
        }
    }

    /// The least latency.
    pub fn least(&self) -> Time {
        Time(self.least as u64)
    }

    /// The latency that belongs to 64 random bits.
    pub fn draw(&self, bits: u64) -> Time {
        // 53 bits, above 0 and up to 1.
        let share = ((bits >> 11) + 1) as f64 / (1u64 << 53) as f64;
        let x = (-libm::log(share)).min(LN_END);
        let latency = if x <= LN_100 {
            self.least + self.body * x
        } else {
            self.p99 + self.tail * (x - LN_100)
        };
        Time(latency as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::draw;

    /// The published figures of both paths come out of a million draws.
    #[test]
    fn the_three_figures_are_met() {
        for (mean, p99, p999) in [(17, 25, 80), (50, 100, 300)] {
            let us = scenario::Time::us;
            let model = LatencyModel::new(&PathLatency {
                mean: us(mean),
                p99: us(p99),
                p999: us(p999),
            });
            let mut draws: Vec<f64> = (0..1_000_000).map(|i| model.draw(draw(1, i)).as_us()).collect();
            let found = draws.iter().sum::<f64>() / 1e6;
            assert!((found / mean as f64 - 1.0).abs() < 0.005, "{found}");
            draws.sort_by(f64::total_cmp);
            assert!(
                (draws[990_000] / p99 as f64 - 1.0).abs() < 0.01,
                "{}",
                draws[990_000]
            );
            assert!(
                (draws[999_000] / p999 as f64 - 1.0).abs() < 0.05,
                "{}",
                draws[999_000]
            );
        }
    }

    /// 17 = least + (25 − least) · 0.99/4.605 + 55/2.303 · 0.01: least = (17 − 0.2389 − 5.3745) / 0.78502 = 14.505 µs.
    #[test]
    fn the_least_value_by_hand() {
        let us = scenario::Time::us;
        let model = LatencyModel::new(&PathLatency {
            mean: us(17),
            p99: us(25),
            p999: us(80),
        });
        assert!(
            (model.least().as_us() - 14.505).abs() < 0.002,
            "{}",
            model.least()
        );
        assert_eq!(model.draw(u64::MAX), model.least());
        // x = ln 10⁶: 25 + 55/2.303 · 9.21.
        assert!((model.draw(0).as_us() - 245.0).abs() < 0.1, "{}", model.draw(0));
    }
}
