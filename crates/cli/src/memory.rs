//! How much memory this process uses, and how much there is.

/// The largest resident size so far in bytes, where the operating system tells it (Linux does).
pub fn peak_bytes() -> Option<u64> {
    read("/proc/self/status", "VmHWM:")
}

/// The resident size in bytes, where the operating system tells it.
pub fn resident_bytes() -> Option<u64> {
    read("/proc/self/status", "VmRSS:")
}

/// Bytes that can be used before the machine begins to swap, where the operating system tells it.
pub fn available_bytes() -> Option<u64> {
    read("/proc/meminfo", "MemAvailable:")
}

fn read(path: &str, name: &str) -> Option<u64> {
    parse(&std::fs::read_to_string(path).ok()?, name)
}

/// Reads a line such as `VmHWM:  1234 kB`.
fn parse(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_line() {
        let text = "VmPeak:\t  900 kB\nVmHWM:\t   1234 kB\nThreads:\t1\n";
        assert_eq!(parse(text, "VmHWM:"), Some(1234 * 1024));
        assert_eq!(parse(text, "VmPeak:"), Some(900 * 1024));
        assert_eq!(parse("VmHWM:\t lots kB\n", "VmHWM:"), None);
        assert_eq!(parse("", "VmHWM:"), None);
    }
}
