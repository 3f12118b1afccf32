//! A disk that is full, a place that cannot be written to, a signal: nothing half
//! written is left, and the trouble is said in one line.

mod dependencies;
mod threats;

use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const MVDIFF: &str = env!("CARGO_BIN_EXE_mvdiff");

/// Files on which every command writes more than a kilobyte.
fn folder() -> TempDir {
    let dir = TempDir::new().unwrap();
    let write = |name: &str, text: String| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let lines = |word: &str| (0..200).fold(String::new(), |t, i| t + &format!("{word} {i}\n"));
    for (tree, word) in [("old", "old"), ("new", "new")] {
        write(&format!("{tree}/a"), lines(word));
        write(&format!("{tree}/b"), lines(&format!("other {word}")));
    }
    run(
        &dir,
        "git diff --no-index old new > x.patch; mvdiff diff --format json old new > tree.json; \
               mvdiff diff --format json old/a new/a > lines.json; sed -e s:old/::g -e s:new/::g x.patch > y.patch; mvdiff effective --old old --new new --format json y.patch > recipe.json; cp -r old work",
    );
    write(
        "rows",
        (0..40).fold(String::new(), |t, i| {
            t + &format!("{{\"id\":\"{i}\",\"base\":\"a\\n\",\"a\":\"b\\n\",\"b\":\"c\\n\"}}\n")
        }),
    );
    let table = |word: &str| {
        (0..200).fold(String::new(), |t, i| {
            t + &format!("{i},{word} {},{}\n", i % 7, i * 31)
        })
    };
    write("old.csv", table("old"));
    write("new.csv", table("new"));
    run(
        &dir,
        "mvdiff diff --format json old.csv new.csv > table.json",
    );
    write(
        "edit",
        "<<<<<<< SEARCH\nold 7\n=======\nseven\n>>>>>>> REPLACE\n".into(),
    );
    write("manifest.yaml", "lines:\n  - name: c\n".into());
    write("lines/c/old.txt", lines("old"));
    write("lines/c/new.txt", lines("new"));
    write(
        "lines/c/expect.json",
        r#"{"moves": [], "changed": {"old": [], "new": []}}"#.into(),
    );
    dir
}

/// A line of shell, with the program on the path.
fn run(dir: &TempDir, line: &str) -> Output {
    let program = Path::new(MVDIFF).parent().unwrap().display();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", line])
        .current_dir(dir.path())
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("PATH", path);
    shell.output().unwrap()
}

/// All names in the folder, with what is in the files.
fn all(dir: &TempDir) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut todo = vec![dir.path().to_path_buf()];
    while let Some(at) = todo.pop() {
        for entry in std::fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            let bytes = std::fs::read(&path).unwrap_or_default();
            found.push((path.display().to_string(), bytes));
            if path.is_dir() {
                todo.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Commands that write to a file, with a placeholder for it.
const WRITERS: [&str; 15] = [
    "mvdiff diff --format json old/a new/a -o OUT",
    "mvdiff diff --format html old new -o OUT",
    "mvdiff effective --format json x.patch -o OUT",
    "mvdiff effective --format html --old old --new new x.patch -o OUT",
    "mvdiff replay old/a lines.json -o OUT",
    "mvdiff score --jsonl rows -o OUT",
    "mvdiff eval manifest.yaml --report OUT",
    "mvdiff eval manifest.yaml --format json -o OUT",
    "mvdiff diff --format json old.csv new.csv -o OUT",
    "mvdiff diff --format xlsx old.csv new.csv -o OUT",
    "mvdiff diff --format html old.csv new.csv -o OUT",
    "mvdiff replay old.csv table.json -o OUT.xlsx",
    "mvdiff merge old/a old/a new/a -o OUT",
    "mvdiff merge old.csv old.csv new.csv -o OUT.xlsx",
    "mvdiff man --out OUT.d",
];

/// Commands that print, beside those.
const PRINTERS: [&str; 12] = [
    "mvdiff textconv old.csv",
    "mvdiff pager < x.patch",
    "mvdiff apply --stdout edit old/a",
    "mvdiff apply --dry-run --format json edit old/a",
    "mvdiff merge old/a old/a new/a",
    "mvdiff man",
    "mvdiff completions bash",
    "mvdiff --help",
    "mvdiff diff --help",
    "mvdiff merge --format json old/a old/a new/a",
    "mvdiff diff --format html old new",
    "mvdiff effective --format html --old old --new new x.patch",
];

#[track_caller]
fn is_trouble(output: &Output, line: &str) {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{line}: {said}");
    assert_eq!(said.lines().count(), 1, "{line}: {said}");
    assert!(said.starts_with("mvdiff: "), "{line}: {said}");
}

#[test]
fn a_file_that_may_not_grow_is_not_half_written() {
    let dir = folder();
    std::fs::write(dir.path().join("there"), "before\n").unwrap();
    let before = all(&dir);
    for line in WRITERS {
        for out in ["there", "fresh"] {
            let line = format!("ulimit -f 1; {}", line.replace("OUT", out));
            is_trouble(&run(&dir, &line), &line);
            assert!(all(&dir) == before, "{line}");
        }
    }
    for line in ["man --out old", "apply edit old/a"] {
        let line = format!("ulimit -f 1; mvdiff {line}");
        is_trouble(&run(&dir, &line), &line);
        assert!(all(&dir) == before, "{line}");
    }
    for report in ["tree.json", "recipe.json"] {
        let line = format!("ulimit -f 1; mvdiff replay --old work --out work {report}");
        is_trouble(&run(&dir, &line), &line);
        assert!(all(&dir) == before, "{line}");
    }
}

#[test]
fn a_full_standard_output_is_said() {
    let dir = folder();
    for line in WRITERS {
        let line = line.replace("-o OUT", "").replace("--report OUT", "");
        let needs_a_file = ["html", "replay", "mvdiff merge", "mvdiff man"];
        if needs_a_file.iter().any(|word| line.contains(word)) {
            continue;
        }
        let line = format!("{line} > /dev/full");
        is_trouble(&run(&dir, &line), &line);
    }
    for line in PRINTERS {
        let line = format!("{line} > /dev/full");
        is_trouble(&run(&dir, &line), &line);
    }
}

#[test]
fn a_place_where_nothing_can_be_written() {
    let dir = folder();
    let before = all(&dir);
    for line in WRITERS {
        let line = line.replace("OUT", "/proc/nothing");
        is_trouble(&run(&dir, &line), &line);
    }
    let line = "mvdiff replay --old work --out /proc/nothing tree.json";
    is_trouble(&run(&dir, line), line);
    assert!(all(&dir) == before);
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let dir = folder();
    let more = [
        "mvdiff diff --format json old new",
        "mvdiff effective --format json x.patch",
        "mvdiff score --jsonl rows",
        "mvdiff eval manifest.yaml",
    ];
    for line in PRINTERS.into_iter().chain(more) {
        let output = run(&dir, &format!("({line}; echo $? >&2) | true"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(["0\n", "1\n"].contains(&&said[..]), "{line}: {said}");
    }
}

#[test]
fn a_signal_leaves_no_temporary_file() {
    use std::os::unix::process::ExitStatusExt as _;
    let dir = folder();
    std::fs::write(dir.path().join("there"), "before\n").unwrap();
    let before = all(&dir);
    for signal in [2, 15] {
        // It waits for rows, with its output begun.
        let mut command = Command::new(MVDIFF);
        command.args(["score", "--jsonl", "-", "-o", "there"]);
        let command = command.current_dir(dir.path()).stdin(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let begun = || std::fs::read_dir(dir.path()).unwrap().count() > count(&before, &dir);
        for _ in 0..500 {
            if begun() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert!(begun(), "no temporary file was seen");
        // The guard comes right after the file.
        std::thread::sleep(std::time::Duration::from_millis(200));
        let kill = format!("kill -{signal} {}", child.id());
        assert!(run(&dir, &kill).status.success());
        // To wait closes the input, and its end may come before the signal.
        let _input = child.stdin.take();
        assert_eq!(child.wait().unwrap().signal(), Some(signal));
        assert!(all(&dir) == before, "{signal}");
    }
}

/// Commands that wait for their input, with an output that is there already.
const WAITERS: [&[&str]; 6] = [
    &["diff", "--format", "json", "-", "new/a", "-o", "there"],
    &["diff", "--format", "html", "-", "new/a", "-o", "there"],
    &["effective", "--format", "json", "-", "-o", "there"],
    &["effective", "--format", "html", "-", "-o", "there"],
    &["apply", "-", "old/a"],
    &["pager"],
];

#[test]
fn a_signal_ends_every_command_and_changes_nothing() {
    use std::os::unix::process::ExitStatusExt as _;
    let dir = folder();
    std::fs::write(dir.path().join("there"), "before\n").unwrap();
    let before = all(&dir);
    for args in WAITERS {
        for signal in [2, 15] {
            let mut command = Command::new(MVDIFF);
            let state = TempDir::new().unwrap();
            command.args(args).current_dir(dir.path());
            command.env("XDG_STATE_HOME", state.path());
            command.stdin(Stdio::piped()).stdout(Stdio::null());
            let mut child = command.spawn().unwrap();
            std::thread::sleep(std::time::Duration::from_millis(300));
            let kill = format!("kill -{signal} {}", child.id());
            assert!(run(&dir, &kill).status.success(), "{args:?} did not wait");
            // To wait closes the input, and its end may come before the signal.
            let _input = child.stdin.take();
            assert_eq!(child.wait().unwrap().signal(), Some(signal), "{args:?}");
            assert!(all(&dir) == before, "{args:?}");
        }
    }
}

fn count(all: &[(String, Vec<u8>)], dir: &TempDir) -> usize {
    let top = dir.path();
    let is_top = |(name, _): &&(String, Vec<u8>)| Path::new(name).parent() == Some(top);
    all.iter().filter(is_top).count()
}
