//! `ip` commands, one a line, for a Linux switch or NIC: no variables, no loops, `#` begins a comment.
//!
//! A uN is Linux's `End` with the NEXT-C-SID flavor (Linux 6.1 and iproute2 6.1, or later). Everything here was run in network namespaces:
//! `docs/srv6-export.md` says what Linux can do of MRC and what not.

use crate::address::{BLOCK_LEN, LINK_LEN, block, locator_prefix};
use crate::{Ev, Nic, Plan, Switch};
use std::io::{self, Write};
use std::net::Ipv6Addr;
use wire::ipv6::nic_address;
use wire::usid::BLOCK;
use wire::{Tier, Usid};

/// Priority of the rules that choose an EV's table: after `local` (0), before `main` (32766). Our choice.
const EV_RULE: u32 = 1_000;
/// Priority of the rule for packets without a mark: after `main`, so that it decides only where nothing else does. Between pods the
/// rule after it decides.
const UNMARKED_RULE: u32 = 32_767;

/// What is added to the uSIDs of T2s, some of which are numbers of Linux's own tables (our choice).
const T2_TABLES: u32 = 0x1_0000;

/// The routing table, and the packet mark, that stand for an EV: the uSID of its T1, 4096 and above, or that of its T2 and 65,536 (our
/// choice). The uSID is the upper half of the EV as the simulator shows it on the wire.
pub fn ev_table(ev: &Ev) -> u32 {
    let usid = u32::from(ev.via.raw());
    if ev.via.tier() == Some(Tier::T2) {
        usid + T2_TABLES
    } else {
        usid
    }
}

/// Writes a switch's commands. Its ports are `swp0`, `swp1` and so on.
///
/// # Errors
/// Those of `out`.
pub fn write_switch(out: &mut dyn Write, plan: &Plan, switch: Switch) -> io::Result<()> {
    let usid = switch.usid();
    let last = plan.ports(switch).count() - 1;
    writeln!(
        out,
        "# Switch {}, uSID {:#06x}. Needs: swp0 to swp{last} up; sysctl net.ipv6.conf.all.forwarding=1",
        switch.name(),
        usid.raw()
    )?;
    // An interface that never goes down: a port would take the uSID's route with it. Not lo: Linux refuses packets there.
    writeln!(out, "ip link add sr0 type dummy")?;
    writeln!(out, "ip link set sr0 up")?;
    writeln!(
        out,
        "ip -6 route add {} encap seg6local action End flavors next-csid lblen {BLOCK_LEN} nflen {} dev sr0",
        locator_prefix(usid),
        Usid::BITS
    )?;
    drop_the_rest(out)?;
    for port in plan.ports(switch) {
        neighbour(
            out,
            &format_args!("swp{}", port.number),
            port.near,
            port.neighbour,
            port.far,
        )?;
    }
    Ok(())
}

/// Writes a NIC's commands. Its port in plane 0 is `p0`, and so on. `peers` are those that it exchanges packets with; for
/// each of them there is a path for each EV.
///
/// # Errors
/// Those of `out`.
pub fn write_nic(out: &mut dyn Write, plan: &Plan, nic: Nic, peers: &[Nic]) -> io::Result<()> {
    let last = plan.clos().planes - 1;
    let turn = if plan.clos().tiers() > 2 { "T1 or T2" } else { "T1" };
    let own = nic_address(nic.number());
    writeln!(
        out,
        "# NIC {}. Needs: p0 to p{last} up. A packet's mark (SO_MARK) chooses its EV: the uSID of the EV's {turn}",
        nic.number(),
    )?;
    writeln!(out, "ip -6 addr add {own}/128 dev lo nodad")?;
    writeln!(out, "ip sr tunsrc set {own}")?;
    drop_the_rest(out)?;
    for port in plan.nic_ports(nic) {
        let plane = port.number;
        neighbour(
            out,
            &format_args!("p{plane}"),
            port.near,
            port.neighbour,
            port.far,
        )?;
        // Its last uSID is left: the packet has arrived, and what is inside goes to the NIC's own address.
        writeln!(
            out,
            "ip -6 route add {} encap seg6local action End.DT6 table local dev p{plane}",
            locator_prefix(plan.nic_usid(nic, plane))
        )?;
    }
    for ev in plan.evs(nic) {
        let table = ev_table(&ev);
        writeln!(out, "ip -6 rule add pref {EV_RULE} fwmark {table} table {table}")?;
    }
    let first = |tier| plan.evs(nic).find(|ev| ev.via.tier() == Some(tier));
    for (rule, ev) in (UNMARKED_RULE..).zip([first(Tier::T1), first(Tier::T2)].iter().flatten()) {
        writeln!(out, "ip -6 rule add pref {rule} table {}", ev_table(ev))?;
    }
    for &peer in peers {
        for (ev, usids) in plan.paths(nic, peer) {
            let bits = usids.iter().fold(u128::from(BLOCK), |bits, &usid| {
                bits << Usid::BITS | u128::from(usid)
            });
            writeln!(
                out,
                "ip -6 route add {}/128 table {} encap seg6 mode encap.red segs {} dev p{}",
                nic_address(peer.number()),
                ev_table(&ev),
                Ipv6Addr::from_bits(bits),
                ev.plane
            )?;
        }
    }
    Ok(())
}

/// What is in the block and not a neighbour is dropped, whatever default route there may be.
fn drop_the_rest(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "ip -6 route add blackhole {}/{BLOCK_LEN}", block())
}

/// A port's address, and the route to the neighbour at the other end.
fn neighbour(
    out: &mut dyn Write,
    name: &std::fmt::Arguments<'_>,
    near: Ipv6Addr,
    usid: Usid,
    far: Ipv6Addr,
) -> io::Result<()> {
    writeln!(out, "ip -6 addr add {near}/{LINK_LEN} dev {name} nodad")?;
    writeln!(
        out,
        "ip -6 route add {} via {far} dev {name}",
        locator_prefix(usid)
    )
}
