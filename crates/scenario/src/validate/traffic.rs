//! Traffic: bounds of each element, the number of flows, unique ids.

use super::within;
use crate::expand::flow_count;
use crate::limits;
use crate::problem::Problems;
use crate::quantity::{Bytes, Time};
use crate::schema::{Collective, Fabric, FlowTuple, Traffic};

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

/// `fabric`: whose NICs they are, if it is sound. `qps`: QPs of each flow, be that valid or not.
pub(super) fn check_traffic(traffic: &[Traffic], fabric: Option<&Fabric>, qps: u32, problems: &mut Problems) {
    let nics = fabric.map(Fabric::nics);
    let mut flows = 0u64;
    let mut ids = Vec::new();
    for (element, item) in traffic.iter().enumerate() {
        flows = flows.saturating_add(flow_count(item, fabric, qps));
        let path = |field: &str| format!("traffic[{element}].{field}");
        match *item {
            Traffic::Flow {
                src,
                dst,
                bytes,
                messages,
                imm: _,
                start,
                id,
            } => {
                check_ends(problems, src, dst, nics, || path("src"), || path("dst"));
                check_messages(problems, bytes, messages, start, path);
                if let Some(id) = id {
                    let place = IdPlace {
                        element,
                        in_list: None,
                    };
                    check_id(problems, id, place, &mut ids);
                }
            }
            Traffic::Permutation {
                shift,
                bytes,
                messages,
                imm: _,
                start,
            } => {
                if let Some(n) = nics {
                    let hint = "the distance between sender and receiver";
                    within(problems, || path("shift"), u64::from(shift), &(1..=n - 1), hint);
                }
                check_messages(problems, bytes, messages, start, path);
            }
            Traffic::Incast {
                dst,
                senders,
                bytes,
                messages,
                imm: _,
                start,
            } => {
                if let Some(n) = nics {
                    within(problems, || path("dst"), u64::from(dst), &(0..=n - 1), "a NIC");
                    let hint = "NICs other than the receiver";
                    within(
                        problems,
                        || path("senders"),
                        u64::from(senders),
                        &(1..=n - 1),
                        hint,
                    );
                }
                check_messages(problems, bytes, messages, start, path);
            }
            Traffic::AllToAll {
                nics: members,
                bytes,
                messages,
                imm: _,
                start,
            } => {
                if let Some(n) = nics {
                    within(
                        problems,
                        || path("nics"),
                        u64::from(members),
                        &(2..=n),
                        "NICs that take part",
                    );
                }
                check_messages(problems, bytes, messages, start, path);
            }
            Traffic::Flows { ref list } => check_list(problems, list, element, nics, &mut ids),
            Traffic::Job { .. } => check_job(problems, item, nics, path),
        }
    }
    let range = limits::FLOWS;
    if !range.contains(&flows) {
        let what = if qps > 1 { "QPs" } else { "flows" };
        let reason = format!(
            "makes {flows} {what} in all; expected {} to {}",
            range.start(),
            range.end()
        );
        let hint = if qps > 1 { "transport.qps of each flow" } else { "" };
        problems.add(|| "traffic".into(), reason, hint);
    }
    check_unique(problems, ids);
}

/// Members, sizes, steps and times of a job.
fn check_job(problems: &mut Problems, item: &Traffic, nics: Option<u64>, path: impl Fn(&str) -> String) {
    let Traffic::Job {
        collective,
        ranks,
        first_rank,
        stride,
        bytes,
        steps,
        compute,
        start,
    } = *item
    else {
        return;
    };
    let most = nics.unwrap_or(*limits::NICS.end());
    let members = within(
        problems,
        || path("ranks"),
        u64::from(ranks),
        &(2..=most),
        "ranks that take part",
    );
    if members && collective == Collective::SendReceive && !ranks.is_multiple_of(2) {
        let reason = format!("is {ranks}; expected an even number");
        problems.add(|| path("ranks"), reason, "send_receive pairs them");
    }
    let strides = within(problems, || path("stride"), stride, &(1..=u32::MAX), "");
    let last = u64::from(first_rank) + u64::from(ranks.saturating_sub(1)) * u64::from(stride);
    if members && strides && last >= most {
        let reason = format!("makes the last member rank {last}; expected at most {}", most - 1);
        problems.add(|| path("first_rank"), reason, "first_rank + (ranks − 1) · stride");
    }
    check_message(problems, bytes, start, &path);
    within(
        problems,
        || path("compute"),
        compute,
        &(Time(0)..=limits::MAX_TIME),
        "",
    );
    if within(problems, || path("steps"), steps, &limits::STEPS, "") && members {
        let per_step = collective.messages_per_step(ranks);
        let messages = u64::from(per_step) * u64::from(steps);
        let size = collective.message_bytes(bytes.0, ranks);
        check_total(problems, size, messages, || path("steps"));
    }
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

fn check_message(problems: &mut Problems, bytes: Bytes, start: Time, path: impl Fn(&str) -> String) -> bool {
    let sized = within(
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
    sized
}

fn check_messages(
    problems: &mut Problems,
    bytes: Bytes,
    messages: u64,
    start: Time,
    path: impl Fn(&str) -> String,
) {
    if check_message(problems, bytes, start, &path) {
        check_total(problems, bytes.0, messages, || path("messages"));
    }
}

/// Bounds what one flow sends: in messages, and in bytes.
fn check_total(problems: &mut Problems, bytes: u64, messages: u64, path: impl Fn() -> String) {
    let range = limits::MESSAGES;
    if !range.contains(&messages) {
        let reason = format!(
            "makes {messages} messages of one flow; expected {} to {}",
            range.start(),
            range.end()
        );
        problems.add(path, reason, "");
        return;
    }
    let most = *limits::FLOW_BYTES.end();
    if bytes.saturating_mul(messages) > most.0 {
        let reason = format!(
            "makes one flow send {messages} × {}; expected at most {most} in all",
            Bytes(bytes)
        );
        problems.add(path, reason, "");
    }
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
