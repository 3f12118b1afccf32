//! Two trees of files that are versions of each other: few kinds of lines, so
//! that repeats and ties are common, and all typical changes to files.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeMap;
use std::fmt;

/// A file: its lines without newlines, whether the last has one, its mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub lines: Vec<Vec<u8>>,
    pub eol: bool,
    pub executable: bool,
}

impl File {
    fn new(lines: Vec<Vec<u8>>) -> Self {
        Self {
            lines,
            eol: true,
            executable: false,
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.lines.join(&b'\n');
        // An empty last line without a newline does not exist.
        if !self.lines.is_empty() && (self.eol || self.lines.last().is_some_and(Vec::is_empty)) {
            bytes.push(b'\n');
        }
        bytes
    }
}

pub type Tree = BTreeMap<&'static str, File>;

/// Before and after.
#[derive(Clone)]
pub struct Trees {
    pub old: Tree,
    pub new: Tree,
}

impl fmt::Debug for Trees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, tree) in [("old", &self.old), ("new", &self.new)] {
            for (path, file) in tree {
                let bytes = file.bytes();
                let text = bytes.escape_ascii();
                writeln!(f, "{side} {path} {} \"{text}\"", file.executable)?;
            }
        }
        Ok(())
    }
}

const PATHS: [&str; 5] = ["a.txt", "b.txt", "dir/c.txt", "d d.txt", "\u{e9}.txt"];

/// A typical change to a tree.
#[derive(Clone, Debug)]
enum Act {
    Move([Index; 4], usize),
    Copy([Index; 4], usize),
    Delete([Index; 2], usize),
    Insert([Index; 2], Vec<Vec<u8>>),
    Edit([Index; 2]),
    Indent([Index; 2], usize, &'static str),
    Dedent([Index; 2], usize),
    LineEnds([Index; 2], usize),
    TrailingSpace([Index; 2]),
    DropFile(Index),
    AddFile(Index, Vec<Vec<u8>>),
    Rename(Index, Index),
    Mode(Index),
    Eol(Index),
    Binary(Index),
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let text = prop_oneof![
        3 => Just(String::new()),
        2 => Just("}".to_owned()),
        4 => "[ab]",
        4 => "(    |\t)?call_(one|two|three)\\(first argument\\)",
        4 => "    let (total|count|price) = (sum|max)\\(values of the (first|second) kind\\);",
        1 => Just("   ".to_owned()),
        1 => Just("carriage\rreturn inside".to_owned()),
        1 => select(vec!["-- a/x", "++ b/x", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ No newline"])
            .prop_map(str::to_owned),
    ];
    prop_oneof![
        20 => text.prop_map(String::into_bytes),
        1 => Just(b"na\xefve line of another code page".to_vec()),
    ]
}

fn lines(most: usize) -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(line(), 0..most)
}

fn act() -> impl Strategy<Value = Act> {
    let at = any::<Index>;
    let (two, four, len) = (any::<[Index; 2]>, any::<[Index; 4]>, || 1..8usize);
    prop_oneof![
        8 => (four(), len()).prop_map(|(at, len)| Act::Move(at, len)),
        2 => (four(), len()).prop_map(|(at, len)| Act::Copy(at, len)),
        3 => (two(), len()).prop_map(|(at, len)| Act::Delete(at, len)),
        3 => (two(), lines(4)).prop_map(|(at, lines)| Act::Insert(at, lines)),
        5 => two().prop_map(Act::Edit),
        2 => (two(), len(), select(vec!["    ", "\t", "  "]))
            .prop_map(|(at, len, by)| Act::Indent(at, len, by)),
        1 => (two(), len()).prop_map(|(at, len)| Act::Dedent(at, len)),
        1 => (two(), len()).prop_map(|(at, len)| Act::LineEnds(at, len)),
        1 => two().prop_map(Act::TrailingSpace),
        1 => at().prop_map(Act::DropFile),
        1 => (at(), lines(8)).prop_map(|(at, lines)| Act::AddFile(at, lines)),
        2 => (at(), at()).prop_map(|(from, to)| Act::Rename(from, to)),
        1 => at().prop_map(Act::Mode),
        1 => at().prop_map(Act::Eol),
    ]
}

fn file(tree: &mut Tree, at: Index) -> Option<&mut File> {
    let len = tree.len();
    (len > 0).then(|| tree.values_mut().nth(at.index(len)))?
}

/// Some lines of some file.
fn stretch<'t>(tree: &'t mut Tree, at: &[Index; 2], len: usize) -> Option<&'t mut [Vec<u8>]> {
    let file = file(tree, at[0])?;
    let start = at[1].index(file.lines.len() + 1);
    let end = (start + len).min(file.lines.len());
    Some(&mut file.lines[start..end])
}

fn insert(tree: &mut Tree, at: &[Index; 2], new: Vec<Vec<u8>>) {
    if let Some(file) = file(tree, at[0]) {
        let at = at[1].index(file.lines.len() + 1);
        file.lines.splice(at..at, new);
    }
}

fn remove(tree: &mut Tree, at: &[Index; 2], len: usize) -> Vec<Vec<u8>> {
    let Some(file) = file(tree, at[0]) else {
        return Vec::new();
    };
    let start = at[1].index(file.lines.len() + 1);
    let end = (start + len).min(file.lines.len());
    file.lines.drain(start..end).collect()
}

fn replaced(line: &[u8], old: &str, new: &str) -> Vec<u8> {
    match std::str::from_utf8(line) {
        Ok(text) => text.replace(old, new).into_bytes(),
        Err(_) => line.to_vec(),
    }
}

fn perform(tree: &mut Tree, act: Act) {
    match act {
        Act::Move([f, from, g, to], len) => {
            let block = remove(tree, &[f, from], len);
            insert(tree, &[g, to], block);
        }
        Act::Copy([f, from, g, to], len) => {
            let block = stretch(tree, &[f, from], len).map(|lines| lines.to_vec());
            insert(tree, &[g, to], block.unwrap_or_default());
        }
        Act::Delete(at, len) => drop(remove(tree, &at, len)),
        Act::Insert(at, lines) => insert(tree, &at, lines),
        Act::Edit(at) => {
            for line in stretch(tree, &at, 1).into_iter().flatten() {
                *line = [&replaced(line, "first", "other")[..], b"!"].concat();
            }
        }
        Act::Indent(at, len, by) => {
            for line in stretch(tree, &at, len).into_iter().flatten() {
                *line = [by.as_bytes(), line].concat();
            }
        }
        Act::Dedent(at, len) => {
            for line in stretch(tree, &at, len).into_iter().flatten() {
                *line = line.trim_ascii_start().to_vec();
            }
        }
        Act::LineEnds(at, len) => {
            for line in stretch(tree, &at, len).into_iter().flatten() {
                if line.pop_if(|last| *last == b'\r').is_none() {
                    line.push(b'\r');
                }
            }
        }
        Act::TrailingSpace(at) => {
            for line in stretch(tree, &at, 1).into_iter().flatten() {
                line.push(b' ');
            }
        }
        Act::DropFile(at) => {
            if let Some(path) = path(tree, at) {
                tree.remove(path);
            }
        }
        Act::AddFile(at, lines) => {
            tree.entry(PATHS[at.index(PATHS.len())])
                .or_insert(File::new(lines));
        }
        Act::Rename(from, to) => {
            let to = PATHS[to.index(PATHS.len())];
            if let Some(from) = path(tree, from)
                && let Some(file) = tree.remove(from)
            {
                tree.insert(to, file);
            }
        }
        Act::Mode(at) => {
            if let Some(file) = file(tree, at) {
                file.executable ^= true;
            }
        }
        Act::Eol(at) => {
            if let Some(file) = file(tree, at) {
                file.eol ^= true;
            }
        }
        Act::Binary(at) => {
            if let Some(file) = file(tree, at) {
                file.lines.push(b"\0 no text".to_vec());
            }
        }
    }
}

fn path(tree: &Tree, at: Index) -> Option<&'static str> {
    (!tree.is_empty()).then(|| tree.keys().nth(at.index(tree.len())).copied())?
}

fn old_tree() -> impl Strategy<Value = Tree> {
    let file = (
        lines(25),
        prop::bool::weighted(0.8),
        prop::bool::weighted(0.15),
    )
        .prop_map(|(mut lines, eol, crlf)| {
            if crlf {
                for line in &mut lines {
                    line.push(b'\r');
                }
            }
            File {
                eol,
                ..File::new(lines)
            }
        });
    prop::collection::vec(file, 1..5)
        .prop_map(|files| PATHS.into_iter().zip(files).collect::<Tree>())
}

/// Two trees of text files.
pub fn trees() -> impl Strategy<Value = Trees> {
    (old_tree(), prop::collection::vec(act(), 1..7)).prop_map(|(old, acts)| done(old, acts))
}

/// Two trees with one file that is binary before or after.
pub fn trees_with_binaries() -> impl Strategy<Value = Trees> {
    let binary = || any::<Index>().prop_map(Act::Binary);
    let acts = prop::collection::vec(act(), 0..4);
    (old_tree(), any::<bool>(), binary(), acts).prop_map(|(mut old, before, binary, mut acts)| {
        if before {
            perform(&mut old, binary);
        } else {
            acts.insert(0, binary);
        }
        done(old, acts)
    })
}

fn done(old: Tree, acts: Vec<Act>) -> Trees {
    let mut new = old.clone();
    for act in acts {
        perform(&mut new, act);
    }
    Trees { old, new }
}
