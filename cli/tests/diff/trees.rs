//! Two directories.

use super::{Dir, Ran};
use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::{Value, json};

const BLOCK: &str = "\
def total(order):
    prices = [item.price for item in order.items]
    return sum(prices) + order.shipping
";
const REST: &str = "\
import shop
from shop import mail, stock

def place(store, basket, customer):
    stock.reserve(store, basket)
    mail.confirm(customer)
";

impl Dir {
    /// A folder with files in folders.
    fn of_paths(files: &[(&str, &str)]) -> Self {
        let dir = Self::new(&[]);
        for (path, text) in files {
            let path = dir.path(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        dir
    }

    fn run(&self, args: &[&str]) -> Ran {
        let mut command = cargo_bin_cmd!("mvdiff");
        let output = command.current_dir(self.0.path()).args(args).output();
        let output = output.unwrap();
        Ran {
            code: output.status.code().expect("no signal"),
            out: output.stdout,
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn report(&self, args: &[&str]) -> Value {
        let args = [&["--format", "json"], args, &["old", "new"]].concat();
        self.diff(&args).json()
    }

    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap()
    }
}

/// A function that went to another file, a file that was renamed, one that came and
/// one that went.
fn sample() -> Dir {
    Dir::of_paths(&[
        ("old/orders.py", &[REST, "\n", BLOCK].concat()),
        ("old/notes.txt", "some notes\nthat stay as they are\n"),
        ("old/gone.txt", "nothing like it anywhere\n"),
        ("old/same.txt", "same\n"),
        ("new/orders.py", REST),
        ("new/prices.py", &["import money\n\n", BLOCK].concat()),
        ("new/docs/notes.txt", "some notes\nthat stay as they are\n"),
        ("new/same.txt", "same\n"),
    ])
}

#[test]
fn the_exit_code_says_whether_directories_differ() {
    let dir = sample();
    for format in ["terminal", "unified", "json"] {
        let same = dir.diff(&["--format", format, "old", "old"]);
        assert_eq!((same.code, &same.err[..]), (0, ""), "{format}");
        assert_eq!(same.out.is_empty(), format != "json", "{format}");
        let different = dir.diff(&["--format", format, "old", "new"]);
        assert_eq!((different.code, &different.err[..]), (1, ""), "{format}");
    }
}

#[test]
fn moves_renames_and_files_that_come_and_go() {
    let report = sample().report(&[]);
    assert_eq!(report["schema"], "mvdiff.tree/1");
    let files = report["files"].as_array().unwrap().iter();
    let told: Vec<(&str, &str)> = files
        .map(|file| {
            (
                file["path"].as_str().unwrap(),
                file["status"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("docs/notes.txt", "renamed"),
            ("gone.txt", "removed"),
            ("orders.py", "modified"),
            ("prices.py", "added"),
        ]
    );
    assert_eq!(report["files"][0]["old_path"], "notes.txt");
    let moved = &report["moves"][0];
    assert_eq!(moved["original_path"], "orders.py");
    assert_eq!(moved["modified_path"], "prices.py");
    assert_eq!(report["stats"]["files"]["unchanged"], 1);
}

#[test]
fn a_move_is_told_at_both_its_ends() {
    let dir = sample();
    let new = BLOCK.replace("order.shipping", "order.delivery");
    std::fs::write(
        dir.path("new/prices.py"),
        ["import money\n\n", &new].concat(),
    )
    .unwrap();
    let ran = dir.diff(&["--format", "terminal", "old", "new"]);
    let text = ran.text();
    for said in [
        "notes.txt → docs/notes.txt",
        "gone.txt",
        "-nothing like it anywhere",
        "orders.py:7-10 → prices.py:2-5",
        "+import money",
        "-    return sum(prices) + order.shipping",
        "+    return sum(prices) + order.delivery",
        "4 files: 1 modified, 1 renamed, 1 new, 1 deleted. 1 move.",
    ] {
        assert!(text.contains(said), "{said} in\n{text}");
    }
    assert_eq!(text.matches("M1").count(), 2, "{text}");
    assert!(!text.contains("same.txt"), "{text}");
}

#[test]
fn a_report_replays_and_follows_its_schema() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/schemas/tree.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for flags in [
        &[][..],
        &["--copies"],
        &["--no-moves"],
        &["--threshold=0.5"],
    ] {
        let dir = sample();
        std::fs::write(dir.path("new/image"), b"\x89PNG\0\xff").unwrap();
        let report = dir.report(flags);
        let wrong: Vec<String> = validator
            .iter_errors(&report)
            .map(|e| e.to_string())
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        std::fs::write(dir.path("report.json"), report.to_string()).unwrap();
        let ran = dir.run(&["replay", "--old", "old", "--out", "old", "report.json"]);
        assert_eq!((ran.code, &ran.err[..]), (0, ""));
        assert_eq!(dir.diff(&["old", "new"]).code, 0, "{flags:?}");
        let moves = report["moves"].as_array().unwrap().len();
        assert_eq!(moves, usize::from(!flags.contains(&"--no-moves")));
    }
}

#[test]
fn two_files_replay_too() {
    let dir = sample();
    let ran = dir.diff(&[
        "--format",
        "json",
        "-o",
        "r.json",
        "old/orders.py",
        "new/orders.py",
    ]);
    assert_eq!(ran.code, 1);
    let ran = dir.run(&["replay", "old/orders.py", "r.json", "-o", "again.py"]);
    assert_eq!((ran.code, &ran.err[..]), (0, ""));
    assert_eq!(dir.text("again.py"), REST);
    dir.run(&["replay", "new/orders.py", "r.json", "-o", "other.py"])
        .is_trouble("new/orders.py: the report does not fit");
    dir.run(&["replay", "--old", "old", "--out", "out", "r.json"])
        .is_trouble("mvdiff replay OLD REPORT -o NEW");
    assert!(!dir.path("other.py").exists() && !dir.path("out").exists());
}

#[test]
fn a_report_of_another_tree_writes_nothing() {
    let dir = sample();
    dir.diff(&["--format", "json", "-o", "r.json", "old", "new"]);
    std::fs::write(dir.path("old/orders.py"), "another text\n").unwrap();
    dir.run(&["replay", "--old", "old", "--out", "out", "r.json"])
        .is_trouble("does not fit");
    assert!(!dir.path("out").exists());
    let report = dir.text("r.json").replace("docs/notes.txt", "../notes.txt");
    std::fs::write(dir.path("r.json"), report).unwrap();
    std::fs::write(dir.path("old/orders.py"), [REST, "\n", BLOCK].concat()).unwrap();
    let ran = dir.run(&["replay", "--old", "old", "--out", "out", "r.json"]);
    ran.is_trouble("../notes.txt");
    assert!(!dir.path("notes.txt").exists());
}

#[test]
fn a_file_beside_a_directory_is_compared_with_its_namesake() {
    let dir = sample();
    let ran = dir.diff(&["--format", "unified", "old/orders.py", "new"]);
    let names =
        "diff --git a/old/orders.py b/new/orders.py\n--- a/old/orders.py\n+++ b/new/orders.py\n";
    assert!(ran.text().starts_with(names), "{}", ran.text());
    let ran = dir.diff(&["--format", "unified", "old", "new/orders.py"]);
    assert!(ran.text().starts_with(names), "{}", ran.text());
    dir.diff(&["old/gone.txt", "new"])
        .is_trouble("new: is a directory and has no file gone.txt");
    dir.diff(&["-", "new"]).is_trouble("new: is a directory");
    dir.diff(&["old", "nowhere"])
        .is_trouble("nowhere: cannot read");
}

#[test]
fn options_for_lines_are_for_trees_as_well() {
    let dir = Dir::of_paths(&[("old/a", "x y\n"), ("new/a", "x  y\n")]);
    assert_eq!(dir.diff(&["old", "new"]).code, 1);
    assert_eq!(dir.diff(&["-b", "old", "new"]).code, 0);
    let ran = dir.diff(&["-U0", "--format", "unified", "old", "new"]);
    let patch = "diff --git a/a b/a\nindex 74b863c..5e871c8 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x y\n+x  y\n";
    assert_eq!(ran.text(), patch);
}

#[test]
fn what_is_for_workbooks_is_refused() {
    let dir = sample();
    for (flags, says) in [
        (&["--sheet", "x"][..], "--sheet"),
        (&["--as", "workbook"], "--as workbook"),
        (&["--format", "jsonl"], "--format"),
    ] {
        dir.diff(&[flags, &["old", "new"]].concat())
            .is_trouble(says);
    }
}

#[test]
fn a_workbook_is_compared_as_a_whole_with_a_hint() {
    let dir = sample();
    for side in ["old", "new"] {
        let bytes = format!("PK\u{3}\u{4} xl/workbook.xml {side}");
        std::fs::write(dir.path(side).join("book.xlsx"), bytes).unwrap();
    }
    let ran = dir.diff(&["--format", "unified", "old", "new"]);
    assert!(
        ran.text()
            .contains("Binary files a/book.xlsx and b/book.xlsx differ\n")
    );
    assert!(
        ran.err.contains("mvdiff diff old/book.xlsx new/book.xlsx"),
        "{}",
        ran.err
    );
    let report = dir.report(&[]);
    assert_eq!(report["notes"][0]["kind"], "workbook");
    assert_eq!(report["complete"], json!(true));
}

#[test]
fn git_folders_are_left_out() {
    let dir = sample();
    for (side, text) in [("old", "1"), ("new", "2")] {
        let git = dir.path(side).join("sub/.git");
        std::fs::create_dir_all(&git).unwrap();
        std::fs::write(git.join("HEAD"), text).unwrap();
    }
    let report = dir.report(&[]);
    assert!(!report.to_string().contains("HEAD"), "{report}");
}

#[test]
fn an_output_file_is_written_whole() {
    let dir = sample();
    let ran = dir.diff(&["--format", "json", "-o", "out.json", "old", "new"]);
    assert_eq!((ran.code, ran.text()), (1, ""));
    assert!(dir.text("out.json").ends_with("}\n"));
    dir.diff(&["-o", "nowhere/out", "old", "new"])
        .is_trouble("there is no directory nowhere; make it first");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn links_are_compared_and_never_followed() {
        let dir = sample();
        symlink("..", dir.path("old/link")).unwrap();
        symlink("docs", dir.path("new/link")).unwrap();
        let report = dir.report(&[]);
        let files = report["files"].as_array().unwrap();
        let link = files.iter().find(|file| file["path"] == "link").unwrap();
        assert_eq!(link["status"], "modified");
        assert_eq!(link["changes"][0]["text"], json!(["docs"]));
        std::fs::write(dir.path("report.json"), report.to_string()).unwrap();
        let ran = dir.run(&["replay", "--old", "old", "--out", "old", "report.json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(
            std::fs::read_link(dir.path("old/link"))
                .unwrap()
                .as_os_str(),
            "docs"
        );
    }

    #[test]
    fn modes_replay() {
        let dir = sample();
        let run = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(dir.path("new/same.txt"), run).unwrap();
        let report = dir.report(&[]);
        std::fs::write(dir.path("report.json"), report.to_string()).unwrap();
        dir.run(&["replay", "--old", "old", "--out", "old", "report.json"]);
        assert_eq!(dir.diff(&["old", "new"]).code, 0);
    }

    #[test]
    fn a_pipe_is_left_out_with_a_word() {
        let dir = sample();
        let made = std::process::Command::new("mkfifo")
            .arg(dir.path("new/pipe"))
            .status();
        if !made.is_ok_and(|status| status.success()) {
            return;
        }
        let ran = dir.diff(&["--format", "unified", "old", "new"]);
        assert!(
            ran.err
                .contains("new/pipe: is not a file, symlink or directory"),
            "{}",
            ran.err
        );
        let report = dir.report(&[]);
        assert_eq!(report["notes"][0]["kind"], "skipped");
        assert_eq!(report["complete"], json!(false));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_trouble() {
        let dir = sample();
        let locked = dir.path("new/prices.py");
        std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
        if std::fs::read(&locked).is_ok() {
            return; // the superuser reads everything
        }
        dir.diff(&["old", "new"])
            .is_trouble("new/prices.py: cannot read");
    }

    #[test]
    fn names_that_are_no_text() {
        use std::os::unix::ffi::OsStrExt as _;
        let dir = sample();
        let name = std::ffi::OsStr::from_bytes(b"caf\xe9 \"x\"\n");
        std::fs::write(dir.path("new").join(name), "text\n").unwrap();
        let ran = dir.diff(&["--format", "unified", "old", "new"]);
        assert!(
            ran.text().contains(r#"+++ "b/caf\351 \"x\"\n""#),
            "{}",
            ran.text()
        );
        let report = dir.report(&[]);
        std::fs::write(dir.path("report.json"), report.to_string()).unwrap();
        dir.run(&["replay", "--old", "old", "--out", "old", "report.json"]);
        assert_eq!(dir.diff(&["old", "new"]).code, 0);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_on_one_side_is_a_difference() {
    let dir = Dir::of_paths(&[("old/a", "x\n"), ("new/a", "x\n")]);
    let made = std::process::Command::new("mkfifo")
        .arg(dir.path("new/pipe"))
        .status();
    assert!(made.unwrap().success());
    let ran = dir.diff(&["old", "new"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err
            .contains("is not a file, symlink or directory; left out"),
        "{}",
        ran.err
    );
}

#[test]
fn what_is_compared_is_not_written_over() {
    let dir = Dir::of_paths(&[("old/a", "x\n"), ("new/a", "y\n")]);
    dir.diff(&["-o", "new/a", "old", "new"])
        .is_trouble("-o would overwrite an input");
    dir.diff(&["-o", "old/a", "old/a", "new/a"])
        .is_trouble("-o would overwrite an input");
    assert_eq!(dir.text("new/a"), "y\n");
    assert_eq!(dir.diff(&["-o", "new/b", "old", "new"]).code, 1);
}

#[test]
fn a_binary_file_in_a_patch_is_told() {
    let dir = Dir::of_paths(&[("old/a", "x\n"), ("new/a", "x\0\n")]);
    let ran = dir.diff(&["--format", "unified", "old", "new"]);
    assert!(
        ran.err.contains("1 binary file is only named in the patch"),
        "{}",
        ran.err
    );
}

#[cfg(unix)]
#[test]
fn replay_in_place_leaves_permissions_as_they_are() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::of_paths(&[
        ("old/a", "x\n"),
        ("new/a", "y\n"),
        ("old/b", "x\n"),
        ("new/b", "y\n"),
    ]);
    let set = |path: &str, mode| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(dir.path(path), mode).unwrap();
    };
    for (path, mode) in [
        ("old/a", 0o600),
        ("new/a", 0o600),
        ("old/b", 0o640),
        ("new/b", 0o755),
    ] {
        set(path, mode);
    }
    dir.diff(&["--format", "json", "-o", "r.json", "old", "new"]);
    let ran = dir.run(&["replay", "--old", "old", "--out", "old", "r.json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mode = |path: &str| {
        std::fs::metadata(dir.path(path))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode("old/a"), 0o600);
    assert_eq!(mode("old/b"), 0o750, "who may read it may run it now");
}

#[test]
fn replay_makes_nothing_anew_that_is_there() {
    let dir = Dir::of_paths(&[("old/x", "x\n"), ("new/x", "x\n"), ("new/a", "new\n")]);
    dir.diff(&["--format", "json", "-o", "r.json", "old", "new"]);
    std::fs::write(dir.path("old/a"), "mine\n").unwrap();
    let ran = dir.run(&["replay", "--old", "old", "--out", "old", "r.json"]);
    ran.is_trouble("a: is new in the report but exists already");
    assert_eq!(dir.text("old/a"), "mine\n");
}

#[cfg(unix)]
#[test]
fn a_link_is_called_one() {
    let dir = Dir::new(&[]);
    for (side, target) in [("old", "here"), ("new", "there")] {
        std::fs::create_dir(dir.path(side)).unwrap();
        std::os::unix::fs::symlink(target, dir.path(side).join("to")).unwrap();
    }
    let read = dir.diff(&["--format", "terminal", "old", "new"]);
    assert!(read.text().starts_with("to  link\n"), "{}", read.text());
}

#[test]
fn what_was_ignored_replays_to_the_byte() {
    for (flag, old, new) in [
        ("-w", "a\nb\n", "a\nb \n"),
        ("-b", "a b\nc\n", "a  b\nc\n"),
        ("-B", "a\nb\n", "a\n\nb\n"),
        ("-w", "a\nb\n", "a\nb"),
    ] {
        let dir = Dir::of_paths(&[
            ("old/f", old),
            ("new/f", new),
            ("old/g", "1\n"),
            ("new/g", "2\n"),
        ]);
        let report = dir.report(&[flag]);
        assert_eq!(report["files"].as_array().unwrap().len(), 1, "{report}");
        assert_eq!(report["stats"]["files"]["unchanged"], 1);
        std::fs::write(dir.path("report.json"), report.to_string()).unwrap();
        let ran = dir.run(&["replay", "--old", "old", "--out", "old", "report.json"]);
        assert_eq!((ran.code, &ran.err[..]), (0, ""));
        assert_eq!(
            (dir.text("old/f"), dir.text("old/g")),
            (new.into(), "2\n".into())
        );
    }
    let dir = Dir::of_paths(&[("old/f", "a\n"), ("new/f", "a \n")]);
    assert_eq!(dir.run(&["diff", "-w", "old", "new"]).code, 0);
}

#[test]
fn an_empty_directory_is_a_difference() {
    let dir = Dir::of_paths(&[("old/f", "a\n"), ("new/f", "a\n")]);
    std::fs::create_dir_all(dir.path("old/x/y")).unwrap();
    std::fs::create_dir_all(dir.path("old/both")).unwrap();
    std::fs::create_dir_all(dir.path("new/both")).unwrap();
    for args in [&["old", "new"], &["new", "old"]] {
        let ran = dir.run(&[&["diff"], &args[..]].concat());
        assert_eq!(ran.code, 1);
        assert_eq!(
            ran.err,
            "mvdiff: note: old/x/y: an empty directory, on one side only\n"
        );
    }
    let report = dir.diff(&["--format", "json", "old", "new"]);
    assert_eq!(
        (report.code, &report.json()["notes"][0]["kind"]),
        (1, &json!("folder"))
    );
    std::fs::create_dir_all(dir.path("new/x/y")).unwrap();
    assert_eq!(dir.run(&["diff", "old", "new"]).code, 0);
}
