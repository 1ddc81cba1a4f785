//! All settings that a search may try: one level for each parameter.

use super::parameter::Parameter;
use crate::field::read_with_fields;
use kernel::rng::{Sequence, below, draw, key};
use scenario::Scenario;
use serde::Serialize;

/// Fields tuned at once at most; our choice.
pub const MAX_PARAMETERS: usize = 32;

/// The number of a level for each parameter.
pub type Levels = Vec<usize>;

/// Parameters, and settings to begin with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Space {
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// Published or otherwise known settings, which every search tries.
    pub starts: Vec<Start>,
}

/// A setting with a name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Start {
    /// Whose it is.
    pub name: String,
    /// Its levels.
    pub levels: Levels,
}

impl Space {
    /// The setting that the scenario has.
    pub fn own(&self) -> Levels {
        self.parameters.iter().map(|parameter| parameter.own).collect()
    }

    /// The scenario with a setting. It is well-formed, but [`Scenario::validate`] may find that values do not fit each other.
    ///
    /// # Errors
    /// When a value has not the form that its field has.
    pub fn scenario(&self, base: &Scenario, levels: &[usize]) -> Result<Scenario, String> {
        let changed = self.parameters.iter().zip(levels);
        let fields = changed
            .filter(|(parameter, level)| **level != parameter.own)
            .map(|(parameter, level)| (parameter.path.as_str(), &parameter.levels[*level]));
        read_with_fields(base, fields, "the setting").map_err(|problems| {
            let texts = problems.iter().map(ToString::to_string);
            texts.collect::<Vec<_>>().join("; ")
        })
    }

    /// A Latin hypercube of `count` settings: for each parameter the unit interval is cut into `count` parts, and each
    /// setting has another one, so that every parameter alone is covered evenly. Random numbers belong to `seed`.
    pub fn latin_hypercube(&self, count: usize, seed: u64) -> Vec<Levels> {
        let mut settings = vec![self.own(); count];
        for (at, parameter) in self.parameters.iter().enumerate().filter(|(_, p)| p.sampled) {
            let own_key = key(seed, STRATA, at as u64);
            let mut strata: Vec<usize> = (0..count).collect();
            Sequence::new(own_key).pick(&mut strata, count);
            let levels = parameter.levels.len() as u64;
            for (i, (setting, stratum)) in settings.iter_mut().zip(strata).enumerate() {
                // (stratum + u) / count of the levels, with 32 bits of u.
                let u = draw(key(seed, WITHIN, at as u64), i as u64) >> 32;
                let position = ((stratum as u128) << 32 | u128::from(u)) * u128::from(levels);
                setting[at] = (position / ((count as u128) << 32)) as usize;
            }
        }
        settings
    }

    /// A setting drawn at random, for where one of the sample cannot be had: the `nth` of `seed`.
    pub fn random(&self, seed: u64, nth: u64) -> Levels {
        let mut levels = self.own();
        for (at, parameter) in self.parameters.iter().enumerate().filter(|(_, p)| p.sampled) {
            let bits = draw(key(seed, ANEW, at as u64), nth);
            levels[at] = below(bits, parameter.levels.len() as u64) as usize;
        }
        levels
    }
}

// What random numbers are for.
const STRATA: u64 = 1;
const WITHIN: u64 = 2;
const ANEW: u64 = 3;
/// Of the search's steps.
pub(super) const STEPS: u64 = 4;

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::plan::tests::scenario;
    use serde_json::{Value, json};

    /// So many parameters of so many levels each, the first of which is the default.
    pub fn grid(parameters: usize, levels: u64) -> Space {
        let parameter = |at: usize| {
            Parameter::list(
                &format!("p{at}"),
                (0..levels).map(Value::from).collect(),
                json!(0),
            )
            .unwrap()
        };
        Space {
            parameters: (0..parameters).map(parameter).collect(),
            starts: Vec::new(),
        }
    }

    #[test]
    fn a_latin_hypercube_has_every_level_of_every_parameter_as_often() {
        let space = grid(3, 5);
        let sample = space.latin_hypercube(20, 1);
        for at in 0..3 {
            for level in 0..5 {
                let count = sample.iter().filter(|levels| levels[at] == level).count();
                assert_eq!(count, 4, "20 strata over 5 levels");
            }
        }
        assert_ne!(
            sample,
            space.latin_hypercube(20, 2),
            "another seed is another sample"
        );
        let columns: Vec<Vec<usize>> = (0..3)
            .map(|at| sample.iter().map(|levels| levels[at]).collect())
            .collect();
        assert_ne!(columns[0], columns[1], "parameters are independent of each other");
    }

    #[test]
    fn what_is_not_sampled_stays_as_it_is() {
        let mut space = grid(2, 5);
        space.parameters[1] = space.parameters[1].clone().unsampled();
        assert!(space.latin_hypercube(10, 1).iter().all(|levels| levels[1] == 0));
        assert!((0..20).all(|nth| space.random(1, nth)[1] == 0));
        assert!((0..20).any(|nth| space.random(1, nth)[0] == 4));
    }

    #[test]
    fn a_setting_is_written_into_the_scenario_but_for_what_it_has() {
        let base = scenario();
        let space = Space {
            parameters: vec![
                Parameter::list("transport.evs", vec![json!(8)], Value::Null).unwrap(),
                Parameter::list("fabric.queue.ecn_min_bdp", vec![json!(0.9)], Value::Null).unwrap(),
            ],
            starts: Vec::new(),
        };
        assert_eq!(space.scenario(&base, &space.own()).unwrap(), base);
        let changed = space.scenario(&base, &[1, 0]).unwrap();
        assert_eq!(
            (changed.transport.evs, changed.fabric.queue),
            (8, base.fabric.queue)
        );
        // Marking would begin above where it is certain: well-formed, and refused by validation.
        let odd = space.scenario(&base, &[0, 1]).unwrap();
        assert!(
            odd.validate().unwrap_err()[0]
                .to_string()
                .contains("above ecn_max_bdp")
        );
    }
}
