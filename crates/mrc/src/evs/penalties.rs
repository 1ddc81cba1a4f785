//! How many turns each EV still has to miss: the memory of uet-htsim's `bitmap` balancer (facts 3.6).

use super::Feedback;

/// No EV misses more turns than this.
const MOST: u8 = 15;

/// Turns to miss, by EV.
#[derive(Clone, Debug)]
pub(super) struct Penalties(Box<[u8]>);

impl Penalties {
    pub fn new(evs: u16) -> Penalties {
        Penalties(vec![0; evs.into()].into())
    }

    /// What became of a packet adds turns. True when there are any now.
    pub fn add(&mut self, ev: u16, feedback: Feedback) -> bool {
        let turns = match feedback {
            Feedback::Clear => 0,
            Feedback::Marked => 1,
            Feedback::Trimmed => 4,
            Feedback::Lost => MOST,
        };
        let left = &mut self.0[usize::from(ev)];
        *left = (*left + turns).min(MOST);
        *left > 0
    }

    /// The EV misses a turn. True when it was the last one.
    pub fn miss(&mut self, ev: u16) -> bool {
        let left = &mut self.0[usize::from(ev)];
        *left = left.saturating_sub(1);
        *left == 0
    }

    /// All is forgotten about an EV.
    pub fn forget(&mut self, ev: u16) {
        self.0[usize::from(ev)] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_trims_and_losses_weigh_1_4_and_15() {
        let mut penalties = Penalties::new(4);
        assert!(!penalties.add(2, Feedback::Clear));
        for (feedback, turns) in [
            (Feedback::Marked, 1),
            (Feedback::Trimmed, 4),
            (Feedback::Lost, 15),
        ] {
            assert!(penalties.add(2, feedback));
            for turn in 1..=turns {
                assert_eq!(penalties.miss(2), turn == turns, "{feedback:?}");
            }
        }
    }

    #[test]
    fn they_add_up_to_15_and_can_be_forgotten() {
        let mut penalties = Penalties::new(1);
        for _ in 0..4 {
            penalties.add(0, Feedback::Trimmed);
        }
        // 4 × 4 = 16 is held at 15.
        assert_eq!((0..15).filter(|_| penalties.miss(0)).count(), 1);
        penalties.add(0, Feedback::Lost);
        penalties.forget(0);
        assert!(!penalties.add(0, Feedback::Clear));
    }
}
