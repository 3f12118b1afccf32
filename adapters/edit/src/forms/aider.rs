//! Blocks of several files, each below the name of its file:
//!
//! ````text
//! src/total.py
//! ```python
//! <<<<<<< SEARCH
//! lines to look for
//! =======
//! lines to put there
//! >>>>>>> REPLACE
//! ```
//! ````
//!
//! Five to nine signs. The name is in one of the three lines above a block, in
//! front of the fence or behind it; a block without one is for the file of the
//! block before. An empty SEARCH makes a file.

use super::beside::Taken;
use super::lines::{Markers, is_marker, split};
use super::{Task, bad, joined};
use crate::Edits;
use crate::blocks::{Block, BlockError};

const SOME: std::ops::RangeInclusive<usize> = 5..=9;

const MARKERS: Markers = Markers {
    search: |line| is_marker(line, b'<', SOME, "SEARCH"),
    separator: |line| is_marker(line, b'=', SOME, ""),
    replace: |line| is_marker(line, b'>', SOME, "REPLACE"),
    shown: ["<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"],
};

/// Whether a block has the name of a file above it.
pub(super) fn names_files(input: &[u8]) -> bool {
    let lines: Vec<&[u8]> = split(input).map(|(_, line)| line).collect();
    let begins = |at: &usize| (MARKERS.search)(lines[*at].trim_ascii_start());
    let mut blocks = (0..lines.len()).filter(begins);
    blocks.any(|at| name_above(&lines[..at]).is_some())
}

pub(super) fn read(input: &[u8], taken: &mut Taken) -> Result<Vec<Task>, BlockError> {
    let mut tasks: Vec<Task> = Vec::new();
    let lines: Vec<&[u8]> = split(input).map(|(_, line)| line).collect();
    for (start, block) in MARKERS.read(input, taken)? {
        let known = || tasks.last().and_then(|task| task.path.clone());
        let above = &lines[..start as usize - 1];
        let Some(path) = name_above(above).or_else(known) else {
            return Err(bad(
                start,
                "this block names no file; put its path on the line above it",
            ));
        };
        tasks.push(Task {
            input_line: start,
            ..Task::new(Some(path), Edits::Blocks(vec![hinted(block)]))
        });
    }
    Ok(joined(tasks))
}

/// A block without the start line at its head, which those of Roo Code have, also below
/// the name of a file.
fn hinted(mut block: Block) -> Block {
    const RULE: &[u8] = b"-------";
    let number = |line: &Vec<u8>| {
        let number = line.strip_prefix(b":start_line:")?.trim_ascii();
        std::str::from_utf8(number).ok()?.parse::<u32>().ok()
    };
    let Some(number) = block.search.first().and_then(number) else {
        return block;
    };
    let mut head = block.search.iter().take(3);
    if let Some(rule) = head.position(|line| line.trim_ascii_end() == RULE) {
        block.start_line = Some(number);
        block.search.drain(..=rule);
        for (search, _) in &mut block.splits {
            search.drain(..=rule);
        }
    }
    block
}

/// The name of a file in the last three of some lines, the nearest first.
fn name_above(lines: &[&[u8]]) -> Option<Vec<u8>> {
    const ABOVE: usize = 3;
    let near = lines.iter().rev().take(ABOVE);
    let mut near = near.take_while(|line| !(MARKERS.replace)(line.trim_ascii_start()));
    near.find_map(|line| name(line))
}

/// Files that are known by a name without a dot.
const BARE_NAMES: [&str; 17] = [
    "BUILD",
    "Brewfile",
    "CHANGELOG",
    "CODEOWNERS",
    "Containerfile",
    "Dockerfile",
    "Gemfile",
    "Jenkinsfile",
    "Justfile",
    "LICENSE",
    "Makefile",
    "Procfile",
    "README",
    "Rakefile",
    "Vagrantfile",
    "WORKSPACE",
    "justfile",
];

/// The path that a line consists of, if it is one.
fn name(line: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(line).ok()?.trim();
    let whole = text.trim_end_matches(':');
    // Behind a fence the language may come first.
    let fenced = text.starts_with("```") || text.starts_with("~~~");
    let text = match text.rsplit_once(' ') {
        Some((_, last)) if fenced => last,
        _ => text,
    };
    let text = text.trim_start_matches(['`', '~', '#', '*', ' ']);
    let text = text.trim_end_matches(['`', '*', ':', ' ']);
    let text = text.strip_prefix("File: ").unwrap_or(text);
    // A name between quotes may have blanks; prose that ends with a name is not one.
    let quoted = |c: char| {
        let inside = whole.strip_prefix(c).and_then(|rest| rest.strip_suffix(c));
        inside.is_some_and(|inside| inside.trim_matches(c) == text && !text.contains(c))
    };
    let quoted = !fenced && (quoted('`') || quoted('*')) && text.contains('.');
    let path = !text.is_empty()
        && !text
            .contains(|c: char| c.is_whitespace() && (c != ' ' || !quoted) || c == '<' || c == '>')
        && (text.contains(['.', '/']) || BARE_NAMES.contains(&text))
        && text.contains(char::is_alphanumeric)
        && !text.ends_with('.');
    path.then(|| text.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_are_found_behind_decoration() {
        for line in [
            "src/a.py",
            "`src/a.py`",
            "**src/a.py**",
            "### src/a.py",
            "src/a.py:",
            "```src/a.py",
            "```python src/a.py",
            "File: src/a.py",
        ] {
            assert_eq!(
                name(line.as_bytes()).as_deref(),
                Some(&b"src/a.py"[..]),
                "{line}"
            );
        }
        assert_eq!(name(b"**Makefile**").as_deref(), Some(&b"Makefile"[..]));
        for line in ["`my docs/a b.md`", "**my docs/a b.md**:"] {
            let found = name(line.as_bytes());
            assert_eq!(found.as_deref(), Some(&b"my docs/a b.md"[..]), "{line}");
        }
        for line in [
            "```python",
            "```",
            "Here it is.",
            "a b.c d",
            "See src/a.py",
            "`cargo run`",
            "`x` in a.py `y`",
            "",
            "...",
            "Makefiles",
        ] {
            assert_eq!(name(line.as_bytes()), None, "{line}");
        }
    }
}
