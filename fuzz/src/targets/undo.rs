//! What was written to files is taken back to the byte.

use super::two_texts;
use mvdiff_files::{Change, Content, Root, Store};
use std::path::{Path, PathBuf};

/// A folder of this process, in memory where the system has such a place.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let above = if memory.is_dir() {
            memory.to_path_buf()
        } else {
            std::env::temp_dir()
        };
        let folder = above.join(format!("mvdiff-undo-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("root")).expect("a folder");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn law(input: &[u8]) {
    let folder = Folder::new();
    let (old, new) = two_texts(input);
    let path = |name: &str| folder.0.join("root").join(name);
    std::fs::write(path("changed"), &old).expect("a file");
    std::fs::write(path("gone"), &new).expect("a file");
    let root = Root::open(&folder.0.join("root")).expect("a root");
    let store = Store::new(folder.0.join("store"));
    let change = |name: &str, to: Option<&[u8]>| {
        let source = root.read(name.as_bytes()).expect("a place below the root");
        Change::new(source, to.map(|bytes| Content::File(bytes.to_vec())))
    };
    let changes = vec![
        change("changed", Some(&new)),
        change("gone", None),
        change("d/made", Some(&old)),
    ];
    store.write(&root, changes).expect("it can be written");
    let read = |name: &str| std::fs::read(path(name)).ok();
    assert_eq!(read("changed").as_ref(), Some(&new));
    assert_eq!((read("gone"), read("d/made").as_ref()), (None, Some(&old)));
    store
        .undo(&root, None, &mvdiff_edit::merge_lines)
        .expect("it can be taken back");
    assert_eq!(read("changed").as_ref(), Some(&old));
    assert_eq!((read("gone").as_ref(), read("d/made")), (Some(&new), None));
}
