//! Pages for the browser: where they go, and how large they may be.

use crate::args::PageArgs;
use crate::output::{self, Content};
use anyhow::bail;
use mvdiff_render::PageOptions;
use mvdiff_render::view::View;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

/// Bytes that a page may have, unless asked otherwise.
const LIMIT: u64 = 20 << 20;

/// Refuses to fill a terminal with markup, before any work is done.
pub(crate) fn has_a_place(output: Option<&Path>) -> anyhow::Result<()> {
    if output.is_none() && io::stdout().is_terminal() {
        bail!("--format html: is not for a terminal; write it to a file with -o FILE");
    }
    Ok(())
}

/// Writes a page, and says on standard error if something was left out of it.
pub(crate) fn print(
    views: &[View<'_>],
    output: Option<&Path>,
    context: u32,
    args: &PageArgs,
) -> anyhow::Result<()> {
    let options = PageOptions {
        context,
        limit: args.limit(LIMIT),
        ..PageOptions::default()
    };
    let mut left_out = None;
    let print = |out: &mut dyn io::Write| {
        left_out = mvdiff_render::page(out, views, &options)?;
        Ok(())
    };
    match output {
        Some(path) => output::to_file(path, Content::Bytes, Box::new(print))?,
        None => output::to_stdout(false, Content::Bytes, Box::new(print))?,
    }
    if let Some(left_out) = left_out {
        let _ = writeln!(io::stderr(), "mvdiff: note: {left_out}");
    }
    Ok(())
}
