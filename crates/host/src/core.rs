//! A core of the vSwitch: a bounded queue with one server.

use kernel::Time;
use std::collections::VecDeque;

/// What a core is asked to do with a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Pass it on: it came over the synthetic path, or is an exception.
    Forward,
    /// Look at a copy of it.
    Copy,
    /// Look for old flows of a VM; the number is the VM's.
    Expire,
}

/// A packet that waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub packet: u32,
    pub task: Task,
}

/// A core.
#[derive(Clone, Debug, Default)]
pub(crate) struct Core {
    waiting: VecDeque<Job>,
    // VMs whose old flows are to be looked for: one such job between two packets, so that neither holds up the other.
    ageing: VecDeque<u32>,
    aged_last: bool,
    serving: bool,
    // Connections of guests that wait for room.
    pub blocked: VecDeque<(u32, u32)>,
    /// What it has worked so far, everything it has begun included.
    pub busy: Time,
    /// Jobs done.
    pub served: u64,
    /// The most that ever waited.
    pub most_waiting: u32,
}

impl Core {
    /// Packets that wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Puts a job at the end; false if `capacity` wait already.
    pub fn offer(&mut self, job: Job, capacity: u32) -> bool {
        if self.waiting.len() >= capacity as usize {
            return false;
        }
        self.waiting.push_back(job);
        self.most_waiting = self.most_waiting.max(self.waiting.len() as u32);
        true
    }

    /// Asks for a look for old flows of a VM; false if one is asked for already.
    pub fn age(&mut self, vm: u32) -> bool {
        let new = !self.ageing.contains(&vm);
        if new {
            self.ageing.push_back(vm);
        }
        new
    }

    /// The next job, if the core is idle and one waits; it is busy from now on.
    pub fn take(&mut self) -> Option<Job> {
        if self.serving {
            return None;
        }
        let age = !self.ageing.is_empty() && (!self.aged_last || self.waiting.is_empty());
        let job = if age {
            let packet = self.ageing.pop_front()?;
            let task = Task::Expire;
            Job { packet, task }
        } else {
            self.waiting.pop_front()?
        };
        self.aged_last = age;
        self.serving = true;
        Some(job)
    }

    /// The job is done.
    pub fn done(&mut self) {
        self.serving = false;
        self.served += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_after_the_other_and_no_more_than_fit() {
        let mut core = Core::default();
        let job = |packet| Job {
            packet,
            task: Task::Forward,
        };
        assert!(core.offer(job(1), 2) && core.offer(job(2), 2) && !core.offer(job(3), 2));
        assert_eq!(core.take().map(|j| j.packet), Some(1));
        assert!(core.take().is_none(), "busy");
        assert!(core.offer(job(3), 2));
        core.done();
        assert_eq!(core.take().map(|j| j.packet), Some(2));
        assert_eq!((core.served, core.most_waiting, core.waiting()), (1, 2, 1));
    }

    #[test]
    fn ageing_takes_turns_with_packets() {
        let mut core = Core::default();
        let task = Task::Forward;
        for packet in [7, 8] {
            core.offer(Job { packet, task }, 9);
        }
        assert!(core.age(1) && !core.age(1) && core.age(2));
        let mut order = Vec::new();
        while let Some(job) = core.take() {
            order.push((job.packet, job.task));
            core.done();
        }
        let expire = Task::Expire;
        assert_eq!(order, [(1, expire), (7, task), (2, expire), (8, task)]);
    }
}
