//! Reads the effective diff and locates every line of it in the input.

use super::claims::{Claims, same_position};
use super::heads::{Heads, Section};
use super::hidden::Hidden;
use super::input::{Input, Spot};
use super::reader::{Head, Reader};
use super::texts::{KEPT, PAIRED, SHOWN};
use crate::patch::{Body, LineKind, Remark};
use mvdiff_core::Side;

/// Summary of the diff.
#[derive(Default)]
pub(super) struct Shown {
    /// Number of `-` and `+` lines.
    pub lines: u32,
    /// Whether they include a pair of a move.
    pub pairs: bool,
}

/// Reads an effective diff and marks the lines that it shows.
pub(super) fn read(
    diff: &[u8],
    remarks: &[Remark<'_>],
    input: &mut Input<'_>,
    claims: &mut Claims<'_>,
) -> Result<Shown, Hidden> {
    let mut reader = Reader::new(diff);
    let mut remarks = remarks.iter().peekable();
    let mut heads = Heads::new(input, remarks.clone());
    let mut shown = Shown::default();
    while !reader.rest().is_empty() {
        let rest = reader.rest();
        let is_remark = remarks.peek().is_some_and(|remark| {
            // Whole lines; only the last line of an input may lack a newline.
            let is_whole = remark.text.ends_with(b"\n") || rest.len() == remark.text.len();
            is_whole && rest.starts_with(remark.text) && !heads.is_file(rest, remark.text, input)
        });
        if let Some(remark) = remarks.next_if(|_| is_remark) {
            reader.skip(remark.text.len());
            continue;
        }
        match heads.section(&mut reader, input)? {
            Section::Verbatim(file) => shown.lines += verbatim(&mut reader, input, file)?,
            Section::Lines(old, new) => {
                let mut walk = Walk {
                    input,
                    claims,
                    shown: &mut shown,
                    files: [old, new],
                };
                while walk.hunk(&mut reader)? {}
            }
        }
    }
    if let Some(remark) = remarks.next() {
        let line = remark.first_line().to_vec();
        return Err(Hidden::RemarkLost { line });
    }
    match heads.told.iter().position(|told| !told) {
        None => Ok(shown),
        Some(file) => Err(lost(input, file)),
    }
}

fn lost(input: &Input<'_>, file: usize) -> Hidden {
    Hidden::FactLost {
        file: input.files[file].patch.path().to_vec(),
    }
}

/// Checks the body of a file that must be verbatim. Returns its number of changed
/// lines.
fn verbatim(reader: &mut Reader<'_>, input: &Input<'_>, file: usize) -> Result<u32, Hidden> {
    let stands = match &input.files[file].patch.body {
        Body::Binary(body) => reader.eat(body),
        Body::Text(hunks) => hunks.iter().all(|hunk| reader.eat(hunk.bytes)),
    };
    if !stands {
        return Err(lost(input, file));
    }
    let hunks = input.files[file].patch.hunks().iter();
    let lines = hunks.flat_map(|hunk| &hunk.lines);
    Ok(lines.filter(|l| l.kind != LineKind::Context).count() as u32)
}

/// A walk over the hunks of one section.
struct Walk<'w, 'a, 'r> {
    input: &'w mut Input<'a>,
    claims: &'w mut Claims<'r>,
    shown: &'w mut Shown,
    /// The old and the new file.
    files: [Option<usize>; 2],
}

/// The next line of one side.
struct Cursor {
    line: u32,
    /// Its index among the known lines, while `left` is not zero.
    at: usize,
    left: u32,
}

impl Cursor {
    fn new(line: u32) -> Self {
        Self {
            line,
            at: 0,
            left: 0,
        }
    }
}

impl Walk<'_, '_, '_> {
    /// Reads the next hunk, if any.
    fn hunk(&mut self, reader: &mut Reader<'_>) -> Result<bool, Hidden> {
        let Some(head) = reader.head()? else {
            return Ok(false);
        };
        let stayed = self.fits_kept(head);
        let block = match self.files {
            [Some(old), Some(new)] => self.claims.block_at((old, new), head.old, head.new),
            _ => None,
        };
        if !stayed && block.is_none() {
            let line = reader.line() - 1;
            return Err(Hidden::Misplaced { line });
        }
        let before = self.shown.lines;
        let mut cursors = [Cursor::new(head.old.0), Cursor::new(head.new.0)];
        let ends = [head.old.0 + head.old.1, head.new.0 + head.new.1];
        while cursors[0].line < ends[0] || cursors[1].line < ends[1] {
            let Some((kind, text)) = reader.hunk_line() else {
                return Err(reader.malformed("the hunk before ends too early"));
            };
            match kind {
                b'-' => self.change(Side::Old, &mut cursors[0], text)?,
                b'+' => self.change(Side::New, &mut cursors[1], text)?,
                _ => self.context(&mut cursors, text, stayed)?,
            }
        }
        if cursors[0].line != ends[0] || cursors[1].line != ends[1] {
            return Err(reader.malformed("the hunk before has more lines than it says"));
        }
        if let (Some((block, true)), false) = (block, stayed) {
            self.claims.blocks[block].shown += self.shown.lines - before;
        }
        Ok(true)
    }

    /// Whether both sides of a hunk are at the same position between kept lines.
    fn fits_kept(&self, head: Head) -> bool {
        match self.files {
            [Some(old), Some(new)] if old == new => {
                same_position(&self.input.files[old].kept, head.old.0, head.new.0)
            }
            [Some(_), Some(_)] => false,
            // A missing file has no lines.
            [old, new] => (old.is_some() || head.old.1 == 0) && (new.is_some() || head.new.1 == 0),
        }
    }

    /// Advances a cursor by one line. Returns the line's index among the known
    /// ones.
    fn step(&self, side: Side, cursor: &mut Cursor) -> Option<usize> {
        if cursor.left == 0 {
            let file = &self.input.files[self.files[side as usize]?];
            match file.spot(side, cursor.line) {
                Spot::Known(_, at, left) => (cursor.at, cursor.left) = (at, left),
                Spot::Unseen(..) => return None,
            }
        }
        let at = cursor.at;
        cursor.at += 1;
        cursor.left -= 1;
        cursor.line += 1;
        Some(at)
    }

    fn place(&self, side: Side, line: u32) -> super::Place {
        match self.files[side as usize] {
            Some(file) => self.input.place(side, file, line),
            None => super::Place {
                side,
                file: b"/dev/null".to_vec(),
                line,
            },
        }
    }

    /// Checks a `-` or `+` line: changed, verbatim, and not shown before.
    fn change(&mut self, side: Side, cursor: &mut Cursor, text: &[u8]) -> Result<(), Hidden> {
        let line = cursor.line;
        let step = self.step(side, cursor).zip(self.files[side as usize]);
        let Some((at, file)) = step else {
            return Err(Hidden::Invented(self.place(side, line)));
        };
        let known = &mut self.input.files[file].sides[side as usize];
        if known.is(at, KEPT) {
            return Err(Hidden::Invented(self.place(side, line)));
        }
        if known.is(at, SHOWN) {
            return Err(Hidden::ShownTwice(self.place(side, line)));
        }
        if known.text(at) != text {
            return Err(Hidden::OtherText(self.place(side, line)));
        }
        self.shown.pairs |= known.is(at, PAIRED);
        self.shown.lines += 1;
        known.marks[at] |= SHOWN;
        Ok(())
    }

    /// Checks a context line: two kept lines, or a pair of a move.
    fn context(
        &mut self,
        cursors: &mut [Cursor; 2],
        text: &[u8],
        stayed: bool,
    ) -> Result<(), Hidden> {
        let [old, new] = [cursors[0].line, cursors[1].line];
        let at = self.step(Side::Old, &mut cursors[0]);
        let at = at.zip(self.step(Side::New, &mut cursors[1]));
        let is_true = match (at, self.files) {
            (Some((old_at, new_at)), [Some(old_file), Some(new_file)]) => {
                let old_side = self.input.files[old_file].side(Side::Old);
                let new_side = self.input.files[new_file].side(Side::New);
                let [old_text, new_text] = [old_side.text(old_at), new_side.text(new_at)];
                // The hunk starts at one position between kept lines and skips
                // none, so two kept lines are each other's counterpart.
                if stayed && old_side.is(old_at, KEPT) && new_side.is(new_at, KEPT) {
                    text == old_text && text == new_text
                } else {
                    self.claims.origin(new_file, new) == Some((old_file, old))
                        && (text == old_text || text == new_text)
                }
            }
            _ => false,
        };
        if is_true {
            return Ok(());
        }
        Err(Hidden::FalseContext {
            old: self.place(Side::Old, old),
            new: self.place(Side::New, new),
        })
    }
}
