//! Captures as recorded flows.

use crate::options::Options;
use crate::packet::headers;
use crate::report::Report;
use crate::traffic::{Collector, Full, Key, MAX_FLOWS, Traffic};
use gft::{Address, Direction, Mac, TcpFlags, Tuple};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use wire::capture::{
    CaptureError, Captured, LINKTYPE_ETHERNET, LINKTYPE_LINUX_SLL, LINKTYPE_LINUX_SLL2, LINKTYPE_RAW,
};
use wire::tenant::{Ip, Transport};
use wire::{TenantFrame, icmp};

/// Packets that are read of one capture at most (our choice).
pub const MAX_PACKETS: u64 = 5_000_000;

/// A flow that was silent for so long has ended (documented: Azure's idle timeout is 4 minutes).
const IDLE_NS: i64 = 240_000_000_000;

/// Bytes of a packet that are needed for its headers: two tunnels and the longest IP and TCP headers fit.
const HEADERS: usize = 512;

/// A packet as far as flows need it.
struct Seen {
    number: u64,
    time_ns: i64,
    tuple: Tuple,
    flags: TcpFlags,
    bytes: u64,
    src_mac: Mac,
    dst_mac: Mac,
}

/// Addresses that are counted to find the VM's; those that come later are not (our choice).
const MAX_ADDRESSES: usize = 1_000_000;

/// The flows of the capture. The file is gone through twice if the VM's address is to be found, so that packets need not be
/// kept.
///
/// # Errors
/// If the file is no capture or its header is wrong. A capture that breaks off gives the packets before, and a note.
pub(crate) fn read(file: &[u8], options: &Options, report: &mut Report) -> Result<Traffic, CaptureError> {
    let vms = if options.vm.is_empty() {
        busiest(file, options, report)?
    } else {
        options.vm.clone()
    };
    let mut flows = Collector::default();
    let mut tunnelled = 0u64;
    for packet in wire::capture::packets(file)? {
        let packet = match packet {
            Ok(packet) => packet,
            // Nothing before it: the file is not what it seems to be.
            Err(error) if error.packet == 1 => return Err(error),
            Err(error) => {
                report.note(
                    format_args!("packet {}", error.packet),
                    format!(
                        "the capture breaks off at byte {}: {}",
                        error.offset, error.reason
                    ),
                    "the packets before it are used",
                );
                break;
            }
        };
        if packet.number > MAX_PACKETS {
            report.note(
                format_args!("packet {}", packet.number),
                "packets from here on are not used",
                format!("at most {MAX_PACKETS} are read"),
            );
            break;
        }
        match look(&packet) {
            Ok((seen, in_tunnel)) => {
                tunnelled += u64::from(in_tunnel);
                take(&mut flows, &seen, &vms, report);
            }
            Err(reason) => report.note(
                format_args!("packet {}", packet.number),
                "the packet is not used",
                reason,
            ),
        }
    }
    if tunnelled > 0 {
        report.note(
            "the capture",
            format!("{tunnelled} packets are in tunnels"),
            "the innermost packets make the flows",
        );
    }
    Ok(flows.finish())
}

/// The headers of a packet, and whether it was in a tunnel; or why it is no part of a flow.
fn look(packet: &Captured<'_>) -> Result<(Seen, bool), String> {
    let (bytes, original_len) = ethernet(packet)?;
    let (frame, packet_len) =
        TenantFrame::read_measured(&bytes, original_len).map_err(|error| error.to_string())?;
    if let Transport::Icmp { icmp_type, .. } = frame.transport {
        let (name, echo) = match frame.ip {
            Ip::V4(_) => ("ICMP", [icmp::ECHO_REQUEST, icmp::ECHO_REPLY]),
            Ip::V6(_) => ("ICMPv6", [icmp::ECHO_REQUEST_V6, icmp::ECHO_REPLY_V6]),
        };
        if !echo.contains(&icmp_type) {
            return Err(format!(
                "{name} of type {icmp_type} belongs to no flow of its own"
            ));
        }
    }
    let headers = headers(&frame);
    let time_ns = packet.time_ps.unwrap_or_default().div_euclid(1000);
    Ok((
        Seen {
            number: packet.number,
            time_ns: i64::try_from(time_ns).map_err(|_| "its time is beyond the year 2262".to_owned())?,
            tuple: headers.tuple,
            flags: headers.flags,
            bytes: packet_len.into(),
            src_mac: headers.src_mac,
            dst_mac: headers.dst_mac,
        },
        !frame.tunnels.is_empty(),
    ))
}

/// The beginning of a packet as an Ethernet frame, and the frame's length.
fn ethernet<'a>(packet: &Captured<'a>) -> Result<(Cow<'a, [u8]>, usize), String> {
    let original_len = packet.original_len as usize;
    let head = |from: usize| {
        let to = packet.bytes.len().min(from + HEADERS);
        packet.bytes.get(from..to).unwrap_or_default()
    };
    // The ethertype, and where the packet begins behind it.
    let (ethertype, start) = match packet.link_type {
        LINKTYPE_ETHERNET => return Ok((Cow::Borrowed(head(0)), original_len)),
        LINKTYPE_RAW => match packet.bytes.first().map(|byte| byte >> 4) {
            Some(4) => ([0x08, 0x00], 0),
            Some(6) => ([0x86, 0xdd], 0),
            _ => return Err("it begins with neither an IPv4 nor an IPv6 header".into()),
        },
        // Type, address type, address length and eight bytes of address; or the ethertype first and 18 bytes of such.
        LINKTYPE_LINUX_SLL => (two(packet.bytes, 14)?, 16),
        LINKTYPE_LINUX_SLL2 => (two(packet.bytes, 0)?, 20),
        other => {
            return Err(format!(
                "link type {other}, expected Ethernet (1), raw IP (101) or Linux cooked (113, 276)"
            ));
        }
    };
    let mut frame = vec![0; 12];
    frame.extend(ethertype);
    frame.extend(head(start));
    Ok((
        Cow::Owned(frame),
        original_len.saturating_sub(start).saturating_add(14),
    ))
}

fn two(bytes: &[u8], at: usize) -> Result<[u8; 2], String> {
    bytes
        .get(at..)
        .and_then(|rest| rest.first_chunk())
        .copied()
        .ok_or_else(|| "it ends in its link header".into())
}

/// The address that is taken as the VM's: that of the virtual network that most packets have, or without any there the one that
/// most packets have; of several the one that came first, and of a packet's two the lower one. (A server outside may be in more
/// packets than the VM, and is in as many where there is one conversation.)
fn busiest(file: &[u8], options: &Options, report: &mut Report) -> Result<Vec<Address>, CaptureError> {
    let mut counts = BTreeMap::<Address, (u64, u64)>::new();
    let mut packets = 0;
    for packet in wire::capture::packets(file)?
        .map_while(Result::ok)
        .take_while(|packet| packet.number <= MAX_PACKETS)
    {
        let Ok((seen, _)) = look(&packet) else { continue };
        packets += 1;
        for address in [seen.tuple.src, seen.tuple.dst] {
            if let Some((count, _)) = counts.get_mut(&address) {
                *count += 1;
            } else if counts.len() < MAX_ADDRESSES {
                counts.insert(address, (1, packet.number));
            }
        }
    }
    let inside = |address: Address| options.vnet.iter().any(|prefix| prefix.contains(address));
    let most = counts.iter().max_by_key(|(address, (count, first))| {
        (inside(**address), *count, Reverse(*first), Reverse(**address))
    });
    let Some((&vm, (count, _))) = most else {
        return Ok(Vec::new());
    };
    report.note(
        "the capture",
        format!("{vm} is taken as the VM's address"),
        match inside(vm) {
            true => {
                format!(
                    "{count} of {packets} packets have it, and no address of the virtual network is in more"
                )
            }
            false => format!("{count} of {packets} packets have it, and no address is in more"),
        },
    );
    Ok(vec![vm])
}

/// Puts a packet to its flow.
fn take(flows: &mut Collector, packet: &Seen, vms: &[Address], report: &mut Report) {
    let out = vms.contains(&packet.tuple.src);
    if !out && !vms.contains(&packet.tuple.dst) {
        report.note(
            format_args!("packet {}", packet.number),
            "the packet is not used",
            "neither of its addresses is the VM's",
        );
        return;
    }
    let (direction, mac) = if out {
        (Direction::Out, packet.src_mac)
    } else {
        (Direction::In, packet.dst_mac)
    };
    // Captures of raw packets have none.
    let mac = (mac != Mac(0)).then_some(mac);
    // A router in front may have several, so the addresses alone tell flows apart.
    let forward: Key = (packet.tuple, direction, None);
    let backward: Key = (packet.tuple.reversed(), direction.reversed(), None);
    let opens = packet.flags.has(TcpFlags::SYN) && !packet.flags.has(TcpFlags::ACK);
    let mut goes_on = |key: &Key| {
        flows.find(key).is_some_and(|open| {
            // A SYN behind the end of a flow begins another.
            packet.time_ns.saturating_sub(open.last_ns) <= IDLE_NS && !(opens && open.closing)
        })
    };
    let (key, is_forward) = if goes_on(&forward) {
        (forward, true)
    } else if !opens && goes_on(&backward) {
        (backward, false)
    } else {
        // The answer to a SYN that is not in the capture tells who began.
        let answers = packet.flags.has(TcpFlags::SYN) && !opens;
        let (key, other) = if answers {
            (backward, forward)
        } else {
            (forward, backward)
        };
        flows.close(&other);
        match flows.open(key, packet.time_ns) {
            Ok(open) => open.flow.mac = mac,
            Err(Full) => {
                report.note(
                    format_args!("packet {}", packet.number),
                    "the packet is not used",
                    format!("at most {MAX_FLOWS} flows are kept"),
                );
                return;
            }
        }
        (key, !answers)
    };
    if let Some(open) = flows.find(&key) {
        let count = if is_forward {
            &mut open.flow.forward
        } else {
            &mut open.flow.backward
        };
        count.add(1, packet.bytes);
        open.first_ns = open.first_ns.min(packet.time_ns);
        open.last_ns = open.last_ns.max(packet.time_ns);
        open.closing |= packet.flags.has(TcpFlags::FIN) || packet.flags.has(TcpFlags::RST);
    }
}
