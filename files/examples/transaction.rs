//! Changes two files at once, and takes it back.

use mvdiff_files::{Change, Root, Store, no_merge};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let (tree, state) = (folder.path().join("tree"), folder.path().join("state"));
    std::fs::create_dir(&tree)?;
    std::fs::write(tree.join("a.txt"), "old\n")?;

    let root = Root::open(&tree)?;
    let store = Store::new(state);
    let changes = vec![
        Change::new(root.read(b"a.txt")?, Some(b"new\n".to_vec().into())),
        Change::new(root.read(b"made/b.txt")?, Some(b"b\n".to_vec().into())),
    ];
    store.write(&root, changes)?;
    assert_eq!(std::fs::read(tree.join("a.txt"))?, b"new\n");

    store.undo(&root, None, &no_merge)?;
    assert_eq!(std::fs::read(tree.join("a.txt"))?, b"old\n");
    assert!(!tree.join("made").exists());
    Ok(())
}
