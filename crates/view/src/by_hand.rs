//! Which faults of a run were made by hand.

use scenario::Fault;

/// The places, among the faults of a run, of those that it did not have when it was opened. Each of the first ones accounts for one that is
/// the same, or else for one that differs in its time only: it was moved.
pub fn by_hand(first: &[Fault], faults: &[Fault]) -> Vec<usize> {
    let mut first: Vec<&Fault> = first.iter().collect();
    let mut left: Vec<usize> = (0..faults.len()).collect();
    let same: [fn(&Fault, &Fault) -> bool; 2] = [|a, b| a == b, |a, b| a.what == b.what];
    for is_same in same {
        left.retain(|&place| {
            let known = first.iter().position(|known| is_same(known, &faults[place]));
            known.map(|known| first.remove(known)).is_none()
        });
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::{Time, presets};

    #[test]
    fn what_a_run_had_at_first_is_not_by_hand() {
        let first = presets()[0].scenario().faults;
        assert_eq!(by_hand(&first, &first), Vec::<usize>::new());
        let mut later = first[0].clone();
        later.at = Time::us(600);
        let mut faults = first.clone();
        // The same fault once more is one more.
        faults.extend([later.clone(), first[0].clone()]);
        let own = first.len();
        assert_eq!(by_hand(&first, &faults), [own, own + 1]);
        // One of the first was taken away: what is left of them is still not by hand.
        faults.remove(0);
        assert_eq!(by_hand(&first, &faults), [own - 1]);
        assert_eq!(by_hand(&[], std::slice::from_ref(&later)), [0]);
        // One of the first was moved, and another made by hand.
        let moved = [later.clone(), first[1].clone(), later];
        assert_eq!(by_hand(&first[..2], &moved), [2]);
    }
}
