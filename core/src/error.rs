use crate::Side;

/// Why a problem could not be taken on. The engine itself never fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A side has more elements than `u32` positions can carry.
    #[error("the {side:?} side has {elements} elements, more than can be indexed")]
    TooManyElements {
        /// The side.
        side: Side,
        /// How many elements it has.
        elements: usize,
    },
    /// What the adapter said of its sequences does not fit together.
    #[error("the problem contradicts itself: {0}")]
    Inconsistent(&'static str),
    /// An option is outside its range.
    #[error("option {name} must lie in {range}")]
    OptionOutOfRange {
        /// The field of [`Options`](crate::Options).
        name: &'static str,
        /// The values it takes.
        range: &'static str,
    },
}
