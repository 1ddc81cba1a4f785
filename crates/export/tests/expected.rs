//! What is written for a tiny fabric, derived by hand from the uSID plan.
//!
//! Two planes, two T0s, one T1, one NIC per T0. uSIDs are plane·2^13 + tier·2^11 + index:
//!
//! - p1/t0.1 = 0x2000 + 0x0800 + 1 = 0x2801; p1/t1.0 = 0x2000 + 0x1000 = 0x3000; a downlink 0 in plane 1 = 0x3800;
//! - p0/t0.0 = 0x0800; p0/t1.0 = 0x1000 = 4096; p0/t0.1 = 0x0801; a downlink 0 in plane 0 = 0x1800;
//! - p1/t0.0 = 0x2800; p1/t1.0 = 0x3000 = 12288.
//!
//! Links of a plane: 0 and 1 NIC up, 2 and 3 NIC down, 4 and 5 T0 up, 6 and 7 T1 down; plane 1 begins at 8. So the cables
//! of plane 1 are 8, 9 (NICs 0, 1) and 12, 13 (T0s 0, 1); an end has the address 2·cable, the upper end one more:
//! NIC 0 0x10/0x11, NIC 1 0x12/0x13, T0 0 0x18/0x19, T0 1 0x1a/0x1b.

use export::{Plan, linux, sonic};
use fabric::Clos;

fn plan() -> Plan {
    Plan::new(Clos::two_tiers(2, 2, 1, 1)).expect("a fabric")
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("memory");
    String::from_utf8(out).expect("UTF-8")
}

#[test]
fn a_t0_for_sonic() {
    let plan = plan();
    let switch = plan.switch("p1/t0.1".parse().unwrap()).unwrap();
    assert_eq!(
        text(|out| sonic::write_switch(out, &plan, switch)),
        r#"{
    "INTERFACE": {
        "Ethernet0": {},
        "Ethernet0|fd00:6d72:63:1::13/127": {},
        "Ethernet1": {},
        "Ethernet1|fd00:6d72:63:1::1a/127": {}
    },
    "SRV6_MY_LOCATORS": {
        "mrc": {
            "prefix": "fc00:0:2801::",
            "block_len": "32",
            "node_len": "16",
            "func_len": "0",
            "arg_len": "0"
        }
    },
    "SRV6_MY_SIDS": {
        "mrc|fc00:0:2801::/48": {
            "action": "uN",
            "decap_dscp_mode": "pipe"
        }
    },
    "STATIC_ROUTE": {
        "default|fc00::/32": {
            "blackhole": "true",
            "advertise": "false"
        },
        "default|fc00:0:3800::/48": {
            "nexthop": "fd00:6d72:63:1::12",
            "ifname": "Ethernet0",
            "advertise": "false"
        },
        "default|fc00:0:3000::/48": {
            "nexthop": "fd00:6d72:63:1::1b",
            "ifname": "Ethernet1",
            "advertise": "false"
        }
    }
}
"#
    );
}

#[test]
fn a_t1_for_linux() {
    let plan = plan();
    let switch = plan.switch("p1/t1.0".parse().unwrap()).unwrap();
    assert_eq!(
        text(|out| linux::write_switch(out, &plan, switch)),
        "\
# Switch p1/t1.0, uSID 0x3000. Needs: swp0 to swp1 up; sysctl net.ipv6.conf.all.forwarding=1
ip link add sr0 type dummy
ip link set sr0 up
ip -6 route add fc00:0:3000::/48 encap seg6local action End flavors next-csid lblen 32 nflen 16 dev sr0
ip -6 route add blackhole fc00::/32
ip -6 addr add fd00:6d72:63:1::19/127 dev swp0 nodad
ip -6 route add fc00:0:2800::/48 via fd00:6d72:63:1::18 dev swp0
ip -6 addr add fd00:6d72:63:1::1b/127 dev swp1 nodad
ip -6 route add fc00:0:2801::/48 via fd00:6d72:63:1::1a dev swp1
"
    );
}

#[test]
fn a_nic_for_linux() {
    let plan = plan();
    let (nic, peer) = (plan.nic(0).unwrap(), plan.nic(1).unwrap());
    assert_eq!(
        text(|out| linux::write_nic(out, &plan, nic, &[peer])),
        "\
# NIC 0. Needs: p0 to p1 up. A packet's mark (SO_MARK) chooses its EV: the uSID of the EV's T1
ip -6 addr add fd00:6d72:63::/128 dev lo nodad
ip sr tunsrc set fd00:6d72:63::
ip -6 route add blackhole fc00::/32
ip -6 addr add fd00:6d72:63:1::/127 dev p0 nodad
ip -6 route add fc00:0:800::/48 via fd00:6d72:63:1::1 dev p0
ip -6 route add fc00:0:1800::/48 encap seg6local action End.DT6 table local dev p0
ip -6 addr add fd00:6d72:63:1::10/127 dev p1 nodad
ip -6 route add fc00:0:2800::/48 via fd00:6d72:63:1::11 dev p1
ip -6 route add fc00:0:3800::/48 encap seg6local action End.DT6 table local dev p1
ip -6 rule add pref 1000 fwmark 4096 table 4096
ip -6 rule add pref 1000 fwmark 12288 table 12288
ip -6 rule add pref 32767 table 4096
ip -6 route add fd00:6d72:63::1/128 table 4096 encap seg6 mode encap.red segs fc00:0:800:1000:801:1800:: dev p0
ip -6 route add fd00:6d72:63::1/128 table 12288 encap seg6 mode encap.red segs fc00:0:2800:3000:2801:3800:: dev p1
"
    );
}
