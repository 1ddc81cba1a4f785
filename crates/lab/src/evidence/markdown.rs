//! The table as a page of documentation. The simulator's page shows it beside the paper's presets: `crates/view/src/paper`
//! reads it, and its tests hold the two together.

use crate::evidence::matrix::matrix;
use crate::evidence::paper::Paper;
use crate::evidence::results::{Evidence, ExperimentResult, RowResult};
use crate::evidence::verdict::Verdict;
use crate::evidence::versus::below;
use crate::number::{significant, with_interval};
use std::fmt::Write;

/// The whole page.
pub fn markdown(evidence: &Evidence) -> String {
    let mut page = head(evidence);
    for experiment in &evidence.experiments {
        page.push('\n');
        section(&mut page, evidence.paper, experiment);
    }
    page
}

fn head(evidence: &Evidence) -> String {
    let last = evidence.first_seed + u64::from(evidence.seeds.saturating_sub(1));
    let counts: Vec<String> = Verdict::ALL
        .into_iter()
        .map(|verdict| (verdict, evidence.count(verdict)))
        .filter(|(_, count)| *count > 0)
        .map(|(verdict, count)| format!("{count} {}", verdict.words().replace("**", "")))
        .collect();
    let rows = evidence.rows().count();
    let counts = counts.join(", ");
    let first = evidence.first_seed;
    match evidence.paper {
        Paper::Mrc => format!(
        "\
# Flowglass beside the MRC paper

<!-- Written by `flowglass evidence --out docs/evidence.md`. The words and numbers are in crates/lab/src/evidence; do not
edit this page. -->

Every number of the evaluation in *Resilient AI Supercomputer Networking using MRC and SRv6*
([arXiv:2605.04333](https://arxiv.org/abs/2605.04333)), with what Flowglass computes for the same experiment.
{rows} rows: {counts}.

- **Ours** is the mean over the seeds {first} to {last} with the half width of its 95 % confidence interval (Student's t);
  ± 0 where all seeds agree in the digits shown. What needs no seed stands alone.
- **Known**: *printed* in the paper; read off a *plot* (vector graphics, so good to about the last digit); *derived* from
  what is printed.
- **Verdict** is found by rule: *match* when our mean lies where **Rule** says, *differs* otherwise or when what is asked
  for did not happen in every run. *Not comparable*: no rule would be fair, for the reason given. *Not simulated*: there is
  nothing of ours yet. A difference without a reason makes the command fail. No parameter was chosen to make a row match,
  except where a section says that a row is what it is calibrated with.
- **SACKs** are sent for every 16 KiB in all these presets (the threshold that uet-htsim uses) and not for every packet, as
  the default has it: 767 Gb/s of message bytes in both directions at once, as in Fig 9a, leave no room for a SACK of 178 B
  for each packet.
- **Scaling** says what is smaller or faster than in the paper, and by what rule. A *preset* can be opened on the page
  (`#preset/NAME`) and run with `flowglass run NAME`.
",
    ),
        Paper::Accelnet => format!(
            "\
# Flowglass beside AccelNet

<!-- Written by `flowglass evidence --paper accelnet --out docs/accelnet-evidence.md`. The words and numbers are in
crates/lab/src/evidence/accelnet; do not edit this page. -->

The published numbers of *Azure Accelerated Networking: SmartNICs in the Public Cloud*
([NSDI 2018](https://www.usenix.org/conference/nsdi18/presentation/firestone)), what follows from them, and what is documented of
its surroundings, with what Flowglass computes for the same. {rows} rows: {counts}.

- **Ours** is the mean over the seeds {first} to {last} with the half width of its 95 % confidence interval (Student's t);
  ± 0 where all seeds agree in the digits shown. What needs no seed stands alone.
- **Known**: *printed* in the paper's abstract; printed in a *summary* of the paper; *derived* from either; *documented* elsewhere;
  *not published*: a question that the paper leaves open, which ours answers for the parameters that the section names.
- **Verdict** is found by rule: *match* when our mean lies where **Rule** says, *differs* otherwise or when what is asked
  for did not happen in every run. *Not comparable*: no rule would be fair, for the reason given. *Not simulated*: there is
  nothing of ours. A difference without a reason makes the command fail. A row that says *calibrated* is one that parameters of
  the model were set by; it shows that the model keeps to it, not that it predicts it.
- What no public source says (miss costs, replacement, rates of the exception path) is our choice and can be changed:
  [host-scenario.md](host-scenario.md) lists every parameter with its status. A *preset* can be run with `flowglass run NAME`.
"
        ),
        Paper::Versus => format!(
            "\
# RoCE and MRC under the same failures

<!-- Written by `flowglass evidence --paper versus --out docs/roce-and-mrc.md`. The words and numbers are in
crates/lab/src/evidence/versus; do not edit this page. -->

Questions that no paper answers: both systems on the same fabric, with the same traffic, failures and seeds. {rows} figures.

- A **cell** is the mean over the seeds, from {first} on, with the half width of its 95 % confidence interval (Student's t), and in
  brackets the least and the greatest of them. *Not in every run*: what the figure asks for did not happen in some run, say because
  QPs went to ERROR.
- A *preset* can be opened on the page (`#preset/NAME`), run with `flowglass run NAME`, and compared with others with
  `flowglass compare NAME NAME`. Its failure comes at a set time; here it comes when the job is so far that it hits all systems alike.
"
        ),
    }
}

fn section(page: &mut String, paper: Paper, experiment: &ExperimentResult) {
    // Writing to a string cannot fail.
    let _ = writeln!(page, "## {}\n", experiment.title);
    let presets: Vec<String> = experiment
        .presets
        .iter()
        .map(|slug| format!("`{slug}`"))
        .collect();
    let facts = [
        ("Source", experiment.source),
        ("Scaling", experiment.scaling),
        ("Measured", experiment.measured),
        ("Preset", &presets.join(", ")),
    ];
    for (name, text) in facts {
        if !text.is_empty() {
            let _ = writeln!(page, "- **{name}**: {text}");
        }
    }
    let _ = writeln!(
        page,
        "- **Again**: `flowglass evidence{} --only {}`\n",
        paper.option(),
        experiment.id
    );
    if let Some(answer) = &experiment.answer {
        let _ = writeln!(page, "{answer}\n");
    }
    if paper == Paper::Versus {
        let seeds = experiment
            .rows
            .iter()
            .filter_map(|row| row.ours)
            .map(|ours| ours.n)
            .max();
        let _ = writeln!(page, "Over {} seeds:\n", seeds.unwrap_or(0));
        page.push_str(&matrix(&experiment.rows));
        if let Some(more) = below(experiment.id) {
            page.push('\n');
            page.push_str(&more);
        }
        return;
    }
    page.push_str("| Quantity | Paper | Known | Ours | Ours / paper | Rule | Verdict | Reason |\n");
    page.push_str("|---|--:|---|--:|--:|---|---|---|\n");
    for row in &experiment.rows {
        line(page, row);
    }
}

fn line(page: &mut String, row: &RowResult) {
    let quantity = match row.unit {
        "" => row.quantity.clone(),
        unit => format!("{}, {unit}", row.quantity),
    };
    let ours = row
        .ours
        .map_or_else(String::new, |stats| with_interval(stats.mean, stats.ci95));
    let ratio = row.ratio.map_or_else(String::new, |ratio| significant(ratio, 3));
    let cells = [
        quantity.as_str(),
        &row.paper,
        row.known.word(),
        &ours,
        &ratio,
        &row.rule,
        row.verdict.words(),
        &row.reason,
    ];
    let _ = writeln!(
        page,
        "| {} |",
        cells.map(|cell| cell.replace('|', "\\|")).join(" | ")
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::experiment::Known;
    use crate::stats::Stats;

    fn row() -> RowResult {
        RowResult {
            quantity: "goodput".into(),
            unit: "Gb/s",
            paper: "100".into(),
            value: Some(100.0),
            known: Known::Plot,
            ours: Stats::of(&[97.0, 99.0]),
            ratio: Some(0.98),
            rule: "± 2 %".into(),
            verdict: Verdict::Match,
            reason: String::new(),
        }
    }

    fn page(rows: Vec<RowResult>) -> String {
        markdown(&Evidence {
            paper: Paper::Mrc,
            first_seed: 1,
            seeds: 2,
            experiments: vec![ExperimentResult {
                id: "fig0",
                title: "Fig 0: a test",
                source: "Fig 0",
                scaling: "",
                measured: "by hand",
                presets: vec!["paper-fig-0"],
                answer: None,
                rows,
            }],
        })
    }

    #[test]
    fn a_row_is_a_line() {
        let mut differs = row();
        differs.unit = "";
        differs.verdict = Verdict::Differs;
        differs.ours = None;
        differs.ratio = None;
        differs.reason = "a | b".into();
        let page = page(vec![row(), differs]);
        // t(0.975; 1) = 12.7062, s = √2: 12.7062 · √(2/2) = 12.7.
        let expected = "\
- **Source**: Fig 0
- **Measured**: by hand
- **Preset**: `paper-fig-0`
- **Again**: `flowglass evidence --only fig0`

| Quantity | Paper | Known | Ours | Ours / paper | Rule | Verdict | Reason |
|---|--:|---|--:|--:|---|---|---|
| goodput, Gb/s | 100 | plot | 98 ± 13 | 0.980 | ± 2 % | match |  |
| goodput | 100 | plot |  |  | ± 2 % | **differs** | a \\| b |
";
        assert!(page.ends_with(expected), "{page}");
    }

    #[test]
    fn the_head_counts_the_verdicts_and_names_the_seeds() {
        let page = page(vec![row(), row()]);
        assert!(page.contains("2 rows: 2 match.\n"), "{page}");
        assert!(page.contains("the mean over the seeds 1 to 2 with"), "{page}");
    }
}
