//! Derives one side of a file from the other by its hunks.
//!
//! Strict: every line must match byte for byte, at the position the hunk states.
//! A content that matched by accident would make the report describe a different
//! file.

use super::{FilePatch, LineKind};

/// Derives the new content of a file from the old one; `None` if the hunks do not
/// match it.
#[must_use]
pub fn apply(file: &FilePatch<'_>, old: &[u8]) -> Option<Vec<u8>> {
    rewrite(file, old, LineKind::Removed)
}

/// Derives the old content of a file from the new one; `None` if the hunks do not
/// match it.
#[must_use]
pub fn unapply(file: &FilePatch<'_>, new: &[u8]) -> Option<Vec<u8>> {
    rewrite(file, new, LineKind::Added)
}

/// Whether the hunks lead from `old` to `new`.
#[must_use]
pub fn fits(file: &FilePatch<'_>, old: &[u8], new: &[u8]) -> bool {
    apply(file, old).is_some_and(|made| made == new)
}

/// Removes the lines of kind `gone` from `text` and inserts those of the other
/// side.
fn rewrite(file: &FilePatch<'_>, text: &[u8], gone: LineKind) -> Option<Vec<u8>> {
    let forward = gone == LineKind::Removed;
    let mut made = Vec::with_capacity(text.len());
    let mut rest = text;
    // Number of lines already read and written.
    let (mut read, mut written) = (0, 0);
    for hunk in file.hunks() {
        let old = first(hunk.old_start, hunk.old_count)?;
        let new = first(hunk.new_start, hunk.new_count)?;
        let (here, there) = if forward { (old, new) } else { (new, old) };
        let between = here.checked_sub(read)?;
        if written + between != there {
            return None;
        }
        let (before, after) = rest.split_at(lines_end(rest, between)?);
        made.extend_from_slice(before);
        rest = after;
        (read, written) = (here, there);
        for line in &hunk.lines {
            if line.kind == LineKind::Context || line.kind == gone {
                rest = rest.strip_prefix(line.text)?;
                // A line without a newline must be the last one.
                if !line.text.ends_with(b"\n") && !rest.is_empty() {
                    return None;
                }
                read += 1;
            }
            if line.kind != gone {
                if !is_whole(&made) {
                    return None;
                }
                made.extend_from_slice(line.text);
                written += 1;
            }
        }
    }
    if !rest.is_empty() && !is_whole(&made) {
        return None;
    }
    made.extend_from_slice(rest);
    Some(made)
}

/// Number of lines before a hunk. An empty side states the number of the line
/// before.
fn first(start: u32, count: u32) -> Option<u64> {
    match count {
        0 => Some(start.into()),
        _ => start.checked_sub(1).map(u64::from),
    }
}

/// The end of the first `count` lines, if there are that many.
fn lines_end(text: &[u8], count: u64) -> Option<usize> {
    let Some(last) = count.checked_sub(1) else {
        return Some(0);
    };
    let mut ends = memchr::memchr_iter(b'\n', text);
    let end = ends.nth(usize::try_from(last).ok()?)?;
    Some(end + 1)
}

/// Whether another line may follow.
fn is_whole(text: &[u8]) -> bool {
    text.is_empty() || text.ends_with(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{Body, Hunk, HunkLine, Status};

    type Spec<'p> = ([u32; 4], &'p [(char, &'p str)]);

    fn file<'p>(hunks: &[Spec<'p>]) -> FilePatch<'p> {
        let hunk = |&([old_start, old_count, new_start, new_count], lines): &Spec<'p>| Hunk {
            old_start,
            old_count,
            new_start,
            new_count,
            heading: b"",
            lines: lines.iter().map(line).collect(),
            bytes: b"",
        };
        FilePatch {
            old_path: Some(b"f".into()),
            new_path: Some(b"f".into()),
            status: Status::Modified,
            old_mode: None,
            new_mode: None,
            ids: None,
            header: b"",
            body: Body::Text(hunks.iter().map(hunk).collect()),
            trailer: b"",
        }
    }

    fn line<'p>(&(kind, text): &(char, &'p str)) -> HunkLine<'p> {
        let kind = match kind {
            '-' => LineKind::Removed,
            '+' => LineKind::Added,
            _ => LineKind::Context,
        };
        HunkLine {
            kind,
            text: text.as_bytes(),
        }
    }

    #[track_caller]
    fn both_ways(hunks: &[Spec<'_>], old: &str, new: &str) {
        let file = file(hunks);
        assert_eq!(
            apply(&file, old.as_bytes()).as_deref(),
            Some(new.as_bytes())
        );
        assert_eq!(
            unapply(&file, new.as_bytes()).as_deref(),
            Some(old.as_bytes())
        );
        assert!(fits(&file, old.as_bytes(), new.as_bytes()));
    }

    #[test]
    fn hunks_lead_from_either_side_to_the_other() {
        let hunks: [Spec<'_>; 2] = [
            (
                [2, 2, 2, 3],
                &[('-', "b\n"), ('+', "B\n"), ('+', "x\n"), (' ', "c\n")],
            ),
            // An empty side states the number of the line before.
            ([5, 1, 5, 0], &[('-', "e\n")]),
        ];
        both_ways(&hunks, "a\nb\nc\nd\ne\nf\n", "a\nB\nx\nc\nd\nf\n");
    }

    #[test]
    fn a_file_comes_out_of_nothing_and_goes_there() {
        both_ways(
            &[([0, 0, 1, 2], &[('+', "a\n"), ('+', "b\n")])],
            "",
            "a\nb\n",
        );
        both_ways(&[([1, 1, 0, 0], &[('-', "a")])], "a", "");
    }

    #[test]
    fn a_patch_without_hunks_changes_nothing() {
        both_ways(&[], "a\r\nb", "a\r\nb");
    }

    #[test]
    fn the_newline_at_the_end_is_part_of_the_line() {
        both_ways(&[([1, 1, 1, 1], &[('-', "a"), ('+', "a\n")])], "a", "a\n");
        let loses = file(&[([1, 1, 1, 1], &[('-', "a\n"), ('+', "a")])]);
        assert_eq!(apply(&loses, b"a\n").as_deref(), Some(&b"a"[..]));
        assert_eq!(apply(&loses, b"a"), None, "it has none to lose");
        assert_eq!(apply(&loses, b"a\nb\n"), None, "a line would be torn");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let change = file(&[([2, 1, 2, 1], &[('-', "b\n"), ('+', "B\n")])]);
        for old in ["", "a\n", "b\nb", "a\nc\n", "x\na\nb\n", "a\nb\r\n"] {
            assert_eq!(apply(&change, old.as_bytes()), None, "{old:?}");
        }
        assert!(!fits(&change, b"a\nb\n", b"a\nB\nc\n"));
        let prefix = file(&[([1, 1, 1, 1], &[('-', "ab"), ('+', "c\n")])]);
        assert_eq!(apply(&prefix, b"abc\n"), None);
    }

    #[test]
    fn numbers_that_contradict_each_other_are_refused() {
        let lines: &[(char, &str)] = &[(' ', "a\n"), ('+', "b\n")];
        let zero = file(&[([0, 1, 1, 2], lines)]);
        assert_eq!(apply(&zero, b"a\n"), None);
        let shifted = file(&[([1, 1, 2, 2], lines)]);
        assert_eq!(apply(&shifted, b"a\n"), None);
        let huge = file(&[([u32::MAX, u32::MAX, u32::MAX, u32::MAX], lines)]);
        assert_eq!(apply(&huge, b"a\n"), None);
        let hunk: Spec<'_> = ([1, 1, 1, 2], lines);
        assert_eq!(apply(&file(&[hunk, hunk]), b"a\n"), None, "hunks overlap");
    }
}
