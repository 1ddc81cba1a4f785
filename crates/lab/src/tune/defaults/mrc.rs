//! MRC: NSCC's reaction, the switches' thresholds, and the number of EVs, so that both sides of a comparison can be tuned.

use super::{Builder, json};
use crate::tune::space::Space;
use scenario::{Bytes, Scenario};
use serde_json::Value;
use sim::Sim;

pub(super) fn space(scenario: &Scenario) -> Result<Space, String> {
    let mut builder = Builder::new();
    let transport = &scenario.transport;
    let nscc = &transport.nscc;
    let base_rtt = Sim::new(scenario)
        .map_err(|error| error.to_string())?
        .derived()
        .base_rtt
        .0;
    // In quarters of the base RTT, of which the defaults are three and four.
    let delay = |quarters: u64| json(scenario::Time((base_rtt / 4 * quarters).max(1_000)));
    builder.list(
        "transport.nscc.target_delay",
        json(nscc.target_delay),
        [1, 2, 3, 4, 6, 8].map(delay),
    )?;
    let share = |shares: &[f64]| shares.iter().map(json).collect::<Vec<Value>>();
    builder.list(
        "transport.nscc.gamma",
        json(nscc.gamma),
        share(&[0.2, 0.4, 0.6, 0.8, 1.0]),
    )?;
    builder.list(
        "transport.nscc.max_md_jump",
        json(nscc.max_md_jump),
        share(&[0.25, 0.5, 0.75]),
    )?;
    builder.list(
        "transport.nscc.delay_weight",
        json(nscc.delay_weight),
        share(&[0.0125, 0.05, 0.2]),
    )?;
    builder.list(
        "transport.max_window_bdp",
        json(transport.max_window_bdp),
        share(&[1.0, 1.25, 1.5, 2.0, 3.0]),
    )?;
    let planes = scenario.fabric.planes;
    let evs = [2, 4, 8, 16, 32, 64].into_iter().map(|of_each| of_each * planes);
    builder.list("transport.evs", json(transport.evs), evs.map(json))?;
    let sacks = [4_096, 8_192, 16_384, 32_768].map(Bytes).map(json);
    builder.list("transport.sack_every", json(transport.sack_every), sacks)?;
    let queue = &scenario.fabric.queue;
    let ends = |low: f64, high: f64| [json(low), json(high)];
    builder.range(
        "fabric.queue.ecn_min_bdp",
        json(queue.ecn_min_bdp),
        ends(0.05, 1.0),
        &[json(0.2)],
    )?;
    builder.range(
        "fabric.queue.ecn_max_bdp",
        json(queue.ecn_max_bdp),
        ends(0.2, 4.0),
        &[json(0.8)],
    )?;
    let trim = share(&[0.5, 0.75, 1.0, 1.5, 2.0, 4.0]);
    builder.list("fabric.queue.trim_bdp", json(queue.trim_bdp), trim)?;
    builder.space()
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::find_preset;

    #[test]
    fn the_target_delay_is_counted_in_base_rtts() {
        let base = find_preset("incast").unwrap().scenario();
        let space = space(&base).unwrap();
        let target = &space.parameters[0];
        assert_eq!((target.own, target.text(0)), (0, "left out".into()));
        let rtt = Sim::new(&base).unwrap().derived().base_rtt.0;
        let mut levels = space.own();
        levels[0] = 4;
        let set = space.scenario(&base, &levels).unwrap();
        assert_eq!(set.transport.nscc.target_delay, Some(scenario::Time(rtt / 4 * 4)));
        assert!(space.starts.is_empty(), "the defaults are the published values");
    }

    #[test]
    fn evs_are_multiples_of_the_planes() {
        let mut base = find_preset("incast").unwrap().scenario();
        base.fabric.planes = 6;
        base.transport.evs = 96;
        let space = space(&base).unwrap();
        let evs = space
            .parameters
            .iter()
            .find(|parameter| parameter.path == "transport.evs");
        let levels: Vec<u64> = evs.unwrap().levels.iter().filter_map(Value::as_u64).collect();
        assert_eq!(levels, [12, 24, 48, 96, 192, 384]);
    }
}
