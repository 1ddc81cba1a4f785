//! An observer that keeps a run's history in bounded memory: throughput, drops, trims, retransmissions and EV states
//! over time, and a list of notable events.

mod looks;
mod play;
mod recovery;
pub mod rows;

pub use looks::Look;
pub use recovery::{MAX_RECOVERIES, Moments, Recovery};

use crate::clustermapper::Place;
use crate::observer::Observer;
use fabric::packet::flags;
use fabric::{DropReason, Packet, PacketKind};
use kernel::Time;
use looks::Looks;
use mrc::{EvState, QpError};
use recovery::Recoveries;
use rows::{NONE, Note, RowKind, Rows};
use scenario::FaultKind;
use std::collections::{BTreeMap, BTreeSet};

/// Bins that every series has.
pub const BINS: usize = 512;
/// Notable events kept; later ones are only counted.
pub const MAX_EVENTS: usize = 10_000;
/// QPs whose throughput is kept without being asked for; beyond that, only watched ones.
pub const QPS_KEPT: u32 = 256;

const FIRST_WIDTH_PS: u64 = 1 << 20;

/// A quantity per bin of time. All series of a recorder share the bin width.
pub type Series = Vec<u64>;

/// Something worth a line in a list of events.
#[derive(Clone, Debug, PartialEq)]
pub enum Notable {
    /// A fault or a repair took effect.
    Fault {
        /// The fault's index in the scenario.
        cause: usize,
        /// What changed.
        what: FaultKind,
    },
    /// Clustermapper finds something bad, or in order again.
    Verdict {
        /// What.
        place: Place,
        /// What it is from now on.
        bad: bool,
    },
    /// First drop at a directed link for a reason.
    FirstDrop {
        /// The link.
        link: u32,
        /// Why.
        reason: DropReason,
    },
    /// First trim in front of a directed link.
    FirstTrim {
        /// The link.
        link: u32,
    },
    /// Priority flow control paused a directed link for the first time.
    FirstPause {
        /// The link.
        link: u32,
    },
    /// Paused links wait for each other in a circle.
    Deadlock {
        /// Each waits for the next one, the last for the first.
        links: Vec<u32>,
    },
    /// An EV went out of use or came back.
    Ev {
        /// The connection.
        conn: u32,
        /// The EV.
        ev: u16,
        /// ASSUMED_BAD, DENIED, GOOD or (after a marked probe answer) SKIP.
        state: EvState,
    },
    /// A backup EV took the place of one that went out of use.
    Swap {
        /// The connection.
        conn: u32,
        /// The EV that went.
        out: u16,
        /// The backup.
        by: u16,
    },
    /// A NIC noticed that one of its ports is down, or works again.
    Port {
        /// The NIC.
        nic: u32,
        /// The port's plane.
        plane: u32,
        /// True when it is down.
        down: bool,
    },
    /// A QP went to ERROR.
    Failed {
        /// The connection.
        conn: u32,
        /// Why.
        why: QpError,
    },
    /// A flow is complete.
    Finished {
        /// The connection.
        conn: u32,
    },
}

impl Notable {
    /// Decides the order of events of one time: kind, connection or link, detail.
    fn rank(&self) -> (u8, u32, u16) {
        match *self {
            Notable::Fault { cause, .. } => (0, cause as u32, 0),
            // Told in the order in which they are kept.
            Notable::Verdict { .. } => (1, 0, 0),
            Notable::FirstDrop { link, reason } => (2, link, reason as u16),
            Notable::FirstTrim { link } => (3, link, 0),
            Notable::Ev { conn, ev, .. } => (4, conn, ev),
            Notable::Swap { conn, out, .. } => (5, conn, out),
            Notable::Failed { conn, .. } => (6, conn, 0),
            Notable::Finished { conn } => (7, conn, 0),
            Notable::Port { nic, plane, .. } => (8, nic, plane as u16),
            Notable::FirstPause { link } => (9, link, 0),
            Notable::Deadlock { .. } => (10, 0, 0),
        }
    }
}

/// Keeps the history of a run.
#[derive(Clone, Debug)]
pub struct Recorder {
    width_ps: u64,
    planes: Vec<Series>,
    qps: BTreeMap<u32, Series>,
    keep_all: bool,
    drops: Series,
    trims: Series,
    retransmissions: Series,
    skips: Series,
    messages: Series,
    cnps: Series,
    marks: Series,
    nacks: Series,
    pauses: Series,
    // EVs that went out of use in each bin, less those that came back.
    bad_changes: Vec<i64>,
    // Links that were paused in each bin, less those that went on.
    paused_changes: Vec<i64>,
    events: Vec<(Time, Notable)>,
    events_left_out: u64,
    dropped_at: BTreeSet<(u32, DropReason)>,
    trimmed_at: BTreeSet<u32>,
    paused_at: BTreeSet<u32>,
    recoveries: Recoveries,
    probes_dropped: u64,
    rows: Rows,
    looks: Looks,
}

impl Recorder {
    /// A recorder for a run with `planes` planes and `qps` QPs.
    pub fn new(planes: u32, qps: u32) -> Recorder {
        let empty = || vec![0; BINS];
        Recorder {
            width_ps: FIRST_WIDTH_PS,
            planes: (0..planes).map(|_| empty()).collect(),
            qps: BTreeMap::new(),
            keep_all: qps <= QPS_KEPT,
            drops: empty(),
            trims: empty(),
            retransmissions: empty(),
            skips: empty(),
            messages: empty(),
            cnps: empty(),
            marks: empty(),
            nacks: empty(),
            pauses: empty(),
            bad_changes: vec![0; BINS],
            paused_changes: vec![0; BINS],
            events: Vec::new(),
            events_left_out: 0,
            dropped_at: BTreeSet::new(),
            trimmed_at: BTreeSet::new(),
            paused_at: BTreeSet::new(),
            recoveries: Recoveries::default(),
            probes_dropped: 0,
            rows: Rows::default(),
            looks: Looks::default(),
        }
    }

    /// A recorder that fits a scenario.
    pub fn for_scenario(scenario: &scenario::Scenario) -> Recorder {
        Recorder::new(scenario.fabric.planes, scenario.flows().len() as u32)
    }

    /// Starts to keep the throughput of a QP, from now on, where it is not kept anyway.
    pub fn watch(&mut self, qp: u32) {
        self.qps.entry(qp).or_insert_with(|| vec![0; BINS]);
    }

    /// What happened, packet by packet; nothing unless it is [switched on](Rows::set_on), and to be taken away often.
    pub fn rows_mut(&mut self) -> &mut Rows {
        &mut self.rows
    }

    /// The rows that are being written.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Width of a bin in ps. It doubles whenever the run outgrows the bins.
    pub fn width_ps(&self) -> u64 {
        self.width_ps
    }

    /// Placed message bytes by plane.
    pub fn planes(&self) -> &[Series] {
        &self.planes
    }

    /// Placed message bytes of a QP, where they are kept.
    pub fn qp(&self, qp: u32) -> Option<&Series> {
        self.qps.get(&qp)
    }

    /// Dropped packets.
    pub fn drops(&self) -> &Series {
        &self.drops
    }

    /// Dropped probes of EVs and of links, and answers to them: what is sent to find out about a path rather than to be delivered.
    pub fn probes_dropped(&self) -> u64 {
        self.probes_dropped
    }

    /// Trimmed packets.
    pub fn trims(&self) -> &Series {
        &self.trims
    }

    /// Data packets sent again.
    pub fn retransmissions(&self) -> &Series {
        &self.retransmissions
    }

    /// EVs that went from GOOD to SKIP.
    pub fn skips(&self) -> &Series {
        &self.skips
    }

    /// Messages that were complete at their senders.
    pub fn messages(&self) -> &Series {
        &self.messages
    }

    /// Congestion notifications of RoCE that senders heard.
    pub fn cnps(&self) -> &Series {
        &self.cnps
    }

    /// Data packets that arrived with an ECN mark.
    pub fn marks(&self) -> &Series {
        &self.marks
    }

    /// NACKs, and RoCE's NAKs, that senders heard.
    pub fn nacks(&self) -> &Series {
        &self.nacks
    }

    /// Times that directed links were paused.
    pub fn pauses(&self) -> &Series {
        &self.pauses
    }

    /// Directed links that are paused at the end of each bin, up to the bin of `now`; later bins hold 0.
    pub fn paused_links(&self, now: Time) -> Series {
        self.level(&self.paused_changes, now)
    }

    /// What each fault did, by the times at which it took effect; at most [`MAX_RECOVERIES`].
    pub fn recoveries(&self) -> &[Recovery] {
        self.recoveries.list()
    }

    /// EVs that are ASSUMED_BAD or DENIED at the end of each bin, up to the bin of `now`; later bins hold 0.
    pub fn bad_evs(&self, now: Time) -> Series {
        self.level(&self.bad_changes, now)
    }

    /// What changes add up to at the end of each bin, up to that of `now`.
    fn level(&self, changes: &[i64], now: Time) -> Series {
        let to = (now.0 / self.width_ps).min(BINS as u64 - 1) as usize;
        let mut series = vec![0; BINS];
        let mut level = 0;
        for (value, change) in series.iter_mut().zip(changes).take(to + 1) {
            level += change;
            *value = level.max(0) as u64;
        }
        series
    }

    /// Notable events in order of time, and how many were left out for lack of room.
    pub fn events(&self) -> (&[(Time, Notable)], u64) {
        (&self.events, self.events_left_out)
    }

    /// Makes the bins as wide as it takes for them to reach `now`: where nothing happens any more, levels last all the same.
    pub fn cover(&mut self, now: Time) {
        self.bin(now);
    }

    /// The bin of `now`; widens the bins until there is one.
    #[inline]
    fn bin(&mut self, now: Time) -> usize {
        while now.0 / self.width_ps >= BINS as u64 {
            self.widen();
        }
        (now.0 / self.width_ps) as usize
    }

    #[cold]
    fn widen(&mut self) {
        let sums = self.planes.iter_mut().chain(self.qps.values_mut()).chain([
            &mut self.drops,
            &mut self.trims,
            &mut self.retransmissions,
            &mut self.skips,
            &mut self.messages,
            &mut self.cnps,
            &mut self.marks,
            &mut self.nacks,
            &mut self.pauses,
        ]);
        for series in sums {
            halve(series);
        }
        halve(&mut self.bad_changes);
        halve(&mut self.paused_changes);
        self.looks.halve();
        self.width_ps *= 2;
    }

    fn note(&mut self, now: Time, what: Notable) {
        if self.events.len() < MAX_EVENTS {
            // Within a window of the run things are told place by place. What they are decides the order of those of one time.
            let rank = what.rank();
            let place = self
                .events
                .partition_point(|(at, other)| (*at, other.rank()) <= (now, rank));
            self.events.insert(place, (now, what));
        } else {
            self.events_left_out += 1;
        }
    }
}

/// Makes one bin of two.
fn halve<T: Copy + Default + core::ops::Add<Output = T>>(series: &mut [T]) {
    for bin in 0..BINS {
        series[bin] = if bin < BINS / 2 {
            series[2 * bin] + series[2 * bin + 1]
        } else {
            T::default()
        };
    }
}

impl fabric::network::Observer for Recorder {
    #[inline]
    fn crossed(&mut self, now: Time, link: u32, packet: &Packet) {
        self.rows.crossed(now, link, packet);
    }

    fn dropped(&mut self, now: Time, link: u32, packet: &Packet, reason: DropReason) {
        let bin = self.bin(now);
        self.drops[bin] += 1;
        self.probes_dropped += u64::from(matches!(
            packet.kind,
            PacketKind::Probe | PacketKind::ProbeReply | PacketKind::MapperProbe
        ));
        self.rows.dropped(now, link, packet, reason);
        self.recoveries.dropped(now, link, packet, reason);
        if self.dropped_at.insert((link, reason)) {
            self.note(now, Notable::FirstDrop { link, reason });
        }
    }

    fn trimmed(&mut self, now: Time, link: u32, packet: &Packet) {
        self.rows.trimmed(now, link, packet);
        let bin = self.bin(now);
        self.trims[bin] += 1;
        if self.trimmed_at.insert(link) {
            self.note(now, Notable::FirstTrim { link });
        }
    }

    fn paused(&mut self, now: Time, link: u32, paused: bool) {
        self.rows.paused(now, link, paused);
        let bin = self.bin(now);
        self.paused_changes[bin] += if paused { 1 } else { -1 };
        self.pauses[bin] += u64::from(paused);
        if paused && self.paused_at.insert(link) {
            self.note(now, Notable::FirstPause { link });
        }
    }
}

impl mrc::Observer for Recorder {
    fn ev_changed(&mut self, now: u64, conn: u32, ev: u16, from: EvState, to: EvState) {
        self.rows.ev(now, conn, ev, to);
        let now = Time(now);
        let bin = self.bin(now);
        let is_out = |state| matches!(state, EvState::AssumedBad | EvState::Denied);
        match (is_out(from), is_out(to)) {
            (false, true) => {
                self.bad_changes[bin] += 1;
                self.recoveries.ev_out(now, conn, ev);
            }
            (true, false) => {
                self.bad_changes[bin] -= 1;
                self.recoveries.ev_back(now, conn, ev);
            }
            (false, false) => {
                self.skips[bin] += u64::from(to == EvState::Skip);
                return;
            }
            (true, true) => {}
        }
        self.note(now, Notable::Ev { conn, ev, state: to });
    }

    fn ev_swapped(&mut self, now: u64, conn: u32, out: u16, by: u16) {
        self.rows.ev_swapped(now, conn, out, by);
        self.recoveries.ev_swapped(conn, out);
        self.note(Time(now), Notable::Swap { conn, out, by });
    }

    fn loss_inferred(&mut self, now: u64, conn: u32, psn: u32, ev: u16) {
        self.rows.about(now, RowKind::Lost, conn, psn, ev);
        self.recoveries.loss_inferred(Time(now), conn, psn, ev);
    }

    fn timed_out(&mut self, now: u64, conn: u32, in_row: u32) {
        self.rows.number(now, RowKind::TimedOut, conn, in_row);
    }

    fn qp_failed(&mut self, now: u64, conn: u32, why: QpError) {
        self.recoveries.over(conn);
        self.rows
            .note(Time(now), RowKind::Failed, conn, NONE, Note::Failed(why));
        self.note(Time(now), Notable::Failed { conn, why });
    }
}

impl roce::Observer for Recorder {
    fn nak_heard(&mut self, now: u64, conn: u32, psn: u32) {
        self.rows.about(now, RowKind::NakHeard, conn, psn, 0);
        let bin = self.bin(Time(now));
        self.nacks[bin] += 1;
        self.recoveries.loss_inferred(Time(now), conn, psn, 0);
    }

    fn timed_out(&mut self, now: u64, conn: u32, psn: u32) {
        self.rows.about(now, RowKind::TimedOut, conn, psn, 0);
        self.recoveries.loss_inferred(Time(now), conn, psn, 0);
    }

    fn cnp_heard(&mut self, now: u64, conn: u32, rate: u64) {
        let megabits = u32::try_from(rate / 1_000_000).unwrap_or(u32::MAX - 1);
        self.rows.number(now, RowKind::Slowed, conn, megabits);
        let bin = self.bin(Time(now));
        self.cnps[bin] += 1;
    }

    fn qp_failed(&mut self, now: u64, conn: u32, why: QpError) {
        mrc::Observer::qp_failed(self, now, conn, why);
    }
}

impl Observer for Recorder {
    #[inline]
    fn sent(&mut self, now: Time, link: u32, packet: &Packet) {
        self.rows.sent(now, link, packet);
    }

    #[inline]
    fn received(&mut self, now: Time, link: u32, packet: &Packet, placed: u32) {
        self.rows.received(now, link, packet, placed);
        let is_marked = packet.kind == PacketKind::Data && packet.has(flags::ECN);
        if is_marked {
            let bin = self.bin(now);
            self.marks[bin] += 1;
        } else if packet.kind == PacketKind::Nack {
            let bin = self.bin(now);
            self.nacks[bin] += 1;
        }
    }

    fn placed(&mut self, now: Time, conn: u32, plane: u32, bytes: u32) {
        let bin = self.bin(now);
        self.planes[plane as usize][bin] += u64::from(bytes);
        if self.keep_all {
            self.qps.entry(conn).or_insert_with(|| vec![0; BINS])[bin] += u64::from(bytes);
        } else if let Some(series) = self.qps.get_mut(&conn) {
            series[bin] += u64::from(bytes);
        }
    }

    fn retransmitted(&mut self, now: Time, _: u32, _: u32) {
        let bin = self.bin(now);
        self.retransmissions[bin] += 1;
    }

    fn completed(&mut self, now: Time, conn: u32, messages: u32) {
        self.rows.number(now.0, RowKind::Message, conn, messages);
        let bin = self.bin(now);
        self.messages[bin] += u64::from(messages);
    }

    fn finished(&mut self, now: Time, conn: u32) {
        self.recoveries.over(conn);
        self.rows.number(now.0, RowKind::Finished, conn, NONE);
        self.note(now, Notable::Finished { conn });
    }

    fn fault(&mut self, now: Time, cause: usize, what: &FaultKind, links: &[u32]) {
        self.recoveries.fault(now, cause, what, links);
        let what = what.clone();
        let link = links.first().copied().unwrap_or(NONE);
        self.rows
            .note(now, RowKind::Fault, NONE, link, Note::Fault(cause, what.clone()));
        self.note(now, Notable::Fault { cause, what });
    }

    fn port_noticed(&mut self, now: Time, nic: u32, plane: u32, link: u32, down: bool) {
        if down {
            self.recoveries.port_noticed(now, link);
        }
        self.rows.port(now, nic, link, down);
        self.note(now, Notable::Port { nic, plane, down });
    }

    fn deadlock(&mut self, now: Time, links: &[u32]) {
        let links = links.to_vec();
        let first = links.first().copied().unwrap_or(NONE);
        self.rows
            .note(now, RowKind::Deadlock, NONE, first, Note::Deadlock(links.clone()));
        self.note(now, Notable::Deadlock { links });
    }

    fn step_done(&mut self, now: Time, job: u32, step: u32, lasted: Time) {
        self.rows.step(now, job, step, lasted);
    }

    fn verdict(&mut self, now: Time, place: Place, bad: bool) {
        self.rows
            .note(now, RowKind::Verdict, NONE, NONE, Note::Verdict(place, bad));
        self.note(now, Notable::Verdict { place, bad });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mrc::Observer as _;

    #[test]
    fn bins_widen_and_keep_their_sums() {
        let mut recorder = Recorder::new(2, 1);
        for i in 0..1000u64 {
            recorder.placed(Time(i * FIRST_WIDTH_PS), 0, (i % 2) as u32, 10);
        }
        assert_eq!(recorder.width_ps(), 2 * FIRST_WIDTH_PS);
        let total: u64 = recorder.planes().iter().flatten().sum();
        assert_eq!(total, 10_000);
        assert_eq!(recorder.planes()[0][0], 10);
        assert_eq!(recorder.qp(0).expect("kept")[499], 20);
    }

    #[test]
    fn a_level_lasts_when_nothing_happens_any_more() {
        use fabric::network::Observer as _;
        let mut recorder = Recorder::new(1, 1);
        recorder.paused(Time(5), 7, true);
        let late = Time(3 * BINS as u64 * FIRST_WIDTH_PS);
        recorder.cover(late);
        // Three times as many bins: twice doubled.
        assert_eq!(recorder.width_ps(), 4 * FIRST_WIDTH_PS);
        let series = recorder.paused_links(late);
        let last = (late.0 / recorder.width_ps()) as usize;
        assert_eq!((series[0], series[last], series[last + 1]), (1, 1, 0));
    }

    #[test]
    fn bad_evs_are_a_level() {
        let mut recorder = Recorder::new(1, 1);
        let at = |bin: u64| bin * FIRST_WIDTH_PS + 5;
        recorder.ev_changed(at(10), 0, 3, EvState::Good, EvState::AssumedBad);
        recorder.ev_changed(at(10), 0, 4, EvState::Skip, EvState::AssumedBad);
        recorder.ev_changed(at(20), 0, 3, EvState::AssumedBad, EvState::Good);
        let series = recorder.bad_evs(Time(at(30)));
        assert_eq!(
            (
                series[9], series[10], series[19], series[20], series[30], series[31]
            ),
            (0, 2, 2, 1, 1, 0)
        );
        // Past the end the bins double; the level stays where it was in time.
        recorder.ev_changed(at(600), 0, 4, EvState::AssumedBad, EvState::Good);
        let series = recorder.bad_evs(Time(at(600)));
        assert_eq!(
            (
                series[4],
                series[5],
                series[9],
                series[10],
                series[299],
                series[300]
            ),
            (0, 2, 2, 1, 1, 0)
        );
    }

    #[test]
    fn paused_links_are_a_level_and_cnps_a_count() {
        use fabric::network::Observer as _;
        use roce::Observer as _;
        let mut recorder = Recorder::new(1, 1);
        let at = |bin: u64| Time(bin * FIRST_WIDTH_PS + 5);
        recorder.paused(at(3), 7, true);
        recorder.paused(at(4), 8, true);
        recorder.paused(at(6), 7, false);
        for bin in [3, 3, 9] {
            recorder.cnp_heard(at(bin).0, 0, 1);
        }
        assert_eq!(recorder.paused_links(at(8))[2..9], [0, 1, 2, 2, 1, 1, 1]);
        assert_eq!((recorder.cnps()[3], recorder.cnps()[9]), (2, 1));
    }

    #[test]
    fn marks_nacks_and_pauses_are_counts() {
        use fabric::network::Observer as _;
        use roce::Observer as _;
        let mut recorder = Recorder::new(1, 1);
        let at = |bin: u64| Time(bin * FIRST_WIDTH_PS + 5);
        let packet = |kind, flags| Packet {
            kind,
            flags,
            ..Packet::default()
        };
        // An ECN bit on a SACK is an echo.
        for (kind, flags) in [
            (PacketKind::Data, flags::ECN),
            (PacketKind::Data, 0),
            (PacketKind::Sack, flags::ECN),
            (PacketKind::Nack, 0),
        ] {
            recorder.received(at(2), 0, &packet(kind, flags), 0);
        }
        recorder.nak_heard(at(2).0, 0, 7);
        recorder.paused(at(3), 7, true);
        recorder.paused(at(3), 7, false);
        recorder.paused(at(3), 7, true);
        assert_eq!(
            (recorder.marks()[2], recorder.nacks()[2], recorder.pauses()[3]),
            (1, 2, 2)
        );
    }

    #[test]
    fn many_qps_are_kept_only_on_demand() {
        let mut recorder = Recorder::new(1, QPS_KEPT + 1);
        recorder.placed(Time(0), 5, 0, 1);
        recorder.watch(5);
        recorder.placed(Time(0), 5, 0, 1);
        assert_eq!(recorder.qp(5).expect("watched")[0], 1);
        assert_eq!(recorder.qp(6), None);
    }
}
