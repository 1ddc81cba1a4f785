//! The host's things in words.

use gft::{Encap, EncapKind, Headers, Protocol, TcpFlags, Transposition};
use host::{Mark, MarkKind};
use scenario::host::Attempt;
use view::host::message::{Change, Fact};

/// A fact.
pub fn fact(what: &str, value: impl ToString) -> Fact {
    (what.to_owned(), value.to_string())
}

/// What happened to the host.
pub fn mark(mark: &Mark) -> String {
    let text = match mark.what {
        MarkKind::Vf(step) => step.message().to_owned(),
        MarkKind::Policy(generation) => format!("Policy replaced: generation {generation}"),
        MarkKind::TablesCleared => "The SmartNIC's tables are empty".into(),
        MarkKind::Wire(true) => "The wire is dead".into(),
        MarkKind::Wire(false) => "The wire works again".into(),
        MarkKind::Paused(true) => "Stands still".into(),
        MarkKind::Paused(false) => "Goes on".into(),
        MarkKind::Qp(true) => "RDMA QP opened".into(),
        MarkKind::Qp(false) => "RDMA QP closed".into(),
    };
    match mark.vm {
        Some(vm) => format!("VM {vm}: {text}"),
        None => text,
    }
}

/// TCP flags as letters in the usual order.
pub fn flags(flags: TcpFlags) -> String {
    let names = [
        (TcpFlags::SYN, "SYN"),
        (TcpFlags::FIN, "FIN"),
        (TcpFlags::RST, "RST"),
        (TcpFlags::PSH, "PSH"),
        (TcpFlags::ACK, "ACK"),
    ];
    let set: Vec<&str> = names
        .into_iter()
        .filter(|&(flag, _)| flags.has(flag))
        .map(|(_, name)| name)
        .collect();
    if set.is_empty() {
        "none".into()
    } else {
        set.join(", ")
    }
}

const fn encap_name(kind: EncapKind) -> &'static str {
    match kind {
        EncapKind::Vxlan => "VXLAN",
        EncapKind::Nvgre => "NVGRE",
        EncapKind::IpInGre => "IP in GRE",
        EncapKind::IpInIp => "IP in IP",
    }
}

fn encap(encap: &Encap) -> String {
    format!(
        "{} to {}, TNI {}, next hop {}",
        encap.src, encap.dst, encap.tni, encap.dst_mac
    )
}

/// Headers from the outside to the inside.
pub fn headers(headers: &Headers) -> Vec<Fact> {
    let tuple = &headers.tuple;
    let mut facts: Vec<Fact> = headers
        .encaps
        .iter()
        .flatten()
        .map(|outer| fact(encap_name(outer.kind), encap(outer)))
        .collect();
    facts.push(fact(
        "Ethernet",
        format!("{} to {}", headers.src_mac, headers.dst_mac),
    ));
    facts.push(fact(
        "IP",
        format!(
            "{} to {}, TTL {}, DSCP {}",
            tuple.src, tuple.dst, headers.ttl, headers.dscp
        ),
    ));
    if [Protocol::TCP, Protocol::UDP].contains(&tuple.protocol) {
        let ports = format!("port {} to {}", tuple.src_port, tuple.dst_port);
        let of_tcp = tuple.protocol == Protocol::TCP;
        facts.push(fact(
            &tuple.protocol.to_string(),
            if of_tcp {
                format!("{ports}, flags {}", flags(headers.flags))
            } else {
                ports
            },
        ));
    } else {
        facts.push(fact("Above IP", tuple.protocol));
    }
    facts
}

/// What a transposition does, header by header, in the words of the public GFT interface.
pub fn changes(transposition: &Transposition) -> Vec<Change> {
    let t = transposition;
    let row = |header: &str, action: &str, to: String| [header.to_owned(), action.to_owned(), to];
    let mut rows = Vec::new();
    let pushed = t.push.iter().flatten().count();
    for popped in 0..usize::from(t.pop) {
        // One that is taken off while another is put on is changed.
        if popped >= pushed {
            rows.push(row("Outer headers", "Pop", "the outermost encapsulation".into()));
        }
    }
    for (i, outer) in t.push.iter().flatten().enumerate() {
        let action = if i < usize::from(t.pop) { "Modify" } else { "Push" };
        rows.push(row(encap_name(outer.kind), action, encap(outer)));
    }
    let mut modify = |header: &str, what: &str, to: Option<String>| {
        if let Some(to) = to {
            rows.push(row(header, "Modify", format!("{what} {to}")));
        }
    };
    modify("Ethernet", "source", t.src_mac.map(|mac| mac.to_string()));
    modify("Ethernet", "destination", t.dst_mac.map(|mac| mac.to_string()));
    modify("IP", "source", t.src.map(|address| address.to_string()));
    modify("IP", "destination", t.dst.map(|address| address.to_string()));
    modify("IP", "DSCP", t.dscp.map(|dscp| dscp.to_string()));
    modify(
        "IP",
        "TTL",
        (t.ttl_decrement > 0).then(|| format!("less {}", t.ttl_decrement)),
    );
    modify(
        "Transport",
        "source port",
        t.src_port.map(|port| port.to_string()),
    );
    modify(
        "Transport",
        "destination port",
        t.dst_port.map(|port| port.to_string()),
    );
    rows
}

/// What an attack tries, in words.
pub const fn attempt(of: Attempt) -> &'static str {
    match of {
        Attempt::SourceAddress => "Another VM's source address",
        Attempt::SourceMac => "Another VM's source MAC address",
        Attempt::Encapsulation => "Its own VXLAN with another tenant's TNI",
        Attempt::TenantFromWire => "Another tenant's TNI, from the wire",
        Attempt::Dma => "DMA outside of its memory",
        Attempt::CacheTiming => "Timing the shared cache",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gft::{Address, Mac};

    /// By the public interface: taken off and put on is Modify, put on alone is Push, taken off alone is Pop.
    #[test]
    fn transpositions_are_push_modify_and_pop() {
        let outer = Encap {
            kind: EncapKind::Vxlan,
            src: Address::v4(100, 64, 0, 10),
            dst: Address::v4(100, 64, 1, 0),
            tni: 5_001,
            dst_mac: Mac(1),
        };
        let actions = |pop, push: bool| -> Vec<String> {
            let transposition = Transposition {
                pop,
                push: [push.then_some(outer), None],
                src_port: Some(7),
                ..Transposition::default()
            };
            changes(&transposition)
                .into_iter()
                .map(|[_, action, _]| action)
                .collect()
        };
        assert_eq!(actions(0, true), ["Push", "Modify"]);
        assert_eq!(actions(1, true), ["Modify", "Modify"]);
        assert_eq!(actions(1, false), ["Pop", "Modify"]);
        assert_eq!(changes(&Transposition::default()), Vec::<Change>::new());
    }

    #[test]
    fn flags_have_their_names() {
        assert_eq!(flags(TcpFlags::SYN.with(TcpFlags::ACK)), "SYN, ACK");
        assert_eq!(flags(TcpFlags(0)), "none");
    }
}
