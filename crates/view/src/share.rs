//! What the page gives away: links that stay whole, frames for other pages, names of files.

use crate::units;
use scenario::{Preset, Scenario, presets};

/// Links of more characters than this are often cut off in chats and mails (our measure; browsers themselves take far more).
pub const SAFE_LENGTH: usize = 2000;

/// What the page's address has after `?` where it is to be a frame in another page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Embed {
    /// Whether the timeline is there too.
    pub timeline: bool,
}

impl Embed {
    /// What a query (from `?` on, or without it) asks for: `embed`, or `embed=timeline`. None where it does not ask for a frame.
    ///
    /// # Errors
    /// The value that is none, with what is expected.
    pub fn of_query(query: &str) -> Option<Result<Embed, String>> {
        let query = query.strip_prefix('?').unwrap_or(query);
        let mut asked = None;
        for field in query.split('&') {
            let (name, value) = field.split_once('=').unwrap_or((field, ""));
            if name == "embed" {
                asked = Some(match value {
                    "" => Ok(Embed { timeline: false }),
                    "timeline" => Ok(Embed { timeline: true }),
                    other => Err(format!(
                        "The address has embed={}; expected embed or embed=timeline",
                        other.chars().take(40).collect::<String>()
                    )),
                });
            }
        }
        asked
    }

    /// What stands after `?` for it.
    pub const fn query(self) -> &'static str {
        match self.timeline {
            false => "embed",
            true => "embed=timeline",
        }
    }
}

/// The HTML that shows a page as a frame in another one: `title` is what screen readers call it, `height` is in CSS pixels.
pub fn frame_code(url: &str, title: &str, height: u32) -> String {
    format!(
        "<iframe src=\"{}\" title=\"{}\" width=\"100%\" height=\"{height}\" loading=\"lazy\" allow=\"fullscreen\" style=\"border: 0\"></iframe>",
        escaped(url),
        escaped(title),
    )
}

/// As an attribute of HTML holds it.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe += "&amp;",
            '"' => safe += "&quot;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            other => safe.push(other),
        }
    }
    safe
}

/// That a link is too long to be sent around, if it is.
pub fn too_long(link: &str) -> Option<String> {
    let length = link.chars().count();
    (length > SAFE_LENGTH).then(|| {
        format!(
            "This link has {} characters. Chats and mails often cut off links of more than {}: a file is safer.",
            units::count(length as u64),
            units::count(SAFE_LENGTH as u64)
        )
    })
}

/// That a link opens at a time which its run does not have, if so. Times in ps.
pub fn beyond(at_ps: u64, until_ps: u64) -> Option<String> {
    (at_ps > until_ps).then(|| {
        format!(
            "The link opens at {}, but the run ends at {} at the latest: it is shown at its end.",
            units::span(at_ps as f64),
            units::span(until_ps as f64)
        )
    })
}

/// How many faults the scenario of a link has, and when the last of them comes; those made by hand on a preset are told as such.
/// None where there is nothing to tell.
pub fn faults_of_link(scenario: &Scenario) -> Option<String> {
    let faults = &scenario.faults;
    // What is made by hand comes after the scenario's own.
    let of_preset = presets()
        .iter()
        .map(Preset::scenario)
        .find(|preset| preset.name == scenario.name);
    let own = of_preset
        .filter(|preset| faults.starts_with(&preset.faults))
        .map(|preset| preset.faults.len());
    let (count, by_hand) = match own {
        Some(own) => (faults.len() - own, " by hand"),
        None => (faults.len(), ""),
    };
    let last = faults[faults.len() - count..]
        .iter()
        .map(|fault| fault.at)
        .max()?;
    let last = units::span(last.0 as f64);
    Some(match count {
        1 => format!("The link has 1 fault{by_hand}, at {last}"),
        _ => format!("The link has {count} faults{by_hand}, the last at {last}"),
    })
}

/// Lengths that a recording may have, in seconds.
pub const RECORDING_S: std::ops::RangeInclusive<u32> = 3..=30;

/// What a browser may record, the best first: media type, and how its files end. WebM is there in Chromium and Firefox, MP4 in
/// Safari and newer Chromium.
pub const FILMS: [(&str, &str); 5] = [
    ("video/webm;codecs=vp9", "webm"),
    ("video/webm;codecs=vp8", "webm"),
    ("video/webm", "webm"),
    ("video/mp4;codecs=avc1.42E01E", "mp4"),
    ("video/mp4", "mp4"),
];

/// The end of a file's name for a media type; it says `webm` of what it does not know.
pub fn film_extension(media_type: &str) -> &'static str {
    match media_type.starts_with("video/mp4") {
        true => "mp4",
        false => "webm",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_tells_of_its_faults() {
        let mut scenario = presets()[0].scenario();
        let own = scenario.faults.clone();
        assert_eq!(faults_of_link(&scenario), None, "the preset as it is");
        let mut fault = own[0].clone();
        fault.at = scenario::Time::us(600);
        scenario.faults.push(fault.clone());
        assert_eq!(
            faults_of_link(&scenario).as_deref(),
            Some("The link has 1 fault by hand, at 600 µs")
        );
        fault.at = scenario::Time::us(5);
        scenario.faults.push(fault);
        assert_eq!(
            faults_of_link(&scenario).as_deref(),
            Some("The link has 2 faults by hand, the last at 600 µs")
        );
        scenario.name = "A scenario of somebody".into();
        let words = faults_of_link(&scenario).unwrap();
        assert_eq!(
            words,
            format!("The link has {} faults, the last at 600 µs", own.len() + 2)
        );
        scenario.faults.clear();
        assert_eq!(faults_of_link(&scenario), None);
    }

    #[test]
    fn an_address_asks_for_a_frame_or_says_what_is_wrong() {
        let frame = |timeline| Some(Ok(Embed { timeline }));
        assert_eq!(Embed::of_query(""), None);
        assert_eq!(Embed::of_query("?painter=software&embedded=1"), None);
        assert_eq!(Embed::of_query("?embed"), frame(false));
        assert_eq!(Embed::of_query("embed="), frame(false));
        assert_eq!(Embed::of_query("?painter=webgl&embed=timeline"), frame(true));
        let wrong = Embed::of_query("?embed=all").unwrap().unwrap_err();
        assert!(
            wrong.contains("embed=all") && wrong.contains("embed=timeline"),
            "{wrong}"
        );
        for embed in [Embed { timeline: false }, Embed { timeline: true }] {
            assert_eq!(Embed::of_query(embed.query()), Some(Ok(embed)));
        }
    }

    /// What a title holds cannot leave its attribute.
    #[test]
    fn a_frame_holds_what_it_is_given_as_it_is() {
        let code = frame_code("http://a/?embed#1.x&at=3us", "\"Dies\" <script>", 480);
        assert_eq!(
            code,
            "<iframe src=\"http://a/?embed#1.x&amp;at=3us\" title=\"&quot;Dies&quot; &lt;script&gt;\" width=\"100%\" height=\"480\" loading=\"lazy\" allow=\"fullscreen\" style=\"border: 0\"></iframe>"
        );
    }

    #[test]
    fn long_links_are_warned_of_with_length_and_limit() {
        assert_eq!(too_long(&"x".repeat(2000)), None);
        let words = too_long(&"x".repeat(2001)).unwrap();
        // Thousands are set apart by a narrow space.
        assert!(
            words.contains(&units::count(2001)) && words.contains(&units::count(2000)),
            "{words}"
        );
    }

    #[test]
    fn a_time_after_the_end_is_named() {
        assert_eq!(beyond(5, 5), None);
        let words = beyond(5_000_000_000, 2_000_000_000).unwrap();
        assert!(words.contains("5 ms") && words.contains("2 ms"), "{words}");
    }

    #[test]
    fn files_end_as_their_type_says() {
        for (media_type, extension) in FILMS {
            assert_eq!(film_extension(media_type), extension);
        }
    }
}
