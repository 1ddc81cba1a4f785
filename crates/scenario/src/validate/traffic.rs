//! Traffic: bounds of each element, the number of flows, unique ids.

use super::within;
use crate::limits;
use crate::problem::Problems;
use crate::quantity::{Bytes, Time};
use crate::schema::{FlowTuple, Traffic};

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
pub(super) fn check_traffic(traffic: &[Traffic], nics: Option<u64>, problems: &mut Problems) {
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
