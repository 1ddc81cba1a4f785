//! The card: commands from software, packets through its pipelines, counters back.

use crate::config::{Config, InvalidConfig};
use crate::entry::{EntryId, Flow, Lookup, Packet};
use crate::pipeline::{BufferFull, Pipeline};
use crate::tables::{AddError, CounterUpdate, FlowTables};
use crate::{Direction, FlowKey};
use kernel::Time;

/// A packet that got through the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// What the match stage found. An exception goes to the hypervisor's vPort.
    pub lookup: Lookup,
    /// When its last bit leaves the pipeline.
    pub departure: Time,
}

/// The FPGA beside the NIC: flow tables, a pipeline for each direction, a queue of commands, and reports of counters.
///
/// Every call has the time as an argument, and times do not go backwards. The two phases of an installation are two commands;
/// between them packets of the flow are exceptions, and one that is on its way through software meanwhile may be overtaken by
/// one that matches already. That is the caller's to see.
#[derive(Clone, Debug)]
pub struct Nic {
    config: Config,
    tables: FlowTables,
    /// Outbound, inbound.
    pipelines: [Pipeline; 2],
    commands_done: Time,
    next_report: Time,
}

impl Nic {
    /// An idle card with empty tables.
    ///
    /// # Errors
    /// [`InvalidConfig`] with all that is wrong.
    pub fn new(config: &Config) -> Result<Nic, InvalidConfig> {
        Ok(Nic {
            tables: FlowTables::new(config)?,
            pipelines: std::array::from_fn(|_| Pipeline::new(&config.pipeline)),
            commands_done: Time::ZERO,
            next_report: config.counters.period,
            config: *config,
        })
    }

    /// Its parameters.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The tables, to look at.
    pub fn tables(&self) -> &FlowTables {
        &self.tables
    }

    /// A direction's pipeline, to look at.
    pub fn pipeline(&self, direction: Direction) -> &Pipeline {
        &self.pipelines[direction as usize]
    }

    /// A packet whose last bit has come at `now`. The table is asked when the packet reaches the match stage.
    ///
    /// # Errors
    /// [`BufferFull`]: the packet is dropped, and counted by its pipeline.
    pub fn receive(&mut self, now: Time, packet: &Packet) -> Result<Passage, BufferFull> {
        let pipeline = &mut self.pipelines[packet.key.direction as usize];
        let arrived = pipeline.arrive(now, packet.bytes)?;
        let searched = self.tables.lookup(arrived.at_match, packet);
        Ok(Passage {
            lookup: searched.lookup,
            departure: pipeline.finish(arrived, searched.depth),
        })
    }

    /// Commands that wait or are worked on at `now`.
    pub fn commands_waiting(&self, now: Time) -> u32 {
        let backlog = self.commands_done.saturating_sub(now).ps();
        let each = self.config.commands.command_time.ps().max(1);
        u32::try_from(backlog.div_ceil(each)).unwrap_or(u32::MAX)
    }

    /// Gives the card a command at `now`; when it is worked off.
    fn command(&mut self, now: Time) -> Time {
        self.commands_done = self.commands_done.max(now) + self.config.commands.command_time;
        self.commands_done
    }

    /// First phase of an installation: the flow is put into the table, deactivated. Returns its entry and the time from which
    /// that is there. The flow of an entry with the same key is replaced (also one that was evicted or is stale).
    ///
    /// # Errors
    /// [`AddError`]: the table or the command queue is full. Nothing has been changed.
    pub fn add(&mut self, now: Time, flow: &Flow) -> Result<(EntryId, Time), AddError> {
        let depth = self.config.commands.depth;
        if self.commands_waiting(now) >= depth {
            return Err(AddError::CommandQueueFull(depth));
        }
        let ready = self.commands_done.max(now)
            + self.config.commands.command_time
            + self.config.commands.add_latency;
        let entry = self.tables.add(flow, ready)?;
        self.command(now);
        Ok((entry, ready))
    }

    /// Second phase: returns the time from which the entry matches, or `None` if it is gone. This command is never refused: one
    /// follows each add.
    pub fn activate(&mut self, now: Time, entry: EntryId) -> Option<Time> {
        let done = self.command(now);
        self.tables
            .activate(entry, done + self.config.commands.activate_latency)
    }

    /// Both phases one right after the other: the entry and the time from which it matches.
    ///
    /// # Errors
    /// As of [`Nic::add`].
    pub fn install(&mut self, now: Time, flow: &Flow) -> Result<(EntryId, Time), AddError> {
        let (entry, added) = self.add(now, flow)?;
        let active = self.activate(now, entry).unwrap_or(added);
        Ok((entry, active))
    }

    /// Lets an entry match no longer, at once. False if it is gone.
    pub fn deactivate(&mut self, now: Time, entry: EntryId) -> bool {
        self.command(now);
        self.tables.deactivate(entry)
    }

    /// Takes an entry out, at once (our choice), and returns its last counters; `None` if it is gone already. This command is
    /// never refused.
    pub fn remove(&mut self, now: Time, entry: EntryId) -> Option<CounterUpdate> {
        self.command(now);
        self.tables.remove(entry)
    }

    /// As [`Nic::remove`], by the flow's key.
    pub fn remove_key(&mut self, now: Time, key: &FlowKey) -> Option<CounterUpdate> {
        let entry = self.tables.id_of(key)?;
        self.remove(now, entry)
    }

    /// Takes all entries of a port out, at once, with one command; returns how many there were.
    pub fn remove_port(&mut self, now: Time, port: u16) -> u32 {
        self.command(now);
        self.tables.remove_port(port)
    }

    /// Tells the card the generation of a port's policy, at once. Entries of other generations are stale from now on: each of
    /// their packets is an exception until the flow is installed again, so that an exception that gets lost on its way leaves
    /// no old policy in force (our choice; published is that the next packet of each stale flow is one).
    pub fn set_generation(&mut self, now: Time, port: u16, generation: u32) {
        self.command(now);
        self.tables.set_generation(port, generation);
    }

    /// The FPGA is configured anew: tables, pipelines and commands are empty then. Statistics and generations stay: software
    /// writes them back.
    pub fn reconfigure(&mut self, now: Time) {
        self.tables.clear();
        for pipeline in &mut self.pipelines {
            pipeline.empty();
        }
        self.commands_done = now;
    }

    /// When the next report of counters is due.
    pub fn next_report(&self) -> Time {
        self.next_report
    }

    /// The report that is due at `now`, if one is: appends the counters of entries that counted something since their last
    /// report, up to the batch's size. Reports that were missed are one.
    pub fn poll_counters(&mut self, now: Time, updates: &mut Vec<CounterUpdate>) {
        if now < self.next_report {
            return;
        }
        let period = self.config.counters.period.ps();
        self.next_report = Time((now.ps() / period).saturating_add(1).saturating_mul(period));
        self.tables.take_changed(self.config.counters.batch, updates);
    }
}

#[cfg(test)]
mod tests;
