//! Errors of this crate.

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text too large for `u32` positions.
    #[error("the text has {bytes} bytes; up to 4 GiB can be scored")]
    TooLarge {
        /// Size of the text.
        bytes: usize,
    },
    /// The search for moves rejected its input.
    #[error(transparent)]
    Core(#[from] mvdiff_core::Error),
}
