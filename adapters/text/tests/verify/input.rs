//! A minimal parser for patches as git writes them. These tests do not use the
//! real parser, which is tested elsewhere.

use mvdiff_core::Side;
use mvdiff_text::patch::{Body, Changeset, FilePatch, Hunk, HunkLine, LineKind, Status};
use mvdiff_text::verify::Place;
use std::borrow::Cow;

pub(crate) fn place(side: Side, file: &str, line: u32) -> Place {
    Place {
        side,
        file: file.as_bytes().to_vec(),
        line,
    }
}

pub(crate) fn changeset(patch: &[u8]) -> Changeset<'_> {
    let mut changeset = Changeset::default();
    let mut rest = patch;
    while !rest.is_empty() {
        let file;
        (file, rest) = file_patch(rest);
        changeset.files.push(file);
    }
    changeset
}

fn line(bytes: &[u8]) -> &[u8] {
    bytes.split_inclusive(|b| *b == b'\n').next().unwrap_or(b"")
}

fn file_patch(all: &[u8]) -> (FilePatch<'_>, &[u8]) {
    let mut file = FilePatch {
        old_path: None,
        new_path: None,
        status: Status::Modified,
        old_mode: None,
        new_mode: None,
        ids: None,
        header: all,
        body: Body::Text(Vec::new()),
        trailer: b"",
    };
    let mut rest = all;
    let named = line(all).trim_ascii_end();
    if let Some(names) = named.strip_prefix(b"diff --git a/") {
        let at = names.windows(3).position(|w| w == b" b/").unwrap();
        file.old_path = Some(Cow::Borrowed(&names[..at]));
        file.new_path = Some(Cow::Borrowed(&names[at + 3..]));
        rest = &all[line(all).len()..];
    }
    let mut binary = false;
    while !rest.is_empty() {
        let next = line(rest);
        binary = next.starts_with(b"GIT binary") || next.starts_with(b"Binary files");
        if binary || next.starts_with(b"@@ ") || next.starts_with(b"diff --git") {
            break;
        }
        let name = |name: &'static [u8]| next.trim_ascii_end().strip_prefix(name);
        let path = |name: &[u8]| Some(Cow::Owned(name[2..].to_vec()));
        match () {
            () if name(b"new file").is_some() => file.status = Status::Added,
            () if name(b"deleted file").is_some() => file.status = Status::Deleted,
            () if name(b"rename from").is_some() => file.status = Status::Renamed,
            () if name(b"copy from").is_some() => file.status = Status::Copied,
            () if name(b"--- /dev/null").is_some() => file.status = Status::Added,
            () if name(b"+++ /dev/null").is_some() => file.status = Status::Deleted,
            () => {}
        }
        if let Some(name) = name(b"--- ").filter(|n| n != b"/dev/null") {
            file.old_path = path(name);
        }
        if let Some(name) = name(b"+++ ").filter(|n| n != b"/dev/null") {
            file.new_path = path(name);
        }
        rest = &rest[next.len()..];
    }
    match file.status {
        Status::Added => file.old_path = None,
        Status::Deleted => file.new_path = None,
        _ => {}
    }
    file.header = &all[..all.len() - rest.len()];
    if binary {
        let end = rest.windows(11).position(|w| w == b"\ndiff --git");
        let (body, rest) = rest.split_at(end.map_or(rest.len(), |at| at + 1));
        file.body = Body::Binary(body);
        return (file, rest);
    }
    let mut hunks = Vec::new();
    while rest.starts_with(b"@@ ") {
        let hunk;
        (hunk, rest) = one_hunk(rest);
        hunks.push(hunk);
    }
    file.body = Body::Text(hunks);
    (file, rest)
}

fn one_hunk(all: &[u8]) -> (Hunk<'_>, &[u8]) {
    let head = std::str::from_utf8(line(all)).unwrap();
    let mut words = head.split(' ').skip(1);
    let mut place = || {
        let place = &words.next().unwrap()[1..];
        let (start, count) = place.split_once(',').unwrap_or((place, "1"));
        (start.parse().unwrap(), count.parse().unwrap())
    };
    let ((old_start, old_count), (new_start, new_count)) = (place(), place());
    let mut rest = &all[head.len()..];
    let mut lines: Vec<HunkLine<'_>> = Vec::new();
    let (mut old, mut new) = (0, 0);
    while old < old_count || new < new_count || rest.starts_with(b"\\") {
        let next = line(rest);
        rest = &rest[next.len()..];
        let kind = match next[0] {
            b'-' => LineKind::Removed,
            b'+' => LineKind::Added,
            b'\\' => {
                let last = lines.last_mut().unwrap();
                last.text = &last.text[..last.text.len() - 1];
                continue;
            }
            _ => LineKind::Context,
        };
        old += u32::from(kind != LineKind::Added);
        new += u32::from(kind != LineKind::Removed);
        let text = &next[1..];
        lines.push(HunkLine { kind, text });
    }
    let hunk = Hunk {
        old_start,
        old_count,
        new_start,
        new_count,
        heading: b"",
        lines,
        bytes: &all[..all.len() - rest.len()],
    };
    (hunk, rest)
}
