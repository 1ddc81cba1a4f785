//! The cells of the flow caches as bytes.

/// Steps of age, each ten times as long as the one before; the first is below 10 µs.
pub const AGES: usize = 6;

/// A way of L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing is here.
    Free,
    /// An entry that does not match yet.
    Deactivated,
    /// An entry of an older policy.
    Stale,
    /// An entry in use; the number tells how long ago it last matched, 0 to [`AGES`] − 1.
    Activated(u8),
}

impl Cell {
    /// As a byte.
    pub fn byte(self) -> u8 {
        match self {
            Cell::Free => 0,
            Cell::Deactivated => 1,
            Cell::Stale => 2,
            Cell::Activated(age) => 3 + age.min(AGES as u8 - 1),
        }
    }

    /// From a byte.
    pub fn of(byte: u8) -> Option<Cell> {
        match byte {
            0 => Some(Cell::Free),
            1 => Some(Cell::Deactivated),
            2 => Some(Cell::Stale),
            n if usize::from(n) < 3 + AGES => Some(Cell::Activated(n - 3)),
            _ => None,
        }
    }

    /// In words.
    pub fn name(self) -> String {
        match self {
            Cell::Free => "free".into(),
            Cell::Deactivated => "Deactivated".into(),
            Cell::Stale => "Activated, of an older generation".into(),
            Cell::Activated(age) => format!(
                "Activated, last match {}",
                AGE_NAMES[usize::from(age).min(AGES - 1)]
            ),
        }
    }
}

/// What the steps of age mean.
pub const AGE_NAMES: [&str; AGES] = [
    "below 10 µs ago",
    "10 to 100 µs ago",
    "0.1 to 1 ms ago",
    "1 to 10 ms ago",
    "10 to 100 ms ago",
    "0.1 s ago or longer",
];

/// The step of an age in ps.
pub fn age(ps: u64) -> u8 {
    let mut limit = 10_000_000;
    for step in 0..AGES as u8 - 1 {
        if ps < limit {
            return step;
        }
        limit *= 10;
    }
    AGES as u8 - 1
}

/// The columns of a grid of `cells` that is about `ratio` times as wide as high: a power of two, so that sets stay together.
pub fn columns(cells: usize, ratio: f64) -> usize {
    let wanted = (cells as f64 * ratio.max(0.01)).sqrt().max(1.0) as usize;
    wanted.next_power_of_two().min(cells.max(1).next_power_of_two())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_survive_as_bytes() {
        let all = [Cell::Free, Cell::Deactivated, Cell::Stale];
        for cell in all.into_iter().chain((0..AGES as u8).map(Cell::Activated)) {
            assert_eq!(Cell::of(cell.byte()), Some(cell));
        }
        assert_eq!(Cell::of(3 + AGES as u8), None);
    }

    #[test]
    fn ages_go_by_tens() {
        let us = 1_000_000;
        let ages = [
            0,
            9 * us,
            10 * us,
            99 * us,
            100 * us,
            1_000 * us,
            10_000 * us,
            100_000 * us,
            u64::MAX,
        ];
        assert_eq!(ages.map(age), [0, 0, 1, 1, 2, 3, 4, 5, 5]);
    }

    #[test]
    fn a_grid_of_2048_is_64_by_32() {
        assert_eq!(columns(2_048, 2.0), 64);
        assert_eq!(columns(1, 2.0), 1);
        assert_eq!(columns(0, 2.0), 1);
    }
}
