/// What a caller may have to react to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text does not fit the positions of the engine.
    #[error("a text of {bytes} bytes is too large; split it below 4 GiB and 2 billion lines")]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// A report that does not fit the text it is replayed on.
    #[error("the report does not fit: {0}")]
    NotReplayable(&'static str),
    /// A recipe that cannot be followed.
    #[error("{file}: {what}")]
    BadRecipe {
        /// The file it is about.
        file: String,
        /// What is wrong with it.
        what: String,
    },
    /// An option that the engine refuses.
    #[error(transparent)]
    Core(#[from] mvdiff_core::Error),
}
