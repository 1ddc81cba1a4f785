//! The list of service tags with their addresses, as Azure publishes it for download and its interface gives it
//! (facts/accelnet.md section 6.1). It fills [`Options::tags`](crate::Options::tags).

use super::IDLE;
use super::resource::each;
use crate::node::Node;
use crate::place::{At, Fields, Place, required};
use crate::report::{Report, Reported};
use gft::Prefix;
use std::collections::BTreeMap;

/// Tags of one list at most (our choice; Azure has some thousands).
pub const MAX_TAGS: usize = 50_000;

/// Addresses by the tag's name.
pub type ServiceTags = BTreeMap<String, Vec<Prefix>>;

/// Fields that say nothing about addresses.
const TAG_IDLE: [&str; 6] = [
    "changeNumber",
    "region",
    "regionId",
    "platform",
    "systemService",
    "networkFeatures",
];

/// Reads what [`crate::format`] took for service tags.
pub(crate) fn read(root: &Node, report: &mut Report) -> ServiceTags {
    let mut tags = Vec::new();
    let _ = whole(At::new(root, &Place::Root), report, &mut tags);
    let mut all = ServiceTags::new();
    for (name, prefixes) in tags {
        all.entry(name).or_default().extend(prefixes);
    }
    all
}

fn whole(
    root: At<'_, '_>,
    report: &mut Report,
    tags: &mut Vec<(String, Vec<Prefix>)>,
) -> Result<(), Reported> {
    let fields = root.object(report, "a list of service tags")?;
    required!(fields, "values", report, "the list of tags", |at| each(
        at,
        report,
        "a list of tags",
        MAX_TAGS,
        tags,
        |name, fields, report| tag(name, fields, report).map(Some)
    ))?;
    let _ = (fields.get("changeNumber"), fields.get("cloud"));
    fields.note_rest(report, IDLE);
    Ok(())
}

fn tag(name: &str, fields: &Fields<'_, '_>, report: &mut Report) -> Result<(String, Vec<Prefix>), Reported> {
    if name.is_empty() {
        return Err(report.problem(fields.place(), "the tag has no \"name\", expected one"));
    }
    let prefixes = required!(
        fields,
        "addressPrefixes",
        report,
        "the list of the tag's prefixes",
        |at| {
            let items = at.list(report, "a list of prefixes")?;
            let mut prefixes = Vec::with_capacity(items.len());
            for (i, node) in items.iter().enumerate() {
                let place = Place::Item(at.place, i);
                let at = At::new(node, &place);
                let text = at.text(report, "a prefix such as 20.0.0.0/8")?;
                let prefix = text.parse::<Prefix>();
                prefixes.push(prefix.map_err(|error| report.problem(&place, error.to_string()))?);
            }
            Ok(prefixes)
        }
    )?;
    for idle in TAG_IDLE {
        let _ = fields.get(idle);
    }
    Ok((name.to_owned(), prefixes))
}
