//! The two classes of packets, as the fabric keeps them: what is done alike with both is written once.

use crate::packet::{Control, Data, Packet, PacketKind};
use crate::part::Part;
use crate::port::Port;
use kernel::Fifo;

/// What a packet's way and a link crossing's hash depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub usids: u64,
    pub conn: u32,
    pub psn: u32,
    pub flags: u8,
    pub kind: PacketKind,
}

/// A packet of one class.
pub(crate) trait Class: Copy {
    /// Its header.
    fn header(&self) -> Header;
    /// The same with other uSIDs to visit.
    fn with_usids(self, usids: u64) -> Self;
    /// All of it.
    fn packet(&self) -> Packet;
    /// A port's list of those that come in.
    fn incoming(port: &mut Port) -> &mut Fifo;
    /// See [`kernel::Pool::pop_if`].
    fn pop_if(part: &mut Part, list: &mut Fifo, wanted: impl FnOnce(u64) -> bool)
    -> Result<(u64, Self), u64>;
}

impl Class for Data {
    #[inline]
    fn header(&self) -> Header {
        Header {
            usids: self.usids,
            conn: self.conn,
            psn: self.psn,
            flags: self.flags,
            kind: PacketKind::Data,
        }
    }

    #[inline]
    fn with_usids(mut self, usids: u64) -> Data {
        self.usids = usids;
        self
    }

    #[inline]
    fn packet(&self) -> Packet {
        Packet::from(self)
    }

    #[inline]
    fn incoming(port: &mut Port) -> &mut Fifo {
        &mut port.data_in
    }

    #[inline]
    fn pop_if(
        part: &mut Part,
        list: &mut Fifo,
        wanted: impl FnOnce(u64) -> bool,
    ) -> Result<(u64, Data), u64> {
        part.data.pop_if(list, wanted)
    }
}

impl Class for Control {
    #[inline]
    fn header(&self) -> Header {
        Header {
            usids: self.usids,
            conn: self.conn,
            psn: self.psn,
            flags: self.flags,
            kind: self.kind,
        }
    }

    #[inline]
    fn with_usids(mut self, usids: u64) -> Control {
        self.usids = usids;
        self
    }

    #[inline]
    fn packet(&self) -> Packet {
        Packet::from(self)
    }

    #[inline]
    fn incoming(port: &mut Port) -> &mut Fifo {
        &mut port.control_in
    }

    #[inline]
    fn pop_if(
        part: &mut Part,
        list: &mut Fifo,
        wanted: impl FnOnce(u64) -> bool,
    ) -> Result<(u64, Control), u64> {
        part.control.pop_if(list, wanted)
    }
}
