//! What clouds' users already have, as policy and traffic: network security groups, effective rules, load balancers, flow
//! logs, DASH tables and captures.
//!
//! [`import`] tells the format by what is in the input. What is wrong stops it, with the place and what was expected; what is
//! right but cannot be used becomes a [`Note`], so that nothing is dropped silently.
//!
//! ```
//! let nsg = br#"{ "name": "web", "securityRules": [
//!     { "name": "https", "priority": 200, "direction": "Inbound", "access": "Allow", "protocol": "Tcp",
//!       "sourceAddressPrefix": "Internet", "sourcePortRange": "*",
//!       "destinationAddressPrefix": "10.1.0.4", "destinationPortRange": "443" } ] }"#;
//! let imported = imports::import(nsg, &imports::Options::default())?;
//! assert_eq!(imported.policies[0].policy.layers[0].name, "FW_CONTROLLER_LAYER_ID");
//! assert_eq!(imported.notes[0].to_string(), "the input: there are no default rules: Azure's are added \
//!     (priorities 65000, 65001 and 65500 in each direction)");
//! # Ok::<(), imports::ImportError>(())
//! ```

pub mod azure;
mod capture;
pub mod dash;
pub mod files;
mod format;
pub mod host;
mod node;
mod options;
pub mod packet;
mod place;
mod report;
mod terms;
mod traffic;

pub use capture::MAX_PACKETS;
pub use format::Format;
pub use options::{Options, tag};
pub use report::{MAX_MINOR_NOTES, MAX_NOTES, MAX_PROBLEMS, Note, Problem};
pub use terms::Term;
pub use traffic::{Count, MAX_FLOWS, RecordedFlow, Traffic};

use node::{Node, clip};
use report::Report;
use std::borrow::Cow;
use wire::capture::CaptureError;

/// The largest input in bytes (our choice: it must fit a browser tab several times).
pub const MAX_BYTES: usize = 256 << 20;

/// The largest JSON text in bytes (our choice: as a tree it takes several times as much).
pub const MAX_JSON_BYTES: usize = 64 << 20;

/// What an input gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// What it is.
    pub format: Format,
    /// What stands in it.
    pub content: Content,
    /// Policies: one of security groups or load balancers, one for each ENI of DASH tables.
    pub policies: Vec<NamedPolicy>,
    /// Recorded flows; none in a policy.
    pub traffic: Traffic,
    /// What is not used, or not as it stands there.
    pub notes: Vec<Note>,
}

/// The content of an input as its format has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Security groups, from any format that has them.
    SecurityGroups(Vec<azure::nsg::Nsg>),
    /// Load balancers.
    LoadBalancers(Vec<azure::balancer::Balancer>),
    /// DASH tables.
    Dash(Box<dash::Dash>),
    /// Service tags, for [`Options::tags`].
    ServiceTags(azure::service_tags::ServiceTags),
    /// Recorded flows: see [`Imported::traffic`].
    Flows,
}

/// A policy that has the layers its source says something about, with the ids of [`vfp::standard::layer`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPolicy {
    /// Whose it is.
    pub name: String,
    /// The policy. [`vfp::CompiledPolicy::new`] accepts it.
    pub policy: vfp::Policy,
}

/// Why an input cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// There is nothing in it.
    #[error("the input is empty, expected one of: {}", formats())]
    Empty,
    /// It is too large.
    #[error("the input has {bytes} bytes; at most {most} of {what} are read")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// What it is.
        what: &'static str,
        /// The largest size.
        most: usize,
    },
    /// It is text in no encoding that is read.
    #[error("byte {offset} of the input is no UTF-8, expected JSON or a capture (pcap, pcapng)")]
    Encoding {
        /// Where it stops being UTF-8.
        offset: usize,
    },
    /// It is no JSON.
    #[error(
        "line {line}, column {column}: {reason} (read as JSON; accepted are: {})",
        formats()
    )]
    Json {
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
    /// It is JSON, but none that is known.
    #[error("the JSON ({outline}) is in none of the accepted formats: {}", formats())]
    Unknown {
        /// What it looks like.
        outline: String,
    },
    /// It is in a known format and something in it is wrong.
    #[error("{}", lines(.0))]
    Problems(Vec<Problem>),
    /// It is a capture that cannot be read.
    #[error(transparent)]
    Capture(#[from] CaptureError),
}

fn formats() -> String {
    Format::ALL.map(|format| format.to_string()).join("; ")
}

fn lines(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    lines.join("\n")
}

/// Imports an input in any of the formats.
///
/// # Errors
/// [`ImportError`] says what is wrong, where, and what was expected.
pub fn import(bytes: &[u8], options: &Options) -> Result<Imported, ImportError> {
    check_size(bytes, "the input", MAX_BYTES)?;
    let mut report = Report::default();
    if format::is_capture(bytes) {
        let traffic = capture::read(bytes, options, &mut report)?;
        return finish(Format::Capture, Content::Flows, Vec::new(), traffic, report);
    }
    check_size(bytes, "JSON", MAX_JSON_BYTES)?;
    let text = decode(bytes)?;
    if text.trim().is_empty() {
        return Err(ImportError::Empty);
    }
    let root: Node = serde_json::from_str(&text).map_err(|error| not_json(&error))?;
    let Some(format) = format::of_json(&root) else {
        return Err(ImportError::Unknown {
            outline: outline(&root),
        });
    };
    let mut policies = Vec::new();
    let mut traffic = Traffic::default();
    let content = match format {
        Format::SecurityGroups | Format::EffectiveRules => {
            let mut groups = match format {
                Format::SecurityGroups => azure::nsg::read(&root, &mut report),
                _ => azure::read_effective(&root, &mut report),
            };
            if groups.is_empty() && !report.has_problems() {
                report.problem(&place::Place::Root, "there is no network security group in it");
            }
            azure::choose(&mut groups, options, &mut report);
            let name = groups
                .first()
                .map_or_else(String::new, |group| group.name.clone());
            match azure::security(&groups, options, &mut report) {
                Ok(policy) => policies.push(NamedPolicy { name, policy }),
                Err(error) => {
                    report.problem(&place::Place::Root, error.to_string());
                }
            }
            Content::SecurityGroups(groups)
        }
        Format::LoadBalancers => {
            let balancers = azure::balancer::read(&root, &mut report);
            let name = balancers.first().map_or_else(String::new, |own| own.name.clone());
            let policy = azure::balancing(&balancers, options, &mut report);
            policies.push(NamedPolicy { name, policy });
            Content::LoadBalancers(balancers)
        }
        Format::Dash => {
            let tables = dash::read(&root, &mut report);
            policies = dash::policies(&tables, &mut report);
            Content::Dash(Box::new(tables))
        }
        Format::ServiceTags => Content::ServiceTags(azure::service_tags::read(&root, &mut report)),
        Format::FlowLog | Format::Capture => {
            traffic = azure::flow_log::read(&root, &mut report);
            Content::Flows
        }
    };
    finish(format, content, policies, traffic, report)
}

fn finish(
    format: Format,
    content: Content,
    policies: Vec<NamedPolicy>,
    traffic: Traffic,
    report: Report,
) -> Result<Imported, ImportError> {
    let notes = report.finish().map_err(ImportError::Problems)?;
    Ok(Imported {
        format,
        content,
        policies,
        traffic,
        notes,
    })
}

fn check_size(bytes: &[u8], what: &'static str, most: usize) -> Result<(), ImportError> {
    if bytes.len() <= most {
        return Ok(());
    }
    Err(ImportError::TooLarge {
        bytes: bytes.len(),
        what,
        most,
    })
}

/// The text, from UTF-8 or, as Windows PowerShell writes it, UTF-16 with a byte-order mark.
fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, ImportError> {
    let wide = |from_bytes: fn([u8; 2]) -> u16, rest: &[u8]| {
        let (pairs, _) = rest.as_chunks::<2>();
        let units: Vec<u16> = pairs.iter().map(|&pair| from_bytes(pair)).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => return Ok(wide(u16::from_le_bytes, rest)),
        [0xfe, 0xff, rest @ ..] => return Ok(wide(u16::from_be_bytes, rest)),
        _ => {}
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    str::from_utf8(bytes)
        .map(Cow::Borrowed)
        .map_err(|error| ImportError::Encoding {
            offset: error.valid_up_to(),
        })
}

fn not_json(error: &serde_json::Error) -> ImportError {
    let text = error.to_string();
    // The place is reported in fields of its own.
    let reason = text.rfind(" at line ").and_then(|end| text.get(..end));
    ImportError::Json {
        line: error.line(),
        column: error.column(),
        reason: reason.unwrap_or(&text).to_owned(),
    }
}

/// What a JSON text is, in a few words.
fn outline(root: &Node) -> String {
    match root {
        Node::Object(fields) if fields.is_empty() => "an object without fields".into(),
        Node::Object(fields) => {
            let names: Vec<String> = fields
                .iter()
                .take(4)
                .map(|(name, _)| format!("{:?}", clip(name)))
                .collect();
            format!("an object with {}", names.join(", "))
        }
        other => other.to_string(),
    }
}
