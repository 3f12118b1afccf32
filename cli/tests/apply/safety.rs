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
        ran.is(2, "is a link, which is not followed");
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
    ran.is(2, "pipe: is no regular file");
    ran.is(2, "sub: is no regular file");
}
