//! How time goes: in windows, inside which the parts of the fabric and their endpoints do not depend on each other
//! (`fabric::switch` says why).

use crate::nic::Turn;
use crate::observer::Observer;
use crate::run::{Arrival, Change, OpenWindow, Sim, StepEvent, StepKind};
use crate::side::{About, Event};
use fabric::{Cut, DropReason, LinkKind};
use kernel::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A window may hold so many times the events that a caller wants to wait for: short windows are slow, and a window can be
/// left before its end.
const BUDGETS_PER_WINDOW: f64 = 16.0;

impl<O: Observer> Sim<O> {
    /// Processes every event up to and including `t`, or until the run ends. Afterwards [`now`](Self::now) is `t`, or
    /// the time of the end. A window that was left [half-way](Self::is_half_way) is finished first, be its end after `t`.
    pub fn run_until(&mut self, t: Time) {
        self.close();
        self.run_events(u64::MAX, t);
    }

    /// Processes about `budget` events, none later than `t`. Returns how many it processed. Where very much happens at once it
    /// may stop half-way, with [`is_half_way`](Self::is_half_way); otherwise everything up to [`now`](Self::now) has happened
    /// afterwards.
    pub fn run_events(&mut self, budget: u64, t: Time) -> u64 {
        let end = Time(self.scenario.until.0);
        let limit = t.min(end);
        let before = self.events();
        let mut done = 0;
        while done < budget && !self.finished {
            if let Some(open) = self.open {
                self.go_on(budget - done);
                done = self.events() - before;
                // A caller that was half-way before gets to look now.
                if open.next > 0 && self.open.is_none() {
                    break;
                }
                continue;
            }
            let due = self.next_due();
            let Some(start) = self.next_time(due).filter(|&start| start <= limit) else {
                self.now = self.now.max(limit);
                self.finished = limit == end;
                break;
            };
            if let Some(&(at, change)) = self.faults.first().filter(|fault| fault.0 == start) {
                self.serve_change(at, change);
            } else {
                self.begin_window(start, due, limit, budget);
            }
            done = self.events() - before;
        }
        if self.finished {
            self.close();
        }
        done
    }

    /// True when [`run_events`](Self::run_events) stopped in the middle of a window. What is seen then is not of one time;
    /// [`settle`](Self::settle) goes on to where it is.
    pub fn is_half_way(&self) -> bool {
        self.open.is_some()
    }

    /// The first of the changes takes effect.
    fn serve_change(&mut self, at: Time, change: Change) {
        self.serve_lines(at);
        self.network.unpack();
        self.faults.pop_first();
        self.now = at;
        self.apply(change, at);
    }

    /// Opens the window that begins at `start`, when nothing happens before.
    fn begin_window(&mut self, start: Time, due: Time, limit: Time, budget: u64) {
        let nearly_done = self.is_nearly_done();
        let look_ahead = if nearly_done {
            self.narrow_look_ahead
        } else {
            self.look_ahead
        };
        let mut last = self.horizon(start, due, look_ahead).min(limit);
        if let Some(&(at, _)) = self.faults.first() {
            last = last.min(Time(at.0 - 1));
        }
        let affordable = (budget as f64 * BUDGETS_PER_WINDOW / self.density).min(1e18) as u64;
        last = last.min(start.saturating_add(Time(affordable)));
        // A link is at least a nanosecond long.
        debug_assert!(last >= start);
        let cut = Cut::after(last.0);
        let cut = if nearly_done {
            self.network.unpack();
            self.last_acknowledgements(cut)
        } else {
            cut
        };
        self.open = Some(OpenWindow {
            start,
            cut,
            next: 0,
            events: self.events(),
        });
    }

    /// Goes on with the open window, for about `budget` events.
    fn go_on(&mut self, budget: u64) {
        let Some(open) = self.open.take() else { return };
        if let Some(next) = self.turns(open.cut, open.next, budget) {
            self.open = Some(OpenWindow { next, ..open });
            return;
        }
        let last = Time(open.cut.at);
        self.advance_jobs();
        self.density = (self.events() - open.events) as f64 / (last.0 - open.start.0 + 1) as f64;
        self.now = self.now.max(last);
        self.settled = self.settled.max(last);
    }

    /// Finishes the window under way.
    pub(crate) fn close(&mut self) {
        while self.open.is_some() {
            self.go_on(u64::MAX);
        }
        self.network.unpack();
    }

    /// The time of the next thing that happens: a packet comes in or leaves a line, a timer, a fault.
    fn next_time(&mut self, due: Time) -> Option<Time> {
        let timer = self.next_timer().map(|(at, _)| at);
        let fault = self.faults.first().map(|&(at, _)| at);
        [Some(due).filter(|&due| due < Time::MAX), timer, fault]
            .into_iter()
            .flatten()
            .min()
    }

    fn next_due(&self) -> Time {
        Time(
            self.network
                .parts()
                .iter()
                .map(|part| part.next_due())
                .min()
                .unwrap_or(u64::MAX),
        )
    }

    fn next_timer(&mut self) -> Option<(Time, u64)> {
        self.sides
            .iter_mut()
            .filter_map(|side| side.timers.peek_key())
            .min()
    }

    /// How far a window that begins at `start` may go: no packet that is not yet on its way arrives before the end.
    fn horizon(&self, start: Time, due: Time, look_ahead: Time) -> Time {
        // What is sent within the window is not seen within it.
        self.known(due, look_ahead).min(start.saturating_add(look_ahead))
    }

    /// Up to when all arrivals are known. No line becomes free before the next thing is due, so what arrives less than a
    /// look-ahead later is on its way.
    fn known(&self, due: Time, look_ahead: Time) -> Time {
        let due = due.saturating_add(look_ahead);
        self.settled
            .saturating_add(look_ahead)
            .max(Time(due.0.saturating_sub(1)))
    }

    /// True when every message is placed, but for those of QPs whose next timeout may be their last: then the run may end
    /// inside a window. A sender whose message is not yet placed learns of the placing no sooner than two links later.
    fn is_nearly_done(&self) -> bool {
        let unplaced = self.unplaced_qps() as usize;
        if unplaced == 0 {
            return true;
        }
        let endangered = self.sides.iter().flat_map(|side| &side.endangered);
        unplaced
            == endangered
                .filter(|&&conn| !self.receiver(conn).is_complete())
                .count()
    }

    /// Serves every line up to and including `t`, to which no event lies before.
    fn serve_lines(&mut self, t: Time) {
        self.turns(Cut { at: t.0, key: 0 }, 0, u64::MAX);
        self.settled = self.settled.max(t);
    }

    /// Brings every port up to now, so that lists, lengths and positions can be read. Changes nothing that a run's
    /// outcome depends on.
    pub fn settle(&mut self) {
        self.close();
        if self.settled < self.now {
            self.serve_lines(self.now);
            self.network.unpack();
        }
    }

    /// Lets every part work on a window, from switch or NIC number `from` on; each on a thread of its own where that is
    /// possible, and then to the end, otherwise about as many events as `budget` says. Returns with which number to go on.
    fn turns(&mut self, cut: Cut, from: u32, budget: u64) -> Option<u32> {
        let (common, parts) = self.network.split();
        let shared = &self.shared;
        let turn = |(part, side), watcher| Turn {
            shared,
            common,
            part,
            side,
            watcher,
            cut,
        };
        let mut work = parts.iter_mut().zip(&mut self.sides);
        let first = work.next()?;
        let others: Vec<_> = work.collect();
        let forks: Option<Vec<O>> = others.iter().map(|_| self.watcher.fork()).collect();
        let left = match forks {
            Some(mut forks) if !others.is_empty() => {
                std::thread::scope(|scope| {
                    for (pair, watcher) in others.into_iter().zip(&mut forks) {
                        scope.spawn(move || {
                            let mut turn = turn(pair, watcher);
                            turn.part.unpack();
                            turn.window(from, u64::MAX)
                        });
                    }
                    let mut turn = turn(first, &mut self.watcher);
                    turn.part.unpack();
                    turn.window(from, u64::MAX)
                });
                // Unpacked at the start of the next window, side by side again.
                self.network.exchange();
                None
            }
            _ => {
                assert!(others.is_empty(), "a watcher that cannot be forked has one part");
                turn(first, &mut self.watcher).window(from, budget)
            }
        };
        if left.is_none() {
            self.network.close_window();
        }
        left
    }

    /// When every message is placed, the run may end inside a window: with the last acknowledgement. So the NICs are worked off
    /// event by event, all of them in order of time. Returns up to where the window goes.
    fn last_acknowledgements(&mut self, cut: Cut) -> Cut {
        let mut unfinished: usize = self.sides.iter().map(|side| side.unfinished).sum();
        // What comes next at each NIC: time, tie key, NIC.
        let mut next = BinaryHeap::new();
        for nic in 0..self.clos().nics() {
            next.extend(self.next_at_nic(nic, cut).map(Reverse));
        }
        loop {
            let arrival = next.peek().map(|&Reverse((at, key, _))| (Time(at), key));
            let timer = self
                .next_timer()
                .filter(|&(at, key)| (at.0, key) <= (cut.at, cut.key));
            let Some((at, key)) = arrival.into_iter().chain(timer).min() else {
                return cut;
            };
            let here = Cut { at: at.0, key };
            let nic = if timer == Some((at, key)) {
                self.shared.nic_of(key as u32)
            } else {
                next.pop().map_or(0, |Reverse((_, _, nic))| nic)
            };
            let part = self.part_of_nic(nic);
            let (common, parts) = self.network.split();
            let mut turn = Turn {
                shared: &self.shared,
                common,
                part: &mut parts[part],
                side: &mut self.sides[part],
                watcher: &mut self.watcher,
                cut: here,
            };
            while let Some((_, at, key)) = turn.next_timer() {
                turn.side.agenda.push(Reverse((at, key)));
            }
            turn.nic(nic);
            let left: usize = self.sides.iter().map(|side| side.unfinished).sum();
            if left == 0 && unfinished > 0 {
                self.finished = true;
                return here;
            }
            unfinished = left;
            if timer != Some((at, key)) {
                next.extend(self.next_at_nic(nic, cut).map(Reverse));
            }
        }
    }

    fn next_at_nic(&self, nic: u32, cut: Cut) -> Option<(u64, u64, u32)> {
        let part = &self.network.parts()[self.part_of_nic(nic)];
        let common = self.network.common();
        let (at, link) = part.next_in(common, nic)?;
        let key = common.ties.key(Time(at), link);
        ((at, key) <= (cut.at, cut.key)).then_some((at, key, nic))
    }

    /// Processes one event and describes it; none when the run is finished.
    pub fn step(&mut self) -> Option<StepEvent> {
        self.step_within(Time::MAX)
    }

    /// The same, but where nothing happens up to and including `limit`, the run is there afterwards, and there is no event.
    pub(crate) fn step_within(&mut self, limit: Time) -> Option<StepEvent> {
        let end = Time(self.scenario.until.0);
        self.close();
        if self.finished {
            return None;
        }
        // Until it is certain that nothing comes before the next event that is known of.
        let (at, key) = loop {
            let fault = self.faults.first().copied();
            let event = self.next_timer().into_iter().chain(self.next_arrival()).min();
            let next = event
                .map(|(at, _)| at)
                .into_iter()
                .chain(fault.map(|(at, _)| at))
                .min();
            let next = next.unwrap_or(Time::MAX);
            let due = self.next_due();
            let known = self.known(due, self.narrow_look_ahead);
            if next > known {
                let target = next.min(known.max(due));
                if target > limit && limit < end {
                    return self.rest_at(limit);
                }
                if target > end {
                    self.now = end;
                    self.finished = true;
                    return None;
                }
                self.serve_lines(target);
                self.network.unpack();
                continue;
            }
            if next > limit && limit < end {
                return self.rest_at(limit);
            }
            if next > end {
                self.now = end;
                self.finished = true;
                return None;
            }
            match (fault, event) {
                (Some((at, change)), _) if at == next => {
                    self.serve_change(at, change);
                    let kind = match change {
                        Change::Round => StepKind::Round,
                        _ => StepKind::Fault {
                            index: self.cause_of(change),
                        },
                    };
                    return Some(StepEvent { at, kind });
                }
                (_, Some(event)) => break event,
                _ => return None,
            }
        };
        let object = key as u32;
        let kind = if object < self.clos().links() {
            self.step_arrival(at, key)
        } else {
            self.single(at, key);
            match self.shared.about(object) {
                About::Conn(conn, Event::Start) => StepKind::Start { conn },
                About::Conn(conn, Event::Timer | Event::Responder | Event::Pace) => StepKind::Timer { conn },
                About::Agent(nic) => StepKind::Agent { nic },
                About::Pacer(nic) => StepKind::Credit { nic },
            }
        };
        Some(StepEvent { at, kind })
    }

    /// Nothing happens up to and including `t`: the run is there.
    fn rest_at(&mut self, t: Time) -> Option<StepEvent> {
        self.serve_lines(t);
        self.network.unpack();
        self.now = self.now.max(t);
        None
    }

    /// Processes the event that is next of all.
    fn single(&mut self, at: Time, key: u64) {
        let mut cut = Cut { at: at.0, key };
        if self.is_nearly_done() {
            cut = self.last_acknowledgements(cut);
        }
        self.turns(cut, 0, u64::MAX);
        self.now = self.now.max(at);
        self.settled = self.settled.max(at);
        self.advance_jobs();
    }

    /// The next arrival that is known of: its time and its tie key.
    fn next_arrival(&self) -> Option<(Time, u64)> {
        let common = self.network.common();
        let next = self
            .network
            .parts()
            .iter()
            .filter_map(|part| part.next_arrival(common));
        next.min()
    }

    /// Processes the arrival that is next, and says what became of it.
    fn step_arrival(&mut self, at: Time, key: u64) -> StepKind {
        let link = key as u32;
        let before = self.network.counters();
        let packet = self.network.next_on(link);
        self.single(at, key);
        let after = self.network.counters();
        let clos = self.clos();
        let end = clos.describe(link);
        let at_nic = end.kind == LinkKind::NicDown;
        // What a NIC answers may be dropped too; that is not this packet.
        let its_own =
            |reason| !(at_nic && matches!(reason, DropReason::ControlQueueFull | DropReason::QueueFull));
        let dropped = DropReason::ALL
            .into_iter()
            .find(|&reason| its_own(reason) && after.drops[reason as usize] > before.drops[reason as usize]);
        let outcome = match (dropped, packet) {
            (Some(reason), _) => Arrival::Dropped(reason),
            (None, Some(packet)) if at_nic => Arrival::Nic(end.lower, packet),
            (None, packet) => {
                let usids = packet.map_or(0, |packet| packet.usids);
                let [own, next, ..] = fabric::path::expand(clos, usids);
                Arrival::Forwarded(clos.route(own, next).unwrap_or(link))
            }
        };
        StepKind::Arrival { link, outcome }
    }
}
