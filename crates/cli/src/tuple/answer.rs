//! What would become of a packet, as a value; `docs/results-json.md` says what each field means.

use super::parse::Described;
use gft::{Direction, Encap, EncapKind, FlowKey, Transposition};
use scenario::host::Software;
use serde::Serialize;
use vfp::{End, FlowView, GroupOutcome, GroupStep, LayerDecision, LayerStep, Port, Walk, Work};

/// Bytes of the packet that the cost is said for: a small one, as a SYN is.
const BYTES: u32 = 64;

/// The answer about one packet.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The packet as it comes in.
    pub packet: Packet,
    /// What becomes of it.
    #[serde(flatten)]
    pub way: Way,
    /// Its flow, if it is in the table.
    pub flow: Option<Flow>,
    /// What would become of the answer to it; none where it does not get that far.
    pub reply: Option<Way>,
    /// The entries that would be made.
    pub entries: Vec<Entry>,
    /// What the walks cost, in operations.
    pub work: Cost,
    /// The same as time of one core, by the scenario's cost model; flow entries and commands to the NIC come on top.
    pub core_us: Option<f64>,
}

/// Addresses, ports and what is around them.
#[derive(Debug, Serialize)]
pub struct Packet {
    /// `in` or `out`.
    pub direction: &'static str,
    /// IP protocol number.
    pub protocol: u8,
    /// Source address.
    pub src: String,
    /// Source port.
    pub src_port: u16,
    /// Destination address.
    pub dst: String,
    /// Destination port.
    pub dst_port: u16,
    /// Encapsulations, outermost first.
    pub encaps: Vec<String>,
}

/// A packet's way through the layers.
#[derive(Debug, Serialize)]
pub struct Way {
    /// `forward`, `drop`, `pending` or `reply`.
    pub verdict: &'static str,
    /// Why it does not go on.
    pub reason: Option<String>,
    /// Each layer that it crosses; the last one is where it ends.
    pub layers: Vec<Layer>,
    /// All that is done to it.
    pub transposition: Vec<String>,
}

/// One layer.
#[derive(Debug, Serialize)]
pub struct Layer {
    /// Its name.
    pub layer: String,
    /// `rule`, `default allow`, `default deny` or `remembered`.
    pub decided_by: &'static str,
    /// The rule that decided.
    pub rule: Option<String>,
    /// Its priority.
    pub priority: Option<u32>,
    /// Its type.
    pub action: Option<&'static str>,
    /// What the layer does to the headers.
    pub transposition: Vec<String>,
    /// Each group that was looked at.
    pub groups: Vec<Group>,
}

/// One group.
#[derive(Debug, Serialize)]
pub struct Group {
    /// Its name.
    pub group: String,
    /// How rules are found in it.
    pub classifier: String,
    /// Steps that took.
    pub steps: u32,
    /// `matched`, `no match`, `condition not met` or `not reached`.
    pub outcome: &'static str,
    /// The rule that matched.
    pub rule: Option<String>,
}

/// A flow in the table.
#[derive(Debug, Serialize)]
pub struct Flow {
    /// Its handle.
    pub handle: u32,
    /// Its TCP state.
    pub state: &'static str,
    /// The generation of the policy that it was made from.
    pub generation: u32,
    /// Whether the policy has changed since.
    pub stale: bool,
    /// Whether the NIC was told of it.
    pub offloaded: bool,
    /// Packets seen, both ways.
    pub packets: u64,
}

/// An entry.
#[derive(Debug, Serialize)]
pub struct Entry {
    /// What it matches.
    pub key: String,
    /// What it does.
    pub transposition: Vec<String>,
}

/// Operations.
#[derive(Debug, Serialize)]
pub struct Cost {
    /// Layers asked.
    pub layers: u32,
    /// Groups searched.
    pub groups: u32,
    /// Steps of classifiers.
    pub steps: u32,
}

impl Answer {
    /// Puts a packet to a port. Nothing changes there.
    pub fn of(port: &Port, described: &Described, software: Option<&Software>) -> Answer {
        let headers = port.headers_of(described.tuple, described.flags, described.direction);
        let found = port.process_tuple(&headers, described.direction);
        let way = match found.refused {
            None => way(port, &found.walk),
            Some(reason) => Way {
                verdict: "drop",
                reason: Some(format!("{reason}: the port does not look at it")),
                layers: Vec::new(),
                transposition: Vec::new(),
            },
        };
        let tuple = headers.tuple;
        Answer {
            packet: Packet {
                direction: direction(described.direction),
                protocol: tuple.protocol.0,
                src: tuple.src.to_string(),
                src_port: tuple.src_port,
                dst: tuple.dst.to_string(),
                dst_port: tuple.dst_port,
                encaps: headers.encaps.iter().flatten().map(encap).collect(),
            },
            way,
            flow: found.existing.as_ref().map(flow),
            reply: found.answer.as_ref().map(|walk| self::way(port, walk)),
            entries: found
                .entries
                .iter()
                .flatten()
                .flatten()
                .map(|(key, does)| Entry {
                    key: self::key(key),
                    transposition: words(does),
                })
                .collect(),
            core_us: software.map(|software| host::cost_of_packet(software, BYTES, &found.work).as_us()),
            work: cost(&found.work),
        }
    }
}

const fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Out => "out",
        Direction::In => "in",
    }
}

fn way(port: &Port, walk: &Walk) -> Way {
    let name = |id| {
        let layers = &port.policy().source().layers;
        layers
            .iter()
            .find(|layer| Some(layer.id) == id)
            .map_or_else(String::new, |layer| format!(" in {}", layer.name))
    };
    let (verdict, reason) = match walk.end {
        End::Forward => ("forward", None),
        End::Drop { layer, reason } => ("drop", Some(format!("{reason}{}", name(layer)))),
        End::Pending { ca, .. } => ("pending", Some(format!("{ca} has no mapping yet"))),
        End::Reply => (
            "reply",
            Some("it is answered here in the name of its destination".into()),
        ),
    };
    Way {
        verdict,
        reason,
        layers: walk.layers.iter().map(layer).collect(),
        transposition: words(&walk.transposition),
    }
}

fn layer(step: &LayerStep) -> Layer {
    let matched = match step.decision {
        LayerDecision::Rule { group } => step.groups.get(group).map(|group| &group.outcome),
        _ => None,
    };
    let (rule, priority, action) = match matched {
        Some(GroupOutcome::Matched {
            name,
            priority,
            action,
            ..
        }) => (Some(name.clone()), Some(*priority), Some(*action)),
        _ => (None, None, None),
    };
    Layer {
        layer: step.name.clone(),
        decided_by: match step.decision {
            LayerDecision::Rule { .. } => "rule",
            LayerDecision::Default { allow: true } => "default allow",
            LayerDecision::Default { allow: false } => "default deny",
            LayerDecision::Remembered => "remembered",
        },
        rule,
        priority,
        action,
        transposition: words(&step.transposition),
        groups: step.groups.iter().map(group).collect(),
    }
}

fn group(step: &GroupStep) -> Group {
    let (outcome, rule) = match &step.outcome {
        GroupOutcome::ConditionNotMet => ("condition not met", None),
        GroupOutcome::NoMatch => ("no match", None),
        GroupOutcome::NotReached => ("not reached", None),
        GroupOutcome::Matched { name, .. } => ("matched", Some(name.clone())),
    };
    Group {
        group: step.name.clone(),
        classifier: step.classifier.to_string(),
        steps: step.steps,
        outcome,
        rule,
    }
}

fn flow(view: &FlowView) -> Flow {
    Flow {
        handle: view.handle,
        state: view.state.name(),
        generation: view.generation,
        stale: view.stale,
        offloaded: view.offloaded,
        packets: view.forward.packets + view.answer.map_or(0, |answer| answer.packets),
    }
}

fn cost(work: &Work) -> Cost {
    Cost {
        layers: work.layers,
        groups: work.groups,
        steps: work.steps,
    }
}

fn key(key: &FlowKey) -> String {
    let way = direction(key.direction);
    match key.tni {
        0 => format!("{way}: {}", key.tuple),
        tni => format!("{way}, TNI {tni}: {}", key.tuple),
    }
}

fn encap(encap: &Encap) -> String {
    let kind = match encap.kind {
        EncapKind::Vxlan => "VXLAN",
        EncapKind::Nvgre => "NVGRE",
        EncapKind::IpInGre => "IP in GRE",
        EncapKind::IpInIp => "IP in IP",
    };
    format!("{kind} {} to {}, TNI {}", encap.src, encap.dst, encap.tni)
}

/// A transposition in GFT's words: Pop, Push, Modify; what is not named is ignored.
fn words(does: &Transposition) -> Vec<String> {
    let mut words = Vec::new();
    if does.pop > 0 {
        let plural = if does.pop == 1 { "" } else { "s" };
        words.push(format!("Pop {} encapsulation{plural}", does.pop));
    }
    words.extend(
        does.push
            .iter()
            .flatten()
            .map(|around| format!("Push {}", encap(around))),
    );
    let mut modify = |what: &str, to: Option<String>| {
        words.extend(to.map(|to| format!("Modify {what} to {to}")));
    };
    modify("source MAC", does.src_mac.map(|mac| mac.to_string()));
    modify("destination MAC", does.dst_mac.map(|mac| mac.to_string()));
    modify("source address", does.src.map(|address| address.to_string()));
    modify("destination address", does.dst.map(|address| address.to_string()));
    modify("source port", does.src_port.map(|port| port.to_string()));
    modify("destination port", does.dst_port.map(|port| port.to_string()));
    modify("DSCP", does.dscp.map(|dscp| dscp.to_string()));
    if does.ttl_decrement > 0 {
        words.push(format!("Modify TTL by −{}", does.ttl_decrement));
    }
    words
}
