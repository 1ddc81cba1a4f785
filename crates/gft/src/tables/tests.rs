use super::*;
use crate::config::{CacheShape, Replacement};
use crate::{Address, CacheHint, Direction, Protocol, TcpFlags, Tuple};
use proptest::prelude::*;

/// One flow on the chip, two in DRAM, each level of one set.
fn small(third: bool) -> Config {
    let level = |entries: u8| CacheShape {
        entries: entries.into(),
        ways: entries,
        replacement: Replacement::Lru,
    };
    Config {
        flows: 4,
        l1: level(1),
        l2: level(2),
        l3: third,
        ..Config::default()
    }
}

fn flow(number: u16) -> Flow {
    Flow {
        key: FlowKey {
            tuple: Tuple {
                src: Address::v4(10, 0, 0, 4),
                dst: Address::v4(10, 0, 0, 5),
                src_port: number,
                dst_port: 443,
                protocol: Protocol::TCP,
            },
            port: 1,
            ..FlowKey::default()
        },
        handle: u32::from(number) + 1_000,
        ..Flow::default()
    }
}

fn packet(number: u16) -> Packet {
    Packet {
        key: flow(number).key,
        bytes: 100,
        flags: TcpFlags::ACK,
        ..Packet::default()
    }
}

/// Tables with flows 0 to `count` installed and in use.
fn with_flows(config: &Config, count: u16) -> (FlowTables, Vec<EntryId>) {
    let mut tables = FlowTables::new(config).unwrap();
    let ids = (0..count)
        .map(|number| install(&mut tables, &flow(number)))
        .collect();
    (tables, ids)
}

fn install(tables: &mut FlowTables, flow: &Flow) -> EntryId {
    let id = tables.add(flow, Time::ZERO).unwrap();
    tables.activate(id, Time::ZERO);
    id
}

/// Where a packet of the flow is found now, or why it is an exception.
fn ask(tables: &mut FlowTables, number: u16) -> Result<Level, ExceptionReason> {
    match tables.lookup(Time::from_us(1), &packet(number)).lookup {
        Lookup::Hit { level, .. } => Ok(level),
        Lookup::Exception(reason) => Err(reason),
    }
}

#[test]
fn a_flow_rises_to_the_chip_and_is_pushed_down_again() {
    let (mut tables, _) = with_flows(&small(false), 2);
    assert_eq!(ask(&mut tables, 0), Ok(Level::L2));
    assert_eq!(ask(&mut tables, 0), Ok(Level::L1));
    assert_eq!(ask(&mut tables, 1), Ok(Level::L2));
    assert_eq!(ask(&mut tables, 0), Ok(Level::L2));
    let counted = tables.statistics();
    assert_eq!((counted.l1_cache_hits, counted.l1_cache_misses), (1, 3));
    assert_eq!((counted.l2_cache_hits, counted.l2_cache_misses), (3, 0));
    assert_eq!(counted.l1_evictions, 2);
}

#[test]
fn without_a_third_level_the_evicted_have_exceptions() {
    let (mut tables, ids) = with_flows(&small(false), 2);
    assert_eq!(ask(&mut tables, 0), Ok(Level::L2));
    // The second level has 0 and 1, 0 used last; 2 takes the place of 1, then 3 that of 0, which leaves the chip too.
    install(&mut tables, &flow(2));
    assert_eq!(ask(&mut tables, 1), Err(ExceptionReason::Miss));
    assert_eq!(ask(&mut tables, 0), Ok(Level::L1));
    install(&mut tables, &flow(3));
    assert_eq!(tables.entry(ids[0], Time::ZERO).unwrap().level, None);
    assert_eq!(ask(&mut tables, 0), Err(ExceptionReason::Miss));
    assert_eq!(
        (
            tables.statistics().miss,
            tables.statistics().evicted,
            tables.statistics().l2_evictions
        ),
        (2, 2, 2)
    );
    // Installed again it keeps its name and counters and pushes 2 out.
    assert_eq!(install(&mut tables, &flow(0)), ids[0]);
    assert_eq!(ask(&mut tables, 0), Ok(Level::L2));
    assert_eq!(tables.entry(ids[0], Time::ZERO).unwrap().counter.packets, 3);
    assert_eq!(ask(&mut tables, 2), Err(ExceptionReason::Miss));
}

#[test]
fn a_third_level_finds_the_evicted() {
    let (mut tables, _) = with_flows(&small(true), 3);
    assert_eq!(ask(&mut tables, 0), Ok(Level::L3));
    assert_eq!(ask(&mut tables, 0), Ok(Level::L1));
    assert_eq!(ask(&mut tables, 1), Ok(Level::L3));
    assert_eq!(ask(&mut tables, 9), Err(ExceptionReason::Miss));
    let counted = *tables.statistics();
    assert_eq!(
        counted.ndis(),
        [
            ("Packets", 4),
            ("Bytes", 400),
            ("L1CacheHits", 1),
            ("L2CacheHits", 0),
            ("L3CacheHits", 2),
            ("L1CacheMisses", 3),
            ("L2CacheMisses", 3),
            ("L3CacheMisses", 1),
        ]
    );
    assert_eq!((counted.miss, counted.evicted), (1, 0));
}

/// In the table from 10 µs on, in use from 30 µs on.
#[test]
fn installing_takes_two_phases() {
    let mut tables = FlowTables::new(&small(false)).unwrap();
    let id = tables.add(&flow(0), Time::from_us(10)).unwrap();
    let state = |tables: &mut FlowTables, us| match tables.lookup(Time::from_us(us), &packet(0)).lookup {
        Lookup::Hit { .. } => None,
        Lookup::Exception(reason) => Some(reason),
    };
    assert_eq!(state(&mut tables, 9), Some(ExceptionReason::Miss));
    assert_eq!(state(&mut tables, 10), Some(ExceptionReason::Deactivated));
    assert_eq!(tables.activate(id, Time::from_us(30)), Some(Time::from_us(30)));
    assert_eq!(state(&mut tables, 29), Some(ExceptionReason::Deactivated));
    assert_eq!(state(&mut tables, 30), None);
    assert!(tables.deactivate(id));
    assert_eq!(state(&mut tables, 31), Some(ExceptionReason::Deactivated));
    assert_eq!(
        tables.entry(id, Time::from_us(31)).map(|e| e.state),
        Some(State::Deactivated)
    );
    // An activation that is in time for nothing does not come before the entry itself.
    let other = tables.add(&flow(1), Time::from_us(50)).unwrap();
    assert_eq!(tables.activate(other, Time::from_us(40)), Some(Time::from_us(50)));
}

#[test]
fn another_generation_makes_stale_until_installed_again() {
    let (mut tables, ids) = with_flows(&small(false), 2);
    tables.set_generation(1, 5);
    assert!(tables.entry(ids[0], Time::ZERO).unwrap().stale);
    for _ in 0..3 {
        assert_eq!(ask(&mut tables, 0), Err(ExceptionReason::Stale));
    }
    assert_eq!(ask(&mut tables, 1), Err(ExceptionReason::Stale));
    assert_eq!(
        (tables.statistics().stale, tables.statistics().stale_flows),
        (4, 2)
    );
    assert_eq!(tables.statistics().forwarded, 0);
    install(
        &mut tables,
        &Flow {
            generation: 5,
            ..flow(0)
        },
    );
    assert!(ask(&mut tables, 0).is_ok());
    // Another port's generation is no concern of this one.
    tables.set_generation(2, 9);
    assert!(ask(&mut tables, 0).is_ok());
    tables.set_generation(1, 6);
    assert_eq!(ask(&mut tables, 0), Err(ExceptionReason::Stale));
    assert_eq!(tables.statistics().stale_flows, 3);
}

/// SYN, ACK, ACK, FIN, ACK, RST, ACK: which are copied under each flag.
#[test]
fn copies_by_flag() {
    let ack = TcpFlags::ACK;
    let connection = [
        TcpFlags::SYN,
        ack,
        ack,
        ack.with(TcpFlags::FIN),
        ack,
        TcpFlags::RST,
        ack,
    ];
    for (copy, expected) in [
        (CopyFlags::NONE, "-------"),
        (CopyFlags::ALL, "CCCCCCC"),
        (CopyFlags::FIRST, "C------"),
        (CopyFlags::WHEN_TCP_FLAG_SET, "C--C-C-"),
        (CopyFlags::AFTER_TCP_FIN, "----CCC"),
        (CopyFlags::AFTER_TCP_RST, "------C"),
        (CopyFlags::FIRST.with(CopyFlags::AFTER_TCP_RST), "C-----C"),
    ] {
        let mut tables = FlowTables::new(&small(false)).unwrap();
        install(&mut tables, &Flow { copy, ..flow(0) });
        let copies: String = connection
            .iter()
            .map(
                |&flags| match tables.lookup(Time::ZERO, &Packet { flags, ..packet(0) }).lookup {
                    Lookup::Hit {
                        copy_to_software: true,
                        ..
                    } => 'C',
                    _ => '-',
                },
            )
            .collect();
        assert_eq!(copies, expected, "{copy:?}");
        assert_eq!(tables.statistics().copied, copies.matches('C').count() as u64);
    }
}

/// The byte where TCP has its flags means nothing in another protocol.
#[test]
fn only_tcp_has_flags() {
    let mut tables = FlowTables::new(&small(false)).unwrap();
    let mut udp = Flow {
        copy: CopyFlags::WHEN_TCP_FLAG_SET,
        ..flow(0)
    };
    udp.key.tuple.protocol = Protocol::UDP;
    let id = install(&mut tables, &udp);
    let syn = Packet {
        key: udp.key,
        flags: TcpFlags::SYN,
        seq: 7,
        ..packet(0)
    };
    assert!(matches!(
        tables.lookup(Time::ZERO, &syn).lookup,
        Lookup::Hit {
            copy_to_software: false,
            ..
        }
    ));
    assert_eq!(tables.entry(id, Time::ZERO).unwrap().counter.tcp_seq, 0);
}

#[test]
fn an_entry_gives_back_what_was_put_in() {
    let mut tables = FlowTables::new(&small(false)).unwrap();
    let whole = Flow {
        key: FlowKey {
            direction: Direction::In,
            tni: 5001,
            ..flow(7).key
        },
        transposition: Transposition {
            pop: 1,
            dst: Some(Address::v4(10, 0, 0, 9)),
            src_port: Some(0),
            dst_port: Some(65_535),
            ..Transposition::default()
        },
        generation: 3,
        copy: CopyFlags::WHEN_TCP_FLAG_SET,
        hint: CacheHint::High,
        handle: 77,
    };
    let id = tables.add(&whole, Time::ZERO).unwrap();
    let entry = tables.entry(id, Time::ZERO).unwrap();
    assert_eq!(
        (entry.flow, entry.state, entry.level),
        (whole, State::Deactivated, Some(Level::L2))
    );
    assert_eq!(tables.transposition(id), Some(whole.transposition));
    assert_eq!(tables.id_of(&whole.key), Some(id));

    // Flows that differ in their ports alone share what else is done to them.
    let mut other = whole;
    other.key.tuple.src_port += 1;
    other.transposition.dst_port = None;
    let second = tables.add(&other, Time::ZERO).unwrap();
    assert_eq!(tables.transposition(second), Some(other.transposition));
    assert_eq!((tables.len(), tables.transpositions()), (2, 1));
}

#[test]
fn a_removed_entry_is_gone_and_its_name_with_it() {
    let (mut tables, ids) = with_flows(&small(false), 2);
    assert!(ask(&mut tables, 0).is_ok());
    let last = tables.remove(ids[0]).unwrap();
    assert_eq!(
        (last.handle, last.counter.packets, last.counter.bytes),
        (1_000, 1, 100)
    );
    assert_eq!(tables.remove(ids[0]), None);
    assert_eq!(ask(&mut tables, 0), Err(ExceptionReason::Miss));
    assert_eq!(tables.resident(), [0, 1]);
    // The slot is used again, under another name.
    let id = install(&mut tables, &flow(2));
    assert_eq!((id.slot, id.serial), (ids[0].slot, 1));
    assert_eq!(tables.activate(ids[0], Time::ZERO), None);
    assert!(!tables.deactivate(ids[0]) && tables.entry(ids[0], Time::ZERO).is_none());
    assert!(ask(&mut tables, 2).is_ok());

    assert_eq!(tables.remove_port(2), 0);
    assert_eq!(tables.remove_port(1), 2);
    assert!(tables.is_empty() && tables.transpositions() == 0);
}

#[test]
fn the_table_is_bounded_and_can_be_cleared() {
    let (mut tables, ids) = with_flows(&small(true), 4);
    assert_eq!(tables.add(&flow(4), Time::ZERO), Err(AddError::TableFull(4)));
    assert_eq!(tables.transpositions(), 1);
    assert_eq!(install(&mut tables, &flow(3)), ids[3], "replacing needs no room");
    tables.clear();
    assert_eq!(
        (tables.len(), tables.resident(), tables.ids().count()),
        (0, [0, 0], 0)
    );
    assert_eq!(tables.entry(ids[1], Time::ZERO), None);
    install(&mut tables, &flow(1));
    assert!(ask(&mut tables, 1).is_ok());
}

#[test]
fn changed_counters_come_in_turn() {
    let (mut tables, ids) = with_flows(&small(true), 4);
    for number in [0, 1, 2, 2, 3] {
        assert!(ask(&mut tables, number).is_ok());
    }
    let take = |tables: &mut FlowTables, most| {
        let mut updates = Vec::new();
        tables.take_changed(most, &mut updates);
        updates
            .iter()
            .map(|u| (u.entry.slot, u.handle, u.counter.packets))
            .collect::<Vec<_>>()
    };
    assert_eq!(take(&mut tables, 2), [(0, 1_000, 1), (1, 1_001, 1)]);
    assert!(ask(&mut tables, 0).is_ok());
    // What a removed entry had counted came with its removal.
    tables.remove(ids[3]);
    assert_eq!(take(&mut tables, 9), [(0, 1_000, 2), (2, 1_002, 2)]);
    assert_eq!(take(&mut tables, 9), []);
}

#[derive(Clone, Debug)]
enum Step {
    Install(u16, u32),
    Remove(u16),
    Ask(u16),
    Generation(u32),
    Clear,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0u16..24, 0u32..2).prop_map(|(n, g)| Step::Install(n, g)),
        1 => (0u16..24).prop_map(Step::Remove),
        8 => (0u16..24).prop_map(Step::Ask),
        1 => (0u32..2).prop_map(Step::Generation),
        1 => Just(Step::Clear),
    ]
}

fn any_level(entries: u32, ways: u8) -> impl Strategy<Value = CacheShape> {
    prop_oneof![
        Just((ways, Replacement::Lru)),
        Just((ways, Replacement::Clock)),
        Just((ways, Replacement::Random)),
        Just((ways, Replacement::Hint)),
        Just((1, Replacement::Direct)),
    ]
    .prop_map(move |(ways, replacement)| CacheShape {
        entries,
        ways,
        replacement,
    })
}

proptest! {
    /// Against a plain map: whether a flow is there and of which generation decides the answer, but for evictions; each lookup
    /// is counted once at each level that it reached; the first level is a part of the second, and no flow is twice in one.
    #[test]
    fn caches_change_no_answer(
        l1 in any_level(4, 2),
        l2 in any_level(8, 4),
        l3: bool,
        steps in proptest::collection::vec(any_step(), 0..200),
    ) {
        let config = Config { flows: 20, l1, l2, l3, ..Config::default() };
        let mut tables = FlowTables::new(&config).unwrap();
        let mut model = std::collections::BTreeMap::new();
        let mut generation = 0;
        for step in steps {
            match step {
                Step::Install(number, of) => {
                    let hint = [CacheHint::Low, CacheHint::Medium, CacheHint::High][usize::from(number % 3)];
                    let flow = Flow { generation: of, hint, ..flow(number) };
                    let full = model.len() == 20 && !model.contains_key(&number);
                    match tables.add(&flow, Time::ZERO) {
                        Ok(id) => {
                            prop_assert!(!full);
                            tables.activate(id, Time::ZERO);
                            model.insert(number, of);
                        }
                        Err(error) => {
                            prop_assert!(full);
                            prop_assert_eq!(error, AddError::TableFull(20));
                        }
                    }
                }
                Step::Remove(number) => {
                    let id = tables.id_of(&flow(number).key);
                    prop_assert_eq!(id.is_some(), model.remove(&number).is_some());
                    if let Some(id) = id {
                        prop_assert!(tables.remove(id).is_some());
                    }
                }
                Step::Ask(number) => {
                    let id = tables.id_of(&flow(number).key);
                    let level = id.and_then(|id| tables.entry(id, Time::ZERO)).and_then(|entry| entry.level);
                    let expected = match (model.get(&number), level) {
                        (None, _) => Err(ExceptionReason::Miss),
                        (Some(_), None) => {
                            prop_assert!(!l3);
                            Err(ExceptionReason::Miss)
                        }
                        (Some(&of), Some(_)) if of != generation => Err(ExceptionReason::Stale),
                        (Some(_), Some(level)) => Ok(level),
                    };
                    prop_assert_eq!(ask(&mut tables, number), expected);
                }
                Step::Generation(to) => {
                    generation = to;
                    tables.set_generation(1, to);
                }
                Step::Clear => {
                    model.clear();
                    tables.clear();
                }
            }
            let s = *tables.statistics();
            prop_assert_eq!(s.packets, s.forwarded + s.exceptions());
            prop_assert_eq!(s.l1_cache_hits + s.l1_cache_misses, s.packets);
            prop_assert_eq!(s.l2_cache_hits + s.l2_cache_misses, s.l1_cache_misses);
            let third = if l3 { s.l2_cache_misses } else { 0 };
            prop_assert_eq!(s.l3_cache_hits + s.l3_cache_misses, third);
            let found = s.l1_cache_hits + s.l2_cache_hits + s.l3_cache_hits;
            prop_assert_eq!(found, s.packets - s.miss);

            prop_assert_eq!(tables.len() as usize, model.len());
            let second: Vec<_> = tables.l2().flatten().collect();
            let first: Vec<_> = tables.l1().flatten().collect();
            prop_assert_eq!(tables.resident(), [first.len() as u32, second.len() as u32]);
            prop_assert!(first.iter().all(|id| second.contains(id)));
            for all in [first, second] {
                let distinct: std::collections::BTreeSet<_> = all.iter().collect();
                prop_assert_eq!(distinct.len(), all.len());
                prop_assert!(all.iter().all(|&id| tables.entry(id, Time::ZERO).is_some()));
            }
        }
    }
}
