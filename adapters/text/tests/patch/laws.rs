//! Laws that hold for every input.

use crate::nasty::fixtures;
use crate::{accept, print, without_bytes};
use mvdiff_text::patch::{
    Body, Changeset, FilePatch, Hunk, HunkLine, LineKind, Status, parse, write_header,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::borrow::Cow;

/// An accepted input has the same meaning when printed and parsed again, and from
/// then on not a byte changes.
fn check(bytes: &[u8]) -> Result<(), TestCaseError> {
    let Ok(first) = parse(bytes) else {
        return Ok(());
    };
    let printed = print(&first);
    let second = match parse(&printed) {
        Ok(second) => second,
        Err(error) => {
            let text = String::from_utf8_lossy(&printed);
            return Err(TestCaseError::fail(format!("{error}\n{text}")));
        }
    };
    prop_assert_eq!(without_bytes(&second), without_bytes(&first));
    prop_assert_eq!(print(&second), printed);
    Ok(())
}

/// Lines that are significant to the parser.
const WORDS: &[&[u8]] = &[
    b"diff --git a/f b/f\n",
    b"diff --git \"a/\\303\" b/f\n",
    b"diff -r 1 f\n",
    b"diff --cc f\n",
    b"index 1..2 100644\n",
    b"old mode 100644\n",
    b"new file mode 100644\n",
    b"rename from f\n",
    b"rename to g\n",
    b"Index: f\n",
    b"===================================================================\n",
    b"--- a/f\n",
    b"--- /dev/null\n",
    b"--- f\t(revision 0)\n",
    b"+++ b/f\n",
    b"+++ b/f\t1970-01-01 00:00:00 +0000\n",
    b"@@ -1 +1 @@\n",
    b"@@ -0,0 +1 @@ h\n",
    b"@@ -1,2 +0,0 @@\r\n",
    b"@@ -1,0 +1,0 @@\n",
    b"## -1 +1 ##\n",
    b"-a\n",
    b"+a\n",
    b" a\n",
    b"\n",
    b"\r\n",
    b"\\ No newline at end of file\n",
    b"-- \n",
    b"commit 0123456789\n",
    b"0123456 s\n",
    b"From 0 Mon Sep 17 00:00:00 2001\n",
    b"Subject: s\n",
    b"# HG changeset patch\n",
    b"    s\n",
    b"GIT binary patch\n",
    b"literal 0\n",
    b"HcmV?d00001\n",
    b"Binary files a/f and b/f differ\n",
    b"prose\n",
    b"-",
    b"+",
    b"\\",
    b"\xef\xbb\xbf",
];

/// A change to a text: kind, position (as a share), and a byte.
type Edit = (u8, u16, u8);

fn mutate(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    for &(what, place, byte) in edits {
        if lines.is_empty() {
            break;
        }
        let at = usize::from(place) % lines.len();
        match what % 5 {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at].clone()),
            2 => {
                let end = lines.len() - 1;
                lines.swap(at, end.min(at + 1));
            }
            3 => {
                let column = usize::from(place / 7) % lines[at].len().max(1);
                if let Some(old) = lines[at].get_mut(column) {
                    *old = byte;
                }
            }
            _ => lines.insert(at, WORDS[usize::from(byte) % WORDS.len()].to_vec()),
        }
    }
    lines.concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..400)) {
        check(&bytes)?;
    }

    #[test]
    fn any_lines_of_patches_are_read_or_refused(lines in vec(prop::sample::select(WORDS), 0..40)) {
        check(&lines.concat())?;
    }

    #[test]
    fn damaged_patches_are_read_or_refused(edits in vec(any::<Edit>(), 1..6), pick in any::<u16>()) {
        let all = cached();
        check(&mutate(&all[usize::from(pick) % all.len()], &edits))?;
    }

    #[test]
    fn a_model_is_read_back_as_it_was_printed(files in vec(file(), 0..5)) {
        let heads: Vec<Vec<u8>> = files.iter().map(RandomFile::head).collect();
        let set = Changeset {
            preamble: b"",
            commit: None,
            subject: None,
            files: files.iter().zip(&heads).map(|(file, head)| file.model(head)).collect(),
        };
        let printed = print(std::slice::from_ref(&set));
        let read = accept(&printed);
        let wanted = if set.files.is_empty() { vec![] } else { vec![set] };
        prop_assert_eq!(without_bytes(&read), wanted);
    }
}

fn cases() -> u32 {
    std::env::var("MVDIFF_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(1000)
}

fn cached() -> &'static [Vec<u8>] {
    static ALL: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
    ALL.get_or_init(|| fixtures().into_iter().map(|(_, bytes, _)| bytes).collect())
}

/// A file of a random model.
#[derive(Clone, Debug)]
struct RandomFile {
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    hunks: Vec<RandomHunk>,
}

#[derive(Clone, Debug)]
struct RandomHunk {
    start: u32,
    heading: Vec<u8>,
    lines: Vec<(LineKind, Vec<u8>)>,
}

fn path() -> impl Strategy<Value = Vec<u8>> {
    vec(
        prop_oneof![Just(b'a'), Just(b'/'), Just(b' '), Just(b'b'), any::<u8>()],
        1..8,
    )
}

fn file() -> impl Strategy<Value = RandomFile> {
    (path(), path(), 0..4_u8, vec(hunk(), 1..4)).prop_map(|(old, new, shape, mut hunks)| {
        for hunk in &mut hunks {
            hunk.lines.retain(|(kind, _)| match shape {
                0 => *kind == LineKind::Added,
                1 => *kind == LineKind::Removed,
                _ => true,
            });
        }
        let (old, new) = match shape {
            0 => (None, Some(new)),
            1 => (Some(old), None),
            2 => (Some(old.clone()), Some(old)),
            _ => (Some(old), Some(new)),
        };
        RandomFile { old, new, hunks }
    })
}

fn hunk() -> impl Strategy<Value = RandomHunk> {
    let kind = prop_oneof![
        Just(LineKind::Context),
        Just(LineKind::Removed),
        Just(LineKind::Added)
    ];
    // Half of the bytes are prefixes of patch lines.
    let byte = prop_oneof![
        prop::sample::select(&b"-+ \\@#\r\tad"[..]),
        any::<u8>().prop_filter("no newline", |byte| *byte != b'\n'),
    ];
    let text = vec(byte.clone(), 0..6).prop_map(|mut text| {
        text.push(b'\n');
        text
    });
    let heading = vec(byte, 0..4).prop_map(|mut heading| {
        if !heading.is_empty() {
            heading.insert(0, b' ');
        }
        heading
    });
    let ends = (any::<bool>(), any::<bool>());
    (1..1000_u32, heading, vec((kind, text), 0..8), ends).prop_map(
        |(start, heading, mut lines, ends)| {
            // The last line of a side may have no newline.
            for (kind, cut) in [(LineKind::Removed, ends.0), (LineKind::Added, ends.1)] {
                let last = lines
                    .iter()
                    .rposition(|(k, _)| *k == kind || *k == LineKind::Context);
                if let Some((k, text)) = last.map(|at| &mut lines[at])
                    && cut
                    && *k == kind
                {
                    text.pop();
                }
            }
            RandomHunk {
                start,
                heading,
                lines,
            }
        },
    )
}

impl RandomFile {
    fn head(&self) -> Vec<u8> {
        let mut head = Vec::new();
        write_header(&mut head, self.old.as_deref(), self.new.as_deref()).expect("memory");
        head
    }

    fn model<'p>(&'p self, head: &'p [u8]) -> FilePatch<'p> {
        let path = |path: &'p Option<Vec<u8>>| path.as_deref().map(Cow::Borrowed);
        let mode = |side: &Option<Vec<u8>>| side.is_none().then_some(0o100_644);
        FilePatch {
            old_path: path(&self.old),
            new_path: path(&self.new),
            status: match (&self.old, &self.new) {
                (None, _) => Status::Added,
                (_, None) => Status::Deleted,
                _ => Status::Modified,
            },
            old_mode: mode(&self.new),
            new_mode: mode(&self.old),
            ids: None,
            header: head,
            body: Body::Text(self.hunks.iter().map(RandomHunk::model).collect()),
            trailer: b"",
        }
    }
}

impl RandomHunk {
    fn model(&self) -> Hunk<'_> {
        let without = |kind| self.lines.iter().filter(|(k, _)| *k != kind).count() as u32;
        let (old_count, new_count) = (without(LineKind::Added), without(LineKind::Removed));
        let start = |count: u32| self.start - u32::from(count == 0);
        Hunk {
            old_start: start(old_count),
            old_count,
            new_start: start(new_count),
            new_count,
            heading: &self.heading,
            lines: self
                .lines
                .iter()
                .map(|(kind, text)| HunkLine { kind: *kind, text })
                .collect(),
            bytes: b"",
        }
    }
}

/// Repetition in hostile input is examined a bounded number of times. A parser
/// that is not linear takes minutes here.
#[test]
fn lines_that_repeat_are_read_in_linear_time() {
    let start = std::time::Instant::now();
    let claim: &[u8] = b"## -1,4000000000 +1 ##\n-a\n";
    let pairs = WORDS.iter().map(|word| [word, &b"prose\n"[..]].concat());
    let singles = WORDS.iter().map(|word| word.to_vec());
    for unit in pairs.chain(singles).chain([claim.to_vec()]) {
        let _ = parse(&unit.repeat(300_000 / unit.len()));
    }
    for (before, unit, after) in [
        ("diff --git ", "a/ ", "\nold mode 100644\n"),
        ("Binary files ", "x and ", " differ\n"),
        ("Subject: ", "[PATCH]", "\n\n"),
        ("--- a\n+++ b\n", "\u{1b}[m", "\n"),
        ("--- \"", "\\n", "\"\n+++ b\n@@ -1 +1 @@\n-a\n+b\n"),
    ] {
        let text = [before, &unit.repeat(100_000), after].concat();
        let _ = parse(text.as_bytes());
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
