//! One of the runs on the page: what it is, its stage, and its key figures.

use super::pane::Pane;
use super::plot::swatch;
use super::{CompareApp, Msg};
use crate::model::Phase;
use crate::texts::playing as texts;
use crate::ui::break_menu::BreakMenuView;
use crate::ui::icons::{Icon, icon};
use crate::ui::stopped::{silent, stopped};
use lab::compare::letter;
use view::units;
use yew::prelude::*;

impl CompareApp {
    /// A pane.
    pub(super) fn pane_view(&self, ctx: &Context<CompareApp>, place: usize) -> Html {
        let pane = &self.panes[place];
        let number = pane.number();
        let name = letter(place);
        let refs = &pane.stage.refs;
        let [low, middle, high] = &refs.canvases;
        let title = pane.scenario.name.clone();
        let alone = ctx.link().callback(move |_| Msg::Alone(number));
        let remove = ctx.link().callback(move |_| Msg::Remove(number));
        let can_remove = self.panes.len() > scenario::link::MIN_COMPARED;
        let groups = pane.stage.grouping().is_some();
        html! {
            <section key={number} class="cmp-pane" aria-label={format!("Run {name}: {title}")} data-testid={format!("pane-{name}")}>
                <header>
                    <span class="cmp-letter">{ swatch(place) }<b>{ name.to_string() }</b></span>
                    <h2 title={pane.scenario.about.clone()} data-testid="pane-title">{ &title }</h2>
                    <button class="quiet" title="Open this run alone" aria-label={format!("Open run {name} alone")} data-testid="alone" onclick={alone}>{ icon(Icon::Widen) }</button>
                    if can_remove {
                        <button class="quiet" title="Take this run away" aria-label={format!("Take run {name} away")} data-testid="remove" onclick={remove}>{ icon(Icon::Close) }</button>
                    }
                </header>
                <div class="canvases" ref={refs.root.clone()} data-testid="stage">
                    <canvas ref={low} aria-hidden="true"></canvas>
                    <canvas ref={middle} aria-hidden="true"></canvas>
                    <canvas ref={high} tabindex="0" role="img" aria-label={format!("Network of run {name}")} data-testid="stage-canvas"></canvas>
                    <div class="locator" ref={refs.locator.clone()} hidden=true></div>
                    <div class="tip" ref={refs.tip.clone()} data-testid="tip" hidden=true></div>
                    { self.veil(ctx, place) }
                    { self.menu(ctx, place) }
                    if groups {
                        <span class="chip cmp-grouped" title="Too many links to tell apart: zoom in to open the groups">{ "Drawn in groups" }</span>
                    }
                </div>
                { self.key_figures(place) }
            </section>
        }
    }

    fn veil(&self, ctx: &Context<CompareApp>, place: usize) -> Html {
        let number = self.panes[place].number();
        let restart = || ctx.link().callback(move |_: MouseEvent| Msg::StartAgain(number));
        if let Some(seconds) = self.panes[place].silent_s {
            return silent(seconds, restart());
        }
        match &self.panes[place].phase {
            Phase::Loading => html! {
                <div class="veil light" role="status"><p class="card small">{ "Building the network" }</p></div>
            },
            Phase::Broken(why) => stopped(
                "This run has stopped",
                why,
                "The others go on. Its scenario is kept, faults by hand included.",
                restart(),
                None,
            ),
            Phase::Empty | Phase::Ready => html! {},
        }
    }

    fn menu(&self, ctx: &Context<CompareApp>, place: usize) -> Html {
        let pane = &self.panes[place];
        let number = pane.number();
        match pane.menu {
            None => html! {},
            Some(menu) => html! {
                <BreakMenuView
                    {menu}
                    scenario={pane.scenario.clone()}
                    now_ps={pane.now_ps()}
                    ready={pane.is_ready() && !pane.is_over()}
                    on={ctx.link().callback(move |action| Msg::OfPane(number, action))}
                />
            },
        }
    }

    fn key_figures(&self, place: usize) -> Html {
        let pane = &self.panes[place];
        let report = &pane.report;
        let now = pane.now_ps();
        // Times that are compared have one unit.
        let longest = self.panes.iter().map(Pane::now_ps).max().unwrap_or(now);
        let goodput = match report.now_ps {
            0 => "–".into(),
            passed => units::rate(report.placed_bytes as f64 * 8e12 / passed as f64),
        };
        let dropped = report.packets_dropped();
        let flows = pane.facts.flows;
        let (done, all) = (units::count(report.flows_done.into()), units::count(flows.into()));
        let (class, state) = if !pane.is_ready() {
            ("dim", String::new())
        } else if flows == 0 {
            ("dim", texts::NO_FLOWS.into())
        } else if !pane.is_over() {
            ("dim", format!("{done} of {all} flows"))
        } else if report.flows_done == flows {
            ("good", format!("ended: all {all} flows complete"))
        } else {
            ("warn", format!("ended: {done} of {all} flows complete"))
        };
        let figure = |name: &'static str, doc: &'static str, value: String, testid: &'static str| {
            html! { <div title={doc}><dt>{ name }</dt><dd data-testid={testid}>{ value }</dd></div> }
        };
        html! {
            <dl class="cmp-figures">
                <div title="Simulated time"><dt>{ "time" }</dt><dd data-testid="pane-time" data-ps={now.to_string()} data-over={pane.is_over().to_string()}>{ units::clock_of(now, longest) }</dd></div>
                { figure("mean goodput", "Message bits placed by the time that has passed: the mean", goodput, "pane-goodput") }
                { figure("dropped", "Packets lost in the network, for any reason, probes included", units::count(dropped), "pane-dropped") }
                if report.probes_dropped > 0 {
                    { figure("of them probes", "Probes of EVs (entropy values, each a path) and of links, and answers to them", units::count(report.probes_dropped), "pane-probes") }
                }
                { figure("retransmitted", "Data packets sent again", units::count(report.retransmissions), "pane-retransmissions") }
                <div class={classes!("state", class)}><dd data-testid="pane-state">{ state }</dd></div>
            </dl>
        }
    }
}
