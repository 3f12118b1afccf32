//! Reports that want to write or read elsewhere.

use super::{Dir, lines};
use serde_json::json;

#[test]
fn nothing_is_written_elsewhere() {
    for path in [
        "../x",
        "/etc/x",
        "a/../../x",
        ".git/config",
        "a/.GIT/hooks/x",
        "a//b",
        "C:/x",
        "a\u{0}b",
        "",
    ] {
        let dir = Dir::new(&[]);
        let ran = dir.replay(&json!([lines("fine", &["1"]), lines(path, &["2"])]));
        ran.is_trouble("the path");
        assert!(!dir.path("out").exists(), "{path:?}: all or nothing");
        assert!(!dir.path("x").exists());
    }
}

#[test]
fn nothing_is_deleted_elsewhere() {
    let dir = Dir::new(&[]);
    dir.write("precious", b"x");
    dir.replay(&json!([{"file": "../precious", "deleted": true}]))
        .is_trouble("leads out");
    assert!(dir.path("precious").exists());
}

#[test]
fn nothing_is_read_elsewhere() {
    let dir = Dir::new(&[("a", b"x\n")]);
    dir.write("secret", b"s\n");
    for path in ["../secret", "/etc/passwd", ".git/config"] {
        dir.replay(&json!([{"file": "f", "parts": [{"kept": [path, 1, 1]}]}]))
            .is_trouble("cannot read the old file: the path");
        assert!(!dir.path("out").exists());
    }
}

#[cfg(unix)]
#[test]
fn links_on_the_way_are_not_followed() {
    use std::os::unix::fs::symlink;
    let dir = Dir::new(&[]);
    dir.write("elsewhere/x", b"untouched\n");
    std::fs::create_dir(dir.path("out")).unwrap();
    symlink("../elsewhere", dir.path("out/d")).unwrap();
    symlink("../elsewhere", dir.path("old/d")).unwrap();
    let into = json!([lines("fine", &["1"]), lines("d/x", &["2"])]);
    dir.replay(&into).is_trouble("is a symlink");
    dir.replay(&json!([{"file": "d/x", "deleted": true}]))
        .is_trouble("is a symlink");
    dir.replay(&json!([{"file": "f", "parts": [{"kept": ["d/x", 1, 1]}]}]))
        .is_trouble("is a symlink");
    assert_eq!(dir.out(), ["d"]);
    assert_eq!(dir.read("elsewhere/x"), b"untouched\n");
    // A report cannot bring the link along, nor hide it behind a deletion.
    let link = json!({"file": "l", "mode": "120000", "no_eol": true,
        "parts": [{"lines": ["../elsewhere"]}]});
    dir.replay(&json!([link, lines("l/x", &["2"])]))
        .is_trouble("a file and a directory");
    dir.replay(&json!([{"file": "e", "deleted": true}, {"file": "e/d/x", "deleted": true}]))
        .is_quiet();
    std::fs::create_dir(dir.path("out/e")).unwrap();
    symlink("../../elsewhere", dir.path("out/e/d")).unwrap();
    let ran =
        dir.replay(&json!([{"file": "e", "deleted": true}, {"file": "e/d/x", "deleted": true}]));
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert_eq!(dir.read("elsewhere/x"), b"untouched\n");
}

#[cfg(unix)]
#[test]
fn a_link_that_goes_away_makes_room_for_a_directory() {
    let dir = Dir::new(&[]);
    dir.write("elsewhere/x", b"untouched\n");
    std::fs::create_dir(dir.path("out")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", dir.path("out/d")).unwrap();
    dir.replay(&json!([lines("d/x", &["2"]), {"file": "d", "deleted": true}]))
        .is_quiet();
    assert_eq!(dir.read("out/d/x"), b"2\n");
    assert_eq!(dir.read("elsewhere/x"), b"untouched\n");
}
