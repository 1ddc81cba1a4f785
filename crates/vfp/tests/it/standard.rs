//! The standard stack of a VM: every layer with its real name, and what a connection looks like on the wire.

use crate::support::{ACK, SYN_ACK, address, forwarded, packet, port, reply, seconds, send, with};
use gft::{Direction, EncapKind, Headers, Mac, Prefix, Protocol};
use std::collections::BTreeMap;
use vfp::nsg::{Access, SecurityGroup, SecurityRule, acl_layer};
use vfp::standard::{InboundNat, METER_INTERNET, METER_VNET, OutboundBalance, Vm, layer};
use vfp::{Backend, Distribution, Frontend, Mapping, MappingSpace, PoolSpec, Port, PortRange, Unmapped};

const VM_MAC: Mac = Mac(0x6045_bd00_0004);
const PEER_MAC: Mac = Mac(0x6045_bd00_0005);
const ROUTER_MAC: Mac = Mac(0x1234_5678_9abc);
const NEXT_HOP: Mac = Mac(0xee);

fn vm() -> Port {
    let https = SecurityRule {
        name: "https".into(),
        priority: 100,
        direction: Direction::In,
        access: Access::Allow,
        protocols: vec![Protocol::TCP],
        src: Vec::new(),
        dst: Vec::new(),
        src_ports: Vec::new(),
        dst_ports: vec![PortRange::one(8_443)],
    };
    let nic = SecurityGroup {
        name: "nic".into(),
        rules: vec![https],
    };
    let mapping = |host, ca_mac| Mapping {
        pa: gft::Address::v4(100, 64, 0, host),
        ca_mac,
        pa_mac: Mac(0xff),
        tni: 5_001,
    };
    let vm = Vm {
        address: address("10.1.0.4"),
        mac: VM_MAC,
        vnet: vec!["10.1.0.0/16".parse::<Prefix>().unwrap()],
        tni: 5_001,
        encap: EncapKind::Vxlan,
        host: address("100.64.0.1"),
        next_hop: NEXT_HOP,
        router_mac: ROUTER_MAC,
        acl: acl_layer(layer::ACL, &[], None, Some(&nic)).unwrap(),
        inbound_nat: vec![InboundNat {
            name: "lbr-443".into(),
            protocol: Some(Protocol::TCP),
            vip: address("20.9.9.9"),
            vip_port: Some(443),
            port: Some(8_443),
        }],
        outbound_balance: vec![OutboundBalance {
            name: "internal".into(),
            protocol: None,
            vip: address("10.1.9.9"),
            vip_port: None,
            backends: vec![Backend {
                dip: address("10.1.0.5"),
                up: true,
            }],
            distribution: Distribution::Default,
            port: None,
        }],
        snat: Some(PoolSpec {
            name: "outbound".into(),
            frontends: vec![Frontend {
                address: address("20.9.9.9"),
                first_port: 1_024,
                last_port: 2_047,
                reserved: vec![443],
            }],
        }),
        mappings: MappingSpace {
            name: "vnet".into(),
            unmapped: Unmapped::Pending,
            mappings: BTreeMap::from([(address("10.1.0.5"), mapping(2, PEER_MAC))]),
        },
    };
    port(vm.policy())
}

fn from_vm(text: &str) -> Headers {
    Headers {
        src_mac: VM_MAC,
        dst_mac: ROUTER_MAC,
        ..packet(text)
    }
}

#[test]
fn the_layers_have_their_real_names() {
    let inspection = vm().process_tuple(&from_vm("tcp 10.1.0.4 50000 10.1.0.5 443"), Direction::Out);
    let names: Vec<&str> = inspection
        .walk
        .layers
        .iter()
        .map(|step| step.name.as_str())
        .collect();
    let expected = [
        "FW_CONTROLLER_LAYER_ID",
        "VNET_METER_LAYER_OUT",
        "SLB_NAT_LAYER",
        "VNET_MAC_REWRITE_LAYER",
        "VNET_ENCAP_LAYER",
        "VNET_PA_ROUTE_LAYER",
    ];
    assert_eq!(names, expected);
    let mut back: Vec<&str> = inspection
        .answer
        .as_ref()
        .unwrap()
        .layers
        .iter()
        .map(|step| step.name.as_str())
        .collect();
    back.reverse();
    assert_eq!(back, expected);
}

/// Within the virtual network: wrapped towards the peer's host, not translated, metered as such.
#[test]
fn a_connection_within_the_virtual_network() {
    let mut port = vm();
    let syn = from_vm("tcp 10.1.0.4 50000 10.1.0.5 443");
    let out = forwarded(&send(&mut port, seconds(1), &syn, Direction::Out));
    let encap = out.encaps[0].unwrap();
    assert_eq!(
        (encap.src, encap.dst),
        (address("100.64.0.1"), address("100.64.0.2"))
    );
    assert_eq!(
        (encap.tni, encap.dst_mac, out.dst_mac),
        (5_001, NEXT_HOP, PEER_MAC)
    );
    assert_eq!(out.tuple, syn.tuple);
    let back = forwarded(&send(&mut port, seconds(1), &reply(out, SYN_ACK), Direction::In));
    assert_eq!((back.encaps, back.tuple), ([None; 2], syn.tuple.reversed()));
    assert_eq!((back.src_mac, back.dst_mac), (ROUTER_MAC, VM_MAC));
    let vnet = port.meters()[&METER_VNET];
    assert_eq!(vnet.map(|count| count.packets), [1, 1]);
}

/// To the Internet: translated to a public address and port, not wrapped; answers find back.
#[test]
fn a_connection_to_the_internet() {
    let mut port = vm();
    let syn = from_vm("tcp 10.1.0.4 50000 8.8.8.8 443");
    let out = forwarded(&send(&mut port, seconds(1), &syn, Direction::Out));
    assert_eq!(
        out.tuple.to_string(),
        "TCP 20.9.9.9 port 1024 to 8.8.8.8 port 443"
    );
    assert_eq!((out.encaps, out.dst_mac), ([None; 2], NEXT_HOP));
    let back = forwarded(&send(&mut port, seconds(1), &reply(out, SYN_ACK), Direction::In));
    assert_eq!((back.tuple, back.dst_mac), (syn.tuple.reversed(), VM_MAC));
    let internet = port.meters()[&METER_INTERNET];
    assert_eq!(internet.map(|count| count.packets), [1, 1]);
}

/// A client of the public load balancer: the security group sees the VM's own port, and answers leave with the VIP.
#[test]
fn a_client_of_the_load_balancer() {
    let mut port = vm();
    let syn = packet("tcp 203.0.113.9 51000 20.9.9.9 443");
    let inside = forwarded(&send(&mut port, seconds(1), &syn, Direction::In));
    assert_eq!(
        inside.tuple.to_string(),
        "TCP 203.0.113.9 port 51000 to 10.1.0.4 port 8443"
    );
    let answer = Headers {
        src_mac: VM_MAC,
        ..reply(inside, SYN_ACK)
    };
    let out = forwarded(&send(&mut port, seconds(1), &answer, Direction::Out));
    assert_eq!(out.tuple, syn.tuple.reversed());
    let again = forwarded(&send(&mut port, seconds(1), &with(syn, ACK), Direction::In));
    assert_eq!(again.tuple, inside.tuple);
    assert_eq!(
        port.snat_ports(),
        0,
        "an answer is not translated as a new connection"
    );
}

/// A client within the virtual network of an internal load balancer goes to the backend's host itself.
#[test]
fn an_internal_load_balancer() {
    let mut port = vm();
    let syn = from_vm("tcp 10.1.0.4 50000 10.1.9.9 443");
    let out = forwarded(&send(&mut port, seconds(1), &syn, Direction::Out));
    assert_eq!(out.tuple.dst, address("10.1.0.5"));
    assert_eq!(out.encaps[0].map(|e| e.dst), Some(address("100.64.0.2")));
    let back = forwarded(&send(&mut port, seconds(1), &reply(out, SYN_ACK), Direction::In));
    assert_eq!(back.tuple, syn.tuple.reversed());
}

/// A connection that has been silent for 240 s is forgotten without a word, or both ends are sent a reset.
#[test]
fn idle_connections_may_be_reset() {
    for inject in [false, true] {
        let mut port = vm();
        port.settings.inject_resets = inject;
        let syn = from_vm("tcp 10.1.0.4 50000 8.8.8.8 443");
        let out = forwarded(&send(&mut port, seconds(1), &syn, Direction::Out));
        send(&mut port, seconds(1), &reply(out, SYN_ACK), Direction::In);
        send(&mut port, seconds(1), &with(syn, ACK), Direction::Out);
        let expired = port.expire(seconds(242), 9, &mut Vec::new());
        let named = port
            .counters()
            .named()
            .find(|(name, _)| *name == "TcpConnectionsResetByInjectedReset");
        assert_eq!(
            (expired.pairs, named.map(|(_, count)| count)),
            (1, Some(u64::from(inject)))
        );
        if inject {
            let [reset] = expired.resets[..] else {
                panic!("{expired:?}");
            };
            let rst = gft::TcpFlags::RST.with(gft::TcpFlags::ACK);
            assert_eq!(
                (reset.direction, reset.onward.tuple, reset.onward.flags),
                (Direction::Out, out.tuple, rst)
            );
            assert_eq!((reset.back.tuple, reset.back.flags), (syn.tuple.reversed(), rst));
            assert_eq!(reset.back.dst_mac, VM_MAC);
        } else {
            assert_eq!(expired.resets, []);
        }
    }
}
