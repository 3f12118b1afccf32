//! Checks whether contents match a patch.

use super::FileContents;
use crate::patch::{self, FilePatch, Status};

/// One file before and after, where known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// Before.
    pub old: Option<Vec<u8>>,
    /// After.
    pub new: Option<Vec<u8>>,
}

impl Sides {
    /// Borrows the contents.
    #[must_use]
    pub fn as_contents(&self) -> FileContents<'_> {
        FileContents {
            old: self.old.as_deref(),
            new: self.new.as_deref(),
        }
    }
}

/// The mode of a submodule: its "content" is a commit of another repository.
const SUBMODULE: u32 = 0o160_000;

/// Whether a file is a submodule, whose content cannot be looked up.
#[must_use]
pub fn is_submodule(file: &FilePatch<'_>) -> bool {
    [file.old_mode, file.new_mode].contains(&Some(SUBMODULE))
}

/// Whether the patch contains the whole file: a new or a deleted one. With
/// `git diff --irreversible-delete`, the lines of a deleted file are omitted.
#[must_use]
pub fn is_said_in_full(file: &FilePatch<'_>) -> bool {
    let one_sided = matches!(file.status, Status::Added | Status::Deleted);
    one_sided && !file.hunks().is_empty()
}

/// Both sides of a file, if the given contents match the patch. A missing side is
/// derived from the other.
#[must_use]
pub fn settle(file: &FilePatch<'_>, read: Sides) -> Option<Sides> {
    let (has_old, has_new) = (file.old_path.is_some(), file.new_path.is_some());
    // A side that does not exist is empty, unless the patch omits the lines of
    // the file.
    let nothing = || is_said_in_full(file).then(Vec::new);
    let old = if has_old { read.old } else { nothing() };
    let new = if has_new { read.new } else { nothing() };
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => patch::fits(file, &old, &new).then_some((old, new))?,
        (Some(old), None) => {
            let new = patch::apply(file, &old)?;
            (old, new)
        }
        (None, Some(new)) => (patch::unapply(file, &new)?, new),
        (None, None) => return None,
    };
    Some(Sides {
        old: has_old.then_some(old),
        new: has_new.then_some(new),
    })
}
