//! Source NAT: pools of addresses and ports, and who has which.

use gft::{Address, Protocol, Tuple};
use std::collections::BTreeMap;

/// Ports are reserved in aligned blocks of this many by load-balancing and NAT rules (facts/accelnet.md, section 6.4).
pub const BLOCK: u16 = 8;

/// Ports that each VM of a backend pool of this many VMs gets of a frontend address, where nothing else is configured
/// (documented, facts/accelnet.md, section 6.4). `None` above 1,000 VMs, for which nothing is documented.
pub const fn default_ports(vms: u32) -> Option<u16> {
    match vms {
        0..=50 => Some(1_024),
        51..=100 => Some(512),
        101..=200 => Some(256),
        201..=400 => Some(128),
        401..=800 => Some(64),
        801..=1_000 => Some(32),
        _ => None,
    }
}

/// One public address and the ports of it that this VM may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontend {
    /// The address.
    pub address: Address,
    /// The lowest port.
    pub first_port: u16,
    /// The highest port.
    pub last_port: u16,
    /// Ports of load-balancing and NAT rules: the [`BLOCK`] around each is not used.
    pub reserved: Vec<u16>,
}

impl Frontend {
    /// The usable ports as ranges, ascending.
    fn usable(&self) -> Vec<(u16, u16)> {
        let mut blocks: Vec<u16> = self.reserved.iter().map(|port| port / BLOCK).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let mut out = Vec::new();
        let mut from = u32::from(self.first_port);
        for block in blocks {
            let start = u32::from(block * BLOCK);
            let end = start + u32::from(BLOCK);
            if end <= from || start > u32::from(self.last_port) {
                continue;
            }
            if start > from {
                out.push((from as u16, (start - 1) as u16));
            }
            from = end;
        }
        if from <= u32::from(self.last_port) {
            out.push((from as u16, self.last_port));
        }
        out
    }
}

/// A SNAT pool. Frontends are used one at a time: the next only when the one before has no port left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolSpec {
    /// Its name.
    pub name: String,
    /// The frontends, in the order in which they are used.
    pub frontends: Vec<Frontend>,
}

/// A pool with its usable ports worked out.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    frontends: Vec<(Address, Vec<(u16, u16)>)>,
}

impl Pool {
    pub(crate) fn new(spec: &PoolSpec) -> Pool {
        let frontends = spec.frontends.iter().map(|f| (f.address, f.usable()));
        Pool {
            frontends: frontends.collect(),
        }
    }
}

/// An address and port that a flow has of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Binding {
    /// The pool's address.
    pub address: Address,
    /// The port.
    pub port: u16,
    scope: Scope,
}

/// Within what a port can't be given twice. A TCP port is reusable towards a different destination (documented); one of
/// another protocol is not (our choice: the shipped tool has UDP binding reuse as a flag).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Scope {
    protocol: Protocol,
    remote: Option<(Address, u16)>,
}

impl Scope {
    fn of(tuple: &Tuple) -> Scope {
        Scope {
            protocol: tuple.protocol,
            remote: (tuple.protocol == Protocol::TCP).then_some((tuple.dst, tuple.dst_port)),
        }
    }
}

/// The ports in use at one port's pools.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    /// Ascending ports, by address and scope.
    used: BTreeMap<(Address, Scope), Vec<u16>>,
    count: usize,
}

impl Bindings {
    /// The lowest free port of the first frontend that has one, for a flow with this tuple. Nothing is taken.
    pub(crate) fn find(&self, pool: &Pool, tuple: &Tuple) -> Option<Binding> {
        let scope = Scope::of(tuple);
        pool.frontends.iter().find_map(|(address, ranges)| {
            let used = self.used.get(&(*address, scope)).map_or(&[][..], Vec::as_slice);
            let port = ranges.iter().find_map(|&range| lowest_free(used, range))?;
            Some(Binding {
                address: *address,
                port,
                scope,
            })
        })
    }

    pub(crate) fn take(&mut self, binding: Binding) {
        let used = self.used.entry((binding.address, binding.scope)).or_default();
        if let Err(at) = used.binary_search(&binding.port) {
            used.insert(at, binding.port);
            self.count += 1;
        }
    }

    pub(crate) fn release(&mut self, binding: Binding) {
        let key = (binding.address, binding.scope);
        let Some(used) = self.used.get_mut(&key) else {
            return;
        };
        if let Ok(at) = used.binary_search(&binding.port) {
            used.remove(at);
            self.count -= 1;
        }
        if used.is_empty() {
            self.used.remove(&key);
        }
    }

    /// How many ports are taken, each destination of a reused one counted.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }
}

/// The lowest port of `first` to `last` that is not among `used`, which ascends. The used ports of the range begin with
/// `first, first + 1, …` without a gap up to the first free one, so that one is found by halving.
fn lowest_free(used: &[u16], (first, last): (u16, u16)) -> Option<u16> {
    let used = &used[used.partition_point(|&port| port < first)..];
    let (mut low, mut high) = (0, used.len());
    while low < high {
        let middle = (low + high) / 2;
        if usize::from(used[middle] - first) == middle {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let port = usize::from(first) + low;
    (port <= usize::from(last)).then_some(port as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: Address = Address::v4(20, 0, 0, 1);
    const SECOND: Address = Address::v4(20, 0, 0, 2);

    fn pool(frontends: &[(Address, u16, u16, &[u16])]) -> Pool {
        let frontend = |&(address, first_port, last_port, reserved): &(Address, u16, u16, &[u16])| Frontend {
            address,
            first_port,
            last_port,
            reserved: reserved.to_vec(),
        };
        Pool::new(&PoolSpec {
            name: "p".into(),
            frontends: frontends.iter().map(frontend).collect(),
        })
    }

    fn to(protocol: Protocol, last_byte: u8, dst_port: u16) -> Tuple {
        Tuple {
            src: Address::v4(10, 0, 0, 4),
            dst: Address::v4(8, 8, 8, last_byte),
            src_port: 50_000,
            dst_port,
            protocol,
        }
    }

    /// The documented ladder, at both ends of every step.
    #[test]
    fn default_ports_by_pool_size() {
        let ladder = [1, 50, 51, 100, 101, 200, 201, 400, 401, 800, 801, 1_000, 1_001].map(default_ports);
        let want = [
            Some(1024),
            Some(1024),
            Some(512),
            Some(512),
            Some(256),
            Some(256),
            Some(128),
            Some(128),
            Some(64),
            Some(64),
            Some(32),
            Some(32),
            None,
        ];
        assert_eq!(ladder, want);
    }

    /// A rule on port 1030 blocks 1024 to 1031; one on 443 lies outside the ports of the VM.
    #[test]
    fn rules_take_blocks_of_eight() {
        let usable = |first_port, last_port, reserved: &[u16]| {
            Frontend {
                address: PUBLIC,
                first_port,
                last_port,
                reserved: reserved.to_vec(),
            }
            .usable()
        };
        assert_eq!(usable(1_024, 2_047, &[1_030, 443]), [(1_032, 2_047)]);
        assert_eq!(usable(1_024, 1_039, &[1_035, 1_032]), [(1_024, 1_031)]);
        assert_eq!(usable(1_024, 1_031, &[1_024]), []);
        assert_eq!(usable(65_520, 65_535, &[65_535]), [(65_520, 65_527)]);
    }

    /// Two ports: the third TCP connection to one destination finds none, another destination or port reuses them.
    #[test]
    fn a_tcp_port_is_reused_towards_another_destination() {
        let pool = pool(&[(PUBLIC, 1_024, 1_025, &[])]);
        let mut bindings = Bindings::default();
        for port in [1_024, 1_025] {
            let found = bindings.find(&pool, &to(Protocol::TCP, 1, 443)).unwrap();
            assert_eq!(found.port, port);
            bindings.take(found);
        }
        assert_eq!(bindings.find(&pool, &to(Protocol::TCP, 1, 443)), None);
        for other in [to(Protocol::TCP, 2, 443), to(Protocol::TCP, 1, 80)] {
            assert_eq!(bindings.find(&pool, &other).map(|b| b.port), Some(1_024));
        }
    }

    #[test]
    fn a_udp_port_is_not_reused() {
        let pool = pool(&[(PUBLIC, 1_024, 1_024, &[])]);
        let mut bindings = Bindings::default();
        bindings.take(bindings.find(&pool, &to(Protocol::UDP, 1, 53)).unwrap());
        assert_eq!(bindings.find(&pool, &to(Protocol::UDP, 2, 53)), None);
        assert!(bindings.find(&pool, &to(Protocol::TCP, 1, 53)).is_some());
    }

    #[test]
    fn frontends_are_used_one_at_a_time_and_a_released_port_comes_back() {
        let pool = pool(&[(PUBLIC, 1_024, 1_024, &[]), (SECOND, 2_000, 2_001, &[2_001])]);
        let mut bindings = Bindings::default();
        let tuple = to(Protocol::TCP, 1, 443);
        let first = bindings.find(&pool, &tuple).unwrap();
        bindings.take(first);
        assert_eq!(
            bindings.find(&pool, &tuple),
            None,
            "the second frontend's block is reserved"
        );
        bindings.release(first);
        assert_eq!(bindings.find(&pool, &tuple), Some(first));
        assert_eq!((bindings.count(), bindings.used.len()), (0, 0));
    }

    #[test]
    fn the_lowest_free_port_is_found_by_halving() {
        assert_eq!(lowest_free(&[], (5, 9)), Some(5));
        assert_eq!(lowest_free(&[1, 5, 6, 8], (5, 9)), Some(7));
        assert_eq!(lowest_free(&[5, 6, 7, 8, 9, 20], (5, 9)), None);
        assert_eq!(lowest_free(&[65_534], (65_534, 65_535)), Some(65_535));
        assert_eq!(lowest_free(&[65_534, 65_535], (65_534, 65_535)), None);
    }
}
