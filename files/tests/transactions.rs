//! All or none, and undone: what the program's own tests do not reach.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use mvdiff_files::{
    AtomicFile, Change, Content, Found, Root, Store, StoreError, no_merge, write_without_journal,
};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

struct Tree(tempfile::TempDir);

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = tree.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        tree
    }

    fn path(&self) -> PathBuf {
        let path = self.0.path().join("tree");
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    fn root(&self) -> Root {
        Root::open(&self.path()).unwrap()
    }

    fn store(&self) -> Store {
        Store::new(self.0.path().join("state"))
    }

    /// Every file and folder, with what the files hold.
    fn all(&self) -> BTreeMap<PathBuf, Option<String>> {
        fn walk(at: &Path, found: &mut BTreeMap<PathBuf, Option<String>>) {
            for entry in std::fs::read_dir(at).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, found);
                }
                let text = std::fs::read_to_string(&path).ok();
                found.insert(path, text);
            }
        }
        let mut found = BTreeMap::new();
        walk(&self.path(), &mut found);
        found
    }
}

fn file(text: &str) -> Content {
    Content::File(text.into())
}

/// A file becomes a folder, a folder becomes a file, a file is edited.
fn changes(root: &Root) -> Vec<Change> {
    vec![
        Change::new(root.read_any(b"file").unwrap(), None).pruning(),
        Change::new(root.read_any(b"folder/deep/in").unwrap(), None).pruning(),
        Change::new(root.read_any(b"edited").unwrap(), Some(file("new\n"))),
        Change::new(root.absent(b"file/in/here").unwrap(), Some(file("new\n"))),
        Change::new(root.absent(b"folder").unwrap(), Some(file("new\n"))),
    ]
}

fn tree() -> Tree {
    Tree::new(&[
        ("file", "old\n"),
        ("folder/deep/in", "old\n"),
        ("edited", "old\n"),
    ])
}

#[test]
fn files_and_folders_change_places_and_back() {
    let tree = tree();
    let (root, store, before) = (tree.root(), tree.store(), tree.all());
    store.write(&root, changes(&root)).unwrap();
    assert_eq!(root.look(b"file").unwrap(), Found::Folder);
    assert!(matches!(root.look(b"folder").unwrap(), Found::File(_)));
    assert_eq!(tree.all().len(), 5);
    let undone = store.undo(&root, None, &no_merge).unwrap();
    assert_eq!(undone.files.len(), 5);
    assert_eq!(tree.all(), before);
}

#[test]
fn an_interruption_at_any_step_takes_everything_back() {
    for journal in [true, false] {
        for stop in 0.. {
            let tree = tree();
            let (root, before) = (tree.root(), tree.all());
            let asked = Cell::new(0);
            let interrupted = || asked.replace(asked.get() + 1) == stop;
            let store = tree.store();
            let written = if journal {
                let session = store.begin().unwrap();
                session.write(&root, changes(&root), &interrupted)
            } else {
                write_without_journal(&root, changes(&root), &interrupted)
            };
            if written.is_ok() {
                assert!(stop > 5, "only {stop} steps");
                break;
            }
            assert!(matches!(written, Err(StoreError::Interrupted)), "{stop}");
            assert_eq!(tree.all(), before, "{stop}");
        }
    }
}

#[test]
fn a_file_that_somebody_else_changed_stops_all() {
    let tree = tree();
    let root = tree.root();
    let changes = changes(&root);
    std::fs::write(tree.path().join("edited"), "theirs\n").unwrap();
    let before = tree.all();
    let written = tree.store().write(&root, changes);
    assert!(matches!(written, Err(StoreError::Changed { .. })));
    assert_eq!(tree.all(), before);
}

#[test]
fn later_changes_are_merged_or_a_conflict() {
    let tree = Tree::new(&[("a", "1\n2\n")]);
    let (root, store) = (tree.root(), tree.store());
    let change = Change::new(root.read(b"a").unwrap(), Some(file("one\n2\n")));
    store.write(&root, vec![change]).unwrap();
    std::fs::write(tree.path().join("a"), "one\n2\n3\n").unwrap();
    let refused = store.undo(&root, None, &no_merge);
    assert!(matches!(
        refused,
        Err(StoreError::ChangedSince { line: Some(3), .. })
    ));
    let merge = |_: &[u8], _: &[u8], _: &[u8]| Ok(b"1\n2\n3\n".to_vec());
    let undone = store.undo(&root, None, &merge).unwrap();
    assert_eq!(undone.merged, [Path::new("a")]);
    assert_eq!(std::fs::read(tree.path().join("a")).unwrap(), b"1\n2\n3\n");
}

#[test]
fn a_file_that_is_not_committed_leaves_nothing() {
    use std::io::Write as _;
    let tree = Tree::new(&[("a", "old\n")]);
    let before = tree.all();
    let path = tree.path().join("a");
    let mut new = AtomicFile::new(&path).unwrap();
    new.file().write_all(b"half").unwrap();
    drop(new);
    assert_eq!(tree.all(), before);
    let mut new = AtomicFile::new(&path).unwrap();
    new.file().write_all(b"new\n").unwrap();
    new.commit().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"new\n");
}
