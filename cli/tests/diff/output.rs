//! Files written whole or not at all, and pipes that close early.

use super::{Dir, numbers};
use std::io::Read as _;
use std::process::{Command, Stdio};

#[test]
fn an_output_file_holds_what_would_have_been_printed() {
    let dir = Dir::of(b"a\nb\n", b"a\nc\n");
    for format in ["unified", "json"] {
        let printed = dir.diff(&["--format", format, "old", "new"]);
        let written = dir.diff(&["--format", format, "-o", "out", "old", "new"]);
        assert_eq!((written.code, written.text()), (1, ""));
        assert_eq!(std::fs::read(dir.path("out")).unwrap(), printed.out);
    }
    assert_eq!(
        dir.names(),
        ["new", "old", "out"],
        "nothing temporary is left"
    );
}

#[test]
fn an_output_file_is_written_even_if_there_is_nothing_to_say() {
    let dir = Dir::new(&[("old", b"a\n"), ("out", b"of yesterday\n")]);
    assert_eq!(dir.diff(&["-o", "out", "old", "old"]).code, 0);
    assert_eq!(std::fs::read(dir.path("out")).unwrap(), b"");
}

#[test]
fn trouble_leaves_the_output_file_alone() {
    let dir = Dir::new(&[("old", b"a\n"), ("out", b"of yesterday\n")]);
    dir.diff(&["-o", "out", "old", "nowhere"])
        .is_trouble("nowhere");
    assert_eq!(std::fs::read(dir.path("out")).unwrap(), b"of yesterday\n");
}

#[test]
fn a_folder_that_is_not_there() {
    let dir = Dir::of(b"a\n", b"b\n");
    dir.diff(&["-o", "nowhere/out", "old", "new"])
        .is_trouble("nowhere/out: cannot write");
    assert_eq!(dir.names(), ["new", "old"]);
}

#[test]
fn a_folder_in_the_place_of_the_file_stays() {
    let dir = Dir::of(b"a\n", b"b\n");
    std::fs::create_dir(dir.path("out")).unwrap();
    dir.diff(&["-o", "out", "old", "new"])
        .is_trouble("out: cannot write");
    assert_eq!(dir.names(), ["new", "old", "out"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_to_stays_as_it_was() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::of(b"a\n", b"b\n");
    let locked = dir.path("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(locked.join("probe"), "").is_ok() {
        return; // the superuser writes everywhere
    }
    dir.diff(&["-o", "locked/out", "old", "new"])
        .is_trouble("locked/out: cannot write");
    assert_eq!(std::fs::read_dir(&locked).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::new(&[("old", b"a\n"), ("new", b"b\n"), ("out", b"")]);
    std::fs::set_permissions(dir.path("out"), std::fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(dir.diff(&["-o", "out", "old", "new"]).code, 1);
    assert_eq!(
        std::fs::metadata(dir.path("out"))
            .unwrap()
            .permissions()
            .mode()
            & 0o777,
        0o640
    );
}

/// Runs the program with a reader that goes away after a few bytes.
fn read_a_little(dir: &Dir, args: &[&str]) -> (Option<i32>, String) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("mvdiff"))
        .current_dir(dir.0.path())
        .arg("diff")
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 16]).unwrap();
    drop(out);
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    (child.wait().unwrap().code(), said)
}

#[test]
fn a_closed_pipe_is_no_trouble() {
    let many = numbers(0..100_000);
    let dir = Dir::of(b"", many.as_bytes());
    for format in ["terminal", "unified", "json"] {
        let ended = read_a_little(&dir, &["--format", format, "old", "new"]);
        assert_eq!(ended, (Some(0), String::new()), "{format}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_trouble() {
    let dir = Dir::of(b"a\n", b"b\n");
    for format in ["terminal", "unified", "json"] {
        let output = Command::new(assert_cmd::cargo::cargo_bin!("mvdiff"))
            .current_dir(dir.0.path())
            .args(["diff", "--format", format, "old", "new"])
            .stdout(
                std::fs::File::options()
                    .write(true)
                    .open("/dev/full")
                    .unwrap(),
            )
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(
            output.stderr.starts_with(b"mvdiff: "),
            "{:?}",
            output.stderr
        );
    }
}

#[cfg(unix)]
#[test]
fn standard_output_by_its_name_is_written_to_and_not_replaced() {
    let dir = Dir::of(b"a\n", b"b\n");
    let script = "echo head; \"$0\" diff -U0 -o /dev/stdout old new; echo tail";
    let log = std::fs::File::create(dir.path("log")).unwrap();
    let mut command = std::process::Command::new("sh");
    let program = assert_cmd::cargo::cargo_bin!("mvdiff");
    command
        .args(["-c", script])
        .arg(program)
        .current_dir(dir.path(""));
    assert!(command.stdout(log).status().unwrap().success());
    let log = std::fs::read_to_string(dir.path("log")).unwrap();
    assert!(
        log.starts_with("head\n") && log.ends_with("+b\ntail\n"),
        "{log}"
    );
}

#[test]
fn two_columns_that_are_asked_for_are_printed_into_a_pipe_as_well() {
    let ran = Dir::of(b"same\nold\n", b"same\nnew\n").diff(&["-y", "-W", "60", "old", "new"]);
    assert!(ran.text().starts_with("old → new\n"), "{}", ran.text());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_with_where_it_was_met() {
    let dir = Dir::of(b"a\n", b"b\n");
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("mvdiff"));
    command
        .args(["diff", "old", "new"])
        .current_dir(dir.path(""));
    let ran = command.stdout(full).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(2));
    assert!(
        said.starts_with("mvdiff: standard output: cannot write: "),
        "{said}"
    );
}
