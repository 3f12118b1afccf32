//! Promises that were once not kept: each of these tests was a bug.

use super::Dir;
use assert_cmd::cargo::cargo_bin_cmd;

#[test]
fn a_patch_in_a_pipe_is_the_patch_in_a_file() {
    let every_byte: Vec<u8> = (0..=255).flat_map(|b| [b'x', b, b'y', b'\n']).collect();
    let dir = Dir::of(b"", &every_byte);
    let printed = dir.diff(&["--as", "text", "--format", "unified", "old", "new"]);
    dir.diff(&[
        "--as", "text", "--format", "unified", "-o", "out", "old", "new",
    ]);
    let written = std::fs::read(dir.path("out")).unwrap();
    assert!(
        printed.out == written,
        "bytes are lost on the way to a pipe"
    );
}

#[test]
fn a_file_has_no_colours_unless_they_are_asked_for() {
    let dir = Dir::of(b"a\nb\n", b"a\nc\n");
    dir.diff(&["--format", "terminal", "-o", "out", "old", "new"]);
    let written = std::fs::read(dir.path("out")).unwrap();
    assert!(!written.contains(&0x1b), "escape codes in a file");
}

#[test]
fn misuse_is_one_line_that_names_the_program() {
    let ran = Dir::of(b"a\n", b"b\n").diff(&["--threshold", "1.5", "old", "new"]);
    let one_line = ran.err.starts_with("mvdiff: ") && ran.err.matches('\n').count() == 1;
    assert!(one_line, "not one line: {}", ran.err);
}

#[cfg(target_os = "linux")]
#[test]
fn completions_end_quietly_when_nothing_more_can_be_written() {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("mvdiff"));
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = command
        .args(["completions", "bash"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(2),
        "a panic: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[cfg(unix)]
#[test]
fn an_output_file_is_written_through_a_link() {
    let dir = Dir::new(&[("old", b"a\n"), ("new", b"b\n"), ("real", b"")]);
    std::os::unix::fs::symlink("real", dir.path("link")).unwrap();
    dir.diff(&["-o", "link", "old", "new"]);
    assert!(dir.path("link").is_symlink(), "the link was replaced");
}

#[cfg(unix)]
#[test]
fn a_new_output_file_follows_the_umask() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::of(b"a\n", b"b\n");
    let program = assert_cmd::cargo::cargo_bin!("mvdiff");
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", "umask 077; \"$1\" diff -o out old new", "sh"])
        .arg(program);
    shell.current_dir(dir.0.path()).status().unwrap();
    let mode = std::fs::metadata(dir.path("out"))
        .unwrap()
        .permissions()
        .mode()
        & 0o777;
    assert_eq!(mode, 0o600, "others may read");
}

#[cfg(unix)]
#[test]
fn a_name_cannot_forge_lines_of_a_patch() {
    let name = "x\n--- a/elsewhere";
    let dir = Dir::new(&[("old", b"a\n"), ("x", b"")]);
    if std::fs::create_dir(dir.path("x\n--- a")).is_err() {
        return;
    }
    std::fs::write(dir.path(name), b"b\n").unwrap();
    let patch = dir.diff(&["--format", "unified", "old", name]);
    let names = patch
        .text()
        .lines()
        .take_while(|line| !line.starts_with("@@"));
    assert_eq!(
        names.count(),
        3,
        "a name became two lines: {}",
        patch.text()
    );
}

#[test]
fn a_message_names_what_the_user_named() {
    let mut command = cargo_bin_cmd!("mvdiff");
    let dir = Dir::of(b"a\n", b"b\n");
    let output = command
        .current_dir(dir.0.path())
        .args(["diff", "-o", "nowhere/out", "old", "new"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains(".tmp"), "names what is not there: {said}");
}
