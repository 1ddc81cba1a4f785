//! The policies of ENIs, as layers.

use super::{AclRule, Dash, Eni, MAX_ENIS, MAX_RULES, Route};
use crate::NamedPolicy;
use crate::node::clip;
use crate::report::Report;
use gft::{Address, Direction, EncapKind, Mac, Prefix};
use std::collections::{BTreeMap, BTreeSet};
use vfp::names::{FW_CONTROLLER_LAYER_ID, VNET_ENCAP_LAYER, VNET_GROUP_ENCAP_IPV4_OUT};
use vfp::nsg::FIRST_FREE_TAG;
use vfp::standard::layer;
use vfp::{
    Action, AddressTerm, ClassifierChoice, Condition, Group, Layer, Mapping, MappingSpace, Policy, PortRange,
    Rule, RuleFlags, SpaceId, TagId, Unmapped,
};

/// The policies of the first ENIs; what is not made is noted.
pub(crate) fn policies(dash: &Dash, report: &mut Report) -> Vec<NamedPolicy> {
    let mut policies = Vec::new();
    let mut rules = 0;
    for (name, eni) in &dash.enis {
        if policies.len() == MAX_ENIS || rules > MAX_RULES {
            report.note(
                format_args!("ENI {}", clip(name)),
                "no policy is made of it",
                format!(
                    "policies are made of at most {MAX_ENIS} ENIs and about {MAX_RULES} rules and mappings"
                ),
            );
            continue;
        }
        if !eni.enabled {
            report.note(
                format_args!("ENI {}", clip(name)),
                "its admin_state is disabled",
                "its policy is made all the same",
            );
        }
        let policy = policy(dash, name, eni, report);
        rules += size(&policy);
        let name = name.clone();
        policies.push(NamedPolicy { name, policy });
    }
    orphans(dash, report);
    policies
}

/// Notes the rows that no other row leads to.
fn orphans(dash: &Dash, report: &mut Report) {
    const ENI: &str = "its ENI is in no row of DASH_ENI_TABLE";
    for (eni, out, stage) in dash.stages.keys() {
        if !dash.enis.contains_key(eni) {
            let way = if *out { "outbound" } else { "inbound" };
            let place = format!("{way} ACL stage {stage} of {}", clip(eni));
            report.note(place, "the stage is not used", ENI);
        }
    }
    for eni in dash.route_groups.keys() {
        if !dash.enis.contains_key(eni) {
            report.note(
                format!("routes of {}", clip(eni)),
                "the binding to a route group is not used",
                ENI,
            );
        }
    }
    let in_stages: BTreeSet<&String> = dash.stages.values().flatten().collect();
    for (group, number) in dash.acl_rules.keys() {
        if !in_stages.contains(group) {
            report.note(
                format!("ACL group {}", clip(group)),
                format!("its rule {} is not used", clip(number)),
                "no stage has the group",
            );
        }
    }
    // The group that an ENI is bound to, or the ENI itself in older tables.
    let own: BTreeSet<&String> = dash.route_groups.values().chain(dash.enis.keys()).collect();
    for (owner, prefix) in dash.routes.keys() {
        if !own.contains(owner) {
            report.note(
                format!("route group {}", clip(owner)),
                format!("its route {prefix} is not used"),
                "no ENI is bound to the group",
            );
        }
    }
    for (key, eni) in &dash.enis {
        if let Some(qos) = eni.qos.as_ref().filter(|own| !dash.qos.contains_key(*own)) {
            report.note(
                format!("ENI {}", clip(key)),
                format!("its QoS profile {:?} is in no row of DASH_QOS_TABLE", clip(qos)),
                "it has no limits",
            );
        }
    }
}

/// Rules and mappings of a policy.
fn size(policy: &Policy) -> usize {
    let groups = policy.layers.iter().flat_map(|layer| &layer.groups);
    let rules: usize = groups.map(|group| group.rules.len()).sum();
    let mappings: usize = policy.spaces.iter().map(|space| space.mappings.len()).sum();
    rules + mappings
}

/// The policy of the ENI with this key: its ACL stages and its outbound routes.
///
/// A stage's rules are those of all its groups (one for IPv4, one for IPv6). What a stage that is in use does not match it
/// denies for good: that is the default action of each stage in the reference pipeline (sonic-net/DASH, dash_acl.p4; "no match
/// at all = deny", facts/accelnet.md section 1.4). A direction without stages has no ACL. Routes go by the longest prefix; what no route takes is dropped.
fn policy(dash: &Dash, key: &str, eni: &Eni, report: &mut Report) -> Policy {
    let mut policy = Policy::default();
    let mut tags = BTreeMap::new();
    for ((name, prefixes), number) in dash.tags.iter().zip(FIRST_FREE_TAG..) {
        tags.insert(name.as_str(), TagId(number));
        let ranges = prefixes.iter().map(|&prefix| prefix.into()).collect();
        policy.tags.insert(TagId(number), ranges);
    }
    policy
        .layers
        .push(acl(dash, key, &mut tags, &mut policy.tags, report));
    let encap = encapsulation(dash, key, eni, &mut policy, report);
    policy.layers.push(encap);
    policy
}

/// Virtual networks that the routes of one ENI lead to at most (our choice; mapping spaces are numbered in 16 bits).
const MAX_SPACES: usize = 1 << 15;

type Tags<'a> = BTreeMap<&'a str, TagId>;

fn acl<'a>(
    dash: &'a Dash,
    key: &str,
    tags: &mut Tags<'a>,
    sets: &mut BTreeMap<TagId, Vec<vfp::AddressRange>>,
    report: &mut Report,
) -> Layer {
    let mut groups = Vec::new();
    for (direction, is_out) in [(Direction::Out, true), (Direction::In, false)] {
        let stages = dash
            .stages
            .range((key.to_owned(), is_out, 0)..=(key.to_owned(), is_out, u8::MAX));
        let mut any = false;
        for ((_, _, stage), names) in stages {
            any = true;
            let mut rules = Vec::new();
            for name in names {
                let first = (name.clone(), String::new());
                let of_group = dash
                    .acl_rules
                    .range(first..)
                    .take_while(|((group, _), _)| group == name);
                let before = rules.len();
                for ((_, number), own) in of_group {
                    rules.push(rule(name, number, own, tags, sets, report));
                }
                if rules.len() == before {
                    report.note(
                        format!("ACL stage {stage} of {}", clip(key)),
                        format!("the group {:?} has no rules", clip(name)),
                        "nothing matches in it, and what nothing matches is denied",
                    );
                }
            }
            rules.push(Rule {
                name: "no match".into(),
                priority: u32::MAX,
                condition: Condition::any(),
                flags: RuleFlags::TERMINATING,
                action: Action::Block,
            });
            groups.push(group(format!("stage {stage}"), direction, (*stage).into(), rules));
        }
        if !any {
            let allow = Rule {
                name: "no stages".into(),
                priority: 0,
                condition: Condition::any(),
                flags: RuleFlags::STATEFUL,
                action: Action::Allow,
            };
            groups.push(group("no stages".into(), direction, 0, vec![allow]));
        }
    }
    Layer {
        id: layer::ACL,
        name: FW_CONTROLLER_LAYER_ID.into(),
        stateful: true,
        default_allow: false,
        groups,
    }
}

fn group(name: String, direction: Direction, priority: u32, rules: Vec<Rule>) -> Group {
    Group {
        name,
        direction,
        priority,
        condition: None,
        classifier: ClassifierChoice::Auto,
        rules,
    }
}

fn rule<'a>(
    group: &str,
    number: &str,
    own: &'a AclRule,
    tags: &mut Tags<'a>,
    sets: &mut BTreeMap<TagId, Vec<vfp::AddressRange>>,
    report: &mut Report,
) -> Rule {
    let mut terms = |prefixes: &[Prefix], names: &'a [String], report: &mut Report| {
        let mut terms: Vec<AddressTerm> = prefixes.iter().map(|&prefix| prefix.into()).collect();
        for name in names {
            let next = TagId(FIRST_FREE_TAG + tags.len() as u32);
            let tag = *tags.entry(name).or_insert_with(|| {
                sets.insert(next, Vec::new());
                report.note(
                    format!("rule {} of group {}", clip(number), clip(group)),
                    format!("the tag {:?} is in no row of DASH_PREFIX_TAG_TABLE", clip(name)),
                    "it stands for no address",
                );
                next
            });
            terms.push(AddressTerm::Tag(tag));
        }
        terms
    };
    let src = terms(&own.src, &own.src_tags, report);
    let dst = terms(&own.dst, &own.dst_tags, report);
    let ranges = |ranges: &[std::ops::RangeInclusive<u16>]| {
        ranges
            .iter()
            .map(|range| PortRange {
                first: *range.start(),
                last: *range.end(),
            })
            .collect()
    };
    let ends = if own.terminating {
        RuleFlags::TERMINATING
    } else {
        RuleFlags::NONE
    };
    let (flags, action) = if own.allow {
        (ends.with(RuleFlags::STATEFUL), Action::Allow)
    } else {
        (ends, Action::Block)
    };
    Rule {
        name: format!("{group}:{number}"),
        priority: own.priority,
        condition: Condition {
            protocols: own.protocols.clone(),
            src,
            dst,
            src_ports: ranges(&own.src_ports),
            dst_ports: ranges(&own.dst_ports),
            ..Condition::any()
        },
        flags,
        action,
    }
}

fn encapsulation(dash: &Dash, key: &str, eni: &Eni, policy: &mut Policy, report: &mut Report) -> Layer {
    let own_vni = match dash.vnets.get(&eni.vnet) {
        Some(vnet) => vnet.vni,
        None => {
            report.note(
                format_args!("ENI {}", clip(key)),
                format!(
                    "its virtual network {:?} is in no row of DASH_VNET_TABLE",
                    clip(&eni.vnet)
                ),
                "the VNI 0 is taken",
            );
            0
        }
    };
    let host = eni.underlay_ip.or(dash.appliance_ip).unwrap_or_else(|| {
        report.note(
            format_args!("ENI {}", clip(key)),
            "neither it nor the appliance has an underlay address",
            "100.64.0.1 is taken as the source of encapsulations",
        );
        Address::v4(100, 64, 0, 1)
    });
    let mut spaces = BTreeMap::new();
    let mut out = Vec::new();
    // The group that the ENI is bound to; older tables have the ENI itself in the key.
    let routes_of = dash.route_groups.get(key).map_or(key, String::as_str);
    let first = (routes_of.to_owned(), Prefix::ANY);
    let of_group = dash
        .routes
        .range(first..)
        .take_while(|((owner, _), _)| owner == routes_of);
    for ((owner, prefix), route) in of_group {
        if spaces.len() == MAX_SPACES {
            report.note(
                format!("route {prefix} of {}", clip(owner)),
                "the route is not used",
                format!("routes of an ENI lead to at most {MAX_SPACES} virtual networks"),
            );
            continue;
        }
        let mut space = |name: &str| {
            let next = SpaceId(spaces.len() as u16);
            *spaces.entry(name.to_owned()).or_insert(next)
        };
        let map = |space| Action::MapEncap {
            space,
            kind: EncapKind::Vxlan,
            src: host,
        };
        let action = match route {
            Route::Vnet(name) => map(space(name)),
            Route::VnetDirect(name, None) => map(space(name)),
            Route::VnetDirect(_, Some(_)) => {
                report.note(
                    format!("route {prefix} of {}", clip(owner)),
                    "a route of type vnet_direct with an overlay address is not used",
                    "lookups go by the packet's own destination here",
                );
                continue;
            }
            Route::Direct => Action::Allow,
            Route::Drop => Action::Block,
        };
        out.push(Rule {
            name: prefix.to_string(),
            // The longest prefix first.
            priority: u32::from(128 - prefix.len()),
            condition: Condition {
                dst: vec![(*prefix).into()],
                ..Condition::any()
            },
            flags: RuleFlags::NONE,
            action,
        });
    }
    policy.spaces = mapping_spaces(dash, own_vni, &spaces, report);
    let decap = Rule {
        name: "own VNI".into(),
        priority: 1,
        condition: Condition {
            tni: Some((own_vni, own_vni)),
            ..Condition::any()
        },
        flags: RuleFlags::NONE,
        action: Action::Decap,
    };
    let direct = Rule {
        name: "direct".into(),
        priority: 2,
        condition: Condition::any(),
        flags: RuleFlags::NONE,
        action: Action::Allow,
    };
    Layer {
        id: layer::ENCAP,
        name: VNET_ENCAP_LAYER.into(),
        stateful: false,
        default_allow: false,
        groups: vec![
            group(VNET_GROUP_ENCAP_IPV4_OUT.into(), Direction::Out, 0, out),
            group(
                "VNET_GROUP_DECAP_IN".into(),
                Direction::In,
                0,
                vec![decap, direct],
            ),
        ],
    }
}

/// The mappings of the virtual networks that routes lead to, by their number.
fn mapping_spaces(
    dash: &Dash,
    own_vni: u32,
    spaces: &BTreeMap<String, SpaceId>,
    report: &mut Report,
) -> Vec<MappingSpace> {
    let mut built = vec![MappingSpace::default(); spaces.len()];
    for (name, id) in spaces {
        let Some(space) = built.get_mut(usize::from(id.0)) else {
            continue;
        };
        space.name = name.clone();
        // All mappings are in the tables: there is no agent to ask.
        space.unmapped = Unmapped::Drop;
        let vni = match dash.vnets.get(name) {
            Some(vnet) => vnet.vni,
            None => {
                report.note(
                    format_args!("virtual network {}", clip(name)),
                    "a route leads to it, but it is in no row of DASH_VNET_TABLE",
                    "the ENI's own VNI is taken",
                );
                own_vni
            }
        };
        let first = (name.clone(), Address(0));
        let of_space = dash
            .mappings
            .range(first..)
            .take_while(|((vnet, _), _)| vnet == name);
        for ((_, address), mapping) in of_space {
            space.mappings.insert(
                *address,
                Mapping {
                    pa: mapping.underlay_ip,
                    ca_mac: mapping.mac.unwrap_or_default(),
                    // The underlay's next hop is not in the tables.
                    pa_mac: Mac::default(),
                    tni: if mapping.use_dst_vni { vni } else { own_vni },
                },
            );
        }
        if space.mappings.is_empty() {
            report.note(
                format_args!("virtual network {}", clip(name)),
                "a route leads to it, but it has no mappings",
                "packets to it are dropped",
            );
        }
    }
    built
}
