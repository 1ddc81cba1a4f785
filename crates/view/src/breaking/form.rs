//! From what was filled in to a fault.

use super::{Field, Subject, Way};
use scenario::{Direction, Fabric, Fault, FaultKind, Refusal, Scenario, Tier, Time, Traffic};

/// Why what was filled in makes no fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The field that is wrong, if it is one.
    pub field: Option<Field>,
    /// What is wrong, and what was expected.
    pub why: String,
}

impl Trouble {
    fn at(field: Field, why: impl ToString) -> Trouble {
        Trouble {
            field: Some(field),
            why: why.to_string(),
        }
    }
}

/// Makes a fault of what was filled in; `said` gives the text of each field. Without a `subject` the field
/// [`Place`](Field::Place) says what it is about. `now` is the fault's time.
///
/// # Errors
/// The first field that cannot be read.
pub fn make(
    way: Way,
    subject: Option<Subject>,
    now: Time,
    said: impl Fn(Field) -> String,
) -> Result<FaultKind, Trouble> {
    let place = said(Field::Place);
    let link = || match subject {
        Some(Subject::Link(link)) => Ok(link),
        _ => place
            .trim()
            .parse()
            .map_err(|error| Trouble::at(Field::Place, error)),
    };
    let switch = || match subject {
        Some(Subject::Switch(switch)) => Ok(switch),
        _ => place
            .trim()
            .parse()
            .map_err(|error| Trouble::at(Field::Place, error)),
    };
    let nic = || match subject {
        Some(Subject::Nic(nic, _)) => Ok(nic),
        _ => nic(&place),
    };
    let time = |field| time(field, &said(field));
    let rate = || rate(&said(Field::Rate));
    let number = |field| number(field, &said(field));
    let direction = || match said(Field::Direction).as_str() {
        "up" => Direction::Up,
        "down" => Direction::Down,
        _ => Direction::Both,
    };
    let tier = || match said(Field::Tier).as_str() {
        "nic" => Tier::Nic,
        "t1_t2" => Tier::T1T2,
        _ => Tier::T0T1,
    };
    let positive = |lasts: Time| {
        if lasts.0 > 0 {
            Ok(lasts)
        } else {
            Err(Trouble::at(
                Field::Lasts,
                format!("is {lasts}; expected more than that"),
            ))
        }
    };
    let duration = || match said(Field::Duration).trim() {
        "" if way.may_last() => Ok(None),
        text => self::time(Field::Duration, text).map(Some),
    };
    let lasting = || time(Field::Duration);
    Ok(match way {
        Way::LinkDown => FaultKind::LinkDown {
            link: link()?,
            direction: direction(),
        },
        Way::LinkUp => FaultKind::LinkUp {
            link: link()?,
            direction: direction(),
        },
        Way::LinkLoss => FaultKind::LinkLoss {
            link: link()?,
            direction: direction(),
            rate: rate()?,
        },
        Way::LinkCorrupt => FaultKind::LinkCorrupt {
            link: link()?,
            direction: direction(),
            rate: rate()?,
        },
        Way::LinkFlap => FaultKind::LinkFlap {
            link: link()?,
            down: time(Field::Down)?,
            up: time(Field::Up)?,
            random: said(Field::Lengths) != "exact",
            until: Time(now.0.saturating_add(positive(time(Field::Lasts)?)?.0)),
        },
        Way::SwitchDown => FaultKind::SwitchDown { switch: switch()? },
        Way::SwitchUp => FaultKind::SwitchUp { switch: switch()? },
        Way::SwitchReboot => FaultKind::SwitchReboot {
            switch: switch()?,
            duration: lasting()?,
        },
        Way::SwitchCorrupt => FaultKind::SwitchCorrupt {
            switch: switch()?,
            rate: rate()?,
        },
        Way::NicPortDown => FaultKind::NicPortDown {
            nic: nic()?,
            plane: number(Field::Port)?,
            duration: duration()?,
        },
        Way::NicFlap => FaultKind::NicFlap {
            nic: nic()?,
            duration: lasting()?,
        },
        Way::NicRefuses => FaultKind::NicRefuses {
            nic: nic()?,
            rate: rate()?,
            reason: match said(Field::Reason).as_str() {
                "no_bitmap" => Refusal::NoBitmap,
                "no_resource" => Refusal::NoResource,
                _ => Refusal::NoPktBuffer,
            },
        },
        Way::NicPenalty => FaultKind::NicPenalty {
            nic: nic()?,
            penalty: number(Field::Penalty)?,
        },
        Way::LinksDown => FaultKind::LinksDown {
            tier: tier(),
            plane: match said(Field::Plane).as_str() {
                "" => None,
                _ => Some(number(Field::Plane)?),
            },
            count: number(Field::Count)?,
            spacing: match said(Field::Spacing).trim() {
                "" => Time(0),
                _ => time(Field::Spacing)?,
            },
            duration: duration()?,
        },
        Way::TierLoss => FaultKind::TierLoss {
            tier: tier(),
            direction: direction(),
            rate: rate()?,
        },
    })
}

/// What a scenario of this fabric has against a fault.
pub fn check(way: Way, fabric: &Fabric, fault: &Fault) -> Vec<Trouble> {
    let scenario = Scenario {
        version: scenario::VERSION,
        name: String::new(),
        about: String::new(),
        seed: 0,
        until: scenario::limits::MAX_TIME,
        model: scenario::Model::default(),
        fabric: fabric.clone(),
        transport: scenario::Transport::default(),
        clustermapper: None,
        traffic: Vec::<Traffic>::new(),
        faults: vec![fault.clone()],
    };
    let problems = scenario.validate().err().unwrap_or_default();
    let fields = || way.fields().iter().copied().chain([Field::Place]);
    problems
        .iter()
        // There is no traffic, and the fabric is not in question.
        .filter_map(|problem| {
            let name = problem.field.strip_prefix("faults")?.trim_start_matches("[0].");
            let hint = match problem.hint.as_str() {
                "" => String::new(),
                hint => format!(" ({hint})"),
            };
            Some(Trouble {
                field: fields().find(|field| field.json(way) == name),
                why: format!("{}{hint}", problem.reason),
            })
        })
        .collect()
}

/// `5`, `NIC 5` or `n5`.
fn nic(text: &str) -> Result<u32, Trouble> {
    let number = text.trim().to_lowercase();
    let number = number
        .strip_prefix("nic")
        .or_else(|| number.strip_prefix('n'))
        .unwrap_or(&number);
    number.trim().parse().map_err(|_| {
        Trouble::at(
            Field::Place,
            format!("{text:?} is no NIC; expected its number, such as 5"),
        )
    })
}

fn time(field: Field, text: &str) -> Result<Time, Trouble> {
    text.trim().parse().map_err(|error| Trouble::at(field, error))
}

/// A share as a percentage, with or without its sign.
fn rate(text: &str) -> Result<f64, Trouble> {
    let number = text.trim().trim_end_matches('%').trim();
    match number.parse::<f64>() {
        Ok(percent) if percent.is_finite() => Ok(percent / 100.0),
        _ => Err(Trouble::at(
            Field::Rate,
            format!("{text:?} is no share; expected a percentage from 0 to 100, such as 1 % or 0.01 %"),
        )),
    }
}

fn number(field: Field, text: &str) -> Result<u32, Trouble> {
    text.trim().parse().map_err(|_| {
        Trouble::at(
            field,
            format!("{text:?} is no whole number; expected one such as 4"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::Noun;
    use super::*;

    fn fabric() -> Fabric {
        let json = r#"{ "planes": 2, "t0_per_plane": 3, "t1_per_plane": 2, "nics_per_t0": 2, "nic_link_rate": "100Gbps" }"#;
        serde_json::from_str(json).unwrap()
    }

    /// The JSON of the fault that comes of the defaults and what is said otherwise, at 100 µs.
    fn made(way: Way, said: &[(Field, &str)]) -> Result<String, Trouble> {
        let fabric = fabric();
        let text = |field| {
            let other = said.iter().find(|(of, _)| *of == field);
            other.map_or_else(|| way.default(field, &fabric), |(_, text)| (*text).into())
        };
        make(way, None, Time::us(100), text).map(|fault| serde_json::to_string(&fault).unwrap())
    }

    #[test]
    fn the_defaults_of_every_way_make_a_valid_fault() {
        for way in Way::ALL {
            let place = match way.noun() {
                Noun::Link => "p1/t0.2-t1.1",
                Noun::Switch => "p1/t1.1",
                Noun::Nic | Noun::Fabric => "NIC 5",
            };
            let json = made(way, &[(Field::Place, place)]).unwrap();
            let what: FaultKind = serde_json::from_str(&json).unwrap();
            assert_eq!(what.name(), way.slug());
            let at = Time::us(100);
            assert_eq!(check(way, &fabric(), &Fault { at, what }), [], "{json}");
        }
    }

    #[test]
    fn fields_are_read_as_people_write_them() {
        let place = (Field::Place, " p0/n3 ");
        assert_eq!(
            made(
                Way::LinkLoss,
                &[place, (Field::Rate, "0.5"), (Field::Direction, "up")]
            )
            .unwrap(),
            r#"{"kind":"link_loss","link":"p0/n3","direction":"up","rate":0.005}"#
        );
        assert_eq!(
            made(
                Way::LinkFlap,
                &[
                    place,
                    (Field::Lengths, "exact"),
                    (Field::Down, "1.5ms"),
                    (Field::Lasts, "20 ms")
                ]
            )
            .unwrap(),
            r#"{"kind":"link_flap","link":"p0/n3","down":"1500us","up":"50us","random":false,"until":"20100us"}"#,
            "20 ms after the fault's time, 100 µs"
        );
        assert_eq!(
            made(
                Way::NicPortDown,
                &[(Field::Place, "n4"), (Field::Port, "1"), (Field::Duration, "2 s")]
            )
            .unwrap(),
            r#"{"kind":"nic_port_down","nic":4,"plane":1,"duration":"2s"}"#
        );
        assert_eq!(
            made(
                Way::LinksDown,
                &[
                    (Field::Tier, "nic"),
                    (Field::Plane, "1"),
                    (Field::Spacing, "10us")
                ]
            )
            .unwrap(),
            r#"{"kind":"links_down","tier":"nic","plane":1,"count":4,"spacing":"10us"}"#
        );
    }

    #[test]
    fn what_cannot_be_read_is_said_at_its_field() {
        for (way, field, text, reason) in [
            (
                Way::LinkDown,
                Field::Place,
                "p0",
                "\"p0\" names no link; expected",
            ),
            (Way::SwitchDown, Field::Place, "p0/n1", "names no switch"),
            (Way::NicFlap, Field::Place, "p0/n1", "is no NIC"),
            (Way::LinkLoss, Field::Rate, "many", "expected a percentage"),
            (Way::NicPenalty, Field::Penalty, "-1", "is no whole number"),
            (Way::SwitchReboot, Field::Duration, "soon", "\"soon\" is no time"),
            (Way::LinksDown, Field::Spacing, "5", "is no time"),
            (Way::LinkFlap, Field::Lasts, "0", "is 0 ps; expected more"),
        ] {
            let place = match way.noun() {
                Noun::Switch => "p0/t1.0",
                Noun::Link => "p0/n0",
                _ => "1",
            };
            let said = [(field, text), (Field::Place, place)];
            let trouble = made(way, &said).unwrap_err();
            assert_eq!(trouble.field, Some(field), "{way:?}");
            assert!(trouble.why.contains(reason), "{}", trouble.why);
        }
    }

    #[test]
    fn the_scenarios_own_checks_are_said_at_their_fields() {
        let trouble = |way: Way, said: &[(Field, &str)], at| {
            let what = serde_json::from_str(&made(way, said).unwrap()).unwrap();
            check(way, &fabric(), &Fault { at, what })
        };
        let at = Time::us(1);
        let troubles = trouble(
            Way::LinkLoss,
            &[(Field::Place, "p7/n0"), (Field::Rate, "200")],
            at,
        );
        assert_eq!(
            troubles,
            [
                Trouble::at(Field::Place, "is p7/n0, but there is no plane 7; expected 0 to 1"),
                Trouble::at(
                    Field::Rate,
                    "is 2; expected 0 to 1 (the probability that a packet is lost)"
                ),
            ]
        );
        let troubles = trouble(Way::LinksDown, &[(Field::Count, "13")], at);
        // 2 planes of 3 × 2 T0–T1 links.
        assert_eq!(
            troubles,
            [Trouble::at(
                Field::Count,
                "is 13; expected 1 to 12 (links of the tier)"
            )]
        );
        let late = Time::s(200);
        let troubles = trouble(Way::SwitchDown, &[(Field::Place, "p0/t1.0")], late);
        assert_eq!(troubles.len(), 1);
        assert_eq!(troubles[0].field, None, "its time is not a field of the form");
    }
}
