//! Files below a root: read, and written all or none.
//!
//! A run of several files is a transaction. Before the first of them is
//! touched, their old and new contents lie in the store, outside of the tree,
//! down on the disk; then each file is replaced by a rename. Whatever kills the
//! run, the next one finds the journal and finishes what was begun, or, if
//! somebody else changed one of the files since, puts back what was written.
//! Afterwards the journal is what undoing needs.

mod journal;
mod path;
#[cfg(not(unix))]
mod portable;
mod root;
mod run;
mod store;
mod three_way;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use portable as system;
#[cfg(unix)]
use unix as system;

pub use path::parts;
pub use root::{Change, FileError, Like, Root, Source};
pub use run::write_plainly;
pub use store::{Recovered, Session, Store, StoreError, Undone};
