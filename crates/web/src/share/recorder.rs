//! A short film of the stage, saved as a file. It never comes back into the page.

use super::global;
use super::picture::Picture;
use crate::dom;
use crate::ui::icons::{Icon, icon};
use std::cell::RefCell;
use std::rc::Rc;
use view::share::{FILMS, film_extension};
use view::units;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, BlobEvent, BlobPropertyBag, MediaRecorder, MediaRecorderOptions};
use yew::prelude::*;

/// Frames in a second at most.
const FRAMES: f64 = 30.0;
/// Bits in a second: sharp lines and small texts need more than faces.
const BITS: u32 = 8_000_000;
/// How often the size so far is told, in ms.
const TELL_MS: i32 = 250;
/// Pixels in width and height at most.
const MOST: f64 = 1920.0;

/// True where the browser records at all.
pub fn can_record() -> bool {
    global("MediaRecorder").is_some() && film().is_some()
}

/// What it records best.
fn film() -> Option<&'static str> {
    FILMS
        .into_iter()
        .map(|(media_type, _)| media_type)
        .find(|media_type| MediaRecorder::is_type_supported(media_type))
}

/// What is to be recorded.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// How long, in seconds.
    pub seconds: u32,
    /// The scenario's name.
    pub title: AttrValue,
    /// How the file is called, but for its end.
    pub file: AttrValue,
    /// Simulated time in ps.
    pub now_ps: u64,
    /// It is over: what became of it, or why there is none.
    pub done: Callback<Result<String, String>>,
}

/// What happens while recording.
pub enum Msg {
    /// The picture is laid out, or cannot be.
    Laid(Result<Picture, String>),
    /// The browser is about to paint.
    Paint,
    /// Another piece is there.
    Piece(Blob),
    /// It is long enough, or the user wants no more.
    Stop,
    /// The last piece is there.
    Stopped,
    /// The browser gave up.
    Failed(String),
}

/// A recording that goes on, and what there is of it.
#[derive(Default)]
pub struct Recorder {
    picture: Option<Picture>,
    recorder: Option<MediaRecorder>,
    pieces: Rc<RefCell<Vec<Blob>>>,
    bytes: f64,
    began_ms: f64,
    ended_ms: Option<f64>,
    listeners: Vec<Closure<dyn FnMut(JsValue)>>,
    over: bool,
}

impl Component for Recorder {
    type Message = Msg;
    type Properties = Props;

    fn create(ctx: &Context<Recorder>) -> Recorder {
        ctx.link()
            .send_future(async { Msg::Laid(Picture::new(MOST).await) });
        Recorder::default()
    }

    fn update(&mut self, ctx: &Context<Recorder>, msg: Msg) -> bool {
        if self.over {
            return false;
        }
        match msg {
            Msg::Laid(laid) => {
                let begun = laid.and_then(|picture| {
                    self.picture = Some(picture);
                    self.begin(ctx).map_err(|error| crate::worker_link::words(&error))
                });
                if let Err(why) = begun {
                    self.end(ctx, Err(why));
                }
                true
            }
            Msg::Paint => {
                self.paint(ctx);
                false
            }
            Msg::Piece(blob) => {
                self.bytes += blob.size();
                self.pieces.borrow_mut().push(blob);
                true
            }
            Msg::Stop => {
                if let Some(recorder) = &self.recorder
                    && self.ended_ms.is_none()
                {
                    self.ended_ms = Some(dom::now_ms());
                    if let Err(error) = recorder.stop() {
                        self.end(ctx, Err(crate::worker_link::words(&error)));
                    }
                }
                true
            }
            Msg::Stopped => {
                let saved = self.save(ctx).map_err(|error| crate::worker_link::words(&error));
                self.end(ctx, saved);
                true
            }
            Msg::Failed(why) => {
                self.end(ctx, Err(why));
                true
            }
        }
    }

    fn view(&self, ctx: &Context<Recorder>) -> Html {
        let passed = self.seconds();
        html! {
            <div class="recorder" data-testid="recorder">
                <p class="sr" role="status">{ "The stage is being recorded" }</p>
                <span class="recorder-sign" aria-hidden="true"></span>
                <span role="timer" data-testid="recorder-time">
                    { format!("{passed:.0} s of {} s · {}", ctx.props().seconds, units::bytes(self.bytes)) }
                </span>
                <button data-testid="stop-recording" onclick={ctx.link().callback(|_| Msg::Stop)}>
                    { icon(Icon::Save) }{ "Stop and save" }
                </button>
            </div>
        }
    }

    fn destroy(&mut self, ctx: &Context<Recorder>) {
        self.leave(ctx);
        self.give_up();
    }
}

impl Recorder {
    fn begin(&mut self, ctx: &Context<Recorder>) -> Result<(), JsValue> {
        let Some(picture) = &self.picture else {
            return Ok(());
        };
        self.draw(ctx)?;
        let stream = picture.canvas.capture_stream_with_frame_request_rate(FRAMES)?;
        let options = MediaRecorderOptions::new();
        options.set_mime_type(film().unwrap_or_default());
        options.set_video_bits_per_second(BITS);
        let recorder = MediaRecorder::new_with_media_stream_and_media_recorder_options(&stream, &options)?;
        let mut listen = |hear: Box<dyn FnMut(JsValue)>| {
            let closure = Closure::wrap(hear);
            let function = closure.as_ref().clone();
            self.listeners.push(closure);
            function
        };
        let link = ctx.link().clone();
        let piece = listen(Box::new(move |event| {
            if let Some(blob) = event.dyn_into::<BlobEvent>().ok().and_then(|event| event.data()) {
                link.send_message(Msg::Piece(blob));
            }
        }));
        let link = ctx.link().clone();
        let stopped = listen(Box::new(move |_| link.send_message(Msg::Stopped)));
        let link = ctx.link().clone();
        let failed = listen(Box::new(move |_| {
            link.send_message(Msg::Failed("the browser could not go on recording".into()));
        }));
        recorder.set_ondataavailable(Some(piece.unchecked_ref()));
        recorder.set_onstop(Some(stopped.unchecked_ref()));
        recorder.set_onerror(Some(failed.unchecked_ref()));
        recorder.start_with_time_slice(TELL_MS)?;
        self.recorder = Some(recorder);
        self.began_ms = dom::now_ms();
        // Not by what is painted: a window that nobody sees paints nothing.
        let link = ctx.link().clone();
        let alarm = Closure::once_into_js(move || link.send_message(Msg::Stop));
        dom::window().set_timeout_with_callback_and_timeout_and_arguments_0(
            alarm.unchecked_ref(),
            ctx.props().seconds as i32 * 1000,
        )?;
        self.next_paint(ctx);
        Ok(())
    }

    fn next_paint(&self, ctx: &Context<Recorder>) {
        let link = ctx.link().clone();
        let callback = Closure::once_into_js(move || link.send_message(Msg::Paint));
        let _ = dom::window().request_animation_frame(callback.unchecked_ref());
    }

    fn draw(&self, ctx: &Context<Recorder>) -> Result<(), JsValue> {
        let props = ctx.props();
        match &self.picture {
            Some(picture) => picture.draw(&props.title, &units::clock(props.now_ps)),
            None => Ok(()),
        }
    }

    fn paint(&mut self, ctx: &Context<Recorder>) {
        match self.draw(ctx) {
            Ok(()) if self.ended_ms.is_none() => self.next_paint(ctx),
            Ok(()) => {}
            Err(error) => self.end(ctx, Err(crate::worker_link::words(&error))),
        }
    }

    /// How long it is by now.
    fn seconds(&self) -> f64 {
        match &self.recorder {
            None => 0.0,
            Some(_) => (self.ended_ms.unwrap_or_else(dom::now_ms) - self.began_ms) / 1000.0,
        }
    }

    /// Saves it; what it is called, and how large it is.
    fn save(&mut self, ctx: &Context<Recorder>) -> Result<String, JsValue> {
        let (name, bytes) = save(&self.pieces.take(), &ctx.props().file)?;
        let seconds = self.seconds();
        Ok(format!("{name}: {seconds:.0} s, {}", units::bytes(bytes)))
    }

    /// The page changes to another one: what there is by now is saved, when the browser has given its last piece.
    fn leave(&mut self, ctx: &Context<Recorder>) {
        let Some(recorder) = self.recorder.as_ref().filter(|_| !self.over) else {
            return;
        };
        let pieces = Rc::clone(&self.pieces);
        let piece = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
            if let Some(blob) = event.dyn_into::<BlobEvent>().ok().and_then(|event| event.data()) {
                pieces.borrow_mut().push(blob);
            }
        });
        let (pieces, file) = (Rc::clone(&self.pieces), ctx.props().file.clone());
        let stopped = Closure::once_into_js(move || {
            // There is no page any more that could say why not.
            let _ = save(&pieces.take(), &file);
        });
        recorder.set_ondataavailable(Some(piece.into_js_value().unchecked_ref()));
        recorder.set_onstop(Some(stopped.unchecked_ref()));
        recorder.set_onerror(None);
        if self.ended_ms.replace(dom::now_ms()).is_none() {
            let _ = recorder.stop();
        }
        let recorder = self.recorder.take();
        recorder.iter().for_each(stop_tracks);
    }

    fn end(&mut self, ctx: &Context<Recorder>, result: Result<String, String>) {
        self.give_up();
        ctx.props().done.emit(result);
    }

    /// No more of it.
    fn give_up(&mut self) {
        self.over = true;
        if let Some(recorder) = self.recorder.take() {
            recorder.set_ondataavailable(None);
            recorder.set_onstop(None);
            recorder.set_onerror(None);
            if self.ended_ms.is_none() {
                let _ = recorder.stop();
            }
            stop_tracks(&recorder);
        }
        self.listeners.clear();
        self.picture = None;
    }
}

fn stop_tracks(recorder: &MediaRecorder) {
    for track in recorder.stream().get_tracks().iter() {
        track.unchecked_into::<web_sys::MediaStreamTrack>().stop();
    }
}

/// Saves the pieces as one file; its name, and how many bytes it has.
fn save(pieces: &[Blob], file: &str) -> Result<(String, f64), JsValue> {
    let media_type = film().unwrap_or_default();
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = js_sys::Array::new();
    for piece in pieces {
        parts.push(piece);
    }
    let blob = Blob::new_with_blob_sequence_and_options(&parts, &options)?;
    if blob.size() == 0.0 {
        return Err("the browser recorded nothing".into());
    }
    let name = format!("{file}.{}", film_extension(media_type));
    dom::download_blob(&name, &blob)?;
    Ok((name, blob.size()))
}
