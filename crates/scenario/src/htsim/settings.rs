//! The lines of a topology as key and value.

use super::text::{FileProblems, Line, Place, Token};
use crate::decimal::{Decimal, DecimalError};

/// A key of the file, in the order of messages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Nodes,
    Tiers,
    Podsize,
    Tier,
    Speed,
    RadixDown,
    RadixUp,
    QueueDown,
    QueueUp,
    Oversubscribed,
    Bundle,
    SwitchLatency,
    LinkLatency,
}

const KEYS: [(Key, &str); 13] = [
    (Key::Nodes, "Nodes"),
    (Key::Tiers, "Tiers"),
    (Key::Podsize, "Podsize"),
    (Key::Tier, "Tier"),
    (Key::Speed, "Downlink_speed_Gbps"),
    (Key::RadixDown, "Radix_Down"),
    (Key::RadixUp, "Radix_Up"),
    (Key::QueueDown, "Queue_Down"),
    (Key::QueueUp, "Queue_Up"),
    (Key::Oversubscribed, "Oversubscribed"),
    (Key::Bundle, "Bundle"),
    (Key::SwitchLatency, "Switch_Latency_ns"),
    (Key::LinkLatency, "Downlink_Latency_ns"),
];

impl Key {
    pub(super) fn name(self) -> &'static str {
        KEYS.iter()
            .find(|(key, _)| *key == self)
            .map_or("", |(_, name)| name)
    }

    pub(super) fn belongs_to_a_tier(self) -> bool {
        !matches!(self, Self::Nodes | Self::Tiers | Self::Podsize | Self::Tier)
    }

    /// What the value is counted in: speeds in bit/s, latencies in ps, all else as it stands.
    pub(super) fn scale(self) -> u64 {
        match self {
            Self::Speed => 1_000_000_000,
            Self::SwitchLatency | Self::LinkLatency => 1_000,
            _ => 1,
        }
    }
}

/// One line's meaning: a value (scaled, see [`Key::scale`]) and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub(super) tier: Option<u64>,
    pub(super) key: Key,
    pub(super) value: u64,
    pub(super) at: Place,
}

pub(super) struct Settings {
    pub(super) list: Vec<Setting>,
    /// Keys that are there, but without a value that can be read.
    unreadable: Vec<(Option<u64>, Key)>,
    /// The tier that the lines now belong to.
    pub(super) tier: Option<u64>,
    pub(super) problems: FileProblems,
}

impl Settings {
    pub(super) fn new(problems: FileProblems) -> Self {
        Self {
            list: Vec::new(),
            unreadable: Vec::new(),
            tier: None,
            problems,
        }
    }

    pub(super) fn line(&mut self, line: &Line<'_>) {
        let word = line.tokens[0];
        let Some(&(key, _)) = KEYS.iter().find(|(_, name)| word.is(name)) else {
            let known: Vec<&str> = KEYS.iter().map(|(_, name)| *name).collect();
            let reason = format!("unknown keyword {}", word.quoted());
            self.problems
                .add(word.at, reason, format!("expected one of {}", known.join(", ")));
            return;
        };
        if key == Key::Tier {
            self.begin_tier(line);
            return;
        }
        if key.belongs_to_a_tier() && self.tier.is_none() {
            let reason = format!("{} before the first `Tier`", word.quoted());
            self.problems.add(word.at, reason, "it belongs to a tier");
            return;
        }
        let tier = if key.belongs_to_a_tier() { self.tier } else { None };
        let Some(value) = self.value(key, line) else {
            if !self.unreadable.contains(&(tier, key)) {
                self.unreadable.push((tier, key));
            }
            return;
        };
        if let Some(first) = self.get(tier, key) {
            let reason = format!("a second {}; the first is line {}", word.quoted(), first.at.line);
            self.problems.add(word.at, reason, "expected one");
        } else {
            let at = line.tokens[1].at;
            self.list.push(Setting { tier, key, value, at });
        }
    }

    fn begin_tier(&mut self, line: &Line<'_>) {
        let Some(tier) = self.value(Key::Tier, line) else {
            return;
        };
        let at = line.tokens[1].at;
        if tier > 2 {
            let reason = format!("there is no tier {tier}");
            self.problems.add(at, reason, "expected Tier 0 and Tier 1");
        } else if self.tier_place(tier).is_some() {
            let reason = format!("a second `Tier {tier}`");
            self.problems.add(at, reason, "expected one");
        } else {
            let key = Key::Tier;
            self.list.push(Setting {
                tier: None,
                key,
                value: tier,
                at,
            });
        }
        // All tiers that do not exist count as one, so that the list stays short.
        self.tier = Some(tier.min(3));
    }

    fn value(&mut self, key: Key, line: &Line<'_>) -> Option<u64> {
        let word = line.tokens[0];
        let Some(token) = line.tokens.get(1) else {
            let reason = format!("the line is cut off: there is no number after {}", word.quoted());
            self.problems.add(word.at, reason, "");
            return None;
        };
        if let Some(extra) = line.tokens.get(2) {
            let reason = format!("{} after the number of {}", extra.quoted(), word.quoted());
            self.problems
                .add(extra.at, reason, "expected the end of the line");
            return None;
        }
        match number(token, key.scale()) {
            Ok(value) => Some(value),
            Err(why) => {
                let reason = format!("{} is {}, but {why}", key.name(), token.quoted());
                self.problems.add(token.at, reason, "expected a number");
                None
            }
        }
    }

    pub(super) fn get(&self, tier: Option<u64>, key: Key) -> Option<Setting> {
        self.list.iter().copied().find(|s| s.tier == tier && s.key == key)
    }

    /// A setting that the file has to have, with a value in the range. Says nothing about what has been
    /// refused already, be it an unreadable value or the lack of a whole tier.
    pub(super) fn need(&mut self, tier: Option<u64>, key: Key, min: u64, max: u64) -> Option<Setting> {
        let tier_is_missing = tier.is_some_and(|t| self.tier_place(t).is_none());
        if tier_is_missing || self.unreadable.contains(&(tier, key)) {
            return None;
        }
        let Some(setting) = self.get(tier, key) else {
            let place = tier.and_then(|t| self.tier_place(t)).unwrap_or(Place::START);
            let reason = match tier {
                Some(t) => format!("Tier {t} has no {}", key.name()),
                None => format!("there is no `{}` line", key.name()),
            };
            self.problems.add(place, reason, "");
            return None;
        };
        if setting.value < min || setting.value > max {
            let scale = key.scale() as f64;
            let reason = format!(
                "{} is {}; expected {} to {}",
                key.name(),
                setting.value as f64 / scale,
                min as f64 / scale,
                max as f64 / scale
            );
            self.problems.add(setting.at, reason, "");
            return None;
        }
        Some(setting)
    }

    pub(super) fn tier_place(&self, tier: u64) -> Option<Place> {
        self.list
            .iter()
            .find(|s| s.key == Key::Tier && s.value == tier)
            .map(|s| s.at)
    }
}

/// The token's value times `scale`, or why it has none.
fn number(token: &Token<'_>, scale: u64) -> Result<u64, &'static str> {
    if scale == 1 {
        return token.whole();
    }
    Decimal::parse(token.text)
        .and_then(|d| d.times(scale))
        .map_err(|e| match e {
            DecimalError::Negative => "it is negative",
            DecimalError::NotWhole => "it has too many decimals",
            DecimalError::TooLarge | DecimalError::TooLong => "it is too large",
            DecimalError::Empty | DecimalError::NotANumber => "it is no number",
        })
}
