use crate::Side;

/// Why a problem was rejected. The engine itself never fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A side has more elements than `u32` positions can index.
    #[error("the {side:?} side has {elements} elements, more than can be indexed")]
    TooManyElements {
        /// The side.
        side: Side,
        /// How many elements it has.
        elements: usize,
    },
    /// The adapter's description of its sequences is inconsistent.
    #[error("the problem contradicts itself: {0}")]
    Inconsistent(&'static str),
    /// An option is outside its range.
    #[error("option {name} must lie in {range}")]
    OptionOutOfRange {
        /// The field of [`Options`](crate::Options).
        name: &'static str,
        /// The accepted values.
        range: &'static str,
    },
}
