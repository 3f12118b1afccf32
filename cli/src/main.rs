//! `mvdiff`: the diff that knows what moved. Arguments, files, exit codes.

mod apply;
mod args;
mod busy;
mod contents;
mod diff;
mod effective;
mod eval;
mod folder;
mod git;
mod input;
mod man;
mod mcp;
mod output;
mod page;
mod paths;
mod progress;
mod replay;
mod score;
mod screen;
mod signals;
mod sniff;
mod textconv;
mod tree;
mod workbook;

use args::{Args, Command};
use clap::CommandFactory as _;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

/// Same meaning as diff(1): 0 equal, 1 different, 2 trouble.
const TROUBLE: u8 = 2;

fn run(command: Command) -> anyhow::Result<u8> {
    match command {
        Command::Apply(args) => apply::run(&args),
        Command::Mcp(args) => mcp::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Effective(args) => effective::run(&args),
        Command::Git(args) => git::run(args),
        Command::Replay(args) => replay::run(&args),
        Command::Score(args) => score::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Textconv(args) => textconv::run(&args),
        Command::Man { command, out } => man::run(command.as_deref(), out.as_deref()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "mvdiff", &mut script);
            let mut out = io::stdout().lock();
            out.write_all(&script)?;
            out.flush()?;
            Ok(0)
        }
    }
}

fn main() -> ExitCode {
    let words = words();
    let ran = if let Some(call) = git::driver::Call::of(&words) {
        call.run()
    } else {
        let args = match parse(words) {
            Ok(args) => args,
            Err(error) => return refuse(&error),
        };
        args.color.write_global();
        run(args.command)
    };
    match ran {
        Ok(code) => code.into(),
        Err(error) if is_broken_pipe(&error) => 0.into(),
        Err(error) => {
            let message = output::visible(&format!("{error:#}"));
            let _ = writeln!(io::stderr(), "mvdiff: {message}");
            TROUBLE.into()
        }
    }
}

/// Understands the command line; two files and no command are to be compared.
fn parse(mut words: Vec<OsString>) -> Result<Args, clap::Error> {
    let parsed = args::parse(words.clone());
    match (&parsed, &words[..]) {
        (Err(error), [_, old, new])
            if error.kind() == ErrorKind::InvalidSubcommand
                && [old, new].iter().all(|file| Path::new(file).exists()) =>
        {
            words.insert(1, "diff".into());
            args::parse(words)
        }
        _ => parsed,
    }
}

/// The command line. Called `git-mvdiff`, as git calls it for `git mvdiff`, the
/// program is `mvdiff git`.
fn words() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let called = words.first().map(Path::new).and_then(Path::file_stem);
    if called.is_some_and(|name| name == "git-mvdiff") {
        words.insert(1, "git".into());
    }
    words
}

/// Help and version as clap prints them; misuse as one line, like all trouble.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let printed = error.print();
        return if printed.is_ok() { 0 } else { TROUBLE }.into();
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return TROUBLE.into();
    }
    let what = output::visible(&misuse(error));
    let _ = writeln!(io::stderr(), "mvdiff: {what}; try --help");
    TROUBLE.into()
}

/// What is wrong with a command line, in one line.
pub(crate) fn misuse(error: &clap::Error) -> String {
    let rendered = error.render().to_string();
    let paragraphs: Vec<&str> = rendered.split("\n\n").collect();
    let first = paragraphs.first().copied().unwrap_or_default();
    let what: Vec<&str> = first.lines().map(str::trim).collect();
    let what = what.join(" ");
    what.strip_prefix("error: ").unwrap_or(&what).to_owned()
}

/// `mvdiff … | head` ends quietly.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
