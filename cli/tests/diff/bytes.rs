//! Texts are bytes: line ends, missing newlines, other encodings, none at all.

use super::Dir;

#[test]
fn empty_files() {
    let dir = Dir::new(&[("empty", b""), ("full", b"a\nb\n")]);
    assert_eq!(dir.diff(&["empty", "empty"]).code, 0);
    let come = dir.diff(&["empty", "full"]);
    assert_eq!(
        come.text(),
        "diff --git a/empty b/full\n--- a/empty\n+++ b/full\n@@ -0,0 +1,2 @@\n+a\n+b\n"
    );
    let go = dir.diff(&["full", "empty"]);
    assert_eq!(
        go.text(),
        "diff --git a/full b/empty\n--- a/full\n+++ b/empty\n@@ -1,2 +0,0 @@\n-a\n-b\n"
    );
    let report = dir.diff(&["--format", "json", "full", "empty"]).json();
    assert_eq!(report["lines"], serde_json::json!([2, 0]));
    assert_eq!(report["stats"]["deletions"], 2);
    assert!(report.get("no_eol").is_none());
}

#[test]
fn no_newline_at_the_end_on_either_side() {
    let dir = Dir::new(&[("with", b"a\n"), ("without", b"a"), ("other", b"b")]);
    let (with, without) = ("a\n", "a\n\\ No newline at end of file\n");
    let patch = |args| {
        let ran = dir.diff(args);
        ran.text().split_once(" @@\n").unwrap().1.to_owned()
    };
    assert_eq!(patch(&["with", "without"]), format!("-{with}+{without}"));
    assert_eq!(patch(&["without", "with"]), format!("-{without}+{with}"));
    assert_eq!(
        patch(&["without", "other"]),
        format!(
            "-{without}+{}",
            without.replace('a', "b").replace("bt", "at")
        )
    );
    assert_eq!(dir.diff(&["without", "without"]).code, 0);
    let report = dir.diff(&["--format", "json", "with", "without"]).json();
    assert_eq!(report["no_eol"], true);
    assert_eq!(report["changes"][0]["text"], serde_json::json!(["a"]));
    let read = dir.diff(&["--format", "terminal", "with", "without"]);
    assert!(
        read.text().contains("no newline at the end"),
        "{}",
        read.text()
    );
}

#[test]
fn carriage_returns_are_kept() {
    let dir = Dir::of(b"a\r\nb\r\n", b"a\r\nc\r\n");
    let patch = dir.diff(&["old", "new"]);
    assert!(
        patch.text().ends_with(" a\r\n-b\r\n+c\r\n"),
        "{:?}",
        patch.text()
    );
    let report = dir.diff(&["--format", "json", "old", "new"]).json();
    assert_eq!(report["changes"][0]["text"], serde_json::json!(["c\r"]));
}

#[test]
fn a_change_of_line_ends_is_a_change() {
    let dir = Dir::of(b"a\r\nb\r\n", b"a\nb\n");
    assert_eq!(dir.diff(&["old", "new"]).code, 1);
    let read = dir.diff(&["--format", "terminal", "old", "new"]);
    assert!(
        !read.text().contains('\r'),
        "a terminal would jump: {:?}",
        read.text()
    );
}

#[test]
fn bytes_that_are_no_utf8() {
    let dir = Dir::of(b"caf\xe9\nsame\n", b"th\xe9\nsame\n");
    let patch = dir.diff(&["old", "new"]);
    assert!(
        patch.out.windows(9).any(|w| w == b"-caf\xe9\n+th"),
        "{:?}",
        patch.out
    );
    let report = dir.diff(&["--format", "json", "old", "new"]).json();
    assert_eq!(
        report["changes"][0]["text"],
        serde_json::json!([{"base64": "dGjp"}])
    );
    let read = dir.diff(&["--format", "terminal", "old", "new"]);
    assert!(read.text().contains(r"th\xe9"), "{}", read.text());
}

#[test]
fn binary_files() {
    let dir = Dir::of(b"a\0b\n", b"a\0c\n");
    for format in ["terminal", "unified"] {
        let ran = dir.diff(&["--format", format, "old", "new"]);
        assert_eq!(
            (ran.code, ran.text()),
            (1, "Binary files old and new differ\n")
        );
        assert_eq!(dir.diff(&["--format", format, "old", "old"]).code, 0);
    }
    let forced = dir.diff(&["--as", "text", "-o", "out", "old", "new"]);
    assert_eq!(forced.code, 1);
    assert!(
        std::fs::read(dir.path("out"))
            .unwrap()
            .ends_with(b"-a\0b\n+a\0c\n")
    );
}

#[test]
fn control_characters_are_made_visible() {
    let dir = Dir::of(
        b"plain\n",
        b"\x1b[31mred\x07\x1b]0;title\x07 \xe2\x80\xae\n",
    );
    let read = dir.diff(&["--format", "terminal", "--color", "never", "old", "new"]);
    assert!(
        !read.text().contains(['\u{1b}', '\u{7}', '\u{202e}']),
        "{:?}",
        read.text()
    );
    assert!(read.text().contains("u{1b}[31mred"), "{}", read.text());
}
