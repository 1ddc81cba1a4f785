//! Reads the files back. What has another form than expected is a failure.

use super::device::{Action, Device};
use serde_json::Value;
use std::net::Ipv6Addr;

fn address(text: &str) -> Ipv6Addr {
    text.parse().unwrap_or_else(|e| panic!("{text:?}: {e}"))
}

fn prefix(text: &str) -> (Ipv6Addr, u32) {
    let (first, length) = text.split_once('/').expect("a length");
    (address(first), length.parse().expect("a length"))
}

/// CONFIG_DB as SONiC's bgpcfgd reads it.
pub fn sonic(text: &str) -> Device {
    let config: Value = serde_json::from_str(text).expect("JSON");
    let table = |name: &str| config[name].as_object().expect("a table").clone();
    let field = |row: &Value, name: &str| row[name].as_str().expect("a text").to_owned();
    let mut device = Device::default();
    let interfaces = table("INTERFACE");
    for key in interfaces.keys() {
        if let Some((port, own)) = key.split_once('|') {
            let (own, length) = prefix(own);
            assert!(interfaces.contains_key(port));
            device.addresses.push((port.to_owned(), own, length));
        }
    }
    let locators = table("SRV6_MY_LOCATORS");
    for (key, row) in table("SRV6_MY_SIDS") {
        let (locator, sid) = key.split_once('|').expect("locator and SID");
        let locator = &locators[locator];
        let bits = |name: &str| -> u32 { field(locator, name).parse().expect("a length") };
        let (block, node) = (bits("block_len"), bits("node_len"));
        // bgpcfgd refuses a SID outside its locator.
        assert_eq!(prefix(sid), (address(&field(locator, "prefix")), block + node));
        assert_eq!((bits("func_len"), bits("arg_len")), (0, 0));
        assert_eq!(field(&row, "action"), "uN");
        assert_eq!(field(&row, "decap_dscp_mode"), "pipe");
        device.add(None, prefix(sid), Action::Shift { block, node });
    }
    for (key, row) in table("STATIC_ROUTE") {
        let to = prefix(key.strip_prefix("default|").expect("the default VRF"));
        let action = if row["blackhole"] == "true" {
            Action::Drop
        } else {
            Action::Via {
                next_hop: address(&field(&row, "nexthop")),
                port: field(&row, "ifname"),
            }
        };
        assert_eq!(row["advertise"], "false");
        device.add(None, to, action);
    }
    device
}

/// `ip` commands as iproute2 reads them.
pub fn linux(text: &str) -> Device {
    let mut device = Device::default();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["ip", "link", "add", "sr0", "type", "dummy"]
            | ["ip", "link", "set", "sr0", "up"]
            | ["ip", "sr", "tunsrc", "set", _] => {}
            ["ip", "-6", "addr", "add", own, "dev", port, "nodad"] => {
                let (own, length) = prefix(own);
                device.addresses.push((port.to_owned(), own, length));
            }
            [
                "ip",
                "-6",
                "rule",
                "add",
                "pref",
                pref,
                "fwmark",
                mark,
                "table",
                table,
            ] => {
                let [pref, mark, table] = [pref, mark, table].map(|n| n.parse().expect("a number"));
                device.rules.push((pref, Some(mark), table));
            }
            ["ip", "-6", "rule", "add", "pref", pref, "table", table] => {
                let [pref, table] = [pref, table].map(|n| n.parse().expect("a number"));
                device.rules.push((pref, None, table));
            }
            ["ip", "-6", "route", "add", ref route @ ..] => {
                let (table, to, action) = linux_route(route);
                device.add(table, prefix(to), action);
            }
            _ => panic!("not understood: {line}"),
        }
    }
    device
}

/// Table, destination, and what happens.
fn linux_route<'a>(words: &[&'a str]) -> (Option<u32>, &'a str, Action) {
    match *words {
        ["blackhole", to] => (None, to, Action::Drop),
        [to, "via", next_hop, "dev", port] => {
            let action = Action::Via {
                next_hop: address(next_hop),
                port: port.to_owned(),
            };
            (None, to, action)
        }
        [
            to,
            "encap",
            "seg6local",
            "action",
            "End",
            "flavors",
            "next-csid",
            "lblen",
            block,
            "nflen",
            node,
            "dev",
            "sr0",
        ] => {
            let [block, node] = [block, node].map(|n| n.parse().expect("a length"));
            assert_eq!(prefix(to).1, block + node);
            (None, to, Action::Shift { block, node })
        }
        [
            to,
            "encap",
            "seg6local",
            "action",
            "End.DT6",
            "table",
            "local",
            "dev",
            _,
        ] => (None, to, Action::Decap),
        [
            to,
            "table",
            table,
            "encap",
            "seg6",
            "mode",
            "encap.red",
            "segs",
            outer,
            "dev",
            _,
        ] => {
            let table = table.parse().expect("a number");
            (Some(table), to, Action::Encap(address(outer)))
        }
        _ => panic!("not understood: {words:?}"),
    }
}
