//! Patches between `*** Begin Patch` and `*** End Patch`, and diffs: what they say is
//! done, or refused.

use super::Dir;

const MENU: &str = "soup\nsalad\nbread\n";

/// A patch of one file does nothing, and says so.
#[track_caller]
fn refuses(edit: &str, code: i32, says: &str) {
    let dir = Dir::new(&[("a.txt", MENU)]);
    dir.run_with(&["-"], edit.as_bytes()).is(code, says);
    assert_eq!(dir.files(), ["a.txt"]);
    assert_eq!(dir.text("a.txt"), MENU);
}

#[track_caller]
fn makes(edit: &str, due: &str) {
    let dir = Dir::new(&[("a.txt", MENU)]);
    dir.run_with(&["-"], edit.as_bytes()).is(0, "");
    assert_eq!(dir.text("a.txt"), due);
}

fn patch(body: &str) -> String {
    format!("*** Begin Patch\n{body}*** End Patch\n")
}

#[test]
fn a_patch_that_changes_nothing_is_no_success() {
    let none = "nothing of this file is changed";
    refuses(&patch("*** Update File: a.txt\n"), 2, none);
    refuses(&patch("*** Update File: a.txt\n@@\n"), 2, none);
    refuses(
        &patch("*** Update File: a.txt\n@@\n soup\n salad\n"),
        2,
        none,
    );
    let other = "*** Update File: a.txt\n@@ soup\n*** Add File: b.txt\n+eggs\n";
    refuses(&patch(other), 2, none);
    refuses("--- a/a.txt\n+++ b/a.txt\n", 2, none);
    refuses(
        "--- a/a.txt\n+++ b/a.txt\n@@ ... @@\n soup\n salad\n",
        2,
        none,
    );
    let git = "diff --git a/a.txt b/a.txt\nindex 1..2 100644\n--- a/a.txt\n+++ b/a.txt\n";
    refuses(git, 2, "nothing of");
}

#[test]
fn a_patch_that_was_cut_off_is_refused() {
    refuses(
        "*** Begin Patch\n*** Add File: b.txt\n+eggs\n",
        2,
        "ends before its *** End Patch",
    );
    // Without a head it has no end, either.
    makes(
        "*** Update File: a.txt\n@@\n-salad\n+greens\n",
        "soup\ngreens\nbread\n",
    );
}

#[test]
fn lines_between_the_files_of_a_patch_are_not_ignored() {
    for body in [
        "*** Rename File: a.txt\n",
        "*** Delete File: a.txt\n-soup\n",
        "*** Delete File: a.txt\n*** Copy to: b.txt\n",
    ] {
        refuses(&patch(body), 2, "is due");
    }
}

#[test]
fn a_line_of_a_patch_that_begins_with_a_blank_stays_whatever_it_says() {
    let text = "soup\n*** Update File: b.txt\nsalad\n*** End Patch\nbread\n";
    let dir = Dir::new(&[("a.txt", text)]);
    let body = "*** Update File: a.txt\n@@\n-soup\n+broth\n *** Update File: b.txt\n salad\n *** End Patch\n-bread\n+rolls\n";
    dir.run_with(&["-"], patch(body).as_bytes()).is(0, "");
    let due = text.replace("soup", "broth").replace("bread", "rolls");
    assert_eq!(dir.text("a.txt"), due);
    // The last line is the end, if it is indented, too.
    makes(
        "*** Begin Patch\n*** Update File: a.txt\n@@\n-soup\n+broth\n *** End Patch\n",
        "broth\nsalad\nbread\n",
    );
}

#[test]
fn a_patch_that_is_indented_as_a_whole_is_read_without_that() {
    let inner = patch("*** Update File: a.txt\n@@\n soup\n-salad\n+greens\n");
    let inner = inner.trim_end().replace('\n', "\n   ");
    makes(
        &format!("1. The salad:\n   {inner}\n2. Done.\n"),
        "soup\ngreens\nbread\n",
    );
}

#[test]
fn empty_lines_before_the_next_head_are_not_of_the_file() {
    let dir = Dir::new(&[]);
    let body = "*** Add File: a.txt\n+soup\n\n+bread\n\n\n*** Add File: b.txt\n+eggs\n\n";
    dir.run_with(&["-"], patch(body).as_bytes()).is(0, "");
    assert_eq!(dir.text("a.txt"), "soup\n\nbread\n");
    assert_eq!(dir.text("b.txt"), "eggs\n");
}

#[test]
fn empty_files_are_made() {
    for edit in [
        patch("*** Add File: a.txt\n"),
        r#"{"path":"a.txt","file_text":""}"#.to_owned(),
        "a.txt\n<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n".to_owned(),
    ] {
        let dir = Dir::new(&[]);
        let ran = dir.run_with(&["--format", "json", "-"], edit.as_bytes());
        ran.is(0, "");
        assert_eq!(ran.json()["files"][0]["action"], "created");
        assert_eq!(dir.files(), ["a.txt"]);
        assert_eq!(dir.text("a.txt"), "");
    }
    let dir = Dir::new(&[("a.txt", "soup\n")]);
    let edit = br#"{"path":"a.txt","file_text":""}"#;
    dir.run_with(&["-"], edit).is(2, "is there already");
    assert_eq!(dir.text("a.txt"), "soup\n");
}

#[test]
fn a_new_file_ends_its_lines_as_it_is_told() {
    for text in [
        "soup\r\nbread\r\n",
        "soup\r\nbread\neggs",
        "\u{feff}soup\r\n",
    ] {
        for edit in [
            serde_json::json!({ "path": "a.txt", "file_text": text }),
            serde_json::json!({ "path": "a.txt", "old_string": "", "new_string": text }),
        ] {
            let dir = Dir::new(&[]);
            dir.run_with(&["-"], edit.to_string().as_bytes()).is(0, "");
            assert_eq!(dir.text("a.txt"), text, "{edit}");
        }
    }
    let diff = "diff --git a/b.txt b/b.txt\nnew file mode 100644\n--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,2 @@\n+soup\r\n+bread\r\n";
    let dir = Dir::new(&[]);
    dir.run_with(&["-"], diff.as_bytes()).is(0, "");
    assert_eq!(dir.text("b.txt"), "soup\r\nbread\r\n");
    // A diff that came through a system with other ends does not speak of the file.
    let diff = diff.replace("\r\n", "\n").replace('\n', "\r\n");
    let dir = Dir::new(&[]);
    dir.run_with(&["-"], diff.as_bytes()).is(0, "");
    assert_eq!(dir.text("b.txt"), "soup\nbread\n");
}

#[test]
fn a_diff_is_read_though_its_heads_are_wrong() {
    let due = "soup\ngreens\nbread\n";
    // No head of the hunk, wrong numbers below a head of git, old lines of no file.
    makes("--- a.txt\n+++ a.txt\n soup\n-salad\n+greens\n", due);
    makes(
        "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,9 +1,7 @@\n soup\n-salad\n+greens\n",
        due,
    );
    makes(
        "--- /dev/null\n+++ a.txt\n@@ ... @@\n-salad\n+greens\n",
        due,
    );
    // A diff that git made was cut off, and what only git can say is not guessed.
    refuses(
        "diff --git a/a.txt b/a.txt\nindex 0123abc..4567def 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n soup\n-salad\n",
        2,
        "expected",
    );
    refuses(
        "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n--- a/a.txt\n+++ b/a.txt\n@@ -1,9 +1,7 @@\n soup\n-salad\n+greens\n",
        2,
        "nothing was written",
    );
}

#[test]
fn backslashes_between_the_parts_of_a_path_are_slashes() {
    let dir = Dir::new(&[("kitchen/a.txt", MENU)]);
    let body = "*** Update File: kitchen\\a.txt\n@@\n-salad\n+greens\n*** Add File: kitchen\\new\\b.txt\n+eggs\n";
    dir.run_with(&["-"], patch(body).as_bytes()).is(0, "");
    assert_eq!(dir.files(), ["kitchen/a.txt", "kitchen/new/b.txt"]);
    assert_eq!(dir.text("kitchen/a.txt"), "soup\ngreens\nbread\n");
    let edit = br#"{"path":"kitchen\\..\\..\\x","old_str":"a","new_str":"b"}"#;
    dir.run_with(&["-"], edit).is(2, "");
}

#[cfg(unix)]
#[test]
fn a_file_whose_name_has_a_backslash_is_that_file() {
    let dir = Dir::new(&[("a\\b.txt", MENU), ("a/b.txt", MENU)]);
    let edit = br#"{"path":"a\\b.txt","old_str":"salad","new_str":"greens"}"#;
    dir.run_with(&["-"], edit).is(0, "");
    assert_eq!(dir.text("a\\b.txt"), "soup\ngreens\nbread\n");
    assert_eq!(dir.text("a/b.txt"), MENU);
}

#[test]
fn numbers_that_nobody_counted_choose_no_place_far_away() {
    let menu = "a\nb\nc\nd\ne\nf\ng\nsoup\nh\ni\nj\nk\nl\nm\nn\nsoup\n";
    let diff =
        |numbers: &str| format!("--- a/a.txt\n+++ b/a.txt\n@@ {numbers} @@\n-soup\n+broth\n");
    let run = |numbers: &str| {
        let dir = Dir::new(&[("a.txt", menu)]);
        let ran = dir.run_with(&["-"], diff(numbers).as_bytes());
        (ran.code, dir.text("a.txt"))
    };
    assert_eq!(run("-1,7 +1,7"), (1, menu.to_owned()));
    let first = menu.replacen("soup", "broth", 1);
    assert_eq!(run("-7,7 +7,7"), (0, first.clone()));
    assert_eq!(run("-1 +1"), (0, first));
}

#[test]
fn conflicts_of_diffs_are_conflicts() {
    let dir = Dir::new(&[("a.txt", "--- a\n+++ b\n@@ x\nsoup\n")]);
    let edit = "<<<<<<< old\n--- a\n+++ b\n@@ x\n=======\n--- a\n+++ c\n@@ y\n>>>>>>> new\n";
    dir.apply(edit, "a.txt", &[]).is(0, "");
    assert_eq!(dir.text("a.txt"), "--- a\n+++ c\n@@ y\nsoup\n");
}

#[test]
fn of_equal_lines_the_one_stays_that_the_patch_keeps() {
    let text = "soup\r\nsoup\nbread\n";
    for (body, due) in [
        ("-soup\n soup\n", "soup\nbread\n"),
        (" soup\n-soup\n", "soup\r\nbread\n"),
    ] {
        for edit in [
            patch(&format!("*** Update File: a.txt\n@@\n{body}")),
            format!("--- a/a.txt\n+++ b/a.txt\n@@ ... @@\n{body}"),
        ] {
            let dir = Dir::new(&[("a.txt", text)]);
            dir.run_with(&["-"], edit.as_bytes()).is(0, "");
            assert_eq!(dir.text("a.txt"), due, "{edit}");
        }
    }
}

#[test]
fn a_final_newline_is_that_of_the_end_of_the_file() {
    // The file has more lines than it had for who wrote the diff.
    for (end, other) in [("", "\n"), ("\n", "")] {
        let dir = Dir::new(&[("a.txt", &format!("a\nb\nc{other}"))]);
        let mark = "\\ No newline at end of file\n";
        let (old, new) = if end.is_empty() {
            ("", mark)
        } else {
            (mark, "")
        };
        let diff = format!("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n{old}+x\n{new}");
        dir.run_with(&["-"], diff.as_bytes()).is(0, "");
        assert_eq!(dir.text("a.txt"), format!("a\nx\nc{other}"));
    }
}

#[test]
fn the_form_is_called_as_it_is_in_the_documentation() {
    let dir = Dir::new(&[("a.txt", MENU)]);
    let edit = patch("*** Update File: a.txt\n-soup\n+broth\n");
    for name in ["apply_patch", "apply-patch", "codex"] {
        let ran = dir.run_with(&["--dry-run", "--form", name, "-"], edit.as_bytes());
        ran.is(0, "");
    }
}
