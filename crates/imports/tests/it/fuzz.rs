//! Arbitrary and changed inputs: nothing panics, and what comes out is what VFP and a host scenario accept.

use imports::host::{nsg_rules, replay};
use imports::{Content, Options, import};
use proptest::prelude::*;
use vfp::CompiledPolicy;

/// Names and values of all formats, so that random trees of them get past the first look.
const WORDS: [&str; 62] = [
    "name",
    "properties",
    "securityRules",
    "defaultSecurityRules",
    "priority",
    "direction",
    "Inbound",
    "Outbound",
    "access",
    "Allow",
    "Deny",
    "protocol",
    "Tcp",
    "*",
    "sourceAddressPrefix",
    "sourceAddressPrefixes",
    "10.0.0.0/8",
    "Internet",
    "sourcePortRange",
    "destinationAddressPrefix",
    "destinationPortRange",
    "80-90",
    "resources",
    "value",
    "type",
    "Microsoft.Network/networkSecurityGroups",
    "Microsoft.Network/loadBalancers",
    "effectiveSecurityRules",
    "expandedSourceAddressPrefix",
    "frontendIPConfigurations",
    "loadBalancingRules",
    "backendAddressPools",
    "frontendPort",
    "backendPort",
    "frontendIPConfiguration",
    "backendAddressPool",
    "id",
    "/a/fe",
    "outboundRules",
    "inboundNatRules",
    "loadBalancerBackendAddresses",
    "ipAddress",
    "10.0.0.4",
    "records",
    "flowRecords",
    "flows",
    "flowGroups",
    "flowTuples",
    "1,10.0.0.4,10.0.0.5,1,2,6,I,B,NX,0,0,0,0",
    "Version",
    "DASH_ENI_TABLE:e",
    "DASH_VNET_TABLE:v",
    "mac_address",
    "00:00:00:00:00:01",
    "vnet",
    "v",
    "vni",
    "DASH_ACL_IN_TABLE:e:1",
    "DASH_ACL_RULE_TABLE:g:1",
    "action",
    "DASH_ROUTE_TABLE:e:10.0.0.0/8",
    "OP",
];

fn tree() -> impl Strategy<Value = serde_json::Value> {
    let word = || prop::sample::select(&WORDS[..]);
    let leaf = prop_oneof![
        word().prop_map(|word| word.into()),
        (0u32..70_000).prop_map(|number| number.into()),
        any::<bool>().prop_map(|value| value.into()),
        Just(serde_json::Value::Null),
    ];
    leaf.prop_recursive(6, 64, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| items.into()),
            prop::collection::vec((word(), inner), 0..8).prop_map(|fields| {
                let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
                serde_json::Value::Object(fields.collect())
            }),
        ]
    })
}

fn check(bytes: &[u8]) -> bool {
    let Ok(imported) = import(bytes, &Options::default()) else {
        return false;
    };
    for named in imported.policies {
        if let Err(error) = CompiledPolicy::new(named.policy) {
            panic!("{error} from {}", String::from_utf8_lossy(bytes));
        }
    }
    let (flows, _) = replay(&imported.traffic, scenario::Time::s(1));
    let rules = match &imported.content {
        Content::SecurityGroups(groups) => nsg_rules(groups, &Options::default())
            .map(|(rules, _)| rules)
            .unwrap_or_default(),
        _ => Vec::new(),
    };
    crate::host::scenario(rules, flows);
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn random_trees(tree in tree()) {
        check(tree.to_string().as_bytes());
    }

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
    }

    #[test]
    fn random_captures(magic in 0usize..3, bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let start: &[u8] = [
            &[0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0][..],
            &[0xa1, 0xb2, 0x3c, 0x4d, 0, 2, 0, 4],
            &[0x0a, 0x0d, 0x0d, 0x0a, 28, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0],
        ][magic];
        check(&[start, &bytes].concat());
    }
}

/// Good inputs with a few bytes changed: many of them stay good, so that the readers' depths are reached.
#[test]
fn changed_inputs() {
    let samples = [
        crate::nsg::FLAT.as_bytes().to_vec(),
        crate::dash::TABLES.as_bytes().to_vec(),
        crate::balancer::PUBLIC.as_bytes().to_vec(),
        crate::flow_log::VNET.as_bytes().to_vec(),
    ];
    let mut state = 1u64;
    let mut next = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut accepted = 0;
    for _ in 0..6_000 {
        let mut bytes = samples[next(samples.len())].clone();
        for _ in 0..1 + next(3) {
            let at = next(bytes.len());
            match next(4) {
                0 => {
                    bytes.remove(at);
                }
                1 => bytes.insert(at, b"0{}[],:\"-9a"[next(11)]),
                _ => bytes[at] = b"0123456789abcXYZ,./:-\"*"[next(23)],
            }
        }
        accepted += usize::from(check(&bytes));
    }
    assert!(accepted > 500, "{accepted}");
}
