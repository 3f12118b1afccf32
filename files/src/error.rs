//! Errors.

use std::io;
use std::path::PathBuf;

/// Why a file cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FileError {
    /// The kind of trouble.
    pub kind: FileErrorKind,
    /// What is wrong.
    pub message: String,
}

/// The kind of a [`FileError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileErrorKind {
    /// The path leads out of the root.
    OutsideRoot,
    /// The file cannot be read, or is not a regular file.
    Unreadable,
}

impl FileError {
    pub(crate) fn outside(message: impl Into<String>) -> Self {
        Self {
            kind: FileErrorKind::OutsideRoot,
            message: message.into(),
        }
    }

    pub(crate) fn unreadable(message: impl Into<String>) -> Self {
        Self {
            kind: FileErrorKind::Unreadable,
            message: message.into(),
        }
    }
}

/// Why files were not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no place for the journal.
    #[error("there is no home directory to keep the journal in; set XDG_STATE_HOME")]
    NoHome,
    /// The store cannot be used.
    #[error(
        "{}: cannot keep the journal: {error}; set XDG_STATE_HOME to another directory",
        .path.display()
    )]
    Store {
        /// The store.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The store belongs to somebody else.
    #[error(
        "{}: belongs to another user; set XDG_STATE_HOME to a directory of your own",
        .path.display()
    )]
    Foreign {
        /// The store.
        path: PathBuf,
    },
    /// Another run has the store.
    #[error("{}: another run is still writing; nothing was written", .path.display())]
    Busy {
        /// The store.
        path: PathBuf,
    },
    /// A file cannot be written; no file was changed.
    #[error("{}: cannot write: {error}; no file was changed", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The caller wanted to stop; no file was changed.
    #[error("interrupted; no file was changed")]
    Interrupted,
    /// Writing failed, and so did putting some of the files back.
    #[error(
        "{}; could not be put back: {}; {}",
        .cause.to_string().replace("; no file was changed", ""),
        .paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "),
        .hint
    )]
    NotPutBack {
        /// Why writing failed.
        cause: Box<StoreError>,
        /// The files that are not as they were.
        paths: Vec<PathBuf>,
        /// Where the old contents are.
        hint: String,
    },
    /// A file was changed after it was read; nothing was written.
    #[error("{}: was changed in the meantime; nothing was written, run again", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// There is no run to undo.
    #[error("{}: there is nothing to undo here", .path.display())]
    NothingToUndo {
        /// The root or the file.
        path: PathBuf,
    },
    /// A file was changed after the run that is to be undone.
    #[error(
        "{}: was changed since it was edited{}; nothing was undone",
        .path.display(),
        .line.map_or_else(String::new, |line| format!(", in the same lines (line {line})"))
    )]
    ChangedSince {
        /// The file.
        path: PathBuf,
        /// The first conflicting line of the file as it is now.
        line: Option<usize>,
    },
}
