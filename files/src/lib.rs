//! Files below a directory, read safely and written all or none.
//!
//! A [`Root`] is a directory that is held open. Every path below it is looked up
//! relative to it and no link is followed, so that a link that is swapped in
//! cannot lead a read or a write elsewhere.
//!
//! A [`Store`] keeps a journal of every transaction outside of the tree. Before the
//! first file is touched, the old and new contents are on disk; then each file is
//! replaced by a rename. If the process is killed, the next one finds the journal
//! and finishes the transaction, or takes it back if somebody else changed one of
//! the files since. A finished journal is what [`Store::undo`] needs.
//!
//! [`write_without_journal`] does the same without a store: all or none, unless the
//! process is killed. [`AtomicFile`] replaces a single file.
//!
//! ```
//! use mvdiff_files::{Change, Root, Store};
//!
//! # let folder = tempfile::tempdir()?;
//! # let (tree, state) = (folder.path().join("tree"), folder.path().join("state"));
//! # std::fs::create_dir(&tree)?;
//! # std::fs::write(tree.join("a.txt"), "old\n")?;
//! let root = Root::open(&tree)?;
//! let store = Store::new(state);
//! let changes = vec![
//!     Change::new(root.read(b"a.txt")?, Some(b"new\n".to_vec().into())),
//!     Change::new(root.read(b"made/b.txt")?, Some(b"b\n".to_vec().into())),
//! ];
//! store.write(&root, changes)?;
//! assert_eq!(std::fs::read(tree.join("a.txt"))?, b"new\n");
//!
//! store.undo(&root, None, &mvdiff_files::no_merge)?;
//! assert_eq!(std::fs::read(tree.join("a.txt"))?, b"old\n");
//! assert!(!tree.join("made").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod atomic;
mod content;
mod dir;
mod error;
mod journal;
mod path;
#[cfg(not(unix))]
mod portable;
mod root;
mod run;
mod store;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use portable as system;
#[cfg(unix)]
use unix as system;

pub use atomic::{AtomicFile, without_path};
pub use content::{Change, Content, Like, Permissions, Source};
pub use error::{FileError, FileErrorKind, StoreError};
pub use path::{bytes_of, parts};
pub use root::{Found, NewFolders, Root};
pub use run::write_without_journal;
pub use store::{Merge, Recovered, Session, Store, Undone, no_merge};
