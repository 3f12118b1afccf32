//! What is rejected, and what must not be.

use crate::{accept, count};
use mvdiff_text::patch::{Format, PatchErrorKind, Side, parse};

fn kind(text: &str) -> (u64, PatchErrorKind) {
    let error = parse(text.as_bytes()).expect_err(text);
    (error.line, error.kind)
}

const HEAD: &str = "--- a/f\n+++ b/f\n";

#[test]
fn lines_beyond_the_numbers_are_not_left_out() {
    for (line, side) in [("-c", Side::Old), ("+c", Side::New), (" c", Side::Old)] {
        let text = format!("{HEAD}@@ -1 +1 @@\n-a\n+b\n{line}\n");
        let start = 3;
        assert_eq!(
            kind(&text),
            (6, PatchErrorKind::HunkOverrun { start, side }),
            "{text}"
        );
    }
    let text = format!("{HEAD}@@ -1,2 +1 @@\n+a\n+b\n");
    let side = Side::New;
    assert_eq!(
        kind(&text),
        (5, PatchErrorKind::HunkOverrun { start: 3, side })
    );
    for end in ["-- \n2.47.3\n", "--\n2.47.3\n", "\n - prose\n", "---\n", ""] {
        let text = format!("{HEAD}@@ -1 +1 @@\n-a\n+b\n{end}");
        assert_eq!(count(&accept(text.as_bytes())).removed, 1, "{text}");
    }
}

#[test]
fn hunk_headers_are_read_to_the_letter() {
    use PatchErrorKind::{HunkHeader, Number};
    for (header, wanted) in [
        ("@@ -1 +1", HunkHeader),
        ("@@ -1, +1 @@", HunkHeader),
        ("@@ -1,2,3 +1 @@", HunkHeader),
        ("@@ -a +1 @@", HunkHeader),
        ("@@ -1  +1 @@", HunkHeader),
        ("@@ -4294967296 +1 @@", Number),
        ("@@ -99999999999999999999999 +1 @@", Number),
        ("@@ -4294967295,1 +1 @@", Number),
        ("@@ -0 +1 @@", Number),
        ("@@ -1 +0,2 @@", Number),
    ] {
        assert_eq!(
            kind(&format!("{HEAD}{header}\n-a\n+b\n")),
            (3, wanted),
            "{header}"
        );
    }
}

#[test]
fn no_newline_marks_stand_after_the_last_line_of_a_side() {
    let refused = |lines: &str| kind(&format!("{HEAD}@@ -1,2 +1,2 @@\n{lines}"));
    assert_eq!(
        refused("\\ No newline\n a\n b\n"),
        (4, PatchErrorKind::NoNewlineFirst)
    );
    assert_eq!(
        refused("-a\n\\ No newline\n-b\n+a\n+b\n"),
        (6, PatchErrorKind::AfterNoNewline)
    );
    assert_eq!(
        refused(" a\n-b\n+c\n\\ No\n\\ No\n"),
        (8, PatchErrorKind::NoNewlineTwice)
    );
    let text = format!("{HEAD}@@ -1 +1 @@\n-a\n\\ Kein Zeilenumbruch\n+b\n\\ \n");
    let sets = accept(text.as_bytes());
    let lines = &sets[0].files[0].hunks()[0].lines;
    assert_eq!((lines[0].text, lines[1].text), (&b"a"[..], &b"b"[..]));
    // `git diff -w` prints the line of the new side, and the old side continues.
    let text = format!("{HEAD}@@ -1,2 +1 @@\n a\n\\ No newline at end of file\n-b\n");
    assert_eq!(count(&accept(text.as_bytes())).removed, 1);
}

#[test]
fn other_formats_are_refused_by_name() {
    let unsupported = |format| PatchErrorKind::Unsupported(format);
    for (text, line, format) in [
        ("4c4\n< x\n---\n> y\n", 1, Format::Normal),
        (
            "*** a\n--- b\n***************\n*** 1 ****\n! x\n--- 1 ----\n! y\n",
            1,
            Format::Context,
        ),
        (
            "* commit 0123456789\n| Author: A\n| \n|     x\n| \n| diff --git a/f b/f\n",
            6,
            Format::Graph,
        ),
        ("\u{1b}[33mcommit 0123456789\u{1b}[m\n", 1, Format::Coloured),
        (
            "--- a/f\n+++ b/f\n\u{1b}[36m@@ -1 +1 @@\u{1b}[m\n-a\n+b\n",
            3,
            Format::Coloured,
        ),
        (
            "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n\u{1b}[31m-a\u{1b}[m\n",
            5,
            Format::Coloured,
        ),
        (
            "--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n",
            3,
            Format::Combined,
        ),
        (
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n    [-a-]{+b+}\n",
            4,
            Format::Words,
        ),
        (
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n x\n-a\n+b\n~\n",
            5,
            Format::Words,
        ),
    ] {
        assert_eq!(kind(text), (line, unsupported(format)), "{text}");
    }
    let utf16 = parse(b"\xff\xfed\0i\0f\0f\0").expect_err("UTF-16");
    assert_eq!(utf16.kind, unsupported(Format::Utf16));
    assert_eq!(
        Format::Coloured.to_string(),
        "coloured diff; make it with --no-color"
    );
}

#[test]
fn heads_that_contradict_themselves_are_refused() {
    for (head, wanted) in [
        (
            "new file mode 100644\ndeleted file mode 100644\n",
            PatchErrorKind::Contradiction,
        ),
        (
            "new file mode 100644\n--- a/f\n+++ /dev/null\n",
            PatchErrorKind::NoSide,
        ),
    ] {
        assert_eq!(kind(&format!("diff --git a/f b/f\n{head}")), (1, wanted));
    }
    assert_eq!(
        kind("diff --git a/f b/f\nold mode 10x644\n"),
        (2, PatchErrorKind::Mode)
    );
    assert_eq!(
        kind("diff --git a/x y z\nold mode 100644\nnew mode 100755\n"),
        (1, PatchErrorKind::NoPath)
    );
}

#[test]
fn damaged_binary_patches_are_refused() {
    let patch = |body: &str| format!("diff --git a/i b/i\nindex 1..2\nGIT binary patch\n{body}");
    for (body, line) in [
        ("", 4),
        ("literal x\n", 4),
        ("literal 1\n", 5),
        ("literal 1\nIcmZQzU|?i\n\n", 5),
        ("literal 1\nIcmZQzU|?i`0000\n", 5),
        ("literal 1\nHcmV?d0000\"\n\n", 5),
        ("literal 1\n5cmV?d00001\n\n", 5),
        ("literal 1\nD~~~~~\n\n", 5),
        ("literal 0\nHcmV?d00001\n", 6),
    ] {
        let (at, kind) = kind(&patch(body));
        assert!(matches!(kind, PatchErrorKind::Binary(_)), "{body}: {kind}");
        assert_eq!(at, line, "{body}");
    }
    let good = patch("literal 0\nHcmV?d00001\n\nliteral 0\nHcmV?d00001\n\n");
    assert_eq!(count(&accept(good.as_bytes())).binary, 1);
}

#[test]
fn prose_is_no_patch_and_no_error() {
    for text in [
        "",
        "\n",
        "diff\n",
        "diff --git a/x b/x\n\nwas what I ran\n",
        "--- a\n+++ b\nand nothing more\n",
        "Index: of things\n",
        "a\t|\tb\nno table\n",
        "-\n+\n@@\n\\\n",
        "Binary files are not our friends\n",
        "decade 12\n",
        "commit to it\n",
        "From here Monday on\n",
    ] {
        assert_eq!(count(&accept(text.as_bytes())).files, 0, "{text}");
    }
    assert!(accept(b"").is_empty());
    assert_eq!(accept(b"prose\n")[0].preamble, b"prose\n");
}
