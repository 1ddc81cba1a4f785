//! The forms in which elements of `traffic` and `faults` are read from JSON.
//!
//! Each form has the fields of all kinds, read with their own types as they come, so that an error in one is
//! reported at that field with its line and column. (An internally tagged enum would be buffered first, and
//! errors would carry the place of the whole object; and `deny_unknown_fields` does not work with `flatten`.)

use crate::place::{LinkName, SwitchName};
use crate::quantity::{Bytes, Time};
use crate::schema::{Fault, FaultKind, FlowTuple, Traffic};
use serde::Deserialize;
use std::fmt;

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TrafficTag {
    Flow,
    Permutation,
    Incast,
    AllToAll,
    Flows,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrafficForm {
    kind: TrafficTag,
    src: Option<u32>,
    dst: Option<u32>,
    shift: Option<u32>,
    senders: Option<u32>,
    nics: Option<u32>,
    bytes: Option<Bytes>,
    start: Option<Time>,
    id: Option<u64>,
    list: Option<Vec<FlowTuple>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FaultTag {
    LinkDown,
    LinkUp,
    LinkLoss,
    SwitchDown,
    SwitchUp,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FaultForm {
    at: Time,
    kind: FaultTag,
    link: Option<LinkName>,
    rate: Option<f64>,
    switch: Option<SwitchName>,
}

/// A field that a kind needs is absent, or one is there that the kind does not have.
#[derive(Debug)]
pub(crate) enum FormError {
    Missing {
        kind: &'static str,
        field: &'static str,
    },
    Foreign {
        kind: &'static str,
        field: &'static str,
        fields: &'static str,
    },
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { kind, field } => write!(f, "missing field `{field}`, which {kind:?} needs"),
            Self::Foreign { kind, field, fields } => {
                write!(
                    f,
                    "field `{field}` does not belong to {kind:?}, which has {fields}"
                )
            }
        }
    }
}

/// One kind's name and, for messages, its fields.
struct Kind {
    name: &'static str,
    fields: &'static str,
}

impl Kind {
    fn needs<T>(&self, field: &'static str, value: Option<T>) -> Result<T, FormError> {
        value.ok_or(FormError::Missing {
            kind: self.name,
            field,
        })
    }

    /// Refuses the first of `others` that is there.
    fn excludes(&self, others: &[(&'static str, bool)]) -> Result<(), FormError> {
        match others.iter().find(|(_, there)| *there) {
            Some(&(field, _)) => Err(FormError::Foreign {
                kind: self.name,
                field,
                fields: self.fields,
            }),
            None => Ok(()),
        }
    }
}

impl TryFrom<TrafficForm> for Traffic {
    type Error = FormError;

    fn try_from(form: TrafficForm) -> Result<Self, FormError> {
        let TrafficForm {
            kind,
            src,
            dst,
            shift,
            senders,
            nics,
            bytes,
            start,
            id,
            list,
        } = form;
        let start_at = start.unwrap_or_default();
        let (src_there, dst_there) = (("src", src.is_some()), ("dst", dst.is_some()));
        let (shift_there, senders_there) = (("shift", shift.is_some()), ("senders", senders.is_some()));
        let (nics_there, bytes_there) = (("nics", nics.is_some()), ("bytes", bytes.is_some()));
        let (start_there, id_there) = (("start", start.is_some()), ("id", id.is_some()));
        let list_there = ("list", list.is_some());
        match kind {
            TrafficTag::Flow => {
                let kind = Kind {
                    name: "flow",
                    fields: "src, dst, bytes, start, id",
                };
                kind.excludes(&[shift_there, senders_there, nics_there, list_there])?;
                Ok(Self::Flow {
                    src: kind.needs("src", src)?,
                    dst: kind.needs("dst", dst)?,
                    bytes: kind.needs("bytes", bytes)?,
                    start: start_at,
                    id,
                })
            }
            TrafficTag::Permutation => {
                let kind = Kind {
                    name: "permutation",
                    fields: "shift, bytes, start",
                };
                kind.excludes(&[
                    src_there,
                    dst_there,
                    senders_there,
                    nics_there,
                    id_there,
                    list_there,
                ])?;
                Ok(Self::Permutation {
                    shift: kind.needs("shift", shift)?,
                    bytes: kind.needs("bytes", bytes)?,
                    start: start_at,
                })
            }
            TrafficTag::Incast => {
                let kind = Kind {
                    name: "incast",
                    fields: "dst, senders, bytes, start",
                };
                kind.excludes(&[src_there, shift_there, nics_there, id_there, list_there])?;
                Ok(Self::Incast {
                    dst: kind.needs("dst", dst)?,
                    senders: kind.needs("senders", senders)?,
                    bytes: kind.needs("bytes", bytes)?,
                    start: start_at,
                })
            }
            TrafficTag::AllToAll => {
                let kind = Kind {
                    name: "all_to_all",
                    fields: "nics, bytes, start",
                };
                kind.excludes(&[
                    src_there,
                    dst_there,
                    shift_there,
                    senders_there,
                    id_there,
                    list_there,
                ])?;
                Ok(Self::AllToAll {
                    nics: kind.needs("nics", nics)?,
                    bytes: kind.needs("bytes", bytes)?,
                    start: start_at,
                })
            }
            TrafficTag::Flows => {
                let kind = Kind {
                    name: "flows",
                    fields: "list",
                };
                kind.excludes(&[src_there, dst_there, shift_there, senders_there, nics_there])?;
                kind.excludes(&[bytes_there, start_there, id_there])?;
                Ok(Self::Flows {
                    list: kind.needs("list", list)?,
                })
            }
        }
    }
}

impl TryFrom<FaultForm> for Fault {
    type Error = FormError;

    fn try_from(form: FaultForm) -> Result<Self, FormError> {
        let FaultForm {
            at,
            kind,
            link,
            rate,
            switch,
        } = form;
        let (link_there, switch_there) = (("link", link.is_some()), ("switch", switch.is_some()));
        let rate_there = ("rate", rate.is_some());
        let what = match kind {
            FaultTag::LinkDown => {
                let kind = Kind {
                    name: "link_down",
                    fields: "at, link",
                };
                kind.excludes(&[rate_there, switch_there])?;
                FaultKind::LinkDown {
                    link: kind.needs("link", link)?,
                }
            }
            FaultTag::LinkUp => {
                let kind = Kind {
                    name: "link_up",
                    fields: "at, link",
                };
                kind.excludes(&[rate_there, switch_there])?;
                FaultKind::LinkUp {
                    link: kind.needs("link", link)?,
                }
            }
            FaultTag::LinkLoss => {
                let kind = Kind {
                    name: "link_loss",
                    fields: "at, link, rate",
                };
                kind.excludes(&[switch_there])?;
                FaultKind::LinkLoss {
                    link: kind.needs("link", link)?,
                    rate: kind.needs("rate", rate)?,
                }
            }
            FaultTag::SwitchDown => {
                let kind = Kind {
                    name: "switch_down",
                    fields: "at, switch",
                };
                kind.excludes(&[link_there, rate_there])?;
                FaultKind::SwitchDown {
                    switch: kind.needs("switch", switch)?,
                }
            }
            FaultTag::SwitchUp => {
                let kind = Kind {
                    name: "switch_up",
                    fields: "at, switch",
                };
                kind.excludes(&[link_there, rate_there])?;
                FaultKind::SwitchUp {
                    switch: kind.needs("switch", switch)?,
                }
            }
        };
        Ok(Self { at, what })
    }
}
