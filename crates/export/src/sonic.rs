//! A switch's part of SONiC's CONFIG_DB, as JSON for `config load`.
//!
//! Tables and fields: sonic-srv6.yang, sonic-static-route.yang and sonic-interface.yang of sonic-buildimage, and the
//! design document "Static Configuration of SRv6 in SONiC", revision 0.4. Values are strings, as CONFIG_DB keeps them.

use crate::address::{BLOCK_LEN, LINK_LEN, block, locator, locator_prefix};
use crate::{Plan, Port, Switch};
use serde::{Serialize, Serializer};
use serde_json::ser::PrettyFormatter;
use std::io::{self, Write};
use wire::Usid;

/// The name of the only locator (our choice).
const LOCATOR: &str = "mrc";

#[derive(Serialize)]
#[serde(rename_all = "UPPERCASE")]
struct ConfigDb<I, L, S, R> {
    interface: I,
    srv6_my_locators: L,
    srv6_my_sids: S,
    static_route: R,
}

/// A table whose rows are made while they are written, in an order of their own.
struct Table<F>(F);

impl<F: Fn() -> I, I: IntoIterator<Item = (String, Row)>> Serialize for Table<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map((self.0)())
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Row {
    /// Nothing but the key.
    Key {},
    Locator {
        prefix: String,
        block_len: String,
        node_len: String,
        // Only uN is used: neither function nor argument. The YANG default of 16 is for uDT and uA.
        func_len: &'static str,
        arg_len: &'static str,
    },
    Sid {
        action: &'static str,
        // Mandatory. It acts only where a switch decapsulates, which it never does here.
        decap_dscp_mode: &'static str,
    },
    Route {
        nexthop: String,
        ifname: String,
        // Left out, SONiC's bgpcfgd would offer the route to BGP.
        advertise: &'static str,
    },
    Blackhole {
        blackhole: &'static str,
        advertise: &'static str,
    },
}

/// The name of a port: `Ethernet` and its number. SONiC numbers ports by their first lane; this is right where a port
/// has one lane (our choice).
fn interface(port: &Port) -> String {
    format!("Ethernet{}", port.number)
}

/// Writes a switch's configuration.
///
/// # Errors
/// Those of `out`.
pub fn write_switch(out: &mut dyn Write, plan: &Plan, switch: Switch) -> io::Result<()> {
    let usid = switch.usid();
    let config = ConfigDb {
        interface: Table(|| {
            plan.ports(switch).flat_map(|port| {
                let name = interface(&port);
                let address = format!("{name}|{}/{LINK_LEN}", port.near);
                [(name, Row::Key {}), (address, Row::Key {})]
            })
        }),
        srv6_my_locators: Table(|| {
            let row = Row::Locator {
                prefix: locator(usid).to_string(),
                block_len: BLOCK_LEN.to_string(),
                node_len: Usid::BITS.to_string(),
                func_len: "0",
                arg_len: "0",
            };
            [(LOCATOR.to_owned(), row)]
        }),
        srv6_my_sids: Table(|| {
            let row = Row::Sid {
                action: "uN",
                decap_dscp_mode: "pipe",
            };
            [(format!("{LOCATOR}|{}", locator_prefix(usid)), row)]
        }),
        static_route: Table(|| {
            // What is in the block and not a neighbour is dropped, whatever default route there may be.
            let drop = Row::Blackhole {
                blackhole: "true",
                advertise: "false",
            };
            let drop = (format!("default|{}/{BLOCK_LEN}", block()), drop);
            let routes = plan.ports(switch).map(|port| {
                let row = Row::Route {
                    nexthop: port.far.to_string(),
                    ifname: interface(&port),
                    advertise: "false",
                };
                (format!("default|{}", locator_prefix(port.neighbour)), row)
            });
            std::iter::once(drop).chain(routes)
        }),
    };
    let formatter = PrettyFormatter::with_indent(b"    ");
    config.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, formatter))?;
    out.write_all(b"\n")
}
