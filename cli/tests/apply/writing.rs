//! What is written, and what is not.

use super::{Dir, block, form};

#[test]
fn all_files_or_none() {
    let dir = Dir::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let edits = form(&[
        ("a.txt", &block("a", "A")),
        ("b.txt", &block("absent line", "B")),
    ]);
    let ran = dir.run_with(&["-"], edits.as_bytes());
    ran.is(
        1,
        "nothing was written (1 of 2 blocks fit; --partial takes them)",
    );
    assert_eq!(
        (dir.text("a.txt"), dir.text("b.txt")),
        ("a\n".into(), "b\n".into())
    );
    dir.run_with(&["--partial", "-"], edits.as_bytes())
        .is(1, "block 1 does not fit");
    assert_eq!(
        (dir.text("a.txt"), dir.text("b.txt")),
        ("A\n".into(), "b\n".into())
    );
}

#[test]
fn a_dry_run_prints_a_patch_and_writes_nothing() {
    let dir = Dir::new(&[("a.txt", "a\nb\nc\n")]);
    let ran = dir.apply(&block("b", "B"), "a.txt", &["--dry-run"]);
    assert_eq!(
        ran.text(),
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
    );
    assert_eq!((ran.code, dir.text("a.txt")), (0, "a\nb\nc\n".into()));
    let ran = dir.apply(&block("b", "B"), "a.txt", &["--stdout"]);
    assert_eq!(
        (ran.text(), dir.text("a.txt")),
        ("a\nB\nc\n", "a\nb\nc\n".into())
    );
}

#[test]
fn a_second_run_changes_nothing() {
    let dir = Dir::new(&[("a.txt", "use a;\nuse b;\nmain(a, b)\n")]);
    let blocks = [
        block("use b;", "use b;\nuse c;"),
        block("main(a, b)", "main(a, c)"),
    ]
    .concat();
    dir.apply(&blocks, "a.txt", &[]).is(0, "");
    let once = dir.text("a.txt");
    assert_eq!(once, "use a;\nuse b;\nuse c;\nmain(a, c)\n");
    let ran = dir.apply(&blocks, "a.txt", &[]);
    ran.is(0, "");
    assert_eq!(ran.text(), "a.txt: 2 blocks already applied\n");
    assert_eq!(dir.text("a.txt"), once);
}

#[test]
fn a_change_in_a_context_that_drifted_is_made_once() {
    let says = |word: &str, derives: &str| {
        format!(
            "/// White space at the start of {word} line.\n#[derive({derives})]\nstruct Indent {{"
        )
    };
    let dir = Dir::new(&[("a.rs", &says("every", "Clone, Debug"))]);
    let block = block(
        &says("each", "Clone, Debug"),
        &says("each", "Clone, Debug, Hash"),
    );
    dir.apply(&block, "a.rs", &["--threshold", "0.8"]).is(0, "");
    assert_eq!(dir.text("a.rs"), says("every", "Clone, Debug, Hash"));
    let ran = dir.apply(&block, "a.rs", &["--threshold", "0.8"]);
    ran.is(0, "");
    assert_eq!(ran.text(), "a.rs: 1 block already applied\n");
    assert_eq!(dir.text("a.rs"), says("every", "Clone, Debug, Hash"));
}

#[test]
fn undoing_goes_back_step_by_step() {
    let dir = Dir::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    for (from, to) in [("a", "a2"), ("a2", "a3")] {
        let edits = form(&[("a.txt", &block(from, to))]);
        dir.run_with(&["-"], edits.as_bytes()).is(0, "");
    }
    dir.run(&["--undo"]).is(0, "");
    assert_eq!(dir.text("a.txt"), "a2\n");
    dir.write("tree/a.txt", b"other\n");
    dir.run(&["--undo"])
        .is(2, "a.txt: was changed since it was edited");
    assert_eq!(dir.text("a.txt"), "other\n");
    dir.write("tree/a.txt", b"a2\n");
    dir.run(&["--undo", "a.txt"]).is(0, "");
    assert_eq!(dir.text("a.txt"), "a\n");
    dir.run(&["--undo"]).is(2, "nothing to undo");
    assert_eq!(dir.files(), ["a.txt", "b.txt"]);
}

#[test]
fn bytes_outside_of_the_edit_stay() {
    let dir = Dir::new(&[]);
    let text = b"\xef\xbb\xbfone\r\ntwo  \n\xff\xfe\tthree\r\nfour\n\x0cfive \r\nlast";
    dir.write("tree/a.txt", text);
    dir.apply(&block("four", "4\n4a"), "a.txt", &[]).is(0, "");
    let new = std::fs::read(dir.path("tree/a.txt")).unwrap();
    assert_eq!(
        new,
        b"\xef\xbb\xbfone\r\ntwo  \n\xff\xfe\tthree\r\n4\n4a\n\x0cfive \r\nlast"
    );
    dir.apply(&block("one", "1"), "a.txt", &[]).is(0, "");
    let new = std::fs::read(dir.path("tree/a.txt")).unwrap();
    assert!(new.starts_with(b"\xef\xbb\xbf1\r\ntwo  \n"));
    dir.run(&["--undo", "a.txt"]).is(0, "");
    dir.run(&["--undo", "a.txt"]).is(0, "");
    assert_eq!(std::fs::read(dir.path("tree/a.txt")).unwrap(), text);
}

#[test]
fn drifted_context_keeps_its_bytes() {
    let text = "fn total(items: &[Item], tax: f64) -> f64 {\n    // added since\n    let sum: f64 = items.iter().map(|i| i.price).sum();\n\tlog(sum);\n    sum\n}\n";
    let dir = Dir::new(&[("a.rs", text)]);
    let blocks = block(
        "fn total(items: &[Item]) -> f64 {\n    let sum: f64 = items.iter().map(|i| i.price).sum();\n    log(sum);\n    sum\n}",
        "fn total(items: &[Item]) -> f64 {\n    let sum: f64 = items.iter().map(|i| i.price).sum();\n    log(sum);\n    sum * TAX\n}",
    );
    dir.apply(&blocks, "a.rs", &["--threshold", "0.8"])
        .is(0, "");
    assert_eq!(
        dir.text("a.rs"),
        text.replace("    sum\n", "    sum * TAX\n")
    );
}

#[cfg(unix)]
#[test]
fn mode_and_links_of_the_user_are_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::new(&[("run.sh", "echo a\n")]);
    let mode = std::fs::Permissions::from_mode(0o750);
    std::fs::set_permissions(dir.path("tree/run.sh"), mode).unwrap();
    std::os::unix::fs::symlink("run.sh", dir.path("tree/link.sh")).unwrap();
    // A link that the user names is the user's; the file behind it is edited.
    dir.apply(&block("echo a", "echo b"), "link.sh", &[])
        .is(0, "");
    assert_eq!(dir.text("run.sh"), "echo b\n");
    let found = std::fs::metadata(dir.path("tree/run.sh")).unwrap();
    assert_eq!(found.permissions().mode() & 0o7777, 0o750);
    assert!(
        std::fs::symlink_metadata(dir.path("tree/link.sh"))
            .unwrap()
            .is_symlink()
    );
}

#[test]
fn undo_keeps_later_changes_of_other_lines() {
    let dir = Dir::new(&[("a.txt", "a\nb\nc\nd\n")]);
    dir.apply(&block("b", "B"), "a.txt", &[]).is(0, "");
    dir.write("tree/a.txt", b"a\nB\nc\nD\ne\n");
    let ran = dir.run(&["--undo", "a.txt"]);
    ran.is(0, "");
    assert_eq!(
        ran.text(),
        "a.txt: undone, keeping later changes elsewhere in it\n"
    );
    assert_eq!(dir.text("a.txt"), "a\nb\nc\nD\ne\n");
    dir.apply(&block("c", "C"), "a.txt", &[]).is(0, "");
    dir.write("tree/a.txt", b"a\nb\nCC\nD\ne\n");
    dir.run(&["--undo", "a.txt"]).is(
        2,
        "was changed since it was edited, in the same lines (line 3)",
    );
    assert_eq!(dir.text("a.txt"), "a\nb\nCC\nD\ne\n");
}

#[test]
fn without_a_journal_nothing_else_is_written() {
    let dir = Dir::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let edits = form(&[("a.txt", &block("a", "A")), ("b.txt", &block("b", "B"))]);
    dir.run_with(&["--no-journal", "-"], edits.as_bytes())
        .is(0, "");
    assert_eq!(
        (dir.text("a.txt"), dir.text("b.txt")),
        ("A\n".into(), "B\n".into())
    );
    assert_eq!(dir.files(), ["a.txt", "b.txt"]);
    assert!(!dir.path("state").exists());
    dir.run(&["--undo"]).is(2, "nothing to undo");
}

#[cfg(unix)]
#[test]
fn a_store_that_cannot_be_used_is_named_in_json_too() {
    let dir = Dir::new(&[("a.txt", "a\n")]);
    dir.write("state/mvdiff", b"a file where a folder should be");
    let ran = dir.apply(&block("a", "b"), "a.txt", &["--format", "json"]);
    ran.is(2, "XDG_STATE_HOME");
    let report = ran.json();
    assert_eq!(report["error_kind"], "not_written");
    assert_eq!(report["success"], false);
    assert!(
        report["message"]
            .as_str()
            .unwrap()
            .contains("XDG_STATE_HOME")
    );
    assert_eq!(dir.text("a.txt"), "a\n");
    dir.apply(&block("a", "b"), "a.txt", &["--no-journal"])
        .is(0, "");
}

#[test]
fn runs_at_once_all_get_their_turn() {
    let lines = "line 0\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\n";
    let dir = Dir::new(&[("a.txt", lines)]);
    std::thread::scope(|scope| {
        for i in 0..8 {
            let dir = &dir;
            scope.spawn(move || {
                let edit = block(&format!("line {i}"), &format!("LINE {i}"));
                dir.apply(&edit, "a.txt", &[]).is(0, "");
            });
        }
    });
    assert_eq!(dir.text("a.txt"), lines.to_uppercase());
}

#[cfg(unix)]
#[test]
fn a_lock_that_is_held_is_told() {
    use std::os::fd::AsFd as _;
    let dir = Dir::new(&[("a.txt", "a\n")]);
    dir.write("state/mvdiff/lock", b"");
    let lock = std::fs::File::open(dir.path("state/mvdiff/lock")).unwrap();
    let held = std::process::Command::new("flock")
        .args(["--nonblock", "0"])
        .stdin(lock.as_fd().try_clone_to_owned().unwrap())
        .status();
    // Where there is no flock(1), nothing holds it.
    if !held.is_ok_and(|status| status.success()) {
        return;
    }
    dir.apply(&block("a", "b"), "a.txt", &[])
        .is(2, "another run is still writing");
    assert_eq!(dir.text("a.txt"), "a\n");
    drop(lock);
    dir.apply(&block("a", "b"), "a.txt", &[]).is(0, "");
}
