//! Options of `mvdiff mcp`.

use clap::Parser;
use std::path::PathBuf;

/// Run a Model Context Protocol (MCP) server for agents
#[derive(Debug, Parser)]
#[command(after_help = "\
The server reads standard input and writes standard output. Its tools are apply_edits
(with a dry run), undo_edits, effective_diff, diff, diff_workbooks and score. They
answer with the JSON of the commands; see docs/schemas.

Files are read and written only below the roots that the client names; if it names
none, below --root, by default the working directory.

Examples:
  mvdiff mcp                        serve the working directory
  mvdiff mcp --root ~/src/project   serve another directory")]
pub(crate) struct McpArgs {
    /// Directory in which files may be read and written; may be repeated
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
}
