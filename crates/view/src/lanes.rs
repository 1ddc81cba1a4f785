//! Which lanes of the timeline are shown, and in which order.

use serde::{Deserialize, Serialize};

/// QPs that can have lanes of their own at most.
pub const MOST_QPS: usize = 8;

/// Lanes that are shown only when somebody wants them, by name.
pub const OPTIONAL: [&str; 5] = ["ECN marks", "NACKs", "Pauses", "Queue", "EV states"];

/// Somebody's choice of lanes. What is not chosen about is shown, in the order in which it comes, but for [`OPTIONAL`] ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LaneChoice {
    /// Those that are not shown, by name.
    hidden: Vec<String>,
    /// Optional ones that are, by name.
    added: Vec<String>,
    /// Those that are shown first, by name, in this order.
    pinned: Vec<String>,
    /// QPs that have lanes of their own, besides the one that is selected.
    qps: Vec<u32>,
}

impl LaneChoice {
    /// From what was stored; the usual one where that is something else.
    pub fn parse(text: &str) -> LaneChoice {
        let mut choice: LaneChoice = serde_json::from_str(text).unwrap_or_default();
        choice.qps.truncate(MOST_QPS);
        choice
    }

    /// To be stored.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether a lane is shown.
    pub fn shows(&self, lane: &str) -> bool {
        let has = |list: &[String]| list.iter().any(|other| other == lane);
        match OPTIONAL.contains(&lane) {
            true => has(&self.added),
            false => !has(&self.hidden),
        }
    }

    /// Whether a lane is pinned.
    pub fn is_pinned(&self, lane: &str) -> bool {
        self.pinned.iter().any(|other| other == lane)
    }

    /// Shows a lane, or no longer.
    pub fn toggle(&mut self, lane: &str) {
        let list = match OPTIONAL.contains(&lane) {
            true => &mut self.added,
            false => &mut self.hidden,
        };
        toggle(list, lane);
    }

    /// Shows a lane before all others, or where it usually is.
    pub fn pin(&mut self, lane: &str) {
        toggle(&mut self.pinned, lane);
    }

    /// QPs that have lanes of their own.
    pub fn qps(&self) -> &[u32] {
        &self.qps
    }

    /// Gives a QP a lane of its own, or takes it away. False where there are too many.
    pub fn toggle_qp(&mut self, qp: u32) -> bool {
        match self.qps.iter().position(|&other| other == qp) {
            Some(place) => {
                self.qps.remove(place);
            }
            None if self.qps.len() >= MOST_QPS => return false,
            None => self.qps.push(qp),
        }
        true
    }

    /// The lanes that are shown, those that are pinned first.
    pub fn arrange<T>(&self, lanes: Vec<T>, name: impl Fn(&T) -> String) -> Vec<T> {
        let mut shown: Vec<(usize, T)> = lanes
            .into_iter()
            .filter_map(|lane| {
                let own = name(&lane);
                let place = self.pinned.iter().position(|other| *other == own);
                self.shows(&own).then_some((place.unwrap_or(usize::MAX), lane))
            })
            .collect();
        // Stable: those that are not pinned keep their order.
        shown.sort_by_key(|&(place, _)| place);
        shown.into_iter().map(|(_, lane)| lane).collect()
    }
}

fn toggle(list: &mut Vec<String>, lane: &str) {
    match list.iter().position(|other| other == lane) {
        Some(place) => {
            list.remove(place);
        }
        None => list.push(lane.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_hidden_and_pinned() {
        let all = || vec!["total", "plane 0", "plane 1", "drops"];
        let shown = |choice: &LaneChoice| choice.arrange(all(), |&lane| lane.to_owned());
        let mut choice = LaneChoice::default();
        assert_eq!(shown(&choice), all());
        choice.toggle("plane 0");
        choice.pin("drops");
        choice.pin("plane 1");
        assert_eq!(shown(&choice), ["drops", "plane 1", "total"]);
        assert!(!choice.shows("plane 0") && choice.is_pinned("drops"));
        assert_eq!(LaneChoice::parse(&choice.to_text()), choice);
        choice.toggle("plane 0");
        choice.pin("drops");
        assert_eq!(shown(&choice), ["plane 1", "total", "plane 0", "drops"]);
        assert_eq!(LaneChoice::parse("?"), LaneChoice::default());
    }

    #[test]
    fn optional_lanes_are_shown_when_they_are_added() {
        let mut choice = LaneChoice::default();
        let shown = |choice: &LaneChoice| choice.arrange(vec!["Drops", "ECN marks"], |&lane| lane.to_owned());
        assert_eq!(shown(&choice), ["Drops"]);
        choice.toggle("ECN marks");
        choice.pin("ECN marks");
        assert_eq!(shown(&choice), ["ECN marks", "Drops"]);
        assert_eq!(LaneChoice::parse(&choice.to_text()), choice);
        choice.toggle("ECN marks");
        assert_eq!(shown(&choice), ["Drops"]);
        // What was stored before there were such lanes.
        assert!(LaneChoice::parse(r#"{"hidden":["Drops"]}"#).shows("Trims"));
    }

    #[test]
    fn some_qps_have_lanes() {
        let mut choice = LaneChoice::default();
        assert!((0..MOST_QPS as u32).all(|qp| choice.toggle_qp(qp)));
        assert!(!choice.toggle_qp(99));
        assert!(choice.toggle_qp(3) && choice.toggle_qp(99));
        assert_eq!(choice.qps(), [0, 1, 2, 4, 5, 6, 7, 99]);
    }
}
