//! Several files as one input: lists of service tags are read first, since they say what the others' tags stand for.

use crate::azure::{balancer::Balancer, known_tag, nsg::Nsg};
use crate::report::Report;
use crate::{Content, ImportError, Imported, Note, Options, Problem, Term, import};
use std::collections::BTreeMap;

/// What several files give.
#[derive(Clone, Debug, PartialEq)]
pub struct Files {
    /// Each file's name and what it gives, in the order in which they came.
    pub inputs: Vec<(String, Imported)>,
    /// The options, with the tags of the files; what was given comes before what a file says.
    pub options: Options,
    /// What is said of the options, not of one file.
    pub notes: Vec<Note>,
}

/// Why a file cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", lines(.name, .error))]
pub struct FileError {
    /// The file's name; empty where it is about all of them.
    pub name: String,
    /// What is wrong.
    pub error: ImportError,
}

/// Each line of the error with the file's name before it.
fn lines(name: &str, error: &ImportError) -> String {
    let text = error.to_string();
    match name.is_empty() {
        true => text,
        false => {
            let lines: Vec<String> = text.lines().map(|line| format!("{name}: {line}")).collect();
            lines.join("\n")
        }
    }
}

/// Reads files, each with its name for messages.
///
/// A security group that the options name may be in any of them; files without it are left out of the answer, which is noted.
///
/// # Errors
/// The first file with something wrong, and all that is wrong in it; or that no file has the group that is named.
pub fn read(files: &[(&str, &[u8])], options: &Options) -> Result<Files, FileError> {
    let read = |name: &str, bytes: &[u8], options: &Options| {
        import(bytes, options).map_err(|error| FileError {
            name: name.to_owned(),
            error,
        })
    };
    let any_group = Options {
        nsg: None,
        ..options.clone()
    };
    let mut report = Report::default();
    let mut inputs = Vec::new();
    let mut tags = BTreeMap::new();
    for (name, bytes) in files {
        let imported = read(name, bytes, &any_group)?;
        if let Content::ServiceTags(own) = &imported.content {
            tags.extend(own.clone());
        }
        inputs.push((imported, *name, *bytes));
    }
    for tag in options.tags.keys() {
        let used = inputs.iter().any(|(imported, ..)| names(imported, tag));
        if known_tag(tag).is_some() {
            let why = "what it stands for follows from the address spaces of the virtual network";
            report.note(
                format_args!("the tag {tag}"),
                "what is given for it is not used",
                why,
            );
        } else if !used {
            let why = "no rule, frontend or backend pool names it";
            report.note(
                format_args!("the tag {tag}"),
                "what is given for it is not used",
                why,
            );
        }
    }
    if let Some(name) = &options.nsg {
        choose(name, &mut inputs, &mut report)?;
    }
    let from_files = !tags.is_empty();
    tags.extend(options.tags.clone());
    let options = Options {
        tags,
        ..options.clone()
    };
    let mut finished = Vec::new();
    for (imported, name, bytes) in inputs {
        let again = match imported.content {
            Content::SecurityGroups(_) => from_files || options.nsg.is_some(),
            Content::LoadBalancers(_) => from_files,
            _ => false,
        };
        let imported = if again {
            read(name, bytes, &options)?
        } else {
            imported
        };
        finished.push((name.to_owned(), imported));
    }
    Ok(Files {
        inputs: finished,
        options,
        notes: report.finish().unwrap_or_default(),
    })
}

/// Leaves out the files with security groups none of which has this name.
fn choose(
    name: &str,
    inputs: &mut Vec<(Imported, &str, &[u8])>,
    report: &mut Report,
) -> Result<(), FileError> {
    let mut known = Vec::new();
    let mut found = false;
    inputs.retain(|(imported, file, _)| {
        let Content::SecurityGroups(groups) = &imported.content else {
            return true;
        };
        let has = groups.iter().any(|group| group.name.eq_ignore_ascii_case(name));
        found |= has;
        known.extend(groups.iter().take(20).map(|group| group.name.clone()));
        if !has {
            report.note(
                file,
                "its security groups are not used",
                "another group is chosen",
            );
        }
        has
    });
    if found {
        return Ok(());
    }
    let among = match known.is_empty() {
        true => "a file with security groups".to_owned(),
        false => format!("one of: {}", known.join(", ")),
    };
    Err(FileError {
        name: String::new(),
        error: ImportError::Problems(vec![Problem {
            place: String::new(),
            reason: format!("there is no security group {name:?}, expected {among}"),
        }]),
    })
}

/// Whether something in an input has a tag's name.
fn names(imported: &Imported, tag: &str) -> bool {
    match &imported.content {
        Content::SecurityGroups(groups) => groups.iter().any(|group| in_group(group, tag)),
        Content::LoadBalancers(balancers) => balancers.iter().any(|own| in_balancer(own, tag)),
        Content::Dash(_) | Content::ServiceTags(_) | Content::Flows => false,
    }
}

fn in_group(group: &Nsg, tag: &str) -> bool {
    let is = |term: &Term| matches!(term, Term::Tag(name) | Term::Group(name) if name == tag);
    group
        .rules
        .iter()
        .any(|rule| rule.sources.iter().chain(&rule.destinations).any(is))
}

fn in_balancer(balancer: &Balancer, tag: &str) -> bool {
    let frontends = balancer.frontends.iter().map(|own| &own.name);
    frontends
        .chain(balancer.pools.iter().map(|own| &own.name))
        .any(|name| name == tag)
}
