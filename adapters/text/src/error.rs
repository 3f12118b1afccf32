/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text is too large for the engine's positions.
    #[error("a text of {bytes} bytes is too large; split it below 4 GiB and 2 billion lines")]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// A report does not match the text it is replayed on.
    #[error("the report does not fit: {0}")]
    NotReplayable(&'static str),
    /// A recipe cannot be followed.
    #[error("{file}: {what}")]
    BadRecipe {
        /// The affected file.
        file: String,
        /// What is wrong with it.
        what: String,
    },
    /// The engine rejects an option.
    #[error(transparent)]
    Core(#[from] mvdiff_core::Error),
}
