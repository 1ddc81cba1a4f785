//! Bounds of the endpoints' settings.

use super::nscc::check_nscc;
use super::{factor, within};
use crate::limits;
use crate::problem::Problems;
use crate::quantity::Time;
use crate::schema::{Protocol, Transport};

/// `planes`: how many the fabric has, be that valid or not.
pub(super) fn check_transport(transport: &Transport, planes: u32, problems: &mut Problems) {
    let Transport {
        protocol: _,
        qps,
        pmtu,
        evs: _,
        backup_evs: _,
        ev_floor: _,
        balancer: _,
        reverse_evs: _,
        sack_every,
        message_acks: _,
        mpr,
        max_wimm,
        rto: _,
        linear_retries: _,
        exponential_retries: _,
        reorder_window: _,
        reliability_probe: _,
        probe_interval: _,
        probes_to_revive: _,
        port_detect,
        port_remap,
        port_status: _,
        host_latency,
        max_window_bdp,
        nscc,
        rccc: _,
        roce: _,
    } = transport;
    within(
        problems,
        || "transport.qps".into(),
        *qps,
        &limits::QPS,
        "QPs of each flow",
    );
    within(
        problems,
        || "transport.pmtu".into(),
        *pmtu,
        &limits::PMTU,
        "payload bytes of a full packet",
    );
    // RoCE has no EVs, so that their default may not fit the planes.
    if transport.protocol == Protocol::Mrc {
        check_evs(transport, planes, problems);
    }
    within(
        problems,
        || "transport.sack_every".into(),
        *sack_every,
        &limits::SACK_EVERY,
        "",
    );
    let mpr_path = || "transport.mpr".into();
    if within(problems, mpr_path, *mpr, &limits::MPR, "a power of two") && !mpr.is_power_of_two() {
        let reason = format!("is {mpr}, which is no power of two");
        problems.add(mpr_path, reason, "packets in flight beyond the cumulative ACK");
    }
    within(
        problems,
        || "transport.max_wimm".into(),
        *max_wimm,
        &limits::MAX_WIMM,
        "WRITEs with immediate in flight",
    );
    check_recovery(transport, problems);
    let ports = [
        ("transport.port_detect", *port_detect),
        ("transport.port_remap", *port_remap),
    ];
    for (field, time) in ports {
        within(problems, || field.into(), time, &limits::PORT_TIME, "");
    }
    within(
        problems,
        || "transport.host_latency".into(),
        *host_latency,
        &limits::HOST_LATENCY,
        "",
    );
    factor(
        problems,
        "transport.max_window_bdp",
        *max_window_bdp,
        limits::MAX_WINDOW_BDP,
    );
    check_nscc(nscc, problems);
}

/// EVs in use, in reserve, and the floor.
fn check_evs(transport: &Transport, planes: u32, problems: &mut Problems) {
    let evs = transport.evs;
    if !within(problems, || "transport.evs".into(), evs, &limits::EVS, "") {
        return;
    }
    check_planes(problems, "transport.evs", evs, planes);
    if let Some(backup) = transport.backup_evs {
        let most = limits::MAX_ALL_EVS - evs;
        let hint = "EVs in use and in reserve";
        if within(
            problems,
            || "transport.backup_evs".into(),
            backup,
            &(0..=most),
            hint,
        ) {
            check_planes(problems, "transport.backup_evs", backup, planes);
        }
    }
    if let Some(floor) = transport.ev_floor {
        let hint = "at most the EVs in use";
        within(problems, || "transport.ev_floor".into(), floor, &(0..=evs), hint);
    }
}

/// Each plane has the same number of EVs.
fn check_planes(problems: &mut Problems, field: &str, evs: u32, planes: u32) {
    if limits::PLANES.contains(&planes) && !evs.is_multiple_of(planes) {
        let reason = format!("is {evs}, which is no multiple of the {planes} planes");
        problems.add(|| field.into(), reason, "each plane has the same number of EVs");
    }
}

/// Timeouts, retries and probes.
fn check_recovery(transport: &Transport, problems: &mut Problems) {
    let path = |field: &str| format!("transport.{field}");
    if let Some(rto) = transport.rto {
        let hint = "leave it out for a derived one";
        within(problems, || path("rto"), rto, &limits::RTO, hint);
    }
    within(
        problems,
        || path("linear_retries"),
        transport.linear_retries,
        &limits::LINEAR_RETRIES,
        "",
    );
    within(
        problems,
        || path("exponential_retries"),
        transport.exponential_retries,
        &limits::EXPONENTIAL_RETRIES,
        "25 means for ever",
    );
    if let Some(window) = transport.reorder_window {
        let hint = "\"0\" turns it off";
        within(
            problems,
            || path("reorder_window"),
            window,
            &limits::REORDER_WINDOW,
            hint,
        );
    }
    if let Some(probe) = transport.reliability_probe
        && probe > Time(0)
    {
        let hint = "\"0\" turns it off";
        within(
            problems,
            || path("reliability_probe"),
            probe,
            &limits::RELIABILITY_PROBE,
            hint,
        );
    }
    within(
        problems,
        || path("probe_interval"),
        transport.probe_interval,
        &limits::PROBE_INTERVAL,
        "",
    );
    within(
        problems,
        || path("probes_to_revive"),
        transport.probes_to_revive,
        &limits::PROBES_TO_REVIVE,
        "",
    );
}
