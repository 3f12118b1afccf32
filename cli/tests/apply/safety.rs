//! Nothing outside of the root, whatever the blocks name.

use super::{Dir, block, form};

const SECRET: &str = "secret\n";

fn dir() -> Dir {
    let dir = Dir::new(&[("in.txt", "secret\n"), ("sub/in.txt", "secret\n")]);
    dir.write("out.txt", SECRET.as_bytes());
    dir.write("out/in.txt", SECRET.as_bytes());
    dir.write("tree/.git/config", SECRET.as_bytes());
    dir
}

/// Everything is as `dir` made it.
#[track_caller]
fn is_untouched(dir: &Dir) {
    for name in [
        "out.txt",
        "out/in.txt",
        "tree/.git/config",
        "tree/in.txt",
        "tree/sub/in.txt",
    ] {
        let text = std::fs::read_to_string(dir.path(name)).unwrap();
        assert_eq!(text, SECRET, "{name}");
    }
    assert_eq!(std::fs::read_dir(dir.path("out")).unwrap().count(), 1);
}

#[test]
fn paths_that_lead_out_are_refused_and_nothing_is_written() {
    let dir = dir();
    let absolute = dir.path("out.txt").to_str().unwrap().to_owned();
    let paths = [
        "../out.txt",
        "sub/../../out.txt",
        "./../out.txt",
        "sub/../in.txt",
        "..",
        "",
        "/",
        &absolute,
        "//server/out.txt",
        "\\\\server\\out.txt",
        "..\\out.txt",
        "sub\\..\\..\\out.txt",
        "C:\\out.txt",
        "C:/out.txt",
        "a\0b",
        "sub//in.txt",
        "sub/",
        ".git/config",
        ".GIT/config",
        ".git./config",
        "sub/.git/hooks/pre-commit",
        "git~1/config",
        ".g\u{200c}it/config",
    ];
    for path in paths {
        for (search, partial) in [("secret", "--partial"), ("", "--verbose")] {
            // A good edit beside it is not written, either.
            let edits = form(&[
                ("in.txt", &block("secret", "changed")),
                (path, &block(search, "stolen")),
            ]);
            let ran = dir.run_with(&[partial, "--format", "json", "-"], edits.as_bytes());
            assert_eq!(ran.code, 2, "{path:?}");
            assert_eq!(ran.json()["error_kind"], "outside_root", "{path:?}");
            is_untouched(&dir);
        }
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let dir = dir();
    symlink("../../out.txt", dir.path("tree/sub/link.txt")).unwrap();
    symlink("../out", dir.path("tree/folder")).unwrap();
    symlink("sub", dir.path("tree/inside")).unwrap();
    for path in [
        "sub/link.txt",
        "folder/in.txt",
        "folder/new.txt",
        "inside/in.txt",
    ] {
        let search = if path.ends_with("new.txt") {
            ""
        } else {
            "secret"
        };
        let edits = form(&[(path, &block(search, "stolen"))]);
        let ran = dir.run_with(&["-"], edits.as_bytes());
        ran.is(2, "is a symlink, which is not followed");
        is_untouched(&dir);
    }
}

/// A folder and a link to another one change places all the time while edits
/// are written: whatever happens, nothing is written behind the link.
#[cfg(unix)]
#[test]
fn a_link_that_is_swapped_in_leads_nobody_astray() {
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};
    let dir = dir();
    let (folder, aside) = (dir.path("tree/sub"), dir.path("tree/aside"));
    let link = dir.path("tree/link");
    symlink("../out", &link).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                // Some fail, where the program was quicker.
                let _ = std::fs::rename(&folder, &aside);
                let _ = std::fs::rename(&link, &folder);
                let _ = std::fs::rename(&folder, &link);
                let _ = std::fs::rename(&aside, &folder);
            }
        });
        for round in 0..60 {
            let (from, to) = (round.to_string(), (round + 1).to_string());
            let from = if round == 0 { "secret" } else { &from };
            let edits = form(&[("sub/in.txt", &block(from, &to))]);
            dir.run_with(&["--partial", "-"], edits.as_bytes());
            let out: Vec<_> = std::fs::read_dir(dir.path("out")).unwrap().collect();
            assert_eq!(out.len(), 1, "round {round}");
            let text = std::fs::read_to_string(dir.path("out/in.txt")).unwrap();
            assert_eq!(text, SECRET, "round {round}");
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_waited_for() {
    let dir = dir();
    let made = std::process::Command::new("mkfifo")
        .arg(dir.path("tree/pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    let edits = form(&[("pipe", &block("a", "b")), ("sub", &block("a", "b"))]);
    let ran = dir.run_with(&["-"], edits.as_bytes());
    ran.is(2, "pipe: is not a regular file");
    ran.is(2, "sub: is not a regular file");
}

#[cfg(unix)]
#[test]
fn nothing_that_is_kept_can_be_read_by_others() {
    use std::os::unix::fs::PermissionsExt as _;
    fn modes(at: &std::path::Path, found: &mut Vec<(String, u32)>) {
        for entry in std::fs::read_dir(at).unwrap().map(Result::unwrap) {
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            found.push((entry.path().display().to_string(), mode));
            if entry.file_type().unwrap().is_dir() {
                modes(&entry.path(), found);
            }
        }
    }
    let dir = Dir::new(&[("key.txt", "secret\n")]);
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(dir.path("tree/key.txt"), private).unwrap();
    // As an earlier version left it.
    std::fs::create_dir_all(dir.path("state/mvdiff/pending")).unwrap();
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(dir.path("state/mvdiff"), open).unwrap();
    dir.apply(&block("secret", "changed"), "key.txt", &[])
        .is(0, "");
    let mut found = Vec::new();
    modes(&dir.path("state"), &mut found);
    let old = |path: &str| path.ends_with("/pending");
    for (path, mode) in found.iter().filter(|(path, _)| !old(path)) {
        assert_eq!(mode & 0o077, 0, "{path} {mode:o}");
    }
    assert!(found.iter().any(|(path, _)| path.ends_with("/data")));
    let mode = |name: &str| {
        let found = std::fs::metadata(dir.path("tree").join(name)).unwrap();
        found.permissions().mode() & 0o777
    };
    assert_eq!(mode("key.txt"), 0o600);
    // A file that comes back is as private as it was.
    let gone = "--- a/key.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-changed\n";
    dir.run_with(&["-"], gone.as_bytes()).is(0, "");
    dir.run(&["--undo"]).is(0, "");
    assert_eq!(
        (mode("key.txt"), dir.text("key.txt")),
        (0o600, "changed\n".into())
    );
}

#[test]
fn a_journal_that_leads_out_writes_nothing_and_stops_nobody() {
    let dir = Dir::new(&[("in.txt", "a\n")]);
    dir.write("out.txt", SECRET.as_bytes());
    let root = dir.path("tree").canonicalize().unwrap();
    let journal = serde_json::json!({
        "version": 1, "id": "x", "root": root, "undoes": null,
        "files": [{
            "path": ["..", "out.txt"], "like": null, "made": null,
            "old": { "start": 0, "len": 7 }, "new": { "start": 7, "len": 6 },
        }],
    });
    dir.write("state/mvdiff/pending/e/data", b"secret\nstolen");
    dir.write(
        "state/mvdiff/pending/e/journal.json",
        journal.to_string().as_bytes(),
    );
    dir.write("state/mvdiff/pending/.DS_Store", b"");
    dir.apply(&block("a", "b"), "in.txt", &["--dry-run"])
        .is(0, "");
    dir.apply(&block("a", "b"), "in.txt", &[]).is(0, "");
    assert_eq!(
        std::fs::read_to_string(dir.path("out.txt")).unwrap(),
        SECRET
    );
    assert_eq!(dir.text("in.txt"), "b\n");
}
