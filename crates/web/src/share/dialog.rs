//! The dialog for giving away what is on the page.

use super::picture::Picture;
use super::recorder::can_record;
use super::{address, copy, global};
use crate::app::share::file_name;
use crate::dom;
use crate::model::{Action, ShareView};
use crate::texts::sharing;
use crate::ui::On;
use crate::ui::dialogs::Frame;
use crate::ui::icons::{Icon, icon};
use js_sys::{Array, Function, Object, Promise, Reflect};
use scenario::Time;
use scenario::link::{at_moment, with_marks};
use view::share::{Embed, RECORDING_S, frame_code, too_long};
use view::units;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlCanvasElement, HtmlElement, HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// Pixels of a picture in width and height at most.
const MOST: f64 = 4096.0;
/// Height of a frame in another page, in CSS pixels; with the timeline.
const FRAME_HEIGHT: (u32, u32) = (480, 680);
/// Seconds that are recorded where nothing else is chosen.
const SECONDS: u32 = 10;

/// What is given away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The link.
    #[default]
    Link,
    /// HTML for another page.
    Embed,
    /// A picture.
    Image,
    /// A recording.
    Recording,
}

impl Form {
    const ALL: [(Form, &str, &str); 4] = [
        (Form::Link, "link", "Link"),
        (Form::Embed, "embed", "Embed"),
        (Form::Image, "image", "Image"),
        (Form::Recording, "recording", "Recording"),
    ];
}

/// What the dialog is given.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// What it gives away.
    pub view: ShareView,
    /// What a frame has beside the stage, on wish: `timeline`, for example.
    pub extra: AttrValue,
    /// What the user does.
    pub on: On,
}

/// What happens in the dialog.
pub enum Msg {
    /// Another form.
    Show(Form),
    /// Whether the link opens at the time that is shown now.
    AtNow(bool),
    /// Whether it has the bookmarks.
    WithMarks(bool),
    /// Whether the frame has more than the stage.
    Extra(bool),
    /// Copy the text in the field.
    Copy,
    /// It was copied, or not.
    Copied(bool),
    /// The picture is there, or cannot be.
    Drawn(Result<HtmlCanvasElement, String>),
    /// Save the picture.
    SaveImage,
    /// Copy it.
    CopyImage,
    /// What became of it: whether it went well, and in words.
    Done(bool, String),
    /// Record for so many seconds.
    Seconds(u32),
    /// Begin to record.
    Record,
}

/// The dialog.
pub struct ShareDialog {
    form: Form,
    at_now: bool,
    with_marks: bool,
    extra: bool,
    copied: Option<bool>,
    picture: Option<Result<HtmlCanvasElement, String>>,
    said: Option<(bool, String)>,
    seconds: u32,
    field: NodeRef,
    preview: NodeRef,
}

impl Component for ShareDialog {
    type Message = Msg;
    type Properties = Props;

    fn create(ctx: &Context<ShareDialog>) -> ShareDialog {
        ctx.link().send_message(Msg::Copy);
        ShareDialog {
            form: Form::Link,
            at_now: false,
            with_marks: true,
            extra: false,
            copied: None,
            picture: None,
            said: None,
            seconds: SECONDS,
            field: NodeRef::default(),
            preview: NodeRef::default(),
        }
    }

    fn update(&mut self, ctx: &Context<ShareDialog>, msg: Msg) -> bool {
        match msg {
            Msg::Show(form) => {
                self.form = form;
                self.copied = None;
                self.said = None;
                if form == Form::Image && self.picture.is_none() {
                    let view = ctx.props().view.clone();
                    ctx.link()
                        .send_future(async move { Msg::Drawn(draw(&view).await) });
                }
            }
            Msg::AtNow(at_now) => {
                self.at_now = at_now;
                self.copied = None;
            }
            Msg::WithMarks(with_marks) => {
                self.with_marks = with_marks;
                self.copied = None;
            }
            Msg::Extra(extra) => {
                self.extra = extra;
                self.copied = None;
            }
            Msg::Copy => {
                let Some(text) = self.text(ctx) else { return false };
                ctx.link()
                    .send_future(async move { Msg::Copied(copy(&text).await) });
            }
            Msg::Copied(done) => {
                self.copied = Some(done);
                // Ready for Ctrl-C where the browser does not copy for us.
                if let Some(field) = self.field.cast::<HtmlTextAreaElement>().filter(|_| !done) {
                    field.select();
                }
            }
            Msg::Drawn(picture) => self.picture = Some(picture),
            Msg::SaveImage => {
                let name = format!("{}.png", file_name(&ctx.props().view.name));
                self.with_image(ctx, async move |blob| {
                    dom::download_blob(&name, &blob)?;
                    Ok(format!("Saved as {name}, {}.", units::bytes(blob.size())))
                });
            }
            Msg::CopyImage => self.with_image(ctx, async move |blob| {
                copy_image(&blob).await?;
                Ok("Copied. It can be pasted into a document or a chat.".to_owned())
            }),
            Msg::Done(well, words) => self.said = Some((well, words)),
            Msg::Seconds(seconds) => {
                self.seconds = seconds.clamp(*RECORDING_S.start(), *RECORDING_S.end());
            }
            Msg::Record => ctx.props().on.emit(Action::Record(self.seconds)),
        }
        true
    }

    fn rendered(&mut self, _: &Context<ShareDialog>, _: bool) {
        // The picture is an element already: Yew only gives it its place.
        if let (Some(preview), Some(Ok(canvas))) = (self.preview.cast::<HtmlElement>(), &self.picture)
            && preview.first_child().is_none()
        {
            let _ = preview.append_child(canvas);
        }
    }

    fn view(&self, ctx: &Context<ShareDialog>) -> Html {
        let tabs = Form::ALL.into_iter().map(|(form, slug, name)| {
            html! {
                <button
                    role="tab"
                    id={format!("share-tab-{slug}")}
                    aria-selected={(form == self.form).to_string()}
                    aria-controls="share-panel"
                    data-testid={format!("share-tab-{slug}")}
                    onclick={ctx.link().callback(move |_| Msg::Show(form))}
                >{ name }</button>
            }
        });
        let current = Form::ALL.into_iter().find(|(form, ..)| *form == self.form);
        let labelled = current.map(|(_, slug, _)| format!("share-tab-{slug}"));
        let body = match self.form {
            Form::Link => self.link_form(ctx),
            Form::Embed => self.embed_form(ctx),
            Form::Image => self.image_form(ctx),
            Form::Recording => self.recording_form(ctx),
        };
        html! {
            <Frame title="Share this experiment" testid="share-dialog" on={ctx.props().on.clone()}>
                <div class="share-tabs" role="tablist" aria-label="Ways to share">{ for tabs }</div>
                <div class="share-panel" id="share-panel" role="tabpanel" aria-labelledby={labelled}>{ body }</div>
            </Frame>
        }
    }
}

impl ShareDialog {
    /// The link as it is wanted.
    fn link(&self, ctx: &Context<ShareDialog>) -> Option<String> {
        let view = &ctx.props().view;
        let mut link = view.link.as_ref().ok()?.clone();
        if self.with_marks {
            link = with_marks(&link, &view.marks);
        }
        Some(match self.at_now && view.now_ps > 0 {
            true => at_moment(&link, Time(view.now_ps)),
            false => link,
        })
    }

    /// The text that the field has.
    fn text(&self, ctx: &Context<ShareDialog>) -> Option<String> {
        let link = self.link(ctx)?;
        match self.form {
            Form::Embed => {
                let embed = Embed { timeline: self.extra };
                let height = if self.extra {
                    FRAME_HEIGHT.1
                } else {
                    FRAME_HEIGHT.0
                };
                let url = address(embed.query(), &link);
                Some(frame_code(
                    &url,
                    &format!("{} – Flowglass", ctx.props().view.name),
                    height,
                ))
            }
            _ => Some(address("", &link)),
        }
    }

    fn link_form(&self, ctx: &Context<ShareDialog>) -> Html {
        let Some(url) = self.text(ctx) else {
            return self.no_link(ctx);
        };
        let warning = too_long(&url);
        let is_long = warning.is_some();
        html! {
            <>
                <p>{ "This link opens the same experiment, with its seed and every fault by hand. It runs the same, bit for bit." }</p>
                { self.field(&url, "the link", "Link", "share-link") }
                if let Some(warning) = warning { <p class="bad" data-testid="share-long">{ warning }</p> }
                { self.at_now(ctx) }
                { self.bookmarks(ctx) }
                <p class="row">
                    <button class={classes!((!is_long).then_some("primary"))} data-testid="copy-link" onclick={ctx.link().callback(|_| Msg::Copy)}>
                        { icon(Icon::Copy) }{ "Copy the link" }
                    </button>
                    { save_button(ctx, is_long) }
                </p>
            </>
        }
    }

    fn embed_form(&self, ctx: &Context<ShareDialog>) -> Html {
        let Some(code) = self.text(ctx) else {
            return self.no_link(ctx);
        };
        let extra = ctx.link().callback(|event: Event| Msg::Extra(is_checked(&event)));
        html! {
            <>
                <p>{ "This HTML shows the run in a page of your own: the stage, a button to play, and a link to here. It simulates nothing before it is clicked." }</p>
                { self.field(&code, "the HTML", "HTML of the frame", "embed-code") }
                <label class="check"><input type="checkbox" data-testid="embed-extra" checked={self.extra} onchange={extra} />{ format!("With the {}", ctx.props().extra) }</label>
                { self.at_now(ctx) }
                { self.bookmarks(ctx) }
                <p class="dim small">{ "A server of Flowglass allows frames in pages of its own address only, unless whoever runs it allows others (frame-ancestors in its Content-Security-Policy; docs/share.md says how)." }</p>
                <p class="row">
                    <button class="primary" data-testid="copy-embed" onclick={ctx.link().callback(|_| Msg::Copy)}>{ icon(Icon::Copy) }{ "Copy the HTML" }</button>
                    <a href={self.link(ctx).map(|link| address(Embed { timeline: self.extra }.query(), &link))} target="_blank" rel="noopener" data-testid="embed-try">{ "See what it looks like" }</a>
                </p>
            </>
        }
    }

    fn image_form(&self, ctx: &Context<ShareDialog>) -> Html {
        let (ready, problem) = match &self.picture {
            None => (false, None),
            Some(Ok(_)) => (true, None),
            Some(Err(why)) => (false, Some(why.clone())),
        };
        let can_copy = global("ClipboardItem").is_some();
        html! {
            <>
                if let Some(why) = problem {
                    <p class="bad" role="alert">{ format!("The picture could not be drawn: {why}.") }</p>
                } else {
                    <div class="share-preview" ref={self.preview.clone()} role="img" aria-label="The picture: the stage with title, time and legend" data-testid="share-picture"></div>
                }
                { self.said() }
                <p class="row">
                    <button class="primary" data-testid="save-image" disabled={!ready} onclick={ctx.link().callback(|_| Msg::SaveImage)}>{ icon(Icon::Save) }{ "Save as PNG" }</button>
                    if can_copy {
                        <button data-testid="copy-image" disabled={!ready} onclick={ctx.link().callback(|_| Msg::CopyImage)}>{ icon(Icon::Copy) }{ "Copy the image" }</button>
                    } else {
                        <span class="dim">{ "This browser does not let pages copy images." }</span>
                    }
                </p>
            </>
        }
    }

    fn recording_form(&self, ctx: &Context<ShareDialog>) -> Html {
        if !can_record() {
            return html! {
                <p data-testid="no-recording">{ "This browser does not record what a page draws (it has no MediaRecorder for video). Current versions of Chromium, Firefox and Safari do." }</p>
            };
        }
        let oninput = ctx.link().callback(|event: InputEvent| {
            let value = event.target_unchecked_into::<HtmlInputElement>().value();
            Msg::Seconds(value.parse().unwrap_or(SECONDS))
        });
        html! {
            <>
                <p>{ "Records the stage with its title, time and legend while the run plays, and saves it as a video file on this machine. It is sent nowhere." }</p>
                <label class="share-length">
                    <span>{ "Length " }<output data-testid="recording-length">{ format!("{} s", self.seconds) }</output></span>
                    <input
                        type="range"
                        min={RECORDING_S.start().to_string()}
                        max={RECORDING_S.end().to_string()}
                        step="1"
                        value={self.seconds.to_string()}
                        aria-valuetext={format!("{} seconds", self.seconds)}
                        data-testid="recording-seconds"
                        {oninput}
                    />
                </label>
                <p class="row">
                    <button class="primary" data-testid="record" onclick={ctx.link().callback(|_| Msg::Record)}>{ icon(Icon::Record) }{ "Play and record" }</button>
                </p>
            </>
        }
    }

    /// The field with what can be copied, which is `what`, and what became of that.
    fn field(&self, text: &str, what: &'static str, label: &'static str, testid: &'static str) -> Html {
        let (class, said) = match self.copied {
            Some(true) => ("good", "Copied. ".to_owned()),
            Some(false) => (
                "bad",
                format!("This browser does not let the page copy: copy {what} from the field. "),
            ),
            None => ("dim", String::new()),
        };
        let onfocus = Callback::from(|event: FocusEvent| {
            event.target_unchecked_into::<HtmlTextAreaElement>().select();
        });
        let count = text.chars().count();
        html! {
            <>
                <textarea ref={self.field.clone()} readonly=true rows="4" aria-label={label} data-testid={testid} value={text.to_owned()} {onfocus} />
                <p role="status" data-testid="share-status">
                    <span class={class}>{ said }</span>
                    <span class="dim">{ format!("{} characters", units::count(count as u64)) }</span>
                </p>
            </>
        }
    }

    /// Whether the link opens at the time that is shown now.
    fn at_now(&self, ctx: &Context<ShareDialog>) -> Html {
        let now = ctx.props().view.now_ps;
        let onchange = ctx.link().callback(|event: Event| Msg::AtNow(is_checked(&event)));
        html! {
            <label class="check">
                <input type="checkbox" data-testid="at-now" checked={self.at_now && now > 0} disabled={now == 0} {onchange} />
                if now == 0 {
                    <span class="dim">{ "Open at this time: the run is at its start" }</span>
                } else {
                    { format!("Open paused at this time, {}", units::span(now as f64)) }
                }
            </label>
        }
    }

    /// Whether the link has the bookmarks, if there are any.
    fn bookmarks(&self, ctx: &Context<ShareDialog>) -> Html {
        let count = ctx.props().view.marks.len();
        let onchange = ctx
            .link()
            .callback(|event: Event| Msg::WithMarks(is_checked(&event)));
        html! {
            if count > 0 {
                <label class="check">
                    <input type="checkbox" data-testid="with-bookmarks" checked={self.with_marks} {onchange} />
                    { sharing::with_bookmarks(count) }
                </label>
            }
        }
    }

    fn no_link(&self, ctx: &Context<ShareDialog>) -> Html {
        let why = ctx.props().view.link.as_ref().err().cloned().unwrap_or_default();
        html! {
            <>
                <p class="bad" role="alert" data-testid="share-none">{ why }</p>
                <p>{ "Save it as a file instead: dropped on this page, it opens the same run." }</p>
                <p class="row">{ save_button(ctx, true) }</p>
            </>
        }
    }

    /// What became of the picture.
    fn said(&self) -> Html {
        let (class, words) = match &self.said {
            None => ("dim", ""),
            Some((true, words)) => ("good", words.as_str()),
            Some((false, words)) => ("bad", words.as_str()),
        };
        html! { <p role="status" class={class} data-testid="image-status">{ words }</p> }
    }

    /// Does something with the picture as a PNG.
    fn with_image(
        &self,
        ctx: &Context<ShareDialog>,
        act: impl AsyncFnOnce(Blob) -> Result<String, JsValue> + 'static,
    ) {
        let Some(Ok(canvas)) = &self.picture else { return };
        let canvas = canvas.clone();
        ctx.link().send_future(async move {
            let done = match png(&canvas).await {
                Ok(blob) => act(blob).await,
                Err(error) => Err(error),
            };
            match done {
                Ok(words) => Msg::Done(true, words),
                Err(error) => {
                    let why = crate::worker_link::words(&error);
                    Msg::Done(false, format!("That did not work: {why}."))
                }
            }
        });
    }
}

/// The button that saves the scenario as a file.
fn save_button(ctx: &Context<ShareDialog>, first: bool) -> Html {
    let onclick = ctx.props().on.reform(|_: MouseEvent| Action::SaveScenario);
    html! {
        <button class={classes!(first.then_some("primary"))} data-testid="save-scenario" {onclick}>
            { icon(Icon::Save) }{ "Save as a JSON file" }
        </button>
    }
}

fn is_checked(event: &Event) -> bool {
    event.target_unchecked_into::<HtmlInputElement>().checked()
}

async fn draw(view: &ShareView) -> Result<HtmlCanvasElement, String> {
    let picture = Picture::new(MOST).await?;
    picture
        .draw(&view.name, &units::clock(view.now_ps))
        .map_err(|error| crate::worker_link::words(&error))?;
    Ok(picture.canvas)
}

/// A canvas as a PNG.
async fn png(canvas: &HtmlCanvasElement) -> Result<Blob, JsValue> {
    let mut failed = None;
    let made = Promise::new(&mut |done: Function, _: Function| {
        failed = canvas.to_blob(&done).err();
    });
    match failed {
        Some(error) => Err(error),
        None => JsFuture::from(made)
            .await?
            .dyn_into()
            .map_err(|_| "the picture is too large for this browser".into()),
    }
}

/// Copies a picture. By hand, as the bindings do not have it yet.
async fn copy_image(blob: &Blob) -> Result<(), JsValue> {
    let class: Function = global("ClipboardItem").unwrap_or_default().dyn_into()?;
    let content = Object::new();
    Reflect::set(&content, &"image/png".into(), blob)?;
    let item = Reflect::construct(&class, &Array::of1(&content))?;
    let clipboard = dom::window().navigator().clipboard();
    let write: Function = Reflect::get(&clipboard, &"write".into())?.dyn_into()?;
    let promise: Promise = write.call1(&clipboard, &Array::of1(&item))?.dyn_into()?;
    JsFuture::from(promise).await.map(drop)
}
