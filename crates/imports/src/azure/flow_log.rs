//! Flow logs as recorded flows: VNet flow logs version 4, NSG flow logs versions 2 and 1 (facts/accelnet.md section 6.5).
//!
//! A flow begins with the state B, goes on with C and ends with E; their counts are those since the entry before, so they are
//! added up. Entries of several records, also of several hours, belong together.

use super::IDLE;
use crate::node::{Node, clip};
use crate::place::{At, Fields, Place, optional, required};
use crate::report::{Report, Reported};
use crate::traffic::{Collector, Full, Key, MAX_FLOWS, Traffic, mac};
use gft::{Address, Direction, Mac, Protocol, Tuple};

/// Tuples that are read of one log at most (our choice).
pub const MAX_TUPLES: usize = 2_000_000;

/// How encryption is said (documented); it does not change the replay.
const ENCRYPTION: [&str; 8] = [
    "X",
    "NX",
    "NX_HW_NOT_SUPPORTED",
    "NX_SW_NOT_READY",
    "NX_NOT_ACCEPTED",
    "NX_NOT_SUPPORTED",
    "NX_LOCAL_DST",
    "NX_FALLBACK",
];

/// Fields of records that say nothing about packets.
const RECORD_IDLE: &[&str] = &[
    "time",
    "category",
    "operationName",
    "resourceId",
    "systemId",
    "flowLogGUID",
    "flowLogResourceID",
    "flowLogVersion",
    "targetResourceID",
    "aclID",
    "rule",
];

/// Which log.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    Vnet4,
    Nsg2,
    Nsg1,
}

impl Version {
    const fn name(self) -> &'static str {
        match self {
            Version::Vnet4 => "VNet flow log version 4",
            Version::Nsg2 => "NSG flow log version 2",
            Version::Nsg1 => "NSG flow log version 1",
        }
    }

    const fn fields(self) -> usize {
        match self {
            Version::Vnet4 | Version::Nsg2 => 13,
            Version::Nsg1 => 8,
        }
    }
}

/// What an entry says of its flow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Begin,
    Continue,
    End,
    Denied,
    /// Version 1 has no states: each entry is a flow.
    Once,
}

struct Entry {
    time_ns: i64,
    tuple: Tuple,
    direction: Direction,
    state: State,
    counts: [u64; 4],
}

struct Reader<'r> {
    report: &'r mut Report,
    flows: Collector,
    tuples: usize,
}

/// Reads what [`crate::format`] took for a flow log.
pub(crate) fn read(root: &Node, report: &mut Report) -> Traffic {
    let mut reader = Reader {
        report,
        flows: Collector::default(),
        tuples: 0,
    };
    let _ = reader.root(At::new(root, &Place::Root));
    reader.flows.finish()
}

impl Reader<'_> {
    fn root(&mut self, root: At<'_, '_>) -> Result<(), Reported> {
        let fields = root.object(self.report, "a flow log")?;
        required!(fields, "records", self.report, "the list of records", |at| self
            .each(at, "a list of records", Self::record))?;
        fields.note_rest(self.report, IDLE);
        Ok(())
    }

    /// Reads the objects of a list; one that cannot be read does not keep the others from being looked at.
    fn each(
        &mut self,
        at: At<'_, '_>,
        expected: &str,
        mut read: impl FnMut(&mut Self, &Fields<'_, '_>) -> Result<(), Reported>,
    ) -> Result<(), Reported> {
        let items = at.list(self.report, expected)?;
        for (i, node) in items.iter().enumerate() {
            let place = Place::Item(at.place, i);
            if let Ok(fields) = At::new(node, &place).object(self.report, "an object") {
                let _ = read(self, &fields);
            }
        }
        Ok(())
    }

    fn record(&mut self, fields: &Fields<'_, '_>) -> Result<(), Reported> {
        let address = self.mac(fields, "macAddress")?;
        if fields.get("flowRecords").is_some() {
            let version = optional!(fields, "flowLogVersion", |at| at.whole(
                self.report,
                4..=4,
                "the version"
            ));
            version.transpose()?;
            required!(fields, "flowRecords", self.report, "the flow records", |at| {
                let inner = at.object(self.report, "an object with \"flows\"")?;
                self.vnet(&inner, address)
            })?;
        } else {
            required!(
                fields,
                "properties",
                self.report,
                "\"flowRecords\" (VNet flow log) or \"properties\" (NSG flow log)",
                |at| {
                    let inner = at.object(self.report, "an object with \"flows\"")?;
                    self.nsg(&inner, address)
                }
            )?;
        }
        fields.note_rest(self.report, RECORD_IDLE);
        Ok(())
    }

    fn mac(&mut self, fields: &Fields<'_, '_>, name: &str) -> Result<Option<Mac>, Reported> {
        const EXPECTED: &str = "a MAC address of 12 hexadecimal digits such as 6045BD112233";
        let read = optional!(fields, name, |at| {
            let text = at.text(self.report, EXPECTED)?;
            mac(text).ok_or_else(|| at.expected(self.report, EXPECTED))
        });
        read.transpose()
    }

    fn vnet(&mut self, fields: &Fields<'_, '_>, address: Option<Mac>) -> Result<(), Reported> {
        required!(fields, "flows", self.report, "the list of flows", |at| {
            self.each(at, "a list of flows", |reader, flow| {
                required!(flow, "flowGroups", reader.report, "the list of groups", |at| {
                    reader.each(at, "a list of groups", |reader, group| {
                        reader.tuples(group, Version::Vnet4, address)
                    })
                })?;
                flow.note_rest(reader.report, RECORD_IDLE);
                Ok(())
            })
        })
    }

    fn nsg(&mut self, fields: &Fields<'_, '_>, address: Option<Mac>) -> Result<(), Reported> {
        let version = required!(fields, "Version", self.report, "1 or 2", |at| at.whole(
            self.report,
            1..=2,
            "the version"
        ))?;
        let version = if version == 1 {
            Version::Nsg1
        } else {
            Version::Nsg2
        };
        required!(fields, "flows", self.report, "the list of rules", |at| {
            self.each(at, "a list of rules", |reader, rule| {
                required!(rule, "flows", reader.report, "the list of flows", |at| {
                    reader.each(at, "a list of flows", |reader, flow| {
                        let own = reader.mac(flow, "mac")?;
                        reader.tuples(flow, version, own.or(address))
                    })
                })?;
                rule.note_rest(reader.report, RECORD_IDLE);
                Ok(())
            })
        })?;
        fields.note_rest(self.report, IDLE);
        Ok(())
    }

    fn tuples(
        &mut self,
        fields: &Fields<'_, '_>,
        version: Version,
        address: Option<Mac>,
    ) -> Result<(), Reported> {
        required!(fields, "flowTuples", self.report, "the list of tuples", |at| {
            let items = at.list(self.report, "a list of tuples")?;
            for (i, node) in items.iter().enumerate() {
                let place = Place::Item(at.place, i);
                let at = At::new(node, &place);
                self.tuples += 1;
                if self.tuples > MAX_TUPLES {
                    let reason = format!("more than {MAX_TUPLES} tuples in the log");
                    return Err(self.report.problem(&place, reason));
                }
                let Ok(text) = at.text(self.report, "a tuple as a text") else {
                    continue;
                };
                match entry(text, version, self.report, &place) {
                    Ok(entry) => self.take(entry, address, &place),
                    Err(reason) => {
                        self.report.problem(&place, reason);
                    }
                }
            }
            Ok(())
        })?;
        fields.note_rest(self.report, RECORD_IDLE);
        Ok(())
    }

    /// Puts an entry to its flow.
    fn take(&mut self, entry: Entry, address: Option<Mac>, place: &Place<'_>) {
        let key: Key = (entry.tuple, entry.direction, address);
        let begins = matches!(entry.state, State::Begin | State::Denied | State::Once);
        if !begins && self.flows.find(&key).is_none() {
            self.report.note(
                place,
                "a flow goes on that did not begin in this log",
                "it is taken to begin with the first entry that tells of it",
            );
        }
        if begins || self.flows.find(&key).is_none() {
            let opened = self.flows.open(key, entry.time_ns);
            if let Err(Full) = opened {
                self.report.note(
                    place,
                    "a flow is not used",
                    format!("at most {MAX_FLOWS} flows are kept"),
                );
                return;
            }
        }
        if let Some(open) = self.flows.find(&key) {
            let [packets, bytes, packets_back, bytes_back] = entry.counts;
            open.flow.allowed = entry.state != State::Denied;
            open.flow.forward.add(packets, bytes);
            open.flow.backward.add(packets_back, bytes_back);
            open.first_ns = open.first_ns.min(entry.time_ns);
            open.last_ns = open.last_ns.max(entry.time_ns);
        }
        if matches!(entry.state, State::End | State::Denied | State::Once) {
            self.flows.close(&key);
        }
    }
}

/// Reads one tuple; the error names the field by its number, from 1.
fn entry(text: &str, version: Version, report: &mut Report, place: &Place<'_>) -> Result<Entry, String> {
    let fields: Vec<&str> = text.split(',').collect();
    if fields.len() != version.fields() {
        return Err(format!(
            "{} fields in {:?}, expected {} ({})",
            fields.len(),
            clip(text),
            version.fields(),
            version.name()
        ));
    }
    let field = |at: usize| fields.get(at).copied().unwrap_or_default().trim();
    let wrong = |at: usize, what: &str, expected: &str| {
        format!(
            "field {} ({what}) is {:?}, expected {expected}",
            at + 1,
            clip(field(at))
        )
    };
    let number = |at: usize, most: u64| {
        let digits = field(at);
        let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u64>().ok().filter(|&n| whole && n <= most)
    };
    // Far enough: the year 2200.
    let unit: i64 = match version {
        Version::Vnet4 => 1_000_000,
        _ => 1_000_000_000,
    };
    let most = 7_258_118_400_000_000_000 / unit as u64;
    let unit_name = match version {
        Version::Vnet4 => "milliseconds since 1970, up to the year 2200",
        _ => "seconds since 1970, up to the year 2200",
    };
    let time = number(0, most).ok_or_else(|| wrong(0, "time", unit_name))?;
    let address = |at: usize, what: &str| {
        let expected = "an IPv4 or IPv6 address";
        field(at)
            .parse::<Address>()
            .map_err(|_| wrong(at, what, expected))
    };
    let port = |at: usize, what: &str| {
        number(at, 65_535)
            .map(|port| port as u16)
            .ok_or_else(|| wrong(at, what, "0 to 65535"))
    };
    let src = address(1, "source")?;
    let dst = address(2, "destination")?;
    let src_port = port(3, "source port")?;
    let dst_port = port(4, "destination port")?;
    let protocol = match (version, field(5)) {
        (Version::Nsg1 | Version::Nsg2, "T") => Protocol::TCP,
        (Version::Nsg1 | Version::Nsg2, "U") => Protocol::UDP,
        (Version::Nsg1 | Version::Nsg2, _) => return Err(wrong(5, "protocol", "T or U")),
        (Version::Vnet4, _) => number(5, 255)
            .map(|number| Protocol(number as u8))
            .ok_or_else(|| wrong(5, "protocol", "an IP protocol number, 0 to 255"))?,
    };
    let direction = match field(6) {
        "I" => Direction::In,
        "O" => Direction::Out,
        _ => return Err(wrong(6, "direction", "I or O")),
    };
    let state = match version {
        Version::Vnet4 => match field(7) {
            "B" => State::Begin,
            "C" => State::Continue,
            "E" => State::End,
            "D" => State::Denied,
            _ => return Err(wrong(7, "state", "B, C, E or D")),
        },
        Version::Nsg1 | Version::Nsg2 => {
            let denied = match field(7) {
                "A" => false,
                "D" => true,
                _ => return Err(wrong(7, "decision", "A or D")),
            };
            match (version, field(8)) {
                _ if denied => State::Denied,
                (Version::Nsg1, _) => State::Once,
                (_, "B") => State::Begin,
                (_, "C") => State::Continue,
                (_, "E") => State::End,
                _ => return Err(wrong(8, "state", "B, C or E")),
            }
        }
    };
    if version == Version::Vnet4 && !ENCRYPTION.contains(&field(8)) {
        report.note(
            place,
            format!("the encryption {:?} is not known", clip(field(8))),
            "encryption does not change the replay",
        );
    }
    let mut counts = [0; 4];
    if version != Version::Nsg1 {
        let names = ["packets forth", "bytes forth", "packets back", "bytes back"];
        for (i, (count, what)) in counts.iter_mut().zip(names).enumerate() {
            let at = 9 + i;
            // NSG flow logs leave the counts out of entries that begin a flow or refuse it.
            if field(at).is_empty() && version == Version::Nsg2 {
                continue;
            }
            *count = number(at, u64::MAX).ok_or_else(|| wrong(at, what, "a whole number"))?;
        }
    }
    Ok(Entry {
        time_ns: time as i64 * unit,
        tuple: Tuple {
            src,
            dst,
            src_port,
            dst_port,
            protocol,
        },
        direction,
        state,
        counts,
    })
}
