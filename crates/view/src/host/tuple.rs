//! A packet that is described rather than sent, as `vfpctrl /process-tuples` takes it (facts 1.2).

use serde::{Deserialize, Serialize};
use std::net::Ipv4Addr;

/// A packet's description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tuple {
    /// Which VM's port.
    pub vm: u32,
    /// IP protocol number.
    pub protocol: u8,
    /// Source address.
    pub src: Ipv4Addr,
    /// Source port; 0 for protocols without.
    pub src_port: u16,
    /// Destination address.
    pub dst: Ipv4Addr,
    /// Destination port; 0 for protocols without.
    pub dst_port: u16,
    /// From the wire to the VM.
    pub inbound: bool,
    /// A TCP SYN without ACK.
    pub syn: bool,
}

/// The fields of the form, as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Protocol: a number, or tcp, udp, icmp.
    pub protocol: String,
    /// Source address.
    pub src: String,
    /// Source port.
    pub src_port: String,
    /// Destination address.
    pub dst: String,
    /// Destination port.
    pub dst_port: String,
    /// in or out.
    pub direction: String,
    /// 1: TCP SYN; 0: none.
    pub flags: String,
}

/// The names of the fields, in the order in which `/process-tuples` has them.
pub const FIELDS: [&str; 7] = [
    "protocol",
    "source address",
    "source port",
    "destination address",
    "destination port",
    "direction",
    "flag",
];

/// Which field is wrong, by its position in [`FIELDS`], and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldProblem {
    /// The field; none when the line as a whole is wrong.
    pub field: Option<usize>,
    /// What was found and what was expected.
    pub text: String,
}

impl Fields {
    /// The fields in order.
    pub fn all(&self) -> [&str; 7] {
        [
            &self.protocol,
            &self.src,
            &self.src_port,
            &self.dst,
            &self.dst_port,
            &self.direction,
            &self.flags,
        ]
    }

    /// A field by its position.
    pub fn set(&mut self, field: usize, text: String) {
        match field {
            0 => self.protocol = text,
            1 => self.src = text,
            2 => self.src_port = text,
            3 => self.dst = text,
            4 => self.dst_port = text,
            5 => self.direction = text,
            _ => self.flags = text,
        }
    }

    /// The line as `vfpctrl` takes it.
    pub fn line(&self) -> String {
        self.all().join(" ")
    }

    /// The fields of a line.
    ///
    /// # Errors
    /// When there are not as many words as fields.
    pub fn of_line(line: &str) -> Result<Fields, FieldProblem> {
        let words: Vec<&str> = line.split_whitespace().take(9).collect();
        let [protocol, src, src_port, dst, dst_port, direction, flags] = words[..] else {
            return Err(FieldProblem {
                field: None,
                text: format!(
                    "The line has {}; expected 7: protocol, source address, source port, destination address, destination \
                     port, in or out, flags",
                    match words.len() {
                        1 => "1 word".into(),
                        n if n > 8 => "more than 8 words".into(),
                        n => format!("{n} words"),
                    }
                ),
            });
        };
        let [protocol, src, src_port, dst, dst_port, direction, flags] =
            [protocol, src, src_port, dst, dst_port, direction, flags].map(short);
        Ok(Fields {
            protocol,
            src,
            src_port,
            dst,
            dst_port,
            direction,
            flags,
        })
    }

    /// What the fields mean at a VM's port.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn tuple(&self, vm: u32) -> Result<Tuple, FieldProblem> {
        let protocol = protocol(&self.protocol)
            .ok_or_else(|| problem(0, &self.protocol, "tcp, udp, icmp or a number from 0 to 255"))?;
        let address = |field: usize, text: &str| {
            text.trim()
                .parse::<Ipv4Addr>()
                .map_err(|_| problem(field, text, "an IPv4 address such as 10.1.0.4"))
        };
        let port = |field: usize, text: &str| {
            number::<u16>(text).ok_or_else(|| problem(field, text, "a number from 0 to 65535"))
        };
        let src = address(1, &self.src)?;
        let src_port = port(2, &self.src_port)?;
        let dst = address(3, &self.dst)?;
        let dst_port = port(4, &self.dst_port)?;
        let inbound = match self.direction.trim().to_ascii_lowercase().as_str() {
            "in" => true,
            "out" => false,
            _ => return Err(problem(5, &self.direction, "in or out, as the VM sees it")),
        };
        let syn = match self.flags.trim() {
            "0" => false,
            "1" => true,
            _ => return Err(problem(6, &self.flags, "1 for a TCP SYN, or 0")),
        };
        if syn && protocol != 6 {
            return Err(problem(6, &self.flags, "0: only TCP has a SYN"));
        }
        if ![6, 17].contains(&protocol) {
            for (field, value) in [(2, src_port), (4, dst_port)] {
                if value != 0 {
                    return Err(problem(
                        field,
                        &value.to_string(),
                        "0: only TCP and UDP have ports here",
                    ));
                }
            }
        }
        Ok(Tuple {
            vm,
            protocol,
            src,
            src_port,
            dst,
            dst_port,
            inbound,
            syn,
        })
    }
}

/// The form: which port, the fields, what was typed as a line, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// At whose port.
    pub vm: u32,
    /// The fields as typed.
    pub fields: Fields,
    /// A line as typed, as long as the fields are not changed one by one.
    line: Option<String>,
    /// What is wrong with them.
    pub problem: Option<FieldProblem>,
    asked: Option<Tuple>,
}

impl Form {
    /// A form with these fields.
    pub fn new(fields: Fields) -> Form {
        Form {
            vm: 0,
            fields,
            line: None,
            problem: None,
            asked: None,
        }
    }

    /// The line: as it was typed, or as the fields make it.
    pub fn line(&self) -> String {
        self.line.clone().unwrap_or_else(|| self.fields.line())
    }

    /// Another field's text.
    pub fn set(&mut self, field: usize, text: String) {
        self.fields.set(field, text);
        self.line = None;
        self.problem = None;
    }

    /// Takes a line as typed, and asks. A line that is none leaves the fields as they were.
    pub fn ask_line(&mut self, line: String) -> Option<Tuple> {
        let fields = Fields::of_line(&line);
        self.line = Some(line);
        match fields {
            Ok(fields) => {
                self.fields = fields;
                self.ask()
            }
            Err(problem) => self.refuse(problem),
        }
    }

    /// What is to be asked; none where something is wrong, which is noted then. A line that is wrong as a whole stays wrong.
    pub fn ask(&mut self) -> Option<Tuple> {
        let line_as_fields = match &self.line {
            Some(line) => Fields::of_line(line).map(|_| ()),
            None => Ok(()),
        };
        match line_as_fields.and_then(|()| self.fields.tuple(self.vm)) {
            Ok(tuple) => {
                self.problem = None;
                self.asked = Some(tuple.clone());
                Some(tuple)
            }
            Err(problem) => self.refuse(problem),
        }
    }

    fn refuse(&mut self, problem: FieldProblem) -> Option<Tuple> {
        self.problem = Some(problem);
        self.asked = None;
        None
    }

    /// Whether an answer is to what was asked last.
    pub fn waits_for(&self, tuple: &Tuple) -> bool {
        self.asked.as_ref() == Some(tuple)
    }

    /// Whether the fields still say what was asked last.
    pub fn is_as_asked(&self) -> bool {
        self.problem.is_none() && self.fields.tuple(self.vm).ok() == self.asked
    }

    /// Another run: nothing was asked of it.
    pub fn forget(&mut self) {
        self.asked = None;
        self.problem = None;
    }
}

fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let text = text.trim();
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

fn protocol(text: &str) -> Option<u8> {
    match text.trim().to_ascii_lowercase().as_str() {
        "tcp" => Some(6),
        "udp" => Some(17),
        "icmp" => Some(1),
        other => number(other),
    }
}

fn problem(field: usize, found: &str, expected: &str) -> FieldProblem {
    FieldProblem {
        field: Some(field),
        text: format!(
            "The {} is \"{}\"; expected {expected}",
            FIELDS[field],
            short(found.trim())
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "6 10.1.0.4 50000 10.1.128.0 443 out 1";

    fn wrong(line: &str) -> FieldProblem {
        Fields::of_line(line)
            .and_then(|fields| fields.tuple(0))
            .unwrap_err()
    }

    #[test]
    fn a_line_is_read_as_the_tool_reads_it() {
        let fields = Fields::of_line(LINE).unwrap();
        assert_eq!(fields.line(), LINE);
        let tuple = fields.tuple(2).unwrap();
        assert_eq!(
            tuple,
            Tuple {
                vm: 2,
                protocol: 6,
                src: Ipv4Addr::new(10, 1, 0, 4),
                src_port: 50_000,
                dst: Ipv4Addr::new(10, 1, 128, 0),
                dst_port: 443,
                inbound: false,
                syn: true,
            }
        );
        let icmp = Fields::of_line("ICMP 10.1.0.4 0 10.1.128.0 0 IN 0")
            .unwrap()
            .tuple(0);
        assert!(icmp.is_ok_and(|tuple| tuple.protocol == 1 && tuple.inbound));
    }

    fn form() -> Form {
        Form::new(Fields::of_line(LINE).unwrap())
    }

    #[test]
    fn a_wrong_line_stays_as_typed_and_takes_the_answer_with_it() {
        let mut form = form();
        let first = form.ask().unwrap();
        assert!(form.waits_for(&first) && form.is_as_asked());
        let typed = "6 10.1.0.4 50000 10.1.128.0 out 1";
        assert_eq!(form.ask_line(typed.into()), None);
        assert_eq!(form.problem.as_ref().map(|problem| problem.field), Some(None));
        assert_eq!((form.line(), form.fields.line()), (typed.into(), LINE.into()));
        assert!(!form.waits_for(&first), "an answer that comes late is not shown");
        // The button asks about what is typed, not about the fields from before.
        assert_eq!(form.ask(), None);
        assert_eq!(form.line(), typed);
        // A field that is wrong is named, and the line stays too.
        let typed = "6  10.1.0.4 70000 10.1.128.0 443 out 1";
        assert_eq!(form.ask_line(typed.into()), None);
        assert_eq!(form.problem.as_ref().map(|problem| problem.field), Some(Some(2)));
        assert_eq!(form.line(), typed);
        form.set(2, "5".into());
        assert_eq!(
            (form.problem.clone(), form.line()),
            (None, "6 10.1.0.4 5 10.1.128.0 443 out 1".into())
        );
        assert!(form.ask().is_some());
    }

    #[test]
    fn an_answer_is_of_the_question_before_as_soon_as_that_changes() {
        let mut form = form();
        form.ask().unwrap();
        form.vm = 1;
        assert!(!form.is_as_asked());
        form.vm = 0;
        assert!(form.is_as_asked());
        form.set(4, "80".into());
        assert!(!form.is_as_asked());
        form.set(4, "443".into());
        assert!(form.is_as_asked());
        form.forget();
        assert!(!form.is_as_asked());
    }

    #[test]
    fn each_field_is_named_when_it_is_wrong() {
        for (line, field, text) in [
            (
                "256 10.1.0.4 1 10.1.0.5 2 out 0",
                0,
                "The protocol is \"256\"; expected tcp, udp, icmp or a number from 0 to 255",
            ),
            (
                "6 10.1.0 1 10.1.0.5 2 out 0",
                1,
                "The source address is \"10.1.0\"; expected an IPv4 address such as 10.1.0.4",
            ),
            (
                "6 10.1.0.4 65536 10.1.0.5 2 out 0",
                2,
                "The source port is \"65536\"; expected a number from 0 to 65535",
            ),
            (
                "6 10.1.0.4 1 ten 2 out 0",
                3,
                "The destination address is \"ten\"; expected an IPv4 address such as 10.1.0.4",
            ),
            (
                "6 10.1.0.4 1 10.1.0.5 -2 out 0",
                4,
                "The destination port is \"-2\"; expected a number from 0 to 65535",
            ),
            (
                "6 10.1.0.4 1 10.1.0.5 2 up 0",
                5,
                "The direction is \"up\"; expected in or out, as the VM sees it",
            ),
            (
                "6 10.1.0.4 1 10.1.0.5 2 out 2",
                6,
                "The flag is \"2\"; expected 1 for a TCP SYN, or 0",
            ),
            (
                "17 10.1.0.4 1 10.1.0.5 2 out 1",
                6,
                "The flag is \"1\"; expected 0: only TCP has a SYN",
            ),
            (
                "1 10.1.0.4 7 10.1.0.5 0 out 0",
                2,
                "The source port is \"7\"; expected 0: only TCP and UDP have ports here",
            ),
        ] {
            let found = wrong(line);
            assert_eq!((found.field, found.text.as_str()), (Some(field), text), "{line}");
        }
        assert_eq!(wrong("").field, None);
        assert!(
            wrong("6 10.1.0.4")
                .text
                .starts_with("The line has 2 words; expected 7")
        );
        assert!(
            wrong(&"x ".repeat(1000))
                .text
                .starts_with("The line has more than 8 words")
        );
    }
}
