//! Packets in flight as bytes: what the stage draws many times a second.

/// Bytes of one packet.
pub const DOT: usize = 16;
/// Packets that one frame holds at most; of more there is an even sample.
pub const MOST: usize = 3_000;

macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident: $($(#[$item:meta])* $variant:ident),* $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name {
            #[default]
            $($(#[$item])* $variant),*
        }

        impl $name {
            /// All, by number.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            fn of(number: u8) -> Option<$name> {
                $name::ALL.get(usize::from(number)).copied()
            }
        }
    };
}

numbered! {
    /// What a packet is.
    Kind:
    /// TCP with payload.
    Data,
    /// TCP without payload: an acknowledgment.
    Ack,
    /// TCP with SYN.
    Syn,
    /// TCP with FIN or RST.
    Close,
    /// A ping over TCP.
    Ping,
    /// UDP.
    Udp,
    /// A SYN of a flood, or the answer to one.
    Flood,
    /// RDMA.
    Rdma,
    /// A copy of a SYN, FIN or RST for VFP.
    Copy,
}

impl Kind {
    /// The name in the style sheet and for tests.
    pub const fn slug(self) -> &'static str {
        match self {
            Kind::Data => "data",
            Kind::Ack => "ack",
            Kind::Syn => "syn",
            Kind::Close => "close",
            Kind::Ping => "ping",
            Kind::Udp => "udp",
            Kind::Flood => "flood",
            Kind::Rdma => "rdma",
            Kind::Copy => "copy",
        }
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Data => "Data",
            Kind::Ack => "ACK",
            Kind::Syn => "SYN",
            Kind::Close => "FIN or RST",
            Kind::Ping => "Ping",
            Kind::Udp => "UDP",
            Kind::Flood => "Flood",
            Kind::Rdma => "RDMA",
            Kind::Copy => "Copy to VFP",
        }
    }
}

numbered! {
    /// Where a packet is.
    Place:
    /// Between guest and SmartNIC, over the VF.
    GuestToNic,
    /// Between guest and vSwitch.
    GuestToSwitch,
    /// In the SmartNIC's pipeline.
    Pipeline,
    /// Waiting for a core.
    Queue,
    /// Served by a core.
    Core,
    /// On its way out.
    ToNetwork,
    /// On its way in.
    FromNetwork,
    /// On the last link, inbound.
    Link,
    /// On its way to the guest.
    ToGuest,
}

impl Place {
    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Place::GuestToNic => "from the guest to the SmartNIC, over the VF",
            Place::GuestToSwitch => "from the guest to the vSwitch",
            Place::Pipeline => "in the FPGA's pipeline",
            Place::Queue => "waiting for a core of the vSwitch",
            Place::Core => "served by a core: VFP",
            Place::ToNetwork => "on the wire, outbound",
            Place::FromNetwork => "in the network, inbound",
            Place::Link => "on the wire, inbound",
            Place::ToGuest => "on its way to the guest",
        }
    }
}

/// Which way a packet took, as far as is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Route {
    /// Over the VF, matched by the NIC.
    #[default]
    Hardware,
    /// Over the VF to the NIC, from there to the vSwitch.
    Exception,
    /// Through the vSwitch.
    Synthetic,
}

/// A packet as the stage sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dot {
    /// Its number in the run.
    pub id: u32,
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub place: Place,
    /// From the wire to the VM.
    pub inbound: bool,
    /// Its way.
    pub route: Route,
    /// Which VM it belongs to.
    pub vm: u8,
    /// Which core it waits for or is served by.
    pub core: u8,
    /// How far it has come from the beginning of its place to the end, 0 to 1.
    pub progress: f32,
    /// Its position in the core's queue, 0 for the next.
    pub waits: u16,
    /// Layers that it is walked through while a core serves it; 0 where its flow is known, or nothing is remembered of its walk.
    pub layers: u8,
}

/// Appends packets as bytes.
pub fn write(dots: &[Dot], bytes: &mut Vec<u8>) {
    bytes.reserve(dots.len() * DOT);
    for dot in dots {
        bytes.extend_from_slice(&dot.id.to_le_bytes());
        let flags = u8::from(dot.inbound) | (dot.route as u8) << 1;
        bytes.extend_from_slice(&[
            dot.kind as u8,
            dot.place as u8,
            flags,
            dot.vm,
            dot.core,
            dot.layers,
        ]);
        bytes.extend_from_slice(&dot.waits.to_le_bytes());
        bytes.extend_from_slice(&dot.progress.to_le_bytes());
    }
}

/// Packets from bytes; none when they are not as [`write`] has them.
pub fn read(bytes: &[u8]) -> Option<Vec<Dot>> {
    if !bytes.len().is_multiple_of(DOT) {
        return None;
    }
    bytes.chunks_exact(DOT).map(one).collect()
}

fn one(b: &[u8]) -> Option<Dot> {
    let progress = f32::from_le_bytes([b[12], b[13], b[14], b[15]]);
    Some(Dot {
        id: u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
        kind: Kind::of(b[4])?,
        place: Place::of(b[5])?,
        inbound: b[6] & 1 != 0,
        route: match b[6] >> 1 {
            0 => Route::Hardware,
            1 => Route::Exception,
            2 => Route::Synthetic,
            _ => return None,
        },
        vm: b[7],
        core: b[8],
        layers: b[9],
        waits: u16::from_le_bytes([b[10], b[11]]),
        progress: if progress.is_finite() { progress } else { 0.0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let dots: Vec<Dot> = Kind::ALL
            .iter()
            .zip(Place::ALL)
            .enumerate()
            .map(|(i, (&kind, &place))| Dot {
                id: u32::MAX - i as u32,
                kind,
                place,
                inbound: i % 2 == 1,
                route: [Route::Hardware, Route::Exception, Route::Synthetic][i % 3],
                vm: 63,
                core: 7,
                progress: 0.25,
                waits: 1_023,
                layers: 6,
            })
            .collect();
        let mut bytes = Vec::new();
        write(&dots, &mut bytes);
        assert_eq!(bytes.len(), 9 * DOT);
        assert_eq!(read(&bytes), Some(dots));
    }

    #[test]
    fn other_bytes_are_refused() {
        assert_eq!(read(&[0; 15]), None);
        let mut bytes = Vec::new();
        write(&[Dot::default()], &mut bytes);
        for (at, value) in [(4, 9), (5, 9), (6, 6)] {
            let mut wrong = bytes.clone();
            wrong[at] = value;
            assert_eq!(read(&wrong), None, "byte {at}");
        }
    }
}
