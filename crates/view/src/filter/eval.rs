//! Whether a row matches.

use super::{Field, Filter, Flag, Node, Number, Relation, Test, Word};
use crate::log::{Kind, PacketWord};
use scenario::{LinkName, SwitchName};

/// What a filter asks of a row. What a row does not have is `None`.
pub trait Event {
    /// What happened.
    fn kind(&self) -> Kind;
    /// What the packet is.
    fn packet(&self) -> Option<PacketWord>;
    /// A number.
    fn number(&self, number: Number) -> Option<u64>;
    /// Whether something is true of its packet; false without one.
    fn flag(&self, flag: Flag) -> bool;
    /// The cable.
    fn link(&self) -> Option<LinkName>;
    /// The switches at the cable's ends.
    fn switches(&self) -> [Option<SwitchName>; 2];
    /// Why something was dropped or refused.
    fn reason(&self) -> Option<String>;
    /// All of it in words.
    fn text(&self) -> String;
}

impl Filter {
    /// True when the row matches.
    pub fn matches(&self, event: &impl Event) -> bool {
        self.root.as_ref().is_none_or(|node| node.matches(event))
    }
}

impl Node {
    fn matches(&self, event: &impl Event) -> bool {
        match self {
            Node::Any(nodes) => nodes.iter().any(|node| node.matches(event)),
            Node::All(nodes) => nodes.iter().all(|node| node.matches(event)),
            Node::Not(node) => !node.matches(event),
            Node::Word(word) => word.matches(event),
            Node::Flag(flag) => event.flag(*flag),
            Node::Field(field, test) => test.matches(*field, event),
        }
    }
}

impl Word {
    fn matches(self, event: &impl Event) -> bool {
        match self {
            Word::Kind(kind) => event.kind() == kind,
            Word::Packet(packet) => event.packet() == Some(packet),
        }
    }
}

impl Relation {
    fn holds(self, left: u64, right: u64) -> bool {
        match self {
            Relation::Equal => left == right,
            Relation::NotEqual => left != right,
            Relation::Less => left < right,
            Relation::AtMost => left <= right,
            Relation::Greater => left > right,
            Relation::AtLeast => left >= right,
        }
    }
}

/// What a field has as texts.
fn texts(field: Field, event: &impl Event) -> Vec<String> {
    match field {
        Field::Text => vec![event.text()],
        Field::Reason => event.reason().into_iter().collect(),
        Field::Link => event.link().iter().map(ToString::to_string).collect(),
        Field::Switch => event
            .switches()
            .iter()
            .flatten()
            .map(ToString::to_string)
            .collect(),
        Field::Kind => vec![event.kind().slug().to_owned()],
        Field::Packet => event
            .packet()
            .iter()
            .map(|packet| packet.slug().to_owned())
            .collect(),
        Field::Number(number) => event.number(number).iter().map(u64::to_string).collect(),
    }
}

impl Test {
    fn matches(&self, field: Field, event: &impl Event) -> bool {
        let number = || match field {
            Field::Number(number) => event.number(number),
            _ => None,
        };
        match self {
            Test::There => match field {
                Field::Number(number) => event.number(number).is_some(),
                Field::Kind | Field::Text => true,
                Field::Packet => event.packet().is_some(),
                Field::Link => event.link().is_some(),
                Field::Switch => event.switches().iter().any(Option::is_some),
                Field::Reason => event.reason().is_some(),
            },
            Test::Compare(relation, value) => number().is_some_and(|number| relation.holds(number, *value)),
            Test::Within(ranges) => {
                number().is_some_and(|number| ranges.iter().any(|&(from, to)| (from..=to).contains(&number)))
            }
            Test::Kinds(same, words) => {
                let is_there = field == Field::Kind || event.packet().is_some();
                is_there && words.iter().any(|word| word.matches(event)) == *same
            }
            Test::Links(same, links) => event.link().is_some_and(|link| links.contains(&link) == *same),
            Test::Switches(same, names) => {
                let ends = event.switches();
                let mut ends = ends.iter().flatten().peekable();
                ends.peek().is_some() && ends.any(|end| names.contains(end)) == *same
            }
            Test::Texts(same, wanted) => {
                let texts = texts(field, event);
                let is_one = |text: &String| wanted.iter().any(|wanted| text.eq_ignore_ascii_case(wanted));
                !texts.is_empty() && texts.iter().any(is_one) == *same
            }
            Test::Contains(part) => {
                let part = part.to_lowercase();
                texts(field, event)
                    .iter()
                    .any(|text| text.to_lowercase().contains(&part))
            }
        }
    }
}
