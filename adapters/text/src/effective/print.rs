//! Prints the remaining changes as a unified diff.

use super::blocks::LineBlock;
use super::hunks::{self, hunk};
use super::line_fates::LineFates;
use super::report::ShownLines;
use super::windows::{Windows, place};
use crate::patch::{
    Body, Changeset, FilePatch, Hunk, HunkLine, LineKind, Status, says_more, write_header,
    write_hunk,
};
use std::io::{self, Write};

/// The effective diff and its number of changed lines.
#[derive(Default)]
pub(super) struct Printed {
    pub text: Vec<u8>,
    pub changed: u32,
    pub shown: ShownLines,
}

/// Prints the remaining hunks of each file, followed by the changes inside the
/// blocks that moved there.
pub(super) fn effective_diff(
    changeset: &Changeset<'_>,
    windows: &Windows<'_>,
    fates: &LineFates,
    context: u32,
) -> io::Result<Printed> {
    let mut printed = Printed {
        shown: ShownLines::none(),
        ..Printed::default()
    };
    // What is left is rarely longer than the patch, and doubling would keep twice as much.
    let length = |file: &FilePatch<'_>| {
        let hunks = file.hunks().iter().map(|hunk| hunk.bytes.len());
        file.header.len() + hunks.sum::<usize>()
    };
    let whole = changeset.files.iter().map(length).sum::<usize>();
    printed.text.reserve_exact(whole);
    let mut arrivals: Vec<Vec<&LineBlock>> = vec![Vec::new(); changeset.files.len()];
    let mut touched = vec![false; changeset.files.len()];
    for block in fates.blocks() {
        let source = windows.window_of(0, block.old.start).file;
        let target = windows.window_of(1, block.new.start).file;
        // A copy may come from a file that the patch does not touch.
        if let Some(touched) = touched.get_mut(source) {
            *touched = true;
        }
        touched[target] = true;
    }
    for block in &fates.moves {
        let file = windows.window_of(1, block.new.start).file;
        arrivals[file].push(block);
    }
    let mut remarks = changeset.remarks().into_iter().peekable();
    while let Some(remark) = remarks.next_if(|remark| remark.after == 0) {
        printed.text.extend_from_slice(remark.text);
    }
    for (number, file) in changeset.files.iter().enumerate() {
        if touched[number] {
            let left = hunks::left(windows, fates, number, file.hunks());
            printed.file(file, &left)?;
        } else {
            printed.as_it_came(file);
        }
        for block in &arrivals[number] {
            printed.block(changeset, windows, block, context)?;
        }
        while let Some(remark) = remarks.next_if(|remark| remark.after <= number + 1) {
            printed.text.extend_from_slice(remark.text);
        }
    }
    Ok(printed)
}

impl Printed {
    /// Prints a file in which nothing moved.
    fn as_it_came(&mut self, file: &FilePatch<'_>) {
        self.text.extend_from_slice(file.header);
        match &file.body {
            Body::Binary(bytes) => self.text.extend_from_slice(bytes),
            Body::Text(hunks) => {
                for hunk in hunks {
                    self.text.extend_from_slice(hunk.bytes);
                    self.show(paths(file, file), hunk);
                }
            }
        }
    }

    /// Prints the rest of a file in which something moved.
    fn file(&mut self, file: &FilePatch<'_>, hunks: &[Hunk<'_>]) -> io::Result<()> {
        if hunks.is_empty() {
            // A file that only lost or gained moved lines needs no header.
            if tells_more_than_lines(file) {
                self.text.write_all(head_alone(file))?;
            }
            return Ok(());
        }
        self.text.write_all(file.header)?;
        hunks
            .iter()
            .try_for_each(|hunk| self.hunk(paths(file, file), hunk))
    }

    fn hunk(&mut self, paths: [Option<&[u8]>; 2], hunk: &Hunk<'_>) -> io::Result<()> {
        self.show(paths, hunk);
        write_hunk(&mut self.text, hunk)
    }

    /// Counts and lists the changed lines of a hunk.
    fn show(&mut self, paths: [Option<&[u8]>; 2], hunk: &Hunk<'_>) {
        let mut shown = self.shown.of(paths);
        // The last line that there can be has no next one.
        let mut at = place(hunk).map(|range| range.start.saturating_add(1));
        for run in hunk.lines.chunk_by(|a, b| a.kind == b.kind) {
            let count = run.len() as u32;
            let side = match run[0].kind {
                LineKind::Removed => 0,
                LineKind::Added => 1,
                LineKind::Context => {
                    at = at.map(|number| number.saturating_add(count));
                    continue;
                }
            };
            self.changed += count;
            let first = at[side];
            at[side] = first.saturating_add(count);
            if let Some(shown) = &mut shown[side] {
                shown.push(first, at[side].saturating_sub(1).max(first));
            }
        }
    }

    /// Prints the changes inside a block, under the names of both of its files.
    fn block(
        &mut self,
        changeset: &Changeset<'_>,
        windows: &Windows<'_>,
        block: &LineBlock,
        context: u32,
    ) -> io::Result<()> {
        let hunks = inner_hunks(windows, block, context);
        if hunks.is_empty() {
            return Ok(());
        }
        let file = |side: usize| {
            let window = windows.window_of(side, block.range(side).start);
            &changeset.files[window.file]
        };
        let (source, target) = (file(0), file(1));
        let paths = paths(source, target);
        write_header(&mut self.text, paths[0], paths[1])?;
        hunks.iter().try_for_each(|hunk| self.hunk(paths, hunk))
    }
}

/// The old path of one file and the new path of another.
fn paths<'f>(source: &'f FilePatch<'_>, target: &'f FilePatch<'_>) -> [Option<&'f [u8]>; 2] {
    [source.old_path.as_deref(), target.new_path.as_deref()]
}

/// Whether the header of a file contains facts that its lines do not.
fn tells_more_than_lines(file: &FilePatch<'_>) -> bool {
    let renamed = file.old_path != file.new_path;
    renamed || file.status != Status::Modified || says_more(file.header)
}

/// The header of a file without hunks. Git prints no names there, other tools
/// print nothing but names. The names alone express a pair that no rename
/// explains (`git diff --no-index`) and a side that no other line marks as
/// missing.
fn head_alone<'h>(file: &FilePatch<'h>) -> &'h [u8] {
    let header = file.header;
    let says = |line: &[u8]| memchr::memmem::find(header, line).is_some();
    let by_names = match file.status {
        Status::Added => !says(b"\nnew file mode "),
        Status::Deleted => !says(b"\ndeleted file mode "),
        Status::Modified => file.old_path != file.new_path,
        Status::Renamed | Status::Copied => false,
    };
    let names = memchr::memmem::find(header, b"\n--- ").map(|at| at + 1);
    match names {
        Some(names) if header.starts_with(b"diff --git ") && !by_names => &header[..names],
        _ => header,
    }
}

/// Hunks for the runs of changes inside a block, with the requested number of
/// surviving lines around them.
fn inner_hunks<'p>(windows: &Windows<'p>, block: &LineBlock, context: u32) -> Vec<Hunk<'p>> {
    let survived = |old: Option<u32>, new: Option<u32>| {
        let pair = old.zip(new);
        pair.is_some_and(|pair| block.pairs.binary_search(&pair).is_ok())
    };
    // Positions and lines of hunks under construction.
    let mut drafts: Vec<([u32; 2], Vec<HunkLine<'p>>)> = Vec::new();
    let mut end = [0, 0];
    for (old, new) in &block.changes {
        let before = (1..=context)
            .take_while(|k| survived(old.start.checked_sub(*k), new.start.checked_sub(*k)))
            .take_while(|k| old.start - k >= end[0])
            .count() as u32;
        let behind = (0..context)
            .take_while(|k| survived(old.end.checked_add(*k), new.end.checked_add(*k)))
            .count() as u32;
        let start = [old.start - before, new.start - before];
        if drafts.is_empty() || start != end {
            drafts.push((start, Vec::new()));
        }
        // A surviving line is shown in its new form.
        let shown = [
            (1, start[1]..new.start, LineKind::Context),
            (0, old.clone(), LineKind::Removed),
            (1, new.clone(), LineKind::Added),
            (1, new.end..new.end + behind, LineKind::Context),
        ];
        if let Some((_, lines)) = drafts.last_mut() {
            for (side, range, kind) in shown {
                lines.extend(range.map(|element| HunkLine {
                    kind,
                    text: windows.lines[side][element as usize],
                }));
            }
        }
        end = [old.end + behind, new.end + behind];
    }
    let source = windows.window_of(0, block.old.start);
    let target = windows.window_of(1, block.new.start);
    let hunks = drafts.into_iter().map(|([old, new], lines)| {
        let place = [source.line(0, old), target.line(1, new)];
        hunk(place, lines, b"")
    });
    hunks.collect()
}
