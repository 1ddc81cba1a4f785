//! What the questions of presets come to: the sentences of `docs/accelnet-evidence.md`, which `flowglass evidence` has written.

/// The page, as it stands in the repository.
const PAGE: &str = include_str!("../../../../docs/accelnet-evidence.md");

/// The answer to a preset's question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The section of the page.
    pub section: &'static str,
    /// The question.
    pub question: &'static str,
    /// The answer, with its intervals.
    pub text: &'static str,
    /// The command that finds it again.
    pub again: &'static str,
}

/// What stands in backquotes after the name of a list's item.
fn item<'a>(section: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let start = format!("- **{name}**: ");
    let line = section.lines().find_map(|line| line.strip_prefix(start.as_str()));
    line.unwrap_or_default().split('`').skip(1).step_by(2)
}

/// The answer to the question of a preset; none where it asks none.
pub fn of(preset: &str) -> Option<Answer> {
    PAGE.split("\n## ").skip(1).find_map(|section| {
        item(section, "Preset").find(|&slug| slug == preset)?;
        let answer = section.lines().find_map(|line| line.strip_prefix("**"))?;
        let (question, text) = answer.split_once("** ")?;
        Some(Answer {
            section: section.lines().next()?,
            question,
            text,
            again: item(section, "Again").next()?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::host::host_presets;

    /// The presets whose experiments ask a question (`lab`, `evidence/accelnet/answers.rs`), and no others.
    #[test]
    fn presets_that_ask_have_an_answer_with_intervals() {
        let asking: Vec<&str> = host_presets()
            .iter()
            .map(|preset| preset.slug)
            .filter(|slug| of(slug).is_some())
            .collect();
        assert_eq!(
            asking,
            [
                "host-cps-knee",
                "host-cache-cliff-l1",
                "host-cache-cliff-l2",
                "host-syn-flood",
                "host-syn-flood-limited",
                "host-syn-flood-hardened",
            ]
        );
        for slug in asking {
            let answer = of(slug).unwrap();
            assert!(
                answer.question.ends_with('?') && answer.text.ends_with('.'),
                "{answer:?}"
            );
            assert!(answer.text.contains(" ± "), "{answer:?}");
            assert!(
                answer
                    .again
                    .starts_with("flowglass evidence --paper accelnet --only ")
            );
        }
        assert_eq!(of("host-cps-knee").unwrap().section, "New connections per second");
    }
}
