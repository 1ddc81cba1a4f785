//! Giving the experiment and its results away.

use super::{App, Msg};
use crate::dom;
use crate::model::{Dialog, ShareView};
use scenario::link;
use view::editor::Edited;
use view::jobs::Job;
use view::message::FlowRow;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use yew::Context;

impl App {
    /// Offers the link, and tries to copy it.
    pub(super) fn share(&mut self, ctx: &Context<App>) {
        let Some(scenario) = &self.model.scenario else {
            return;
        };
        let encoded = link::encode(scenario);
        let view = ShareView::of(encoded.map(|text| self.set_hash(&text)));
        self.model.dialog = Dialog::Share(view);
        self.copy_link(ctx);
    }

    pub(super) fn copy_link(&mut self, ctx: &Context<App>) {
        self.model.dialog.copy_link(ctx.link().callback(Msg::Copied));
    }

    pub(super) fn copied(&mut self, done: bool) -> bool {
        self.model.dialog.link_copied(done);
        true
    }

    pub(super) fn save_scenario(&mut self) {
        if let Some(scenario) = &self.model.scenario {
            let name = format!("{}.json", file_name(&scenario.name));
            // As it was written, where somebody wrote it.
            let running = Edited::Fabric((**scenario).clone());
            let written = self.desk.at(|desk| desk.as_written(&running));
            let text = written.unwrap_or_else(|| scenario.to_json_pretty());
            let saved = dom::download(&name, "application/json", &text);
            self.saved(saved);
        }
    }

    pub(super) fn save_flows(&mut self) {
        let saved = dom::download("flows.csv", "text/csv", &csv(&self.model.flows));
        self.saved(saved);
    }

    pub(super) fn save_jobs(&mut self) {
        let saved = dom::download("jobs.csv", "text/csv", &jobs_csv(&self.model.jobs.jobs));
        self.saved(saved);
    }

    pub(super) fn saved(&mut self, result: Result<(), JsValue>) {
        if let Err(error) = result {
            self.tell_error(
                "The file could not be saved",
                vec![crate::worker_link::words(&error)],
            );
        }
    }
}

/// Copies a text. False where the browser does not let us.
pub(crate) async fn copy(text: &str) -> bool {
    let navigator = dom::window().navigator();
    // Without a secure context there is no clipboard at all.
    let there = js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|value| value.is_object());
    there
        && JsFuture::from(navigator.clipboard().write_text(text))
            .await
            .is_ok()
}

/// The flows' results as a table with units in its head; fields that are not known yet are empty.
fn csv(rows: &[FlowRow]) -> String {
    let mut text =
        String::from("id,src,dst,bytes,start_us,fct_us,goodput_gbps,placed_bytes,retransmissions\n");
    for row in rows {
        let us = |ps: u64| format!("{}.{:06}", ps / 1_000_000, ps % 1_000_000);
        let goodput = row
            .fct_ps
            .filter(|&fct| fct > 0)
            .map(|fct| row.qp.bytes as f64 * 8000.0 / fct as f64);
        text += &format!(
            "{},{},{},{},{},{},{},{},{}\n",
            row.qp.flow,
            row.qp.src,
            row.qp.dst,
            row.qp.bytes,
            us(row.start_ps),
            row.fct_ps.map(us).unwrap_or_default(),
            goodput.map(|value| format!("{value:.3}")).unwrap_or_default(),
            row.qp.placed,
            row.retransmissions,
        );
    }
    text
}

/// The jobs' steps as a table with units in its head.
fn jobs_csv(jobs: &[Job]) -> String {
    let mut text = String::from("job,collective,ranks,bytes,step,began_us,posted_us,time_us,bus_gbps\n");
    let us = |ps: u64| format!("{}.{:06}", ps / 1_000_000, ps % 1_000_000);
    for job in jobs {
        let first = job.done as usize - job.latest.len();
        for (step, number) in job.latest.iter().zip(first + 1..) {
            text += &format!(
                "{},{},{},{},{number},{},{},{},{:.3}\n",
                job.number,
                job.name(),
                job.ranks,
                job.bytes,
                us(step.began_ps),
                us(step.posted_ps),
                us(step.time_ps()),
                job.bus_rate(step.time_ps()) / 1e9,
            );
        }
    }
    text
}

/// A name that every file system takes.
pub(crate) fn file_name(name: &str) -> String {
    let mut text: String = name
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .take(60)
        .collect();
    while text.contains("--") {
        text = text.replace("--", "-");
    }
    match text.trim_matches('-') {
        "" => "scenario".into(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use view::inspect::QpRow;

    #[test]
    fn results_have_units_and_leave_unknown_values_empty() {
        let row = |fct_ps| FlowRow {
            qp: QpRow {
                qp: 0,
                flow: 7,
                src: 1,
                dst: 2,
                bytes: 2_000_000,
                placed: 5,
            },
            start_ps: 1_500_000,
            fct_ps,
            retransmissions: 3,
        };
        let text = csv(&[row(Some(40_000_000)), row(None)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "id,src,dst,bytes,start_us,fct_us,goodput_gbps,placed_bytes,retransmissions",
                "7,1,2,2000000,1.500000,40.000000,400.000,5,3",
                "7,1,2,2000000,1.500000,,,5,3",
            ]
        );
    }

    #[test]
    fn steps_have_units_and_their_own_numbers() {
        let step = |began_ps| view::jobs::Step {
            began_ps,
            posted_ps: began_ps + 5_000_000,
            ended_ps: began_ps + 25_000_000,
        };
        let job = Job {
            number: 1,
            collective: scenario::Collective::Permutation,
            ranks: 4,
            bytes: 1_000_000,
            steps: 9,
            done: 3,
            latest: vec![step(100_000_000), step(200_000_000)],
            under_way: None,
            failed_ps: None,
            bus_bits: 8e6,
            qps: (0, 4),
        };
        assert_eq!(
            jobs_csv(&[job]).lines().skip(1).collect::<Vec<_>>(),
            [
                "1,permutation,4,1000000,2,100.000000,105.000000,20.000000,400.000",
                "1,permutation,4,1000000,3,200.000000,205.000000,20.000000,400.000",
            ]
        );
    }

    #[test]
    fn file_names_are_plain() {
        assert_eq!(
            file_name("A T0–T1 link dies / under load"),
            "a-t0-t1-link-dies-under-load"
        );
        assert_eq!(file_name("…"), "scenario");
    }
}
