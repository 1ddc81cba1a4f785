//! Bounds of the endpoints' settings.

use super::{factor, within};
use crate::limits;
use crate::problem::Problems;
use crate::schema::Transport;

/// `planes`: how many the fabric has, be that valid or not.
pub(super) fn check_transport(transport: &Transport, planes: u32, problems: &mut Problems) {
    let Transport {
        pmtu,
        evs,
        balancer: _,
        sack_every,
        rto,
        reorder_window,
        probe_interval,
        probes_to_revive,
        max_window_bdp,
    } = transport;
    within(
        problems,
        || "transport.pmtu".into(),
        *pmtu,
        &limits::PMTU,
        "payload bytes of a full packet",
    );
    let evs_are_sound = within(problems, || "transport.evs".into(), *evs, &limits::EVS, "");
    if evs_are_sound && limits::PLANES.contains(&planes) && !evs.is_multiple_of(planes) {
        let reason = format!("is {evs}, which is no multiple of the {planes} planes");
        problems.add(
            || "transport.evs".into(),
            reason,
            "each plane has the same number of EVs",
        );
    }
    within(
        problems,
        || "transport.sack_every".into(),
        *sack_every,
        &limits::SACK_EVERY,
        "",
    );
    if let Some(rto) = rto {
        within(
            problems,
            || "transport.rto".into(),
            *rto,
            &limits::RTO,
            "leave it out for a derived one",
        );
    }
    if let Some(window) = reorder_window {
        let field = || "transport.reorder_window".into();
        within(
            problems,
            field,
            *window,
            &limits::REORDER_WINDOW,
            "\"0\" turns it off",
        );
    }
    within(
        problems,
        || "transport.probe_interval".into(),
        *probe_interval,
        &limits::PROBE_INTERVAL,
        "",
    );
    let probes = || "transport.probes_to_revive".into();
    within(problems, probes, *probes_to_revive, &limits::PROBES_TO_REVIVE, "");
    factor(
        problems,
        "transport.max_window_bdp",
        *max_window_bdp,
        limits::MAX_WINDOW_BDP,
    );
}
