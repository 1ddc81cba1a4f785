//! Azure's resources in both of their forms: with `properties` (REST, templates) and flat (the command line).

use super::IDLE;
use crate::place::{At, Fields, Place, optional};
use crate::report::{Report, Reported};
use crate::terms::last_part;

/// Reads an object's fields from its `properties` if it has them, and from itself if not. The name is the empty text where
/// there is none. What `read` does not ask for is noted.
pub(crate) fn resource<T>(
    at: At<'_, '_>,
    report: &mut Report,
    expected: &str,
    read: impl FnOnce(&str, &Fields<'_, '_>, &mut Report) -> Result<T, Reported>,
) -> Result<T, Reported> {
    let outer = at.object(report, expected)?;
    let name = optional!(outer, "name", |at| at.text(report, "a name")).transpose()?;
    let name = name.unwrap_or_default();
    let value = match outer.get("properties") {
        Some((inner, node)) => {
            let place = Place::Field(outer.place(), inner);
            let inner = At::new(node, &place).object(report, "the properties")?;
            let value = read(name, &inner, report)?;
            inner.note_rest(report, IDLE);
            value
        }
        None => read(name, &outer, report)?,
    };
    outer.note_rest(report, IDLE);
    Ok(value)
}

/// Reads each object of a list into `into`; one that cannot be read does not keep the others from being looked at.
pub(crate) fn each<T>(
    at: At<'_, '_>,
    report: &mut Report,
    expected: &str,
    most: usize,
    into: &mut Vec<T>,
    mut read: impl FnMut(&str, &Fields<'_, '_>, &mut Report) -> Result<Option<T>, Reported>,
) -> Result<(), Reported> {
    let items = at.list(report, expected)?;
    if items.len() > most {
        return Err(report.problem(
            at.place,
            format!("{} entries, expected at most {most}", items.len()),
        ));
    }
    for (i, node) in items.iter().enumerate() {
        let place = Place::Item(at.place, i);
        let one = resource(At::new(node, &place), report, "an object", &mut read);
        if let Ok(Some(value)) = one {
            into.push(value);
        }
    }
    Ok(())
}

/// The name of the resource that an object with an `id` refers to.
pub(crate) fn reference(at: At<'_, '_>, report: &mut Report) -> Result<String, Reported> {
    let fields = at.object(report, "an object with the resource's \"id\"")?;
    let id = crate::place::required!(fields, "id", report, "the resource's ID", |at| at
        .text(report, "the resource's ID"))?;
    fields.note_rest(report, IDLE);
    Ok(last_part(id.trim_end_matches(")]").trim_end_matches('\'')).to_owned())
}
