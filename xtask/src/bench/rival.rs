//! What the peer simulator needed for the same cases.

use anyhow::{Context, Result, bail};

/// The balancer whose runs are compared with ours: both steer by what they learn about each path.
const BALANCER: &str = "bitmap";

/// Elements that the peer counts for a packet between two racks: queues and links.
const PEER_HOPS: u64 = 7;
/// Links that such a packet crosses, which is what we count.
const LINKS: u64 = 4;

/// One line of the peer's results.
#[derive(Clone, Debug, PartialEq)]
pub struct Peer {
    /// Seconds that its process took.
    pub seconds: f64,
    /// Largest memory in MB.
    pub peak_mb: f64,
    /// Data packets, retransmissions, ACKs and NACKs.
    pub packets: u64,
}

impl Peer {
    /// Packet-hops as we count them.
    pub fn packet_hops(&self) -> u64 {
        self.packets * LINKS
    }
}

/// The peer's run of a connection matrix, from `results.csv`.
pub fn find(csv: &str, matrix: &str) -> Result<Option<Peer>> {
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().context("the file is empty")?.split(',').collect();
    for (line, number) in lines.zip(2..) {
        let values: Vec<&str> = line.split(',').collect();
        let text = |name: &str| {
            let column = names.iter().position(|&n| n == name);
            let value = column.and_then(|column| values.get(column)).copied();
            value.with_context(|| format!("line {number} has no {name}"))
        };
        if text("matrix")? == matrix && text("balancer")? == BALANCER {
            return peer(text).with_context(|| format!("line {number}")).map(Some);
        }
    }
    Ok(None)
}

fn peer<'a>(text: impl Fn(&str) -> Result<&'a str>) -> Result<Peer> {
    let mut packets = 0;
    for kind in ["data_packets", "retransmissions", "acks", "nacks"] {
        packets += text(kind)?.parse::<u64>().context(kind.to_owned())?;
    }
    let hops: u64 = text("packet_hops")?.parse().context("packet_hops")?;
    if hops != packets * PEER_HOPS {
        bail!(
            "{hops} packet-hops are not {PEER_HOPS} for each of {packets} packets: they cannot be converted"
        );
    }
    Ok(Peer {
        seconds: text("seconds")?.parse().context("seconds")?,
        peak_mb: text("peak_mb")?.parse().context("peak_mb")?,
        packets,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &str = "matrix,balancer,data_packets,retransmissions,acks,nacks,packet_hops,seconds,peak_mb\n\
        a.cm,reps,1,0,0,0,7,1.0,1.0\n\
        a.cm,bitmap,10,2,3,1,112,0.5,19.5\n\
        b.cm,bitmap,10,2,3,1,111,0.5,19.5\n\
        c.cm,bitmap,10\n";

    #[test]
    fn the_steering_balancers_run_is_found() {
        let peer = find(CSV, "a.cm").unwrap().unwrap();
        assert_eq!((peer.packets, peer.packet_hops()), (16, 64));
        assert_eq!((peer.seconds, peer.peak_mb), (0.5, 19.5));
        assert_eq!(find(CSV, "d.cm").unwrap(), None);
    }

    #[test]
    fn what_cannot_be_converted_is_refused() {
        let error = format!("{:#}", find(CSV, "b.cm").unwrap_err());
        assert!(error.starts_with("line 4: 111 packet-hops are not 7"), "{error}");
        let error = format!("{:#}", find(CSV, "c.cm").unwrap_err());
        assert!(error.contains("line 5 has no retransmissions"), "{error}");
        assert!(find("", "a.cm").is_err());
    }

    #[test]
    fn the_recorded_results_have_both_matrices() {
        let csv = std::fs::read_to_string(crate::root().join("tests/peer/results.csv")).unwrap();
        for matrix in ["perm_shift64_n128_2000000.cm", "perm_shift512_n1024_2000000.cm"] {
            assert!(find(&csv, matrix).unwrap().is_some(), "{matrix}");
        }
    }
}
