//! Patches between trees, printed by git, hundreds per process.

use crate::trees::{Tree, Trees};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Options for printing a patch.
pub const WAYS: [&[&str]; 8] = [
    &["-M"],
    &["-U0", "-M"],
    &["-U1", "--no-renames"],
    &["-M10%", "-C10%", "--find-copies-harder"],
    &["-U10", "-M", "--histogram"],
    &["-M", "--binary", "--full-index", "--patience"],
    &["-M20%", "-B", "--minimal"],
    &["--no-renames", "--irreversible-delete"],
];

/// One patch for each pair of trees, with each of the options in turn.
pub fn patches(cases: &[Trees], ways: &[&[&str]]) -> Vec<Vec<u8>> {
    let repo = tempfile::tempdir().unwrap();
    git(repo.path(), &["init", "-q", "--bare", "."], b"");
    let marks = repo.path().join("marks");
    let mut stream = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        commit(&mut stream, 2 * number + 1, &case.old);
        commit(&mut stream, 2 * number + 2, &case.new);
    }
    let export = format!("--export-marks={}", marks.display());
    git(repo.path(), &["fast-import", "--quiet", &export], &stream);
    let marks = std::fs::read_to_string(marks).unwrap();
    let mut ids = vec![""; 2 * cases.len() + 1];
    for line in marks.lines() {
        let (mark, id) = line[1..].split_once(' ').unwrap();
        ids[mark.parse::<usize>().unwrap()] = id;
    }
    let mut patches = vec![Vec::new(); cases.len()];
    for (turn, way) in ways.iter().enumerate() {
        let numbers = (turn..cases.len()).step_by(ways.len());
        let mut pairs = String::new();
        for case in numbers.clone() {
            writeln!(pairs, "{} {}", ids[2 * case + 2], ids[2 * case + 1]).unwrap();
        }
        let start = ["diff-tree", "--stdin", "--always", "-r", "-p"];
        let all = git(repo.path(), &[&start, *way].concat(), pairs.as_bytes());
        let mut next = numbers.peekable();
        let mut current = None;
        for line in all.split_inclusive(|b| *b == b'\n') {
            let starts = |case: &usize| line.trim_ascii_end() == ids[2 * case + 2].as_bytes();
            match next.next_if(starts) {
                Some(case) => current = Some(case),
                None => patches[current.unwrap()].extend(line),
            }
        }
        assert_eq!(next.next(), None);
    }
    patches
}

fn commit(stream: &mut Vec<u8>, mark: usize, tree: &Tree) {
    write!(
        stream,
        "reset refs/heads/c{mark}\ncommit refs/heads/c{mark}\nmark :{mark}\n\
         committer T <t@example.com> {mark} +0000\ndata 0\n"
    )
    .unwrap();
    for (path, file) in tree {
        let mode = if file.executable { "100755" } else { "100644" };
        let bytes = file.bytes();
        write!(stream, "M {mode} inline \"{path}\"\ndata {}\n", bytes.len()).unwrap();
        stream.extend(bytes);
        stream.push(b'\n');
    }
}

fn git(dir: &Path, args: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = Command::new("git")
        .args(["-c", "fastimport.unpackLimit=0", "-c", "core.fsync=none"])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env_remove("GIT_DIR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input).unwrap());
        child.wait_with_output().unwrap()
    });
    assert!(output.status.success(), "git {args:?}");
    output.stdout
}
