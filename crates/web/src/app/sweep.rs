//! Sweeps: workers of their own run the scenario with one seed after the other.

use super::{App, Msg};
use crate::dom;
use crate::model::SweepView;
use crate::share::copy;
use crate::shared::Shared;
use crate::worker_link::{Incoming, Kind, WorkerLink};
use lab::{Row, Seeds, Sweep};
use scenario::Scenario;
use view::message::{FromWorker, ToWorker};
use view::stopped::Cause;
use view::sweep::{Ask, Board, State, Tell};
use yew::Context;

/// How often the page shows how far a sweep is, in ms.
const SHOW_EVERY_MS: f64 = 150.0;
/// Seconds without a word after which a worker is given up: it tells of itself every 0.1 s but while it builds a run.
const SILENT_S: u32 = 90;

/// A sweep that goes on.
pub(super) struct Pool {
    board: Board,
    workers: Vec<Seated>,
    began_ms: f64,
    shown_ms: f64,
}

/// A worker and the number that tells it from those before it.
struct Seated {
    number: u32,
    link: Option<WorkerLink>,
}

impl App {
    /// Runs the scenario that is open with so many seeds from `first` on.
    pub(super) fn start_sweep(&mut self, ctx: &Context<App>, seeds: Seeds) {
        let Some(scenario) = &self.model.scenario else {
            return;
        };
        let sweep = Sweep {
            scenario: (**scenario).clone(),
            seeds,
            vary: None,
        };
        let plan = match sweep.plan() {
            Ok(plan) => plan,
            Err(problems) => {
                let problems = problems.iter().map(ToString::to_string).collect();
                return self.tell_error("This sweep cannot be run", problems);
            }
        };
        // Browsers say how many cores there are, or less; the module knows no shared memory.
        let cores = dom::window().navigator().hardware_concurrency();
        let board = Board::new(plan, cores as usize);
        let now_ms = dom::now_ms();
        let mut pool = Pool {
            workers: Vec::new(),
            board,
            began_ms: now_ms,
            shown_ms: now_ms,
        };
        for seat in 0..pool.board.seats().len() {
            let seated = self.seat(ctx);
            pool.workers.push(seated);
            self.keep_busy(ctx, &mut pool, seat);
        }
        self.model.announcement = format!("Sweep of {} runs", pool.board.plan().runs());
        self.show_sweep(&mut pool);
        self.pool = Some(pool);
    }

    /// Starts a worker of a sweep. Without one its runs fail, and the first says why.
    fn seat(&mut self, ctx: &Context<App>) -> Seated {
        self.sweep_workers += 1;
        let number = self.sweep_workers;
        let hear = ctx.link().callback(move |incoming| Msg::Sweep(number, incoming));
        let link = match WorkerLink::start(Kind::Fabrics, hear) {
            Ok(link) => Some(link),
            Err(error) => {
                ctx.link()
                    .send_message(Msg::Sweep(number, Incoming::Broken(error)));
                None
            }
        };
        Seated { number, link }
    }

    /// Gives a worker that has just been seated the scenario and its first run.
    fn keep_busy(&mut self, ctx: &Context<App>, pool: &mut Pool, seat: usize) {
        let Some(run) = pool.board.hand_out(seat) else {
            pool.workers[seat].link = None;
            return;
        };
        let take = Ask::Take {
            scenario: Box::new(pool.board.plan().sweep().scenario.clone()),
        };
        send(ctx, &mut pool.workers[seat], [take, run]);
    }

    /// Takes what a worker of a sweep says. True when the page shows something else then.
    pub(super) fn hear_sweep(&mut self, ctx: &Context<App>, number: u32, incoming: Incoming) -> bool {
        let Some(mut pool) = self.pool.take() else {
            return false;
        };
        let Some(seat) = pool.workers.iter().position(|worker| worker.number == number) else {
            self.pool = Some(pool);
            return false;
        };
        let crash = match incoming {
            Incoming::Broken(why) => Some(Cause::of(&why)),
            // Building a run takes as long as it takes; running tells how far it is.
            Incoming::Silent(seconds) if seconds >= SILENT_S => Some(Cause::Silent(seconds)),
            Incoming::Silent(_) => {
                pool.board.owes(seat);
                None
            }
            Incoming::Message { message, .. } => match *message {
                FromWorker::Failed { message } => Some(Cause::of(&message)),
                FromWorker::Ready => {
                    let link = pool.workers[seat].link.as_mut();
                    link.and_then(|link| link.ready().err())
                        .map(|why| Cause::of(&why))
                }
                FromWorker::Sweep(tell) => {
                    let is_over = matches!(tell, Tell::Over { .. });
                    pool.board.hear(seat, tell);
                    if is_over {
                        match pool.board.hand_out(seat) {
                            Some(run) => send(ctx, &mut pool.workers[seat], [run]),
                            // Its memory is of more use to the others.
                            None => pool.workers[seat].link = None,
                        }
                    }
                    None
                }
                _ => None,
            },
        };
        if let Some(why) = crash {
            pool.board.crashed(seat, &why.words());
            // Its memory is given back before another one takes its place.
            pool.workers[seat].link = None;
            if pool.board.state() == State::Running {
                pool.workers[seat] = self.seat(ctx);
                self.keep_busy(ctx, &mut pool, seat);
            }
        }
        let is_over = pool.board.state() != State::Running;
        let due = dom::now_ms() - pool.shown_ms >= SHOW_EVERY_MS;
        if due || is_over {
            self.show_sweep(&mut pool);
        }
        if is_over {
            let report = pool.board.report();
            self.model.announcement = format!(
                "Sweep finished: every flow complete in {} of {} runs",
                report.complete(),
                report.runs()
            );
        } else {
            self.pool = Some(pool);
        }
        due || is_over
    }

    /// Ends the workers. What is over stays.
    pub(super) fn cancel_sweep(&mut self) {
        if let Some(mut pool) = self.pool.take() {
            pool.board.cancel();
            self.model.announcement = format!(
                "Sweep cancelled after {} of {} runs",
                pool.board.over(),
                pool.board.plan().runs()
            );
            self.show_sweep(&mut pool);
        }
    }

    fn show_sweep(&mut self, pool: &mut Pool) {
        pool.shown_ms = dom::now_ms();
        self.model.sweep = Some(Shared::new(SweepView {
            report: pool.board.report(),
            board: pool.board.clone(),
            elapsed_s: (pool.shown_ms - pool.began_ms) / 1000.0,
        }));
        self.model.sweep_copied = None;
    }

    /// Copies all runs as comma-separated values.
    pub(super) fn copy_sweep(&mut self, ctx: &Context<App>) {
        let Some(sweep) = &self.model.sweep else {
            return;
        };
        let (text, link) = (csv(sweep), ctx.link().clone());
        wasm_bindgen_futures::spawn_local(async move {
            let done = copy(&text).await;
            link.send_message(Msg::SweepCopied(done));
        });
    }

    /// Where the browser does not let us copy, there is a file instead.
    pub(super) fn sweep_copied(&mut self, done: bool) -> bool {
        self.model.sweep_copied = Some(done);
        if !done && let Some(sweep) = &self.model.sweep {
            let saved = dom::download("sweep.csv", "text/csv", &csv(sweep));
            self.saved(saved);
        }
        true
    }

    /// Watches a run of the sweep: its scenario, with its seed, from the beginning.
    pub(super) fn watch_sweep_run(&mut self, ctx: &Context<App>, seed: u64) {
        let Some(sweep) = &self.model.sweep else {
            return;
        };
        let swept = Scenario {
            seed,
            ..sweep.board.plan().sweep().scenario.clone()
        };
        let is_open = self.model.scenario.as_ref().is_some_and(|open| {
            let open = Scenario {
                seed,
                ..(**open).clone()
            };
            open == swept
        });
        if is_open {
            self.set_seed(ctx, seed);
        } else {
            self.open(ctx, swept, None);
            self.set_hash("");
        }
    }
}

fn csv(sweep: &SweepView) -> String {
    let rows: Vec<Row> = sweep.board.rows().cloned().collect();
    lab::csv(&rows)
}

/// Sends messages to a worker; one that cannot be reached has broken down.
fn send<const N: usize>(ctx: &Context<App>, worker: &mut Seated, asks: [Ask; N]) {
    let Some(link) = &mut worker.link else {
        return;
    };
    for ask in asks {
        if let Err(error) = link.send(ToWorker::Sweep(ask)) {
            ctx.link()
                .send_message(Msg::Sweep(worker.number, Incoming::Broken(error)));
            return;
        }
    }
}
