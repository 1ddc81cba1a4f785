//! How much memory this process has used.

/// The largest resident size so far in bytes, where the operating system tells it.
pub fn peak_bytes() -> Option<u64> {
    parse(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// Reads the line `VmHWM:  1234 kB` of Linux's process status.
fn parse(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_peak() {
        assert_eq!(
            parse("VmPeak:\t  900 kB\nVmHWM:\t   1234 kB\nThreads:\t1\n"),
            Some(1234 * 1024)
        );
        assert_eq!(parse("VmHWM:\t lots kB\n"), None);
        assert_eq!(parse(""), None);
    }
}
