//! Lines that were read before: in changes most lines are there twice or more, and a line
//! that begins in the same state of its grammar is the same code. Most of what colours cost is
//! parsing, so indentation is left out where it means nothing, and a line that is sure to be a
//! comment is not parsed.

use super::token_class::{Classes, Stack};
use super::{Class, Words, grammars};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::rc::Rc;
use syntect::parsing::{ParseState, SyntaxReference};

/// Bytes of lines that are remembered; beyond them all are forgotten.
const ROOM: usize = 8 << 20;

/// Grammars that colour a line the same however far it is indented; tried on files of each. In
/// others a line's first column matters: Markdown, YAML, Makefile, here-documents of shells.
const FREE: [&str; 17] = [
    "C",
    "C#",
    "CSS",
    "Go",
    "JSON",
    "Java",
    "JavaScript (Babel)",
    "Kotlin",
    "Objective-C",
    "Python",
    "Rust",
    "SCSS",
    "Scala",
    "Swift",
    "TOML",
    "TypeScript",
    "TypeScriptReact",
];

/// What comments to the end of the line begin with.
const MARKS: [&str; 8] = ["// ", "/// ", "//! ", "# ", "-- ", "; ", ";; ", "% "];

/// What may end a comment before its line ends, where one language is inside another.
const ENDS: [&str; 3] = ["</", "?>", "%>"];

/// A state of a grammar, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State(u32);

/// Where a grammar is at the end of a line.
#[derive(Clone, PartialEq)]
struct Place {
    state: ParseState,
    stack: Stack,
    /// Whether indentation means nothing.
    is_free: bool,
}

/// A line that was read.
struct Known {
    text: Box<str>,
    words: Words,
    next: State,
}

/// A cache of highlighted lines for the whole run: commits of a log share most of them.
pub(super) struct LineCache {
    classes: Classes,
    places: Vec<Place>,
    /// Places that may be the same, by how deep they are.
    by_depth: HashMap<usize, Vec<State>>,
    /// By the state before it and the hash of its text.
    lines: HashMap<(State, u64), Known>,
    /// States in which a line that began with this mark was a comment and nothing else, and
    /// the state after it.
    comments: HashMap<(State, &'static str), State>,
    hash: BuildHasherDefault<DefaultHasher>,
    room: usize,
}

thread_local! {
    static MEMORY: RefCell<LineCache> = RefCell::new(LineCache::new());
}

/// Uses what is known of lines.
pub(super) fn with<T>(work: impl FnOnce(&mut LineCache) -> T) -> T {
    MEMORY.with_borrow_mut(work)
}

impl LineCache {
    fn new() -> Self {
        Self {
            classes: Classes::new(),
            places: Vec::new(),
            by_depth: HashMap::new(),
            lines: HashMap::new(),
            comments: HashMap::new(),
            hash: BuildHasherDefault::new(),
            room: ROOM,
        }
    }

    /// The state in which a file begins.
    pub(super) fn start(&mut self, language: &SyntaxReference) -> State {
        self.number(Place {
            state: ParseState::new(language),
            stack: Stack::default(),
            is_free: FREE.contains(&&*language.name),
        })
    }

    /// What the words of a line are, and the state after it; `None` if its grammar fails.
    pub(super) fn read(&mut self, from: State, line: &str) -> Option<(Words, State)> {
        let code = line.trim_start_matches([' ', '\t']);
        let is_free = self.places[from.0 as usize].is_free && !code.trim_ascii().is_empty();
        let mark = MARKS.into_iter().find(|mark| code.starts_with(mark));
        let indent = (line.len() - code.len()) as u32;
        if let Some(mark) = mark
            && let Some(next) = self.comments.get(&(from, mark))
            && is_whole(code)
        {
            let comment = [(code.len() as u32, Class::Comment)];
            return Some((indented(&comment, indent, self.class(from)), *next));
        }
        let (words, next) = if is_free && indent > 0 {
            let (words, next) = self.look_up(from, code)?;
            let words = if words.is_empty() {
                words
            } else {
                indented(&words, indent, self.class(from))
            };
            (words, next)
        } else {
            self.look_up(from, line)?
        };
        let is_comment = |words: &[(u32, Class)]| match words {
            [(_, Class::Comment)] => true,
            [(blanks, _), (_, Class::Comment)] => *blanks == indent,
            _ => false,
        };
        // In a comment or a string a mark begins nothing.
        let is_open = |state| matches!(self.class(state), Class::Comment | Class::Text);
        if let Some(mark) = mark
            && is_comment(&words)
            && is_whole(code)
            && !is_open(from)
            && !is_open(next)
        {
            self.comments.insert((from, mark), next);
        }
        Some((words, next))
    }

    /// What a line that begins in this state is at first.
    fn class(&self, state: State) -> Class {
        self.places[state.0 as usize].stack.class()
    }

    fn look_up(&mut self, from: State, line: &str) -> Option<(Words, State)> {
        let key = (from, self.hash.hash_one(line));
        if let Some(known) = self.lines.get(&key).filter(|known| &*known.text == line) {
            return Some((known.words.clone(), known.next));
        }
        let (words, place) = self.parse(from, line)?;
        let next = self.number(place);
        if let Some(room) = self.room.checked_sub(line.len()) {
            self.room = room;
        } else {
            self.lines.clear();
            self.room = ROOM;
        }
        let known = Known {
            text: line.into(),
            words: words.clone(),
            next,
        };
        self.lines.insert(key, known);
        Some((words, next))
    }

    fn parse(&mut self, from: State, line: &str) -> Option<(Words, Place)> {
        let mut at = self.places[from.0 as usize].clone();
        let ops = at.state.parse_line(line, grammars()).ok()?;
        let mut words: Vec<(u32, Class)> = Vec::with_capacity(ops.len());
        let mut start = 0;
        for (end, op) in &ops {
            if *end > start {
                push(&mut words, *end, at.stack.class());
                start = *end;
            }
            at.stack.apply(op, &mut self.classes);
        }
        // Where a line ends cannot be seen.
        if let Some(last) = words
            .last_mut()
            .filter(|_| line[start..].trim_ascii().is_empty())
        {
            last.0 = line.len() as u32;
        } else {
            push(&mut words, line.len(), at.stack.class());
        }
        if words.iter().all(|(_, class)| *class == Class::Plain) {
            words.clear();
        }
        Some((Rc::from(words), at))
    }

    /// The number of a place; equal ones have the same.
    fn number(&mut self, place: Place) -> State {
        let alike = self.by_depth.entry(place.stack.depth()).or_default();
        let is_it = |state: &&State| self.places[state.0 as usize] == place;
        if let Some(state) = alike.iter().find(is_it) {
            return *state;
        }
        let state = State(self.places.len() as u32);
        alike.push(state);
        self.places.push(place);
        state
    }
}

/// Whether a comment that begins a line ends with it.
fn is_whole(comment: &str) -> bool {
    !comment.trim_ascii_end().ends_with('\\') && !ENDS.iter().any(|end| comment.contains(end))
}

/// Words behind so many blanks of a class.
fn indented(words: &[(u32, Class)], indent: u32, class: Class) -> Words {
    let is_apart = indent > 0 && words.first().is_some_and(|(_, first)| *first != class);
    let blanks = is_apart.then_some((indent, class));
    let words = words.iter().map(|(end, class)| (end + indent, *class));
    blanks.into_iter().chain(words).collect()
}

fn push(words: &mut Vec<(u32, Class)>, end: usize, class: Class) {
    match words.last_mut() {
        Some(last) if last.1 == class => last.0 = end as u32,
        _ => words.push((end as u32, class)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_the_same_code_only_in_the_same_state() {
        let python = grammars()
            .find_syntax_by_extension("py")
            .expect("a grammar");
        let mut memory = LineCache::new();
        let start = memory.start(python);
        let line = "return total\n";
        let (code, after) = memory.read(start, line).expect("Python");
        assert_eq!(memory.read(start, line), Some((code.clone(), after)));
        assert_eq!(memory.lines.len(), 1);
        let (_, inside) = memory.read(start, "text = \"\"\"\n").expect("Python");
        let (text, _) = memory.read(inside, line).expect("Python");
        assert_ne!(code, text);
        let (_, outside) = memory.read(inside, "\"\"\"\n").expect("Python");
        assert_eq!(memory.read(outside, line).expect("Python").0, code);
    }

    /// What a grammar says of lines that are all parsed as they are.
    fn parsed(name: &str, text: &str) -> Vec<Vec<Class>> {
        let language = grammars().find_syntax_by_token(name).expect("a grammar");
        let mut memory = LineCache::new();
        let mut at = memory.start(language);
        let mut all = Vec::new();
        for line in text.split_inclusive('\n') {
            let (words, place) = memory.parse(at, line).expect("a line");
            at = memory.number(place);
            all.push(visible(&words, line));
        }
        all
    }

    /// The classes of what can be seen of a line.
    fn visible(words: &[(u32, Class)], line: &str) -> Vec<Class> {
        let class = |at: usize| {
            let word = words.iter().find(|(end, _)| (*end as usize) > at);
            word.map_or(Class::Plain, |(_, class)| *class)
        };
        let seen = line.char_indices().filter(|(_, c)| !c.is_whitespace());
        seen.map(|(at, _)| class(at)).collect()
    }

    #[test]
    fn lines_have_the_colours_that_parsing_them_as_they_are_gives() {
        let rust = "// one\n/// doc [a]\nfn f() {\n    // two \\\n    // three\n    let a = \"x\n    // no\n";
        let rust = [
            rust,
            "    // comment\n\" + r#\"\n  // text\n\"#;\n  /* \n  // in */ b();\n  // end\n}\n",
        ]
        .concat();
        let c = "// a\n// b \\\nint x;\n  // c\n#include <a>\n    int y; // d\n";
        let js = "// a\nconst t = `\n// text\n  // text ${b}\n`;\n  // c\n  f(`// d`);\n";
        let python = "# a\ndef f():\n    # b\n    \"\"\"Doc\n    # text\n    # text\n    \"\"\"\n    # c\n    return '# d'\n";
        let php = "<?php\n// a\n// b\n  // c ?>\n<b>// d</b>\n<?php\n# e\n# f\n";
        let html = "<script>\n// a\n// b\n// c </script>\n<p>// d</p>\n<!--\n// e\n-->\n";
        let lua = "-- a\n-- b\n--[[ c\n-- d\n]] print(1)\n  -- e\n";
        let shell = "# a\n# b\ncat <<EOF\n# text\n# text\n  EOF\nEOF\n# c\n";
        let yaml = "# a\n# b\nk: |\n  # text\n  # text\nother: 1 # c\n# d\n";
        let markdown = "# A\n# B\n    # code\n```\n# code\n```\n";
        for (name, text) in [
            ("rs", &rust[..]),
            ("c", c),
            ("js", js),
            ("py", python),
            ("php", php),
            ("html", html),
            ("lua", lua),
            ("sh", shell),
            ("yaml", yaml),
            ("md", markdown),
        ] {
            let language = grammars().find_syntax_by_token(name).expect("a grammar");
            let mut memory = LineCache::new();
            let mut at = memory.start(language);
            let expected = parsed(name, text);
            for (nth, line) in text.split_inclusive('\n').enumerate() {
                let (words, next) = memory.read(at, line).expect("a line");
                assert_eq!(visible(&words, line), expected[nth], "{name}: {line}");
                at = next;
            }
        }
    }

    #[test]
    fn comments_and_indented_lines_are_not_parsed_again() {
        let language = grammars().find_syntax_by_token("rs").expect("a grammar");
        let mut memory = LineCache::new();
        let start = memory.start(language);
        let (_, at) = memory.read(start, "a();\n").expect("a line");
        let (_, after) = memory.read(at, "// one\n").expect("a line");
        for line in ["// two\n", "    // three\n"] {
            assert_eq!(memory.read(at, line).map(|(_, next)| next), Some(after));
        }
        let (_, after) = memory.read(at, "b();\n").expect("a line");
        let (_, again) = memory.read(at, "    b();\n").expect("a line");
        assert_eq!(again, after);
        // The first line, the first comment and the second call.
        assert_eq!(memory.lines.len(), 3);
    }
}
