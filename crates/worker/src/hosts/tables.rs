//! The SmartNIC's flow caches, cell by cell.

use host::Run;
use view::host::grid::{Cell, age};
use view::host::message::Tables;

/// Buckets that L2 is shown in.
const BUCKETS: usize = 2_048;
/// Flows of VFP that are asked for their generation at most.
const LOOKED_AT: usize = 20_000;

/// The tables, and the bytes beside them: a [`Cell`] for each way of L1, then the share of its ways that each bucket of L2 has
/// taken, 0 to 255.
///
/// What had been counted when the run began, filling the tables, is left out.
pub fn tables(number: u32, run: &Run, before: &gft::Statistics) -> (Tables, Vec<u8>) {
    let tables = run.nic().tables();
    let statistics = tables.statistics();
    // The NIC's clock may be ahead of the run's: its entries are judged by the former.
    let now = run.nic_now();
    let mut states = [0u32; 3];
    let mut bytes: Vec<u8> = tables
        .l1()
        .map(|entry| {
            let entry = entry.and_then(|id| tables.entry(id, now));
            let cell = match entry {
                None => Cell::Free,
                Some(entry) if entry.stale => Cell::Stale,
                Some(entry) if entry.state == gft::State::Deactivated => Cell::Deactivated,
                Some(entry) => Cell::Activated(age(now.saturating_sub(entry.counter.last_update).ps())),
            };
            match cell {
                Cell::Free => {}
                Cell::Activated(_) => states[0] += 1,
                Cell::Deactivated => states[1] += 1,
                Cell::Stale => states[2] += 1,
            }
            cell.byte()
        })
        .collect();
    let l1 = bytes.len() as u32;
    let ways = tables.l2().len();
    let per_bucket = ways.div_ceil(BUCKETS).max(1);
    let mut taken = vec![0usize; ways.div_ceil(per_bucket)];
    if tables.resident()[1] > 0 {
        for (at, entry) in tables.l2().enumerate() {
            taken[at / per_bucket] += usize::from(entry.is_some());
        }
    }
    bytes.extend(
        taken
            .iter()
            .map(|&count| (count * 255).div_ceil(per_bucket).min(255) as u8),
    );
    let config = run.nic().config();
    let [in_l1, in_l2] = tables.resident();
    let gauges = run.gauges();
    let vms = 0..run.scenario().vms.len() as u32;
    let (mut stale, mut looked_at) = (0, 0);
    for flow in vms
        .clone()
        .filter_map(|vm| run.port(vm))
        .flat_map(|port| port.flows())
        .take(LOOKED_AT)
    {
        looked_at += 1;
        stale += u64::from(flow.stale);
    }
    let limit: u64 = run
        .scenario()
        .vms
        .iter()
        .map(|vm| u64::from(vm.limits.total))
        .sum();
    let shown = Tables {
        run: number,
        l1,
        l1_ways: u32::from(config.l1.ways),
        l2_per_bucket: per_bucket as u32,
        resident: [in_l1, in_l2, tables.len()],
        states,
        lookups: [
            statistics.l1_cache_hits,
            statistics.l2_cache_hits,
            statistics.l3_cache_hits,
            statistics.miss,
        ],
        exceptions: [statistics.miss, statistics.stale, statistics.deactivated],
        evictions: [
            statistics.l1_evictions.saturating_sub(before.l1_evictions),
            statistics.l2_evictions.saturating_sub(before.l2_evictions),
        ],
        unified: [u64::from(gauges.flows), limit, u64::from(gauges.half_open), stale],
        looked_at,
        memory: [
            tables.memory().total() as u64,
            vms.filter_map(|vm| run.port(vm))
                .map(|port| port.memory().total() as u64)
                .sum(),
        ],
    };
    (shown, bytes)
}
