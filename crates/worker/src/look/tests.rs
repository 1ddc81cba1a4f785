use super::*;
use kernel::Time;
use view::camera::Camera;
use view::geometry::Point;
use view::{Grouping, Layout, Level};

/// 163,840 cables: more links than are looked at for one frame.
const LARGE: &str = r#"{
    "version": 1, "until": "1ms",
    "fabric": { "planes": 2, "t0_per_plane": 256, "t1_per_plane": 256, "nics_per_t0": 64, "nic_link_rate": "100Gbps" },
    "transport": { "evs": 16 },
    "traffic": [ { "kind": "incast", "dst": 9000, "senders": 12, "bytes": "1MB" } ],
    "faults": [
        { "at": "1us", "kind": "link_down", "link": "p1/t0.200-t1.7" },
        { "at": "1us", "kind": "link_loss", "link": "p0/n9000", "rate": 0.01 },
        { "at": "1us", "kind": "switch_down", "switch": "p0/t1.255" }
    ]
}"#;

fn run() -> Run {
    let scenario = serde_json::from_str(LARGE).expect("a scenario");
    Run::new(1, &scenario, false, true).expect("a valid scenario")
}

fn layout(run: &Run) -> Layout {
    Layout::new(run.sim.network().config().clos, 1200.0, 600.0)
}

fn home(run: &Run) -> Eye {
    let layout = layout(run);
    Eye::new(Sight::new(&layout, &Camera::home(layout.limits())))
}

#[test]
fn of_a_large_fabric_a_frame_is_a_sample_at_first_and_exact_soon() {
    let mut run = run();
    run.sim.run_until(Time::from_us(6));
    let (mut eye, mut frame) = (home(&run), Frame::default());
    let mut looks = 0;
    loop {
        eye.look(&mut run, false, &mut frame);
        looks += 1;
        if frame.head.flags & frame::flags::COARSE == 0 {
            break;
        }
        assert!(looks < 10, "all links are looked at within a few frames");
    }
    assert!(looks > 1);
    let shown = *Grouping::new(run.sim.network().config().clos).shown();
    assert_eq!(frame.edges.len() as u32, shown.links());
    let in_flight = run.sim.summary().packets_in_flight;
    assert!(in_flight < u64::from(FEW), "few enough to be shown on bundles");
    assert_eq!(frame.packets.len() as u64, in_flight);
    // The receiver's T0 is the busiest of all.
    let load = |edge: u32| frame.edge(edge).expect("drawn").load;
    let t0 = 9000 / 64 * 16 / 256;
    assert!((0..8).any(|t1| load(shown.down(0, t1, t0)) > 0));
    assert!((0..8).all(|t1| load(shown.down(0, t1, 15 - t0)) <= load(shown.down(0, t1, t0))));
}

#[test]
fn what_has_not_had_its_turn_is_not_as_it_was_at_the_start() {
    let mut run = run();
    let (mut eye, mut frame) = (home(&run), Frame::default());
    eye.look(&mut run, false, &mut frame);
    assert!(frame.edges.iter().all(|edge| edge.load == 0));
    run.sim.run_until(Time::from_us(6));
    eye.look(&mut run, false, &mut frame);
    assert_ne!(
        frame.head.flags & frame::flags::COARSE,
        0,
        "it has not seen all links"
    );
    let per_plane = frame.edges.len() / 2;
    let busy = |edge: &&Edge| edge.load > 0 || edge.queue > 0;
    assert!(
        frame.edges[per_plane..].iter().filter(busy).count() > 0,
        "the last plane too"
    );
}

#[test]
fn with_more_time_one_look_sees_every_link() {
    let mut run = run();
    run.sim.run_until(Time::from_us(20));
    let (mut eye, mut frame) = (home(&run), Frame::default());
    eye.look(&mut run, false, &mut frame);
    assert_ne!(
        frame.head.flags & frame::flags::COARSE,
        0,
        "not all of it is seen at once"
    );
    eye.set_effort(MOST_EFFORT);
    eye.look(&mut run, false, &mut frame);
    assert_eq!(frame.head.flags & frame::flags::COARSE, 0);
    // And as it is now: the load of each bundle is the mean of its links'.
    let (grouping, now) = (Grouping::new(run.sim.network().config().clos), run.sim.now());
    for edge in &frame.edges {
        let (mut sum, mut links) = (0.0, 0);
        grouping.each_link(edge.id, |link| {
            sum += run.loads.of(run.sim.network(), link, now);
            links += 1;
        });
        let mean = sum / f64::from(links) * 255.0;
        assert!((mean - f64::from(edge.load)).abs() <= 16.0, "{edge:?}: {mean}");
    }
}

#[test]
fn no_fault_is_missed_however_many_links_are_one() {
    let mut run = run();
    run.sim.run_until(Time::from_us(2));
    let (mut eye, mut frame) = (home(&run), Frame::default());
    eye.look(&mut run, false, &mut frame);
    let grouping = Grouping::new(run.sim.network().config().clos);
    let (clos, shown) = (grouping.real(), grouping.shown());
    let dead = grouping.edge(clos.up(1, 200, 7));
    let lossy = grouping.edge(clos.nic_down(0, 9000));
    for edge in &frame.edges {
        let expected = if edge.id == dead || edge.id == shown.reverse(dead) {
            frame::state::DOWN
        } else if edge.id == lossy || edge.id == shown.reverse(lossy) {
            frame::state::LOSSY
        } else {
            0
        };
        assert_eq!(edge.state, expected, "{edge:?}");
    }
    let switch = frame::Ailing {
        plane: 0,
        tier: 1,
        what: frame::ailment::DEAD,
        index: 255,
    };
    assert_eq!(frame.ailing, [switch]);
}

/// A reboot names no link, but takes down all 256 of its T1; each stands in a bundle with others.
#[test]
fn what_a_fault_breaks_without_naming_it_is_not_missed() {
    let mut run = run();
    run.sim.run_until(Time::from_us(2));
    let (mut eye, mut frame) = (home(&run), Frame::default());
    eye.look(&mut run, false, &mut frame);
    let is_down = |frame: &Frame| {
        let down = |edge: &&Edge| edge.state & frame::state::DOWN != 0;
        frame.edges.iter().filter(down).count()
    };
    assert_eq!(is_down(&frame), 2, "one bundle, both directions");
    let reboot = r#"{"kind": "switch_reboot", "switch": "p0/t1.3", "duration": "1us"}"#;
    run.sim
        .inject(serde_json::from_str(reboot).expect("a fault"))
        .expect("a switch of the fabric");
    run.sim.run_until(Time::from_us(2) + Time(1));
    eye.look(&mut run, false, &mut frame);
    let t0s = Grouping::new(run.sim.network().config().clos).shown().t0s as usize;
    assert_eq!(is_down(&frame), 2 + 2 * t0s, "a bundle of each group of T0s");
    run.sim.run_until(Time::from_us(4));
    eye.look(&mut run, false, &mut frame);
    assert_eq!(is_down(&frame), 2);
}

#[test]
fn single_links_are_seen_with_their_packets_once_groups_are_open() {
    let mut run = run();
    run.sim.run_until(Time::from_us(8));
    let layout = layout(&run);
    let whole = Sight::new(&layout, &Camera::home(layout.limits()));
    let grouping = whole.grouping();
    let receiver = view::layout::Node {
        plane: 0,
        row: view::layout::Row::Nic,
        index: grouping.nic(9000),
    };
    // Come nearer and nearer to the receiver until it stands alone.
    let mut camera = Camera::home(layout.limits());
    let mut at = whole.centre(receiver);
    for _ in 0..60 {
        camera = camera.zoomed(1.2, at, layout.size());
        let sight = Sight::new(&layout, &camera);
        at = sight.centre(view::layout::Node {
            index: sight.grouping().nic(9000),
            ..receiver
        });
        at = Point::new(at.x.clamp(0.0, 1200.0), at.y.clamp(0.0, 600.0));
    }
    let sight = Sight::new(&layout, &camera);
    assert!(!sight.grouping().is_grouped());
    let down = sight.shown().nic_down(0, 9000);
    let (mut eye, mut frame) = (Eye::new(sight), Frame::default());
    eye.look(&mut run, false, &mut frame);
    assert_ne!(frame.head.level, Level::default());
    assert_eq!(frame.head.flags & frame::flags::COARSE, 0);
    let edge = frame.edge(down).expect("the receiver's link is drawn");
    let drawn = frame.packets.iter().filter(|packet| packet.edge == down);
    let mut there = 0;
    run.sim.packets_on(down, |_, _, _| there += 1);
    assert!(there > 0 && edge.load > 0);
    assert_eq!(drawn.count(), there);
    assert!(frame.edges.len() < 10_000, "the rest is out of sight");
}

#[test]
fn drops_and_trims_flash_once_with_their_number() {
    let mut run = run();
    let (mut eye, mut frame) = (home(&run), Frame::default());
    let (mut flashed, mut looks) = (0, 0);
    while run.sim.now() < Time::from_us(40) {
        run.sim.run_until(Time(run.sim.now().ps() + 4_000_000));
        eye.look(&mut run, false, &mut frame);
        flashed += frame
            .flashes
            .iter()
            .map(|flash| u64::from(flash.count))
            .sum::<u64>();
        looks += 1;
    }
    let counters = run.sim.network().counters();
    let happened = counters.drops.iter().sum::<u64>() + counters.trims + counters.trims_last_hop;
    assert!(happened > 0 && looks > 5);
    assert_eq!(flashed, happened);
    eye.look(&mut run, false, &mut frame);
    assert!(frame.flashes.is_empty());
}
