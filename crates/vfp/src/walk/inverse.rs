//! What a stateful layer does to the answers.

use gft::{Headers, Transposition};

/// The transposition of the answers of a flow whose packets come as `before` and get `done`.
///
/// Addresses, ports and MAC addresses that were rewritten are written back, and encapsulations that were put on come off.
/// An encapsulation that was taken off is not put on again: answers go straight to the client, not through the load
/// balancer (direct server return; our choice for stateful decap rules). DSCP and TTL are each direction's own.
pub(super) fn inverse(done: &Transposition, before: &Headers) -> Transposition {
    let tuple = &before.tuple;
    Transposition {
        pop: done.push.iter().flatten().count() as u8,
        dst_mac: done.src_mac.map(|_| before.src_mac),
        src_mac: done.dst_mac.map(|_| before.dst_mac),
        dst: done.src.map(|_| tuple.src),
        src: done.dst.map(|_| tuple.dst),
        dst_port: done.src_port.map(|_| tuple.src_port),
        src_port: done.dst_port.map(|_| tuple.dst_port),
        ..Transposition::default()
    }
}

/// The answer to a packet that leaves the host (or reaches the VM) with these headers, as it comes back there. The peer
/// answers in the same virtual network and from the same host.
pub(crate) fn answer(headers: &Headers) -> Headers {
    Headers {
        encaps: headers.encaps.map(|encap| {
            encap.map(|encap| gft::Encap {
                src: encap.dst,
                dst: encap.src,
                ..encap
            })
        }),
        src_mac: headers.dst_mac,
        dst_mac: headers.src_mac,
        tuple: headers.tuple.reversed(),
        dscp: 0,
        ttl: 64,
        flags: gft::TcpFlags::default(),
    }
}
