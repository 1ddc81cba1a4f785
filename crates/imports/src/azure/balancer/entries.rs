//! The entries of a load balancer's lists.

use super::{BalancerRule, Frontend, MAX_ENTRIES, NatRule, OutboundRule, Pool};
use crate::azure::nsg::choice;
use crate::azure::resource::{each, reference, resource};
use crate::node::{Node, clip};
use crate::place::{At, Fields, Place, optional, required};
use crate::report::{Report, Reported};
use gft::{Address, Protocol};
use vfp::Distribution;

/// Fields of a rule that change nothing here.
const RULE_IDLE: &[&str] = &["probe", "disableOutboundSnat", "enableConnectionTracking"];

fn address(at: At<'_, '_>, report: &mut Report) -> Result<Address, Reported> {
    const EXPECTED: &str = "an IPv4 or IPv6 address";
    let text = at.text(report, EXPECTED)?;
    text.parse().map_err(|_| at.expected(report, EXPECTED))
}

pub(super) fn frontend(
    name: &str,
    fields: &Fields<'_, '_>,
    report: &mut Report,
) -> Result<Option<Frontend>, Reported> {
    let private = optional!(fields, "privateIPAddress", |at| address(at, report)).transpose()?;
    let public = optional!(fields, "publicIPAddress", |at| public_address(at, report)).transpose()?;
    for idle in [
        "privateIPAllocationMethod",
        "privateIPAddressVersion",
        "subnet",
        "inboundNatRules",
        "loadBalancingRules",
        "outboundRules",
        "publicIPPrefix",
    ] {
        let _ = fields.get(idle);
    }
    Ok(Some(Frontend {
        name: name.to_owned(),
        address: private.or(public.flatten()),
    }))
}

/// The address of a public IP resource, where it is written out.
fn public_address(at: At<'_, '_>, report: &mut Report) -> Result<Option<Address>, Reported> {
    resource(at, report, "a public IP address", |_, fields, report| {
        let read = optional!(fields, "ipAddress", |at| address(at, report));
        read.transpose()
    })
}

pub(super) fn pool(
    name: &str,
    fields: &Fields<'_, '_>,
    report: &mut Report,
) -> Result<Option<Pool>, Reported> {
    let mut members = Vec::new();
    let read = optional!(fields, "loadBalancerBackendAddresses", |at| each(
        at,
        report,
        "a list of backend addresses",
        MAX_ENTRIES,
        &mut members,
        |_, fields, report| {
            for idle in [
                "virtualNetwork",
                "subnet",
                "networkInterfaceIPConfiguration",
                "adminState",
            ] {
                let _ = fields.get(idle);
            }
            let read = optional!(fields, "ipAddress", |at| address(at, report));
            read.transpose().map(Some)
        }
    ));
    read.transpose()?;
    let listed = match fields.get("backendIPConfigurations") {
        Some((_, Node::List(items))) => items.len().min(MAX_ENTRIES),
        _ => 0,
    };
    for idle in [
        "loadBalancingRules",
        "outboundRules",
        "inboundNatRules",
        "outboundRule",
        "syncMode",
    ] {
        let _ = fields.get(idle);
    }
    let addresses: Vec<Address> = members.into_iter().flatten().collect();
    // Members by address and members by network interface are the same ones, told twice.
    let unknown = listed.saturating_sub(addresses.len()) as u32;
    Ok(Some(Pool {
        name: name.to_owned(),
        addresses,
        unknown,
    }))
}

fn protocol(fields: &Fields<'_, '_>, report: &mut Report) -> Result<Option<Protocol>, Reported> {
    const EXPECTED: &str = "Tcp, Udp or All";
    let names = [
        ("tcp", Some(Protocol::TCP)),
        ("udp", Some(Protocol::UDP)),
        ("all", None),
    ];
    required!(fields, "protocol", report, EXPECTED, |at| choice(
        at, report, EXPECTED, &names
    ))
}

fn port(at: At<'_, '_>, report: &mut Report, most: u64) -> Result<u16, Reported> {
    // Within the range, so within 16 bits.
    at.whole(report, 0..=most, "a port").map(|port| port as u16)
}

pub(super) fn rule(
    name: &str,
    fields: &Fields<'_, '_>,
    report: &mut Report,
) -> Result<Option<BalancerRule>, Reported> {
    let protocol = protocol(fields, report);
    let frontend = required!(
        fields,
        "frontendIPConfiguration",
        report,
        "an object with the frontend's \"id\"",
        |at| reference(at, report)
    );
    // Documented: 0 to 65534 in front, 0 to 65535 behind.
    let frontend_port = required!(fields, "frontendPort", report, "a port", |at| port(
        at, report, 65_534
    ));
    let backend_port = required!(fields, "backendPort", report, "a port", |at| port(
        at, report, 65_535
    ));
    let pool = optional!(fields, "backendAddressPool", |at| reference(at, report)).transpose();
    let pools = optional!(fields, "backendAddressPools", |at| first_reference(at, report)).transpose();
    let distribution = optional!(fields, "loadDistribution", |at| {
        let names = [
            ("Default", Distribution::Default),
            ("SourceIP", Distribution::SourceIp),
            ("SourceIPProtocol", Distribution::SourceIpProtocol),
        ];
        choice(at, report, "Default, SourceIP or SourceIPProtocol", &names)
    })
    .transpose();
    let idle_minutes = optional!(fields, "idleTimeoutInMinutes", |at| at.whole(
        report,
        4..=120,
        "a whole number of minutes"
    ))
    .transpose();
    let tcp_reset = optional!(fields, "enableTcpReset", |at| at.yes(report)).transpose();
    let floating_ip = optional!(fields, "enableFloatingIP", |at| at.yes(report)).transpose();
    for idle in RULE_IDLE {
        let _ = fields.get(idle);
    }
    Ok(Some(BalancerRule {
        name: name.to_owned(),
        protocol: protocol?,
        frontend: frontend?,
        frontend_port: frontend_port?,
        backend_port: backend_port?,
        pool: pool?.or(pools?.flatten()),
        distribution: distribution?.unwrap_or_default(),
        // Within the range, so within 16 bits; documented: 4 where nothing is said.
        idle_minutes: idle_minutes?.unwrap_or(4) as u16,
        tcp_reset: tcp_reset?.unwrap_or_default(),
        floating_ip: floating_ip?.unwrap_or_default(),
    }))
}

/// The first of a list of references; the others are noted.
fn first_reference(at: At<'_, '_>, report: &mut Report) -> Result<Option<String>, Reported> {
    let items = at.list(report, "a list of references")?;
    let mut first = None;
    for (i, node) in items.iter().enumerate() {
        let place = Place::Item(at.place, i);
        let name = reference(At::new(node, &place), report)?;
        match &first {
            None => first = Some(name),
            // The command line repeats the pool of the singular field here.
            Some(known) if *known == name => {}
            Some(_) => report.note(
                place,
                format!("the pool {:?} is not used", clip(&name)),
                "one pool of a rule is used",
            ),
        }
    }
    Ok(first)
}

pub(super) fn nat_rule(
    name: &str,
    fields: &Fields<'_, '_>,
    report: &mut Report,
) -> Result<Option<NatRule>, Reported> {
    if fields.get("frontendPort").is_none() && fields.get("frontendPortRangeStart").is_some() {
        for used in [
            "frontendPortRangeEnd",
            "frontendIPConfiguration",
            "protocol",
            "backendPort",
        ] {
            let _ = fields.get(used);
        }
        report.note(
            fields.place(),
            format!("the NAT rule {:?} is not used", clip(name)),
            "which port of its range is which VM's is not in this input",
        );
        return Ok(None);
    }
    let protocol = protocol(fields, report);
    let frontend = required!(
        fields,
        "frontendIPConfiguration",
        report,
        "an object with the frontend's \"id\"",
        |at| reference(at, report)
    );
    let frontend_port = required!(fields, "frontendPort", report, "a port", |at| port(
        at, report, 65_534
    ));
    let backend_port = required!(fields, "backendPort", report, "a port", |at| port(
        at, report, 65_535
    ));
    for idle in [
        "backendIPConfiguration",
        "backendAddressPool",
        "enableFloatingIP",
        "enableTcpReset",
        "idleTimeoutInMinutes",
    ] {
        let _ = fields.get(idle);
    }
    Ok(Some(NatRule {
        name: name.to_owned(),
        protocol: protocol?,
        frontend: frontend?,
        frontend_port: frontend_port?,
        backend_port: backend_port?,
    }))
}

pub(super) fn outbound_rule(
    name: &str,
    fields: &Fields<'_, '_>,
    report: &mut Report,
) -> Result<Option<OutboundRule>, Reported> {
    let pool = optional!(fields, "backendAddressPool", |at| reference(at, report)).transpose();
    let frontends = required!(
        fields,
        "frontendIPConfigurations",
        report,
        "the list of frontends",
        |at| {
            let items = at.list(report, "a list of references")?;
            let mut names = Vec::new();
            for (i, node) in items.iter().take(MAX_ENTRIES).enumerate() {
                let place = Place::Item(at.place, i);
                names.push(reference(At::new(node, &place), report)?);
            }
            Ok(names)
        }
    );
    let ports = optional!(fields, "allocatedOutboundPorts", |at| at.whole(
        report,
        0..=64_000,
        "a number of ports"
    ))
    .transpose();
    for idle in ["protocol", "enableTcpReset", "idleTimeoutInMinutes"] {
        let _ = fields.get(idle);
    }
    Ok(Some(OutboundRule {
        name: name.to_owned(),
        pool: pool?,
        frontends: frontends?,
        // Within the range, so within 16 bits.
        ports: ports?.map(|ports| ports as u16).filter(|ports| *ports > 0),
    }))
}
