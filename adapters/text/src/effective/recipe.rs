//! Recipes for building the new files from the old ones.

use super::kept::Run;
use super::line_fates::{LineFates, NONE};
use super::windows::{View, Windows};
use super::{Contents, RecipeFile, RecipePart};
use crate::line::without_newline;
use crate::patch::{Changeset, FilePatch, Status};
use crate::{Lines, Text};

/// The recipe of every file whose contents are known.
pub(super) fn recipe(
    changeset: &Changeset<'_>,
    contents: &Contents<'_>,
    windows: &Windows<'_>,
    fates: &LineFates,
    kept: &[Vec<Run>],
) -> Vec<RecipeFile> {
    let mut recipe = Vec::new();
    for (number, file) in changeset.files.iter().enumerate() {
        let known = contents.files.get(number).and_then(|known| known.new);
        let view = &windows.files[number];
        // A file that cannot be built must not be deleted either.
        let is_built = file.new_path.is_none()
            || view.contents.is_some()
            || (file.is_binary() && known.is_some());
        if let Some(old) = vanishing(file).filter(|_| is_built) {
            recipe.push(RecipeFile {
                file: Text(old.to_vec()),
                deleted: true,
                ..RecipeFile::default()
            });
        }
        let Some(path) = &file.new_path else {
            continue;
        };
        let mut target = RecipeFile {
            file: Text(path.to_vec()),
            origin: file
                .old_path
                .as_deref()
                .filter(|old| *old != &path[..])
                .map(|old| Text(old.to_vec())),
            mode: file.new_mode.map(|mode| format!("{mode:o}")),
            binary: file.is_binary(),
            ..RecipeFile::default()
        };
        let writer = Writer {
            changeset,
            contents,
            windows,
            fates,
            view,
        };
        if let Some(text) = known.filter(|_| file.is_binary()) {
            target.no_eol = !text.is_empty() && !text.ends_with(b"\n");
            let lines = mvdiff_lines::split(text);
            let lines = lines.map(|line| Text(without_newline(line).to_vec()));
            target.parts.push(RecipePart::Lines {
                lines: lines.collect(),
            });
            recipe.push(target);
        } else if let Some([_, new]) = &writer.view.contents {
            let last = new.len().checked_sub(1).map(|last| new.get(last));
            target.no_eol = last.is_some_and(|line| !line.ends_with(b"\n"));
            target.parts = writer.parts(file, &kept[number], new);
            recipe.push(target);
        }
    }
    recipe
}

/// The path that no longer exists once the file is built.
fn vanishing<'f>(file: &'f FilePatch<'_>) -> Option<&'f [u8]> {
    let gone = matches!(file.status, Status::Deleted | Status::Renamed);
    file.old_path.as_deref().filter(|_| gone)
}

struct Writer<'w, 'p> {
    changeset: &'w Changeset<'p>,
    contents: &'w Contents<'p>,
    windows: &'w Windows<'p>,
    fates: &'w LineFates,
    view: &'w View<'p>,
}

impl Writer<'_, '_> {
    fn parts(&self, file: &FilePatch<'_>, kept: &[Run], new: &Lines<'_>) -> Vec<RecipePart> {
        let old_path = Text(file.old_path.as_deref().unwrap_or_default().to_vec());
        let mut parts = Vec::new();
        let mut at = 0;
        let end = (0, new.len() as u32, 0);
        for &(old, start, count) in kept.iter().chain([&end]) {
            for line in at..start {
                self.line(line, new.get(line as usize), &mut parts);
            }
            if count > 0 {
                parts.push(RecipePart::Kept {
                    kept: (old_path.clone(), old + 1, count),
                });
            }
            at = start + count;
        }
        parts
    }

    /// Adds a new line that was not kept: moved, copied or literal.
    fn line(&self, line: u32, text: &[u8], parts: &mut Vec<RecipePart>) {
        let Some((new, old)) = self.source(line) else {
            return spell_out(text, parts);
        };
        let (is_move, id) = match self.fates.moved[1][new as usize] {
            NONE => (false, self.fates.copied[new as usize]),
            id => (true, id),
        };
        let blocks = if is_move {
            &self.fates.moves
        } else {
            &self.fates.copies
        };
        let block = &blocks[id as usize];
        let was = without_newline(self.windows.lines[0][old as usize]);
        let indent = block.indent.clone();
        let shifted = indent.as_ref().map(|shift| shift.apply(was));
        if shifted.as_deref().unwrap_or(was) != without_newline(text) {
            return spell_out(text, parts);
        }
        let window = self.windows.window_of(0, old);
        let path = self.path(window.file);
        let first = window.line(0, old) + 1;
        match parts.last_mut() {
            Some(RecipePart::Moved { id: last, from, .. })
                if is_move && *last == id + 1 && from.1 + from.2 == first =>
            {
                from.2 += 1;
            }
            Some(RecipePart::Copied { id: last, from, .. })
                if !is_move && *last == self.copy_id(id) && from.1 + from.2 == first =>
            {
                from.2 += 1;
            }
            _ if is_move => parts.push(RecipePart::Moved {
                id: id + 1,
                from: (path, first, 1),
                indent,
            }),
            _ => parts.push(RecipePart::Copied {
                id: self.copy_id(id),
                from: (path, first, 1),
                indent,
            }),
        }
    }

    /// A new line of the file as an element, and the element it was taken from.
    fn source(&self, line: u32) -> Option<(u32, u32)> {
        let windows = &self.windows.list[self.view.windows.clone()];
        let at = windows.partition_point(|w| w.end[1] <= line);
        // A file that git calls a copy has no windows.
        let window = windows.get(at).filter(|window| !window.inert)?;
        let new = window.elements[1].start + line.checked_sub(window.first[1])?;
        let old = self.fates.source[new as usize];
        (old != NONE).then_some((new, old))
    }

    /// Copies are numbered after the moves.
    fn copy_id(&self, index: u32) -> u32 {
        self.fates.moves.len() as u32 + index + 1
    }

    fn path(&self, file: usize) -> Text {
        match self.changeset.files.get(file) {
            Some(file) => Text(file.old_path.as_deref().unwrap_or_default().to_vec()),
            None => Text(
                self.contents.others[file - self.changeset.files.len()]
                    .path
                    .to_vec(),
            ),
        }
    }
}

fn spell_out(text: &[u8], parts: &mut Vec<RecipePart>) {
    let text = Text(without_newline(text).to_vec());
    match parts.last_mut() {
        Some(RecipePart::Lines { lines }) => lines.push(text),
        _ => parts.push(RecipePart::Lines { lines: vec![text] }),
    }
}
