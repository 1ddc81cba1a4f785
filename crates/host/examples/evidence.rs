//! The published numbers beside ours, over some seeds: `cargo run --release -p flowglass-host --example evidence -- 10`.

#![expect(clippy::print_stdout, reason = "it is a command")]

use host::evidence::{EVIDENCE, agrees, measure};

fn main() {
    let seeds: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(3);
    let runs: Vec<Vec<f64>> = (1..=seeds)
        .map(|seed| measure(seed).expect("the presets run"))
        .collect();
    for (i, published) in EVIDENCE.iter().enumerate() {
        let ours: Vec<f64> = runs.iter().map(|run| run[i]).collect();
        let mean = ours.iter().sum::<f64>() / ours.len() as f64;
        let (least, most) = ours
            .iter()
            .fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
        println!(
            "{:55} {:>9} {:12} ours {mean:.2} ({least:.2} to {most:.2}) {} {:?}",
            published.metric,
            published.value,
            published.unit,
            if agrees(published, mean) {
                "agrees"
            } else {
                "differs"
            },
            published.basis
        );
    }
}
