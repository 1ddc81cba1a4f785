use super::*;
use crate::clos::LinkKind;
use crate::packet::{Control, Data, flags};
use crate::part::Far;
use crate::{Clos, Config, Packet, PacketKind, config};

struct Nobody;
impl crate::network::Observer for Nobody {}

const CLOS: Clos = Clos::two_tiers(1, 2, 2, 2);

/// A quarter.
const QUARTER: u32 = 1 << 14;

fn common(weight: u32) -> Common {
    let mut config: Config = config::for_tests(CLOS);
    config.classes[LinkKind::Up as usize].control_weight = weight;
    Common::new(config, 1)
}

/// Puts data packets of 1,000 B, then control packets of 100 B with numbers from 1,000, on the port of T0 0 to T1 0, serves the line
/// at each of these times, and says in which order they left.
fn order(common: &Common, data: u32, control: u32, serve: impl Iterator<Item = u64>) -> Vec<u32> {
    let mut part = Part::new(common, 0);
    let mut port = Port::new(LinkKind::Up);
    let line = Line {
        link: CLOS.up(0, 0, 0),
        class: common.config.class(LinkKind::Up),
        far: Far {
            part: 0,
            port: CLOS.down(0, 0, 0),
            place: part.span().t1_place(0, 0),
        },
    };
    for psn in 0..data {
        let packet = Data {
            psn,
            size: 1_000,
            ..Data::default()
        };
        part.enqueue_data(common, &mut Nobody, &mut port, &line, packet, 0);
    }
    for i in 0..control {
        let packet = Control::from(&Packet {
            psn: 1_000 + i,
            size: 100,
            kind: PacketKind::Sack,
            flags: flags::CONTROL,
            ..Packet::default()
        });
        part.enqueue_control(&mut Nobody, &mut port, &line, packet, 0);
    }
    for to in serve {
        part.serve(common, &mut port, &line, to);
    }
    let far = &part.ports[line.far.port as usize];
    let data = part.data.iter(far.data_in).map(|(at, p)| (at, p.psn));
    let mut left: Vec<(u64, u32)> = data
        .chain(part.control.iter(far.control_in).map(|(at, p)| (at, p.psn)))
        .collect();
    left.sort_unstable();
    left.into_iter().map(|(_, psn)| psn).collect()
}

#[test]
fn control_takes_turns_with_data_by_its_weight() {
    // By hand. A control packet reserves 400 B. Data packet 0 goes at once: 1,000 B sent. Then control goes while the bytes sent
    // are not below the turn: at 1,000 (turn 400), 1,100 (800), 1,200 (1,200), 1,300 (1,600); at 1,400 it is data's turn. At
    // 2,400 (2,000), 2,500 (2,400), 2,600 (2,800); data at 2,700. At 3,700 (3,200), 3,800 (3,600), 3,900 (4,000), 4,000 (4,400);
    // data at 4,100.
    let expected = [
        0, 1000, 1001, 1002, 1003, 1, 1004, 1005, 1006, 2, 1007, 1008, 1009, 1010, 3,
    ];
    let common = common(QUARTER);
    let order = |serve: &mut dyn Iterator<Item = u64>| order(&common, 10, 40, serve);
    let once = order(&mut std::iter::once(1_000_000_000));
    assert_eq!(once[..expected.len()], expected);
    assert_eq!(once.len(), 50);
    let often = order(&mut (0..4_000).map(|i| i * 1_000));
    assert_eq!(often, once, "however often the line is served");
    // Data is used up; the rest has the line to itself.
    let data: Vec<usize> = (0..50).filter(|&i| once[i] < 1_000).collect();
    assert!(data.len() == 10 && once[data[9] + 1..].is_sorted(), "{once:?}");
}

#[test]
fn without_a_weight_control_goes_first() {
    let order = order(&common(0), 3, 5, std::iter::once(1_000_000_000));
    assert_eq!(order, [0, 1000, 1001, 1002, 1003, 1004, 1, 2]);
}

#[test]
fn where_no_data_waits_control_has_the_line_to_itself() {
    let order = order(&common(QUARTER), 1, 50, std::iter::once(1_000_000_000));
    assert!(order.is_sorted() && order.len() == 51, "{order:?}");
}

#[test]
fn in_the_long_run_control_has_its_share() {
    for (weight, share) in [(QUARTER, 0.25), (1 << 15, 0.5), (655, 0.01)] {
        let order = order(&common(weight), 500, 50_000, std::iter::once(u64::MAX / 2));
        let last = order.iter().rposition(|&psn| psn < 1_000).expect("data");
        let control = 100.0 * (last + 1 - 500) as f64;
        let sent = control + 500_000.0;
        // Within the packet sizes of 500,000 B.
        assert!(
            (control / sent - share).abs() < 0.002,
            "{share}: {}",
            control / sent
        );
        assert!(control <= share * (sent + DEPTH as f64) + 100.0);
    }
}

#[test]
fn nothing_is_kept_for_ports_without_weights() {
    let turns = |weight| turns(&common(weight), &Span::cut(CLOS, 1)[0]).len() as u32;
    assert_eq!((turns(0), turns(QUARTER)), (0, CLOS.links()));
}
