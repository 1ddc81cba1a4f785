//! What became of the packets.

/// Why a packet was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum DropReason {
    /// It was queued for, or on, or sent into a link that is down.
    LinkDown,
    /// Random loss on a link.
    RandomLoss,
    /// It reached, or was queued in, a switch that is dead.
    SwitchDead,
    /// The data queue was full and trimming is off.
    QueueFull,
    /// The control queue was full.
    ControlQueueFull,
    /// The active uSID is not the switch's own, or the switch has no route to the next one; without source routing: no way to the
    /// destination that the switch knows of.
    NoRoute,
    /// It was damaged on a link: the frame check sequence (IEEE 802.3) was wrong at the far end.
    FrameCheck,
    /// It was damaged in a switch: the invariant CRC (iCRC, RoCEv2) was wrong at the NIC. Trimmed packets and those of the control
    /// class are treated alike (our choice).
    Icrc,
    /// A lossless switch had no room: the port that it came in at held all that it may, headroom included.
    Headroom,
    /// It had been sent on a detour as often as may be ([`MOST_BOUNCES`](crate::path::hashed::MOST_BOUNCES)).
    HopLimit,
}

impl DropReason {
    /// All reasons, in the order of [`Counters::drops`].
    pub const ALL: [DropReason; 10] = [
        DropReason::LinkDown,
        DropReason::RandomLoss,
        DropReason::SwitchDead,
        DropReason::QueueFull,
        DropReason::ControlQueueFull,
        DropReason::NoRoute,
        DropReason::FrameCheck,
        DropReason::Icrc,
        DropReason::Headroom,
        DropReason::HopLimit,
    ];

    /// The name used in results and on the page.
    pub const fn name(self) -> &'static str {
        match self {
            DropReason::LinkDown => "link_down",
            DropReason::RandomLoss => "random_loss",
            DropReason::SwitchDead => "switch_dead",
            DropReason::QueueFull => "queue_full",
            DropReason::ControlQueueFull => "control_queue_full",
            DropReason::NoRoute => "no_route",
            DropReason::FrameCheck => "frame_check",
            DropReason::Icrc => "icrc",
            DropReason::Headroom => "pfc_headroom",
            DropReason::HopLimit => "hop_limit",
        }
    }
}

/// Totals of the whole fabric. At any time `created == delivered + dropped + packets in flight`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets that endpoints handed to the fabric, and PAUSE frames.
    pub created: u64,
    /// Packets handed to an endpoint, trimmed ones included, and PAUSE frames that came to the end of their link.
    pub delivered: u64,
    /// Packets dropped, by [`DropReason`].
    pub drops: [u64; DropReason::ALL.len()],
    /// Data packets trimmed in switches, the last hop not counted.
    pub trims: u64,
    /// Data packets trimmed on the last hop.
    pub trims_last_hop: u64,
    /// Data packets that got an ECN mark.
    pub ecn_marks: u64,
    /// PAUSE frames that switches sent, those that resume not counted. All of them are among the packets created and delivered.
    pub pauses: u64,
    /// Completed link crossings: one packet over one link, lost ones not counted.
    pub packet_hops: u64,
}

impl Counters {
    /// Adds another part's totals.
    pub(crate) fn add(&mut self, other: &Counters) {
        self.created += other.created;
        self.delivered += other.delivered;
        for (sum, more) in self.drops.iter_mut().zip(other.drops) {
            *sum += more;
        }
        self.trims += other.trims;
        self.trims_last_hop += other.trims_last_hop;
        self.ecn_marks += other.ecn_marks;
        self.pauses += other.pauses;
        self.packet_hops += other.packet_hops;
    }

    /// Packets dropped for any reason.
    pub fn dropped(&self) -> u64 {
        self.drops.iter().sum()
    }
}
