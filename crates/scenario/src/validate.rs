//! Says everything that is wrong with a scenario at once.

use crate::limits;
use crate::place::{LinkName, SwitchName};
use crate::problem::{Problem, Problems};
use crate::quantity::{Bytes, Time};
use crate::schema::{Fabric, Fault, FaultKind, FlowTuple, Queue, Scenario, Traffic, Transport, VERSION};
use std::fmt::Display;
use std::ops::RangeInclusive;

impl Scenario {
    /// Checks every bound of [`limits`] and that all that is named exists.
    ///
    /// # Errors
    /// All problems in the order of the fields, at most [`limits::MAX_PROBLEMS`] of them one by one; if there
    /// are more, one last entry with an empty `field` gives their number.
    pub fn validate(&self) -> Result<(), Vec<Problem>> {
        let mut problems = Problems::default();
        check_head(self, &mut problems);
        let shape_is_sound = check_shape(&self.fabric, &mut problems);
        check_links(&self.fabric, &mut problems);
        check_queue(&self.fabric.queue, &mut problems);
        check_transport(&self.transport, self.fabric.planes, &mut problems);
        // What refers to NICs and links can only be judged in a fabric that exists.
        let fabric = shape_is_sound.then_some(&self.fabric);
        check_traffic(&self.traffic, fabric.map(Fabric::nics), &mut problems);
        check_faults(&self.faults, fabric, &mut problems);
        problems.into_result()
    }
}

/// "is 0; expected 1 to 8" if the value is outside.
fn within<T: PartialOrd + Display>(
    problems: &mut Problems,
    field: impl FnOnce() -> String,
    value: T,
    range: &RangeInclusive<T>,
    hint: &str,
) -> bool {
    let inside = range.contains(&value);
    if !inside {
        problems.add(
            field,
            format!("is {value}; expected {} to {}", range.start(), range.end()),
            hint,
        );
    }
    inside
}

/// The same for a factor that may not be 0 and has to be a number.
fn factor(problems: &mut Problems, field: &str, value: f64, max: f64) -> bool {
    let inside = value > 0.0 && value <= max;
    if !inside {
        let reason = format!("is {value}; expected a number above 0 and up to {max}");
        problems.add(|| field.into(), reason, "a multiple of the BDP");
    }
    inside
}

fn check_head(scenario: &Scenario, problems: &mut Problems) {
    if scenario.version != VERSION {
        let reason = format!("is {}; expected {VERSION}", scenario.version);
        problems.add(|| "version".into(), reason, "");
    }
    check_text(problems, "name", &scenario.name, limits::MAX_NAME_CHARS, false);
    check_text(problems, "about", &scenario.about, limits::MAX_ABOUT_CHARS, true);
    within(
        problems,
        || "until".into(),
        scenario.until,
        &(Time(1)..=limits::MAX_TIME),
        "the run ends here at the latest",
    );
}

/// Bounds a text and keeps out control characters, which could act on a terminal that prints it.
fn check_text(problems: &mut Problems, field: &str, text: &str, max: usize, lines: bool) {
    let count = text.chars().count();
    if count > max {
        let reason = format!("has {count} characters; expected at most {max}");
        problems.add(|| field.into(), reason, "");
    }
    if let Some(c) = text
        .chars()
        .find(|&c| c.is_control() && !(lines && (c == '\n' || c == '\t')))
    {
        let reason = format!("contains the control character U+{:04X}", u32::from(c));
        problems.add(|| field.into(), reason, "use plain text");
    }
}

/// Says whether planes, switches, NICs and links are within bounds, so that places in it can be checked.
fn check_shape(fabric: &Fabric, problems: &mut Problems) -> bool {
    let counts = [
        ("fabric.planes", fabric.planes, limits::PLANES),
        ("fabric.t0_per_plane", fabric.t0_per_plane, limits::RADIX),
        ("fabric.t1_per_plane", fabric.t1_per_plane, limits::RADIX),
        ("fabric.nics_per_t0", fabric.nics_per_t0, limits::RADIX),
    ];
    let mut sound = true;
    for (field, value, range) in counts {
        sound &= within(problems, || field.into(), value, &range, "");
    }
    if !sound {
        return false;
    }
    let nics = fabric.nics();
    if !limits::NICS.contains(&nics) {
        let reason = format!(
            "makes {nics} NICs ({} T0 × {} NICs); expected {} to {}",
            fabric.t0_per_plane,
            fabric.nics_per_t0,
            limits::NICS.start(),
            limits::NICS.end()
        );
        problems.add(
            || "fabric.nics_per_t0".into(),
            reason,
            "change t0_per_plane or nics_per_t0",
        );
        return false;
    }
    let per_plane = nics + u64::from(fabric.t0_per_plane) * u64::from(fabric.t1_per_plane);
    let directed = 2 * per_plane * u64::from(fabric.planes);
    if directed > limits::MAX_DIRECTED_LINKS {
        let reason = format!(
            "makes {directed} directed links in all; expected at most {}",
            limits::MAX_DIRECTED_LINKS
        );
        problems.add(|| "fabric".into(), reason, "use fewer planes, T0s or T1s");
        return false;
    }
    true
}

fn check_links(fabric: &Fabric, problems: &mut Problems) {
    within(
        problems,
        || "fabric.nic_link_rate".into(),
        fabric.nic_link_rate,
        &limits::RATE,
        "",
    );
    if let Some(rate) = fabric.t1_link_rate {
        within(problems, || "fabric.t1_link_rate".into(), rate, &limits::RATE, "");
    }
    let delays = [
        ("fabric.nic_link_delay", fabric.nic_link_delay, limits::LINK_DELAY),
        ("fabric.t1_link_delay", fabric.t1_link_delay, limits::LINK_DELAY),
        (
            "fabric.switch_latency",
            fabric.switch_latency,
            limits::SWITCH_LATENCY,
        ),
    ];
    for (field, value, range) in delays {
        within(problems, || field.into(), value, &range, "");
    }
}

fn check_queue(queue: &Queue, problems: &mut Problems) {
    let Queue {
        ecn_min_bdp,
        ecn_max_bdp,
        trim_bdp,
        trim_last_hop_bdp,
        control_bdp,
        trimming: _,
    } = *queue;
    let max = limits::MAX_QUEUE_BDP;
    let ecn_min_is_sound = factor(problems, "fabric.queue.ecn_min_bdp", ecn_min_bdp, max);
    let ecn_max_is_sound = factor(problems, "fabric.queue.ecn_max_bdp", ecn_max_bdp, max);
    if ecn_min_is_sound && ecn_max_is_sound && ecn_min_bdp > ecn_max_bdp {
        let reason = format!("is {ecn_min_bdp}, above ecn_max_bdp ({ecn_max_bdp})");
        problems.add(
            || "fabric.queue.ecn_min_bdp".into(),
            reason,
            "marking starts at ecn_min_bdp and is certain from ecn_max_bdp on",
        );
    }
    factor(problems, "fabric.queue.trim_bdp", trim_bdp, max);
    factor(problems, "fabric.queue.trim_last_hop_bdp", trim_last_hop_bdp, max);
    factor(problems, "fabric.queue.control_bdp", control_bdp, max);
}

fn check_transport(transport: &Transport, planes: u32, problems: &mut Problems) {
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
            &limits::TIMER,
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
        &limits::TIMER,
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

/// Where an explicit flow id stands: element of `traffic`, and of its `list` if it has one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct IdPlace {
    element: usize,
    in_list: Option<usize>,
}

impl IdPlace {
    fn path(self) -> String {
        match self.in_list {
            Some(i) => format!("traffic[{}].list[{i}][4]", self.element),
            None => format!("traffic[{}].id", self.element),
        }
    }
}

/// `nics`: how many there are, if that is known.
fn check_traffic(traffic: &[Traffic], nics: Option<u64>, problems: &mut Problems) {
    let mut flows = 0u64;
    let mut ids = Vec::new();
    for (element, item) in traffic.iter().enumerate() {
        flows = flows.saturating_add(flow_count(item, nics));
        let path = |field: &str| format!("traffic[{element}].{field}");
        match item {
            Traffic::Flow {
                src,
                dst,
                bytes,
                start,
                id,
            } => {
                check_ends(problems, *src, *dst, nics, || path("src"), || path("dst"));
                check_message(problems, *bytes, *start, path);
                if let Some(id) = id {
                    check_id(
                        problems,
                        *id,
                        IdPlace {
                            element,
                            in_list: None,
                        },
                        &mut ids,
                    );
                }
            }
            Traffic::Permutation { shift, bytes, start } => {
                if let Some(n) = nics {
                    let hint = "the distance between sender and receiver";
                    within(problems, || path("shift"), u64::from(*shift), &(1..=n - 1), hint);
                }
                check_message(problems, *bytes, *start, path);
            }
            Traffic::Incast {
                dst,
                senders,
                bytes,
                start,
            } => {
                if let Some(n) = nics {
                    within(problems, || path("dst"), u64::from(*dst), &(0..=n - 1), "a NIC");
                    let hint = "NICs other than the receiver";
                    within(
                        problems,
                        || path("senders"),
                        u64::from(*senders),
                        &(1..=n - 1),
                        hint,
                    );
                }
                check_message(problems, *bytes, *start, path);
            }
            Traffic::AllToAll {
                nics: members,
                bytes,
                start,
            } => {
                if let Some(n) = nics {
                    within(
                        problems,
                        || path("nics"),
                        u64::from(*members),
                        &(2..=n),
                        "NICs that take part",
                    );
                }
                check_message(problems, *bytes, *start, path);
            }
            Traffic::Flows { list } => check_list(problems, list, element, nics, &mut ids),
        }
    }
    let range = limits::FLOWS;
    if !range.contains(&flows) {
        let reason = format!(
            "makes {flows} flows in all; expected {} to {}",
            range.start(),
            range.end()
        );
        problems.add(|| "traffic".into(), reason, "");
    }
    check_unique(problems, ids);
}

fn check_list(
    problems: &mut Problems,
    list: &[FlowTuple],
    element: usize,
    nics: Option<u64>,
    ids: &mut Vec<(u64, IdPlace)>,
) {
    for (i, &(src, dst, bytes, start, id)) in list.iter().enumerate() {
        let path = |field: &str| {
            let place = match field {
                "src" => 0,
                "dst" => 1,
                "bytes" => 2,
                _ => 3,
            };
            format!("traffic[{element}].list[{i}][{place}]")
        };
        check_ends(problems, src, dst, nics, || path("src"), || path("dst"));
        check_message(problems, Bytes(bytes), Time(start), path);
        check_id(
            problems,
            id,
            IdPlace {
                element,
                in_list: Some(i),
            },
            ids,
        );
    }
}

/// How many flows an element makes; a permutation among an unknown number of NICs counts as one.
fn flow_count(item: &Traffic, nics: Option<u64>) -> u64 {
    match item {
        Traffic::Flow { .. } => 1,
        Traffic::Permutation { .. } => nics.unwrap_or(1),
        Traffic::Incast { senders, .. } => u64::from(*senders),
        Traffic::AllToAll { nics, .. } => u64::from(*nics) * u64::from(nics.saturating_sub(1)),
        Traffic::Flows { list } => list.len() as u64,
    }
}

fn check_ends(
    problems: &mut Problems,
    src: u32,
    dst: u32,
    nics: Option<u64>,
    src_path: impl FnOnce() -> String,
    dst_path: impl FnOnce() -> String,
) {
    if src == dst {
        problems.add(
            dst_path,
            format!("is {dst}, the same as src"),
            "a NIC does not send to itself",
        );
        return;
    }
    if let Some(n) = nics {
        within(problems, src_path, u64::from(src), &(0..=n - 1), "a NIC");
        within(problems, dst_path, u64::from(dst), &(0..=n - 1), "a NIC");
    }
}

fn check_message(problems: &mut Problems, bytes: Bytes, start: Time, path: impl Fn(&str) -> String) {
    within(
        problems,
        || path("bytes"),
        bytes,
        &limits::FLOW_BYTES,
        "the size of one message",
    );
    within(
        problems,
        || path("start"),
        start,
        &(Time(0)..=limits::MAX_TIME),
        "",
    );
}

fn check_id(problems: &mut Problems, id: u64, place: IdPlace, ids: &mut Vec<(u64, IdPlace)>) {
    if id == 0 {
        problems.add(
            || place.path(),
            "is 0; expected a number above 0".into(),
            "flow ids begin at 1",
        );
    } else {
        ids.push((id, place));
    }
}

fn check_unique(problems: &mut Problems, mut ids: Vec<(u64, IdPlace)>) {
    ids.sort_unstable();
    let mut first = 0;
    for i in 1..ids.len() {
        let (id, place) = ids[i];
        if id == ids[first].0 {
            let reason = format!("is {id}, which {} has already", ids[first].1.path());
            problems.add(|| place.path(), reason, "each flow has its own id");
        } else {
            first = i;
        }
    }
}

/// `fabric`: where the names have to exist, if it is sound.
fn check_faults(faults: &[Fault], fabric: Option<&Fabric>, problems: &mut Problems) {
    if faults.len() > limits::MAX_FAULTS {
        let reason = format!(
            "has {} elements; expected at most {}",
            faults.len(),
            limits::MAX_FAULTS
        );
        problems.add(|| "faults".into(), reason, "");
    }
    for (i, fault) in faults.iter().enumerate() {
        let path = |field: &str| format!("faults[{i}].{field}");
        within(
            problems,
            || path("at"),
            fault.at,
            &(Time(0)..=limits::MAX_TIME),
            "",
        );
        match &fault.what {
            FaultKind::LinkDown { link } | FaultKind::LinkUp { link } => {
                check_link(problems, *link, fabric, path);
            }
            FaultKind::LinkLoss { link, rate } => {
                check_link(problems, *link, fabric, path);
                if !(0.0..=1.0).contains(rate) {
                    let reason = format!("is {rate}; expected 0 to 1");
                    problems.add(|| path("rate"), reason, "the probability that a packet is lost");
                }
            }
            FaultKind::SwitchDown { switch } | FaultKind::SwitchUp { switch } => {
                check_switch(problems, *switch, fabric, path);
            }
        }
    }
}

/// The first index that is too large, as "plane 4 of 0 to 3".
fn outside(parts: &[(&str, u32, u64)]) -> Option<String> {
    let &(what, index, count) = parts
        .iter()
        .find(|&&(_, index, count)| u64::from(index) >= count)?;
    Some(format!(
        "there is no {what} {index}; expected 0 to {}",
        count.saturating_sub(1)
    ))
}

fn check_link(
    problems: &mut Problems,
    link: LinkName,
    fabric: Option<&Fabric>,
    path: impl Fn(&str) -> String,
) {
    let Some(fabric) = fabric else { return };
    let planes = u64::from(fabric.planes);
    let missing = match link {
        LinkName::Nic { plane, nic } => outside(&[("plane", plane, planes), ("NIC", nic, fabric.nics())]),
        LinkName::T0T1 { plane, t0, t1 } => outside(&[
            ("plane", plane, planes),
            ("T0", t0, u64::from(fabric.t0_per_plane)),
            ("T1", t1, u64::from(fabric.t1_per_plane)),
        ]),
    };
    if let Some(reason) = missing {
        problems.add(|| path("link"), format!("is {link}, but {reason}"), "");
    }
}

fn check_switch(
    problems: &mut Problems,
    switch: SwitchName,
    fabric: Option<&Fabric>,
    path: impl Fn(&str) -> String,
) {
    let Some(fabric) = fabric else { return };
    let planes = u64::from(fabric.planes);
    let missing = match switch {
        SwitchName::T0 { plane, index } => outside(&[
            ("plane", plane, planes),
            ("T0", index, u64::from(fabric.t0_per_plane)),
        ]),
        SwitchName::T1 { plane, index } => outside(&[
            ("plane", plane, planes),
            ("T1", index, u64::from(fabric.t1_per_plane)),
        ]),
    };
    if let Some(reason) = missing {
        problems.add(|| path("switch"), format!("is {switch}, but {reason}"), "");
    }
}
