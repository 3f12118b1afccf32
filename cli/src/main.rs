//! `mvdiff`: the diff that knows what moved. Arguments, files, exit codes.

mod args;
mod diff;
mod input;
mod output;

use args::{Args, Command};
use clap::{CommandFactory as _, Parser as _};
use std::io::{self, Write as _};
use std::process::ExitCode;

/// Same meaning as diff(1): 0 equal, 1 different, 2 trouble.
const TROUBLE: u8 = 2;

fn run(args: &Args) -> anyhow::Result<u8> {
    match &args.command {
        Command::Diff(diff) => diff::run(diff),
        Command::Completions { shell } => {
            clap_complete::generate(*shell, &mut Args::command(), "mvdiff", &mut io::stdout());
            Ok(0)
        }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    args.color.write_global();
    match run(&args) {
        Ok(code) => code.into(),
        Err(error) if is_broken_pipe(&error) => 0.into(),
        Err(error) => {
            let message = output::visible(&format!("{error:#}"));
            let _ = writeln!(io::stderr(), "mvdiff: {message}");
            TROUBLE.into()
        }
    }
}

/// `mvdiff … | head` ends quietly.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
