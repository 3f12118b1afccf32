//! With a real git: `git diff`, `git log -p` and `git show` on workbooks.

#![cfg(unix)]

use super::{prices, xlsx};
use crate::support::{Ran, Repo};

/// A repository with the driver installed and two commits of `prices.xlsx`.
fn repository() -> Repo {
    let repo = Repo::new();
    install(&repo, &["git", "install", "--local"]);
    let [old, new] = prices::workbooks().unwrap();
    for bytes in [old, new] {
        repo.write("prices.xlsx", bytes);
        repo.commit(&[]);
    }
    repo
}

#[track_caller]
fn install(repo: &Repo, args: &[&str]) {
    let ran = repo.run(&repo.path(""), args, b"", &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

/// Git, with mvdiff on the path.
fn git(repo: &Repo, args: &[&str], variables: &[(&str, &str)]) -> Ran {
    let real = assert_cmd::cargo::cargo_bin!("mvdiff");
    let mut path = vec![real.parent().unwrap().to_path_buf()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let mut git = repo.git_command();
    git.env("PATH", std::env::join_paths(path).unwrap())
        .envs(variables.iter().copied())
        .args(args);
    Ran::of(git.output().unwrap())
}

const AS_TEXT: &str = "\
diff --git a/prices.xlsx b/prices.xlsx
# Data: 20 x 8 -> 21 x 8: 1 move, 1 edit, 1 row added; 16 formulas followed
";

#[test]
fn git_diff_says_what_happened() {
    let repo = repository();
    let ran = git(&repo, &["diff", "HEAD~1", "HEAD"], &[]);
    assert_eq!((ran.code, &ran.err[..]), (0, ""));
    assert!(ran.text().starts_with(AS_TEXT), "{}", ran.text());
    assert!(ran.text().contains("Data!C14\tedited\t42 -> 43\twas C6\n"));
    // Through git's pager it is for reading.
    let paged = git(
        &repo,
        &["diff", "HEAD~1", "HEAD"],
        &[("GIT_PAGER_IN_USE", "true"), ("NO_COLOR", "1")],
    );
    assert!(
        paged.text().contains("\n  moved    rows 5-8 → 13-16 "),
        "{}",
        paged.text()
    );
}

#[test]
fn git_diff_with_the_working_tree() {
    let repo = repository();
    let [old, _] = prices::workbooks().unwrap();
    repo.write("prices.xlsx", old);
    let ran = git(&repo, &["diff"], &[]);
    assert!(
        ran.text().contains("Data!C6\tedited\t43 -> 42\twas C14\n"),
        "{}",
        ran.text()
    );
}

#[test]
fn git_log_and_git_show_compare_cells_line_by_line() {
    let repo = repository();
    for command in [&["log", "-p", "-1"][..], &["show"]] {
        let ran = git(&repo, command, &[]);
        assert_eq!((ran.code, &ran.err[..]), (0, ""));
        assert!(
            ran.text().contains("+Data!B7\t\"cedar\"\n"),
            "{}",
            ran.text()
        );
        assert!(ran.text().contains("-Remarks!\tsheet\n"), "{}", ran.text());
        let told = git(&repo, &[command, &["--ext-diff"]].concat(), &[]);
        assert!(told.text().contains(AS_TEXT), "{}", told.text());
    }
}

#[test]
fn workbooks_that_come_go_and_are_renamed() {
    let repo = repository();
    let first = git(
        &repo,
        &["diff", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "HEAD"],
        &[],
    );
    assert!(
        first
            .text()
            .contains("Data!\tsheet added\tat 1\t168 cells\n"),
        "{}",
        first.text()
    );
    repo.git(&["mv", "prices.xlsx", "costs.xlsx"]);
    let [old, _] = prices::workbooks().unwrap();
    let renamed = git(&repo, &["diff", "-M", "--cached"], &[]);
    assert_eq!((renamed.code, &renamed.err[..]), (0, ""));
    assert!(renamed.text().contains("costs.xlsx"), "{}", renamed.text());
    repo.write("costs.xlsx", old);
    repo.git(&["add", "--all"]);
    let both = git(&repo, &["diff", "-M10%", "--cached"], &[]);
    assert_eq!((both.code, &both.err[..]), (0, ""));
    assert!(
        both.text()
            .starts_with("diff --git a/prices.xlsx b/costs.xlsx\n"),
        "{}",
        both.text()
    );
    assert!(
        both.text().contains("rename to costs.xlsx\n"),
        "{}",
        both.text()
    );
    assert!(
        both.text().contains("\tedited\t43 -> 42\t"),
        "{}",
        both.text()
    );
    repo.git(&["rm", "--quiet", "--cached", "costs.xlsx"]);
    let gone = git(&repo, &["diff", "--cached"], &[]);
    assert!(
        gone.text().contains("Data!\tsheet removed\t"),
        "{}",
        gone.text()
    );
}

#[test]
fn a_file_that_is_no_workbook_stops_nothing() {
    let repo = repository();
    repo.write("prices.xlsx", "no workbook\n");
    repo.write("zebra.xlsx", xlsx(&[("Data", &["a|b"])]));
    repo.git(&["add", "--intent-to-add", "zebra.xlsx"]);
    let ran = git(&repo, &["diff"], &[]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.err.contains("mvdiff: prices.xlsx: this is plain text"),
        "{}",
        ran.err
    );
    assert!(
        ran.text()
            .contains("Binary files a/prices.xlsx and b/prices.xlsx differ\n")
    );
    assert!(ran.text().contains("b/zebra.xlsx\n"), "{}", ran.text());
    repo.commit(&[]);
    let log = git(&repo, &["log", "-p"], &[]);
    assert_eq!((log.code, &log.err[..]), (0, ""));
    assert!(
        log.text().contains("+# no workbook: this is plain text"),
        "{}",
        log.text()
    );
}

#[test]
fn a_workbook_in_conflict_is_named() {
    let repo = repository();
    let ours = xlsx(&[("Data", &["ours"])]);
    let theirs = xlsx(&[("Data", &["theirs"])]);
    repo.git(&["checkout", "--quiet", "-b", "other"]);
    repo.write("prices.xlsx", theirs);
    repo.commit(&[]);
    repo.git(&["checkout", "--quiet", "main"]);
    repo.write("prices.xlsx", ours);
    repo.commit(&[]);
    let merge = repo
        .git_command()
        .args(["merge", "other"])
        .output()
        .unwrap();
    assert!(!merge.status.success());
    let ran = git(&repo, &["diff", "--cached"], &[]);
    assert_eq!((ran.code, ran.text()), (0, "* Unmerged path prices.xlsx\n"));
}

#[test]
fn text_files_get_the_diff_of_lines() {
    let repo = Repo::of(&[("a.py", "one\ntwo\nthree\n"), ("b", "x\n")]);
    repo.commit(&[("a.py", "one\n2\nthree\n"), ("new", "fresh\n")]);
    repo.git(&["rm", "--quiet", "b"]);
    repo.commit(&[]);
    let driver = [("GIT_EXTERNAL_DIFF", "mvdiff")];
    let ran = git(&repo, &["diff", "HEAD~2", "HEAD"], &driver);
    assert_eq!((ran.code, &ran.err[..]), (0, ""));
    let expected = "\
diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,3 +1,3 @@
 one
-two
+2
 three
diff --git a/b b/b
deleted file mode 100644
--- a/b
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/new b/new
new file mode 100644
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+fresh
";
    assert_eq!(ran.text(), expected);
}

#[test]
fn people_get_moves_and_names_without_a_patch_around_them() {
    let repo = Repo::of(&[("a.py", "one\ntwo\nthree\n"), ("b", "x\n")]);
    repo.commit(&[("a.py", "one\n2\nthree\n"), ("new", "fresh\n")]);
    repo.git(&["rm", "--quiet", "b"]);
    repo.commit(&[]);
    let driver = [
        ("GIT_EXTERNAL_DIFF", "mvdiff"),
        ("GIT_PAGER_IN_USE", "true"),
        ("NO_COLOR", "1"),
        ("COLUMNS", "60"),
    ];
    let ran = git(&repo, &["diff", "HEAD~2", "HEAD"], &driver);
    assert_eq!((ran.code, &ran.err[..]), (0, ""));
    let expected = "\
a.py
  1   1 │  one
  2     │ -two
      2 │ +2
  3   3 │  three

1 added, 1 deleted, 0 edited.

b  deleted
  1     │ -x

0 added, 1 deleted, 0 edited.

new  new
      1 │ +fresh

1 added, 0 deleted, 0 edited.
";
    assert_eq!(ran.text(), expected);
}

#[test]
fn a_mode_and_a_new_name_are_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let text = crate::support::lines(1, 30);
    let repo = Repo::of(&[("run.sh", "true\n"), ("old.txt", &text)]);
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(repo.path("run.sh"), executable).unwrap();
    repo.git(&["mv", "old.txt", "new.txt"]);
    repo.commit(&[("new.txt", &text.replace("number 7\n", "number seven\n"))]);
    let driver = [
        ("GIT_EXTERNAL_DIFF", "mvdiff"),
        ("GIT_PAGER_IN_USE", "true"),
        ("NO_COLOR", "1"),
        ("COLUMNS", "130"),
    ];
    let ran = git(&repo, &["diff", "-M", "HEAD~1", "HEAD"], &driver);
    assert_eq!((ran.code, &ran.err[..]), (0, ""));
    let text = ran.text();
    assert!(text.starts_with("old.txt → new.txt  renamed\n"), "{text}");
    assert!(text.contains("│   7 +line number seven\n"), "{text}");
    assert!(
        text.ends_with(" edited.\n\nrun.sh  mode 100644 → 100755\n"),
        "{text}"
    );
}

#[test]
fn binary_files_and_links_are_told_for_reading_and_in_a_patch() {
    let repo = Repo::of(&[("kept", "x\n")]);
    repo.write("bin.dat", b"a\0b");
    std::os::unix::fs::symlink("here", repo.path("link")).unwrap();
    repo.commit(&[]);
    repo.write("bin.dat", b"a\0c");
    std::fs::remove_file(repo.path("link")).unwrap();
    std::os::unix::fs::symlink("there", repo.path("link")).unwrap();
    repo.commit(&[("empty", "")]);
    let program = ("GIT_EXTERNAL_DIFF", "mvdiff");
    let pager = ("GIT_PAGER_IN_USE", "true");
    let range = ["diff", "HEAD~1", "HEAD"];
    let read = git(&repo, &range, &[program, pager, ("NO_COLOR", "1")]);
    let expected = "\
bin.dat  binary

empty  new

link  link
  1     │ -here
      1 │ +there
";
    assert_eq!((read.code, &read.err[..]), (0, ""));
    let guides = |line: &&str| !line.contains('~');
    let lines: Vec<&str> = read.text().lines().filter(guides).collect();
    assert_eq!(lines[..7], expected.lines().collect::<Vec<&str>>()[..7]);
    let patch = git(&repo, &range, &[program]);
    let told = "Binary files a/bin.dat and b/bin.dat differ\n";
    let text = patch.text();
    assert!(text.contains(told), "{text}");
    assert!(text.contains("b/empty\nnew file mode 100644\n"), "{text}");
    // What is not binary applies.
    let rest = git(
        &repo,
        &["diff", "HEAD~1", "HEAD", "--", "empty", "link"],
        &[program],
    );
    std::fs::write(repo.beside("a.patch"), &rest.out).unwrap();
    repo.git(&["checkout", "--quiet", "HEAD~1"]);
    repo.git(&["apply", "--index", "../a.patch"]);
    assert!(
        repo.git(&["diff", "--cached", "main", "--", "empty", "link"])
            .is_empty()
    );
}

#[test]
fn difftool_compares_whole_directories() {
    let repo = Repo::of(&[("a", "one\ntwo\nthree\n"), ("b/c", "x\n")]);
    repo.commit(&[("a", "one\n2\nthree\n"), ("b/c", "y\n")]);
    // Of files that are as they are in the working tree git makes links.
    let command = r#"mvdiff diff "$LOCAL" "$REMOTE""#;
    repo.git(&["config", "difftool.mvdiff.cmd", command]);
    let ran = git(&repo, &["difftool", "-d", "-t", "mvdiff", "HEAD~1"], &[]);
    let text = ran.text();
    assert!(
        text.contains("-two\n+2\n") && text.contains("-x\n+y\n"),
        "{text}"
    );
    assert!(!text.contains("mode "), "{text}");
}

#[test]
fn wrong_variables_do_not_end_git() {
    let repo = Repo::of(&[("a", "one\n"), ("b", "one\n")]);
    repo.commit(&[("a", "two\n"), ("b", "two\n")]);
    let program = ("GIT_EXTERNAL_DIFF", "mvdiff");
    let range = ["diff", "HEAD~1", "HEAD"];
    let right = git(&repo, &range, &[program]);
    let empty = git(&repo, &range, &[program, ("MVDIFF_WIDTH", "")]);
    assert_eq!((empty.code, &empty.err[..]), (0, ""));
    let wrong = git(&repo, &range, &[program, ("MVDIFF_WIDTH", "broad")]);
    assert_eq!((wrong.code, wrong.text()), (0, right.text()));
    assert_eq!(wrong.err.lines().count(), 1, "{}", wrong.err);
    assert!(
        wrong.err.contains("note: ") && wrong.err.contains("broad"),
        "{}",
        wrong.err
    );
}

#[test]
fn through_gits_pager_mvdiff_git_is_for_reading() {
    let repo = Repo::of(&[("a", "one\n")]);
    repo.write("a", "two\n");
    let run = |variables: &[(&str, &str)]| {
        let all = [&[("GIT_PAGER_IN_USE", "true")], variables].concat();
        let ran = repo.run(&repo.path(""), &["git"], b"", &all);
        String::from_utf8(ran.out).unwrap()
    };
    assert!(run(&[("NO_COLOR", "1")]).contains("  1     │ -one\n"));
    assert!(run(&[]).contains("\u{1b}[31m-"));
    let tinted = run(&[("COLORFGBG", "15;0"), ("TERM", "xterm-256color")]);
    assert!(tinted.contains("\u{1b}[48;5;52m-"), "{tinted:?}");
}

#[test]
fn a_global_driver_serves_every_repository() {
    let repo = Repo::new();
    install(&repo, &["git", "install"]);
    let [old, new] = prices::workbooks().unwrap();
    repo.write("prices.xlsx", old);
    repo.commit(&[]);
    repo.write("prices.xlsx", new);
    let ran = git(&repo, &["diff"], &[]);
    assert!(ran.text().starts_with(AS_TEXT), "{}", ran.text());
    install(&repo, &["git", "install", "--undo"]);
    let ran = git(&repo, &["diff"], &[]);
    assert!(ran.text().contains("Binary files"), "{}", ran.text());
}

#[test]
fn a_workbook_as_text_has_a_line_for_each_cell() {
    let repo = repository();
    let ran = repo.run(&repo.path(""), &["textconv", "prices.xlsx"], b"", &[]);
    let text = ran.text();
    assert!(
        text.starts_with("Data!\tsheet\nData!A1\t\"id\"\n"),
        "{text}"
    );
    assert!(text.contains("\nData!G2\t2026-03-03\nData!H2\t=C2*D2\nData!A3\t1002\n"));
    // 168 cells, two of them in the second sheet, and a line for each sheet.
    assert_eq!(text.lines().count(), 172);
    assert_eq!(ran.code, 0);
}

/// A repository in which two branches changed one workbook.
fn branches(ours: &[&str], theirs: &[&str]) -> Repo {
    let repo = Repo::new();
    install(&repo, &["git", "install", "--local"]);
    let rows = [
        "id|name|stock",
        "1|amber|5",
        "2|basalt|6",
        "3|cedar|7",
        "4|elm|8",
    ];
    let book = |rows: &[&str]| xlsx(&[("Data", rows)]);
    repo.write("stock of ours.xlsx", book(&rows));
    repo.commit(&[]);
    repo.git(&["checkout", "--quiet", "-b", "topic"]);
    repo.write("stock of ours.xlsx", book(theirs));
    repo.commit(&[]);
    repo.git(&["checkout", "--quiet", "main"]);
    repo.write("stock of ours.xlsx", book(ours));
    repo.commit(&[]);
    repo
}

fn cells(repo: &Repo) -> String {
    let ran = repo.run(
        &repo.path(""),
        &["textconv", "stock of ours.xlsx"],
        b"",
        &[],
    );
    ran.text().to_owned()
}

#[test]
fn git_merge_puts_two_branches_together() {
    let ours = [
        "id|name|stock",
        "1|amber|5",
        "2|basalt|60",
        "3|cedar|7",
        "4|elm|8",
    ];
    let theirs = [
        "id|name|stock",
        "0|alder|1",
        "1|amber|5",
        "2|basalt|6",
        "4|elm|9",
    ];
    let repo = branches(&ours, &theirs);
    let ran = git(&repo, &["merge", "--no-edit", "topic"], &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.text(), ran.err);
    let out = cells(&repo);
    for wanted in [
        "Data!B2\t\"alder\"\n",
        "Data!C4\t60\n",
        "Data!A5\t4\n",
        "Data!C5\t9\n",
    ] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    assert!(!out.contains("cedar"), "{out}");
}

#[test]
fn git_merge_stops_at_a_conflict_and_leaves_it_in_the_workbook() {
    let ours = [
        "id|name|stock",
        "1|amber|5",
        "2|basalt|60",
        "3|cedar|7",
        "4|elm|8",
    ];
    let theirs = [
        "id|name|stock",
        "1|amber|5",
        "2|basalt|61",
        "3|cedar|7",
        "4|elm|9",
    ];
    let repo = branches(&ours, &theirs);
    let ran = git(&repo, &["merge", "--no-edit", "topic"], &[]);
    assert_eq!(ran.code, 1, "{}{}", ran.text(), ran.err);
    assert!(
        ran.text()
            .contains("conflict: Data!C3: base 6, ours 60, theirs 61"),
        "{}",
        ran.text()
    );
    assert!(
        ran.text().contains("stock of ours.xlsx: "),
        "{}",
        ran.text()
    );
    assert!(ran.text().contains("CONFLICT (content)"), "{}", ran.text());
    let out = cells(&repo);
    assert!(
        out.contains("Data!C3\t60\n") && out.contains("Data!C5\t9\n"),
        "{out}"
    );
    assert!(out.contains("'Merge conflicts'!B2\t\"C3\"\n"), "{out}");
    let status = String::from_utf8(repo.git(&["status", "--porcelain"])).unwrap();
    assert_eq!(status, "UU \"stock of ours.xlsx\"\n");
}
