//! The Segment Routing Header, which a packet has only where its route does not fit the destination address.

use crate::header::header;
use crate::usid::USIDS;
use crate::value::codes;
use crate::{Usid, UsidContainer, WireError};
use std::net::Ipv6Addr;

/// Next header: an IPv6 routing header (RFC 8200 section 4.4).
pub const NEXT_HEADER_ROUTING: u8 = 43;

/// The routing type of an SRH (RFC 8754 section 8.1).
pub const ROUTING_TYPE: u8 = 4;

header! {
    /// The Segment Routing Header (RFC 8754 section 2) with a list of one segment and no TLVs.
    ///
    /// The segment is a container of up to six uSIDs. MRC's API has the header as an option; the paper's paths of up to
    /// five switches and a NIC do without.
    pub struct Srh("SRH", 24 bytes) {
        [0..8] next_header: u8 as protocol, "What follows: 41 IPv6.";
        [8..16] "hdr_ext_len" = 2, "Length of this header after its first 8 bytes, in units of 8 bytes.";
        [16..24] "routing_type" = 4, "Kind of routing header: segment routing.";
        [24..32] segments_left: SegmentsLeft, "Segments of the list that are still to come.";
        [32..40] "last_entry" = 0, "Index of the list's last segment.";
        [40..48] "flags" = 0, "Flags; none is defined.";
        [48..64] tag: u16 as hex, "Tag of a class of packets; 0 when not used.";
        [64..192] segment: Ipv6Addr, "The list's only segment: a uSID container.";
    }
}

codes! {
    /// Whether an SRH's only segment is still to come.
    pub enum SegmentsLeft(8 bits, expected "0 or 1, since the list has one segment") {
        None = 0 "none" "The segment is where the destination address began: the header says where the packet was sent.";
        One = 1 "one" "The segment becomes the destination address when the uSIDs there are used up.";
    }
}

/// An SRH as far as its sender chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentList {
    /// Whether the segment is still to come.
    pub left: SegmentsLeft,
    /// Tag of a class of packets; 0 when not used.
    pub tag: u16,
    /// The segment.
    pub segment: Ipv6Addr,
}

/// A route as a packet carries it: the outer destination address and, where used, an SRH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// The outer destination address.
    pub dst: UsidContainer,
    /// The rest, for the SRH.
    pub list: Option<SegmentList>,
}

impl Route {
    /// uSIDs that fit the destination address and one segment.
    pub const MAX_USIDS: usize = 2 * USIDS;

    /// A path behind a block. Up to six uSIDs go into the destination address, and an SRH, if `always_list` asks for one,
    /// repeats them. More go into an SRH, reduced as in RFC 8986 section 5.2: its list leaves out the first container.
    ///
    /// # Errors
    /// [`WireError::OutOfRange`] if there are more than twelve uSIDs, or a [`Usid::END`] among them.
    pub fn new(block: u32, path: &[Usid], always_list: bool) -> Result<Route, WireError> {
        if path.len() > Self::MAX_USIDS {
            return Err(WireError::OutOfRange {
                what: "number of uSIDs",
                value: path.len() as u64,
                expected: "0 to 12, as one segment holds",
            });
        }
        let (first, rest) = path.split_at(path.len().min(USIDS));
        let dst = UsidContainer::new(block, first)?;
        let list = |left, segment: UsidContainer| SegmentList {
            left,
            tag: 0,
            segment: segment.address(),
        };
        let list = if !rest.is_empty() {
            Some(list(SegmentsLeft::One, UsidContainer::new(block, rest)?))
        } else {
            always_list.then(|| list(SegmentsLeft::None, dst))
        };
        Ok(Route { dst, list })
    }

    /// The route after a node has consumed the active uSID: the others move up, and when none is left the segment takes
    /// their place, if it is still to come (RFC 9800 section 4.1.1).
    #[must_use]
    pub fn shift(self) -> Route {
        let dst = self.dst.shift();
        match self.list {
            Some(list) if dst.active().is_none() && list.left == SegmentsLeft::One => Route {
                dst: list.segment.into(),
                list: Some(SegmentList {
                    left: SegmentsLeft::None,
                    ..list
                }),
            },
            list => Route { dst, list },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usid::BLOCK;
    use crate::{Header, Tier};

    fn path(len: u16) -> Vec<Usid> {
        (0..len).map(|i| Usid::new(2, Tier::T0, i).unwrap()).collect()
    }

    /// RFC 8754 section 2, figure 1: next header, length, type, segments left, last entry, flags, tag, list.
    #[test]
    fn bytes_of_a_header() {
        let header = Srh {
            next_header: 41,
            segments_left: SegmentsLeft::One,
            tag: 0xabcd,
            segment: "fc00:0:6801:7011:6fff:7804::".parse().unwrap(),
        };
        let mut bytes = [0xff; 24];
        header.emit(&mut bytes);
        #[rustfmt::skip]
        let expected = [
            41, 2, 4, 1, 0, 0, 0xab, 0xcd,
            0xfc, 0, 0, 0, 0x68, 0x01, 0x70, 0x11,
            0x6f, 0xff, 0x78, 0x04, 0, 0, 0, 0,
        ];
        assert_eq!(bytes, expected);
        assert_eq!(Srh::parse(&bytes), Ok(header));
    }

    #[test]
    fn another_routing_type_and_more_segments_are_refused() {
        let text = |at: usize, value: u8| {
            let mut bytes = [0; 24];
            bytes[..4].copy_from_slice(&[41, 2, 4, 0]);
            bytes[at] = value;
            Srh::parse(&bytes).unwrap_err().to_string()
        };
        assert_eq!(text(2, 3), "SRH: routing_type is 0x3, expected 4");
        assert_eq!(text(1, 4), "SRH: hdr_ext_len is 0x4, expected 2");
        assert_eq!(text(4, 1), "SRH: last_entry is 0x1, expected 0");
        assert_eq!(
            text(3, 2),
            "SRH: segments_left is 0x2, expected 0 or 1, since the list has one segment"
        );
    }

    #[test]
    fn six_usids_need_no_list_and_get_one_when_asked_for() {
        let plain = Route::new(BLOCK, &path(6), false).unwrap();
        assert_eq!(plain.list, None);
        let asked = Route::new(BLOCK, &path(6), true).unwrap();
        assert_eq!(asked.dst, plain.dst);
        let list = asked.list.unwrap();
        assert_eq!(
            (list.left, list.segment),
            (SegmentsLeft::None, plain.dst.address())
        );
        // It stays what it was: the list does not change the way.
        assert_eq!(
            (asked.shift().dst, asked.shift().list),
            (plain.shift().dst, Some(list))
        );
    }

    #[test]
    fn a_longer_path_goes_on_in_the_list() {
        for len in 7..=12 {
            let mut route = Route::new(BLOCK, &path(len), false).unwrap();
            for (i, usid) in path(len).into_iter().enumerate() {
                assert_eq!(route.dst.active(), Some(usid), "{len} uSIDs, hop {i}");
                let to_come = route.list.unwrap().left == SegmentsLeft::One;
                assert_eq!(to_come, i < 6, "{len} uSIDs, hop {i}");
                route = route.shift();
            }
            assert_eq!(route.dst.active(), None);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(
            Route::new(BLOCK, &path(13), false).unwrap_err().to_string(),
            "number of uSIDs is 13, expected 0 to 12, as one segment holds"
        );
        let with_end = [path(7), vec![Usid::END]].concat();
        assert!(Route::new(BLOCK, &with_end, false).is_err());
    }
}
