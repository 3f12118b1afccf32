//! The fixtures of `fixtures/patches`, and large ones generated here.

use crate::{Counts, accept, count, names, print, without_bytes};
use mvdiff_text::patch::parse;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/patches")
}

/// Every fixture with its expected facts.
pub(crate) fn fixtures() -> Vec<(String, Vec<u8>, Value)> {
    let read =
        |path: PathBuf| std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let expected: Value =
        serde_json::from_slice(&read(folder().join("expected.json"))).expect("JSON");
    let rows = expected.as_object().expect("an object").clone();
    let files = std::fs::read_dir(folder()).expect("the folder").count();
    assert_eq!(files, rows.len() + 1, "every file has its row");
    rows.into_iter()
        .map(|(name, row)| {
            let bytes = read(folder().join(format!("{name}.diff")));
            (name, bytes, row)
        })
        .collect()
}

#[test]
fn every_valid_patch_has_its_facts() {
    let mut seen = 0;
    for (name, bytes, row) in fixtures() {
        if row.get("refused").is_some() {
            continue;
        }
        let number = |field: &str| row[field].as_u64().expect("a number");
        let wanted = Counts {
            files: number("files"),
            hunks: number("hunks"),
            added: number("added"),
            removed: number("removed"),
            binary: number("binary"),
        };
        let sets = parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(count(&sets), wanted, "{name}");
        seen += 1;
    }
    assert!(seen > 60);
}

#[test]
fn every_malformed_patch_is_refused_at_its_line() {
    for (name, bytes, row) in fixtures() {
        let Some(kind) = row.get("refused") else {
            continue;
        };
        let error = match parse(&bytes) {
            Err(error) => error,
            Ok(sets) => panic!("{name} was accepted: {sets:?}"),
        };
        let kind = kind.as_str().expect("a kind");
        assert!(
            format!("{:?}", error.kind).starts_with(kind),
            "{name}: {error:?}"
        );
        assert_eq!(Some(error.line), row["line"].as_u64(), "{name}: {error}");
        assert!(!error.to_string().contains('\n'), "{name}");
    }
}

#[test]
fn what_git_printed_comes_out_byte_for_byte() {
    for (name, bytes, row) in fixtures() {
        if row.get("git").is_some() {
            let printed = print(&accept(&bytes));
            assert!(
                printed == bytes,
                "{name}\n{}",
                String::from_utf8_lossy(&printed)
            );
        }
    }
}

#[test]
fn what_others_wrote_comes_out_with_the_same_meaning() {
    for (name, bytes, row) in fixtures() {
        if row.get("refused").is_some() {
            continue;
        }
        let first = accept(&bytes);
        let printed = print(&first);
        assert_eq!(
            without_bytes(&accept(&printed)),
            without_bytes(&first),
            "{name}"
        );
    }
}

#[test]
fn paths_are_those_of_the_files() {
    let all = fixtures();
    let of = |wanted: &str| {
        let (_, bytes, _) = all
            .iter()
            .find(|(name, ..)| name == wanted)
            .expect("a fixture");
        names(&accept(bytes))
    };
    let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
    let both = |path: &str| vec![pair(path, path)];
    for (fixture, path) in [
        ("modify", "f.txt"),
        ("noprefix_path_a_slash", "a/b/c"),
        ("path_ambiguous_mode_only", "p b/p"),
        ("path_bidi", "a\u{202e}txt.exe"),
        ("path_latin1", "caf\u{fffd}"),
        ("path_octal_utf8", "größe-日本.txt"),
        ("path_raw_utf8", "größe-日本.txt"),
        ("path_tab", "a\tb"),
        ("reverse", "f"),
        ("binary_stub", "i.bin"),
        ("hand_index_svn", "trunk/f.txt"),
        ("hand_hg_export", "f"),
        ("hand_sec_absolute", "/etc/passwd"),
        ("hand_sec_win_backslash", "..\\..\\x"),
        ("hand_sec_traversal_mid", "x/../../../etc/passwd"),
        ("hand_git_unknown_extended_header", "f"),
    ] {
        assert_eq!(of(fixture), both(path), "{fixture}");
    }
    for (fixture, old, new) in [
        ("new_file", "-", "n.txt"),
        ("delete_empty", "e", "-"),
        ("symlink_new", "-", "l"),
        ("binary_delete", "i.bin", "-"),
        ("hand_epoch_new", "-", "f"),
        ("hand_svn_nonexistent", "-", "n"),
        ("hand_delete_all", "f", "f"),
        ("copy_edit", "a.txt", "c.txt"),
        ("rename_edit", "a.txt", "sub/b.txt"),
        ("rename_quoted_paths", "tab\tA", "ü B"),
        ("gnu_u_label", "left side", "right side"),
        ("hand_sec_headers_disagree", "safe", "../evil"),
        ("hand_sec_rename_out", "f", "../../x"),
    ] {
        assert_eq!(of(fixture), [pair(old, new)], "{fixture}");
    }
    assert_eq!(
        of("typechange_file_to_symlink"),
        [pair("l", "-"), pair("-", "l")]
    );
    assert_eq!(
        of("gnu_ruN"),
        [
            pair("a b", "a b"),
            pair("bin", "bin"),
            pair("-", "new"),
            pair("only", "-"),
            pair("s/f", "s/f"),
        ]
    );
    assert_eq!(
        of("path_leading_dash"),
        [pair("--help", "--help"), pair("-rf", "-rf")]
    );
}

#[test]
fn two_thousand_hunks_and_fifteen_hundred_files() {
    let mut hunks = String::from("diff --git a/f b/f\n--- a/f\n+++ b/f\n");
    for at in 0..2000 {
        let line = at * 10 + 1;
        let _ = write!(hunks, "@@ -{line},2 +{line},2 @@\n-a\n+b\n c\n");
    }
    let mut files = String::new();
    for at in 0..1500 {
        let _ = write!(
            files,
            "diff --git a/d/{at} b/d/{at}\nindex d00491f..0cfbf08 100644\n\
             --- a/d/{at}\n+++ b/d/{at}\n@@ -1 +1 @@\n-1\n+2\n"
        );
    }
    for (text, file_count, hunk_count) in [(hunks, 1, 2000), (files, 1500, 1500)] {
        let sets = accept(text.as_bytes());
        let counts = count(&sets);
        assert_eq!((counts.files, counts.hunks), (file_count, hunk_count));
        assert_eq!((counts.added, counts.removed), (counts.hunks, counts.hunks));
        assert_eq!(print(&sets), text.as_bytes());
    }
}

#[test]
fn a_line_of_two_megabytes_and_a_path_of_five_thousand_bytes() {
    let long = "x".repeat(2 << 20);
    let path = ["deep/"; 1000].concat() + "f";
    let text = format!(
        "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-{long}\n+y\n"
    );
    let sets = accept(text.as_bytes());
    assert_eq!(sets[0].files[0].path(), path.as_bytes());
    assert_eq!(
        sets[0].files[0].hunks()[0].lines[0].text.len(),
        long.len() + 1
    );
}

/// Counts are not trusted: only lines that are present may cost memory.
#[test]
fn a_huge_count_is_refused_without_being_believed() {
    let text = b"--- a/f\n+++ b/f\n@@ -1,4294967294 +1,4294967294 @@\n a\n";
    let error = parse(text).expect_err("lines are missing");
    assert_eq!(
        error.to_string(),
        "line 5: expected 4294967293 more lines of the hunk that starts at line 3, \
         found the end of the input"
    );
}
