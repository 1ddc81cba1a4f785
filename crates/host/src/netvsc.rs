//! The guest's two network devices: the synthetic one that has the address, and the VF below it.

use kernel::Time;
use scenario::host::{Path, Servicing};

/// Where the guest sends, and where the host delivers what the NIC does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataPath {
    /// Through the vSwitch.
    Synthetic,
    /// To the VF.
    Vf,
    /// Nowhere: the guest's driver knows the VF alone, and that is away.
    None,
}

/// What comes next in taking a VF away and giving it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The host signals that the VF will go.
    Signal,
    /// The guest sends by the synthetic path from now on.
    SwitchedFrom,
    /// The VF is gone.
    Removed,
    /// The VF's slot is back.
    Returned,
    /// The guest's driver has registered it.
    Registered,
    /// The guest sends by the VF again.
    SwitchedTo,
}

impl Step {
    /// As Linux's log says it (facts 3.1).
    pub const fn message(self) -> &'static str {
        match self {
            Step::Signal => "VF removal signalled",
            Step::SwitchedFrom => "Data path switched from VF",
            Step::Removed => "VF slot removed",
            Step::Returned => "VF slot added",
            Step::Registered => "VF registering",
            Step::SwitchedTo => "Data path switched to VF",
        }
    }
}

/// One guest's devices.
#[derive(Clone, Debug)]
pub struct NetVsc {
    path: Path,
    vf: bool,
    data_path: DataPath,
    // Removals under way: the VF comes back when the last of them is over.
    holds: u32,
    switches: u32,
}

impl NetVsc {
    /// A guest that has booted; with a VF unless its path is synthetic.
    pub fn new(path: Path) -> NetVsc {
        let vf = path != Path::Synthetic;
        NetVsc {
            path,
            vf,
            data_path: if vf { DataPath::Vf } else { DataPath::Synthetic },
            holds: 0,
            switches: 0,
        }
    }

    /// The guest's drivers.
    pub fn path(&self) -> Path {
        self.path
    }

    /// Whether the guest has a VF now.
    pub fn has_vf(&self) -> bool {
        self.vf
    }

    /// Where it sends.
    pub fn data_path(&self) -> DataPath {
        self.data_path
    }

    /// Times the data path was switched.
    pub fn switches(&self) -> u32 {
        self.switches
    }

    /// Whether the guest sees a packet that the host delivers by the synthetic path.
    pub fn sees_synthetic(&self) -> bool {
        match self.path {
            Path::Vf | Path::Synthetic | Path::DpdkNetvsc => true,
            Path::DpdkFailsafe => !self.vf,
            Path::DpdkVfOnly => false,
        }
    }

    /// The steps from the signal to the removal, each with its time after the signal.
    pub fn removal(&self, servicing: &Servicing) -> Vec<(Time, Step)> {
        let takeover = Time(servicing.takeover.0);
        let removed = takeover + Time(servicing.removal.0);
        let mut steps = vec![(Time::ZERO, Step::Signal)];
        // DPDK's failsafe and VF-only drivers do not take part: they learn of it when the VF is gone.
        if matches!(self.path, Path::Vf | Path::DpdkNetvsc) {
            steps.push((takeover, Step::SwitchedFrom));
        }
        steps.push((removed, Step::Removed));
        steps
    }

    /// The steps from the return of the VF's slot at `now`, each with its time.
    pub fn return_steps(&self, now: Time, servicing: &Servicing) -> Vec<(Time, Step)> {
        let registered = now + Time(servicing.registration.0);
        let switched = match self.path {
            Path::DpdkFailsafe => {
                let poll = servicing.failsafe_poll.0.max(1);
                Time(registered.0.div_ceil(poll) * poll)
            }
            Path::DpdkVfOnly => registered,
            Path::Vf | Path::DpdkNetvsc | Path::Synthetic => registered + Time(servicing.takeover.0),
        };
        vec![
            (now, Step::Returned),
            (registered, Step::Registered),
            (switched, Step::SwitchedTo),
        ]
    }

    /// A step happens. False: it is without effect, as another removal is under way or the guest never has a VF.
    pub fn step(&mut self, step: Step) -> bool {
        if self.path == Path::Synthetic {
            return false;
        }
        match step {
            Step::Signal => {
                self.holds += 1;
                self.holds == 1
            }
            Step::SwitchedFrom => self.switch(DataPath::Synthetic),
            Step::Removed => {
                let had = std::mem::replace(&mut self.vf, false);
                self.switch(match self.path {
                    Path::DpdkVfOnly => DataPath::None,
                    _ => DataPath::Synthetic,
                });
                had
            }
            Step::Returned => {
                self.holds = self.holds.saturating_sub(1);
                self.holds == 0 && !std::mem::replace(&mut self.vf, true)
            }
            Step::Registered => self.vf && self.holds == 0,
            Step::SwitchedTo => self.vf && self.holds == 0 && self.switch(DataPath::Vf),
        }
    }

    fn switch(&mut self, to: DataPath) -> bool {
        let changed = self.data_path != to;
        self.data_path = to;
        self.switches += u32::from(changed);
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::from_ms(ms)
    }

    /// Facts 3.3: data path switched after 100 ms, the VF gone 1.11 s later; back, registered after 460 ms, in use after 100 ms.
    #[test]
    fn the_documented_timeline() {
        let mut guest = NetVsc::new(Path::Vf);
        let servicing = Servicing::default();
        assert_eq!(
            guest.removal(&servicing),
            [
                (ms(0), Step::Signal),
                (ms(100), Step::SwitchedFrom),
                (ms(1_210), Step::Removed)
            ]
        );
        for (_, step) in guest.removal(&servicing) {
            assert!(guest.step(step));
        }
        assert_eq!((guest.has_vf(), guest.data_path()), (false, DataPath::Synthetic));
        let back = guest.return_steps(ms(31_210), &servicing);
        assert_eq!(
            back,
            [
                (ms(31_210), Step::Returned),
                (ms(31_670), Step::Registered),
                (ms(31_770), Step::SwitchedTo)
            ]
        );
        for (_, step) in back {
            assert!(guest.step(step));
        }
        assert_eq!(
            (guest.has_vf(), guest.data_path(), guest.switches()),
            (true, DataPath::Vf, 2)
        );
    }

    #[test]
    fn drivers_differ() {
        let servicing = Servicing::default();
        let gone = |path| {
            let mut guest = NetVsc::new(path);
            for (_, step) in guest.removal(&servicing) {
                guest.step(step);
            }
            guest
        };
        assert_eq!(gone(Path::DpdkVfOnly).data_path(), DataPath::None);
        assert_eq!(gone(Path::DpdkFailsafe).data_path(), DataPath::Synthetic);
        assert!(gone(Path::DpdkFailsafe).sees_synthetic());
        assert!(!NetVsc::new(Path::DpdkFailsafe).sees_synthetic());
        assert!(!gone(Path::DpdkVfOnly).sees_synthetic());
        // 31.67 s: the failsafe driver's next look is at 32 s.
        let back = gone(Path::DpdkFailsafe).return_steps(ms(31_210), &servicing);
        assert_eq!(back[2], (ms(32_000), Step::SwitchedTo));
        let mut synthetic = NetVsc::new(Path::Synthetic);
        assert!(!synthetic.step(Step::Removed) && !synthetic.step(Step::SwitchedTo));
        assert_eq!(synthetic.data_path(), DataPath::Synthetic);
    }

    #[test]
    fn of_two_removals_the_last_return_counts() {
        let mut guest = NetVsc::new(Path::Vf);
        assert!(guest.step(Step::Signal) && !guest.step(Step::Signal));
        guest.step(Step::Removed);
        assert!(!guest.step(Step::Returned) && !guest.step(Step::SwitchedTo));
        assert!(guest.step(Step::Returned) && guest.step(Step::SwitchedTo));
    }
}
