//! Byte for byte.

use super::{Dir, lines};
use serde_json::json;

#[test]
fn kept_moved_copied_and_new_lines() {
    let dir = Dir::new(&[
        ("utils.py", b"import os\ndef f():\n    pass\n\nend\n"),
        ("lib/helpers.py", b"class A:\n    x = 1\n"),
    ]);
    let ran = dir.replay(&json!([
        {"file": "lib/helpers.py", "mode": "100644", "parts": [
            {"kept": ["lib/helpers.py", 1, 2]},
            {"move": 1, "from": ["utils.py", 2, 3], "indent": {"from": "", "to": "    "}},
            {"lines": ["    y = 2"]},
            {"copy": 1, "from": ["utils.py", 5, 1]}]},
        {"file": "utils.py", "parts": [{"kept": ["utils.py", 1, 1]}, {"kept": ["utils.py", 5, 1]}]}
    ]));
    ran.is_quiet();
    let helpers = "class A:\n    x = 1\n    def f():\n        pass\n\n    y = 2\nend\n";
    assert_eq!(dir.read("out/lib/helpers.py"), helpers.as_bytes());
    assert_eq!(dir.read("out/utils.py"), b"import os\nend\n");
    assert_eq!(dir.out(), ["lib/helpers.py", "utils.py"]);
}

#[test]
fn carriage_returns_and_missing_newlines() {
    let dir = Dir::new(&[("f", b"a\r\nb\rc\r\nlast")]);
    let ran = dir.replay(&json!([
        {"file": "f", "no_eol": true, "parts": [
            {"move": 1, "from": ["f", 3, 1]},
            {"kept": ["f", 1, 2]},
            {"lines": ["end\r"]}]},
        {"file": "g", "parts": [{"kept": ["f", 3, 1]}]},
        {"file": "empty", "parts": []}
    ]));
    ran.is_quiet();
    assert_eq!(dir.read("out/f"), b"last\na\r\nb\rc\r\nend\r");
    assert_eq!(dir.read("out/g"), b"last\n");
    assert_eq!(dir.read("out/empty"), b"");
}

#[test]
fn bytes_that_are_no_text() {
    let dir = Dir::new(&[("f", b"\xff\xfe\n\x00\n")]);
    let ran = dir.replay(&json!([
        {"file": "f", "parts": [
            {"kept": ["f", 2, 1]},
            {"move": 1, "from": ["f", 1, 1], "indent": {"from": "", "to": "\t"}},
            {"lines": [{"base64": "/w=="}]}]},
        {"file": "b.png", "binary": true, "parts": [{"lines": [{"base64": "AAEC/w=="}]}]},
        {"file": "same.png", "binary": true, "parts": [{"kept": ["f", 1, 2]}]}
    ]));
    ran.is_quiet();
    assert_eq!(dir.read("out/f"), b"\x00\n\t\xff\xfe\n\xff\n");
    assert_eq!(dir.read("out/b.png"), b"\x00\x01\x02\xff\n");
    assert_eq!(dir.read("out/same.png"), b"\xff\xfe\n\x00\n");
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let dir = Dir::new(&[]);
    let name = json!({"base64": "/2Y="});
    dir.replay(&json!([{"file": name, "parts": [{"lines": ["x"]}]}]))
        .is_quiet();
    let path = dir.path("out").join(std::ffi::OsStr::from_bytes(b"\xfff"));
    assert_eq!(std::fs::read(path).unwrap(), b"x\n");
}

#[test]
fn deleted_and_renamed_files() {
    let dir = Dir::new(&[("a/old.txt", b"one\ntwo\n"), ("gone", b"x\n")]);
    for (name, bytes) in [
        ("out/a/old.txt", "one\ntwo\n"),
        ("out/gone", "x\n"),
        ("out/other", "o\n"),
    ] {
        dir.write(name, bytes.as_bytes());
    }
    let recipe = json!([
        {"file": "a/old.txt", "deleted": true},
        {"file": "b/new.txt", "parts": [{"kept": ["a/old.txt", 1, 1]}, {"lines": ["2"]}]},
        {"file": "gone", "deleted": true}
    ]);
    dir.replay(&recipe).is_quiet();
    assert_eq!(dir.out(), ["b/new.txt", "other"]);
    assert_eq!(dir.read("out/b/new.txt"), b"one\n2\n");
    assert!(!dir.path("out/a").exists(), "an empty directory goes too");
    // Where there is nothing to delete, nothing is.
    dir.replay(&recipe).is_quiet();
}

#[test]
fn a_file_and_a_directory_change_places() {
    let dir = Dir::new(&[]);
    dir.write("out/a", b"file");
    dir.write("out/d/x", b"file");
    let ran = dir.replay(&json!([
        lines("a/x", &["1"]),
        {"file": "a", "deleted": true},
        lines("d", &["2"]),
        {"file": "d/x", "deleted": true}
    ]));
    ran.is_quiet();
    assert_eq!(dir.out(), ["a/x", "d"]);
}

#[test]
fn the_old_files_become_the_new_ones_in_place() {
    let dir = Dir::new(&[("a", b"1\n2\n"), ("b", b"3\n")]);
    let recipe = json!([
        {"file": "a", "parts": [{"move": 1, "from": ["b", 1, 1]}]},
        {"file": "b", "parts": [{"move": 2, "from": ["a", 1, 2]}]}
    ]);
    let report = json!({"schema": "mvdiff.effective/1", "changesets": [
        {"schema": "mvdiff.effective/1", "recipe": recipe}]});
    dir.write("report.json", report.to_string().as_bytes());
    dir.run(&["--old", "old", "--out", "old", "report.json"])
        .is_quiet();
    assert_eq!(
        (dir.read("old/a"), dir.read("old/b")),
        (b"3\n".into(), b"1\n2\n".into())
    );
}

#[cfg(unix)]
#[test]
fn modes() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::new(&[("keep.sh", b"x\n"), ("drop.sh", b"x\n")]);
    let mode = |name: &str| {
        std::fs::metadata(dir.path(name))
            .unwrap()
            .permissions()
            .mode()
    };
    for name in ["keep.sh", "drop.sh"] {
        let run = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(dir.path(&format!("old/{name}")), run).unwrap();
    }
    dir.write("out/drop.sh", b"before");
    let kept = |name: &str| json!([{"kept": [name, 1, 1]}]);
    let ran = dir.replay(&json!([
        {"file": "run.sh", "mode": "100755", "parts": [{"lines": ["x"]}]},
        {"file": "plain", "mode": "100644", "parts": [{"lines": ["x"]}]},
        {"file": "keep.sh", "parts": kept("keep.sh")},
        {"file": "drop.sh", "mode": "100644", "parts": kept("drop.sh")},
        {"file": "sub", "mode": "160000", "parts": [{"lines": ["Subproject commit 1"]}]}
    ]));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(
        ran.err,
        "mvdiff: note: sub: is a submodule; left unchanged\n"
    );
    let can_run = |name: &str| mode(name) & 0o100 != 0;
    assert!(can_run("out/run.sh") && can_run("out/keep.sh"));
    assert!(!can_run("out/plain") && !can_run("out/drop.sh"));
    assert!(!dir.path("out/sub").exists());
}

#[cfg(unix)]
#[test]
fn links() {
    let dir = Dir::new(&[("f", b"was a file\n")]);
    std::os::unix::fs::symlink("target/one", dir.path("old/link")).unwrap();
    dir.write("elsewhere", b"untouched");
    std::fs::create_dir(dir.path("out")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", dir.path("out/f")).unwrap();
    let ran = dir.replay(&json!([
        {"file": "link", "no_eol": true, "parts": [{"lines": ["target/two"]}]},
        {"file": "moved", "mode": "120000", "no_eol": true, "parts": [{"kept": ["link", 1, 1]}]},
        {"file": "f", "deleted": true},
        {"file": "f", "mode": "100644", "parts": [{"kept": ["f", 1, 1]}]}
    ]));
    ran.is_quiet();
    let target = |name: &str| std::fs::read_link(dir.path(name)).unwrap();
    assert_eq!(target("out/link"), std::path::Path::new("target/two"));
    assert_eq!(target("out/moved"), std::path::Path::new("target/one"));
    // What was a link is replaced, and not written through.
    assert_eq!(dir.read("out/f"), b"was a file\n");
    assert!(std::fs::read_link(dir.path("out/f")).is_err());
    assert_eq!(dir.read("elsewhere"), b"untouched");
}
