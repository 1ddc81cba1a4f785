//! The stage's colours, taken from the style sheet so that light and dark have one place.

use crate::dom;
use view::frame::Kind;
use view::marks::{self, Colour};
use view::picture::{Inks, LOADS};

/// What stands for a colour that the style sheet does not have.
const GREY: Colour = 0xff80_8080;
/// How much of the colour of data a full bundle has.
const BUNDLE_TINT: f64 = 0.85;

/// The stage's colours and fonts.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// Colours of marks.
    pub inks: Inks,
    /// Colours of texts, as CSS has them.
    pub texts: Texts,
    /// The fonts.
    pub fonts: String,
}

/// Colours of texts.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// Of usual weight.
    pub ink: String,
    /// Of less weight.
    pub dim: String,
    /// On what is selected.
    pub panel: String,
    /// Of faults.
    pub fault: String,
    /// Of random loss.
    pub lossy: String,
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
        let ink = |name: &str| marks::colour(&get(name)).unwrap_or(GREY);
        let packets = Kind::ALL.map(|kind| ink(&format!("--packet-{}", slug(kind))));
        let loads = [0, 1, 2, 3, 4, 5].map(|level| ink(&format!("--load-{level}")));
        let data = packets[Kind::Data as usize];
        Palette {
            inks: Inks {
                ground: ink("--ground"),
                packets,
                loads,
                // A bundle takes on the colour of the data that fills it.
                bundles: [0, 1, 2, 3, 4, 5].map(|level: usize| {
                    marks::blend(
                        loads[level],
                        data,
                        BUNDLE_TINT * level as f64 / (LOADS - 1) as f64,
                    )
                }),
                fault: ink("--fault"),
                lossy: ink("--lossy"),
                queue: ink("--queue"),
                panel: ink("--plane"),
                line: ink("--line"),
                node: ink("--node"),
                node_line: ink("--node-line"),
                ink: ink("--ink"),
                accent: ink("--accent"),
            },
            texts: Texts {
                ink: get("--ink"),
                dim: get("--dim"),
                panel: get("--plane"),
                fault: get("--fault"),
                lossy: get("--lossy"),
            },
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
        Kind::Ack => "ack",
        Kind::AckProbe => "ack-probe",
        Kind::PortStatus => "port-status",
        Kind::MapperProbe => "mapper-probe",
        Kind::RoceAck => "roce-ack",
        Kind::Nak => "nak",
        Kind::Cnp => "cnp",
        Kind::Pause => "pause",
        Kind::Resume => "resume",
        Kind::Credit => "credit",
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
        Kind::Probe => "EV probe",
        Kind::ProbeReply => "Answer to an EV probe",
        Kind::Ack => "ACK",
        Kind::AckProbe => "Reliability probe",
        Kind::PortStatus => "Port status",
        Kind::MapperProbe => "Clustermapper probe",
        Kind::RoceAck => "ACK",
        Kind::Nak => "NAK",
        Kind::Cnp => "CNP",
        Kind::Pause => "PAUSE frame",
        Kind::Resume => "Resume frame",
        Kind::Credit => "Credit",
    }
}

/// What a kind is, in a sentence without its full stop.
pub const fn doc(kind: Kind) -> &'static str {
    match kind {
        Kind::Data => "Data, sent for the first time",
        Kind::Retransmission => "Data, sent again",
        Kind::Trimmed => "Data whose payload a full queue has cut off",
        Kind::Sack => "Selective acknowledgement of packets",
        Kind::Nack => "Negative acknowledgement of one packet: trimmed, or refused by the receiver",
        Kind::Probe => "Probe of an EV that is out of use, or of a way back; a dot in it: the answer",
        Kind::ProbeReply => "Answer to a probe of an EV",
        Kind::Ack => "Acknowledgement of a message: it is complete",
        Kind::AckProbe => "Reliability probe: asks for a SACK when nothing has been heard for a while",
        Kind::PortStatus => {
            "Port status update: a NIC tells its peers which of its ports are down; and the answer"
        }
        Kind::MapperProbe => "Clustermapper's probe of a link, to a switch and back",
        Kind::RoceAck => "Acknowledgement of all packets up to a PSN",
        Kind::Nak => "Negative acknowledgement: a PSN is missing, and is expected next",
        Kind::Cnp => "Congestion notification packet: data came marked, the sender shall slow down (DCQCN)",
        Kind::Pause => {
            "PFC's PAUSE frame: the next node on this link shall send no data; it crosses this link alone"
        }
        Kind::Resume => "PFC's frame that ends a pause: data may go on",
        Kind::Credit => "Receiver credit: how much its sender may send in all (RCCC)",
    }
}
