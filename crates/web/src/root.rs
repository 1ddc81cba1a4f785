//! Which page is shown: that of the fabric, that of the host, or that of fabrics side by side. Each has workers of its own,
//! which end with it.

use crate::app::App;
use crate::compare::CompareApp;
use crate::desk::SharedDesk;
use crate::dom;
use crate::edition::NewVersion;
use crate::host::HostApp;
use crate::import::{Dropped, Import, Outcome, TextFile};
use crate::importer::Importer;
use crate::model::StoryView;
use crate::shared::Shared;
use scenario::Scenario;
use scenario::host::{HostScenario, find_host_preset};
use scenario::link::{Linked, decode_compare, moment, percent_decoded, read_comparison_file};
use view::host::import::Done;
use view::host::ledger_link::{self, Costs};
use yew::prelude::*;

/// Files that were read; those that could not be say why.
pub type Files = Vec<Result<TextFile, Words>>;

/// What a notice says: its title and details.
pub type Words = (String, Vec<String>);

/// A host scenario that is to be opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// The scenario.
    pub scenario: HostScenario,
    /// The preset that it came from.
    pub preset: Option<&'static str>,
    /// The ledger's inputs.
    pub costs: Costs,
    /// The time that it opens at, in ps; none for its start.
    pub at_ps: Option<u64>,
    /// What is wrong with those that came with it.
    pub problem: Option<String>,
    /// The story that is told of it.
    pub story: Option<StoryView>,
    /// The text that it was read from, where somebody wrote it.
    pub text: Option<String>,
}

impl Opened {
    /// A scenario without more.
    pub fn plain(scenario: HostScenario) -> Opened {
        Opened {
            scenario,
            preset: None,
            costs: Costs::default(),
            at_ps: None,
            problem: None,
            story: None,
            text: None,
        }
    }

    /// The run of a story's step; none where that is a fabric's.
    pub fn of_story(view: StoryView) -> Option<Opened> {
        let variant = view.variant();
        Some(Opened {
            preset: find_host_preset(variant.preset).map(|preset| preset.slug),
            story: Some(view),
            ..Opened::plain(variant.host_scenario()?)
        })
    }

    /// The preset with this slug.
    pub fn of_preset(slug: &str) -> Option<Opened> {
        let preset = find_host_preset(slug)?;
        Some(Opened {
            preset: Some(preset.slug),
            ..Opened::plain(preset.scenario())
        })
    }

    /// The scenario of a link, with what else the link says.
    pub fn of_link(scenario: HostScenario, link: &str) -> Opened {
        let (plain, costs) = ledger_link::split(link);
        let slug = plain
            .strip_prefix("preset/")
            .and_then(|rest| rest.split('&').next());
        let (costs, problem) = match costs.map(|costs| Costs::of_option(&percent_decoded(costs))) {
            None => (Costs::default(), None),
            Some(Ok(costs)) => (costs, None),
            Some(Err(why)) => (Costs::default(), Some(why)),
        };
        Opened {
            preset: slug.and_then(find_host_preset).map(|preset| preset.slug),
            costs,
            at_ps: moment(&plain).ok().flatten().map(|time| time.0),
            problem,
            ..Opened::plain(scenario)
        }
    }

    /// The scenario in a file, which is valid; none where the file means no host.
    pub fn of_file(file: &TextFile) -> Option<Result<Opened, Words>> {
        HostScenario::is_meant_by(&file.text).then(|| {
            let scenario = HostScenario::from_json(&file.text).map_err(|error| {
                let details = error.to_string().lines().map(str::to_owned).collect();
                (format!("{} is not a host scenario", file.name), details)
            })?;
            scenario.validate().map_err(|problems| {
                let problems = problems.iter().map(ToString::to_string).collect();
                (format!("{} cannot be run", file.name), problems)
            })?;
            Ok(Opened {
                text: Some(file.text.clone()),
                ..Opened::plain(scenario)
            })
        })
    }
}

/// Why files that mean no host can't be opened on the fabric's page either; none where at least one can be.
pub fn refused_by_fabric(files: &[TextFile]) -> Option<Vec<Words>> {
    let mut import = Import::default();
    let (mut refused, mut usable) = (Vec::new(), false);
    for file in files {
        match read_comparison_file(&file.text) {
            Some(Ok(_)) => {
                usable = true;
                continue;
            }
            Some(Err(error)) => {
                refused.push((format!("{} cannot be used", file.name), vec![error.to_string()]));
                continue;
            }
            None => {}
        }
        match import.take(file.clone()) {
            Dropped::Scenario(scenario) => match scenario.validate() {
                Ok(()) => usable = true,
                Err(problems) => refused.push((
                    format!("{} cannot be run", file.name),
                    problems.iter().map(ToString::to_string).collect(),
                )),
            },
            Dropped::Htsim => {
                import.evaluate();
                match &import.outcome {
                    Outcome::Problems(problems) => refused.push((
                        format!("{} cannot be used", file.name),
                        problems.iter().map(ToString::to_string).collect(),
                    )),
                    Outcome::Waiting | Outcome::Done { .. } => usable = true,
                }
            }
            Dropped::Refused { title, details } => refused.push((title, details)),
        }
    }
    (!usable).then_some(refused)
}

/// What a link to a story of a host opens; none where a link is another one.
pub fn host_story(link: &str) -> Option<Opened> {
    let (story, step) = view::story::decode(link)?.ok()?;
    Opened::of_story(StoryView { story, step })
}

enum Page {
    Fabric(Shared<Files>),
    /// The number tells it from one that was opened before in the same place.
    Host(u32, Shared<Opened>),
    Compare(Shared<Vec<Scenario>>),
}

/// What makes the page another one.
pub enum Msg {
    /// A host is to be shown.
    Host(Box<Opened>),
    /// A fabric is to be shown: that of these files, or that of the address where there are none.
    Fabric(Files),
    /// Several fabrics are to be shown side by side.
    Compare(Vec<Scenario>),
    /// A host was made of files.
    Imported(Box<HostScenario>),
}

/// The root of the page.
pub struct Root {
    page: Page,
    // Where the editor's work is done, whichever page is shown.
    desk: SharedDesk,
    // Hosts shown so far.
    hosts: u32,
}

impl Component for Root {
    type Message = Msg;
    type Properties = ();

    fn create(_: &Context<Root>) -> Root {
        let hash = dom::window().location().hash().unwrap_or_default();
        let text = hash.trim_start_matches('#');
        if let Some(opened) = host_story(text) {
            return Root {
                page: Page::Host(0, Shared::new(opened)),
                desk: SharedDesk::default(),
                hosts: 0,
            };
        }
        let page = match ledger_link::decode(text) {
            Ok(Linked::Host(scenario)) => Page::Host(0, Shared::new(Opened::of_link(scenario, text))),
            // What is wrong with a link, the fabric's page says.
            _ => match decode_compare(text) {
                Ok(scenarios) => Page::Compare(Shared::new(scenarios)),
                Err(_) => Page::Fabric(Shared::default()),
            },
        };
        Root {
            page,
            desk: SharedDesk::default(),
            hosts: 0,
        }
    }

    fn update(&mut self, _: &Context<Root>, msg: Msg) -> bool {
        let opened = match msg {
            Msg::Host(opened) => *opened,
            Msg::Imported(scenario) => {
                // The page before is one step back.
                dom::push_hash("");
                Opened::plain(*scenario)
            }
            Msg::Fabric(files) => {
                self.page = Page::Fabric(Shared::new(files));
                return true;
            }
            Msg::Compare(scenarios) => {
                self.page = Page::Compare(Shared::new(scenarios));
                return true;
            }
        };
        self.hosts += 1;
        self.page = Page::Host(self.hosts, Shared::new(opened));
        true
    }

    fn view(&self, ctx: &Context<Root>) -> Html {
        let page = match &self.page {
            Page::Fabric(files) => html! {
                <App desk={self.desk.clone()} files={files.clone()} leave={ctx.link().callback(|opened| Msg::Host(Box::new(opened)))} compare={ctx.link().callback(Msg::Compare)} />
            },
            Page::Compare(scenarios) => html! {
                <CompareApp scenarios={scenarios.clone()} leave={ctx.link().callback(Msg::Fabric)} />
            },
            Page::Host(number, opened) => html! {
                <HostApp key={*number} desk={self.desk.clone()} opened={opened.clone()} leave={ctx.link().callback(Msg::Fabric)} />
            },
        };
        // A frame in another page is that page's: it keeps nothing here.
        let keeps = crate::share::embedded().0.is_none() && !crate::share::is_in_frame();
        let imported = ctx.link().callback(|done: Done| Msg::Imported(done.scenario));
        html! { <>{ page }if keeps { <Importer done={imported} /><NewVersion /> }</> }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Option<Vec<Words>> {
        refused_by_fabric(&[TextFile {
            name: "file".into(),
            text: text.into(),
        }])
    }

    /// Neither prose, nor JSON that is no scenario, nor a matrix with an error may take a host's run away.
    #[test]
    fn files_of_no_use_are_refused_with_a_reason() {
        for text in [
            "",
            "A shopping list",
            "{\"a\": 1}",
            "[1, 2]",
            "{\"version\": 1",
            "Nodes 4\nConnections 1\n1->9 start 0 size 100\n",
        ] {
            let words = refused(text).expect(text);
            assert!(
                words[0].0.starts_with("file ") && !words[0].1.is_empty(),
                "{text:?}: {words:?}"
            );
        }
    }

    #[test]
    fn links_to_stories_lead_to_the_page_that_tells_them() {
        let opened = host_story("story/syn-flood/4").expect("a host's story");
        assert_eq!(opened.preset, Some("host-syn-flood-limited"));
        assert_eq!(format!("{:?}", opened.story), "Some(syn-flood/4)");
        for link in [
            "story/link-dies/1",
            "story/syn-flood/9",
            "story/none",
            "preset/host-latency",
            "",
        ] {
            assert_eq!(host_story(link), None, "{link}");
        }
    }

    #[test]
    fn a_fabric_scenario_and_a_matrix_lead_to_the_fabric() {
        let scenario = scenario::presets()[0].scenario().to_json_pretty();
        assert_eq!(refused(&scenario), None);
        assert_eq!(refused("Nodes 4\nConnections 1\n1->2 start 0 size 100\n"), None);
    }
}
