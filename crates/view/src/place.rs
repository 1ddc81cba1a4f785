//! Where on its edge a packet is drawn.

use crate::frame::{Packet, mark};
use crate::geometry::{Point, Segment};
use crate::sight::Sight;
use fabric::LinkKind;
use serde::{Deserialize, Serialize};

/// What decides how fast packets move along links of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinkPace {
    /// From the last bit's departure to the far end's decision, in ns.
    pub delay_ns: f64,
    /// Serialisation of one byte, in ns.
    pub byte_ns: f64,
}

/// How fast packets move, by [`LinkKind`].
pub type Paces = [LinkPace; LinkKind::COUNT];

/// The stretch that a packet on the wire fills, from its last bit to its first, as shares of the way. A packet that
/// is still being sent has its end at 0; one that is already being received has its front at 1.
pub fn stretch(pace: &LinkPace, size: u16, until_arrival_ns: f64) -> (f64, f64) {
    let serialisation = f64::from(size) * pace.byte_ns;
    let delay = pace.delay_ns.max(1e-9);
    let tail = (1.0 - until_arrival_ns / delay).clamp(0.0, 1.0);
    let head = (1.0 - (until_arrival_ns - serialisation) / delay).clamp(tail, 1.0);
    (tail, head)
}

/// Where a packet is drawn on the screen: from its last bit to its first. Waiting packets are points in the queue.
pub fn locate(sight: &Sight, paces: &Paces, packet: &Packet) -> Segment {
    if packet.flags & mark::QUEUED != 0 {
        let at = sight
            .queue(packet.edge)
            .at(f64::from(packet.place).clamp(0.0, 1.0));
        return Segment::new(at, at);
    }
    let kind = sight.shown().describe(packet.edge).kind;
    let (tail, head) = stretch(&paces[kind as usize], packet.size, f64::from(packet.place));
    let edge = sight.edge(packet.edge);
    Segment::new(edge.at(tail), edge.at(head))
}

/// Packets no further away than this, in CSS pixels, are pointed at alike: they are as wide.
const ALIKE: f64 = 1.5;

/// The packet drawn nearest to `at`, at most `reach` away from it. Where several lie there, the one whose middle is
/// nearest.
pub fn pick<'a>(
    sight: &Sight,
    paces: &Paces,
    packets: impl IntoIterator<Item = &'a Packet>,
    at: Point,
    reach: f64,
) -> Option<&'a Packet> {
    let links = sight.shown().links();
    let order = |a: &(f64, f64), b: &(f64, f64)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1));
    packets
        .into_iter()
        .filter(|packet| packet.edge < links)
        .map(|packet| {
            let segment = locate(sight, paces, packet);
            let distance = segment.distance(at);
            ((distance, segment.at(0.5).distance(at)), packet)
        })
        .filter(|((distance, _), _)| *distance <= reach)
        .map(|((distance, middle), packet)| (((distance - ALIKE).max(0.0), middle), packet))
        .min_by(|a, b| order(&a.0, &b.0))
        .map(|(_, packet)| packet)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Kind;
    use crate::{Camera, Layout};
    use fabric::Clos;

    const PACE: LinkPace = LinkPace {
        delay_ns: 700.0,
        byte_ns: 0.08,
    };

    #[test]
    fn a_packet_enters_crosses_and_is_swallowed() {
        // 1,000 B take 80 ns; the whole journey takes 780 ns.
        assert_eq!(stretch(&PACE, 1000, 780.0), (0.0, 0.0), "the first bit leaves");
        let (tail, head) = stretch(&PACE, 1000, 740.0);
        assert_eq!(tail, 0.0);
        assert!((head - 40.0 / 700.0).abs() < 1e-12);
        let (tail, head) = stretch(&PACE, 1000, 350.0);
        assert!((tail - 0.5).abs() < 1e-12 && (head - 0.5 - 80.0 / 700.0).abs() < 1e-12);
        let (tail, head) = stretch(&PACE, 1000, 40.0);
        assert!(tail < 1.0 && head == 1.0, "it is being received");
        assert_eq!(stretch(&PACE, 1000, 0.0), (1.0, 1.0));
    }

    #[test]
    fn the_nearest_packet_is_picked() {
        let clos = Clos {
            planes: 1,
            t0s: 2,
            t1s: 2,
            nics_per_t0: 2,
            pods: 1,
            t2s: 0,
        };
        let sight = Sight::new(&Layout::new(clos, 600.0, 400.0), &Camera::default());
        let packet = |handle, edge, place, flags| Packet {
            edge,
            handle,
            conn: 0,
            place,
            size: 1000,
            kind: Kind::Data,
            flags,
        };
        let packets = [
            packet(1, 0, 600.0, 0),
            packet(2, 0, 100.0, 0),
            packet(3, 0, 0.9, mark::QUEUED),
            packet(4, u32::MAX, 0.0, 0),
        ];
        let paces = [PACE; LinkKind::COUNT];
        for wanted in &packets[..3] {
            let spot = locate(&sight, &paces, wanted).at(0.5);
            assert_eq!(pick(&sight, &paces, &packets, spot, 2.0), Some(wanted));
        }
        assert_eq!(pick(&sight, &paces, &packets, Point::new(0.0, 0.0), 5.0), None);
        // Two that overlap, pointed at a little beside the middle of the first.
        let overlapping = [packet(5, 0, 600.0, 0), packet(6, 0, 570.0, 0)];
        let beside = locate(&sight, &paces, &overlapping[0]).at(0.55);
        let beside = Point::new(beside.x + 0.7, beside.y);
        assert_eq!(
            pick(&sight, &paces, &overlapping, beside, 4.0),
            Some(&overlapping[0])
        );
    }
}
