//! How much a file may ask for before it is refused.

/// What a workbook may hold and what it may unpack to. Each limit has a name,
/// which is the option that lifts it, and an error that says so.
///
/// ```
/// use mvdiff_grid::Limits;
///
/// let limits = Limits { cells: 1_000, ..Limits::default() };
/// assert_eq!(limits.part, 512 << 20);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Files in the archive: 10,000.
    pub entries: u64,
    /// Bytes that all of them unpack to, or of a file that is not an archive: 1 GiB.
    pub inflated: u64,
    /// Bytes that one of them unpacks to: 512 MiB.
    pub part: u64,
    /// How often larger than packed one may be, from 1 MiB on: 200 times. Honest
    /// files reach 121.
    pub ratio: u64,
    /// Cells that hold something, in all sheets: 20,000,000.
    pub cells: u64,
    /// Bytes of text, in all sheets, a text of one sheet counted once: 1 GiB.
    pub text: u64,
    /// Bytes of formulas written out for the cells that share one: 256 MiB.
    pub shared_formulas: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entries: 10_000,
            inflated: 1 << 30,
            part: 512 << 20,
            ratio: 200,
            cells: 20_000_000,
            text: 1 << 30,
            shared_formulas: 256 << 20,
        }
    }
}

/// One of [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Limits::entries`]
    Entries,
    /// [`Limits::inflated`]
    Inflated,
    /// [`Limits::part`]
    Part,
    /// [`Limits::ratio`]
    Ratio,
    /// [`Limits::cells`]
    Cells,
    /// [`Limits::text`]
    Text,
    /// [`Limits::shared_formulas`]
    SharedFormulas,
}

impl Limit {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Entries,
        Self::Inflated,
        Self::Part,
        Self::Ratio,
        Self::Cells,
        Self::Text,
        Self::SharedFormulas,
    ];

    /// The option that lifts it.
    #[must_use]
    pub fn flag(self) -> &'static str {
        match self {
            Self::Entries => "--max-entries",
            Self::Inflated => "--max-inflated",
            Self::Part => "--max-part",
            Self::Ratio => "--max-ratio",
            Self::Cells => "--max-cells",
            Self::Text => "--max-text",
            Self::SharedFormulas => "--max-shared-formulas",
        }
    }

    /// What is counted.
    pub(super) fn counted(self) -> &'static str {
        match self {
            Self::Entries => "files in the archive",
            Self::Inflated => "bytes unpacked",
            Self::Part => "bytes unpacked in one part",
            Self::Ratio => "times its packed size",
            Self::Cells => "cells",
            Self::Text => "bytes of text",
            Self::SharedFormulas => "bytes of shared formulas",
        }
    }

    /// Its value.
    pub(super) fn of(self, limits: &Limits) -> u64 {
        match self {
            Self::Entries => limits.entries,
            Self::Inflated => limits.inflated,
            Self::Part => limits.part,
            Self::Ratio => limits.ratio,
            // Cells and texts are numbered in 32 bits.
            Self::Cells => limits.cells.min(u64::from(u32::MAX) - 1),
            Self::Text => limits.text.min(u64::from(u32::MAX) - 1),
            Self::SharedFormulas => limits.shared_formulas,
        }
    }
}

/// How a workbook is read.
///
/// ```
/// let options = mvdiff_grid::ReadOptions::default();
/// assert_eq!(options.limits.cells, 20_000_000);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// What is refused.
    pub limits: Limits,
    /// Of two workbooks, also read the sheets that are byte for byte the same in
    /// both, and that need not be read to compare them.
    pub every_sheet: bool,
}
