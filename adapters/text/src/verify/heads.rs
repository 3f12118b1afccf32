//! Which file a section of an effective diff is about, and what its head still
//! says.

use super::hidden::Hidden;
use super::input::{File, Input, Role, path};
use super::reader::{Reader, file_path, first_line, git_paths};
use crate::patch::{FilePatch, Status};
use mvdiff_core::Side;
use std::collections::HashMap;

/// What a section is about.
pub(super) enum Section {
    /// A file that must stand as it is.
    Verbatim(usize),
    /// Lines of an old and a new file; `None` where there is no such file.
    Lines(Option<usize>, Option<usize>),
}

/// The heads of the input, and what was seen of them.
pub(super) struct Heads<'a> {
    by_line: HashMap<&'a [u8], Vec<usize>>,
    /// Whether the facts about a file as a whole stand in the diff.
    pub told: Vec<bool>,
}

/// How much of an input's head stands at the start of a section.
struct Taken {
    bytes: usize,
    lines: usize,
    facts: bool,
}

impl<'a> Heads<'a> {
    pub(super) fn new(input: &Input<'a>) -> Self {
        let mut by_line: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (i, file) in input.files.iter().enumerate() {
            let line = first_line(file.patch.header);
            by_line.entry(line).or_default().push(i);
        }
        let told = input.files.iter().map(|f| !has_facts(f)).collect();
        Self { by_line, told }
    }

    /// Reads the head of the next section.
    pub(super) fn section(
        &mut self,
        reader: &mut Reader<'_>,
        input: &Input<'a>,
    ) -> Result<Section, Hidden> {
        let rest = reader.rest();
        let candidates = self.by_line.get(first_line(rest));
        let candidates = candidates.map_or(&[][..], Vec::as_slice);
        let verbatim = candidates.iter().copied().find(|&i| {
            let file = &input.files[i];
            file.role != Role::Lines && !self.told[i] && rest.starts_with(file.patch.header)
        });
        if let Some(i) = verbatim {
            reader.skip(input.files[i].patch.header.len());
            self.told[i] = true;
            return Ok(Section::Verbatim(i));
        }
        let own = candidates
            .iter()
            .filter(|&&i| input.files[i].role == Role::Lines)
            .map(|&i| (i, taken(input.files[i].patch, rest)))
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

    /// Whether a head may end here.
    fn ends(&self, rest: &[u8]) -> bool {
        rest.is_empty()
            || rest.starts_with(b"@@ ")
            || rest.starts_with(b"diff --git ")
            || self.by_line.contains_key(first_line(rest))
    }

    /// A section that is no file's own: `diff --git`, at most followed by `---`
    /// and `+++`.
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

/// Which lines of a file's own head come next, in order; others may be left out.
fn taken(patch: &FilePatch<'_>, rest: &[u8]) -> Taken {
    let mut taken = Taken {
        bytes: 0,
        lines: 0,
        facts: true,
    };
    let by_fact = patch.header.split_inclusive(|b| *b == b'\n').any(is_fact);
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

/// Whether the head of a file says something that its lines do not.
fn has_facts(file: &File<'_>) -> bool {
    let patch = file.patch;
    // A file that the input leaves alone has no head.
    let is_told = file.role != Role::Lines && (!patch.header.is_empty() || patch.is_binary());
    is_told
        || patch.status != Status::Modified
        || patch.old_path != patch.new_path
        || patch.header.split_inclusive(|b| *b == b'\n').any(is_fact)
}

/// Whether a line of a head says something about the file as a whole. Blob ids,
/// likeness and the names of an ordinary change do not.
fn is_fact(line: &[u8]) -> bool {
    const FACTS: [&[u8]; 10] = [
        b"old mode ",
        b"new mode ",
        b"deleted file mode ",
        b"new file mode ",
        b"rename from ",
        b"rename to ",
        b"rename old ",
        b"rename new ",
        b"copy from ",
        b"copy to ",
    ];
    FACTS.iter().any(|fact| line.starts_with(fact))
}
