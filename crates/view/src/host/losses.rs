//! Where on the stage packets are lost.

use serde::{Deserialize, Serialize};

/// A place where packets are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossPlace {
    /// At the VM: it stands still, has no device, its ring is full, or it does not see what comes.
    Guest,
    /// On the way over a VF: it went, or what it carried was not its own.
    Vf,
    /// In the FPGA: the buffer before its pipeline was full.
    Buffer,
    /// In the FPGA: its policers.
    Match,
    /// In the FPGA: the headers do not allow what the entry does.
    Action,
    /// Before a core of the vSwitch: its queue was full.
    Queue,
    /// In VFP: a layer, or the limits of its tables.
    Layers,
    /// On the link to the rack switch: its buffer was full, or the wire dead.
    Wire,
}

impl LossPlace {
    /// All.
    pub const ALL: [LossPlace; 8] = [
        LossPlace::Guest,
        LossPlace::Vf,
        LossPlace::Buffer,
        LossPlace::Match,
        LossPlace::Action,
        LossPlace::Queue,
        LossPlace::Layers,
        LossPlace::Wire,
    ];
}

/// Packets lost at a place for a reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    /// Where.
    pub place: LossPlace,
    /// Why, as the counters name it.
    pub why: String,
    /// How many so far.
    pub count: u64,
}

/// Packets lost at a place for whatever reason.
pub fn at(lost: &[Lost], place: LossPlace) -> u64 {
    let there = lost.iter().filter(|lost| lost.place == place);
    there.map(|lost| lost.count).sum()
}

/// What is lost at a place, in words.
pub fn words(lost: &[Lost], place: LossPlace) -> String {
    let there = lost.iter().filter(|lost| lost.place == place);
    let reasons: Vec<String> = there
        .map(|lost| format!("{} {}", crate::units::count(lost.count), lost.why))
        .collect();
    format!("Lost here: {}", reasons.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_a_place_add_up() {
        let lost = |place, why: &str, count| Lost {
            place,
            why: why.into(),
            count,
        };
        let all = [
            lost(LossPlace::Wire, "QoS", 7),
            lost(LossPlace::Queue, "Resources", 5),
            lost(LossPlace::Wire, "NotReady", 2),
        ];
        assert_eq!(at(&all, LossPlace::Wire), 9);
        assert_eq!(at(&all, LossPlace::Guest), 0);
        assert_eq!(words(&all, LossPlace::Wire), "Lost here: 7 QoS, 2 NotReady");
    }
}
