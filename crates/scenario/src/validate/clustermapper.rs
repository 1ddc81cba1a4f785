//! Bounds of Clustermapper's settings.

use super::within;
use crate::limits;
use crate::problem::Problems;
use crate::schema::Clustermapper;

pub(super) fn check_clustermapper(mapper: &Clustermapper, problems: &mut Problems) {
    let Clustermapper {
        interval,
        t1_probes,
        denylist: _,
        degraded_planes: _,
        window,
        threshold,
    } = mapper;
    let path = |field: &str| format!("clustermapper.{field}");
    within(
        problems,
        || path("interval"),
        *interval,
        &limits::MAPPER_INTERVAL,
        "",
    );
    if let Some(probes) = t1_probes {
        within(
            problems,
            || path("t1_probes"),
            *probes,
            &limits::MAPPER_T1_PROBES,
            "leave it out to cover all links",
        );
    }
    within(
        problems,
        || path("window"),
        *window,
        &limits::MAPPER_WINDOW,
        "probes",
    );
    if !(0.0..1.0).contains(threshold) {
        let reason = format!("is {threshold}; expected 0 to below 1");
        let hint = "a link is bad when more than this share of its probes is lost";
        problems.add(|| path("threshold"), reason, hint);
    }
}
