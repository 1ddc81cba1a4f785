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
            "**What buys what?** In health a step takes {} µs with one QP, {} µs with sixteen and {} µs when switches spray; without \
             chance it would need 88. A link that loses 1 % costs RoCE a timeout, whatever its recovery ({}, {} and {} µs on rungs 1, 3 \
             and 4), and {} µs with NSCC and SACK (5). A dead link costs {} µs until routing has converged and the next timeout is over, {} \
             µs when switches spray, and {} µs in each of the next steps, as they go on choosing it; {} µs when the endpoint knows what is \
             missing (5), {} µs when it leaves the path (7), and then {} µs a step. Not every rung pays by itself: hashing what the sender \
             sprays (6) and taking PFC out before switches trim (8) cost {} and {} µs in health, which ECN steering, trimming and SRv6 \
             win back ({}, {} and {} µs). Four planes cost a little in so small a fabric ({} µs): a packet takes four times as long on each \
             link.",
            at("1 RoCE, one QP", "step without failure")?,
            at("2 sixteen QPs", "step without failure")?,
            at("4 switches spray", "step without failure")?,
            at("1 RoCE, one QP", "step while a link loses 1 %")?,
            at("3 selective repeat", "step while a link loses 1 %")?,
            at("4 switches spray", "step while a link loses 1 %")?,
            at("5 NSCC, SACK", "step while a link loses 1 %")?,
            at("1 RoCE, one QP", "step in which a link dies")?,
            at("4 switches spray", "step in which a link dies")?,
            at("4 switches spray", "steps after it")?,
            at("5 NSCC, SACK", "step in which a link dies")?,
            at("7 ECN steers", "step in which a link dies")?,
            at("7 ECN steers", "steps after it")?,
            at("6 sender sprays", "step without failure")?,
            at("8 PFC off", "step without failure")?,
            at("7 ECN steers", "step without failure")?,
            at("9 trimming", "step without failure")?,
            at("10 SRv6", "step without failure")?,
            at("11 four planes", "step without failure")?,
        )),
        id if id.starts_with("scale-") => scale(id, rows, at),
        _ => None,
    }
}

/// What the systems that are run at a size lose by a dead link. The largest size leaves some out.
fn scale(id: &str, rows: &[RowResult], at: impl Fn(&str, &str) -> Option<String>) -> Option<String> {
    let runs = |system: &str| {
        rows.iter()
            .any(|row| parts(&row.quantity).is_some_and(|(other, _)| other == system))
    };
    let (mut hit, mut usual) = (Vec::new(), Vec::new());
    for (system, words) in [
        ("RoCE, tuned", "with tuned RoCE"),
        ("RoCE, tuned, fast routing", "where routing converges in 10 ms"),
        ("MRC, one plane", "with MRC on the same fabric"),
        ("MRC, eight planes", "with MRC on eight planes"),
    ] {
        if runs(system) {
            hit.push(format!("{} µs {words}", at(system, "a link dies: that step")?));
            usual.push(at(system, "a link dies: steps before")?);
        }
    }
    let left_out = match id {
        "scale-32768" => {
            " RoCE's defaults and fast routing are left out: a run of RoCE takes a quarter of an hour at this size, and at the \
             smaller ones fast routing changes the waiting time alone."
        }
        _ => "",
    };
    Some(format!(
        "**What does a dead link cost?** The step in which it happens takes {}; without failure {} µs.{left_out}",
        listed(&hit),
        listed(&usual)
    ))
}

/// "a, b and c".
fn listed(items: &[String]) -> String {
    match items {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => items.concat(),
    }
}
