//! What the tests need to know about a Markdown text.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::collections::HashMap;
use std::ops::Range;

/// A fenced block.
pub struct Code {
    /// What follows the fence, such as `sh`.
    pub language: String,
    pub text: String,
    /// Where the text is in the page.
    pub place: Range<usize>,
}

#[derive(Default)]
pub struct Page {
    pub code: Vec<Code>,
    /// Where links and pictures lead to.
    pub links: Vec<String>,
    /// The anchors of the headings.
    pub anchors: Vec<String>,
}

impl Page {
    pub fn new(text: &str) -> Self {
        let mut page = Page::default();
        let mut heading: Option<String> = None;
        let mut seen: HashMap<String, usize> = HashMap::new();
        for (event, place) in Parser::new_ext(text, Options::all()).into_offset_iter() {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                    let fenced = &text[place.clone()];
                    let begin = fenced.find('\n').map_or(fenced.len(), |at| at + 1);
                    let end = fenced.rfind("```").unwrap_or(fenced.len()).max(begin);
                    let place = place.start + begin..place.start + end;
                    page.code.push(Code {
                        language: language.into_string(),
                        text: text[place.clone()].to_owned(),
                        place,
                    });
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::Text(part) | Event::Code(part) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&part);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = anchor(&heading.take().unwrap_or_default());
                    let times = seen.entry(anchor.clone()).or_default();
                    page.anchors.push(match *times {
                        0 => anchor,
                        times => format!("{anchor}-{times}"),
                    });
                    *times += 1;
                }
                _ => {}
            }
        }
        page
    }
}

/// The anchor of a heading, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let kept = lower
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
