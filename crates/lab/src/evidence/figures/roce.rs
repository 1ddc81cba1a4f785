//! RoCE, the paper's baseline: nothing of ours yet. The numbers are listed so that none is left out.

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};

const WHY: &str = "RoCE is not simulated yet";

pub(super) fn all() -> Vec<Experiment> {
    vec![
        baseline(
            "roce-fig16",
            "Fig 16: ring all-reduce with RoCE",
            "Fig 16, Cluster C (64 GPUs, one 400 Gb/s plane, PFC and DCQCN)",
            vec![
                plot(
                    "1 QP, 2 MB to 16 GB",
                    "23, 43, 69, 102, 145, 178, 126, 158, 170, 200, 213, 221, 224, 223",
                ),
                plot(
                    "16 QPs",
                    "22, 42, 65, 96, 142, 179, 209, 269, 273, 302, 352, 366, 364, 362",
                ),
                plot(
                    "1 QP, 0.1 % loss",
                    "1, 3, 5, 7, 9, 21, 22, 34, 57, 84, 114, 154, 179, 193",
                ),
                plot(
                    "16 QPs, 0.1 % loss",
                    "1, 2, 3, 5, 8, 13, 12, 20, 35, 48, 82, 122, 182, 214",
                ),
                plot("1 QP, 1 % loss", "0, 1, 1, 1, 2, 3, 4, 5, 8, 12, 16, 22, 29, 32"),
                plot("16 QPs, 1 % loss", "0, 1, 1, 1, 1, 2, 2, 4, 5, 8, 12, 18, 24, 29"),
                Row::statement(
                    "1 QP by MRC, large sizes",
                    "",
                    "about half; 0.56 to 0.6",
                    Known::Derived,
                ),
                Row::statement("gain beyond 8 QPs", "", "none", Known::Printed),
            ],
        ),
        baseline(
            "roce-fig17",
            "Fig 17: all-to-all with RoCE",
            "Fig 17, Cluster C (64 GPUs, one 400 Gb/s plane, PFC and DCQCN)",
            vec![
                plot(
                    "1 QP, 2 MB to 16 GB",
                    "149, 214, 264, 304, 317, 331, 330, 354, 336, 328, 328, 329, 329, 327",
                ),
                plot(
                    "16 QPs",
                    "138, 212, 261, 304, 323, 336, 335, 324, 294, 299, 299, 293, 295, 295",
                ),
                Row::statement("effect of more QPs", "", "falls beyond 2", Known::Printed),
            ],
        ),
        baseline(
            "roce-fig18",
            "Figs 18a, 18b and 21: 7:1 incast and a victim with RoCE",
            "Figs 18 and 21, Cluster D (16 hosts, one 400 Gb/s plane)",
            vec![
                plot("DCQCN, 1 QP: victim", "322 (text: 25 % less)"),
                plot("DCQCN, 1 QP: incast shares", "57"),
                plot(
                    "DCQCN, several QPs: victim",
                    "median 384, down to 100 for a second (text: 75 % less)",
                ),
                plot("DCQCN, several QPs: incast shares", "38 to 78"),
            ],
        ),
        baseline(
            "roce-fig20",
            "Fig 20: a permutation of eight flows between racks with RoCE",
            "Fig 20, Cluster D (16 hosts, one 400 Gb/s plane)",
            vec![
                plot("PFC, 1 QP", "391, 196 or 130 (full, half, third)"),
                plot("PFC, 8 QPs", "390, 353, 314, 263"),
                plot("DCQCN, 8 QPs", "392"),
            ],
        ),
    ]
}

fn plot(quantity: &str, paper: &str) -> Row {
    Row::statement(quantity, "Gb/s", paper, Known::Plot)
}

fn baseline(id: &'static str, title: &'static str, source: &'static str, rows: Vec<Row>) -> Experiment {
    Experiment {
        id,
        title,
        source,
        scaling: "",
        measured: "",
        cases: vec![Case {
            work: Work::NotSimulated(WHY),
            rows,
            quick: true,
        }],
    }
}
