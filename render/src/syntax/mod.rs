//! Syntax highlighting: detects the language of a file and classifies its tokens.
//!
//! The grammars are loaded when the first line is to be coloured. Only lines that are
//! shown are looked at, and a little before them where it is at hand; how much there is
//! of that is counted, and what goes beyond stays plain.

mod line_cache;
mod theme;
mod token_class;

pub use theme::SyntaxColours;
pub use token_class::Class;

use line_cache::State;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::OnceLock;
use syntect::parsing::{SyntaxReference, SyntaxSet};

/// Bytes of a line beyond which it stays plain.
const LONGEST: usize = 1000;
/// Bytes that are coloured in a run; what comes after them stays plain.
const BUDGET: usize = 1 << 21;
/// The same for a page.
const PAGE_BUDGET: usize = 1 << 19;

/// Stretches of a line: where each ends, in bytes, and what it is.
pub(crate) type Words = Rc<[(u32, Class)]>;

fn grammars() -> &'static SyntaxSet {
    static SET: OnceLock<SyntaxSet> = OnceLock::new();
    SET.get_or_init(two_face::syntax::extra_newlines)
}

/// What the words of lines are, line by line.
pub(crate) struct Highlighter {
    /// Bytes that may still be coloured.
    left: usize,
    /// By the address of a line's first byte: every line is where it is, once.
    lines: HashMap<usize, Words>,
    /// The file that was begun last, and the state it begins in.
    begun: Option<(String, Option<State>)>,
}

/// Highlights lines one after the other, in a language.
pub(crate) struct LineHighlighter {
    new: State,
    /// Where old lines are, which are next to new ones.
    old: Option<State>,
}

impl Highlighter {
    pub(crate) fn new() -> Self {
        Self {
            left: BUDGET,
            lines: HashMap::new(),
            begun: None,
        }
    }

    /// For a page, which has to carry what it finds.
    pub(crate) fn of_a_page() -> Self {
        Self {
            left: PAGE_BUDGET,
            ..Self::new()
        }
    }

    /// Copies what is known of a line to another one that is the same.
    pub(crate) fn same(&mut self, text: &[u8], other: &[u8]) {
        if text == other
            && let Some(words) = self.lines.get(&(other.as_ptr() as usize)).cloned()
        {
            self.lines.insert(text.as_ptr() as usize, words);
        }
    }

    /// Begins to read lines of a file; `None` if its language is not known.
    pub(crate) fn read(&mut self, name: &str, first: &[u8]) -> Option<LineHighlighter> {
        if self.left == 0 {
            return None;
        }
        let start = match &self.begun {
            Some((begun, start)) if begun == name => *start,
            _ => {
                let language = language(name, first);
                let start =
                    language.map(|language| line_cache::with(|known| known.start(language)));
                self.begun = Some((name.to_owned(), start));
                start
            }
        };
        start.map(|new| LineHighlighter { new, old: None })
    }

    /// A line of both sides, or of the new one.
    pub(crate) fn line(&mut self, reading: &mut LineHighlighter, text: &[u8]) {
        reading.old = None;
        self.colour(&mut reading.new, text);
    }

    /// Lines of both sides that are next to each other: old ones first, and then new
    /// ones, from the same place.
    pub(crate) fn old_line(&mut self, reading: &mut LineHighlighter, text: &[u8]) {
        let mut at = reading.old.unwrap_or(reading.new);
        self.colour(&mut at, text);
        reading.old = Some(at);
    }

    fn colour(&mut self, at: &mut State, text: &[u8]) {
        if text.len() > LONGEST || self.left < text.len() {
            return;
        }
        let Ok(line) = str::from_utf8(text) else {
            return;
        };
        self.left -= text.len();
        let Some((words, next)) = line_cache::with(|known| known.read(*at, line)) else {
            return;
        };
        *at = next;
        if !words.is_empty() {
            self.lines.insert(text.as_ptr() as usize, words);
        }
    }

    /// What the words of a line are, if it was read.
    pub(crate) fn words(&self, text: &[u8]) -> &[(u32, Class)] {
        if text.is_empty() {
            return &[];
        }
        let found = self.lines.get(&(text.as_ptr() as usize));
        found.map_or(&[], |words| words)
    }

    /// Forgets lines that were shown.
    pub(crate) fn forget(&mut self) {
        self.lines.clear();
    }
}

/// The language of a file, by its name, or by its first line.
fn language(name: &str, first: &[u8]) -> Option<&'static SyntaxReference> {
    let set = grammars();
    let path = Path::new(name);
    let file = path.file_name()?.to_str()?;
    let extension = path.extension().and_then(|ending| ending.to_str());
    let found = set
        .find_syntax_by_extension(file)
        .or_else(|| set.find_syntax_by_extension(extension?))
        .or_else(|| set.find_syntax_by_extension(&extension?.to_ascii_lowercase()))
        .or_else(|| set.find_syntax_by_first_line(str::from_utf8(first).ok()?));
    found.filter(|syntax| syntax.name != "Plain Text")
}
