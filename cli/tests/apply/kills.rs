//! A run that is killed leaves all files old or all new, once the next one has
//! looked. `kills` in bench/ does this a thousand times with larger files.

use super::{Dir, block, form};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FILES: usize = 24;
const KILLS: u64 = 30;

fn content(index: usize, version: &str) -> String {
    let line = |i: usize| format!("file {index} line {i}\n");
    let lines: String = (0..2000).map(line).collect();
    format!("{lines}version = {version}\n")
}

fn name(index: usize) -> String {
    format!("part{}/f{index}.txt", index % 3)
}

/// Which version all files have; fails if they are not all of one.
#[track_caller]
fn version(dir: &Dir) -> &'static str {
    let found: Vec<&str> = (0..FILES)
        .map(|index| {
            let text = dir.text(&name(index));
            let versions = ["old", "new"].into_iter();
            let mut version = versions.filter(|version| content(index, version) == text);
            version.next().expect("a file is torn")
        })
        .collect();
    assert!(found.iter().all(|v| v == &found[0]), "{found:?}");
    if found[0] == "old" { "old" } else { "new" }
}

#[test]
fn a_killed_run_is_finished_or_never_was() {
    let dir = Dir::new(&[]);
    for index in 0..FILES {
        dir.write(
            &format!("tree/{}", name(index)),
            content(index, "old").as_bytes(),
        );
    }
    for (file, from, to) in [("forward", "old", "new"), ("back", "new", "old")] {
        let edit = block(&format!("version = {from}"), &format!("version = {to}"));
        let names: Vec<String> = (0..FILES).map(name).collect();
        let files: Vec<(&str, &str)> = names.iter().map(|n| (&n[..], &edit[..])).collect();
        dir.write(file, form(&files).as_bytes());
    }
    let start = |blocks: &str| {
        Command::new(env!("CARGO_BIN_EXE_mvdiff"))
            .args(["apply", "--root"])
            .arg(dir.path("tree"))
            .arg(dir.path(blocks))
            .env("XDG_STATE_HOME", dir.path("state"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let begun = Instant::now();
    assert!(start("forward").wait().unwrap().success());
    let whole = begun.elapsed().as_micros() as u64;
    let (mut seen, mut names) = (version(&dir), dir.files());
    names.sort();
    for kill in 0..KILLS {
        let blocks = if seen == "old" { "forward" } else { "back" };
        let mut child = start(blocks);
        std::thread::sleep(Duration::from_micros(whole * (kill + 1) / (KILLS + 1)));
        child.kill().unwrap();
        child.wait().unwrap();
        let blocks = dir.path(blocks);
        dir.run(&["--dry-run", blocks.to_str().unwrap()]);
        seen = version(&dir);
        assert_eq!(dir.files(), names, "something is left over");
        let pending = dir.path("state/mvdiff/pending");
        assert_eq!(std::fs::read_dir(pending).unwrap().count(), 0);
    }
}

/// A file that somebody else changed in between is left to them, and the run is
/// taken back.
#[test]
fn an_interrupted_run_never_overwrites_what_came_later() {
    let dir = Dir::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let edits = form(&[("a.txt", &block("a", "A")), ("b.txt", &block("b", "B"))]);
    dir.run_with(&["-"], edits.as_bytes()).is(0, "");
    // The record of a run that is done is what a run that is not leaves.
    let undo = dir.path("state/mvdiff/undo");
    let root = std::fs::read_dir(&undo)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let record = root.join("0000000001");
    let pending = dir.path("state/mvdiff/pending/x");
    std::fs::rename(&record, &pending).unwrap();
    dir.write("tree/b.txt", b"foreign\n");
    let ran = dir.apply(&block("foreign", "foreign"), "b.txt", &[]);
    ran.is(
        1,
        "took an interrupted run of 2 files back, since b.txt was changed meanwhile",
    );
    assert_eq!(
        (dir.text("a.txt"), dir.text("b.txt")),
        ("a\n".into(), "foreign\n".into())
    );
    assert_eq!(
        std::fs::read_dir(dir.path("state/mvdiff/pending"))
            .unwrap()
            .count(),
        0
    );
}
