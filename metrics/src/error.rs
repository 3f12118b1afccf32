//! What can go wrong.

/// Everything a caller may have to react to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text too large for `u32` positions.
    #[error("the text has {bytes} bytes; up to 4 GiB can be scored")]
    TooLarge {
        /// Bytes counted.
        bytes: usize,
    },
    /// The search for moves refused its input.
    #[error(transparent)]
    Core(#[from] mvdiff_core::Error),
}
