//! What can be chosen.

/// How blocks are read and applied: start from the default and change fields.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Least similarity of a place that is not the same but for white space and
    /// typography, 0 to 1. Default 1.0: no such place is taken.
    pub threshold: f64,
    /// Lines around a start line that are searched; with
    /// [`edit_compat`](crate::edit_compat) only. Default 40.
    pub buffer_lines: u32,
    /// A start line for blocks that have none. Default none.
    pub start_line: Option<u32>,
    /// Read `&lt;` and the like in blocks as the characters they mean, where
    /// the text does not have them as they are written. Default no.
    pub unescape_html: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threshold: 1.0,
            buffer_lines: 40,
            start_line: None,
            unescape_html: false,
        }
    }
}

impl Options {
    /// These options, changed.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// The threshold in whole percent, for messages.
    pub(crate) fn needs_pct(&self) -> u32 {
        percent(self.threshold)
    }
}

/// A share in whole percent, rounded down.
pub(crate) fn percent(share: f64) -> u32 {
    (share * 100.0).floor() as u32
}
