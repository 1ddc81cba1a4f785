//! How much memory a fabric's run will need, before it is built.

use crate::memory;
use crate::run::Run;
use fabric::Clos;
use scenario::{Fabric, Model, Protocol, Scenario};

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::{Bytes, Traffic};

    fn shape(planes: u32, t0: u32, t1: u32, nics: u32, qps: u32, evs: u32) -> Scenario {
        let mut s = scenario::find_preset("link-dies").unwrap().scenario();
        s.faults.clear();
        s.fabric.planes = planes;
        s.fabric.t0_per_plane = t0;
        s.fabric.t1_per_plane = t1;
        s.fabric.nics_per_t0 = nics;
        s.transport.evs = evs;
        s.transport.qps = qps;
        s.traffic = vec![Traffic::Permutation { shift: nics, bytes: Bytes(10_000_000), messages: 1, imm: false, start: scenario::Time(0) }];
        s
    }

    #[test]
    fn measure() {
        for (planes, t0, t1, nics, qps, evs) in [
            (1, 16, 8, 16, 1, 64), (1, 32, 16, 32, 1, 64), (4, 32, 16, 32, 1, 64), (8, 64, 32, 64, 1, 64), (8, 64, 256, 64, 1, 64),
            (1, 32, 16, 32, 8, 64), (1, 32, 16, 32, 8, 512), (1, 32, 16, 32, 32, 64), (8, 128,128,128,1,128),
        ] {
            let s = shape(planes, t0, t1, nics, qps, evs);
            s.validate().unwrap();
            let before = memory::heap();
            let mut run = Run::new(1, &s, false).unwrap();
            let built = memory::heap() - before;
            run.sim.run_until(kernel::Time::from_us(60));
            let ran = memory::heap() - before;
            let c = run.sim.network().config().clos;
            println!("M links={} nics={} qps={} evs={evs} built={built} ran={ran}", c.links(), c.nics(), s.qp_count());
        }
    }
}
