//! The content of a file, and the change to it.

use crate::system::Stamp;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;

/// What is stored under a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A regular file with these bytes.
    File(Vec<u8>),
    /// A symbolic link to this path.
    Link(Vec<u8>),
}

impl Content {
    /// The bytes of the file, or the path that the link names.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::File(bytes) | Self::Link(bytes) => bytes,
        }
    }

    /// As [`bytes`](Self::bytes), without a copy.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::File(bytes) | Self::Link(bytes) => bytes,
        }
    }

    pub(crate) fn is_link(&self) -> bool {
        matches!(self, Self::Link(_))
    }
}

/// A path below a root and what it held when it was read.
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) parts: Vec<OsString>,
    pub(crate) stamp: Option<Stamp>,
    pub(crate) like: Option<Like>,
    pub(crate) content: Option<Content>,
}

impl Source {
    pub(crate) fn missing(parts: Vec<OsString>) -> Self {
        Self {
            parts,
            stamp: None,
            like: None,
            content: None,
        }
    }

    /// Its bytes; `None` if there is no such file.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        self.content.as_ref().map(Content::bytes)
    }

    /// Its content; `None` if there is no such file.
    #[must_use]
    pub fn content(&self) -> Option<&Content> {
        self.content.as_ref()
    }

    /// Its content, without a copy.
    #[must_use]
    pub fn into_content(self) -> Option<Content> {
        self.content
    }

    /// Its mode and owner, if there is such a file.
    #[must_use]
    pub fn like(&self) -> Option<Like> {
        self.like
    }

    /// Its path below the root.
    #[must_use]
    pub fn name(&self) -> PathBuf {
        self.parts.iter().collect()
    }
}

/// A file and what is to become of it.
#[derive(Clone, Debug)]
pub struct Change {
    pub(crate) source: Source,
    pub(crate) new: Option<Content>,
    pub(crate) permissions: Option<Permissions>,
    pub(crate) prune: Option<usize>,
    /// The modes of the path's folders, where they may be missing.
    pub(crate) folders: Vec<u32>,
}

impl Change {
    /// A file as it was read, and its new content; `None` removes it. The
    /// file keeps the permissions of the one that it replaces, or has those of any
    /// new file.
    #[must_use]
    pub fn new(source: Source, new: Option<Content>) -> Self {
        Self {
            source,
            new,
            permissions: None,
            prune: None,
            folders: Vec::new(),
        }
    }

    /// With these permissions.
    #[must_use]
    pub fn with_permissions(mut self, permissions: Permissions) -> Self {
        self.permissions = Some(permissions);
        self
    }

    /// Folders that the removed file leaves empty are removed, too.
    #[must_use]
    pub fn pruning(mut self) -> Self {
        self.prune = Some(0);
        self
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Self::File(bytes)
    }
}

/// Mode and owner of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Like(pub(crate) (u32, (u32, u32)));

impl Like {
    /// The bits of the mode; 0 where the system has none.
    #[must_use]
    pub fn mode(&self) -> u32 {
        self.0.0
    }

    pub(crate) fn of(stamp: &Stamp) -> Self {
        Self((stamp.mode, stamp.owner()))
    }
}

/// Who may read, write and run a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Permissions {
    /// The mode and owner of another file.
    Like(Like),
    /// This mode.
    Mode(u32),
    /// What the umask leaves of this mode.
    New(u32),
}

impl Permissions {
    /// Those of any new file.
    pub(crate) const ORDINARY: Self = Self::New(0o666);
}
