//! One point of a curve: a run of its own.

use host::{Counters, Run};
use kernel::Time;
use scenario::host::HostScenario;
use view::host::curve::{Curve, CurvePoint};

/// No point takes longer than this of simulated time.
const SPAN: Time = Time::from_ms(300);

/// Runs the scenario with another `value`, for as long as it lasts but not longer than [`SPAN`].
pub(super) fn point(mut scenario: HostScenario, curve: Curve, value: f64) -> Result<CurvePoint, String> {
    if !curve.set(&mut scenario, value) {
        return Err(format!(
            "\"{}\" needs traffic of that kind, and the scenario has none",
            curve.title()
        ));
    }
    scenario.until.0 = scenario.until.0.min(SPAN.0);
    scenario.events.retain(|event| event.at().0 <= scenario.until.0);
    let mut run = Run::new(&scenario).map_err(|error| error.to_string())?;
    run.run_until(Time(scenario.until.0));
    let seconds = run.now().ps().max(1) as f64 / 1e12;
    let counters = run.counters();
    let opened = counters.connections[Counters::OPENED] as f64;
    let cores = f64::from(scenario.host.software.exception_cores);
    Ok(CurvePoint {
        x: value,
        y: match curve {
            Curve::Connections => opened / seconds,
            Curve::Flood => opened / counters.connections[Counters::BEGUN].max(1) as f64,
            Curve::Flows => counters.all_delivered() as f64 / seconds,
        },
        load: (counters.exception_busy as f64 / 1e12 / seconds / cores).min(1.0),
    })
}
