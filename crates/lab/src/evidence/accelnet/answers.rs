//! Questions answered in a sentence, from the rows as they came out.

use crate::evidence::results::RowResult;
use crate::number::with_interval;

/// The answer of an experiment that asks a question.
pub(crate) fn answer(id: &str, rows: &[RowResult]) -> Option<String> {
    let ours = |row: &RowResult| row.ours.map(|stats| with_interval(stats.mean, stats.ci95));
    let at = |number: usize| rows.get(number).and_then(ours);
    match id {
        "cps-knee" => Some(format!(
            "**Where is the knee?** One exception core completes {} connections per second however many more are offered; offered \
             10,000, it completes {}.",
            at(4)?,
            at(1)?
        )),
        "syn-flood" => Some(format!(
            "**Do honest connections survive?** Below the knee they do: {} % open beside 5,000 SYNs per second and {} % beside \
             10,000. Above it only their share of the exception core is left: {} % at 100,000, and no more ({} %) with a half-open \
             limit, which protects the host alone. With cookies in the NIC {} % open.",
            at(0)?,
            at(1)?,
            at(4)?,
            at(5)?,
            at(6)?
        )),
        "cliff-l1" => Some(format!(
            "**Where is the cliff of L1?** There is none in reach as long as the DRAM keeps up: with 1,024 flows {} Mpps arrive. Past \
             it the DRAM's rate is what is left: {} Mpps with 65,536 flows, of which L1 finds {} %.",
            at(1)?,
            at(7)?,
            at(6)?
        )),
        "cliff-l2" => Some(format!(
            "**Where is the cliff of L2?** At the table's size: {} % of the packets arrive when entries fill half of it, {} % when \
             they fill all of it (sets overflow before the table is full), and {} % at three times its size.",
            at(0)?,
            at(2)?,
            at(6)?
        )),
        _ => None,
    }
}
