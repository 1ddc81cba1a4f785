//! What the rows say in a sentence.

use crate::evidence::results::RowResult;
use crate::evidence::versus::parts;
use crate::number::with_interval;

/// The answer of an experiment.
pub(crate) fn answer(id: &str, rows: &[RowResult]) -> Option<String> {
    let at = |system: &str, figure: &str| {
        let row = rows
            .iter()
            .find(|row| parts(&row.quantity) == Some((system, figure)))?;
        let ours = row.ours?;
        Some(with_interval(ours.mean, ours.ci95))
    };
    match id {
        "ladder" => Some(format!(
            "**What buys what?** In health a step takes {} µs with one QP, {} µs with sixteen and {} µs when switches spray; a fabric \
             without chance would need 88. What a dead link costs falls from {} µs to {} µs with endpoints that see it for themselves \
             (rung 7), and what a link that loses 1 % costs from {} µs to {} µs with NSCC and SACK (rung 5).",
            at("1 RoCE, one QP", "step without failure")?,
            at("2 sixteen QPs", "step without failure")?,
            at("4 switches spray", "step without failure")?,
            at("1 RoCE, one QP", "step in which a link dies")?,
            at("7 ECN steers", "step in which a link dies")?,
            at("4 switches spray", "step while a link loses 1 %")?,
            at("5 NSCC, SACK", "step while a link loses 1 %")?,
        )),
        id if id.starts_with("scale-") => Some(format!(
            "**What does a dead link cost?** The step in which it happens takes {} µs with tuned RoCE, {} µs where routing converges in \
             10 ms, {} µs with MRC on the same fabric and {} µs with MRC on eight planes; without failure {}, {}, {} and {} µs.",
            at("RoCE, tuned", "a link dies: that step")?,
            at("RoCE, tuned, fast routing", "a link dies: that step")?,
            at("MRC, one plane", "a link dies: that step")?,
            at("MRC, eight planes", "a link dies: that step")?,
            at("RoCE, tuned", "a link dies: steps before")?,
            at("RoCE, tuned, fast routing", "a link dies: steps before")?,
            at("MRC, one plane", "a link dies: steps before")?,
            at("MRC, eight planes", "a link dies: steps before")?,
        )),
        _ => None,
    }
}
