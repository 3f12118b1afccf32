//! Why a block, a file or a whole run failed, by name.

use serde::{Deserialize, Serialize};

/// A name for what went wrong; part of the JSON, so it does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// There are no blocks in the input.
    NoBlocks,
    /// A line of a block looks like a marker and is not escaped.
    UnescapedMarker,
    /// A marker where another one was expected.
    MalformedSequence,
    /// `:start_line:` or `:end_line:` behind the separator.
    LineMarkerInReplace,
    /// The input ends before the `=======` of a block.
    UnexpectedEndWantSeparator,
    /// The input ends before the `>>>>>>> REPLACE` of a block.
    UnexpectedEndWantReplace,
    /// The form around the blocks (JSON, XML, a unified diff) cannot be read.
    BadForm,
    /// A block would change nothing.
    Identical,
    /// A block does not say what to look for.
    EmptySearch,
    /// What a block looks for is not there.
    NoMatch,
    /// What a block looks for is there more than once.
    Ambiguous,
    /// A new line says that something was left out, and no old one does.
    Elided,
    /// Two blocks change the same lines.
    Overlap,
    /// The file is not in UTF-8, and the new lines would be.
    Encoding,
    /// Nothing would be left of the file (`--compat` only).
    EmptyResult,
    /// Several blocks, and none of them fits.
    AllFailed,
    /// A path leads out of the root.
    OutsideRoot,
    /// There is no such file.
    NoFile,
    /// The file cannot be edited: not a regular file, or not readable.
    Unreadable,
    /// The file that should be made is there.
    FileExists,
    /// The files could not be written; all are as they were.
    NotWritten,
    /// Something else is wrong with the call.
    Trouble,
}
