//! Plain unified diffs: ours made, anybody's read.

use anyhow::{Context, bail};
use mvdiff_core::Side;
use mvdiff_text::{LineProblem, UnifiedOptions};
use std::ops::Range;

/// The plain unified diff of ours. `mvdiff diff --format unified` prints it
/// without `moves`; with them, what moved is deleted here and inserted there.
///
/// # Errors
/// If a text is too large for the engine.
pub fn unified(
    sides: (&[u8], &[u8]),
    path: &str,
    context: u32,
    moves: bool,
) -> anyhow::Result<Vec<u8>> {
    let options = mvdiff_text::options().with(|o| o.moves = moves);
    let problem = LineProblem::of_texts(sides.0, sides.1)?;
    let script = mvdiff_core::diff(&problem, &options)?.script;
    let hunks = mvdiff_core::plain(&problem, &script, &options);
    let printing = UnifiedOptions {
        context,
        old_name: format!("a/{path}").into_bytes(),
        new_name: format!("b/{path}").into_bytes(),
        ignore: mvdiff_text::Ignore::default(),
    };
    let mut text = Vec::new();
    let files = (problem.file(Side::Old, 0), problem.file(Side::New, 0));
    mvdiff_text::write_unified(&mut text, files, &hunks, &printing)?;
    Ok(text)
}

/// Lines of old replaced by lines of new, zero based, half open; one of the
/// two may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The lines deleted.
    pub old: Range<u32>,
    /// The lines inserted.
    pub new: Range<u32>,
}

/// One file of a patch: what its header names and what its hunks change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patched {
    /// The path after `+++ `, verbatim.
    pub path: String,
    /// The changes, free of context.
    pub changes: Vec<Change>,
}

impl Patched {
    /// How many lines were deleted and inserted.
    #[must_use]
    pub fn count(&self) -> usize {
        self.changes
            .iter()
            .map(|change| change.old.len() + change.new.len())
            .sum()
    }
}

/// Reads a unified diff of text files. The counts in a hunk's head rule, never
/// the prefixes of its lines.
///
/// # Errors
/// If a hunk does not keep what its head promises.
pub fn parse(text: &[u8]) -> anyhow::Result<Vec<Patched>> {
    let mut files: Vec<Patched> = Vec::new();
    let mut lines = text.split_inclusive(|b| *b == b'\n');
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix(b"+++ ") {
            // Git ends a path that has spaces with a tab.
            let path = String::from_utf8_lossy(path)
                .trim_end_matches(['\n', '\t'])
                .to_owned();
            files.push(Patched {
                path,
                changes: Vec::new(),
            });
        } else if line.starts_with(b"@@ -") {
            let file = files.last_mut().context("a hunk before its file")?;
            read_hunk(line, &mut lines, &mut file.changes)?;
        }
    }
    Ok(files)
}

fn read_hunk<'a>(
    head: &[u8],
    lines: &mut impl Iterator<Item = &'a [u8]>,
    changes: &mut Vec<Change>,
) -> anyhow::Result<()> {
    let head = String::from_utf8_lossy(head).into_owned();
    let mut words = head.split(' ').skip(1);
    let mut range = |sign: char| {
        let word = words.next().and_then(|word| word.strip_prefix(sign));
        let word = word.with_context(|| format!("not the head of a hunk: {head}"))?;
        let (start, count) = word.split_once(',').unwrap_or((word, "1"));
        let (start, count): (u32, u32) = (start.parse()?, count.parse()?);
        let start = if count == 0 { start } else { start - 1 };
        anyhow::Ok(start..start + count)
    };
    let (old, new) = (range('-')?, range('+')?);
    let mut at = (old.start, new.start);
    let mut open = false;
    while at != (old.end, new.end) {
        let line = lines
            .next()
            .with_context(|| format!("the patch ends inside {head}"))?;
        let (deleted, inserted) = match line.first() {
            Some(b'-') => (1, 0),
            Some(b'+') => (0, 1),
            Some(b' ' | b'\n') => (1, 1),
            Some(b'\\') => continue,
            _ => bail!("not a line of a hunk: {}", String::from_utf8_lossy(line)),
        };
        if deleted + inserted == 2 {
            open = false;
        } else {
            if !open {
                changes.push(Change {
                    old: at.0..at.0,
                    new: at.1..at.1,
                });
            }
            open = true;
            if let Some(change) = changes.last_mut() {
                change.old.end += deleted;
                change.new.end += inserted;
            }
        }
        at = (at.0 + deleted, at.1 + inserted);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Change, parse, unified};

    #[test]
    fn what_is_written_is_read_back_with_and_without_context() {
        let old = b"a\nb\nc\nd\ne\nf\ng\nh\nlast";
        let new = b"new\na\nb\nc\nd\nf\ng\n--- x\nh\nlast\n";
        let expected = [(0..0, 0..1), (4..5, 5..5), (7..7, 7..8), (8..9, 9..10)];
        let expected = expected.map(|(old, new)| Change { old, new });
        for context in [0, 1, 3] {
            let patch = unified((old, new), "x y", context, true).unwrap();
            let files = parse(&patch).unwrap();
            assert_eq!(files.len(), 1);
            assert_eq!(files[0].path, "b/x y");
            assert_eq!(files[0].changes, expected, "context {context}");
        }
    }
}
