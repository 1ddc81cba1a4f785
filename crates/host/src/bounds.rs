//! What a run holds at most, so that no scenario takes more memory than there is. All else that it holds is bounded by the
//! scenario, whose [`validate`](scenario::host::HostScenario::validate) bounds that.

/// Packets that may be under way at a time; of more that are handed over each is lost
/// ([`TooManyUnderWay`](crate::Loss::TooManyUnderWay)). Our choice; a packet takes up to 400 bytes.
pub const MOST_PACKETS: usize = 2_000_000;
/// TCP connections that may be open or opening at a time; more are not begun, and counted
/// ([`not_begun`](crate::Counters::not_begun)). Our choice; a connection takes up to 1,400 bytes.
pub const MOST_CONNECTIONS: usize = 500_000;

/// The bounds in force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub packets: usize,
    pub connections: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            packets: MOST_PACKETS,
            connections: MOST_CONNECTIONS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conn::Conn;
    use crate::{Counters, Loss, Packet, Run};
    use kernel::Time;
    use scenario::host::HostScenario;

    fn bounded(fields: &str, bounds: Bounds) -> Run {
        let text = format!(r#"{{ "version": 1, "host": {{}}, {fields} }}"#);
        let scenario = HostScenario::from_json(&text).unwrap_or_else(|e| panic!("{e}"));
        let mut run = Run::new(&scenario).unwrap_or_else(|e| panic!("{e}"));
        run.bounds = bounds;
        run.run_until(Time::MAX);
        assert!(run.packets_balance());
        run
    }

    #[test]
    fn sizes_are_as_documented() {
        assert!(
            size_of::<Option<Packet>>() <= 400,
            "{}",
            size_of::<Option<Packet>>()
        );
        assert!(
            size_of::<Option<Conn>>() <= 1_400,
            "{}",
            size_of::<Option<Conn>>()
        );
    }

    /// All are held to the end: 30 begin, and the rest is counted.
    #[test]
    fn connections_beyond_the_bound_are_not_begun() {
        let bounds = Bounds {
            connections: 30,
            ..Bounds::default()
        };
        let fields = r#""until": "20ms", "vms": [{}],
            "traffic": [{ "kind": "connections", "vm": 0, "per_second": 5000, "hold": "1s" }]"#;
        let run = bounded(fields, bounds);
        let counters = run.counters();
        assert_eq!(counters.connections[Counters::BEGUN], 30);
        assert_eq!(run.connections().count(), 30);
        let offered = run.apps[0].count;
        assert!(offered > 60, "100 on average: {offered}");
        assert_eq!(counters.not_begun, offered - 30);
    }

    /// A flood of 10 SYNs per µs that are on their way for some µs each.
    #[test]
    fn packets_beyond_the_bound_are_lost() {
        let bounds = Bounds {
            packets: 40,
            ..Bounds::default()
        };
        let fields = r#""until": "1ms", "vms": [{}],
            "traffic": [{ "kind": "syn_flood", "vm": 0, "per_second": 10000000, "sources": 1000 }]"#;
        let run = bounded(fields, bounds);
        let lost = run.counters().lost[Loss::TooManyUnderWay.number()];
        assert!(run.packets().count() <= 40 && lost > 5_000, "{lost}");
    }
}
