//! Words that people know from diff, against what diff says.

use super::Repo;
use std::process::Command;

/// Runs GNU diff and us with the same words.
#[track_caller]
fn same_as_diff(repo: &Repo, args: &[&str]) {
    let theirs = Command::new("diff")
        .current_dir(repo.path(""))
        .env("LC_ALL", "C")
        .args(args)
        .output()
        .unwrap();
    let ours = repo.run(&repo.path(""), &[&["diff"], args].concat(), b"", &[]);
    assert_eq!(
        ours.text(),
        String::from_utf8_lossy(&theirs.stdout),
        "{args:?}"
    );
    assert_eq!(Some(ours.code), theirs.status.code(), "{args:?}");
    assert_eq!(ours.err, "", "{args:?}");
}

fn trees() -> Repo {
    let repo = Repo::none();
    repo.write("a/same", "x\n");
    repo.write("b/same", "x\n");
    repo.write("a/case", "One\n");
    repo.write("b/case", "one\n");
    repo.write("a/sub/changed.o", "1\n");
    repo.write("b/sub/changed.o", "2\n");
    repo.write("a/sub/gone", "1\n");
    repo.write("b/new/deep/file", "1\n");
    repo
}

#[test]
fn brief_and_identical_say_what_diff_says() {
    let repo = trees();
    for words in [
        &["-qr"][..],
        &["-qrs"],
        &["-qrN"],
        &["-qr", "-x", "*.o"],
        &["-qr", "--exclude=new", "-x", "sub"],
    ] {
        same_as_diff(&repo, &[words, &["a", "b"]].concat());
    }
    for words in [&["-q"][..], &["-s"], &["-qs"]] {
        same_as_diff(&repo, &[words, &["a/same", "b/same"]].concat());
    }
    for words in [&["-q"][..], &["-qs"]] {
        same_as_diff(&repo, &[words, &["a/case", "b/case"]].concat());
    }
}

#[test]
fn labels_and_plain_patches_are_those_of_diff() {
    let repo = trees();
    same_as_diff(
        &repo,
        &[
            "-u",
            "--label",
            "old-one",
            "--label=new",
            "a/case",
            "b/case",
        ],
    );
    same_as_diff(
        &repo,
        &[
            "-u",
            "-N",
            "--label=x",
            "--label=y",
            "a/sub/gone",
            "b/sub/gone",
        ],
    );
    let ran = repo.run(
        &repo.path(""),
        &["diff", "--label=a", "--label=b", "--label=c", "a", "b"],
        b"",
        &[],
    );
    ran.is_trouble("at most twice");
}

#[test]
fn what_git_ignores_is_left_out_on_request() {
    let repo = trees();
    repo.write("a/.gitignore", "*.o\ngone\n");
    repo.write("b/.gitignore", "*.o\nnew/\n");
    repo.write("b/case", "One\n");
    let ran = repo.run(
        &repo.path(""),
        &["diff", "-qr", "--gitignore", "a", "b"],
        b"",
        &[],
    );
    assert_eq!(ran.text(), "Files a/.gitignore and b/.gitignore differ\n");
}

/// What is left out is what git itself would not add.
#[test]
fn ignored_files_are_those_that_git_ignores() {
    let repo = Repo::new();
    let rules = "*.log\n!keep.log\n/top\nbuild/\n**/deep/*.tmp\nsp ace\n[ab].o\n\\#hash\n";
    let files = [
        "x.log",
        "keep.log",
        "sub/y.log",
        "sub/keep.log",
        "top",
        "sub/top",
        "build/out",
        "sub/build/out",
        "deep/a.tmp",
        "sub/deep/b.tmp",
        "deep/sub/c.tmp",
        "sp ace",
        "a.o",
        "c.o",
        "#hash",
        "plain",
        "sub/inner/z",
    ];
    for name in files {
        repo.write(&format!("new/{name}"), "x\n");
    }
    repo.write("new/.gitignore", rules);
    repo.write("new/sub/.gitignore", "inner\n!top\n");
    std::fs::create_dir(repo.path("old")).unwrap();
    let ours = repo.run(
        &repo.path(""),
        &["diff", "--gitignore", "-N", "--format=json", "old", "new"],
        b"",
        &[],
    );
    assert_eq!((ours.code, &ours.err[..]), (1, ""));
    let report: serde_json::Value = serde_json::from_slice(&ours.out).unwrap();
    // `sub/deep` has only what is ignored, and is not called an empty directory.
    assert_eq!(report["complete"], true);
    let mut left: Vec<String> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap().to_owned())
        .collect();
    left.sort();
    let listed = repo.git(&[
        "-C",
        "new",
        "ls-files",
        "--others",
        "--exclude-standard",
        "-z",
    ]);
    let listed = String::from_utf8(listed).unwrap();
    let mut expected: Vec<&str> = listed.split_terminator('\0').collect();
    expected.sort_unstable();
    assert_eq!(left, expected);
}

/// The same for the lines that changed: context is that of the new file, as in git.
#[track_caller]
fn same_changes(repo: &Repo, args: &[&str]) {
    let theirs = Command::new("diff")
        .current_dir(repo.path(""))
        .env("LC_ALL", "C")
        .args(args)
        .output()
        .unwrap();
    let ours = repo.run(&repo.path(""), &[&["diff"], args].concat(), b"", &[]);
    let changed = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with(' '));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let said = String::from_utf8_lossy(&theirs.stdout).into_owned();
    assert_eq!(changed(ours.text()), changed(&said), "{args:?}");
    assert_eq!(Some(ours.code), theirs.status.code(), "{args:?}");
}

#[test]
fn case_is_ignored_as_diff_ignores_it() {
    let repo = trees();
    repo.write("a/words", "One\ntwo  three\nFour\nend\n");
    repo.write("b/words", "ONE\nTWO three\nfour\nEND OF IT\n");
    repo.write("a/open", "One\nend");
    repo.write("b/open", "one\nend\n");
    for words in [&["-iqr"][..], &["-iqrs"], &["--ignore-case", "-qr"]] {
        same_as_diff(&repo, &[words, &["a", "b"]].concat());
    }
    let labels = ["--label=a", "--label=b"];
    for words in [&["-iu"][..], &["-iwu"], &["-ib", "-U1"], &["-iBu"]] {
        for name in ["case", "words", "open"] {
            let files = [format!("a/{name}"), format!("b/{name}")];
            let files = [&files[0][..], &files[1]];
            same_changes(&repo, &[words, &labels, &files].concat());
        }
    }
}

#[test]
fn a_report_that_ignores_case_still_replays() {
    let repo = trees();
    repo.write("old", "One\ntwo\nGrüße\nlast\n");
    repo.write("new", "ONE\ntwo\ngrÜSSE\nLAST\nmore\n");
    let here = repo.path("");
    let report = repo.run(
        &here,
        &["diff", "-i", "--format=json", "old", "new"],
        b"",
        &[],
    );
    let json: serde_json::Value = serde_json::from_slice(&report.out).unwrap();
    assert_eq!(json["ignore"], serde_json::json!(["case"]));
    repo.write("report.json", &report.out);
    let replay = ["replay", "old", "report.json", "-o", "again"];
    let replayed = repo.run(&here, &replay, b"", &[]);
    assert_eq!((replayed.code, &replayed.err[..]), (0, ""));
    let again = std::fs::read_to_string(repo.path("again")).unwrap();
    assert_eq!(again, "ONE\ntwo\ngrÜSSE\nLAST\nmore\n");
}

#[test]
fn one_file_is_compared_with_several() {
    let repo = trees();
    repo.write("base", "x\n");
    repo.write("other", "y\n");
    for words in [
        &["-q", "--from-file", "base"][..],
        &["-qs", "--from-file=base"],
        &["-q", "--to-file=base"],
        &["-qs", "--to-file", "base"],
    ] {
        for files in [
            &["other"][..],
            &["a/same"],
            &["a/same", "other", "b/same", "a/case"],
        ] {
            same_as_diff(&repo, &[words, files].concat());
        }
    }
    let trees = ["-qr", "--from-file=a", "b", "a"];
    same_as_diff(&repo, &trees);
    let run = |args: &[&str]| repo.run(&repo.path(""), args, b"", &[]);
    let patch = run(&[
        "diff",
        "-u",
        "--from-file=base",
        "other",
        "a/case",
        "a/same",
    ]);
    assert_eq!(patch.code, 1);
    assert_eq!(
        patch.text().matches("--- a/base\n").count(),
        2,
        "{}",
        patch.text()
    );
    run(&["diff", "base", "other", "a/same"]).is_trouble("a third file");
    run(&["diff", "base"]).is_trouble("<NEW>");
    run(&["diff", "--from-file=-", "base", "other"]).is_trouble("only once");
    run(&["diff", "--from-file=gone", "base", "other"]).is_trouble("gone: cannot read");
    run(&[
        "diff",
        "--format=html",
        "--from-file=base",
        "other",
        "a/same",
    ])
    .is_trouble("one comparison");
}

/// The lines that diff removes and adds, whole trees at a time.
#[test]
fn patches_of_trees_have_the_lines_of_diff() {
    let repo = trees();
    // diff knows no renames.
    repo.write("b/new/deep/file", "another\n");
    repo.write("a/text", "one\n  two\n\nthree\nfour  \n");
    repo.write("b/text", "one\ntwo\nthree\n\n\nfour\nFIVE\n");
    let lines = |text: &str| {
        let is_line = |line: &&str| {
            (line.starts_with('+') || line.starts_with('-'))
                && !line.starts_with("+++ ")
                && !line.starts_with("--- ")
        };
        let mut lines: Vec<String> = text.lines().filter(is_line).map(str::to_owned).collect();
        // In one order, whichever files come first.
        lines.sort();
        lines
    };
    for words in [
        &["-ruN"][..],
        &["-ruN", "-w"],
        &["-ruN", "-b"],
        &["-ruN", "-i"],
        &["-ruN", "-U0"],
        &["-ruN", "-x", "*.o"],
        &["-ruN", "-x", "sub", "-x", "new"],
    ] {
        let args = [words, &["a", "b"]].concat();
        let theirs = Command::new("diff")
            .current_dir(repo.path(""))
            .env("LC_ALL", "C")
            .args(&args)
            .output()
            .unwrap();
        let ours = repo.run(
            &repo.path(""),
            &[&["diff", "--no-moves"], &args[..]].concat(),
            b"",
            &[],
        );
        assert_eq!(
            lines(ours.text()),
            lines(&String::from_utf8_lossy(&theirs.stdout)),
            "{args:?}"
        );
        assert_eq!(Some(ours.code), theirs.status.code(), "{args:?}");
    }
}
