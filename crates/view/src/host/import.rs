//! Files that clouds and captures give: which of those that a user opens they are, what the page asks of the worker about them,
//! and what comes back.

use crate::text_file;
use scenario::host::HostScenario;
use serde::{Deserialize, Serialize};

/// Bytes of all files of one import at most: what the import reads of one (`imports::MAX_BYTES`), as all are in memory at once.
pub const MAX_BYTES: u64 = 256 << 20;

/// Bytes at the beginning of a file that tell what it is. A scenario has its version or its fabric within them, unless a list
/// stands before these that is longer than any that people write.
pub const HEAD_BYTES: u32 = 1 << 20;

/// What is asked of the worker; the files' bytes are beside it, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// The files.
    pub files: Vec<File>,
    /// What is said of what they leave open.
    pub said: Said,
}

/// A file of an import.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct File {
    /// Its name, for messages.
    pub name: String,
    /// How many of the bytes are its own.
    pub bytes: u64,
}

/// What the formats leave open, as somebody typed it. What is empty is as the import has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The VM's own addresses.
    pub vm: String,
    /// Address spaces of the virtual network.
    pub vnet: String,
    /// What tags stand for: `NAME=PREFIX,…`, several apart by blanks.
    pub tags: String,
    /// The security group that is meant, where there are several.
    pub nsg: String,
}

/// A field of [`Said`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Field {
    /// The VM's own addresses.
    Vm,
    /// Address spaces of the virtual network.
    Vnet,
    /// What tags stand for.
    Tags,
    /// The security group that is meant.
    Nsg,
}

impl Field {
    /// All of them, in the order of the form.
    pub const ALL: [Field; 4] = [Field::Vm, Field::Vnet, Field::Tags, Field::Nsg];

    /// The name in the page.
    pub const fn slug(self) -> &'static str {
        match self {
            Field::Vm => "vm",
            Field::Vnet => "vnet",
            Field::Tags => "tags",
            Field::Nsg => "nsg",
        }
    }

    /// The name for people.
    pub const fn label(self) -> &'static str {
        match self {
            Field::Vm => "The VM's own addresses",
            Field::Vnet => "Address spaces of the virtual network",
            Field::Tags => "What tags stand for",
            Field::Nsg => "Security group",
        }
    }

    /// What holds where nothing is said.
    pub const fn otherwise(self) -> &'static str {
        match self {
            Field::Vm => "of a capture, the one most packets have",
            Field::Vnet => "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16",
            Field::Tags => "Storage=20.38.98.0/24,20.38.99.0/24",
            Field::Nsg => "the first of each level",
        }
    }
}

impl Said {
    /// What is said in a field.
    pub fn of(&self, field: Field) -> &str {
        match field {
            Field::Vm => &self.vm,
            Field::Vnet => &self.vnet,
            Field::Tags => &self.tags,
            Field::Nsg => &self.nsg,
        }
    }

    /// Says something in a field.
    pub fn say(&mut self, field: Field, text: String) {
        *match field {
            Field::Vm => &mut self.vm,
            Field::Vnet => &mut self.vnet,
            Field::Tags => &mut self.tags,
            Field::Nsg => &mut self.nsg,
        } = text;
    }
}

/// What came of an import.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// A scenario.
    Done(Box<Done>),
    /// Something in the files is wrong.
    Refused {
        /// The file; empty where it is about all of them.
        file: String,
        /// What is wrong, each with its place and what was expected.
        problems: Vec<String>,
    },
    /// A field of the form is wrong.
    Unclear {
        /// Which.
        field: Field,
        /// What was expected.
        why: String,
    },
}

/// A scenario that was made of files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// The scenario. It is valid.
    #[serde(with = "crate::encoding::json")]
    pub scenario: Box<HostScenario>,
    /// What each file is and has, in the files' order.
    pub found: Vec<Found>,
    /// What is not used, or not as it stands in the files.
    pub notes: Vec<String>,
    /// The same of what says nothing about packets.
    pub minor: Vec<String>,
}

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Its name.
    pub name: String,
    /// Its format, and how much is in it.
    pub what: String,
}

/// Whether a file that begins like this is a scenario, a comparison of several, one of htsim's files, or a text that the page
/// itself refuses; everything else is for the import. A scenario is JSON with a field `version`, `fabric` or `host` at the top,
/// a comparison a list of such, or an empty one: none of the import's formats has one of them there.
pub fn is_for_page(head: &[u8]) -> bool {
    if text_file::is_wide(head) {
        return is_for_page(text_file::decode(head).as_bytes());
    }
    let is_of_scenario = |key: &[u8]| [&b"version"[..], b"fabric", b"host"].contains(&key);
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let text = text.trim_ascii_start();
    match text.first() {
        Some(b'{') => keys_at(text, 1).any(is_of_scenario),
        Some(b'[') => text[1..].trim_ascii_start().starts_with(b"]") || keys_at(text, 2).any(is_of_scenario),
        // Captures and archives.
        _ => !head.contains(&0) && !head.starts_with(b"PK\x03\x04") && !head.starts_with(&[0x1f, 0x8b]),
    }
}

/// The names of fields of a JSON text, as far as it goes: those so many braces and brackets deep, 1 in the object that the text is.
fn keys_at(text: &[u8], level: i64) -> impl Iterator<Item = &[u8]> {
    let (mut at, mut depth) = (0, 0_i64);
    std::iter::from_fn(move || {
        loop {
            match *text.get(at)? {
                b'"' => {
                    let begin = at + 1;
                    at = begin;
                    while *text.get(at)? != b'"' {
                        at += if text[at] == b'\\' { 2 } else { 1 };
                    }
                    let string = &text[begin..at];
                    at += 1;
                    if depth == level && text[at..].trim_ascii_start().first() == Some(&b':') {
                        return Some(string);
                    }
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            at += 1;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<&str> {
        keys_at(text.as_bytes(), 1)
            .map(|key| std::str::from_utf8(key).unwrap())
            .collect()
    }

    #[test]
    fn keys_of_the_outermost_object_only() {
        assert_eq!(
            keys(r#"{"a": {"b": "c"}, "d" : ["e", {"f": 1}], "g\"h": "i:"}"#),
            ["a", "d", "g\\\"h"]
        );
        // A value is not a key, and a text that is cut off ends the list.
        assert_eq!(keys(r#"{"a": "version", "ver"#), ["a"]);
        assert_eq!(keys(r#"{"a": 1, "b\"#), ["a"]);
        assert_eq!(keys("{"), [""; 0]);
    }

    #[test]
    fn scenarios_and_htsims_files_are_the_pages() {
        for preset in scenario::presets() {
            assert!(is_for_page(preset.json.as_bytes()), "{}", preset.slug);
        }
        for preset in scenario::host::host_presets() {
            assert!(
                is_for_page(preset.scenario().to_json_pretty().as_bytes()),
                "{}",
                preset.slug
            );
        }
        for text in [
            "\u{feff} {\"name\": \"x\", \"version\": 1",
            "Nodes 4\nConnections 1\n",
            "meow",
            "",
            "[]",
            " [ ] ",
            r#"[{"name": "one", "traffic": [{"version": 1}], "version": 1}]"#,
            r#"[{"about": "x"}, {"host": {}}]"#,
        ] {
            assert!(is_for_page(text.as_bytes()), "{text}");
        }
    }

    /// What the page saves and people write in editors of Windows.
    #[test]
    fn comparisons_and_wide_texts_are_known() {
        let scenarios: Vec<_> = scenario::presets()
            .iter()
            .take(5)
            .map(|preset| preset.scenario())
            .collect();
        for count in 0..=5 {
            let text = scenario::link::comparison_file(&scenarios[..count]);
            assert!(is_for_page(text.as_bytes()), "{count}");
        }
        let wide = |text: &str| -> Vec<u8> {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            units.flat_map(u16::to_le_bytes).collect()
        };
        assert!(is_for_page(&wide(scenario::presets()[0].json)));
        assert!(!is_for_page(&wide(r#"[{"securityRules": []}]"#)));
    }

    #[test]
    fn what_clouds_and_captures_give_is_the_imports() {
        for text in [
            r#"{"name": "web", "securityRules": [{"name": "version", "priority": 200}]}"#,
            r#"{"$schema": "x", "contentVersion": "1.0.0.0", "resources": []}"#,
            r#"{"records": [{"flowLogVersion": 4, "version": 1}]}"#,
            r#" [{"DASH_ENI_TABLE:eni": {}}]"#,
            r#"[{"name": "web", "securityRules": [{"version": 1}]}]"#,
            "[1, 2]",
            "{\"a\": 1}",
            "{",
        ] {
            assert!(!is_for_page(text.as_bytes()), "{text}");
        }
        // pcapng's and pcap's first bytes, gzip's, and JSON as PowerShell 5 writes it (UTF-16).
        let bytes: [&[u8]; 4] = [
            &[0x0a, 0x0d, 0x0d, 0x0a, 0, 0],
            &[0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0],
            &[0x1f, 0x8b, 8],
            &[0xff, 0xfe, b'{', 0],
        ];
        for head in bytes {
            assert!(!is_for_page(head), "{head:?}");
        }
    }
}
