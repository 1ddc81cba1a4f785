//! Load balancers: rules, frontends, backend pools, inbound NAT rules and outbound rules (facts/accelnet.md section 6.4).

mod entries;

use super::IDLE;
use super::resource::{each, resource};
use crate::node::{Node, clip};
use crate::place::{At, Fields, Place, optional, required};
use crate::report::{Report, Reported};
use entries::{frontend, nat_rule, outbound_rule, pool, rule};
use gft::{Address, Protocol};
use vfp::Distribution;

/// Rules, frontends, pools or members of one load balancer at most (our choice; documented limits are lower).
pub const MAX_ENTRIES: usize = 5_000;

/// A load balancer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balancer {
    /// Its name.
    pub name: String,
    /// Where it is reached.
    pub frontends: Vec<Frontend>,
    /// Who answers.
    pub pools: Vec<Pool>,
    /// Load-balancing rules.
    pub rules: Vec<BalancerRule>,
    /// Rules that lead a port to one VM.
    pub nat_rules: Vec<NatRule>,
    /// Source NAT for the pools' connections to the Internet.
    pub outbound_rules: Vec<OutboundRule>,
}

/// A frontend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontend {
    /// Its name.
    pub name: String,
    /// Its address; that of a public one is a resource of its own, which the input may lack.
    pub address: Option<Address>,
}

/// A backend pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Its name.
    pub name: String,
    /// Its members' addresses, as far as the input has them.
    pub addresses: Vec<Address>,
    /// Members whose address is a resource of its own, which the input lacks.
    pub unknown: u32,
}

/// A load-balancing rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalancerRule {
    /// Its name.
    pub name: String,
    /// The protocol; `None` for all.
    pub protocol: Option<Protocol>,
    /// The frontend's name.
    pub frontend: String,
    /// The frontend's port; 0 for all.
    pub frontend_port: u16,
    /// The backends' port; 0 for the same as the frontend's.
    pub backend_port: u16,
    /// The pool's name.
    pub pool: Option<String>,
    /// How connections are spread.
    pub distribution: Distribution,
    /// When an idle flow ends, in minutes.
    pub idle_minutes: u16,
    /// Whether an idle flow's ends are told by RST.
    pub tcp_reset: bool,
    /// Whether backends see the frontend's address as the destination.
    pub floating_ip: bool,
}

/// An inbound NAT rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NatRule {
    /// Its name.
    pub name: String,
    /// The protocol; `None` for all.
    pub protocol: Option<Protocol>,
    /// The frontend's name.
    pub frontend: String,
    /// The frontend's port.
    pub frontend_port: u16,
    /// The VM's port.
    pub backend_port: u16,
}

/// An outbound rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboundRule {
    /// Its name.
    pub name: String,
    /// The pool's name.
    pub pool: Option<String>,
    /// The frontends' names.
    pub frontends: Vec<String>,
    /// Ports of each VM; 0 or missing: by the pool's size.
    pub ports: Option<u16>,
}

/// Reads what [`crate::format`] took for load balancers.
pub(crate) fn read(root: &Node, report: &mut Report) -> Vec<Balancer> {
    let mut balancers = Vec::new();
    let root = At::new(root, &Place::Root);
    let _ = match root.node {
        Node::List(items) if items.iter().any(is_rule) => rule_list(root, report, &mut balancers),
        _ => collect(root, report, &mut balancers),
    };
    balancers
}

/// Whether it is a load-balancing rule and not a load balancer.
fn is_rule(node: &Node) -> bool {
    let has = |fields: &[(String, Node)]| {
        fields
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("frontendPort"))
    };
    let Node::Object(fields) = node else { return false };
    has(fields)
        || fields.iter().any(|(name, node)| {
            name.eq_ignore_ascii_case("properties") && matches!(node, Node::Object(inner) if has(inner))
        })
}

fn rule_list(at: At<'_, '_>, report: &mut Report, balancers: &mut Vec<Balancer>) -> Result<(), Reported> {
    let mut balancer = Balancer {
        name: "load balancer".into(),
        ..Balancer::default()
    };
    let expected = "a list of load-balancing rules";
    each(at, report, expected, MAX_ENTRIES, &mut balancer.rules, rule)?;
    balancers.push(balancer);
    Ok(())
}

/// The load balancers of a list, of a template or of an answer of the REST interface, or the one that there is.
fn collect(at: At<'_, '_>, report: &mut Report, balancers: &mut Vec<Balancer>) -> Result<(), Reported> {
    const EXPECTED: &str = "a load balancer";
    if let Node::List(items) = at.node {
        for (i, node) in items.iter().enumerate() {
            let place = Place::Item(at.place, i);
            let at = At::new(node, &place);
            if is_other(at, report) {
                continue;
            }
            if let Ok(balancer) = resource(at, report, EXPECTED, balancer) {
                balancers.push(balancer);
            }
        }
        return Ok(());
    }
    let fields = at.object(report, EXPECTED)?;
    for holder in ["resources", "value"] {
        let Some((name, node)) = fields.get(holder) else {
            continue;
        };
        let place = Place::Field(at.place, name);
        let list = At::new(node, &place);
        list.list(report, "a list of resources")?;
        collect(list, report, balancers)?;
        fields.note_rest(report, IDLE);
        return Ok(());
    }
    balancers.push(resource(at, report, EXPECTED, balancer)?);
    Ok(())
}

/// Whether the resource is of another type; it is noted then.
fn is_other(at: At<'_, '_>, report: &mut Report) -> bool {
    let Node::Object(fields) = at.node else {
        return false;
    };
    let kind = fields
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("type"))
        .map(|(_, node)| node);
    let Some(Node::Text(kind)) = kind else {
        return false;
    };
    let other = !kind.eq_ignore_ascii_case("Microsoft.Network/loadBalancers");
    if other {
        report.note(
            at.place,
            format!("a resource of type {:?} is not used", clip(kind)),
            "load balancers are read from this input",
        );
    }
    other
}

fn balancer(name: &str, fields: &Fields<'_, '_>, report: &mut Report) -> Result<Balancer, Reported> {
    let mut balancer = Balancer {
        name: if name.is_empty() { "load balancer" } else { name }.to_owned(),
        ..Balancer::default()
    };
    required!(
        fields,
        "frontendIPConfigurations",
        report,
        "the list of frontends",
        |at| each(
            at,
            report,
            "a list of frontends",
            MAX_ENTRIES,
            &mut balancer.frontends,
            frontend
        )
    )?;
    let read = optional!(fields, "backendAddressPools", |at| each(
        at,
        report,
        "a list of backend pools",
        MAX_ENTRIES,
        &mut balancer.pools,
        pool
    ));
    read.transpose()?;
    let read = optional!(fields, "loadBalancingRules", |at| each(
        at,
        report,
        "a list of load-balancing rules",
        MAX_ENTRIES,
        &mut balancer.rules,
        rule
    ));
    read.transpose()?;
    let read = optional!(fields, "inboundNatRules", |at| each(
        at,
        report,
        "a list of inbound NAT rules",
        MAX_ENTRIES,
        &mut balancer.nat_rules,
        nat_rule
    ));
    read.transpose()?;
    let read = optional!(fields, "outboundRules", |at| each(
        at,
        report,
        "a list of outbound rules",
        MAX_ENTRIES,
        &mut balancer.outbound_rules,
        outbound_rule
    ));
    read.transpose()?;
    if let Some((name, _)) = fields
        .get("probes")
        .filter(|(_, node)| *node != &Node::List(Vec::new()))
    {
        report.note(
            Place::Field(fields.place(), name),
            "probes are not used",
            "every backend is taken to be up",
        );
    }
    // `sku` and `scope` say what it costs and where it is.
    let _ = (
        fields.get("sku"),
        fields.get("scope"),
        fields.get("inboundNatPools"),
    );
    Ok(balancer)
}
