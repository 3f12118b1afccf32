//! Determines the file of each section of an effective diff, and which facts its
//! header retains.

use super::hidden::Hidden;
use super::input::{File, Input, Role, path};
use super::reader::{Reader, file_path, first_line, git_paths};
use crate::patch::{Body, FilePatch, Remark, Status, is_fact, opens_binary, says_more};
use mvdiff_core::Side;
use std::collections::{HashMap, HashSet, VecDeque};

/// The subject of a section.
pub(super) enum Section {
    /// A file that must be verbatim.
    Verbatim(usize),
    /// Lines of an old and a new file; `None` if there is no such file.
    Lines(Option<usize>, Option<usize>),
}

/// Most files with the same first line to try if a header is incomplete.
const MAX_ALIKE: usize = 64;

/// The headers of the input, and which facts were seen.
pub(super) struct Heads<'a> {
    /// Distinct headers by first line.
    by_line: HashMap<&'a [u8], Vec<&'a [u8]>>,
    /// Files by their whole header, in order.
    by_head: HashMap<&'a [u8], VecDeque<usize>>,
    /// First lines of text around the files that may be a change.
    remarks: HashSet<&'a [u8]>,
    /// For each file, whether the diff contains the facts about it as a whole.
    pub told: Vec<bool>,
}

/// How much of an input header is at the start of a section.
struct Taken {
    bytes: usize,
    lines: usize,
    facts: bool,
}

impl<'a> Heads<'a> {
    pub(super) fn new<'r: 'a>(
        input: &Input<'a>,
        remarks: impl Iterator<Item = &'r Remark<'r>>,
    ) -> Self {
        let mut by_line: HashMap<&[u8], Vec<&[u8]>> = HashMap::new();
        let mut by_head: HashMap<&[u8], VecDeque<usize>> = HashMap::new();
        for (i, file) in input.files.iter().enumerate() {
            let head = match &file.patch.body {
                // GNU diff's message is the only content of a binary file.
                Body::Binary(body) if file.patch.header.is_empty() => body,
                _ => file.patch.header,
            };
            let files = by_head.entry(head).or_default();
            if files.is_empty() {
                by_line.entry(first_line(head)).or_default().push(head);
            }
            files.push_back(i);
        }
        let told = input.files.iter().map(|f| !has_facts(f)).collect();
        Self {
            by_line,
            by_head,
            remarks: remarks.map(|remark| first_line(remark.text)).collect(),
            told,
        }
    }

    /// Reads the header of the next section.
    pub(super) fn section(
        &mut self,
        reader: &mut Reader<'_>,
        input: &Input<'a>,
    ) -> Result<Section, Hidden> {
        let rest = reader.rest();
        let whole = self.whole(rest, input).map(|(i, _)| i);
        let candidates = || whole.into_iter().chain(self.alike(rest)).take(MAX_ALIKE);
        let verbatim = candidates().find(|&i| {
            let file = &input.files[i];
            file.role != Role::Lines && !self.told[i] && rest.starts_with(file.patch.header)
        });
        if let Some(i) = verbatim {
            reader.skip(input.files[i].patch.header.len());
            self.told[i] = true;
            return Ok(Section::Verbatim(i));
        }
        let own = candidates()
            .filter(|&i| input.files[i].role == Role::Lines)
            .map(|i| (i, taken(input.files[i].patch, rest)))
            .filter(|(_, taken)| self.ends(&rest[taken.bytes..]))
            .max_by_key(|(i, taken)| (taken.lines, std::cmp::Reverse(*i)));
        if let Some((i, taken)) = own {
            reader.skip(taken.bytes);
            self.told[i] |= taken.facts;
            let on = |side| path(input.files[i].patch, side).map(|_| i);
            return Ok(Section::Lines(on(Side::Old), on(Side::New)));
        }
        self.named(reader, input)
    }

    /// Whether a file comes next, rather than this text, which would match, too.
    pub(super) fn is_file(&mut self, rest: &[u8], text: &[u8], input: &Input<'a>) -> bool {
        if let Some((_, head)) = self.whole(rest, input) {
            return head > text.len()
                || (head == text.len() && opens_binary(first_line(&rest[head..])));
        }
        // More of a shortened header must match than the text contains.
        self.alike(rest).take(MAX_ALIKE).any(|i| {
            let file = &input.files[i];
            let taken = taken(file.patch, rest).bytes;
            file.role == Role::Lines && taken > text.len() && self.ends(&rest[taken..])
        })
    }

    /// The next file of each header that starts with the current line.
    fn alike(&self, rest: &[u8]) -> impl Iterator<Item = usize> + Clone {
        let heads = self.by_line.get(first_line(rest)).into_iter().flatten();
        heads.filter_map(|head| self.by_head[head].front().copied())
    }

    /// The next file whose whole header is here, and its length. Of files with
    /// the same header, those already seen are skipped.
    fn whole(&mut self, rest: &[u8], input: &Input<'a>) -> Option<(usize, usize)> {
        let heads = self.by_line.get(first_line(rest))?;
        let longest = |heads: &[&'a [u8]]| {
            let here = heads.iter().filter(|head| rest.starts_with(head));
            here.max_by_key(|head| head.len()).copied()
        };
        let head = if heads.len() <= MAX_ALIKE {
            longest(heads)?
        } else {
            let mut end = first_line(rest).len();
            while !self.ends(&rest[end..]) && !opens_binary(first_line(&rest[end..])) {
                end += first_line(&rest[end..]).len();
            }
            &rest[..end]
        };
        let files = self.by_head.get_mut(head)?;
        while let Some(&i) = files.front() {
            if input.files[i].role == Role::Lines || !self.told[i] {
                return Some((i, head.len()));
            }
            files.pop_front();
        }
        None
    }

    /// Whether a header may end here.
    fn ends(&self, rest: &[u8]) -> bool {
        let line = first_line(rest);
        line.trim_ascii().is_empty()
            || rest.starts_with(b"@@ ")
            || rest.starts_with(b"diff --git ")
            || self.by_line.contains_key(line)
            || self.remarks.contains(line)
    }

    /// Reads a section that is not a file's own: `diff --git`, optionally
    /// followed by `---` and `+++`.
    fn named(&self, reader: &mut Reader<'_>, input: &Input<'a>) -> Result<Section, Hidden> {
        let first = reader.peek();
        if !first.starts_with(b"diff --git ") {
            return Err(reader.malformed("no head of a file, nor of a hunk"));
        }
        let start = *reader;
        let unknown = || start.malformed("the section names no two files of the input");
        reader.next();
        let paths = if reader.peek().starts_with(b"--- ") {
            let old = file_path(reader.next(), b"--- ", b"a/");
            let new = file_path(reader.next(), b"+++ ", b"b/");
            old.zip(new)
        } else {
            let both = |old: &[u8], new: &[u8]| {
                input.lines_of(Side::Old, old).is_ok() && input.lines_of(Side::New, new).is_ok()
            };
            git_paths(first, both)
        };
        if !self.ends(reader.rest()) {
            return Err(reader.malformed("a line that does not belong to the head of a move"));
        }
        let (old, new) = paths.ok_or_else(unknown)?;
        let old = input.lines_of(Side::Old, &old)?;
        let new = input.lines_of(Side::New, &new)?;
        Ok(Section::Lines(Some(old), Some(new)))
    }
}

/// Matches the next lines with a file's own header, in order; lines may be
/// missing.
fn taken(patch: &FilePatch<'_>, rest: &[u8]) -> Taken {
    let mut taken = Taken {
        bytes: 0,
        lines: 0,
        facts: true,
    };
    let by_fact = says_more(patch.header);
    for line in patch.header.split_inclusive(|b| *b == b'\n') {
        if rest[taken.bytes..].starts_with(line) {
            taken.bytes += line.len();
            taken.lines += 1;
        } else if !by_fact || is_fact(line) {
            taken.facts = false;
        }
    }
    taken
}

/// Whether the header of a file contains facts that its lines do not.
fn has_facts(file: &File<'_>) -> bool {
    let patch = file.patch;
    // A file that the input does not change has no header.
    let is_told = file.role != Role::Lines && (!patch.header.is_empty() || patch.is_binary());
    is_told
        || patch.status != Status::Modified
        || patch.old_path != patch.new_path
        || says_more(patch.header)
}
