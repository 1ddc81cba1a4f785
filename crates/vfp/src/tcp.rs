//! TCP connections as the filtering platform tracks them: by flags alone, from between the two ends.

use crate::settings::Timers;
use crate::walk::Way;
use gft::TcpFlags;
use kernel::Time;

/// State of a tracked flow. RFC 9293's names, for what a middle box can know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum FlowState {
    /// Not TCP, or TCP is not tracked.
    Untracked,
    /// SYN seen from the side that opened the flow.
    SynSent,
    /// SYN-ACK seen from the other side.
    SynRcvd,
    /// The handshake is complete, or the flow was picked up after it.
    Established,
    /// One side has closed.
    FinWait,
    /// Both sides have closed; the last acknowledgment is missing.
    LastAck,
    /// All is acknowledged.
    TimeWait,
    /// Reset.
    Closed,
}

impl FlowState {
    /// The name that the field uses.
    pub const fn name(self) -> &'static str {
        match self {
            FlowState::Untracked => "UNTRACKED",
            FlowState::SynSent => "SYN_SENT",
            FlowState::SynRcvd => "SYN_RCVD",
            FlowState::Established => "ESTABLISHED",
            FlowState::FinWait => "FIN_WAIT",
            FlowState::LastAck => "LAST_ACK",
            FlowState::TimeWait => "TIME_WAIT",
            FlowState::Closed => "CLOSED",
        }
    }

    /// Whether it counts against the limit of half-open flows.
    pub const fn is_half_open(self) -> bool {
        matches!(self, FlowState::SynSent | FlowState::SynRcvd)
    }

    /// Whether a SYN on it opens a new connection.
    pub const fn is_over(self) -> bool {
        matches!(self, FlowState::TimeWait | FlowState::Closed)
    }

    /// How long a flow in this state lives after its last packet.
    pub const fn ttl(self, timers: &Timers) -> Time {
        match self {
            FlowState::Untracked => timers.default_ttl,
            FlowState::SynSent | FlowState::SynRcvd => timers.half_open,
            FlowState::LastAck => timers.last_ack,
            FlowState::Established => timers.established,
            FlowState::FinWait => timers.fin_wait,
            FlowState::TimeWait => timers.time_wait,
            FlowState::Closed => timers.after_reset,
        }
    }
}

/// The flag bits that the tracker keeps of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fins {
    /// Forward, answer: this side has sent a FIN.
    pub(crate) ways: [bool; 2],
}

/// What changed with a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    None,
    /// The handshake is complete.
    Verified,
    /// Both sides have closed.
    ClosedByFin,
    /// The last acknowledgment has been seen.
    TimeWait,
    /// Reset.
    Reset,
    /// A SYN of the opener on a flow that was established: its end has forgotten the connection.
    ResetBySyn,
}

/// The state after a packet with these flags.
///
/// A SYN that comes again changes nothing; neither does anything on a reset flow, as the caller opens a new one for a SYN.
/// The answerer's SYN-ACK without a SYN before it (a flow picked up in the middle) is taken as established.
pub(crate) fn step(state: FlowState, fins: &mut Fins, flags: TcpFlags, way: Way) -> (FlowState, Change) {
    use FlowState::{Closed, Established, FinWait, LastAck, SynRcvd, SynSent, TimeWait, Untracked};
    let syn = flags.has(TcpFlags::SYN);
    let ack = flags.has(TcpFlags::ACK);
    if state == Untracked || state == Closed {
        return (state, Change::None);
    }
    if flags.has(TcpFlags::RST) {
        return (Closed, Change::Reset);
    }
    if syn && !ack && way == Way::Forward && matches!(state, Established | FinWait | LastAck) {
        *fins = Fins::default();
        return (SynSent, Change::ResetBySyn);
    }
    if flags.has(TcpFlags::FIN) && !syn {
        fins.ways[way as usize] = true;
        return match (state, fins.ways) {
            (LastAck | TimeWait, _) => (state, Change::None),
            (_, [true, true]) => (LastAck, Change::ClosedByFin),
            _ => (FinWait, Change::None),
        };
    }
    match (state, way) {
        (SynSent, Way::Answer) if syn => (SynRcvd, Change::None),
        (SynRcvd, Way::Forward) if ack && !syn => (Established, Change::Verified),
        (LastAck, _) if ack && !syn => (TimeWait, Change::TimeWait),
        _ => (state, Change::None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FlowState::*;

    const SYN: TcpFlags = TcpFlags::SYN;
    const ACK: TcpFlags = TcpFlags::ACK;
    const RST: TcpFlags = TcpFlags::RST;
    const SYN_ACK: TcpFlags = TcpFlags::SYN.with(TcpFlags::ACK);
    const FIN_ACK: TcpFlags = TcpFlags::FIN.with(TcpFlags::ACK);
    use Way::{Answer as B, Forward as A};

    /// Plays packets from a state and gives the states after each.
    fn play(from: FlowState, packets: &[(TcpFlags, Way)]) -> Vec<FlowState> {
        let mut fins = Fins::default();
        let mut state = from;
        packets
            .iter()
            .map(|&(flags, way)| {
                state = step(state, &mut fins, flags, way).0;
                state
            })
            .collect()
    }

    /// RFC 9293, section 3.5 (handshake) and 3.6 (close), seen from the middle.
    #[test]
    fn a_connection_from_syn_to_time_wait() {
        let packets = [
            (SYN_ACK, B),
            (ACK, A),
            (ACK, B),
            (FIN_ACK, A),
            (ACK, B),
            (FIN_ACK, B),
            (ACK, A),
        ];
        let states = [
            SynRcvd,
            Established,
            Established,
            FinWait,
            FinWait,
            LastAck,
            TimeWait,
        ];
        assert_eq!(play(SynSent, &packets), states);
    }

    /// RFC 9293, figure 12: both close at once.
    #[test]
    fn simultaneous_close() {
        let packets = [(FIN_ACK, A), (FIN_ACK, B), (ACK, A)];
        assert_eq!(play(Established, &packets), [FinWait, LastAck, TimeWait]);
    }

    /// RFC 9293, figure 7: both open at once. The second SYN comes the other way on the flow of the first.
    #[test]
    fn simultaneous_open() {
        let packets = [(SYN, B), (SYN_ACK, A), (SYN_ACK, B), (ACK, A)];
        assert_eq!(play(SynSent, &packets), [SynRcvd, SynRcvd, SynRcvd, Established]);
    }

    #[test]
    fn what_comes_again_changes_nothing() {
        assert_eq!(play(SynSent, &[(SYN, A), (SYN, A)]), [SynSent, SynSent]);
        assert_eq!(play(SynRcvd, &[(SYN, A), (SYN_ACK, B)]), [SynRcvd, SynRcvd]);
        assert_eq!(
            play(Established, &[(FIN_ACK, A), (FIN_ACK, A)]),
            [FinWait, FinWait]
        );
        assert_eq!(
            play(Established, &[(SYN_ACK, B)]),
            [Established],
            "a late SYN-ACK"
        );
    }

    #[test]
    fn a_reset_ends_it_from_either_side_in_any_state() {
        for state in [SynSent, SynRcvd, Established, FinWait, LastAck, TimeWait] {
            for way in [A, B] {
                let change = step(state, &mut Fins::default(), RST, way);
                assert_eq!(change, (Closed, Change::Reset), "{state:?}");
            }
        }
    }

    #[test]
    fn a_syn_on_an_established_flow_starts_again() {
        let mut fins = Fins { ways: [true, false] };
        assert_eq!(step(FinWait, &mut fins, SYN, A), (SynSent, Change::ResetBySyn));
        assert_eq!(fins, Fins::default());
    }

    #[test]
    fn half_open_is_the_handshake() {
        let all = [
            Untracked,
            SynSent,
            SynRcvd,
            Established,
            FinWait,
            LastAck,
            TimeWait,
            Closed,
        ];
        let half = all.map(FlowState::is_half_open);
        assert_eq!(half, [false, true, true, false, false, false, false, false]);
        let over = all.map(FlowState::is_over);
        assert_eq!(over, [false, false, false, false, false, false, true, true]);
    }

    /// The documented times of facts/accelnet.md, section 1.6.
    #[test]
    fn times_to_live() {
        let timers = Timers::default();
        let seconds = |state: FlowState| state.ttl(&timers).ps() / 1_000_000_000_000;
        let all = [
            Untracked,
            SynSent,
            SynRcvd,
            Established,
            FinWait,
            LastAck,
            TimeWait,
            Closed,
        ];
        assert_eq!(all.map(seconds), [240, 5, 5, 240, 120, 5, 120, 5]);
    }
}
