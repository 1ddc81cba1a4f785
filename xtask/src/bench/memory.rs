//! What a link, a QP and a packet cost in memory.

use serde::Deserialize;

/// The case that is measured: the largest, where everything else is lost in the noise.
pub const CASE: &str = "fabric";

/// Resident sizes of a process at points of its life, in bytes, and what it held.
#[derive(Clone, Debug, Deserialize)]
pub struct Memory {
    /// Before anything was built.
    pub program_bytes: u64,
    /// With the fabric and one QP.
    pub fabric_bytes: u64,
    /// With all QPs.
    pub built_bytes: u64,
    /// At the most.
    pub peak_bytes: u64,
    /// Directed links.
    pub links: u64,
    /// QPs.
    pub qps: u64,
    /// Packets in flight at the most.
    pub in_flight: u64,
    /// Size of a packet's own fields.
    pub packet_bytes: u64,
}

impl Memory {
    /// A table as Markdown.
    pub fn table(&self) -> String {
        let each = |upper: u64, lower: u64, count: u64| {
            format!("{:.0}", upper.saturating_sub(lower) as f64 / count.max(1) as f64)
        };
        let row = |what: &str, count: u64, bytes: String, how: &str| {
            format!(
                "| {what} | {} | **{bytes}** | {how} |\n",
                super::report::count(count)
            )
        };
        String::from(
            "\n### Memory by unit\n\n| Unit | How many | Bytes each | Measured as growth of the resident size |\n|---|--:|--:|---|\n",
        ) + &row(
            "directed link",
            self.links,
            each(self.fabric_bytes, self.program_bytes, self.links),
            "from the empty program to the fabric with one QP",
        ) + &row(
            "QP, both ends, with 128 EVs",
            self.qps,
            each(self.built_bytes, self.fabric_bytes, self.qps.saturating_sub(1)),
            "from one QP to all",
        ) + &row(
            "packet in flight",
            self.in_flight,
            each(self.peak_bytes, self.built_bytes, self.in_flight),
            &format!(
                "from before the run to its peak, with all that a running QP and a busy port keep; the fields alone are \
                     {} bytes",
                self.packet_bytes
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_differences_over_counts() {
        let table = Memory {
            program_bytes: 1_000,
            fabric_bytes: 65_000,
            built_bytes: 165_000,
            peak_bytes: 365_000,
            links: 1_000,
            qps: 101,
            in_flight: 2_000,
            packet_bytes: 56,
        }
        .table();
        for row in [
            "| directed link | 1,000 | **64** |",
            "| QP, both ends, with 128 EVs | 101 | **1000** |",
            "| packet in flight | 2,000 | **100** |",
        ] {
            assert!(table.contains(row), "{row}\n{table}");
        }
    }
}
