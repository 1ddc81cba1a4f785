//! Files of clouds and captures, dropped on whichever page: a worker of their own makes a host scenario of them, and a card says
//! what became of them.

mod card;
mod read;

pub use read::bytes;

use crate::texts::importer as text;
use crate::worker_link::{Incoming, Kind, WorkerLink};
use card::card;
use js_sys::ArrayBuffer;
use std::cell::RefCell;
use view::host::import::{Ask, Done, Field, Outcome, Said};
use view::message::{FromWorker, ToWorker};
use yew::prelude::*;

thread_local! {
    // The page has one importer, which its root mounts; files come to it from every page's ways to open some.
    static IMPORTER: RefCell<Option<Callback<Vec<web_sys::File>>>> = const { RefCell::new(None) };
}

/// Hands files to the importer.
pub fn open(files: Vec<web_sys::File>) {
    let importer = IMPORTER.with_borrow(Clone::clone);
    if let Some(importer) = importer {
        importer.emit(files);
    }
}

/// What the importer is given.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// What is done with what came out.
    pub done: Callback<Done>,
}

/// What it reacts to.
pub enum Msg {
    /// Files are to be imported.
    Open(Vec<web_sys::File>),
    /// Their bytes were read, or not; the number tells this import from others.
    Read(u32, Result<ArrayBuffer, String>),
    /// The worker says something.
    Worker(u32, Incoming),
    /// Something is said of what the files leave open.
    Say(Field, String),
    /// The same files again, with what is said now.
    Again,
    /// Enough of it: an import that goes on ends.
    Close,
}

/// How far it is.
pub enum Stage {
    /// There is nothing to say.
    Nothing,
    /// Files are read, or the worker works on them.
    Working,
    /// A scenario came out. It is the page's.
    Done {
        /// What each file is.
        found: Vec<view::host::import::Found>,
        /// What is not used.
        notes: Vec<String>,
        /// The same of what says nothing about packets.
        minor: Vec<String>,
    },
    /// None did.
    Refused {
        /// In a few words.
        title: String,
        /// What is wrong, line by line.
        problems: Vec<String>,
    },
}

/// The importer.
pub struct Importer {
    files: Vec<web_sys::File>,
    said: Said,
    /// The field that is wrong, and why.
    unclear: Option<(Field, String)>,
    stage: Stage,
    number: u32,
    worker: Option<WorkerLink>,
    // What the worker is to be sent once it is there.
    bytes: Option<ArrayBuffer>,
}

impl Component for Importer {
    type Message = Msg;
    type Properties = Props;

    fn create(ctx: &Context<Importer>) -> Importer {
        IMPORTER.set(Some(ctx.link().callback(Msg::Open)));
        Importer {
            files: Vec::new(),
            said: Said::default(),
            unclear: None,
            stage: Stage::Nothing,
            number: 0,
            worker: None,
            bytes: None,
        }
    }

    fn update(&mut self, ctx: &Context<Importer>, msg: Msg) -> bool {
        match msg {
            Msg::Open(files) => {
                self.files = files;
                self.said = Said::default();
                self.start(ctx);
            }
            Msg::Again => self.start(ctx),
            Msg::Read(number, read) if number == self.number => match read {
                Ok(bytes) => {
                    self.bytes = Some(bytes);
                    self.send();
                }
                Err(why) => self.refuse(text::A_FILE_COULD_NOT_BE_READ.into(), vec![why]),
            },
            Msg::Worker(number, incoming) if number == self.number => self.hear(ctx, incoming),
            Msg::Read(..) | Msg::Worker(..) => return false,
            Msg::Say(field, text) => self.said.say(field, text),
            Msg::Close => {
                self.stop();
                self.stage = Stage::Nothing;
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Importer>) -> Html {
        card(
            &self.stage,
            &self.names(),
            &self.said,
            self.unclear.as_ref(),
            ctx.link(),
        )
    }
}

impl Drop for Importer {
    fn drop(&mut self) {
        IMPORTER.set(None);
    }
}

impl Importer {
    fn names(&self) -> Vec<String> {
        self.files.iter().map(web_sys::File::name).collect()
    }

    /// Ends what goes on; answers that are on their way count no more.
    fn stop(&mut self) {
        self.number += 1;
        self.worker = None;
        self.bytes = None;
    }

    fn refuse(&mut self, title: String, problems: Vec<String>) {
        self.stop();
        self.stage = Stage::Refused { title, problems };
    }

    /// Reads the files anew, in a worker of their own: what they take in memory goes with it.
    fn start(&mut self, ctx: &Context<Importer>) {
        self.stop();
        self.unclear = None;
        if let Err(why) = read::fit(&self.files) {
            return self.refuse(text::TOO_MUCH.into(), vec![why]);
        }
        self.stage = Stage::Working;
        let number = self.number;
        match WorkerLink::start(
            Kind::Imports,
            ctx.link().callback(move |incoming| Msg::Worker(number, incoming)),
        ) {
            Ok(worker) => self.worker = Some(worker),
            Err(why) => return self.refuse(text::COULD_NOT_BE_STARTED.into(), vec![why]),
        }
        let files = self.files.clone();
        ctx.link()
            .send_future(async move { Msg::Read(number, read::all(&files).await) });
    }

    /// Sends the files once they are read and the worker is there.
    fn send(&mut self) {
        if !self.worker.as_ref().is_some_and(WorkerLink::is_ready) {
            return;
        }
        let Some(bytes) = self.bytes.take() else { return };
        let ask = ToWorker::Import(Ask {
            files: self.files.iter().map(read::entry).collect(),
            said: self.said.clone(),
        });
        let sent = self
            .worker
            .as_mut()
            .map_or(Ok(()), |worker| worker.send_bytes(&ask, &bytes));
        if let Err(why) = sent {
            self.refuse(text::COULD_NOT_BE_HANDED_OVER.into(), vec![why]);
        }
    }

    fn hear(&mut self, ctx: &Context<Importer>, incoming: Incoming) {
        let stopped = text::HAS_STOPPED;
        match incoming {
            Incoming::Broken(why) => self.refuse(stopped.into(), vec![why]),
            // Large files take as long as they take, and can be given up.
            Incoming::Silent(_) => {}
            Incoming::Message { message, .. } => match *message {
                FromWorker::Ready => {
                    if let Some(worker) = &mut self.worker {
                        // Nothing waits: the files are sent here.
                        let _ = worker.ready();
                    }
                    self.send();
                }
                FromWorker::Failed { message } => self.refuse(stopped.into(), vec![message]),
                FromWorker::Imported(outcome) => self.take(ctx, outcome),
                _ => {}
            },
        }
    }

    fn take(&mut self, ctx: &Context<Importer>, outcome: Outcome) {
        match outcome {
            Outcome::Done(done) => {
                self.stop();
                self.stage = Stage::Done {
                    found: done.found.clone(),
                    notes: done.notes.clone(),
                    minor: done.minor.clone(),
                };
                ctx.props().done.emit(*done);
            }
            Outcome::Refused { file, problems } => {
                let title = match file.is_empty() {
                    true => text::NO_SCENARIO.to_owned(),
                    false => text::cannot_be_imported(&file),
                };
                self.refuse(title, problems);
            }
            Outcome::Unclear { field, why } => {
                self.refuse(format!("{}: not understood", field.label()), vec![why.clone()]);
                self.unclear = Some((field, why));
            }
        }
    }
}
