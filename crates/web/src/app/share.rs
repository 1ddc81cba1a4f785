//! Giving the experiment and its results away.

use super::App;
use crate::dom;
use crate::model::{Dialog, Playing, ShareView, StoryView};
use scenario::link::{self, LinkError};
use scenario::{Scenario, Time};
use view::Bookmarks;
use view::editor::Edited;
use view::jobs::Job;
use view::message::FlowRow;
use wasm_bindgen::JsValue;
use yew::Callback;

impl App {
    /// Offers ways to give the experiment away.
    pub(super) fn share(&mut self) {
        let Some(scenario) = &self.model.scenario else {
            return;
        };
        let view = ShareView {
            link: link::encode(scenario).map_err(|error| error.to_string()),
            name: scenario.name.clone(),
            now_ps: self.model.report.now_ps,
            marks: self.model.bookmarks.to_link(),
        };
        if let Ok(link) = &view.link
            && self.model.embed.is_none()
        {
            let link = link.clone();
            self.set_hash(&link);
        }
        self.model.dialog = Dialog::Share(view);
    }

    /// Records the stage, and plays if the run rests.
    pub(super) fn record(&mut self, seconds: u32) {
        self.model.dialog = Dialog::None;
        self.model.recording = Some(seconds);
        if self.model.playing == Playing::No {
            self.play(Playing::AtSpeed);
        }
    }

    /// A recording is over.
    pub(super) fn recorded(&mut self, result: Result<String, String>) {
        self.model.recording = None;
        let (is_error, title, details) = crate::share::recorded(result);
        self.tell(is_error, title, details);
    }

    /// The link of what is open, as loading the page again needs it; none where the address has it.
    pub(super) fn hold(&self) {
        let Some(scenario) = self.model.scenario.clone() else {
            return;
        };
        let (story, now) = (self.model.story.clone(), self.model.report.now_ps);
        let marks = self.model.bookmarks.clone();
        crate::share::keeping::hold(move || {
            let tells = |view: &StoryView| view.story.runs[view.current().run].scenario() == *scenario;
            if story.as_ref().is_some_and(tells) {
                return None;
            }
            Some(now_link(&scenario, now, &marks).map_err(|error| error.to_string()))
        });
    }

    /// Writes the link of what is open at the time that is shown when it is asked for; nothing where it fits into none.
    pub(super) fn link_now(&self) -> Callback<(), String> {
        let (scenario, now) = (self.model.scenario.clone(), self.model.report.now_ps);
        let marks = self.model.bookmarks.clone();
        Callback::from(move |()| {
            let link = scenario
                .as_ref()
                .and_then(|scenario| now_link(scenario, now, &marks).ok());
            link.unwrap_or_default()
        })
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

/// The link of a scenario at a time, with its bookmarks; at its start where that is 0.
fn now_link(scenario: &Scenario, now_ps: u64, marks: &Bookmarks) -> Result<String, LinkError> {
    let link = link::with_marks(&link::encode(scenario)?, &marks.to_link());
    Ok(match now_ps {
        0 => link,
        now => link::at_moment(&link, Time(now)),
    })
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
