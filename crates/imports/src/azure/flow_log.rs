//! Flow logs as recorded flows: VNet flow logs version 4, NSG flow logs versions 2 and 1 (facts/accelnet.md section 6.5).
//!
//! A flow begins with the state B, goes on with C and ends with E; their counts are those since the entry before, so they are
//! added up. Entries of several records, also of several hours, belong together.

mod entry;

use super::IDLE;
use crate::node::Node;
use crate::place::{At, Fields, Place, optional, required};
use crate::report::{Report, Reported};
use crate::traffic::{Collector, Full, Key, MAX_FLOWS, Traffic, mac};
use entry::{Entry, State, Version, entry};
use gft::Mac;

/// Tuples that are read of one log at most (our choice).
pub const MAX_TUPLES: usize = 2_000_000;

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
