//! The ledger's inputs in a link: only those that differ from their defaults.

use ledger::{INPUTS, InputError, Inputs, Workload};
use scenario::link::{self, Linked};

/// The option of a link that holds them: `&cost=KEY:VALUE,…`.
pub const OPTION: &str = "&cost=";

/// The workload's fields by the names that they have in links.
pub const WORKLOAD: [(&str, &str, &str); 5] = [
    (
        "cycles_per_packet",
        "Cycles of a core for a packet of a known flow",
        "cycles",
    ),
    (
        "cycles_per_connection",
        "Cycles of a core for the first packet of a flow",
        "cycles",
    ),
    ("packet_bytes", "Bytes of a packet on the wire", "B"),
    ("line_gbps", "Rate of the line", "Gb/s"),
    ("setup_cores", "Host cores that set up flows", "cores"),
];

/// What the cost view computes with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// Inputs of the statement.
    pub inputs: Inputs,
    /// The workload of the alternatives.
    pub workload: Workload,
}

/// What was typed, as an error repeats it.
fn short(typed: &str) -> String {
    const MOST: usize = 24;
    let mut text: String = typed.chars().take(MOST).collect();
    if typed.chars().nth(MOST).is_some() {
        text.push('…');
    }
    text
}

fn field<'a>(workload: &'a mut Workload, key: &str) -> Option<&'a mut f64> {
    match key {
        "cycles_per_packet" => Some(&mut workload.cycles_per_packet),
        "cycles_per_connection" => Some(&mut workload.cycles_per_connection),
        "packet_bytes" => Some(&mut workload.packet_bytes),
        "line_gbps" => Some(&mut workload.line_gbps),
        "setup_cores" => Some(&mut workload.setup_cores),
        _ => None,
    }
}

impl Costs {
    /// The value of an input or of a field of the workload.
    pub fn get(&self, key: &str) -> Option<f64> {
        let mut workload = self.workload;
        self.inputs
            .get(key)
            .or_else(|| field(&mut workload, key).map(|value| *value))
    }

    /// Gives one the value that was typed; all of them together have to make sense then.
    ///
    /// # Errors
    /// Why not, in the words of the page; nothing has changed then.
    pub fn set(&mut self, key: &str, typed: &str) -> Result<(), String> {
        let typed = typed.trim();
        let found = short(typed);
        let value = typed
            .parse::<f64>()
            .ok()
            .filter(|value| value.is_finite())
            .ok_or_else(|| format!("\"{found}\" is no number"))?;
        let mut changed = *self;
        if let Some(place) = field(&mut changed.workload, key) {
            *place = value;
            changed.workload.check().map_err(|_| {
                format!("{found} is too low or too high; expected more than 0 and at most 10^12")
            })?;
        } else {
            changed.inputs.set(key, value).map_err(|error| match error {
                InputError::Range { min, max, unit, .. } => {
                    format!("{found} is too low or too high; expected {min} to {max} {unit}")
                }
                other => other.to_string(),
            })?;
            changed.inputs.check().map_err(|error| match error {
                InputError::Prices { low, high } => {
                    format!("The low price, $ {low}, must not be above the high one, $ {high}")
                }
                other => other.to_string(),
            })?;
        }
        *self = changed;
        Ok(())
    }

    /// What differs from the defaults, for a link; empty when nothing does.
    pub fn to_option(&self) -> String {
        let default = Costs::default();
        let keys = INPUTS
            .iter()
            .map(|input| input.key)
            .chain(WORKLOAD.map(|(key, _, _)| key));
        let given: Vec<String> = keys
            .filter_map(|key| {
                let value = self.get(key)?;
                (Some(value) != default.get(key)).then(|| format!("{key}:{value}"))
            })
            .collect();
        match given.is_empty() {
            true => String::new(),
            false => format!("{OPTION}{}", given.join(",")),
        }
    }

    /// From what stands after `&cost=`.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn of_option(text: &str) -> Result<Costs, String> {
        let mut costs = Costs::default();
        // The two prices hold each other: first the inputs as they are, then whether they fit.
        for item in text.split(',').filter(|item| !item.is_empty()).take(100) {
            let wrong = || {
                format!(
                    "{:?} is no input of the ledger",
                    item.chars().take(60).collect::<String>()
                )
            };
            let (key, value) = item.split_once(':').ok_or_else(wrong)?;
            let value: f64 = value.parse().map_err(|_| wrong())?;
            if !value.is_finite() {
                return Err(wrong());
            }
            if let Some(place) = field(&mut costs.workload, key) {
                *place = value;
            } else {
                costs.inputs.set(key, value).map_err(|error| error.to_string())?;
            }
        }
        costs.inputs.check().map_err(|error| error.to_string())?;
        costs.workload.check().map_err(|error| error.to_string())?;
        Ok(costs)
    }
}

/// Takes the ledger's inputs out of a link: the link without them, and what they are.
pub fn split(link: &str) -> (String, Option<&str>) {
    let Some((before, rest)) = link.split_once(OPTION) else {
        return (link.to_owned(), None);
    };
    let (costs, after) = match rest.find('&') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    (format!("{before}{after}"), Some(costs))
}

/// Reads a link of a fabric or of a host, with the ledger's inputs or without: whatever the scenario is, every option has to fit it.
///
/// # Errors
/// What is wrong, in words.
pub fn decode(link: &str) -> Result<Linked, String> {
    let (plain, costs) = split(link);
    if plain.contains(OPTION) {
        return Err("the link has the option \"cost\" a second time; expected it at most once".into());
    }
    let linked = link::decode_any(&plain).map_err(|error| error.to_string())?;
    match (&linked, costs) {
        (Linked::Fabric(_), Some(_)) => {
            Err("the link has the option \"cost\", which only links of hosts have".into())
        }
        (Linked::Host(_), Some("")) => Err(
            "the link has the option \"cost=\" without a value; expected inputs of the ledger, such as cost=pue:1.5".into(),
        ),
        _ => Ok(linked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_of_hosts() {
        for (link, expected) in [
            ("preset/host-latency&cost=pue:1.5&seed=3", None),
            ("preset/incast&seed=3", None),
            (
                "preset/incast&at=1us&cost=pue:1.5",
                Some("which only links of hosts have"),
            ),
            ("preset/host-latency&cost=", Some("without a value")),
            (
                "preset/host-latency&cost=pue:1.5&cost=pue:2",
                Some("a second time"),
            ),
            (
                "preset/host-latency&seed=1&seed=2",
                Some("a second time, \"seed=2\""),
            ),
        ] {
            match (decode(link), expected) {
                (Ok(_), None) => {}
                (Err(why), Some(expected)) => assert!(why.contains(expected), "{link}: {why}"),
                (result, _) => panic!("{link}: {result:?}"),
            }
        }
    }

    #[test]
    fn only_what_differs_is_in_the_link() {
        let mut costs = Costs::default();
        assert_eq!(costs.to_option(), "");
        costs.set("pue", " 1.5 ").unwrap();
        costs.set("line_gbps", "100").unwrap();
        assert_eq!(costs.to_option(), "&cost=pue:1.5,line_gbps:100");
        let link = format!("preset/host-latency{}&seed=3", costs.to_option());
        let (rest, given) = split(&link);
        assert_eq!(rest, "preset/host-latency&seed=3");
        assert_eq!(Costs::of_option(given.unwrap()), Ok(costs));
        assert_eq!(split("preset/a"), ("preset/a".into(), None));
    }

    #[test]
    fn prices_that_hold_each_other_come_through() {
        let mut costs = Costs::default();
        costs.set("card_price_high", "9000").unwrap();
        costs.set("card_price_low", "5000").unwrap();
        assert_eq!(Costs::of_option(&costs.to_option()["&cost=".len()..]), Ok(costs));
    }

    #[test]
    fn nonsense_is_refused_and_changes_nothing() {
        let mut costs = Costs::default();
        let long = "9".repeat(300);
        for (key, typed, expected) in [
            ("pue", "0.9", "0.9 is too low or too high; expected 1 to 3 ratio"),
            ("pue", "much", "\"much\" is no number"),
            ("pue", "inf", "\"inf\" is no number"),
            ("pue", "1e999", "\"1e999\" is no number"),
            ("pue", "", "\"\" is no number"),
            (
                "fleet",
                "1e300",
                "1e300 is too low or too high; expected 1 to 100000000 hosts",
            ),
            (
                "fleet",
                &long,
                "999999999999999999999999… is too low or too high; expected 1 to 100000000 hosts",
            ),
            (
                "card_price_low",
                "5000",
                "The low price, $ 5000, must not be above the high one, $ 1200",
            ),
            (
                "packet_bytes",
                "0",
                "0 is too low or too high; expected more than 0 and at most 10^12",
            ),
        ] {
            assert_eq!(costs.set(key, typed).unwrap_err(), expected);
        }
        assert_eq!(costs, Costs::default());
        for text in ["pue", "pue:x", "pue:inf", "nothing:1", "pue:9", "line_gbps:0"] {
            assert!(Costs::of_option(text).is_err(), "{text}");
        }
    }
}
