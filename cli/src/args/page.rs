//! What can be said about pages.

use super::workbook::bytes;
use clap::Args;

/// How large a page may be.
#[derive(Debug, Args)]
pub(crate) struct PageArgs {
    /// With --format html: bytes that the page may have; what does not fit is left
    /// out, unchanged lines first, and the page says so; 0 for no limit
    #[arg(long, value_name = "BYTES", default_value = "20M", value_parser = bytes)]
    pub page_limit: u64,
}
