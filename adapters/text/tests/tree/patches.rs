//! Printed patches are accepted by `git apply` and `patch`, and parsed back here.

use crate::laws::{any_trees, config, files};
use crate::{Files, LINK, PLAIN, SCRIPT, block, trees};
use mvdiff_text::patch::parse;
use mvdiff_text::tree::{TreeOptions, TreePatch};
use proptest::prelude::*;
use std::path::Path;
use std::process::{Command, Stdio};

fn patch(old: &Files, new: &Files, context: u32) -> Vec<u8> {
    let trees = trees(old, new);
    let patch = TreePatch::new(&trees, &TreeOptions::default()).unwrap();
    let mut out = Vec::new();
    patch.write(&mut out, context).unwrap();
    assert_eq!(patch.is_empty(), out.is_empty());
    out
}

#[cfg(unix)]
mod disk {
    use super::*;
    use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
    use std::os::unix::fs::PermissionsExt as _;

    pub fn write(root: &Path, files: &Files) {
        for (path, (mode, bytes)) in files {
            let full = root.join(std::ffi::OsStr::from_bytes(path));
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            if *mode == LINK {
                std::os::unix::fs::symlink(std::ffi::OsStr::from_bytes(bytes), full).unwrap();
                continue;
            }
            std::fs::write(&full, bytes).unwrap();
            let mode = std::fs::Permissions::from_mode(mode & 0o777);
            std::fs::set_permissions(&full, mode).unwrap();
        }
    }

    pub fn read(root: &Path) -> Files {
        let mut found = Files::new();
        let mut folders = vec![root.to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let full = entry.unwrap().path();
                let path = full.strip_prefix(root).unwrap().as_os_str().as_bytes();
                let kind = std::fs::symlink_metadata(&full).unwrap();
                if kind.is_dir() {
                    folders.push(full);
                } else if kind.is_symlink() {
                    let target = std::fs::read_link(&full).unwrap().into_os_string();
                    found.insert(path.to_vec(), (LINK, target.into_vec()));
                } else {
                    let run = kind.permissions().mode() & 0o100 != 0;
                    let mode = if run { SCRIPT } else { PLAIN };
                    found.insert(path.to_vec(), (mode, std::fs::read(&full).unwrap()));
                }
            }
        }
        found
    }

    fn run(command: &mut Command) -> Result<(), String> {
        let output = command.stdin(Stdio::null()).output();
        let output = output.expect("git and patch are needed for this test");
        let said = [output.stdout, output.stderr].concat();
        if output.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&said).into_owned())
    }

    /// Applies a patch with both tools.
    pub fn applies(old: &Files, new: &Files, patch: &[u8], tools: &[&str]) -> Result<(), String> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("patch.diff");
        std::fs::write(&file, patch).unwrap();
        for tool in tools {
            let root = dir.path().join(tool);
            std::fs::create_dir(&root).unwrap();
            write(&root, old);
            let mut command = Command::new(tool);
            command.current_dir(&root);
            match *tool {
                "git" => command
                    .env("GIT_CEILING_DIRECTORIES", dir.path())
                    .args(["apply", "--whitespace=nowarn"])
                    .arg(&file),
                _ => command.args(["-p1", "--binary", "-s", "-i"]).arg(&file),
            };
            let shown = String::from_utf8_lossy(patch);
            run(&mut command).map_err(|said| format!("{tool}: {said}\n{shown}"))?;
            let found = read(&root);
            if found != *new {
                return Err(format!("{tool}: {found:?}\n{shown}"));
            }
        }
        Ok(())
    }
}

/// Whether `patch` can apply git's output: it ignores added or deleted empty
/// files and mode changes, and in a rename it cannot read a name with a blank,
/// nor one outside its locale.
#[cfg(unix)]
fn is_for_patch(old: &Files, new: &Files) -> bool {
    let plain = |path: &[u8]| path.is_ascii() && !path.contains(&b' ');
    let stays = |here: &Files, there: &Files| {
        here.iter()
            .all(|(path, (mode, bytes))| match there.get(path) {
                Some(other) => other.0 == *mode,
                None => !bytes.is_empty() && plain(path),
            })
    };
    stays(old, new) && stays(new, old) && old.keys().all(|path| path.is_ascii())
}

#[cfg(unix)]
proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn patches_of_random_trees_apply(random in crate::random::trees(), context in 1..4u32) {
        let (old, new) = (files(&random.old), files(&random.new));
        let patch = patch(&old, &new, context);
        prop_assume!(!patch.is_empty());
        disk::applies(&old, &new, &patch, &["git"]).map_err(TestCaseError::fail)?;
        if is_for_patch(&old, &new) {
            disk::applies(&old, &new, &patch, &["patch"]).map_err(TestCaseError::fail)?;
        }
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn patches_of_random_trees_are_read_back(random in any_trees(), context in 0..4u32) {
        let (old, new) = (files(&random.old), files(&random.new));
        let patch = patch(&old, &new, context);
        if patch.is_empty() {
            prop_assert_eq!(old, new);
            return Ok(());
        }
        let changesets = parse(&patch).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let mut made = old.clone();
        let mut come = Files::new();
        for file in &changesets[0].files {
            let before = file.old_path.as_ref().and_then(|path| old.get(&**path));
            if let Some(path) = &file.old_path {
                made.remove(&**path);
            }
            let Some(path) = &file.new_path else { continue };
            let (was, bytes) = before.cloned().unwrap_or((PLAIN, Vec::new()));
            let bytes = if file.is_binary() {
                new[&**path].1.clone()
            } else {
                mvdiff_text::patch::apply(file, &bytes)
                    .ok_or_else(|| TestCaseError::fail("a hunk does not fit"))?
            };
            come.insert(path.to_vec(), (file.new_mode.unwrap_or(was), bytes));
        }
        made.append(&mut come);
        prop_assert_eq!(made, new, "{}", String::from_utf8_lossy(&patch));
    }
}

#[cfg(unix)]
#[test]
fn heads_are_those_of_git() {
    let link = |target: &str| (LINK, target.as_bytes().to_vec());
    let mut old = files_of(&[
        ("edited", "a\nb\nc\n"),
        ("emptied", "x\n"),
        ("gone \"and\" quoted", "x\n"),
        ("mode", "x\n"),
        ("moved", &block("a")),
        ("moved edited", &block("b")),
        ("no newline", "a\nb"),
        ("h\u{e9}", "x\n"),
    ]);
    old.insert(b"link".to_vec(), link("here"));
    old.insert(b"to link".to_vec(), (PLAIN, b"x\n".to_vec()));
    old.insert(b"binary".to_vec(), (PLAIN, b"\0a".to_vec()));
    let mut new = files_of(&[
        ("edited", "a\nB\nc\n"),
        ("emptied", ""),
        ("born", ""),
        ("come", "y\n"),
        ("mode", "x\n"),
        ("dir/moved", &block("a")),
        ("dir/edited", &(block("b") + "more\n")),
        ("no newline", "a\nc"),
        ("h\u{e9}", "y\n"),
    ]);
    new.get_mut(&b"mode"[..]).unwrap().0 = SCRIPT;
    new.insert(b"link".to_vec(), link("there"));
    new.insert(b"to link".to_vec(), link("x"));
    new.insert(b"binary".to_vec(), (PLAIN, b"\0b".to_vec()));
    new.insert(b"binary too".to_vec(), (PLAIN, b"\0c".to_vec()));
    let ours = String::from_utf8(patch(&old, &new, 3)).unwrap();
    assert_eq!(ours, git_diff(&old, &new), "git's is on the right");
}

#[cfg(unix)]
fn files_of(list: &[(&str, &str)]) -> Files {
    crate::files(list)
}

/// Git's patch between two trees, without ids and hunk headings.
#[cfg(unix)]
fn git_diff(old: &Files, new: &Files) -> String {
    let dir = tempfile::tempdir().unwrap();
    let git = |args: &[&str]| {
        let output = Command::new("git")
            .current_dir(dir.path().join("work"))
            .env("GIT_DIR", dir.path().join("git"))
            .env("GIT_WORK_TREE", dir.path().join("work"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .args(args)
            .output()
            .expect("git is installed");
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    std::fs::create_dir(dir.path().join("work")).unwrap();
    git(&["init", "--quiet"]);
    let mut trees = Vec::new();
    for files in [old, new] {
        std::fs::remove_dir_all(dir.path().join("work")).unwrap();
        disk::write(&dir.path().join("work"), files);
        git(&["add", "--all"]);
        trees.push(git(&["write-tree"]).trim().to_owned());
    }
    let diff = git(&["diff", "-M", "--no-color", &trees[0], &trees[1]]);
    let lines = diff.lines().map(|line| match line.rfind(" @@ ") {
        Some(at) if line.starts_with("@@ ") => line[..at + 3].to_owned() + "\n",
        _ => line.to_owned() + "\n",
    });
    lines.collect()
}
