//! Numbers for people: three or four figures, a unit that fits, digits that stay in place while they change.

/// What parts groups of three digits, in all texts of the page: it breaks no line.
const THIN: char = '\u{202f}';

const TIMES: [(&str, f64); 5] = [("ps", 1.0), ("ns", 1e3), ("µs", 1e6), ("ms", 1e9), ("s", 1e12)];

/// The unit and its length in ps in which times up to `longest` ps are easily read.
fn time_unit(longest: f64) -> (&'static str, f64) {
    TIMES
        .into_iter()
        .rev()
        .find(|&(_, size)| longest >= size)
        .unwrap_or(TIMES[0])
}

/// A running clock, exact to the nanosecond: `412.350 µs`.
pub fn clock(ps: u64) -> String {
    // Below ten thousand of a unit are still easily read.
    let (unit, size, digits) = match ps {
        0..10_000_000_000 => ("µs", 1e6, 3),
        10_000_000_000..10_000_000_000_000 => ("ms", 1e9, 6),
        _ => ("s", 1e12, 9),
    };
    format!("{} {unit}", grouped(&format!("{:.digits$}", ps as f64 / size)))
}

/// A running clock in the unit of its end, exact to the nanosecond: `0.412350 ms` where the end is `5 ms`. Of more than three decimals,
/// three that are zeros at the end say nothing and are left out: `5.000 ms`.
pub fn clock_of(ps: u64, end: u64) -> String {
    let (unit, size) = time_unit((end as f64).max(1e6));
    let digits = match unit {
        "µs" => 3,
        "ms" => 6,
        _ => 9,
    };
    let mut number = format!("{:.digits$}", ps as f64 / size);
    for _ in 1..digits / 3 {
        if number.ends_with("000") {
            number.truncate(number.len() - 3);
        }
    }
    format!("{number} {unit}")
}

/// A count of things: `1 pair`, `2 pairs`.
pub fn things(n: u64, thing: &str) -> String {
    format!("{} {thing}{}", count(n), if n == 1 { "" } else { "s" })
}

/// A span of time in ps, to four figures: `8.337 µs`.
pub fn span(ps: f64) -> String {
    let (unit, size) = time_unit(ps);
    format!("{} {unit}", figures(ps / size, 4))
}

/// A round span of time in ps, as on an axis: `1.5 ms`.
pub fn round_span(ps: f64) -> String {
    let (unit, size) = time_unit(ps);
    let number = figures(ps / size, 4);
    let number = if number.contains('.') {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        &number
    };
    format!("{number} {unit}")
}

/// A time in ps, exact enough to tell it from one that is `step` ps away: `412.005 µs` in steps of 5 ns.
pub fn moment(ps: u64, step: f64) -> String {
    let (unit, size) = time_unit((ps as f64).max(1e3));
    let mut digits = 0;
    let mut last = size;
    while last > step.max(1.0) * (1.0 + 1e-9) && digits < 12 {
        last /= 10.0;
        digits += 1;
    }
    // In whole picoseconds: a long run's time has more figures than a float.
    let size = size as u64;
    let (whole, part) = (ps / size, ps % size);
    if digits == 0 {
        return format!("{whole} {unit}");
    }
    // Cut off, not rounded: a moment is not said to be later than it is.
    let part = format!("{part:0>width$}", width = size.ilog10() as usize);
    let part = &part[..digits.min(part.len())];
    format!("{whole}.{part} {unit}")
}

/// A speed of playing in simulated ps per second: `10 µs/s`.
pub fn speed(ps_per_s: f64) -> String {
    let (unit, size) = time_unit(ps_per_s);
    format!("{} {unit}/s", figures(ps_per_s / size, 3))
}

/// A rate in bits per second: `372.4 Gb/s`.
pub fn rate(bps: f64) -> String {
    scaled(bps, 1000.0, &["b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s", "Pb/s"], 4)
}

/// A number of bytes: `41.9 kB`.
pub fn bytes(bytes: f64) -> String {
    scaled(bytes, 1000.0, &["B", "kB", "MB", "GB", "TB", "PB"], 3)
}

/// Something per second: `5.21 M/s`.
pub fn per_second(count: f64) -> String {
    let text = scaled(count, 1000.0, &["", "k", "M", "G", "T"], 3);
    format!(
        "{}/s",
        if text.ends_with(' ') {
            text.trim_end()
        } else {
            &text
        }
    )
}

/// A share of one: `96.1 %`.
pub fn percent(share: f64) -> String {
    format!("{} %", figures(share * 100.0, 3))
}

/// A whole number with thin spaces between groups of three digits.
pub fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// Thin spaces between groups of three digits before the point of a number; digits after it stay as they are.
pub fn grouped(number: &str) -> String {
    let start = number.find(|c: char| c.is_ascii_digit()).unwrap_or(number.len());
    let end = number[start..]
        .find(|c: char| !c.is_ascii_digit())
        .map_or(number.len(), |length| start + length);
    let whole = &number[start..end];
    let mut text = String::with_capacity(number.len() * 2);
    text.push_str(&number[..start]);
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            text.push(THIN);
        }
        text.push(digit);
    }
    text.push_str(&number[end..]);
    text
}

/// A text in which commas that part groups of three digits are thin spaces, as everywhere on the page.
pub fn regrouped(text: &str) -> String {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let parts_groups = |at: usize| {
        let after = (1..=3).all(|by| is_digit(at + by)) && !is_digit(at + 4);
        after && at > 0 && is_digit(at - 1)
    };
    let mut grouped = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        match character {
            ',' if parts_groups(at) => grouped.push(THIN),
            other => grouped.push(other),
        }
    }
    grouped
}

fn scaled(value: f64, base: f64, units: &[&str], n: usize) -> String {
    let mut value = value;
    let mut unit = 0;
    // Round before the comparison: 999.96 is 1.000 of the next unit.
    while value.abs() >= base * (1.0 - 0.5 * 10f64.powi(-(n as i32))) && unit + 1 < units.len() {
        value /= base;
        unit += 1;
    }
    let n = if unit == 0 && value.fract() == 0.0 { 1 } else { n };
    format!("{} {}", figures(value, n), units[unit])
}

/// A number to `n` figures, without an exponent; whole numbers keep all their digits.
pub fn figures(value: f64, n: usize) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    let magnitude = value.abs();
    let mut whole_digits = 1;
    let mut limit = 10.0;
    while magnitude >= limit && whole_digits < 20 {
        whole_digits += 1;
        limit *= 10.0;
    }
    if magnitude > 0.0 && magnitude.fract() == 0.0 {
        return grouped(&format!("{value:.0}"));
    }
    if magnitude == 0.0 {
        return "0".into();
    }
    grouped(&format!("{value:.*}", n.saturating_sub(whole_digits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(clock(0), "0.000 µs");
        assert_eq!(clock(412_350_000), "412.350 µs");
        assert_eq!(clock(20_412_350_000), "20.412350 ms");
        assert_eq!(clock(12_020_412_350_000), "12.020412350 s");
        // In the unit of the end, whatever has passed.
        assert_eq!(clock_of(5_000_000_000, 5_000_000_000), "5.000 ms");
        assert_eq!(clock_of(412_350_000, 5_000_000_000), "0.412350 ms");
        assert_eq!(clock_of(1_000_000_000_000, 1_000_000_000_000), "1.000 s");
        assert_eq!(clock_of(110_000_000_000, 1_000_000_000_000), "0.110 s");
        assert_eq!(clock_of(126_834_917_000, 1_000_000_000_000), "0.126834917 s");
        assert_eq!(clock_of(500_000, 900_000), "0.500 µs");
        assert_eq!(clock_of(1_000_000, 9_000_000), "1.000 µs");
        assert_eq!(span(8_337_000.0), "8.337 µs");
        assert_eq!(span(500_000.0), "500 ns");
        assert_eq!(span(0.0), "0 ps");
        assert_eq!(round_span(1.5e9), "1.5 ms");
        assert_eq!(round_span(200e6), "200 µs");
        // A third of a nanosecond off is a rounding error of the axis.
        assert_eq!(round_span(1.500_000_3e9), "1.5 ms");
        assert_eq!(speed(10_000_000.0), "10 µs/s");
        assert_eq!(speed(1e12), "1 s/s");
        assert_eq!(speed(3_217_000.0), "3.22 µs/s");
    }

    #[test]
    fn moments_are_as_exact_as_asked_for() {
        assert_eq!(moment(412_005_000, 5_000.0), "412.005 µs");
        assert_eq!(moment(412_005_250, 10.0), "412.00525 µs");
        assert_eq!(moment(412_005_250, 1.0), "412.005250 µs");
        assert_eq!(moment(412_999_999, 1e6), "412 µs");
        assert_eq!(moment(1_500_300_000, 1e5), "1.5003 ms");
        assert_eq!(moment(0, 1_000.0), "0 ns");
        assert_eq!(moment(2_000_000_000_001, 1.0), "2.000000000001 s");
    }

    #[test]
    fn amounts() {
        assert_eq!(rate(372.44e9), "372.4 Gb/s");
        assert_eq!(rate(400e9), "400 Gb/s");
        assert_eq!(rate(999.99e9), "1.000 Tb/s");
        assert_eq!(rate(0.0), "0 b/s");
        assert_eq!(bytes(900.0), "900 B");
        assert_eq!(bytes(41_915.0), "41.9 kB");
        assert_eq!(per_second(5_214_000.0), "5.21 M/s");
        assert_eq!(per_second(12.0), "12/s");
        assert_eq!(percent(0.9612), "96.1 %");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(figures(f64::NAN, 3), "–");
    }

    #[test]
    fn large_counts_are_grouped() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(
            (things(1, "pair"), things(0, "pair")),
            ("1 pair".into(), "0 pairs".into())
        );
        assert_eq!(count(1234), "1\u{202f}234");
        assert_eq!(count(12_345_678), "12\u{202f}345\u{202f}678");
        assert_eq!(figures(12_157.0, 5), "12\u{202f}157");
        assert_eq!(figures(-4467.25, 5), "-4\u{202f}467.2");
        assert_eq!(figures(0.000_123_4, 3), "0.00");
        assert_eq!(clock(1_234_567_890), "1\u{202f}234.568 µs");
        assert_eq!(
            regrouped("2,097,152 packets, 1,000 of them; 1,2,3 and p0/t0.1,1024"),
            "2\u{202f}097\u{202f}152 packets, 1\u{202f}000 of them; 1,2,3 and p0/t0.1,1024"
        );
    }
}
