//! Elements of `traffic`.

use super::{FormError, Kind, form};
use crate::quantity::{Bytes, Time};
use crate::schema::{Collective, FlowTuple, Traffic};
use serde::Deserialize;

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Tag {
    Flow,
    Permutation,
    Incast,
    AllToAll,
    Flows,
    Job,
}

impl Tag {
    const fn kind(self) -> Kind {
        let (name, fields): (_, &'static [&'static str]) = match self {
            Self::Flow => ("flow", &["src", "dst", "bytes", "messages", "imm", "start", "id"]),
            Self::Permutation => ("permutation", &["shift", "bytes", "messages", "imm", "start"]),
            Self::Incast => ("incast", &["dst", "senders", "bytes", "messages", "imm", "start"]),
            Self::AllToAll => ("all_to_all", &["nics", "bytes", "messages", "imm", "start"]),
            Self::Flows => ("flows", &["list"]),
            Self::Job => (
                "job",
                &[
                    "collective",
                    "ranks",
                    "first_rank",
                    "stride",
                    "bytes",
                    "steps",
                    "compute",
                    "start",
                ],
            ),
        };
        Kind { name, fields }
    }
}

form! {
    /// Any element.
    TrafficForm {
        kind: Tag,
        ;
        src: u32,
        dst: u32,
        shift: u32,
        senders: u32,
        nics: u32,
        collective: Collective,
        ranks: u32,
        first_rank: u32,
        stride: u32,
        bytes: Bytes,
        messages: u64,
        imm: bool,
        steps: u32,
        compute: Time,
        start: Time,
        id: u64,
        list: Vec<FlowTuple>,
    }
}

impl TryFrom<TrafficForm> for Traffic {
    type Error = FormError;

    fn try_from(form: TrafficForm) -> Result<Self, FormError> {
        let kind = form.kind.kind();
        kind.admits(form.there())?;
        let bytes = || kind.needs("bytes", form.bytes);
        let messages = form.messages.unwrap_or(1);
        let imm = form.imm.unwrap_or_default();
        let start = form.start.unwrap_or_default();
        Ok(match form.kind {
            Tag::Flow => Self::Flow {
                src: kind.needs("src", form.src)?,
                dst: kind.needs("dst", form.dst)?,
                bytes: bytes()?,
                messages,
                imm,
                start,
                id: form.id,
            },
            Tag::Permutation => Self::Permutation {
                shift: kind.needs("shift", form.shift)?,
                bytes: bytes()?,
                messages,
                imm,
                start,
            },
            Tag::Incast => Self::Incast {
                dst: kind.needs("dst", form.dst)?,
                senders: kind.needs("senders", form.senders)?,
                bytes: bytes()?,
                messages,
                imm,
                start,
            },
            Tag::AllToAll => Self::AllToAll {
                nics: kind.needs("nics", form.nics)?,
                bytes: bytes()?,
                messages,
                imm,
                start,
            },
            Tag::Flows => Self::Flows {
                list: kind.needs("list", form.list)?,
            },
            Tag::Job => Self::Job {
                collective: kind.needs("collective", form.collective)?,
                ranks: kind.needs("ranks", form.ranks)?,
                first_rank: form.first_rank.unwrap_or_default(),
                stride: form.stride.unwrap_or(1),
                bytes: bytes()?,
                steps: form.steps.unwrap_or(1),
                compute: form.compute.unwrap_or_default(),
                start,
            },
        })
    }
}
