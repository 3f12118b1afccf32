//! All files or none: whatever fails, and whenever.

use super::{Dir, lines};
use serde_json::{Value, json};

/// Replays into the old files, which must be as they were then.
#[track_caller]
fn refused(dir: &Dir, recipe: &Value, says: &str) {
    let before = dir.below("old");
    let report = json!({"schema": "mvdiff.effective/1", "recipe": recipe});
    dir.write("report.json", report.to_string().as_bytes());
    let ran = dir.run(&["--old", "old", "--out", "old", "report.json"]);
    ran.is_trouble(says);
    ran.is_trouble("; no file was changed");
    assert_eq!(dir.below("old"), before);
}

fn gone(file: &str) -> Value {
    json!({"file": file, "deleted": true})
}

#[test]
fn a_name_that_is_too_long() {
    let dir = Dir::new(&[("a", b"old\n"), ("d/e/x", b"x\n")]);
    let long = format!("new/folder/{}", "x".repeat(300));
    let recipe = json!([
        lines("a", &["NEW"]),
        gone("d/e/x"),
        lines("come", &["c"]),
        lines(&long, &["b"])
    ]);
    refused(&dir, &recipe, "cannot write: File name too long");
}

#[test]
fn a_directory_in_the_way_that_is_not_empty() {
    let dir = Dir::new(&[("a", b"old\n"), ("d/x", b"x\n"), ("d/y", b"y\n")]);
    let recipe = json!([lines("a", &["NEW"]), gone("d/x"), lines("d", &["f"])]);
    refused(&dir, &recipe, "d: cannot write: a directory is in the way");
}

#[test]
fn a_directory_that_is_made_for_it_goes_again() {
    let dir = Dir::new(&[("a", b"x\n")]);
    let long = "x".repeat(300);
    let ran = dir.replay(&json!([lines("fine", &["1"]), lines(&long, &["2"])]));
    ran.is_trouble("File name too long");
    assert!(!dir.path("out").exists());
}

#[cfg(unix)]
#[test]
fn modes_and_links_come_back() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let dir = Dir::new(&[("run", b"#!\n"), ("d/x", b"x\n")]);
    let mode = |name: &str, bits: u32| {
        let mode = std::fs::Permissions::from_mode(bits);
        std::fs::set_permissions(dir.path(name), mode).unwrap();
    };
    mode("old/run", 0o750);
    mode("old/d", 0o711);
    symlink("run", dir.path("old/link")).unwrap();
    let recipe = json!([
        lines("run", &["1"]),
        gone("d/x"),
        {"file": "link", "mode": "120000", "no_eol": true, "parts": [{"lines": ["other"]}]},
        lines(&format!("fresh/{}", "x".repeat(300)), &["b"])
    ]);
    refused(&dir, &recipe, "too long");
    let bits = |name: &str| {
        let found = std::fs::metadata(dir.path(name)).unwrap();
        found.permissions().mode() & 0o777
    };
    assert_eq!((bits("old/run"), bits("old/d")), (0o750, 0o711));
    let target = std::fs::read_link(dir.path("old/link")).unwrap();
    assert_eq!(target.to_str(), Some("run"));
}

#[test]
fn a_recipe_that_would_fill_the_disk() {
    let text = [&[b'x'; 98][..], b"\n"].concat().repeat(10_000);
    let dir = Dir::new(&[("f", &text)]);
    let part = json!({"kept": ["f", 1, 10_000]});
    let recipe = json!([{"file": "g", "parts": vec![part; 20_000]}]);
    dir.replay(&recipe).is_trouble("more than 1 GiB");
    let wide = json!({"move": 1, "from": ["f", 1, 10_000], "indent": {"from": "", "to": " ".repeat(200_000)}});
    dir.replay(&json!([{"file": "g", "parts": [wide]}]))
        .is_trouble("more than 1 GiB");
    assert!(!dir.path("out").exists());
}

#[cfg(unix)]
#[test]
fn an_empty_file_that_was_renamed_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::new(&[("x", b"")]);
    let runs = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(dir.path("old/x"), runs).unwrap();
    dir.replay(&json!([gone("x"), {"file": "y", "origin": "x"}]))
        .is_quiet();
    let mode = std::fs::metadata(dir.path("out/y")).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o755);
}

/// A signal in the middle of many files: all are new, or all are old.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_leaves_all_old_or_all_new() {
    use std::os::unix::process::ExitStatusExt as _;
    let names: Vec<String> = (0..400).map(|i| format!("d{}/f{i}", i % 7)).collect();
    let recipe: Vec<Value> = names.iter().map(|name| lines(name, &["new"])).collect();
    let report = json!({"schema": "mvdiff.effective/1", "recipe": recipe}).to_string();
    let mut interrupted = 0;
    for (round, signal) in (0..12).zip([2, 15].into_iter().cycle()) {
        let dir = Dir::new(&[]);
        for name in &names {
            dir.write(&format!("old/{name}"), b"old\n");
        }
        dir.write("report.json", report.as_bytes());
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mvdiff"));
        command.args(["replay", "--old", "old", "--out", "old", "report.json"]);
        let command = command
            .current_dir(dir.path(""))
            .env("XDG_STATE_HOME", dir.path("state"))
            .stderr(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(round * 7));
        let kill = format!("kill -{signal} {}", child.id());
        let killed = std::process::Command::new("sh")
            .args(["-c", &kill])
            .status();
        assert!(killed.is_ok());
        let status = child.wait().unwrap();
        let texts: std::collections::BTreeSet<Vec<u8>> = dir.below("old").into_values().collect();
        assert_eq!(texts.len(), 1, "round {round}: old and new files");
        let stages = std::fs::read_dir(dir.path("old")).unwrap();
        assert_eq!(stages.count(), 7, "round {round}: something is left");
        interrupted += u32::from(status.signal() == Some(signal));
    }
    assert!(interrupted > 0, "no signal came in time");
}

/// Runs `mvdiff apply` with no change to make, as any next run would be.
fn apply(dir: &Dir, args: &[&str]) -> std::process::Output {
    dir.write("edit", b"<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n");
    dir.write("other", b"x\n");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mvdiff"));
    command.arg("apply").args(args).current_dir(dir.path(""));
    command.env("XDG_STATE_HOME", dir.path("state"));
    command.output().unwrap()
}

/// Killed in the middle of many files, which come, go and change places with folders.
#[cfg(unix)]
#[test]
fn a_killed_replay_in_place_is_finished_by_the_next_run() {
    let names: Vec<String> = (0..60).map(|i| format!("d{}/f{i}", i % 3)).collect();
    let mut recipe: Vec<Value> = names.iter().map(|name| lines(name, &["new"])).collect();
    recipe.extend([gone("file"), lines("file/in", &["new"])]);
    recipe.extend([gone("folder/in"), lines("folder", &["new"])]);
    let report = json!({"schema": "mvdiff.effective/1", "recipe": recipe}).to_string();
    let mut whole = None;
    for round in 0..16 {
        let dir = Dir::new(&[("file", b"old\n"), ("folder/in", b"old\n")]);
        for name in &names {
            dir.write(&format!("old/{name}"), b"old\n");
        }
        let before = dir.below("old");
        dir.write("report.json", report.as_bytes());
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mvdiff"));
        command.args(["replay", "--old", "old", "--out", "old", "report.json"]);
        command.current_dir(dir.path(""));
        command.env("XDG_STATE_HOME", dir.path("state"));
        let begun = std::time::Instant::now();
        let mut child = command.spawn().unwrap();
        match whole {
            None => {
                assert!(child.wait().unwrap().success());
                whole = Some((begun.elapsed(), dir.below("old")));
                continue;
            }
            Some((time, _)) => std::thread::sleep(time * round / 16),
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(
            apply(&dir, &["--dry-run", "edit", "other"])
                .status
                .success()
        );
        let now = dir.below("old");
        let (_, after) = whole.as_ref().unwrap();
        assert!(
            now == before || now == *after,
            "round {round}: {:?}",
            now.keys()
        );
        let pending = dir.path("state/mvdiff/pending");
        let pending = std::fs::read_dir(pending).map_or(0, Iterator::count);
        assert_eq!(pending, 0, "round {round}");
    }
}

#[cfg(unix)]
#[test]
fn a_replay_in_place_can_be_undone() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let dir = Dir::new(&[("run", b"#!\n"), ("d/x", b"x\n"), ("file", b"f\n")]);
    let mode = |name: &str, bits: u32| {
        let mode = std::fs::Permissions::from_mode(bits);
        std::fs::set_permissions(dir.path(name), mode).unwrap();
    };
    mode("old/run", 0o750);
    mode("old/d", 0o711);
    symlink("run", dir.path("old/link")).unwrap();
    let before = dir.below("old");
    let recipe = json!([
        {"file": "run", "mode": "100644", "parts": [{"lines": ["1"]}]},
        gone("d/x"),
        gone("file"),
        lines("file/in/here", &["new"]),
        {"file": "link", "mode": "120000", "no_eol": true, "parts": [{"lines": ["other"]}]},
    ]);
    let report = json!({"schema": "mvdiff.effective/1", "recipe": recipe});
    dir.write("report.json", report.to_string().as_bytes());
    dir.run(&["--old", "old", "--out", "old", "report.json"])
        .is_quiet();
    assert_eq!(dir.read("old/file/in/here"), b"new\n");
    assert!(!dir.path("old/d").exists());
    let undone = apply(&dir, &["--undo", "--root", "old"]);
    assert!(
        undone.status.success(),
        "{}",
        String::from_utf8_lossy(&undone.stderr)
    );
    assert_eq!(dir.below("old"), before);
    let bits = |name: &str| {
        let found = std::fs::metadata(dir.path(name)).unwrap();
        found.permissions().mode() & 0o777
    };
    assert_eq!((bits("old/run"), bits("old/d")), (0o750, 0o711));
    let target = std::fs::read_link(dir.path("old/link")).unwrap();
    assert_eq!(target.to_str(), Some("run"));
}
