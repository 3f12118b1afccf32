//! Options of pages.

use super::workbook::bytes;
use clap::Args;

/// How large a page may be.
#[derive(Clone, Debug, Args)]
pub(crate) struct PageArgs {
    /// Maximum size of an HTML page; beyond it, lines are left out, unchanged ones
    /// first, and the page says so; 0 for no limit [default: 20M; 8M for workbooks]
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = "Options for pages")]
    pub page_limit: Option<u64>,
}

impl PageArgs {
    /// The limit, `usual` unless asked otherwise; `None` for no limit.
    pub(crate) fn limit(&self, usual: u64) -> Option<u64> {
        Some(self.page_limit.unwrap_or(usual)).filter(|&limit| limit > 0)
    }
}
