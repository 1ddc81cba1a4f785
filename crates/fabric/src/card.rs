//! What a fabric is made of and what a loss does to it: the figures by which the MRC paper compares designs (§2.2, facts 5), computed
//! from the topology as it is built.

use crate::clos::Clos;

/// A fabric's figures. Counts are of all planes together; rates and shares are of one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// NICs.
    pub nics: u32,
    /// Rate of a NIC, all its ports together, in bits per second.
    pub nic_bps: u64,
    /// Switches by tier: T0, T1, T2.
    pub switches: [u32; 3],
    /// Links by tier, both directions counted as one: NIC–T0, T0–T1, T1–T2.
    pub links: [u32; 3],
    /// Rates of those links, in bits per second.
    pub link_bps: [u64; 3],
    /// Switches on the longest path between two NICs.
    pub longest_path: u32,
    /// NICs that are one switch away from each other: those of a T0.
    pub nics_at_t0: u32,
    /// Paths between two NICs that are as far apart as can be, all planes together.
    pub paths: u32,
    /// Downlink rate by uplink rate of a T0, and of a T1 where there are T2s; 1 means no oversubscription.
    pub oversubscription: [Option<f64>; 2],
    /// What one half of the NICs can send to the other half at the same time, in bits per second, where each half has half of every
    /// tier.
    pub bisection_bps: u128,
    /// Rate of the ports of the largest switch together, in bits per second: the switches' capacity.
    pub switch_bps: u64,
    /// NICs that switches of that capacity with ports at the NIC links' rate can carry in as many tiers without oversubscription:
    /// r²/2 in two tiers and r³/4 in three, where r is the number of ports.
    pub most_nics: u64,
    /// What each kind of loss takes.
    pub losses: Vec<Loss>,
}

/// Something that is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lost {
    /// A link between a NIC and its T0.
    NicLink,
    /// A link between a T0 and a T1.
    T0T1Link,
    /// A link between a T1 and a T2.
    T1T2Link,
    /// A T0.
    T0,
    /// A T1.
    T1,
    /// A T2.
    T2,
    /// A NIC's transceiver, which all its ports share.
    NicTransceiver,
}

/// The blast radius of a loss: whom it concerns, and how much. Shares are of the capacity of the tier that is hit, so of what NICs
/// can send beyond their T0 when it is a T1 or a link to one, and beyond their pod when it is a T2 or a link to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// What is lost.
    pub what: Lost,
    /// NICs that are concerned.
    pub nics: u32,
    /// Of a link: its share of the uplinks of the NIC or switch below it. The paper's figure.
    pub of_uplinks: Option<f64>,
    /// The share that each NIC concerned loses.
    pub of_nic: f64,
    /// The share that all NICs together lose.
    pub of_fabric: f64,
}

impl Card {
    /// The figures of a fabric whose links have these rates, in bits per second and by tier: NIC–T0, T0–T1, T1–T2.
    pub fn of(clos: &Clos, link_bps: [u64; 3]) -> Card {
        let planes = clos.planes;
        let [nic_rate, t1_rate, t2_rate] = link_bps;
        let links = [
            planes * clos.nics(),
            planes * clos.t0s * clos.t1s_per_pod(),
            planes * clos.t1s * clos.t2s_per_t1(),
        ];
        let ports = |count: u32, rate: u64| u64::from(count) * rate;
        let t0 = [
            ports(clos.nics_per_t0, nic_rate),
            ports(clos.t1s_per_pod(), t1_rate),
        ];
        let t1 = [
            ports(clos.t0s_per_pod(), t1_rate),
            ports(clos.t2s_per_t1(), t2_rate),
        ];
        let t2 = if clos.t2s > 0 {
            ports(clos.pods, t2_rate)
        } else {
            0
        };
        let switch_bps = t0.iter().sum::<u64>().max(t1.iter().sum()).max(t2);
        // Tiers that packets go through: of links between switches only those that are needed.
        let needed = [true, clos.t0s > 1, clos.pods > 1];
        let across = (links.iter().zip(link_bps).zip(needed))
            .filter(|&(_, needed)| needed)
            .map(|((&links, rate), _)| u128::from(links) * u128::from(rate) / 2);
        let (first, last) = (0, clos.nics() - 1);
        Card {
            nics: clos.nics(),
            nic_bps: u64::from(planes) * nic_rate,
            switches: [planes * clos.t0s, planes * clos.t1s, planes * clos.t2s],
            links,
            link_bps,
            longest_path: needed.iter().filter(|&&tier| tier).count() as u32 * 2 - 1,
            nics_at_t0: clos.nics_per_t0,
            paths: planes * clos.paths(first, last),
            oversubscription: [
                Some(t0[0] as f64 / t0[1] as f64),
                (clos.t2s > 0).then(|| t1[0] as f64 / t1[1] as f64),
            ],
            bisection_bps: across.min().unwrap_or(0),
            switch_bps,
            most_nics: most_nics(switch_bps / nic_rate, clos.tiers()),
            losses: losses(clos),
        }
    }

    /// Switches of all tiers.
    pub fn all_switches(&self) -> u32 {
        self.switches.iter().sum()
    }

    /// Ends of links: ports in use, of NICs and switches.
    pub fn link_ends(&self) -> u64 {
        2 * self.links.iter().copied().map(u64::from).sum::<u64>()
    }

    /// Transceivers of a NIC's rate for the ends of all links, where ports of a lower rate share one as a NIC's do. 4 for each NIC in
    /// two tiers and 6 in three, without oversubscription.
    pub fn transceivers(&self) -> u64 {
        let rates = self.links.iter().zip(self.link_bps);
        let all: u128 = rates
            .map(|(&links, bps)| 2 * u128::from(links) * u128::from(bps))
            .sum();
        all.div_ceil(u128::from(self.nic_bps)) as u64
    }

    /// Rate of all links by that of all NICs: how many layers of optics each bit of a NIC's bandwidth needs. 2 in two tiers and 3 in
    /// three, without oversubscription.
    pub fn optical_layers(&self) -> f64 {
        let rates = self.links.iter().zip(self.link_bps);
        let all: f64 = rates.map(|(&links, rate)| f64::from(links) * rate as f64).sum();
        all / (f64::from(self.nics) * self.nic_bps as f64)
    }

    /// Switches for each NIC.
    pub fn switches_per_nic(&self) -> f64 {
        f64::from(self.all_switches()) / f64::from(self.nics)
    }

    /// The blast radius of a loss; none where the fabric has no such thing.
    pub fn loss_of(&self, what: Lost) -> Option<&Loss> {
        self.losses.iter().find(|loss| loss.what == what)
    }
}

fn most_nics(ports: u64, tiers: u32) -> u64 {
    let half = ports / 2;
    let pod = half.saturating_mul(half);
    if tiers == 2 {
        ports.saturating_mul(half)
    } else {
        ports.saturating_mul(pod)
    }
}

fn losses(clos: &Clos) -> Vec<Loss> {
    let share = |of: u32| 1.0 / f64::from(of);
    let plane = share(clos.planes);
    let (rack, pod, all) = (
        clos.nics_per_t0,
        clos.nics_per_t0 * clos.t0s_per_pod(),
        clos.nics(),
    );
    let t1 = share(clos.t1s_per_pod());
    let loss = |what, nics: u32, of_uplinks, of_nic: f64| Loss {
        what,
        nics,
        of_uplinks,
        of_nic,
        of_fabric: of_nic * f64::from(nics) / f64::from(all),
    };
    let mut losses = vec![
        loss(Lost::NicLink, 1, Some(plane), plane),
        loss(Lost::T0T1Link, rack, Some(t1), plane * t1),
        loss(Lost::T0, rack, None, plane),
        loss(Lost::T1, pod, None, plane * t1),
        loss(Lost::NicTransceiver, 1, None, 1.0),
    ];
    if clos.t2s > 0 {
        let (uplink, t2) = (share(clos.t2s_per_t1()), share(clos.t2s));
        losses.push(loss(Lost::T1T2Link, pod, Some(uplink), plane * t2));
        losses.push(loss(Lost::T2, all, None, plane * t2));
    }
    losses.sort_by_key(|loss| loss.what);
    losses
}

#[cfg(test)]
mod tests;
