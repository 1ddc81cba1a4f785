//! What may be wider than its place: it is scrolled sideways, and a sign at its edge says that it goes on there.

use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

/// What is scrolled.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// Classes of the part that is scrolled.
    pub class: Classes,
    /// Its name: keys scroll it once it has the focus.
    pub label: AttrValue,
    /// What is in it.
    pub children: Html,
}

/// The part that is scrolled, and its sign.
#[component]
pub fn Sideways(props: &Props) -> Html {
    let node = use_node_ref();
    let goes_on = use_state_eq(|| false);
    let measure = {
        let (node, set) = (node.clone(), goes_on.setter());
        move || {
            if let Some(element) = node.cast::<Element>() {
                let end = element.scroll_left() + element.client_width();
                // Lengths are rounded.
                set.set(end + 1 < element.scroll_width());
            }
        }
    };
    // What is in it is another after each change, and may be wider.
    use_effect({
        let measure = measure.clone();
        move || measure()
    });
    use_effect_with((), {
        let (node, measure) = (node.clone(), measure.clone());
        move |()| {
            let resized = Closure::<dyn FnMut()>::new(measure);
            let observer = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
            if let (Some(observer), Some(element)) = (&observer, node.cast::<Element>()) {
                observer.observe(&element);
            }
            move || {
                if let Some(observer) = observer {
                    observer.disconnect();
                }
                drop(resized);
            }
        }
    });
    let onscroll = Callback::from(move |_: Event| measure());
    html! {
        <div class={classes!("sideways", goes_on.then_some("goes-on"))}>
            <div ref={node} class={props.class.clone()} role="region" aria-label={props.label.clone()} tabindex="0" {onscroll}>
                { props.children.clone() }
            </div>
        </div>
    }
}
