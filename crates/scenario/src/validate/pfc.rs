//! Bounds of priority flow control.

use super::within;
use crate::limits;
use crate::problem::Problems;
use crate::quantity::Bytes;
use crate::schema::Pfc;

/// `pmtu`: the transport's, be that valid or not.
pub(super) fn check_pfc(pfc: &Pfc, pmtu: Bytes, problems: &mut Problems) {
    let Pfc { xoff, xon, headroom } = *pfc;
    let least = Bytes(pmtu.0.saturating_mul(2)).min(limits::MAX_PFC);
    let sound = within(
        problems,
        || "fabric.pfc.xoff".into(),
        xoff,
        &(least..=limits::MAX_PFC),
        "two PMTUs at least",
    );
    if let Some(xon) = xon
        && sound
        && xon > xoff
    {
        let reason = format!("is {xon}, above xoff ({xoff})");
        let hint =
            "a sender is paused above xoff and goes on from xon down; leave it out for xoff less two PMTUs";
        problems.add(|| "fabric.pfc.xon".into(), reason, hint);
    }
    if let Some(headroom) = headroom {
        within(
            problems,
            || "fabric.pfc.headroom".into(),
            headroom,
            &(Bytes(0)..=limits::MAX_PFC),
            "leave it out for a derived one",
        );
    }
}
