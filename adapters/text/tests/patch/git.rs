//! Checks against git: its patches are read, and it accepts the printed ones.

use crate::{accept, names, print};
use mvdiff_text::patch::LineKind;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(folder: &Path, arguments: &[&str], input: Option<&[u8]>) -> Output {
    let mut child = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@x"])
        .args(["-c", "core.autocrlf=false", "-c", "init.defaultBranch=main"])
        .args(["-c", "core.safecrlf=false", "-c", "commit.gpgSign=false"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git");
    let mut stdin = child.stdin.take().expect("a pipe");
    let bytes = input.unwrap_or_default().to_vec();
    let writer = std::thread::spawn(move || {
        // Git may reject its input before reading all of it.
        let _ = std::io::Write::write_all(&mut stdin, &bytes);
    });
    let output = child.wait_with_output().expect("git");
    writer.join().expect("a writer");
    output
}

/// Runs git, which must succeed.
fn git(folder: &Path, arguments: &[&str], input: Option<&[u8]>) -> Vec<u8> {
    let output = run(folder, arguments, input);
    assert!(
        output.status.success(),
        "git {arguments:?}: {}\n{}",
        String::from_utf8_lossy(&output.stderr),
        String::from_utf8_lossy(input.unwrap_or_default()),
    );
    output.stdout
}

type Tree = BTreeMap<String, Vec<u8>>;

const NAMES: [&str; 9] = [
    "f",
    "g",
    "d/f",
    "a b",
    "a/b",
    "b/x y",
    "tab\there",
    "größe",
    "\"q\"",
];

fn content() -> impl Strategy<Value = Vec<u8>> {
    let line = prop::sample::select(vec![
        &b"a\n"[..],
        b"b\n",
        b"\n",
        b"c\r\n",
        b"-- \n",
        b"--- a/f\n",
        b"+++ b/f\n",
        b"@@ -1 +1 @@\n",
        b"\\ No newline at end of file\n",
        b"caf\xe9\n",
        b"diff --git a/f b/f\n",
        b"    indented\n",
    ]);
    let text = (
        prop::collection::vec(line, 0..14),
        prop::option::of(Just(&b"end"[..])),
    );
    prop_oneof![
        9 => text.prop_map(|(lines, end)| [lines.concat(), end.unwrap_or_default().to_vec()].concat()),
        1 => prop::collection::vec(any::<u8>(), 0..60).prop_map(|mut bytes| {
            bytes.push(0);
            bytes
        }),
    ]
}

/// Old contents of some files, and a change to each.
fn trees() -> impl Strategy<Value = (Tree, Tree)> {
    let fate = (content(), content(), 0..6_u8, 0..NAMES.len());
    prop::collection::btree_map(prop::sample::select(&NAMES[..]), fate, 1..5).prop_map(|files| {
        let (mut old, mut new) = (Tree::new(), Tree::new());
        for (name, (first, second, fate, other)) in files {
            let mut put = |tree: usize, name: &str, bytes: Vec<u8>| {
                let tree = if tree == 0 { &mut old } else { &mut new };
                tree.insert(name.to_owned(), bytes);
            };
            match fate {
                0 => put(0, name, first),
                1 => put(1, name, first),
                2 => {
                    let moved = NAMES[other];
                    put(0, name, [&first[..], b"more\nof\nit\n"].concat());
                    put(1, moved, [&first[..], b"more\nof\n"].concat());
                }
                3 => {
                    put(0, name, first.clone());
                    put(1, name, first.clone());
                    put(1, &format!("copy of {name}"), first);
                }
                4 => {
                    put(0, name, [&first[..], &second].concat());
                    put(1, name, [&second[..], &first].concat());
                }
                _ => {
                    put(0, name, first);
                    put(1, name, second);
                }
            }
        }
        (old, new)
    })
}

fn write(folder: &Path, tree: &Tree) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.file_name().is_some_and(|name| name == ".git") {
            continue;
        }
        if path.is_dir() {
            std::fs::remove_dir_all(path).expect("removed");
        } else {
            std::fs::remove_file(path).expect("removed");
        }
    }
    for (name, bytes) in tree {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, bytes).expect("written");
    }
}

fn commit(folder: &Path, tree: &Tree, message: &str) {
    write(folder, tree);
    git(folder, &["add", "-A"], None);
    git(folder, &["commit", "-qm", message, "--allow-empty"], None);
}

fn tree_id(folder: &Path, revision: &str) -> Vec<u8> {
    git(
        folder,
        &["rev-parse", &format!("{revision}^{{tree}}")],
        None,
    )
}

/// Options for printing a diff that git can apply, and the matching `git apply`
/// options.
const FLAGS: [(&[&str], &[&str]); 9] = [
    (&[], &[]),
    (&["-U0"], &["--unidiff-zero"]),
    (&["-U10", "--full-index"], &[]),
    (&["--no-prefix"], &["-p0"]),
    (&["-M"], &[]),
    (&["-C", "--find-copies-harder"], &[]),
    (&["--src-prefix=i/", "--dst-prefix=w/"], &[]),
    (&["--src-prefix=old/", "--dst-prefix=newer/"], &[]),
    (&["--function-context", "-M10%"], &[]),
];

/// Added and removed lines for each file in order, `None` for binaries.
fn numstat(folder: &Path, patch: &[u8], how: &[&str]) -> Vec<Option<(usize, usize)>> {
    let arguments = [&["apply", "--numstat", "-z", "--allow-empty"], how].concat();
    git(folder, &arguments, Some(patch))
        .split(|&byte| byte == 0)
        .filter(|record| !record.is_empty())
        .map(|record| {
            let text = String::from_utf8_lossy(record);
            let mut fields = text.split('\t').map(|field| field.parse().ok());
            fields.next().flatten().zip(fields.next().flatten())
        })
        .collect()
}

fn our_numstat(patch: &[u8]) -> Vec<Option<(usize, usize)>> {
    accept(patch)
        .iter()
        .flat_map(|set| &set.files)
        .map(|file| {
            let lines = || file.hunks().iter().flat_map(|hunk| &hunk.lines);
            let of = |kind| lines().filter(|line| line.kind == kind).count();
            (!file.is_binary()).then(|| (of(LineKind::Added), of(LineKind::Removed)))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn git_takes_what_is_printed_and_gets_the_same_tree(
        (old, new) in trees(),
        quote in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        git(folder, &["init", "-q"], None);
        git(folder, &["config", "core.quotePath", if quote { "true" } else { "false" }], None);
        commit(folder, &old, "old");
        commit(folder, &new, "new");
        let wanted = tree_id(folder, "HEAD");
        git(folder, &["checkout", "-q", "HEAD~"], None);
        for (flags, how) in FLAGS {
            let range = ["diff", "--binary", "HEAD", "main"];
            let patch = git(folder, &[&range[..2], flags, &range[2..]].concat(), None);
            let sets = accept(&patch);
            let printed = print(&sets);
            prop_assert_eq!(
                String::from_utf8_lossy(&printed), String::from_utf8_lossy(&patch), "{:?}", flags
            );
            prop_assert_eq!(our_numstat(&patch), numstat(folder, &patch, how), "{:?}", flags);
            let apply = ["apply", "--index", "--allow-empty", "--whitespace=nowarn"];
            git(folder, &[&apply[..], how].concat(), Some(&printed));
            prop_assert_eq!(&tree_of_index(folder), &wanted, "{:?}", flags);
            git(folder, &["reset", "-q", "--hard"], None);

            let range = ["diff", "--name-status", "-z", "HEAD", "main"];
            let listed = git(folder, &[&range[..3], flags, &range[3..]].concat(), None);
            prop_assert_eq!(names(&sets), named(&listed), "{:?}", flags);
        }
    }

    #[test]
    fn files_outside_a_repository_and_without_contents_are_read(
        first in content(), second in content(),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        for (name, bytes) in [("o/x y", &first), ("n/x y", &second)] {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, bytes).expect("written");
        }
        // Exits with 1 if files differ.
        let patch = run(folder, &["diff", "--no-index", "o", "n"], None).stdout;
        let sets = accept(&patch);
        prop_assert_eq!(print(&sets), &patch[..]);
        for file in sets.iter().flat_map(|set| &set.files) {
            prop_assert_eq!(file.old_path.as_deref(), Some(&b"o/x y"[..]));
            prop_assert_eq!(file.new_path.as_deref(), Some(&b"n/x y"[..]));
        }
    }

    #[test]
    fn logs_and_mails_have_a_changeset_for_each_commit(
        all in prop::collection::vec(trees(), 1..3),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        git(folder, &["init", "-q"], None);
        let mut messages = Vec::new();
        for (at, (old, new)) in all.iter().enumerate() {
            for (half, tree) in [("old", old), ("new", new)] {
                let message = format!("{half} {at}\n\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n\ncommit 0123456789");
                commit(folder, tree, &message);
                messages.push(format!("{half} {at}"));
            }
        }
        let ids = git(folder, &["rev-list", "--reverse", "HEAD"], None);
        let ids: Vec<&[u8]> = ids.split(|&byte| byte == b'\n').filter(|id| !id.is_empty()).collect();
        for (arguments, keeps_empty) in [
            (&["log", "--reverse", "-p", "--binary"][..], true),
            (&["log", "--reverse", "-p", "--stat", "--decorate", "--format=fuller"], true),
            (&["log", "--reverse", "-p", "--format=%H %s"], true),
            (&["format-patch", "--stdout", "--root", "HEAD"], false),
        ] {
            let text = git(folder, arguments, None);
            let sets = accept(&text);
            prop_assert_eq!(print(&sets), &text[..]);
            let mut wanted: Vec<(&[u8], &str)> =
                ids.iter().copied().zip(messages.iter().map(String::as_str)).collect();
            if !keeps_empty {
                wanted.retain(|(id, _)| occurrences(&text, id) > 0);
            }
            let found: Vec<(&[u8], String)> = sets
                .iter()
                .map(|set| {
                    let subject = set.subject.unwrap_or_default();
                    (set.commit.unwrap_or_default(), String::from_utf8_lossy(subject).into_owned())
                })
                .collect();
            let found: Vec<(&[u8], &str)> = found.iter().map(|(id, s)| (*id, s.as_str())).collect();
            prop_assert_eq!(found, wanted, "{:?}", arguments);
        }
    }
}

/// Old and new paths of `git diff --name-status -z`.
fn named(listed: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(listed);
    let mut fields = text.split_terminator('\0');
    let mut all = Vec::new();
    while let (Some(status), Some(path)) = (fields.next(), fields.next()) {
        let (path, none) = (path.to_owned(), "-".to_owned());
        all.push(match status.as_bytes()[0] {
            b'A' => (none, path),
            b'D' => (path, none),
            b'R' | b'C' => (path, fields.next().expect("a second path").to_owned()),
            _ => (path.clone(), path),
        });
    }
    all
}

fn occurrences(text: &[u8], id: &[u8]) -> usize {
    text.windows(id.len())
        .filter(|window| *window == id)
        .count()
}

fn tree_of_index(folder: &Path) -> Vec<u8> {
    git(folder, &["write-tree"], None)
}
