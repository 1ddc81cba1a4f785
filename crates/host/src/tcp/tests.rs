//! Two ends on a simulated line.

use super::*;
use kernel::rng::{chance, draw, threshold};

const SETTINGS: Settings = Settings {
    mss: 1_460,
    window: 1 << 20,
    initial_window: 10,
    min_rto: Time::from_ms(200),
    delayed_ack: Time::from_ms(40),
    syn_retries: 6,
    retries: 15,
};

/// One-way delay of the line.
const DELAY: Time = Time::from_us(50);

struct Line {
    ends: [Tcp; 2],
    now: Time,
    // Arrival, towards which end, segment; in order of arrival.
    flying: Vec<(Time, usize, Segment)>,
    sent: [Vec<Segment>; 2],
    // The server closes as soon as its client has.
    server_follows: bool,
}

impl Line {
    fn new() -> Line {
        Line {
            ends: [Tcp::connect(&SETTINGS), Tcp::listen(&SETTINGS)],
            now: Time::ZERO,
            flying: Vec::new(),
            sent: [Vec::new(), Vec::new()],
            server_follows: false,
        }
    }

    /// Runs until nothing is left to do or `until`; `lose` says of the n-th segment of an end whether it is lost.
    fn run(&mut self, until: Time, mut lose: impl FnMut(usize, usize, &Segment) -> bool) {
        loop {
            for end in 0..2 {
                while let Some(segment) = self.ends[end].poll(self.now, &SETTINGS) {
                    let lost = lose(end, self.sent[end].len(), &segment);
                    self.sent[end].push(segment);
                    if !lost {
                        self.flying.push((self.now + DELAY, 1 - end, segment));
                    }
                }
            }
            let arrival = self.flying.first().map_or(Time::MAX, |f| f.0);
            let timer = self.ends[0].deadline().min(self.ends[1].deadline());
            let next = arrival.min(timer);
            if next > until || next == Time::MAX {
                return;
            }
            self.now = next;
            if arrival == next {
                let (_, end, segment) = self.flying.remove(0);
                self.ends[end].on_segment(self.now, &segment, &SETTINGS);
                self.ends[end].note_close_order();
                if self.server_follows && self.ends[1].peer_closed() {
                    self.ends[1].close();
                }
            } else {
                for end in &mut self.ends {
                    end.on_timer(next, &SETTINGS);
                }
            }
        }
    }
}

fn flags(segments: &[Segment]) -> Vec<u8> {
    segments.iter().map(|s| s.flags.0).collect()
}

/// Facts 5.2 (DASH): a connection without data has six packets: SYN, SYN-ACK, ACK, FIN, FIN-ACK, ACK. The server closes when it
/// learns that its client has.
#[test]
fn a_connection_without_data_has_six_packets() {
    let mut line = Line::new();
    line.run(Time::from_ms(1), |_, _, _| false);
    line.ends[0].close();
    line.server_follows = true;
    line.run(Time::from_ms(2), |_, _, _| false);
    let (syn, syn_ack, ack, fin_ack) = (0x02, 0x12, 0x10, 0x11);
    assert_eq!(flags(&line.sent[0]), [syn, ack, fin_ack, ack]);
    assert_eq!(flags(&line.sent[1]), [syn_ack, fin_ack]);
    assert!(line.ends.iter().all(Tcp::is_over));
}

#[test]
fn states_of_an_orderly_end() {
    let mut line = Line::new();
    assert_eq!(
        (line.ends[0].state(), line.ends[1].state()),
        (State::SynSent, State::Listen)
    );
    line.run(Time::from_ms(1), |_, _, _| false);
    assert_eq!(line.ends[1].state(), State::Established);
    line.ends[0].close();
    line.run(Time::from_ms(2), |_, _, _| false);
    assert_eq!(
        (line.ends[0].state(), line.ends[1].state()),
        (State::FinWait2, State::CloseWait)
    );
    line.ends[1].close();
    line.run(Time::from_ms(3), |_, _, _| false);
    assert_eq!(
        (line.ends[0].state(), line.ends[1].state()),
        (State::TimeWait, State::Closed)
    );
}

#[test]
fn a_lone_segment_is_acknowledged_late_and_two_at_once() {
    let mut line = Line::new();
    line.run(Time::from_ms(1), |_, _, _| false);
    line.ends[0].write(100);
    line.run(Time::from_us(1_060), |_, _, _| false);
    let before = line.sent[1].len();
    assert_eq!(line.ends[1].delivered(), 100);
    // The acknowledgment waits for 40 ms.
    line.run(Time::from_ms(40), |_, _, _| false);
    assert_eq!(line.sent[1].len(), before);
    line.run(Time::from_ms(50), |_, _, _| false);
    assert_eq!(line.sent[1].len(), before + 1);
    line.ends[0].write(2 * 1_460);
    let now = line.now;
    line.run(now + Time::from_us(150), |_, _, _| false);
    assert_eq!(line.sent[1].len(), before + 2);
    assert_eq!(line.ends[0].acknowledged(), 100 + 2_920);
}

/// Segment 5 of the first window is lost: three segments above it are reported by SACK, it alone goes out again, and the window
/// is reduced once, without a timeout.
#[test]
fn a_single_loss_is_repaired_without_a_timeout() {
    let mut line = Line::new();
    line.ends[0].write(100_000);
    let mut lost = None;
    line.run(Time::from_ms(100), |end, n, segment| {
        let lose = end == 0 && n == 6 && lost.is_none();
        if lose {
            lost = Some(segment.seq);
        }
        lose
    });
    let lost = lost.expect("the seventh segment");
    assert_eq!(line.ends[1].delivered(), 100_000);
    assert_eq!((line.ends[0].retransmissions(), line.ends[0].timeouts()), (1, 0));
    let again: Vec<u64> = line.sent[0]
        .iter()
        .filter(|s| s.seq == lost && s.len > 0)
        .map(|s| s.seq)
        .collect();
    assert_eq!(again.len(), 2);
}

/// The retransmission is lost, too: data sent after it is reported, and so it goes out once more, without a timeout.
#[test]
fn a_lost_retransmission_is_noticed() {
    let mut line = Line::new();
    line.ends[0].write(300_000);
    let mut lost = 0;
    line.run(Time::from_ms(100), |end, _, segment| {
        let lose = end == 0 && segment.len > 0 && segment.seq == 1 + 5 * 1_460 && lost < 2;
        lost += u32::from(lose);
        lose
    });
    assert_eq!((lost, line.ends[1].delivered()), (2, 300_000));
    assert_eq!((line.ends[0].retransmissions(), line.ends[0].timeouts()), (2, 0));
}

/// RFC 6298: the first SYN is sent again after 1 s, the second after 2 s more, and so on.
#[test]
fn a_syn_without_an_answer_backs_off_and_fails() {
    let mut line = Line::new();
    line.run(Time::MAX, |_, _, _| true);
    assert_eq!(line.ends[0].failure(), Some(Failure::NoAnswer));
    assert_eq!(line.sent[0].len(), 7, "one and six retries");
    // 1 + 2 + 4 + 8 + 16 + 32 + 60 (the limit): 123 s.
    assert_eq!(line.now, Time(123_000_000_000_000));
}

#[test]
fn a_reset_ends_it() {
    let mut line = Line::new();
    line.run(Time::from_ms(1), |_, _, _| false);
    let reset = Segment {
        flags: TcpFlags::RST,
        ..Segment::default()
    };
    line.ends[0].on_segment(line.now, &reset, &SETTINGS);
    assert_eq!(line.ends[0].failure(), Some(Failure::Reset));
    assert_eq!(line.ends[0].poll(line.now, &SETTINGS), None);
    assert_eq!(line.ends[0].deadline(), Time::MAX);
}

/// Under any loss each byte arrives once and in order, both ways, and both ends close.
#[test]
fn nothing_is_lost_under_random_loss() {
    for seed in 0..40u64 {
        let mut line = Line::new();
        line.ends[0].write(200_000);
        line.ends[1].write(70_000);
        line.ends[0].close();
        line.ends[1].close();
        let rate = threshold(0.01 * (seed % 10) as f64);
        let mut n = 0;
        line.run(Time(600_000_000_000_000), |_, _, _| {
            n += 1;
            chance(draw(seed, n), rate)
        });
        assert_eq!(
            (line.ends[1].delivered(), line.ends[0].delivered()),
            (200_000, 70_000),
            "seed {seed}"
        );
        assert!(line.ends.iter().all(Tcp::is_over), "seed {seed}");
        assert!(line.ends.iter().all(|e| e.failure().is_none()), "seed {seed}");
    }
}
