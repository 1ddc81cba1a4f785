//! Rows that are divided twice: into stretches, and each stretch into groups.

use std::ops::Range;

/// A row whose members come in units of equal size, as T0s come in pods. The units are dealt out to stretches, as evenly as
/// can be, and each stretch is divided into equally many groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretches {
    units: u32,
    per_unit: u32,
    stretches: u32,
    groups: u32,
}

impl Stretches {
    /// A row of `units` with `per_unit` members each, as `stretches` with `groups` each. No stretch may have fewer members
    /// than groups.
    pub const fn new(units: u32, per_unit: u32, stretches: u32, groups: u32) -> Stretches {
        Stretches {
            units,
            per_unit,
            stretches,
            groups,
        }
    }

    /// The group of a member.
    pub const fn group_of(&self, member: u32) -> u32 {
        let stretch = group(member / self.per_unit, self.units, self.stretches);
        let own = self.stretch(stretch);
        stretch * self.groups + group(member - own.start, own.end - own.start, self.groups)
    }

    /// The members of a group.
    pub const fn members(&self, of: u32) -> Range<u32> {
        let own = self.stretch(of / self.groups);
        let within = members(of % self.groups, own.end - own.start, self.groups);
        own.start + within.start..own.start + within.end
    }

    /// The members of a stretch.
    const fn stretch(&self, stretch: u32) -> Range<u32> {
        let units = members(stretch, self.units, self.stretches);
        units.start * self.per_unit..units.end * self.per_unit
    }
}

/// The group of member `i` when `n` members share `groups` groups as evenly as can be.
pub(super) const fn group(i: u32, n: u32, groups: u32) -> u32 {
    (i as u64 * groups as u64 / n as u64) as u32
}

/// The members of a group.
pub(super) const fn members(group: u32, n: u32, groups: u32) -> Range<u32> {
    first_of(group, n, groups)..first_of(group + 1, n, groups)
}

/// The first member of a group.
const fn first_of(group: u32, n: u32, groups: u32) -> u32 {
    (group as u64 * n as u64).div_ceil(groups as u64) as u32
}
