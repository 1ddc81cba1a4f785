//! The stage's colours, taken from the style sheet so that light and dark have one place.

use crate::dom;
use view::frame::Kind;

/// Colours as CSS texts.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// By [`Kind`].
    pub packets: [String; 7],
    /// Links from idle to full.
    pub loads: [String; 6],
    /// Faults.
    pub fault: String,
    /// Random loss.
    pub lossy: String,
    /// Queues that are filling.
    pub queue: String,
    /// A plane's panel.
    pub panel: String,
    /// Its border.
    pub line: String,
    /// A node's inside.
    pub node: String,
    /// A node's border.
    pub node_line: String,
    /// Text.
    pub ink: String,
    /// Text of less weight.
    pub dim: String,
    /// What is selected.
    pub accent: String,
    /// The fonts.
    pub fonts: String,
}

impl Palette {
    /// The colours of the theme in force.
    pub fn read() -> Palette {
        let style = dom::document()
            .document_element()
            .and_then(|root| dom::window().get_computed_style(&root).ok().flatten());
        let get = |name: &str| {
            style
                .as_ref()
                .and_then(|style| style.get_property_value(name).ok())
                .map(|value| value.trim().to_owned())
                .filter(|value| !value.is_empty())
                .unwrap_or_else(|| "gray".into())
        };
        Palette {
            packets: Kind::ALL.map(|kind| get(&format!("--packet-{}", slug(kind)))),
            loads: [0, 1, 2, 3, 4, 5].map(|level| get(&format!("--load-{level}"))),
            fault: get("--fault"),
            lossy: get("--lossy"),
            queue: get("--queue"),
            panel: get("--plane"),
            line: get("--line"),
            node: get("--node"),
            node_line: get("--node-line"),
            ink: get("--ink"),
            dim: get("--dim"),
            accent: get("--accent"),
            fonts: get("--fonts"),
        }
    }
}

/// A kind's name in the style sheet.
pub const fn slug(kind: Kind) -> &'static str {
    match kind {
        Kind::Data => "data",
        Kind::Retransmission => "rtx",
        Kind::Trimmed => "trimmed",
        Kind::Sack => "sack",
        Kind::Nack => "nack",
        Kind::Probe | Kind::ProbeReply => "probe",
    }
}

/// A kind's name for people.
pub const fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Data => "Data",
        Kind::Retransmission => "Retransmission",
        Kind::Trimmed => "Trimmed",
        Kind::Sack => "SACK",
        Kind::Nack => "NACK",
        Kind::Probe => "Probe",
        Kind::ProbeReply => "Probe answer",
    }
}
