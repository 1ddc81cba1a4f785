use super::*;
use crate::entry::{ExceptionReason, Level};
use crate::study::key;

fn flow(number: u32) -> Flow {
    Flow {
        key: key(1, number),
        handle: number,
        ..Flow::default()
    }
}

fn packet(number: u32) -> Packet {
    Packet {
        key: key(1, number),
        bytes: 64,
        ..Packet::default()
    }
}

fn nic() -> Nic {
    Nic::new(&Config::default()).unwrap()
}

/// A command takes 250 ns and each phase 2 µs more: in the table after 2.25 µs, in use 2 µs after the second command, which
/// is done at 0.5 µs.
#[test]
fn the_second_packet_may_come_too_early() {
    let mut nic = nic();
    let (entry, active) = nic.install(Time::ZERO, &flow(0)).unwrap();
    assert_eq!(active, Time::from_ns(2_500));
    let lookup = |nic: &mut Nic, at| nic.receive(at, &packet(0)).unwrap().lookup;
    // The match stage has a packet 20 cycles, 100 ns, after its arrival.
    assert_eq!(
        lookup(&mut nic, Time::from_ns(2_149)),
        Lookup::Exception(ExceptionReason::Deactivated)
    );
    assert_eq!(
        lookup(&mut nic, Time::from_ns(2_400)),
        Lookup::Hit {
            level: Level::L1,
            entry,
            copy_to_software: false
        }
    );
}

#[test]
fn phases_can_be_apart() {
    let mut nic = nic();
    let (entry, ready) = nic.add(Time::ZERO, &flow(0)).unwrap();
    assert_eq!(ready, Time::from_ns(2_250));
    let exception = |nic: &mut Nic, us| nic.receive(Time::from_us(us), &packet(0)).unwrap().lookup;
    assert_eq!(exception(&mut nic, 1), Lookup::Exception(ExceptionReason::Miss));
    assert_eq!(
        exception(&mut nic, 50),
        Lookup::Exception(ExceptionReason::Deactivated)
    );
    assert_eq!(
        nic.activate(Time::from_us(60), entry),
        Some(Time::from_ns(62_250))
    );
    assert!(matches!(exception(&mut nic, 63), Lookup::Hit { .. }));
}

/// Times of an L1 hit, an L2 hit and a miss, which has to ask DRAM too (see the pipeline's tests).
#[test]
fn a_passage_takes_as_long_as_its_lookup() {
    let mut nic = nic();
    nic.install(Time::ZERO, &flow(0)).unwrap();
    for (us, number, ns) in [(10, 0, 430), (20, 0, 230), (30, 1, 430)] {
        let departure = nic.receive(Time::from_us(us), &packet(number)).unwrap().departure;
        assert_eq!(departure, Time::from_ns(us * 1_000 + ns));
    }
    assert_eq!(nic.pipeline(Direction::Out).counters().packets, 3);
    assert_eq!(nic.pipeline(Direction::In).counters().packets, 0);
}

#[test]
fn commands_queue_up_and_are_bounded() {
    let mut config = Config::default();
    config.commands.depth = 3;
    let mut nic = Nic::new(&config).unwrap();
    for number in 0..3 {
        let (_, ready) = nic.add(Time::ZERO, &flow(number)).unwrap();
        assert_eq!(ready, Time::from_ns(2_250 + 250 * u64::from(number)));
    }
    assert_eq!(nic.add(Time::ZERO, &flow(3)), Err(AddError::CommandQueueFull(3)));
    assert_eq!((nic.commands_waiting(Time::ZERO), nic.tables().len()), (3, 3));
    assert_eq!(nic.commands_waiting(Time::from_ns(251)), 2);
    assert!(nic.add(Time::from_ns(250), &flow(3)).is_ok());
    assert!(nic.remove_key(Time::from_ns(250), &key(1, 0)).is_some());
    assert_eq!(nic.remove_key(Time::from_ns(250), &key(1, 0)), None);
}

#[test]
fn a_policy_change_is_one_command() {
    let mut nic = nic();
    nic.install(Time::ZERO, &flow(0)).unwrap();
    nic.set_generation(Time::from_us(9), 0, 1);
    assert_eq!(
        nic.receive(Time::from_us(10), &packet(0)).unwrap().lookup,
        Lookup::Exception(ExceptionReason::Stale)
    );
    nic.install(
        Time::from_us(10),
        &Flow {
            generation: 1,
            ..flow(0)
        },
    )
    .unwrap();
    assert!(matches!(
        nic.receive(Time::from_us(20), &packet(0)).unwrap().lookup,
        Lookup::Hit { .. }
    ));
}

#[test]
fn a_reconfigured_card_is_empty() {
    let mut nic = nic();
    nic.install(Time::ZERO, &flow(0)).unwrap();
    nic.receive(Time::from_us(5), &packet(0)).unwrap();
    nic.reconfigure(Time::from_us(6));
    assert!(nic.tables().is_empty());
    assert_eq!(
        nic.receive(Time::from_us(7), &packet(0)).unwrap().lookup,
        Lookup::Exception(ExceptionReason::Miss)
    );
    assert_eq!(nic.tables().statistics().packets, 2);
    assert_eq!(nic.pipeline(Direction::Out).counters().packets, 2);
}

#[test]
fn counters_come_by_period() {
    let mut config = Config::default();
    config.counters.period = Time::from_ms(10);
    config.counters.batch = 1;
    let mut nic = Nic::new(&config).unwrap();
    nic.install(Time::ZERO, &flow(0)).unwrap();
    nic.install(Time::ZERO, &flow(1)).unwrap();
    for (us, number) in [(100, 0), (200, 1), (300, 1)] {
        nic.receive(Time::from_us(us), &packet(number)).unwrap();
    }
    let poll = |nic: &mut Nic, ms| {
        let mut updates = Vec::new();
        nic.poll_counters(Time::from_ms(ms), &mut updates);
        updates
            .iter()
            .map(|u| {
                (
                    u.handle,
                    u.counter.packets,
                    u.counter.bytes,
                    u.counter.last_update,
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(poll(&mut nic, 9), []);
    // 100 ns after its arrival the packet is at the match stage.
    assert_eq!(poll(&mut nic, 10), [(0, 1, 64, Time::from_ns(100_100))]);
    assert_eq!(poll(&mut nic, 10), []);
    assert_eq!(nic.next_report(), Time::from_ms(20));
    // Late by two periods: one report, and the next is due on the beat.
    assert_eq!(poll(&mut nic, 45), [(1, 2, 128, Time::from_ns(300_100))]);
    assert_eq!(nic.next_report(), Time::from_ms(50));
    assert_eq!(poll(&mut nic, 50), []);
}
