//! The URL form: a scenario as the part of a link after `#`.
//!
//! Two forms exist and stay readable for ever:
//!
//! - `1.` and then base64url (RFC 4648 §5, without padding) of the zlib stream (RFC 1950) of the scenario's
//!   compact JSON. It holds the whole scenario, so it means the same experiment even after presets or defaults
//!   of a later schema version have changed. zlib's checksum detects altered links.
//! - `preset/NAME`: a preset as it is today; for pages that point at a preset, not at one exact experiment.
//!
//! A host scenario ([`HostScenario`]) has the same two forms; [`decode_any`] tells which it is.
//!
//! Either may be followed by `&seed=N`, which replaces the scenario's seed, and by `&at=TIME` (as in `&at=12.5us`), a time of the
//! run that the page opens at, paused: see [`moment`]. It is no part of the experiment. Nor are the times of `&marks=TIME:NAME,…`,
//! bookmarks of a fabric's timeline: see [`Mark`].
//!
//! A comparison of several fabrics has forms of its own, which begin with `c=`: see [`encode_compare`].

mod compare;
mod mark;

pub use compare::{
    MAX_COMPARED, MIN_COMPARED, compare_presets, comparison_file, decode_compare, encode_compare,
    is_comparison, read_comparison_file,
};
pub use mark::{MAX_MARK_NAME, MAX_MARKS, Mark, marks, with_marks, without_marks};

use crate::host::{HostScenario, find_host_preset, host_presets};
use crate::json::LoadError;
use crate::limits::MAX_TIME;
use crate::presets::{find_preset, presets};
use crate::problem::Problem;
use crate::quantity::{Time, clip};
use crate::schema::Scenario;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};
use std::borrow::Cow;

/// Longest link that is written or read, in bytes.
pub const MAX_LINK_BYTES: usize = 4 << 20;
/// Largest JSON text inside a link, in bytes.
pub const MAX_UNPACKED_BYTES: usize = 16 << 20;
/// Highest level that compresses in linear time; links are short, so time does not matter.
const COMPRESSION_LEVEL: u8 = 9;

/// Why a link holds no scenario, or a scenario fits no link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Nothing after `#`.
    #[error("the link is empty; expected #1.… or #preset/NAME")]
    Empty,
    /// Longer than [`MAX_LINK_BYTES`].
    #[error("the link has {bytes} bytes; at most {MAX_LINK_BYTES} are read")]
    TooLong {
        /// Length of the link.
        bytes: usize,
    },
    /// The scenario does not fit into a link of at most [`MAX_LINK_BYTES`] or [`MAX_UNPACKED_BYTES`] unpacked.
    #[error("the scenario is too large for a link ({bytes} bytes as JSON); save it as a file instead")]
    ScenarioTooLarge {
        /// Size of its compact JSON.
        bytes: usize,
    },
    /// A link of a later form.
    #[error("the link has form {found}, but this Flowglass reads form 1: a newer Flowglass is needed")]
    NewerForm {
        /// The form's number.
        found: String,
    },
    /// Not a link of Flowglass.
    #[error("the link begins with {given:?}; expected \"1.\" or \"preset/\"")]
    UnknownForm {
        /// Its beginning.
        given: String,
    },
    /// A character that no link has.
    #[error("the link has {character:?} at position {position}, which no link contains")]
    BadCharacter {
        /// The character.
        character: char,
        /// Its position among the characters after `#`, from 1.
        position: usize,
    },
    /// The end is missing.
    #[error("the link is cut off; copy it again from end to end")]
    Truncated,
    /// A character was changed, added or lost.
    #[error("the link was altered on its way (its checksum or its packing is wrong); copy it again")]
    Altered,
    /// More than [`MAX_UNPACKED_BYTES`] unpacked.
    #[error("the link unpacks to more than {MAX_UNPACKED_BYTES} bytes, which no scenario needs")]
    UnpacksTooLarge,
    /// No preset of that name.
    #[error("there is no preset {name:?}; the nearest of {count} are {near}")]
    UnknownPreset {
        /// The name given.
        name: String,
        /// How many there are.
        count: usize,
        /// The names of those whose names are nearest.
        near: String,
    },
    /// Something after `&` that is neither `seed=N` nor `at=TIME` nor `marks=…`.
    #[error(
        "the link has the option {given:?}; expected seed=N with N from 0 to 18446744073709551615, at=TIME with a time of at most 100 s, such as at=12.5us, or marks=TIME:NAME,… for bookmarks"
    )]
    BadOption {
        /// The option given.
        given: String,
    },
    /// An option that is there more than once.
    #[error("the link has the same option a second time, {given:?}; expected each at most once")]
    RepeatedOption {
        /// The second one.
        given: String,
    },
    /// A bookmark that is none.
    #[error(
        "bookmark {number} of the link is {given:?}; expected TIME:NAME with a time of at most 100 s and a name of at most {MAX_MARK_NAME} characters, such as 12.5us:first%20drop"
    )]
    BadMark {
        /// Its number, from 1.
        number: usize,
        /// What stands there.
        given: String,
    },
    /// Two bookmarks at one time.
    #[error(
        "bookmark {number} of the link, {given:?}, is at the time of one before it; expected one at a time"
    )]
    RepeatedMark {
        /// The second one's number, from 1.
        number: usize,
        /// What stands there.
        given: String,
    },
    /// More than [`MAX_MARKS`].
    #[error("the link has {count} bookmarks; at most {MAX_MARKS} are read")]
    TooManyMarks {
        /// How many there are.
        count: usize,
    },
    /// Bookmarks of a run without such a timeline.
    #[error("the link has bookmarks (its option marks), which only links of a single fabric have")]
    MarksElsewhere,
    /// A link of several scenarios where one is expected.
    #[error("the link compares several scenarios, and one is expected")]
    IsComparison,
    /// A link of one scenario where a comparison is expected.
    #[error("the link is no comparison; expected c=1.… or c=preset/NAME,NAME")]
    NotAComparison,
    /// Too few scenarios for a comparison, or too many.
    #[error("the comparison has {}; expected {MIN_COMPARED} to {MAX_COMPARED} scenarios", scenarios(*.count))]
    BadCount {
        /// How many there are.
        count: usize,
    },
    /// A host in a comparison.
    #[error("it is the scenario of a host, and a comparison takes fabrics")]
    HostInComparison,
    /// Something is wrong with one scenario of a comparison.
    #[error("scenario {number} of the comparison: {error}")]
    Compared {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        error: Box<LinkError>,
    },
    /// The text in the link is no scenario.
    #[error("the link holds no scenario: {0}")]
    NotAScenario(LoadError),
    /// The scenario in the link is not valid.
    #[error("the link's scenario is not valid: {}", summary(.0))]
    Invalid(Vec<Problem>),
}

fn scenarios(count: usize) -> String {
    match count {
        0 => "no scenario".into(),
        1 => "1 scenario".into(),
        _ => format!("{count} scenarios"),
    }
}

fn summary(problems: &[Problem]) -> String {
    match problems {
        [] => "no reason is known".into(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{first}; and {} more", rest.len()),
    }
}

/// The link of a scenario, without `#`.
///
/// # Errors
/// [`LinkError::ScenarioTooLarge`] if it would not be read back; only scenarios with some hundred thousand
/// explicit flows are that large.
pub fn encode(scenario: &Scenario) -> Result<String, LinkError> {
    pack("1.", &scenario.to_json_compact())
}

/// The link of a host scenario, without `#`.
///
/// # Errors
/// As of [`encode`].
pub fn encode_host(scenario: &HostScenario) -> Result<String, LinkError> {
    pack("1.", &scenario.to_json_compact())
}

/// `mark`: what the link begins with.
fn pack(mark: &str, json: &str) -> Result<String, LinkError> {
    let too_large = LinkError::ScenarioTooLarge { bytes: json.len() };
    if json.len() > MAX_UNPACKED_BYTES {
        return Err(too_large);
    }
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(json.as_bytes(), COMPRESSION_LEVEL);
    let link = format!("{mark}{}", URL_SAFE_NO_PAD.encode(packed));
    if link.len() > MAX_LINK_BYTES {
        Err(too_large)
    } else {
        Ok(link)
    }
}

/// The link of a preset as it is today, without `#`: `preset/NAME`, and `&seed=N` if a seed is given.
///
/// The name is not checked; see [`presets()`].
pub fn preset(slug: &str, seed: Option<u64>) -> String {
    match seed {
        Some(seed) => format!("preset/{slug}&seed={seed}"),
        None => format!("preset/{slug}"),
    }
}

/// A link that opens at a time of its run; `link` names none.
///
/// Times beyond [`MAX_TIME`] are none of any run: the link stays as it is.
pub fn at_moment(link: &str, at: Time) -> String {
    if at > MAX_TIME {
        return link.to_owned();
    }
    format!("{link}&at={}", at.canonical())
}

/// The time that a link of any form opens at, by its option `at=TIME`.
///
/// # Errors
/// [`LinkError::BadOption`] names an option that is none, [`LinkError::RepeatedOption`] one that is there twice, [`LinkError::Empty`] and [`LinkError::TooLong`] say the same as of
/// [`decode`]. What stands before the options is not looked at.
pub fn moment(link: &str) -> Result<Option<Time>, LinkError> {
    check_length(link)?;
    let (_, options) = take_apart(link)?;
    Ok(read_options(options)?.at)
}

/// Reads a link with or without `#` before it, and validates the scenario.
///
/// # Errors
/// Whatever is wrong, see [`LinkError`].
pub fn decode(link: &str) -> Result<Scenario, LinkError> {
    let opened = open(link)?;
    let mut scenario = match opened.content {
        Content::Preset(name) => by_name(name, true)?,
        Content::Json(json) => Scenario::from_json(&json).map_err(LinkError::NotAScenario)?,
    };
    if let Some(seed) = read_options(opened.options)?.seed {
        scenario.seed = seed;
    }
    scenario.validate().map_err(LinkError::Invalid)?;
    Ok(scenario)
}

/// What a link may hold.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one of them, and it is taken apart at once"
)]
pub enum Linked {
    /// A fabric.
    Fabric(Scenario),
    /// A host.
    Host(HostScenario),
}

/// Reads a link of a fabric or of a host, with or without `#` before it, and validates the scenario.
///
/// # Errors
/// Whatever is wrong, see [`LinkError`].
pub fn decode_any(link: &str) -> Result<Linked, LinkError> {
    let opened = open(link)?;
    let mut scenario = match opened.content {
        Content::Preset(name) => match find_host_preset(name) {
            Some(preset) => preset.scenario(),
            None => return decode(link).map(Linked::Fabric),
        },
        Content::Json(json) if HostScenario::is_meant_by(&json) => {
            HostScenario::from_json(&json).map_err(LinkError::NotAScenario)?
        }
        Content::Json(_) => return decode(link).map(Linked::Fabric),
    };
    let options = read_options(opened.options)?;
    options.check_no_marks()?;
    if let Some(seed) = options.seed {
        scenario.seed = seed;
    }
    scenario.validate().map_err(LinkError::Invalid)?;
    Ok(Linked::Host(scenario))
}

/// A link taken apart.
struct Opened<'a> {
    content: Content<'a>,
    options: Option<&'a str>,
}

enum Content<'a> {
    Preset(&'a str),
    Json(String),
}

fn open(link: &str) -> Result<Opened<'_>, LinkError> {
    check_length(link)?;
    if is_comparison(link) {
        return Err(LinkError::IsComparison);
    }
    let (body, options) = take_apart(link)?;
    let content = if let Some(name) = body.strip_prefix("preset/") {
        Content::Preset(name)
    } else {
        let payload = body.strip_prefix("1.").ok_or_else(|| unknown_form(body))?;
        Content::Json(unpack_json(payload, "1.".len())?)
    };
    Ok(Opened { content, options })
}

fn check_length(link: &str) -> Result<(), LinkError> {
    if link.len() > MAX_LINK_BYTES {
        return Err(LinkError::TooLong { bytes: link.len() });
    }
    Ok(())
}

/// What stands before the options, and the options.
fn take_apart(link: &str) -> Result<(&str, Option<&str>), LinkError> {
    let link = link.trim();
    let link = link.strip_prefix('#').unwrap_or(link);
    if link.is_empty() {
        return Err(LinkError::Empty);
    }
    Ok(match link.split_once('&') {
        Some((body, options)) => (body, Some(options)),
        None => (link, None),
    })
}

/// What stands after the scenario, each at most once.
#[derive(Default)]
struct Options {
    seed: Option<u64>,
    at: Option<Time>,
    marks: Option<Vec<Mark>>,
}

impl Options {
    /// Only the timeline of a fabric has bookmarks.
    fn check_no_marks(&self) -> Result<(), LinkError> {
        match self.marks {
            None => Ok(()),
            Some(_) => Err(LinkError::MarksElsewhere),
        }
    }
}

fn read_options(options: Option<&str>) -> Result<Options, LinkError> {
    let mut read = Options::default();
    for written in options.into_iter().flat_map(|o| o.split('&')) {
        let option = percent_decoded(written);
        let is_repeated = if let Some(list) = written.strip_prefix("marks=") {
            // A name may have an escaped comma.
            read.marks.replace(mark::read(list)?).is_some()
        } else if let Some(seed) = seed(&option) {
            read.seed.replace(seed).is_some()
        } else if let Some(at) = at(&option) {
            read.at.replace(at).is_some()
        } else {
            return Err(LinkError::BadOption { given: clip(&option) });
        };
        if is_repeated {
            return Err(LinkError::RepeatedOption { given: clip(&option) });
        }
    }
    Ok(read)
}

/// A text as it was before a browser escaped it for an address (RFC 3986 §2.1). What is no escape, or none of UTF-8, stays as it
/// is.
pub fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let (mut decoded, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let digit = |place: usize| char::from(*bytes.get(place)?).to_digit(16);
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).map_or(Cow::Borrowed(text), Cow::Owned)
}

fn unknown_form(body: &str) -> LinkError {
    match body.split_once('.') {
        Some((form, _)) if form.len() <= 9 && form.parse().is_ok_and(|n: u32| n > 1) => {
            LinkError::NewerForm {
                found: form.to_owned(),
            }
        }
        _ => LinkError::UnknownForm { given: clip(body) },
    }
}

/// `with_hosts`: whether the preset of a host would be right as well.
fn by_name(name: &str, with_hosts: bool) -> Result<Scenario, LinkError> {
    let Some(preset) = find_preset(name) else {
        let hosts = host_presets().iter().map(|preset| preset.slug);
        let mut known: Vec<&str> = presets().iter().map(|preset| preset.slug).collect();
        known.extend(hosts.filter(|_| with_hosts));
        let name = percent_decoded(name);
        return Err(LinkError::UnknownPreset {
            name: clip(&name),
            count: known.len(),
            near: crate::nearest(&name, known).join(", "),
        });
    };
    Ok(preset.scenario())
}

fn at(option: &str) -> Option<Time> {
    let time = option.strip_prefix("at=")?.parse::<Time>().ok()?;
    (time <= MAX_TIME).then_some(time)
}

fn seed(option: &str) -> Option<u64> {
    let digits = option.strip_prefix("seed=")?;
    if digits.bytes().all(|b| b.is_ascii_digit()) {
        digits.parse().ok()
    } else {
        None
    }
}

/// `offset`: characters of the link before the payload.
fn unpack_json(payload: &str, offset: usize) -> Result<String, LinkError> {
    // Some programs add the padding that base64url leaves out.
    let payload = payload.trim_end_matches('=');
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if let Some((i, character)) = payload.chars().enumerate().find(|&(_, c)| !allowed(c)) {
        return Err(LinkError::BadCharacter {
            character,
            position: offset + i + 1,
        });
    }
    // With only allowed characters, what is left to go wrong is an end within a byte.
    let packed = URL_SAFE_NO_PAD
        .decode(payload)
        .map_err(|_| LinkError::Truncated)?;
    String::from_utf8(unpack(&packed)?).map_err(|_| LinkError::Altered)
}

fn unpack(packed: &[u8]) -> Result<Vec<u8>, LinkError> {
    let mut state = InflateState::new_boxed(DataFormat::Zlib);
    let mut unpacked = Vec::new();
    let mut chunk = vec![0; 32 << 10];
    let mut rest = packed;
    loop {
        let step = inflate(&mut state, rest, &mut chunk, MZFlush::None);
        rest = &rest[step.bytes_consumed..];
        unpacked.extend_from_slice(&chunk[..step.bytes_written]);
        if unpacked.len() > MAX_UNPACKED_BYTES {
            return Err(LinkError::UnpacksTooLarge);
        }
        match step.status {
            Ok(MZStatus::StreamEnd) if rest.is_empty() => return Ok(unpacked),
            Ok(MZStatus::Ok) if step.bytes_consumed + step.bytes_written > 0 => {}
            Ok(MZStatus::Ok) | Err(MZError::Buf) => return Err(LinkError::Truncated),
            Ok(_) | Err(_) => return Err(LinkError::Altered),
        }
    }
}
