//! The files say what the simulator does: a packet that is forwarded by nothing but what was written goes over the same
//! links as in the simulator, from every NIC to every other by every EV.
//!
//! The files are read back as a device would read them: longest prefix first, a uN shifts the address and looks it up
//! again, a route's next hop is whoever has that address. Nothing of the exporter's own is used on the way.

mod device;
mod read;

use device::{Action, Device};
use export::{Plan, linux, sonic};
use fabric::{Clos, LinkKind, Top, Way, usid};
use std::collections::BTreeMap;
use std::net::Ipv6Addr;

/// Devices by name, each read when a packet first gets there.
struct Fabric<'a> {
    plan: Plan,
    format: &'a str,
    devices: BTreeMap<String, Device>,
}

impl Fabric<'_> {
    fn device(&mut self, name: &str, peers: &[u32]) -> &Device {
        let (plan, format) = (self.plan, self.format);
        self.devices.entry(name.to_owned()).or_insert_with(|| {
            let mut text = Vec::new();
            let written = match (name.strip_prefix('n'), format) {
                (Some(nic), _) => {
                    let nic = plan.nic(nic.parse().unwrap()).unwrap();
                    let peers = peers.iter().map(|&peer| plan.nic(peer).unwrap());
                    let peers: Vec<_> = peers.filter(|&peer| peer != nic).collect();
                    linux::write_nic(&mut text, &plan, nic, &peers)
                }
                (None, "sonic") => {
                    sonic::write_switch(&mut text, &plan, plan.switch(name.parse().unwrap()).unwrap())
                }
                (None, _) => {
                    linux::write_switch(&mut text, &plan, plan.switch(name.parse().unwrap()).unwrap())
                }
            };
            written.unwrap();
            let text = String::from_utf8(text).unwrap();
            if format == "sonic" && !name.starts_with('n') {
                read::sonic(&text)
            } else {
                read::linux(&text)
            }
        })
    }

    /// Who is at the other end of directed link `link`.
    fn head(&self, link: u32) -> String {
        let end = self.plan.clos().describe(link);
        match end.kind {
            LinkKind::NicUp => format!("p{}/t0.{}", end.plane, end.upper),
            LinkKind::NicDown => format!("n{}", end.lower),
            LinkKind::Up => format!("p{}/t1.{}", end.plane, end.upper),
            LinkKind::Down => format!("p{}/t0.{}", end.plane, end.lower),
            LinkKind::CoreUp => format!("p{}/t2.{}", end.plane, end.upper),
            LinkKind::CoreDown => format!("p{}/t1.{}", end.plane, end.lower),
        }
    }
}

/// The links that the simulator's packet would take.
fn simulated(clos: &Clos, src: u32, dst: u32, plane: u32, path: u32) -> Vec<u32> {
    clos.links_along(src, Way::between(clos, src, dst).usids(plane, path))
}

/// Sends a packet from `src` to `dst` by the EV of a path, and compares.
fn send(fabric: &mut Fabric, src: u32, dst: u32, plane: u32, path: u32, peers: &[u32]) {
    let clos = *fabric.plan.clos();
    let what = format!(
        "{} {clos:?} NIC {src} to {dst}, plane {plane}, path {path}",
        fabric.format
    );
    // As docs/srv6-export.md has it: the uSID of the T1, of a T2 with 65,536 more.
    let mark = match clos.top(src, dst) {
        Top::T2 => 65_536 + u32::from(usid::usid(plane, usid::T2, path)),
        _ => {
            let t1 = clos.t1s_above(clos.t0_of(src)).start + path;
            u32::from(usid::usid(plane, usid::T1, t1))
        }
    };
    let inner = wire::ipv6::nic_address(dst);
    let mut here = format!("n{src}");
    let device = fabric.device(&here, peers);
    let Some(Action::Encap(outer)) = device.look_up(mark, inner) else {
        panic!("{what}: the NIC does not encapsulate");
    };
    let mut address: Ipv6Addr = *outer;
    for link in simulated(&clos, src, dst, plane, path) {
        let device = fabric.device(&here, peers);
        if !here.starts_with('n') {
            let Some(&Action::Shift { block, node }) = device.look_up(0, address) else {
                panic!("{what}: {here} does not own {address}");
            };
            address = device::shift(address, block, node);
        }
        let Some(Action::Via { next_hop, port }) = device.look_up(mark, address) else {
            panic!("{what}: {here} has no route to {address}");
        };
        let (next_hop, port) = (*next_hop, port.clone());
        assert!(
            device.shares_a_cable(&port, next_hop),
            "{what}: {here} cannot reach {next_hop} by {port}"
        );
        // The same cable's other end, at the device where the simulator's packet comes out.
        here = fabric.head(link);
        assert!(
            fabric.device(&here, peers).has_address(next_hop),
            "{what}: {here} is not at {next_hop}"
        );
    }
    assert_eq!(here, format!("n{dst}"), "{what}");
    let device = fabric.device(&here, peers);
    assert_eq!(
        device.look_up(0, address),
        Some(&Action::Decap),
        "{what}: {address}"
    );
    assert!(device.has_address(inner), "{what}");
}

fn fabric(format: &str, clos: Clos) -> Fabric<'_> {
    Fabric {
        plan: Plan::new(clos).unwrap(),
        format,
        devices: BTreeMap::new(),
    }
}

/// Planes, T0s, T1s and NICs per T0; pods; T2s.
fn three_tiers([planes, t0s, t1s, nics_per_t0]: [u32; 4], pods: u32, t2s: u32) -> Clos {
    Clos {
        pods,
        t2s,
        ..Clos::two_tiers(planes, t0s, t1s, nics_per_t0)
    }
}

/// The numbers of the paths from one NIC to another, in each plane; NICs of one T0 have an EV for each T1 as well.
fn path_numbers(clos: &Clos, src: u32, dst: u32) -> Vec<u32> {
    match clos.top(src, dst) {
        _ if src == dst => Vec::new(),
        Top::T0 => (0..clos.t1s_per_pod()).collect(),
        _ => (0..clos.paths(src, dst)).collect(),
    }
}

#[test]
fn every_nic_reaches_every_other_by_every_ev() {
    for format in ["sonic", "linux"] {
        for shape in [
            Clos::two_tiers(1, 1, 1, 2),
            Clos::two_tiers(1, 2, 1, 1),
            Clos::two_tiers(2, 3, 4, 2),
            Clos::two_tiers(3, 4, 2, 3),
            Clos::two_tiers(4, 2, 5, 4),
            Clos::two_tiers(8, 3, 3, 3),
            three_tiers([2, 4, 4, 2], 2, 6),
            three_tiers([1, 6, 3, 1], 3, 4),
            three_tiers([8, 3, 6, 2], 3, 2),
            // One pod: nobody needs the T2s.
            three_tiers([2, 2, 2, 2], 1, 4),
        ] {
            let mut fabric = fabric(format, shape);
            let clos = *fabric.plan.clos();
            let all: Vec<u32> = (0..clos.nics()).collect();
            for (&src, &dst) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
                let paths = path_numbers(&clos, src, dst);
                for (plane, path) in
                    (0..clos.planes).flat_map(|plane| paths.iter().map(move |&path| (plane, path)))
                {
                    send(&mut fabric, src, dst, plane, path, &all);
                }
            }
        }
    }
}

#[test]
fn the_corners_of_the_largest_fabrics() {
    for format in ["sonic", "linux"] {
        // The MRC paper's, and the largest indices that there are.
        for shape in [
            Clos::two_tiers(8, 512, 256, 256),
            Clos::two_tiers(8, 2048, 2048, 2),
            Clos::two_tiers(8, 2, 64, 2048),
            // The paper's other design, and the largest indices again.
            three_tiers([1, 2048, 2048, 32], 64, 1024),
            three_tiers([8, 2048, 178, 2], 2, 2047),
        ] {
            let mut fabric = fabric(format, shape);
            let clos = *fabric.plan.clos();
            let last = clos.nics() - 1;
            let corners = [0, 1, last / 3, last - clos.nics_per_t0, last];
            for (&src, &dst) in corners.iter().flat_map(|a| corners.iter().map(move |b| (a, b))) {
                for plane in [0, clos.planes - 1] {
                    let paths = path_numbers(&clos, src, dst);
                    for &path in paths.iter().take(1).chain(paths.last()) {
                        send(&mut fabric, src, dst, plane, path, &corners);
                    }
                }
            }
        }
    }
}

#[test]
fn what_no_neighbour_owns_is_dropped() {
    for format in ["sonic", "linux"] {
        let mut fabric = fabric(format, three_tiers([2, 4, 4, 2], 2, 4));
        for (name, address) in [
            // The end of the list; another plane; a T1 of another pod and a downlink that is not there; from T1 to T1; from T1 to a NIC;
            // from T1 to a T2 of the other T1; from T2 to the other T1 of a pod, and to a T0.
            ("p0/t0.0", "fc00::"),
            ("p0/t0.0", "fc00:0:3000::"),
            ("p0/t0.0", "fc00:0:1002::"),
            ("p0/t0.0", "fc00:0:1802::"),
            ("p0/t1.0", "fc00:0:1001::"),
            ("p0/t1.0", "fc00:0:1800::"),
            ("p0/t1.0", "fc00:0:3::"),
            ("p0/t2.0", "fc00:0:1001::"),
            ("p0/t2.0", "fc00:0:800::"),
            ("n0", "fc00:0:801::"),
        ] {
            let device = fabric.device(name, &[1, 2, 3]);
            let address: Ipv6Addr = address.parse().unwrap();
            assert_eq!(
                device.look_up(0, address),
                Some(&Action::Drop),
                "{format} {name} {address}"
            );
        }
    }
}
