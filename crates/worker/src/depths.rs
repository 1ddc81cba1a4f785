//! Looks at the whole run, one at the end of each bin of the timeline: which runs have them, and what charts show of them.

use crate::run::Run;
use fabric::LinkKind;
use sim::recorder::Look;
use view::chart::fabric::Queues;
use view::chart::links::Hop;

/// Directed links of a fabric whose run is looked at, at most: all their queues are, at the end of each bin.
const MOST_LINKS: u32 = 16_384;
/// Its QPs at most: the EVs of all of them are counted.
const MOST_QPS: u32 = 65_536;

/// Whether a run of so many directed links and QPs can be looked at.
pub const fn can_be_looked_at(links: u32, qps: u32) -> bool {
    links <= MOST_LINKS && qps <= MOST_QPS
}

/// The depth of the deepest queue of all, in bytes.
pub fn deepest(look: &Look) -> u32 {
    look.deepest.into_iter().max().unwrap_or(0)
}

/// The deepest queues in front of each kind of link that the fabric has, as far as the run is known.
pub fn queues(run: &mut Run) -> Queues {
    run.at_its_furthest(|run| {
        let (recorder, now) = (run.sim.observer(), run.sim.now().ps());
        let looks = recorder.looks().unwrap_or_default();
        let end = |bin: u64| ((bin + 1) * recorder.width_ps()).min(now);
        let of = |kind: LinkKind| looks.iter().map(|look| look.deepest[kind as usize]).collect();
        let tiers = run.sim.network().config().clos.tiers();
        Queues {
            are_kept: recorder.looks().is_some(),
            times: (0..looks.len() as u64).map(end).collect(),
            deepest: Hop::ALL
                .into_iter()
                .filter(|hop| hop.is_in(tiers))
                .map(|hop| (hop, of(hop.kind())))
                .collect(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_is_not_looked_at() {
        assert!(can_be_looked_at(MOST_LINKS, MOST_QPS));
        assert!(!can_be_looked_at(MOST_LINKS + 1, 1) && !can_be_looked_at(1, MOST_QPS + 1));
    }
}
