//! The rows of the tables.

use super::{AclRule, Dash, Eni, Qos, Route, Vnet, VnetMapping};
use crate::node::{Node, clip};
use crate::place::{At, Fields, optional, required};
use crate::report::{Report, Reported};
use crate::terms::{PORTS, ports};
use crate::traffic::mac;
use gft::{Address, Mac, Prefix, Protocol};

/// Entries of one list of a row at most (documented: thousands of prefixes; the bound is our choice).
const MAX_LIST: usize = 20_000;

/// Fields that say nothing about packets.
const IDLE: &[&str] = &[
    "guid",
    "eni_id",
    "qos_id",
    "peer_list",
    "version",
    "appliance_guid",
    "disable_fast_path_icmp_flow_redirection",
    "local_region_id",
];

/// Tables that say nothing that is simulated.
const IDLE_TABLES: &[&str] = &["DASH_ACL_GROUP_TABLE", "DASH_ROUTE_GROUP_TABLE"];

const ADDRESS: &str = "an IPv4 or IPv6 address";
const PREFIX: &str = "a prefix such as 10.1.0.0/16";

/// Puts a row into its table, or takes it out.
pub(super) fn row(
    table: &str,
    key: &str,
    at: At<'_, '_>,
    delete: bool,
    report: &mut Report,
    dash: &mut Dash,
) -> Result<(), Reported> {
    let mut parts = key.splitn(2, [':', '|']);
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.next();
    let second = |report: &mut Report, expected: &str| {
        rest.ok_or_else(|| {
            let key = clip(key);
            report.problem(at.place, format!("the key {key:?}, expected {expected}"))
        })
    };
    match table {
        "DASH_VNET_TABLE" => put(&mut dash.vnets, first, delete, || vnet(at, report)),
        "DASH_QOS_TABLE" => put(&mut dash.qos, first, delete, || qos(at, report)),
        "DASH_ENI_TABLE" => put(&mut dash.enis, first, delete, || eni(at, report)),
        "DASH_PREFIX_TAG_TABLE" => put(&mut dash.tags, first, delete, || tag(at, report)),
        "DASH_ACL_IN_TABLE" | "DASH_ACL_OUT_TABLE" => {
            let expected = "an ENI and a stage from 1 to 5 with a colon between them";
            let stage = second(report, expected)?;
            let stage = stage.parse().ok().filter(|stage| (1..=5).contains(stage));
            let Some(stage) = stage else {
                let key = clip(key);
                return Err(report.problem(at.place, format!("the key {key:?}, expected {expected}")));
            };
            let key = (first, table == "DASH_ACL_OUT_TABLE", stage);
            put(&mut dash.stages, key, delete, || groups(at, report))
        }
        "DASH_ACL_RULE_TABLE" => {
            let rule = second(report, "a group and a rule with a colon between them")?;
            let key = (first, rule.to_owned());
            put(&mut dash.acl_rules, key, delete, || acl_rule(at, report))
        }
        "DASH_ENI_ROUTE_TABLE" => put(&mut dash.route_groups, first, delete, || route_group(at, report)),
        "DASH_ROUTE_TABLE" => {
            let prefix = second(report, "a route group and a prefix with a colon between them")?;
            let prefix = prefix
                .parse::<Prefix>()
                .map_err(|error| report.problem(at.place, format!("the key's prefix: {error}")))?;
            match delete {
                true => {
                    dash.routes.remove(&(first, prefix));
                    Ok(())
                }
                false => {
                    if let Some(route) = route(at, report)? {
                        dash.routes.insert((first, prefix), route);
                    }
                    Ok(())
                }
            }
        }
        "DASH_VNET_MAPPING_TABLE" => {
            let address = second(
                report,
                "a virtual network and an address with a colon between them",
            )?;
            let address = address
                .parse::<Address>()
                .map_err(|error| report.problem(at.place, format!("the key's address: {error}")))?;
            put(&mut dash.mappings, (first, address), delete, || {
                mapping(at, report)
            })
        }
        "DASH_APPLIANCE_TABLE" => {
            dash.appliance_ip = match delete {
                true => None,
                false => Some(appliance(at, report)?),
            };
            Ok(())
        }
        _ => {
            if IDLE_TABLES.contains(&table) {
                let what = format!("a row of {} is not used", clip(table));
                report.minor(
                    at.place,
                    what,
                    "it says nothing that is not in the rows that name it",
                );
                return Ok(());
            }
            let why = if table.starts_with("DASH_") {
                "this table is not simulated"
            } else {
                "this table is not one of DASH's"
            };
            report.note(at.place, format!("a row of {} is not used", clip(table)), why);
            Ok(())
        }
    }
}

fn put<K: Ord, V>(
    table: &mut std::collections::BTreeMap<K, V>,
    key: K,
    delete: bool,
    read: impl FnOnce() -> Result<V, Reported>,
) -> Result<(), Reported> {
    if delete {
        table.remove(&key);
    } else {
        table.insert(key, read()?);
    }
    Ok(())
}

fn object<'a, 'p>(at: At<'a, 'p>, report: &mut Report) -> Result<Fields<'a, 'p>, Reported> {
    at.object(report, "an object with the row's fields")
}

/// The parts of a list, or of a text with commas.
fn list(
    at: At<'_, '_>,
    report: &mut Report,
    expected: &str,
    read: &mut dyn FnMut(&str) -> Result<(), String>,
) -> Result<(), Reported> {
    let mut count = 0;
    let mut one = |text: &str, report: &mut Report| {
        count += 1;
        if count > MAX_LIST {
            return Err(report.problem(
                at.place,
                format!("more than {MAX_LIST} entries, expected at most that many"),
            ));
        }
        read(text.trim()).map_err(|reason| report.problem(at.place, reason))
    };
    match at.node {
        Node::Text(text) if text.trim().is_empty() => Ok(()),
        Node::Text(text) => text.split(',').try_for_each(|part| one(part, report)),
        Node::Whole(number) => one(&number.to_string(), report),
        Node::List(items) => items.iter().try_for_each(|item| match item {
            Node::Text(text) => one(text, report),
            Node::Whole(number) => one(&number.to_string(), report),
            other => Err(report.problem(at.place, format!("{other} in the list, expected {expected}"))),
        }),
        _ => Err(at.expected(report, expected)),
    }
}

fn prefixes(fields: &Fields<'_, '_>, name: &str, report: &mut Report) -> Result<Vec<Prefix>, Reported> {
    let mut all = Vec::new();
    let read = optional!(fields, name, |at| list(at, report, PREFIX, &mut |text| {
        let prefix = text.parse::<Prefix>().map_err(|error| error.to_string())?;
        all.push(prefix);
        Ok(())
    }));
    read.transpose()?;
    Ok(all)
}

fn names(fields: &Fields<'_, '_>, name: &str, report: &mut Report) -> Result<Vec<String>, Reported> {
    let mut all = Vec::new();
    let read = optional!(fields, name, |at| list(
        at,
        report,
        "a list of names",
        &mut |text| {
            all.push(text.to_owned());
            Ok(())
        }
    ));
    read.transpose()?;
    Ok(all)
}

fn address(at: At<'_, '_>, report: &mut Report) -> Result<Address, Reported> {
    let text = at.text(report, ADDRESS)?;
    text.parse().map_err(|_| at.expected(report, ADDRESS))
}

fn mac_address(at: At<'_, '_>, report: &mut Report) -> Result<Mac, Reported> {
    const EXPECTED: &str = "a MAC address such as F4:93:9F:EF:C4:7E";
    let text = at.text(report, EXPECTED)?;
    mac(text).ok_or_else(|| at.expected(report, EXPECTED))
}

fn vnet(at: At<'_, '_>, report: &mut Report) -> Result<Vnet, Reported> {
    let fields = object(at, report)?;
    // 24 bits (RFC 7348).
    let vni = required!(fields, "vni", report, "the network identifier", |at| at.whole(
        report,
        0..=0xff_ffff,
        "a VNI"
    ))?;
    let mut address_spaces = prefixes(&fields, "address_spaces", report)?;
    // The spelling of older tables.
    address_spaces.extend(prefixes(&fields, "address_space", report)?);
    fields.note_rest(report, IDLE);
    Ok(Vnet {
        vni: vni as u32,
        address_spaces,
    })
}

fn qos(at: At<'_, '_>, report: &mut Report) -> Result<Qos, Reported> {
    let fields = object(at, report)?;
    let bw = required!(fields, "bw", report, "the bandwidth in kbit/s", |at| at.whole(
        report,
        0..=10_000_000_000,
        "kbit/s"
    ));
    let cps = required!(fields, "cps", report, "connections per second", |at| at.whole(
        report,
        0..=1_000_000_000,
        "connections per second"
    ));
    let flows = required!(fields, "flows", report, "the number of flows", |at| at.whole(
        report,
        0..=1_000_000_000,
        "a number of flows"
    ));
    fields.note_rest(report, IDLE);
    Ok(Qos {
        bw: bw?,
        cps: cps?,
        flows: flows?,
    })
}

fn eni(at: At<'_, '_>, report: &mut Report) -> Result<Eni, Reported> {
    let fields = object(at, report)?;
    let mac = required!(
        fields,
        "mac_address",
        report,
        "the MAC address",
        |at| mac_address(at, report)
    );
    let vnet = required!(fields, "vnet", report, "the virtual network's name", |at| at
        .text(report, "the virtual network's name")
        .map(str::to_owned));
    let qos = optional!(fields, "qos", |at| at.text(report, "a QoS profile's name")).transpose();
    let underlay_ip = optional!(fields, "underlay_ip", |at| address(at, report)).transpose();
    let enabled = optional!(fields, "admin_state", |at| {
        match at.text(report, "enabled or disabled")? {
            "enabled" | "STATE_ENABLED" => Ok(true),
            "disabled" | "STATE_DISABLED" => Ok(false),
            _ => Err(at.expected(report, "enabled or disabled")),
        }
    })
    .transpose();
    fields.note_rest(report, IDLE);
    Ok(Eni {
        mac: mac?,
        qos: qos?.map(str::to_owned),
        underlay_ip: underlay_ip?,
        vnet: vnet?,
        enabled: enabled?.unwrap_or(true),
    })
}

fn tag(at: At<'_, '_>, report: &mut Report) -> Result<Vec<Prefix>, Reported> {
    let fields = object(at, report)?;
    let list = prefixes(&fields, "prefix_list", report)?;
    let _ = fields.get("ip_version");
    fields.note_rest(report, IDLE);
    Ok(list)
}

fn groups(at: At<'_, '_>, report: &mut Report) -> Result<Vec<String>, Reported> {
    let fields = object(at, report)?;
    let mut groups = Vec::new();
    for name in ["acl_group_id", "v4_acl_group_id", "v6_acl_group_id"] {
        let group = optional!(fields, name, |at| at.text(report, "a group's name"));
        if let Some(group) = group.transpose()? {
            groups.push(group.to_owned());
        }
    }
    if groups.is_empty() {
        return Err(report.problem(
            at.place,
            "there is no \"v4_acl_group_id\" or \"v6_acl_group_id\", expected a group's name",
        ));
    }
    fields.note_rest(report, IDLE);
    Ok(groups)
}

fn acl_rule(at: At<'_, '_>, report: &mut Report) -> Result<AclRule, Reported> {
    let fields = object(at, report)?;
    let priority = required!(fields, "priority", report, "the rule's priority", |at| at.whole(
        report,
        0..=u64::from(u32::MAX),
        "a whole number"
    ));
    let allow = required!(fields, "action", report, "allow or deny", |at| action(at, report));
    let terminating = optional!(fields, "terminating", |at| at.yes(report)).transpose();
    let mut protocols = Vec::new();
    let read = optional!(fields, "protocol", |at| list(
        at,
        report,
        "protocol numbers from 0 to 255",
        &mut |text| {
            let number = text.parse::<u8>();
            let number =
                number.map_err(|_| format!("{:?}, expected a protocol number from 0 to 255", clip(text)))?;
            protocols.push(Protocol(number));
            Ok(())
        }
    ))
    .transpose();
    let src = prefixes(&fields, "src_addr", report);
    let dst = prefixes(&fields, "dst_addr", report);
    let src_tags = names(&fields, "src_tag", report);
    let dst_tags = names(&fields, "dst_tag", report);
    let ranges = |name: &str, report: &mut Report| {
        let mut all = Vec::new();
        let read = optional!(fields, name, |at| list(at, report, PORTS, &mut |text| {
            all.push(ports(text)?);
            Ok(())
        }));
        read.transpose().map(|_| all)
    };
    let src_ports = ranges("src_port", report);
    let dst_ports = ranges("dst_port", report);
    fields.note_rest(report, IDLE);
    read?;
    Ok(AclRule {
        // Within the range, so within 32 bits.
        priority: priority? as u32,
        allow: allow?,
        terminating: terminating?.unwrap_or(false),
        protocols,
        src: src?,
        dst: dst?,
        src_tags: src_tags?,
        dst_tags: dst_tags?,
        src_ports: src_ports?,
        dst_ports: dst_ports?,
    })
}

/// The action by its name, or by its number in DASH's protobuf (1 deny, 2 permit).
fn action(at: At<'_, '_>, report: &mut Report) -> Result<bool, Reported> {
    let allow = match at.node {
        Node::Whole(2) => Some(true),
        Node::Whole(1) => Some(false),
        Node::Text(text) => match text.to_ascii_lowercase().as_str() {
            "allow" | "permit" | "action_permit" | "2" => Some(true),
            "deny" | "action_deny" | "1" => Some(false),
            _ => None,
        },
        _ => None,
    };
    allow.ok_or_else(|| at.expected(report, "allow or deny"))
}

fn route_group(at: At<'_, '_>, report: &mut Report) -> Result<String, Reported> {
    let fields = object(at, report)?;
    let group = required!(fields, "group_id", report, "the route group's name", |at| at
        .text(report, "the route group's name"))?;
    fields.note_rest(report, IDLE);
    Ok(group.to_owned())
}

/// A route; nothing if its type is not simulated.
fn route(at: At<'_, '_>, report: &mut Report) -> Result<Option<Route>, Reported> {
    const EXPECTED: &str = "a routing type: vnet, vnet_direct, direct, drop or another of DASH's";
    let fields = object(at, report)?;
    let named = match (fields.get("routing_type"), fields.get("action_type")) {
        (Some(named), _) | (None, Some(named)) => named,
        (None, None) => {
            return Err(report.problem(
                at.place,
                format!("there is no \"routing_type\" or \"action_type\", expected {EXPECTED}"),
            ));
        }
    };
    let Node::Text(kind) = named.1 else {
        let place = crate::place::Place::Field(at.place, named.0);
        return Err(At::new(named.1, &place).expected(report, EXPECTED));
    };
    let vnet = |report: &mut Report| {
        required!(fields, "vnet", report, "the virtual network's name", |at| at
            .text(report, "the virtual network's name")
            .map(str::to_owned))
    };
    let short = kind.to_ascii_lowercase();
    let route = match short.strip_prefix("routing_type_").unwrap_or(&short) {
        "vnet" => Route::Vnet(vnet(report)?),
        "vnet_direct" => {
            let overlay = optional!(fields, "overlay_ip", |at| address(at, report));
            Route::VnetDirect(vnet(report)?, overlay.transpose()?)
        }
        "direct" => Route::Direct,
        "drop" => Route::Drop,
        "vnet_encap" | "appliance" | "privatelink" | "privatelinknsg" | "servicetunnel" => {
            report.note(
                at.place,
                format!("a route of type {} is not used", clip(kind)),
                "this routing type is not simulated; packets go by the next shorter prefix",
            );
            return Ok(None);
        }
        _ => {
            let place = crate::place::Place::Field(at.place, named.0);
            return Err(At::new(named.1, &place).expected(report, EXPECTED));
        }
    };
    fields.note_rest(report, IDLE);
    Ok(Some(route))
}

fn mapping(at: At<'_, '_>, report: &mut Report) -> Result<VnetMapping, Reported> {
    let fields = object(at, report)?;
    let underlay_ip = required!(fields, "underlay_ip", report, ADDRESS, |at| address(at, report));
    let mac = optional!(fields, "mac_address", |at| mac_address(at, report)).transpose();
    let use_dst_vni = optional!(fields, "use_dst_vni", |at| at.yes(report)).transpose();
    for name in ["routing_type", "action_type"] {
        let Some((name, node)) = fields.get(name) else {
            continue;
        };
        let known = [
            "vnet",
            "vnet_encap",
            "ROUTING_TYPE_VNET",
            "ROUTING_TYPE_VNET_ENCAP",
        ];
        if !matches!(node, Node::Text(kind) if known.contains(&kind.as_str())) {
            report.note(
                crate::place::Place::Field(at.place, name),
                format!("a mapping of type {node}"),
                "it is taken as one of type vnet",
            );
        }
    }
    fields.note_rest(report, IDLE);
    Ok(VnetMapping {
        underlay_ip: underlay_ip?,
        mac: mac?,
        use_dst_vni: use_dst_vni?.unwrap_or(false),
    })
}

fn appliance(at: At<'_, '_>, report: &mut Report) -> Result<Address, Reported> {
    let fields = object(at, report)?;
    let sip = required!(fields, "sip", report, ADDRESS, |at| address(at, report))?;
    fields.note_rest(report, IDLE);
    Ok(sip)
}
