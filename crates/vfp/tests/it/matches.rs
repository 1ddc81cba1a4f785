//! Counts of the rules that decided.

use crate::support::{ACK, dst_port, group, layer, packet, port_of, rule, seconds, send, with};
use gft::Direction;
use vfp::{Action, Condition, Layer};

fn acl() -> Layer {
    let rules = vec![
        rule("web", 100, dst_port(443), 0, Action::Allow),
        rule("rest", 200, Condition::any(), 0, Action::Block),
    ];
    let never = rule("ssh", 1, dst_port(22), 0, Action::Allow);
    let groups = vec![
        group("in", Direction::In, 1, vec![never]),
        group("out", Direction::Out, 1, rules),
    ];
    layer(0, false, true, groups)
}

/// Only a walk asks rules: a flow's first packet, whatever it leads to, and a reconciliation. Packets of a known flow, and
/// questions of what would be, count nothing.
#[test]
fn a_rule_counts_the_walks_that_it_decided() {
    let mut port = port_of(vec![acl()]);
    let web = packet("tcp 10.0.0.4 50000 10.0.0.5 443");
    let mail = packet("tcp 10.0.0.4 50000 10.0.0.5 25");
    let count = |port: &vfp::Port| [(0, 0), (1, 0), (1, 1)].map(|(g, r)| port.matches(0, g, r));
    assert_eq!(count(&port), [Some(0); 3]);
    send(&mut port, seconds(1), &web, Direction::Out);
    send(&mut port, seconds(1), &with(web, ACK), Direction::Out);
    for _ in 0..3 {
        send(&mut port, seconds(1), &mail, Direction::Out);
    }
    let _ = port.process_tuple(&mail, Direction::Out);
    assert_eq!(count(&port), [Some(0), Some(1), Some(3)]);
    for place in [(1, 0, 0), (0, 2, 0), (0, 1, 2)] {
        assert_eq!(port.matches(place.0, place.1, place.2), None);
    }
}

/// Another policy has other rules: the counts begin anew, and the reconciliation of a flow is the first.
#[test]
fn another_policy_counts_from_nothing() {
    let mut port = port_of(vec![acl()]);
    let web = packet("tcp 10.0.0.4 50000 10.0.0.5 443");
    send(&mut port, seconds(1), &web, Direction::Out);
    port.replace_layer(acl()).expect("it is the same layer");
    assert_eq!(port.matches(0, 1, 0), Some(0));
    send(&mut port, seconds(2), &with(web, ACK), Direction::Out);
    assert_eq!(port.matches(0, 1, 0), Some(1));
}

/// Without unified flows every packet asks the rules.
#[test]
fn without_unified_flows_every_packet_counts() {
    let mut port = port_of(vec![acl()]);
    port.settings.unified_flows = false;
    let web = packet("tcp 10.0.0.4 50000 10.0.0.5 443");
    send(&mut port, seconds(1), &web, Direction::Out);
    for _ in 0..4 {
        send(&mut port, seconds(1), &with(web, ACK), Direction::Out);
    }
    assert_eq!(port.matches(0, 1, 0), Some(5));
}
