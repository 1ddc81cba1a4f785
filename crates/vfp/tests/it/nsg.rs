//! The documented semantics of network security groups, as Network Watcher answers: through or not, and by which rule.
//!
//! Sources: facts/accelnet.md, sections 1.4 and 6.1. The VM is 10.1.0.4 in a virtual network of 10.1.0.0/16, peered with
//! 10.2.0.0/16, and fd00::/8. Every expectation follows by hand from the rules beside it.

use crate::support::{ACK, protocol};
use crate::support::{FIN_ACK, RST, SYN_ACK, packet, port, reply, seconds, send, term, with};
use gft::{Direction, Prefix};
use vfp::nsg::{
    self, AZURE_LOAD_BALANCER, AZURE_PLATFORM_DNS, AZURE_PLATFORM_IMDS, Access, AdminAccess, INTERNET,
    SecurityGroup, SecurityRule, VIRTUAL_NETWORK, acl_layer, standard_tags,
};
use vfp::{
    AddressRange, AddressTerm, DropReason, End, GroupOutcome, LayerDecision, LayerId, Policy, Port,
    PortRange, TagId, Verdict,
};

/// A service tag and an application security group of the tests.
const STORAGE: TagId = TagId(nsg::FIRST_FREE_TAG);
const WEB_SERVERS: TagId = TagId(nsg::FIRST_FREE_TAG + 1);

fn address_terms(text: &str) -> Vec<AddressTerm> {
    let one = |word: &str| match word {
        "VirtualNetwork" => AddressTerm::Tag(VIRTUAL_NETWORK),
        "AzureLoadBalancer" => AddressTerm::Tag(AZURE_LOAD_BALANCER),
        "Internet" => AddressTerm::Tag(INTERNET),
        "AzurePlatformDNS" => AddressTerm::Tag(AZURE_PLATFORM_DNS),
        "AzurePlatformIMDS" => AddressTerm::Tag(AZURE_PLATFORM_IMDS),
        "Storage" => AddressTerm::Tag(STORAGE),
        "webServers" => AddressTerm::Tag(WEB_SERVERS),
        other => term(other),
    };
    if text == "*" {
        Vec::new()
    } else {
        text.split(',').map(one).collect()
    }
}

fn ports(text: &str) -> Vec<PortRange> {
    let one = |word: &str| {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        PortRange {
            first: first.parse().expect(word),
            last: last.parse().expect(word),
        }
    };
    if text == "*" {
        Vec::new()
    } else {
        text.split(',').map(one).collect()
    }
}

/// A rule such as `https 100 in allow tcp * * * 443`: name, priority, direction, access, protocol, source, ports,
/// destination, ports.
fn parse<A>(text: &str, access: impl Fn(&str) -> A) -> SecurityRule<A> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [
        name,
        priority,
        direction,
        says,
        kind,
        src,
        src_ports,
        dst,
        dst_ports,
    ] = words[..]
    else {
        panic!("rule {text}");
    };
    SecurityRule {
        name: name.into(),
        priority: priority.parse().expect(text),
        direction: way(direction),
        access: access(says),
        protocols: if kind == "*" {
            Vec::new()
        } else {
            vec![protocol(kind)]
        },
        src: address_terms(src),
        dst: address_terms(dst),
        src_ports: ports(src_ports),
        dst_ports: ports(dst_ports),
    }
}

fn way(text: &str) -> Direction {
    match text {
        "in" => Direction::In,
        "out" => Direction::Out,
        other => panic!("direction {other}"),
    }
}

fn security_group(name: &str, rules: &[&str]) -> SecurityGroup {
    let access = |says: &str| {
        if says == "allow" {
            Access::Allow
        } else {
            Access::Deny
        }
    };
    SecurityGroup {
        name: name.into(),
        rules: rules.iter().map(|text| parse(text, access)).collect(),
    }
}

/// Rules of a test: of the administrator, the subnet's NSG, the NIC's NSG.
#[derive(Clone, Copy, Default)]
struct Rules {
    admin: &'static [&'static str],
    subnet: Option<&'static [&'static str]>,
    nic: Option<&'static [&'static str]>,
}

fn policy(rules: Rules) -> Policy {
    let admin_access = |says: &str| match says {
        "allow" => AdminAccess::Allow,
        "always" => AdminAccess::AlwaysAllow,
        _ => AdminAccess::Deny,
    };
    let admin: Vec<_> = rules.admin.iter().map(|text| parse(text, admin_access)).collect();
    let subnet = rules.subnet.map(|rules| security_group("subnet", rules));
    let nic = rules.nic.map(|rules| security_group("nic", rules));
    let vnet: Vec<Prefix> = ["10.1.0.0/16", "10.2.0.0/16", "fd00::/8"]
        .map(|p| p.parse().unwrap())
        .to_vec();
    let mut tags = standard_tags(&vnet);
    let ranges = |prefixes: &[&str]| -> Vec<AddressRange> {
        prefixes
            .iter()
            .map(|p| p.parse::<Prefix>().unwrap().into())
            .collect()
    };
    tags.insert(STORAGE, ranges(&["20.60.0.0/16", "52.239.128.0/17"]));
    tags.insert(WEB_SERVERS, ranges(&["10.1.0.4", "10.1.0.5"]));
    let acl = acl_layer(LayerId(0), &admin, subnet.as_ref(), nic.as_ref()).unwrap();
    Policy {
        layers: vec![acl],
        tags,
        ..Policy::default()
    }
}

fn firewall(rules: Rules) -> Port {
    port(policy(rules))
}

/// The answer of Network Watcher's IP flow verify: access and rule, here with the NSG before the rule's name. Where two
/// NSGs allow, the rule is that of the last one.
fn verify(port: &Port, packet_text: &str) -> String {
    let (direction, text) = packet_text.split_once(' ').unwrap();
    let inspection = port.process_tuple(&packet(text), way(direction));
    let access = match inspection.walk.end {
        End::Forward => "allow",
        End::Drop { .. } => "deny",
        other => panic!("{other:?}"),
    };
    let [acl] = &inspection.walk.layers[..] else {
        panic!("one layer expected");
    };
    match acl.decision {
        LayerDecision::Rule { group } => {
            let group = &acl.groups[group];
            let GroupOutcome::Matched { name, .. } = &group.outcome else {
                panic!("the deciding group has a match");
            };
            format!("{access} {}/{name}", group.name)
        }
        LayerDecision::Default { .. } => format!("{access} default"),
        LayerDecision::Remembered => panic!("nothing is remembered"),
    }
}

const DEFAULTS: Rules = Rules {
    admin: &[],
    subnet: None,
    nic: Some(&[]),
};

const fn nic(rules: &'static [&'static str]) -> Rules {
    Rules {
        nic: Some(rules),
        ..DEFAULTS
    }
}

const fn both(subnet: &'static [&'static str], nic: &'static [&'static str]) -> Rules {
    Rules {
        admin: &[],
        subnet: Some(subnet),
        nic: Some(nic),
    }
}

const NONE: Rules = Rules {
    admin: &[],
    subnet: None,
    nic: None,
};

/// What the rules of the administrator come before.
const OPEN_NIC: Option<&[&str]> = Some(&["open 100 in allow * * * * *", "openOut 100 out allow * * * * *"]);
const SHUT_NIC: Option<&[&str]> = Some(&["shut 100 in deny * * * * *", "shutOut 100 out deny * * * * *"]);

const fn admin(admin: &'static [&'static str], nic: Option<&'static [&'static str]>) -> Rules {
    Rules {
        admin,
        subnet: None,
        nic,
    }
}

#[test]
fn documented_semantics() {
    let web = nic(&["web 200 in allow tcp * * * 80,443,8000-8010"]);
    let first_allows = nic(&[
        "allow443 100 in allow tcp * * * 443",
        "deny443 200 in deny tcp * * * 443",
    ]);
    let first_denies = nic(&[
        "allow443 200 in allow tcp * * * 443",
        "deny443 100 in deny tcp * * * 443",
    ]);
    let last_denies = nic(&[
        "denyAll 4096 in deny * * * * *",
        "allow443 100 in allow tcp * * * 443",
    ]);
    let open = nic(&["open 4096 in allow * Internet * * *"]);
    let icmp = nic(&["ping 100 in allow icmp * * * *"]);
    let any_on_443 = nic(&["any443 100 in allow * * * * 443"]);
    let all_ports = nic(&["all 100 in allow * * 0-65535 * 0-65535"]);
    let high_sources = nic(&["high 100 in allow tcp * 1024-65535 * 443"]);
    let office = nic(&["office 100 in allow tcp 203.0.113.0/24,198.51.100.7 * * 22"]);
    let range = nic(&["range 100 in allow tcp 203.0.113.10-203.0.113.20 * * 22"]);
    let to_vm = nic(&["vm 100 in allow tcp * * 10.1.0.4 443"]);
    let any_v4 = nic(&["v4 100 in allow tcp 0.0.0.0/0 * * 443"]);
    let v6 = nic(&["v6 100 in allow tcp 2001:db8::/32 * * 443"]);
    let star = nic(&["star 100 in allow tcp * * * 443"]);
    let from_internet = nic(&[
        "net 100 in allow tcp Internet * * 443",
        "not 200 in deny * * * * *",
    ]);
    let storage = nic(&[
        "storage 100 out allow tcp * * Storage 443",
        "noNet 200 out deny * * * Internet *",
    ]);
    let asg = nic(&["asg 100 in allow tcp * * webServers 443"]);
    let no_probe = nic(&["noProbe 100 in deny * AzureLoadBalancer * * *"]);
    let esp_ah = nic(&[
        "esp 100 in allow esp * * * *",
        "ah 110 in deny ah * * * *",
        "rest 120 in allow * * * * *",
    ]);
    let both_open = both(
        &["s 100 in allow tcp * * * 443"],
        &["n 300 in allow tcp * * * 443"],
    );
    let subnet_denies = both(
        &["s 100 in deny tcp * * * 443"],
        &["n 300 in allow tcp * * * 443"],
    );
    let nic_denies = both(
        &["s 100 in allow tcp * * * 443"],
        &["n 300 in deny tcp * * * 443"],
    );
    let nic_silent = both(&["s 100 in allow tcp * * * 443"], &[]);
    let both_deny = both(
        &["s 100 in deny tcp * * * 443", "so 100 out deny tcp * * * 443"],
        &["n 100 in deny tcp * * * 443", "no 100 out deny tcp * * * 443"],
    );
    let out_nic_denies = both(
        &["so 100 out allow tcp * * * 443"],
        &["no 100 out deny tcp * * * 443"],
    );
    let out_subnet_denies = both(
        &["so 100 out deny tcp * * * 443"],
        &["no 100 out allow tcp * * * 443"],
    );
    let subnet_only = Rules {
        subnet: Some(&["s 100 in allow tcp * * * 443"]),
        ..NONE
    };
    let shut_out = nic(&["shutOut 100 out deny * * * * *"]);
    let no_dns = nic(&["noDns 100 out deny * * * AzurePlatformDNS *"]);
    let no_dns_80 = nic(&["noDns 100 out deny * * * AzurePlatformDNS 80"]);
    let no_imds = nic(&["noImds 100 out deny * * * AzurePlatformIMDS *"]);
    let imds_by_address = nic(&["noImds 100 out deny * * * 169.254.169.254 *"]);
    let subnet_no_imds = Rules {
        subnet: Some(&["noImds 100 out deny * * * AzurePlatformIMDS *"]),
        ..NONE
    };
    let admin_deny = admin(&["aDeny 10 in deny tcp * * * 22"], OPEN_NIC);
    let admin_always = admin(&["aAlways 10 in always tcp * * * 22"], SHUT_NIC);
    let admin_allow_shut = admin(&["aAllow 10 in allow tcp * * * 22"], SHUT_NIC);
    let admin_allow_open = admin(&["aAllow 10 in allow tcp * * * 22"], OPEN_NIC);
    let admin_order = admin(
        &["aDeny 20 in deny tcp * * * 22", "aAllow 10 in allow tcp * * * 22"],
        OPEN_NIC,
    );
    let admin_deny_first = admin(
        &[
            "aDeny 10 in deny tcp * * * 22",
            "aAlways 20 in always tcp * * * 22",
        ],
        OPEN_NIC,
    );
    let admin_out = admin(&["aOut 10 out deny tcp * * Internet 25"], OPEN_NIC);
    let admin_alone = admin(&["aDeny 10 in deny tcp * * * 22"], None);

    let cases: &[(Rules, &str, &str)] = &[
        // Default rules.
        (
            DEFAULTS,
            "in tcp 10.1.0.5 50000 10.1.0.4 22",
            "allow nic/AllowVnetInBound",
        ),
        (
            DEFAULTS,
            "in udp 10.1.200.9 50000 10.1.0.4 53",
            "allow nic/AllowVnetInBound",
        ),
        (
            DEFAULTS,
            "in icmp 10.1.0.5 9 10.1.0.4 9",
            "allow nic/AllowVnetInBound",
        ),
        (
            DEFAULTS,
            "in tcp 10.2.7.7 50000 10.1.0.4 22",
            "allow nic/AllowVnetInBound",
        ),
        (
            DEFAULTS,
            "in tcp 168.63.129.16 50000 10.1.0.4 80",
            "allow nic/AllowAzureLoadBalancerInBound",
        ),
        (
            DEFAULTS,
            "in tcp 8.8.8.8 50000 10.1.0.4 22",
            "deny nic/DenyAllInBound",
        ),
        (
            DEFAULTS,
            "in icmp 8.8.8.8 9 10.1.0.4 9",
            "deny nic/DenyAllInBound",
        ),
        (
            DEFAULTS,
            "in tcp 192.168.0.1 50000 10.1.0.4 22",
            "deny nic/DenyAllInBound",
        ),
        (
            DEFAULTS,
            "out tcp 10.1.0.4 50000 10.1.0.5 443",
            "allow nic/AllowVnetOutBound",
        ),
        (
            DEFAULTS,
            "out tcp 10.1.0.4 50000 8.8.8.8 443",
            "allow nic/AllowInternetOutBound",
        ),
        (
            DEFAULTS,
            "out udp 10.1.0.4 50000 8.8.8.8 53",
            "allow nic/AllowInternetOutBound",
        ),
        (
            DEFAULTS,
            "out icmp 10.1.0.4 9 8.8.8.8 9",
            "allow nic/AllowInternetOutBound",
        ),
        (
            DEFAULTS,
            "out tcp 10.1.0.4 50000 192.168.0.1 443",
            "deny nic/DenyAllOutBound",
        ),
        (
            DEFAULTS,
            "in tcp fd00::5 50000 fd00::4 22",
            "allow nic/AllowVnetInBound",
        ),
        (
            DEFAULTS,
            "out tcp fd00::4 50000 2603:1030::1 443",
            "allow nic/AllowInternetOutBound",
        ),
        (
            DEFAULTS,
            "out tcp fd00::4 50000 fe80::1 443",
            "deny nic/DenyAllOutBound",
        ),
        // Priorities: the lowest number that matches decides; the order of the list does not.
        (
            first_allows,
            "in tcp 8.8.8.8 50000 10.1.0.4 443",
            "allow nic/allow443",
        ),
        (
            first_denies,
            "in tcp 8.8.8.8 50000 10.1.0.4 443",
            "deny nic/deny443",
        ),
        (
            last_denies,
            "in tcp 8.8.8.8 50000 10.1.0.4 443",
            "allow nic/allow443",
        ),
        (
            last_denies,
            "in tcp 8.8.8.8 50000 10.1.0.4 80",
            "deny nic/denyAll",
        ),
        (
            last_denies,
            "in tcp 10.1.0.5 50000 10.1.0.4 22",
            "deny nic/denyAll",
        ),
        (
            last_denies,
            "in tcp 168.63.129.16 50000 10.1.0.4 80",
            "deny nic/denyAll",
        ),
        (open, "in tcp 8.8.8.8 50000 10.1.0.4 22", "allow nic/open"),
        (
            open,
            "in tcp 192.168.0.1 50000 10.1.0.4 22",
            "deny nic/DenyAllInBound",
        ),
        // Rules of one direction say nothing about the other.
        (
            last_denies,
            "out tcp 10.1.0.4 50000 10.1.0.5 80",
            "allow nic/AllowVnetOutBound",
        ),
        // Protocols.
        (
            web,
            "in udp 8.8.8.8 50000 10.1.0.4 443",
            "deny nic/DenyAllInBound",
        ),
        (icmp, "in icmp 8.8.8.8 9 10.1.0.4 9", "allow nic/ping"),
        (icmp, "in tcp 8.8.8.8 50000 10.1.0.4 9", "deny nic/DenyAllInBound"),
        (
            any_on_443,
            "in udp 8.8.8.8 50000 10.1.0.4 443",
            "allow nic/any443",
        ),
        (
            any_on_443,
            "in icmp 8.8.8.8 443 10.1.0.4 443",
            "deny nic/DenyAllInBound",
        ),
        (all_ports, "in icmp 8.8.8.8 9 10.1.0.4 9", "allow nic/all"),
        (esp_ah, "in esp 8.8.8.8 0 10.1.0.4 0", "allow nic/esp"),
        (esp_ah, "in ah 8.8.8.8 0 10.1.0.4 0", "deny nic/ah"),
        (esp_ah, "in udp 8.8.8.8 500 10.1.0.4 500", "allow nic/rest"),
        // Ports: lists, ranges with both ends, source ports.
        (web, "in tcp 8.8.8.8 50000 10.1.0.4 443", "allow nic/web"),
        (
            web,
            "in tcp 8.8.8.8 50000 10.1.0.4 7999",
            "deny nic/DenyAllInBound",
        ),
        (web, "in tcp 8.8.8.8 50000 10.1.0.4 8000", "allow nic/web"),
        (web, "in tcp 8.8.8.8 50000 10.1.0.4 8010", "allow nic/web"),
        (
            web,
            "in tcp 8.8.8.8 50000 10.1.0.4 8011",
            "deny nic/DenyAllInBound",
        ),
        (web, "in tcp 8.8.8.8 443 10.1.0.4 81", "deny nic/DenyAllInBound"),
        (
            high_sources,
            "in tcp 8.8.8.8 1023 10.1.0.4 443",
            "deny nic/DenyAllInBound",
        ),
        (high_sources, "in tcp 8.8.8.8 1024 10.1.0.4 443", "allow nic/high"),
        (
            high_sources,
            "in tcp 8.8.8.8 65535 10.1.0.4 443",
            "allow nic/high",
        ),
        // Addresses: prefixes with both ends, single addresses, ranges, families.
        (office, "in tcp 203.0.113.0 50000 10.1.0.4 22", "allow nic/office"),
        (
            office,
            "in tcp 203.0.113.255 50000 10.1.0.4 22",
            "allow nic/office",
        ),
        (
            office,
            "in tcp 203.0.114.0 50000 10.1.0.4 22",
            "deny nic/DenyAllInBound",
        ),
        (
            office,
            "in tcp 198.51.100.7 50000 10.1.0.4 22",
            "allow nic/office",
        ),
        (
            office,
            "in tcp 198.51.100.8 50000 10.1.0.4 22",
            "deny nic/DenyAllInBound",
        ),
        (range, "in tcp 203.0.113.10 50000 10.1.0.4 22", "allow nic/range"),
        (range, "in tcp 203.0.113.20 50000 10.1.0.4 22", "allow nic/range"),
        (
            range,
            "in tcp 203.0.113.21 50000 10.1.0.4 22",
            "deny nic/DenyAllInBound",
        ),
        (to_vm, "in tcp 8.8.8.8 50000 10.1.0.4 443", "allow nic/vm"),
        (
            to_vm,
            "in tcp 8.8.8.8 50000 10.1.0.9 443",
            "deny nic/DenyAllInBound",
        ),
        (any_v4, "in tcp 8.8.8.8 50000 10.1.0.4 443", "allow nic/v4"),
        (
            any_v4,
            "in tcp 2001:db8::1 50000 fd00::4 443",
            "deny nic/DenyAllInBound",
        ),
        (v6, "in tcp 2001:db8::1 50000 fd00::4 443", "allow nic/v6"),
        (
            v6,
            "in tcp 2001:db9::1 50000 fd00::4 443",
            "deny nic/DenyAllInBound",
        ),
        (star, "in tcp 2001:db8::1 50000 fd00::4 443", "allow nic/star"),
        // Tags.
        (
            from_internet,
            "in tcp 8.8.8.8 50000 10.1.0.4 443",
            "allow nic/net",
        ),
        (
            from_internet,
            "in tcp 10.1.0.5 50000 10.1.0.4 443",
            "deny nic/not",
        ),
        (
            from_internet,
            "in tcp 168.63.129.16 50000 10.1.0.4 443",
            "deny nic/not",
        ),
        (
            storage,
            "out tcp 10.1.0.4 50000 20.60.255.255 443",
            "allow nic/storage",
        ),
        (
            storage,
            "out tcp 10.1.0.4 50000 52.239.128.1 443",
            "allow nic/storage",
        ),
        (
            storage,
            "out tcp 10.1.0.4 50000 52.239.127.255 443",
            "deny nic/noNet",
        ),
        (asg, "in tcp 8.8.8.8 50000 10.1.0.5 443", "allow nic/asg"),
        (
            asg,
            "in tcp 8.8.8.8 50000 10.1.0.6 443",
            "deny nic/DenyAllInBound",
        ),
        (
            no_probe,
            "in tcp 168.63.129.16 50000 10.1.0.4 80",
            "deny nic/noProbe",
        ),
        // Subnet, then NIC inbound; NIC, then subnet outbound; both must allow.
        (both_open, "in tcp 8.8.8.8 50000 10.1.0.4 443", "allow nic/n"),
        (
            subnet_denies,
            "in tcp 8.8.8.8 50000 10.1.0.4 443",
            "deny subnet/s",
        ),
        (nic_denies, "in tcp 8.8.8.8 50000 10.1.0.4 443", "deny nic/n"),
        (
            nic_silent,
            "in tcp 8.8.8.8 50000 10.1.0.4 443",
            "deny nic/DenyAllInBound",
        ),
        (
            both_open,
            "in tcp 8.8.8.8 50000 10.1.0.4 80",
            "deny subnet/DenyAllInBound",
        ),
        (both_deny, "in tcp 8.8.8.8 50000 10.1.0.4 443", "deny subnet/s"),
        (both_deny, "out tcp 10.1.0.4 50000 8.8.8.8 443", "deny nic/no"),
        (
            out_nic_denies,
            "out tcp 10.1.0.4 50000 8.8.8.8 443",
            "deny nic/no",
        ),
        (
            out_subnet_denies,
            "out tcp 10.1.0.4 50000 8.8.8.8 443",
            "deny subnet/so",
        ),
        (
            both_open,
            "out tcp 10.1.0.4 50000 8.8.8.8 443",
            "allow subnet/AllowInternetOutBound",
        ),
        (subnet_only, "in tcp 8.8.8.8 50000 10.1.0.4 443", "allow subnet/s"),
        (
            subnet_only,
            "in tcp 8.8.8.8 50000 10.1.0.4 80",
            "deny subnet/DenyAllInBound",
        ),
        (
            NONE,
            "in tcp 8.8.8.8 50000 10.1.0.4 22",
            "allow no security group/allow all",
        ),
        (
            NONE,
            "out tcp 10.1.0.4 50000 192.168.0.1 22",
            "allow no security group/allow all",
        ),
        // The host's own services are exempt, unless they are denied by their tag.
        (
            DEFAULTS,
            "out tcp 10.1.0.4 50000 168.63.129.16 80",
            "allow platform/host services",
        ),
        (
            shut_out,
            "out udp 10.1.0.4 50000 168.63.129.16 53",
            "allow platform/host services",
        ),
        (
            shut_out,
            "out tcp 10.1.0.4 50000 169.254.169.254 80",
            "allow platform/host services",
        ),
        (
            shut_out,
            "out tcp 10.1.0.4 50000 168.63.129.17 80",
            "deny nic/shutOut",
        ),
        (
            no_dns,
            "out udp 10.1.0.4 50000 168.63.129.16 53",
            "deny platform/noDns",
        ),
        (
            no_dns,
            "out tcp 10.1.0.4 50000 168.63.129.16 80",
            "allow platform/host services",
        ),
        (
            no_dns_80,
            "out udp 10.1.0.4 50000 168.63.129.16 53",
            "allow platform/host services",
        ),
        (
            no_imds,
            "out tcp 10.1.0.4 50000 169.254.169.254 80",
            "deny platform/noImds",
        ),
        (
            subnet_no_imds,
            "out tcp 10.1.0.4 50000 169.254.169.254 80",
            "deny platform/noImds",
        ),
        (
            imds_by_address,
            "out tcp 10.1.0.4 50000 169.254.169.254 80",
            "allow platform/host services",
        ),
        // Rules of the security administrator come first.
        (
            admin_deny,
            "in tcp 8.8.8.8 50000 10.1.0.4 22",
            "deny security admin rules/aDeny",
        ),
        (admin_deny, "in tcp 8.8.8.8 50000 10.1.0.4 80", "allow nic/open"),
        (
            admin_always,
            "in tcp 8.8.8.8 50000 10.1.0.4 22",
            "allow security admin rules/aAlways",
        ),
        (admin_always, "in tcp 8.8.8.8 50000 10.1.0.4 80", "deny nic/shut"),
        (
            admin_allow_shut,
            "in tcp 8.8.8.8 50000 10.1.0.4 22",
            "deny nic/shut",
        ),
        (
            admin_allow_open,
            "in tcp 8.8.8.8 50000 10.1.0.4 22",
            "allow nic/open",
        ),
        (admin_order, "in tcp 8.8.8.8 50000 10.1.0.4 22", "allow nic/open"),
        (
            admin_deny_first,
            "in tcp 8.8.8.8 50000 10.1.0.4 22",
            "deny security admin rules/aDeny",
        ),
        (
            admin_out,
            "out tcp 10.1.0.4 50000 8.8.8.8 25",
            "deny security admin rules/aOut",
        ),
        (
            admin_out,
            "out tcp 10.1.0.4 50000 10.1.0.5 25",
            "allow nic/openOut",
        ),
        (
            admin_alone,
            "in tcp 8.8.8.8 50000 10.1.0.4 22",
            "deny security admin rules/aDeny",
        ),
        (
            admin_alone,
            "in tcp 8.8.8.8 50000 10.1.0.4 80",
            "allow no security group/allow all",
        ),
    ];
    assert!(cases.len() >= 60);
    let mut wrong = Vec::new();
    for (rules, packet_text, expected) in cases {
        let mut port = firewall(*rules);
        let said = verify(&port, packet_text);
        // A packet of its own must fare as the inspection says.
        let (direction, text) = packet_text.split_once(' ').unwrap();
        let answer = send(&mut port, seconds(1), &packet(text), way(direction));
        let passed = matches!(answer.verdict, Verdict::Forward(_));
        if said != *expected || passed != said.starts_with("allow") {
            wrong.push(format!(
                "{packet_text}: expected {expected}, found {said}, passed: {passed}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const SHUT: Rules = Rules {
    admin: &[],
    subnet: Some(&["s 100 in allow tcp * * * 443"]),
    nic: Some(&[
        "n 100 in allow tcp * * * 443",
        "shut 200 in deny * * * * *",
        "out 200 out deny * * * * *",
    ]),
};

/// Answers to an allowed inbound connection need no outbound rule.
#[test]
fn answers_out_of_an_allowed_connection_need_no_rule() {
    let mut port = firewall(SHUT);
    let syn = packet("tcp 8.8.8.8 50000 10.1.0.4 443");
    let answer = send(&mut port, seconds(1), &reply(syn, SYN_ACK), Direction::Out);
    assert_eq!(
        answer.verdict,
        Verdict::Drop(DropReason::DroppedAcl),
        "without the connection"
    );
    assert!(matches!(
        send(&mut port, seconds(1), &syn, Direction::In).verdict,
        Verdict::Forward(_)
    ));
    for flags in [SYN_ACK, ACK, FIN_ACK, RST] {
        let answer = send(&mut port, seconds(2), &reply(syn, flags), Direction::Out);
        assert!(matches!(answer.verdict, Verdict::Forward(_)), "{flags:?}");
    }
    let own = packet("tcp 10.1.0.4 50000 8.8.8.8 443");
    let answer = send(&mut port, seconds(3), &own, Direction::Out);
    assert_eq!(
        answer.verdict,
        Verdict::Drop(DropReason::DroppedAcl),
        "the VM opens none itself"
    );
}

/// Answers to what the VM sends need no inbound rule: TCP, UDP and ICMP alike.
#[test]
fn answers_in_need_no_rule() {
    for text in [
        "tcp 10.1.0.4 50000 8.8.8.8 443",
        "udp 10.1.0.4 50000 8.8.8.8 53",
        "icmp 10.1.0.4 9 8.8.8.8 9",
    ] {
        let mut port = firewall(DEFAULTS);
        let question = packet(text);
        let back = reply(
            question,
            if text.starts_with("tcp") {
                SYN_ACK
            } else {
                question.flags
            },
        );
        let answer = send(&mut port, seconds(1), &back, Direction::In);
        assert_eq!(
            answer.verdict,
            Verdict::Drop(DropReason::DroppedAcl),
            "{text}, unasked"
        );
        send(&mut port, seconds(1), &question, Direction::Out);
        let answer = send(&mut port, seconds(2), &back, Direction::In);
        assert!(matches!(answer.verdict, Verdict::Forward(_)), "{text}");
    }
}

/// The administrator denies all that comes in: answers come in all the same.
#[test]
fn answers_need_no_rule_of_the_administrator_either() {
    let mut port = firewall(admin(&["aDeny 10 in deny * * * * *"], None));
    let syn = packet("tcp 10.1.0.4 50000 8.8.8.8 443");
    send(&mut port, seconds(1), &syn, Direction::Out);
    let answer = send(&mut port, seconds(1), &reply(syn, SYN_ACK), Direction::In);
    assert!(matches!(answer.verdict, Verdict::Forward(_)));
}

/// New rules affect new connections only.
#[test]
fn a_change_does_not_cut_what_exists() {
    let mut port = firewall(both(
        &["s 100 in allow tcp * * * 443"],
        &["n 100 in allow tcp * * * 443"],
    ));
    let syn = packet("tcp 8.8.8.8 50000 10.1.0.4 443");
    send(&mut port, seconds(1), &syn, Direction::In);
    send(&mut port, seconds(1), &reply(syn, SYN_ACK), Direction::Out);
    let Policy { layers, .. } = policy(both(&[], &[]));
    port.replace_layer(layers[0].clone()).unwrap();
    for (headers, direction) in [
        (with(syn, ACK), Direction::In),
        (reply(syn, ACK), Direction::Out),
        (with(syn, ACK), Direction::In),
    ] {
        let answer = send(&mut port, seconds(2), &headers, direction);
        assert!(matches!(answer.verdict, Verdict::Forward(_)), "{direction:?}");
    }
    let other = packet("tcp 8.8.8.8 50001 10.1.0.4 443");
    let answer = send(&mut port, seconds(2), &other, Direction::In);
    assert_eq!(answer.verdict, Verdict::Drop(DropReason::DroppedAcl));
    // When the connection has been silent for its 240 s it is forgotten, and the rules are asked again.
    let answer = send(&mut port, seconds(242), &with(syn, ACK), Direction::In);
    assert_eq!(answer.verdict, Verdict::Drop(DropReason::DroppedAcl));
}
