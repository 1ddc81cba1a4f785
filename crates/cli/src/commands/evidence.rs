//! `flowglass evidence`.

use crate::args::Evidence;
use crate::failure::{Failure, INTERRUPTED, UNFINISHED};
use crate::json::Sink;
use crate::keep_file::KeepFiles;
use crate::output::{complain, note, plain, print};
use crate::runner;
use crate::sweep::progress::Progress;
use lab::Seeds;
use lab::evidence::{self, Experiment, Keep, Paper, Taken};
use std::path::Path;
use std::process::ExitCode;
use std::thread;

/// Repeats the paper's experiments and writes the table.
///
/// # Errors
/// When an experiment is not known, or the table cannot be written.
pub fn run(options: &Evidence) -> Result<ExitCode, Failure> {
    let experiments = chosen(options)?;
    if options.list {
        let width = experiments.iter().map(|e| e.id.len()).max().unwrap_or(0);
        let lines: String = experiments
            .iter()
            .map(|e| format!("{:width$}  {}\n", e.id, e.title))
            .collect();
        print(&lines)?;
        return Ok(ExitCode::SUCCESS);
    }
    let out = options.out.as_deref().unwrap_or(Path::new("-"));
    if Some(out) == options.json.as_deref() {
        return Err(Failure::Input(
            "error: the table goes to the same place as --json; expected two (see --out)".into(),
        ));
    }
    if let Some(same) = options
        .keep
        .iter()
        .filter(|keep| keep.as_path() != Path::new("-"))
        .find(|keep| keep.as_path() == out || Some(*keep) == options.json.as_ref())
    {
        return Err(Failure::Input(format!(
            "error: --keep {} is also where the table goes; expected a file of its own",
            plain(&same.to_string_lossy())
        )));
    }
    let page = Sink::check(out)?;
    let json = options.json.as_deref().map(Sink::check).transpose()?;
    let seeds = Seeds {
        first: 1,
        count: options.seeds,
    };
    let jobs = options
        .jobs
        .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));

    let files = KeepFiles::open(&options.keep)?;
    let taken = evidence::taken(&experiments, seeds, &files.kept);
    if !options.keep.is_empty() && !options.quiet {
        note(&files.notes);
        note(&said(&taken));
    }
    let keep = Keep {
        kept: &files.kept,
        finished: &|line| files.append(line),
    };

    let stop = runner::stop_on_signal();
    let progress = Progress::new(options.quiet, taken.missing());
    let ran = evidence::run_experiments(
        options.paper.into(),
        &experiments,
        seeds,
        jobs,
        &stop,
        &keep,
        |overall| progress.update(overall),
    );
    runner::no_more_to_stop(&stop);
    progress.clear();
    let Some(table) = ran.map_err(|e| Failure::Io(format!("error: {e}")))? else {
        complain(&match options.keep.first() {
            None => "interrupted: nothing was written (--keep FILE keeps finished runs)".into(),
            Some(file) => format!(
                "interrupted: there is no table yet; finished runs are in {}, and the same command goes on from there",
                plain(&file.to_string_lossy())
            ),
        });
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let text = evidence::markdown(&table);
    let mut outcome = page.write_with(|out| out.write_all(text.as_bytes()));
    // What could not be written in one place is no reason to lose the other.
    if let Some(json) = json {
        outcome = json
            .write_with(|out| {
                serde_json::to_writer_pretty(&mut *out, &table)?;
                writeln!(out)
            })
            .and(outcome);
    }
    outcome?;
    let faults = table.faults();
    for fault in &faults {
        complain(fault);
    }
    Ok(match faults.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(UNFINISHED),
    })
}

/// What is taken from files of finished runs, as notes.
fn said(taken: &Taken) -> Vec<String> {
    let mut notes = vec![format!(
        "{} of {} runs are taken from what was kept",
        taken.taken, taken.runs
    )];
    if taken.outdated > 0 {
        notes.push(format!(
            "{} kept {} not used: of another version or another scenario",
            taken.outdated,
            if taken.outdated == 1 { "run is" } else { "runs are" }
        ));
    }
    notes
}

/// The experiments that were asked for, in the order of the registry.
fn chosen(options: &Evidence) -> Result<Vec<Experiment>, Failure> {
    let mut all = Paper::from(options.paper).experiments();
    for id in &options.only {
        if !all.iter().any(|experiment| experiment.id == id) {
            let known: Vec<&str> = all.iter().map(|experiment| experiment.id).collect();
            return Err(Failure::Input(format!(
                "error: there is no experiment {:?}; there are {}",
                plain(id),
                known.join(", ")
            )));
        }
    }
    if !options.only.is_empty() {
        all.retain(|experiment| options.only.iter().any(|id| id == experiment.id));
    }
    if options.quick {
        for experiment in &mut all {
            experiment.cases.retain(|case| case.quick);
        }
        all.retain(|experiment| !experiment.cases.is_empty());
        if all.is_empty() {
            return Err(Failure::Input(
                "error: none of these experiments takes only a few seconds; expected others, or no --quick"
                    .into(),
            ));
        }
    }
    Ok(all)
}
