//! Whether contents are those that a patch is about.

use super::FileContents;
use crate::patch::{self, FilePatch, Status};

/// One file before and after, where it is known and exists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// Before.
    pub old: Option<Vec<u8>>,
    /// After.
    pub new: Option<Vec<u8>>,
}

impl Sides {
    /// The same, borrowed.
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

/// Whether a file is a submodule, of which there is nothing to be looked up.
#[must_use]
pub fn is_submodule(file: &FilePatch<'_>) -> bool {
    [file.old_mode, file.new_mode].contains(&Some(SUBMODULE))
}

/// Whether the patch itself holds the whole file: a new or a deleted one. With
/// `git diff --irreversible-delete` the lines of a deleted file are left out.
#[must_use]
pub fn is_said_in_full(file: &FilePatch<'_>) -> bool {
    let one_sided = matches!(file.status, Status::Added | Status::Deleted);
    one_sided && !file.hunks().is_empty()
}

/// Both sides from what was read, if it fits the patch. A side that was not
/// read is made from the other.
#[must_use]
pub fn settle(file: &FilePatch<'_>, read: Sides) -> Option<Sides> {
    let (has_old, has_new) = (file.old_path.is_some(), file.new_path.is_some());
    // A side that does not exist is empty, but makes nothing of a file whose
    // lines the patch keeps to itself.
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
