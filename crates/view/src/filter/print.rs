//! A filter as text: what it prints reads back as the same filter.

use super::{Field, Filter, Node, Number, Relation, Test, Word};
use std::fmt::{Display, Formatter, Result};

impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.root.as_ref().map_or(Ok(()), |node| node.fmt(f))
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Node::Any(nodes) => joined(f, nodes, " || "),
            Node::All(nodes) => joined(f, nodes, " && "),
            Node::Not(node) => {
                f.write_str("!")?;
                grouped(f, node)
            }
            Node::Word(word) => word.fmt(f),
            Node::Flag(flag) => f.write_str(flag.name()),
            Node::Field(field, test) => {
                f.write_str(field.name())?;
                test.write(*field, f)
            }
        }
    }
}

fn joined(f: &mut Formatter<'_>, nodes: &[Node], by: &str) -> Result {
    for (index, node) in nodes.iter().enumerate() {
        if index > 0 {
            f.write_str(by)?;
        }
        grouped(f, node)?;
    }
    Ok(())
}

fn grouped(f: &mut Formatter<'_>, node: &Node) -> Result {
    match node {
        Node::Any(_) | Node::All(_) | Node::Field(..) => write!(f, "({node})"),
        _ => node.fmt(f),
    }
}

impl Display for Word {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Word::Kind(kind) => kind.slug(),
            Word::Packet(packet) => packet.slug(),
        })
    }
}

impl Display for Relation {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::Greater => ">",
            Relation::AtLeast => ">=",
        })
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Test {
    fn write(&self, field: Field, f: &mut Formatter<'_>) -> Result {
        let unit = match field {
            Field::Number(Number::Time) => "ps",
            _ => "",
        };
        match self {
            Test::There => Ok(()),
            Test::Compare(relation, value) => write!(f, " {relation} {value}{unit}"),
            Test::Within(ranges) => set(f, ranges, |(from, to)| format!("{from}{unit}..{to}{unit}")),
            Test::Kinds(same, words) => one_of(f, *same, words, Word::to_string),
            Test::Links(same, links) => one_of(f, *same, links, ToString::to_string),
            Test::Switches(same, names) => one_of(f, *same, names, ToString::to_string),
            Test::Texts(same, texts) => one_of(f, *same, texts, |text| quoted(text)),
            Test::Contains(text) => write!(f, " contains {}", quoted(text)),
        }
    }
}

fn set<T>(f: &mut Formatter<'_>, values: &[T], print: impl Fn(&T) -> String) -> Result {
    let values: Vec<String> = values.iter().map(print).collect();
    write!(f, " in {{{}}}", values.join(", "))
}

fn one_of<T>(f: &mut Formatter<'_>, same: bool, values: &[T], print: impl Fn(&T) -> String) -> Result {
    match values {
        [value] => write!(f, " {} {}", if same { "==" } else { "!=" }, print(value)),
        values => set(f, values, print),
    }
}
