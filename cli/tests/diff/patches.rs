//! What is printed as unified is taken by the real `git apply` and `patch`.

use super::{Dir, fixtures};
use std::path::Path;
use std::process::{Command, Stdio};

fn ok(command: &mut Command) {
    let output = command
        .stdin(Stdio::null())
        .output()
        .expect("git and patch are needed for this test");
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Makes the patch of two texts and applies it with both tools.
fn applies(what: &str, old: &[u8], new: &[u8], options: &[&str]) {
    let dir = Dir::new(&[]);
    for folder in ["a", "b", "git", "patch"] {
        std::fs::create_dir(dir.path(folder)).unwrap();
    }
    for (folder, bytes) in [("a", old), ("b", new), ("git", old), ("patch", old)] {
        std::fs::write(dir.path(folder).join("file.txt"), bytes).unwrap();
    }
    let args = [
        options,
        &[
            "--format",
            "unified",
            "-o",
            "patch.diff",
            "a/file.txt",
            "b/file.txt",
        ],
    ]
    .concat();
    assert_eq!(dir.diff(&args).code, 1, "{what}");
    let patch = dir.path("patch.diff");
    // Names are a/a/file.txt and b/b/file.txt.
    let zero = if options.contains(&"-U0") {
        &["--unidiff-zero"][..]
    } else {
        &[]
    };
    ok(Command::new("git")
        .current_dir(dir.path("git"))
        .env("GIT_CEILING_DIRECTORIES", dir.0.path())
        .args(["apply", "-p2", "--whitespace=nowarn"])
        .args(zero)
        .arg(&patch));
    ok(Command::new("patch")
        .current_dir(dir.path("patch"))
        .args(["-p2", "--binary", "--posix", "-s", "-i"])
        .arg(&patch)
        .arg("file.txt"));
    for tool in ["git", "patch"] {
        // Both may remove an emptied file.
        let got = std::fs::read(dir.path(tool).join("file.txt")).unwrap_or_default();
        assert_eq!(
            String::from_utf8_lossy(&got),
            String::from_utf8_lossy(new),
            "{what} with {tool}"
        );
    }
}

#[test]
fn small_patches_apply() {
    let numbers = super::numbers(1..=30);
    let (first, last) = (
        numbers.replacen("1\n", "one\n", 1),
        numbers.replacen("30\n", "thirty\n", 1),
    );
    let both = first.replacen("30\n", "thirty\n", 1);
    let rotated = super::numbers((11..=30).chain(1..=10));
    let crlf = numbers.replace('\n', "\r\n");
    let crlf_changed = crlf.replacen("15\r\n", "fifteen\r\n", 1);
    let cases: [(&str, &[u8], &[u8]); 17] = [
        ("first line", numbers.as_bytes(), first.as_bytes()),
        ("last line", numbers.as_bytes(), last.as_bytes()),
        ("two hunks", numbers.as_bytes(), both.as_bytes()),
        ("a moved block", numbers.as_bytes(), rotated.as_bytes()),
        (
            "line ends of two bytes",
            crlf.as_bytes(),
            crlf_changed.as_bytes(),
        ),
        ("line ends converted", crlf.as_bytes(), numbers.as_bytes()),
        ("filled", b"", b"a\nb\n"),
        ("emptied", b"a\nb\n", b""),
        ("newline lost", b"a\nb\n", b"a\nb"),
        ("newline gained", b"a\nb", b"a\nb\n"),
        ("edited without newline", b"a\nb", b"a\nc"),
        ("appended after no newline", b"a", b"a\nb"),
        ("cut down to no newline", b"a\nb\n", b"a"),
        ("latin-1", b"caf\xe9\nx\n", b"th\xe9\nx\n"),
        (
            "lines that look like a patch",
            b"--- a\n+++ b\n@@ -1 +1 @@\n",
            b"--- b\n+++ a\n@@ -2 +2 @@\n",
        ),
        ("blank lines", b"\n\n\na\n\n", b"\n\na\n\n\n\n"),
        ("white space at line ends", b"a \nb\t\nc\n", b"a\nb\nc \n"),
    ];
    for (what, old, new) in cases {
        for options in [&[][..], &["-U0"], &["-U1"], &["-U100"]] {
            // With nothing around it, `patch` puts a hunk where it pleases.
            if options == ["-U0"] && what == "blank lines" {
                continue;
            }
            applies(&format!("{what} {options:?}"), old, new, options);
        }
    }
}

#[test]
fn patches_of_the_fixtures_apply() {
    let read = |case: &Path, name: &str| std::fs::read(case.join(name)).unwrap();
    for case in std::fs::read_dir(fixtures()).unwrap() {
        let case = case.unwrap().path();
        applies(
            &case.display().to_string(),
            &read(&case, "old.txt"),
            &read(&case, "new.txt"),
            &[],
        );
        applies(
            &case.display().to_string(),
            &read(&case, "new.txt"),
            &read(&case, "old.txt"),
            &[],
        );
    }
}

#[test]
fn a_name_with_a_blank_is_not_cut() {
    let dir = Dir::new(&[("my file.txt", b"a\n"), ("other", b"b\n")]);
    let patch = dir.diff(&["my file.txt", "other"]);
    std::fs::write(dir.path("patch.diff"), &patch.out).unwrap();
    ok(Command::new("patch").current_dir(dir.0.path()).args([
        "-p1",
        "-s",
        "-i",
        "patch.diff",
        "my file.txt",
    ]));
    assert_eq!(std::fs::read(dir.path("my file.txt")).unwrap(), b"b\n");
}

#[test]
fn a_patch_of_two_names_changes_the_old_file() {
    let dir = Dir::new(&[("old.py", b"1\n2\n3\n"), ("new.py", b"1\n2\nx\n")]);
    let args = ["--format", "unified", "-o", "p", "old.py", "new.py"];
    assert_eq!(dir.diff(&args).code, 1);
    std::fs::remove_file(dir.path("new.py")).unwrap();
    ok(Command::new("git")
        .current_dir(dir.path(""))
        .env("GIT_CEILING_DIRECTORIES", dir.0.path())
        .args(["apply", "p"]));
    // git calls the result by either name.
    let made = ["old.py", "new.py"].map(|name| std::fs::read(dir.path(name)).ok());
    let made: Vec<Vec<u8>> = made.into_iter().flatten().collect();
    assert_eq!(made, [b"1\n2\nx\n"]);
}
