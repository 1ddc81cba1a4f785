//! The results of a search for people.

use super::results::{Results, origin};
use crate::output::plain;
use crate::summary::{count, counted, seeds};
use crate::sweep::results::Machine;
use lab::compare::Ratio;
use lab::tune::held_out::{Compared, complete};
use lab::tune::{HeldOut, Parameter, PutBack, Score, Tuned};
use lab::{Metric, Stats};
use std::fmt::Write;

/// Settings that are listed.
const LISTED: usize = 10;
/// Fields whose bands are listed.
const BANDED: usize = 8;

/// The whole summary: several lines, each with its end.
pub fn summary(results: &Results) -> String {
    let mut text = String::new();
    head(&mut text, results);
    if results.tuned.best.is_some() {
        values(&mut text, results);
        held_out(&mut text, results);
        best_settings(&mut text, results);
        alone(&mut text, results);
    }
    let _ = writeln!(text, "\n  again     {}", plain(&results.command));
    if let Some(link) = results.link() {
        let _ = writeln!(text, "  best      {link}");
    }
    text
}

fn head(text: &mut String, results: &Results) {
    let Results {
        tune, tuned, machine, ..
    } = results;
    let found = &tuned.found;
    let title = match results.scenario.name.as_str() {
        "" => &results.scenario.source,
        name => name,
    };
    let _ = writeln!(text, "{}", plain(title));
    let figure = label(tune.metric);
    let _ = writeln!(
        text,
        "  tuned     for the best {figure}, in the mean over {}",
        seeds(tune.seeds)
    );
    let Machine { wall_s, jobs, .. } = machine;
    let _ = writeln!(
        text,
        "  {:10}{} of {} runs in {wall_s:.3} s, {jobs} at a time: {} of {}, {} of them with every seed",
        if tuned.stopped { "CANCELLED" } else { "searched" },
        count(found.spent() as u64),
        count(tune.budget as u64),
        counted(found.candidates.len() as u64, "setting"),
        counted(tune.space.parameters.len() as u64, "field"),
        results.ranking().len(),
    );
    if let Some(why) = &found.first_refusal {
        let refused = counted(found.refused as u64, "setting");
        let _ = writeln!(
            text,
            "  refused   {refused} that were drawn and cannot be, others in their place; the first: {}",
            plain(why)
        );
    }
    let failed = found.candidates.iter().flat_map(|candidate| &candidate.runs);
    let unfinished = failed.filter(|run| run.finished < 1.0).count();
    if unfinished > 0 {
        let unfinished = counted(unfinished as u64, "run");
        let _ = writeln!(
            text,
            "  not ended {unfinished} in which some flow did not finish; their settings come last"
        );
    }
    let of = |at: usize| Score::of(&found.candidates[at].runs);
    if let Some(best) = tuned.best {
        let line = match best {
            0 => "the default: nothing better was found".into(),
            _ => format!(
                "setting {best} ({}): {} against {} of the default, on the seeds that it was chosen by",
                plain(&origin(&found.candidates[best].origin)),
                score(&of(best)),
                score(&of(0))
            ),
        };
        let _ = writeln!(text, "  best      {line}");
    }
    let PutBack {
        tried,
        stayed,
        untried,
    } = found.put_back;
    if tried > 0 {
        let left = match untried {
            0 => String::new(),
            untried => format!("; {} were not tried", counted(untried as u64, "field")),
        };
        let _ = writeln!(
            text,
            "  put back  {stayed} of {} to the default, one by one and without loss{left}",
            counted(tried as u64, "changed field")
        );
    }
    if let (Some(verdict), Some(held_out)) = (tuned.verdict, tune.held_out_seeds()) {
        let verdict = match verdict {
            HeldOut::Better => "the best is better than the default",
            HeldOut::NotShown => {
                "the best IS NOT SHOWN TO BE BETTER than the default; keep the default, or search with more seeds"
            }
            HeldOut::Worse => {
                "the best IS WORSE than the default: it was lucky with the search's seeds; keep the default, or search with more seeds"
            }
            HeldOut::OneSeed => "one seed does not show whether the best is better than the default",
        };
        let _ = writeln!(
            text,
            "  verdict   on {}, which the search has not seen: {verdict}",
            seeds(held_out)
        );
    }
}

/// Each field's value in the default, the best setting, and the next two.
fn values(text: &mut String, results: &Results) {
    let ranking = results.ranking();
    let shown = ranking.iter().map(|(at, _)| *at).filter(|at| *at > 0).take(3);
    let shown: Vec<usize> = [0].into_iter().chain(shown).collect();
    let _ = write!(text, "\n  {:44}", "");
    for at in &shown {
        let head = match at {
            0 => "default".into(),
            at => format!("setting {at}"),
        };
        let _ = write!(text, "{head:>14}");
    }
    text.push('\n');
    for (field, parameter) in results.tune.space.parameters.iter().enumerate() {
        let _ = write!(text, "  {:44}", plain(&parameter.path));
        for at in &shown {
            let level = results.tuned.found.candidates[*at].levels[field];
            // What stays as it is is easier to see past.
            let value = match *at > 0 && level == parameter.own {
                true => "=".into(),
                false => plain(&parameter.text(level)),
            };
            let _ = write!(text, "{value:>14}");
        }
        text.push('\n');
    }
}

fn held_out(text: &mut String, results: &Results) {
    let (
        Tuned {
            compared,
            held_out: [default, best],
            ..
        },
        Some(unseen),
    ) = (&results.tuned, results.tune.held_out_seeds())
    else {
        return;
    };
    if compared.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n  On {}, which the search has not seen: every flow finished in {} of {} runs of the default, {} of {} of the best",
        seeds(unseen),
        complete(default),
        default.len(),
        complete(best),
        best.len()
    );
    let _ = writeln!(
        text,
        "  {:20}{:>26}{:>26}{:>26}{:>32}  n",
        "mean ± 95 % CI", "default", "best", "best − default", "best / default"
    );
    for figure in compared {
        let _ = writeln!(
            text,
            "  {:20}{:>26}{:>26}{:>26}{:>32}  {}",
            label(figure.metric),
            mean(figure.default),
            mean(figure.best),
            mean(figure.difference),
            ratio(figure.ratio),
            numbers(figure)
        );
    }
}

/// How many runs a figure is of: one number where default, best and pairs have as many.
fn numbers(figure: &Compared) -> String {
    let of = |stats: Option<Stats>| stats.map_or(0, |stats| stats.n);
    let [default, best, pairs] = [figure.default, figure.best, figure.difference].map(of);
    match default == best && best == pairs {
        true => pairs.to_string(),
        false => format!("{default} and {best}; {}", counted(pairs as u64, "pair")),
    }
}

fn best_settings(text: &mut String, results: &Results) {
    let ranking = results.ranking();
    let _ = writeln!(
        text,
        "\n  The best settings, over the seeds that they were chosen by"
    );
    for (rank, (at, of)) in ranking.iter().enumerate() {
        if rank < LISTED || *at == 0 {
            let origin = origin(&results.tuned.found.candidates[*at].origin);
            let _ = writeln!(
                text,
                "  {:>4}.  setting {at:<6}{:>26}  {}",
                rank + 1,
                score(of),
                plain(&origin)
            );
        }
    }
}

/// What each field alone means.
fn alone(text: &mut String, results: &Results) {
    let with_spread = results
        .tuned
        .sensitivity
        .iter()
        .filter(|found| found.spread.is_some());
    let shown: Vec<_> = with_spread.take(BANDED).collect();
    if shown.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n  Each field alone: medians of {} in the sample, by bands of its values, with the first seed",
        label(results.tune.metric)
    );
    for found in shown {
        let parameter = &results.tune.space.parameters[found.parameter];
        let bands = found.bands.iter().map(|band| {
            let median = band
                .median
                .map_or_else(|| "–".into(), |median| format!("{median:.3}"));
            format!("{}: {median}", values_of(parameter, band.levels))
        });
        let bands: Vec<String> = bands.collect();
        let spread = found.spread.unwrap_or(1.0);
        let _ = writeln!(
            text,
            "  {:44}× {spread:<8.3}{}",
            plain(&parameter.path),
            plain(&bands.join("   "))
        );
    }
}

fn values_of(parameter: &Parameter, [first, last]: [usize; 2]) -> String {
    match first == last {
        true => parameter.text(first),
        false => format!("{} to {}", parameter.text(first), parameter.text(last)),
    }
}

fn label(metric: Metric) -> String {
    format!("{} {}", metric.name(), metric.unit())
        .trim_end()
        .to_owned()
}

fn score(of: &Score) -> String {
    let mean = of
        .mean
        .map_or_else(|| "no value".into(), |mean| format!("{mean:.3}"));
    match of.finished < 1.0 {
        true => format!("{mean} ({:.1} % of flows finished)", of.finished * 100.0),
        false => mean,
    }
}

fn mean(stats: Option<Stats>) -> String {
    match stats {
        Some(Stats {
            mean,
            ci95: Some(half),
            ..
        }) => format!("{mean:.3} ± {half:.3}"),
        Some(Stats { mean, .. }) => format!("{mean:.3}"),
        None => "–".into(),
    }
}

fn ratio(ratio: Option<Ratio>) -> String {
    match ratio {
        Some(Ratio {
            mean,
            ci95: Some([low, high]),
        }) => format!("{mean:.4} ({low:.4} to {high:.4})"),
        Some(Ratio { mean, .. }) => format!("{mean:.4}"),
        None => "–".into(),
    }
}
