//! Captures: bytes by hand after the formats' descriptions, and our own writer.

use crate::fuzz::Random;
use crate::tenant::{ping_in_nvgre, syn_in_vxlan, udp_in_ip};
use wire::TenantFrame;
use wire::capture::{CaptureError, Captured, packets};
use wire::pcapng::{Interface, Packet, Resolution, Writer};

fn read(file: &[u8]) -> Result<Vec<Captured<'_>>, CaptureError> {
    packets(file)?.collect()
}

fn error(file: &[u8]) -> String {
    read(file).unwrap_err().to_string()
}

/// A number's bytes in the order that the test asks for.
#[derive(Clone, Copy)]
struct Bytes {
    big: bool,
}

impl Bytes {
    fn put(self, out: &mut Vec<u8>, len: usize, value: u64) {
        let bytes = value.to_be_bytes();
        let mut bytes = bytes[8 - len..].to_vec();
        if !self.big {
            bytes.reverse();
        }
        out.extend(bytes);
    }

    fn words(self, words: &[u32]) -> Vec<u8> {
        let mut out = Vec::new();
        for &word in words {
            self.put(&mut out, 4, word.into());
        }
        out
    }

    /// A pcap file: magic, version 2.4, zone, accuracy, snapshot length, Ethernet; then a packet of three of nine bytes.
    fn pcap(self, magic: u32) -> Vec<u8> {
        let mut file = self.words(&[magic]);
        self.put(&mut file, 2, 2);
        self.put(&mut file, 2, 4);
        file.extend(self.words(&[0, 0, 65_535, 1, 1_700_000_000, 5, 3, 9]));
        file.extend([0xaa, 0xbb, 0xcc]);
        file
    }

    fn block(self, block_type: u32, body: &[u8]) -> Vec<u8> {
        let len = 12 + body.len() as u32;
        [&self.words(&[block_type, len]), body, &self.words(&[len])].concat()
    }

    fn section(self) -> Vec<u8> {
        let mut body = self.words(&[0x1a2b_3c4d]);
        self.put(&mut body, 2, 1);
        self.put(&mut body, 2, 0);
        body.extend([0xff; 8]);
        self.block(0x0a0d_0d0a, &body)
    }

    /// An interface with the link type, snapshot length and options.
    fn interface(self, link_type: u16, snap_len: u32, options: &[u8]) -> Vec<u8> {
        let mut body = Vec::new();
        self.put(&mut body, 2, link_type.into());
        self.put(&mut body, 2, 0);
        body.extend(self.words(&[snap_len]));
        body.extend(options);
        self.block(1, &body)
    }

    fn option(self, code: u16, value: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out, 2, code.into());
        self.put(&mut out, 2, value.len() as u64);
        out.extend(value);
        out.resize(out.len().next_multiple_of(4), 0);
        out
    }

    /// An enhanced packet block of three of nine bytes.
    fn packet(self, interface: u32, timestamp: u64) -> Vec<u8> {
        let mut body = self.words(&[interface, (timestamp >> 32) as u32, timestamp as u32, 3, 9]);
        body.extend([0xaa, 0xbb, 0xcc, 0]);
        self.block(6, &body)
    }
}

const ORDERS: [Bytes; 2] = [Bytes { big: false }, Bytes { big: true }];
const LITTLE: Bytes = Bytes { big: false };

#[test]
fn pcap_in_both_units_and_orders() {
    for order in ORDERS {
        for (magic, fraction_ps) in [(0xa1b2_c3d4, 1_000_000), (0xa1b2_3c4d, 1000)] {
            let file = order.pcap(magic);
            let expected = Captured {
                number: 1,
                time_ps: Some(1_700_000_000 * 1_000_000_000_000 + 5 * fraction_ps),
                interface: 0,
                link_type: 1,
                bytes: &[0xaa, 0xbb, 0xcc],
                original_len: 9,
            };
            assert_eq!(read(&file), Ok(vec![expected]));
        }
    }
}

#[test]
fn pcapng_in_both_orders_with_several_sections() {
    let mut file = Vec::new();
    for order in ORDERS {
        file.extend(order.section());
        // Interface statistics, which are passed over.
        file.extend(order.block(5, &[0; 12]));
        file.extend(order.interface(1, 0, &[]));
        file.extend(order.interface(101, 0, &[]));
        file.extend(order.packet(1, 7));
        file.extend(order.packet(0, 0x0000_0001_0000_0000));
    }
    let found: Vec<_> = read(&file)
        .unwrap()
        .iter()
        .map(|packet| (packet.number, packet.interface, packet.link_type, packet.time_ps))
        .collect();
    // Microseconds, unless told otherwise: 2^32 µs.
    let late = Some((1 << 32) * 1_000_000);
    let early = Some(7_000_000);
    assert_eq!(
        found,
        [
            (1, 1, 101, early),
            (2, 0, 1, late),
            (3, 1, 101, early),
            (4, 0, 1, late)
        ]
    );
}

/// if_tsresol (9): the exponent of 10, of 2 with the uppermost bit; if_tsoffset (14): seconds.
#[test]
fn units_of_time() {
    for order in ORDERS {
        for (resolution, time_ps) in [
            (0, 3_000_000_000_000),
            (9, 3000),
            (12, 3),
            (13, 0),
            (0x80 | 1, 1_500_000_000_000),
            (0x80 | 10, 3 * 1_000_000_000_000 / 1024),
        ] {
            let mut offset = Vec::new();
            order.put(&mut offset, 8, 2);
            let options = [
                order.option(2, b"eth0 "),
                order.option(9, &[resolution]),
                order.option(14, &offset),
                order.option(0, &[]),
            ];
            let file = [
                order.section(),
                order.interface(1, 0, &options.concat()),
                order.packet(0, 3),
            ];
            let file = file.concat();
            let expected = Some(time_ps + 2_000_000_000_000);
            assert_eq!(read(&file).unwrap()[0].time_ps, expected, "{resolution:#x}");
        }
    }
}

/// A simple packet is cut to the snapshot length of interface 0; the obsolete packet block has 16 bits for the interface.
#[test]
fn simple_and_obsolete_packets() {
    for order in ORDERS {
        let simple = [&order.words(&[9])[..], &[1, 2, 3, 4, 5, 0, 0, 0]].concat();
        let mut old = Vec::new();
        order.put(&mut old, 2, 0);
        order.put(&mut old, 2, 77);
        old.extend(order.words(&[0, 4, 2, 6]));
        old.extend([8, 9, 0, 0]);
        let file = [
            order.section(),
            order.interface(1, 5, &[]),
            order.block(3, &simple),
            order.block(2, &old),
        ];
        let file = file.concat();
        let found = read(&file).unwrap();
        assert_eq!(
            (found[0].bytes, found[0].original_len, found[0].time_ps),
            (&[1, 2, 3, 4, 5][..], 9, None)
        );
        assert_eq!(
            (found[1].bytes, found[1].original_len, found[1].time_ps),
            (&[8, 9][..], 6, Some(4_000_000))
        );
    }
}

#[test]
fn what_our_writer_writes() {
    let frames = [syn_in_vxlan(), ping_in_nvgre(), udp_in_ip()];
    let mut writer = Writer::new(Vec::new(), "flowglass").unwrap();
    for resolution in [Resolution::Nanoseconds, Resolution::Picoseconds] {
        let interface = Interface {
            name: "wire",
            bits_per_second: Some(50_000_000_000),
            resolution,
            ..Interface::default()
        };
        let interface = writer.interface(&interface).unwrap();
        for frame in &frames {
            let bytes = frame.emit().unwrap();
            let packet = Packet {
                interface,
                timestamp: 1234,
                bytes: &bytes,
                original_len: bytes.len() as u32,
                direction: None,
                comment: Some("a comment"),
            };
            writer.packet(&packet).unwrap();
        }
    }
    let file = writer.into_inner();
    let found = read(&file).unwrap();
    assert_eq!(found.len(), 6);
    for (i, packet) in found.iter().enumerate() {
        let frame = TenantFrame::parse(packet.bytes).unwrap();
        assert_eq!(frame, frames[i % 3]);
        assert_eq!(packet.time_ps, Some([1_234_000, 1234][i / 3]));
        assert_eq!(packet.interface as usize, i / 3);
    }
}

#[test]
fn bad_pcap_files() {
    let good = LITTLE.pcap(0xa1b2_c3d4);
    let at = "packet 1, at byte 0 of the capture:";
    let formats = "expected pcap (d4c3b2a1, a1b2c3d4, 4d3cb2a1 or a1b23c4d) or pcapng (0a0d0d0a)";
    assert_eq!(
        error(b""),
        format!("{at} the file begins with nothing, {formats}")
    );
    assert_eq!(
        error(b"{\"a\": 1}"),
        format!("{at} the file begins with 7b226122, {formats}")
    );
    assert_eq!(
        error(&good[..3]),
        format!("{at} the file begins with d4c3b2, {formats}")
    );
    // The "modified" pcap of an old patch.
    assert_eq!(
        error(&[0x34, 0xcd, 0xb2, 0xa1, 0, 0]),
        format!("{at} the file begins with 34cdb2a1, {formats}")
    );
    for (bytes, name) in [
        (&[0x1f, 0x8b, 8, 0][..], "gzip"),
        (&[0x28, 0xb5, 0x2f, 0xfd], "zstd"),
        (b"PK\x03\x04", "zip"),
    ] {
        assert_eq!(
            error(bytes),
            format!("{at} the file is compressed ({name}), expected it to be unpacked")
        );
    }
    for len in [4, 6, 10, 23] {
        assert_eq!(
            error(&good[..len]),
            format!("{at} the pcap header needs 24 bytes, but {len} are left")
        );
    }
    let mut bytes = good.clone();
    bytes[4] = 3;
    assert_eq!(error(&bytes), format!("{at} pcap version 3.4, expected 2.4"));
    assert_eq!(
        error(&good[..30]),
        "packet 1, at byte 24 of the capture: the record's header needs 16 bytes, but 6 are left"
    );
    assert_eq!(
        error(&good[..42]),
        "packet 1, at byte 24 of the capture: the packet needs 3 bytes, but 2 are left"
    );
    let second = [&good[..], &[0; 8], &[0xff; 8]].concat();
    assert_eq!(
        error(&second),
        "packet 2, at byte 43 of the capture: the packet needs 4294967295 bytes, but 0 are left"
    );
}

#[test]
fn bad_pcapng_files() {
    let section = LITTLE.section();
    let interface = LITTLE.interface(1, 0, &[]);
    let packet = LITTLE.packet(0, 1);
    let good = [section.clone(), interface.clone(), packet.clone()].concat();
    assert_eq!(read(&good).unwrap().len(), 1);
    let changed = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        error(&bytes)
    };
    assert_eq!(
        error(&good[..8]),
        "packet 1, at byte 0 of the capture: the block needs 28 bytes, but 8 are left"
    );
    assert_eq!(
        changed(8, 0),
        "packet 1, at byte 0 of the capture: byte-order magic 0x1a2b3c00, expected 0x1a2b3c4d in either order"
    );
    assert_eq!(
        changed(12, 2),
        "packet 1, at byte 0 of the capture: pcapng version 2.0, expected 1.0"
    );
    assert_eq!(
        changed(4, 24),
        "packet 1, at byte 0 of the capture: block of type 0xa0d0d0a with length 24, expected a multiple of 4 and at least 28"
    );
    // The interface's block begins at 28 and the packet's at 48.
    assert_eq!(
        changed(28 + 4, 21),
        "packet 1, at byte 28 of the capture: block of type 0x1 with length 21, expected a multiple of 4 and at least 20"
    );
    assert_eq!(
        changed(28 + 16, 24),
        "packet 1, at byte 28 of the capture: block of type 0x1 with length 20 before and 24 behind it, expected the same"
    );
    assert_eq!(
        changed(48 + 8, 1),
        "packet 1, at byte 48 of the capture: interface 1, but the section has described 1 so far"
    );
    assert_eq!(
        changed(48 + 20, 5),
        "packet 1, at byte 48 of the capture: 5 captured bytes in a block with room for 4"
    );
    assert_eq!(
        error(&good[..good.len() - 1]),
        "packet 1, at byte 48 of the capture: the block needs 36 bytes, but 35 are left"
    );
    let again = [&good[..], &packet[..6]].concat();
    assert_eq!(
        error(&again),
        "packet 2, at byte 84 of the capture: the block needs 12 bytes, but 6 are left"
    );
    let resolution = LITTLE.interface(1, 0, &LITTLE.option(9, &[51]));
    assert_eq!(
        error(&[section.clone(), resolution].concat()),
        "packet 1, at byte 28 of the capture: timestamps in units of 10^-51 s, expected 10^-0 to 10^-50"
    );
    let simple = LITTLE.block(3, &[0; 4]);
    assert_eq!(
        error(&[section.clone(), simple].concat()),
        "packet 1, at byte 28 of the capture: interface 0, but the section has described 0 so far"
    );
    let many = [section, interface.repeat(65_537)].concat();
    assert_eq!(
        error(&many),
        "packet 1, at byte 1310748 of the capture: more than 65536 interfaces in a section"
    );
}

/// Mutants of both formats: nothing panics, packets are counted one by one, and every file comes to its end.
#[test]
fn mutated_files() {
    let options = [LITTLE.option(9, &[9]), LITTLE.option(14, &[1; 8])].concat();
    let files = [
        LITTLE.pcap(0xa1b2_c3d4),
        Bytes { big: true }.pcap(0xa1b2_3c4d),
        [
            LITTLE.section(),
            LITTLE.interface(1, 4, &options),
            LITTLE.packet(0, 1),
        ]
        .concat(),
    ];
    let mut random = Random(7);
    let (mut whole, mut broken) = (0, 0);
    for _ in 0..100_000 {
        let mut bytes = files[random.below(3)].clone();
        for _ in 0..random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes.insert(at, random.next() as u8),
                2 => bytes[at] = 0xff,
                _ => bytes[at] ^= 1 << random.below(8),
            }
        }
        let Ok(packets) = packets(&bytes) else { continue };
        for (i, packet) in packets.enumerate() {
            match packet {
                Ok(packet) => {
                    assert_eq!(packet.number, i as u64 + 1);
                    whole += 1;
                }
                Err(error) => {
                    assert!(error.offset <= bytes.len());
                    broken += 1;
                }
            }
        }
    }
    assert!(whole > 20_000 && broken > 10_000, "{whole} {broken}");
}
