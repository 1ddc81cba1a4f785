//! Counters, with the names of the public sources.

use crate::drop::DropReason;
use crate::settings::FlowClass;
use kernel::Time;

/// Events of one second, and the most of any second so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    second: u64,
    current: u64,
    last: u64,
    maximum: u64,
}

const SECOND: u64 = 1_000_000_000_000;

impl Rate {
    fn note(&mut self, now: Time) {
        self.turn(now);
        self.current += 1;
        self.maximum = self.maximum.max(self.current);
    }

    fn turn(&mut self, now: Time) {
        let second = now.ps() / SECOND;
        if second > self.second {
            self.last = if second == self.second + 1 {
                self.current
            } else {
                0
            };
            self.current = 0;
            self.second = second;
        }
    }

    /// Events of the last full second before `now`.
    pub fn per_second(mut self, now: Time) -> u64 {
        self.turn(now);
        self.last
    }

    /// The most events of any second.
    pub const fn maximum(self) -> u64 {
        self.maximum
    }
}

/// What `/get-port-flow-stats` prints of one direction and class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassStats {
    /// Flows now.
    pub count: u32,
    /// The most at once.
    pub maximum: u32,
    /// Flows created.
    pub created: u64,
    /// Packets in software that met a flow.
    pub matched: u64,
    /// Creations a second (`ufs_created_per_second`).
    pub creation_rate: Rate,
    /// Deletions a second (`ufs_deleted_per_second`).
    pub deletion_rate: Rate,
}

/// The flow statistics of a port, by direction (out, in) and class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowStats(pub [[ClassStats; 6]; 2]);

impl FlowStats {
    pub(crate) const fn of_mut(&mut self, side: usize, class: FlowClass) -> &mut ClassStats {
        &mut self.0[side][class as usize]
    }

    /// One more of a class.
    pub(crate) fn add(&mut self, side: usize, class: FlowClass) {
        let stats = self.of_mut(side, class);
        stats.count += 1;
        stats.maximum = stats.maximum.max(stats.count);
    }

    /// One fewer of a class.
    pub(crate) fn take(&mut self, side: usize, class: FlowClass) {
        self.of_mut(side, class).count -= 1;
    }

    pub(crate) fn created(&mut self, side: usize, class: FlowClass, now: Time) {
        self.add(side, class);
        let stats = self.of_mut(side, class);
        stats.created += 1;
        stats.creation_rate.note(now);
    }

    pub(crate) fn deleted(&mut self, side: usize, class: FlowClass, now: Time) {
        self.take(side, class);
        self.of_mut(side, class).deletion_rate.note(now);
    }
}

macro_rules! counters {
    ($($(#[$doc:meta])* $field:ident $name:literal,)*) => {
        /// Events at a port, with the names of facts/accelnet.md, section 1.6.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Counters {
            $($(#[$doc])* pub $field: u64,)*
            /// Packets dropped, by [`DropReason`].
            pub dropped: [u64; DropReason::ALL.len()],
        }

        impl Counters {
            /// All counters with their public names, drops last.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
                let events = [$(($name, self.$field),)*];
                let drops = DropReason::ALL.map(|reason| (reason.name(), self.dropped[reason as usize]));
                events.into_iter().chain(drops)
            }
        }
    };
}

counters! {
    /// TCP packets with SYN and without ACK seen in software.
    tcp_syn_packets "TcpSynPackets",
    /// TCP packets with SYN and ACK seen in software.
    tcp_syn_ack_packets "TcpSynAckPackets",
    /// TCP packets with FIN seen in software.
    tcp_fin_packets "TcpFinPackets",
    /// TCP packets with RST seen in software.
    tcp_rst_packets "TcpRstPackets",
    /// Half-open connections that grew too old.
    tcp_half_open_timeouts "TcpHalfOpenTimeouts",
    /// Flows without TCP state that grew too old.
    transient_flow_timeouts "TransientFlowTimeouts",
    /// Handshakes completed.
    tcp_connections_verified "TcpConnectionsVerified",
    /// Established or closing connections that grew too old.
    tcp_connections_timed_out "TcpConnectionsTimedOut",
    /// Connections reset.
    tcp_connections_reset "TcpConnectionsReset",
    /// Connections that began again by a SYN although they were established.
    tcp_connections_reset_by_syn "TcpConnectionsResetBySyn",
    /// Connections whose time to live was cut after a reset.
    tcp_connections_reset_half_ttl "TcpConnectionsResetHalfTTL",
    /// Connections closed by both sides.
    tcp_connections_closed_by_fin "TcpConnectionsClosedByFin",
    /// Connections that reached TIME_WAIT.
    tcp_connections_time_wait "TcpConnectionsTimeWait",
    /// Connections whose ends were sent a reset because they grew too old.
    tcp_connections_reset_by_injected_reset "TcpConnectionsResetByInjectedReset",
    /// TCP packets without SYN that belonged to no flow.
    non_syn_stateful "NonSynStateful",
    /// Pairs reconciled with a changed policy.
    number_of_flow_resimulated "NumberOfFlowResimulated",
}

impl Counters {
    /// Packets dropped for a reason.
    pub const fn dropped(&self, reason: DropReason) -> u64 {
        self.dropped[reason as usize]
    }
}

/// Packets and bytes under a meter class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeterCount {
    /// Packets.
    pub packets: u64,
    /// Bytes.
    pub bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_that_of_the_last_full_second() {
        let mut rate = Rate::default();
        for ms in [100, 200, 900, 1_500] {
            rate.note(Time::from_ms(ms));
        }
        assert_eq!(rate.per_second(Time::from_ms(1_999)), 3);
        assert_eq!(rate.per_second(Time::from_ms(2_000)), 1);
        assert_eq!((rate.per_second(Time::from_ms(3_000)), rate.maximum()), (0, 3));
    }

    #[test]
    fn drop_reasons_are_numbered_in_order() {
        for (number, reason) in DropReason::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, number, "{reason}");
        }
        for (number, class) in FlowClass::ALL.into_iter().enumerate() {
            assert_eq!(class as usize, number, "{}", class.name());
        }
    }
}
